/*
 * patience.c
 *	  A bound on a wait that PostgreSQL does not bound: PL/Proxy polls the
 *	  connections to the cells and looks at interrupts in between, but at no
 *	  time of its own as long as nothing arrives.
 *
 * A frozen server answers nothing and breaks nothing: its kernel confirms each
 * packet, so that neither tcp_user_timeout nor keepalives end the connection.
 * The timer of lock_timeout is used because its error is 55P03: at a cancelled
 * query (57014) PL/Proxy asks the server to cancel, and waits for that, too.
 *
 * The bound ends with the transaction, or the block with an exception handler,
 * that set it: an error that passes by, such as a cancelled query that a
 * caller catches, leaves no timer behind (R13.41).
 */
#include "postgres.h"

#include "access/xact.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/timeout.h"

/* Where the bound was set; InvalidSubTransactionId: without a bound. */
static SubTransactionId bounded_in = InvalidSubTransactionId;

static void
lift_bound(void)
{
	disable_timeout(LOCK_TIMEOUT, false);
	bounded_in = InvalidSubTransactionId;
}

static void
at_end_of_transaction(XactEvent event, void *arg)
{
	if (bounded_in != InvalidSubTransactionId)
		lift_bound();
}

static void
at_end_of_part(SubXactEvent event, SubTransactionId part, SubTransactionId parent, void *arg)
{
	if (part != bounded_in)
		return;
	if (event == SUBXACT_EVENT_ABORT_SUB)
		lift_bound();
	else if (event == SUBXACT_EVENT_COMMIT_SUB)
		bounded_in = parent;
}

/* wait_at_most(milliseconds): from now on; 0: as long as it takes. */
PG_FUNCTION_INFO_V1(casino_sql_wait_at_most);
Datum
casino_sql_wait_at_most(PG_FUNCTION_ARGS)
{
	static bool registered = false;
	int			bound = PG_ARGISNULL(0) ? 0 : PG_GETARG_INT32(0);

	if (!registered)
	{
		RegisterXactCallback(at_end_of_transaction, NULL);
		RegisterSubXactCallback(at_end_of_part, NULL);
		registered = true;
	}

	/* a timer that has fired by now is raised here, with the code of the timer */
	disable_timeout(LOCK_TIMEOUT, true);
	CHECK_FOR_INTERRUPTS();
	(void) get_timeout_indicator(LOCK_TIMEOUT, true);
	bounded_in = InvalidSubTransactionId;
	if (bound > 0)
	{
		enable_timeout_after(LOCK_TIMEOUT, bound);
		bounded_in = GetCurrentSubTransactionId();
	}
	PG_RETURN_VOID();
}
