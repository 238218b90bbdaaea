/*
 * blackjack_settle.c
 *	  Blackjack: grading the wagers of a round.
 *
 * A player's wagers on one seat are graded together: what each gets depends on
 * the others, which are its marks (blackjack_marks.h).
 */
#include "games/blackjack_table.h"

#include "core/blackjack_grade.h"
#include "games/blackjack_marks.h"
#include "state/round.h"

/* Grade the wagers from first to before next that lie on that seat. */
static void
grade_box(const CasinoBlackjackRules *rules, const BlackjackTable *table, RoundWager *wagers, int first, int next,
		  int seat)
{
	const BlackjackGroup *group = casino_blackjack_group_of(table, seat, wagers[first].player_id);
	CasinoBlackjackWager at = {.rules = rules, .dealer = &table->dealer};
	bool		surrendered = false;
	bool		even_money;
	int64		marks = 0;

	if (group == NULL)
		elog(ERROR, "player " INT64_FORMAT " has a stake but no cards", wagers[first].player_id);
	for (int h = 0; h < group->nhands; h++)
		surrendered = surrendered || group->hands[h].surrendered;
	even_money = casino_blackjack_takes_even_money(group, wagers[first].player_id);
	at.first = &group->hands[0].cards;
	at.second = group->nhands > 1 ? &group->hands[1].cards : NULL;
	for (int i = first; i < next; i++)
		if (wagers[i].seat == seat)
			marks |= casino_blackjack_mark(wagers[i].bet.kind, Max(wagers[i].hand, 1));
	for (int i = first; i < next; i++)
	{
		int			hand = Max(wagers[i].hand, 1);

		if (wagers[i].seat != seat)
			continue;
		if (hand > group->nhands)
			elog(ERROR, "hand %d of %d hands has no cards", hand, group->nhands);
		at.own = &group->hands[hand - 1].cards;
		at.flags = casino_blackjack_wager_flags(marks, hand, surrendered, even_money);
		wagers[i].grade = casino_grade_blackjack(wagers[i].bet.kind, &at);
	}
}

/* See FamilyRules.grade. */
void
casino_blackjack_grade_round(const RoundState *round, const Outcome *outcome, RoundWagers *wagers)
{
	CasinoBlackjackRules rules;
	CasinoBlackjackSources sources;
	const BlackjackTable *table = casino_blackjack_table_of(outcome);

	casino_blackjack_plan_load(round->plan_id, &rules, &sources);
	for (int first = 0, next; first < wagers->count; first = next)
	{
		next = casino_round_wagers_next_player(wagers, first);
		for (int i = first; i < next; i++)
			if (wagers->wagers[i].grade == CASINO_GRADE_NONE)
				grade_box(&rules, table, wagers->wagers, first, next, wagers->wagers[i].seat);
	}
}
