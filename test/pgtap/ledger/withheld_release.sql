-- Who releases what was withheld (D0, R7.65): what a supervisor has ordered, somebody who may order it, with
-- a reason; what the game server has held back by itself, whoever may pay it. Each release is an event.
\ir ../helpers/compliance.psql
SELECT no_plan();
CREATE ROLE release_be;
CREATE ROLE release_desk;
CREATE ROLE release_boss;
CREATE ROLE release_both;
SELECT casino.grant_access('release_be', 'backend'), casino.grant_access('release_desk', 'cashier'),
    casino.grant_access('release_boss', 'supervisor'),
       casino.grant_access('release_both', 'backend'),
           casino.grant_access('release_both', 'supervisor') \g /dev/null

-- the command as the role: what it gives, or its SQLSTATE
CREATE FUNCTION t.as(role name, command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE format('SET LOCAL ROLE %I', role);
    EXECUTE 'SELECT ' || command INTO answer;
    RESET ROLE;
    RETURN answer;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
-- a and b bet on red, which wins at 18:05
CREATE FUNCTION t.open(OUT r bigint, OUT a bigint, OUT b bigint) LANGUAGE plpgsql AS $$
BEGIN
    a := t.player(1000);
    b := t.player(1000);
    r := t.round('S1', '18:00');
    PERFORM casino.place_bet(r, p, 'red@100', at => t.at('18:00')) FROM unnest(ARRAY[a, b]) p;
END $$;
CREATE FUNCTION t.settle(role name, r bigint, withhold boolean DEFAULT false) RETURNS text LANGUAGE sql AS
    $$ SELECT t.as(role,
                   format('(casino.settle_round(%s, ''{"number": 1}'', %L, %L, '
                          'CASE WHEN %4$L THEN ''a look'' END)).status',
                          r, t.at('18:05'), withhold, withhold)) $$;
CREATE FUNCTION t.hold(role name, r bigint, p bigint) RETURNS text LANGUAGE sql AS
    $$ SELECT t.as(role, format('casino.withhold_winnings(%s, %s, ''collusion'', %L)', r,
                                coalesce(p::text, 'NULL'), t.at('18:01'))) $$;
CREATE FUNCTION t.pay(role name, r bigint, p bigint DEFAULT NULL,
                      reason text DEFAULT NULL) RETURNS text LANGUAGE sql AS
    $$ SELECT t.as(role, format('(casino.pay_withheld(%s, %L, %s, %L)).status', r, t.at('18:10'),
                                coalesce(p::text, 'NULL'), reason)) $$;
CREATE FUNCTION t.balances(VARIADIC players bigint[]) RETURNS numeric[] LANGUAGE sql AS
    'SELECT array_agg(p.balance ORDER BY p.player_id) FROM casino.player p WHERE p.player_id = ANY (players)';

-- ---------------------------------------------------------------- a player whom the supervisor has withheld
SELECT * FROM t.open() \gset
SELECT t.hold('release_boss', :r, :a), t.settle('release_be', :r) \g /dev/null
SELECT is(t.pay(role, :r, p, reason), '42501',
          format('R7.65: %s does not open what the supervisor has locked', what))
  FROM (VALUES ('release_be', NULL::bigint, NULL, 'the game server'),
        ('release_be', :a, NULL, 'nor by the player''s number'),
            ('release_be', :a, 'let go', 'nor with a reason'),
               ('release_desk', NULL, 'let go', 'the cash desk')) v (role, p, reason, what);
SELECT is(t.balances(:a, :b), '{900.00,1100.00}', '... nothing is paid');
SELECT is(t.pay('release_boss', :r, p, reason), code, what)
  FROM (VALUES (NULL::bigint, NULL, '22004', 'who may withhold says why'),
        (:a, NULL, '22004', '... of a player too'), (:a, '  ', '22023', '... in words'),
               (:a, repeat('x', 1001), '22001', '... not too many')) v (p, reason, code, what);
SELECT is(t.pay('release_boss', :r, :a, 'the film shows nothing'), 'settled',
          'R7.65: with a reason it is released');
SELECT is(t.balances(:a, :b), '{1100.00,1100.00}', '... and paid');
SELECT is(t.pay('release_be', :r, :a), 'settled', 'once paid, a repetition is answered to anybody');
SELECT is((SELECT format('%s %s %s', e.event, e.reason, e.role)
           FROM casino.significant_event('2026-06-01', '2026-06-01') e
               WHERE e.player_id = :a AND e.event LIKE 'withholding ended%'),
          'withholding ended: paid the film shows nothing release_boss', 'the event says why, and who');
-- without naming him
SELECT * FROM t.open() \gset
SELECT t.hold('release_boss', :r, :a), t.settle('release_be', :r) \g /dev/null
SELECT is(t.pay('release_boss', :r, NULL, 'all clear'), 'settled', 'all who are withheld singly');
SELECT is((SELECT reason FROM casino.withholding_end WHERE player_id = :a), 'all clear',
          '... with the reason of each');

-- ---------------------------------------------------------------- a round that the supervisor has withheld
SELECT * FROM t.open() \gset
SELECT t.hold('release_boss', :r, NULL) \g /dev/null
SELECT is(t.settle('release_be', :r), 'withheld', 'ordered, the round is withheld when it is settled');
SELECT is(t.pay(role, :r, p), '42501', 'R7.65: ' || role || ' does not release it')
  FROM unnest('{release_be,release_desk}'::text[]) role, unnest(ARRAY[NULL, :a]::bigint[]) p;
GRANT SELECT, INSERT ON casino.ledger TO release_be;
SELECT is(t.as('release_be', 'count(*) FROM casino.ledger WHERE false'), '0',
          'a role that may INSERT into the ledger');
SET ROLE release_be;
SELECT throws_ok(format('INSERT INTO casino.ledger (player_id, kind, amount, stake_entry_no, posted_at)
                         VALUES (%s, ''payout'', 200, 2, ''2026-06-01 18:11'')',
                        :a),
                 'KL004', NULL, 'R7.45: ... pays nothing by hand of what an order has withheld');
RESET ROLE;
REVOKE SELECT, INSERT ON casino.ledger FROM release_be;
SELECT is(t.pay('release_boss', :r), '22004', 'the supervisor says why');
SELECT is(t.pay('release_boss', :r, :a, 'he was not there'), 'withheld', 'a player of it is released');
SELECT is(t.pay('release_boss', :r, NULL, 'the wheel is level'), 'settled', '... and the rest');
SELECT is(t.balances(:a, :b), '{1100.00,1100.00}', '... all have what they won');
SELECT set_eq(format($$SELECT e.event, e.reason, e.role, e.player_id
                     FROM casino.significant_event('2026-06-01', '2026-06-01') e WHERE e.round_id = %s$$, :r),
              format($$VALUES ('winnings of a round withheld', 'collusion', 'release_boss', NULL),
                     ('withholding ended: paid', 'he was not there', 'release_boss', %s),
                              ('winnings of a round released', 'the wheel is level', 'release_boss', NULL)$$,
                                  :a), 'law: withheld and released, by whom and why');
SELECT throws_ok(format('UPDATE casino.round SET withheld_paid_reason = ''other'' WHERE round_id = %s', :r),
                 'KR002', NULL, 'the reason does not change');
SELECT is(casino.game_recall(:r) #>> '{round,withheld_paid_reason}', 'the wheel is level',
          'game_recall() has it');

-- ---------------------------------------------------------------- what the settlement alone has held back
SELECT * FROM t.open() \gset
SELECT is(t.settle('release_be', :r, true), 'withheld', 'the game server holds back by itself');
SELECT is(t.pay('release_be', :r), 'settled', 'R7.65: and pays by itself');
SELECT * FROM t.open() \gset
SELECT t.settle('release_be', :r, true) \g /dev/null
SELECT is(t.pay('release_desk', :r, :b, 'at the desk'), 'withheld', 'the cash desk pays of it a player');
SELECT is((SELECT reason FROM casino.withholding_end WHERE player_id = :b), 'at the desk',
          '... a reason that is given is kept');
SELECT is(t.hold('release_boss', :r, :a), '', 'the supervisor withholds the other one');
SELECT is(t.pay('release_be', :r), 'settled', 'the game server pays the round');
SELECT is(t.balances(:a, :b), '{900.00,1100.00}', '... without the one whom the supervisor has withheld');
SELECT is(t.pay('release_be', :r, :a), '42501', '... nor him alone');
-- held back by a role that may order it
SELECT * FROM t.open() \gset
SELECT t.settle('release_both', :r, true) \g /dev/null
SELECT is(t.pay('release_be', :r), '42501',
          'R7.65: what somebody who may order it has held back at the settlement counts as ordered');
SELECT is(t.pay('release_both', :r), '22004', '... he says why');
SELECT is(t.pay('release_both', :r, NULL, 'nothing found'), 'settled', '... and releases it');
-- the owner of the ledger
SELECT * FROM t.open() \gset
SELECT t.hold('release_boss', :r, NULL), t.settle('release_be', :r) \g /dev/null
SELECT is((casino.pay_withheld(:r, t.at('18:10'))).status, 'settled',
          'the owner of the ledger releases without one');
CALL casino.reconcile('2026-06-01', '2026-06-01');
SELECT is_empty('SELECT * FROM casino.difference WHERE check_name <> ''guard''', 'the books fit');
SELECT is(t.as('release_be', f), '42501', f || ' is nobody''s')
  FROM unnest(ARRAY['casino_internal.pay_withheld_for(1, NULL, NULL, ''x'', ''all'')',
                    'casino_internal.release_authority()']) f;
-- A hub tells its cells the caller's authority. The caller has its own rights again afterwards.
BEGIN;
GRANT USAGE ON SCHEMA casino_internal TO release_be, release_boss;
GRANT EXECUTE ON FUNCTION casino_internal.release_authority() TO release_be, release_boss;
SET LOCAL ROLE release_boss;
SELECT casino_internal.release_authority() AS boss \gset
SELECT current_user AS then \gset
SET LOCAL ROLE release_be;
SELECT casino_internal.release_authority() AS be \gset
ROLLBACK;
SELECT is(:'boss'::text, 'reason', 'R7.65: who may order it releases with a reason');
SELECT is(:'be'::text, 'none', '... who may not, does not');
SELECT is(:'then'::text, 'release_boss',
          '... and has the rights of the ledger''s owner no longer than the question');
DROP OWNED BY release_be, release_desk, release_boss, release_both;
DROP ROLE release_be, release_desk, release_boss, release_both;
SELECT * FROM finish();
