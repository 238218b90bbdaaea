/*
 * table_version.c
 *	  Versions of game tables, kept by the session.
 *
 * Their rows are append-only, so what was read once stays true: until the
 * transaction that wrote it fails (its number may then be given again) or the
 * tables are made anew.  In both cases everything kept is thrown away.
 */
#include "state/table_version.h"

#include "access/xact.h"
#include "catalog/namespace.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "casino.h"
#include "server/query.h"

static PreparedQuery load_version = {
	.sql = "SELECT t.name, g.game, g.family, g.live, v.seats, v.min_stake, v.max_stake, v.surrender, "
	"v.behind,"
	"       l.kind, l.min_stake, l.max_stake,"
	"       t.home_cell, t.home_cell IS NOT NULL AND NOT EXISTS (SELECT FROM casino.cell c"
	" WHERE c.cell = t.home_cell)"
	"  FROM casino.game_table t"
	"  JOIN casino.table_version v ON v.table_id = t.table_id"
	"  JOIN casino.game g ON g.game = t.game"
	"  LEFT JOIN casino.table_limit l ON l.table_id = v.table_id AND l.version = v.version"
	" WHERE t.table_id = $1 AND v.version = $2",
	.args = {ARG_INT8, ARG_INT4}
};

/* its columns */
enum
{
	VERSION_NAME = 1, VERSION_GAME, VERSION_FAMILY, VERSION_LIVE, VERSION_SEATS, VERSION_MIN_STAKE,
	VERSION_MAX_STAKE, VERSION_SURRENDER, VERSION_BEHIND, VERSION_LIMIT_KIND, VERSION_LIMIT_MIN,
	VERSION_LIMIT_MAX, VERSION_HOME_CELL, VERSION_AWAY
};

static HTAB *kept = NULL;
static bool stale = false;
static bool watching = false;
static Oid	version_table = InvalidOid;

static void
forget_after_change(Datum arg, Oid relation)
{
	if (!OidIsValid(relation) || relation == version_table)
		stale = true;
}

static void
forget_after_abort(XactEvent event, void *arg)
{
	if (event == XACT_EVENT_ABORT || event == XACT_EVENT_PREPARE)
		stale = true;
}

static void
forget_after_subabort(SubXactEvent event, SubTransactionId mine, SubTransactionId parent, void *arg)
{
	if (event == SUBXACT_EVENT_ABORT_SUB)
		stale = true;
}

/* The table of what is kept, empty after something happened that it may not outlive. */
static void
prepare_table(void)
{
	HASHCTL		control = {.keysize = sizeof(((TableVersion *) 0)->key), .entrysize = sizeof(TableVersion)};

	if (!watching)
	{
		CacheRegisterRelcacheCallback(forget_after_change, (Datum) 0);
		RegisterXactCallback(forget_after_abort, NULL);
		RegisterSubXactCallback(forget_after_subabort, NULL);
		watching = true;
	}
	if (kept != NULL && stale)
	{
		hash_destroy(kept);
		kept = NULL;
	}
	stale = false;
	if (kept != NULL)
		return;
	version_table = get_relname_relid("table_version", get_namespace_oid("casino", false));
	control.hcxt = CacheMemoryContext;
	kept = hash_create("casino table versions", 16, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

/* Fill in a version from its rows; XX001 when there are none. */
static void
read_version(TableVersion *table)
{
	Datum		values[2] = {Int64GetDatum(table->key.table_id), Int32GetDatum((int32) table->key.version)};
	uint64		rows = casino_read_latest(&load_version, values, NULL);
	bool		isnull;
	Datum		value;

	if (rows == 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("version %d of table " INT64_FORMAT " vanished", (int) table->key.version,
						table->key.table_id)));

	/* what every row repeats: the table and its version */
	strlcpy(table->name, casino_column_word(0, VERSION_NAME), sizeof(table->name));
	strlcpy(table->game, casino_column_word(0, VERSION_GAME), sizeof(table->game));
	strlcpy(table->family, casino_column_word(0, VERSION_FAMILY), sizeof(table->family));
	table->live = casino_column_bool(0, VERSION_LIVE);
	value = casino_column(0, VERSION_SEATS, ARG_INT4, &isnull);
	table->seated = !isnull;
	table->seats = isnull ? 0 : DatumGetInt32(value);
	table->min_stake = casino_column_halere(0, VERSION_MIN_STAKE, 0);
	table->max_stake = casino_column_halere(0, VERSION_MAX_STAKE, PG_INT64_MAX);
	table->surrender = casino_column_bool(0, VERSION_SURRENDER);
	table->behind = casino_column_bool(0, VERSION_BEHIND);
	value = casino_column(0, VERSION_HOME_CELL, ARG_INT4, &isnull);
	table->home_cell = isnull ? -1 : DatumGetInt32(value);
	table->away = casino_column_bool(0, VERSION_AWAY);

	/* one row a kind that has limits of its own; a single one without kind when none has */
	table->nlimits = 0;
	for (uint64 row = 0; row < rows && table->nlimits < CASINO_BET_KIND_END; row++)
	{
		char	   *name = casino_column_cstring(row, VERSION_LIMIT_KIND);
		TableLimit *limit = &table->limits[table->nlimits];

		if (name == NULL)
			continue;
		limit->kind = casino_bet_kind_lookup(name, strlen(name));
		limit->min = casino_column_halere(row, VERSION_LIMIT_MIN, 0);
		limit->max = casino_column_halere(row, VERSION_LIMIT_MAX, PG_INT64_MAX);
		table->nlimits++;
	}
}

const TableVersion *
casino_table_version(int64 table_id, int version)
{
	TableVersion *found;
	TableVersion read;

	prepare_table();
	memset(&read, 0, sizeof(read));
	read.key.table_id = table_id;
	read.key.version = version;
	found = hash_search(kept, &read.key, HASH_FIND, NULL);
	if (found != NULL)
		return found;
	read_version(&read);
	prepare_table();			/* reading may have met a change */
	found = hash_search(kept, &read.key, HASH_ENTER, NULL);
	*found = read;
	return found;
}
