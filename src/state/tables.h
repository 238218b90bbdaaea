/*
 * tables.h
 *	  The hot tables as the store knows them: their columns and indexes.
 */
#ifndef CASINO_TABLES_H
#define CASINO_TABLES_H

#include "server/store.h"

/* casino.ledger, in the order of casino_ledger_table.columns */
typedef enum LedgerColumn
{
	LEDGER_PLAYER_ID, LEDGER_ENTRY_NO, LEDGER_KIND, LEDGER_AMOUNT, LEDGER_ROUND_ID, LEDGER_BET,
	LEDGER_SEAT, LEDGER_HAND, LEDGER_STAKE_ENTRY_NO, LEDGER_GRADE, LEDGER_REQUEST_ID,
	LEDGER_REQUEST_LINE, LEDGER_REASON, LEDGER_METHOD, LEDGER_WITHDRAWAL_ENTRY_NO, LEDGER_ACCOUNT,
	LEDGER_REFERENCE, LEDGER_PLACE, LEDGER_BALANCE, LEDGER_POSTED_AT, LEDGER_RECORDED_AT, LEDGER_RECORDED_BY,
	LEDGER_CORRECTION_NO,
	LEDGER_BOOK,				/* the store's to fill in */
	LEDGER_COLUMNS
} LedgerColumn;

typedef enum LedgerIndex
{
	LEDGER_BY_ENTRY,			/* player_id, entry_no */
	LEDGER_BY_REQUEST,			/* player_id, request_id, request_line */
	LEDGER_BY_STAKE,			/* player_id, stake_entry_no, correction_no */
	LEDGER_BY_ROUND				/* round_id, kind, player_id, entry_no: stakes and refunds */
} LedgerIndex;

/* casino.player, likewise */
typedef enum PlayerColumn
{
	PLAYER_PLAYER_ID, PLAYER_EXTERNAL_REF, PLAYER_REGISTERED_AT, PLAYER_BALANCE,
	PLAYER_LAST_ENTRY_NO, PLAYER_LAST_POSTED_AT, PLAYER_LAST_ROUND_ID, PLAYER_SEQUENCE_STARTED_AT,
	PLAYER_PREVIOUS_ROUND_ID, PLAYER_PREVIOUS_SEQUENCE_STARTED_AT, PLAYER_EXCLUDED_UNTIL,
	PLAYER_LIMITED, PLAYER_CLOSED_AT, PLAYER_REGISTERED_BY, PLAYER_CLOSED_BY,
	PLAYER_COLUMNS
} PlayerColumn;

typedef enum PlayerIndex
{
	PLAYER_BY_ID
} PlayerIndex;

/* casino.limit_state, in the order of its columns */
typedef enum LimitStateColumn
{
	LIMIT_STATE_PLAYER_ID, LIMIT_STATE_DAY, LIMIT_STATE_STAKED_DAY, LIMIT_STATE_LOST_DAY,
	LIMIT_STATE_MONTH, LIMIT_STATE_STAKED_MONTH, LIMIT_STATE_LOST_MONTH, LIMIT_STATE_OPEN_STAKED,
	LIMIT_STATE_LIMITS,			/* of each kind of limit three: it, the next one, since when that holds */
	LIMIT_STATE_COLUMNS = LIMIT_STATE_LIMITS + 12
} LimitStateColumn;

typedef enum LimitStateIndex
{
	LIMIT_STATE_BY_PLAYER
} LimitStateIndex;

/* casino.round: what its state is read from */
typedef enum RoundColumn
{
	ROUND_ROUND_ID, ROUND_TABLE_ID, ROUND_TABLE_VERSION, ROUND_PLAN_ID, ROUND_STATUS, ROUND_OPENED_AT,
	ROUND_BETTING_UNTIL, ROUND_BETTING_CLOSED_AT, ROUND_ACTIONS_CLOSED_AT, ROUND_EVALUATED_AT,
	ROUND_WITHHELD_PAID_AT,
	ROUND_OUTCOME, ROUND_VOID_REASON,
	ROUND_COLUMNS
} RoundColumn;

typedef enum RoundIndex
{
	ROUND_BY_ID
} RoundIndex;

/* The other tables that know keys of requests. */
typedef enum CancelledColumn
{
	CANCELLED_PLAYER_ID, CANCELLED_REQUEST_ID, CANCELLED_ROUND_ID, CANCELLED_CANCELLED_AT,
	CANCELLED_COLUMNS
} CancelledColumn;

typedef enum OtherPlayColumn
{
	OTHER_PLAY_PLAYER_ID, OTHER_PLAY_REQUEST_ID, OTHER_PLAY_PLAY_NO, OTHER_PLAY_PRODUCT,
	OTHER_PLAY_STAKED, OTHER_PLAY_RESULT,
	OTHER_PLAY_COLUMNS
} OtherPlayColumn;

typedef enum CancelledRequestIndex
{
	CANCELLED_REQUEST_BY_ID		/* player_id, request_id */
} CancelledRequestIndex;

typedef enum OtherPlayIndex
{
	OTHER_PLAY_BY_REQUEST		/* player_id, request_id */
} OtherPlayIndex;

extern StoreTable casino_cancelled_request_table;
extern StoreTable casino_other_play_table;
extern StoreTable casino_limit_state_table;
extern StoreTable casino_ledger_table;
extern StoreTable casino_player_table;
extern StoreTable casino_round_table;

#endif							/* CASINO_TABLES_H */
