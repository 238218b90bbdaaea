/*
 * count.c
 *	  Exact counts: the integers they are made of, every family's counts against
 *	  published figures, formulas and another program's, and against the
 *	  extension's own grades over the whole space or, of Casino Hold'em, over
 *	  whole boards.
 */
#include <stdlib.h>

#include "core/games/baccarat.h"
#include "core/games/blackjack_grade.h"
#include "check.h"
#include "core/returns/count_baccarat.h"
#include "core/returns/count_blackjack.h"
#include "core/returns/count_holdem.h"
#include "core/returns/count_play.h"
#include "core/returns/count_roulette.h"
#include "core/layout.h"
#include "../../tools/holdem_board.h"

/* ---------- what a counter gave ---------- */

#define LINES_MOST	4000

static CasinoCountLine lines[LINES_MOST];
static int	line_count;

static void
keep_line(void *context, const CasinoCountLine *line)
{
	(void) context;
	if (line_count < LINES_MOST)
		lines[line_count++] = *line;
}

/* The line of a selection and grade; one of no ways when there is none. */
static const CasinoCountLine *
line_of(const char *selection, const char *grade)
{
	static const CasinoCountLine none;
	int			i;

	for (i = 0; i < line_count; i++)
	{
		if (strcmp(lines[i].selection, selection) == 0 && strcmp(lines[i].grade, grade) == 0)
			return &lines[i];
	}
	return &none;
}

static void
check_big(CasinoBig got, const char *want, int line)
{
	char		text[CASINO_BIG_TEXT_SIZE];

	casino_big_print(got, text);
	count_check(strcmp(text, want) == 0, __FILE__, line, want, text);
}

static void
check_line(const char *selection, const char *grade, const char *ways, const char *of, int line)
{
	check_big(line_of(selection, grade)->ways, ways, line);
	check_big(line_of(selection, grade)->of, of, line);
}

#define CHECK_BIG(got, want)	check_big((got), (want), __LINE__)
#define CHECK_LINE(selection, grade, ways, of)	check_line((selection), (grade), (ways), (of), __LINE__)

/* Every selection's lines add up to what they are out of. */
static void
check_whole(void)
{
	int			i;
	int			k;

	for (i = 0; i < line_count; i = k)
	{
		CasinoBig	sum = casino_big(0);

		for (k = i; k < line_count && strcmp(lines[k].selection, lines[i].selection) == 0; k++)
			sum = casino_big_add(sum, lines[k].ways);
		CHECK_INT(casino_big_compare(sum, lines[i].of), 0);
	}
	CHECK(line_count > 0);
}

/* ---------- integers ---------- */

static CasinoBig
parse(const char *digits)
{
	CasinoBig	big = casino_big(0);

	for (; *digits != '\0'; digits++)
		big = casino_big_add(casino_big_multiply(big, casino_big(10)), casino_big(*digits - '0'));
	return big;
}

static void
test_big(void)
{
	CasinoBig	a = parse("123456789012345678901234567890123456789012345678901234567890");
	CasinoBig	b = parse("987654321098765432109876543210");
	CasinoThirteenths third = casino_thirteenths(1, 1);
	CasinoThirteenths half;
	uint32_t	rest;

	CHECK_BIG(casino_big(0), "0");
	CHECK_BIG(casino_big(INT64_MIN), "-9223372036854775808");
	CHECK_BIG(casino_big_wide(~(CasinoWide) 0), "340282366920938463463374607431768211455");
	CHECK_BIG(casino_big_multiply(a, b),
			  "121932631137021795226185032733744855963374485596337448559633622923332237463801111263526900");
	CHECK_BIG(casino_big_subtract(casino_big(5), casino_big(12)), "-7");
	CHECK_BIG(casino_big_multiply(casino_big(-3), parse("1000000000000000000000")),
			  "-3000000000000000000000");
	CHECK_BIG(casino_big_divide(parse("1000000000000000000000000000007"), 10, &rest),
			  "100000000000000000000000000000");
	CHECK_INT(rest, 7);
	CHECK_INT(casino_big_compare(casino_big(-1), casino_big(1)), -1);
	CHECK_INT(casino_big_compare(b, b), 0);

	half = casino_thirteenths_add(third, casino_thirteenths(2, 2)); /* 1/13 + 2/169 */
	CHECK_BIG(casino_thirteenths_over(half, 2), "15");
	CHECK_BIG(casino_thirteenths_over(casino_thirteenths_multiply(half, half), 4), "225");
	CHECK_INT(casino_thirteenths_compare(casino_thirteenths(14, 2), casino_thirteenths(1, 1)), 1);
	CHECK_INT(casino_thirteenths_compare(casino_thirteenths(13, 2), casino_thirteenths(1, 1)), 0);
	/* what is too fine stays lost */
	half = casino_thirteenths_multiply(casino_thirteenths(1, 70), casino_thirteenths(1, 70));
	CHECK_INT(half.power, CASINO_THIRTEENTHS_LOST);
	CHECK_INT(casino_thirteenths_add(half, third).power, CASINO_THIRTEENTHS_LOST);
	CHECK_INT(casino_thirteenths_multiply(half, third).power > CASINO_THIRTEENTHS_MOST, 1);
	CHECK_INT(casino_thirteenths_over_13(half).power > CASINO_THIRTEENTHS_MOST, 1);
}

/* ---------- roulette ---------- */

static CasinoOdds
roulette_odds(void)
{
	static const int odds[][2] = {
		{CASINO_STRAIGHT, 35}, {CASINO_SPLIT, 17}, {CASINO_STREET, 11}, {CASINO_TRIO, 11}, {CASINO_CORNER, 8},
		{CASINO_FIRST_FOUR, 8}, {CASINO_SIX_LINE, 5}, {CASINO_DOZEN, 2}, {CASINO_COLUMN, 2}, {CASINO_RED, 1}
	};
	CasinoOdds	all;
	size_t		i;

	memset(&all, 0, sizeof(all));
	for (i = 0; i < sizeof(odds) / sizeof(odds[0]); i++)
	{
		all.lines[odds[i][0]][CASINO_WIN].num = odds[i][1];
		all.lines[odds[i][0]][CASINO_WIN].den = 1;
	}
	return all;
}

static void
test_roulette(void)
{
	/*
	 * kind, positions, numbers covered: D2 Americká ruleta, D4 Roulette (Synot) §21; 57 splits of the rows
	 * and three with zero
	 */
	static const int kinds[][3] = {
		{CASINO_STRAIGHT, 37, 1}, {CASINO_SPLIT, 60, 2}, {CASINO_STREET, 12, 3}, {CASINO_TRIO, 2, 3},
		{CASINO_CORNER, 22, 4}, {CASINO_FIRST_FOUR, 1, 4}, {CASINO_SIX_LINE, 11, 6}, {CASINO_DOZEN, 3, 12},
		{CASINO_COLUMN, 3, 12}, {CASINO_RED, 1, 18}, {CASINO_BLACK, 1, 18}, {CASINO_ODD, 1, 18},
		{CASINO_EVEN, 1, 18}, {CASINO_LOW, 1, 18}, {CASINO_HIGH, 1, 18}
	};
	static const struct
	{
		const char *stem;
		int			selections;
	}			announced[] = {
		{"tiers", 1}, {"voisins", 1}, {"orphelins", 1}, {"zero_game", 1}, {"jeu_7_9", 1},
		{"orphelins_plein", 1},
		{"neighbours", 370}, {"complete", 37}, {"semi_complete", 37}, {"finale_plein", 10},
		{"finale_cheval", 10}
	};
	CasinoOdds	odds = roulette_odds();
	CasinoOdds	none;
	size_t		i;
	int			k;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
	{
		line_count = 0;
		CHECK(casino_count_roulette(kinds[i][0], keep_line, NULL));
		check_whole();
		CHECK_INT(line_count, 2 * kinds[i][1]);
		for (k = 0; k < line_count; k++)
			CHECK_INT(lines[k].ways.word[0], strcmp(lines[k].grade, "win") == 0 ? kinds[i][2] :
					  37 - kinds[i][2]);
	}
	CHECK(!casino_count_roulette(CASINO_MAIN, keep_line, NULL));

	/* 36 / 37 comes back of every announced bet, as of what it is made of */
	for (i = 0; i < sizeof(announced) / sizeof(announced[0]); i++)
	{
		int64_t		sum = 0;
		int			selections = 0;

		line_count = 0;
		CHECK(casino_count_announced(announced[i].stem, &odds, keep_line, NULL));
		check_whole();
		for (k = 0; k < line_count; k++)
		{
			if (k == 0 || strcmp(lines[k].selection, lines[k - 1].selection) != 0)
			{
				CHECK_INT(sum, 0);
				sum = lines[k].den;
				selections++;
			}
			CHECK(lines[k].several);
			sum += (int64_t) lines[k].ways.word[0] * lines[k].num;
		}
		CHECK_INT(sum, 0);
		CHECK_INT(selections, announced[i].selections);
	}
	/* D4 Roulette (Synot) 21: 9 chips, of which two lie on the trio and two on the corner */
	line_count = 0;
	casino_count_announced("voisins", &odds, keep_line, NULL);
	CHECK_LINE("", "+15", "3", "37");
	CHECK_LINE("", "+9", "14", "37");
	CHECK_LINE("", "-9", "20", "37");
	/* complete:17 has 40 chips' worth of wins on 17 itself: 35 + 4 * 17 + 11 + 4 * 8 + 2 * 5 of 12 chips */
	line_count = 0;
	casino_count_announced("complete", &odds, keep_line, NULL);
	CHECK_LINE("17", "+156", "1", "37");
	memset(&none, 0, sizeof(none));
	CHECK(!casino_count_announced("voisins", &none, keep_line, NULL));
	CHECK(!casino_count_announced("voisin", &odds, keep_line, NULL));
	CHECK(!casino_count_announced("voisins:1", &odds, keep_line, NULL));
}

/* ---------- baccarat ---------- */

/*
 * Four cards in order out of the decks, graded as the extension does: pairs look at the first two of either
 * side only.
 */
static int64_t
graded_pairs(int kind, int decks)
{
	CasinoBet	bet = {.stake = 1, .kind = (uint8_t) kind};
	int64_t		won = 0;
	int			c[4];

	for (c[0] = 0; c[0] < 52; c[0]++)
		for (c[1] = 0; c[1] < 52; c[1]++)
			for (c[2] = 0; c[2] < 52; c[2]++)
				for (c[3] = 0; c[3] < 52; c[3]++)
				{
					CasinoHand	player = {2, {(CasinoCard) c[0], (CasinoCard) c[1]}};
					CasinoHand	banker = {2, {(CasinoCard) c[2], (CasinoCard) c[3]}};

					if (casino_grade_baccarat(&bet, &player, &banker) == CASINO_WIN)
						won += (int64_t) decks * (decks - (c[1] == c[0])) *
							(decks - (c[2] == c[0]) - (c[2] == c[1])) *
							(decks - (c[3] == c[0]) - (c[3] == c[1]) - (c[3] == c[2]));
				}
	return won;
}

static void
test_baccarat(void)
{
	static const char *const all = "4998398275503360";	/* 416 * 415 * 414 * 413 * 412 * 411 */
	int			kind;

	for (kind = CASINO_PLAYER; kind <= CASINO_PERFECT_PAIR; kind++)
	{
		line_count = 0;
		CHECK(casino_count_baccarat(kind, 8, keep_line, NULL));
		check_whole();
		line_count = 0;
		CHECK(casino_count_baccarat(kind, 1, keep_line, NULL));
		check_whole();
	}
	CHECK(!casino_count_baccarat(CASINO_MAIN, 8, keep_line, NULL));
	CHECK(!casino_count_baccarat(CASINO_PLAYER, 0, keep_line, NULL));
	CHECK(!casino_count_baccarat(CASINO_PLAYER, 31, keep_line, NULL));

	/* the counts of eight decks as the literature has them (Griffin; Wizard of Odds) */
	line_count = 0;
	casino_count_baccarat(CASINO_PLAYER, 8, keep_line, NULL);
	CHECK_LINE("", "win", "2230518282592256", all);
	CHECK_LINE("", "lose", "2292252566437888", all);
	CHECK_LINE("", "push", "475627426473216", all);
	line_count = 0;
	casino_count_baccarat(CASINO_BANKER, 8, keep_line, NULL);
	CHECK_LINE("", "win", "2292252566437888", all);
	line_count = 0;
	casino_count_baccarat(CASINO_TIE, 8, keep_line, NULL);
	CHECK_LINE("", "win", "475627426473216", all);
	line_count = 0;
	casino_count_baccarat(CASINO_PLAYER_PAIR, 8, keep_line, NULL);
	CHECK_LINE("", "win", "6448", "86320");

	for (kind = CASINO_ANY_PAIR; kind <= CASINO_PERFECT_PAIR; kind++)
	{
		line_count = 0;
		casino_count_baccarat(kind, 8, keep_line, NULL);
		CHECK_INT(lines[0].ways.word[0], graded_pairs(kind, 8));
		line_count = 0;
		casino_count_baccarat(kind, 2, keep_line, NULL);
		CHECK_INT(lines[0].ways.word[0], graded_pairs(kind, 2));
	}
}

/* ---------- blackjack, side bets ---------- */

static CasinoBlackjackRules
decks_only(int decks, bool own_blackjack)
{
	CasinoBlackjackRules rules;

	memset(&rules, 0, sizeof(rules));
	rules.decks = (uint8_t) decks;
	rules.insurance_own_blackjack = own_blackjack ? 1 : 0;
	return rules;
}

/* Three cards in order, graded as wagers on a round: six orders of each hand. */
static void
check_three_graded(int kind, const CasinoBlackjackRules *rules)
{
	int64_t		won[CASINO_GRADE_END] = {0};
	int			decks = rules->decks;
	int			c[3];
	int			i;

	for (c[0] = 0; c[0] < 52; c[0]++)
		for (c[1] = 0; c[1] < 52; c[1]++)
			for (c[2] = 0; c[2] < 52; c[2]++)
			{
				CasinoHand	own = {2, {(CasinoCard) c[0], (CasinoCard) c[1]}};
				CasinoHand	dealer = {1, {(CasinoCard) c[2]}};
				CasinoBlackjackWager wager = {rules, &own, &own, NULL, &dealer, 0};

				won[casino_grade_blackjack(kind, &wager)] += (int64_t) decks * (decks - (c[1] == c[0])) *
					(decks - (c[2] == c[0]) - (c[2] == c[1]));
			}
	for (i = 0; i < CASINO_GRADE_END; i++)
	{
		if (won[i] > 0)
			CHECK_INT(won[i], 6 * (int64_t) line_of("", casino_grade_name((CasinoGrade) i))->ways.word[0]);
	}
}

/* The dealer's hands card by card, and two kinds of hand of the player, graded as wagers. */
typedef struct Graded
{
	const CasinoBlackjackRules *rules;
	int			kind;
	CasinoHand	own;
	int			left[11];
	int			all;
	CasinoBig	ways[CASINO_GRADE_END];
} Graded;

static void
grade_dealer(Graded *graded, CasinoHand *dealer, CasinoBig ways)
{
	CasinoBlackjackWager wager = {graded->rules, &graded->own, &graded->own, NULL, dealer, 0};
	int			value;
	int			rest;

	if (casino_blackjack_dealer_suffices(graded->rules, dealer, CASINO_NEEDS_WHOLE_HAND))
	{
		CasinoGrade grade = casino_grade_blackjack(graded->kind, &wager);

		for (rest = 0; rest < CASINO_COUNT_DEALER_CARDS - dealer->count; rest++)
			ways = casino_big_multiply(ways, casino_big(graded->all - rest));
		graded->ways[grade] = casino_big_add(graded->ways[grade], ways);
		return;
	}
	for (value = 1; value <= 10; value++)
	{
		if (graded->left[value] == 0)
			continue;
		graded->left[value]--;
		graded->all--;
		dealer->cards[dealer->count++] = casino_card_make(value == 1 ? CASINO_RANK_A : value - 2, 1);
		grade_dealer(graded, dealer, casino_big_multiply(ways, casino_big(graded->left[value] + 1)));
		dealer->count--;
		graded->left[value]++;
		graded->all++;
	}
}

/* All pairs of values the player may hold, with all hands of the dealer: 55 shoes. */
static void
check_dealer_graded(int kind, const CasinoBlackjackRules *rules)
{
	Graded		graded = {.rules = rules, .kind = kind};
	CasinoBig	all = casino_big(0);
	int			a;
	int			b;
	int			i;

	for (a = 1; a <= 10; a++)
	{
		for (b = a; b <= 10; b++)
		{
			CasinoHand	dealer = {0, {0}};
			int64_t		ways;

			for (i = 1; i <= 10; i++)
				graded.left[i] = (i == 10 ? 16 : 4) * rules->decks;
			ways = a == b ? (int64_t) graded.left[a] * (graded.left[a] - 1) / 2
				: (int64_t) graded.left[a] * graded.left[b];
			graded.left[a]--;
			graded.left[b]--;
			graded.all = 52 * rules->decks - 2;
			graded.own.count = 2;
			graded.own.cards[0] = casino_card_make(a == 1 ? CASINO_RANK_A : a - 2, 0);
			graded.own.cards[1] = casino_card_make(b == 1 ? CASINO_RANK_A : b - 2, 0);
			grade_dealer(&graded, &dealer, casino_big(ways));
		}
	}
	for (i = 0; i < CASINO_GRADE_END; i++)
		all = casino_big_add(all, graded.ways[i]);
	for (i = 1; i < CASINO_GRADE_END; i++)
	{
		const CasinoCountLine *line = line_of("", casino_grade_name((CasinoGrade) i));

		/* as fractions: Push 22 is counted without the player's cards */
		if (!casino_big_is_zero(graded.ways[i]) || !casino_big_is_zero(line->ways))
			CHECK_INT(casino_big_compare(casino_big_multiply(graded.ways[i], line->of),
										 casino_big_multiply(line->ways, all)), 0);
	}
}

static void
test_side_bets(void)
{
	static const int three[] = {CASINO_21_PLUS_3, CASINO_TOP3, CASINO_LUCKY_LUCKY, CASINO_HOT3};
	static const int others[] = {CASINO_PLAYER_PAIR, CASINO_DEALER_PAIR, CASINO_BUSTER, CASINO_BUST_IT,
		CASINO_PUSH22,
	CASINO_INSURANCE};
	static const int deck_counts[] = {1, 6, 8};
	size_t		i;
	size_t		d;

	for (d = 0; d < 3; d++)
	{
		CasinoBlackjackRules rules = decks_only(deck_counts[d], true);

		for (i = 0; i < sizeof(three) / sizeof(three[0]); i++)
		{
			line_count = 0;
			CHECK(casino_count_blackjack(three[i], &rules, keep_line, NULL));
			check_whole();
			check_three_graded(three[i], &rules);
		}
		for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		{
			line_count = 0;
			CHECK(casino_count_blackjack(others[i], &rules, keep_line, NULL));
			check_whole();
		}
	}
}

/* Eight decks: counts worked out by formulas, returns by another program. */
static void
test_side_bet_counts(void)
{
	CasinoBlackjackRules rules = decks_only(8, true);
	CasinoBlackjackRules not_own = decks_only(6, false);

	line_count = 0;
	casino_count_blackjack(CASINO_21_PLUS_3, &rules, keep_line, NULL);
	CHECK_LINE("", "suited_trips", "2912", "11912160");
	CHECK_LINE("", "straight_flush", "24576", "11912160");
	CHECK_LINE("", "trips", "61568", "11912160");
	CHECK_LINE("", "straight", "368640", "11912160");
	CHECK_LINE("", "flush", "700928", "11912160");
	line_count = 0;
	casino_count_blackjack(CASINO_DEALER_PAIR, &rules, keep_line, NULL);
	CHECK_LINE("", "suited_pair", "1456", "86320");
	CHECK_LINE("", "coloured_pair", "1664", "86320");
	CHECK_LINE("", "mixed_pair", "3328", "86320");

	line_count = 0;
	casino_count_blackjack(CASINO_BUSTER, &rules, keep_line, NULL);
	check_dealer_graded(CASINO_BUSTER, &rules);
	line_count = 0;
	casino_count_blackjack(CASINO_BUST_IT, &rules, keep_line, NULL);
	check_dealer_graded(CASINO_BUST_IT, &rules);

	line_count = 0;
	casino_count_blackjack(CASINO_PUSH22, &rules, keep_line, NULL);
	check_dealer_graded(CASINO_PUSH22, &rules);

	line_count = 0;
	casino_count_blackjack(CASINO_INSURANCE, &rules, keep_line, NULL);
	CHECK_LINE("", "win", "128", "415");
	CHECK_LINE("own_blackjack", "win", "127", "413");
	CHECK_INT(line_count, 6);
	/* all hands are those of both kinds: 128 * C(414,2) ways = 31 * 128 * 127 + these */
	CHECK_LINE("no_blackjack", "win", "10438912", "33839981");
	line_count = 0;
	casino_count_blackjack(CASINO_INSURANCE, &not_own, keep_line, NULL);
	CHECK_INT(line_count, 2);
	CHECK_TEXT(lines[0].selection, "no_blackjack");
	CHECK(!casino_count_blackjack(CASINO_MAIN, &rules, keep_line, NULL));
}

/* ---------- Casino Hold'em ---------- */

static CasinoOdds
holdem_odds(int flush)
{
	static const int odds[CASINO_HOLDEM_LINES] = {100, 20, 10, 3, 2, 1};
	CasinoOdds	all;
	int			i;

	memset(&all, 0, sizeof(all));
	for (i = 0; i < CASINO_HOLDEM_LINES; i++)
	{
		all.lines[CASINO_ANTE][casino_holdem_line_grades[i]].num = odds[i];
		all.lines[CASINO_ANTE][casino_holdem_line_grades[i]].den = 1;
	}
	all.lines[CASINO_ANTE][CASINO_FLUSH].num = flush;
	all.lines[CASINO_CALL][CASINO_WIN].num = all.lines[CASINO_CALL][CASINO_WIN].den = 1;
	return all;
}

/* Case of a deal by the extension's grades of ante and call. */
static int
graded_case(const CasinoHand *player, const CasinoHand *board, const CasinoHand *dealer)
{
	static const CasinoBet ante = {.stake = 1, .kind = CASINO_ANTE};
	static const CasinoBet call = {.stake = 1, .kind = CASINO_CALL};
	CasinoGrade of_ante = casino_grade_holdem(&ante, player, board, dealer, true);
	CasinoGrade of_call = casino_grade_holdem(&call, player, board, dealer, true);
	int			line;

	if (of_ante == CASINO_PUSH)
		return CASINO_HOLDEM_PUSHED;
	if (of_ante == CASINO_LOSE)
		return CASINO_HOLDEM_LOST;
	for (line = 0; line < CASINO_HOLDEM_LINES && casino_holdem_line_grades[line] != of_ante; line++)
		;
	return line + (of_call == CASINO_PUSH ? CASINO_HOLDEM_UNQUALIFIED : CASINO_HOLDEM_WON);
}

/* All 1,070,190 deals on a board, graded one by one. */
static void
check_board(const char *text)
{
	static BoardPair pairs[BOARD_PAIRS];
	CasinoHand	board;
	CasinoError error;
	int			wrong = 0;
	int			i;
	int			k;
	int			n;

	CHECK(casino_hand_parse(text, strlen(text), &board, &error));
	count_board(board.cards, pairs);
	for (i = 0; i < BOARD_PAIRS; i++)
	{
		CasinoHand	player = {2, {pairs[i].a, pairs[i].b}};
		int			dealers[CASINO_HOLDEM_CASES] = {0};

		for (k = 0; k < BOARD_PAIRS; k++)
		{
			CasinoHand	dealer = {2, {pairs[k].a, pairs[k].b}};

			if (pairs[k].a != pairs[i].a && pairs[k].a != pairs[i].b && pairs[k].b != pairs[i].a &&
				pairs[k].b != pairs[i].b)
				dealers[graded_case(&player, &board, &dealer)]++;
		}
		for (n = 0; n < CASINO_HOLDEM_CASES; n++)
			wrong += dealers[n] != pairs[i].dealers[n] ? 1 : 0;
	}
	count_check(wrong == 0, __FILE__, __LINE__, "graded board", text);
}

static void
test_holdem(void)
{
	/* a royal flush on the board, nothing, pairs, a flush, trips, a straight, two pairs */
	static const char *const boards[] = {"As Ks Qs Js Ts", "2c 7d 9h Js Kc", "4c 4d 9h Js Kc",
		"3c 3d 9h Js Kc",
	"2h 7h 9h Jh Kc", "8c 8d 8h 2s 3c", "5c 6d 7h 8s 9c", "As Ad 4c 4h 9d"};
	CasinoOdds	odds = holdem_odds(2);
	CasinoOdds	other = holdem_odds(3);
	size_t		i;

	for (i = 0; i < sizeof(boards) / sizeof(boards[0]); i++)
		check_board(boards[i]);

	line_count = 0;
	CHECK(casino_count_holdem(CASINO_ANTE, &odds, keep_line, NULL));
	check_whole();
	/* all deals: 1,326 hands, 19,600 flops, 1,081 turns and rivers, 990 hands of the dealer */
	CHECK_BIG(lines[0].of, "27813810024000");

	/*
	 * nobody folds a royal flush in sight: of 4,324 sets of seven cards with one, 21 hands and 10 flops in
	 * each, 990 hands of the dealer, less the four on the board, which push
	 */
	CHECK_LINE("", "royal_flush", "856152000", "27813810024000");
	CHECK_INT(INT64_C(4324) * 21 * 10 * 990 - INT64_C(4) * 1081 * 10 * 990, 856152000);
	/* the literature has 18 % of hands folded (R8.7) */
	CHECK_LINE("with_call", "-1", "5009067102600", "27813810024000");
	line_count = 0;
	CHECK(casino_count_holdem(CASINO_CALL, &odds, keep_line, NULL));
	check_whole();
	CHECK(!casino_count_holdem(CASINO_ANTE, &other, keep_line, NULL));
	CHECK(!casino_count_holdem(CASINO_MAIN, &odds, keep_line, NULL));

	/*
	 * five cards: the well-known numbers of hands, and the ace's pairs and what is worth more up to a
	 * straight
	 */
	line_count = 0;
	CHECK(casino_count_holdem(CASINO_AA, &odds, keep_line, NULL));
	check_whole();
	CHECK_LINE("", "royal_flush", "4", "2598960");
	CHECK_LINE("", "straight_flush", "36", "2598960");
	CHECK_LINE("", "four_of_a_kind", "624", "2598960");
	CHECK_LINE("", "full_house", "3744", "2598960");
	CHECK_LINE("", "flush", "5108", "2598960");
	/* 10,200 straights, 54,912 threes, 123,552 two pairs, 84,480 pairs of aces */
	CHECK_LINE("", "pair_of_aces", "273144", "2598960");
	CHECK_INT(10200 + 54912 + 123552 + 84480, 273144);
	/* of five ranks up to the highest, with 1,024 suits each: 1, 5, 15, 35 ... sets */
	line_count = 0;
	CHECK(casino_count_holdem(CASINO_RAZZ, &odds, keep_line, NULL));
	check_whole();
	CHECK_LINE("", "wheel_suited", "4", "2598960");
	CHECK_LINE("", "wheel", "1020", "2598960");
	CHECK_LINE("", "six", "5120", "2598960");
	CHECK_LINE("", "seven", "15360", "2598960");
	CHECK_LINE("", "eight", "35840", "2598960");
	CHECK_LINE("", "nine", "71680", "2598960");
	CHECK_LINE("", "ten", "129024", "2598960");
	CHECK_LINE("", "jack", "215040", "2598960");
}

/* ---------- blackjack, best play ---------- */

/* Rules that matter here, as the plan data has them: D0, D1, D2, D3, then D4's games. (R8.3) */
static const char *const rule_lines[] = {
	"decks 6 6 6 6 8 8 8",
	"hole_card false false false false true true true",
	"dealer_16 draw either draw draw draw draw draw",
	"double_on any 9-11 any any any any any",
	"double_after_split true false false true true true true",
	"split_on rank value value value value value value",
	"max_hands 4 2 4 4 2 2 2",
	"resplit_aces true false false true false false false",
	"cards_on_split_ace 1 1 1 1 1 1 1",
	"even_money ace none ace ace_or_ten none none none",
	"surrender none none none none table none table",
	"charlie_cards 0 0 0 0 0 10 6",
	"charlie_beats_dealer_blackjack false false false false false false true",
	"dealer_22 players_win players_win players_win push players_win players_win players_win",
	"doubled_returned_on_ten_ace false false false false true true true",
	"draw_on_21 false true true false true true true",
	"must_draw_to 0 0 0 11 0 0 0",
	"free_split_on none none none not_tens none none none",
	"free_double_on none none none 9-11_no_ace none none none"
};

static CasinoBlackjackRules
rules_of(int game)
{
	CasinoBlackjackRules rules;
	CasinoError error;
	size_t		i;

	memset(&rules, 0, sizeof(rules));
	for (i = 0; i < sizeof(rule_lines) / sizeof(rule_lines[0]); i++)
	{
		char		line[256];
		char	   *name;
		char	   *value;
		int			n;

		snprintf(line, sizeof(line), "%s", rule_lines[i]);
		name = value = strtok(line, " ");
		for (n = 0; n <= game; n++)
			value = strtok(NULL, " ");
		CHECK(casino_blackjack_rule_set(&rules, name, value, &error));
	}
	return rules;
}

static CasinoOdds
blackjack_odds(void)
{
	static const int kinds[] = {CASINO_MAIN, CASINO_DOUBLE_DOWN, CASINO_SPLIT_PAIR, CASINO_FREE_SPLIT,
	CASINO_FREE_DOUBLE};
	static const struct
	{
		CasinoGrade grade;
		int			num;
		int			den;
	}			grades[] = {
		{CASINO_WIN, 1, 1}, {CASINO_PUSH, 0, 1}, {CASINO_CHARLIE, 1, 1}, {CASINO_RETURNED, 0, 1},
		{CASINO_BLACKJACK, 3, 2}, {CASINO_EVEN_MONEY, 1, 1}, {CASINO_SURRENDER, -1, 2}
	};
	CasinoOdds	odds;
	size_t		k;
	size_t		g;

	memset(&odds, 0, sizeof(odds));
	for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
	{
		for (g = 0; g < (kinds[k] == CASINO_MAIN ? 7u : 4u); g++)
		{
			odds.lines[kinds[k]][grades[g].grade].num = grades[g].num;
			odds.lines[kinds[k]][grades[g].grade].den = grades[g].den;
		}
	}
	return odds;
}

/* What comes back of a stake, as a fraction of another program. */
static void
check_return(const char *num, const char *den, int line)
{
	CasinoBig	back = casino_big(0);	/* times the common denominator 2 of the odds */
	int			i;

	check_whole();
	for (i = 0; i < line_count; i++)
		back = casino_big_add(back, casino_big_multiply(lines[i].ways,
														casino_big((lines[i].num + lines[i].den) *
																   2 / lines[i].den)));
	count_check(casino_big_compare(casino_big_multiply(back, parse(den)),
								   casino_big_multiply(casino_big_multiply(lines[0].of, casino_big(2)),
													   parse(num))) == 0,
				__FILE__, line, "return of the best play", num);
}

/*
 * The fractions are those of a program in another language that shares nothing
 * with this one: it works with expectations alone, over values and not ranks,
 * and lists the hands that wait after a split one by one.
 */
static void
test_play(void)
{
	static const struct
	{
		int			game;
		bool		surrender;
		const char *num;
		const char *den;
	}			returns[] = {
		{0, false, "91224258670830064346298532481", "91733330193268616658399616009"},	/* 99.445053 % */
		{1, false, "90923507654613190677616333930", "91733330193268616658399616009"},	/* 99.117199 % */
		{2, false, "91032267579007923714913870612", "91733330193268616658399616009"},	/* 99.235760 % */
		/* 99.321966 % */
		{3, false, "33829005223858479667990847335248955", "34059943367449284484947168626829637"},
		{4, false, "91338237303100240148719225359", "91733330193268616658399616009"},	/* 99.569303 % */
		{4, true, "91932536811733395347690856334", "91733330193268616658399616009"},	/* 100.217158 % */
		{5, false, "246000431293186255613024", "247064529073450392704413"}, /* 99.569304 % */
		{6, false, "8631193759587329737", "8650415919381337933"},	/* 99.777789 % */
		{6, true, "17373168636909771111", "17300831838762675866"}	/* 100.418112 % */
	};
	CasinoOdds	odds = blackjack_odds();
	CasinoBlackjackRules rules;
	size_t		i;

	for (i = 0; i < sizeof(returns) / sizeof(returns[0]); i++)
	{
		rules = rules_of(returns[i].game);
		line_count = 0;
		CHECK(casino_count_play(&rules, &odds, returns[i].surrender, "", keep_line, NULL));
		check_return(returns[i].num, returns[i].den, __LINE__);
	}
	/* a blackjack that the dealer has not: 2 * 4/169 * (1 - 2 * 4/169) */
	CHECK_INT(casino_big_compare(casino_big_multiply(line_of("", "+1.5")->ways, casino_big(169 * 169)),
								 casino_big_multiply(lines[0].of, casino_big(8 * 161))), 0);
	CHECK_TEXT(lines[0].grade, "+4");

	/* what is not counted says so */
	rules = rules_of(0);
	rules.cards_on_split_ace = 2;
	CHECK(!casino_count_play(&rules, &odds, false, "", keep_line, NULL));
	rules = rules_of(0);
	rules.max_hands = 7;
	CHECK(!casino_count_play(&rules, &odds, false, "", keep_line, NULL));
	rules = rules_of(0);
	odds.lines[CASINO_SPLIT_PAIR][CASINO_WIN].num = 2;
	CHECK(!casino_count_play(&rules, &odds, false, "", keep_line, NULL));
	odds = blackjack_odds();
	odds.lines[CASINO_MAIN][CASINO_BLACKJACK].den = 0;
	CHECK(!casino_count_play(&rules, &odds, false, "", keep_line, NULL));
}

/* Rules that no plan has together: still all chances add up. */
static void
test_any_rules(void)
{
	static const uint8_t charlies[] = {0, 3, 4, 7, 21};
	static const uint8_t hands[] = {1, 2, 3, 6};
	CasinoOdds	odds = blackjack_odds();
	int			i;

	for (i = 0; i < 20; i++)
	{
		CasinoBlackjackRules rules = rules_of(i % 7);

		rules.charlie_cards = charlies[i % 5];
		rules.max_hands = hands[i % 4];
		rules.cards_on_split_ace = (uint8_t) (i % 2);
		rules.resplit_aces = (uint8_t) (i / 2 % 2);
		rules.split_on = (uint8_t) (i % 3 == 0 ? CASINO_SPLIT_ON_RANK : CASINO_SPLIT_ON_VALUE);
		rules.dealer_22 = (uint8_t) (i % 5 == 1 ? CASINO_DEALER_22_PUSH : CASINO_DEALER_22_PLAYERS_WIN);
		rules.draw_on_21 = (uint8_t) (i % 2);
		line_count = 0;
		CHECK(casino_count_play(&rules, &odds, i % 2 == 0, "", keep_line, NULL));
		check_whole();
	}
}

int
main(void)
{
	test_big();
	test_roulette();
	test_baccarat();
	test_side_bets();
	test_side_bet_counts();
	test_holdem();
	test_play();
	test_any_rules();
	return conclude("count");
}
