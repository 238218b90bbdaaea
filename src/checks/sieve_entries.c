/*
 * sieve_entries.c
 *	  A player's entries, read once in the order of their numbers: does each fit
 *	  those before it, and do all fit his row?
 *
 * A row may say anything, whatever columns and indexes once asked of it: what
 * cannot be understood makes the player one whom every check looks at.
 */
#include "checks/sieve.h"

#include "access/htup_details.h"
#include "common/int.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "server/query.h"

typedef enum EntryKind
{
	STAKE, PAYOUT, DEPOSIT, REFUND, WITHDRAWAL, WITHDRAWAL_CANCELLED, CASH_PAID, TRANSFER_PAID, ADJUSTMENT,
	CORRECTION, NO_KIND
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
	CORRECTION_NO,
	GRADE,
	REASON,
	POSTED_AT,
	RECORDED_AT,
	BOOK,
	COLUMNS
};

static const char *const column_names[COLUMNS] = {"entry_no", "kind",
	"amount", "balance",
	"round_id", "bet",
	"seat", "hand",
	"stake_entry_no", "withdrawal_entry_no", "correction_no",
	"grade", "reason",
"posted_at", "recorded_at", "book"};

#define LEDGER_COLUMNS_MAX	64

/*
 * Whole rows, as they lie there: any other way costs as much again as reading them.  They lie in their
 * order, nearly always.
 */
static PreparedQuery find_entries = {
	.sql = "SELECT l.* FROM casino.ledger l WHERE l.player_id = $1",
	.args = {ARG_INT8}
};

/* Of days: with the entry before them. */
static PreparedQuery find_entries_from = {
	.sql = "SELECT l.* FROM casino.ledger l WHERE l.player_id = $1 AND l.entry_no >= $2"
	" ORDER BY l.entry_no LIMIT $3",
	.args = {ARG_INT8, ARG_INT8, ARG_INT8}
};

/*
 * Entries that are read after the last one that must be, to know what became of
 * those before: as many as are before it and some, since a payout follows the
 * stakes of its round.  Of an old day more would be read for nothing.
 */
#define READ_ON			32
#define READ_ON_MAX		500
/* Numbers of one player's days that are further apart are wrong, or many days. */
#define SPAN_MAX		100000000

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

/* The player in hand. */
typedef struct PlayerPass
{
	const SieveFacts *facts;
	SieveCount *counts;
	int			parts;			/* what may not fit */
	int64		before;			/* number of the entry before the first one */
	int32		book;			/* of the entry before */
	int			nentries;
	Numbered   *numbered;
	int			nstakes;
	SieveStake *stakes;
	int64		balance;
	TimestampTz latest;
	TimestampTz latest_recorded;
	TupleDesc	desc;			/* of the ledger */
	int			columns[COLUMNS];	/* places in its rows */
} PlayerPass;

/* What is counted of the round is not all there is. */
static void
give_up_counting(PlayerPass *pass, int64 round_id)
{
	int			place = casino_sieve_round(pass->facts, round_id);

	if (place >= 0)
		pass->counts[place].incomplete = true;
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
	"cash_paid", "transfer_paid", "adjustment", "correction"};

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
	const SieveFacts *facts = pass->facts;
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
	stake->recorded_at = DatumGetTimestampTz(values[RECORDED_AT]);
	if (stake->round < 0 || stake->bet.kind == 0 || stake->bet.kind >= CASINO_BET_KIND_END)
	{
		pass->parts = SIEVE_ALL;
		return;
	}
	round = &facts->rounds[stake->round];
	if (amount != (casino_bet_kind_is_free(stake->bet.kind) ? 0 : stake->bet.stake))
		pass->parts |= SIEVE_TRIAL_BALANCE;
	phase = round->plan == NULL || !round->plan->offered[stake->bet.kind] ? 'b' :
		round->plan->phase[stake->bet.kind];
	if (stake->posted_at < round->opened_at ||
		(phase == 'b' && round->betting_closed_at != DT_NOBEGIN &&
		 stake->posted_at > round->betting_closed_at) ||
		(stake->posted_at >= round->betting_until &&
		 (phase == 'b' || round->betting_closed_at == DT_NOBEGIN ||
		  stake->posted_at < round->betting_closed_at)) ||
		(phase == 'p' && (round->betting_closed_at == DT_NOBEGIN ||
						  stake->posted_at < round->betting_closed_at)) ||
		(round->actions_closed_at != DT_NOBEGIN && stake->posted_at > round->actions_closed_at) ||
		(round->evaluated_at != DT_NOBEGIN && stake->posted_at > round->evaluated_at))
		pass->parts |= SIEVE_LATE_STAKE;
	pass->numbered[pass->nentries].stake = pass->nstakes++;
}

/* An entry that was read before the one in hand; NULL: it is none of those. */
static Numbered *
entry_before(PlayerPass *pass, int64 entry_no)
{
	if (entry_no <= pass->before || entry_no > pass->before + pass->nentries)
		return NULL;
	return &pass->numbered[entry_no - pass->before - 1];
}

/* Is it a number of entries before the days, which are not read? */
static bool
is_earlier(const PlayerPass *pass, int64 entry_no)
{
	return entry_no >= 1 && entry_no <= pass->before;
}

/*
 * Does the time of a refund fit its reason (R7.66)?  Of a stake that depended
 * on another one the check knows.
 */
static bool
reason_fits(const SieveRound *round, const SieveStake *stake, const Datum *values)
{
	TimestampTz at = DatumGetTimestampTz(values[POSTED_AT]);
	TimestampTz closed = round->betting_closed_at != DT_NOBEGIN ? round->betting_closed_at
	: round->evaluated_at != DT_NOBEGIN ? round->evaluated_at : DT_NOEND;

	if (DatumGetTimestampTz(values[RECORDED_AT]) > round->recorded_at)
		return false;
	if (text_is(values[REASON], "late"))
		return (round->betting_closed_at != DT_NOBEGIN && stake->posted_at > round->betting_closed_at) ||
			stake->posted_at >= round->betting_until;
	return text_is(values[REASON], "misdealt") || (at <= closed && at < round->betting_until);
}

/* A payout or refund: of a stake before it, of the same round, the first one. */
static void
take_end(PlayerPass *pass, EntryKind kind, const Datum *values, const bool *nulls, int64 amount)
{
	int64		number = nulls[STAKE_ENTRY_NO] ? 0 : DatumGetInt64(values[STAKE_ENTRY_NO]);
	const Numbered *numbered = entry_before(pass, number);
	SieveStake *stake;
	const SieveRound *round;

	if (numbered == NULL || numbered->stake < 0)
	{
		pass->parts |= SIEVE_PAYOUT | SIEVE_REFUND | (is_earlier(pass, number) ? 0 : SIEVE_ENTRY_GAP);
		if (!nulls[ROUND_ID])
			give_up_counting(pass, DatumGetInt64(values[ROUND_ID]));
		return;
	}
	stake = &pass->stakes[numbered->stake];
	round = &pass->facts->rounds[stake->round];
	if (nulls[ROUND_ID] || DatumGetInt64(values[ROUND_ID]) != round->round_id || stake->end != 0)
	{
		pass->parts |= SIEVE_PAYOUT | SIEVE_REFUND;
		give_up_counting(pass, round->round_id);
		return;
	}
	stake->end = kind == PAYOUT ? 'p' : 'r';
	stake->end_amount = amount;
	if (kind == PAYOUT)
	{
		/* R12.12; when what is withheld is paid the check knows */
		if (!round->exact && DatumGetTimestampTz(values[POSTED_AT]) != round->paid_at)
			pass->parts |= SIEVE_PAYOUT;
		if (!nulls[GRADE])
			text_to_cstring_buffer((text *) DatumGetPointer(values[GRADE]), stake->grade,
								   sizeof(stake->grade));
		if (round->status != ROUND_SETTLED && !round->exact)
			pass->parts |= SIEVE_PAYOUT;
		return;
	}
	stake->never_placed = !nulls[REASON] &&
		(text_is(values[REASON], "cancelled") || text_is(values[REASON], "disconnected") ||
		 text_is(values[REASON], "late") ||
		 text_is(values[REASON], "excluded") || text_is(values[REASON], "misdealt"));
	/* R13.35; what is late and what was dealt wrongly goes back whenever that is known */
	if (stake->never_placed && !text_is(values[REASON], "late") && !text_is(values[REASON], "misdealt") &&
		round->betting_closed_at != DT_NOBEGIN &&
		DatumGetTimestampTz(values[POSTED_AT]) > round->betting_closed_at)
		pass->parts |= SIEVE_LATE_STAKE;
	if (amount != stake->amount ||
		!(stake->never_placed ||
		  (round->status == ROUND_VOIDED && !nulls[REASON] && text_is(values[REASON], "voided"))))
		pass->parts |= SIEVE_REFUND;
	/* of corrections of cards the check knows */
	if (stake->never_placed && text_is(values[REASON], "misdealt"))
		pass->parts |= SIEVE_REFUND;

	/*
	 * A stake whose refund is false stands, and is asked all that others are; of exclusions and
	 * disconnections the checks know.
	 */
	if (stake->never_placed &&
		(text_is(values[REASON], "excluded") || text_is(values[REASON], "disconnected") ||
		 !reason_fits(round, stake, values)))
		pass->parts |= SIEVE_REFUND | SIEVE_LATE_STAKE | SIEVE_STAKE_LIMITS | SIEVE_SEQUENCE;
}

/* The correction of a stake before it: the checks say whether it should be. */
static void
take_correction(PlayerPass *pass, const Datum *values, const bool *nulls)
{
	int64		number = nulls[STAKE_ENTRY_NO] ? 0 : DatumGetInt64(values[STAKE_ENTRY_NO]);
	const Numbered *numbered = entry_before(pass, number);

	pass->parts |= SIEVE_PAYOUT;
	if ((numbered == NULL || numbered->stake < 0) && !is_earlier(pass, number))
		pass->parts |= SIEVE_ENTRY_GAP;
	if (!nulls[ROUND_ID])
		give_up_counting(pass, DatumGetInt64(values[ROUND_ID]));
}

/* The end of a withdrawal before it, whole, the first one. */
static void
take_withdrawal_end(PlayerPass *pass, EntryKind kind, const Datum *values, const bool *nulls, int64 amount)
{
	int64		number = nulls[WITHDRAWAL_ENTRY_NO] ? 0 : DatumGetInt64(values[WITHDRAWAL_ENTRY_NO]);
	Numbered   *numbered = entry_before(pass, number);

	if (kind != WITHDRAWAL_CANCELLED)
		pass->parts |= SIEVE_CASH_LIMIT;
	if (numbered == NULL || numbered->withdrawal != amount)
		pass->parts |= SIEVE_TRIAL_BALANCE | (is_earlier(pass, number) ? 0 : SIEVE_ENTRY_GAP);
	else
		numbered->withdrawal = -1;
}

/* The columns of an entry. */
static void
read_columns(const PlayerPass *pass, HeapTuple tuple, Datum *values, bool *nulls)
{
	Datum		row[LEDGER_COLUMNS_MAX];
	bool		row_nulls[LEDGER_COLUMNS_MAX];

	heap_deform_tuple(tuple, pass->desc, row, row_nulls);
	for (int i = 0; i < COLUMNS; i++)
	{
		values[i] = row[pass->columns[i]];
		nulls[i] = row_nulls[pass->columns[i]];
	}
}

/*
 * The entry before the first of the days: its balance is what they begin with; false when there is none
 * such.
 */
static bool
take_before(PlayerPass *pass, HeapTuple tuple)
{
	Datum		values[COLUMNS];
	bool		nulls[COLUMNS];

	read_columns(pass, tuple, values, nulls);
	if (nulls[POSTED_AT] || nulls[RECORDED_AT])
		return false;
	pass->latest = DatumGetTimestampTz(values[POSTED_AT]);
	pass->latest_recorded = DatumGetTimestampTz(values[RECORDED_AT]);
	return !nulls[ENTRY_NO] && DatumGetInt64(values[ENTRY_NO]) == pass->before && !nulls[BALANCE] &&
		casino_numeric_try_halere(values[BALANCE], &pass->balance);
}

/* Does the entry come long after the days? */
static bool
is_beyond(const PlayerPass *pass, const Entry *entry, int64 last)
{
	bool		isnull;
	Datum		posted_at;

	if (entry->entry_no <= last)
		return false;
	posted_at = SPI_getbinval(entry->tuple, pass->desc, pass->columns[POSTED_AT] + 1, &isnull);
	return !isnull && DatumGetTimestampTz(posted_at) >= pass->facts->days.until + SIEVE_AFTER;
}

/*
 * Times do not fall, but for entries that bear the time of a decision on their
 * round (R12.21); the clock of what is written may be set back a little.
 */
static void
check_times(PlayerPass *pass, EntryKind kind, TimestampTz posted_at, TimestampTz recorded_at)
{
	if ((posted_at < pass->latest && kind != PAYOUT && kind != REFUND && kind != CORRECTION) ||
		(pass->latest_recorded != DT_NOBEGIN && recorded_at < pass->latest_recorded - 5 * USECS_PER_MINUTE))
		pass->parts |= SIEVE_ENTRY_GAP;
	pass->latest = Max(pass->latest, posted_at);
	pass->latest_recorded = Max(pass->latest_recorded, recorded_at);
}

/* One entry, in its order; false when nothing can be said of what follows. */
static bool
take_entry(PlayerPass *pass, HeapTuple tuple)
{
	Datum		values[COLUMNS];
	bool		nulls[COLUMNS];
	Numbered   *numbered = &pass->numbered[pass->nentries];
	EntryKind	kind;
	int64		amount;
	int64		balance;
	int64		change;
	int64		expected;
	bool		of_stake;
	bool		is_signed;

	read_columns(pass, tuple, values, nulls);
	/* NOT NULL may have been taken off the columns */
	if (nulls[ENTRY_NO] || nulls[KIND] || nulls[AMOUNT] || nulls[BALANCE] || nulls[POSTED_AT] ||
		nulls[RECORDED_AT] ||
		TIMESTAMP_NOT_FINITE(DatumGetTimestampTz(values[POSTED_AT])) ||
		TIMESTAMP_NOT_FINITE(DatumGetTimestampTz(values[RECORDED_AT])))
		return false;
	kind = kind_of(values[KIND]);
	if (kind == NO_KIND || DatumGetInt64(values[ENTRY_NO]) != pass->before + pass->nentries + 1 ||
		!casino_numeric_try_halere(values[AMOUNT], &amount) ||
		!casino_numeric_try_halere(values[BALANCE], &balance))
		return false;
	change = kind == CASH_PAID || kind == TRANSFER_PAID ? 0 : amount;
	if ((kind == STAKE || kind == WITHDRAWAL ? pg_sub_s64_overflow(pass->balance, change, &expected)
		 : pg_add_s64_overflow(pass->balance, change, &expected)) || balance != expected)
		pass->parts |= SIEVE_WALLET;
	if (balance < 0)
		pass->parts |= SIEVE_NEGATIVE;
	pass->balance = balance;
	of_stake = kind == PAYOUT || kind == REFUND || kind == CORRECTION;
	is_signed = kind == ADJUSTMENT || kind == CORRECTION;
	if (nulls[BET] != (kind != STAKE) || (of_stake && (nulls[ROUND_ID] || nulls[STAKE_ENTRY_NO])) ||
		nulls[CORRECTION_NO] != (kind != CORRECTION) || (amount < 0 && !is_signed) ||
		(amount == 0 && kind != STAKE && kind != REFUND))
		pass->parts |= SIEVE_TRIAL_BALANCE;
	/* R12.40 */
	if (!nulls[BOOK] && DatumGetInt32(values[BOOK]) < pass->book)
		pass->parts |= SIEVE_ENTRY_GAP;
	pass->book = DatumGetInt32(values[BOOK]);
	check_times(pass, kind, DatumGetTimestampTz(values[POSTED_AT]), DatumGetTimestampTz(values[RECORDED_AT]));
	/* R11.38: on the day posted */
	if (is_signed && !nulls[ROUND_ID])
		pass->parts |= SIEVE_SELF_LIMIT;
	numbered->stake = -1;
	numbered->withdrawal = kind == WITHDRAWAL ? amount : -1;
	if (kind == STAKE)
		take_stake(pass, values, nulls, amount);
	else if (kind == PAYOUT || kind == REFUND)
		take_end(pass, kind, values, nulls, amount);
	else if (kind == CORRECTION)
		take_correction(pass, values, nulls);
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

/* What is counted of the entry's round is not all there is. */
static void
give_up_counting_entry(PlayerPass *pass, const Entry *entry)
{
	bool		isnull;
	Datum		round_id = SPI_getbinval(entry->tuple, pass->desc, pass->columns[ROUND_ID] + 1, &isnull);

	if (!isnull)
		give_up_counting(pass, DatumGetInt64(round_id));
}

/* Nothing can be said of this player, nor of the rounds that he is in. */
static int
suspect_all(PlayerPass *pass, const Entry *entries, uint64 rows)
{
	for (uint64 i = 0; i < rows; i++)
		give_up_counting_entry(pass, &entries[i]);
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
sort_entries(MemoryContext context, uint64 rows, int column)
{
	Entry	   *entries = MemoryContextAllocHuge(context, sizeof(Entry) * (rows + 1));
	bool		sorted = true;
	bool		isnull;

	for (uint64 i = 0; i < rows; i++)
	{
		entries[i].tuple = SPI_tuptable->vals[i];
		entries[i].entry_no = DatumGetInt64(SPI_getbinval(entries[i].tuple, SPI_tuptable->tupdesc, column,
														  &isnull));
		sorted = sorted && (i == 0 || entries[i - 1].entry_no < entries[i].entry_no);
	}
	if (!sorted)
		qsort(entries, rows, sizeof(Entry), by_number);
	return entries;
}

/* Where the columns are that are read. */
static void
find_columns(PlayerPass *pass)
{
	if (pass->desc->natts > LEDGER_COLUMNS_MAX)
		elog(ERROR, "casino.ledger has more than %d columns", LEDGER_COLUMNS_MAX);
	for (int i = 0; i < COLUMNS; i++)
	{
		pass->columns[i] = SPI_fnumber(pass->desc, column_names[i]) - 1;
		if (pass->columns[i] < 0)
			elog(ERROR, "casino.ledger has no column %s", column_names[i]);
	}
}

/*
 * His entries, as SPI has them; of days the one before them, and more than "enough" only where there
 * may be others.
 */
static uint64
read_entries(const SievePlayer *row, int64 enough)
{
	Datum		values[] = {Int64GetDatum(row->player_id), Int64GetDatum(row->first - 1),
	Int64GetDatum(enough)};

	return casino_read_snapshot(row->first > 0 ? &find_entries_from : &find_entries, values, NULL);
}

/* What is to be read of his days is known, and is not too much. */
static bool
has_span(const SievePlayer *row)
{
	return row->first > 0 && row->last >= row->first && row->last - row->first < SPAN_MAX;
}

/* Does his row say what his last entry does? */
static bool
row_fits(const PlayerPass *pass, const SievePlayer *row)
{
	return row->has_balance && row->balance == pass->balance &&
		row->last_entry_no == pass->before + pass->nentries &&
		row->last_posted_at == pass->latest;
}

int
casino_sieve_player(const SieveFacts *facts, SieveCount *counts, MemoryContext context,
					const SievePlayer *row)
{
	SievePlayer all = *row;
	int64		span = row->last - row->first;
	int64		enough = span + 2 + Min(span + READ_ON, READ_ON_MAX);
	uint64		rows;
	uint64		next = 0;
	PlayerPass	pass = {.facts = facts, .counts = counts, .latest = DT_NOBEGIN,
	.latest_recorded = DT_NOBEGIN};
	Entry	   *entries;

	if (!has_span(row))
		all.first = 0;
	rows = read_entries(&all, enough);
	pass.desc = SPI_tuptable->tupdesc;
	find_columns(&pass);
	entries = sort_entries(context, rows, pass.columns[ENTRY_NO] + 1);
	if (all.first != row->first)
		return suspect_all(&pass, entries, rows);
	pass.before = row->first > 0 ? row->first - 1 : 0;
	if (pass.before > 0 && (rows == 0 || !take_before(&pass, entries[next++].tuple)))
		return suspect_all(&pass, entries, rows);
	pass.numbered = MemoryContextAllocHuge(context, sizeof(Numbered) * (rows + 1));
	pass.stakes = MemoryContextAllocHuge(context, sizeof(SieveStake) * (rows + 1));
	for (; next < rows && !(row->first > 0 && is_beyond(&pass, &entries[next], row->last)); next++)
	{
		if (!take_entry(&pass, entries[next].tuple))
			return suspect_all(&pass, entries, rows);
	}
	/* his row is of his last entry: one that was not read is left to the check */
	if (next < rows || (row->first > 0 && rows == (uint64) enough))
		pass.parts |= SIEVE_STATE;
	for (; next < rows; next++)
		give_up_counting_entry(&pass, &entries[next]);
	pass.parts |= casino_sieve_self_limits(facts, context, row->player_id, pass.stakes, pass.nstakes);
	pass.parts |= casino_sieve_rounds(facts, counts, context, row, pass.stakes, pass.nstakes);
	if (!row_fits(&pass, row))
		pass.parts |= SIEVE_STATE;
	return pass.parts;
}
