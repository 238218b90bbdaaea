/*
 * days.c
 *	  The days that count.
 */
#include "server/days.h"

#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/timestamp.h"

/* the day that was asked for last, and when it begins and ends; empty: none */
static DateADT kept_day = 0;
static DateADT kept_month = 0;
static TimestampTz kept_begin = 0;
static TimestampTz kept_end = 0;

/* When the day begins in the zone. */
static TimestampTz
midnight(Datum zone, DateADT day)
{
	Datum		local = DirectFunctionCall1(date_timestamp, DateADTGetDatum(day));

	return DatumGetTimestampTz(DirectFunctionCall2(timestamp_zone, zone, local));
}

/* As prague_day() and prague_month() do: PostgreSQL's own functions of a time in a zone. */
static void
keep_day_of(TimestampTz at)
{
	Datum		zone = CStringGetTextDatum("Europe/Prague");
	Datum		local = DirectFunctionCall2(timestamptz_zone, zone, TimestampTzGetDatum(at));
	Datum		month = DirectFunctionCall2(timestamp_trunc, CStringGetTextDatum("month"), local);
	DateADT		day = DatumGetDateADT(DirectFunctionCall1(timestamp_date, local));
	TimestampTz begin = 0;
	TimestampTz end = 0;

	/* the ends of the calendar are not kept */
	if (IS_VALID_TIMESTAMP(at - 2 * USECS_PER_DAY) && IS_VALID_TIMESTAMP(at + 2 * USECS_PER_DAY))
	{
		begin = midnight(zone, day);
		end = midnight(zone, day + 1);
	}
	kept_month = DatumGetDateADT(DirectFunctionCall1(timestamp_date, month));
	kept_day = day;
	kept_begin = begin;
	kept_end = end;
}

void
casino_prague_day(TimestampTz at, Datum *day, Datum *month)
{
	if (TIMESTAMP_NOT_FINITE(at))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("time %s has no calendar day in Europe/Prague", timestamptz_to_str(at))));
	/* every stake of a player with limits asks for today */
	if (at < kept_begin || at >= kept_end)
		keep_day_of(at);
	*day = DateADTGetDatum(kept_day);
	*month = DateADTGetDatum(kept_month);
}
