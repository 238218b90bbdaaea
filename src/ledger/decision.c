/*
 * decision.c
 *	  Decisions of a player that stake nothing: would deal() take them now?
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"

#include "casino.h"
#include "games/families.h"
#include "ledger/deal.h"
#include "ledger/stake_rules.h"
#include "server/refusal.h"
#include "server/run_as_owner.h"

/*
 * check_decision(round_id, player_id, decision, seat): KB001, KB004, KB005, or
 * KR001 of the cards with the decision marked in them.  Nothing is kept.
 */
PG_FUNCTION_INFO_V1(casino_sql_check_decision);
Datum
casino_sql_check_decision(PG_FUNCTION_ARGS)
{
	int64		round_id;
	int64		player_id;
	char	   *decision;
	int			seat = PG_ARGISNULL(3) ? 0 : PG_GETARG_INT32(3);
	const FamilyRules *family;
	RunAsOwner	as_owner;
	RoundState	round;
	RoundWagers wagers;
	Outcome		outcome;

	casino_require_argument(fcinfo, 0, "round_id");
	casino_require_argument(fcinfo, 1, "player_id");
	casino_require_argument(fcinfo, 2, "decision");
	round_id = PG_GETARG_INT64(0);
	player_id = PG_GETARG_INT64(1);
	decision = text_to_cstring(PG_GETARG_TEXT_PP(2));
	casino_as_owner_begin(&as_owner);
	casino_round_lock_shared(round_id);
	casino_round_load(round_id, &round);
	family = casino_family_rules(&round);
	if (family->decide == NULL)
		ereport(ERROR,
				(errrefusal(REFUSAL_NOT_OFFERED, REFUSED_TEXT("game", round.game),
							REFUSED_TEXT("kind", decision)),
				 errmsg("%s does not offer %s", round.game, decision)));
	casino_stake_check_phase(&round, PHASE_PLAY, decision, NULL);
	casino_round_wagers_load(round_id, &wagers);
	family->decide(&round, player_id, seat, decision, &wagers, &outcome);
	casino_deal_check_played(&round, &outcome, &wagers, true);
	casino_as_owner_end(&as_owner);
	PG_RETURN_VOID();
}
