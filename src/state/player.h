/*
 * player.h
 *	  The player: his row, locked, and what an entry does to it.  Money is int64
 *	  haléře, here and throughout.
 */
#ifndef CASINO_PLAYER_H
#define CASINO_PLAYER_H

#include "postgres.h"

#include "server/event_time.h"

/* A player's row, locked until the end of the transaction. */
typedef struct PlayerState
{
	int64		player_id;
	int64		balance;		/* haléře */
	int64		last_entry_no;
	TimestampTz last_posted_at;
	/* live rounds only; 0 and DT_NOBEGIN: none */
	int64		last_round_id;
	TimestampTz sequence_started_at;
	int64		previous_round_id;	/* state before last_round_id was joined */
	TimestampTz previous_sequence_started_at;
	TimestampTz excluded_until; /* DT_NOBEGIN: never excluded */
	bool		limited;		/* has a row in casino.limit_state */
	bool		closed;			/* account closed */
} PlayerState;

extern void casino_player_lock(int64 player_id, PlayerState *player);	/* 23503, 40001 */
extern void casino_player_save(const PlayerState *player);

/* Takes the time of the player's next entry: KL005 unless it is on or after the last one. */
extern void casino_player_time(const PlayerState *player, EventTime *time);

/* Add to the balance (negative: take); KL002 with that hint below zero, 22003 on overflow. */
extern void casino_player_move(PlayerState *player, int64 change, const char *hint);

/* What to do when the balance does not pay for a stake */
#define CASINO_HINT_STAKE "Deposit more or stake less."

#endif							/* CASINO_PLAYER_H */
