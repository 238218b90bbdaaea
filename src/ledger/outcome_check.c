/*
 * outcome_check.c
 *	  check_outcome(): would settle_round() accept the outcome?
 */
#include "postgres.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "ledger/closing.h"
#include "ledger/deal.h"
#include "ledger/settlement.h"
#include "ledger/stake_rules.h"
#include "ledger/withheld.h"
#include "server/bounds.h"
#include "server/event_time.h"
#include "server/run_as_owner.h"
#include "state/cell.h"
#include "state/round.h"

/* The settlement that a round would have; leaves the owner's identity. */
static Datum
settlement_to_come(FunctionCallInfo fcinfo, const RunAsOwner *as_owner, int64 round_id, TimestampTz at,
				   const RoundFigures *figures)
{
	Datum		values[SETTLEMENT_COLUMNS];
	bool		nulls[SETTLEMENT_COLUMNS] = {false};
	RoundStatus status;

	values[0] = Int64GetDatum(round_id);
	status = casino_withheld_is_ordered(round_id) ? ROUND_WITHHELD : ROUND_SETTLED;
	values[1] = CStringGetTextDatum(casino_round_status_name(status));
	values[2] = Int64GetDatum(figures->wagers);
	values[3] = Int64GetDatum(figures->players);
	values[4] = NumericGetDatum(casino_halere_to_numeric(figures->staked));
	values[5] = NumericGetDatum(casino_halere_to_numeric(figures->paid));
	values[6] = NumericGetDatum(casino_halere_to_numeric(figures->staked - figures->paid));
	values[7] = TimestampTzGetDatum(at);
	return casino_settlement_row(fcinfo, as_owner, values, nulls);
}

/* Mark wagers that cannot stand without those that are gone, for each player, as casino_return_wagers(). */
static void
mark_unsupported(const RoundState *round, const RoundWagers *wagers, bool *gone)
{
	for (int first = 0, next; first < wagers->count; first = next)
	{
		Wager	   *own;
		int			fallen;

		next = casino_round_wagers_next_player(wagers, first);
		own = palloc0(sizeof(Wager) * (next - first));
		for (int i = first; i < next; i++)
		{
			const RoundWager *wager = &wagers->wagers[i];

			own[i - first].entry_no = wager->entry_no;
			own[i - first].bet = wager->bet;
			own[i - first].seat = wager->seat;
			own[i - first].hand = wager->hand;
			own[i - first].posted_at = wager->posted_at;
		}
		while ((fallen = casino_stake_unsupported(round, own, next - first, gone + first)) >= 0)
			gone[first + fallen] = true;
		pfree(own);
	}
}

/* Does a main bet in the box remain? */
static bool
main_remains(const RoundWagers *wagers, const bool *gone, int seat)
{
	for (int i = 0; i < wagers->count; i++)
		if (!gone[i] && wagers->wagers[i].bet.kind == CASINO_MAIN && wagers->wagers[i].seat == seat)
			return true;
	return false;
}

/*
 * Leave the wagers that an evaluation at that time would find: of a round still
 * open the wagers dated after it go back, with the wagers that cannot stand
 * without them and the bets behind a box that they leave empty (R11.9, casino_return_late()).
 */
static void
leave_out_late(const RoundState *round, TimestampTz at, RoundWagers *wagers)
{
	bool	   *gone;
	bool		late = false;
	int			kept = 0;

	if (round->status != ROUND_OPEN)
		return;
	gone = palloc0(sizeof(bool) * Max(wagers->count, 1));
	for (int i = 0; i < wagers->count; i++)
		late = (gone[i] = wagers->wagers[i].posted_at > at) || late;
	if (!late)
		return;
	mark_unsupported(round, wagers, gone);
	for (int i = 0; i < wagers->count; i++)
		if (wagers->wagers[i].bet.kind == CASINO_BEHIND &&
			!main_remains(wagers, gone, wagers->wagers[i].seat))
			gone[i] = true;
	mark_unsupported(round, wagers, gone);
	for (int i = 0; i < wagers->count; i++)
		if (!gone[i])
			wagers->wagers[kept++] = wagers->wagers[i];
	wagers->count = kept;
}

/*
 * check_outcome(round_id, outcome, at): the settlement that settle_round()
 * would return, or its errors; nothing changes.  A hub asks all cells before
 * it decides.
 */
PG_FUNCTION_INFO_V1(casino_sql_check_outcome);
Datum
casino_sql_check_outcome(PG_FUNCTION_ARGS)
{
	int64		round_id = PG_GETARG_INT64(0);
	EventTime	time;
	RunAsOwner	as_owner;
	RoundState	round;
	Outcome		outcome;
	RoundWagers wagers;
	RoundFigures figures;

	casino_require_argument(fcinfo, 0, "round_id");
	casino_require_argument(fcinfo, 1, "outcome");
	casino_time_argument(fcinfo, 2, &time);
	casino_bound_document("outcome", PG_GETARG_JSONB_P(1));
	casino_settlement_begin(&as_owner, round_id, &round);
	casino_cell_event_time(&time);
	if (casino_settlement_is_so(&round, PG_GETARG_JSONB_P(1), &outcome))
		return casino_settlement_datum(fcinfo, &as_owner, round_id);
	casino_settlement_check_final(&round, &time);
	(void) casino_settlement_check_time(&round, &time);
	casino_round_wagers_load(round_id, &wagers);
	leave_out_late(&round, time.at, &wagers);
	casino_deal_check(&round, &outcome, &wagers, false);
	casino_payouts_reckon(&round, &outcome, &wagers, &figures);
	return settlement_to_come(fcinfo, &as_owner, round_id, time.at, &figures);
}
