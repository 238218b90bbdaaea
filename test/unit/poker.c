/*
 * poker.c
 *	  Unit program of the poker evaluator: every hand of five, six and seven cards.
 *
 * The counts of the categories are textbook combinatorics, given by the issue
 * for five and seven cards; the order of the 7,462 kinds is held against the
 * slow evaluator of poker_test.h.
 */
#include "core/games/poker_rank.h"
#include "poker_test.h"

static CasinoError err;

/* ---------- all hands ---------- */

/* by number, how many hands have it */
static int64_t hands_of[CASINO_POKER_WORST + 1];

static void
check_counts(const int64_t want[CASINO_POKER_CATEGORY_END], int distinct)
{
	int64_t		got[CASINO_POKER_CATEGORY_END] = {0};
	int			kinds = 0;
	int			i;

	for (i = 1; i <= CASINO_POKER_WORST; i++)
	{
		got[casino_poker_category(i)] += hands_of[i];
		kinds += hands_of[i] > 0 ? 1 : 0;
	}
	for (i = CASINO_POKER_ROYAL_FLUSH; i < CASINO_POKER_CATEGORY_END; i++)
		CHECK_INT(got[i], want[i]);
	CHECK_INT(hands_of[0], 0);
	CHECK_INT(kinds, distinct);
	memset(hands_of, 0, sizeof(hands_of));
}

static void
test_all_five(void)
{
	static const int64_t want[] = {0, 4, 36, 624, 3744, 5108, 10200, 54912, 123552, 1098240, 1302540};
	static int	strength[CASINO_POKER_WORST + 1];
	int			unlike = 0;
	int			unordered = 0;
	int			i;
	CasinoCard	c[5];

	for (c[0] = 0; c[0] < 52; c[0]++)
		for (c[1] = 0; c[1] < c[0]; c[1]++)
			for (c[2] = 0; c[2] < c[1]; c[2]++)
				for (c[3] = 0; c[3] < c[2]; c[3]++)
					for (c[4] = 0; c[4] < c[3]; c[4]++)
					{
						int			number = casino_poker_rank(c, 5);
						int			slow = slow_five(c);

						hands_of[number]++;
						if (strength[number] == 0)
							strength[number] = slow;
						unlike += strength[number] != slow ? 1 : 0;
					}
	/* one strength a number, and each number's is below that of the number before */
	CHECK_INT(unlike, 0);
	for (i = 2; i <= CASINO_POKER_WORST; i++)
		unordered += strength[i] >= strength[i - 1] ? 1 : 0;
	CHECK_INT(unordered, 0);
	check_counts(want, 7462);
}

static void
test_all_six(void)
{
	static const int64_t want[] = {0, 188, 1656, 14664, 165984, 205792, 361620, 732160, 2532816,
	9730740, 6612900};
	CasinoCard	c[6];

	for (c[0] = 0; c[0] < 52; c[0]++)
		for (c[1] = 0; c[1] < c[0]; c[1]++)
			for (c[2] = 0; c[2] < c[1]; c[2]++)
				for (c[3] = 0; c[3] < c[2]; c[3]++)
					for (c[4] = 0; c[4] < c[3]; c[4]++)
						for (c[5] = 0; c[5] < c[4]; c[5]++)
							hands_of[casino_poker_rank(c, 6)]++;
	check_counts(want, 6075);
}

static void
test_all_seven(void)
{
	/* 4 * C(47, 2) royal flushes, 41,584 with the other straight flushes */
	static const int64_t want[] = {0, 4324, 37260, 224848, 3473184, 4047644, 6180020, 6461620,
	31433400, 58627800, 23294460};
	CasinoCard	c[7];

	for (c[0] = 0; c[0] < 52; c[0]++)
		for (c[1] = 0; c[1] < c[0]; c[1]++)
			for (c[2] = 0; c[2] < c[1]; c[2]++)
				for (c[3] = 0; c[3] < c[2]; c[3]++)
					for (c[4] = 0; c[4] < c[3]; c[4]++)
						for (c[5] = 0; c[5] < c[4]; c[5]++)
							for (c[6] = 0; c[6] < c[5]; c[6]++)
								hands_of[casino_poker_rank7(c)]++;
	check_counts(want, 4824);
}

/* Six and seven random cards in any order: the number of their best five. */
static void
test_random(void)
{
	int			wrong = 0;
	int			n;

	for (n = 0; n < 200000; n++)
	{
		CasinoCard	a[7];
		CasinoCard	b[7];
		int			slow;
		int			fast;

		random_deal(a, 7);
		random_deal(b, 7);
		slow = slow_best(a, 7) - slow_best(b, 7);
		fast = casino_poker_rank7(b) - casino_poker_rank7(a);
		wrong += (slow > 0) != (fast > 0) || (slow == 0) != (fast == 0) ? 1 : 0;
		wrong += casino_poker_rank(a, 7) != casino_poker_rank7(a) ? 1 : 0;
		slow = slow_best(a, 6) - slow_best(b, 7);
		fast = casino_poker_rank7(b) - casino_poker_rank(a, 6);
		wrong += (slow > 0) != (fast > 0) || (slow == 0) != (fast == 0) ? 1 : 0;
	}
	CHECK_INT(wrong, 0);
}

/* ---------- numbers, names, best five ---------- */

static int
number_of(const char *text)
{
	CasinoHand	hand = cards(text);

	return casino_poker_rank(hand.cards, hand.count);
}

static void
test_numbers(void)
{
	CHECK_INT(number_of("As Ks Qs Js Ts"), 1);
	CHECK_INT(number_of("As Ks Qs Js Ts 2d 3c"), 1);
	CHECK_INT(number_of("9h 8h 7h 6h 5h"), 6);
	CHECK_INT(number_of("5d 4d 3d 2d Ad"), 10);
	CHECK_INT(number_of("Ac Ad Ah As Kd"), 11);
	CHECK_INT(number_of("2c 2d 2h 2s 3d"), 166);
	CHECK_INT(number_of("Ac Ad Ah Ks Kd"), 167);
	CHECK_INT(number_of("2c 2d 2h 3s 3d"), 322);
	CHECK_INT(number_of("Ac Kc Qc Jc 9c"), 323);
	CHECK_INT(number_of("7c 5c 4c 3c 2c"), 1599);
	CHECK_INT(number_of("Ac Kd Qc Jc Tc"), 1600);
	CHECK_INT(number_of("5c 4d 3d 2d Ad"), 1609);
	CHECK_INT(number_of("Ac Ad Ah Ks Qd"), 1610);
	CHECK_INT(number_of("Ac Ad Ks Kh Qd"), 2468);
	CHECK_INT(number_of("Ac Ad Ks Qh Jd"), 3326);
	CHECK_INT(number_of("Ac Ad 2s 3h 4d"), 3545);
	CHECK_INT(number_of("4c 4d 2s 3h 5d"), 5745);
	CHECK_INT(number_of("3c 3d As Kh Qd"), 5746);
	CHECK_INT(number_of("2c 2d 3s 4h 5d"), 6185);
	CHECK_INT(number_of("Ac Kd Qs Jh 9d"), 6186);
	CHECK_INT(number_of("7c 5d 4d 3d 2d"), 7462);
	CHECK_INT(number_of("9c 8c 7c 6c 5c 4c 3d"), 6);	/* the higher of two straights */
	CHECK_INT(number_of("Ac 2c 3c 4c 5c 6c 7d"), 9);
	CHECK_INT(number_of("Kc Ac 2c 3c 4c 9d 9s"), number_of("Ac Kc 4c 3c 2c"));	/* no straight around */
	CHECK_INT(number_of("As Ks Qs Js"), 0);
	CHECK_INT(number_of("As Ks Qs Js Ts 9s 8s 7s"), 0);

	CHECK_INT(casino_poker_worst_pair(CASINO_RANK_4), 5745);
	CHECK_INT(casino_poker_worst_pair(CASINO_RANK_A), 3545);
	CHECK_INT(casino_poker_worst_pair(CASINO_RANK_2), 6185);
}

static void
test_categories(void)
{
	static const struct
	{
		const char *text;
		const char *name;
	}			want[] = {
		/* D4 Casino Hold'em §14, examples (suits where the document shows signs) */
		{"As Ks Qs Js Ts", "royal_flush"},
		{"3d 4d 5d 6d 7d", "straight_flush"},
		{"Jc Jd Jh Js Qd", "four_of_a_kind"},
		{"Kc Kd Kh 5s 5d", "full_house"},
		{"3h 7h 8h Th Jh", "flush"},
		{"6c 7d 8h 9s Td", "straight"},
		{"Ac 5d Ah As Jd", "three_of_a_kind"},
		{"3c 3d Qh Qs 9d", "two_pairs"},
		{"Ac Ad 6h Ts Kd", "one_pair"},
		{"2c 4d 3h 7s Kd", "high_card"}
	};
	int			last = 0;
	size_t		i;

	for (i = 0; i < sizeof(want) / sizeof(want[0]); i++)
	{
		int			number = number_of(want[i].text);

		CHECK_TEXT(casino_poker_category_name(casino_poker_category(number)), want[i].name);
		CHECK_FOR(number > last, want[i].text);
		last = number;
	}
	CHECK_INT(casino_poker_category(0), CASINO_POKER_NONE);
	CHECK_INT(casino_poker_category(-1), CASINO_POKER_NONE);
	CHECK_INT(casino_poker_category(7463), CASINO_POKER_NONE);
	CHECK(casino_poker_category_name(CASINO_POKER_NONE) == NULL);
	CHECK(casino_poker_category_name(CASINO_POKER_CATEGORY_END) == NULL);
	CHECK(casino_poker_category_name((CasinoPokerCategory) -1) == NULL);
}

static void
check_best(const char *text, const char *want)
{
	CasinoHand	hand = cards(text);
	CasinoHand	best;
	char		got[CASINO_HAND_TEXT_SIZE];

	casino_poker_best_five(&hand, &best);
	casino_hand_print(&best, got);
	CHECK_TEXT(got, want);
}

static void
test_best_five(void)
{
	int			wrong = 0;
	int			n;

	check_best("Qs Js Ts 2d 3c As Ks", "As Ks Qs Js Ts");
	check_best("2d Ac 3c 4h 5s Kd Kh", "5s 4h 3c 2d Ac");
	check_best("2d Ac 3c 4h 5s 6d Kh", "6d 5s 4h 3c 2d");
	check_best("2d 2c Kh Ks 9d 9c 9h", "9h 9d 9c Ks Kh");
	check_best("2d 2c 3h 3s 4d 4c Ah", "4d 4c 3s 3h Ah");
	check_best("7d 7c 7h 7s 8d 8c", "7s 7h 7d 7c 8d");	/* the eight dealt first */
	check_best("2c 9c 3c Jc 4c 6c Ac", "Ac Jc 9c 6c 4c");
	check_best("2c 9c 3c Jc 4c 5c Ac", "5c 4c 3c 2c Ac");
	check_best("5d 4d 3d 2d Ad", "5d 4d 3d 2d Ad");
	check_best("Ad 4d 3d 2d 6d", "Ad 6d 4d 3d 2d");
	check_best("Ad 4d 3d 2d", "");
	check_best("2c 3c 4c 5c 6c 7c 8c 9c", "");

	for (n = 0; n < 20000; n++)
	{
		CasinoHand	hand = {5, {0}};
		CasinoHand	best;

		hand.count = (uint8_t) (5 + random_below(3));
		random_deal(hand.cards, hand.count);
		casino_poker_best_five(&hand, &best);
		wrong += best.count != 5 || slow_five(best.cards) != slow_best(hand.cards, hand.count) ? 1 : 0;
	}
	CHECK_INT(wrong, 0);
}

static void
test_check(void)
{
	CasinoHand	hand = cards("As Ks Qs Js Ts");

	CHECK(casino_poker_check(&hand, &err));
	hand = cards("As Ks Qs Js Ts 2d 3c");
	CHECK(casino_poker_check(&hand, &err));
	hand = cards("As Ks Qs Js");
	CHECK(!casino_poker_check(&hand, &err) && err.code == CASINO_OUT_OF_RANGE);
	CHECK_TEXT(err.detail, "A poker hand has 5 to 7 cards, not 4.");
	hand = cards("As Ks Qs Js Ts 9s 8s 7s");
	CHECK(!casino_poker_check(&hand, &err));
	CHECK_TEXT(err.detail, "A poker hand has 5 to 7 cards, not 8.");
	hand = cards("As Ks Qs Js Ts 2d Qs");
	CHECK(!casino_poker_check(&hand, &err) && err.code == CASINO_OUT_OF_RANGE);
	CHECK_TEXT(err.detail, "The card Qs is in the hand twice; poker is played with one deck.");
	hand.cards[6] = 52;
	CHECK(!casino_poker_check(&hand, &err));
	CHECK_TEXT(err.detail, "Byte 52 in place 7 of the hand is not a card.");
}

/* Cards that break the contract give any number, but lead nowhere outside (for the sanitizers). */
static void
test_any_bytes(void)
{
	int			outside = 0;
	int			n;

	for (n = 0; n < 1000000; n++)
	{
		CasinoCard	any[7];
		int			number;
		int			i;

		for (i = 0; i < 7; i++)
			any[i] = (CasinoCard) random_below(n % 2 == 0 ? 256 : 8);
		number = casino_poker_rank(any, 5 + n % 3);
		outside += number < 0 || number > CASINO_POKER_WORST ? 1 : 0;
	}
	CHECK_INT(outside, 0);
}

int
main(void)
{
	test_numbers();
	test_categories();
	test_best_five();
	test_check();
	test_any_bytes();
	test_random();
	test_all_five();
	test_all_six();
	test_all_seven();
	return conclude("poker");
}
