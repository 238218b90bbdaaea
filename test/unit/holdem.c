/*
 * holdem.c
 *	  Unit program of Casino Hold'em.
 *
 * Expected grades are read from D4 Casino Hold'em, expected counts are
 * combinatorial formulas written out beside them.
 */
#include "core/games/casino_holdem.h"
#include "core/games/poker_rank.h"
#include "poker_test.h"

static CasinoError err;

static const char *
grade_of(int kind, const char *player, const char *board, const char *dealer, bool called)
{
	CasinoHand	p = cards(player);
	CasinoHand	b = cards(board);
	CasinoHand	d = cards(dealer);
	CasinoBet	bet;
	const char *name;

	if (!casino_bet_make(kind, NULL, 0, 100, &bet, &err))
		return "no bet";
	if (!casino_holdem_check(&p, &b, &d, called, &err))
		return err.detail;
	name = casino_grade_name(casino_grade_holdem(&bet, &p, &b, &d, called));
	return name != NULL ? name : "none";
}

/* Grades of ante, call, aa and razz, of a player who called. */
static void
check_deal(const char *player, const char *board, const char *dealer,
		   const char *ante, const char *call, const char *aa, const char *razz)
{
	char		got[128];
	char		want[128];

	snprintf(got, sizeof(got), "%s | %s: %s %s %s %s", player, board,
			 grade_of(CASINO_ANTE, player, board, dealer, true),
			 grade_of(CASINO_CALL, player, board, dealer, true),
			 grade_of(CASINO_AA, player, board, dealer, true),
			 grade_of(CASINO_RAZZ, player, board, dealer, true));
	snprintf(want, sizeof(want), "%s | %s: %s %s %s %s", player, board, ante, call, aa, razz);
	CHECK_TEXT(got, want);
}

/* ---------- ante and call ---------- */

static void
test_ante_lines(void)
{
	/* the dealer qualifies and is behind: every line of §17, call 1:1 (§18) */
	check_deal("As Ks", "Qs Js Ts 2d 3c", "4h 4d", "royal_flush", "win", "royal_flush", "lose");
	check_deal("9h 8h", "7h 6h 5h Ac Ad", "Kc Kd", "straight_flush", "win", "straight_flush", "nine");
	check_deal("Jc Jd", "Jh Js Qd Qh 2c", "Ac Ad", "four_of_a_kind", "win", "four_of_a_kind", "lose");
	check_deal("Kc Kd", "Kh 5s 5d 2h 3h", "5c 2c", "full_house", "win", "full_house", "lose");
	check_deal("2h 7h", "8h Th Jh Ac Ad", "Ah Kc", "flush", "win", "flush", "jack");
	check_deal("6c 7d", "8h 9s Td 2c 2d", "Ac Ad", "win", "win", "pair_of_aces", "ten");
	check_deal("Ac 5d", "Ah As Jd 2c 3d", "Kc Kd", "win", "win", "pair_of_aces", "lose");
	check_deal("3c 3d", "Qh Qs 9d 2c 7h", "Ac Kd", "win", "win", "pair_of_aces", "lose");
	check_deal("Ac Ad", "6h Ts Kd 2c 3d", "Kc Qh", "win", "win", "pair_of_aces", "lose");
	/* a pair of fours on the board qualifies, too; the player's king plays */
	check_deal("Kc 2d", "4h 4s 9d Tc 3h", "Qd 7c", "win", "win", "lose", "lose");
	/* the best five of seven: a royal flush on turn and river, one card in hand */
	check_deal("As 2c", "Ks Qs 3d Js Ts", "4h 4d", "royal_flush", "win", "lose", "lose");
	/* the flush on the board is everybody's */
	check_deal("2d 2c", "Ah Kh 3h 4h 5h", "4c 4s", "push", "push", "lose", "lose");
}

static void
test_qualification(void)
{
	/* a pair of threes is not enough (§13), the player's better hand is paid by the table */
	check_deal("Ac Kd", "Qh 9s 7d 5c 2h", "3h 3d", "win", "push", "lose", "lose");
	/* ... also when the dealer's hand is the better one */
	check_deal("Tc 8d", "Qh 9s 7d 5c 2h", "3h 3d", "win", "push", "lose", "lose");
	check_deal("Tc 8d", "Qh 9s 7d 5c 2h", "Ah Kd", "win", "push", "lose", "lose");
	/* ... and when they are equal: neither kicker plays */
	check_deal("3c 4d", "Ah Ks Qd Jc 9h", "2h 5d", "win", "push", "lose", "lose");
	check_deal("Ah Kh", "Qh 9h 7h 3c 3s", "2c 4c", "flush", "push", "flush", "lose");
	/* the lowest pair of fours does */
	check_deal("Ac Kd", "4h 2s 9d Jc 7h", "4c 8d", "lose", "lose", "lose", "lose");
	check_deal("Jd 8c", "4h 2s 9d Jc 7h", "4c 8d", "win", "win", "lose", "jack");
	/* D4 §13: ace high does not, two pairs on the board do for both */
	check_deal("Ac 7d", "9h 9s Kd Kc 2h", "Ad 7c", "push", "push", "lose", "lose");
	CHECK(casino_holdem_qualifies(1) && casino_holdem_qualifies(5745));
	CHECK(!casino_holdem_qualifies(5746) && !casino_holdem_qualifies(7462));
	{
		CasinoHand	four = cards("4c 4d 5h 3s 2d");
		CasinoHand	three = cards("3c 3d Ah Ks Qd");

		CHECK(casino_holdem_qualifies(casino_poker_rank(four.cards, 5)));
		CHECK(!casino_holdem_qualifies(casino_poker_rank(three.cards, 5)));
	}
}

static void
test_comparison(void)
{
	/* §13: three kings against three queens; flush A 6 5 4 3 against K J 10 8 7 */
	check_deal("Kc Kd", "Kh Qs 2d 7c 9h", "Qc Qd", "win", "win", "pair_of_aces", "lose");
	check_deal("Qc Qd", "Kh Qs 2d 7c 9h", "Kc Kd", "lose", "lose", "pair_of_aces", "lose");
	check_deal("Ah 4h", "6h 5h 3h Kc Jc", "Kh Qh", "flush", "win", "flush", "six");
	/* further cards decide; the fifth, too */
	check_deal("Ac Qd", "Ah 9s 7d 5c 2h", "Ad Jc", "win", "win", "pair_of_aces", "lose");
	check_deal("Ac Jd", "Ah 9s 7d 5c 2h", "Ad Qc", "lose", "lose", "pair_of_aces", "lose");
	check_deal("8c 8d", "Ah Ks Qd 5c 2h", "8h 8s", "push", "push", "lose", "lose");
	/* all five on the board */
	check_deal("2c 3d", "Ah Ks Qd Jc Th", "4h 4d", "push", "push", "lose", "lose");
	check_deal("2c 3d", "As Ks Qs Js Ts", "4h 4d", "push", "push", "lose", "lose");
	/* 5-4-3-2-A is the lowest straight */
	check_deal("Ac 2d", "3h 4s 5d 9c Kh", "6c 7d", "lose", "lose", "pair_of_aces", "wheel");
	check_deal("6c Kd", "3h 4s 5d 2c Kh", "Ac Ad", "win", "win", "lose", "lose");
	/* no straight around the ace: the dealer's threes are ahead of ace high */
	check_deal("Kc Ad", "2h 3s 4d Qc 9h", "4h 9d", "lose", "lose", "lose", "lose");
}

/* ---------- folding ---------- */

static void
test_fold(void)
{
	static const int kinds[] = {CASINO_ANTE, CASINO_CALL, CASINO_AA, CASINO_RAZZ};
	size_t		i;

	for (i = 0; i < 4; i++)
	{
		/* §7, §11, §12: not even a royal flush, aces or a wheel help */
		CHECK_TEXT(grade_of(kinds[i], "As Ks", "Qs Js Ts 2d 3c", "4h 4d", false), "lose");
		CHECK_TEXT(grade_of(kinds[i], "As Ks", "Qs Js Ts", "4h 4d", false), "lose");
		CHECK_TEXT(grade_of(kinds[i], "Ac 2c", "3c 4c 5c", "2h 3d", false), "lose");
	}
	CHECK_TEXT(grade_of(CASINO_MAIN, "As Ks", "Qs Js Ts 2d 3c", "4h 4d", false), "none");
	CHECK_TEXT(grade_of(CASINO_POT, "As Ks", "Qs Js Ts 2d 3c", "4h 4d", true), "none");
	CHECK_TEXT(grade_of(CASINO_TIE, "As Ks", "Qs Js Ts 2d 3c", "4h 4d", true), "none");
}

static void
test_too_few(void)
{
	CasinoHand	two = cards("As Ks");
	CasinoHand	dealer = cards("4h 4d");
	CasinoHand	flop = cards("Qs Js Ts");
	CasinoHand	board = cards("Qs Js Ts 2d 3c");
	CasinoHand	one = cards("As");
	CasinoHand	strange = cards("2c 3c");
	CasinoBet	ante;
	CasinoBet	razz;

	CHECK(casino_bet_make(CASINO_ANTE, NULL, 0, 100, &ante, &err));
	CHECK(casino_bet_make(CASINO_RAZZ, NULL, 0, 100, &razz, &err));
	CHECK_INT(casino_grade_holdem(&ante, &two, &flop, &dealer, true), CASINO_GRADE_NONE);
	CHECK_INT(casino_grade_holdem(&razz, &two, &flop, &dealer, true), CASINO_GRADE_NONE);
	CHECK_INT(casino_grade_holdem(&ante, &one, &board, &dealer, true), CASINO_GRADE_NONE);
	CHECK_INT(casino_grade_holdem(&ante, &two, &board, &one, true), CASINO_GRADE_NONE);
	strange.cards[1] = 200;
	CHECK_INT(casino_grade_holdem(&razz, &strange, &board, &dealer, true), CASINO_GRADE_NONE);
	strange.cards[1] = 255;
	CHECK(!casino_holdem_check(&strange, &board, &dealer, true, &err));
	CHECK_TEXT(err.detail, "Byte 255 is not a card.");
}

/* ---------- check of the cards ---------- */

static void
check_refused(const char *player, const char *board, const char *dealer, bool called, const char *want)
{
	CHECK_TEXT(grade_of(CASINO_ANTE, player, board, dealer, called), want);
	CHECK_INT(err.code, CASINO_ILLEGAL_OUTCOME);
	err.code = CASINO_OK;
}

static void
test_check(void)
{
	check_refused("As", "Qs Js Ts 2d 3c", "4h 4d", true,
				  "The player has 1 card; two are dealt (D4 Casino Hold'em §7).");
	check_refused("As Ks Qd", "Qs Js Ts 2d 3c", "4h 4d", true,
				  "The player has 3 cards; two are dealt (D4 Casino Hold'em §7).");
	check_refused("As Ks", "Qs Js Ts 2d 3c", "", false,
				  "The dealer has 0 cards; two are dealt (D4 Casino Hold'em §7).");
	check_refused("As Ks", "Qs Js Ts 2d", "4h 4d", false,
				  "The board has 4 cards; three are dealt, and after a call two more "
				  "(D4 Casino Hold'em §7).");
	check_refused("As Ks", "", "4h 4d", false,
				  "The board has 0 cards; three are dealt, and after a call two more "
				  "(D4 Casino Hold'em §7).");
	check_refused("As Ks", "Qs Js Ts 2d 3c 4c", "4h 4d", true,
				  "The board has 6 cards; three are dealt, and after a call two more "
				  "(D4 Casino Hold'em §7).");
	check_refused("As Ks", "Qs Js Ts", "4h 4d", true,
				  "The ante was called, so that the board has five cards and not 3 (D4 Casino Hold'em §7).");
	check_refused("As Ks", "Qs Js As 2d 3c", "4h 4d", true,
				  "The card As lies with the player and again on the board; there is one deck "
				  "(D4 Casino Hold'em §5).");
	check_refused("As Ks", "Qs Js Ts 2d 3c", "4h 3c", true,
				  "The card 3c lies on the board and again with the dealer; there is one deck "
				  "(D4 Casino Hold'em §5).");
	check_refused("As As", "Qs Js Ts", "4h 3c", false,
				  "The card As lies with the player and again with the player; there is one deck "
				  "(D4 Casino Hold'em §5).");
}

/* ---------- AA and Razz over all first five cards, the declared maximum ---------- */

/* profit to stake by grade, D4 Casino Hold'em §15, §16, §17 */
static int
odds(int kind, CasinoGrade grade)
{
	static const int ante[CASINO_GRADE_END] = {
		[CASINO_ROYAL_FLUSH] = 100, [CASINO_STRAIGHT_FLUSH] = 20, [CASINO_FOUR_OF_A_KIND] = 10,
		[CASINO_FULL_HOUSE] = 3, [CASINO_FLUSH] = 2, [CASINO_WIN] = 1
	};
	static const int aa[CASINO_GRADE_END] = {
		[CASINO_ROYAL_FLUSH] = 100, [CASINO_STRAIGHT_FLUSH] = 50, [CASINO_FOUR_OF_A_KIND] = 40,
		[CASINO_FULL_HOUSE] = 30, [CASINO_FLUSH] = 20, [CASINO_PAIR_OF_ACES] = 7
	};
	static const int razz[CASINO_GRADE_END] = {
		[CASINO_WHEEL_SUITED] = 200, [CASINO_WHEEL] = 50, [CASINO_SIX] = 25, [CASINO_SEVEN] = 10,
		[CASINO_EIGHT] = 8, [CASINO_NINE] = 6, [CASINO_TEN] = 4, [CASINO_JACK] = 2
	};

	switch (kind)
	{
		case CASINO_ANTE:
			return ante[grade];
		case CASINO_AA:
			return aa[grade];
		case CASINO_RAZZ:
			return razz[grade];
		default:
			return grade == CASINO_WIN ? 1 : 0;
	}
}

/* C(n, k) */
static int64_t
choose(int n, int k)
{
	int64_t		result = 1;
	int			i;

	for (i = 1; i <= k; i++)
		result = result * (n - k + i) / i;
	return result;
}

/* The highest of ante and call for these first five, over all turns and rivers and the best dealer. */
static int64_t
best_main(const CasinoHand *player, const CasinoHand *flop)
{
	int64_t		best = 0;
	int			turn;
	int			river;

	for (turn = 0; turn < 52; turn++)
	{
		for (river = 0; river < turn; river++)
		{
			CasinoCard	all[7] = {player->cards[0], player->cards[1], flop->cards[0],
			flop->cards[1], flop->cards[2], (CasinoCard) turn, (CasinoCard) river};
			CasinoHand	hand = {7, {0}};
			int			number = casino_poker_rank(all, 7);
			int64_t		profit;

			memcpy(hand.cards, all, 7);
			if (!casino_poker_check(&hand, &err))
				continue;
			profit = number == 1 ? 2000000 : number <= 10 ? 400000 : 200000;
			if (profit + 40000 > best)
				best = profit + 40000;
		}
	}
	return best;
}

static void
test_all_first_five(void)
{
	static int64_t aa[CASINO_GRADE_END];
	static int64_t razz[CASINO_GRADE_END];
	CasinoHand	player = cards("As Ks");
	CasinoHand	board = cards("Qs Js Ts 2d 3c");
	CasinoHand	dealer = cards("4h 4d");
	CasinoBet	bet_aa;
	CasinoBet	bet_razz;
	int64_t		both_most = 0;
	int64_t		most = 0;
	int64_t		lower;
	int			beyond = 0;
	int			a,
				b,
				c,
				d,
				e;

	CHECK(casino_bet_make(CASINO_AA, NULL, 0, 100, &bet_aa, &err));
	CHECK(casino_bet_make(CASINO_RAZZ, NULL, 0, 100, &bet_razz, &err));
	for (a = 0; a < 52; a++)
		for (b = 0; b < a; b++)
			for (c = 0; c < b; c++)
				for (d = 0; d < c; d++)
					for (e = 0; e < d; e++)
					{
						CasinoGrade of_aa;
						CasinoGrade of_razz;
						int64_t		both;

						player.cards[0] = (CasinoCard) c;
						player.cards[1] = (CasinoCard) e;
						board.cards[0] = (CasinoCard) a;
						board.cards[1] = (CasinoCard) d;
						board.cards[2] = (CasinoCard) b;
						of_aa = casino_grade_holdem(&bet_aa, &player, &board, &dealer, true);
						of_razz = casino_grade_holdem(&bet_razz, &player, &board, &dealer, true);
						aa[of_aa]++;
						razz[of_razz]++;
						/* the maxima of §Základní parametry: 20 000 and 10 000 */
						both = 20000 * odds(CASINO_AA, of_aa) + 10000 * odds(CASINO_RAZZ, of_razz);
						if (both > both_most)
							both_most = both;
						/* ante and call bring 2 040 000 at most */
						if (both > 2000000)
						{
							CasinoHand	flop = board;

							flop.count = 3;
							beyond++;
							if (both + best_main(&player, &flop) > most)
								most = both + best_main(&player, &flop);
						}
					}

	CHECK_INT(aa[CASINO_ROYAL_FLUSH], 4);
	CHECK_INT(aa[CASINO_STRAIGHT_FLUSH], 9 * 4);
	CHECK_INT(aa[CASINO_FOUR_OF_A_KIND], 13 * 48);
	CHECK_INT(aa[CASINO_FULL_HOUSE], 13 * choose(4, 3) * 12 * choose(4, 2));
	CHECK_INT(aa[CASINO_FLUSH], 4 * (choose(13, 5) - 10));
	/* a pair of aces with three others, two pairs, three of a kind, straights */
	lower = choose(4, 2) * choose(12, 3) * 4 * 4 * 4 +
		choose(13, 2) * choose(4, 2) * choose(4, 2) * 44 +
		13 * choose(4, 3) * choose(12, 2) * 4 * 4 +
		10 * (4 * 4 * 4 * 4 * 4 - 4);
	CHECK_INT(aa[CASINO_PAIR_OF_ACES], lower);
	CHECK_INT(lower, 84480 + 123552 + 54912 + 10200);
	CHECK_INT(aa[CASINO_LOSE], choose(52, 5) - 4 - 36 - 624 - 3744 - 5108 - lower);

	/* the highest card given, four of the ranks below it, any suits */
	CHECK_INT(razz[CASINO_WHEEL_SUITED], 4);
	CHECK_INT(razz[CASINO_WHEEL], 1024 - 4);
	CHECK_INT(razz[CASINO_SIX], choose(5, 4) * 1024);
	CHECK_INT(razz[CASINO_SEVEN], choose(6, 4) * 1024);
	CHECK_INT(razz[CASINO_EIGHT], choose(7, 4) * 1024);
	CHECK_INT(razz[CASINO_NINE], choose(8, 4) * 1024);
	CHECK_INT(razz[CASINO_TEN], choose(9, 4) * 1024);
	CHECK_INT(razz[CASINO_JACK], choose(10, 4) * 1024);
	CHECK_INT(razz[CASINO_LOSE], choose(52, 5) - choose(11, 5) * 1024);

	/* only the four suited wheels bring AA and Razz over 2 000 000: 50:1 and 200:1 ... */
	CHECK_INT(both_most, 3000000);
	CHECK_INT(beyond, 4);
	/* ... but never with a royal flush: a straight flush and the call beside them */
	CHECK_INT(most, 3440000);
}

/* Highest stakes: ante 20 000, call 40 000, aa 20 000, razz 10 000. */
static int64_t
round_profit(const char *player, const char *board, const char *dealer)
{
	static const int kinds[] = {CASINO_ANTE, CASINO_CALL, CASINO_AA, CASINO_RAZZ};
	static const int64_t stakes[] = {20000, 40000, 20000, 10000};
	CasinoHand	p = cards(player);
	CasinoHand	b = cards(board);
	CasinoHand	d = cards(dealer);
	int64_t		profit = 0;
	int			i;

	for (i = 0; i < 4; i++)
	{
		CasinoBet	bet;

		CHECK(casino_bet_make(kinds[i], NULL, 0, stakes[i] * 100, &bet, &err));
		profit += stakes[i] * odds(kinds[i], casino_grade_holdem(&bet, &p, &b, &d, true));
	}
	return profit;
}

static void
test_declared_maximum(void)
{
	/* 2 000 000 + 40 000 + 2 000 000: reached, and by the enumeration above not exceeded */
	CHECK_INT(round_profit("As Ks", "Qs Js Ts 2d 3c", "4h 4d"), 4040000);
	CHECK_INT(round_profit("As Ks", "Qs Js Ts 2d 3c", "5h 7d"), 4000000);	/* not qualified: the call is
																			 * returned */
	CHECK_INT(round_profit("As 2s", "3s 4s 5s 6s 9d", "9h 9c"), 3440000);
	CHECK_INT(round_profit("2c 7d", "9h Js Kd 5c 4h", "Ah Kc"), 0);
}

int
main(void)
{
	test_ante_lines();
	test_qualification();
	test_comparison();
	test_fold();
	test_too_few();
	test_check();
	test_all_first_five();
	test_declared_maximum();
	return conclude("holdem");
}
