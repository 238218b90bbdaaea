/*
 * baccarat.c
 *	  Baccarat: its outcome {"player": "9h 4d", "banker": "Kc 7s 2d"}, grading,
 *	  counting, and its functions in SQL.
 */
#include "games/families.h"

#include "fmgr.h"

#include "casino.h"
#include "core/games/baccarat.h"
#include "core/returns/count_baccarat.h"
#include "games/outcome_json.h"
#include "state/round.h"

/* Both sides; cards as they fall may end anywhere. */
static void
read_outcome(const Jsonb *document, bool partial, Outcome *outcome)
{
	static const char *const sides[] = {"player", "banker"};
	JsonbParseState *state = NULL;

	casino_outcome_check_members(&document->root, sides, lengthof(sides));
	outcome->nhands = lengthof(sides);
	outcome->hands = palloc0(sizeof(OutcomeHand) * lengthof(sides));
	pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
	for (int i = 0; i < (int) lengthof(sides); i++)
	{
		OutcomeHand *hand = &outcome->hands[i];

		hand->side = sides[i];
		hand->hand = 1;
		casino_outcome_read_hand(&document->root, sides[i], &hand->cards);
		casino_outcome_push_hand(&state, sides[i], &hand->cards);
	}
	outcome->canonical = JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_OBJECT, NULL));
}

/* D4 Baccarat §9 */
static void
check_outcome(const Outcome *outcome, const PlanRuleSet *rules)
{
	CasinoError error;

	if (!casino_baccarat_check(&outcome->hands[0].cards, &outcome->hands[1].cards,
							   casino_rules_number(rules, "decks"), &error))
		casino_ereport(&error, "illegal outcome");
}

/* Decks of a plan; 0 while it does not say. */
static int
decks_of(const PlanRuleSet *rules)
{
	return casino_rules_text(rules, "decks") == NULL ? 0 : casino_rules_number(rules, "decks");
}

/* See families.h. */
static void
count(int kind, const char *name, const PlanRuleSet *rules, const CasinoOdds *odds, CasinoCountSink sink,
	  void *context)
{
	(void) casino_count_baccarat(kind, decks_of(rules), sink, context);
}

/* See families.h. */
static void
best_round(const PlanRuleSet *rules, const CasinoOdds *odds, const CasinoStakes *stakes,
		   CasinoBestRound *best)
{
	casino_best_baccarat(decks_of(rules), odds, stakes, best);
}

/* Side bets stand alone. */
const FamilyRules casino_baccarat_family = {
	.plan = &casino_baccarat_plan,
	.read_outcome = read_outcome,
	.check_outcome = check_outcome,
	.count = count,
	.best_round = best_round
};

/* grade_baccarat(bet, player, banker) */
PG_FUNCTION_INFO_V1(casino_sql_grade_baccarat);
Datum
casino_sql_grade_baccarat(PG_FUNCTION_ARGS)
{
	const CasinoBet *bet = PG_GETARG_BET(0);
	CasinoHand	player;
	CasinoHand	banker;

	PG_GETARG_HAND(1, &player);
	PG_GETARG_HAND(2, &banker);
	if (player.count < 2 || player.count > 3 || banker.count < 2 || banker.count > 3)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a baccarat hand has two or three cards")));
	return casino_grade_datum(casino_grade_baccarat(bet, &player, &banker), bet, &casino_baccarat_family);
}

/* baccarat_points(hand) */
PG_FUNCTION_INFO_V1(casino_sql_baccarat_points);
Datum
casino_sql_baccarat_points(PG_FUNCTION_ARGS)
{
	CasinoHand	hand;

	PG_GETARG_HAND(0, &hand);
	PG_RETURN_INT32(casino_baccarat_points(&hand));
}
