/*
 * json_read.c
 *	  A strict reader of small JSON documents.
 */
#include "core/evidence/json_read.h"

#include <string.h>

#include "core/evidence/value_text.h"

#define NAME_MAX_LEN	64

static void
skip_space(CasinoJson *json)
{
	while (json->at < json->end && (*json->at == ' ' || *json->at == '\t' || *json->at == '\n' ||
									*json->at == '\r'))
		json->at++;
}

bool
casino_json_take(CasinoJson *json, char c)
{
	skip_space(json);
	if (json->at >= json->end || *json->at != c)
		return false;
	json->at++;
	skip_space(json);
	return true;
}

bool
casino_json_end(CasinoJson *json)
{
	skip_space(json);
	return json->at == json->end;
}

/* Four digits after \u: of ASCII only, others stand as themselves. */
static bool
unescape(CasinoJson *json, char *c)
{
	static const char from[] = "\"\\/bfnrt";
	static const char to[] = "\"\\/\b\f\n\r\t";
	const char *found;
	uint8_t		bytes[2];

	if (json->at >= json->end)
		return false;
	if (*json->at == 'u')
	{
		char		digits[4];

		if (json->end - json->at < 5)
			return false;
		for (int i = 0; i < 4; i++)
		{
			char		digit = json->at[1 + i];

			digits[i] = digit >= 'A' && digit <= 'F' ? (char) (digit + ('a' - 'A')) : digit;
		}
		if (!casino_hex_parse(digits, 4, bytes) || bytes[0] != 0 || bytes[1] == 0 || bytes[1] > 0x7f)
			return false;
		*c = (char) bytes[1];
		json->at += 5;
		return true;
	}
	found = *json->at == '\0' ? NULL : strchr(from, *json->at);
	if (found == NULL)
		return false;
	*c = to[found - from];
	json->at++;
	return true;
}

bool
casino_json_string(CasinoJson *json, char *text, size_t size, size_t *len)
{
	size_t		n = 0;

	skip_space(json);
	if (json->at >= json->end || *json->at++ != '"')
		return false;
	for (;;)
	{
		char		c;

		if (json->at >= json->end || (unsigned char) *json->at < 0x20)
			return false;
		c = *json->at++;
		if (c == '"')
			break;
		if (c == '\\' && !unescape(json, &c))
			return false;
		if (n + 1 >= size)
			return false;
		text[n++] = c;
	}
	text[n] = '\0';
	*len = n;
	skip_space(json);
	return true;
}

bool
casino_json_int(CasinoJson *json, int64_t *number)
{
	size_t		taken;

	skip_space(json);
	taken = casino_int_scan(json->at, (size_t) (json->end - json->at), number);
	json->at += taken;
	skip_space(json);
	return taken > 0;
}

bool
casino_json_hash(CasinoJson *json, CasinoHash *hash)
{
	char		text[2 * CASINO_HASH_LEN + 1];
	size_t		len;

	return casino_json_string(json, text, sizeof(text), &len) && len == 2 * CASINO_HASH_LEN &&
		casino_hex_parse(text, len, hash->bytes);
}

bool
casino_json_object(CasinoJson *json, const char *const *names, int nnames,
				   bool (*member) (CasinoJson *json, int number, void *into), void *into)
{
	uint32_t	seen = 0;

	if (!casino_json_take(json, '{'))
		return false;
	do
	{
		char		name[NAME_MAX_LEN];
		size_t		len;
		int			number = 0;

		if (!casino_json_string(json, name, sizeof(name), &len) || strlen(name) != len)
			return false;
		while (number < nnames && strcmp(names[number], name) != 0)
			number++;
		if (number == nnames || (seen >> number & 1) != 0 || !casino_json_take(json, ':') ||
			!member(json, number, into))
			return false;
		seen |= UINT32_C(1) << number;
	} while (casino_json_take(json, ','));
	return casino_json_take(json, '}') && seen == (UINT32_C(1) << nnames) - 1;
}
