/*
 * witness.h
 *	  Signed checkpoints of the log of seals: their signatures, and whether one
 *	  log is the beginning of another (R10.49).
 */
#ifndef CASINO_VERIFY_WITNESS_H
#define CASINO_VERIFY_WITNESS_H

/* Hold a signed checkpoint against keys, and against seal documents if there are (else NULL). */
extern int	witness_checkpoint(const char *note, const char *keys, const char *seals);

/* Hold an old and a new checkpoint against keys, and against the proof that the log only grew. */
extern int	witness_consistency(const char *old, const char *new, const char *proof, const char *keys);

#endif							/* CASINO_VERIFY_WITNESS_H */
