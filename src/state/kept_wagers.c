/*
 * kept_wagers.c
 *	  Wagers of players in rounds, kept by the session: a stake reads later
 *	  entries only.
 *
 * Entries of the ledger are append-only, and those of a player are written under
 * the lock of the player, by ascending numbers.  So an entry that was read stays
 * true, and a later entry has a greater number.  Two things end it: the
 * transaction that may have written some of it fails (their numbers are then
 * given again), and the ledger is changed as a table (triggers off, made anew).
 * The caller holds the lock of the player.
 */
#include "state/kept_wagers.h"

#include "access/xact.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/memutils.h"

#include "casino.h"
#include "server/store.h"
#include "state/tables.h"

/* fewer are read from the ledger as fast */
#define KEEP_LEAST		4

/* wagers and places of all players together: about 4 MB; then all is let go of */
#define KEEP_MOST		65536

static MemoryContext memory = NULL;
static HTAB *kept = NULL;
static int	nkept = 0;			/* wagers, and one more for each player in a round */
static uint64 transaction = 1;	/* counts those of the session */
static bool added = false;		/* something in this one */
static bool stale = false;
static bool watching = false;

static void
forget_after_change(Datum arg, Oid relation)
{
	if (!OidIsValid(relation) || relation == casino_ledger_table.relid)
		stale = true;
	for (int i = 0; i < casino_ledger_table.nleaves && !stale; i++)
		stale = casino_ledger_table.leaves[i].relid == relation;
}

/* Let go of additions of the transaction that is under way: it may have written the entries itself. */
static void
forget_added(void)
{
	HASH_SEQ_STATUS status;
	KeptWagers *entry;

	if (!added || kept == NULL)
		return;
	hash_seq_init(&status, kept);
	while ((entry = hash_seq_search(&status)) != NULL)
	{
		if (entry->transaction != transaction)
			continue;
		nkept -= entry->n + 1;
		pfree(entry->wagers);
		hash_search(kept, &entry->key, HASH_REMOVE, NULL);
	}
	added = false;
}

static void
forget_in_transaction(XactEvent event, void *arg)
{
	if (event == XACT_EVENT_ABORT || event == XACT_EVENT_PREPARE)
		forget_added();
	if (event == XACT_EVENT_ABORT || event == XACT_EVENT_PREPARE || event == XACT_EVENT_COMMIT)
	{
		transaction++;
		added = false;
	}
}

static void
forget_in_subtransaction(SubXactEvent event, SubTransactionId mine, SubTransactionId parent, void *arg)
{
	if (event == SUBXACT_EVENT_ABORT_SUB)
		forget_added();
}

/* Let go of everything that it may not outlive. */
static void
check(void)
{
	if (!watching)
	{
		CacheRegisterRelcacheCallback(forget_after_change, (Datum) 0);
		RegisterXactCallback(forget_in_transaction, NULL);
		RegisterSubXactCallback(forget_in_subtransaction, NULL);
		watching = true;
	}
	if (kept != NULL && (stale || nkept > KEEP_MOST))
	{
		kept = NULL;
		nkept = 0;
		MemoryContextDelete(memory);
	}
	stale = false;
}

const KeptWagers *
casino_wagers_kept(int64 round_id, int64 player_id)
{
	KeptKey		key = {player_id, round_id};

	check();
	return kept == NULL ? NULL : hash_search(kept, &key, HASH_FIND, NULL);
}

void
casino_wagers_keep(int64 round_id, int64 player_id, int64 newest, const Wager *wagers, int n)
{
	KeptKey		key = {player_id, round_id};
	KeptWagers *entry;
	Wager	   *copy;
	bool		found;

	check();
	if (n < KEEP_LEAST && kept == NULL)
		return;
	if (kept == NULL)
	{
		HASHCTL		control = {.keysize = sizeof(KeptKey), .entrysize = sizeof(KeptWagers)};

		memory = AllocSetContextCreate(CacheMemoryContext, "casino wagers", ALLOCSET_DEFAULT_SIZES);
		control.hcxt = memory;
		kept = hash_create("casino wagers", 64, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	}
	if (n < KEEP_LEAST && hash_search(kept, &key, HASH_FIND, NULL) == NULL)
		return;
	copy = MemoryContextAlloc(memory, sizeof(Wager) * Max(n, 1));
	if (n > 0)
		memcpy(copy, wagers, sizeof(Wager) * n);
	entry = hash_search(kept, &key, HASH_ENTER, &found);
	if (found)
	{
		nkept -= entry->n + 1;
		pfree(entry->wagers);
	}
	entry->newest = newest;
	entry->transaction = transaction;
	entry->n = n;
	entry->wagers = copy;
	nkept += n + 1;
	added = true;
}
