/*
 * blackjack_rules.c
 *	  The rule set of a version of blackjack: texts of the plan to a struct, the
 *	  struct to one number, and refusals that cite the plan.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "blackjack_rules.h"
#include "text.h"

/* marks a number made by pack; the sign bit above it stays clear */
#define PACKED_MARK		(UINT64_C(1) << 62)

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

#define FIELD(name)				#name, offsetof(CasinoBlackjackRules, name)
#define NUMBER(name, bits, min, max)	{FIELD(name), bits, {NULL}, min, max, false}
#define SWITCH(name)			{FIELD(name), 1, {"false", "true"}, 0, 1, false}
#define NEVER(name)				{FIELD(name), 1, {"false"}, 0, 0, false}
#define TWO(name, a, b)			{FIELD(name), 1, {a, b}, 0, 1, false}
#define THREE(name, a, b, c)	{FIELD(name), 2, {a, b, c}, 0, 2, false}

/* What is said for people: how a hand is played whose player does not decide; that bets behind are not insured. */
#define FACT(name, bits, max, ...)	{FIELD(name), bits, {__VA_ARGS__}, 0, max, true}

/* Names and words as in the plan data. */
static const RuleInfo rule_infos[CASINO_BJ_RULE_END] = {
	[CASINO_BJ_DECKS] = NUMBER(decks, 4, 1, 15),
	[CASINO_BJ_HOLE_CARD] = SWITCH(hole_card),
	[CASINO_BJ_DEALER_16] = TWO(dealer_16, "draw", "either"),
	[CASINO_BJ_DOUBLE_ON] = TWO(double_on, "any", "9-11"),
	[CASINO_BJ_DOUBLE_AFTER_SPLIT] = SWITCH(double_after_split),
	[CASINO_BJ_DOUBLE_SPLIT_ACES] = NEVER(double_split_aces),
	[CASINO_BJ_SPLIT_ON] = TWO(split_on, "rank", "value"),
	[CASINO_BJ_MAX_HANDS] = NUMBER(max_hands, 4, 1, 8),
	[CASINO_BJ_RESPLIT_ACES] = SWITCH(resplit_aces),
	[CASINO_BJ_CARDS_ON_SPLIT_ACE] = NUMBER(cards_on_split_ace, 2, 0, 3),
	[CASINO_BJ_INSURANCE] = THREE(insurance, "half", "up_to_half", "multiple_of_half_minimum"),
	[CASINO_BJ_INSURANCE_OWN_BLACKJACK] = SWITCH(insurance_own_blackjack),
	[CASINO_BJ_INSURANCE_BEHIND] = FACT(insurance_behind, 1, 0, "false"),
	[CASINO_BJ_INSURANCE_ON_ADDED_STAKES] = SWITCH(insurance_on_added_stakes),
	[CASINO_BJ_EVEN_MONEY] = THREE(even_money, "none", "ace", "ace_or_ten"),
	[CASINO_BJ_SURRENDER] = TWO(surrender, "none", "table"),
	[CASINO_BJ_CHARLIE_CARDS] = NUMBER(charlie_cards, 5, 0, 21),
	[CASINO_BJ_CHARLIE_BEATS_DEALER_BLACKJACK] = SWITCH(charlie_beats_dealer_blackjack),
	[CASINO_BJ_DEALER_22] = TWO(dealer_22, "players_win", "push"),
	[CASINO_BJ_DOUBLED_RETURNED_ON_TEN_ACE] = SWITCH(doubled_returned_on_ten_ace),
	[CASINO_BJ_BOX] = TWO(box, "seats", "shared"),
	[CASINO_BJ_MAX_SEATS] = NUMBER(max_seats, 5, 0, 31),
	[CASINO_BJ_BETS_PER_BOX] = NUMBER(bets_per_box, 7, 0, 99),
	[CASINO_BJ_BOX_LIMIT] = THREE(box_limit, "together", "each", "owner"),
	[CASINO_BJ_OWNER_PRECEDENCE] = SWITCH(owner_precedence),
	[CASINO_BJ_ABSENT_OWNER] = TWO(absent_owner, "none", "second_player"),
	[CASINO_BJ_BEHIND] = TWO(behind, "none", "table"),
	[CASINO_BJ_DRAW_ON_21] = SWITCH(draw_on_21),
	[CASINO_BJ_MUST_DRAW_TO] = NUMBER(must_draw_to, 5, 0, 20),
	[CASINO_BJ_NO_ACTION] = FACT(no_action, 2, 3, "none", "stand", "draw_to_11", "draw_to_16"),
	[CASINO_BJ_FREE_SPLIT_ON] = TWO(free_split_on, "none", "not_tens"),
	[CASINO_BJ_FREE_DOUBLE_ON] = TWO(free_double_on, "none", "9-11_no_ace"),
	[CASINO_BJ_DEALER_COMPLETES_ON_ACE_OR_TEN] = SWITCH(dealer_completes_on_ace_or_ten)
};

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
