/*
 * entry_kinds.c
 *	  The accounting of the ledger, in one place, read through entry_kinds().
 *
 * player_wallets is what the operator owes its players; games is the house's
 * result; payable what was asked for and not yet paid.  A positive amount is
 * debited to one account and credited to the other, so every entry balances.
 */
#include "postgres.h"

#include "funcapi.h"
#include "utils/builtins.h"

typedef struct EntryKind
{
	const char *kind;
	const char *debit_account;
	const char *credit_account;
	int			wallet_sign;	/* of the amount, in the player's wallet */
	const char *meaning;
} EntryKind;

static const EntryKind entry_kinds[] = {
	{"deposit", "cash_and_bank", "player_wallets", 1, "money in"},
	{"stake", "player_wallets", "games", -1, "a wager, taken when it is placed"},
	{"payout", "games", "player_wallets", 1, "stake and profit of a wager that gets something back"},
	{"refund", "games", "player_wallets", 1,
	"a stake returned: cancelled, disconnected, late, excluded or voided"},
	{"withdrawal", "player_wallets", "withdrawals_payable", -1, "money asked for, taken at the request"},
	{"withdrawal_cancelled", "withdrawals_payable", "player_wallets", 1, "a request taken back"},
	{"cash_paid", "withdrawals_payable", "cash_and_bank", 0, "a withdrawal paid in cash"},
	{"transfer_paid", "withdrawals_payable", "cash_and_bank", 0, "a withdrawal paid to the payment account"},
	{"correction", "games", "player_wallets", 1,
	"what another result of an evaluated round gives a wager more; negative takes"},
	{"adjustment", "adjustments", "player_wallets", 1, "a correction with its reason; negative takes"},
};

/* entry_kinds(): the table above as rows. */
PG_FUNCTION_INFO_V1(casino_sql_entry_kinds);
Datum
casino_sql_entry_kinds(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < (int) lengthof(entry_kinds); i++)
	{
		Datum		values[5];
		bool		nulls[5] = {false};

		values[0] = CStringGetTextDatum(entry_kinds[i].kind);
		values[1] = CStringGetTextDatum(entry_kinds[i].debit_account);
		values[2] = CStringGetTextDatum(entry_kinds[i].credit_account);
		values[3] = Int32GetDatum(entry_kinds[i].wallet_sign);
		values[4] = CStringGetTextDatum(entry_kinds[i].meaning);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}
