/*
 * days.c
 *	  The days that count.
 */
#include "server/days.h"

#include "pgtime.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/timestamp.h"

/* the day that was asked for last, and when it begins and ends; empty: none */
static DateADT kept_day = 0;
static DateADT kept_month = 0;
static TimestampTz kept_begin = 0;
static TimestampTz kept_end = 0;

/* When the day of a local time, or the one after, begins. */
static TimestampTz
midnight(const struct pg_tm *tm, int days_later, pg_tz *zone)
{
	struct pg_tm day = {0};
	TimestampTz begin;
	int			offset;

	j2date(date2j(tm->tm_year, tm->tm_mon, tm->tm_mday) + days_later, &day.tm_year, &day.tm_mon, &day.tm_mday);
	offset = DetermineTimeZoneOffset(&day, zone);
	return tm2timestamp(&day, 0, &offset, &begin) == 0 ? begin : DT_NOBEGIN;
}

void
casino_prague_day(TimestampTz at, Datum *day, Datum *month)
{
	/* every stake of a player with limits asks for today */
	if (at < kept_begin || at >= kept_end)
	{
		pg_tz	   *zone = pg_tzset("Europe/Prague");
		struct pg_tm tm;
		int			offset;
		fsec_t		fsec;

		if (zone == NULL || timestamp2tm(at, &offset, &tm, &fsec, NULL, zone) != 0)
			ereport(ERROR,
					(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
					 errmsg("time %s has no calendar day in Europe/Prague", timestamptz_to_str(at))));
		kept_day = date2j(tm.tm_year, tm.tm_mon, tm.tm_mday) - POSTGRES_EPOCH_JDATE;
		kept_month = date2j(tm.tm_year, tm.tm_mon, 1) - POSTGRES_EPOCH_JDATE;
		kept_begin = midnight(&tm, 0, zone);
		kept_end = midnight(&tm, 1, zone);
		/* the ends of the calendar are not kept */
		if (at < kept_begin || at >= kept_end || kept_begin == DT_NOBEGIN)
			kept_begin = kept_end = 0;
	}
	*day = DateADTGetDatum(kept_day);
	*month = DateADTGetDatum(kept_month);
}
