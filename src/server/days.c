/*
 * days.c
 *	  The days that count.
 */
#include "server/days.h"

#include "pgtime.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/timestamp.h"

void
casino_prague_day(TimestampTz at, Datum *day, Datum *month)
{
	pg_tz	   *zone = pg_tzset("Europe/Prague");
	struct pg_tm tm;
	int			offset;
	fsec_t		fsec;

	if (zone == NULL || timestamp2tm(at, &offset, &tm, &fsec, NULL, zone) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("time %s has no calendar day in Europe/Prague", timestamptz_to_str(at))));
	*day = DateADTGetDatum(date2j(tm.tm_year, tm.tm_mon, tm.tm_mday) - POSTGRES_EPOCH_JDATE);
	*month = DateADTGetDatum(date2j(tm.tm_year, tm.tm_mon, 1) - POSTGRES_EPOCH_JDATE);
}
