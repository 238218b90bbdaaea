/*
 * count_blackjack.c
 *	  Side bets and insurance of blackjack over all deals of the plan's decks.
 */
#include <string.h>

#include "core/games/blackjack_dealer.h"
#include "core/games/blackjack_side.h"
#include "core/returns/count_blackjack.h"

#define PUSH22_TOTAL	22

/* ways[grade] of one bet */
typedef struct GradeWays
{
	CasinoBig	ways[CASINO_GRADE_END];
} GradeWays;

static void
add_ways(GradeWays *sums, CasinoGrade grade, CasinoBig ways)
{
	sums->ways[grade] = casino_big_add(sums->ways[grade], ways);
}

/* The best lines have the later grades but for pairs and busts; the order of rows means nothing. */
static void
emit_grades(const GradeWays *sums, CasinoBig of, CasinoCountSink sink, void *context)
{
	int			grade;

	for (grade = CASINO_GRADE_NONE + 1; grade < CASINO_GRADE_END; grade++)
		casino_count_emit(sink, context, "", (CasinoGrade) grade, sums->ways[grade], of);
}

static int64_t
choose(int64_t n, int k)
{
	int64_t		ways = 1;
	int			i;

	for (i = 0; i < k; i++)
		ways = ways * (n - i) / (i + 1);
	return ways;
}

/* ---------- the first cards ---------- */

static CasinoGrade
grade_three(int kind, CasinoCard a, CasinoCard b, CasinoCard c)
{
	switch (kind)
	{
		case CASINO_21_PLUS_3:
			return casino_grade_21_plus_3(a, b, c);
		case CASINO_TOP3:
			return casino_grade_top3(a, b, c);
		case CASINO_LUCKY_LUCKY:
			return casino_grade_lucky_lucky(a, b, c);
		default:
			return casino_grade_hot3(a, b, c);
	}
}

/* How many hands of three have these cards, a <= b <= c? */
static int64_t
three_ways(int a, int b, int c, int decks)
{
	if (a == c)
		return choose(decks, 3);
	if (a == b || b == c)
		return choose(decks, 2) * decks;
	return (int64_t) decks * decks * decks;
}

static void
count_three(int kind, int decks, CasinoCountSink sink, void *context)
{
	GradeWays	sums = {{{{0}}}};
	int64_t		ways[CASINO_GRADE_END] = {0};
	int			a;
	int			b;
	int			c;

	for (c = 0; c < CASINO_CARDS_IN_DECK; c++)
		for (b = 0; b <= c; b++)
			for (a = 0; a <= b; a++)
				ways[grade_three(kind, (CasinoCard) a, (CasinoCard) b, (CasinoCard) c)] += three_ways(a, b,
																									  c, decks);
	for (a = 0; a < CASINO_GRADE_END; a++)
		sums.ways[a] = casino_big(ways[a]);
	emit_grades(&sums, casino_big(choose(52 * (int64_t) decks, 3)), sink, context);
}

static void
count_two(int decks, CasinoCountSink sink, void *context)
{
	GradeWays	sums = {{{{0}}}};
	int			a;
	int			b;

	for (b = 0; b < CASINO_CARDS_IN_DECK; b++)
		for (a = 0; a <= b; a++)
			add_ways(&sums, casino_grade_pair((CasinoCard) a, (CasinoCard) b),
					 casino_big(a == b ? choose(decks, 2) : (int64_t) decks * decks));
	emit_grades(&sums, casino_big(choose(52 * (int64_t) decks, 2)), sink, context);
}

/* ---------- the dealer's hand ---------- */

/* Cards left by value, aces 1. */
typedef struct Shoe
{
	int			left[11];
	int			all;
} Shoe;

static CasinoWide
in_order(int64_t cards, int count)
{
	CasinoWide	ways = 1;
	int			i;

	for (i = 0; i < count; i++)
		ways *= (CasinoWide) (cards - i);
	return ways;
}

/* All continuations of a hand that came about in that many ways. */
static void
deal_on(Shoe *shoe, CasinoHand *hand, CasinoWide ways, CasinoDealerWays *dealer)
{
	int			total = casino_blackjack_total(hand);
	int			value;

	if (hand->count >= 2 && !casino_blackjack_dealer_may_draw(total))
	{
		dealer->ways[total][hand->count] += ways * in_order(shoe->all,
															CASINO_COUNT_DEALER_CARDS - hand->count);
		return;
	}
	for (value = 1; value <= 10; value++)
	{
		CasinoWide	more = ways * (CasinoWide) shoe->left[value];

		if (more == 0)
			continue;
		shoe->left[value]--;
		shoe->all--;
		hand->cards[hand->count++] = casino_card_make(value == 1 ? CASINO_RANK_A : value - 2, 0);
		deal_on(shoe, hand, more, dealer);
		hand->count--;
		shoe->left[value]++;
		shoe->all++;
	}
}

/*
 * casino_count_dealer
 *		The dealer's whole hands by total and number of cards.  Where the plan
 *		leaves it open whether he draws on 16, he does.
 */
void
casino_count_dealer(int decks, bool without_blackjack, CasinoDealerWays *dealer)
{
	CasinoHand	hand = {0, {0}};
	Shoe		shoe = {{0}, 52 * decks};
	int			value;

	for (value = 1; value <= 10; value++)
		shoe.left[value] = (value == 10 ? 16 : 4) * decks;
	if (without_blackjack)
	{
		shoe.left[1]--;
		shoe.left[10]--;
		shoe.all -= 2;
	}
	memset(dealer, 0, sizeof(*dealer));
	dealer->all = in_order(shoe.all, CASINO_COUNT_DEALER_CARDS);
	deal_on(&shoe, &hand, 1, dealer);
}

static void
count_push22(int decks, CasinoCountSink sink, void *context)
{
	GradeWays	sums = {{{{0}}}};
	CasinoDealerWays dealer;
	int			total;
	int			cards;

	casino_count_dealer(decks, false, &dealer);
	for (total = 0; total <= CASINO_COUNT_DEALER_TOTAL; total++)
		for (cards = 0; cards <= CASINO_COUNT_DEALER_CARDS; cards++)
			add_ways(&sums, total == PUSH22_TOTAL ? CASINO_WIN : CASINO_LOSE,
					 casino_big_wide(dealer.ways[total][cards]));
	emit_grades(&sums, casino_big_wide(dealer.all), sink, context);
}

/*
 * count_busts
 *		Buster and Bust It: out of two cards of the player, in any order, and
 *		twelve of the dealer.  The dealer's hands beside a player's blackjack are
 *		those of a shoe without it; the others are all hands less those.
 */
static void
count_busts(int kind, int decks, CasinoCountSink sink, void *context)
{
	CasinoGrade (*grade) (int total, int cards, bool player_blackjack) =
	kind == CASINO_BUSTER ? casino_grade_buster : casino_grade_bust_it;
	CasinoBig	blackjacks = casino_big((int64_t) (4 * decks) * (16 * decks));
	CasinoBig	others_cards = casino_big(choose(52 * (int64_t) decks - CASINO_COUNT_DEALER_CARDS, 2));
	GradeWays	sums = {{{{0}}}};
	CasinoDealerWays dealer;
	CasinoDealerWays beside;
	int			total;
	int			cards;

	casino_count_dealer(decks, false, &dealer);
	casino_count_dealer(decks, true, &beside);
	for (total = 0; total <= CASINO_COUNT_DEALER_TOTAL; total++)
	{
		for (cards = 0; cards <= CASINO_COUNT_DEALER_CARDS; cards++)
		{
			CasinoBig	all = casino_big_multiply(casino_big_wide(dealer.ways[total][cards]), others_cards);
			CasinoBig	with = casino_big_multiply(casino_big_wide(beside.ways[total][cards]), blackjacks);

			add_ways(&sums, grade(total, cards, true), with);
			add_ways(&sums, grade(total, cards, false), casino_big_subtract(all, with));
		}
	}
	emit_grades(&sums, casino_big_multiply(casino_big_wide(dealer.all), others_cards), sink, context);
}

/* ---------- insurance ---------- */

static void
emit_insurance(const char *selection, int64_t ways, int64_t of, CasinoCountSink sink, void *context)
{
	casino_count_emit(sink, context, selection, CASINO_WIN, casino_big(ways), casino_big(of));
	casino_count_emit(sink, context, selection, CASINO_LOSE, casino_big(of - ways), casino_big(of));
}

/*
 * count_insurance
 *		The dealer shows an ace: has he a ten beside it?  Of all hands, of those
 *		who have a blackjack themselves, and of the others, whose share of hands
 *		is that of all less the former; out of the dealer's second card and two
 *		of the player's.
 */
static void
count_insurance(const CasinoBlackjackRules *rules, CasinoCountSink sink, void *context)
{
	int64_t		aces = 4 * rules->decks - 1;
	int64_t		tens = 16 * rules->decks;
	int64_t		cards = 52 * rules->decks - 1;
	int64_t		two = choose(cards - 1, 2);

	if (rules->insurance_own_blackjack)
	{
		emit_insurance("", tens, cards, sink, context);
		emit_insurance("own_blackjack", tens - 1, cards - 2, sink, context);
	}
	emit_insurance("no_blackjack", tens * two - aces * tens * (tens - 1),
				   cards * two - aces * tens * (cards - 2), sink, context);
}

/*
 * casino_count_blackjack
 *		Rows of a side bet or of insurance.
 */
bool
casino_count_blackjack(int kind, const CasinoBlackjackRules *rules, CasinoCountSink sink, void *context)
{
	switch (kind)
	{
		case CASINO_21_PLUS_3:
		case CASINO_TOP3:
		case CASINO_LUCKY_LUCKY:
		case CASINO_HOT3:
			count_three(kind, rules->decks, sink, context);
			return true;
		case CASINO_PLAYER_PAIR:
		case CASINO_DEALER_PAIR:
			count_two(rules->decks, sink, context);
			return true;
		case CASINO_PUSH22:
			count_push22(rules->decks, sink, context);
			return true;
		case CASINO_BUSTER:
		case CASINO_BUST_IT:
			count_busts(kind, rules->decks, sink, context);
			return true;
		case CASINO_INSURANCE:
			count_insurance(rules, sink, context);
			return true;
		default:
			return false;
	}
}
