/*
 * audit.h
 *	  Rules and odds of a plan as jsonb arguments, for the functions that audit it.
 */
#ifndef CASINO_AUDIT_H
#define CASINO_AUDIT_H

#include "fmgr.h"
#include "utils/jsonb.h"

#include "core/count.h"

/* Odds as casino.plan_odds has them: {kind: {grade: [num, den]}}; what is no kind or grade is passed over. */
extern void casino_audit_odds(const Jsonb *document, CasinoOdds *odds);

/* A rule that is a number; "otherwise" where it is not given, 22023 where it is something else. */
extern int	casino_audit_number(const Jsonb *rules, const char *rule, int otherwise);

/*
 * What was made of the same arguments before, in memory that lasts as long as
 * the backend; NULL when nothing was.  Functions that keep something are
 * immutable and their arguments varlenas.
 */
extern const void *casino_audit_kept(FunctionCallInfo fcinfo);
extern void casino_audit_keep(FunctionCallInfo fcinfo, const void *what, Size size);

#endif							/* CASINO_AUDIT_H */
