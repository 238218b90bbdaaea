/*
 * blackjack_table.h
 *	  The cards of a blackjack round as they stand in casino.dealt_hand.
 */
#ifndef CASINO_BLACKJACK_TABLE_H
#define CASINO_BLACKJACK_TABLE_H

#include "postgres.h"

#include "casino.h"
#include "core/games/blackjack_rules.h"
#include "games/families.h"
#include "server/refusal.h"
#include "state/player.h"
#include "state/round.h"
#include "state/wagers.h"

/* One hand of a box. */
typedef struct BlackjackHand
{
	CasinoHand	cards;
	bool		surrendered;
	bool		even_money;		/* for all on the hand */
	int			neven;			/* players who took it */
	int64	   *even;
} BlackjackHand;

/* The hands of a seat, or of the same players of a shared box; group 0 is everybody's. */
typedef struct BlackjackGroup
{
	int			seat;
	int			number;
	int			nhands;
	BlackjackHand *hands;
	int			nplayers;		/* of groups of a shared box but 0; ascending */
	int64	   *players;
} BlackjackGroup;

/* A player of a shared box with hands of his own. */
typedef struct BlackjackMember
{
	int64		player_id;
	const BlackjackGroup *group;
} BlackjackMember;

typedef struct BlackjackTable
{
	CasinoHand	dealer;
	int			ngroups;
	BlackjackGroup *groups;

	/* shared box */
	const BlackjackGroup *everybodys;	/* group 0, NULL: none */
	int			nmembers;
	BlackjackMember *members;	/* of all other groups, by player_id */
} BlackjackTable;

/* NULL when no cards were dealt. */
extern const BlackjackTable *casino_blackjack_table_load(int64 round_id);

/* The same from an outcome; it refers to the outcome's arrays. */
extern const BlackjackTable *casino_blackjack_table_of(const Outcome *outcome);

/* Hands that a player on that seat (0: shared box) plays; NULL when there are none. */
extern const BlackjackGroup *casino_blackjack_group_of(const BlackjackTable *table, int seat,
													   int64 player_id);

/* Why nothing is left to decide on the cards. */
typedef struct BlackjackDecided
{
	RefusalReason reason;
	int			cards;			/* of the dealer, where these are why */
	const char *detail;
} BlackjackDecided;

/*
 * Has the dealer shown the hand, or was a hand of the group given up or paid?  Who decides now knows how it
 * ends (R3.42).  "group" may be NULL; "insures": the wager is a bet on the dealer's second card itself.
 */
extern bool casino_blackjack_is_decided(const CasinoBlackjackRules *rules, const BlackjackTable *table,
										const BlackjackGroup *group, int64 player_id, bool insures,
										BlackjackDecided *decided);

/*
 * Rules of a plan, and (unless "sources" is NULL) where they stand; 55000 when they are wrong or not
 * complete.
 */
extern void casino_blackjack_rules_of(const PlanRuleSet *set, CasinoBlackjackRules *rules,
									  CasinoBlackjackSources *sources);

/* The same of a plan version. */
extern void casino_blackjack_plan_load(int64 plan_id, CasinoBlackjackRules *rules,
									   CasinoBlackjackSources *sources);

/*
 * Could one player with these marks have played the only group of the table?
 * KR001.  Of who has no main bet among them the other wagers on his hands are
 * not known: then only what has been dealt must be right.
 */
extern void casino_blackjack_check_alone(const CasinoBlackjackCase *whole, const BlackjackTable *table,
										 int64 marks);

/* See FamilyRules.  Each stands in the file of its name; the family's struct in blackjack_family.c. */
extern void casino_blackjack_read_outcome(const Jsonb *document, bool partial, Outcome *outcome);
extern void casino_blackjack_check_outcome(const Outcome *outcome, const PlanRuleSet *rules);
extern int	casino_blackjack_hands(int kind);
extern void casino_blackjack_check_stakes(const RoundState *round, const PlayerState *player,
										  const Wager *placed,
										  int nplaced, const Wager *added, int nadded);
extern void casino_blackjack_decide(const RoundState *round, int64 player_id, int seat, const char *name,
									const RoundWagers *wagers, Outcome *outcome);
extern void casino_blackjack_check_round(const RoundState *round, const Outcome *outcome,
										 const RoundWagers *wagers, bool partial);
extern void casino_blackjack_quote_hands(int64 plan_id, const Jsonb *document, int n, const CasinoBet *bets,
										 int *hands);

#endif							/* CASINO_BLACKJACK_TABLE_H */
