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
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"
#include "utils/timeout.h"

/* wait_at_most(milliseconds): from now on; 0: as long as it takes. */
PG_FUNCTION_INFO_V1(casino_sql_wait_at_most);
Datum
casino_sql_wait_at_most(PG_FUNCTION_ARGS)
{
	int			bound = PG_ARGISNULL(0) ? 0 : PG_GETARG_INT32(0);

	/* a timer that has fired by now is raised here, with the code of the timer */
	disable_timeout(LOCK_TIMEOUT, true);
	CHECK_FOR_INTERRUPTS();
	(void) get_timeout_indicator(LOCK_TIMEOUT, true);
	if (bound > 0)
		enable_timeout_after(LOCK_TIMEOUT, bound);
	PG_RETURN_VOID();
}
