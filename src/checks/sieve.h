/*
 * sieve.h
 *	  The sieve of the reconciliation: which players and rounds a check must
 *	  look at, of all entries (an audit) or of those of some days (a night).
 *
 * Each check alone would read the entries once more.  The sieve reads each
 * player's once, in their order, and holds them against what most checks ask.
 * Whoever and whatever may not fit comes out; the checks, which are SQL, then
 * look at these only and say what is wrong.  So the sieve may name too many,
 * never too few, and it reads nothing of what the code that posted has kept
 * for itself.
 *
 * Of days it reads whom they concern (extension/sieve.sql says who and from
 * where on), from his entry before them to his newest.  What refers to
 * something before that is left to the checks.
 *
 * Facts (plans, versions of tables, rounds with their cards) are read once by
 * each process.
 */
#ifndef CASINO_SIEVE_H
#define CASINO_SIEVE_H

#include "postgres.h"

#include "casino.h"

#include "core/games/evaluate.h"
#include "state/round.h"

/* Parts of the sieve, as bits; sieve.c has the words by which SQL names them, in the same order. */
#define SIEVE_PARTS 14

typedef enum SievePart
{
	SIEVE_ENTRY_GAP = 1 << 0,
	SIEVE_WALLET = 1 << 1,
	SIEVE_NEGATIVE = 1 << 2,
	SIEVE_TRIAL_BALANCE = 1 << 3,
	SIEVE_PAYOUT = 1 << 4,
	SIEVE_REFUND = 1 << 5,
	SIEVE_ROUND_FIGURES = 1 << 6,
	SIEVE_LATE_STAKE = 1 << 7,
	SIEVE_STAKE_LIMITS = 1 << 8,
	SIEVE_SEQUENCE = 1 << 9,	/* break, second_table */
	SIEVE_CASH_LIMIT = 1 << 10,
	SIEVE_STATE = 1 << 11,
	SIEVE_WITHDRAWAL = 1 << 12, /* he has asked for one */
	SIEVE_SELF_LIMIT = 1 << 13,
	SIEVE_ALL = (1 << SIEVE_PARTS) - 1
} SievePart;

/* What is asked of stakes by their rounds. */
#define SIEVE_OF_ROUNDS (SIEVE_PAYOUT | SIEVE_REFUND | SIEVE_LATE_STAKE | SIEVE_STAKE_LIMITS | \
						 SIEVE_SEQUENCE | SIEVE_STATE)

/* Limits of a kind of bet, haléře; -1: none. */
typedef struct SieveLimit
{
	int64		least;
	int64		most;
} SieveLimit;

typedef struct SievePlan
{
	int64		plan_id;
	CasinoFamily family;		/* CASINO_FAMILY_NONE: nothing fits it */
	bool		live;
	bool		box_together;	/* players of a box share its maximum */
	int64		round_most;		/* -1: none */
	CasinoBlackjackRules rules;
	bool		offered[CASINO_BET_KIND_END];
	bool		zero_offered[CASINO_BET_KIND_END];
	char		phase[CASINO_BET_KIND_END]; /* first letter */
	char		table_limits[CASINO_BET_KIND_END];	/* first letter */
	SieveLimit	limits[CASINO_BET_KIND_END];
	CasinoPaytable paytable;
} SievePlan;

typedef struct SieveTable
{
	int64		table_id;
	int			version;
	SieveLimit	limit;
	SieveLimit	limits[CASINO_BET_KIND_END];	/* of single kinds */
} SieveTable;

/* Days whose entries are looked at; since DT_NOBEGIN: all that there are. */
typedef struct SieveDays
{
	TimestampTz since;
	TimestampTz until;
} SieveDays;

/* Nobody's betting sequence is longer (R10.5); rounds that were opened before this are known in part. */
#define SIEVE_BEFORE	(6 * USECS_PER_HOUR)
/* Rounds evaluated later, and entries from then on, are not read. */
#define SIEVE_AFTER		USECS_PER_DAY

typedef struct SieveRound
{
	int64		round_id;
	const SievePlan *plan;
	const SieveTable *table;
	RoundStatus status;
	bool		exact;			/* something is withheld: left to the checks */
	bool		impossible;		/* its row says what cannot be */
	bool		counted;		/* evaluated on the days: all its stakes are read */
	bool		unfit;			/* impossible, or stakes of other days may be missing */
	int16		number;			/* roulette; -1: none */
	TimestampTz opened_at;
	TimestampTz betting_until;	/* DT_NOEND: until it is closed */
	TimestampTz betting_closed_at;	/* DT_NOBEGIN: not closed */
	TimestampTz actions_closed_at;	/* DT_NOBEGIN: not closed */
	TimestampTz evaluated_at;	/* DT_NOBEGIN: not yet */
	TimestampTz recorded_at;	/* of the evaluation; DT_NOEND: not yet */
	TimestampTz paid_at;		/* when what was withheld was paid, else evaluated_at */
	CasinoDealtHand *hands;
	/* its figures; -1 where it has none */
	int64		wagers;
	int64		players;
	int64		staked;
	int64		paid;
} SieveRound;

/* A figure of the operator's duties from a time on (R7.80). */
typedef struct SieveFigure
{
	TimestampTz valid_from;
	int64		usecs;
} SieveFigure;

/* Limits that a player may set. */
typedef enum SieveMeasure
{
	SIEVE_STAKE_DAY, SIEVE_STAKE_MONTH, SIEVE_LOSS_DAY, SIEVE_LOSS_MONTH, SIEVE_MEASURES
} SieveMeasure;

/* A player who has set limits; haléře. */
typedef struct SieveLimited
{
	int64		player_id;
	int64		least[SIEVE_MEASURES];	/* of all ever set; -1: not set */
	int64		staked;			/* in the month, before the days */
	int64		lost;
	bool		known;			/* these, and that nothing of before is still open */
} SieveLimited;

typedef struct SieveFacts
{
	MemoryContext context;
	SieveDays	days;
	int			nplans;
	SievePlan **plans;
	int			ntables;
	SieveTable *tables;
	int			nrounds;
	SieveRound *rounds;			/* by round_id */
	int			nbreaks;
	SieveFigure *breaks;		/* by valid_from, as the next */
	int			nsequences;
	SieveFigure *sequences;
	int			nlimited;
	SieveLimited *limited;		/* by player_id */
} SieveFacts;

/* A stake, and what became of it. */
typedef struct SieveStake
{
	int64		entry_no;
	int			round;			/* place in the facts */
	CasinoBet	bet;
	int			seat;
	int			hand;
	int64		amount;
	TimestampTz posted_at;
	TimestampTz recorded_at;
	char		end;			/* 0: nothing, p: paid, r: returned */
	bool		never_placed;	/* returned before it was concluded */
	int64		end_amount;
	char		grade[24];		/* of the payout */
} SieveStake;

/* What the entries say of a round, haléře. */
typedef struct SieveCount
{
	int64		wagers;
	int64		players;
	int64		staked;
	int64		paid;
	bool		incomplete;		/* there is more that could not be counted */
} SieveCount;

/* A player's row, which his entries are held against, and which of them are to be read. */
typedef struct SievePlayer
{
	int64		player_id;
	int64		first;			/* from this number on; 0: all of them; less: not known */
	int64		last;			/* and at least to this one */
	bool		several;		/* the person has other accounts */
	bool		has_balance;	/* it is an amount */
	int64		balance;		/* haléře */
	int64		last_entry_no;
	TimestampTz last_posted_at;
	int64		last_round_id;	/* 0: none */
	TimestampTz sequence_started_at;	/* DT_NOBEGIN: none */
} SievePlayer;

extern SieveFacts *casino_sieve_facts(MemoryContext context, const SieveDays *days);

/* Place of a round in the facts; -1: there is none. */
extern int	casino_sieve_round(const SieveFacts *facts, int64 round_id);

/*
 * Read the player's entries and count them in "counts", one for each round of
 * the facts; returns the checks (SievePart) that must look at him.  To be
 * called as the owner of the ledger.
 */
extern int	casino_sieve_player(const SieveFacts *facts, SieveCount *counts, MemoryContext context,
								const SievePlayer *row);

/* The same of his n stakes, which it sorts: by rounds, then his betting sequences. */
extern int	casino_sieve_rounds(const SieveFacts *facts, SieveCount *counts, MemoryContext context,
								const SievePlayer *row, SieveStake *stakes, int n);

/*
 * Does the player stay within the least of the limits that the player has set,
 * with stakes that were taken back counted as lost?  SIEVE_SELF_LIMIT or 0.
 */
extern int	casino_sieve_self_limits(const SieveFacts *facts, MemoryContext context,
									 int64 player_id, const SieveStake *stakes, int n);

/* One player's standing stakes of a settled round, in the order of entry: do their payouts fit? */
extern bool casino_sieve_payouts_fit(const SieveRound *round, int64 player_id, const SieveStake *stakes,
									 int n);

/* Are their positions, and what he staked in the round, within the limits? */
extern bool casino_sieve_limits_fit(const SieveRound *round, const SieveStake *stakes, int n);

#endif							/* CASINO_SIEVE_H */
