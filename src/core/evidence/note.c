/*
 * note.c
 *	  Signed notes with checkpoints, verifier keys, consistency proofs.
 */
#include "core/evidence/note.h"

#include <string.h>

#include "core/evidence/json_read.h"
#include "core/text.h"

#define VERSION	1

typedef struct Line
{
	const char *at;
	size_t		len;
} Line;

/* The next line without its end, which every line must have. */
static bool
take_line(const char **at, const char *end, Line *line)
{
	const char *stop = *at < end ? memchr(*at, '\n', (size_t) (end - *at)) : NULL;

	if (stop == NULL)
		return false;
	line->at = *at;
	line->len = (size_t) (stop - *at);
	*at = stop + 1;
	return true;
}

static int
base64_value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (casino_text_is_digit(c))
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* RFC 4648 section 4, padded; unused bits are zero.  Return the bytes written, -1 for any other text. */
static int
base64_read(const char *text, size_t len, uint8_t *bytes, size_t most)
{
	size_t		pad = len >= 1 && text[len - 1] == '=' ? len >= 2 && text[len - 2] == '=' ? 2 : 1 : 0;
	size_t		count = 0;
	unsigned	bits = 0;

	if (len == 0 || len % 4 != 0)
		return -1;
	for (size_t i = 0; i < len; i++)
	{
		int			value = i >= len - pad ? 0 : base64_value(text[i]);

		if (value < 0)
			return -1;
		bits = (bits << 6 | (unsigned) value) & 0xFFFFFF;
		if (i % 4 != 3)
			continue;
		for (int shift = 16; shift >= 0; shift -= 8)
		{
			uint8_t		byte = (uint8_t) (bits >> shift);

			if (i == len - 1 && shift < 8 * (int) pad)
			{
				if (byte != 0)
					return -1;
				continue;
			}
			if (count == most)
				return -1;
			bytes[count++] = byte;
		}
	}
	return (int) count;
}

/* The name of a log or of a key: printable ASCII without "+" and spaces. */
static bool
name_read(const char *text, size_t len, char name[CASINO_NOTE_NAME_MAX + 1])
{
	if (len == 0 || len > CASINO_NOTE_NAME_MAX)
		return false;
	for (size_t i = 0; i < len; i++)
		if (text[i] < '!' || text[i] > '~' || text[i] == '+')
			return false;
	memcpy(name, text, len);
	name[len] = '\0';
	return true;
}

static bool
size_read(Line line, uint64_t *size)
{
	uint64_t	number = 0;

	if (line.len == 0 || line.len > 18 || line.at[0] == '0')
		return false;
	for (size_t i = 0; i < line.len; i++)
	{
		if (!casino_text_is_digit(line.at[i]))
			return false;
		number = number * 10 + (uint64_t) (line.at[i] - '0');
	}
	*size = number;
	return true;
}

/* An em dash, a space, the name, a space, base64 of id and signature. */
static bool
signature_read(Line line, CasinoNoteSignature *signature)
{
	static const char dash[] = "\xE2\x80\x94 ";
	const size_t skip = sizeof(dash) - 1;
	uint8_t		bytes[sizeof(signature->id) + sizeof(signature->bytes)];
	const char *space;
	size_t		name;
	int			len;

	if (line.len <= skip || memcmp(line.at, dash, skip) != 0)
		return false;
	space = memchr(line.at + skip, ' ', line.len - skip);
	if (space == NULL)
		return false;
	name = (size_t) (space - line.at) - skip;
	len = base64_read(space + 1, line.len - skip - name - 1, bytes, sizeof(bytes));
	if (!name_read(line.at + skip, name, signature->name) || len <= (int) sizeof(signature->id))
		return false;
	memcpy(signature->id, bytes, sizeof(signature->id));
	signature->len = len - (int) sizeof(signature->id);
	memcpy(signature->bytes, bytes + sizeof(signature->id), (size_t) signature->len);
	return true;
}

bool
casino_checkpoint_read(const char *text, size_t len, CasinoCheckpoint *checkpoint, CasinoError *error)
{
	const char *at = text;
	const char *end = text + len;
	Line		line;

	memset(checkpoint, 0, sizeof(*checkpoint));
	if (!take_line(&at, end, &line) || !name_read(line.at, line.len, checkpoint->origin))
		return casino_fail(error, CASINO_MALFORMED, "Its first line is not the origin of a log.");
	if (!take_line(&at, end, &line) || !size_read(line, &checkpoint->size))
		return casino_fail(error, CASINO_MALFORMED, "Its second line is not the size of a log.");
	if (!take_line(&at, end, &line) ||
		base64_read(line.at, line.len, checkpoint->root.bytes, CASINO_HASH_LEN) != CASINO_HASH_LEN)
		return casino_fail(error, CASINO_MALFORMED, "Its third line is not a root.");
	/* lines of an extension may follow; they are signed too */
	do
	{
		checkpoint->body = (size_t) (at - text);
		if (!take_line(&at, end, &line))
			return casino_fail(error, CASINO_MALFORMED,
							   "An empty line and a signature must follow the text.");
	} while (line.len > 0);
	while (at < end)
	{
		if (checkpoint->nsignatures == CASINO_NOTE_SIGNATURES_MAX)
			return casino_fail(error, CASINO_OUT_OF_RANGE, "It has more than %d signatures.",
							   CASINO_NOTE_SIGNATURES_MAX);
		if (!take_line(&at, end, &line) ||
			!signature_read(line, &checkpoint->signatures[checkpoint->nsignatures]))
			return casino_fail(error, CASINO_MALFORMED, "Line %d of its signatures is not one.",
							   checkpoint->nsignatures + 1);
		checkpoint->nsignatures++;
	}
	if (checkpoint->nsignatures == 0)
		return casino_fail(error, CASINO_MALFORMED, "It is not signed.");
	return true;
}

static int
hex_value(char c)
{
	return casino_text_is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Id: the first bytes of SHA-256(name, line end, algorithm and key). */
bool
casino_note_key_read(CasinoSha256 sha256, const char *text, size_t len, CasinoNoteKey *key,
					 CasinoError *error)
{
	const char *plus = len > 0 ? memchr(text, '+', len) : NULL;
	size_t		name = plus == NULL ? 0 : (size_t) (plus - text);
	uint8_t		bytes[1 + CASINO_ED25519_KEY];
	uint8_t		named[CASINO_NOTE_NAME_MAX + 1 + sizeof(bytes)];
	CasinoHash	hash;

	memset(key, 0, sizeof(*key));
	if (plus == NULL || !name_read(text, name, key->name) || len < name + 11 || plus[9] != '+')
		return casino_fail(error, CASINO_MALFORMED, "It is not a verifier key, NAME+ID+KEY.");
	for (int i = 0; i < 8; i++)
	{
		int			value = hex_value(plus[1 + i]);

		if (value < 0)
			return casino_fail(error, CASINO_MALFORMED, "The id of the key is not eight hexadecimal digits.");
		key->id[i / 2] = (uint8_t) (key->id[i / 2] << 4 | value);
	}
	if (base64_read(plus + 10, len - name - 10, bytes, sizeof(bytes)) != (int) sizeof(bytes) ||
		(bytes[0] != CASINO_NOTE_ED25519 && bytes[0] != CASINO_NOTE_COSIGNATURE))
		return casino_fail(error, CASINO_MALFORMED,
						   "The key is not one of Ed25519 for notes or cosignatures.");
	memcpy(named, text, name);
	named[name] = '\n';
	memcpy(named + name + 1, bytes, sizeof(bytes));
	sha256(-1, named, name + 1 + sizeof(bytes), &hash);
	if (memcmp(hash.bytes, key->id, sizeof(key->id)) != 0)
		return casino_fail(error, CASINO_MALFORMED, "The id of the key is not that of its name and bytes.");
	key->algorithm = bytes[0];
	memcpy(key->key, bytes + 1, CASINO_ED25519_KEY);
	return true;
}

static bool
read_path(CasinoJson *json, CasinoConsistency *proof)
{
	if (!casino_json_take(json, '['))
		return false;
	if (casino_json_take(json, ']'))
		return true;
	do
	{
		if (proof->length == CASINO_PATH_MAX + 1 || !casino_json_hash(json, &proof->path[proof->length]))
			return false;
		proof->length++;
	} while (casino_json_take(json, ','));
	return casino_json_take(json, ']');
}

static bool
read_number(CasinoJson *json, uint64_t *into)
{
	int64_t		number;

	if (!casino_json_int(json, &number) || number < 1)
		return false;
	*into = (uint64_t) number;
	return true;
}

static bool
read_consistency_member(CasinoJson *json, int number, void *into)
{
	CasinoConsistency *proof = into;
	int64_t		version;

	switch (number)
	{
		case 0:
			return casino_json_int(json, &version) && version == VERSION;
		case 1:
			return read_number(json, &proof->from);
		case 2:
			return read_number(json, &proof->to);
		case 3:
			return casino_json_hash(json, &proof->from_root);
		case 4:
			return casino_json_hash(json, &proof->to_root);
		default:
			return read_path(json, proof);
	}
}

bool
casino_consistency_read(const char *text, size_t len, CasinoConsistency *proof, CasinoError *error)
{
	static const char *const names[] = {"version", "from_seal", "to_seal", "from_root", "to_root", "path"};
	CasinoJson	json = {text, text, text + len};

	memset(proof, 0, sizeof(*proof));
	if (!casino_json_object(&json, names, 6, read_consistency_member, proof) || !casino_json_end(&json))
		return casino_fail(error, CASINO_MALFORMED, "It is not a consistency proof at byte %zu.",
						   (size_t) (json.at - json.start) + 1);
	return true;
}
