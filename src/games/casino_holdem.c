/*
 * casino_holdem.c
 *	  Casino Hold'em: the call is twice the ante, and who called needs the whole
 *	  board (D4 Casino Hold'em §7, §10).
 */
#include "games/families.h"

#include "core/casino_holdem.h"
#include "games/outcome_json.h"

#include "common/int.h"

static LedgerQuery find_decided = {
	.sql = "SELECT d.side FROM casino.dealt_hand d"
	" WHERE d.round_id = $1"
	"   AND (d.side = 'dealer' AND casino.card_count(d.cards) > 0"
	"        OR d.side = 'board' AND casino.card_count(d.cards) > 3)"
	" ORDER BY d.side LIMIT 1",
	.args = {ARG_INT8}
};

/* KB005: a call comes before the turn and before the dealer shows his cards. */
static void
check_undecided(const RoundState *round)
{
	Datum		values[1] = {Int64GetDatum(round->round_id)};

	if (round->status == ROUND_CLOSED && casino_look(&find_decided, values, NULL) > 0)
		ereport(ERROR,
				(errcode(CASINO_ERRCODE_BET_NOT_ALLOWED_NOW),
				 errmsg("call is not allowed now"),
				 errdetail("The cards of the %s lie open (D4 Casino Hold'em §10).", casino_column_cstring(0, 1))));
}

/* haléře of a kind among these wagers */
static int64
sum_of(const Wager *wagers, int n, int kind, const bool *gone)
{
	int64		sum = 0;

	for (int i = 0; i < n; i++)
		if (wagers[i].bet.kind == kind && (gone == NULL || !gone[i]) &&
			pg_add_s64_overflow(sum, wagers[i].bet.stake, &sum))
			return PG_INT64_MAX / 4;
	return sum;
}

/* See families.h: all play one hand. */
static int
hands(int kind)
{
	return 1;
}

/* See families.h. */
static void
check_stakes(const RoundState *round, const PlayerState *player, const Wager *lying, int nlying,
			 const Wager *added, int nadded)
{
	int64		called = sum_of(lying, nlying, CASINO_CALL, NULL);
	int64		call = sum_of(added, nadded, CASINO_CALL, NULL);
	int64		ante = sum_of(added, nadded, CASINO_ANTE, NULL);
	int64		antes = sum_of(lying, nlying, CASINO_ANTE, NULL) + ante;

	if (call == 0 && (called == 0 || ante == 0))
		return;
	if (called > 0 && ante == 0)
		ereport(ERROR,
				(errcode(CASINO_ERRCODE_BET_NOT_ALLOWED_NOW),
				 errmsg("player " INT64_FORMAT " has called", player->player_id),
				 errdetail("%s CZK lie on the call, twice the ante (D4 Casino Hold'em §10).",
						   casino_money_cstring(called))));
	if (call > 0)
		check_undecided(round);
	if (called + call != 2 * antes)
		ereport(ERROR,
				(errcode(CASINO_ERRCODE_STAKE_OUT_OF_LIMITS),
				 errmsg("the call must be %s CZK, not %s", casino_money_cstring(2 * antes),
						casino_money_cstring(called + call)),
				 errdetail("It is twice the ante of %s CZK (D4 Casino Hold'em §10).",
						   casino_money_cstring(antes))));
}

/* A call stands with twice the ante only (R6.1). */
static bool
is_supported(const RoundState *round, const Wager *wager, const Wager *wagers, int n, const bool *gone)
{
	return wager->bet.kind != CASINO_CALL ||
		sum_of(wagers, n, CASINO_CALL, gone) == 2 * sum_of(wagers, n, CASINO_ANTE, gone);
}

/* KR001: five board cards once somebody has called. */
static void
check_round(const RoundState *round, const Outcome *outcome, const RoundWagers *wagers, bool partial)
{
	if (partial || outcome->hands[1].cards.count >= CASINO_HOLDEM_BOARD)
		return;
	for (int i = 0; i < wagers->count; i++)
		if (wagers->wagers[i].bet.kind == CASINO_CALL)
			casino_outcome_illegal("The ante was called, so that the board has five cards and not %d (D4 Casino Hold'em §7).",
								   outcome->hands[1].cards.count);
}

/* See families.h.  Who has no call among his wagers has folded. */
static void
grade(const RoundState *round, const Outcome *outcome, RoundWagers *wagers)
{
	const OutcomeHand *player = casino_outcome_hand(outcome, "player", 0, 0, 1);
	const OutcomeHand *board = casino_outcome_hand(outcome, "board", 0, 0, 1);
	const OutcomeHand *dealer = casino_outcome_hand(outcome, "dealer", 0, 0, 1);

	for (int first = 0, next; first < wagers->count; first = next)
	{
		bool		called = false;

		next = casino_round_wagers_next_player(wagers, first);
		for (int i = first; i < next; i++)
			called = called || wagers->wagers[i].bet.kind == CASINO_CALL;
		for (int i = first; i < next; i++)
			wagers->wagers[i].grade = casino_grade_holdem(&wagers->wagers[i].bet, &player->cards,
														  &board->cards, &dealer->cards, called);
	}
}

const FamilyRules casino_casino_holdem_family = {
	"casino_holdem", hands, check_stakes, is_supported, check_round, grade, NULL, false
};
