/*
 * blackjack_stake.c
 *	  Placing bets in blackjack: who may bet on a box, amounts of doubles,
 *	  splits and insurance.  What the cards allow is blackjack_stake_cards.c.
 *
 * Who else is on the box is read under the box's lock; everything else is the
 * player's own.
 */
#include "games/families.h"

#include "common/int.h"

#include "casino.h"
#include "games/blackjack_desk.h"
#include "games/blackjack_marks.h"
#include "server/refusal.h"

/* KB002: the wager must have one amount */
static void
check_amount(const Wager *wager, int64 amount, int64 expected, const char *what)
{
	if (amount != expected)
		ereport(ERROR,
				(errrefusal(REFUSAL_WRONG_AMOUNT, REFUSED_TEXT("kind", casino_bet_kind_name(wager->bet.kind)),
							REFUSED_MONEY("stake", amount), REFUSED_MONEY("expected", expected)),
				 errmsg("%s must be %s CZK, not %s", casino_bet_kind_name(wager->bet.kind),
						casino_money_cstring(expected), casino_money_cstring(amount)),
				 errdetail_internal("It is to be %s.", what)));
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
 * What may lie on a box together: the maximum of a main bet, that of the table
 * and of the plan (R3.40); a later version of the plan may have a lower one.
 */
static int64
box_maximum(const RoundState *round)
{
	for (int i = 0; i < round->nrules; i++)
		if (round->rules[i].kind == CASINO_MAIN)
			return Min(round->table_max, round->rules[i].max_stake);
	return round->table_max;
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
			(errrefusal(REFUSAL_BOX_LIMIT, REFUSED_INT("seat", seat), REFUSED_MONEY("stake", together),
						REFUSED_MONEY("max", box_maximum(desk->round)),
						REFUSED_MONEY("others", others_staked)),
			 errmsg("%s CZK on box %d are above the maximum of %s CZK", casino_money_cstring(together),
					seat, casino_money_cstring(box_maximum(desk->round))),
			 precedence ?
			 errdetail("The owner of the box has precedence and the others must reduce their stakes: %s "
					   "(%s).",
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
		casino_desk_not_now(wager, REFUSAL_BOX_TAKEN,
							psprintf("Box %d is player " INT64_FORMAT "'s.", wager->seat, desk->box.owner));
	if (desk->rules.bets_per_box > 0 && others >= desk->rules.bets_per_box)
		casino_desk_not_with(wager, REFUSAL_BOX_FULL, "players", others,
							 psprintf("Box %d has %d players, as many as may bet on it.", wager->seat,
									  others));
	if (desk->rules.box_limit != CASINO_BOX_LIMIT_TOGETHER)
		return;
	if (pg_add_s64_overflow(others_staked, casino_desk_own_sum(desk, CASINO_MAIN, wager->seat, 0), &together))
		together = PG_INT64_MAX;
	if (together > box_maximum(desk->round))
		above_box_maximum(desk, wager->seat, together, others_staked);
}

/* KB004, KB005: a bet behind another player's main bet (D4 Blackjack §15). */
static void
check_behind(const Desk *desk, const Wager *wager)
{
	int64		staked;

	if (!desk->round->behind)
		ereport(ERROR,
				(errrefusal(REFUSAL_NOT_OFFERED, REFUSED_TEXT("kind", "behind"),
							REFUSED_TEXT("table", desk->round->table_name)),
				 errmsg("table \"%s\" does not offer behind", desk->round->table_name),
				 errdetail("It was set up without that option.")));
	if (casino_desk_own_sum(desk, CASINO_MAIN, wager->seat, 0) > 0)
		casino_desk_not_now(wager, REFUSAL_OWN_BOX, psprintf("Box %d is the player's own.", wager->seat));
	if (others_on_box(desk, &staked) == 0)
		casino_desk_not_now(wager, REFUSAL_EMPTY_BOX, psprintf("Nobody has a main bet on box %d.",
															   wager->seat));
}

/* KB005: who follows a box can do only what its owner has done (R3.38, R3.39). */
static void
check_follows(const Desk *desk, const Wager *wager)
{
	const BlackjackBox *box = &desk->box;
	bool		splits = wager->bet.kind == CASINO_SPLIT_PAIR || wager->bet.kind == CASINO_FREE_SPLIT;

	if (!desk->round->seated || box->owner == desk->player->player_id)
		return;
	/* a bet behind copies the owner in the owner's call, and decides nothing (R3.75) */
	if (!wager->follows && casino_desk_own_sum(desk, CASINO_BEHIND, wager->seat, 0) > 0)
		casino_desk_not_now(wager, REFUSAL_BEHIND_DECIDES,
							psprintf("The owner of box %d decides for the bets behind.", wager->seat));
	for (int i = 0; i < box->n; i++)
	{
		int			kind = box->wagers[i].bet.kind;

		if (box->players[i] != box->owner ||
			casino_desk_hand_of(&box->wagers[i]) != casino_desk_hand_of(wager))
			continue;
		if (splits ? (kind == CASINO_SPLIT_PAIR || kind == CASINO_FREE_SPLIT) :
			(kind == CASINO_DOUBLE_DOWN || kind == CASINO_FREE_DOUBLE))
			return;
	}
	casino_desk_not_now(wager, REFUSAL_OWNER_HAS_NOT,
						psprintf("The owner of box %d has not done so on hand %d.", wager->seat,
								 casino_desk_hand_of(wager)));
}

/* KB002, KB005: a double equals the stake of its hand, once (R3.54). */
static void
check_double(const Desk *desk, const Wager *wager)
{
	int			hand = casino_desk_hand_of(wager);
	int64		doubled = casino_desk_own_sum(desk, CASINO_DOUBLE_DOWN, wager->seat, hand);
	int64		doubled_free = casino_desk_own_sum(desk, CASINO_FREE_DOUBLE, wager->seat, hand);

	if (casino_desk_original_stake(desk, wager->seat) == 0)
		casino_desk_not_now(wager, REFUSAL_NO_STAKE, "The player has no stake on the box.");
	if (!casino_desk_has_hand(desk, wager->seat, hand))
		casino_desk_not_now(wager, REFUSAL_NO_STAKE, psprintf("The player has no stake on hand %d.", hand));
	if ((doubled > 0 && doubled_free > 0) || doubled + doubled_free > wager->bet.stake)
		casino_desk_not_now(wager, REFUSAL_ALREADY_DOUBLED, psprintf("Hand %d has been doubled.", hand));
	if ((hand > 1 || casino_desk_highest_hand(desk, wager) > 1) && !desk->rules.double_after_split)
		casino_desk_not_now(wager, REFUSAL_NO_DOUBLE_AFTER_SPLIT, "A hand of a split may not be doubled.");
	check_amount(wager, wager->bet.stake, casino_desk_original_stake(desk, wager->seat),
				 "the stake of the hand");
	check_follows(desk, wager);
}

/*
 * KB005: a doubled hand gets its one card and is not split (D0 HRA, D1, D2, D3
 * section 5, D4 Blackjack section 20).  Who follows may send his stakes in
 * another order than the owner played.
 */
static void
check_undoubled(const Desk *desk, const Wager *wager)
{
	if (!casino_desk_decides(desk))
		return;
	for (int hand = 1; hand < wager->hand; hand++)
		if (!casino_desk_has_doubled(desk, wager->seat, hand))
			return;
	casino_desk_not_now(wager, REFUSAL_ALREADY_DOUBLED,
						wager->hand > 2 ? "Every hand of the box has been doubled." :
						"The hand has been doubled.");
}

/* KB002, KB005: a split equals the original stake and opens the next hand. */
static void
check_split(const Desk *desk, const Wager *wager)
{
	int			next = casino_desk_highest_hand(desk, wager) + 1;

	if (casino_desk_original_stake(desk, wager->seat) == 0)
		casino_desk_not_now(wager, REFUSAL_NO_STAKE, "The player has no stake on the box.");
	if (wager->hand != next && desk->box.owner == desk->player->player_id)
		casino_desk_not_with(wager, REFUSAL_OTHER_HAND, "next", next,
							 psprintf("The next hand of the box is number %d.", next));
	if (wager->hand < 2 || (!desk->round->seated && wager->hand != next))
		casino_desk_not_with(wager, REFUSAL_OTHER_HAND, "next", next,
							 psprintf("The next hand is number %d.", next));
	if (casino_desk_own_sum(desk, CASINO_SPLIT_PAIR, wager->seat, wager->hand) +
		casino_desk_own_sum(desk, CASINO_FREE_SPLIT, wager->seat, wager->hand) != wager->bet.stake)
		casino_desk_not_now(wager, REFUSAL_ALREADY_SPLIT, psprintf("Hand %d has its stake.", wager->hand));
	if (wager->hand > desk->rules.max_hands)
		casino_desk_not_with(wager, REFUSAL_TOO_MANY_HANDS, "max", desk->rules.max_hands,
							 psprintf("A box may be split into %d hands.", desk->rules.max_hands));
	check_undoubled(desk, wager);
	/* who follows may split after he doubled the hand that both keep */
	for (int hand = 1; hand < wager->hand; hand++)
		if (casino_desk_own_sum(desk, CASINO_FREE_DOUBLE, wager->seat, hand) > 0 &&
			!casino_desk_no_paid_split(desk, wager->seat, hand))
			casino_desk_not_now(wager, REFUSAL_ALREADY_DOUBLED,
								psprintf("Hand %d has been doubled free of charge, "
										 "which no hand is after a split that was paid.", hand));
	check_amount(wager, wager->bet.stake, casino_desk_original_stake(desk, wager->seat),
				 "the original stake");
	check_follows(desk, wager);
}

/* KB002: the amount of the insurance, by each game's rule. */
static void
check_insurance(const Desk *desk, const Wager *wager)
{
	int64		staked = casino_desk_own_sum(desk, CASINO_MAIN, wager->seat, 0);
	int64		insured = casino_desk_own_sum(desk, CASINO_INSURANCE, wager->seat, 0);

	if (desk->rules.insurance == CASINO_INSURANCE_HALF)
	{
		check_amount(wager, insured, staked / 2, "half of the original stake, rounded down");
		return;
	}
	if (desk->rules.insurance_on_added_stakes)
		staked += casino_desk_own_sum(desk, CASINO_DOUBLE_DOWN, wager->seat, 0) +
			casino_desk_own_sum(desk, CASINO_SPLIT_PAIR, wager->seat, 0);
	if (insured > staked / 2)
		ereport(ERROR,
				(errrefusal(REFUSAL_INSURANCE_ABOVE_HALF, REFUSED_PLACE("seat", wager->seat),
							REFUSED_MONEY("stake", insured), REFUSED_MONEY("max", staked / 2)),
				 errmsg("insurance of %s CZK is above half of the stakes of %s CZK",
						casino_money_cstring(insured), casino_money_cstring(staked)),
				 errdetail("At most %s CZK insure box %d.", casino_money_cstring(staked / 2), wager->seat)));
	/* D3 §7: at least half the table minimum, in multiples of it */
	if (desk->rules.insurance == CASINO_INSURANCE_MULTIPLE_OF_HALF_MINIMUM &&
		(insured * 2) % desk->round->table_min != 0)
		ereport(ERROR,
				(errrefusal(REFUSAL_INSURANCE_STEP, REFUSED_PLACE("seat", wager->seat),
							REFUSED_MONEY("stake", insured),
							REFUSED_MONEY("table_min", desk->round->table_min)),
				 errmsg("insurance of %s CZK is not a multiple of half the table minimum of %s CZK",
						casino_money_cstring(insured), casino_money_cstring(desk->round->table_min)),
				 errdetail("It is staked in steps of half the minimum (D3 §7).")));
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

/*
 * 22023: a hand that the game does not have. One more than it has is a split too many, no wrong number
 * (KB005).
 */
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
	casino_desk_check_cards(desk, wager);
}

/* See FamilyRules.check_stakes. */
void
casino_blackjack_check_stakes(const RoundState *round, const PlayerState *player, const Wager *placed,
							  int nplaced,
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
