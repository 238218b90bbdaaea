/*
 * hand_subs.c
 *	  Subscripting of casino.hand: hand[i] is the i-th card dealt, from 1.
 *
 * Only fetching one card exists.  A hand is a record of what was dealt: cards
 * are added with ||, and one is never replaced.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/execExpr.h"
#include "nodes/nodeFuncs.h"
#include "nodes/subscripting.h"
#include "parser/parse_coerce.h"
#include "parser/parse_expr.h"

#include "casino.h"

/*
 * Parse analysis: one integer subscript, no slice, no assignment.  The result
 * is of the element type of hand, which is card.
 */
static void
hand_subscript_transform(SubscriptingRef *sbsref, List *indirection,
						 ParseState *pstate, bool isSlice, bool isAssignment)
{
	A_Indices  *index = linitial_node(A_Indices, indirection);
	Node	   *subscript;
	Oid			given;

	if (isAssignment)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot assign to a card of a hand"),
				 errdetail("A hand keeps the cards as they were dealt."),
				 errhint("Add a card with the operator ||."),
				 parser_errposition(pstate, exprLocation((Node *) indirection))));
	if (isSlice)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("a hand cannot be sliced"),
				 errhint("Slice its cards: (casino.cards(hand))[2:3]."),
				 parser_errposition(pstate, exprLocation((Node *) indirection))));
	if (list_length(indirection) != 1)
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("a hand allows only one subscript"),
				 parser_errposition(pstate, exprLocation((Node *) indirection))));

	subscript = transformExpr(pstate, index->uidx, pstate->p_expr_kind);
	given = exprType(subscript);
	subscript = coerce_to_target_type(pstate, subscript, given, INT4OID, -1,
									  COERCION_ASSIGNMENT, COERCE_IMPLICIT_CAST, -1);
	if (subscript == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("subscript of a hand must have type integer"),
				 parser_errposition(pstate, exprLocation(index->uidx))));

	sbsref->refupperindexpr = list_make1(subscript);
	sbsref->reflowerindexpr = NIL;
	sbsref->refrestype = sbsref->refelemtype;
	sbsref->reftypmod = -1;
}

/*
 * Fetch one card; NULL where there is none.  The hand is not NULL here, since
 * fetching is strict.
 */
static void
hand_subscript_fetch(ExprState *state, ExprEvalStep *op, ExprContext *econtext)
{
	SubscriptingRefState *sbsrefstate = op->d.sbsref.state;
	CasinoHand	hand;
	int32		index;

	Assert(!*op->resnull);

	if (sbsrefstate->upperindexnull[0])
	{
		*op->resnull = true;
		return;
	}

	casino_datum_get_hand(*op->resvalue, &hand);
	index = DatumGetInt32(sbsrefstate->upperindex[0]);
	if (index < 1 || index > hand.count)
	{
		*op->resnull = true;
		return;
	}
	*op->resvalue = CardGetDatum(hand.cards[index - 1]);
}

/*
 * Executor startup.
 */
static void
hand_subscript_exec_setup(const SubscriptingRef *sbsref,
						  SubscriptingRefState *sbsrefstate,
						  SubscriptExecSteps *methods)
{
	Assert(sbsrefstate->numlower == 0);
	Assert(sbsrefstate->numupper == 1);

	methods->sbs_check_subscripts = NULL;
	methods->sbs_fetch = hand_subscript_fetch;
	methods->sbs_assign = NULL;
	methods->sbs_fetch_old = NULL;
}

/*
 * Subscript handler of casino.hand.
 */
PG_FUNCTION_INFO_V1(casino_sql_hand_subscript_handler);
Datum
casino_sql_hand_subscript_handler(PG_FUNCTION_ARGS)
{
	static const SubscriptRoutines routines = {
		.transform = hand_subscript_transform,
		.exec_setup = hand_subscript_exec_setup,
		.fetch_strict = true,
		.fetch_leakproof = true,	/* a subscript out of range is NULL */
		.store_leakproof = false
	};

	PG_RETURN_POINTER(&routines);
}
