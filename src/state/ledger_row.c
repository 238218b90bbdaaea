/*
 * ledger_row.c
 *	  Rows on their way into casino.ledger.
 */
#include "state/ledger_row.h"

#include "access/xact.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "server/recorder.h"

void
casino_ledger_row_set(LedgerRow *row, LedgerColumn column, Datum value)
{
	row->values[column] = value;
	row->nulls[column] = false;
}

void
casino_ledger_row_text(LedgerRow *row, LedgerColumn column, const char *text)
{
	row->nulls[column] = text == NULL;
	row->values[column] = text ? CStringGetTextDatum(text) : (Datum) 0;
}

void
casino_ledger_row_place(LedgerRow *row, int seat, int hand)
{
	row->values[LEDGER_SEAT] = Int32GetDatum(seat);
	row->nulls[LEDGER_SEAT] = seat == 0;
	row->values[LEDGER_HAND] = Int32GetDatum(hand);
	row->nulls[LEDGER_HAND] = hand == 0;
}

void
casino_ledger_row_of_stake(LedgerRow *row, int64 stake_entry_no, int seat, int hand)
{
	casino_ledger_row_set(row, LEDGER_STAKE_ENTRY_NO, Int64GetDatum(stake_entry_no));
	casino_ledger_row_place(row, seat, hand);
}

void
casino_ledger_row_init(LedgerRow *row, int64 player_id, const char *kind, TimestampTz at)
{
	memset(row->values, 0, sizeof(row->values));
	memset(row->nulls, true, sizeof(row->nulls));
	casino_ledger_row_set(row, LEDGER_PLAYER_ID, Int64GetDatum(player_id));
	casino_ledger_row_text(row, LEDGER_KIND, kind);
	casino_ledger_row_set(row, LEDGER_POSTED_AT, TimestampTzGetDatum(at));
	casino_ledger_row_set(row, LEDGER_RECORDED_AT, TimestampTzGetDatum(GetCurrentTimestamp()));
	casino_ledger_row_set(row, LEDGER_RECORDED_BY, Int32GetDatum(casino_recorder()));
}

void
casino_ledger_row_book(LedgerRow *row, int64 entry_no, int64 amount, int64 balance)
{
	casino_ledger_row_set(row, LEDGER_ENTRY_NO, Int64GetDatum(entry_no));
	casino_ledger_row_set(row, LEDGER_AMOUNT, NumericGetDatum(casino_halere_to_numeric(amount)));
	casino_ledger_row_set(row, LEDGER_BALANCE, NumericGetDatum(casino_halere_to_numeric(balance)));
}

void
casino_ledger_write_begin(LedgerWriter *writer)
{
	casino_store_open(&casino_ledger_table, &writer->store, RowExclusiveLock);
}

void
casino_ledger_write(LedgerWriter *writer, const LedgerRow *row)
{
	casino_store_insert(&writer->store, row->values, row->nulls);
}

void
casino_ledger_write_end(LedgerWriter *writer)
{
	casino_store_close(&writer->store);
	CommandCounterIncrement();
}
