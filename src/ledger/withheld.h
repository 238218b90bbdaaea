/*
 * withheld.h
 *	  Winnings that are held back: of a whole round, or of single players of it
 *	  while the others are paid (D4 §11.1, D0).
 */
#ifndef CASINO_WITHHELD_H
#define CASINO_WITHHELD_H

#include "postgres.h"

#include "server/event_time.h"
#include "state/round.h"
#include "state/round_wagers.h"

/* Was it ordered that the whole round is withheld when it is settled? */
extern bool casino_withheld_is_ordered(int64 round_id);

/*
 * Is the whole round to be withheld when it is settled?  If "now", it is from
 * here on, for that reason (NULL: none given).
 */
extern bool casino_withheld_round(int64 round_id, bool now, const char *reason, TimestampTz at);

/* The wagers without those of players whose winnings are withheld. */
extern RoundWagers casino_withheld_leave_out(int64 round_id, const RoundWagers *wagers);

/* Why the winnings of that player alone are withheld; NULL: they are not. */
extern char *casino_withheld_reason(int64 round_id, int64 player_id);

/* The round is voided: what was withheld of single players has ended. */
extern void casino_withheld_voided(int64 round_id, const char *reason, TimestampTz at);

/* Void a round that is withheld, whose lock is held. */
extern void casino_withheld_void_round(const RoundState *round, const char *reason, EventTime *time);

#endif							/* CASINO_WITHHELD_H */
