/*
 * texas_holdem_pots.c
 *	  SQL functions of the pots of Texas Hold'em.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/array.h"
#include "utils/numeric.h"

#include "casino.h"
#include "core/games/pots.h"
#include "server/refusal.h"

/* Elements of an array argument with one element a seat; NULL elements only where "nulls" takes them. */
static Datum *
array_argument(FunctionCallInfo fcinfo, int n, const char *name, int16 length, bool by_value,
			   char align, bool **nulls, int *count)
{
	Datum	   *elements;

	*count = casino_array_elements(PG_GETARG_ARRAYTYPE_P(n), name, length, by_value, align, &elements, nulls);
	if (*count > CASINO_SEATS_MAX)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("%s has more than %d seats", name, CASINO_SEATS_MAX)));
	return elements;
}

/*
 * Arguments (contributed numeric[], folded boolean[], hands hand[], board
 * hand, button int) as a hand whose seat n is the nth element.
 */
static int
get_pot_hand(FunctionCallInfo fcinfo, CasinoPotHand *hand)
{
	int			seats;
	int			nfolded;
	int			nhands;
	bool	   *no_cards;
	Datum	   *contributed = array_argument(fcinfo, 0, "contributed", -1, false, TYPALIGN_INT, NULL, &seats);
	Datum	   *folded = array_argument(fcinfo, 1, "folded", 1, true, TYPALIGN_CHAR, NULL, &nfolded);
	Datum	   *hands = array_argument(fcinfo, 2, "hands", -1, false, TYPALIGN_INT, &no_cards, &nhands);

	if (nfolded != seats || nhands != seats)
		ereport(ERROR, (errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
						errmsg("contributed, folded and hands must have one element a seat"),
						errdetail("They have %d, %d and %d.", seats, nfolded, nhands)));

	/* seat by seat: what he put in, whether he folded, his two cards or none */
	memset(hand, 0, sizeof(*hand));
	PG_GETARG_HAND(3, &hand->board);
	hand->button = PG_GETARG_INT32(4);
	for (int i = 0; i < seats; i++)
	{
		CasinoPotSeat *seat = &hand->seats[i];
		CasinoHand	cards = {0};

		seat->contributed = casino_numeric_to_halere(DatumGetNumeric(contributed[i]));
		seat->folded = DatumGetBool(folded[i]);
		if (!no_cards[i])
			casino_datum_get_hand(hands[i], &cards);
		if (cards.count != 0 && cards.count != 2)
			ereport(ERROR, (errrefusal(REFUSAL_ILLEGAL_OUTCOME, REFUSED_INT("seat", i + 1),
									   REFUSED_INT("cards", cards.count)),
							errmsg("illegal outcome"),
							errdetail("Seat %d has %d cards; two are dealt.", i + 1, cards.count)));
		seat->has_cards = cards.count == 2;
		if (seat->has_cards)
			memcpy(seat->cards, cards.cards, sizeof(seat->cards));
	}
	return seats;
}

/* Settle the hand of the arguments; KR001, 22003. */
static int
settle_pots(FunctionCallInfo fcinfo, CasinoPots *pots)
{
	CasinoPotHand hand;
	CasinoError error;
	int			seats = get_pot_hand(fcinfo, &hand);

	if (!casino_pots_settle(&hand, pots, &error))
		casino_ereport(&error, "illegal outcome");
	return seats;
}

/* integer[] of the seats */
static Datum
seats_datum(CasinoSeats seats)
{
	Datum		numbers[CASINO_SEATS_MAX];
	int			n = 0;

	for (int seat = 1; seat <= CASINO_SEATS_MAX; seat++)
		if (seats & CASINO_SEAT_BIT(seat))
			numbers[n++] = Int32GetDatum(seat);
	return PointerGetDatum(construct_array(numbers, n, INT4OID, sizeof(int32), true, TYPALIGN_INT));
}

/* numeric[] of amounts by seat */
static Datum
amounts_datum(const int64_t *amounts, int seats)
{
	Datum		numbers[CASINO_SEATS_MAX];

	for (int i = 0; i < seats; i++)
		numbers[i] = NumericGetDatum(casino_halere_to_numeric(amounts[i]));
	return PointerGetDatum(construct_array(numbers, seats, NUMERICOID, -1, false, TYPALIGN_INT));
}

/*
 * split_pots(contributed, folded, hands, board, button): a row a pot, main pot
 * first, then money that nobody called as pot 0.
 */
PG_FUNCTION_INFO_V1(casino_sql_split_pots);
Datum
casino_sql_split_pots(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	CasinoPots	pots;
	int			seats = settle_pots(fcinfo, &pots);
	CasinoSeats uncalled = 0;
	int64		sum = 0;
	bool		nulls[5] = {false};
	Datum		values[5];

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < pots.count; i++)
	{
		values[0] = Int32GetDatum(i + 1);
		values[1] = NumericGetDatum(casino_halere_to_numeric(pots.pots[i].amount));
		values[2] = seats_datum(pots.pots[i].contenders);
		values[3] = seats_datum(pots.pots[i].winners);
		values[4] = amounts_datum(pots.pots[i].shares, seats);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	for (int i = 0; i < CASINO_SEATS_MAX; i++)
		if (pots.returned[i] > 0)
		{
			uncalled |= CASINO_SEAT_BIT(i + 1);
			sum += pots.returned[i];
		}
	if (sum > 0)
	{
		values[0] = Int32GetDatum(0);
		values[1] = NumericGetDatum(casino_halere_to_numeric(sum));
		values[2] = values[3] = seats_datum(uncalled);
		values[4] = amounts_datum(pots.returned, seats);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/* pot_shares(contributed, folded, hands, board, button): seat, winnings, money returned */
PG_FUNCTION_INFO_V1(casino_sql_pot_shares);
Datum
casino_sql_pot_shares(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	CasinoPots	pots;
	int			seats = settle_pots(fcinfo, &pots);

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < seats; i++)
	{
		Datum		values[3];
		bool		nulls[3] = {false};

		values[0] = Int32GetDatum(i + 1);
		values[1] = NumericGetDatum(casino_halere_to_numeric(pots.won[i]));
		values[2] = NumericGetDatum(casino_halere_to_numeric(pots.returned[i]));
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}
