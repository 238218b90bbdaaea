/*
 * own_lock.c
 *	  Locks of ours that strangers cannot take: see own_lock.h.
 */
#include "server/own_lock.h"

#include "common/hashfn.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "compat.h"

static void
set_tag(LOCKTAG *tag, uint16 lock_class, uint64 key)
{
	SET_LOCKTAG_ADVISORY(*tag, MyDatabaseId, (uint32) (key >> 32), (uint32) key, lock_class);
}

bool
casino_own_lock(uint16 lock_class, uint64 key, LOCKMODE mode, bool of_session, bool wait)
{
	LOCKTAG		tag;

	Assert(lock_class >= LOCK_CLASS_ROUND && lock_class <= LOCK_CLASS_NAME);
	set_tag(&tag, lock_class, key);
	return LockAcquire(&tag, mode, of_session, !wait) != LOCKACQUIRE_NOT_AVAIL;
}

bool
casino_own_unlock(uint16 lock_class, uint64 key, LOCKMODE mode)
{
	LOCKTAG		tag;

	set_tag(&tag, lock_class, key);
	return LockRelease(&tag, mode, true);
}

bool
casino_own_lock_held(uint16 lock_class, uint64 key, LOCKMODE mode)
{
	LOCKTAG		tag;

	set_tag(&tag, lock_class, key);
	return casino_lock_held(&tag, mode);
}

bool
casino_own_lock_taken(uint16 lock_class, uint64 key)
{
	LOCKTAG		tag;
	LockData   *locks = GetLockStatusData();

	set_tag(&tag, lock_class, key);
	for (int i = 0; i < locks->nelements; i++)
	{
		LockInstanceData *lock = &locks->locks[i];

		if (lock->holdMask != 0 && memcmp(&lock->locktag, &tag, sizeof(LOCKTAG)) == 0)
			return true;
	}
	return false;
}

/* The key of a name that a function was given as its first argument. */
static uint64
key_of_name(FunctionCallInfo fcinfo)
{
	text	   *name;

	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("the name of a lock must be given")));
	name = PG_GETARG_TEXT_PP(0);
	return DatumGetUInt64(hash_any_extended((unsigned char *) VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name), 0));
}

/* take_lock(name, shared): until the end of the transaction. */
PG_FUNCTION_INFO_V1(casino_sql_take_lock);
Datum
casino_sql_take_lock(PG_FUNCTION_ARGS)
{
	bool		shared = !PG_ARGISNULL(1) && PG_GETARG_BOOL(1);

	(void) casino_own_lock(LOCK_CLASS_NAME, key_of_name(fcinfo), shared ? ShareLock : ExclusiveLock, false,
						   true);
	PG_RETURN_VOID();
}

/* try_lock(name, of_session): was it there at once? */
PG_FUNCTION_INFO_V1(casino_sql_try_lock);
Datum
casino_sql_try_lock(PG_FUNCTION_ARGS)
{
	bool		of_session = !PG_ARGISNULL(1) && PG_GETARG_BOOL(1);

	PG_RETURN_BOOL(casino_own_lock(LOCK_CLASS_NAME, key_of_name(fcinfo), ExclusiveLock, of_session, false));
}

/* release_lock(name): of the session. */
PG_FUNCTION_INFO_V1(casino_sql_release_lock);
Datum
casino_sql_release_lock(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(casino_own_unlock(LOCK_CLASS_NAME, key_of_name(fcinfo), ExclusiveLock));
}
