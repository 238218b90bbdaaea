/*
 * blackjack_options.h
 *	  What a player may do on cards as they lie (R3.5 to R3.9, R3.18, R3.30, R3.31): double,
 *	  split, insure, surrender, take even money.
 *
 * Each refuses with the hand, the reason and the paragraph.  They hold at the
 * table, as the cards fall, and afterwards for the first two cards of a hand.
 */
#ifndef CASINO_BLACKJACK_OPTIONS_H
#define CASINO_BLACKJACK_OPTIONS_H

#include "core/games/blackjack_hand.h"
#include "core/games/blackjack_rules.h"

/* May these two cards be split from each other? */
extern bool casino_blackjack_is_pair(const CasinoBlackjackRules *rules, CasinoCard a, CasinoCard b);

/*
 * cards: the whole hand; split: it came of a split; free_split: of a free one,
 * or of one that its player did not follow.
 */
extern bool casino_blackjack_may_double(const CasinoBlackjackCase *at, const CasinoHand *cards,
										bool split, CasinoError *error);
extern bool casino_blackjack_may_double_free(const CasinoBlackjackCase *at, const CasinoHand *cards,
											 bool split, bool free_split, CasinoError *error);

/* a, b: the two cards; hands: how many the box or player has before the split. */
extern bool casino_blackjack_may_split(const CasinoBlackjackCase *at, CasinoCard a, CasinoCard b,
									   int hands, CasinoError *error);
extern bool casino_blackjack_may_split_free(const CasinoBlackjackCase *at, CasinoCard a, CasinoCard b,
											int hands, CasinoError *error);

/* blackjack: the player has one, on an unsplit hand. */
extern bool casino_blackjack_may_insure(const CasinoBlackjackCase *at, CasinoCard up_card,
										bool blackjack, CasinoError *error);
extern bool casino_blackjack_may_take_even_money(const CasinoBlackjackCase *at, CasinoCard up_card,
												 bool blackjack, CasinoError *error);

/* offered: by the table; cards: the whole hand. */
extern bool casino_blackjack_may_surrender(const CasinoBlackjackCase *at, const CasinoHand *cards,
										   bool split, bool offered, CasinoError *error);

#endif							/* CASINO_BLACKJACK_OPTIONS_H */
