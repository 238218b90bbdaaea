/*
 * duty_rule.h
 *	  Figures of the operator's duties (D4's general part) as they were in force
 *	  at a time: the table casino.duty_rule, read once a session (R7.80).
 */
#ifndef CASINO_DUTY_RULE_H
#define CASINO_DUTY_RULE_H

#include "postgres.h"

#include "datatype/timestamp.h"

/* In the order of the names in duty_rule.c. */
typedef enum DutyFigure
{
	DUTY_SEQUENCE,				/* microseconds of a betting sequence that asks for a break */
	DUTY_BREAK,					/* microseconds of the break, and of the gap that ends a sequence */
	DUTY_LIVE_TABLES,			/* live tables at a time */
	DUTY_CASH_AMOUNT,			/* haléře of cash that may be paid in the window */
	DUTY_CASH_WINDOW,			/* microseconds */
	DUTY_REGISTER_CHECK,		/* hours; 0: no question to the register is needed */
	DUTY_FIGURES
} DutyFigure;

/* A version of a figure. */
typedef struct DutyVersion
{
	TimestampTz valid_from;
	int64		figure;
	char	   *paragraph;		/* for messages: used before the next question only */
} DutyVersion;

/* The version in force at a time; a stake asks, so that it costs a few instructions. */
extern const DutyVersion *casino_duty_version(DutyFigure figure, TimestampTz at);

static inline int64
casino_duty_figure(DutyFigure figure, TimestampTz at)
{
	return casino_duty_version(figure, at)->figure;
}

/* The greatest that was ever in force or is to be. */
extern int64 casino_duty_greatest(DutyFigure figure);

/* As people write it: 15 minutes; palloc'ed. */
extern char *casino_minutes_cstring(int64 usecs);

#endif							/* CASINO_DUTY_RULE_H */
