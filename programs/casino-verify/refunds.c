/*
 * refunds.c
 *	  Reasons of refunds, held against rounds, exclusions and corrections of
 *	  cards.
 *
 * A bet behind may go back with the main bet of another player, whose entries
 * stand elsewhere in the export: that is left to the night.
 */
#include "refunds.h"

#include <inttypes.h>

#include "values.h"

/* An exclusion of a player, or a round whose cards were corrected. */
typedef struct Known
{
	int64_t		number;			/* of the player, or of the round */
	int64_t		from;
	int64_t		until;
	struct Known *next;			/* of the bucket */
} Known;

static Known *exclusions[BUCKETS];
static Known *corrections[BUCKETS];
static Known *taken_back[BUCKETS];	/* breaches taken_back_late: from is the entry (R13.35) */
static bool earlier_unknown;	/* seals are missing */

static void
keep(Known **list, int64_t number, int64_t from, int64_t until)
{
	Known	   *known = resize(NULL, 1, sizeof(Known));
	Known	  **at = &list[bucket(number)];

	known->number = number;
	known->from = from;
	known->until = until;
	known->next = *at;
	*at = known;
}

static bool
has(Known *const *list, int64_t number, int64_t at)
{
	for (const Known *known = list[bucket(number)]; known != NULL; known = known->next)
		if (known->number == number && known->from <= at && at < known->until)
			return true;
	return false;
}

void
take_exclusion(const CasinoLayout *layout, const CasinoValue *values)
{
	keep(exclusions, number_of(layout, values, "player_id"), time_in(value_of(layout, values, "excluded_from")),
		 time_in(value_of(layout, values, "excluded_until")));
}

void
take_breach(const CasinoLayout *layout, const CasinoValue *values)
{
	int64_t		entry_no = number_of(layout, values, "entry_no");

	if (is_text(value_of(layout, values, "rule"), "taken_back_late"))
		keep(taken_back, number_of(layout, values, "player_id"), entry_no, entry_no + 1);
}

void
take_correction(const CasinoLayout *layout, const CasinoValue *values)
{
	keep(corrections, number_of(layout, values, "round_id"), time_in(value_of(layout, values, "corrected_at")), INT64_MAX);
}

void
refunds_gap(void)
{
	earlier_unknown = true;
}

static bool
is_late(const Round *round, const Stake *stake)
{
	return (round->betting_closed_at != NO_TIME && stake->posted_at > round->betting_closed_at) ||
		(round->betting_until != NO_TIME && stake->posted_at >= round->betting_until);
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
	if (is_late(round, stake) || stake->bet.kind == CASINO_BEHIND)
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

/* What is wrong with the reason; NULL: nothing. */
static const char *
fault(const Round *round, const Stake *stake, const Stake *all, int n)
{
	int64_t		closed = round->betting_closed_at != NO_TIME ? round->betting_closed_at : round->evaluated_at;
	int64_t		at = stake->end_posted_at;

	if (stake->why == 0)
		return "for a reason that there is not";
	if (stake->why == 'v')
		return is_voided(round, stake->player_id) ? NULL : "as voided, which it was not";
	if (round->recorded_at != NO_TIME && stake->end_recorded_at > round->recorded_at)
		return "after the evaluation of its round was recorded";
	if (stake->why == 'l')
		return goes_with_late(round, stake, all, n) ? NULL : "as late, and was not";
	if (stake->why == 'm')
		return earlier_unknown || has(corrections, round->round_id, at) ? NULL
			: "for a correction of cards that there is not";
	if ((at > closed || (round->betting_until != NO_TIME && at >= round->betting_until)) &&
		!earlier_unknown && !has(taken_back, stake->player_id, stake->entry_no))
		return "after the betting of its round was closed";
	if (stake->why == 'e' && stake->bet.kind != CASINO_BEHIND && !earlier_unknown &&
		!has(exclusions, stake->player_id, at))
		return "for an exclusion that there is not";
	return NULL;
}

void
check_refunds(const Round *round, const Stake *all, int n)
{
	for (int i = 0; i < n; i++)
	{
		const char *why = all[i].end == 'r' ? fault(round, &all[i], all, n) : NULL;

		if (why != NULL)
			refuse(all[i].end_place, "entry %" PRId64 " of player %" PRId64 " was returned %s", all[i].entry_no,
				   all[i].player_id, why);
	}
}
