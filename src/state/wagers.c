/*
 * wagers.c
 *	  What a player has in a round.
 */
#include "postgres.h"

#include "access/xact.h"
#include "utils/builtins.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "server/query.h"
#include "state/kept_wagers.h"
#include "state/tables.h"
#include "state/wagers.h"

/* A bet of the row that the scan stands on: the last column first, which takes the row apart once. */
static void
read_bet(const StoreScan *scan, Wager *wager)
{
	bool		isnull;

	wager->hand = DatumGetInt32(casino_store_column(scan, LEDGER_HAND, &isnull));
	wager->seat = DatumGetInt32(casino_store_column(scan, LEDGER_SEAT, &isnull));
	wager->bet = *DatumGetBet(casino_store_value(scan, LEDGER_BET));
	wager->entry_no = casino_store_int64(scan, LEDGER_ENTRY_NO);
}

/* Its key and time: they lie behind a dozen columns more. */
static void
read_request(const StoreScan *scan, Wager *wager)
{
	bool		isnull;
	Datum		value;

	wager->posted_at = DatumGetTimestampTz(casino_store_column(scan, LEDGER_POSTED_AT, &isnull));
	value = casino_store_column(scan, LEDGER_REQUEST_ID, &isnull);
	wager->request_id = isnull ? NULL : TextDatumGetCString(value);
}

static int
compare_entries(const void *a, const void *b)
{
	int64		left = *(const int64 *) a;
	int64		right = *(const int64 *) b;

	return (left > right) - (left < right);
}

/* Begin with entries of the player in the round of one kind, after one entry: 0 for all. */
static void
begin_scan(Store *ledger, Snapshot snapshot, const Datum *keys, int64 after, StoreScan *scan)
{
	if (after > 0)
		casino_store_scan_beyond(ledger, LEDGER_BY_ROUND, snapshot, 3, keys, after, scan);
	else
		casino_store_scan(ledger, LEDGER_BY_ROUND, snapshot, 3, keys, scan);
}

/* Stakes of the player that went back, ascending, and the newest entry that says so: one scan. */
static int
load_returned(Store *ledger, Snapshot snapshot, int64 round_id, int64 player_id, int64 after,
			  int64 **returned, int64 *newest)
{
	Datum		keys[3] = {Int64GetDatum(round_id), CStringGetTextDatum("refund"), Int64GetDatum(player_id)};
	StoreScan	scan;
	int			n = 0;
	int			room = 8;

	*returned = palloc(sizeof(int64) * room);
	begin_scan(ledger, snapshot, keys, after, &scan);
	while (casino_store_next(&scan))
	{
		if (n == room)
		{
			room *= 2;
			*returned = repalloc(*returned, sizeof(int64) * room);
		}
		(*returned)[n++] = casino_store_int64(&scan, LEDGER_STAKE_ENTRY_NO);
		*newest = Max(*newest, casino_store_int64(&scan, LEDGER_ENTRY_NO));
	}
	casino_store_end(&scan);
	if (n > 1)
		qsort(*returned, n, sizeof(int64), compare_entries);
	return n;
}

/*
 * By the index: stakes of the player in the round that did not go back; with
 * keys and times, or not.  After the kept ones, which come first; *newest: the
 * last entry that was looked at.
 */
static int
load_by_scan(Store *ledger, int64 round_id, int64 player_id, bool requests, const KeptWagers *kept,
			 Wager **wagers, int64 *newest)
{
	Datum		keys[3] = {Int64GetDatum(round_id), CStringGetTextDatum("stake"), Int64GetDatum(player_id)};
	Snapshot	snapshot;
	StoreScan	scan;
	int64	   *returned;
	int			nreturned;
	int			n = kept != NULL ? kept->n : 0;
	int64		after = kept != NULL ? kept->newest : 0;
	int			nleft = 0;
	int			room = n + 8;

	*newest = after;
	*wagers = palloc(sizeof(Wager) * room);
	if (n > 0)
		memcpy(*wagers, kept->wagers, sizeof(Wager) * n);
	CommandCounterIncrement();
	snapshot = RegisterSnapshot(GetLatestSnapshot());
	begin_scan(ledger, snapshot, keys, after, &scan);
	for (; casino_store_next(&scan); n++)
	{
		if (n == room)
		{
			room *= 2;
			*wagers = repalloc(*wagers, sizeof(Wager) * room);
		}
		memset(&(*wagers)[n], 0, sizeof(Wager));
		if (requests)
			read_request(&scan, &(*wagers)[n]);
		read_bet(&scan, &(*wagers)[n]);
		*newest = Max(*newest, (*wagers)[n].entry_no);
	}
	casino_store_end(&scan);
	nreturned = n > 0 ? load_returned(ledger, snapshot, round_id, player_id, after, &returned, newest) : 0;
	if (nreturned == 0)
		nleft = n;
	else
		for (int i = 0; i < n; i++)
			if (bsearch(&(*wagers)[i].entry_no, returned, nreturned, sizeof(int64), compare_entries) == NULL)
				(*wagers)[nleft++] = (*wagers)[i];
	UnregisterSnapshot(snapshot);
	return nleft;
}

int
casino_wagers_load(int64 round_id, int64 player_id, Wager **wagers)
{
	Store		ledger;
	int64		newest;
	int			n;

	casino_store_open(&casino_ledger_table, &ledger, AccessShareLock);
	n = load_by_scan(&ledger, round_id, player_id, true, NULL, wagers, &newest);
	casino_store_close(&ledger);
	return n;
}

#ifdef USE_ASSERT_CHECKING
/* The ledger says the same as the kept wagers and the later ones. */
static void
assert_as_in_ledger(Store *ledger, int64 round_id, int64 player_id, const Wager *wagers, int n)
{
	Wager	   *all;
	int64		newest;

	Assert(load_by_scan(ledger, round_id, player_id, false, NULL, &all, &newest) == n);
	for (int i = 0; i < n; i++)
		Assert(all[i].entry_no == wagers[i].entry_no && all[i].seat == wagers[i].seat &&
			   all[i].hand == wagers[i].hand && memcmp(&all[i].bet, &wagers[i].bet, sizeof(CasinoBet)) == 0);
}
#endif

int
casino_wagers_load_bets(int64 round_id, int64 player_id, Wager **wagers)
{
	Store		ledger;
	int64		newest;
	int			n;

	casino_store_open(&casino_ledger_table, &ledger, AccessShareLock);
	if (ledger.by_sql)
		n = load_by_scan(&ledger, round_id, player_id, false, NULL, wagers, &newest);
	else
	{
		const KeptWagers *kept = casino_wagers_kept(round_id, player_id);
		int64		before = kept != NULL ? kept->newest : 0;

		n = load_by_scan(&ledger, round_id, player_id, false, kept, wagers, &newest);
		if (newest > before)
			casino_wagers_keep(round_id, player_id, newest, *wagers, n);
#ifdef USE_ASSERT_CHECKING
		assert_as_in_ledger(&ledger, round_id, player_id, *wagers, n);
#endif
	}
	casino_store_close(&ledger);
	return n;
}

static PreparedQuery find_stake = {
	.sql = "SELECT s.round_id, s.amount, s.seat, s.hand FROM casino.ledger s"
	" WHERE s.player_id = $1 AND s.entry_no = $2 AND s.kind = 'stake'",
	.args = {ARG_INT8, ARG_INT8}
};

/* its columns */
enum
{
	STAKE_ROUND_ID = 1, STAKE_AMOUNT, STAKE_SEAT, STAKE_HAND
};

bool
casino_stake_find(int64 player_id, int64 entry_no, PostedStake *stake)
{
	Datum		values[2] = {Int64GetDatum(player_id), Int64GetDatum(entry_no)};

	if (casino_read_latest(&find_stake, values, NULL) != 1)
		return false;
	stake->round_id = casino_column_int64(0, STAKE_ROUND_ID);
	stake->amount = casino_column_halere(0, STAKE_AMOUNT, 0);
	stake->seat = casino_column_int(0, STAKE_SEAT);
	stake->hand = casino_column_int(0, STAKE_HAND);
	return true;
}

int64
casino_wager_cost(const CasinoBet *bet)
{
	return casino_bet_kind_is_free(bet->kind) ? 0 : bet->stake;
}
