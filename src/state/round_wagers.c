/*
 * round_wagers.c
 *	  All wagers of a round that were not returned, or not before its evaluation.
 *
 * They come by the index on round, kind, player and entry: one scan of the
 * refunds, which tell what was returned, and one of the stakes.
 */
#include "state/round_wagers.h"

#include "access/xact.h"
#include "utils/builtins.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "state/tables.h"

/* A stake that was returned. */
typedef struct Returned
{
	int64		player_id;
	int64		entry_no;
} Returned;

typedef struct Loading
{
	RoundWagers *round;
	int			room;
	bool		evaluated;		/* with those that were voided since the evaluation */
	int			nreturned;
	int			returned_room;
	Returned   *returned;
} Loading;

static int
compare_returned(const void *a, const void *b)
{
	const Returned *left = a;
	const Returned *right = b;

	if (left->player_id != right->player_id)
		return left->player_id < right->player_id ? -1 : 1;
	return left->entry_no < right->entry_no ? -1 : left->entry_no > right->entry_no;
}

static void
add_returned(Loading *loading, int64 player_id, int64 entry_no)
{
	if (loading->nreturned == loading->returned_room)
	{
		loading->returned_room = Max(64, loading->returned_room * 2);
		loading->returned = loading->returned == NULL ?
			palloc(sizeof(Returned) * loading->returned_room) :
			repalloc(loading->returned, sizeof(Returned) * loading->returned_room);
	}
	loading->returned[loading->nreturned].player_id = player_id;
	loading->returned[loading->nreturned++].entry_no = entry_no;
}

/* Room for one more wager; NULL when the stake was returned. */
static RoundWager *
add_wager(Loading *loading, int64 player_id, int64 entry_no)
{
	RoundWagers *round = loading->round;
	Returned	key = {player_id, entry_no};
	RoundWager *wager;

	if (loading->nreturned > 0 &&
		bsearch(&key, loading->returned, loading->nreturned, sizeof(Returned), compare_returned) != NULL)
		return NULL;
	if (round->count == loading->room)
	{
		loading->room *= 2;
		round->wagers = repalloc_huge(round->wagers, sizeof(RoundWager) * loading->room);
	}
	wager = &round->wagers[round->count++];
	memset(wager, 0, sizeof(*wager));
	wager->player_id = player_id;
	wager->entry_no = entry_no;
	return wager;
}

static void
sort_returned(Loading *loading)
{
	if (loading->nreturned > 1)
		qsort(loading->returned, loading->nreturned, sizeof(Returned), compare_returned);
}

static TimestampTz
note_recorded(RoundWagers *round, StoreScan *scan)
{
	bool		isnull;
	TimestampTz at = DatumGetTimestampTz(casino_store_column(scan, LEDGER_RECORDED_AT, &isnull));

	round->last_recorded_at = Max(round->last_recorded_at, at);
	return at;
}

static bool
is_voided(const StoreScan *refund)
{
	bool		isnull;
	Datum		reason = casino_store_column(refund, LEDGER_REASON, &isnull);

	return !isnull && strcmp(TextDatumGetCString(reason), "voided") == 0;
}

/* By the index. */
static void
load_by_scan(int64 round_id, Store *ledger, Loading *loading)
{
	Snapshot	snapshot;
	StoreScan	scan;
	Datum		keys[2] = {Int64GetDatum(round_id)};
	bool		isnull;

	CommandCounterIncrement();
	snapshot = RegisterSnapshot(GetLatestSnapshot());
	keys[1] = CStringGetTextDatum("refund");
	casino_store_scan(ledger, LEDGER_BY_ROUND, snapshot, 2, keys, &scan);
	while (casino_store_next(&scan))
	{
		(void) note_recorded(loading->round, &scan);
		if (!loading->evaluated || !is_voided(&scan))
			add_returned(loading, casino_store_int64(&scan, LEDGER_PLAYER_ID),
						 casino_store_int64(&scan, LEDGER_STAKE_ENTRY_NO));
	}
	sort_returned(loading);
	keys[1] = CStringGetTextDatum("stake");
	casino_store_rescan(&scan, 2, keys);
	while (casino_store_next(&scan))
	{
		TimestampTz recorded_at = note_recorded(loading->round, &scan);
		RoundWager *wager = add_wager(loading, casino_store_int64(&scan, LEDGER_PLAYER_ID),
									  casino_store_int64(&scan, LEDGER_ENTRY_NO));

		if (wager == NULL)
			continue;
		wager->bet = *DatumGetBet(casino_store_value(&scan, LEDGER_BET));
		wager->seat = DatumGetInt32(casino_store_column(&scan, LEDGER_SEAT, &isnull));
		wager->hand = DatumGetInt32(casino_store_column(&scan, LEDGER_HAND, &isnull));
		wager->posted_at = DatumGetTimestampTz(casino_store_column(&scan, LEDGER_POSTED_AT, &isnull));
		wager->recorded_at = recorded_at;
	}
	casino_store_end(&scan);
	UnregisterSnapshot(snapshot);
}

static int
compare_wagers(const void *a, const void *b)
{
	const RoundWager *left = a;
	const RoundWager *right = b;

	if (left->player_id != right->player_id)
		return left->player_id < right->player_id ? -1 : 1;
	return left->entry_no < right->entry_no ? -1 : left->entry_no > right->entry_no;
}

/* Each book has them in the order of players. */
static void
sort_wagers(RoundWagers *round)
{
	if (!casino_round_wagers_in_order(round))
		qsort(round->wagers, round->count, sizeof(RoundWager), compare_wagers);
}

static void
load(int64 round_id, Loading *loading)
{
	RoundWagers *round = loading->round;
	Store		ledger;

	loading->room = 256;
	round->count = 0;
	round->last_recorded_at = DT_NOBEGIN;
	round->wagers = palloc(sizeof(RoundWager) * loading->room);
	casino_store_open(&casino_ledger_table, &ledger, AccessShareLock);
	load_by_scan(round_id, &ledger, loading);
	if (ledger.nolder > 0)
		sort_wagers(round);
	casino_store_close(&ledger);
}

void
casino_round_wagers_load(int64 round_id, RoundWagers *round)
{
	Loading		loading = {.round = round};

	load(round_id, &loading);
}

void
casino_round_wagers_load_evaluated(int64 round_id, RoundWagers *round)
{
	Loading		loading = {.round = round, .evaluated = true};

	load(round_id, &loading);
}

void
casino_round_wagers_unpaid(RoundWagers *round, int64 player_id)
{
	Store		ledger;
	StoreScan	scan;
	Snapshot	snapshot;
	bool		scanning = false;
	int			kept = 0;

	casino_store_open(&casino_ledger_table, &ledger, AccessShareLock);
	CommandCounterIncrement();
	snapshot = RegisterSnapshot(GetLatestSnapshot());
	for (int i = 0; i < round->count; i++)
	{
		const RoundWager *wager = &round->wagers[i];
		Datum		keys[2] = {Int64GetDatum(wager->player_id), Int64GetDatum(wager->entry_no)};

		if (player_id != 0 && wager->player_id != player_id)
			continue;
		if (scanning)
			casino_store_rescan(&scan, 2, keys);
		else
			casino_store_scan(&ledger, LEDGER_BY_STAKE, snapshot, 2, keys, &scan);
		scanning = true;
		if (!casino_store_next(&scan))
			round->wagers[kept++] = *wager;
	}
	round->count = kept;
	if (scanning)
		casino_store_end(&scan);
	UnregisterSnapshot(snapshot);
	casino_store_close(&ledger);
}

bool
casino_round_wagers_in_order(const RoundWagers *round)
{
	for (int i = 1; i < round->count; i++)
	{
		const RoundWager *before = &round->wagers[i - 1];
		const RoundWager *wager = &round->wagers[i];

		if (before->player_id > wager->player_id ||
			(before->player_id == wager->player_id && before->entry_no >= wager->entry_no))
			return false;
	}
	return true;
}

int
casino_round_wagers_next_player(const RoundWagers *round, int first)
{
	int			next = first + 1;

	while (next < round->count && round->wagers[next].player_id == round->wagers[first].player_id)
		next++;
	return next;
}
