/*
 * grading.h
 *	  Wagers of one player in one round that has ended, graded again and held
 *	  against what was paid.
 */
#ifndef CASINO_VERIFY_GRADING_H
#define CASINO_VERIFY_GRADING_H

#include "rounds.h"

/* A stake, and what became of it. */
typedef struct Stake
{
	int64_t		player_id;
	int64_t		entry_no;
	int64_t		round_id;
	CasinoBet	bet;
	int			seat;
	int			hand;
	int64_t		amount;
	Place		place;
	int64_t		posted_at;
	int64_t		recorded_at;
	char		end;			/* 0, p: paid, r: returned */
	bool		never_placed;	/* returned before it was concluded */
	char		why;			/* first letter of the reason of its return; 0: none that there is */
	int64_t		end_posted_at;
	int64_t		end_recorded_at;
	char		grade[31];		/* of the payout */
	int64_t		end_amount;
	Place		end_place;
} Stake;

/* By entry_no.  Returns how many were graded; -1: the plan is not known. */
extern int	grade_group(Round *round, const Stake *all, int n);

/* Was each stake that stands placed while the round took it, and paid when the round was evaluated? */
extern void check_times(const Round *round, const Stake *all, int n);

/* Haléře that each wager of a player gets, and how it ended; one that was returned gets 0. */
extern void grade_dues(const Round *round, const Stake *all, int n, int64_t *dues, CasinoGrade *grades);

/* Is the round of a family whose players are paid from each other's stakes, seat by seat? */
extern bool is_by_seat(const Round *round);

/* Money of the seats of such a round: the player's wagers are added; how many they are. */
extern int	collect_texas(Round *round, const Stake *all, int n);

/* Haléře that each seat gets, when all players are known; why the round cannot be so, else NULL. */
extern const char *texas_dues(const Round *round, int64_t dues[]);

/* Pots of a Texas Hold'em round whose players are all known. */
extern void settle_texas(const Round *round);

#endif							/* CASINO_VERIFY_GRADING_H */
