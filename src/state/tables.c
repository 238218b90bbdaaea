/*
 * tables.c
 *	  The hot tables as the store knows them.
 */
#include "state/tables.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/namespace.h"
#include "fmgr.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "state/put_away.h"

static const StoreColumn ledger_columns[] = {
	{"player_id", ARG_INT8},
	{"entry_no", ARG_INT8},
	{"kind", ARG_TEXT},
	{"amount", ARG_NUMERIC},
	{"round_id", ARG_INT8},
	{"bet", ARG_BET},
	{"seat", ARG_INT4},
	{"hand", ARG_INT4},
	{"stake_entry_no", ARG_INT8},
	{"grade", ARG_TEXT},
	{"request_id", ARG_TEXT},
	{"request_line", ARG_INT4},
	{"reason", ARG_TEXT},
	{"method", ARG_TEXT},
	{"withdrawal_entry_no", ARG_INT8},
	{"account", ARG_TEXT},
	{"reference", ARG_TEXT},
	{"place", ARG_TEXT},
	{"balance", ARG_NUMERIC},
	{"posted_at", ARG_TIMESTAMPTZ},
	{"recorded_at", ARG_TIMESTAMPTZ},
	{"recorded_by", ARG_INT4},
	{"correction_no", ARG_INT8},
	{"book", ARG_INT4},
	{NULL}
};

static const char *const ledger_triggers[] = {
	"ledger_post", "append_only", "append_only_statement", NULL
};

static const char *const ledger_checks[] = {
	"ledger_kind_check", "ledger_method_check", "ledger_text_bounds", NULL
};

static const StoreColumn player_columns[] = {
	{"player_id", ARG_INT8},
	{"external_ref", ARG_TEXT},
	{"registered_at", ARG_TIMESTAMPTZ},
	{"balance", ARG_NUMERIC},
	{"last_entry_no", ARG_INT8},
	{"last_posted_at", ARG_TIMESTAMPTZ},
	{"last_round_id", ARG_INT8},
	{"sequence_started_at", ARG_TIMESTAMPTZ},
	{"previous_round_id", ARG_INT8},
	{"previous_sequence_started_at", ARG_TIMESTAMPTZ},
	{"excluded_until", ARG_TIMESTAMPTZ},
	{"limited", ARG_BOOL},
	{"closed_at", ARG_TIMESTAMPTZ},
	{"registered_by", ARG_INT4},
	{"closed_by", ARG_INT4},
	{NULL}
};

/* record_who and player_cell look at who registered and closed the account and at its number only */
static const char *const player_triggers[] = {"player_guard", "record_who", "player_cell", NULL};

/* the store changes neither the person nor the sign of a balance */
static const char *const player_checks[] = {
	"player_balance_check", "player_external_ref_fkey", NULL
};

static const StoreColumn limit_state_columns[] = {
	{"player_id", ARG_INT8},
	{"day", ARG_DATE},
	{"staked_day", ARG_NUMERIC},
	{"lost_day", ARG_NUMERIC},
	{"month", ARG_DATE},
	{"staked_month", ARG_NUMERIC},
	{"lost_month", ARG_NUMERIC},
	{"open_staked", ARG_NUMERIC},
	{"limit_stake_day", ARG_NUMERIC},
	{"limit_stake_day_next", ARG_NUMERIC},
	{"limit_stake_day_from", ARG_TIMESTAMPTZ},
	{"limit_stake_month", ARG_NUMERIC},
	{"limit_stake_month_next", ARG_NUMERIC},
	{"limit_stake_month_from", ARG_TIMESTAMPTZ},
	{"limit_net_loss_day", ARG_NUMERIC},
	{"limit_net_loss_day_next", ARG_NUMERIC},
	{"limit_net_loss_day_from", ARG_TIMESTAMPTZ},
	{"limit_net_loss_month", ARG_NUMERIC},
	{"limit_net_loss_month_next", ARG_NUMERIC},
	{"limit_net_loss_month_from", ARG_TIMESTAMPTZ},
	{NULL}
};

static const char *const limit_state_triggers[] = {"no_truncate", NULL};

StaticAssertDecl(lengthof(limit_state_columns) == LIMIT_STATE_COLUMNS + 1, "columns of casino.limit_state");

/* not all: rounds are only read here */
static const StoreColumn round_columns[] = {
	{"round_id", ARG_INT8},
	{"table_id", ARG_INT8},
	{"table_version", ARG_INT4},
	{"plan_id", ARG_INT8},
	{"status", ARG_TEXT},
	{"opened_at", ARG_TIMESTAMPTZ},
	{"betting_until", ARG_TIMESTAMPTZ},
	{"betting_closed_at", ARG_TIMESTAMPTZ},
	{"actions_closed_at", ARG_TIMESTAMPTZ},
	{"evaluated_at", ARG_TIMESTAMPTZ},
	{"withheld_paid_at", ARG_TIMESTAMPTZ},
	{"outcome", ARG_JSONB},
	{"void_reason", ARG_TEXT},
	{NULL}
};

StaticAssertDecl(lengthof(round_columns) == ROUND_COLUMNS + 1, "columns of casino.round");

static const StoreColumn cancelled_request_columns[] = {
	{"player_id", ARG_INT8},
	{"request_id", ARG_TEXT},
	{"round_id", ARG_INT8},
	{"cancelled_at", ARG_TIMESTAMPTZ},
	{NULL}
};

StaticAssertDecl(lengthof(cancelled_request_columns) == CANCELLED_COLUMNS + 1,
				 "columns of casino.cancelled_request");

static const StoreColumn other_play_columns[] = {
	{"player_id", ARG_INT8},
	{"request_id", ARG_TEXT},
	{"play_no", ARG_INT8},
	{"product", ARG_TEXT},
	{"staked", ARG_NUMERIC},
	{"result", ARG_NUMERIC},
	{NULL}
};

StaticAssertDecl(lengthof(other_play_columns) == OTHER_PLAY_COLUMNS + 1, "columns of casino.other_play");

StaticAssertDecl(lengthof(ledger_columns) == LEDGER_COLUMNS + 1, "columns of casino.ledger");
StaticAssertDecl(lengthof(player_columns) == PLAYER_COLUMNS + 1, "columns of casino.player");

PG_FUNCTION_INFO_V1(casino_sql_store_in_use);
PG_FUNCTION_INFO_V1(casino_sql_last_book_away);
PG_FUNCTION_INFO_V1(casino_sql_last_book_forgotten);

/* When the book was opened, DT_NOEND: not known. */
static TimestampTz
opened_at(int32 book)
{
	Oid			schema = get_namespace_oid("casino", false);
	Oid			relid = get_relname_relid("book_turn", schema);
	Oid			index = get_relname_relid("book_turn_pkey", schema);
	TimestampTz at = DT_NOEND;
	Relation	turns;
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	row;
	bool		isnull;

	/* a restore may have made the ledger first */
	if (!OidIsValid(relid))
		return at;
	turns = table_open(relid, AccessShareLock);
	/* the index is not of the catalog: its first column is the book */
	ScanKeyInit(&key, get_attnum(relid, "book"), BTEqualStrategyNumber, F_INT4EQ, Int32GetDatum(book));
	scan = systable_beginscan(turns, index, OidIsValid(index), NULL, 1, &key);
	row = systable_getnext(scan);
	if (HeapTupleIsValid(row))
		at = DatumGetTimestampTz(heap_getattr(row, get_attnum(relid, "recorded_at"), RelationGetDescr(turns),
											  &isnull));
	systable_endscan(scan);
	table_close(turns, AccessShareLock);
	return at;
}

StoreTable	casino_ledger_table = {
	.name = "ledger",
	.row = "ledger of player",
	.by_books = true,
	.ask_away = casino_away_judge_scan,
	.opened_at = opened_at,
	.columns = ledger_columns,
	.triggers = ledger_triggers,
	.checks = ledger_checks,
	.indexes = {
		[LEDGER_BY_ENTRY] = {"ledger_pkey", 2, {"player_id", "entry_no"}},
		[LEDGER_BY_REQUEST] = {"ledger_request", 3, {"player_id", "request_id", "request_line"},
		"(request_id IS NOT NULL)", .forgetful = true},
		[LEDGER_BY_STAKE] = {"ledger_stake_entry_no", 2, {"player_id", "stake_entry_no"},
		"(stake_entry_no IS NOT NULL)"},
		[LEDGER_BY_ROUND] = {"ledger_round", 4, {"round_id", "kind", "player_id", "entry_no"},
		"(kind = ANY (ARRAY['stake'::text, 'refund'::text, 'adjustment'::text, 'correction'::text]))",
		.bounded = true},
	},
};

StoreTable	casino_cancelled_request_table = {
	.name = "cancelled_request",
	.row = "cancelled request of player",
	.columns = cancelled_request_columns,
	.indexes = {
		[CANCELLED_REQUEST_BY_ID] = {"cancelled_request_pkey", 2, {"player_id", "request_id"}},
	},
};

StoreTable	casino_limit_state_table = {
	.name = "limit_state",
	.row = "row of limits of player",
	.columns = limit_state_columns,
	.triggers = limit_state_triggers,
	.indexes = {
		[LIMIT_STATE_BY_PLAYER] = {"limit_state_pkey", 1, {"player_id"}},
	},
};

StoreTable	casino_round_table = {
	.name = "round",
	.row = "round",
	.columns = round_columns,
	.indexes = {
		[ROUND_BY_ID] = {"round_pkey", 1, {"round_id"}},
	},
};

StoreTable	casino_other_play_table = {
	.name = "other_play",
	.row = "other play of player",
	.columns = other_play_columns,
	.indexes = {
		[OTHER_PLAY_BY_REQUEST] = {"other_play_request", 2, {"player_id", "request_id"},
		"(request_id IS NOT NULL)"},
	},
};

StoreTable	casino_player_table = {
	.name = "player",
	.row = "player",
	.columns = player_columns,
	.triggers = player_triggers,
	.checks = player_checks,
	.indexes = {
		[PLAYER_BY_ID] = {"player_pkey", 1, {"player_id"}},
	},
};

/*
 * store_in_use(): are all hot tables such as the store reads or writes?  For tests, and for operators who
 * added to them.
 */
Datum
casino_sql_store_in_use(PG_FUNCTION_ARGS)
{
	static const struct
	{
		StoreTable *table;
		LOCKMODE	mode;
	}			used[] = {
		{&casino_ledger_table, RowExclusiveLock},
		{&casino_player_table, RowExclusiveLock},
		{&casino_limit_state_table, RowExclusiveLock},
		{&casino_round_table, AccessShareLock},
		{&casino_cancelled_request_table, AccessShareLock},
		{&casino_other_play_table, AccessShareLock},
	};

	for (int i = 0; i < (int) lengthof(used); i++)
	{
		Store		store;

		casino_store_open(used[i].table, &store, used[i].mode);
		casino_store_close(&store);
		if (store.by_sql)
			PG_RETURN_BOOL(false);
	}
	PG_RETURN_BOOL(true);
}

/* last_book_away(): the last book that was put away, 0: none; 55000 when a book is missing. */
Datum
casino_sql_last_book_away(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(casino_store_last_away(&casino_ledger_table));
}

/* last_book_forgotten(): the last book whose requests are forgotten, 0: none; errors as before. */
Datum
casino_sql_last_book_forgotten(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(casino_store_last_forgotten(&casino_ledger_table));
}
