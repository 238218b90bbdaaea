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
#include "commands/trigger.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
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
		if (!OidIsValid(relation) || relation == table->relid)
			table->known = false;
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

/* The attribute of that name; InvalidAttrNumber when there is none. */
static AttrNumber
attribute_of(TupleDesc desc, const char *name)
{
	for (int i = 0; i < desc->natts; i++)
		if (!TupleDescAttr(desc, i)->attisdropped && strcmp(NameStr(TupleDescAttr(desc, i)->attname), name) == 0)
			return i + 1;
	return InvalidAttrNumber;
}

/* All columns that we know of are there, with the types that our code gives and takes. */
static bool
columns_fit(Relation relation, StoreTable *table)
{
	TupleDesc	desc = RelationGetDescr(relation);
	int			n;

	for (n = 0; table->columns[n].name != NULL; n++)
	{
		Form_pg_attribute attribute;

		Assert(n < STORE_COLUMNS_MAX);
		table->numbers[n] = attribute_of(desc, table->columns[n].name);
		if (table->numbers[n] == InvalidAttrNumber)
			return false;
		attribute = TupleDescAttr(desc, table->numbers[n] - 1);
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

/* The index of that name over those columns of the table, InvalidOid when there is none. */
static Oid
find_index(Relation relation, const StoreIndex *wanted)
{
	Oid			oid = get_relname_relid(wanted->name, RelationGetNamespace(relation));
	Relation	index;
	bool		fits;

	if (!OidIsValid(oid) || get_rel_relkind(oid) != RELKIND_INDEX)
		return InvalidOid;
	index = index_open(oid, AccessShareLock);
	fits = index->rd_index->indrelid == RelationGetRelid(relation) && index->rd_index->indisvalid &&
		index->rd_rel->relam == BTREE_AM_OID && index->rd_index->indnkeyatts >= wanted->nkeys &&
		predicate_fits(index, wanted->predicate) && has_all_versions(index);
	for (int i = 0; fits && i < wanted->nkeys; i++)
		fits = key_fits(relation, index, i, wanted->keys[i]);
	index_close(index, NoLock);
	return fits ? oid : InvalidOid;
}

/* Find out whether the table is one that the store can write, and where its columns and indexes are. */
static void
look_at_table(StoreTable *table, Relation relation)
{
	bool		all_indexes = true;

	table->readable = relation->rd_rel->relkind == RELKIND_RELATION &&
		relation->rd_tableam == GetHeapamTableAmRoutine() &&
		!relation->rd_rel->relispartition && !relation->rd_rel->relhassubclass &&
		!relation->rd_rel->relrowsecurity && relation->rd_rules == NULL && columns_fit(relation, table);
	for (int i = 0; i < STORE_INDEXES_MAX && table->indexes[i].name != NULL; i++)
	{
		table->index_oids[i] = find_index(relation, &table->indexes[i]);
		all_indexes &= OidIsValid(table->index_oids[i]);
	}
	table->readable &= all_indexes;
	table->plain = table->readable && columns_are_plain(relation, table) &&
		constraints_are_ours(relation, table) && triggers_are_ours(relation, table) && indexes_are_plain(relation);
	/* an index may come to fit without any change of it: when the oldest snapshot is younger than the index */
	table->known = all_indexes;
}

Relation
casino_store_open_named(StoreTable *table, LOCKMODE mode)
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
