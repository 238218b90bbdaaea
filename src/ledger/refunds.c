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

void
casino_company_lock(Numbers players, Company *company)
{
	const int64 *ids = players.numbers;

	company->n = 0;
	company->players = palloc(sizeof(PlayerState) * Max(players.n, 1));
	qsort(players.numbers, players.n, sizeof(int64), casino_numbers_compare);
	for (int i = 0; i < players.n; i++)
		if (i == 0 || ids[i] != ids[i - 1])
			casino_player_lock(ids[i], &company->players[company->n++]);
	casino_limits_lock(company->players, company->n);
}

static int
compare_player(const void *player_id, const void *player)
{
	return casino_numbers_compare(player_id, &((const PlayerState *) player)->player_id);
}

PlayerState *
casino_company_player(const Company *company, int64 player_id)
{
	PlayerState *found = bsearch(&player_id, company->players, company->n, sizeof(PlayerState),
								 compare_player);

	if (found == NULL)
		elog(ERROR, "player " INT64_FORMAT " is not locked", player_id);
	return found;
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
		casino_player_move(player, cost, NULL);
		entries[*count] = ++player->last_entry_no;
		casino_ledger_row_book(&row, player->last_entry_no, cost, player->balance);
		casino_ledger_row_of_stake(&row, wagers[i].entry_no, wagers[i].seat, wagers[i].hand);
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
	return post_refunds(player, round->round_id, wagers, n, gone, Max(at, player->last_posted_at), reason,
						count);
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
