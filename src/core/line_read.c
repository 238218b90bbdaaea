/*
 * line_read.c
 *	  Lines of an export, read: JSON as line_write.c writes it, and no other.
 */
#include "line.h"

#include <string.h>

#include "canonical_json.h"
#include "value_text.h"

typedef struct Reader
{
	const char *start;
	const char *at;
	const char *end;
	CasinoBuffer *scratch;
} Reader;

static inline bool
take(Reader *reader, const char *text, size_t len)
{
	if ((size_t) (reader->end - reader->at) < len || memcmp(reader->at, text, len) != 0)
		return false;
	reader->at += len;
	return true;
}

/* Go over what a string may contain as it is. */
static inline void
pass_plain(Reader *reader)
{
	const char *at = reader->at;

	while (at < reader->end && (unsigned char) *at >= 0x20 && *at != '"' && *at != '\\')
		at++;
	reader->at = at;
}

/* One character after a backslash, put into the scratch buffer. */
static bool
read_escape(Reader *reader)
{
	uint8_t		byte[2];

	if (take(reader, "\"", 1) || take(reader, "\\", 1))
		casino_buffer_put(reader->scratch, reader->at - 1, 1);
	else
	{
		if (!take(reader, "u", 1) || reader->end - reader->at < 4 || !casino_hex_parse(reader->at, 4, byte) ||
			byte[0] != 0 || byte[1] == 0 || byte[1] >= 0x20)
			return false;
		casino_buffer_put(reader->scratch, &byte[1], 1);
		reader->at += 4;
	}
	return true;
}

/* The rest of a string whose first escape stands here; "from" is where it begins. */
static bool
read_escaped(Reader *reader, const char *from, const char **text, size_t *len)
{
	size_t		offset = reader->scratch->len;

	for (;;)
	{
		casino_buffer_put(reader->scratch, from, (size_t) (reader->at - from));
		if (reader->at >= reader->end || (unsigned char) *reader->at < 0x20)
			return false;
		if (*reader->at++ == '"')
			break;
		if (!read_escape(reader))
			return false;
		from = reader->at;
		pass_plain(reader);
	}
	*len = reader->scratch->len - offset;
	/* the buffer may move: remembered as an offset until the line is read */
	*text = (const char *) (uintptr_t) offset;
	return !reader->scratch->failed;
}

/*
 * A string as casino_line_string() writes it.  With escapes it is put into the scratch buffer, as an offset:
 * see point_into_scratch().
 */
static bool
read_string(Reader *reader, const char **text, size_t *len, bool *in_scratch)
{
	const char *from;

	*in_scratch = false;
	if (!take(reader, "\"", 1))
		return false;
	from = reader->at;
	pass_plain(reader);
	if (reader->at >= reader->end)
		return false;
	if (*reader->at != '"')
	{
		*in_scratch = true;
		return read_escaped(reader, from, text, len);
	}
	*text = from;
	*len = (size_t) (reader->at++ - from);
	return true;
}

/* A string that has no escapes. */
static bool
read_plain(Reader *reader, const char **text, size_t *len)
{
	bool		in_scratch;

	return read_string(reader, text, len, &in_scratch) && !in_scratch;
}

static bool
read_int(Reader *reader, int64_t *number)
{
	size_t		taken = casino_int_scan(reader->at, (size_t) (reader->end - reader->at), number);

	reader->at += taken;
	return taken > 0;
}

/* A bet in its canonical text only. */
static bool
read_bet(Reader *reader, CasinoBet *bet)
{
	const char *text;
	size_t		len;
	char		again[CASINO_BET_TEXT_SIZE];
	CasinoError error;

	return read_plain(reader, &text, &len) && casino_bet_parse(text, len, bet, &error) &&
		casino_bet_print(bet, again) == len && memcmp(again, text, len) == 0;
}

static bool
read_hand(Reader *reader, CasinoHand *hand)
{
	const char *text;
	size_t		len;
	char		again[CASINO_HAND_TEXT_SIZE];
	CasinoError error;

	return read_plain(reader, &text, &len) && casino_hand_parse(text, len, hand, &error) &&
		casino_hand_print(hand, again) == len && memcmp(again, text, len) == 0;
}

/* An array, its elements put one after the other into the scratch buffer. */
static bool
read_array(Reader *reader, CasinoFieldType type, CasinoValue *value, size_t *offset)
{
	static const char zero[8];

	/* aligned for either */
	casino_buffer_put(reader->scratch, zero, (8 - reader->scratch->len % 8) % 8);
	*offset = reader->scratch->len;
	value->len = 0;
	if (!take(reader, "[", 1))
		return false;
	if (take(reader, "]", 1))
		return true;
	do
	{
		CasinoBet	bet;
		int64_t		number;

		if (type == CASINO_FIELD_INTS)
		{
			if (!read_int(reader, &number))
				return false;
			casino_buffer_put(reader->scratch, &number, sizeof(number));
		}
		else
		{
			memset(&bet, 0, sizeof(bet));
			if (!read_bet(reader, &bet))
				return false;
			casino_buffer_put(reader->scratch, &bet, sizeof(bet));
		}
		value->len++;
	} while (take(reader, ",", 1));
	return take(reader, "]", 1) && !reader->scratch->failed;
}

/* Value of one member; *offset: where in the scratch buffer it lies, SIZE_MAX if it does not. */
static bool
read_value(Reader *reader, CasinoFieldType type, CasinoValue *value, size_t *offset)
{
	const char *text;
	size_t		len;
	bool		in_scratch;
	uint8_t		hash[32];

	*offset = SIZE_MAX;
	value->presence = CASINO_PRESENT;

	/*
	 * only the one text of a value is taken; what is unpacked lies in the scratch buffer, which may move: an
	 * offset
	 */
	switch (type)
	{
		case CASINO_FIELD_INT:
			return read_int(reader, &value->number);
		case CASINO_FIELD_BOOL:
			value->number = reader->at < reader->end && *reader->at == 't';
			return value->number ? take(reader, "true", 4) : take(reader, "false", 5);
		case CASINO_FIELD_MONEY:
			if (take(reader, "{\"odd\":", 7))
			{
				value->presence = CASINO_NOT_MONEY;
				return read_plain(reader, &value->text, &value->len) && casino_money_is_odd(value->text, value->len) &&
					take(reader, "}", 1);
			}
			return read_plain(reader, &text, &len) && casino_money_parse(text, len, &value->number);
		case CASINO_FIELD_TIME:
			return read_plain(reader, &text, &len) && casino_time_parse(text, len, &value->number);
		case CASINO_FIELD_DATE:
			return read_plain(reader, &text, &len) && casino_day_parse(text, len, &value->number);
		case CASINO_FIELD_TEXT:
			if (!read_string(reader, &value->text, &value->len, &in_scratch))
				return false;
			if (in_scratch)
				*offset = (size_t) (uintptr_t) value->text;
			return true;
		case CASINO_FIELD_HASH:
			if (!read_plain(reader, &text, &len) || len != 64 || !casino_hex_parse(text, len, hash))
				return false;
			*offset = reader->scratch->len;
			value->len = sizeof(hash);
			casino_buffer_put(reader->scratch, hash, sizeof(hash));
			return !reader->scratch->failed;
		case CASINO_FIELD_BET:
			memset(&value->bet, 0, sizeof(value->bet));
			return read_bet(reader, &value->bet);
		case CASINO_FIELD_HAND:
			return read_hand(reader, &value->hand);
		case CASINO_FIELD_INTS:
		case CASINO_FIELD_BETS:
			return read_array(reader, type, value, offset);
		case CASINO_FIELD_JSON:
			value->text = reader->at;
			value->len = casino_canonical_json(reader->at, (size_t) (reader->end - reader->at), reader->scratch);
			reader->at += value->len;
			return value->len > 0;
	}
	return false;
}

static bool
wrong_form(const Reader *reader, CasinoError *error)
{
	return casino_fail(error, CASINO_MALFORMED, "It has not the form of an export at byte %zu.",
					   (size_t) (reader->at - reader->start) + 1);
}

/* {"section":{ */
static const CasinoLayout *
read_section(Reader *reader)
{
	const char *name;
	const CasinoLayout *layout;

	if (!take(reader, "{\"", 2))
		return NULL;
	name = reader->at;
	while (reader->at < reader->end && *reader->at != '"')
		reader->at++;
	layout = casino_layout_find(name, (size_t) (reader->at - name));
	if (layout == NULL)
	{
		reader->at = name;
		return NULL;
	}
	return take(reader, "\":{", 3) ? layout : NULL;
}

/* ,"mark":"0123456789abcdef" */
static bool
read_mark(Reader *reader, uint8_t *mark)
{
	const char *text;
	size_t		len;

	return take(reader, ",\"mark\":", 8) && read_plain(reader, &text, &len) && len == 2 * CASINO_MARK_LEN &&
		casino_hex_parse(text, len, mark);
}

/* Values that lie in the scratch buffer, by their offsets (SIZE_MAX: not there), now that it moves no more. */
static void
point_into_scratch(const CasinoBuffer *scratch, const CasinoLayout *layout, const size_t *offsets, CasinoValue *values)
{
	for (int i = 0; i < layout->nfields; i++)
	{
		const char *at;

		if (offsets[i] == SIZE_MAX)
			continue;
		at = scratch->data == NULL ? "" : scratch->data + offsets[i];
		switch (layout->fields[i].type)
		{
			case CASINO_FIELD_INTS:
				values[i].numbers = (const int64_t *) (const void *) at;
				break;
			case CASINO_FIELD_BETS:
				values[i].bets = (const CasinoBet *) (const void *) at;
				break;
			default:
				values[i].text = at;
		}
	}
}

/* All members in the order of the layout. */
static bool
read_members(Reader *reader, const CasinoLayout *layout, CasinoValue *values, size_t *offsets)
{
	bool		first = true;

	for (int i = 0; i < layout->nfields; i++)
	{
		const CasinoField *field = &layout->fields[i];
		size_t		name = field->len;
		const char *at = reader->at;

		values[i].presence = CASINO_NULL;
		offsets[i] = SIZE_MAX;
		/* most fields are NULL: the first letter tells */
		if ((size_t) (reader->end - at) <= name + 4)
			continue;
		at += !first;
		if (at[1] == field->name[0] && (first || at[-1] == ',') && at[0] == '"' &&
			memcmp(at + 1, field->name, name) == 0 && at[name + 1] == '"' && at[name + 2] == ':')
		{
			reader->at = at + name + 3;
			if (!read_value(reader, field->type, &values[i], &offsets[i]))
				return false;
			first = false;
		}
	}
	return true;
}

bool
casino_line_read(const char *line, size_t len, CasinoBuffer *scratch, const CasinoLayout **layout,
				 CasinoValue values[CASINO_FIELDS_MAX], uint8_t *mark, CasinoError *error)
{
	Reader		reader = {line, line, line + len, scratch};
	size_t		offsets[CASINO_FIELDS_MAX];

	scratch->len = 0;
	if (!casino_text_is_utf8(line, len))
		return casino_fail(error, CASINO_MALFORMED, "It is not UTF-8.");
	*layout = read_section(&reader);
	if (*layout == NULL || !read_members(&reader, *layout, values, offsets) ||
		!take(&reader, "}", 1) || (mark != NULL && (*layout)->tag != 0 && !read_mark(&reader, mark)) ||
		!take(&reader, "}", 1) || reader.at != reader.end)
		return wrong_form(&reader, error);
	if (scratch->failed)
		return casino_fail(error, CASINO_OUT_OF_RANGE, "There is no memory for it.");
	point_into_scratch(scratch, *layout, offsets, values);
	return true;
}
