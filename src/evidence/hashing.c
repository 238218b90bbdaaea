/*
 * hashing.c
 *	  SHA-256 for the evidence, from PostgreSQL's library, and trees as
 *	  aggregates.
 */
#include "evidence/evidence.h"

#include "common/cryptohash.h"
#include "common/sha2.h"
#include "funcapi.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "catalog/pg_type.h"

#include "core/evidence/line.h"
#include "core/evidence/seal.h"
#include "core/evidence/value_text.h"

/* see casino_sha256_hold() */
static pg_cryptohash_ctx *held = NULL;

void
casino_sha256_hold(void)
{
	held = NULL;
	held = pg_cryptohash_create(PG_SHA256);
}

void
casino_sha256_release(void)
{
	pg_cryptohash_ctx *ctx = held;

	held = NULL;
	if (ctx != NULL)
		pg_cryptohash_free(ctx);
}

void
casino_sha256(int prefix, const void *data, size_t len, CasinoHash *hash)
{
	pg_cryptohash_ctx *ctx = held != NULL ? held : pg_cryptohash_create(PG_SHA256);
	uint8		byte = (uint8) prefix;

	if (ctx == NULL || pg_cryptohash_init(ctx) < 0 ||
		(prefix >= 0 && pg_cryptohash_update(ctx, &byte, 1) < 0) ||
		pg_cryptohash_update(ctx, data, len) < 0 ||
		pg_cryptohash_final(ctx, hash->bytes, PG_SHA256_DIGEST_LENGTH) < 0)
	{
		held = NULL;			/* freed with the transaction */
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not compute SHA-256")));
	}
	if (held == NULL)
		pg_cryptohash_free(ctx);
}

static void *
grow(void *old, size_t size)
{
	return old == NULL ? palloc_extended(size, MCXT_ALLOC_HUGE) : repalloc_huge(old, size);
}

void
casino_buffer_init(CasinoBuffer *buffer)
{
	memset(buffer, 0, sizeof(*buffer));
	buffer->grow = grow;
}

const CasinoHash *
casino_hash_argument(bytea * value, const char *name)
{
	if (VARSIZE_ANY_EXHDR(value) != CASINO_HASH_LEN)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be a SHA-256 hash of %d bytes", name, CASINO_HASH_LEN)));
	return (const CasinoHash *) VARDATA_ANY(value);
}

bytea *
casino_hash_bytea(const CasinoHash *hash)
{
	bytea	   *result = palloc(VARHDRSZ + CASINO_HASH_LEN);

	SET_VARSIZE(result, VARHDRSZ + CASINO_HASH_LEN);
	memcpy(VARDATA(result), hash, CASINO_HASH_LEN);
	return result;
}

/* hash_leaf(data): SHA-256(0x00 || data) */
PG_FUNCTION_INFO_V1(casino_sql_hash_leaf);
Datum
casino_sql_hash_leaf(PG_FUNCTION_ARGS)
{
	bytea	   *data = PG_GETARG_BYTEA_PP(0);
	CasinoHash	hash;

	casino_merkle_leaf(casino_sha256, VARDATA_ANY(data), VARSIZE_ANY_EXHDR(data), &hash);
	PG_RETURN_BYTEA_P(casino_hash_bytea(&hash));
}

/* hash_node(left, right): SHA-256(0x01 || left || right) */
PG_FUNCTION_INFO_V1(casino_sql_hash_node);
Datum
casino_sql_hash_node(PG_FUNCTION_ARGS)
{
	CasinoHash	hash;

	casino_merkle_node(casino_sha256, casino_hash_argument(PG_GETARG_BYTEA_PP(0), "left"),
					   casino_hash_argument(PG_GETARG_BYTEA_PP(1), "right"), &hash);
	PG_RETURN_BYTEA_P(casino_hash_bytea(&hash));
}

/* Leaves of an aggregate, in the order they came. */
typedef struct Leaves
{
	int64		count;
	int64		size;
	int64		index;			/* merkle_path: whose path */
	CasinoHash *hashes;
} Leaves;

static Leaves *
leaves_of(FunctionCallInfo fcinfo, MemoryContext *context)
{
	if (!AggCheckCallContext(fcinfo, context))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("a part of an aggregate was called by itself")));
	if (PG_ARGISNULL(0))
		return MemoryContextAllocZero(*context, sizeof(Leaves));
	return (Leaves *) PG_GETARG_POINTER(0);
}

static CasinoHash *
next_leaf(Leaves *leaves, MemoryContext context)
{
	if (leaves->count == leaves->size)
	{
		int64		size = Max(leaves->size * 2, 16);

		leaves->hashes = leaves->hashes == NULL ? MemoryContextAllocHuge(context, size * sizeof(CasinoHash))
			: repalloc_huge(leaves->hashes, size * sizeof(CasinoHash));
		leaves->size = size;
	}
	return &leaves->hashes[leaves->count++];
}

static void
root_of(const Leaves *leaves, CasinoHash *root)
{
	CasinoMerkle tree;

	tree.count = 0;
	casino_sha256_hold();
	for (int64 i = 0; i < leaves->count; i++)
		casino_merkle_add(casino_sha256, &tree, &leaves->hashes[i]);
	casino_merkle_root(casino_sha256, &tree, root);
	casino_sha256_release();
}

/* merkle_root(hash), merkle_path(hash, index): hashes of leaves */
PG_FUNCTION_INFO_V1(casino_sql_merkle_add);
Datum
casino_sql_merkle_add(PG_FUNCTION_ARGS)
{
	MemoryContext context;
	Leaves	   *leaves = leaves_of(fcinfo, &context);

	if (PG_ARGISNULL(1))
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("the hash of a leaf must not be null")));
	*next_leaf(leaves, context) = *casino_hash_argument(PG_GETARG_BYTEA_PP(1), "hash");
	if (PG_NARGS() > 2)
		leaves->index = PG_ARGISNULL(2) ? -1 : PG_GETARG_INT64(2);
	PG_RETURN_POINTER(leaves);
}

PG_FUNCTION_INFO_V1(casino_sql_merkle_root);
Datum
casino_sql_merkle_root(PG_FUNCTION_ARGS)
{
	MemoryContext context;
	Leaves	   *leaves = leaves_of(fcinfo, &context);
	CasinoHash	root;

	root_of(leaves, &root);
	PG_RETURN_BYTEA_P(casino_hash_bytea(&root));
}

PG_FUNCTION_INFO_V1(casino_sql_merkle_path);
Datum
casino_sql_merkle_path(PG_FUNCTION_ARGS)
{
	MemoryContext context;
	Leaves	   *leaves = leaves_of(fcinfo, &context);
	CasinoHash	path[CASINO_PATH_MAX];
	Datum		elements[CASINO_PATH_MAX];
	int			length = -1;

	casino_sha256_hold();
	if (leaves->index >= 0)
		length =
			casino_merkle_path(casino_sha256, leaves->hashes, (uint64) leaves->count,
							   (uint64) leaves->index, path);
	casino_sha256_release();
	if (length < 0)
		PG_RETURN_NULL();
	for (int i = 0; i < length; i++)
		elements[i] = PointerGetDatum(casino_hash_bytea(&path[i]));
	PG_RETURN_ARRAYTYPE_P(construct_array(elements, length, BYTEAOID, -1, false, TYPALIGN_INT));
}

/* The tree of these hashes, all its levels. */
static CasinoHash *
levels_of(Datum *hashes, int count)
{
	Size		size = (Size) casino_merkle_nodes((uint64) count) * sizeof(CasinoHash);
	CasinoHash *levels = MemoryContextAllocHuge(CurrentMemoryContext, Max(size, 1));

	for (int i = 0; i < count; i++)
		levels[i] = *casino_hash_argument(DatumGetByteaPP(hashes[i]), "hash");
	casino_sha256_hold();
	casino_merkle_levels(casino_sha256, levels, (uint64) count);
	casino_sha256_release();
	return levels;
}

/* merkle_paths(hashes, first, last): index, path, of the leaves that are there */
PG_FUNCTION_INFO_V1(casino_sql_merkle_paths);
Datum
casino_sql_merkle_paths(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	int64		last = PG_GETARG_INT64(2);
	Datum	   *hashes;
	int			count = casino_array_elements(PG_GETARG_ARRAYTYPE_P(0), "hashes", -1, false, TYPALIGN_INT,
											  &hashes, NULL);
	CasinoHash *levels = levels_of(hashes, count);
	MemoryContext row = AllocSetContextCreate(CurrentMemoryContext, "casino row of paths",
											  ALLOCSET_SMALL_SIZES);

	InitMaterializedSRF(fcinfo, 0);
	for (int64 i = Max(PG_GETARG_INT64(1), 0); i <= last && i < count; i++)
	{
		CasinoHash	path[CASINO_PATH_MAX];
		Datum		elements[CASINO_PATH_MAX];
		Datum		values[2];
		bool		nulls[2] = {false, false};
		MemoryContext old = MemoryContextSwitchTo(row);
		int			length = casino_merkle_levels_path(levels, (uint64) count, (uint64) i, path);

		for (int j = 0; j < length; j++)
		{
			char		text[2 * CASINO_HASH_LEN + 1];

			casino_hex_print(path[j].bytes, CASINO_HASH_LEN, text);
			elements[j] = CStringGetTextDatum(text);
		}
		values[0] = Int64GetDatum(i);
		values[1] = PointerGetDatum(construct_array(elements, length, TEXTOID, -1, false, TYPALIGN_INT));
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
		MemoryContextSwitchTo(old);
		MemoryContextReset(row);
	}
	return (Datum) 0;
}
