/*
 * deal.c
 *	  Cards of a round: kept as they fall by deal(), and whole at settlement.
 */
#include "ledger/deal.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "core/card.h"
#include "games/families.h"
#include "games/outcome_json.h"
#include "ledger/closing.h"
#include "server/bounds.h"
#include "server/event_time.h"
#include "server/posting.h"
#include "server/query.h"
#include "server/refusal.h"
#include "server/run_as_owner.h"
#include "state/cell.h"

/*
 * Common hands and those of seats, a row for each player who took even money.  The hands of a shared
 * box are not looked at: players come to hands of their own there.
 */
static PreparedQuery load_seen = {
	.sql = "SELECT d.side, d.cards, d.seat, d.hand, d.surrendered, d.even_money, e.player_id,"
	"       coalesce(e.n, 1) = 1"
	"  FROM casino.dealt_hand d"
	"  LEFT JOIN LATERAL unnest(d.even_money_players) WITH ORDINALITY e (player_id, n) ON true"
	" WHERE d.round_id = $1"
	"   AND (d.side <> 'box' OR d.seat > 0)"
	" ORDER BY d.seat",
	.args = {ARG_INT8}
};

/* its columns */
enum
{
	SEEN_SIDE = 1, SEEN_CARDS, SEEN_SEAT, SEEN_HAND, SEEN_SURRENDERED, SEEN_EVEN_MONEY, SEEN_EVEN_PLAYER,
	SEEN_FIRST
};

static PreparedQuery delete_hands = {
	.sql = "DELETE FROM casino.dealt_hand WHERE round_id = $1",
	.args = {ARG_INT8}
};

static PreparedQuery find_hands = {
	.sql = "SELECT 1 FROM casino.dealt_hand WHERE round_id = $1 LIMIT 1",
	.args = {ARG_INT8}
};

/* All hands at once, a shared box has hundreds; each column comes as an array of texts. */
static PreparedQuery insert_hands = {
	.sql = "INSERT INTO casino.dealt_hand (round_id, side, seat, group_no, hand, cards, surrendered, folded,"
	"                               even_money, even_money_players, players)"
	" SELECT $1, h.side, h.seat::integer, h.group_no::integer, h.hand::integer, h.cards::casino.hand,"
	"        h.surrendered::boolean, h.folded::boolean, h.even_money::boolean,"
	"        h.even_money_players::bigint[], h.players::bigint[]"
	"   FROM unnest($2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
	"        AS h (side, seat, group_no, hand, cards, surrendered, folded, even_money, even_money_players, "
	"players)",
	.args = {ARG_INT8, ARG_TEXT_ARRAY, ARG_TEXT_ARRAY, ARG_TEXT_ARRAY, ARG_TEXT_ARRAY, ARG_TEXT_ARRAY,
	ARG_TEXT_ARRAY, ARG_TEXT_ARRAY, ARG_TEXT_ARRAY, ARG_TEXT_ARRAY, ARG_TEXT_ARRAY}
};

static PreparedQuery insert_deal = {
	.sql = "INSERT INTO casino.deal (round_id, deal_no, document, dealt_at, recorded_at)"
	" VALUES ($1, $2, $3, $4, $5)",
	.args = {ARG_INT8, ARG_INT4, ARG_JSONB, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ}
};

static PreparedQuery find_deal = {
	.sql = "SELECT 1 FROM casino.deal WHERE round_id = $1 AND document = $2 LIMIT 1",
	.args = {ARG_INT8, ARG_JSONB}
};

static PreparedQuery find_last_deal = {
	.sql = "SELECT coalesce(max(deal_no), 0) FROM casino.deal WHERE round_id = $1",
	.args = {ARG_INT8}
};

static PreparedQuery find_last_record = {
	.sql = "SELECT max(recorded_at) FROM casino.deal WHERE round_id = $1",
	.args = {ARG_INT8}
};

#define HAND_COLUMNS	10

static Datum
int_text(int number)
{
	return CStringGetTextDatum(psprintf("%d", number));
}

static Datum
bool_text(bool flag)
{
	return CStringGetTextDatum(flag ? "t" : "f");
}

static Datum
cards_text(const CasinoHand *cards)
{
	char		text[CASINO_HAND_TEXT_SIZE];

	casino_hand_print(cards, text);
	return CStringGetTextDatum(text);
}

/* Literal of a bigint[] */
static Datum
int64s_text(const int64 *numbers, int n)
{
	StringInfoData literal;

	initStringInfo(&literal);
	appendStringInfoChar(&literal, '{');
	for (int i = 0; i < n; i++)
		appendStringInfo(&literal, "%s" INT64_FORMAT, i > 0 ? "," : "", numbers[i]);
	appendStringInfoChar(&literal, '}');
	return CStringGetTextDatum(literal.data);
}

void
casino_deal_keep(int64 round_id, const Outcome *outcome)
{
	Datum		values[1 + HAND_COLUMNS] = {Int64GetDatum(round_id)};
	Datum	   *columns[HAND_COLUMNS];

	/* posting: a correction of an evaluated round replaces them too, and nobody else does */
	casino_execute_posting(&delete_hands, values, NULL);
	if (IsolationUsesXactSnapshot() && casino_read_latest(&find_hands, values, NULL) > 0)
		casino_snapshot_too_old("round", round_id, "has cards younger than");
	if (outcome->nhands == 0)
		return;
	for (int c = 0; c < HAND_COLUMNS; c++)
		columns[c] = palloc(sizeof(Datum) * outcome->nhands);
	for (int i = 0; i < outcome->nhands; i++)
	{
		const OutcomeHand *hand = &outcome->hands[i];

		columns[0][i] = CStringGetTextDatum(hand->side);
		columns[1][i] = int_text(hand->seat);
		columns[2][i] = int_text(hand->group);
		columns[3][i] = int_text(hand->hand);
		columns[4][i] = cards_text(&hand->cards);
		columns[5][i] = bool_text(hand->surrendered);
		columns[6][i] = bool_text(hand->folded);
		columns[7][i] = bool_text(hand->even_money);
		columns[8][i] = int64s_text(hand->even, hand->neven);
		columns[9][i] = int64s_text(hand->players, hand->nplayers);
	}
	for (int c = 0; c < HAND_COLUMNS; c++)
		values[1 + c] = PointerGetDatum(construct_array(columns[c], outcome->nhands, TEXTOID, -1, false,
														TYPALIGN_INT));
	casino_execute_posting(&insert_hands, values, NULL);
}

/* Is the card among the first n of the hand, as often as among those of the other one? */
static bool
is_there(CasinoCard card, const CasinoHand *hand, const CasinoHand *other, int n)
{
	int			more = 0;

	for (int i = 0; i < n; i++)
		more += (i < hand->count && hand->cards[i] == card) - (i < other->count && other->cards[i] == card);
	return more >= 0;
}

/*
 * KR001: cards of the dealer, the board, player and banker that were seen must
 * be the first ones of the hand now: players have staked on them (R11.12), and a
 * card that was recorded wrongly is corrected by correct_deal().  The order tells
 * something of the dealer's only, whose first card lies open.
 */
static void
check_seen_cards(uint64 row, const char *side, const Outcome *outcome)
{
	const OutcomeHand *now = casino_outcome_hand(outcome, side, 0, 0, 1);
	bool		in_order = strcmp(side, "dealer") == 0;
	CasinoHand	seen;

	if (now == NULL)
		return;
	casino_datum_get_hand(casino_column(row, SEEN_CARDS, ARG_HAND, NULL), &seen);
	for (int i = 0; i < seen.count; i++)
	{
		char		text[CASINO_CARD_TEXT_LEN];

		if (in_order ? i < now->cards.count && seen.cards[i] == now->cards.cards[i]
			: is_there(seen.cards[i], &now->cards, &seen, seen.count))
			continue;
		casino_card_print(seen.cards[i], text);
		casino_outcome_illegal("Card %d of the %s was dealt as %.2s.", i + 1, side, text);
	}
}

/* KR001: a surrender or even money that was shown stays; correct_deal() takes a wrong mark back (R3.63). */
static void
check_seen_marks(uint64 row, const Outcome *outcome)
{
	int			seat = casino_column_int(row, SEEN_SEAT);
	const OutcomeHand *now = casino_outcome_hand(outcome, "box", seat, 0, casino_column_int(row, SEEN_HAND));
	bool		nobody;
	int64		player_id = DatumGetInt64(casino_column(row, SEEN_EVEN_PLAYER, ARG_INT8, &nobody));

	if (casino_column_bool(row, SEEN_SURRENDERED) && (now == NULL || !now->surrendered))
		casino_outcome_illegal("Seat %d has surrendered.", seat);
	if (casino_column_bool(row, SEEN_EVEN_MONEY) && (now == NULL || !now->even_money))
		casino_outcome_illegal("Seat %d took even money.", seat);
	if (nobody || (now != NULL && now->even_money))
		return;
	for (int i = 0; now != NULL && i < now->neven; i++)
		if (now->even[i] == player_id)
			return;
	casino_outcome_illegal("Player " INT64_FORMAT " took even money on seat %d.", player_id, seat);
}

/*
 * KR001: a card that a seat was dealt lies on one of its hands now, because its player has staked on it
 * (R11.12).  Hands are split and cards added.  A seat without cards has thrown them away.
 */
static void
check_seen_seat(const CasinoHand *hands, int n, int seat, const Outcome *outcome)
{
	int			of[256] = {0};
	int			now = 0;

	for (int h = 0; h < outcome->nhands; h++)
	{
		const OutcomeHand *hand = &outcome->hands[h];

		if (strcmp(hand->side, "box") != 0 || hand->seat != seat)
			continue;
		now += hand->cards.count;
		for (int i = 0; i < hand->cards.count; i++)
			of[hand->cards.cards[i]]++;
	}
	for (int h = 0; h < n && now > 0; h++)
		for (int i = 0; i < hands[h].count; i++)
			if (--of[hands[h].cards[i]] < 0)
			{
				char		text[CASINO_CARD_TEXT_LEN];

				casino_card_print(hands[h].cards[i], text);
				casino_outcome_illegal("Seat %d was dealt %.2s.", seat, text);
			}
}

/* KR001: the cards that were shown of a round hold. */
static void
check_seen(int64 round_id, const Outcome *outcome)
{
	Datum		values[1] = {Int64GetDatum(round_id)};
	uint64		rows = casino_read_latest(&load_seen, values, NULL);
	CasinoHand *hands = palloc(sizeof(CasinoHand) * Max(rows, 1));
	int			nhands = 0;

	for (uint64 row = 0; row < rows; row++)
	{
		const char *side = casino_column_word(row, SEEN_SIDE);
		int			seat = casino_column_int(row, SEEN_SEAT);

		if (strcmp(side, "box") != 0)
		{
			check_seen_cards(row, side, outcome);
			continue;
		}
		check_seen_marks(row, outcome);
		if (casino_column_bool(row, SEEN_FIRST))
			casino_datum_get_hand(casino_column(row, SEEN_CARDS, ARG_HAND, NULL), &hands[nhands++]);
		if (row + 1 < rows && casino_column_int(row + 1, SEEN_SEAT) == seat)
			continue;
		check_seen_seat(hands, nhands, seat, outcome);
		nhands = 0;
	}
	pfree(hands);
}

void
casino_deal_check_played(const RoundState *round, const Outcome *outcome, const RoundWagers *wagers,
						 bool partial)
{
	const FamilyRules *family = casino_family_rules(round);

	if (!partial)
		casino_outcome_check(outcome, casino_rules_load(round->plan_id));
	/* the wagers of a table with seats lie in its home cell, and are judged there (R13.10) */
	if (family->check_round != NULL && !round->away)
		family->check_round(round, outcome, wagers, partial);
}

void
casino_deal_check(const RoundState *round, const Outcome *outcome, const RoundWagers *wagers, bool partial)
{
	check_seen(round->round_id, outcome);
	casino_deal_check_played(round, outcome, wagers, partial);
}

/*
 * Was the document given before? Then it tells nothing new, also when others came after it (R11.11,
 * R13.6).
 */
static bool
is_known(int64 round_id, Jsonb *document)
{
	Datum		values[2] = {Int64GetDatum(round_id), JsonbPGetDatum(document)};

	return casino_read_latest(&find_deal, values, NULL) > 0;
}

TimestampTz
casino_deal_last_recorded_at(int64 round_id)
{
	Datum		values[1] = {Int64GetDatum(round_id)};

	casino_read_latest(&find_last_record, values, NULL);
	return casino_column_time(0, ONLY_COLUMN, DT_NOBEGIN);
}

TimestampTz
casino_deal_recorded_at(const RoundState *round, const RoundWagers *wagers)
{
	TimestampTz last = casino_deal_last_recorded_at(round->round_id);

	if (wagers->last_recorded_at != DT_NOBEGIN)
		last = Max(last, wagers->last_recorded_at + 1);
	return casino_time_of_record(last);
}

void
casino_deal_follow_stakes(const RoundWagers *wagers, EventTime *time)
{
	for (int i = 0; i < wagers->count && !time->given; i++)
		casino_time_follow(time, wagers->wagers[i].posted_at);
}

int
casino_deal_keep_document(int64 round_id, Jsonb *document, TimestampTz at, TimestampTz recorded_at)
{
	Datum		values[5] = {Int64GetDatum(round_id)};
	int			deal_no;

	casino_read_latest(&find_last_deal, values, NULL);
	deal_no = casino_column_int(0, ONLY_COLUMN) + 1;
	values[1] = Int32GetDatum(deal_no);
	values[2] = JsonbPGetDatum(document);
	values[3] = TimestampTzGetDatum(at);
	values[4] = TimestampTzGetDatum(recorded_at);
	casino_execute(&insert_deal, values, NULL);
	return deal_no;
}

/*
 * deal(round_id, partial_outcome, at): keeps the cards that lie on the table
 * so far, each time all of them, after betting has closed.  In-play wagers are
 * judged by them from then on.  A document that was given before is answered
 * and changes nothing.
 */
PG_FUNCTION_INFO_V1(casino_sql_deal);
Datum
casino_sql_deal(PG_FUNCTION_ARGS)
{
	int64		round_id;
	EventTime	time;
	RunAsOwner	as_owner;
	RoundState	round;
	RoundWagers wagers;
	Outcome		outcome;

	casino_require_argument(fcinfo, 0, "round_id");
	casino_require_argument(fcinfo, 1, "partial_outcome");
	round_id = PG_GETARG_INT64(0);
	casino_bound_document("partial_outcome", PG_GETARG_JSONB_P(1));
	casino_time_argument(fcinfo, 2, &time);
	casino_as_owner_begin(&as_owner);

	/* exclusive: no stake may come while it is checked against the cards */
	casino_round_lock_exclusive(round_id);
	casino_round_load(round_id, &round);

	/* the same cards again change nothing */
	if (is_known(round_id, PG_GETARG_JSONB_P(1)))
	{
		casino_as_owner_end(&as_owner);
		PG_RETURN_VOID();
	}
	if (round.status != ROUND_CLOSED)
		ereport(ERROR,
				(errrefusal(REFUSAL_ROUND_STATE, REFUSED_INT("round_id", round_id),
							REFUSED_TEXT("status", casino_round_status_name(round.status))),
				 errmsg("round " INT64_FORMAT " is %s", round_id, casino_round_status_name(round.status)),
				 errdetail("Cards are dealt between the close of betting and the evaluation.")));
	casino_cell_event_time(&time);
	casino_time_take(&time);
	casino_round_check_time(&round, &time, round.betting_closed_at, "closed");
	casino_reach_round(round_id, &time);

	/* are they cards that could have been dealt, and played with the wagers there */
	casino_outcome_read(casino_family_rules(&round), PG_GETARG_JSONB_P(1), true, &outcome);
	casino_round_wagers_load(round_id, &wagers);
	casino_deal_follow_stakes(&wagers, &time);
	casino_deal_check(&round, &outcome, &wagers, true);
	casino_deal_keep(round_id, &outcome);

	/* as it came, for later questions */
	(void) casino_deal_keep_document(round_id, PG_GETARG_JSONB_P(1), time.at,
									 casino_deal_recorded_at(&round, &wagers));
	casino_as_owner_end(&as_owner);
	PG_RETURN_VOID();
}
