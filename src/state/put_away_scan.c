/*
 * put_away_scan.c
 *	  The foreign-data wrapper of the stand-in: a scan that returns no row, or
 *	  refuses the question.
 *
 * The planner is told that a scan is dear unless the conditions on it can show
 * that the books need not be asked; so it prefers to ask by round, time or
 * player, as it does for the books that are there.
 */
#include "postgres.h"

#include "access/reloptions.h"
#include "access/stratnum.h"
#include "access/sysattr.h"
#include "catalog/pg_foreign_table.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "executor/executor.h"
#include "foreign/fdwapi.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/planmain.h"
#include "optimizer/restrictinfo.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "casino.h"
#include "compat.h"
#include "state/put_away.h"

/*
 * The costs of a scan whose conditions show enough, show enough by values of another
 * relation as a rule, may show enough, or show nothing.  A value of another relation
 * costs what an index scan does: else a small database is asked for each round that
 * there ever was, and the question is refused.
 */
#define COST_OF_AN_ANSWER	0.02
#define COST_OF_A_VALUE		10
#define COST_OF_A_CHANCE	1e6
#define COST_OF_A_REFUSAL	1e12

#define TIMES	(1 << AWAY_POSTED_AT | 1 << AWAY_RECORDED_AT)
#define RANGES	(1 << AWAY_BOOK | 1 << AWAY_ROUND_ID | TIMES)
#define NUMBERS	(1 << AWAY_ENTRY_NO | 1 << AWAY_STAKE_ENTRY_NO | 1 << AWAY_WITHDRAWAL_ENTRY_NO)

/* beside the columns: a bound of one of the ranges that another relation gives */
#define UNKNOWN_BOUND	(1 << AWAY_COLUMNS)

PG_FUNCTION_INFO_V1(casino_sql_put_away_handler);
PG_FUNCTION_INFO_V1(casino_sql_put_away_validator);

/* A condition that the stand-in understands: column, and the value that it is compared with. */
typedef struct Condition
{
	AwayColumn	column;
	bool		single;			/* equal; else greater */
	bool		beyond;			/* greater and not equal */
	Expr	   *value;
} Condition;

/* The column of the stand-in that the expression is; AWAY_COLUMNS: none that is judged. */
static AwayColumn
column_of(Node *node, int relid, Oid relation)
{
	Var		   *var;

	while (IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	var = (Var *) node;
	return IsA(node, Var) && var->varno == relid && var->varlevelsup == 0 ?
		casino_away_column(relation, var->varattno) : AWAY_COLUMNS;
}

/* Does the type fit the column, so that its values compare as int64? */
static bool
type_fits(AwayColumn column, Oid type)
{
	if (column == AWAY_POSTED_AT || column == AWAY_RECORDED_AT)
		return type == TIMESTAMPTZOID;
	return type == INT8OID || type == INT4OID || type == INT2OID;
}

/* Read the operator: =, > or >= of the order of a b-tree. */
static bool
read_operator(Oid operator, Condition *condition)
{
	ListCell   *cell;

	foreach(cell, get_op_btree_interpretation(operator))
	{
		OpBtreeInterpretation *meaning = lfirst(cell);

		condition->single = meaning->strategy == BTEqualStrategyNumber;
		condition->beyond = meaning->strategy == BTGreaterStrategyNumber;
		if (condition->single || condition->beyond || meaning->strategy == BTGreaterEqualStrategyNumber)
			return true;
	}
	return false;
}

/* Understand a clause; false when the stand-in learns nothing from it. */
static bool
read_clause(Expr *clause, int relid, Oid relation, Condition *condition)
{
	OpExpr	   *op = (OpExpr *) clause;
	Oid			operator;
	Node	   *value;

	if (!IsA(clause, OpExpr) || list_length(op->args) != 2)
		return false;
	operator = op->opno;
	value = lsecond(op->args);
	condition->column = column_of(linitial(op->args), relid, relation);
	if (condition->column == AWAY_COLUMNS)
	{
		condition->column = column_of(lsecond(op->args), relid, relation);
		operator = get_commutator(op->opno);
		value = linitial(op->args);
	}
	if (condition->column == AWAY_COLUMNS || !OidIsValid(operator) ||
		!type_fits(condition->column, exprType(value)) || !read_operator(operator, condition) ||
		contain_volatile_functions(value) || bms_is_member(relid, pull_varnos(NULL, value)))
		return false;
	condition->value = (Expr *) value;
	return true;
}

/*
 * The conditions of a clause: a list of alternatives, each a list of conditions that
 * hold together.  NIL when the stand-in learns nothing from it.
 */
static List *
read_alternatives(Expr *clause, int relid, Oid relation)
{
	bool		any = is_orclause(clause);
	List	   *alternatives = NIL;
	ListCell   *cell;

	foreach(cell, any ? ((BoolExpr *) clause)->args : list_make1(clause))
	{
		List	   *together = NIL;
		ListCell   *part;

		foreach(part, make_ands_implicit(lfirst(cell)))
		{
			Condition  *condition = palloc(sizeof(Condition));

			if (read_clause(lfirst(part), relid, relation, condition))
				together = lappend(together, condition);
		}
		/* one alternative that may be true of any row */
		if (together == NIL)
			return NIL;
		alternatives = lappend(alternatives, together);
	}
	return alternatives;
}

/*
 * The columns that conditions bound, as bits.  A bound that another relation
 * gives may show enough or not; a value that it gives does as a rule.
 */
static int
columns_of(List *together)
{
	int			columns = 0;
	ListCell   *cell;

	foreach(cell, together)
	{
		Condition  *condition = lfirst(cell);
		bool		known = condition->single || bms_is_empty(pull_varnos(NULL, (Node *) condition->value));

		if (known && (condition->single || condition->column != AWAY_PLAYER_ID))
			columns |= 1 << condition->column;
		else if (1 << condition->column & RANGES)
			columns |= UNKNOWN_BOUND;
	}
	return columns;
}

/* The columns that clauses bound, of each clause those that all its alternatives name. */
static int
bounded_columns(List *clauses, int relid, Oid relation)
{
	int			bounded = 0;
	ListCell   *cell;

	foreach(cell, clauses)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, cell);
		List	   *alternatives = read_alternatives(clause->clause, relid, relation);
		int			columns = alternatives == NIL ? 0 : columns_of(linitial(alternatives));
		ListCell   *alternative;

		/* times may be different ones in each alternative */
		foreach(alternative, alternatives)
			columns = (columns & columns_of(lfirst(alternative))) |
			(columns & TIMES && columns_of(lfirst(alternative)) & TIMES ? TIMES : 0);
		bounded |= columns;
	}
	return bounded;
}

static double
cost_of(int bounded, bool of_values)
{
	if (bounded & RANGES || (bounded & 1 << AWAY_PLAYER_ID && bounded & NUMBERS))
		return of_values ? COST_OF_A_VALUE : COST_OF_AN_ANSWER;
	return bounded & (1 << AWAY_PLAYER_ID | UNKNOWN_BOUND) ? COST_OF_A_CHANCE : COST_OF_A_REFUSAL;
}

static void
get_rel_size(PlannerInfo *root, RelOptInfo *rel, Oid relation)
{
	rel->rows = 1;
}

/* Add the way by which the relations that it needs give values. */
static void
add_way(PlannerInfo *root, RelOptInfo *rel, Oid relation, Relids outer)
{
	ParamPathInfo *info = bms_is_empty(outer) ? NULL : get_baserel_parampathinfo(root, rel, outer);
	int			bounded = bounded_columns(rel->baserestrictinfo, rel->relid, relation);

	if (info != NULL)
		bounded |= bounded_columns(info->ppi_clauses, rel->relid, relation);
	add_path(rel, (Path *) casino_foreignscan_path(root, rel, 1, 0.01, cost_of(bounded, info != NULL),
												   outer));
}

/* Keep the relations that a clause of a join takes values from. */
static List *
keep_outer(List *outers, RelOptInfo *rel, Relids clause)
{
	Relids		outer = bms_del_member(bms_union(clause, rel->lateral_relids), rel->relid);
	ListCell   *cell;

	if (bms_is_empty(outer))
		return outers;
	foreach(cell, outers)
		if (bms_equal(lfirst(cell), outer))
		return outers;
	return lappend(outers, outer);
}

static List *
keep_outers(List *outers, RelOptInfo *rel, List *clauses)
{
	ListCell   *cell;

	foreach(cell, clauses)
	{
		RestrictInfo *clause = lfirst(cell);

		if (join_clause_is_movable_to(clause, rel))
			outers = keep_outer(outers, rel, clause->clause_relids);
	}
	return outers;
}

/* Members of equivalence classes, one after the other, as postgres_fdw goes through them. */
typedef struct Members
{
	Expr	   *current;
	List	   *done;
} Members;

static bool
is_current(PlannerInfo *root, RelOptInfo *rel, EquivalenceClass *class, EquivalenceMember *member, void *arg)
{
	Members    *members = arg;

	if (members->current != NULL)
		return equal(member->em_expr, members->current);
	if (list_member(members->done, member->em_expr))
		return false;
	members->current = member->em_expr;
	return true;
}

/* The sets of relations that give values: each, and any two together, as scans of indexes offer. */
static List *
find_outers(PlannerInfo *root, RelOptInfo *rel)
{
	List	   *outers = keep_outers(NIL, rel, rel->joininfo);
	List	   *pairs;
	Members		members = {0};

	while (rel->has_eclass_joins)
	{
		List	   *clauses;

		members.current = NULL;
		clauses = generate_implied_equalities_for_column(root, rel, is_current, &members,
														 rel->lateral_referencers);
		if (members.current == NULL)
			break;
		outers = keep_outers(outers, rel, clauses);
		members.done = lappend(members.done, members.current);
	}
	pairs = list_copy(outers);
	for (int i = 0; i < list_length(outers); i++)
		for (int j = i + 1; j < list_length(outers); j++)
			pairs = keep_outer(pairs, rel, bms_union(list_nth(outers, i), list_nth(outers, j)));
	return pairs;
}

static void
get_paths(PlannerInfo *root, RelOptInfo *rel, Oid relation)
{
	ListCell   *cell;

	add_way(root, rel, relation, rel->lateral_relids);
	foreach(cell, find_outers(root, rel))
	{
		add_way(root, rel, relation, lfirst(cell));
	}
}

/* What must hold together, as numbers for the executor; their values join the expressions. */
static List *
mark_conditions(List *together, List **values)
{
	List	   *marks = NIL;
	ListCell   *cell;

	foreach(cell, together)
	{
		Condition  *condition = lfirst(cell);

		*values = lappend(*values, condition->value);
		marks = lappend(marks, list_make4_int(condition->column, condition->single, condition->beyond,
											  list_length(*values) - 1));
	}
	return marks;
}

/* Give the executor the conditions: of each clause its alternatives. */
static ForeignScan *
get_plan(PlannerInfo *root, RelOptInfo *rel, Oid relation, ForeignPath *path, List *target, List *clauses,
		 Plan *outer)
{
	List	   *values = NIL;
	List	   *marks = NIL;
	ListCell   *cell;

	clauses = extract_actual_clauses(clauses, false);
	foreach(cell, clauses)
	{
		List	   *alternatives = NIL;
		ListCell   *alternative;

		foreach(alternative, read_alternatives(lfirst(cell), rel->relid, relation))
			alternatives = lappend(alternatives, mark_conditions(lfirst(alternative), &values));
		if (alternatives != NIL)
			marks = lappend(marks, alternatives);
	}
	return make_foreignscan(target, clauses, rel->relid, values, marks, NIL, NIL, outer);
}

/* A scan under way. */
typedef struct AwayScan
{
	PutAway		away;
	List	   *values;
	bool		judged;
} AwayScan;

static void
begin_scan(ForeignScanState *node, int flags)
{
	AwayScan   *scan;

	if (flags & EXEC_FLAG_EXPLAIN_ONLY)
		return;
	scan = palloc0(sizeof(AwayScan));
	casino_away_read(RelationGetRelid(node->ss.ss_currentRelation), &scan->away);
	scan->values = ExecInitExprList(((ForeignScan *) node->ss.ps.plan)->fdw_exprs, (PlanState *) node);
	node->fdw_state = scan;
}

/* The value as int64. */
static int64
number_of(Datum value, Oid type)
{
	if (type == INT2OID)
		return DatumGetInt16(value);
	return type == INT4OID ? DatumGetInt32(value) : DatumGetInt64(value);
}

/* Add conditions that hold together to the question. */
static void
ask(ForeignScanState *node, List *together, AwayQuestion *question)
{
	AwayScan   *scan = node->fdw_state;
	ListCell   *cell;

	foreach(cell, together)
	{
		List	   *mark = lfirst(cell);
		ExprState  *state = list_nth(scan->values, lfourth_int(mark));
		bool		isnull;
		Datum		value = ExecEvalExprSwitchContext(state, node->ss.ps.ps_ExprContext, &isnull);
		int64		number = isnull ? 0 : number_of(value, exprType((Node *) state->expr));
		bool		beyond = lthird_int(mark);

		/* nothing is equal to NULL or greater */
		if (isnull || (beyond && number == PG_INT64_MAX))
			question->nothing = true;
		else
			casino_away_ask(question, linitial_int(mark), number + beyond, lsecond_int(mark));
	}
}

/* Are all alternatives of a clause beyond the books, together with the other clauses? */
static bool
are_beyond(ForeignScanState *node, List *alternatives, const AwayQuestion *question)
{
	AwayScan   *scan = node->fdw_state;
	ListCell   *cell;

	foreach(cell, alternatives)
	{
		AwayQuestion narrower = *question;

		ask(node, lfirst(cell), &narrower);
		if (!casino_away_is_beyond(&scan->away, &narrower))
			return false;
	}
	return true;
}

/* Return if the books need not be asked; else refuse the question. */
static void
judge(ForeignScanState *node)
{
	AwayScan   *scan = node->fdw_state;
	List	   *clauses = ((ForeignScan *) node->ss.ps.plan)->fdw_private;
	AwayQuestion question = {0};
	ListCell   *cell;

	foreach(cell, clauses)
		if (list_length(lfirst(cell)) == 1)
		ask(node, linitial(lfirst(cell)), &question);
	if (casino_away_is_beyond(&scan->away, &question))
		return;
	foreach(cell, clauses)
		if (list_length(lfirst(cell)) > 1 && are_beyond(node, lfirst(cell), &question))
		return;
	casino_away_refuse(&scan->away, &question);
}

static TupleTableSlot *
next_row(ForeignScanState *node)
{
	AwayScan   *scan = node->fdw_state;

	if (!scan->judged)
		judge(node);
	scan->judged = true;
	return ExecClearTuple(node->ss.ss_ScanTupleSlot);
}

static void
rescan(ForeignScanState *node)
{
	((AwayScan *) node->fdw_state)->judged = false;
}

static void
end_scan(ForeignScanState *node)
{
}

/* A sample of no rows, so that ANALYZE of the ledger does not say that it left a table out. */
static int
sample_nothing(Relation relation, int elevel, HeapTuple *rows, int targrows, double *totalrows,
			   double *totaldeadrows)
{
	*totalrows = *totaldeadrows = 0;
	return 0;
}

static bool
analyze(Relation relation, AcquireSampleRowsFunc * sample, BlockNumber *totalpages)
{
	*sample = sample_nothing;
	*totalpages = 0;
	return true;
}

static bool
is_parallel_safe(PlannerInfo *root, RelOptInfo *rel, RangeTblEntry *entry)
{
	return true;
}

Datum
casino_sql_put_away_handler(PG_FUNCTION_ARGS)
{
	FdwRoutine *routine = makeNode(FdwRoutine);

	routine->GetForeignRelSize = get_rel_size;
	routine->GetForeignPaths = get_paths;
	routine->GetForeignPlan = get_plan;
	routine->BeginForeignScan = begin_scan;
	routine->IterateForeignScan = next_row;
	routine->ReScanForeignScan = rescan;
	routine->EndForeignScan = end_scan;
	routine->AnalyzeForeignTable = analyze;
	routine->IsForeignScanParallelSafe = is_parallel_safe;
	PG_RETURN_POINTER(routine);
}

/* Options belong to the table alone, not to the wrapper and its server. */
Datum
casino_sql_put_away_validator(PG_FUNCTION_ARGS)
{
	List	   *options = untransformRelOptions(PG_GETARG_DATUM(0));
	PutAway		away;

	if (PG_GETARG_OID(1) == ForeignTableRelationId)
		casino_away_parse(options, &away);
	else if (options != NIL)
		ereport(ERROR,
				(errcode(ERRCODE_FDW_INVALID_OPTION_NAME),
				 errmsg("options belong to the table alone")));
	PG_RETURN_VOID();
}
