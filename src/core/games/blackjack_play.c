/*
 * blackjack_play.c
 *	  Could the hands of one box or player have been played so?
 */
#include "core/games/blackjack_options.h"
#include "core/games/blackjack_play.h"

#define DOUBLED_BY_WHO_DECIDES	(CASINO_PLAYED_DOUBLED | CASINO_PLAYED_DOUBLED_FREE)
#define DOUBLED_BY_ANYONE		(DOUBLED_BY_WHO_DECIDES | CASINO_PLAYED_DOUBLED_BY_FOLLOWER)
#define ANY_SPLIT				(CASINO_PLAYED_SPLIT | CASINO_PLAYED_SPLIT_FREE)

/* a doubled hand: two cards and one more (D0 HRA, D1, D2, D3 §5, D4 Blackjack §20) */
#define DOUBLED_CARDS	3

/*
 * is_split_ace
 *		Is the hand an ace of a split?
 */
static bool
is_split_ace(const CasinoPlayedGroup *group, const CasinoPlayedHand *played)
{
	return group->count > 1 && played->cards.count > 0 &&
		casino_blackjack_is_ace(played->cards.cards[0]);
}

/*
 * check_numbers
 *		Are the hands numbered from 1 without gaps, and is every new hand one
 *		of a split that was staked?
 */
static bool
check_numbers(CasinoBlackjackCase *at, const CasinoPlayedGroup *group, CasinoError *error)
{
	int			i;

	if (group->count < 1)
		return casino_blackjack_refuse(at, CASINO_BJ_EVERY_GAME, error, "there is no hand (R3.24)");
	for (i = 0; i < group->count; i++)
	{
		const CasinoPlayedHand *played = &group->hands[i];

		at->hand = played->number;
		if (played->number != i + 1)
			return casino_blackjack_refuse(at, CASINO_BJ_EVERY_GAME, error,
										   "the hands are numbered from 1 without gaps, and this should be "
										   "%d (R3.24)",
										   i + 1);
		if (i == 0 && (played->flags & ANY_SPLIT) != 0)
			return casino_blackjack_refuse(at, CASINO_BJ_SPLIT_ON, error,
										   "the first hand keeps its wager and has no split of its own");
		if (i > 0 && (played->flags & ANY_SPLIT) == 0 && !group->unfinished)
			return casino_blackjack_refuse(at, CASINO_BJ_SPLIT_ON, error,
										   "the hand came of no split: nobody who decides has staked on it");
	}
	return true;
}

/*
 * check_split
 *		Could the hands have come of splits of one hand?
 *
 * A split takes the second card of a hand as the first of the next free
 * number, so that a new hand's first card was a pair with the first card of
 * an older one; rank and value are equivalences, so that all hands pair with
 * the first.  The other way round splitting hand 1 again and again leads to
 * any such group: nothing else about the order of the splits can be seen (R3.13).
 */
static bool
check_split(CasinoBlackjackCase *at, const CasinoPlayedGroup *group, CasinoError *error)
{
	int			i;

	for (i = 1; i < group->count; i++)
	{
		const CasinoPlayedHand *played = &group->hands[i];
		CasinoCard	kept = group->hands[0].cards.cards[0];
		CasinoCard	moved = played->cards.cards[0];

		at->hand = played->number;
		if (group->hands[0].cards.count == 0 || played->cards.count == 0)
			return casino_blackjack_refuse(at, CASINO_BJ_SPLIT_ON, error,
										   "a split hand starts with a card of the pair");
		if (!casino_blackjack_may_split(at, kept, moved, i, error))
			return false;
		if ((played->flags & CASINO_PLAYED_SPLIT_FREE) != 0 &&
			!casino_blackjack_may_split_free(at, kept, moved, i, error))
			return false;
	}
	return true;
}

/*
 * check_card
 *		Could card number i (from 0) have been drawn to the cards before it?
 */
static bool
check_card(const CasinoBlackjackCase *at, const CasinoPlayedGroup *group,
		   const CasinoPlayedHand *played, int i, CasinoError *error)
{
	const CasinoBlackjackRules *rules = at->rules;
	int			total = casino_blackjack_total_of(&played->cards, i);
	CasinoCardText card = casino_card_text(played->cards.cards[i]);

	if (total > CASINO_BLACKJACK_BEST)
		return casino_blackjack_refuse(at, CASINO_BJ_EVERY_GAME, error,
									   "%s was drawn on %d, which had lost (R3.14)", card.text, total);
	if (i == 2 && group->count == 1 && total == CASINO_BLACKJACK_BEST)
		return casino_blackjack_refuse(at, CASINO_BJ_EVERY_GAME, error,
									   "%s was drawn on a blackjack (R3.7)", card.text);
	if (is_split_ace(group, played) && rules->cards_on_split_ace > 0 &&
		i > rules->cards_on_split_ace)
		return casino_blackjack_refuse(at, CASINO_BJ_CARDS_ON_SPLIT_ACE, error,
									   "%s was drawn on a split ace, which gets %d card%s", card.text,
									   rules->cards_on_split_ace,
									   rules->cards_on_split_ace == 1 ? "" : "s");
	if (rules->charlie_cards > 0 && i >= rules->charlie_cards)
		return casino_blackjack_refuse(at, CASINO_BJ_CHARLIE_CARDS, error,
									   "%s was drawn on %d cards not over 21, which had won", card.text, i);
	if (!rules->draw_on_21 && total == CASINO_BLACKJACK_BEST)
		return casino_blackjack_refuse(at, CASINO_BJ_DRAW_ON_21, error,
									   "%s was drawn on 21", card.text);
	return true;
}

/*
 * no_paid_split
 *		May the hand be doubled free of charge for all that was paid to split
 *		it: could it have come of a free split, being the new hand of one or
 *		older than one, which may have been split from it?  Or has the player
 *		whose flags these are not split it at all: who did not follow the
 *		owner's split plays the hand that keeps its number as if it were whole
 *		(D3 §5.1).
 */
static bool
no_paid_split(const CasinoPlayedGroup *group, const CasinoPlayedHand *played)
{
	bool		paid = false;
	int			i;

	for (i = played->number - 1; i < group->count; i++)
	{
		if ((group->hands[i].flags & CASINO_PLAYED_SPLIT_FREE) != 0)
			return true;
		if ((group->hands[i].flags & CASINO_PLAYED_SPLIT) != 0)
			paid = true;
	}
	return !paid;
}

/*
 * check_doubled
 *		Could the hand have been doubled, and has it exactly three cards?  A
 *		follower doubles only what is doubled by who decides (D0 OVLÁDÁNÍ BOXU,
 *		D4 Blackjack §15).
 */
static bool
check_doubled(const CasinoBlackjackCase *at, const CasinoPlayedGroup *group,
			  const CasinoPlayedHand *played, CasinoError *error)
{
	bool		split = group->count > 1;
	CasinoHand	first_two = played->cards;

	if ((played->flags & DOUBLED_BY_ANYONE) == 0)
		return true;
	if ((played->flags & DOUBLED_BY_WHO_DECIDES) == 0)
		return casino_blackjack_refuse(at, CASINO_BJ_BOX, error,
									   "a follower doubled what the owner of the box did not");
	if (first_two.count > 2)
		first_two.count = 2;
	if ((played->flags & CASINO_PLAYED_DOUBLED) != 0 &&
		!casino_blackjack_may_double(at, &first_two, split, error))
		return false;
	if ((played->flags & CASINO_PLAYED_DOUBLED_FREE) != 0 &&
		!casino_blackjack_may_double_free(at, &first_two, split,
										  no_paid_split(group, played), error))
		return false;
	if (played->cards.count > DOUBLED_CARDS)
		return casino_blackjack_refuse(at, CASINO_BJ_DOUBLE_ON, error,
									   "%s is a second card on a doubled hand, which gets one",
									   casino_card_text(played->cards.cards[DOUBLED_CARDS]).text);
	if (played->cards.count < DOUBLED_CARDS && !group->unfinished)
		return casino_blackjack_refuse(at, CASINO_BJ_DOUBLE_ON, error,
									   "a doubled hand has three cards, not %d", played->cards.count);
	return true;
}

/*
 * check_stood
 *		May the player have stood here (D3 §3: not on 11 or less)?  Doubled
 *		hands, split aces and surrendered ones get no more cards.
 */
static bool
check_stood(const CasinoBlackjackCase *at, const CasinoPlayedGroup *group,
			const CasinoPlayedHand *played, CasinoError *error)
{
	int			total = casino_blackjack_total(&played->cards);

	if (total > at->rules->must_draw_to || is_split_ace(group, played) ||
		(played->flags & (DOUBLED_BY_ANYONE | CASINO_PLAYED_SURRENDERED)) != 0)
		return true;
	return casino_blackjack_refuse(at, CASINO_BJ_MUST_DRAW_TO, error,
								   "a player may not stand on %d, after %s, but must draw", total,
								   casino_card_text(played->cards.cards[played->cards.count - 1]).text);
}

/*
 * check_decisions
 *		Surrender and even money, where the hand has them.
 */
static bool
check_decisions(const CasinoBlackjackCase *at, const CasinoPlayedGroup *group,
				const CasinoPlayedHand *played, CasinoError *error)
{
	bool		split = group->count > 1 || group->split_waits;
	bool		surrendered = (played->flags & CASINO_PLAYED_SURRENDERED) != 0;
	bool		even_money = (played->flags & (CASINO_PLAYED_EVEN_MONEY |
											   CASINO_PLAYED_EVEN_MONEY_INSURED)) != 0;

	if (surrendered && (played->flags & DOUBLED_BY_ANYONE) != 0)
		return casino_blackjack_refuse(at, CASINO_BJ_SURRENDER, error,
									   "a doubled hand may not be surrendered");
	if (surrendered &&
		!casino_blackjack_may_surrender(at, &played->cards, split, group->table_surrender, error))
		return false;
	if (even_money &&
		!casino_blackjack_may_take_even_money(at, group->up_card,
											  !split && casino_blackjack_is_blackjack(&played->cards),
											  error))
		return false;
	/* where a blackjack may not be insured, the insurance goes back and stands in nobody's way (R3.29) */
	if ((played->flags & CASINO_PLAYED_EVEN_MONEY_INSURED) != 0 &&
		at->rules->insurance_own_blackjack)
		return casino_blackjack_refuse(at, CASINO_BJ_EVEN_MONEY, error,
									   "even money and insurance exclude each other");
	return true;
}

/*
 * check_hand
 *		Could this hand of the group have been played so?
 */
static bool
check_hand(const CasinoBlackjackCase *at, const CasinoPlayedGroup *group,
		   const CasinoPlayedHand *played, CasinoError *error)
{
	int			i;

	if (played->cards.count < 2 && !group->unfinished)
		return casino_blackjack_refuse(at, CASINO_BJ_EVERY_GAME, error,
									   "a hand has two cards at least, not %d (R3.19)", played->cards.count);
	for (i = 2; i < played->cards.count; i++)
	{
		if (!check_card(at, group, played, i, error))
			return false;
	}
	return check_doubled(at, group, played, error) &&
		check_decisions(at, group, played, error) &&
		(group->unfinished || check_stood(at, group, played, error));
}

/*
 * casino_blackjack_check_group
 *		Could these hands have been played so (R3.7 to R3.31)?
 *		CASINO_ILLEGAL_OUTCOME if not.
 */
bool
casino_blackjack_check_group(const CasinoBlackjackCase *at, const CasinoPlayedGroup *group,
							 CasinoError *error)
{
	CasinoBlackjackCase here = *at;
	int			i;

	here.hand = 0;
	if (!check_numbers(&here, group, error) || !check_split(&here, group, error))
		return false;
	for (i = 0; i < group->count; i++)
	{
		here.hand = group->hands[i].number;
		if (!check_hand(&here, group, &group->hands[i], error))
			return false;
	}
	return true;
}

/*
 * casino_blackjack_check_follower
 *		Are the free wagers of a follower on hands that are split and doubled
 *		free of charge (D3 §4.1, §5.1)?  The owner may have paid for his.
 */
bool
casino_blackjack_check_follower(const CasinoBlackjackCase *at, const CasinoPlayedGroup *group,
								CasinoError *error)
{
	CasinoBlackjackCase here = *at;
	int			i;

	for (i = 0; i < group->count; i++)
	{
		const CasinoPlayedHand *played = &group->hands[i];
		CasinoHand	first_two = played->cards;

		here.hand = played->number;
		if (first_two.count > 2)
			first_two.count = 2;
		if (i > 0 && (played->flags & CASINO_PLAYED_SPLIT_FREE) != 0 &&
			!casino_blackjack_may_split_free(&here, group->hands[0].cards.cards[0],
											 played->cards.cards[0], i, error))
			return false;
		if ((played->flags & CASINO_PLAYED_DOUBLED_FREE) != 0 &&
			!casino_blackjack_may_double_free(&here, &first_two, group->count > 1,
											  no_paid_split(group, played), error))
			return false;
	}
	return true;
}

/*
 * casino_blackjack_group_start
 *		The two cards that the group was dealt, larger byte first; false when
 *		there are not two.
 */
bool
casino_blackjack_group_start(const CasinoPlayedGroup *group, CasinoCard start[2])
{
	const CasinoHand *first = group->count > 0 ? &group->hands[0].cards : NULL;
	const CasinoHand *second = group->count > 1 ? &group->hands[1].cards : NULL;
	CasinoCard	a;
	CasinoCard	b;

	if (first == NULL || first->count < (second == NULL ? 2 : 1) ||
		(second != NULL && second->count < 1))
		return false;
	a = first->cards[0];
	b = second != NULL ? second->cards[0] : first->cards[1];
	start[0] = a > b ? a : b;
	start[1] = a > b ? b : a;
	return true;
}
