/*
 * best_round.c
 *	  The most that one player's bets can win together in a round.
 */
#include <stdio.h>
#include <string.h>

#include "core/games/baccarat.h"
#include "core/returns/best_round.h"
#include "core/games/blackjack_dealer.h"
#include "core/games/blackjack_options.h"
#include "core/games/blackjack_side.h"
#include "core/games/casino_holdem.h"
#include "core/returns/count_blackjack.h"
#include "core/money.h"

/* a greater profit of one wager is none of this world; sums of those below fit */
#define PROFIT_MOST		(INT64_MAX / 64)

/* Profit of a stake; none where it loses or the paytable has no line. */
static int64_t
profit_of(const CasinoOdds *odds, int kind, CasinoGrade grade, int64_t stake)
{
	const CasinoOddsLine *line = &odds->lines[kind][grade];
	int64_t		profit;

	if (stake <= 0 || line->den == 0 || !casino_money_profit(stake, line->num, line->den, &profit))
		return 0;
	return profit <= 0 ? 0 : profit < PROFIT_MOST ? profit : PROFIT_MOST;
}

/* ---------- blackjack ---------- */

/* Totals over 21 that a dealer may end on with so many cards; bit n: n cards. */
typedef struct Ends
{
	uint16_t	over[CASINO_COUNT_DEALER_TOTAL + 1];
	bool		below_21;		/* he may end on 17 to 20 */
	bool		blackjack;
} Ends;

typedef struct Box
{
	CasinoBlackjackCase at;
	const CasinoOdds *odds;
	const CasinoStakes *stakes;
	Ends		ends[11][11];	/* by the values of the dealer's first two cards, aces 1 */
} Box;

static void
end_on(Ends *ends, int sum, bool ace, int cards)
{
	int			total = ace && sum <= CASINO_BLACKJACK_BEST - 10 ? sum + 10 : sum;
	int			value;

	if (casino_blackjack_dealer_may_draw(total))
	{
		for (value = 1; value <= 10; value++)
			end_on(ends, sum + value, ace || value == 1, cards + 1);
	}
	else if (total > CASINO_BLACKJACK_BEST)
		ends->over[total] |= (uint16_t) (1u << cards);
	else if (total < CASINO_BLACKJACK_BEST)
		ends->below_21 = true;
	else if (cards == 2)
		ends->blackjack = true;
}

static int64_t
side_profit(const Box *box, int kind, CasinoGrade grade)
{
	return profit_of(box->odds, kind, grade, box->stakes->most[kind]);
}

/* What a double adds to a hand that wins: a paid or a free one. */
static int64_t
double_profit(const Box *box, const CasinoHand *two, bool split, bool free_split)
{
	int64_t		stake = box->stakes->most[CASINO_MAIN];
	CasinoError error;

	if (casino_blackjack_may_double(&box->at, two, split, &error))
		return profit_of(box->odds, CASINO_DOUBLE_DOWN, CASINO_WIN, stake);
	if (casino_blackjack_may_double_free(&box->at, two, split, free_split, &error))
		return profit_of(box->odds, CASINO_FREE_DOUBLE, CASINO_WIN, stake);
	return 0;
}

/*
 * A split into as many hands as may be, each doubled where it may be, all of them winning; 0 where it
 * may not.
 */
static int64_t
split_profit(const Box *box, CasinoCard a, CasinoCard b)
{
	CasinoError error;
	bool		free = casino_blackjack_may_split_free(&box->at, a, b, 1, &error);
	int64_t		stake = box->stakes->most[CASINO_MAIN];
	int64_t		doubled = 0;
	int			hands = 2;
	int			rank;

	if (!free && !casino_blackjack_may_split(&box->at, a, b, 1, &error))
		return 0;
	while (casino_blackjack_may_split(&box->at, a, b, hands, &error))
		hands++;
	for (rank = 0; rank < CASINO_RANKS; rank++)
	{
		CasinoHand	two = {2, {a, casino_card_make(rank, 0)}};
		int64_t		more = double_profit(box, &two, true, free);

		doubled = more > doubled ? more : doubled;
	}
	return profit_of(box->odds, CASINO_MAIN, CASINO_WIN, stake) +
		(hands - 1) * profit_of(box->odds, free ? CASINO_FREE_SPLIT : CASINO_SPLIT_PAIR, CASINO_WIN, stake) +
		hands * doubled;
}

/* The main bet with all that lies on it, against a dealer who has no blackjack and less than 21 or more. */
static int64_t
play_profit(const Box *box, CasinoCard a, CasinoCard b)
{
	CasinoHand	two = {2, {a, b}};
	int64_t		stake = box->stakes->most[CASINO_MAIN];
	int64_t		best;
	int64_t		other;

	if (casino_blackjack_is_blackjack(&two))
		return profit_of(box->odds, CASINO_MAIN, CASINO_BLACKJACK, stake);
	best = profit_of(box->odds, CASINO_MAIN, CASINO_WIN, stake) + double_profit(box, &two, false, false);
	other = split_profit(box, a, b);
	best = other > best ? other : best;
	other = box->at.rules->charlie_cards > 0 ? profit_of(box->odds, CASINO_MAIN, CASINO_CHARLIE, stake) : 0;
	return other > best ? other : best;
}

/* Insurance of half the stakes. */
static int64_t
insurance_profit(const Box *box)
{
	if (box->stakes->most[CASINO_INSURANCE] <= 0)
		return 0;
	return profit_of(box->odds, CASINO_INSURANCE, CASINO_WIN,
					 casino_money_half_down(box->stakes->most[CASINO_MAIN]));
}

/* An end of the dealer's hand: what it brings, and the total over 21 with so many cards, or 0. */
typedef struct End
{
	int64_t		profit;
	int			total;
	int			cards;
} End;

/* Best end of the dealer's hand from two cards of these values on, for a player with that play. */
static End
best_end(const Box *box, int up, int second, int64_t play, bool blackjack)
{
	const Ends *ends = &box->ends[up][second];
	bool		insurable = up == 1 && (!blackjack || box->at.rules->insurance_own_blackjack);
	End			best = {ends->blackjack ? (insurable ? insurance_profit(box) : 0) : ends->below_21 ? play : 0,
		0,
	0};
	int			total;
	int			cards;

	for (total = CASINO_BLACKJACK_BEST + 1; total <= CASINO_COUNT_DEALER_TOTAL; total++)
	{
		for (cards = 3; cards <= CASINO_COUNT_DEALER_CARDS; cards++)
		{
			bool		pushed = total == 22 && box->at.rules->dealer_22 == CASINO_DEALER_22_PUSH &&
			!blackjack;
			End			end = {pushed ? 0 : play, total, cards};

			if ((ends->over[total] >> cards & 1) == 0)
				continue;
			end.profit += side_profit(box, CASINO_BUSTER, casino_grade_buster(total, cards, blackjack));
			end.profit += side_profit(box, CASINO_BUST_IT, casino_grade_bust_it(total, cards, blackjack));
			end.profit += side_profit(box, CASINO_PUSH22, total == 22 ? CASINO_WIN : CASINO_LOSE);
			if (end.profit > best.profit)
				best = end;
		}
	}
	return best;
}

/* What the bets on the first three cards bring. */
static int64_t
first_cards(const Box *box, CasinoCard a, CasinoCard b, CasinoCard up)
{
	return side_profit(box, CASINO_21_PLUS_3, casino_grade_21_plus_3(a, b, up)) +
		side_profit(box, CASINO_TOP3, casino_grade_top3(a, b, up)) +
		side_profit(box, CASINO_LUCKY_LUCKY, casino_grade_lucky_lucky(a, b, up)) +
		side_profit(box, CASINO_HOT3, casino_grade_hot3(a, b, up)) +
		side_profit(box, CASINO_PLAYER_PAIR, casino_grade_pair(a, b));
}

static void
take_better(CasinoBestRound *best, int64_t profit, CasinoCard a, CasinoCard b, CasinoCard up,
			CasinoCard second,
			const End *end)
{
	if (profit <= best->profit)
		return;
	best->profit = profit;
	snprintf(best->cards, sizeof(best->cards),
			 end->total > 0 ? "%s %s against %s %s and %d with %d cards" : "%s %s against %s %s",
			 casino_card_text(a).text, casino_card_text(b).text, casino_card_text(up).text,
			 casino_card_text(second).text, end->total, end->cards);
}

/* All cards of the dealer against two of the player. */
static void
try_box(const Box *box, CasinoCard a, CasinoCard b, CasinoBestRound *best)
{
	CasinoHand	two = {2, {a, b}};
	bool		blackjack = casino_blackjack_is_blackjack(&two);
	int64_t		play = play_profit(box, a, b);
	End			ends[11][11];
	int			up;
	int			second;

	for (up = 1; up <= 10; up++)
		for (second = 1; second <= 10; second++)
			ends[up][second] = best_end(box, up, second, play, blackjack);
	for (up = 0; up < CASINO_CARDS_IN_DECK; up++)
	{
		int64_t		first = first_cards(box, a, b, (CasinoCard) up);

		for (second = 0; second < CASINO_CARDS_IN_DECK; second++)
		{
			const End  *end = &ends[casino_blackjack_card_value((CasinoCard) up)]
			[casino_blackjack_card_value((CasinoCard) second)];

			take_better(best, first + end->profit +
						side_profit(box, CASINO_DEALER_PAIR,
									casino_grade_pair((CasinoCard) up, (CasinoCard) second)),
						a, b, (CasinoCard) up, (CasinoCard) second, end);
		}
	}
}

/*
 * casino_best_box
 *		Over all first cards, of which the player's first is a club (suits have no
 *		order), and all ends of the dealer's hand.
 */
void
casino_best_box(const CasinoBlackjackRules *rules, const CasinoOdds *odds, const CasinoStakes *stakes,
				CasinoBestRound *best)
{
	Box			box = {.at = {.rules = rules}, .odds = odds, .stakes = stakes};
	int			a;
	int			b;

	memset(best, 0, sizeof(*best));
	for (a = 1; a <= 10; a++)
		for (b = 1; b <= 10; b++)
			end_on(&box.ends[a][b], a + b, a == 1 || b == 1, 2);
	for (a = 0; a < CASINO_CARDS_IN_DECK; a += CASINO_SUITS)
		for (b = a; b < CASINO_CARDS_IN_DECK; b++)
			try_box(&box, (CasinoCard) a, (CasinoCard) b, best);
}

/* ---------- baccarat ---------- */

/*
 * A side's first two cards by points, and as a pair (one rank and suit where the decks allow it); false if
 * there is none.
 */
static bool
make_side(int points, bool pair, int decks, CasinoHand *side)
{
	int			rank = points == 0 ? CASINO_RANK_T : points == 1 ? CASINO_RANK_A : points - 2;

	side->count = 2;
	if (pair)
	{
		if (points % 2 != 0)
			return false;
		rank = points == 0 ? CASINO_RANK_K : points == 2 ? CASINO_RANK_A : points / 2 - 2;
		side->cards[0] = casino_card_make(rank, 0);
		side->cards[1] = casino_card_make(rank, decks > 1 ? 0 : 1);
	}
	else
	{
		side->cards[0] = casino_card_make(rank, 0);
		side->cards[1] = casino_card_make(CASINO_RANK_K, 1);
	}
	return true;
}

static CasinoCard
card_of(int points)
{
	return casino_card_make(points == 0 ? CASINO_RANK_Q : points == 1 ? CASINO_RANK_A : points - 2, 2);
}

static void
try_baccarat(const CasinoHand *player, const CasinoHand *banker, const CasinoOdds *odds,
			 const CasinoStakes *stakes, CasinoBestRound *best)
{
	char		players[CASINO_HAND_TEXT_SIZE];
	char		bankers[CASINO_HAND_TEXT_SIZE];
	int64_t		profit = 0;
	int			kind;

	for (kind = CASINO_PLAYER; kind <= CASINO_PERFECT_PAIR; kind++)
	{
		CasinoBet	bet = {.stake = 1, .kind = (uint8_t) kind};

		if (kind == CASINO_EGALITE)
		{
			bet.count = 1;
			bet.numbers[0] = (uint8_t) casino_baccarat_points(player);
		}
		profit += profit_of(odds, kind, casino_grade_baccarat(&bet, player, banker), stakes->most[kind]);
	}
	if (profit <= best->profit)
		return;
	best->profit = profit;
	casino_hand_print(player, players);
	casino_hand_print(banker, bankers);
	snprintf(best->cards, sizeof(best->cards), "%s against %s", players, bankers);
}

/* Deal third cards of all points to two sides as the rules say. */
static void
deal_thirds(const CasinoHand *player, const CasinoHand *banker, const CasinoOdds *odds,
			const CasinoStakes *stakes, CasinoBestRound *best)
{
	int			p = casino_baccarat_points(player);
	int			b = casino_baccarat_points(banker);
	bool		draws = casino_baccarat_player_draws(p, b);
	int			i;
	int			k;

	for (i = 0; i < (draws ? 10 : 1); i++)
	{
		CasinoHand	players = *player;
		bool		banker_draws = casino_baccarat_banker_draws(p, b, draws ? i : -1);

		if (draws)
			players.cards[players.count++] = card_of(i);
		for (k = 0; k < (banker_draws ? 10 : 1); k++)
		{
			CasinoHand	bankers = *banker;

			if (banker_draws)
				bankers.cards[bankers.count++] = card_of(k);
			try_baccarat(&players, &bankers, odds, stakes, best);
		}
	}
}

/*
 * casino_best_baccarat
 *		Over the points and pairs of both sides and all third cards.
 */
void
casino_best_baccarat(int decks, const CasinoOdds *odds, const CasinoStakes *stakes, CasinoBestRound *best)
{
	CasinoHand	player;
	CasinoHand	banker;
	int			p;
	int			b;

	memset(best, 0, sizeof(*best));
	for (p = 0; p < 20; p++)
		for (b = 0; b < 20; b++)
		{
			if (make_side(p / 2, p % 2 != 0, decks, &player) && make_side(b / 2, b % 2 != 0, decks, &banker))
				deal_thirds(&player, &banker, odds, stakes, best);
		}
}

/* ---------- Casino Hold'em ---------- */

/* Best line of the ante that five cards can become with two more. */
static CasinoGrade
best_line(const CasinoCard *five)
{
	unsigned	ranks[CASINO_SUITS] = {0};	/* bit 0 the ace, bit 13 the ace again */
	int			times[CASINO_RANKS] = {0};
	int			most = 1;
	bool		straight = false;
	bool		flush = false;
	int			i;
	int			low;

	for (i = 0; i < 5; i++)
	{
		int			rank = casino_card_rank(five[i]);

		ranks[casino_card_suit(five[i])] |= 2u << rank | (rank == CASINO_RANK_A ? 1u : 0);
		times[rank]++;
		most = times[rank] > most ? times[rank] : most;
	}
	for (i = 0; i < CASINO_SUITS; i++)
	{
		flush = flush || __builtin_popcount(ranks[i] >> 1) >= 3;
		for (low = 0; low <= 9; low++)
		{
			if (__builtin_popcount(ranks[i] >> low & 31) < 3)
				continue;
			if (low == 9)
				return CASINO_ROYAL_FLUSH;
			straight = true;
		}
	}
	/* a royal flush of another suit has been looked for too */
	if (straight)
		return CASINO_STRAIGHT_FLUSH;
	if (most >= 2)
		return CASINO_FOUR_OF_A_KIND;
	return flush ? CASINO_FLUSH : CASINO_WIN;
}

/*
 * casino_best_holdem
 *		Over all first five cards, with the best turn and river and a dealer who
 *		qualifies and loses: against every hand but the best there is one.
 */
void
casino_best_holdem(const CasinoOdds *odds, const CasinoStakes *stakes, CasinoBestRound *best)
{
	static const CasinoBet aa = {.stake = 1, .kind = CASINO_AA};
	static const CasinoBet razz = {.stake = 1, .kind = CASINO_RAZZ};
	static const CasinoHand dealer = {2, {0, 1}};	/* the side bets do not look at him */
	CasinoHand	player = {2, {0}};
	CasinoHand	board = {CASINO_HOLDEM_BOARD, {0}};
	int64_t		call = profit_of(odds, CASINO_CALL, CASINO_WIN, stakes->most[CASINO_CALL]);
	CasinoCard	c[5];

	memset(best, 0, sizeof(*best));
	/* suits have no order: one of the highest rank is a spade, and then it is the highest card */
	for (c[4] = CASINO_SUIT_SPADES + CASINO_SUITS; c[4] < CASINO_CARDS_IN_DECK; c[4] += CASINO_SUITS)
		for (c[3] = 3; c[3] < c[4]; c[3]++)
			for (c[2] = 2; c[2] < c[3]; c[2]++)
				for (c[1] = 1; c[1] < c[2]; c[1]++)
					for (c[0] = 0; c[0] < c[1]; c[0]++)
					{
						CasinoGrade line = best_line(c);
						int64_t		profit = call + profit_of(odds, CASINO_ANTE, line,
															  stakes->most[CASINO_ANTE]);
						char		cards[CASINO_HAND_TEXT_SIZE];
						CasinoHand	five = {5, {0}};

						memcpy(player.cards, c, 2);
						memcpy(board.cards, c + 2, CASINO_HOLDEM_FLOP);
						profit += profit_of(odds, CASINO_AA,
											casino_grade_holdem(&aa, &player, &board, &dealer, true),
											stakes->most[CASINO_AA]);
						profit +=
							profit_of(odds, CASINO_RAZZ, casino_grade_holdem(&razz, &player, &board,
																			 &dealer, true),
									  stakes->most[CASINO_RAZZ]);
						if (profit <= best->profit)
							continue;
						best->profit = profit;
						memcpy(five.cards, c, sizeof(c));
						casino_hand_print(&five, cards);
						snprintf(best->cards, sizeof(best->cards), "%s on the flop, %s in the end", cards,
								 casino_grade_name(line));
					}
}
