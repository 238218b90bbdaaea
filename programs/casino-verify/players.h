/*
 * players.h
 *	  Which entries of each player have been seen, over all exports: the next
 *	  seal goes on where the one before has ended, and so does his balance.  100 to 200 bytes a player.
 */
#ifndef CASINO_PLAYERS_H
#define CASINO_PLAYERS_H

#include "core/evidence/seal.h"
#include "verify.h"

/* An export begins: of the seals from "since" on to this one each has been read. */
extern void players_seal(int64_t seal_no, int64_t since);

/*
 * The entries of a player that begin follow from what was seen of him; refused when they do not.  At their
 * end the running hash is known.
 */
extern void players_begin(const CasinoStream *stream, const CasinoHash *before, Place place);
extern void players_entry(const CasinoValue *kind, const CasinoValue *amount, const CasinoValue *balance,
						  int64_t posted_at, Place place);
extern void players_end(const CasinoStream *stream);

/* All entries of the player from this one on have been seen. */
extern int64_t players_known_from(int64_t player_id);

#endif							/* CASINO_PLAYERS_H */
