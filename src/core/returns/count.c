/*
 * count.c
 *	  Lines of exact counts.
 */
#include <stdio.h>
#include <string.h>

#include "core/returns/count.h"

static void
start_line(CasinoCountLine *line, const char *selection, CasinoBig ways, CasinoBig of)
{
	memset(line, 0, sizeof(*line));
	snprintf(line->selection, sizeof(line->selection), "%s", selection);
	line->ways = ways;
	line->of = of;
}

/*
 * casino_count_emit
 *		A line of a single wager; nothing for a grade that does not occur.
 */
void
casino_count_emit(CasinoCountSink sink, void *context, const char *selection, CasinoGrade grade,
				  CasinoBig ways, CasinoBig of)
{
	CasinoCountLine line;

	if (casino_big_is_zero(ways))
		return;
	start_line(&line, selection, ways, of);
	snprintf(line.grade, sizeof(line.grade), "%s", casino_grade_name(grade));
	sink(context, &line);
}

/*
 * Write num / den with its sign as a decimal number, "+1.5", or as a fraction where it is none of two
 * places.
 */
static void
print_result(int32_t num, int32_t den, char text[CASINO_COUNT_TEXT_SIZE])
{
	int64_t		hundredths = (int64_t) num * 100 / den;
	int64_t		size = hundredths < 0 ? -hundredths : hundredths;
	const char *sign = num < 0 ? "-" : num > 0 ? "+" : "";

	if ((int64_t) num * 100 % den != 0)
		snprintf(text, CASINO_COUNT_TEXT_SIZE, "%s%d/%d", sign, num < 0 ? -num : num, den);
	else if (size % 100 == 0)
		snprintf(text, CASINO_COUNT_TEXT_SIZE, "%s%d", sign, (int) (size / 100));
	else if (size % 10 == 0)
		snprintf(text, CASINO_COUNT_TEXT_SIZE, "%s%d.%d", sign, (int) (size / 100), (int) (size % 100 / 10));
	else
		snprintf(text, CASINO_COUNT_TEXT_SIZE, "%s%d.%02d", sign, (int) (size / 100), (int) (size % 100));
}

/*
 * casino_count_emit_result
 *		A line of a play of several wagers, graded with its result.
 */
void
casino_count_emit_result(CasinoCountSink sink, void *context, const char *selection, int32_t num,
						 int32_t den, int32_t stakes, CasinoBig ways, CasinoBig of)
{
	CasinoCountLine line;

	if (casino_big_is_zero(ways))
		return;
	start_line(&line, selection, ways, of);
	print_result(num, den, line.grade);
	line.several = true;
	line.num = num;
	line.den = den * stakes;
	sink(context, &line);
}
