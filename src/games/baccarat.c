/*
 * baccarat.c
 *	  Baccarat: grading the wagers of a round.
 */
#include "games/families.h"

#include "core/baccarat.h"

/* See families.h. */
static void
grade(const RoundState *round, const Outcome *outcome, RoundWagers *wagers)
{
	const OutcomeHand *player = casino_outcome_hand(outcome, "player", 0, 0, 1);
	const OutcomeHand *banker = casino_outcome_hand(outcome, "banker", 0, 0, 1);

	for (int i = 0; i < wagers->count; i++)
		wagers->wagers[i].grade = casino_grade_baccarat(&wagers->wagers[i].bet, &player->cards, &banker->cards);
}

const FamilyRules casino_baccarat_family = {
	"baccarat", NULL, NULL, NULL, NULL, grade, NULL, false
};
