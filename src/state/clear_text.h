/*
 * clear_text.h
 *	  References of payments: the entry has a token, casino.clear_text the text
 *	  until its person is erased (R7.110).
 */
#ifndef CASINO_STATE_CLEAR_TEXT_H
#define CASINO_STATE_CLEAR_TEXT_H

#include "postgres.h"

/* Keeps the text of a player; returns the token, palloc'ed. */
extern char *casino_clear_text_keep(int64 player_id, const char *clear);

/* Is this the text whose token an entry has?  NULL: no token, or no text. */
extern bool casino_clear_text_is(int64 player_id, const char *token, const char *clear);

#endif							/* CASINO_STATE_CLEAR_TEXT_H */
