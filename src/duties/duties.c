/*
 * duties.c
 *	  The duties of the operator, one after the other.
 */
#include "duties/duties.h"

#include "duties/duty.h"

/*
 * In the order in which a stake meets them: who may not bet at all is told so
 * first.  A duty that refuses leaves nothing behind: the error undoes what
 * those before it have noted.
 */
static const Duty *const duties[] = {
	&casino_exclusion_duty,
	&casino_register_duty,
	&casino_sequence_duty,
	&casino_limits_duty,
	&casino_deadlines_duty,
};

void
casino_duties_check_admitted(const PlayerState *player, TimestampTz at)
{
	for (int i = 0; i < (int) lengthof(duties); i++)
		if (duties[i]->check_admitted != NULL)
			duties[i]->check_admitted(player, at);
}

void
casino_duties_check_stake(PlayerState *player, const RoundState *round, bool joined, int64 cost,
						  EventTime *time)
{
	Assert(casino_round_is_locked(round->round_id, false));
	for (int i = 0; i < (int) lengthof(duties); i++)
		if (duties[i]->check_stake != NULL)
			duties[i]->check_stake(player, round, joined, cost, time);
}

void
casino_duties_undo_stakes(PlayerState *player, int64 round_id, const Wager *wagers, int n,
						  const bool *returned)
{
	Assert(casino_round_is_locked(round_id, false));
	for (int i = 0; i < (int) lengthof(duties); i++)
		if (duties[i]->undo_stakes != NULL)
			duties[i]->undo_stakes(player, round_id, wagers, n, returned);
}

void
casino_duties_evaluated(const RoundState *round, const RoundWagers *wagers, TimestampTz at)
{
	Assert(casino_round_is_locked(round->round_id, true));
	for (int i = 0; i < (int) lengthof(duties); i++)
		if (duties[i]->evaluated != NULL)
			duties[i]->evaluated(round, wagers, at);
}

void
casino_duties_voided(const RoundState *round)
{
	Assert(casino_round_is_locked(round->round_id, true));
	for (int i = 0; i < (int) lengthof(duties); i++)
		if (duties[i]->voided != NULL)
			duties[i]->voided(round);
}

void
casino_duties_voided_late(const RoundState *round, int64 player_id, TimestampTz at)
{
	for (int i = 0; i < (int) lengthof(duties); i++)
		if (duties[i]->voided_late != NULL)
			duties[i]->voided_late(round, player_id, at);
}

void
casino_duties_paid_late(int64 round_id, TimestampTz at)
{
	for (int i = 0; i < (int) lengthof(duties); i++)
		if (duties[i]->paid_late != NULL)
			duties[i]->paid_late(round_id, at);
}

void
casino_duties_paid_one(int64 round_id, int64 player_id, int64 stake_entry_no, int64 amount, TimestampTz at)
{
	for (int i = 0; i < (int) lengthof(duties); i++)
		if (duties[i]->paid_one != NULL)
			duties[i]->paid_one(round_id, player_id, stake_entry_no, amount, at);
}
