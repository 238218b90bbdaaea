/*
 * position_window.c
 *	  position_staked(bet, seat, hand): a window function over the wagers of one
 *	  player in a round, in the order of entry.
 *
 * The arithmetic is the core's; here its table lives as long as the partition.
 */
#include "postgres.h"

#include "utils/memutils.h"
#include "windowapi.h"

#include "casino.h"
#include "core/games/position.h"

#define FIRST_SIZE	4			/* slots that cost nothing: most players have one or two wagers */

typedef struct Positions
{
	CasinoPosition first[FIRST_SIZE];
	CasinoPosition *table;		/* NULL: first */
	uint32		size;
	uint32		taken;
} Positions;

/* Twice the room, in the memory of the partition. */
static void
grow(Positions *positions)
{
	CasinoPosition *old = positions->table;
	uint32		size = positions->size * 2;
	CasinoPosition *table = MemoryContextAllocZero(GetMemoryChunkContext(positions),
												   sizeof(CasinoPosition) * size);

	casino_position_move(old, positions->size, table, size);
	if (old != positions->first)
		pfree(old);
	positions->table = table;
	positions->size = size;
}

/* position_staked(bet, seat, hand) OVER (PARTITION BY round_id, player_id ORDER BY entry_no) */
PG_FUNCTION_INFO_V1(casino_sql_position_staked);
Datum
casino_sql_position_staked(PG_FUNCTION_ARGS)
{
	WindowObject window = PG_WINDOW_OBJECT();
	Positions  *positions = WinGetPartitionLocalMemory(window, sizeof(Positions));
	bool		no_bet;
	bool		no_seat;
	bool		no_hand;
	Datum		bet = WinGetFuncArgCurrent(window, 0, &no_bet);
	int			seat = DatumGetInt32(WinGetFuncArgCurrent(window, 1, &no_seat));
	int			hand = DatumGetInt32(WinGetFuncArgCurrent(window, 2, &no_hand));
	int64		before;

	if (no_bet)
		PG_RETURN_NULL();
	if (positions->table == NULL)
	{
		positions->table = positions->first;
		positions->size = FIRST_SIZE;
	}
	if (positions->taken * 2 >= positions->size)
		grow(positions);
	if (!casino_position_add(positions->table, positions->size, &positions->taken, DatumGetBet(bet),
							 no_seat ? 0 : seat, no_hand ? 1 : hand, &before))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("the stakes of a position are out of range")));
	PG_RETURN_INT64(before);
}
