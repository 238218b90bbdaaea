/*
 * booking.c
 *	  The one recipe of an entry that stands alone: locks, request, rules,
 *	  number and balance.  The row trigger and the functions that post single
 *	  entries follow it.
 */
#include "ledger/entry.h"

#include "server/bounds.h"
#include "state/box.h"
#include "state/cell.h"
#include "state/clear_text.h"
#include "state/player.h"
#include "state/round.h"
#include "state/wagers.h"

/* 22001 for a text too long to be kept. */
static void
check_texts(const Entry *entry)
{
	casino_bound_text("request_id", entry->request_id, CASINO_KEY_BYTES);
	casino_bound_cstring("kind", entry->kind, CASINO_WORD_BYTES);
	casino_bound_cstring("grade", entry->grade, CASINO_WORD_BYTES);
	casino_bound_cstring("reason", entry->reason, CASINO_REASON_BYTES);
	casino_bound_cstring("method", entry->method, CASINO_WORD_BYTES);
	casino_bound_cstring("account", entry->account, CASINO_WORD_BYTES);
	casino_bound_cstring("reference", entry->reference, CASINO_KEY_BYTES);
	casino_bound_cstring("place", entry->place, CASINO_KEY_BYTES);
}

/*
 * The round and seat whose locks the entry needs, 0 for none: taken before the
 * player's row, as everywhere.
 */
static int64
round_to_lock(const Entry *entry, int *seat)
{
	PostedStake stake;

	*seat = entry->has_seat ? entry->seat : 0;
	if (entry->has_stake_entry_no && casino_stake_find(entry->player_id, entry->stake_entry_no, &stake))
	{
		*seat = stake.seat;
		return stake.round_id;
	}
	/* a correction names a round and changes nothing in it */
	return entry->has_round_id && strcmp(entry->kind, "adjustment") != 0 ? entry->round_id : 0;
}

void
casino_entry_take_locks(int64 round_id, int seat, int64 player_id, PlayerState *player)
{
	if (round_id != 0)
		casino_round_lock_shared(round_id);
	if (round_id != 0 && seat != 0)
		casino_box_lock(round_id, seat);
	casino_player_lock(player_id, player);
}

void
casino_entry_lock(const Entry *entry, PlayerState *player)
{
	int64		round_id;
	int			seat;

	check_texts(entry);
	if (!entry->has_player_id || entry->kind == NULL)
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("a ledger entry needs player_id and kind")));
	if (strcmp(entry->kind, "adjustment") != 0)
		casino_cell_refuse_move_name(entry->request_id);
	casino_entry_check(entry);
	round_id = round_to_lock(entry, &seat);
	casino_entry_take_locks(round_id, seat, entry->player_id, player);
}

void
casino_entry_book(Entry *entry, PlayerState *player)
{
	casino_player_time(player, &entry->time);
	if (entry->has_entry_no && entry->entry_no != player->last_entry_no + 1)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("entry " INT64_FORMAT " is not the next one of player " INT64_FORMAT,
							   entry->entry_no, entry->player_id),
						errhint("Leave entry_no out: the ledger numbers its entries.")));
	casino_entry_post(entry, player);
	if (entry->reference != NULL)
		entry->reference = casino_clear_text_keep(entry->player_id, entry->reference);
	entry->entry_no = ++player->last_entry_no;
	player->last_posted_at = entry->time.at;
	casino_player_save(player);
}
