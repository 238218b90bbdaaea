/*
 * evaluate.c
 *	  Unit program of the evaluator: the wagers of one player and the facts of a
 *	  round in, grades and payouts out.
 *
 * The odds are those of the documents; what a test expects is counted by hand.
 */
#include "core/games/evaluate.h"
#include "check.h"

static CasinoError err;
static CasinoPaytable paytable;
static CasinoBlackjackRules rules;
static CasinoDealtHand dealt[16];
static int	ndealt;
static CasinoRoundFacts facts;
static CasinoStake stakes[16];
static int	nstakes;
static CasinoPosition positions[64];
static int	at;

/* ---------- a round ---------- */

static void
odds(int kind, CasinoGrade grade, int num, int den)
{
	paytable.odds.lines[kind][grade].num = num;
	paytable.odds.lines[kind][grade].den = den;
}

static void
new_round(CasinoFamily family)
{
	memset(&facts, 0, sizeof(facts));
	memset(&paytable, 0, sizeof(paytable));
	for (int kind = 0; kind < CASINO_BET_KIND_END; kind++)
		paytable.declared_win[kind] = CASINO_NO_CAP;
	facts.family = family;
	facts.rules = &rules;
	facts.paytable = &paytable;
	facts.number = -1;
	ndealt = 0;
	nstakes = 0;
}

static CasinoDealtHand *
deal(const char *side, int seat, int group, int number, const char *cards)
{
	CasinoDealtHand *hand = &dealt[ndealt++];

	memset(hand, 0, sizeof(*hand));
	hand->next = (CasinoDealtHand *) facts.hands;
	hand->side = casino_dealt_side_letter(side);
	hand->seat = seat;
	hand->group = group;
	hand->number = number;
	CHECK(casino_hand_parse(cards, strlen(cards), &hand->cards, &err));
	facts.hands = hand;
	return hand;
}

/* What a wager has before it is evaluated: a loser's payout is set, one returned keeps this. */
#define UNTOUCHED	(-77)

static CasinoStake *
stake(const char *bet, int seat, int hand)
{
	CasinoStake *made = &stakes[nstakes++];

	memset(made, 0, sizeof(*made));
	CHECK_FOR(casino_bet_parse(bet, strlen(bet), &made->bet, &err), bet);
	made->seat = seat;
	made->hand = hand;
	made->payout = UNTOUCHED;
	made->capped = true;
	return made;
}

static CasinoEvaluation
evaluate(int64_t player_id)
{
	memset(positions, 0x55, sizeof(positions));
	at = UNTOUCHED;
	return casino_evaluate(&facts, player_id, stakes, nstakes, positions, &at);
}

/* ---------- small parts ---------- */

static void
test_parts(void)
{
	static const int64_t players[] = {10, 20, 30, 40, 50};

	for (int n = 0; n <= 5; n++)
		for (int64_t id = 5; id <= 55; id++)
			CHECK(casino_is_among(id, players, n) == (id % 10 == 0 && id >= 10 && id <= 10 * n));
	CHECK_INT(casino_dealt_side_letter("board"), 'o');
	CHECK_INT(casino_dealt_side_letter("box"), 'x');
	CHECK_INT(casino_dealt_side_letter("banker"), 'b');
	CHECK_INT(casino_dealt_side_letter("player"), 'p');
	CHECK_INT(casino_dealt_side_letter("dealer"), 'd');
	/* a power of two, at least 16, and never more than half of it used */
	CHECK_INT(casino_evaluate_slots(0), 16);
	CHECK_INT(casino_evaluate_slots(8), 16);
	CHECK_INT(casino_evaluate_slots(9), 32);
	CHECK_INT(casino_evaluate_slots(16), 32);
	CHECK_INT(casino_evaluate_slots(17), 64);
	CHECK(casino_evaluates_alone(CASINO_FAMILY_ROULETTE));
	CHECK(casino_evaluates_alone(CASINO_FAMILY_CASINO_HOLDEM));
	CHECK(!casino_evaluates_alone(CASINO_FAMILY_TEXAS_HOLDEM) && !casino_evaluates_alone(CASINO_FAMILY_NONE));
	new_round(CASINO_FAMILY_BACCARAT);
	CHECK_INT(casino_dealt_side(facts.hands, 'p')->count, 0);
	deal("player", 0, 0, 1, "As 8s");
	deal("banker", 0, 0, 1, "2s 2d 3c");
	CHECK_INT(casino_dealt_side(facts.hands, 'p')->count, 2);
	CHECK_INT(casino_dealt_side(facts.hands, 'b')->count, 3);
	CHECK_INT(casino_dealt_side(facts.hands, 'd')->count, 0);
}

static CasinoEvaluation
payout_of(int kind, int64_t staked, int num, int den, int64_t cap, int64_t *payout, CasinoShare *share)
{
	CasinoBet	bet = {.kind = (uint8_t) kind, .stake = staked};
	CasinoOddsLine line = {num, den};

	return casino_evaluate_payout(&bet, line, cap, 0, payout, share);
}

static void
test_payout(void)
{
	int64_t		payout;
	CasinoShare share;

	/* 100.00 at 35:1 */
	CHECK_INT(payout_of(CASINO_STRAIGHT, 10000, 35, 1, CASINO_NO_CAP, &payout, &share), CASINO_EVALUATED);
	CHECK_INT(payout, 360000);
	CHECK(!share.capped);
	/* a free wager gets its profit only (D3 §4.1, §5.1) */
	CHECK_INT(payout_of(CASINO_FREE_SPLIT, 10000, 1, 1, CASINO_NO_CAP, &payout, &share), CASINO_EVALUATED);
	CHECK_INT(payout, 10000);
	/* R2.5: half of 1.01 back is 0.51 */
	CHECK_INT(payout_of(CASINO_MAIN, 101, -1, 2, CASINO_NO_CAP, &payout, &share), CASINO_EVALUATED);
	CHECK_INT(payout, 51);
	/* R2.6: the declared win bounds the profit, not the stake */
	CHECK_INT(payout_of(CASINO_STRAIGHT, 100, 35, 1, 3499, &payout, &share), CASINO_EVALUATED);
	CHECK_INT(payout, 3599);
	CHECK(share.capped);
	CHECK_INT(payout_of(CASINO_STRAIGHT, 100, 35, 1, 3500, &payout, &share), CASINO_EVALUATED);
	CHECK_INT(payout, 3600);
	CHECK(!share.capped);
	CHECK_INT(payout_of(CASINO_STRAIGHT, 100, 35, 0, CASINO_NO_CAP, &payout, &share), CASINO_NO_ODDS);
	CHECK_INT(payout_of(CASINO_STRAIGHT, INT64_MAX, 2, 1, CASINO_NO_CAP, &payout, &share),
			  CASINO_PROFIT_TOO_LARGE);
	CHECK_INT(payout_of(CASINO_STRAIGHT, INT64_MAX, 1, 1, CASINO_NO_CAP, &payout, &share),
			  CASINO_PAYOUT_TOO_LARGE);
	/* nothing of the stake may be lost, but no more than the stake */
	CHECK_INT(payout_of(CASINO_MAIN, 100, -1, 1, CASINO_NO_CAP, &payout, &share), CASINO_EVALUATED);
	CHECK_INT(payout, 0);
	CHECK_INT(payout_of(CASINO_MAIN, 100, -2, 1, CASINO_NO_CAP, &payout, &share), CASINO_PAYOUT_TOO_LARGE);
}

/* ---------- roulette ---------- */

static void
test_roulette(void)
{
	new_round(CASINO_FAMILY_ROULETTE);
	odds(CASINO_STRAIGHT, CASINO_WIN, 35, 1);
	odds(CASINO_RED, CASINO_WIN, 1, 1);
	facts.number = 36;			/* red */
	stake("straight:36@1", 0, 0);
	stake("straight:35@1", 0, 0);
	stake("red@1", 0, 0);
	CHECK_INT(evaluate(1), CASINO_EVALUATED);
	CHECK_INT(stakes[0].payout, 3600);
	CHECK_INT(stakes[0].grade, CASINO_WIN);
	CHECK(!stakes[0].capped);
	CHECK_INT(stakes[1].payout, 0);
	CHECK_INT(stakes[1].grade, CASINO_LOSE);
	CHECK(!stakes[1].capped);
	CHECK_INT(stakes[2].payout, 200);
	facts.number = 0;
	CHECK_INT(evaluate(1), CASINO_EVALUATED);
	CHECK_INT(stakes[0].payout, 0);
	CHECK_INT(stakes[2].payout, 0);
	for (int number = -1; number <= 37; number += 38)
	{
		facts.number = number;
		CHECK_INT(evaluate(1), CASINO_NOT_DECIDED);
		CHECK_INT(at, 0);
	}
	/* a paytable without the line: the wager is named */
	facts.number = 36;
	odds(CASINO_RED, CASINO_WIN, 0, 0);
	CHECK_INT(evaluate(1), CASINO_NO_ODDS);
	CHECK_INT(at, 2);
	/* one wager alone needs no positions */
	nstakes = 1;
	CHECK_INT(casino_evaluate(&facts, 1, stakes, 1, NULL, &at), CASINO_EVALUATED);
	CHECK_INT(stakes[0].payout, 3600);
	/* a kind of another family */
	nstakes = 0;
	stake("main@1", 0, 0);
	CHECK_INT(evaluate(1), CASINO_NOT_DECIDED);
}

/* ---------- baccarat: cards that decide, and positions ---------- */

static void
test_baccarat(void)
{
	new_round(CASINO_FAMILY_BACCARAT);
	odds(CASINO_BANKER, CASINO_WIN, 19, 20);
	odds(CASINO_BANKER, CASINO_PUSH, 0, 1);
	deal("player", 0, 0, 1, "2s 4s");	/* 6 */
	deal("banker", 0, 0, 1, "3s 5s");	/* 8 */
	/* R2.1, R2.2: 0.10 at 0.95:1 is 0.095; two of them are 0.19, shared as 0.10 and 0.09 */
	stake("banker@0.10", 0, 0);
	stake("banker@0.10", 0, 0)->returned = true;
	stake("banker@0.10", 0, 1); /* R2.3: hand 1 is the same place */
	stake("banker@0.10", 1, 0); /* another seat is not */
	stake("banker@0.10", 0, 2); /* nor another hand */
	stake("player@0.10", 0, 0);
	CHECK_INT(evaluate(1), CASINO_EVALUATED);
	CHECK_INT(stakes[0].payout, 20);
	CHECK_INT(stakes[1].payout, UNTOUCHED);
	CHECK_INT(stakes[1].grade, CASINO_GRADE_NONE);
	CHECK(stakes[1].capped);
	CHECK_INT(stakes[2].payout, 19);
	CHECK_INT(stakes[3].payout, 20);
	CHECK_INT(stakes[4].payout, 20);
	CHECK_INT(stakes[5].payout, 0);
	/* R2.6: the position's profit is bounded, at the wager that goes over it */
	paytable.declared_win[CASINO_BANKER] = 18;
	CHECK_INT(evaluate(1), CASINO_EVALUATED);
	CHECK_INT(stakes[0].payout, 20);
	CHECK(!stakes[0].capped);
	CHECK_INT(stakes[2].payout, 18);
	CHECK(stakes[2].capped);
	CHECK(!stakes[3].capped);

	/* alone on its position */
	paytable.declared_win[CASINO_BANKER] = CASINO_NO_CAP;
	nstakes = 1;
	CHECK_INT(evaluate(1), CASINO_EVALUATED);
	CHECK_INT(stakes[0].payout, 20);
	nstakes = 6;

	/* cards that do not decide */
	dealt[0].cards.count = 1;
	CHECK_INT(evaluate(1), CASINO_NOT_DECIDED);
	dealt[0].cards.count = 2;
	dealt[1].cards.count = 1;
	CHECK_INT(evaluate(1), CASINO_NOT_DECIDED);
	dealt[1].cards.count = 2;
	CHECK_INT(evaluate(1), CASINO_EVALUATED);

	/* a sum of stakes that has no number; 8 to 8 gives each stake back */
	dealt[0].cards = dealt[1].cards;
	nstakes = 2;
	stakes[0].bet.stake = INT64_MAX;
	stakes[1].bet.stake = 1;
	stakes[1].returned = false;
	CHECK_INT(evaluate(1), CASINO_STAKES_TOO_LARGE);
	CHECK_INT(at, 1);
	CHECK_INT(stakes[0].payout, INT64_MAX);
	stakes[0].bet.stake = INT64_MAX - 1;
	CHECK_INT(evaluate(1), CASINO_EVALUATED);
	CHECK_INT(stakes[1].payout, 1);
}

/* ---------- blackjack ---------- */

static void
blackjack_round(const char *dealer)
{
	new_round(CASINO_FAMILY_BLACKJACK);
	odds(CASINO_MAIN, CASINO_WIN, 1, 1);
	odds(CASINO_MAIN, CASINO_BLACKJACK, 3, 2);
	odds(CASINO_MAIN, CASINO_EVEN_MONEY, 1, 1);
	odds(CASINO_MAIN, CASINO_SURRENDER, -1, 2);
	odds(CASINO_MAIN, CASINO_RETURNED, 0, 1);
	odds(CASINO_DOUBLE_DOWN, CASINO_RETURNED, 0, 1);
	odds(CASINO_SPLIT_PAIR, CASINO_WIN, 1, 1);
	deal("dealer", 0, 0, 1, dealer);
}

static void
test_blackjack_hands(void)
{
	/* 19 and 16 against 18; each wager lies on the hand of its seat and number */
	blackjack_round("Td 8d");
	deal("box", 2, 0, 1, "Ts 9s");
	deal("box", 2, 0, 2, "Tc 6c");
	deal("box", 3, 0, 1, "Th 7h");
	stake("main@1", 2, 0);
	stake("split_pair@1", 2, 2);
	stake("main@2", 3, 1);
	CHECK_INT(evaluate(7), CASINO_EVALUATED);
	CHECK_INT(stakes[0].payout, 200);
	CHECK_INT(stakes[1].grade, CASINO_LOSE);
	CHECK_INT(stakes[2].grade, CASINO_LOSE);
	dealt[3].cards.cards[1] = dealt[1].cards.cards[1];	/* seat 3 has ten and nine */
	CHECK_INT(evaluate(7), CASINO_EVALUATED);
	CHECK_INT(stakes[2].payout, 400);
	/* no such hand, no such seat */
	stakes[1].hand = 3;
	CHECK_INT(evaluate(7), CASINO_NOT_DECIDED);
	CHECK_INT(at, 1);
	stakes[1].hand = 2;
	stakes[2].seat = 4;
	CHECK_INT(evaluate(7), CASINO_NOT_DECIDED);
	CHECK_INT(at, 2);

	/* sixteen hands are known */
	blackjack_round("Td 8d");
	deal("box", 1, 0, 1, "Ts 6s");
	deal("box", 1, 0, 16, "Ts 9s");
	deal("box", 1, 0, 17, "Ts 9s");
	deal("box", 1, 0, 0, "Ts 9s");
	stake("split_pair@1", 1, 16);
	CHECK_INT(evaluate(7), CASINO_EVALUATED);
	CHECK_INT(stakes[0].payout, 200);
	stakes[0].hand = 17;
	CHECK_INT(evaluate(7), CASINO_NOT_DECIDED);
	stakes[0].hand = 1;
	CHECK_INT(evaluate(7), CASINO_EVALUATED);
	CHECK_INT(stakes[0].payout, 0);
	/* hands 2 to 15 have no cards */
	stakes[0].hand = 15;
	CHECK_INT(evaluate(7), CASINO_NOT_DECIDED);

	/* hand 2 alone does not decide a wager on hand 1 */
	blackjack_round("Td 8d");
	deal("box", 1, 0, 2, "Ts 9s");
	stake("main@1", 1, 0);
	CHECK_INT(evaluate(7), CASINO_NOT_DECIDED);

	/* a side bet looks at the first two cards, which a split has parted: two black eights */
	blackjack_round("Td 8d");
	odds(CASINO_PLAYER_PAIR, CASINO_COLOURED_PAIR, 12, 1);
	deal("box", 1, 0, 1, "8s 5d");
	deal("box", 1, 0, 2, "8c 6d");
	stake("player_pair@1", 1, 0);
	CHECK_INT(evaluate(7), CASINO_EVALUATED);
	CHECK_INT(stakes[0].payout, 1300);

	/* ace and ten of a split box are not a blackjack: hand 2 is there */
	blackjack_round("Td 8d");
	deal("box", 1, 0, 1, "As Ks");
	stake("main@1", 1, 0);
	CHECK_INT(evaluate(7), CASINO_EVALUATED);
	CHECK_INT(stakes[0].payout, 250);
	deal("box", 1, 0, 2, "Ad 5s");
	CHECK_INT(evaluate(7), CASINO_EVALUATED);
	CHECK_INT(stakes[0].payout, 200);
}

static void
test_blackjack_marks(void)
{
	int64_t		takers[] = {7};
	CasinoDealtHand *hand;

	/* even money of one player, and of all (D0 HRA) */
	blackjack_round("Ad 9d");
	hand = deal("box", 2, 0, 1, "As Kh");
	stake("main@1", 2, 0);
	CHECK_INT(evaluate(7), CASINO_EVALUATED);
	CHECK_INT(stakes[0].payout, 250);
	hand->even = takers;
	hand->neven = 1;
	CHECK_INT(evaluate(7), CASINO_EVALUATED);
	CHECK_INT(stakes[0].grade, CASINO_EVEN_MONEY);
	CHECK_INT(stakes[0].payout, 200);
	CHECK_INT(evaluate(8), CASINO_EVALUATED);
	CHECK_INT(stakes[0].payout, 250);
	hand->even_money = true;
	CHECK_INT(evaluate(8), CASINO_EVALUATED);
	CHECK_INT(stakes[0].payout, 200);

	/* surrendered: half back (D4 Blackjack §19); another seat's mark is its own */
	blackjack_round("Td 8d");
	deal("box", 2, 0, 1, "Ts 6s");
	hand = deal("box", 3, 0, 1, "Tc 6c");
	hand->surrendered = true;
	stake("main@1", 2, 0);
	stake("main@1", 3, 0);
	CHECK_INT(evaluate(7), CASINO_EVALUATED);
	CHECK_INT(stakes[0].grade, CASINO_LOSE);
	CHECK_INT(stakes[1].grade, CASINO_SURRENDER);
	CHECK_INT(stakes[1].payout, 50);
}

/* D4 Blackjack §20: a doubled stake comes back against ten and ace. */
static void
test_blackjack_doubled(void)
{
	rules.doubled_returned_on_ten_ace = true;
	blackjack_round("Ts Ah");
	deal("box", 1, 0, 1, "5s 6s 9d");
	deal("box", 1, 0, 2, "5c 6c 9h");
	deal("box", 2, 0, 1, "5h 6h 9s");
	stake("main@1", 1, 0);
	stake("double_down@1", 1, 1);
	stake("split_pair@1", 1, 2);
	stake("main@1", 2, 0);
	CHECK_INT(evaluate(7), CASINO_EVALUATED);
	CHECK_INT(stakes[0].grade, CASINO_RETURNED);
	CHECK_INT(stakes[0].payout, 100);
	CHECK_INT(stakes[1].grade, CASINO_RETURNED);
	CHECK_INT(stakes[1].payout, 100);
	CHECK_INT(stakes[2].grade, CASINO_LOSE);
	CHECK_INT(stakes[3].grade, CASINO_LOSE);
	/* a double that has come back does not count */
	stakes[1].returned = true;
	CHECK_INT(evaluate(7), CASINO_EVALUATED);
	CHECK_INT(stakes[0].grade, CASINO_LOSE);
	/* two doubles, of which that of another hand stands */
	stakes[2] = stakes[1];
	stakes[2].returned = false;
	stakes[2].hand = 2;
	CHECK_INT(evaluate(7), CASINO_EVALUATED);
	CHECK_INT(stakes[0].grade, CASINO_LOSE);
	CHECK_INT(stakes[2].grade, CASINO_RETURNED);
	/* the order of the wagers does not matter, nor does one behind the last */
	stakes[1] = stakes[0];
	stakes[0] = stakes[2];
	stakes[0].hand = 1;
	nstakes = 2;
	CHECK_INT(evaluate(7), CASINO_EVALUATED);
	CHECK_INT(stakes[1].grade, CASINO_RETURNED);
	stakes[2] = stakes[0];
	stakes[0].hand = 2;
	CHECK_INT(evaluate(7), CASINO_EVALUATED);
	CHECK_INT(stakes[1].grade, CASINO_LOSE);
	rules.doubled_returned_on_ten_ace = false;
}

/* R3.22: a shared box; players who decide alike have one hand. */
static void
test_blackjack_groups(void)
{
	int64_t		drew[] = {5};
	int64_t		stood[] = {6, 8};
	CasinoDealtHand *hand;

	blackjack_round("Td 8d");
	hand = deal("box", 1, 1, 1, "Ts 4s 5s");	/* 19 */
	hand->players = drew;
	hand->nplayers = 1;
	hand = deal("box", 1, 2, 1, "Ts 4s");	/* 14 */
	hand->players = stood;
	hand->nplayers = 2;
	hand->surrendered = true;
	/* hand 2 of a group names nobody, and seat 2 has groups of its own */
	hand = deal("box", 1, 3, 2, "Ts 9s");
	hand->players = stood;
	hand->nplayers = 2;
	hand = deal("box", 2, 4, 1, "Ts Ts");
	hand->players = stood;
	hand->nplayers = 2;
	stake("main@1", 1, 0);
	CHECK_INT(evaluate(5), CASINO_EVALUATED);
	CHECK_INT(stakes[0].payout, 200);
	CHECK_INT(evaluate(6), CASINO_EVALUATED);
	CHECK_INT(stakes[0].payout, 50);
	CHECK_INT(evaluate(8), CASINO_EVALUATED);
	CHECK_INT(stakes[0].grade, CASINO_SURRENDER);
	/* of no group: only a hand of everybody */
	CHECK_INT(evaluate(9), CASINO_NOT_DECIDED);
	deal("box", 1, 0, 1, "Ts Td");
	CHECK_INT(evaluate(9), CASINO_EVALUATED);
	CHECK_INT(stakes[0].payout, 200);
	CHECK_INT(evaluate(6), CASINO_EVALUATED);
	CHECK_INT(stakes[0].payout, 50);
}

/* ---------- hold'em ---------- */

static void
test_holdem(void)
{
	new_round(CASINO_FAMILY_CASINO_HOLDEM);
	odds(CASINO_ANTE, CASINO_ROYAL_FLUSH, 100, 1);
	odds(CASINO_CALL, CASINO_WIN, 1, 1);
	deal("player", 0, 0, 1, "Ah Kh");
	deal("board", 0, 0, 1, "Qh Jh Th 2c 3d");
	deal("dealer", 0, 0, 1, "9s 9d");	/* plays: fours or better (D4 Casino Hold'em 13) */
	stake("ante@1", 1, 0);
	stake("call@2", 2, 0);
	CHECK_INT(evaluate(7), CASINO_EVALUATED);
	CHECK_INT(stakes[0].payout, 10100);
	CHECK_INT(stakes[1].payout, 400);
	/* no standing call: folded (§7) */
	stakes[1].returned = true;
	CHECK_INT(evaluate(7), CASINO_EVALUATED);
	CHECK_INT(stakes[0].payout, 0);
	nstakes = 1;
	stakes[1].returned = false; /* not among the wagers */
	CHECK_INT(evaluate(7), CASINO_EVALUATED);
	CHECK_INT(stakes[0].grade, CASINO_LOSE);

	/* players of Texas Hold'em are paid from each other's stakes */
	new_round(CASINO_FAMILY_TEXAS_HOLDEM);
	stake("pot@1", 1, 0);
	CHECK_INT(evaluate(7), CASINO_NOT_DECIDED);
	CHECK_INT(at, 0);
}

int
main(void)
{
	CHECK(casino_blackjack_rule_set(&rules, "dealer_16", "draw", &err));
	CHECK(casino_blackjack_rule_set(&rules, "dealer_22", "players_win", &err));
	test_parts();
	test_payout();
	test_roulette();
	test_baccarat();
	test_blackjack_hands();
	test_blackjack_marks();
	test_blackjack_doubled();
	test_blackjack_groups();
	test_holdem();
	return conclude("evaluate");
}
