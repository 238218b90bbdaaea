/*
 * baccarat.h
 *	  Baccarat: points, drawing rules and grading (D4 Baccarat 5, 9, 19 to 23).
 */
#ifndef CASINO_BACCARAT_H
#define CASINO_BACCARAT_H

#include "core/grade.h"
#include "core/hand.h"

/* Points of one card: ace 1, 2 to 9, tens and pictures 0. */
extern int	casino_baccarat_card_points(CasinoCard card);

/* Sum of the points modulo 10. */
extern int	casino_baccarat_points(const CasinoHand *hand);

/* Must a side that stands on two cards with these points draw?  D4 Baccarat 9. */
extern bool casino_baccarat_player_draws(int player_points, int banker_points);

/* player_third: points of the player's third card, -1 when he stood. */
extern bool casino_baccarat_banker_draws(int player_points, int banker_points,
										 int player_third);

/*
 * Could these two hands have been dealt from that many decks by the drawing
 * rules?  Refusals name side, card and rule: "The player stands on 6 and may
 * not draw 5c (D4 Baccarat §9)."
 */
extern bool casino_baccarat_check(const CasinoHand *player, const CasinoHand *banker,
								  int decks, CasinoError *error);

/* Of a checked outcome; CASINO_GRADE_NONE for a kind that is not baccarat's. */
extern CasinoGrade casino_grade_baccarat(const CasinoBet *bet, const CasinoHand *player,
										 const CasinoHand *banker);

#endif							/* CASINO_BACCARAT_H */
