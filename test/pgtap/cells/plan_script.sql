-- plan_script(): versions that a hub adds, approves and withdraws come into a cell, once and as they are
-- (R13.14, R13.47). Hub and cell are this database, one after the other: the hub's acts are rolled back.
-- tampers with the books
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SELECT no_plan();
CREATE ROLE script_writer;
CREATE ROLE script_approver;
GRANT USAGE ON SCHEMA casino, casino_internal TO script_writer, script_approver;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA casino TO script_writer, script_approver;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA casino TO script_writer, script_approver;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA casino, casino_internal TO script_writer, script_approver;
CREATE SCHEMA t;
CREATE FUNCTION t.as(who text, statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
    me CONSTANT text := session_user;
BEGIN
    PERFORM set_config('session_authorization', who, true);
    EXECUTE statement INTO answer;
    PERFORM set_config('session_authorization', me, true);
    RETURN coalesce(nullif(answer, ''), 'ok');
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
-- the draft, as a person of hub or cell writes it
CREATE FUNCTION t.draft() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    plan CONSTANT text := t.as('script_writer', $q$SELECT casino.add_plan_version('baccarat',
                               '2099-01-01 Europe/Prague', 'Baccarat, 2098')$q$);
BEGIN
    PERFORM t.as('script_writer', format($q$UPDATE casino.paytable SET num = 9 WHERE plan_id = %s
                                           AND (kind, grade) = ('tie', 'win') RETURNING kind$q$, plan));
    RETURN plan;
END $$;
CREATE FUNCTION t.approve(plan text) RETURNS text LANGUAGE sql AS $$
    SELECT t.as('script_approver', format('SELECT casino.approve_plan_version(%s, %L, %L, %L)', plan,
                                         'MF-1/2098', 'Ministry of Finance',
                                         '2026-02-01 12:00 Europe/Prague')) $$;
-- as psql runs the script in a transaction of its own
CREATE FUNCTION t.load(script text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    detail text;
BEGIN
    EXECUTE regexp_replace(regexp_replace(script, '^BEGIN;', ''), 'COMMIT;$', '');
    SET LOCAL session_replication_role = origin;
    RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
    RETURN SQLSTATE || ' ' || detail;
END $$;
CREATE FUNCTION t.digest() RETURNS text LANGUAGE sql AS $$ SELECT encode(casino.plan_digest(), 'hex') $$;
CREATE FUNCTION t.stands(OUT versions bigint, OUT approvals bigint, OUT withdrawals bigint,
                         OUT in_2099 integer)
LANGUAGE sql AS $$
    SELECT (SELECT count(*) FROM casino.game_plan WHERE version > 1),
           (SELECT count(*) FROM casino.plan_approval), (SELECT count(*) FROM casino.plan_withdrawal),
           (SELECT p.version FROM casino.game_plan p
             WHERE p.plan_id = casino.plan_in_force('baccarat', '2099-01-01 Europe/Prague')) $$;

-- ---------------------------------------------------------------- the hub
SELECT t.digest() AS at_first, casino.plan_script() AS nothing \gset
BEGIN;
SELECT t.draft() AS plan \gset
SELECT casino.plan_script() AS s_draft, t.digest() AS d_draft \gset
SELECT is(t.approve(:'plan'), 'ok', 'the hub approves');
SELECT casino.plan_script() AS s_approved, t.digest() AS d_approved \gset
SELECT casino.withdraw_plan_version(:plan, 'refused') \g /dev/null
SELECT casino.plan_script() AS s_withdrawn, t.digest() AS d_withdrawn \gset
ROLLBACK;
BEGIN;
SELECT t.draft() AS plan \gset
SELECT casino.withdraw_plan_version(:plan, 'given up') \g /dev/null
SELECT casino.plan_script() AS s_given_up, t.digest() AS d_given_up \gset
ROLLBACK;
SELECT is(t.digest(), :'at_first', 'and all of that is rolled back');
SELECT is((SELECT count(DISTINCT d) FROM unnest(ARRAY[:'at_first', :'d_draft', :'d_approved', :'d_withdrawn',
                                                      :'d_given_up']) d), 5::bigint, 'five states');

-- ---------------------------------------------------------------- a cell that had nothing, step by step
BEGIN;
SELECT nextval('casino.plan_id_seq') \g /dev/null
SET timezone = 'Asia/Tokyo';
SELECT is(t.load(:'nothing'), 'ok', 'nothing');
SELECT is(t.load(:'s_draft'), 'ok', 'the draft, time ' || n) FROM generate_series(1, 2) n;
SELECT is(t.digest(), :'d_draft', 'it is that of the hub');
SELECT results_eq('SELECT * FROM t.stands()', 'VALUES (1::bigint, 0::bigint, 0::bigint, 1)',
                  'R1.20: a draft is not in force');
SELECT clock_timestamp() AS before \gset
SELECT is(t.load(:'s_approved'), 'ok', 'R13.47: its approval, time ' || n) FROM generate_series(1, 2) n;
SELECT is(t.digest(), :'d_approved', 'R13.47: the digests are equal');
SELECT results_eq('SELECT * FROM t.stands()', 'VALUES (1::bigint, 1::bigint, 0::bigint, 2)',
                  'R13.14: the cell has the version of its rounds');
SELECT results_eq('SELECT number, approved_by, at, recorded_by FROM casino.plan_approval',
                  $$VALUES ('MF-1/2098', 'Ministry of Finance',
                            '2026-02-01 12:00 Europe/Prague'::timestamptz, NULL::integer)$$,
                  'R13.47: who and when, as it was at the hub; nobody of the cell');
SELECT ok((SELECT a.recorded_at BETWEEN :'before' AND clock_timestamp() FROM casino.plan_approval a),
          'R13.47: recorded when it came, since no seal of before has it');
SELECT is(t.load(:'s_draft'), '55000 It differs in plan_approval.',
          'R13.47: an approval that the hub does not have');
SELECT is(t.load(:'s_withdrawn'), 'ok', 'R13.47: its withdrawal, time ' || n) FROM generate_series(1, 2) n;
SELECT is(t.digest(), :'d_withdrawn', 'R13.47: the digests are equal');
SELECT results_eq('SELECT * FROM t.stands()', 'VALUES (1::bigint, 1::bigint, 1::bigint, 1)',
                  'R1.25: it does not come into force');
SELECT is(t.load(:'s_approved'), '55000 It differs in plan_withdrawal.',
          'R13.47: a withdrawal that the hub does not have');
SELECT is(t.load(:'s_given_up'), '55000 It differs in plan_approval, plan_withdrawal.',
          'R13.47: another withdrawal, and no approval');
SELECT is(t.digest(), :'d_withdrawn', 'refused, nothing has changed');
ROLLBACK;
SET timezone = 'Europe/Prague';
-- all at once, and a draft that was given up
BEGIN;
SELECT is(t.load(:'s_withdrawn'), 'ok', 'approved and withdrawn at once');
SELECT is(t.digest(), :'d_withdrawn', 'the digests are equal');
SELECT ok((SELECT a.recorded_at >= :'before' FROM casino.plan_approval a), 'recorded when it came, too');
ROLLBACK;
BEGIN;
SELECT is(t.load(:'s_draft'), 'ok', 'a draft');
SELECT is(t.load(:'s_given_up'), 'ok', 'R13.47: that was given up');
SELECT is(t.digest(), :'d_given_up', 'the digests are equal');
ROLLBACK;

-- ---------------------------------------------------------------- a cell where a person wrote the same draft
BEGIN;
SELECT t.draft() AS here \gset
SELECT is(t.load(:'s_approved'), 'ok', 'R13.47: approved, too');
SELECT is(t.digest(), :'d_approved', 'the digests are equal');
SELECT is((SELECT r.role FROM casino.game_plan p JOIN casino.recorder r ON r.recorder_id = p.recorded_by
            WHERE p.plan_id = :here), 'script_writer', 'whose rows stay that person''s');
ROLLBACK;
-- and one that differs by one value
CREATE TABLE t.change (part text, statement text);
INSERT INTO t.change VALUES
    ('paytable', $$UPDATE casino.paytable SET den = 2
                   WHERE plan_id = %s AND (kind, grade) = ('tie', 'win')$$),
    ('paytable', $$UPDATE casino.paytable SET paragraph = 'x' WHERE plan_id = %s AND kind = 'tie'$$),
    ('paytable', $$DELETE FROM casino.paytable WHERE plan_id = %s AND (kind, grade) = ('egalite', 'tie_7')$$),
    ('bet_rule', $$UPDATE casino.bet_rule SET max_stake = max_stake + 0.01
                   WHERE plan_id = %s AND kind = 'tie'$$),
    ('plan_rule', $$UPDATE casino.plan_rule SET paragraph = 'x' WHERE plan_id = %s AND rule = 'decks'$$),
    ('plan_rule', $$INSERT INTO casino.plan_rule (plan_id, rule, value, paragraph, informative)
                    VALUES (%s, 'more', 'x', 'x', true)$$),
    ('game_plan', $$UPDATE casino.game_plan SET valid_from = valid_from + interval '1 us'
                    WHERE plan_id = %s$$),
    ('game_plan', $$UPDATE casino.game_plan SET document = 'x' WHERE plan_id = %s$$),
    ('game_plan', $$UPDATE casino.game_plan SET round_max_stake = 1000000 WHERE plan_id = %s$$),
    ('plan_approval', $$INSERT INTO casino.plan_approval (plan_id, number, approved_by, at) VALUES
                        (%s, 'MF-2/2098', 'Ministry of Finance', '2026-02-01 12:00 Europe/Prague')$$),
    ('plan_approval', $$INSERT INTO casino.plan_approval (plan_id, number, approved_by, at) VALUES
                        (%s, 'MF-1/2098', 'Ministry of Finance', '2026-02-01 12:01 Europe/Prague')$$);
CREATE FUNCTION t.changed(statement text, script text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    plan text;
    answer text;
BEGIN
    plan := t.draft();
    SET LOCAL session_replication_role = replica;
    PERFORM t.as('script_writer', format(statement, plan) || ' RETURNING plan_id');
    SET LOCAL session_replication_role = origin;
    answer := t.load(script);
    answer := answer || ' '
              || (SELECT count(*) FROM casino.plan_approval a
                   WHERE a.number = 'MF-1/2098' AND a.at = '2026-02-01 12:00 Europe/Prague');
    RAISE EXCEPTION USING MESSAGE = answer, ERRCODE = 'UUUUU';
EXCEPTION WHEN SQLSTATE 'UUUUU' THEN
    RETURN SQLERRM;
END $$;
SELECT is(t.changed(c.statement, :'s_approved'), format('55000 It differs in %s. 0', c.part),
          'R13.47: refused: ' || c.statement)
  FROM t.change c;
SELECT is(t.changed('DELETE FROM casino.kept_plan WHERE plan_id = -%s', :'s_approved'), 'ok 1',
          'R13.47: unchanged it is loaded');

-- ---------------------------------------------------------------- without replica: two persons
SELECT substring(:'s_approved', $$load_plan_version\(('.*')\);$$) AS content \gset
BEGIN;
SELECT t.draft() AS here \gset
SELECT is(t.as(who, 'SELECT casino_internal.load_plan_version(' || :'content' || ')'), answer,
          'R1.21: loaded as an ordinary call by ' || who)
  FROM (VALUES ('script_writer', '42501'), ('script_approver', 'baccarat, version 2: approved'),
               ('script_writer', 'baccarat, version 2: as it was')) v (who, answer);
ROLLBACK;

-- ---------------------------------------------------------------- a game that was added
BEGIN;
SELECT t.as('script_writer', $$SELECT casino.add_game('baccarat_small', 'Small Baccarat', 'baccarat', true,
                                                     'D9 Baccarat', '2099-03-01')$$) AS small \gset
SELECT casino.plan_script() AS s_game_draft \gset
SELECT is(t.approve(:'small'), 'ok', 'a game is added and approved');
SELECT casino.plan_script() AS s_game, t.digest() AS d_game \gset
ROLLBACK;
BEGIN;
SELECT is(t.load(:'s_game_draft'), 'ok', 'R1.20: the draft of a first version');
SELECT is(t.digest(), :'at_first', 'R1.20: is not loaded, nobody''s would be in force');
SELECT is(t.load(:'s_game'), 'ok', 'approved it is, with the game, time ' || n) FROM generate_series(1, 2) n;
SELECT is(t.digest(), :'d_game', 'the digests are equal');
SELECT is((SELECT p.version FROM casino.game_plan p
            WHERE p.plan_id = casino.plan_in_force('baccarat_small', '2099-03-01')), 1, 'it is in force');
ROLLBACK;
SELECT is(t.digest(), :'at_first', 'and nothing is left of it');

SELECT * FROM finish();
