/*
 * round.h
 *	  The round: its lock and its state.
 *
 * Locks are taken in one order everywhere: round, box, player rows by ascending
 * player_id, then the players' counters (casino.limit_state) by ascending
 * player_id.
 */
#ifndef CASINO_ROUND_H
#define CASINO_ROUND_H

#include "postgres.h"

#include "utils/jsonb.h"

#include "server/event_time.h"
#include "server/query.h"

typedef enum RoundStatus
{
	ROUND_OPEN, ROUND_CLOSED, ROUND_WITHHELD, ROUND_SETTLED, ROUND_VOIDED
} RoundStatus;

/* How a kind's limits follow from the table's: first letter of bet_rule.table_limits */
enum
{
	TABLE_LIMITS_PRINCIPAL = 'p', TABLE_LIMITS_COVERED = 'c', TABLE_LIMITS_MINIMUM = 'm',
	TABLE_LIMITS_NONE = 'n'
};

/* When a kind is placed: first letter of bet_rule.phase */
enum
{
	PHASE_BETTING = 'b', PHASE_PLAY = 'p', PHASE_ANY = 'a'
};

typedef struct BetRule
{
	int			kind;			/* CasinoBetKind */
	int64		min_stake;		/* haléře, 0: none declared */
	int64		max_stake;		/* haléře, INT64_MAX: none declared */
	int64		table_min;		/* the table's own for this kind, 0: none */
	int64		table_max;		/* the table's own for this kind, INT64_MAX: none */
	char		table_limits;	/* TABLE_LIMITS_ */
	char		phase;			/* PHASE_ */
	int			requires;		/* CasinoBetKind, 0: none */
	bool		zero_offered;
	int64		declared_win;	/* haléře, INT64_MAX: none declared */
	int32		win_num;		/* greatest odds of the paytable; 0:1 if it has none that win */
	int32		win_den;
} BetRule;

typedef struct RoundState
{
	int64		round_id;
	int64		plan_id;
	int			plan_version;	/* of the game's versions */
	RoundStatus status;
	TimestampTz opened_at;
	TimestampTz betting_until;	/* DT_NOEND: until it is closed */
	TimestampTz betting_closed_at;	/* DT_NOBEGIN: not closed */
	TimestampTz actions_closed_at;	/* DT_NOBEGIN: not closed */
	TimestampTz evaluated_at;	/* DT_NOBEGIN: not yet */
	TimestampTz withheld_paid_at;	/* DT_NOBEGIN: not withheld, or not yet */
	char	   *game;
	char	   *family;
	bool		live;			/* broadcast live game (D4 section 8) */
	char	   *table_name;
	bool		seated;			/* played at numbered seats */
	int			seats;
	bool		surrender;		/* the table offers it */
	bool		behind;
	int			home_cell;		/* of a table with seats in a cell, else -1 */
	bool		away;			/* its home is another cell */
	int64		table_min;		/* haléře */
	int64		table_max;
	int64		round_max;		/* INT64_MAX: none declared */
	Jsonb	   *outcome;		/* NULL before evaluation and when voided */
	char	   *void_reason;
	int			nrules;			/* kinds the plan offers */
	BetRule    *rules;
} RoundState;

extern const char *casino_round_status_name(RoundStatus status);

/*
 * Has betting of an open round ended by its own clock, for an event at that
 * time or for any now (R13.2)?  A replay (casino.clock_skew -1) has no now.
 */
extern bool casino_round_is_over(const RoundState *round, TimestampTz at);

/* KB001 for a stake at that time if it has. */
extern void casino_round_check_over(const RoundState *round, TimestampTz at);

/* Share: stakes.  Exclusive: close, settle, void.  Held to the end of the transaction. */
extern void casino_round_lock_shared(int64 round_id);
extern void casino_round_lock_exclusive(int64 round_id);

/* For assertions: does this backend hold the round's lock? */
extern bool casino_round_is_locked(int64 round_id, bool exclusive);


/* The exclusive lock, unless it would have to be waited for: then false. */
extern bool casino_round_try_lock_exclusive(int64 round_id);

/* The shared lock, unless it had to be waited for: then false. */
extern bool casino_round_try_lock_shared(int64 round_id);

/*
 * What a round opened at the table under these versions would have of game,
 * table and plan; the rest of the state is empty.  Takes no lock.
 */
extern void casino_round_prepare(int64 table_id, int table_version, int64 plan_id, RoundState *round);

/* State of a round under its lock, with the rules of its plan and table; 23503. */
extern void casino_round_load(int64 round_id, RoundState *round);

/* Where a live round stands, for the duties of D4 section 8. */
typedef struct LiveRound
{
	int64		round_id;
	char	   *table_name;		/* of one that is not evaluated at the time asked for, else NULL */
	TimestampTz evaluated_at;	/* DT_NOBEGIN: not yet */
} LiveRound;

extern void casino_live_round_load(int64 round_id, TimestampTz at, LiveRound *round);

/*
 * casino_execute for an UPDATE of the round $1 under its lock; 40001 when this
 * transaction's snapshot misses the round.
 */
extern void casino_round_update(PreparedQuery *query, Datum *values, const char *nulls);

/* 40001 when this transaction's snapshot misses stakes or refunds of the round. */
extern void casino_round_check_snapshot(int64 round_id);

/* KL005 unless the event is on or after "not_before", an event of the round named by "event". */
extern void casino_round_check_time(const RoundState *round, EventTime *time,
									TimestampTz not_before, const char *event);

#endif							/* CASINO_ROUND_H */
