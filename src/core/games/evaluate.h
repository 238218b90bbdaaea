/*
 * evaluate.h
 *	  One player's wagers of a round and the facts of the round in, grades and
 *	  payouts out.
 *
 * Each reader fills the facts from its own source: rows, leaves of an export.
 * The arithmetic is the same for all readers, so it stands here once.
 */
#ifndef CASINO_EVALUATE_H
#define CASINO_EVALUATE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/games/blackjack_rules.h"
#include "core/games/family.h"
#include "core/hand.h"
#include "core/money.h"
#include "core/odds.h"
#include "core/games/position.h"

/* Most hands of one box that a wager can lie on. */
#define CASINO_BOX_HANDS_MAX	16

/* A hand of the round's cards; the hands of a round are a list in no order. */
typedef struct CasinoDealtHand
{
	struct CasinoDealtHand *next;
	char		side;			/* first letter; board: o, box: x */
	int			seat;			/* 0: none */
	int			group;			/* of a shared box; 0: of everybody */
	int			number;			/* from 1 */
	CasinoHand	cards;
	bool		surrendered;
	bool		folded;
	bool		even_money;		/* for everybody on the hand */
	int			neven;
	int64_t    *even;			/* players who took even money, ascending */
	int			nplayers;
	int64_t    *players;		/* of the group, ascending; on its hand 1 */
} CasinoDealtHand;

/* All that the wagers of a round are evaluated by. */
typedef struct CasinoRoundFacts
{
	CasinoFamily family;
	const CasinoBlackjackRules *rules;	/* blackjack */
	const CasinoPaytable *paytable;
	int			number;			/* roulette; -1: none */
	const CasinoDealtHand *hands;
} CasinoRoundFacts;

/* A wager of the player. */
typedef struct CasinoStake
{
	CasinoBet	bet;
	int			seat;			/* 0: none */
	int			hand;			/* 0: none, as 1 */
	bool		returned;		/* the wager stands no longer: grade and payout are not touched */

	/* what casino_evaluate() gives */
	CasinoGrade grade;
	int64_t		payout;			/* haléře */
	bool		capped;			/* the declared win bounds the position with this wager */
} CasinoStake;

/* Why a wager has no payout. */
typedef enum CasinoEvaluation
{
	CASINO_EVALUATED,
	CASINO_NOT_DECIDED,			/* the cards do not decide it, or the family does not know it */
	CASINO_NO_ODDS,				/* the paytable has no line for its grade */
	CASINO_STAKES_TOO_LARGE,	/* the sum of the position is out of range */
	CASINO_PROFIT_TOO_LARGE,
	CASINO_PAYOUT_TOO_LARGE
} CasinoEvaluation;

/* Is each player of the family evaluated alone?  If not, they are paid from each other's stakes. */
extern bool casino_evaluates_alone(CasinoFamily family);

/* Slots that the positions of n wagers need: a power of two. */
extern uint32_t casino_evaluate_slots(int n);

/*
 * Evaluate the wagers of one player in the order of entry.  "positions" has
 * room for casino_evaluate_slots(n), and is cleared here.  On failure *at is
 * the wager that has no payout, and those after it have none either.
 */
extern CasinoEvaluation casino_evaluate(const CasinoRoundFacts *facts, int64_t player_id, CasinoStake *stakes,
										int n, CasinoPosition *positions, int *at);

/*
 * Payout of a wager that is not lost, with "before" haléře on its position
 * before it (R2.1, R2.2).  A free wager gets its profit only.
 */
extern CasinoEvaluation casino_evaluate_payout(const CasinoBet *bet, CasinoOddsLine odds,
											   int64_t declared_win, int64_t before, int64_t *payout,
											   CasinoShare *share);

/* Return the letter of a side by its word, as in casino.dealt_hand. */
extern char casino_dealt_side_letter(const char *side);

/* Return the cards of that side, or the empty hand. */
extern const CasinoHand *casino_dealt_side(const CasinoDealtHand *hands, char side);

/* Is the player among these, which are ascending? */
extern bool casino_is_among(int64_t player_id, const int64_t *players, int n);

#endif							/* CASINO_EVALUATE_H */
