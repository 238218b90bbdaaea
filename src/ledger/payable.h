/*
 * payable.h
 *	  Can everything that a player could win be paid into his wallet?
 */
#ifndef CASINO_PAYABLE_H
#define CASINO_PAYABLE_H

#include "state/player.h"
#include "state/round.h"
#include "state/wagers.h"

/*
 * 22003 for stakes whose greatest payouts, with all other open ones, could
 * lift the wallet above the greatest amount.
 */
extern void casino_payable_check_stakes(const RoundState *round, const PlayerState *player,
										const Wager *placed, int nplaced,
										const Wager *added, int nadded);

/* 22003 for money in, likewise. */
extern void casino_payable_check_credit(const PlayerState *player, int64 amount);

#endif							/* CASINO_PAYABLE_H */
