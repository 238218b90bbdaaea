/*
 * kept_wagers.h
 *	  What players have in rounds, kept by the session.
 */
#ifndef CASINO_KEPT_WAGERS_H
#define CASINO_KEPT_WAGERS_H

#include "postgres.h"

#include "state/wagers.h"

typedef struct KeptKey
{
	int64		player_id;
	int64		round_id;
} KeptKey;

typedef struct KeptWagers
{
	KeptKey		key;
	int64		newest;			/* entries of the player up to this one are counted */
	uint64		transaction;	/* the last one of this session that has added something */
	int			n;
	Wager	   *wagers;			/* by entry number, without keys and times */
} KeptWagers;

/* The player's wagers of the round that the session keeps; NULL: nothing. */
extern const KeptWagers *casino_wagers_kept(int64 round_id, int64 player_id);

/* Keep these in its place, read by the transaction that is under way: entries up to the newest. */
extern void casino_wagers_keep(int64 round_id, int64 player_id, int64 newest, const Wager *wagers, int n);

#endif							/* CASINO_KEPT_WAGERS_H */
