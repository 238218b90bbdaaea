/*
 * recorder.h
 *	  The caller's number in casino.recorder, which every entry and act keeps.
 */
#ifndef CASINO_RECORDER_H
#define CASINO_RECORDER_H

#include "postgres.h"

/* Module load: what forgets a number whose row may be gone. */
extern void casino_recorder_init(void);

/* Number of the caller, his login and casino.actor in casino.recorder. */
extern int32 casino_recorder(void);

#endif							/* CASINO_RECORDER_H */
