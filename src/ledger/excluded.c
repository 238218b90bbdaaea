/*
 * excluded.c
 *	  Stakes of a person who is excluded while betting is open: they are not
 *	  concluded yet and go back; those of closed rounds play on (D4 §6.2), and
 *	  so do those that would go back at betting_until or later, because the
 *	  player's last entry is dated ahead (R13.35).
 *
 * A stake locks its round (shared), its box and then its player, and looks
 * whether he is excluded.  So nothing more can be staked once his row is
 * locked, and a close waits for the round's lock.  The rounds come before the
 * player in the order of locks, but which they are is final only with the
 * player: whoever finds another one then lets go of everything and starts
 * again.
 */
#include "ledger/refunds.h"

#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "server/locking.h"
#include "server/query.h"
#include "server/run_as_owner.h"
#include "state/box.h"
#include "state/round.h"
#include "state/wagers.h"

/* Where standing stakes of the players $1 lie in rounds open for betting until after $2. */
static PreparedQuery find_places = {
	.sql = "SELECT DISTINCT s.round_id, s.player_id, coalesce(s.seat, 0) AS seat"
	"  FROM casino.round r"
	"  JOIN casino.ledger s ON s.round_id = r.round_id AND s.kind = 'stake' AND s.player_id = ANY ($1)"
	" WHERE r.status = 'open' AND coalesce(r.betting_until > $2, true)"
	"   AND NOT EXISTS (SELECT FROM casino.ledger f"
	"                    WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no)"
	" ORDER BY s.round_id, s.player_id, seat",
	.args = {ARG_INT8_ARRAY, ARG_TIMESTAMPTZ}
};

/* its columns */
enum
{
	PLACE_ROUND_ID = 1, PLACE_PLAYER_ID, PLACE_SEAT
};

typedef struct Place
{
	int64		round_id;
	int64		player_id;
	int			seat;			/* 0: none */
} Place;

/* The players, one person's accounts, and where their stakes lie. */
typedef struct Excluded
{
	Datum		accounts;		/* bigint[] */
	int64	   *ids;
	int			nids;
	Place	   *places;
	int			nplaces;
} Excluded;

static void
read_accounts(Datum accounts, Excluded *excluded)
{
	ArrayType  *array = DatumGetArrayTypeP(accounts);
	Datum	   *elements;
	bool	   *nulls;

	excluded->accounts = PointerGetDatum(array);
	deconstruct_array(array, INT8OID, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE,
					  &elements, &nulls, &excluded->nids);
	excluded->ids = palloc(sizeof(int64) * Max(excluded->nids, 1));
	for (int i = 0; i < excluded->nids; i++)
	{
		if (nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("accounts must not contain nulls")));
		excluded->ids[i] = DatumGetInt64(elements[i]);
	}
}

static void
load_places(Excluded *excluded, TimestampTz open_after)
{
	Datum		values[2] = {excluded->accounts, TimestampTzGetDatum(open_after)};
	uint64		rows = casino_read_latest(&find_places, values, NULL);

	excluded->nplaces = (int) rows;
	excluded->places = palloc(sizeof(Place) * Max(rows, 1));
	for (uint64 row = 0; row < rows; row++)
	{
		excluded->places[row].round_id = casino_column_int64(row, PLACE_ROUND_ID);
		excluded->places[row].player_id = casino_column_int64(row, PLACE_PLAYER_ID);
		excluded->places[row].seat = casino_column_int(row, PLACE_SEAT);
	}
}

static bool
same_round(const Place *places, int i)
{
	return i > 0 && places[i].round_id == places[i - 1].round_id;
}

/* Locks of the same transaction are not waited for: return_open_stakes() alone locks them, too. */
static void
lock_rounds(const Excluded *excluded)
{
	for (int i = 0; i < excluded->nplaces; i++)
		if (!same_round(excluded->places, i))
			casino_round_lock_shared(excluded->places[i].round_id);
}

/* Lock boxes, the accounts and who bets behind them; the rounds are locked. */
static void
lock_company(const Excluded *excluded, Company *company)
{
	Numbers		players = {excluded->nids, palloc(sizeof(int64) * Max(excluded->nids, 1))};

	memcpy(players.numbers, excluded->ids, sizeof(int64) * players.n);
	for (int i = 0; i < excluded->nplaces; i++)
	{
		const Place *place = &excluded->places[i];
		Numbers		followers;

		if (place->seat == 0 || (same_round(excluded->places, i) && place->player_id == place[-1].player_id))
			continue;
		followers = casino_box_followers(place->round_id, place->player_id);
		players.numbers = repalloc(players.numbers, sizeof(int64) * Max(players.n + followers.n, 1));
		for (int f = 0; f < followers.n; f++)
			players.numbers[players.n++] = followers.numbers[f];
	}
	casino_company_lock(players, company);
}

/* Lock everything in order; false when a stake came in between, at a place not locked. */
static bool
try_lock(void *what)
{
	Excluded   *excluded = what;
	Excluded	now = *excluded;
	RunAsOwner	as_owner;
	Company		company;
	bool		locked = true;

	casino_as_owner_begin(&as_owner);
	load_places(excluded, DT_NOBEGIN);
	lock_rounds(excluded);
	lock_company(excluded, &company);
	load_places(&now, DT_NOBEGIN);
	for (int i = 0; i < now.nplaces && locked; i++)
	{
		locked = false;
		for (int k = 0; k < excluded->nplaces && !locked; k++)
			locked = excluded->places[k].round_id == now.places[i].round_id &&
				excluded->places[k].seat == now.places[i].seat;
	}
	casino_as_owner_end(&as_owner);
	return locked;
}

/*
 * lock_open_stakes(accounts): locks the rounds open for betting where stakes
 * of the players lie, their boxes, the players and those who bet behind them.
 */
PG_FUNCTION_INFO_V1(casino_sql_lock_open_stakes);
Datum
casino_sql_lock_open_stakes(PG_FUNCTION_ARGS)
{
	Excluded	excluded = {0};

	read_accounts(PG_GETARG_DATUM(0), &excluded);
	casino_lock_all(try_lock, &excluded);
	PG_RETURN_VOID();
}

/*
 * return_open_stakes(accounts, at): after lock_open_stakes(), all stakes of
 * the players in rounds open for betting go back as excluded, and the bets
 * behind them as cancelled: who bet behind is not excluded (R7.16).  Gives how many
 * went back.
 */
PG_FUNCTION_INFO_V1(casino_sql_return_open_stakes);
Datum
casino_sql_return_open_stakes(PG_FUNCTION_ARGS)
{
	TimestampTz at = PG_GETARG_TIMESTAMPTZ(1);
	Excluded	excluded = {0};
	RunAsOwner	as_owner;
	Company		company;
	int64		returned = 0;

	casino_as_owner_begin(&as_owner);
	read_accounts(PG_GETARG_DATUM(0), &excluded);
	/* by the clock, too, which a replay does not have */
	load_places(&excluded, casino_clock_skew == CASINO_CLOCK_SKEW_ANY ? at : Max(at, GetCurrentTimestamp()));
	lock_rounds(&excluded);
	lock_company(&excluded, &company);
	for (int i = 0; i < excluded.nplaces; i++)
	{
		RoundState	round;

		if (same_round(excluded.places, i))
			continue;
		casino_round_load(excluded.places[i].round_id, &round);
		for (int k = 0; k < excluded.nids; k++)
		{
			PlayerState *player = casino_company_player(&company, excluded.ids[k]);
			Wager	   *wagers;
			int			n;
			bool	   *all;
			int			count;

			if (casino_round_is_over(&round, Max(at, player->last_posted_at)))
				continue;
			n = casino_wagers_load(round.round_id, player->player_id, &wagers);
			all = palloc(sizeof(bool) * Max(n, 1));
			memset(all, true, n);
			(void) casino_return_wagers(player, &round, wagers, n, all, at, "excluded", &count);
			returned += count;
		}
		returned += casino_return_behind(&company, &round, at, "cancelled");
	}
	casino_as_owner_end(&as_owner);
	PG_RETURN_INT64(returned);
}
