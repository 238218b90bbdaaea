/*
 * value_text.h
 *	  The one text of a value of the evidence (doc/evidence.md): dates, times,
 *	  money, whole numbers, hexadecimal digits.
 *
 * What is parsed is refused unless it is what would be printed; what a refusal
 * leaves behind means nothing.
 */
#ifndef CASINO_VALUE_TEXT_H
#define CASINO_VALUE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Microseconds since 2000-01-01 UTC: 2026-11-20T19:00:00.000000Z; "@" and the
 * microseconds for years that have not four digits; infinity, -infinity.
 * Printing returns the length.
 */
#define CASINO_TIME_TEXT_SIZE	32
#define CASINO_TIME_INFINITY	INT64_MAX
#define CASINO_TIME_MINUS_INFINITY	INT64_MIN

extern size_t casino_time_print(int64_t time, char text[CASINO_TIME_TEXT_SIZE]);
extern bool casino_time_parse(const char *text, size_t len, int64_t *time);

/* 2026-11-20 of days since 2000-01-01; false for years that have not four digits (0001 to 9999) */
extern bool casino_date_print(int64_t day, char text[11]);
extern bool casino_date_parse(const char *text, size_t len, int64_t *day);

/* The same of any day: "@" and the days for other years.  Printing returns the length. */
extern size_t casino_day_print(int64_t day, char text[CASINO_TIME_TEXT_SIZE]);
extern bool casino_day_parse(const char *text, size_t len, int64_t *day);

/* Haléře as 12.50 and -0.05: digits, a point, two digits.  Printing returns the length. */
#define CASINO_MONEY_TEXT_SIZE	32
extern size_t casino_money_print(int64_t halere, char text[CASINO_MONEY_TEXT_SIZE]);
extern bool casino_money_parse(const char *text, size_t len, int64_t *halere);

/*
 * What an amount that is no whole number of haléře (or too large a one) is
 * printed as: NaN, Infinity, -Infinity or a number without zeros at the end.
 */
extern bool casino_money_is_odd(const char *text, size_t len);

/*
 * A whole number at text[0..len), without sign of plus, leading zeros, "-0" and
 * overflow.  Returns the bytes taken, 0 when none stands there; what follows is
 * the caller's.
 */
extern size_t casino_int_scan(const char *text, size_t len, int64_t *number);

/* Two lower-case digits a byte; text gets a NUL. */
extern void casino_hex_print(const void *bytes, size_t len, char *text);

/* len digits into len / 2 bytes; false for an odd number of them */
extern bool casino_hex_parse(const char *text, size_t len, uint8_t *bytes);

/* Is it UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF? */
extern bool casino_text_is_utf8(const char *text, size_t len);

#endif							/* CASINO_VALUE_TEXT_H */
