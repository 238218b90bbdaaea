/*
 * run_as_owner.c
 *	  Acting as the owner of the ledger: see run_as_owner.h.
 */
#include "server/run_as_owner.h"

#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "server/caller.h"

/* InvalidOid before install(). */
static Oid
find_ledger(void)
{
	Oid			namespace = get_namespace_oid("casino", true);

	return OidIsValid(namespace) ? get_relname_relid("ledger", namespace) : InvalidOid;
}

bool
casino_ledger_exists(void)
{
	return OidIsValid(find_ledger());
}

Oid
casino_ledger_oid(void)
{
	Oid			ledger = find_ledger();

	if (!OidIsValid(ledger))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("table casino.ledger does not exist"),
				 errhint("Create the tables with SELECT casino.install().")));
	return ledger;
}

Oid
casino_internal_schema(void)
{
	return get_namespace_oid("casino_internal", false);
}

/* Owner of a relation, from the catalog cache. */
static Oid
relation_owner(Oid relation)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for relation %u", relation);
	owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
	ReleaseSysCache(tuple);
	return owner;
}

Oid
casino_ledger_owner(void)
{
	return relation_owner(casino_ledger_oid());
}

void
casino_as_owner_begin(RunAsOwner *as_owner)
{
	Oid			owner = casino_ledger_owner();

	as_owner->outermost = casino_caller_enter();
	GetUserIdAndSecContext(&as_owner->saved_user, &as_owner->saved_security);
	SetUserIdAndSecContext(owner, as_owner->saved_security | SECURITY_LOCAL_USERID_CHANGE);
	as_owner->guc_level = NewGUCNestLevel();
	(void) set_config_option("search_path", "pg_catalog, pg_temp", PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);

	/*
	 * the statements are short; their estimates on views of all games are not, and would be compiled each
	 * time
	 */
	(void) set_config_option("jit", "off", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);

	/*
	 * plans are kept, also those made when a table had one page: everything that grows is found by an index
	 */
	(void) set_config_option("enable_seqscan", "off", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0,
							 false);
	SPI_connect();
}

void
casino_as_owner_end(const RunAsOwner *as_owner)
{
	SPI_finish();
	AtEOXact_GUC(true, as_owner->guc_level);
	SetUserIdAndSecContext(as_owner->saved_user, as_owner->saved_security);
	casino_caller_leave(as_owner->outermost);
}
