/*
 * payouts.c
 *	  From grades to money: what each wager of a round gets, and its posting.
 *
 * These hold all the time; the number stands where each is kept:
 *
 * (1) The round's exclusive lock is held: no stake comes, none goes, and no
 *	   other call posts for the round.
 * (2) Wagers are in the order of players and of their entries.  Players are
 *	   locked in that order, and all wagers of a player are paid together.
 * (3) Every wager has a grade before it is reckoned, or none is paid.
 * (4) The profit of a position is shared among its wagers in the order in
 *	   which they were placed, by the evaluator (games/round_evaluation.c).
 * (5) An amount that does not fit is an error, never another amount.
 * (6) A player is credited what his entries say, before they are written: the
 *	   credit locks his row and gives the numbers of the entries.
 * (7) A stake is paid or returned once: the unique index on ledger (player_id,
 *	   stake_entry_no) refuses the second entry, whoever posts it.
 */
#include "ledger/payouts.h"

#include "access/xact.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "core/money.h"
#include "games/round_evaluation.h"
#include "state/ledger_row.h"
#include "state/round.h"
#include "state/wagers.h"

void
casino_payouts_reckon(const RoundState *round, const Outcome *outcome, RoundWagers *wagers,
					  RoundFigures *figures)
{
	Assert(casino_round_wagers_in_order(wagers));	/* (2) */
	memset(figures, 0, sizeof(*figures));
	casino_round_evaluate(round, outcome, wagers);
	for (int i = 0; i < wagers->count; i++)
	{
		RoundWager *wager = &wagers->wagers[i];

		Assert(wager->grade != CASINO_GRADE_NONE);	/* (3) */
		if (i == 0 || wager->player_id != wager[-1].player_id)
			figures->players++;
		wager->due = wager->payout > 0;
		figures->wagers++;
		if (!casino_money_add(figures->staked, casino_wager_cost(&wager->bet), &figures->staked) ||
			!casino_money_add(figures->paid, wager->payout, &figures->paid))
			casino_amount_out_of_range("sum of the round");
	}
}

/* What stays the same in all rows of a posting. */
typedef struct Posting
{
	Store		ledger;
	Store		player;
	StoreScan	scan;			/* of players by their number */
	Snapshot	snapshot;
	bool		scanning;
	TimestampTz at;
	LedgerRow	row;
	Datum		grades[CASINO_GRADE_END];	/* words as text, 0: not yet made */
} Posting;

/* Find the player's row as committed last; XX001 when it is not there. */
static void
find_player(Posting *posting, int64 player_id, bool afresh)
{
	Datum		keys[1] = {Int64GetDatum(player_id)};

	if (afresh && posting->scanning)
	{
		casino_store_end(&posting->scan);
		UnregisterSnapshot(posting->snapshot);
		posting->scanning = false;
	}
	if (!posting->scanning)
	{
		posting->snapshot = RegisterSnapshot(GetLatestSnapshot());
		casino_store_scan(&posting->player, PLAYER_BY_ID, posting->snapshot, 1, keys, &posting->scan);
		posting->scanning = true;
	}
	else
		casino_store_rescan(&posting->scan, 1, keys);
	if (!casino_store_next(&posting->scan))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("row of player " INT64_FORMAT " vanished", player_id)));
}

/* Add to a player's wallet for so many entries; gives balance and number of the entry before them. */
static void
credit_player(Posting *posting, int64 player_id, int64 amount, int entries, int64 *balance_before,
			  int64 *entry_before)
{
	static const int columns[] = {PLAYER_BALANCE, PLAYER_LAST_ENTRY_NO, PLAYER_LAST_POSTED_AT};
	static const bool nulls[lengthof(columns)] = {false};
	bool		afresh = false;

	for (;;)
	{
		Datum		values[lengthof(columns)];
		int64		balance;
		int64		last_entry_no;
		TimestampTz last_posted_at;

		find_player(posting, player_id, afresh);
		balance =
			casino_numeric_to_halere(DatumGetNumeric(casino_store_value(&posting->scan, PLAYER_BALANCE)));
		*balance_before = balance;
		last_entry_no = casino_store_int64(&posting->scan, PLAYER_LAST_ENTRY_NO);
		last_posted_at = DatumGetTimestampTz(casino_store_value(&posting->scan, PLAYER_LAST_POSTED_AT));
		if (!casino_money_add(balance, amount, &balance))
			casino_amount_out_of_range(psprintf("balance of player " INT64_FORMAT, player_id));
		values[0] = NumericGetDatum(casino_halere_to_numeric(balance));
		values[1] = Int64GetDatum(last_entry_no + entries);
		values[2] = TimestampTzGetDatum(Max(last_posted_at, posting->at));
		if (casino_store_update(&posting->player, &posting->scan, lengthof(columns), columns, values, nulls))
		{
			*entry_before = last_entry_no;
			return;
		}
		/* somebody else's entry went ahead while we waited for the row */
		afresh = true;
	}
}

/* The row of a payout, after which the wallet has "balance". */
static void
insert_payout(Posting *posting, const RoundWager *wager, int64 entry_no, int64 balance)
{
	MemoryContext saved;

	if (wager->grade != CASINO_GRADE_NONE && posting->grades[wager->grade] == (Datum) 0)
		posting->grades[wager->grade] = CStringGetTextDatum(casino_grade_name(wager->grade));
	casino_ledger_row_set(&posting->row, LEDGER_PLAYER_ID, Int64GetDatum(wager->player_id));
	casino_ledger_row_of_stake(&posting->row, wager->entry_no, wager->seat, wager->hand);
	if (wager->grade != CASINO_GRADE_NONE)
		casino_ledger_row_set(&posting->row, LEDGER_GRADE, posting->grades[wager->grade]);
	saved = MemoryContextSwitchTo(casino_store_row_context(&posting->ledger));
	casino_ledger_row_book(&posting->row, entry_no, wager->payout, balance);
	MemoryContextSwitchTo(saved);
	casino_store_insert(&posting->ledger, posting->row.values, posting->row.nulls);
}

/* Post the payouts of one player: credit him, which locks and numbers, then write the rows. */
static void
post_player(Posting *posting, const RoundWager *wagers, int n)
{
	int64		amount = 0;
	int			entries = 0;
	int64		entry_no;
	int64		balance;

	for (int i = 0; i < n; i++)
	{
		if (!wagers[i].due)
			continue;
		if (!casino_money_add(amount, wagers[i].payout, &amount))
			casino_amount_out_of_range("sum of the payouts");
		entries++;
	}
	if (entries == 0)
		return;
	/* (6) */
	credit_player(posting, wagers[0].player_id, amount, entries, &balance, &entry_no);
	for (int i = 0; i < n; i++)
		if (wagers[i].due)
		{
			balance += wagers[i].payout;	/* no more than what was credited */
			insert_payout(posting, &wagers[i], ++entry_no, balance);	/* (7) by the index */
		}
}

/* Post what is due of these wagers. */
static void
post(int64 round_id, const RoundWagers *wagers, TimestampTz at, const char *kind, const char *reason)
{
	Posting		posting = {.at = at};

	Assert(casino_round_is_locked(round_id, true)); /* (1) */
	Assert(casino_round_wagers_in_order(wagers));	/* (2) */
	casino_store_open(&casino_ledger_table, &posting.ledger, RowExclusiveLock);
	casino_store_open(&casino_player_table, &posting.player, RowExclusiveLock);
	CommandCounterIncrement();
	casino_ledger_row_init(&posting.row, 0, kind, at);
	casino_ledger_row_set(&posting.row, LEDGER_ROUND_ID, Int64GetDatum(round_id));
	casino_ledger_row_text(&posting.row, LEDGER_REASON, reason);
	for (int first = 0, next; first < wagers->count; first = next)
	{
		CHECK_FOR_INTERRUPTS();
		next = casino_round_wagers_next_player(wagers, first);
		post_player(&posting, &wagers->wagers[first], next - first);
	}
	if (posting.scanning)
	{
		casino_store_end(&posting.scan);
		UnregisterSnapshot(posting.snapshot);
	}
	casino_store_close(&posting.player);
	casino_store_close(&posting.ledger);
	CommandCounterIncrement();
}

void
casino_payouts_post(int64 round_id, const RoundWagers *wagers, TimestampTz at)
{
	post(round_id, wagers, at, "payout", NULL);
}

void
casino_payouts_refund(int64 round_id, const RoundWagers *wagers, TimestampTz at, const char *reason)
{
	for (int i = 0; i < wagers->count; i++)
	{
		wagers->wagers[i].payout = casino_wager_cost(&wagers->wagers[i].bet);
		wagers->wagers[i].grade = CASINO_GRADE_NONE;
		wagers->wagers[i].due = true;
	}
	post(round_id, wagers, at, "refund", reason);
}
