/*
 * grade.c
 *	  Names of the grades, as the paytables of the plans spell them.
 */
#include "core/grade.h"

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
	[CASINO_TIE_9] = "tie_9",
	[CASINO_BLACKJACK] = "blackjack",
	[CASINO_EVEN_MONEY] = "even_money",
	[CASINO_SURRENDER] = "surrender",
	[CASINO_CHARLIE] = "charlie",
	[CASINO_RETURNED] = "returned",
	[CASINO_SUITED_TRIPS] = "suited_trips",
	[CASINO_STRAIGHT_FLUSH] = "straight_flush",
	[CASINO_TRIPS] = "trips",
	[CASINO_STRAIGHT_CARDS] = "straight",
	[CASINO_FLUSH] = "flush",
	[CASINO_SUITED_777] = "suited_777",
	[CASINO_SUITED_678] = "suited_678",
	[CASINO_777] = "777",
	[CASINO_678] = "678",
	[CASINO_SUITED_21] = "suited_21",
	[CASINO_TOTAL_21] = "21",
	[CASINO_TOTAL_20] = "20",
	[CASINO_TOTAL_19] = "19",
	[CASINO_SUITED_PAIR] = "suited_pair",
	[CASINO_COLOURED_PAIR] = "coloured_pair",
	[CASINO_MIXED_PAIR] = "mixed_pair",
	[CASINO_BUST_3] = "bust_3",
	[CASINO_BUST_4] = "bust_4",
	[CASINO_BUST_5] = "bust_5",
	[CASINO_BUST_6] = "bust_6",
	[CASINO_BUST_7] = "bust_7",
	[CASINO_BUST_8] = "bust_8",
	[CASINO_BUST_7_BLACKJACK] = "bust_7_blackjack",
	[CASINO_BUST_8_BLACKJACK] = "bust_8_blackjack",
	[CASINO_ROYAL_FLUSH] = "royal_flush",
	[CASINO_FOUR_OF_A_KIND] = "four_of_a_kind",
	[CASINO_FULL_HOUSE] = "full_house",
	[CASINO_PAIR_OF_ACES] = "pair_of_aces",
	[CASINO_WHEEL_SUITED] = "wheel_suited",
	[CASINO_WHEEL] = "wheel",
	[CASINO_SIX] = "six",
	[CASINO_SEVEN] = "seven",
	[CASINO_EIGHT] = "eight",
	[CASINO_NINE] = "nine",
	[CASINO_TEN] = "ten",
	[CASINO_JACK] = "jack"
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
