/*
 * fuzz_seal.c
 *	  libFuzzer driver: seal documents and proofs.  The hash is a short one, so
 *	  that the fuzzer may meet roots that fit; a proof that is accepted then has
 *	  an entry of the ledger in it.
 */
#include "fuzz.h"

#include "seal.h"

/* every hash is zero: what the root must say is what the checks around it must say */
static void
no_hash(int prefix, const void *data, size_t len, CasinoHash *hash)
{
	(void) prefix;
	(void) data;
	(void) len;
	memset(hash, 0, sizeof(*hash));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
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
	if (casino_proof_verify(no_hash, (const char *) data, size, &root, &buffers[0], &buffers[1], &buffers[2], &error) &&
		(buffers[0].len > buffers[0].size || strncmp(buffers[0].data, "{\"ledger\":{", 11) != 0))
		abort();
	for (int i = 0; i < 3; i++)
		free(buffers[i].data);
	free(seal);
	return 0;
}
