/*
 * withheld_end.c
 *	  How the withholding of winnings ends (D4 §11.1, D0, R7.43, R7.44): they are
 *	  paid, by pay_withheld(), or voided, by void_wagers() or with the round; and
 *	  what is owed until then.  What ends it is a decision about that player or
 *	  that round, never what became of somebody else.
 */
#include "ledger/withheld.h"

#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "duties/duties.h"
#include "games/families.h"
#include "ledger/settlement.h"
#include "server/bounds.h"
#include "server/event_time.h"
#include "server/query.h"
#include "server/run_as_owner.h"
#include "state/cell.h"
#include "state/evaluation_query.h"
#include "state/player.h"
#include "state/round.h"

/* OFFSET 0: each is looked up, whatever the planner thinks of their number */
static EvaluationQuery find_winnings = {
	.sql = "SELECT e.player_id, e.entry_no, e.bet, e.grade, e.payout"
	"  FROM casino.evaluation_%s e"
	" WHERE e.round_id = $1 AND e.payout > 0"
	"   AND NOT EXISTS (SELECT FROM casino.ledger p"
	"                    WHERE p.player_id = e.player_id AND p.stake_entry_no = e.entry_no OFFSET 0)",
	.args = {ARG_INT8}
};

static PreparedQuery find_payout = {
	.sql = "SELECT f.entry_no FROM casino.ledger s"
	"  JOIN casino.ledger f ON f.player_id = s.player_id AND f.stake_entry_no = s.entry_no"
	" AND f.kind = 'payout'"
	" WHERE s.round_id = $1 AND s.kind = 'stake' LIMIT 1",
	.args = {ARG_INT8}
};

static PreparedQuery insert_ends = {
	.sql = "INSERT INTO casino.withholding_end "
	"(player_id, round_id, how, reason, ground, ended_at, recorded_at)"
	" SELECT p, $2, $3, $4, $5, $6, $7 FROM unnest($1) p",
	.args = {ARG_INT8_ARRAY, ARG_INT8, ARG_TEXT, ARG_TEXT, ARG_TEXT, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ}
};

static PreparedQuery mark_paid = {
	.sql = "UPDATE casino.round SET status = 'settled', withheld_paid_at = $2, withheld_paid_reason = $3"
	" WHERE round_id = $1",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ, ARG_TEXT}
};

/* All that the evaluation counted has gone back, now or with single players before (R7.44). */
static PreparedQuery mark_voided = {
	.sql = "UPDATE casino.round SET status = 'voided', void_reason = $3, void_ground = $4, voided_at = $2,"
	"       paid = staked"
	" WHERE round_id = $1",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ, ARG_TEXT, ARG_TEXT}
};

/* withheld_winnings(round_id): wagers of an evaluated round that won and are not paid */
PG_FUNCTION_INFO_V1(casino_sql_withheld_winnings);
Datum
casino_sql_withheld_winnings(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	Datum		values[1] = {PG_GETARG_DATUM(0)};
	RunAsOwner	as_owner;
	char	   *family;
	uint64		rows = 0;

	InitMaterializedSRF(fcinfo, 0);
	casino_as_owner_begin(&as_owner);
	family = casino_evaluated_family(PG_GETARG_INT64(0));
	if (family != NULL)
		rows = casino_read_snapshot(casino_evaluation_query(&find_winnings, family), values, NULL);
	for (uint64 row = 0; row < rows; row++)
		tuplestore_puttuple(rsinfo->setResult, SPI_tuptable->vals[row]);
	casino_as_owner_end(&as_owner);
	return (Datum) 0;
}

/*
 * Record that the withholding of players has ended: voided on a ground, or
 * paid (ground NULL), of which the reason may be NULL, too.
 */
static void
record_ends(int64 round_id, Numbers players, const char *reason, const char *ground, TimestampTz at)
{
	Datum		values[7];
	char		nulls[] = "       ";

	if (players.n == 0)
		return;
	values[0] = casino_numbers_array(players.numbers, players.n);
	values[1] = Int64GetDatum(round_id);
	values[2] = CStringGetTextDatum(ground ? "voided" : "paid");
	values[3] = reason ? CStringGetTextDatum(reason) : (Datum) 0;
	nulls[3] = reason ? ' ' : 'n';
	values[4] = ground ? CStringGetTextDatum(ground) : (Datum) 0;
	nulls[4] = ground ? ' ' : 'n';
	values[5] = TimestampTzGetDatum(at);
	values[6] = TimestampTzGetDatum(GetCurrentTimestamp());
	casino_execute(&insert_ends, values, nulls);
}

void
casino_withheld_voided(int64 round_id, const Ground *ground, TimestampTz at)
{
	record_ends(round_id, casino_withheld_players(round_id, false), ground->reason, ground->code, at);
}

/*
 * Post the payouts of those players, or (others) of all but those, as far as nobody has posted them by
 * hand.
 */
static void
post_payouts_of(const RoundState *round, Numbers players, bool others, TimestampTz at)
{
	RoundWagers wagers;

	casino_settlement_lock_players(round->round_id);
	casino_settlement_reckon(round, &wagers);
	casino_round_wagers_unpaid(&wagers, 0);
	for (int i = 0; i < wagers.count; i++)
		if (casino_numbers_have(players, wagers.wagers[i].player_id) == others)
			wagers.wagers[i].due = false;
	casino_payouts_post(round->round_id, &wagers, at);
	casino_duties_paid_late(round->round_id, at);
}

/* The time of a payment or void of what was evaluated (R12.12). */
static void
take_time(const RoundState *round, EventTime *time)
{
	casino_cell_event_time(time);
	casino_time_take(time);
	casino_round_check_time(round, time, round->evaluated_at, "evaluated");
}

/* Pay one player; the rest of a round withheld as a whole waits for a decision of its own (R7.43). */
static void
pay_player(const RoundState *round, int64 player_id, const Release *release, EventTime *time)
{
	Numbers		only = {1, &player_id};
	Withholding withholding;

	casino_withheld_load(round->round_id, player_id, &withholding);
	if (withholding.ended_how != NULL && strcmp(withholding.ended_how, "paid") == 0)
		return;
	if (withholding.ended_how != NULL)
		casino_settlement_refuse(round, psprintf("The wagers of player " INT64_FORMAT " are void: %s",
												 player_id,
												 withholding.ended_why));
	if (withholding.reason == NULL)
	{
		/* of a round that was withheld as a whole, and paid so */
		if (round->status == ROUND_SETTLED && round->withheld_paid_at != DT_NOBEGIN)
			return;
		if (round->status == ROUND_SETTLED)
			casino_settlement_refuse(round, psprintf("What player "
													 INT64_FORMAT " won in it is not withheld.", player_id));
		casino_withheld_check_stakes(round, player_id);
	}
	if (withholding.reason != NULL || casino_withheld_by_order(round->round_id))
		casino_release_check(round->round_id, release);
	take_time(round, time);
	post_payouts_of(round, only, false, time->at);
	record_ends(round->round_id, only, release->reason, NULL, time->at);
}

/*
 * Pay what the round's own withholding holds back; those who alone are
 * withheld stay so.  Where only they are, pay all of them.
 */
static void
pay_all(const RoundState *round, const Release *release, EventTime *time)
{
	Numbers		alone = casino_withheld_players(round->round_id, false);
	Datum		values[3] = {Int64GetDatum(round->round_id)};

	if (round->status == ROUND_WITHHELD)
	{
		if (casino_withheld_by_order(round->round_id))
			casino_release_check(round->round_id, release);
		take_time(round, time);
		post_payouts_of(round, alone, true, time->at);
		values[1] = TimestampTzGetDatum(time->at);
		if (release->reason != NULL)
			values[2] = CStringGetTextDatum(release->reason);
		casino_round_update(&mark_paid, values, release->reason != NULL ? NULL : "  n");
		return;
	}
	if (round->withheld_paid_at != DT_NOBEGIN)
		return;					/* a retry: it says nothing of single players */
	if (casino_withheld_players(round->round_id, true).n == 0)
		casino_settlement_refuse(round, psprintf("No payouts of it are withheld. %s",
												 casino_settlement_end(round)));
	if (alone.n == 0)
		return;
	casino_release_check(round->round_id, release);
	take_time(round, time);
	post_payouts_of(round, alone, false, time->at);
	record_ends(round->round_id, alone, release->reason, NULL, time->at);
}

/*
 * pay_withheld(round_id, at, player_id, reason): posts the payouts that were
 * held back, of one player or of all.  What was withheld by order is released
 * by a role that may order that, with a reason (R7.65).  Paying again returns
 * the same settlement; where nothing was withheld it is KR002.
 */
static Datum
pay_withheld(FunctionCallInfo fcinfo, const char *authority)
{
	int64		round_id = PG_GETARG_INT64(0);
	Release		release = {NULL};
	EventTime	time;
	RunAsOwner	as_owner;
	RoundState	round;

	casino_require_argument(fcinfo, 0, "round_id");
	casino_time_argument(fcinfo, 1, &time);
	if (!PG_ARGISNULL(3))
		release.reason = casino_reason_argument(fcinfo, 3, "the release of winnings");
	casino_settlement_begin(&as_owner, round_id, &round);
	release.authority = authority != NULL ? authority : casino_release_authority();
	if (round.status != ROUND_WITHHELD && round.status != ROUND_SETTLED)
		casino_settlement_refuse(&round, psprintf("No payouts of it are withheld. %s",
												  casino_settlement_end(&round)));
	if (PG_ARGISNULL(2))
		pay_all(&round, &release, &time);
	else
		pay_player(&round, PG_GETARG_INT64(2), &release, &time);
	return casino_settlement_datum(fcinfo, &as_owner, round_id);
}

PG_FUNCTION_INFO_V1(casino_sql_pay_withheld);
Datum
casino_sql_pay_withheld(PG_FUNCTION_ARGS)
{
	return pay_withheld(fcinfo, NULL);
}

/*
 * pay_withheld_for(round_id, at, player_id, reason, authority): in a cell; the hub has looked at who
 * called.
 */
PG_FUNCTION_INFO_V1(casino_sql_pay_withheld_for);
Datum
casino_sql_pay_withheld_for(PG_FUNCTION_ARGS)
{
	casino_require_argument(fcinfo, 4, "authority");
	return pay_withheld(fcinfo, text_to_cstring(PG_GETARG_TEXT_PP(4)));
}

/* Void the wagers of one player who is withheld. */
static void
void_player(const RoundState *round, int64 player_id, const Ground *ground, EventTime *time)
{
	Numbers		only = {1, &player_id};
	PlayerState player;
	Withholding withholding;
	RoundFigures figures;
	bool		ended;

	casino_player_lock(player_id, &player);
	casino_withheld_load(round->round_id, player_id, &withholding);
	ended = withholding.ended_how != NULL;
	if (ended && strcmp(withholding.ended_how, "voided") == 0 &&
		strcmp(withholding.ended_why, ground->reason) == 0 &&
		strcmp(withholding.ended_ground, ground->code) == 0)
		return;
	if (ended && strcmp(withholding.ended_how, "voided") == 0)
		casino_settlement_refuse(round, psprintf("The wagers of player "
												 INT64_FORMAT " were voided before: %s",
												 player_id, withholding.ended_why));

	/*
	 * of somebody who won nothing the payment has posted nothing: it has ended his withholding all the same
	 */
	if (ended && round->status == ROUND_WITHHELD)
		casino_settlement_refuse(round, psprintf("The withholding of player "
												 INT64_FORMAT " has ended: he was paid what he won.",
												 player_id));
	if (round->status != ROUND_WITHHELD &&
		!(round->status == ROUND_SETTLED && !ended && withholding.reason != NULL))
		casino_settlement_refuse(round, psprintf("What player "
												 INT64_FORMAT " won in it is not withheld. %s", player_id,
												 casino_settlement_end(round)));
	casino_withheld_check_stakes(round, player_id);
	/* the others were paid, or are to be, from his stakes */
	if (casino_family_rules(round)->share != NULL)
		casino_settlement_refuse(round,
								 "Players of a pot are paid from each other's stakes; void_round() voids a "
								 "withheld round.");
	take_time(round, time);
	casino_round_check_snapshot(round->round_id);
	casino_duties_voided_late(round, player_id, time->at);
	casino_settlement_refund(round->round_id, player_id, time->at, &figures);
	record_ends(round->round_id, only, ground->reason, ground->code, time->at);
}

/*
 * void_wagers(round_id, player_id, reason, at, ground): the stakes of a player
 * whose winnings are withheld go back ("sázky pokládat za neplatné", D0), on
 * that ground (R11.41).  The same reason and ground again change nothing;
 * others, and what is not withheld, are KR002.
 */
PG_FUNCTION_INFO_V1(casino_sql_void_wagers);
Datum
casino_sql_void_wagers(PG_FUNCTION_ARGS)
{
	int64		round_id = PG_GETARG_INT64(0);
	Ground		ground;
	EventTime	time;
	RunAsOwner	as_owner;
	RoundState	round;

	casino_require_argument(fcinfo, 0, "round_id");
	casino_require_argument(fcinfo, 1, "player_id");
	casino_ground_argument(fcinfo, 2, 4, "voiding wagers", &ground);
	casino_time_argument(fcinfo, 3, &time);
	casino_settlement_begin(&as_owner, round_id, &round);
	casino_ground_of_plan(&round, &ground);
	void_player(&round, PG_GETARG_INT64(1), &ground, &time);
	return casino_settlement_datum(fcinfo, &as_owner, round_id);
}

void
casino_withheld_void_round(const RoundState *round, const Ground *ground, EventTime *time)
{
	Datum		values[4] = {Int64GetDatum(round->round_id)};
	RoundFigures figures;

	if (casino_read_latest(&find_payout, values, NULL) > 0)
		casino_settlement_refuse(round,
								 "Payouts of it are posted; void_wagers() returns the stakes of single "
								 "players.");
	take_time(round, time);
	casino_settlement_lock_players(round->round_id);
	casino_duties_voided_late(round, 0, time->at);
	casino_settlement_refund(round->round_id, 0, time->at, &figures);
	casino_withheld_voided(round->round_id, ground, time->at);
	values[1] = TimestampTzGetDatum(time->at);
	values[2] = CStringGetTextDatum(ground->reason);
	values[3] = CStringGetTextDatum(ground->code);
	casino_round_update(&mark_voided, values, NULL);
}
