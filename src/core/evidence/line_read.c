/*
 * line_read.c
 *	  Lines of an export, read: JSON as line_write.c writes it, and no other.
 */
#include "core/evidence/line.h"

#include <string.h>

#include "core/evidence/canonical_json.h"
#include "core/evidence/value_text.h"

typedef struct Reader
{
	const char *start;
	const char *at;
	const char *end;
	CasinoBuffer *scratch;
	const char *time_text;		/* the time read before, 27 characters; NULL: none */
	int64_t		time;
} Reader;

static inline bool
take(Reader *reader, const char *text, size_t len)
{
	if ((size_t) (reader->end - reader->at) < len || memcmp(reader->at, text, len) != 0)
		return false;
	reader->at += len;
	return true;
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

/*
 * How many of the eight characters at this place a string may contain as they are, up to the first that
 * it may not.
 */
static inline int
plain_of_eight(const char *at)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	const uint64_t tops = UINT64_C(0x8080808080808080);
	uint64_t	text;
	uint64_t	quote;
	uint64_t	backslash;
	uint64_t	found;

	memcpy(&text, at, 8);
	quote = text ^ ones * '"';
	backslash = text ^ ones * '\\';

	/*
	 * the top bit of each byte that is below 0x20 or became 0; a borrow may set higher ones, too, but none
	 * lower
	 */
	found = (((text - ones * 0x20) & ~text) | ((quote - ones) & ~quote) |
			 ((backslash - ones) & ~backslash)) & tops;
	return found == 0 ? 8 : __builtin_ctzll(found) / 8;
}
#else
static inline int
plain_of_eight(const char *at)
{
	return 0;
}
#endif

/* Go over what a string may contain as it is. */
static inline void
pass_plain(Reader *reader)
{
	const char *at = reader->at;

	while (reader->end - at >= 8)
	{
		int			plain = plain_of_eight(at);

		at += plain;
		if (plain < 8)
			break;
	}
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

/* length of 2026-11-20T19:00:00.000000Z */
#define TIME_LEN	27

/* A time.  Of the usual length it has no escapes when it is one; it often is the one before. */
static bool
read_time(Reader *reader, int64_t *time)
{
	const char *at = reader->at;
	const char *text;
	size_t		len;

	if (reader->end - at < TIME_LEN + 2 || at[0] != '"' || at[TIME_LEN + 1] != '"')
		return read_plain(reader, &text, &len) && casino_time_parse(text, len, time);
	if (reader->time_text != NULL && memcmp(reader->time_text, at + 1, TIME_LEN) == 0)
		*time = reader->time;
	else if (!casino_time_parse(at + 1, TIME_LEN, time))
		return read_plain(reader, &text, &len) && casino_time_parse(text, len, time);
	reader->time_text = at + 1;
	reader->time = *time;
	reader->at = at + TIME_LEN + 2;
	return true;
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
	value->numbers = NULL;
	value->bets = NULL;
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

/*
 * An array that is none of ours (NULL in it, several dimensions, another lower bound), as PostgreSQL
 * prints it?
 */
static bool
array_is_as_text(const char *text, size_t len)
{
	if (len < 2 || text[len - 1] != '}')
		return false;
	if (text[0] == '[' || (text[0] == '{' && text[1] == '{'))
		return true;
	for (size_t i = 1; text[0] == '{' && i + 4 < len; i++)
		if (memcmp(text + i, "NULL", 4) == 0)
			return true;
	return false;
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
				value->presence = CASINO_AS_TEXT;
				return read_plain(reader, &value->text, &value->len) &&
					casino_money_is_odd(value->text, value->len) &&
					take(reader, "}", 1);
			}
			return read_plain(reader, &text, &len) && casino_money_parse(text, len, &value->number);
		case CASINO_FIELD_TIME:
			return read_time(reader, &value->number);
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
			if (take(reader, "{\"odd\":", 7))
			{
				value->presence = CASINO_AS_TEXT;
				return read_plain(reader, &value->text, &value->len) &&
					array_is_as_text(value->text, value->len) &&
					take(reader, "}", 1);
			}
			return read_array(reader, type, value, offset);
		case CASINO_FIELD_JSON:
			value->text = reader->at;
			value->len = casino_canonical_json(reader->at, (size_t) (reader->end - reader->at),
											   reader->scratch);
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

/* ,"mark":"01234567" */
static bool
read_mark(Reader *reader, uint8_t *mark)
{
	return take(reader, ",\"mark\":\"", 9) && reader->end - reader->at > 2 * CASINO_MARK_LEN &&
		casino_hex_parse(reader->at, 2 * CASINO_MARK_LEN, mark) &&
		(reader->at += 2 * CASINO_MARK_LEN, take(reader, "\"", 1));
}

/*
 * Values that lie in the scratch buffer, by their offsets (SIZE_MAX: not there), now that it moves no
 * more.
 */
static void
point_into_scratch(const CasinoBuffer *scratch, const CasinoLayout *layout, const size_t *offsets,
				   CasinoValue *values)
{
	if (scratch->len == 0)
		return;
	for (int i = 0; i < layout->nfields; i++)
	{
		const char *at;

		if (values[i].presence == CASINO_NULL || offsets[i] == SIZE_MAX)
			continue;
		at = scratch->data + offsets[i];
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

/*
 * Where the name of the member begins that stands here, after a comma if it is not the first; the end
 * if none does.
 */
static inline const char *
next_name(const Reader *reader, int comma)
{
	const char *at = reader->at;

	if (reader->end - at < comma + 4 || (comma && at[0] != ',') || at[comma] != '"')
		return reader->end;
	return at + comma + 1;
}

/* memcmp() of short names, most of which are equal */
static inline bool
same_name(const char *a, const char *b, size_t len)
{
	uint64_t	eight[4];
	uint32_t	four[4];

	if (len >= 8 && len <= 16)
	{
		memcpy(&eight[0], a, 8);
		memcpy(&eight[1], b, 8);
		memcpy(&eight[2], a + len - 8, 8);
		memcpy(&eight[3], b + len - 8, 8);
		return eight[0] == eight[1] && eight[2] == eight[3];
	}
	if (len >= 4 && len < 8)
	{
		memcpy(&four[0], a, 4);
		memcpy(&four[1], b, 4);
		memcpy(&four[2], a + len - 4, 4);
		memcpy(&four[3], b + len - 4, 4);
		return four[0] == four[1] && four[2] == four[3];
	}
	return memcmp(a, b, len) == 0;
}

/* All members in the order of the layout. */
static bool
read_members(Reader *reader, const CasinoLayout *layout, CasinoValue *values, size_t *offsets)
{
	const char *name = next_name(reader, 0);
	char		letter = name < reader->end ? *name : '\0';

	for (int i = 0; i < layout->nfields; i++)
	{
		const CasinoField *field = &layout->fields[i];
		size_t		len = field->len;

		values[i].presence = CASINO_NULL;
		/* most fields are NULL: the first letter or the length tells */
		if (letter != field->name[0] || (size_t) (reader->end - name) <= len + 2 || name[len] != '"' ||
			name[len + 1] != ':' || !same_name(name, field->name, len))
			continue;
		reader->at = name + len + 2;
		if (!read_value(reader, field->type, &values[i], &offsets[i]))
			return false;
		name = next_name(reader, 1);
		letter = name < reader->end ? *name : '\0';
	}
	return true;
}

bool
casino_line_read(const char *line, size_t len, CasinoBuffer *scratch, const CasinoLayout **layout,
				 CasinoValue values[CASINO_FIELDS_MAX], uint8_t *mark, CasinoError *error)
{
	Reader		reader = {line, line, line + len, scratch, NULL, 0};
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
