/*
 * plan.c
 *	  The lists by which plan data are checked, against what the code does: no
 *	  grading function gives a grade that casino_plan_grades() does not name,
 *	  and each that it names is given by some cards.
 */
#include "core/games/baccarat.h"
#include "core/games/blackjack_grade.h"
#include "core/games/blackjack_play.h"
#include "core/games/casino_holdem.h"
#include "check.h"
#include "core/games/plan_grades.h"
#include "core/games/plan_rules.h"
#include "core/games/roulette.h"

static CasinoGrades seen[CASINO_FAMILY_END][CASINO_BET_KIND_END];
static uint64_t state = 88172645463325252U;

static unsigned
chance(unsigned n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned) ((state >> 11) % n);
}

static void
note(CasinoFamily family, int kind, CasinoGrade grade)
{
	if (grade != CASINO_GRADE_NONE && grade != CASINO_LOSE)
		seen[family][kind] |= CASINO_GRADE_BIT(grade);
}

/* Seen grades are those of the list, all of them. */
static void
compare(CasinoFamily family, const CasinoBlackjackRules *rules, const char *what)
{
	int			kind;

	for (kind = 1; kind < CASINO_BET_KIND_END; kind++)
	{
		CasinoGrades listed = casino_plan_grades(family, kind, rules);
		int			grade;

		for (grade = CASINO_LOSE; grade < CASINO_GRADE_END; grade++)
			count_check(((listed ^ seen[family][kind]) & CASINO_GRADE_BIT(grade)) == 0, __FILE__, __LINE__,
						casino_bet_kind_name(kind), casino_grade_name((CasinoGrade) grade));
	}
	(void) what;
}

/* ---------- roulette, baccarat, Casino Hold'em ---------- */

static void
test_roulette(void)
{
	static const char *const bets[] = {"straight:17@1", "split:17-20@1", "street:1-2-3@1", "trio:0-1-2@1",
		"corner:25-26-28-29@1", "first_four@1", "six_line:1-2-3-4-5-6@1", "dozen:1@1", "column:1@1", "red@1",
	"black@1", "odd@1", "even@1", "low@1", "high@1"};
	CasinoBet	bet;
	CasinoError error;
	size_t		i;
	int			number;

	for (i = 0; i < sizeof(bets) / sizeof(bets[0]); i++)
	{
		CHECK(casino_bet_parse(bets[i], strlen(bets[i]), &bet, &error));
		for (number = 0; number < 37; number++)
			note(CASINO_FAMILY_ROULETTE, bet.kind, casino_grade_roulette(&bet, number));
	}
	compare(CASINO_FAMILY_ROULETTE, NULL, "roulette");
}

/* n different cards of one deck, the first few of one suit or rank now and then */
static void
draw(CasinoCard *cards, int n, bool one_deck)
{
	int			suited = chance(3) == 0 ? (int) chance(4) : -1;
	int			from = (int) chance(9);
	int			span = chance(3) == 0 ? 5 : 13;
	int			i;
	int			k;

	for (i = 0; i < n; i++)
	{
		int			rank = span == 5 ? (from + (int) chance(5)) % 13 : (int) chance(13);
		int			suit = suited >= 0 && chance(8) != 0 ? suited : (int) chance(4);

		cards[i] = casino_card_make(rank, suit);
		for (k = 0; one_deck && k < i; k++)
		{
			if (cards[k] == cards[i])
			{
				cards[i] = casino_card_make((int) chance(13), (int) chance(4));
				k = -1;
			}
		}
	}
}

static void
test_baccarat(void)
{
	int			round;

	for (round = 0; round < 200000; round++)
	{
		CasinoCard	cards[6];
		CasinoHand	player = {0};
		CasinoHand	banker = {0};
		CasinoBet	bet = {.stake = 100};
		int			kind;

		draw(cards, 6, false);
		player.count = (uint8_t) (2 + chance(2));
		banker.count = (uint8_t) (2 + chance(2));
		memcpy(player.cards, cards, 3);
		memcpy(banker.cards, cards + 3, 3);
		for (kind = 1; kind < CASINO_BET_KIND_END; kind++)
		{
			bet.kind = (uint8_t) kind;
			bet.numbers[0] = kind == CASINO_EGALITE ? (uint8_t) chance(10) : 0;
			note(CASINO_FAMILY_BACCARAT, kind, casino_grade_baccarat(&bet, &player, &banker));
		}
	}
	compare(CASINO_FAMILY_BACCARAT, NULL, "baccarat");
}

static void
test_casino_holdem(void)
{
	int			round;

	for (round = 0; round < 2000000; round++)
	{
		CasinoCard	cards[9];
		CasinoHand	player = {.count = 2};
		CasinoHand	board = {.count = 5};
		CasinoHand	dealer = {.count = 2};
		CasinoBet	bet = {.stake = 100};
		int			kind;

		draw(cards, 9, true);
		memcpy(player.cards, cards, 2);
		memcpy(board.cards, cards + 2, 5);
		memcpy(dealer.cards, cards + 7, 2);
		for (kind = CASINO_ANTE; kind < CASINO_POT; kind++)
		{
			bet.kind = (uint8_t) kind;
			note(CASINO_FAMILY_CASINO_HOLDEM, kind,
				 casino_grade_holdem(&bet, &player, &board, &dealer, true));
		}
	}
	compare(CASINO_FAMILY_CASINO_HOLDEM, NULL, "casino_holdem");
}

/* ---------- blackjack ---------- */

/* Any card, small ones more often: long hands are rare. */
static CasinoCard
any_card(void)
{
	return casino_card_make(chance(2) == 0 ? (int) chance(13) : chance(2) == 0 ? 12 : (int) chance(3),
							(int) chance(4));
}

/* Rules of a version: words and numbers at random, of those that a plan may have. */
static void
random_rules(CasinoBlackjackRules *rules)
{
	CasinoError error;
	int			n;

	memset(rules, 0, sizeof(*rules));
	for (n = 0; n < CASINO_BJ_RULE_END; n++)
	{
		const char *name = casino_blackjack_rule_name(n);
		static const char *const values[] = {"false",
			"true",
			"none",
			"table",
			"1",
			"2",
			"3",
			"4",
			"6",
			"0",
			"draw",
			"either",
			"any",
			"9-11",
			"rank",
			"value",
			"half",
			"up_to_half",
			"multiple_of_half_minimum",
			"ace",
			"ace_or_ten",
			"players_win",
			"push",
			"seats",
			"shared",
			"together",
			"each",
			"owner",
			"stand",
			"draw_to_11",
			"draw_to_16",
			"not_tens",
			"9-11_no_ace",
			"8",
		"5"};

		while (!casino_blackjack_rule_set(rules, name, values[chance(sizeof(values) / sizeof(values[0]))],
										  &error))
			;
	}
	CHECK(casino_blackjack_rules_complete(rules, &error));
}

/* Cards drawn to a hand, some number of them, none once it is over 21. */
static void
draw_hand(CasinoHand *hand, int least, int most)
{
	while (hand->count < most && (hand->count < least || chance(4) != 0) &&
		   casino_blackjack_total(hand) <= CASINO_BLACKJACK_BEST)
		hand->cards[hand->count++] = any_card();
}

/* The dealer's hand, whole; often ten and ace, or many cards. */
static void
draw_dealer(CasinoHand *hand)
{
	memset(hand, 0, sizeof(*hand));
	if (chance(3) == 0)
	{
		hand->cards[0] = casino_card_make(chance(2) ? 8 : 12, 0);
		hand->cards[1] = casino_card_make(casino_blackjack_is_ace(hand->cards[0]) ? 8 : 12, 1);
		hand->count = 2;
	}
	while (hand->count < 2 || casino_blackjack_total(hand) <= 16)
		hand->cards[hand->count++] = any_card();
}

/* No card more often than the decks have it? */
static bool
enough_decks(const CasinoHand *hands, int n, const CasinoHand *dealer, int decks)
{
	int			copies[256] = {0};
	int			i;
	int			k;

	for (i = 0; i < n; i++)
		for (k = 0; k < hands[i].count; k++)
			if (++copies[hands[i].cards[k]] > decks)
				return false;
	for (k = 0; k < dealer->count; k++)
		if (++copies[dealer->cards[k]] > decks)
			return false;
	return true;
}

/* A round of one player: if it could be played so, what its wagers get. */
static void
play(const CasinoBlackjackRules *rules)
{
	CasinoHand	cards[2];
	CasinoHand	dealer;
	CasinoPlayedHand hands[2];
	CasinoPlayedGroup group = {0};
	CasinoBlackjackCase at = {.rules = rules};
	CasinoError error;
	bool		free_split = chance(2) == 0;
	int			i;
	int			kind;

	memset(cards, 0, sizeof(cards));
	memset(hands, 0, sizeof(hands));
	draw_dealer(&dealer);
	group.count = 1 + (int) chance(2);
	group.hands = hands;
	group.up_card = dealer.cards[0];
	group.table_surrender = true;
	for (i = 0; i < group.count; i++)
	{
		bool		doubled = chance(3) == 0;

		if (group.count == 2)
			cards[i].cards[cards[i].count++] = i == 0 ? any_card() :
				casino_card_make(casino_card_rank(cards[0].cards[0]), (int) chance(4));
		else if (chance(4) == 0)
		{
			cards[i].cards[cards[i].count++] = casino_card_make(12, (int) chance(4));
			cards[i].cards[cards[i].count++] = casino_card_make(8 + (int) chance(4), (int) chance(4));
		}
		draw_hand(&cards[i], doubled ? 3 : 2, doubled ? 3 : CASINO_HAND_MAX);
		hands[i].number = i + 1;
		hands[i].cards = cards[i];
		if (doubled)
			hands[i].flags |= chance(2) ? CASINO_PLAYED_DOUBLED : CASINO_PLAYED_DOUBLED_FREE;
		if (i == 1)
			hands[i].flags |= free_split ? CASINO_PLAYED_SPLIT_FREE : CASINO_PLAYED_SPLIT;
		if (i == 0 && chance(4) == 0)
			hands[i].flags |= chance(2) ? CASINO_PLAYED_SURRENDERED : CASINO_PLAYED_EVEN_MONEY;
	}
	if (!enough_decks(cards, group.count, &dealer, rules->decks) ||
		!casino_blackjack_check_group(&at, &group, &error))
		return;
	for (kind = 1; kind < CASINO_BET_KIND_END; kind++)
		for (i = 0; i < group.count; i++)
		{
			CasinoBlackjackWager wager = {.rules = rules, .own = &cards[i], .first = &cards[0],
			.dealer = &dealer};
			unsigned	flags = hands[i].flags;
			bool		lies = i == 0;

			/* what lies on this hand */
			if (kind == CASINO_DOUBLE_DOWN)
				lies = (flags & CASINO_PLAYED_DOUBLED) != 0;
			else if (kind == CASINO_FREE_DOUBLE)
				lies = (flags & CASINO_PLAYED_DOUBLED_FREE) != 0;
			else if (kind == CASINO_SPLIT_PAIR)
				lies = (flags & CASINO_PLAYED_SPLIT) != 0;
			else if (kind == CASINO_FREE_SPLIT)
				lies = (flags & CASINO_PLAYED_SPLIT_FREE) != 0;
			else if (kind == CASINO_BEHIND)
				lies = i == 0 && rules->behind != CASINO_BEHIND_NONE;
			if (!lies)
				continue;
			wager.second = group.count > 1 ? &cards[1] : NULL;
			if ((flags & CASINO_PLAYED_DOUBLED) != 0)
				wager.flags |= CASINO_WAGER_DOUBLED;
			if ((flags & CASINO_PLAYED_SURRENDERED) != 0)
				wager.flags |= CASINO_WAGER_SURRENDERED;
			if ((flags & CASINO_PLAYED_EVEN_MONEY) != 0)
				wager.flags |= CASINO_WAGER_EVEN_MONEY;
			note(CASINO_FAMILY_BLACKJACK, kind, casino_grade_blackjack(kind, &wager));
		}
}

/* Under many rule sets: nothing that is not listed; under all together: everything that is. */
static void
test_blackjack(void)
{
	CasinoGrades all[CASINO_BET_KIND_END] = {0};
	int			version;
	int			round;
	int			kind;

	for (version = 0; version < 100; version++)
	{
		CasinoBlackjackRules rules;

		random_rules(&rules);
		memset(seen[CASINO_FAMILY_BLACKJACK], 0, sizeof(seen[CASINO_FAMILY_BLACKJACK]));
		for (round = 0; round < 80000; round++)
			play(&rules);
		for (kind = 1; kind < CASINO_BET_KIND_END; kind++)
		{
			CHECK((seen[CASINO_FAMILY_BLACKJACK][kind] &
				   ~casino_plan_grades(CASINO_FAMILY_BLACKJACK, kind, &rules)) == 0);
			CHECK((casino_plan_grades(CASINO_FAMILY_BLACKJACK, kind, &rules) &
				   ~casino_plan_grades(CASINO_FAMILY_BLACKJACK, kind, NULL)) == 0);

			/*
			 * the play, whose lines the rules decide, is seen whole; rare side bets need all versions
			 * together
			 */
			if (kind <= CASINO_FREE_DOUBLE && kind >= CASINO_MAIN)
			{
				CasinoGrades missed = casino_plan_grades(CASINO_FAMILY_BLACKJACK, kind, &rules) &
				~seen[CASINO_FAMILY_BLACKJACK][kind];
				char		context[200];

				/* and five small cards are rare */
				if (rules.charlie_cards > 4)
					missed &= ~CASINO_GRADE_BIT(CASINO_CHARLIE);
				snprintf(
						 context, sizeof(context),
						 "version %d, %s: %llx, charlie %d, hands %d, decks %d, double on %d after split "
						 "%d, draw on 21 %d",
						 version, casino_bet_kind_name(kind), (unsigned long long) missed,
						 rules.charlie_cards,
						 rules.max_hands, rules.decks, rules.double_on, rules.double_after_split,
						 rules.draw_on_21);
				count_check(missed == 0, __FILE__, __LINE__, "grades of the play", context);
			}
			all[kind] |= seen[CASINO_FAMILY_BLACKJACK][kind];
		}
	}
	memcpy(seen[CASINO_FAMILY_BLACKJACK], all, sizeof(all));
	compare(CASINO_FAMILY_BLACKJACK, NULL, "blackjack");
}

/* ---------- rules ---------- */

static void
test_rules(void)
{
	CasinoPlanRule rule;
	CasinoError error;
	int			family;
	int			n;

	CHECK(casino_family_lookup("dice") == CASINO_FAMILY_NONE &&
		  casino_family_name(CASINO_FAMILY_NONE) == NULL);
	CHECK(casino_family_name(CASINO_FAMILY_END) == NULL);
	for (family = CASINO_FAMILY_ROULETTE; family < CASINO_FAMILY_END; family++)
	{
		CHECK(casino_family_lookup(casino_family_name((CasinoFamily) family)) == (CasinoFamily) family);
		for (n = 0; casino_plan_rule((CasinoFamily) family, n, &rule); n++)
		{
			CasinoPlanRule found;

			CHECK(casino_plan_rule_find((CasinoFamily) family, rule.name, &found));
			CHECK(found.informative == rule.informative);
			/* R6.32: the one rule that code obeys and a plan may leave out */
			CHECK(rule.informative != rule.required || strcmp(rule.name, "actions_required") == 0);
			CHECK(!casino_plan_rule_check((CasinoFamily) family, rule.name, "banana", &error));
			CHECK(!casino_plan_rule_check((CasinoFamily) family, rule.name, "", &error));
			CHECK(!casino_plan_rule_check((CasinoFamily) family, rule.name, "-1", &error));
		}
		CHECK(!casino_plan_rule((CasinoFamily) family, n, &rule) &&
			  !casino_plan_rule((CasinoFamily) family, -1, &rule));
		CHECK(!casino_plan_rule_check((CasinoFamily) family, "shoes", "1", &error));
	}
	CHECK(casino_plan_rule_check(CASINO_FAMILY_ROULETTE, "min_turns", "3", &error));
	CHECK(casino_plan_rule_check(CASINO_FAMILY_CASINO_HOLDEM, "dealer_qualifies", "pair_of_fours", &error));
	CHECK(!casino_plan_rule_check(CASINO_FAMILY_CASINO_HOLDEM, "call_multiple", "3", &error));
	CHECK_TEXT(error.detail, "\"3\" is not a value of the rule call_multiple.");
	CHECK(!casino_plan_rule_check(CASINO_FAMILY_BACCARAT, "numbers", "37", &error));
	CHECK_TEXT(error.detail, "\"numbers\" is not a rule of baccarat.");
	CHECK(casino_plan_has_kind(CASINO_FAMILY_TEXAS_HOLDEM, CASINO_POT) &&
		  !casino_plan_has_kind(CASINO_FAMILY_BACCARAT, CASINO_POT));
	CHECK(casino_plan_grades(CASINO_FAMILY_TEXAS_HOLDEM, CASINO_POT, NULL) == 0);
	CHECK(casino_grade_lookup("win") == CASINO_WIN && casino_grade_lookup("wni") == CASINO_GRADE_NONE);
	compare(CASINO_FAMILY_TEXAS_HOLDEM, NULL, "texas_holdem");
}

int
main(void)
{
	test_rules();
	test_roulette();
	test_baccarat();
	test_casino_holdem();
	test_blackjack();
	return conclude("plan");
}
