/*
 * count_big.c
 *	  Integers of 512 bits, and exact fractions over powers of 13.
 */
#include <stdio.h>
#include <string.h>

#include "core/returns/count_big.h"

#define TOP			(CASINO_BIG_WORDS - 1)
#define DIGITS_AT_ONCE	9
#define CHUNK		1000000000u /* 10^DIGITS_AT_ONCE */

static bool
is_negative(const CasinoBig *a)
{
	return (a->word[TOP] >> 63) != 0;
}

/* Words in use of a number that is not negative. */
static int
words_of(const CasinoBig *a)
{
	int			words = CASINO_BIG_WORDS;

	while (words > 0 && a->word[words - 1] == 0)
		words--;
	return words;
}

CasinoBig
casino_big(int64_t value)
{
	CasinoBig	big;
	int			i;

	big.word[0] = (uint64_t) value;
	for (i = 1; i < CASINO_BIG_WORDS; i++)
		big.word[i] = value < 0 ? UINT64_MAX : 0;
	return big;
}

CasinoBig
casino_big_wide(CasinoWide value)
{
	CasinoBig	big = {{(uint64_t) value, (uint64_t) (value >> 64)}};

	return big;
}

CasinoBig
casino_big_add(CasinoBig a, CasinoBig b)
{
	CasinoWide	carry = 0;
	int			i;

	for (i = 0; i < CASINO_BIG_WORDS; i++)
	{
		carry += (CasinoWide) a.word[i] + b.word[i];
		a.word[i] = (uint64_t) carry;
		carry >>= 64;
	}
	return a;
}

static CasinoBig
negate(CasinoBig a)
{
	int			i;

	for (i = 0; i < CASINO_BIG_WORDS; i++)
		a.word[i] = ~a.word[i];
	return casino_big_add(a, casino_big(1));
}

CasinoBig
casino_big_subtract(CasinoBig a, CasinoBig b)
{
	return casino_big_add(a, negate(b));
}

/*
 * casino_big_multiply
 *		Product modulo 2^512; the caller knows that it fits.
 */
CasinoBig
casino_big_multiply(CasinoBig a, CasinoBig b)
{
	bool		negative = is_negative(&a) != is_negative(&b);
	CasinoBig	product = {{0}};
	int			words_a;
	int			words_b;
	int			i;
	int			k;

	if (is_negative(&a))
		a = negate(a);
	if (is_negative(&b))
		b = negate(b);
	words_a = words_of(&a);
	words_b = words_of(&b);
	for (i = 0; i < words_a; i++)
	{
		CasinoWide	carry = 0;

		for (k = 0; k < words_b && i + k < CASINO_BIG_WORDS; k++)
		{
			carry += (CasinoWide) a.word[i] * b.word[k] + product.word[i + k];
			product.word[i + k] = (uint64_t) carry;
			carry >>= 64;
		}
		if (i + k < CASINO_BIG_WORDS)
			product.word[i + k] = (uint64_t) carry;
	}
	return negative ? negate(product) : product;
}

bool
casino_big_is_zero(CasinoBig a)
{
	return words_of(&a) == 0;
}

int
casino_big_compare(CasinoBig a, CasinoBig b)
{
	CasinoBig	difference = casino_big_subtract(a, b);

	if (is_negative(&difference))
		return -1;
	return words_of(&difference) == 0 ? 0 : 1;
}

CasinoBig
casino_big_divide(CasinoBig a, uint32_t divisor, uint32_t *rest)
{
	CasinoWide	left = 0;
	int			i;

	for (i = TOP; i >= 0; i--)
	{
		left = left << 64 | a.word[i];
		a.word[i] = (uint64_t) (left / divisor);
		left %= divisor;
	}
	if (rest != NULL)
		*rest = (uint32_t) left;
	return a;
}

size_t
casino_big_print(CasinoBig a, char text[CASINO_BIG_TEXT_SIZE])
{
	uint32_t	chunks[CASINO_BIG_TEXT_SIZE / DIGITS_AT_ONCE + 1];
	int			count = 0;
	size_t		length = 0;

	if (is_negative(&a))
	{
		text[length++] = '-';
		a = negate(a);
	}
	do
		a = casino_big_divide(a, CHUNK, &chunks[count++]);
	while (!casino_big_is_zero(a));
	length += (size_t) snprintf(text + length, CASINO_BIG_TEXT_SIZE - length, "%u", chunks[--count]);
	while (count > 0)
		length += (size_t) snprintf(text + length, CASINO_BIG_TEXT_SIZE - length, "%09u", chunks[--count]);
	return length;
}

/* 13^power, made once. */
static const CasinoBig *
power_of_13(int power)
{
	static CasinoBig powers[CASINO_THIRTEENTHS_MOST + 1];
	static int	known = 0;

	if (known == 0)
		powers[known++] = casino_big(1);
	while (known <= power)
	{
		powers[known] = casino_big_multiply(powers[known - 1], casino_big(13));
		known++;
	}
	return &powers[power];
}

static CasinoThirteenths
lost(void)
{
	CasinoThirteenths none = {{{0}}, CASINO_THIRTEENTHS_LOST};

	return none;
}

CasinoThirteenths
casino_thirteenths(int64_t number, int power)
{
	CasinoThirteenths a = {casino_big(number), power};

	return power > CASINO_THIRTEENTHS_MOST ? lost() : a;
}

CasinoBig
casino_thirteenths_over(CasinoThirteenths a, int power)
{
	if (power == a.power)
		return a.number;
	return casino_big_multiply(a.number, *power_of_13(power - a.power));
}

CasinoThirteenths
casino_thirteenths_add(CasinoThirteenths a, CasinoThirteenths b)
{
	CasinoThirteenths sum;

	if (a.power > CASINO_THIRTEENTHS_MOST || b.power > CASINO_THIRTEENTHS_MOST)
		return lost();
	sum.power = a.power > b.power ? a.power : b.power;
	sum.number = casino_big_add(casino_thirteenths_over(a, sum.power),
								casino_thirteenths_over(b, sum.power));
	return sum;
}

CasinoThirteenths
casino_thirteenths_multiply(CasinoThirteenths a, CasinoThirteenths b)
{
	CasinoThirteenths product;

	product.power = a.power + b.power;
	if (product.power > CASINO_THIRTEENTHS_MOST)
		return lost();
	product.number = casino_big_multiply(a.number, b.number);
	return product;
}

CasinoThirteenths
casino_thirteenths_times(CasinoThirteenths a, int64_t factor)
{
	a.number = casino_big_multiply(a.number, casino_big(factor));
	return a;
}

CasinoThirteenths
casino_thirteenths_over_13(CasinoThirteenths a)
{
	if (++a.power > CASINO_THIRTEENTHS_MOST)
		return lost();
	return a;
}

int
casino_thirteenths_compare(CasinoThirteenths a, CasinoThirteenths b)
{
	int			power = a.power > b.power ? a.power : b.power;

	if (power > CASINO_THIRTEENTHS_MOST)
		return 0;
	return casino_big_compare(casino_thirteenths_over(a, power), casino_thirteenths_over(b, power));
}
