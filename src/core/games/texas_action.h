/*
 * texas_action.h
 *	  What a player does at a Texas Hold'em table, and the names of it (D2 Texas
 *	  Holdem, Preflop to River).
 */
#ifndef CASINO_TEXAS_ACTION_H
#define CASINO_TEXAS_ACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum CasinoStreet
{
	CASINO_PREFLOP, CASINO_FLOP, CASINO_TURN, CASINO_RIVER,

	CASINO_STREET_END
} CasinoStreet;

typedef enum CasinoActionKind
{
	CASINO_ACTION_NONE,
	CASINO_ACTION_SMALL_BLIND,
	CASINO_ACTION_BIG_BLIND,
	CASINO_ACTION_FOLD,
	CASINO_ACTION_CHECK,
	CASINO_ACTION_CALL,
	CASINO_ACTION_BET,
	CASINO_ACTION_RAISE,
	CASINO_ACTION_ALL_IN,		/* a call, bet or raise with all the seat has */

	CASINO_ACTION_END
} CasinoActionKind;

typedef struct CasinoAction
{
	int			seat;			/* 1 to 10 */
	CasinoStreet street;
	CasinoActionKind kind;
	int64_t		to;				/* haléře; needed by bet, raise, all_in; may be 0 with a blind in full and
								 * with a call; 0 with fold and check */
	bool		all_in;			/* of a blind, call, bet or raise: it was all the seat had (a short blind
								 * always is) */
} CasinoAction;

/* "fold", "all_in", "small_blind" ...; NULL or 0 for what is none. */
extern const char *casino_action_name(CasinoActionKind kind);
extern CasinoActionKind casino_action_lookup(const char *name, size_t len);

/* "preflop", "flop", "turn", "river"; NULL, or CASINO_STREET_END, for what is none. */
extern const char *casino_street_name(CasinoStreet street);
extern CasinoStreet casino_street_lookup(const char *name, size_t len);

#endif							/* CASINO_TEXAS_ACTION_H */
