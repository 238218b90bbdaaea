/*
 * store_indexes.c
 *	  The indexes of a leaf that is written: opened as the executor opens them,
 *	  but described, and their predicates prepared, once in a session.
 *
 * To describe and prepare them for each stake was an eighth of its cost.  While
 * an index has its oid its columns and its predicate stay.  Whether it takes
 * entries is asked each time, under its lock.
 */
#include "server/store_shape.h"

#include "access/genam.h"
#include "catalog/index.h"
#include "catalog/pg_am.h"
#include "executor/executor.h"
#include "optimizer/optimizer.h"
#include "utils/inval.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/syscache.h"

/* What is kept of a leaf. */
typedef struct KeptIndexes
{
	Oid			leaf;
	bool		stale;			/* the leaf, or a function of a predicate, may have changed */
	MemoryContext context;		/* of all that follows */
	int			n;
	Oid		   *oids;
	IndexInfo **infos;
	struct KeptIndexes *next;
} KeptIndexes;

static KeptIndexes *kept_indexes = NULL;

/* Callback of the relation cache: the relation changed, or any may have (InvalidOid). */
static void
forget_leaf(Datum arg, Oid relation)
{
	for (KeptIndexes *kept = kept_indexes; kept != NULL; kept = kept->next)
		if (!OidIsValid(relation) || relation == kept->leaf)
			kept->stale = true;
}

/* Callback of the system cache: a function has changed, and a predicate may have its old body. */
static void
forget_leaves(Datum arg, int cache, uint32 hash)
{
	forget_leaf(arg, InvalidOid);
}

/* The entry of the leaf, empty at first. */
static KeptIndexes *
entry_of(Oid leaf)
{
	KeptIndexes *kept = kept_indexes;

	if (kept == NULL)
	{
		CacheRegisterRelcacheCallback(forget_leaf, (Datum) 0);
		CacheRegisterSyscacheCallback(PROCOID, forget_leaves, (Datum) 0);
	}
	while (kept != NULL && kept->leaf != leaf)
		kept = kept->next;
	if (kept != NULL)
		return kept;
	kept = MemoryContextAllocZero(CacheMemoryContext, sizeof(KeptIndexes));
	kept->leaf = leaf;
	kept->stale = true;
	kept->next = kept_indexes;
	kept_indexes = kept;
	return kept;
}

/* Only of btree: other methods keep in a description what belongs to one statement. */
static bool
is_kept(Relation index)
{
	return index->rd_rel->relam == BTREE_AM_OID;
}

static bool
is_current(const KeptIndexes *kept, int n, const Relation *indexes)
{
	if (kept->stale || kept->n != n)
		return false;
	for (int i = 0; i < n; i++)
		if (kept->oids[i] != RelationGetRelid(indexes[i]))
			return false;
	return true;
}

/* Describe the indexes.  A store that is open may use the old descriptions until its transaction ends. */
static void
describe(KeptIndexes *kept, int n, const Relation *indexes)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "casino indexes",
												  ALLOCSET_SMALL_SIZES);
	MemoryContext saved = MemoryContextSwitchTo(context);
	Oid		   *oids = palloc(sizeof(Oid) * n);
	IndexInfo **infos = palloc0(sizeof(IndexInfo *) * n);

	kept->n = 0;				/* an error here leaves nothing that is current */
	kept->stale = false;		/* unless something changes while we look */
	for (int i = 0; i < n; i++)
	{
		oids[i] = RelationGetRelid(indexes[i]);
		if (!is_kept(indexes[i]))
			continue;
		infos[i] = BuildIndexInfo(indexes[i]);
		if (infos[i]->ii_Predicate != NIL)
			infos[i]->ii_PredicateState =
				ExecInitQual((List *) expression_planner((Expr *) infos[i]->ii_Predicate), NULL);
	}
	MemoryContextSwitchTo(saved);
	MemoryContextSetParent(context, CacheMemoryContext);
	if (kept->context != NULL)
		MemoryContextSetParent(kept->context, TopTransactionContext);
	kept->context = context;
	kept->n = n;
	kept->oids = oids;
	kept->infos = infos;
}

void
casino_store_open_indexes(ResultRelInfo *info)
{
	Relation	leaf = info->ri_RelationDesc;
	List	   *oids = RelationGetIndexList(leaf);
	int			n = list_length(oids);
	KeptIndexes *kept;

	info->ri_NumIndices = n;
	if (n == 0)
		return;
	info->ri_IndexRelationDescs = palloc(sizeof(Relation) * n);
	info->ri_IndexRelationInfo = palloc(sizeof(IndexInfo *) * n);
	for (int i = 0; i < n; i++)
		info->ri_IndexRelationDescs[i] = index_open(list_nth_oid(oids, i), RowExclusiveLock);
	list_free(oids);
	kept = entry_of(RelationGetRelid(leaf));
	if (!is_current(kept, n, info->ri_IndexRelationDescs))
		describe(kept, n, info->ri_IndexRelationDescs);
	for (int i = 0; i < n; i++)
	{
		Relation	index = info->ri_IndexRelationDescs[i];

		info->ri_IndexRelationInfo[i] = is_kept(index) ? kept->infos[i] : BuildIndexInfo(index);
		info->ri_IndexRelationInfo[i]->ii_ReadyForInserts = index->rd_index->indisready;
	}
}
