/*
 * register_check.h
 *	  Was the register of excluded persons asked before a stake (D4 §6.2)?
 */
#ifndef CASINO_REGISTER_CHECK_H
#define CASINO_REGISTER_CHECK_H

#include "postgres.h"

#include "datatype/timestamp.h"

/* KC004 without the clear answer of the register that the figure register_check asks for (R7.76). */
extern void casino_register_check(int64 player_id, TimestampTz at);

#endif							/* CASINO_REGISTER_CHECK_H */
