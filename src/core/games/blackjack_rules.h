/*
 * blackjack_rules.h
 *	  The rules in which the versions of blackjack differ.
 *
 * A version is a set of (rule, value) texts in the plan; no version has a name
 * here.  A set is read once, and travels as one 64-bit word where a whole
 * round is graded by it.
 */
#ifndef CASINO_BLACKJACK_RULES_H
#define CASINO_BLACKJACK_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* The rules, in the order of the plan data.  None but facts for people may be missing. */
typedef enum CasinoBlackjackRule
{
	CASINO_BJ_DECKS,
	CASINO_BJ_HOLE_CARD,
	CASINO_BJ_DEALER_16,
	CASINO_BJ_DOUBLE_ON,
	CASINO_BJ_DOUBLE_AFTER_SPLIT,
	CASINO_BJ_DOUBLE_SPLIT_ACES,
	CASINO_BJ_SPLIT_ON,
	CASINO_BJ_MAX_HANDS,
	CASINO_BJ_RESPLIT_ACES,
	CASINO_BJ_CARDS_ON_SPLIT_ACE,
	CASINO_BJ_INSURANCE,
	CASINO_BJ_INSURANCE_OWN_BLACKJACK,
	CASINO_BJ_INSURANCE_BEHIND,
	CASINO_BJ_INSURANCE_ON_ADDED_STAKES,
	CASINO_BJ_EVEN_MONEY,
	CASINO_BJ_SURRENDER,
	CASINO_BJ_CHARLIE_CARDS,
	CASINO_BJ_CHARLIE_BEATS_DEALER_BLACKJACK,
	CASINO_BJ_DEALER_22,
	CASINO_BJ_DOUBLED_RETURNED_ON_TEN_ACE,
	CASINO_BJ_BOX,
	CASINO_BJ_MAX_SEATS,
	CASINO_BJ_BETS_PER_BOX,
	CASINO_BJ_BOX_LIMIT,
	CASINO_BJ_OWNER_PRECEDENCE,
	CASINO_BJ_ABSENT_OWNER,
	CASINO_BJ_BEHIND,
	CASINO_BJ_DRAW_ON_21,
	CASINO_BJ_MUST_DRAW_TO,
	CASINO_BJ_NO_ACTION,
	CASINO_BJ_FREE_SPLIT_ON,
	CASINO_BJ_FREE_DOUBLE_ON,
	CASINO_BJ_DEALER_COMPLETES_ON_ACE_OR_TEN,

	CASINO_BJ_RULE_END,			/* one past the last */
	CASINO_BJ_EVERY_GAME = CASINO_BJ_RULE_END	/* what holds in all versions: the sentence cites its reading
												 * itself */
} CasinoBlackjackRule;

/* Values of the rules that have words. */
enum
{
	CASINO_DEALER_16_DRAW, CASINO_DEALER_16_EITHER
};
enum
{
	CASINO_DOUBLE_ON_ANY, CASINO_DOUBLE_ON_9_TO_11
};
enum
{
	CASINO_SPLIT_ON_RANK, CASINO_SPLIT_ON_VALUE
};
enum
{
	CASINO_INSURANCE_HALF, CASINO_INSURANCE_UP_TO_HALF, CASINO_INSURANCE_MULTIPLE_OF_HALF_MINIMUM
};
enum
{
	CASINO_EVEN_MONEY_NONE, CASINO_EVEN_MONEY_ACE, CASINO_EVEN_MONEY_ACE_OR_TEN
};
enum
{
	CASINO_SURRENDER_NONE, CASINO_SURRENDER_TABLE
};
enum
{
	CASINO_DEALER_22_PLAYERS_WIN, CASINO_DEALER_22_PUSH
};
enum
{
	CASINO_BOX_SEATS, CASINO_BOX_SHARED
};
enum
{
	CASINO_BOX_LIMIT_TOGETHER, CASINO_BOX_LIMIT_EACH, CASINO_BOX_LIMIT_OWNER
};
enum
{
	CASINO_ABSENT_OWNER_NONE, CASINO_ABSENT_OWNER_SECOND_PLAYER
};
enum
{
	CASINO_BEHIND_NONE, CASINO_BEHIND_TABLE
};
enum
{
	CASINO_NO_ACTION_NONE, CASINO_NO_ACTION_STAND, CASINO_NO_ACTION_DRAW_TO_11, CASINO_NO_ACTION_DRAW_TO_16
};
enum
{
	CASINO_FREE_SPLIT_NONE, CASINO_FREE_SPLIT_NOT_TENS
};
enum
{
	CASINO_FREE_DOUBLE_NONE, CASINO_FREE_DOUBLE_9_TO_11_NO_ACE
};

/*
 * A rule set.  Start from all zero bytes, set every rule, then check that none
 * is missing.  Numbers: 0 means none, or that the plan sets no limit.
 */
typedef struct CasinoBlackjackRules
{
	uint64_t	given;			/* bit n: rule n has been set */
	uint8_t		decks;
	uint8_t		hole_card;		/* dealer's second card is dealt at once, face down */
	uint8_t		dealer_16;
	uint8_t		double_on;
	uint8_t		double_after_split;
	uint8_t		double_split_aces;
	uint8_t		split_on;
	uint8_t		max_hands;
	uint8_t		resplit_aces;
	uint8_t		cards_on_split_ace;
	uint8_t		insurance;
	uint8_t		insurance_own_blackjack;
	uint8_t		insurance_behind;
	uint8_t		insurance_on_added_stakes;
	uint8_t		even_money;		/* dealer's first card that lets a blackjack take 1:1 */
	uint8_t		surrender;
	uint8_t		charlie_cards;	/* a hand of so many cards not over 21 wins */
	uint8_t		charlie_beats_dealer_blackjack;
	uint8_t		dealer_22;
	uint8_t		doubled_returned_on_ten_ace;
	uint8_t		box;
	uint8_t		max_seats;
	uint8_t		bets_per_box;
	uint8_t		box_limit;
	uint8_t		owner_precedence;	/* the others of a full box must make room for him */
	uint8_t		absent_owner;	/* who may decide for him */
	uint8_t		behind;
	uint8_t		draw_on_21;
	uint8_t		must_draw_to;	/* no standing on it or less */
	uint8_t		no_action;
	uint8_t		free_split_on;
	uint8_t		free_double_on;
	uint8_t		dealer_completes_on_ace_or_ten;
} CasinoBlackjackRules;

/* Name of a rule as in the plan, NULL for a number that is none. */
extern const char *casino_blackjack_rule_name(int rule);

/* Is the rule a fact for people, which no code reads and no plan must have? */
extern bool casino_blackjack_rule_is_informative(int rule);

/* Rule of a name, -1 when there is none.  Case matters. */
extern int	casino_blackjack_rule_lookup(const char *name);

/* Set one rule; refuses unknown names and values, and a rule set twice. */
extern bool casino_blackjack_rule_set(CasinoBlackjackRules *rules, const char *name,
									  const char *value, CasinoError *error);

/* Has every rule been set?  Names the first that has not. */
extern bool casino_blackjack_rules_complete(const CasinoBlackjackRules *rules,
											CasinoError *error);

/*
 * A complete rule set as one positive number, for one process or for storage
 * beside the plan, and back; what pack did not give is refused.
 */
extern int64_t casino_blackjack_rules_pack(const CasinoBlackjackRules *rules);
extern bool casino_blackjack_rules_unpack(int64_t packed, CasinoBlackjackRules *rules,
										  CasinoError *error);

/* Paragraphs of the plan, by rule; NULL where not known.  The strings stay the caller's. */
typedef struct CasinoBlackjackSources
{
	const char *paragraph[CASINO_BJ_RULE_END];
} CasinoBlackjackSources;

/* Keep the paragraph of a rule of play.  A ground is left out: it rules no play. */
extern void casino_blackjack_source_set(CasinoBlackjackSources *sources, const char *name,
										const char *paragraph);

/* What is being judged: the rules, where they come from, and whose hand it is. */
typedef struct CasinoBlackjackCase
{
	const CasinoBlackjackRules *rules;
	const CasinoBlackjackSources *sources;	/* may be NULL */
	int			seat;			/* 0: none */
	int64_t		player_id;		/* 0: none; named before the seat */
	int			hand;			/* 0: none */
} CasinoBlackjackCase;

/*
 * Refuse and return false: "Seat 3, hand 1: <sentence> (<paragraph>)."  The
 * format gives the sentence, in lower case and without its full stop; without
 * seat, player and hand it starts the sentence itself and is capitalised.
 */
extern bool casino_blackjack_refuse(const CasinoBlackjackCase *at, CasinoBlackjackRule rule,
									CasinoError *error, const char *format,...)
			__attribute__((format(printf, 4, 5)));

#endif							/* CASINO_BLACKJACK_RULES_H */
