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
#include "core/texas_action.h"

/*
 * One hand of an outcome, a row of casino.dealt_hand.  Hands of one group
 * belong together: those of a seat, or at a shared box those of the same
 * players; group 0 of a shared box is everybody's who has none of his own.
 */
typedef struct OutcomeHand
{
	const char *side;			/* player, banker, dealer, board, box */
	int			seat;			/* 0: none */
	int			group;
	int			hand;			/* from 1 */
	CasinoHand	cards;
	bool		surrendered;
	bool		folded;
	bool		even_money;		/* for everybody on the hand */
	int			neven;			/* players who took even money, ascending */
	int64	   *even;
	int			nplayers;		/* players of the group, ascending; on its hand 1 */
	int64	   *players;
} OutcomeHand;

typedef struct Outcome
{
	const struct OutcomeFamily *family;
	Jsonb	   *canonical;		/* the same document in one form, for comparison and storage */
	int			nhands;			/* by side, seat, group, hand */
	OutcomeHand *hands;
	int			number;			/* roulette: the number */
	int			button;			/* Texas Hold'em: seat of the button, else 0 */
	bool		has_actions;	/* Texas Hold'em: the betting is told */
	int			nactions;
	CasinoAction *actions;
} Outcome;

/* What a family of games does with its documents. */
typedef struct OutcomeFamily
{
	const char *name;

	/* Read a document; "partial": cards as they fall, parts may be missing. */
	void		(*read) (const Jsonb *document, bool partial, Outcome *outcome);

	/* Could it have been dealt so, wagers apart?  "rules" is an object of texts. */
	void		(*check) (const Outcome *outcome, const Jsonb *rules);
} OutcomeFamily;

extern const OutcomeFamily casino_outcome_roulette;
extern const OutcomeFamily casino_outcome_baccarat;
extern const OutcomeFamily casino_outcome_blackjack;
extern const OutcomeFamily casino_outcome_casino_holdem;
extern const OutcomeFamily casino_outcome_texas_holdem;

/* Is the logic of this family of games built? */
extern bool casino_family_is_built(const char *family);

/*
 * Read a document: KR001 for a missing, unknown or wrong member, 22P02 for
 * cards that cannot be read, 0A000 for a family that is not built.
 */
extern void casino_outcome_read(const char *family, const Jsonb *document, bool partial,
								Outcome *outcome);

/* Could it have been dealt so under these rules (an object of texts)?  KR001. */
extern void casino_outcome_check(const Outcome *outcome, const Jsonb *rules);

/* The hand of that side, seat, group and number; NULL when there is none. */
extern const OutcomeHand *casino_outcome_hand(const Outcome *outcome, const char *side, int seat,
											  int group, int hand);

#endif							/* CASINO_OUTCOME_H */
