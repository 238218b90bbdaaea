/*
 * days.h
 *	  The days that count.
 */
#ifndef CASINO_DAYS_H
#define CASINO_DAYS_H

#include "postgres.h"

#include "datatype/timestamp.h"

/*
 * Day and first day of the month in Europe/Prague, dates: what casino.prague_day() and
 * casino.prague_month() give.
 */
extern void casino_prague_day(TimestampTz at, Datum *day, Datum *month);

#endif							/* CASINO_DAYS_H */
