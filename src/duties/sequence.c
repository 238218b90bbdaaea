/*
 * sequence.c
 *	  The one live table (D4 §8.2, R7.1) and the break after a betting sequence
 *	  (§8.3 to §8.6, R7.8): one question, as both follow from the last live round.
 *
 * All state is in the player's row, read and written under its lock; nothing
 * is scanned.  Of a time that is past, sequence_history.c tells what was known.
 */
#include "duties/duty.h"

#include "access/xact.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "duties/sequence_history.h"
#include "server/event_time.h"
#include "server/posting.h"
#include "server/query.h"
#include "server/refusal.h"
#include "server/run_as_owner.h"
#include "state/cell.h"
#include "state/duty_rule.h"
#include "state/player.h"
#include "state/round.h"
#include "state/wagers.h"

/* Everybody's state as it was before the round. */
static PreparedQuery undo_round = {
	.sql = "UPDATE casino.player p"
	"   SET last_round_id = p.previous_round_id,"
	"       sequence_started_at = p.previous_sequence_started_at,"
	"       previous_round_id = NULL, previous_sequence_started_at = NULL"
	" WHERE p.player_id IN (SELECT s.player_id FROM casino.ledger s"
	"                        WHERE s.round_id = $1 AND s.kind = 'stake')"
	"   AND p.last_round_id = $1",
	.args = {ARG_INT8}
};

/* When the exclusion that holds began. */
static PreparedQuery find_exclusion = {
	.sql = "SELECT min(e.excluded_from) FROM casino.exclusion_period e"
	" WHERE e.player_id = $1 AND e.excluded_from <= $2 AND e.excluded_until > $2",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ}
};

static PreparedQuery load_player = {
	.sql = "SELECT last_round_id, sequence_started_at, excluded_until, closed_at, last_entry_no, "
	"last_posted_at"
	"  FROM casino.player WHERE player_id = $1",
	.args = {ARG_INT8}
};

/* its columns */
enum
{
	PLAYER_LAST_ROUND = 1, PLAYER_STARTED_AT, PLAYER_EXCLUDED, PLAYER_CLOSED_AT, PLAYER_ENTRIES,
	PLAYER_LAST_TIME
};

/* What the rules of D4 section 8 say of a stake. */
typedef enum SequenceVerdict
{
	SEQUENCE_STARTS,			/* the stake starts a new sequence */
	SEQUENCE_GOES_ON,			/* it belongs to the sequence of the last round */
	SEQUENCE_BREAK,				/* a break is due */
	SEQUENCE_SECOND_TABLE		/* he takes part at another live table */
} SequenceVerdict;

/*
 * The verdict on a stake at "at" into another live round than the last one.  A
 * stake dated before the evaluation of that one is at a second table: he took
 * part until then, and whoever won has an entry that says so.  Exactly a break
 * after the last evaluation a new sequence starts; a sequence of exactly the
 * greatest length asks for the break (R7.2, R7.7).  Both figures are those in
 * force at the stake (R7.80).
 */
static SequenceVerdict
judge_round(const LiveRound *last, TimestampTz started_at, TimestampTz at)
{
	if (last->evaluated_at == DT_NOBEGIN || at < last->evaluated_at)
		return SEQUENCE_SECOND_TABLE;
	if (at - last->evaluated_at >= casino_duty_figure(DUTY_BREAK, at))
		return SEQUENCE_STARTS;
	if (last->evaluated_at - started_at >= casino_duty_figure(DUTY_SEQUENCE, at))
		return SEQUENCE_BREAK;
	return SEQUENCE_GOES_ON;
}

/* The same from the number of the last round; nothing is known of "last" when there is none. */
static SequenceVerdict
judge_sequence(int64 last_round_id, TimestampTz started_at, TimestampTz at, LiveRound *last)
{
	if (last_round_id == 0)
		return SEQUENCE_STARTS;
	casino_live_round_load(last_round_id, at, last);
	return judge_round(last, started_at, at);
}

/* Time in messages, palloc'ed. */
static char *
time_cstring(TimestampTz at)
{
	return pstrdup(timestamptz_to_str(at));
}

/* Paragraph of a figure as it was in force, palloc'ed. */
static char *
paragraph(DutyFigure figure, TimestampTz at)
{
	return pstrdup(casino_duty_version(figure, at)->paragraph);
}

/* KC002 */
static void
second_table(const PlayerState *player, const LiveRound *last, TimestampTz at)
{
	const char *rule = paragraph(DUTY_LIVE_TABLES, at);

	ereport(ERROR,
			(errrefusal(REFUSAL_SECOND_TABLE, REFUSED_TEXT("table", last->table_name),
						REFUSED_INT("round_id", last->round_id),
						REFUSED_TIME("evaluated_at", last->evaluated_at)),
			 errmsg("player " INT64_FORMAT " takes part at live table \"%s\"", player->player_id,
					last->table_name),
			 last->evaluated_at == DT_NOBEGIN ?
			 errdetail("He has a stake in round " INT64_FORMAT ", which is not evaluated (%s).",
					   last->round_id, rule) :
			 errdetail("He has a stake in round " INT64_FORMAT ", which was evaluated at %s (%s).",
					   last->round_id, time_cstring(last->evaluated_at), rule),
			 errhint("A player may take part at one live table at a time.")));
}

/* KC001 */
static void
break_required(const PlayerState *player, const LiveRound *last, TimestampTz at)
{
	int64		length = casino_duty_figure(DUTY_BREAK, at);
	int64		seconds = (last->evaluated_at - player->sequence_started_at) / USECS_PER_SEC;

	ereport(ERROR,
			(errrefusal(REFUSAL_BREAK_DUE, REFUSED_TIME("until", last->evaluated_at + length),
						REFUSED_TIME("since", player->sequence_started_at),
						REFUSED_INT("minutes", seconds / 60)),
			 errmsg("player " INT64_FORMAT " must take a break of %s", player->player_id,
					casino_minutes_cstring(length)),
			 errdetail("His betting sequence since %s was "
					   INT64_FORMAT ":%02d minutes long at the last evaluation at %s;"
					   " allowed again at %s (%s).",
					   time_cstring(player->sequence_started_at), seconds / 60, (int) (seconds % 60),
					   time_cstring(last->evaluated_at),
					   time_cstring(last->evaluated_at + length), paragraph(DUTY_SEQUENCE, at)),
			 errhint("See casino.explain_break().")));
}

/*
 * The verdict on the player's stake.  An evaluation under way locks none but
 * the winners: whether it has ended decides, not the moment it is asked.  It
 * cannot be waited for while the player is locked, so 40001 says to ask again (R7.4).
 */
static SequenceVerdict
verdict_on_stake(const PlayerState *player, EventTime *time, LiveRound *last)
{
	SequenceVerdict verdict = judge_sequence(player->last_round_id, player->sequence_started_at, time->at,
											 last);

	if (verdict != SEQUENCE_SECOND_TABLE)
		return verdict;
	if (!casino_round_try_lock_shared(player->last_round_id))
		ereport(ERROR,
				(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
				 errmsg("round " INT64_FORMAT " at live table \"%s\" is being evaluated",
						last->round_id, last->table_name),
				 errdetail("Player " INT64_FORMAT " takes part in it.", player->player_id),
				 errhint("Run the transaction again.")));
	verdict = judge_sequence(player->last_round_id, player->sequence_started_at, time->at, last);

	/*
	 * a time that nobody gave is after the evaluation that went ahead; what is judged is what is posted
	 * (R7.3)
	 */
	if (verdict == SEQUENCE_SECOND_TABLE && last->evaluated_at != DT_NOBEGIN && !time->given &&
		casino_time_reach(time, last->evaluated_at))
		verdict = judge_sequence(player->last_round_id, player->sequence_started_at, time->at, last);
	return verdict;
}

/* KC001, KC002; notes a live round that is joined. */
static void
check_sequence(PlayerState *player, const RoundState *round, EventTime *time)
{
	LiveRound	last;
	SequenceVerdict verdict = verdict_on_stake(player, time, &last);

	if (verdict == SEQUENCE_SECOND_TABLE)
		second_table(player, &last, time->at);
	if (verdict == SEQUENCE_BREAK)
		break_required(player, &last, time->at);
	player->previous_round_id = player->last_round_id;
	player->previous_sequence_started_at = player->sequence_started_at;
	player->last_round_id = round->round_id;
	if (verdict == SEQUENCE_STARTS)
		player->sequence_started_at = time->at;
}

/* See duties.h. */
static void
check_stake(PlayerState *player, const RoundState *round, bool joined, int64 cost, EventTime *time)
{
	/* D4 §8.4: more stakes into a round he takes part in are always accepted (R7.9) */
	if (round->live && !joined)
		check_sequence(player, round, time);
}

/*
 * Stakes of the last live round are returned.  None is left: the player's
 * state is as before the round (R7.10).  Some are: the round was joined by the first
 * of them, which may have come when the sequence before had ended.
 */
static void
undo_participation(PlayerState *player, const Wager *wagers, int n, const bool *returned)
{
	TimestampTz joined_at = DT_NOEND;
	LiveRound	last;

	for (int i = 0; i < n; i++)
		if (!returned[i])
			joined_at = Min(joined_at, wagers[i].posted_at);
	if (joined_at == DT_NOEND)
	{
		player->last_round_id = player->previous_round_id;
		player->sequence_started_at = player->previous_sequence_started_at;
		player->previous_round_id = 0;
		player->previous_sequence_started_at = DT_NOBEGIN;
		return;
	}
	if (judge_sequence(player->previous_round_id, player->previous_sequence_started_at,
					   joined_at, &last) == SEQUENCE_STARTS)
		player->sequence_started_at = joined_at;
	else
		player->sequence_started_at = player->previous_sequence_started_at;
}

/* See duties.h. */
static void
undo_stakes(PlayerState *player, int64 round_id, const Wager *wagers, int n, const bool *returned)
{
	if (n > 0 && player->last_round_id == round_id)
		undo_participation(player, wagers, n, returned);
}

/*
 * See duties.h.  Voided before betting closed, nobody took part (D4 §8); after
 * it, the round counts as evaluated (R7.11).
 */
static void
voided(const RoundState *round)
{
	Datum		values[1] = {Int64GetDatum(round->round_id)};

	if (round->live && round->status == ROUND_OPEN)
		casino_execute_posting(&undo_round, values, NULL);
}

const Duty	casino_sequence_duty = {
	.paragraph = "D4 §8.2 to §8.6",
	.check_stake = check_stake,
	.undo_stakes = undo_stakes,
	.voided = voided
};

/* What explain_break() answers. */
typedef struct BreakAnswer
{
	const char *code;			/* SQLSTATE of the refusal; NULL: he may */
	const char *why;
	TimestampTz since;			/* DT_NOBEGIN: no such time */
	TimestampTz until;
} BreakAnswer;

/* Minutes of a figure as it was in force, palloc'ed. */
static char *
minutes(DutyFigure figure, TimestampTz at)
{
	return casino_minutes_cstring(casino_duty_figure(figure, at));
}

/* What a stake meets at "at", by what is known of the player. */
static void
answer_break(const BreakState *state, TimestampTz closed_at, TimestampTz at, BreakAnswer *answer)
{
	const LiveRound *last = &state->last;

	memset(answer, 0, sizeof(*answer));
	answer->since = answer->until = DT_NOBEGIN;

	/* in the order in which a stake meets them: the account, the exclusion, the sequence */
	if (closed_at != DT_NOBEGIN)
	{
		answer->code = "55000";
		answer->why = "the account is closed";
		answer->since = closed_at;
		return;
	}
	if (at < state->excluded_until)
	{
		answer->code = "KC004";
		answer->why = "excluded from playing (D4 §6.2)";
		answer->until = state->excluded_until;
		return;
	}

	/* nothing forbids it; the last live round says whether the sequence goes on */
	answer->why = "a new betting sequence would start";
	if (last->round_id == 0)
		return;
	switch (judge_round(last, state->started_at, at))
	{
		case SEQUENCE_SECOND_TABLE:
			answer->code = "KC002";
			answer->why = psprintf("takes part at live table \"%s\" until its round " INT64_FORMAT
								   " is evaluated (%s)",
								   last->table_name, last->round_id, paragraph(DUTY_LIVE_TABLES, at));
			answer->until = last->evaluated_at;
			break;
		case SEQUENCE_BREAK:
			answer->code = "KC001";
			answer->why = psprintf("the betting sequence is at least %s long: a break of %s is due (%s)",
								   minutes(DUTY_SEQUENCE, at), minutes(DUTY_BREAK, at),
								   paragraph(DUTY_SEQUENCE, at));
			answer->until = last->evaluated_at + casino_duty_figure(DUTY_BREAK, at);
			break;
		case SEQUENCE_GOES_ON:
			answer->why = psprintf("the betting sequence goes on; a break is due once it is %s long (%s)",
								   minutes(DUTY_SEQUENCE, at), paragraph(DUTY_SEQUENCE, at));
			answer->until = last->evaluated_at + casino_duty_figure(DUTY_BREAK, at);
			break;
		case SEQUENCE_STARTS:
			return;
	}
	answer->since = state->started_at;
}

/*
 * The player as he is known now, or, of a time that is past, as he was known
 * then (R7.6).  A replay dated after "at" is of a time to come.
 */
static TimestampTz
load_break_state(int64 player_id, TimestampTz at, BreakState *state)
{
	Datum		arg[1] = {Int64GetDatum(player_id)};
	int64		last_round_id;
	int64		last_entry_no;
	TimestampTz closed_at;
	TimestampTz last_event;

	memset(state, 0, sizeof(*state));
	if (casino_read_latest(&load_player, arg, NULL) != 1)
		casino_cell_no_such_player(player_id);
	last_round_id = casino_column_int64(0, PLAYER_LAST_ROUND);
	state->started_at = casino_column_time(0, PLAYER_STARTED_AT, DT_NOBEGIN);
	state->excluded_until = casino_column_time(0, PLAYER_EXCLUDED, DT_NOBEGIN);
	closed_at = casino_column_time(0, PLAYER_CLOSED_AT, DT_NOBEGIN);
	last_entry_no = casino_column_int64(0, PLAYER_ENTRIES);
	last_event = casino_column_time(0, PLAYER_LAST_TIME, DT_NOBEGIN);
	if (last_round_id != 0)
	{
		casino_live_round_load(last_round_id, at, &state->last);
		last_event = Max(last_event, state->last.evaluated_at);
	}
	if (at >= GetCurrentStatementStartTimestamp() &&
		(last_event == DT_NOBEGIN || last_event - REPLAY_DISTANCE <= at))
		return closed_at;
	casino_break_at(player_id, last_entry_no, at, state);
	return closed_at <= at ? closed_at : DT_NOBEGIN;
}

/*
 * explain_break(player_id, at): may he stake into a live round that he has not
 * joined, which rule says so, since when, until when.  Of a time that is past,
 * as it was known to hold then.
 */
PG_FUNCTION_INFO_V1(casino_sql_explain_break);
Datum
casino_sql_explain_break(PG_FUNCTION_ARGS)
{
	int64		player_id;
	TimestampTz at;
	RunAsOwner	as_owner;
	BreakState	state;
	BreakAnswer answer;
	TimestampTz closed_at;
	TupleDesc	desc;
	Datum		values[5];
	bool		nulls[5] = {false};
	Datum		result;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	casino_require_argument(fcinfo, 0, "player_id");
	casino_require_argument(fcinfo, 1, "at");
	player_id = PG_GETARG_INT64(0);
	at = PG_GETARG_TIMESTAMPTZ(1);
	casino_as_owner_begin(&as_owner);
	closed_at = load_break_state(player_id, at, &state);
	answer_break(&state, closed_at, at, &answer);
	if (closed_at == DT_NOBEGIN && at < state.excluded_until)
	{
		Datum		asked[2] = {Int64GetDatum(player_id), TimestampTzGetDatum(at)};

		casino_read_latest(&find_exclusion, asked, NULL);
		answer.since = casino_column_time(0, ONLY_COLUMN, DT_NOBEGIN);
	}
	values[0] = BoolGetDatum(answer.code == NULL);
	nulls[1] = answer.code == NULL;
	values[1] = answer.code ? CStringGetTextDatum(answer.code) : (Datum) 0;
	values[2] = CStringGetTextDatum(answer.why);
	values[3] = TimestampTzGetDatum(answer.since);
	nulls[3] = answer.since == DT_NOBEGIN;
	values[4] = TimestampTzGetDatum(answer.until);
	nulls[4] = answer.until == DT_NOBEGIN;
	result = SPI_datumTransfer(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls)),
							   false, -1);
	casino_as_owner_end(&as_owner);
	PG_RETURN_DATUM(result);
}
