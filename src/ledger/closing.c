/*
 * closing.c
 *	  The end of betting and of the players' decisions: close_betting(),
 *	  close_actions().
 *
 * A bet is concluded if its chips lie there when betting ends (D4 Roulette
 * (Synot) §7, Blackjack §7, R11.8).  Who says when that was may say it afterwards,
 * within casino.clock_skew: what was staked in between goes back.
 */
#include "ledger/closing.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "ledger/refunds.h"
#include "server/numbers.h"
#include "server/query.h"
#include "server/refusal.h"
#include "server/run_as_owner.h"
#include "state/cell.h"
#include "state/wagers.h"

/* The latest of the standing stakes dated after $2. */
static PreparedQuery find_latest = {
	.sql = "SELECT max(s.posted_at) FROM casino.ledger s"
	" WHERE s.round_id = $1 AND s.kind = 'stake' AND s.posted_at > $2"
	"   AND s.book > casino_internal.last_book_without($1)"
	"   AND NOT EXISTS (SELECT FROM casino.ledger f"
	"                    WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no"
	"                      AND f.book > casino_internal.last_book_without($1) OFFSET 0)",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ}
};

/*
 * The latest of the standing stakes dated after $2 to which casino gave the
 * time (R12.163).  The stake was not ahead of the clock of its writing, which
 * was put back since.  Or it has the time of an earlier entry of the player, or
 * of the evaluation of a round of the player (R12.7, R7.3).  An earlier stake of
 * this round counts only where its caller did not date it ahead.  Time and round
 * bound the earlier entries, so that books put away need not be asked.
 */
static PreparedQuery find_unclaimed = {
	.sql = "SELECT max(s.posted_at) FROM casino.ledger s"
	" WHERE s.round_id = $1 AND s.kind = 'stake' AND s.posted_at > $2"
	"   AND s.book > casino_internal.last_book_without($1)"
	"   AND NOT EXISTS (SELECT FROM casino.ledger f"
	"                    WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no"
	"                      AND f.book > casino_internal.last_book_without($1) OFFSET 0)"
	"   AND (s.posted_at <= s.recorded_at"
	"        OR EXISTS (SELECT FROM casino.ledger b"
	"                    WHERE b.player_id = s.player_id AND b.entry_no < s.entry_no"
	"                      AND b.posted_at = s.posted_at"
	"                      AND (b.kind <> 'stake' OR b.round_id <> $1 OR b.posted_at <= b.recorded_at))"
	"        OR EXISTS (SELECT FROM casino.ledger b JOIN casino.round e ON e.round_id = b.round_id"
	"                    WHERE b.player_id = s.player_id AND b.entry_no < s.entry_no"
	"                      AND e.evaluated_at = s.posted_at))",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ}
};

static PreparedQuery last_event = {
	.sql = "SELECT greatest((SELECT max(d.dealt_at) FROM casino.deal d WHERE d.round_id = $1),"
	"                 (SELECT max(c.disconnected_at) FROM casino.disconnection c WHERE c.round_id = $1),"
	"                 (SELECT max(b.reconnected_at) FROM casino.reconnection b WHERE b.round_id = $1),"
	"                 (SELECT max(h.handed_at) FROM casino.box_handover h WHERE h.round_id = $1),"
	"                 (SELECT max(k.brought_at) FROM casino.table_stack k WHERE k.round_id = $1))",
	.args = {ARG_INT8}
};

/* Players with stakes dated after $2 and those who bet behind somebody, or all ($3) (R11.9). */
static PreparedQuery find_players = {
	.sql = "SELECT DISTINCT s.player_id FROM casino.ledger s"
	" WHERE s.round_id = $1 AND s.kind = 'stake'"
	"   AND ($3 OR s.posted_at > $2 OR casino.kind(s.bet) = 'behind')"
	"   AND s.book > casino_internal.last_book_without($1)",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ, ARG_BOOL}
};

/*
 * Stakes that lay there at $2 and were taken back after it (R13.35): by the
 * round's few refunds, OFFSET 0 so that each stake is looked up.  Not bets
 * behind a main bet that had gone back by then.
 */
static PreparedQuery find_taken_back = {
	.sql = "SELECT s.player_id, s.entry_no, s.bet::text, f.reason, f.posted_at"
	"  FROM casino.ledger f,"
	"        LATERAL (SELECT l.player_id, l.entry_no, l.bet, l.posted_at"
	"                   FROM casino.ledger l"
	"                  WHERE l.player_id = f.player_id AND l.entry_no = f.stake_entry_no"
	"                    AND l.book > casino_internal.last_book_without($1) OFFSET 0) s"
	"  WHERE f.round_id = $1 AND f.kind = 'refund' AND f.posted_at > $2"
	"    AND f.reason IN ('cancelled', 'disconnected', 'excluded')"
	"    AND f.book > casino_internal.last_book_without($1)"
	"    AND s.posted_at <= $2"
	"    AND NOT casino_internal.went_with_main($1, f.player_id, f.entry_no, $2)"
	"  ORDER BY s.player_id, s.entry_no",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ}
};

/* its columns */
enum
{
	TAKEN_PLAYER_ID = 1, TAKEN_ENTRY_NO, TAKEN_BET, TAKEN_REASON, TAKEN_POSTED_AT
};

static PreparedQuery record_taken_back = {
	.sql = "INSERT INTO casino.breach (player_id, entry_no, rule, detail, occurred_at, recorded_at)"
	" VALUES ($1, $2, 'taken_back_late',"
	"         jsonb_build_object('round_id', $3, 'bet', $4, 'reason', $5, 'betting_closed_at', $6), $7, $8)",
	.args = {ARG_INT8, ARG_INT8, ARG_INT8, ARG_TEXT, ARG_TEXT, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ,
	ARG_TIMESTAMPTZ}
};

static PreparedQuery close_round = {
	.sql = "UPDATE casino.round SET status = 'closed', betting_closed_at = $2 WHERE round_id = $1",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ}
};

static PreparedQuery close_actions = {
	.sql = "UPDATE casino.round SET actions_closed_at = $2 WHERE round_id = $1",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ}
};

/* The latest standing stake dated after "at"; DT_NOBEGIN: there is none. */
static TimestampTz
latest_after(int64 round_id, TimestampTz at)
{
	Datum		values[2] = {Int64GetDatum(round_id), TimestampTzGetDatum(at)};

	casino_read_latest(&find_latest, values, NULL);
	return casino_column_time(0, ONLY_COLUMN, DT_NOBEGIN);
}

int
casino_return_late(const RoundState *round, TimestampTz at, bool all)
{
	Datum		values[3] = {Int64GetDatum(round->round_id), TimestampTzGetDatum(at), BoolGetDatum(all)};
	Company		company;
	int			returned = 0;

	if (latest_after(round->round_id, at) == DT_NOBEGIN)
		return 0;
	casino_company_lock(casino_column_numbers(casino_read_latest(&find_players, values, NULL), ONLY_COLUMN),
						&company);
	for (int i = 0; i < company.n; i++)
	{
		Wager	   *wagers;
		int			n = casino_wagers_load(round->round_id, company.players[i].player_id, &wagers);
		bool	   *gone = palloc0(sizeof(bool) * Max(n, 1));
		bool		late = false;
		int			count;

		for (int w = 0; w < n; w++)
			late = (gone[w] = wagers[w].posted_at > at) || late;
		if (!late)
			continue;
		(void) casino_return_wagers(&company.players[i], round, wagers, n, gone, at, "late", &count);
		returned += count;
	}
	return returned + casino_return_behind(&company, round, at, "late");
}

/* What was taken back while the round's lock was waited for is seen, whatever the isolation level. */
void
casino_record_taken_back(const RoundState *round, const EventTime *time)
{
	Datum		which[2] = {Int64GetDatum(round->round_id), TimestampTzGetDatum(time->at)};
	int			n;
	Datum	   *rows;

	/* a time that was not given has come after them (R12.165) */
	if (!time->given)
		return;
	n = (int) casino_read_latest(&find_taken_back, which, NULL);
	rows = palloc(sizeof(Datum) * 8 * Max(n, 1));
	for (int i = 0; i < n; i++)
	{
		Datum	   *values = rows + 8 * i;

		values[0] = Int64GetDatum(casino_column_int64(i, TAKEN_PLAYER_ID));
		values[1] = Int64GetDatum(casino_column_int64(i, TAKEN_ENTRY_NO));
		values[2] = which[0];
		values[3] = CStringGetTextDatum(casino_column_word(i, TAKEN_BET));
		values[4] = CStringGetTextDatum(casino_column_word(i, TAKEN_REASON));
		values[5] = which[1];
		values[6] = TimestampTzGetDatum(casino_column_time(i, TAKEN_POSTED_AT, DT_NOBEGIN));
		values[7] = TimestampTzGetDatum(GetCurrentTimestamp());
	}
	for (int i = 0; i < n; i++)
		casino_execute(&record_taken_back, rows + 8 * i, NULL);
}

void
casino_report_late(const RoundState *round, TimestampTz at, int returned)
{
	if (returned > 0)
		ereport(NOTICE,
				(errmsg_plural("%d stake of round "
							   INT64_FORMAT " came after the end of betting and was returned",
							   "%d stakes of round " INT64_FORMAT " came after the end of betting and were "
							   "returned",
							   returned, returned, round->round_id),
				 errdetail("Betting ended at %s; the refunds have the reason \"late\".",
						   timestamptz_to_str(at))));
}

bool
casino_has_play(const RoundState *round)
{
	for (int i = 0; i < round->nrules; i++)
		if (round->rules[i].phase != PHASE_BETTING)
			return true;
	return false;
}

void
casino_check_after_play(const RoundState *round, EventTime *time)
{
	TimestampTz latest = casino_has_play(round) ? latest_after(round->round_id, time->at) : DT_NOBEGIN;

	if (latest != DT_NOBEGIN && !casino_time_reach(time, latest))
		ereport(ERROR,
				(errrefusal(REFUSAL_BACKDATED, REFUSED_TIME("at", time->at),
							REFUSED_TIME("not_before", latest)),
				 errmsg("time %s is before the last wager of round " INT64_FORMAT,
						timestamptz_to_str(time->at), round->round_id),
				 errdetail("It was placed at %s.", pstrdup(timestamptz_to_str(latest)))));
}

/* The same of the stakes to which casino gave their time. */
static TimestampTz
unclaimed_after(int64 round_id, TimestampTz at)
{
	Datum		values[2] = {Int64GetDatum(round_id), TimestampTzGetDatum(at)};

	casino_read_latest(&find_unclaimed, values, NULL);
	return casino_column_time(0, ONLY_COLUMN, DT_NOBEGIN);
}

/* Of the stakes that lay there at a time and were taken back after it, the latest refund (R12.165). */
static TimestampTz
taken_back_after(int64 round_id, TimestampTz at)
{
	Datum		values[2] = {Int64GetDatum(round_id), TimestampTzGetDatum(at)};
	int			n = (int) casino_read_latest(&find_taken_back, values, NULL);
	TimestampTz latest = DT_NOBEGIN;

	for (int i = 0; i < n; i++)
		latest = Max(latest, casino_column_time(i, TAKEN_POSTED_AT, DT_NOBEGIN));
	return latest;
}

bool
casino_follow_stakes(int64 round_id, EventTime *time)
{
	TimestampTz latest = latest_after(round_id, time->at);
	TimestampTz back;

	if (time->given)
		return latest != DT_NOBEGIN;
	if (latest != DT_NOBEGIN)
		casino_time_follow(time, unclaimed_after(round_id, time->at));
	/* by the later time more chips may have lain there */
	while ((back = taken_back_after(round_id, time->at)) != DT_NOBEGIN)
		casino_time_follow(time, back);
	return latest > time->at;
}

static TimestampTz
last_event_of(int64 round_id)
{
	Datum		values[1] = {Int64GetDatum(round_id)};

	casino_read_latest(&last_event, values, NULL);
	return casino_column_time(0, ONLY_COLUMN, DT_NOBEGIN);
}

void
casino_follow_round(int64 round_id, EventTime *time)
{
	if (!time->given)
		casino_time_follow(time, last_event_of(round_id));
}

void
casino_reach_round(int64 round_id, EventTime *time)
{
	if (!time->given)
		(void) casino_time_reach(time, last_event_of(round_id));
}

/*
 * close_betting(round_id, at): no stake is accepted afterwards, and those
 * dated after it go back.  Waits for stakes that are being placed.  Closing
 * again changes nothing; KR002 for a round voided before it was closed.
 */
PG_FUNCTION_INFO_V1(casino_sql_close_betting);
Datum
casino_sql_close_betting(PG_FUNCTION_ARGS)
{
	int64		round_id = PG_GETARG_INT64(0);
	EventTime	time;
	RunAsOwner	as_owner;
	RoundState	round;

	casino_require_argument(fcinfo, 0, "round_id");
	casino_time_argument(fcinfo, 1, &time);
	casino_as_owner_begin(&as_owner);
	casino_round_lock_exclusive(round_id);
	casino_round_load(round_id, &round);
	if (round.status == ROUND_OPEN)
	{
		Datum		values[2] = {Int64GetDatum(round_id)};
		int			late;

		casino_cell_event_time(&time);
		casino_time_take(&time);
		casino_round_check_time(&round, &time, round.opened_at, "opened");
		casino_follow_round(round_id, &time);
		late = casino_follow_stakes(round_id, &time) ? casino_return_late(&round, time.at, false) : 0;
		casino_record_taken_back(&round, &time);
		values[1] = TimestampTzGetDatum(time.at);
		casino_round_update(&close_round, values, NULL);
		casino_report_late(&round, time.at, late);
	}
	else if (round.betting_closed_at == DT_NOBEGIN)
		ereport(ERROR,
				(errrefusal(REFUSAL_ROUND_STATE, REFUSED_INT("round_id", round_id),
							REFUSED_TEXT("status", casino_round_status_name(round.status))),
				 errmsg("round " INT64_FORMAT " is %s", round_id, casino_round_status_name(round.status)),
				 errdetail("Its betting was never closed.")));
	casino_as_owner_end(&as_owner);
	PG_RETURN_VOID();
}

/*
 * close_actions(round_id, at): the players' decisions are over, no in-play
 * wager is accepted afterwards (KB005).  After betting has closed, KR002; again
 * changes nothing.
 */
PG_FUNCTION_INFO_V1(casino_sql_close_actions);
Datum
casino_sql_close_actions(PG_FUNCTION_ARGS)
{
	int64		round_id;
	EventTime	time;
	RunAsOwner	as_owner;
	RoundState	round;

	casino_require_argument(fcinfo, 0, "round_id");
	round_id = PG_GETARG_INT64(0);
	casino_time_argument(fcinfo, 1, &time);
	casino_as_owner_begin(&as_owner);
	casino_round_lock_exclusive(round_id);
	casino_round_load(round_id, &round);

	/* closed again is a repetition, and changes nothing */
	if (round.actions_closed_at == DT_NOBEGIN)
	{
		Datum		values[2] = {Int64GetDatum(round_id)};
		int			late = 0;

		if (round.status != ROUND_CLOSED)
			ereport(ERROR,
					(errrefusal(REFUSAL_ROUND_STATE, REFUSED_INT("round_id", round_id),
								REFUSED_TEXT("status", casino_round_status_name(round.status))),
					 errmsg("round " INT64_FORMAT " is %s", round_id, casino_round_status_name(round.status)),
					 errdetail("Decisions end between the close of betting and the evaluation.")));
		casino_cell_event_time(&time);
		casino_time_take(&time);
		casino_round_check_time(&round, &time, round.betting_closed_at, "closed");

		/*
		 * the hub has ended them long ago: what this cell took afterwards was never made known at the table
		 * (R13.5)
		 */
		if (casino_time_is_late(&time))
			late = casino_return_late(&round, time.at, false);
		casino_check_after_play(&round, &time);
		values[1] = TimestampTzGetDatum(time.at);
		casino_round_update(&close_actions, values, NULL);
		casino_report_late(&round, time.at, late);
	}
	casino_as_owner_end(&as_owner);
	PG_RETURN_VOID();
}
