-- Privileges: what each kind of work needs, by name, in one list. What is not named here is executed by
-- nobody but the owner, whatever its volatility. test/pgtap/install/privileges.sql holds the same list
-- against the catalog:
-- a new name goes there too.

CREATE FUNCTION casino.access_profiles(OUT profile text, OUT object_type text, OUT object_name text)
RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 300 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT r.profile, p.object_type, n.object_name
      FROM (VALUES
        -- everybody: the types with the functions behind their operators and casts, and questions that read
        -- nothing
        ('backend compliance nightly cashier supervisor auditor stream '
         'desk accountant plan_officer support', 'type', 'card hand bet'),
        ('backend compliance nightly cashier supervisor auditor stream '
         'desk accountant plan_officer support', 'function',
            'card_lt card_le card_eq card_ne card_ge card_gt hand_lt hand_le hand_eq hand_ne hand_ge
             hand_gt bet_lt bet_le bet_eq bet_ne bet_ge bet_gt card_in card_out hand_in hand_out bet_in
             bet_out hand_append hand_concat hand cards card_count bet kind selection stake covers
             same_position bet_kinds entry_kinds require_days require_given
             require_threshold'),
        ('backend compliance nightly cashier supervisor auditor stream '
         'desk accountant plan_officer support', 'function',
            'baccarat_points blackjack_total is_soft is_blackjack poker_rank poker_category best_five '
            'split_pots last_book_away books_away last_book_before last_book_without'),
        -- refusals in words
        ('backend compliance nightly cashier supervisor auditor desk accountant plan_officer '
         'support', 'function',
         'refusal_reasons message_for_player player_value player_word'),

        -- rounds, stakes, money in, withdrawals asked for; exclusions and limits the player asks for
        ('backend', 'function',
            'register_player deposit try_deposit request_withdrawal try_request_withdrawal
             cancel_withdrawal open_round open_rounds bring_to_table
             place_bet place_bets place_bets_balance place_many
             try_place_bets announced_bets cancel_bet disconnect reconnect close_betting deal close_actions
             hand_over_box check_outcome settle_round void_round pay_withheld quote max_win explain_break
             exclude_player set_limit limits_in_force count_other_play may_stake_elsewhere
             try_may_stake_elsewhere record_register_check plan_in_force table_limits_at round_changes
             player_day_changes
             last_deal position_limits offer offers round_result may_play round_view'),
        ('backend', 'table',
            'game game_plan approved_plan plan_rule bet_rule paytable announced_rule game_table
             table_version table_limit round deal deal_correction dealt_hand round_correction
             correction_decision box_handover table_stack disconnection
             reconnection automatic_completion player wager
             statement player_limit exclusion exclusion_period
             pending_withdrawals unpaid_winnings payment_method'),
        -- the player's own page (R8.25)
        ('backend', 'function', 'limit_usage player_statement'),
        ('backend', 'table', 'refusal'),

        -- withdrawals and withheld winnings
        ('cashier', 'function',
         'register_player deposit try_deposit explain_break request_withdrawal try_request_withdrawal '
         'pay_withdrawal try_pay_withdrawal cancel_withdrawal set_payment_account pay_withheld'),
        ('cashier', 'function', 'player_statement'),
        ('cashier', 'table',
         'player statement pending_withdrawals unpaid_winnings payment_account payment_method'),

        -- the management: the second pair of eyes, winnings withheld, why something was late
        ('supervisor', 'function',
         'correct_deal correct_round approve_correction reject_correction settle_claim '
         'approve_adjustment approve_withdrawal approve_exclusion_mistake '
         'excuse_delay end_exclusion withhold_winnings void_wagers pay_withheld explain_difference '
         'ask_about_difference write_off_difference approve_difference sign_day morning'),
        -- and support: how a player's round ended, and why a request was refused (R8.25)
        ('supervisor', 'function',
         'player_statement explain_break limit_usage last_deal round_result offer offers'),
        ('backend', 'function', 'plan_grounds'),
        ('supervisor', 'function', 'plan_grounds withhold_shoe'),
        -- which payment needs a reason, before excuse_delay() takes it
        ('supervisor', 'function',
         'payment_deadline prompt_until duty_value duty_number duty_longest withdrawal_due_at day_start'),
        ('supervisor', 'table', 'ledger open_withdrawal duty_period'),
        ('supervisor', 'table',
         'refusal game_table table_operation table_section plan_rule round_fact voids_by_dealer'),
        -- a table closed, and opened again
        ('supervisor', 'function', 'close_game_table reopen_game_table'),
        ('supervisor', 'table',
            'player statement wager round deal dealt_hand deal_correction round_correction
             correction_decision pending_correction claim claim_end open_claim pending_withdrawals
             unpaid_winnings late_payment payment_account withdrawal_approval excused_delay breach
             adjustment_approval account_move
             duty_rule recorder exclusion exclusion_end exclusion_period withholding withholding_end
             reconciliation unfinished_run difference difference_note day_sign_off'),

        -- the desk on the floor: cash in and out, and why a player may not play; neither payment accounts nor
        -- withheld winnings
        ('desk', 'function',
         'register_player deposit try_deposit request_withdrawal try_request_withdrawal pay_withdrawal '
         'try_pay_withdrawal cancel_withdrawal explain_break player_statement withdrawal_id '
         'payment_due_at'),
        -- counts of the cash desks, and who reads them
        ('desk cashier accountant', 'function', 'record_cage_count'),
        ('accountant supervisor compliance nightly auditor', 'function', 'cage_shifts cage_shift cage_cash'),
        ('accountant supervisor', 'function', 'one_form'),
        ('accountant supervisor', 'table', 'cage_count payment_method'),
        ('desk', 'table', 'player statement pending_withdrawals payment_method'),

        -- the books: corrections by hand with their approval, claims, late payments, liabilities and tax
        ('accountant', 'function',
         'adjust approve_adjustment settle_claim excuse_delay gl_export balance_statement tax_base liability '
         'account_movements daily_table payment_deadline player_statement day_start prague_day '
         'kept_days open_ranges counted_game figure_rounds figure_wagers figure_corrections due_spans '
         'winnings_due_at withdrawal_due_at prompt_until duty_value duty_number duty_longest '
         'withdrawal_id withheld_winnings payment_due_at refuse_unknown_player families'),
        ('accountant', 'table',
         'ledger player statement trial_balance claim claim_end open_claim adjustment_approval account_move '
         'pending_withdrawals unpaid_winnings late_payment excused_delay round round_correction '
         'correction_decision game_table game duty_rule recorder kept_day kept_game kept_table kept_player '
         'kept_until day_total day_report withholding withholding_end game_plan open_withdrawal '
         'duty_period'),

        -- plans: drafts written, approved by a second person, withdrawn; their returns
        ('plan_officer', 'function',
         'add_plan_version change_plan_version approve_plan_version withdraw_plan_version add_game '
         'check_plan plan_difference plan_difference_text plan_warnings plan_in_force plan_audit bet_return '
         'quote max_win announced_bets position_limits table_limits_at plan_grounds'),
        ('plan_officer', 'table',
         'game game_plan approved_plan plan_approval plan_withdrawal plan_change plan_rule bet_rule paytable '
         'announced_rule plan_row game_table table_version table_limit recorder'),

        -- on the telephone with a player: reads, and moves nothing
        ('support', 'function',
         'explain_break player_statement player_page limit_usage limits_in_force last_deal round_result '
         'player_recall player_round_page evaluated_wager withheld_winnings payment_due_at withdrawal_id'),
        ('support', 'table',
         'player statement wager round deal dealt_hand deal_correction game_table refusal player_limit '
         'exclusion_period pending_withdrawals unpaid_winnings payment_method automatic_completion'),

        -- reads everything, writes nothing
        ('compliance nightly', 'function', 'check_days'),
        ('compliance', 'function',
         'plan_difference plan_difference_text plan_warnings '
         'check_plan quote max_win announced_bets explain_break plan_in_force table_limits_at '
         'position_limits offer offers open_rounds round_result last_deal limits_in_force limit_usage'),
        ('compliance', 'function', 'round_changes player_day_changes'),
        -- plan_difference_text() in Czech
        ('plan_officer compliance', 'function', 'plan_word'),
        -- the request of a person, by two people (R7.115)
        ('compliance', 'function', 'erase_person approve_erasure reject_erasure'),
        ('compliance', 'table',    '*'),
        -- reads, reconciliation
        ('nightly', 'function',
         'check_plan quote max_win plan_in_force table_limits_at position_limits offer offers open_rounds '
         'round_result last_deal limits_in_force limit_usage'),
        ('nightly', 'function',
         'record_overdue nightly reconcile explain_difference ask_about_difference'),
        ('nightly compliance', 'function', 'morning balance_statement gl_export'),
        ('nightly', 'table',    '*'),

        -- seals: the auditor reads everything, verifies and exports, and nothing else
        ('nightly', 'function', 'seal turn_book'),
        ('auditor nightly compliance', 'function', 'own_objects'),
        ('auditor nightly compliance', 'function',
            'verify proof verify_proof seal_document export_day evidence_layouts evidence_sections
             evidence_leaf ledger_leaf evidence_line evidence_key hash_leaf hash_node merkle_root
             merkle_path merkle_paths stream_tree stream_leaf seal_root seal_of unsealed_rows
             unsealed_players changed_streams lies_away export_parts statement_proof verify_statement
             checkpoint consistency_proof log_leaves log_root'),
        ('auditor', 'table', '*'),

        -- plan_in_force(), add_plan_version(): which games there are
        ('backend compliance nightly plan_officer', 'function', 'games_like'),
        -- the plans audited
        ('backend compliance nightly', 'function', 'bet_return plan_audit'),
        -- return_watch
        ('compliance nightly auditor', 'function', 'chi_square_probability'),
        ('nightly', 'function', 'watch_day'),

        -- cells: what a hub asks, and what a backend that knows the cells reckons with
        ('backend nightly compliance auditor', 'function', 'cell_of cell_state outcome_players'),
        ('backend cashier desk supervisor support nightly compliance auditor', 'function', 'moved_to'),
        ('nightly compliance auditor', 'function', 'plan_digest table_digest'),

        -- whoever reads the publication: the first copy of its tables
        ('stream', 'table', 'ledger round'),

        -- the figures, with the parts that they read by
        ('compliance nightly auditor', 'function',
            'daily_table tax_base liability account_movements payment_deadline payment_times
             payments_begin payments_made payments_since
             prompt_until duty_value duty_number duty_longest due_spans winnings_due_at
             withdrawal_due_at significant_event game_recall player_recall person_file account_files
             pot_flow played_together shared_accounts person_window person_money aml_periods
             other_values
             inactive_accounts player_statement player_day person_day
             large_win protection figure_rounds figure_wagers figure_corrections refuse_unknown_player
             kept_days open_ranges counted_game day_start prague_day canonical_ref canonical_text one_form
             ignorable families
             daily_report daily_report_html night_page'),
        -- pages that people sign; a player's also at the cash desk
        ('compliance nightly', 'function', 'round_page period_page'),
        ('compliance nightly cashier', 'function', 'player_page player_round_page'),
        ('nightly', 'function', 'keep_day_totals load_provider_report recheck'),

        -- cells: what only their hub calls, and what is read at the hub
        ('hub', 'function', 'obey cell_read'),
        ('backend compliance nightly', 'function', 'hub_cells'),
        ('compliance', 'function', 'cell_of_person'),
        ('backend', 'function', 'hub_split'), ('backend', 'function', 'check_many'),
        ('compliance nightly', 'function',
         'all_trial_balance all_daily_table all_open_rounds all_report cell_states'),
        ('nightly', 'function', 'catch_up'),

        -- marks, by which revoke_access(role, profile) knows the profiles of a role (R12.169)
        ('backend', 'function', 'holds_backend'), ('desk', 'function', 'holds_desk'),
        ('cashier', 'function', 'holds_cashier'), ('supervisor', 'function', 'holds_supervisor'),
        ('accountant', 'function', 'holds_accountant'), ('support', 'function', 'holds_support'),
        ('plan_officer', 'function', 'holds_plan_officer'), ('compliance', 'function', 'holds_compliance'),
        ('auditor', 'function', 'holds_auditor'), ('nightly', 'function', 'holds_nightly'),
        ('stream', 'function', 'holds_stream'), ('hub', 'function', 'holds_hub'),

        -- what views call: PostgreSQL asks the reader of a view for the right to execute its functions
        -- unfinished_run
        ('compliance nightly auditor supervisor', 'function', 'left_unfinished'),
        -- wager, evaluation
        ('backend compliance nightly supervisor auditor', 'function', 'evaluated_wager'),
        -- payment_times(), by which a payment that is dated back is judged
        ('compliance nightly auditor', 'function', 'judged_at was_dated_back claims_hold_since'),
        -- pending_correction, and hub_correction at a hub
        ('compliance nightly supervisor auditor', 'function', 'round_adjusted hub_corrections'),
        -- unpaid_winnings
        ('backend cashier compliance nightly supervisor auditor', 'function',
         'withheld_winnings payment_due_at'),
        -- bi_protection
        ('auditor', 'function', 'limits_in_force'),
        -- player_as_sealed
        ('compliance nightly auditor', 'function', 'person_token'),
        -- account_in_clear, payment_in_clear
        ('cashier supervisor', 'table', 'account_in_clear'),
        ('supervisor accountant', 'table', 'payment_in_clear'),
        ('cashier supervisor accountant', 'function', 'person_token'),
        ('compliance nightly auditor', 'function', 'clear_text_of'),
        -- pending_withdrawals
        ('backend cashier compliance nightly supervisor auditor', 'function', 'withdrawal_id')
      ) p (profiles, object_type, names)
     CROSS JOIN LATERAL regexp_split_to_table(p.profiles, '\s+') r (profile)
     CROSS JOIN LATERAL regexp_split_to_table(p.names, '\s+') n (object_name)
$fn$;
COMMENT ON FUNCTION casino.access_profiles()
    IS 'What grant_access() grants: types to use, functions to execute and tables or views to read (* for '
       'all but the machinery of the evaluation), by profile';

-- R12.169: a right of its own for each profile, because the others do not say by which profile they came.
DO $do$
DECLARE
    p text;
BEGIN
    FOR p IN SELECT DISTINCT a.profile FROM casino.access_profiles() a LOOP
        EXECUTE format('CREATE FUNCTION casino_internal.%I() RETURNS text '
                       'LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN %L', 'holds_' || p, p);
        EXECUTE format('COMMENT ON FUNCTION casino_internal.%I() IS %L', 'holds_' || p,
                       format('Mark of profile %s: a role that may execute it was given the profile', p));
    END LOOP;
END
$do$;

CREATE FUNCTION casino_internal.held_profiles(role oid) RETURNS SETOF text
LANGUAGE sql STABLE ROWS 12 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT DISTINCT p.profile
      FROM (SELECT DISTINCT a.profile FROM casino.access_profiles() a) p
      JOIN pg_proc m ON m.oid = to_regprocedure(format('casino_internal.%I()', 'holds_' || p.profile))
     CROSS JOIN LATERAL aclexplode(m.proacl) g
     WHERE g.grantee = held_profiles.role
$fn$;
COMMENT ON FUNCTION casino_internal.held_profiles(oid)
    IS 'Part of revoke_access(role, profile): profiles that a role was given by grant_access()';

CREATE FUNCTION casino_internal.require_profile(profile text) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF NOT EXISTS (SELECT FROM casino.access_profiles() a WHERE a.profile = require_profile.profile) THEN
        RAISE EXCEPTION 'unknown profile "%"', profile
            USING ERRCODE = 'invalid_parameter_value',
                  HINT
                      = format('Profiles are %s.',
                               (SELECT string_agg(DISTINCT a.profile, ', ') FROM casino.access_profiles() a));
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.require_profile(text)
    IS 'Part of grant_access() and revoke_access(): 22023 for a profile that is not there';

-- The views that casino.evaluation is made of call graders and read rules as numbers: nobody's question is
-- put to them. Books are read through the ledger.
CREATE FUNCTION casino_internal.is_machinery(view name) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN view ~ '^(graded_|evaluation_|blackjack_|casino_holdem_|texas_|standing_stake$|plan_odds$'
                   '|ledger_[0-9]+$)';
COMMENT ON FUNCTION casino_internal.is_machinery(name)
    IS 'Is it a view that only casino.evaluation asks, or a book of the ledger; no profile reads it';

-- What a profile is in the catalog, as GRANT names it.
CREATE FUNCTION casino_internal.profile_objects(profile text, OUT kind text, OUT object oid,
                                                OUT privilege text,
                                                OUT name text)
RETURNS SETOF record
LANGUAGE sql STABLE ROWS 300 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT 'schema', n.oid, 'USAGE', 'SCHEMA ' || n.oid::regnamespace
      FROM unnest(casino_internal.schemas()) n (oid)
    UNION ALL
    SELECT 'type', t.oid, 'USAGE', 'TYPE ' || t.oid::regtype
      FROM casino.access_profiles() a
      JOIN pg_type t ON t.typnamespace = 'casino'::regnamespace AND t.typname = a.object_name
     WHERE a.profile = profile_objects.profile AND a.object_type = 'type'
    UNION ALL
    -- of that name in the extension: not what somebody else has put into the schema
    SELECT 'routine', p.oid, 'EXECUTE', 'ROUTINE ' || p.oid::regprocedure
      FROM casino.access_profiles() a
      -- a name stands for all functions of that name, a signature for one
      JOIN pg_proc p ON p.pronamespace = ANY (casino_internal.schemas())
                    AND CASE WHEN a.object_name LIKE '%(%'
                                 THEN p.oid IN (to_regprocedure('casino.' || a.object_name),
                                                to_regprocedure('casino_internal.' || a.object_name))
                             ELSE p.proname = a.object_name END
      JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
     WHERE a.profile = profile_objects.profile AND a.object_type = 'function'
       AND NOT casino_internal.for_hub_only(p.oid)
    UNION ALL
    -- at a hub calls go on to the cells
    SELECT 'routine', p.oid, 'EXECUTE', 'ROUTINE ' || p.oid::regprocedure
      FROM pg_proc p
     WHERE p.pronamespace = ANY (casino_internal.schemas())
       AND p.proname = 'hub_place_many'
       AND profile_objects.profile = 'backend'
    UNION ALL
    SELECT 'server', s.oid, 'USAGE', 'FOREIGN SERVER casino'
      FROM pg_foreign_server s
     WHERE s.srvname = 'casino' AND to_regclass('casino.hub') IS NOT NULL
    UNION ALL
    SELECT 'table', c.oid, 'SELECT', 'TABLE ' || c.oid::regclass
      FROM casino.access_profiles() a
      JOIN pg_class c ON c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p', 'v')
                     AND (a.object_name = c.relname
                          OR a.object_name = '*' AND NOT casino_internal.is_machinery(c.relname))
     WHERE a.profile = profile_objects.profile AND a.object_type = 'table'
$fn$;
COMMENT ON FUNCTION casino_internal.profile_objects(text)
    IS 'Part of grant_access(): schema, types, functions and tables of a profile as they are here';

-- GRANT and REVOKE say WARNING where the caller may not, and go on: their effect is looked at
-- afterwards.
CREATE FUNCTION casino.grant_access(role name, profile text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
DECLARE
    object record;
    missing text;
    number bigint;
BEGIN
    IF role IS NULL THEN
        RAISE EXCEPTION 'role must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM casino_internal.require_profile(profile);
    FOR object IN SELECT o.privilege, o.name FROM casino_internal.profile_objects(profile) o LOOP
        EXECUTE format('GRANT %s ON %s TO %I', object.privilege, object.name, role);
    END LOOP;
    SELECT count(*), string_agg(o.name, ', ' ORDER BY o.name) INTO number, missing
      FROM casino_internal.profile_objects(profile) o
     WHERE NOT CASE o.kind WHEN 'schema' THEN has_schema_privilege(role, o.object, o.privilege)
                           WHEN 'type' THEN has_type_privilege(role, o.object, o.privilege)
                           WHEN 'routine' THEN has_function_privilege(role, o.object, o.privilege)
                           WHEN 'server' THEN has_server_privilege(role, o.object, o.privilege)
                           WHEN 'table' THEN has_table_privilege(role, o.object, o.privilege) END;
    IF number > 0 THEN
        RAISE EXCEPTION 'role "%" could not be given profile "%": % privileges are missing', role, profile,
            number
            USING ERRCODE = 'insufficient_privilege',
                  DETAIL = left(format('%s may not grant: %s.', current_user, missing), 1000),
                  HINT = format('A superuser gives an owner of the tables what he needs: SELECT '
                                'casino.give_to(%L).',
                                current_user);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.grant_access(name, text)
    IS 'Gives an existing role the rights of its work: backend, desk, cashier, supervisor, accountant, '
       'plan_officer, support, compliance, auditor, nightly, stream, or hub in a cell; 42501 when the caller '
       'may not grant all of it';

CREATE FUNCTION casino.revoke_access(role name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
DECLARE
    object record;
    remaining text;
    number bigint;
BEGIN
    IF role IS NULL THEN
        RAISE EXCEPTION 'role must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    FOR object IN SELECT DISTINCT g.name
                    FROM casino_internal.granted_objects() g
                   WHERE g.grantee = (SELECT r.oid FROM pg_roles r WHERE r.rolname = role) LOOP
        EXECUTE format('REVOKE ALL ON %s FROM %I', object.name, role);
    END LOOP;
    -- also that such a role exists
    EXECUTE format('REVOKE ALL ON SCHEMA casino, casino_internal FROM %I', role);
    SELECT count(*),
           string_agg(DISTINCT format('%s on %s, granted by %s', g.privilege, g.name,
                                      pg_get_userbyid(g.grantor)),
                      '; ')
      INTO number, remaining
      FROM casino_internal.granted_objects() g
          WHERE g.grantee = (SELECT r.oid FROM pg_roles r WHERE r.rolname = role);
    IF number > 0 THEN
        RAISE EXCEPTION 'role "%" still has % privileges', role, number
            USING ERRCODE = 'insufficient_privilege', DETAIL = left(remaining || '.', 1000),
                  HINT = 'A privilege is taken away by the role that granted it: SET ROLE to that one and '
                         'call casino.revoke_access() again.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.revoke_access(name)
    IS 'Takes from a role all that it was granted in our schemas; 42501 when the caller may not take all '
       'of it';

-- R12.169
CREATE FUNCTION casino.revoke_access(role name, profile text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
DECLARE
    revoked CONSTANT oid := (SELECT r.oid FROM pg_roles r WHERE r.rolname = role);
    object record;
    taken text[] := '{}';
    remaining text;
    number bigint;
BEGIN
    IF role IS NULL THEN
        RAISE EXCEPTION 'role must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM casino_internal.require_profile(profile);
    IF revoked IS NULL THEN
        RAISE EXCEPTION 'role "%" does not exist', role USING ERRCODE = 'undefined_object';
    END IF;
    IF profile NOT IN (SELECT h.profile FROM casino_internal.held_profiles(revoked) h (profile)) THEN
        RETURN;
    END IF;
    FOR object IN
        SELECT t.kind, t.privilege, t.name
          FROM (SELECT o.kind, o.privilege, o.name FROM casino_internal.profile_objects(profile) o
                EXCEPT
                SELECT o.kind, o.privilege, o.name
                  FROM casino_internal.held_profiles(revoked) h (profile)
                 CROSS JOIN LATERAL casino_internal.profile_objects(h.profile) o
                 WHERE h.profile <> revoke_access.profile) t
         -- schemas last: a right in them is of use only with them
         ORDER BY t.kind = 'schema'
    LOOP
        CONTINUE WHEN object.kind = 'schema'
                  AND EXISTS (SELECT FROM casino_internal.granted_objects() g
                               WHERE g.grantee = revoked AND g.name NOT LIKE 'SCHEMA %');
        EXECUTE format('REVOKE %s ON %s FROM %I', object.privilege, object.name, role);
        taken := taken || format('%s on %s', object.privilege, object.name);
    END LOOP;
    SELECT count(*), string_agg(format('%s on %s, granted by %s', g.privilege, g.name,
                                       pg_get_userbyid(g.grantor)), '; ')
      INTO number, remaining
      FROM casino_internal.granted_objects() g
     WHERE g.grantee = revoked AND format('%s on %s', g.privilege, g.name) = ANY (taken);
    IF number > 0 THEN
        RAISE EXCEPTION 'role "%" still has % privileges of profile "%"', role, number, profile
            USING ERRCODE = 'insufficient_privilege', DETAIL = left(remaining || '.', 1000),
                  HINT = 'A privilege is taken away by the role that granted it: SET ROLE to that one and '
                         'call casino.revoke_access() again.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.revoke_access(name, text)
    IS 'Takes from a role one profile that grant_access() gave, and leaves its other profiles and other '
       'privileges; nothing for a profile that it was not given; 42501 when the caller may not take all of '
       'it';

CREATE FUNCTION casino_internal.granted_objects(OUT grantee oid, OUT grantor oid, OUT privilege text,
                                                OUT name text)
RETURNS SETOF record
LANGUAGE sql STABLE ROWS 1000 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT a.grantee, a.grantor, a.privilege_type,
           CASE c.relkind WHEN 'S' THEN 'SEQUENCE ' ELSE 'TABLE ' END || c.oid::regclass
      FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a
     WHERE c.relnamespace = 'casino'::regnamespace
    UNION ALL
    SELECT a.grantee, a.grantor, a.privilege_type, 'TABLE ' || c.oid::regclass
      FROM pg_class c
      JOIN pg_attribute t ON t.attrelid = c.oid
     CROSS JOIN LATERAL aclexplode(t.attacl) a
     WHERE c.relnamespace = 'casino'::regnamespace
    UNION ALL
    SELECT a.grantee, a.grantor, a.privilege_type, 'ROUTINE ' || p.oid::regprocedure
      FROM pg_proc p CROSS JOIN LATERAL aclexplode(p.proacl) a
     WHERE p.pronamespace = ANY (casino_internal.schemas())
    UNION ALL
    SELECT a.grantee, a.grantor, a.privilege_type, 'TYPE ' || t.oid::regtype
      FROM pg_type t CROSS JOIN LATERAL aclexplode(t.typacl) a
     WHERE t.typnamespace = 'casino'::regnamespace
    UNION ALL
    SELECT a.grantee, a.grantor, a.privilege_type, 'FOREIGN SERVER ' || quote_ident(s.srvname)
      FROM pg_foreign_server s CROSS JOIN LATERAL aclexplode(s.srvacl) a
     WHERE s.srvname = 'casino' AND to_regclass('casino.hub') IS NOT NULL
    UNION ALL
    SELECT a.grantee, a.grantor, a.privilege_type, 'SCHEMA ' || n.oid::regnamespace
      FROM pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) a
     WHERE n.oid = ANY (casino_internal.schemas())
$fn$;
COMMENT ON FUNCTION casino_internal.granted_objects()
    IS 'Part of revoke_access(): every privilege granted in our schemas';

CREATE FUNCTION casino.give_to(owner name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
DECLARE
    types CONSTANT text := (SELECT string_agg(t.oid::regtype::text, ', ')
                            FROM casino_internal.own_types() t (oid));
    missing bigint;
BEGIN
    IF owner IS NULL THEN
        RAISE EXCEPTION 'owner must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    EXECUTE format('GRANT CREATE ON SCHEMA casino, casino_internal TO %I', owner);
    EXECUTE format('GRANT USAGE ON SCHEMA casino, casino_internal TO %I WITH GRANT OPTION', owner);
    EXECUTE format('GRANT EXECUTE ON ALL ROUTINES IN SCHEMA casino, casino_internal TO %I '
                   'WITH GRANT OPTION', owner);
    EXECUTE format('GRANT USAGE ON TYPE %s TO %I WITH GRANT OPTION', types, owner);
    -- for the stand-in of books that are put away
    EXECUTE format('GRANT USAGE ON FOREIGN SERVER casino_put_away TO %I', owner);
    SELECT count(*) INTO missing
      FROM (SELECT has_server_privilege(owner, 'casino_put_away', 'USAGE')
            UNION ALL
            SELECT has_schema_privilege(owner, n.oid, 'CREATE')
                   AND has_schema_privilege(owner, n.oid, 'USAGE WITH GRANT OPTION')
              FROM unnest(casino_internal.schemas()) n (oid)
            UNION ALL
            SELECT has_function_privilege(owner, p.oid, 'EXECUTE WITH GRANT OPTION')
              FROM pg_proc p
             WHERE p.pronamespace = ANY (casino_internal.schemas())
            UNION ALL
            SELECT has_type_privilege(owner, t.oid, 'USAGE WITH GRANT OPTION')
              FROM casino_internal.own_types() t (oid)) h (has)
     WHERE NOT h.has;
    IF missing > 0 THEN
        RAISE EXCEPTION 'role "%" could not be given what the owner of the tables needs: % privileges are '
                        'missing',
            owner, missing
            USING ERRCODE = 'insufficient_privilege',
                  HINT = 'The superuser who created the extension calls casino.give_to().';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.give_to(name)
    IS 'Gives a role that is no superuser what it needs to own the tables: to call install(), use '
       'everything and grant it on. A superuser calls it before install(), and again after ALTER EXTENSION '
       'UPDATE';

CREATE FUNCTION casino_internal.own_types() RETURNS SETOF oid
LANGUAGE sql STABLE ROWS 20 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT t.oid
      FROM pg_type t
      JOIN pg_depend d
           ON d.classid = 'pg_type'::regclass
          AND d.objid = t.oid
          AND d.refclassid = 'pg_extension'::regclass
          AND d.deptype = 'e'
     WHERE t.typnamespace = 'casino'::regnamespace AND t.typtype IN ('b', 'c', 'd', 'e')
       AND t.typsubscript <> 'array_subscript_handler'::regproc
$fn$;
COMMENT ON FUNCTION casino_internal.own_types() IS 'Part of give_to(): the types of the extension';

-- Nothing is granted to PUBLIC: neither functions nor types. grant_access() gives roles what their work
-- needs. The script of each later version ends with this call and with that of pin_settings(), because a new
-- function is PUBLIC's to execute until then.
CREATE FUNCTION casino_internal.revoke_public() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    object record;
BEGIN
    FOR object IN SELECT p.oid::regprocedure AS name FROM pg_catalog.pg_proc p
                   WHERE p.pronamespace = ANY (casino_internal.schemas()) LOOP
        EXECUTE format('REVOKE ALL ON ROUTINE %s FROM PUBLIC', object.name);
    END LOOP;
    FOR object IN SELECT t.type::regtype AS name FROM casino_internal.own_types() t (type) LOOP
        EXECUTE format('REVOKE ALL ON TYPE %s FROM PUBLIC', object.name);
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.revoke_public()
    IS 'Part of the installation: no function and no type of casino is open to PUBLIC';

-- SQL of ours runs under settings of ours: a body is parsed when it is first run, and by the settings of the
-- session that runs it. These two change what it means; others change how values are printed and read, which
-- no body relies on without saying so. Bodies of the SQL standard (RETURN ...) are parsed already.
CREATE FUNCTION casino_internal.pin_settings() RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    own record;
    pinned integer := 0;
BEGIN
    FOR own IN SELECT p.oid::regprocedure AS name, s.setting
                 FROM pg_proc p
                 JOIN pg_language l ON l.oid = p.prolang
                CROSS JOIN unnest('{standard_conforming_strings=on,quote_all_identifiers=off}'::text[]) s (
                    setting)
                WHERE p.pronamespace = ANY (casino_internal.schemas())
                  AND l.lanname IN ('sql', 'plpgsql')
                  AND p.prosqlbody IS NULL
                  AND NOT coalesce(p.proconfig @> ARRAY[s.setting], false) LOOP
        EXECUTE format('ALTER ROUTINE %s SET %s', own.name, own.setting);
        pinned := pinned + 1;
    END LOOP;
    RETURN pinned;
END
$fn$;
COMMENT ON FUNCTION casino_internal.pin_settings()
    IS 'Part of the installation: every function of ours in SQL or PL/pgSQL runs under settings of its own, '
       'whatever the session has set';
DO $do$
BEGIN
    PERFORM casino_internal.revoke_public();
    PERFORM casino_internal.pin_settings();
END
$do$;
