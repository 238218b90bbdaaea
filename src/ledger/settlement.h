/*
 * settlement.h
 *	  What the functions that end a round, or what it still owes, share.
 */
#ifndef CASINO_SETTLEMENT_H
#define CASINO_SETTLEMENT_H

#include "postgres.h"

#include "server/event_time.h"
#include "server/run_as_owner.h"
#include "state/round.h"

#include "games/outcome.h"
#include "ledger/payouts.h"

/* Take on the identity of the ledger's owner, lock the round exclusively and load it. */
extern void casino_settlement_begin(RunAsOwner *as_owner, int64 round_id, RoundState *round);

/* of casino.settlement */
#define SETTLEMENT_COLUMNS	8

/* A casino.settlement of these; leaves that identity. */
extern Datum casino_settlement_row(FunctionCallInfo fcinfo, const RunAsOwner *as_owner, Datum *values,
								   bool *nulls);

/* The round's row as a casino.settlement; leaves that identity. */
extern Datum casino_settlement_datum(FunctionCallInfo fcinfo, const RunAsOwner *as_owner, int64 round_id);

/* KR002 with that detail */
extern void casino_settlement_refuse(const RoundState *round, const char *detail);

/* How the round ended, for the DETAIL of KR002. */
extern char *casino_settlement_end(const RoundState *round);

/*
 * Reads the outcome.  Was the round settled with it?  KR002 when it was with
 * another, or voided.
 */
extern bool casino_settlement_is_so(const RoundState *round, const Jsonb *document, Outcome *outcome);

/*
 * KL005 for an evaluation dated before what it evaluates (R12.8).  Returns
 * whether stakes of an open round are dated later, which go back (R11.8).
 */
extern bool casino_settlement_check_time(const RoundState *round, EventTime *time);

/*
 * KR002 in a cell where a wager could still come between the check of all cells and the settlement
 * (R13.11).
 */
extern void casino_settlement_check_final(const RoundState *round, const EventTime *time);

/*
 * Lock the players who have stakes in the round, in the order of their numbers; 40001 when the snapshot
 * misses some.
 */
extern void casino_settlement_lock_players(int64 round_id);

/* Record where hands of absent players were played otherwise than the plan says (R3.21). */
extern void casino_settlement_record_no_action(const RoundState *round, TimestampTz at);

/*
 * Load the wagers of an evaluated round with what they get: graded and reckoned
 * by the outcome that stands with the round, as they were when it was settled.
 */
extern void casino_settlement_reckon(const RoundState *round, RoundWagers *wagers);

/* Return the stakes of the round, or of one player (0: of all), that were neither returned nor paid. */
extern void casino_settlement_refund(int64 round_id, int64 player_id, TimestampTz at, RoundFigures *figures);

#endif							/* CASINO_SETTLEMENT_H */
