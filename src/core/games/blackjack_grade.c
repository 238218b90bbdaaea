/*
 * blackjack_grade.c
 *	  Grade of every wager of blackjack.
 */
#include "core/games/blackjack_grade.h"
#include "core/games/blackjack_side.h"

/* the dealer's total that is no win for standing hands (D3 §3), and that wins Push 22 (D3 §6) */
#define PUSH_TOTAL	22

/*
 * was_split
 *		Were the original two cards split?
 */
static bool
was_split(int kind, const CasinoBlackjackWager *wager)
{
	return kind == CASINO_SPLIT_PAIR || kind == CASINO_FREE_SPLIT ||
		(wager->second != NULL && wager->second->count > 0);
}

/*
 * original_card
 *		The player's original first or second card (0, 1): after a split the
 *		first cards of hands 1 and 2 (R3.12).
 */
static CasinoCard
original_card(const CasinoBlackjackWager *wager, int which)
{
	if (which == 1 && wager->second != NULL && wager->second->count > 0)
		return wager->second->cards[0];
	return wager->first->cards[which];
}

/*
 * dealt_blackjack
 *		Was the player dealt a blackjack: ace and ten-value, not split (R3.11)?
 */
static bool
dealt_blackjack(const CasinoBlackjackWager *wager)
{
	return !was_split(CASINO_MAIN, wager) && casino_blackjack_is_blackjack(wager->first);
}

/*
 * hand_is_blackjack
 *		Is the hand that the wager lies on a blackjack?
 */
static bool
hand_is_blackjack(int kind, const CasinoBlackjackWager *wager)
{
	return !was_split(kind, wager) && casino_blackjack_is_blackjack(wager->own);
}

/*
 * is_charlie
 *		Has the hand the number of cards that wins while not over 21 (D4
 *		Infinite Blackjack §16, All Bets Blackjack §14)?
 */
static bool
is_charlie(const CasinoBlackjackWager *wager)
{
	return wager->rules->charlie_cards > 0 && wager->own->count >= wager->rules->charlie_cards &&
		casino_blackjack_total(wager->own) <= CASINO_BLACKJACK_BEST;
}

/*
 * insurance_offered
 *		Was insurance on offer on these cards (D0 HRA, D2 Pojištění, D4
 *		Blackjack §21)?
 */
static bool
insurance_offered(const CasinoBlackjackWager *wager)
{
	return casino_blackjack_is_ace(wager->dealer->cards[0]) &&
		(wager->rules->insurance_own_blackjack || !dealt_blackjack(wager));
}

/*
 * is_ended
 *		Has the play on the hand been paid or taken before the dealer plays:
 *		surrendered, paid even money, over 21?
 */
static bool
is_ended(int kind, const CasinoBlackjackWager *wager)
{
	if (kind == CASINO_MAIN || kind == CASINO_BEHIND)
	{
		if ((wager->flags & CASINO_WAGER_SURRENDERED) != 0)
			return true;
		if ((wager->flags & CASINO_WAGER_EVEN_MONEY) != 0 && hand_is_blackjack(kind, wager))
			return true;
	}
	return casino_blackjack_total(wager->own) > CASINO_BLACKJACK_BEST;
}

/*
 * needs_for_blackjack
 *		What must be known of the dealer by whom only his blackjack can take
 *		the win: nothing more unless he shows an ace or ten.  Where he must
 *		finish his hand then before anything is paid, all of it (D3 §3).
 */
static CasinoDealerNeed
needs_for_blackjack(const CasinoBlackjackWager *wager)
{
	CasinoCard	up_card = wager->dealer->cards[0];

	if (!casino_blackjack_is_ace(up_card) && !casino_blackjack_is_ten(up_card))
		return CASINO_NEEDS_UP_CARD;
	return wager->rules->dealer_completes_on_ace_or_ten ? CASINO_NEEDS_WHOLE_HAND :
		CASINO_NEEDS_TWO_CARDS;
}

/*
 * needs_for_play
 *		How much of the dealer's hand a wager on the hand itself depends on.
 */
static CasinoDealerNeed
needs_for_play(int kind, const CasinoBlackjackWager *wager)
{
	if (is_ended(kind, wager))
		return CASINO_NEEDS_UP_CARD;
	if (is_charlie(wager) && wager->rules->charlie_beats_dealer_blackjack)
		return CASINO_NEEDS_UP_CARD;
	if (is_charlie(wager) || hand_is_blackjack(kind, wager))
		return needs_for_blackjack(wager);
	return CASINO_NEEDS_WHOLE_HAND;
}

/*
 * casino_blackjack_needs_dealer
 *		How much of the dealer's hand the wager depends on.
 */
CasinoDealerNeed
casino_blackjack_needs_dealer(int kind, const CasinoBlackjackWager *wager)
{
	switch (kind)
	{
		case CASINO_MAIN:
		case CASINO_BEHIND:
		case CASINO_DOUBLE_DOWN:
		case CASINO_SPLIT_PAIR:
		case CASINO_FREE_SPLIT:
		case CASINO_FREE_DOUBLE:
			return needs_for_play(kind, wager);
		case CASINO_INSURANCE:
			return insurance_offered(wager) ? CASINO_NEEDS_TWO_CARDS : CASINO_NEEDS_UP_CARD;
		case CASINO_DEALER_PAIR:
			return CASINO_NEEDS_TWO_CARDS;
		case CASINO_BUST_IT:
			return dealt_blackjack(wager) ? CASINO_NEEDS_UP_CARD : CASINO_NEEDS_WHOLE_HAND;
		case CASINO_BUSTER:
		case CASINO_PUSH22:
			return CASINO_NEEDS_WHOLE_HAND;
		default:
			return CASINO_NEEDS_UP_CARD;
	}
}

/*
 * ten_then_ace
 *		Has the dealer a ten-value first and then an ace, by which a doubled
 *		stake comes back (D4 Blackjack §20, R3.15)?
 */
static bool
ten_then_ace(const CasinoHand *dealer)
{
	return dealer->count >= 2 && casino_blackjack_is_ten(dealer->cards[0]) &&
		casino_blackjack_is_ace(dealer->cards[1]);
}

/*
 * grade_against_dealer
 *		Grade of a hand that is neither over 21 nor a Charlie nor a blackjack
 *		against the dealer's whole hand (D0 VÝHERNÍ SESTAVA KARET, D3 §3, D4
 *		Blackjack §20, §27).
 */
static CasinoGrade
grade_against_dealer(const CasinoBlackjackWager *wager)
{
	int			total = casino_blackjack_total(wager->own);
	int			dealer = casino_blackjack_total(wager->dealer);

	if (casino_blackjack_dealer_has_blackjack(wager->dealer))
	{
		bool		returned = wager->rules->doubled_returned_on_ten_ace &&
		(wager->flags & CASINO_WAGER_DOUBLED) != 0 && ten_then_ace(wager->dealer);

		return returned ? CASINO_RETURNED : CASINO_LOSE;
	}
	if (dealer == PUSH_TOTAL && wager->rules->dealer_22 == CASINO_DEALER_22_PUSH)
		return CASINO_PUSH;
	if (dealer > CASINO_BLACKJACK_BEST || total > dealer)
		return CASINO_WIN;
	return total == dealer ? CASINO_PUSH : CASINO_LOSE;
}

/*
 * grade_play
 *		Grade of a wager on the hand itself.  A hand over 21 has lost first of
 *		all; a Charlie comes before the dealer's blackjack where it beats that,
 *		a blackjack before the dealer's 22 (R3.14, R3.16, R3.17).
 */
static CasinoGrade
grade_play(int kind, const CasinoBlackjackWager *wager)
{
	bool		dealer_blackjack = casino_blackjack_dealer_has_blackjack(wager->dealer);

	if (is_ended(kind, wager))
	{
		if (casino_blackjack_total(wager->own) > CASINO_BLACKJACK_BEST)
			return CASINO_LOSE;
		return (wager->flags & CASINO_WAGER_SURRENDERED) != 0 ? CASINO_SURRENDER : CASINO_EVEN_MONEY;
	}
	if (is_charlie(wager))
		return dealer_blackjack && !wager->rules->charlie_beats_dealer_blackjack ?
			CASINO_LOSE : CASINO_CHARLIE;
	if (hand_is_blackjack(kind, wager))
		return dealer_blackjack ? CASINO_PUSH : CASINO_BLACKJACK;
	return grade_against_dealer(wager);
}

/*
 * grade_free
 *		Grade of a free wager: it wins its profit or nothing, so that what gives
 *		others their stake back is a push, and every win is one (D3 §4.1, §5.1).
 */
static CasinoGrade
grade_free(int kind, const CasinoBlackjackWager *wager)
{
	CasinoGrade grade = grade_play(kind, wager);

	switch (grade)
	{
		case CASINO_CHARLIE:
		case CASINO_BLACKJACK:
			return CASINO_WIN;
		case CASINO_RETURNED:
			return CASINO_PUSH;
		default:
			return grade;
	}
}

/*
 * has_cards
 *		Are the cards there that the wager looks at?
 */
static bool
has_cards(int kind, const CasinoBlackjackWager *wager)
{
	bool		second = wager->second != NULL && wager->second->count > 0;

	return wager->dealer->count >= 1 && wager->own->count >= 2 &&
		wager->first->count >= (second ? 1 : 2) &&
		casino_blackjack_dealer_suffices(wager->rules, wager->dealer,
										 casino_blackjack_needs_dealer(kind, wager));
}

/*
 * casino_grade_blackjack
 *		Grade of a wager on checked cards.  CASINO_GRADE_NONE for
 *		a kind that is not blackjack's, and for cards that do not decide it yet.
 */
CasinoGrade
casino_grade_blackjack(int kind, const CasinoBlackjackWager *wager)
{
	const CasinoHand *dealer = wager->dealer;
	CasinoCard	a;
	CasinoCard	b;
	CasinoCard	up_card;

	if (!has_cards(kind, wager))
		return CASINO_GRADE_NONE;

	/* side bets look at the two cards first dealt, which after a split lie on two hands */
	a = original_card(wager, 0);
	b = original_card(wager, 1);
	up_card = dealer->cards[0];

	/* the play of a hand, then what the dealer shows, then side bets */
	switch (kind)
	{
		case CASINO_MAIN:
		case CASINO_BEHIND:
		case CASINO_SPLIT_PAIR:
		case CASINO_DOUBLE_DOWN:
			return grade_play(kind, wager);
		case CASINO_FREE_SPLIT:
		case CASINO_FREE_DOUBLE:
			return grade_free(kind, wager);
		case CASINO_INSURANCE:
			if (!insurance_offered(wager))
				return CASINO_RETURNED;
			return casino_blackjack_dealer_has_blackjack(dealer) ? CASINO_WIN : CASINO_LOSE;
		case CASINO_21_PLUS_3:
			return casino_grade_21_plus_3(a, b, up_card);
		case CASINO_TOP3:
			return casino_grade_top3(a, b, up_card);
		case CASINO_LUCKY_LUCKY:
			return casino_grade_lucky_lucky(a, b, up_card);
		case CASINO_HOT3:
			return casino_grade_hot3(a, b, up_card);
		case CASINO_PLAYER_PAIR:
			return casino_grade_pair(a, b);
		case CASINO_DEALER_PAIR:
			return casino_grade_pair(up_card, dealer->cards[1]);
		case CASINO_BUSTER:
			return casino_grade_buster(casino_blackjack_total(dealer), dealer->count,
									   dealt_blackjack(wager));
		case CASINO_BUST_IT:
			return casino_grade_bust_it(casino_blackjack_total(dealer), dealer->count,
										dealt_blackjack(wager));
		case CASINO_PUSH22:
			return casino_blackjack_total(dealer) == PUSH_TOTAL ? CASINO_WIN : CASINO_LOSE;
		default:
			return CASINO_GRADE_NONE;
	}
}
