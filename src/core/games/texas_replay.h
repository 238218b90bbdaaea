/*
 * texas_replay.h
 *	  Replay of the betting of a Texas Hold'em cash game (D2 Texas Holdem).
 *
 * The actions come in the order they were made, from the small blind on.  An
 * amount is what the seat has put in on this street after the action ("raise
 * to"), in haléře.  What the document leaves open is settled so:
 *
 * - "Twice the last bet" is twice the highest amount put in on this street,
 *   which is what others must call, an all-in for less among them, and never
 *   less than the big blind (R6.17).
 * - An all-in that is not twice the last bet is no raise: who has acted since
 *   the last full bet or raise may then call or fold, but not raise.
 * - All in for less than a blind, a bet or a call is allowed.  The others call
 *   a short big blind at its full amount, as long as somebody is left who can
 *   put that in (R6.20).
 * - Folding is allowed at any turn, also instead of a check (R6.21).
 * - Who could bet only against seats that are all in is not asked any more (R6.22).
 * - Nobody but the two blinds posts anything, and a seat folds only at its turn (R6.23).
 */
#ifndef CASINO_TEXAS_REPLAY_H
#define CASINO_TEXAS_REPLAY_H

#include "core/games/pots.h"
#include "core/games/texas_action.h"

typedef struct CasinoTexasRules
{
	int64_t		small_blind;	/* haléře: 25.00 */
	int64_t		big_blind;		/* 50.00 */
	int			min_raise_multiple; /* 2: raise to at least so many times the last bet */
} CasinoTexasRules;

typedef struct CasinoReplay
{
	int64_t		contributed[CASINO_SEATS_MAX];	/* in the whole hand, uncalled money included */
	CasinoSeats folded;
	CasinoSeats all_in;
	CasinoStreet last_street;	/* on which the betting ended */
	bool		showdown;		/* two seats or more are left */
	int			board_cards;	/* that the hand must have: 0, 3, 4 or 5 */
} CasinoReplay;

/*
 * Replay the hand of these seats (two to ten were dealt in).  Refusals are
 * CASINO_ILLEGAL_OUTCOME and name the action (from 1), its seat and the rule.
 */
extern bool casino_texas_replay(const CasinoTexasRules *rules, CasinoSeats seats, int button,
								int board_cards, const CasinoAction *actions, int count,
								CasinoReplay *replay, CasinoError *error);

/*
 * Do the seats' stakes (haléře) and folds agree with what was replayed?
 */
extern bool casino_texas_agrees(const CasinoReplay *replay,
								const int64_t staked[CASINO_SEATS_MAX],
								CasinoSeats folded, CasinoError *error);

#endif							/* CASINO_TEXAS_REPLAY_H */
