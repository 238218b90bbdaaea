/*
 * blackjack_quote.c
 *	  The bets of a quote: on which hands they lie, and could the cards have been
 *	  played with them? (R11.17)
 *
 * A bet does not name its hand (R2.8).  Splits open hands 2, 3 ... in their order;
 * doubles lie on hands of three cards.
 */
#include "games/blackjack_table.h"

#include "casino.h"
#include "core/games/blackjack_options.h"
#include "games/blackjack_marks.h"
#include "games/outcome.h"
#include "server/refusal.h"

typedef struct Quote
{
	CasinoBlackjackCase at;
	const BlackjackGroup *group;
	int			n;
	const CasinoBet *bets;
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
					(errrefusal(REFUSAL_ILLEGAL_OUTCOME, REFUSED_INT("hand", hand)),
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
					(errrefusal(REFUSAL_ILLEGAL_OUTCOME, REFUSED_INT("hands", doubles)),
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

/* See FamilyRules.quote_hands. */
void
casino_blackjack_quote_hands(int64 plan_id, const Jsonb *document, int n, const CasinoBet *bets, int *hands)
{
	CasinoBlackjackRules rules;
	CasinoBlackjackSources sources;
	Quote		quote = {.at = {.rules = &rules, .sources = &sources}, .n = n, .bets = bets, .hands = hands};
	const BlackjackTable *table;
	Outcome		outcome;
	int64		marks = 0;

	casino_blackjack_plan_load(plan_id, &rules, &sources);
	casino_outcome_read(&casino_blackjack_family, document, false, &outcome);
	table = read_table(&outcome);
	quote.group = &table->groups[0];
	place_splits(&quote);
	place_doubles(&quote);
	for (int i = 0; i < n; i++)
		marks |= casino_blackjack_mark(bets[i].kind, hands[i]);
	casino_blackjack_check_alone(&quote.at, table, marks);
}
