/*
 * leaf_layouts.c
 *	  Layouts of evidence: sections, their fields in order, tags and versions.
 */
#include "core/evidence/seal.h"

#include <string.h>

#define KEY(name, type)		{name, CASINO_FIELD_##type, true, sizeof(name) - 1}
#define FIELD(name, type)	{name, CASINO_FIELD_##type, false, sizeof(name) - 1}
#define FIELDS(section)		(int) (sizeof(fields_##section) / sizeof(fields_##section[0])), fields_##section
#define LAYOUT(tag, version, section, table) \
	{tag, version, #section, sizeof(#section) - 1, #table, FIELDS(section)}
/* a line of an export that is no leaf */
#define MARK(section) \
	{0, 1, #section, sizeof(#section) - 1, NULL, FIELDS(section)}

static const CasinoField fields_recorder[] = {
	KEY("recorder_id", INT), FIELD("role", TEXT), FIELD("login", TEXT),
	FIELD("actor", TEXT), FIELD("shared_logins", BOOL), FIELD("recorded_at", TIME),
};
static const CasinoField fields_game[] = {
	KEY("game", TEXT), FIELD("name", TEXT), FIELD("family", TEXT), FIELD("live", BOOL),
	FIELD("document", TEXT),
	FIELD("name_en", TEXT),
};
static const CasinoField fields_game_plan[] = {
	KEY("plan_id", INT), FIELD("game", TEXT), FIELD("version", INT), FIELD("valid_from", TIME),
	FIELD("document", TEXT),
	FIELD("round_max_stake", MONEY), FIELD("declared_round_win", MONEY), FIELD("recorded_at", TIME),
	FIELD("recorded_by", INT),
};
static const CasinoField fields_plan_rule[] = {
	KEY("plan_id", INT), KEY("rule", TEXT), FIELD("value", TEXT), FIELD("paragraph", TEXT),
	FIELD("informative", BOOL),
	FIELD("recorded_by", INT),
};
static const CasinoField fields_bet_rule[] = {
	KEY("plan_id", INT), KEY("kind", TEXT), FIELD("min_stake", MONEY), FIELD("max_stake", MONEY),
	FIELD("declared_win", MONEY), FIELD("table_limits", TEXT), FIELD("requires", TEXT), FIELD("phase", TEXT),
	FIELD("zero_offered", BOOL), FIELD("paragraph", TEXT), FIELD("recorded_by", INT),
};
static const CasinoField fields_paytable[] = {
	KEY("plan_id", INT), KEY("kind", TEXT), KEY("grade", TEXT), FIELD("num", INT),
	FIELD("den", INT), FIELD("paragraph", TEXT), FIELD("recorded_by", INT),
};
static const CasinoField fields_announced_rule[] = {
	KEY("plan_id", INT), KEY("stem", TEXT), FIELD("min_neighbours", INT),
	FIELD("max_neighbours", INT), FIELD("paragraph", TEXT), FIELD("recorded_by", INT),
};
static const CasinoField fields_game_table[] = {
	KEY("table_id", INT), FIELD("game", TEXT), FIELD("name", TEXT), FIELD("home_cell", INT),
};
static const CasinoField fields_table_version[] = {
	KEY("table_id", INT), KEY("version", INT), FIELD("valid_from", TIME), FIELD("min_stake", MONEY),
	FIELD("max_stake", MONEY), FIELD("surrender", BOOL), FIELD("behind", BOOL), FIELD("seats", INT),
	FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_table_limit[] = {
	KEY("table_id", INT), KEY("version", INT), KEY("kind", TEXT), FIELD("min_stake", MONEY),
	FIELD("max_stake", MONEY),
	FIELD("recorded_by", INT),
};
static const CasinoField fields_table_operation[] = {
	KEY("table_id", INT), KEY("operation_no", INT), FIELD("opened", BOOL), FIELD("reason", TEXT),
	FIELD("happened_at", TIME), FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_player[] = {
	KEY("player_id", INT), FIELD("external_ref", TEXT), FIELD("registered_at", TIME),
	FIELD("registered_by", INT),
};
static const CasinoField fields_player_closed[] = {
	KEY("player_id", INT), FIELD("closed_at", TIME), FIELD("closed_by", INT),
};
static const CasinoField fields_round[] = {
	KEY("round_id", INT),
	FIELD("table_id", INT),
	FIELD("table_version", INT),
	FIELD("round_ref", TEXT),
	FIELD("plan_id", INT),
	FIELD("opened_at", TIME),
	FIELD("betting_until", TIME),
	FIELD("betting_closed_at", TIME),
	FIELD("actions_closed_at", TIME),
	FIELD("evaluated_at", TIME),
	FIELD("outcome", JSON),
	FIELD("outcome_document", JSON),
	FIELD("evaluation_recorded_at", TIME),
	FIELD("opened_recorded_at", TIME),
	FIELD("betting_closed_recorded_at", TIME),
	FIELD("actions_closed_recorded_at", TIME),
	FIELD("withheld_recorded_at", TIME),
	FIELD("withheld_at", TIME),
	FIELD("withheld_reason", TEXT),
	FIELD("withheld_ground", TEXT),
	FIELD("facts", JSON),
	FIELD("opened_by", INT),
	FIELD("betting_closed_by", INT),
	FIELD("actions_closed_by", INT),
	FIELD("evaluated_by", INT),
	FIELD("withheld_by", INT),
};
static const CasinoField fields_round_end[] = {
	KEY("round_id", INT), FIELD("status", TEXT), FIELD("wagers", INT), FIELD("players", INT),
	FIELD("staked", MONEY),
	FIELD("paid", MONEY), FIELD("withheld_paid_at", TIME), FIELD("withheld_paid_by", INT),
	FIELD("withheld_paid_reason", TEXT), FIELD("void_reason", TEXT), FIELD("void_ground", TEXT),
	FIELD("voided_at", TIME), FIELD("voided_by", INT), FIELD("withheld_paid_recorded_at", TIME),
	FIELD("voided_recorded_at", TIME),
};
static const CasinoField fields_deal[] = {
	KEY("round_id", INT), KEY("deal_no", INT), FIELD("document", JSON),
	FIELD("dealt_at", TIME), FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_dealt_hand[] = {
	KEY("round_id", INT), KEY("side", TEXT),
	KEY("seat", INT), KEY("group_no", INT),
	KEY("hand", INT), FIELD("cards", HAND),
	FIELD("surrendered", BOOL), FIELD("folded", BOOL),
	FIELD("even_money", BOOL), FIELD("even_money_players", INTS),
	FIELD("players", INTS),
};
static const CasinoField fields_deal_correction[] = {
	KEY("round_id", INT), KEY("deal_no", INT), FIELD("wrong_deal_no", INT), FIELD("reason", TEXT),
	FIELD("wagers_stand", BOOL), FIELD("returned", INT), FIELD("corrected_at", TIME),
	FIELD("recorded_at", TIME),
	FIELD("recorded_by", INT),
};
static const CasinoField fields_round_correction[] = {
	KEY("correction_no", INT), FIELD("round_id", INT), FIELD("outcome", JSON),
	FIELD("outcome_document", JSON),
	FIELD("reason", TEXT), FIELD("ground", TEXT), FIELD("proposed_at", TIME), FIELD("recorded_at", TIME),
	FIELD("recorded_by", INT),
};
static const CasinoField fields_correction_decision[] = {
	KEY("correction_no", INT), FIELD("round_id", INT), FIELD("version", INT), FIELD("reason", TEXT),
	FIELD("status", TEXT),
	FIELD("wagers", INT), FIELD("players", INT), FIELD("staked", MONEY), FIELD("paid", MONEY),
	FIELD("entries", INT),
	FIELD("posted", MONEY), FIELD("claimed", MONEY), FIELD("former", JSON), FIELD("decided_at", TIME),
	FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_hand_version[] = {
	KEY("round_id", INT), KEY("version", INT), KEY("side", TEXT), KEY("seat", INT), KEY("group_no", INT),
	KEY("hand", INT), FIELD("cards", HAND), FIELD("surrendered", BOOL), FIELD("folded", BOOL),
	FIELD("even_money", BOOL), FIELD("even_money_players", INTS), FIELD("players", INTS),
};
static const CasinoField fields_claim[] = {
	KEY("player_id", INT), KEY("claim_no", INT), FIELD("round_id", INT), FIELD("stake_entry_no", INT),
	FIELD("correction_no", INT), FIELD("amount", MONEY), FIELD("claimed_at", TIME),
	FIELD("recorded_at", TIME),
	FIELD("recorded_by", INT),
};
static const CasinoField fields_claim_end[] = {
	KEY("claim_no", INT), FIELD("how", TEXT), FIELD("reason", TEXT), FIELD("correction_no", INT),
	FIELD("ended_at", TIME),
	FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_adjustment_approval[] = {
	KEY("player_id", INT), KEY("approval_no", INT), FIELD("request_id", TEXT), FIELD("amount", MONEY),
	FIELD("reason", TEXT), FIELD("round_id", INT), FIELD("approved_at", TIME), FIELD("recorded_at", TIME),
	FIELD("recorded_by", INT),
};
static const CasinoField fields_account_move[] = {
	KEY("player_id", INT), KEY("direction", TEXT), FIELD("cell", INT), FIELD("other_player_id", INT),
	FIELD("amount", MONEY), FIELD("request_id", TEXT), FIELD("carried", JSON), FIELD("moved_at", TIME),
	FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_duty_rule[] = {
	KEY("name", TEXT), KEY("valid_from", TIME), FIELD("value", TEXT), FIELD("paragraph", TEXT),
	FIELD("document", TEXT),
	FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_approved_object[] = {
	KEY("approval_no", INT), FIELD("object", TEXT), FIELD("state", TEXT), FIELD("reason", TEXT),
	FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_payment_method[] = {
	KEY("method", TEXT), KEY("valid_from", TIME), FIELD("is_cash", BOOL), FIELD("offered", BOOL),
	FIELD("meaning", TEXT),
	FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_table_stack[] = {
	KEY("player_id", INT), KEY("round_id", INT), FIELD("seat", INT), FIELD("amount", MONEY),
	FIELD("brought_at", TIME), FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_replay[] = {
	KEY("replay_no", INT), FIELD("from_day", DATE), FIELD("to_day", DATE), FIELD("reason", TEXT),
	FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_erasure_proposal[] = {
	KEY("proposal_no", INT), FIELD("external_ref", TEXT), FIELD("reason", TEXT), FIELD("recorded_at", TIME),
	FIELD("recorded_by", INT),
};
static const CasinoField fields_erasure[] = {
	KEY("erasure_no", INT), FIELD("external_ref", TEXT), FIELD("accounts", INT), FIELD("proposal_no", INT),
	FIELD("reason", TEXT),
	FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_erasure_rejection[] = {
	KEY("proposal_no", INT), FIELD("reason", TEXT), FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_provider_setting[] = {
	KEY("provider", TEXT), KEY("valid_from", DATE), FIELD("tolerance_seconds", INT), FIELD("time_zone", TEXT),
	FIELD("day_starts", TEXT), FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_provider_operation[] = {
	KEY("provider", TEXT), KEY("operation_no", INT), FIELD("resumed", BOOL), FIELD("from_day", DATE),
	FIELD("reason", TEXT), FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_box_handover[] = {
	KEY("round_id", INT), KEY("seat", INT), KEY("handover_no", INT), FIELD("owner", INT),
	FIELD("former_owner", INT),
	FIELD("handed_at", TIME), FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_exclusion[] = {
	KEY("player_id", INT), KEY("exclusion_no", INT), FIELD("source", TEXT), FIELD("excluded_from", TIME),
	FIELD("excluded_until", TIME), FIELD("effective_from", TIME), FIELD("recorded_at", TIME),
	FIELD("recorded_by", INT),
};
static const CasinoField fields_exclusion_end[] = {
	KEY("player_id", INT), KEY("exclusion_no", INT), FIELD("reason", TEXT),
	FIELD("ended_at", TIME), FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_exclusion_mistake[] = {
	KEY("player_id", INT), KEY("exclusion_no", INT), KEY("approval_no", INT), FIELD("reason", TEXT),
	FIELD("approved_at", TIME), FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_book_turn[] = {
	KEY("book", INT), FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_book_closing[] = {
	KEY("book", INT), FIELD("entries", INT), FIELD("players", INT), FIELD("last_round_id", INT),
	FIELD("last_posted_at", TIME), FIELD("last_recorded_at", TIME), FIELD("recorded_at", TIME),
	FIELD("recorded_by", INT),
};
static const CasinoField fields_book_balance[] = {
	KEY("player_id", INT), KEY("book", INT), FIELD("entry_no", INT), FIELD("balance", MONEY),
	FIELD("last_posted_at", TIME), FIELD("sums", JSON), FIELD("stream", TEXT), FIELD("recorded_at", TIME),
};
static const CasinoField fields_book_total[] = {
	KEY("book", INT), KEY("account", TEXT), FIELD("debit", MONEY), FIELD("credit", MONEY),
	FIELD("recorded_at", TIME),
};
static const CasinoField fields_register_check[] = {
	KEY("player_id", INT), KEY("check_no", INT), FIELD("answer", TEXT), FIELD("checked_at", TIME),
	FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_plan_approval[] = {
	KEY("plan_id", INT), FIELD("number", TEXT), FIELD("approved_by", TEXT), FIELD("at", TIME),
	FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_plan_withdrawal[] = {
	KEY("plan_id", INT), FIELD("reason", TEXT), FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_plan_change[] = {
	KEY("plan_id", INT), KEY("change_no", INT), FIELD("part", TEXT), FIELD("row_key", TEXT),
	FIELD("before", JSON), FIELD("after", JSON), FIELD("copied_from", INT),
	FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_player_limit[] = {
	KEY("player_id", INT), KEY("limit_no", INT), FIELD("measure", TEXT), FIELD("period", TEXT),
	FIELD("amount", MONEY),
	FIELD("requested_at", TIME), FIELD("effective_from", TIME), FIELD("recorded_at", TIME),
	FIELD("recorded_by", INT),
};
static const CasinoField fields_payment_account[] = {
	KEY("player_id", INT), KEY("account_no", INT), FIELD("account", TEXT),
	FIELD("registered_at", TIME), FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_refusal[] = {
	KEY("player_id", INT), KEY("refusal_no", INT), FIELD("action", TEXT), FIELD("round_id", INT),
	FIELD("bets", BETS), FIELD("seat", INT), FIELD("hand", INT), FIELD("amount", MONEY),
	FIELD("method", TEXT), FIELD("withdrawal_id", INT), FIELD("request_id", TEXT), FIELD("code", TEXT),
	FIELD("message", TEXT), FIELD("detail", TEXT), FIELD("reason", TEXT), FIELD("data", JSON),
	FIELD("refused_at", TIME), FIELD("recorded_at", TIME),
	FIELD("recorded_by", INT),
};
static const CasinoField fields_breach[] = {
	KEY("player_id", INT), KEY("entry_no", INT), KEY("rule", TEXT), FIELD("detail", JSON),
	FIELD("occurred_at", TIME),
	FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_cancelled_request[] = {
	KEY("player_id", INT), KEY("request_id", TEXT), FIELD("round_id", INT),
	FIELD("cancelled_at", TIME), FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_disconnection[] = {
	KEY("player_id", INT), KEY("round_id", INT), KEY("disconnected_at", TIME),
	FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_reconnection[] = {
	KEY("player_id", INT), KEY("round_id", INT), KEY("reconnected_at", TIME),
	FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_other_play[] = {
	KEY("player_id", INT), KEY("play_no", INT), FIELD("product", TEXT), FIELD("staked", MONEY),
	FIELD("result", MONEY),
	FIELD("request_id", TEXT), FIELD("played_at", TIME), FIELD("recorded_at", TIME),
	FIELD("recorded_by", INT),
};
static const CasinoField fields_withdrawal_approval[] = {
	KEY("player_id", INT), KEY("entry_no", INT), KEY("approval_no", INT), FIELD("account_no", INT),
	FIELD("approved_at", TIME), FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_excused_delay[] = {
	KEY("player_id", INT), KEY("entry_no", INT), KEY("excuse_no", INT), FIELD("reason", TEXT),
	FIELD("excused_at", TIME), FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_withholding[] = {
	KEY("player_id", INT), KEY("round_id", INT), FIELD("reason", TEXT), FIELD("ground", TEXT),
	FIELD("withheld_at", TIME), FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_withholding_end[] = {
	KEY("player_id", INT), KEY("round_id", INT), FIELD("how", TEXT), FIELD("reason", TEXT),
	FIELD("ground", TEXT), FIELD("ended_at", TIME), FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_difference[] = {
	KEY("run_no", INT), KEY("difference_no", INT), FIELD("check_name", TEXT), FIELD("rule", TEXT),
	FIELD("player_id", INT), FIELD("round_id", INT), FIELD("entry_no", INT), FIELD("expected", TEXT),
	FIELD("found", TEXT), FIELD("detail", JSON), FIELD("amount", MONEY), FIELD("recorded_at", TIME),
};
static const CasinoField fields_difference_note[] = {
	KEY("run_no", INT), KEY("difference_no", INT), KEY("note_no", INT), FIELD("state", TEXT),
	FIELD("note", TEXT), FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_day_sign_off[] = {
	KEY("day", DATE), KEY("sign_no", INT), FIELD("run_no", INT), FIELD("name", TEXT),
	FIELD("differences", INT),
	FIELD("opening", MONEY), FIELD("closing", MONEY), FIELD("carried", MONEY), FIELD("note", TEXT),
	FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_cage_count[] = {
	KEY("desk", TEXT), KEY("count_no", INT), FIELD("counted_at", TIME), FIELD("counted", MONEY),
	FIELD("moved", MONEY), FIELD("request_id", TEXT), FIELD("note", TEXT), FIELD("recorded_at", TIME),
	FIELD("recorded_by", INT),
};
static const CasinoField fields_plan_digest[] = {
	KEY("plan_id", INT), KEY("part", TEXT), KEY("row_key", TEXT), FIELD("content", JSON),
	FIELD("recorded_at", TIME),
};
static const CasinoField fields_provider_report[] = {
	KEY("provider", TEXT), KEY("day", DATE), KEY("report_no", INT), FIELD("begun_at", TIME),
	FIELD("recorded_at", TIME),
	FIELD("recorded_by", INT),
};
static const CasinoField fields_provider_record[] = {
	KEY("provider", TEXT), KEY("day", DATE), KEY("report_no", INT), KEY("line_no", INT),
	FIELD("kind", TEXT), FIELD("ref", TEXT), FIELD("round_ref", TEXT), FIELD("table_name", TEXT),
	FIELD("external_ref", TEXT), FIELD("amount", MONEY), FIELD("at", TIME), FIELD("data", JSON),
};
static const CasinoField fields_cell[] = {
	KEY("cell", INT), FIELD("of_cells", INT), FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
};
static const CasinoField fields_day_report[] = {
	KEY("day", DATE), KEY("run_no", INT), FIELD("report", JSON), FIELD("made_at", TIME),
	FIELD("recorded_by", INT),
};
static const CasinoField fields_ledger[] = {
	KEY("player_id", INT), KEY("entry_no", INT), FIELD("kind", TEXT), FIELD("amount", MONEY),
	FIELD("round_id", INT),
	FIELD("bet", BET), FIELD("seat", INT), FIELD("hand", INT), FIELD("stake_entry_no", INT),
	FIELD("grade", TEXT),
	FIELD("request_id", TEXT), FIELD("request_line", INT), FIELD("reason", TEXT), FIELD("method", TEXT),
	FIELD("withdrawal_entry_no", INT), FIELD("account", TEXT), FIELD("reference", TEXT), FIELD("place", TEXT),
	FIELD("balance", MONEY), FIELD("posted_at", TIME), FIELD("recorded_at", TIME), FIELD("recorded_by", INT),
	FIELD("correction_no", INT),
};

/* lines of an export that are no leaves */
static const CasinoField fields_seal[] = {
	FIELD("seal_no", INT), FIELD("day", DATE),
};
static const CasinoField fields_stream[] = {
	FIELD("player_id", INT), FIELD("first_entry_no", INT), FIELD("last_entry_no", INT),
	FIELD("running", HASH), FIELD("root", HASH),
};
static const CasinoField fields_end[] = {
	FIELD("seal_no", INT), FIELD("lines", INT),
};

static const CasinoLayout layouts[] = {
	LAYOUT(1, 1, recorder, recorder),
	LAYOUT(CASINO_TAG_GAME, 1, game, game),
	LAYOUT(CASINO_TAG_GAME_PLAN, 1, game_plan, game_plan),
	LAYOUT(CASINO_TAG_PLAN_RULE, 1, plan_rule, plan_rule),
	LAYOUT(CASINO_TAG_BET_RULE, 1, bet_rule, bet_rule),
	LAYOUT(CASINO_TAG_PAYTABLE, 1, paytable, paytable),
	LAYOUT(7, 1, announced_rule, announced_rule),
	LAYOUT(8, 1, game_table, game_table),
	LAYOUT(9, 1, table_version, table_version),
	LAYOUT(10, 1, table_limit, table_limit),
	LAYOUT(11, 1, player, player),
	LAYOUT(12, 1, player_closed, player),
	LAYOUT(CASINO_TAG_ROUND, 1, round, round),
	LAYOUT(CASINO_TAG_ROUND_END, 1, round_end, round),
	LAYOUT(15, 1, deal, deal),
	LAYOUT(CASINO_TAG_DEALT_HAND, 1, dealt_hand, dealt_hand),
	LAYOUT(17, 1, box_handover, box_handover),
	LAYOUT(CASINO_TAG_EXCLUSION, 1, exclusion, exclusion),
	LAYOUT(CASINO_TAG_EXCLUSION_END, 1, exclusion_end, exclusion_end),
	LAYOUT(20, 1, player_limit, player_limit),
	LAYOUT(21, 1, payment_account, payment_account),
	LAYOUT(22, 1, refusal, refusal),
	LAYOUT(CASINO_TAG_BREACH, 1, breach, breach),
	LAYOUT(24, 1, cancelled_request, cancelled_request),
	LAYOUT(CASINO_TAG_DISCONNECTION, 1, disconnection, disconnection),
	LAYOUT(26, 1, other_play, other_play),
	LAYOUT(27, 1, withdrawal_approval, withdrawal_approval),
	LAYOUT(28, 1, excused_delay, excused_delay),
	LAYOUT(CASINO_TAG_WITHHOLDING, 1, withholding, withholding),
	LAYOUT(CASINO_TAG_WITHHOLDING_END, 1, withholding_end, withholding_end),
	LAYOUT(31, 1, difference, difference),
	LAYOUT(32, 1, difference_note, difference_note),
	LAYOUT(33, 1, plan_digest, plan_digest),
	LAYOUT(34, 1, provider_report, provider_report),
	LAYOUT(35, 1, provider_record, provider_record),
	LAYOUT(36, 1, day_report, day_report),
	LAYOUT(37, 1, cell, cell),
	LAYOUT(CASINO_TAG_DEAL_CORRECTION, 1, deal_correction, deal_correction),
	LAYOUT(CASINO_TAG_ROUND_CORRECTION, 1, round_correction, round_correction),
	LAYOUT(CASINO_TAG_CORRECTION_DECISION, 1, correction_decision, correction_decision),
	LAYOUT(CASINO_TAG_HAND_VERSION, 1, hand_version, hand_version),
	LAYOUT(CASINO_TAG_CLAIM, 1, claim, claim),
	LAYOUT(CASINO_TAG_CLAIM_END, 1, claim_end, claim_end),
	LAYOUT(67, 1, duty_rule, duty_rule),
	LAYOUT(68, 1, approved_object, approved_object),
	LAYOUT(70, 1, payment_method, payment_method),
	LAYOUT(72, 1, provider_setting, provider_setting),
	LAYOUT(74, 1, adjustment_approval, adjustment_approval),
	LAYOUT(75, 1, replay, replay),
	LAYOUT(76, 1, exclusion_mistake, exclusion_mistake),
	LAYOUT(77, 1, register_check, register_check),
	LAYOUT(78, 1, table_stack, table_stack),
	LAYOUT(79, 1, reconnection, reconnection),
	LAYOUT(80, 1, plan_approval, plan_approval),
	LAYOUT(81, 1, plan_withdrawal, plan_withdrawal),
	LAYOUT(82, 1, plan_change, plan_change),
	LAYOUT(84, 1, day_sign_off, day_sign_off),
	LAYOUT(85, 1, cage_count, cage_count),
	LAYOUT(89, 1, table_operation, table_operation),
	LAYOUT(94, 1, erasure_proposal, erasure_proposal),
	LAYOUT(95, 1, book_turn, book_turn),
	LAYOUT(96, 1, book_closing, book_closing),
	LAYOUT(97, 1, erasure, erasure),
	LAYOUT(98, 1, book_balance, book_balance),
	LAYOUT(99, 1, book_total, book_total),
	LAYOUT(101, 1, account_move, account_move),
	LAYOUT(102, 1, erasure_rejection, erasure_rejection),
	LAYOUT(103, 1, provider_operation, provider_operation),
	MARK(seal),
	MARK(stream),
	MARK(end),
	LAYOUT(CASINO_TAG_ENTRY, 1, ledger, ledger),
};

_Static_assert(sizeof(layouts) / sizeof(layouts[0]) <= CASINO_SECTIONS_MAX,
			   "a seal has room for a section of each layout");

const CasinoLayout *
casino_layouts(int *count)
{
	*count = (int) (sizeof(layouts) / sizeof(layouts[0]));
	return layouts;
}

const CasinoLayout *
casino_layout_find(const char *section, size_t len)
{
	/* nearly all lines of an export are of the ledger, the last one */
	for (int i = (int) (sizeof(layouts) / sizeof(layouts[0])) - 1; i >= 0; i--)
		if (layouts[i].len == len && memcmp(layouts[i].section, section, len) == 0)
			return &layouts[i];
	return NULL;
}
