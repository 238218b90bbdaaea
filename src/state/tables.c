/*
 * tables.c
 *	  The hot tables as the store knows them.
 */
#include "state/tables.h"

#include "fmgr.h"

static const char *const ledger_columns[] = {
	"player_id", "entry_no", "kind", "amount", "round_id", "bet",
	"seat", "hand", "stake_entry_no", "grade", "request_id",
	"request_line", "reason", "method", "withdrawal_entry_no", "account",
	"reference", "place", "balance", "posted_at", "recorded_at", "recorded_by", NULL
};

static const char *const ledger_triggers[] = {
	"ledger_post", "append_only", "append_only_statement", NULL
};

static const char *const ledger_checks[] = {
	"ledger_kind_check", "ledger_method_check", "ledger_text_bounds", NULL
};

static const char *const player_columns[] = {
	"player_id", "external_ref", "registered_at", "balance",
	"last_entry_no", "last_posted_at", "last_round_id", "sequence_started_at",
	"previous_round_id", "previous_sequence_started_at", "excluded_until",
	"limited", "closed_at", "registered_by", "closed_by", NULL
};

/* record_who and player_cell look at who registered and closed the account and at its number only */
static const char *const player_triggers[] = {"player_guard", "record_who", "player_cell", NULL};

/* the store changes neither the person nor the sign of a balance */
static const char *const player_checks[] = {
	"player_balance_check", "player_external_ref_fkey", NULL
};

static const char *const limit_state_columns[] = {
	"player_id", "day", "staked_day", "lost_day",
	"month", "staked_month", "lost_month", "open_staked",
	"limit_stake_day", "limit_stake_day_next", "limit_stake_day_from",
	"limit_stake_month", "limit_stake_month_next", "limit_stake_month_from",
	"limit_net_loss_day", "limit_net_loss_day_next", "limit_net_loss_day_from",
	"limit_net_loss_month", "limit_net_loss_month_next", "limit_net_loss_month_from", NULL
};

static const char *const limit_state_triggers[] = {"no_truncate", NULL};

StaticAssertDecl(lengthof(limit_state_columns) == LIMIT_STATE_COLUMNS + 1, "columns of casino.limit_state");

/* not all: rounds are only read here */
static const char *const round_columns[] = {
	"table_id", "table_version", "plan_id", "status", "opened_at",
	"betting_until", "betting_closed_at", "actions_closed_at", "evaluated_at", "withheld_paid_at",
	"outcome", "void_reason", NULL
};

StaticAssertDecl(lengthof(round_columns) == ROUND_COLUMNS + 1, "columns of casino.round");

/* of tables that are only asked */
static const char *const no_columns[] = {NULL};

StaticAssertDecl(lengthof(ledger_columns) == LEDGER_COLUMNS + 1, "columns of casino.ledger");
StaticAssertDecl(lengthof(player_columns) == PLAYER_COLUMNS + 1, "columns of casino.player");

PG_FUNCTION_INFO_V1(casino_sql_store_in_use);

StoreTable	casino_ledger_table = {
	.name = "ledger",
	.columns = ledger_columns,
	.triggers = ledger_triggers,
	.checks = ledger_checks,
	.indexes = {
		[LEDGER_BY_ENTRY] = {"ledger_pkey", 2, {"player_id", "entry_no"}},
		[LEDGER_BY_REQUEST] = {"ledger_request", 3, {"player_id", "request_id", "request_line"}},
		[LEDGER_BY_STAKE] = {"ledger_stake_entry_no", 2, {"player_id", "stake_entry_no"}},
		[LEDGER_BY_ROUND] = {"ledger_round", 4, {"round_id", "kind", "player_id", "entry_no"}},
	},
};

StoreTable	casino_cancelled_request_table = {
	.name = "cancelled_request",
	.columns = no_columns,
	.indexes = {
		[CANCELLED_REQUEST_BY_ID] = {"cancelled_request_pkey", 2, {"player_id", "request_id"}},
	},
};

StoreTable	casino_limit_state_table = {
	.name = "limit_state",
	.columns = limit_state_columns,
	.triggers = limit_state_triggers,
	.indexes = {
		[LIMIT_STATE_BY_PLAYER] = {"limit_state_pkey", 1, {"player_id"}},
	},
};

StoreTable	casino_round_table = {
	.name = "round",
	.columns = round_columns,
	.indexes = {
		[ROUND_BY_ID] = {"round_pkey", 1, {"round_id"}},
	},
};

StoreTable	casino_other_play_table = {
	.name = "other_play",
	.columns = no_columns,
	.indexes = {
		[OTHER_PLAY_BY_REQUEST] = {"other_play_request", 2, {"player_id", "request_id"}},
	},
};

StoreTable	casino_player_table = {
	.name = "player",
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

		if (!casino_store_open(used[i].table, &store, used[i].mode))
			PG_RETURN_BOOL(false);
		casino_store_close(&store);
	}
	PG_RETURN_BOOL(true);
}
