/*
 * blackjack_marks.c
 *	  The wagers of one player on one box as bits: see blackjack_marks.h.
 */
#include "games/blackjack_marks.h"

#include "core/bet.h"
#include "core/games/blackjack_grade.h"

int64
casino_blackjack_mark(int kind, int hand)
{
	int			shift = (hand - 1) * MARKS_PER_HAND;

	if (hand < 1 || hand > MARK_HANDS)
		return 0;
	switch (kind)
	{
		case CASINO_DOUBLE_DOWN:
			return (int64) MARK_DOUBLED << shift;
		case CASINO_FREE_DOUBLE:
			return (int64) MARK_DOUBLED_FREE << shift;
		case CASINO_SPLIT_PAIR:
			return (int64) MARK_SPLIT << shift;
		case CASINO_FREE_SPLIT:
			return (int64) MARK_SPLIT_FREE << shift;
		case CASINO_MAIN:
			return MARK_MAIN;
		case CASINO_BEHIND:
			return MARK_BEHIND;
		case CASINO_INSURANCE:
			return MARK_INSURANCE;
		default:
			return casino_blackjack_side_mark(kind);
	}
}

int64
casino_blackjack_side_mark(int kind)
{
	static const int kinds[] = {CASINO_21_PLUS_3, CASINO_TOP3, CASINO_PLAYER_PAIR, CASINO_DEALER_PAIR,
	CASINO_LUCKY_LUCKY, CASINO_BUSTER, CASINO_BUST_IT, CASINO_HOT3, CASINO_PUSH22};

	for (int i = 0; i < (int) lengthof(kinds); i++)
		if (kinds[i] == kind)
			return MARK_FIRST_SIDE_BET << i;
	return 0;
}

unsigned
casino_blackjack_wager_flags(int64 marks, int hand, bool surrendered, bool even_money)
{
	unsigned	flags = 0;

	if (marks >> ((hand - 1) * MARKS_PER_HAND) & MARK_DOUBLED)
		flags |= CASINO_WAGER_DOUBLED;
	if (surrendered)
		flags |= CASINO_WAGER_SURRENDERED;
	if (even_money)
		flags |= CASINO_WAGER_EVEN_MONEY;
	return flags;
}
