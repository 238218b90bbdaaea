/*
 * blackjack_box.c
 *	  See blackjack_box.h.
 */
#include "games/blackjack_box.h"

#include "casino.h"
#include "games/blackjack_table.h"
#include "server/query.h"
#include "server/refusal.h"
#include "state/round.h"
#include "state/wagers.h"

static PreparedQuery load_box = {
	.sql = "SELECT s.player_id, s.bet, s.hand"
	"  FROM casino.ledger s"
	" WHERE s.round_id = $1 AND s.kind = 'stake' AND s.seat = $2"
	"   AND NOT EXISTS (SELECT FROM casino.ledger f"
	"                    WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no)"
	" ORDER BY s.posted_at, s.recorded_at, s.player_id, s.entry_no",
	.args = {ARG_INT8, ARG_INT4}
};

/* its columns */
enum
{
	BOX_PLAYER_ID = 1, BOX_BET, BOX_HAND
};

static PreparedQuery load_handovers = {
	.sql = "SELECT h.owner FROM casino.box_handover h WHERE h.round_id = $1 AND h.seat = $2"
	" ORDER BY h.handover_no DESC",
	.args = {ARG_INT8, ARG_INT4}
};

/* Is the player among these? */
static bool
is_among(int64 player_id, const int64 *players, int n)
{
	for (int i = 0; i < n; i++)
		if (players[i] == player_id)
			return true;
	return false;
}

int64
casino_blackjack_owner_among(int64 round_id, const CasinoBlackjackRules *rules, int seat,
							 const int64 *players, int n)
{
	Datum		values[2] = {Int64GetDatum(round_id), Int32GetDatum(seat)};
	uint64		rows;

	if (n == 0)
		return 0;
	if (rules->absent_owner == CASINO_ABSENT_OWNER_NONE)
		return players[0];
	rows = casino_read_latest(&load_handovers, values, NULL);
	for (uint64 row = 0; row < rows; row++)
		if (is_among(casino_column_int64(row, ONLY_COLUMN), players, n))
			return casino_column_int64(row, ONLY_COLUMN);
	return players[0];
}

int64 *
casino_blackjack_box_players(const BlackjackBox *box, int *count)
{
	int64	   *players = palloc(sizeof(int64) * Max(box->n, 1));

	*count = 0;
	for (int i = 0; i < box->n; i++)
		if (box->wagers[i].bet.kind == CASINO_MAIN && !is_among(box->players[i], players, *count))
			players[(*count)++] = box->players[i];
	return players;
}

void
casino_blackjack_box_load(const RoundState *round, const CasinoBlackjackRules *rules, int seat,
						  BlackjackBox *box)
{
	Datum		values[2] = {Int64GetDatum(round->round_id), Int32GetDatum(seat)};
	uint64		rows = casino_read_latest(&load_box, values, NULL);
	int64	   *players;
	int			nplayers;

	box->n = (int) rows;
	box->players = palloc(sizeof(int64) * Max(rows, 1));
	box->wagers = palloc0(sizeof(Wager) * Max(rows, 1));
	for (uint64 row = 0; row < rows; row++)
	{
		box->players[row] = casino_column_int64(row, BOX_PLAYER_ID);
		box->wagers[row].bet = casino_column_bet(row, BOX_BET);
		box->wagers[row].seat = seat;
		box->wagers[row].hand = casino_column_int(row, BOX_HAND);
	}
	players = casino_blackjack_box_players(box, &nplayers);
	box->owner = casino_blackjack_owner_among(round->round_id, rules, seat, players, nplayers);
}

/* KB005: he cannot decide on the box, and why. */
static void
cannot_decide(int64 player_id, int seat, const char *reason)
{
	ereport(ERROR,
			(errrefusal(REFUSAL_CANNOT_DECIDE, REFUSED_INT("seat", seat), REFUSED_INT("player_id", player_id),
						REFUSED_TEXT("why", reason)),
			 errmsg("box %d cannot be handed over to player " INT64_FORMAT, seat, player_id),
			 errdetail_internal("%s", reason)));
}

/* Is it a split, or a double, paid or free? */
static bool
splits(const Wager *wager)
{
	return wager->bet.kind == CASINO_SPLIT_PAIR || wager->bet.kind == CASINO_FREE_SPLIT;
}

static bool
doubles(const Wager *wager)
{
	return wager->bet.kind == CASINO_DOUBLE_DOWN || wager->bet.kind == CASINO_FREE_DOUBLE;
}

/* Has the player split or doubled as this wager of the owner does? */
static bool
has_followed(const BlackjackBox *box, int64 player_id, const Wager *decision)
{
	for (int i = 0; i < box->n; i++)
	{
		const Wager *own = &box->wagers[i];

		if (box->players[i] == player_id && Max(own->hand, 1) == Max(decision->hand, 1) &&
			((splits(decision) && splits(own)) || (doubles(decision) && doubles(own))))
			return true;
	}
	return false;
}

/*
 * KB005 unless he has followed what the owner has decided: he has no stake on
 * a hand that he did not split, and cannot decide on it.
 */
static void
check_followed(const BlackjackBox *box, int seat, int64 player_id)
{
	for (int i = 0; i < box->n; i++)
	{
		const Wager *decision = &box->wagers[i];

		if (box->players[i] == box->owner && (splits(decision) || doubles(decision)) &&
			!has_followed(box, player_id, decision))
			cannot_decide(player_id, seat,
						  psprintf(splits(decision) ? "He has not followed the split of player "
								   INT64_FORMAT " to hand %d." :
								   "He has not followed the double of player " INT64_FORMAT " on hand %d.",
								   box->owner, Max(decision->hand, 1)));
	}
}

bool
casino_blackjack_hand_over(const RoundState *round, int seat, int64 player_id, int64 *former)
{
	CasinoBlackjackRules rules;
	CasinoBlackjackSources sources;
	BlackjackBox box;
	int64	   *players;
	int			n;

	casino_blackjack_plan_load(round->plan_id, &rules, &sources);
	if (rules.absent_owner == CASINO_ABSENT_OWNER_NONE)
		ereport(ERROR,
				(errrefusal(REFUSAL_NO_HANDOVER, REFUSED_TEXT("game", round->game)),
				 errmsg("%s lets nobody decide for the absent owner of a box", round->game),
				 errdetail("A box whose owner is absent is played without decisions.")));
	casino_blackjack_box_load(round, &rules, seat, &box);
	players = casino_blackjack_box_players(&box, &n);
	if (!is_among(player_id, players, n))
		cannot_decide(player_id, seat, "He has no main bet on it.");
	if (player_id == box.owner)
		return false;
	/* D3 §1: the guest with a stake on the second spot of the box; the owner himself when he is back */
	if (player_id != players[0] && player_id != players[1])
		cannot_decide(player_id, seat, psprintf("Player " INT64_FORMAT " was the second to bet on it (%s).",
												players[1],
												sources.paragraph[CASINO_BJ_ABSENT_OWNER]));
	check_followed(&box, seat, player_id);
	*former = box.owner;
	return true;
}
