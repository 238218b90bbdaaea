/*
 * run_as_owner.h
 *	  Acting as the owner of the ledger.
 */
#ifndef CASINO_RUN_AS_OWNER_H
#define CASINO_RUN_AS_OWNER_H

#include "postgres.h"

#include "fmgr.h"

/*
 * While this is open the session acts as the owner of casino.ledger (as
 * referential integrity triggers do) with search_path pinned to pg_catalog and
 * without JIT, and SPI is connected.  An error unwinds all three with the (sub)transaction.
 */
typedef struct RunAsOwner
{
	Oid			saved_user;
	int			saved_security;
	int			guc_level;
	bool		outermost;		/* no call of ours led here */
} RunAsOwner;

extern void casino_as_owner_begin(RunAsOwner *as_owner);
extern void casino_as_owner_end(const RunAsOwner *as_owner);

/* The SQL function name(): call name_impl() with its arguments as the owner of the ledger. */
extern PGDLLEXPORT Datum casino_sql_as_owner(PG_FUNCTION_ARGS);

/* Schema of the functions that are parts of others. */
extern Oid	casino_internal_schema(void);

/* OID of casino.ledger; error 42P01 with a hint before install() */
extern Oid	casino_ledger_oid(void);
extern Oid	casino_ledger_owner(void);

/* Is there a casino.ledger?  For those that run before install(), too. */
extern bool casino_ledger_exists(void);

#endif							/* CASINO_RUN_AS_OWNER_H */
