/*
 * caller.h
 *	  Who called: the role whose call is being served, and the person for whom.
 */
#ifndef CASINO_CALLER_H
#define CASINO_CALLER_H

#include "postgres.h"

/* casino.actor: at most so many characters */
#define CASINO_ACTOR_MAX	100

/* Module load: the setting, and what forgets the caller when a transaction fails. */
extern void casino_caller_init(void);

/*
 * Before code of ours takes on the identity of the ledger's owner, and after.
 * The outermost call counts: its current role is the caller.  enter says
 * whether it was the outermost one, and leave is told.
 */
extern bool casino_caller_enter(void);
extern void casino_caller_leave(bool outermost);

/* The person whom the session names in casino.actor; empty: nobody. */
extern const char *casino_caller_actor(void);

/* The role whose call is being served. */
extern Oid	casino_caller_role(void);

/* At a hub: 42501 for a role that was put on where an approval compares logins (relay.c). */
extern void casino_check_hub_login(Oid function);

#endif							/* CASINO_CALLER_H */
