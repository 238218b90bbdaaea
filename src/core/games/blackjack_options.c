/*
 * blackjack_options.c
 *	  What a player may do on cards as they lie.
 */
#include "core/games/blackjack_options.h"

/* the totals of D1 Zdvojení sázky and D3 §5.1, without an ace counted 11 */
#define DOUBLE_FROM		9
#define DOUBLE_TO		11

/*
 * casino_blackjack_is_pair
 *		May these two cards be split from each other: of one rank ("dvojice",
 *		D0 HRA) or of one value (D2 Rozdělení, D3 §4, D4 Blackjack §18)?
 */
bool
casino_blackjack_is_pair(const CasinoBlackjackRules *rules, CasinoCard a, CasinoCard b)
{
	if (rules->split_on == CASINO_SPLIT_ON_RANK)
		return casino_card_rank(a) == casino_card_rank(b);
	return casino_blackjack_card_value(a) == casino_blackjack_card_value(b);
}

/*
 * is_hard_9_to_11
 *		Do the first two cards make 9, 10 or 11 without an ace?  With one they
 *		make 12 or more, as the ace counts 11 (R3.6).
 */
static bool
is_hard_9_to_11(const CasinoHand *cards)
{
	int			total = casino_blackjack_total_of(cards, 2);

	return total >= DOUBLE_FROM && total <= DOUBLE_TO;
}

/*
 * check_doublable
 *		What holds for every double: two cards, no blackjack, no split ace, and
 *		after a split only where that is allowed.
 */
static bool
check_doublable(const CasinoBlackjackCase *at, const CasinoHand *cards, bool split,
				CasinoError *error)
{
	if (cards->count != 2)
		return casino_blackjack_refuse(at, CASINO_BJ_DOUBLE_ON, error,
									   "a hand is doubled on two cards, not on %d", cards->count);
	if (split && !at->rules->double_after_split)
		return casino_blackjack_refuse(at, CASINO_BJ_DOUBLE_AFTER_SPLIT, error,
									   "a split hand may not be doubled");
	if (split && casino_blackjack_is_ace(cards->cards[0]) && !at->rules->double_split_aces)
		return casino_blackjack_refuse(at, CASINO_BJ_DOUBLE_SPLIT_ACES, error,
									   "a split ace may not be doubled");
	if (!split && casino_blackjack_total_of(cards, 2) == CASINO_BLACKJACK_BEST)
		return casino_blackjack_refuse(at, CASINO_BJ_EVERY_GAME, error,
									   "a blackjack may not be doubled (R3.7)");
	if (!at->rules->draw_on_21 && casino_blackjack_total_of(cards, 2) == CASINO_BLACKJACK_BEST)
		return casino_blackjack_refuse(at, CASINO_BJ_DRAW_ON_21, error,
									   "no card may be drawn on 21, so that it may not be doubled");
	return true;
}

/*
 * casino_blackjack_may_double
 *		May the first two cards be doubled: any (D0 HRA, D2 Zdvojnásobení, D3
 *		§5, D4 Blackjack §20), or 9, 10 and 11 (D1 Zdvojení sázky)?
 */
bool
casino_blackjack_may_double(const CasinoBlackjackCase *at, const CasinoHand *cards, bool split,
							CasinoError *error)
{
	if (!check_doublable(at, cards, split, error))
		return false;
	if (at->rules->double_on == CASINO_DOUBLE_ON_9_TO_11 && !is_hard_9_to_11(cards))
		return casino_blackjack_refuse(at, CASINO_BJ_DOUBLE_ON, error,
									   "%s %s makes %d, and only a hard 9, 10 or 11 may be doubled",
									   casino_card_text(cards->cards[0]).text,
									   casino_card_text(cards->cards[1]).text,
									   casino_blackjack_total_of(cards, 2));
	return true;
}

/*
 * casino_blackjack_may_double_free
 *		May the first two cards be doubled free of charge: 9, 10 or 11 without
 *		an ace, before a split or after a free one (D3 §5.1, R3.46)?
 */
bool
casino_blackjack_may_double_free(const CasinoBlackjackCase *at, const CasinoHand *cards, bool split,
								 bool free_split, CasinoError *error)
{
	if (at->rules->free_double_on == CASINO_FREE_DOUBLE_NONE)
		return casino_blackjack_refuse(at, CASINO_BJ_FREE_DOUBLE_ON, error,
									   "there is no free double in this game");
	if (!check_doublable(at, cards, split, error))
		return false;
	if (!is_hard_9_to_11(cards))
		return casino_blackjack_refuse(at, CASINO_BJ_FREE_DOUBLE_ON, error,
									   "%s %s makes %d, and only 9, 10 or 11 without an ace is doubled "
									   "free of charge",
									   casino_card_text(cards->cards[0]).text,
									   casino_card_text(cards->cards[1]).text,
									   casino_blackjack_total_of(cards, 2));
	if (split && !free_split)
		return casino_blackjack_refuse(at, CASINO_BJ_FREE_DOUBLE_ON, error,
									   "after a split that was paid no hand is doubled free of charge");
	return true;
}

/*
 * casino_blackjack_may_split
 *		May these two cards be split, with so many hands already: D0 HRA, D1
 *		Rozdělení hry, D2 Rozdělení, D3 §4, D4 Blackjack §18?  Aces a second
 *		time only where that is said (D0 HRA, D3 §4).
 */
bool
casino_blackjack_may_split(const CasinoBlackjackCase *at, CasinoCard a, CasinoCard b, int hands,
						   CasinoError *error)
{
	if (!casino_blackjack_is_pair(at->rules, a, b))
		return casino_blackjack_refuse(at, CASINO_BJ_SPLIT_ON, error,
									   "%s and %s are not of one %s and may not be split",
									   casino_card_text(a).text, casino_card_text(b).text,
									   at->rules->split_on == CASINO_SPLIT_ON_RANK ? "rank" : "value");
	if (hands >= at->rules->max_hands)
		return casino_blackjack_refuse(at, CASINO_BJ_MAX_HANDS, error,
									   "there are %d hands at most", at->rules->max_hands);
	if (hands > 1 && casino_blackjack_is_ace(a) && !at->rules->resplit_aces)
		return casino_blackjack_refuse(at, CASINO_BJ_RESPLIT_ACES, error,
									   "aces may not be split again");
	return true;
}

/*
 * casino_blackjack_may_split_free
 *		May these two cards be split free of charge: any pair but ten-values
 *		(D3 §4.1)?
 */
bool
casino_blackjack_may_split_free(const CasinoBlackjackCase *at, CasinoCard a, CasinoCard b, int hands,
								CasinoError *error)
{
	if (at->rules->free_split_on == CASINO_FREE_SPLIT_NONE)
		return casino_blackjack_refuse(at, CASINO_BJ_FREE_SPLIT_ON, error,
									   "there is no free split in this game");
	if (casino_blackjack_is_ten(a))
		return casino_blackjack_refuse(at, CASINO_BJ_FREE_SPLIT_ON, error,
									   "%s counts 10, and ten-values are not split free of charge",
									   casino_card_text(a).text);
	return casino_blackjack_may_split(at, a, b, hands, error);
}

/*
 * casino_blackjack_may_insure
 *		Is insurance on offer: the dealer's first card is an ace, and one's own
 *		blackjack may be insured (D0 HRA, D1 Pojištění, D2 Pojištění, D3 §7, D4
 *		Blackjack §21)?
 */
bool
casino_blackjack_may_insure(const CasinoBlackjackCase *at, CasinoCard up_card, bool blackjack,
							CasinoError *error)
{
	if (!casino_blackjack_is_ace(up_card))
		return casino_blackjack_refuse(at, CASINO_BJ_INSURANCE, error,
									   "the dealer's first card is %s, and insurance is for an ace",
									   casino_card_text(up_card).text);
	if (blackjack && !at->rules->insurance_own_blackjack)
		return casino_blackjack_refuse(at, CASINO_BJ_INSURANCE_OWN_BLACKJACK, error,
									   "a blackjack may not be insured");
	return true;
}

/*
 * casino_blackjack_may_take_even_money
 *		May a blackjack be paid 1:1 at once: against an ace (D0 HRA, D2
 *		Pojištění), or against an ace or a ten-value (D3 §3)?
 */
bool
casino_blackjack_may_take_even_money(const CasinoBlackjackCase *at, CasinoCard up_card, bool blackjack,
									 CasinoError *error)
{
	int			against = at->rules->even_money;

	if (against == CASINO_EVEN_MONEY_NONE)
		return casino_blackjack_refuse(at, CASINO_BJ_EVEN_MONEY, error,
									   "there is no even money in this game");
	if (!blackjack)
		return casino_blackjack_refuse(at, CASINO_BJ_EVEN_MONEY, error,
									   "even money is for a blackjack");
	if (!casino_blackjack_is_ace(up_card) &&
		!(against == CASINO_EVEN_MONEY_ACE_OR_TEN && casino_blackjack_is_ten(up_card)))
		return casino_blackjack_refuse(at, CASINO_BJ_EVEN_MONEY, error,
									   "there is no even money against %s",
									   casino_card_text(up_card).text);
	return true;
}

/*
 * casino_blackjack_may_surrender
 *		May a hand be given up for half of its stake: where the table offers
 *		it, on the first two cards, not with a blackjack, not after a split (D4
 *		Blackjack §19)?
 */
bool
casino_blackjack_may_surrender(const CasinoBlackjackCase *at, const CasinoHand *cards, bool split,
							   bool offered, CasinoError *error)
{
	if (at->rules->surrender == CASINO_SURRENDER_NONE)
		return casino_blackjack_refuse(at, CASINO_BJ_SURRENDER, error,
									   "there is no surrender in this game");
	if (!offered)
		return casino_blackjack_refuse(at, CASINO_BJ_SURRENDER, error,
									   "this table does not offer surrender");
	if (split)
		return casino_blackjack_refuse(at, CASINO_BJ_SURRENDER, error,
									   "a split hand may not be surrendered");
	if (cards->count < 2)
		return casino_blackjack_refuse(at, CASINO_BJ_SURRENDER, error,
									   "a hand is surrendered on two cards, not on %d", cards->count);
	if (cards->count > 2)
		return casino_blackjack_refuse(at, CASINO_BJ_SURRENDER, error,
									   "a hand that drew %s may not be surrendered",
									   casino_card_text(cards->cards[2]).text);
	if (casino_blackjack_is_blackjack(cards))
		return casino_blackjack_refuse(at, CASINO_BJ_SURRENDER, error,
									   "a blackjack may not be surrendered");
	return true;
}
