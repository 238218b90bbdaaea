/*
 * corrections.c
 *	  Results found wrong after the evaluation (D4 Blackjack §16): proposed by
 *	  correct_round(), in force by approve_correction() of a second person,
 *	  or ended by reject_correction() (R11.33, R11.34).
 *
 * casino.round and casino.dealt_hand have what holds now; what held before is
 * kept with the decision, and is what seals cover.
 */
#include "ledger/corrections.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "core/money.h"
#include "duties/duties.h"
#include "games/families.h"
#include "ledger/deal.h"
#include "ledger/ground.h"
#include "ledger/settlement.h"
#include "ledger/withheld.h"
#include "server/bounds.h"
#include "server/event_time.h"
#include "server/posting.h"
#include "server/query.h"
#include "server/recorder.h"
#include "server/refusal.h"
#include "server/run_as_owner.h"
#include "state/cell.h"
#include "state/evaluation_query.h"
#include "state/wagers.h"

/* The last correction of a round that was not rejected, and whether it is in force. */
static PreparedQuery find_last = {
	.sql = "SELECT c.correction_no, c.outcome, c.reason, c.ground, d.version IS NOT NULL, d.decided_at"
	"  FROM casino.round_correction c"
	"  LEFT JOIN casino.correction_decision d ON d.correction_no = c.correction_no"
	" WHERE c.round_id = $1 AND d.status IS DISTINCT FROM 'rejected'"
	" ORDER BY c.correction_no DESC LIMIT 1",
	.args = {ARG_INT8}
};

/* its columns */
enum
{
	LAST_NO = 1, LAST_OUTCOME, LAST_REASON, LAST_GROUND, LAST_IN_FORCE, LAST_DECIDED_AT
};

static PreparedQuery insert_correction = {
	.sql = "INSERT INTO casino.round_correction (correction_no, round_id, outcome, outcome_document, reason,"
	"                                     ground, proposed_at, recorded_at)"
	" VALUES (nextval('casino.correction_no_seq'), $1, $2, $3, $4, $5, $6, $7) RETURNING correction_no",
	.args = {ARG_INT8, ARG_JSONB, ARG_JSONB, ARG_TEXT, ARG_TEXT, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ}
};

static PreparedQuery find_correction = {
	.sql = "SELECT c.round_id, c.outcome, c.outcome_document, c.reason, c.ground, c.proposed_at, d.status,"
	"       casino_internal.same_eyes(c.recorded_by, $2)"
	"  FROM casino.round_correction c"
	"  LEFT JOIN casino.correction_decision d ON d.correction_no = c.correction_no"
	" WHERE c.correction_no = $1",
	.args = {ARG_INT8, ARG_INT4}
};

/* its columns */
enum
{
	CORRECTION_ROUND_ID = 1, CORRECTION_OUTCOME, CORRECTION_DOCUMENT, CORRECTION_REASON, CORRECTION_GROUND,
	CORRECTION_PROPOSED_AT, CORRECTION_DECIDED, CORRECTION_SAME_EYES
};

static PreparedQuery insert_decision = {
	.sql = "INSERT INTO casino.correction_decision (correction_no, round_id, version, reason, status, "
	"wagers, players, staked,"
	"                                        paid, entries, posted, claimed, former, decided_at, recorded_at)"
	" SELECT $1, r.round_id, CASE WHEN $3 IS NULL THEN (SELECT count(*) + 1 FROM casino.correction_decision d"
	"                                                    WHERE d.round_id = r.round_id"
	" AND d.version IS NOT NULL) END,"
	"        $3, $4, $5, $6, $7, $8, $9, $10, $11,"
	"        jsonb_build_object('status', r.status, 'outcome', r.outcome, 'document', r.outcome_document, "
	"'wagers', r.wagers,"
	"                           'players', r.players, 'staked', r.staked, 'paid', r.paid,"
	"                           'void_reason', r.void_reason, 'void_ground', r.void_ground,"
	"                           'voided_at', r.voided_at, 'voided_by', r.voided_by,"
	"                           'voided_recorded_at', r.voided_recorded_at), $12, $13"
	"   FROM casino.round r WHERE r.round_id = $2",
	.args = {ARG_INT8, ARG_INT8, ARG_TEXT, ARG_TEXT, ARG_INT8, ARG_INT8, ARG_NUMERIC, ARG_NUMERIC, ARG_INT8,
	ARG_NUMERIC, ARG_NUMERIC, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ}
};

/* The cards that hold now, as version $2; $3: unless that version is there. */
static PreparedQuery keep_hands = {
	.sql = "INSERT INTO casino.hand_version (round_id, version, side, seat, group_no, hand, cards, "
	"surrendered, folded,"
	"                                 even_money, even_money_players, players)"
	" SELECT h.round_id, coalesce($2, (SELECT max(d.version) FROM casino.correction_decision d"
	" WHERE d.round_id = $1)),"
	"        h.side, h.seat, h.group_no, h.hand, h.cards, h.surrendered, h.folded, h.even_money, "
	"h.even_money_players, h.players"
	"   FROM casino.dealt_hand h"
	"  WHERE h.round_id = $1"
	"    AND NOT EXISTS (SELECT FROM casino.hand_version v WHERE v.round_id = $1 AND v.version = $2)",
	.args = {ARG_INT8, ARG_INT4}
};

static PreparedQuery change_round = {
	.sql = "UPDATE casino.round SET status = $2, outcome = coalesce($3, outcome), outcome_document = "
	"coalesce($4, outcome_document),"
	"       void_reason = $5, void_ground = $11,"
	"       voided_at = $6, wagers = $7, players = $8, staked = $9, paid = $10"
	" WHERE round_id = $1",
	.args = {ARG_INT8, ARG_TEXT, ARG_JSONB, ARG_JSONB, ARG_TEXT, ARG_TIMESTAMPTZ, ARG_INT8, ARG_INT8,
	ARG_NUMERIC, ARG_NUMERIC, ARG_TEXT}
};

/* What the wagers have broken by the right result; what was recorded before stays. */
static EvaluationQuery record_breaches = {
	.sql = "INSERT INTO casino.breach (player_id, entry_no, rule, detail, occurred_at, recorded_at)"
	" SELECT player_id, entry_no, breach,"
	"        jsonb_build_object('round_id', round_id, 'bet', bet::text, 'grade', grade, 'payout', payout), "
	"$2, $3"
	"   FROM casino.evaluation_%s WHERE round_id = $1 AND breach IS NOT NULL"
	" ON CONFLICT DO NOTHING",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ}
};

/* Stakes that went back with the void, not those of players whose wagers had been voided alone (R11.87). */
static PreparedQuery find_refund = {
	.sql = "SELECT 1 FROM casino.ledger f"
	" WHERE f.round_id = $1 AND f.kind = 'refund' AND f.reason = 'voided'"
	"   AND NOT EXISTS (SELECT FROM casino.withholding_end e"
	"                    WHERE e.player_id = f.player_id AND e.round_id = $1 AND e.how = 'voided'"
	"                      AND e.ended_at < (SELECT d.decided_at FROM casino.correction_decision d"
	"                                         WHERE d.round_id = $1 AND d.version IS NOT NULL"
	"                                         ORDER BY d.version DESC LIMIT 1))"
	" LIMIT 1",
	.args = {ARG_INT8}
};

static PreparedQuery find_payout_by_hand = {
	.sql = "SELECT 1 FROM casino.ledger s"
	"  JOIN casino.ledger p ON p.player_id = s.player_id AND p.stake_entry_no = s.entry_no"
	" AND p.kind = 'payout'"
	" WHERE s.round_id = $1 AND s.kind = 'stake'"
	"   AND NOT EXISTS (SELECT FROM casino.withholding_end e"
	"                    WHERE e.player_id = s.player_id AND e.round_id = $1 AND e.how = 'paid')"
	" LIMIT 1",
	.args = {ARG_INT8}
};

/* Correction of a round, as it was proposed. */
typedef struct Correction
{
	int64		correction_no;
	int64		round_id;
	Jsonb	   *outcome;		/* NULL: the round is void */
	Jsonb	   *document;
	char	   *reason;
	char	   *ground;			/* of the void; NULL where there is an outcome */
	TimestampTz proposed_at;
	char	   *decided;		/* NULL: not yet */
	char	   *same_eyes;		/* why the caller is no second person; NULL: the caller is one */
} Correction;

static Jsonb *
jsonb_column(uint64 row, int column)
{
	bool		isnull;
	Datum		value = casino_column(row, column, ARG_JSONB, &isnull);

	return isnull ? NULL : DatumGetJsonbPCopy(value);
}

static bool
same_outcome(const Jsonb *a, const Jsonb *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return compareJsonbContainers((JsonbContainer *) &a->root, (JsonbContainer *) &b->root) == 0;
}

/* 23503 for a number of none. */
static void
load_correction(int64 correction_no, Correction *correction)
{
	Datum		values[2] = {Int64GetDatum(correction_no), Int32GetDatum(casino_recorder())};

	if (casino_read_latest(&find_correction, values, NULL) != 1)
		ereport(ERROR,
				(errcode(ERRCODE_FOREIGN_KEY_VIOLATION),
				 errmsg("correction " INT64_FORMAT " does not exist", correction_no)));
	correction->correction_no = correction_no;
	correction->round_id = casino_column_int64(0, CORRECTION_ROUND_ID);
	correction->outcome = jsonb_column(0, CORRECTION_OUTCOME);
	correction->document = jsonb_column(0, CORRECTION_DOCUMENT);
	correction->reason = casino_column_word(0, CORRECTION_REASON);
	correction->ground = casino_column_cstring(0, CORRECTION_GROUND);
	correction->proposed_at = casino_column_time(0, CORRECTION_PROPOSED_AT, DT_NOBEGIN);
	correction->decided = casino_column_cstring(0, CORRECTION_DECIDED);
	correction->same_eyes = casino_column_cstring(0, CORRECTION_SAME_EYES);
}

/* ---- proposing */

/*
 * The number of the last correction, if it says the same; 0 when there is none,
 * or a further one may be proposed.  *since: when the last came into force.
 */
static int64
find_same(const RoundState *round, const Jsonb *outcome, const Ground *ground, TimestampTz *since)
{
	Datum		values[1] = {Int64GetDatum(round->round_id)};
	int64		number;

	*since = round->evaluated_at;
	if (casino_read_latest(&find_last, values, NULL) == 0)
		return 0;
	number = casino_column_int64(0, LAST_NO);
	if (same_outcome(outcome, jsonb_column(0, LAST_OUTCOME)) &&
		strcmp(ground->reason, casino_column_word(0, LAST_REASON)) == 0 &&
		(outcome != NULL || strcmp(ground->code, casino_column_word(0, LAST_GROUND)) == 0))
		return number;
	if (!casino_column_bool(0, LAST_IN_FORCE))
		casino_settlement_refuse(round, psprintf("Correction "
												 INT64_FORMAT " of it waits for its approval.", number));
	*since = Max(*since, casino_column_time(0, LAST_DECIDED_AT, DT_NOBEGIN));
	return 0;
}

static bool
has_refunds(int64 round_id)
{
	Datum		values[1] = {Int64GetDatum(round_id)};

	return casino_read_latest(&find_refund, values, NULL) > 0;
}

/* Was somebody paid by hand whose winnings are withheld (R7.45)? */
static bool
has_payouts_by_hand(int64 round_id)
{
	Datum		values[1] = {Int64GetDatum(round_id)};

	return casino_read_latest(&find_payout_by_hand, values, NULL) > 0;
}

/* KR002 unless the round was evaluated, or voided after that by a correction. */
static void
check_evaluated(const RoundState *round, TimestampTz corrected_at)
{
	if (round->status == ROUND_WITHHELD && has_payouts_by_hand(round->round_id))
		casino_settlement_refuse(round,
								 "Payouts of it were posted by hand; pay_withheld() of their players ends "
								 "the withholding.");
	if (round->status == ROUND_SETTLED || round->status == ROUND_WITHHELD)
		return;
	if (round->status != ROUND_VOIDED)
		casino_settlement_refuse(round,
								 "A result is corrected after the evaluation; correct_deal() corrects "
								 "cards before it.");
	/* stakes that went back when it was voided are not taken again */
	if (round->outcome == NULL || corrected_at <= round->evaluated_at || has_refunds(round->round_id))
		casino_settlement_refuse(round, casino_settlement_end(round));
}

/*
 * Could it be, with the wagers that it was evaluated with? Reads the outcome (NULL: void) and loads the
 * wagers.
 */
static void
check_result(const RoundState *round, const Jsonb *document, Outcome *outcome, RoundWagers *wagers)
{
	casino_round_wagers_load_evaluated(round->round_id, wagers);
	if (document == NULL)
		return;
	casino_outcome_read(casino_family_rules(round), document, false, outcome);
	casino_deal_check_played(round, outcome, wagers, false);
}

/*
 * correct_round(round_id, outcome, reason, at, ground): proposes another outcome
 * of an evaluated round; NULL: none, the round is void, on that ground (R11.41).
 * Gives the number of the correction.  The last one again gives its number;
 * another one while that waits, and the outcome that stands, is KR002.
 */
PG_FUNCTION_INFO_V1(casino_sql_correct_round);
Datum
casino_sql_correct_round(PG_FUNCTION_ARGS)
{
	Jsonb	   *document = PG_ARGISNULL(1) ? NULL : PG_GETARG_JSONB_P(1);
	Ground		ground;
	EventTime	time;
	RunAsOwner	as_owner;
	RoundState	round;
	RoundWagers wagers;
	Outcome		outcome = {0};
	TimestampTz since;
	int64		number;

	casino_require_argument(fcinfo, 0, "round_id");
	casino_ground_argument(fcinfo, 2, 4, "correcting a result", &ground);
	casino_time_argument(fcinfo, 3, &time);
	if (document != NULL)
	{
		casino_bound_document("outcome", document);
		if (!PG_ARGISNULL(4))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("a ground is of a void round"),
					 errdetail("The correction has an outcome.")));
	}
	casino_settlement_begin(&as_owner, PG_GETARG_INT64(0), &round);
	casino_ground_of_plan(&round, &ground);
	if (document != NULL)
		casino_outcome_read(casino_family_rules(&round), document, false, &outcome);
	number = find_same(&round, outcome.canonical, &ground, &since);
	if (number == 0)
	{
		Datum		values[7] = {Int64GetDatum(round.round_id)};
		char		nulls[] = "       ";

		check_evaluated(&round, since);
		if (round.status == ROUND_VOIDED ? document == NULL
			: document != NULL && same_outcome(outcome.canonical, round.outcome))
			casino_settlement_refuse(&round, psprintf("That is the result that stands. %s",
													  casino_settlement_end(&round)));
		check_result(&round, document, &outcome, &wagers);
		casino_cell_event_time(&time);
		casino_time_take(&time);
		casino_round_check_time(&round, &time, since,
								since == round.evaluated_at ? "evaluated" : "corrected");
		values[1] = PointerGetDatum(outcome.canonical);
		values[2] = PointerGetDatum(document);
		nulls[1] = nulls[2] = document == NULL ? 'n' : ' ';
		values[3] = CStringGetTextDatum(ground.reason);
		values[4] = CStringGetTextDatum(ground.code);
		nulls[4] = document == NULL ? ' ' : 'n';
		values[5] = TimestampTzGetDatum(time.at);
		values[6] = TimestampTzGetDatum(GetCurrentTimestamp());
		casino_execute(&insert_correction, values, nulls);
		number = casino_column_int64(0, ONLY_COLUMN);
	}
	casino_as_owner_end(&as_owner);
	PG_RETURN_INT64(number);
}

/* ---- deciding */

/* The decision, with the version of the round before it. */
static void
keep_decision(const Correction *correction, const char *rejected, RoundStatus status,
			  const RoundFigures *figures,
			  const CorrectionPosting *posting)
{
	Datum		values[13];
	char		nulls[] = "             ";

	values[0] = Int64GetDatum(correction->correction_no);
	values[1] = Int64GetDatum(correction->round_id);
	values[2] = rejected ? CStringGetTextDatum(rejected) : (Datum) 0;
	nulls[2] = rejected ? ' ' : 'n';
	values[3] = CStringGetTextDatum(rejected ? "rejected" : casino_round_status_name(status));
	values[4] = Int64GetDatum(figures->wagers);
	values[5] = Int64GetDatum(figures->players);
	values[6] = NumericGetDatum(casino_halere_to_numeric(figures->staked));
	values[7] = NumericGetDatum(casino_halere_to_numeric(figures->paid));
	if (rejected)
		memset(&nulls[4], 'n', 4);
	values[8] = Int64GetDatum(posting->entries);
	values[9] = NumericGetDatum(casino_halere_to_numeric(posting->posted));
	values[10] = NumericGetDatum(casino_halere_to_numeric(posting->claimed));
	values[11] = TimestampTzGetDatum(posting->at);
	values[12] = TimestampTzGetDatum(GetCurrentTimestamp());
	casino_execute(&insert_decision, values, nulls);
}

/* The round as it is by the correction, under its lock. */
static void
put_version(const RoundState *round, const Correction *correction, RoundStatus status,
			const RoundFigures *figures,
			TimestampTz at)
{
	Datum		values[11];
	char		nulls[] = "           ";
	bool		voided = status == ROUND_VOIDED;

	values[0] = Int64GetDatum(round->round_id);
	values[1] = CStringGetTextDatum(casino_round_status_name(status));
	values[2] = PointerGetDatum(correction->outcome);
	values[3] = PointerGetDatum(correction->document);
	nulls[2] = nulls[3] = correction->outcome == NULL ? 'n' : ' ';
	values[4] = CStringGetTextDatum(correction->reason);
	values[5] = TimestampTzGetDatum(at);
	values[10] = voided ? CStringGetTextDatum(correction->ground) : (Datum) 0;
	nulls[4] = nulls[5] = nulls[10] = voided ? ' ' : 'n';
	values[6] = Int64GetDatum(figures->wagers);
	values[7] = Int64GetDatum(figures->players);
	values[8] = NumericGetDatum(casino_halere_to_numeric(figures->staked));
	values[9] = NumericGetDatum(casino_halere_to_numeric(figures->paid));
	if (casino_execute_posting(&change_round, values, nulls) != 1)
		casino_snapshot_too_old("round", round->round_id, "is younger than");
}

/* Figures and payouts of a round that is void: every wager gets its stake. */
static void
void_wagers(RoundWagers *wagers, RoundFigures *figures)
{
	memset(figures, 0, sizeof(*figures));
	for (int i = 0; i < wagers->count; i++)
	{
		RoundWager *wager = &wagers->wagers[i];

		wager->payout = casino_wager_cost(&wager->bet);
		wager->grade = CASINO_GRADE_NONE;
		figures->players += i == 0 || wager->player_id != wager[-1].player_id;
		figures->wagers++;
		if (!casino_money_add(figures->staked, wager->payout, &figures->staked))
			ereport(ERROR,
					(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
					 errmsg("sum of the stakes is out of range")));
	}
	figures->paid = figures->staked;
}

/* Stakes of players whose winnings are withheld go back as refunds, as void_round() returns them. */
static void
refund_withheld(const RoundState *round, const RoundWagers *wagers, const Ground *ground, TimestampTz at)
{
	RoundWagers withheld = casino_correction_part(round, wagers, false);

	for (int first = 0, next; first < withheld.count; first = next)
	{
		next = casino_round_wagers_next_player(&withheld, first);
		casino_duties_voided_late(round, withheld.wagers[first].player_id, at);
	}
	casino_payouts_refund(round->round_id, &withheld, at, "voided");
	casino_withheld_voided(round->round_id, ground, at);
}

/* What the evaluation before gave each wager; of a void round its stake. */
static void
load_former(const RoundState *round, RoundWagers *former)
{
	RoundFigures figures;

	if (round->status != ROUND_VOIDED)
	{
		casino_settlement_reckon(round, former);
		return;
	}
	casino_round_wagers_load_evaluated(round->round_id, former);
	void_wagers(former, &figures);
}

/* Bring it into force. */
static void
put_in_force(const RoundState *round, const Correction *correction, TimestampTz at)
{
	Datum		version[2] = {Int64GetDatum(round->round_id), Int32GetDatum(0)};
	CorrectionPosting posting = {.correction_no = correction->correction_no, .reason = correction->reason,
	.at = at};
	RoundStatus evaluated = round->status == ROUND_WITHHELD ? ROUND_WITHHELD : ROUND_SETTLED;
	RoundStatus status = correction->outcome == NULL ? ROUND_VOIDED : evaluated;
	Outcome		outcome;
	RoundWagers wagers;
	RoundWagers former;
	RoundFigures figures;

	casino_round_check_snapshot(round->round_id);
	check_evaluated(round, DT_NOEND);
	load_former(round, &former);
	check_result(round, correction->document, &outcome, &wagers);

	/* money first: of whom winnings are withheld is asked of the round as it was */
	if (correction->outcome == NULL)
	{
		RoundWagers settled;
		Ground		ground = {correction->ground, correction->reason};

		void_wagers(&wagers, &figures);
		settled = casino_correction_part(round, &wagers, true);
		casino_settlement_lock_players(round->round_id);
		refund_withheld(round, &wagers, &ground, at);
		casino_correction_post(round, &settled, &former, &posting);
	}
	else
	{
		casino_payouts_reckon(round, &outcome, &wagers, &figures);
		casino_correction_post(round, &wagers, &former, &posting);
	}

	/* then the versions: the cards and the round before, and those that hold now */
	casino_execute(&keep_hands, version, NULL);
	keep_decision(correction, NULL, status, &figures, &posting);
	put_version(round, correction, status, &figures, at);
	if (correction->outcome != NULL)
	{
		Datum		values[3] = {Int64GetDatum(round->round_id), TimestampTzGetDatum(round->evaluated_at),
		TimestampTzGetDatum(GetCurrentTimestamp())};

		casino_deal_keep(round->round_id, &outcome);
		casino_execute(&keep_hands, version, " n");
		casino_execute(casino_evaluation_query(&record_breaches, round->family), values, NULL);
		casino_settlement_record_no_action(round, round->evaluated_at);
	}
}

/* Begin a decision: the correction and its round, locked. */
static void
begin_decision(FunctionCallInfo fcinfo, RunAsOwner *as_owner, RoundState *round, Correction *correction)
{
	casino_as_owner_begin(as_owner);
	load_correction(PG_GETARG_INT64(0), correction);
	casino_round_lock_exclusive(correction->round_id);
	casino_round_load(correction->round_id, round);
	/* what was decided while the lock was waited for */
	load_correction(PG_GETARG_INT64(0), correction);
}

static void
decision_time(const RoundState *round, const Correction *correction, EventTime *time)
{
	casino_cell_event_time(time);
	casino_time_take(time);
	if (!casino_time_reach(time, Max(correction->proposed_at, round->evaluated_at)))
		ereport(ERROR,
				(errrefusal(REFUSAL_BACKDATED, REFUSED_TIME("at", time->at),
							REFUSED_TIME("not_before", correction->proposed_at)),
				 errmsg("time %s is before correction " INT64_FORMAT " was proposed",
						timestamptz_to_str(time->at),
						correction->correction_no),
				 errdetail("It was proposed at %s.", pstrdup(timestamptz_to_str(correction->proposed_at)))));
}

/*
 * approve_correction(correction_no, at): the second person (R11.34).  Again it
 * gives the settlement that stands.
 */
PG_FUNCTION_INFO_V1(casino_sql_approve_correction);
Datum
casino_sql_approve_correction(PG_FUNCTION_ARGS)
{
	EventTime	time;
	RunAsOwner	as_owner;
	RoundState	round;
	Correction	correction;

	casino_require_argument(fcinfo, 0, "correction_no");
	casino_time_argument(fcinfo, 1, &time);
	begin_decision(fcinfo, &as_owner, &round, &correction);
	if (correction.decided != NULL && strcmp(correction.decided, "rejected") == 0)
		casino_settlement_refuse(&round, psprintf("Correction " INT64_FORMAT " of it was rejected.",
												  correction.correction_no));
	if (correction.decided == NULL)
	{
		/* R7.60, R7.61 */
		if (correction.same_eyes != NULL)
			ereport(ERROR,
					(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
					 errmsg("correction " INT64_FORMAT " needs the approval of a second person",
							correction.correction_no),
					 errdetail("%s", correction.same_eyes),
					 errhint("A second person approves it, under a login of his own.")));
		decision_time(&round, &correction, &time);
		put_in_force(&round, &correction, time.at);
	}
	return casino_settlement_datum(fcinfo, &as_owner, round.round_id);
}

/* reject_correction(correction_no, reason, at): nothing comes of it. */
PG_FUNCTION_INFO_V1(casino_sql_reject_correction);
Datum
casino_sql_reject_correction(PG_FUNCTION_ARGS)
{
	char	   *reason;
	EventTime	time;
	RunAsOwner	as_owner;
	RoundState	round;
	Correction	correction;

	casino_require_argument(fcinfo, 0, "correction_no");
	reason = casino_reason_argument(fcinfo, 1, "rejecting a correction");
	casino_time_argument(fcinfo, 2, &time);
	begin_decision(fcinfo, &as_owner, &round, &correction);
	if (correction.decided != NULL && strcmp(correction.decided, "rejected") != 0)
		casino_settlement_refuse(&round, psprintf("Correction "
												  INT64_FORMAT " of it is in force; a further one corrects "
												  "it.",
												  correction.correction_no));
	if (correction.decided == NULL)
	{
		RoundFigures none = {0};
		CorrectionPosting posting = {0};

		decision_time(&round, &correction, &time);
		posting.at = time.at;
		keep_decision(&correction, reason, round.status, &none, &posting);
	}
	casino_as_owner_end(&as_owner);
	PG_RETURN_VOID();
}
