/*
 * players.c
 *	  Which entries of each player have been seen: what a seal says must go on
 *	  where the one before has ended (R12.15).
 */
#include "players.h"

#include <inttypes.h>
#include "core/money.h"
#include "values.h"

typedef struct Player
{
	int64_t		player_id;
	int64_t		known_from;		/* first entry of those seen without a gap; 0: the place is free */
	int64_t		last_entry_no;
	int64_t		seal_no;		/* of his last stream */
	int64_t		balance;		/* after the last entry */
	bool		balance_known;
	int64_t		latest;			/* time of his latest entry of those seen without a gap */
	CasinoHash	running;
} Player;

static Player *players;
static size_t size;				/* a power of two, or 0 */
static size_t count;
static int64_t this_seal;
static int64_t read_since;
static Player *current;			/* whose entries are being read */

/* Place of a player, or the free one where he belongs. */
static Player *
find(int64_t player_id)
{
	size_t		at = (size_t) (((uint64_t) player_id * UINT64_C(0x9E3779B97F4A7C15)) >> 16) & (size - 1);

	while (players[at].known_from != 0 && players[at].player_id != player_id)
		at = (at + 1) & (size - 1);
	return &players[at];
}

static void
enlarge(void)
{
	Player	   *old = players;
	size_t		n = size;

	size = size == 0 ? 1024 : 2 * size;
	players = resize(NULL, size, sizeof(Player));
	memset(players, 0, size * sizeof(Player));
	for (size_t i = 0; i < n; i++)
		if (old[i].known_from != 0)
			*find(old[i].player_id) = old[i];
	free(old);
}

void
players_seal(int64_t seal_no, int64_t since)
{
	this_seal = seal_no;
	read_since = since;
}

static void
check_known(const Player *player, const CasinoStream *stream, const CasinoHash *before, Place place)
{
	if (stream->first_entry_no <= player->last_entry_no)
		refuse(place, "entry %" PRId64 " of player %" PRId64 " was sealed by seal %" PRId64 " already",
			   stream->first_entry_no,
			   stream->player_id, player->seal_no);
	if (stream->first_entry_no != player->last_entry_no + 1)
	{
		if (player->seal_no >= read_since)
			refuse(place, "the entries of player %" PRId64 " between %" PRId64 " and %"
				   PRId64 " are in no seal",
				   stream->player_id, player->last_entry_no, stream->first_entry_no);
	}
	else if (!casino_hash_equal(before, &player->running))
		refuse(place, "the entries of player %" PRId64 " do not follow from those of seal %" PRId64,
			   stream->player_id, player->seal_no);
}

void
players_begin(const CasinoStream *stream, const CasinoHash *before, Place place)
{
	static const CasinoHash zero;
	Player	   *player;

	if (2 * (count + 1) > size)
		enlarge();
	player = find(stream->player_id);
	if ((stream->first_entry_no == 1) != casino_hash_equal(before, &zero))
		refuse(place, "the running hash before entry %" PRId64 " of player %" PRId64 " cannot be",
			   stream->first_entry_no, stream->player_id);
	if (player->known_from != 0)
		check_known(player, stream, before, place);
	else if (read_since == 1 && stream->first_entry_no != 1)
		refuse(place, "the entries of player %" PRId64 " before %" PRId64 " are in no seal",
			   stream->player_id, stream->first_entry_no);
	count += player->known_from == 0;
	if (player->known_from == 0 || stream->first_entry_no != player->last_entry_no + 1)
	{
		player->known_from = stream->first_entry_no;
		player->balance = 0;
		player->balance_known = stream->first_entry_no == 1;
		player->latest = NO_TIME;
	}
	player->player_id = stream->player_id;
	player->last_entry_no = stream->last_entry_no;
	player->seal_no = this_seal;
	current = player;
}

/*
 * What an entry of this kind does to the wallet (casino.entry_kinds()).
 * *by_round: it bears the time of a decision on its round, which the player's
 * entries may have passed (R12.12, R12.21).
 */
static int
wallet_sign(const CasinoValue *kind, bool *by_round, Place place)
{
	static const struct
	{
		const char *kind;
		size_t		len;
		int			sign;
		bool		by_round;
	}			kinds[] = {
#define KIND(kind, sign, by_round)	{kind, sizeof(kind) - 1, sign, by_round}
		KIND("stake", -1, false), KIND("payout", 1, true), KIND("refund", 1, true), KIND("deposit", 1, false),
		KIND("withdrawal", -1, false), KIND("withdrawal_cancelled", 1, false), KIND("cash_paid", 0, false),
		KIND("transfer_paid", 0, false), KIND("adjustment", 1, false), KIND("correction", 1, true)
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kind->presence == CASINO_PRESENT && kind->len == kinds[i].len &&
			memcmp(kind->text, kinds[i].kind, kind->len) == 0)
		{
			*by_round = kinds[i].by_round;
			return kinds[i].sign;
		}
	refuse(place, "there is no entry of this kind");
}

void
players_entry(const CasinoValue *kind, const CasinoValue *amount, const CasinoValue *balance,
			  int64_t posted_at,
			  Place place)
{
	bool		by_round;
	int			sign = wallet_sign(kind, &by_round, place);
	int64_t		after = current->balance;

	if (amount->presence != CASINO_PRESENT || balance->presence != CASINO_PRESENT)
		refuse(place, "its amount or balance is no amount of money");
	if ((sign < 0 && amount->number == INT64_MIN) ||
		(sign != 0 && !casino_money_add(after, sign * amount->number, &after)))
		refuse(place, "its amount is out of range");
	if (current->balance_known && after != balance->number)
		refuse(place, "the balance after it does not follow from the balance before and its amount");
	current->balance = balance->number;
	current->balance_known = true;
	if (posted_at < current->latest && !by_round)
		refuse(place, "it is dated before an entry that comes before it");
	if (posted_at > current->latest)
		current->latest = posted_at;
}

void
players_end(const CasinoStream *stream)
{
	find(stream->player_id)->running = stream->running;
}

int64_t
players_known_from(int64_t player_id)
{
	const Player *player = size == 0 ? NULL : find(player_id);

	return player == NULL || player->known_from == 0 ? INT64_MAX : player->known_from;
}
