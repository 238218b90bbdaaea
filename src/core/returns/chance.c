/*
 * chance.c
 *	  The upper tail of the chi-square distribution: the regularized incomplete
 *	  gamma function Q(degrees / 2, value / 2), by its series below the mean and
 *	  by its continued fraction (Lentz) above.
 */
#include <math.h>

#include "core/returns/chance.h"

#define STEPS_MOST	10000
#define ENOUGH		1e-15
#define TINY		1e-300

/* exp(-x) x^a / Gamma(a), which both sums are multiplied by */
static double
factor(double a, double x)
{
	return exp(a * log(x) - x - lgamma(a));
}

static double
lower_by_series(double a, double x)
{
	double		term = 1 / a;
	double		sum = term;
	int			i;

	for (i = 1; i < STEPS_MOST && term > sum * ENOUGH; i++)
	{
		term *= x / (a + i);
		sum += term;
	}
	return sum * factor(a, x);
}

static double
upper_by_fraction(double a, double x)
{
	double		b = x + 1 - a;
	double		c = 1 / TINY;
	double		d = 1 / b;
	double		value = d;
	int			i;

	for (i = 1; i < STEPS_MOST; i++)
	{
		double		an = -i * (i - a);
		double		change;

		b += 2;
		d = an * d + b;
		d = 1 / (fabs(d) < TINY ? TINY : d);
		c = b + an / c;
		c = fabs(c) < TINY ? TINY : c;
		change = d * c;
		value *= change;
		if (fabs(change - 1) < ENOUGH)
			break;
	}
	return value * factor(a, x);
}

/*
 * casino_chi_square_tail
 *		Probability of such a value or a greater one.
 */
double
casino_chi_square_tail(double value, int degrees)
{
	double		a = degrees / 2.0;
	double		x = value / 2;

	if (degrees < 1 || !(value > 0))
		return 1;
	if (isinf(value))
		return 0;
	return x < a + 1 ? 1 - lower_by_series(a, x) : upper_by_fraction(a, x);
}
