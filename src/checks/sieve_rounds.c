/*
 * sieve_rounds.c
 *	  A player's stakes by rounds, and the live rounds that he joined by time:
 *	  what was paid, limits, betting sequences (D4 section 8).
 */
#include "checks/sieve.h"

#include "utils/memutils.h"
#include "utils/timestamp.h"

/* A live round that he joined. */
typedef struct Joined
{
	TimestampTz joined_at;
	int64		entry_no;
	int64		round_id;
	TimestampTz evaluated_at;	/* DT_NOBEGIN: not yet */
} Joined;

/* The player in hand. */
typedef struct RoundsPass
{
	const SieveFacts *facts;
	SieveCount *counts;
	const SievePlayer *row;
	int			parts;			/* what may not fit */
	int			njoined;
	Joined	   *joined;
} RoundsPass;

static int
by_round(const void *a, const void *b)
{
	const SieveStake *x = a;
	const SieveStake *y = b;

	if (x->round != y->round)
		return x->round < y->round ? -1 : 1;
	return x->entry_no < y->entry_no ? -1 : x->entry_no > y->entry_no;
}

static int
by_time(const void *a, const void *b)
{
	const Joined *x = a;
	const Joined *y = b;

	if (x->joined_at != y->joined_at)
		return x->joined_at < y->joined_at ? -1 : 1;
	return x->entry_no < y->entry_no ? -1 : x->entry_no > y->entry_no;
}

/* A live round is joined by its first stake that was placed. */
static void
join_round(RoundsPass *pass, const SieveRound *round, const SieveStake *stakes, int n)
{
	Joined	   *joined = &pass->joined[pass->njoined];
	bool		any = false;

	if (round->plan == NULL || !round->plan->live)
		return;
	for (int i = 0; i < n; i++)
	{
		if (stakes[i].end == 'r' && (stakes[i].never_placed || round->betting_closed_at == DT_NOBEGIN))
			continue;
		if (!any || stakes[i].posted_at < joined->joined_at)
			joined->joined_at = stakes[i].posted_at;
		if (!any)
			joined->entry_no = stakes[i].entry_no;
		any = true;
	}
	if (!any)
		return;
	joined->round_id = round->round_id;
	joined->evaluated_at = round->evaluated_at;
	pass->njoined++;
}

/* His stakes in one round. */
static void
check_round(RoundsPass *pass, const SieveRound *round, const SieveStake *stakes, int n)
{
	SieveCount *count = &pass->counts[round - pass->facts->rounds];
	bool		any = false;

	for (int i = 0; i < n; i++)
	{
		if (round->status == ROUND_VOIDED && stakes[i].end != 'r')
			pass->parts |= SIEVE_REFUND;
		if (stakes[i].never_placed)
			continue;
		any = true;
		count->wagers++;
		if (!casino_money_add(count->staked, stakes[i].amount, &count->staked) ||
			(stakes[i].end != 0 && !casino_money_add(count->paid, stakes[i].end_amount, &count->paid)))
			count->incomplete = true;
	}
	count->players += any;
	if (round->unfit)
		pass->parts |= SIEVE_OF_ROUNDS;
	else if (round->exact)
		pass->parts |= SIEVE_PAYOUT | SIEVE_REFUND;
	else if (round->status == ROUND_SETTLED &&
			 (round->plan == NULL || !casino_sieve_payouts_fit(round, pass->row->player_id, stakes, n)))
		pass->parts |= SIEVE_PAYOUT;
	if (!casino_sieve_limits_fit(round, stakes, n))
		pass->parts |= SIEVE_STAKE_LIMITS;
	join_round(pass, round, stakes, n);
}

/* The figure in force at a time, of versions by time; none: nothing fits. */
static int64
figure_at(const SieveFigure *figures, int n, TimestampTz at)
{
	for (int i = n - 1; i >= 0; i--)
		if (figures[i].valid_from <= at)
			return figures[i].usecs;
	return PG_INT64_MAX;
}

/* Betting sequences (D4 section 8), and what the player's row says of the last one. */
static void
check_sequences(RoundsPass *pass)
{
	TimestampTz busy_until = DT_NOBEGIN;	/* last evaluation of all before */
	TimestampTz started_at = DT_NOBEGIN;
	TimestampTz ended_at = DT_NOBEGIN;	/* last evaluation of the sequence */
	bool		unevaluated = false;
	int64		last_round_id = 0;

	for (int i = 1; i < pass->njoined; i++)
	{
		if (by_time(&pass->joined[i - 1], &pass->joined[i]) > 0)
		{
			qsort(pass->joined, (size_t) pass->njoined, sizeof(Joined), by_time);
			break;
		}
	}
	for (int i = 0; i < pass->njoined; i++)
	{
		const Joined *joined = &pass->joined[i];
		const SieveFacts *facts = pass->facts;
		int64		gap = figure_at(facts->breaks, facts->nbreaks, joined->joined_at);
		int64		most = figure_at(facts->sequences, facts->nsequences, joined->joined_at);

		if (unevaluated || joined->joined_at < busy_until)
			pass->parts |= SIEVE_SEQUENCE;
		if (!unevaluated && (busy_until == DT_NOBEGIN || joined->joined_at - busy_until >= gap))
		{
			started_at = joined->joined_at;
			ended_at = DT_NOBEGIN;
		}
		else if (ended_at != DT_NOBEGIN && ended_at - started_at >= most)
			pass->parts |= SIEVE_SEQUENCE;
		if (joined->evaluated_at == DT_NOBEGIN)
			unevaluated = true;
		busy_until = Max(busy_until, joined->evaluated_at);
		ended_at = Max(ended_at, joined->evaluated_at);
		last_round_id = joined->round_id;
	}
	/* of days alone, who has joined none on them may have before */
	if ((pass->row->first == 0 || pass->njoined > 0) &&
		(last_round_id != pass->row->last_round_id || started_at != pass->row->sequence_started_at))
		pass->parts |= SIEVE_STATE;
	if (pass->row->several)
		pass->parts |= SIEVE_SEQUENCE | SIEVE_STATE;
}

int
casino_sieve_rounds(const SieveFacts *facts, SieveCount *counts, MemoryContext context,
					const SievePlayer *row,
					SieveStake *stakes, int n)
{
	RoundsPass	pass = {.facts = facts, .counts = counts, .row = row};

	pass.joined = MemoryContextAllocHuge(context, sizeof(Joined) * ((size_t) n + 1));
	for (int i = 1; i < n; i++)
	{
		if (stakes[i].round < stakes[i - 1].round)
		{
			qsort(stakes, (size_t) n, sizeof(SieveStake), by_round);
			break;
		}
	}
	for (int i = 0, j; i < n; i = j)
	{
		for (j = i + 1; j < n && stakes[j].round == stakes[i].round; j++)
			;
		check_round(&pass, &facts->rounds[stakes[i].round], &stakes[i], j - i);
	}
	check_sequences(&pass);
	return pass.parts;
}
