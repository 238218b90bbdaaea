/*
 * count_holdem.c
 *	  Exact counts of Casino Hold'em.
 *
 * AA and Razz are counted over all hands of five cards of a player who does not
 * fold, by the extension's own grading (R8.7).  Ante and call under the best decision
 * are kept, from a program that needs a minute (tools/holdem_counts.c).
 */
#include <stdio.h>
#include <string.h>

#include "core/games/casino_holdem.h"
#include "core/returns/count_holdem.h"

typedef struct HoldemKept
{
	int32_t		odds[CASINO_HOLDEM_LINES];	/* of the ante, to 1 */
	int64_t		folded;
	int64_t		called[CASINO_HOLDEM_CASES];
} HoldemKept;

#include "core/returns/count_holdem_kept.h"

#define FIRST_FIVE	5			/* the player's two cards and the flop */

const CasinoGrade casino_holdem_line_grades[CASINO_HOLDEM_LINES] = {
	CASINO_ROYAL_FLUSH, CASINO_STRAIGHT_FLUSH, CASINO_FOUR_OF_A_KIND, CASINO_FULL_HOUSE,
	CASINO_FLUSH, CASINO_WIN
};

/* Kept counts for these odds; NULL when there are none. */
static const HoldemKept *
kept_for(const CasinoOdds *odds)
{
	const CasinoOddsLine *call = &odds->lines[CASINO_CALL][CASINO_WIN];
	size_t		k;
	int			i;

	for (k = 0; k < sizeof(holdem_kept) / sizeof(holdem_kept[0]); k++)
	{
		const HoldemKept *kept = &holdem_kept[k];

		for (i = 0; i < CASINO_HOLDEM_LINES; i++)
		{
			const CasinoOddsLine *line = &odds->lines[CASINO_ANTE][casino_holdem_line_grades[i]];

			if (line->den == 0 || line->num != (int64_t) kept->odds[i] * line->den)
				break;
		}
		if (i == CASINO_HOLDEM_LINES && call->den > 0 && call->num == call->den)
			return kept;
	}
	return NULL;
}

static int64_t
sum_of(const int64_t *deals, int count)
{
	int64_t		sum = 0;
	int			i;

	for (i = 0; i < count; i++)
		sum += deals[i];
	return sum;
}

/* The ante's own lines, a folded one lost. */
static void
emit_ante(const HoldemKept *kept, int64_t of, CasinoCountSink sink, void *context)
{
	int			i;

	for (i = 0; i < CASINO_HOLDEM_LINES; i++)
		casino_count_emit(sink, context, "", casino_holdem_line_grades[i],
						  casino_big(kept->called[CASINO_HOLDEM_WON + i] +
									 kept->called[CASINO_HOLDEM_UNQUALIFIED + i]),
						  casino_big(of));
	casino_count_emit(sink, context, "", CASINO_PUSH, casino_big(kept->called[CASINO_HOLDEM_PUSHED]),
					  casino_big(of));
	casino_count_emit(sink, context, "", CASINO_LOSE,
					  casino_big(kept->called[CASINO_HOLDEM_LOST] + kept->folded), casino_big(of));
}

/* Ante and call together, in antes; results that are equal in one line. */
static void
emit_with_call(const HoldemKept *kept, int64_t of, CasinoCountSink sink, void *context)
{
	int32_t		results[CASINO_HOLDEM_CASES + 1];
	int64_t		deals[CASINO_HOLDEM_CASES + 1];
	int			i;
	int			k;

	for (i = 0; i < CASINO_HOLDEM_LINES; i++)
	{
		results[CASINO_HOLDEM_WON + i] = kept->odds[i] + CASINO_HOLDEM_CALL;
		results[CASINO_HOLDEM_UNQUALIFIED + i] = kept->odds[i];
	}
	results[CASINO_HOLDEM_PUSHED] = 0;
	results[CASINO_HOLDEM_LOST] = -1 - CASINO_HOLDEM_CALL;
	results[CASINO_HOLDEM_CASES] = -1;
	memcpy(deals, kept->called, sizeof(kept->called));
	deals[CASINO_HOLDEM_CASES] = kept->folded;
	for (i = 0; i <= CASINO_HOLDEM_CASES; i++)
	{
		for (k = i + 1; k <= CASINO_HOLDEM_CASES; k++)
		{
			if (results[k] == results[i])
			{
				deals[i] += deals[k];
				deals[k] = 0;
			}
		}
		casino_count_emit_result(sink, context, "with_call", results[i], 1, 1, casino_big(deals[i]),
								 casino_big(of));
	}
}

/* The call of a player who called. */
static void
emit_call(const HoldemKept *kept, CasinoCountSink sink, void *context)
{
	int64_t		won = sum_of(kept->called + CASINO_HOLDEM_WON, CASINO_HOLDEM_LINES);
	int64_t		pushed = sum_of(kept->called + CASINO_HOLDEM_UNQUALIFIED, CASINO_HOLDEM_LINES) +
	kept->called[CASINO_HOLDEM_PUSHED];
	int64_t		of = sum_of(kept->called, CASINO_HOLDEM_CASES);

	casino_count_emit(sink, context, "", CASINO_WIN, casino_big(won), casino_big(of));
	casino_count_emit(sink, context, "", CASINO_PUSH, casino_big(pushed), casino_big(of));
	casino_count_emit(sink, context, "", CASINO_LOSE, casino_big(kept->called[CASINO_HOLDEM_LOST]),
					  casino_big(of));
}

/*
 * cards_of
 *		Cards of these ranks, equal ones side by side, of as many suits as there
 *		must be; returns in how many ways their suits can be.
 */
static int64_t
cards_of(const int *ranks, CasinoCard *cards, bool *distinct)
{
	int64_t		ways = 1;
	int			equal = 0;
	int			i;

	*distinct = true;
	for (i = 0; i < FIRST_FIVE; i++)
	{
		equal = i > 0 && ranks[i] == ranks[i - 1] ? equal + 1 : 0;
		if (equal > 0)
			*distinct = false;
		if (equal == CASINO_SUITS)
			return 0;
		cards[i] = casino_card_make(ranks[i], equal);
		ways = ways * (CASINO_SUITS - equal) / (equal + 1);
	}
	return ways;
}

/* Add hands of five cards that differ in their suits only, all of one suit or none of them. */
static void
add_five(int kind, const CasinoCard *cards, int64_t hands, int64_t *ways)
{
	static const CasinoHand dealer = {2, {0, 1}};
	CasinoBet	bet = {.stake = 1, .kind = (uint8_t) kind};
	CasinoHand	player = {2, {0}};
	CasinoHand	board = {CASINO_HOLDEM_BOARD, {0}};

	memcpy(player.cards, cards, 2);
	memcpy(board.cards, cards + 2, CASINO_HOLDEM_FLOP);
	ways[casino_grade_holdem(&bet, &player, &board, &dealer, true)] += hands;
}

/*
 * count_first_five
 *		AA and Razz: the board's last cards and the dealer's do not
 *		matter.  Of suits it matters only whether all five are the same.
 */
static void
count_first_five(int kind, CasinoCountSink sink, void *context)
{
	int64_t		ways[CASINO_GRADE_END] = {0};
	int			r[FIRST_FIVE];
	int			i;

	for (r[4] = 0; r[4] < CASINO_RANKS; r[4]++)
		for (r[3] = 0; r[3] <= r[4]; r[3]++)
			for (r[2] = 0; r[2] <= r[3]; r[2]++)
				for (r[1] = 0; r[1] <= r[2]; r[1]++)
					for (r[0] = 0; r[0] <= r[1]; r[0]++)
					{
						CasinoCard	cards[FIRST_FIVE];
						bool		distinct;
						int64_t		hands = cards_of(r, cards, &distinct);

						if (hands == 0)
							continue;
						if (distinct)
						{
							add_five(kind, cards, CASINO_SUITS, ways);
							cards[0] = casino_card_make(r[0], 1);
							hands -= CASINO_SUITS;
						}
						add_five(kind, cards, hands, ways);
					}
	for (i = CASINO_GRADE_END - 1; i >= 0; i--)
		casino_count_emit(sink, context, "", (CasinoGrade) i, casino_big(ways[i]),
						  casino_big(sum_of(ways, CASINO_GRADE_END)));
}

/*
 * casino_count_holdem
 *		Rows of a kind of bet.
 */
bool
casino_count_holdem(int kind, const CasinoOdds *odds, CasinoCountSink sink, void *context)
{
	const HoldemKept *kept;

	if (kind == CASINO_AA || kind == CASINO_RAZZ)
	{
		count_first_five(kind, sink, context);
		return true;
	}
	kept = kind == CASINO_ANTE || kind == CASINO_CALL ? kept_for(odds) : NULL;
	if (kept == NULL)
		return false;
	if (kind == CASINO_CALL)
		emit_call(kept, sink, context);
	else
	{
		int64_t		of = sum_of(holdem_every_call, CASINO_HOLDEM_CASES);

		emit_ante(kept, of, sink, context);
		emit_with_call(kept, of, sink, context);
	}
	return true;
}
