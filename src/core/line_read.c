/*
 * line_read.c
 *	  Lines of an export, written and read.
 */
#include "line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

#define USECS_PER_SEC	INT64_C(1000000)
#define USECS_PER_DAY	(INT64_C(86400) * USECS_PER_SEC)
#define DAYS_TO_2000	INT64_C(730425)		/* from 0000-03-01 */
#define NESTING_MAX		64

/* ------------------------------------------------------------ calendar */

/* Year, month and day of a day since 2000-01-01, of the Gregorian calendar. */
static void
civil_of(int64_t day, int64_t *year, int *month, int *mday)
{
	int64_t		z = day + DAYS_TO_2000;
	int64_t		era = (z >= 0 ? z : z - 146096) / 146097;
	int64_t		doe = z - era * 146097;
	int64_t		yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	int64_t		doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	int			mp = (int) ((5 * doy + 2) / 153);

	*mday = (int) (doy - (153 * mp + 2) / 5) + 1;
	*month = mp < 10 ? mp + 3 : mp - 9;
	*year = yoe + era * 400 + (*month <= 2);
}

static int64_t
day_of(int year, int month, int mday)
{
	int64_t		y = year - (month <= 2);
	int64_t		era = y / 400;
	int64_t		yoe = y - era * 400;
	int64_t		doy = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + mday - 1;

	return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - DAYS_TO_2000;
}

static void
print_digits(char *at, int digits, int64_t value)
{
	while (digits-- > 0)
	{
		at[digits] = (char) ('0' + value % 10);
		value /= 10;
	}
}

static bool
parse_digits(const char *at, int digits, int *value)
{
	int			v = 0;

	for (int i = 0; i < digits; i++)
	{
		if (!casino_text_is_digit(at[i]))
			return false;
		v = v * 10 + (at[i] - '0');
	}
	*value = v;
	return true;
}

bool
casino_date_print(int64_t day, char text[11])
{
	int64_t		year;
	int			month;
	int			mday;

	/* 0001-01-01 to 9999-12-31 */
	if (day < -730119 || day > 2921939)
		return false;
	civil_of(day, &year, &month, &mday);
	memcpy(text, "0000-00-00", 11);
	print_digits(text, 4, year);
	print_digits(text + 5, 2, month);
	print_digits(text + 8, 2, mday);
	return true;
}

bool
casino_date_parse(const char *text, size_t len, int64_t *day)
{
	int			year;
	int			month;
	int			mday;
	char		again[11];

	if (len != 10 || !parse_digits(text, 4, &year) || text[4] != '-' || !parse_digits(text + 5, 2, &month) ||
		text[7] != '-' || !parse_digits(text + 8, 2, &mday) || year < 1 || month < 1 || month > 12 || mday < 1 || mday > 31)
		return false;
	*day = day_of(year, month, mday);
	/* the 31st of a month of thirty */
	return mday <= 28 || (casino_date_print(*day, again) && memcmp(again, text, 10) == 0);
}

size_t
casino_time_print(int64_t time, char text[CASINO_TIME_TEXT_SIZE])
{
	int64_t		day = time / USECS_PER_DAY - (time % USECS_PER_DAY < 0);
	int64_t		rest;

	if (time == CASINO_TIME_INFINITY || time == CASINO_TIME_MINUS_INFINITY)
		return (size_t) snprintf(text, CASINO_TIME_TEXT_SIZE, "%sinfinity", time < 0 ? "-" : "");
	if (!casino_date_print(day, text))
		return (size_t) snprintf(text, CASINO_TIME_TEXT_SIZE, "@%" PRId64, time);
	rest = time - day * USECS_PER_DAY;
	memcpy(text + 10, "T00:00:00.000000Z", 18);
	print_digits(text + 20, 6, rest % USECS_PER_SEC);
	rest /= USECS_PER_SEC;
	print_digits(text + 17, 2, rest % 60);
	print_digits(text + 14, 2, rest / 60 % 60);
	print_digits(text + 11, 2, rest / 3600);
	return 27;
}

/* A whole number without sign of plus, leading zeros, "-0" and overflow; returns the bytes taken, 0 for none. */
static size_t
scan_int(const char *text, size_t len, int64_t *number)
{
	bool		negative = len > 0 && text[0] == '-';
	size_t		at = negative;
	uint64_t	value = 0;
	uint64_t	most = (uint64_t) INT64_MAX + negative;

	if (at >= len || !casino_text_is_digit(text[at]) ||
		(text[at] == '0' && (negative || (at + 1 < len && casino_text_is_digit(text[at + 1])))))
		return 0;
	for (; at < len && casino_text_is_digit(text[at]); at++)
	{
		unsigned	digit = (unsigned) (text[at] - '0');

		if (value > (most - digit) / 10)
			return 0;
		value = value * 10 + digit;
	}
	*number = negative ? (int64_t) (0 - value) : (int64_t) value;
	return at;
}

bool
casino_time_parse(const char *text, size_t len, int64_t *time)
{
	int			hour;
	int			minute;
	int			second;
	int			usec;
	int64_t		day;
	char		again[CASINO_TIME_TEXT_SIZE];

	if (len == 8 && memcmp(text, "infinity", 8) == 0)
		*time = CASINO_TIME_INFINITY;
	else if (len == 9 && memcmp(text, "-infinity", 9) == 0)
		*time = CASINO_TIME_MINUS_INFINITY;
	else if (len > 1 && text[0] == '@')
		return scan_int(text + 1, len - 1, time) == len - 1 &&
			casino_time_print(*time, again) == len && memcmp(again, text, len) == 0;
	else
	{
		if (len != 27 || !casino_date_parse(text, 10, &day) || text[10] != 'T' || text[13] != ':' || text[16] != ':' ||
			text[19] != '.' || text[26] != 'Z' ||
			!parse_digits(text + 11, 2, &hour) || !parse_digits(text + 14, 2, &minute) ||
			!parse_digits(text + 17, 2, &second) || !parse_digits(text + 20, 6, &usec) ||
			hour > 23 || minute > 59 || second > 59)
			return false;
		*time = day * USECS_PER_DAY + ((hour * INT64_C(60) + minute) * 60 + second) * USECS_PER_SEC + usec;
	}
	return true;
}

size_t
casino_money_print(int64_t halere, char text[CASINO_MONEY_TEXT_SIZE])
{
	uint64_t	size = halere < 0 ? 0 - (uint64_t) halere : (uint64_t) halere;

	return (size_t) snprintf(text, CASINO_MONEY_TEXT_SIZE, "%s%" PRIu64 ".%02d", halere < 0 ? "-" : "", size / 100,
							 (int) (size % 100));
}

/* The same text back: digits, a point, two digits. */
static bool
money_parse(const char *text, size_t len, int64_t *halere)
{
	bool		negative = len > 0 && text[0] == '-';
	uint64_t	value = 0;
	uint64_t	most = (uint64_t) INT64_MAX + negative;
	size_t		first = negative;

	if (len < first + 4 || text[len - 3] != '.' || (text[first] == '0' && len != first + 4))
		return false;
	for (size_t i = first; i < len; i++)
	{
		if (i == len - 3)
			continue;
		if (!casino_text_is_digit(text[i]) || value > (most - (unsigned) (text[i] - '0')) / 10)
			return false;
		value = value * 10 + (unsigned) (text[i] - '0');
	}
	*halere = negative ? (int64_t) (0 - value) : (int64_t) value;
	return !negative || value != 0;
}

void
casino_hex_print(const void *bytes, size_t len, char *text)
{
	static const char digits[] = "0123456789abcdef";
	const uint8_t *at = bytes;

	for (size_t i = 0; i < len; i++)
	{
		*text++ = digits[at[i] >> 4];
		*text++ = digits[at[i] & 15];
	}
	*text = '\0';
}

bool
casino_hex_parse(const char *text, size_t len, uint8_t *bytes)
{
	for (size_t i = 0; i < len; i++)
	{
		int			digit;

		if (casino_text_is_digit(text[i]))
			digit = text[i] - '0';
		else if (text[i] >= 'a' && text[i] <= 'f')
			digit = text[i] - 'a' + 10;
		else
			return false;
		bytes[i / 2] = (uint8_t) (i % 2 == 0 ? digit << 4 : bytes[i / 2] | digit);
	}
	return len % 2 == 0;
}

/* ------------------------------------------------------------ writing */

static void
put_text(CasinoBuffer *buffer, const char *text)
{
	casino_buffer_put(buffer, text, strlen(text));
}

void
casino_line_string(CasinoBuffer *buffer, const char *text, size_t len)
{
	put_text(buffer, "\"");
	for (size_t from = 0; from < len;)
	{
		size_t		to = from;
		char		escape[8];

		while (to < len && (unsigned char) text[to] >= 0x20 && text[to] != '"' && text[to] != '\\')
			to++;
		casino_buffer_put(buffer, text + from, to - from);
		if (to < len)
		{
			if (text[to] == '"' || text[to] == '\\')
				snprintf(escape, sizeof(escape), "\\%c", text[to]);
			else
				snprintf(escape, sizeof(escape), "\\u%04x", (unsigned char) text[to]);
			put_text(buffer, escape);
			to++;
		}
		from = to;
	}
	put_text(buffer, "\"");
}

static void
write_int(CasinoBuffer *buffer, int64_t number)
{
	char		text[24];

	snprintf(text, sizeof(text), "%" PRId64, number);
	put_text(buffer, text);
}

static void
write_bet(CasinoBuffer *buffer, const CasinoBet *bet)
{
	char		text[CASINO_BET_TEXT_SIZE];
	size_t		len = casino_bet_print(bet, text);

	casino_line_string(buffer, text, len);
}

/* A date; "@" and days for years that have not four digits. */
static size_t
print_day(int64_t day, char *text)
{
	return casino_date_print(day, text) ? 10 : (size_t) snprintf(text, CASINO_TIME_TEXT_SIZE, "@%" PRId64, day);
}

static void
write_value(CasinoBuffer *buffer, CasinoFieldType type, const CasinoValue *value)
{
	char		text[CASINO_HAND_TEXT_SIZE + CASINO_MONEY_TEXT_SIZE + 2 * 32];
	size_t		len;

	if (value->presence == CASINO_NOT_MONEY)
	{
		put_text(buffer, "{\"odd\":");
		casino_line_string(buffer, value->text, value->len);
		put_text(buffer, "}");
		return;
	}
	switch (type)
	{
		case CASINO_FIELD_INT:
			write_int(buffer, value->number);
			break;
		case CASINO_FIELD_BOOL:
			put_text(buffer, value->number != 0 ? "true" : "false");
			break;
		case CASINO_FIELD_MONEY:
			len = casino_money_print(value->number, text);
			casino_line_string(buffer, text, len);
			break;
		case CASINO_FIELD_TIME:
			len = casino_time_print(value->number, text);
			casino_line_string(buffer, text, len);
			break;
		case CASINO_FIELD_DATE:
			casino_line_string(buffer, text, print_day(value->number, text));
			break;
		case CASINO_FIELD_TEXT:
			casino_line_string(buffer, value->text, value->len);
			break;
		case CASINO_FIELD_HASH:
			casino_hex_print(value->text, 32, text);
			casino_line_string(buffer, text, 64);
			break;
		case CASINO_FIELD_BET:
			write_bet(buffer, &value->bet);
			break;
		case CASINO_FIELD_HAND:
			len = casino_hand_print(&value->hand, text);
			casino_line_string(buffer, text, len);
			break;
		case CASINO_FIELD_INTS:
		case CASINO_FIELD_BETS:
			put_text(buffer, "[");
			for (size_t i = 0; i < value->len; i++)
			{
				if (i > 0)
					put_text(buffer, ",");
				if (type == CASINO_FIELD_INTS)
					write_int(buffer, value->numbers[i]);
				else
					write_bet(buffer, &value->bets[i]);
			}
			put_text(buffer, "]");
			break;
		case CASINO_FIELD_JSON:
			casino_buffer_put(buffer, value->text, value->len);
			break;
	}
}

void
casino_line_write(CasinoBuffer *buffer, const CasinoLayout *layout, const CasinoValue *values)
{
	bool		first = true;

	put_text(buffer, "{\"");
	put_text(buffer, layout->section);
	put_text(buffer, "\":{");
	for (int i = 0; i < layout->nfields; i++)
	{
		if (values[i].presence == CASINO_NULL)
			continue;
		put_text(buffer, first ? "\"" : ",\"");
		put_text(buffer, layout->fields[i].name);
		put_text(buffer, "\":");
		write_value(buffer, layout->fields[i].type, &values[i]);
		first = false;
	}
	put_text(buffer, "}}");
}

void
casino_line_key(CasinoBuffer *buffer, const CasinoLayout *layout, const CasinoValue *values)
{
	bool		first = true;

	for (int i = 0; i < layout->nfields; i++)
	{
		char		text[CASINO_TIME_TEXT_SIZE];

		if (!layout->fields[i].is_key)
			continue;
		if (!first)
			put_text(buffer, "/");
		first = false;
		if (values[i].presence != CASINO_PRESENT)
			put_text(buffer, "?");
		else if (layout->fields[i].type == CASINO_FIELD_INT)
			write_int(buffer, values[i].number);
		else if (layout->fields[i].type == CASINO_FIELD_TIME)
			casino_buffer_put(buffer, text, casino_time_print(values[i].number, text));
		else if (layout->fields[i].type == CASINO_FIELD_DATE)
			casino_buffer_put(buffer, text, print_day(values[i].number, text));
		else
			casino_buffer_put(buffer, values[i].text, values[i].len);
	}
}

/* ------------------------------------------------------------ reading */

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

/* A string as casino_line_string() writes it.  With escapes it is put into the scratch buffer as offset, see settle(). */
static bool
read_string(Reader *reader, const char **text, size_t *len, bool *in_scratch)
{
	const char *from;

	*in_scratch = false;
	if (!take(reader, "\"", 1))
		return false;
	from = reader->at;
	while (reader->at < reader->end && (unsigned char) *reader->at >= 0x20 && *reader->at != '"' && *reader->at != '\\')
		reader->at++;
	if (reader->at >= reader->end)
		return false;
	if (*reader->at == '"')
	{
		*text = from;
		*len = (size_t) (reader->at++ - from);
		return true;
	}
	{
		size_t		offset = reader->scratch->len;

		for (;;)
		{
			uint8_t		byte[2];

			casino_buffer_put(reader->scratch, from, (size_t) (reader->at - from));
			if (reader->at >= reader->end || (unsigned char) *reader->at < 0x20)
				return false;
			if (*reader->at++ == '"')
				break;
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
			from = reader->at;
			while (reader->at < reader->end && (unsigned char) *reader->at >= 0x20 && *reader->at != '"' && *reader->at != '\\')
				reader->at++;
		}
		*in_scratch = true;
		*len = reader->scratch->len - offset;
		/* the buffer may move: remembered as an offset until the line is read */
		*text = (const char *) (uintptr_t) offset;
		return !reader->scratch->failed;
	}
}

/* Skip any JSON value without white space. */
static bool
skip_json(Reader *reader, int depth)
{
	const char *text;
	size_t		len;
	bool		in_scratch;
	size_t		scratch = reader->scratch->len;

	if (reader->at >= reader->end || depth > NESTING_MAX)
		return false;
	switch (*reader->at)
	{
		case '"':
			if (!read_string(reader, &text, &len, &in_scratch))
				return false;
			reader->scratch->len = scratch;
			return true;
		case 't':
			return take(reader, "true", 4);
		case 'f':
			return take(reader, "false", 5);
		case 'n':
			return take(reader, "null", 4);
		case '[':
			reader->at++;
			if (take(reader, "]", 1))
				return true;
			do
			{
				if (!skip_json(reader, depth + 1))
					return false;
			} while (take(reader, ",", 1));
			return take(reader, "]", 1);
		case '{':
			reader->at++;
			if (take(reader, "}", 1))
				return true;
			do
			{
				if (!read_string(reader, &text, &len, &in_scratch) || !take(reader, ":", 1) || !skip_json(reader, depth + 1))
					return false;
				reader->scratch->len = scratch;
			} while (take(reader, ",", 1));
			return take(reader, "}", 1);
		default:
			{
				const char *from = reader->at;

				take(reader, "-", 1);
				while (reader->at < reader->end && casino_text_is_digit(*reader->at))
					reader->at++;
				if (reader->at == from || !casino_text_is_digit(reader->at[-1]))
					return false;
				if (take(reader, ".", 1))
				{
					while (reader->at < reader->end && casino_text_is_digit(*reader->at))
						reader->at++;
					return casino_text_is_digit(reader->at[-1]);
				}
				return true;
			}
	}
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
	size_t		taken = scan_int(reader->at, (size_t) (reader->end - reader->at), number);

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
	char		again[11];

	*offset = SIZE_MAX;
	value->presence = CASINO_PRESENT;
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
				return read_plain(reader, &value->text, &value->len) && take(reader, "}", 1);
			}
			return read_plain(reader, &text, &len) && money_parse(text, len, &value->number);
		case CASINO_FIELD_TIME:
			return read_plain(reader, &text, &len) && casino_time_parse(text, len, &value->number);
		case CASINO_FIELD_DATE:
			if (!read_plain(reader, &text, &len))
				return false;
			if (len > 1 && text[0] == '@')
				return scan_int(text + 1, len - 1, &value->number) == len - 1 && !casino_date_print(value->number, again);
			return casino_date_parse(text, len, &value->number);
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
			if (!skip_json(reader, 0))
				return false;
			value->len = (size_t) (reader->at - value->text);
			return true;
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

bool
casino_line_read(const char *line, size_t len, CasinoBuffer *scratch, const CasinoLayout **layout,
				 CasinoValue values[CASINO_FIELDS_MAX], uint8_t *mark, CasinoError *error)
{
	Reader		reader = {line, line, line + len, scratch};
	size_t		offsets[CASINO_FIELDS_MAX];
	bool		first = true;

	scratch->len = 0;
	*layout = read_section(&reader);
	if (*layout == NULL)
		return wrong_form(&reader, error);
	for (int i = 0; i < (*layout)->nfields; i++)
	{
		const CasinoField *field = &(*layout)->fields[i];
		size_t		name = field->len;
		const char *at = reader.at;

		values[i].presence = CASINO_NULL;
		offsets[i] = SIZE_MAX;
		/* most fields are NULL: the first letter tells */
		if ((size_t) (reader.end - at) <= name + 4)
			continue;
		at += !first;
		if (at[1] == field->name[0] && (first || at[-1] == ',') && at[0] == '"' &&
			memcmp(at + 1, field->name, name) == 0 && at[name + 1] == '"' && at[name + 2] == ':')
		{
			reader.at = at + name + 3;
			if (!read_value(&reader, field->type, &values[i], &offsets[i]))
				return wrong_form(&reader, error);
			first = false;
		}
	}
	if (!take(&reader, "}", 1) || (mark != NULL && (*layout)->tag != 0 && !read_mark(&reader, mark)) ||
		!take(&reader, "}", 1) || reader.at != reader.end)
		return wrong_form(&reader, error);
	if (scratch->failed)
		return casino_fail(error, CASINO_OUT_OF_RANGE, "There is no memory for it.");
	for (int i = 0; i < (*layout)->nfields; i++)
		if (offsets[i] != SIZE_MAX)
		{
			const char *at = scratch->data == NULL ? "" : scratch->data + offsets[i];

			switch ((*layout)->fields[i].type)
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
	return true;
}
