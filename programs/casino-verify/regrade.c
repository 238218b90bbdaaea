/*
 * regrade.c
 *	  Stakes with what became of them, player by player, until their rounds
 *	  have ended and they can be graded.
 */
#include "regrade.h"

#include <inttypes.h>

#include "corrections.h"
#include "grading.h"
#include "players.h"
#include "refunds.h"
#include "values.h"

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

static Carried *carried[BUCKETS];
static Withheld *withheld[BUCKETS];
static int64_t nwithheld;
static Stake *stakes;			/* of the player in hand, by entry_no */
static int	nstakes;
static int	stakes_size;
static int	ncarried;			/* of them, from earlier seals: they come first */
static bool in_player;			/* an entry of a player has been read */
static int64_t graded;
static int64_t unknown;
static int64_t this_seal;

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

void
regrade_seal(int64_t seal_no)
{
	this_seal = seal_no;
	corrections_seal(seal_no);
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
	Round	   *round = round_find(round_id);

	if (round != NULL)
		round->some_withheld = true;
	if (round != NULL && end && is_text(value_of(layout, values, "how"), "voided"))
	{
		round->void_players = resize(round->void_players, round->nvoid_players + 1, sizeof(int64_t));
		round->void_players[round->nvoid_players++] = player_id;
	}

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

	/* his wagers of one round are judged together */
	if (n > 0)
		qsort(all, (size_t) n, sizeof(Stake), by_round);
	for (int i = 0; i < n;)
	{
		Round	   *round = round_find(all[i].round_id);
		int			j = i;

		while (j < n && all[j].round_id == all[i].round_id)
			j++;
		if (is_ripe(round, all + i, j - i))
		{
			check_times(round, all + i, j - i);
			check_refunds(round, all + i, j - i);
			if (round->plan != NULL && round->plan->lost)
				unknown += j - i;
			else if (round->corrected && round->plan != NULL && round->plan->family != CASINO_FAMILY_NONE)
				graded += corrections_keep(round, all + i, j - i);
			else if (!round->voided)
			{
				int			done = grade_group(round, all + i, j - i);

				*(done < 0 ? &unknown : &graded) += done < 0 ? j - i : done;
			}
			else
				for (int k = i; k < j; k++)
				{
					if (all[k].end != 'r')
						refuse(all[k].place, "round %" PRId64 " was voided, but entry %"
							   PRId64 " of player %" PRId64 " was not returned",
							   round->round_id, all[k].entry_no, player_id);
					graded++;
				}
		}
		else
			for (int k = i; k < j; k++)
			{
				/* of a round that is withheld single players may be paid */
				if (all[k].end == 'p' && round == NULL)
					refuse(all[k].end_place, "entry %" PRId64 " of player %"
						   PRId64 " was paid, but its round %" PRId64 " was not evaluated",
						   all[k].entry_no, player_id, all[k].round_id);
				if (round != NULL && round->ended)
					round->waits = true;
				all[kept++] = all[k];
			}
		i = j;
	}

	/* those of rounds that have not ended are carried on to the next seal */
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
enum
{
	L_PLAYER, L_ENTRY, L_KIND, L_AMOUNT, L_ROUND, L_BET, L_SEAT, L_HAND, L_STAKE_ENTRY, L_GRADE,
	L_REASON = 12,
	L_BALANCE = 18, L_POSTED_AT, L_RECORDED_AT, L_CORRECTION = 22
};

static void
take_stake(const CasinoValue *values, Place place)
{
	Stake	   *stake;
	int64_t		round_id = number_in(&values[L_ROUND]);

	if (values[L_BET].presence != CASINO_PRESENT || values[L_ROUND].presence != CASINO_PRESENT ||
		values[L_AMOUNT].presence != CASINO_PRESENT ||
		values[L_AMOUNT].number != (casino_bet_kind_is_free(values[L_BET].bet.kind) ? 0 :
									values[L_BET].bet.stake))
		refuse(place, "the stake is not of the amount of its bet");
	if (round_is_past(round_id, this_seal))
		refuse(place, "round %" PRId64 " had been evaluated when an earlier seal was made: the stake was "
			   "put into it afterwards", round_id);
	stake = add_stake();
	stake->player_id = values[L_PLAYER].number;
	stake->entry_no = values[L_ENTRY].number;
	stake->round_id = round_id;
	stake->bet = values[L_BET].bet;
	stake->seat = small_in(&values[L_SEAT], place);
	stake->hand = small_in(&values[L_HAND], place);
	stake->amount = values[L_AMOUNT].number;
	stake->posted_at = time_in(&values[L_POSTED_AT]);
	stake->recorded_at = time_in(&values[L_RECORDED_AT]);
	stake->place = place;
}

/* The stake that an entry pays or returns; NULL: nobody has seen it. */
static Stake *
stake_of(const CasinoValue *values, Place place)
{
	int64_t		stake_no = values[L_STAKE_ENTRY].number;
	int			low;
	int			high;

	if (values[L_STAKE_ENTRY].presence != CASINO_PRESENT || values[L_ROUND].presence != CASINO_PRESENT ||
		values[L_AMOUNT].presence != CASINO_PRESENT)
		refuse(place, "it does not say which stake it pays or returns");
	/* those of this seal by their numbers, then those that were carried over */
	for (low = ncarried, high = nstakes; low < high;)
	{
		int			middle = low + (high - low) / 2;

		if (stakes[middle].entry_no == stake_no)
			return &stakes[middle];
		if (stakes[middle].entry_no < stake_no)
			low = middle + 1;
		else
			high = middle;
	}
	for (int i = 0; i < ncarried; i++)
		if (stakes[i].entry_no == stake_no)
			return &stakes[i];
	if (stake_no >= players_known_from(values[L_PLAYER].number))
		refuse(place, "entry %" PRId64 " of player %"
			   PRId64 " is no stake that can still be paid or returned", stake_no, values[L_PLAYER].number);
	return NULL;
}

static void
take_end(const CasinoValue *values, char how, Place place)
{
	/* their first letters differ */
	static const char *const reasons[] = {"cancelled", "disconnected", "late", "excluded", "misdealt",
	"voided"};
	Stake	   *stake = stake_of(values, place);

	if (stake == NULL)
	{
		unknown++;
		return;
	}
	if (stake->end != 0)
		refuse(place, "entry %" PRId64 " of player %" PRId64 " is paid or returned twice", stake->entry_no,
			   stake->player_id);
	if (values[L_ROUND].number != stake->round_id || (how == 'r' && values[L_AMOUNT].number != stake->amount))
		refuse(place, "it does not fit entry %" PRId64 " of player %" PRId64 ", which it pays or returns",
			   stake->entry_no, stake->player_id);
	stake->end = how;
	stake->end_amount = values[L_AMOUNT].number;
	copy_text(&values[L_GRADE], stake->grade, sizeof(stake->grade));
	stake->end_place = place;
	stake->end_posted_at = time_in(&values[L_POSTED_AT]);
	stake->end_recorded_at = time_in(&values[L_RECORDED_AT]);
	for (int i = 0; how == 'r' && i < (int) (sizeof(reasons) / sizeof(reasons[0])); i++)
		if (is_text(&values[L_REASON], reasons[i]))
			stake->why = reasons[i][0];
	stake->never_placed = stake->why != 0 && stake->why != 'v';
	if (how == 'r' && stake->bet.kind == CASINO_MAIN)
		take_main_returned(stake);
}

static void
take_correction_entry(const CasinoValue *values, Place place)
{
	CorrectionEntry entry = {.player_id = values[L_PLAYER].number, .round_id = number_in(&values[L_ROUND]),
		.stake_entry_no = number_in(&values[L_STAKE_ENTRY]),
		.correction_no = number_in(&values[L_CORRECTION]),
	.amount = number_in(&values[L_AMOUNT]), .posted_at = time_in(&values[L_POSTED_AT]), .place = place};

	if (!corrections_entry(&entry))
		unknown++;
}

static void
take_entry(const CasinoValue *values, Place place)
{
	if (!in_player)
	{
		const Carried *before = *carried_find(values[L_PLAYER].number);

		for (int i = 0; before != NULL && i < before->n; i++)
			*add_stake() = before->stakes[i];
		ncarried = nstakes;
		in_player = true;
	}
	players_entry(&values[L_KIND], &values[L_AMOUNT], &values[L_BALANCE], time_in(&values[L_POSTED_AT]),
				  place);
	if (is_text(&values[L_KIND], "stake"))
		take_stake(values, place);
	else if (is_text(&values[L_KIND], "payout"))
		take_end(values, 'p', place);
	else if (is_text(&values[L_KIND], "refund"))
		take_end(values, 'r', place);
	else if (is_text(&values[L_KIND], "correction"))
		take_correction_entry(values, place);
}

void
regrade_player_end(void)
{
	grade_player(stakes, nstakes);
	nstakes = 0;
	in_player = false;
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
	refunds_seal_end();
	for (int i = 0; i < BUCKETS; i++)
		for (const Carried *c = carried[i]; c != NULL; c = c->next)
			for (int j = 0; j < c->n; j++)
				corrections_wait(c->stakes[j].round_id);
	corrections_seal_end();
	/* of a round that has ended only wagers of withheld players may wait: their cards are kept */
	rounds_seal_end(settle_texas, nwithheld > 0);
}

void
regrade_gap(void)
{
	corrections_gap();
	plans_gap();
	rounds_gap();
	refunds_gap();
	for (int i = 0; i < BUCKETS; i++)
	{
		while (carried[i] != NULL)
		{
			Carried    *gone = carried[i];

			unknown += gone->n;
			carried[i] = gone->next;
			free(gone->stakes);
			free(gone);
		}
		while (withheld[i] != NULL)
		{
			Withheld   *gone = withheld[i];

			withheld[i] = gone->next;
			free(gone);
		}
	}
	nwithheld = 0;
}

void
regrade_row(const CasinoLayout *layout, const CasinoValue *values, Place place)
{
	switch (layout->tag)
	{
		case CASINO_TAG_GAME:
			take_game(layout, values, place);
			break;
		case CASINO_TAG_GAME_PLAN:
			take_plan(layout, values, this_seal, place);
			break;
		case CASINO_TAG_PLAN_RULE:
			take_rule(layout, values, this_seal, place);
			break;
		case CASINO_TAG_BET_RULE:
			take_cap(layout, values, this_seal, place);
			break;
		case CASINO_TAG_PAYTABLE:
			take_odds(layout, values, this_seal, place);
			break;
		case CASINO_TAG_ROUND:
			take_round(layout, values, this_seal, place);
			corrections_round(layout, values);
			break;
		case CASINO_TAG_ROUND_END:
			take_round_end(layout, values, place);
			break;
		case CASINO_TAG_DEALT_HAND:
			take_hand(layout, values, this_seal, place);
			break;
		case CASINO_TAG_EXCLUSION:
			take_exclusion(layout, values);
			break;
		case CASINO_TAG_EXCLUSION_END:
			take_exclusion_end(layout, values);
			break;
		case CASINO_TAG_BREACH:
			take_breach(layout, values);
			break;
		case CASINO_TAG_DISCONNECTION:
			take_disconnection(layout, values);
			break;
		case CASINO_TAG_DEAL_CORRECTION:
			take_correction(layout, values);
			break;
		case CASINO_TAG_ROUND_CORRECTION:
			take_proposal(layout, values);
			break;
		case CASINO_TAG_CORRECTION_DECISION:
			take_decision(layout, values, place);
			break;
		case CASINO_TAG_HAND_VERSION:
			take_version_hand(layout, values, place);
			break;
		case CASINO_TAG_CLAIM:
			take_claim(layout, values, place);
			break;
		case CASINO_TAG_CLAIM_END:
			take_claim_end(layout, values, place);
			break;
		case CASINO_TAG_WITHHOLDING:
			take_withholding(layout, values, false);
			break;
		case CASINO_TAG_WITHHOLDING_END:
			take_withholding(layout, values, true);
			break;
		case CASINO_TAG_ENTRY:
			take_entry(values, place);
			break;
	}
}
