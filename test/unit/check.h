/*
 * check.h
 *	  Counting checks of a unit program.  Included once by each, in its own file;
 *	  its main() ends with "return conclude(name);".
 */
#ifndef CASINO_TEST_CHECK_H
#define CASINO_TEST_CHECK_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int	passed = 0;
static int	failed = 0;

static inline void
count_check(bool ok, const char *file, int line, const char *what, const char *context)
{
	if (ok)
		passed++;
	else
	{
		failed++;
		printf("%s:%d: failed: %s (%s)\n", file, line, what, context);
	}
}

static inline void
count_int(int64_t got, int64_t want, const char *file, int line, const char *what)
{
	char		both[64];

	snprintf(both, sizeof(both), "got %" PRId64 ", want %" PRId64, got, want);
	count_check(got == want, file, line, what, both);
}

#define CHECK(condition)			count_check((condition), __FILE__, __LINE__, #condition, "")
#define CHECK_INT(got, want)		count_int((got), (want), __FILE__, __LINE__, #got)
#define CHECK_TEXT(got, want)		count_check(strcmp((got), (want)) == 0, __FILE__, __LINE__, #got, (got))
/* of a check in a loop: the text says which of them failed */
#define CHECK_FOR(condition, text)	count_check((condition), __FILE__, __LINE__, #condition, (text))

/* The last line, which the suite reads, and the exit status. */
static inline int
conclude(const char *program)
{
	printf("%s: %d passed, %d failed\n", program, passed, failed);
	return failed == 0 ? 0 : 1;
}

#endif							/* CASINO_TEST_CHECK_H */
