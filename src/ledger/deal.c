/*
 * deal.c
 *	  Cards of a round: kept as they fall by deal(), and whole at settlement.
 */
#include "deal.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "../core/card.h"
#include "../outcome_json.h"
#include "families.h"

static LedgerQuery load_dealer = {
	.sql = "SELECT cards FROM casino.dealt_hand WHERE round_id = $1 AND side = 'dealer'",
	.args = {ARG_INT8}
};

static LedgerQuery delete_hands = {
	.sql = "DELETE FROM casino.dealt_hand WHERE round_id = $1",
	.args = {ARG_INT8}
};

static LedgerQuery find_hands = {
	.sql = "SELECT 1 FROM casino.dealt_hand WHERE round_id = $1 LIMIT 1",
	.args = {ARG_INT8}
};

static LedgerQuery insert_hand = {
	.sql = "INSERT INTO casino.dealt_hand (round_id, side, seat, group_no, hand, cards, surrendered, folded,"
	"                               even_money, even_money_players, players)"
	" VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
	.args = {ARG_INT8, ARG_TEXT, ARG_INT4, ARG_INT4, ARG_INT4, ARG_HAND, ARG_BOOL, ARG_BOOL,
	ARG_BOOL, ARG_INT8_ARRAY, ARG_INT8_ARRAY}
};

/* bigint[] of numbers */
static Datum
int64_array(const int64 *numbers, int n)
{
	Datum	   *datums = palloc(sizeof(Datum) * Max(n, 1));

	for (int i = 0; i < n; i++)
		datums[i] = Int64GetDatum(numbers[i]);
	return PointerGetDatum(construct_array(datums, n, INT8OID, sizeof(int64), FLOAT8PASSBYVAL,
										   TYPALIGN_DOUBLE));
}

/* Put the cards of an outcome in the place of those kept before. */
static void
keep_hands(int64 round_id, const Outcome *outcome)
{
	Datum		values[11] = {Int64GetDatum(round_id)};

	casino_run(&delete_hands, values, NULL);
	if (IsolationUsesXactSnapshot() && casino_look(&find_hands, values, NULL) > 0)
		casino_snapshot_too_old("round", round_id, "has cards younger than");
	for (int i = 0; i < outcome->nhands; i++)
	{
		const OutcomeHand *hand = &outcome->hands[i];

		values[1] = CStringGetTextDatum(hand->side);
		values[2] = Int32GetDatum(hand->seat);
		values[3] = Int32GetDatum(hand->group);
		values[4] = Int32GetDatum(hand->hand);
		values[5] = casino_hand_get_datum(&hand->cards);
		values[6] = BoolGetDatum(hand->surrendered);
		values[7] = BoolGetDatum(hand->folded);
		values[8] = BoolGetDatum(hand->even_money);
		values[9] = int64_array(hand->even, hand->neven);
		values[10] = int64_array(hand->players, hand->nplayers);
		casino_run(&insert_hand, values, NULL);
	}
}

/* KR001: the dealer's cards seen before must be the first ones of the hand now. */
static void
check_dealer_seen(int64 round_id, const Outcome *outcome)
{
	Datum		values[1] = {Int64GetDatum(round_id)};
	const OutcomeHand *now = casino_outcome_hand(outcome, "dealer", 0, 0, 1);
	CasinoHand	seen;
	bool		isnull;

	if (now == NULL || casino_look(&load_dealer, values, NULL) != 1)
		return;
	casino_datum_get_hand(casino_column(0, 1, &isnull), &seen);
	for (int i = 0; i < seen.count; i++)
		if (i >= now->cards.count || seen.cards[i] != now->cards.cards[i])
		{
			char		text[CASINO_CARD_TEXT_LEN];

			casino_card_print(seen.cards[i], text);
			casino_outcome_illegal("Card %d of the dealer was dealt as %.2s.", i + 1, text);
		}
}

void
casino_deal_check(const RoundState *round, const Outcome *outcome, bool partial)
{
	const FamilyRules *family = casino_family_rules(round);

	if (!partial)
		casino_outcome_check(outcome, casino_plan_rules(round->plan_id));
	check_dealer_seen(round->round_id, outcome);
	keep_hands(round->round_id, outcome);
	if (family != NULL && family->check_round != NULL)
		family->check_round(round, outcome, partial);
}

/*
 * deal(round_id, partial_outcome, at): keeps the cards that lie on the table
 * so far, each time all of them, after betting has closed.  In-play wagers are
 * judged by them from then on.
 */
PG_FUNCTION_INFO_V1(casino_sql_deal);
Datum
casino_sql_deal(PG_FUNCTION_ARGS)
{
	int64		round_id;
	TimestampTz at;
	LedgerScope scope;
	RoundState	round;
	Outcome		outcome;

	casino_require_argument(fcinfo, 0, "round_id");
	casino_require_argument(fcinfo, 1, "partial_outcome");
	casino_require_argument(fcinfo, 2, "at");
	round_id = PG_GETARG_INT64(0);
	at = PG_GETARG_TIMESTAMPTZ(2);
	casino_scope_enter(&scope);
	casino_round_lock_exclusive(round_id);
	casino_round_load(round_id, &round);
	if (round.status != ROUND_CLOSED)
		ereport(ERROR,
				(errcode(CASINO_ERRCODE_ROUND_STATE),
				 errmsg("round " INT64_FORMAT " is %s", round_id, casino_round_status_name(round.status)),
				 errdetail("Cards are dealt between the close of betting and the evaluation.")));
	casino_check_time(at);
	casino_round_check_time(&round, at, round.betting_closed_at, "closed");
	casino_outcome_read(round.family, PG_GETARG_JSONB_P(1), true, &outcome);
	casino_deal_check(&round, &outcome, true);
	casino_scope_leave(&scope);
	PG_RETURN_VOID();
}
