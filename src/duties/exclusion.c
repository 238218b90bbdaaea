/*
 * exclusion.c
 *	  Who may not bet or pay in: excluded persons (D4 §6.2) and those whose
 *	  account is closed.
 *
 * Nothing of it can be taken back, but an exclusion of the register or the
 * operator by a recorded decision.  Stakes that lie in open rounds when
 * somebody is excluded go back: ledger/excluded.c.
 */
#include "duties/duty.h"

#include "utils/timestamp.h"

#include "casino.h"
#include "server/posting.h"
#include "server/query.h"
#include "server/refusal.h"
#include "server/run_as_owner.h"
#include "state/cell.h"
#include "state/player.h"

static PreparedQuery note_exclusion = {
	.sql = "UPDATE casino.player SET excluded_until = greatest(excluded_until, $2) WHERE player_id = $1",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ}
};

/* An exclusion that was ended by decision lasts until then. */
static PreparedQuery note_exclusion_end = {
	.sql = "UPDATE casino.player"
	"   SET excluded_until = (SELECT max(e.excluded_until) FROM casino.exclusion_period e"
	" WHERE e.player_id = $1)"
	" WHERE player_id = $1",
	.args = {ARG_INT8}
};

static PreparedQuery note_closing = {
	.sql = "UPDATE casino.player SET closed_at = $2 WHERE player_id = $1 AND closed_at IS NULL",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ}
};

/* R7.99: the reference of a person gives way to the token. */
static PreparedQuery note_erasure = {
	.sql = "UPDATE casino.player SET external_ref = $2 WHERE external_ref = $1"
	" AND EXISTS (SELECT FROM casino.person p WHERE p.external_ref = $2 AND p.token = $2)",
	.args = {ARG_TEXT, ARG_TEXT}
};

/* KC004, 55000; KB004 of a player who has moved */
static void
check_admitted(const PlayerState *player, TimestampTz at)
{
	if (player->closed)
	{
		casino_cell_check_moved(player->player_id);
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the account of player " INT64_FORMAT " is closed", player->player_id)));
	}
	if (at < player->excluded_until)
		ereport(ERROR,
				(errrefusal(REFUSAL_EXCLUDED, REFUSED_TIME("until", player->excluded_until)),
				 errmsg("player " INT64_FORMAT " is excluded from playing", player->player_id),
				 player->excluded_until == DT_NOEND ?
				 errdetail("The exclusion has no end (D4 §6.2).") :
				 errdetail("The exclusion ends at %s (D4 §6.2).",
						   timestamptz_to_str(player->excluded_until)),
				 errhint("Winnings are paid and withdrawals are possible all the same.")));
}

const Duty	casino_exclusion_duty = {
	.paragraph = "D4 §6.2",
	.check_admitted = check_admitted
};

/* Run one of them past the guard of casino.player. */
static void
note(PreparedQuery *query, FunctionCallInfo fcinfo)
{
	Datum		values[2] = {PG_GETARG_DATUM(0), PG_NARGS() > 1 ? PG_GETARG_DATUM(1) : (Datum) 0};
	RunAsOwner	as_owner;

	casino_as_owner_begin(&as_owner);
	casino_execute_posting(query, values, NULL);
	casino_as_owner_end(&as_owner);
}

/* note_exclusion(player_id, until): excluded_until never moves back */
PG_FUNCTION_INFO_V1(casino_sql_note_exclusion);
Datum
casino_sql_note_exclusion(PG_FUNCTION_ARGS)
{
	note(&note_exclusion, fcinfo);
	PG_RETURN_VOID();
}

/* note_exclusion_end(player_id): excluded_until follows from the exclusions and their ends */
PG_FUNCTION_INFO_V1(casino_sql_note_exclusion_end);
Datum
casino_sql_note_exclusion_end(PG_FUNCTION_ARGS)
{
	note(&note_exclusion_end, fcinfo);
	PG_RETURN_VOID();
}

/* note_closing(player_id, at) */
PG_FUNCTION_INFO_V1(casino_sql_note_closing);
Datum
casino_sql_note_closing(PG_FUNCTION_ARGS)
{
	note(&note_closing, fcinfo);
	PG_RETURN_VOID();
}

/* note_erasure(external_ref, token) */
PG_FUNCTION_INFO_V1(casino_sql_note_erasure);
Datum
casino_sql_note_erasure(PG_FUNCTION_ARGS)
{
	note(&note_erasure, fcinfo);
	PG_RETURN_VOID();
}
