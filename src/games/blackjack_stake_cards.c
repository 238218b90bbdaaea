/*
 * blackjack_stake_cards.c
 *	  Placing bets in blackjack: what the cards on the table allow.
 */
#include "games/blackjack_desk.h"

#include "casino.h"
#include "core/games/blackjack_options.h"

/* KB005 with what the core says of the cards */
static void
refuse_cards(const Wager *wager, const CasinoError *error)
{
	casino_desk_not_now(wager, REFUSAL_NOT_WITH_CARDS, error->detail);
}

/* KB005: is there something left to decide (R3.42)? */
static void
check_undecided(const Desk *desk, const BlackjackGroup *group, const Wager *wager)
{
	BlackjackDecided decided;

	if (!casino_blackjack_is_decided(&desk->rules, desk->table, group, desk->player->player_id,
									 wager->bet.kind == CASINO_INSURANCE, &decided))
		return;
	if (decided.reason == REFUSAL_DEALER_HAS_DRAWN)
		casino_desk_not_with(wager, decided.reason, "cards", decided.cards, decided.detail);
	casino_desk_not_now(wager, decided.reason, decided.detail);
}

/*
 * Hands of two cards that may be split from each other, are not doubled and are not the wager's: the
 * splits that wait
 * for their cards can be of these (R3.45).  None for a wager on a hand whose cards do not lie apart yet.
 */
static int
pairs_beside(const Desk *desk, const BlackjackGroup *group, const Wager *wager)
{
	int			pairs = 0;

	if (casino_desk_hand_of(wager) > group->nhands)
		return 0;
	for (int i = 0; i < group->nhands; i++)
	{
		const CasinoHand *cards = &group->hands[i].cards;

		if (i + 1 != casino_desk_hand_of(wager) && cards->count == 2 &&
			!casino_desk_has_doubled(desk, wager->seat, i + 1) &&
			casino_blackjack_is_pair(&desk->rules, cards->cards[0], cards->cards[1]))
			pairs++;
	}
	return pairs;
}

/*
 * Does the plan let cards like these be split into so many hands and one more, paid or free as the
 * wager is?
 */
static bool
may_split(const CasinoBlackjackCase *at, CasinoCard a, CasinoCard b, int hands, const Wager *wager,
		  CasinoError *error)
{
	return wager->bet.kind == CASINO_SPLIT_PAIR ? casino_blackjack_may_split(at, a, b, hands, error) :
		casino_blackjack_may_split_free(at, a, b, hands, error);
}

/* KB005: a split whose hand lies apart already: its first card and that of hand 1 were the pair. */
static void
check_split_apart(const CasinoBlackjackCase *at, const BlackjackGroup *group, const Wager *wager)
{
	const CasinoHand *first = &group->hands[0].cards;
	const CasinoHand *new = &group->hands[wager->hand - 1].cards;
	CasinoError error;

	if (first->count == 0 || new->count == 0)
		return;
	if (!may_split(at, first->cards[0], new->cards[0], wager->hand - 1, wager, &error))
		refuse_cards(wager, &error);
}

/*
 * KB005: a split whose cards are still to come: as many hands not doubled must
 * be pairs as splits wait, and one more.
 */
static void
check_split_to_come(const Desk *desk, CasinoBlackjackCase at, const BlackjackGroup *group, const Wager *wager,
					int waiting)
{
	CasinoError error = {0};
	int			pairs = 0;

	at.hand = 0;
	for (int i = 0; i < group->nhands; i++)
	{
		const CasinoHand *cards = &group->hands[i].cards;

		if (cards->count == 2 && !(casino_desk_decides(desk) &&
								   casino_desk_has_doubled(desk, wager->seat, i + 1)) &&
			may_split(&at, cards->cards[0], cards->cards[1], group->nhands + waiting, wager, &error) &&
			pairs++ == waiting)
			return;
	}
	casino_desk_not_now(wager, REFUSAL_NOT_WITH_CARDS,
						error.code != CASINO_OK ? error.detail :
						"No hand of the box has two cards that may be split.");
}

/*
 * KB005: insurance is offered on the first two cards (D0 HRA, D3 §7, D4
 * Blackjack §11); D3 adds to it for a double or split (R3.25, R3.27).
 */
static void
check_insured_cards(const Desk *desk, const CasinoBlackjackCase *at, const BlackjackGroup *group,
					const Wager *wager)
{
	const CasinoHand *dealer = &desk->table->dealer;
	const CasinoHand *first = &group->hands[0].cards;
	bool		split = group->nhands > 1;
	CasinoError error;

	if (!split && first->count > 2 && !casino_desk_has_doubled(desk, wager->seat, 1))
		casino_desk_not_now(wager, REFUSAL_NOT_WITH_CARDS,
							"The hand has its third card; insurance is taken on the first two.");
	if (dealer->count > 0 &&
		!casino_blackjack_may_insure(at, dealer->cards[0], !split && casino_blackjack_is_blackjack(first),
									 &error))
		refuse_cards(wager, &error);
}

void
casino_desk_check_cards(const Desk *desk, const Wager *wager)
{
	const BlackjackGroup *group;
	CasinoBlackjackCase at = {.rules = &desk->rules,
		.sources = &desk->sources,
		.seat = wager->seat,
	.hand = casino_desk_hand_of(wager)};
	CasinoError error;
	bool		split;
	int			waiting;		/* splits staked whose cards do not lie apart yet */

	/* nothing was dealt that could forbid anything */
	if (desk->table == NULL)
		return;
	group = casino_blackjack_group_of(desk->table, wager->seat, desk->player->player_id);
	check_undecided(desk, group, wager);
	if (group == NULL)
		return;

	/* a split is staked before its cards are dealt: until then one hand stands for two */
	split = group->nhands > 1;
	waiting = casino_desk_decides(desk) ? Max(casino_desk_highest_hand(desk, wager) - group->nhands, 0) : 0;
	if (waiting > 0 && (wager->bet.kind == CASINO_DOUBLE_DOWN || wager->bet.kind == CASINO_FREE_DOUBLE) &&
		pairs_beside(desk, group, wager) < waiting)
		casino_desk_not_now(wager, REFUSAL_NOT_WITH_CARDS,
							"The pair was split, and a hand is doubled on two cards, not on one.");

	/* what the cards of that hand allow */
	switch (wager->bet.kind)
	{
		case CASINO_DOUBLE_DOWN:
			if (at.hand <= group->nhands &&
				!casino_blackjack_may_double(&at, &group->hands[at.hand - 1].cards, split, &error))
				refuse_cards(wager, &error);
			break;
		case CASINO_FREE_DOUBLE:
			if (at.hand <= group->nhands &&
				!casino_blackjack_may_double_free(&at, &group->hands[at.hand - 1].cards, split,
												  casino_desk_no_paid_split(desk, wager->seat, at.hand),
												  &error))
				refuse_cards(wager, &error);
			break;
		case CASINO_SPLIT_PAIR:
		case CASINO_FREE_SPLIT:
			/* the cards of the new hand may lie apart already */
			if (wager->hand <= group->nhands)
				check_split_apart(&at, group, wager);
			else
				check_split_to_come(desk, at, group, wager, waiting);
			break;
		case CASINO_INSURANCE:
			check_insured_cards(desk, &at, group, wager);
			break;
		default:
			break;
	}
}
