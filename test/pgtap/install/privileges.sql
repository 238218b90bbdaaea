-- What each profile may execute and read: the whole list, against the catalog. Who adds a function or a table
-- that a profile needs adds it to casino.access_profiles() and here; everything else stays with the owner.
SET client_min_messages = warning;
SET search_path = public;
BEGIN;
SELECT no_plan();

CREATE ROLE privileges_backend;
CREATE ROLE privileges_compliance;
CREATE ROLE privileges_nightly;
CREATE ROLE privileges_cashier;
CREATE ROLE privileges_supervisor;
CREATE ROLE privileges_auditor;
CREATE ROLE privileges_hub;
CREATE ROLE privileges_stream;
CREATE ROLE privileges_desk;
CREATE ROLE privileges_accountant;
CREATE ROLE privileges_plan_officer;
CREATE ROLE privileges_support;
CREATE ROLE privileges_nobody;
SELECT casino.grant_access('privileges_' || p, p)
  FROM unnest('{backend,compliance,nightly,cashier,supervisor,auditor,stream,hub,desk,accountant,'
              'plan_officer,support}'::text[]) p;

CREATE TEMP TABLE profile AS SELECT p AS profile, ('privileges_' || p)::regrole::oid AS role
    FROM unnest('{backend,compliance,nightly,cashier,supervisor,auditor,stream,hub,desk,accountant,'
                'plan_officer,support,nobody}'::text[]) p;
CREATE TEMP TABLE allowed (profiles text, kind text, names text);
INSERT INTO allowed VALUES
    -- the view player_as_sealed
    ('compliance nightly auditor', 'function', 'person_token'),
    -- the request of a person (R7.115)
    ('compliance', 'function', 'erase_person approve_erasure reject_erasure'),
    -- texts of accounts and references (R7.112)
    ('cashier supervisor', 'relation', 'account_in_clear'),
    ('supervisor accountant', 'relation', 'payment_in_clear'),
    ('cashier supervisor accountant', 'function', 'person_token'),
    ('compliance nightly auditor', 'function', 'clear_text_of'),
    -- types: operators, casts, parts; hands of cards; what reads nothing
    ('backend compliance nightly cashier supervisor auditor stream'
     ' desk accountant plan_officer support', 'function',
     'card_lt card_le card_eq card_ne card_ge card_gt'),
    ('backend compliance nightly cashier supervisor auditor stream'
     ' desk accountant plan_officer support', 'function',
     'hand_lt hand_le hand_eq hand_ne hand_ge hand_gt card_in card_out hand_in hand_out bet_in bet_out '
     'hand_append hand_concat hand cards card_count'),
    ('backend compliance nightly cashier supervisor auditor stream'
     ' desk accountant plan_officer support', 'function',
     'bet_lt bet_le bet_eq bet_ne bet_ge bet_gt bet kind selection stake covers same_position bet_kinds'),
    ('backend compliance nightly cashier supervisor auditor stream'
     ' desk accountant plan_officer support', 'function',
     'baccarat_points blackjack_total is_soft is_blackjack poker_rank poker_category best_five split_pots '
     'last_book_away books_away last_book_before last_book_without entry_kinds require_days '
     'require_given require_threshold'),
    ('backend compliance nightly cashier supervisor auditor stream'
     ' desk accountant plan_officer support', 'type', 'card hand bet'),
    ('backend compliance nightly cashier supervisor auditor desk accountant plan_officer support', 'function',
        'refusal_reasons message_for_player player_value player_word'),
    -- the game server
    ('backend', 'function',
     'register_player deposit try_deposit request_withdrawal try_request_withdrawal cancel_withdrawal '
     'exclude_player set_limit limits_in_force count_other_play'),
    ('backend', 'function', 'record_register_check try_may_stake_elsewhere'),
    ('backend', 'function', 'round_changes player_day_changes'),
    ('compliance', 'function', 'round_changes player_day_changes'),
    ('supervisor', 'function', 'close_game_table reopen_game_table'),
    ('supervisor', 'relation', 'table_operation table_section'),
    ('backend', 'function', 'may_stake_elsewhere'),
    ('backend', 'function',
     'open_round place_bet place_bets place_bets_balance place_many try_place_bets cancel_bet disconnect '
     'reconnect close_betting deal close_actions hand_over_box check_outcome settle_round void_round '
     'pay_withheld'),
    ('backend', 'function',
     'limit_usage player_statement withheld_winnings payment_due_at withdrawal_id announced_bets quote '
     'max_win explain_break plan_in_force table_limits_at last_deal position_limits offer offers open_rounds '
     'round_result may_play round_view evaluated_wager'),
    ('backend', 'relation',
     'game game_plan approved_plan plan_rule bet_rule paytable announced_rule game_table table_version '
     'table_limit round deal deal_correction dealt_hand round_correction correction_decision box_handover '
     'disconnection automatic_completion player wager statement player_limit exclusion exclusion_period '
     'pending_withdrawals unpaid_winnings payment_method'),
    -- the publication's reader
    ('stream', 'relation', 'ledger round'),
    -- the figures
    ('compliance nightly auditor', 'function',
        'daily_table tax_base liability account_movements payment_deadline payment_times payments_begin '
        'payments_made payments_since prompt_until duty_value duty_number duty_longest due_spans '
        'winnings_due_at withdrawal_due_at significant_event game_recall player_statement player_day '
        'person_day large_win protection figure_rounds figure_wagers figure_corrections '
        'refuse_unknown_player daily_report daily_report_html night_page'),
    ('compliance nightly auditor', 'function',
     'kept_days open_ranges counted_game day_start prague_day canonical_ref canonical_text one_form '
     'ignorable '
         'families'),
    ('compliance nightly auditor', 'function',
     'player_recall person_file account_files inactive_accounts pot_flow played_together shared_accounts '
     'person_window person_money aml_periods other_values'),
    ('compliance nightly', 'function', 'round_page night_page period_page'),
    ('compliance nightly cashier', 'function', 'player_page player_round_page'),
    ('nightly', 'function', 'keep_day_totals load_provider_report recheck'),
    -- cells and their hub
    ('hub', 'function', 'obey cell_read'),
    ('backend compliance nightly', 'function', 'hub_cells'),
    ('compliance', 'function', 'cell_of_person'),
    ('backend', 'function', 'hub_split'), ('backend', 'function', 'check_many'),
    ('compliance nightly', 'function',
     'all_trial_balance all_daily_table all_open_rounds all_report cell_states'),
    ('nightly', 'function', 'catch_up'),
    ('auditor nightly compliance', 'function', 'own_objects'),
    -- seals
    ('nightly', 'function', 'seal turn_book'),
    ('auditor nightly compliance', 'function',
     'verify proof verify_proof seal_document export_day evidence_layouts evidence_sections evidence_leaf '
     'ledger_leaf evidence_line evidence_key'),
    ('auditor nightly compliance', 'function',
     'checkpoint consistency_proof log_leaves log_root'),
    ('auditor nightly compliance', 'function',
     'hash_leaf hash_node merkle_root merkle_path merkle_paths stream_tree stream_leaf seal_root seal_of '
     'unsealed_rows unsealed_players changed_streams lies_away export_parts statement_proof '
     'verify_statement'),
    ('auditor', 'function',
     'evaluated_wager withheld_winnings payment_due_at withdrawal_id chi_square_probability'),
    ('auditor', 'function', 'limits_in_force'),
    -- the plans audited
    ('backend compliance nightly', 'function', 'bet_return plan_audit'),
    -- the HINT of an unknown game
    ('backend compliance nightly plan_officer', 'function', 'games_like'),
    ('compliance nightly', 'function', 'chi_square_probability'),
    ('nightly', 'function', 'watch_day'),
    -- cells
    ('backend nightly compliance auditor', 'function', 'cell_of cell_state outcome_players'),
    ('backend cashier desk supervisor support nightly compliance auditor', 'function', 'moved_to'),
    ('nightly compliance auditor', 'function', 'plan_digest table_digest'),
    -- the cash desk
    ('cashier', 'function',
     'register_player deposit try_deposit explain_break request_withdrawal try_request_withdrawal '
     'pay_withdrawal try_pay_withdrawal cancel_withdrawal set_payment_account pay_withheld withheld_winnings '
     'payment_due_at withdrawal_id'),
    ('cashier', 'relation',
     'player statement pending_withdrawals unpaid_winnings payment_account payment_method'),
    -- pages and support (R8.25)
    ('backend supervisor', 'relation', 'refusal'), ('cashier supervisor', 'function', 'player_statement'),
    ('supervisor', 'function', 'explain_break last_deal limit_usage round_result offer offers'),
    ('supervisor', 'relation', 'game_table plan_rule round_fact voids_by_dealer'),
    ('supervisor backend', 'function', 'plan_grounds'),
    ('backend', 'function', 'bring_to_table'),
    ('backend', 'relation', 'table_stack reconnection'),
    ('supervisor', 'function', 'withhold_shoe'),
    -- payments that are dated back
    ('compliance nightly auditor', 'function', 'judged_at was_dated_back claims_hold_since'),
    -- corrections that wait
    ('compliance nightly supervisor auditor', 'function', 'round_adjusted hub_corrections'),
    -- the management
    ('supervisor', 'function',
     'correct_deal correct_round approve_correction reject_correction settle_claim approve_adjustment '
     'approve_withdrawal excuse_delay end_exclusion withhold_winnings void_wagers pay_withheld '
     'explain_difference evaluated_wager withheld_winnings payment_due_at withdrawal_id'),
    ('supervisor', 'function',
     'ask_about_difference write_off_difference approve_difference sign_day morning'),
    ('supervisor', 'relation', 'day_sign_off unfinished_run'),
    -- marks of the profiles (R12.169)
    ('backend', 'function', 'holds_backend'), ('desk', 'function', 'holds_desk'),
    ('cashier', 'function', 'holds_cashier'), ('supervisor', 'function', 'holds_supervisor'),
    ('accountant', 'function', 'holds_accountant'), ('support', 'function', 'holds_support'),
    ('plan_officer', 'function', 'holds_plan_officer'), ('compliance', 'function', 'holds_compliance'),
    ('auditor', 'function', 'holds_auditor'), ('nightly', 'function', 'holds_nightly'),
    ('stream', 'function', 'holds_stream'), ('hub', 'function', 'holds_hub'),
    -- the view unfinished_run
    ('compliance nightly auditor supervisor', 'function', 'left_unfinished'),
    -- counts of the cash desks
    ('desk cashier accountant', 'function', 'record_cage_count'),
    ('accountant supervisor compliance nightly auditor', 'function', 'cage_shifts cage_shift cage_cash'),
    ('accountant supervisor', 'function', 'one_form'),
    ('accountant supervisor', 'relation', 'cage_count payment_method'),
    -- which payment needs a reason
    ('supervisor', 'function',
     'payment_deadline prompt_until duty_value duty_number duty_longest withdrawal_due_at day_start'),
    ('supervisor', 'relation', 'ledger open_withdrawal duty_period'),
    ('compliance nightly', 'function', 'morning balance_statement gl_export'),
    ('nightly', 'function', 'ask_about_difference'),
    ('supervisor', 'relation',
     'player statement wager round deal deal_correction dealt_hand round_correction correction_decision '
     'pending_correction claim claim_end open_claim pending_withdrawals unpaid_winnings late_payment '
     'payment_account adjustment_approval account_move withdrawal_approval excused_delay breach duty_rule '
     'recorder exclusion exclusion_end exclusion_period withholding withholding_end reconciliation '
     'difference difference_note'),
    ('supervisor', 'function', 'approve_exclusion_mistake'),
    -- the desk, the books, the plans, the telephone
    ('desk', 'function',
     'register_player deposit try_deposit request_withdrawal try_request_withdrawal pay_withdrawal '
     'try_pay_withdrawal cancel_withdrawal explain_break player_statement withdrawal_id payment_due_at'),
    ('desk', 'relation', 'player statement pending_withdrawals payment_method'),
    ('accountant', 'function',
     'adjust approve_adjustment settle_claim excuse_delay gl_export balance_statement tax_base liability '
     'account_movements daily_table payment_deadline player_statement day_start prague_day '
     'kept_days open_ranges counted_game figure_rounds figure_wagers figure_corrections due_spans '
     'winnings_due_at withdrawal_due_at prompt_until duty_value duty_number duty_longest '
     'withdrawal_id withheld_winnings payment_due_at refuse_unknown_player families'),
    ('accountant', 'relation',
     'ledger player statement trial_balance claim claim_end open_claim adjustment_approval account_move '
     'pending_withdrawals unpaid_winnings late_payment excused_delay round round_correction '
     'correction_decision game_table game duty_rule recorder kept_day kept_game kept_table kept_player '
     'kept_until day_total day_report withholding withholding_end game_plan open_withdrawal '
         'duty_period'),
    ('plan_officer', 'function',
     'add_plan_version change_plan_version approve_plan_version withdraw_plan_version add_game check_plan '
     'plan_difference plan_difference_text plan_warnings plan_in_force plan_audit bet_return quote max_win '
     'announced_bets position_limits table_limits_at plan_grounds'),
    ('plan_officer', 'relation',
     'game game_plan approved_plan plan_approval plan_withdrawal plan_change plan_rule bet_rule paytable '
     'announced_rule plan_row game_table table_version table_limit recorder'),
    ('support', 'function',
     'explain_break player_statement player_page limit_usage limits_in_force last_deal round_result '
     'player_recall player_round_page evaluated_wager withheld_winnings payment_due_at withdrawal_id'),
    ('support', 'relation',
     'player statement wager round deal dealt_hand deal_correction game_table refusal player_limit '
     'exclusion_period pending_withdrawals unpaid_winnings payment_method automatic_completion'),
    ('compliance nightly', 'function', 'check_days'),
    -- who reads everything
    ('compliance', 'function', 'announced_bets explain_break'),
    ('compliance', 'function', 'plan_difference plan_difference_text plan_warnings'),
    ('plan_officer compliance', 'function', 'plan_word'),
    ('nightly', 'function', 'record_overdue nightly reconcile explain_difference'),
    ('compliance nightly', 'function',
     'check_plan quote max_win plan_in_force table_limits_at position_limits offer offers open_rounds '
     'round_result last_deal limits_in_force limit_usage evaluated_wager withheld_winnings payment_due_at '
     'withdrawal_id');
INSERT INTO allowed SELECT 'compliance nightly auditor', 'relation', c.relname FROM pg_class c
 WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p', 'v')
  AND c.relname NOT IN ('plan_odds', 'standing_stake', 'blackjack_box', 'blackjack_member', 'blackjack_wager',
                        'casino_holdem_wager', 'texas_wager', 'texas_hand', 'texas_share')
  AND c.relname NOT LIKE 'graded\_%' AND c.relname NOT LIKE 'evaluation\_%'
  AND c.relname !~ '^ledger_[0-9]+$';
CREATE TEMP TABLE wanted AS SELECT p AS profile, a.kind, n AS name
    FROM allowed a, string_to_table(a.profiles, ' ') p, string_to_table(a.names, ' ') n;

-- --------------------------------------------------------------------------------- the catalog says the same
CREATE TEMP TABLE present AS
SELECT r.profile, 'function' AS kind, p.proname::text AS name, p.oid::regprocedure::text AS what
  FROM profile r, pg_proc p WHERE p.pronamespace = ANY (casino_internal.schemas())
      AND has_function_privilege(r.role, p.oid, 'EXECUTE')
UNION ALL
SELECT r.profile, 'relation', c.relname, c.oid::regclass::text
  FROM profile r, pg_class c WHERE c.relnamespace = 'casino'::regnamespace
      AND c.relkind IN ('r', 'p', 'v', 'm') AND has_any_column_privilege(r.role, c.oid, 'SELECT')
UNION ALL
SELECT r.profile, 'type', t.typname, t.oid::regtype::text
  FROM profile r, pg_type t WHERE t.typnamespace = 'casino'::regnamespace AND t.typtype IN ('b', 'd', 'e')
      AND t.typsubscript <> 'array_subscript_handler'::regproc AND has_type_privilege(r.role, t.oid, 'USAGE');
SELECT is_empty($$SELECT profile, kind, name FROM present EXCEPT SELECT profile, kind, name FROM wanted
                ORDER BY 1, 2, 3$$, 'no profile has anything that is not listed here');
SELECT is_empty($$SELECT profile, kind, name FROM wanted EXCEPT SELECT profile, kind, name FROM present
                ORDER BY 1, 2, 3$$, 'and each has all that is');
SELECT is_empty($$SELECT a.profile, a.object_type, a.object_name FROM casino.access_profiles() a
                   WHERE a.object_name <> '*'
                     AND NOT EXISTS (SELECT FROM pg_proc
                                     WHERE pronamespace = ANY (casino_internal.schemas())
                                         AND proname = split_part(a.object_name, '(', 1)
                                             AND a.object_type = 'function')
                     AND NOT EXISTS (SELECT FROM pg_class
                                     WHERE relnamespace = 'casino'::regnamespace AND relname = a.object_name
                                         AND a.object_type = 'table')
                     AND NOT EXISTS (SELECT FROM pg_type
                                     WHERE typnamespace = 'casino'::regnamespace AND typname = a.object_name
                                         AND a.object_type = 'type')$$,
                'access_profiles() names nothing that does not exist');
SELECT is_empty($$SELECT profile, object_type, object_name FROM casino.access_profiles() GROUP BY 1, 2, 3
                HAVING count(*) > 1$$, 'and nothing twice');
SELECT is_empty($$SELECT profile FROM casino.access_profiles() EXCEPT SELECT profile
                FROM profile$$, 'its profiles are tested here');

SELECT is_empty($$SELECT profile, what FROM present
                WHERE name = 'open_round' AND profile <> 'backend'$$,
                    'who may see open rounds does not open them');

-- -------------------------------------------------------------------------- nobody writes past the functions
SELECT is_empty($$SELECT r.profile, c.oid::regclass, v
                FROM profile r, pg_class c, unnest('{INSERT,UPDATE,REFERENCES}'::text[]) v
                   WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p', 'v')
                       AND has_any_column_privilege(r.role, c.oid, v)$$, 'no INSERT, UPDATE, REFERENCES');
SELECT is_empty($$SELECT r.profile, c.oid::regclass, v
                FROM profile r, pg_class c, unnest('{DELETE,TRUNCATE,TRIGGER}'::text[]) v
                   WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p', 'v')
                       AND has_table_privilege(r.role, c.oid, v)$$, 'no DELETE, TRUNCATE, TRIGGER');
SELECT is_empty($$SELECT r.profile, c.oid::regclass
                FROM profile r, pg_class c, unnest('{USAGE,SELECT,UPDATE}'::text[]) v
                   WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind = 'S'
                       AND has_sequence_privilege(r.role, c.oid, v)$$, 'no sequence');
SELECT is_empty($$SELECT profile FROM profile WHERE has_schema_privilege(role, 'casino', 'CREATE')$$,
                'nobody creates anything in schema casino');
SELECT is_empty($$SELECT profile FROM profile WHERE has_schema_privilege(role, 'casino',
        'USAGE') <> (profile <> 'nobody')$$, 'profiles see it, others do not');

-- ------------------------------------------------------------------------------------- internals, one by one
CREATE TEMP TABLE internal AS
SELECT p.oid, p.proname FROM pg_proc p
 WHERE p.pronamespace = ANY (casino_internal.schemas())
   AND (p.proname ~ '(_impl|_guard|_recv|_send|_in|_out|_hash|_hash_extended|_cmp|_sortsupport|_handler)$'
        OR p.proname ~ '^(install|note_|lock_|load_|inherit_|end_|same_eyes|person_named|take_lock|try_lock|'
                       'release_lock|give_to|pin_settings|record_code|record_printed)'
        OR p.proname IN ('canonical_outcome', 'quote_grades', 'quote_grades_roulette',
                         'quote_grades_baccarat', 'quote_grades_blackjack', 'quote_grades_casino_holdem',
                             'quote_hands', 'event_time', 'adjust', 'close_account', 'add_game_table',
                                 'add_plan_version',
                         'check_table_limit', 'table_settings', 'set_table_limits', 'put_table_version',
                             'record_refusal', 'table_version_at', 'bounded', 'next_refusal_no',
                                 'prague_month', 'announced_stem', 'expand_announced', 'cost', 'money',
                                     'family_is_built',
                         'ledger_post', 'refuse_change', 'grant_access', 'revoke_access', 'access_profiles',
                             'enable_append_only')
        OR p.prorettype = 'trigger'::regtype);
SELECT cmp_ok((SELECT count(*) FROM internal), '>', 60::bigint, 'internal functions are found');
SELECT is_empty($$SELECT r.profile, i.oid::regprocedure FROM profile r, internal i
                WHERE has_function_privilege(r.role, i.oid, 'EXECUTE')
                    AND i.proname NOT IN ('is_blackjack', 'end_exclusion', 'load_provider_report')
                    AND (r.profile, i.proname) NOT IN (('accountant', 'adjust'),
                                                       ('plan_officer', 'add_plan_version'))
                     -- a cast of a constant from text is computed when the statement is planned, by the
                     -- type's own function
                     AND i.proname !~ '^(card|hand|bet)_(in|out)$'$$,
                'no profile may execute them');
-- marks, rules as numbers and graders: nobody
SELECT is_empty($$SELECT r.profile, p.oid::regprocedure FROM profile r, pg_proc p
                   WHERE p.pronamespace = ANY (casino_internal.schemas())
                     AND p.proname ~ '^(grade_|blackjack_rules|blackjack_mark|payout|is_capped|reaches_cap|'
                                     'position_staked|many|pot_shares)'
                     AND has_function_privilege(r.role, p.oid, 'EXECUTE')$$,
                'graders, marks and rules as arguments are called by nobody');
-- really called: the wrapper works, its body does not
CREATE FUNCTION pg_temp.as_role(role text, statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SET LOCAL ROLE %I', role);
    SET LOCAL search_path = public, casino, casino_internal;
    EXECUTE statement;
    SET LOCAL search_path = public;
    RESET ROLE;
    RETURN 'done';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
SELECT is(pg_temp.as_role('privileges_backend', $$SELECT casino.register_player('someone')$$), 'done',
          'a backend registers a player');
SELECT is(pg_temp.as_role('privileges_backend', $$SELECT casino_internal.register_player_impl('someone')$$),
          '42501',
          'not by the body');
SELECT is(pg_temp.as_role('privileges_backend', $$SELECT casino.deposit(1, 100)$$), 'done',
          'and takes a deposit');
SELECT is(pg_temp.as_role('privileges_backend',
                          $$SELECT casino_internal.open_round_impl(1, 'x', now(), 1, now(), NULL)$$),
          '42501', 'not by the body');
SELECT is(pg_temp.as_role('privileges_backend', $$SELECT casino.request_withdrawal(1, 10, 'cash', 'w')$$),
          'done', 'a backend asks for a withdrawal');
SELECT is(pg_temp.as_role('privileges_backend', $$SELECT casino.cancel_withdrawal(withdrawal_id)
                          FROM (SELECT casino.request_withdrawal(1, 10, 'cash', 'w') AS withdrawal_id) w$$),
                              'done', 'and cancels it');
SELECT is(pg_temp.as_role('privileges_backend', $$SELECT * FROM casino.limits_in_force(1)$$), 'done',
          'a backend reads the limits in force');
SELECT is(pg_temp.as_role('privileges_backend', $$SELECT casino.pay_withdrawal(1000000001)$$), '42501',
          'a backend pays nothing out');
SELECT is(pg_temp.as_role('privileges_cashier', $$SELECT casino.deposit(1, 100)$$), 'done',
          'a cashier takes money in: a desk where deposits are received (D4 §11.2 a)');
SELECT is(pg_temp.as_role('privileges_compliance',
                          $$SELECT casino.canonical_outcome('roulette', '{}', '{"number": 1}')$$), '42501',
                              'compliance reads no documents by itself');
SELECT is(pg_temp.as_role('privileges_' || p, $$SELECT *
                          FROM casino.quote('roulette_synot', '{red@10}', '{"number": 1}')$$), 'done',
                              p || ' asks for a quote')
  FROM unnest('{backend,compliance,nightly}'::text[]) p;
SELECT is(pg_temp.as_role('privileges_compliance', $$SELECT casino.max_win('roulette_synot', 'red@10'),
                          casino.announced_bets('roulette_synot', 'tiers', 10)$$), 'done',
                              'and for a possible win');
SELECT is(pg_temp.as_role('privileges_nightly', $$SELECT * FROM casino.limit_usage(1, now())$$), 'done',
          'usage of limits is counted');

-- every relation that a profile may read can be read to its end, whatever functions stand in it; types
-- compare and sort
SELECT is_empty($$SELECT profile, what FROM (SELECT profile, what,
                                             pg_temp.as_role('privileges_' || profile,
                                                     format('SELECT * FROM %s', what)) AS code FROM present
                                                         WHERE kind = 'relation') r WHERE code <> 'done'$$,
                'what a profile may read it can read');
SELECT is(pg_temp.as_role('privileges_' || p, $$
    SELECT count(*) FROM (SELECT DISTINCT b, c, h
                          FROM unnest('{red@1,black@2,red@1}'::casino.bet[], '{As,2c,As}'::casino.card[],
                                      ARRAY['As Kd', '2c', 'As Kd']::casino.hand[]) x (b, c, h)
                           WHERE b = 'red@1' OR b < 'black@2' OR h || c > h OR h[1] = ANY ('{As,2c}')
                               OR casino.kind(b) = 'red'
                           ORDER BY b, c, h) y
      JOIN (VALUES ('As'::casino.card, 'red@1'::casino.bet)) z (c, b) USING (c, b) GROUP BY c, b
          HAVING max(h::text) > '' $$), 'done',
              p || ': operators, casts, DISTINCT, ORDER BY and joins of the types')
  FROM unnest('{backend,compliance,nightly,cashier,supervisor,auditor,stream}'::text[]) p;

-- ------------------------------------------------------------------------------------------------ and back
SELECT casino.revoke_access('privileges_' || profile) FROM profile WHERE profile <> 'nobody';
SELECT is_empty($$SELECT r.profile, p.oid::regprocedure FROM profile r, pg_proc p
                WHERE p.pronamespace = ANY (casino_internal.schemas())
                    AND has_function_privilege(r.role, p.oid, 'EXECUTE')$$, 'revoked: no function');
SELECT is_empty($$SELECT r.profile, c.oid::regclass FROM profile r, pg_class c
                WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p', 'v')
                    AND has_any_column_privilege(r.role, c.oid, 'SELECT')$$,
                'no table, no view');
SELECT is_empty($$SELECT r.profile FROM profile r
                WHERE has_schema_privilege(r.role, 'casino', 'USAGE')$$, 'no schema');
SELECT throws_ok($$SELECT casino.grant_access('privileges_nobody', 'owner')$$, '22023',
                 'unknown profile "owner"', 'there is no other profile');

-- what somebody puts into the schema under a granted name is not granted
CREATE FUNCTION casino.quote(text) RETURNS text LANGUAGE sql AS 'SELECT $1';
REVOKE ALL ON FUNCTION casino.quote(text) FROM PUBLIC;
SELECT casino.grant_access('privileges_backend', 'backend');
SELECT ok(NOT has_function_privilege('privileges_backend', 'casino.quote(text)', 'EXECUTE'),
          'only functions of the extension are granted');

SELECT * FROM finish();
ROLLBACK;
