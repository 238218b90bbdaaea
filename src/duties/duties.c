/*
 * duties.c
 *	  Duties of the operator at the evaluation of a round, set-based, under the
 *	  round's exclusive lock.
 */
#include "duties/duties.h"

#include "utils/timestamp.h"

#define COUNTERS_OF_ROUND \
	"  FROM casino.limit_state l" \
	" WHERE l.player_id IN (SELECT s.player_id FROM casino.ledger s" \
	"                        WHERE s.round_id = $1 AND s.kind = 'stake')"

static LedgerQuery find_counters = {
	.sql = "SELECT count(*)" COUNTERS_OF_ROUND,
	.args = {ARG_INT8}
};

static LedgerQuery lock_counters = {
	.sql = "SELECT" COUNTERS_OF_ROUND " ORDER BY l.player_id FOR NO KEY UPDATE",
	.args = {ARG_INT8}
};

/* A net loss counts in the Prague day and month of the evaluation (R7.21). */
static EvaluationQuery count_evaluation = {
	.sql = "UPDATE casino.limit_state s"
	"   SET day = greatest(s.day, t.day), month = greatest(s.month, t.month),"
	"       staked_day = CASE WHEN s.day >= t.day THEN s.staked_day ELSE 0 END,"
	"       lost_day = CASE WHEN s.day > t.day THEN s.lost_day"
	"                       WHEN s.day = t.day THEN s.lost_day + q.staked - q.payout"
	"                       ELSE q.staked - q.payout END,"
	"       staked_month = CASE WHEN s.month >= t.month THEN s.staked_month ELSE 0 END,"
	"       lost_month = CASE WHEN s.month > t.month THEN s.lost_month"
	"                         WHEN s.month = t.month THEN s.lost_month + q.staked - q.payout"
	"                         ELSE q.staked - q.payout END,"
	"       open_staked = s.open_staked - q.staked"
	"  FROM (SELECT e.player_id, sum(e.staked) AS staked, sum(e.payout) AS payout"
	"          FROM casino.evaluation_%s e WHERE e.round_id = $1 GROUP BY e.player_id) q,"
	"       (SELECT casino.prague_day($2) AS day, casino.prague_month($2) AS month) t"
	" WHERE s.player_id = q.player_id",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ}
};

/*
 * Voided: nothing was lost.  What was staked counts as staked once betting had
 * closed (the stricter reading, R7.11); before, it was never placed.  OFFSET 0: each
 * stake is looked up, never each compared with each.
 */
static LedgerQuery count_void = {
	.sql = "UPDATE casino.limit_state s"
	"   SET open_staked = s.open_staked - q.staked,"
	"       staked_day = s.staked_day - CASE WHEN $2 THEN 0 ELSE q.staked_day END,"
	"       staked_month = s.staked_month - CASE WHEN $2 THEN 0 ELSE q.staked_month END"
	"  FROM (SELECT l.player_id, sum(l.amount) AS staked,"
	"               coalesce(sum(l.amount) FILTER (WHERE casino.prague_day(l.posted_at) = x.day), 0) AS staked_day,"
	"               coalesce(sum(l.amount) FILTER (WHERE casino.prague_month(l.posted_at) = x.month), 0) AS staked_month"
	"          FROM casino.ledger l"
	"          JOIN casino.limit_state x ON x.player_id = l.player_id"
	"         WHERE l.round_id = $1 AND l.kind = 'stake'"
	"           AND NOT EXISTS (SELECT FROM casino.ledger f"
	"                            WHERE f.player_id = l.player_id AND f.stake_entry_no = l.entry_no OFFSET 0)"
	"         GROUP BY l.player_id) q"
	" WHERE s.player_id = q.player_id",
	.args = {ARG_INT8, ARG_BOOL}
};

static LedgerQuery undo_participation = {
	.sql = "UPDATE casino.player p"
	"   SET last_round_id = p.previous_round_id,"
	"       sequence_started_at = p.previous_sequence_started_at,"
	"       previous_round_id = NULL, previous_sequence_started_at = NULL"
	" WHERE p.player_id IN (SELECT s.player_id FROM casino.ledger s"
	"                        WHERE s.round_id = $1 AND s.kind = 'stake')"
	"   AND p.last_round_id = $1",
	.args = {ARG_INT8}
};

/* Of the stake, once: the night may have recorded it already. */
#define RECORD_LATE(player, stake, amount) \
	"INSERT INTO casino.breach (player_id, entry_no, rule, detail, occurred_at, recorded_at)" \
	" SELECT " player ", " stake ", 'winnings_late'," \
	"        jsonb_build_object('round_id', r.round_id, 'amount', " amount ", 'evaluated_at', r.evaluated_at," \
	"                           'due_at', casino.payment_due_at(r.evaluated_at, 30), 'paid_at', $2)," \
	"        casino.payment_due_at(r.evaluated_at, 30), $3" \
	"  FROM casino.round r"

static LedgerQuery record_late_payouts = {
	.sql = RECORD_LATE("l.player_id", "s.entry_no", "l.amount")
	"  JOIN casino.ledger s ON s.round_id = r.round_id AND s.kind = 'stake'"
	"  JOIN casino.ledger l ON l.player_id = s.player_id AND l.stake_entry_no = s.entry_no"
	"                      AND l.kind = 'payout' AND l.posted_at = $2"
	" WHERE r.round_id = $1 AND $2 >= casino.payment_due_at(r.evaluated_at, 30)"
	" ON CONFLICT DO NOTHING",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ}
};

/* Of the winners whose stakes are about to go back; $4: of one player, 0: of all. */
static EvaluationQuery record_late_voids = {
	.sql = "INSERT INTO casino.breach (player_id, entry_no, rule, detail, occurred_at, recorded_at)"
	" SELECT e.player_id, e.entry_no, 'winnings_late',"
	"        jsonb_build_object('round_id', r.round_id, 'amount', e.payout, 'evaluated_at', r.evaluated_at,"
	"                           'due_at', r.due_at, 'voided_at', $2), r.due_at, $3"
	"   FROM (SELECT x.round_id, x.evaluated_at, casino.payment_due_at(x.evaluated_at, 30) AS due_at"
	"           FROM casino.round x WHERE x.round_id = $1) r"
	"   JOIN casino.evaluation_%s e ON e.round_id = r.round_id"
	"  WHERE e.round_id = $1 AND $2 >= r.due_at AND e.payout > 0 AND ($4 = 0 OR e.player_id = $4)"
	" ON CONFLICT DO NOTHING",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ, ARG_INT8}
};

/*
 * Voided after the evaluation, which has counted what was lost and won: it was
 * not.  What was staked stays counted as staked (R7.22).
 */
static EvaluationQuery count_late_void = {
	.sql = "UPDATE casino.limit_state s"
	"   SET lost_day = s.lost_day - CASE WHEN s.day = t.day THEN q.staked - q.payout ELSE 0 END,"
	"       lost_month = s.lost_month - CASE WHEN s.month = t.month THEN q.staked - q.payout ELSE 0 END"
	"  FROM (SELECT e.player_id, sum(e.staked) AS staked, sum(e.payout) AS payout"
	"          FROM casino.evaluation_%s e WHERE e.round_id = $1 AND ($3 = 0 OR e.player_id = $3) GROUP BY e.player_id) q,"
	"       (SELECT casino.prague_day($2) AS day, casino.prague_month($2) AS month) t"
	" WHERE s.player_id = q.player_id",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ, ARG_INT8}
};

static LedgerQuery record_late_payout = {
	.sql = RECORD_LATE("$4", "$5", "$6")
	" WHERE r.round_id = $1 AND $2 >= casino.payment_due_at(r.evaluated_at, 30)"
	" ON CONFLICT DO NOTHING",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ, ARG_INT8, ARG_INT8, ARG_NUMERIC}
};

/*
 * Lock the counters of the round's players in the order of their numbers; the
 * rows of losers are not locked.  Are there any?  40001 when the transaction's
 * snapshot misses some.  No more come while the round's lock is held: the
 * first limit of a player takes it too.
 */
static bool
lock_counters_of(int64 round_id)
{
	Datum		values[1] = {Int64GetDatum(round_id)};
	int64		counters;

	casino_look(&find_counters, values, NULL);
	counters = casino_column_int64(0, 1);
	if (counters > 0 && casino_run(&lock_counters, values, NULL) != (uint64) counters)
		casino_snapshot_too_old("round", round_id, "has players whose limits are younger than");
	return counters > 0;
}

void
casino_duties_count_evaluation(const RoundState *round, TimestampTz at)
{
	Datum		values[2] = {Int64GetDatum(round->round_id), TimestampTzGetDatum(at)};

	if (lock_counters_of(round->round_id))
		casino_run(casino_evaluation_query(&count_evaluation, round->family), values, NULL);
}

void
casino_duties_count_void(const RoundState *round)
{
	Datum		values[2] = {Int64GetDatum(round->round_id), BoolGetDatum(round->status != ROUND_OPEN)};

	if (lock_counters_of(round->round_id))
		casino_run(&count_void, values, NULL);
}

void
casino_duties_undo_participation(int64 round_id)
{
	Datum		values[1] = {Int64GetDatum(round_id)};

	casino_run_posting(&undo_participation, values, NULL);
}

void
casino_duties_record_late_payouts(int64 round_id, TimestampTz at)
{
	Datum		values[3] = {Int64GetDatum(round_id), TimestampTzGetDatum(at),
	TimestampTzGetDatum(GetCurrentTimestamp())};

	casino_run(&record_late_payouts, values, NULL);
}

void
casino_duties_record_late_payout(int64 round_id, int64 player_id, int64 stake_entry_no, int64 amount,
								 TimestampTz at)
{
	Datum		values[6];

	values[0] = Int64GetDatum(round_id);
	values[1] = TimestampTzGetDatum(at);
	values[2] = TimestampTzGetDatum(GetCurrentTimestamp());
	values[3] = Int64GetDatum(player_id);
	values[4] = Int64GetDatum(stake_entry_no);
	values[5] = NumericGetDatum(casino_halere_to_numeric(amount));
	casino_run(&record_late_payout, values, NULL);
}

void
casino_duties_record_late_voids(const RoundState *round, int64 player_id, TimestampTz at)
{
	Datum		values[4] = {Int64GetDatum(round->round_id), TimestampTzGetDatum(at),
	TimestampTzGetDatum(GetCurrentTimestamp()), Int64GetDatum(player_id)};

	casino_run(casino_evaluation_query(&record_late_voids, round->family), values, NULL);
}

void
casino_duties_count_late_void(const RoundState *round, int64 player_id)
{
	Datum		values[3] = {Int64GetDatum(round->round_id), TimestampTzGetDatum(round->evaluated_at),
	Int64GetDatum(player_id)};

	if (lock_counters_of(round->round_id))
		casino_run(casino_evaluation_query(&count_late_void, round->family), values, NULL);
}
