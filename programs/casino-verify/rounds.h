/*
 * rounds.h
 *	  Exported rounds with their cards, until all their wagers have been
 *	  graded.
 */
#ifndef CASINO_VERIFY_ROUNDS_H
#define CASINO_VERIFY_ROUNDS_H

#include "core/games/evaluate.h"
#include "core/evidence/leaf.h"
#include "plans.h"
#include "verify.h"

/* Money of a Texas Hold'em seat. */
typedef struct Seat
{
	int64_t		staked;
	int64_t		paid;
	Place		place;
} Seat;

typedef struct Round
{
	int64_t		round_id;
	struct Round *next;			/* of the bucket */
	const Plan *plan;			/* NULL: not exported */
	int64_t		seal_no;		/* evaluated, and sealed by it */
	bool		ended;
	bool		voided;
	bool		waits;			/* winnings of single players are withheld: pots cannot be split again */
	size_t		nvoid_players;	/* whose wagers were voided singly */
	int64_t    *void_players;
	bool		some_withheld;	/* winnings of single players are or were withheld */
	bool		corrected;		/* the exports have a correction of its result: corrections.c judges it */
	int64_t		opened_at;
	int64_t		betting_until;	/* NO_TIME: until it is closed; so the others where it did not happen */
	int64_t		betting_closed_at;
	int64_t		actions_closed_at;
	int64_t		evaluated_at;
	int64_t		recorded_at;	/* the evaluation */
	int64_t		withheld_at;
	int			number;
	int			button;
	CasinoDealtHand *hands;
	Seat	   *seats;			/* Texas Hold'em */
} Round;

extern void take_round(const CasinoLayout *layout, const CasinoValue *values, int64_t seal_no, Place place);
extern void take_round_end(const CasinoLayout *layout, const CasinoValue *values, Place place);
extern void take_hand(const CasinoLayout *layout, const CasinoValue *values, int64_t seal_no, Place place);

/* The cards of a row that has such fields. */
extern CasinoDealtHand *hand_read(const CasinoLayout *layout, const CasinoValue *values, Place place);
extern void hands_free(CasinoDealtHand *hands);

/* A whole number 0 to 999 that a canonical outcome has under this name, else -1. */
extern int	outcome_number(const CasinoValue *outcome, const char *name);

extern Round *round_find(int64_t round_id);

/* Was the round in a seal before this one?  Then it can get no stake any more. */
extern bool round_is_past(int64_t round_id, int64_t seal_no);

/* For each round that has ended: "done" when its pots may be split; forget it unless "keep" or corrected. */
extern void rounds_seal_end(void (*done) (const Round *round), bool keep);

extern void rounds_gap(void);

#endif							/* CASINO_VERIFY_ROUNDS_H */
