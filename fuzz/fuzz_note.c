/*
 * fuzz_note.c
 *	  libFuzzer driver: signed checkpoints, verifier keys and consistency proofs.  The hash is a
 *	  short one, so that the fuzzer may meet ids and roots that fit.
 */
#include "fuzz.h"

#include "core/evidence/note.h"

static void
no_hash(int prefix, const void *data, size_t len, CasinoHash *hash)
{
	(void) prefix;
	(void) data;
	(void) len;
	memset(hash, 0, sizeof(*hash));
}

static void
look_at_note(const char *text, size_t len)
{
	CasinoCheckpoint note;
	CasinoError error;

	if (!casino_checkpoint_read(text, len, &note, &error))
		return;
	if (note.nsignatures < 1 || note.nsignatures > CASINO_NOTE_SIGNATURES_MAX || note.size < 1 ||
		note.body >= len || text[note.body - 1] != '\n' || text[note.body] != '\n' || note.origin[0] == '\0')
		abort();
	for (int i = 0; i < note.nsignatures; i++)
		if (note.signatures[i].len < 1 || note.signatures[i].len > (int) sizeof(note.signatures[i].bytes))
			abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *) data;
	CasinoConsistency proof;
	CasinoNoteKey key;
	CasinoError error;

	look_at_note(text, size);
	if (casino_note_key_read(no_hash, text, size, &key, &error) &&
		(key.name[0] == '\0' || strchr(key.name, '+') != NULL ||
		 (key.algorithm != CASINO_NOTE_ED25519 && key.algorithm != CASINO_NOTE_COSIGNATURE)))
		abort();
	if (casino_consistency_read(text, size, &proof, &error))
	{
		if (proof.length < 0 || proof.length > CASINO_PATH_MAX + 1 || proof.from < 1 || proof.to < 1)
			abort();
		(void) casino_merkle_consistent(no_hash, proof.from, proof.to, proof.path, proof.length,
										&proof.from_root, &proof.to_root);
	}
	return 0;
}
