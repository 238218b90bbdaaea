/*
 * canonical_json.h
 *	  Canonical JSON (doc/evidence.md), the one form that jsonb has in the
 *	  evidence: no white space, members by length of their names and then by
 *	  bytes and none twice, numbers in decimal notation.
 */
#ifndef CASINO_CANONICAL_JSON_H
#define CASINO_CANONICAL_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "core/evidence/leaf.h"

/*
 * Length of the canonical value that text[0..len) begins with; 0 when it
 * begins with none.  However deep it is nested, no stack is used: what is open
 * is kept behind the end of "open", which is left as it was.
 */
extern size_t casino_canonical_json(const char *text, size_t len, CasinoBuffer *open);

/*
 * The value of a member at the top of a canonical object (names without
 * escapes only); false when it is no object or has no such member.
 */
extern bool casino_canonical_member(const char *json, size_t len, const char *name,
									const char **value, size_t *value_len);

#endif							/* CASINO_CANONICAL_JSON_H */
