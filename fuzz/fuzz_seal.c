/*
 * fuzz_seal.c
 *	  libFuzzer driver: seal documents, proofs and statements.  The hash is a short one, so
 *	  that the fuzzer may meet roots that fit; a proof that is accepted then has
 *	  an entry of the ledger in it.
 */
#include "fuzz.h"

#include "core/evidence/seal.h"

/* every hash is zero: what the root must say is what the checks around it must say */
static void
no_hash(int prefix, const void *data, size_t len, CasinoHash *hash)
{
	(void) prefix;
	(void) data;
	(void) len;
	memset(hash, 0, sizeof(*hash));
}

static bool
any_root(const CasinoHash *root, void *arg)
{
	(void) root;
	(void) arg;
	return true;
}

/* entries are of the ledger */
static void
look_at_entry(const char *line, size_t len, void *arg)
{
	(void) arg;
	if (len < 11 || memcmp(line, "{\"ledger\":{", 11) != 0)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CasinoStatement with = {any_root, look_at_entry, NULL};
	CasinoBuffer buffers[3] = {{NULL, 0, 0, false, realloc},
	{NULL, 0, 0, false, realloc},
	{NULL, 0, 0, false, realloc}};
	CasinoHash	root;
	CasinoError error;
	CasinoSeal *seal = malloc(sizeof(CasinoSeal));

	memset(&root, 0, sizeof(root));
	if (seal != NULL && casino_seal_read(no_hash, (const char *) data, size, seal, &error) &&
		(seal->nsections > CASINO_SECTIONS_MAX || seal->seal_no < 1))
		abort();
	if (casino_proof_verify(no_hash, (const char *) data, size, &root, &buffers[0], &buffers[1],
							&buffers[2], &error) &&
		(buffers[0].len > buffers[0].size || strncmp(buffers[0].data, "{\"ledger\":{", 11) != 0))
		abort();
	(void) casino_statement_verify(no_hash, (const char *) data, size, &with, &buffers[0], &buffers[1],
								   &buffers[2], &error);
	for (int i = 0; i < 3; i++)
		free(buffers[i].data);
	free(seal);
	return 0;
}
