/*
 * deadlines.c
 *	  Deadlines of payments (D4 §11.1: winnings, the 30th day; §11.2 b:
 *	  withdrawals, the 60th, R7.37, R7.38; or the figures in force): what is paid late, and what has passed
 *	  its deadline unpaid, which becomes a breach in the night it does.
 *
 * In the night nothing is locked that a stake waits for: open withdrawals and rounds that
 * are evaluated.  What is locked already is being paid or cancelled, which
 * records its own delay.  Each breach is recorded once, whoever comes first.
 */
#include "duties/duty.h"

#include "access/xact.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "server/event_time.h"
#include "server/numbers.h"
#include "server/query.h"
#include "server/run_as_owner.h"
#include "state/evaluation_query.h"
#include "state/round.h"

/* Of the stake, once: the night may have recorded it already. */
#define RECORD_LATE(player, stake, amount) \
	"INSERT INTO casino.breach (player_id, entry_no, rule, detail, occurred_at, recorded_at)" \
	" SELECT " player ", " stake ", 'winnings_late'," \
	"        jsonb_build_object('round_id', r.round_id, 'amount', " amount "," \
	"                           'evaluated_at', r.evaluated_at," \
	"                           'due_at', casino.winnings_due_at(r.evaluated_at), 'paid_at', $2)," \
	"        casino.winnings_due_at(r.evaluated_at), $3" \
	"  FROM casino.round r"

static PreparedQuery record_late_payouts = {
	.sql = RECORD_LATE("l.player_id", "s.entry_no", "l.amount")
	"  JOIN casino.ledger s ON s.round_id = r.round_id AND s.kind = 'stake'"
	"  JOIN casino.ledger l ON l.player_id = s.player_id AND l.stake_entry_no = s.entry_no"
	"                      AND l.kind = 'payout' AND l.posted_at = $2"
	" WHERE r.round_id = $1 AND casino_internal.judged_at($2, $3) >= casino.winnings_due_at(r.evaluated_at)"
	" ON CONFLICT DO NOTHING",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ}
};

/* Of the winners whose stakes are about to go back; $4: of one player, 0: of all. */
static EvaluationQuery record_late_voids = {
	.sql = "INSERT INTO casino.breach (player_id, entry_no, rule, detail, occurred_at, recorded_at)"
	" SELECT e.player_id, e.entry_no, 'winnings_late',"
	"        jsonb_build_object('round_id', r.round_id, 'amount', e.payout, 'evaluated_at', r.evaluated_at,"
	"                           'due_at', r.due_at, 'voided_at', $2), r.due_at, $3"
	"   FROM (SELECT x.round_id, x.evaluated_at, casino.winnings_due_at(x.evaluated_at) AS due_at"
	"           FROM casino.round x WHERE x.round_id = $1) r"
	"   JOIN casino.evaluation_%s e ON e.round_id = r.round_id"
	"  WHERE e.round_id = $1 AND casino_internal.judged_at($2, $3) >= r.due_at AND e.payout > 0"
	"    AND ($4 = 0 OR e.player_id = $4)"
	" ON CONFLICT DO NOTHING",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ, ARG_INT8}
};

static PreparedQuery record_late_payout = {
	.sql = RECORD_LATE("$4", "$5", "$6")
	" WHERE r.round_id = $1 AND casino_internal.judged_at($2, $3) >= casino.winnings_due_at(r.evaluated_at)"
	" ON CONFLICT DO NOTHING",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ, ARG_INT8, ARG_INT8, ARG_NUMERIC}
};

static PreparedQuery record_withdrawals = {
	.sql = "WITH late AS MATERIALIZED ("
	"  SELECT w.player_id, w.entry_no, w.amount, w.posted_at, casino.withdrawal_due_at(w.posted_at) AS due_at"
	"    FROM casino.open_withdrawal o"
	"    JOIN casino.ledger w ON w.player_id = o.player_id AND w.entry_no = o.entry_no"
	"   WHERE casino.withdrawal_due_at(w.posted_at) <= $1"
	"     AND NOT EXISTS (SELECT FROM casino.breach b WHERE b.player_id = o.player_id"
	" AND b.entry_no = o.entry_no"
	"                        AND b.rule = 'withdrawal_late')"
	"   FOR UPDATE OF o SKIP LOCKED)"
	" INSERT INTO casino.breach (player_id, entry_no, rule, detail, occurred_at, recorded_at)"
	" SELECT l.player_id, l.entry_no, 'withdrawal_late',"
	"        jsonb_build_object('amount', l.amount, 'requested_at', l.posted_at, 'due_at', l.due_at), "
	"l.due_at, $2"
	"   FROM late l ON CONFLICT DO NOTHING",
	.args = {ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ}
};

static PreparedQuery find_rounds = {
	.sql = "SELECT r.round_id FROM casino.round r"
	" WHERE r.status = 'withheld' AND casino.winnings_due_at(r.evaluated_at) <= $1"
	" UNION "
	"SELECT r.round_id FROM casino.withholding h"
	"  JOIN casino.round r ON r.round_id = h.round_id AND r.status = 'settled'"
	" WHERE casino.winnings_due_at(r.evaluated_at) <= $1"
	"   AND NOT EXISTS (SELECT FROM casino.withholding_end e WHERE e.player_id = h.player_id"
	" AND e.round_id = h.round_id)"
	" ORDER BY round_id",
	.args = {ARG_TIMESTAMPTZ}
};

static PreparedQuery record_winnings = {
	.sql = "INSERT INTO casino.breach (player_id, entry_no, rule, detail, occurred_at, recorded_at)"
	" SELECT e.player_id, e.entry_no, 'winnings_late',"
	"        jsonb_build_object('round_id', r.round_id, 'amount', e.payout, 'evaluated_at', "
	"r.evaluated_at, 'due_at', r.due_at),"
	"        r.due_at, $2"
	"   FROM (SELECT x.round_id, x.evaluated_at, casino.winnings_due_at(x.evaluated_at) AS due_at"
	"           FROM casino.round x WHERE x.round_id = $1) r"
	"  CROSS JOIN LATERAL casino_internal.withheld_winnings(r.round_id) e"
	" ON CONFLICT DO NOTHING",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ}
};

/* See duties.h. */
static void
paid_late(int64 round_id, TimestampTz at)
{
	Datum		values[3] = {Int64GetDatum(round_id), TimestampTzGetDatum(at),
	TimestampTzGetDatum(GetCurrentTimestamp())};

	casino_execute(&record_late_payouts, values, NULL);
}

/* See duties.h. */
static void
paid_one(int64 round_id, int64 player_id, int64 stake_entry_no, int64 amount, TimestampTz at)
{
	Datum		values[6];

	values[0] = Int64GetDatum(round_id);
	values[1] = TimestampTzGetDatum(at);
	values[2] = TimestampTzGetDatum(GetCurrentTimestamp());
	values[3] = Int64GetDatum(player_id);
	values[4] = Int64GetDatum(stake_entry_no);
	values[5] = NumericGetDatum(casino_halere_to_numeric(amount));
	casino_execute(&record_late_payout, values, NULL);
}

/* See duties.h: what was due and not paid is a breach. */
static void
voided_late(const RoundState *round, int64 player_id, TimestampTz at)
{
	Datum		values[4] = {Int64GetDatum(round->round_id), TimestampTzGetDatum(at),
	TimestampTzGetDatum(GetCurrentTimestamp()), Int64GetDatum(player_id)};

	casino_execute(casino_evaluation_query(&record_late_voids, round->family), values, NULL);
}

const Duty	casino_deadlines_duty = {
	.paragraph = "D4 §11.1",
	.voided_late = voided_late,
	.paid_late = paid_late,
	.paid_one = paid_one
};

/* Winnings of the rounds that are due and not being paid just now; returns how many. */
static uint64
record_rounds(TimestampTz latest_due)
{
	Datum		values[2] = {TimestampTzGetDatum(latest_due), TimestampTzGetDatum(GetCurrentTimestamp())};
	Numbers		rounds = casino_column_numbers(casino_read_latest(&find_rounds, values, NULL), ONLY_COLUMN);
	uint64		recorded = 0;

	for (int i = 0; i < rounds.n; i++)
	{
		if (!casino_round_try_lock_exclusive(rounds.numbers[i]))
			continue;
		values[0] = Int64GetDatum(rounds.numbers[i]);
		recorded += casino_execute(&record_winnings, values, NULL);
	}
	return recorded;
}

/*
 * record_overdue(at) returns how many breaches it recorded.  A payment may
 * still be dated back by the clock skew, so that is waited for.
 */
PG_FUNCTION_INFO_V1(casino_sql_record_overdue);
Datum
casino_sql_record_overdue(PG_FUNCTION_ARGS)
{
	EventTime	time;
	RunAsOwner	as_owner;
	TimestampTz latest_due;
	Datum		values[2];
	uint64		recorded;

	casino_time_argument(fcinfo, 0, &time);
	/* an old snapshot would take for unpaid what was paid since, and a breach is never taken back */
	if (IsolationUsesXactSnapshot())
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TRANSACTION_STATE),
				 errmsg("record_overdue() runs in READ COMMITTED only"),
				 errhint("Run it in a READ COMMITTED transaction: it must see what was paid meanwhile.")));
	casino_as_owner_begin(&as_owner);
	casino_time_take(&time);
	latest_due = time.at;
	if (casino_clock_skew > 0)
		latest_due -= casino_clock_skew * USECS_PER_SEC;
	values[0] = TimestampTzGetDatum(latest_due);
	values[1] = TimestampTzGetDatum(GetCurrentTimestamp());
	recorded = casino_execute(&record_withdrawals, values, NULL);
	recorded += record_rounds(latest_due);
	casino_as_owner_end(&as_owner);
	PG_RETURN_INT64((int64) recorded);
}
