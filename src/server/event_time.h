/*
 * event_time.h
 *	  The time of an event: given by the caller, or taken when the call can act.
 *
 * A given time is held against the clock of the moment the call came, so that
 * waiting for locks does not make it wrong (R12.6, R12.7).  A time that was not given is the
 * clock's once the locks are held; where the records already show a later one,
 * because that was dated ahead, it is moved there.
 */
#ifndef CASINO_EVENT_TIME_H
#define CASINO_EVENT_TIME_H

#include "postgres.h"

#include "datatype/timestamp.h"
#include "fmgr.h"

typedef struct EventTime
{
	TimestampTz at;				/* given; else set by casino_time_take() */
	bool		given;
	bool		may_be_late;	/* however long ago, it was checked then */
	TimestampTz arrived;		/* when the call came */
	TimestampTz recorded_from;	/* its record comes after one of that time; DT_NOBEGIN: after none */
} EventTime;

/* Of a call that comes now; "at" counts when it is given.  Before the first lock. */
extern void casino_time_init(EventTime *time, bool given, TimestampTz at);

/* The same of argument n of a function, NULL: not given. */
extern void casino_time_argument(FunctionCallInfo fcinfo, int n, EventTime *time);

/*
 * Once the locks are held: checks a given time, which must be finite (22008)
 * and within casino.clock_skew of the call's arrival (KL005), or takes the
 * clock's.  One that may be late is only not ahead of the clock.
 */
extern void casino_time_take(EventTime *time);

/* Did a call that may be late come later than casino.clock_skew allows others? */
extern bool casino_time_is_late(const EventTime *time);

/*
 * Can the event be on or after "not_before"?  A time that was not given is
 * moved there, as far as casino.clock_skew allows.
 */
extern bool casino_time_reach(EventTime *time, TimestampTz not_before);

/* A time that was not given is moved on or after "not_before"; KL005 beyond casino.clock_skew. */
extern void casino_time_follow(EventTime *time, TimestampTz not_before);

/*
 * When a record is written that comes after one of "after": by the clock, and
 * not before that one where the clock was put back in between (R12.158).
 */
extern TimestampTz casino_time_of_record(TimestampTz after);

/*
 * While a function of the interface runs its body, the calls that the body
 * makes came when the function was called.  Begin returns what end needs.
 */
extern TimestampTz casino_call_begin(void);
extern void casino_call_end(TimestampTz outer);

#endif							/* CASINO_EVENT_TIME_H */
