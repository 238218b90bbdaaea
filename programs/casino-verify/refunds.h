/*
 * refunds.h
 *	  Is the reason of a refund true (R7.66, R7.69)?
 */
#ifndef CASINO_VERIFY_REFUNDS_H
#define CASINO_VERIFY_REFUNDS_H

#include "grading.h"

/* Rows of these sections. */
extern void take_exclusion(const CasinoLayout *layout, const CasinoValue *values);
extern void take_exclusion_end(const CasinoLayout *layout, const CasinoValue *values);
extern void take_disconnection(const CasinoLayout *layout, const CasinoValue *values);
extern void take_breach(const CasinoLayout *layout, const CasinoValue *values);
extern void take_correction(const CasinoLayout *layout, const CasinoValue *values);

/* A main bet that went back: with it, bets behind of other players. */
extern void take_main_returned(const Stake *stake);

/* One player's stakes of a round that has ended. */
extern void check_refunds(const Round *round, const Stake *all, int n);

/* All players of a seal have been read. */
extern void refunds_seal_end(void);

/* Seals before it were not exported: who was excluded then is not known. */
extern void refunds_gap(void);

#endif							/* CASINO_VERIFY_REFUNDS_H */
