/*
 * cell.h
 *	  A cell has some of the players; a hub, which knows all cells, calls it
 *	  about tables and rounds.
 */
#ifndef CASINO_CELL_H
#define CASINO_CELL_H

#include "postgres.h"

#include "server/event_time.h"
#include "compat.h"

typedef struct Cell
{
	int			cell;			/* -1: this database is no cell */
	int			of_cells;
} Cell;

extern void casino_cell_load(Cell *cell);

/* Is the player's number of this database? */
extern bool casino_cell_has(const Cell *cell, int64 player_id);

/* 23503 for a player who is not here, with the cell that his number is of. */
extern void casino_cell_no_such_player(int64 player_id) pg_attribute_noreturn();

/* KB004 for a player who has moved to another cell, which it names (R12.112). */
extern void casino_cell_check_moved(int64 player_id);

/* R12.114: is a request named as those of moves between cells are?  NULL: it is not. */
extern bool casino_cell_names_move(const text * request_id);

/* 22023 for a request with such a name. */
extern void casino_cell_refuse_move_name(const text * request_id);

/*
 * The time of an event of a round or table, before casino_time_take().  In a
 * cell it is the hub's, which has checked it when it decided; the call may be
 * sent again, or reach a cell that was down, long afterwards (R13.5).
 */
extern void casino_cell_event_time(EventTime *time);

#endif							/* CASINO_CELL_H */
