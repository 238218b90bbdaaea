/*
 * event_time.c
 *	  The time of an event: see event_time.h.
 */
#include "server/event_time.h"

#include "utils/timestamp.h"

#include "casino.h"
#include "server/refusal.h"

/* When the function of the interface came whose body is running; DT_NOBEGIN: none is. */
static TimestampTz call_arrived = DT_NOBEGIN;

TimestampTz
casino_call_begin(void)
{
	TimestampTz outer = call_arrived;

	if (outer == DT_NOBEGIN)
		call_arrived = GetCurrentTimestamp();
	return outer;
}

void
casino_call_end(TimestampTz outer)
{
	call_arrived = outer;
}

void
casino_time_init(EventTime *time, bool given, TimestampTz at)
{
	time->given = given;
	time->may_be_late = false;
	time->recorded_from = DT_NOBEGIN;
	time->at = given ? at : DT_NOBEGIN;
	time->arrived = call_arrived != DT_NOBEGIN ? call_arrived : GetCurrentTimestamp();
}

void
casino_time_argument(FunctionCallInfo fcinfo, int n, EventTime *time)
{
	bool		given = !PG_ARGISNULL(n);

	casino_time_init(time, given, given ? PG_GETARG_TIMESTAMPTZ(n) : 0);
}

/* Do the times differ by more than casino.clock_skew? */
static bool
beyond_skew(TimestampTz a, TimestampTz b)
{
	return casino_clock_skew != CASINO_CLOCK_SKEW_ANY &&
		(a - b > casino_clock_skew * USECS_PER_SEC || b - a > casino_clock_skew * USECS_PER_SEC);
}

void
casino_time_take(EventTime *time)
{
	if (!time->given)
	{
		time->at = GetCurrentTimestamp();
		return;
	}
	if (TIMESTAMP_NOT_FINITE(time->at))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("the time of an event must be finite")));
	if (beyond_skew(time->at, time->arrived) && !(time->may_be_late && time->at < time->arrived))
		ereport(ERROR,
				(errrefusal(REFUSAL_CLOCK_DIFFERS, REFUSED_TIME("at", time->at),
							REFUSED_TIME("clock", time->arrived),
							REFUSED_INT("seconds", casino_clock_skew)),
				 errmsg("time %s differs from the clock by more than %d s",
						timestamptz_to_str(time->at), casino_clock_skew),
				 errdetail("The clock shows %s.", pstrdup(timestamptz_to_str(time->arrived))),
				 errhint("casino.clock_skew sets how much an event's time may differ.")));
}

bool
casino_time_is_late(const EventTime *time)
{
	return time->may_be_late && time->given && time->at < time->arrived &&
		beyond_skew(time->at, time->arrived);
}

bool
casino_time_reach(EventTime *time, TimestampTz not_before)
{
	if (time->at >= not_before)
		return true;
	if (time->given || beyond_skew(not_before, GetCurrentTimestamp()))
		return false;
	time->at = not_before;
	return true;
}

void
casino_time_follow(EventTime *time, TimestampTz not_before)
{
	if (!time->given && !casino_time_reach(time, not_before))
		ereport(ERROR,
				(errrefusal(REFUSAL_CLOCK_BEHIND, REFUSED_TIME("recorded_at", not_before),
							REFUSED_INT("seconds", casino_clock_skew)),
				 errmsg("the clock is behind the records by more than %d s", casino_clock_skew),
				 errdetail("The last record is of %s.", pstrdup(timestamptz_to_str(not_before)))));
}

TimestampTz
casino_time_of_record(TimestampTz after)
{
	return Max(GetCurrentTimestamp(), after);
}

/*
 * event_time(at, not_before): the time of an event, for bodies in PL/pgSQL: at
 * itself when an event may be dated so, else KL005; when it is NULL, the
 * clock's, or not_before if that is later.
 */
PG_FUNCTION_INFO_V1(casino_sql_event_time);
Datum
casino_sql_event_time(PG_FUNCTION_ARGS)
{
	EventTime	time;

	casino_time_argument(fcinfo, 0, &time);
	casino_time_take(&time);
	if (!PG_ARGISNULL(1))
		casino_time_follow(&time, PG_GETARG_TIMESTAMPTZ(1));
	PG_RETURN_TIMESTAMPTZ(time.at);
}
