/*
 * unit.c
 *	  Unit program of the pure core: no server, no library.
 *
 * Expected values come from the documents or from counting done here in
 * another way, never from the code under test.
 */
#include "core/games/announced.h"
#include "core/games/baccarat.h"
#include "core/bet.h"
#include "core/card.h"
#include "check.h"
#include "core/error.h"
#include "core/hand.h"
#include "core/layout.h"
#include "core/money.h"
#include "core/games/position.h"
#include "core/games/roulette.h"

static CasinoError err;

/* ---------- error ---------- */

static void
test_error(void)
{
	char		longer[400];

	CHECK(!casino_fail(&err, CASINO_MALFORMED, "%d is \"%.*s\".", 7, 3, "a\xFF\n"));
	CHECK_INT(err.code, CASINO_MALFORMED);
	CHECK_TEXT(err.detail, "7 is \"a??\".");
	casino_fail(&err, CASINO_ILLEGAL_OUTCOME, "D4 Baccarat §9.");
	CHECK_TEXT(err.detail, "D4 Baccarat §9.");
	casino_fail(&err, CASINO_MALFORMED, "%s", "§");
	CHECK_TEXT(err.detail, "??");
	casino_fail(&err, CASINO_MALFORMED, "\xC2 \xA7 \x7F~");
	CHECK_TEXT(err.detail, "? ? ?~");
	memset(longer, 'x', sizeof(longer));
	longer[191] = '\0';
	casino_fail(&err, CASINO_OUT_OF_RANGE, "%s", longer);
	CHECK_TEXT(err.detail, longer);
	longer[191] = 'x';
	longer[399] = '\0';
	casino_fail(&err, CASINO_OUT_OF_RANGE, "%s", longer);
	CHECK_INT(strlen(err.detail), 191);
	CHECK_TEXT(err.detail + 187, "x...");
}

/* ---------- card and hand ---------- */

static size_t
scan(const char *text, CasinoCard *card)
{
	return casino_card_scan(text, strlen(text), card);
}

static void
test_card(void)
{
	static const char *const ranks[] = {"2", "3", "4", "5", "6", "7", "8", "9", "T",
	"J", "Q", "K", "A"};
	static const char *const suits[] = {"c", "d", "h", "s"};
	static const char *const symbols[] = {"♣", "♦", "♥", "♠"};
	static const char *const refused[] = {"", "A", "s", "as", "AS", "1s", "0s", "10", "100d",
	"td", "A ", " As", "Ax", "\xE2\x99\xA0", "A\xE2\x99", "A\xE2\x99\xA1", "11d", "Xs"};
	CasinoCard	card;
	char		text[8];
	size_t		i;
	int			rank;
	int			suit;

	for (rank = 0; rank < 13; rank++)
	{
		for (suit = 0; suit < 4; suit++)
		{
			card = 99;
			snprintf(text, sizeof(text), "%s%s", ranks[rank], suits[suit]);
			CHECK_FOR(scan(text, &card) == 2 && card == rank * 4 + suit, text);
			CHECK(casino_card_rank(card) == rank && casino_card_suit(card) == suit);
			CHECK(casino_card_make(rank, suit) == card && casino_card_is_valid(card));
			casino_card_print(card, text + 4);
			CHECK_FOR(memcmp(text, text + 4, 2) == 0, text);
			card = 99;
			snprintf(text, sizeof(text), "%s%s", ranks[rank], symbols[suit]);
			CHECK_FOR(scan(text, &card) == 4 && card == rank * 4 + suit, text);
		}
	}
	CHECK(scan("10d", &card) == 3 && card == 8 * 4 + 1);
	CHECK(scan("10♥", &card) == 5 && card == 8 * 4 + 2);
	CHECK(scan("AsKd", &card) == 2 && card == 51);
	CHECK(scan("2c ", &card) == 2 && card == 0);
	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		CHECK_FOR(scan(refused[i], &card) == 0, refused[i]);
	CHECK(casino_card_scan("A\0s", 3, &card) == 0);
	CHECK(casino_card_scan("\0s", 2, &card) == 0);
	CHECK(casino_card_scan("As", 1, &card) == 0);
	CHECK(casino_card_scan("As", 0, &card) == 0);
	CHECK(casino_card_is_valid(51) && !casino_card_is_valid(52) && !casino_card_is_valid(255));
	casino_card_print(52, text);
	CHECK(memcmp(text, "??", 2) == 0);
}

static bool
parse_hand(const char *text, CasinoHand *hand)
{
	memset(&err, 0, sizeof(err));
	return casino_hand_parse(text, strlen(text), hand, &err);
}

static void
test_hand(void)
{
	static const char *const refused[] = {"As,Td", "as", "A s", "As T", "As Td 5", "10", "x", "As\xC2\xA0"};
	CasinoHand	hand;
	CasinoHand	other;
	char		text[CASINO_HAND_TEXT_SIZE];
	char		longest[CASINO_HAND_TEXT_SIZE];
	uint8_t		bytes[CASINO_HAND_MAX + 1];
	char		cards[64] = "";
	size_t		i;

	CHECK(parse_hand("", &hand) && hand.count == 0);
	CHECK(casino_hand_print(&hand, text) == 0 && text[0] == '\0');
	CHECK(parse_hand(" \t\n\v\f\r", &hand) && hand.count == 0);
	CHECK(parse_hand(" As\tT♦10h5c \n", &hand) && hand.count == 4);
	CHECK_INT(casino_hand_print(&hand, text), 11);
	CHECK_TEXT(text, "As Td Th 5c");
	CHECK(parse_hand("AsAsAs", &hand) && hand.count == 3 && hand.cards[2] == 51 && hand.cards[3] == 0);
	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
	{
		CHECK_FOR(!parse_hand(refused[i], &hand), refused[i]);
		CHECK_INT(err.code, CASINO_MALFORMED);
	}
	CHECK(!casino_hand_parse("As\0", 3, &hand, &err));
	for (i = 0; i < 24; i++)
		strcat(cards, "As");
	CHECK(parse_hand(cards, &hand) && hand.count == 24);
	CHECK_INT(casino_hand_print(&hand, longest), 24 * 3 - 1);
	CHECK(parse_hand(longest, &other) && memcmp(&hand, &other, sizeof(hand)) == 0);
	strcat(cards, "2c");
	CHECK(!parse_hand(cards, &other));
	CHECK_INT(err.code, CASINO_MALFORMED);
	CHECK(strstr(err.detail, "24 cards at most") != NULL);

	memset(bytes, 51, sizeof(bytes));
	CHECK(casino_hand_from_cards(bytes, 24, &other, &err) && memcmp(&hand, &other, sizeof(hand)) == 0);
	CHECK(!casino_hand_from_cards(bytes, 25, &other, &err) && err.code == CASINO_MALFORMED);
	bytes[1] = 52;
	CHECK(!casino_hand_from_cards(bytes, 2, &other, &err) && err.code == CASINO_MALFORMED);
	CHECK(other.count == 24);
	CHECK(casino_hand_from_cards(bytes, 1, &other, &err) && other.count == 1 && other.cards[1] == 0);
	CHECK(casino_hand_from_cards(NULL, 0, &other, &err) && other.count == 0 && other.cards[0] == 0);
	CHECK(casino_hand_from_cards(hand.cards + 22, 2, &hand, &err) && hand.count == 2 && hand.cards[2] == 0);
}

/* ---------- layout and roulette ---------- */

/* the layout as a grid, for counting in another way than the code */
static int
grid_row(int number)
{
	return (number - 1) / 3;
}

static int
grid_place(int number)
{
	return (number - 1) % 3;
}

static bool
grid_neighbours(int a, int b)
{
	int			rows = grid_row(b) - grid_row(a);
	int			places = grid_place(b) - grid_place(a);

	if (a == 0)
		return b <= 3;
	return rows * rows + places * places == 1;
}

/* a set, ascending: how wide and high is the smallest rectangle around it */
static bool
grid_is_full(const uint8_t *n, int count, int height, int width)
{
	int			i;
	int			low_row = 99;
	int			high_row = -1;
	int			low_place = 99;
	int			high_place = -1;

	if (n[0] == 0 || count != height * width)
		return false;
	for (i = 0; i < count; i++)
	{
		int			row = grid_row(n[i]);
		int			place = grid_place(n[i]);

		low_row = row < low_row ? row : low_row;
		high_row = row > high_row ? row : high_row;
		low_place = place < low_place ? place : low_place;
		high_place = place > high_place ? place : high_place;
	}
	return high_row - low_row == height - 1 && high_place - low_place == width - 1;
}

/* D2 Výherní možnosti; D4 Roulette (Synot) 26: odds to 1 by kind */
static const int roulette_odds[] = {
	[CASINO_STRAIGHT] = 35, [CASINO_SPLIT] = 17, [CASINO_STREET] = 11, [CASINO_TRIO] = 11,
	[CASINO_CORNER] = 8, [CASINO_FIRST_FOUR] = 8, [CASINO_SIX_LINE] = 5,
	[CASINO_DOZEN] = 2, [CASINO_COLUMN] = 2, [CASINO_RED] = 1, [CASINO_BLACK] = 1,
	[CASINO_ODD] = 1, [CASINO_EVEN] = 1, [CASINO_LOW] = 1, [CASINO_HIGH] = 1
};

/* Is it a position of one number or two? */
static bool
is_position(int kind, size_t count, int a, int b)
{
	const uint8_t numbers[2] = {(uint8_t) a, (uint8_t) b};

	return casino_layout_is_position(kind, numbers, count);
}

/* sum over the 37 numbers of profit or loss of one unit: must be -1 */
static int
sum_of_returns(int kind, const uint8_t *numbers, size_t count)
{
	CasinoBet	bet;
	int			sum = 0;
	int			covered = 0;
	int			n;

	if (!casino_bet_make(kind, numbers, count, 100, &bet, &err))
		return -999;
	for (n = 0; n <= 36; n++)
	{
		CasinoGrade grade = casino_grade_roulette(&bet, n);

		covered += casino_bet_covers(&bet, n);
		if ((grade == CASINO_WIN) != casino_bet_covers(&bet, n))
			return -998;
		sum += grade == CASINO_WIN ? roulette_odds[kind] : -1;
	}
	return covered == casino_bet_kind_covers(bet.kind) ? sum : -997;
}

static void
try_position(int kind, const uint8_t *numbers, int count, bool expected, int *positions)
{
	bool		is = casino_layout_is_position(kind, numbers, (size_t) count);

	if (is != expected || is)	/* a passed check for each position, not for each set */
		CHECK(is == expected);
	if (!is)
		return;
	(*positions)++;
	CHECK_INT(sum_of_returns(kind, numbers, (size_t) count), -1);
}

static void
test_positions(void)
{
	int			n[CASINO_SIX_LINE + 1] = {0};
	uint8_t		s[6];
	int			a,
				b,
				c,
				d,
				e,
				f;
	int			kind;

	for (a = 0; a <= 36; a++)
	{
		s[0] = (uint8_t) a;
		try_position(CASINO_STRAIGHT, s, 1, true, &n[CASINO_STRAIGHT]);
		for (b = a + 1; b <= 36; b++)
		{
			s[1] = (uint8_t) b;
			try_position(CASINO_SPLIT, s, 2, grid_neighbours(a, b), &n[CASINO_SPLIT]);
			for (c = b + 1; c <= 36; c++)
			{
				s[2] = (uint8_t) c;
				try_position(CASINO_STREET, s, 3, grid_is_full(s, 3, 1, 3), &n[CASINO_STREET]);
				try_position(CASINO_TRIO, s, 3, a == 0 && c <= 3 && (b == 2 || c == 2), &n[CASINO_TRIO]);
				for (d = c + 1; d <= 36; d++)
				{
					s[3] = (uint8_t) d;
					try_position(CASINO_CORNER, s, 4, grid_is_full(s, 4, 2, 2), &n[CASINO_CORNER]);
					try_position(CASINO_FIRST_FOUR, s, 4, d == 3, &n[CASINO_FIRST_FOUR]);
					for (e = d + 1; e <= 36; e++)
					{
						s[4] = (uint8_t) e;
						for (f = e + 1; f <= 36; f++)
						{
							s[5] = (uint8_t) f;
							try_position(CASINO_SIX_LINE, s, 6, grid_is_full(s, 6, 2, 3),
										 &n[CASINO_SIX_LINE]);
						}
					}
				}
			}
		}
	}
	CHECK_INT(n[CASINO_STRAIGHT], 37);
	CHECK_INT(n[CASINO_SPLIT], 60);
	CHECK_INT(n[CASINO_STREET], 12);
	CHECK_INT(n[CASINO_TRIO], 2);
	CHECK_INT(n[CASINO_CORNER], 22);
	CHECK_INT(n[CASINO_FIRST_FOUR], 1);
	CHECK_INT(n[CASINO_SIX_LINE], 11);

	for (a = 1; a <= 3; a++)
	{
		s[0] = (uint8_t) a;
		CHECK_INT(sum_of_returns(CASINO_DOZEN, s, 1), -1);
		CHECK_INT(sum_of_returns(CASINO_COLUMN, s, 1), -1);
	}
	for (kind = CASINO_RED; kind <= CASINO_HIGH; kind++)
		CHECK_INT(sum_of_returns(kind, NULL, 0), -1);
	CHECK(!is_position(CASINO_SPLIT, 2, 4, 1));
	CHECK(!casino_layout_is_position(CASINO_STRAIGHT, s, 0));
	CHECK(!is_position(CASINO_STRAIGHT, 1, 37, 0));
	CHECK(!is_position(CASINO_SPLIT, 2, 36, 39));
	CHECK(!is_position(CASINO_SPLIT, 2, 0, 4));
	CHECK(!is_position(CASINO_SPLIT, 2, 3, 4));
	CHECK(!is_position(CASINO_DOZEN, 1, 1, 0));
	CHECK(!is_position(0, 1, 1, 0));
}

static bool
parse_bet(const char *text, CasinoBet *bet)
{
	memset(&err, 0, sizeof(err));
	return casino_bet_parse(text, strlen(text), bet, &err);
}

static void
test_wheel(void)
{
	/* D2 Americká ruleta, as text */
	static const char wheel[] = "0 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10 5 24 16 33 "
	"1 20 14 31 9 22 18 29 7 28 12 35 3 26 ";
	static const char red[] = " 1 3 5 7 9 12 14 16 18 19 21 23 25 27 30 32 34 36 ";
	char		text[128] = "";
	int			reds = 0;
	int			i;
	CasinoBet	bet;

	for (i = 0; i < 37; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%d ", casino_wheel[i]);
	CHECK_TEXT(text, wheel);
	for (i = 0; i < 37; i++)
	{
		snprintf(text, sizeof(text), " %d ", i);
		CHECK_FOR(casino_number_is_red(i) == (strstr(red, text) != NULL), text);
		reds += casino_number_is_red(i);
	}
	CHECK_INT(reds, 18);
	/* the colours alternate along the wheel */
	for (i = 1; i < 36; i++)
		CHECK(casino_number_is_red(casino_wheel[i]) != casino_number_is_red(casino_wheel[i + 1]));
	CHECK(!casino_number_is_red(-1) && !casino_number_is_red(37));

	CHECK(parse_bet("column:2@1", &bet));
	CHECK(casino_bet_covers(&bet, 2) && casino_bet_covers(&bet, 35) && !casino_bet_covers(&bet, 1));
	CHECK(parse_bet("dozen:2@1", &bet));
	CHECK(!casino_bet_covers(&bet, 12) && casino_bet_covers(&bet, 13));
	CHECK(casino_bet_covers(&bet, 24) && !casino_bet_covers(&bet, 25));
	CHECK(parse_bet("low@1", &bet) && casino_bet_covers(&bet, 18) && !casino_bet_covers(&bet, 19));
	CHECK(casino_bet_covers(&bet, 1) && !casino_bet_covers(&bet, 0) && !casino_bet_covers(&bet, -1));
	CHECK(parse_bet("high@1", &bet) && !casino_bet_covers(&bet, 18) && casino_bet_covers(&bet, 19));
	CHECK(casino_bet_covers(&bet, 36) && !casino_bet_covers(&bet, 37));
	CHECK(parse_bet("even@1", &bet) && !casino_bet_covers(&bet, 0) && casino_bet_covers(&bet, 2));
	CHECK_INT(casino_bet_kind_covers(bet.kind), 18);
	CHECK_INT(casino_grade_roulette(&bet, 3), CASINO_LOSE);
	CHECK_INT(casino_grade_roulette(&bet, -1), CASINO_GRADE_NONE);
	CHECK_INT(casino_grade_roulette(&bet, 37), CASINO_GRADE_NONE);
	CHECK(parse_bet("player@1", &bet) && !casino_bet_covers(&bet, 1));
	CHECK_INT(casino_bet_kind_covers(bet.kind), 0);
	CHECK_INT(casino_grade_roulette(&bet, 1), CASINO_GRADE_NONE);
	CHECK(parse_bet("egalite:4@1", &bet) && !casino_bet_covers(&bet, 4));
}

/* ---------- bet ---------- */

/* the names of the kinds in the order of their numbers on disk */
static const char *const kind_names[] = {
	"straight", "split", "street", "trio", "corner", "first_four", "six_line", "dozen", "column",
	"red", "black", "odd", "even", "low", "high", "player", "banker", "tie", "egalite", "big",
	"small", "player_pair", "banker_pair", "any_pair", "perfect_pair", "main", "behind",
	"double_down", "split_pair", "insurance", "free_split", "free_double", "21+3", "top3",
	"dealer_pair", "lucky_lucky", "buster", "bust_it", "hot3", "push22", "ante", "call", "aa",
	"razz", "pot"
};

static void
test_kinds(void)
{
	int			kinds = (int) (sizeof(kind_names) / sizeof(kind_names[0]));
	int			kind;

	CHECK_INT(CASINO_BET_KIND_END, kinds + 1);
	for (kind = 1; kind <= kinds; kind++)
	{
		const char *name = kind_names[kind - 1];
		CasinoSelectionShape shape = casino_bet_kind_shape(kind);

		CHECK_TEXT(casino_bet_kind_name(kind), name);
		CHECK_INT(casino_bet_kind_lookup(name, strlen(name)), kind);
		CHECK(casino_bet_kind_lookup(name, strlen(name) - 1) != kind);
		CHECK_FOR(casino_bet_kind_is_free(kind) == (strncmp(name, "free_", 5) == 0), name);
		CHECK_FOR((shape == CASINO_SELECT_NUMBERS) == (kind <= 5 || kind == 7), name);
		CHECK_FOR((shape == CASINO_SELECT_FIXED) == (kind == 6), name);
		CHECK_FOR((shape == CASINO_SELECT_THIRD) == (kind == 8 || kind == 9), name);
		CHECK_FOR((shape == CASINO_SELECT_POINTS) == (kind == 19), name);
	}
	CHECK(casino_bet_kind_name(0) == NULL && casino_bet_kind_name(-1) == NULL);
	CHECK(casino_bet_kind_name(kinds + 1) == NULL && casino_bet_kind_name(255) == NULL);
	CHECK(!casino_bet_kind_is_free(0) && !casino_bet_kind_is_free(256));
	CHECK_INT(casino_bet_kind_shape(99), CASINO_SELECT_NOTHING);
	CHECK_INT(casino_bet_kind_lookup("Red", 3), 0);
	CHECK_INT(casino_bet_kind_lookup("", 0), 0);
	CHECK_INT(casino_bet_kind_lookup("redd", 4), 0);
}

static void
test_amounts(void)
{
	static const struct
	{
		const char *text;
		int64_t		halere;
	}			good[] = {
		{"1", 100}, {"0.01", 1}, {"0.1", 10}, {"0.50", 50}, {"12", 1200}, {"12.5", 1250},
		{"12.50", 1250}, {"12.500000", 1250}, {"10.00", 1000}, {"0.010", 1},
		{"999999999999.99", INT64_C(99999999999999)},
		{"999999999999.990", INT64_C(99999999999999)}
	};
	static const char *const malformed[] = {"", "abc", "NaN", "Infinity", "-Infinity", "1e5", "1.",
		".5", "+5", "1,5", "00012", "00", "01", "00.50", " 1", "1 ", "1.5.0", "1.-5", "-", "--1",
	"-01", "-.5", "1_000", "0x10", "1.5a", "1@1", "\xD9\xA1"};
	static const char *const out_of_range[] = {"0", "0.00", "0.0000", "-0", "-1", "-0.50", "0.001",
		"1.005", "1.0000001", "1000000000000", "1000000000000.00", "999999999999.991",
	"99999999999999999999999999999999", "9223372036854775808"};
	int64_t		halere;
	size_t		i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
	{
		halere = -7;
		CHECK_FOR(casino_amount_parse(good[i].text, strlen(good[i].text), &halere, &err), good[i].text);
		CHECK_INT(halere, good[i].halere);
	}
	for (i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++)
	{
		memset(&err, 0, sizeof(err));
		CHECK_FOR(!casino_amount_parse(malformed[i], strlen(malformed[i]), &halere, &err) &&
				  err.code == CASINO_MALFORMED, malformed[i]);
	}
	for (i = 0; i < sizeof(out_of_range) / sizeof(out_of_range[0]); i++)
	{
		memset(&err, 0, sizeof(err));
		CHECK_FOR(!casino_amount_parse(out_of_range[i], strlen(out_of_range[i]), &halere, &err) &&
				  err.code == CASINO_OUT_OF_RANGE, out_of_range[i]);
	}
	CHECK(!casino_amount_parse("1\0", 2, &halere, &err) && err.code == CASINO_MALFORMED);
	CHECK(casino_amount_parse("125", 2, &halere, &err) && halere == 1200);
}

static void
test_bet_text(void)
{
	static const char *const good[][2] = {
		{"straight:17@100", "straight:17@100.00"}, {"straight:0@0.01", "straight:0@0.01"},
		{"split:20-17@50.0", "split:17-20@50.00"}, {"split:3-0@1", "split:0-3@1.00"},
		{"street:36-34-35@1", "street:34-35-36@1.00"}, {"trio:2-0-1@1", "trio:0-1-2@1.00"},
		{"trio:3-2-0@1", "trio:0-2-3@1.00"}, {"corner:25-26-28-29@20", "corner:25-26-28-29@20.00"},
		{"first_four@5", "first_four@5.00"}, {"first_four:0-1-2-3@5", "first_four@5.00"},
		{"first_four:3-2-1-0@5", "first_four@5.00"},
		{"six_line:36-35-34-33-32-31@999999999999.99", "six_line:31-32-33-34-35-36@999999999999.99"},
		{"dozen:2@5", "dozen:2@5.00"}, {"column:3@5", "column:3@5.00"}, {"red@10", "red@10.00"},
		{"egalite:0@1", "egalite:0@1.00"}, {"egalite:9@1", "egalite:9@1.00"},
		{"main@500", "main@500.00"}, {"21+3@25", "21+3@25.00"}, {"banker@20", "banker@20.00"},
		{"free_double@0.5", "free_double@0.50"}
	};
	static const char *const malformed[] = {"", "red", "@5", ":@5", "red@", "Red@5", " red@5", "red@5 ",
		"red @5", "red:@5", "red:1@5", "red@5@5", "violet@5", "straight@5", "straight:@5",
		"straight:37@5", "straight:07@5", "straight:00@5", "straight:+7@5", "straight:-7@5",
		"straight:117@5", "straight:17-18@5", "straight:17-@5", "straight: 17@5", "straight:1 7@5",
		"split:1-9@50", "split:17@5", "split:17-17@5", "split:17--20@5", "split:17-20-@5",
		"split:3-4@5", "split:0-4@5", "split:36-39@5", "split:17,20@5", "street:2-3-4@5",
		"street:0-1-2@5", "trio:1-2-3@5", "trio:0-1-3@5", "corner:3-4-6-7@5", "corner:0-1-2-3@5",
		"corner:34-35-37-38@5", "corner:1-2-3-4@5", "first_four:1-2-3-4@5", "first_four:@5",
		"first_four:0@5", "six_line:2-3-4-5-6-7@5", "six_line:34-35-36-37-38-39@5",
		"six_line:1-2-3-4-5-6-7@5", "dozen@5", "dozen:0@5", "dozen:4@5", "dozen:1-2@5", "column:4@5",
	"egalite@5", "egalite:10@5", "main:1@5", "red@abc", "red@00012", "red\n@5", "red:0@5"};
	static const char *const out_of_range[] = {"red@0", "red@-5", "red@0.005", "red@1000000000000",
	"split:17-20@0.00"};
	CasinoBet	bet;
	CasinoBet	again;
	char		text[CASINO_BET_TEXT_SIZE];
	size_t		i;

	CHECK_INT(sizeof(CasinoBet), 16);
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
	{
		CHECK_FOR(parse_bet(good[i][0], &bet), good[i][0]);
		CHECK_INT(casino_bet_print(&bet, text), strlen(good[i][1]));
		CHECK_TEXT(text, good[i][1]);
		CHECK_FOR(parse_bet(text, &again) && memcmp(&bet, &again, sizeof(bet)) == 0, text);
	}
	for (i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++)
		CHECK_FOR(!parse_bet(malformed[i], &bet) && err.code == CASINO_MALFORMED && err.detail[0] != '\0',
				  malformed[i]);
	for (i = 0; i < sizeof(out_of_range) / sizeof(out_of_range[0]); i++)
		CHECK_FOR(!parse_bet(out_of_range[i], &bet) && err.code == CASINO_OUT_OF_RANGE, out_of_range[i]);
	CHECK(!casino_bet_parse("red@5\0", 6, &bet, &err) && err.code == CASINO_MALFORMED);
	CHECK(!parse_bet("split:1-9@50", &bet));
	CHECK_TEXT(err.detail, "The numbers 1 and 9 are not a split of the layout.");
	CHECK(!parse_bet("corner:1-9-2-3@50", &bet));
	CHECK_TEXT(err.detail, "The numbers 1, 2, 3 and 9 are not a corner of the layout.");

	CHECK(parse_bet("split:20-17@50", &bet));
	CHECK_INT(bet.kind, CASINO_SPLIT);
	CHECK(bet.stake == 5000 && bet.count == 2 && bet.numbers[0] == 17 && bet.numbers[1] == 20 &&
		  bet.numbers[2] == 0);
	CHECK_INT(casino_bet_print_selection(&bet, text), 5);
	CHECK_TEXT(text, "17-20");
	CHECK(parse_bet("dozen:2@50", &bet) && casino_bet_print_selection(&bet, text) == 1);
	CHECK_TEXT(text, "2");
	CHECK(parse_bet("first_four@1", &bet) && bet.count == 4 && bet.numbers[3] == 3);
	CHECK(casino_bet_print_selection(&bet, text) == 0 && text[0] == '\0');
	CHECK(parse_bet("red@1", &bet) && casino_bet_print_selection(&bet, text) == 0 && text[0] == '\0');
}

static void
test_bet_make(void)
{
	CasinoBet	bet;
	CasinoBet	other;
	uint8_t		six[] = {6, 5, 4, 3, 2, 1, 0};
	const uint8_t no_number[] = {255};
	const uint8_t no_neighbours[] = {1, 9};

	CHECK(casino_bet_make(CASINO_SIX_LINE, six, 6, CASINO_STAKE_MAX, &bet, &err) && bet.numbers[0] == 1);
	CHECK(casino_bet_make(CASINO_SIX_LINE, bet.numbers, 6, 1, &bet, &err) && bet.stake == 1);
	CHECK(!casino_bet_make(CASINO_SIX_LINE, six, 7, 1, &other, &err) && err.code == CASINO_MALFORMED);
	CHECK(!casino_bet_make(CASINO_RED, NULL, 0, 0, &other, &err) && err.code == CASINO_OUT_OF_RANGE);
	CHECK(!casino_bet_make(CASINO_RED, NULL, 0, -1, &other, &err) && err.code == CASINO_OUT_OF_RANGE);
	CHECK(!casino_bet_make(CASINO_RED, NULL, 0, CASINO_STAKE_MAX + 1, &other, &err) &&
		  err.code == CASINO_OUT_OF_RANGE);
	CHECK(!casino_bet_make(CASINO_RED, six, 1, 1, &other, &err) && err.code == CASINO_MALFORMED);
	CHECK(!casino_bet_make(0, NULL, 0, 1, &other, &err) && err.code == CASINO_MALFORMED);
	CHECK(!casino_bet_make(-1, NULL, 0, 1, &other, &err) && err.code == CASINO_MALFORMED);
	CHECK(!casino_bet_make(CASINO_BET_KIND_END, NULL, 0, 1, &other, &err) && err.code == CASINO_MALFORMED);
	CHECK(!casino_bet_make(CASINO_STRAIGHT, no_number, 1, 1, &other, &err) && err.code == CASINO_MALFORMED);
	CHECK(!casino_bet_make(CASINO_SPLIT, no_neighbours, 2, 0, &other, &err) && err.code == CASINO_MALFORMED);
	CHECK(casino_bet_make(CASINO_POT, NULL, 0, 1, &other, &err) && other.count == 0);

	CHECK(casino_bet_make_text(CASINO_SPLIT, "20-17", 5, 100, &bet, &err) && bet.numbers[0] == 17);
	CHECK(casino_bet_make_text(CASINO_SPLIT, "20-173", 5, 100, &bet, &err));
	CHECK(!casino_bet_make_text(CASINO_SPLIT, "", 0, 100, &bet, &err) && err.code == CASINO_MALFORMED);
	CHECK(!casino_bet_make_text(CASINO_SPLIT, NULL, 0, 100, &bet, &err));
	CHECK(casino_bet_make_text(CASINO_FIRST_FOUR, "", 0, 100, &bet, &err));
	CHECK(casino_bet_make_text(CASINO_FIRST_FOUR, "0-1-2-3", 7, 100, &other, &err));
	CHECK(memcmp(&bet, &other, sizeof(bet)) == 0);
	CHECK(casino_bet_make_text(CASINO_RED, NULL, 0, 100, &bet, &err));
	CHECK(!casino_bet_make_text(CASINO_RED, "x", 1, 100, &bet, &err) && err.code == CASINO_MALFORMED);
}

static void
test_bet_order(void)
{
	static const char *const ascending[] = {"straight:0@2", "straight:1@1", "straight:1@2", "straight:36@1",
		"split:0-1@1", "split:0-2@1", "split:1-2@1", "split:1-4@1", "first_four@1", "first_four@2",
	"dozen:1@1", "dozen:2@1", "red@1", "black@0.01", "egalite:0@1", "egalite:9@1", "main@1", "pot@1"};
	size_t		n = sizeof(ascending) / sizeof(ascending[0]);
	CasinoBet	a;
	CasinoBet	b;
	size_t		i;
	size_t		k;

	for (i = 0; i < n; i++)
	{
		for (k = 0; k < n; k++)
		{
			int			order;

			CHECK(parse_bet(ascending[i], &a) && parse_bet(ascending[k], &b));
			order = casino_bet_compare(&a, &b);
			CHECK_FOR((order < 0) == (i < k) && (order > 0) == (i > k), ascending[i]);
			CHECK(casino_bet_same_position(&a, &b) ==
				  (strcspn(ascending[i], "@") == strcspn(ascending[k], "@") &&
				   memcmp(ascending[i], ascending[k], strcspn(ascending[i], "@")) == 0));
		}
	}
}

/* ---------- announced ---------- */

static bool
expand(const char *name, int64_t chip, CasinoAnnounced *announced)
{
	memset(&err, 0, sizeof(err));
	return casino_announced_expand(name, strlen(name), chip, announced, &err);
}

/* the expansion as text: "split:5-8@1.00 split:10-11@1.00" */
static void
check_expansion(const char *name, int chips, const char *expected)
{
	CasinoAnnounced announced;
	char		text[2048] = "";
	int64_t		sum = 0;
	int			i;

	CHECK_FOR(expand(name, 100, &announced), name);
	for (i = 0; i < announced.count; i++)
	{
		if (i > 0)
			strcat(text, " ");
		casino_bet_print(&announced.bets[i], text + strlen(text));
		sum += announced.bets[i].stake;
	}
	CHECK_INT(sum, chips * 100);
	CHECK_TEXT(text, expected);
}

/* does the bet cover just that run of the wheel? */
static void
check_covers_run(const char *name, int first, int last)
{
	CasinoAnnounced announced;
	bool		in_run[37] = {false};
	int			at = 0;
	int			n;
	int			i;

	while (casino_wheel[at] != first)
		at++;
	for (;; at = (at + 1) % 37)
	{
		in_run[casino_wheel[at]] = true;
		if (casino_wheel[at] == last)
			break;
	}
	CHECK_FOR(expand(name, 1, &announced), name);
	for (n = 0; n <= 36; n++)
	{
		bool		covered = false;

		for (i = 0; i < announced.count; i++)
			covered = covered || casino_bet_covers(&announced.bets[i], n);
		CHECK_FOR(covered == in_run[n], name);
	}
}

static void
test_complete(void)
{
	CasinoAnnounced announced;
	char		name[48];
	int			all = 0;
	int			semi = 0;
	int			n;
	int			i;
	int			k;

	for (n = 0; n <= 36; n++)
	{
		snprintf(name, sizeof(name), "complete:%d", n);
		CHECK_FOR(expand(name, 1, &announced), name);
		all += announced.count;
		for (i = 0; i < announced.count; i++)
		{
			CHECK(announced.bets[i].stake == 1 && casino_bet_covers(&announced.bets[i], n));
			CHECK(announced.bets[i].kind != CASINO_FIRST_FOUR);
			for (k = 0; k < i; k++)
				CHECK(!casino_bet_same_position(&announced.bets[i], &announced.bets[k]));
		}
		snprintf(name, sizeof(name), "semi_complete:%d", n);
		CHECK_FOR(expand(name, 1, &announced), name);
		semi += announced.count;
		for (i = 0; i < announced.count; i++)
			CHECK(announced.bets[i].kind == CASINO_STRAIGHT || announced.bets[i].kind == CASINO_SPLIT ||
				  announced.bets[i].kind == CASINO_CORNER);
	}
	/* each position is in the complete bet of each of its numbers */
	CHECK_INT(all, 37 * 1 + 60 * 2 + 12 * 3 + 2 * 3 + 22 * 4 + 11 * 6);
	CHECK_INT(semi, 37 * 1 + 60 * 2 + 22 * 4);
	check_expansion("complete:0", 6, "straight:0@1.00 split:0-1@1.00 split:0-2@1.00 split:0-3@1.00 "
					"trio:0-1-2@1.00 trio:0-2-3@1.00");
	check_expansion("complete:17", 12, "straight:17@1.00 split:16-17@1.00 split:17-18@1.00 split:14-17@1.00 "
					"split:17-20@1.00 street:16-17-18@1.00 corner:13-14-16-17@1.00 corner:14-15-17-18@1.00 "
					"corner:16-17-19-20@1.00 corner:17-18-20-21@1.00 six_line:13-14-15-16-17-18@1.00 "
					"six_line:16-17-18-19-20-21@1.00");
	check_expansion("complete:36", 6,
					"straight:36@1.00 split:35-36@1.00 split:33-36@1.00 street:34-35-36@1.00 "
					"corner:32-33-35-36@1.00 six_line:31-32-33-34-35-36@1.00");
	check_expansion("semi_complete:2", 7, "straight:2@1.00 split:1-2@1.00 split:2-3@1.00 split:0-2@1.00 "
					"split:2-5@1.00 corner:1-2-4-5@1.00 corner:2-3-5-6@1.00");
	check_expansion("semi_complete:0", 4, "straight:0@1.00 split:0-1@1.00 split:0-2@1.00 split:0-3@1.00");
}

static void
test_announced(void)
{
	static const char *const malformed[] =
	{"", ":", "Voisins", "voisins:", "voisins:1", "voisins ", "neighbours",
		"neighbours:", "neighbours:17", "neighbours:17/", "neighbours:37/2", "neighbours:17/10",
		"neighbours:17/02",
		"neighbours:017/2", "neighbours:17/2 ", "neighbours:/2", "neighbours:17-2", "complete", "complete:",
		"complete:37", "complete:1-2", "complete:00", "semi_complete:37", "finale_plein:10", "finale_plein:",
		"finale_cheval:10-13", "finale_cheval:3-0", "finale_cheval:0-4", "finale_cheval:0/3",
		"finale_cheval:0",
	"finale_cheval:0-03", "tier", "jeu_7/9"};
	CasinoAnnounced announced;
	char		name[48];
	size_t		i;
	int			n;

	/* D4 Roulette (Synot) 21 */
	check_expansion("tiers", 6, "split:5-8@1.00 split:10-11@1.00 split:13-16@1.00 split:23-24@1.00 "
					"split:27-30@1.00 split:33-36@1.00");
	check_expansion("voisins", 9, "trio:0-2-3@2.00 corner:25-26-28-29@2.00 split:4-7@1.00 split:12-15@1.00 "
					"split:18-21@1.00 split:19-22@1.00 split:32-35@1.00");
	check_expansion("orphelins", 5, "straight:1@1.00 split:6-9@1.00 split:14-17@1.00 split:17-20@1.00 "
					"split:31-34@1.00");
	check_expansion("zero_game", 4, "straight:26@1.00 split:0-3@1.00 split:12-15@1.00 split:32-35@1.00");
	check_expansion("jeu_7_9", 6, "straight:19@1.00 straight:27@1.00 split:7-8@1.00 split:8-9@1.00 "
					"split:17-18@1.00 split:28-29@1.00");
	check_expansion("orphelins_plein", 8, "straight:1@1.00 straight:6@1.00 straight:9@1.00 straight:14@1.00 "
					"straight:17@1.00 straight:20@1.00 straight:31@1.00 straight:34@1.00");
	check_expansion("neighbours:5/2", 5, "straight:23@1.00 straight:10@1.00 straight:5@1.00 straight:24@1.00 "
					"straight:16@1.00");
	check_expansion("neighbours:0/1", 3, "straight:26@1.00 straight:0@1.00 straight:32@1.00");
	check_expansion("neighbours:26/2", 5, "straight:35@1.00 straight:3@1.00 straight:26@1.00 straight:0@1.00 "
					"straight:32@1.00");
	check_expansion("neighbours:36/0", 1, "straight:36@1.00");
	check_covers_run("tiers", 27, 33);
	check_covers_run("voisins", 22, 25);
	check_covers_run("zero_game", 12, 15);
	check_covers_run("neighbours:0/9", 22, 34);
	check_covers_run("neighbours:30/9", 2, 20);
	for (n = 0; n <= 9; n++)
	{
		snprintf(name, sizeof(name), "neighbours:17/%d", n);
		CHECK_FOR(expand(name, 1, &announced) && announced.count == 2 * n + 1, name);
		snprintf(name, sizeof(name), "finale_plein:%d", n);
		CHECK_FOR(expand(name, 1, &announced) && announced.count == (n <= 6 ? 4 : 3), name);
		snprintf(name, sizeof(name), "finale_cheval:%d-%d", n, n + 3);
		CHECK_FOR(expand(name, 1, &announced) && announced.count == (n <= 3 ? 4 : 3), name);
	}
	check_expansion("finale_plein:6", 4,
					"straight:6@1.00 straight:16@1.00 straight:26@1.00 straight:36@1.00");
	check_expansion("finale_plein:7", 3, "straight:7@1.00 straight:17@1.00 straight:27@1.00");
	check_expansion("finale_cheval:0-3", 4,
					"split:0-3@1.00 split:10-13@1.00 split:20-23@1.00 split:30-33@1.00");
	check_expansion("finale_cheval:3-6", 4,
					"split:3-6@1.00 split:13-16@1.00 split:23-26@1.00 split:33-36@1.00");
	check_expansion("finale_cheval:4-7", 3, "split:4-7@1.00 split:14-17@1.00 split:24-27@1.00");
	check_expansion("finale_cheval:9-12", 3, "split:9-12@1.00 split:19-22@1.00 split:29-32@1.00");
	test_complete();

	for (i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++)
		CHECK_FOR(!expand(malformed[i], 100, &announced) && err.code == CASINO_MALFORMED &&
				  announced.count == 0,
				  malformed[i]);
	CHECK(!expand("voisins", 0, &announced) && err.code == CASINO_OUT_OF_RANGE && announced.count == 0);
	CHECK(!expand("voisins", -1, &announced) && err.code == CASINO_OUT_OF_RANGE);
	CHECK(!expand("voisins", INT64_MAX, &announced) && err.code == CASINO_OUT_OF_RANGE);
	CHECK(!expand("voisins", INT64_MIN, &announced) && err.code == CASINO_OUT_OF_RANGE);
	/* 99999999999999 = 9 * 11111111111111 */
	CHECK(expand("voisins", INT64_C(11111111111111), &announced) &&
		  announced.bets[0].stake == INT64_C(22222222222222));
	CHECK(!expand("voisins", INT64_C(11111111111112), &announced) && err.code == CASINO_OUT_OF_RANGE);
	CHECK(expand("neighbours:1/0", CASINO_STAKE_MAX, &announced));
	CHECK(!expand("neighbours:1/0", CASINO_STAKE_MAX + 1, &announced) && err.code == CASINO_OUT_OF_RANGE);

	CHECK_INT(casino_announced_stem("neighbours:17/2", 15), 10);
	CHECK_INT(casino_announced_stem("neighbours", 10), 10);
	CHECK_INT(casino_announced_stem("orphelins_plein", 15), 15);
	CHECK_INT(casino_announced_stem("orphelins", 9), 9);
	CHECK_INT(casino_announced_stem("orphelins_", 10), 0);
	CHECK_INT(casino_announced_stem("finale_cheval:0-3", 17), 13);
	CHECK_INT(casino_announced_stem("", 0), 0);
	CHECK_INT(casino_announced_stem(":1", 2), 0);
	CHECK_INT(casino_announced_stem("red", 3), 0);
}

/* ---------- grade ---------- */

static void
test_grade(void)
{
	static const char *const names[] = {NULL, "lose", "push", "win", "tie_0", "tie_1", "tie_2", "tie_3",
		"tie_4",
	"tie_5", "tie_6", "tie_7", "tie_8", "tie_9"};
	int			grade;

	for (grade = 1; grade <= 13; grade++)
		CHECK_TEXT(casino_grade_name((CasinoGrade) grade), names[grade]);
	CHECK(casino_grade_name(CASINO_GRADE_NONE) == NULL);
	CHECK(casino_grade_name(CASINO_GRADE_END) == NULL);
}

/* ---------- baccarat ---------- */

/* D4 Baccarat §9, copied as lists of the player's third cards on which the banker draws */
static const char *const banker_draws[10] = {
	"0123456789", "0123456789", "0123456789", "012345679", "234567", "4567", "67", "", "", ""
};

/* third -1: none */
static bool
legal_by_document(int player, int banker, int player_third, int banker_third)
{
	bool		player_must = player <= 5;
	bool		banker_must;

	if (player >= 8 || banker >= 8)
		return player_third < 0 && banker_third < 0;
	if (player_must != (player_third >= 0))
		return false;
	if (player_third < 0)
		banker_must = banker <= 5;
	else
		banker_must = strchr(banker_draws[banker], '0' + player_third) != NULL;
	return banker_must == (banker_third >= 0);
}

/* a card that counts so many points: 0 tens, 1 aces */
static CasinoCard
card_of(int points, int suit)
{
	return casino_card_make(points == 0 ? CASINO_RANK_T : points == 1 ? CASINO_RANK_A : points - 2, suit);
}

static CasinoHand
side_of(int points, int third, int suit)
{
	CasinoHand	hand = {0};

	hand.cards[0] = card_of(points, suit);
	hand.cards[1] = card_of(0, suit);
	hand.count = 2;
	if (third >= 0)
		hand.cards[hand.count++] = card_of(third, suit + 1);
	return hand;
}

static void
test_baccarat_rules(void)
{
	static const char *const cards[10] = {"Tc Jd Qh Ks", "Ac Ad", "2c", "3c", "4c", "5c", "6c", "7c", "8c",
	"9h 9s"};
	CasinoHand	player;
	CasinoHand	banker;
	int			p,
				b,
				pt,
				bt;
	int			i;

	for (p = 0; p <= 9; p++)
	{
		CHECK(parse_hand(cards[p], &player));
		for (i = 0; i < player.count; i++)
			CHECK_INT(casino_baccarat_card_points(player.cards[i]), p);
	}
	CHECK_INT(casino_baccarat_card_points(255), 0);
	CHECK(parse_hand("7c 6d", &player));
	CHECK_INT(casino_baccarat_points(&player), 3);	/* D4 Baccarat §5: 7 + 6 = 3, 4 + 6 = 0 */
	CHECK(parse_hand("4c 6d", &player));
	CHECK_INT(casino_baccarat_points(&player), 0);
	CHECK(parse_hand("9c 9d 9h", &player));
	CHECK_INT(casino_baccarat_points(&player), 7);
	CHECK(parse_hand("", &player) && casino_baccarat_points(&player) == 0);

	for (p = 0; p <= 9; p++)
	{
		for (b = 0; b <= 9; b++)
		{
			CHECK(casino_baccarat_player_draws(p, b) == legal_by_document(p, b, 0, -1) ||
				  casino_baccarat_player_draws(p, b) == legal_by_document(p, b, 0, 0));
			CHECK(casino_baccarat_player_draws(p, b) == (p <= 5 && b <= 7));
			for (pt = -1; pt <= 9; pt++)
			{
				for (bt = -1; bt <= 9; bt++)
				{
					bool		legal = legal_by_document(p, b, pt, bt);

					player = side_of(p, pt, CASINO_SUIT_CLUBS);
					banker = side_of(b, bt, CASINO_SUIT_HEARTS);
					memset(&err, 0, sizeof(err));
					CHECK(casino_baccarat_check(&player, &banker, 8, &err) == legal);
					CHECK(legal || (err.code == CASINO_ILLEGAL_OUTCOME &&
									strstr(err.detail, "§9).") != NULL));
				}
				if (p <= 7 && b <= 7)
					CHECK(casino_baccarat_banker_draws(p, b, pt) ==
						  (pt < 0 ? b <= 5 : strchr(banker_draws[b], '0' + pt) != NULL));
				else
					CHECK(!casino_baccarat_banker_draws(p, b, pt));
			}
		}
	}
}

static void
check_refusal(const char *player_text, const char *banker_text, int decks, const char *detail)
{
	CasinoHand	player;
	CasinoHand	banker;

	CHECK(parse_hand(player_text, &player) && parse_hand(banker_text, &banker));
	CHECK(!casino_baccarat_check(&player, &banker, decks, &err) && err.code == CASINO_ILLEGAL_OUTCOME);
	CHECK_TEXT(err.detail, detail);
}

static void
test_baccarat_messages(void)
{
	CasinoHand	player;
	CasinoHand	banker;

	check_refusal("6c Tc 5c", "6d Td", 8, "The player stands on 6 and may not draw 5c (D4 Baccarat §9).");
	check_refusal("5c Tc", "6d Td", 8, "The player has 5 and must draw a third card (D4 Baccarat §9).");
	check_refusal("6c Tc", "6d Td 2h", 8,
				  "The banker stands on 6 when the player stands and may not draw 2h (D4 Baccarat §9).");
	check_refusal("7c Tc", "5d Td", 8,
				  "The banker has 5 and must draw a third card when the player stands (D4 Baccarat §9).");
	check_refusal("5c Tc 8c", "3d Td 2h", 8,
				  "The banker stands on 3 when the player draws 8c and may not draw 2h (D4 Baccarat §9).");
	check_refusal("5c Tc 6c", "6d Td", 8,
				  "The banker has 6 and must draw a third card when the player draws 6c (D4 Baccarat §9).");
	check_refusal("5c Tc 6c", "8d Td", 8,
				  "The banker has 8 on two cards, so that the player may not draw 6c (D4 Baccarat §9).");
	check_refusal("9c Tc", "2d Td 3d", 8,
				  "The player has 9 on two cards, so that the banker may not draw 3d (D4 Baccarat §9).");
	check_refusal("9c", "2d Td", 8, "The player has 1 card, not 2 or 3 (D4 Baccarat §8).");
	check_refusal("", "2d Td", 8, "The player has 0 cards, not 2 or 3 (D4 Baccarat §8).");
	check_refusal("9c Tc", "2d Td 3d 4d", 8, "The banker has 4 cards, not 2 or 3 (D4 Baccarat §8).");
	check_refusal("9c Tc", "9c Td", 1, "The card 9c was dealt 2 times from 1 deck.");
	check_refusal("2c 2c 2c", "2c Td 2c", 4, "The card 2c was dealt 5 times from 4 decks.");
	CHECK(parse_hand("9c Tc", &player) && parse_hand("9c Td", &banker));
	CHECK(casino_baccarat_check(&player, &banker, 2, &err));
	CHECK(parse_hand("2c 2c 2c", &player) && parse_hand("2c Td 2c", &banker));
	CHECK(casino_baccarat_check(&player, &banker, 5, &err));
}

static CasinoGrade
grade(const char *bet_text, const char *player_text, const char *banker_text)
{
	CasinoHand	player;
	CasinoHand	banker;
	CasinoBet	bet;

	CHECK(parse_bet(bet_text, &bet) && parse_hand(player_text, &player) && parse_hand(banker_text, &banker));
	CHECK_FOR(casino_baccarat_check(&player, &banker, 8, &err), err.detail);
	return casino_grade_baccarat(&bet, &player, &banker);
}

static void
test_baccarat_grades(void)
{
	char		text[32];
	int			n;

	CHECK_INT(grade("player@1", "9c Tc", "8d Td"), CASINO_WIN);
	CHECK_INT(grade("banker@1", "9c Tc", "8d Td"), CASINO_LOSE);
	CHECK_INT(grade("tie@1", "9c Tc", "8d Td"), CASINO_LOSE);
	CHECK_INT(grade("player@1", "7c Tc", "8d Td"), CASINO_LOSE);
	CHECK_INT(grade("banker@1", "7c Tc", "8d Td"), CASINO_WIN);
	CHECK_INT(grade("player@1", "8c Tc", "8d Td"), CASINO_PUSH);
	CHECK_INT(grade("banker@1", "8c Tc", "8d Td"), CASINO_PUSH);
	CHECK_INT(grade("tie@1", "8c Tc", "8d Td"), CASINO_WIN);
	for (n = 0; n <= 9; n++)
	{
		snprintf(text, sizeof(text), "egalite:%d@1", n);
		CHECK_INT(grade(text, "8c Tc", "8d Td"), n == 8 ? CASINO_TIE_8 : CASINO_LOSE);
		CHECK_INT(grade(text, "9c Tc", "8d Td"), CASINO_LOSE);
		CHECK_INT(grade(text, "Tc Tc Tc", "7d 3d Td"), n == 0 ? CASINO_TIE_0 : CASINO_LOSE);
	}
	CHECK_INT(grade("egalite:7@1", "7c Tc", "7d Td"), CASINO_TIE_7);
	CHECK_INT(grade("egalite:1@1", "Tc Jc Ac", "Td Kd Ad"), CASINO_TIE_1);
	CHECK_INT(grade("small@1", "7c Tc", "7d Td"), CASINO_WIN);
	CHECK_INT(grade("big@1", "7c Tc", "7d Td"), CASINO_LOSE);
	CHECK_INT(grade("small@1", "7c Tc", "5d Td 2d"), CASINO_LOSE);
	CHECK_INT(grade("big@1", "7c Tc", "5d Td 2d"), CASINO_WIN);
	CHECK_INT(grade("big@1", "5c Tc 2c", "7d Td"), CASINO_WIN);
	CHECK_INT(grade("big@1", "Tc Tc Tc", "7d 3d Td"), CASINO_WIN);
	CHECK_INT(grade("small@1", "Tc Tc Tc", "7d 3d Td"), CASINO_LOSE);
	/* pairs by rank: ten and king both count 0 and are none */
	CHECK_INT(grade("player_pair@1", "4c 4d", "7d Td"), CASINO_WIN);
	CHECK_INT(grade("banker_pair@1", "4c 4d", "7d Td"), CASINO_LOSE);
	CHECK_INT(grade("any_pair@1", "4c 4d", "7d Td"), CASINO_WIN);
	CHECK_INT(grade("perfect_pair@1", "4c 4d", "7d Td"), CASINO_LOSE);
	CHECK_INT(grade("perfect_pair@1", "4c 4c", "7d Td"), CASINO_WIN);
	CHECK_INT(grade("banker_pair@1", "8c Td", "7d 7d"), CASINO_WIN);
	CHECK_INT(grade("player_pair@1", "8c Td", "7d 7d"), CASINO_LOSE);
	CHECK_INT(grade("any_pair@1", "8c Td", "7d 7d"), CASINO_WIN);
	CHECK_INT(grade("perfect_pair@1", "8c Td", "7d 7d"), CASINO_WIN);
	CHECK_INT(grade("player_pair@1", "Kc Tc 7d", "7d Td"), CASINO_LOSE);
	CHECK_INT(grade("any_pair@1", "Kc Tc Tc", "7d Td"), CASINO_LOSE);	/* the third card pairs nothing */
	CHECK_INT(grade("red@1", "9c Tc", "8d Td"), CASINO_GRADE_NONE);
	CHECK_INT(grade("main@1", "9c Tc", "8d Td"), CASINO_GRADE_NONE);
	CHECK_INT(grade("dealer_pair@1", "9c Tc", "8d Td"), CASINO_GRADE_NONE);
}

/* cards left in eight decks by points: 16 * 8 tens and pictures, 4 * 8 of each other */
static int	left[10];
static int	left_total;

static int64_t
take(int points)
{
	left_total--;
	return left[points]--;
}

static void
put_back(int points)
{
	left_total++;
	left[points]++;
}

/*
 * All deals of six cards from 416, in order, the cards a deal does not need
 * being any of those left.
 */
static void
test_baccarat_enumeration(void)
{
	int64_t		wins[3] = {0, 0, 0};	/* player, tie, banker */
	int			c[4];
	int			i;

	for (i = 0; i <= 9; i++)
		left[i] = i == 0 ? 128 : 32;
	left_total = 416;
	for (i = 0; i < 10000; i++)
	{
		int64_t		weight = 1;
		int			player;
		int			banker;
		int			pt;
		int			bt;
		int			k;

		c[0] = i / 1000;
		c[1] = i / 100 % 10;
		c[2] = i / 10 % 10;
		c[3] = i % 10;
		for (k = 0; k < 4; k++)
			weight *= take(c[k]);
		player = (c[0] + c[2]) % 10;
		banker = (c[1] + c[3]) % 10;
		for (pt = -1; pt <= 9; pt++)
		{
			int64_t		player_weight = weight;
			int			player_end = (player + (pt < 0 ? 0 : pt)) % 10;

			if (casino_baccarat_player_draws(player, banker) != (pt >= 0))
				continue;
			if (pt >= 0)
				player_weight *= take(pt);
			for (bt = -1; bt <= 9; bt++)
			{
				int			banker_end = (banker + (bt < 0 ? 0 : bt)) % 10;
				int64_t		all = player_weight;
				int			rest;

				if (casino_baccarat_banker_draws(player, banker, pt) != (bt >= 0))
					continue;
				if (bt >= 0)
					all *= left[bt];
				for (rest = left_total - (bt >= 0); rest > 410; rest--)
					all *= rest;
				wins[player_end > banker_end ? 0 : player_end == banker_end ? 1 : 2] += all;
			}
			if (pt >= 0)
				put_back(pt);
		}
		for (k = 0; k < 4; k++)
			put_back(c[k]);
	}
	CHECK_INT(wins[0], INT64_C(2230518282592256));
	CHECK_INT(wins[2], INT64_C(2292252566437888));
	CHECK_INT(wins[1], INT64_C(475627426473216));
	CHECK_INT(wins[0] + wins[1] + wins[2], INT64_C(416) * 415 * 414 * 413 * 412 * 411);
}

/* ---------- money ---------- */

static void
check_profit(int64_t stake, int32_t num, int32_t den, int64_t want)
{
	int64_t		profit = -77;

	CHECK(casino_money_profit(stake, num, den, &profit));
	CHECK_INT(profit, want);
}

static void
test_money(void)
{
	int64_t		r;
	int			stake;
	int			den;
	int			num;

	CHECK(casino_money_add(INT64_MAX - 1, 1, &r) && r == INT64_MAX);
	CHECK(!casino_money_add(INT64_MAX, 1, &r));
	CHECK(casino_money_add(INT64_MIN + 1, -1, &r) && r == INT64_MIN);
	CHECK(!casino_money_add(INT64_MIN, -1, &r));
	CHECK(casino_money_add(-5, 7, &r) && r == 2);

	check_profit(1, 19, 20, 1); /* 0.0095 */
	check_profit(10, 19, 20, 10);	/* 0.095 */
	check_profit(30, 19, 20, 29);	/* 0.285 */
	check_profit(9, 19, 20, 9); /* 0.0855 */
	check_profit(2000, 19, 20, 1900);	/* D4 Baccarat §21: 20 Kč brings 39 */
	check_profit(25, 27, 50, 14);	/* 0.135 */
	check_profit(1, 27, 50, 1); /* 0.0054 */
	check_profit(5, 27, 50, 3); /* 0.027 */
	check_profit(1, 3, 2, 2);
	check_profit(1, -1, 2, 0);	/* -0.005 goes up */
	check_profit(3, -1, 2, -1);
	check_profit(101, -1, 2, -50);
	check_profit(100, -1, 2, -50);
	check_profit(100, 0, 1, 0);
	check_profit(0, 35, 1, 0);
	check_profit(-3, 1, 2, -1);
	check_profit(CASINO_STAKE_MAX, 2000, 1, CASINO_STAKE_MAX * 2000);
	check_profit(INT64_MAX, 1, 1, INT64_MAX);
	check_profit(INT64_MAX, -1, 1, -INT64_MAX);
	check_profit(INT64_MIN, 1, 1, INT64_MIN);
	check_profit(INT64_MAX, INT32_MAX, INT32_MAX, INT64_MAX);
	check_profit(INT32_MAX - 1, INT32_MAX, INT32_MAX, INT32_MAX - 1);
	check_profit(INT32_MAX - 1, INT32_MIN, INT32_MAX, -INT64_C(2147483647));	/* -2147483646.99... */
	check_profit(INT64_MAX, 1, 2, INT64_C(4611686018427387904));
	check_profit(INT64_MAX, -1, 2, -INT64_C(4611686018427387903));
	CHECK(!casino_money_profit(INT64_MAX, 2, 1, &r));
	CHECK(!casino_money_profit(INT64_MIN, -1, 1, &r));
	CHECK(!casino_money_profit(INT64_MAX, 3, 2, &r));
	CHECK(!casino_money_profit(INT64_MAX, INT32_MIN, 1, &r));
	CHECK(!casino_money_profit(100, 1, 0, &r));
	CHECK(!casino_money_profit(100, 1, -1, &r));
	CHECK(!casino_money_profit(100, 1, INT32_MIN, &r));

	/* the definition of half up: 2 * profit - 1 <= 2 * exact < 2 * profit + 1 */
	for (stake = -20; stake <= 60; stake++)
	{
		for (den = 1; den <= 12; den++)
		{
			for (num = -9; num <= 9; num++)
			{
				int64_t		exact = INT64_C(2) * stake * num;

				CHECK(casino_money_profit(stake, num, den, &r) &&
					  (2 * r - 1) * den <= exact && exact < (2 * r + 1) * den);
			}
		}
	}

	CHECK(casino_money_half_down(1) == 0 && casino_money_half_up(1) == 1);
	CHECK(casino_money_half_down(2) == 1 && casino_money_half_up(2) == 1);
	CHECK(casino_money_half_down(101) == 50 && casino_money_half_up(101) == 51);
	CHECK(casino_money_half_down(0) == 0 && casino_money_half_up(0) == 0);
	CHECK(casino_money_half_down(-3) == -2 && casino_money_half_up(-3) == -1);
	CHECK(casino_money_half_down(INT64_MAX) == INT64_MAX / 2);
	CHECK(casino_money_half_up(INT64_MAX) == INT64_MAX / 2 + 1);
}

/* ---------- positions ---------- */

/* floor(a / b) of 128 bits, b positive: the definitions below need no more */
static __int128
floor_of(__int128 a, __int128 b)
{
	return a / b - (a % b < 0 ? 1 : 0);
}

/* The definition: staked * num / den rounded half up, not above cap. */
static __int128
reckoned(int64_t staked, int32_t num, int32_t den, int64_t cap)
{
	__int128	profit = floor_of(2 * (__int128) staked * num + den, 2 * (__int128) den);

	return profit > cap ? cap : profit;
}

static void
check_share(int64_t before, int64_t stake, int32_t num, int32_t den, int64_t cap, int64_t want,
			bool capped, bool reached)
{
	CasinoShare share = {-77, false, false};

	CHECK(casino_money_share(before, stake, num, den, cap, &share));
	CHECK_INT(share.profit, want);
	CHECK(share.capped == capped && share.reached == reached);
}

static uint64_t
next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Shares of any chips add up to the profit of the position, whatever they are cut into. */
static void
test_random_shares(void)
{
	static const int32_t odds[][2] = {{19, 20}, {27, 50}, {3, 2}, {-1, 2}, {1, 1}, {0, 1}, {35, 1},
	{2000, 1}, {1, 3}, {-1, 1}, {INT32_MAX, 7}, {7, INT32_MAX}};
	uint64_t	state = UINT64_C(88172645463325252);
	int			round;
	unsigned	o;

	for (round = 0; round < 4000; round++)
	{
		for (o = 0; o < sizeof(odds) / sizeof(odds[0]); o++)
		{
			int64_t		cap = next_random(&state) % 3 == 0 ? (int64_t) (next_random(&state) % 2000) :
			CASINO_NO_CAP;
			int64_t		scale = round % 2 == 0 ? 5 : INT64_C(100000000);
			int64_t		staked = 0;
			__int128	sum = 0;
			bool		reached = false;
			int			chip;

			for (chip = 0; chip < 12; chip++)
			{
				int64_t		stake = (int64_t) (next_random(&state) % (uint64_t) scale) + 1;
				CasinoShare share;

				CHECK(casino_money_share(staked, stake, odds[o][0], odds[o][1], cap, &share));
				staked += stake;
				sum += share.profit;
				CHECK(sum == reckoned(staked, odds[o][0], odds[o][1], cap));
				CHECK(share.capped == (reckoned(staked, odds[o][0], odds[o][1], INT64_MAX) > cap));
				CHECK(share.reached == (share.capped && !reached));
				CHECK(stake + share.profit >= 0);
				reached = share.capped;
			}
		}
	}
}

static void
test_shares(void)
{
	CasinoShare share;
	int64_t		profit;
	bool		capped;
	int			i;

	/* a thousand chips of 0.01 on 0.54:1 win 5.40 and not 10.00 */
	for (i = 0, profit = 0; i < 1000; i++)
	{
		CHECK(casino_money_share(i, 1, 27, 50, CASINO_NO_CAP, &share));
		profit += share.profit;
	}
	CHECK_INT(profit, 540);
	check_share(0, 1, 27, 50, CASINO_NO_CAP, 1, false, false);	/* 0.54 */
	check_share(1, 1, 27, 50, CASINO_NO_CAP, 0, false, false);	/* 1.08 */
	check_share(2, 1, 27, 50, CASINO_NO_CAP, 1, false, false);	/* 1.62 */
	check_share(0, 1, -1, 2, CASINO_NO_CAP, 0, false, false);	/* -0.5 goes up */
	check_share(1, 1, -1, 2, CASINO_NO_CAP, -1, false, false);
	/* caps */
	check_share(0, 100, 35, 1, 3500, 3500, false, false);
	check_share(0, 101, 35, 1, 3500, 3500, true, true);
	check_share(100, 1, 35, 1, 3500, 0, true, true);
	check_share(90, 20, 35, 1, 3500, 350, true, true);
	check_share(110, 20, 35, 1, 3500, 0, true, false);
	check_share(0, 5, 1, 1, 0, 0, true, true);
	/* more than 64 bits is above every cap, and an error without one */
	check_share(0, INT64_MAX, 2, 1, 7, 7, true, true);
	check_share(INT64_MAX - 1, 1, INT32_MAX, 1, INT64_MAX - 1, 0, true, false);
	CHECK(casino_money_share(5, 0, 2, 1, CASINO_NO_CAP, &share) && share.profit == 0);
	CHECK(!casino_money_share(0, INT64_MAX, 2, 1, CASINO_NO_CAP, &share));
	CHECK(!casino_money_share(INT64_MAX, 1, 1, 1, CASINO_NO_CAP, &share));
	CHECK(!casino_money_share(INT64_MAX, 1, 1, 1, 5, &share));
	CHECK(!casino_money_share(0, 1, 1, 0, 5, &share));
	CHECK(!casino_money_share(0, 1, 1, 1, -5, &share));
	CHECK(!casino_money_share(-1, 1, 1, 1, 5, &share));
	CHECK(!casino_money_share(1, -1, 1, 1, 5, &share));
	CHECK(!casino_money_share(0, INT64_MAX, INT32_MIN, 1, 5, &share));
	CHECK(casino_money_position_profit(INT64_MAX, 1, 1, CASINO_NO_CAP, &profit, &capped) &&
		  profit == INT64_MAX &&
		  !capped);
	test_random_shares();
}

#define POSITIONS	1024

/* Against a list of everything that was put down. */
static void
test_position_table(void)
{
	static CasinoPosition small[8];
	static CasinoPosition table[POSITIONS];
	static struct
	{
		CasinoBet	bet;
		int			seat;
		int			hand;
	}			put[3000];
	uint64_t	state = UINT64_C(362436069362436069);
	uint32_t	taken = 0;
	int64_t		before;
	int			i;
	int			j;

	for (i = 0; i < 3000; i++)
	{
		int64_t		want = 0;
		uint64_t	r = next_random(&state);

		memset(&put[i], 0, sizeof(put[i]));
		put[i].bet.stake = (int64_t) (r % 1000) + 1;
		put[i].bet.kind = (uint8_t) (r >> 12 & 1 ? CASINO_STRAIGHT : CASINO_SPLIT);
		put[i].bet.count = (uint8_t) (put[i].bet.kind == CASINO_STRAIGHT ? 1 : 2);
		put[i].bet.numbers[0] = (uint8_t) (r >> 16 & 15);
		put[i].bet.numbers[1] = (uint8_t) (put[i].bet.kind == CASINO_STRAIGHT ? 0 : (r >> 16 & 15) + 1);
		put[i].seat = (int) (r >> 24 & 3);
		put[i].hand = (int) (r >> 28 & 3);	/* 0 and 1 are the same */
		for (j = 0; j < i; j++)
			if (casino_bet_same_position(&put[i].bet, &put[j].bet) && put[i].seat == put[j].seat &&
				(put[i].hand > 1 ? put[i].hand : 1) == (put[j].hand > 1 ? put[j].hand : 1))
				want += put[j].bet.stake;
		CHECK(casino_position_add(table, POSITIONS, &taken, &put[i].bet, put[i].seat, put[i].hand, &before));
		CHECK_INT(before, want);
	}
	CHECK_INT(taken, 2 * 16 * 4 * 3);

	/*
	 * In a table with as many positions as it takes, every other one is met on the way: one bet on eight
	 * seats whose places are one, then on eight hands.
	 */
	for (i = 0; i < 64; i++)
	{
		CasinoPosition full[16] = {{0}};

		taken = 0;
		for (j = 0; j < 8; j++)
		{
			CHECK(casino_position_add(full, 16, &taken, &put[i].bet, 16 * j + 1, 1, &before));
			CHECK_INT(before, 0);
		}
		for (j = 2; j < 10; j++)
		{
			CHECK(casino_position_add(full, 16, &taken, &put[i].bet, 1, j, &before));
			CHECK_INT(before, 0);
			if (taken == 15)
				break;
		}
	}

	/* moved to a larger table it is the same */
	taken = 0;
	for (i = 0; i < 4; i++)
		CHECK(casino_position_add(small, 8, &taken, &put[i].bet, i, 1, &before));
	memset(table, 0, sizeof(table));
	casino_position_move(small, 8, table, POSITIONS);
	for (i = 0; i < 4; i++)
		CHECK_INT(casino_position_find(table, POSITIONS, &put[i].bet, i, 0)->staked, put[i].bet.stake);
	put[0].bet.stake = INT64_MAX;
	CHECK(!casino_position_add(table, POSITIONS, &taken, &put[0].bet, 0, 1, &before));
}

int
main(void)
{
	test_error();
	test_card();
	test_hand();
	test_positions();
	test_wheel();
	test_kinds();
	test_amounts();
	test_bet_text();
	test_bet_make();
	test_bet_order();
	test_announced();
	test_grade();
	test_baccarat_rules();
	test_baccarat_messages();
	test_baccarat_grades();
	test_baccarat_enumeration();
	test_money();
	test_shares();
	test_position_table();
	return conclude("unit");
}
