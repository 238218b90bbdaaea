/*
 * cell.c
 *	  Which cell this database is: see cell.h.
 */
#include "state/cell.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "server/query.h"
#include "server/refusal.h"
#include "server/run_as_owner.h"

static PreparedQuery load_cell = {
	.sql = "SELECT cell, of_cells FROM casino.cell"
};

/* its columns */
enum
{
	CELL_NUMBER = 1, CELLS_IN_ALL
};

static PreparedQuery find_move = {
	.sql = "SELECT m.cell FROM casino_internal.moved_cell($1) m (cell) WHERE m.cell IS NOT NULL",
	.args = {ARG_INT8}
};

void
casino_cell_load(Cell *cell)
{

	cell->cell = -1;
	cell->of_cells = 1;
	if (casino_read_latest(&load_cell, NULL, NULL) == 0)
		return;
	cell->cell = casino_column_int(0, CELL_NUMBER);
	cell->of_cells = casino_column_int(0, CELLS_IN_ALL);
}

bool
casino_cell_has(const Cell *cell, int64 player_id)
{
	return cell->cell < 0 || player_id % cell->of_cells == cell->cell;
}

void
casino_cell_no_such_player(int64 player_id)
{
	Cell		cell;

	casino_cell_load(&cell);
	if (player_id > 0 && !casino_cell_has(&cell, player_id))
		ereport(ERROR,
				(errcode(ERRCODE_FOREIGN_KEY_VIOLATION),
				 errmsg("player " INT64_FORMAT " does not exist", player_id),
				 errdetail("This is cell %d of %d, his number is of cell %d.", cell.cell, cell.of_cells,
						   (int) (player_id % cell.of_cells)),
				 errhint("Send the request to cell %d, or to the hub.", (int) (player_id % cell.of_cells))));
	ereport(ERROR,
			(errcode(ERRCODE_FOREIGN_KEY_VIOLATION),
			 errmsg("player " INT64_FORMAT " does not exist", player_id),
			 errhint("casino.register_player() makes one.")));
}

void
casino_cell_check_moved(int64 player_id)
{
	Datum		values[1] = {Int64GetDatum(player_id)};
	int			cell;

	if (casino_read_latest(&find_move, values, NULL) == 0)
		return;
	cell = casino_column_int(0, ONLY_COLUMN);
	ereport(ERROR,
			(errrefusal(REFUSAL_PLAYER_MOVED, REFUSED_INT("cell", cell)),
			 errmsg("player " INT64_FORMAT " has moved to cell %d", player_id, cell),
			 errhint("casino.moved_to(" INT64_FORMAT ") at the hub gives the number of the account there.",
					 player_id)));
}

bool
casino_cell_names_move(const text * request_id)
{
	static const char *const names[] = {"casino: to cell ", "casino: from cell "};

	if (request_id == NULL)
		return false;
	for (int i = 0; i < (int) lengthof(names); i++)
		if (VARSIZE_ANY_EXHDR(request_id) >= strlen(names[i]) &&
			memcmp(VARDATA_ANY(request_id), names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

void
casino_cell_refuse_move_name(const text * request_id)
{
	if (casino_cell_names_move(request_id))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("request \"%s\" is one of a move between cells", text_to_cstring(request_id)),
				 errhint("Give another request_id: casino.move_player() at the hub alone uses such names.")));
}

void
casino_cell_event_time(EventTime *time)
{
	Cell		cell;

	casino_cell_load(&cell);
	time->may_be_late = cell.cell >= 0;
}

/*
 * check_given_number(number, name): a number that a hub gives is needed in a
 * cell, where the database draws none itself.
 */
PG_FUNCTION_INFO_V1(casino_sql_check_given_number);
Datum
casino_sql_check_given_number(PG_FUNCTION_ARGS)
{
	char	   *name = PG_ARGISNULL(1) ? "number" : text_to_cstring(PG_GETARG_TEXT_PP(1));
	RunAsOwner	as_owner;
	Cell		cell;

	if (!PG_ARGISNULL(0))
	{
		if (PG_GETARG_INT64(0) < 1)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("%s must be greater than 0, not " INT64_FORMAT, name, PG_GETARG_INT64(0))));
		PG_RETURN_VOID();
	}
	casino_as_owner_begin(&as_owner);
	casino_cell_load(&cell);
	casino_as_owner_end(&as_owner);
	if (cell.cell >= 0)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("%s must be given in a cell", name),
				 errhint("The hub numbers tables and rounds: add tables and open rounds there.")));
	PG_RETURN_VOID();
}

/* refuse_unknown_player(player_id): 23503, for bodies in PL/pgSQL. */
PG_FUNCTION_INFO_V1(casino_sql_refuse_unknown_player);
Datum
casino_sql_refuse_unknown_player(PG_FUNCTION_ARGS)
{
	RunAsOwner	as_owner;

	casino_as_owner_begin(&as_owner);
	casino_cell_no_such_player(PG_GETARG_INT64(0));
	PG_RETURN_VOID();
}

/* round_event_time(at, not_before): event_time() of an event of a round or table. */
PG_FUNCTION_INFO_V1(casino_sql_round_event_time);
Datum
casino_sql_round_event_time(PG_FUNCTION_ARGS)
{
	EventTime	time;
	RunAsOwner	as_owner;

	casino_time_argument(fcinfo, 0, &time);
	casino_as_owner_begin(&as_owner);
	casino_cell_event_time(&time);
	casino_as_owner_end(&as_owner);
	casino_time_take(&time);
	if (!PG_ARGISNULL(1))
		casino_time_follow(&time, PG_GETARG_TIMESTAMPTZ(1));
	PG_RETURN_TIMESTAMPTZ(time.at);
}
