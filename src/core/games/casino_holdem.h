/*
 * casino_holdem.h
 *	  Casino Hold'em: check of the cards and grading (D4 Casino Hold'em 5 to 18).
 */
#ifndef CASINO_CASINO_HOLDEM_H
#define CASINO_CASINO_HOLDEM_H

#include "core/grade.h"
#include "core/hand.h"

#define CASINO_HOLDEM_FLOP		3
#define CASINO_HOLDEM_BOARD		5

/*
 * Does the dealer's number (poker_rank.h) play: a pair of fours or better?
 * D4 Casino Hold'em 13.
 */
extern bool casino_holdem_qualifies(int number);

/*
 * Could these cards have been dealt: two to the player and to the dealer, three
 * on the board or five, and five when anybody called; one deck?  Refusals name
 * card and paragraph.
 */
extern bool casino_holdem_check(const CasinoHand *player, const CasinoHand *board,
								const CasinoHand *dealer, bool any_call,
								CasinoError *error);

/*
 * Of a checked outcome; called: has the owner of this wager called?  Who has
 * not has folded and loses whatever the cards are.  CASINO_GRADE_NONE for a
 * kind that is not the game's and for cards that are too few to tell.
 */
extern CasinoGrade casino_grade_holdem(const CasinoBet *bet, const CasinoHand *player,
									   const CasinoHand *board, const CasinoHand *dealer,
									   bool called);

#endif							/* CASINO_CASINO_HOLDEM_H */
