/*
 * duties.h
 *	  Duties of the operator: the days that count, and what an evaluation asks
 *	  for, set-based.
 */
#ifndef CASINO_DUTIES_H
#define CASINO_DUTIES_H

#include "state/ledger.h"

/* Day and first day of the month in Europe/Prague, dates: what casino.prague_day() and casino.prague_month() give. */
extern void casino_prague_day(TimestampTz at, Datum *day, Datum *month);

/* Net losses and open stakes of the round's players who have set limits. */
extern void casino_duties_count_evaluation(const RoundState *round, TimestampTz at);

/* The same when the round is voided; "round" is its state before. */
extern void casino_duties_count_void(const RoundState *round);

/* A live round voided before betting closed: nobody took part (D4 §8). */
extern void casino_duties_undo_participation(int64 round_id);

/* Payouts after the 30th day are breaches (D4 §11.1, R7.33): those posted at "at", or one. */
extern void casino_duties_record_late_payouts(int64 round_id, TimestampTz at);
extern void casino_duties_record_late_payout(int64 round_id, int64 player_id, int64 stake_entry_no,
											 int64 amount, TimestampTz at);

/*
 * The wagers of an evaluated round, or of one player (0: of all), are about to
 * be voided: what was due and not paid is a breach; what was lost is no loss.
 */
extern void casino_duties_record_late_voids(const RoundState *round, int64 player_id, TimestampTz at);
extern void casino_duties_count_late_void(const RoundState *round, int64 player_id);

#endif							/* CASINO_DUTIES_H */
