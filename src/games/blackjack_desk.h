/*
 * blackjack_desk.h
 *	  What the rules of a blackjack stake look at: the player's wagers, those of
 *	  his box, and the cards on the table.
 */
#ifndef CASINO_BLACKJACK_DESK_H
#define CASINO_BLACKJACK_DESK_H

#include "games/blackjack_box.h"
#include "games/blackjack_table.h"
#include "server/refusal.h"
#include "state/player.h"
#include "state/round.h"
#include "state/wagers.h"

/* Everything a check looks at. */
typedef struct Desk
{
	const RoundState *round;
	const PlayerState *player;
	const Wager *placed;
	int			nplaced;
	const Wager *added;
	int			nadded;
	CasinoBlackjackRules rules;
	CasinoBlackjackSources sources;
	BlackjackBox box;			/* of seated games */
	const BlackjackTable *table;	/* cards on the table, NULL when none were dealt */
} Desk;

/* KB005 with its reason */
extern void casino_desk_not_now(const Wager *wager, RefusalReason reason, const char *detail);

/* The same, with a number in the refusal's data. */
extern void casino_desk_not_with(const Wager *wager, RefusalReason reason, const char *name, int number,
								 const char *detail);

/* Hand of a wager; without a number it is the first. */
extern int	casino_desk_hand_of(const Wager *wager);

/* haléře of a kind on a seat and hand (0: any) among all of the player's wagers, placed and added */
extern int64 casino_desk_own_sum(const Desk *desk, int kind, int seat, int hand);

/* Has the player split hand "hand" off, paid or free? */
extern bool casino_desk_has_hand(const Desk *desk, int seat, int hand);

/*
 * Did hand "hand" of the player come of a free split, or may a later one that did have been split from
 * it?  Or has he
 * not split it at all: who did not follow the owner's split plays it as if it were whole (R3.34).
 */
extern bool casino_desk_no_paid_split(const Desk *desk, int seat, int hand);

/* Original stake of the player on the seat: his main bet, or his bet behind. */
extern int64 casino_desk_original_stake(const Desk *desk, int seat);

/* Highest number of a hand the player has on the seat, the wager itself apart. */
extern int	casino_desk_highest_hand(const Desk *desk, const Wager *wager);

/* Does the player decide on the seat, rather than follow its owner? */
extern bool casino_desk_decides(const Desk *desk);

/* Has the player doubled hand "hand", paid or free? */
extern bool casino_desk_has_doubled(const Desk *desk, int seat, int hand);

/* KB005: what the cards on the table do not allow (R3.51). */
extern void casino_desk_check_cards(const Desk *desk, const Wager *wager);

#endif							/* CASINO_BLACKJACK_DESK_H */
