/*
 * blackjack_outcome.c
 *	  {"dealer": "Ah 9c", "hands": [{"seat": 1, "hand": 1, "cards": "Ts 6d 5c"}, ...]}
 *
 * An entry belongs to a seat, or at a shared box to one "player", to several
 * "players", or to everybody who has no entry of his own.  What lies with the
 * wagers (doubles, splits, who bets on a hand) is checked in the ledger.
 */
#include "games/blackjack_table.h"

#include "casino.h"
#include "core/games/copies.h"
#include "games/outcome_json.h"

#define SEATS_MAX	99
#define HANDS_MAX	8			/* of one box; plans allow four at most */
#define ENTRIES_MAX 100000		/* hands in one document */
#define PLAYERS_MAX 1000000		/* named in one document, all hands together */

/* One entry of "hands". */
typedef struct Entry
{
	int			seat;			/* 0: none */
	int			hand;
	CasinoHand	cards;
	bool		surrendered;
	bool		even_money;
	int			neven;
	int64	   *even;
	int			nplayers;
	int64	   *players;
} Entry;

/* One player's claim to a hand: "entry" is his hand number "hand". */
typedef struct Claim
{
	int64		player_id;
	int			hand;
	const Entry *entry;
} Claim;

/* The hands of one player: his claims, which stand together in their array. */
typedef struct Owner
{
	int64		player_id;
	const Claim *claims;
	int			nclaims;
} Owner;

static int
compare_int64(const void *a, const void *b)
{
	int64		x = *(const int64 *) a;
	int64		y = *(const int64 *) b;

	return x < y ? -1 : x > y;
}

static int
compare_claims(const void *a, const void *b)
{
	const Claim *x = a;
	const Claim *y = b;

	if (x->player_id != y->player_id)
		return x->player_id < y->player_id ? -1 : 1;
	return x->hand - y->hand;
}

/* By what is said of the hand, not by where it stands in the document. */
static int
compare_entries(const Entry *x, const Entry *y)
{
	int			order = memcmp(x->cards.cards, y->cards.cards, Min(x->cards.count, y->cards.count));

	if (order == 0)
		order = x->cards.count - y->cards.count;
	if (order == 0)
		order = x->surrendered - y->surrendered;
	if (order == 0)
		order = x->even_money - y->even_money;
	if (order == 0)
		order = x->neven - y->neven;
	for (int i = 0; order == 0 && i < x->neven; i++)
		order = compare_int64(&x->even[i], &y->even[i]);
	return order;
}

/* By the hands, in their order. */
static int
compare_hands_of(const Owner *x, const Owner *y)
{
	if (x->nclaims != y->nclaims)
		return x->nclaims - y->nclaims;
	for (int i = 0; i < x->nclaims; i++)
	{
		const Claim *one = &x->claims[i];
		const Claim *other = &y->claims[i];
		int			order = one->hand - other->hand;

		if (order == 0 && one->entry != other->entry)
			order = compare_entries(one->entry, other->entry);
		if (order != 0)
			return order;
	}
	return 0;
}

/* By hands, so that players with the same ones stand together; then by player. */
static int
compare_owners(const void *a, const void *b)
{
	const Owner *x = a;
	const Owner *y = b;
	int			order = compare_hands_of(x, y);

	return order != 0 ? order : compare_int64(&x->player_id, &y->player_id);
}

/* Player numbers of an array, ascending; none twice. */
static int64 *
read_players(const JsonbValue *value, const char *name, int *count)
{
	JsonbContainer *array;
	int64	   *players;
	int			n;

	if (value->type != jbvBinary || !JsonContainerIsArray(value->val.binary.data) ||
		JsonContainerIsScalar(value->val.binary.data))
		casino_outcome_illegal("Member \"%s\" of a hand must be an array of player numbers.", name);
	array = value->val.binary.data;
	n = JsonContainerSize(array);
	players = palloc(sizeof(int64) * Max(n, 1));
	for (int i = 0; i < n; i++)
		players[i] = casino_outcome_integer(getIthJsonbValueFromContainer(array, i), name, 1, PG_INT64_MAX);
	qsort(players, n, sizeof(int64), compare_int64);
	for (int i = 1; i < n; i++)
		if (players[i] == players[i - 1])
			casino_outcome_illegal("Player " INT64_FORMAT " stands twice in \"%s\".", players[i], name);
	*count = n;
	return players;
}

/* Whose an entry is. */
static void
read_owner(const JsonbContainer *object, Entry *entry)
{
	JsonbValue	buffer;
	JsonbValue *value;

	entry->seat = (int) casino_outcome_read_integer(object, "seat", 1, SEATS_MAX, 0);
	if ((value = casino_outcome_member(object, "players", &buffer)) != NULL)
	{
		entry->players = read_players(value, "players", &entry->nplayers);
		if (entry->nplayers == 0)
			casino_outcome_illegal("The players of a hand are none.");
	}
	if ((value = casino_outcome_member(object, "player", &buffer)) != NULL)
	{
		if (entry->nplayers > 0)
			casino_outcome_illegal("A hand has \"player\" or \"players\", not both.");
		entry->nplayers = 1;
		entry->players = palloc(sizeof(int64));
		entry->players[0] = casino_outcome_integer(value, "player", 1, PG_INT64_MAX);
	}
	if (entry->seat != 0 && entry->nplayers > 0)
		casino_outcome_illegal("A hand belongs to a seat or to players, not to both.");
}

/* One entry of "hands". */
static void
read_entry(const JsonbValue *value, Entry *entry)
{
	static const char *const names[] = {"seat", "hand", "cards", "even_money", "surrendered",
	"player", "players"};
	const JsonbContainer *object;
	JsonbValue	buffer;
	JsonbValue *even;

	if (value->type != jbvBinary || !JsonContainerIsObject(value->val.binary.data))
		casino_outcome_illegal("Each of \"hands\" must be a JSON object.");
	object = value->val.binary.data;
	casino_outcome_check_members(object, names, lengthof(names));
	read_owner(object, entry);
	entry->hand = (int) casino_outcome_read_integer(object, "hand", 1, HANDS_MAX, 1);
	casino_outcome_read_hand(object, "cards", &entry->cards);
	entry->surrendered = casino_outcome_read_flag(object, "surrendered");
	even = casino_outcome_member(object, "even_money", &buffer);
	if (even != NULL && even->type == jbvBool)
		entry->even_money = even->val.boolean;
	else if (even != NULL)
		entry->even = read_players(even, "even_money", &entry->neven);
}

/* Copy an entry into a row of the outcome. */
static void
fill_hand(OutcomeHand *hand, const Entry *entry, int group)
{
	hand->side = "box";
	hand->seat = entry->seat;
	hand->group = group;
	hand->hand = entry->hand;
	hand->cards = entry->cards;
	hand->surrendered = entry->surrendered;
	hand->even_money = entry->even_money;
	hand->neven = entry->neven;
	hand->even = entry->even;
}

/* All claims of players to hands, by player and hand; none twice. */
static Claim *
collect_claims(const Entry *entries, int nentries, int *count)
{
	Claim	   *claims;
	int			n = 0;

	for (int i = 0; i < nentries; i++)
		n += entries[i].nplayers;
	claims = palloc(sizeof(Claim) * Max(n, 1));
	n = 0;
	for (int i = 0; i < nentries; i++)
		for (int p = 0; p < entries[i].nplayers; p++)
			claims[n++] = (Claim)
		{
			entries[i].players[p], entries[i].hand, &entries[i]
		};
	qsort(claims, n, sizeof(Claim), compare_claims);
	for (int i = 1; i < n; i++)
		if (compare_claims(&claims[i - 1], &claims[i]) == 0)
			casino_outcome_illegal("Hand %d of player " INT64_FORMAT " stands twice in the outcome.",
								   claims[i].hand, claims[i].player_id);
	*count = n;
	return claims;
}

/*
 * Rows of the players' own hands: one group for all players with the same
 * hands, however the document has put them.  "hands" has room for one row a claim.
 */
static int
group_players(const Entry *entries, int nentries, OutcomeHand *hands)
{
	int			nclaims;
	Claim	   *claims = collect_claims(entries, nentries, &nclaims);
	Owner	   *owners = palloc(sizeof(Owner) * Max(nclaims, 1));
	int			nowners = 0;
	int			nhands = 0;
	int			group = 0;

	for (int i = 0; i < nclaims; i++)
	{
		if (i == 0 || claims[i].player_id != claims[i - 1].player_id)
			owners[nowners++] = (Owner)
		{
			claims[i].player_id, &claims[i], 0
		};
		owners[nowners - 1].nclaims++;
	}
	qsort(owners, nowners, sizeof(Owner), compare_owners);
	for (int first = 0, next; first < nowners; first = next)
	{
		OutcomeHand *rows = &hands[nhands];

		for (next = first + 1; next < nowners && compare_hands_of(&owners[first], &owners[next]) == 0; next++)
			;
		group++;
		for (int i = 0; i < owners[first].nclaims; i++)
			fill_hand(&hands[nhands++], owners[first].claims[i].entry, group);
		rows->nplayers = next - first;
		rows->players = palloc(sizeof(int64) * rows->nplayers);
		for (int i = first; i < next; i++)
			rows->players[i - first] = owners[i].player_id;
	}
	return nhands;
}

/* By seat, group, hand. */
static int
compare_hands(const void *a, const void *b)
{
	const OutcomeHand *x = a;
	const OutcomeHand *y = b;

	if (x->seat != y->seat)
		return x->seat - y->seat;
	if (x->group != y->group)
		return x->group - y->group;
	return x->hand - y->hand;
}

/* Hands are numbered from 1 without gaps, and none stands twice. */
static void
check_numbers(const OutcomeHand *hands, int nhands)
{
	for (int i = 0; i < nhands; i++)
	{
		bool		starts = i == 0 || hands[i].seat != hands[i - 1].seat ||
		hands[i].group != hands[i - 1].group;
		int			expected = starts ? 1 : hands[i - 1].hand + 1;

		if (hands[i].hand == expected)
			continue;
		if (!starts && hands[i].hand == hands[i - 1].hand)
			casino_outcome_illegal("Hand %d of seat %d stands twice in the outcome.", hands[i].hand,
								   hands[i].seat);
		casino_outcome_illegal("Hand %d stands in the outcome without hand %d.", hands[i].hand, expected);
	}
}

/* An array member of player numbers. */
static void
push_players(JsonbParseState **state, const char *name, const int64 *players, int n)
{
	casino_outcome_push_key(state, name);
	pushJsonbValue(state, WJB_BEGIN_ARRAY, NULL);
	for (int i = 0; i < n; i++)
	{
		JsonbValue	number;

		number.type = jbvNumeric;
		number.val.numeric = int64_to_numeric(players[i]);
		pushJsonbValue(state, WJB_ELEM, &number);
	}
	pushJsonbValue(state, WJB_END_ARRAY, NULL);
}

/* The document in one form: hands in order, members only where they say something. */
static Jsonb *
canonical(const OutcomeHand *dealer, const OutcomeHand *hands, int nhands)
{
	JsonbParseState *state = NULL;
	const int64 *players = NULL;
	int			nplayers = 0;

	pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
	casino_outcome_push_hand(&state, "dealer", &dealer->cards);
	casino_outcome_push_key(&state, "hands");
	pushJsonbValue(&state, WJB_BEGIN_ARRAY, NULL);
	for (int i = 0; i < nhands; i++)
	{
		if (hands[i].hand == 1)
		{
			players = hands[i].players;
			nplayers = hands[i].nplayers;
		}
		pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
		if (hands[i].seat != 0)
			casino_outcome_push_integer(&state, "seat", hands[i].seat);
		if (hands[i].group != 0)
			push_players(&state, "players", players, nplayers);
		casino_outcome_push_integer(&state, "hand", hands[i].hand);
		casino_outcome_push_hand(&state, "cards", &hands[i].cards);
		if (hands[i].surrendered)
			casino_outcome_push_flag(&state, "surrendered", true);
		if (hands[i].even_money)
			casino_outcome_push_flag(&state, "even_money", true);
		else if (hands[i].neven > 0)
			push_players(&state, "even_money", hands[i].even, hands[i].neven);
		pushJsonbValue(&state, WJB_END_OBJECT, NULL);
	}
	pushJsonbValue(&state, WJB_END_ARRAY, NULL);
	return JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_OBJECT, NULL));
}

/* The dealer first, then the boxes by seat, group and hand. */
void
casino_blackjack_read_outcome(const Jsonb *document, bool partial, Outcome *outcome)
{
	static const char *const names[] = {"dealer", "hands"};
	JsonbValue	buffer;
	JsonbValue *value;
	JsonbContainer *array;
	Entry	   *entries;
	int			nentries;
	int			room = 1;

	casino_outcome_check_members(&document->root, names, lengthof(names));
	value = casino_outcome_member(&document->root, "hands", &buffer);
	if (value == NULL || value->type != jbvBinary || !JsonContainerIsArray(value->val.binary.data))
		casino_outcome_illegal("Member \"hands\" of the outcome must be an array.");
	array = value->val.binary.data;
	nentries = JsonContainerSize(array);
	if (nentries > ENTRIES_MAX)
		casino_outcome_illegal("The outcome has more than %d hands.", ENTRIES_MAX);
	entries = palloc0(sizeof(Entry) * Max(nentries, 1));
	for (int i = 0; i < nentries; i++)
	{
		read_entry(getIthJsonbValueFromContainer(array, i), &entries[i]);
		room += entries[i].nplayers + 1;
		if (room > PLAYERS_MAX)
			casino_outcome_illegal("The outcome names more than %d hands and players.", PLAYERS_MAX);
	}

	outcome->hands = palloc0(sizeof(OutcomeHand) * room);
	outcome->hands[0].side = "dealer";
	outcome->hands[0].hand = 1;
	if (!partial || casino_outcome_member(&document->root, "dealer", &buffer) != NULL)
		casino_outcome_read_hand(&document->root, "dealer", &outcome->hands[0].cards);

	/*
	 * the dealer, then hands of seats and of everybody, then those of single players, grouped by who shares
	 * them
	 */
	outcome->nhands = 1;
	for (int i = 0; i < nentries; i++)
		if (entries[i].nplayers == 0)
			fill_hand(&outcome->hands[outcome->nhands++], &entries[i], 0);
	outcome->nhands += group_players(entries, nentries, &outcome->hands[outcome->nhands]);

	/* in one order, whatever the document had: the canonical form is compared */
	qsort(&outcome->hands[1], outcome->nhands - 1, sizeof(OutcomeHand), compare_hands);
	check_numbers(&outcome->hands[1], outcome->nhands - 1);
	outcome->canonical = canonical(&outcome->hands[0], &outcome->hands[1], outcome->nhands - 1);
}

/*
 * Cards exist as often as the decks allow (R1.8, R3.22): over the whole table, and at a
 * shared box for each player with the dealer, since every player has a copy of
 * the same box.
 */
void
casino_blackjack_check_outcome(const Outcome *outcome, const PlanRuleSet *rules)
{
	int			decks = casino_rules_number(rules, "decks");
	CasinoCopies dealer = {{0}};
	CasinoCopies copies;
	CasinoError error;

	casino_copies_add(&dealer, &outcome->hands[0].cards);
	copies = dealer;
	for (int i = 1; i < outcome->nhands; i++)
	{
		const OutcomeHand *hand = &outcome->hands[i];

		if (hand->seat == 0 && hand->hand == 1)
			copies = dealer;
		casino_copies_add(&copies, &hand->cards);
		if (!casino_copies_check(&copies, decks, &error))
			casino_ereport(&error, "illegal outcome");
	}
	if (!casino_copies_check(&dealer, decks, &error))
		casino_ereport(&error, "illegal outcome");
}
