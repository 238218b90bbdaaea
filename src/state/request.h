/*
 * request.h
 *	  Requests: a key of a player and one content, answered the same again.
 *	  Called with the player's row locked, so that what is found is final.
 */
#ifndef CASINO_REQUEST_H
#define CASINO_REQUEST_H

#include "postgres.h"

#include "casino.h"
#include "datatype/timestamp.h"

/* One entry of a request that was posted before, or play of another product that was counted. */
typedef struct RequestLine
{
	int64		entry_no;		/* or number of the play */
	char	   *kind;
	int64		round_id;		/* 0: none */
	bool		has_bet;
	CasinoBet	bet;
	int			seat;
	int			hand;
	int64		amount;
	char	   *method;			/* NULL: none */
	char	   *reason;			/* NULL: none */
	char	   *reference;		/* its token; NULL: none */
	char	   *place;			/* NULL: none */
	char	   *product;		/* of other play; NULL: an entry of the ledger */
	int64		result;			/* haléře, of other play */
} RequestLine;

/* 22023 for a key without a visible character (R12.2); NULL is no key. */
extern void casino_request_check(text * request_id);

/* Entries of a request, in order; raises KL003 for one cancelled before it came. */
extern int	casino_request_find(int64 player_id, text * request_id, bool raise_cancelled,
								RequestLine **lines, bool *cancelled);

/*
 * The one recipe of a retry: what the request posted when it came first, in
 * order; 0 for one that is new, and without a key.  KL003 for one that was
 * cancelled before it came, and for other content than "same" says is the
 * same; NULL: nothing is.
 */
typedef bool (*SameContent) (const void *content, const RequestLine *lines, int n);
extern int	casino_request_answered(int64 player_id, text * request_id, SameContent same, const void *content,
									RequestLine **lines);

/* KL003; its DETAIL says what was posted first, or where and when it was cancelled. */
extern void casino_request_conflict(int64 player_id, text * request_id, const RequestLine *lines,
									int n) pg_attribute_noreturn();
extern void casino_request_was_cancelled(int64 player_id, text * request_id, int64 round_id,
										 TimestampTz at) pg_attribute_noreturn();

#endif							/* CASINO_REQUEST_H */
