/*
 * clear_text.c
 *	  References of payments, kept in clear beside the ledger.
 */
#include "state/clear_text.h"

#include "utils/builtins.h"

#include "casino.h"
#include "server/query.h"

static PreparedQuery keep_text = {
	.sql = "SELECT casino_internal.keep_clear_text($1, $2)",
	.args = {ARG_INT8, ARG_TEXT}
};

static PreparedQuery fits_token = {
	.sql = "SELECT casino_internal.fits_token($1, $2, $3)",
	.args = {ARG_INT8, ARG_TEXT, ARG_TEXT}
};

char *
casino_clear_text_keep(int64 player_id, const char *clear)
{
	Datum		values[2] = {Int64GetDatum(player_id), CStringGetTextDatum(clear)};

	if (casino_execute(&keep_text, values, NULL) != 1)
		elog(ERROR, "no token for a text of player " INT64_FORMAT, player_id);
	return casino_column_cstring(0, ONLY_COLUMN);
}

bool
casino_clear_text_is(int64 player_id, const char *token, const char *clear)
{
	Datum		values[3];

	if (token == NULL || clear == NULL)
		return token == clear;
	values[0] = Int64GetDatum(player_id);
	values[1] = CStringGetTextDatum(token);
	values[2] = CStringGetTextDatum(clear);
	if (casino_read_latest(&fits_token, values, NULL) != 1)
		elog(ERROR, "no answer about a text of player " INT64_FORMAT, player_id);
	return casino_column_bool(0, ONLY_COLUMN);
}
