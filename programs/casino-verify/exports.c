/*
 * exports.c
 *	  Exported days, held against their seals.
 */
#include "exports.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "documents.h"
#include "input.h"
#include "core/evidence/line.h"
#include "players.h"
#include "regrade.h"

static CasinoBuffer scratch = {NULL, 0, 0, false, realloc};
static CasinoBuffer leaf = {NULL, 0, 0, false, realloc};
static bool *used;				/* documents whose seals have been exported */

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
	int64_t		last_seal_no;	/* 0: none has been read */
	int64_t		since;			/* from this seal on each has been read */
} Reading;

static Reading reading = {.key = {NULL, 0, 0, false, realloc}, .next_key = {NULL, 0, 0, false, realloc}};
static Exported exported;

static void
finish_stream(void)
{
	CasinoHash	root;
	CasinoHash	hash;
	CasinoStream *stream = &reading.stream;

	if (!reading.in_stream)
		return;
	if (reading.next_entry_no != stream->last_entry_no + 1)
		refuse(reading.place, "entry %" PRId64 " of player %" PRId64 " is missing before it",
			   reading.next_entry_no, stream->player_id);
	casino_merkle_root(verify_sha256, &reading.stream_tree, &root);
	if (!casino_hash_equal(&root, &stream->root))
		refuse(reading.place, "the entries of player %" PRId64 " before it are not what was sealed",
			   stream->player_id);
	stream->entries = (int64_t) reading.stream_tree.count;
	casino_merkle_node(verify_sha256, &reading.before, &root, &stream->running);
	casino_stream_leaf(verify_sha256, stream, &hash);
	casino_merkle_add(verify_sha256, &reading.tree, &hash);
	reading.in_stream = false;
	players_end(stream);
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
		refuse(reading.place, "section %s, which ends before it, has %" PRId64 " rows, sealed were %"
			   PRId64, section->name, reading.rows, section->count);
	if (strcmp(section->name, "ledger") == 0 && reading.tree.count != (uint64_t) reading.seal->players)
		refuse(reading.place, "the section ledger has %" PRIu64 " players, sealed were %" PRId64,
			   reading.tree.count, reading.seal->players);
	casino_merkle_root(verify_sha256, &reading.tree, &root);
	if (!casino_hash_equal(&root, &section->root))
		refuse(reading.place, "section %s, which ends before it, is not what was sealed", section->name);
	reading.sections++;
	reading.layout = NULL;
}

/* Which seal it is: one with a document, and later than those before it. */
static void
begin_seal(const CasinoValue *values)
{
	int			n;
	int64_t		seal_no = values[0].number;

	if (reading.seal != NULL)
		refuse(reading.place, "a seal begins before the one before it has ended");
	if (values[0].presence != CASINO_PRESENT || values[1].presence != CASINO_PRESENT)
		refuse(reading.place, "it does not say of which seal it is");
	n = document_find(seal_no);
	if (n < 0)
		refuse(reading.place, "there is no document of seal %" PRId64, seal_no);
	if (document_at(n)->day != values[1].number)
		refuse(reading.place, "seal %" PRId64 " is of another day", seal_no);
	if (used[n])
		refuse(reading.place, "seal %" PRId64 " is there twice", seal_no);
	if (seal_no < reading.last_seal_no)
		refuse(reading.place, "seal %" PRId64 " comes after seal %" PRId64, seal_no, reading.last_seal_no);
	used[n] = true;
	exported.seals++;
	reading.seal = document_at(n);
	if (reading.last_seal_no != 0 && seal_no != reading.last_seal_no + 1)
		regrade_gap();
	if (reading.last_seal_no == 0 || seal_no != reading.last_seal_no + 1)
		reading.since = seal_no;
	reading.last_seal_no = seal_no;
	reading.lines = 1;
	reading.sections = 0;
	reading.layout = NULL;
	players_seal(seal_no, reading.since);
	regrade_seal(seal_no);
}

static void
end_seal(const CasinoValue *values)
{
	finish_section();
	if (reading.sections != reading.seal->nsections)
		refuse(reading.place, "the export has %d sections, sealed were %d", reading.sections,
			   reading.seal->nsections);
	if (values[0].presence != CASINO_PRESENT || values[0].number != reading.seal->seal_no)
		refuse(reading.place, "it ends another seal than has begun");
	if (values[1].presence != CASINO_PRESENT || values[1].number != reading.lines)
		refuse(reading.place, "it is line %" PRId64 " of the seal, and says that there are %" PRId64,
			   reading.lines,
			   values[1].presence == CASINO_PRESENT ? values[1].number : 0);
	reading.seal = NULL;
	regrade_seal_end();
}

static void
begin_section(const CasinoLayout *layout)
{
	if (reading.layout != NULL && layout < reading.layout)
		refuse(reading.place, "section %s comes after section %s: lines were reordered", layout->section,
			   reading.layout->section);
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
		refuse(reading.place, "player %" PRId64 " comes after player %" PRId64 ": lines were %s",
			   values[0].number, reading.stream.player_id,
			   values[0].number == reading.stream.player_id ? "repeated" : "reordered");
	reading.stream.player_id = values[0].number;
	if (values[1].number < 1 || values[2].number < values[1].number || values[2].number == INT64_MAX)
		refuse(reading.place, "entries %" PRId64 " to %" PRId64 " cannot be", values[1].number,
			   values[2].number);
	reading.stream.first_entry_no = values[1].number;
	reading.stream.last_entry_no = values[2].number;
	memcpy(&reading.before, values[3].text, CASINO_HASH_LEN);
	memcpy(&reading.stream.root, values[4].text, CASINO_HASH_LEN);
	reading.next_entry_no = values[1].number;
	reading.stream_tree.count = 0;
	reading.in_stream = true;
	players_begin(&reading.stream, &reading.before, reading.place);
}

/* An entry comes in its place: no other player's, none missing, twice or before its turn. */
static void
check_entry_order(const CasinoValue *values)
{
	int64_t		entry_no = values[1].number;

	if (!reading.in_stream || values[0].presence != CASINO_PRESENT || values[1].presence != CASINO_PRESENT ||
		values[0].number != reading.stream.player_id)
		refuse(reading.place, "the entry is not of the player whose entries these are: lines were "
			   "reordered or inserted");
	if (entry_no == reading.next_entry_no - 1 && entry_no >= reading.stream.first_entry_no)
		refuse(reading.place, "entry %" PRId64 " of player %" PRId64 " is there twice", entry_no,
			   reading.stream.player_id);
	if (entry_no != reading.next_entry_no)
		refuse(reading.place, "entry %" PRId64 " of player %" PRId64 " stands where entry %"
			   PRId64 " belongs: a line is missing or was reordered",
			   entry_no, reading.stream.player_id, reading.next_entry_no);
	if (entry_no > reading.stream.last_entry_no)
		refuse(reading.place, "entry %" PRId64 " of player %" PRId64 " is beyond those that were sealed",
			   entry_no, reading.stream.player_id);
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
		refuse(reading.place, order == 0 ? "row %.*s of section %s is there twice" :
			   "row %.*s of section %s comes too late: lines were reordered",
			   (int) reading.next_key.len, reading.next_key.data, layout->section);
	swap = reading.key;
	reading.key = reading.next_key;
	reading.next_key = swap;
}

static void
take_row(const CasinoLayout *layout, const CasinoValue *values, const uint8_t *mark)
{
	bool		ledger = layout->tag == CASINO_TAG_ENTRY;
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
		cannot(reading.place.file, "out of memory");
	casino_merkle_leaf(verify_sha256, leaf.data, leaf.len, &hash);
	if (memcmp(hash.bytes, mark, CASINO_MARK_LEN) != 0)
		refuse(reading.place, "the row is not what was sealed");
	casino_merkle_add(verify_sha256, ledger ? &reading.stream_tree : &reading.tree, &hash);
	reading.rows++;
	exported.rows++;
	exported.entries += ledger;
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

/* What was done to a file that is no export, where that can be told. */
static void
check_bytes(const char *line, size_t len)
{
	if (reading.place.line == 1 && len >= 3 && memcmp(line, "\xEF\xBB\xBF", 3) == 0)
		refuse(reading.place, "the file begins with a byte order mark: it was changed on its way");
	if (len > 0 && line[len - 1] == '\r')
		refuse(reading.place, "the line ends with a carriage return: the file was changed on its way");
}

void
exports_read(const char *file)
{
	Input		input;
	const char *line;
	size_t		len;
	bool		whole;

	if (used == NULL)
	{
		used = resize(NULL, (size_t) documents_count(), sizeof(bool));
		memset(used, 0, (size_t) documents_count() * sizeof(bool));
	}
	input_open(&input, file);
	while (input_line(&input, &line, &len, &whole))
	{
		reading.place = input.place;
		if (!whole)
			refuse(reading.place, "the file ends in the middle of a line: it was cut off");
		check_bytes(line, len);
		take_line(line, len);
	}
	reading.place = input.place;
	if (reading.seal != NULL)
		refuse(reading.place, "the file ends before seal %" PRId64 " does: it was cut off",
			   reading.seal->seal_no);
	if (input.place.line == 0)
		refuse(reading.place, "the file is empty");
	input_close(&input);
}

Exported
exports_count(void)
{
	return exported;
}

bool
exports_have(int document)
{
	return used != NULL && used[document];
}
