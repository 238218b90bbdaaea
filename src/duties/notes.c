/*
 * notes.c
 *	  What SQL functions note in a player's row: an exclusion, that he has set
 *	  limits, that his account is closed.  Nothing of it can be taken back, but
 *	  an exclusion of the register or the operator by a recorded decision.
 */
#include "state/ledger.h"

#include "server/locking.h"

static LedgerQuery note_exclusion = {
	.sql = "UPDATE casino.player SET excluded_until = greatest(excluded_until, $2) WHERE player_id = $1",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ}
};

/* An exclusion that was ended by decision lasts until then. */
static LedgerQuery note_exclusion_end = {
	.sql = "UPDATE casino.player"
	"   SET excluded_until = (SELECT max(e.excluded_until) FROM casino.exclusion_period e WHERE e.player_id = $1)"
	" WHERE player_id = $1",
	.args = {ARG_INT8}
};

static LedgerQuery note_limits = {
	.sql = "UPDATE casino.player SET limited = true WHERE player_id = $1",
	.args = {ARG_INT8}
};

/*
 * Counters of a player who has none yet, of the day of what he staked or lost
 * last when the limit is dated before that: what they leave out of a day they
 * would never count again (R7.25).
 */
static LedgerQuery count_usage = {
	.sql = "SELECT u.day, u.staked_day, u.lost_day, u.month, u.staked_month, u.lost_month, u.open_staked"
	"  FROM casino.limit_usage($1, (SELECT greatest($2, max(l.posted_at), max(r.evaluated_at),"
	"                                               (SELECT max(o.played_at) FROM casino.other_play o WHERE o.player_id = $1))"
	"                                 FROM casino.ledger l LEFT JOIN casino.round r ON r.round_id = l.round_id"
	"                                WHERE l.player_id = $1)) u"
	" WHERE NOT EXISTS (SELECT FROM casino.limit_state s WHERE s.player_id = $1)",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ}
};

static LedgerQuery insert_counters = {
	.sql = "INSERT INTO casino.limit_state (player_id, day, staked_day, lost_day, month, staked_month, lost_month, open_staked)"
	" VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
	.args = {ARG_INT8, ARG_DATE, ARG_NUMERIC, ARG_NUMERIC, ARG_DATE, ARG_NUMERIC, ARG_NUMERIC, ARG_NUMERIC}
};

#define LIMIT(column, measure, period) \
	" limit_" column " = (SELECT f.amount FROM in_force f WHERE f.measure = '" measure "' AND f.period = '" period "')," \
	" limit_" column "_next = (SELECT f.next_amount FROM in_force f WHERE f.measure = '" measure "' AND f.period = '" period "')," \
	" limit_" column "_from = (SELECT f.next_from FROM in_force f WHERE f.measure = '" measure "' AND f.period = '" period "')"

/*
 * All four as of the latest request: one that is dated before a request of
 * another kind must not take that one's limit back.
 */
static LedgerQuery set_limits = {
	.sql = "WITH in_force AS MATERIALIZED ("
	"  SELECT * FROM casino.limits_in_force($1, (SELECT greatest($2, max(l.requested_at))"
	"                                              FROM casino.player_limit l WHERE l.player_id = $1)))"
	" UPDATE casino.limit_state SET"
	LIMIT("stake_day", "stake", "day") ","
	LIMIT("stake_month", "stake", "month") ","
	LIMIT("net_loss_day", "net_loss", "day") ","
	LIMIT("net_loss_month", "net_loss", "month")
	" WHERE player_id = $1",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ}
};

static LedgerQuery find_unevaluated_rounds = {
	.sql = "SELECT r.round_id FROM casino.round r"
	" WHERE r.status IN ('open', 'closed')"
	"   AND EXISTS (SELECT FROM casino.ledger s"
	"                WHERE s.round_id = r.round_id AND s.kind = 'stake' AND s.player_id = $1)"
	" ORDER BY r.round_id",
	.args = {ARG_INT8}
};

static LedgerQuery last_refusal = {
	.sql = "SELECT coalesce(max(refusal_no), 0) FROM casino.refusal WHERE player_id = $1",
	.args = {ARG_INT8}
};

static LedgerQuery note_closing = {
	.sql = "UPDATE casino.player SET closed_at = $2 WHERE player_id = $1 AND closed_at IS NULL",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ}
};

/* Run one of them past the guard of casino.player. */
static void
note(LedgerQuery *query, FunctionCallInfo fcinfo)
{
	Datum		values[2] = {PG_GETARG_DATUM(0), PG_NARGS() > 1 ? PG_GETARG_DATUM(1) : (Datum) 0};
	LedgerScope scope;

	casino_scope_enter(&scope);
	casino_run_posting(query, values, NULL);
	casino_scope_leave(&scope);
}

/* note_exclusion(player_id, until): excluded_until never moves back */
PG_FUNCTION_INFO_V1(casino_sql_note_exclusion);
Datum
casino_sql_note_exclusion(PG_FUNCTION_ARGS)
{
	note(&note_exclusion, fcinfo);
	PG_RETURN_VOID();
}

/* note_exclusion_end(player_id): excluded_until follows from the exclusions and their ends */
PG_FUNCTION_INFO_V1(casino_sql_note_exclusion_end);
Datum
casino_sql_note_exclusion_end(PG_FUNCTION_ARGS)
{
	note(&note_exclusion_end, fcinfo);
	PG_RETURN_VOID();
}

/*
 * note_limits(player_id, at): the player has limits, or others than before.
 * His counters start from what is committed now, not from the transaction's
 * snapshot: a round that was evaluated since would stay open in them for ever.
 */
PG_FUNCTION_INFO_V1(casino_sql_note_limits);
Datum
casino_sql_note_limits(PG_FUNCTION_ARGS)
{
	Datum		values[2] = {PG_GETARG_DATUM(0), PG_GETARG_DATUM(1)};
	Datum		counters[8] = {PG_GETARG_DATUM(0)};
	LedgerScope scope;
	bool		isnull;

	casino_scope_enter(&scope);
	if (casino_look(&count_usage, values, NULL) > 0)
	{
		for (int column = 1; column <= 7; column++)
			counters[column] = casino_column(0, column, &isnull);
		casino_run(&insert_counters, counters, NULL);
	}
	casino_run(&set_limits, values, NULL);
	casino_run_posting(&note_limits, values, NULL);
	casino_scope_leave(&scope);
	PG_RETURN_VOID();
}

/* Rounds that are not evaluated where stakes of the player lie, ascending. */
static int
load_unevaluated(int64 player_id, int64 **rounds)
{
	Datum		values[1] = {Int64GetDatum(player_id)};
	uint64		rows = casino_look(&find_unevaluated_rounds, values, NULL);

	*rounds = palloc(sizeof(int64) * Max(rows, 1));
	for (uint64 row = 0; row < rows; row++)
		(*rounds)[row] = casino_column_int64(row, 1);
	return (int) rows;
}

/* Lock the rounds, then the player; false when he has meanwhile staked in another one. */
static bool
try_lock_rounds(void *what)
{
	int64		player_id = *(int64 *) what;
	PlayerState player;
	int64	   *rounds;
	int64	   *now;
	int			n = load_unevaluated(player_id, &rounds);
	int			nnow;
	int			locked = 0;

	for (int i = 0; i < n; i++)
		casino_round_lock_shared(rounds[i]);
	casino_player_lock(player_id, &player);
	nnow = load_unevaluated(player_id, &now);
	/* some may have been evaluated before they were locked */
	for (int i = 0; i < n && locked < nnow; i++)
		if (rounds[i] == now[locked])
			locked++;
	return locked == nnow;
}

/*
 * lock_unevaluated_rounds(player_id): shared locks of the rounds where stakes
 * of the player lie, in the order of their numbers, and of the player after
 * them, so that none is evaluated before this transaction ends.
 */
PG_FUNCTION_INFO_V1(casino_sql_lock_unevaluated_rounds);
Datum
casino_sql_lock_unevaluated_rounds(PG_FUNCTION_ARGS)
{
	int64		player_id = PG_GETARG_INT64(0);
	LedgerScope scope;

	casino_scope_enter(&scope);
	casino_lock_all(try_lock_rounds, &player_id);
	casino_scope_leave(&scope);
	PG_RETURN_VOID();
}

/*
 * next_refusal_no(player_id), with the player's row locked: counted on from
 * what is committed, not from the transaction's snapshot, because a refusal
 * changes nothing in the player's row that the snapshot could be too old for.
 */
PG_FUNCTION_INFO_V1(casino_sql_next_refusal_no);
Datum
casino_sql_next_refusal_no(PG_FUNCTION_ARGS)
{
	Datum		values[1] = {PG_GETARG_DATUM(0)};
	LedgerScope scope;
	int64		number;

	casino_scope_enter(&scope);
	casino_look(&last_refusal, values, NULL);
	number = casino_column_int64(0, 1) + 1;
	casino_scope_leave(&scope);
	PG_RETURN_INT64(number);
}

/* note_closing(player_id, at) */
PG_FUNCTION_INFO_V1(casino_sql_note_closing);
Datum
casino_sql_note_closing(PG_FUNCTION_ARGS)
{
	note(&note_closing, fcinfo);
	PG_RETURN_VOID();
}
