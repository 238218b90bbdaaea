/*
 * ledger.h
 *	  What the files of the ledger share: the scope they work in, prepared
 *	  queries, the locked player, the locked round, requests and stakes.
 *
 * Money is int64 haléře throughout.  Locks are taken in one order everywhere:
 * round, box, player rows by ascending player_id, then the players' counters
 * (casino.limit_state) by ascending player_id.
 */
#ifndef CASINO_LEDGER_H
#define CASINO_LEDGER_H

#include "postgres.h"

#include "datatype/timestamp.h"
#include "executor/spi.h"
#include "utils/jsonb.h"

#include "casino.h"
#include "server/event_time.h"

/*
 * Scope: while it is open the backend acts as the owner of casino.ledger (as
 * referential integrity triggers do) with search_path pinned to pg_catalog and
 * without JIT, and SPI is connected.  An error unwinds all three with the (sub)transaction.
 */
typedef struct LedgerScope
{
	Oid			saved_user;
	int			saved_security;
	int			guc_level;
	bool		outermost;		/* no call of ours led here */
} LedgerScope;

extern void casino_scope_enter(LedgerScope *scope);
extern void casino_scope_leave(const LedgerScope *scope);

/* OID of casino.ledger; error 42P01 with a hint before install() */
extern Oid	casino_ledger_oid(void);
extern Oid	casino_ledger_owner(void);

/* Kinds of parameters of a prepared query; types of the extension are looked up. */
typedef enum LedgerArg
{
	ARG_END,
	ARG_INT4,
	ARG_INT8,
	ARG_TEXT,
	ARG_TEXT_ARRAY,
	ARG_NUMERIC,
	ARG_TIMESTAMPTZ,
	ARG_JSONB,
	ARG_BET,
	ARG_HAND,
	ARG_BOOL,
	ARG_DATE,
	ARG_INT8_ARRAY
} LedgerArg;

#define LEDGER_QUERY_ARGS	24

/* A static query of a file, prepared once a backend. */
typedef struct LedgerQuery
{
	const char *sql;
	LedgerArg	args[LEDGER_QUERY_ARGS + 1];
	SPIPlanPtr	plan;
	Oid			bet_type;		/* for which casino.bet it was prepared */
} LedgerQuery;

/*
 * Run a query that writes or locks, in the transaction's snapshot (a fresh one
 * in READ COMMITTED).  casino_look reads what is committed now (and this
 * transaction's own rows) whatever the isolation level: for decisions taken
 * under a lock.  casino_read answers a question in the snapshot of the query
 * that asks.  All return the number of rows; results are in SPI_tuptable.
 */
extern uint64 casino_run(LedgerQuery *query, Datum *values, const char *nulls);
extern uint64 casino_look(LedgerQuery *query, Datum *values, const char *nulls);
extern uint64 casino_read(LedgerQuery *query, Datum *values, const char *nulls);

/*
 * A query of the wagers' evaluation, with one %s for the family of the round's
 * game: its own views casino.graded_* and casino.evaluation_* are planned in a
 * fraction of the time that casino.evaluation takes.  One plan a family.
 */
#define LEDGER_FAMILIES		8

typedef struct EvaluationQuery
{
	const char *sql;
	LedgerArg	args[LEDGER_QUERY_ARGS + 1];
	char	   *family[LEDGER_FAMILIES];	/* NULL: free */
	LedgerQuery query[LEDGER_FAMILIES];
} EvaluationQuery;

/* The query for that family's evaluation. */
extern LedgerQuery *casino_evaluation_query(EvaluationQuery *evaluation, const char *family);

/* 22004 for an argument that may not be null */
extern void casino_require_argument(FunctionCallInfo fcinfo, int n, const char *name);

/* 40001: "what" number "id" ("is younger than") this transaction. */
extern void casino_snapshot_too_old(const char *what, int64 id, const char *relation) pg_attribute_noreturn();

/* Columns of row "row" of the last result */
extern Datum casino_column(uint64 row, int column, bool *isnull);
extern int64 casino_column_int64(uint64 row, int column);
extern int64 casino_column_halere(uint64 row, int column, int64 if_null);
extern TimestampTz casino_column_time(uint64 row, int column, TimestampTz if_null);
extern char *casino_column_cstring(uint64 row, int column);

/*
 * While posting, rows that our own statement inserts pass the row trigger and
 * the guards.  No SQL can set this: it holds only for triggers fired directly
 * by the statement run here, not for what other triggers insert in turn.
 */
extern uint64 casino_run_posting(LedgerQuery *query, Datum *values, const char *nulls);
extern bool casino_is_posting(void);

/* A player's row, locked until the end of the transaction. */
typedef struct PlayerState
{
	int64		player_id;
	int64		balance;		/* haléře */
	int64		last_entry_no;
	TimestampTz last_posted_at;
	/* live rounds only; 0 and DT_NOBEGIN: none */
	int64		last_round_id;
	TimestampTz sequence_started_at;
	int64		previous_round_id;	/* state before last_round_id was joined */
	TimestampTz previous_sequence_started_at;
	TimestampTz excluded_until; /* DT_NOBEGIN: never excluded */
	bool		limited;		/* has a row in casino.limit_state */
	bool		closed;			/* account closed */
} PlayerState;

extern void casino_player_lock(int64 player_id, PlayerState *player);	/* 23503, 40001 */
extern void casino_player_save(const PlayerState *player);

/* Takes the time of the player's next entry: KL005 unless it is on or after the last one. */
extern void casino_player_time(const PlayerState *player, EventTime *time);

/* Add to the balance (negative: take); KL002 below zero, 22003 on overflow. */
extern void casino_player_move(PlayerState *player, int64 change);

typedef enum RoundStatus
{
	ROUND_OPEN, ROUND_CLOSED, ROUND_WITHHELD, ROUND_SETTLED, ROUND_VOIDED
} RoundStatus;

typedef struct BetRule
{
	int			kind;			/* CasinoBetKind */
	int64		min_stake;		/* haléře, 0: none declared */
	int64		max_stake;		/* haléře, INT64_MAX: none declared */
	int64		table_min;		/* the table's own for this kind, 0: none */
	int64		table_max;		/* the table's own for this kind, INT64_MAX: none */
	char		table_limits;	/* first letter of principal, covered, minimum, none */
	char		phase;			/* first letter of betting, play, any */
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

/* The exclusive lock, unless it would have to be waited for: then false. */
extern bool casino_round_try_lock_exclusive(int64 round_id);

/* The shared lock, unless it had to be waited for: then false. */
extern bool casino_round_try_lock_shared(int64 round_id);

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

/* casino_run for an UPDATE of the round $1 under its lock; 40001 when this transaction's snapshot misses the round. */
extern void casino_round_update(LedgerQuery *query, Datum *values, const char *nulls);

/* 40001 when this transaction's snapshot misses stakes or refunds of the round. */
extern void casino_round_check_snapshot(int64 round_id);

/* KL005 unless the event is on or after "not_before", an event of the round named by "event". */
extern void casino_round_check_time(const RoundState *round, EventTime *time,
									TimestampTz not_before, const char *event);

/* A wager a player has lying in a round. */
typedef struct Wager
{
	int64		entry_no;		/* 0: not yet posted */
	CasinoBet	bet;
	int			seat;			/* 0: none */
	int			hand;			/* 0: none */
	char	   *request_id;		/* NULL: none */
	TimestampTz posted_at;
} Wager;

/* The player's wagers of the round that were not returned, by entry number. */
extern int	casino_wagers_load(int64 round_id, int64 player_id, Wager **wagers);

/* haléře that a wager takes from the wallet: its stake, 0 when it is free */
extern int64 casino_wager_cost(const CasinoBet *bet);

/*
 * May these wagers be placed together beside those that lie there?  Raises
 * KB001 to KB005.  The round's rules must cover the kinds of the new ones.
 */
extern void casino_stake_check(const RoundState *round, const PlayerState *player,
							   const Wager *lying, int nlying, const Wager *added, int nadded);

/*
 * Can the wagers stand, each position at its minimum and each with what it
 * requires?  Returns the index of the first that cannot, or -1.  "gone" marks
 * those that are not there.
 */
extern int	casino_stake_unsupported(const RoundState *round, const Wager *wagers, int n,
									 const bool *gone);

/*
 * Duties of the operator (compliance.c).  Check a stake of "cost" haléře into
 * the round and note it in the player's state: KC001 to KC005.  "joined" says
 * that he has a stake in the round already.  A time that was not given is moved
 * past the evaluation that the stake is judged by.
 */
extern void casino_compliance_check_stake(PlayerState *player, const RoundState *round,
										  bool joined, int64 cost, EventTime *time);

/* KC004 while the player is excluded, 55000 once his account is closed. */
extern void casino_compliance_check_admitted(const PlayerState *player, TimestampTz at);

/*
 * Stakes returned before betting closed were never placed: undo what they
 * noted.  "wagers" are all that he has in the round.
 */
extern void casino_compliance_undo_stakes(PlayerState *player, int64 round_id,
										  const Wager *wagers, int n, const bool *returned);

/* One entry of a request that was posted before, or play of another product that was counted. */
typedef struct RequestLine
{
	int64		entry_no;		/* or number of the play */
	char	   *kind;
	int64		round_id;		/* 0: none */
	bool		has_bet;
	CasinoBet	bet;
	int			seat;
	int			hand;
	int64		amount;
	char	   *method;			/* NULL: none */
	char	   *reason;			/* NULL: none */
	char	   *reference;		/* NULL: none */
	char	   *product;		/* of other play; NULL: an entry of the ledger */
	int64		result;			/* haléře, of other play */
} RequestLine;

/* 22023 for a key without a visible character (R12.2); NULL is no key. */
extern void casino_request_check(text *request_id);

/* Entries of a request, in order; raises KL003 for one cancelled before it came. */
extern int	casino_request_find(int64 player_id, text *request_id, bool raise_cancelled,
								RequestLine **lines, bool *cancelled);

/*
 * The one recipe of a retry: what the request posted when it came first, in
 * order; 0 for one that is new, and without a key.  KL003 for one that was
 * cancelled before it came, and for other content than "same" says is the
 * same; NULL: nothing is.
 */
typedef bool (*SameContent) (const void *content, const RequestLine *lines, int n);
extern int	casino_request_answered(int64 player_id, text *request_id, SameContent same, const void *content,
									RequestLine **lines);

/* KL003; its DETAIL says what was posted first, or where and when it was cancelled. */
extern void casino_request_conflict(int64 player_id, text *request_id, const RequestLine *lines,
									int n) pg_attribute_noreturn();
extern void casino_request_was_cancelled(int64 player_id, text *request_id, int64 round_id,
										 TimestampTz at) pg_attribute_noreturn();

/* haléře as "1234.50" in messages, palloc'ed */
extern char *casino_money_cstring(int64 halere);

#endif							/* CASINO_LEDGER_H */
