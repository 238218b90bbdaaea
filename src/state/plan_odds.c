/*
 * plan_odds.c
 *	  Paytable and declared wins of a plan version.
 */
#include "state/plan_odds.h"

#include "casino.h"
#include "core/money.h"
#include "server/query.h"

static PreparedQuery load_odds = {
	.sql = "SELECT b.kind, b.declared_win, t.grade, t.num, t.den"
	"  FROM casino.bet_rule b"
	"  LEFT JOIN casino.paytable t ON t.plan_id = b.plan_id AND t.kind = b.kind"
	" WHERE b.plan_id = $1",
	.args = {ARG_INT8}
};

/* its columns */
enum
{
	ODDS_KIND = 1, ODDS_DECLARED_WIN, ODDS_GRADE, ODDS_NUM, ODDS_DEN
};

/* Grade of a word, CASINO_GRADE_NONE when it is none. */
static CasinoGrade
grade_of_name(const char *name)
{
	for (int grade = CASINO_GRADE_NONE + 1; grade < CASINO_GRADE_END; grade++)
		if (strcmp(casino_grade_name((CasinoGrade) grade), name) == 0)
			return (CasinoGrade) grade;
	return CASINO_GRADE_NONE;
}

CasinoPaytable *
casino_plan_odds(int64 plan_id)
{
	Datum		values[1] = {Int64GetDatum(plan_id)};
	uint64		rows = casino_read_latest(&load_odds, values, NULL);
	CasinoPaytable *paytable = palloc0(sizeof(CasinoPaytable));

	for (uint64 row = 0; row < rows; row++)
	{
		char	   *name = casino_column_word(row, ODDS_KIND);
		int			kind = casino_bet_kind_lookup(name, strlen(name));
		char	   *grade_name = casino_column_cstring(row, ODDS_GRADE);
		CasinoOddsLine *line;

		paytable->declared_win[kind] = casino_column_halere(row, ODDS_DECLARED_WIN, CASINO_NO_CAP);
		if (grade_name == NULL)
			continue;
		line = &paytable->odds.lines[kind][grade_of_name(grade_name)];
		line->num = casino_column_int(row, ODDS_NUM);
		line->den = casino_column_int(row, ODDS_DEN);
	}
	return paytable;
}
