/*
 * ledger_row.c
 *	  Rows on their way into casino.ledger.
 */
#include "state/ledger_row.h"

#include "access/xact.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "server/posting.h"
#include "server/query.h"
#include "server/recorder.h"

/* all columns, in the order of LedgerColumn */
static PreparedQuery insert_row = {
	.sql = "INSERT INTO casino.ledger (player_id, entry_no, kind, amount, round_id, bet, seat, hand, stake_entry_no,"
	"                           grade, request_id, request_line, reason, method, withdrawal_entry_no, account,"
	"                           reference, place, balance, posted_at, recorded_at, recorded_by, correction_no)"
	" VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)",
	.args = {ARG_INT8, ARG_INT8, ARG_TEXT, ARG_NUMERIC, ARG_INT8, ARG_BET, ARG_INT4, ARG_INT4, ARG_INT8,
		ARG_TEXT, ARG_TEXT, ARG_INT4, ARG_TEXT, ARG_TEXT, ARG_INT8, ARG_TEXT,
	ARG_TEXT, ARG_TEXT, ARG_NUMERIC, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ, ARG_INT4, ARG_INT8}
};

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
	writer->by_store = casino_store_open(&casino_ledger_table, &writer->store, RowExclusiveLock);
}

void
casino_ledger_write(LedgerWriter *writer, const LedgerRow *row)
{
	char		nulls[LEDGER_COLUMNS];

	if (writer->by_store)
	{
		casino_store_insert(&writer->store, row->values, row->nulls);
		return;
	}
	for (int i = 0; i < LEDGER_COLUMNS; i++)
		nulls[i] = row->nulls[i] ? 'n' : ' ';
	casino_execute_posting(&insert_row, (Datum *) row->values, nulls);
}

void
casino_ledger_write_end(LedgerWriter *writer)
{
	if (!writer->by_store)
		return;
	casino_store_close(&writer->store);
	CommandCounterIncrement();
}
