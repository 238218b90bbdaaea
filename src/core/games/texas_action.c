/*
 * texas_action.c
 *	  Names of the actions and streets of Texas Hold'em.
 */
#include <string.h>

#include "core/games/texas_action.h"

static const char *const action_names[CASINO_ACTION_END] = {
	[CASINO_ACTION_SMALL_BLIND] = "small_blind",
	[CASINO_ACTION_BIG_BLIND] = "big_blind",
	[CASINO_ACTION_FOLD] = "fold",
	[CASINO_ACTION_CHECK] = "check",
	[CASINO_ACTION_CALL] = "call",
	[CASINO_ACTION_BET] = "bet",
	[CASINO_ACTION_RAISE] = "raise",
	[CASINO_ACTION_ALL_IN] = "all_in"
};

static const char *const street_names[CASINO_STREET_END] = {"preflop", "flop", "turn", "river"};

/*
 * lookup
 *		Index of a name, or that of the end.
 */
static int
lookup(const char *const *names, int end, const char *name, size_t len)
{
	int			i;

	for (i = 0; i < end; i++)
	{
		if (names[i] != NULL && strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
			return i;
	}
	return end;
}

/*
 * casino_action_name, casino_action_lookup
 *		Name of an action, and back; NULL and CASINO_ACTION_NONE for none.
 */
const char *
casino_action_name(CasinoActionKind kind)
{
	return (int) kind < 0 || kind >= CASINO_ACTION_END ? NULL : action_names[kind];
}

CasinoActionKind
casino_action_lookup(const char *name, size_t len)
{
	return (CasinoActionKind) (lookup(action_names, CASINO_ACTION_END, name, len) % CASINO_ACTION_END);
}

/*
 * casino_street_name, casino_street_lookup
 *		Name of a street, and back; NULL and CASINO_STREET_END for none.
 */
const char *
casino_street_name(CasinoStreet street)
{
	return (int) street < 0 || street >= CASINO_STREET_END ? NULL : street_names[street];
}

CasinoStreet
casino_street_lookup(const char *name, size_t len)
{
	return (CasinoStreet) lookup(street_names, CASINO_STREET_END, name, len);
}
