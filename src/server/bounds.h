/*
 * bounds.h
 *	  How long a text may be that is kept: it is stored, indexed, copied and
 *	  shown, and comes from outside.
 */
#ifndef CASINO_BOUNDS_H
#define CASINO_BOUNDS_H

#include "postgres.h"

#include "fmgr.h"
#include "utils/jsonb.h"

#define CASINO_KEY_BYTES		200 /* request ids, references, names, places */
#define CASINO_REASON_BYTES		1000
#define CASINO_WORD_BYTES		64	/* accounts, methods */
#define CASINO_DOCUMENT_BYTES	(4 * 1024 * 1024)	/* outcome documents: a shared box may have ten thousand
													 * hands */

/* 22001 for a text of more bytes; NULL passes. */
extern void casino_bound_text(const char *name, const text * value, int bytes);
extern void casino_bound_cstring(const char *name, const char *value, int bytes);

/* Is there nothing but white space? */
extern bool casino_is_blank(const char *text);

/* Argument n, a reason; 22004, 22001, 22023 when it is missing, too long or blank: "what" needs one. */
extern char *casino_reason_argument(FunctionCallInfo fcinfo, int n, const char *what);

/* 22001 for an outcome document of more than CASINO_DOCUMENT_BYTES. */
extern void casino_bound_document(const char *name, const Jsonb *document);

#endif							/* CASINO_BOUNDS_H */
