/*
 * withdrawals.h
 *	  Money out: rules of the ledger's withdrawal entries (D4 §11.2, R7.36).
 */
#ifndef CASINO_WITHDRAWALS_H
#define CASINO_WITHDRAWALS_H

#include "state/player.h"

/*
 * Of a request of that method and haléře: KC006 for a transfer without a
 * registered account, KC003 for more cash than can ever be paid (R7.40).
 */
extern void casino_withdrawal_check_request(const PlayerState *player, const char *method, int64 amount,
											TimestampTz at);

/*
 * Number of a withdrawal outside: the player's number and the entry's, as casino.withdrawal_id() has
 * them; 22003
 */
extern int64 casino_withdrawal_id(int64 player_id, int64 entry_no);

/* An open withdrawal: its amount, method and time; KL004 when there is none. */
typedef struct OpenWithdrawal
{
	int64		amount;			/* haléře */
	char	   *method;
	TimestampTz requested_at;
} OpenWithdrawal;

extern void casino_withdrawal_load(int64 player_id, int64 entry_no, OpenWithdrawal *withdrawal);

/* KC003 when this cash and that of the hours before are above the figures in force (R7.34, R7.80). */
extern void casino_withdrawal_check_cash(const PlayerState *player, int64 amount, TimestampTz at);

/*
 * Account that the transfer goes to, palloc'ed.  KC006 without one, and when
 * it is so new that another role must have approved the withdrawal.
 */
extern char *casino_withdrawal_account_to_pay(const PlayerState *player, int64 entry_no,
											  const OpenWithdrawal *withdrawal, TimestampTz at);

/*
 * R12.150: its end is not dated before its last approval.  A time that was not
 * given moves there (R12.7); false: the time given is earlier, or the clock is
 * behind by more than casino.clock_skew.
 */
extern bool casino_withdrawal_reach_approval(int64 player_id, int64 entry_no, EventTime *time);

/* KL005 */
extern void casino_withdrawal_before_approval(int64 player_id, int64 entry_no, const EventTime *time);

/* Keep the list of open withdrawals. */
extern void casino_withdrawal_opened(int64 player_id, int64 entry_no);
extern void casino_withdrawal_ended(int64 player_id, int64 entry_no);

/*
 * Record as a breach of the withdrawal that it ends after its 60th day; "ended" is the detail's name of
 * the time.
 */
extern void casino_withdrawal_record_late(int64 player_id, int64 entry_no, const OpenWithdrawal *withdrawal,
										  const char *ended, TimestampTz at);

#endif							/* CASINO_WITHDRAWALS_H */
