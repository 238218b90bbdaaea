/*
 * kept.h
 *	  What a step of a run keeps for the next ones.
 */
#ifndef CASINO_KEPT_H
#define CASINO_KEPT_H

/* A run of this session begins, or is over: nothing is kept. */
extern void casino_kept_reset(bool running);

#endif							/* CASINO_KEPT_H */
