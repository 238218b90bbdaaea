/*
 * table_version.h
 *	  A version of a game table: its game, limits and switches, which never
 *	  change, kept by the session.
 */
#ifndef CASINO_TABLE_VERSION_H
#define CASINO_TABLE_VERSION_H

#include "postgres.h"

#include "casino.h"

/* What a table sets for one kind of bet, in haléře. */
typedef struct TableLimit
{
	int			kind;			/* CasinoBetKind */
	int64		min;			/* 0: none */
	int64		max;			/* INT64_MAX: none */
} TableLimit;

/* room for names and codes, which are bounded to 200 bytes */
#define TABLE_NAME_SIZE		256

typedef struct TableVersion
{
	struct
	{
		int64		table_id;
		int64		version;
	}			key;
	char		name[TABLE_NAME_SIZE];	/* of the table */
	char		game[TABLE_NAME_SIZE];
	char		family[NAMEDATALEN];
	bool		live;
	bool		seated;			/* played at numbered seats */
	int			seats;
	bool		surrender;
	bool		behind;
	int			home_cell;		/* -1: none */
	bool		away;			/* its home is another cell than this database */
	int64		min_stake;		/* haléře */
	int64		max_stake;
	int			nlimits;
	TableLimit	limits[CASINO_BET_KIND_END];
} TableVersion;

/* Valid until the end of the transaction. */
extern const TableVersion *casino_table_version(int64 table_id, int version);

#endif							/* CASINO_TABLE_VERSION_H */
