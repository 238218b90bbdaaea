/*
 * casino_holdem.c
 *	  Casino Hold'em: its outcome {"player": "As Ks", "board": "Qs Js Ts 2d 3c",
 *	  "dealer": "4h 4d"}, the call, grading, counting, and its function in SQL.
 *
 * The call is twice the ante, and who called needs the whole board (D4 Casino
 * Hold'em §7, §10).
 */
#include "games/families.h"

#include "common/int.h"
#include "fmgr.h"
#include "utils/builtins.h"

#include "casino.h"
#include "core/games/casino_holdem.h"
#include "core/returns/count_holdem.h"
#include "games/outcome_json.h"
#include "server/query.h"
#include "server/refusal.h"
#include "state/player.h"
#include "state/round.h"
#include "state/wagers.h"

static PreparedQuery find_decided = {
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

	if (round->status == ROUND_CLOSED && casino_read_latest(&find_decided, values, NULL) > 0)
		ereport(ERROR,
				(errrefusal(REFUSAL_CARDS_OPEN, REFUSED_TEXT("kind", "call"),
							REFUSED_TEXT("of", casino_column_cstring(0, ONLY_COLUMN))),
				 errmsg("call is not allowed now"),
				 errdetail("The cards of the %s lie open (D4 Casino Hold'em §10).",
						   casino_column_cstring(0, ONLY_COLUMN))));
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
check_stakes(const RoundState *round, const PlayerState *player, const Wager *placed, int nplaced,
			 const Wager *added, int nadded)
{
	int64		called = sum_of(placed, nplaced, CASINO_CALL, NULL);
	int64		call = sum_of(added, nadded, CASINO_CALL, NULL);
	int64		ante = sum_of(added, nadded, CASINO_ANTE, NULL);
	int64		antes = sum_of(placed, nplaced, CASINO_ANTE, NULL) + ante;

	if (call == 0 && (called == 0 || ante == 0))
		return;
	if (called > 0 && ante == 0)
		ereport(ERROR,
				(errrefusal(REFUSAL_HAS_CALLED, REFUSED_MONEY("stake", called)),
				 errmsg("player " INT64_FORMAT " has called", player->player_id),
				 errdetail("%s CZK lie on the call, twice the ante (D4 Casino Hold'em §10).",
						   casino_money_cstring(called))));
	if (call > 0)
		check_undecided(round);
	if (called + call != 2 * antes)
		ereport(ERROR,
				(errrefusal(REFUSAL_WRONG_AMOUNT, REFUSED_TEXT("kind", "call"),
							REFUSED_MONEY("stake", called + call),
							REFUSED_MONEY("expected", 2 * antes)),
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
			casino_outcome_illegal("The ante was called, so that the board has five cards and not %d "
								   "(D4 Casino Hold'em §7).",
								   outcome->hands[1].cards.count);
}

/* Player, board, dealer, in that order; as the cards fall, those not seen are left out. */
static void
read_outcome(const Jsonb *document, bool partial, Outcome *outcome)
{
	static const char *const sides[] = {"player", "board", "dealer"};
	JsonbParseState *state = NULL;
	JsonbValue	buffer;

	casino_outcome_check_members(&document->root, sides, lengthof(sides));
	outcome->nhands = lengthof(sides);
	outcome->hands = palloc0(sizeof(OutcomeHand) * lengthof(sides));
	pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
	for (int i = 0; i < (int) lengthof(sides); i++)
	{
		OutcomeHand *hand = &outcome->hands[i];

		hand->side = sides[i];
		hand->hand = 1;
		if (!partial || casino_outcome_member(&document->root, sides[i], &buffer) != NULL)
			casino_outcome_read_hand(&document->root, sides[i], &hand->cards);
		casino_outcome_push_hand(&state, sides[i], &hand->cards);
	}
	outcome->canonical = JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_OBJECT, NULL));
}

/* D4 Casino Hold'em §5, §7; whether somebody called, and five board cards are needed, the ledger knows. */
static void
check_outcome(const Outcome *outcome, const PlanRuleSet *rules)
{
	CasinoError error;

	if (!casino_holdem_check(&outcome->hands[0].cards, &outcome->hands[1].cards,
							 &outcome->hands[2].cards, false, &error))
		casino_ereport(&error, "illegal outcome");
}

/* See families.h. */
static void
count(int kind, const char *name, const PlanRuleSet *rules, const CasinoOdds *odds, CasinoCountSink sink,
	  void *context)
{
	(void) casino_count_holdem(kind, odds, sink, context);
}

/* See families.h. */
static void
best_round(const PlanRuleSet *rules, const CasinoOdds *odds, const CasinoStakes *stakes,
		   CasinoBestRound *best)
{
	casino_best_holdem(odds, stakes, best);
}

const FamilyRules casino_casino_holdem_family = {
	.plan = &casino_casino_holdem_plan,
	.read_outcome = read_outcome,
	.check_outcome = check_outcome,
	.hands = hands,
	.check_stakes = check_stakes,
	.is_supported = is_supported,
	.check_round = check_round,
	.count = count,
	.best_round = best_round
};

/* grade_casino_holdem(bet, player, board, dealer, called) */
PG_FUNCTION_INFO_V1(casino_sql_grade_casino_holdem);
Datum
casino_sql_grade_casino_holdem(PG_FUNCTION_ARGS)
{
	const CasinoBet *bet = PG_GETARG_BET(0);
	CasinoHand	player;
	CasinoHand	board;
	CasinoHand	dealer;
	CasinoGrade grade;

	PG_GETARG_HAND(1, &player);
	PG_GETARG_HAND(2, &board);
	PG_GETARG_HAND(3, &dealer);
	grade = casino_grade_holdem(bet, &player, &board, &dealer, PG_GETARG_BOOL(4));
	if (grade == CASINO_GRADE_NONE)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the cards do not decide a %s wager of Casino Hold'em",
						casino_bet_kind_name(bet->kind))));
	PG_RETURN_TEXT_P(cstring_to_text(casino_grade_name(grade)));
}
