/*
 * card_type.c
 *	  The type casino.card: input, output, comparison, hashing.
 *
 * On disk and on the wire a card is one byte, rank * 4 + suit, 0 (2c) to 51
 * (As); see core/card.h.  The format is fixed: indexes, hash partitions and
 * dumps of any version of the extension depend on it.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "libpq/pqformat.h"
#include "utils/sortsupport.h"

#include "casino.h"

#define CARD_TYPE_NAME	"casino.card"

/*
 * Text input: one card and nothing around it.
 */
PG_FUNCTION_INFO_V1(casino_sql_card_in);
Datum
casino_sql_card_in(PG_FUNCTION_ARGS)
{
	const char *text = PG_GETARG_CSTRING(0);
	size_t		len = strlen(text);
	CasinoCard	card;
	CasinoError error;
	size_t		taken = casino_card_scan(text, len, &card);

	if (taken == 0)
	{
		casino_fail(&error, CASINO_MALFORMED,
					"A card is a rank of 23456789TJQKA (or 10) and a suit of cdhs.");
		casino_ereport_input(&error, CARD_TYPE_NAME, text, NULL);
	}
	if (taken != len)
	{
		casino_fail(&error, CASINO_MALFORMED,
					"After the card there is something else, at byte %zu.", taken + 1);
		casino_ereport_input(&error, CARD_TYPE_NAME, text, NULL);
	}
	PG_RETURN_CARD(card);
}

/*
 * Text output: rank letter and suit letter.
 */
PG_FUNCTION_INFO_V1(casino_sql_card_out);
Datum
casino_sql_card_out(PG_FUNCTION_ARGS)
{
	char	   *text = palloc0(CASINO_CARD_TEXT_LEN + 1);

	casino_card_print(PG_GETARG_CARD(0), text);
	PG_RETURN_CSTRING(text);
}

/*
 * Binary input: the one byte of a card that exists.
 */
PG_FUNCTION_INFO_V1(casino_sql_card_recv);
Datum
casino_sql_card_recv(PG_FUNCTION_ARGS)
{
	StringInfo	buf = (StringInfo) PG_GETARG_POINTER(0);
	int			size = buf->len - buf->cursor;
	unsigned	card;
	CasinoError error;

	if (size != 1)
	{
		casino_fail(&error, CASINO_MALFORMED, "A card is one byte, not %d.", size);
		casino_ereport_binary(&error, CARD_TYPE_NAME);
	}
	card = (unsigned) pq_getmsgbyte(buf);
	if (!casino_card_is_valid(card))
	{
		casino_fail(&error, CASINO_MALFORMED,
					"Byte %u is no card; cards are 0 to %d.", card,
					CASINO_CARDS_IN_DECK - 1);
		casino_ereport_binary(&error, CARD_TYPE_NAME);
	}
	PG_RETURN_CARD((CasinoCard) card);
}

/*
 * Binary output: the byte.
 */
PG_FUNCTION_INFO_V1(casino_sql_card_send);
Datum
casino_sql_card_send(PG_FUNCTION_ARGS)
{
	StringInfoData buf;

	pq_begintypsend(&buf);
	pq_sendbyte(&buf, PG_GETARG_CARD(0));
	PG_RETURN_BYTEA_P(pq_endtypsend(&buf));
}

/*
 * Three-way comparison of the two arguments of a call: by rank, then by suit.
 */
static int
card_compare_args(FunctionCallInfo fcinfo)
{
	return (int) PG_GETARG_CARD(0) - (int) PG_GETARG_CARD(1);
}

CASINO_COMPARISON_OPERATORS(card);

/*
 * btree support 1: comparison.
 */
PG_FUNCTION_INFO_V1(casino_sql_card_cmp);
Datum
casino_sql_card_cmp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(card_compare_args(fcinfo));
}

/*
 * btree support 2: cards are small non-negative integers in their Datum, so
 * that the server's own integer comparator (and its specialised sort) serves.
 */
PG_FUNCTION_INFO_V1(casino_sql_card_sortsupport);
Datum
casino_sql_card_sortsupport(PG_FUNCTION_ARGS)
{
	SortSupport ssup = (SortSupport) PG_GETARG_POINTER(0);

	ssup->comparator = ssup_datum_int32_cmp;
	PG_RETURN_VOID();
}

/*
 * hash support 1: 32 bit hash.
 */
PG_FUNCTION_INFO_V1(casino_sql_card_hash);
Datum
casino_sql_card_hash(PG_FUNCTION_ARGS)
{
	return hash_uint32(PG_GETARG_CARD(0));
}

/*
 * hash support 2: 64 bit hash with seed, for hash partitioning.
 */
PG_FUNCTION_INFO_V1(casino_sql_card_hash_extended);
Datum
casino_sql_card_hash_extended(PG_FUNCTION_ARGS)
{
	return hash_uint32_extended(PG_GETARG_CARD(0), (uint64) PG_GETARG_INT64(1));
}
