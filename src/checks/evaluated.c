/*
 * evaluated.c
 *	  evaluated_wager(): what the rules give one wager of an evaluated round,
 *	  for the views casino.evaluation and casino.wager.
 *
 * Each round is evaluated by the views of its own family, with a plan kept by
 * the session.  Whoever asks for one player gets that player's wagers
 * evaluated; a second player of the same round is a reader of the whole round,
 * which is then evaluated at once.  What is known is kept as long as the query
 * runs, as its snapshot is: so a stake costs its part of its round's evaluation,
 * in whatever order the stakes come.
 */
#include "postgres.h"

#include "funcapi.h"
#include "utils/datum.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "server/query.h"
#include "server/run_as_owner.h"
#include "state/evaluation_query.h"

/* wagers kept at once, some 10 MB; then all are forgotten */
#define WAGERS_KEPT		100000

#define EVALUATED	"SELECT e.player_id, e.entry_no, e.grade, e.payout, e.capped, e.breach" \
	"  FROM casino.evaluation_%s e WHERE e.round_id = $1"

/* its columns, the first of ANSWERS */
enum
{
	EVALUATED_PLAYER_ID = 1, EVALUATED_ENTRY_NO, EVALUATED_ANSWERS
};

static EvaluationQuery evaluate_round = {
	.sql = EVALUATED,
	.args = {ARG_INT8}
};

static EvaluationQuery evaluate_player = {
	.sql = EVALUATED " AND e.player_id = $2",
	.args = {ARG_INT8, ARG_INT8}
};

#define ANSWERS		4			/* grade, payout, capped, breach */

typedef struct WagerKey
{
	int64		player_id;
	int64		entry_no;
} WagerKey;

typedef struct KeptWager
{
	WagerKey	key;
	int64		round_id;
	Datum		values[ANSWERS];
	bool		nulls[ANSWERS];
} KeptWager;

typedef struct KeptRound
{
	int64		round_id;		/* hash key */
	int64		player_id;		/* whose wagers are known; 0: all */
} KeptRound;

typedef struct Kept
{
	MemoryContext context;
	HTAB	   *rounds;
	HTAB	   *wagers;
} Kept;

/* Forget everything. */
static void
forget(Kept *kept)
{
	HASHCTL		rounds = {.keysize = sizeof(int64), .entrysize = sizeof(KeptRound), .hcxt = kept->context};
	HASHCTL		wagers = {.keysize = sizeof(WagerKey), .entrysize = sizeof(KeptWager), .hcxt = kept->context};

	MemoryContextReset(kept->context);
	kept->rounds = hash_create("casino evaluated rounds", 64, &rounds, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	kept->wagers = hash_create("casino evaluated wagers", 256, &wagers,
							   HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

/* What this call's query knows so far. */
static Kept *
kept_of(FunctionCallInfo fcinfo)
{
	Kept	   *kept = fcinfo->flinfo->fn_extra;

	if (kept == NULL)
	{
		kept = MemoryContextAlloc(fcinfo->flinfo->fn_mcxt, sizeof(Kept));
		kept->context = AllocSetContextCreate(fcinfo->flinfo->fn_mcxt, "casino evaluated wagers",
											  ALLOCSET_DEFAULT_SIZES);
		forget(kept);
		fcinfo->flinfo->fn_extra = kept;
	}
	return kept;
}

/* Keep row "row" of the last result. */
static void
keep_wager(Kept *kept, int64 round_id, uint64 row)
{
	WagerKey	key;
	KeptWager  *wager;
	bool		found;
	MemoryContext saved;

	memset(&key, 0, sizeof(key));
	key.player_id = casino_column_int64(row, EVALUATED_PLAYER_ID);
	key.entry_no = casino_column_int64(row, EVALUATED_ENTRY_NO);
	wager = hash_search(kept->wagers, &key, HASH_ENTER, &found);
	if (found)
		return;
	wager->round_id = round_id;
	saved = MemoryContextSwitchTo(kept->context);
	for (int i = 0; i < ANSWERS; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(SPI_tuptable->tupdesc, EVALUATED_ANSWERS + i - 1);
		Datum		value = casino_column_untyped(row, EVALUATED_ANSWERS + i, &wager->nulls[i]);

		wager->values[i] = wager->nulls[i] ? (Datum) 0 :
			datumCopy(value, attribute->attbyval, attribute->attlen);
	}
	MemoryContextSwitchTo(saved);
}

/* Evaluate the player's wagers, or those of the whole round for the second player who is asked for. */
static void
evaluate(Kept *kept, int64 round_id, int64 player_id)
{
	Datum		values[2] = {Int64GetDatum(round_id), Int64GetDatum(player_id)};
	KeptRound  *round;
	RunAsOwner	as_owner;
	char	   *family;
	bool		seen;
	uint64		rows = 0;

	if (hash_get_num_entries(kept->wagers) > WAGERS_KEPT)
		forget(kept);
	(void) hash_search(kept->rounds, &round_id, HASH_FIND, &seen);
	casino_as_owner_begin(&as_owner);
	family = casino_evaluated_family(round_id);
	if (family != NULL)
		rows = casino_read_snapshot(casino_evaluation_query(seen ? &evaluate_round : &evaluate_player,
															family),
									values, NULL);
	for (uint64 row = 0; row < rows; row++)
		keep_wager(kept, round_id, row);
	casino_as_owner_end(&as_owner);
	round = hash_search(kept->rounds, &round_id, HASH_ENTER, NULL);
	round->player_id = seen ? 0 : player_id;
}

/*
 * evaluated_wager(round_id, player_id, entry_no): grade, payout, capped and
 * breach; no row for a wager that was returned, or of a round not evaluated.
 */
PG_FUNCTION_INFO_V1(casino_sql_evaluated_wager);
Datum
casino_sql_evaluated_wager(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	int64		round_id = PG_GETARG_INT64(0);
	Kept	   *kept = kept_of(fcinfo);
	KeptRound  *round;
	KeptWager  *wager;
	WagerKey	key;

	InitMaterializedSRF(fcinfo, 0);
	memset(&key, 0, sizeof(key));
	key.player_id = PG_GETARG_INT64(1);
	key.entry_no = PG_GETARG_INT64(2);
	round = hash_search(kept->rounds, &round_id, HASH_FIND, NULL);
	if (round == NULL || (round->player_id != 0 && round->player_id != key.player_id))
		evaluate(kept, round_id, key.player_id);
	wager = hash_search(kept->wagers, &key, HASH_FIND, NULL);
	if (wager != NULL && wager->round_id == round_id)
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, wager->values, wager->nulls);
	return (Datum) 0;
}
