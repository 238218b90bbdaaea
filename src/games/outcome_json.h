/*
 * outcome_json.h
 *	  Reading and writing the members of outcome documents, for the families of
 *	  games.
 */
#ifndef CASINO_OUTCOME_JSON_H
#define CASINO_OUTCOME_JSON_H

#include "postgres.h"

#include "utils/jsonb.h"

#include "casino.h"
#include "core/hand.h"
#include "compat.h"

/* KR001 with its detail, one sentence */
extern void casino_outcome_illegal(const char *format,...)
			pg_attribute_noreturn() pg_attribute_printf(1, 2);

/* KR001 for anything but an object with these members and no others. */
extern void casino_outcome_check_members(const JsonbContainer *object, const char *const *names,
										 int nnames);

/* A member of an object, NULL when it is not there. */
extern JsonbValue *casino_outcome_member(const JsonbContainer *object, const char *name,
										 JsonbValue *buffer);

/* Cards of a member that must be there. */
extern void casino_outcome_read_hand(const JsonbContainer *object, const char *name,
									 CasinoHand *hand);

/* Whole number of a value, between the bounds. */
extern int64 casino_outcome_integer(const JsonbValue *value, const char *name, int64 min, int64 max);

/* Whole number of a member, or what stands for it when it is not there. */
extern int64 casino_outcome_read_integer(const JsonbContainer *object, const char *name,
										 int64 min, int64 max, int64 if_missing);

/* true or false of a member, false when it is not there. */
extern bool casino_outcome_read_flag(const JsonbContainer *object, const char *name);

/* Append members to the object under construction. */
extern void casino_outcome_push(JsonbParseState **state, const char *name, JsonbValue *value);
extern void casino_outcome_push_key(JsonbParseState **state, const char *name);
extern void casino_outcome_push_hand(JsonbParseState **state, const char *name,
									 const CasinoHand *hand);
extern void casino_outcome_push_integer(JsonbParseState **state, const char *name, int64 value);
extern void casino_outcome_push_flag(JsonbParseState **state, const char *name, bool value);

#endif							/* CASINO_OUTCOME_JSON_H */
