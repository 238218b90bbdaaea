/*
 * sieve_limits.c
 *	  A player's stakes by time, against the limits that the player has set
 *	  (D4 section 6.5).
 *
 * The sums that check self_limit makes of each stake, or higher ones: a stake
 * that was taken back counts, and of all limits ever set the least one holds.
 * A player who stays below that has kept each limit at each stake.
 */
#include "checks/sieve.h"

#include "common/int.h"
#include "utils/date.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "server/days.h"

/* A stake, or the evaluation of one; in the order of check self_limit. */
typedef struct Event
{
	TimestampTz at;
	int64		place;
	int			part;			/* -1: an evaluation right before the stake */
	bool		is_stake;
	TimestampTz counts_at;		/* on this day */
	int64		open;
	int64		lost;
	int64		staked;
} Event;

/* Running sums, haléře. */
typedef struct Sums
{
	DateADT		day;
	DateADT		month;
	int64		open;
	int64		lost_day;
	int64		lost_month;
	int64		staked_day;
	int64		staked_month;
} Sums;

static int
by_time(const void *a, const void *b)
{
	const Event *x = a;
	const Event *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->part < y->part ? -1 : x->part > y->part;
}

static int
by_player(const void *key, const void *element)
{
	int64		player_id = *(const int64 *) key;
	const SieveLimited *limited = element;

	return player_id < limited->player_id ? -1 : player_id > limited->player_id;
}

/* The stake's events; how many, -1 where only the check can tell. */
static int
events_of(const SieveFacts *facts, const SieveStake *stake, Event *events)
{
	const SieveRound *round = &facts->rounds[stake->round];
	TimestampTz since = facts->days.since;
	bool		evaluated = round->evaluated_at != DT_NOBEGIN;
	bool		before = stake->posted_at < since;
	bool		evaluated_first = round->evaluated_at <= stake->posted_at;
	int64		lost = stake->end == 'r' ? 0 : stake->amount - (stake->end == 'p' ? stake->end_amount : 0);

	if (round->impossible ||
		(before && stake->recorded_at >= since && stake->recorded_at < facts->days.until))
		return -1;
	/* in the sums before the days */
	if (evaluated && round->evaluated_at < since)
		return before ? 0 : -1;
	events[0] = (Event)
	{
		.at = stake->posted_at, .place = stake->entry_no, .is_stake = !before, .counts_at = stake->posted_at,
			.open = stake->amount, .staked = before ? 0 : stake->amount
	};
	if (!evaluated || stake->never_placed)
		return 1;
	events[1] = (Event)
	{
		.at = Max(round->evaluated_at, stake->posted_at), .place = evaluated_first ? stake->entry_no : 0,
			.part = evaluated_first ? -1 : 0, .counts_at = round->evaluated_at, .open = -stake->amount,
			.lost = lost
	};
	return 2;
}

/* Add an event; false when days do not follow each other, or a sum is too great. */
static bool
add_event(Sums *sums, const Event *event)
{
	Datum		day;
	Datum		month;

	casino_prague_day(event->counts_at, &day, &month);
	if (DatumGetDateADT(day) < sums->day)
	{
		/* of before the days: it is open, and counts in no day of theirs */
		if (event->staked != 0 || event->lost != 0)
			return false;
	}
	else if (DatumGetDateADT(day) > sums->day)
	{
		sums->day = DatumGetDateADT(day);
		sums->lost_day = sums->staked_day = 0;
		if (DatumGetDateADT(month) != sums->month)
			sums->lost_month = sums->staked_month = 0;
		sums->month = DatumGetDateADT(month);
	}
	return !pg_add_s64_overflow(sums->open, event->open, &sums->open) &&
		!pg_add_s64_overflow(sums->lost_day, event->lost, &sums->lost_day) &&
		!pg_add_s64_overflow(sums->lost_month, event->lost, &sums->lost_month) &&
		!pg_add_s64_overflow(sums->staked_day, event->staked, &sums->staked_day) &&
		!pg_add_s64_overflow(sums->staked_month, event->staked, &sums->staked_month);
}

static bool
within(int64 a, int64 b, int64 least)
{
	int64		used;

	return least == -1 || (!pg_add_s64_overflow(a, b, &used) && used <= least);
}

static bool
all_within(const Sums *sums, const SieveLimited *limited)
{
	return within(sums->staked_day, 0, limited->least[SIEVE_STAKE_DAY]) &&
		within(sums->staked_month, 0, limited->least[SIEVE_STAKE_MONTH]) &&
		within(sums->open, sums->lost_day, limited->least[SIEVE_LOSS_DAY]) &&
		within(sums->open, sums->lost_month, limited->least[SIEVE_LOSS_MONTH]);
}

/* The sums that the days begin with. */
static Sums
begin_sums(const SieveFacts *facts, const SieveLimited *limited)
{
	Sums		sums = {.day = DATEVAL_NOBEGIN, .month = DATEVAL_NOBEGIN};
	Datum		day;
	Datum		month;

	if (TIMESTAMP_IS_NOBEGIN(facts->days.since))
		return sums;
	casino_prague_day(facts->days.since, &day, &month);
	sums.day = DatumGetDateADT(day);
	sums.month = DatumGetDateADT(month);
	sums.staked_month = limited->staked;
	sums.lost_month = limited->lost;
	return sums;
}

int
casino_sieve_self_limits(const SieveFacts *facts, MemoryContext context, int64 player_id,
						 const SieveStake *stakes, int n)
{
	const SieveLimited *limited = facts->nlimited == 0 ? NULL :
	bsearch(&player_id, facts->limited, (size_t) facts->nlimited, sizeof(SieveLimited), by_player);
	Event	   *events;
	int			nevents = 0;
	Sums		sums;

	if (limited == NULL)
		return 0;
	if (!limited->known)
		return SIEVE_SELF_LIMIT;
	events = MemoryContextAllocHuge(context, sizeof(Event) * (2 * (size_t) n + 1));
	for (int i = 0; i < n; i++)
	{
		int			more = events_of(facts, &stakes[i], &events[nevents]);

		if (more < 0)
			return SIEVE_SELF_LIMIT;
		nevents += more;
	}
	qsort(events, (size_t) nevents, sizeof(Event), by_time);
	sums = begin_sums(facts, limited);
	for (int i = 0; i < nevents; i++)
	{
		if (!add_event(&sums, &events[i]) || (events[i].is_stake && !all_within(&sums, limited)))
			return SIEVE_SELF_LIMIT;
	}
	return 0;
}
