/*
 * refunds.h
 *	  Is what the reason of a refund says so (R7.66)?
 */
#ifndef CASINO_VERIFY_REFUNDS_H
#define CASINO_VERIFY_REFUNDS_H

#include "grading.h"

/* Rows of these sections. */
extern void take_exclusion(const CasinoLayout *layout, const CasinoValue *values);
extern void take_breach(const CasinoLayout *layout, const CasinoValue *values);
extern void take_correction(const CasinoLayout *layout, const CasinoValue *values);

/* One player's stakes of a round that has ended. */
extern void check_refunds(const Round *round, const Stake *all, int n);

/* Seals before it were not exported: who was excluded then is not known. */
extern void refunds_gap(void);

#endif							/* CASINO_VERIFY_REFUNDS_H */
