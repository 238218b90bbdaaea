/*
 * casino.h
 *	  What the C files above the pure core share: error codes, Datum macros,
 *	  conversions between the core's values and PostgreSQL's.
 *
 * Include after postgres.h.
 */
#ifndef CASINO_H
#define CASINO_H

#include "fmgr.h"
#include "utils/numeric.h"

/*
 * Amounts, numbers and times are passed by value: with NULL arguments a 32-bit build would read through a
 * null pointer.
 */
#ifndef USE_FLOAT8_BYVAL
#error "casino needs a 64-bit build of PostgreSQL"
#endif

#include "core/bet.h"
#include "core/card.h"
#include "core/error.h"
#include "core/hand.h"
#include "compat.h"

/* casino.clock_skew: seconds an event's time may differ from the clock, -1 = any */
#define CASINO_CLOCK_SKEW_ANY	(-1)
extern int	casino_clock_skew;
extern int	casino_request_memory;

/* casino.store: hot tables are read and written by the access methods, without the executor */
extern bool casino_use_store;

/* casino.notify: what happens to rounds is sent with NOTIFY */
extern bool casino_notify;

/* casino.shared_logins: two persons named under one login are two */
extern bool casino_shared_logins;

/*
 * Own error codes.  Class KB is about bets, KR about rounds, KL about the
 * ledger, KC about compliance; none of the classes is PostgreSQL's.  Only
 * refusal.c raises them: each refusal has a reason (server/refusal.h).
 */
#define CASINO_ERRCODE_BETTING_CLOSED		MAKE_SQLSTATE('K', 'B', '0', '0', '1')
#define CASINO_ERRCODE_STAKE_OUT_OF_LIMITS	MAKE_SQLSTATE('K', 'B', '0', '0', '2')
#define CASINO_ERRCODE_ROUND_LIMIT_EXCEEDED MAKE_SQLSTATE('K', 'B', '0', '0', '3')
#define CASINO_ERRCODE_BET_NOT_OFFERED		MAKE_SQLSTATE('K', 'B', '0', '0', '4')
#define CASINO_ERRCODE_BET_NOT_ALLOWED_NOW	MAKE_SQLSTATE('K', 'B', '0', '0', '5')

#define CASINO_ERRCODE_ILLEGAL_OUTCOME		MAKE_SQLSTATE('K', 'R', '0', '0', '1')
#define CASINO_ERRCODE_ROUND_STATE			MAKE_SQLSTATE('K', 'R', '0', '0', '2')

#define CASINO_ERRCODE_LEDGER_IMMUTABLE		MAKE_SQLSTATE('K', 'L', '0', '0', '1')
#define CASINO_ERRCODE_INSUFFICIENT_FUNDS	MAKE_SQLSTATE('K', 'L', '0', '0', '2')
#define CASINO_ERRCODE_REQUEST_CONFLICT		MAKE_SQLSTATE('K', 'L', '0', '0', '3')
#define CASINO_ERRCODE_PAYOUT_MISMATCH		MAKE_SQLSTATE('K', 'L', '0', '0', '4')
#define CASINO_ERRCODE_BACKDATED			MAKE_SQLSTATE('K', 'L', '0', '0', '5')

#define CASINO_ERRCODE_BREAK_REQUIRED		MAKE_SQLSTATE('K', 'C', '0', '0', '1')
#define CASINO_ERRCODE_SECOND_TABLE			MAKE_SQLSTATE('K', 'C', '0', '0', '2')
#define CASINO_ERRCODE_CASH_LIMIT			MAKE_SQLSTATE('K', 'C', '0', '0', '3')
#define CASINO_ERRCODE_EXCLUDED				MAKE_SQLSTATE('K', 'C', '0', '0', '4')
#define CASINO_ERRCODE_SELF_LIMIT			MAKE_SQLSTATE('K', 'C', '0', '0', '5')
#define CASINO_ERRCODE_NO_PAYMENT_ACCOUNT	MAKE_SQLSTATE('K', 'C', '0', '0', '6')

/* casino.card: one byte, passed by value */
#define DatumGetCard(datum)		((CasinoCard) DatumGetUInt8(datum))
#define CardGetDatum(card)		UInt8GetDatum(card)
#define PG_GETARG_CARD(n)		DatumGetCard(PG_GETARG_DATUM(n))
#define PG_RETURN_CARD(card)	return CardGetDatum(card)

/* casino.bet: the 16 bytes of a CasinoBet, passed by reference */
#define DatumGetBet(datum)		((CasinoBet *) DatumGetPointer(datum))
#define BetGetDatum(bet)		PointerGetDatum(bet)
#define PG_GETARG_BET(n)		DatumGetBet(PG_GETARG_DATUM(n))
#define PG_RETURN_BET(bet)		return BetGetDatum(bet)

/* casino.hand: a varlena, read into a local CasinoHand and written from one */
#define PG_GETARG_HAND(n, hand) casino_datum_get_hand(PG_GETARG_DATUM(n), (hand))
#define PG_RETURN_HAND(hand)	return casino_hand_get_datum(hand)

/*
 * The six comparison operators of a type, from its three-way comparison of two
 * arguments of the call.  Used at file level: defines casino_sql_TYPE_lt and
 * so on.
 */
#define CASINO_COMPARISON_OPERATOR(type, name, operator) \
	PG_FUNCTION_INFO_V1(casino_sql_##type##_##name); \
	Datum \
	casino_sql_##type##_##name(PG_FUNCTION_ARGS) \
	{ \
		PG_RETURN_BOOL(type##_compare_args(fcinfo) operator 0); \
	} \
	extern Datum casino_sql_##type##_##name(PG_FUNCTION_ARGS)

#define CASINO_COMPARISON_OPERATORS(type) \
	CASINO_COMPARISON_OPERATOR(type, lt, <); \
	CASINO_COMPARISON_OPERATOR(type, le, <=); \
	CASINO_COMPARISON_OPERATOR(type, eq, ==); \
	CASINO_COMPARISON_OPERATOR(type, ne, !=); \
	CASINO_COMPARISON_OPERATOR(type, ge, >=); \
	CASINO_COMPARISON_OPERATOR(type, gt, >)

/* casino.c */
extern void casino_ereport(const CasinoError *error, const char *format,...)
			pg_attribute_noreturn() __attribute__((format(__printf__, 2, 3)));
extern void casino_ereport_input(const CasinoError *error, const char *type_name, const char *text,
								 const char *hint) pg_attribute_noreturn();
extern void casino_ereport_binary(const CasinoError *error,
								  const char *type_name) pg_attribute_noreturn();

/* numeric.c */
extern int64 casino_numeric_to_halere(Numeric amount);
extern int64 casino_numeric_to_halere_signed(Numeric amount);
extern int64 casino_datum_to_halere(Datum datum);
extern bool casino_numeric_try_halere(Datum datum, int64 *halere);
extern Numeric casino_halere_to_numeric(int64 halere);

/* Refuse a sum that 63 bits of haléře cannot hold (22003); "what" begins the message. */
extern void casino_amount_out_of_range(const char *what) pg_attribute_noreturn();

/* haléře as "1234.50" in messages, palloc'ed */
extern char *casino_money_cstring(int64 halere);

/* bet_type.c: as its type prints it, palloc'ed */
extern char *casino_bet_cstring(const CasinoBet *bet);

/* arguments.c */
struct ArrayType;
extern void casino_require_object(const void *document, const char *what);

/* 22004 for an argument that may not be null */
extern void casino_require_argument(FunctionCallInfo fcinfo, int n, const char *name);
extern int	casino_array_elements(struct ArrayType *array, const char *what, int16 length, bool by_value,
								  char align, Datum **elements, bool **nulls);

/* hand_type.c */
extern void casino_datum_get_hand(Datum datum, CasinoHand *hand);
extern Datum casino_hand_get_datum(const CasinoHand *hand);

#endif							/* CASINO_H */
