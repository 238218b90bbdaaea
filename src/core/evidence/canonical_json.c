/*
 * canonical_json.c
 *	  Canonical JSON, read: what is not exactly what would be written is
 *	  refused, so that no two readers can take a document for different ones.
 */
#include "core/evidence/canonical_json.h"

#include <string.h>

#include "core/text.h"
#include "core/evidence/value_text.h"

/*
 * Length of a string with its quotation marks; escapes are \", \\ and \u00xx of control characters.  0: none
 * stands here.
 */
static size_t
string_length(const char *text, size_t len)
{
	if (len == 0 || text[0] != '"')
		return 0;
	for (size_t at = 1; at < len; at++)
	{
		uint8_t		byte[2];

		if ((unsigned char) text[at] < 0x20)
			return 0;
		if (text[at] == '"')
			return at + 1;
		if (text[at] != '\\')
			continue;
		if (++at == len)
			return 0;
		if (text[at] == '"' || text[at] == '\\')
			continue;
		if (text[at] != 'u' || len - at < 5 || !casino_hex_parse(text + at + 1, 4, byte) ||
			byte[0] != 0 || byte[1] == 0 || byte[1] >= 0x20)
			return 0;
		at += 4;
	}
	return 0;
}

/* A number as numeric prints it: no exponent, no leading zeros, no negative zero. */
static size_t
number_length(const char *text, size_t len)
{
	size_t		first = len > 0 && text[0] == '-';
	size_t		at = first;
	bool		nonzero = false;

	for (; at < len && casino_text_is_digit(text[at]); at++)
		nonzero |= text[at] != '0';
	if (at == first || (text[first] == '0' && at - first > 1))
		return 0;
	if (at < len && text[at] == '.')
	{
		size_t		point = at++;

		for (; at < len && casino_text_is_digit(text[at]); at++)
			nonzero |= text[at] != '0';
		if (at == point + 1)
			return 0;
	}
	return first == 0 || nonzero ? at : 0;
}

/* Next byte of a string's content, which is well formed; *at goes behind it. */
static unsigned char
next_byte(const char *text, size_t *at)
{
	uint8_t		byte[2];

	if (text[*at] != '\\')
		return (unsigned char) text[(*at)++];
	*at += 2;
	if (text[*at - 1] != 'u')
		return (unsigned char) text[*at - 1];
	(void) casino_hex_parse(text + *at, 4, byte);
	*at += 4;
	return byte[1];
}

static size_t
bytes_of(const char *text, size_t len)
{
	size_t		n = 0;

	for (size_t at = 0; at < len; n++)
		(void) next_byte(text, &at);
	return n;
}

/* Does name b come after name a, by length and then by bytes?  Both without quotation marks. */
static bool
comes_after(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t		a_bytes = bytes_of(a, a_len);
	size_t		b_bytes = bytes_of(b, b_len);
	size_t		i = 0;
	size_t		j = 0;

	if (a_bytes != b_bytes)
		return a_bytes < b_bytes;
	while (i < a_len && j < b_len)
	{
		unsigned char x = next_byte(a, &i);
		unsigned char y = next_byte(b, &j);

		if (x != y)
			return x < y;
	}
	return false;
}

/* An array or object that is open: an object's last name, NULL before the first. */
typedef struct Open
{
	bool		object;
	const char *name;
	size_t		name_len;
} Open;

typedef struct Walk
{
	const char *text;
	size_t		len;
	size_t		at;
	CasinoBuffer *open;
} Walk;

static bool
take(Walk *walk, char c)
{
	if (walk->at >= walk->len || walk->text[walk->at] != c)
		return false;
	walk->at++;
	return true;
}

/* The name of a member and its colon; names ascend. */
static bool
pass_name(Walk *walk, Open *top)
{
	const char *from = walk->text + walk->at;
	size_t		taken = string_length(from, walk->len - walk->at);

	if (taken == 0 || (top->name != NULL && !comes_after(top->name, top->name_len, from + 1, taken - 2)))
		return false;
	top->name = from + 1;
	top->name_len = taken - 2;
	walk->at += taken;
	return take(walk, ':');
}

/* A value that holds no others. */
static bool
pass_scalar(Walk *walk)
{
	static const struct
	{
		const char *word;
		size_t		len;
	}			words[] = {{"true", 4}, {"false", 5}, {"null", 4}};
	const char *from = walk->text + walk->at;
	size_t		left = walk->len - walk->at;
	size_t		taken = 0;

	if (left == 0)
		return false;
	if (*from == '"')
		taken = string_length(from, left);
	else if (*from == '-' || casino_text_is_digit(*from))
		taken = number_length(from, left);
	else
		for (int i = 0; i < 3; i++)
			if (left >= words[i].len && memcmp(from, words[i].word, words[i].len) == 0)
				taken = words[i].len;
	walk->at += taken;
	return taken > 0;
}

/*
 * Open what begins here; true when something has been opened, in which a value (or a first name) comes
 * next.
 */
static bool
open_next(Walk *walk, bool *failed)
{
	Open		top = {false, NULL, 0};

	top.object = walk->text[walk->at] == '{';
	walk->at++;
	if (take(walk, top.object ? '}' : ']'))
		return false;
	*failed = top.object && !pass_name(walk, &top);
	casino_buffer_put(walk->open, &top, sizeof(top));
	return true;
}

/* Close what ends here; false: there is a further value, or something is wrong. */
static bool
close_all(Walk *walk, size_t bottom, bool *failed)
{
	while (walk->open->len > bottom)
	{
		Open		top;

		memcpy(&top, walk->open->data + walk->open->len - sizeof(top), sizeof(top));
		if (take(walk, ','))
		{
			*failed = top.object && !pass_name(walk, &top);
			memcpy(walk->open->data + walk->open->len - sizeof(top), &top, sizeof(top));
			return false;
		}
		if (!take(walk, top.object ? '}' : ']'))
		{
			*failed = true;
			return false;
		}
		walk->open->len -= sizeof(top);
	}
	return true;
}

size_t
casino_canonical_json(const char *text, size_t len, CasinoBuffer *open)
{
	Walk		walk = {text, len, 0, open};
	size_t		bottom = open->len;
	bool		failed = false;

	for (;;)
	{
		if (walk.at >= len)
			failed = true;
		else if (text[walk.at] == '{' || text[walk.at] == '[')
		{
			if (open_next(&walk, &failed) && !failed && !open->failed)
				continue;
		}
		else
			failed = !pass_scalar(&walk);
		if (failed || open->failed || close_all(&walk, bottom, &failed))
			break;
		if (failed)
			break;
	}
	open->len = bottom;
	return failed || open->failed ? 0 : walk.at;
}

bool
casino_canonical_member(const char *json, size_t len, const char *name, const char **value, size_t *value_len)
{
	size_t		name_len = strlen(name);
	size_t		at = 1;

	if (len < 2 || json[0] != '{')
		return false;
	while (at < len && json[at] == '"')
	{
		size_t		taken = string_length(json + at, len - at);
		bool		found = taken == name_len + 2 && memcmp(json + at + 1, name, name_len) == 0;
		int			depth = 0;
		size_t		from = at + taken + 1;

		if (taken == 0)
			return false;
		/* the document is well formed: only strings may hide what opens and closes */
		for (at = from; at < len && (depth > 0 || (json[at] != ',' && json[at] != '}')); at++)
		{
			if (json[at] == '"')
			{
				taken = string_length(json + at, len - at);
				if (taken == 0)
					return false;
				at += taken - 1;
			}
			else if (json[at] == '{' || json[at] == '[')
				depth++;
			else if (json[at] == '}' || json[at] == ']')
				depth--;
		}
		if (found)
		{
			*value = json + from;
			*value_len = at - from;
			return true;
		}
		at++;
	}
	return false;
}
