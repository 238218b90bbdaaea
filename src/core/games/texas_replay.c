/*
 * texas_replay.c
 *	  Replay of the betting of a Texas Hold'em cash game (D2 Texas Holdem;
 *	  R6.17 to R6.25).
 *
 * A seat has to act when it can (neither folded nor all in) and either has put
 * in less than it must call, or has not acted since the last full bet or raise
 * while somebody else could still answer.  Whose turn it is, when a street is
 * over and when nobody can bet any more all follow from that.
 */
#include <stdio.h>
#include <string.h>

#include "core/games/texas_replay.h"

/* where a rule stands */
#define PREFLOP		"D2 Texas Holdem, Preflop"
#define FLOP		"D2 Texas Holdem, Flop"
#define RIVER		"D2 Texas Holdem, River"

/* a plan may say so many times the last bet at most; its blinds and an amount so much */
#define MULTIPLE_MAX	100
#define AMOUNT_MAX		(CASINO_CONTRIBUTED_MAX / CASINO_STREET_END)

/* by street: for messages, and how many cards lie on the board */
static const char *const during[CASINO_STREET_END] = {
	"before the flop", "on the flop", "on the turn", "on the river"
};
static const int street_cards[CASINO_STREET_END] = {0, 3, 4, 5};

typedef struct State
{
	const CasinoTexasRules *rules;
	CasinoSeats seats;			/* dealt in */
	int			button;
	CasinoStreet street;
	int64_t		highest;		/* amount of the street that must be called */
	int			last;			/* the seat after which the next one is looked for */
	CasinoSeats acted;			/* since the last full bet or raise */
	CasinoSeats folded;
	CasinoSeats all_in;
	int64_t		on_street[CASINO_SEATS_MAX];
	int64_t		before[CASINO_SEATS_MAX];	/* on earlier streets */

	/* the action looked at, for messages */
	const CasinoAction *action;
	int			number;
} State;

/* An amount with two decimals, for messages. */
typedef struct AmountText
{
	char		text[32];
} AmountText;

static AmountText
amount_text(int64_t halere)
{
	AmountText	result;

	snprintf(result.text, sizeof(result.text), "%lld.%02d",
			 (long long) (halere / 100), (int) (halere % 100));
	return result;
}

/*
 * refuse
 *		"Action 7, seat 3, raise: <why> (<where>)."
 */
static bool
refuse(const State *state, CasinoError *error, const char *why, const char *where)
{
	const char *name = casino_action_name(state->action->kind);

	return casino_fail(error, CASINO_ILLEGAL_OUTCOME, "Action %d, seat %d, %s: %s (%s).",
					   state->number, state->action->seat, name != NULL ? name : "unknown", why, where);
}

/*
 * refuse_amount
 *		The same with an amount in the sentence.
 */
static bool
refuse_amount(const State *state, CasinoError *error, const char *why, int64_t amount,
			  const char *where)
{
	char		sentence[128];

	snprintf(sentence, sizeof(sentence), "%s %s", why, amount_text(amount).text);
	return refuse(state, error, sentence, where);
}

/*
 * can_act
 *		Seats that are neither folded nor all in.
 */
static CasinoSeats
can_act(const State *state)
{
	return state->seats & (CasinoSeats) ~(state->folded | state->all_in);
}

/*
 * must_call
 *		The amount on this street that a seat must have put in to stay: the
 *		highest, but no more than the others can put in against it (that is less
 *		only behind a big blind that was short).
 */
static int64_t
must_call(const State *state, int seat)
{
	int64_t		most = 0;
	int			other;

	for (other = 1; other <= CASINO_SEATS_MAX; other++)
	{
		CasinoSeats bit = CASINO_SEAT_BIT(other);

		if (other == seat || !(state->seats & bit) || (state->folded & bit))
			continue;
		if (!(state->all_in & bit))
			return state->highest;
		if (state->on_street[other - 1] > most)
			most = state->on_street[other - 1];
	}
	return most < state->highest ? most : state->highest;
}

/*
 * has_to_act
 *		Seats that have to act before the street is over.
 */
static CasinoSeats
has_to_act(const State *state)
{
	CasinoSeats able = can_act(state);
	CasinoSeats result = 0;
	int			seat;

	for (seat = 1; seat <= CASINO_SEATS_MAX; seat++)
	{
		CasinoSeats bit = CASINO_SEAT_BIT(seat);

		if (!(able & bit))
			continue;
		if (state->on_street[seat - 1] < must_call(state, seat) ||
			(!(state->acted & bit) && able != bit))
			result |= bit;
	}
	return result;
}

/*
 * is_won
 *		Have all but one folded?
 */
static bool
is_won(const State *state)
{
	return __builtin_popcount((CasinoSeats) (state->seats & ~state->folded)) == 1;
}

/*
 * post_blind
 *		One of the two blinds (D2 Texas Holdem, Preflop): in full, or all the
 *		seat has.
 */
static bool
post_blind(State *state, int seat, CasinoActionKind kind, int64_t blind, CasinoError *error)
{
	const CasinoAction *action = state->action;
	int64_t		posted = action->to == 0 ? blind : action->to;

	if (action->street != CASINO_PREFLOP || action->kind != kind)
		return refuse(state, error, kind == CASINO_ACTION_SMALL_BLIND ?
					  "the hand begins with the small blind" : "after the small blind comes the big blind",
					  PREFLOP);
	if (action->seat != seat)
	{
		char		sentence[64];

		snprintf(sentence, sizeof(sentence), "this blind is seat %d's", seat);
		return refuse(state, error, sentence, PREFLOP);
	}
	if (posted < 0 || posted > blind)
		return refuse_amount(state, error, "the blind is", blind, PREFLOP);
	state->on_street[seat - 1] = posted;
	if (posted < blind || action->all_in)
		state->all_in |= CASINO_SEAT_BIT(seat);
	state->last = seat;
	return true;
}

/*
 * raise_to
 *		A bet or raise to that amount; a full one opens the betting again.
 */
static bool
raise_to(State *state, bool all_in, CasinoError *error)
{
	const CasinoAction *action = state->action;
	CasinoSeats bit = CASINO_SEAT_BIT(action->seat);
	int64_t		least = state->highest * state->rules->min_raise_multiple;
	bool		is_bet = state->highest == 0;

	if (least < state->rules->big_blind)
		least = state->rules->big_blind;
	if (!is_bet && (state->acted & bit))
		return refuse(state, error,
					  "nobody raised in full since it acted, so it may only call or fold", "R6.19");
	if (all_in && action->to <= state->highest)
		return refuse_amount(state, error, "a bet or raise goes above", state->highest, PREFLOP);
	if (action->to < least && !all_in)
		return is_bet ?
			refuse_amount(state, error, "the smallest bet is", least, "R6.18") :
			refuse_amount(state, error, "the smallest raise goes to", least, PREFLOP);
	if (action->to >= least)
		state->acted = 0;
	state->highest = action->to;
	state->on_street[action->seat - 1] = action->to;
	return true;
}

/*
 * put_in
 *		Call, bet, raise or all in, by the seat whose turn it is.
 */
static bool
put_in(State *state, CasinoError *error)
{
	const CasinoAction *action = state->action;
	int64_t		call = must_call(state, action->seat);
	int64_t    *own = &state->on_street[action->seat - 1];

	if (action->all_in || action->kind == CASINO_ACTION_ALL_IN)
		state->all_in |= CASINO_SEAT_BIT(action->seat);
	switch (action->kind)
	{
		case CASINO_ACTION_CALL:
			if (*own >= call)
				return refuse(state, error, "there is nothing to call", PREFLOP);
			if (action->all_in && action->to > *own && action->to < call)
				call = action->to;	/* all the seat has */
			if (action->to != 0 && action->to != call)
				return refuse_amount(state, error, "a call goes to", call, PREFLOP);
			*own = call;
			return true;
		case CASINO_ACTION_BET:
			if (state->highest > 0)
				return refuse(state, error, "there is a bet already, it can only be raised", FLOP);
			return raise_to(state, action->all_in, error);
		case CASINO_ACTION_RAISE:
			if (state->highest == 0)
				return refuse(state, error, "there is no bet to raise", FLOP);
			return raise_to(state, action->all_in, error);
		default:
			if (action->to <= *own)
				return refuse_amount(state, error, "the seat has already put in", *own, PREFLOP);
			if (action->to > state->highest)
				return raise_to(state, true, error);
			*own = action->to;
			return true;
	}
}

/*
 * check_turn
 *		Is it this street's and this seat's turn?  Moves on to the next street
 *		when the last one is over.
 */
static bool
check_turn(State *state, CasinoError *error)
{
	const CasinoAction *action = state->action;
	CasinoSeats waiting;
	char		sentence[96];
	int			seat;
	int			i;

	if (is_won(state))
		return refuse(state, error, "all others have folded, the hand is over", FLOP);

	/* is anybody left to act on this street? Otherwise the next one begins */
	waiting = has_to_act(state);
	if (waiting == 0)
	{
		if (__builtin_popcount(can_act(state)) < 2)
			return refuse(state, error, "the others are all in, nobody can bet any more", PREFLOP);
		if (state->street == CASINO_RIVER)
			return refuse(state, error, "the betting on the river is over", RIVER);
		if (action->street == state->street)
		{
			snprintf(sentence, sizeof(sentence), "the betting %s is over", during[state->street]);
			return refuse(state, error, sentence, FLOP);
		}
		for (i = 0; i < CASINO_SEATS_MAX; i++)
		{
			state->before[i] += state->on_street[i];
			state->on_street[i] = 0;
		}
		state->street++;
		state->highest = 0;
		state->acted = 0;
		state->last = state->button;
		waiting = has_to_act(state);
	}

	/* the first to the left of who acted last */
	seat = casino_first_left_of(state->last, waiting);
	if (action->street != state->street)
	{
		snprintf(sentence, sizeof(sentence), "it comes on another street, %s seat %d has to act",
				 during[state->street], seat);
		return refuse(state, error, sentence, FLOP);
	}
	if (action->seat != seat)
	{
		snprintf(sentence, sizeof(sentence), "%s it is seat %d's turn", during[state->street], seat);
		return refuse(state, error, sentence, state->street == CASINO_PREFLOP ? PREFLOP : FLOP);
	}
	return true;
}

/*
 * play
 *		One action after the blinds.
 */
static bool
play(State *state, CasinoError *error)
{
	const CasinoAction *action = state->action;
	CasinoSeats bit;

	if (action->kind == CASINO_ACTION_SMALL_BLIND || action->kind == CASINO_ACTION_BIG_BLIND)
		return refuse(state, error, "the blinds are posted once, before all else", PREFLOP);
	if (action->kind <= CASINO_ACTION_NONE || action->kind >= CASINO_ACTION_END)
		return refuse(state, error, "there is no such action", PREFLOP);
	if (!check_turn(state, error))
		return false;

	bit = CASINO_SEAT_BIT(action->seat);
	if (action->kind == CASINO_ACTION_FOLD || action->kind == CASINO_ACTION_CHECK)
	{
		int64_t		call = must_call(state, action->seat);

		if (action->to != 0)
			return refuse(state, error, "it takes no amount", PREFLOP);
		if (action->kind == CASINO_ACTION_FOLD)
			state->folded |= bit;
		else if (state->on_street[action->seat - 1] < call)
			return refuse_amount(state, error, "no check, there is a bet to call, to", call, FLOP);
	}
	else
	{
		if (action->to < 0 || action->to > AMOUNT_MAX)
			return refuse(state, error, "the amount is out of range", PREFLOP);
		if (!put_in(state, error))
			return false;
	}
	state->acted |= bit;
	state->last = action->seat;
	return true;
}

/*
 * check_end
 *		Do the actions end where the hand does, with the board it then has?
 */
static bool
check_end(const State *state, int board_cards, CasinoReplay *replay, CasinoError *error)
{
	CasinoSeats waiting = has_to_act(state);
	CasinoStreet street = state->street;

	replay->showdown = !is_won(state);
	replay->last_street = street;
	replay->board_cards = replay->showdown ? street_cards[CASINO_RIVER] : street_cards[street];
	if (replay->showdown)
	{
		if (waiting != 0)
			return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
							   "After action %d the betting %s is not over, seat %d has to act "
							   "(D2 Texas Holdem, Flop).",
							   state->number, during[street], casino_first_left_of(state->last, waiting));
		if (street != CASINO_RIVER && __builtin_popcount(can_act(state)) >= 2)
			return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
							   "After action %d the betting %s is missing, seat %d has to act "
							   "(D2 Texas Holdem, Flop to River).",
							   state->number, during[street + 1],
							   casino_first_left_of(state->button, can_act(state)));
	}
	if (board_cards != replay->board_cards)
		return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
						   "The board has %d cards; a hand that ends %s has %d "
						   "(D2 Texas Holdem, Flop to Showdown).",
						   board_cards, replay->showdown ? "with a showdown" : during[street],
						   replay->board_cards);
	return true;
}

/*
 * check_start
 *		Could such a hand begin under such a plan?
 */
static bool
check_start(const CasinoTexasRules *rules, CasinoSeats seats, int button, CasinoError *error)
{
	int			players = __builtin_popcount(seats);

	if (rules->small_blind < 1 || rules->small_blind > rules->big_blind ||
		rules->big_blind > AMOUNT_MAX ||
		rules->min_raise_multiple < 2 || rules->min_raise_multiple > MULTIPLE_MAX)
		return casino_fail(error, CASINO_OUT_OF_RANGE,
						   "The blinds and the smallest raise of the plan are out of range.");
	if (button < 1 || button > CASINO_SEATS_MAX)
		return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
						   "The button lies at a seat from 1 to %d, not at %d.", CASINO_SEATS_MAX, button);
	if (players < 2 || seats >= 1u << CASINO_SEATS_MAX)
		return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
						   "A hand is played by 2 to %d seats, not %d.", CASINO_SEATS_MAX, players);
	return true;
}

/*
 * casino_texas_replay
 *		Replay a hand from the blinds to its end.
 *
 * Left of the button comes the small blind, then the big blind; of two players
 * the button posts the small blind (R6.24).  *replay is empty on refusal.
 */
bool
casino_texas_replay(const CasinoTexasRules *rules, CasinoSeats seats, int button,
					int board_cards, const CasinoAction *actions, int count,
					CasinoReplay *replay, CasinoError *error)
{
	State		state = {.rules = rules, .seats = seats, .button = button};
	CasinoReplay result;
	int			small;
	int			i;

	memset(replay, 0, sizeof(*replay));
	memset(&result, 0, sizeof(result));
	if (!check_start(rules, seats, button, error))
		return false;
	if (count < 2)
		return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
						   "A hand begins with the small and the big blind (D2 Texas Holdem, Preflop).");

	/* heads-up the button posts the small blind */
	small = casino_first_left_of(button, seats);
	if (__builtin_popcount(seats) == 2 && (seats & CASINO_SEAT_BIT(button)))
		small = button;
	state.highest = rules->big_blind;

	/* the blinds, then every action by the rules of the street it comes on */
	for (i = 0; i < count; i++)
	{
		bool		legal;

		state.action = &actions[i];
		state.number = i + 1;
		if (i == 0)
			legal = post_blind(&state, small, CASINO_ACTION_SMALL_BLIND, rules->small_blind, error);
		else if (i == 1)
			legal = post_blind(&state, casino_first_left_of(small, seats),
							   CASINO_ACTION_BIG_BLIND, rules->big_blind, error);
		else
			legal = play(&state, error);
		if (!legal)
			return false;
	}
	if (!check_end(&state, board_cards, &result, error))
		return false;

	/* nothing is told of a hand that was refused */
	for (i = 0; i < CASINO_SEATS_MAX; i++)
		result.contributed[i] = state.before[i] + state.on_street[i];
	result.folded = state.folded;
	result.all_in = state.all_in;
	*replay = result;
	return true;
}

/*
 * casino_texas_agrees
 *		Do the seats' stakes and folds agree with what was replayed?
 */
bool
casino_texas_agrees(const CasinoReplay *replay, const int64_t staked[CASINO_SEATS_MAX],
					CasinoSeats folded, CasinoError *error)
{
	int			seat;

	for (seat = 1; seat <= CASINO_SEATS_MAX; seat++)
	{
		CasinoSeats bit = CASINO_SEAT_BIT(seat);
		int64_t		contributed = replay->contributed[seat - 1];

		if (staked[seat - 1] != contributed)
			return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
							   "By the actions seat %d put in %s, its stakes are %s (D2 Texas Holdem, Flop).",
							   seat, amount_text(contributed).text, amount_text(staked[seat - 1]).text);
		if ((replay->folded & bit) != (folded & bit))
			return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
							   "By the actions seat %d %s (D2 Texas Holdem, Flop).",
							   seat, replay->folded & bit ? "folded" : "did not fold");
	}
	return true;
}
