/*
 * refusal.h
 *	  How casino refuses: errrefusal() in place of errcode(), with a reason of refusal_reasons.h and its
 *	  values.  No other file raises a code of ours, so that no refusal is without a reason (R12.30).
 *
 * The reason is the error's constraint name, the values are its data type name, as JSON: fields that
 * every driver exposes.
 */
#ifndef CASINO_REFUSAL_H
#define CASINO_REFUSAL_H

#include "datatype/timestamp.h"

#include "core/error.h"

typedef enum RefusalReason
{
#define REASON(name, word, code, values, english, czech) REFUSAL_##name,
#include "server/refusal_reasons.h"
#undef REASON
} RefusalReason;

#define REFUSAL_MAX_VALUES	6

typedef struct RefusalValue
{
	const char *name;			/* NULL: no further value */
	enum
	{
		REFUSAL_VALUE_TEXT,
		REFUSAL_VALUE_INT,
		REFUSAL_VALUE_PLACE,
		REFUSAL_VALUE_MONEY,
		REFUSAL_VALUE_TIME
	}			type;
	int64		number;			/* an int, haléře, a time */
	const char *text;			/* NULL: the value is left out */
} RefusalValue;

typedef struct Refusal
{
	RefusalReason reason;
	RefusalValue values[REFUSAL_MAX_VALUES];
} Refusal;

#define REFUSED_TEXT(what, value)	{.name = (what), .type = REFUSAL_VALUE_TEXT, .text = (value)}
#define REFUSED_INT(what, value)	{.name = (what), .type = REFUSAL_VALUE_INT, .number = (value)}
/* A seat or hand; 0: the value is left out */
#define REFUSED_PLACE(what, value)	{.name = (what), .type = REFUSAL_VALUE_PLACE, .number = (value)}
#define REFUSED_MONEY(what, value)	{.name = (what), .type = REFUSAL_VALUE_MONEY, .number = (value)}
/* DT_NOBEGIN: the value is left out */
#define REFUSED_TIME(what, value)	{.name = (what), .type = REFUSAL_VALUE_TIME, .number = (value)}

/* For ereport(), in place of errcode(): the code of the reason, its word and values. */
#define errrefusal(because, ...) \
	casino_errrefusal(&(const Refusal) {.reason = (because), .values = {__VA_ARGS__}})

extern int	casino_errrefusal(const Refusal *refusal);

/* Does a refusal say its reason in its context, too, because a hub may have called?  In a cell. */
extern bool casino_refusals_are_marked(void);

/* In a cell: the context of an error that was caught has its reason, if it has one. */
extern void casino_mark_refusal(ErrorData *error);

/* At a hub: an error from a cell gets its reason and values back. */
extern void casino_read_mark(ErrorData *error);

/* For ereport(), in place of errcode(): what an error of the core is. */
extern int	casino_errcore(const CasinoError *error);

#endif							/* CASINO_REFUSAL_H */
