/*
 * withheld.h
 *	  Winnings that are held back: of a whole round, or of single players of it
 *	  while the others are paid (D4 §11.1, D0).
 */
#ifndef CASINO_WITHHELD_H
#define CASINO_WITHHELD_H

#include "postgres.h"

#include "ledger/ground.h"
#include "server/event_time.h"
#include "server/numbers.h"
#include "state/round.h"
#include "state/round_wagers.h"

/* Was it ordered that the whole round is withheld when it is settled? */
extern bool casino_withheld_is_ordered(int64 round_id);

/*
 * Is the whole round to be withheld when it is settled?  If "now", it is from
 * here on, on that ground.
 */
extern bool casino_withheld_round(int64 round_id, bool now, const Ground *ground, TimestampTz at);

/* Of one player alone; NULL: there is no withholding, or it has not ended. */
typedef struct Withholding
{
	char	   *reason;
	char	   *ground;
	char	   *ended_how;		/* "paid", "voided" */
	char	   *ended_why;
	char	   *ended_ground;	/* of a void */
} Withholding;

extern void casino_withheld_load(int64 round_id, int64 player_id, Withholding *withholding);

/* Players who alone are withheld, ascending; "ended": those with whom it has ended too. */
extern Numbers casino_withheld_players(int64 round_id, bool ended);

/* KR002 unless the player has stakes in the round that stand, and none of them is paid. */
extern void casino_withheld_check_stakes(const RoundState *round, int64 player_id);

/* The wagers without those of players whose winnings are withheld. */
extern RoundWagers casino_withheld_leave_out(int64 round_id, const RoundWagers *wagers);

/* Why the winnings of that player alone are withheld; NULL: they are not. */
extern char *casino_withheld_reason(int64 round_id, int64 player_id);

/*
 * Was the round withheld by an order, of withhold_winnings() or by a role that
 * may give one?  Else the settlement alone has held its payouts back.
 */
extern bool casino_withheld_by_order(int64 round_id);

/* Who releases what was withheld, and why. */
typedef struct Release
{
	char	   *reason;			/* NULL: none given */
	const char *authority;		/* casino_release_authority() of who called */
} Release;

/*
 * What the caller may release of what was withheld by order: "none" of it, all
 * of it with a "reason", or "all" of it, as the owner of the ledger.
 */
extern const char *casino_release_authority(void);

/* 42501, 22004 unless it may be released so. */
extern void casino_release_check(int64 round_id, const Release *release);

/* The round is voided: what was withheld of single players has ended. */
extern void casino_withheld_voided(int64 round_id, const Ground *ground, TimestampTz at);

/* Void a round that is withheld, whose lock is held. */
extern void casino_withheld_void_round(const RoundState *round, const Ground *ground, EventTime *time);

#endif							/* CASINO_WITHHELD_H */
