/*
 * count_baccarat.c
 *	  Baccarat bets over all deals from a number of decks.
 *
 * Six cards are laid out in order: two of the player, two of the banker, and
 * the next two, of which as many are drawn as the rules say.  How many deals
 * there are of each six points (0 to 9, of which 0 has the tens and pictures)
 * is a product; the hands are put together and graded by the extension itself.
 * The two cards of a side are taken in both orders at once, and cards that are
 * not drawn lie in all ways at once.
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
	int64_t		cards;			/* cards left */
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

static int64_t
in_order(int64_t cards, int count)
{
	int64_t		ways = 1;
	int			i;

	for (i = 0; i < count; i++)
		ways *= cards - i;
	return ways;
}

/* Take a card of so many points; returns how many there were. */
static int64_t
take(Deals *deals, int points)
{
	deals->cards--;
	return deals->left[points]--;
}

static void
put_back(Deals *deals, int points)
{
	deals->cards++;
	deals->left[points]++;
}

/* Grade hands that come in that many ways, before the cards that are not drawn. */
static void
count_deal(Deals *deals, const CasinoHand *player, const CasinoHand *banker, int64_t ways)
{
	CasinoBet	bet = {.stake = 1, .kind = (uint8_t) deals->kind};

	ways *= in_order(deals->cards, CARDS - player->count - banker->count);
	if (deals->kind != CASINO_EGALITE)
		deals->ways[casino_grade_baccarat(&bet, player, banker)] += ways;
	else if (casino_baccarat_points(player) == casino_baccarat_points(banker))
		deals->ties[casino_baccarat_points(player)] += ways;
}

/* The banker's third card, if it is drawn. */
static void
count_banker(Deals *deals, const CasinoHand *player, CasinoHand *banker, bool draws, int64_t ways)
{
	int			points;

	if (!draws)
	{
		count_deal(deals, player, banker, ways);
		return;
	}
	banker->count = 3;
	for (points = 0; points < POINTS; points++)
	{
		banker->cards[2] = card_of(points);
		count_deal(deals, player, banker, ways * take(deals, points));
		put_back(deals, points);
	}
	banker->count = 2;
}

/* All third cards of hands of two cards. */
static void
count_thirds(Deals *deals, CasinoHand *player, CasinoHand *banker, int64_t ways)
{
	int			player_points = casino_baccarat_points(player);
	int			banker_points = casino_baccarat_points(banker);
	int			third;

	if (!casino_baccarat_player_draws(player_points, banker_points))
	{
		count_banker(deals, player, banker,
					 casino_baccarat_banker_draws(player_points, banker_points, -1), ways);
		return;
	}
	player->count = 3;
	for (third = 0; third < POINTS; third++)
	{
		player->cards[2] = card_of(third);
		count_banker(deals, player, banker,
					 casino_baccarat_banker_draws(player_points, banker_points, third),
					 ways * take(deals, third));
		put_back(deals, third);
	}
	player->count = 2;
}

/* All hands of two cards, of the player and then of the banker. */
static void
count_deals(Deals *deals, CasinoHand *player, CasinoHand *banker, int64_t ways)
{
	CasinoHand *hand = player->count == 0 ? player : banker;
	int			first;
	int			second;

	if (banker->count == 2)
	{
		count_thirds(deals, player, banker, ways);
		return;
	}
	hand->count = 2;
	for (first = 0; first < POINTS; first++)
	{
		int64_t		firsts = take(deals, first);

		hand->cards[0] = card_of(first);
		for (second = first; second < POINTS; second++)
		{
			hand->cards[1] = card_of(second);
			count_deals(deals, player, banker,
						ways * firsts * take(deals, second) * (second == first ? 1 : 2));
			put_back(deals, second);
		}
		put_back(deals, first);
	}
	hand->count = 0;
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
	Deals		deals = {.kind = kind, .cards = 52 * decks};
	int64_t		of = in_order(52 * decks, CARDS);
	CasinoHand	player = {0};
	CasinoHand	banker = {0};
	int			i;

	for (i = 0; i < POINTS; i++)
		deals.left[i] = (i == 0 ? 16 : 4) * decks;
	count_deals(&deals, &player, &banker, 1);
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
