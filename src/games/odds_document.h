/*
 * odds_document.h
 *	  The odds of a plan as SQL passes them (view casino.plan_odds): {kind: {grade:
 *	  [num, den], "declared_win": amount}}.
 */
#ifndef CASINO_ODDS_DOCUMENT_H
#define CASINO_ODDS_DOCUMENT_H

#include "postgres.h"

#include "utils/jsonb.h"

#include "core/returns/count.h"

/* The grades of a kind; NULL when it has none, 22023 for anything but objects. */
extern const JsonbContainer *casino_odds_of_kind(const Jsonb *odds, const char *kind);

/* Profit to stake of a grade of the kind; false when it has no line, 22023 for anything but two numbers. */
extern bool casino_odds_of_grade(const JsonbContainer *of_kind, const char *kind, const char *grade, int len,
								 int32 *num, int32 *den);

/* All of them; what is no kind or grade is passed over. */
extern void casino_odds_read(const Jsonb *document, CasinoOdds *odds);

#endif							/* CASINO_ODDS_DOCUMENT_H */
