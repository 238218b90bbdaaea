/*
 * locking.h
 *	  Locks of which it is final only at the end what they must be: taken in
 *	  order, looked at again, and let go of when they were not all.
 */
#ifndef CASINO_LOCKING_H
#define CASINO_LOCKING_H

/*
 * Takes locks in their order; false when what must be locked has grown
 * meanwhile.  What it allocates where it is called from stays; what it writes
 * does not, unless it returns true.
 */
typedef bool (*TryLock) (void *what);

/* Try until all locks are there; those of a try that failed are let go of before the next. */
extern void casino_lock_all(TryLock try_lock, void *what);

#endif							/* CASINO_LOCKING_H */
