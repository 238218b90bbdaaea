/*
 * families.h
 *	  The registry of the families of games: one struct a family, with all that
 *	  the rest of the code asks of it.
 *
 * Which families there are stands once, in core/games/family_list.h; SQL asks
 * casino.families().  Nobody else tests the name of a family.
 */
#ifndef CASINO_FAMILIES_H
#define CASINO_FAMILIES_H

#include "postgres.h"

#include "casino.h"
#include "state/player.h"
#include "state/round.h"
#include "state/wagers.h"

#include "core/returns/best_round.h"
#include "core/returns/count.h"
#include "core/games/family.h"
#include "games/outcome.h"
#include "state/plan_rule_set.h"
#include "state/round_wagers.h"

/* What can be left NULL says what that means; the rest every family has. */
typedef struct FamilyRules
{
	/* Its name, the rules of its plans, its kinds of bet and their grades. */
	const CasinoFamilyPlan *plan;

	/* ---- its outcome document (outcome.h) ---- */

	/* Read a document; "partial": cards as they fall, parts may be missing. */
	void		(*read_outcome) (const Jsonb *document, bool partial, Outcome *outcome);

	/* KR001: could it have been dealt so, wagers apart?  NULL: always */
	void		(*check_outcome) (const Outcome *outcome, const PlanRuleSet *rules);

	/* ---- its stakes ---- */

	/*
	 * Highest hand that a wager of the kind may name in any game of the family. NULL: the family has no
	 * hands to name.
	 */
	int			(*hands) (int kind);

	/*
	 * haléře that the player may still stake in the round, of which all in is all.  NULL: the wallet alone
	 * bounds the player.
	 */
	int64		(*chips) (const RoundState *round, const PlayerState *player,
						  const Wager *placed, int nplaced);

	/* KB002, KB004, KB005: may the player add these to what lies there?  NULL: always */
	void		(*check_stakes) (const RoundState *round, const PlayerState *player,
								 const Wager *placed, int nplaced, const Wager *added, int nadded);

	/* Can the wager stand among these (others are gone)?  NULL: always */
	bool		(*is_supported) (const RoundState *round, const Wager *wager,
								 const Wager *wagers, int n, const bool *gone);

	/*
	 * May the player decide on the box from now on, in place of "*former"? KB004, KB005 if not; false when
	 * he does already.  NULL: never.
	 */
	bool		(*hand_over) (const RoundState *round, int seat, int64 player_id, int64 *former);

	/*
	 * The cards that lie there with this decision of the player marked in them.  "decision" stakes nothing:
	 * even_money, surrender.  KB004, KB005.  NULL: the family has no such decisions.
	 */
	void		(*decide) (const RoundState *round, int64 player_id, int seat, const char *decision,
						   const RoundWagers *wagers, Outcome *outcome);

	/* Seats of a table where every table has some, whatever its plan says; 0: by the plan */
	int			seats;

	/* ---- its rounds ---- */

	/*
	 * KR001: could the outcome have been played with the wagers of the round? "partial": cards as they fall.
	 * NULL: wagers do not matter.
	 */
	void		(*check_round) (const RoundState *round, const Outcome *outcome,
								const RoundWagers *wagers, bool partial);

	/*
	 * Pay the wagers of a round on a checked outcome: the players are paid from each other's stakes, not by
	 * the house.  NULL: each player's wagers are evaluated by themselves (core/games/evaluate.h).
	 */
	void		(*share) (const Outcome *outcome, RoundWagers *wagers);

	/* ---- its quotes ---- */

	/*
	 * On which hands do one player's bets lie?  "hands" comes filled with 1. KR001 for cards that could not
	 * have been played so with these bets. NULL: all lie on hand 1.
	 */
	void		(*quote_hands) (int64 plan_id, const Jsonb *document, int n, const CasinoBet *bets,
								int *hands);

	/* ---- its plans, audited ---- */

	/* The rules of a plan as plan->grades takes them; 55000 when some are missing.  NULL: it takes none */
	const void *(*read_rules) (const PlanRuleSet *rules);

	/*
	 * Count how often a bet ends how.  "kind" is 0 for an announced bet of that name; what is no bet of the
	 * family, and what cannot be counted, has no lines.  NULL: nothing is counted.
	 */
	void		(*count) (int kind, const char *name, const PlanRuleSet *rules, const CasinoOdds *odds,
						  CasinoCountSink sink, void *context);

	/* The most that one player's bets can win together.  NULL: not looked for. */
	void		(*best_round) (const PlanRuleSet *rules, const CasinoOdds *odds, const CasinoStakes *stakes,
							   CasinoBestRound *best);
} FamilyRules;

#define CASINO_FAMILY(symbol, name)	extern const FamilyRules casino_##name##_family;
#include "core/games/family_list.h"

/* Rules of the round's family. */
extern const FamilyRules *casino_family_rules(const RoundState *round);

/* Rules of the family of that name; NULL when there is none. */
extern const FamilyRules *casino_family_of_name(const char *name);

/* The word of a grade, as text; 22023 for a kind that has no place in the family's games. */
extern Datum casino_grade_datum(CasinoGrade grade, const CasinoBet *bet, const FamilyRules *family);

#endif							/* CASINO_FAMILIES_H */
