-- The views over evaluated rounds in a ledger of 40 000 stakes in five families (CASINO_ROUNDS=2000: 200
-- 000): the same answer whatever way the planner takes, before ANALYZE and after, and by round, by day and by
-- player no more is read than what those rows cost.
-- tampers with the books: its rounds are written, not settled, and nobody is paid
SET client_min_messages = warning;
SET search_path = public, casino, casino_internal;
SET timezone = 'Europe/Prague';
SELECT no_plan();
\set rounds 400
\getenv rounds CASINO_ROUNDS
-- a round of a hundred stakes every so often, for ten days
SELECT interval '10 days' / :rounds AS every \gset

-- ------------------------------------------------------------------------------------------ the ledger
-- Rounds are written as settlement leaves them, without going through it: each of 100 stakes, in ten days,
-- every tenth withheld, every twentieth stake returned.
CREATE SCHEMA t;
CREATE TABLE t.kind_of_round (n integer, family text, table_id bigint, bets bet[]);
INSERT INTO t.kind_of_round SELECT n, family, add_game_table(game, 'size', 1, 1000), bets::bet[] FROM (VALUES
    (0, 'roulette', 'roulette_synot',
     '{straight:17@1,red@0.01,split:17-20@5,dozen:2@3,even@10,column:1@2,corner:16-17-19-20@4,black@7}'),
    (1, 'baccarat', 'baccarat',
     '{player@10,banker@0.01,tie@5,big@0.03,small@0.07,banker_pair@2,egalite:6@1,any_pair@1}'),
    (2, 'blackjack', 'blackjack_infinite', '{main@10,main@0.01,21+3@1,player_pair@1,bust_it@2,hot3@1}'),
    (3, 'casino_holdem', 'casino_holdem', '{ante@10,call@20,aa@1,razz@1,ante@0.01,call@0.02}'),
    (4, 'texas_holdem', 'holdem_cash_25_50', '{pot@25,pot@50,pot@100}')) v (n, family, game, bets);
SET session_replication_role = replica;
CREATE TABLE t.family_of (r bigint PRIMARY KEY, n integer);
INSERT INTO t.family_of SELECT r, (ARRAY[0,0,0,0,1,1,2,2,3,4])[1 + r % 10] FROM generate_series(1, :rounds) r;
INSERT INTO person (external_ref, accounts, salt, token)
SELECT 'size ' || p, 1, s.salt, person_token('size ' || p, s.salt)
  FROM generate_series(1, 1000) p
 CROSS JOIN LATERAL (SELECT sha256(p::text::bytea) AS salt) s;
INSERT INTO player (player_id, external_ref, registered_at, balance, last_entry_no, last_posted_at,
                    registered_by) SELECT p, 'size ' || p, '2025-01-01', 0, 10000, '2026-02-01', 1
                        FROM generate_series(1, 1000) p;
INSERT INTO round (round_id, table_id, table_version, round_ref, plan_id, status, opened_at,
                   betting_closed_at, evaluated_at, opened_by, evaluated_by, outcome)
SELECT f.r, k.table_id, 1, f.r, plan_in_force(t.game, now()), CASE WHEN f.r % 10 = 1 THEN 'withheld'
    ELSE 'settled' END, at, at + interval '30 s', at + interval '1 minute', 1, 1,
       CASE k.n WHEN 0 THEN jsonb_build_object('number', f.r % 37)
           WHEN 4 THEN jsonb_build_object('button', 1 + f.r % 10) ELSE '{}' END
  FROM t.family_of f JOIN t.kind_of_round k USING (n) JOIN game_table t USING (table_id)
      CROSS JOIN LATERAL (SELECT timestamptz '2026-01-01' + f.r * interval :'every') x (at);
INSERT INTO dealt_hand (round_id, side, seat, group_no, cards, players)
SELECT f.r, h.side, h.seat, h.group_no, h.cards::hand, coalesce(h.players, '{}') FROM t.family_of f
 CROSS JOIN LATERAL (
    SELECT 'player' AS side, 0 AS seat, 0 AS group_no, CASE WHEN f.r % 2 = 0 THEN '2h 3h 3h'
        ELSE '6h Kd' END AS cards, NULL::bigint[] AS players WHERE f.n = 1
    UNION ALL SELECT 'banker', 0, 0, CASE WHEN f.r % 2 = 0 THEN '9c 8s' ELSE '6c Ks' END, NULL WHERE f.n = 1
    UNION ALL SELECT 'dealer', 0, 0, CASE WHEN f.r % 2 = 0 THEN 'Td 9c' ELSE 'Td 6c Kd' END, NULL
        WHERE f.n = 2
    UNION ALL SELECT 'box', 0, 0, 'As Kd', NULL WHERE f.n = 2
    UNION ALL SELECT 'box', 0, 1, 'As Kd 5c', ARRAY(SELECT 1 + (f.r * 7 + i) % 1000
                                                    FROM generate_series(0, 19) i ORDER BY 1) WHERE f.n = 2
    UNION ALL SELECT v.side, 0, 0, v.cards, NULL
        FROM (VALUES ('player', 'As Ks'), ('board', 'Qs Js 2s 2d 3c'), ('dealer', '4h 4d')) v (side, cards)
            WHERE f.n = 3
    UNION ALL SELECT 'board', 0, 0, 'Qs Js 2s 2d 3c', NULL WHERE f.n = 4
    UNION ALL SELECT 'box', s, 0, (ARRAY['As Ks', '4h 4d', '9c 9d', 'Kh Kd', '7h 8h', '5c 6c', 'Tc Td',
                                         'Ah 2h', '3h 3d', 'Qh Qd'])[s], NULL FROM generate_series(1, 10) s
                                             WHERE f.n = 4) h;
INSERT INTO ledger (player_id, entry_no, kind, amount, round_id, bet, seat, posted_at, recorded_at,
                    recorded_by, balance)
SELECT player_id, row_number() OVER (PARTITION BY player_id ORDER BY r, i), 'stake', cost(bet), r, bet, CASE
    WHEN n = 4 THEN i % 10 + 1 END, at, at, 1, 0
  FROM (SELECT f.r, f.n, i, 1 + (f.r * 7 + CASE WHEN f.n = 4 THEN i % 10 ELSE i % 50 END) % 1000 AS player_id,
               CASE WHEN f.n = 4 THEN k.bets[1 + i / 10 % 3]
                   ELSE k.bets[1 + (f.r + i) % cardinality(k.bets)] END AS bet,
                       timestamptz '2026-01-01' + f.r * interval :'every' AS at
          FROM t.family_of f JOIN t.kind_of_round k USING (n), generate_series(0, 99) i) s ORDER BY r, i;
INSERT INTO ledger (player_id, entry_no, kind, amount, round_id, stake_entry_no, reason, posted_at,
                    recorded_at, recorded_by, balance)
SELECT player_id, entry_no + 1000000, 'refund', amount, round_id, entry_no, 'cancelled', posted_at,
    recorded_at, 1, 0
  FROM ledger WHERE kind = 'stake' AND (round_id % 10 <> 9) AND (player_id + entry_no) % 20 = 0;
SET session_replication_role = origin;
-- autovacuum must not find out too early
ALTER TABLE ledger_1 SET (autovacuum_enabled = off);
ALTER TABLE round SET (autovacuum_enabled = off);
ALTER TABLE dealt_hand SET (autovacuum_enabled = off);
SELECT is((SELECT count(*) FROM ledger WHERE kind = 'stake'), 100::bigint * :rounds,
          'a ledger of a hundred stakes a round');

-- ------------------------------------------------------------------------------------------ the questions
-- most rows of the ledger that the answer may read
CREATE TABLE t.question (n serial, what text, query text, most bigint);
INSERT INTO t.question (what, query, most)
SELECT format('a round of %s', family), format('SELECT * FROM casino.evaluation WHERE round_id = %s', r), 3000
  FROM t.kind_of_round JOIN LATERAL (SELECT min(r) AS r FROM t.family_of f
                                     WHERE f.n = kind_of_round.n AND r > :rounds / 2) x ON true
                                         ORDER BY kind_of_round.n;
INSERT INTO t.question (what, query, most)
SELECT format('the part of %s', family), format('SELECT * FROM casino.evaluation_%s WHERE round_id = %s',
                                                family, r), 3000
  FROM t.kind_of_round JOIN LATERAL (SELECT min(r) AS r FROM t.family_of f
                                     WHERE f.n = kind_of_round.n AND r > :rounds / 2) x ON true
                                         ORDER BY kind_of_round.n;
INSERT INTO t.question (what, query, most) VALUES
    ('a part of a day, one round in two hundred',
     'SELECT *
        FROM casino.evaluation
       WHERE evaluated_at >= timestamptz ''2026-01-05 12:00''
         AND evaluated_at < timestamptz ''2026-01-05 12:00'' + interval ''span''',
     20000),
    ('the same by the round',
     'SELECT e.*
        FROM casino.evaluation e
        JOIN casino.round r ON r.round_id = e.round_id
          AND r.evaluated_at >= timestamptz ''2026-01-05 12:00''
          AND r.evaluated_at < timestamptz ''2026-01-05 12:00'' + interval ''span''',
     20000),
    ('the README''s reconciliation of them',
     'SELECT e.player_id, e.entry_no, e.payout
        FROM casino.evaluation e
        JOIN casino.round r ON r.round_id = e.round_id AND r.status = ''settled''
        LEFT JOIN casino.ledger p ON p.player_id = e.player_id AND p.stake_entry_no = e.entry_no
        WHERE coalesce(p.amount, 0) <> e.payout
           AND r.evaluated_at >= timestamptz ''2026-01-05 12:00''
           AND r.evaluated_at < timestamptz ''2026-01-05 12:00'' + interval ''span''', 20000),
    ('a player', 'SELECT * FROM casino.evaluation WHERE player_id = 77', 20000),
    ('a player''s wagers', 'SELECT * FROM casino.wager WHERE player_id = 77', 5000),
    ('a round''s wagers', 'SELECT * FROM casino.wager WHERE round_id = half', 3000),
    ('unpaid winnings of a round',
     'SELECT player_id, entry_no, payout FROM casino.unpaid_winnings WHERE round_id = half', 3000);
UPDATE t.question SET query = replace(replace(query, '''span''', quote_literal(interval '10 days' / 200)),
                                      'round_id = half', 'round_id = ' || :rounds / 2 + 1);
INSERT INTO t.question (what, query)        -- read from end to end, as the joins may be tried in any order
VALUES ('all standing stakes',
        'SELECT round_id, plan_id, family, number, rules, player_id, entry_no FROM casino.standing_stake');

CREATE FUNCTION t.answer(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE answer text;
BEGIN
    EXECUTE 'SELECT count(*) || '' '' || coalesce(sum(hashtextextended(x::text, 0)::numeric), 0) FROM ('
        || query || ') x' INTO answer;
    RETURN answer;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
CREATE FUNCTION t.rows_read() RETURNS bigint LANGUAGE sql VOLATILE AS
    $$ SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_xact_all_tables
        WHERE relid IN (SELECT b.relid FROM pg_partition_tree('casino.ledger') b) $$;
CREATE FUNCTION t.reads(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE before bigint;
BEGIN
    DISCARD PLANS;      -- the evaluations of families keep theirs
    before := t.rows_read();
    PERFORM t.answer(query);
    RETURN t.rows_read() - before;
END $$;
-- is the plan so dear that JIT would compile it, with the settings of a new server?
CREATE FUNCTION t.compiles(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
    PERFORM set_config('jit', 'on', true), set_config('jit_above_cost', '100000', true);
    EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
    PERFORM set_config('jit', 'off', true);
    RETURN (plan -> 0 -> 'Plan' ->> 'Total Cost')::numeric > 100000;
END $$;

CREATE TABLE t.answers (setting text, n integer, answer text);
INSERT INTO t.answers SELECT 'first', n, t.answer(query) FROM t.question;
SELECT is_empty($$ SELECT what, answer FROM t.answers JOIN t.question USING (n)
                WHERE answer !~ '^[1-9]\d* -?\d+$' $$, 'all of them are answered before the first ANALYZE');
SELECT cmp_ok(t.reads(query), '<', most, 'before ANALYZE no more is read than what its rows cost: ' || what)
  FROM t.question WHERE most IS NOT NULL ORDER BY n;

-- sums of the whole ledger, by the views of the families and by the view of all: counted here from the rows
-- that were put in
CREATE TEMP TABLE whole AS SELECT count(*) AS wagers, sum(payout) AS payout FROM evaluation;
SELECT is((SELECT wagers FROM whole), (SELECT count(*) - (SELECT count(*) FROM ledger WHERE kind = 'refund')
                                       FROM ledger WHERE kind = 'stake'),
    'every stake that was not returned is evaluated, whatever the family');
CREATE TEMP TABLE parts AS SELECT 'roulette' AS family, sum(payout) AS payout FROM evaluation_roulette
    UNION ALL SELECT 'baccarat', sum(payout) FROM evaluation_baccarat
    UNION ALL SELECT 'blackjack', sum(payout) FROM evaluation_blackjack
        UNION ALL SELECT 'casino_holdem', sum(payout) FROM evaluation_casino_holdem
    UNION ALL SELECT 'texas_holdem', sum(payout) FROM evaluation_texas_holdem;
SELECT is((SELECT payout FROM parts WHERE family = 'texas_holdem'),
          (SELECT sum(amount) FROM ledger JOIN t.family_of ON r = round_id WHERE n = 4 AND kind = 'stake'),
              'the pots are what was put in');
SELECT is((SELECT sum(payout) FROM parts), (SELECT payout FROM whole), 'the families add up to the whole');
-- Before ANALYZE the switches that change the order of joins, after it all of them. The standing stakes, read
-- from end to end, with the former only; one question of each kind with the others, and compiled one, for
-- compiling takes seconds.
CREATE FUNCTION pg_temp.with_settings(stage text, joins_only boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    s record;
    joins CONSTANT text[] := '{enable_nestloop,enable_hashjoin,enable_mergejoin,join_collapse_limit,'
                             'from_collapse_limit,geqo_threshold}';
BEGIN
    FOR s IN SELECT split_part(v, '=', 1) AS name, split_part(v, '=', 2) AS value,
        split_part(v, '=', 1) = ANY (joins) AS joined
            FROM unnest(ARRAY['enable_nestloop=off', 'enable_hashjoin=off', 'enable_mergejoin=off',
                 'enable_seqscan=off', 'enable_indexscan=off', 'enable_bitmapscan=off', 'enable_sort=off',
                     'enable_memoize=off',
                 'enable_material=off', 'join_collapse_limit=1', 'from_collapse_limit=1', 'geqo_threshold=2',
                     'parallel_setup_cost=0', 'jit_above_cost=0',
                 'plan_cache_mode=force_custom_plan']) v
                     WHERE NOT joins_only OR split_part(v, '=', 1) = ANY (joins) LOOP
        PERFORM set_config(s.name, s.value, true),
            set_config('jit', CASE s.name WHEN 'jit_above_cost' THEN 'on' ELSE 'off' END, true);
        IF s.name = 'parallel_setup_cost' THEN
            PERFORM set_config('parallel_tuple_cost', '0', true),
                set_config('min_parallel_table_scan_size', '0', true),
                    set_config('min_parallel_index_scan_size', '0', true);
        END IF;
        DISCARD PLANS;
        INSERT INTO t.answers SELECT stage || ', ' || s.name, n, t.answer(query) FROM t.question
         WHERE CASE WHEN s.name = 'jit_above_cost' THEN what = 'a round of blackjack'
             WHEN what LIKE 'all %' THEN s.joined
                    ELSE what NOT LIKE 'the same%' AND what NOT LIKE 'a part of a day%'
                        AND (s.joined OR what NOT LIKE 'the part %') END;
        EXECUTE format('RESET %I', s.name);
    END LOOP;
END $$;
BEGIN;
SELECT pg_temp.with_settings('before ANALYZE', true) \g /dev/null
COMMIT;
-- every view there is, read from end to end: none may stop at a row, nor give another answer with other
-- statistics
CREATE TABLE t.whole_views (stage text, view text, rows bigint);
CREATE FUNCTION pg_temp.read_views(stage text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    view text;
    rows bigint;
BEGIN
    FOR view IN SELECT c.relname FROM pg_class c
        WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind = 'v' ORDER BY 1 LOOP
        EXECUTE format('SELECT count(*) FROM (SELECT v.* FROM casino.%I v OFFSET 0) x', view) INTO rows;
        INSERT INTO t.whole_views VALUES (stage, view, rows);
    END LOOP;
END $$;
SELECT pg_temp.read_views('before ANALYZE') \g /dev/null
ANALYZE;
SELECT pg_temp.read_views('after ANALYZE') \g /dev/null
SELECT is_empty($$ SELECT view, a.rows, b.rows FROM t.whole_views a FULL JOIN t.whole_views b USING (view)
                    WHERE a.stage = 'before ANALYZE' AND b.stage = 'after ANALYZE'
                        AND a.rows IS DISTINCT FROM b.rows $$,
                            'every view is read whole, the same before ANALYZE and after');
SELECT cmp_ok((SELECT count(DISTINCT view) FROM t.whole_views), '>=', 26::bigint, 'those were all of them');
SELECT cmp_ok(t.reads(query), '<', most, 'nor after it: ' || what) FROM t.question WHERE most IS NOT NULL
 ORDER BY n;
SELECT ok(NOT t.compiles(query), 'with the settings of a new server JIT does not bite: ' || what)
  FROM t.question WHERE query LIKE '%casino.evaluation %' OR query LIKE '%casino.wager%' ORDER BY n;
INSERT INTO t.answers SELECT 'after ANALYZE', n, t.answer(query) FROM t.question;
BEGIN;
SELECT pg_temp.with_settings('after ANALYZE', false) \g /dev/null
COMMIT;
SELECT is_empty($$ SELECT a.setting, q.what, f.answer, a.answer FROM t.answers a JOIN t.question q USING (n)
                JOIN t.answers f ON f.n = a.n AND f.setting = 'first'
                    WHERE a.answer IS DISTINCT FROM f.answer
                        LIMIT 5 $$,
                'the same answers whatever switch of the planner is turned, before ANALYZE and after');
SELECT is((SELECT count(DISTINCT setting) FROM t.answers), 23::bigint,
          'that were 6 switches of joins before, 15 of all kinds after it, and none');
SELECT * FROM finish();
