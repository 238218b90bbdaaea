/*
 * rebuild.c
 *	  Part of rebuild(): the rows of casino.player brought to what the evidence
 *	  alone gives, past the guard that keeps them for the ledger.
 */
#include "postgres.h"

#include "server/posting.h"
#include "server/query.h"
#include "server/run_as_owner.h"

static PreparedQuery put_states = {
	.sql = "UPDATE casino.player p"
	"   SET balance = s.balance, last_entry_no = s.last_entry_no, last_posted_at = s.last_posted_at,"
	"       last_round_id = s.last_round_id, sequence_started_at = s.sequence_started_at,"
	"       previous_round_id = s.previous_round_id,"
	"       previous_sequence_started_at = s.previous_sequence_started_at,"
	"       excluded_until = s.excluded_until, limited = s.limited"
	"  FROM casino_internal.player_states() s"
	" WHERE s.player_id = p.player_id"
	"   AND (p.balance, p.last_entry_no, p.last_posted_at, p.last_round_id, p.sequence_started_at,"
	"        p.previous_round_id, p.previous_sequence_started_at, p.excluded_until, p.limited)"
	"       IS DISTINCT FROM"
	"       (s.balance, s.last_entry_no, s.last_posted_at, s.last_round_id, s.sequence_started_at,"
	"        s.previous_round_id, s.previous_sequence_started_at, s.excluded_until, s.limited)",
	.args = {ARG_END}
};

/* put_player_states(): returns how many players' rows were not so before */
PG_FUNCTION_INFO_V1(casino_sql_put_player_states);
Datum
casino_sql_put_player_states(PG_FUNCTION_ARGS)
{
	RunAsOwner	as_owner;
	uint64		changed;

	casino_as_owner_begin(&as_owner);
	changed = casino_execute_posting(&put_states, NULL, NULL);
	casino_as_owner_end(&as_owner);
	PG_RETURN_INT64((int64) changed);
}
