/*
 * outcome.h
 *	  Outcome documents: jsonb to cards and numbers, and the check that they
 *	  could have been dealt so.  No table is read here.
 */
#ifndef CASINO_OUTCOME_H
#define CASINO_OUTCOME_H

#include "postgres.h"

#include "utils/jsonb.h"

#include "core/hand.h"

/* One hand of an outcome, a row of casino.dealt_hand. */
typedef struct OutcomeHand
{
	const char *side;			/* player, banker, dealer, board, box */
	int			seat;			/* 0: none */
	int64		player_id;		/* 0: everybody's */
	int			hand;			/* from 1 */
	CasinoHand	cards;
} OutcomeHand;

typedef struct Outcome
{
	const struct OutcomeFamily *family;
	Jsonb	   *canonical;		/* the same document in one form, for comparison and storage */
	int			number;			/* roulette, else 0 */
	int			nhands;
	OutcomeHand *hands;
} Outcome;

/* Is the logic of this family of games built? */
extern bool casino_family_is_built(const char *family);

/*
 * Read a document: KR001 for a missing, unknown or wrong member, 22P02 for
 * cards that cannot be read, 0A000 for a family that is not built.
 */
extern void casino_outcome_read(const char *family, const Jsonb *document, Outcome *outcome);

/* Could it have been dealt so under these rules (an object of texts)?  KR001. */
extern void casino_outcome_check(const Outcome *outcome, Jsonb *rules);

#endif							/* CASINO_OUTCOME_H */
