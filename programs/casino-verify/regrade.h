/*
 * regrade.h
 *	  Every wager graded again, from the exported plans, cards and stakes, by
 *	  the same pure core that the server has.
 *
 * Memory is what the rounds of a day and the open stakes need, and one
 * player's entries at a time; not the entries of the day.
 */
#ifndef CASINO_REGRADE_H
#define CASINO_REGRADE_H

#include "core/evidence/leaf.h"
#include "verify.h"

/* A seal begins. */
extern void regrade_seal(int64_t seal_no);

/* Seals before it were not exported: what was open and the plans until now tell nothing any more. */
extern void regrade_gap(void);

/* A row of any section, in the order of the export. */
extern void regrade_row(const CasinoLayout *layout, const CasinoValue *values, Place place);

/* The entries of a player are over; those of a seal are. */
extern void regrade_player_end(void);
extern void regrade_seal_end(void);

/* Wagers graded, and those that could not be: stakes or plans are in exports that were not given. */
extern int64_t regrade_count(int64_t *unknown, int64_t *open);

#endif							/* CASINO_REGRADE_H */
