/*
 * blackjack_quote.c
 *	  The bets of a quote: on which hands they lie, and could the cards have been
 *	  played with them? (R11.17)
 *
 * A bet does not name its hand (R2.8).  Splits open hands 2, 3 ... in their order;
 * doubles lie on hands of three cards.
 */
#include "games/blackjack_table.h"

#include "catalog/pg_type.h"
#include "utils/array.h"

#include "core/blackjack_options.h"
#include "games/blackjack_marks.h"
#include "games/outcome.h"

typedef struct Quote
{
	CasinoBlackjackCase at;
	const BlackjackGroup *group;
	int			n;
	CasinoBet  *bets;
	int		   *hands;			/* what is looked for */
} Quote;

static bool
is_split(int kind)
{
	return kind == CASINO_SPLIT_PAIR || kind == CASINO_FREE_SPLIT;
}

static bool
is_double(int kind)
{
	return kind == CASINO_DOUBLE_DOWN || kind == CASINO_FREE_DOUBLE;
}

/* The cards of the document as a table; 22023 unless they are one player's. */
static BlackjackTable *
read_table(const Outcome *outcome)
{
	BlackjackTable *table = palloc0(sizeof(BlackjackTable));
	BlackjackGroup *group = palloc0(sizeof(BlackjackGroup));
	int			boxes = 0;

	table->dealer = outcome->hands[0].cards;
	table->ngroups = 1;
	table->groups = group;
	group->hands = palloc0(sizeof(BlackjackHand) * outcome->nhands);
	for (int i = 1; i < outcome->nhands; i++)
	{
		const OutcomeHand *from = &outcome->hands[i];
		BlackjackHand *hand = &group->hands[group->nhands++];

		if (from->hand == 1)
			boxes++;
		hand->cards = from->cards;
		hand->surrendered = from->surrendered;
		hand->even_money = from->even_money || from->neven > 0;
	}
	if (boxes != 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the outcome of a quote has the hands of one player, not of %d", boxes)));
	return table;
}

/* Splits open hands in their order. */
static void
place_splits(Quote *quote)
{
	int			hand = 1;

	for (int i = 0; i < quote->n; i++)
		if (is_split(quote->bets[i].kind) && ++hand > quote->group->nhands)
			ereport(ERROR,
					(errcode(CASINO_ERRCODE_ILLEGAL_OUTCOME),
					 errmsg("illegal outcome"),
					 errdetail("The bets open hand %d, of which the outcome has no cards.", hand)));
		else if (is_split(quote->bets[i].kind))
			quote->hands[i] = hand;
}

/* Could that hand have been doubled so? */
static bool
may_double(const Quote *quote, int kind, int hand)
{
	CasinoHand	first_two = quote->group->hands[hand - 1].cards;
	bool		split = quote->group->nhands > 1;
	CasinoError error;

	first_two.count = Min(first_two.count, 2);
	return kind == CASINO_DOUBLE_DOWN ?
		casino_blackjack_may_double(&quote->at, &first_two, split, &error) :
		casino_blackjack_may_double_free(&quote->at, &first_two, split, split, &error);
}

/*
 * Find a hand of three cards for each of the wagers from "first" on, that
 * could have been doubled so; the first in their order.
 */
static bool
find_doubles(const Quote *quote, const int *kinds, int first, int wagers, bool *taken, int *found)
{
	if (first == wagers)
		return true;
	for (int hand = 1; hand <= quote->group->nhands; hand++)
	{
		if (taken[hand] || quote->group->hands[hand - 1].cards.count != 3 ||
			!may_double(quote, kinds[first], hand))
			continue;
		taken[hand] = true;
		found[first] = hand;
		if (find_doubles(quote, kinds, first + 1, wagers, taken, found))
			return true;
		taken[hand] = false;
	}
	return false;
}

/* Doubles lie on hands of three cards; if that cannot be, on the first ones, and the check says why not. */
static void
place_doubles(Quote *quote)
{
	bool		taken[MARK_HANDS + 1] = {false};
	int			kinds[MARK_HANDS];
	int			found[MARK_HANDS];
	int			doubles = 0;

	for (int i = 0; i < quote->n; i++)
	{
		if (!is_double(quote->bets[i].kind))
			continue;
		if (doubles == quote->group->nhands)
			ereport(ERROR,
					(errcode(CASINO_ERRCODE_ILLEGAL_OUTCOME),
					 errmsg("illegal outcome"),
					 errdetail("The bets double more than the %d hand(s) of the outcome.", doubles)));
		found[doubles] = doubles + 1;
		kinds[doubles++] = quote->bets[i].kind;
	}
	if (!find_doubles(quote, kinds, 0, doubles, taken, found))
		for (int i = 0; i < doubles; i++)
			found[i] = i + 1;
	for (int i = 0, nth = 0; i < quote->n; i++)
		if (is_double(quote->bets[i].kind))
			quote->hands[i] = found[nth++];
}

/* The bets of the argument; 22004 for a null among them. */
static void
read_bets(ArrayType *array, Quote *quote)
{
	Datum	   *datums;
	bool	   *nulls;

	deconstruct_array(array, ARR_ELEMTYPE(array), sizeof(CasinoBet), false, TYPALIGN_DOUBLE,
					  &datums, &nulls, &quote->n);
	quote->bets = palloc(sizeof(CasinoBet) * Max(quote->n, 1));
	quote->hands = palloc(sizeof(int) * Max(quote->n, 1));
	for (int i = 0; i < quote->n; i++)
	{
		if (nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("bets must not contain nulls")));
		quote->bets[i] = *DatumGetBet(datums[i]);
		quote->hands[i] = 1;
	}
}

/* quote_blackjack_hands(plan_id, outcome, bets): hand of each bet */
PG_FUNCTION_INFO_V1(casino_sql_quote_blackjack_hands);
Datum
casino_sql_quote_blackjack_hands(PG_FUNCTION_ARGS)
{
	CasinoBlackjackRules rules;
	CasinoBlackjackSources sources;
	Quote		quote = {.at = {.rules = &rules, .sources = &sources}};
	const BlackjackTable *table;
	Outcome		outcome;
	LedgerScope scope;
	Datum	   *result;
	int64		marks = 0;

	read_bets(PG_GETARG_ARRAYTYPE_P(2), &quote);
	result = palloc(sizeof(Datum) * Max(quote.n, 1));
	casino_scope_enter(&scope);
	casino_blackjack_plan_load(PG_GETARG_INT64(0), &rules, &sources);
	casino_outcome_read(&casino_blackjack_family, PG_GETARG_JSONB_P(1), false, &outcome);
	table = read_table(&outcome);
	quote.group = &table->groups[0];
	place_splits(&quote);
	place_doubles(&quote);
	for (int i = 0; i < quote.n; i++)
		marks |= casino_blackjack_mark(quote.bets[i].kind, quote.hands[i]);
	casino_blackjack_check_alone(&quote.at, table, marks);
	casino_scope_leave(&scope);
	for (int i = 0; i < quote.n; i++)
		result[i] = Int32GetDatum(quote.hands[i]);
	PG_RETURN_ARRAYTYPE_P(construct_array(result, quote.n, INT4OID, sizeof(int32), true, TYPALIGN_INT));
}
