/*
 * blackjack_side.c
 *	  Evaluators of the side bets of blackjack.
 */
#include "core/games/blackjack_hand.h"
#include "core/games/blackjack_side.h"

/* the dealer over 21 with so many cards or more is one line (D4 All Bets Blackjack §26) */
#define BUST_CARDS_MOST		8

/* What three cards have in common. */
typedef struct ThreeCards
{
	bool		suited;			/* all of one suit */
	bool		same_rank;
	bool		in_a_row;		/* of three ranks one after the other */
} ThreeCards;

/*
 * is_row
 *		Do three ranks follow one another?  An ace stands before the 2 or after
 *		the king, not between them (D4 Blackjack §26).
 */
static bool
is_row(int a, int b, int c)
{
	int			low = a < b ? (a < c ? a : c) : (b < c ? b : c);
	int			high = a > b ? (a > c ? a : c) : (b > c ? b : c);
	int			middle = a + b + c - low - high;

	if (middle == low + 1 && high == middle + 1)
		return true;
	return low == CASINO_RANK_2 && middle == CASINO_RANK_3 && high == CASINO_RANK_A;
}

/*
 * look_at
 *		What three cards have in common.
 */
static ThreeCards
look_at(CasinoCard a, CasinoCard b, CasinoCard c)
{
	ThreeCards	three;

	three.suited = casino_card_suit(a) == casino_card_suit(b) &&
		casino_card_suit(b) == casino_card_suit(c);
	three.same_rank = casino_card_rank(a) == casino_card_rank(b) &&
		casino_card_rank(b) == casino_card_rank(c);
	three.in_a_row = is_row(casino_card_rank(a), casino_card_rank(b), casino_card_rank(c));
	return three;
}

/*
 * casino_grade_21_plus_3
 *		Grade of 21+3, best line first (D4 Blackjack §26, §28).
 */
CasinoGrade
casino_grade_21_plus_3(CasinoCard a, CasinoCard b, CasinoCard c)
{
	ThreeCards	three = look_at(a, b, c);

	if (three.same_rank)
		return three.suited ? CASINO_SUITED_TRIPS : CASINO_TRIPS;
	if (three.in_a_row)
		return three.suited ? CASINO_STRAIGHT_FLUSH : CASINO_STRAIGHT_CARDS;
	return three.suited ? CASINO_FLUSH : CASINO_LOSE;
}

/*
 * casino_grade_top3
 *		Grade of Top 3: the three best lines of 21+3 (D4 Blackjack §26, §28).
 */
CasinoGrade
casino_grade_top3(CasinoCard a, CasinoCard b, CasinoCard c)
{
	CasinoGrade grade = casino_grade_21_plus_3(a, b, c);

	return grade == CASINO_STRAIGHT_CARDS || grade == CASINO_FLUSH ? CASINO_LOSE : grade;
}

/*
 * can_total
 *		Can the cards be read as that total, each ace as 1 or 11?
 */
static bool
can_total(CasinoCard a, CasinoCard b, CasinoCard c, int total)
{
	int			aces = (casino_blackjack_is_ace(a) ? 1 : 0) + (casino_blackjack_is_ace(b) ? 1 : 0) +
	(casino_blackjack_is_ace(c) ? 1 : 0);
	int			sum = casino_blackjack_card_value(a) + casino_blackjack_card_value(b) +
	casino_blackjack_card_value(c);

	return total >= sum && (total - sum) % 10 == 0 && (total - sum) / 10 <= aces;
}

/*
 * grade_total
 *		The lines of a total 19 to 21 that Lucky Lucky and Hot 3 share; aces are
 *		read as pays best (R3.48).
 */
static CasinoGrade
grade_total(CasinoCard a, CasinoCard b, CasinoCard c)
{
	if (can_total(a, b, c, 21))
		return look_at(a, b, c).suited ? CASINO_SUITED_21 : CASINO_TOTAL_21;
	if (can_total(a, b, c, 20))
		return CASINO_TOTAL_20;
	return can_total(a, b, c, 19) ? CASINO_TOTAL_19 : CASINO_LOSE;
}

/*
 * is_777
 *		Three sevens?
 */
static bool
is_777(CasinoCard a, CasinoCard b, CasinoCard c)
{
	return look_at(a, b, c).same_rank && casino_card_rank(a) == CASINO_RANK_7;
}

/*
 * is_678
 *		A six, a seven and an eight, in any order?
 */
static bool
is_678(CasinoCard a, CasinoCard b, CasinoCard c)
{
	return look_at(a, b, c).in_a_row &&
		casino_card_rank(a) + casino_card_rank(b) + casino_card_rank(c) == 3 * CASINO_RANK_7;
}

/*
 * casino_grade_lucky_lucky
 *		Grade of Lucky Lucky, best line first (D4 All Bets Blackjack §24, §26).
 */
CasinoGrade
casino_grade_lucky_lucky(CasinoCard a, CasinoCard b, CasinoCard c)
{
	bool		suited = look_at(a, b, c).suited;

	if (is_777(a, b, c))
		return suited ? CASINO_SUITED_777 : CASINO_777;
	if (is_678(a, b, c))
		return suited ? CASINO_SUITED_678 : CASINO_678;
	return grade_total(a, b, c);
}

/*
 * casino_grade_hot3
 *		Grade of Hot 3, best line first; three sevens of one suit too are only
 *		7-7-7 (D4 Infinite Blackjack §26, §28).
 */
CasinoGrade
casino_grade_hot3(CasinoCard a, CasinoCard b, CasinoCard c)
{
	return is_777(a, b, c) ? CASINO_777 : grade_total(a, b, c);
}

/*
 * casino_grade_pair
 *		Grade of a pair of one rank: of one suit, of one colour, red and black
 *		(D4 Blackjack §26).
 */
CasinoGrade
casino_grade_pair(CasinoCard a, CasinoCard b)
{
	bool		red_a = casino_card_suit(a) == CASINO_SUIT_DIAMONDS ||
	casino_card_suit(a) == CASINO_SUIT_HEARTS;
	bool		red_b = casino_card_suit(b) == CASINO_SUIT_DIAMONDS ||
	casino_card_suit(b) == CASINO_SUIT_HEARTS;

	if (casino_card_rank(a) != casino_card_rank(b))
		return CASINO_LOSE;
	if (a == b)
		return CASINO_SUITED_PAIR;
	return red_a == red_b ? CASINO_COLOURED_PAIR : CASINO_MIXED_PAIR;
}

/*
 * grade_bust
 *		Line of a dealer over 21 with so many cards; he needs three at least.
 */
static CasinoGrade
grade_bust(int total, int cards)
{
	if (total <= CASINO_BLACKJACK_BEST || cards < 3)
		return CASINO_LOSE;
	return (CasinoGrade) (CASINO_BUST_3 + (cards < BUST_CARDS_MOST ? cards : BUST_CARDS_MOST) - 3);
}

/*
 * casino_grade_buster
 *		Grade of Buster Blackjack: with seven cards and more a blackjack of the
 *		player has lines of its own (D4 All Bets Blackjack §24, §26).
 */
CasinoGrade
casino_grade_buster(int total, int cards, bool player_blackjack)
{
	CasinoGrade grade = grade_bust(total, cards);

	if (player_blackjack && grade == CASINO_BUST_7)
		return CASINO_BUST_7_BLACKJACK;
	if (player_blackjack && grade == CASINO_BUST_8)
		return CASINO_BUST_8_BLACKJACK;
	return grade;
}

/*
 * casino_grade_bust_it
 *		Grade of Bust It; a player with a blackjack gets his stake back,
 *		whatever the dealer does (D4 Infinite Blackjack §26, §28).
 */
CasinoGrade
casino_grade_bust_it(int total, int cards, bool player_blackjack)
{
	return player_blackjack ? CASINO_PUSH : grade_bust(total, cards);
}
