/*
 * verify.c
 *	  What the parts of casino-verify share: see verify.h.
 */
#include "verify.h"

#include <openssl/evp.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void *
resize(void *old, size_t count, size_t size)
{
	void	   *new = count > SIZE_MAX / size ? NULL : realloc(old, (count == 0 ? 1 : count) * size);

	if (new == NULL)
	{
		fputs("casino-verify: out of memory\n", stderr);
		exit(CANNOT_TELL);
	}
	return new;
}

void
cannot(const char *file, const char *why)
{
	fprintf(stderr, "casino-verify: %s: %s\n", file, why);
	exit(CANNOT_TELL);
}

/* A reason quotes a file, which could write to a terminal: a byte outside printable ASCII becomes "?". */
void
refuse(Place place, const char *format,...)
{
	char		reason[1024];
	va_list		args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	for (char *at = reason; *at != '\0'; at++)
		if ((unsigned char) *at < 0x20 || (unsigned char) *at > 0x7E)
			*at = '?';
	if (place.line > 0)
		printf("%s:%" PRId64 ": %s\n", place.file, place.line, reason);
	else
		printf("%s: %s\n", place.file, reason);
	exit(DOES_NOT_FIT);
}

/* The library's SHA-256, made ready once: choosing the digest anew would cost as much as a short hash. */
static EVP_MD_CTX *
sha256_context(void)
{
	static EVP_MD_CTX * context;

	if (context == NULL)
	{
		context = EVP_MD_CTX_new();
		if (context == NULL || EVP_DigestInit_ex(context, EVP_sha256(), NULL) != 1)
			cannot("SHA-256", "the library cannot compute it");
	}
	return context;
}

void
verify_sha256(int prefix, const void *data, size_t len, CasinoHash *hash)
{
	EVP_MD_CTX *context = sha256_context();
	unsigned char byte = (unsigned char) prefix;

	if (EVP_DigestInit_ex(context, NULL, NULL) != 1 ||
		(prefix >= 0 && EVP_DigestUpdate(context, &byte, 1) != 1) ||
		EVP_DigestUpdate(context, data, len) != 1 ||
		EVP_DigestFinal_ex(context, hash->bytes, NULL) != 1)
		cannot("SHA-256", "the library cannot compute it");
}
