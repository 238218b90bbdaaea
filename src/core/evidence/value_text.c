/*
 * value_text.c
 *	  The one text of a value of the evidence: dates and times of the Gregorian
 *	  calendar, money, whole numbers, hexadecimal digits.
 */
#include "core/evidence/value_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

#define USECS_PER_SEC	INT64_C(1000000)
#define USECS_PER_DAY	(INT64_C(86400) * USECS_PER_SEC)
#define DAYS_TO_2000	INT64_C(730425) /* from 0000-03-01 */

/* so many digits are no more than an int64 holds, whatever they are */
#define SAFE_DIGITS		18

/* Append a digit to a number up to "most". */
static inline bool
add_digit(uint64_t *value, char c, uint64_t most)
{
	unsigned	digit = (unsigned) (c - '0');

	/* nearly all numbers are far from the limit: no division for them */
	if (*value >= most / 16 && *value > (most - digit) / 10)
		return false;
	*value = *value * 10 + digit;
	return true;
}

size_t
casino_int_scan(const char *text, size_t len, int64_t *number)
{
	bool		negative = len > 0 && text[0] == '-';
	size_t		at = negative;
	uint64_t	value = 0;
	uint64_t	most = (uint64_t) INT64_MAX + negative;
	size_t		safe;

	if (at >= len || !casino_text_is_digit(text[at]) ||
		(text[at] == '0' && (negative || (at + 1 < len && casino_text_is_digit(text[at + 1])))))
		return 0;
	safe = len - at < SAFE_DIGITS ? len : at + SAFE_DIGITS;
	for (; at < safe && casino_text_is_digit(text[at]); at++)
		value = value * 10 + (unsigned) (text[at] - '0');
	for (; at < len && casino_text_is_digit(text[at]); at++)
	{
		if (!add_digit(&value, text[at], most))
			return 0;
	}
	*number = negative ? (int64_t) (0 - value) : (int64_t) value;
	return at;
}

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
	bool		good = true;

	for (int i = 0; i < digits; i++)
	{
		good &= casino_text_is_digit(at[i]);
		v = v * 10 + (at[i] - '0');
	}
	*value = v;
	return good;
}

/* The time of day after a date: T19:00:00.000000Z */
static inline bool
parse_clock(const char *text, int64_t *usecs)
{
	int			hour;
	int			minute;
	int			second;
	int			usec;
	bool		good = parse_digits(text + 1, 2, &hour);

	/* all is looked at, as all is right nearly always */
	good &= parse_digits(text + 4, 2, &minute);
	good &= parse_digits(text + 7, 2, &second);
	good &= parse_digits(text + 10, 6, &usec);
	good &= text[0] == 'T' && text[3] == ':' && text[6] == ':' && text[9] == '.' && text[16] == 'Z';
	*usecs = ((hour * INT64_C(60) + minute) * 60 + second) * USECS_PER_SEC + usec;
	return good && hour <= 23 && minute <= 59 && second <= 59;
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
		text[7] != '-' || !parse_digits(text + 8, 2, &mday) || year < 1 || month < 1 || month > 12 ||
		mday < 1 ||
		mday > 31)
		return false;
	*day = day_of(year, month, mday);
	/* the 31st of a month of thirty */
	return mday <= 28 || (casino_date_print(*day, again) && memcmp(again, text, 10) == 0);
}

size_t
casino_day_print(int64_t day, char text[CASINO_TIME_TEXT_SIZE])
{
	return casino_date_print(day, text) ? 10 :
		(size_t) snprintf(text, CASINO_TIME_TEXT_SIZE, "@%" PRId64, day);
}

bool
casino_day_parse(const char *text, size_t len, int64_t *day)
{
	char		again[11];

	if (len > 1 && text[0] == '@')
		return casino_int_scan(text + 1, len - 1, day) == len - 1 && !casino_date_print(*day, again);
	return casino_date_parse(text, len, day);
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

bool
casino_time_parse(const char *text, size_t len, int64_t *time)
{
	int64_t		day;
	int64_t		usecs;
	char		again[CASINO_TIME_TEXT_SIZE];

	if (len == 8 && memcmp(text, "infinity", 8) == 0)
		*time = CASINO_TIME_INFINITY;
	else if (len == 9 && memcmp(text, "-infinity", 9) == 0)
		*time = CASINO_TIME_MINUS_INFINITY;
	else if (len > 1 && text[0] == '@')
		return casino_int_scan(text + 1, len - 1, time) == len - 1 &&
			casino_time_print(*time, again) == len && memcmp(again, text, len) == 0;
	else
	{
		if (len != 27 || !casino_date_parse(text, 10, &day) || !parse_clock(text + 10, &usecs))
			return false;
		*time = day * USECS_PER_DAY + usecs;
	}
	return true;
}

size_t
casino_money_print(int64_t halere, char text[CASINO_MONEY_TEXT_SIZE])
{
	uint64_t	size = halere < 0 ? 0 - (uint64_t) halere : (uint64_t) halere;

	return (size_t) snprintf(text, CASINO_MONEY_TEXT_SIZE, "%s%" PRIu64 ".%02d", halere < 0 ? "-" : "",
							 size / 100,
							 (int) (size % 100));
}

bool
casino_money_parse(const char *text, size_t len, int64_t *halere)
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
		if (!casino_text_is_digit(text[i]))
			return false;
		if (i - first < SAFE_DIGITS)
			value = value * 10 + (unsigned) (text[i] - '0');
		else if (!add_digit(&value, text[i], most))
			return false;
	}
	*halere = negative ? (int64_t) (0 - value) : (int64_t) value;
	return !negative || value != 0;
}

/* Digits before the point and up to two after it as haléře; false when they are too many. */
static bool
fits_halere(const char *text, size_t len, bool negative)
{
	uint64_t	most = (uint64_t) INT64_MAX + negative;
	uint64_t	value = 0;
	int			decimals = -1;

	for (size_t i = 0; i < len || decimals < 2; i++)
	{
		if (i < len && text[i] == '.')
		{
			decimals = 0;
			continue;
		}
		if (decimals >= 0 || i >= len)
			decimals = decimals < 0 ? 1 : decimals + 1;
		if (!add_digit(&value, i < len ? text[i] : '0', most))
			return false;
	}
	return true;
}

bool
casino_money_is_odd(const char *text, size_t len)
{
	bool		negative = len > 0 && text[0] == '-';
	size_t		first = negative;
	size_t		point = first;
	size_t		at;

	if ((len == 3 && memcmp(text, "NaN", 3) == 0) ||
		(len == 8 + first && memcmp(text + first, "Infinity", 8) == 0))
		return true;
	while (point < len && casino_text_is_digit(text[point]))
		point++;
	if (point == first || (text[first] == '0' && point - first > 1))
		return false;
	for (at = point + 1; at < len && casino_text_is_digit(text[at]); at++)
		;
	if (point < len && (text[point] != '.' || at < len || at == point + 1 || text[at - 1] == '0'))
		return false;
	return (point < len && len - point > 3) || !fits_halere(text + first, len - first, negative);
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

/* Value of a digit plus one; 0 for what is none. */
static const uint8_t hex_digits[256] = {
	['0'] = 1,['1'] = 2,['2'] = 3,['3'] = 4,['4'] = 5,['5'] = 6,['6'] = 7,['7'] = 8,['8'] = 9,['9'] = 10,
	['a'] = 11,['b'] = 12,['c'] = 13,['d'] = 14,['e'] = 15,['f'] = 16
};

/* Value of a digit; more than 15 for what is none. */
static inline unsigned
hex_digit(char c)
{
	return hex_digits[(unsigned char) c] - 1u;
}

bool
casino_hex_parse(const char *text, size_t len, uint8_t *bytes)
{
	unsigned	bad = 0;

	for (size_t i = 0; i + 1 < len; i += 2)
	{
		unsigned	high = hex_digit(text[i]);
		unsigned	low = hex_digit(text[i + 1]);

		bad |= high | low;
		bytes[i / 2] = (uint8_t) (high << 4 | low);
	}
	return bad <= 15 && len % 2 == 0;
}

bool
casino_text_is_utf8(const char *text, size_t len)
{
	const uint8_t *at = (const uint8_t *) text;
	const uint8_t *end = at + len;
	uint8_t		high = 0;

	/* nearly all text is ASCII, which is seen at once */
	for (size_t i = 0; i < len; i++)
		high |= at[i];
	if (high < 0x80)
		return true;
	while (at < end)
	{
		int			more = *at < 0x80 ? 0 : *at < 0xE0 ? 1 : *at < 0xF0 ? 2 : 3;
		uint32_t	code = more == 0 ? *at : *at & (0x3Fu >> more);
		static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};

		if ((*at >= 0x80 && *at < 0xC0) || *at > 0xF4 || end - at <= more)
			return false;
		for (int i = 1; i <= more; i++)
		{
			if ((at[i] & 0xC0) != 0x80)
				return false;
			code = code << 6 | (at[i] & 0x3Fu);
		}
		if (code < least[more] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
			return false;
		at += more + 1;
	}
	return true;
}
