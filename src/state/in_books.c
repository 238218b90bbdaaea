/*
 * in_books.c
 *	  Which books a query asks: conditions by which PostgreSQL leaves out books
 *	  that have no row of it (R12.134, R12.135).
 *
 * Views of the ledger say casino_internal.in_books(book, ...), which is true
 * of every row.  The planner asks its support function for a condition in its
 * place.  Where the conditions of the query give a player, entries or rounds,
 * that is a condition on the column book alone, by which PostgreSQL prunes
 * partitions; else it is true.  A book that was turned never changes, so that
 * a plan which is kept stays right.
 *
 * Not for a condition within EXISTS: the planner tries such conditions with
 * the numbers of the relations of the query around it.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "catalog/namespace.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "compat.h"
#include "state/put_away.h"
#include "state/tables.h"

/* other columns that a column is equal to are followed so far */
#define STEPS_MAX	3

PG_FUNCTION_INFO_V1(casino_sql_in_books_support);
PG_FUNCTION_INFO_V1(casino_sql_last_book_before);
PG_FUNCTION_INFO_V1(casino_sql_last_book_without);

/* The arguments of in_books(). */
enum
{
	IN_BOOK, IN_PLAYER, IN_ENTRY, IN_STAKED_ROUND, IN_ROUND, IN_ARGUMENTS
};

/* The values that conditions leave of a column. */
typedef struct Range
{
	int64		least;
	int64		greatest;
} Range;

#define EVERYTHING	((Range) {PG_INT64_MIN, PG_INT64_MAX})

static bool
is_bounded(const Range *range)
{
	return range->least > PG_INT64_MIN || range->greatest < PG_INT64_MAX;
}

/* Keep the conditions that go together by AND, also before the planner has made a list of them. */
static List *
keep_conditions(List *kept, Node *condition)
{
	ListCell   *cell;

	if (condition == NULL)
		return kept;
	if (!IsA(condition, List) && !is_andclause(condition))
		return lappend(kept, condition);
	foreach(cell, IsA(condition, List) ? (List *) condition : ((BoolExpr *) condition)->args)
		kept = keep_conditions(kept, lfirst(cell));
	return kept;
}

static bool find_conditions(Node *tree, int relation, List **conditions);

/* The same of a join: its condition leaves rows of the side that it does not keep whole. */
static bool
find_in_join(JoinExpr *join, int relation, List **conditions)
{
	bool		left = find_conditions(join->larg, relation, conditions);
	bool		right = find_conditions(join->rarg, relation, conditions);
	JoinType	type = join->jointype;

	if ((left && (type == JOIN_INNER || type == JOIN_SEMI || type == JOIN_RIGHT)) ||
		(right && (type == JOIN_INNER || type == JOIN_SEMI || type == JOIN_LEFT || type == JOIN_ANTI)))
		*conditions = keep_conditions(*conditions, join->quals);
	return left || right;
}

/*
 * Is the relation in the tree of joins?  Then conditions without which no row
 * of it counts.
 */
static bool
find_conditions(Node *tree, int relation, List **conditions)
{
	bool		found = false;
	ListCell   *cell;

	if (tree == NULL)
		return false;
	if (IsA(tree, RangeTblRef))
		return ((RangeTblRef *) tree)->rtindex == relation;
	if (IsA(tree, JoinExpr))
		return find_in_join((JoinExpr *) tree, relation, conditions);
	if (!IsA(tree, FromExpr))
		return false;
	foreach(cell, ((FromExpr *) tree)->fromlist)
		found |= find_conditions(lfirst(cell), relation, conditions);
	if (found)
		*conditions = keep_conditions(*conditions, ((FromExpr *) tree)->quals);
	return found;
}

static Node *
without_labels(Node *node)
{
	while (node != NULL && IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	return node;
}

static bool
is_column(Node *node, const Var *column)
{
	Var		   *var = (Var *) without_labels(node);

	return var != NULL && IsA(var, Var) && var->varlevelsup == 0 && var->varno == column->varno &&
		var->varattno == column->varattno;
}

static bool
is_number(Oid type)
{
	return type == INT8OID || type == INT4OID || type == INT2OID;
}

/* The strategy of the operator in the order of a b-tree; 0: none. */
static int
strategy_of(Oid operator)
{
	ListCell   *cell;

	foreach(cell, OidIsValid(operator) ? get_op_btree_interpretation(operator) : NIL)
	{
		OpBtreeInterpretation *meaning = lfirst(cell);

		if (meaning->strategy >= BTLessStrategyNumber && meaning->strategy <= BTGreaterStrategyNumber)
			return meaning->strategy;
	}
	return 0;
}

/* Narrow the range by a comparison with a number. */
static void
compare(Range *range, int strategy, int64 value)
{
	bool		beyond = strategy == BTGreaterStrategyNumber || strategy == BTLessStrategyNumber;

	if (strategy == BTEqualStrategyNumber || strategy == BTGreaterEqualStrategyNumber ||
		strategy == BTGreaterStrategyNumber)
		range->least = Max(range->least, beyond && value < PG_INT64_MAX ? value + 1 : value);
	if (strategy == BTEqualStrategyNumber || strategy == BTLessEqualStrategyNumber ||
		strategy == BTLessStrategyNumber)
		range->greatest = Min(range->greatest, beyond && value > PG_INT64_MIN ? value - 1 : value);
}

static Range range_of(PlannerInfo *root, const Var *column, int steps);

/* Narrow the range by the other side of a comparison: a number, or a column that is equal. */
static void
narrow(PlannerInfo *root, int strategy, Node *value, int steps, Range *range)
{
	Node	   *known = without_labels(value);

	if (strategy == 0)
		return;
	if (IsA(known, Var) && strategy == BTEqualStrategyNumber)
	{
		Range		other = range_of(root, (Var *) known, steps + 1);

		range->least = Max(range->least, other.least);
		range->greatest = Min(range->greatest, other.greatest);
	}
	if (contain_var_clause(known) || contain_subplans(known))
		return;
	/* a parameter has its value where the plan is made for that value alone */
	known = eval_const_expressions(root, copyObject(known));
	if (!IsA(known, Const) || !is_number(((Const *) known)->consttype))
		return;
	if (((Const *) known)->constisnull)
		range->greatest = PG_INT64_MIN;
	else if (((Const *) known)->consttype == INT8OID)
		compare(range, strategy, DatumGetInt64(((Const *) known)->constvalue));
	else
		compare(range, strategy, ((Const *) known)->consttype == INT4OID ?
				DatumGetInt32(((Const *) known)->constvalue) :
				DatumGetInt16(((Const *) known)->constvalue));
}

/* Which values of the column count in the query, or in the one around it? */
static Range
range_of(PlannerInfo *root, const Var *column, int steps)
{
	Var			here = *column;
	Range		range = EVERYTHING;
	List	   *conditions = NIL;
	ListCell   *cell;

	for (; here.varlevelsup > 0 && root != NULL; here.varlevelsup--)
		root = root->parent_root;
	if (root == NULL || steps > STEPS_MAX || !is_number(here.vartype) ||
		!find_conditions((Node *) root->parse->jointree, here.varno, &conditions))
		return range;
	foreach(cell, conditions)
	{
		OpExpr	   *op = lfirst(cell);

		if (!IsA(op, OpExpr) || list_length(op->args) != 2)
			continue;
		if (is_column(linitial(op->args), &here))
			narrow(root, strategy_of(op->opno), lsecond(op->args), steps, &range);
		else if (is_column(lsecond(op->args), &here))
			narrow(root, strategy_of(get_commutator(op->opno)), linitial(op->args), steps, &range);
	}
	return range;
}

static Range
range_of_argument(PlannerInfo *root, FuncExpr *call, int argument)
{
	Node	   *node = without_labels(list_nth(call->args, argument));

	return IsA(node, Var) ? range_of(root, (Var *) node, 0) : EVERYTHING;
}

/* Books that have no entry of the player, or none of these. */
static List *
without_player(const Range *player, const Range *entries)
{
	StoreRange	range = {LEDGER_BY_ENTRY, true, player->least, entries->least, entries->greatest};
	List	   *without = NIL;
	int32	   *books;
	int			n;

	if (player->least != player->greatest)
		return NIL;
	n = casino_store_books_without(&casino_ledger_table, &range, &books);
	for (int i = 0; i < n; i++)
		without = lappend_int(without, books[i]);
	return without;
}

/* Up to which book are all away, and without entries of the round or a later one? */
static int32
away_before(int64 round_id)
{
	PutAway		away;

	if (!OidIsValid(casino_ledger_table.stand_in))
		return 0;
	casino_away_read(casino_ledger_table.stand_in, &away);
	return away.books[away.nbooks - 1] == away.nbooks && away.last_round_id < round_id ? away.nbooks : 0;
}

/*
 * Books without stakes of the rounds.  Without any entry of theirs are the
 * books before the first stake: payouts and corrections follow it.
 */
static List *
without_rounds(const Range *rounds, bool staked)
{
	StoreRange	range = {LEDGER_BY_ROUND, false, 0, rounds->least, rounds->greatest};
	List	   *without = NIL;
	int32		before;
	int32	   *books;
	int			n;

	if (!is_bounded(rounds))
		return NIL;
	n = casino_store_books_without(&casino_ledger_table, &range, &books);
	before = away_before(rounds->least);
	for (int i = 0; i < n && (staked || books[i] == before + i + 1); i++)
		without = lappend_int(without, books[i]);
	return without;
}

/* book > N, where the books are the first N, or book <> ALL (books). */
static Expr *
other_than(Var *book, List *books)
{
	Datum	   *numbers = palloc(sizeof(Datum) * list_length(books));
	Oid			equal = Int4EqualOperator;
	ScalarArrayOpExpr *all;
	ArrayType  *array;
	ListCell   *cell;
	int			n = 0;
	bool		first = true;

	foreach(cell, books)
	{
		numbers[n++] = Int32GetDatum(lfirst_int(cell));
		first &= lfirst_int(cell) == n;
	}
	if (first)
		return make_opclause(get_commutator(Int4LessOperator), BOOLOID, false, (Expr *) book,
							 (Expr *) makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(n),
												false, true), InvalidOid, InvalidOid);
	array = construct_array(numbers, n, INT4OID, sizeof(int32), true, TYPALIGN_INT);
	all = makeNode(ScalarArrayOpExpr);
	all->opno = get_negator(equal);
	all->opfuncid = get_opcode(all->opno);
	all->useOr = false;
	all->args = list_make2(book, makeConst(INT4ARRAYOID, -1, InvalidOid, -1, PointerGetDatum(array), false,
										   false));
	all->location = -1;
	return (Expr *) all;
}

/* A condition on the book; true where nothing is known. */
static Expr *
condition_for(PlannerInfo *root, FuncExpr *call)
{
	Node	   *book = without_labels(linitial(call->args));
	Range		player;
	Range		entries;
	Range		staked;
	Range		rounds;
	List	   *without;

	if (root == NULL || !IsA(book, Var) || list_length(call->args) != IN_ARGUMENTS ||
		((Var *) book)->varlevelsup > 0)
		return (Expr *) makeBoolConst(true, false);
	player = range_of_argument(root, call, IN_PLAYER);
	entries = range_of_argument(root, call, IN_ENTRY);
	staked = range_of_argument(root, call, IN_STAKED_ROUND);
	rounds = range_of_argument(root, call, IN_ROUND);
	without = without_player(&player, &entries);
	without = list_concat_unique_int(without, without_rounds(&staked, true));
	without = list_concat_unique_int(without, without_rounds(&rounds, false));
	if (without == NIL)
		return (Expr *) makeBoolConst(true, false);
	list_sort(without, list_int_cmp);
	return other_than(copyObject((Var *) book), without);
}

/* The planner's support function of in_books(). */
Datum
casino_sql_in_books_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);
	SupportRequestSimplify *simplify = (SupportRequestSimplify *) request;

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(condition_for(simplify->root, simplify->fcall));
}

/* Has the closed book no entry that happened or was written at the time or later? */
static bool
is_before(HeapTuple closing, TupleDesc desc, Oid closings, TimestampTz since)
{
	static const char *const times[] = {"last_posted_at", "last_recorded_at"};

	for (int i = 0; i < (int) lengthof(times); i++)
	{
		bool		isnull;
		Datum		last = heap_getattr(closing, get_attnum(closings, times[i]), desc, &isnull);

		/* NULL: the book has no entry */
		if (!isnull && DatumGetTimestampTz(last) >= since)
			return false;
	}
	return true;
}

/*
 * last_book_before(since): up to which book are all closed and without entries
 * that happened or were written at the time or later?  0: not even the first.  By the
 * closings, which are sealed: an entry that is dated back lies in a later book.
 */
Datum
casino_sql_last_book_before(PG_FUNCTION_ARGS)
{
	TimestampTz since = PG_GETARG_TIMESTAMPTZ(0);
	Oid			schema = get_namespace_oid("casino", false);
	Oid			relid = get_relname_relid("book_closing", schema);
	int32		last = 0;
	int32		asked = PG_INT32_MAX;
	Relation	closings;
	SysScanDesc scan;
	HeapTuple	row;

	if (!OidIsValid(relid))
		PG_RETURN_INT32(0);
	closings = table_open(relid, AccessShareLock);
	scan = systable_beginscan(closings, InvalidOid, false, NULL, 0, NULL);
	while (HeapTupleIsValid(row = systable_getnext(scan)))
	{
		bool		isnull;
		int32		book = DatumGetInt32(heap_getattr(row, get_attnum(relid, "book"),
													  RelationGetDescr(closings), &isnull));

		if (is_before(row, RelationGetDescr(closings), relid, since))
			last = Max(last, book);
		else
			asked = Min(asked, book);
	}
	systable_endscan(scan);
	table_close(closings, AccessShareLock);
	PG_RETURN_INT32(Min(last, asked - 1));
}

/*
 * last_book_without(round_id): up to which book have all been turned, without
 * entries of the round or a later one?  0: not even the first.  Its stakes lie in later books,
 * and so does all that follows them.
 */
Datum
casino_sql_last_book_without(PG_FUNCTION_ARGS)
{
	static uint64 looks = 0;
	static int64 asked = 0;
	static int32 book = 0;
	int64		round_id = PG_GETARG_INT64(0);

	/* of each entry of the round that is read: books that were turned stay as they are */
	if (casino_ledger_table.known && looks == casino_ledger_table.looks && asked == round_id)
		PG_RETURN_INT32(book);
	/* finds out whether books are away */
	(void) casino_store_last_less(&casino_ledger_table, LEDGER_BY_ROUND, round_id, PG_INT32_MAX);
	book = casino_store_last_less(&casino_ledger_table, LEDGER_BY_ROUND, round_id, away_before(round_id));
	looks = casino_ledger_table.looks;
	asked = round_id;
	PG_RETURN_INT32(book);
}
