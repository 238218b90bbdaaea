/*
 * input.h
 *	  Lines of a file, without copying them: a buffer that holds the line in
 *	  hand, whatever the length of the file.
 */
#ifndef CASINO_INPUT_H
#define CASINO_INPUT_H

#include "verify.h"

typedef struct Input
{
	Place		place;			/* of the line in hand */
	int			fd;
	char	   *buffer;
	size_t		size;
	size_t		start;			/* of what has not been handed out */
	size_t		end;
	bool		over;
} Input;

extern void input_open(Input *input, const char *file);

/*
 * The next line without its line end, which stays until the next call; false: there is none.  *whole: it has
 * a line end.
 */
extern bool input_line(Input *input, const char **line, size_t *len, bool *whole);

extern void input_close(Input *input);

/* A whole file of a size that documents have; refused when it is larger. */
extern char *input_file(const char *file, size_t *len);

#endif							/* CASINO_INPUT_H */
