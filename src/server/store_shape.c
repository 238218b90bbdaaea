/*
 * store_shape.c
 *	  Is a hot table such as the store can read or write?  Looked at with the
 *	  table locked, and again after any change of it.
 *
 * All that the access methods would take for granted is held against what our
 * code writes: each column's type, length and collation, each index's columns,
 * order and predicate, and that nobody else wants something of a row.  What
 * does not fit is left to SQL, which converts, or refuses.
 */
#include "server/store_shape.h"

#include "access/genam.h"
#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/relation.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/transam.h"
#include "catalog/namespace.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "commands/trigger.h"
#include "nodes/primnodes.h"
#include "nodes/readfuncs.h"
#include "partitioning/partbounds.h"
#include "partitioning/partdesc.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/partcache.h"
#include "utils/rel.h"
#include "utils/relcache.h"
#include "utils/ruleutils.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

#include "casino.h"

/* tables looked at by this backend */
static StoreTable *watched = NULL;
static bool watching = false;

/* Callback of the relation cache: the relation changed, or any may have (InvalidOid). */
static void
forget_table(Datum arg, Oid relation)
{
	for (StoreTable *table = watched; table != NULL; table = table->next)
	{
		if (!OidIsValid(relation) || relation == table->relid)
			table->known = false;
		for (int n = 0; n < table->nleaves; n++)
			if (!OidIsValid(relation) || relation == table->leaves[n].relid)
				table->leaves[n].known = false;
	}
	casino_store_forget_indexes(relation);
}

/* Callback of the system cache: a schema or a type has changed. */
static void
forget_tables(Datum arg, int cache, uint32 hash)
{
	forget_table(arg, InvalidOid);
}

static void
watch(StoreTable *table)
{
	if (!watching)
	{
		CacheRegisterSyscacheCallback(NAMESPACEOID, forget_tables, (Datum) 0);
		CacheRegisterSyscacheCallback(TYPEOID, forget_tables, (Datum) 0);
		CacheRegisterRelcacheCallback(forget_table, (Datum) 0);
		watching = true;
	}
	for (StoreTable *other = watched; other != NULL; other = other->next)
		if (other == table)
			return;
	table->next = watched;
	watched = table;
}

static bool
is_listed(const char *name, const char *const *list)
{
	for (; list != NULL && *list != NULL; list++)
		if (strcmp(name, *list) == 0)
			return true;
	return false;
}

/*
 * Does every trigger leave our rows alone?  Ours do.  Of foreign keys those
 * that point to the table ask about its key only, which the store never
 * changes; the table's own count as constraints to be honoured.
 */
static bool
triggers_are_ours(Relation relation, const StoreTable *table)
{
	TriggerDesc *desc = relation->trigdesc;

	for (int i = 0; desc != NULL && i < desc->numtriggers; i++)
	{
		const Trigger *trigger = &desc->triggers[i];

		if (is_listed(trigger->tgname, table->triggers) || trigger->tgenabled == TRIGGER_DISABLED)
			continue;
		if (trigger->tgisinternal && OidIsValid(trigger->tgconstraint) &&
			(is_listed(get_constraint_name(trigger->tgconstraint), table->checks) ||
			 (trigger->tgfoid != F_RI_FKEY_CHECK_INS && trigger->tgfoid != F_RI_FKEY_CHECK_UPD)))
			continue;
		return false;
	}
	return true;
}

static bool
constraints_are_ours(Relation relation, const StoreTable *table)
{
	TupleConstr *constr = RelationGetDescr(relation)->constr;

	for (int i = 0; constr != NULL && i < constr->num_check; i++)
		if (!is_listed(constr->check[i].ccname, table->checks))
			return false;
	return true;
}

/* Are the indexes such as an entry can be put into at once? */
static bool
indexes_are_plain(Relation relation)
{
	List	   *oids = RelationGetIndexList(relation);
	ListCell   *cell;
	bool		plain = true;

	foreach(cell, oids)
	{
		Relation	index = index_open(lfirst_oid(cell), AccessShareLock);

		if (!index->rd_index->indimmediate || index->rd_index->indisexclusion ||
			RelationGetIndexExpressions(index) != NIL)
			plain = false;
		index_close(index, NoLock);
	}
	list_free(oids);
	return plain;
}

static int
count_columns(const StoreTable *table)
{
	int			n = 0;

	while (table->columns[n].name != NULL)
		n++;
	Assert(n <= STORE_COLUMNS_MAX);
	return n;
}

/* The attribute of that name; InvalidAttrNumber when there is none. */
static AttrNumber
attribute_of(TupleDesc desc, const char *name)
{
	for (int i = 0; i < desc->natts; i++)
		if (!TupleDescAttr(desc, i)->attisdropped &&
			strcmp(NameStr(TupleDescAttr(desc, i)->attname), name) == 0)
			return i + 1;
	return InvalidAttrNumber;
}

/* All columns that we know of are there, with the types that our code gives and takes; at "numbers". */
static bool
columns_fit(Relation relation, StoreTable *table, AttrNumber *numbers)
{
	TupleDesc	desc = RelationGetDescr(relation);
	int			n;

	for (n = 0; table->columns[n].name != NULL; n++)
	{
		Form_pg_attribute attribute;

		Assert(n < STORE_COLUMNS_MAX);
		numbers[n] = attribute_of(desc, table->columns[n].name);
		if (numbers[n] == InvalidAttrNumber)
			return false;
		attribute = TupleDescAttr(desc, numbers[n] - 1);
		if (attribute->atttypid != casino_arg_type(table->columns[n].type) || attribute->atttypmod != -1 ||
			(OidIsValid(attribute->attcollation) && attribute->attcollation != DEFAULT_COLLATION_OID))
			return false;
	}
	table->ncolumns = n;
	return true;
}

/* There are no others, which might want a default, and none has values of its own. */
static bool
columns_are_plain(Relation relation, const StoreTable *table)
{
	TupleDesc	desc = RelationGetDescr(relation);
	int			present = 0;

	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(desc, i);

		if (attribute->attisdropped)
			continue;
		if (attribute->attidentity != '\0' || attribute->attgenerated != '\0')
			return false;
		present++;
	}
	return present == table->ncolumns;
}

/* Is the index's key the column, ascending, in the column's own order? */
static bool
key_fits(Relation relation, Relation index, int i, const char *column)
{
	AttrNumber	number = index->rd_index->indkey.values[i];
	Form_pg_attribute attribute;

	if (number <= 0)
		return false;
	attribute = TupleDescAttr(RelationGetDescr(relation), number - 1);
	return strcmp(NameStr(attribute->attname), column) == 0 &&
		index->rd_indcollation[i] == attribute->attcollation && index->rd_indoption[i] == 0 &&
		index->rd_opcintype[i] == attribute->atttypid;
}

/* The index's predicate as pg_get_expr() prints it, whatever the session has set; NULL when it has none. */
static char *
predicate_of(Relation index)
{
	bool		isnull;
	bool		saved = quote_all_identifiers;
	Datum		value = SysCacheGetAttr(INDEXRELID, index->rd_indextuple, Anum_pg_index_indpred, &isnull);

	if (isnull)
		return NULL;
	PG_TRY();
	{
		quote_all_identifiers = false;
		value = DirectFunctionCall2(pg_get_expr, value, ObjectIdGetDatum(index->rd_index->indrelid));
	}
	PG_FINALLY();
	{
		quote_all_identifiers = saved;
	}
	PG_END_TRY();
	return TextDatumGetCString(value);
}

/* Does the index cover the rows that it should? */
static bool
predicate_fits(Relation index, const char *wanted)
{
	char	   *predicate = predicate_of(index);

	return predicate == NULL || wanted == NULL ? predicate == wanted : strcmp(predicate, wanted) == 0;
}

/* Has the index all row versions that our snapshots may see?  As the planner asks. */
static bool
has_all_versions(Relation index)
{
	return !index->rd_index->indcheckxmin ||
		TransactionIdPrecedes(HeapTupleHeaderGetXmin(index->rd_indextuple->t_data), TransactionXmin);
}

/* Is that the wanted index? */
static bool
index_fits(Relation relation, Relation index, const StoreIndex *wanted)
{
	bool		fits = index->rd_index->indisvalid && index->rd_rel->relam == BTREE_AM_OID &&
	index->rd_index->indnkeyatts >= wanted->nkeys;

	for (int i = 0; fits && i < wanted->nkeys; i++)
		fits = key_fits(relation, index, i, wanted->keys[i]);
	return fits && predicate_fits(index, wanted->predicate) && has_all_versions(index);
}

/*
 * The wanted indexes of the table.  Names do not count, because each book has
 * others.  Of several that fit the oldest; false when one is missing.
 */
static bool
find_indexes(Relation relation, const StoreTable *table, Oid *found)
{
	List	   *oids = RelationGetIndexList(relation);
	ListCell   *cell;
	bool		all = true;

	memset(found, 0, sizeof(Oid) * STORE_INDEXES_MAX);
	foreach(cell, oids)
	{
		Relation	index = index_open(lfirst_oid(cell), AccessShareLock);

		for (int i = 0; i < STORE_INDEXES_MAX && table->indexes[i].name != NULL; i++)
			if (!OidIsValid(found[i]) && index_fits(relation, index, &table->indexes[i]))
				found[i] = lfirst_oid(cell);
		index_close(index, NoLock);
	}
	list_free(oids);
	for (int i = 0; i < STORE_INDEXES_MAX && table->indexes[i].name != NULL; i++)
		all &= OidIsValid(found[i]);
	return all;
}

/* Find out whether the store can write the rows that lie there, and by which indexes they are read. */
static void
look_at_leaf(StoreTable *table, StoreLeaf *leaf, Relation relation)
{
	AttrNumber	numbers[STORE_COLUMNS_MAX];
	bool		all_indexes;

	leaf->known = true;			/* unless something changes while we look */
	leaf->is_bounded = false;
	all_indexes = find_indexes(relation, table, leaf->index_oids);
	/* each leaf has the columns where the table has them */
	leaf->readable = all_indexes && relation->rd_rel->relkind == RELKIND_RELATION &&
		relation->rd_tableam == GetHeapamTableAmRoutine() &&
		relation->rd_rel->relispartition == table->by_books && !relation->rd_rel->relhassubclass &&
		!relation->rd_rel->relrowsecurity && relation->rd_rules == NULL &&
		columns_fit(relation, table, numbers) &&
		memcmp(numbers, table->numbers, sizeof(AttrNumber) * table->ncolumns) == 0;
	leaf->plain = leaf->readable && columns_are_plain(relation, table) &&
		constraints_are_ours(relation, table) && triggers_are_ours(relation, table) &&
		indexes_are_plain(relation);
	/* an index may come to fit without a change: when the oldest snapshot is younger than the index */
	leaf->known &= all_indexes;
}

/* The book that the column's default names; 0: no constant is its default. */
static int32
default_book(Relation relation, const char *column)
{
	TupleConstr *constr = RelationGetDescr(relation)->constr;
	AttrNumber	number = attribute_of(RelationGetDescr(relation), column);

	for (int i = 0; constr != NULL && i < constr->num_defval; i++)
	{
		Const	   *value;

		if (constr->defval[i].adnum != number)
			continue;
		value = stringToNode(constr->defval[i].adbin);
		return IsA(value, Const) && value->consttype == INT4OID && !value->constisnull ?
			DatumGetInt32(value->constvalue) : 0;
	}
	return 0;
}

/* Room for so many leaves, of which nothing is known. */
static void
clear_leaves(StoreTable *table, int n)
{
	if (table->leaves != NULL)
		pfree(table->leaves);
	table->nleaves = 0;
	table->looks++;
	table->leaves = MemoryContextAllocZero(TopMemoryContext, sizeof(StoreLeaf) * n);
	table->nleaves = n;
	table->open_leaf = -1;
}

/* Keep one book's place: a leaf, or the stand-in of books that were put away. */
static void
keep_book(StoreTable *table, int32 book, Oid part)
{
	StoreLeaf  *leaf = &table->leaves[table->nleaves];

	if (get_rel_relkind(part) == RELKIND_FOREIGN_TABLE)
	{
		table->stand_in = part;
		table->last_away = book;
		return;
	}
	leaf->book = book;
	leaf->relid = part;
	leaf->opened_at = table->opened_at(book);
	if (book == table->open_book)
		table->open_leaf = table->nleaves;
	table->nleaves++;
}

/*
 * The leaves of a table in books, by book; false unless each holds one book and one is open.
 * Where the store cannot use the table, SQL too asks which books are there.
 */
static bool
find_books(StoreTable *table, Relation relation)
{
	PartitionKey key = RelationGetPartitionKey(relation);
	PartitionDesc parts = RelationGetPartitionDesc(relation, true);
	PartitionBoundInfo bounds = parts->boundinfo;
	const char *column = table->columns[count_columns(table) - 1].name;

	if (get_partition_strategy(key) != PARTITION_STRATEGY_LIST || get_partition_natts(key) != 1 ||
		get_partition_col_attnum(key, 0) != attribute_of(RelationGetDescr(relation), column) ||
		parts->nparts == 0)
		return false;
	clear_leaves(table, bounds->ndatums);
	table->nleaves = 0;
	for (int i = 0; i < bounds->ndatums; i++)
	{
		int32		book = DatumGetInt32(bounds->datums[i][0]);

		/* (10) books count from 1 without gaps */
		if (table->missing_book == 0 && book != i + 1)
			table->missing_book = i + 1;
		keep_book(table, book, parts->oids[bounds->indexes[i]]);
	}
	if (table->missing_book == 0 && bounds->ndatums < table->open_book)
		table->missing_book = bounds->ndatums + 1;
	if (partition_bound_accepts_nulls(bounds) || partition_bound_has_default(bounds))
		return false;
	for (int n = 1; n < table->nleaves; n++)
		if (table->leaves[n].relid == table->leaves[n - 1].relid)
			return false;
	return table->open_leaf >= 0;
}

/*
 * R12.130: by the clock of the turns alone, so that a book is forgotten by a turn
 * and not in between.  A book is turned when the next one opens.
 */
int32
casino_store_forgotten(const StoreTable *table)
{
	TimestampTz since = table->open_leaf >= 0 ? table->leaves[table->open_leaf].opened_at : DT_NOEND;
	int32		forgotten = table->last_away;

	if (TIMESTAMP_NOT_FINITE(since))
		return forgotten;
	since -= (int64) casino_request_memory * USECS_PER_SEC;
	for (int n = 0; n < table->open_leaf; n++)
	{
		const StoreLeaf *leaf = &table->leaves[n];

		if (leaf->book < forgotten)
			continue;
		if (table->leaves[n + 1].opened_at >= since || leaf[1].book != leaf->book + 1)
			break;
		forgotten = leaf->book;
	}
	return forgotten;
}

/* Find out where the table's rows lie, and whether the store can read or write them. */
static void
look_at_table(StoreTable *table, Relation relation)
{
	if (!table->by_books)
	{
		table->readable = columns_fit(relation, table, table->numbers);
		clear_leaves(table, 1);
		table->leaves[0].relid = table->relid;
		if (table->readable)
			look_at_leaf(table, &table->leaves[0], relation);
		table->readable = table->readable && table->leaves[0].readable;
		table->plain = table->readable && table->leaves[0].plain;
		table->known = table->leaves[0].known;
		return;
	}
	table->known = true;
	table->open_book = default_book(relation, table->columns[count_columns(table) - 1].name);
	table->missing_book = table->last_away = 0;
	table->stand_in = InvalidOid;
	clear_leaves(table, 0);
	table->readable = relation->rd_rel->relkind == RELKIND_PARTITIONED_TABLE &&
		find_books(table, relation) &&
		!relation->rd_rel->relispartition && !relation->rd_rel->relrowsecurity &&
		relation->rd_rules == NULL && columns_fit(relation, table, table->numbers);
	table->plain = table->readable && columns_are_plain(relation, table) &&
		constraints_are_ours(relation, table) && triggers_are_ours(relation, table);
}

Relation
casino_store_open_leaf(StoreTable *table, int n, LOCKMODE mode)
{
	Oid			relid = table->leaves[n].relid;
	Relation	relation = try_relation_open(relid, mode);

	if (relation != NULL && !table->leaves[n].known)
		look_at_leaf(table, &table->leaves[n], relation);
	return relation;
}

Relation
casino_store_open_known(StoreTable *table, LOCKMODE mode)
{
	Relation	relation;

	watch(table);
	for (;;)
	{
		if (!table->known)
			table->relid = get_relname_relid(table->name, get_namespace_oid("casino", false));
		if (!OidIsValid(table->relid))
			ereport(ERROR,
					(errcode(ERRCODE_UNDEFINED_TABLE),
					 errmsg("relation \"casino.%s\" does not exist", table->name)));
		relation = try_relation_open(table->relid, mode);
		/* what was waited for may have dropped the table, or given its name to another one */
		if (relation != NULL && table->known)
			return relation;
		if (relation != NULL &&
			table->relid == get_relname_relid(table->name, get_namespace_oid("casino", false)))
			break;
		if (relation != NULL)
			relation_close(relation, mode);
		table->known = false;
	}
	look_at_table(table, relation);
	return relation;
}

/* (10) of store.c, whenever the table is opened */
static Relation
with_all_books(StoreTable *table, Relation relation)
{
	if (table->by_books && table->missing_book != 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("book %d of casino.%s is neither attached nor put away", table->missing_book,
						table->name),
				 errdetail("Without the book requests would be posted again and rounds settled without "
						   "stakes."),
				 errhint("Attach its table again: ALTER TABLE casino.%s ATTACH PARTITION casino.%s_%d "
						 "FOR VALUES IN (%d).",
						 table->name, table->name, table->missing_book, table->missing_book)));
	return relation;
}

Relation
casino_store_open_named(StoreTable *table, LOCKMODE mode)
{
	return with_all_books(table, casino_store_open_known(table, mode));
}
