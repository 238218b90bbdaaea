/*
 * limits_set.c
 *	  A player sets self-limits (D4 §6.5): his counters start, the limits stand
 *	  with them, and no round with a stake of his is evaluated meanwhile.
 */
#include "postgres.h"

#include "utils/timestamp.h"

#include "casino.h"
#include "server/locking.h"
#include "server/numbers.h"
#include "server/posting.h"
#include "server/query.h"
#include "server/run_as_owner.h"
#include "state/player.h"
#include "state/round.h"

static PreparedQuery note_limits = {
	.sql = "UPDATE casino.player SET limited = true WHERE player_id = $1",
	.args = {ARG_INT8}
};

/*
 * Counters of a player who has none yet, of the day of what he staked or lost
 * last when the limit is dated before that: what they leave out of a day they
 * would never count again (R7.25).
 */
static PreparedQuery count_usage = {
	.sql = "SELECT u.day, u.staked_day, u.lost_day, u.month, u.staked_month, u.lost_month, u.open_staked"
	"  FROM casino.limit_usage($1, (SELECT greatest($2, max(l.posted_at), max(r.evaluated_at),"
	"                                               (SELECT max(o.played_at) FROM casino.other_play o"
	" WHERE o.player_id = $1))"
	"                                 FROM casino.carried_entry l"
	"                                 LEFT JOIN casino.round r ON r.round_id = l.round_id"
	"                                WHERE l.player_id = $1)) u"
	" WHERE NOT EXISTS (SELECT FROM casino.limit_state s WHERE s.player_id = $1)",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ}
};

/* the player, and the columns of count_usage */
#define USAGE_COLUMNS	7

static PreparedQuery insert_counters = {
	.sql = "INSERT INTO casino.limit_state "
	"(player_id, day, staked_day, lost_day, month, staked_month, lost_month, open_staked)"
	" VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
	.args = {ARG_INT8, ARG_DATE, ARG_NUMERIC, ARG_NUMERIC, ARG_DATE, ARG_NUMERIC, ARG_NUMERIC, ARG_NUMERIC}
};

#define LIMIT(column, measure, period) \
	" limit_" column " = (SELECT f.amount FROM in_force f" \
	"  WHERE f.measure = '" measure "' AND f.period = '" period "')," \
	" limit_" column "_next = (SELECT f.next_amount FROM in_force f" \
	"  WHERE f.measure = '" measure "' AND f.period = '" period "')," \
	" limit_" column "_from = (SELECT f.next_from FROM in_force f" \
	"  WHERE f.measure = '" measure "' AND f.period = '" period "')"

/*
 * All four as of the latest request: one that is dated before a request of
 * another kind must not take that one's limit back.
 */
static PreparedQuery set_limits = {
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

static PreparedQuery find_unevaluated_rounds = {
	.sql = "SELECT r.round_id FROM casino.round r"
	" WHERE r.status IN ('open', 'closed')"
	"   AND EXISTS (SELECT FROM casino.ledger s"
	"                WHERE s.round_id = r.round_id AND s.kind = 'stake' AND s.player_id = $1)"
	" ORDER BY r.round_id",
	.args = {ARG_INT8}
};

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
	Datum		counters[1 + USAGE_COLUMNS] = {PG_GETARG_DATUM(0)};
	RunAsOwner	as_owner;

	casino_as_owner_begin(&as_owner);
	if (casino_read_latest(&count_usage, values, NULL) > 0)
	{
		for (int column = 1; column <= USAGE_COLUMNS; column++)
			counters[column] = casino_column(0, column, insert_counters.args[column], NULL);
		casino_execute(&insert_counters, counters, NULL);
	}
	casino_execute(&set_limits, values, NULL);
	casino_execute_posting(&note_limits, values, NULL);
	casino_as_owner_end(&as_owner);
	PG_RETURN_VOID();
}

/* Rounds that are not evaluated where stakes of the player lie, ascending. */
static Numbers
load_unevaluated(int64 player_id)
{
	Datum		values[1] = {Int64GetDatum(player_id)};

	return casino_column_numbers(casino_read_latest(&find_unevaluated_rounds, values, NULL), ONLY_COLUMN);
}

/* Lock the rounds, then the player; false when he has meanwhile staked in another one. */
static bool
try_lock_rounds(void *what)
{
	int64		player_id = *(int64 *) what;
	PlayerState player;
	Numbers		rounds = load_unevaluated(player_id);
	Numbers		now;

	for (int i = 0; i < rounds.n; i++)
		casino_round_lock_shared(rounds.numbers[i]);
	casino_player_lock(player_id, &player);
	/* some may have been evaluated before they were locked */
	now = load_unevaluated(player_id);
	for (int i = 0; i < now.n; i++)
		if (!casino_numbers_have(rounds, now.numbers[i]))
			return false;
	return true;
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
	RunAsOwner	as_owner;

	casino_as_owner_begin(&as_owner);
	casino_lock_all(try_lock_rounds, &player_id);
	casino_as_owner_end(&as_owner);
	PG_RETURN_VOID();
}
