/*
 * plans.c
 *	  Exported games and plans.
 */
#include "plans.h"

#include <inttypes.h>

#include "core/money.h"
#include "core/games/position.h"
#include "values.h"

typedef struct Game
{
	char		name[64];
	CasinoFamily family;
} Game;

static Game *games;
static int	ngames;
static Plan **plans;
static int	nplans;

void
take_game(const CasinoLayout *layout, const CasinoValue *values, Place place)
{
	char		family[64];
	Game	   *game;

	games = resize(games, (size_t) ngames + 1, sizeof(Game));
	game = &games[ngames];
	copy_text(value_of(layout, values, "game"), game->name, sizeof(game->name));
	copy_text(value_of(layout, values, "family"), family, sizeof(family));
	game->family = casino_family_lookup(family);
	for (int i = 0; i < ngames; i++)
		if (strcmp(games[i].name, game->name) == 0)
			refuse(place, "game %s was sealed before", game->name);
	ngames++;
}

static Plan *
find(int64_t plan_id)
{
	for (int i = 0; i < nplans; i++)
		if (plans[i]->plan_id == plan_id)
			return plans[i];
	return NULL;
}

const Plan *
plan_find(int64_t plan_id)
{
	return find(plan_id);
}

void
take_plan(const CasinoLayout *layout, const CasinoValue *values, int64_t seal_no, Place place)
{
	Plan	   *plan = resize(NULL, 1, sizeof(Plan));

	memset(plan, 0, sizeof(*plan));
	plan->plan_id = number_of(layout, values, "plan_id");
	plan->seal_no = seal_no;
	for (int i = 0; i < ngames; i++)
		if (is_text(value_of(layout, values, "game"), games[i].name))
			plan->family = games[i].family;
	for (int i = 0; i < CASINO_BET_KIND_END; i++)
		plan->paytable.declared_win[i] = CASINO_NO_CAP;
	if (find(plan->plan_id) != NULL)
		refuse(place, "plan %" PRId64 " was sealed before", plan->plan_id);
	plans = resize(plans, (size_t) nplans + 1, sizeof(Plan *));
	plans[nplans++] = plan;
}

/* The plan of a row, sealed with it: what is put into a plan that was in force would change it. */
static Plan *
plan_of_row(const CasinoLayout *layout, const CasinoValue *values, int64_t seal_no, Place place)
{
	int64_t		plan_id = number_of(layout, values, "plan_id");
	Plan	   *plan = find(plan_id);

	if (plan == NULL || plan->seal_no != seal_no)
		refuse(place, "plan %" PRId64 " is not in this seal: the row was put into it afterwards", plan_id);
	return plan;
}

void
take_rule(const CasinoLayout *layout, const CasinoValue *values, int64_t seal_no, Place place)
{
	Plan	   *plan = plan_of_row(layout, values, seal_no, place);
	char		name[64];
	char		value[256];
	CasinoError error;

	if (plan->family != CASINO_FAMILY_BLACKJACK)
		return;
	copy_text(value_of(layout, values, "rule"), name, sizeof(name));
	copy_text(value_of(layout, values, "value"), value, sizeof(value));
	if (!casino_blackjack_rule_set(&plan->rules, name, value, &error))
		refuse(place, "%s", error.detail);
}

static int
kind_in(const CasinoValue *value)
{
	return value->presence == CASINO_PRESENT ? casino_bet_kind_lookup(value->text, value->len) : 0;
}

void
take_cap(const CasinoLayout *layout, const CasinoValue *values, int64_t seal_no, Place place)
{
	Plan	   *plan = plan_of_row(layout, values, seal_no, place);
	const CasinoValue *declared = value_of(layout, values, "declared_win");
	const CasinoValue *phase = value_of(layout, values, "phase");
	int			kind = kind_in(value_of(layout, values, "kind"));

	if (declared->presence == CASINO_AS_TEXT || number_in(declared) < 0)
		refuse(place, "the declared win cannot be");
	if (declared->presence == CASINO_PRESENT)
		plan->paytable.declared_win[kind] = declared->number;
	plan->phase[kind] = phase->presence == CASINO_PRESENT && phase->len > 0 ? phase->text[0] : '\0';
}

void
take_odds(const CasinoLayout *layout, const CasinoValue *values, int64_t seal_no, Place place)
{
	Plan	   *plan = plan_of_row(layout, values, seal_no, place);
	int			num = small_in(value_of(layout, values, "num"), place);
	int			den = small_in(value_of(layout, values, "den"), place);

	if (den < 1 || num < -den)
		refuse(place, "the odds %d:%d cannot be", num, den);
	for (int grade = 1; grade < CASINO_GRADE_END; grade++)
		if (is_text(value_of(layout, values, "grade"), casino_grade_name((CasinoGrade) grade)))
		{
			int			kind = kind_in(value_of(layout, values, "kind"));
			CasinoOddsLine *odds = &plan->paytable.odds.lines[kind][grade];

			odds->num = num;
			odds->den = den;
		}
}

void
plans_gap(void)
{
	for (int i = 0; i < nplans; i++)
		plans[i]->lost = true;
}
