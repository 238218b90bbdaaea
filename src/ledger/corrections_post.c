/*
 * corrections_post.c
 *	  The money of a correction: see corrections.h.
 *
 * Each wager has a balance: what was paid and corrected for it, less what the
 * player gave back of his claims.  The difference to what the right result
 * gives is posted.  What is given comes first, then what is taken, as far as the
 * wallet has it: nothing takes a wallet below zero, and what cannot be taken is a
 * claim, which no later correction takes silently (R11.35, R11.36).
 */
#include "ledger/corrections.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "core/money.h"
#include "duties/duties.h"
#include "duties/limits.h"
#include "ledger/payable.h"
#include "ledger/refunds.h"
#include "ledger/withheld.h"
#include "server/query.h"
#include "state/ledger_row.h"

/* What was posted for each stake of the round, and its claims. */
static PreparedQuery load_standing = {
	.sql = "SELECT s.player_id, s.entry_no, coalesce(f.posted, 0.00), coalesce(c.paid, 0.00), "
	"coalesce(c.waived, 0.00),"
	"       coalesce(c.open, 0.00)"
	"  FROM casino.ledger s"
	"  LEFT JOIN LATERAL (SELECT sum(l.amount) AS posted FROM casino.ledger l"
	"                      WHERE l.player_id = s.player_id"
	" AND l.stake_entry_no = s.entry_no OFFSET 0) f ON true"
	"  LEFT JOIN LATERAL (SELECT sum(x.amount) FILTER (WHERE e.how = 'paid') AS paid,"
	"                            sum(x.amount) FILTER (WHERE e.how = 'waived') AS waived,"
	"                            sum(x.amount) FILTER (WHERE e.how IS NULL) AS open"
	"                       FROM casino.claim x LEFT JOIN casino.claim_end e ON e.claim_no = x.claim_no"
	"                      WHERE x.player_id = s.player_id AND x.stake_entry_no = s.entry_no) c ON true"
	" WHERE s.round_id = $1 AND s.kind = 'stake'"
	" ORDER BY s.player_id, s.entry_no",
	.args = {ARG_INT8}
};

/* its columns */
enum
{
	STANDING_PLAYER_ID = 1, STANDING_ENTRY_NO, STANDING_POSTED, STANDING_PAID, STANDING_WAIVED, STANDING_OPEN
};

static PreparedQuery end_claims = {
	.sql = "INSERT INTO casino.claim_end (claim_no, how, reason, correction_no, ended_at, recorded_at)"
	" SELECT c.claim_no, 'corrected', $4, $3, $5, $6 FROM casino.claim c"
	"  WHERE c.player_id = $1 AND c.stake_entry_no = $2"
	"    AND NOT EXISTS (SELECT FROM casino.claim_end e WHERE e.claim_no = c.claim_no)",
	.args = {ARG_INT8, ARG_INT8, ARG_INT8, ARG_TEXT, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ}
};

static PreparedQuery insert_claim = {
	.sql = "INSERT INTO casino.claim (claim_no, player_id, round_id, stake_entry_no, correction_no, "
	"amount, claimed_at, recorded_at)"
	" SELECT $1 * 1000000000 + count(*) + 1, $1, $2, $3, $4, $5, $6, $7 FROM casino.claim c"
	" WHERE c.player_id = $1",
	.args = {ARG_INT8, ARG_INT8, ARG_INT8, ARG_INT8, ARG_NUMERIC, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ}
};

/*
 * Players of the round with whom it was settled: of a withheld one those paid alone, else all but those
 * withheld.
 */
static PreparedQuery find_settled = {
	.sql = "SELECT DISTINCT s.player_id FROM casino.ledger s"
	"  LEFT JOIN casino.withholding h ON h.player_id = s.player_id AND h.round_id = s.round_id"
	"  LEFT JOIN casino.withholding_end e ON e.player_id = s.player_id AND e.round_id = s.round_id"
	" WHERE s.round_id = $1 AND s.kind = 'stake'"
	"   AND CASE WHEN e.how IS NOT NULL THEN e.how = 'paid' ELSE h.player_id IS NULL AND NOT $2 END"
	" ORDER BY s.player_id",
	.args = {ARG_INT8, ARG_BOOL}
};

/*
 * Players whose wagers were voided alone: they have their stakes, and no version gives them anything
 * else (R11.39).
 */
static PreparedQuery find_voided = {
	.sql = "SELECT player_id FROM casino.withholding_end WHERE round_id = $1 AND how = 'voided'"
	" ORDER BY player_id",
	.args = {ARG_INT8}
};

/* A wager and what is to be done about it, haléře. */
typedef struct Due
{
	const RoundWager *wager;
	int64		give;
	int64		take;
	int64		open;			/* claims that are open */
	int64		claim;			/* what they are to be, before what cannot be taken now */
} Due;

typedef struct Standing
{
	int64		player_id;
	int64		entry_no;
	int64		posted;
	int64		paid;
	int64		waived;
	int64		open;
} Standing;

RoundWagers
casino_correction_part(const RoundState *round, const RoundWagers *wagers, bool settled)
{
	Datum		values[2] = {Int64GetDatum(round->round_id), BoolGetDatum(round->status == ROUND_WITHHELD)};
	Numbers		players = casino_column_numbers(casino_read_latest(&find_settled, values, NULL), ONLY_COLUMN);
	Numbers		voided = casino_column_numbers(casino_read_latest(&find_voided, values, NULL), ONLY_COLUMN);
	RoundWagers part = {
		.wagers = palloc(sizeof(RoundWager) * Max(wagers->count, 1)),
		.last_recorded_at = DT_NOBEGIN
	};

	for (int i = 0; i < wagers->count; i++)
		if (casino_numbers_have(players, wagers->wagers[i].player_id) == settled &&
			!casino_numbers_have(voided, wagers->wagers[i].player_id))
			part.wagers[part.count++] = wagers->wagers[i];
	return part;
}

static int64
signed_column(uint64 row, int column)
{
	return casino_datum_to_halere(casino_column(row, column, ARG_NUMERIC, NULL));
}

static Standing *
read_standing(int64 round_id, int *count)
{
	Datum		values[1] = {Int64GetDatum(round_id)};
	uint64		rows = casino_read_latest(&load_standing, values, NULL);
	Standing   *standing = palloc(sizeof(Standing) * Max(rows, 1));

	for (uint64 row = 0; row < rows; row++)
	{
		standing[row].player_id = casino_column_int64(row, STANDING_PLAYER_ID);
		standing[row].entry_no = casino_column_int64(row, STANDING_ENTRY_NO);
		standing[row].posted = signed_column(row, STANDING_POSTED);
		standing[row].paid = signed_column(row, STANDING_PAID);
		standing[row].waived = signed_column(row, STANDING_WAIVED);
		standing[row].open = signed_column(row, STANDING_OPEN);
	}
	*count = (int) rows;
	return standing;
}

static int64
plus(int64 a, int64 b)
{
	int64		sum;

	if (!casino_money_add(a, b, &sum))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("sum of a correction is out of range")));
	return sum;
}

/*
 * What is to be done about one wager.  Claims that are open or were waived
 * cover what is owed; only what is beyond them is taken now (R11.36).
 */
static Due
due_of(const RoundWager *wager, const Standing *standing)
{
	Due			due = {.wager = wager, .open = standing->open};
	int64		owed = plus(plus(standing->posted, -standing->paid), -wager->payout);
	int64		covered = plus(standing->waived, standing->open);

	if (owed < 0)
		due.give = -owed;
	else if (owed > covered)
	{
		due.take = owed - covered;
		due.claim = standing->open;
	}
	else
		due.claim = Max(owed - standing->waived, 0);
	return due;
}

/* ---- one player */

static void
write_claim(const PlayerState *player, const RoundState *round, const RoundWager *wager, int64 amount,
			CorrectionPosting *posting)
{
	Datum		values[7];

	values[0] = Int64GetDatum(player->player_id);
	values[1] = Int64GetDatum(round->round_id);
	values[2] = Int64GetDatum(wager->entry_no);
	values[3] = Int64GetDatum(posting->correction_no);
	values[4] = NumericGetDatum(casino_halere_to_numeric(amount));
	values[5] = TimestampTzGetDatum(posting->at);
	values[6] = TimestampTzGetDatum(GetCurrentTimestamp());
	casino_execute(&insert_claim, values, NULL);
	posting->claimed = plus(posting->claimed, amount);
}

/*
 * Open claims that are no longer owed as they are end with the correction; what remains of them is a
 * new one.
 */
static void
change_claims(const PlayerState *player, const RoundState *round, const Due *due, CorrectionPosting *posting)
{
	Datum		values[6];

	if (due->open == due->claim)
		return;
	values[0] = Int64GetDatum(player->player_id);
	values[1] = Int64GetDatum(due->wager->entry_no);
	values[2] = Int64GetDatum(posting->correction_no);
	values[3] = CStringGetTextDatum(posting->reason);
	values[4] = TimestampTzGetDatum(posting->at);
	values[5] = TimestampTzGetDatum(GetCurrentTimestamp());
	casino_execute(&end_claims, values, NULL);
	if (due->claim > 0)
		write_claim(player, round, due->wager, due->claim, posting);
}

static void
write_entry(PlayerState *player, LedgerWriter *writer, LedgerRow *row, const RoundWager *wager, int64 amount,
			CorrectionPosting *posting)
{
	casino_player_move(player, amount, NULL);
	casino_ledger_row_book(row, ++player->last_entry_no, amount, player->balance);
	casino_ledger_row_of_stake(row, wager->entry_no, wager->seat, wager->hand);
	casino_ledger_row_text(row, LEDGER_GRADE,
						   wager->grade == CASINO_GRADE_NONE ? NULL : casino_grade_name(wager->grade));
	casino_ledger_write(writer, row);
	posting->entries++;
	posting->posted = plus(posting->posted, amount);
}

/* Entries of one player: what is given first, then what is taken as far as it is there. */
static void
write_entries(PlayerState *player, const RoundState *round, Due *dues, int n, CorrectionPosting *posting)
{
	LedgerRow	row;
	LedgerWriter writer;
	int64		moved = 0;
	int64		last_entry_no = player->last_entry_no;

	casino_ledger_row_init(&row, player->player_id, "correction", posting->at);
	casino_ledger_row_set(&row, LEDGER_ROUND_ID, Int64GetDatum(round->round_id));
	casino_ledger_row_set(&row, LEDGER_CORRECTION_NO, Int64GetDatum(posting->correction_no));
	casino_ledger_row_text(&row, LEDGER_REASON, posting->reason);
	casino_ledger_write_begin(&writer);
	for (int i = 0; i < n; i++)
		if (dues[i].give > 0)
		{
			write_entry(player, &writer, &row, dues[i].wager, dues[i].give, posting);
			moved = plus(moved, dues[i].give);
		}
	for (int i = 0; i < n; i++)
	{
		int64		taken = Min(dues[i].take, player->balance);

		if (taken > 0)
		{
			write_entry(player, &writer, &row, dues[i].wager, -taken, posting);
			moved = plus(moved, -taken);
		}
		dues[i].claim = plus(dues[i].claim, dues[i].take - taken);
	}
	casino_ledger_write_end(&writer);
	/* of a wallet that is empty nothing is taken: the player's row is as before */
	if (player->last_entry_no == last_entry_no)
		return;
	player->last_posted_at = Max(player->last_posted_at, posting->at);
	casino_player_save(player);
	/* a net loss counts on the day posted (R11.38), and begins it also where give and take are equal */
	casino_limits_count_result(player, -moved, posting->at);
}

static void
correct_player(PlayerState *player, const RoundState *round, Due *dues, int n, CorrectionPosting *posting)
{
	bool		any = false;
	int64		given = 0;

	for (int i = 0; i < n; i++)
	{
		any = any || dues[i].give > 0 || dues[i].take > 0;
		given = plus(given, dues[i].give);
	}
	if (given > 0)
		casino_payable_check_credit(player, given);
	if (any)
		write_entries(player, round, dues, n, posting);
	for (int i = 0; i < n; i++)
	{
		change_claims(player, round, &dues[i], posting);
		/* in the player's favour: due since the first evaluation (D4 §11.1, R11.37) */
		if (dues[i].give > 0)
			casino_duties_paid_one(round->round_id, player->player_id, dues[i].wager->entry_no, dues[i].give,
								   posting->at);
	}
}

/* ---- withheld: nothing is posted, but the evaluation has counted what was lost */

/* How much less the player has lost by the wagers than the evaluation before said. */
static void
count_anew(const RoundState *round, const RoundWagers *wagers, const RoundWagers *former, Company *company)
{
	for (int i = 0, f = 0; i < wagers->count; i++)
	{
		const RoundWager *wager = &wagers->wagers[i];

		while (f < former->count && (former->wagers[f].player_id < wager->player_id ||
									 (former->wagers[f].player_id == wager->player_id &&
									  former->wagers[f].entry_no < wager->entry_no)))
			f++;
		if (f < former->count && former->wagers[f].entry_no == wager->entry_no &&
			former->wagers[f].player_id == wager->player_id && former->wagers[f].payout != wager->payout)
			casino_limits_count_result(casino_company_player(company, wager->player_id),
									   plus(former->wagers[f].payout, -wager->payout), round->evaluated_at);
	}
}

void
casino_correction_post(const RoundState *round, const RoundWagers *wagers, const RoundWagers *former,
					   CorrectionPosting *posting)
{
	RoundWagers settled = casino_correction_part(round, wagers, true);
	RoundWagers withheld = casino_correction_part(round, wagers, false);
	Numbers		players = {0, palloc(sizeof(int64) * Max(wagers->count, 1))};
	Company		company;
	Standing   *standing;
	Due		   *dues = palloc(sizeof(Due) * Max(settled.count, 1));
	int			nstanding;

	for (int i = 0; i < wagers->count; i++)
		players.numbers[players.n++] = wagers->wagers[i].player_id;
	casino_company_lock(players, &company);
	standing = read_standing(round->round_id, &nstanding);
	for (int i = 0, s = 0; i < settled.count; i++)
	{
		while (s < nstanding && (standing[s].player_id != settled.wagers[i].player_id ||
								 standing[s].entry_no != settled.wagers[i].entry_no))
			s++;
		if (s == nstanding)
			elog(ERROR, "stake " INT64_FORMAT " of player " INT64_FORMAT " vanished",
				 settled.wagers[i].entry_no,
				 settled.wagers[i].player_id);
		dues[i] = due_of(&settled.wagers[i], &standing[s]);
	}
	for (int first = 0, next; first < settled.count; first = next)
	{
		next = casino_round_wagers_next_player(&settled, first);
		correct_player(casino_company_player(&company, settled.wagers[first].player_id), round, &dues[first],
					   next - first, posting);
	}
	count_anew(round, &withheld, former, &company);
}
