/*
 * entry_rules.c
 *	  The rules of each kind of ledger entry, for rows of any client (R12.3).
 */
#include "ledger/entry.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "duties/duties.h"
#include "duties/limits.h"
#include "duties/withdrawals.h"
#include "ledger/adjustments.h"
#include "ledger/payable.h"
#include "ledger/stake_rules.h"
#include "ledger/stakes.h"
#include "ledger/withheld.h"
#include "server/bounds.h"
#include "server/query.h"
#include "server/refusal.h"
#include "state/box.h"
#include "state/evaluation_query.h"
#include "state/player.h"
#include "state/round.h"
#include "state/wagers.h"

static PreparedQuery method_required = {
	.sql = "SELECT coalesce(casino.duty_value('method_required', $1) = '1', false)",
	.args = {ARG_TIMESTAMPTZ}
};

static PreparedQuery find_method = {
	.sql = "SELECT m.is_cash"
	"  FROM (SELECT m.offered, m.is_cash FROM casino.payment_method m"
	"         WHERE m.method = $1 AND m.valid_from <= $2"
	"         ORDER BY m.valid_from DESC LIMIT 1) m"
	" WHERE m.offered",
	.args = {ARG_TEXT, ARG_TIMESTAMPTZ}
};

static PreparedQuery find_return = {
	.sql = "SELECT f.kind, f.entry_no FROM casino.ledger f"
	" WHERE f.player_id = $1 AND f.stake_entry_no = $2",
	.args = {ARG_INT8, ARG_INT8}
};

/* its columns */
enum
{
	RETURN_KIND = 1, RETURN_ENTRY_NO
};

static EvaluationQuery evaluate_stake = {
	.sql = "SELECT e.payout, e.grade FROM casino.evaluation_%s e"
	" WHERE e.round_id = $1 AND e.player_id = $2 AND e.entry_no = $3",
	.args = {ARG_INT8, ARG_INT8, ARG_INT8}
};

/* its columns */
enum
{
	EVALUATED_PAYOUT = 1, EVALUATED_GRADE
};

/* 22004/22023: columns that a kind needs or may not have. */
static void
check_columns(const Entry *entry, bool round, bool bet, bool stake)
{
	if (entry->has_round_id && !round)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("an entry of kind %s must not have a round", entry->kind)));
	if (entry->has_bet != bet)
		ereport(ERROR, (errcode(bet ? ERRCODE_NULL_VALUE_NOT_ALLOWED : ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg(bet ? "an entry of kind %s needs a bet" :
							   "an entry of kind %s must not have a bet",
							   entry->kind)));
	if (entry->has_stake_entry_no != stake)
		ereport(ERROR, (errcode(stake ? ERRCODE_NULL_VALUE_NOT_ALLOWED : ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg(stake ? "an entry of kind %s needs its stake_entry_no" :
							   "an entry of kind %s must not have a stake_entry_no", entry->kind)));
	if ((entry->has_seat || entry->has_hand) && !round)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("an entry of kind %s must not have a seat or hand", entry->kind)));
	if (entry->grade != NULL && !stake)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("an entry of kind %s must not have a grade", entry->kind)));
}

/* 22023 for columns of a payment on entries that move no money in or out. */
static void
check_payment(const Entry *entry, bool reference, bool place)
{
	if ((entry->reference != NULL && !reference) || (entry->place != NULL && !place))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("an entry of kind %s must not have a %s", entry->kind,
							   entry->reference != NULL && !reference ? "reference" : "place")));
}

/* 22023 for columns of withdrawals on other entries. */
static void
check_no_withdrawal(const Entry *entry)
{
	if (entry->method != NULL || entry->has_withdrawal_entry_no || entry->account != NULL)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("an entry of kind %s must not have a method, withdrawal or account",
							   entry->kind)));
	check_payment(entry, false, false);
}

/* A stake names its round and its bet; seats and hands as place_bets() takes them. */
static void
check_stake(const Entry *entry)
{
	int64		cost;

	check_columns(entry, true, true, false);
	if (!entry->has_round_id)
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("a stake needs its round_id")));
	check_no_withdrawal(entry);
	if ((entry->has_seat && entry->seat < 1) || (entry->has_hand && entry->hand < 1))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("seat and hand must be 1 or greater")));
	cost = casino_wager_cost(&entry->bet);
	if (entry->has_amount && entry->amount != cost)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("the amount of the stake must be %s CZK, not %s",
							   casino_money_cstring(cost), casino_money_cstring(entry->amount)),
						errdetail("It is that of its bet; a free wager takes nothing.")));
}

/* Do players bet behind the box, and the player of the entry does not? */
static bool
others_behind(const Entry *entry)
{
	Numbers		behind = casino_box_behind(entry->round_id, entry->seat);

	return behind.n > 0 && !casino_numbers_have(behind, entry->player_id);
}

/* A stake, by the recipe of place_bets(). */
static void
post_stake(Entry *entry, PlayerState *player)
{
	Wager		wager = {.bet = entry->bet, .seat = entry->seat, .hand = entry->hand};

	/* the owner's stake places others' (R3.77), which a row cannot */
	if (entry->has_seat && (entry->bet.kind == CASINO_DOUBLE_DOWN || entry->bet.kind == CASINO_SPLIT_PAIR) &&
		others_behind(entry))
		ereport(ERROR,
				(errrefusal(REFUSAL_BEHIND_FOLLOWS, REFUSED_INT("seat", entry->seat)),
				 errmsg("a row cannot place the stakes of the bets behind box %d", entry->seat),
				 errdetail("The bets behind copy the owner (D4 Blackjack §15)."),
				 errhint("casino.place_bets() places theirs too.")));
	entry->amount = casino_stakes_admit(player, entry->round_id, &wager, 1, &entry->time);
	casino_player_move(player, -entry->amount, CASINO_HINT_STAKE);
}

/* KL004, saying why the rules give no such payout or refund (R12.5). */
static void
mismatch(const Entry *entry, const char *detail)
{
	ereport(ERROR,
			(errrefusal(REFUSAL_PAYOUT_MISMATCH, REFUSED_TEXT("kind", entry->kind),
						REFUSED_INT("stake_entry_no", entry->stake_entry_no), REFUSED_TEXT("why", detail)),
			 errmsg("%s for stake " INT64_FORMAT " of player " INT64_FORMAT " is not what the rules give",
					entry->kind, entry->stake_entry_no, entry->player_id),
			 errdetail("%s", detail)));
}

/* A payout or refund names its stake, from which the rest follows. */
static void
check_return(const Entry *entry)
{
	check_no_withdrawal(entry);
	check_columns(entry, true, false, true);
}

/* The stake that a payout or refund names; fills round, seat and hand from it. */
static int64
read_stake(Entry *entry)
{
	Datum		values[2] = {Int64GetDatum(entry->player_id), Int64GetDatum(entry->stake_entry_no)};
	PostedStake stake;

	if (!casino_stake_find(entry->player_id, entry->stake_entry_no, &stake))
		mismatch(entry, "There is no such stake.");
	if (entry->has_round_id && entry->round_id != stake.round_id)
		mismatch(entry, psprintf("The stake is of round " INT64_FORMAT ".", stake.round_id));
	entry->round_id = stake.round_id;
	entry->has_round_id = true;
	entry->has_seat = stake.seat != 0;
	entry->seat = stake.seat;
	entry->has_hand = stake.hand != 0;
	entry->hand = stake.hand;
	if (casino_read_latest(&find_return, values, NULL) > 0)
		mismatch(entry, psprintf("The stake has its %s already, entry " INT64_FORMAT ".",
								 casino_column_cstring(0, RETURN_KIND),
								 casino_column_int64(0, RETURN_ENTRY_NO)));
	return stake.amount;
}

/* A payout: of an evaluated round, of what the evaluation gives, once (R7.45). */
static void
post_payout(Entry *entry, PlayerState *player)
{
	Datum		values[3];
	RoundState	round;
	char	   *reason;
	int64		due;
	char	   *grade;

	(void) read_stake(entry);
	values[0] = Int64GetDatum(entry->round_id);
	values[1] = Int64GetDatum(entry->player_id);
	values[2] = Int64GetDatum(entry->stake_entry_no);
	casino_round_load(entry->round_id, &round);
	reason = casino_withheld_reason(entry->round_id, entry->player_id);
	if (reason != NULL)
		mismatch(entry, psprintf("What he wins in round "
								 INT64_FORMAT " is withheld (%s); pay_withheld() pays it.",
								 entry->round_id, reason));
	if (round.status == ROUND_WITHHELD && casino_withheld_by_order(entry->round_id) &&
		strcmp(casino_release_authority(), "all") != 0)
		mismatch(entry, psprintf("Round " INT64_FORMAT " is withheld by order; pay_withheld() releases it.",
								 entry->round_id));
	if (casino_read_latest(casino_evaluation_query(&evaluate_stake, round.family), values, NULL) != 1)
		mismatch(entry, psprintf("Round " INT64_FORMAT " is not evaluated.", entry->round_id));
	due = casino_column_halere(0, EVALUATED_PAYOUT, 0);
	grade = casino_column_cstring(0, EVALUATED_GRADE);
	if (due == 0 || !entry->has_amount || entry->amount != due)
		mismatch(entry, psprintf("Its grade is %s and it gets %s CZK.", grade,
								 casino_money_cstring(due)));
	if (entry->grade != NULL && strcmp(entry->grade, grade) != 0)
		mismatch(entry, psprintf("Its grade is %s, not %s.", grade, entry->grade));
	entry->grade = grade;
	casino_round_check_time(&round, &entry->time, round.evaluated_at, "evaluated");
	casino_player_move(player, due, NULL);
	casino_duties_paid_one(entry->round_id, entry->player_id, entry->stake_entry_no, due, entry->time.at);
}

/* A refund: of the whole stake, while betting is open, leaving nothing unsupported. */
static void
post_refund(Entry *entry, PlayerState *player)
{
	int64		staked = read_stake(entry);
	RoundState	round;
	Wager	   *wagers;
	int			n = casino_wagers_load(entry->round_id, entry->player_id, &wagers);
	bool	   *gone = palloc0(sizeof(bool) * Max(n, 1));

	for (int i = 0; i < n; i++)
		gone[i] = wagers[i].entry_no == entry->stake_entry_no;
	casino_round_load(entry->round_id, &round);
	if (round.status != ROUND_OPEN || casino_round_is_over(&round, entry->time.at))
		mismatch(entry, psprintf("Betting of round "
								 INT64_FORMAT " is closed; void_round() returns its stakes.",
								 entry->round_id));
	if (!entry->has_amount || entry->amount != staked)
		mismatch(entry, psprintf("The stake was %s CZK.", casino_money_cstring(staked)));
	if (entry->grade != NULL)
		mismatch(entry, "A refund has no grade.");
	/* a refund of this kind takes the stake back; only void_round() returns for another reason */
	if (entry->reason != NULL && strcmp(entry->reason, "cancelled") != 0)
		mismatch(entry, "The reason of a refund before betting closes is \"cancelled\".");
	entry->reason = pstrdup("cancelled");
	if (casino_stake_unsupported(&round, wagers, n, gone) >= 0)
		mismatch(entry, "Other wagers of the player cannot stand without it; cancel_bet() returns them too.");
	if (entry->has_seat)
	{
		bool		main_left = false;

		for (int i = 0; i < n; i++)
			main_left = main_left || (!gone[i] && wagers[i].bet.kind == CASINO_MAIN &&
									  wagers[i].seat == entry->seat);
		if (!main_left && casino_box_has_behind(entry->round_id, entry->seat))
			mismatch(entry, "Others bet behind this main bet; cancel_bet() returns theirs too.");
	}
	casino_duties_undo_stakes(player, entry->round_id, wagers, n, gone);
	casino_player_move(player, staked, NULL);
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

/* Money in: how it came, and under which reference. */
static void
check_deposit(const Entry *entry)
{
	if (entry->has_withdrawal_entry_no || entry->account != NULL)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("an entry of kind %s must not have a withdrawal or account", entry->kind)));
	check_payment(entry, true, true);
	check_columns(entry, false, false, false);
	check_positive(entry);
}

/* R12.80: only cash lies in a place. */
static void
check_place_in(const Entry *entry, bool is_cash)
{
	if (entry->place != NULL && !is_cash)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a deposit that is not cash must not have a place"),
				 errdetail("The place is the cash desk where the notes and coins lie.")));
}

/* 22023 where the operator asks for the method of every deposit (R7.121). */
static void
check_without_way(const Entry *entry)
{
	Datum		at = TimestampTzGetDatum(entry->time.at);

	casino_read_latest(&method_required, &at, NULL);
	if (casino_column_bool(0, 1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a deposit needs its method of payment"),
				 errdetail("The figure method_required asks for one of casino.payment_method.")));
}

/* 22023 unless money is taken in that way then; its spelling is the one that the table has (R7.67). */
static void
check_way_in(const Entry *entry)
{
	Datum		values[2];

	if (entry->method == NULL)
	{
		check_without_way(entry);
		check_place_in(entry, false);
		return;
	}
	values[0] = CStringGetTextDatum(entry->method);
	values[1] = TimestampTzGetDatum(entry->time.at);
	if (casino_read_latest(&find_method, values, NULL) == 1)
	{
		check_place_in(entry, casino_column_bool(0, 1));
		return;
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("\"%s\" is no method of payment", entry->method),
			 errdetail("Deposits are taken by the methods of casino.payment_method, spelled as there.")));
}

static void
post_deposit(Entry *entry, PlayerState *player)
{
	check_way_in(entry);
	casino_duties_check_admitted(player, entry->time.at);
	casino_payable_check_credit(player, entry->amount);
	casino_player_move(player, entry->amount, NULL);
}

/* Money asked for: it leaves the wallet at once. */
static void
check_withdrawal(const Entry *entry)
{
	check_columns(entry, false, false, false);
	check_positive(entry);
	if (entry->has_withdrawal_entry_no || entry->account != NULL)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("a withdrawal must not refer to another withdrawal or to an account")));
	check_payment(entry, false, false);
}

static void
post_withdrawal(Entry *entry, PlayerState *player)
{
	casino_withdrawal_check_request(player, entry->method, entry->amount, entry->time.at);
	casino_player_move(player, -entry->amount, "Ask for no more than the balance.");
	casino_withdrawal_opened(entry->player_id, player->last_entry_no + 1);
}

/* The end of a withdrawal names it, and the rest follows from it. */
static void
check_end(const Entry *entry, bool reference, bool place)
{
	check_payment(entry, reference, place);
	check_columns(entry, false, false, false);
	if (!entry->has_withdrawal_entry_no)
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("an entry of kind %s needs its withdrawal_entry_no", entry->kind)));
	if (entry->method != NULL || entry->account != NULL)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("method and account of an entry of kind %s follow from its withdrawal",
							   entry->kind)));
}

static void
check_withdrawal_cancelled(const Entry *entry)
{
	check_end(entry, false, false);
}

static void
check_cash_paid(const Entry *entry)
{
	check_end(entry, true, true);
}

static void
check_transfer_paid(const Entry *entry)
{
	check_end(entry, true, false);
}

/* The open withdrawal that an entry pays or cancels; its amount must be the same. */
static void
end_withdrawal(Entry *entry, OpenWithdrawal *withdrawal)
{
	casino_withdrawal_load(entry->player_id, entry->withdrawal_entry_no, withdrawal);
	if (entry->has_amount && entry->amount != withdrawal->amount)
		ereport(ERROR, (errrefusal(REFUSAL_WITHDRAWAL_DIFFERS,
								   REFUSED_INT("entry_no", entry->withdrawal_entry_no),
								   REFUSED_MONEY("amount", withdrawal->amount)),
						errmsg("the withdrawal is of %s CZK, not %s",
							   casino_money_cstring(withdrawal->amount), casino_money_cstring(entry->amount)),
						errdetail("Withdrawal " INT64_FORMAT " of player " INT64_FORMAT " ends as a whole.",
								  entry->withdrawal_entry_no, entry->player_id)));
	entry->amount = withdrawal->amount;
	casino_withdrawal_ended(entry->player_id, entry->withdrawal_entry_no);
}

/* A request taken back: the money returns to the wallet. */
static void
post_withdrawal_cancelled(Entry *entry, PlayerState *player)
{
	OpenWithdrawal withdrawal;

	end_withdrawal(entry, &withdrawal);
	if (!casino_withdrawal_reach_approval(entry->player_id, entry->withdrawal_entry_no, &entry->time))
		casino_withdrawal_before_approval(entry->player_id, entry->withdrawal_entry_no, &entry->time);
	casino_withdrawal_record_late(entry->player_id, entry->withdrawal_entry_no, &withdrawal, "cancelled_at",
								  entry->time.at);
	casino_player_move(player, withdrawal.amount, NULL);
}

/* KL004 when a withdrawal is paid in another way than it was asked for. */
static void
check_method(const Entry *entry, const OpenWithdrawal *withdrawal, const char *method)
{
	if (strcmp(withdrawal->method, method) != 0)
		ereport(ERROR, (errrefusal(REFUSAL_WITHDRAWAL_DIFFERS,
								   REFUSED_INT("entry_no", entry->withdrawal_entry_no),
								   REFUSED_TEXT("method", withdrawal->method)),
						errmsg("withdrawal " INT64_FORMAT " of player " INT64_FORMAT " is to be paid by %s",
							   entry->withdrawal_entry_no, entry->player_id, withdrawal->method),
						errdetail("It was requested so; an entry of kind %s pays by %s.", entry->kind,
								  method)));
}

/* Cash handed out (D4 §11.2 a). */
static void
post_cash_paid(Entry *entry, PlayerState *player)
{
	OpenWithdrawal withdrawal;

	end_withdrawal(entry, &withdrawal);
	check_method(entry, &withdrawal, "cash");
	casino_withdrawal_check_cash(player, withdrawal.amount, entry->time.at);
	casino_withdrawal_record_late(entry->player_id, entry->withdrawal_entry_no, &withdrawal, "paid_at",
								  entry->time.at);
}

/* A transfer to the registered account (D4 §11.2 b). */
static void
post_transfer_paid(Entry *entry, PlayerState *player)
{
	OpenWithdrawal withdrawal;
	bool		in_time;

	end_withdrawal(entry, &withdrawal);
	check_method(entry, &withdrawal, "transfer");
	in_time = casino_withdrawal_reach_approval(entry->player_id, entry->withdrawal_entry_no, &entry->time);
	entry->account = casino_withdrawal_account_to_pay(player, entry->withdrawal_entry_no, &withdrawal,
													  entry->time.at);
	/* it may have an approval that it does not need (R7.41) */
	if (!in_time)
		casino_withdrawal_before_approval(entry->player_id, entry->withdrawal_entry_no, &entry->time);
	casino_withdrawal_record_late(entry->player_id, entry->withdrawal_entry_no, &withdrawal, "paid_at",
								  entry->time.at);
}

/* A correction, either way, with its reason, and the round it concerns if there is one. */
static void
check_adjustment(const Entry *entry)
{
	check_no_withdrawal(entry);
	check_columns(entry, true, false, false);
	if (entry->has_seat || entry->has_hand)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("an entry of kind %s must not have a seat or hand", entry->kind)));
	check_amount(entry);
	if (entry->amount == 0)
		ereport(ERROR, (errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
						errmsg("an adjustment needs an amount other than zero")));
	if (entry->reason == NULL || casino_is_blank(entry->reason))
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("an adjustment needs a reason")));
}

static void
post_adjustment(Entry *entry, PlayerState *player)
{
	RoundState	round;

	if (entry->has_round_id)
		casino_round_load(entry->round_id, &round);
	casino_adjustment_check(entry, player);
	if (entry->amount > 0)
		casino_payable_check_credit(player, entry->amount);
	casino_player_move(player, entry->amount,
					   "An adjustment takes no more than the wallet has; ask the player for the rest.");
	/* what concerns a round is a result of play: it counts on the day posted (R11.38) */
	if (entry->has_round_id)
		casino_limits_count_result(player, -entry->amount, entry->time.at);
}

/* KL004: another result needs a second person; its entries are not inserted. */
static void
check_correction(const Entry *entry)
{
	ereport(ERROR,
			(errrefusal(REFUSAL_POSTED_BY_CORRECTION, REFUSED_TEXT("kind", "correction")),
			 errmsg("an entry of kind correction is posted by approve_correction() alone"),
			 errdetail("It is the difference that another result of an evaluated round makes for a wager."),
			 errhint("correct_round() proposes another result.")));
}

/*
 * Kinds whose rows anybody with the privilege may insert: what the row must say, and what its kind asks
 * for.
 */
typedef struct EntryKindRules
{
	const char *kind;
	void		(*check) (const Entry *entry);	/* the columns alone, before any lock */
	void		(*post) (Entry *entry, PlayerState *player);	/* under all locks */
} EntryKindRules;

static const EntryKindRules kinds[] = {
	{"deposit", check_deposit, post_deposit},
	{"stake", check_stake, post_stake},
	{"payout", check_return, post_payout},
	{"refund", check_return, post_refund},
	{"withdrawal", check_withdrawal, post_withdrawal},
	{"withdrawal_cancelled", check_withdrawal_cancelled, post_withdrawal_cancelled},
	{"cash_paid", check_cash_paid, post_cash_paid},
	{"transfer_paid", check_transfer_paid, post_transfer_paid},
	{"adjustment", check_adjustment, post_adjustment},
	{"correction", check_correction, NULL},
};

/* 23514 for a kind that is none. */
static const EntryKindRules *
rules_of(const Entry *entry)
{
	for (int i = 0; i < (int) lengthof(kinds); i++)
		if (strcmp(kinds[i].kind, entry->kind) == 0)
			return &kinds[i];
	ereport(ERROR, (errcode(ERRCODE_CHECK_VIOLATION),
					errmsg("\"%s\" is not a kind of ledger entry", entry->kind),
					errhint("See casino.entry_kinds().")));
	return NULL;				/* keep compilers quiet */
}

void
casino_entry_check(const Entry *entry)
{
	rules_of(entry)->check(entry);
}

void
casino_entry_post(Entry *entry, PlayerState *player)
{
	rules_of(entry)->post(entry, player);
}
