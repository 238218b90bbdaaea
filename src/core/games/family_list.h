/*
 * family_list.h
 *	  The families of games as a list: define CASINO_FAMILY before it is included.
 *
 * What must exist for each is asked of the linker: casino_NAME_plan in the core
 * (family.h), casino_NAME_family among the games (games/families.h), and how
 * the evaluator grades it (evaluate.c).  The order is that in which families() lists them.
 */
/* no include guard: included once for each list */
CASINO_FAMILY(ROULETTE, roulette)
CASINO_FAMILY(BACCARAT, baccarat)
CASINO_FAMILY(BLACKJACK, blackjack)
CASINO_FAMILY(CASINO_HOLDEM, casino_holdem)
CASINO_FAMILY(TEXAS_HOLDEM, texas_holdem)
#undef CASINO_FAMILY
