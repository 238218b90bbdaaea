/*
 * input.c
 *	  Lines of a file.
 */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK		((size_t) 1 << 18)

/* longer than a document, a day's report or the players of a shared box become */
#define LINE_MOST	((size_t) 1 << 26)

void
input_open(Input *input, const char *file)
{
	memset(input, 0, sizeof(*input));
	input->place.file = file;
	input->fd = open(file, O_RDONLY);
	if (input->fd < 0)
		cannot(file, strerror(errno));
	input->size = BLOCK;
	input->buffer = resize(NULL, input->size, 1);
}

/* Read on; what has not been handed out moves to the front. */
static void
fill(Input *input)
{
	ssize_t		got;

	if (input->start > 0)
	{
		memmove(input->buffer, input->buffer + input->start, input->end - input->start);
		input->end -= input->start;
		input->start = 0;
	}
	if (input->end == input->size)
	{
		input->place.line++;
		if (input->size >= LINE_MOST)
			refuse(input->place, "the line is longer than a row of evidence can be");
		input->place.line--;
		input->size *= 2;
		input->buffer = resize(input->buffer, input->size, 1);
	}
	do
		got = read(input->fd, input->buffer + input->end, input->size - input->end);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		cannot(input->place.file, strerror(errno));
	input->end += (size_t) got;
	input->over = got == 0;
}

bool
input_line(Input *input, const char **line, size_t *len, bool *whole)
{
	size_t		seen = 0;

	for (;;)
	{
		char	   *from = input->buffer + input->start;
		size_t		there = input->end - input->start;
		char	   *end = there > seen ? memchr(from + seen, '\n', there - seen) : NULL;

		if (end != NULL || input->over)
		{
			if (end == NULL && there == 0)
				return false;
			*whole = end != NULL;
			*line = from;
			*len = end != NULL ? (size_t) (end - from) : there;
			input->start += *len + *whole;
			input->place.line++;
			return true;
		}
		seen = there;
		fill(input);
	}
}

void
input_close(Input *input)
{
	close(input->fd);
	free(input->buffer);
}

char *
input_file(const char *file, size_t *len)
{
	Input		input;

	input_open(&input, file);
	while (!input.over)
		fill(&input);
	close(input.fd);
	*len = input.end;
	return input.buffer;
}
