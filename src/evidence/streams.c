/*
 * streams.c
 *	  The tree of a player's entries, hashed as the executor hands them out:
 *	  no row is kept.
 */
#include "evidence/evidence.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "funcapi.h"
#include "nodes/params.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "core/evidence/line.h"

typedef struct StreamReceiver
{
	DestReceiver receiver;
	EvidenceShape shape;
	int			entry_no;		/* its field */
	MemoryContext row;			/* what the values of one row need */
	CasinoBuffer leaf;
	CasinoBuffer marks;
	CasinoMerkle tree;
	int64		first;
	int64		last;
} StreamReceiver;

static void
begin_stream(DestReceiver *self, int operation, TupleDesc desc)
{
	StreamReceiver *stream = (StreamReceiver *) self;

	casino_evidence_shape(casino_layout_find("ledger", strlen("ledger")), desc, &stream->shape);
	stream->entry_no = stream->shape.attribute[1];
}

/* One entry, by ascending numbers. */
static bool
take_entry(TupleTableSlot *slot, DestReceiver *self)
{
	StreamReceiver *stream = (StreamReceiver *) self;
	CasinoValue values[CASINO_FIELDS_MAX];
	CasinoHash	hash;
	MemoryContext old = MemoryContextSwitchTo(stream->row);

	slot_getallattrs(slot);
	casino_evidence_values(&stream->shape, slot->tts_values, slot->tts_isnull, values);
	MemoryContextSwitchTo(old);
	stream->leaf.len = 0;
	casino_leaf_put(&stream->leaf, stream->shape.layout, values);
	if (stream->leaf.failed)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("a row of evidence is too large")));
	casino_merkle_leaf(casino_sha256, stream->leaf.data, stream->leaf.len, &hash);
	stream->last = DatumGetInt64(slot->tts_values[stream->entry_no]);
	if (stream->tree.count == 0)
		stream->first = stream->last;
	casino_merkle_add(casino_sha256, &stream->tree, &hash);
	casino_buffer_put(&stream->marks, &hash, CASINO_MARK_LEN);
	MemoryContextReset(stream->row);
	return true;
}

static void
nothing(DestReceiver *self)
{
}

/* Hand the entries of a player with numbers from first to last to the receiver. */
static void
read_entries(StreamReceiver *stream, int64 player_id, int64 first, int64 last)
{
	static SPIPlanPtr plan = NULL;
	Oid			types[3] = {INT8OID, INT8OID, INT8OID};
	int64		numbers[3] = {player_id, first, last};
	SPIExecuteOptions options = {0};
	ParamListInfo params = makeParamList(3);
	int			result;

	if (plan == NULL)
	{
		SPIPlanPtr	new = SPI_prepare_cursor("SELECT l.* FROM casino.ledger l"
											 " WHERE l.player_id OPERATOR(pg_catalog.=) $1"
											 " AND l.entry_no OPERATOR(pg_catalog.>=) $2"
											 " AND l.entry_no OPERATOR(pg_catalog.<=) $3"
											 " ORDER BY l.entry_no", 3, types, CURSOR_OPT_GENERIC_PLAN);

		if (new == NULL || SPI_keepplan(new) != 0)
			elog(ERROR, "could not prepare to read entries: %s", SPI_result_code_string(SPI_result));
		plan = new;
	}
	for (int i = 0; i < 3; i++)
	{
		params->params[i].value = Int64GetDatum(numbers[i]);
		params->params[i].isnull = false;
		params->params[i].pflags = PARAM_FLAG_CONST;
		params->params[i].ptype = INT8OID;
	}
	options.params = params;
	options.read_only = true;
	options.dest = &stream->receiver;
	result = SPI_execute_plan_extended(plan, &options);
	if (result != SPI_OK_SELECT)
		elog(ERROR, "could not read entries: %s", SPI_result_code_string(result));
}

/*
 * stream_tree(player_id, first_entry_no, last_entry_no): first and last number,
 * count, root and marks of the entries that there are between, NULL for all
 * when there are none.
 */
PG_FUNCTION_INFO_V1(casino_sql_stream_tree);
Datum
casino_sql_stream_tree(PG_FUNCTION_ARGS)
{
	StreamReceiver stream = {0};
	TupleDesc	desc;
	Datum		values[5];
	bool		nulls[5] = {false};
	CasinoHash	root;
	bytea	   *marks;
	MemoryContext outer = CurrentMemoryContext;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	stream.receiver.receiveSlot = take_entry;
	stream.receiver.rStartup = begin_stream;
	stream.receiver.rShutdown = nothing;
	stream.receiver.rDestroy = nothing;
	stream.receiver.mydest = DestTuplestore;	/* as far as SPI asks */
	casino_buffer_init(&stream.leaf);
	casino_buffer_init(&stream.marks);
	SPI_connect();
	stream.row = AllocSetContextCreate(CurrentMemoryContext, "casino row of a stream", ALLOCSET_SMALL_SIZES);
	casino_sha256_hold();
	PG_TRY();
	{
		MemoryContext old = MemoryContextSwitchTo(outer);

		/* both grow in the context that they began in */
		casino_buffer_reserve(&stream.leaf, 512);
		casino_buffer_reserve(&stream.marks, 64);
		MemoryContextSwitchTo(old);
		read_entries(&stream, PG_GETARG_INT64(0), PG_GETARG_INT64(1),
					 PG_ARGISNULL(2) ? PG_INT64_MAX : PG_GETARG_INT64(2));
		casino_merkle_root(casino_sha256, &stream.tree, &root);
	}
	PG_FINALLY();
	{
		casino_sha256_release();
	}
	PG_END_TRY();
	SPI_finish();
	if (stream.tree.count == 0)
		memset(nulls, true, sizeof(nulls));
	else
	{
		if (stream.marks.failed || !AllocSizeIsValid(VARHDRSZ + stream.marks.len))
			ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
							errmsg("a stream has too many entries for one seal")));
		marks = palloc(VARHDRSZ + stream.marks.len);
		SET_VARSIZE(marks, VARHDRSZ + stream.marks.len);
		memcpy(VARDATA(marks), stream.marks.data, stream.marks.len);
		values[0] = Int64GetDatum(stream.first);
		values[1] = Int64GetDatum(stream.last);
		values[2] = Int64GetDatum((int64) stream.tree.count);
		values[3] = PointerGetDatum(casino_hash_bytea(&root));
		values[4] = PointerGetDatum(marks);
	}
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls));
}
