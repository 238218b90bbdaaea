/*
 * quiet_hours.c
 *	  No stake between three and four in the morning, Prague time.
 */
#include "duties/duty.h"

#include "pgtime.h"
#include "utils/datetime.h"
#include "utils/timestamp.h"

#include "casino.h"

/* KC007 */
static void
check_stake(PlayerState *player, const RoundState *round, bool joined, int64 cost, EventTime *time)
{
	pg_tz	   *zone = pg_tzset("Europe/Prague");
	struct pg_tm tm;
	int			offset;
	fsec_t		fsec;

	if (zone == NULL || timestamp2tm(time->at, &offset, &tm, &fsec, NULL, zone) != 0 || tm.tm_hour != 3)
		return;
	ereport(ERROR,
			(errcode(MAKE_SQLSTATE('K', 'C', '0', '0', '7')),
			 errmsg("no stake is accepted between three and four in the morning"),
			 errdetail("It was to be placed at %s.", timestamptz_to_str(time->at))));
}

const Duty casino_quiet_hours_duty = {
	.paragraph = "house policy",
	.check_stake = check_stake
};
