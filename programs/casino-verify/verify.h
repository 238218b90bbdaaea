/*
 * verify.h
 *	  What the parts of casino-verify share: where something stands, how it is
 *	  refused, memory, SHA-256.
 */
#ifndef CASINO_VERIFY_H
#define CASINO_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/evidence/merkle.h"

/* exit status */
#define DOES_NOT_FIT	1
#define CANNOT_TELL		2
#define NOT_ALL_GRADED	3

/* A line of a file; of the whole file when the line is 0. */
typedef struct Place
{
	const char *file;
	int64_t		line;
} Place;

/* Print place and reason of what does not fit, and end the program with DOES_NOT_FIT. */
extern void refuse(Place place, const char *format,...) __attribute__((format(printf, 2, 3), noreturn));

/* It cannot be told whether all fits: end with CANNOT_TELL. */
extern void cannot(const char *file, const char *why) __attribute__((noreturn));

/* realloc() of count elements that ends the program when there is no memory. */
extern void *resize(void *old, size_t count, size_t size);

/* A CasinoSha256. */
extern void verify_sha256(int prefix, const void *data, size_t len, CasinoHash *hash);

#endif							/* CASINO_VERIFY_H */
