/*
 * error.h
 *	  What a function of the pure core says when it refuses its input.
 *
 * The fmgr glue turns it into ereport: malformed is 22P02, out of range 22003,
 * illegal outcome KR001.
 */
#ifndef CASINO_ERROR_H
#define CASINO_ERROR_H

#include <stdbool.h>

typedef enum CasinoErrorCode
{
	CASINO_OK,
	CASINO_MALFORMED,			/* not the text or bytes of such a value */
	CASINO_OUT_OF_RANGE,		/* well formed, but an amount or count too large or small */
	CASINO_ILLEGAL_OUTCOME		/* cards that could not have been dealt or played so */
} CasinoErrorCode;

typedef struct CasinoError
{
	CasinoErrorCode code;
	char		detail[192];	/* one sentence, ends with a full stop */
} CasinoError;

/*
 * Fill *error, printf style, and return false, so that a parser can end with
 * "return casino_fail(...)".  Bytes of foreign input must be given with a
 * bounded %.*s; bytes outside printable ASCII are written as "?".
 */
extern bool casino_fail(CasinoError *error, CasinoErrorCode code,
						const char *format,...)
			__attribute__((format(printf, 3, 4)));

#endif							/* CASINO_ERROR_H */
