/*
 * bet.h
 *	  A bet: kind, selection and stake, 16 bytes, in one canonical form.
 *
 * The catalogue holds every kind of the sixteen games (plan data, bet_rule
 * 6).  The numbers of the kinds are stored on disk and sent on the wire: new
 * kinds are added at the end, none is ever renumbered.
 *
 * Text: kind[:selection]@amount, as "straight:17@100.00", "split:17-20@50.00",
 * "dozen:2@5.00", "red@10.00", "egalite:4@1.00", "main@500.00", "21+3@25.00".
 */
#ifndef CASINO_BET_H
#define CASINO_BET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

typedef enum CasinoBetKind
{
	/* roulette, inside */
	CASINO_STRAIGHT = 1, CASINO_SPLIT, CASINO_STREET, CASINO_TRIO, CASINO_CORNER,
	CASINO_FIRST_FOUR, CASINO_SIX_LINE,
	/* roulette, outside */
	CASINO_DOZEN, CASINO_COLUMN, CASINO_RED, CASINO_BLACK, CASINO_ODD, CASINO_EVEN,
	CASINO_LOW, CASINO_HIGH,
	/* baccarat; player_pair is a blackjack side bet too */
	CASINO_PLAYER, CASINO_BANKER, CASINO_TIE, CASINO_EGALITE, CASINO_BIG, CASINO_SMALL,
	CASINO_PLAYER_PAIR, CASINO_BANKER_PAIR, CASINO_ANY_PAIR, CASINO_PERFECT_PAIR,
	/* blackjack, play */
	CASINO_MAIN, CASINO_BEHIND, CASINO_DOUBLE_DOWN, CASINO_SPLIT_PAIR, CASINO_INSURANCE,
	CASINO_FREE_SPLIT, CASINO_FREE_DOUBLE,
	/* blackjack, side bets */
	CASINO_21_PLUS_3, CASINO_TOP3, CASINO_DEALER_PAIR, CASINO_LUCKY_LUCKY, CASINO_BUSTER,
	CASINO_BUST_IT, CASINO_HOT3, CASINO_PUSH22,
	/* hold'em */
	CASINO_ANTE, CASINO_CALL, CASINO_AA, CASINO_RAZZ, CASINO_POT,

	CASINO_BET_KIND_END			/* one past the last */
} CasinoBetKind;

/* What stands after the colon of a kind. */
typedef enum CasinoSelectionShape
{
	CASINO_SELECT_NOTHING,		/* red, main, banker: no selection */
	CASINO_SELECT_NUMBERS,		/* a position of the roulette layout, its numbers ascending */
	CASINO_SELECT_FIXED,		/* first_four: one position only, printed without selection */
	CASINO_SELECT_THIRD,		/* dozen, column: 1 to 3 */
	CASINO_SELECT_POINTS		/* egalite: 0 to 9 */
} CasinoSelectionShape;

#define CASINO_BET_NUMBERS_MAX	6

/*
 * Stake in haléře: 1 to CASINO_STAKE_MAX, which leaves room for every odds of
 * the paytables (2000:1) and for sums of many wagers inside 63 bits.
 */
#define CASINO_STAKE_MAX	INT64_C(99999999999999) /* 999 999 999 999.99 CZK */

typedef struct CasinoBet
{
	int64_t		stake;			/* haléře; the notional of a free wager */
	uint8_t		kind;			/* CasinoBetKind */
	uint8_t		count;			/* how many of numbers are used */
	uint8_t		numbers[CASINO_BET_NUMBERS_MAX];	/* selection, rest zero */
} CasinoBet;

/* longest printed bet with its NUL: "six_line:31-32-33-34-35-36@999999999999.99" */
#define CASINO_BET_TEXT_SIZE	64

/* Name of a kind as in SQL ("six_line", "21+3"), NULL for a number that is none. */
extern const char *casino_bet_kind_name(int kind);

/* Kind of a name, 0 when there is none.  Case matters. */
extern int	casino_bet_kind_lookup(const char *name, size_t len);

extern CasinoSelectionShape casino_bet_kind_shape(int kind);

/* Does a wager of this kind cost nothing (free_split, free_double: notional stake)? */
extern bool casino_bet_kind_is_free(int kind);

/*
 * How many numbers of the wheel a bet of the kind covers, whatever its
 * selection; 0 for kinds that are not roulette's.
 */
extern int	casino_bet_kind_covers(int kind);

/* Read a whole text; numbers in any order, amount with at most two decimals. */
extern bool casino_bet_parse(const char *text, size_t len, CasinoBet *bet,
							 CasinoError *error);

/* Write the canonical text with NUL; returns its length. */
extern size_t casino_bet_print(const CasinoBet *bet, char text[CASINO_BET_TEXT_SIZE]);

/* Write the selection alone ("17-20", "2", "" for none) with NUL; returns its length. */
extern size_t casino_bet_print_selection(const CasinoBet *bet,
										 char text[CASINO_BET_TEXT_SIZE]);

/*
 * The one canonicaliser behind text, binary receive and constructors: takes
 * kind, stake and the count numbers in any order, sorts them, checks that the
 * kind exists, that the selection is a position of the layout (or of its
 * range), and the stake's range; zeroes what is unused.
 */
extern bool casino_bet_make(int kind, const uint8_t *numbers, size_t count,
							int64_t stake, CasinoBet *bet, CasinoError *error);

/* Selection text ("17-20", NULL or "" for none) to a bet, for constructors. */
extern bool casino_bet_make_text(int kind, const char *selection, size_t len,
								 int64_t stake, CasinoBet *bet, CasinoError *error);

/* Amount text "12", "12.5", "12.50" in CZK to haléře. */
extern bool casino_amount_parse(const char *text, size_t len, int64_t *halere,
								CasinoError *error);

/* Total order: kind, selection, stake.  Same position: kind and selection only. */
extern int	casino_bet_compare(const CasinoBet *a, const CasinoBet *b);
extern bool casino_bet_same_position(const CasinoBet *a, const CasinoBet *b);

#endif							/* CASINO_BET_H */
