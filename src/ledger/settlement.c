/*
 * settlement.c
 *	  Evaluating a round: settle_round(), void_round().
 *
 * Both post under the exclusive lock of the round.  Players' rows are locked
 * in the order of their numbers.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "core/money.h"
#include "duties/duties.h"
#include "games/families.h"
#include "games/outcome.h"
#include "ledger/closing.h"
#include "ledger/deal.h"
#include "ledger/payouts.h"
#include "ledger/settlement.h"
#include "ledger/withheld.h"
#include "server/bounds.h"
#include "server/caller.h"
#include "server/event_time.h"
#include "server/query.h"
#include "server/run_as_owner.h"
#include "state/cell.h"
#include "state/evaluation_query.h"
#include "state/round.h"

/* what a message shows of an outcome */
#define SHOWN_OUTCOME_BYTES	1000

static PreparedQuery evaluate_round = {
	.sql = "UPDATE casino.round"
	"   SET status = $2, evaluated_at = $3, outcome = $4, void_reason = $5,"
	"       betting_closed_at = coalesce(betting_closed_at, $6),"
	"       outcome_document = $7, evaluation_recorded_at = $8,"
	"       voided_at = CASE WHEN $2 = 'voided' THEN $3 END"
	" WHERE round_id = $1",
	.args = {ARG_INT8, ARG_TEXT, ARG_TIMESTAMPTZ, ARG_JSONB, ARG_TEXT, ARG_TIMESTAMPTZ, ARG_JSONB, ARG_TIMESTAMPTZ}
};

static PreparedQuery lock_players = {
	.sql = "SELECT count(*)"
	"  FROM (SELECT FROM casino.player p"
	"         WHERE p.player_id IN (SELECT s.player_id FROM casino.ledger s"
	"                                WHERE s.round_id = $1 AND s.kind = 'stake')"
	"         ORDER BY p.player_id FOR NO KEY UPDATE) locked",
	.args = {ARG_INT8}
};

static EvaluationQuery record_breaches = {
	.sql = "INSERT INTO casino.breach (player_id, entry_no, rule, detail, occurred_at, recorded_at)"
	" SELECT player_id, entry_no, breach,"
	"        jsonb_build_object('round_id', round_id, 'bet', bet::text, 'grade', grade, 'payout', payout),"
	"        $2, $3"
	"   FROM casino.evaluation_%s WHERE round_id = $1 AND breach IS NOT NULL",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ}
};

static PreparedQuery save_figures = {
	.sql = "UPDATE casino.round SET wagers = $2, players = $3, staked = $4, paid = $5"
	" WHERE round_id = $1",
	.args = {ARG_INT8, ARG_INT8, ARG_INT8, ARG_NUMERIC, ARG_NUMERIC}
};

/* the columns of casino.settlement, in their order */
static PreparedQuery load_settlement = {
	.sql = "SELECT round_id, status, wagers, players, staked, paid, staked - paid, coalesce(voided_at, evaluated_at)"
	"  FROM casino.round WHERE round_id = $1",
	.args = {ARG_INT8}
};

/*
 * Bring the round from open or closed to its end: with the outcome in its
 * canonical form and as it was sent, or the reason of a void.
 */
static void
end_round(const RoundState *round, RoundStatus status, TimestampTz at, Jsonb *outcome,
		  Jsonb *document, const char *reason)
{
	Datum		values[8];
	char		nulls[] = "        ";

	values[0] = Int64GetDatum(round->round_id);
	values[1] = CStringGetTextDatum(casino_round_status_name(status));
	values[2] = TimestampTzGetDatum(at);
	values[3] = PointerGetDatum(outcome);
	values[4] = reason ? CStringGetTextDatum(reason) : (Datum) 0;
	/* voided while betting was open: never closed */
	values[5] = TimestampTzGetDatum(status == ROUND_VOIDED ? round->betting_closed_at : at);
	values[6] = PointerGetDatum(document);
	values[7] = TimestampTzGetDatum(GetCurrentTimestamp());
	if (outcome == NULL)
		nulls[3] = nulls[6] = 'n';
	if (reason == NULL)
		nulls[4] = 'n';
	if (status == ROUND_VOIDED && round->betting_closed_at == DT_NOBEGIN)
		nulls[5] = 'n';
	casino_round_update(&evaluate_round, values, nulls);
}

void
casino_settlement_lock_players(int64 round_id)
{
	Datum		values[1] = {Int64GetDatum(round_id)};

	casino_round_check_snapshot(round_id);
	casino_execute(&lock_players, values, NULL);
}

void
casino_settlement_refund(int64 round_id, int64 player_id, TimestampTz at, RoundFigures *figures)
{
	RoundWagers wagers;

	casino_round_check_snapshot(round_id);
	casino_round_wagers_load(round_id, &wagers);
	casino_round_wagers_unpaid(&wagers, player_id);
	/* why it was voided stands once, with the round or the player's withholding */
	casino_payouts_refund(round_id, &wagers, at, "voided");
	memset(figures, 0, sizeof(*figures));
	for (int first = 0, next; first < wagers.count; first = next)
	{
		next = casino_round_wagers_next_player(&wagers, first);
		figures->players++;
		figures->wagers += next - first;
		for (int i = first; i < next; i++)
			if (!casino_money_add(figures->staked, wagers.wagers[i].payout, &figures->staked))
				ereport(ERROR,
						(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
						 errmsg("sum of the stakes is out of range")));
	}
	figures->paid = figures->staked;
}

void
casino_settlement_reckon(const RoundState *round, RoundWagers *wagers)
{
	Outcome		outcome;
	RoundFigures figures;

	casino_outcome_read(casino_family_rules(round), round->outcome, false, &outcome);
	casino_round_wagers_load(round->round_id, wagers);
	casino_family_rules(round)->grade(round, &outcome, wagers);
	casino_payouts_reckon(round, wagers, &figures);
}

/* Keep the figures of an evaluated round. */
static void
save_figures_of(int64 round_id, const RoundFigures *figures)
{
	Datum		values[5];

	values[0] = Int64GetDatum(round_id);
	values[1] = Int64GetDatum(figures->wagers);
	values[2] = Int64GetDatum(figures->players);
	values[3] = NumericGetDatum(casino_halere_to_numeric(figures->staked));
	values[4] = NumericGetDatum(casino_halere_to_numeric(figures->paid));
	casino_execute(&save_figures, values, NULL);
}

/* Did a wager get less than its odds, or was it never on offer? */
static bool
has_breach(const RoundWagers *wagers)
{
	for (int i = 0; i < wagers->count; i++)
		if (wagers->wagers[i].capped ||
			(wagers->wagers[i].grade == CASINO_RETURNED && wagers->wagers[i].bet.kind == CASINO_INSURANCE))
			return true;
	return false;
}

/* Record what the wagers of an evaluated round have broken. */
static void
record_breaches_of(const RoundState *round, TimestampTz at)
{
	Datum		values[3];

	values[0] = Int64GetDatum(round->round_id);
	values[1] = TimestampTzGetDatum(at);
	values[2] = TimestampTzGetDatum(GetCurrentTimestamp());
	casino_execute(casino_evaluation_query(&record_breaches, round->family), values, NULL);
}

Datum
casino_settlement_row(FunctionCallInfo fcinfo, const RunAsOwner *as_owner, Datum *values, bool *nulls)
{
	TupleDesc	desc;
	HeapTuple	tuple;
	Datum		result;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	tuple = heap_form_tuple(BlessTupleDesc(desc), values, nulls);
	result = SPI_datumTransfer(HeapTupleGetDatum(tuple), false, -1);
	casino_as_owner_end(as_owner);
	return result;
}

Datum
casino_settlement_datum(FunctionCallInfo fcinfo, const RunAsOwner *as_owner, int64 round_id)
{
	Datum		round[1] = {Int64GetDatum(round_id)};
	Datum		values[SETTLEMENT_COLUMNS];
	bool		nulls[SETTLEMENT_COLUMNS];

	casino_read_latest(&load_settlement, round, NULL);
	for (int i = 0; i < SETTLEMENT_COLUMNS; i++)
		values[i] = casino_column(0, 1 + i, &nulls[i]);
	return casino_settlement_row(fcinfo, as_owner, values, nulls);
}

void
casino_settlement_begin(RunAsOwner *as_owner, int64 round_id, RoundState *round)
{
	casino_as_owner_begin(as_owner);
	casino_round_lock_exclusive(round_id);
	casino_round_load(round_id, round);
}

void
casino_settlement_check_time(const RoundState *round, EventTime *time)
{
	casino_time_take(time);
	casino_round_check_time(round, time, round->opened_at, "opened");
	if (round->status == ROUND_OPEN)
		return;
	casino_round_check_time(round, time, round->betting_closed_at, "closed");
	if (round->actions_closed_at != DT_NOBEGIN)
		casino_round_check_time(round, time, round->actions_closed_at, "closed for actions");
	casino_check_after_play(round, time);
}

/*
 * Where betting is still open it ends with the evaluation: gives how many
 * stakes came later and went back.
 */
static int
end_betting(const RoundState *round, EventTime *time)
{
	casino_settlement_check_time(round, time);
	return round->status == ROUND_OPEN ? casino_return_late(round, time->at, true) : 0;
}

void
casino_settlement_refuse(const RoundState *round, const char *detail)
{
	ereport(ERROR,
			(errcode(CASINO_ERRCODE_ROUND_STATE),
			 errmsg("round " INT64_FORMAT " is %s", round->round_id,
					casino_round_status_name(round->status)),
			 errdetail_internal("%s", detail)));
}

/* An outcome as far as there is room for it. */
char *
casino_settlement_end(const RoundState *round)
{
	char	   *outcome;
	int			len;
	int			shown;

	if (round->status == ROUND_VOIDED)
		return psprintf("It was voided: %s", round->void_reason);
	if (round->outcome == NULL)
		return pstrdup("It is not evaluated.");
	outcome = JsonbToCString(NULL, &round->outcome->root, VARSIZE(round->outcome));
	len = strlen(outcome);
	shown = pg_mbcliplen(outcome, len, SHOWN_OUTCOME_BYTES);
	return psprintf("It was settled with the outcome %.*s%s", shown, outcome, shown < len ? " ..." : "");
}

bool
casino_settlement_is_so(const RoundState *round, const Jsonb *document, Outcome *outcome)
{
	if (round->status == ROUND_VOIDED)
		casino_settlement_refuse(round, casino_settlement_end(round));
	casino_outcome_read(casino_family_rules(round), document, false, outcome);
	if (round->outcome == NULL)
		return false;
	if (compareJsonbContainers(&round->outcome->root, &outcome->canonical->root) != 0)
		casino_settlement_refuse(round, casino_settlement_end(round));
	return true;
}

void
casino_settlement_grade(const RoundState *round, const Outcome *outcome, RoundWagers *wagers, RoundFigures *figures)
{
	/* of a table with seats there are none but in its home cell */
	if (wagers->count > 0)
		casino_family_rules(round)->grade(round, outcome, wagers);
	casino_payouts_reckon(round, wagers, figures);
}

/*
 * settle_round(round_id, outcome, at, withhold, withhold_reason): checks the
 * outcome (KR001), grades every wager and posts the payouts, or holds them
 * back, of all or of single players (withheld.c) (R11.13, R11.14).  Betting that
 * is still open is closed.  The same outcome again returns the same
 * settlement, another one is KR002.
 */
PG_FUNCTION_INFO_V1(casino_sql_settle_round);
Datum
casino_sql_settle_round(PG_FUNCTION_ARGS)
{
	int64		round_id = PG_GETARG_INT64(0);
	EventTime	time;
	bool		withhold = PG_GETARG_BOOL(3);
	RunAsOwner	as_owner;
	RoundState	round;
	Outcome		outcome;
	RoundWagers wagers;
	RoundFigures figures;
	int			late;

	casino_require_argument(fcinfo, 0, "round_id");
	casino_require_argument(fcinfo, 1, "outcome");
	casino_time_argument(fcinfo, 2, &time);
	casino_require_argument(fcinfo, 3, "withhold");
	if (!PG_ARGISNULL(4))
		casino_bound_text("withhold_reason", PG_GETARG_TEXT_PP(4), CASINO_REASON_BYTES);
	casino_bound_document("outcome", PG_GETARG_JSONB_P(1));
	casino_settlement_begin(&as_owner, round_id, &round);
	casino_cell_event_time(&time);

	/* the same outcome again is answered with the settlement that stands */
	if (casino_settlement_is_so(&round, PG_GETARG_JSONB_P(1), &outcome))
		return casino_settlement_datum(fcinfo, &as_owner, round_id);

	/* stakes dated after the end of betting go back before anything is graded */
	late = end_betting(&round, &time);
	casino_round_wagers_load(round_id, &wagers);
	casino_deal_check(&round, &outcome, &wagers, false);
	casino_deal_keep(round_id, &outcome);

	/* KR001 is behind us: from here on only what is computed is written, the round first */
	withhold = casino_withheld_round(round_id, withhold,
									 PG_ARGISNULL(4) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(4)), time.at);
	end_round(&round, withhold ? ROUND_WITHHELD : ROUND_SETTLED, time.at, outcome.canonical, PG_GETARG_JSONB_P(1),
			  NULL);
	casino_round_check_snapshot(round_id);
	casino_settlement_grade(&round, &outcome, &wagers, &figures);

	/* players in the order of their numbers, under their own locks; losers are not touched */
	if (!withhold)
	{
		RoundWagers paid = casino_withheld_leave_out(round_id, &wagers);

		casino_payouts_post(round_id, &paid, time.at);
	}

	/* what follows from the round as it now stands: its figures, breaches, counters of limits */
	save_figures_of(round_id, &figures);
	if (has_breach(&wagers))
		record_breaches_of(&round, time.at);
	casino_duties_evaluated(&round, time.at);
	casino_report_late(&round, time.at, late);
	return casino_settlement_datum(fcinfo, &as_owner, round_id);
}

/*
 * void_round(round_id, reason, at): every stake is returned, also of a round
 * that is withheld (R11.15).  Voiding again for the same reason returns the same
 * settlement; a settled round, or another reason, is KR002.
 */
PG_FUNCTION_INFO_V1(casino_sql_void_round);
Datum
casino_sql_void_round(PG_FUNCTION_ARGS)
{
	int64		round_id = PG_GETARG_INT64(0);
	char	   *reason;
	EventTime	time;
	RunAsOwner	as_owner;
	RoundState	round;
	RoundFigures figures;
	int			late;

	casino_require_argument(fcinfo, 0, "round_id");
	reason = casino_reason_argument(fcinfo, 1, "voiding a round");
	casino_time_argument(fcinfo, 2, &time);
	casino_settlement_begin(&as_owner, round_id, &round);
	casino_cell_event_time(&time);

	/* a repetition is answered, another reason is not one */
	if (round.status == ROUND_VOIDED)
	{
		if (strcmp(round.void_reason, reason) != 0)
			casino_settlement_refuse(&round, casino_settlement_end(&round));
		return casino_settlement_datum(fcinfo, &as_owner, round_id);
	}

	/* evaluated, but not paid: what the evaluation counted is taken back, too */
	if (round.status == ROUND_WITHHELD)
	{
		casino_withheld_void_round(&round, reason, &time);
		return casino_settlement_datum(fcinfo, &as_owner, round_id);
	}
	if (round.status != ROUND_OPEN && round.status != ROUND_CLOSED)
		casino_settlement_refuse(&round, casino_settlement_end(&round));

	/* what was staked after the end of betting was never placed, and goes back as late */
	late = end_betting(&round, &time);
	/* R13.3 */
	if (round.status == ROUND_OPEN && time.at >= round.betting_until)
	{
		round.status = ROUND_CLOSED;
		round.betting_closed_at = round.betting_until;
	}

	end_round(&round, ROUND_VOIDED, time.at, NULL, NULL, reason);

	/* the round is locked: now the players, and their counters after them */
	casino_settlement_lock_players(round_id);
	casino_duties_voided(&round);
	casino_settlement_refund(round_id, 0, time.at, &figures);
	casino_withheld_voided(round_id, reason, time.at);

	/* the figures follow what was really posted */
	save_figures_of(round_id, &figures);
	casino_report_late(&round, time.at, late);
	return casino_settlement_datum(fcinfo, &as_owner, round_id);
}
