/*
 * ledger_row.h
 *	  Rows on their way into casino.ledger, checked and numbered by the caller.
 */
#ifndef CASINO_LEDGER_ROW_H
#define CASINO_LEDGER_ROW_H

#include "postgres.h"

#include "datatype/timestamp.h"
#include "state/tables.h"

typedef struct LedgerRow
{
	Datum		values[LEDGER_COLUMNS];
	bool		nulls[LEDGER_COLUMNS];
} LedgerRow;

/* A row of that kind at "at", recorded now by the caller; all else is NULL yet. */
extern void casino_ledger_row_init(LedgerRow *row, int64 player_id, const char *kind, TimestampTz at);

/* Fill in a column. */
extern void casino_ledger_row_set(LedgerRow *row, LedgerColumn column, Datum value);

/* The same where the value may be missing: NULL for an empty pointer, or for seat and hand 0. */
extern void casino_ledger_row_text(LedgerRow *row, LedgerColumn column, const char *text);
extern void casino_ledger_row_place(LedgerRow *row, int seat, int hand);

/* What a payout or refund has of the stake that it ends: its number and its place. */
extern void casino_ledger_row_of_stake(LedgerRow *row, int64 stake_entry_no, int seat, int hand);

/* Number, amount (haléře) and balance after the entry; memory is the current context's. */
extern void casino_ledger_row_book(LedgerRow *row, int64 entry_no, int64 amount, int64 balance);

/* Write rows between begin and end. */
typedef struct LedgerWriter
{
	Store		store;
} LedgerWriter;

extern void casino_ledger_write_begin(LedgerWriter *writer);
extern void casino_ledger_write(LedgerWriter *writer, const LedgerRow *row);
extern void casino_ledger_write_end(LedgerWriter *writer);

#endif							/* CASINO_LEDGER_ROW_H */
