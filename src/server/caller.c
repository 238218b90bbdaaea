/*
 * caller.c
 *	  Whose call is being served, and for whom: see caller.h.
 */
#include "server/caller.h"

#include "access/xact.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/guc.h"

static char *actor_setting = NULL;

/*
 * Role of the outermost call and the depth of subtransactions it was made at; InvalidOid: none is being
 * served.
 */
static Oid	caller = InvalidOid;
static int	caller_level = 0;

/* casino.actor: valid characters that can be printed, not too many. */
static bool
check_actor(char **newval, void **extra, GucSource source)
{
	const char *actor = *newval;

	if (actor == NULL)
		return true;
	/* settings of the startup packet have not been looked at yet */
	if (!pg_verifymbstr(actor, strlen(actor), true))
	{
		GUC_check_errdetail("It is not valid in the encoding of the database.");
		return false;
	}
	if (pg_mbstrlen(actor) > CASINO_ACTOR_MAX)
	{
		GUC_check_errdetail("It has at most %d characters.", CASINO_ACTOR_MAX);
		return false;
	}
	for (; *actor != '\0'; actor++)
		if ((unsigned char) *actor < ' ' || *actor == 0x7f)
		{
			GUC_check_errdetail("It has no control characters.");
			return false;
		}
	return true;
}

/* A caught error ends calls made within the subtransaction, without their leave. */
static void
forget_in_subtransaction(SubXactEvent event, SubTransactionId mine, SubTransactionId parent, void *arg)
{
	if (event == SUBXACT_EVENT_ABORT_SUB && OidIsValid(caller) &&
		caller_level >= GetCurrentTransactionNestLevel())
		caller = InvalidOid;
}

static void
forget_in_transaction(XactEvent event, void *arg)
{
	caller = InvalidOid;
}

void
casino_caller_init(void)
{
	DefineCustomStringVariable("casino.actor",
							   "Person on whose behalf the session acts, kept with every entry and act.",
							   "It grants nothing.",
							   &actor_setting,
							   NULL,
							   PGC_USERSET,
							   0,
							   check_actor,
							   NULL,
							   NULL);
	RegisterXactCallback(forget_in_transaction, NULL);
	RegisterSubXactCallback(forget_in_subtransaction, NULL);
}

bool
casino_caller_enter(void)
{
	if (OidIsValid(caller))
		return false;
	caller = GetUserId();
	caller_level = GetCurrentTransactionNestLevel();
	return true;
}

void
casino_caller_leave(bool outermost)
{
	if (outermost)
		caller = InvalidOid;
}

const char *
casino_caller_actor(void)
{
	return actor_setting ? actor_setting : "";
}

Oid
casino_caller_role(void)
{
	return OidIsValid(caller) ? caller : GetUserId();
}
