/*
 * blackjack_marks.h
 *	  The wagers of one player on one box as bits of a number ("marks"), so that
 *	  a set-based query can carry them beside each wager.
 */
#ifndef CASINO_BLACKJACK_MARKS_H
#define CASINO_BLACKJACK_MARKS_H

#include "postgres.h"

/* four bits for each of eight hands */
#define MARK_HANDS			8
#define MARKS_PER_HAND		4
#define MARK_DOUBLED		1
#define MARK_DOUBLED_FREE	2
#define MARK_SPLIT			4	/* the hand arose from a paid split */
#define MARK_SPLIT_FREE		8

/* all of these bits */
#define HAND_MARKS			((INT64_C(1) << (MARK_HANDS * MARKS_PER_HAND)) - 1)

/* then the wagers that lie on the box as a whole */
#define MARK_MAIN			(INT64_C(1) << 32)
#define MARK_BEHIND			(INT64_C(1) << 33)
#define MARK_INSURANCE		(INT64_C(1) << 34)
#define MARK_FIRST_SIDE_BET (INT64_C(1) << 35)

/* Bit of a wager, 0 for kinds that are not blackjack's. */
extern int64 casino_blackjack_mark(int kind, int hand);
extern int64 casino_blackjack_side_mark(int kind);

/* CasinoWagerFlag bits of a wager on that hand of a player with these marks. */
extern unsigned casino_blackjack_wager_flags(int64 marks, int hand, bool surrendered,
											 bool even_money);

#endif							/* CASINO_BLACKJACK_MARKS_H */
