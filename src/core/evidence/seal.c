/*
 * seal.c
 *	  Roots of seals, seal documents and proofs.
 */
#include "core/evidence/seal.h"

#include <string.h>

#include "core/evidence/json_read.h"
#include "core/evidence/line.h"
#include "core/evidence/value_text.h"

/* Tags of leaves that are no rows (leaf.c has those of rows). */
#define TAG_STREAM	201
#define TAG_SECTION	202
#define TAG_HEADER	203
#define VERSION		1

typedef struct Bytes
{
	size_t		len;
	uint8_t		data[256];
} Bytes;

/* the longest of what is put into them: tag and version, then numbers of 8 bytes and hashes */
_Static_assert(2 + 1 + CASINO_SECTION_NAME_MAX + 8 + CASINO_HASH_LEN <= sizeof(((Bytes *) 0)->data),
			   "a section fits into its bytes");
_Static_assert(2 + 5 * 8 + 2 * CASINO_HASH_LEN <= sizeof(((Bytes *) 0)->data), "streams and headers do, too");
_Static_assert(CASINO_SECTION_NAME_MAX <= UINT8_MAX, "the length of a section's name is one byte");

static void
put(Bytes *bytes, const void *data, size_t len)
{
	memcpy(bytes->data + bytes->len, data, len);
	bytes->len += len;
}

static void
put_int(Bytes *bytes, int64_t number)
{
	for (int i = 7; i >= 0; i--)
		bytes->data[bytes->len++] = (uint8_t) ((uint64_t) number >> 8 * i);
}

static void
start(Bytes *bytes, uint8_t tag)
{
	bytes->data[0] = tag;
	bytes->data[1] = VERSION;
	bytes->len = 2;
}

void
casino_stream_leaf(CasinoSha256 sha256, const CasinoStream *stream, CasinoHash *leaf)
{
	Bytes		bytes;

	start(&bytes, TAG_STREAM);
	put_int(&bytes, stream->player_id);
	put_int(&bytes, stream->first_entry_no);
	put_int(&bytes, stream->last_entry_no);
	put_int(&bytes, stream->entries);
	put(&bytes, &stream->root, CASINO_HASH_LEN);
	put(&bytes, &stream->running, CASINO_HASH_LEN);
	casino_merkle_leaf(sha256, bytes.data, bytes.len, leaf);
}

static void
section_leaf(CasinoSha256 sha256, const CasinoSection *section, CasinoHash *leaf)
{
	Bytes		bytes;
	size_t		len = strlen(section->name);

	start(&bytes, TAG_SECTION);
	bytes.data[bytes.len++] = (uint8_t) len;
	put(&bytes, section->name, len);
	put_int(&bytes, section->count);
	put(&bytes, &section->root, CASINO_HASH_LEN);
	casino_merkle_leaf(sha256, bytes.data, bytes.len, leaf);
}

void
casino_seal_root(CasinoSha256 sha256, const CasinoSeal *seal, CasinoHash *root)
{
	CasinoMerkle tree;
	CasinoHash	leaf;
	Bytes		bytes;

	start(&bytes, TAG_HEADER);
	put_int(&bytes, seal->seal_no);
	put_int(&bytes, seal->day);
	put_int(&bytes, seal->sealed_at);
	put_int(&bytes, seal->entries);
	put_int(&bytes, seal->players);
	put(&bytes, &seal->previous, CASINO_HASH_LEN);
	casino_merkle_leaf(sha256, bytes.data, bytes.len, &leaf);
	tree.count = 0;
	casino_merkle_add(sha256, &tree, &leaf);
	for (int i = 0; i < seal->nsections; i++)
	{
		section_leaf(sha256, &seal->sections[i], &leaf);
		casino_merkle_add(sha256, &tree, &leaf);
	}
	casino_merkle_root(sha256, &tree, root);
}

const CasinoSection *
casino_seal_section(const CasinoSeal *seal, const char *name)
{
	for (int i = 0; i < seal->nsections; i++)
		if (strcmp(seal->sections[i].name, name) == 0)
			return &seal->sections[i];
	return NULL;
}

/* ------------------------------------------------------------ documents */

static bool
read_section_member(CasinoJson *json, int number, void *into)
{
	CasinoSection *section = into;
	size_t		len;

	switch (number)
	{
		case 0:
			return casino_json_string(json, section->name, sizeof(section->name), &len) && len > 0 &&
				strlen(section->name) == len;
		case 1:
			return casino_json_int(json, &section->count) && section->count > 0;
		default:
			return casino_json_hash(json, &section->root);
	}
}

static bool
read_sections(CasinoJson *json, CasinoSeal *seal)
{
	static const char *const names[] = {"section", "count", "root"};

	seal->nsections = 0;
	if (!casino_json_take(json, '['))
		return false;
	if (casino_json_take(json, ']'))
		return true;
	do
	{
		CasinoSection section;

		memset(&section, 0, sizeof(section));
		if (seal->nsections == CASINO_SECTIONS_MAX ||
			!casino_json_object(json, names, 3, read_section_member, &section) ||
			casino_seal_section(seal, section.name) != NULL)
			return false;
		seal->sections[seal->nsections++] = section;
	} while (casino_json_take(json, ','));
	return casino_json_take(json, ']');
}

static bool
read_seal_member(CasinoJson *json, int number, void *into)
{
	CasinoSeal *seal = into;
	char		text[CASINO_TIME_TEXT_SIZE];
	size_t		len;
	int64_t		version;

	switch (number)
	{
		case 0:
			return casino_json_int(json, &version) && version == VERSION;
		case 1:
			return casino_json_int(json, &seal->seal_no) && seal->seal_no > 0;
		case 2:
			return casino_json_string(json, text, sizeof(text), &len) &&
				casino_date_parse(text, len, &seal->day);
		case 3:
			return casino_json_string(json, text, sizeof(text), &len) &&
				casino_time_parse(text, len, &seal->sealed_at);
		case 4:
			return casino_json_int(json, &seal->entries) && seal->entries >= 0;
		case 5:
			return casino_json_int(json, &seal->players) && seal->players >= 0;
		case 6:
			return casino_json_hash(json, &seal->previous);
		case 7:
			return read_sections(json, seal);
		default:
			return casino_json_hash(json, &seal->root);
	}
}

static bool
read_seal(CasinoSha256 sha256, CasinoJson *json, CasinoSeal *seal, CasinoError *error)
{
	static const char *const names[] = {"version", "seal_no", "day", "sealed_at", "entries", "players",
		"previous",
	"sections", "root"};
	static const CasinoHash zero;
	CasinoHash	root;
	const CasinoSection *ledger;

	memset(seal, 0, sizeof(*seal));
	if (!casino_json_object(json, names, 9, read_seal_member, seal))
		return casino_fail(error, CASINO_MALFORMED, "It is not a seal document at byte %zu.",
						   (size_t) (json->at - json->start) + 1);
	ledger = casino_seal_section(seal, "ledger");
	if ((ledger == NULL ? 0 : ledger->count) != seal->entries || seal->players > seal->entries ||
		(seal->players == 0) != (seal->entries == 0))
		return casino_fail(error, CASINO_MALFORMED, "Its numbers of entries do not fit together.");
	if (casino_hash_equal(&seal->previous, &zero) != (seal->seal_no == 1))
		return casino_fail(error, CASINO_MALFORMED,
						   "The first seal follows none, and each other one follows one.");
	casino_seal_root(sha256, seal, &root);
	if (!casino_hash_equal(&root, &seal->root))
		return casino_fail(error, CASINO_MALFORMED, "Its root does not follow from what it says.");
	return true;
}

bool
casino_seal_read(CasinoSha256 sha256, const char *text, size_t len, CasinoSeal *seal, CasinoError *error)
{
	CasinoJson	json = {text, text, text + len};

	if (!read_seal(sha256, &json, seal, error))
		return false;
	if (!casino_json_end(&json))
		return casino_fail(error, CASINO_MALFORMED, "Something stands after the seal document.");
	return true;
}

/* ------------------------------------------------------------ proofs */

typedef struct Path
{
	int			length;
	CasinoHash	hashes[CASINO_PATH_MAX];
} Path;

/* An entry of the ledger is not longer: its texts are bounded by constraints. */
#define ENTRY_MAX	32768

typedef struct Proof
{
	CasinoSha256 sha256;
	CasinoError *error;
	bool		said;			/* *error is filled in */
	CasinoStream stream;
	Path		path;
	int64_t		stream_index;
	Path		stream_path;
	CasinoSeal	seal;
	size_t		entry_len;
	CasinoBuffer *entry;
} Proof;

static bool
read_path(CasinoJson *json, Path *path)
{
	path->length = 0;
	if (!casino_json_take(json, '['))
		return false;
	if (casino_json_take(json, ']'))
		return true;
	do
	{
		if (path->length == CASINO_PATH_MAX || !casino_json_hash(json, &path->hashes[path->length++]))
			return false;
	} while (casino_json_take(json, ','));
	return casino_json_take(json, ']');
}

static bool
read_stream_member(CasinoJson *json, int number, void *into)
{
	CasinoStream *stream = into;

	switch (number)
	{
		case 0:
			return casino_json_int(json, &stream->player_id);
		case 1:
			return casino_json_int(json, &stream->first_entry_no);
		case 2:
			return casino_json_int(json, &stream->last_entry_no);
		case 3:
			return casino_json_int(json, &stream->entries);
		case 4:
			return casino_json_hash(json, &stream->root);
		default:
			return casino_json_hash(json, &stream->running);
	}
}

static bool
read_proof_member(CasinoJson *json, int number, void *into)
{
	static const char *const stream[] = {"player_id", "first_entry_no", "last_entry_no", "entries", "root",
	"running"};
	Proof	   *proof = into;
	int64_t		version;

	switch (number)
	{
		case 0:
			return casino_json_int(json, &version) && version == VERSION;
		case 1:
			return casino_buffer_reserve(proof->entry, ENTRY_MAX) &&
				casino_json_string(json, proof->entry->data, ENTRY_MAX, &proof->entry_len);
		case 2:
			return casino_json_object(json, stream, 6, read_stream_member, &proof->stream);
		case 3:
			return read_path(json, &proof->path);
		case 4:
			return casino_json_int(json, &proof->stream_index);
		case 5:
			return read_path(json, &proof->stream_path);
		default:
			proof->said = !read_seal(proof->sha256, json, &proof->seal, proof->error);
			return !proof->said;
	}
}

/* Hash of the entry's leaf; the entry is a line of the ledger and of the stream. */
static bool
entry_leaf(Proof *proof, CasinoBuffer *scratch, CasinoBuffer *leaf, int64_t *entry_no, CasinoHash *hash)
{
	const CasinoLayout *layout;
	CasinoValue values[CASINO_FIELDS_MAX];

	if (!casino_line_read(proof->entry->data, proof->entry_len, scratch, &layout, values, NULL, proof->error))
		return false;
	if (strcmp(layout->section, "ledger") != 0 || values[0].presence != CASINO_PRESENT ||
		values[1].presence != CASINO_PRESENT)
		return casino_fail(proof->error, CASINO_MALFORMED, "What it proves is not an entry of the ledger.");
	if (values[0].number != proof->stream.player_id)
		return casino_fail(proof->error, CASINO_MALFORMED, "The entry is not of the player of the stream.");
	*entry_no = values[1].number;
	leaf->len = 0;
	casino_leaf_put(leaf, layout, values);
	if (leaf->failed)
		return casino_fail(proof->error, CASINO_OUT_OF_RANGE, "There is no memory for it.");
	casino_merkle_leaf(proof->sha256, leaf->data, leaf->len, hash);
	return true;
}

/* Entry -> stream -> section -> seal. */
static bool
check_proof(Proof *proof, CasinoBuffer *scratch, CasinoBuffer *leaf, int64_t *entry_no)
{
	const CasinoStream *stream = &proof->stream;
	const CasinoSection *ledger = casino_seal_section(&proof->seal, "ledger");
	CasinoHash	hash;

	if (ledger == NULL)
		return casino_fail(proof->error, CASINO_MALFORMED, "The seal has no entries.");
	if (stream->first_entry_no < 1 || stream->entries < 1 || stream->last_entry_no < stream->first_entry_no ||
		stream->last_entry_no - stream->first_entry_no != stream->entries - 1)
		return casino_fail(proof->error, CASINO_MALFORMED, "The numbers of the stream do not fit together.");
	if (!entry_leaf(proof, scratch, leaf, entry_no, &hash))
		return false;
	if (*entry_no < stream->first_entry_no || *entry_no > stream->last_entry_no)
		return casino_fail(proof->error, CASINO_MALFORMED, "The entry is not among those of the stream.");
	if (!casino_merkle_verify(proof->sha256, &hash, (uint64_t) (*entry_no - stream->first_entry_no),
							  (uint64_t) stream->entries, proof->path.hashes, proof->path.length,
							  &stream->root))
		return casino_fail(proof->error, CASINO_MALFORMED,
						   "The entry is not what the player's stream has at its place.");
	casino_stream_leaf(proof->sha256, stream, &hash);
	if (proof->stream_index < 0 ||
		!casino_merkle_verify(proof->sha256, &hash, (uint64_t) proof->stream_index,
							  (uint64_t) proof->seal.players,
							  proof->stream_path.hashes, proof->stream_path.length, &ledger->root))
		return casino_fail(proof->error, CASINO_MALFORMED, "The player's stream is not in the seal.");
	return true;
}

bool
casino_proof_verify(CasinoSha256 sha256, const char *text, size_t len, const CasinoHash *root,
					CasinoBuffer *entry, CasinoBuffer *scratch, CasinoBuffer *leaf, CasinoError *error)
{
	static const char *const names[] = {"version", "entry", "stream", "path", "stream_index", "stream_path",
	"seal"};
	CasinoJson	json = {text, text, text + len};
	Proof		proof;
	int64_t		entry_no = 0;

	memset(&proof, 0, sizeof(proof));
	proof.sha256 = sha256;
	proof.error = error;
	proof.entry = entry;
	if (!casino_json_object(&json, names, 7, read_proof_member, &proof) || !casino_json_end(&json))
	{
		if (!proof.said)
			casino_fail(error, CASINO_MALFORMED, "It is not a proof at byte %zu.",
						(size_t) (json.at - json.start) + 1);
	}
	else if (!casino_hash_equal(&proof.seal.root, root))
		casino_fail(error, CASINO_MALFORMED, "It is a proof of another seal.");
	else if (check_proof(&proof, scratch, leaf, &entry_no))
		return true;
	return false;
}

/* ------------------------------------------------------------ statements */

typedef struct Statement
{
	Proof		part;			/* of the part in hand; its path is that of an entry */
	CasinoStatement *with;
	CasinoBuffer *scratch;
	CasinoBuffer *leaf;
	CasinoJson	entries;		/* where those of the part begin */
	bool		check;			/* the second time: the entries are held against their stream */
	int64_t		player_id;
	int64_t		last_entry_no;
	int64_t		last_seal_no;
	int64_t		count;
} Statement;

/* The entry in hand is what the stream has at its place, and follows the one before it. */
static bool
check_statement_entry(Statement *statement)
{
	Proof	   *part = &statement->part;
	int64_t		entry_no = 0;

	if (!check_proof(part, statement->scratch, statement->leaf, &entry_no))
		return false;
	if (statement->count > 0 &&
		(part->stream.player_id != statement->player_id || entry_no != statement->last_entry_no + 1))
		return casino_fail(part->error, CASINO_MALFORMED,
						   "Entry %lld of player %lld does not follow entry %lld of player %lld.",
						   (long long) entry_no, (long long) part->stream.player_id,
						   (long long) statement->last_entry_no, (long long) statement->player_id);
	statement->player_id = part->stream.player_id;
	statement->last_entry_no = entry_no;
	statement->count++;
	if (statement->with->entry != NULL)
		statement->with->entry(part->entry->data, part->entry_len, statement->with->arg);
	return true;
}

static bool
read_entry_member(CasinoJson *json, int number, void *into)
{
	Statement  *statement = into;

	return number == 0 ? read_proof_member(json, 1, &statement->part) :
		read_path(json, &statement->part.path);
}

/* The entries of a part: read the first time, checked the second. */
static bool
read_entries(CasinoJson *json, Statement *statement)
{
	static const char *const names[] = {"entry", "path"};

	if (!casino_json_take(json, '['))
		return false;
	do
	{
		if (!casino_json_object(json, names, 2, read_entry_member, statement))
			return false;
		if (statement->check && !check_statement_entry(statement))
		{
			statement->part.said = true;
			return false;
		}
	} while (casino_json_take(json, ','));
	return casino_json_take(json, ']');
}

static bool
read_part_member(CasinoJson *json, int number, void *into)
{
	Statement  *statement = into;

	if (number == 0)
	{
		statement->entries = *json;
		statement->check = false;
		return read_entries(json, statement);
	}
	/* as in a proof: stream, stream_index, stream_path, seal */
	return read_proof_member(json, number == 1 ? 2 : number + 2, &statement->part);
}

static bool
read_parts(CasinoJson *json, Statement *statement)
{
	static const char *const names[] = {"entries", "stream", "stream_index", "stream_path", "seal"};
	Proof	   *part = &statement->part;

	if (!casino_json_take(json, '['))
		return false;
	do
	{
		if (!casino_json_object(json, names, 5, read_part_member, statement))
			return false;
		part->said = true;
		if (part->seal.seal_no <= statement->last_seal_no)
			return casino_fail(part->error, CASINO_MALFORMED, "Its seals are not in their order.");
		if (!statement->with->known(&part->seal.root, statement->with->arg))
			return casino_fail(part->error, CASINO_MALFORMED, "It is a statement under other seals.");
		part->said = false;
		statement->last_seal_no = part->seal.seal_no;
		statement->check = true;
		if (!read_entries(&statement->entries, statement))
			return false;
	} while (casino_json_take(json, ','));
	return casino_json_take(json, ']');
}

static bool
read_statement_member(CasinoJson *json, int number, void *into)
{
	int64_t		version;

	/* cppcheck-suppress legacyUninitvar; the call comes first */
	return number == 0 ? casino_json_int(json, &version) && version == VERSION : read_parts(json, into);
}

bool
casino_statement_verify(CasinoSha256 sha256, const char *text, size_t len, CasinoStatement *with,
						CasinoBuffer *entry, CasinoBuffer *scratch, CasinoBuffer *leaf, CasinoError *error)
{
	static const char *const names[] = {"version", "statement"};
	CasinoJson	json = {text, text, text + len};
	Statement	statement;

	memset(&statement, 0, sizeof(statement));
	statement.part.sha256 = sha256;
	statement.part.error = error;
	statement.part.entry = entry;
	statement.with = with;
	statement.scratch = scratch;
	statement.leaf = leaf;
	if (casino_json_object(&json, names, 2, read_statement_member, &statement) && casino_json_end(&json))
		return true;
	if (!statement.part.said)
		casino_fail(error, CASINO_MALFORMED, "It is not a statement at byte %zu.",
					(size_t) (json.at - json.start) + 1);
	return false;
}
