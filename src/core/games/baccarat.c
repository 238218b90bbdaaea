/*
 * baccarat.c
 *	  Baccarat: points, drawing rules, grading (D4 Baccarat).
 */
#include "core/games/baccarat.h"

#include "core/games/copies.h"

/* points that end the deal on two cards, D4 Baccarat §9 */
#define NATURAL		8

/* D4 Baccarat §5, by rank as stored: 2 to 9, ten and pictures 0, ace 1 */
static const uint8_t rank_points[CASINO_RANKS] = {
	2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 1
};

/*
 * D4 Baccarat §9, table of the banker: by his points on two cards, does he draw
 * when the player's third card counts 0 to 9?
 */
static const bool banker_draws_on[NATURAL][10] = {
	/* 0  1  2  3  4  5  6  7  8  9 */
	{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, /* banker 0 */
	{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, /* banker 1 */
	{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, /* banker 2 */
	{1, 1, 1, 1, 1, 1, 1, 1, 0, 1}, /* banker 3 */
	{0, 0, 1, 1, 1, 1, 1, 1, 0, 0}, /* banker 4 */
	{0, 0, 0, 0, 1, 1, 1, 1, 0, 0}, /* banker 5 */
	{0, 0, 0, 0, 0, 0, 1, 1, 0, 0}, /* banker 6 */
	{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}	/* banker 7 */
};

/*
 * casino_baccarat_card_points
 *		Points of one card, 0 to 9 (D4 Baccarat §5); 0 for a byte that is none.
 */
int
casino_baccarat_card_points(CasinoCard card)
{
	return casino_card_is_valid(card) ? rank_points[casino_card_rank(card)] : 0;
}

/*
 * sum_points
 *		Points of the first count cards, modulo 10 (D4 Baccarat §5).
 */
static int
sum_points(const CasinoHand *hand, int count)
{
	int			points = 0;
	int			i;

	for (i = 0; i < count && i < hand->count && i < CASINO_HAND_MAX; i++)
		points += casino_baccarat_card_points(hand->cards[i]);
	return points % 10;
}

/*
 * casino_baccarat_points
 *		Points of a hand, 0 to 9 (D4 Baccarat §5).
 */
int
casino_baccarat_points(const CasinoHand *hand)
{
	return sum_points(hand, hand->count);
}

/*
 * casino_baccarat_player_draws
 *		Must the player draw, given both sides' points on two cards?
 *		A natural 8 or 9 on either side comes first (D4 Baccarat §9).
 */
bool
casino_baccarat_player_draws(int player_points, int banker_points)
{
	return player_points < NATURAL && banker_points < NATURAL && player_points <= 5;
}

/*
 * casino_baccarat_banker_draws
 *		Must the banker draw, given both sides' points on two cards and the
 *		points of the player's third card, -1 when he stood (D4 Baccarat §9)?
 */
bool
casino_baccarat_banker_draws(int player_points, int banker_points, int player_third)
{
	if (player_points >= NATURAL || banker_points >= NATURAL)
		return false;
	if (player_third < 0)
		return banker_points <= 5;
	return banker_draws_on[banker_points][player_third];
}

/* Two letters of a card with NUL, for messages. */
typedef struct CardText
{
	char		text[CASINO_CARD_TEXT_LEN + 1];
} CardText;

/*
 * card_text
 *		The letters of a card as a string.
 */
static CardText
card_text(CasinoCard card)
{
	CardText	result;

	casino_card_print(card, result.text);
	result.text[CASINO_CARD_TEXT_LEN] = '\0';
	return result;
}

/*
 * check_count
 *		Two cards and at most a third (D4 Baccarat §8).
 */
static bool
check_count(const char *side, const CasinoHand *hand, CasinoError *error)
{
	if (hand->count < 2 || hand->count > 3)
		return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
						   "The %s has %d card%s, not 2 or 3 (D4 Baccarat §8).",
						   side, hand->count, hand->count == 1 ? "" : "s");
	return true;
}

/*
 * check_copies
 *		No card more often than there are decks.
 */
static bool
check_copies(const CasinoHand *player, const CasinoHand *banker, int decks,
			 CasinoError *error)
{
	CasinoCopies copies = {{0}};

	casino_copies_add(&copies, player);
	casino_copies_add(&copies, banker);
	return casino_copies_check(&copies, decks, error);
}

/*
 * check_natural
 *		With 8 or 9 on two cards of either side this side has no third card
 *		(D4 Baccarat §9).
 */
static bool
check_natural(const char *side, const CasinoHand *hand, int player_points,
			  int banker_points, CasinoError *error)
{
	bool		players = player_points >= NATURAL;

	if (hand->count == 2 || (!players && banker_points < NATURAL))
		return true;
	return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
					   "The %s has %d on two cards, so that the %s may not draw %s (D4 Baccarat §9).",
					   players ? "player" : "banker",
					   players ? player_points : banker_points,
					   side, card_text(hand->cards[2]).text);
}

/*
 * check_player
 *		Did the player draw when he must and only then (D4 Baccarat §9)?
 */
static bool
check_player(const CasinoHand *player, int player_points, int banker_points,
			 CasinoError *error)
{
	bool		drew = player->count == 3;

	if (drew == casino_baccarat_player_draws(player_points, banker_points))
		return true;
	if (drew)
		return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
						   "The player stands on %d and may not draw %s (D4 Baccarat §9).",
						   player_points, card_text(player->cards[2]).text);
	return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
					   "The player has %d and must draw a third card (D4 Baccarat §9).",
					   player_points);
}

/*
 * check_banker
 *		Did the banker draw when he must and only then (D4 Baccarat §9)?
 */
static bool
check_banker(const CasinoHand *player, const CasinoHand *banker, int player_points,
			 int banker_points, CasinoError *error)
{
	bool		player_drew = player->count == 3;
	bool		drew = banker->count == 3;
	int			third = player_drew ? casino_baccarat_card_points(player->cards[2]) : -1;
	const char *after = player_drew ? "the player draws " : "the player stands";
	CardText	third_text = {""};

	if (drew == casino_baccarat_banker_draws(player_points, banker_points, third))
		return true;
	if (player_drew)
		third_text = card_text(player->cards[2]);
	if (drew)
		return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
						   "The banker stands on %d when %s%s and may not draw %s (D4 Baccarat §9).",
						   banker_points, after, third_text.text,
						   card_text(banker->cards[2]).text);
	return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
					   "The banker has %d and must draw a third card when %s%s (D4 Baccarat §9).",
					   banker_points, after, third_text.text);
}

/*
 * casino_baccarat_check
 *		Could these hands have been dealt from that many decks by the drawing
 *		rules (D4 Baccarat §8, §9)?  CASINO_ILLEGAL_OUTCOME if not.
 */
bool
casino_baccarat_check(const CasinoHand *player, const CasinoHand *banker, int decks,
					  CasinoError *error)
{
	int			player_points = sum_points(player, 2);
	int			banker_points = sum_points(banker, 2);

	return check_count("player", player, error) &&
		check_count("banker", banker, error) &&
		check_copies(player, banker, decks, error) &&
		check_natural("player", player, player_points, banker_points, error) &&
		check_natural("banker", banker, player_points, banker_points, error) &&
		check_player(player, player_points, banker_points, error) &&
		check_banker(player, banker, player_points, banker_points, error);
}

/*
 * is_pair
 *		Are the first two cards of one rank (D4 Baccarat §19)?
 */
static bool
is_pair(const CasinoHand *hand)
{
	return hand->count >= 2 &&
		casino_card_rank(hand->cards[0]) == casino_card_rank(hand->cards[1]);
}

/*
 * is_perfect_pair
 *		(R5.3) Are the first two cards of one rank and suit, "například pár kárových
 *		sedmiček" (D4 Baccarat §19)?
 */
static bool
is_perfect_pair(const CasinoHand *hand)
{
	return hand->count >= 2 && hand->cards[0] == hand->cards[1];
}

/*
 * win_if
 *		Grade of a bet that wins or loses.
 */
static CasinoGrade
win_if(bool won)
{
	return won ? CASINO_WIN : CASINO_LOSE;
}

/*
 * casino_grade_baccarat
 *		Grade of a bet on a checked outcome: main bets D4 Baccarat §21, side
 *		bets §19; an egalite that hits is tie_0 to tie_9.
 *		CASINO_GRADE_NONE for a kind that is not baccarat's.
 */
CasinoGrade
casino_grade_baccarat(const CasinoBet *bet, const CasinoHand *player,
					  const CasinoHand *banker)
{
	int			lead = casino_baccarat_points(player) - casino_baccarat_points(banker);
	int			dealt = player->count + banker->count;

	switch (bet->kind)
	{
		case CASINO_PLAYER:
			return lead == 0 ? CASINO_PUSH : win_if(lead > 0);
		case CASINO_BANKER:
			return lead == 0 ? CASINO_PUSH : win_if(lead < 0);
		case CASINO_TIE:
			return win_if(lead == 0);
		case CASINO_EGALITE:
			if (lead != 0 || casino_baccarat_points(player) != bet->numbers[0])
				return CASINO_LOSE;
			return (CasinoGrade) (CASINO_TIE_0 + bet->numbers[0]);
		case CASINO_BIG:
			return win_if(dealt == 5 || dealt == 6);
		case CASINO_SMALL:
			return win_if(dealt == 4);
		case CASINO_PLAYER_PAIR:
			return win_if(is_pair(player));
		case CASINO_BANKER_PAIR:
			return win_if(is_pair(banker));
		case CASINO_ANY_PAIR:
			return win_if(is_pair(player) || is_pair(banker));
		case CASINO_PERFECT_PAIR:
			return win_if(is_perfect_pair(player) || is_perfect_pair(banker));
		default:
			return CASINO_GRADE_NONE;
	}
}
