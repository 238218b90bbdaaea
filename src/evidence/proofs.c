/*
 * proofs.c
 *	  Roots of seals and proofs of entries, for SQL.
 */
#include "evidence/evidence.h"

#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/jsonb.h"
#include "utils/timestamp.h"

#include "core/evidence/seal.h"

/* stream_leaf(player_id, first_entry_no, last_entry_no, entries, root, running): hash of the leaf */
PG_FUNCTION_INFO_V1(casino_sql_stream_leaf);
Datum
casino_sql_stream_leaf(PG_FUNCTION_ARGS)
{
	CasinoStream stream;
	CasinoHash	hash;

	stream.player_id = PG_GETARG_INT64(0);
	stream.first_entry_no = PG_GETARG_INT64(1);
	stream.last_entry_no = PG_GETARG_INT64(2);
	stream.entries = PG_GETARG_INT64(3);
	stream.root = *casino_hash_argument(PG_GETARG_BYTEA_PP(4), "root");
	stream.running = *casino_hash_argument(PG_GETARG_BYTEA_PP(5), "running");
	casino_stream_leaf(casino_sha256, &stream, &hash);
	PG_RETURN_BYTEA_P(casino_hash_bytea(&hash));
}

/* seal_root(seal_no, day, sealed_at, entries, players, previous, sections, counts, roots) */
PG_FUNCTION_INFO_V1(casino_sql_seal_root);
Datum
casino_sql_seal_root(PG_FUNCTION_ARGS)
{
	CasinoSeal *seal = palloc0(sizeof(CasinoSeal));
	Datum	   *sections;
	Datum	   *counts;
	Datum	   *roots;
	int			ncounts;
	int			nroots;
	CasinoHash	root;

	seal->seal_no = PG_GETARG_INT64(0);
	seal->day = PG_GETARG_DATEADT(1);
	seal->sealed_at = PG_GETARG_TIMESTAMPTZ(2);
	seal->entries = PG_GETARG_INT64(3);
	seal->players = PG_GETARG_INT64(4);
	seal->previous = *casino_hash_argument(PG_GETARG_BYTEA_PP(5), "previous");
	seal->nsections = casino_array_elements(PG_GETARG_ARRAYTYPE_P(6), "sections", -1, false, TYPALIGN_INT,
											&sections, NULL);
	ncounts = casino_array_elements(PG_GETARG_ARRAYTYPE_P(7), "counts", 8, true, TYPALIGN_DOUBLE, &counts,
									NULL);
	nroots = casino_array_elements(PG_GETARG_ARRAYTYPE_P(8), "roots", -1, false, TYPALIGN_INT, &roots, NULL);
	if (seal->nsections > CASINO_SECTIONS_MAX || ncounts != seal->nsections || nroots != seal->nsections)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a seal has up to %d sections, each with count and root", CASINO_SECTIONS_MAX)));
	for (int i = 0; i < seal->nsections; i++)
	{
		char	   *name = TextDatumGetCString(sections[i]);

		if (strlen(name) > CASINO_SECTION_NAME_MAX)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("the name of a section is too long")));
		strlcpy(seal->sections[i].name, name, sizeof(seal->sections[i].name));
		seal->sections[i].count = DatumGetInt64(counts[i]);
		seal->sections[i].root = *casino_hash_argument(DatumGetByteaPP(roots[i]), "a root");
	}
	casino_seal_root(casino_sha256, seal, &root);
	PG_RETURN_BYTEA_P(casino_hash_bytea(&root));
}

/*
 * verify_proof(proof, root): false, and at DEBUG1 the reason, for anything but
 * a proof of that root
 */
PG_FUNCTION_INFO_V1(casino_sql_verify_proof);
Datum
casino_sql_verify_proof(PG_FUNCTION_ARGS)
{
	Jsonb	   *proof = PG_GETARG_JSONB_P(0);
	bytea	   *root = PG_GETARG_BYTEA_PP(1);
	char	   *text;
	CasinoBuffer buffers[3];
	CasinoError error;

	if (VARSIZE_ANY_EXHDR(root) != CASINO_HASH_LEN)
		PG_RETURN_BOOL(false);
	text = JsonbToCString(NULL, &proof->root, VARSIZE(proof));
	for (int i = 0; i < (int) lengthof(buffers); i++)
		casino_buffer_init(&buffers[i]);
	if (casino_proof_verify(casino_sha256, text, strlen(text), (const CasinoHash *) VARDATA_ANY(root),
							&buffers[0], &buffers[1], &buffers[2], &error))
		PG_RETURN_BOOL(true);
	ereport(DEBUG1, (errmsg_internal("the proof is refused: %s", error.detail)));
	PG_RETURN_BOOL(false);
}

static bool
is_root(const CasinoHash *root, void *arg)
{
	ArrayType  *roots = arg;
	Datum	   *elements;
	int			n = casino_array_elements(roots, "roots", -1, false, TYPALIGN_INT, &elements, NULL);

	for (int i = 0; i < n; i++)
	{
		bytea	   *known = DatumGetByteaPP(elements[i]);

		if (VARSIZE_ANY_EXHDR(known) == CASINO_HASH_LEN &&
			memcmp(VARDATA_ANY(known), root, CASINO_HASH_LEN) == 0)
			return true;
	}
	return false;
}

/*
 * verify_statement(statement, roots): as verify_proof(), of a player's statement under the roots of
 * several seals
 */
PG_FUNCTION_INFO_V1(casino_sql_verify_statement);
Datum
casino_sql_verify_statement(PG_FUNCTION_ARGS)
{
	Jsonb	   *statement = PG_GETARG_JSONB_P(0);
	CasinoStatement with = {is_root, NULL, PG_GETARG_ARRAYTYPE_P(1)};
	char	   *text = JsonbToCString(NULL, &statement->root, VARSIZE(statement));
	CasinoBuffer buffers[3];
	CasinoError error;

	for (int i = 0; i < (int) lengthof(buffers); i++)
		casino_buffer_init(&buffers[i]);
	if (casino_statement_verify(casino_sha256, text, strlen(text), &with, &buffers[0], &buffers[1],
								&buffers[2],
								&error))
		PG_RETURN_BOOL(true);
	ereport(DEBUG1, (errmsg_internal("the statement is refused: %s", error.detail)));
	PG_RETURN_BOOL(false);
}
