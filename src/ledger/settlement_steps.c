/*
 * settlement_steps.c
 *	  What the functions that end a round, or what it still owes, share: see
 *	  settlement.h.
 */
#include "ledger/settlement.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "mb/pg_wchar.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "core/money.h"
#include "games/families.h"
#include "ledger/closing.h"
#include "server/query.h"
#include "server/refusal.h"

/* what a message shows of an outcome */
#define SHOWN_OUTCOME_BYTES	1000

static PreparedQuery lock_players = {
	.sql = "SELECT count(*)"
	"  FROM (SELECT FROM casino.player p"
	"         WHERE p.player_id IN (SELECT s.player_id FROM casino.ledger s"
	"                                WHERE s.round_id = $1 AND s.kind = 'stake')"
	"         ORDER BY p.player_id FOR NO KEY UPDATE) locked",
	.args = {ARG_INT8}
};

static PreparedQuery find_former = {
	.sql = "SELECT 1 FROM casino.correction_decision d"
	" WHERE d.round_id = $1 AND d.version = 1 AND d.former -> 'outcome' = $2"
	"   AND (NOT $3 OR (SELECT l.status = 'voided' FROM casino.correction_decision l"
	"                    WHERE l.round_id = $1 AND l.version > 0"
	"                    ORDER BY l.version DESC LIMIT 1))",
	.args = {ARG_INT8, ARG_JSONB, ARG_BOOL}
};

/* the columns of casino.settlement, in their order */
static PreparedQuery load_settlement = {
	.sql = "SELECT round_id, status, wagers, players, staked, paid, staked - paid, coalesce(voided_at, "
	"evaluated_at)"
	"  FROM casino.round WHERE round_id = $1",
	.args = {ARG_INT8}
};

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
	static const QueryArg types[] = {ARG_INT8, ARG_TEXT, ARG_INT8, ARG_INT8, ARG_NUMERIC, ARG_NUMERIC,
	ARG_NUMERIC, ARG_TIMESTAMPTZ};
	Datum		values[SETTLEMENT_COLUMNS];
	bool		nulls[SETTLEMENT_COLUMNS];

	StaticAssertStmt(lengthof(types) == SETTLEMENT_COLUMNS, "a type for each column of casino.settlement");
	casino_read_latest(&load_settlement, round, NULL);
	for (int i = 0; i < SETTLEMENT_COLUMNS; i++)
		values[i] = casino_column(0, 1 + i, types[i], &nulls[i]);
	return casino_settlement_row(fcinfo, as_owner, values, nulls);
}

void
casino_settlement_begin(RunAsOwner *as_owner, int64 round_id, RoundState *round)
{
	casino_as_owner_begin(as_owner);
	casino_round_lock_exclusive(round_id);
	casino_round_load(round_id, round);
}

bool
casino_settlement_check_time(const RoundState *round, EventTime *time)
{
	casino_time_take(time);
	casino_round_check_time(round, time, round->opened_at, "opened");
	casino_follow_round(round->round_id, time);
	if (round->status == ROUND_OPEN)
		return casino_follow_stakes(round->round_id, time);
	casino_round_check_time(round, time, round->betting_closed_at, "closed");
	if (round->actions_closed_at != DT_NOBEGIN)
		casino_round_check_time(round, time, round->actions_closed_at, "closed for actions");
	casino_check_after_play(round, time);
	return false;
}

void
casino_settlement_check_final(const RoundState *round, const EventTime *time)
{
	if (!time->may_be_late)
		return;
	if (round->status == ROUND_OPEN)
		ereport(ERROR,
				(errrefusal(REFUSAL_BETTING_OPEN, REFUSED_INT("round_id", round->round_id)),
				 errmsg("betting of round " INT64_FORMAT " is open", round->round_id),
				 errdetail("In a cell an outcome is judged when nothing can be staked any more."),
				 errhint("Call close_betting() first.")));
	if (casino_has_play(round) && round->actions_closed_at == DT_NOBEGIN)
		ereport(ERROR,
				(errrefusal(REFUSAL_ACTIONS_OPEN, REFUSED_INT("round_id", round->round_id)),
				 errmsg("the decisions of round " INT64_FORMAT " are not over", round->round_id),
				 errdetail("In a cell an outcome is judged when nothing can be staked any more."),
				 errhint("Call close_actions() first.")));
}

void
casino_settlement_refuse(const RoundState *round, const char *detail)
{
	ereport(ERROR,
			(errrefusal(REFUSAL_ROUND_STATE, REFUSED_INT("round_id", round->round_id),
						REFUSED_TEXT("status", casino_round_status_name(round->status)),
						REFUSED_TEXT("why", detail)),
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

/*
 * Was the round evaluated so, before its result was corrected?  A round that
 * void_round() ended since is void and no longer so: only a void by a
 * correction leaves the first settlement its answer.
 */
static bool
was_so(const RoundState *round, Jsonb *canonical)
{
	Datum		values[3] = {
		Int64GetDatum(round->round_id), JsonbPGetDatum(canonical), BoolGetDatum(round->status == ROUND_VOIDED)
	};

	return casino_read_latest(&find_former, values, NULL) > 0;
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
	casino_round_wagers_load_evaluated(round->round_id, wagers);
	casino_payouts_reckon(round, &outcome, wagers, &figures);
}

bool
casino_settlement_is_so(const RoundState *round, const Jsonb *document, Outcome *outcome)
{
	if (round->status == ROUND_VOIDED && round->outcome == NULL)
		casino_settlement_refuse(round, casino_settlement_end(round));
	casino_outcome_read(casino_family_rules(round), document, false, outcome);
	if (round->outcome == NULL)
		return false;
	/* a retry of the settlement that came first is one, whatever was corrected since */
	if (was_so(round, outcome->canonical))
		return true;
	if (round->status == ROUND_VOIDED)
		casino_settlement_refuse(round, casino_settlement_end(round));
	if (compareJsonbContainers(&round->outcome->root, &outcome->canonical->root) != 0)
		casino_settlement_refuse(round, casino_settlement_end(round));
	return true;
}
