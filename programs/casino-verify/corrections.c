/*
 * corrections.c
 *	  Corrected results.
 */
#include "corrections.h"

#include <inttypes.h>
#include <sys/stat.h>

#include "core/evidence/canonical_json.h"
#include "input.h"
#include "core/evidence/line.h"
#include "core/money.h"
#include "core/games/pots.h"
#include "values.h"

/* A correction in force. */
typedef struct Version
{
	int64_t		correction_no;
	int64_t		number;			/* of the versions of its round, from 1 */
	int64_t		seal_no;
	Place		place;
	bool		voided;
	Round		round;			/* the round as it is by this version */
	CasinoDealtHand *hands;
	int64_t		decided_at;
	int64_t		figures[4];		/* wagers, players, staked, paid */
	int64_t		posted[3];		/* entries, and haléře posted and claimed, as the decision says */
	int64_t		found[3];
	bool		checked;		/* its figures */
} Version;

/* A wager of a corrected round, with all that came of it. */
typedef struct Wager
{
	Stake		stake;
	int64_t		corrected;
	int64_t		returned;		/* claims that the player paid */
	int64_t		waived;
	int64_t		open;
	int64_t		due;			/* by the version in hand */
	CasinoGrade grade;
	bool		judged;			/* its payout */
} Wager;

typedef struct Corrected
{
	int64_t		round_id;
	struct Corrected *next;		/* of the bucket */
	Round	   *round;			/* NULL: not read, or not known any more */
	char	   *outcome;		/* the last one, canonical; NULL: not known */
	int			nversions;
	Version    *versions;		/* in their order */
	int			nwagers;
	Wager	   *wagers;
	int			nentries;		/* whose wagers have not been found */
	CorrectionEntry *entries;
	bool		waits;			/* a wager of it is not decided */
	bool		changed;		/* in this seal */
} Corrected;

typedef struct Proposal
{
	int64_t		correction_no;
	struct Proposal *next;
	int64_t		round_id;
	bool		voided;
	int			number;
	int			button;
	char	   *outcome;		/* NULL: void */
} Proposal;

typedef struct Claim
{
	int64_t		claim_no;
	struct Claim *next;
	int64_t		player_id;
	int64_t		stake_entry_no;
	int64_t		round_id;
	int64_t		amount;
	char		how;			/* first letter of how it ended; NUL: open */
	Place		place;
} Claim;

static Corrected *rounds[BUCKETS];
static Proposal *proposals;
static Claim *claims;
static int64_t this_seal;
static bool partial;			/* exports before were not given */

static Corrected *
find(int64_t round_id)
{
	Corrected  *it = rounds[bucket(round_id)];

	while (it != NULL && it->round_id != round_id)
		it = it->next;
	return it;
}

static Corrected *
make(int64_t round_id)
{
	Corrected  *it = find(round_id);

	if (it == NULL)
	{
		it = resize(NULL, 1, sizeof(Corrected));
		memset(it, 0, sizeof(*it));
		it->round_id = round_id;
		it->next = rounds[bucket(round_id)];
		rounds[bucket(round_id)] = it;
	}
	return it;
}

static int64_t
plus(int64_t a, int64_t b, Place place)
{
	int64_t		sum;

	if (!casino_money_add(a, b, &sum))
		refuse(place, "the money of its correction is out of range");
	return sum;
}

/* ------------------------------------------------------------ the first reading */

void
corrections_foresee(const char *file)
{
	static const char begin[] = "{\"correction_decision\":{";
	static CasinoBuffer scratch = {NULL, 0, 0, false, realloc};
	struct stat status;
	Input		input;
	const char *line;
	size_t		len;
	bool		whole;

	if (stat(file, &status) != 0 || !S_ISREG(status.st_mode))
		return;
	input_open(&input, file);
	while (input_line(&input, &line, &len, &whole))
	{
		const CasinoLayout *layout;
		CasinoValue values[CASINO_FIELDS_MAX];
		uint8_t		mark[CASINO_MARK_LEN];
		CasinoError error;

		/* a line that cannot be read is refused in its turn */
		if (len >= sizeof(begin) - 1 && memcmp(line, begin, sizeof(begin) - 1) == 0 &&
			casino_line_read(line, len, &scratch, &layout, values, mark, &error) &&
			value_of(layout, values, "version")->presence == CASINO_PRESENT)
			(void) make(number_of(layout, values, "round_id"));
	}
	input_close(&input);
}

/* ------------------------------------------------------------ rows */

void
corrections_seal(int64_t seal_no)
{
	partial = partial || (this_seal == 0 && seal_no != 1);
	this_seal = seal_no;
}

static char *
copy_json(const char *text, size_t len)
{
	char	   *copy = resize(NULL, len + 1, 1);

	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

void
corrections_round(const CasinoLayout *layout, const CasinoValue *values)
{
	int64_t		round_id = number_of(layout, values, "round_id");
	Corrected  *it = find(round_id);
	const CasinoValue *outcome = value_of(layout, values, "outcome");

	if (it == NULL)
		return;
	it->round = round_find(round_id);
	it->round->corrected = true;
	it->outcome = outcome->presence == CASINO_PRESENT ? copy_json(outcome->text, outcome->len) : NULL;
}

void
take_proposal(const CasinoLayout *layout, const CasinoValue *values)
{
	const CasinoValue *outcome = value_of(layout, values, "outcome");
	Proposal   *it = resize(NULL, 1, sizeof(Proposal));

	it->correction_no = number_of(layout, values, "correction_no");
	it->round_id = number_of(layout, values, "round_id");
	it->voided = outcome->presence != CASINO_PRESENT;
	it->number = outcome_number(outcome, "number");
	it->button = outcome_number(outcome, "button");
	it->outcome = it->voided ? NULL : copy_json(outcome->text, outcome->len);
	it->next = proposals;
	proposals = it;
}

static const Proposal *
find_proposal(int64_t correction_no)
{
	const Proposal *it = proposals;

	while (it != NULL && it->correction_no != correction_no)
		it = it->next;
	return it;
}

/* The version before says the outcome that the round had until then. */
static void
check_former(Corrected *it, const CasinoValue *former, const Proposal *proposal, Place place)
{
	const char *text;
	size_t		len;

	if (it->outcome != NULL &&
		(former->presence != CASINO_PRESENT ||
		 !casino_canonical_member(former->text, former->len, "outcome", &text, &len) ||
		 len != strlen(it->outcome) || memcmp(text, it->outcome, len) != 0))
		refuse(place, "the outcome before the correction of round %" PRId64
			   " is not the one that the round had",
			   it->round_id);
	if (proposal == NULL)
		it->outcome = NULL;
	else if (proposal->outcome != NULL)
		it->outcome = proposal->outcome;
}

void
take_decision(const CasinoLayout *layout, const CasinoValue *values, Place place)
{
	static const char *const figures[] = {"wagers", "players", "staked", "paid"};
	static const char *const posted[] = {"entries", "posted", "claimed"};
	int64_t		correction_no = number_of(layout, values, "correction_no");
	const Proposal *proposal = find_proposal(correction_no);
	const CasinoValue *number = value_of(layout, values, "version");
	Corrected  *it;
	Version    *version;

	if (number->presence != CASINO_PRESENT)
		return;
	it = make(number_of(layout, values, "round_id"));
	if (proposal == NULL ? !partial : proposal->round_id != it->round_id)
		refuse(place, "correction %" PRId64 " of round %" PRId64 " was never proposed", correction_no,
			   it->round_id);
	if (it->nversions > 0 ? number->number != it->versions[it->nversions - 1].number + 1
		: !partial && number->number != 1)
		refuse(place, "version %" PRId64 " of round %" PRId64 " does not follow from the one before",
			   number->number,
			   it->round_id);
	check_former(it, value_of(layout, values, "former"), proposal, place);
	it->versions = resize(it->versions, (size_t) it->nversions + 1, sizeof(Version));
	version = &it->versions[it->nversions++];
	memset(version, 0, sizeof(*version));
	version->correction_no = correction_no;
	version->number = number->number;
	version->seal_no = this_seal;
	version->place = place;
	version->decided_at = time_in(value_of(layout, values, "decided_at"));
	version->voided = is_text(value_of(layout, values, "status"), "voided");
	if (proposal != NULL && proposal->voided != version->voided)
		refuse(place, "correction %" PRId64 " was not proposed so", correction_no);
	version->round.number = proposal == NULL ? -1 : proposal->number;
	version->round.button = proposal == NULL ? -1 : proposal->button;
	for (int i = 0; i < 4; i++)
		version->figures[i] = number_of(layout, values, figures[i]);
	for (int i = 0; i < 3; i++)
		version->posted[i] = number_of(layout, values, posted[i]);
	it->changed = true;
}

/* The version that came into force with this seal, or NULL. */
static Version *
find_version(Corrected *it, int64_t correction_no)
{
	for (int i = 0; it != NULL && i < it->nversions; i++)
		if (it->versions[i].correction_no == correction_no && it->versions[i].seal_no == this_seal)
			return &it->versions[i];
	return NULL;
}

void
take_version_hand(const CasinoLayout *layout, const CasinoValue *values, Place place)
{
	Corrected  *it = find(number_of(layout, values, "round_id"));
	int64_t		number = number_of(layout, values, "version");
	CasinoDealtHand *hand;

	/* the cards of the first evaluation are those that the round was sealed with */
	if (number == 0)
		return;
	for (int i = 0; it != NULL && i < it->nversions; i++)
		if (it->versions[i].number == number && it->versions[i].seal_no == this_seal)
		{
			hand = hand_read(layout, values, place);
			hand->next = it->versions[i].hands;
			it->versions[i].hands = hand;
			return;
		}
	refuse(place, "version %" PRId64 " of round %" PRId64
		   " is not in this seal: the cards were put into it afterwards",
		   number, number_of(layout, values, "round_id"));
}

void
take_claim(const CasinoLayout *layout, const CasinoValue *values, Place place)
{
	Claim	   *it = resize(NULL, 1, sizeof(Claim));
	Corrected  *of;
	Version    *version;

	memset(it, 0, sizeof(*it));
	it->claim_no = number_of(layout, values, "claim_no");
	it->player_id = number_of(layout, values, "player_id");
	it->stake_entry_no = number_of(layout, values, "stake_entry_no");
	it->round_id = number_of(layout, values, "round_id");
	it->amount = number_of(layout, values, "amount");
	it->place = place;
	of = find(it->round_id);
	version = find_version(of, number_of(layout, values, "correction_no"));
	if (version == NULL)
		refuse(place, "claim %" PRId64 " is of no correction that came into force with it", it->claim_no);
	version->found[2] = plus(version->found[2], it->amount, place);
	of->changed = true;
	it->next = claims;
	claims = it;
}

void
take_claim_end(const CasinoLayout *layout, const CasinoValue *values, Place place)
{
	int64_t		claim_no = number_of(layout, values, "claim_no");
	Claim	   *it = claims;
	char		how[16];

	copy_text(value_of(layout, values, "how"), how, sizeof(how));
	while (it != NULL && it->claim_no != claim_no)
		it = it->next;
	if (it == NULL ? !partial : it->how != '\0')
		refuse(place, "claim %" PRId64 " is not open", claim_no);
	if (it == NULL)
		return;
	it->how = how[0];
	find(it->round_id)->changed = true;
}

bool
corrections_entry(const CorrectionEntry *entry)
{
	Corrected  *it = find(entry->round_id);
	Version    *version = find_version(it, entry->correction_no);

	if (version == NULL)
		refuse(entry->place, "it is of no correction of round %" PRId64 " that came into force with it",
			   entry->round_id);
	if (entry->posted_at != version->decided_at)
		refuse(entry->place, "it was posted at another time than correction %" PRId64 " came into force",
			   entry->correction_no);
	version->found[0]++;
	version->found[1] = plus(version->found[1], entry->amount, entry->place);
	it->entries = resize(it->entries, (size_t) it->nentries + 1, sizeof(CorrectionEntry));
	it->entries[it->nentries++] = *entry;
	return it->round != NULL;
}

int
corrections_keep(Round *round, const Stake *all, int n)
{
	Corrected  *it = find(round->round_id);
	int			graded = 0;

	it->wagers = resize(it->wagers, (size_t) (it->nwagers + n), sizeof(Wager));
	for (int i = 0; i < n; i++)
	{
		if (all[i].end != 'r' || round->voided)
			graded++;
		if (all[i].never_placed)
			continue;
		memset(&it->wagers[it->nwagers], 0, sizeof(Wager));
		it->wagers[it->nwagers++].stake = all[i];
	}
	it->changed = true;
	return graded;
}

void
corrections_wait(int64_t round_id)
{
	Corrected  *it = find(round_id);

	if (it != NULL)
		it->waits = true;
}

void
corrections_gap(void)
{
	partial = true;
	for (int i = 0; i < BUCKETS; i++)
		for (Corrected *it = rounds[i]; it != NULL; it = it->next)
		{
			it->round = NULL;
			it->outcome = NULL;
			it->nwagers = it->nentries = it->nversions = 0;
		}
}

/* ------------------------------------------------------------ judging */

static int
by_player(const void *a, const void *b)
{
	const Stake *x = &((const Wager *) a)->stake;
	const Stake *y = &((const Wager *) b)->stake;

	if (x->player_id != y->player_id)
		return x->player_id < y->player_id ? -1 : 1;
	return x->entry_no < y->entry_no ? -1 : x->entry_no > y->entry_no;
}

static Wager *
find_wager(const Corrected *it, int64_t player_id, int64_t entry_no)
{
	Wager		key = {.stake = {.player_id = player_id, .entry_no = entry_no}};

	return it->nwagers == 0 ? NULL : bsearch(&key, it->wagers, (size_t) it->nwagers, sizeof(Wager),
											 by_player);
}

/* Wagers get the entries and claims that name them. */
static void
gather(Corrected *it)
{
	int			left = 0;

	qsort(it->wagers, (size_t) it->nwagers, sizeof(Wager), by_player);
	for (int i = 0; i < it->nentries; i++)
	{
		const CorrectionEntry *entry = &it->entries[i];
		Wager	   *wager = find_wager(it, entry->player_id, entry->stake_entry_no);

		if (wager != NULL)
			wager->corrected = plus(wager->corrected, entry->amount, entry->place);
		else if (it->waits)
			it->entries[left++] = *entry;
		else
			refuse(entry->place, "entry %" PRId64 " of player %" PRId64
				   ", which it corrects, belongs to no wager of round %" PRId64,
				   entry->stake_entry_no, entry->player_id, it->round_id);
	}
	it->nentries = left;
	for (int i = 0; i < it->nwagers; i++)
		it->wagers[i].returned = it->wagers[i].waived = it->wagers[i].open = 0;
	for (const Claim *claim = claims; claim != NULL; claim = claim->next)
	{
		Wager	   *wager;

		if (claim->round_id != it->round_id)
			continue;
		wager = find_wager(it, claim->player_id, claim->stake_entry_no);
		if (wager == NULL && !it->waits)
			refuse(claim->place, "claim %" PRId64 " is of no wager of its round", claim->claim_no);
		if (wager == NULL || claim->how == 'c')
			continue;
		if (claim->how == '\0')
			wager->open = plus(wager->open, claim->amount, claim->place);
		else if (claim->how == 'p')
			wager->returned = plus(wager->returned, claim->amount, claim->place);
		else
			wager->waived = plus(wager->waived, claim->amount, claim->place);
	}
}

/* The round as it is by a version; NULL: as it was first evaluated. */
static Round
as_of(const Corrected *it, const Version *version)
{
	Round		round = *it->round;

	round.seats = NULL;
	if (version != NULL)
	{
		round.number = version->round.number;
		round.button = version->round.button;
		round.hands = version->hands;
	}
	return round;
}

/* Players are paid from each other's stakes: the first wager on a seat has all that it gets. */
static void
seat_dues(Corrected *it, Round *round, Place place)
{
	int64_t		dues[CASINO_SEATS_MAX] = {0};
	const char *why;

	for (int i = 0; i < it->nwagers; i++)
	{
		Stake		stake = it->wagers[i].stake;

		stake.end = 0;
		(void) collect_texas(round, &stake, 1);
	}
	if (round->seats == NULL)
		return;
	why = texas_dues(round, dues);
	free(round->seats);
	if (why != NULL)
		refuse(place, "round %" PRId64 " cannot have been played so: %s", it->round_id, why);
	for (int i = 0; i < it->nwagers; i++)
	{
		int			seat = it->wagers[i].stake.seat - 1;

		it->wagers[i].due = dues[seat];
		dues[seat] = 0;
	}
}

/* Money that each wager gets by a version; NULL: by the first evaluation. */
static void
put_dues(Corrected *it, const Version *version)
{
	Round		round = as_of(it, version);
	Stake	   *stakes;
	int64_t    *dues;
	CasinoGrade *grades;

	for (int i = 0; i < it->nwagers; i++)
	{
		it->wagers[i].due = it->wagers[i].stake.amount;
		it->wagers[i].grade = CASINO_GRADE_NONE;
	}
	if (version != NULL && version->voided)
		return;
	if (is_by_seat(&round))
	{
		seat_dues(it, &round, version != NULL ? version->place : it->wagers[0].stake.place);
		return;
	}
	stakes = resize(NULL, (size_t) it->nwagers, sizeof(Stake));
	dues = resize(NULL, (size_t) it->nwagers, sizeof(int64_t));
	grades = resize(NULL, (size_t) it->nwagers, sizeof(CasinoGrade));
	for (int first = 0, next; first < it->nwagers; first = next)
	{
		for (next = first; next < it->nwagers &&
			 it->wagers[next].stake.player_id == it->wagers[first].stake.player_id; next++)
		{
			/* wagers that were voided alone are graded with the others (R11.39) */
			stakes[next] = it->wagers[next].stake;
			stakes[next].end = 0;
		}
		grade_dues(&round, stakes + first, next - first, dues + first, grades + first);
	}
	for (int i = 0; i < it->nwagers; i++)
	{
		it->wagers[i].due = dues[i];
		it->wagers[i].grade = grades[i];
	}
	free(stakes);
	free(dues);
	free(grades);
}

/* Figures of a version, once all its wagers are known. */
static void
check_figures(Corrected *it, Version *version)
{
	int64_t		found[4] = {it->nwagers, 0, 0, 0};

	put_dues(it, version);
	for (int i = 0; i < it->nwagers; i++)
	{
		const Stake *stake = &it->wagers[i].stake;

		found[1] += i == 0 || stake->player_id != it->wagers[i - 1].stake.player_id;
		found[2] = plus(found[2], stake->amount, stake->place);
		found[3] = plus(found[3], it->wagers[i].due, stake->place);
	}
	for (int i = 0; i < 4; i++)
		if (found[i] != version->figures[i])
			refuse(version->place, "correction %" PRId64 " of round %" PRId64
				   " has not the figures that its outcome gives",
				   version->correction_no, it->round_id);
	version->checked = true;
}

/* A payout is by the first evaluation; of winnings that were withheld, by a version. */
static void
check_payouts(Corrected *it)
{
	bool		later = it->round->withheld_at != NO_TIME || it->round->some_withheld;
	bool	   *fits;

	if (is_by_seat(it->round))
		return;
	fits = resize(NULL, (size_t) it->nwagers, sizeof(bool));
	memset(fits, 0, (size_t) it->nwagers * sizeof(bool));
	for (int v = -1; v < (later ? it->nversions : 0); v++)
	{
		put_dues(it, v < 0 ? NULL : &it->versions[v]);
		for (int i = 0; i < it->nwagers; i++)
		{
			const Wager *wager = &it->wagers[i];
			const Stake *stake = &wager->stake;

			fits[i] |= stake->end == 'p' ? stake->end_amount == wager->due && stake->end_amount > 0 &&
				strcmp(stake->grade, casino_grade_name(wager->grade)) == 0
				: stake->end == 'r' || wager->due == 0;
		}
	}
	for (int i = 0; i < it->nwagers; i++)
	{
		const Stake *stake = &it->wagers[i].stake;

		if (!fits[i] && !it->wagers[i].judged)
			refuse(stake->end == 'p' ? stake->end_place : stake->place,
				   "entry %" PRId64 " of player %" PRId64 " was paid %" PRId64
				   ".%02d, which no outcome of its round gives", stake->entry_no, stake->player_id,
				   stake->end_amount / 100, (int) (stake->end_amount % 100));
		it->wagers[i].judged = true;
	}
	free(fits);
}

/* Money that the player has of a wager, or all players of a seat together. */
static void
check_held(const Corrected *it, const Wager *wager)
{
	const Stake *stake = &wager->stake;
	int64_t		held = plus(stake->end == 0 ? 0 : stake->end_amount, wager->corrected, stake->place);
	int64_t		open;

	if (stake->end == 'r')
	{
		/* voided alone: no version gives anything else (R11.39) */
		if (wager->corrected != 0 || wager->open != 0)
			refuse(stake->end_place, "entry %" PRId64 " of player %" PRId64 " was voided, and corrected",
				   stake->entry_no,
				   stake->player_id);
		return;
	}
	held = plus(held, -wager->returned, stake->place);
	open = plus(plus(held, -wager->due, stake->place), -wager->waived, stake->place);
	if (held < wager->due || wager->open != (open > 0 ? open : 0))
		refuse(stake->place, "entry %" PRId64 " of player %" PRId64 " has %" PRId64
			   ".%02d by the corrections of round %" PRId64
			   ", and gets %" PRId64 ".%02d", stake->entry_no, stake->player_id, held / 100,
			   (int) llabs(held % 100),
			   it->round_id, wager->due / 100, (int) (wager->due % 100));
}

/* All wagers on a seat as one. */
static void
check_seats(const Corrected *it)
{
	for (int seat = 1; seat <= CASINO_SEATS_MAX; seat++)
	{
		Wager		sum = {.stake = {.end = 0}};

		for (int i = 0; i < it->nwagers; i++)
		{
			const Wager *wager = &it->wagers[i];
			Place		place = wager->stake.place;

			if (wager->stake.seat != seat)
				continue;
			if (sum.stake.entry_no == 0)
				sum.stake = wager->stake;
			else if (wager->stake.end == 'p')
			{
				sum.stake.end_amount = plus(sum.stake.end == 'p' ? sum.stake.end_amount : 0,
											wager->stake.end_amount, place);
				sum.stake.end = 'p';
			}
			sum.corrected = plus(sum.corrected, wager->corrected, place);
			sum.returned = plus(sum.returned, wager->returned, place);
			sum.waived = plus(sum.waived, wager->waived, place);
			sum.open = plus(sum.open, wager->open, place);
			sum.due = plus(sum.due, wager->due, place);
		}
		if (sum.stake.entry_no != 0)
			check_held(it, &sum);
	}
}

static void
judge(Corrected *it)
{
	if (it->round == NULL || !it->round->ended || it->round->plan == NULL || it->round->plan->lost)
		return;
	gather(it);
	if (it->nwagers == 0 || (it->waits && is_by_seat(it->round)))
		return;
	for (int i = 0; i < it->nversions && !it->waits; i++)
		if (!it->versions[i].checked)
			check_figures(it, &it->versions[i]);
	check_payouts(it);
	put_dues(it, it->nversions == 0 ? NULL : &it->versions[it->nversions - 1]);
	if (is_by_seat(it->round))
		check_seats(it);
	else
		for (int i = 0; i < it->nwagers; i++)
			check_held(it, &it->wagers[i]);
}

void
corrections_seal_end(void)
{
	for (int i = 0; i < BUCKETS; i++)
		for (Corrected *it = rounds[i]; it != NULL; it = it->next)
		{
			for (int v = 0; v < it->nversions; v++)
				if (it->versions[v].seal_no == this_seal &&
					memcmp(it->versions[v].posted, it->versions[v].found,
						   sizeof(it->versions[v].posted)) != 0)
					refuse(it->versions[v].place, "correction %" PRId64 " of round %" PRId64
						   " has not posted and claimed the money that it says",
						   it->versions[v].correction_no, it->round_id);
			if (it->changed)
				judge(it);
			it->changed = it->waits = false;
		}
}
