/*
 * regrade.c
 *	  Every wager graded again.
 */
#include "regrade.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "baccarat.h"
#include "blackjack_grade.h"
#include "casino_holdem.h"
#include "family.h"
#include "grade.h"
#include "money.h"
#include "position.h"
#include "pots.h"
#include "roulette.h"

typedef struct Odds
{
	int32_t		num;
	int32_t		den;			/* 0: no line */
} Odds;

typedef struct Plan
{
	int64_t		plan_id;
	CasinoFamily family;
	CasinoBlackjackRules rules;
	int64_t		cap[CASINO_BET_KIND_END];
	Odds		odds[CASINO_BET_KIND_END][CASINO_GRADE_END];
} Plan;

typedef struct Game
{
	char		name[64];
	CasinoFamily family;
} Game;

typedef struct Hand
{
	struct Hand *next;
	char		side;			/* p, b, d, board: o, box: x */
	int			seat;
	int			group;
	int			number;
	CasinoHand	cards;
	bool		surrendered;
	bool		folded;
	bool		even_money;
	size_t		neven;
	int64_t    *even;
	size_t		nplayers;
	int64_t    *players;
} Hand;

typedef struct Seat
{
	int64_t		staked;
	int64_t		paid;
	Place		place;
} Seat;

typedef struct Round
{
	int64_t		round_id;
	struct Round *next;			/* of the bucket */
	const Plan *plan;
	bool		ended;
	bool		voided;
	bool		waits;			/* winnings of single players are withheld: pots cannot be split again */
	int			number;
	int			button;
	Hand	   *hands;
	Seat	   *seats;			/* Texas Hold'em */
} Round;

/* A stake, and what became of it. */
typedef struct Stake
{
	int64_t		player_id;
	int64_t		entry_no;
	int64_t		round_id;
	CasinoBet	bet;
	int			seat;
	int			hand;
	int64_t		amount;
	Place		place;
	char		end;			/* 0, p: paid, r: returned */
	int64_t		end_amount;
	char		grade[32];
	Place		end_place;
} Stake;

/* Stakes of a player whose rounds have not ended. */
typedef struct Carried
{
	int64_t		player_id;
	struct Carried *next;
	int			n;
	Stake	   *stakes;
} Carried;

typedef struct Withheld
{
	int64_t		player_id;
	int64_t		round_id;
	struct Withheld *next;
} Withheld;

#define BUCKETS	65536

static Complain complain;
static Game *games;
static int	ngames;
static Plan **plans;
static int	nplans;
static Round *rounds[BUCKETS];
static Carried *carried[BUCKETS];
static Withheld *withheld[BUCKETS];
static Stake *stakes;			/* of the player in hand, by entry_no */
static int	nstakes;
static int	stakes_size;
static int64_t graded;
static int64_t unknown;
static int64_t nwithheld;

static void *
resize(void *old, size_t count, size_t size)
{
	void	   *new = realloc(old, (count == 0 ? 1 : count) * size);

	if (new == NULL)
	{
		fputs("casino-verify: out of memory\n", stderr);
		exit(2);
	}
	return new;
}

static uint32_t
bucket(int64_t number)
{
	return (uint32_t) (((uint64_t) number * UINT64_C(0x9E3779B97F4A7C15)) >> 48);
}

void
regrade_init(Complain with)
{
	complain = with;
}

int64_t
regrade_count(int64_t *without, int64_t *open)
{
	*without = unknown;
	*open = 0;
	for (int i = 0; i < BUCKETS; i++)
		for (const Carried *c = carried[i]; c != NULL; c = c->next)
			*open += c->n;
	return graded;
}

/* Index of a field of the layout; the program is built with the layouts. */
static const CasinoValue *
value_of(const CasinoLayout *layout, const CasinoValue *values, const char *name)
{
	for (int i = 0; i < layout->nfields; i++)
		if (strcmp(layout->fields[i].name, name) == 0)
			return &values[i];
	abort();
}

static int64_t
number_of(const CasinoLayout *layout, const CasinoValue *values, const char *name)
{
	const CasinoValue *value = value_of(layout, values, name);

	return value->presence == CASINO_PRESENT ? value->number : 0;
}

static bool
is_text(const CasinoValue *value, const char *text)
{
	return value->presence == CASINO_PRESENT && value->len == strlen(text) && memcmp(value->text, text, value->len) == 0;
}

static void
copy_text(const CasinoValue *value, char *text, size_t size)
{
	size_t		len = value->presence == CASINO_PRESENT ? value->len : 0;

	if (len >= size)
		len = size - 1;
	if (len > 0)
		memcpy(text, value->text, len);
	text[len] = '\0';
}

/* ------------------------------------------------------------ plans */

static Plan *
plan_find(int64_t plan_id)
{
	for (int i = 0; i < nplans; i++)
		if (plans[i]->plan_id == plan_id)
			return plans[i];
	return NULL;
}

static void
take_game(const CasinoLayout *layout, const CasinoValue *values)
{
	Game	   *game;
	char		family[64];

	games = resize(games, (size_t) ngames + 1, sizeof(Game));
	game = &games[ngames++];
	copy_text(value_of(layout, values, "game"), game->name, sizeof(game->name));
	copy_text(value_of(layout, values, "family"), family, sizeof(family));
	game->family = casino_family_lookup(family);
}

static void
take_plan(const CasinoLayout *layout, const CasinoValue *values)
{
	Plan	   *plan = resize(NULL, 1, sizeof(Plan));

	memset(plan, 0, sizeof(*plan));
	plan->plan_id = number_of(layout, values, "plan_id");
	for (int i = 0; i < ngames; i++)
		if (is_text(value_of(layout, values, "game"), games[i].name))
			plan->family = games[i].family;
	for (int i = 0; i < CASINO_BET_KIND_END; i++)
		plan->cap[i] = CASINO_NO_CAP;
	plans = resize(plans, (size_t) nplans + 1, sizeof(Plan *));
	plans[nplans++] = plan;
}

static void
take_rule(const CasinoLayout *layout, const CasinoValue *values, Place place)
{
	Plan	   *plan = plan_find(number_of(layout, values, "plan_id"));
	char		name[64];
	char		value[256];
	CasinoError error;

	if (plan == NULL || plan->family != CASINO_FAMILY_BLACKJACK)
		return;
	copy_text(value_of(layout, values, "rule"), name, sizeof(name));
	copy_text(value_of(layout, values, "value"), value, sizeof(value));
	if (!casino_blackjack_rule_set(&plan->rules, name, value, &error))
		complain(place, "%s", error.detail);
}

static int
kind_of(const CasinoValue *value)
{
	return value->presence == CASINO_PRESENT ? casino_bet_kind_lookup(value->text, value->len) : 0;
}

static void
take_odds(const CasinoLayout *layout, const CasinoValue *values, bool cap)
{
	Plan	   *plan = plan_find(number_of(layout, values, "plan_id"));
	int			kind = kind_of(value_of(layout, values, "kind"));

	if (plan == NULL || kind == 0)
		return;
	if (cap)
	{
		const CasinoValue *declared = value_of(layout, values, "declared_win");

		if (declared->presence == CASINO_PRESENT)
			plan->cap[kind] = declared->number;
		return;
	}
	for (int grade = 1; grade < CASINO_GRADE_END; grade++)
		if (is_text(value_of(layout, values, "grade"), casino_grade_name((CasinoGrade) grade)))
		{
			plan->odds[kind][grade].num = (int32_t) number_of(layout, values, "num");
			plan->odds[kind][grade].den = (int32_t) number_of(layout, values, "den");
		}
}

/* ------------------------------------------------------------ rounds */

static Round *
round_find(int64_t round_id)
{
	Round	   *round = rounds[bucket(round_id)];

	while (round != NULL && round->round_id != round_id)
		round = round->next;
	return round;
}

/* The whole number after "name": in a canonical outcome, else -1. */
static int
outcome_number(const CasinoValue *outcome, const char *name)
{
	char		text[64];
	size_t		len = (size_t) snprintf(text, sizeof(text), "\"%s\":", name);

	if (outcome->presence != CASINO_PRESENT)
		return -1;
	for (size_t i = 0; i + len < outcome->len; i++)
		if (memcmp(outcome->text + i, text, len) == 0)
		{
			int			number = 0;

			for (i += len; i < outcome->len && outcome->text[i] >= '0' && outcome->text[i] <= '9' && number < 1000; i++)
				number = number * 10 + (outcome->text[i] - '0');
			return number;
		}
	return -1;
}

static void
take_round(const CasinoLayout *layout, const CasinoValue *values)
{
	Round	   *round = resize(NULL, 1, sizeof(Round));
	uint32_t	b;

	memset(round, 0, sizeof(*round));
	round->round_id = number_of(layout, values, "round_id");
	round->plan = plan_find(number_of(layout, values, "plan_id"));
	round->number = outcome_number(value_of(layout, values, "outcome"), "number");
	round->button = outcome_number(value_of(layout, values, "outcome"), "button");
	b = bucket(round->round_id);
	round->next = rounds[b];
	rounds[b] = round;
}

static void
take_round_end(const CasinoLayout *layout, const CasinoValue *values)
{
	Round	   *round = round_find(number_of(layout, values, "round_id"));

	if (round == NULL)
		return;
	round->ended = true;
	round->voided = is_text(value_of(layout, values, "status"), "voided");
}

static int64_t *
copy_numbers(const CasinoValue *value, size_t *count)
{
	int64_t    *numbers;

	*count = value->presence == CASINO_PRESENT ? value->len : 0;
	if (*count == 0)
		return NULL;
	numbers = resize(NULL, *count, sizeof(int64_t));
	memcpy(numbers, value->numbers, *count * sizeof(int64_t));
	return numbers;
}

static void
take_hand(const CasinoLayout *layout, const CasinoValue *values)
{
	Round	   *round = round_find(number_of(layout, values, "round_id"));
	const CasinoValue *side = value_of(layout, values, "side");
	Hand	   *hand;

	if (round == NULL || side->presence != CASINO_PRESENT || side->len == 0)
		return;
	hand = resize(NULL, 1, sizeof(Hand));
	memset(hand, 0, sizeof(*hand));
	hand->side = is_text(side, "board") ? 'o' : is_text(side, "box") ? 'x' : side->text[0];
	hand->seat = (int) number_of(layout, values, "seat");
	hand->group = (int) number_of(layout, values, "group_no");
	hand->number = (int) number_of(layout, values, "hand");
	hand->cards = value_of(layout, values, "cards")->hand;
	hand->surrendered = number_of(layout, values, "surrendered") != 0;
	hand->folded = number_of(layout, values, "folded") != 0;
	hand->even_money = number_of(layout, values, "even_money") != 0;
	hand->even = copy_numbers(value_of(layout, values, "even_money_players"), &hand->neven);
	hand->players = copy_numbers(value_of(layout, values, "players"), &hand->nplayers);
	hand->next = round->hands;
	round->hands = hand;
}

static const CasinoHand *
side_cards(const Round *round, char side)
{
	static const CasinoHand none;

	for (const Hand *hand = round->hands; hand != NULL; hand = hand->next)
		if (hand->side == side)
			return &hand->cards;
	return &none;
}

static void
round_free(Round *round)
{
	while (round->hands != NULL)
	{
		Hand	   *hand = round->hands;

		round->hands = hand->next;
		free(hand->even);
		free(hand->players);
		free(hand);
	}
	free(round->seats);
	free(round);
}

/* ------------------------------------------------------------ withheld players */

static Withheld **
withheld_find(int64_t player_id, int64_t round_id)
{
	Withheld  **at = &withheld[bucket(player_id ^ round_id << 20)];

	while (*at != NULL && ((*at)->player_id != player_id || (*at)->round_id != round_id))
		at = &(*at)->next;
	return at;
}

static void
take_withholding(const CasinoLayout *layout, const CasinoValue *values, bool end)
{
	int64_t		player_id = number_of(layout, values, "player_id");
	int64_t		round_id = number_of(layout, values, "round_id");
	Withheld  **at = withheld_find(player_id, round_id);
	Withheld   *it = *at;

	if (end && it != NULL)
	{
		*at = it->next;
		free(it);
		nwithheld--;
	}
	else if (!end && it == NULL)
	{
		*at = resize(NULL, 1, sizeof(Withheld));
		(*at)->player_id = player_id;
		(*at)->round_id = round_id;
		(*at)->next = NULL;
		nwithheld++;
	}
}

/* ------------------------------------------------------------ grading */

static bool
has_player(const int64_t *players, size_t n, int64_t player_id)
{
	for (size_t i = 0; i < n; i++)
		if (players[i] == player_id)
			return true;
	return false;
}

/* A blackjack wager on the hands of its box, or of its player's group at a shared box. */
static CasinoGrade
grade_blackjack(const Round *round, const Stake *stake, const Stake *all, int n)
{
	CasinoHand	hands[16];
	CasinoBlackjackWager wager = {0};
	int			group = 0;
	int			count = 0;
	int			number = stake->hand < 1 ? 1 : stake->hand;

	memset(hands, 0, sizeof(hands));
	for (const Hand *hand = round->hands; hand != NULL; hand = hand->next)
		if (hand->side == 'x' && hand->seat == stake->seat && hand->number == 1 && hand->group > 0 &&
			has_player(hand->players, hand->nplayers, stake->player_id))
			group = hand->group;
	for (const Hand *hand = round->hands; hand != NULL; hand = hand->next)
	{
		if (hand->side != 'x' || hand->seat != stake->seat || hand->group != group || hand->number < 1 || hand->number > 16)
			continue;
		hands[hand->number - 1] = hand->cards;
		count = hand->number > count ? hand->number : count;
		if (hand->surrendered)
			wager.flags |= CASINO_WAGER_SURRENDERED;
		if (hand->even_money || (hand->number == 1 && has_player(hand->even, hand->neven, stake->player_id)))
			wager.flags |= CASINO_WAGER_EVEN_MONEY;
	}
	if (number > count)
		return CASINO_GRADE_NONE;
	for (int i = 0; i < n; i++)
		if (all[i].end != 'r' && all[i].bet.kind == CASINO_DOUBLE_DOWN && all[i].seat == stake->seat &&
			(all[i].hand < 1 ? 1 : all[i].hand) == number)
			wager.flags |= CASINO_WAGER_DOUBLED;
	wager.rules = &round->plan->rules;
	wager.own = &hands[number - 1];
	wager.first = &hands[0];
	wager.second = count > 1 ? &hands[1] : NULL;
	wager.dealer = side_cards(round, 'd');
	return casino_grade_blackjack(stake->bet.kind, &wager);
}

static CasinoGrade
grade_roulette(const Round *round, const Stake *stake, const Stake *all, int n)
{
	return round->number < 0 || round->number > 36 ? CASINO_GRADE_NONE : casino_grade_roulette(&stake->bet, round->number);
}

static CasinoGrade
grade_baccarat(const Round *round, const Stake *stake, const Stake *all, int n)
{
	if (side_cards(round, 'p')->count < 2 || side_cards(round, 'b')->count < 2)
		return CASINO_GRADE_NONE;
	return casino_grade_baccarat(&stake->bet, side_cards(round, 'p'), side_cards(round, 'b'));
}

static CasinoGrade
grade_casino_holdem(const Round *round, const Stake *stake, const Stake *all, int n)
{
	bool		called = false;

	for (int i = 0; i < n; i++)
		called |= all[i].end != 'r' && all[i].bet.kind == CASINO_CALL;
	return casino_grade_holdem(&stake->bet, side_cards(round, 'p'), side_cards(round, 'o'), side_cards(round, 'd'), called);
}

/* The players are paid from each other's stakes: by settle_texas(), when all are known. */
#define grade_texas_holdem	NULL

/* How a wager of each family is graded. */
typedef CasinoGrade (*Grader) (const Round *round, const Stake *stake, const Stake *all, int n);

static const Grader graders[CASINO_FAMILY_END] = {
#define CASINO_FAMILY(symbol, name)	[CASINO_FAMILY_##symbol] = grade_##name,
#include "family_list.h"
};

/* What the wager was paid against what the plan gives. */
static void
check_payout(const Stake *stake, const char *word, int64_t payout)
{
	int64_t		paid = stake->end == 'p' ? stake->end_amount : 0;

	if (payout != paid || (stake->end == 'p' && strcmp(stake->grade, word) != 0) || (stake->end == 'p' && payout == 0))
		complain(stake->end == 'p' ? stake->end_place : stake->place,
				 "entry %" PRId64 " of player %" PRId64 " was paid %" PRId64 ".%02d%s%s, but ended \"%s\" and gets %" PRId64 ".%02d",
				 stake->entry_no, stake->player_id, paid / 100, (int) (paid % 100), stake->end == 'p' ? " as " : "",
				 stake->end == 'p' ? stake->grade : "", word, payout / 100, (int) (payout % 100));
	graded++;
}

/* Money of a Texas Hold'em seat; settled when all players are known. */
static void
collect_texas(Round *round, const Stake *all, int n)
{
	if (round->seats == NULL)
	{
		round->seats = resize(NULL, CASINO_SEATS_MAX, sizeof(Seat));
		memset(round->seats, 0, CASINO_SEATS_MAX * sizeof(Seat));
	}
	for (int i = 0; i < n; i++)
	{
		Seat	   *seat;

		if (all[i].end == 'r')
			continue;
		if (all[i].seat < 1 || all[i].seat > CASINO_SEATS_MAX)
			complain(all[i].place, "entry %" PRId64 " of player %" PRId64 " has no seat", all[i].entry_no, all[i].player_id);
		seat = &round->seats[all[i].seat - 1];
		seat->staked += all[i].amount;
		if (all[i].end == 'p')
			seat->paid += all[i].end_amount;
		if (seat->place.line == 0 || all[i].end == 'p')
			seat->place = all[i].end == 'p' ? all[i].end_place : all[i].place;
		graded++;
	}
}

static void
settle_texas(const Round *round)
{
	CasinoPotHand hand;
	CasinoPots	pots;
	CasinoError error;

	memset(&hand, 0, sizeof(hand));
	hand.button = round->button;
	hand.board = *side_cards(round, 'o');
	for (int i = 0; i < CASINO_SEATS_MAX; i++)
	{
		hand.seats[i].contributed = round->seats[i].staked;
		hand.seats[i].folded = true;
	}
	for (const Hand *h = round->hands; h != NULL; h = h->next)
		if (h->side == 'x' && h->seat >= 1 && h->seat <= CASINO_SEATS_MAX)
		{
			hand.seats[h->seat - 1].folded = h->folded;
			if (h->cards.count == 2)
			{
				hand.seats[h->seat - 1].has_cards = true;
				memcpy(hand.seats[h->seat - 1].cards, h->cards.cards, 2);
			}
		}
	if (!casino_pots_settle(&hand, &pots, &error))
	{
		for (int i = 0; i < CASINO_SEATS_MAX; i++)
			if (round->seats[i].place.line != 0)
				complain(round->seats[i].place, "round %" PRId64 " cannot have been played so: %s", round->round_id, error.detail);
		return;
	}
	for (int i = 0; i < CASINO_SEATS_MAX; i++)
	{
		int64_t		due = pots.won[i] + pots.returned[i];

		if (due != round->seats[i].paid)
			complain(round->seats[i].place, "seat %d of round %" PRId64 " was paid %" PRId64 ".%02d and gets %" PRId64 ".%02d", i + 1,
					 round->round_id, round->seats[i].paid / 100, (int) (round->seats[i].paid % 100), due / 100, (int) (due % 100));
	}
}

/* Wagers of one player in one round that has ended, by entry_no. */
static void
grade_group(Round *round, const Stake *all, int n)
{
	CasinoPosition small[32];
	CasinoPosition *table = small;
	uint32_t	size = 32;
	uint32_t	taken = 0;

	if (round->plan == NULL || round->plan->family == CASINO_FAMILY_NONE)
	{
		unknown += n;
		return;
	}
	if (graders[round->plan->family] == NULL)
	{
		collect_texas(round, all, n);
		return;
	}
	while (size < 2 * (uint32_t) n)
		size *= 2;
	if (size > 32)
		table = resize(NULL, size, sizeof(CasinoPosition));
	memset(table, 0, size * sizeof(CasinoPosition));
	for (int i = 0; i < n; i++)
	{
		const Stake *stake = &all[i];
		CasinoGrade result;
		const Odds *odds;
		int64_t		before;
		int64_t		payout = 0;
		CasinoShare share;

		if (stake->end == 'r')
			continue;
		result = graders[round->plan->family](round, stake, all, n);
		if (result == CASINO_GRADE_NONE)
			complain(stake->place, "the cards of round %" PRId64 " do not decide entry %" PRId64 " of player %" PRId64, round->round_id,
					 stake->entry_no, stake->player_id);
		odds = &round->plan->odds[stake->bet.kind][result];
		if (!casino_position_add(table, size, &taken, &stake->bet, stake->seat, stake->hand, &before))
			complain(stake->place, "the stakes on its position are out of range");
		if (result != CASINO_LOSE)
		{
			if (odds->den == 0)
				complain(stake->place, "the paytable of the plan has no line for %s graded %s", casino_bet_kind_name(stake->bet.kind),
						 casino_grade_name(result));
			if (!casino_money_share(before, stake->bet.stake, odds->num, odds->den, round->plan->cap[stake->bet.kind], &share) ||
				!casino_money_add(casino_bet_kind_is_free(stake->bet.kind) ? 0 : stake->bet.stake, share.profit, &payout))
				complain(stake->place, "its payout is out of range");
		}
		check_payout(stake, casino_grade_name(result), payout);
	}
	if (table != small)
		free(table);
}

static int
by_round(const void *a, const void *b)
{
	const Stake *x = a;
	const Stake *y = b;

	if (x->round_id != y->round_id)
		return x->round_id < y->round_id ? -1 : 1;
	return x->entry_no < y->entry_no ? -1 : x->entry_no > y->entry_no;
}

static Carried **
carried_find(int64_t player_id)
{
	Carried   **at = &carried[bucket(player_id)];

	while (*at != NULL && (*at)->player_id != player_id)
		at = &(*at)->next;
	return at;
}

/* Is the group to be graded now?  Withheld wagers wait. */
static bool
is_ripe(const Round *round, const Stake *all, int n)
{
	if (round == NULL || !round->ended)
		return false;
	for (int i = 0; i < n; i++)
		if (all[i].end == 'p')
			return true;
	return *withheld_find(all[0].player_id, round->round_id) == NULL;
}

/* Grade what has ended of these stakes of one player; keep the others. */
static void
grade_player(Stake *all, int n)
{
	int			kept = 0;
	int64_t		player_id = n > 0 ? all[0].player_id : 0;

	qsort(all, (size_t) n, sizeof(Stake), by_round);
	for (int i = 0; i < n;)
	{
		Round	   *round = round_find(all[i].round_id);
		int			j = i;

		while (j < n && all[j].round_id == all[i].round_id)
			j++;
		if (is_ripe(round, all + i, j - i))
		{
			if (!round->voided)
				grade_group(round, all + i, j - i);
			else
				for (int k = i; k < j; k++)
				{
					if (all[k].end != 'r')
						complain(all[k].place, "round %" PRId64 " was voided, but entry %" PRId64 " of player %" PRId64 " was not returned",
								 round->round_id, all[k].entry_no, player_id);
					graded++;
				}
		}
		else
			for (int k = i; k < j; k++)
			{
				/* of a round that is withheld single players may be paid */
				if (all[k].end == 'p' && round == NULL)
					complain(all[k].end_place, "entry %" PRId64 " of player %" PRId64 " was paid, but its round %" PRId64 " was not evaluated",
							 all[k].entry_no, player_id, all[k].round_id);
				if (round != NULL && round->ended)
					round->waits = true;
				all[kept++] = all[k];
			}
		i = j;
	}
	if (n > 0)
	{
		Carried   **at = carried_find(player_id);

		if (kept > 0)
		{
			if (*at == NULL)
			{
				*at = resize(NULL, 1, sizeof(Carried));
				memset(*at, 0, sizeof(Carried));
				(*at)->player_id = player_id;
			}
			(*at)->stakes = resize((*at)->stakes, (size_t) kept, sizeof(Stake));
			memcpy((*at)->stakes, all, (size_t) kept * sizeof(Stake));
			(*at)->n = kept;
		}
		else if (*at != NULL)
		{
			Carried    *gone = *at;

			*at = gone->next;
			free(gone->stakes);
			free(gone);
		}
	}
}

/* ------------------------------------------------------------ entries */

static Stake *
add_stake(void)
{
	if (nstakes == stakes_size)
	{
		stakes_size = stakes_size == 0 ? 64 : 2 * stakes_size;
		stakes = resize(stakes, (size_t) stakes_size, sizeof(Stake));
	}
	memset(&stakes[nstakes], 0, sizeof(Stake));
	return &stakes[nstakes++];
}

/* places of the fields in the layout of the ledger, which is fixed */
enum { L_PLAYER, L_ENTRY, L_KIND, L_AMOUNT, L_ROUND, L_BET, L_SEAT, L_HAND, L_STAKE_ENTRY, L_GRADE };

static void
take_entry(const CasinoValue *values, Place place)
{
	static int64_t player_id = INT64_MIN;
	bool		pays = is_text(&values[L_KIND], "payout");

	if (nstakes == 0 || values[L_PLAYER].number != player_id)
	{
		const Carried *before = *carried_find(values[L_PLAYER].number);

		player_id = values[L_PLAYER].number;
		if (nstakes == 0 && before != NULL)
			for (int i = 0; i < before->n; i++)
				*add_stake() = before->stakes[i];
	}
	if (is_text(&values[L_KIND], "stake"))
	{
		Stake	   *stake;

		if (values[L_BET].presence != CASINO_PRESENT || values[L_ROUND].presence != CASINO_PRESENT ||
			values[L_AMOUNT].presence != CASINO_PRESENT ||
			values[L_AMOUNT].number != (casino_bet_kind_is_free(values[L_BET].bet.kind) ? 0 : values[L_BET].bet.stake))
			complain(place, "the stake is not of the amount of its bet");
		stake = add_stake();
		stake->player_id = player_id;
		stake->entry_no = values[L_ENTRY].number;
		stake->round_id = values[L_ROUND].number;
		stake->bet = values[L_BET].bet;
		stake->seat = values[L_SEAT].presence == CASINO_PRESENT ? (int) values[L_SEAT].number : 0;
		stake->hand = values[L_HAND].presence == CASINO_PRESENT ? (int) values[L_HAND].number : 0;
		stake->amount = values[L_AMOUNT].number;
		stake->place = place;
	}
	else if (pays || is_text(&values[L_KIND], "refund"))
	{
		for (int i = nstakes - 1; i >= 0; i--)
			if (stakes[i].entry_no == values[L_STAKE_ENTRY].number)
			{
				if (stakes[i].end != 0)
					complain(place, "entry %" PRId64 " of player %" PRId64 " is paid or returned twice", stakes[i].entry_no, player_id);
				if (values[L_ROUND].number != stakes[i].round_id || values[L_AMOUNT].presence != CASINO_PRESENT ||
					(!pays && values[L_AMOUNT].number != stakes[i].amount))
					complain(place, "it does not fit entry %" PRId64 " of player %" PRId64 ", which it pays or returns", stakes[i].entry_no, player_id);
				stakes[i].end = pays ? 'p' : 'r';
				stakes[i].end_amount = values[L_AMOUNT].number;
				copy_text(&values[L_GRADE], stakes[i].grade, sizeof(stakes[i].grade));
				stakes[i].end_place = place;
				return;
			}
		unknown++;
	}
}

void
regrade_player_end(void)
{
	grade_player(stakes, nstakes);
	nstakes = 0;
}

/* Who lost has no entry in the seal in which his round ended. */
void
regrade_seal_end(void)
{
	for (int i = 0; i < BUCKETS; i++)
	{
		for (Carried *c = carried[i]; c != NULL;)
		{
			Carried    *next = c->next;

			for (int j = 0; j < c->n; j++)
				*add_stake() = c->stakes[j];
			regrade_player_end();
			c = next;
		}
	}
	for (int i = 0; i < BUCKETS; i++)
	{
		Round	  **at = &rounds[i];

		while (*at != NULL)
		{
			Round	   *round = *at;

			if (round->seats != NULL && !round->voided && !round->waits)
				settle_texas(round);
			/* of a round that has ended only wagers of withheld players may wait: their cards are kept */
			if (round->ended && nwithheld == 0)
			{
				*at = round->next;
				round_free(round);
			}
			else
			{
				free(round->seats);
				round->seats = NULL;
				at = &round->next;
			}
		}
	}
}

void
regrade_row(const CasinoLayout *layout, const CasinoValue *values, Place place)
{
	switch (layout->tag)
	{
		case 2:
			take_game(layout, values);
			break;
		case 3:
			take_plan(layout, values);
			break;
		case 4:
			take_rule(layout, values, place);
			break;
		case 5:
			take_odds(layout, values, true);
			break;
		case 6:
			take_odds(layout, values, false);
			break;
		case 13:
			take_round(layout, values);
			break;
		case 14:
			take_round_end(layout, values);
			break;
		case 16:
			take_hand(layout, values);
			break;
		case 29:
			take_withholding(layout, values, false);
			break;
		case 30:
			take_withholding(layout, values, true);
			break;
		case 100:
			take_entry(values, place);
			break;
	}
}
