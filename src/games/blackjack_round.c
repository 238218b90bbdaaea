/*
 * blackjack_round.c
 *	  Could a blackjack outcome have been played with the wagers of its round?
 *	  KR001 names seat or player, hand, card and paragraph.
 *
 * The wagers come grouped: those with the same cards and the same marks are
 * judged once, so that ten thousand players of a shared box cost a few checks.
 */
#include "games/blackjack_table.h"

#include "casino.h"
#include "core/games/blackjack_grade.h"
#include "core/games/blackjack_play.h"
#include "games/blackjack_box.h"
#include "games/blackjack_marks.h"
#include "games/outcome_json.h"
#include "state/cell.h"
#include "state/round.h"

/* Players with the same cards, wagers and decision on even money; of seats, one player. */
typedef struct Party
{
	int			seat;
	int			group;
	int64		marks;
	bool		even_money;		/* he is named among those who took it */
	int64		player_id;		/* one of them: the one with the lowest number */
	TimestampTz posted_at;		/* of his first main bet, DT_NOEND: none */
	TimestampTz recorded_at;
} Party;

typedef struct Parties
{
	int			count;
	int			room;
	Party	   *parties;
} Parties;

#define COMPARE(a, b)	if ((a) != (b)) return (a) < (b) ? -1 : 1

/* Those that are one party come together: at a shared box all players of a group with the same wagers. */
static int
compare_same(const void *a, const void *b)
{
	const Party *x = a;
	const Party *y = b;

	COMPARE(x->seat, y->seat);
	COMPARE(x->group, y->group);
	if (x->seat > 0)
		COMPARE(x->player_id, y->player_id);
	COMPARE(x->marks, y->marks);
	COMPARE(x->even_money, y->even_money);
	COMPARE(x->player_id, y->player_id);
	return 0;
}

/* By seat and group, at a seat its owner first: who staked first. */
static int
compare_owners(const void *a, const void *b)
{
	const Party *x = a;
	const Party *y = b;

	COMPARE(x->seat, y->seat);
	COMPARE(x->group, y->group);
	COMPARE(x->posted_at, y->posted_at);
	COMPARE(x->recorded_at, y->recorded_at);
	COMPARE(x->player_id, y->player_id);
	return 0;
}

static Party *
add_party(Parties *all, const BlackjackGroup *group, int seat, int64 player_id)
{
	Party	   *party;

	if (all->count == all->room)
	{
		all->room *= 2;
		all->parties = repalloc_huge(all->parties, sizeof(Party) * all->room);
	}
	party = &all->parties[all->count++];
	memset(party, 0, sizeof(*party));
	party->seat = seat;
	party->player_id = player_id;
	party->posted_at = party->recorded_at = DT_NOEND;
	if (group != NULL)
	{
		party->group = group->number;
		for (int i = 0; i < group->hands[0].neven; i++)
			party->even_money = party->even_money || group->hands[0].even[i] == player_id;
	}
	return party;
}

/* A party of what the player has on each seat where he has wagers. */
static void
add_player(Parties *all, const BlackjackTable *table, const RoundWager *wagers, int n)
{
	for (int i = 0; i < n; i++)
	{
		bool		first_there = true;
		Party	   *party;

		for (int j = 0; j < i; j++)
			first_there = first_there && wagers[j].seat != wagers[i].seat;
		if (!first_there)
			continue;
		party = add_party(all, casino_blackjack_group_of(table, wagers[i].seat, wagers[i].player_id),
						  wagers[i].seat, wagers[i].player_id);
		for (int j = i; j < n; j++)
		{
			if (wagers[j].seat != wagers[i].seat)
				continue;
			party->marks |= casino_blackjack_mark(wagers[j].bet.kind, Max(wagers[j].hand, 1));
			if (wagers[j].bet.kind == CASINO_MAIN)
			{
				party->posted_at = Min(party->posted_at, wagers[j].posted_at);
				party->recorded_at = Min(party->recorded_at, wagers[j].recorded_at);
			}
		}
	}
}

/*
 * Players of a shared box who have hands of their own but no wager; both lists
 * are in the order of the players.  Wagers of other cells' players lie there (R13.9).
 */
static void
add_members_without_wager(Parties *all, const BlackjackTable *table, const RoundWagers *wagers)
{
	Cell		cell;
	int			i = 0;

	if (table->nmembers > 0)
		casino_cell_load(&cell);
	for (int m = 0; m < table->nmembers; m++)
	{
		if (!casino_cell_has(&cell, table->members[m].player_id))
			continue;
		while (i < wagers->count && wagers->wagers[i].player_id < table->members[m].player_id)
			i++;
		if (i == wagers->count || wagers->wagers[i].player_id != table->members[m].player_id)
			add_party(all, table->members[m].group, 0, table->members[m].player_id);
	}
}

/* Keep one of each party; returns how many there are. */
static int
fold_parties(Parties *all)
{
	int			kept = 0;

	qsort(all->parties, all->count, sizeof(Party), compare_same);
	for (int i = 0; i < all->count; i++)
	{
		Party	   *last = kept > 0 ? &all->parties[kept - 1] : NULL;
		Party	   *next = &all->parties[i];

		if (last != NULL && next->seat == 0 && last->seat == 0 && last->group == next->group &&
			last->marks == next->marks && last->even_money == next->even_money)
		{
			last->posted_at = Min(last->posted_at, next->posted_at);
			last->recorded_at = Min(last->recorded_at, next->recorded_at);
		}
		else
			all->parties[kept++] = *next;
	}
	return kept;
}

static Party *
find_parties(const BlackjackTable *table, const RoundWagers *wagers, int *count)
{
	Parties		all = {.room = 256};

	all.parties = palloc(sizeof(Party) * all.room);
	for (int first = 0, next; first < wagers->count; first = next)
	{
		next = casino_round_wagers_next_player(wagers, first);
		add_player(&all, table, &wagers->wagers[first], next - first);
	}
	add_members_without_wager(&all, table, wagers);
	*count = fold_parties(&all);
	qsort(all.parties, *count, sizeof(Party), compare_owners);
	return all.parties;
}

/*
 * Where a box was handed over, who decides comes before the others of his seat
 * (find_parties has put first who staked first).
 */
static void
put_owners_first(const RoundState *round, const CasinoBlackjackRules *rules, Party *parties, int nparties)
{
	int64	   *players = palloc(sizeof(int64) * Max(nparties, 1));

	if (rules->absent_owner == CASINO_ABSENT_OWNER_NONE)
		return;
	for (int first = 0, next; first < nparties; first = next)
	{
		int			n = 0;
		int64		owner;

		for (next = first; next < nparties && parties[next].seat == parties[first].seat; next++)
			if (parties[next].marks & MARK_MAIN)
				players[n++] = parties[next].player_id;
		if (parties[first].seat == 0 || n < 2)
			continue;
		owner = casino_blackjack_owner_among(round->round_id, rules, parties[first].seat, players, n);
		for (int p = first + 1; p < next; p++)
			if (parties[p].player_id == owner)
			{
				Party		decides = parties[p];

				memmove(&parties[first + 1], &parties[first], sizeof(Party) * (p - first));
				parties[first] = decides;
			}
	}
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
				casino_outcome_illegal("Player "
									   INT64_FORMAT " takes even money on seat %d, where he has no main bet.",
									   group->hands[h].even[i], group->seat);
		}
}

/*
 * Judge the cards of a group with the wagers of those who play it: the first
 * party decides, others at its seat follow.
 */
static void
check_group(bool table_surrender, const CasinoBlackjackCase *whole, const BlackjackTable *table,
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

	/* what was done with each hand: by its first party, who decides, and by those who follow */
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
		{
			hands[i].flags |= CASINO_PLAYED_EVEN_MONEY;
			/* no card is a byte that is a card */
			if (table->dealer.count == 0)
				casino_outcome_illegal("Even money is not offered before the dealer's first card (R3.30).");
		}
		for (int p = 0; p < nparties; p++)
			if (takes_even_money(hand, &parties[p]) && (parties[p].marks & MARK_INSURANCE))
				hands[i].flags |= CASINO_PLAYED_EVEN_MONEY_INSURED;
	}

	for (int hand = group->nhands + 1; hand <= MARK_HANDS && nparties > 0; hand++)
		if (hand_marks(parties[0].marks, hand) & (MARK_SPLIT | MARK_SPLIT_FREE))
			played.split_waits = true;

	/* who has a wager on a hand that is not there */
	for (int p = 0; p < nparties && !partial; p++)
		check_hands_exist(&parties[p], group);
	if (group->seat > 0)
		check_even_money_players(group, parties, nparties);

	/* could the hand have been played so, by who decides */
	played.count = group->nhands;
	played.hands = hands;
	played.up_card = table->dealer.count > 0 ? table->dealer.cards[0] : 0;
	played.table_surrender = table_surrender;
	played.unfinished = partial;
	if (!casino_blackjack_check_group(&at, &played, &error))
		casino_ereport(&error, "illegal outcome");

	/* and by each who follows, with his own doubles and splits */
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
			casino_outcome_illegal("The hands of a shared box start with the same two cards, not with %s "
								   "%s and %s %s.",
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
		/* the shared box is dealt for whoever has no hand of his own, be there somebody or not (R3.23) */
		if (!staked && group->seat > 0)
			casino_outcome_illegal("Seat %d has cards but no stake.", group->seat);
	}
}

/* See blackjack_table.h. */
void
casino_blackjack_check_alone(const CasinoBlackjackCase *whole, const BlackjackTable *table, int64 marks)
{
	const BlackjackGroup *group = &table->groups[0];
	Party		party = {.seat = group->seat, .group = group->number, .marks = marks};
	bool		unknown = (marks & MARK_MAIN) == 0;
	CasinoError error;

	check_hands_exist(&party, group);
	for (int hand = 2; hand <= group->nhands && unknown; hand++)
		if ((hand_marks(marks, hand) & (MARK_SPLIT | MARK_SPLIT_FREE)) == 0)
			party.marks |= casino_blackjack_mark(CASINO_SPLIT_PAIR, hand);
	check_group(true, whole, table, group, &party, 1, unknown);
	party.marks = marks;
	if (!casino_blackjack_check_dealer(whole, &table->dealer,
									   need_of_party(whole->rules, table, group, &party), &error))
		casino_ereport(&error, "illegal outcome");
}

/* See families.h. */
void
casino_blackjack_check_round(const RoundState *round, const Outcome *outcome, const RoundWagers *wagers,
							 bool partial)
{
	const BlackjackTable *table = casino_blackjack_table_of(outcome);
	CasinoBlackjackRules rules;
	CasinoBlackjackSources sources;
	CasinoBlackjackCase at = {.rules = &rules, .sources = &sources};
	CasinoDealerNeed need = CASINO_NEEDS_UP_CARD;
	CasinoError error;
	int			nparties;
	Party	   *parties = find_parties(table, wagers, &nparties);

	/* who decides comes first of each box: the others are judged by what he did */
	casino_blackjack_plan_load(round->plan_id, &rules, &sources);
	put_owners_first(round, &rules, parties, nparties);
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
		check_group(round->surrender, &at, table, group, &parties[first], next - first, partial);
		for (int p = first; p < next && !partial; p++)
		{
			CasinoDealerNeed one = need_of_party(&rules, table, group, &parties[p]);

			need = Max(need, one);
		}
	}

	/* the dealer draws as far as the hands that still live need him */
	if (partial && table->dealer.count == 0)
		return;
	if (!casino_blackjack_check_dealer(&at, &table->dealer, need, &error))
		casino_ereport(&error, "illegal outcome");
}
