/*
 * blackjack_side.h
 *	  Side bets of blackjack (R3.48, R3.50, R3.53).  The
 *	  order of the cards does not matter.
 */
#ifndef CASINO_BLACKJACK_SIDE_H
#define CASINO_BLACKJACK_SIDE_H

#include "core/card.h"
#include "core/grade.h"

/* Two cards of the player and the first of the dealer. */
extern CasinoGrade casino_grade_21_plus_3(CasinoCard a, CasinoCard b, CasinoCard c);
extern CasinoGrade casino_grade_top3(CasinoCard a, CasinoCard b, CasinoCard c);
extern CasinoGrade casino_grade_lucky_lucky(CasinoCard a, CasinoCard b, CasinoCard c);
extern CasinoGrade casino_grade_hot3(CasinoCard a, CasinoCard b, CasinoCard c);

/* First two cards of one side: player_pair and dealer_pair. */
extern CasinoGrade casino_grade_pair(CasinoCard a, CasinoCard b);

/* The dealer's final total and number of cards. */
extern CasinoGrade casino_grade_buster(int total, int cards, bool player_blackjack);
extern CasinoGrade casino_grade_bust_it(int total, int cards, bool player_blackjack);

#endif							/* CASINO_BLACKJACK_SIDE_H */
