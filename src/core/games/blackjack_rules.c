/*
 * blackjack_rules.c
 *	  The rule set of a version of blackjack: texts of the plan to a struct, the
 *	  struct to one number, and refusals that cite the plan.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/games/blackjack_rules.h"
#include "core/ground.h"
#include "core/text.h"

/* marks a number made by pack; the sign bit above it stays clear */
#define PACKED_BITS		62
#define PACKED_MARK		(UINT64_C(1) << PACKED_BITS)

#define WORDS_MAX		4

/* One rule: its field, the bits it takes when packed, and its values. */
typedef struct RuleInfo
{
	const char *name;
	size_t		field;
	unsigned	bits;
	const char *words[WORDS_MAX + 1];	/* value n is words[n]; none: a number */
	int			min;
	int			max;
	bool		informative;	/* for people: no code reads it */
} RuleInfo;

/*
 * The rules in the order in which they are packed: what kind of rule, its
 * number, its field, and its bits and values where the kind does not say them.
 * FACT is said for people: how a hand is played whose player does not decide;
 * that bets behind are not insured.
 */
#define RULES \
	NUMBER(DECKS, decks, 4, 1, 15) \
	SWITCH(HOLE_CARD, hole_card) \
	TWO(DEALER_16, dealer_16, "draw", "either") \
	TWO(DOUBLE_ON, double_on, "any", "9-11") \
	SWITCH(DOUBLE_AFTER_SPLIT, double_after_split) \
	NEVER(DOUBLE_SPLIT_ACES, double_split_aces) \
	TWO(SPLIT_ON, split_on, "rank", "value") \
	NUMBER(MAX_HANDS, max_hands, 4, 1, 8) \
	SWITCH(RESPLIT_ACES, resplit_aces) \
	NUMBER(CARDS_ON_SPLIT_ACE, cards_on_split_ace, 2, 0, 3) \
	THREE(INSURANCE, insurance, "half", "up_to_half", "multiple_of_half_minimum") \
	SWITCH(INSURANCE_OWN_BLACKJACK, insurance_own_blackjack) \
	FACT(INSURANCE_BEHIND, insurance_behind, 1, 0, "false") \
	SWITCH(INSURANCE_ON_ADDED_STAKES, insurance_on_added_stakes) \
	THREE(EVEN_MONEY, even_money, "none", "ace", "ace_or_ten") \
	TWO(SURRENDER, surrender, "none", "table") \
	NUMBER(CHARLIE_CARDS, charlie_cards, 5, 0, 21) \
	SWITCH(CHARLIE_BEATS_DEALER_BLACKJACK, charlie_beats_dealer_blackjack) \
	TWO(DEALER_22, dealer_22, "players_win", "push") \
	SWITCH(DOUBLED_RETURNED_ON_TEN_ACE, doubled_returned_on_ten_ace) \
	TWO(BOX, box, "seats", "shared") \
	NUMBER(MAX_SEATS, max_seats, 5, 0, 31) \
	NUMBER(BETS_PER_BOX, bets_per_box, 7, 0, 99) \
	THREE(BOX_LIMIT, box_limit, "together", "each", "owner") \
	SWITCH(OWNER_PRECEDENCE, owner_precedence) \
	TWO(ABSENT_OWNER, absent_owner, "none", "second_player") \
	TWO(BEHIND, behind, "none", "table") \
	SWITCH(DRAW_ON_21, draw_on_21) \
	NUMBER(MUST_DRAW_TO, must_draw_to, 5, 0, 20) \
	FACT(NO_ACTION, no_action, 2, 3, "none", "stand", "draw_to_11", "draw_to_16") \
	TWO(FREE_SPLIT_ON, free_split_on, "none", "not_tens") \
	TWO(FREE_DOUBLE_ON, free_double_on, "none", "9-11_no_ace") \
	SWITCH(DEALER_COMPLETES_ON_ACE_OR_TEN, dealer_completes_on_ace_or_ten)

#define FIELD(name)				#name, offsetof(CasinoBlackjackRules, name)
#define NUMBER(rule, name, bits, min, max)	[CASINO_BJ_##rule] = {FIELD(name), bits, {NULL}, min, max, false},
#define SWITCH(rule, name)			[CASINO_BJ_##rule] = {FIELD(name), 1, {"false", "true"}, 0, 1, false},
#define NEVER(rule, name)			[CASINO_BJ_##rule] = {FIELD(name), 1, {"false"}, 0, 0, false},
#define TWO(rule, name, a, b)		[CASINO_BJ_##rule] = {FIELD(name), 1, {a, b}, 0, 1, false},
#define THREE(rule, name, a, b, c)	[CASINO_BJ_##rule] = {FIELD(name), 2, {a, b, c}, 0, 2, false},
#define FACT(rule, name, bits, max, ...) \
	[CASINO_BJ_##rule] = {FIELD(name), bits, {__VA_ARGS__}, 0, max, true},

/* Names and words as in the plan data. */
static const RuleInfo rule_infos[CASINO_BJ_RULE_END] = {
	RULES
};

#undef NUMBER
#undef SWITCH
#undef NEVER
#undef TWO
#undef THREE
#undef FACT
#define NUMBER(rule, name, bits, min, max)	+ (bits)
#define SWITCH(rule, name)			+ 1
#define NEVER(rule, name)			+ 1
#define TWO(rule, name, a, b)		+ 1
#define THREE(rule, name, a, b, c)	+ 2
#define FACT(rule, name, bits, max, ...)	+ (bits)

/* The next rule does not fit: pack them otherwise first. */
_Static_assert((0 RULES) <= PACKED_BITS, "the rules of blackjack need more bits than one number has");

/*
 * field_of
 *		The byte of a rule in a rule set.
 */
static uint8_t *
field_of(CasinoBlackjackRules *rules, int rule)
{
	return (uint8_t *) rules + rule_infos[rule].field;
}

/*
 * is_value
 *		Can the rule have this value?  A Charlie has three cards at least, else
 *		every hand would be one.
 */
static bool
is_value(int rule, int value)
{
	const RuleInfo *info = &rule_infos[rule];

	if (rule == CASINO_BJ_CHARLIE_CARDS && (value == 1 || value == 2))
		return false;
	return value >= info->min && value <= info->max;
}

/*
 * read_value
 *		Value of its text, -1 when the rule has no such value.
 */
static int
read_value(int rule, const char *text)
{
	const RuleInfo *info = &rule_infos[rule];
	size_t		len = strlen(text);
	int			value;

	if (info->words[0] == NULL)
	{
		if (len == 0 || casino_text_number(text, len, &value) != len)
			return -1;
		return is_value(rule, value) ? value : -1;
	}
	for (value = 0; info->words[value] != NULL; value++)
	{
		if (strcmp(info->words[value], text) == 0)
			return value;
	}
	return -1;
}

/*
 * casino_blackjack_rule_name
 *		Name of a rule as in the plan; NULL for a number that is none.
 */
const char *
casino_blackjack_rule_name(int rule)
{
	return rule >= 0 && rule < CASINO_BJ_RULE_END ? rule_infos[rule].name : NULL;
}

/*
 * casino_blackjack_rule_is_informative
 *		Is the rule a fact for people, which no code reads?
 */
bool
casino_blackjack_rule_is_informative(int rule)
{
	return rule >= 0 && rule < CASINO_BJ_RULE_END && rule_infos[rule].informative;
}

/*
 * casino_blackjack_rule_lookup
 *		Rule of a name, -1 when there is none.
 */
int
casino_blackjack_rule_lookup(const char *name)
{
	int			rule;

	for (rule = 0; rule < CASINO_BJ_RULE_END; rule++)
	{
		if (strcmp(rule_infos[rule].name, name) == 0)
			return rule;
	}
	return -1;
}

/*
 * casino_blackjack_rule_set
 *		Set one rule from the texts of the plan.  CASINO_MALFORMED for a name or
 *		value that is none, and for a rule set before.
 */
bool
casino_blackjack_rule_set(CasinoBlackjackRules *rules, const char *name, const char *value,
						  CasinoError *error)
{
	int			rule = casino_blackjack_rule_lookup(name);
	int			number;

	/* no rule of play */
	if (casino_rule_is_ground(name))
		return casino_ground_check(name, value, error);
	if (rule < 0)
		return casino_fail(error, CASINO_MALFORMED, "\"%.*s\" is not a rule of blackjack.",
						   casino_text_quoted(strlen(name)), name);
	if ((rules->given >> rule & 1) != 0)
		return casino_fail(error, CASINO_MALFORMED, "The rule %s is given twice.",
						   rule_infos[rule].name);
	number = read_value(rule, value);
	if (number < 0)
		return casino_fail(error, CASINO_MALFORMED, "\"%.*s\" is not a value of the rule %s.",
						   casino_text_quoted(strlen(value)), value, rule_infos[rule].name);
	*field_of(rules, rule) = (uint8_t) number;
	rules->given |= UINT64_C(1) << rule;
	return true;
}

/*
 * casino_blackjack_source_set
 *		Keep the paragraph of a rule of play.  A plan has grounds of a void, too
 *		(casino_blackjack_rule_set() takes them): they have no place here.
 */
void
casino_blackjack_source_set(CasinoBlackjackSources *sources, const char *name, const char *paragraph)
{
	int			rule = casino_blackjack_rule_lookup(name);

	if (rule >= 0)
		sources->paragraph[rule] = paragraph;
}

/*
 * casino_blackjack_rules_complete
 *		Has every rule been set?  CASINO_MALFORMED naming the first that has not.
 */
bool
casino_blackjack_rules_complete(const CasinoBlackjackRules *rules, CasinoError *error)
{
	int			rule;

	for (rule = 0; rule < CASINO_BJ_RULE_END; rule++)
	{
		if ((rules->given >> rule & 1) == 0 && !rule_infos[rule].informative)
			return casino_fail(error, CASINO_MALFORMED, "The rule %s is missing.",
							   rule_infos[rule].name);
	}
	return true;
}

/*
 * casino_blackjack_rules_pack
 *		A complete rule set as one positive number, rule by rule from bit 0.
 */
int64_t
casino_blackjack_rules_pack(const CasinoBlackjackRules *rules)
{
	uint64_t	packed = PACKED_MARK;
	unsigned	shift = 0;
	int			rule;

	for (rule = 0; rule < CASINO_BJ_RULE_END; rule++)
	{
		const uint8_t *field = (const uint8_t *) rules + rule_infos[rule].field;

		packed |= (uint64_t) *field << shift;
		shift += rule_infos[rule].bits;
	}
	return (int64_t) packed;
}

/*
 * casino_blackjack_rules_unpack
 *		The rule set of a packed number; CASINO_MALFORMED for any number that
 *		pack does not give.
 */
bool
casino_blackjack_rules_unpack(int64_t packed, CasinoBlackjackRules *rules, CasinoError *error)
{
	uint64_t	rest = (uint64_t) packed;
	int			rule;

	memset(rules, 0, sizeof(*rules));
	for (rule = 0; rule < CASINO_BJ_RULE_END; rule++)
	{
		int			value = (int) (rest & ((UINT64_C(1) << rule_infos[rule].bits) - 1));

		if (!is_value(rule, value))
			return casino_fail(error, CASINO_MALFORMED,
							   "The packed rules have no value of the rule %s.",
							   rule_infos[rule].name);
		*field_of(rules, rule) = (uint8_t) value;
		rules->given |= UINT64_C(1) << rule;
		rest >>= rule_infos[rule].bits;
	}
	if (casino_blackjack_rules_pack(rules) != packed)
		return casino_fail(error, CASINO_MALFORMED, "These are no packed rules of blackjack.");
	return true;
}

/*
 * add_source
 *		End the sentence with its paragraph, if both fit.
 *
 * The paragraph is text of the plan in the encoding of its database, and taken
 * whole or not at all so that no character of it is cut.  A sentence about what
 * holds in every game names its reading itself.
 */
static void
add_source(const CasinoBlackjackCase *at, CasinoBlackjackRule rule, CasinoError *error)
{
	const char *named = NULL;
	const char *before = " (";
	size_t		len = strlen(error->detail);
	size_t		room = sizeof(error->detail) - len;

	if (rule != CASINO_BJ_EVERY_GAME)
	{
		named = at->sources == NULL ? NULL : at->sources->paragraph[rule];
		if (named == NULL)
		{
			named = rule_infos[rule].name;
			before = " (rule ";
		}
	}
	if (named != NULL && strlen(before) + strlen(named) + sizeof(").") > room)
		named = NULL;
	if (room < sizeof("."))
		return;
	if (named == NULL)
		snprintf(error->detail + len, room, ".");
	else
		snprintf(error->detail + len, room, "%s%s).", before, named);
}

/*
 * casino_blackjack_refuse
 *		Fill *error as CASINO_ILLEGAL_OUTCOME, naming whose hand it is and the
 *		paragraph of the rule, and return false.
 */
bool
casino_blackjack_refuse(const CasinoBlackjackCase *at, CasinoBlackjackRule rule,
						CasinoError *error, const char *format,...)
{
	char		sentence[sizeof(error->detail)];
	char		who[64] = "";
	size_t		len = 0;
	va_list		args;

	va_start(args, format);
	if (vsnprintf(sentence, sizeof(sentence), format, args) < 0)
		sentence[0] = '\0';
	va_end(args);

	if (at->player_id != 0)
		len = (size_t) snprintf(who, sizeof(who), "Player %lld", (long long) at->player_id);
	else if (at->seat != 0)
		len = (size_t) snprintf(who, sizeof(who), "Seat %d", at->seat);
	if (at->hand != 0)
		len += (size_t) snprintf(who + len, sizeof(who) - len, "%s%d",
								 len == 0 ? "Hand " : ", hand ", at->hand);
	if (len > 0)
		snprintf(who + len, sizeof(who) - len, ": ");
	else if (sentence[0] >= 'a' && sentence[0] <= 'z')
		sentence[0] = (char) (sentence[0] - 'a' + 'A');
	casino_fail(error, CASINO_ILLEGAL_OUTCOME, "%s%s", who, sentence);
	add_source(at, rule, error);
	return false;
}
