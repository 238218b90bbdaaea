/*
 * own_lock.h
 *	  Locks of ours that stand in the lock table: on rounds, boxes, the night,
 *	  and on names.
 *
 * Their tags are advisory locks' with a class that no function of SQL can name
 * (those that everybody can take have 1 and 2), so that a role
 * without any right here cannot make code of ours wait.
 */
#ifndef CASINO_OWN_LOCK_H
#define CASINO_OWN_LOCK_H

#include "postgres.h"

#include "storage/lock.h"

/* The class of a lock: objsubid in pg_locks. */
#define LOCK_CLASS_ROUND		0xCA00
#define LOCK_CLASS_BOX(seat)	(LOCK_CLASS_ROUND + 1 + ((seat) & 0xFF))
#define LOCK_CLASS_NIGHT		0xCB01
#define LOCK_CLASS_NAME			0xCB02

/*
 * Take a lock, until the end of the transaction or of the session; false when it is not to wait and
 * would have to.
 */
extern bool casino_own_lock(uint16 lock_class, uint64 key, LOCKMODE mode, bool of_session, bool wait);

/* Let go of a lock of the session. */
extern bool casino_own_unlock(uint16 lock_class, uint64 key, LOCKMODE mode);

/* Does any session hold the lock?  Takes none. */
extern bool casino_own_lock_taken(uint16 lock_class, uint64 key);

/* For assertions: does this backend hold the lock in that mode? */
extern bool casino_own_lock_held(uint16 lock_class, uint64 key, LOCKMODE mode);

#endif							/* CASINO_OWN_LOCK_H */
