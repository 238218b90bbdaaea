/*
 * documents.c
 *	  The seal documents.
 */
#include "documents.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "input.h"

static CasinoSeal *seals;
static int	nseals;

/* A seal follows the one before it: its number, and the root that it names. */
static void
check_chain(Place place, const CasinoSeal *before, const CasinoSeal *seal)
{
	if (seal->seal_no == before->seal_no && casino_hash_equal(&seal->root, &before->root))
		refuse(place, "seal %" PRId64 " is there twice", seal->seal_no);
	if (seal->seal_no == before->seal_no)
		refuse(place, "there are two different documents of seal %" PRId64 ": one of them is forged",
			   seal->seal_no);
	if (seal->seal_no < before->seal_no)
		refuse(place, "seal %" PRId64 " comes after seal %" PRId64, seal->seal_no, before->seal_no);
	if (seal->seal_no != before->seal_no + 1)
		refuse(place, "seal %" PRId64 " comes after seal %" PRId64 ": a document between them is missing",
			   seal->seal_no, before->seal_no);
	if (!casino_hash_equal(&seal->previous, &before->root))
		refuse(place, "seal %" PRId64 " does not follow from seal %" PRId64, seal->seal_no, before->seal_no);
}

void
documents_read(const char *file)
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
		if ((nseals & (nseals - 1)) == 0)
			seals = resize(seals, nseals == 0 ? 1 : 2 * (size_t) nseals, sizeof(CasinoSeal));
		if (!casino_seal_read(verify_sha256, line, len, &seals[nseals], &error))
			refuse(input.place, "%s", error.detail);
		if (nseals > 0)
			check_chain(input.place, &seals[nseals - 1], &seals[nseals]);
		nseals++;
	}
	if (nseals == 0)
		refuse(input.place, "there is no seal document in it");
	input_close(&input);
}

int
documents_count(void)
{
	return nseals;
}

const CasinoSeal *
document_at(int n)
{
	return &seals[n];
}

int
document_find(int64_t seal_no)
{
	/* they are numbered without gaps */
	return seal_no >= seals[0].seal_no && seal_no <= seals[nseals - 1].seal_no ?
		(int) (seal_no - seals[0].seal_no)
		: -1;
}
