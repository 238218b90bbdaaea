/*
 * blackjack_round.c
 *	  Could a blackjack outcome have been played with the wagers of its round?
 *	  KR001 names seat or player, hand, card and paragraph.
 *
 * The wagers come grouped: those with the same cards and the same marks are
 * judged once, so that ten thousand players of a shared box cost a few checks.
 */
#include "games/blackjack_table.h"

#include "games/blackjack_marks.h"
#include "core/blackjack_grade.h"
#include "core/blackjack_play.h"
#include "games/outcome_json.h"

/* The round is not evaluated: what names a stake returned it.  No kind is asked for, as in casino.standing_stake. */
static LedgerQuery load_players = {
	.sql = "WITH returned AS MATERIALIZED ("
	"  SELECT (SELECT f.player_id FROM casino.ledger f WHERE f.round_id = $1 AND f.kind = 'refund'"
	"           ORDER BY f.player_id LIMIT 1) IS NOT NULL AS any),"
	" box AS ("
	"  SELECT s.player_id, coalesce(s.seat, 0) AS seat,"
	"         bit_or(casino.blackjack_mark(s.bet, coalesce(s.hand, 1))) AS marks,"
	"         min(s.posted_at) FILTER (WHERE casino.kind(s.bet) = 'main') AS posted_at,"
	"         min(s.recorded_at) FILTER (WHERE casino.kind(s.bet) = 'main') AS recorded_at"
	"    FROM casino.ledger s"
	"   WHERE s.round_id = $1 AND s.kind = 'stake'"
	"     AND NOT ((SELECT r.any FROM returned r)"
	"              AND EXISTS (SELECT FROM casino.ledger f"
	"                           WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no OFFSET 0))"
	"   GROUP BY s.player_id, coalesce(s.seat, 0)),"
	" member AS ("
	"  SELECT d.group_no, p.player_id"
	"    FROM casino.dealt_hand d CROSS JOIN LATERAL unnest(d.players) p (player_id)"
	"   WHERE d.round_id = $1 AND d.side = 'box' AND d.hand = 1 AND d.group_no > 0)"
	" SELECT coalesce(b.seat, 0), coalesce(m.group_no, 0), coalesce(b.marks, 0),"
	"        min(coalesce(b.player_id, m.player_id))"
	"   FROM box b FULL JOIN member m ON m.player_id = b.player_id"
	"  GROUP BY coalesce(b.seat, 0), coalesce(m.group_no, 0), coalesce(b.marks, 0),"
	"           CASE WHEN b.seat > 0 THEN b.player_id END,"
	"           (coalesce(b.seat, 0), coalesce(m.group_no, 0), b.player_id) IN"
	"               (SELECT e.seat, e.group_no, p.player_id"
	"                  FROM casino.dealt_hand e CROSS JOIN LATERAL unnest(e.even_money_players) p (player_id)"
	"                 WHERE e.round_id = $1 AND e.side = 'box' AND e.hand = 1)"
	"  ORDER BY 1, 2, min(b.posted_at) NULLS LAST, min(b.recorded_at), 4",
	.args = {ARG_INT8}
};

/* Players with the same cards, wagers and decision on even money; of seats, one player. */
typedef struct Party
{
	int			seat;
	int			group;
	int64		marks;
	int64		player_id;		/* one of them */
} Party;

static Party *
load_parties(int64 round_id, int *count)
{
	Datum		values[1] = {Int64GetDatum(round_id)};
	uint64		rows = casino_look(&load_players, values, NULL);
	Party	   *parties = palloc(sizeof(Party) * Max(rows, 1));
	bool		isnull;

	for (uint64 row = 0; row < rows; row++)
	{
		parties[row].seat = DatumGetInt32(casino_column(row, 1, &isnull));
		parties[row].group = DatumGetInt32(casino_column(row, 2, &isnull));
		parties[row].marks = casino_column_int64(row, 3);
		parties[row].player_id = casino_column_int64(row, 4);
	}
	*count = (int) rows;
	return parties;
}

/* Marks of one hand. */
static unsigned
hand_marks(int64 marks, int hand)
{
	return (unsigned) (marks >> ((hand - 1) * MARKS_PER_HAND)) & ((1 << MARKS_PER_HAND) - 1);
}

/* The party's own word for itself in messages. */
static char *
party_cstring(const Party *party)
{
	if (party->seat > 0)
		return psprintf("Seat %d", party->seat);
	return psprintf("Player " INT64_FORMAT, party->player_id);
}

/* CasinoPlayedFlag bits that a player's own marks put on a hand. */
static unsigned
own_flags(int64 marks, int hand)
{
	unsigned	bits = hand_marks(marks, hand);
	unsigned	flags = 0;

	if (bits & MARK_DOUBLED)
		flags |= CASINO_PLAYED_DOUBLED;
	if (bits & MARK_DOUBLED_FREE)
		flags |= CASINO_PLAYED_DOUBLED_FREE;
	if (bits & MARK_SPLIT)
		flags |= CASINO_PLAYED_SPLIT;
	if (bits & MARK_SPLIT_FREE)
		flags |= CASINO_PLAYED_SPLIT_FREE;
	return flags;
}

/* Did the player take even money on that hand? */
static bool
takes_even_money(const BlackjackHand *hand, const Party *party)
{
	if (hand->even_money)
		return (party->marks & MARK_MAIN) != 0;
	for (int i = 0; i < hand->neven; i++)
		if (hand->even[i] == party->player_id)
			return true;
	return false;
}

/* KR001 for wagers on hands that the outcome does not have. */
static void
check_hands_exist(const Party *party, const BlackjackGroup *group)
{
	for (int hand = group->nhands + 1; hand <= MARK_HANDS; hand++)
		if (hand_marks(party->marks, hand) != 0)
			casino_outcome_illegal("%s has wagers on hand %d, of which the outcome has no cards.",
								   party_cstring(party), hand);
}

/* KR001 for even money of players who have no main bet on the hand. */
static void
check_even_money_players(const BlackjackGroup *group, const Party *parties, int nparties)
{
	for (int h = 0; h < group->nhands; h++)
		for (int i = 0; i < group->hands[h].neven; i++)
		{
			bool		found = false;

			for (int p = 0; p < nparties && !found; p++)
				found = parties[p].player_id == group->hands[h].even[i] &&
					(parties[p].marks & MARK_MAIN) != 0;
			if (!found && group->seat > 0)
				casino_outcome_illegal("Player " INT64_FORMAT " takes even money on seat %d, where he has no main bet.",
									   group->hands[h].even[i], group->seat);
		}
}

/*
 * Judge the cards of a group with the wagers of those who play it: the first
 * party decides, others at its seat follow.
 */
static void
check_group(const RoundState *round, const CasinoBlackjackCase *whole, const BlackjackTable *table,
			const BlackjackGroup *group, const Party *parties, int nparties, bool partial)
{
	CasinoPlayedHand hands[MARK_HANDS];
	CasinoPlayedGroup played = {0};
	CasinoBlackjackCase at = {.rules = whole->rules, .sources = whole->sources, .seat = group->seat};
	CasinoError error;

	if (group->nhands > MARK_HANDS)
		casino_outcome_illegal("A box has at most %d hands.", MARK_HANDS);
	/* everybody's hand is nobody's, unless it is judged by what somebody did with it */
	if (group->seat == 0 && nparties > 0 && (group->number > 0 || (parties[0].marks & HAND_MARKS) != 0))
		at.player_id = parties[0].player_id;
	memset(hands, 0, sizeof(hands));
	for (int i = 0; i < group->nhands; i++)
	{
		const BlackjackHand *hand = &group->hands[i];

		hands[i].number = i + 1;
		hands[i].cards = hand->cards;
		if (nparties > 0)
			hands[i].flags = own_flags(parties[0].marks, i + 1);
		for (int p = 1; p < nparties; p++)
			if (hand_marks(parties[p].marks, i + 1) & (MARK_DOUBLED | MARK_DOUBLED_FREE))
				hands[i].flags |= CASINO_PLAYED_DOUBLED_BY_FOLLOWER;
		if (hand->surrendered)
			hands[i].flags |= CASINO_PLAYED_SURRENDERED;
		if (hand->even_money || hand->neven > 0)
			hands[i].flags |= CASINO_PLAYED_EVEN_MONEY;
		for (int p = 0; p < nparties; p++)
			if (takes_even_money(hand, &parties[p]) && (parties[p].marks & MARK_INSURANCE))
				hands[i].flags |= CASINO_PLAYED_EVEN_MONEY_INSURED;
	}
	for (int p = 0; p < nparties && !partial; p++)
		check_hands_exist(&parties[p], group);
	if (group->seat > 0)
		check_even_money_players(group, parties, nparties);
	played.count = group->nhands;
	played.hands = hands;
	played.up_card = table->dealer.count > 0 ? table->dealer.cards[0] : 0;
	played.table_surrender = round->surrender;
	played.unfinished = partial;
	if (!casino_blackjack_check_group(&at, &played, &error))
		casino_ereport(&error, "illegal outcome");
	for (int p = 1; p < nparties; p++)
	{
		for (int i = 0; i < group->nhands; i++)
			hands[i].flags = own_flags(parties[p].marks, i + 1);
		if (!casino_blackjack_check_follower(&at, &played, &error))
			casino_ereport(&error, "illegal outcome");
	}
}

/* The most of the dealer's hand that a wager of the party needs. */
static CasinoDealerNeed
need_of_party(const CasinoBlackjackRules *rules, const BlackjackTable *table,
			  const BlackjackGroup *group, const Party *party)
{
	CasinoDealerNeed need = CASINO_NEEDS_UP_CARD;

	for (int kind = 1; kind < CASINO_BET_KIND_END; kind++)
		for (int hand = 1; hand <= group->nhands; hand++)
		{
			int64		mark = casino_blackjack_mark(kind, hand);
			bool		first_only = mark >= MARK_MAIN;
			CasinoBlackjackWager wager = {0};
			CasinoDealerNeed one;

			if (mark == 0 || (party->marks & mark) == 0 || (first_only && hand > 1))
				continue;
			wager.rules = rules;
			wager.own = &group->hands[hand - 1].cards;
			wager.first = &group->hands[0].cards;
			wager.second = group->nhands > 1 ? &group->hands[1].cards : NULL;
			wager.dealer = &table->dealer;
			wager.flags = casino_blackjack_wager_flags(party->marks, hand,
													   group->hands[hand - 1].surrendered,
													   takes_even_money(&group->hands[hand - 1], party));
			one = casino_blackjack_needs_dealer(kind, &wager);
			need = Max(need, one);
		}
	return need;
}

/* KR001: all groups of a shared box start with the same two cards. */
static void
check_same_start(const BlackjackTable *table, bool partial)
{
	CasinoCard	first[2];
	bool		have = false;

	for (int g = 0; g < table->ngroups; g++)
	{
		const BlackjackGroup *group = &table->groups[g];
		CasinoPlayedHand hands[MARK_HANDS];
		CasinoPlayedGroup played = {0};
		CasinoCard	start[2];

		memset(hands, 0, sizeof(hands));
		for (int i = 0; i < group->nhands && i < MARK_HANDS; i++)
		{
			hands[i].number = i + 1;
			hands[i].cards = group->hands[i].cards;
		}
		played.count = Min(group->nhands, MARK_HANDS);
		played.hands = hands;
		if (!casino_blackjack_group_start(&played, start))
			continue;
		if (have && (first[0] != start[0] || first[1] != start[1]))
			casino_outcome_illegal("The hands of a shared box start with the same two cards, not with %s %s and %s %s.",
								   casino_card_text(first[0]).text, casino_card_text(first[1]).text,
								   casino_card_text(start[0]).text, casino_card_text(start[1]).text);
		first[0] = start[0];
		first[1] = start[1];
		have = true;
	}
}

/* Group of a party; KR001 when the outcome has no cards for its stake. */
static const BlackjackGroup *
group_of_party(const BlackjackTable *table, const Party *party)
{
	for (int g = 0; g < table->ngroups; g++)
		if (table->groups[g].seat == party->seat && table->groups[g].number == party->group)
			return &table->groups[g];
	return NULL;
}

/* KR001: seats where there are none, cards without a stake. */
static void
check_boxes(const RoundState *round, const CasinoBlackjackRules *rules, const BlackjackTable *table,
			const Party *parties, int nparties)
{
	for (int g = 0; g < table->ngroups; g++)
	{
		const BlackjackGroup *group = &table->groups[g];
		bool		staked = false;

		if (rules->box == CASINO_BOX_SHARED && group->seat > 0)
			casino_outcome_illegal("%s is played at one shared box, without seats.", round->game);
		if (rules->box == CASINO_BOX_SEATS && (group->seat == 0 || group->seat > round->seats))
			casino_outcome_illegal("Table \"%s\" has seats 1 to %d; each hand names its seat.",
								   round->table_name, round->seats);
		for (int p = 0; p < nparties && !staked; p++)
			staked = parties[p].seat == group->seat && parties[p].group == group->number &&
				(parties[p].marks & MARK_MAIN) != 0;
		/* the shared box is dealt for whoever has no hand of his own, be there somebody or not */
		if (!staked && group->seat > 0)
			casino_outcome_illegal("Seat %d has cards but no stake.", group->seat);
	}
}

/* See families.h. */
void
casino_blackjack_check_round(const RoundState *round, const Outcome *outcome, bool partial)
{
	const BlackjackTable *table = casino_blackjack_table_load(round->round_id);
	CasinoBlackjackRules rules;
	CasinoBlackjackSources sources;
	CasinoBlackjackCase at = {.rules = &rules, .sources = &sources};
	CasinoDealerNeed need = CASINO_NEEDS_UP_CARD;
	CasinoError error;
	int			nparties;
	Party	   *parties = load_parties(round->round_id, &nparties);

	casino_blackjack_plan_load(round->plan_id, &rules, &sources);
	check_boxes(round, &rules, table, parties, nparties);
	if (rules.box == CASINO_BOX_SHARED)
		check_same_start(table, partial);
	for (int first = 0, next; first < nparties; first = next)
	{
		const BlackjackGroup *group = group_of_party(table, &parties[first]);

		/* at a seat all its players are judged together, at a shared box each party by itself */
		for (next = first + 1; next < nparties && parties[first].seat > 0 &&
			 parties[next].seat == parties[first].seat; next++)
			;
		if (group == NULL)
		{
			if (partial)
				continue;
			casino_outcome_illegal("%s has a stake but no cards.", party_cstring(&parties[first]));
		}
		if ((parties[first].marks & MARK_MAIN) == 0)
			casino_outcome_illegal("%s has cards but no main bet.", party_cstring(&parties[first]));
		check_group(round, &at, table, group, &parties[first], next - first, partial);
		for (int p = first; p < next && !partial; p++)
		{
			CasinoDealerNeed one = need_of_party(&rules, table, group, &parties[p]);

			need = Max(need, one);
		}
	}
	if (partial && table->dealer.count == 0)
		return;
	if (!casino_blackjack_check_dealer(&at, &table->dealer, need, &error))
		casino_ereport(&error, "illegal outcome");
}
