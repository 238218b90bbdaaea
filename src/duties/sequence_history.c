/*
 * sequence_history.c
 *	  What explain_break() answers of a time that is past: see sequence_history.h.
 *
 * A fact counts once it was written (recorded_at), whatever its own time (R7.5): what
 * nobody had recorded, no stake was judged by.  One dated further from that
 * than clocks differ is a replay and counts from its own time.
 *
 * The player's entries are walked through backwards, from the last that can
 * have been known (found by bisection), through his live rounds to the first
 * gap of a break: as many as the sequence has, not as his history has.
 * Where nothing lies within a gap's length, only a round that was open all
 * that time can still matter; the tables tell which those were.
 */
#include "duties/sequence_history.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "server/query.h"
#include "state/duty_rule.h"
#include "state/table_version.h"

#define ENTRIES_AT_ONCE		32

/*
 * Whoever looks for what was known at a time looks so much further: entries of evaluations may be dated
 * before the one before them.
 */
#define DISORDER			(2 * REPLAY_DISTANCE)

static PreparedQuery find_time = {
	.sql = "SELECT l.posted_at FROM casino.ledger l WHERE l.player_id = $1 AND l.entry_no = $2",
	.args = {ARG_INT8, ARG_INT8}
};

/* Each looked up by its key: no join that a guess of the planner could turn around. */
static PreparedQuery load_entries = {
	.sql = "SELECT l.entry_no, l.posted_at, l.recorded_at,"
	"       CASE WHEN l.kind = 'stake' THEN l.round_id END,"
	"       f.posted_at, f.recorded_at, f.reason = 'voided', l.kind IN ('payout', 'refund', 'correction')"
	"  FROM casino.ledger l"
	"  LEFT JOIN LATERAL (SELECT x.posted_at, x.recorded_at, x.reason FROM casino.ledger x"
	"                      WHERE l.kind = 'stake' AND x.player_id = l.player_id"
	" AND x.stake_entry_no = l.entry_no"
	"                        AND x.kind = 'refund' LIMIT 1) f ON true"
	" WHERE l.player_id = $1 AND l.entry_no BETWEEN $2 AND $3"
	" ORDER BY l.entry_no DESC",
	.args = {ARG_INT8, ARG_INT8, ARG_INT8}
};

/* its columns */
enum
{
	ENTRY_NO = 1, ENTRY_POSTED_AT, ENTRY_RECORDED_AT, ENTRY_ROUND_ID, ENTRY_REFUNDED_AT,
	ENTRY_REFUND_RECORDED_AT, ENTRY_REFUND_VOIDS, ENTRY_BY_EVALUATION
};

static PreparedQuery load_round = {
	.sql = "SELECT r.table_id, r.table_version, r.betting_closed_at, r.evaluated_at, r.evaluation_recorded_at"
	"  FROM casino.round r WHERE r.round_id = $1",
	.args = {ARG_INT8}
};

/* its columns */
enum
{
	ROUND_TABLE = 1, ROUND_TABLE_VERSION_NO, ROUND_CLOSED_AT, ROUND_EVALUATED,
	ROUND_EVALUATION_RECORDED
};

/*
 * The player's last stake up to entry $2 in a live round that was open at $3
 * and not evaluated by $4: a table has one unevaluated round, the last opened, or
 * one of the last where clocks differ or replays overlap.
 */
static PreparedQuery find_long_round = {
	.sql = "SELECT max(s.entry_no)"
	"  FROM casino.game_table t"
	"  JOIN casino.game g ON g.game = t.game AND g.live"
	" CROSS JOIN LATERAL ((SELECT r.round_id, r.evaluated_at FROM casino.round r"
	"                       WHERE r.table_id = t.table_id AND r.opened_at <= $3"
	"                       ORDER BY r.opened_at DESC LIMIT 4)"
	"                     UNION ALL"
	"                     SELECT r.round_id, r.evaluated_at FROM casino.round r"
	"                      WHERE r.table_id = t.table_id AND r.status IN ('open', 'closed')) r"
	" CROSS JOIN LATERAL (SELECT l.entry_no FROM casino.ledger l"
	"                      WHERE l.round_id = r.round_id AND l.kind = 'stake' AND l.player_id = $1"
	" AND l.entry_no <= $2"
	"                      ORDER BY l.entry_no DESC LIMIT 1) s"
	" WHERE r.evaluated_at IS NULL OR r.evaluated_at >= $4",
	.args = {ARG_INT8, ARG_INT8, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ}
};

static PreparedQuery find_former_account = {
	.sql = "SELECT f.player_id, f.last_entry_no FROM casino.player p"
	"  JOIN casino.player f ON f.external_ref = p.external_ref AND f.player_id < p.player_id"
	" WHERE p.player_id = $1 ORDER BY f.player_id DESC LIMIT 1",
	.args = {ARG_INT8}
};

/* its columns */
enum
{
	FORMER_PLAYER_ID = 1, FORMER_LAST_ENTRY_NO
};

/* Exclusions are the person's, of former accounts too. */
static PreparedQuery load_exclusions = {
	.sql = "SELECT e.excluded_from, e.recorded_at, e.asked_until, e.ended_at, e.end_recorded_at"
	"  FROM casino.player p"
	"  JOIN casino.player a ON a.external_ref = p.external_ref AND a.player_id <= p.player_id"
	"  JOIN casino.exclusion_period e ON e.player_id = a.player_id"
	" WHERE p.player_id = $1",
	.args = {ARG_INT8}
};

/* its columns */
enum
{
	EXCLUDED_FROM = 1, EXCLUSION_RECORDED_AT, EXCLUDED_UNTIL, EXCLUSION_ENDED_AT,
	EXCLUSION_END_RECORDED_AT
};

typedef struct HistoryEntry
{
	int64		entry_no;
	TimestampTz posted_at;
	TimestampTz recorded_at;
	int64		round_id;		/* of a stake; 0: another kind */
	TimestampTz refunded_at;	/* DT_NOBEGIN: it was not */
	TimestampTz refund_recorded_at;
	bool		refund_voids;	/* with its round, not for itself */
	/* of an evaluation or a void, which may be dated before the entry before it */
	bool		by_evaluation;
} HistoryEntry;

typedef struct HistoryRound
{
	int64		round_id;		/* 0: none looked up */
	bool		live;
	char	   *table_name;
	bool		betting_closed;
	TimestampTz evaluated_at;	/* DT_NOBEGIN: not, as then known */
} HistoryRound;

/* A walk back through the entries. */
typedef struct Walk
{
	int64		player_id;
	TimestampTz at;
	HistoryRound round;			/* of the entry looked at */
	HistoryRound joined;		/* earliest round of the sequence so far */
	TimestampTz joined_at;		/* first stake in it so far */
	BreakState *state;
} Walk;

/* Was it known at "at" that something happened at "happened"? */
static bool
known(TimestampTz happened, TimestampTz recorded, TimestampTz at)
{
	if (happened == DT_NOBEGIN)
		return false;
	if (recorded == DT_NOBEGIN ||
		happened > recorded + REPLAY_DISTANCE || happened < recorded - REPLAY_DISTANCE)
		return happened <= at;
	return recorded <= at;
}

/* The last entry that can have been known at "at". */
static int64
last_candidate(int64 player_id, int64 last_entry_no, TimestampTz at)
{
	int64		low = 0;		/* dated in time, or before the first */
	int64		high = last_entry_no + 1;	/* dated too late, or after the last */

	while (high - low > 1)
	{
		int64		middle = low + (high - low) / 2;
		Datum		values[2] = {Int64GetDatum(player_id), Int64GetDatum(middle)};

		if (casino_read_latest(&find_time, values, NULL) == 1 &&
			casino_column_time(0, ONLY_COLUMN, DT_NOBEGIN) - DISORDER > at)
			high = middle;
		else
			low = middle;
	}
	return low;
}

static int
load_chunk(int64 player_id, int64 last, HistoryEntry *entries)
{
	Datum		values[3] = {Int64GetDatum(player_id), Int64GetDatum(last - ENTRIES_AT_ONCE + 1),
	Int64GetDatum(last)};
	uint64		rows = casino_read_latest(&load_entries, values, NULL);

	for (uint64 row = 0; row < rows; row++)
	{
		HistoryEntry *entry = &entries[row];

		entry->entry_no = casino_column_int64(row, ENTRY_NO);
		entry->posted_at = casino_column_time(row, ENTRY_POSTED_AT, DT_NOBEGIN);
		entry->recorded_at = casino_column_time(row, ENTRY_RECORDED_AT, DT_NOBEGIN);
		entry->round_id = casino_column_int64(row, ENTRY_ROUND_ID);
		entry->refunded_at = casino_column_time(row, ENTRY_REFUNDED_AT, DT_NOBEGIN);
		entry->refund_recorded_at = casino_column_time(row, ENTRY_REFUND_RECORDED_AT, DT_NOBEGIN);
		entry->refund_voids = casino_column_bool(row, ENTRY_REFUND_VOIDS);
		entry->by_evaluation = casino_column_bool(row, ENTRY_BY_EVALUATION);
	}
	return (int) rows;
}

/* The round as it was known at the time asked for. */
static void
look_up_round(Walk *walk, int64 round_id)
{
	Datum		values[1] = {Int64GetDatum(round_id)};
	const TableVersion *table;
	TimestampTz evaluated_at;
	int32		version;

	if (walk->round.round_id == round_id)
		return;
	if (walk->joined.round_id == round_id)
	{
		walk->round = walk->joined;
		return;
	}
	if (casino_read_latest(&load_round, values, NULL) != 1)
		elog(ERROR, "round " INT64_FORMAT " vanished", round_id);
	walk->round.round_id = round_id;
	walk->round.betting_closed = casino_column_time(0, ROUND_CLOSED_AT, DT_NOBEGIN) != DT_NOBEGIN;
	evaluated_at = casino_column_time(0, ROUND_EVALUATED, DT_NOBEGIN);
	if (!known(evaluated_at, casino_column_time(0, ROUND_EVALUATION_RECORDED, DT_NOBEGIN), walk->at))
		evaluated_at = DT_NOBEGIN;
	walk->round.evaluated_at = evaluated_at;
	version = casino_column_int(0, ROUND_TABLE_VERSION_NO);
	table = casino_table_version(casino_column_int64(0, ROUND_TABLE), version);
	walk->round.live = table->live;
	walk->round.table_name = pstrdup(table->name);
}

/* Is it a stake in a live round, known then, that had not gone back before betting closed? */
static bool
takes_part(Walk *walk, const HistoryEntry *entry)
{
	if (entry->round_id == 0 || !known(entry->posted_at, entry->recorded_at, walk->at))
		return false;
	look_up_round(walk, entry->round_id);
	if (!walk->round.live)
		return false;
	return !known(entry->refunded_at, entry->refund_recorded_at, walk->at) ||
		(entry->refund_voids && walk->round.betting_closed);
}

/* A stake that counts.  False when the sequence started after it. */
static bool
step_back(Walk *walk, const HistoryEntry *entry)
{
	if (walk->joined.round_id == 0)
	{
		walk->state->last.round_id = walk->round.round_id;
		walk->state->last.table_name = walk->round.table_name;
		walk->state->last.evaluated_at = walk->round.evaluated_at;
	}
	else if (walk->joined.round_id != walk->round.round_id &&
			 walk->round.evaluated_at != DT_NOBEGIN &&
			 walk->joined_at - walk->round.evaluated_at >= casino_duty_figure(DUTY_BREAK, walk->joined_at))
		return false;
	walk->joined = walk->round;
	walk->joined_at = walk->state->started_at = entry->posted_at;
	return true;
}

/*
 * The player's last stake up to "entry_no" in a live round that was open from "since" to within a gap of
 * what was joined; 0: none.
 */
static int64
last_in_long_round(const Walk *walk, int64 entry_no, TimestampTz since)
{
	Datum		values[4] = {Int64GetDatum(walk->player_id), Int64GetDatum(entry_no),
	TimestampTzGetDatum(since + DISORDER), TimestampTzGetDatum(since)};

	(void) casino_read_latest(&find_long_round, values, NULL);
	return casino_column_int64(0, ONLY_COLUMN);
}

/* Walk through the entries of one account.  False once the start of the sequence is known. */
static bool
walk_account(Walk *walk, int64 last_entry_no)
{
	HistoryEntry entries[ENTRIES_AT_ONCE];
	int64		next = last_candidate(walk->player_id, last_entry_no, walk->at);
	int64		longest = casino_duty_greatest(DUTY_BREAK);
	int64		of_long_round = 0;

	while (next > 0)
	{
		int			n = load_chunk(walk->player_id, next, entries);

		next = Max(next - ENTRIES_AT_ONCE, 0);
		for (int i = 0; i < n; i++)
		{
			const HistoryEntry *entry = &entries[i];
			TimestampTz since = walk->joined.round_id == 0 ? walk->at : walk->joined_at;

			since -= longest + DISORDER;
			if (entry->posted_at < since && !entry->by_evaluation && entry->entry_no != of_long_round)
			{
				next = of_long_round = last_in_long_round(walk, entry->entry_no, since);
				break;
			}
			if (takes_part(walk, entry) && !step_back(walk, entry))
				return false;
		}
	}
	return true;
}

/* The latest end of the exclusions that were known then, as it was known then. */
static TimestampTz
excluded_until(int64 player_id, TimestampTz at)
{
	Datum		values[1] = {Int64GetDatum(player_id)};
	uint64		rows = casino_read_latest(&load_exclusions, values, NULL);
	TimestampTz latest = DT_NOBEGIN;

	for (uint64 row = 0; row < rows; row++)
	{
		TimestampTz until = casino_column_time(row, EXCLUDED_UNTIL, DT_NOEND);
		TimestampTz ended_at = casino_column_time(row, EXCLUSION_ENDED_AT, DT_NOBEGIN);

		if (!known(casino_column_time(row, EXCLUDED_FROM, DT_NOBEGIN),
				   casino_column_time(row, EXCLUSION_RECORDED_AT, DT_NOBEGIN), at))
			continue;
		if (known(ended_at, casino_column_time(row, EXCLUSION_END_RECORDED_AT, DT_NOBEGIN), at))
			until = Min(until, ended_at);
		latest = Max(latest, until);
	}
	return latest;
}

void
casino_break_at(int64 player_id, int64 last_entry_no, TimestampTz at, BreakState *state)
{
	Walk		walk = {.player_id = player_id, .at = at, .state = state};

	memset(state, 0, sizeof(*state));
	state->started_at = DT_NOBEGIN;
	state->last.evaluated_at = DT_NOBEGIN;
	state->excluded_until = DT_NOBEGIN;
	if (TIMESTAMP_IS_NOBEGIN(at))
		return;
	state->excluded_until = excluded_until(player_id, at);
	/* a sequence is the person's: it goes on in the account opened again (D4 §8.3) */
	while (walk_account(&walk, last_entry_no))
	{
		Datum		values[1] = {Int64GetDatum(walk.player_id)};

		if (casino_read_latest(&find_former_account, values, NULL) == 0)
			break;
		walk.player_id = casino_column_int64(0, FORMER_PLAYER_ID);
		last_entry_no = casino_column_int64(0, FORMER_LAST_ENTRY_NO);
	}
}
