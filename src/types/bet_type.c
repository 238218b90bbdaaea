/*
 * bet_type.c
 *	  The type casino.bet: input, output, comparison, hashing and its accessors.
 *
 * On disk a bet is the 16 bytes of a CasinoBet, without padding and with zeros
 * after the last number of the selection, so that equal bets are equal bytes:
 * stake in haléře (8, as a bigint), kind (1), count (1), numbers (6).
 *
 * On the wire it is kind (1), count (1), that many numbers (1 each), stake (8,
 * network order).  Both formats and the numbers of the kinds are fixed.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "funcapi.h"
#include "libpq/pqformat.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

#include "casino.h"
#include "core/layout.h"

#define BET_TYPE_NAME	"casino.bet"

/* bytes of a bet on the wire besides the numbers of its selection */
#define BET_WIRE_FIXED	(1 + 1 + (int) sizeof(int64))

StaticAssertDecl(sizeof(CasinoBet) == 16, "casino.bet is declared with 16 bytes");
StaticAssertDecl(offsetof(CasinoBet, numbers) + CASINO_BET_NUMBERS_MAX == 16,
				 "casino.bet has no padding");

/* A hint for a refused text; NULL where DETAIL says enough. */
static const char *
hint_for(const char *text)
{
	size_t		len = strcspn(text, ":@");
	int			kind = casino_bet_kind_lookup(text, len);

	if (strchr(text, '@') == NULL)
		return NULL;
	if (kind == 0)
		return "casino.bet_kinds() lists all kinds.";
	/* who plays cards means the other one, and the text does not say at which table it is staked */
	if (kind == CASINO_SPLIT && text[len] == '@')
		return "split:17-20@10 is a bet of roulette; a pair of cards is split with split_pair@10.";
	return NULL;
}

/*
 * Text input.
 */
PG_FUNCTION_INFO_V1(casino_sql_bet_in);
Datum
casino_sql_bet_in(PG_FUNCTION_ARGS)
{
	const char *text = PG_GETARG_CSTRING(0);
	CasinoBet  *bet = palloc0(sizeof(CasinoBet));
	CasinoError error;

	if (!casino_bet_parse(text, strlen(text), bet, &error))
		casino_ereport_input(&error, BET_TYPE_NAME, text, hint_for(text));
	PG_RETURN_BET(bet);
}

char *
casino_bet_cstring(const CasinoBet *bet)
{
	char		text[CASINO_BET_TEXT_SIZE];

	casino_bet_print(bet, text);
	return pstrdup(text);
}

/*
 * Text output: the canonical form.
 */
PG_FUNCTION_INFO_V1(casino_sql_bet_out);
Datum
casino_sql_bet_out(PG_FUNCTION_ARGS)
{
	char	   *text = palloc(CASINO_BET_TEXT_SIZE);

	casino_bet_print(PG_GETARG_BET(0), text);
	PG_RETURN_CSTRING(text);
}

/*
 * Binary input.  The length of the message is held against the count before
 * anything is read by it; the canonicaliser judges the rest.
 */
PG_FUNCTION_INFO_V1(casino_sql_bet_recv);
Datum
casino_sql_bet_recv(PG_FUNCTION_ARGS)
{
	StringInfo	buf = (StringInfo) PG_GETARG_POINTER(0);
	int			size = buf->len - buf->cursor;
	int			kind;
	int			count;
	uint8_t		numbers[CASINO_BET_NUMBERS_MAX];
	int64		stake;
	CasinoBet  *bet = palloc0(sizeof(CasinoBet));
	CasinoError error;

	if (size < BET_WIRE_FIXED || size > BET_WIRE_FIXED + CASINO_BET_NUMBERS_MAX)
	{
		casino_fail(&error, CASINO_MALFORMED, "A bet is %d to %d bytes, not %d.",
					BET_WIRE_FIXED, BET_WIRE_FIXED + CASINO_BET_NUMBERS_MAX, size);
		casino_ereport_binary(&error, BET_TYPE_NAME);
	}
	kind = pq_getmsgbyte(buf);
	count = pq_getmsgbyte(buf);
	if (count != size - BET_WIRE_FIXED)
	{
		casino_fail(&error, CASINO_MALFORMED,
					"The count of numbers is %d, but %d bytes are there for them.",
					count, size - BET_WIRE_FIXED);
		casino_ereport_binary(&error, BET_TYPE_NAME);
	}
	pq_copymsgbytes(buf, (char *) numbers, count);
	stake = pq_getmsgint64(buf);

	if (!casino_bet_make(kind, numbers, (size_t) count, stake, bet, &error))
		casino_ereport_binary(&error, BET_TYPE_NAME);
	PG_RETURN_BET(bet);
}

/*
 * Binary output.
 */
PG_FUNCTION_INFO_V1(casino_sql_bet_send);
Datum
casino_sql_bet_send(PG_FUNCTION_ARGS)
{
	const CasinoBet *bet = PG_GETARG_BET(0);
	StringInfoData buf;

	pq_begintypsend(&buf);
	pq_sendbyte(&buf, bet->kind);
	pq_sendbyte(&buf, bet->count);
	pq_sendbytes(&buf, (const char *) bet->numbers, bet->count);
	pq_sendint64(&buf, (uint64) bet->stake);
	PG_RETURN_BYTEA_P(pq_endtypsend(&buf));
}

/*
 * Constructor of kind, selection (NULL or '' for none) and stake in CZK.
 */
PG_FUNCTION_INFO_V1(casino_sql_bet_make);
Datum
casino_sql_bet_make(PG_FUNCTION_ARGS)
{
	text	   *name;
	text	   *selection = NULL;
	int			kind;
	int64		stake;
	CasinoBet  *bet;
	CasinoError error;

	/* not STRICT: a NULL selection is "none" */
	if (PG_ARGISNULL(0) || PG_ARGISNULL(2))
		PG_RETURN_NULL();

	name = PG_GETARG_TEXT_PP(0);
	if (!PG_ARGISNULL(1))
		selection = PG_GETARG_TEXT_PP(1);

	kind = casino_bet_kind_lookup(VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name));
	if (kind == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid kind of bet: \"%s\"", text_to_cstring(name)),
				 errdetail("No game has a bet of this name."),
				 errhint("casino.bet_kinds() lists all kinds.")));

	stake = casino_numeric_to_halere(PG_GETARG_NUMERIC(2));
	bet = palloc0(sizeof(CasinoBet));
	if (!casino_bet_make_text(kind,
							  selection ? VARDATA_ANY(selection) : NULL,
							  selection ? VARSIZE_ANY_EXHDR(selection) : 0,
							  stake, bet, &error))
	{
		if (error.code == CASINO_OUT_OF_RANGE)
			casino_ereport(&error, "stake of a bet of kind %s is out of range",
						   casino_bet_kind_name(kind));
		casino_ereport(&error, "invalid selection of a bet of kind %s: %s",
					   casino_bet_kind_name(kind),
					   selection ? quote_literal_cstr(text_to_cstring(selection)) : "NULL");
	}
	PG_RETURN_BET(bet);
}

/*
 * Three-way comparison of the two arguments of a call: kind in the order of
 * the catalogue, selection, stake.
 */
static int
bet_compare_args(FunctionCallInfo fcinfo)
{
	return casino_bet_compare(PG_GETARG_BET(0), PG_GETARG_BET(1));
}

CASINO_COMPARISON_OPERATORS(bet);

/*
 * btree support 1: comparison.
 */
PG_FUNCTION_INFO_V1(casino_sql_bet_cmp);
Datum
casino_sql_bet_cmp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(bet_compare_args(fcinfo));
}

/*
 * hash support 1: 32 bit hash of the canonical bytes.
 */
PG_FUNCTION_INFO_V1(casino_sql_bet_hash);
Datum
casino_sql_bet_hash(PG_FUNCTION_ARGS)
{
	return hash_any((const unsigned char *) PG_GETARG_BET(0), sizeof(CasinoBet));
}

/*
 * hash support 2: 64 bit hash with seed.
 */
PG_FUNCTION_INFO_V1(casino_sql_bet_hash_extended);
Datum
casino_sql_bet_hash_extended(PG_FUNCTION_ARGS)
{
	return hash_any_extended((const unsigned char *) PG_GETARG_BET(0),
							 sizeof(CasinoBet), (uint64) PG_GETARG_INT64(1));
}

/*
 * Name of the kind.
 */
PG_FUNCTION_INFO_V1(casino_sql_bet_kind);
Datum
casino_sql_bet_kind(PG_FUNCTION_ARGS)
{
	const char *name = casino_bet_kind_name(PG_GETARG_BET(0)->kind);

	if (name == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("stored bet has the unknown kind %d", PG_GETARG_BET(0)->kind)));
	PG_RETURN_TEXT_P(cstring_to_text(name));
}

/*
 * Selection as printed, NULL when the kind has none.
 */
PG_FUNCTION_INFO_V1(casino_sql_bet_selection);
Datum
casino_sql_bet_selection(PG_FUNCTION_ARGS)
{
	char		text[CASINO_BET_TEXT_SIZE];
	size_t		len = casino_bet_print_selection(PG_GETARG_BET(0), text);

	if (len == 0)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text_with_len(text, (int) len));
}

/*
 * Stake in CZK with two decimals.
 */
PG_FUNCTION_INFO_V1(casino_sql_bet_stake);
Datum
casino_sql_bet_stake(PG_FUNCTION_ARGS)
{
	PG_RETURN_NUMERIC(casino_halere_to_numeric(PG_GETARG_BET(0)->stake));
}

/*
 * Roulette numbers the bet covers, ascending; none for other games.
 */
PG_FUNCTION_INFO_V1(casino_sql_bet_covers);
Datum
casino_sql_bet_covers(PG_FUNCTION_ARGS)
{
	const CasinoBet *bet = PG_GETARG_BET(0);
	Datum		numbers[CASINO_ROULETTE_NUMBERS];
	int			count = 0;

	for (int number = 0; number < CASINO_ROULETTE_NUMBERS; number++)
	{
		if (casino_bet_covers(bet, number))
			numbers[count++] = Int32GetDatum(number);
	}
	PG_RETURN_ARRAYTYPE_P(construct_array(numbers, count, INT4OID,
										  sizeof(int32), true, TYPALIGN_INT));
}

/*
 * Same kind and selection, whatever the stakes?
 */
PG_FUNCTION_INFO_V1(casino_sql_bet_same_position);
Datum
casino_sql_bet_same_position(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(casino_bet_same_position(PG_GETARG_BET(0), PG_GETARG_BET(1)));
}

/*
 * Word for what stands after the colon of a kind.
 */
static const char *
shape_name(CasinoSelectionShape shape)
{
	switch (shape)
	{
		case CASINO_SELECT_NOTHING:
			return "none";
		case CASINO_SELECT_NUMBERS:
			return "numbers";
		case CASINO_SELECT_FIXED:
			return "fixed";
		case CASINO_SELECT_THIRD:
			return "third";
		case CASINO_SELECT_POINTS:
			return "points";
	}
	elog(ERROR, "unknown selection shape %d", (int) shape);
	return NULL;				/* keep the compiler quiet */
}

/*
 * The catalogue of kinds, in the order in which bets sort.
 */
PG_FUNCTION_INFO_V1(casino_sql_bet_kinds);
Datum
casino_sql_bet_kinds(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	for (int kind = 1; kind < CASINO_BET_KIND_END; kind++)
	{
		Datum		values[3];
		bool		nulls[3] = {false, false, false};

		values[0] = CStringGetTextDatum(casino_bet_kind_name(kind));
		values[1] = CStringGetTextDatum(shape_name(casino_bet_kind_shape(kind)));
		values[2] = BoolGetDatum(casino_bet_kind_is_free(kind));
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}
