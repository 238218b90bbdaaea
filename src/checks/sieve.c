/*
 * sieve.c
 *	  casino_internal.sieve() and casino_internal.sieve_of_days(): aggregates over players that read
 *	  each one's entries and return which players and rounds may not fit.
 *
 * Entries are read by player, by the key of the ledger, in the snapshot of the
 * query.  As an aggregate it runs in as many processes as the planner gives
 * it: what each has counted of the rounds is added up at the end.
 */
#include "checks/sieve.h"

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "libpq/pqformat.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "server/query.h"
#include "server/run_as_owner.h"

typedef struct Suspect
{
	int64		parts;			/* SievePart */
	int64		player_id;		/* 0: a round */
	int64		round_id;		/* 0: a player */
} Suspect;

typedef struct SieveState
{
	MemoryContext context;
	SieveDays	days;
	SieveFacts *facts;			/* NULL: no player yet */
	int			ncounts;
	SieveCount *counts;			/* of each round of the facts */
	int			nsuspects;
	Suspect    *suspects;
	MemoryContext player;		/* reset for each player */
} SieveState;

static void
add_suspect(SieveState *state, int parts, int64 player_id, int64 round_id)
{
	Suspect    *suspect;

	if (state->nsuspects == 0)
		state->suspects = MemoryContextAlloc(state->context, sizeof(Suspect) * 16);
	else if (state->nsuspects >= 16 && (state->nsuspects & (state->nsuspects - 1)) == 0)
		state->suspects = repalloc_huge(state->suspects, sizeof(Suspect) * 2 * (size_t) state->nsuspects);
	suspect = &state->suspects[state->nsuspects++];
	suspect->parts = parts;
	suspect->player_id = player_id;
	suspect->round_id = round_id;
}

static SieveState *
new_state(FunctionCallInfo fcinfo)
{
	MemoryContext context;
	SieveState *state;

	if (!AggCheckCallContext(fcinfo, &context))
		elog(ERROR, "casino_internal.sieve() is an aggregate");
	state = MemoryContextAllocZero(context, sizeof(SieveState));
	state->context = context;
	state->days.since = DT_NOBEGIN;
	state->days.until = DT_NOEND;
	return state;
}

static void
load_facts(SieveState *state)
{
	state->facts = casino_sieve_facts(state->context, &state->days);
	if (state->counts == NULL)
	{
		state->ncounts = state->facts->nrounds;
		state->counts =
			MemoryContextAllocExtended(state->context, sizeof(SieveCount) * ((size_t) state->ncounts + 1),
									   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	}
	else if (state->ncounts != state->facts->nrounds)
		elog(ERROR, "processes of casino_internal.sieve() have seen different rounds");
}

/* The player's row, from argument "from" on; a column that is NULL though it may not be fits nothing. */
static void
read_player(FunctionCallInfo fcinfo, int from, SievePlayer *row)
{
#define ARG(n, get, if_null) (PG_ARGISNULL(from + (n)) ? (if_null) : get(from + (n)))
	row->player_id = ARG(0, PG_GETARG_INT64, 0);
	row->several = ARG(1, PG_GETARG_BOOL, false);
	row->has_balance = !PG_ARGISNULL(from + 2) &&
		casino_numeric_try_halere(PG_GETARG_DATUM(from + 2), &row->balance);
	row->last_entry_no = ARG(3, PG_GETARG_INT64, -1);
	row->last_posted_at = ARG(4, PG_GETARG_TIMESTAMPTZ, DT_NOEND);
	row->last_round_id = ARG(5, PG_GETARG_INT64, 0);
	row->sequence_started_at = ARG(6, PG_GETARG_TIMESTAMPTZ, DT_NOBEGIN);
#undef ARG
}

/* Read the entries of a player; NULL: only what they would be held against. */
static void
take_player(SieveState *state, const SievePlayer *row)
{
	RunAsOwner	as_owner;
	int			parts = 0;

	casino_as_owner_begin(&as_owner);
	if (state->facts == NULL)
		load_facts(state);
	if (state->player == NULL)
		state->player = AllocSetContextCreate(state->context, "casino sieve player", ALLOCSET_DEFAULT_SIZES);
	if (row != NULL)
		parts = casino_sieve_player(state->facts, state->counts, state->player, row);
	MemoryContextReset(state->player);
	casino_as_owner_end(&as_owner);
	if (parts != 0)
		add_suspect(state, parts, row->player_id, 0);
}

/*
 * sieve_player(state, player_id, several, balance, last_entry_no, last_posted_at, last_round_id,
 * sequence_started_at)
 */
PG_FUNCTION_INFO_V1(casino_sql_sieve_player);
Datum
casino_sql_sieve_player(PG_FUNCTION_ARGS)
{
	SieveState *state = PG_ARGISNULL(0) ? new_state(fcinfo) : (SieveState *) PG_GETARG_POINTER(0);
	SievePlayer row = {0};

	read_player(fcinfo, 1, &row);
	take_player(state, &row);
	PG_RETURN_POINTER(state);
}

/*
 * sieve_player_of_days(state, since, until, first, last, player_id, several, balance, last_entry_no,
 * last_posted_at, last_round_id, sequence_started_at); a player_id NULL stands for nobody: the rounds of
 * days on which nobody has entries are looked at, too.
 */
PG_FUNCTION_INFO_V1(casino_sql_sieve_player_of_days);
Datum
casino_sql_sieve_player_of_days(PG_FUNCTION_ARGS)
{
	SieveState *state = PG_ARGISNULL(0) ? new_state(fcinfo) : (SieveState *) PG_GETARG_POINTER(0);
	SievePlayer row = {0};

	state->days.since = PG_GETARG_TIMESTAMPTZ(1);
	state->days.until = PG_GETARG_TIMESTAMPTZ(2);
	read_player(fcinfo, 5, &row);
	row.first = PG_ARGISNULL(3) ? -1 : Max(PG_GETARG_INT64(3), -1);
	row.first = row.first == 0 ? -1 : row.first;
	row.last = PG_ARGISNULL(4) ? -1 : PG_GETARG_INT64(4);
	take_player(state, PG_ARGISNULL(5) ? NULL : &row);
	PG_RETURN_POINTER(state);
}

PG_FUNCTION_INFO_V1(casino_sql_sieve_serialize);
Datum
casino_sql_sieve_serialize(PG_FUNCTION_ARGS)
{
	const SieveState *state = (const SieveState *) PG_GETARG_POINTER(0);
	StringInfoData out;

	pq_begintypsend(&out);
	pq_sendint64(&out, state->days.since);
	pq_sendint64(&out, state->days.until);
	pq_sendint32(&out, (uint32) state->ncounts);
	pq_sendint32(&out, (uint32) state->nsuspects);
	pq_sendbytes(&out, (const char *) state->counts, (int) (sizeof(SieveCount) * (size_t) state->ncounts));
	pq_sendbytes(&out, (const char *) state->suspects, (int) (sizeof(Suspect) * (size_t) state->nsuspects));
	PG_RETURN_BYTEA_P(pq_endtypsend(&out));
}

PG_FUNCTION_INFO_V1(casino_sql_sieve_deserialize);
Datum
casino_sql_sieve_deserialize(PG_FUNCTION_ARGS)
{
	bytea	   *bytes = PG_GETARG_BYTEA_PP(0);
	SieveState *state = new_state(fcinfo);
	StringInfoData in;
	int			nsuspects;

	initStringInfo(&in);
	appendBinaryStringInfo(&in, VARDATA_ANY(bytes), (int) VARSIZE_ANY_EXHDR(bytes));
	state->days.since = pq_getmsgint64(&in);
	state->days.until = pq_getmsgint64(&in);
	state->ncounts = (int) pq_getmsgint(&in, 4);
	nsuspects = (int) pq_getmsgint(&in, 4);
	state->counts = MemoryContextAllocHuge(state->context,
										   sizeof(SieveCount) * ((size_t) state->ncounts + 1));
	pq_copymsgbytes(&in, (char *) state->counts, (int) (sizeof(SieveCount) * (size_t) state->ncounts));
	for (int i = 0; i < nsuspects; i++)
	{
		Suspect		suspect;

		pq_copymsgbytes(&in, (char *) &suspect, sizeof(suspect));
		add_suspect(state, (int) suspect.parts, suspect.player_id, suspect.round_id);
	}
	pfree(in.data);
	PG_RETURN_POINTER(state);
}

PG_FUNCTION_INFO_V1(casino_sql_sieve_combine);
Datum
casino_sql_sieve_combine(PG_FUNCTION_ARGS)
{
	SieveState *state = PG_ARGISNULL(0) ? NULL : (SieveState *) PG_GETARG_POINTER(0);
	const SieveState *other = PG_ARGISNULL(1) ? NULL : (const SieveState *) PG_GETARG_POINTER(1);

	if (other == NULL)
	{
		if (state == NULL)
			PG_RETURN_NULL();
		PG_RETURN_POINTER(state);
	}
	if (state == NULL)
	{
		state = new_state(fcinfo);
		state->days = other->days;
		state->ncounts = other->ncounts;
		state->counts =
			MemoryContextAllocExtended(state->context, sizeof(SieveCount) * ((size_t) state->ncounts + 1),
									   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	}
	if (state->ncounts != other->ncounts)
		elog(ERROR, "processes of casino_internal.sieve() have seen different rounds");
	for (int i = 0; i < other->ncounts; i++)
	{
		SieveCount *count = &state->counts[i];
		const SieveCount *more = &other->counts[i];

		count->wagers += more->wagers;
		count->players += more->players;
		if (more->incomplete || !casino_money_add(count->staked, more->staked, &count->staked) ||
			!casino_money_add(count->paid, more->paid, &count->paid))
			count->incomplete = true;
	}
	for (int i = 0; i < other->nsuspects; i++)
		add_suspect(state, (int) other->suspects[i].parts, other->suspects[i].player_id,
					other->suspects[i].round_id);
	PG_RETURN_POINTER(state);
}

/* Rounds whose figures are not those of their entries, or whose cards only the checks can tell. */
static void
check_figures(SieveState *state)
{
	for (int i = 0; i < state->facts->nrounds; i++)
	{
		const SieveRound *round = &state->facts->rounds[i];
		const SieveCount *count = &state->counts[i];
		int			parts = 0;

		if (!round->counted && !round->impossible)
			continue;
		if (round->exact || round->impossible)
			parts |= SIEVE_ROUND_FIGURES | SIEVE_PAYOUT;
		if (round->evaluated_at != DT_NOBEGIN &&
			(count->incomplete || round->wagers != count->wagers || round->players != count->players ||
			 round->staked != count->staked || round->paid != count->paid))
			parts |= SIEVE_ROUND_FIGURES;
		if (parts != 0)
			add_suspect(state, parts, 0, round->round_id);
	}
}

/* The words of the parts, from the lowest bit on: SievePart's order. */
static const char *const part_words[] = {
	"entry_gap", "wallet", "negative", "trial_balance", "payout", "refund", "round_figures",
	"late_stake", "stake_limits", "sequence", "cash_limit", "state", "withdrawal", "self_limit"
};

StaticAssertDecl(lengthof(part_words) == SIEVE_PARTS, "each part of the sieve has a word");
StaticAssertDecl(SIEVE_SELF_LIMIT == 1 << (SIEVE_PARTS - 1), "the last word is the last part's");

/* sieve_part(word): the bit of a part; "all" has every bit */
PG_FUNCTION_INFO_V1(casino_sql_sieve_part);
Datum
casino_sql_sieve_part(PG_FUNCTION_ARGS)
{
	char	   *word = text_to_cstring(PG_GETARG_TEXT_PP(0));

	if (strcmp(word, "all") == 0)
		PG_RETURN_INT32(SIEVE_ALL);
	for (int i = 0; i < SIEVE_PARTS; i++)
		if (strcmp(word, part_words[i]) == 0)
			PG_RETURN_INT32(1 << i);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("the sieve has no part \"%s\"", word)));
}

/* Three numbers for each: parts, player or 0, round or 0. */
PG_FUNCTION_INFO_V1(casino_sql_sieve_suspects);
Datum
casino_sql_sieve_suspects(PG_FUNCTION_ARGS)
{
	SieveState *state = PG_ARGISNULL(0) ? new_state(fcinfo) : (SieveState *) PG_GETARG_POINTER(0);
	RunAsOwner	as_owner;
	Datum	   *numbers;

	if (state->facts == NULL)
	{
		casino_as_owner_begin(&as_owner);
		load_facts(state);
		casino_as_owner_end(&as_owner);
	}
	check_figures(state);
	numbers = MemoryContextAllocHuge(state->context, sizeof(Datum) * ((size_t) state->nsuspects * 3 + 1));
	for (int i = 0; i < state->nsuspects; i++)
	{
		numbers[i * 3] = Int64GetDatum(state->suspects[i].parts);
		numbers[i * 3 + 1] = Int64GetDatum(state->suspects[i].player_id);
		numbers[i * 3 + 2] = Int64GetDatum(state->suspects[i].round_id);
	}
	PG_RETURN_ARRAYTYPE_P(construct_array(numbers, state->nsuspects * 3, INT8OID, sizeof(int64), true,
										  TYPALIGN_DOUBLE));
}
