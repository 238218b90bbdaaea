/*
 * stake_rules.c
 *	  May these wagers be placed?  KB001 to KB005.
 *
 * A position is one player's kind and selection on one seat and hand; it has
 * one minimum and one maximum, however many chips lie on it (R11.1).
 * Wagers sent together are judged together.
 */
#include "postgres.h"

#include "common/int.h"

#include "casino.h"
#include "core/layout.h"
#include "games/families.h"
#include "ledger/payable.h"
#include "ledger/stake_rules.h"
#include "server/refusal.h"
#include "state/player.h"
#include "state/round.h"
#include "state/wagers.h"

/* Rule of a kind, NULL when the plan does not offer it. */
static const BetRule *
rule_of(const RoundState *round, int kind)
{
	for (int i = 0; i < round->nrules; i++)
		if (round->rules[i].kind == kind)
			return &round->rules[i];
	return NULL;
}

/* Text of a bet for messages, palloc'ed. */
static char *
bet_cstring(const CasinoBet *bet)
{
	char	   *text = palloc(CASINO_BET_TEXT_SIZE);

	casino_bet_print(bet, text);
	return text;
}

/* The bet's position, "split:17-20", palloc'ed. */
static char *
position_cstring(const CasinoBet *bet)
{
	char	   *text = bet_cstring(bet);

	*strchr(text, '@') = '\0';
	return text;
}

/* Do both lie on one position of the player? */
static bool
same_position(const Wager *a, const Wager *b)
{
	/* a wager without a hand lies on the first */
	return a->seat == b->seat && Max(a->hand, 1) == Max(b->hand, 1) &&
		casino_bet_same_position(&a->bet, &b->bet);
}

/* of a player whom the wallet alone bounds */
#define ANY_CHIPS	PG_INT64_MAX

/* a + b, or the largest amount: sums are only compared with limits. */
static int64
add_saturating(int64 a, int64 b)
{
	int64		sum;

	return pg_add_s64_overflow(a, b, &sum) ? PG_INT64_MAX : sum;
}

/* Table maximum of a position of the kind by the numbers it covers (R4.4), in haléře. */
static int64
covered_max(const RoundState *round, int kind)
{
	int64		max;

	if (pg_mul_s64_overflow(round->table_max, casino_bet_kind_covers(kind), &max))
		return PG_INT64_MAX;
	return max;
}

/* What the table alone allows on a position: its own limits of the kind, else those of its principal bet. */
static PositionLimits
table_limits(const RoundState *round, const BetRule *rule)
{
	PositionLimits limits = {rule->table_min, rule->table_max, LIMIT_OF_KIND, LIMIT_OF_KIND};
	bool		follows = rule->table_limits != TABLE_LIMITS_NONE;
	bool		plan_has_max = rule->max_stake != PG_INT64_MAX;
	bool		has_max = rule->table_max != PG_INT64_MAX;
	int64		covered;

	if (follows && limits.min == 0)
	{
		limits.min = round->table_min;
		limits.min_from = LIMIT_OF_TABLE;
	}
	switch (rule->table_limits)
	{
		case TABLE_LIMITS_PRINCIPAL:
			if (has_max)
				return limits;
			limits.max = round->table_max;
			limits.max_from = LIMIT_OF_TABLE;
			return limits;
		case TABLE_LIMITS_COVERED:
			/* the table's own maximum can only lower what follows from the straight's */
			if (has_max && !plan_has_max)
				return limits;
			break;
		case TABLE_LIMITS_MINIMUM:
			if (has_max || plan_has_max)
				return limits;
			break;
		default:
			/* a side bet that neither limits: the amount of what is staked in play follows from the stakes */
			if (rule->phase != PHASE_BETTING || has_max || plan_has_max)
				return limits;
			limits.max = round->table_max;
			limits.max_from = LIMIT_OF_TABLE;
			return limits;
	}
	covered = covered_max(round, rule->kind);
	if (covered < limits.max)
	{
		limits.max = covered;
		limits.max_from = casino_bet_kind_covers(rule->kind) == 1 ? LIMIT_OF_TABLE : LIMIT_OF_STRAIGHT;
	}
	return limits;
}

/*
 * The plan's limits always hold; the table's are within them.  Where the plan
 * derives the maximum of an inside bet from the straight's (D4 Roulette (Synot)
 * §22, R4.4), the table's own can only lower it.  Where neither plan nor table
 * name a maximum, it is of an outside bet the straight's by numbers covered,
 * and of a side bet (Push 22) the principal bet's, so that no position is
 * without bound.
 */
PositionLimits
casino_stake_limits(const RoundState *round, const BetRule *rule)
{
	PositionLimits limits = table_limits(round, rule);

	if (limits.min <= rule->min_stake)
	{
		limits.min = rule->min_stake;
		limits.min_from = rule->min_stake == 0 ? LIMIT_NONE : LIMIT_OF_PLAN;
	}
	if (limits.max >= rule->max_stake)
	{
		limits.max = rule->max_stake;
		limits.max_from = rule->max_stake == PG_INT64_MAX ? LIMIT_NONE : LIMIT_OF_PLAN;
	}
	return limits;
}

/* See stake_rules.h. */
void
casino_stake_check_phase(const RoundState *round, char phase, const char *kind, const CasinoBet *bet)
{
	bool		in_play = round->status == ROUND_CLOSED && round->actions_closed_at == DT_NOBEGIN;

	if (phase == PHASE_PLAY && round->status == ROUND_OPEN)
		ereport(ERROR,
				(errrefusal(REFUSAL_TOO_EARLY, REFUSED_TEXT("kind", kind),
							REFUSED_INT("round_id", round->round_id)),
				 errmsg("%s is not allowed before betting has closed", bet != NULL ? bet_cstring(bet) : kind),
				 errdetail("Round " INT64_FORMAT " is open.", round->round_id)));
	if (phase != PHASE_BETTING && round->status == ROUND_CLOSED && !in_play)
		ereport(ERROR,
				(errrefusal(REFUSAL_ACTIONS_CLOSED, REFUSED_TEXT("kind", kind),
							REFUSED_INT("round_id", round->round_id)),
				 errmsg("%s is not allowed after actions have closed", bet != NULL ? bet_cstring(bet) : kind),
				 errdetail("Round " INT64_FORMAT " takes no more decisions.", round->round_id)));
	if (round->status == ROUND_OPEN || (phase != PHASE_BETTING && in_play))
		return;
	ereport(ERROR,
			(errrefusal(REFUSAL_BETTING_CLOSED, REFUSED_INT("round_id", round->round_id),
						REFUSED_TEXT("status", casino_round_status_name(round->status))),
			 errmsg("betting of round " INT64_FORMAT " is closed", round->round_id),
			 errdetail("Round " INT64_FORMAT " of table \"%s\" is %s.", round->round_id,
					   round->table_name, casino_round_status_name(round->status))));
}

/* KB004: does the plan offer the kind, and a position with zero? */
static const BetRule *
check_offered(const RoundState *round, const Wager *wager)
{
	const CasinoBet *bet = &wager->bet;
	const BetRule *rule = rule_of(round, bet->kind);

	if (rule == NULL)
		ereport(ERROR,
				(errrefusal(REFUSAL_NOT_OFFERED, REFUSED_TEXT("game", round->game),
							REFUSED_TEXT("kind", casino_bet_kind_name(bet->kind))),
				 errmsg("%s does not offer %s", round->game, casino_bet_kind_name(bet->kind)),
				 errdetail("The game plan of round " INT64_FORMAT " has no such bet.", round->round_id),
				 wager->bet.kind == CASINO_SPLIT && rule_of(round, CASINO_SPLIT_PAIR) != NULL ?
				 errhint("A pair of cards is split with split_pair.") :
				 errhint("casino.offer(table_id) lists the bets of a table.")));
	if (!rule->zero_offered && bet->kind != CASINO_STRAIGHT && casino_bet_covers(bet, 0))
		ereport(ERROR,
				(errrefusal(REFUSAL_POSITION_NOT_OFFERED, REFUSED_TEXT("game", round->game),
							REFUSED_TEXT("kind", casino_bet_kind_name(bet->kind)),
							REFUSED_TEXT("bet", position_cstring(bet))),
				 errmsg("%s does not offer %s", round->game, position_cstring(bet)),
				 errdetail("Its game plan has no combination with zero.")));
	return rule;
}

/* 22023: is the seat one of the table's?  Games without seats take none. */
static void
check_seat(const RoundState *round, const Wager *wager)
{
	if (round->seated && (wager->seat < 1 || wager->seat > round->seats))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("table \"%s\" has seats 1 to %d", round->table_name, round->seats),
				 wager->seat == 0 ? errdetail("No seat was given.") :
				 errdetail("Seat %d was given.", wager->seat),
				 wager->seat != 0 ? 0 :
				 errhint("Give one, such as seat => 1; in place_many() seats => '{1}'.")));
	if (!round->seated && wager->seat != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s is played without seats", round->game),
				 errdetail("Seat %d was given.", wager->seat)));
}

/*
 * 22023: may a wager of the kind name that hand? Under a number of its own it would have limits of its
 * own.
 */
static void
check_hand(const RoundState *round, const Wager *wager)
{
	const FamilyRules *family = casino_family_rules(round);
	int			hands = family->hands == NULL ? 0 : family->hands(wager->bet.kind);

	if (wager->hand > hands)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 hands == 0 ? errmsg("%s is played without hands", round->game) :
				 hands == 1 ? errmsg("%s lies on hand 1", casino_bet_kind_name(wager->bet.kind)) :
				 errmsg("%s has no such hand", round->game),
				 errdetail("Hand %d was given.", wager->hand)));
}

/* Is what the wager requires among these, on the same seat? */
static bool
is_required_there(const Wager *wager, int requires, const Wager *wagers, int n, const bool *gone)
{
	for (int i = 0; i < n; i++)
		if ((gone == NULL || !gone[i]) && wagers[i].bet.kind == requires &&
			wagers[i].seat == wager->seat)
			return true;
	return false;
}

/* haléře on the position of a wager among these. */
static int64
position_sum(const Wager *wager, const Wager *wagers, int n, const bool *gone)
{
	int64		sum = 0;

	for (int i = 0; i < n; i++)
		if ((gone == NULL || !gone[i]) && same_position(wager, &wagers[i]))
			sum = add_saturating(sum, wagers[i].bet.stake);
	return sum;
}

/* haléře these take from the wallet. */
static int64
cost_sum(const Wager *wagers, int n)
{
	int64		sum = 0;

	for (int i = 0; i < n; i++)
		sum = add_saturating(sum, casino_wager_cost(&wagers[i].bet));
	return sum;
}

/* KB005: side bets need their main wager, sent before or together (R6.7). */
static void
check_required(const RoundState *round, const BetRule *rule, const Wager *wager,
			   const Wager *placed, int nplaced, const Wager *added, int nadded)
{
	if (rule->requires == 0 ||
		is_required_there(wager, rule->requires, placed, nplaced, NULL) ||
		is_required_there(wager, rule->requires, added, nadded, NULL))
		return;
	ereport(ERROR,
			(errrefusal(REFUSAL_NEEDS_BET, REFUSED_TEXT("kind", casino_bet_kind_name(wager->bet.kind)),
						REFUSED_TEXT("needs", casino_bet_kind_name(rule->requires)),
						REFUSED_PLACE("seat", wager->seat)),
			 errmsg("%s needs a %s wager of the same player", bet_cstring(&wager->bet),
					casino_bet_kind_name(rule->requires)),
			 errdetail("There is none in round " INT64_FORMAT " on that seat.", round->round_id),
			 errhint("Place both in one place_bets() call, or the %s wager first.",
					 casino_bet_kind_name(rule->requires))));
}

/*
 * Are these all the chips that the player has?  At a pot all in for less is
 * allowed: nothing is left of the stack, or of the wallet (R6.20, R6.30).
 */
static bool
is_all_in(const PlayerState *player, int64 chips, const Wager *added, int nadded)
{
	return chips != ANY_CHIPS && Min(chips, player->balance) == cost_sum(added, nadded);
}

/*
 * KB002: are there chips enough at the table?  Money that came to the wallet in
 * the middle of a hand cannot enter that hand (R6.30).  A stake that
 * the wallet cannot pay is refused for that reason, later.
 */
static void
check_chips(const PlayerState *player, int64 chips, const Wager *added, int nadded)
{
	int64		cost = cost_sum(added, nadded);

	if (cost <= chips || cost > player->balance)
		return;
	ereport(ERROR,
			(errrefusal(REFUSAL_ABOVE_STACK, REFUSED_INT("seat", added[0].seat),
						REFUSED_MONEY("stake", cost), REFUSED_MONEY("max", chips)),
			 errmsg("%s CZK are more than player " INT64_FORMAT " has at the table",
					casino_money_cstring(cost), player->player_id),
			 errdetail("Of the stack that was there before the hand %s CZK are left.",
					   casino_money_cstring(chips)),
			 errhint("casino.bring_to_table() brings chips before the first stake of a hand.")));
}

/* KB002: is the position within its limits once these lie on it? */
static void
check_limits(const RoundState *round, const PlayerState *player, int64 chips, const BetRule *rule,
			 const Wager *wager, const Wager *placed, int nplaced, const Wager *added, int nadded)
{
	int64		sum = add_saturating(position_sum(wager, placed, nplaced, NULL),
									 position_sum(wager, added, nadded, NULL));
	PositionLimits limits = casino_stake_limits(round, rule);

	if (sum < limits.min && is_all_in(player, chips, added, nadded))
		limits.min = 0;
	if (sum >= limits.min && sum <= limits.max)
		return;
	ereport(ERROR,
			(errrefusal(sum < limits.min ? REFUSAL_BELOW_MINIMUM : REFUSAL_ABOVE_MAXIMUM,
						REFUSED_TEXT("kind", casino_bet_kind_name(wager->bet.kind)),
						REFUSED_TEXT("bet", position_cstring(&wager->bet)), REFUSED_MONEY("stake", sum),
						REFUSED_MONEY(sum < limits.min ? "min" : "max",
									  sum < limits.min ? limits.min : limits.max),
						REFUSED_TEXT("table", round->table_name)),
			 sum < limits.min ?
			 errmsg("%s CZK on %s is below the minimum of %s CZK", casino_money_cstring(sum),
					position_cstring(&wager->bet), casino_money_cstring(limits.min)) :
			 errmsg("%s CZK on %s is above the maximum of %s CZK", casino_money_cstring(sum),
					position_cstring(&wager->bet), casino_money_cstring(limits.max)),
			 errdetail("Limits of the position at table \"%s\" under version %d of the game plan of %s, "
					   "all its chips together.",
					   round->table_name, round->plan_version, round->game)));
}

void
casino_stake_check(const RoundState *round, const PlayerState *player, const Wager *placed, int nplaced,
				   const Wager *added, int nadded)
{
	static const BetRule any_rule = {.phase = PHASE_BETTING};
	const FamilyRules *family = casino_family_rules(round);
	int64		chips = family->chips == NULL ? ANY_CHIPS : family->chips(round, player, placed, nplaced);
	int64		total;

	if (round->away)
		ereport(ERROR,
				(errrefusal(REFUSAL_OTHER_CELL, REFUSED_TEXT("table", round->table_name),
							REFUSED_INT("cell", round->home_cell)),
				 errmsg("table \"%s\" is not played in this cell", round->table_name),
				 errdetail("It has seats: the players of cell %d take part.", round->home_cell),
				 errhint("Its home cell is %d; players of other cells find other tables.",
						 round->home_cell)));
	for (int i = 0; i < nadded; i++)
	{
		const BetRule *rule;

		/* a round that takes nothing at all is closed, whatever was sent */
		if (round->status != ROUND_OPEN && round->status != ROUND_CLOSED)
			casino_stake_check_phase(round, any_rule.phase, casino_bet_kind_name(added[i].bet.kind),
									 &added[i].bet);
		rule = check_offered(round, &added[i]);
		casino_stake_check_phase(round, rule->phase, casino_bet_kind_name(added[i].bet.kind), &added[i].bet);
		check_seat(round, &added[i]);
		check_hand(round, &added[i]);
		check_required(round, rule, &added[i], placed, nplaced, added, nadded);
		check_limits(round, player, chips, rule, &added[i], placed, nplaced, added, nadded);
	}
	check_chips(player, chips, added, nadded);
	if (family->check_stakes != NULL)
		family->check_stakes(round, player, placed, nplaced, added, nadded);
	total = add_saturating(cost_sum(placed, nplaced), cost_sum(added, nadded));
	if (total > round->round_max)
		ereport(ERROR,
				(errrefusal(REFUSAL_ROUND_LIMIT, REFUSED_INT("round_id", round->round_id),
							REFUSED_MONEY("stake", total), REFUSED_MONEY("max", round->round_max)),
				 errmsg("%s CZK in round " INT64_FORMAT " is above the maximum of %s CZK",
						casino_money_cstring(total), round->round_id,
						casino_money_cstring(round->round_max)),
				 errdetail("The game plan of %s limits what one player stakes in one round.",
						   round->game)));
	casino_payable_check_stakes(round, player, placed, nplaced, added, nadded);
}

int
casino_stake_unsupported(const RoundState *round, const Wager *wagers, int n, const bool *gone)
{
	const FamilyRules *family = casino_family_rules(round);

	for (int i = 0; i < n; i++)
	{
		const BetRule *rule = rule_of(round, wagers[i].bet.kind);
		int64		left;

		if (gone[i] || rule == NULL)
			continue;
		if (family->is_supported != NULL &&
			!family->is_supported(round, &wagers[i], wagers, n, gone))
			return i;
		if (rule->requires != 0 && !is_required_there(&wagers[i], rule->requires, wagers, n, gone))
			return i;

		/*
		 * only what was taken off a position makes it too small: all in may have been less from the start
		 * (R6.20)
		 */
		left = position_sum(&wagers[i], wagers, n, gone);
		if (left < casino_stake_limits(round, rule).min && left < position_sum(&wagers[i], wagers, n, NULL))
			return i;
	}
	return -1;
}
