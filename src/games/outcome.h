/*
 * outcome.h
 *	  Outcome documents: jsonb to cards and numbers, and the check that they
 *	  could have been dealt so.  No table is read here.
 */
#ifndef CASINO_OUTCOME_H
#define CASINO_OUTCOME_H

#include "postgres.h"

#include "utils/jsonb.h"

#include "casino.h"
#include "core/hand.h"
#include "core/games/texas_action.h"
#include "state/plan_rule_set.h"

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
	const struct FamilyRules *family;
	Jsonb	   *canonical;		/* the same document in one form, for comparison and storage */
	int			nhands;			/* by side, seat, group, hand */
	OutcomeHand *hands;
	int			number;			/* roulette: the number */
	int			button;			/* Texas Hold'em: seat of the button, else 0 */
	bool		has_actions;	/* Texas Hold'em: the betting is told */
	int			nactions;
	CasinoAction *actions;
} Outcome;

/*
 * Read a document of the family: KR001 for a missing, unknown or wrong member,
 * 22P02 for cards that cannot be read.
 */
extern void casino_outcome_read(const struct FamilyRules *family, const Jsonb *document, bool partial,
								Outcome *outcome);

/* Could it have been dealt so under these rules?  KR001. */
extern void casino_outcome_check(const Outcome *outcome, const PlanRuleSet *rules);

/* The hand of that side, seat, group and number; NULL when there is none. */
extern const OutcomeHand *casino_outcome_hand(const Outcome *outcome, const char *side, int seat,
											  int group, int hand);

#endif							/* CASINO_OUTCOME_H */
