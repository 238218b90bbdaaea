/*
 * casino_holdem.c
 *	  Casino Hold'em: check of the cards, grading (R6.2 to R6.5).
 */
#include <string.h>

#include "core/games/casino_holdem.h"

#include "core/games/copies.h"
#include "core/games/poker_rank.h"

#define HOLE_CARDS	2

/*
 * casino_holdem_qualifies
 *		Does the dealer play with a hand of this number: at least a pair of fours
 *		(D4 Casino Hold'em §13)?
 */
bool
casino_holdem_qualifies(int number)
{
	return number <= casino_poker_worst_pair(CASINO_RANK_4);
}

/*
 * check_hole
 *		Two cards for either side (D4 Casino Hold'em §7).
 */
static bool
check_hole(const char *side, const CasinoHand *hand, CasinoError *error)
{
	if (hand->count == HOLE_CARDS)
		return true;
	return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
					   "The %s has %d card%s; two are dealt (D4 Casino Hold'em §7).",
					   side, hand->count, hand->count == 1 ? "" : "s");
}

/*
 * check_board
 *		Three cards, two more after a call (D4 Casino Hold'em §7).
 */
static bool
check_board(const CasinoHand *board, bool any_call, CasinoError *error)
{
	if (board->count != CASINO_HOLDEM_FLOP && board->count != CASINO_HOLDEM_BOARD)
		return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
						   "The board has %d card%s; three are dealt, and after a call two more "
						   "(D4 Casino Hold'em §7).",
						   board->count, board->count == 1 ? "" : "s");
	if (any_call && board->count != CASINO_HOLDEM_BOARD)
		return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
						   "The ante was called, so that the board has five cards and not %d "
						   "(D4 Casino Hold'em §7).",
						   board->count);
	return true;
}

/*
 * check_deck
 *		No card twice: the game has one deck (D4 Casino Hold'em §5).
 */
static bool
check_deck(const CasinoHand *player, const CasinoHand *board, const CasinoHand *dealer,
		   CasinoError *error)
{
	const CasinoHand *const hands[] = {player, board, dealer};
	static const char *const places[] = {"with the player", "on the board", "with the dealer"};
	const char *seen_at[CASINO_CARDS_IN_DECK] = {NULL};
	CasinoCopies copies = {{0}};
	int			h;
	int			i;

	for (h = 0; h < 3; h++)
	{
		for (i = 0; i < hands[h]->count; i++)
		{
			CasinoCard	card = hands[h]->cards[i];
			char		text[CASINO_CARD_TEXT_LEN];

			casino_card_print(card, text);
			if (!casino_card_is_valid(card))
				return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
								   "Byte %d is not a card.", card);
			if (!casino_copies_take(&copies, card, 1))
				return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
								   "The card %.2s lies %s and again %s; there is one deck "
								   "(D4 Casino Hold'em §5).",
								   text, seen_at[card], places[h]);
			seen_at[card] = places[h];
		}
	}
	return true;
}

/*
 * casino_holdem_check
 *		Could these cards have been dealt?  CASINO_ILLEGAL_OUTCOME if not.
 */
bool
casino_holdem_check(const CasinoHand *player, const CasinoHand *board,
					const CasinoHand *dealer, bool any_call, CasinoError *error)
{
	return check_hole("player", player, error) &&
		check_hole("dealer", dealer, error) &&
		check_board(board, any_call, error) &&
		check_deck(player, board, dealer, error);
}

/*
 * best_number
 *		Number of the best five of two hole cards and the first cards of the
 *		board, all five or only the flop.
 */
static int
best_number(const CasinoHand *hole, const CasinoHand *board, int board_cards)
{
	CasinoCard	cards[HOLE_CARDS + CASINO_HOLDEM_BOARD];

	memcpy(cards, hole->cards, HOLE_CARDS);
	memcpy(cards + HOLE_CARDS, board->cards, (size_t) board_cards);
	return casino_poker_rank(cards, HOLE_CARDS + board_cards);
}

/*
 * paid_line
 *		The line of ante (D4 Casino Hold'em §17) or AA (§15) for a hand that wins:
 *		flush and better have their own, the others share one.
 */
static CasinoGrade
paid_line(int number, CasinoGrade others)
{
	switch (casino_poker_category(number))
	{
		case CASINO_POKER_ROYAL_FLUSH:
			return CASINO_ROYAL_FLUSH;
		case CASINO_POKER_STRAIGHT_FLUSH:
			return CASINO_STRAIGHT_FLUSH;
		case CASINO_POKER_FOUR_OF_A_KIND:
			return CASINO_FOUR_OF_A_KIND;
		case CASINO_POKER_FULL_HOUSE:
			return CASINO_FULL_HOUSE;
		case CASINO_POKER_FLUSH:
			return CASINO_FLUSH;
		default:
			return others;
	}
}

/*
 * grade_main
 *		Ante or call of a player who called (D4 Casino Hold'em §13).
 *
 * A dealer who does not qualify leaves the call a push and pays the ante by
 * its table, even when his cards are the better ones (R6.3).
 */
static CasinoGrade
grade_main(int kind, int player, int dealer)
{
	if (!casino_holdem_qualifies(dealer))
		return kind == CASINO_CALL ? CASINO_PUSH : paid_line(player, CASINO_WIN);
	if (player > dealer)
		return CASINO_LOSE;
	if (player == dealer)
		return CASINO_PUSH;
	return kind == CASINO_CALL ? CASINO_WIN : paid_line(player, CASINO_WIN);
}

/*
 * grade_aa
 *		A pair of aces or better in the first five cards (D4 Casino Hold'em §11,
 *		§15: "AA nebo vyšší", R6.4, up to a straight).
 */
static CasinoGrade
grade_aa(int number)
{
	if (number > casino_poker_worst_pair(CASINO_RANK_A))
		return CASINO_LOSE;
	return paid_line(number, CASINO_PAIR_OF_ACES);
}

/*
 * grade_razz
 *		Low hand of the first five cards by its highest one (D4 Casino Hold'em
 *		§12, §16): the ace is low, a pair, queen or king loses, straights and
 *		flushes do not count; only of 5-4-3-2-A the suit matters.
 */
static CasinoGrade
grade_razz(const CasinoHand *hole, const CasinoHand *board)
{
	/* by rank as stored, when it is the highest; five different ones end with a five at least */
	static const CasinoGrade lines[CASINO_RANKS] = {
		[CASINO_RANK_5] = CASINO_WHEEL,
		[CASINO_RANK_6] = CASINO_SIX,
		[CASINO_RANK_7] = CASINO_SEVEN,
		[CASINO_RANK_8] = CASINO_EIGHT,
		[CASINO_RANK_9] = CASINO_NINE,
		[CASINO_RANK_T] = CASINO_TEN,
		[CASINO_RANK_J] = CASINO_JACK,
		[CASINO_RANK_Q] = CASINO_LOSE,
		[CASINO_RANK_K] = CASINO_LOSE
	};
	unsigned	ranks = 0;
	bool		suited = true;
	int			highest = 0;
	int			i;

	for (i = 0; i < HOLE_CARDS + CASINO_HOLDEM_FLOP; i++)
	{
		CasinoCard	card = i < HOLE_CARDS ? hole->cards[i] : board->cards[i - HOLE_CARDS];
		int			rank = casino_card_rank(card);

		if (!casino_card_is_valid(card))
			return CASINO_GRADE_NONE;
		if (ranks >> rank & 1)
			return CASINO_LOSE;
		ranks |= 1u << rank;
		suited = suited && casino_card_suit(card) == casino_card_suit(hole->cards[0]);
		if (rank != CASINO_RANK_A && rank > highest)
			highest = rank;
	}
	return suited && lines[highest] == CASINO_WHEEL ? CASINO_WHEEL_SUITED : lines[highest];
}

/*
 * casino_grade_holdem
 *		Grade of a bet on a checked outcome, for a player who has called or not.
 *		CASINO_GRADE_NONE for a kind that is not the game's, and for cards that
 *		are too few to tell.
 */
CasinoGrade
casino_grade_holdem(const CasinoBet *bet, const CasinoHand *player,
					const CasinoHand *board, const CasinoHand *dealer, bool called)
{
	bool		principal = bet->kind == CASINO_ANTE || bet->kind == CASINO_CALL;

	if (!principal && bet->kind != CASINO_AA && bet->kind != CASINO_RAZZ)
		return CASINO_GRADE_NONE;
	if (!called)
		return CASINO_LOSE;		/* folded, §7; the side bets too, §11, §12 */
	if (player->count != HOLE_CARDS || board->count != CASINO_HOLDEM_BOARD ||
		dealer->count != HOLE_CARDS)
		return CASINO_GRADE_NONE;
	if (bet->kind == CASINO_AA)
		return grade_aa(best_number(player, board, CASINO_HOLDEM_FLOP));
	if (bet->kind == CASINO_RAZZ)
		return grade_razz(player, board);
	return grade_main(bet->kind, best_number(player, board, CASINO_HOLDEM_BOARD),
					  best_number(dealer, board, CASINO_HOLDEM_BOARD));
}
