/*
 * row_trigger.c
 *	  ledger_post(): the BEFORE INSERT row trigger that every entry passes.
 *
 * Rows of our own statements, checked before, pass untouched.  Any other row
 * is held to the same rules as the functions: the player's row is locked, the
 * request must be new, the rules of the kind are checked, the row is numbered
 * and the player's row brought up to date.  Runs before NOT NULL and CHECK.
 */
#include "ledger.h"

#include "access/htup_details.h"
#include "commands/trigger.h"
#include "utils/builtins.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

#include "entry_kinds.h"

/* Columns of casino.ledger as the client gave them. */
typedef struct Entry
{
	bool		has_player_id, has_entry_no, has_amount, has_round_id, has_bet, has_seat,
				has_hand, has_stake_entry_no, has_posted_at, has_request_line;
	int64		player_id;
	int64		entry_no;
	char	   *kind;
	int64		amount;			/* haléře */
	int64		round_id;
	CasinoBet	bet;
	int			seat;
	int			hand;
	int64		stake_entry_no;
	char	   *grade;			/* NULL: none */
	text	   *request_id;		/* NULL: none */
	int			request_line;
	char	   *reason;			/* NULL: none */
	TimestampTz posted_at;
} Entry;

static LedgerQuery find_stake = {
	.sql = "SELECT s.round_id, s.amount, s.seat, s.hand FROM casino.ledger s"
	" WHERE s.player_id = $1 AND s.entry_no = $2 AND s.kind = 'stake'",
	.args = {ARG_INT8, ARG_INT8}
};

static LedgerQuery find_return = {
	.sql = "SELECT f.kind, f.entry_no FROM casino.ledger f"
	" WHERE f.player_id = $1 AND f.stake_entry_no = $2",
	.args = {ARG_INT8, ARG_INT8}
};

static LedgerQuery evaluate_stake = {
	.sql = "SELECT e.payout, e.grade FROM casino.evaluation e"
	" WHERE e.round_id = $1 AND e.player_id = $2 AND e.entry_no = $3",
	.args = {ARG_INT8, ARG_INT8, ARG_INT8}
};

/* Value of a column by name; NULL columns give 0 and *given = false. */
static Datum
column(const TriggerData *trigger, const char *name, bool *given)
{
	TupleDesc	desc = RelationGetDescr(trigger->tg_relation);
	int			number = SPI_fnumber(desc, name);
	bool		isnull;
	Datum		value;

	if (number <= 0)
		elog(ERROR, "casino.ledger has no column \"%s\"", name);
	value = heap_getattr(trigger->tg_trigtuple, number, desc, &isnull);
	*given = !isnull;
	return isnull ? (Datum) 0 : value;
}

/* Text of a column, palloc'ed; NULL when it is null. */
static char *
text_column(const TriggerData *trigger, const char *name)
{
	bool		given;
	Datum		value = column(trigger, name, &given);

	return given ? TextDatumGetCString(value) : NULL;
}

/* All columns of the new row. */
static void
read_entry(const TriggerData *trigger, Entry *entry)
{
	bool		given;
	Datum		value;

	memset(entry, 0, sizeof(*entry));
	entry->player_id = DatumGetInt64(column(trigger, "player_id", &entry->has_player_id));
	entry->entry_no = DatumGetInt64(column(trigger, "entry_no", &entry->has_entry_no));
	entry->kind = text_column(trigger, "kind");
	value = column(trigger, "amount", &entry->has_amount);
	if (entry->has_amount)
		entry->amount = casino_numeric_to_halere_signed(DatumGetNumeric(value));
	entry->round_id = DatumGetInt64(column(trigger, "round_id", &entry->has_round_id));
	value = column(trigger, "bet", &entry->has_bet);
	if (entry->has_bet)
		entry->bet = *DatumGetBet(value);
	entry->seat = DatumGetInt32(column(trigger, "seat", &entry->has_seat));
	entry->hand = DatumGetInt32(column(trigger, "hand", &entry->has_hand));
	entry->stake_entry_no = DatumGetInt64(column(trigger, "stake_entry_no",
												 &entry->has_stake_entry_no));
	entry->grade = text_column(trigger, "grade");
	value = column(trigger, "request_id", &given);
	entry->request_id = given ? DatumGetTextPCopy(value) : NULL;
	entry->request_line = DatumGetInt32(column(trigger, "request_line", &entry->has_request_line));
	entry->reason = text_column(trigger, "reason");
	entry->posted_at = DatumGetTimestampTz(column(trigger, "posted_at", &entry->has_posted_at));
	if (!entry->has_posted_at)
		entry->posted_at = GetCurrentTimestamp();
}

/* 22004/22023: columns that a kind needs or may not have. */
static void
check_columns(const Entry *entry, bool round, bool bet, bool stake)
{
	if (entry->has_round_id && !round)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("an entry of kind %s has no round", entry->kind)));
	if (entry->has_bet != bet)
		ereport(ERROR, (errcode(bet ? ERRCODE_NULL_VALUE_NOT_ALLOWED : ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg(bet ? "an entry of kind %s needs a bet" : "an entry of kind %s has no bet",
							   entry->kind)));
	if (entry->has_stake_entry_no != stake)
		ereport(ERROR, (errcode(stake ? ERRCODE_NULL_VALUE_NOT_ALLOWED : ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg(stake ? "an entry of kind %s needs its stake_entry_no" :
							   "an entry of kind %s has no stake_entry_no", entry->kind)));
	if ((entry->has_seat || entry->has_hand) && !round)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("an entry of kind %s has no seat and hand", entry->kind)));
	if (entry->grade != NULL && !stake)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("an entry of kind %s has no grade", entry->kind)));
}

/* A stake: the same checks as place_bet(). */
static void
post_stake(Entry *entry, PlayerState *player)
{
	Wager		wager = {0};
	Wager	   *lying;
	RoundState	round;
	int			nlying;
	int			kind;
	int64		cost;

	check_columns(entry, true, true, false);
	if (!entry->has_round_id)
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("a stake needs its round_id")));
	if ((entry->has_seat && entry->seat < 1) || (entry->has_hand && entry->hand < 1))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("seats and hands are numbered from 1")));
	cost = casino_wager_cost(&entry->bet);
	if (entry->has_amount && entry->amount != cost)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("the amount of the stake must be %s CZK, not %s",
							   casino_money_cstring(cost), casino_money_cstring(entry->amount)),
						errdetail("It is that of its bet; a free wager takes nothing.")));
	wager.bet = entry->bet;
	wager.seat = entry->seat;
	wager.hand = entry->hand;
	kind = entry->bet.kind;
	casino_round_load(entry->round_id, &kind, 1, &round);
	casino_round_check_time(&round, entry->posted_at, round.opened_at, "opened");
	nlying = casino_wagers_load(entry->round_id, entry->player_id, &lying);
	casino_stake_check(&round, lying, nlying, &wager, 1);
	entry->amount = cost;
	casino_player_move(player, -cost);
	player->last_round_id = entry->round_id;
}

/* KL004, saying why the rules give no such payout or refund. */
static void
mismatch(const Entry *entry, const char *detail)
{
	ereport(ERROR,
			(errcode(CASINO_ERRCODE_PAYOUT_MISMATCH),
			 errmsg("%s for stake " INT64_FORMAT " of player " INT64_FORMAT " is not what the rules give",
					entry->kind, entry->stake_entry_no, entry->player_id),
			 errdetail("%s", detail)));
}

/* The stake that a payout or refund names; fills round, seat and hand from it. */
static int64
read_stake(Entry *entry)
{
	Datum		values[2] = {Int64GetDatum(entry->player_id), Int64GetDatum(entry->stake_entry_no)};
	int64		staked;
	int64		round_id;
	Datum		value;
	bool		isnull;

	check_columns(entry, true, false, true);
	if (casino_look(&find_stake, values, NULL) != 1)
		mismatch(entry, "There is no such stake.");
	round_id = casino_column_int64(0, 1);
	staked = casino_column_halere(0, 2, 0);
	if (entry->has_round_id && entry->round_id != round_id)
		mismatch(entry, psprintf("The stake is of round " INT64_FORMAT ".", round_id));
	entry->round_id = round_id;
	entry->has_round_id = true;
	value = casino_column(0, 3, &isnull);
	entry->has_seat = !isnull;
	entry->seat = DatumGetInt32(value);
	value = casino_column(0, 4, &isnull);
	entry->has_hand = !isnull;
	entry->hand = DatumGetInt32(value);
	if (casino_look(&find_return, values, NULL) > 0)
		mismatch(entry, psprintf("The stake has its %s already, entry " INT64_FORMAT ".",
								 casino_column_cstring(0, 1), casino_column_int64(0, 2)));
	return staked;
}

/* A payout: of an evaluated round, of what the evaluation gives, once. */
static void
post_payout(Entry *entry, PlayerState *player)
{
	Datum		values[3];
	RoundState	round;
	int64		due;
	char	   *grade;

	(void) read_stake(entry);
	values[0] = Int64GetDatum(entry->round_id);
	values[1] = Int64GetDatum(entry->player_id);
	values[2] = Int64GetDatum(entry->stake_entry_no);
	if (casino_look(&evaluate_stake, values, NULL) != 1)
		mismatch(entry, psprintf("Round " INT64_FORMAT " is not evaluated.", entry->round_id));
	due = casino_column_halere(0, 1, 0);
	grade = casino_column_cstring(0, 2);
	if (due == 0 || !entry->has_amount || entry->amount != due)
		mismatch(entry, psprintf("Its grade is %s and it gets %s CZK.", grade,
								 casino_money_cstring(due)));
	if (entry->grade != NULL && strcmp(entry->grade, grade) != 0)
		mismatch(entry, psprintf("Its grade is %s, not %s.", grade, entry->grade));
	entry->grade = grade;
	casino_round_load(entry->round_id, NULL, 0, &round);
	casino_round_check_time(&round, entry->posted_at, round.evaluated_at, "evaluated");
	casino_player_move(player, due);
}

/* A refund: of the whole stake, while betting is open, leaving nothing unsupported. */
static void
post_refund(Entry *entry, PlayerState *player)
{
	int64		staked = read_stake(entry);
	RoundState	round;
	Wager	   *wagers;
	int			n = casino_wagers_load(entry->round_id, entry->player_id, &wagers);
	int		   *kinds = palloc(sizeof(int) * Max(n, 1));
	bool	   *gone = palloc0(sizeof(bool) * Max(n, 1));

	for (int i = 0; i < n; i++)
	{
		kinds[i] = wagers[i].bet.kind;
		gone[i] = wagers[i].entry_no == entry->stake_entry_no;
	}
	casino_round_load(entry->round_id, kinds, n, &round);
	if (round.status != ROUND_OPEN)
		mismatch(entry, psprintf("Betting of round " INT64_FORMAT " is closed; void_round() returns its stakes.",
								 entry->round_id));
	if (!entry->has_amount || entry->amount != staked)
		mismatch(entry, psprintf("The stake was %s CZK.", casino_money_cstring(staked)));
	if (entry->grade != NULL)
		mismatch(entry, "A refund has no grade.");
	if (casino_stake_unsupported(&round, wagers, n, gone) >= 0)
		mismatch(entry, "Other wagers of the player cannot stand without it; cancel_bet() returns them too.");
	casino_player_move(player, staked);
}

/* 22004 unless the amount is there. */
static void
check_amount(const Entry *entry)
{
	if (!entry->has_amount)
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("an entry of kind %s needs an amount", entry->kind)));
}

/* 22004, 22003 unless the amount is there and positive. */
static void
check_positive(const Entry *entry)
{
	check_amount(entry);
	if (entry->amount <= 0)
		ereport(ERROR, (errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
						errmsg("the amount of a %s must be greater than zero, not %s",
							   entry->kind, casino_money_cstring(entry->amount))));
}

/* Money in. */
static void
post_deposit(Entry *entry, PlayerState *player)
{
	check_columns(entry, false, false, false);
	check_positive(entry);
	casino_player_move(player, entry->amount);
}

/* A correction, either way, with its reason. */
static void
post_adjustment(Entry *entry, PlayerState *player)
{
	check_columns(entry, false, false, false);
	check_amount(entry);
	if (entry->amount == 0)
		ereport(ERROR, (errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
						errmsg("an adjustment needs an amount other than zero")));
	if (entry->reason == NULL || entry->reason[strspn(entry->reason, " \t\r\n")] == '\0')
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("an adjustment needs a reason")));
	casino_player_move(player, entry->amount);
}

/* Kinds whose rows anybody with the privilege may insert. */
static const struct
{
	const char *kind;
	void		(*post) (Entry *entry, PlayerState *player);
}			posters[] = {
	{"deposit", post_deposit},
	{"stake", post_stake},
	{"payout", post_payout},
	{"refund", post_refund},
	{"adjustment", post_adjustment},
};

/* Check and book one entry by the rules of its kind. */
static void
post_by_kind(Entry *entry, PlayerState *player)
{
	for (int i = 0; i < (int) lengthof(posters); i++)
		if (strcmp(posters[i].kind, entry->kind) == 0)
		{
			posters[i].post(entry, player);
			return;
		}
	if (casino_entry_kind(entry->kind) != NULL)
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("entries of kind %s cannot be posted yet", entry->kind)));
	ereport(ERROR, (errcode(ERRCODE_CHECK_VIOLATION),
					errmsg("\"%s\" is not a kind of ledger entry", entry->kind),
					errhint("See casino.entry_kinds().")));
}

/*
 * The round whose lock the entry needs, 0 for none: taken before the player's
 * row, as everywhere.
 */
static int64
round_to_lock(const Entry *entry)
{
	Datum		values[2] = {Int64GetDatum(entry->player_id), Int64GetDatum(entry->stake_entry_no)};

	if (entry->has_round_id)
		return entry->round_id;
	if (entry->has_stake_entry_no && casino_look(&find_stake, values, NULL) == 1)
		return casino_column_int64(0, 1);
	return 0;
}

/* KL003 for a request that was used; request_line of a single row is 1. */
static void
check_request(Entry *entry)
{
	RequestLine *lines;
	bool		cancelled;

	if (entry->has_request_line && (entry->request_id == NULL || entry->request_line != 1))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("request_line is numbered by the ledger"),
						errhint("place_bets() places several bets of one request.")));
	if (entry->request_id == NULL)
		return;
	if (casino_request_find(entry->player_id, entry->request_id, true, &lines, &cancelled) > 0)
		casino_request_conflict(entry->player_id, entry->request_id,
								psprintf("It was posted as entry " INT64_FORMAT ".", lines[0].entry_no));
}

/* The row to be stored: as given, with what the ledger fills in. */
static HeapTuple
complete_row(const TriggerData *trigger, const Entry *entry)
{
	static const char *const names[] = {"entry_no", "amount", "round_id", "seat", "hand", "grade",
	"request_line", "posted_at", "recorded_at"};
	int			numbers[lengthof(names)];
	Datum		values[lengthof(names)];
	bool		nulls[lengthof(names)] = {false};

	for (int i = 0; i < (int) lengthof(names); i++)
		numbers[i] = SPI_fnumber(RelationGetDescr(trigger->tg_relation), names[i]);
	values[0] = Int64GetDatum(entry->entry_no);
	values[1] = NumericGetDatum(casino_halere_to_numeric(entry->amount));
	values[2] = Int64GetDatum(entry->round_id);
	nulls[2] = !entry->has_round_id;
	values[3] = Int32GetDatum(entry->seat);
	nulls[3] = !entry->has_seat;
	values[4] = Int32GetDatum(entry->hand);
	nulls[4] = !entry->has_hand;
	values[5] = entry->grade ? CStringGetTextDatum(entry->grade) : (Datum) 0;
	nulls[5] = entry->grade == NULL;
	values[6] = Int32GetDatum(1);
	nulls[6] = entry->request_id == NULL;
	values[7] = TimestampTzGetDatum(entry->posted_at);
	values[8] = TimestampTzGetDatum(GetCurrentTimestamp());
	return heap_modify_tuple_by_cols(trigger->tg_trigtuple, RelationGetDescr(trigger->tg_relation),
									 lengthof(names), numbers, values, nulls);
}

/* Everything about one row of a client. */
static HeapTuple
post_entry(const TriggerData *trigger)
{
	MemoryContext caller = CurrentMemoryContext;
	LedgerScope scope;
	Entry		entry;
	PlayerState player;
	HeapTuple	row;
	int64		round_id;

	casino_scope_enter(&scope);
	read_entry(trigger, &entry);
	if (!entry.has_player_id || entry.kind == NULL)
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("a ledger entry needs player_id and kind")));
	round_id = round_to_lock(&entry);
	if (round_id != 0)
		casino_round_lock_shared(round_id);
	casino_player_lock(entry.player_id, &player);
	check_request(&entry);
	casino_player_check_time(&player, entry.posted_at);
	if (entry.has_entry_no && entry.entry_no != player.last_entry_no + 1)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("entry " INT64_FORMAT " is not the next one of player " INT64_FORMAT,
							   entry.entry_no, entry.player_id),
						errhint("Leave entry_no out: the ledger numbers its entries.")));
	post_by_kind(&entry, &player);
	entry.entry_no = ++player.last_entry_no;
	player.last_posted_at = entry.posted_at;
	casino_player_save(&player);

	MemoryContextSwitchTo(caller);
	row = complete_row(trigger, &entry);
	casino_scope_leave(&scope);
	return row;
}

/*
 * ledger_post(), BEFORE INSERT FOR EACH ROW on casino.ledger, without
 * arguments.
 */
PG_FUNCTION_INFO_V1(casino_sql_ledger_post);
Datum
casino_sql_ledger_post(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;

	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR, (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
						errmsg("casino.ledger_post() must be called as a trigger")));
	if (!TRIGGER_FIRED_BEFORE(trigger->tg_event) || !TRIGGER_FIRED_FOR_ROW(trigger->tg_event) ||
		!TRIGGER_FIRED_BY_INSERT(trigger->tg_event) || trigger->tg_trigger->tgnargs != 0)
		ereport(ERROR, (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
						errmsg("casino.ledger_post() must be fired BEFORE INSERT FOR EACH ROW, without arguments")));
	if (RelationGetRelid(trigger->tg_relation) != casino_ledger_oid())
		ereport(ERROR, (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
						errmsg("casino.ledger_post() belongs on casino.ledger, not on \"%s\"",
							   RelationGetRelationName(trigger->tg_relation))));
	if (casino_is_posting())
		return PointerGetDatum(trigger->tg_trigtuple);
	return PointerGetDatum(post_entry(trigger));
}
