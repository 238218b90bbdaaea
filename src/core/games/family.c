/*
 * family.c
 *	  The families of games by number and name.
 */
#include "core/games/family.h"

#include <string.h>

static const CasinoFamilyPlan *const plans[CASINO_FAMILY_END] = {
#define CASINO_FAMILY(symbol, name)	[CASINO_FAMILY_##symbol] = &casino_##name##_plan,
#include "core/games/family_list.h"
};

const CasinoFamilyPlan *
casino_family_plan(CasinoFamily family)
{
	return (int) family > CASINO_FAMILY_NONE && family < CASINO_FAMILY_END ? plans[family] : NULL;
}

const char *
casino_family_name(CasinoFamily family)
{
	const CasinoFamilyPlan *plan = casino_family_plan(family);

	return plan == NULL ? NULL : plan->name;
}

CasinoFamily
casino_family_lookup(const char *name)
{
	int			family;

	for (family = CASINO_FAMILY_NONE + 1; family < CASINO_FAMILY_END; family++)
	{
		if (strcmp(plans[family]->name, name) == 0)
			return (CasinoFamily) family;
	}
	return CASINO_FAMILY_NONE;
}
