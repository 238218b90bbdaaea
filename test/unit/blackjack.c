/*
 * blackjack.c
 *	  Unit program of the blackjack rules: rule sets, hands, dealer, play.
 *
 * The nine rule sets are typed here from the documents, not read from the plan
 * data.  What a test expects is said by the paragraph beside it.
 */
#include <stdlib.h>

#include "core/games/blackjack_grade.h"
#include "core/games/blackjack_options.h"
#include "core/games/blackjack_play.h"
#include "core/games/copies.h"
#include "check.h"

static CasinoError err;

/* ---------- the nine versions, D0 to D4 ---------- */

enum
{
	D0, D1, D2, D3, SYNOT, ALL_BETS, INFINITE, EVOLUTION, ENDLESS, VERSIONS
};

/* rule, then its values by version */
static const char *const rule_table[][VERSIONS + 1] = {
	{"decks", "6", "6", "6", "6", "8", "8", "8", "8", "8"},
	{"hole_card", "false", "false", "false", "false", "true", "true", "true", "true", "true"},
	{"dealer_16", "draw", "either", "draw", "draw", "draw", "draw", "draw", "draw", "draw"},
	{"double_on", "any", "9-11", "any", "any", "any", "any", "any", "any", "any"},
	{"double_after_split", "true", "false", "false", "true", "true", "true", "true", "true", "true"},
	{"double_split_aces", "false", "false", "false", "false", "false", "false", "false", "false", "false"},
	{"split_on", "rank", "value", "value", "value", "value", "value", "value", "value", "value"},
	{"max_hands", "4", "2", "4", "4", "2", "2", "2", "2", "2"},
	{"resplit_aces", "true", "false", "false", "true", "false", "false", "false", "false", "false"},
	{"cards_on_split_ace", "1", "1", "1", "1", "1", "1", "1", "1", "1"},
	{"insurance", "half", "half", "up_to_half", "multiple_of_half_minimum", "half", "half", "half", "half",
	"half"},
	{"insurance_own_blackjack", "false", "true", "false", "true", "true", "true", "true", "true", "true"},
	{"insurance_behind", "false", "false", "false", "false", "false", "false", "false", "false", "false"},
	{"insurance_on_added_stakes", "false", "false", "false", "true", "false", "false", "false", "false",
	"false"},
	{"even_money", "ace", "none", "ace", "ace_or_ten", "none", "none", "none", "none", "none"},
	{"surrender", "none", "none", "none", "none", "table", "none", "none", "table", "none"},
	{"charlie_cards", "0", "0", "0", "0", "0", "10", "6", "6", "0"},
	{"charlie_beats_dealer_blackjack", "false", "false", "false", "false", "false", "false", "true", "true",
	"false"},
	{"dealer_22", "players_win", "players_win", "players_win", "push", "players_win", "players_win",
		"players_win",
	"players_win", "players_win"},
	{"doubled_returned_on_ten_ace", "false", "false", "false", "false", "true", "true", "true", "true",
	"true"},
	{"box", "seats", "seats", "seats", "seats", "seats", "shared", "shared", "seats", "shared"},
	{"max_seats", "0", "0", "0", "0", "7", "1", "1", "7", "1"},
	{"bets_per_box", "3", "3", "3", "3", "1", "0", "0", "1", "0"},
	{"box_limit", "together", "together", "together", "each", "owner", "each", "each", "owner", "each"},
	{"owner_precedence", "true", "false", "false", "false", "false", "false", "false", "false", "false"},
	{"absent_owner", "none", "none", "none", "second_player", "none", "none", "none", "none", "none"},
	{"behind", "none", "none", "none", "none", "table", "none", "none", "none", "none"},
	{"draw_on_21", "false", "true", "true", "false", "true", "true", "true", "true", "true"},
	{"must_draw_to", "0", "0", "0", "11", "0", "0", "0", "0", "0"},
	{"no_action", "none", "none", "none", "draw_to_16", "stand", "stand", "draw_to_11", "draw_to_11",
	"stand"},
	{"free_split_on", "none", "none", "none", "not_tens", "none", "none", "none", "none", "none"},
	{"free_double_on", "none", "none", "none", "9-11_no_ace", "none", "none", "none", "none", "none"},
	{"dealer_completes_on_ace_or_ten", "false", "false", "false", "true", "false", "false", "false",
	"false", "false"}
};

#define RULES	(sizeof(rule_table) / sizeof(rule_table[0]))

static CasinoBlackjackRules version_rules[VERSIONS];
static CasinoBlackjackSources sources;

static void
test_rules(void)
{
	CasinoBlackjackRules back;
	CasinoBlackjackRules one;
	size_t		r;
	int			v;

	CHECK_INT(RULES, CASINO_BJ_RULE_END);
	for (v = 0; v < VERSIONS; v++)
	{
		for (r = 0; r < RULES; r++)
		{
			CHECK_TEXT(casino_blackjack_rule_name((int) r), rule_table[r][0]);
			CHECK_INT(casino_blackjack_rule_lookup(rule_table[r][0]), (int64_t) r);
			CHECK(!casino_blackjack_rules_complete(&version_rules[v], &err));
			CHECK(casino_blackjack_rule_set(&version_rules[v], rule_table[r][0], rule_table[r][v + 1], &err));
			CHECK(!casino_blackjack_rule_set(&version_rules[v], rule_table[r][0], rule_table[r][v + 1],
											 &err));
			CHECK_INT(err.code, CASINO_MALFORMED);
		}
		CHECK(casino_blackjack_rules_complete(&version_rules[v], &err));
		CHECK(casino_blackjack_rules_pack(&version_rules[v]) > 0);
		CHECK(casino_blackjack_rules_unpack(casino_blackjack_rules_pack(&version_rules[v]), &back, &err));
		CHECK(memcmp(&back, &version_rules[v], sizeof(back)) == 0);
	}
	memset(&one, 0, sizeof(one));
	for (r = 0; r < RULES; r++)
	{
		static const char *const refused[] = {"", "x", "yes", "TRUE", "-1", "01", "100", "true ", "99x"};
		size_t		i;

		for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
			CHECK(!casino_blackjack_rule_set(&one, rule_table[r][0], refused[i], &err));
	}
	CHECK_INT((int64_t) one.given, 0);
	CHECK(!casino_blackjack_rule_set(&one, "decks ", "6", &err));
	CHECK_TEXT(err.detail, "\"decks \" is not a rule of blackjack.");
	CHECK(!casino_blackjack_rule_set(&one, "decks", "0", &err));
	CHECK(!casino_blackjack_rule_set(&one, "decks", "16", &err));
	CHECK_TEXT(err.detail, "\"16\" is not a value of the rule decks.");
	CHECK(!casino_blackjack_rule_set(&one, "charlie_cards", "2", &err));
	CHECK(!casino_blackjack_rule_set(&one, "charlie_cards", "22", &err));
	CHECK(!casino_blackjack_rule_set(&one, "must_draw_to", "21", &err));
	CHECK(!casino_blackjack_rule_set(&one, "max_hands", "0", &err));
	CHECK(!casino_blackjack_rule_set(&one, "double_split_aces", "true", &err));
	CHECK(!casino_blackjack_rule_set(&one, "insurance_behind", "true", &err));
	CHECK(!casino_blackjack_rules_complete(&one, &err));
	CHECK_TEXT(err.detail, "The rule decks is missing.");
	CHECK(casino_blackjack_rule_set(&one, "decks", "15", &err) && one.decks == 15);
	CHECK(casino_blackjack_rule_set(&one, "charlie_cards", "21", &err) && one.charlie_cards == 21);
	CHECK(casino_blackjack_rule_set(&one, "bets_per_box", "99", &err) && one.bets_per_box == 99);
	CHECK(!casino_blackjack_rules_complete(&one, &err));
	CHECK_TEXT(err.detail, "The rule hole_card is missing.");
	CHECK(casino_blackjack_rule_name(-1) == NULL && casino_blackjack_rule_name(CASINO_BJ_RULE_END) == NULL);

	/* every bit of a packed set is either a value or refused */
	CHECK(!casino_blackjack_rules_unpack(0, &back, &err));
	CHECK(!casino_blackjack_rules_unpack(-1, &back, &err));
	CHECK(!casino_blackjack_rules_unpack(INT64_MAX, &back, &err));
	for (v = 0; v < 64; v++)
	{
		int64_t		flipped = casino_blackjack_rules_pack(&version_rules[D3]) ^ (int64_t) (UINT64_C(1) << v);

		CHECK(!casino_blackjack_rules_unpack(flipped, &back, &err) ||
			  casino_blackjack_rules_pack(&back) == flipped);
		if (v >= 62)
			CHECK(!casino_blackjack_rules_unpack(flipped, &back, &err));
	}
	sources.paragraph[CASINO_BJ_DRAW_ON_21] = "D0 HRA";
	sources.paragraph[CASINO_BJ_DEALER_16] = "D0 VÝHERNÍ SESTAVA";
}

/* ---------- hands ---------- */

static CasinoHand
hand(const char *text)
{
	CasinoHand	h;

	if (!casino_hand_parse(text, strlen(text), &h, &err))
	{
		printf("bad hand in test: %s\n", text);
		exit(2);
	}
	return h;
}

static void
test_hands(void)
{
	static const struct
	{
		const char *cards;
		int			total;
		bool		soft;
		bool		blackjack;
	}			cases[] = {
		{"", 0, false, false}, {"2c", 2, false, false}, {"As", 11, true, false},
		{"As Ad", 12, true, false}, {"As Kd", 21, true, true}, {"Td Ac", 21, true, true},
		{"Js Ac", 21, true, true}, {"Qs Ac", 21, true, true}, {"9s Ac", 20, true, false},
		{"As 6d", 17, true, false}, {"As 6d Tc", 17, false, false}, {"As 5d 5c", 21, true, false},
		{"7s 7d 7c", 21, false, false}, {"As 5d 6c", 12, false, false}, {"Ks Qd 2c", 22, false, false},
		{"As Ad Ac Ah", 14, true, false}, {"As Kd Qc", 21, false, false},
		{"As As As As As As As As As As As", 21, true, false},
		{"As As As As As As As As As As As As", 12, false, false},
		{"Ks Ks Ks", 30, false, false}
	};
	static const char *const ranks = "23456789TJQKA";
	static const int values[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1};
	size_t		i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		CasinoHand	h = hand(cases[i].cards);

		CHECK_INT(casino_blackjack_total(&h), cases[i].total);
		CHECK_INT(casino_blackjack_is_soft(&h), cases[i].soft);
		CHECK_INT(casino_blackjack_is_blackjack(&h), cases[i].blackjack);
	}
	for (i = 0; i < 52; i++)
	{
		CHECK_INT(casino_blackjack_card_value((CasinoCard) i), values[i / 4]);
		CHECK_INT(casino_blackjack_is_ace((CasinoCard) i), ranks[i / 4] == 'A');
		CHECK_INT(casino_blackjack_is_ten((CasinoCard) i), values[i / 4] == 10);
	}
	CHECK_INT(casino_blackjack_card_value(52), 0);
	CHECK_INT(casino_blackjack_card_value(255), 0);
}

/* ---------- dealer ---------- */

static void
check_dealer(int version, const char *cards, CasinoDealerNeed need, bool right)
{
	CasinoBlackjackCase at = {&version_rules[version], &sources, 0, 0, 0};
	CasinoHand	h = hand(cards);

	err.detail[0] = '\0';
	count_check(casino_blackjack_check_dealer(&at, &h, need, &err) == right, __FILE__, __LINE__,
				cards, err.detail);
	if (!right)
		CHECK_INT(err.code, CASINO_ILLEGAL_OUTCOME);
}

static void
test_dealer(void)
{
	int			v;

	for (v = 0; v < VERSIONS; v++)
	{
		/* 17 and more stands, soft too (D0, D2, D3 §3, D4 Blackjack §14) */
		check_dealer(v, "Th 7c", CASINO_NEEDS_WHOLE_HAND, true);
		check_dealer(v, "Ah 6c", CASINO_NEEDS_WHOLE_HAND, true);
		check_dealer(v, "Th 7c 2d", CASINO_NEEDS_WHOLE_HAND, false);
		check_dealer(v, "Ah 6c 2d", CASINO_NEEDS_WHOLE_HAND, false);
		check_dealer(v, "Ah 6c 2d", CASINO_NEEDS_UP_CARD, false);
		check_dealer(v, "Ah Kc", CASINO_NEEDS_WHOLE_HAND, true);
		check_dealer(v, "Ah Kc 2d", CASINO_NEEDS_WHOLE_HAND, false);
		check_dealer(v, "9h 6c 7d", CASINO_NEEDS_WHOLE_HAND, true);
		check_dealer(v, "9h 6c 7d 2c", CASINO_NEEDS_WHOLE_HAND, false);
		check_dealer(v, "9h 6c 7d 2c", CASINO_NEEDS_UP_CARD, false);
		check_dealer(v, "Ah 5c Td Ac", CASINO_NEEDS_WHOLE_HAND, true);
		/* 16 draws, D1 leaves it open; 15 draws everywhere */
		check_dealer(v, "Th 6c", CASINO_NEEDS_WHOLE_HAND, v == D1);
		check_dealer(v, "Ah 5c", CASINO_NEEDS_WHOLE_HAND, v == D1);
		check_dealer(v, "Th 6c 5d", CASINO_NEEDS_WHOLE_HAND, true);
		check_dealer(v, "Th 5c", CASINO_NEEDS_WHOLE_HAND, false);
		check_dealer(v, "Ah 4c", CASINO_NEEDS_WHOLE_HAND, false);
		check_dealer(v, "Th 5c Ad", CASINO_NEEDS_WHOLE_HAND, v == D1);
		/* early stops */
		check_dealer(v, "Th", CASINO_NEEDS_UP_CARD, true);
		check_dealer(v, "Th", CASINO_NEEDS_TWO_CARDS, false);
		check_dealer(v, "Th", CASINO_NEEDS_WHOLE_HAND, false);
		check_dealer(v, "Ah", CASINO_NEEDS_WHOLE_HAND, false);
		check_dealer(v, "Th 2c", CASINO_NEEDS_UP_CARD, true);
		check_dealer(v, "Th 2c", CASINO_NEEDS_TWO_CARDS, true);
		check_dealer(v, "Th 2c", CASINO_NEEDS_WHOLE_HAND, false);
		check_dealer(v, "2h 2c 3d", CASINO_NEEDS_TWO_CARDS, true);
		check_dealer(v, "2h 2c 3d", CASINO_NEEDS_WHOLE_HAND, false);
		check_dealer(v, "", CASINO_NEEDS_UP_CARD, false);
	}
	check_dealer(D0, "Ah 6c 2d", CASINO_NEEDS_WHOLE_HAND, false);
	CHECK_TEXT(err.detail, "The dealer stands on soft 17 and may not draw 2d (D0 VÝHERNÍ SESTAVA).");
	check_dealer(D0, "Ah 5c Jd 3c 9s", CASINO_NEEDS_WHOLE_HAND, false);
	CHECK_TEXT(err.detail, "The dealer stands on 19 and may not draw 9s (D0 VÝHERNÍ SESTAVA).");
	check_dealer(D0, "Ah 5c", CASINO_NEEDS_WHOLE_HAND, false);
	CHECK_TEXT(err.detail, "The dealer has soft 16 and must draw, as a wager depends on it "
			   "(D0 VÝHERNÍ SESTAVA).");
	check_dealer(D0, "Ah", CASINO_NEEDS_TWO_CARDS, false);
	CHECK_TEXT(err.detail, "The dealer has only Ah and needs a second card, on which a wager depends "
			   "(rule hole_card).");
}

/* ---------- play ---------- */

/*
 * Hands of a group as text: "8h 8d 3c|8c 2d +s" with flags after a plus: d
 * doubled, D free doubled, f doubled by a follower, s split, S free split, x
 * surrendered, e even money, i even money insured.  A leading number and colon
 * gives a hand's number.
 */
static bool surrender_offered = true;
static bool unfinished = false;

static bool
group_ok(int version, const char *text, const char *up_card)
{
	static const char flags[] = "dDfsSxei";
	CasinoBlackjackCase at = {&version_rules[version], &sources, 3, 0, 0};
	CasinoPlayedHand hands[20];
	CasinoPlayedGroup group = {.hands = hands, .up_card = hand(up_card).cards[0],
	.table_surrender = surrender_offered, .unfinished = unfinished};

	memset(hands, 0, sizeof(hands));
	for (; *text != '\0'; group.count++)
	{
		size_t		len = strcspn(text, "|");
		size_t		cards = strcspn(text, "+|");
		char		buffer[100];
		size_t		i;

		hands[group.count].number = group.count + 1;
		if (cards > 2 && text[1] == ':')
		{
			hands[group.count].number = text[0] - '0';
			text += 2;
			len -= 2;
			cards -= 2;
		}
		snprintf(buffer, sizeof(buffer), "%.*s", (int) cards, text);
		hands[group.count].cards = hand(buffer);
		for (i = cards + 1; i < len; i++)
			hands[group.count].flags |= 1U << (strchr(flags, text[i]) - flags);
		text += len + (text[len] == '|' ? 1 : 0);
	}
	err.detail[0] = '\0';
	return casino_blackjack_check_group(&at, &group, &err);
}

static void
count_group(int line, int version, const char *text, const char *up_card, bool right)
{
	char		context[300];
	bool		got = group_ok(version, text, up_card);

	snprintf(context, sizeof(context), "version %d against %s: %s", version, up_card, err.detail);
	count_check(got == right, __FILE__, line, text, context);
	if (!right)
		count_int(err.code, CASINO_ILLEGAL_OUTCOME, __FILE__, line, text);
}

/* the same hands judged for who follows; the flags are his own */
static void
count_follower(int line, const char *text, bool right)
{
	static const char flags[] = "dDfsSxei";
	CasinoBlackjackCase at = {&version_rules[D3], &sources, 3, 0, 0};
	CasinoPlayedHand hands[4];
	CasinoPlayedGroup group = {.hands = hands, .up_card = hand("6c").cards[0], .table_surrender = true};
	const char *rest = text;

	memset(hands, 0, sizeof(hands));
	for (; *rest != '\0'; group.count++)
	{
		size_t		len = strcspn(rest, "|");
		size_t		cards = strcspn(rest, "+|");
		char		buffer[100];
		size_t		i;

		hands[group.count].number = group.count + 1;
		snprintf(buffer, sizeof(buffer), "%.*s", (int) cards, rest);
		hands[group.count].cards = hand(buffer);
		for (i = cards + 1; i < len; i++)
			hands[group.count].flags |= 1U << (strchr(flags, rest[i]) - flags);
		rest += len + (rest[len] == '|' ? 1 : 0);
	}
	err.detail[0] = '\0';
	count_check(casino_blackjack_check_follower(&at, &group, &err) == right, __FILE__, line, text,
				err.detail);
}

#define FOLLOWS(text)		count_follower(__LINE__, text, true)
#define CANNOT(text)		count_follower(__LINE__, text, false)

#define PLAYS(version, text)				count_group(__LINE__, version, text, "6c", true)
#define REFUSES(version, text)				count_group(__LINE__, version, text, "6c", false)
#define PLAYS_IF(condition, version, text)	count_group(__LINE__, version, text, "6c", (condition))
#define AGAINST(up_card, condition, version, text)	count_group(__LINE__, version, text, up_card, (condition))

static void
test_play_draws(void)
{
	int			v;

	for (v = 0; v < VERSIONS; v++)
	{
		PLAYS(v, "Th 6c");
		PLAYS(v, "Th 6c 5d");
		PLAYS(v, "Th 6c Kd");	/* over 21 */
		REFUSES(v, "Th 6c Kd 2c");	/* over 21 has lost */
		REFUSES(v, "Th 6c 6d 2c");
		PLAYS(v, "Th Ac");
		REFUSES(v, "Th Ac 2d"); /* blackjack */
		REFUSES(v, "Ah Jc Kd");
		/* 21 of more cards: D0 HRA and D3 §3 forbid to draw, hard or soft */
		PLAYS_IF(v != D0 && v != D3, v, "7h 7c 7d 2c");
		PLAYS_IF(v != D0 && v != D3, v, "Ah 5c 5d 2c");
		PLAYS(v, "Th 5c 5d Ac");	/* on 20 */
		PLAYS(v, "7h 7c 7d");
		/* standing on 11 or less: D3 §3 only */
		PLAYS_IF(v != D3, v, "6h 5c");
		PLAYS_IF(v != D3, v, "2h 2c 7d");
		PLAYS(v, "6h 6c");
		PLAYS(v, "Ah Ac");		/* soft 12 */
		PLAYS(v, "2h 2c 8d");
		/* too few cards */
		REFUSES(v, "Th");
		REFUSES(v, "");
		/* numbers */
		PLAYS(v, "1:Th 6c");
		REFUSES(v, "2:Th 6c");
		REFUSES(v, "1:8h 6c|3:8d Tc+s");
		REFUSES(v, "1:8h 6c|1:8d Tc+s");
		REFUSES(v, "2:8h 6c+s|1:8d Tc");
		PLAYS(v, "1:8h 6c|2:8d Tc+s");
		REFUSES(v, "8h 6c|8d Tc");	/* nobody staked on the split */
		REFUSES(v, "8h 6c+s|8d Tc+s");
	}
	REFUSES(D0, "7h 7c 7d 2c");
	CHECK_TEXT(err.detail, "Seat 3, hand 1: 2c was drawn on 21 (D0 HRA).");
	REFUSES(D3, "2h 2c 7d");
	CHECK_TEXT(err.detail, "Seat 3, hand 1: a player may not stand on 11, after 7d, but must draw "
			   "(rule must_draw_to).");
	REFUSES(D2, "Th Ac 2d");
	CHECK_TEXT(err.detail, "Seat 3, hand 1: 2d was drawn on a blackjack (R3.7).");
	REFUSES(D2, "Th 6c Kd 2c");
	CHECK_TEXT(err.detail, "Seat 3, hand 1: 2c was drawn on 26, which had lost (R3.14).");
}

static void
test_play_charlie(void)
{
	int			v;

	for (v = 0; v < VERSIONS; v++)
	{
		bool		six = v == INFINITE || v == EVOLUTION;

		PLAYS(v, "2h 2c 2d 2s 3h 3c");	/* six cards, 14 */
		PLAYS_IF(!six, v, "2h 2c 2d 2s 3h 3c 2c");
		PLAYS(v, "2h 2c 2d 2s 3h Kc");	/* the sixth makes 21 */
		PLAYS_IF(!six && v != D0 && v != D3, v, "2h 2c 2d 2s 3h Kc 2c");
		PLAYS(v, "2h 2c 2d 2s 8h Kc");	/* the sixth is too much */
		REFUSES(v, "2h 2c 2d 2s 8h Kc 2c");
		/* nine cards and ten: All Bets §14 */
		PLAYS_IF(!six, v, "Ah Ac Ad As Ah Ac 2d 2s 2h 2c");
		PLAYS_IF(!six && v != ALL_BETS, v, "Ah Ac Ad As Ah Ac 2d 2s 2h 2c 2d");
		PLAYS_IF(!six && v != ALL_BETS, v, "Ah Ac Ad As Ah Ac 2d 2s 2h 2c Ad Ac");
	}
	REFUSES(INFINITE, "2h 2c 2d 2s 3h 3c 2c");
	CHECK_TEXT(err.detail, "Seat 3, hand 1: 2c was drawn on 6 cards not over 21, which had won "
			   "(rule charlie_cards).");
	/* of each split hand for itself, Infinite §16 */
	PLAYS(INFINITE, "2h 3c 2d 3s 3h 3c|2c 2d 3s 4h 3d 4d+s");
	REFUSES(INFINITE, "2h 3c 2d 3s 3h 3c|2c 2d 3s 4h 3d 4d 2d+s");
}

static void
test_play_doubles(void)
{
	int			v;

	for (v = 0; v < VERSIONS; v++)
	{
		bool		after_split = v != D1 && v != D2;

		PLAYS(v, "6h 5c Td+d");
		PLAYS(v, "6h 5c 2d+d"); /* 13 and no further card; D3: not bound to draw */
		PLAYS(v, "6h 3c 2d+d"); /* 11: doubled hands are not bound by D3 §3 */
		REFUSES(v, "6h 5c+d");
		REFUSES(v, "6h 5c 2d 3c+d");
		REFUSES(v, "Ah Kc 2d+d");	/* blackjack */
		/* totals: D1 9, 10, 11 only, hard */
		PLAYS(v, "5h 4c 2d+d");
		PLAYS(v, "6h 4c 2d+d");
		PLAYS_IF(v != D1, v, "5h 3c 9d+d");
		PLAYS_IF(v != D1, v, "Th 2c 2d+d");
		PLAYS_IF(v != D1, v, "7h 5c 2d+d");
		PLAYS_IF(v != D1, v, "Ah 8c 2d+d"); /* soft 19 */
		PLAYS_IF(v != D1, v, "Ah 9c 2d+d");
		PLAYS_IF(v != D1, v, "Th Kc Ad+d"); /* any two cards */
		/* after a split */
		PLAYS_IF(after_split, v, "8h 3c Td+d|8c Td+s");
		PLAYS_IF(after_split, v, "8h Tc|8c 2d Ts+sd");
		PLAYS_IF(after_split, v, "8h 3c Td+d|8c 2d Ts+sd");
		/* never a split ace */
		REFUSES(v, "Ah 3c Td+d|Ac Td+s");
		REFUSES(v, "Ah 3c|Ac 4d Td+sd");
		/* ten and ace of a split are 21: doubling draws on 21 */
		PLAYS_IF(after_split && v != D0 && v != D3, v, "Th Ac 5d+d|Tc 9d+s");
		/* a follower doubles only with the owner */
		REFUSES(v, "6h 5c Td+f");
		PLAYS(v, "6h 5c Td+df");
	}
	/* D3: who stays with the hand that keeps its number, has split himself, or paid for it */
	FOLLOWS("3s 6c Th+D|3d 9c");
	FOLLOWS("3s 6c Th|3d 6c 4h+SD");
	FOLLOWS("3s 6c Th+D|3d 6c 4h+SD");
	FOLLOWS("3s 6c Th|3d 6c 4h+SD|3h 9c");
	FOLLOWS("3s 9c|3d 6c 4h+sD|3h 9c+S");	/* the free split may have made it */
	CANNOT("3s 9c Th+D|3d 9c");
	CANNOT("3s 6c Th+D|3d 9c+s");
	CANNOT("3s 6c Th|3d 6c 4h+sD");
	CANNOT("Ks 6c|Qd 9c+S");
	REFUSES(D1, "Ah 8c 2d+d");
	CHECK_TEXT(err.detail, "Seat 3, hand 1: Ah 8c makes 19, and only a hard 9, 10 or 11 may be doubled "
			   "(rule double_on).");
	REFUSES(D0, "6h 5c 2d 3c+d");
	CHECK_TEXT(err.detail, "Seat 3, hand 1: 3c is a second card on a doubled hand, which gets one "
			   "(rule double_on).");
	REFUSES(SYNOT, "Ah 3c|Ac 4d Td+sd");
	CHECK(strncmp(err.detail, "Seat 3, hand 2: Td was drawn on a split ace", 43) == 0);
}

static void
test_play_splits(void)
{
	static const char *const eights[] = {"8h Tc", "8h Tc|8c 9d+s", "8h Tc|8c 9d+s|8d Ts+s",
		"8h Tc|8c 9d+s|8d Ts+s|8s Tc+s",
	"8h Tc|8c 9d+s|8d Ts+s|8s Tc+s|8h Tc+s"};
	static const char *const aces[] = {"Ah Tc", "Ah Tc|Ac 9d+s", "Ah Tc|Ac 9d+s|Ad Ts+s",
		"Ah Tc|Ac 9d+s|Ad Ts+s|As Ac+s",
	"Ah Tc|Ac 9d+s|Ad Ts+s|As Tc+s|Ah Tc+s"};
	static const int most[VERSIONS] = {4, 2, 4, 4, 2, 2, 2, 2, 2};
	static const int most_aces[VERSIONS] = {4, 2, 2, 4, 2, 2, 2, 2, 2};
	int			v;
	int			n;

	for (v = 0; v < VERSIONS; v++)
	{
		for (n = 0; n < 5; n++)
		{
			PLAYS_IF(n < most[v], v, eights[n]);
			PLAYS_IF(n < most_aces[v], v, aces[n]);
		}
		REFUSES(v, "8h Tc|9c 9d+s");
		REFUSES(v, "Ah Tc|Tc 9d+s");	/* no split of a blackjack */
		PLAYS(v, "Kh 9c|Kc 9d+s");
		PLAYS_IF(v != D0, v, "Kh 9c|Qc 9d+s");	/* D0: pairs; value elsewhere */
		PLAYS_IF(v != D0, v, "Th 9c|Jc 9d+s");
		/* cards on split aces: one each */
		PLAYS(v, "Ah 2c|Ac Kd+s");	/* D3: split aces need not draw */
		REFUSES(v, "Ah 2c 5d|Ac Kd+s");
		REFUSES(v, "Ah 2c|Ac 3d 5c+s");
		REFUSES(v, "Ah|Ac 3d+s");
		/* split tens may draw; ace on a ten is 21 */
		PLAYS(v, "Th 2c 5d|Tc 3d 7c+s");
		PLAYS(v, "Th Ac|Tc Ad+s");
		PLAYS_IF(v != D0 && v != D3, v, "Th Ac 5d|Tc Ad+s");
		/* D3 §3 on split hands */
		PLAYS_IF(v != D3, v, "5h 5c|5d 9c+s");
		/* free splits */
		PLAYS_IF(v == D3, v, "8h Tc|8c 9d+S");
		REFUSES(v, "Kh Tc|Kc 9d+S");
	}
	for (n = 2; n < 5; n++)
		PLAYS_IF(n < 4, D3, n == 2 ? "8h Tc|8c 9d+S|8d 9c+S" : n == 3 ? "8h Tc|8c 9d+S|8d 9c+S|8s Tc+S" :
				 "8h Tc|8c 9d+S|8d 9c+S|8s Tc+S|8c Td+S");
	PLAYS(D3, "Ah Tc|Ac 9d+S|Ad 9c+S|As Tc+S"); /* §4.1: aces three times */
	PLAYS(D3, "Ah Tc|Ac 9d+S|Ad 9c+s|As Tc+S");
	REFUSES(D0, "Kh 9c|Qc 9d+s");
	CHECK_TEXT(err.detail, "Seat 3, hand 2: Kh and Qc are not of one rank and may not be split "
			   "(rule split_on).");
	REFUSES(D2, "Ah Tc|Ac 9d+s|Ad Ts+s");
	CHECK_TEXT(err.detail, "Seat 3, hand 3: aces may not be split again (rule resplit_aces).");
	REFUSES(SYNOT, eights[2]);
	CHECK_TEXT(err.detail, "Seat 3, hand 3: there are 2 hands at most (rule max_hands).");
	REFUSES(SYNOT, "Ah 2c 5d|Ac Kd+s");
	CHECK_TEXT(err.detail, "Seat 3, hand 1: 5d was drawn on a split ace, which gets 1 card "
			   "(rule cards_on_split_ace).");
	REFUSES(D3, "Kh Tc|Kc 9d+S");
	CHECK_TEXT(err.detail, "Seat 3, hand 2: Kh counts 10, and ten-values are not split free of charge "
			   "(rule free_split_on).");
}

static void
test_play_free_doubles(void)
{
	int			v;

	for (v = 0; v < VERSIONS; v++)
	{
		PLAYS_IF(v == D3, v, "5h 4c 2d+D");
		PLAYS_IF(v == D3, v, "6h 4c 2d+D");
		PLAYS_IF(v == D3, v, "6h 5c 2d+D");
		REFUSES(v, "5h 3c 9d+D");
		REFUSES(v, "7h 5c 9d+D");
		REFUSES(v, "Ah 8c 9d+D");	/* 9 with an ace */
		REFUSES(v, "6h 5c+D");
		REFUSES(v, "6h 5c 2d 3c+D");
	}
	/* on hands of a free split (§5.1); not of a paid one */
	PLAYS(D3, "8h 3c Td+D|8c 9d+S");
	PLAYS(D3, "8h Tc|8c 2d 4s+SD");
	REFUSES(D3, "8h 3c Td+D|8c 9d+s");
	REFUSES(D3, "8h Tc|8c 2d 4s+sD");
	PLAYS(D3, "8h Tc|8c 2d 4s+sD|8d Tc+S"); /* hand 3 may have been split from hand 2 */
	REFUSES(D3, "8h Tc|8c Td+S|8d 2c 4s+sD");
	REFUSES(D3, "Ah 8c 2d+D|Ac 9d+S");
	PLAYS(D3, "8h 3c Td+d|8c 9d+S");	/* a paid double on a free split */
	REFUSES(SYNOT, "6h 5c 2d+D");
	CHECK_TEXT(err.detail, "Seat 3, hand 1: there is no free double in this game (rule free_double_on).");
}

static void
test_play_decisions(void)
{
	int			v;

	for (v = 0; v < VERSIONS; v++)
	{
		bool		surrender = v == SYNOT || v == EVOLUTION;

		PLAYS_IF(surrender, v, "Th 6c+x");
		AGAINST("Ah", surrender, v, "Th 6c+x");
		PLAYS_IF(surrender, v, "6h 2c+x");
		REFUSES(v, "Th 2c 4d+x");	/* after a draw */
		REFUSES(v, "6h 5c 4d+dx");	/* after a double */
		REFUSES(v, "8h Tc+x|8c 9d+s");	/* after a split */
		REFUSES(v, "8h Tc|8c 9d+sx");
		REFUSES(v, "Ah Kc+x");	/* blackjack */
		surrender_offered = false;
		REFUSES(v, "Th 6c+x");
		surrender_offered = true;
		/* even money */
		AGAINST("Ac", v == D0 || v == D2 || v == D3, v, "Ah Kc+e");
		AGAINST("Tc", v == D3, v, "Ah Kc+e");
		AGAINST("Kc", v == D3, v, "Ah Kc+e");
		AGAINST("9c", false, v, "Ah Kc+e");
		AGAINST("Ac", false, v, "Ah 9c+e");
		AGAINST("Ac", false, v, "7h 7c 7d+e");
		AGAINST("Ac", false, v, "Ah Kc+e|Ad 9c+s"); /* 21 of a split */
		/* with insurance: D3; D0 and D2 give the insurance back instead */
		AGAINST("Ac", v == D0 || v == D2, v, "Ah Kc+ei");
	}
	AGAINST("Ac", false, D3, "Ah Kc+ei");
	CHECK_TEXT(err.detail, "Seat 3, hand 1: even money and insurance exclude each other (rule even_money).");
	REFUSES(SYNOT, "Th 2c 4d+x");
	CHECK_TEXT(err.detail, "Seat 3, hand 1: a hand that drew 4d may not be surrendered (rule surrender).");
}

static void
test_play_unfinished(void)
{
	int			v;

	unfinished = true;
	REFUSES(SYNOT, "Th+x");		/* on one card */
	REFUSES(EVOLUTION, "+x");
	for (v = 0; v < VERSIONS; v++)
	{
		PLAYS(v, "Th");
		PLAYS(v, "5h 2c");
		PLAYS(v, "6h 5c+d");
		PLAYS(v, "8h 6c|8d");
		REFUSES(v, "Th 6c Kd 2c");
		REFUSES(v, "6h 5c 2d 3c+d");
		REFUSES(v, "6h+d");
		REFUSES(v, "8h|9d");
	}
	unfinished = false;
}

static void
test_start(void)
{
	CasinoPlayedHand hands[2];
	CasinoPlayedGroup group = {.count = 1, .hands = hands};
	CasinoCard	one[2];
	CasinoCard	two[2];

	memset(hands, 0, sizeof(hands));
	hands[0].cards = hand("8h 8d 2c");
	CHECK(casino_blackjack_group_start(&group, one));
	hands[0].cards = hand("8d Ts 2c");
	hands[1].cards = hand("8h");
	group.count = 2;
	CHECK(casino_blackjack_group_start(&group, two));
	CHECK(one[0] == two[0] && one[1] == two[1]);
	CHECK(one[0] == hand("8h").cards[0] && one[1] == hand("8d").cards[0]);
	hands[0].cards = hand("8h");
	group.count = 1;
	CHECK(!casino_blackjack_group_start(&group, one));
	group.count = 0;
	CHECK(!casino_blackjack_group_start(&group, one));
}

/* ---------- options, as the cards fall (R3.5) ---------- */

static void
test_options(void)
{
	CasinoBlackjackCase at = {&version_rules[D0], NULL, 0, 17, 2};
	CasinoHand	three = hand("6h 3c 2d");
	CasinoHand	one = hand("6h");
	int			v;

	CHECK(!casino_blackjack_may_double(&at, &three, false, &err));
	CHECK_TEXT(err.detail, "Player 17, hand 2: a hand is doubled on two cards, not on 3 (rule double_on).");
	CHECK(!casino_blackjack_may_double(&at, &one, false, &err));
	at.player_id = at.hand = 0;
	CHECK(!casino_blackjack_may_insure(&at, hand("Kc").cards[0], false, &err));
	CHECK_TEXT(err.detail, "The dealer's first card is Kc, and insurance is for an ace (rule insurance).");
	for (v = 0; v < VERSIONS; v++)
	{
		at.rules = &version_rules[v];
		CHECK(casino_blackjack_may_insure(&at, hand("Ac").cards[0], false, &err));
		CHECK(casino_blackjack_may_insure(&at, hand("Ac").cards[0], true, &err) == (v != D0 && v != D2));
		CHECK(!casino_blackjack_may_insure(&at, hand("9c").cards[0], true, &err));
		CHECK(casino_blackjack_may_split(&at, 3, 2, 1, &err));
		CHECK(!casino_blackjack_may_split(&at, 3, 2, 4, &err));
	}
	/* a paragraph that does not fit is left out, and never cut */
	{
		static char longer[170];
		CasinoBlackjackSources far = {{NULL}};

		memset(longer, 'x', sizeof(longer) - 1);
		far.paragraph[CASINO_BJ_INSURANCE] = longer;
		at.sources = &far;
		CHECK(!casino_blackjack_may_insure(&at, hand("Kc").cards[0], false, &err));
		CHECK_TEXT(err.detail, "The dealer's first card is Kc, and insurance is for an ace.");
	}
}

static void
test_copies(void)
{
	CasinoCopies copies;
	CasinoHand	h = hand("As As As As As As");

	memset(&copies, 0, sizeof(copies));
	casino_copies_add(&copies, &h);
	CHECK(casino_copies_check(&copies, 6, &err));
	h = hand("Ks As");
	casino_copies_add(&copies, &h);
	CHECK(!casino_copies_check(&copies, 6, &err));
	CHECK_INT(err.code, CASINO_ILLEGAL_OUTCOME);
	CHECK_TEXT(err.detail, "The card As was dealt 7 times from 6 decks.");
	CHECK(casino_copies_check(&copies, 8, &err));
}

/* ---------- grades ---------- */

/*
 * Grade of a wager: own hand, then hand 1 and 2 ("" for hand 1: the own hand;
 * "" for hand 2: not split), dealer, flags.  "-" for CASINO_GRADE_NONE.
 */
static const char *
grade(int version, int kind, const char *own, const char *first, const char *second,
	  const char *dealer, unsigned flags)
{
	CasinoHand	hands[4] = {hand(own), hand(first[0] != '\0' ? first : own), hand(second), hand(dealer)};
	CasinoBlackjackWager wager = {&version_rules[version], &hands[0], &hands[1], &hands[2], &hands[3], flags};
	const char *name = casino_grade_name(casino_grade_blackjack(kind, &wager));

	return name == NULL ? "-" : name;
}

static CasinoDealerNeed
need(int version, int kind, const char *own, const char *second, const char *dealer, unsigned flags)
{
	CasinoHand	hands[3] = {hand(own), hand(second), hand(dealer)};
	CasinoBlackjackWager wager = {&version_rules[version], &hands[0], &hands[0], &hands[1], &hands[2], flags};

	return casino_blackjack_needs_dealer(kind, &wager);
}

#define MAIN(version, own, dealer, want) \
	CHECK_TEXT(grade(version, CASINO_MAIN, own, "", "", dealer, 0), want)

static void
test_grade_main(void)
{
	static const int kinds[] = {CASINO_MAIN, CASINO_BEHIND, CASINO_DOUBLE_DOWN, CASINO_SPLIT_PAIR,
	CASINO_FREE_SPLIT, CASINO_FREE_DOUBLE};
	int			v;
	size_t		k;

	for (v = 0; v < VERSIONS; v++)
	{
		for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
		{
			CHECK_TEXT(grade(v, kinds[k], "Th 9c", "", "", "Tc 8d", 0), "win");
			CHECK_TEXT(grade(v, kinds[k], "Th 8c", "", "", "Tc 8d", 0), "push");
			CHECK_TEXT(grade(v, kinds[k], "Th 7c", "", "", "Tc 8d", 0), "lose");
			/* over 21 comes first */
			CHECK_TEXT(grade(v, kinds[k], "Th 2c Kd", "", "", "Tc 6d Kc", 0), "lose");
			CHECK_TEXT(grade(v, kinds[k], "Th 2c Kd", "", "", "6c", 0), "lose");
			CHECK_TEXT(grade(v, kinds[k], "Th 2c", "", "", "Tc 6d 7c", 0), "win");	/* dealer 23 */
			CHECK_TEXT(grade(v, kinds[k], "Th 2c", "", "", "Tc 6d 6c", 0), v == D3 ? "push" : "win");
			CHECK_TEXT(grade(v, kinds[k], "7h 7c 7d", "", "", "Tc 6d 6c", 0), v == D3 ? "push" : "win");
			CHECK_TEXT(grade(v, kinds[k], "7h 7c 7d", "", "", "Ac Kd", 0), "lose"); /* blackjack beats 21 */
			CHECK_TEXT(grade(v, kinds[k], "7h 7c 7d", "", "", "Ac 5d 5c", 0), "push");
			CHECK_TEXT(grade(v, kinds[k], "Th 2c", "", "", "Tc 5d", 0), "-");	/* not decided */
			CHECK_TEXT(grade(v, kinds[k], "Th 2c", "", "", "Tc", 0), "-");
			/* ace and ten of a split are 21 */
			CHECK_TEXT(grade(v, kinds[k], "Ah Kc", "", "Ad 9c", "Tc 8d", 0), "win");
			CHECK_TEXT(grade(v, kinds[k], "Ah Kc", "", "Ad 9c", "Tc 5d 6c", 0), "push");
			CHECK_TEXT(grade(v, kinds[k], "Ah Kc", "", "Ad 9c", "Kc Ad", 0), "lose");
		}
		/* the second hand too, and whoever did not follow the split */
		CHECK_TEXT(grade(v, CASINO_SPLIT_PAIR, "Ad Kc", "Ah 9c", "Ad Kc", "Tc 8d", 0), "win");
		CHECK_TEXT(grade(v, CASINO_BEHIND, "Ah Kc", "Ah Kc", "Ad 9c", "Tc 8d", 0), "win");
		/* blackjack */
		MAIN(v, "Ah Kc", "Tc 8d", "blackjack");
		MAIN(v, "Ah Kc", "Tc 5d 6c", "blackjack");	/* beats 21 */
		MAIN(v, "Ah Kc", "Tc Ad", "push");
		MAIN(v, "Ah Kc", "Ac Td", "push");
		MAIN(v, "Ah Kc", "Tc 6d 6c", "blackjack");	/* D3 §3: 22 is no push for a blackjack */
		MAIN(v, "Ah Kc", "9c", "blackjack");
		MAIN(v, "Ah Kc", "Ac", "-");
		MAIN(v, "Ah Kc", "Tc", "-");
		MAIN(v, "Ah Kc", "Tc 2d", v == D3 ? "-" : "blackjack"); /* D3: the dealer must finish */
		CHECK_TEXT(grade(v, CASINO_BEHIND, "Ah Kc", "", "", "Tc 8d", 0), "blackjack");
	}
	CHECK_TEXT(grade(D0, CASINO_RED, "Th 8c", "", "", "Tc 8d", 0), "-");
	CHECK_TEXT(grade(D0, CASINO_BANKER_PAIR, "Th 8c", "", "", "Tc 8d", 0), "-");
	CHECK_TEXT(grade(D0, CASINO_MAIN, "Th", "", "", "Tc 8d", 0), "-");
	CHECK_TEXT(grade(D0, CASINO_MAIN, "Th 8c", "", "", "", 0), "-");
	/* D1: 16 stood, and drawn */
	MAIN(D1, "Th 7c", "Tc 6d", "win");
	MAIN(D1, "Th 6c", "Tc 6d", "push");
	MAIN(D1, "Th 6c", "Tc 6d Ac", "lose");
}

static void
test_grade_exceptions(void)
{
	static const int kinds[] = {CASINO_MAIN, CASINO_BEHIND, CASINO_DOUBLE_DOWN, CASINO_SPLIT_PAIR};
	int			v;
	size_t		k;

	for (v = 0; v < VERSIONS; v++)
	{
		const char *returned = v >= SYNOT ? "returned" : "lose";
		bool		six = v == INFINITE || v == EVOLUTION;

		for (k = 0; k < 4; k++)
		{
			/* doubled against ten, then ace: D4 Blackjack §20, All Bets §18, ... Endless §17 */
			CHECK_TEXT(grade(v, kinds[k], "6h 5c Td", "", "", "Tc Ad", CASINO_WAGER_DOUBLED), returned);
			CHECK_TEXT(grade(v, kinds[k], "6h 5c 2d", "", "", "Kc Ad", CASINO_WAGER_DOUBLED), returned);
			CHECK_TEXT(grade(v, kinds[k], "6h 5c Td", "", "", "Ac Td", CASINO_WAGER_DOUBLED), "lose");
			CHECK_TEXT(grade(v, kinds[k], "6h 5c Td", "", "", "Tc Ad", 0), "lose"); /* did not follow the
																					 * double */
			CHECK_TEXT(grade(v, kinds[k], "6h 7c Td", "", "", "Tc Ad", CASINO_WAGER_DOUBLED), "lose");
			CHECK_TEXT(grade(v, kinds[k], "6h 5c Td", "", "", "Tc 5d 6c", CASINO_WAGER_DOUBLED), "push");
			/* Charlie: 6 against 5 cards, 21 against 22 */
			CHECK_TEXT(grade(v, kinds[k], "2h 2c 2d 2s 3h", "", "", "Tc 8d", 0), "lose");
			CHECK_TEXT(grade(v, kinds[k], "2h 2c 2d 2s 3h 2c", "", "", "Tc 8d", 0), six ? "charlie" : "lose");
			CHECK_TEXT(grade(v, kinds[k], "2h 2c 2d 2s 3h Kc", "", "", "Tc 8d", 0), six ? "charlie" : "win");
			CHECK_TEXT(grade(v, kinds[k], "2h 2c 2d 2s 4h Kc", "", "", "Tc 8d", 0), "lose");
			CHECK_TEXT(grade(v, kinds[k], "2h 2c 2d 2s 3h 2c", "", "", "Ac Kd", 0), six ? "charlie" : "lose");
			CHECK_TEXT(grade(v, kinds[k], "2h 2c 2d 2s 3h 2c", "", "", "Tc", 0), six ? "charlie" : "-");
			CHECK_TEXT(grade(v, kinds[k], "Ah Ac Ad As Ah Ac Ad 2s 2h 2c", "", "", "Tc 8d", 0),
					   six || v == ALL_BETS ? "charlie" : "lose");
			CHECK_TEXT(grade(v, kinds[k], "Ah Ac Ad As Ah Ac Ad 2s 2h 2c", "", "", "Tc Ad", 0),
					   six ? "charlie" : "lose");
			CHECK_TEXT(grade(v, kinds[k], "Ah Ac Ad As Ah Ac Ad 2s 2h 2c", "", "", "6c", 0),
					   six || v == ALL_BETS ? "charlie" : "-");
			CHECK_TEXT(grade(v, kinds[k], "Ah Ac Ad As Ah Ac Ad 2s 2h", "", "", "Tc 8d", 0),
					   six ? "charlie" : "win");	/* soft 21 of nine cards */
		}
		/* surrender, also against a blackjack; the behind with it */
		CHECK_TEXT(grade(v, CASINO_MAIN, "Th 6c", "", "", "Ac", CASINO_WAGER_SURRENDERED), "surrender");
		CHECK_TEXT(grade(v, CASINO_MAIN, "Th 6c", "", "", "Ac Kd", CASINO_WAGER_SURRENDERED), "surrender");
		CHECK_TEXT(grade(v, CASINO_BEHIND, "Th 6c", "", "", "Tc 6d Kc", CASINO_WAGER_SURRENDERED),
				   "surrender");
		/* even money */
		CHECK_TEXT(grade(v, CASINO_MAIN, "Ah Kc", "", "", "Ac", CASINO_WAGER_EVEN_MONEY), "even_money");
		CHECK_TEXT(grade(v, CASINO_MAIN, "Ah Kc", "", "", "Ac Kd", CASINO_WAGER_EVEN_MONEY), "even_money");
		CHECK_TEXT(grade(v, CASINO_MAIN, "Ah Kc", "", "", "Ac 9d", CASINO_WAGER_EVEN_MONEY), "even_money");
		/* insurance: won, lost, never on offer */
		CHECK_TEXT(grade(v, CASINO_INSURANCE, "Th 6c", "", "", "Ac Kd", 0), "win");
		CHECK_TEXT(grade(v, CASINO_INSURANCE, "Th 6c", "", "", "Ac 9d", 0), "lose");
		CHECK_TEXT(grade(v, CASINO_INSURANCE, "Th 6c", "", "", "Ac 5d 5c", 0), "lose");
		CHECK_TEXT(grade(v, CASINO_INSURANCE, "Th 6c", "", "", "Ac", 0), "-");
		CHECK_TEXT(grade(v, CASINO_INSURANCE, "Th 6c", "", "", "Kc Ad", 0), "returned");
		CHECK_TEXT(grade(v, CASINO_INSURANCE, "Th 6c", "", "", "9c", 0), "returned");
		CHECK_TEXT(grade(v, CASINO_INSURANCE, "Th 6c Kd", "", "", "Ac Kd", 0), "win");
		CHECK_TEXT(grade(v, CASINO_INSURANCE, "Th 6c", "", "", "Ac Kd", CASINO_WAGER_SURRENDERED), "win");
		CHECK_TEXT(grade(v, CASINO_INSURANCE, "Ah Kc", "", "", "Ac Kd", 0), v == D0 ||
				   v == D2 ? "returned" : "win");
		CHECK_TEXT(grade(v, CASINO_INSURANCE, "Ah Kc", "", "", "Ac 9d", 0), v == D0 ||
				   v == D2 ? "returned" : "lose");
		/* split: no blackjack */
		CHECK_TEXT(grade(v, CASINO_INSURANCE, "Ah Kc", "", "Ad 9c", "Ac Kd", 0), "win");
	}
}

static void
test_grade_side(void)
{
	static const struct
	{
		int			kind;
		const char *own;
		const char *second;
		const char *dealer;
		const char *want;
	}			cases[] = {
		/* the original two cards after a split */
		{CASINO_PLAYER_PAIR, "8h 2c", "8h Kd", "7c", "suited_pair"},
		{CASINO_PLAYER_PAIR, "8h 8c", "8d Kd", "7c", "coloured_pair"},
		{CASINO_21_PLUS_3, "7h 7c", "7d Kd", "7s", "trips"},
		{CASINO_21_PLUS_3, "7h 7h 5c", "", "7h", "suited_trips"},
		{CASINO_TOP3, "7h 7h 5c", "", "7h", "suited_trips"},
		{CASINO_TOP3, "7h 8c", "", "9d", "lose"},
		{CASINO_DEALER_PAIR, "7h 8c", "", "9d", "-"},
		{CASINO_DEALER_PAIR, "7h 8c", "", "9d 9d", "suited_pair"},
		{CASINO_DEALER_PAIR, "7h 8c", "", "9d 9h", "coloured_pair"},
		{CASINO_DEALER_PAIR, "7h 8c", "", "9c 9h 2c", "mixed_pair"},
		{CASINO_DEALER_PAIR, "7h 8c", "", "Kc Qc", "lose"},
		{CASINO_LUCKY_LUCKY, "7h 8c", "", "6d", "678"},
		{CASINO_HOT3, "7h 8c", "", "6d", "21"},
		{CASINO_HOT3, "7h 7h", "", "7h", "777"},
		/* Buster: All Bets §26 */
		{CASINO_BUSTER, "Ah Kc", "", "2c 2d 2h 2s 3c 3d 2c 7d", "bust_8_blackjack"},
		{CASINO_BUSTER, "Ah 9c", "", "2c 2d 2h 2s 3c 3d 2c 7d", "bust_8"},
		{CASINO_BUSTER, "Ah Kc", "Ad 9c", "2c 2d 2h 2s 3c 3d 2c 7d", "bust_8"},
		{CASINO_BUSTER, "Ah 9c", "", "2c 2d 2h 2s 3c Ad 2c 2d 8c", "bust_8"},
		{CASINO_BUSTER, "Ah Kc", "", "2c 2d 2h 2s 3c 3d Kc", "bust_7_blackjack"},
		{CASINO_BUSTER, "Ah 9c", "", "2c 2d 2h 2s 3c 3d Kc", "bust_7"},
		{CASINO_BUSTER, "Ah Kc", "", "2c 2d 2h 2s 5c Kd", "bust_6"},
		{CASINO_BUSTER, "Ah 9c", "", "2c 2d 2h 7s Kc", "bust_5"},
		{CASINO_BUSTER, "Ah 9c", "", "2c 2d 9h Ks", "bust_4"},
		{CASINO_BUSTER, "Ah 9c", "", "Kc 6d 6h", "bust_3"},
		{CASINO_BUSTER, "Kh 9c Kd", "", "Kc 6d 6h", "bust_3"},
		{CASINO_BUSTER, "Ah 9c", "", "Kc 6d 5h", "lose"},
		{CASINO_BUSTER, "Ah 9c", "", "Kc 6d", "-"},
		{CASINO_BUSTER, "Ah 9c", "", "Kc Ad", "lose"},
		/* Bust It: Infinite §26, §28 */
		{CASINO_BUST_IT, "Ah Kc", "", "Kc", "push"},
		{CASINO_BUST_IT, "Ah Kc", "", "Kc 6d 5h", "push"},
		{CASINO_BUST_IT, "Ah Kc", "Ad 5c", "Kc 6d 6h", "bust_3"},
		{CASINO_BUST_IT, "Ah 9c", "", "Kc 6d 6h", "bust_3"},
		{CASINO_BUST_IT, "Ah 9c", "", "2c 2d 9h Ks", "bust_4"},
		{CASINO_BUST_IT, "Ah 9c", "", "2c 2d 2h 7s Kc", "bust_5"},
		{CASINO_BUST_IT, "Ah 9c", "", "2c 2d 2h 2s 5c Kd", "bust_6"},
		{CASINO_BUST_IT, "Ah 9c", "", "2c 2d 2h 2s 3c 3d Kc", "bust_7"},
		{CASINO_BUST_IT, "Ah 9c", "", "2c 2d 2h 2s 3c 3d 2c 7d", "bust_8"},
		{CASINO_BUST_IT, "Ah 9c", "", "Kc 6d 5h", "lose"},
		{CASINO_BUST_IT, "Ah 9c", "", "Kc", "-"},
		/* Push 22: D3 §6 */
		{CASINO_PUSH22, "Ah 9c", "", "Kc 6d 6h", "win"},
		{CASINO_PUSH22, "Ah Kc", "", "Kc 6d 6h", "win"},
		{CASINO_PUSH22, "Kh 9c 9d", "", "Kc 6d 6h", "win"},
		{CASINO_PUSH22, "Ah 9c", "", "Kc 6d 5h", "lose"},
		{CASINO_PUSH22, "Ah 9c", "", "Kc 6d 7h", "lose"},
		{CASINO_PUSH22, "Ah 9c", "", "Kc 6d", "-"}
	};
	size_t		i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK_TEXT(grade(ALL_BETS, cases[i].kind, cases[i].own, "", cases[i].second, cases[i].dealer, 0),
				   cases[i].want);
	/* side bets play on after a surrender */
	CHECK_TEXT(grade(SYNOT, CASINO_PLAYER_PAIR, "8h 8c", "", "", "7c", CASINO_WAGER_SURRENDERED),
			   "mixed_pair");
}

static void
test_needs(void)
{
	int			v;

	for (v = 0; v < VERSIONS; v++)
	{
		bool		six = v == INFINITE || v == EVOLUTION;

		CHECK_INT(need(v, CASINO_MAIN, "Th 6c", "", "9c", 0), CASINO_NEEDS_WHOLE_HAND);
		CHECK_INT(need(v, CASINO_MAIN, "Th 6c Kd", "", "9c", 0), CASINO_NEEDS_UP_CARD);
		CHECK_INT(need(v, CASINO_DOUBLE_DOWN, "Th 6c Kd", "", "9c", 0), CASINO_NEEDS_UP_CARD);
		CHECK_INT(need(v, CASINO_MAIN, "Th 6c", "", "9c", CASINO_WAGER_SURRENDERED), CASINO_NEEDS_UP_CARD);
		CHECK_INT(need(v, CASINO_MAIN, "Ah Kc", "", "9c", 0), CASINO_NEEDS_UP_CARD);
		CHECK_INT(need(v, CASINO_MAIN, "Ah Kc", "", "Ac", 0),
				  v == D3 ? CASINO_NEEDS_WHOLE_HAND : CASINO_NEEDS_TWO_CARDS);
		CHECK_INT(need(v, CASINO_MAIN, "Ah Kc", "", "Jc", 0),
				  v == D3 ? CASINO_NEEDS_WHOLE_HAND : CASINO_NEEDS_TWO_CARDS);
		CHECK_INT(need(v, CASINO_MAIN, "Ah Kc", "", "Ac", CASINO_WAGER_EVEN_MONEY), CASINO_NEEDS_UP_CARD);
		CHECK_INT(need(v, CASINO_MAIN, "Ah Kc", "Ad 9c", "9c", 0), CASINO_NEEDS_WHOLE_HAND);
		CHECK_INT(need(v, CASINO_MAIN, "2h 2c 2d 2s 3h 3c", "", "Ac", 0),
				  six ? CASINO_NEEDS_UP_CARD : CASINO_NEEDS_WHOLE_HAND);
		CHECK_INT(need(v, CASINO_INSURANCE, "Th 6c", "", "Ac", 0), CASINO_NEEDS_TWO_CARDS);
		CHECK_INT(need(v, CASINO_INSURANCE, "Th 6c", "", "Kc", 0), CASINO_NEEDS_UP_CARD);
		CHECK_INT(need(v, CASINO_21_PLUS_3, "Th 6c", "", "Kc", 0), CASINO_NEEDS_UP_CARD);
		CHECK_INT(need(v, CASINO_DEALER_PAIR, "Th 6c Kd", "", "Kc", 0), CASINO_NEEDS_TWO_CARDS);
		CHECK_INT(need(v, CASINO_BUSTER, "Th 6c Kd", "", "Kc", 0), CASINO_NEEDS_WHOLE_HAND);
		CHECK_INT(need(v, CASINO_PUSH22, "Th 6c Kd", "", "Kc", 0), CASINO_NEEDS_WHOLE_HAND);
		CHECK_INT(need(v, CASINO_BUST_IT, "Th 6c Kd", "", "Kc", 0), CASINO_NEEDS_WHOLE_HAND);
		CHECK_INT(need(v, CASINO_BUST_IT, "Ah Kc", "", "Kc", 0), CASINO_NEEDS_UP_CARD);
	}
	CHECK_INT(need(ALL_BETS, CASINO_MAIN, "Ah Ac Ad As Ah Ac Ad 2s 2h 2c", "", "Ac", 0),
			  CASINO_NEEDS_TWO_CARDS);
	CHECK_INT(need(ALL_BETS, CASINO_MAIN, "Ah Ac Ad As Ah Ac Ad 2s 2h 2c", "", "9c", 0),
			  CASINO_NEEDS_UP_CARD);
}

/* A ground of a void rules no play: its paragraph changes no byte of the paragraphs nor beside them. */
static void
test_sources(void)
{
	static CasinoBlackjackSources all[3];
	static const char text[] = "a paragraph";

	casino_blackjack_source_set(&all[1], "ground_irregularity", text);
	casino_blackjack_source_set(&all[1], "no such rule", text);
	for (int i = 0; i < 3; i++)
		for (int rule = 0; rule < CASINO_BJ_RULE_END; rule++)
			CHECK(all[i].paragraph[rule] == NULL);
	for (int rule = 0; rule < CASINO_BJ_RULE_END; rule++)
	{
		casino_blackjack_source_set(&all[1], casino_blackjack_rule_name(rule), text);
		CHECK(all[1].paragraph[rule] == text);
	}
	for (int rule = 0; rule < CASINO_BJ_RULE_END; rule++)
		CHECK(all[0].paragraph[rule] == NULL && all[2].paragraph[rule] == NULL);
}

static void
test_grade_names(void)
{
	/* the words of the paytables */
	static const char *const words[] = {"blackjack", "even_money", "surrender", "charlie", "returned",
		"suited_trips", "straight_flush", "trips", "straight", "flush", "suited_777", "suited_678", "777",
		"678",
		"suited_21", "21", "20", "19", "suited_pair", "coloured_pair", "mixed_pair", "bust_3", "bust_4",
		"bust_5",
	"bust_6", "bust_7", "bust_8", "bust_7_blackjack", "bust_8_blackjack"};
	size_t		i;
	int			g;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
	{
		int			found = 0;

		for (g = 1; g < CASINO_GRADE_END; g++)
			found += strcmp(casino_grade_name((CasinoGrade) g), words[i]) == 0 ? 1 : 0;
		CHECK_INT(found, 1);
	}
	CHECK(casino_grade_name(CASINO_GRADE_END) == NULL);
}

int
main(void)
{
	test_rules();
	test_hands();
	test_dealer();
	test_play_draws();
	test_play_charlie();
	test_play_doubles();
	test_play_splits();
	test_play_free_doubles();
	test_play_decisions();
	test_play_unfinished();
	test_start();
	test_options();
	test_copies();
	test_grade_main();
	test_grade_exceptions();
	test_grade_side();
	test_needs();
	test_sources();
	test_grade_names();
	return conclude("blackjack");
}
