/*
 * numbers.h
 *	  Lists of numbers: of players, rounds and entries.
 */
#ifndef CASINO_NUMBERS_H
#define CASINO_NUMBERS_H

#include "postgres.h"

typedef struct Numbers
{
	int			n;
	int64	   *numbers;
} Numbers;

/* The last result's column, row by row. */
extern Numbers casino_column_numbers(uint64 rows, int column);

/* As bigint[], in the current memory context */
extern Datum casino_numbers_array(const int64 *numbers, int n);

/* Of a list in ascending order */
extern bool casino_numbers_have(Numbers list, int64 number);

/* for qsort() and bsearch() */
extern int	casino_numbers_compare(const void *a, const void *b);

#endif							/* CASINO_NUMBERS_H */
