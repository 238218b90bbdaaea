/*
 * audit.h
 *	  What the functions that audit a plan have worked out, kept in the session.
 */
#ifndef CASINO_AUDIT_H
#define CASINO_AUDIT_H

#include "fmgr.h"

/*
 * What was made of the same arguments before, in memory that lasts as long as
 * the session; NULL when nothing was.  Functions that keep something are
 * immutable and their arguments varlenas.
 */
extern const void *casino_audit_kept(FunctionCallInfo fcinfo);
extern void casino_audit_keep(FunctionCallInfo fcinfo, const void *what, Size size);

#endif							/* CASINO_AUDIT_H */
