/*
 * settlement.c
 *	  Evaluating a round: settle_round(), void_round().
 *
 * Both post under the exclusive lock of the round.  Players' rows are locked
 * in the order of their numbers.
 */
#include "postgres.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "duties/duties.h"
#include "games/families.h"
#include "games/outcome.h"
#include "ledger/closing.h"
#include "ledger/deal.h"
#include "ledger/ground.h"
#include "ledger/payouts.h"
#include "ledger/settlement.h"
#include "ledger/withheld.h"
#include "server/bounds.h"
#include "server/event_time.h"
#include "server/query.h"
#include "server/run_as_owner.h"
#include "state/cell.h"
#include "state/evaluation_query.h"
#include "state/round.h"

static PreparedQuery evaluate_round = {
	.sql = "UPDATE casino.round"
	"   SET status = $2, evaluated_at = $3, outcome = $4, void_reason = $5, void_ground = $9,"
	"       betting_closed_at = coalesce(betting_closed_at, $6),"
	"       outcome_document = $7, evaluation_recorded_at = $8,"
	"       voided_at = CASE WHEN $2 = 'voided' THEN $3 END"
	" WHERE round_id = $1",
	.args = {ARG_INT8, ARG_TEXT, ARG_TIMESTAMPTZ, ARG_JSONB, ARG_TEXT, ARG_TIMESTAMPTZ, ARG_JSONB,
	ARG_TIMESTAMPTZ, ARG_TEXT}
};

static EvaluationQuery record_breaches = {
	.sql = "INSERT INTO casino.breach (player_id, entry_no, rule, detail, occurred_at, recorded_at)"
	" SELECT player_id, entry_no, breach,"
	"        jsonb_build_object('round_id', round_id, 'bet', bet::text, 'grade', grade, 'payout', payout),"
	"        $2, $3"
	"   FROM casino.evaluation_%s WHERE round_id = $1 AND breach IS NOT NULL",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ}
};

/* Hands of absent players that were not played by the plan's rule for them (R3.21). */
static PreparedQuery record_no_action = {
	.sql = "INSERT INTO casino.breach (player_id, entry_no, rule, detail, occurred_at, recorded_at)"
	" SELECT c.player_id, c.entry_no, 'no_action',"
	"        jsonb_build_object('round_id', $1, 'rule', min(c.rule), 'paragraph', min(c.paragraph),"
	"                           'hands', jsonb_agg(jsonb_strip_nulls(jsonb_build_object('seat', c.seat, "
	"'hand', c.hand, 'cards', c.cards,"
	"                                                                                   'expected', "
	"c.expected)) ORDER BY c.hand)),"
	"        $2, $3"
	"   FROM casino_internal.no_action_contradictions($1) c"
	"  GROUP BY c.player_id, c.entry_no"
	" ON CONFLICT DO NOTHING",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ}
};

static PreparedQuery find_disconnection = {
	.sql = "SELECT 1 FROM casino.disconnection WHERE round_id = $1 LIMIT 1",
	.args = {ARG_INT8}
};

static PreparedQuery save_figures = {
	.sql = "UPDATE casino.round SET wagers = $2, players = $3, staked = $4, paid = $5"
	" WHERE round_id = $1",
	.args = {ARG_INT8, ARG_INT8, ARG_INT8, ARG_NUMERIC, ARG_NUMERIC}
};

/*
 * Bring the round from open or closed to its end: with the outcome in its
 * canonical form and as it was sent, or the reason of a void.
 */
static void
end_round(const RoundState *round, RoundStatus status, TimestampTz at, Jsonb *outcome,
		  Jsonb *document, const Ground *ground)
{
	Datum		values[9];
	char		nulls[] = "         ";

	values[0] = Int64GetDatum(round->round_id);
	values[1] = CStringGetTextDatum(casino_round_status_name(status));
	values[2] = TimestampTzGetDatum(at);
	values[3] = PointerGetDatum(outcome);
	values[4] = ground ? CStringGetTextDatum(ground->reason) : (Datum) 0;
	/* voided while betting was open: never closed */
	values[5] = TimestampTzGetDatum(status == ROUND_VOIDED ? round->betting_closed_at : at);
	values[6] = PointerGetDatum(document);
	values[7] = TimestampTzGetDatum(GetCurrentTimestamp());
	values[8] = ground ? CStringGetTextDatum(ground->code) : (Datum) 0;
	if (outcome == NULL)
		nulls[3] = nulls[6] = 'n';
	if (ground == NULL)
		nulls[4] = nulls[8] = 'n';
	if (status == ROUND_VOIDED && round->betting_closed_at == DT_NOBEGIN)
		nulls[5] = 'n';
	casino_round_update(&evaluate_round, values, nulls);
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

void
casino_settlement_record_no_action(const RoundState *round, TimestampTz at)
{
	Datum		values[3];

	values[0] = Int64GetDatum(round->round_id);
	values[1] = TimestampTzGetDatum(at);
	values[2] = TimestampTzGetDatum(GetCurrentTimestamp());
	if (casino_has_play(round) && casino_read_latest(&find_disconnection, values, NULL) > 0)
		casino_execute(&record_no_action, values, NULL);
}

/*
 * Where betting is still open it ends with the evaluation: gives how many
 * stakes came later and went back.
 */
static int
end_betting(const RoundState *round, EventTime *time)
{
	return casino_settlement_check_time(round, time) ? casino_return_late(round, time->at, true) : 0;
}

/*
 * settle_round(round_id, outcome, at, withhold, withhold_reason, ground): checks
 * the outcome (KR001), grades every wager and posts the payouts, or holds them
 * back, of all or of single players (withheld.c) (R11.13, R11.14, R11.41).  Betting that
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
	Ground		ground;
	int			late;

	casino_require_argument(fcinfo, 0, "round_id");
	casino_require_argument(fcinfo, 1, "outcome");
	casino_time_argument(fcinfo, 2, &time);
	casino_require_argument(fcinfo, 3, "withhold");
	casino_withholding_argument(fcinfo, 4, 5, &ground);
	casino_bound_document("outcome", PG_GETARG_JSONB_P(1));
	casino_settlement_begin(&as_owner, round_id, &round);
	casino_ground_of_plan(&round, &ground);
	casino_cell_event_time(&time);

	/* the same outcome again is answered with the settlement that stands */
	if (casino_settlement_is_so(&round, PG_GETARG_JSONB_P(1), &outcome))
		return casino_settlement_datum(fcinfo, &as_owner, round_id);
	/* R13.32 */
	casino_settlement_check_final(&round, &time);

	/* stakes dated after the end of betting go back before anything is graded */
	late = end_betting(&round, &time);
	if (round.status == ROUND_OPEN)
		casino_record_taken_back(&round, &time);
	casino_round_wagers_load(round_id, &wagers);
	casino_deal_check(&round, &outcome, &wagers, false);
	casino_deal_keep(round_id, &outcome);

	/* KR001 is behind us: from here on only what is computed is written, the round first */
	withhold = casino_withheld_round(round_id, withhold, &ground, time.at);
	end_round(&round, withhold ? ROUND_WITHHELD : ROUND_SETTLED, time.at, outcome.canonical,
			  PG_GETARG_JSONB_P(1),
			  NULL);
	casino_round_check_snapshot(round_id);
	casino_payouts_reckon(&round, &outcome, &wagers, &figures);

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
	casino_settlement_record_no_action(&round, time.at);
	casino_duties_evaluated(&round, &wagers, time.at);
	casino_report_late(&round, time.at, late);
	return casino_settlement_datum(fcinfo, &as_owner, round_id);
}

/*
 * void_round(round_id, reason, at, ground): every stake is returned, also of a round
 * that is withheld (R11.15).  Voiding again for the same reason and ground returns
 * the same settlement; a settled round, or another reason or ground, is KR002.
 */
PG_FUNCTION_INFO_V1(casino_sql_void_round);
Datum
casino_sql_void_round(PG_FUNCTION_ARGS)
{
	int64		round_id = PG_GETARG_INT64(0);
	Ground		ground;
	EventTime	time;
	RunAsOwner	as_owner;
	RoundState	round;
	RoundFigures figures;
	int			late;

	casino_require_argument(fcinfo, 0, "round_id");
	casino_ground_argument(fcinfo, 1, 3, "voiding a round", &ground);
	casino_time_argument(fcinfo, 2, &time);
	casino_settlement_begin(&as_owner, round_id, &round);
	casino_ground_of_plan(&round, &ground);
	casino_cell_event_time(&time);

	/* a repetition is answered, another reason is not one */
	if (round.status == ROUND_VOIDED)
	{
		if (strcmp(round.void_reason, ground.reason) != 0 || !casino_void_ground_is(round_id, ground.code))
			casino_settlement_refuse(&round, casino_settlement_end(&round));
		return casino_settlement_datum(fcinfo, &as_owner, round_id);
	}

	/* evaluated, but not paid: what the evaluation counted is taken back, too */
	if (round.status == ROUND_WITHHELD)
	{
		casino_withheld_void_round(&round, &ground, &time);
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

	end_round(&round, ROUND_VOIDED, time.at, NULL, NULL, &ground);

	/* the round is locked: now the players, and their counters after them */
	casino_settlement_lock_players(round_id);
	casino_duties_voided(&round);
	casino_settlement_refund(round_id, 0, time.at, &figures);
	casino_withheld_voided(round_id, &ground, time.at);

	/* the figures follow what was really posted */
	save_figures_of(round_id, &figures);
	casino_report_late(&round, time.at, late);
	return casino_settlement_datum(fcinfo, &as_owner, round_id);
}
