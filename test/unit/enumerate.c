/*
 * enumerate.c
 *	  Exact enumeration, without replacement, of the blackjack side bets and of
 *	  the dealer's hand.  Prints hits and expected return of every line.
 *
 * The numbers to be met are worked out here by formulas, or were by another
 * program in another way (a walk over multisets of drawn values, in exact
 * fractions).
 */
#include "core/games/blackjack_dealer.h"
#include "core/games/blackjack_side.h"
#include "check.h"

/* ---------- first cards ---------- */

typedef CasinoGrade (*ThreeCardGrade) (CasinoCard a, CasinoCard b, CasinoCard c);

/* One line of a paytable and how many hands should hit it, of 8 and of 6 decks. */
typedef struct Line
{
	CasinoGrade grade;
	int			odds;			/* to 1 */
	int64_t		hits[2];
} Line;

static int64_t hits[CASINO_GRADE_END];

/* Ways to take k cards of n equal ones. */
static int64_t
choose(int64_t n, int k)
{
	int64_t		ways = 1;
	int			i;

	for (i = 0; i < k; i++)
		ways = ways * (n - i) / (i + 1);
	return ways;
}

/* Every hand of three cards, in all six orders of each. */
static void
count_three(ThreeCardGrade grade, int decks)
{
	unsigned	a;
	unsigned	b;
	unsigned	c;

	memset(hits, 0, sizeof(hits));
	for (a = 0; a < 52; a++)
	{
		for (b = 0; b < 52; b++)
		{
			for (c = 0; c < 52; c++)
				hits[grade((CasinoCard) a, (CasinoCard) b, (CasinoCard) c)] += (int64_t) decks *
					(decks - (b == a)) * (decks - (c == a) - (c == b));
		}
	}
	for (a = 0; a < CASINO_GRADE_END; a++)
	{
		CHECK_INT(hits[a] % 6, 0);
		hits[a] /= 6;
	}
}

static void
count_pairs(int decks)
{
	unsigned	a;
	unsigned	b;

	memset(hits, 0, sizeof(hits));
	for (a = 0; a < 52; a++)
	{
		for (b = 0; b < 52; b++)
			hits[casino_grade_pair((CasinoCard) a, (CasinoCard) b)] += (int64_t) decks * (decks - (b == a));
	}
	for (a = 0; a < CASINO_GRADE_END; a++)
		hits[a] /= 2;
}

/* Compare what was counted with the lines, and print it. */
static void
report(const char *name, int decks, const Line *lines, int count, int64_t all)
{
	int64_t		back = 0;
	int64_t		sum = 0;
	int64_t		lost = all;
	int			i;

	printf("%s, %d decks: %" PRId64 " hands\n", name, decks, all);
	for (i = 0; i < count; i++)
	{
		int64_t		got = hits[lines[i].grade];

		printf("  %-16s %4d:1 %10" PRId64 "  %.6f %%\n", casino_grade_name(lines[i].grade), lines[i].odds,
			   got,
			   100.0 * (double) got / (double) all);
		CHECK_INT(got, lines[i].hits[decks == 8 ? 0 : 1]);
		back += got * (lines[i].odds + 1);
		lost -= got;
	}
	CHECK_INT(hits[CASINO_LOSE], lost);
	for (i = 0; i < CASINO_GRADE_END; i++)
		sum += hits[i];
	CHECK_INT(sum, all);
	printf("  return %.6f %%\n", 100.0 * (double) back / (double) all);
}

#define COUNT(lines)	((int) (sizeof(lines) / sizeof((lines)[0])))

static void
enumerate_first_cards(int decks)
{
	int64_t		d = decks;
	int64_t		three = choose(52 * d, 3);
	int64_t		suited_trips = 52 * choose(d, 3);
	int64_t		straight_flush = 12 * 4 * d * d * d;	/* twelve rows, A-2-3 to Q-K-A */
	int64_t		trips = 13 * choose(4 * d, 3) - suited_trips;
	int64_t		straight = 12 * 64 * d * d * d - straight_flush;
	int64_t		flush = 4 * choose(13 * d, 3) - straight_flush - suited_trips;
	Line		plus3[] = {
		{CASINO_SUITED_TRIPS, 100, {suited_trips, suited_trips}},
		{CASINO_STRAIGHT_FLUSH, 40, {straight_flush, straight_flush}},
		{CASINO_TRIPS, 30, {trips, trips}},
		{CASINO_STRAIGHT_CARDS, 10, {straight, straight}},
		{CASINO_FLUSH, 5, {flush, flush}}
	};
	Line		top3[] = {
		{CASINO_SUITED_TRIPS, 270, {suited_trips, suited_trips}},
		{CASINO_STRAIGHT_FLUSH, 180, {straight_flush, straight_flush}},
		{CASINO_TRIPS, 90, {trips, trips}}
	};
	int64_t		suited_777 = 4 * choose(d, 3);
	int64_t		all_777 = choose(4 * d, 3);
	int64_t		suited_678 = 4 * d * d * d;
	int64_t		all_678 = 64 * d * d * d;
	Line		lucky[] = {
		{CASINO_SUITED_777, 200, {suited_777, suited_777}},
		{CASINO_SUITED_678, 100, {suited_678, suited_678}},
		{CASINO_777, 50, {all_777 - suited_777, all_777 - suited_777}},
		{CASINO_678, 25, {all_678 - suited_678, all_678 - suited_678}},
		{CASINO_SUITED_21, 15, {63360, 26568}},
		{CASINO_TOTAL_21, 3, {964224, 406296}},
		{CASINO_TOTAL_20, 2, {896512, 377568}},
		{CASINO_TOTAL_19, 2, {864768, 364320}}
	};
	Line		hot3[] = {
		{CASINO_777, 100, {all_777, all_777}},
		{CASINO_SUITED_21, 20, {65408, 27432}},
		{CASINO_TOTAL_21, 4, {994944, 419256}},
		{CASINO_TOTAL_20, 2, {896512, 377568}},
		{CASINO_TOTAL_19, 1, {864768, 364320}}
	};
	Line		pairs[] = {
		{CASINO_SUITED_PAIR, 25, {52 * choose(d, 2), 52 * choose(d, 2)}},
		{CASINO_COLOURED_PAIR, 12, {26 * d * d, 26 * d * d}},
		{CASINO_MIXED_PAIR, 6, {52 * d * d, 52 * d * d}}
	};

	count_three(casino_grade_21_plus_3, decks);
	report("21+3", decks, plus3, COUNT(plus3), three);
	plus3[2].odds = 25;
	report("21+3 with three of a kind 25:1", decks, plus3, COUNT(plus3), three);
	count_three(casino_grade_top3, decks);
	report("Top 3", decks, top3, COUNT(top3), three);
	count_three(casino_grade_lucky_lucky, decks);
	report("Lucky Lucky", decks, lucky, COUNT(lucky), three);
	count_three(casino_grade_hot3, decks);
	report("Hot 3", decks, hot3, COUNT(hot3), three);
	count_pairs(decks);
	report("pairs", decks, pairs, COUNT(pairs), choose(52 * d, 2));
}

/* The examples of D4, and each line where it borders on another. */
static void
test_lines(void)
{
	static const struct
	{
		const char *cards;
		CasinoGrade plus3;
		CasinoGrade top3;
		CasinoGrade lucky;
		CasinoGrade hot3;
	}			cases[] = {
		{"4h 4h 4h", CASINO_SUITED_TRIPS, CASINO_SUITED_TRIPS, CASINO_LOSE, CASINO_LOSE},
		{"4h 4h 4d", CASINO_TRIPS, CASINO_TRIPS, CASINO_LOSE, CASINO_LOSE},
		{"5h 6h 7h", CASINO_STRAIGHT_FLUSH, CASINO_STRAIGHT_FLUSH, CASINO_LOSE, CASINO_LOSE},
		{"7h 7d 7s", CASINO_TRIPS, CASINO_TRIPS, CASINO_777, CASINO_777},
		{"7h 7h 7h", CASINO_SUITED_TRIPS, CASINO_SUITED_TRIPS, CASINO_SUITED_777, CASINO_777},
		{"7h 8d 9s", CASINO_STRAIGHT_CARDS, CASINO_LOSE, CASINO_LOSE, CASINO_LOSE},
		{"4h 6h 8h", CASINO_FLUSH, CASINO_LOSE, CASINO_LOSE, CASINO_LOSE},
		{"6s 7s 8s", CASINO_STRAIGHT_FLUSH, CASINO_STRAIGHT_FLUSH, CASINO_SUITED_678, CASINO_SUITED_21},
		{"6s 7d 8h", CASINO_STRAIGHT_CARDS, CASINO_LOSE, CASINO_678, CASINO_TOTAL_21},
		{"Ah 2h 3h", CASINO_STRAIGHT_FLUSH, CASINO_STRAIGHT_FLUSH, CASINO_LOSE, CASINO_LOSE},
		{"Qh Kh Ah", CASINO_STRAIGHT_FLUSH, CASINO_STRAIGHT_FLUSH, CASINO_SUITED_21, CASINO_SUITED_21},
		{"Kh Ah 2h", CASINO_FLUSH, CASINO_LOSE, CASINO_LOSE, CASINO_LOSE},
		{"Kh Ac 2h", CASINO_LOSE, CASINO_LOSE, CASINO_LOSE, CASINO_LOSE},
		{"Ac 2h 3h", CASINO_STRAIGHT_CARDS, CASINO_LOSE, CASINO_LOSE, CASINO_LOSE},
		{"Ac Qh Kh", CASINO_STRAIGHT_CARDS, CASINO_LOSE, CASINO_TOTAL_21, CASINO_TOTAL_21},
		{"7c 7d 8h", CASINO_LOSE, CASINO_LOSE, CASINO_LOSE, CASINO_LOSE},
		{"3c 7d 9h", CASINO_LOSE, CASINO_LOSE, CASINO_TOTAL_19, CASINO_TOTAL_19},
		{"3c 8d 9h", CASINO_LOSE, CASINO_LOSE, CASINO_TOTAL_20, CASINO_TOTAL_20},
		{"3c 8d Th", CASINO_LOSE, CASINO_LOSE, CASINO_TOTAL_21, CASINO_TOTAL_21},
		{"3c 8c Tc", CASINO_FLUSH, CASINO_LOSE, CASINO_SUITED_21, CASINO_SUITED_21},
		{"3c 5d Th", CASINO_LOSE, CASINO_LOSE, CASINO_LOSE, CASINO_LOSE},
		{"3c 9d Th", CASINO_LOSE, CASINO_LOSE, CASINO_LOSE, CASINO_LOSE},
		{"5c 8c 8c", CASINO_FLUSH, CASINO_LOSE, CASINO_SUITED_21, CASINO_SUITED_21},
		/* aces 1 or 11 */
		{"Ac Ad 9h", CASINO_LOSE, CASINO_LOSE, CASINO_TOTAL_21, CASINO_TOTAL_21},
		{"Ac Ad 8h", CASINO_LOSE, CASINO_LOSE, CASINO_TOTAL_20, CASINO_TOTAL_20},
		{"Ac Ad 7h", CASINO_LOSE, CASINO_LOSE, CASINO_TOTAL_19, CASINO_TOTAL_19},
		{"Ac 8d 2h", CASINO_LOSE, CASINO_LOSE, CASINO_TOTAL_21, CASINO_TOTAL_21},
		{"Ac 9d Kh", CASINO_LOSE, CASINO_LOSE, CASINO_TOTAL_20, CASINO_TOTAL_20},
		{"Ac 9d 9h", CASINO_LOSE, CASINO_LOSE, CASINO_TOTAL_19, CASINO_TOTAL_19},
		{"Ac Ad Kh", CASINO_LOSE, CASINO_LOSE, CASINO_LOSE, CASINO_LOSE},
		{"Ac Ac Ac", CASINO_SUITED_TRIPS, CASINO_SUITED_TRIPS, CASINO_LOSE, CASINO_LOSE}
	};
	static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
	CasinoError err;
	size_t		i;
	int			o;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		CasinoHand	h;

		CHECK(casino_hand_parse(cases[i].cards, strlen(cases[i].cards), &h, &err) && h.count == 3);
		for (o = 0; o < 6; o++)
		{
			CasinoCard	a = h.cards[orders[o][0]];
			CasinoCard	b = h.cards[orders[o][1]];
			CasinoCard	c = h.cards[orders[o][2]];

			CHECK_TEXT(casino_grade_name(casino_grade_21_plus_3(a, b, c)), casino_grade_name(cases[i].plus3));
			CHECK_TEXT(casino_grade_name(casino_grade_top3(a, b, c)), casino_grade_name(cases[i].top3));
			CHECK_TEXT(casino_grade_name(casino_grade_lucky_lucky(a, b, c)),
					   casino_grade_name(cases[i].lucky));
			CHECK_TEXT(casino_grade_name(casino_grade_hot3(a, b, c)), casino_grade_name(cases[i].hot3));
		}
	}
}

/* ---------- the dealer's hand ---------- */

/* exact counts of ordered deals of DEALER_CARDS cards: up to 416^12 < 2^105 */
__extension__ typedef unsigned __int128 Ways;

#define DEALER_CARDS	12		/* he never holds more: A A A A A A 6 A A A A A */
#define TOTAL_MAX		26

static const CasinoBlackjackRules plain_rules;	/* 16 draws */
static int	left[11];			/* cards left of each value, aces 1 */
static int	left_all;
static Ways by_total[TOTAL_MAX + 1];
static Ways by_cards[DEALER_CARDS + 1];
static Ways bust_by_cards[DEALER_CARDS + 1];
static Ways dealer_blackjack;
static Ways dealt;

/* All continuations of a hand that came about in that many ways. */
static void
deal_dealer(CasinoHand *h, Ways ways)
{
	int			total = casino_blackjack_total(h);
	int			value;
	int			rest;

	if (casino_blackjack_dealer_suffices(&plain_rules, h, CASINO_NEEDS_WHOLE_HAND))
	{
		for (rest = 0; rest < DEALER_CARDS - h->count; rest++)
			ways *= (Ways) (left_all - rest);
		by_total[total] += ways;
		by_cards[h->count] += ways;
		bust_by_cards[h->count] += total > 21 ? ways : 0;
		dealer_blackjack += casino_blackjack_dealer_has_blackjack(h) ? ways : 0;
		dealt += ways;
		return;
	}
	CHECK(h->count < 2 || casino_blackjack_dealer_may_draw(total));
	for (value = 1; value <= 10; value++)
	{
		Ways		more = ways * (Ways) left[value];

		if (more == 0)
			continue;
		left[value]--;
		left_all--;
		h->cards[h->count++] = casino_card_make(value == 1 ? CASINO_RANK_A : value - 2, 0);
		deal_dealer(h, more);
		h->count--;
		left[value]++;
		left_all++;
	}
}

/* The dealer's hand from a shoe, or from one that a blackjack has been taken from. */
static void
enumerate_dealer(int decks, bool without_blackjack)
{
	CasinoHand	h = {0, {0}};
	Ways		all = 1;
	int			i;

	for (i = 1; i <= 10; i++)
		left[i] = i == 10 ? 16 * decks : 4 * decks;
	left_all = 52 * decks;
	if (without_blackjack)
	{
		left[1]--;
		left[10]--;
		left_all -= 2;
	}
	memset(by_total, 0, sizeof(by_total));
	memset(by_cards, 0, sizeof(by_cards));
	memset(bust_by_cards, 0, sizeof(bust_by_cards));
	dealer_blackjack = dealt = 0;
	deal_dealer(&h, 1);
	for (i = 0; i < DEALER_CARDS; i++)
		all *= (Ways) (left_all - i);
	CHECK(dealt == all);
}

static double
share(Ways ways)
{
	return (double) ways / (double) dealt;
}

static void
check_close(double got, double want, const char *what)
{
	char		both[80];

	snprintf(both, sizeof(both), "got %.17g, want %.17g", got, want);
	count_check(got > want - 1e-14 && got < want + 1e-14, __FILE__, __LINE__, what, both);
}

static void
report_dealer(int decks, const double totals[10], double blackjack, double bust)
{
	double		over = 0;
	int			i;

	enumerate_dealer(decks, false);
	printf("dealer, %d decks, stands on soft 17\n", decks);
	for (i = 17; i <= TOTAL_MAX; i++)
	{
		printf("  total %d %.9f %%%s\n", i, 100 * share(by_total[i]), i == 21 ? " with blackjack" : "");
		check_close(share(by_total[i]), totals[i - 17], "total");
		over += i > 21 ? share(by_total[i]) : 0;
	}
	printf("  blackjack %.9f %%, over 21 %.9f %%\n", 100 * share(dealer_blackjack), 100 * over);
	check_close(share(dealer_blackjack), blackjack, "blackjack");
	check_close(over, bust, "bust");
	for (i = 2; i <= DEALER_CARDS; i++)
		printf("  %2d cards %.12f %%, over 21 %.12f %%\n", i, 100 * share(by_cards[i]),
			   100 * share(bust_by_cards[i]));
	printf("  Push 22 at 11:1 returns %.6f %%\n", 100 * 12 * share(by_total[22]));
}

/*
 * Expected return of Buster and Bust It on fresh cards.  The grade is asked of
 * each line: dealer's hands by cards, with a player's blackjack and without.
 */
static void
report_busts(int decks)
{
	double		blackjack = 2.0 * (4 * decks) * (16 * decks) / ((52.0 * decks) * (52.0 * decks - 1));
	double		any[DEALER_CARDS + 1];
	double		with[DEALER_CARDS + 1];
	double		buster = 0;
	double		bust_it = blackjack;
	int			i;

	/* odds of D4 All Bets §26 and Infinite §28 */
	static const int buster_odds[] = {2, 2, 4, 18, 50, 250, 800, 2000};
	static const int bust_it_odds[] = {1, 2, 9, 50, 100, 250};

	enumerate_dealer(decks, false);
	for (i = 3; i <= DEALER_CARDS; i++)
		any[i] = share(bust_by_cards[i]);
	enumerate_dealer(decks, true);
	for (i = 3; i <= DEALER_CARDS; i++)
	{
		with[i] = blackjack * share(bust_by_cards[i]);
		buster += with[i] * (1 + buster_odds[casino_grade_buster(22, i, true) - CASINO_BUST_3]);
		buster += (any[i] - with[i]) * (1 + buster_odds[casino_grade_buster(26, i, false) - CASINO_BUST_3]);
		bust_it += (any[i] - with[i]) * (1 +
										 bust_it_odds[casino_grade_bust_it(22, i, false) - CASINO_BUST_3]);
		CHECK_INT(casino_grade_bust_it(22, i, true), CASINO_PUSH);
		CHECK_INT(casino_grade_buster(21, i, true), CASINO_LOSE);
	}
	printf("Buster Blackjack, %d decks, returns %.6f %%\n", decks, 100 * buster);
	printf("Bust It, %d decks, returns %.6f %%\n", decks, 100 * bust_it);
	count_check(buster > 0.938658986827 && buster < 0.938658986829, __FILE__, __LINE__, "buster", "");
	count_check(bust_it > 0.941165495385 && bust_it < 0.941165495387, __FILE__, __LINE__, "bust_it", "");
}

int
main(void)
{
	static const double eight[] = {0.145215496182576, 0.139317546556210, 0.133629357425548, 0.179709159606693,
		0.120289342692595, 0.072599347838007, 0.064905475676505, 0.056662308556442, 0.048278129041352,
	0.039393836424071};
	static const double six[] = {0.145245268876273, 0.139257771267180, 0.133684739286856, 0.179527303823662,
		0.120363575075341, 0.072590717629748, 0.064945516284644, 0.056672353101236, 0.048315642378488,
	0.039397112276572};

	test_lines();
	enumerate_first_cards(8);
	enumerate_first_cards(6);
	report_dealer(8, eight, 0.047451343836886, 0.281839097536377);
	report_dealer(6, six, 0.047489488003957, 0.281921341670688);
	report_busts(8);
	return conclude("enumerate");
}
