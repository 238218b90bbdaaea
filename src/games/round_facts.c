/*
 * round_facts.c
 *	  Facts of a round for the evaluator, from its outcome and its plan.
 *
 * A shared box can have a hundred groups of players.  Each player gets the hands
 * of the player's group only, so that a wager does not search all of them.
 */
#include "games/round_facts.h"

#include "games/families.h"
#include "state/plan_odds.h"

/* The hand of an outcome as the evaluator takes it. */
static void
fill_hand(const OutcomeHand *from, CasinoDealtHand *hand)
{
	memset(hand, 0, sizeof(*hand));
	hand->side = casino_dealt_side_letter(from->side);
	hand->seat = from->seat;
	hand->group = from->group;
	hand->number = from->hand;
	hand->cards = from->cards;
	hand->surrendered = from->surrendered;
	hand->folded = from->folded;
	hand->even_money = from->even_money;
	hand->neven = from->neven;
	hand->even = from->even;
	hand->nplayers = from->nplayers;
	hand->players = from->players;
}

static int
compare_members(const void *a, const void *b)
{
	int64		x = ((const FactsMember *) a)->player_id;
	int64		y = ((const FactsMember *) b)->player_id;

	return x < y ? -1 : x > y;
}

/* Give the players of that group its hands. */
static void
add_members(RoundFacts *facts, const CasinoDealtHand *hands)
{
	Assert(hands->number == 1);
	if (hands->nplayers == 0)
		return;
	facts->members = facts->members == NULL ? palloc(sizeof(FactsMember) * hands->nplayers)
		: repalloc_huge(facts->members, sizeof(FactsMember) * ((Size) facts->nmembers + hands->nplayers));
	for (int i = 0; i < hands->nplayers; i++)
		facts->members[facts->nmembers++] = (FactsMember)
	{
		hands->players[i], hands
	};
}

/*
 * Chain the hands: first those that everybody sees, and before them the hands
 * of each group.  Hands of a group stand together, hand 1 first (outcome.h).
 */
static void
chain_hands(const Outcome *outcome, RoundFacts *facts)
{
	CasinoDealtHand *hands = palloc(sizeof(CasinoDealtHand) * Max(outcome->nhands, 1));
	const CasinoDealtHand *common = NULL;

	for (int i = 0; i < outcome->nhands; i++)
	{
		fill_hand(&outcome->hands[i], &hands[i]);
		if (hands[i].group == 0)
		{
			hands[i].next = unconstify(CasinoDealtHand *, common);
			common = &hands[i];
		}
	}
	facts->round.hands = common;
	for (int i = outcome->nhands - 1; i >= 0; i--)
	{
		bool		last = i == outcome->nhands - 1 || hands[i + 1].group != hands[i].group;

		if (hands[i].group == 0)
			continue;
		hands[i].next = last ? unconstify(CasinoDealtHand *, common) : &hands[i + 1];
		if (hands[i].number == 1)
			add_members(facts, &hands[i]);
	}
	if (facts->nmembers > 1)
		qsort(facts->members, facts->nmembers, sizeof(FactsMember), compare_members);
}

void
casino_round_facts_of(const RoundState *round, const Outcome *outcome, RoundFacts *facts)
{
	const FamilyRules *family = casino_family_rules(round);

	memset(facts, 0, sizeof(*facts));
	facts->round.family = casino_family_lookup(round->family);
	if (family->read_rules != NULL)
		facts->round.rules = family->read_rules(casino_rules_load(round->plan_id));
	facts->round.paytable = casino_plan_odds(round->plan_id);
	facts->round.number = outcome->number;
	chain_hands(outcome, facts);
}

CasinoRoundFacts
casino_round_facts_for(const RoundFacts *facts, int64 player_id)
{
	CasinoRoundFacts of_player = facts->round;
	FactsMember key = {.player_id = player_id};
	const FactsMember *member = facts->nmembers == 0 ? NULL
	: bsearch(&key, facts->members, facts->nmembers, sizeof(FactsMember), compare_members);

	if (member != NULL)
		of_player.hands = member->hands;
	return of_player;
}
