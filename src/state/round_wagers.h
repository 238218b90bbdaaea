/*
 * round_wagers.h
 *	  All wagers of a round that were not returned, read once for its check, its
 *	  grading and its payouts.
 */
#ifndef CASINO_ROUND_WAGERS_H
#define CASINO_ROUND_WAGERS_H

#include "postgres.h"

#include "datatype/timestamp.h"

#include "casino.h"
#include "core/grade.h"

typedef struct RoundWager
{
	int64		player_id;
	int64		entry_no;
	CasinoBet	bet;
	int			seat;			/* 0: none */
	int			hand;			/* 0: none */
	TimestampTz posted_at;
	TimestampTz recorded_at;

	/* from its evaluation */
	CasinoGrade grade;
	int64		payout;			/* haléře */
	bool		due;			/* an entry is to be posted for it */
	bool		capped;			/* the declared win cut the profit of its position */
} RoundWager;

typedef struct RoundWagers
{
	int			count;
	RoundWager *wagers;			/* by player_id, entry_no */
	TimestampTz last_recorded_at;	/* of all stakes and refunds of the round; DT_NOBEGIN: no entry */
} RoundWagers;

/*
 * Read them under the round's exclusive lock, as committed now and by this
 * transaction.
 */
extern void casino_round_wagers_load(int64 round_id, RoundWagers *round);

/* The same of those that its evaluation counted, also where a player's were voided since (R7.44, R11.39). */
extern void casino_round_wagers_load_evaluated(int64 round_id, RoundWagers *round);

/* Leave only wagers of that player (0: of all) for which nothing was posted yet. */
extern void casino_round_wagers_unpaid(RoundWagers *round, int64 player_id);

/* For assertions: are they in the order of players, and of entries of each? */
extern bool casino_round_wagers_in_order(const RoundWagers *round);

/* One past the last wager of the player whose first one is "first". */
extern int	casino_round_wagers_next_player(const RoundWagers *round, int first);

#endif							/* CASINO_ROUND_WAGERS_H */
