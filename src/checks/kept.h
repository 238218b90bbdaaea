/*
 * kept.h
 *	  What a step of a run keeps for the next ones.
 */
#ifndef CASINO_KEPT_H
#define CASINO_KEPT_H

#include "postgres.h"

typedef enum KeptSlot
{
	KEPT_SUSPECTS, KEPT_FINDINGS, KEPT_SLOTS
} KeptSlot;

/* What is kept: the values and their memory; without a context nothing is kept. */
typedef struct Kept
{
	MemoryContext context;
	struct varlena *values[KEPT_SLOTS];
} Kept;

/*
 * Begin a run: keep values from now on, none of them yet.  The values of a run
 * around this one go to *outer.
 */
extern void casino_kept_begin(Kept *outer);

/* End a run, also after an error: forget its values, go on with those of *outer. */
extern void casino_kept_end(const Kept *outer);

#endif							/* CASINO_KEPT_H */
