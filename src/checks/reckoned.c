/*
 * reckoned.c
 *	  reckoned_wagers(): payouts of the wagers of a round by another outcome than
 *	  the one that stands with it.
 *
 * The check of limits asks it for results that were corrected later: while they
 * held they decided how much the players had lost (R11.80).
 */
#include "postgres.h"

#include "funcapi.h"

#include "casino.h"
#include "games/families.h"
#include "games/outcome_json.h"
#include "games/round_evaluation.h"
#include "server/run_as_owner.h"
#include "state/round.h"
#include "state/round_wagers.h"

/*
 * reckoned_wagers(round_id, outcome): player, entry and CZK of each wager that
 * an evaluation counted, as a settlement by that outcome would give them.
 */
PG_FUNCTION_INFO_V1(casino_sql_reckoned_wagers);
Datum
casino_sql_reckoned_wagers(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	RunAsOwner	as_owner;
	RoundState	round;
	RoundWagers wagers;
	Outcome		outcome;

	InitMaterializedSRF(fcinfo, 0);
	casino_as_owner_begin(&as_owner);
	casino_round_load(PG_GETARG_INT64(0), &round);
	casino_outcome_read(casino_family_rules(&round), PG_GETARG_JSONB_P(1), false, &outcome);
	casino_round_wagers_load_evaluated(round.round_id, &wagers);
	casino_round_evaluate(&round, &outcome, &wagers);
	for (int i = 0; i < wagers.count; i++)
	{
		const RoundWager *wager = &wagers.wagers[i];
		Datum		values[3] = {Int64GetDatum(wager->player_id), Int64GetDatum(wager->entry_no),
		NumericGetDatum(casino_halere_to_numeric(wager->payout))};
		bool		nulls[3] = {false};

		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	casino_as_owner_end(&as_owner);
	return (Datum) 0;
}
