/*
 * put_away.c
 *	  Which questions need the entries of books that were put away?
 *
 * A stand-in is a foreign table that is a partition of casino.ledger in the
 * place of those books (R12.50).  It has no rows.  Its options say up to which
 * round and time the books reach; casino.book_balance says of each player the
 * last entry.  A question that these show to have no answer in the books goes
 * on; every other one is refused by name, so that none is answered short.
 */
#include "state/put_away.h"

#include "access/genam.h"
#include "access/relation.h"
#include "access/table.h"
#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "foreign/foreign.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

#include "state/tables.h"

static const char *const column_names[AWAY_COLUMNS] = {
	[AWAY_BOOK] = "book",
	[AWAY_ROUND_ID] = "round_id",
	[AWAY_POSTED_AT] = "posted_at",
	[AWAY_RECORDED_AT] = "recorded_at",
	[AWAY_PLAYER_ID] = "player_id",
	[AWAY_ENTRY_NO] = "entry_no",
	[AWAY_STAKE_ENTRY_NO] = "stake_entry_no",
	[AWAY_WITHDRAWAL_ENTRY_NO] = "withdrawal_entry_no",
};

AwayColumn
casino_away_column(Oid relation, AttrNumber attribute)
{
	char	   *name = attribute > 0 ? get_attname(relation, attribute, true) : NULL;
	int			column = 0;

	while (name != NULL && column < AWAY_COLUMNS && strcmp(name, column_names[column]) != 0)
		column++;
	return name == NULL ? AWAY_COLUMNS : column;
}

/* Books, as numbers with commas between them. */
static void
read_books(const char *text, PutAway *away)
{
	int			room = 1;

	for (const char *at = text; *at; at++)
		room += *at == ',';
	away->books = palloc(sizeof(int32) * room);
	away->nbooks = 0;
	for (char *at = strtok(pstrdup(text), ","); at != NULL; at = strtok(NULL, ","))
		away->books[away->nbooks++] = pg_strtoint32(at);
}

static TimestampTz
read_time(const char *text)
{
	return DatumGetTimestampTz(DirectFunctionCall3(timestamptz_in, CStringGetDatum(text),
												   ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1)));
}

void
casino_away_parse(List *options, PutAway *away)
{
	ListCell   *cell;
	int			found = 0;

	memset(away, 0, sizeof(*away));
	foreach(cell, options)
	{
		DefElem    *option = lfirst(cell);

		found++;
		if (strcmp(option->defname, "books") == 0)
			read_books(defGetString(option), away);
		else if (strcmp(option->defname, "last_round_id") == 0)
			away->last_round_id = pg_strtoint64(defGetString(option));
		else if (strcmp(option->defname, "last_posted_at") == 0)
			away->last_posted_at = read_time(defGetString(option));
		else if (strcmp(option->defname, "last_recorded_at") == 0)
			away->last_recorded_at = read_time(defGetString(option));
		else
			ereport(ERROR,
					(errcode(ERRCODE_FDW_INVALID_OPTION_NAME),
					 errmsg("unknown option \"%s\" of books that were put away", option->defname)));
	}
	if (found != 4 || away->nbooks == 0)
		ereport(ERROR,
				(errcode(ERRCODE_FDW_OPTION_NAME_NOT_FOUND),
				 errmsg("books that were put away need books, last_round_id, last_posted_at and "
						"last_recorded_at")));
}

void
casino_away_read(Oid stand_in, PutAway *away)
{
	casino_away_parse(GetForeignTable(stand_in)->options, away);
}

void
casino_away_ask(AwayQuestion *question, AwayColumn column, int64 value, bool single)
{
	AwayBound  *bound = &question->bounds[column];

	if (bound->given && bound->single && single && bound->least != value)
		question->nothing = true;
	if (!bound->given || value > bound->least)
		bound->least = value;
	bound->single |= single;
	bound->given = true;
}

/* Is the question for later ones alone than the last? */
static bool
is_later(const AwayQuestion *question, AwayColumn column, int64 last)
{
	return question->bounds[column].given && question->bounds[column].least > last;
}

static bool
has_book(const PutAway *away, int32 book)
{
	for (int i = 0; i < away->nbooks; i++)
		if (away->books[i] == book)
			return true;
	return false;
}

/* The player's last entry in the books, 0: none. */
static int64
last_entry(const PutAway *away, int64 player_id)
{
	Oid			schema = get_namespace_oid("casino", false);
	Relation	balances = table_open(get_relname_relid("book_balance", schema), AccessShareLock);
	TupleDesc	desc = RelationGetDescr(balances);
	AttrNumber	player = get_attnum(RelationGetRelid(balances), "player_id");
	AttrNumber	book = get_attnum(RelationGetRelid(balances), "book");
	AttrNumber	entry = get_attnum(RelationGetRelid(balances), "entry_no");
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	row;
	int64		last = 0;

	/* the index is not of the catalog: its first column is the player */
	ScanKeyInit(&key, player, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(player_id));
	scan = systable_beginscan(balances, get_relname_relid("book_balance_pkey", schema), true, NULL, 1, &key);
	while (HeapTupleIsValid(row = systable_getnext(scan)))
	{
		bool		isnull;
		int32		number = DatumGetInt32(heap_getattr(row, book, desc, &isnull));

		if (has_book(away, number))
			last = Max(last, DatumGetInt64(heap_getattr(row, entry, desc, &isnull)));
	}
	systable_endscan(scan);
	table_close(balances, NoLock);
	return last;
}

bool
casino_away_is_beyond(const PutAway *away, const AwayQuestion *question)
{
	const AwayBound *player = &question->bounds[AWAY_PLAYER_ID];
	const AwayBound *book = &question->bounds[AWAY_BOOK];
	int64		last;

	/* books without an entry have no answer to anything */
	if (question->nothing || TIMESTAMP_IS_NOBEGIN(away->last_posted_at) ||
		is_later(question, AWAY_BOOK, away->books[away->nbooks - 1]) ||
		(book->single && !has_book(away, book->least)) ||
		is_later(question, AWAY_ROUND_ID, away->last_round_id) ||
		is_later(question, AWAY_POSTED_AT, away->last_posted_at) ||
		is_later(question, AWAY_RECORDED_AT, away->last_recorded_at))
		return true;
	if (!player->given || !player->single)
		return false;
	/* an entry follows those that it names */
	last = last_entry(away, player->least);
	return last == 0 ||
		is_later(question, AWAY_ENTRY_NO, last) ||
		is_later(question, AWAY_STAKE_ENTRY_NO, last) ||
		is_later(question, AWAY_WITHDRAWAL_ENTRY_NO, last);
}

/* The numbers of the books, with commas between them. */
static char *
list_books(const PutAway *away)
{
	StringInfoData text;

	initStringInfo(&text);
	for (int i = 0; i < away->nbooks; i++)
		appendStringInfo(&text, "%s%d", i > 0 ? ", " : "", away->books[i]);
	return text.data;
}

void
casino_away_refuse(const PutAway *away, const AwayQuestion *question)
{
	const AwayBound *player = &question->bounds[AWAY_PLAYER_ID];
	const AwayBound *round = &question->bounds[AWAY_ROUND_ID];

	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the question needs entries of books that were put away"),
			 errdetail("%sPut away: %s. Their entries reach up to round " INT64_FORMAT " and to %s.",
					   round->given && round->single ?
					   psprintf("Round " INT64_FORMAT " can have entries there. ", round->least) :
					   player->given && player->single ?
					   psprintf("Player " INT64_FORMAT " has entries there. ", player->least) : "",
					   list_books(away), away->last_round_id, timestamptz_to_str(away->last_recorded_at)),
			 errhint("Ask about a later time, or bring the book back with casino.attach_book().")));
}

void
casino_away_judge_scan(Oid stand_in, int index, int nkeys, const Datum *keys)
{
	PutAway		away;
	AwayQuestion question = {0};

	/* R12.51: a request is remembered as long as its book is part of the ledger */
	if (index == LEDGER_BY_REQUEST)
		return;
	casino_away_read(stand_in, &away);
	Assert(nkeys > 0);
	if (index == LEDGER_BY_ROUND)
		casino_away_ask(&question, AWAY_ROUND_ID, DatumGetInt64(keys[0]), true);
	else
	{
		casino_away_ask(&question, AWAY_PLAYER_ID, DatumGetInt64(keys[0]), true);
		if (nkeys > 1)
			casino_away_ask(&question, index == LEDGER_BY_STAKE ? AWAY_STAKE_ENTRY_NO : AWAY_ENTRY_NO,
							DatumGetInt64(keys[1]), true);
	}
	if (!casino_away_is_beyond(&away, &question))
		casino_away_refuse(&away, &question);
}
