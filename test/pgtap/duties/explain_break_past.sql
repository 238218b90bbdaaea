-- explain_break() of a time that is past (D4 §8, §6.2, R7.5): what was known to hold then. Answers given live
-- are kept and asked for again when all is over; what is dated otherwise than it was written counts from when
-- it was written, a replay from its own time.
\ir ../helpers/compliance.psql
-- tampers with the books: the long history is written past the trigger
SELECT no_plan();

CREATE TABLE t.answer (n serial, p bigint, at timestamptz, state text, may_bet boolean, code text, why text,
                       since timestamptz, until timestamptz);
-- asks now and keeps the answer; the instant is the time of the question
CREATE FUNCTION t.ask(p bigint, at timestamptz, state text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO t.answer (p, at, state, may_bet, code, why, since, until) SELECT p, at, state, e.*
      FROM casino.explain_break(p, at) e $$;
CREATE FUNCTION t.again(state text) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT is(format('%s', e), format('%s', (a.may_bet, a.code, a.why, a.since, a.until)),
              format('%s: asked later of %s', a.state, a.at))
      FROM t.answer a, casino.explain_break(a.p, a.at) e WHERE a.state LIKE again.state || '%'
          ORDER BY a.n $$;

-- ---------------------------------------------- live, with the clock: the row answers now, the records later
-- the events are dated minutes before the clock, by replay, so that a sequence of two hours
-- fits; the last ones are live
CREATE FUNCTION t.live() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    p bigint := t.player(10000);
    other bigint := t.player(10000);
    r bigint;
    n integer;
BEGIN
    PERFORM t.ask(p, clock_timestamp(), 'live: never played'), pg_sleep(0.02);
    r := t.stake(p, 'S1', clock_timestamp()::text, request => 'a');
    PERFORM t.ask(p, clock_timestamp(), 'live: a stake'), pg_sleep(0.02);
    PERFORM t.ask(other, clock_timestamp(), 'live: another player');
    PERFORM casino.cancel_bet(r, p, 'a');
    PERFORM t.ask(p, clock_timestamp(), 'live: cancelled'), pg_sleep(0.02);
    PERFORM t.stake(p, 'E1', clock_timestamp()::text), t.stake(p, 'M1', clock_timestamp()::text);
    PERFORM t.ask(p, clock_timestamp(), 'live: at another table'), pg_sleep(0.02);
    PERFORM casino.close_betting(t.round('E1', clock_timestamp()::text));
    PERFORM t.ask(p, clock_timestamp(), 'live: closed'), pg_sleep(0.02);
    PERFORM casino.settle_round(t.round('E1', clock_timestamp()::text), '{"number": 0}');
    PERFORM t.ask(p, clock_timestamp(), 'live: evaluated'), pg_sleep(0.02);
    r := t.stake(p, 'S1', clock_timestamp()::text);
    PERFORM t.ask(p, clock_timestamp(), 'live: in the next round'), pg_sleep(0.02);
    PERFORM casino.void_round(r, 'voided before the close');
    PERFORM t.ask(p, clock_timestamp(), 'live: voided before the close'), pg_sleep(0.02);
    r := t.stake(p, 'S1', clock_timestamp()::text);
    PERFORM casino.close_betting(r), t.ask(p, clock_timestamp(), 'live: in a round that will be voided'),
        pg_sleep(0.02);
    PERFORM casino.void_round(r, 'voided after the close');
    PERFORM t.ask(p, clock_timestamp(), 'live: voided after the close'), pg_sleep(0.02);
    r := t.stake(p, 'S2', clock_timestamp()::text);
    PERFORM t.ask(p, clock_timestamp(), 'live: a stake that an exclusion returns'), pg_sleep(0.02);
    n := casino.exclude_player(p, clock_timestamp() + interval '1 hour', 'operator');
    PERFORM t.ask(p, clock_timestamp(), 'live: excluded'), pg_sleep(0.02);
    PERFORM casino.exclude_player(p, clock_timestamp() + interval '2 hours', 'register');
    PERFORM t.ask(p, clock_timestamp(), 'live: excluded for longer'), pg_sleep(0.02);
    PERFORM casino.end_exclusion(p, n, 'a wrong name');
    PERFORM t.ask(p, clock_timestamp(), 'live: the first one ended'), pg_sleep(0.02);
    PERFORM casino.end_exclusion(p, n + 1, 'deleted from the register');
    PERFORM t.ask(p, clock_timestamp(), 'live: both ended'), pg_sleep(0.02);
    PERFORM casino.void_round(t.round('M1', clock_timestamp()::text), 'not live'),
        casino.adjust(p, -(SELECT balance FROM casino.player q WHERE q.player_id = p), 'out');
    PERFORM casino.close_account(p);
    PERFORM t.ask(p, clock_timestamp(), 'live: account closed'), pg_sleep(0.02);
    n := casino.register_player((SELECT external_ref FROM casino.player q WHERE q.player_id = p));
    PERFORM t.ask(n, clock_timestamp(), 'live: a new account'), pg_sleep(0.02);
    PERFORM casino.deposit(n, 100), t.stake(n, 'A1', clock_timestamp()::text);
    PERFORM t.ask(n, clock_timestamp(), 'live: a stake of the new account');
    PERFORM casino.settle_round(t.round('A1', clock_timestamp()::text), '{"number": 1}');
    PERFORM t.ask(n, clock_timestamp(), 'live: evaluated for the new account');
END $$;
SELECT t.live() \g /dev/null
SELECT bag_eq($$SELECT substr(state, 7) AS state, coalesce(code, 'ok') AS code, since IS NOT NULL AS since,
              until IS NOT NULL AS until FROM t.answer WHERE state LIKE 'live%'$$,
  $$VALUES ('never played', 'ok', false, false), ('a stake', 'KC002', true, false),
      ('another player', 'ok', false, false), ('cancelled', 'ok', false, false),
    ('at another table', 'KC002', true, false), ('closed', 'KC002', true, false),
        ('evaluated', 'ok', true, true), ('in the next round', 'KC002', true, false),
    ('voided before the close', 'ok', true, true), ('in a round that will be voided', 'KC002', true, false),
        ('voided after the close', 'ok', true, true),
    ('a stake that an exclusion returns', 'KC002', true, false), ('excluded', 'KC004', true, true),
        ('excluded for longer', 'KC004', true, true),
    ('the first one ended', 'KC004', true, true), ('both ended', 'ok', true, true),
        ('account closed', '55000', true, false),
    ('a new account', 'ok', true, true), ('a stake of the new account', 'KC002', true, false),
        ('evaluated for the new account', 'ok', true, true)$$,
  'live: the answers as they were given');
SELECT t.again('live');

-- ---------------------- boundaries, from a history put in later: each answer is that of a stake at that time
CREATE FUNCTION t.boundary(length interval) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    p bigint := t.player();
    m text;
    ended timestamptz := t.run(p, t.at('10:00'), length);
BEGIN
    FOREACH m IN ARRAY ARRAY[ended, ended + interval '14:59.999999', ended + interval '15:00',
                             ended + interval '1 hour']::text[] LOOP
        m := CASE m
             WHEN (ended + interval '14:59.999999')::text
             THEN (ended + interval '14 minutes 59.999999 seconds')::text
                    WHEN (ended + interval '15:00')::text THEN (ended + interval '15 minutes')::text
                        ELSE m END;
        INSERT INTO t.answer (p, at, state, code) VALUES (p, m::timestamptz, 'boundary ' || length,
                                                          t.may(p, 'A1', m));
    END LOOP;
    RETURN p;
END $$;
SELECT t.boundary('119 minutes 59.999999 seconds'), t.boundary('120 minutes'),
    t.boundary('121 minutes') \g /dev/null
SELECT is((SELECT array_agg(code ORDER BY n) FROM t.answer WHERE state LIKE 'boundary%'),
          '{ok,ok,ok,ok,KC001,KC001,ok,ok,KC001,KC001,ok,ok}',
              'what stakes met: 119:59.999999 and 14:59.999999, 120:00 and 15:00');
-- a day of play afterwards changes nothing of it
SELECT t.run(p, t.at('2026-06-02 10:00'), '118 minutes')
  FROM (SELECT DISTINCT p FROM t.answer WHERE state LIKE 'boundary%') a \g /dev/null
SELECT is(coalesce(e.code, 'ok'), a.code, format('%s, asked later of %s', a.state, a.at))
  FROM t.answer a, casino.explain_break(a.p, a.at) e WHERE a.state LIKE 'boundary%' ORDER BY a.n;
SELECT is((e.since, e.until), (t.at('10:00'), t.at('12:15')),
          'the break of 120:00: since the first stake, until 15:00 later')
  FROM (SELECT p FROM t.answer WHERE state = 'boundary 02:00:00' LIMIT 1) a,
      casino.explain_break(a.p, t.at('12:05')) e;
-- within it: a stake, its round, the gap
SELECT is((SELECT array_agg(coalesce(e.code, 'ok') ORDER BY m.at)
           FROM (VALUES ('09:59:59.999999'), ('10:00'), ('10:11:59.999999'), ('10:12'), ('10:13:59.999999'),
                 ('10:14')) m (at),
              LATERAL casino.explain_break((SELECT p FROM t.answer WHERE state = 'boundary 02:00:00' LIMIT 1),
                                           t.at(m.at)) e), '{ok,KC002,KC002,ok,ok,KC002}',
                                               'a stake from 10:00, an evaluation from 10:12 on');

-- ------------------------------- dated otherwise than written, within a minute: it counts when it is written
SET casino.clock_skew = 60;
SELECT t.player(1000, clock_timestamp()::text) AS p,
    casino.open_round((SELECT table_id FROM casino.game_table WHERE name = 'E1'), 'skewed',
                      clock_timestamp()) AS r \gset
SELECT clock_timestamp() AS asked \gset
SELECT casino.place_bet(:r, :p, 'red@10', at => clock_timestamp() + interval '20 s') \g /dev/null
SELECT clock_timestamp() AS staked \gset
SELECT casino.settle_round(:r, '{"number": 0}',
                           (SELECT posted_at + interval '1 s' FROM casino.ledger
                            WHERE player_id = :p AND kind = 'stake')) \g /dev/null
SELECT clock_timestamp() AS settled \gset
SELECT is((e.code, e.until), (NULL::text, NULL::timestamptz),
          'dated ahead: before it was written nobody knew of the stake')
              FROM casino.explain_break(:p, :'asked') e;
SELECT is((e.code, e.until), ('KC002'::text, NULL::timestamptz),
          '... then the stake was known, and no evaluation') FROM casino.explain_break(:p, :'staked') e;
SELECT is((e.code, e.until), ('KC002'::text, (SELECT evaluated_at FROM casino.round WHERE round_id = :r)),
          '... then the evaluation, and when it will be') FROM casino.explain_break(:p, :'settled') e;
SET casino.clock_skew = -1;

-- ---------------------------------------------------------------- a former account's sequence and exclusions
SELECT t.player() AS p \gset
SELECT t.run(:p, t.at('10:00'), '110 minutes'),
    casino.exclude_player(:p, t.at('2026-06-01 11:56'), 'operator', t.at('11:51')) \g /dev/null
SELECT casino.adjust(:p, -(SELECT balance FROM casino.player WHERE player_id = :p), 'out',
                     at => t.at('11:57')), casino.close_account(:p, t.at('11:57')) \g /dev/null
SELECT casino.register_player((SELECT external_ref FROM casino.player WHERE player_id = :p)) AS q \gset
SELECT is((SELECT array_agg(coalesce(e.code, 'ok') ORDER BY m.at)
           FROM (VALUES ('10:01'), ('11:50'), ('11:51'), ('11:56'), ('11:57'), ('12:04:59.999999')) m (at),
               LATERAL casino.explain_break(:p, t.at(m.at)) e),
          '{KC002,ok,KC004,ok,55000,55000}', 'the former account: as it was, and closed from 11:57 on');
SELECT casino.deposit(:q, 1000, at => t.at('11:58')), t.play(:q, 'S1', '12:00', '12:01') \g /dev/null
SELECT is((SELECT array_agg(format('%s %s', coalesce(e.code, 'ok'), to_char(e.since, 'HH24:MI'))
                            ORDER BY m.at) FROM (VALUES ('10:01'), ('11:51'), ('11:58'), ('12:00'), ('12:01'),
                                                 ('12:15:59'), ('12:16')) m (at),
                                                     LATERAL casino.explain_break(:q, t.at(m.at)) e),
          ARRAY['KC002 10:00', 'KC004 ', 'ok 10:00', 'KC002 10:00', 'KC001 10:00', 'KC001 10:00', 'ok '],
              'the new one: the sequence is the person''s, 120 minutes long at 12:01');

-- --------------------------------------------- a round that is open for hours, with play elsewhere meanwhile
SELECT t.player() AS p \gset
SELECT t.stake(:p, 'S1', '2026-06-03 10:00') \g /dev/null
SELECT t.play(:p, 'M1', (t.at('2026-06-03 10:00') + n * interval '1 minute')::text,
              (t.at('2026-06-03 10:00') + n * interval '1 minute')::text, win => n % 3 = 0)
                  FROM generate_series(1, 300) n \g /dev/null
SELECT t.settle('S1', '2026-06-03 15:30'), t.play(:p, 'M1', '2026-06-03 15:31',
                                                  '2026-06-03 15:32') \g /dev/null
SELECT is((SELECT array_agg(format('%s %s', coalesce(e.code, 'ok'), to_char(e.since, 'HH24:MI'))
                            ORDER BY m.at) FROM (VALUES ('09:00'), ('10:00'), ('14:00'), ('15:29'), ('15:30'),
                                                 ('15:44:59'), ('15:45')) m (at),
                                                     LATERAL casino.explain_break(:p,
                                                             t.at('2026-06-03 ' || m.at)) e),
          ARRAY['ok ', 'KC002 10:00', 'KC002 10:00', 'KC002 10:00', 'KC001 10:00', 'KC001 10:00', 'ok '],
              'one round of five and a half hours');

-- ---------------------------------------------------------------- rows read do not grow with the history
CREATE FUNCTION t.long_history(p bigint, entries integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    first bigint := (SELECT last_entry_no FROM casino.player q WHERE q.player_id = p);
    r bigint[];
    a bigint;
BEGIN
    -- past the trigger: 50 stakes a live round of ten minutes, four minutes between rounds, 25 minutes after
    -- eight of them
    ALTER TABLE casino.ledger DISABLE TRIGGER USER;
    INSERT INTO casino.round (round_id, table_id, table_version, round_ref, plan_id, status, opened_at,
                              betting_closed_at, evaluated_at, evaluation_recorded_at,
                              outcome, outcome_document, wagers, players, staked, paid, opened_by)
    SELECT nextval('casino.round_id_seq'), g.table_id, 1, 'long ' || n,
        (SELECT max(plan_id) FROM casino.round o WHERE o.table_id = g.table_id), 'settled', s,
            s + interval '5 minutes',
           s + interval '10 minutes', s + interval '10 minutes', '{"number": 0}', '{"number": 0}', 50, 1, 50,
               0, 1
      FROM casino.game_table g, generate_series(0, entries / 50 - 1) n,
          LATERAL (SELECT '2024-01-01'::timestamptz + n * interval '14 minutes'
                          + n / 8 * interval '21 minutes' AS s) x
     WHERE g.name = 'L1' ORDER BY n;
    INSERT INTO casino.ledger (player_id, entry_no, kind, amount, round_id, bet, balance, posted_at,
                               recorded_at, recorded_by)
    SELECT p, first + row_number() OVER (ORDER BY o.round_id, k), 'stake', 1, o.round_id, 'red@1', 0,
        o.opened_at + k * interval '1 second', o.opened_at + k * interval '1 second', 1
      FROM casino.round o, generate_series(0, 49) k WHERE o.round_ref LIKE 'long %';
    UPDATE casino.player q SET last_entry_no = first + entries, last_posted_at = '2026-05-01'
     WHERE q.player_id = p;
    ALTER TABLE casino.ledger ENABLE TRIGGER USER;
    PERFORM casino_internal.enable_append_only();
END $$;
SELECT casino.add_game_table('roulette_synot', 'L1', 1, 10000) \g /dev/null
SELECT t.player(0) AS p, t.stake(t.player(1000, '2023-11-01'), 'L1', '2023-12-01') \gset
SELECT t.settle('L1', '2023-12-01') \g /dev/null
SET session_replication_role = replica;
SELECT t.long_history(:p, 100000) \g /dev/null
SET session_replication_role = origin;
ANALYZE casino.ledger, casino.round;
CREATE FUNCTION t.rows_read() RETURNS bigint LANGUAGE sql AS $$
    SELECT sum(coalesce(pg_stat_get_xact_tuples_fetched(c.oid),
                        0) + coalesce(pg_stat_get_xact_tuples_returned(c.oid), 0))::bigint
      FROM pg_class c WHERE c.oid IN ('casino.ledger_1'::regclass, 'casino.round'::regclass,
                                      'casino.player'::regclass) OR c.oid IN
           (SELECT i.indexrelid FROM pg_index i
            WHERE i.indrelid IN ('casino.ledger_1'::regclass, 'casino.round'::regclass,
                                 'casino.player'::regclass)) $$;
CREATE FUNCTION t.cost(p bigint, at timestamptz, OUT answer text, OUT read bigint) LANGUAGE plpgsql AS $$
DECLARE
    before bigint := t.rows_read();
BEGIN
    SELECT format('%s %s', coalesce(e.code, 'ok'), to_char(e.since, 'YYYY-MM-DD HH24:MI')) INTO answer
      FROM casino.explain_break(p, at) e;
    read := t.rows_read() - before;
END $$;
-- round 804 is the fifth of its eight: they start at 2024-01-01 plus 800 times 14 minutes and 100 times 21,
-- and 56 minutes later
SELECT is(c.answer, 'KC002 2024-01-10 05:40', '100 000 entries: the answer of a time in the middle')
  FROM t.cost(:p, '2024-01-01'::timestamptz + interval '1 minute' * (804 * 14 + 100 * 21 + 3)) c;
SELECT is(c.answer, 'ok ', '... before the first') FROM t.cost(:p, '2023-12-31') c;
SELECT is(c.answer, 'ok ', '... and when nothing had been played for long') FROM t.cost(:p, '2026-04-01') c;
-- a sequence of eight rounds has 400 entries; each is read with its refund, from a chunk of 32, besides 17
-- steps of bisection
SELECT cmp_ok(c.read, '<', 2000::bigint,
              format('rows and index entries read of a sequence of 400 among 100 000, at %s: %s', m.at,
                     c.read))
  FROM (VALUES (0.001), (0.5), (0.999)) x (part),
      LATERAL (SELECT '2024-01-01'::timestamptz
                      + x.part * interval '1 minute' * (2000 * 14 + 250 * 21) AS at) m,
      LATERAL t.cost(:p, m.at) c;
SELECT cmp_ok(c.read, '<', 200::bigint, format('... with nothing before it: %s', c.read))
  FROM t.cost(:p, '2026-04-01') c;

-- ---------------------------------------------------------------- any time may be asked for
SELECT is((SELECT array_agg(coalesce(e.code, 'ok'))
           FROM unnest('{-infinity,4713-01-01 BC,1970-01-01,infinity}'::timestamptz[]) WITH ORDINALITY a (at,
                   n), LATERAL casino.explain_break(:q, a.at) e), '{ok,ok,ok,ok}',
                       'any time may be asked for');
SELECT * FROM finish();
