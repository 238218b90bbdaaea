/*
 * refunds.c
 *	  Stakes that go back, with what cannot stand without them: see refunds.h.
 */
#include "ledger/refunds.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "duties/duties.h"
#include "duties/limits.h"
#include "ledger/stake_rules.h"
#include "server/query.h"
#include "state/box.h"
#include "state/ledger_row.h"

static int
compare_ids(const void *a, const void *b)
{
	int64		left = *(const int64 *) a;
	int64		right = *(const int64 *) b;

	return left < right ? -1 : left > right;
}

void
casino_company_lock(int64 *ids, int n, Company *company)
{
	company->n = 0;
	company->players = palloc(sizeof(PlayerState) * Max(n, 1));
	qsort(ids, n, sizeof(int64), compare_ids);
	for (int i = 0; i < n; i++)
		if (i == 0 || ids[i] != ids[i - 1])
			casino_player_lock(ids[i], &company->players[company->n++]);
	casino_limits_lock(company->players, company->n);
}

PlayerState *
casino_company_player(const Company *company, int64 player_id)
{
	for (int i = 0; i < company->n; i++)
		if (company->players[i].player_id == player_id)
			return &company->players[i];
	elog(ERROR, "player " INT64_FORMAT " is not locked", player_id);
	return NULL;				/* keep compilers quiet */
}

/* Post refunds of these wagers and bring the player's row up to date. */
static int64 *
post_refunds(PlayerState *player, int64 round_id, const Wager *wagers, int n,
			 const bool *chosen, TimestampTz at, const char *reason, int *count)
{
	int64	   *entries = palloc(sizeof(int64) * Max(n, 1));
	LedgerRow	row;
	LedgerWriter writer;

	casino_ledger_row_init(&row, player->player_id, "refund", at);
	casino_ledger_row_set(&row, LEDGER_ROUND_ID, Int64GetDatum(round_id));
	casino_ledger_row_text(&row, LEDGER_REASON, reason);
	*count = 0;
	casino_duties_undo_stakes(player, round_id, wagers, n, chosen);
	casino_ledger_write_begin(&writer);
	for (int i = 0; i < n; i++)
	{
		int64		cost = casino_wager_cost(&wagers[i].bet);

		if (!chosen[i])
			continue;
		casino_player_move(player, cost);
		entries[*count] = ++player->last_entry_no;
		casino_ledger_row_book(&row, player->last_entry_no, cost, player->balance);
		casino_ledger_row_place(&row, wagers[i].seat, wagers[i].hand);
		casino_ledger_row_set(&row, LEDGER_STAKE_ENTRY_NO, Int64GetDatum(wagers[i].entry_no));
		casino_ledger_write(&writer, &row);
		(*count)++;
	}
	casino_ledger_write_end(&writer);
	if (*count > 0)
	{
		player->last_posted_at = at;
		casino_player_save(player);
	}
	return entries;
}

int64 *
casino_return_wagers(PlayerState *player, const RoundState *round, const Wager *wagers, int n, bool *gone,
					 TimestampTz at, const char *reason, int *count)
{
	int			fallen;

	while ((fallen = casino_stake_unsupported(round, wagers, n, gone)) >= 0)
		gone[fallen] = true;
	return post_refunds(player, round->round_id, wagers, n, gone, Max(at, player->last_posted_at), reason, count);
}

int
casino_return_behind(const Company *company, const RoundState *round, TimestampTz at, const char *reason)
{
	int			returned = 0;

	for (int i = 0; i < company->n; i++)
	{
		PlayerState *player = &company->players[i];
		Wager	   *wagers;
		int			n = casino_wagers_load(round->round_id, player->player_id, &wagers);
		bool	   *gone = palloc0(sizeof(bool) * Max(n, 1));
		int			count;

		for (int w = 0; w < n; w++)
			gone[w] = wagers[w].bet.kind == CASINO_BEHIND &&
				!casino_box_has_main(round->round_id, wagers[w].seat);
		(void) casino_return_wagers(player, round, wagers, n, gone, at, reason, &count);
		returned += count;
	}
	return returned;
}
