/*
 * withheld.c
 *	  Winnings that are held back while a round is investigated (D4 §11.1, D0,
 *	  R7.42): withhold_winnings().  How that ends is withheld_end.c.
 *
 * A round is withheld as a whole (its own columns), or single players of it
 * are while the others are paid (casino.withholding, casino.withholding_end).
 * What such a player won is told by the evaluation alone, until it is posted.
 * All of it is done under the round's exclusive lock.
 */
#include "ledger/withheld.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "ledger/settlement.h"
#include "server/bounds.h"
#include "server/event_time.h"
#include "server/numbers.h"
#include "server/query.h"
#include "server/run_as_owner.h"
#include "state/cell.h"
#include "state/player.h"
#include "state/round.h"

static PreparedQuery find_round_reason = {
	.sql = "SELECT withheld_reason, withheld_ground FROM casino.round"
	" WHERE round_id = $1 AND withheld_at IS NOT NULL",
	.args = {ARG_INT8}
};

/* its columns */
enum
{
	ROUND_WITHHELD_REASON = 1, ROUND_WITHHELD_GROUND
};

static PreparedQuery withhold_round = {
	.sql = "UPDATE casino.round SET withheld_at = $2, withheld_reason = $3, withheld_ground = $4"
	" WHERE round_id = $1",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ, ARG_TEXT, ARG_TEXT}
};

static PreparedQuery insert_withholding = {
	.sql = "INSERT INTO casino.withholding (player_id, round_id, reason, withheld_at, recorded_at, ground)"
	" VALUES ($1, $2, $3, $4, $5, $6)",
	.args = {ARG_INT8, ARG_INT8, ARG_TEXT, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ, ARG_TEXT}
};

/* Of one player: the reason, and how it ended, with the reason of that. */
static PreparedQuery find_withholding = {
	.sql = "SELECT h.reason, h.ground, e.how, e.reason, e.ground"
	"  FROM (SELECT $1 AS player_id, $2 AS round_id) k"
	"  LEFT JOIN casino.withholding h ON h.player_id = k.player_id AND h.round_id = k.round_id"
	"  LEFT JOIN casino.withholding_end e ON e.player_id = k.player_id AND e.round_id = k.round_id",
	.args = {ARG_INT8, ARG_INT8}
};

/* its columns; NULL where there is no withholding, or no end of it */
enum
{
	WITHHOLDING_REASON = 1, WITHHOLDING_GROUND, WITHHOLDING_ENDED_HOW, WITHHOLDING_ENDED_WHY,
	WITHHOLDING_ENDED_GROUND
};

/* Players who alone are withheld; in $2, those with whom it has ended too. */
static PreparedQuery find_players = {
	.sql = "SELECT h.player_id FROM casino.withholding h"
	" WHERE h.round_id = $1"
	"   AND ($2 OR NOT EXISTS (SELECT FROM casino.withholding_end e WHERE e.player_id = h.player_id"
	" AND e.round_id = h.round_id))"
	" ORDER BY h.player_id",
	.args = {ARG_INT8, ARG_BOOL}
};

/* The player's stakes that stand, and those that are paid. */
static PreparedQuery count_stakes = {
	.sql = "SELECT count(*) FILTER (WHERE f.kind IS DISTINCT"
	" FROM 'refund'), count(*) FILTER (WHERE f.kind = 'payout')"
	"  FROM casino.ledger s"
	"  LEFT JOIN casino.ledger f ON f.player_id = s.player_id AND f.stake_entry_no = s.entry_no"
	" WHERE s.round_id = $1 AND s.kind = 'stake' AND s.player_id = $2",
	.args = {ARG_INT8, ARG_INT8}
};

/* its columns */
enum
{
	STAKES_STANDING = 1, STAKES_PAID
};

Numbers
casino_withheld_players(int64 round_id, bool ended)
{
	Datum		values[2] = {Int64GetDatum(round_id), BoolGetDatum(ended)};

	return casino_column_numbers(casino_read_latest(&find_players, values, NULL), ONLY_COLUMN);
}

bool
casino_withheld_is_ordered(int64 round_id)
{
	Datum		values[1] = {Int64GetDatum(round_id)};

	return casino_read_latest(&find_round_reason, values, NULL) == 1;
}

bool
casino_withheld_round(int64 round_id, bool now, const Ground *ground, TimestampTz at)
{
	Datum		values[4] = {Int64GetDatum(round_id), TimestampTzGetDatum(at)};

	if (casino_withheld_is_ordered(round_id))
		return true;
	if (!now)
		return false;
	values[2] = CStringGetTextDatum(ground->reason);
	values[3] = CStringGetTextDatum(ground->code);
	casino_round_update(&withhold_round, values, NULL);
	return true;
}

RoundWagers
casino_withheld_leave_out(int64 round_id, const RoundWagers *wagers)
{
	Numbers		withheld = casino_withheld_players(round_id, false);
	RoundWagers rest = *wagers;

	if (withheld.n == 0)
		return rest;
	rest.wagers = palloc(sizeof(RoundWager) * Max(wagers->count, 1));
	rest.count = 0;
	for (int i = 0; i < wagers->count; i++)
		if (!casino_numbers_have(withheld, wagers->wagers[i].player_id))
			rest.wagers[rest.count++] = wagers->wagers[i];
	return rest;
}

void
casino_withheld_load(int64 round_id, int64 player_id, Withholding *withholding)
{
	Datum		values[2] = {Int64GetDatum(player_id), Int64GetDatum(round_id)};

	casino_read_latest(&find_withholding, values, NULL);
	withholding->reason = casino_column_cstring(0, WITHHOLDING_REASON);
	withholding->ground = casino_column_cstring(0, WITHHOLDING_GROUND);
	withholding->ended_how = casino_column_cstring(0, WITHHOLDING_ENDED_HOW);
	withholding->ended_why = casino_column_cstring(0, WITHHOLDING_ENDED_WHY);
	withholding->ended_ground = casino_column_cstring(0, WITHHOLDING_ENDED_GROUND);
}

char *
casino_withheld_reason(int64 round_id, int64 player_id)
{
	Withholding withholding;

	casino_withheld_load(round_id, player_id, &withholding);
	return withholding.ended_how == NULL ? withholding.reason : NULL;
}

/* Withhold a whole round, before it is settled. */
static void
withhold_all(const RoundState *round, const Ground *ground, EventTime *time)
{
	Datum		values[1] = {Int64GetDatum(round->round_id)};

	if (casino_read_latest(&find_round_reason, values, NULL) == 1)
	{
		char	   *first = casino_column_cstring(0, ROUND_WITHHELD_REASON);

		if (strcmp(first, ground->reason) != 0 ||
			strcmp(casino_column_cstring(0, ROUND_WITHHELD_GROUND), ground->code) != 0)
			casino_settlement_refuse(round, psprintf("It is withheld: %s", first));
		return;
	}
	if (round->status != ROUND_OPEN && round->status != ROUND_CLOSED)
		casino_settlement_refuse(round, psprintf("Its winnings are not withheld any more. %s",
												 casino_settlement_end(round)));
	casino_cell_event_time(time);
	casino_time_take(time);
	casino_round_check_time(round, time, round->opened_at, "opened");
	(void) casino_withheld_round(round->round_id, true, ground, time->at);
}

void
casino_withheld_check_stakes(const RoundState *round, int64 player_id)
{
	Datum		values[2] = {Int64GetDatum(round->round_id), Int64GetDatum(player_id)};

	casino_read_latest(&count_stakes, values, NULL);
	if (casino_column_int64(0, STAKES_STANDING) == 0)
		casino_settlement_refuse(round, psprintf("Player " INT64_FORMAT " has no wager in it.", player_id));
	if (casino_column_int64(0, STAKES_PAID) > 0)
		casino_settlement_refuse(round, psprintf("Player " INT64_FORMAT " was paid what he won in it.",
												 player_id));
}

/* Withhold what one player wins, or has won in a round withheld as a whole. */
static void
withhold_player(const RoundState *round, int64 player_id, const Ground *ground, EventTime *time)
{
	Datum		values[6] = {Int64GetDatum(player_id), Int64GetDatum(round->round_id)};
	PlayerState player;
	Withholding before;

	casino_player_lock(player_id, &player);
	casino_withheld_load(round->round_id, player_id, &before);
	if (before.reason != NULL && strcmp(before.reason, ground->reason) == 0 &&
		strcmp(before.ground, ground->code) == 0)
		return;
	if (before.reason != NULL)
		casino_settlement_refuse(round, psprintf("What player " INT64_FORMAT " wins in it is withheld: %s",
												 player_id,
												 before.reason));
	if (before.ended_how != NULL || round->status == ROUND_SETTLED || round->status == ROUND_VOIDED)
		casino_settlement_refuse(round, psprintf("What player "
												 INT64_FORMAT " won in it is not withheld any more.",
												 player_id));
	casino_withheld_check_stakes(round, player_id);
	casino_cell_event_time(time);
	casino_time_take(time);
	casino_round_check_time(round, time, round->opened_at, "opened");
	values[2] = CStringGetTextDatum(ground->reason);
	values[3] = TimestampTzGetDatum(time->at);
	values[4] = TimestampTzGetDatum(GetCurrentTimestamp());
	values[5] = CStringGetTextDatum(ground->code);
	casino_execute(&insert_withholding, values, NULL);
}

/*
 * withhold_winnings(round_id, player_id, reason, at, ground): the winnings of the
 * player in the round (NULL: all players) are not posted when the round is
 * settled.  The same reason and ground again change nothing; others, and
 * winnings that were paid, are KR002.
 */
PG_FUNCTION_INFO_V1(casino_sql_withhold_winnings);
Datum
casino_sql_withhold_winnings(PG_FUNCTION_ARGS)
{
	Ground		ground;
	EventTime	time;
	RunAsOwner	as_owner;
	RoundState	round;

	casino_require_argument(fcinfo, 0, "round_id");
	casino_ground_argument(fcinfo, 2, 4, "withholding winnings", &ground);
	casino_time_argument(fcinfo, 3, &time);
	casino_settlement_begin(&as_owner, PG_GETARG_INT64(0), &round);
	casino_ground_of_plan(&round, &ground);
	if (PG_ARGISNULL(1))
		withhold_all(&round, &ground, &time);
	else
		withhold_player(&round, PG_GETARG_INT64(1), &ground, &time);
	casino_as_owner_end(&as_owner);
	PG_RETURN_VOID();
}
