/*
 * plan_grades.c
 *	  The kinds of bet of a family, and the grades that each can have.
 *
 * test/unit/plan.c holds this against what the grading functions give.
 */
#include "plan_grades.h"

#include <string.h>

#define BIT(grade)		CASINO_GRADE_BIT(CASINO_##grade)
#define BETWEEN(a, b)	((BIT(b) << 1) - BIT(a))	/* grades a to b in the order of the enum */

#define WIN_OR_PUSH		(BIT(WIN) | BIT(PUSH))

/* a doubled hand has three cards and no more */
#define DOUBLED_CARDS	3

/* cards of one rank and suit that a pair and three of a kind need */
#define PAIR_DECKS		2
#define TRIPS_DECKS		3

/*
 * baccarat_grades
 *		Grades of a kind of baccarat (D4 Baccarat §21 to §23).
 */
static CasinoGrades
baccarat_grades(int kind)
{
	switch (kind)
	{
		case CASINO_PLAYER:
		case CASINO_BANKER:
			return WIN_OR_PUSH;
		case CASINO_EGALITE:
			return BETWEEN(TIE_0, TIE_9);
		case CASINO_TIE:
		case CASINO_BIG:
		case CASINO_SMALL:
		case CASINO_PLAYER_PAIR:
		case CASINO_BANKER_PAIR:
		case CASINO_ANY_PAIR:
		case CASINO_PERFECT_PAIR:
			return BIT(WIN);
		default:
			return 0;
	}
}

/*
 * casino_holdem_grades
 *		Grades of a kind of Casino Hold'em (D4 Casino Hold'em §13 to §18).
 */
static CasinoGrades
casino_holdem_grades(int kind)
{
	CasinoGrades by_hand = BIT(ROYAL_FLUSH) | BIT(STRAIGHT_FLUSH) | BIT(FOUR_OF_A_KIND) |
		BIT(FULL_HOUSE) | BIT(FLUSH);

	switch (kind)
	{
		case CASINO_ANTE:
			return by_hand | WIN_OR_PUSH;
		case CASINO_CALL:
			return WIN_OR_PUSH;
		case CASINO_AA:
			return by_hand | BIT(PAIR_OF_ACES);
		case CASINO_RAZZ:
			return BETWEEN(WHEEL_SUITED, JACK);
		default:
			return 0;
	}
}

/*
 * doubled_is_charlie
 *		Is every doubled hand that is not over 21 a Charlie?
 */
static bool
doubled_is_charlie(const CasinoBlackjackRules *rules)
{
	return rules->charlie_cards > 0 && rules->charlie_cards <= DOUBLED_CARDS;
}

/*
 * blackjack_play_grades
 *		Grades of a wager on the hand itself (R1.5).
 */
static CasinoGrades
blackjack_play_grades(int kind, const CasinoBlackjackRules *rules)
{
	CasinoGrades grades = 0;
	bool		original = kind == CASINO_MAIN || kind == CASINO_BEHIND;
	bool		splits = rules == NULL || rules->max_hands > 1;
	bool		doubles_split = splits && (rules == NULL || rules->double_after_split);
	int			charlie = rules == NULL ? DOUBLED_CARDS : rules->charlie_cards;
	bool		always_charlie = rules != NULL && doubled_is_charlie(rules);

	if (kind == CASINO_SPLIT_PAIR && !splits)
		return 0;
	if (kind == CASINO_BEHIND && rules != NULL && rules->behind == CASINO_BEHIND_NONE)
		return 0;
	if (kind != CASINO_DOUBLE_DOWN || !always_charlie)
		grades |= WIN_OR_PUSH;
	if (original)
		grades |= BIT(BLACKJACK);
	if (original && (rules == NULL || rules->even_money != CASINO_EVEN_MONEY_NONE))
		grades |= BIT(EVEN_MONEY);
	if (original && (rules == NULL || rules->surrender != CASINO_SURRENDER_NONE))
		grades |= BIT(SURRENDER);
	if (charlie > 0 && (kind != CASINO_DOUBLE_DOWN || charlie <= DOUBLED_CARDS))
		grades |= BIT(CHARLIE);
	if ((rules == NULL || rules->doubled_returned_on_ten_ace) && !always_charlie && (kind != CASINO_SPLIT_PAIR || doubles_split))
		grades |= BIT(RETURNED);
	return grades;
}

/*
 * blackjack_side_grades
 *		Grades of a side bet: with fewer decks no two or three
 *		cards are the same.
 */
static CasinoGrades
blackjack_side_grades(int kind, const CasinoBlackjackRules *rules)
{
	int			decks = rules == NULL ? TRIPS_DECKS : rules->decks;
	CasinoGrades grades = 0;

	switch (kind)
	{
		case CASINO_21_PLUS_3:
			grades = BETWEEN(SUITED_TRIPS, FLUSH);
			break;
		case CASINO_TOP3:
			grades = BETWEEN(SUITED_TRIPS, TRIPS);
			break;
		case CASINO_PLAYER_PAIR:
		case CASINO_DEALER_PAIR:
			grades = BETWEEN(SUITED_PAIR, MIXED_PAIR);
			break;
		case CASINO_LUCKY_LUCKY:
			grades = BETWEEN(SUITED_777, TOTAL_19);
			break;
		case CASINO_HOT3:
			grades = BIT(777) | BETWEEN(SUITED_21, TOTAL_19);
			break;
		case CASINO_BUSTER:
			grades = BETWEEN(BUST_3, BUST_8_BLACKJACK);
			break;
		case CASINO_BUST_IT:
			grades = BETWEEN(BUST_3, BUST_8) | BIT(PUSH);
			break;
		case CASINO_PUSH22:
			grades = BIT(WIN);
			break;
		default:
			break;
	}
	if (decks < PAIR_DECKS)
		grades &= ~BIT(SUITED_PAIR);
	if (decks < TRIPS_DECKS)
		grades &= ~(BIT(SUITED_TRIPS) | BIT(SUITED_777));
	return grades;
}

/*
 * blackjack_grades
 *		Grades of a kind of blackjack.
 */
static CasinoGrades
blackjack_grades(int kind, const CasinoBlackjackRules *rules)
{
	switch (kind)
	{
		case CASINO_MAIN:
		case CASINO_BEHIND:
		case CASINO_DOUBLE_DOWN:
		case CASINO_SPLIT_PAIR:
			return blackjack_play_grades(kind, rules);
		case CASINO_FREE_SPLIT:
			if (rules != NULL && (rules->max_hands < 2 || rules->free_split_on == CASINO_FREE_SPLIT_NONE))
				return 0;
			return WIN_OR_PUSH;
		case CASINO_FREE_DOUBLE:
			if (rules != NULL && rules->free_double_on == CASINO_FREE_DOUBLE_NONE)
				return 0;
			return rules != NULL && doubled_is_charlie(rules) ? BIT(WIN) : WIN_OR_PUSH;
		case CASINO_INSURANCE:
			return BIT(WIN) | BIT(RETURNED);
		default:
			return blackjack_side_grades(kind, rules);
	}
}

/*
 * casino_plan_grades
 *		Grades other than "lose" that a wager of the kind can have.
 */
CasinoGrades
casino_plan_grades(CasinoFamily family, int kind, const CasinoBlackjackRules *rules)
{
	switch (family)
	{
		case CASINO_FAMILY_ROULETTE:
			return kind >= CASINO_STRAIGHT && kind <= CASINO_HIGH ? BIT(WIN) : 0;
		case CASINO_FAMILY_BACCARAT:
			return baccarat_grades(kind);
		case CASINO_FAMILY_BLACKJACK:
			return blackjack_grades(kind, rules);
		case CASINO_FAMILY_CASINO_HOLDEM:
			return casino_holdem_grades(kind);
		default:
			return 0;
	}
}

/*
 * casino_plan_has_kind
 *		Is the kind bet in games of the family?
 */
bool
casino_plan_has_kind(CasinoFamily family, int kind)
{
	return casino_plan_grades(family, kind, NULL) != 0 ||
		(family == CASINO_FAMILY_TEXAS_HOLDEM && kind == CASINO_POT);
}

/*
 * casino_grade_lookup
 *		Grade of a name, CASINO_GRADE_NONE when there is none.
 */
CasinoGrade
casino_grade_lookup(const char *name)
{
	int			grade;

	for (grade = CASINO_LOSE; grade < CASINO_GRADE_END; grade++)
	{
		if (strcmp(casino_grade_name((CasinoGrade) grade), name) == 0)
			return (CasinoGrade) grade;
	}
	return CASINO_GRADE_NONE;
}
