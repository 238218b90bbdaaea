/*
 * leaf.c
 *	  The leaf that a row of evidence becomes, by its layout.
 */
#include "core/evidence/leaf.h"

#include <string.h>

/* room for a field whose length is fixed, with its presence and the next one's */
#define FIELD_ROOM	64

bool
casino_buffer_enlarge(CasinoBuffer *buffer, size_t more)
{
	size_t		size = buffer->size < 256 ? 256 : buffer->size;
	void	   *data;

	if (buffer->failed)
		return false;
	while (size - buffer->len < more)
	{
		if (size > SIZE_MAX / 2)
		{
			buffer->failed = true;
			return false;
		}
		size *= 2;
	}
	data = buffer->grow(buffer->data, size);
	if (data == NULL)
	{
		buffer->failed = true;
		return false;
	}
	buffer->data = data;
	buffer->size = size;
	return true;
}

void
casino_buffer_put(CasinoBuffer *buffer, const void *data, size_t len)
{
	if (len > 0 && casino_buffer_reserve(buffer, len))
	{
		memcpy(buffer->data + buffer->len, data, len);
		buffer->len += len;
	}
}

/* The lowest bytes of a number, big-endian; there is room for them. */
static inline void
put_bytes(CasinoBuffer *buffer, uint64_t number, int bytes)
{
	char	   *at = buffer->data + buffer->len;

	for (int i = 0; i < bytes; i++)
		at[i] = (char) (number >> 8 * (bytes - 1 - i));
	buffer->len += (size_t) bytes;
}

/* All eight, written out so that it becomes one instruction. */
static inline void
store_eight(char *to, uint64_t number)
{
	uint8_t    *at = (uint8_t *) to;

	at[0] = (uint8_t) (number >> 56);
	at[1] = (uint8_t) (number >> 48);
	at[2] = (uint8_t) (number >> 40);
	at[3] = (uint8_t) (number >> 32);
	at[4] = (uint8_t) (number >> 24);
	at[5] = (uint8_t) (number >> 16);
	at[6] = (uint8_t) (number >> 8);
	at[7] = (uint8_t) number;
}

static inline void
put_eight(CasinoBuffer *buffer, uint64_t number)
{
	store_eight(buffer->data + buffer->len, number);
	buffer->len += 8;
}

void
casino_buffer_int(CasinoBuffer *buffer, int64_t number)
{
	if (casino_buffer_reserve(buffer, 8))
		put_eight(buffer, (uint64_t) number);
}

static void
put_counted(CasinoBuffer *buffer, const void *data, size_t len)
{
	if (len > UINT32_MAX)
		buffer->failed = true;
	if (!casino_buffer_reserve(buffer, len + FIELD_ROOM))
		return;
	put_bytes(buffer, len, 4);
	if (len > 0)
		memcpy(buffer->data + buffer->len, data, len);
	buffer->len += len;
}

static void
put_bet(CasinoBuffer *buffer, const CasinoBet *bet)
{
	put_bytes(buffer, bet->kind, 1);
	put_bytes(buffer, bet->count, 1);
	memcpy(buffer->data + buffer->len, bet->numbers, CASINO_BET_NUMBERS_MAX);
	buffer->len += CASINO_BET_NUMBERS_MAX;
	put_eight(buffer, (uint64_t) bet->stake);
}

static void
put_value(CasinoBuffer *buffer, CasinoFieldType type, const CasinoValue *value)
{
	switch (type)
	{
		case CASINO_FIELD_INT:
		case CASINO_FIELD_MONEY:
		case CASINO_FIELD_TIME:
		case CASINO_FIELD_DATE:
			put_eight(buffer, (uint64_t) value->number);
			break;
		case CASINO_FIELD_BOOL:
			put_bytes(buffer, value->number != 0, 1);
			break;
		case CASINO_FIELD_TEXT:
		case CASINO_FIELD_JSON:
			put_counted(buffer, value->text, value->len);
			break;
		case CASINO_FIELD_HASH:
			memcpy(buffer->data + buffer->len, value->text, 32);
			buffer->len += 32;
			break;
		case CASINO_FIELD_BET:
			put_bet(buffer, &value->bet);
			break;
		case CASINO_FIELD_HAND:
			put_counted(buffer, value->hand.cards, value->hand.count);
			break;
		case CASINO_FIELD_INTS:
			put_bytes(buffer, value->len, 4);
			for (size_t i = 0; i < value->len && casino_buffer_reserve(buffer, FIELD_ROOM); i++)
				put_eight(buffer, (uint64_t) value->numbers[i]);
			break;
		case CASINO_FIELD_BETS:
			put_bytes(buffer, value->len, 4);
			for (size_t i = 0; i < value->len && casino_buffer_reserve(buffer, FIELD_ROOM); i++)
				put_bet(buffer, &value->bets[i]);
			break;
	}
}

void
casino_leaf_put(CasinoBuffer *buffer, const CasinoLayout *layout, const CasinoValue *values)
{
	if (!casino_buffer_reserve(buffer, FIELD_ROOM))
		return;
	put_bytes(buffer, layout->tag, 1);
	put_bytes(buffer, layout->version, 1);
	for (int i = 0; i < layout->nfields; i++)
	{
		CasinoFieldType type = layout->fields[i].type;
		char	   *at;

		if (!casino_buffer_reserve(buffer, FIELD_ROOM))
			return;
		at = buffer->data + buffer->len;
		*at = (char) values[i].presence;
		/* most fields are NULL or a number */
		if (values[i].presence == CASINO_PRESENT &&
			(type == CASINO_FIELD_INT || type == CASINO_FIELD_MONEY || type == CASINO_FIELD_TIME))
		{
			store_eight(at + 1, (uint64_t) values[i].number);
			buffer->len += 9;
			continue;
		}
		buffer->len += 1;
		if (values[i].presence == CASINO_AS_TEXT)
			put_counted(buffer, values[i].text, values[i].len);
		else if (values[i].presence == CASINO_PRESENT)
			put_value(buffer, type, &values[i]);
	}
}
