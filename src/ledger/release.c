/*
 * release.c
 *	  Who may release winnings that were withheld (R7.65).
 *
 * What was withheld by order, of a round or of single players, is released by
 * a role that may give such an order: that is, one that may execute
 * withhold_winnings().  It gives a reason.  What a settlement alone has held back anybody
 * pays who may execute pay_withheld().
 */
#include "ledger/withheld.h"

#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"

#include "casino.h"
#include "server/caller.h"
#include "server/query.h"
#include "server/run_as_owner.h"

/* An order comes before the settlement or from somebody else; the role is that of who withheld. */
static PreparedQuery find_order = {
	.sql = "SELECT r.withheld_by <> r.evaluated_by OR r.withheld_at <> r.evaluated_at, w.role"
	"  FROM casino.round r LEFT JOIN casino.recorder w ON w.recorder_id = r.withheld_by"
	" WHERE r.round_id = $1 AND r.withheld_at IS NOT NULL",
	.args = {ARG_INT8}
};

/* its columns */
enum
{
	ORDER_OTHER = 1, ORDER_ROLE
};

/* No row: the role was dropped. */
static PreparedQuery find_right = {
	.sql = "SELECT FROM pg_roles r WHERE r.rolname = $1"
	"   AND has_function_privilege(r.oid, 'casino.withhold_winnings(bigint,bigint,text,timestamptz,text)',"
	"                              'EXECUTE')",
	.args = {ARG_TEXT}
};

/* May the role order that winnings are withheld? */
static bool
may_withhold(const char *role)
{
	Datum		values[1];

	if (role == NULL)
		return false;
	values[0] = CStringGetTextDatum(role);
	return casino_read_latest(&find_right, values, NULL) == 1;
}

bool
casino_withheld_by_order(int64 round_id)
{
	Datum		values[1] = {Int64GetDatum(round_id)};

	if (casino_read_latest(&find_order, values, NULL) != 1)
		return false;
	if (casino_column_bool(0, ORDER_OTHER))
		return true;
	return may_withhold(casino_column_cstring(0, ORDER_ROLE));
}

const char *
casino_release_authority(void)
{
	Oid			role = casino_caller_role();

	if (has_privs_of_role(role, casino_ledger_owner()))
		return "all";
	return may_withhold(GetUserNameFromId(role, true)) ? "reason" : "none";
}

void
casino_release_check(int64 round_id, const Release *release)
{
	if (strcmp(release->authority, "reason") != 0 && strcmp(release->authority, "all") != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to release winnings of round " INT64_FORMAT, round_id),
				 errdetail("They were withheld by order; a role releases them that may execute "
						   "casino.withhold_winnings().")));
	if (release->reason == NULL && strcmp(release->authority, "all") != 0)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("the release of winnings of round " INT64_FORMAT " needs a reason", round_id),
				 errdetail("They were withheld by order.")));
}

/* release_authority(): for the hub, which tells it to the cells. */
PG_FUNCTION_INFO_V1(casino_sql_release_authority);
Datum
casino_sql_release_authority(PG_FUNCTION_ARGS)
{
	RunAsOwner	as_owner;
	const char *authority;

	casino_as_owner_begin(&as_owner);
	authority = casino_release_authority();
	casino_as_owner_end(&as_owner);
	PG_RETURN_TEXT_P(cstring_to_text(authority));
}
