/*
 * witness.c
 *	  Signed checkpoints of the log of seals.
 */
#include "witness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "documents.h"
#include "input.h"
#include "core/evidence/note.h"

typedef struct Note
{
	Place		place;
	char	   *text;
	CasinoCheckpoint checkpoint;
} Note;

static CasinoNoteKey *keys;
static int	nkeys;

static void
read_keys(const char *file)
{
	Input		input;
	const char *line;
	size_t		len;
	bool		whole;

	input_open(&input, file);
	while (input_line(&input, &line, &len, &whole))
	{
		CasinoError error;

		if (len == 0)
			continue;
		keys = resize(keys, (size_t) nkeys + 1, sizeof(CasinoNoteKey));
		if (!casino_note_key_read(verify_sha256, line, len, &keys[nkeys], &error))
			refuse(input.place, "%s", error.detail);
		nkeys++;
	}
	if (nkeys == 0)
		refuse(input.place, "the file has no key");
	input_close(&input);
}

static bool
ed25519_fits(const uint8_t *key, const uint8_t *signature, const void *text, size_t len)
{
	EVP_PKEY   *pkey = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, key, CASINO_ED25519_KEY);
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	bool		fits = pkey != NULL && ctx != NULL &&
	EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, pkey) == 1 &&
	EVP_DigestVerify(ctx, signature, CASINO_ED25519_SIGNATURE, text, len) == 1;

	EVP_MD_CTX_free(ctx);
	EVP_PKEY_free(pkey);
	return fits;
}

/* A cosignature is over its time and the text (C2SP tlog-cosignature). */
static bool
cosignature_fits(const CasinoNoteKey *key, const CasinoNoteSignature *signature, const char *text, size_t len)
{
	char	   *said = resize(NULL, len + 64, 1);
	uint64_t	time = 0;
	int			head;

	for (int i = 0; i < 8; i++)
		time = time << 8 | signature->bytes[i];
	head = snprintf(said, 64, "cosignature/v1\ntime %" PRIu64 "\n", time);
	memcpy(said + head, text, len);
	head = ed25519_fits(key->key, signature->bytes + 8, said, (size_t) head + len);
	free(said);
	return head;
}

static bool
signature_fits(const CasinoNoteKey *key, const CasinoNoteSignature *signature, const Note *note)
{
	if (key->algorithm == CASINO_NOTE_ED25519)
		return signature->len == CASINO_ED25519_SIGNATURE &&
			ed25519_fits(key->key, signature->bytes, note->text, note->checkpoint.body);
	return signature->len == 8 + CASINO_ED25519_SIGNATURE &&
		cosignature_fits(key, signature, note->text, note->checkpoint.body);
}

/* Signatures of other keys say nothing; one of this key that does not fit is a forgery. */
static void
require_signature(const CasinoNoteKey *key, const Note *note)
{
	bool		found = false;

	for (int i = 0; i < note->checkpoint.nsignatures; i++)
	{
		const CasinoNoteSignature *signature = &note->checkpoint.signatures[i];

		if (strcmp(signature->name, key->name) != 0 || memcmp(signature->id, key->id, sizeof(key->id)) != 0)
			continue;
		if (!signature_fits(key, signature, note))
			refuse(note->place, "the signature of %s does not fit", key->name);
		found = true;
	}
	if (!found)
		refuse(note->place, "%s has not signed it", key->name);
}

static bool
is_log_key(const CasinoNoteKey *key, const Note *note)
{
	return key->algorithm == CASINO_NOTE_ED25519 && strcmp(key->name, note->checkpoint.origin) == 0;
}

/* The log itself must have signed; of a new note all whose keys were given. */
static void
read_note(const char *file, bool all, Note *note)
{
	size_t		len;
	CasinoError error;
	int			logs = 0;

	note->place = (Place)
	{
		file, 0
	};
	note->text = input_file(file, &len);
	if (!casino_checkpoint_read(note->text, len, &note->checkpoint, &error))
		refuse(note->place, "%s", error.detail);
	for (int i = 0; i < nkeys; i++)
		logs += is_log_key(&keys[i], note);
	if (logs == 0)
		refuse(note->place, "no key of its log %s was given", note->checkpoint.origin);
	for (int i = 0; i < nkeys; i++)
		if (all || is_log_key(&keys[i], note))
			require_signature(&keys[i], note);
}

/* The documents must go from the first seal to the last one of the log. */
static void
hold_against_documents(const Note *note, const char *seals)
{
	CasinoMerkle tree = {0};
	CasinoHash	root;
	Place		place = {seals, 0};

	documents_read(seals);
	if (document_at(0)->seal_no != 1 || (uint64_t) documents_count() < note->checkpoint.size)
		refuse(place, "the documents of seals 1 to %" PRIu64 " are not all in it", note->checkpoint.size);
	for (uint64_t i = 0; i < note->checkpoint.size; i++)
	{
		casino_merkle_leaf(verify_sha256, &document_at((int) i)->root, CASINO_HASH_LEN, &root);
		casino_merkle_add(verify_sha256, &tree, &root);
	}
	casino_merkle_root(verify_sha256, &tree, &root);
	if (!casino_hash_equal(&root, &note->checkpoint.root))
		refuse(note->place, "its root is not that of the documents");
}

int
witness_checkpoint(const char *note_file, const char *key_file, const char *seals)
{
	Note		note;

	read_keys(key_file);
	read_note(note_file, true, &note);
	if (seals != NULL)
		hold_against_documents(&note, seals);
	printf("%s: %" PRIu64 " seals, signed by %d of %d keys%s\n", note.checkpoint.origin,
		   note.checkpoint.size, nkeys, nkeys, seals != NULL ? ", the root is that of the documents" : "");
	return 0;
}

int
witness_consistency(const char *old_file, const char *new_file, const char *proof_file, const char *key_file)
{
	Note		old;
	Note		new;
	CasinoConsistency proof;
	CasinoError error;
	Place		place = {proof_file, 0};
	size_t		len;
	char	   *text;

	read_keys(key_file);
	read_note(old_file, false, &old);
	read_note(new_file, true, &new);
	if (strcmp(old.checkpoint.origin, new.checkpoint.origin) != 0)
		refuse(new.place, "it is of another log than %s", old.checkpoint.origin);
	text = input_file(proof_file, &len);
	if (!casino_consistency_read(text, len, &proof, &error))
		refuse(place, "%s", error.detail);
	if (proof.from != old.checkpoint.size || proof.to != new.checkpoint.size)
		refuse(place, "it is a proof from seal %" PRIu64 " to seal %" PRIu64, proof.from, proof.to);
	if (!casino_merkle_consistent(verify_sha256, proof.from, proof.to, proof.path, proof.length,
								  &old.checkpoint.root, &new.checkpoint.root))
		refuse(place, "it does not show that the log only grew");
	printf("%s: the log of %" PRIu64 " seals begins with the %" PRIu64 " seals of before\n",
		   new.checkpoint.origin, proof.to, proof.from);
	return 0;
}
