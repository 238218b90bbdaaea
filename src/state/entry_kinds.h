/*
 * entry_kinds.h
 *	  The accounting of the ledger: kinds of entries with their accounts.
 */
#ifndef CASINO_ENTRY_KINDS_H
#define CASINO_ENTRY_KINDS_H

typedef struct EntryKind
{
	const char *kind;
	const char *debit_account;
	const char *credit_account;
	int			wallet_sign;	/* of the amount, in the player's wallet */
	const char *meaning;
} EntryKind;

/* NULL when there is none */
extern const EntryKind *casino_entry_kind(const char *kind);

#endif							/* CASINO_ENTRY_KINDS_H */
