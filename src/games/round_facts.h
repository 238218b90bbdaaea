/*
 * round_facts.h
 *	  Facts of a round for the evaluator (core/games/evaluate.h), from its outcome
 *	  and its plan.
 */
#ifndef CASINO_ROUND_FACTS_H
#define CASINO_ROUND_FACTS_H

#include "postgres.h"

#include "core/games/evaluate.h"
#include "games/outcome.h"
#include "state/round.h"

/* A player of a shared box with separate hands. */
typedef struct FactsMember
{
	int64		player_id;
	const CasinoDealtHand *hands;	/* of the player's group, then those of the table */
} FactsMember;

typedef struct RoundFacts
{
	CasinoRoundFacts round;		/* its hands: of players without separate hands */
	int			nmembers;
	FactsMember *members;		/* by player_id */
} RoundFacts;

/* Fill the facts of a round by a checked outcome; 55000 when its plan is wrong or not complete. */
extern void casino_round_facts_of(const RoundState *round, const Outcome *outcome, RoundFacts *facts);

/* The facts by which this player's wagers are evaluated. */
extern CasinoRoundFacts casino_round_facts_for(const RoundFacts *facts, int64 player_id);

#endif							/* CASINO_ROUND_FACTS_H */
