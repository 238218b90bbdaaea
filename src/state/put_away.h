/*
 * put_away.h
 *	  Books of the ledger that were put away (R12.50): their stand-in knows
 *	  which questions they cannot answer, and refuses the others.
 */
#ifndef CASINO_PUT_AWAY_H
#define CASINO_PUT_AWAY_H

#include "postgres.h"

#include "access/attnum.h"
#include "datatype/timestamp.h"
#include "nodes/pg_list.h"

#include "compat.h"

/* The columns of casino.ledger that a stand-in judges. */
typedef enum AwayColumn
{
	AWAY_BOOK, AWAY_ROUND_ID, AWAY_POSTED_AT, AWAY_RECORDED_AT, AWAY_PLAYER_ID,
	AWAY_ENTRY_NO, AWAY_STAKE_ENTRY_NO, AWAY_WITHDRAWAL_ENTRY_NO,
	AWAY_COLUMNS
} AwayColumn;

/* What a stand-in knows of its books. */
typedef struct PutAway
{
	int			nbooks;
	int32	   *books;			/* ascending */
	int64		last_round_id;	/* the greatest that an entry names, 0: none does */
	TimestampTz last_posted_at;
	TimestampTz last_recorded_at;
} PutAway;

/*
 * What a question asks of a column: nothing, a value or more, or one value
 * alone.  Of several bounds the narrowest.
 */
typedef struct AwayBound
{
	bool		given;
	bool		single;
	int64		least;
} AwayBound;

typedef struct AwayQuestion
{
	bool		nothing;		/* NULL or values that no row can have */
	AwayBound	bounds[AWAY_COLUMNS];
} AwayQuestion;

/* The column's name, or AWAY_COLUMNS for one that is not judged. */
extern AwayColumn casino_away_column(Oid relation, AttrNumber attribute);

/* Read the options of the stand-in.  Errors HV00D, HV00J, 22P02 and 22007 for options that do not fit. */
extern void casino_away_read(Oid stand_in, PutAway *away);
extern void casino_away_parse(List *options, PutAway *away);

/* Narrow the question: the column is at least, or exactly, the value. */
extern void casino_away_ask(AwayQuestion *question, AwayColumn column, int64 value, bool single);

/*
 * Has no entry of the books an answer?  Balances of the books are read as they
 * are now: an old snapshot sees the ledger without the books, too.
 */
extern bool casino_away_is_beyond(const PutAway *away, const AwayQuestion *question);

/* Refuse the question: error 55000. */
extern void casino_away_refuse(const PutAway *away, const AwayQuestion *question) pg_attribute_noreturn();

/* The same for the store: a scan of casino.ledger by one of its indexes. */
extern void casino_away_judge_scan(Oid stand_in, int index, int nkeys, const Datum *keys);

#endif							/* CASINO_PUT_AWAY_H */
