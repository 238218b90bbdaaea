/*
 * exports.h
 *	  Exported days, held against their seals line by line.
 */
#ifndef CASINO_EXPORTS_H
#define CASINO_EXPORTS_H

#include "verify.h"

/* Read an export to its end. */
extern void exports_read(const char *file);

typedef struct Exported
{
	int			seals;
	int64_t		rows;
	int64_t		entries;
} Exported;

extern Exported exports_count(void);

/* Has the seal with this place among the documents been exported? */
extern bool exports_have(int document);

#endif							/* CASINO_EXPORTS_H */
