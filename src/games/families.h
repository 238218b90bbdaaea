/*
 * families.h
 *	  What a family of games adds to the rules of stakes and of settlement,
 *	  beyond positions and limits.
 */
#ifndef CASINO_FAMILIES_H
#define CASINO_FAMILIES_H

#include "state/ledger.h"

#include "games/outcome.h"
#include "state/round_wagers.h"

typedef struct FamilyRules
{
	const char *family;

	/*
	 * Highest hand that a wager of the kind may name in any game of the family.
	 * NULL: the family has no hands to name.
	 */
	int			(*hands) (int kind);

	/* KB002, KB004, KB005: may the player add these to what lies there? */
	void		(*check_stakes) (const RoundState *round, const PlayerState *player,
								 const Wager *lying, int nlying, const Wager *added, int nadded);

	/* Can the wager stand among these (others are gone)?  NULL: always */
	bool		(*is_supported) (const RoundState *round, const Wager *wager,
								 const Wager *wagers, int n, const bool *gone);

	/*
	 * KR001: could the outcome have been played with the wagers of the round?
	 * "partial": cards as they fall.  NULL: wagers do not matter.
	 */
	void		(*check_round) (const RoundState *round, const Outcome *outcome,
								const RoundWagers *wagers, bool partial);

	/*
	 * Grade every wager of a round on a checked outcome.  Games between players
	 * give the payout too (RoundWager.shares).
	 */
	void		(*grade) (const RoundState *round, const Outcome *outcome, RoundWagers *wagers);

	/*
	 * May the player decide on the box from now on, in place of "*former"?
	 * KB004, KB005 if not; false when he does already.  NULL: never.
	 */
	bool		(*hand_over) (const RoundState *round, int seat, int64 player_id, int64 *former);

	/* The players are paid from each other's stakes, not by the house. */
	bool		between_players;
} FamilyRules;

extern const FamilyRules casino_roulette_family;
extern const FamilyRules casino_baccarat_family;
extern const FamilyRules casino_blackjack_family;
extern const FamilyRules casino_casino_holdem_family;
extern const FamilyRules casino_texas_holdem_family;

/* Rules of the round's family. */
extern const FamilyRules *casino_family_rules(const RoundState *round);

/* Rule set of a plan version as an object of texts. */
extern Jsonb *casino_plan_rules(int64 plan_id);

/* Seats where the player has staked in the round, ascending, returned stakes too; returns how many. */
extern int	casino_box_seats(int64 round_id, int64 player_id, int **seats);

/*
 * Players whose bets behind lie on the boxes where this player's main bets are
 * (his own lock not yet taken): locks those boxes, and gives the players
 * ascending.  They are to be locked in order with him.
 */
extern int64 *casino_box_followers(int64 round_id, int64 player_id, int *count);

/* Is there still a main bet on the box? */
extern bool casino_box_has_main(int64 round_id, int seat);

/* Is there a bet behind on the box?  Its lock is held. */
extern bool casino_box_has_behind(int64 round_id, int seat);

/* Exclusive lock on a seat (box) of a round, after the round's and before players'. */
extern void casino_box_lock(int64 round_id, int seat);

#endif							/* CASINO_FAMILIES_H */
