/*
 * locking.c
 *	  Locks that are let go of when they were not all: see locking.h.
 *
 * The order of locks puts rounds and boxes before players, but which rounds
 * and boxes a player's stakes concern is final only with the player.  Asking
 * for another one while he is held would be against the order, and a deadlock
 * with whoever keeps it.
 *
 * These hold all the time; the number stands where each is kept:
 *
 * (1) All locks of a try are taken in the order round, box, player, counters,
 *	   and several of a kind by ascending number: try_lock sees to this.
 * (2) A try that finds that a lock is missing waits for nothing more: it ends,
 *	   and its locks go with its subtransaction.
 * (3) The next try finds out anew what is to be locked: nothing that an earlier
 *	   one has read is used.
 * (4) After the last try all locks belong to the caller's transaction.
 * (5) A try changes no row: what is undone is locks alone.
 * (6) Memory context and resource owner are the caller's again, also after an
 *	   error.
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
		locked = try_lock(what);	/* (1), (3), (5) */
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
		ReleaseCurrentSubTransaction(); /* (4) */
	else
		RollbackAndReleaseCurrentSubTransaction();	/* (2) */
	/* (6) */
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
