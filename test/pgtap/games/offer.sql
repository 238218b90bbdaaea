-- offer(), offers(), position_limits(), round_result(): what is shown is what is enforced.
BEGIN;
SET client_min_messages = warning;
SET search_path = casino, casino_internal, public;
SET timezone = 'Europe/Prague';
SELECT no_plan();
SET casino.clock_skew = -1;
CREATE SCHEMA t;
CREATE FUNCTION t.verdict(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    RAISE SQLSTATE 'YYYYY';
EXCEPTION
    WHEN SQLSTATE 'YYYYY' THEN RETURN 'taken';
    WHEN OTHERS THEN RETURN SQLSTATE;
END $$;

-- -------------------------------------------------------------------------------- limits of a table, by hand
-- D4 Roulette (Synot) §21, §22: straight 10 000, split twice of it and so on by the table's
-- straight; outside bets the plan's
SELECT add_game_table('roulette_synot', 'Vltava', 10, 100,
                      '{"limits": {"red": {"min": 50, "max": 5000}, "split": {"max": 150}}}') AS vltava \gset
SELECT results_eq(format($$SELECT kind, selection, min, max, min_from, max_from
                         FROM casino.position_limits(%s)
                            WHERE kind IN ('straight', 'split', 'corner', 'red', 'black', 'dozen')$$,
                                :vltava),
    $$VALUES ('straight', 'numbers', 10.00, 100.00, 'table', 'table'),
        ('split', 'numbers', 10.00, 150.00, 'table', 'kind'),
             ('corner', 'numbers', 10.00, 400.00, 'table', 'straight'),
                 ('dozen', 'third', 10.00, 65000.00, 'table', 'plan'),
             ('red', NULL, 50.00, 5000.00, 'kind', 'kind'),
                 ('black', NULL, 10.00, 100000.00, 'table', 'plan')$$,
    'R4.4: each limit, and what names it');
-- D2: the plan of American roulette names no maximum for outside bets: eighteen times the straight's
SELECT add_game_table('roulette_american', 'Hall', 10, 100) AS hall \gset
SELECT results_eq(format($$SELECT max, max_from FROM casino.position_limits(%s)
                         WHERE kind IN ('red', 'dozen', 'six_line') ORDER BY kind$$, :hall),
    $$VALUES (1200.00, 'straight'), (1800.00, 'straight'), (600.00, 'straight')$$,
        'R4.4: by the numbers covered');

-- ------------------------------------------------------------------- what is shown is enforced, at both ends
SELECT add_game_table('roulette_evolution', 'Labe', 1, 200),
    add_game_table('roulette_absolute', 'Odra', 5, 5000),
       add_game_table('baccarat', 'Tatra', 50, 2500,
                      '{"limits": {"tie": {"min": 20, "max": 300}}}') \g /dev/null
SELECT register_player('rich') AS rich \gset
SELECT deposit(:rich, 100000000, at => '2026-03-01') \g /dev/null
CREATE TABLE t.round AS SELECT t.table_id, t.name, open_round(t.table_id, 'r', '2026-03-02') AS r
    FROM game_table t;
-- a bet of each kind: the first selection
CREATE TABLE t.sample (kind text PRIMARY KEY, selection text);
INSERT INTO t.sample VALUES ('straight', '17'), ('split', '17-20'), ('street', '1-2-3'), ('trio', '0-1-2'),
    ('corner', '1-2-4-5'),
    ('six_line', '1-2-3-4-5-6'), ('dozen', '1'), ('column', '2'), ('egalite', '4');
CREATE FUNCTION t.bet_of(kind text, amount numeric) RETURNS text LANGUAGE sql AS $$
    SELECT bet_of.kind || coalesce(':' || (SELECT s.selection FROM t.sample s WHERE s.kind = bet_of.kind), '')
        || '@' || amount
$$;
CREATE TABLE t.edge AS
SELECT r.r, r.name, o.kind, e.side, e.amount, e.wanted
  FROM t.round r CROSS JOIN LATERAL offer(r.table_id) o
 CROSS JOIN LATERAL (VALUES ('min', o.min, 'taken'), ('max', o.max, 'taken'),
                     ('under', o.min - 0.01, 'KB002'), ('over', o.max + 0.01, 'KB002'))
            e (side, amount, wanted)
 WHERE amount > 0;
SELECT cmp_ok((SELECT count(*) FROM t.edge), '>=', 4 * 60::bigint,
              'every kind of four roulettes and baccarat is on offer');
SELECT is((SELECT string_agg(format('%s %s %s', name, kind, side), ', ')
             FROM t.edge
            WHERE t.verdict(format('SELECT casino.place_bet(%s, %s, %L, at => ''2026-03-02'')', r, :rich,
                                   t.bet_of(kind, amount))) <> wanted),
          NULL, 'what is offered is taken, a haléř beyond is refused: place_bet()');
SELECT is((SELECT string_agg(format('%s %s %s', name, kind, side), ', ')
             FROM t.edge
            WHERE t.verdict(format('INSERT INTO casino.ledger (round_id, player_id, kind, bet, posted_at)
                                    VALUES (%s, %s, ''stake'', %L, ''2026-03-02'')',
                                   r, :rich, t.bet_of(kind, amount))) <> wanted),
          NULL, 'and by a plain INSERT');
SELECT results_eq(format($$SELECT kind, min, max, declared_win FROM casino.offer(%s)$$, :vltava),
                  format($$SELECT kind, min, max, declared_win FROM casino.position_limits(%s)$$, :vltava),
                      'offer() shows those of position_limits()');

-- ------------------------------------------------------------------------- a round keeps its versions (R1.2)
SELECT r AS r, name FROM t.round WHERE table_id = :vltava \gset
SELECT set_table_limits(:vltava, 20, 200, at => '2026-03-03') \g /dev/null
SELECT is((SELECT (min, max) FROM offer(:vltava) WHERE kind = 'straight'), (10.00, 100.00),
          'the open round keeps the limits it was opened under');
SELECT is((SELECT (min, max) FROM position_limits(:vltava, '2026-03-02') WHERE kind = 'straight'),
          (10.00, 100.00), 'limits of a day before');
SELECT is((SELECT (min, max) FROM position_limits(:vltava) WHERE kind = 'straight'), (20.00, 200.00),
          'limits now');
SELECT is((SELECT DISTINCT (round_id, round_ref, status) FROM offer(:vltava)),
          (:r::bigint, 'r'::text, 'open'::text), 'with the round');
SELECT place_bets(:r, :rich, '{straight:17@10, red@50, black@60}', 'a',
                  at => '2026-03-02 00:00:01') AS stakes \gset
SELECT cancel_bet(:r, :rich, 'b', '2026-03-02 00:00:02') \g /dev/null
SELECT place_bet(:r, :rich, 'even@10', 'c', at => '2026-03-02 00:00:03') \g /dev/null
SELECT cancel_bet(:r, :rich, 'c', '2026-03-02 00:00:04') \g /dev/null
SELECT results_eq(format('SELECT wagers, staked, paid, balance FROM casino.round_result(%s)', :r),
                  $$VALUES (3::bigint, 120.00, 0.00, 99999880.00)$$,
                  'while betting is open: what lies there; a cancelled stake was never placed');
SELECT close_betting(:r, '2026-03-02 00:01') \g /dev/null
SELECT is((SELECT DISTINCT status FROM offer(:vltava)), 'closed', 'closed');
SELECT settle_round(:r, '{"number": 17}', '2026-03-02 00:02') \g /dev/null
-- 10 on 17 at 35:1 returns 360, black 17 returns 120
SELECT results_eq(format('SELECT player_id, wagers, staked, paid, balance FROM casino.round_result(%s)', :r),
                  format('VALUES (%s::bigint, 3::bigint, 120.00, 480.00, 100000360.00)', :rich),
                      'after the settlement');
SELECT is((SELECT count(*) FROM offer(:vltava) WHERE round_id IS NULL AND min = 20),
          (SELECT count(*) FROM offer(:vltava) WHERE min = 20), 'no round: limits of the next one');
SELECT r AS r FROM t.round WHERE table_id = :hall \gset
SELECT place_bet(:r, :rich, 'red@10', 'd', at => '2026-03-02 01:00') \g /dev/null
SELECT close_betting(:r, '2026-03-02 01:01'), void_round(:r, 'camera', '2026-03-02 01:02') \g /dev/null
SELECT results_eq(format('SELECT wagers, staked, paid FROM casino.round_result(%s)', :r),
                  $$VALUES (1::bigint, 10.00, 10.00)$$, 'voided: the stake was paid back');

-- ------------------------------------------------------------------------------------------ the lobby
SELECT results_eq($$SELECT table_name, game, min, max, status FROM casino.offers() ORDER BY table_id$$,
    $$VALUES ('Vltava', 'roulette_synot', 20.00, 200.00, NULL),
        ('Hall', 'roulette_american', 10.00, 100.00, NULL),
            ('Labe', 'roulette_evolution', 1.00, 200.00, 'open'),
             ('Odra', 'roulette_absolute', 5.00, 5000.00, 'open'),
                 ('Tatra', 'baccarat', 50.00, 2500.00, 'open')$$, 'offers(): every table');
SELECT open_round(:hall, 'clock', '2026-03-03', betting_until => '2026-03-03 00:01') \g /dev/null
SELECT is((SELECT status FROM offers() WHERE table_id = :hall), 'closed',
          'a round whose time is over takes no bets');
SELECT is((SELECT DISTINCT status FROM offer(:hall)), 'closed', 'offer() says so, too');

-- ------------------------------------------------------------------------------------------ arguments
SELECT throws_ok(format('SELECT * FROM casino.%s', c), code, NULL, c)
  FROM (VALUES ('offer(NULL)', '22004'), ('offer(99)', '23503'), ('position_limits(NULL)', '22004'),
        ('position_limits(99)', '23503'),
               ('round_result(NULL)', '22004'), ('round_result(99)', '23503')) v (c, code);
SELECT lives_ok('SELECT * FROM casino.position_limits(1, NULL)', 'a time that is not given is now');
-- ------------------------------------------------------------------------------------------ every game
CREATE TABLE t.every AS SELECT g.game, casino.add_game_table(g.game, 'every', 25, 1000) AS t
    FROM casino.game g;
SELECT is_empty($$
    SELECT g.game FROM t.every g
     WHERE (SELECT array_agg(o.kind ORDER BY o.kind) FROM casino.offer(g.t) o)
           IS DISTINCT FROM (SELECT array_agg(b.kind ORDER BY b.kind) FROM casino.bet_rule b
                             WHERE b.plan_id = casino.plan_in_force(g.game, now()))$$,
    'every kind of every plan is on offer');
-- random stakes of every kind that is staked before the close, with the wager that it needs
SELECT setseed(0.42);
SELECT register_player('everywhere') AS everywhere \gset
SELECT deposit(:everywhere, 100000000, at => '2026-03-04') \g /dev/null
CREATE TABLE t.random AS
SELECT g.game, o.kind, o.min, o.max, e.amount,
       ARRAY[t.bet_of(o.kind, e.amount)]
       || CASE WHEN b.requires IS NULL THEN '{}' ELSE ARRAY[t.bet_of(b.requires, q.min)] END AS bets,
       casino.open_round(casino.add_game_table(g.game, format('%s %s %s', g.game, o.kind, e.n), 25, 1000),
                         'r', '2026-03-04') AS r,
       CASE WHEN (SELECT l.seats FROM casino.table_limits_at(g.t) l) > 0
                 AND y.family IN ('blackjack', 'texas_holdem')
                     AND y.game <> 'blackjack_infinite' THEN 1 END AS seat
  FROM t.every g
  JOIN casino.game y ON y.game = g.game
 CROSS JOIN LATERAL casino.offer(g.t) o
  JOIN casino.bet_rule b ON b.plan_id = casino.plan_in_force(g.game, now()) AND b.kind = o.kind
  LEFT JOIN LATERAL casino.offer(g.t) q ON q.kind = b.requires
 CROSS JOIN LATERAL (VALUES (1, o.min), (2, o.max), (3, o.min - 0.01), (4, o.max + 0.01),
                            (5, round(o.min * (0.5 + random()::numeric), 2)),
                            (6, round(o.max * (0.5 + random()::numeric), 2))) e (n, amount)
 WHERE (o.phase = 'betting' OR o.kind = 'pot') AND o.kind <> 'behind' AND e.amount > 0;
SELECT cmp_ok((SELECT count(DISTINCT game)
    FROM t.random), '=', 16::bigint, 'random stakes at all sixteen games');
SELECT is((SELECT string_agg(format('%s %s: %s', x.game, x.bets, x.verdict), ', ')
             FROM (SELECT r.*,
                 t.verdict(format('SELECT casino.place_bets(%s, %s, %L, seat => %L, at => ''2026-03-04'')',
                                                r.r, :everywhere, r.bets, r.seat)) AS verdict
                     FROM t.random r) x
            WHERE x.verdict <> CASE WHEN x.amount BETWEEN x.min AND x.max THEN 'taken' ELSE 'KB002' END),
          NULL, 'every game: a stake is taken where it is on offer, and refused elsewhere');
SELECT * FROM finish();
ROLLBACK;
