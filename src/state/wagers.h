/*
 * wagers.h
 *	  What a player has in a round.
 */
#ifndef CASINO_WAGERS_H
#define CASINO_WAGERS_H

#include "postgres.h"

#include "datatype/timestamp.h"

#include "casino.h"

/* A wager a player has placed in a round. */
typedef struct Wager
{
	int64		entry_no;		/* 0: not yet posted */
	CasinoBet	bet;
	int			seat;			/* 0: none */
	int			hand;			/* 0: none */
	char	   *request_id;		/* NULL: none */
	TimestampTz posted_at;
	bool		follows;		/* placed for a bet behind, in the owner's call (R3.75) */
} Wager;

/* The player's wagers of the round that were not returned, by entry number. */
extern int	casino_wagers_load(int64 round_id, int64 player_id, Wager **wagers);

/* The same without keys and times, which the rules of a stake do not ask for. */
extern int	casino_wagers_load_bets(int64 round_id, int64 player_id, Wager **wagers);

/* A stake by its entry; what was posted for it afterwards is not asked. */
typedef struct PostedStake
{
	int64		round_id;
	int64		amount;			/* haléře */
	int			seat;			/* 0: none */
	int			hand;			/* 0: none */
} PostedStake;

extern bool casino_stake_find(int64 player_id, int64 entry_no, PostedStake *stake);

/* haléře that a wager takes from the wallet: its stake, 0 when it is free */
extern int64 casino_wager_cost(const CasinoBet *bet);

#endif							/* CASINO_WAGERS_H */
