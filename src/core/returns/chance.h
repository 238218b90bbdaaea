/*
 * chance.h
 *	  How likely is it that chance alone gives as much: the upper tail of the
 *	  chi-square distribution.  Floating point: it judges wheels and cards, no
 *	  money depends on it.
 */
#ifndef CASINO_CHANCE_H
#define CASINO_CHANCE_H

/* 0 to 1; 1 for a value not above 0, and for degrees of freedom that are none. */
extern double casino_chi_square_tail(double value, int degrees);

#endif							/* CASINO_CHANCE_H */
