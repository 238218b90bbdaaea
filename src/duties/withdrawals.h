/*
 * withdrawals.h
 *	  Money out: rules of the ledger's withdrawal entries (D4 §11.2).
 */
#ifndef CASINO_WITHDRAWALS_H
#define CASINO_WITHDRAWALS_H

#include "state/ledger.h"

/* Of a request of that method: KC006 for a transfer without a registered account. */
extern void casino_withdrawal_check_request(const PlayerState *player, const char *method);

/* An open withdrawal: its amount, method and time; KL004 when there is none. */
typedef struct OpenWithdrawal
{
	int64		amount;			/* haléře */
	char	   *method;
	TimestampTz requested_at;
} OpenWithdrawal;

extern void casino_withdrawal_load(int64 player_id, int64 entry_no, OpenWithdrawal *withdrawal);

/* KC003 when this cash and that of the last 24 hours are more than 10 000 CZK. */
extern void casino_withdrawal_check_cash(const PlayerState *player, int64 amount, TimestampTz at);

/* Account a transfer goes to, palloc'ed; KC006 without one. */
extern char *casino_withdrawal_account(const PlayerState *player);

/* Keep the list of open withdrawals. */
extern void casino_withdrawal_opened(int64 player_id, int64 entry_no);
extern void casino_withdrawal_ended(int64 player_id, int64 entry_no);

/* Record a payment after the 60th day as a breach. */
extern void casino_withdrawal_record_late(int64 player_id, int64 entry_no,
										  const OpenWithdrawal *withdrawal, TimestampTz at);

#endif							/* CASINO_WITHDRAWALS_H */
