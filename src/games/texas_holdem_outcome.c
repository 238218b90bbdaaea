/*
 * texas_holdem_outcome.c
 *	  Texas Hold'em: {"button": 3, "board": "...", "seats": [{"seat": 1, "cards": "As Kd"},
 *	  {"seat": 2, "folded": true}], "actions": [{"street": "preflop", "seat": 1,
 *	  "action": "small_blind", "to": 25}, ...]}
 *
 * "actions" is optional; a street without a name is that of the action before.
 */
#include "games/texas_holdem.h"

#include "utils/builtins.h"
#include "utils/numeric.h"

#include "casino.h"
#include "core/games/pots.h"
#include "core/games/copies.h"
#include "games/outcome_json.h"

#define ACTIONS_MAX	1000

/* An array member; NULL when it is not there. */
static JsonbContainer *
array_member(const Jsonb *document, const char *name)
{
	JsonbValue	buffer;
	JsonbValue *value = casino_outcome_member(&document->root, name, &buffer);

	if (value == NULL)
		return NULL;
	if (value->type != jbvBinary || !JsonContainerIsArray(value->val.binary.data))
		casino_outcome_illegal("Member \"%s\" of the outcome must be an array.", name);
	return value->val.binary.data;
}

/* An element of an array, which must be an object. */
static const JsonbContainer *
object_element(JsonbContainer *array, int i, const char *name)
{
	JsonbValue *value = getIthJsonbValueFromContainer(array, i);

	if (value->type != jbvBinary || !JsonContainerIsObject(value->val.binary.data))
		casino_outcome_illegal("Each of \"%s\" must be a JSON object.", name);
	return value->val.binary.data;
}

static int
compare_seats(const void *a, const void *b)
{
	return ((const OutcomeHand *) a)->seat - ((const OutcomeHand *) b)->seat;
}

/* Seats, ascending, after the board at hands[0]. */
static void
read_seats(const Jsonb *document, Outcome *outcome)
{
	static const char *const names[] = {"seat", "cards", "folded"};
	JsonbContainer *array = array_member(document, "seats");
	int			n = array ? JsonContainerSize(array) : 0;

	if (n < 2 || n > CASINO_SEATS_MAX)
		casino_outcome_illegal("Member \"seats\" of the outcome must have 2 to %d seats.", CASINO_SEATS_MAX);
	outcome->hands = palloc0(sizeof(OutcomeHand) * (n + 1));
	outcome->nhands = n + 1;
	for (int i = 0; i < n; i++)
	{
		const JsonbContainer *object = object_element(array, i, "seats");
		OutcomeHand *seat = &outcome->hands[i + 1];
		JsonbValue	buffer;

		casino_outcome_check_members(object, names, lengthof(names));
		seat->side = "box";
		seat->hand = 1;
		seat->seat = (int) casino_outcome_read_integer(object, "seat", 1, CASINO_SEATS_MAX, 0);
		if (seat->seat == 0)
			casino_outcome_illegal("Each of \"seats\" must name its seat.");
		seat->folded = casino_outcome_read_flag(object, "folded");
		if (casino_outcome_member(object, "cards", &buffer) != NULL)
			casino_outcome_read_hand(object, "cards", &seat->cards);
		if (seat->cards.count != 0 && seat->cards.count != 2)
			casino_outcome_illegal("Seat %d has %d cards; two are dealt (D2 Texas Holdem, Preflop).",
								   seat->seat, seat->cards.count);
	}
	qsort(&outcome->hands[1], n, sizeof(OutcomeHand), compare_seats);
	for (int i = 2; i <= n; i++)
		if (outcome->hands[i].seat == outcome->hands[i - 1].seat)
			casino_outcome_illegal("Seat %d stands twice in the outcome.", outcome->hands[i].seat);
}

/* A name in a string member; NULL when it is not there. */
static char *
string_member(const JsonbContainer *object, const char *name)
{
	JsonbValue	buffer;
	JsonbValue *value = casino_outcome_member(object, name, &buffer);

	if (value == NULL)
		return NULL;
	if (value->type != jbvString)
		casino_outcome_illegal("Member \"%s\" of an action must be a string.", name);
	return pnstrdup(value->val.string.val, value->val.string.len);
}

/* One of "actions". */
static void
read_action(const JsonbContainer *object, int number, CasinoStreet street, CasinoAction *action)
{
	static const char *const names[] = {"street", "seat", "action", "to", "all_in"};
	JsonbValue	buffer;
	JsonbValue *value;
	char	   *name;

	casino_outcome_check_members(object, names, lengthof(names));
	action->street = street;
	if ((name = string_member(object, "street")) != NULL)
		action->street = casino_street_lookup(name, strlen(name));
	if (action->street == CASINO_STREET_END)
		casino_outcome_illegal("Action %d is on no street of the game: preflop, flop, turn, river.", number);
	action->seat = (int) casino_outcome_read_integer(object, "seat", 1, CASINO_SEATS_MAX, 0);
	if (action->seat == 0)
		casino_outcome_illegal("Action %d names no seat.", number);
	name = string_member(object, "action");
	action->kind = name ? casino_action_lookup(name, strlen(name)) : CASINO_ACTION_NONE;
	if (action->kind == CASINO_ACTION_NONE)
		casino_outcome_illegal("Action %d is none of small_blind, big_blind, fold, check, call, bet, "
							   "raise, all_in.",
							   number);
	action->all_in = casino_outcome_read_flag(object, "all_in");
	if (action->all_in && (action->kind == CASINO_ACTION_FOLD || action->kind == CASINO_ACTION_CHECK))
		casino_outcome_illegal("Action %d, seat %d: a %s puts nothing in and is not all_in.", number,
							   action->seat, name);
	value = casino_outcome_member(object, "to", &buffer);
	if (value != NULL && value->type != jbvNumeric)
		casino_outcome_illegal("Member \"to\" of action %d must be an amount.", number);
	if (value != NULL)
		action->to = casino_numeric_to_halere(value->val.numeric);
}

/* The betting, when it is told. */
static void
read_actions(const Jsonb *document, Outcome *outcome)
{
	JsonbContainer *array = array_member(document, "actions");
	CasinoStreet street = CASINO_PREFLOP;

	if (array == NULL)
		return;
	outcome->has_actions = true;
	outcome->nactions = JsonContainerSize(array);
	if (outcome->nactions > ACTIONS_MAX)
		casino_outcome_illegal("The outcome has more than %d actions.", ACTIONS_MAX);
	outcome->actions = palloc0(sizeof(CasinoAction) * Max(outcome->nactions, 1));
	for (int i = 0; i < outcome->nactions; i++)
	{
		read_action(object_element(array, i, "actions"), i + 1, street, &outcome->actions[i]);
		street = outcome->actions[i].street;
	}
}

/* An amount in CZK as a member. */
static void
push_amount(JsonbParseState **state, const char *name, int64 halere)
{
	JsonbValue	number;

	number.type = jbvNumeric;
	number.val.numeric = casino_halere_to_numeric(halere);
	casino_outcome_push(state, name, &number);
}

/* A word as a member. */
static void
push_word(JsonbParseState **state, const char *name, const char *word)
{
	JsonbValue	value;

	value.type = jbvString;
	value.val.string.val = (char *) word;
	value.val.string.len = (int) strlen(word);
	casino_outcome_push(state, name, &value);
}

/* The document in one form. */
static Jsonb *
canonical(const Outcome *outcome)
{
	JsonbParseState *state = NULL;

	pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
	casino_outcome_push_integer(&state, "button", outcome->button);
	casino_outcome_push_hand(&state, "board", &outcome->hands[0].cards);

	/* seats in the order of their numbers, with what is known of each */
	casino_outcome_push_key(&state, "seats");
	pushJsonbValue(&state, WJB_BEGIN_ARRAY, NULL);
	for (int i = 1; i < outcome->nhands; i++)
	{
		const OutcomeHand *seat = &outcome->hands[i];

		pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
		casino_outcome_push_integer(&state, "seat", seat->seat);
		if (seat->cards.count > 0)
			casino_outcome_push_hand(&state, "cards", &seat->cards);
		if (seat->folded)
			casino_outcome_push_flag(&state, "folded", true);
		pushJsonbValue(&state, WJB_END_OBJECT, NULL);
	}
	pushJsonbValue(&state, WJB_END_ARRAY, NULL);

	/* the betting, if it is told, in the order in which it went */
	if (outcome->has_actions)
	{
		casino_outcome_push_key(&state, "actions");
		pushJsonbValue(&state, WJB_BEGIN_ARRAY, NULL);
		for (int i = 0; i < outcome->nactions; i++)
		{
			const CasinoAction *action = &outcome->actions[i];

			pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
			push_word(&state, "street", casino_street_name(action->street));
			casino_outcome_push_integer(&state, "seat", action->seat);
			push_word(&state, "action", casino_action_name(action->kind));
			if (action->to != 0)
				push_amount(&state, "to", action->to);
			if (action->all_in)
				casino_outcome_push_flag(&state, "all_in", true);
			pushJsonbValue(&state, WJB_END_OBJECT, NULL);
		}
		pushJsonbValue(&state, WJB_END_ARRAY, NULL);
	}
	return JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_OBJECT, NULL));
}

/* The board first, then the seats. */
void
casino_texas_read_outcome(const Jsonb *document, bool partial, Outcome *outcome)
{
	static const char *const names[] = {"button", "board", "seats", "actions"};
	JsonbValue	buffer;

	casino_outcome_check_members(&document->root, names, lengthof(names));
	outcome->button = (int) casino_outcome_read_integer(&document->root, "button", 1, CASINO_SEATS_MAX, 0);
	if (outcome->button == 0)
		casino_outcome_illegal("The outcome has no member \"button\".");
	read_seats(document, outcome);
	outcome->hands[0].side = "board";
	outcome->hands[0].hand = 1;
	if (casino_outcome_member(&document->root, "board", &buffer) != NULL)
		casino_outcome_read_hand(&document->root, "board", &outcome->hands[0].cards);
	read_actions(document, outcome);
	outcome->canonical = canonical(outcome);
}

/* No card twice, a board of a street; contributions are the ledger's (D2 Texas Holdem). */
void
casino_texas_check_outcome(const Outcome *outcome, const PlanRuleSet *rules)
{
	int			board = outcome->hands[0].cards.count;
	CasinoCopies copies = {{0}};
	char		text[CASINO_CARD_TEXT_LEN];

	if (board != 0 && board != 3 && board != 4 && board != 5)
		casino_outcome_illegal("The board has %d cards; it has none, three, four or five "
							   "(D2 Texas Holdem, Flop to River).",
							   board);
	for (int i = 0; i < outcome->nhands; i++)
		for (int c = 0; c < outcome->hands[i].cards.count; c++)
		{
			CasinoCard	card = outcome->hands[i].cards.cards[c];

			if (casino_copies_take(&copies, card, 1))
				continue;
			casino_card_print(card, text);
			casino_outcome_illegal("%.2s lies twice; the game has one deck.", text);
		}
}
