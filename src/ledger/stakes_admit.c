/*
 * stakes_admit.c
 *	  The one recipe of stakes: see stakes.h.
 */
#include "ledger/stakes.h"

#include "core/money.h"
#include "duties/duties.h"
#include "ledger/deal.h"
#include "ledger/stake_rules.h"
#include "server/event_time.h"
#include "state/player.h"
#include "state/round.h"
#include "state/wagers.h"

/* haléře these take from the wallet; 22003 on overflow */
static int64
cost_of(const Wager *wagers, int n)
{
	int64		cost = 0;

	for (int i = 0; i < n; i++)
		if (!casino_money_add(cost, casino_wager_cost(&wagers[i].bet), &cost))
			ereport(ERROR, (errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
							errmsg("sum of the stakes is out of range")));
	return cost;
}

int64
casino_stakes_admit(PlayerState *player, int64 round_id, const Wager *added, int nadded, EventTime *time)
{
	RoundState	round;
	Wager	   *placed;
	int			nplaced;
	int64		cost;

	/* who may not bet at all is told so whatever he sent, and before anything of the round is looked at */
	casino_round_load(round_id, &round);
	casino_duties_check_admitted(player, time->at);
	casino_round_check_time(&round, time, round.opened_at, "opened");
	casino_round_check_over(&round, time->at);

	/* the rules of the game, with what he has there already */
	nplaced = casino_wagers_load_bets(round_id, player->player_id, &placed);
	casino_stake_check(&round, player, placed, nplaced, added, nadded);
	if (round.status == ROUND_CLOSED)
	{
		casino_round_check_time(&round, time, round.betting_closed_at, "closed");
		/* by its record it comes after the cards that lie there */
		time->recorded_from = casino_deal_last_recorded_at(round_id);
	}

	/* last, as it notes the stake in his state */
	cost = cost_of(added, nadded);
	casino_duties_check_stake(player, &round, nplaced > 0, cost, time);
	/* the duties may have moved a time that was not given */
	casino_round_check_over(&round, time->at);
	return cost;
}
