/*
 * blackjack_table.c
 *	  The cards of a blackjack round as they stand in casino.dealt_hand.
 */
#include "games/blackjack_table.h"

#include "catalog/pg_type.h"
#include "utils/array.h"

static LedgerQuery load_hands = {
	.sql = "SELECT side, seat, group_no, cards, surrendered, even_money, even_money_players, players"
	"  FROM casino.dealt_hand WHERE round_id = $1 AND side IN ('dealer', 'box')"
	" ORDER BY side = 'box', seat, group_no, hand",
	.args = {ARG_INT8}
};

static LedgerQuery load_rules = {
	.sql = "SELECT rule, value, paragraph FROM casino.plan_rule WHERE plan_id = $1",
	.args = {ARG_INT8}
};

void
casino_blackjack_plan_load(int64 plan_id, CasinoBlackjackRules *rules, CasinoBlackjackSources *sources)
{
	Datum		values[1] = {Int64GetDatum(plan_id)};
	uint64		rows = casino_look(&load_rules, values, NULL);
	CasinoError error;

	memset(rules, 0, sizeof(*rules));
	memset(sources, 0, sizeof(*sources));
	for (uint64 row = 0; row < rows; row++)
	{
		char	   *name = casino_column_cstring(row, 1);
		int			rule = casino_blackjack_rule_lookup(name);

		if (!casino_blackjack_rule_set(rules, name, casino_column_cstring(row, 2), &error))
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("the game plan has a wrong rule \"%s\"", name),
					 errdetail_internal("%s", error.detail)));
		sources->paragraph[rule] = casino_column_cstring(row, 3);
	}
	if (!casino_blackjack_rules_complete(rules, &error))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the game plan lacks a rule of blackjack"),
				 errdetail_internal("%s", error.detail)));
}

/* A column of type bigint[]. */
static int64 *
int64_array(uint64 row, int column, int *count)
{
	bool		isnull;
	Datum		value = casino_column(row, column, &isnull);
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

const BlackjackTable *
casino_blackjack_table_load(int64 round_id)
{
	Datum		values[1] = {Int64GetDatum(round_id)};
	uint64		rows = casino_look(&load_hands, values, NULL);
	BlackjackTable *table;
	bool		isnull;

	if (rows == 0)
		return NULL;
	table = palloc0(sizeof(BlackjackTable));
	table->groups = palloc0(sizeof(BlackjackGroup) * rows);
	for (uint64 row = 0; row < rows; row++)
	{
		int			seat = DatumGetInt32(casino_column(row, 2, &isnull));
		int			number = DatumGetInt32(casino_column(row, 3, &isnull));
		BlackjackGroup *group = table->ngroups > 0 ? &table->groups[table->ngroups - 1] : NULL;
		BlackjackHand *hand;

		if (strcmp(casino_column_cstring(row, 1), "dealer") == 0)
		{
			casino_datum_get_hand(casino_column(row, 4, &isnull), &table->dealer);
			continue;
		}
		if (group == NULL || group->seat != seat || group->number != number)
		{
			group = &table->groups[table->ngroups++];
			group->seat = seat;
			group->number = number;
			group->players = int64_array(row, 8, &group->nplayers);
			group->hands = palloc0(sizeof(BlackjackHand));
		}
		else
			group->hands = repalloc(group->hands, sizeof(BlackjackHand) * (group->nhands + 1));
		hand = &group->hands[group->nhands++];
		casino_datum_get_hand(casino_column(row, 4, &isnull), &hand->cards);
		hand->surrendered = DatumGetBool(casino_column(row, 5, &isnull));
		hand->even_money = DatumGetBool(casino_column(row, 6, &isnull));
		hand->even = int64_array(row, 7, &hand->neven);
	}
	return table;
}

/* Does an ascending list have the player? */
static bool
has_player(const int64 *players, int n, int64 player_id)
{
	int			low = 0;
	int			high = n;

	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (players[middle] < player_id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && players[low] == player_id;
}

const BlackjackGroup *
casino_blackjack_group_of(const BlackjackTable *table, int seat, int64 player_id)
{
	const BlackjackGroup *everybodys = NULL;

	for (int i = 0; i < table->ngroups; i++)
	{
		const BlackjackGroup *group = &table->groups[i];

		if (group->seat != seat)
			continue;
		if (group->number == 0)
			everybodys = group;
		else if (has_player(group->players, group->nplayers, player_id))
			return group;
	}
	return everybodys;
}
