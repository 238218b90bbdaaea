/*
 * casino_holdem_outcome.c
 *	  Casino Hold'em: {"player": "As Ks", "board": "Qs Js Ts 2d 3c", "dealer": "4h 4d"}
 */
#include "games/outcome.h"

#include "casino.h"
#include "core/casino_holdem.h"
#include "games/outcome_json.h"

/* Player, board, dealer, in that order; as the cards fall, those not seen are left out. */
static void
read_holdem(const Jsonb *document, bool partial, Outcome *outcome)
{
	static const char *const sides[] = {"player", "board", "dealer"};
	JsonbParseState *state = NULL;
	JsonbValue	buffer;

	casino_outcome_check_members(&document->root, sides, lengthof(sides));
	outcome->nhands = lengthof(sides);
	outcome->hands = palloc0(sizeof(OutcomeHand) * lengthof(sides));
	pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
	for (int i = 0; i < (int) lengthof(sides); i++)
	{
		OutcomeHand *hand = &outcome->hands[i];

		hand->side = sides[i];
		hand->hand = 1;
		if (!partial || casino_outcome_member(&document->root, sides[i], &buffer) != NULL)
			casino_outcome_read_hand(&document->root, sides[i], &hand->cards);
		casino_outcome_push_hand(&state, sides[i], &hand->cards);
	}
	outcome->canonical = JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_OBJECT, NULL));
}

/* D4 Casino Hold'em §5, §7; whether somebody called, and five board cards are needed, the ledger knows. */
static void
check_holdem(const Outcome *outcome, const Jsonb *rules)
{
	CasinoError error;

	if (!casino_holdem_check(&outcome->hands[0].cards, &outcome->hands[1].cards,
							 &outcome->hands[2].cards, false, &error))
		casino_ereport(&error, "illegal outcome");
}

const OutcomeFamily casino_outcome_casino_holdem = {"casino_holdem", read_holdem, check_holdem};
