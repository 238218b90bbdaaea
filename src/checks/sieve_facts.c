/*
 * sieve_facts.c
 *	  What the sieve holds entries against: plans, versions of tables, rounds.
 *
 * Read as they are now, by SQL of its own.  What cannot be read as it should
 * (an amount that is none, a rule that does not exist) makes its plan or round
 * one that nothing fits, so that the checks look at it.
 */
#include "checks/sieve.h"

#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "server/query.h"

#define ROWS_AT_A_TIME	10000

typedef void (*TakeRow) (SieveFacts *facts, uint64 row);

static TimestampTz
known_from(const SieveDays *days)
{
	return TIMESTAMP_IS_NOBEGIN(days->since) ? days->since : days->since - SIEVE_BEFORE;
}

static TimestampTz
known_until(const SieveDays *days)
{
	return TIMESTAMP_IS_NOEND(days->until) ? days->until : days->until + SIEVE_AFTER;
}

/* Each row of a query, some at a time; $1 and $2 are the time whose rounds are known. */
static void
each_row(SieveFacts *facts, const char *sql, TakeRow take)
{
	Oid			types[] = {TIMESTAMPTZOID, TIMESTAMPTZOID};
	Datum		values[] = {TimestampTzGetDatum(known_from(&facts->days)),
	TimestampTzGetDatum(known_until(&facts->days))};
	int			nargs = strstr(sql, "$1") == NULL ? 0 : lengthof(types);
	Portal		portal = SPI_cursor_open_with_args(NULL, sql, nargs, types, values, NULL, true,
												   CURSOR_OPT_NO_SCROLL);
	MemoryContext batch = AllocSetContextCreate(CurrentMemoryContext, "casino sieve rows",
												ALLOCSET_DEFAULT_SIZES);
	MemoryContext saved = MemoryContextSwitchTo(batch);
	uint64		rows;

	do
	{
		SPI_cursor_fetch(portal, true, ROWS_AT_A_TIME);
		rows = SPI_processed;
		for (uint64 row = 0; row < rows; row++)
			take(facts, row);
		SPI_freetuptable(SPI_tuptable);
		MemoryContextReset(batch);
	} while (rows > 0);
	MemoryContextSwitchTo(saved);
	MemoryContextDelete(batch);
	SPI_cursor_close(portal);
}

/* Room for one more. */
static void *
one_more(const SieveFacts *facts, void *array, int count, size_t size)
{
	if (count == 0)
		return MemoryContextAlloc(facts->context, size * 16);
	if (count >= 16 && (count & (count - 1)) == 0)
		return repalloc_huge(array, size * 2 * (size_t) count);
	return array;
}

/* haléře of a column, -1 for none; what is no amount is -2. */
static int64
amount_column(uint64 row, int column)
{
	bool		isnull;
	Datum		value = casino_column(row, column, ARG_NUMERIC, &isnull);
	int64		halere;

	if (isnull)
		return -1;
	return casino_numeric_try_halere(value, &halere) && halere >= 0 ? halere : -2;
}

static char
letter_column(uint64 row, int column)
{
	char	   *text = casino_column_cstring(row, column);

	return text == NULL ? '\0' : text[0];
}

static int
kind_column(uint64 row, int column)
{
	char	   *text = casino_column_cstring(row, column);

	return text == NULL ? 0 : casino_bet_kind_lookup(text, strlen(text));
}

static bool
bool_column(uint64 row, int column)
{
	bool		isnull;
	Datum		value = casino_column(row, column, ARG_BOOL, &isnull);

	return !isnull && DatumGetBool(value);
}

static int
int_column(uint64 row, int column)
{
	bool		isnull;
	Datum		value = casino_column(row, column, ARG_INT4, &isnull);

	return isnull ? 0 : DatumGetInt32(value);
}

/* ------------------------------------------------------------ plans and tables */

static SievePlan *
find_plan(const SieveFacts *facts, int64 plan_id)
{
	for (int i = 0; i < facts->nplans; i++)
	{
		if (facts->plans[i]->plan_id == plan_id)
			return facts->plans[i];
	}
	return NULL;
}

static void
take_plan(SieveFacts *facts, uint64 row)
{
	SievePlan  *plan = MemoryContextAllocZero(facts->context, sizeof(SievePlan));
	const char *family = casino_column_cstring(row, 2);

	plan->plan_id = casino_column_int64(row, 1);
	plan->family = family == NULL ? CASINO_FAMILY_NONE : casino_family_lookup(family);
	plan->live = bool_column(row, 3);
	plan->round_most = amount_column(row, 4);
	for (int i = 0; i < CASINO_BET_KIND_END; i++)
		plan->paytable.declared_win[i] = CASINO_NO_CAP;
	facts->plans = one_more(facts, facts->plans, facts->nplans, sizeof(SievePlan *));
	facts->plans[facts->nplans++] = plan;
}

static void
take_rule(SieveFacts *facts, uint64 row)
{
	SievePlan  *plan = find_plan(facts, casino_column_int64(row, 1));
	const char *rule = casino_column_cstring(row, 2);
	const char *value = casino_column_cstring(row, 3);
	CasinoError error;

	if (plan == NULL || plan->family != CASINO_FAMILY_BLACKJACK)
		return;
	if (rule == NULL || value == NULL)
	{
		plan->family = CASINO_FAMILY_NONE;
		return;
	}
	if (!casino_blackjack_rule_set(&plan->rules, rule, value, &error))
		plan->family = CASINO_FAMILY_NONE;
	if (strcmp(rule, "box_limit") == 0 && strcmp(value, "together") == 0)
		plan->box_together = true;
}

static void
take_bet_rule(SieveFacts *facts, uint64 row)
{
	SievePlan  *plan = find_plan(facts, casino_column_int64(row, 1));
	int			kind = kind_column(row, 2);
	int64		declared = amount_column(row, 5);

	if (plan == NULL || kind == 0)
		return;
	plan->offered[kind] = true;
	plan->limits[kind].least = amount_column(row, 3);
	plan->limits[kind].most = amount_column(row, 4);
	if (declared != -1)
		plan->paytable.declared_win[kind] = declared;
	plan->table_limits[kind] = letter_column(row, 6);
	plan->phase[kind] = letter_column(row, 7);
	plan->zero_offered[kind] = bool_column(row, 8);
}

static void
take_odds(SieveFacts *facts, uint64 row)
{
	SievePlan  *plan = find_plan(facts, casino_column_int64(row, 1));
	int			kind = kind_column(row, 2);
	const char *grade = casino_column_cstring(row, 3);

	if (plan == NULL || kind == 0 || grade == NULL)
		return;
	for (int i = CASINO_LOSE; i < CASINO_GRADE_END; i++)
	{
		if (strcmp(grade, casino_grade_name((CasinoGrade) i)) == 0)
		{
			plan->paytable.odds.lines[kind][i].num = int_column(row, 4);
			plan->paytable.odds.lines[kind][i].den = int_column(row, 5);
		}
	}
}

static SieveTable *
find_table(const SieveFacts *facts, int64 table_id, int version)
{
	for (int i = 0; i < facts->ntables; i++)
	{
		if (facts->tables[i].table_id == table_id && facts->tables[i].version == version)
			return &facts->tables[i];
	}
	return NULL;
}

static void
take_table(SieveFacts *facts, uint64 row)
{
	SieveTable *table;

	facts->tables = one_more(facts, facts->tables, facts->ntables, sizeof(SieveTable));
	table = &facts->tables[facts->ntables++];
	table->table_id = casino_column_int64(row, 1);
	table->version = int_column(row, 2);
	table->limit.least = amount_column(row, 3);
	table->limit.most = amount_column(row, 4);
	for (int i = 0; i < CASINO_BET_KIND_END; i++)
		table->limits[i].least = table->limits[i].most = -1;
}

static void
take_table_limit(SieveFacts *facts, uint64 row)
{
	SieveTable *table = find_table(facts, casino_column_int64(row, 1), int_column(row, 2));
	int			kind = kind_column(row, 3);

	if (table == NULL || kind == 0)
		return;
	table->limits[kind].least = amount_column(row, 4);
	table->limits[kind].most = amount_column(row, 5);
}

/* ------------------------------------------------------------ rounds */

/* False when it is none. */
static bool
status_column(uint64 row, int column, RoundStatus *status)
{
	const char *text = casino_column_cstring(row, column);

	for (int i = ROUND_OPEN; text != NULL && i <= ROUND_VOIDED; i++)
	{
		*status = (RoundStatus) i;
		if (strcmp(text, casino_round_status_name(*status)) == 0)
			return true;
	}
	*status = ROUND_OPEN;
	return false;
}

/* A time of a round: finite, or not there. */
static bool
time_column(uint64 row, int column, TimestampTz if_null, TimestampTz *time)
{
	bool		isnull;

	(void) casino_column_untyped(row, column, &isnull);
	*time = casino_column_time(row, column, if_null);
	return isnull || !TIMESTAMP_NOT_FINITE(*time);
}

/* When what happened; false when a row says what cannot be. */
static bool
take_times(SieveRound *round, uint64 row)
{
	bool		known = status_column(row, 5, &round->status);

	known &= time_column(row, 6, DT_NOBEGIN, &round->opened_at) && round->opened_at != DT_NOBEGIN;
	known &= time_column(row, 7, DT_NOBEGIN, &round->betting_closed_at);
	known &= time_column(row, 8, DT_NOBEGIN, &round->actions_closed_at);
	known &= time_column(row, 9, DT_NOBEGIN, &round->evaluated_at);
	known &= time_column(row, 15, DT_NOEND, &round->betting_until);
	known &= time_column(row, 16, DT_NOEND, &round->recorded_at);
	known &= round->betting_closed_at == DT_NOBEGIN ||
		(round->betting_closed_at >= round->opened_at &&
		 (round->evaluated_at == DT_NOBEGIN || round->evaluated_at >= round->betting_closed_at));
	return known && (round->evaluated_at != DT_NOBEGIN) == (round->status > ROUND_CLOSED);
}

static void
take_round(SieveFacts *facts, uint64 row)
{
	const char *number = casino_column_cstring(row, 10);
	SieveRound *round;
	bool		isnull;

	facts->rounds = one_more(facts, facts->rounds, facts->nrounds, sizeof(SieveRound));
	round = &facts->rounds[facts->nrounds++];
	round->round_id = casino_column_int64(row, 1);
	/* rounds of one plan and table mostly follow each other */
	round->plan = facts->nrounds > 1 ? round[-1].plan : NULL;
	if (round->plan == NULL || round->plan->plan_id != casino_column_int64(row, 2))
		round->plan = find_plan(facts, casino_column_int64(row, 2));
	round->table = find_table(facts, casino_column_int64(row, 3), int_column(row, 4));
	round->impossible = !take_times(round, row);
	round->number = number != NULL && strlen(number) <= 2 &&
		strspn(number, "0123456789") == strlen(number) && number[0] != '\0' ?
		(int16) atoi(number) : -1;
	(void) casino_column_untyped(row, 11, &isnull);
	round->wagers = isnull ? -1 : casino_column_int64(row, 11);
	(void) casino_column_untyped(row, 12, &isnull);
	round->players = isnull ? -1 : casino_column_int64(row, 12);
	round->staked = amount_column(row, 13);
	round->paid = amount_column(row, 14);
	round->paid_at = casino_column_time(row, 17, round->evaluated_at);
	round->exact = round->status == ROUND_WITHHELD || round->impossible;
	round->counted = TIMESTAMP_IS_NOBEGIN(facts->days.since) ||
		(round->evaluated_at >= facts->days.since && round->evaluated_at < facts->days.until);
	round->unfit = round->impossible || (!round->counted && round->opened_at < known_from(&facts->days));
	round->hands = NULL;
}

/* Of single players winnings are or were withheld, or cards were corrected: the checks look at it. */
static void
take_withholding(SieveFacts *facts, uint64 row)
{
	int			place = casino_sieve_round(facts, casino_column_int64(row, 1));

	if (place >= 0)
		facts->rounds[place].exact = true;
}

static int
ascending(const void *a, const void *b)
{
	int64		x = *(const int64 *) a;
	int64		y = *(const int64 *) b;

	return x < y ? -1 : x > y;
}

/* The numbers of an array, ascending whatever their order in the row. */
static int64 *
numbers_column(const SieveFacts *facts, uint64 row, int column, int *count)
{
	bool		isnull;
	Datum		value = casino_column(row, column, ARG_INT8_ARRAY, &isnull);
	ArrayType  *array;
	int64	   *numbers;

	*count = 0;
	if (isnull)
		return NULL;
	array = DatumGetArrayTypeP(value);
	*count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	if (*count == 0 || ARR_HASNULL(array))
	{
		*count = 0;
		return NULL;
	}
	numbers = MemoryContextAlloc(facts->context, sizeof(int64) * (size_t) *count);
	memcpy(numbers, ARR_DATA_PTR(array), sizeof(int64) * (size_t) *count);
	qsort(numbers, (size_t) *count, sizeof(int64), ascending);
	return numbers;
}

static void
take_hand(SieveFacts *facts, uint64 row)
{
	int			place = casino_sieve_round(facts, casino_column_int64(row, 1));
	const char *side = casino_column_cstring(row, 2);
	CasinoDealtHand *hand;
	Datum		cards;
	bool		isnull;

	if (place < 0)
		return;
	cards = casino_column(row, 6, ARG_HAND, &isnull);
	if (side == NULL || isnull)
	{
		facts->rounds[place].exact = true;
		return;
	}
	hand = MemoryContextAllocZero(facts->context, sizeof(CasinoDealtHand));
	hand->side = casino_dealt_side_letter(side);
	hand->seat = int_column(row, 3);
	hand->group = int_column(row, 4);
	hand->number = int_column(row, 5);
	casino_datum_get_hand(cards, &hand->cards);
	hand->surrendered = bool_column(row, 7);
	hand->even_money = bool_column(row, 8);
	hand->even = numbers_column(facts, row, 9, &hand->neven);
	hand->players = numbers_column(facts, row, 10, &hand->nplayers);
	hand->next = facts->rounds[place].hands;
	facts->rounds[place].hands = hand;
}

/*
 * Numbers of rounds are given out one after the other: the place is near the
 * number, and found by halving where some are missing.
 */
int
casino_sieve_round(const SieveFacts *facts, int64 round_id)
{
	int64		guess;
	int			low = 0;
	int			high = facts->nrounds - 1;

	if (facts->nrounds == 0)
		return -1;
	guess = round_id - facts->rounds[0].round_id;
	if (guess >= 0 && guess < facts->nrounds && facts->rounds[guess].round_id == round_id)
		return (int) guess;
	while (low <= high)
	{
		int			middle = low + (high - low) / 2;

		if (facts->rounds[middle].round_id == round_id)
			return middle;
		if (facts->rounds[middle].round_id < round_id)
			low = middle + 1;
		else
			high = middle - 1;
	}
	return -1;
}

/* Figures of betting sequences, in minutes, as they stand in their table. */
static void
take_figure(SieveFacts *facts, uint64 row)
{
	char	   *name = casino_column_cstring(row, 1);
	bool		of_break = name != NULL && strcmp(name, "break_minutes") == 0;
	int		   *n = of_break ? &facts->nbreaks : &facts->nsequences;
	SieveFigure **figures = of_break ? &facts->breaks : &facts->sequences;

	*figures = one_more(facts, *figures, *n, sizeof(SieveFigure));
	(*figures)[*n].valid_from = casino_column_time(row, 2, DT_NOBEGIN);
	(*figures)[*n].usecs = casino_column_int64(row, 3) * USECS_PER_MINUTE;
	(*n)++;
}

/* Sums before the days; not known where a column has no amount. */
static int64
sum_column(uint64 row, int column, bool *known)
{
	bool		isnull;
	Datum		value = casino_column(row, column, ARG_NUMERIC, &isnull);
	int64		halere = 0;

	if (!isnull && !casino_numeric_try_halere(value, &halere))
		*known = false;
	return halere;
}

static void
take_limited(SieveFacts *facts, uint64 row)
{
	SieveLimited *limited;

	facts->limited = one_more(facts, facts->limited, facts->nlimited, sizeof(SieveLimited));
	limited = &facts->limited[facts->nlimited++];
	limited->player_id = casino_column_int64(row, 1);
	limited->known = bool_column(row, 8);
	for (int i = 0; i < SIEVE_MEASURES; i++)
	{
		limited->least[i] = amount_column(row, 2 + i);
		limited->known = limited->known && limited->least[i] >= -1;
	}
	limited->staked = sum_column(row, 6, &limited->known);
	limited->lost = sum_column(row, 7, &limited->known);
}

/* Rounds that entries may be of: with those that are not evaluated. */
#define KNOWN_ROUND	"(r.evaluated_at BETWEEN $1 AND $2 OR r.evaluated_at IS NULL" \
	" OR r.evaluated_at IN ('infinity', '-infinity'))"

SieveFacts *
casino_sieve_facts(MemoryContext context, const SieveDays *days)
{
	SieveFacts *facts = MemoryContextAllocZero(context, sizeof(SieveFacts));

	facts->context = context;
	facts->days = *days;
	each_row(facts, "SELECT p.plan_id, g.family, g.live, p.round_max_stake FROM casino.game_plan p"
			 " JOIN casino.game g ON g.game = p.game",
			 take_plan);
	each_row(facts, "SELECT u.plan_id, u.rule, u.value FROM casino.plan_rule u", take_rule);
	each_row(facts, "SELECT b.plan_id, b.kind, b.min_stake, b.max_stake, b.declared_win, b.table_limits, "
			 "b.phase, b.zero_offered FROM casino.bet_rule b",
			 take_bet_rule);
	each_row(facts, "SELECT t.plan_id, t.kind, t.grade, t.num, t.den FROM casino.paytable t", take_odds);
	each_row(facts, "SELECT d.name, d.valid_from, substring(d.value FROM '^\\d+')::bigint"
			 " FROM casino.duty_rule d WHERE d.name IN ('break_minutes', 'sequence_minutes')"
			 " ORDER BY d.valid_from", take_figure);
	each_row(facts, "SELECT v.table_id, v.version, v.min_stake, v.max_stake FROM casino.table_version v",
			 take_table);
	each_row(facts, "SELECT l.table_id, l.version, l.kind, l.min_stake, l.max_stake"
			 " FROM casino.table_limit l", take_table_limit);
	each_row(facts, "SELECT r.round_id, r.plan_id, r.table_id, r.table_version, r.status, r.opened_at, "
			 "r.betting_closed_at, r.actions_closed_at,"
			 " r.evaluated_at, r.outcome ->> 'number', r.wagers, r.players, r.staked, r.paid, "
			 "r.betting_until, r.evaluation_recorded_at,"
			 " r.withheld_paid_at FROM casino.round r WHERE " KNOWN_ROUND
			 " ORDER BY r.round_id",
			 take_round);
	each_row(facts, "SELECT w.round_id FROM casino.withholding w UNION SELECT e.round_id"
			 " FROM casino.withholding_end e"
			 " UNION SELECT c.round_id FROM casino.deal_correction c"
			 " UNION SELECT c.round_id FROM casino.correction_decision c", take_withholding);
	each_row(facts, "SELECT d.round_id, d.side, d.seat, d.group_no, d.hand, d.cards, d.surrendered, "
			 "d.even_money, d.even_money_players, d.players"
			 " FROM casino.round r JOIN casino.dealt_hand d ON d.round_id = r.round_id WHERE " KNOWN_ROUND,
			 take_hand);
	/* the days alone: SIEVE_BEFORE, SIEVE_AFTER */
	each_row(facts, "SELECT l.player_id, l.stake_day, l.stake_month, l.loss_day, l.loss_month,"
			 " l.staked, l.lost, l.known"
			 " FROM casino_internal.limits_to_sieve($1 + interval '6 hours', $2 - interval '24 hours') l"
			 " ORDER BY l.player_id",
			 take_limited);
	return facts;
}
