/*
 * evidence.h
 *	  What the files of the evidence share: hashing with PostgreSQL's own
 *	  SHA-256, buffers in palloc'ed memory, rows as values of their layout.
 */
#ifndef CASINO_EVIDENCE_H
#define CASINO_EVIDENCE_H

#include "postgres.h"

#include "access/tupdesc.h"

#include "casino.h"
#include "core/evidence/leaf.h"
#include "core/evidence/merkle.h"

/* A CasinoSha256. */
extern void casino_sha256(int prefix, const void *data, size_t len, CasinoHash *hash);

/*
 * The same with one context for many hashes.  What happens between the two
 * calls must come to the second one even when it fails.
 */
extern void casino_sha256_hold(void);
extern void casino_sha256_release(void);

/* A buffer in the current memory context. */
extern void casino_buffer_init(CasinoBuffer *buffer);

/* Canonical JSON: members by length and bytes of their names, no white space. */
struct JsonbContainer;
extern void casino_json_write(CasinoBuffer *buffer, struct JsonbContainer *container);

/* Where a layout's fields are among the columns of a row. */
typedef struct EvidenceShape
{
	const CasinoLayout *layout;
	int			attribute[CASINO_FIELDS_MAX];	/* from 0 */
	Oid			attribute_type[CASINO_FIELDS_MAX];
} EvidenceShape;

/* 22023 when the row has not all columns of the layout with their types */
extern void casino_evidence_shape(const CasinoLayout *layout, TupleDesc tupdesc, EvidenceShape *shape);

/* The values of a row; they refer to it and to the current memory context. */
extern void casino_evidence_values(const EvidenceShape *shape, const Datum *columns, const bool *nulls,
								   CasinoValue *values);

/* 32 bytes of a bytea argument; 22023 for others */
extern const CasinoHash *casino_hash_argument(bytea * value, const char *name);
extern bytea * casino_hash_bytea(const CasinoHash *hash);

#endif							/* CASINO_EVIDENCE_H */
