/*
 * refunds.c
 *	  Reasons of refunds, held against rounds, exclusions, disconnections and
 *	  corrections of cards.
 *
 * A bet behind may go back with the main bet of another player, whose entries
 * may stand later in the export: such refunds are looked at again when the
 * seal has been read.
 */
#include "refunds.h"

#include <inttypes.h>

#include "values.h"

/* The clock may have been put back between two records of one call (R12.151, R12.159). */
#define PUT_BACK	(60 * INT64_C(1000000))

/* Something that a reason may name, of a player or of a round. */
typedef struct Known
{
	int64_t		number;			/* of the player, or of the round */
	int64_t		second;			/* exclusion, round, entry or seat of it; 0: none */
	int64_t		from;
	int64_t		until;
	int64_t		recorded_at;
	char		why;
	struct Known *next;			/* of the bucket */
} Known;

/* A bet behind that went back, for a reason or at a time that may be that of the main bet. */
typedef struct Behind
{
	struct Behind *next;
	Stake		stake;
	int64_t		betting_closed_at;
	int64_t		ended;			/* closed, or evaluated */
	int64_t		betting_until;
	const char *why;			/* is it refused, unless it went with the main bet */
} Behind;

static Known *exclusions[BUCKETS];
static Known *disconnections[BUCKETS];
static Known *corrections[BUCKETS];
static Known *taken_back[BUCKETS];	/* breaches taken_back_late (R13.35) */
static Known *mains[BUCKETS];	/* main bets that went back: from the stake until the refund */
static Behind *behind;			/* of this seal */
static bool earlier_unknown;	/* seals are missing */

static const char *const after_end = "after the betting of its round was closed";

static Known *
keep(Known **list, int64_t number, int64_t second, int64_t from)
{
	Known	   *known = resize(NULL, 1, sizeof(Known));
	Known	  **at = &list[bucket(number)];

	known->number = number;
	known->second = second;
	known->from = from;
	known->until = INT64_MAX;
	known->recorded_at = INT64_MIN + PUT_BACK;
	known->why = 0;
	known->next = *at;
	*at = known;
	return known;
}

/*
 * Is there one of that second number (0: of any) that was in force then, and recorded before, or in
 * that minute?
 */
static bool
has(Known *const *list, int64_t number, int64_t second, int64_t at, int64_t recorded_at)
{
	for (const Known *known = list[bucket(number)]; known != NULL; known = known->next)
		if (known->number == number && (second == 0 || known->second == second) && known->from <= at &&
			at < known->until && known->recorded_at - PUT_BACK <= recorded_at)
			return true;
	return false;
}

void
take_exclusion(const CasinoLayout *layout, const CasinoValue *values)
{
	Known	   *known = keep(exclusions, number_of(layout, values, "player_id"),
							 number_of(layout, values, "exclusion_no"),
							 time_in(value_of(layout, values, "excluded_from")));

	known->until = time_in(value_of(layout, values, "excluded_until"));
	known->recorded_at = time_in(value_of(layout, values, "recorded_at"));
}

/* A decision ended it before its time. */
void
take_exclusion_end(const CasinoLayout *layout, const CasinoValue *values)
{
	int64_t		player_id = number_of(layout, values, "player_id");
	int64_t		ended_at = time_in(value_of(layout, values, "ended_at"));

	for (Known *known = exclusions[bucket(player_id)]; known != NULL; known = known->next)
		if (known->number == player_id && known->second == number_of(layout, values, "exclusion_no") &&
			ended_at < known->until)
			known->until = ended_at;
}

void
take_disconnection(const CasinoLayout *layout, const CasinoValue *values)
{
	Known	   *known = keep(disconnections, number_of(layout, values, "player_id"),
							 number_of(layout, values, "round_id"),
							 time_in(value_of(layout, values, "disconnected_at")));

	known->until = known->from + 1;
	known->recorded_at = time_in(value_of(layout, values, "recorded_at"));
}

void
take_main_returned(const Stake *stake)
{
	Known	   *known = keep(mains, stake->round_id, stake->seat, stake->posted_at);

	known->until = stake->end_posted_at;
	known->recorded_at = stake->end_recorded_at;
	known->why = stake->why;
}

void
take_breach(const CasinoLayout *layout, const CasinoValue *values)
{
	int64_t		entry_no = number_of(layout, values, "entry_no");

	if (is_text(value_of(layout, values, "rule"), "taken_back_late"))
		keep(taken_back, number_of(layout, values, "player_id"), entry_no, INT64_MIN);
}

void
take_correction(const CasinoLayout *layout, const CasinoValue *values)
{
	keep(corrections, number_of(layout, values, "round_id"), 0,
		 time_in(value_of(layout, values, "corrected_at")));
}

void
refunds_gap(void)
{
	earlier_unknown = true;
}

static bool
is_after(int64_t posted_at, int64_t betting_closed_at, int64_t betting_until)
{
	return (betting_closed_at != NO_TIME && posted_at > betting_closed_at) ||
		(betting_until != NO_TIME && posted_at >= betting_until);
}

/* The close, or the evaluation of a round that nobody closed. */
static int64_t
end_of_betting(const Round *round)
{
	return round->betting_closed_at != NO_TIME ? round->betting_closed_at : round->evaluated_at;
}

static bool
is_late(const Round *round, const Stake *stake)
{
	return is_after(stake->posted_at, round->betting_closed_at, round->betting_until);
}

/* Staked after the close and not in play: it may go back at any time (R11.8). */
static bool
never_in(const Round *round, const Stake *stake)
{
	char		phase = round->plan == NULL || round->plan->lost ? '\0' : round->plan->phase[stake->bet.kind];

	return phase != 'p' && is_late(round, stake);
}

/* May it stand only while another wager of the player on its seat does? */
static bool
depends_on(const Round *round, const Stake *stake, const Stake *other)
{
	if (other->seat != stake->seat)
		return false;
	/* a chip below the minimum alone, put on one that is dated later */
	if (other->bet.kind == stake->bet.kind)
		return casino_bet_same_position(&other->bet, &stake->bet) && other->entry_no < stake->entry_no;
	return round->plan == NULL ||
		round->plan->family == CASINO_FAMILY_BLACKJACK || round->plan->family == CASINO_FAMILY_CASINO_HOLDEM;
}

/* A late stake, or one that could not stand without such a one. */
static bool
goes_with_late(const Round *round, const Stake *stake, const Stake *all, int n)
{
	if (is_late(round, stake))
		return true;
	for (int i = 0; i < n; i++)
		if (all[i].why == 'l' && is_late(round, &all[i]) && depends_on(round, stake, &all[i]))
			return true;
	return false;
}

/* Was the player's wagers of this round voided, or those of all? */
static bool
is_voided(const Round *round, int64_t player_id)
{
	for (size_t i = 0; i < round->nvoid_players; i++)
		if (round->void_players[i] == player_id)
			return true;
	return round->voided;
}

/* A reason that no other row bears out. */
static const char *
unproved(char why)
{
	switch (why)
	{
		case 'l':
			return "as late, and was not";
		case 'e':
			return "for an exclusion that there is not";
		case 'd':
			return "for a disconnection that there is not";
		case 'm':
			return "for a correction of cards that there is not";
		default:
			return NULL;
	}
}

/* Does another row bear the reason out? */
static bool
is_proved(const Round *round, const Stake *stake, const Stake *all, int n)
{
	int64_t		at = stake->end_posted_at;
	int64_t		recorded_at = stake->end_recorded_at;

	switch (stake->why)
	{
		case 'l':
			return goes_with_late(round, stake, all, n);
		case 'e':
			return earlier_unknown || has(exclusions, stake->player_id, 0, at, recorded_at);
		case 'd':
			return earlier_unknown ||
				has(disconnections, stake->player_id, stake->round_id, at, recorded_at);
		case 'm':
			return earlier_unknown || has(corrections, round->round_id, 0, at, recorded_at);
		default:
			return true;
	}
}

/* A bet behind goes with the main bet of its seat: looked at when all players of the seal have been read. */
static bool
may_go_with_main(const Round *round, const Stake *stake, const char *why)
{
	Behind	   *one;

	if (stake->bet.kind != CASINO_BEHIND)
		return false;
	one = resize(NULL, 1, sizeof(Behind));
	one->stake = *stake;
	one->betting_closed_at = round->betting_closed_at;
	one->ended = end_of_betting(round);
	one->betting_until = round->betting_until;
	one->why = why;
	one->next = behind;
	behind = one;
	return true;
}

/* Was it returned with this main bet, beside which it lay, while betting was open (R13.35)? */
static bool
went_in_time(const Behind *one, const Known *main)
{
	return !is_after(main->until, one->ended, one->betting_until) &&
		(main->why == one->stake.why || (main->why == 'e' && one->stake.why == 'c')) &&
		one->stake.recorded_at <= main->recorded_at &&
		one->stake.end_recorded_at - main->recorded_at <= PUT_BACK &&
		main->recorded_at - one->stake.end_recorded_at <= PUT_BACK;
}

static bool
went_with_main(const Behind *one)
{
	for (const Known *main = mains[bucket(one->stake.round_id)]; main != NULL; main = main->next)
	{
		if (main->number != one->stake.round_id || main->second != one->stake.seat)
			continue;
		if (one->why == after_end ? went_in_time(one, main) :
			main->why == one->stake.why &&
			(main->why == 'd' || is_after(main->from, one->betting_closed_at, one->betting_until)))
			return true;
	}
	return earlier_unknown;
}

static void
refuse_refund(const Stake *stake, const char *why)
{
	refuse(stake->end_place, "entry %" PRId64 " of player %" PRId64 " was returned %s", stake->entry_no,
		   stake->player_id, why);
}

void
refunds_seal_end(void)
{
	while (behind != NULL)
	{
		Behind	   *one = behind;

		behind = one->next;
		if (!went_with_main(one))
			refuse_refund(&one->stake, one->why);
		free(one);
	}
}

/*
 * Until when a refund of before the evaluation was written: later where that claims a later time
 * (R12.151).
 */
static int64_t
evaluation_written(const Round *round)
{
	return round->evaluated_at != NO_TIME && round->evaluated_at > round->recorded_at ?
		round->evaluated_at + PUT_BACK : round->recorded_at;
}

/* What is wrong with the reason; NULL: nothing. */
static const char *
fault(const Round *round, const Stake *stake, const Stake *all, int n)
{
	int64_t		at = stake->end_posted_at;

	if (stake->why == 0)
		return "for a reason that there is not";
	if (stake->why == 'v')
		return is_voided(round, stake->player_id) ? NULL : "as voided, which it was not";
	if (round->recorded_at != NO_TIME && stake->end_recorded_at > evaluation_written(round))
		return "after the evaluation of its round was recorded";
	if (stake->why != 'l' && stake->why != 'm' && !never_in(round, stake) &&
		is_after(at, end_of_betting(round), round->betting_until) &&
		!earlier_unknown && !has(taken_back, stake->player_id, stake->entry_no, at, INT64_MAX))
		return may_go_with_main(round, stake, after_end) ? NULL : after_end;
	if (!is_proved(round, stake, all, n) &&
		!((stake->why == 'l' || stake->why == 'd') && may_go_with_main(round, stake, unproved(stake->why))))
		return unproved(stake->why);
	return NULL;
}

void
check_refunds(const Round *round, const Stake *all, int n)
{
	for (int i = 0; i < n; i++)
	{
		const char *why = all[i].end == 'r' ? fault(round, &all[i], all, n) : NULL;

		if (why != NULL)
			refuse_refund(&all[i], why);
	}
}
