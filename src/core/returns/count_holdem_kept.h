/* Written by tools/holdem_counts.c (make holdem-counts): do not edit.  Deals by case, see count_holdem.h. */

/* odds of the ante's lines; the player calls with 1066153 of 1286792 kinds of hand and flop */
static const HoldemKept holdem_kept[] = {
	{
		{100, 20, 10, 3, 2, 1},
		/* folded */
		INT64_C(5009067102600),
		/* called, by the best decision */
		{736259040, 6001122284, 41419896552, 589505037660, 505131419580, 6426670016572,
		119892960, 1089672828, 909499320, 24601676832, 168883536432, 5521376219148,
		678596916580, 8839701755612}
	}
};

/* deals if every hand is called, whatever the odds */
static const int64_t holdem_every_call[CASINO_HOLDEM_CASES] = {
	736259040, 6206906960, 41497452000, 603502712640, 537800565120, 6953615016600,
	119892960, 1135464480, 911196000, 24602292000, 177431387760, 6533094484800,
	952507355360, 11980649038280
};
