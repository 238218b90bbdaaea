/*
 * payable.c
 *	  Can everything that a player could win be paid into his wallet?
 *
 * A wallet holds at most 92 233 720 368 547 758.07 CZK (R2.7).  A win beyond that would
 * stop the settlement of its round, or every further movement of its player: so
 * what could lead there is refused when it is staked or paid in.
 *
 * Up to MODEST that is known from the round alone.  Above it, the greatest
 * payouts of all the player's open wagers are summed up, and RESERVE is left for
 * the modest ones that come later: they would have to be placed in thousands of
 * rounds at once to use it up, and a table has one open round.
 */
#include "ledger/payable.h"

#include "common/int.h"

#include "casino.h"
#include "core/money.h"
#include "server/query.h"

#define MODEST		INT64_C(10000000000000) /* 100 000 000 000.00 CZK */
#define RESERVE		(INT64_C(1) << 56)	/* 720 575 940 379 279.36 CZK */

/* seats of a Texas Hold'em table: nobody wins more of another than he has put in himself */
#define POT_SEATS	10

/*
 * Stakes, greatest profits rounded up, of all wagers of the player that are
 * neither paid nor returned.  Rounds first: he may have many entries, and
 * there are few rounds that are not evaluated or withheld.
 */
static PreparedQuery sum_open = {
	.sql = "SELECT least(coalesce(sum(casino.cost(s.bet)"
	"           + CASE WHEN casino.kind(s.bet) = 'pot' THEN casino.stake(s.bet) * 9"
	"                  ELSE least(ceil(casino.stake(s.bet) * 100 * coalesce(w.odds, 0)) / 100,"
	"                             coalesce(b.declared_win, 'Infinity')) END), 0.00), "
	"92233720368547758.07)::numeric(1000, 2)"
	"  FROM (SELECT round_id, plan_id FROM casino.round WHERE status IN ('open', 'closed')"
	"        UNION ALL SELECT round_id, plan_id FROM casino.round WHERE status = 'withheld') r"
	"  JOIN casino.ledger s ON s.round_id = r.round_id AND s.kind = 'stake' AND s.player_id = $1"
	"  JOIN casino.bet_rule b ON b.plan_id = r.plan_id AND b.kind = casino.kind(s.bet)"
	"  LEFT JOIN LATERAL (SELECT max(t.num::numeric / t.den) AS odds FROM casino.paytable t"
	"                      WHERE t.plan_id = b.plan_id AND t.kind = b.kind AND t.num > 0) w ON true"
	" WHERE NOT EXISTS (SELECT FROM casino.ledger f"
	"                    WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no)",
	.args = {ARG_INT8}
};

static int64
add_saturating(int64 a, int64 b)
{
	int64		sum;

	return pg_add_s64_overflow(a, b, &sum) ? PG_INT64_MAX : sum;
}

/* haléře that the wager may bring at most, its stake included */
static int64
greatest_payout(const RoundState *round, const CasinoBet *bet)
{
	int64		profit = PG_INT64_MAX;

	if (bet->kind == CASINO_POT)
		return pg_mul_s64_overflow(bet->stake, POT_SEATS, &profit) ? PG_INT64_MAX : profit;
	for (int i = 0; i < round->nrules; i++)
	{
		const BetRule *rule = &round->rules[i];

		if (rule->kind != bet->kind)
			continue;
		if (!casino_money_profit(bet->stake, rule->win_num, rule->win_den, &profit))
			profit = PG_INT64_MAX;
		profit =
			Min(add_saturating(profit, 1), rule->declared_win); /* shares of a position are rounded either
																 * way */
	}
	return add_saturating(casino_wager_cost(bet), profit);
}

static int64
greatest_payouts(const RoundState *round, const Wager *wagers, int n)
{
	int64		sum = 0;

	for (int i = 0; i < n; i++)
		sum = add_saturating(sum, greatest_payout(round, &wagers[i].bet));
	return sum;
}

/* haléře that the player's open wagers may bring at most */
static int64
open_payouts(const PlayerState *player)
{
	Datum		values[1] = {Int64GetDatum(player->player_id)};

	casino_read_latest(&sum_open, values, NULL);
	return casino_column_halere(0, ONLY_COLUMN, 0);
}

static void
too_much(const PlayerState *player, const char *what, int64 balance, int64 open, int64 added)
{
	ereport(ERROR,
			(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			 errmsg("%s: the wallet of player " INT64_FORMAT " could exceed the greatest amount", what,
					player->player_id),
			 errdetail("It would hold %s CZK, open wagers could bring %s CZK%s%s; the greatest amount is "
					   "%s CZK.",
					   casino_money_cstring(balance), casino_money_cstring(open),
					   added > 0 ? ", these " : "", added > 0 ? casino_money_cstring(added) : "",
					   casino_money_cstring(PG_INT64_MAX)),
			 errhint("Stake or pay in less.")));
}

void
casino_payable_check_stakes(const RoundState *round, const PlayerState *player,
							const Wager *placed, int nplaced, const Wager *added, int nadded)
{
	int64		mine = greatest_payouts(round, added, nadded);
	int64		balance = player->balance;
	int64		open;

	if (add_saturating(add_saturating(balance, mine), greatest_payouts(round, placed, nplaced)) <= MODEST)
		return;
	for (int i = 0; i < nadded && balance > 0; i++)
		balance = Max(balance - casino_wager_cost(&added[i].bet), 0);
	open = open_payouts(player);
	if (add_saturating(add_saturating(balance, open), mine) > PG_INT64_MAX - RESERVE)
		too_much(player, "stake refused", balance, open, mine);
}

void
casino_payable_check_credit(const PlayerState *player, int64 amount)
{
	int64		balance = add_saturating(player->balance, amount);
	int64		open;

	if (balance <= MODEST)
		return;
	open = open_payouts(player);
	if (open > 0 && add_saturating(balance, open) > PG_INT64_MAX - RESERVE)
		too_much(player, "amount refused", balance, open, 0);
}
