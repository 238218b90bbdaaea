/*
 * blackjack_decision.c
 *	  Surrender and even money: decisions that stake nothing, and stand as marks
 *	  of a hand in the cards of the round.
 */
#include "games/blackjack_desk.h"

#include "casino.h"
#include "games/outcome_json.h"

/* What a player would decide. */
typedef struct Decision
{
	const char *name;
	bool		surrender;		/* else even money */
	int64		player_id;
	int			seat;
} Decision;

/* KB005 with its reason */
static void
not_now(const Decision *decision, RefusalReason reason, const char *detail)
{
	ereport(ERROR,
			(errrefusal(reason, REFUSED_TEXT("kind", decision->name), REFUSED_PLACE("seat", decision->seat),
						REFUSED_PLACE("hand", 1),
						REFUSED_TEXT("why", reason == REFUSAL_NOT_WITH_CARDS ? detail : NULL)),
			 errmsg("%s is not allowed now", decision->name),
			 errdetail_internal("%s", detail)));
}

/* KB004: does the plan let tables offer it, and does the table? */
static void
check_offered(const RoundState *round, const CasinoBlackjackRules *rules, const Decision *decision)
{
	bool		none = decision->surrender ? rules->surrender == CASINO_SURRENDER_NONE :
	strcmp(decision->name, "even_money") != 0 || rules->even_money == CASINO_EVEN_MONEY_NONE;

	if (none)
		ereport(ERROR,
				(errrefusal(REFUSAL_NOT_OFFERED, REFUSED_TEXT("game", round->game),
							REFUSED_TEXT("kind", decision->name)),
				 errmsg("%s does not offer %s", round->game, decision->name)));
	if (decision->surrender && !round->surrender)
		ereport(ERROR,
				(errrefusal(REFUSAL_NOT_OFFERED, REFUSED_TEXT("kind", decision->name),
							REFUSED_TEXT("table", round->table_name)),
				 errmsg("table \"%s\" does not offer %s", round->table_name, decision->name),
				 errdetail("It was set up without that option.")));
}

/* KB005: who has no main bet there decides nothing; a bet behind goes with the owner's (R3.41). */
static void
check_stake(const Decision *decision, const RoundWagers *wagers)
{
	bool		behind = false;

	for (int i = 0; i < wagers->count; i++)
	{
		const RoundWager *wager = &wagers->wagers[i];

		if (wager->player_id != decision->player_id || wager->seat != decision->seat)
			continue;
		if (wager->bet.kind == CASINO_MAIN)
			return;
		behind = behind || wager->bet.kind == CASINO_BEHIND;
	}
	if (behind)
		not_now(decision, REFUSAL_BEHIND_DECIDES,
				psprintf("The owner of box %d decides for the bets behind.", decision->seat));
	not_now(decision, REFUSAL_NO_STAKE, "The player has no main bet on the box.");
}

/* KB005: a box is surrendered by who decides on it; even money is everybody's own matter (R3.62). */
static void
check_decides(const RoundState *round, const CasinoBlackjackRules *rules, const Decision *decision)
{
	BlackjackBox box;

	if (!decision->surrender || !round->seated)
		return;
	casino_blackjack_box_load(round, rules, decision->seat, &box);
	if (box.owner != decision->player_id)
		not_now(decision, REFUSAL_OWNER_HAS_NOT,
				psprintf("The owner of box %d decides whether it is surrendered.", decision->seat));
}

/* The players who took even money, and this one. */
static void
add_even_money(OutcomeHand *hand, int64 player_id)
{
	int64	   *even = palloc(sizeof(int64) * (hand->neven + 1));

	for (int i = 0; i < hand->neven; i++)
		even[i] = hand->even[i];
	even[hand->neven++] = player_id;
	hand->even = even;
}

/*
 * The dealer's cards and those of the player's hands, as deal() would be given
 * them.  At a shared box they are the player's own from here on.
 */
static void
mark_cards(const Decision *decision, const BlackjackTable *table, const BlackjackGroup *group,
		   Outcome *outcome)
{
	OutcomeHand *hands = palloc0(sizeof(OutcomeHand) * (group->nhands + 1));

	hands[0].side = "dealer";
	hands[0].hand = 1;
	hands[0].cards = table->dealer;
	for (int i = 0; i < group->nhands; i++)
	{
		OutcomeHand *hand = &hands[i + 1];

		hand->side = "box";
		hand->seat = decision->seat;
		hand->group = decision->seat > 0 ? 0 : 1;
		hand->hand = i + 1;
		hand->cards = group->hands[i].cards;
		hand->surrendered = group->hands[i].surrendered;
		hand->even_money = group->hands[i].even_money;
		hand->neven = group->hands[i].neven;
		hand->even = group->hands[i].even;
	}
	if (decision->seat == 0)
	{
		hands[1].nplayers = 1;
		hands[1].players = palloc(sizeof(int64));
		hands[1].players[0] = decision->player_id;
	}
	if (decision->surrender)
		hands[1].surrendered = true;
	else
		add_even_money(&hands[1], decision->player_id);
	memset(outcome, 0, sizeof(*outcome));
	outcome->family = &casino_blackjack_family;
	outcome->nhands = group->nhands + 1;
	outcome->hands = hands;
}

/* See families.h. */
void
casino_blackjack_decide(const RoundState *round, int64 player_id, int seat, const char *name,
						const RoundWagers *wagers, Outcome *outcome)
{
	Decision	decision = {.name = name, .surrender = strcmp(name, "surrender") == 0,
	.player_id = player_id, .seat = seat};
	const BlackjackTable *table = casino_blackjack_table_load(round->round_id);
	const BlackjackGroup *group = table != NULL ? casino_blackjack_group_of(table, seat, player_id) : NULL;
	CasinoBlackjackRules rules;
	BlackjackDecided decided;

	casino_blackjack_plan_load(round->plan_id, &rules, NULL);
	check_offered(round, &rules, &decision);
	check_stake(&decision, wagers);
	if (group == NULL)
		not_now(&decision, REFUSAL_NOT_WITH_CARDS, "The hand has no cards yet.");
	if (casino_blackjack_is_decided(&rules, table, group, player_id, false, &decided))
		not_now(&decision, decided.reason, decided.detail);
	check_decides(round, &rules, &decision);
	mark_cards(&decision, table, group, outcome);
}
