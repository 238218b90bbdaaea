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
#include "access/transam.h"
#include "catalog/index.h"
#include "catalog/pg_am.h"
#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/memutils.h"
#include "utils/rel.h"

/* Descriptions of a leaf. */
typedef struct KeptIndexes
{
	Oid			leaf;
	bool		stale;			/* the leaf may have changed */
	MemoryContext context;		/* of all that follows */
	int			n;
	Oid		   *oids;
	IndexInfo **infos;			/* NULL: described for each statement */
	struct KeptIndexes *next;
} KeptIndexes;

static KeptIndexes *kept_indexes = NULL;

void
casino_store_forget_indexes(Oid relation)
{
	for (KeptIndexes *kept = kept_indexes; kept != NULL; kept = kept->next)
		if (!OidIsValid(relation) || relation == kept->leaf)
			kept->stale = true;
}

/* The entry of the leaf, empty at first. */
static KeptIndexes *
entry_of(Oid leaf)
{
	KeptIndexes *kept = kept_indexes;

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

static bool
is_built_in(Oid function)
{
	return OidIsValid(function) && function < FirstGenbkiObjectId;
}

/*
 * May the prepared expression keep something of one statement?  All may but
 * columns, constants, and operators that are built in: a whole row keeps its
 * description, a function of an operator what an error left half done, a domain
 * its constraints.
 */
static bool
keeps_state(Node *node, void *context)
{
	if (node == NULL)
		return false;
	switch (nodeTag(node))
	{
		case T_List:
		case T_Const:
		case T_BoolExpr:
		case T_RelabelType:
			break;
		case T_Var:
			return ((Var *) node)->varattno <= 0;
		case T_NullTest:
			if (((NullTest *) node)->argisrow)
				return true;
			break;
		case T_OpExpr:
			if (!is_built_in(((OpExpr *) node)->opfuncid))
				return true;
			break;
		case T_ScalarArrayOpExpr:
			if (!is_built_in(((ScalarArrayOpExpr *) node)->opfuncid) ||
				OidIsValid(((ScalarArrayOpExpr *) node)->hashfuncid))
				return true;
			break;
		default:
			return true;
	}
	return expression_tree_walker(node, keeps_state, context);
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

/* The description of an index, its predicate prepared; NULL when it must not outlive a statement. */
static IndexInfo *
describe_index(Relation index)
{
	IndexInfo  *info;
	Expr	   *predicate;

	/* other methods keep in a description what belongs to one statement */
	if (index->rd_rel->relam != BTREE_AM_OID || RelationGetIndexExpressions(index) != NIL)
		return NULL;
	info = BuildIndexInfo(index);
	if (info->ii_Predicate == NIL)
		return info;
	predicate = expression_planner((Expr *) info->ii_Predicate);
	if (keeps_state((Node *) predicate, NULL))
		return NULL;
	info->ii_PredicateState = ExecInitQual((List *) predicate, NULL);
	return info;
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
		infos[i] = describe_index(indexes[i]);
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

		info->ri_IndexRelationInfo[i] = kept->infos[i] != NULL ? kept->infos[i] : BuildIndexInfo(index);
		info->ri_IndexRelationInfo[i]->ii_ReadyForInserts = index->rd_index->indisready;
	}
}
