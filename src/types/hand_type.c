/*
 * hand_type.c
 *	  The type casino.hand: input, output, comparison, hashing, concatenation
 *	  and the casts between hand and card[].
 *
 * On disk a hand is a varlena of one byte a card in the order dealt, up to
 * CASINO_HAND_MAX of them, and nothing else: the count is the length.  It is
 * stored with a one byte header where that is short enough, so it is read
 * packed.  On the wire it is the same bytes.  The format is fixed.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "libpq/pqformat.h"
#include "utils/array.h"
#include "utils/lsyscache.h"

#include "casino.h"

#define HAND_TYPE_NAME	"casino.hand"

/*
 * Copy a stored hand out of its Datum.
 */
void
casino_datum_get_hand(Datum datum, CasinoHand *hand)
{
	struct varlena *stored = PG_DETOAST_DATUM_PACKED(datum);
	Size		count = VARSIZE_ANY_EXHDR(stored);

	if (count > CASINO_HAND_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("stored hand has %zu cards", count),
				 errdetail("A hand has at most %d cards.", CASINO_HAND_MAX)));

	hand->count = (uint8_t) count;
	memcpy(hand->cards, VARDATA_ANY(stored), count);

	if ((Pointer) stored != DatumGetPointer(datum))
		pfree(stored);
}

/*
 * A new stored hand.
 */
Datum
casino_hand_get_datum(const CasinoHand *hand)
{
	Size		size = VARHDRSZ + hand->count;
	struct varlena *stored = palloc(size);

	SET_VARSIZE(stored, size);
	memcpy(VARDATA(stored), hand->cards, hand->count);
	return PointerGetDatum(stored);
}

/*
 * Text input: cards, blanks between them optional.
 */
PG_FUNCTION_INFO_V1(casino_sql_hand_in);
Datum
casino_sql_hand_in(PG_FUNCTION_ARGS)
{
	const char *text = PG_GETARG_CSTRING(0);
	CasinoHand	hand;
	CasinoError error;

	if (!casino_hand_parse(text, strlen(text), &hand, &error))
		casino_ereport_input(&error, HAND_TYPE_NAME, text, NULL);
	PG_RETURN_HAND(&hand);
}

/*
 * Text output: two letters a card and one blank between cards.
 */
PG_FUNCTION_INFO_V1(casino_sql_hand_out);
Datum
casino_sql_hand_out(PG_FUNCTION_ARGS)
{
	CasinoHand	hand;
	char	   *text = palloc(CASINO_HAND_TEXT_SIZE);

	PG_GETARG_HAND(0, &hand);
	casino_hand_print(&hand, text);
	PG_RETURN_CSTRING(text);
}

/*
 * Binary input: the bytes of the cards.  The canonicaliser bounds their number
 * before it copies any.
 */
PG_FUNCTION_INFO_V1(casino_sql_hand_recv);
Datum
casino_sql_hand_recv(PG_FUNCTION_ARGS)
{
	StringInfo	buf = (StringInfo) PG_GETARG_POINTER(0);
	int			count = buf->len - buf->cursor;
	const uint8_t *cards = (const uint8_t *) pq_getmsgbytes(buf, count);
	CasinoHand	hand;
	CasinoError error;

	if (!casino_hand_from_cards(cards, (size_t) count, &hand, &error))
		casino_ereport_binary(&error, HAND_TYPE_NAME);
	PG_RETURN_HAND(&hand);
}

/*
 * Binary output.
 */
PG_FUNCTION_INFO_V1(casino_sql_hand_send);
Datum
casino_sql_hand_send(PG_FUNCTION_ARGS)
{
	CasinoHand	hand;
	StringInfoData buf;

	PG_GETARG_HAND(0, &hand);
	pq_begintypsend(&buf);
	pq_sendbytes(&buf, (const char *) hand.cards, hand.count);
	PG_RETURN_BYTEA_P(pq_endtypsend(&buf));
}

/*
 * Three-way comparison of the two arguments of a call: card by card in the
 * order dealt, a hand before the hands it begins.
 */
static int
hand_compare_args(FunctionCallInfo fcinfo)
{
	CasinoHand	a;
	CasinoHand	b;
	int			order;

	PG_GETARG_HAND(0, &a);
	PG_GETARG_HAND(1, &b);

	order = memcmp(a.cards, b.cards, Min(a.count, b.count));
	return order != 0 ? order : (int) a.count - (int) b.count;
}

CASINO_COMPARISON_OPERATORS(hand);

/*
 * btree support 1: comparison.
 */
PG_FUNCTION_INFO_V1(casino_sql_hand_cmp);
Datum
casino_sql_hand_cmp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(hand_compare_args(fcinfo));
}

/*
 * hash support 1: 32 bit hash.
 */
PG_FUNCTION_INFO_V1(casino_sql_hand_hash);
Datum
casino_sql_hand_hash(PG_FUNCTION_ARGS)
{
	CasinoHand	hand;

	PG_GETARG_HAND(0, &hand);
	return hash_any(hand.cards, hand.count);
}

/*
 * hash support 2: 64 bit hash with seed.
 */
PG_FUNCTION_INFO_V1(casino_sql_hand_hash_extended);
Datum
casino_sql_hand_hash_extended(PG_FUNCTION_ARGS)
{
	CasinoHand	hand;

	PG_GETARG_HAND(0, &hand);
	return hash_any_extended(hand.cards, hand.count, (uint64) PG_GETARG_INT64(1));
}

/*
 * A hand and further cards, as a new hand.
 */
static Datum
hand_extended(const CasinoHand *hand, const CasinoCard *cards, size_t count)
{
	CasinoCard	all[2 * CASINO_HAND_MAX];
	CasinoHand	result;
	CasinoError error;

	Assert(count <= CASINO_HAND_MAX);
	memcpy(all, hand->cards, hand->count);
	memcpy(all + hand->count, cards, count);

	if (!casino_hand_from_cards(all, hand->count + count, &result, &error))
		casino_ereport(&error, "cannot add %zu %s to a hand of %d",
					   count, count == 1 ? "card" : "cards", hand->count);
	return casino_hand_get_datum(&result);
}

/*
 * hand || card: the hand after one more card.
 */
PG_FUNCTION_INFO_V1(casino_sql_hand_append);
Datum
casino_sql_hand_append(PG_FUNCTION_ARGS)
{
	CasinoHand	hand;
	CasinoCard	card = PG_GETARG_CARD(1);

	PG_GETARG_HAND(0, &hand);
	PG_RETURN_DATUM(hand_extended(&hand, &card, 1));
}

/*
 * hand || hand: the cards of both.
 */
PG_FUNCTION_INFO_V1(casino_sql_hand_concat);
Datum
casino_sql_hand_concat(PG_FUNCTION_ARGS)
{
	CasinoHand	hand;
	CasinoHand	more;

	PG_GETARG_HAND(0, &hand);
	PG_GETARG_HAND(1, &more);
	PG_RETURN_DATUM(hand_extended(&hand, more.cards, more.count));
}

/*
 * Number of cards.
 */
PG_FUNCTION_INFO_V1(casino_sql_hand_card_count);
Datum
casino_sql_hand_card_count(PG_FUNCTION_ARGS)
{
	CasinoHand	hand;

	PG_GETARG_HAND(0, &hand);
	PG_RETURN_INT32(hand.count);
}

/*
 * hand to card[].  The element type is that of the SQL function's result,
 * looked up once a call site.
 */
PG_FUNCTION_INFO_V1(casino_sql_hand_cards);
Datum
casino_sql_hand_cards(PG_FUNCTION_ARGS)
{
	FmgrInfo   *flinfo = fcinfo->flinfo;
	CasinoHand	hand;
	Datum		cards[CASINO_HAND_MAX];
	Oid			card_type;

	if (flinfo->fn_extra == NULL)
	{
		Oid			element = get_element_type(get_func_rettype(flinfo->fn_oid));

		if (!OidIsValid(element))
			elog(ERROR, "function %u does not return an array", flinfo->fn_oid);
		flinfo->fn_extra = MemoryContextAlloc(flinfo->fn_mcxt, sizeof(Oid));
		*(Oid *) flinfo->fn_extra = element;
	}
	card_type = *(Oid *) flinfo->fn_extra;

	PG_GETARG_HAND(0, &hand);
	for (int i = 0; i < hand.count; i++)
		cards[i] = CardGetDatum(hand.cards[i]);

	PG_RETURN_ARRAYTYPE_P(construct_array(cards, hand.count, card_type,
										  sizeof(CasinoCard), true, TYPALIGN_CHAR));
}

/*
 * card[] to hand.
 */
PG_FUNCTION_INFO_V1(casino_sql_hand_from_array);
Datum
casino_sql_hand_from_array(PG_FUNCTION_ARGS)
{
	ArrayType  *array = PG_GETARG_ARRAYTYPE_P(0);
	int			count;
	CasinoHand	hand;
	CasinoError error;

	if (ARR_NDIM(array) > 1)
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("cannot make a hand of an array of %d dimensions", ARR_NDIM(array)),
				 errdetail("The cards of a hand are an array of one dimension.")));
	if (array_contains_nulls(array))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("cannot make a hand of an array with null elements"),
				 errdetail("Every card of a hand is known.")));

	/* one byte elements without nulls stand side by side in the array */
	count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	if (!casino_hand_from_cards((const uint8_t *) ARR_DATA_PTR(array),
								(size_t) count, &hand, &error))
		casino_ereport(&error, "cannot make a hand of an array of %d cards", count);
	PG_RETURN_HAND(&hand);
}
