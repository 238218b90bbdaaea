/*
 * box.c
 *	  Who else is on the boxes of a seated round: the one place where a
 *	  player's entry looks at other players, under the lock of round and seat.
 */
#include "state/box.h"

#include "utils/builtins.h"

#include "server/query.h"

static PreparedQuery load_seats = {
	.sql = "SELECT DISTINCT s.seat FROM casino.ledger s"
	" WHERE s.round_id = $1 AND s.kind = 'stake' AND s.player_id = $2 AND s.seat IS NOT NULL"
	" ORDER BY s.seat",
	.args = {ARG_INT8, ARG_INT8}
};

static PreparedQuery load_followers = {
	.sql = "SELECT DISTINCT b.player_id"
	"  FROM casino.ledger m"
	"  JOIN casino.ledger b ON b.round_id = m.round_id AND b.kind = 'stake' AND b.seat = m.seat"
	"                      AND b.player_id <> m.player_id AND casino.kind(b.bet) = 'behind'"
	" WHERE m.round_id = $1 AND m.kind = 'stake' AND m.player_id = $2 AND casino.kind(m.bet) = 'main'"
	" ORDER BY b.player_id",
	.args = {ARG_INT8, ARG_INT8}
};

static PreparedQuery load_behind = {
	.sql = "SELECT DISTINCT b.player_id FROM casino.ledger b"
	" WHERE b.round_id = $1 AND b.kind = 'stake' AND b.seat = $2 AND casino.kind(b.bet) = 'behind'"
	"   AND NOT EXISTS (SELECT FROM casino.ledger f"
	"                    WHERE f.player_id = b.player_id AND f.stake_entry_no = b.entry_no)"
	" ORDER BY b.player_id",
	.args = {ARG_INT8, ARG_INT4}
};

static PreparedQuery find_kind = {
	.sql = "SELECT 1 FROM casino.ledger m"
	" WHERE m.round_id = $1 AND m.kind = 'stake' AND m.seat = $2 AND casino.kind(m.bet) = $3"
	"   AND NOT EXISTS (SELECT FROM casino.ledger f"
	"                    WHERE f.player_id = m.player_id AND f.stake_entry_no = m.entry_no)"
	" LIMIT 1",
	.args = {ARG_INT8, ARG_INT4, ARG_TEXT}
};

int
casino_box_seats(int64 round_id, int64 player_id, int **seats)
{
	Datum		values[2] = {Int64GetDatum(round_id), Int64GetDatum(player_id)};
	uint64		rows = casino_read_latest(&load_seats, values, NULL);

	*seats = palloc(sizeof(int) * Max(rows, 1));
	for (uint64 row = 0; row < rows; row++)
		(*seats)[row] = casino_column_int(row, ONLY_COLUMN);
	return (int) rows;
}

Numbers
casino_box_followers(int64 round_id, int64 player_id)
{
	Datum		values[2] = {Int64GetDatum(round_id), Int64GetDatum(player_id)};
	int		   *seats;
	int			nseats = casino_box_seats(round_id, player_id, &seats);

	for (int i = 0; i < nseats; i++)
		casino_box_lock(round_id, seats[i]);
	return casino_column_numbers(nseats > 0 ? casino_read_latest(&load_followers, values, NULL) : 0,
								 ONLY_COLUMN);
}

Numbers
casino_box_behind(int64 round_id, int seat)
{
	Datum		values[2] = {Int64GetDatum(round_id), Int32GetDatum(seat)};

	return casino_column_numbers(casino_read_latest(&load_behind, values, NULL), ONLY_COLUMN);
}

/* Does a wager of the kind lie on the box? */
static bool
has_kind(int64 round_id, int seat, const char *kind)
{
	Datum		values[3] = {Int64GetDatum(round_id), Int32GetDatum(seat), CStringGetTextDatum(kind)};

	return casino_read_latest(&find_kind, values, NULL) > 0;
}

bool
casino_box_has_main(int64 round_id, int seat)
{
	return has_kind(round_id, seat, "main");
}

bool
casino_box_has_behind(int64 round_id, int seat)
{
	return has_kind(round_id, seat, "behind");
}
