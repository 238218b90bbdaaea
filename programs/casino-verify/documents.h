/*
 * documents.h
 *	  The seal documents, which an inspector trusts: kept where the operator
 *	  could not change them.
 */
#ifndef CASINO_DOCUMENTS_H
#define CASINO_DOCUMENTS_H

#include "core/evidence/seal.h"
#include "verify.h"

/* Read documents, one a line; refused unless each follows from the one before it. */
extern void documents_read(const char *file);

extern int	documents_count(void);

/* By place from 0; by number, -1 when there is none. */
extern const CasinoSeal *document_at(int n);
extern int	document_find(int64_t seal_no);

#endif							/* CASINO_DOCUMENTS_H */
