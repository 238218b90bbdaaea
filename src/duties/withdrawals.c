/*
 * withdrawals.c
 *	  Rules of the ledger's withdrawal entries (D4 §11.2), under the lock of the
 *	  player's row: so two cashiers cannot both pay.
 */
#include "duties/withdrawals.h"

#include "common/int.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "server/query.h"
#include "server/recorder.h"
#include "server/refusal.h"
#include "state/duty_rule.h"

static PreparedQuery load_withdrawal = {
	.sql = "SELECT w.amount, w.method, w.posted_at"
	"  FROM casino.open_withdrawal o"
	"  JOIN casino.ledger w ON w.player_id = o.player_id AND w.entry_no = o.entry_no"
	" WHERE o.player_id = $1 AND o.entry_no = $2",
	.args = {ARG_INT8, ARG_INT8}
};

/* its columns */
enum
{
	WITHDRAWAL_AMOUNT = 1, WITHDRAWAL_METHOD, WITHDRAWAL_REQUESTED_AT
};

/*
 * Of the person, by a former account too: one may be closed and another one paid within the clock skew
 * (R7.35).
 */
static PreparedQuery sum_cash = {
	.sql = "SELECT coalesce(sum(l.amount), 0)"
	"  FROM casino.player p"
	"  JOIN casino.player a ON a.external_ref = p.external_ref"
	"  JOIN casino.ledger l ON l.player_id = a.player_id AND l.kind = 'cash_paid' AND l.posted_at > $2"
	" WHERE p.player_id = $1",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ}
};

static PreparedQuery load_account = {
	.sql = "SELECT account FROM casino.payment_account"
	" WHERE player_id = $1 ORDER BY account_no DESC LIMIT 1",
	.args = {ARG_INT8}
};

static PreparedQuery last_approval = {
	.sql = "SELECT max(approved_at)"
	"  FROM casino.withdrawal_approval"
	" WHERE player_id = $1 AND entry_no = $2",
	.args = {ARG_INT8, ARG_INT8}
};

static PreparedQuery insert_open = {
	.sql = "INSERT INTO casino.open_withdrawal (player_id, entry_no) VALUES ($1, $2)",
	.args = {ARG_INT8, ARG_INT8}
};

static PreparedQuery delete_open = {
	.sql = "DELETE FROM casino.open_withdrawal WHERE player_id = $1 AND entry_no = $2",
	.args = {ARG_INT8, ARG_INT8}
};

/* Once: the night may have recorded it already. */
static PreparedQuery record_late = {
	.sql = "INSERT INTO casino.breach (player_id, entry_no, rule, detail, occurred_at, recorded_at)"
	" SELECT $1, $2, 'withdrawal_late',"
	"        jsonb_build_object('amount', $3, 'requested_at', $4, "
	"                           'due_at', casino.withdrawal_due_at($4), $7, $5),"
	"        casino.withdrawal_due_at($4), $6"
	"  WHERE casino_internal.judged_at($5, $6) >= casino.withdrawal_due_at($4)"
	" ON CONFLICT DO NOTHING",
	.args = {ARG_INT8, ARG_INT8, ARG_NUMERIC, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ, ARG_TEXT}
};

/*
 * The account a transfer is paid to at $4, asked for at $3: is it too new to
 * be paid to by one person alone, and has a second person, neither $5, who
 * pays, nor the one who registered it, approved this withdrawal to it? (R7.41)
 */
static PreparedQuery judge_account = {
	.sql = "SELECT a.account, a.registered_at, a.registered_at > $3,"
	"       a.registered_at <= $3 AND $4 >= a.registered_at + interval '24 hours'"
	"       OR EXISTS (SELECT FROM casino.withdrawal_approval p"
	"                   WHERE p.player_id = $1 AND p.entry_no = $2 AND p.account_no = a.account_no"
	"                     AND p.approved_at <= $4"
	"                     AND casino_internal.same_eyes(a.recorded_by, p.recorded_by) IS NULL"
	"                     AND casino_internal.same_eyes(p.recorded_by, $5) IS NULL)"
	"  FROM casino.payment_account a WHERE a.player_id = $1 ORDER BY a.account_no DESC LIMIT 1",
	.args = {ARG_INT8, ARG_INT8, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ, ARG_INT4}
};

/* its columns */
enum
{
	ACCOUNT = 1, ACCOUNT_REGISTERED_AT, ACCOUNT_IS_YOUNGER, ACCOUNT_IS_GOOD
};

/* DT_NOBEGIN: not approved */
static TimestampTz
approved_at(int64 player_id, int64 entry_no)
{
	Datum		values[2] = {Int64GetDatum(player_id), Int64GetDatum(entry_no)};

	casino_read_latest(&last_approval, values, NULL);
	return casino_column_time(0, ONLY_COLUMN, DT_NOBEGIN);
}

bool
casino_withdrawal_reach_approval(int64 player_id, int64 entry_no, EventTime *time)
{
	return casino_time_reach(time, approved_at(player_id, entry_no));
}

void
casino_withdrawal_before_approval(int64 player_id, int64 entry_no, const EventTime *time)
{
	TimestampTz approved = approved_at(player_id, entry_no);

	ereport(ERROR,
			(errrefusal(REFUSAL_BACKDATED, REFUSED_TIME("at", time->at),
						REFUSED_TIME("not_before", approved)),
			 errmsg("time %s is before the approval of withdrawal " INT64_FORMAT " of player " INT64_FORMAT,
					timestamptz_to_str(time->at), entry_no, player_id),
			 errdetail("It was approved at %s.", pstrdup(timestamptz_to_str(approved)))));
}

/* KC006 */
static void
no_account(const PlayerState *player)
{
	ereport(ERROR,
			(errrefusal(REFUSAL_NO_PAYMENT_ACCOUNT),
			 errmsg("player " INT64_FORMAT " has no registered payment account", player->player_id),
			 errdetail("A transfer goes only to the registered account (D4 §11.2 b)."),
			 errhint("casino.set_payment_account() registers one.")));
}

char *
casino_withdrawal_account_to_pay(const PlayerState *player, int64 entry_no, const OpenWithdrawal *withdrawal,
								 TimestampTz at)
{
	Datum		values[5] = {Int64GetDatum(player->player_id), Int64GetDatum(entry_no),
	TimestampTzGetDatum(withdrawal->requested_at), TimestampTzGetDatum(at), Int32GetDatum(casino_recorder())};
	char	   *registered_at;

	if (casino_read_latest(&judge_account, values, NULL) != 1)
		no_account(player);
	if (casino_column_bool(0, ACCOUNT_IS_GOOD))
		return casino_column_cstring(0, ACCOUNT);
	registered_at = pstrdup(timestamptz_to_str(casino_column_time(0, ACCOUNT_REGISTERED_AT, DT_NOBEGIN)));
	ereport(ERROR,
			(errrefusal(REFUSAL_APPROVAL_DUE,
						REFUSED_TIME("registered_at", casino_column_time(0, ACCOUNT_REGISTERED_AT,
																		 DT_NOBEGIN)),
						REFUSED_TIME("requested_at", withdrawal->requested_at)),
			 errmsg("the transfer to the account of player "
					INT64_FORMAT " needs the approval of a second person",
					player->player_id),
			 casino_column_bool(0, ACCOUNT_IS_YOUNGER) ?
			 errdetail("The account was registered at %s, after the request of %s.", registered_at,
					   pstrdup(timestamptz_to_str(withdrawal->requested_at))) :
			 errdetail("The account was registered at %s, less than 24 hours before the payment.",
					   registered_at),
			 errhint("Somebody who neither registered the account nor pays approves it with "
					 "casino.approve_withdrawal().")));
	return NULL;				/* keep compilers quiet */
}

/* entries of one player that have a number outside */
#define ENTRIES_OF_A_PLAYER	INT64_C(1000000000)

int64
casino_withdrawal_id(int64 player_id, int64 entry_no)
{
	int64		id;

	if (entry_no >= ENTRIES_OF_A_PLAYER || pg_mul_s64_overflow(player_id, ENTRIES_OF_A_PLAYER, &id))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("entry " INT64_FORMAT " of player " INT64_FORMAT " has no number as a withdrawal",
						entry_no, player_id)));
	return id + entry_no;
}

/* KC003: "paid" haléře of the player lie in the window before; -1: the request alone is too much. */
static void
too_much_cash(const PlayerState *player, int64 amount, int64 paid, TimestampTz at)
{
	int64		most = casino_duty_figure(DUTY_CASH_AMOUNT, at);
	int64		hours = casino_duty_figure(DUTY_CASH_WINDOW, at) / USECS_PER_HOUR;
	const char *paragraph = casino_duty_version(DUTY_CASH_AMOUNT, at)->paragraph;

	ereport(ERROR,
			(paid < 0 ?
			 errrefusal(REFUSAL_CASH_LIMIT, REFUSED_MONEY("amount", amount), REFUSED_MONEY("max", most)) :
			 errrefusal(REFUSAL_CASH_LIMIT, REFUSED_MONEY("amount", amount), REFUSED_MONEY("max", most),
						REFUSED_MONEY("paid", paid)),
			 errmsg("%s CZK in cash are above the maximum of %s CZK in " INT64_FORMAT " hours",
					casino_money_cstring(amount), casino_money_cstring(most), hours),
			 paid < 0 ? errdetail("The request could never be paid (%s).", paragraph) :
			 errdetail("Player " INT64_FORMAT " was paid %s CZK in cash in the " INT64_FORMAT
					   " hours before (%s).",
					   player->player_id, casino_money_cstring(paid), hours, paragraph),
			 errhint("A transfer has no such limit.")));
}

void
casino_withdrawal_check_request(const PlayerState *player, const char *method, int64 amount, TimestampTz at)
{
	Datum		values[1] = {Int64GetDatum(player->player_id)};

	if (method == NULL || (strcmp(method, "cash") != 0 && strcmp(method, "transfer") != 0))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the method of a withdrawal must be cash or transfer")));
	if (strcmp(method, "transfer") == 0)
	{
		if (casino_read_latest(&load_account, values, NULL) != 1)
			no_account(player);
	}
	else if (amount > casino_duty_figure(DUTY_CASH_AMOUNT, at))
		too_much_cash(player, amount, -1, at);
	else if (player->closed)

		/*
		 * corrected after it was closed; cash counts for the person, who may have another account by now
		 * (R7.35)
		 */
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the account of player " INT64_FORMAT " is closed", player->player_id),
				 errdetail("What a closed account holds is paid by transfer: the cash of its person is "
						   "counted at the open one (D4 §11.2 a)."),
				 errhint("casino.set_payment_account() registers an account.")));
}

void
casino_withdrawal_load(int64 player_id, int64 entry_no, OpenWithdrawal *withdrawal)
{
	Datum		values[2] = {Int64GetDatum(player_id), Int64GetDatum(entry_no)};

	if (casino_read_latest(&load_withdrawal, values, NULL) != 1)
		ereport(ERROR,
				(errrefusal(REFUSAL_NO_OPEN_WITHDRAWAL, REFUSED_INT("entry_no", entry_no)),
				 errmsg("entry " INT64_FORMAT " of player " INT64_FORMAT " is no open withdrawal",
						entry_no, player_id),
				 errdetail("It was paid or cancelled before, or is no withdrawal.")));
	withdrawal->amount = casino_column_halere(0, WITHDRAWAL_AMOUNT, 0);
	withdrawal->method = casino_column_cstring(0, WITHDRAWAL_METHOD);
	withdrawal->requested_at = casino_column_time(0, WITHDRAWAL_REQUESTED_AT, DT_NOBEGIN);
}

void
casino_withdrawal_check_cash(const PlayerState *player, int64 amount, TimestampTz at)
{
	TimestampTz since = at - casino_duty_figure(DUTY_CASH_WINDOW, at);
	Datum		values[2] = {Int64GetDatum(player->player_id), TimestampTzGetDatum(since)};
	int64		paid;
	int64		sum;

	casino_read_latest(&sum_cash, values, NULL);
	paid = casino_column_halere(0, ONLY_COLUMN, 0);
	if (!pg_add_s64_overflow(paid, amount, &sum) && sum <= casino_duty_figure(DUTY_CASH_AMOUNT, at))
		return;
	too_much_cash(player, amount, paid, at);
}

void
casino_withdrawal_opened(int64 player_id, int64 entry_no)
{
	Datum		values[2] = {Int64GetDatum(player_id), Int64GetDatum(entry_no)};

	casino_execute(&insert_open, values, NULL);
}

void
casino_withdrawal_ended(int64 player_id, int64 entry_no)
{
	Datum		values[2] = {Int64GetDatum(player_id), Int64GetDatum(entry_no)};

	if (casino_execute(&delete_open, values, NULL) != 1)
		elog(ERROR, "open withdrawal " INT64_FORMAT " of player " INT64_FORMAT " vanished",
			 entry_no, player_id);
}

void
casino_withdrawal_record_late(int64 player_id, int64 entry_no, const OpenWithdrawal *withdrawal,
							  const char *ended, TimestampTz at)
{
	Datum		values[7];

	values[0] = Int64GetDatum(player_id);
	values[1] = Int64GetDatum(entry_no);
	values[2] = NumericGetDatum(casino_halere_to_numeric(withdrawal->amount));
	values[3] = TimestampTzGetDatum(withdrawal->requested_at);
	values[4] = TimestampTzGetDatum(at);
	values[5] = TimestampTzGetDatum(GetCurrentTimestamp());
	values[6] = CStringGetTextDatum(ended);
	casino_execute(&record_late, values, NULL);
}
