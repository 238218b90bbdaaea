/*
 * round_evaluation.c
 *	  What each wager of a round gets by an outcome: the evaluator of the core
 *	  asked for one player after another, or the pots shared.
 *
 * It reads nothing and posts nothing.  Settlement asks it for the outcome of
 * a round; the check of limits asks it for results that held before (R11.80).
 */
#include "games/round_evaluation.h"

#include "casino.h"
#include "core/games/evaluate.h"
#include "games/families.h"
#include "games/round_facts.h"
#include "state/wagers.h"

/* The wager has no payout, because ... */
static void
refuse_evaluation(const RoundState *round, const RoundWager *wager, CasinoGrade grade, CasinoEvaluation why)
{
	const char *kind = casino_bet_kind_name(wager->bet.kind);

	switch (why)
	{
		case CASINO_NO_ODDS:
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("the paytable has no line for %s graded %s", kind, casino_grade_name(grade)),
					 errhint("Add the line to casino.paytable in a new plan version.")));
		case CASINO_STAKES_TOO_LARGE:
			casino_amount_out_of_range("sum of the stakes");
			break;
		case CASINO_PROFIT_TOO_LARGE:
			casino_amount_out_of_range("profit");
			break;
		case CASINO_PAYOUT_TOO_LARGE:
			casino_amount_out_of_range("payout");
			break;
		default:
			ereport(ERROR,
					(errcode(ERRCODE_DATA_CORRUPTED),
					 errmsg("wager " INT64_FORMAT " of player " INT64_FORMAT " of round "
							INT64_FORMAT " has no grade",
							wager->entry_no, wager->player_id, round->round_id),
					 errdetail("%s is not graded by %s.", kind, round->family)));
	}
}

/* Room for the evaluation of one player at a time. */
typedef struct Evaluating
{
	int			room;			/* wagers */
	CasinoStake *stakes;
	CasinoPosition *positions;
} Evaluating;

static void
make_room(Evaluating *evaluating, int n)
{
	if (n <= evaluating->room)
		return;
	if (evaluating->room > 0)
	{
		pfree(evaluating->stakes);
		pfree(evaluating->positions);
	}
	evaluating->room = Max(n, 16);
	evaluating->stakes = palloc_extended(sizeof(CasinoStake) * evaluating->room, MCXT_ALLOC_HUGE);
	evaluating->positions = palloc_extended(sizeof(CasinoPosition) * casino_evaluate_slots(evaluating->room),
											MCXT_ALLOC_HUGE);
}

/* Evaluate all wagers of one player, in the order of their entries. */
static void
evaluate_player(const RoundState *round, const RoundFacts *facts, Evaluating *evaluating,
				RoundWager *wagers, int n)
{
	CasinoRoundFacts of_player = casino_round_facts_for(facts, wagers->player_id);
	CasinoEvaluation result;
	int			at = 0;

	make_room(evaluating, n);
	for (int i = 0; i < n; i++)
		evaluating->stakes[i] = (CasinoStake)
	{
		.bet = wagers[i].bet, .seat = wagers[i].seat, .hand = wagers[i].hand
	};
	result = casino_evaluate(&of_player, wagers->player_id, evaluating->stakes, n, evaluating->positions,
							 &at);
	if (result != CASINO_EVALUATED)
		refuse_evaluation(round, &wagers[at], evaluating->stakes[at].grade, result);
	for (int i = 0; i < n; i++)
	{
		wagers[i].grade = evaluating->stakes[i].grade;
		wagers[i].payout = evaluating->stakes[i].payout;
		wagers[i].capped = evaluating->stakes[i].capped;
	}
}

/* Evaluate the wagers of each player by themselves. */
static void
evaluate_players(const RoundState *round, const Outcome *outcome, RoundWagers *wagers)
{
	Evaluating	evaluating = {0};
	RoundFacts	facts;

	casino_round_facts_of(round, outcome, &facts);
	for (int first = 0, next; first < wagers->count; first = next)
	{
		next = casino_round_wagers_next_player(wagers, first);
		evaluate_player(round, &facts, &evaluating, &wagers->wagers[first], next - first);
	}
}

void
casino_round_evaluate(const RoundState *round, const Outcome *outcome, RoundWagers *wagers)
{
	const FamilyRules *family = casino_family_rules(round);

	Assert(casino_round_wagers_in_order(wagers));
	/* wagers of a table with seats lie in its home cell alone */
	if (wagers->count == 0)
		return;
	if (family->share != NULL)
		family->share(outcome, wagers);
	else
		evaluate_players(round, outcome, wagers);
}
