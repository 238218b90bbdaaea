/*
 * error.c
 *	  What a function of the pure core says when it refuses its input.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"

/* the paragraph sign of "D4 Baccarat §9" in UTF-8: the one sign beyond ASCII */
static const char paragraph[] = "\xC2\xA7";

#define PARAGRAPH_LEN	(sizeof(paragraph) - 1)

/*
 * casino_fail
 *		Fill *error with code and formatted detail, and return false.
 *
 * Bytes outside printable ASCII become "?", since quoted input may be in any
 * encoding or none.  The paragraph sign stays when it is the format's own; such
 * a format quotes no foreign input.  A detail that is too long ends in "...".
 */
bool
casino_fail(CasinoError *error, CasinoErrorCode code, const char *format,...)
{
	bool		has_paragraph = strstr(format, paragraph) != NULL;
	va_list		args;
	int			needed;
	char	   *p;

	error->code = code;
	va_start(args, format);
	needed = vsnprintf(error->detail, sizeof(error->detail), format, args);
	va_end(args);

	if (needed < 0)
		error->detail[0] = '\0';
	else if ((size_t) needed >= sizeof(error->detail))
		memcpy(error->detail + sizeof(error->detail) - 4, "...", 4);

	for (p = error->detail; *p != '\0'; p++)
	{
		unsigned char byte = (unsigned char) *p;

		if (has_paragraph && strncmp(p, paragraph, PARAGRAPH_LEN) == 0)
			p += PARAGRAPH_LEN - 1;
		else if (byte < 0x20 || byte > 0x7E)
			*p = '?';
	}
	return false;
}
