/*
 * count_big.h
 *	  Integers of 512 bits, and exact fractions over powers of 13, for counts that
 *	  do not fit into 128 bits.
 */
#ifndef CASINO_COUNT_BIG_H
#define CASINO_COUNT_BIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CASINO_BIG_WORDS	8

/* two's complement, lowest word first */
typedef struct CasinoBig
{
	uint64_t	word[CASINO_BIG_WORDS];
} CasinoBig;

/* decimal digits of 512 bits, a sign and the NUL */
#define CASINO_BIG_TEXT_SIZE	160

__extension__ typedef unsigned __int128 CasinoWide;

extern CasinoBig casino_big(int64_t value);
extern CasinoBig casino_big_wide(CasinoWide value);
extern CasinoBig casino_big_add(CasinoBig a, CasinoBig b);
extern CasinoBig casino_big_subtract(CasinoBig a, CasinoBig b);
extern CasinoBig casino_big_multiply(CasinoBig a, CasinoBig b);
extern bool casino_big_is_zero(CasinoBig a);
extern int	casino_big_compare(CasinoBig a, CasinoBig b);

/* Divide a number that is not negative by a small one; *rest may be NULL. */
extern CasinoBig casino_big_divide(CasinoBig a, uint32_t divisor, uint32_t *rest);

/* Decimal digits with NUL; returns their length. */
extern size_t casino_big_print(CasinoBig a, char text[CASINO_BIG_TEXT_SIZE]);

/*
 * number / 13^power: a probability, or an expectation, of cards of which each
 * has one of thirteen ranks whatever came before (an endless shoe).  Beyond a
 * power that leaves room for every sum here it is no number any more, and
 * stays so in all that is made of it.
 */
typedef struct CasinoThirteenths
{
	CasinoBig	number;
	int			power;			/* CASINO_THIRTEENTHS_LOST: no number */
} CasinoThirteenths;

#define CASINO_THIRTEENTHS_MOST	120 /* 13^120 has 445 bits */
#define CASINO_THIRTEENTHS_LOST	(CASINO_THIRTEENTHS_MOST + 1)

extern CasinoThirteenths casino_thirteenths(int64_t number, int power);
extern CasinoThirteenths casino_thirteenths_add(CasinoThirteenths a, CasinoThirteenths b);
extern CasinoThirteenths casino_thirteenths_multiply(CasinoThirteenths a, CasinoThirteenths b);
extern CasinoThirteenths casino_thirteenths_times(CasinoThirteenths a, int64_t factor);
extern CasinoThirteenths casino_thirteenths_over_13(CasinoThirteenths a);
extern int	casino_thirteenths_compare(CasinoThirteenths a, CasinoThirteenths b);

/* The number over 13^power, for a power not below a's. */
extern CasinoBig casino_thirteenths_over(CasinoThirteenths a, int power);

#endif							/* CASINO_COUNT_BIG_H */
