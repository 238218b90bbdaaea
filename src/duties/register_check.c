/*
 * register_check.c
 *	  No stake without a question to the register of excluded persons (D4 §6.2),
 *	  where the operator has set the figure register_check (R7.76).
 *
 * Before the operator does, a stake costs one comparison more.
 */
#include "duties/register_check.h"

#include "utils/timestamp.h"

#include "casino.h"
#include "duties/duty.h"
#include "server/query.h"
#include "server/refusal.h"
#include "state/duty_rule.h"

static PreparedQuery find_answer = {
	.sql = "SELECT casino_internal.register_is_clear($1, $2, $3)::integer::bigint",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ, ARG_INT4}
};

void
casino_register_check(int64 player_id, TimestampTz at)
{
	int64		hours = casino_duty_figure(DUTY_REGISTER_CHECK, at);
	Datum		values[3] = {Int64GetDatum(player_id), TimestampTzGetDatum(at), Int32GetDatum((int32) hours)};

	if (hours == 0)
		return;
	casino_read_latest(&find_answer, values, NULL);
	if (casino_column_int64(0, ONLY_COLUMN) == 1)
		return;
	ereport(ERROR,
			(errrefusal(REFUSAL_REGISTER_NOT_ASKED, REFUSED_INT("hours", hours)),
			 errmsg("the register of excluded persons was not asked for player " INT64_FORMAT, player_id),
			 errdetail("Its newest answer in the " INT64_FORMAT " hours before %s is not \"clear\" (%s).",
					   hours, timestamptz_to_str(at),
					   casino_duty_version(DUTY_REGISTER_CHECK, at)->paragraph),
			 errhint("Ask the register, then call casino.record_register_check().")));
}

/* See duties.h.  D4 §8.4: the register was asked when the player joined the round. */
static void
check_stake(PlayerState *player, const RoundState *round, bool joined, int64 cost, EventTime *time)
{
	if (!joined)
		casino_register_check(player->player_id, time->at);
}

const Duty	casino_register_duty = {
	.paragraph = "D4 §6.2",
	.check_stake = check_stake
};
