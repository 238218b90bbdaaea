/*
 * locking.c
 *	  Locks that are let go of when they were not all: see locking.h.
 *
 * The order of locks puts rounds and boxes before players, but which rounds
 * and boxes a player's stakes concern is final only with the player.  Asking
 * for another one while he is held would be against the order, and a deadlock
 * with whoever keeps it.
 */
#include "postgres.h"

#include "access/xact.h"
#include "miscadmin.h"
#include "utils/resowner.h"

#include "server/locking.h"

/* One try, in a subtransaction, the end of which lets go of the locks unless all were there. */
static bool
try_or_let_go(TryLock try_lock, void *what)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	volatile bool locked = false;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(context);
	PG_TRY();
	{
		locked = try_lock(what);
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
		MemoryContextSwitchTo(context);
		CurrentResourceOwner = owner;
		ReThrowError(error);
	}
	PG_END_TRY();
	if (locked)
		ReleaseCurrentSubTransaction();
	else
		RollbackAndReleaseCurrentSubTransaction();
	MemoryContextSwitchTo(context);
	CurrentResourceOwner = owner;
	return locked;
}

void
casino_lock_all(TryLock try_lock, void *what)
{
	while (!try_or_let_go(try_lock, what))
		CHECK_FOR_INTERRUPTS();
}
