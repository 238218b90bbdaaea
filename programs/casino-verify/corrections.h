/*
 * corrections.h
 *	  Results corrected after the evaluation: each version of a round graded
 *	  again, and held against the entries and claims that came of it (R11.40,
 *	  R12.15).
 *
 * A correction may come seals after its round.  The files are therefore read
 * twice: first for the rounds that are corrected, whose stakes are then kept.
 */
#ifndef CASINO_VERIFY_CORRECTIONS_H
#define CASINO_VERIFY_CORRECTIONS_H

#include "grading.h"

/* An entry of kind correction. */
typedef struct CorrectionEntry
{
	int64_t		player_id;
	int64_t		round_id;
	int64_t		stake_entry_no;
	int64_t		correction_no;
	int64_t		amount;
	int64_t		posted_at;
	Place		place;
} CorrectionEntry;

/* Which rounds does this file correct?  A pipe, which can be read once only, is left alone. */
extern void corrections_foresee(const char *file);

extern void corrections_seal(int64_t seal_no);
extern void corrections_gap(void);

/* A round that take_round() has read. */
extern void corrections_round(const CasinoLayout *layout, const CasinoValue *values);

extern void take_proposal(const CasinoLayout *layout, const CasinoValue *values);
extern void take_decision(const CasinoLayout *layout, const CasinoValue *values, Place place);
extern void take_version_hand(const CasinoLayout *layout, const CasinoValue *values, Place place);
extern void take_claim(const CasinoLayout *layout, const CasinoValue *values, Place place);
extern void take_claim_end(const CasinoLayout *layout, const CasinoValue *values, Place place);

/* False: its stake is in an export that was not given. */
extern bool corrections_entry(const CorrectionEntry *entry);

/* Wagers of one player in a corrected round that has ended; how many of them are graded. */
extern int	corrections_keep(Round *round, const Stake *all, int n);

/* A wager of the round is not decided. */
extern void corrections_wait(int64_t round_id);

extern void corrections_seal_end(void);

#endif							/* CASINO_VERIFY_CORRECTIONS_H */
