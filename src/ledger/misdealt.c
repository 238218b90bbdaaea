/*
 * misdealt.c
 *	  correct_deal(): cards that deal() was told wrongly, before the evaluation
 *	  (D4 Blackjack §16, Baccarat §10: a game is reconstructed rather than
 *	  cancelled, R11.12).
 *
 * Both records stay: each document is a row of casino.deal, and the correction
 * says which of them was the first to be wrong.  What players staked by the
 * wrong cards goes back, unless the supervisor lets it stand (R11.30).
 */
#include "postgres.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "games/families.h"
#include "ledger/deal.h"
#include "ledger/refunds.h"
#include "ledger/settlement.h"
#include "server/bounds.h"
#include "server/event_time.h"
#include "server/query.h"
#include "server/run_as_owner.h"
#include "state/cell.h"

/* The documents of a round from its last correction on: what came before that is known to be wrong. */
static PreparedQuery find_deals = {
	.sql = "SELECT d.deal_no, d.document, d.dealt_at, d.recorded_at FROM casino.deal d"
	" WHERE d.round_id = $1"
	"   AND d.deal_no >= coalesce((SELECT max(c.deal_no) FROM casino.deal_correction c"
	" WHERE c.round_id = $1), 1)"
	" ORDER BY d.deal_no",
	.args = {ARG_INT8}
};

/* its columns */
enum
{
	DEAL_NO = 1, DEAL_DOCUMENT, DEAL_DEALT_AT, DEAL_RECORDED_AT
};

/* The last correction with that document and reason. */
static PreparedQuery find_same = {
	.sql = "SELECT c.returned, c.wagers_stand = $4, c.deal_no = m.last"
	"  FROM casino.deal_correction c"
	"  JOIN casino.deal d ON d.round_id = c.round_id AND d.deal_no = c.deal_no"
	" CROSS JOIN (SELECT max(x.deal_no) AS last FROM casino.deal_correction x WHERE x.round_id = $1) m"
	" WHERE c.round_id = $1 AND c.reason = $3 AND d.document = $2"
	" ORDER BY c.deal_no DESC LIMIT 1",
	.args = {ARG_INT8, ARG_JSONB, ARG_TEXT, ARG_BOOL}
};

/* its columns */
enum
{
	SAME_RETURNED = 1, SAME_STAND, SAME_LAST
};

static PreparedQuery insert_correction = {
	.sql = "INSERT INTO casino.deal_correction (round_id, deal_no, wrong_deal_no, reason, wagers_stand, "
	"returned,"
	"                                    corrected_at, recorded_at)"
	" VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
	.args = {ARG_INT8, ARG_INT4, ARG_INT4, ARG_TEXT, ARG_BOOL, ARG_INT4, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ}
};

/* A document that the corrected cards contradict: the first one, and when it was known. */
typedef struct WrongDeal
{
	int			deal_no;		/* 0: there is none */
	TimestampTz dealt_at;
	TimestampTz recorded_at;
} WrongDeal;

/* ---- which document was wrong */

/* How often each card is there. */
typedef struct CardCount
{
	int			of[256];
	int			hands;
	int			cards;
	bool		folded;
} CardCount;

static void
count_cards(const Outcome *outcome, int seat, int group, CardCount *count)
{
	memset(count, 0, sizeof(*count));
	for (int h = 0; h < outcome->nhands; h++)
	{
		const OutcomeHand *hand = &outcome->hands[h];

		if (strcmp(hand->side, "box") != 0 || hand->seat != seat || hand->group != group)
			continue;
		count->hands++;
		count->cards += hand->cards.count;
		count->folded = count->folded || hand->folded;
		for (int i = 0; i < hand->cards.count; i++)
			count->of[hand->cards.cards[i]]++;
	}
}

/* Group of the player at that seat; 0: everybody's. */
static int
group_of(const Outcome *outcome, int seat, int64 player_id)
{
	for (int h = 0; h < outcome->nhands; h++)
	{
		const OutcomeHand *hand = &outcome->hands[h];

		Numbers		players = {hand->nplayers, hand->players};

		if (strcmp(hand->side, "box") == 0 && hand->seat == seat && hand->hand == 1 &&
			casino_numbers_have(players, player_id))
			return hand->group;
	}
	return 0;
}

/* Was a card shown on the box that is not there now?  Hands are split and cards added, but none goes. */
static bool
box_lost_card(const CardCount *seen, const Outcome *now, int seat, int group)
{
	CardCount	count;

	count_cards(now, seat, group, &count);
	if (count.folded && count.cards == 0)
		return false;			/* thrown away */
	for (int card = 0; card < (int) lengthof(seen->of); card++)
		if (seen->of[card] > count.of[card])
			return true;
	return false;
}

/*
 * Was a card of the common hand shown that is not there now?  Where all players have hands of their own, one
 * of these has all its cards, or a card is gone.
 */
static bool
common_lost_card(const CardCount *seen, const Outcome *now, int seat)
{
	bool		lost = box_lost_card(seen, now, seat, 0);

	for (int h = 0; h < now->nhands && lost; h++)
	{
		const OutcomeHand *hand = &now->hands[h];

		if (strcmp(hand->side, "box") != 0 || hand->seat != seat || hand->hand != 1)
			continue;
		if (hand->group == 0)
			return true;
		lost = box_lost_card(seen, now, seat, hand->group);
	}
	return lost;
}

/* The same of a hand at a shared box or of a seat: each player is looked at with what is his now. */
static bool
box_is_contradicted(const Outcome *seen, const OutcomeHand *hand, const Outcome *now)
{
	CardCount	cards;

	count_cards(seen, hand->seat, hand->group, &cards);
	for (int i = 0; i < hand->nplayers; i++)
		if (box_lost_card(&cards, now, hand->seat, group_of(now, hand->seat, hand->players[i])))
			return true;
	if (hand->group != 0)
		return false;
	/* everybody's: of those who have hands of their own now, too, unless they had before */
	for (int h = 0; h < now->nhands; h++)
		for (int i = 0; i < now->hands[h].nplayers; i++)
			if (now->hands[h].seat == hand->seat &&
				group_of(seen, hand->seat, now->hands[h].players[i]) == 0 &&
				box_lost_card(&cards, now, hand->seat, now->hands[h].group))
				return true;
	return common_lost_card(&cards, now, hand->seat);
}

/* The dealer's cards lie in their order; of the others only which they are is told. */
static bool
side_is_contradicted(const OutcomeHand *seen, const OutcomeHand *now)
{
	bool		in_order = strcmp(seen->side, "dealer") == 0;

	if (now == NULL || now->cards.count < seen->cards.count)
		return seen->cards.count > 0;
	for (int i = 0; i < seen->cards.count; i++)
	{
		int			more = 0;

		if (in_order && seen->cards.cards[i] != now->cards.cards[i])
			return true;
		for (int j = 0; j < seen->cards.count; j++)
			more += (now->cards.cards[j] == seen->cards.cards[i]) - (seen->cards.cards[j] == seen->cards.cards[i]);
		if (more < 0)
			return true;
	}
	return false;
}

/* Did the document show a card that was none? */
static bool
is_contradicted(const Outcome *seen, const Outcome *now)
{
	for (int h = 0; h < seen->nhands; h++)
	{
		const OutcomeHand *hand = &seen->hands[h];

		if (strcmp(hand->side, "box") != 0
			? side_is_contradicted(hand, casino_outcome_hand(now, hand->side, 0, 0, 1))
			: hand->hand == 1 && box_is_contradicted(seen, hand, now))
			return true;
	}
	return false;
}

/* The first document since the last correction that showed a wrong card; KR002 when there was none at all. */
static WrongDeal
find_wrong(const RoundState *round, const Outcome *now, TimestampTz *last_dealt_at)
{
	Datum		values[1] = {Int64GetDatum(round->round_id)};
	uint64		rows = casino_read_latest(&find_deals, values, NULL);
	WrongDeal	wrong = {0};

	if (rows == 0)
		casino_settlement_refuse(round, "No cards of it were dealt: there is nothing to correct.");
	/* the last document may claim an earlier time than one before it */
	*last_dealt_at = DT_NOBEGIN;
	for (uint64 row = 0; row < rows; row++)
		*last_dealt_at = Max(*last_dealt_at, casino_column_time(row, DEAL_DEALT_AT, DT_NOBEGIN));
	for (uint64 row = 0; row < rows && wrong.deal_no == 0; row++)
	{
		Outcome		seen;
		Datum		document = casino_column(row, DEAL_DOCUMENT, ARG_JSONB, NULL);

		casino_outcome_read(casino_family_rules(round), DatumGetJsonbP(document), true, &seen);
		if (!is_contradicted(&seen, now))
			continue;
		wrong.deal_no = casino_column_int(row, DEAL_NO);
		wrong.dealt_at = casino_column_time(row, DEAL_DEALT_AT, DT_NOBEGIN);
		wrong.recorded_at = casino_column_time(row, DEAL_RECORDED_AT, DT_NOBEGIN);
	}
	return wrong;
}

/* ---- what goes back */

/*
 * When the stake was made.  What a bet behind follows with is made with the
 * owner's, though it may be dated later (R11.60).
 */
static TimestampTz
made_at(const RoundWagers *wagers, const RoundWager *wager)
{
	TimestampTz at = wager->posted_at;
	bool		follows = false;

	if (wager->seat == 0 || wager->bet.kind == CASINO_BEHIND)
		return at;
	for (int i = 0; i < wagers->count; i++)
	{
		const RoundWager *other = &wagers->wagers[i];

		if (other->seat != wager->seat)
			continue;
		if (other->bet.kind == CASINO_BEHIND && other->player_id == wager->player_id)
			follows = true;
		if (other->bet.kind == wager->bet.kind && Max(other->hand, 1) == Max(wager->hand, 1))
			at = Min(at, other->posted_at);
	}
	return follows ? at : wager->posted_at;
}

/*
 * Is it a stake that nobody places after the close, and so after a card (R12.152)?  What may be placed at any
 * time is not dated before the close in play, and so was placed while betting was open (R12.157).
 */
static bool
precedes_cards(const RoundState *round, const RoundWager *wager)
{
	if (wager->posted_at < round->betting_closed_at)
		return true;
	for (int i = 0; i < round->nrules; i++)
		if (round->rules[i].kind == wager->bet.kind)
			return round->rules[i].phase == PHASE_BETTING;
	return false;
}

/* Did the stake come after the wrong card, by the order of the records (R12.158), or by times (R11.30)? */
static bool
came_after(const RoundState *round, const RoundWagers *wagers, int i, const WrongDeal *wrong)
{
	return wrong->deal_no != 0 && !precedes_cards(round, &wagers->wagers[i]) &&
		(wagers->wagers[i].recorded_at >= wrong->recorded_at ||
		 made_at(wagers, &wagers->wagers[i]) > wrong->dealt_at);
}

/* Return what came after the wrong card, with what cannot stand without that; gives how many stakes. */
static int
return_misdealt(const RoundState *round, const RoundWagers *wagers, const WrongDeal *wrong, TimestampTz at)
{
	Company		company;
	Numbers		players = {0, palloc(sizeof(int64) * Max(wagers->count, 1))};
	int			returned = 0;

	for (int i = 0; i < wagers->count; i++)
		if (came_after(round, wagers, i, wrong))
			players.numbers[players.n++] = wagers->wagers[i].player_id;
	if (players.n == 0)
		return 0;
	casino_round_check_snapshot(round->round_id);
	casino_company_lock(players, &company);
	for (int first = 0, next; first < wagers->count; first = next)
	{
		int64		player_id = wagers->wagers[first].player_id;
		bool	   *gone = palloc0(sizeof(bool) * wagers->count);
		bool		any = false;
		Wager	   *own;
		int			n;
		int			count;

		next = casino_round_wagers_next_player(wagers, first);
		for (int i = first; i < next; i++)
			any = (gone[i - first] = came_after(round, wagers, i, wrong)) || any;
		if (!any)
			continue;
		/* the same wagers in the same order: those of the player that stand, by number */
		n = casino_wagers_load(round->round_id, player_id, &own);
		if (n != next - first)
			elog(ERROR, "wagers of player " INT64_FORMAT " in round "
				 INT64_FORMAT " changed under its lock", player_id,
				 round->round_id);
		(void) casino_return_wagers(casino_company_player(&company, player_id), round, own, n, gone, at,
									"misdealt",
									&count);
		returned += count;
	}
	return returned;
}

/* ---- the call */

static void
keep_correction(const RoundState *round, int deal_no, const WrongDeal *wrong, const char *reason, bool stand,
				int returned, TimestampTz at, TimestampTz recorded_at)
{
	Datum		values[8];
	char		nulls[] = "        ";

	values[0] = Int64GetDatum(round->round_id);
	values[1] = Int32GetDatum(deal_no);
	values[2] = Int32GetDatum(wrong->deal_no);
	nulls[2] = wrong->deal_no == 0 ? 'n' : ' ';
	values[3] = CStringGetTextDatum(reason);
	values[4] = BoolGetDatum(stand);
	values[5] = Int32GetDatum(returned);
	values[6] = TimestampTzGetDatum(at);
	values[7] = TimestampTzGetDatum(recorded_at);
	casino_execute(&insert_correction, values, nulls);
}

/*
 * Is it the last correction once more?  Gives how many stakes that returned, -1
 * when it is not.  KR002 for an earlier one, which others have followed: what
 * is meant cannot be told (R11.31).
 */
static int
answer_again(const RoundState *round, Jsonb *document, const char *reason, bool stand)
{
	Datum		values[4] = {Int64GetDatum(round->round_id), JsonbPGetDatum(document),
		CStringGetTextDatum(reason),
	BoolGetDatum(stand)};

	if (casino_read_latest(&find_same, values, NULL) == 0)
		return -1;
	if (!casino_column_bool(0, SAME_LAST))
		casino_settlement_refuse(round,
								 "Its cards were corrected so, for that reason, and corrected again since.");
	if (!casino_column_bool(0, SAME_STAND))
		casino_settlement_refuse(round,
								 "Its cards were corrected so, with the other answer to whether wagers "
								 "stand.");
	return casino_column_int(0, SAME_RETURNED);
}

/*
 * correct_deal(round_id, cards, reason, at, wagers_stand): replaces the cards
 * that deal() was told by those that really lie on the table.  Gives how many
 * stakes went back.
 */
PG_FUNCTION_INFO_V1(casino_sql_correct_deal);
Datum
casino_sql_correct_deal(PG_FUNCTION_ARGS)
{
	int64		round_id;
	Jsonb	   *document;
	char	   *reason;
	EventTime	time;
	bool		stand;
	RunAsOwner	as_owner;
	RoundState	round;
	RoundWagers wagers;
	Outcome		outcome;
	WrongDeal	wrong;
	TimestampTz last_dealt_at;
	TimestampTz recorded_at;
	int			returned;

	casino_require_argument(fcinfo, 0, "round_id");
	casino_require_argument(fcinfo, 1, "cards");
	reason = casino_reason_argument(fcinfo, 2, "correcting cards");
	casino_time_argument(fcinfo, 3, &time);
	casino_require_argument(fcinfo, 4, "wagers_stand");
	round_id = PG_GETARG_INT64(0);
	document = PG_GETARG_JSONB_P(1);
	stand = PG_GETARG_BOOL(4);
	casino_bound_document("cards", document);
	casino_settlement_begin(&as_owner, round_id, &round);

	returned = answer_again(&round, document, reason, stand);
	if (returned >= 0)
	{
		casino_as_owner_end(&as_owner);
		PG_RETURN_INT32(returned);
	}
	if (round.status != ROUND_CLOSED)
		casino_settlement_refuse(&round, round.status == ROUND_OPEN ?
								 "Betting is open: no cards of it were dealt."
								 : "Cards are corrected before the evaluation; correct_round() corrects "
								 "its result.");
	casino_cell_event_time(&time);
	casino_time_take(&time);

	/* what of the cards was wrong, and since when */
	casino_outcome_read(casino_family_rules(&round), document, true, &outcome);
	wrong = find_wrong(&round, &outcome, &last_dealt_at);
	casino_round_check_time(&round, &time, Max(round.betting_closed_at, last_dealt_at), "dealt");

	/* stakes first: the corrected cards are held against what stands (R11.32) */
	casino_round_wagers_load(round_id, &wagers);
	casino_deal_follow_stakes(&wagers, &time);
	returned = stand ? 0 : return_misdealt(&round, &wagers, &wrong, time.at);
	if (returned > 0)
		casino_round_wagers_load(round_id, &wagers);
	casino_deal_check_played(&round, &outcome, &wagers, true);
	casino_deal_keep(round_id, &outcome);
	recorded_at = casino_deal_recorded_at(&round, &wagers);
	keep_correction(&round, casino_deal_keep_document(round_id, document, time.at, recorded_at), &wrong,
					reason, stand, returned, time.at, recorded_at);
	casino_as_owner_end(&as_owner);
	PG_RETURN_INT32(returned);
}
