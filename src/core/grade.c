/*
 * grade.c
 *	  Names of the grades, as the paytables of the plans spell them.
 */
#include "grade.h"

static const char *const grade_names[CASINO_GRADE_END] = {
	[CASINO_LOSE] = "lose",
	[CASINO_PUSH] = "push",
	[CASINO_WIN] = "win",
	[CASINO_TIE_0] = "tie_0",
	[CASINO_TIE_1] = "tie_1",
	[CASINO_TIE_2] = "tie_2",
	[CASINO_TIE_3] = "tie_3",
	[CASINO_TIE_4] = "tie_4",
	[CASINO_TIE_5] = "tie_5",
	[CASINO_TIE_6] = "tie_6",
	[CASINO_TIE_7] = "tie_7",
	[CASINO_TIE_8] = "tie_8",
	[CASINO_TIE_9] = "tie_9"
};

/*
 * casino_grade_name
 *		Name of a grade; NULL for CASINO_GRADE_NONE and for non-grades.
 */
const char *
casino_grade_name(CasinoGrade grade)
{
	if ((int) grade < 0 || grade >= CASINO_GRADE_END)
		return NULL;
	return grade_names[grade];
}
