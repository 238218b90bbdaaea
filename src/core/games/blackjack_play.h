/*
 * blackjack_play.h
 *	  Could the hands of one box, or of one player at a shared box, have been
 *	  played so (R3.7 to R3.31)?
 */
#ifndef CASINO_BLACKJACK_PLAY_H
#define CASINO_BLACKJACK_PLAY_H

#include "core/games/blackjack_hand.h"
#include "core/games/blackjack_rules.h"

/*
 * Wagers and decisions that lie on a hand.  "Decides": the owner of the box,
 * or the player of a shared box; "follower": anybody else who bets on it.
 */
typedef enum CasinoPlayedFlag
{
	CASINO_PLAYED_DOUBLED = 1 << 0, /* double_down of who decides */
	CASINO_PLAYED_DOUBLED_FREE = 1 << 1,	/* free_double of who decides */
	CASINO_PLAYED_DOUBLED_BY_FOLLOWER = 1 << 2, /* double_down or free_double of another */
	CASINO_PLAYED_SPLIT = 1 << 3,	/* split_pair of who decides: this hand is the new one */
	CASINO_PLAYED_SPLIT_FREE = 1 << 4,	/* free_split of who decides */
	CASINO_PLAYED_SURRENDERED = 1 << 5,
	CASINO_PLAYED_EVEN_MONEY = 1 << 6,	/* somebody on the hand takes it */
	CASINO_PLAYED_EVEN_MONEY_INSURED = 1 << 7	/* and has an insurance too */
} CasinoPlayedFlag;

typedef struct CasinoPlayedHand
{
	int			number;			/* as in the outcome, from 1 */
	unsigned	flags;			/* CasinoPlayedFlag */
	CasinoHand	cards;
} CasinoPlayedHand;

typedef struct CasinoPlayedGroup
{
	int			count;
	const CasinoPlayedHand *hands;	/* in the order of their numbers */
	CasinoCard	up_card;		/* dealer's first card; only even money looks at it */
	bool		table_surrender;	/* the table offers it */
	bool		split_waits;	/* who decides has staked on a split whose cards do not lie apart yet */
	bool		unfinished;		/* cards as they fall, or wagers not known: what has been dealt must be
								 * right, but nothing is missing */
} CasinoPlayedGroup;

/*
 * Refusals name seat or player, hand, card and paragraph: "Seat 3, hand 2: 5c
 * was drawn on 21 (D0 HRA)."  at->seat and at->player_id say whose group it
 * is; at->hand is not used.
 */
extern bool casino_blackjack_check_group(const CasinoBlackjackCase *at,
										 const CasinoPlayedGroup *group, CasinoError *error);

/*
 * Could who follows the box have his free wagers on these hands?  The flags of
 * the group are his own here; all else follows from the owner's play, which
 * casino_blackjack_check_group() judges.
 */
extern bool casino_blackjack_check_follower(const CasinoBlackjackCase *at,
											const CasinoPlayedGroup *group, CasinoError *error);

/*
 * The two cards that the group was dealt, larger byte first: after a split the
 * first cards of hands 1 and 2.  All groups of a shared box have the same.
 * False when there are not two.
 */
extern bool casino_blackjack_group_start(const CasinoPlayedGroup *group, CasinoCard start[2]);

#endif							/* CASINO_BLACKJACK_PLAY_H */
