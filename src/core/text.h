/*
 * text.h
 *	  Small readers shared by the parsers of the core; not for the glue.
 */
#ifndef CASINO_TEXT_H
#define CASINO_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* how many bytes of foreign input a message quotes at most */
#define CASINO_TEXT_QUOTED	40

static inline bool
casino_text_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Precision for "%.*s" that quotes len bytes of input, cut when too long. */
static inline int
casino_text_quoted(size_t len)
{
	return len < CASINO_TEXT_QUOTED ? (int) len : CASINO_TEXT_QUOTED;
}

/*
 * Read a number 0 to 99 at text[0..len), without sign and leading zero.
 * Returns the number of bytes taken, 0 when no such number stands there (a
 * third digit included); what follows is the caller's.
 */
static inline size_t
casino_text_number(const char *text, size_t len, int *number)
{
	size_t		digits = 0;
	int			value = 0;

	while (digits < len && casino_text_is_digit(text[digits]))
	{
		if (digits == 2)
			return 0;
		value = value * 10 + (text[digits] - '0');
		digits++;
	}
	if (digits == 0 || (digits > 1 && text[0] == '0'))
		return 0;
	*number = value;
	return digits;
}

#endif							/* CASINO_TEXT_H */
