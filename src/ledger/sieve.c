/*
 * sieve.c
 *	  casino.sieve(): an aggregate over players that reads each one's entries and
 *	  returns which players and rounds may not fit.
 *
 * Entries are read by player, by the key of the ledger, in the snapshot of the
 * query.  As an aggregate it runs in as many processes as the planner gives
 * it: what each has counted of the rounds is added up at the end.
 */
#include "ledger/sieve.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "libpq/pqformat.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "server/query.h"
#include "server/run_as_owner.h"

/* D4 section 8 */
#define BREAK_USECS		(15 * USECS_PER_MINUTE)
#define SEQUENCE_USECS	(120 * USECS_PER_MINUTE)

/* What the entries say of a round. */
typedef struct RoundCount
{
	int64		wagers;
	int64		players;
	int64		staked;
	int64		paid;
} RoundCount;

typedef struct Suspect
{
	int64		parts;			/* SievePart */
	int64		player_id;		/* 0: a round */
	int64		round_id;		/* 0: a player */
} Suspect;

typedef struct SieveState
{
	MemoryContext context;
	SieveFacts *facts;			/* NULL: no player yet */
	int			ncounts;
	RoundCount *counts;			/* of each round of the facts */
	int			nsuspects;
	Suspect    *suspects;
	MemoryContext player;		/* reset for each player */
} SieveState;

/* The player's row, which his entries are held against. */
typedef struct PlayerRow
{
	int64		player_id;
	bool		several;		/* the person has other accounts */
	Datum		balance;
	int64		last_entry_no;
	TimestampTz last_posted_at;
	int64		last_round_id;	/* 0: none */
	TimestampTz sequence_started_at;	/* DT_NOBEGIN: none */
} PlayerRow;

typedef enum EntryKind
{
	STAKE, PAYOUT, DEPOSIT, REFUND, WITHDRAWAL, WITHDRAWAL_CANCELLED, CASH_PAID, TRANSFER_PAID, ADJUSTMENT, NO_KIND
} EntryKind;

enum
{
	ENTRY_NO,
	KIND,
	AMOUNT,
	BALANCE,
	ROUND_ID,
	BET,
	SEAT,
	HAND,
	STAKE_ENTRY_NO,
	WITHDRAWAL_ENTRY_NO,
	GRADE,
	REASON,
	POSTED_AT,
	COLUMNS
};

static const char *const column_names[COLUMNS] = {"entry_no", "kind",
	"amount", "balance",
	"round_id", "bet",
	"seat", "hand",
	"stake_entry_no", "withdrawal_entry_no",
	"grade", "reason",
"posted_at"};

#define LEDGER_COLUMNS_MAX	64

/*
 * Whole rows, as they lie there: any other way costs as much again as reading them.  They lie in their
 * order, nearly always.
 */
static PreparedQuery find_entries = {
	.sql = "SELECT l.* FROM casino.ledger l WHERE l.player_id = $1",
	.args = {ARG_INT8}
};

/* An entry of the player in hand. */
typedef struct Entry
{
	int64		entry_no;
	HeapTuple	tuple;
} Entry;

/* What became of an entry by number: a stake's place, or a withdrawal's amount. */
typedef struct Numbered
{
	int			stake;			/* -1: no stake */
	int64		withdrawal;		/* haléře; -1: none, or ended */
} Numbered;

/* A live round that he joined. */
typedef struct Joined
{
	TimestampTz joined_at;
	int64		entry_no;
	int64		round_id;
	TimestampTz evaluated_at;	/* DT_NOBEGIN: not yet */
} Joined;

typedef struct PlayerPass
{
	SieveState *state;
	const PlayerRow *row;
	int			parts;			/* what may not fit */
	int			nentries;
	Numbered   *numbered;
	int			nstakes;
	SieveStake *stakes;
	int			njoined;
	Joined	   *joined;
	int64		balance;
	TimestampTz latest;
	TupleDesc	desc;			/* of the ledger */
	int			columns[COLUMNS];	/* places in its rows */
} PlayerPass;

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

/* What is counted of the round is not all there is. */
static void
suspect_figures(SieveState *state, int64 round_id)
{
	int			place = casino_sieve_round(state->facts, round_id);

	if (place >= 0)
		state->counts[place].wagers = PG_INT32_MIN;
}

static bool
text_is(Datum value, const char *text)
{
	const struct varlena *v = (const struct varlena *) DatumGetPointer(value);

	return VARSIZE_ANY_EXHDR(v) == strlen(text) && memcmp(VARDATA_ANY(v), text, strlen(text)) == 0;
}

static EntryKind
kind_of(Datum value)
{
	static const char *const names[] = {"stake", "payout", "deposit",
		"refund", "withdrawal", "withdrawal_cancelled",
	"cash_paid", "transfer_paid", "adjustment"};

	for (int i = STAKE; i < NO_KIND; i++)
	{
		if (text_is(value, names[i]))
			return (EntryKind) i;
	}
	return NO_KIND;
}

/* ------------------------------------------------------------ entries */

/* A stake: of the amount of its bet, in a round that took it then. */
static void
take_stake(PlayerPass *pass, const Datum *values, const bool *nulls, int64 amount)
{
	const SieveFacts *facts = pass->state->facts;
	SieveStake *stake = &pass->stakes[pass->nstakes];
	const SieveRound *round;
	char		phase;

	if (nulls[BET] || nulls[ROUND_ID])
	{
		pass->parts = SIEVE_ALL;
		return;
	}
	memset(stake, 0, sizeof(*stake));
	stake->entry_no = DatumGetInt64(values[ENTRY_NO]);
	stake->round = casino_sieve_round(facts, DatumGetInt64(values[ROUND_ID]));
	stake->bet = *DatumGetBet(values[BET]);
	stake->seat = nulls[SEAT] ? 0 : DatumGetInt32(values[SEAT]);
	stake->hand = nulls[HAND] ? 0 : DatumGetInt32(values[HAND]);
	stake->amount = amount;
	stake->posted_at = DatumGetTimestampTz(values[POSTED_AT]);
	if (stake->round < 0 || stake->bet.kind == 0 || stake->bet.kind >= CASINO_BET_KIND_END)
	{
		pass->parts = SIEVE_ALL;
		return;
	}
	round = &facts->rounds[stake->round];
	if (amount != (casino_bet_kind_is_free(stake->bet.kind) ? 0 : stake->bet.stake))
		pass->parts |= SIEVE_TRIAL_BALANCE;
	phase = round->plan == NULL || !round->plan->offered[stake->bet.kind] ? 'b' : round->plan->phase[stake->bet.kind];
	if (stake->posted_at < round->opened_at ||
		(phase == 'b' && round->betting_closed_at != DT_NOBEGIN && stake->posted_at > round->betting_closed_at) ||
		(stake->posted_at >= round->betting_until &&
		 (phase == 'b' || round->betting_closed_at == DT_NOBEGIN || stake->posted_at < round->betting_closed_at)) ||
		(phase == 'p' && (round->betting_closed_at == DT_NOBEGIN || stake->posted_at < round->betting_closed_at)) ||
		(round->actions_closed_at != DT_NOBEGIN && stake->posted_at > round->actions_closed_at) ||
		(round->evaluated_at != DT_NOBEGIN && stake->posted_at > round->evaluated_at))
		pass->parts |= SIEVE_LATE_STAKE;
	pass->numbered[pass->nentries].stake = pass->nstakes++;
}

/* A payout or refund: of a stake before it, of the same round, the first one. */
static void
take_end(PlayerPass *pass, EntryKind kind, const Datum *values, const bool *nulls, int64 amount)
{
	int64		number = nulls[STAKE_ENTRY_NO] ? 0 : DatumGetInt64(values[STAKE_ENTRY_NO]);
	SieveStake *stake;
	const SieveRound *round;

	if (number < 1 || number > pass->nentries || pass->numbered[number - 1].stake < 0)
	{
		pass->parts |= SIEVE_PAYOUT | SIEVE_REFUND | SIEVE_ENTRY_GAP;
		return;
	}
	stake = &pass->stakes[pass->numbered[number - 1].stake];
	round = &pass->state->facts->rounds[stake->round];
	if (nulls[ROUND_ID] || DatumGetInt64(values[ROUND_ID]) != round->round_id || stake->end != 0)
	{
		pass->parts |= SIEVE_PAYOUT | SIEVE_REFUND;
		suspect_figures(pass->state, round->round_id);
		return;
	}
	stake->end = kind == PAYOUT ? 'p' : 'r';
	stake->end_amount = amount;
	if (kind == PAYOUT)
	{
		if (!nulls[GRADE])
			text_to_cstring_buffer((text *) DatumGetPointer(values[GRADE]), stake->grade, sizeof(stake->grade));
		if (round->status != ROUND_SETTLED && !round->exact)
			pass->parts |= SIEVE_PAYOUT;
		return;
	}
	stake->never_placed = !nulls[REASON] &&
		(text_is(values[REASON], "cancelled") || text_is(values[REASON], "disconnected") || text_is(values[REASON], "late") ||
		 text_is(values[REASON], "excluded"));
	if (amount != stake->amount || !(stake->never_placed || round->status == ROUND_VOIDED))
		pass->parts |= SIEVE_REFUND;
}

/* The end of a withdrawal before it, whole, the first one. */
static void
take_withdrawal_end(PlayerPass *pass, EntryKind kind, const Datum *values, const bool *nulls, int64 amount)
{
	int64		number = nulls[WITHDRAWAL_ENTRY_NO] ? 0 : DatumGetInt64(values[WITHDRAWAL_ENTRY_NO]);

	if (kind != WITHDRAWAL_CANCELLED)
		pass->parts |= SIEVE_CASH_LIMIT;
	if (number < 1 || number > pass->nentries || pass->numbered[number - 1].withdrawal != amount)
		pass->parts |= SIEVE_TRIAL_BALANCE | SIEVE_ENTRY_GAP;
	else
		pass->numbered[number - 1].withdrawal = -1;
}

/* One entry, in its order; false when nothing can be said of what follows. */
static bool
take_entry(PlayerPass *pass, HeapTuple tuple)
{
	Datum		row[LEDGER_COLUMNS_MAX];
	bool		row_nulls[LEDGER_COLUMNS_MAX];
	Datum		values[COLUMNS];
	bool		nulls[COLUMNS];
	Numbered   *numbered = &pass->numbered[pass->nentries];
	EntryKind	kind;
	int64		amount;
	int64		balance;
	int64		change;

	heap_deform_tuple(tuple, pass->desc, row, row_nulls);
	for (int i = 0; i < COLUMNS; i++)
	{
		values[i] = row[pass->columns[i]];
		nulls[i] = row_nulls[pass->columns[i]];
	}
	kind = kind_of(values[KIND]);
	if (kind == NO_KIND || DatumGetInt64(values[ENTRY_NO]) != pass->nentries + 1 ||
		!casino_numeric_try_halere(values[AMOUNT], &amount) || !casino_numeric_try_halere(values[BALANCE], &balance))
		return false;
	change = kind == STAKE || kind == WITHDRAWAL ? -amount : kind == CASH_PAID || kind == TRANSFER_PAID ? 0 : amount;
	if (balance != pass->balance + change)
		pass->parts |= SIEVE_WALLET;
	if (balance < 0)
		pass->parts |= SIEVE_NEGATIVE;
	pass->balance = balance;
	if ((amount < 0 && kind != ADJUSTMENT) || (amount == 0 && kind != STAKE && kind != REFUND))
		pass->parts |= SIEVE_TRIAL_BALANCE;
	if (DatumGetTimestampTz(values[POSTED_AT]) > pass->latest)
		pass->latest = DatumGetTimestampTz(values[POSTED_AT]);
	numbered->stake = -1;
	numbered->withdrawal = kind == WITHDRAWAL ? amount : -1;
	if (kind == STAKE)
		take_stake(pass, values, nulls, amount);
	else if (kind == PAYOUT || kind == REFUND)
		take_end(pass, kind, values, nulls, amount);
	else if (!nulls[STAKE_ENTRY_NO])
		return false;
	if (kind == WITHDRAWAL)
		pass->parts |= SIEVE_WITHDRAWAL;
	if (kind == WITHDRAWAL_CANCELLED || kind == CASH_PAID || kind == TRANSFER_PAID)
		take_withdrawal_end(pass, kind, values, nulls, amount);
	else if (!nulls[WITHDRAWAL_ENTRY_NO])
		return false;
	pass->nentries++;
	return pass->parts != SIEVE_ALL;
}

/* ------------------------------------------------------------ rounds */

static int
by_round(const void *a, const void *b)
{
	const SieveStake *x = a;
	const SieveStake *y = b;

	if (x->round != y->round)
		return x->round < y->round ? -1 : 1;
	return x->entry_no < y->entry_no ? -1 : x->entry_no > y->entry_no;
}

static int
by_time(const void *a, const void *b)
{
	const Joined *x = a;
	const Joined *y = b;

	if (x->joined_at != y->joined_at)
		return x->joined_at < y->joined_at ? -1 : 1;
	return x->entry_no < y->entry_no ? -1 : x->entry_no > y->entry_no;
}

/* A live round is joined by its first stake that was placed. */
static void
join_round(PlayerPass *pass, const SieveRound *round, const SieveStake *stakes, int n)
{
	Joined	   *joined = &pass->joined[pass->njoined];
	bool		any = false;

	if (round->plan == NULL || !round->plan->live)
		return;
	for (int i = 0; i < n; i++)
	{
		if (stakes[i].end == 'r' && (stakes[i].never_placed || round->betting_closed_at == DT_NOBEGIN))
			continue;
		if (!any || stakes[i].posted_at < joined->joined_at)
			joined->joined_at = stakes[i].posted_at;
		if (!any)
			joined->entry_no = stakes[i].entry_no;
		any = true;
	}
	if (!any)
		return;
	joined->round_id = round->round_id;
	joined->evaluated_at = round->evaluated_at;
	pass->njoined++;
}

/* His stakes in one round. */
static void
check_round(PlayerPass *pass, const SieveRound *round, const SieveStake *stakes, int n)
{
	RoundCount *count = &pass->state->counts[round - pass->state->facts->rounds];
	bool		any = false;

	for (int i = 0; i < n; i++)
	{
		if (round->status == ROUND_VOIDED && stakes[i].end != 'r')
			pass->parts |= SIEVE_REFUND;
		if (stakes[i].never_placed)
			continue;
		any = true;
		count->wagers++;
		count->staked += stakes[i].amount;
		if (stakes[i].end != 0)
			count->paid += stakes[i].end_amount;
	}
	count->players += any;
	if (round->exact)
		pass->parts |= SIEVE_PAYOUT | SIEVE_REFUND;
	else if (round->status == ROUND_SETTLED &&
			 (round->plan == NULL || !casino_sieve_payouts_fit(round, pass->row->player_id, stakes, n)))
		pass->parts |= SIEVE_PAYOUT;
	if (!casino_sieve_limits_fit(round, stakes, n))
		pass->parts |= SIEVE_STAKE_LIMITS;
	join_round(pass, round, stakes, n);
}

static void
check_rounds(PlayerPass *pass)
{
	for (int i = 1; i < pass->nstakes; i++)
	{
		if (pass->stakes[i].round < pass->stakes[i - 1].round)
		{
			qsort(pass->stakes, (size_t) pass->nstakes, sizeof(SieveStake), by_round);
			break;
		}
	}
	for (int i = 0, j; i < pass->nstakes; i = j)
	{
		for (j = i + 1; j < pass->nstakes && pass->stakes[j].round == pass->stakes[i].round; j++)
			;
		check_round(pass, &pass->state->facts->rounds[pass->stakes[i].round], &pass->stakes[i], j - i);
	}
}

/* Betting sequences (D4 section 8), and what the player's row says of the last one. */
static void
check_sequences(PlayerPass *pass)
{
	TimestampTz busy_until = DT_NOBEGIN;	/* last evaluation of all before */
	TimestampTz started_at = DT_NOBEGIN;
	TimestampTz ended_at = DT_NOBEGIN;	/* last evaluation of the sequence */
	bool		unevaluated = false;
	int64		last_round_id = 0;

	for (int i = 1; i < pass->njoined; i++)
	{
		if (by_time(&pass->joined[i - 1], &pass->joined[i]) > 0)
		{
			qsort(pass->joined, (size_t) pass->njoined, sizeof(Joined), by_time);
			break;
		}
	}
	for (int i = 0; i < pass->njoined; i++)
	{
		const Joined *joined = &pass->joined[i];

		if (unevaluated || joined->joined_at < busy_until)
			pass->parts |= SIEVE_SEQUENCE;
		if (!unevaluated && (busy_until == DT_NOBEGIN || joined->joined_at - busy_until >= BREAK_USECS))
		{
			started_at = joined->joined_at;
			ended_at = DT_NOBEGIN;
		}
		else if (ended_at != DT_NOBEGIN && ended_at - started_at >= SEQUENCE_USECS)
			pass->parts |= SIEVE_SEQUENCE;
		if (joined->evaluated_at == DT_NOBEGIN)
			unevaluated = true;
		busy_until = Max(busy_until, joined->evaluated_at);
		ended_at = Max(ended_at, joined->evaluated_at);
		last_round_id = joined->round_id;
	}
	if (last_round_id != pass->row->last_round_id || started_at != pass->row->sequence_started_at)
		pass->parts |= SIEVE_STATE;
	if (pass->row->several)
		pass->parts |= SIEVE_SEQUENCE | SIEVE_STATE;
}

/* Nothing can be said of this player. */
static int
suspect_all(SieveState *state, const Entry *entries, uint64 rows)
{
	int			column = SPI_fnumber(SPI_tuptable->tupdesc, "round_id");
	bool		isnull;

	for (uint64 i = 0; i < rows; i++)
	{
		Datum		round_id = SPI_getbinval(entries[i].tuple, SPI_tuptable->tupdesc, column, &isnull);

		if (!isnull)
			suspect_figures(state, DatumGetInt64(round_id));
	}
	return SIEVE_ALL;
}

static int
by_number(const void *a, const void *b)
{
	const Entry *x = a;
	const Entry *y = b;

	return x->entry_no < y->entry_no ? -1 : x->entry_no > y->entry_no;
}

/* The rows of the last result by their numbers. */
static Entry *
sort_entries(const SieveState *state, uint64 rows, int column)
{
	Entry	   *entries = MemoryContextAllocHuge(state->player, sizeof(Entry) * (rows + 1));
	bool		sorted = true;
	bool		isnull;

	for (uint64 i = 0; i < rows; i++)
	{
		entries[i].tuple = SPI_tuptable->vals[i];
		entries[i].entry_no = DatumGetInt64(SPI_getbinval(entries[i].tuple, SPI_tuptable->tupdesc, column, &isnull));
		sorted = sorted && (i == 0 || entries[i - 1].entry_no < entries[i].entry_no);
	}
	if (!sorted)
		qsort(entries, rows, sizeof(Entry), by_number);
	return entries;
}

/* What of this player may not fit. */
static int
check_player(SieveState *state, const PlayerRow *row)
{
	Datum		values[] = {Int64GetDatum(row->player_id)};
	uint64		rows = casino_read_snapshot(&find_entries, values, NULL);
	PlayerPass	pass = {.state = state, .row = row, .latest = DT_NOBEGIN, .desc = SPI_tuptable->tupdesc};
	Entry	   *entries;
	int64		balance;

	if (pass.desc->natts > LEDGER_COLUMNS_MAX)
		elog(ERROR, "casino.ledger has more than %d columns", LEDGER_COLUMNS_MAX);
	for (int i = 0; i < COLUMNS; i++)
	{
		pass.columns[i] = SPI_fnumber(pass.desc, column_names[i]) - 1;
		if (pass.columns[i] < 0)
			elog(ERROR, "casino.ledger has no column %s", column_names[i]);
	}
	entries = sort_entries(state, rows, pass.columns[ENTRY_NO] + 1);
	pass.numbered = MemoryContextAllocHuge(state->player, sizeof(Numbered) * (rows + 1));
	pass.stakes = MemoryContextAllocHuge(state->player, sizeof(SieveStake) * (rows + 1));
	pass.joined = MemoryContextAllocHuge(state->player, sizeof(Joined) * (rows + 1));
	for (uint64 i = 0; i < rows; i++)
	{
		if (!take_entry(&pass, entries[i].tuple))
			return suspect_all(state, entries, rows);
	}
	check_rounds(&pass);
	check_sequences(&pass);
	if (!casino_numeric_try_halere(row->balance, &balance) || balance != pass.balance ||
		row->last_entry_no != pass.nentries || row->last_posted_at != pass.latest)
		pass.parts |= SIEVE_STATE;
	return pass.parts;
}

/* ------------------------------------------------------------ the aggregate */

static SieveState *
new_state(FunctionCallInfo fcinfo)
{
	MemoryContext context;
	SieveState *state;

	if (!AggCheckCallContext(fcinfo, &context))
		elog(ERROR, "casino.sieve() is an aggregate");
	state = MemoryContextAllocZero(context, sizeof(SieveState));
	state->context = context;
	return state;
}

static void
load_facts(SieveState *state)
{
	state->facts = casino_sieve_facts(state->context);
	if (state->counts == NULL)
	{
		state->ncounts = state->facts->nrounds;
		state->counts =
			MemoryContextAllocExtended(state->context, sizeof(RoundCount) * ((size_t) state->ncounts + 1),
									   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	}
	else if (state->ncounts != state->facts->nrounds)
		elog(ERROR, "processes of casino.sieve() have seen different rounds");
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
	PlayerRow	row = {.player_id = PG_GETARG_INT64(1),
		.several = PG_GETARG_BOOL(2),
		.balance = PG_GETARG_DATUM(3),
		.last_entry_no = PG_GETARG_INT64(4),
		.last_posted_at = PG_GETARG_TIMESTAMPTZ(5),
		.last_round_id = PG_ARGISNULL(6) ? 0 : PG_GETARG_INT64(6),
	.sequence_started_at = PG_ARGISNULL(7) ? DT_NOBEGIN : PG_GETARG_TIMESTAMPTZ(7)};
	RunAsOwner	as_owner;
	int			parts;

	casino_as_owner_begin(&as_owner);
	if (state->facts == NULL)
		load_facts(state);
	if (state->player == NULL)
		state->player = AllocSetContextCreate(state->context, "casino sieve player", ALLOCSET_DEFAULT_SIZES);
	parts = check_player(state, &row);
	MemoryContextReset(state->player);
	casino_as_owner_end(&as_owner);
	if (parts != 0)
		add_suspect(state, parts, row.player_id, 0);
	PG_RETURN_POINTER(state);
}

PG_FUNCTION_INFO_V1(casino_sql_sieve_serialize);
Datum
casino_sql_sieve_serialize(PG_FUNCTION_ARGS)
{
	const SieveState *state = (const SieveState *) PG_GETARG_POINTER(0);
	StringInfoData out;

	pq_begintypsend(&out);
	pq_sendint32(&out, (uint32) state->ncounts);
	pq_sendint32(&out, (uint32) state->nsuspects);
	pq_sendbytes(&out, (const char *) state->counts, (int) (sizeof(RoundCount) * (size_t) state->ncounts));
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
	state->ncounts = (int) pq_getmsgint(&in, 4);
	nsuspects = (int) pq_getmsgint(&in, 4);
	state->counts = MemoryContextAllocHuge(state->context, sizeof(RoundCount) * ((size_t) state->ncounts + 1));
	pq_copymsgbytes(&in, (char *) state->counts, (int) (sizeof(RoundCount) * (size_t) state->ncounts));
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
		state->ncounts = other->ncounts;
		state->counts =
			MemoryContextAllocExtended(state->context, sizeof(RoundCount) * ((size_t) state->ncounts + 1),
									   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	}
	if (state->ncounts != other->ncounts)
		elog(ERROR, "processes of casino.sieve() have seen different rounds");
	for (int i = 0; i < other->ncounts; i++)
	{
		state->counts[i].wagers += other->counts[i].wagers;
		state->counts[i].players += other->counts[i].players;
		state->counts[i].staked += other->counts[i].staked;
		state->counts[i].paid += other->counts[i].paid;
	}
	for (int i = 0; i < other->nsuspects; i++)
		add_suspect(state, (int) other->suspects[i].parts, other->suspects[i].player_id, other->suspects[i].round_id);
	PG_RETURN_POINTER(state);
}

/* Rounds whose figures are not those of their entries, or whose cards only the checks can tell. */
static void
check_figures(SieveState *state)
{
	for (int i = 0; i < state->facts->nrounds; i++)
	{
		const SieveRound *round = &state->facts->rounds[i];
		const RoundCount *count = &state->counts[i];
		int			parts = 0;

		if (round->exact)
			parts |= SIEVE_ROUND_FIGURES | SIEVE_PAYOUT;
		if (round->evaluated_at != DT_NOBEGIN &&
			(round->wagers != count->wagers || round->players != count->players || round->staked != count->staked ||
			 round->paid != count->paid))
			parts |= SIEVE_ROUND_FIGURES;
		if (parts != 0)
			add_suspect(state, parts, 0, round->round_id);
	}
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
