/*
 * played.c
 *	  check_played(): could an evaluated round have been played so, by who had
 *	  staked in it?
 *
 * For the reconciliation.  Document, plan and wagers are read as they stand
 * now; of the rules only those are asked that concern the cards and the wagers
 * of a round together.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/jsonb.h"

#include "games/families.h"
#include "games/outcome.h"
#include "server/query.h"
#include "server/run_as_owner.h"
#include "state/plan_rule_set.h"
#include "state/round.h"
#include "state/round_wagers.h"

static PreparedQuery find_document = {
	.sql = "SELECT r.outcome_document FROM casino.round r WHERE r.round_id = $1"
	" AND r.outcome_document IS NOT NULL",
	.args = {ARG_INT8}
};

/* check_played(round_id): KR001 when it could not */
PG_FUNCTION_INFO_V1(casino_sql_check_played);
Datum
casino_sql_check_played(PG_FUNCTION_ARGS)
{
	int64		round_id = PG_GETARG_INT64(0);
	Datum		values[] = {Int64GetDatum(round_id)};
	const FamilyRules *family;
	RunAsOwner	as_owner;
	RoundState	round;
	Outcome		outcome;
	RoundWagers wagers;

	casino_as_owner_begin(&as_owner);
	casino_round_load(round_id, &round);
	family = casino_family_rules(&round);
	/* the wagers of a table with seats lie in its home cell, and are judged there */
	if (family->check_round != NULL && !round.away && casino_read_snapshot(&find_document, values, NULL) == 1)
	{
		Datum		document = SPI_datumTransfer(casino_column(0, ONLY_COLUMN, ARG_JSONB, NULL), false, -1);

		casino_outcome_read(family, DatumGetJsonbP(document), false, &outcome);
		casino_outcome_check(&outcome, casino_rules_load(round.plan_id));
		casino_round_wagers_load(round_id, &wagers);
		family->check_round(&round, &outcome, &wagers, false);
	}
	casino_as_owner_end(&as_owner);
	PG_RETURN_VOID();
}
