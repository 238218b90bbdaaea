/*
 * note.h
 *	  Signed notes that carry a checkpoint of a log (C2SP signed-note,
 *	  tlog-checkpoint, tlog-cosignature), the keys that verify them, and
 *	  consistency proofs of casino.consistency_proof().
 *
 * Nothing is signed or verified here: the signatures are the caller's.
 */
#ifndef CASINO_NOTE_H
#define CASINO_NOTE_H

#include <stddef.h>

#include "core/error.h"
#include "core/evidence/merkle.h"

#define CASINO_NOTE_NAME_MAX		200
#define CASINO_NOTE_SIGNATURES_MAX	32
#define CASINO_ED25519_KEY			32
#define CASINO_ED25519_SIGNATURE	64

/* algorithms of keys: the first byte of what a verifier key encodes */
#define CASINO_NOTE_ED25519			0x01
#define CASINO_NOTE_COSIGNATURE		0x04

typedef struct CasinoNoteSignature
{
	char		name[CASINO_NOTE_NAME_MAX + 1];
	uint8_t		id[4];
	uint8_t		bytes[8 + CASINO_ED25519_SIGNATURE];	/* of a cosignature its time first */
	int			len;
} CasinoNoteSignature;

typedef struct CasinoCheckpoint
{
	char		origin[CASINO_NOTE_NAME_MAX + 1];
	uint64_t	size;
	CasinoHash	root;
	size_t		body;			/* bytes that are signed: the text before the empty line */
	int			nsignatures;
	CasinoNoteSignature signatures[CASINO_NOTE_SIGNATURES_MAX];
} CasinoCheckpoint;

typedef struct CasinoNoteKey
{
	char		name[CASINO_NOTE_NAME_MAX + 1];
	uint8_t		id[4];
	int			algorithm;
	uint8_t		key[CASINO_ED25519_KEY];
} CasinoNoteKey;

typedef struct CasinoConsistency
{
	uint64_t	from;
	uint64_t	to;
	CasinoHash	from_root;
	CasinoHash	to_root;
	int			length;
	CasinoHash	path[CASINO_PATH_MAX + 1];
} CasinoConsistency;

/* Read a note: a checkpoint, then one signature or more. */
extern bool casino_checkpoint_read(const char *text, size_t len, CasinoCheckpoint *checkpoint,
								   CasinoError *error);

/* Read a verifier key: NAME+ID+KEY; the id must be that of name and key. */
extern bool casino_note_key_read(CasinoSha256 sha256, const char *text, size_t len, CasinoNoteKey *key,
								 CasinoError *error);

/* Read what casino.consistency_proof() gives. */
extern bool casino_consistency_read(const char *text, size_t len, CasinoConsistency *proof,
									CasinoError *error);

#endif							/* CASINO_NOTE_H */
