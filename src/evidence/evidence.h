/*
 * evidence.h
 *	  What the files of the evidence share: hashing with PostgreSQL's own
 *	  SHA-256, buffers in palloc'ed memory, rows as values of their layout.
 */
#ifndef CASINO_EVIDENCE_H
#define CASINO_EVIDENCE_H

#include "postgres.h"

#include "casino.h"
#include "core/leaf.h"
#include "core/merkle.h"

/* A CasinoSha256. */
extern void casino_sha256(int prefix, const void *data, size_t len, CasinoHash *hash);

/*
 * The same with one context for many hashes.  Nothing but hashing may happen
 * between the two calls.
 */
extern void casino_sha256_hold(void);
extern void casino_sha256_release(void);

/* A buffer in the current memory context. */
extern void casino_buffer_init(CasinoBuffer *buffer);

/* Canonical JSON: members by length and bytes of their names, no white space. */
struct JsonbContainer;
extern void casino_json_write(CasinoBuffer *buffer, struct JsonbContainer *container);

/* 32 bytes of a bytea argument; 22023 for others */
extern const CasinoHash *casino_hash_argument(bytea *value, const char *name);
extern bytea *casino_hash_bytea(const CasinoHash *hash);

#endif							/* CASINO_EVIDENCE_H */
