/*
 * refunds.h
 *	  Stakes that go back, with what cannot stand without them.
 */
#ifndef CASINO_REFUNDS_H
#define CASINO_REFUNDS_H

#include "server/numbers.h"
#include "state/player.h"
#include "state/round.h"
#include "state/wagers.h"

/*
 * Players whose stakes may go back together, all locked in the order of their
 * numbers, and then the counters of those who have set limits.
 */
typedef struct Company
{
	int			n;
	PlayerState *players;		/* by ascending number */
} Company;

/* Locks them; they may come in any order and more than once, and are sorted. */
extern void casino_company_lock(Numbers players, Company *company);

extern PlayerState *casino_company_player(const Company *company, int64 player_id);

/*
 * Return the wagers marked in "gone" and, while betting is open, whatever of
 * the player's cannot stand without them: side bets that lose their main wager,
 * chips left below the minimum of their position (R3.44, R11.3).  Dated
 * "at", or with the player's last entry if that is later (R12.9).  Gives the refunds'
 * entry numbers.
 */
extern int64 *casino_return_wagers(PlayerState *player, const RoundState *round, const Wager *wagers, int n,
								   bool *gone, TimestampTz at, const char *reason, int *count);

/* Return the company's bets behind boxes on which no main bet is left; gives how many. */
extern int	casino_return_behind(const Company *company, const RoundState *round, TimestampTz at,
								 const char *reason);

#endif							/* CASINO_REFUNDS_H */
