/*
 * posting.h
 *	  Statements of our own that write what only the ledger may write.
 */
#ifndef CASINO_POSTING_H
#define CASINO_POSTING_H

#include "server/query.h"

/*
 * While posting, rows that our own statement inserts pass the row trigger and
 * the guards.  No SQL can set this: it holds only for triggers fired directly
 * by the statement run here, not for what other triggers insert in turn.
 */
extern uint64 casino_execute_posting(PreparedQuery *query, Datum *values, const char *nulls);
extern bool casino_is_posting(void);

#endif							/* CASINO_POSTING_H */
