/*
 * json_read.h
 *	  A strict reader of small JSON documents (RFC 8259): white space and any
 *	  order of members are allowed, nothing else that was not asked for.
 */
#ifndef CASINO_JSON_READ_H
#define CASINO_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/evidence/merkle.h"

typedef struct CasinoJson
{
	const char *start;
	const char *at;
	const char *end;
} CasinoJson;

/* The character, with white space around. */
extern bool casino_json_take(CasinoJson *json, char c);

/* A string, unescaped into text with a NUL; refused when it has more than size - 1 bytes or a NUL. */
extern bool casino_json_string(CasinoJson *json, char *text, size_t size, size_t *len);

/* A whole number. */
extern bool casino_json_int(CasinoJson *json, int64_t *number);

/* 64 lower-case hexadecimal digits. */
extern bool casino_json_hash(CasinoJson *json, CasinoHash *hash);

/*
 * Read an object: each of the names exactly once, no other, by calling member()
 * with its number.
 */
extern bool casino_json_object(CasinoJson *json, const char *const *names, int nnames,
							   bool (*member) (CasinoJson *json, int number, void *into), void *into);

/* Is nothing left but white space? */
extern bool casino_json_end(CasinoJson *json);

#endif							/* CASINO_JSON_READ_H */
