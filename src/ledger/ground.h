/*
 * ground.h
 *	  Why a round is void or its winnings are withheld: a code from the list of
 *	  its game plan, or "other", with a text (R11.41).
 */
#ifndef CASINO_LEDGER_GROUND_H
#define CASINO_LEDGER_GROUND_H

#include "postgres.h"

#include "fmgr.h"

#include "state/round.h"

#define CASINO_GROUND_OTHER		"other"

typedef struct Ground
{
	const char *code;
	const char *reason;			/* NULL: the text of the plan */
} Ground;

/*
 * The arguments "reason" and "ground" of a call; without a ground, "other".
 * 22004, 22001, 22023 for a text that is missing where "other" needs one, too
 * long or blank.
 */
extern void casino_ground_argument(FunctionCallInfo fcinfo, int reason, int ground, const char *what,
								   Ground *found);

/*
 * The same of a withholding at the settlement: "withheld at the settlement"
 * where "other" comes without a reason.
 */
extern void casino_withholding_argument(FunctionCallInfo fcinfo, int reason, int ground, Ground *found);

/* 22023 unless the plan of the round lists the ground; its text where none was given. */
extern void casino_ground_of_plan(const RoundState *round, Ground *ground);

/* Was the round voided on that ground? */
extern bool casino_void_ground_is(int64 round_id, const char *code);

#endif							/* CASINO_LEDGER_GROUND_H */
