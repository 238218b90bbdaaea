/*
 * duties.h
 *	  What the operator owes by law, as far as the ledger asks: at a stake, when
 *	  stakes go back, when a round ends.
 *
 * Each duty is a file of its own with a struct Duty (duty.h); this is how the
 * ledger asks them all, in the order of the list in duties.c.
 */
#ifndef CASINO_DUTIES_H
#define CASINO_DUTIES_H

#include "postgres.h"

#include "server/event_time.h"
#include "state/player.h"
#include "state/round.h"
#include "state/round_wagers.h"
#include "state/wagers.h"

/* KC004 while the player is excluded, 55000 once his account is closed: he may neither stake nor pay in. */
extern void casino_duties_check_admitted(const PlayerState *player, TimestampTz at);

/*
 * Check a stake of "cost" haléře into the round and note it in the player's
 * state: KC001, KC002, KC005.  "joined" says that he has a stake in the round
 * already.  A time that was not given is moved past the evaluation that the
 * stake is judged by.
 */
extern void casino_duties_check_stake(PlayerState *player, const RoundState *round,
									  bool joined, int64 cost, EventTime *time);

/*
 * Stakes returned before betting closed were never placed: undo what they
 * noted.  "wagers" are all that he has in the round.
 */
extern void casino_duties_undo_stakes(PlayerState *player, int64 round_id,
									  const Wager *wagers, int n, const bool *returned);

/*
 * The round has been evaluated; its lock is held, the winners' rows may be.
 * "wagers" are all that stood, graded, with what they get.
 */
extern void casino_duties_evaluated(const RoundState *round, const RoundWagers *wagers, TimestampTz at);

/* The round is voided without evaluation; "round" is its state before, its players are locked. */
extern void casino_duties_voided(const RoundState *round);

/*
 * The wagers of an evaluated round, or of one player (0: of all), are about to
 * be voided.
 */
extern void casino_duties_voided_late(const RoundState *round, int64 player_id, TimestampTz at);

/* Winnings that were withheld have been paid (R7.33): all that were posted at "at", or one by hand. */
extern void casino_duties_paid_late(int64 round_id, TimestampTz at);
extern void casino_duties_paid_one(int64 round_id, int64 player_id, int64 stake_entry_no, int64 amount,
								   TimestampTz at);

#endif							/* CASINO_DUTIES_H */
