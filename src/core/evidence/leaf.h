/*
 * leaf.h
 *	  Evidence as bytes: the layout of each section's rows, and the leaf of a
 *	  Merkle tree that a row becomes.  doc/evidence.md has all of it.
 *
 * The layouts are one list.  The server takes rows apart by it, the program
 * casino-verify reads exported lines by it; a tag is never given to another
 * section, and a layout that changes gets another version.
 */
#ifndef CASINO_LEAF_H
#define CASINO_LEAF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/bet.h"
#include "core/hand.h"

typedef enum CasinoFieldType
{
	CASINO_FIELD_INT,			/* 8 bytes, big-endian, two's complement */
	CASINO_FIELD_BOOL,			/* 1 byte, 0 or 1 */
	CASINO_FIELD_MONEY,			/* haléře as an int */
	CASINO_FIELD_TIME,			/* microseconds since 2000-01-01 UTC as an int */
	CASINO_FIELD_DATE,			/* days since 2000-01-01 as an int */
	CASINO_FIELD_TEXT,			/* 4 bytes length, UTF-8 */
	CASINO_FIELD_HASH,			/* 32 bytes */
	CASINO_FIELD_BET,			/* kind, count, 6 numbers, stake as an int: 16 bytes */
	CASINO_FIELD_HAND,			/* 4 bytes count, a byte a card */
	CASINO_FIELD_INTS,			/* 4 bytes count, ints */
	CASINO_FIELD_BETS,			/* 4 bytes count, bets */
	CASINO_FIELD_JSON			/* 4 bytes length, canonical JSON */
} CasinoFieldType;

typedef struct CasinoField
{
	const char *name;			/* of the column and of the member in an exported line */
	CasinoFieldType type;
	bool		is_key;			/* part of what names the row */
	uint8_t		len;			/* of the name */
} CasinoField;

/* Tags that a program asks for by name; leaf.c has the layouts of all. */
typedef enum CasinoTag
{
	CASINO_TAG_GAME = 2,
	CASINO_TAG_GAME_PLAN = 3,
	CASINO_TAG_PLAN_RULE = 4,
	CASINO_TAG_BET_RULE = 5,
	CASINO_TAG_PAYTABLE = 6,
	CASINO_TAG_ROUND = 13,
	CASINO_TAG_ROUND_END = 14,
	CASINO_TAG_DEALT_HAND = 16,
	CASINO_TAG_EXCLUSION = 18,
	CASINO_TAG_EXCLUSION_END = 19,
	CASINO_TAG_BREACH = 23,
	CASINO_TAG_DISCONNECTION = 25,
	CASINO_TAG_WITHHOLDING = 29,
	CASINO_TAG_WITHHOLDING_END = 30,
	CASINO_TAG_DEAL_CORRECTION = 61,
	CASINO_TAG_ROUND_CORRECTION = 62,
	CASINO_TAG_CORRECTION_DECISION = 63,
	CASINO_TAG_HAND_VERSION = 64,
	CASINO_TAG_CLAIM = 65,
	CASINO_TAG_CLAIM_END = 66,
	CASINO_TAG_ENTRY = 100
} CasinoTag;

typedef struct CasinoLayout
{
	uint8_t		tag;			/* 0: a line of an export that is no leaf */
	uint8_t		version;
	const char *section;
	uint8_t		len;			/* of the section's name */
	const char *table;			/* whose rows they are; NULL: nobody's */
	int			nfields;
	const CasinoField *fields;
} CasinoLayout;

/* no layout has more fields */
#define CASINO_FIELDS_MAX	32

/* All layouts, in the order in which sections are sealed and exported; ledger is the last. */
extern const CasinoLayout *casino_layouts(int *count);

/* The layout of a section, NULL when there is none. */
extern const CasinoLayout *casino_layout_find(const char *section, size_t len);

typedef enum CasinoPresence
{
	CASINO_NULL = 0,
	CASINO_PRESENT = 1,
	CASINO_AS_TEXT = 2			/* no value of its type, which nobody but a forger wrote: money that is no
								 * whole number of haléře, an array with NULL; its text */
} CasinoPresence;

/* A value of any type: what it is made of belongs to whoever made it. */
typedef struct CasinoValue
{
	CasinoPresence presence;
	int64_t		number;			/* int, bool, money, time, date */
	const char *text;			/* text, JSON, odd values; the bytes of a hash */
	size_t		len;
	CasinoBet	bet;
	CasinoHand	hand;
	const int64_t *numbers;		/* ints: len of them */
	const CasinoBet *bets;		/* bets: len of them */
} CasinoValue;

/*
 * Bytes that grow. "grow" is as realloc() and may not return NULL but for an error, which is kept in
 * "failed".
 */
typedef struct CasinoBuffer
{
	char	   *data;
	size_t		len;
	size_t		size;
	bool		failed;
	void	   *(*grow) (void *old, size_t size);
} CasinoBuffer;

extern bool casino_buffer_enlarge(CasinoBuffer *buffer, size_t more);

static inline bool
casino_buffer_reserve(CasinoBuffer *buffer, size_t more)
{
	return !buffer->failed && (more <= buffer->size - buffer->len || casino_buffer_enlarge(buffer, more));
}

extern void casino_buffer_put(CasinoBuffer *buffer, const void *data, size_t len);
extern void casino_buffer_int(CasinoBuffer *buffer, int64_t number);

/*
 * Append the leaf of a row: tag, version, then each field: its presence, and unless NULL what its type
 * says.
 */
extern void casino_leaf_put(CasinoBuffer *buffer, const CasinoLayout *layout, const CasinoValue *values);

#endif							/* CASINO_LEAF_H */
