/*
 * handover.c
 *	  hand_over_box(): another player of the box decides, because its owner is
 *	  absent (D3 section 1).  Every change is a row; who decides follows from
 *	  them and from the main bets that lie on the box.
 */
#include "postgres.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "games/families.h"
#include "server/event_time.h"
#include "server/query.h"
#include "server/refusal.h"
#include "server/run_as_owner.h"
#include "state/box.h"
#include "state/cell.h"
#include "state/round.h"

static PreparedQuery last_handover = {
	.sql = "SELECT h.handover_no, h.handed_at FROM casino.box_handover h"
	" WHERE h.round_id = $1 AND h.seat = $2 ORDER BY h.handover_no DESC LIMIT 1",
	.args = {ARG_INT8, ARG_INT4}
};

/* its columns */
enum
{
	HANDOVER_NO = 1, HANDED_AT
};

static PreparedQuery find_handover = {
	.sql = "SELECT FROM casino.box_handover h WHERE h.round_id = $1 AND h.seat = $2 AND h.owner = $3"
	" AND (h.handed_at = $4 OR NOT EXISTS (SELECT FROM casino.box_handover n"
	"       WHERE n.round_id = $1 AND n.seat = $2 AND n.handover_no > h.handover_no))",
	.args = {ARG_INT8, ARG_INT4, ARG_INT8, ARG_TIMESTAMPTZ}
};

static PreparedQuery insert_handover = {
	.sql = "INSERT INTO casino.box_handover "
	"(round_id, seat, handover_no, owner, former_owner, handed_at, recorded_at)"
	" VALUES ($1, $2, $3, $4, $5, $6, $7)",
	.args = {ARG_INT8, ARG_INT4, ARG_INT4, ARG_INT8, ARG_INT8, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ}
};

typedef struct Handover
{
	int64		round_id;
	int			seat;
	int64		player_id;
	EventTime	time;
} Handover;

static void
read_handover(FunctionCallInfo fcinfo, Handover *handover)
{
	casino_require_argument(fcinfo, 0, "round_id");
	casino_require_argument(fcinfo, 1, "seat");
	casino_require_argument(fcinfo, 2, "player_id");
	handover->round_id = PG_GETARG_INT64(0);
	handover->seat = PG_GETARG_INT32(1);
	handover->player_id = PG_GETARG_INT64(2);
	casino_time_argument(fcinfo, 3, &handover->time);
	if (handover->seat < 1)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("seat must be 1 or greater")));
}

/* 22023, KB004 for rounds without such boxes. */
static void
check_round(const RoundState *round, int seat)
{
	if (!round->seated)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s is played without seats", round->game)));
	if (seat > round->seats)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("table \"%s\" has seats 1 to %d, not %d", round->table_name, round->seats, seat)));
	if (casino_family_rules(round)->hand_over == NULL)
		ereport(ERROR,
				(errrefusal(REFUSAL_NO_HANDOVER, REFUSED_TEXT("game", round->game)),
				 errmsg("%s lets nobody decide for an absent player", round->game),
				 errdetail("Each player of its family of games decides for himself.")));
}

/* KR002 once there is nothing to decide any more. */
static void
check_state(const RoundState *round)
{
	if (round->status != ROUND_OPEN && round->status != ROUND_CLOSED)
		ereport(ERROR,
				(errrefusal(REFUSAL_ROUND_STATE, REFUSED_INT("round_id", round->round_id),
							REFUSED_TEXT("status", casino_round_status_name(round->status))),
				 errmsg("round " INT64_FORMAT " is %s", round->round_id,
						casino_round_status_name(round->status)),
				 errdetail("A box is handed over before the evaluation.")));
	if (round->actions_closed_at != DT_NOBEGIN)
		ereport(ERROR,
				(errrefusal(REFUSAL_ACTIONS_OVER, REFUSED_INT("round_id", round->round_id),
							REFUSED_TIME("ended_at", round->actions_closed_at)),
				 errmsg("the decisions of round " INT64_FORMAT " are over", round->round_id),
				 errdetail("They ended at %s.", pstrdup(timestamptz_to_str(round->actions_closed_at)))));
}

/* Is this the last handover, or one of that time, come again? */
static bool
is_retry(const Handover *handover)
{
	Datum		values[4];
	char		nulls[] = "    ";

	values[0] = Int64GetDatum(handover->round_id);
	values[1] = Int32GetDatum(handover->seat);
	values[2] = Int64GetDatum(handover->player_id);
	values[3] = TimestampTzGetDatum(handover->time.at);
	if (!handover->time.given)
		nulls[3] = 'n';
	return casino_read_latest(&find_handover, values, nulls) > 0;
}

/* Write the row, dated on or after the round's events and the handover before. */
static void
record(const RoundState *round, Handover *handover, int64 former)
{
	Datum		values[7];
	int			number = 1;

	values[0] = Int64GetDatum(handover->round_id);
	values[1] = Int32GetDatum(handover->seat);
	casino_cell_event_time(&handover->time);
	casino_time_take(&handover->time);
	casino_round_check_time(round, &handover->time, round->opened_at, "opened");
	if (round->betting_closed_at != DT_NOBEGIN)
		casino_round_check_time(round, &handover->time, round->betting_closed_at, "closed");
	if (casino_read_latest(&last_handover, values, NULL) > 0)
	{
		number = casino_column_int(0, HANDOVER_NO) + 1;
		casino_round_check_time(round, &handover->time, casino_column_time(0, HANDED_AT, DT_NOBEGIN),
								psprintf("handed over (box %d)", handover->seat));
	}
	values[2] = Int32GetDatum(number);
	values[3] = Int64GetDatum(handover->player_id);
	values[4] = Int64GetDatum(former);
	values[5] = TimestampTzGetDatum(handover->time.at);
	values[6] = TimestampTzGetDatum(GetCurrentTimestamp());
	casino_execute(&insert_handover, values, NULL);
}

/*
 * hand_over_box(round_id, seat, player_id, at): from here on the player decides
 * on the box.  To whom it was handed over last, again changes nothing; nor does
 * handing it to its owner.
 */
PG_FUNCTION_INFO_V1(casino_sql_hand_over_box);
Datum
casino_sql_hand_over_box(PG_FUNCTION_ARGS)
{
	Handover	handover;
	RunAsOwner	as_owner;
	RoundState	round;
	int64		former;

	read_handover(fcinfo, &handover);
	casino_as_owner_begin(&as_owner);
	casino_round_lock_shared(handover.round_id);
	casino_box_lock(handover.round_id, handover.seat);
	casino_round_load(handover.round_id, &round);
	check_round(&round, handover.seat);
	if (!is_retry(&handover))
	{
		check_state(&round);
		if (casino_family_rules(&round)->hand_over(&round, handover.seat, handover.player_id, &former))
			record(&round, &handover, former);
	}
	casino_as_owner_end(&as_owner);
	PG_RETURN_VOID();
}
