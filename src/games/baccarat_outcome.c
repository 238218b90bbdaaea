/*
 * baccarat_outcome.c
 *	  {"player": "9h 4d", "banker": "Kc 7s 2d"}
 */
#include "games/outcome.h"

#include "casino.h"
#include "core/baccarat.h"
#include "games/outcome_json.h"

/* Both sides; cards as they fall may end anywhere. */
static void
read_baccarat(const Jsonb *document, bool partial, Outcome *outcome)
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
check_baccarat(const Outcome *outcome, const Jsonb *rules)
{
	CasinoError error;

	if (!casino_baccarat_check(&outcome->hands[0].cards, &outcome->hands[1].cards,
							   casino_rule_number(rules, "decks"), &error))
		casino_ereport(&error, "illegal outcome");
}

const OutcomeFamily casino_outcome_baccarat = {"baccarat", read_baccarat, check_baccarat};
