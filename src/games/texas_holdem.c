/*
 * texas_holdem.c
 *	  Texas Hold'em cash game: one player a seat, and does the outcome agree with
 *	  the money on the table (D2 Texas Holdem; R6.9, R6.13, R6.15)?
 */
#include "games/families.h"

#include "casino.h"
#include "core/money.h"
#include "core/games/pots.h"
#include "core/games/texas_replay.h"
#include "games/outcome_json.h"
#include "games/texas_holdem.h"
#include "server/query.h"
#include "server/refusal.h"
#include "state/player.h"
#include "state/round.h"
#include "state/wagers.h"

static PreparedQuery find_other = {
	.sql = "SELECT s.player_id FROM casino.ledger s"
	" WHERE s.round_id = $1 AND s.kind = 'stake' AND s.seat = $2 AND s.player_id <> $3"
	"   AND NOT EXISTS (SELECT FROM casino.ledger f"
	"                    WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no)"
	" UNION ALL"
	" SELECT t.player_id FROM casino.table_stack t"
	"  WHERE t.round_id = $1 AND t.seat = $2 AND t.player_id <> $3"
	" LIMIT 1",
	.args = {ARG_INT8, ARG_INT4, ARG_INT8}
};

static PreparedQuery find_fold = {
	.sql = "SELECT 1 FROM casino.dealt_hand d"
	" WHERE d.round_id = $1 AND d.side = 'box' AND d.seat = $2 AND d.folded"
	" LIMIT 1",
	.args = {ARG_INT8, ARG_INT4}
};

/* The chips that the player brought and where, and the wallet before the first stake that stands. */
static PreparedQuery find_stack = {
	.sql = "SELECT t.amount, t.seat, f.had"
	"  FROM (VALUES (1)) o"
	"  LEFT JOIN casino.table_stack t ON t.round_id = $1 AND t.player_id = $2"
	"  LEFT JOIN LATERAL (SELECT s.balance + s.amount AS had FROM casino.ledger s"
	"                      WHERE s.round_id = $1 AND s.kind = 'stake' AND s.player_id = $2"
	"                        AND NOT EXISTS (SELECT FROM casino.ledger f"
	"                                         WHERE f.player_id = s.player_id"
	"                                           AND f.stake_entry_no = s.entry_no)"
	"                      ORDER BY s.entry_no LIMIT 1) f ON true",
	.args = {ARG_INT8, ARG_INT8}
};

/* its columns */
enum
{
	STACK_BROUGHT = 1, STACK_SEAT, STACK_HAD
};

/*
 * See families.h.  Table stakes (D2 Texas Holdem: all the chips that a player
 * has at the table): those brought before the hand; else the first stake says
 * them, all that the wallet had then (R6.30).
 */
static int64
chips(const RoundState *round, const PlayerState *player, const Wager *placed, int nplaced)
{
	Datum		values[2] = {Int64GetDatum(round->round_id), Int64GetDatum(player->player_id)};
	int64		stack;

	casino_read_latest(&find_stack, values, NULL);
	stack = casino_column_halere(0, STACK_BROUGHT, casino_column_halere(0, STACK_HAD, player->balance));
	for (int i = 0; i < nplaced; i++)
		stack -= placed[i].bet.stake;
	return Max(stack, 0);
}

/* See families.h: one hand a seat (D2 Texas Holdem). */
static int
hands(int kind)
{
	return 1;
}

/* KB005: the player plays on another seat. */
static void
refuse_other_seat(const PlayerState *player, int seat, int other)
{
	ereport(ERROR,
			(errrefusal(REFUSAL_ONE_SEAT, REFUSED_INT("seat", seat), REFUSED_INT("other_seat", other)),
			 errmsg("player " INT64_FORMAT " plays on seat %d", player->player_id, seat),
			 errdetail("The player cannot play on seat %d too.", other)));
}

/* See families.h. */
static void
check_stakes(const RoundState *round, const PlayerState *player, const Wager *placed, int nplaced,
			 const Wager *added, int nadded)
{
	Datum		values[3] = {Int64GetDatum(round->round_id), Int32GetDatum(added[0].seat),
	Int64GetDatum(player->player_id)};
	Datum		values_of_player[2] = {values[0], values[2]};

	casino_read_latest(&find_stack, values_of_player, NULL);
	if (!casino_column_is_null(0, STACK_SEAT) && casino_column_int(0, STACK_SEAT) != added[0].seat)
		refuse_other_seat(player, casino_column_int(0, STACK_SEAT), added[0].seat);
	for (int i = 0; i < nplaced; i++)
		if (placed[i].seat != added[0].seat)
			refuse_other_seat(player, placed[i].seat, added[0].seat);
	if (casino_read_latest(&find_other, values, NULL) > 0)
		ereport(ERROR,
				(errrefusal(REFUSAL_SEAT_TAKEN, REFUSED_INT("seat", added[0].seat)),
				 errmsg("seat %d is taken", added[0].seat),
				 errdetail("Player " INT64_FORMAT " plays on it.", casino_column_int64(0, ONLY_COLUMN))));
	if (round->status == ROUND_CLOSED && casino_read_latest(&find_fold, values, NULL) > 0)
		ereport(ERROR,
				(errrefusal(REFUSAL_HAS_FOLDED, REFUSED_INT("seat", added[0].seat)),
				 errmsg("seat %d has folded", added[0].seat),
				 errdetail("Who has folded puts in no more money (D2 Texas Holdem, Preflop).")));
}

/* A number among the plan's rules as haléře. */
static int64
rule_halere(const PlanRuleSet *rules, const char *name)
{
	return casino_rules_number(rules, name) * INT64_C(100);
}

/* KR001: the betting that is told, against the money and the folds. */
static void
check_actions(const RoundState *round, const Outcome *outcome, const CasinoPotHand *hand,
			  CasinoSeats dealt_in, CasinoSeats folded)
{
	PlanRuleSet *document = casino_rules_load(round->plan_id);
	CasinoTexasRules rules;
	CasinoReplay replay;
	CasinoError error;
	int64_t		staked[CASINO_SEATS_MAX];

	rules.small_blind = rule_halere(document, "small_blind");
	rules.big_blind = rule_halere(document, "big_blind");
	rules.min_raise_multiple = casino_rules_number(document, "min_raise_multiple");
	for (int i = 0; i < CASINO_SEATS_MAX; i++)
		staked[i] = hand->seats[i].contributed;
	if (!casino_texas_replay(&rules, dealt_in, outcome->button, hand->board.count, outcome->actions,
							 outcome->nactions, &replay, &error) ||
		!casino_texas_agrees(&replay, staked, folded, &error))
		casino_ereport(&error, "illegal outcome");
}

/* KR001: does the plan ask for the betting, and is it not told (R6.32)? */
static void
check_told(const RoundState *round, const Outcome *outcome)
{
	const char *asked = casino_rules_text(casino_rules_load(round->plan_id), "actions_required");

	if (!outcome->has_actions && asked != NULL && strcmp(asked, "true") == 0)
		casino_outcome_illegal("The game plan asks for the actions of the hand.");
}

/* Board, button and seats of an outcome, without the money; which seats were dealt in, which folded. */
static void
read_pot_hand(const Outcome *outcome, CasinoPotHand *hand, CasinoSeats *dealt_in, CasinoSeats *folded)
{
	memset(hand, 0, sizeof(*hand));
	hand->button = outcome->button;
	hand->board = outcome->hands[0].cards;
	*dealt_in = 0;
	*folded = 0;
	for (int i = 1; i < outcome->nhands; i++)
	{
		const OutcomeHand *seat = &outcome->hands[i];
		CasinoPotSeat *pot_seat = &hand->seats[seat->seat - 1];

		*dealt_in |= CASINO_SEAT_BIT(seat->seat);
		pot_seat->folded = seat->folded;
		if (seat->folded)
			*folded |= CASINO_SEAT_BIT(seat->seat);
		pot_seat->has_cards = seat->cards.count == 2;
		if (pot_seat->has_cards)
			memcpy(pot_seat->cards, seat->cards.cards, sizeof(pot_seat->cards));
	}
}

/* Add what the seats put in; 22003 when it is out of range. */
static void
add_stakes(const RoundWagers *wagers, CasinoPotHand *hand)
{
	for (int i = 0; i < wagers->count; i++)
	{
		int64	   *contributed = &hand->seats[wagers->wagers[i].seat - 1].contributed;

		if (!casino_money_add(*contributed, wagers->wagers[i].bet.stake, contributed))
			ereport(ERROR,
					(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
					 errmsg("sum of the stakes is out of range")));
	}
}

/* See families.h. */
static void
check_round(const RoundState *round, const Outcome *outcome, const RoundWagers *wagers, bool partial)
{
	CasinoPotHand hand;
	CasinoPots	pots;
	CasinoError error;
	CasinoSeats dealt_in;
	CasinoSeats folded;

	if (partial)
		return;
	for (int i = 1; i < outcome->nhands; i++)
		if (outcome->hands[i].seat > round->seats)
			casino_outcome_illegal("Table \"%s\" has seats 1 to %d, not %d.", round->table_name,
								   round->seats, outcome->hands[i].seat);
	read_pot_hand(outcome, &hand, &dealt_in, &folded);
	for (int i = 0; i < wagers->count; i++)
		if ((dealt_in & CASINO_SEAT_BIT(wagers->wagers[i].seat)) == 0)
			casino_outcome_illegal("Seat %d has a stake but does not stand in the outcome.",
								   wagers->wagers[i].seat);
	add_stakes(wagers, &hand);
	for (int i = 1; i < outcome->nhands; i++)
		if (!outcome->hands[i].folded && hand.seats[outcome->hands[i].seat - 1].contributed == 0)
			casino_outcome_illegal("Seat %d has not folded but has no stake.", outcome->hands[i].seat);
	check_told(round, outcome);
	if (outcome->has_actions)
		check_actions(round, outcome, &hand, dealt_in, folded);
	if (!casino_pots_settle(&hand, &pots, &error))
		casino_ereport(&error, "illegal outcome");
}

/*
 * See families.h.  What a seat gets stands as one payout on the first stake of
 * its player: winnings of all pots and money that nobody called (R11.18).
 */
static void
share(const Outcome *outcome, RoundWagers *wagers)
{
	CasinoPotHand hand;
	CasinoPots	pots;
	CasinoSeats dealt_in;
	CasinoSeats folded;
	CasinoError error;

	read_pot_hand(outcome, &hand, &dealt_in, &folded);
	add_stakes(wagers, &hand);
	if (!casino_pots_settle(&hand, &pots, &error))
		casino_ereport(&error, "illegal outcome");
	for (int first = 0, next; first < wagers->count; first = next)
	{
		int			seat = wagers->wagers[first].seat - 1;

		next = casino_round_wagers_next_player(wagers, first);
		for (int i = first; i < next; i++)
			wagers->wagers[i].grade = CASINO_LOSE;
		wagers->wagers[first].payout = pots.won[seat] + pots.returned[seat];
		if (pots.won[seat] > 0)
			wagers->wagers[first].grade = CASINO_WIN;
		else if (pots.returned[seat] > 0)
			wagers->wagers[first].grade = CASINO_RETURNED;
	}
}

const FamilyRules casino_texas_holdem_family = {
	.plan = &casino_texas_holdem_plan,
	.read_outcome = casino_texas_read_outcome,
	.check_outcome = casino_texas_check_outcome,
	.hands = hands,
	.chips = chips,
	.check_stakes = check_stakes,
	.seats = CASINO_SEATS_MAX,
	.check_round = check_round,
	.share = share
};
