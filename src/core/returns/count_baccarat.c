/*
 * count_baccarat.c
 *	  Baccarat bets over all deals from a number of decks.
 *
 * Six cards are laid out in order: two of the player, two of the banker, and
 * the next two, of which as many are drawn as the rules say.  How many deals
 * there are of each six points (0 to 9, of which 0 has the tens and pictures)
 * is a product; the hands are put together and graded by the extension itself.
 */
#include <stdio.h>
#include <string.h>

#include "core/games/baccarat.h"
#include "core/returns/count_baccarat.h"

#define POINTS		10
#define CARDS		6

/* What is counted of the deals. */
typedef struct Deals
{
	int			kind;
	int64_t		left[POINTS];	/* cards left of each number of points */
	int64_t		ways[CASINO_GRADE_END]; /* of a bet that is no egalite */
	int64_t		ties[POINTS];
} Deals;

/* A card of so many points. */
static CasinoCard
card_of(int points)
{
	return casino_card_make(points == 0 ? CASINO_RANK_K : points == 1 ? CASINO_RANK_A : points - 2, 0);
}

/* Grade the six cards that lie so in that many ways. */
static void
count_deal(Deals *deals, const int *points, int64_t ways)
{
	CasinoHand	player = {2, {card_of(points[0]), card_of(points[1])}};
	CasinoHand	banker = {2, {card_of(points[2]), card_of(points[3])}};
	CasinoBet	bet = {.stake = 1, .kind = (uint8_t) deals->kind};
	int			player_points = casino_baccarat_points(&player);
	int			banker_points = casino_baccarat_points(&banker);
	int			next = 4;
	int			third = -1;

	if (casino_baccarat_player_draws(player_points, banker_points))
	{
		third = points[next++];
		player.cards[player.count++] = card_of(third);
	}
	if (casino_baccarat_banker_draws(player_points, banker_points, third))
		banker.cards[banker.count++] = card_of(points[next]);
	if (deals->kind != CASINO_EGALITE)
		deals->ways[casino_grade_baccarat(&bet, &player, &banker)] += ways;
	else if (casino_baccarat_points(&player) == casino_baccarat_points(&banker))
		deals->ties[casino_baccarat_points(&player)] += ways;
}

/* All continuations of the first cards, which lie so in that many ways. */
static void
count_deals(Deals *deals, int *points, int cards, int64_t ways)
{
	int			next;

	if (cards == CARDS)
	{
		count_deal(deals, points, ways);
		return;
	}
	for (next = 0; next < POINTS; next++)
	{
		points[cards] = next;
		if (deals->left[next] == 0)
			continue;
		deals->left[next]--;
		count_deals(deals, points, cards + 1, ways * (deals->left[next] + 1));
		deals->left[next]++;
	}
}

static int64_t
in_order(int64_t cards, int count)
{
	int64_t		ways = 1;
	int			i;

	for (i = 0; i < count; i++)
		ways *= cards - i;
	return ways;
}

static void
emit_win(CasinoCountSink sink, void *context, const char *selection, CasinoGrade win, int64_t ways,
		 int64_t of)
{
	casino_count_emit(sink, context, selection, win, casino_big(ways), casino_big(of));
	casino_count_emit(sink, context, selection, CASINO_LOSE, casino_big(of - ways), casino_big(of));
}

/* Bets on the points and on how many cards were dealt. */
static void
count_points(int kind, int decks, CasinoCountSink sink, void *context)
{
	Deals		deals = {.kind = kind};
	int64_t		of = in_order(52 * decks, CARDS);
	int			points[CARDS];
	int			i;

	for (i = 0; i < POINTS; i++)
		deals.left[i] = (i == 0 ? 16 : 4) * decks;
	count_deals(&deals, points, 0, 1);
	for (i = 0; i < POINTS && kind == CASINO_EGALITE; i++)
	{
		char		selection[2] = {(char) ('0' + i), '\0'};

		emit_win(sink, context, selection, (CasinoGrade) (CASINO_TIE_0 + i), deals.ties[i], of);
	}
	for (i = CASINO_GRADE_END - 1; i >= 0 && kind != CASINO_EGALITE; i--)
		casino_count_emit(sink, context, "", (CasinoGrade) i, casino_big(deals.ways[i]), casino_big(of));
}

/*
 * count_either
 *		Deals of two cards to either side in which one side or both have a pair
 *		of the groups of cards, of which there are that many of that size (13
 *		ranks, 52 cards): those of one side twice, less those of both.
 */
static int64_t
count_either(int64_t all, int64_t groups, int64_t size)
{
	int64_t		one = groups * size * (size - 1);
	int64_t		both = groups * in_order(size, 4) + one * (groups - 1) * size * (size - 1);

	return 2 * one * (all - 2) * (all - 3) - both;
}

/*
 * casino_count_baccarat
 *		Rows of a kind of bet.
 */
bool
casino_count_baccarat(int kind, int decks, CasinoCountSink sink, void *context)
{
	int64_t		all = 52 * (int64_t) decks;

	if (decks < 1 || decks > CASINO_COUNT_DECKS_MOST)
		return false;
	switch (kind)
	{
		case CASINO_PLAYER:
		case CASINO_BANKER:
		case CASINO_TIE:
		case CASINO_EGALITE:
		case CASINO_BIG:
		case CASINO_SMALL:
			count_points(kind, decks, sink, context);
			return true;
		case CASINO_PLAYER_PAIR:
		case CASINO_BANKER_PAIR:
			emit_win(sink, context, "", CASINO_WIN, 13 * in_order(4 * decks, 2) / 2, in_order(all, 2) / 2);
			return true;
		case CASINO_ANY_PAIR:
			emit_win(sink, context, "", CASINO_WIN, count_either(all, 13, 4 * decks), in_order(all, 4));
			return true;
		case CASINO_PERFECT_PAIR:
			emit_win(sink, context, "", CASINO_WIN, count_either(all, 52, decks), in_order(all, 4));
			return true;
		default:
			return false;
	}
}
