/*
 * compliance.c
 *	  Duties of the operator at a stake: exclusion (D4 §6.2, R7.1, R7.8), the one live table
 *	  (§8.2), the break after a betting sequence (§8.3 to §8.6), self-limits
 *	  (§6.5).
 *
 * All state is in rows of the player, read and written under the lock of his
 * casino.player row; nothing is scanned.
 */
#include "duties/break_history.h"
#include "duties/duties.h"
#include "duties/limit_counters.h"
#include "state/cell.h"

#include "access/xact.h"
#include "funcapi.h"
#include "pgtime.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/timestamp.h"

/* Names of the kinds of limits */
static const struct
{
	const char *measure;
	const char *period;
}			limit_kinds[] = {
	[LIMIT_STAKE_DAY] = {"stake", "day"},
	[LIMIT_STAKE_MONTH] = {"stake", "month"},
	[LIMIT_NET_LOSS_DAY] = {"net_loss", "day"},
	[LIMIT_NET_LOSS_MONTH] = {"net_loss", "month"},
};

/* A stake that was never placed leaves the counters of its own day and month. */
static LedgerQuery uncount_stake = {
	.sql = "UPDATE casino.limit_state s"
	"   SET staked_day = s.staked_day - CASE WHEN s.day = casino.prague_day($2) THEN $3 ELSE 0 END,"
	"       staked_month = s.staked_month - CASE WHEN s.month = casino.prague_month($2) THEN $3 ELSE 0 END,"
	"       open_staked = s.open_staked - $3"
	" WHERE s.player_id = $1",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ, ARG_NUMERIC}
};

static LedgerQuery load_player = {
	.sql = "SELECT last_round_id, sequence_started_at, excluded_until, closed_at, last_entry_no, last_posted_at"
	"  FROM casino.player WHERE player_id = $1",
	.args = {ARG_INT8}
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
 * part until then, and whoever won has an entry that says so.  Exactly 15:00
 * after the last evaluation a new sequence starts; a sequence of exactly 120:00
 * asks for the break (R7.2, R7.7).
 */
static SequenceVerdict
judge_round(const LiveRound *last, TimestampTz started_at, TimestampTz at)
{
	if (last->evaluated_at == DT_NOBEGIN || at < last->evaluated_at)
		return SEQUENCE_SECOND_TABLE;
	if (at - last->evaluated_at >= SEQUENCE_GAP)
		return SEQUENCE_STARTS;
	if (last->evaluated_at - started_at >= SEQUENCE_MAX_LENGTH)
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

/* KC002 */
static void
second_table(const PlayerState *player, const LiveRound *last)
{
	ereport(ERROR,
			(errcode(CASINO_ERRCODE_SECOND_TABLE),
			 errmsg("player " INT64_FORMAT " takes part at live table \"%s\"", player->player_id,
					last->table_name),
			 last->evaluated_at == DT_NOBEGIN ?
			 errdetail("He has a stake in round " INT64_FORMAT ", which is not evaluated (D4 §8.2).",
					   last->round_id) :
			 errdetail("He has a stake in round " INT64_FORMAT ", which was evaluated at %s (D4 §8.2).",
					   last->round_id, time_cstring(last->evaluated_at)),
			 errhint("A player may take part at one live table at a time.")));
}

/* KC001 */
static void
break_required(const PlayerState *player, const LiveRound *last)
{
	int64		seconds = (last->evaluated_at - player->sequence_started_at) / USECS_PER_SEC;

	ereport(ERROR,
			(errcode(CASINO_ERRCODE_BREAK_REQUIRED),
			 errmsg("player " INT64_FORMAT " must take a break of 15 minutes", player->player_id),
			 errdetail("His betting sequence since %s was " INT64_FORMAT ":%02d minutes long at the last evaluation at %s; allowed again at %s (D4 §8.3).",
					   time_cstring(player->sequence_started_at), seconds / 60, (int) (seconds % 60),
					   time_cstring(last->evaluated_at),
					   time_cstring(last->evaluated_at + SEQUENCE_GAP)),
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
	SequenceVerdict verdict = judge_sequence(player->last_round_id, player->sequence_started_at, time->at, last);

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
	/* a time that nobody gave is after the evaluation that went ahead; what is judged is what is posted (R7.3) */
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
		second_table(player, &last);
	if (verdict == SEQUENCE_BREAK)
		break_required(player, &last);
	player->previous_round_id = player->last_round_id;
	player->previous_sequence_started_at = player->sequence_started_at;
	player->last_round_id = round->round_id;
	if (verdict == SEQUENCE_STARTS)
		player->sequence_started_at = time->at;
}

/* What casino.prague_day() and casino.prague_month() give. */
void
casino_prague_day(TimestampTz at, Datum *day, Datum *month)
{
	pg_tz	   *zone = pg_tzset("Europe/Prague");
	struct pg_tm tm;
	int			offset;
	fsec_t		fsec;

	if (zone == NULL || timestamp2tm(at, &offset, &tm, &fsec, NULL, zone) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("time %s has no calendar day in Europe/Prague", timestamptz_to_str(at))));
	*day = DateADTGetDatum(date2j(tm.tm_year, tm.tm_mon, tm.tm_mday) - POSTGRES_EPOCH_JDATE);
	*month = DateADTGetDatum(date2j(tm.tm_year, tm.tm_mon, 1) - POSTGRES_EPOCH_JDATE);
}

/* KC005; counts the stake. */
static void
check_self_limits(const PlayerState *player, int64 cost, TimestampTz at)
{
	LimitUsage	usage;

	casino_limits_count_stake(player->player_id, cost, at, &usage);
	for (int kind = 0; kind < LIMIT_KINDS; kind++)
		if (usage.used[kind] > usage.limits[kind])
			ereport(ERROR,
					(errcode(CASINO_ERRCODE_SELF_LIMIT),
					 errmsg("player " INT64_FORMAT " has set a %s limit of %s CZK a %s",
							player->player_id, limit_kinds[kind].measure,
							casino_money_cstring(usage.limits[kind]), limit_kinds[kind].period),
					 errdetail("%s CZK of it are used, %s CZK were to be staked (D4 §6.5).",
							   casino_money_cstring(usage.used[kind] - cost), casino_money_cstring(cost))));
}

void
casino_compliance_check_admitted(const PlayerState *player, TimestampTz at)
{
	if (player->closed)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the account of player " INT64_FORMAT " is closed", player->player_id)));
	if (at < player->excluded_until)
		ereport(ERROR,
				(errcode(CASINO_ERRCODE_EXCLUDED),
				 errmsg("player " INT64_FORMAT " is excluded from playing", player->player_id),
				 player->excluded_until == DT_NOEND ?
				 errdetail("The exclusion has no end (D4 §6.2).") :
				 errdetail("The exclusion ends at %s (D4 §6.2).",
						   time_cstring(player->excluded_until)),
				 errhint("Winnings are paid and withdrawals are possible all the same.")));
}

void
casino_compliance_check_stake(PlayerState *player, const RoundState *round, bool joined,
							  int64 cost, EventTime *time)
{
	/* D4 §8.4: more stakes into a round he takes part in are always accepted (R7.9) */
	if (round->live && !joined)
		check_sequence(player, round, time);
	if (player->limited && cost > 0)
		check_self_limits(player, cost, time->at);
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

void
casino_compliance_undo_stakes(PlayerState *player, int64 round_id, const Wager *wagers, int n,
							  const bool *returned)
{
	if (n > 0 && player->last_round_id == round_id)
		undo_participation(player, wagers, n, returned);
	for (int i = 0; i < n && player->limited; i++)
		if (returned[i])
		{
			Datum		values[3] = {Int64GetDatum(player->player_id),
			TimestampTzGetDatum(wagers[i].posted_at),
			NumericGetDatum(casino_halere_to_numeric(casino_wager_cost(&wagers[i].bet)))};

			casino_run(&uncount_stake, values, NULL);
		}
}

/* What explain_break() answers. */
typedef struct BreakAnswer
{
	const char *code;			/* SQLSTATE of the refusal; NULL: he may */
	const char *why;
	TimestampTz since;			/* DT_NOBEGIN: no such time */
	TimestampTz until;
} BreakAnswer;

/* What a stake meets at "at", by what is known of the player. */
static void
answer_break(const BreakState *state, TimestampTz closed_at, TimestampTz at, BreakAnswer *answer)
{
	const LiveRound *last = &state->last;

	memset(answer, 0, sizeof(*answer));
	answer->since = answer->until = DT_NOBEGIN;
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
	answer->why = "a new betting sequence would start";
	if (last->round_id == 0)
		return;
	switch (judge_round(last, state->started_at, at))
	{
		case SEQUENCE_SECOND_TABLE:
			answer->code = "KC002";
			answer->why = psprintf("takes part at live table \"%s\" until its round " INT64_FORMAT " is evaluated (D4 §8.2)",
								   last->table_name, last->round_id);
			answer->until = last->evaluated_at;
			break;
		case SEQUENCE_BREAK:
			answer->code = "KC001";
			answer->why = "the betting sequence is at least 120 minutes long: a break of 15 minutes is due (D4 §8.3)";
			answer->until = last->evaluated_at + SEQUENCE_GAP;
			break;
		case SEQUENCE_GOES_ON:
			answer->why = "the betting sequence goes on; a break is due once it is 120 minutes long (D4 §8.3)";
			answer->until = last->evaluated_at + SEQUENCE_GAP;
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
	if (casino_look(&load_player, arg, NULL) != 1)
		casino_cell_no_such_player(player_id);
	last_round_id = casino_column_int64(0, 1);
	state->started_at = casino_column_time(0, 2, DT_NOBEGIN);
	state->excluded_until = casino_column_time(0, 3, DT_NOBEGIN);
	closed_at = casino_column_time(0, 4, DT_NOBEGIN);
	last_entry_no = casino_column_int64(0, 5);
	last_event = casino_column_time(0, 6, DT_NOBEGIN);
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
	int64		player_id = PG_GETARG_INT64(0);
	TimestampTz at = PG_GETARG_TIMESTAMPTZ(1);
	LedgerScope scope;
	BreakState	state;
	BreakAnswer answer;
	TimestampTz closed_at;
	TupleDesc	desc;
	Datum		values[5];
	bool		nulls[5] = {false};
	Datum		result;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	casino_scope_enter(&scope);
	closed_at = load_break_state(player_id, at, &state);
	answer_break(&state, closed_at, at, &answer);
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
	casino_scope_leave(&scope);
	PG_RETURN_DATUM(result);
}
