/*
 * blackjack_stake.c
 *	  Placing bets in blackjack: who may bet on a box, amounts of doubles,
 *	  splits and insurance, and what the cards on the table allow.
 *
 * Who else is on the box is read under the box's lock; everything else is the
 * player's own.
 */
#include "games/families.h"

#include "catalog/pg_type.h"
#include "common/int.h"
#include "utils/array.h"

#include "casino.h"
#include "core/blackjack_dealer.h"
#include "core/blackjack_options.h"
#include "games/blackjack_box.h"
#include "games/blackjack_marks.h"
#include "games/blackjack_table.h"
#include "state/player.h"
#include "state/round.h"
#include "state/wagers.h"

/* Everything a check looks at. */
typedef struct Desk
{
	const RoundState *round;
	const PlayerState *player;
	const Wager *placed;
	int			nplaced;
	const Wager *added;
	int			nadded;
	CasinoBlackjackRules rules;
	CasinoBlackjackSources sources;
	BlackjackBox box;			/* of seated games */
	const BlackjackTable *table;	/* cards on the table, NULL when none were dealt */
} Desk;

/* KB005 with its reason */
static void
not_now(const Wager *wager, const char *reason)
{
	ereport(ERROR,
			(errcode(CASINO_ERRCODE_BET_NOT_ALLOWED_NOW),
			 errmsg("%s is not allowed now", casino_bet_kind_name(wager->bet.kind)),
			 errdetail_internal("%s", reason)));
}

/* KB002: the wager must have one amount */
static void
check_amount(const Wager *wager, int64 amount, int64 expected, const char *what)
{
	if (amount != expected)
		ereport(ERROR,
				(errcode(CASINO_ERRCODE_STAKE_OUT_OF_LIMITS),
				 errmsg("%s must be %s CZK, not %s", casino_bet_kind_name(wager->bet.kind),
						casino_money_cstring(expected), casino_money_cstring(amount)),
				 errdetail_internal("It is to be %s.", what)));
}

/* Hand of a wager; without a number it is the first. */
static int
hand_of(const Wager *wager)
{
	return Max(wager->hand, 1);
}

/* haléře of a kind on a seat and hand (0: any) among these */
static int64
sum_of(const Wager *wagers, int n, int kind, int seat, int hand)
{
	int64		sum = 0;

	for (int i = 0; i < n; i++)
		if (wagers[i].bet.kind == kind && wagers[i].seat == seat &&
			(hand == 0 || hand_of(&wagers[i]) == hand) &&
			pg_add_s64_overflow(sum, wagers[i].bet.stake, &sum))
			return PG_INT64_MAX;
	return sum;
}

/* The same among all of the player's wagers, placed and added. */
static int64
own_sum(const Desk *desk, int kind, int seat, int hand)
{
	int64		placed = sum_of(desk->placed, desk->nplaced, kind, seat, hand);
	int64		sum;

	if (pg_add_s64_overflow(placed, sum_of(desk->added, desk->nadded, kind, seat, hand), &sum))
		return PG_INT64_MAX;
	return sum;
}

/* Has the player split hand "hand" off, paid or free? */
static bool
has_hand(const Desk *desk, int seat, int hand)
{
	return hand == 1 || own_sum(desk, CASINO_SPLIT_PAIR, seat, hand) > 0 ||
		own_sum(desk, CASINO_FREE_SPLIT, seat, hand) > 0;
}

/*
 * Did hand "hand" of the player come of a free split, or may a later one that did have been split from it?  Or has he
 * not split it at all: who did not follow the owner's split plays it as if it were whole (R3.34).
 */
static bool
no_paid_split(const Desk *desk, int seat, int hand)
{
	bool		paid = false;

	for (int i = hand; i <= MARK_HANDS; i++)
	{
		if (own_sum(desk, CASINO_FREE_SPLIT, seat, i) > 0)
			return true;
		if (own_sum(desk, CASINO_SPLIT_PAIR, seat, i) > 0)
			paid = true;
	}
	return !paid;
}

/* Original stake of the player on the seat: his main bet, or his bet behind. */
static int64
original_stake(const Desk *desk, int seat)
{
	int64		stake = own_sum(desk, CASINO_MAIN, seat, 0);

	return stake > 0 ? stake : own_sum(desk, CASINO_BEHIND, seat, 0);
}

/* Number of other players with a main bet on the box, and their haléře. */
static int
others_on_box(const Desk *desk, int64 *staked)
{
	const BlackjackBox *box = &desk->box;
	int			others = 0;

	*staked = 0;
	for (int i = 0; i < box->n; i++)
	{
		bool		seen = false;

		if (box->players[i] == desk->player->player_id || box->wagers[i].bet.kind != CASINO_MAIN)
			continue;
		if (pg_add_s64_overflow(*staked, box->wagers[i].bet.stake, staked))
			*staked = PG_INT64_MAX;
		for (int k = 0; k < i && !seen; k++)
			seen = box->players[k] == box->players[i] && box->wagers[k].bet.kind == CASINO_MAIN;
		if (!seen)
			others++;
	}
	return others;
}

/* Whose stakes lie on the box beside the player's: "player 2 300.00 CZK, player 3 200.00 CZK" */
static char *
others_cstring(const BlackjackBox *box, int64 player_id)
{
	StringInfoData text;
	int			n;
	int64	   *players = casino_blackjack_box_players(box, &n);

	initStringInfo(&text);
	for (int i = 0; i < n; i++)
	{
		int64		staked = 0;

		if (players[i] == player_id)
			continue;
		for (int k = 0; k < box->n; k++)
			if (box->players[k] == players[i] && box->wagers[k].bet.kind == CASINO_MAIN)
				staked += box->wagers[k].bet.stake;
		appendStringInfo(&text, "%splayer " INT64_FORMAT " %s CZK", text.len > 0 ? ", " : "", players[i],
						 casino_money_cstring(staked));
	}
	return text.data;
}

/*
 * KB002: all players of a box have one maximum together.  Where its owner has
 * precedence, the table must know whom to ask for room (R3.35).
 */
static void
above_box_maximum(const Desk *desk, int seat, int64 together, int64 others_staked)
{
	bool		precedence = desk->rules.owner_precedence && others_staked > 0 &&
	desk->box.owner == desk->player->player_id;

	ereport(ERROR,
			(errcode(CASINO_ERRCODE_STAKE_OUT_OF_LIMITS),
			 errmsg("%s CZK on box %d are above the maximum of %s CZK", casino_money_cstring(together),
					seat, casino_money_cstring(desk->round->table_max)),
			 precedence ?
			 errdetail("The owner of the box has precedence and the others must reduce their stakes: %s (%s).",
					   others_cstring(&desk->box, desk->player->player_id),
					   desk->sources.paragraph[CASINO_BJ_OWNER_PRECEDENCE]) :
			 errdetail("The maximum is that of all players of the box together; others have staked %s CZK.",
					   casino_money_cstring(others_staked)),
			 precedence ? errhint("casino.cancel_bet() takes bets of theirs back; then the owner can raise.") : 0));
}

/* KB002, KB005: a main bet on a box where others may be. */
static void
check_main(const Desk *desk, const Wager *wager)
{
	int64		others_staked;
	int			others;
	int64		together;

	if (!desk->round->seated)
		return;
	others = others_on_box(desk, &others_staked);
	if (desk->rules.box_limit == CASINO_BOX_LIMIT_OWNER && others > 0)
		not_now(wager, psprintf("Box %d is player " INT64_FORMAT "'s.", wager->seat, desk->box.owner));
	if (desk->rules.bets_per_box > 0 && others >= desk->rules.bets_per_box)
		not_now(wager, psprintf("Box %d has %d players, as many as may bet on it.", wager->seat, others));
	if (desk->rules.box_limit != CASINO_BOX_LIMIT_TOGETHER)
		return;
	if (pg_add_s64_overflow(others_staked, own_sum(desk, CASINO_MAIN, wager->seat, 0), &together))
		together = PG_INT64_MAX;
	if (together > desk->round->table_max)
		above_box_maximum(desk, wager->seat, together, others_staked);
}

/* KB004, KB005: a bet behind another player's main bet (D4 Blackjack §15). */
static void
check_behind(const Desk *desk, const Wager *wager)
{
	int64		staked;

	if (!desk->round->behind)
		ereport(ERROR,
				(errcode(CASINO_ERRCODE_BET_NOT_OFFERED),
				 errmsg("table \"%s\" does not offer behind", desk->round->table_name),
				 errdetail("It was set up without that option.")));
	if (own_sum(desk, CASINO_MAIN, wager->seat, 0) > 0)
		not_now(wager, psprintf("Box %d is the player's own.", wager->seat));
	if (others_on_box(desk, &staked) == 0)
		not_now(wager, psprintf("Nobody has a main bet on box %d.", wager->seat));
}

/* KB005: who follows a box can do only what its owner has done (R3.38, R3.39). */
static void
check_follows(const Desk *desk, const Wager *wager)
{
	const BlackjackBox *box = &desk->box;
	bool		splits = wager->bet.kind == CASINO_SPLIT_PAIR || wager->bet.kind == CASINO_FREE_SPLIT;

	if (!desk->round->seated || box->owner == desk->player->player_id)
		return;
	for (int i = 0; i < box->n; i++)
	{
		int			kind = box->wagers[i].bet.kind;

		if (box->players[i] != box->owner || hand_of(&box->wagers[i]) != hand_of(wager))
			continue;
		if (splits ? (kind == CASINO_SPLIT_PAIR || kind == CASINO_FREE_SPLIT) :
			(kind == CASINO_DOUBLE_DOWN || kind == CASINO_FREE_DOUBLE))
			return;
	}
	not_now(wager, psprintf("The owner of box %d has not done so on hand %d.", wager->seat, hand_of(wager)));
}

/* Highest number of a hand the player has on the seat, the wager itself apart. */
static int
highest_hand(const Desk *desk, const Wager *wager)
{
	int			highest = 1;

	for (int i = 0; i < desk->nplaced + desk->nadded; i++)
	{
		const Wager *w = i < desk->nplaced ? &desk->placed[i] : &desk->added[i - desk->nplaced];

		if (w != wager && w->seat == wager->seat &&
			(w->bet.kind == CASINO_SPLIT_PAIR || w->bet.kind == CASINO_FREE_SPLIT))
			highest = Max(highest, hand_of(w));
	}
	return highest;
}

/* KB002, KB005: a double equals the stake of its hand, once (R3.54). */
static void
check_double(const Desk *desk, const Wager *wager)
{
	int			hand = hand_of(wager);
	int64		doubled = own_sum(desk, CASINO_DOUBLE_DOWN, wager->seat, hand);
	int64		doubled_free = own_sum(desk, CASINO_FREE_DOUBLE, wager->seat, hand);

	if (original_stake(desk, wager->seat) == 0)
		not_now(wager, "The player has no stake on the box.");
	if (!has_hand(desk, wager->seat, hand))
		not_now(wager, psprintf("The player has no stake on hand %d.", hand));
	if ((doubled > 0 && doubled_free > 0) || doubled + doubled_free > wager->bet.stake)
		not_now(wager, psprintf("Hand %d has been doubled.", hand));
	if ((hand > 1 || highest_hand(desk, wager) > 1) && !desk->rules.double_after_split)
		not_now(wager, "A hand of a split may not be doubled.");
	check_amount(wager, wager->bet.stake, original_stake(desk, wager->seat), "the stake of the hand");
	check_follows(desk, wager);
}

/* Does the player decide on the seat, rather than follow its owner? */
static bool
decides(const Desk *desk)
{
	return !desk->round->seated || desk->box.owner == desk->player->player_id;
}

/* Has the player doubled hand "hand", paid or free? */
static bool
has_doubled(const Desk *desk, int seat, int hand)
{
	return own_sum(desk, CASINO_DOUBLE_DOWN, seat, hand) > 0 ||
		own_sum(desk, CASINO_FREE_DOUBLE, seat, hand) > 0;
}

/*
 * KB005: a doubled hand gets its one card and is not split (D0 HRA, D1, D2, D3
 * section 5, D4 Blackjack section 20).  Who follows may send his stakes in
 * another order than the owner played.
 */
static void
check_undoubled(const Desk *desk, const Wager *wager)
{
	if (!decides(desk))
		return;
	for (int hand = 1; hand < wager->hand; hand++)
		if (!has_doubled(desk, wager->seat, hand))
			return;
	not_now(wager, wager->hand > 2 ? "Every hand of the box has been doubled." : "The hand has been doubled.");
}

/* KB002, KB005: a split equals the original stake and opens the next hand. */
static void
check_split(const Desk *desk, const Wager *wager)
{
	int			next = highest_hand(desk, wager) + 1;

	if (original_stake(desk, wager->seat) == 0)
		not_now(wager, "The player has no stake on the box.");
	if (wager->hand != next && desk->box.owner == desk->player->player_id)
		not_now(wager, psprintf("The next hand of the box is number %d.", next));
	if (wager->hand < 2 || (!desk->round->seated && wager->hand != next))
		not_now(wager, psprintf("The next hand is number %d.", next));
	if (own_sum(desk, CASINO_SPLIT_PAIR, wager->seat, wager->hand) +
		own_sum(desk, CASINO_FREE_SPLIT, wager->seat, wager->hand) != wager->bet.stake)
		not_now(wager, psprintf("Hand %d has its stake.", wager->hand));
	if (wager->hand > desk->rules.max_hands)
		not_now(wager, psprintf("A box may be split into %d hands.", desk->rules.max_hands));
	check_undoubled(desk, wager);
	/* who follows may split after he doubled the hand that both keep */
	for (int hand = 1; hand < wager->hand; hand++)
		if (own_sum(desk, CASINO_FREE_DOUBLE, wager->seat, hand) > 0 && !no_paid_split(desk, wager->seat, hand))
			not_now(wager, psprintf("Hand %d has been doubled free of charge, which no hand is after a split that was paid.", hand));
	check_amount(wager, wager->bet.stake, original_stake(desk, wager->seat), "the original stake");
	check_follows(desk, wager);
}

/* KB002: the amount of the insurance, by each game's rule. */
static void
check_insurance(const Desk *desk, const Wager *wager)
{
	int64		staked = own_sum(desk, CASINO_MAIN, wager->seat, 0);
	int64		insured = own_sum(desk, CASINO_INSURANCE, wager->seat, 0);

	if (desk->rules.insurance == CASINO_INSURANCE_HALF)
	{
		check_amount(wager, insured, staked / 2, "half of the original stake, rounded down");
		return;
	}
	if (desk->rules.insurance_on_added_stakes)
		staked += own_sum(desk, CASINO_DOUBLE_DOWN, wager->seat, 0) +
			own_sum(desk, CASINO_SPLIT_PAIR, wager->seat, 0);
	if (insured > staked / 2)
		ereport(ERROR,
				(errcode(CASINO_ERRCODE_STAKE_OUT_OF_LIMITS),
				 errmsg("insurance of %s CZK is above half of the stakes of %s CZK",
						casino_money_cstring(insured), casino_money_cstring(staked)),
				 errdetail("At most %s CZK insure box %d.", casino_money_cstring(staked / 2), wager->seat)));
	/* D3 §7: at least half the table minimum, in multiples of it */
	if (desk->rules.insurance == CASINO_INSURANCE_MULTIPLE_OF_HALF_MINIMUM &&
		(insured * 2) % desk->round->table_min != 0)
		ereport(ERROR,
				(errcode(CASINO_ERRCODE_STAKE_OUT_OF_LIMITS),
				 errmsg("insurance of %s CZK is not a multiple of half the table minimum of %s CZK",
						casino_money_cstring(insured), casino_money_cstring(desk->round->table_min)),
				 errdetail("It is staked in steps of half the minimum (D3 §7).")));
}

/* KB005 with what the core says of the cards */
static void
refuse_cards(const Wager *wager, const CasinoError *error)
{
	not_now(wager, error->detail);
}

/*
 * KB005: the dealer has shown what he has, or the hand has been given up or
 * paid: who stakes now knows how it ends (R3.42).  A hole card lies face down, so that
 * two cards say so only where there is none, or when they are a blackjack;
 * insurance is a bet on the second card itself.
 */
static void
check_undecided(const Desk *desk, const BlackjackGroup *group, const Wager *wager)
{
	const CasinoHand *dealer = &desk->table->dealer;
	int			unseen = desk->rules.hole_card && wager->bet.kind != CASINO_INSURANCE &&
	!casino_blackjack_dealer_has_blackjack(dealer) ? 2 : 1;

	if (dealer->count > unseen)
		not_now(wager, psprintf("The dealer has %d cards.", dealer->count));
	for (int i = 0; group != NULL && i < group->nhands; i++)
	{
		const BlackjackHand *hand = &group->hands[i];
		bool		paid = hand->even_money;

		for (int p = 0; p < hand->neven; p++)
			paid = paid || hand->even[p] == desk->player->player_id;
		if (hand->surrendered)
			not_now(wager, "The hand was surrendered.");
		if (paid)
			not_now(wager, "The player took even money.");
	}
}

/*
 * Hands of two cards that may be split from each other, are not doubled and are not the wager's: the splits that wait
 * for their cards can be of these (R3.45).  None for a wager on a hand whose cards do not lie apart yet.
 */
static int
pairs_beside(const Desk *desk, const BlackjackGroup *group, const Wager *wager)
{
	int			pairs = 0;

	if (hand_of(wager) > group->nhands)
		return 0;
	for (int i = 0; i < group->nhands; i++)
	{
		const CasinoHand *cards = &group->hands[i].cards;

		if (i + 1 != hand_of(wager) && cards->count == 2 && !has_doubled(desk, wager->seat, i + 1) &&
			casino_blackjack_is_pair(&desk->rules, cards->cards[0], cards->cards[1]))
			pairs++;
	}
	return pairs;
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
	if (!(wager->bet.kind == CASINO_SPLIT_PAIR ?
		  casino_blackjack_may_split(at, first->cards[0], new->cards[0], wager->hand - 1, &error) :
		  casino_blackjack_may_split_free(at, first->cards[0], new->cards[0], wager->hand - 1, &error)))
		refuse_cards(wager, &error);
}

/* KB005: what the cards on the table do not allow (R3.51). */
static void
check_cards(const Desk *desk, const Wager *wager)
{
	const BlackjackTable *table = desk->table;
	const BlackjackGroup *group;
	CasinoBlackjackCase at = {.rules = &desk->rules,
		.sources = &desk->sources,
		.seat = wager->seat,
	.hand = hand_of(wager)};
	CasinoError error = {0};
	bool		split;
	int			waiting;		/* splits staked whose cards do not lie apart yet */

	/* nothing was dealt that could forbid anything */
	if (table == NULL)
		return;
	group = casino_blackjack_group_of(table, wager->seat, desk->player->player_id);
	check_undecided(desk, group, wager);
	if (group == NULL)
		return;

	/* a split is staked before its cards are dealt: until then one hand stands for two */
	split = group->nhands > 1;
	waiting = decides(desk) ? Max(highest_hand(desk, wager) - group->nhands, 0) : 0;
	if (waiting > 0 && (wager->bet.kind == CASINO_DOUBLE_DOWN || wager->bet.kind == CASINO_FREE_DOUBLE) &&
		pairs_beside(desk, group, wager) < waiting)
		not_now(wager, "The pair was split, and a hand is doubled on two cards, not on one.");

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
												  no_paid_split(desk, wager->seat, at.hand),
												  &error))
				refuse_cards(wager, &error);
			break;
		case CASINO_SPLIT_PAIR:
		case CASINO_FREE_SPLIT:

			/*
			 * the cards of the new hand may lie apart already; else some hand that was not doubled must be a
			 * pair
			 */
			if (wager->hand <= group->nhands)
			{
				check_split_apart(&at, group, wager);
				break;
			}
			at.hand = 0;
			for (int i = 0, pairs = 0; i < group->nhands; i++)
			{
				const CasinoHand *cards = &group->hands[i].cards;

				if (cards->count == 2 && !(decides(desk) && has_doubled(desk, wager->seat, i + 1)) &&
					(wager->bet.kind == CASINO_SPLIT_PAIR
					 ? casino_blackjack_may_split(&at, cards->cards[0], cards->cards[1],
												  group->nhands + waiting, &error)
					 : casino_blackjack_may_split_free(&at, cards->cards[0], cards->cards[1],
													   group->nhands + waiting, &error)) &&
					pairs++ == waiting)
					return;
			}
			not_now(wager, error.code != CASINO_OK ? error.detail : "No hand of the box has two cards that may be split.");
			break;
		case CASINO_INSURANCE:

			/*
			 * D0 HRA, D3 §7, D4 Blackjack §11: offered on the first two cards; D3 adds to it for a double
			 * or split (R3.25, R3.27)
			 */
			if (!split && group->hands[0].cards.count > 2 && !has_doubled(desk, wager->seat, 1))
				not_now(wager, "The hand has its third card; insurance is taken on the first two.");
			if (table->dealer.count > 0 &&
				!casino_blackjack_may_insure(&at, table->dealer.cards[0],
											 !split && casino_blackjack_is_blackjack(&group->hands[0].cards),
											 &error))
				refuse_cards(wager, &error);
			break;
		default:
			break;
	}
}

/*
 * See FamilyRules.hands.  Hands that arose from a split have a number above one; main bets, bets behind,
 * insurance and side bets lie on the box (R11.4).
 */
int
casino_blackjack_hands(int kind)
{
	switch (kind)
	{
		case CASINO_DOUBLE_DOWN:
		case CASINO_FREE_DOUBLE:
		case CASINO_SPLIT_PAIR:
		case CASINO_FREE_SPLIT:
			return MARK_HANDS;
		default:
			return 1;
	}
}

/* 22023: a hand that the game does not have.  One more than it has is a split too many, no wrong number (KB005). */
static void
check_hand(const Desk *desk, const Wager *wager)
{
	bool		splits = wager->bet.kind == CASINO_SPLIT_PAIR || wager->bet.kind == CASINO_FREE_SPLIT;

	if (wager->hand > desk->rules.max_hands + (splits ? 1 : 0))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s has hands 1 to %d", desk->round->game, desk->rules.max_hands),
				 errdetail("Hand %d was given.", wager->hand)));
}

/* All rules of one new wager. */
static void
check_wager(const Desk *desk, const Wager *wager)
{
	check_hand(desk, wager);
	switch (wager->bet.kind)
	{
		case CASINO_MAIN:
			check_main(desk, wager);
			break;
		case CASINO_BEHIND:
			check_behind(desk, wager);
			break;
		case CASINO_DOUBLE_DOWN:
		case CASINO_FREE_DOUBLE:
			check_double(desk, wager);
			break;
		case CASINO_SPLIT_PAIR:
		case CASINO_FREE_SPLIT:
			check_split(desk, wager);
			break;
		case CASINO_INSURANCE:
			check_insurance(desk, wager);
			break;
		default:
			break;
	}
	check_cards(desk, wager);
}

/* See FamilyRules.check_stakes. */
void
casino_blackjack_check_stakes(const RoundState *round, const PlayerState *player, const Wager *placed, int nplaced,
							  const Wager *added, int nadded)
{
	Desk		desk = {
		.round = round, .player = player, .placed = placed, .nplaced = nplaced,
		.added = added, .nadded = nadded
	};

	casino_blackjack_plan_load(round->plan_id, &desk.rules, &desk.sources);
	if (round->seated)
		casino_blackjack_box_load(round, &desk.rules, added[0].seat, &desk.box);
	if (round->status == ROUND_CLOSED)
		desk.table = casino_blackjack_table_load(round->round_id);
	for (int i = 0; i < nadded; i++)
		check_wager(&desk, &added[i]);
}
