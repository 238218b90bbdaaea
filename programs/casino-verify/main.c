/*
 * main.c
 *	  casino-verify: hold exported days against seal documents, and grade every
 *	  wager again.  No PostgreSQL: the pure core and a library's SHA-256.
 *
 * The first thing that does not fit ends it, with file, line and reason.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corrections.h"
#include "documents.h"
#include "exports.h"
#include "input.h"
#include "regrade.h"
#include "core/evidence/seal.h"
#include "core/evidence/value_text.h"
#include "witness.h"

static const char *const usage =
"Usage: casino-verify SEALS [EXPORT...]\n"
"       casino-verify --proof PROOF SEALS\n"
"       casino-verify --checkpoint NOTE KEYS [SEALS]\n"
"       casino-verify --consistency OLD NEW PROOF KEYS\n"
"\n"
"Verifies exported days of the PostgreSQL extension casino without PostgreSQL.\n"
"\n"
"  SEALS    seal documents, one a line, as casino.seal_document() gives them\n"
"  EXPORT   exported days in their order, as casino.export_day() gives them\n"
"  PROOF    a proof of one entry, as casino.proof() gives it, or of a player's\n"
"           statement, as casino.statement_proof() gives it; with --consistency as\n"
"           casino.consistency_proof() gives it\n"
"  NOTE     a signed checkpoint of the seals, as OLD and NEW; its text is that of\n"
"           casino.checkpoint()\n"
"  KEYS     verifier keys, NAME+ID+KEY, one a line: each must have signed\n"
"\n"
"Checks that the seals follow from each other, that each export is what its seal\n"
"says, row by row, and that every wager was paid what the exported plan gives it.\n"
"The first line that does not fit is named with the reason.\n"
"\n"
"Exit status: 0 all fits; 1 something does not; 2 it cannot be told (no such file,\n"
"wrong arguments); 3 all that was given fits, but wagers were not graded.\n";

static CasinoBuffer entry = {NULL, 0, 0, false, realloc};
static CasinoBuffer scratch = {NULL, 0, 0, false, realloc};
static CasinoBuffer leaf = {NULL, 0, 0, false, realloc};

static bool
is_document(const CasinoHash *root, void *arg)
{
	for (int i = 0; i < documents_count(); i++)
		if (casino_hash_equal(&document_at(i)->root, root))
			return true;
	return false;
}

static void
print_entry(const char *line, size_t len, void *arg)
{
	*(int64_t *) arg += 1;
	printf("%.*s\n", (int) len, line);
}

static void
count_entry(const char *line, size_t len, void *arg)
{
	*(int64_t *) arg += 1;
}

/* Entries are printed when all of them have been verified. */
static int
check_statement(Place place, const char *text, size_t len)
{
	int64_t		count = 0;
	CasinoStatement with = {is_document, count_entry, &count};
	CasinoError error;

	if (!casino_statement_verify(verify_sha256, text, len, &with, &entry, &scratch, &leaf, &error))
		refuse(place, "%s", error.detail);
	printf("proved, none left out between them: %" PRId64 " entries\n", count);
	with.entry = print_entry;
	(void) casino_statement_verify(verify_sha256, text, len, &with, &entry, &scratch, &leaf, &error);
	return 0;
}

static int
check_proof(const char *file)
{
	size_t		len;
	char	   *text = input_file(file, &len);
	Place		place = {file, 0};
	CasinoError error;

	if (len == 0)
		refuse(place, "the file is empty");
	/* which of the two it is; neither can be read as the other */
	if (memmem(text, len, "\"statement\"", 11) != NULL && memmem(text, len, "\"entries\"", 9) != NULL)
		return check_statement(place, text, len);
	for (int i = 0; i < documents_count(); i++)
	{
		const CasinoSeal *seal = document_at(i);

		if (casino_proof_verify(verify_sha256, text, len, &seal->root, &entry, &scratch, &leaf, &error))
		{
			printf("proved by seal %" PRId64 ": %s\n", seal->seal_no, entry.data);
			return 0;
		}
		if (strcmp(error.detail, "It is a proof of another seal.") != 0)
			refuse(place, "%s", error.detail);
	}
	refuse(place, "it is a proof of none of these seals");
}

/* Documents without their exports: a day that was left out is seen. */
static void
print_missing(void)
{
	int			missing = documents_count() - exports_count().seals;
	int			shown = 0;

	if (missing == 0)
		return;
	printf("not exported:");
	for (int i = 0; i < documents_count() && shown < 10; i++)
		if (!exports_have(i))
		{
			char		day[11] = "";

			(void) casino_date_print(document_at(i)->day, day);
			printf("%s seal %" PRId64 " of %s", shown++ == 0 ? "" : ",", document_at(i)->seal_no, day);
		}
	if (missing > shown)
		printf(" and %d more", missing - shown);
	putchar('\n');
}

/* Return how many wagers could not be graded (R12.20). */
static int64_t
print_summary(void)
{
	Exported	exported = exports_count();
	int64_t		unknown;
	int64_t		open;
	int64_t		graded = regrade_count(&unknown, &open);

	printf("%d seals follow from each other, %d of them are exported: %" PRId64 " rows, %"
		   PRId64 " entries, %" PRId64 " wagers graded again",
		   documents_count(), exported.seals, exported.rows, exported.entries, graded);
	if (open > 0)
		printf(", %" PRId64 " open", open);
	putchar('\n');
	if (unknown > 0)
		printf("%" PRId64 " WAGERS WERE NOT GRADED: their plans or stakes are in exports that were not "
			   "given; give all of them, from the first on\n", unknown);
	return unknown;
}

int
main(int argc, char **argv)
{
	int64_t		unknown;

	if (argc == 2 && strcmp(argv[1], "--help") == 0)
	{
		fputs(usage, stdout);
		return 0;
	}
	if (argc == 4 && strcmp(argv[1], "--proof") == 0)
	{
		documents_read(argv[3]);
		return check_proof(argv[2]);
	}
	if ((argc == 4 || argc == 5) && strcmp(argv[1], "--checkpoint") == 0)
		return witness_checkpoint(argv[2], argv[3], argv[4]);
	if (argc == 6 && strcmp(argv[1], "--consistency") == 0)
		return witness_consistency(argv[2], argv[3], argv[4], argv[5]);
	if (argc < 2 || argv[1][0] == '-')
	{
		fputs(usage, stderr);
		return CANNOT_TELL;
	}
	documents_read(argv[1]);
	for (int i = 2; i < argc; i++)
		corrections_foresee(argv[i]);
	for (int i = 2; i < argc; i++)
		exports_read(argv[i]);
	unknown = print_summary();
	if (argc > 2)
		print_missing();
	if (fflush(stdout) != 0 || ferror(stdout))
		cannot("output", "cannot be written");
	return unknown > 0 ? NOT_ALL_GRADED : 0;
}
