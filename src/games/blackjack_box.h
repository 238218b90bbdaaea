/*
 * blackjack_box.h
 *	  A box of a table with seats: what lies on it, who owns it, who decides for
 *	  an absent owner (R3.33, R3.36, R3.37; D0 OVLÁDÁNÍ BOXU, D1 Box, D3 section 1).
 */
#ifndef CASINO_BLACKJACK_BOX_H
#define CASINO_BLACKJACK_BOX_H

#include "postgres.h"

#include "core/games/blackjack_rules.h"
#include "games/families.h"
#include "state/round.h"
#include "state/wagers.h"

/* What lies on a box, of all players, in the order it was placed. */
typedef struct BlackjackBox
{
	int			n;
	int64	   *players;
	Wager	   *wagers;
	int64		owner;			/* who staked first on it, or to whom it was handed over; 0: nobody */
} BlackjackBox;

/* As the rules of the plan have it, under the box's lock. */
extern void casino_blackjack_box_load(const RoundState *round, const CasinoBlackjackRules *rules,
									  int seat, BlackjackBox *box);

/* Players with a main bet on the box, in the order they came, palloc'ed. */
extern int64 *casino_blackjack_box_players(const BlackjackBox *box, int *count);

/* See FamilyRules.hand_over. */
extern bool casino_blackjack_hand_over(const RoundState *round, int seat, int64 player_id,
									   int64 *former);

/*
 * Which of the players decides: the last to whom the box was handed over and
 * who is among them, else the first.
 */
extern int64 casino_blackjack_owner_among(int64 round_id, const CasinoBlackjackRules *rules, int seat,
										  const int64 *players, int n);

#endif							/* CASINO_BLACKJACK_BOX_H */
