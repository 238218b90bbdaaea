/*
 * entry.h
 *	  One row on its way into casino.ledger, and the rules of its kind.
 */
#ifndef CASINO_ENTRY_H
#define CASINO_ENTRY_H

#include "postgres.h"

#include "casino.h"
#include "server/event_time.h"
#include "state/player.h"

/* Columns of casino.ledger as the client gave them. */
typedef struct Entry
{
	bool		has_player_id,
				has_entry_no,
				has_amount,
				has_round_id,
				has_bet,
				has_seat,
				has_hand,
				has_stake_entry_no,
				has_request_line;
	int64		player_id;
	int64		entry_no;
	char	   *kind;
	int64		amount;			/* haléře */
	int64		round_id;
	CasinoBet	bet;
	int			seat;
	int			hand;
	int64		stake_entry_no;
	char	   *grade;			/* NULL: none */
	text	   *request_id;		/* NULL: none */
	int			request_line;
	char	   *reason;			/* NULL: none */
	char	   *method;			/* NULL: none */
	bool		has_withdrawal_entry_no;
	int64		withdrawal_entry_no;
	char	   *account;		/* NULL: none */
	char	   *reference;		/* once booked its token; NULL: none */
	char	   *place;			/* NULL: none */
	EventTime	time;			/* of posted_at */
} Entry;

/* Does the row say what its kind asks for, and no more?  22004, 22003, 22023, 23514. */
extern void casino_entry_check(const Entry *entry);

/*
 * Judge an entry by the rules of its kind: changes the player's state and fills
 * in what the rules give (amount, round, seat, grade ...).
 */
extern void casino_entry_post(Entry *entry, PlayerState *player);

/*
 * The locks of an entry, in the order of locks: round (shared; 0: none), box
 * (seat 0: none), player.
 */
extern void casino_entry_take_locks(int64 round_id, int seat, int64 player_id, PlayerState *player);

/* Check the row itself, 22001 for texts too long, and take the locks that it needs. */
extern void casino_entry_lock(const Entry *entry, PlayerState *player);

/* Under these locks: judge the entry, number it and bring the player's row up to date. */
extern void casino_entry_book(Entry *entry, PlayerState *player);

#endif							/* CASINO_ENTRY_H */
