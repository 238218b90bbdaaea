/*
 * line_write.c
 *	  Lines of an export, written.
 */
#include "core/evidence/line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/evidence/value_text.h"

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

static void
write_value(CasinoBuffer *buffer, CasinoFieldType type, const CasinoValue *value)
{
	char		text[CASINO_HAND_TEXT_SIZE + CASINO_MONEY_TEXT_SIZE + 2 * 32];
	size_t		len;

	/* a value that is none of its type is told as it is: it is evidence, too */
	if (value->presence == CASINO_AS_TEXT)
	{
		put_text(buffer, "{\"odd\":");
		casino_line_string(buffer, value->text, value->len);
		put_text(buffer, "}");
		return;
	}

	/* every type has one text (value_text.h) */
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
			casino_line_string(buffer, text, casino_day_print(value->number, text));
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
			casino_buffer_put(buffer, text, casino_day_print(values[i].number, text));
		else
			casino_buffer_put(buffer, values[i].text, values[i].len);
	}
}
