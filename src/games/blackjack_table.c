/*
 * blackjack_table.c
 *	  The cards of a blackjack round as they stand in casino.dealt_hand.
 */
#include "games/blackjack_table.h"

#include "catalog/pg_type.h"
#include "utils/array.h"

#include "core/games/blackjack_dealer.h"
#include "server/query.h"

static PreparedQuery load_hands = {
	.sql = "SELECT side, seat, group_no, cards, surrendered, even_money, even_money_players, players"
	"  FROM casino.dealt_hand WHERE round_id = $1 AND side IN ('dealer', 'box')"
	" ORDER BY side = 'box', seat, group_no, hand",
	.args = {ARG_INT8}
};

/* its columns */
enum
{
	HAND_SIDE = 1, HAND_SEAT, HAND_GROUP, HAND_CARDS, HAND_SURRENDERED, HAND_EVEN_MONEY, HAND_EVEN_PLAYERS,
	HAND_PLAYERS
};

/* A column of type bigint[]. */
static int64 *
int64_array(uint64 row, int column, int *count)
{
	bool		isnull;
	Datum		value = casino_column(row, column, ARG_INT8_ARRAY, &isnull);
	int64	   *numbers;
	Datum	   *datums;

	*count = 0;
	if (isnull)
		return NULL;
	deconstruct_array(DatumGetArrayTypeP(value), INT8OID, sizeof(int64), FLOAT8PASSBYVAL,
					  TYPALIGN_DOUBLE, &datums, NULL, count);
	numbers = palloc(sizeof(int64) * Max(*count, 1));
	for (int i = 0; i < *count; i++)
		numbers[i] = DatumGetInt64(datums[i]);
	return numbers;
}

static int
compare_members(const void *a, const void *b)
{
	int64		left = ((const BlackjackMember *) a)->player_id;
	int64		right = ((const BlackjackMember *) b)->player_id;

	return left < right ? -1 : left > right;
}

/* List the players of a shared box, so that each is found without a look at every group. */
static void
index_members(BlackjackTable *table)
{
	int			n = 0;

	for (int g = 0; g < table->ngroups; g++)
		if (table->groups[g].seat == 0)
			n += table->groups[g].nplayers;
	table->members = palloc(sizeof(BlackjackMember) * Max(n, 1));
	for (int g = 0; g < table->ngroups; g++)
	{
		const BlackjackGroup *group = &table->groups[g];

		if (group->seat != 0)
			continue;
		if (group->number == 0)
			table->everybodys = group;
		for (int p = 0; p < group->nplayers; p++)
		{
			table->members[table->nmembers].player_id = group->players[p];
			table->members[table->nmembers++].group = group;
		}
	}
	qsort(table->members, table->nmembers, sizeof(BlackjackMember), compare_members);
}

const BlackjackTable *
casino_blackjack_table_load(int64 round_id)
{
	Datum		values[1] = {Int64GetDatum(round_id)};
	uint64		rows = casino_read_latest(&load_hands, values, NULL);
	BlackjackTable *table;

	if (rows == 0)
		return NULL;
	table = palloc0(sizeof(BlackjackTable));
	table->groups = palloc0(sizeof(BlackjackGroup) * rows);
	for (uint64 row = 0; row < rows; row++)
	{
		int			seat = casino_column_int(row, HAND_SEAT);
		int			number = casino_column_int(row, HAND_GROUP);
		BlackjackGroup *group = table->ngroups > 0 ? &table->groups[table->ngroups - 1] : NULL;
		BlackjackHand *hand;

		if (strcmp(casino_column_word(row, HAND_SIDE), "dealer") == 0)
		{
			casino_datum_get_hand(casino_column(row, HAND_CARDS, ARG_HAND, NULL), &table->dealer);
			continue;
		}
		/* rows come by seat, group and number: a new group begins where one of these changes */
		if (group == NULL || group->seat != seat || group->number != number)
		{
			group = &table->groups[table->ngroups++];
			group->seat = seat;
			group->number = number;
			group->players = int64_array(row, HAND_PLAYERS, &group->nplayers);
			group->hands = palloc0(sizeof(BlackjackHand));
		}
		else
			group->hands = repalloc(group->hands, sizeof(BlackjackHand) * (group->nhands + 1));
		hand = &group->hands[group->nhands++];
		casino_datum_get_hand(casino_column(row, HAND_CARDS, ARG_HAND, NULL), &hand->cards);
		hand->surrendered = casino_column_bool(row, HAND_SURRENDERED);
		hand->even_money = casino_column_bool(row, HAND_EVEN_MONEY);
		hand->even = int64_array(row, HAND_EVEN_PLAYERS, &hand->neven);
	}
	index_members(table);
	return table;
}

const BlackjackTable *
casino_blackjack_table_of(const Outcome *outcome)
{
	BlackjackTable *table = palloc0(sizeof(BlackjackTable));
	BlackjackGroup *group = NULL;

	table->groups = palloc0(sizeof(BlackjackGroup) * Max(outcome->nhands, 1));
	for (int i = 0; i < outcome->nhands; i++)
	{
		const OutcomeHand *dealt = &outcome->hands[i];
		BlackjackHand *hand;

		if (strcmp(dealt->side, "dealer") == 0)
		{
			table->dealer = dealt->cards;
			continue;
		}
		/* hands come by seat, group and number: a new group begins where one of these changes */
		if (group == NULL || group->seat != dealt->seat || group->number != dealt->group)
		{
			group = &table->groups[table->ngroups++];
			group->seat = dealt->seat;
			group->number = dealt->group;
			group->players = dealt->players;
			group->nplayers = dealt->nplayers;
			group->hands = palloc0(sizeof(BlackjackHand));
		}
		else
			group->hands = repalloc(group->hands, sizeof(BlackjackHand) * (group->nhands + 1));
		hand = &group->hands[group->nhands++];
		hand->cards = dealt->cards;
		hand->surrendered = dealt->surrendered;
		hand->even_money = dealt->even_money;
		hand->even = dealt->even;
		hand->neven = dealt->neven;
	}
	index_members(table);
	return table;
}

const BlackjackGroup *
casino_blackjack_group_of(const BlackjackTable *table, int seat, int64 player_id)
{
	BlackjackMember key = {.player_id = player_id};
	const BlackjackMember *member;

	for (int g = 0; seat > 0 && g < table->ngroups; g++)
		if (table->groups[g].seat == seat)
			return &table->groups[g];
	if (seat > 0)
		return NULL;
	member = bsearch(&key, table->members, table->nmembers, sizeof(BlackjackMember), compare_members);
	return member != NULL ? member->group : table->everybodys;
}

/*
 * R3.63.  A hole card lies face down.  Two cards of the dealer say how the hand ends only at a game without a
 * hole card, or when they are a blackjack.
 */
bool
casino_blackjack_is_decided(const CasinoBlackjackRules *rules, const BlackjackTable *table,
							const BlackjackGroup *group, int64 player_id, bool insures,
							BlackjackDecided *decided)
{
	int			unseen = rules->hole_card && !insures &&
	!casino_blackjack_dealer_has_blackjack(&table->dealer) ? 2 : 1;

	memset(decided, 0, sizeof(*decided));
	if (table->dealer.count > unseen)
	{
		decided->reason = REFUSAL_DEALER_HAS_DRAWN;
		decided->cards = table->dealer.count;
		decided->detail = psprintf("The dealer has %d cards.", table->dealer.count);
		return true;
	}
	for (int i = 0; group != NULL && i < group->nhands; i++)
	{
		const BlackjackHand *hand = &group->hands[i];
		bool		paid = hand->even_money;

		for (int p = 0; p < hand->neven; p++)
			paid = paid || hand->even[p] == player_id;
		if (!hand->surrendered && !paid)
			continue;
		decided->reason = hand->surrendered ? REFUSAL_HAS_SURRENDERED : REFUSAL_EVEN_MONEY_TAKEN;
		decided->detail = hand->surrendered ? "The hand was surrendered." : "The player took even money.";
		return true;
	}
	return false;
}
