/*
 * values.h
 *	  Values of a row by the names of their fields.
 */
#ifndef CASINO_VERIFY_VALUES_H
#define CASINO_VERIFY_VALUES_H

#include <stdlib.h>
#include <string.h>

#include "core/evidence/leaf.h"
#include "verify.h"

/* The program is built with the layouts: a field that is asked for is there. */
static inline const CasinoValue *
value_of(const CasinoLayout *layout, const CasinoValue *values, const char *name)
{
	for (int i = 0; i < layout->nfields; i++)
		if (strcmp(layout->fields[i].name, name) == 0)
			return &values[i];
	abort();
}

static inline int64_t
number_in(const CasinoValue *value)
{
	return value->presence == CASINO_PRESENT ? value->number : 0;
}

static inline int64_t
number_of(const CasinoLayout *layout, const CasinoValue *values, const char *name)
{
	return number_in(value_of(layout, values, name));
}

/* A time; NO_TIME where there is none. */
#define NO_TIME		INT64_MIN

static inline int64_t
time_in(const CasinoValue *value)
{
	return value->presence == CASINO_PRESENT ? value->number : NO_TIME;
}

/* A number that has a column of 32 bits; NULL is 0. */
static inline int
small_in(const CasinoValue *value, Place place)
{
	int64_t		number = number_in(value);

	if (number < INT32_MIN || number > INT32_MAX)
		refuse(place, "a number is out of range");
	return (int) number;
}

static inline bool
is_text(const CasinoValue *value, const char *text)
{
	return value->presence == CASINO_PRESENT && value->len == strlen(text) &&
		memcmp(value->text, text, value->len) == 0;
}

/* Cut when it is too long for any word that we know. */
static inline void
copy_text(const CasinoValue *value, char *text, size_t size)
{
	size_t		len = value->presence == CASINO_PRESENT ? value->len : 0;

	if (len >= size)
		len = size - 1;
	if (len > 0)
		memcpy(text, value->text, len);
	text[len] = '\0';
}

/* Place of a number in a table of 65536 lists. */
#define BUCKETS	65536

static inline uint32_t
bucket(int64_t number)
{
	return (uint32_t) (((uint64_t) number * UINT64_C(0x9E3779B97F4A7C15)) >> 48);
}

#endif							/* CASINO_VERIFY_VALUES_H */
