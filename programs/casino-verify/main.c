/*
 * main.c
 *	  casino-verify: hold exported days against seal documents, and grade every
 *	  wager again.  No PostgreSQL: the pure core and a library's SHA-256.
 *
 * The first thing that does not fit ends it, with file, line and reason.
 */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "line.h"
#include "regrade.h"
#include "seal.h"

#define DOES_NOT_FIT	1
#define CANNOT_TELL		2

static const char *const usage =
	"Usage: casino-verify SEALS [EXPORT...]\n"
	"       casino-verify --proof PROOF SEALS\n"
	"\n"
	"Verifies exported days of the PostgreSQL extension casino without PostgreSQL.\n"
	"\n"
	"  SEALS    seal documents, one a line, as casino.seal_document() gives them\n"
	"  EXPORT   exported days in their order, as casino.export_day() gives them\n"
	"  PROOF    a proof of one entry, as casino.proof() gives it\n"
	"\n"
	"Checks that the seals follow from each other, that each export is what its seal\n"
	"says, row by row, and that every wager was paid what the exported plan gives it.\n"
	"The first line that does not fit is named with the reason.\n"
	"\n"
	"Exit status: 0 all fits; 1 something does not; 2 it cannot be told (no such file,\n"
	"wrong arguments).\n";

static char **files;
static CasinoSeal *seals;
static bool *used;
static int	nseals;
static CasinoBuffer scratch = {NULL, 0, 0, false, realloc};
static CasinoBuffer leaf = {NULL, 0, 0, false, realloc};
static CasinoBuffer entry = {NULL, 0, 0, false, realloc};

static void
sha256(int prefix, const void *data, size_t len, CasinoHash *hash)
{
	SHA256_CTX	ctx;
	unsigned char byte = (unsigned char) prefix;

	SHA256_Init(&ctx);
	if (prefix >= 0)
		SHA256_Update(&ctx, &byte, 1);
	SHA256_Update(&ctx, data, len);
	SHA256_Final(hash->bytes, &ctx);
}

static void __attribute__((noreturn))
cannot(const char *file, const char *why)
{
	fprintf(stderr, "casino-verify: %s: %s\n", file, why);
	exit(CANNOT_TELL);
}

static void __attribute__((format(printf, 2, 3), noreturn))
refuse(Place place, const char *format,...)
{
	va_list		args;

	if (place.line > 0)
		printf("%s:%" PRId64 ": ", files[place.file], place.line);
	else
		printf("%s: ", files[place.file]);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	exit(DOES_NOT_FIT);
}

/* ------------------------------------------------------------ seal documents */

static void
read_seals(int file)
{
	FILE	   *in = fopen(files[file], "rb");
	char	   *line = NULL;
	size_t		size = 0;
	ssize_t		len;
	Place		place = {file, 0};

	if (in == NULL)
		cannot(files[file], strerror(errno));
	while ((len = getline(&line, &size, in)) > 0)
	{
		CasinoError error;
		CasinoSeal *seal;

		place.line++;
		if (line[len - 1] == '\n')
			len--;
		if (len == 0)
			continue;
		seals = realloc(seals, ((size_t) nseals + 1) * sizeof(CasinoSeal));
		if (seals == NULL)
			cannot(files[file], "out of memory");
		seal = &seals[nseals];
		if (!casino_seal_read(sha256, line, (size_t) len, seal, &error))
			refuse(place, "%s", error.detail);
		if (nseals > 0 && seal->seal_no <= seal[-1].seal_no)
			refuse(place, "seal %" PRId64 " comes after seal %" PRId64, seal->seal_no, seal[-1].seal_no);
		if (nseals > 0 && seal->seal_no == seal[-1].seal_no + 1 && !casino_hash_equal(&seal->previous, &seal[-1].root))
			refuse(place, "seal %" PRId64 " does not follow from seal %" PRId64, seal->seal_no, seal[-1].seal_no);
		nseals++;
	}
	if (ferror(in))
		cannot(files[file], strerror(errno));
	fclose(in);
	free(line);
	if (nseals == 0)
		refuse(place, "there is no seal document in it");
	used = calloc((size_t) nseals, sizeof(bool));
	if (used == NULL)
		cannot(files[file], "out of memory");
}

/* ------------------------------------------------------------ exports */

/* The seal whose lines are being read. */
typedef struct Reading
{
	Place		place;
	int64_t		lines;			/* of this seal */
	const CasinoSeal *seal;		/* NULL: between seals */
	const CasinoLayout *layout; /* section, NULL: none yet */
	int			sections;		/* sections done */
	int64_t		rows;			/* of the section */
	CasinoMerkle tree;			/* of the section */
	CasinoBuffer key;			/* of the last row */
	CasinoBuffer next_key;
	bool		in_stream;
	CasinoStream stream;
	CasinoMerkle stream_tree;
	CasinoHash	before;			/* running hash before the stream */
	int64_t		next_entry_no;
	int64_t		last_seal_no;
} Reading;

static Reading reading;
static int64_t entries;
static int64_t rows;
static int64_t exported;

static void
finish_stream(void)
{
	CasinoHash	root;
	CasinoHash	hash;
	CasinoStream *stream = &reading.stream;

	if (!reading.in_stream)
		return;
	if (reading.next_entry_no != stream->last_entry_no + 1)
		refuse(reading.place, "entry %" PRId64 " of player %" PRId64 " is missing before it", reading.next_entry_no, stream->player_id);
	casino_merkle_root(sha256, &reading.stream_tree, &root);
	if (!casino_hash_equal(&root, &stream->root))
		refuse(reading.place, "the entries of player %" PRId64 " before it are not what was sealed", stream->player_id);
	stream->entries = (int64_t) reading.stream_tree.count;
	casino_merkle_node(sha256, &reading.before, &root, &stream->running);
	casino_stream_leaf(sha256, stream, &hash);
	casino_merkle_add(sha256, &reading.tree, &hash);
	reading.in_stream = false;
	regrade_player_end();
}

static void
finish_section(void)
{
	const CasinoSection *section;
	CasinoHash	root;

	finish_stream();
	if (reading.layout == NULL)
		return;
	section = casino_seal_section(reading.seal, reading.layout->section);
	if (section == NULL)
		refuse(reading.place, "the seal has no section %s, which ends before it", reading.layout->section);
	if (section->count != reading.rows)
		refuse(reading.place, "section %s, which ends before it, has %" PRId64 " rows, sealed were %" PRId64, section->name, reading.rows, section->count);
	if (strcmp(section->name, "ledger") == 0 && reading.tree.count != (uint64_t) reading.seal->players)
		refuse(reading.place, "the section ledger has %" PRIu64 " players, sealed were %" PRId64, reading.tree.count, reading.seal->players);
	casino_merkle_root(sha256, &reading.tree, &root);
	if (!casino_hash_equal(&root, &section->root))
		refuse(reading.place, "section %s, which ends before it, is not what was sealed", section->name);
	reading.sections++;
	reading.layout = NULL;
}

static void
begin_seal(const CasinoValue *values)
{
	if (reading.seal != NULL)
		refuse(reading.place, "a seal begins before the one before it has ended");
	if (values[0].presence != CASINO_PRESENT || values[1].presence != CASINO_PRESENT)
		refuse(reading.place, "it does not say of which seal it is");
	for (int i = 0; i < nseals; i++)
		if (seals[i].seal_no == values[0].number)
		{
			if (seals[i].day != values[1].number)
				refuse(reading.place, "seal %" PRId64 " is of another day", values[0].number);
			if (used[i])
				refuse(reading.place, "seal %" PRId64 " is there twice", values[0].number);
			used[i] = true;
			reading.seal = &seals[i];
		}
	if (reading.seal == NULL)
		refuse(reading.place, "there is no document of seal %" PRId64, values[0].number);
	if (reading.seal->seal_no < reading.last_seal_no)
		refuse(reading.place, "seal %" PRId64 " comes after seal %" PRId64, reading.seal->seal_no, reading.last_seal_no);
	reading.last_seal_no = reading.seal->seal_no;
	reading.lines = 1;
	reading.sections = 0;
	reading.layout = NULL;
	exported++;
}

static void
end_seal(const CasinoValue *values)
{
	finish_section();
	if (reading.sections != reading.seal->nsections)
		refuse(reading.place, "the export has %d sections, sealed were %d", reading.sections, reading.seal->nsections);
	if (values[0].presence != CASINO_PRESENT || values[0].number != reading.seal->seal_no)
		refuse(reading.place, "it ends another seal than has begun");
	if (values[1].presence != CASINO_PRESENT || values[1].number != reading.lines)
		refuse(reading.place, "it is line %" PRId64 " of the seal, and says that there are %" PRId64, reading.lines,
			   values[1].presence == CASINO_PRESENT ? values[1].number : 0);
	reading.seal = NULL;
	regrade_seal_end();
}

static void
begin_section(const CasinoLayout *layout)
{
	if (reading.layout != NULL && layout < reading.layout)
		refuse(reading.place, "section %s comes after section %s: lines were reordered", layout->section, reading.layout->section);
	finish_section();
	reading.layout = layout;
	reading.rows = 0;
	reading.tree.count = 0;
	reading.key.len = 0;
	reading.stream.player_id = INT64_MIN;
}

static void
begin_stream(const CasinoValue *values)
{
	static const CasinoLayout *ledger;

	if (ledger == NULL)
		ledger = casino_layout_find("ledger", 6);
	if (reading.layout != ledger)
		begin_section(ledger);
	finish_stream();
	for (int i = 0; i < 5; i++)
		if (values[i].presence != CASINO_PRESENT)
			refuse(reading.place, "it does not say whose entries follow");
	if (values[0].number <= reading.stream.player_id)
		refuse(reading.place, "player %" PRId64 " comes after player %" PRId64 ": lines were %s", values[0].number, reading.stream.player_id,
			   values[0].number == reading.stream.player_id ? "repeated" : "reordered");
	reading.stream.player_id = values[0].number;
	reading.stream.first_entry_no = values[1].number;
	reading.stream.last_entry_no = values[2].number;
	memcpy(&reading.before, values[3].text, CASINO_HASH_LEN);
	memcpy(&reading.stream.root, values[4].text, CASINO_HASH_LEN);
	reading.next_entry_no = values[1].number;
	reading.stream_tree.count = 0;
	reading.in_stream = true;
}

/* An entry comes in its place: no other player's, none missing, twice or before its turn. */
static void
check_entry_order(const CasinoValue *values)
{
	int64_t		entry_no = values[1].number;

	if (!reading.in_stream || values[0].presence != CASINO_PRESENT || values[1].presence != CASINO_PRESENT ||
		values[0].number != reading.stream.player_id)
		refuse(reading.place, "the entry is not of the player whose entries these are: lines were reordered or inserted");
	if (entry_no == reading.next_entry_no - 1 && entry_no >= reading.stream.first_entry_no)
		refuse(reading.place, "entry %" PRId64 " of player %" PRId64 " is there twice", entry_no, reading.stream.player_id);
	if (entry_no != reading.next_entry_no)
		refuse(reading.place, "entry %" PRId64 " of player %" PRId64 " stands where entry %" PRId64 " belongs: a line is missing or was reordered",
			   entry_no, reading.stream.player_id, reading.next_entry_no);
	if (entry_no > reading.stream.last_entry_no)
		refuse(reading.place, "entry %" PRId64 " of player %" PRId64 " is beyond those that were sealed", entry_no, reading.stream.player_id);
	reading.next_entry_no++;
}

/* Rows of other sections come by their keys. */
static void
check_row_order(const CasinoLayout *layout, const CasinoValue *values)
{
	CasinoBuffer swap;
	size_t		common;
	int			order;

	reading.next_key.len = 0;
	casino_line_key(&reading.next_key, layout, values);
	common = reading.key.len < reading.next_key.len ? reading.key.len : reading.next_key.len;
	order = common == 0 ? 0 : memcmp(reading.key.data, reading.next_key.data, common);
	if (order == 0)
		order = reading.key.len < reading.next_key.len ? -1 : reading.key.len > reading.next_key.len;
	if (reading.rows > 0 && order >= 0)
		refuse(reading.place, order == 0 ? "row %.*s of section %s is there twice" : "row %.*s of section %s comes too late: lines were reordered",
			   (int) reading.next_key.len, reading.next_key.data, layout->section);
	swap = reading.key;
	reading.key = reading.next_key;
	reading.next_key = swap;
}

static void
take_row(const CasinoLayout *layout, const CasinoValue *values, const uint8_t *mark)
{
	bool		ledger = layout->tag == 100;
	CasinoHash	hash;

	if (layout != reading.layout)
	{
		if (ledger)
			refuse(reading.place, "an entry stands before the line that says whose entries follow");
		begin_section(layout);
	}
	if (ledger)
		check_entry_order(values);
	else
		check_row_order(layout, values);
	leaf.len = 0;
	casino_leaf_put(&leaf, layout, values);
	if (leaf.failed)
		cannot(files[reading.place.file], "out of memory");
	casino_merkle_leaf(sha256, leaf.data, leaf.len, &hash);
	if (memcmp(hash.bytes, mark, CASINO_MARK_LEN) != 0)
		refuse(reading.place, "the row is not what was sealed");
	casino_merkle_add(sha256, ledger ? &reading.stream_tree : &reading.tree, &hash);
	reading.rows++;
	rows++;
	entries += ledger;
	regrade_row(layout, values, reading.place);
}

static void
take_line(const char *line, size_t len)
{
	const CasinoLayout *layout;
	CasinoValue values[CASINO_FIELDS_MAX];
	uint8_t		mark[CASINO_MARK_LEN];
	CasinoError error;

	if (!casino_line_read(line, len, &scratch, &layout, values, mark, &error))
		refuse(reading.place, "%s", error.detail);
	reading.lines++;
	if (layout->tag == 0 && strcmp(layout->section, "seal") == 0)
		begin_seal(values);
	else if (reading.seal == NULL)
		refuse(reading.place, "it stands outside of any seal");
	else if (layout->tag != 0)
		take_row(layout, values, mark);
	else if (strcmp(layout->section, "stream") == 0)
		begin_stream(values);
	else
		end_seal(values);
}

static void
read_export(int file)
{
	FILE	   *in = fopen(files[file], "rb");
	static char buffer[1 << 20];
	char	   *line = NULL;
	size_t		size = 0;
	ssize_t		len;

	if (in == NULL)
		cannot(files[file], strerror(errno));
	setvbuf(in, buffer, _IOFBF, sizeof(buffer));
	reading.place.file = file;
	reading.place.line = 0;
	while ((len = getline(&line, &size, in)) > 0)
	{
		reading.place.line++;
		if (line[len - 1] != '\n')
			refuse(reading.place, "the file ends in the middle of a line: it was cut off");
		take_line(line, (size_t) len - 1);
	}
	if (ferror(in))
		cannot(files[file], strerror(errno));
	fclose(in);
	free(line);
	if (reading.seal != NULL)
		refuse(reading.place, "the file ends before seal %" PRId64 " does: it was cut off", reading.seal->seal_no);
	if (reading.place.line == 0)
		refuse(reading.place, "the file is empty");
}

/* ------------------------------------------------------------ proofs */

static int
check_proof(int file)
{
	FILE	   *in = fopen(files[file], "rb");
	char	   *text = NULL;
	size_t		size = 0;
	ssize_t		len;
	Place		place = {file, 0};
	CasinoError error;

	if (in == NULL)
		cannot(files[file], strerror(errno));
	len = getdelim(&text, &size, EOF, in);
	if (len < 0)
		refuse(place, "the file is empty");
	fclose(in);
	for (int i = 0; i < nseals; i++)
	{
		if (casino_proof_verify(sha256, text, (size_t) len, &seals[i].root, &entry, &scratch, &leaf, &error))
		{
			printf("proved by seal %" PRId64 ": %s\n", seals[i].seal_no, entry.data);
			return 0;
		}
		if (strcmp(error.detail, "It is a proof of another seal.") != 0)
			refuse(place, "%s", error.detail);
	}
	refuse(place, "it is a proof of none of these seals");
}

int
main(int argc, char **argv)
{
	int64_t		unknown;
	int64_t		open;
	int64_t		graded;

	files = argv;
	scratch.grow = leaf.grow = entry.grow = reading.key.grow = reading.next_key.grow = realloc;
	if (argc == 2 && strcmp(argv[1], "--help") == 0)
	{
		fputs(usage, stdout);
		return 0;
	}
	if (argc == 4 && strcmp(argv[1], "--proof") == 0)
	{
		read_seals(3);
		return check_proof(2);
	}
	if (argc < 2 || argv[1][0] == '-')
	{
		fputs(usage, stderr);
		return CANNOT_TELL;
	}
	read_seals(1);
	regrade_init(refuse);
	for (int i = 2; i < argc; i++)
		read_export(i);
	graded = regrade_count(&unknown, &open);
	printf("%d seals follow from each other, %" PRId64 " of them are exported: %" PRId64 " rows, %" PRId64 " entries, %" PRId64 " wagers graded again",
		   nseals, exported, rows, entries, graded);
	if (open > 0)
		printf(", %" PRId64 " open", open);
	if (unknown > 0)
		printf(", %" PRId64 " not (their stakes or plans are in exports that were not given)", unknown);
	putchar('\n');
	return 0;
}
