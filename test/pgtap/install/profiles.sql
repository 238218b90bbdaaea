-- Each profile's work, by a role that has this profile and nothing else: the role may do it (R8.25).
SET client_min_messages = warning;
SELECT no_plan();
CREATE SCHEMA t;
GRANT USAGE ON SCHEMA t TO PUBLIC;
-- a statement of a role's work: its error, or none
CREATE FUNCTION t.works(command text, name text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE said text;
BEGIN
    BEGIN
        EXECUTE command;
    EXCEPTION WHEN OTHERS THEN
        said := SQLSTATE || ': ' || SQLERRM;
    END;
    RETURN public.is(said, NULL, format('R8.25: %s: %s', current_user, name));
END $$;
CREATE FUNCTION t.denied(command text, name text) RETURNS text LANGUAGE sql AS
    $$SELECT public.throws_ok(command, '42501', NULL, format('R8.25: %s may not %s', current_user, name))$$;
CREATE ROLE p_backend;
CREATE ROLE p_cashier;
CREATE ROLE p_supervisor;
CREATE ROLE p_compliance;
CREATE ROLE p_auditor;
CREATE ROLE p_nightly;
CREATE ROLE p_desk;
CREATE ROLE p_accountant;
CREATE ROLE p_chief;
CREATE ROLE p_plan_officer;
CREATE ROLE p_plan_head;
CREATE ROLE p_support;
SELECT casino.grant_access('p_' || p, p)
  FROM unnest('{backend,cashier,supervisor,compliance,auditor,nightly,desk,accountant,plan_officer,'
              'support}'::text[]) p \g /dev/null
SELECT casino.grant_access('p_chief', 'accountant'), casino.grant_access('p_plan_head', 'plan_officer')
    \g /dev/null
SET casino.clock_skew = -1;
SELECT casino.set_duty_rule('adjust_amount', '50000', clock_timestamp() - interval '1 s', '7', 'rules')
    \g /dev/null
RESET casino.clock_skew;
SELECT casino.add_game_table('roulette_synot', 'Vltava', 10, 1000) AS wheel,
       casino.add_game_table('blackjack_synot', 'Tatra', 100, 10000) AS boxes \gset
SELECT set_config('t.wheel', :'wheel', false), set_config('t.boxes', :'boxes', false) \g /dev/null

-- ---- the game server
SET ROLE p_backend;
SELECT t.works($$SELECT casino.register_player('a')$$, 'registers a player');
SELECT t.works($$SELECT casino.deposit(1, 5000, 'd1')$$, 'takes a deposit');
SELECT t.works($$SELECT * FROM casino.try_deposit(1, 5000, 'd2')$$, 'or has its refusal as a row');
SELECT t.works($$SELECT * FROM casino.offers()$$, 'shows the lobby');
SELECT t.works($$SELECT * FROM casino.offer(current_setting('t.wheel')::bigint)$$, 'and a table');
SELECT t.works($$SELECT casino.open_round(current_setting('t.wheel')::bigint, 'r1')$$, 'opens a round');
SELECT t.works($$SELECT * FROM casino.place_many(1, '{1}', '{red@10}', '{b1}')$$, 'takes bets');
SELECT t.works($$SELECT casino.message_for_player(p.reason, p.data, 'cs')
                   FROM casino.try_place_bets(1, 1, '{red@1}', 'b2') p$$, 'tells a player of a refusal');
SELECT t.works($$SELECT * FROM casino.refusal_reasons()$$, 'or has texts of its own');
SELECT t.works($$SELECT casino.cancel_bet(1, 1, 'b1')$$, 'takes a bet back');
SELECT t.works($$SELECT * FROM casino.try_place_bets(1, 1, '{red@10}', 'b3')$$, 'takes another');
SELECT t.works($$SELECT casino.close_betting(1)$$, 'closes betting');
SELECT t.works($$SELECT * FROM casino.check_outcome(1, '{"number": 17}')$$, 'asks of an outcome');
SELECT t.works($$SELECT * FROM casino.settle_round(1, '{"number": 17}')$$, 'settles');
SELECT t.works($$SELECT * FROM casino.round_result(1)$$, 'sends each player the result');
SELECT t.works($$SELECT casino.open_round(current_setting('t.boxes')::bigint, 'r2')$$,
    'opens a game of cards');
SELECT t.works($$SELECT *
    FROM casino.try_place_bets(2, 1, '{main@100}', 'b4', seat => 1)$$, 'takes a main bet');
SELECT t.works($$SELECT casino.close_betting(2)$$, 'closes');
SELECT t.works($$SELECT casino.deal(2, '{"dealer": "6h", "hands": [{"seat": 1, "cards": "5s 4c"}]}')$$,
    'deals');
SELECT t.works($$SELECT * FROM casino.may_play(2, 1)$$, 'asks what a player may do');
SELECT t.works($$SELECT casino.round_view(current_setting('t.boxes')::bigint, 1)$$,
    'lets a client reconnect');
SELECT t.works($$SELECT casino.last_deal(2)$$, 'shows the cards');
SELECT t.works($$SELECT casino.close_actions(2)$$, 'ends the decisions');
SELECT t.works($$SELECT casino.void_round(2, 'camera')$$, 'voids');
SELECT t.works($$SELECT * FROM casino.open_rounds()$$, 'comes up again after a crash');
SELECT throws_ok($$SELECT casino.plan_in_force('roulete', clock_timestamp())$$, '23503',
                 'game "roulete" does not exist', 'an unknown game is refused as that; HINT has the games');
SELECT t.denied($$SELECT casino.adjust(1, 10, 'x', 'gift')$$, 'give money');
SELECT t.denied($$SELECT casino.approve_correction(1)$$, 'approve corrections');
SELECT t.denied($$UPDATE casino.player SET balance = 0$$, 'change a wallet');

-- ---- the player's page, which the game server asks for
SELECT t.works($$SELECT balance, excluded_until FROM casino.player
    WHERE player_id = 1$$, 'page: wallet and exclusion');
SELECT t.works($$SELECT * FROM casino.limit_usage(1, clock_timestamp())$$, 'page: limits and their use');
SELECT t.works($$SELECT * FROM casino.limits_in_force(1, clock_timestamp())$$, 'page: limits in force');
SELECT t.works($$SELECT * FROM casino.player_statement(1, current_date, current_date)$$, 'page: statement');
SELECT t.works($$SELECT * FROM casino.pending_withdrawals
    WHERE player_id = 1$$, 'page: withdrawals not paid');
SELECT t.works($$SELECT * FROM casino.unpaid_winnings WHERE player_id = 1$$, 'page: winnings not paid');
SELECT t.works($$SELECT * FROM casino.exclusion_period WHERE player_id = 1$$, 'page: exclusions');
SELECT t.works($$SELECT * FROM casino.refusal WHERE player_id = 1$$, 'page: refusals');
SELECT t.works($$SELECT * FROM casino.wager WHERE player_id = 1$$, 'page: wagers');
SELECT t.works($$SELECT * FROM casino.explain_break(1, clock_timestamp())$$, 'page: a break that is due');
SELECT t.works($$SELECT casino.set_limit(1, 'stake', 'day', 4000)$$, 'page: sets a limit');
SELECT t.works($$SELECT *
    FROM casino.try_request_withdrawal(1, 100, 'cash', 'w1')$$, 'page: asks for a withdrawal');
SELECT t.works($$SELECT casino.exclude_player(1, clock_timestamp() + interval '30 days', 'self')$$,
    'page: excludes the player');
RESET ROLE;

-- ---- the cash desk
SET ROLE p_cashier;
SELECT t.works($$SELECT casino.register_player('b')$$, 'registers a player');
SELECT t.works($$SELECT casino.deposit(2, 500, 'c1', method => 'cash')$$, 'takes cash');
SELECT t.works($$SELECT *
    FROM casino.try_deposit(2, 500, 'c2', method => 'cash')$$, 'or has the refusal as a row');
SELECT t.works($$SELECT * FROM casino.pending_withdrawals$$, 'sees what will be paid');
SELECT t.works($$SELECT * FROM casino.try_pay_withdrawal((SELECT withdrawal_id
    FROM casino.pending_withdrawals LIMIT 1))$$, 'pays');
SELECT t.works($$SELECT *
    FROM casino.request_withdrawal(2, 100, 'cash', 'w2')$$, 'asks for a withdrawal at the desk');
SELECT t.works($$SELECT casino.cancel_withdrawal((SELECT withdrawal_id
    FROM casino.pending_withdrawals LIMIT 1))$$, 'takes it back');
SELECT t.works($$SELECT casino.set_payment_account(2, 'CZ6508000000192000145399')$$, 'registers an account');
SELECT is(a.account, 'CZ6508000000192000145399', 'R7.112: and reads it, to pay to it')
  FROM casino.account_in_clear a WHERE a.player_id = 2;
SELECT t.denied($$SELECT * FROM casino.clear_text$$, 'read the texts themselves');
SELECT t.works($$SELECT * FROM casino.explain_break(2, clock_timestamp())$$, 'explains a break');
SELECT t.works($$SELECT casino.message_for_player('excluded', '{"until": "infinity"}', 'cs')$$,
    'and a refusal');
SELECT t.works($$SELECT * FROM casino.statement WHERE player_id = 2$$, 'prints a statement');
SELECT t.works($$SELECT *
    FROM casino.player_statement(2, current_date, current_date)$$, 'as the player has it');
SELECT t.denied($$SELECT casino.settle_round(1, '{"number": 3}')$$, 'settle');
SELECT t.denied($$SELECT casino.open_round(1, 'x')$$, 'open rounds');
RESET ROLE;

-- ---- support: the supervisor on the telephone
SET ROLE p_supervisor;
SELECT t.works($$SELECT * FROM casino.offers()$$, 'sees the lobby');
SELECT t.works($$SELECT * FROM casino.offer(current_setting('t.wheel')::bigint)$$, 'and the bets on offer');
SELECT t.works($$SELECT * FROM casino.wager WHERE player_id = 1$$, 'support: wagers');
SELECT t.works($$SELECT *
    FROM casino.player_statement(1, current_date, current_date)$$, 'support: statement');
SELECT t.works($$SELECT * FROM casino.refusal WHERE player_id = 1$$, 'support: refusals');
SELECT t.works($$SELECT casino.message_for_player(f.reason, f.data, 'cs')
    FROM casino.refusal f$$, 'support: in words');
SELECT t.works($$SELECT * FROM casino.explain_break(1, clock_timestamp())$$, 'support: a break');
SELECT t.works($$SELECT * FROM casino.limit_usage(1, clock_timestamp())$$, 'support: limits');
SELECT t.works($$SELECT * FROM casino.exclusion_period WHERE player_id = 1$$, 'support: exclusions');
SELECT t.works($$SELECT casino.last_deal(2)$$, 'support: the cards of a round');
SELECT t.works($$SELECT * FROM casino.round_result(1)$$, 'support: a round''s result');
SELECT t.works($$SELECT casino.correct_round(1, '{"number": 18}', 'misread')$$, 'proposes a correction');
SELECT t.works($$SELECT * FROM casino.pending_correction$$, 'sees proposals');
SELECT t.works($$SELECT casino.reject_correction(1, 'read again')$$, 'rejects it');
SELECT t.works($$SELECT * FROM casino.payment_deadline()$$, 'sees which payment needs a reason');
SELECT t.works($$SELECT * FROM casino.payment_deadline(clock_timestamp() - interval '1 day')$$,
               'and which one needed a reason then');
SELECT t.denied($$SELECT casino.place_bet(1, 1, 'red@10')$$, 'bet');
RESET ROLE;

-- ---- the desk: cash
SET SESSION AUTHORIZATION p_desk;
SELECT t.works($$SELECT casino.register_player('c')$$, 'registers a player');
SELECT t.works($$SELECT casino.deposit(3, 500, 'k1', method => 'cash')$$, 'takes cash');
SELECT t.works($$SELECT * FROM casino.try_deposit(3, 1, 'k2', method => 'cash')$$, 'or has its refusal');
SELECT t.works($$SELECT * FROM casino.request_withdrawal(3, 100, 'cash', 'k3')$$, 'takes a request');
SELECT t.works($$SELECT casino.pay_withdrawal((SELECT withdrawal_id
    FROM casino.pending_withdrawals WHERE player_id = 3))$$, 'pays cash out');
SELECT t.works($$SELECT * FROM casino.explain_break(3, clock_timestamp())$$,
    'says why a player may not play');
SELECT t.works($$SELECT * FROM casino.statement WHERE player_id = 3$$, 'prints a statement');
SELECT t.denied($$SELECT casino.set_payment_account(3, 'CZ6508000000192000145399')$$, 'register accounts');
SELECT t.denied($$SELECT casino.pay_withheld(1)$$, 'pay withheld winnings');
SELECT t.denied($$SELECT casino.adjust(3, 10, 'x', 'gift')$$, 'correct');
SELECT t.denied($$SELECT * FROM casino.ledger$$, 'read the ledger');
RESET SESSION AUTHORIZATION;

-- ---- the books: a correction above the amount of the duty rule needs a second accountant (R7.73)
SET SESSION AUTHORIZATION p_chief;
SELECT t.works($$SELECT casino.approve_adjustment(3, 'a2', 60000, 'a win by hand')$$,
    'approves a correction');
SET SESSION AUTHORIZATION p_accountant;
SELECT t.works($$SELECT casino.adjust(3, 10, 'a gift', 'a1')$$, 'corrects by hand');
SELECT throws_ok($$SELECT casino.adjust(3, 60001, 'a win by hand', 'a3')$$, '42501', NULL,
    'R7.73: a large correction needs a second person');
SELECT t.works($$SELECT casino.adjust(3, 60000, 'a win by hand', 'a2')$$, 'with an approval');
SELECT t.works($$SELECT * FROM casino.tax_base(current_date - 1, current_date)$$, 'tax');
SELECT t.works($$SELECT * FROM casino.daily_table(current_date - 1, current_date)$$, 'tables');
SELECT t.works($$SELECT * FROM casino.liability(clock_timestamp())$$, 'liabilities');
SELECT t.works($$SELECT * FROM casino.account_movements(current_date - 1, current_date)$$, 'accounts');
SELECT t.works($$SELECT * FROM casino.payment_deadline()$$, 'deadlines');
SELECT t.works($$SELECT * FROM casino.balance_statement(current_date)$$, 'balance of a day');
SELECT t.works($$SELECT * FROM casino.gl_export(current_date, current_date)$$, 'entries for the books');
SELECT t.works($$SELECT * FROM casino.trial_balance$$, 'trial balance');
SELECT t.works($$SELECT * FROM casino.open_claim$$, 'claims');
SELECT t.denied($$SELECT casino.deposit(3, 1, 'x')$$, 'take money');
SELECT t.denied($$SELECT casino.settle_round(1, '{"number": 3}')$$, 'settle');
SELECT t.denied($$SELECT casino.correct_round(1, '{"number": 18}', 'misread')$$, 'correct results');
RESET SESSION AUTHORIZATION;

-- ---- plans: one person writes a draft, another one approves (R1.20, R1.21)
SET SESSION AUTHORIZATION p_plan_officer;
SELECT casino.add_plan_version('roulette_synot', '2099-01-01', 'MF 1/2098') AS plan \gset
SELECT set_config('t.plan', :'plan', false) \g /dev/null
SELECT is(casino.change_plan_version(:plan, 'bet_rule', '{"kind": "red", "max_stake": 777}'), true,
    'a limit of the draft is changed');
SELECT is(casino.change_plan_version(:plan, 'bet_rule', '{"kind": "red", "max_stake": 777}'), false,
    'again: it is so');
SELECT is((SELECT max_stake FROM casino.bet_rule WHERE plan_id = :plan AND kind = 'red'), 777::numeric,
    'and stands there');
SELECT a.stem, to_jsonb(a) - '{plan_id,recorded_by}'::text[] AS announced
  FROM casino.announced_rule a WHERE a.plan_id = :plan ORDER BY a.stem LIMIT 1 \gset
SELECT is(casino.change_plan_version(:plan, 'announced_rule', jsonb_build_object('stem', :'stem'), true),
    expected, 'a row is removed') FROM (VALUES (true), (false)) v (expected);
SELECT is(casino.change_plan_version(:plan, 'announced_rule', :'announced'), expected, 'and added')
  FROM (VALUES (true), (false)) v (expected);
SELECT is(casino.change_plan_version(:plan, 'game_plan', '{"round_max_stake": 5000}'), true,
    'and the version itself');
SELECT throws_ok(format('SELECT casino.change_plan_version(%s, %L, %L)', plan, part, content), code, NULL,
    coalesce(part, 'NULL') || ' ' || coalesce(content, 'NULL'))
  FROM (VALUES (:plan::text, 'bet_rule', '{"max_stake": 1}', '22023'),
               (:plan::text, 'bet_rule', '{"kind": "red", "plan_id": 1}', '22023'),
               (:plan::text, 'bet_rule', '{"kind": "red", "recorded_by": 1}', '22023'),
               (:plan::text, 'bet_rule', '{"kind": "red", "max_stake": -1}', '23514'),
               (:plan::text, 'bet_rule', '[]', '22023'),
               (:plan::text, 'player', '{"balance": 1}', '22023'),
               (:plan::text, NULL, '{}', '22004'),
               ('-1', 'bet_rule', '{"kind": "red", "max_stake": 1}', '23503')) v (plan, part, content, code);
SELECT throws_ok(format('SELECT casino.change_plan_version(%s, %L, %L)', p.plan_id, 'bet_rule',
                        '{"kind": "red", "max_stake": 1}'), '55000', NULL,
                 'a version in force does not change')
  FROM casino.game_plan p WHERE p.game = 'roulette_synot' AND p.version = 1;
SELECT throws_ok(format('SELECT casino.change_plan_version(%s, %L, %L, true)', :'plan', 'game_plan', '{}'),
    '22023', NULL, 'the version itself is not removed');
SELECT t.works(format($$SELECT * FROM casino.plan_difference((SELECT p.plan_id FROM casino.game_plan p
    WHERE p.game = 'roulette_synot' AND p.version = 1), %s)$$, :plan), 'sees the difference');
SELECT t.works(format($$SELECT casino.plan_difference_text((SELECT p.plan_id FROM casino.game_plan p
    WHERE p.game = 'roulette_synot' AND p.version = 1), %s, 'cs')$$, :plan),
               'also in Czech, for the ministry');
SELECT t.works($$SELECT * FROM casino.plan_audit('roulette_synot')$$, 'and its returns');
SELECT t.denied(format($$SELECT casino.approve_plan_version(%s, '1', 'MF')$$, :plan), 'approve own drafts');
SELECT t.denied(format($$UPDATE casino.bet_rule SET max_stake = 1 WHERE plan_id = %s$$, :plan),
    'write past the functions');
SELECT t.denied($$SELECT casino.adjust(3, 10, 'x', 'gift')$$, 'correct');
SET SESSION AUTHORIZATION p_plan_head;
SELECT t.denied(format($$SELECT casino.change_plan_version(%s, 'paytable',
    '{"kind": "red", "grade": "win"}', true)$$, :plan), 'remove a row of another person''s draft (R1.21)');
SELECT t.works(format($$SELECT casino.approve_plan_version(%s, 'MF-1/2098', 'MF')$$, :plan), 'approves');
SELECT throws_ok(format('SELECT casino.change_plan_version(%s, %L, %L)', :'plan', 'bet_rule',
                        '{"kind": "red", "max_stake": 1}'), '55000', NULL,
                 'an approved draft does not change');
SELECT t.works(format($$SELECT casino.withdraw_plan_version(%s, 'not yet')$$, :plan), 'withdraws');
RESET SESSION AUTHORIZATION;

-- ---- support: on the telephone with a player
SET SESSION AUTHORIZATION p_support;
SELECT t.works($$SELECT * FROM casino.wager WHERE player_id = 1$$, 'wagers');
SELECT t.works($$SELECT * FROM casino.player_statement(1, current_date, current_date)$$, 'statement');
SELECT t.works($$SELECT casino.message_for_player(f.reason, f.data, 'cs') FROM casino.refusal f$$,
    'refusals');
SELECT t.works($$SELECT * FROM casino.explain_break(1, clock_timestamp())$$, 'a break');
SELECT t.works($$SELECT * FROM casino.limit_usage(1, clock_timestamp())$$, 'limits');
SELECT t.works($$SELECT * FROM casino.pending_withdrawals WHERE player_id = 1$$, 'withdrawals');
SELECT t.works($$SELECT casino.player_recall(1, 1)$$, 'a round without the others');
SELECT t.works($$SELECT casino.player_page(1, current_date, current_date, 'cs')$$, 'the player''s page');
SELECT t.works($$SELECT * FROM casino.round_result(1)$$, 'a round''s result');
SELECT t.denied($$SELECT casino.deposit(1, 1, 'x')$$, 'take money');
SELECT t.denied($$SELECT casino.exclude_player(1, NULL, 'self')$$, 'exclude');
SELECT t.denied($$SELECT casino.pay_withdrawal(1)$$, 'pay');
SELECT t.denied($$SELECT casino.correct_round(1, '{"number": 18}', 'misread')$$, 'correct results');
RESET SESSION AUTHORIZATION;

-- ---- compliance runs the checks and writes nothing
BEGIN READ ONLY;
SET ROLE p_compliance;
SELECT t.works($$SELECT * FROM casino.check_days(current_date - 1, current_date)$$, 'runs the checks');
COMMIT;
RESET ROLE;

-- ---- compliance
SET ROLE p_compliance;
SELECT t.works($$SELECT * FROM casino.daily_table(current_date, current_date)$$, 'the day''s table');
SELECT t.works($$SELECT * FROM casino.tax_base(current_date, current_date)$$, 'tax');
SELECT t.works($$SELECT * FROM casino.significant_event(current_date, current_date)$$, 'events');
SELECT t.works($$SELECT casino.game_recall(1::bigint)$$, 'recall of a game');
SELECT t.works($$SELECT casino.plan_difference_text(min(p.plan_id), max(p.plan_id)) FROM casino.game_plan p$$,
               'two plan versions held against each other, in Czech');
SELECT t.works($$SELECT * FROM casino.protection()$$, 'protected players');
SELECT t.works($$SELECT casino.daily_report(current_date)$$, 'the report');
SELECT t.works($$SELECT casino.daily_report_html(current_date)$$, 'as a page');
SELECT t.works($$SELECT * FROM casino.explain_break(1, clock_timestamp())$$, 'a break');
SELECT t.works($$SELECT * FROM casino.breach$$, 'breaches');
SELECT t.works($$SELECT * FROM casino.own_object$$, 'objects of the operator''s own');
SELECT t.denied($$SELECT casino.deposit(1, 1, 'x')$$, 'take money');
SELECT t.denied($$CALL casino.nightly(current_date - 1)$$, 'run the night');
RESET ROLE;

-- ---- the night
SET ROLE p_nightly;
SELECT t.works($$SELECT casino.record_overdue()$$, 'records overdue payments');
SELECT t.works($$SELECT casino.seal(current_date)$$, 'seals');
SELECT t.works($$SELECT * FROM casino.verify()$$, 'verifies');
SELECT t.works($$SELECT * FROM casino.difference$$, 'reads the differences');
SELECT t.works($$SELECT casino.daily_report_html(current_date)$$, 'makes the report');
SELECT t.denied($$SELECT casino.deposit(1, 1, 'x')$$, 'take money');
CALL casino.nightly(current_date - 1);
SELECT pass('R8.25: p_nightly: runs the night');
RESET ROLE;

-- ---- the auditor
SET ROLE p_auditor;
SELECT t.works($$SELECT * FROM casino.verify()$$, 'verifies');
SELECT t.works($$SELECT * FROM casino.export_day(current_date)$$, 'exports a day');
SELECT t.works($$SELECT casino.seal_document(1)$$, 'reads a seal');
SELECT t.works($$SELECT * FROM casino.ledger$$, 'reads the ledger');
SELECT t.works($$SELECT * FROM casino.wager$$, 'and the wagers');
SELECT t.works($$SELECT * FROM casino.approved_object$$, 'and approvals');
SELECT t.denied($$SELECT casino.seal(current_date)$$, 'seal');
SELECT t.denied($$SELECT casino.register_player('c')$$, 'register players');
RESET ROLE;

-- only the owner writes past the functions
SELECT is_empty($$SELECT r.rolname, c.relname, p
    FROM pg_roles r, pg_class c, unnest('{INSERT,UPDATE,DELETE,TRUNCATE}'::text[]) p
                   WHERE r.rolname ~ '^p_(backend|cashier|supervisor|compliance|auditor|nightly)$'
                     AND c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p')
                     AND has_table_privilege(r.oid, c.oid, p)$$, 'R8.25: no profile writes a table');
SELECT * FROM finish();
DO $$
BEGIN
    EXECUTE (SELECT string_agg(format('DROP OWNED BY %I; DROP ROLE %1$I', rolname), ';')
               FROM pg_roles WHERE rolname ~ '^p_(backend|cashier|supervisor|compliance|auditor|nightly)$');
END $$;
