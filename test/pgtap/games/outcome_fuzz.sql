-- Outcome documents gone wrong: mutations of documents that settle, of each family of games, read and
-- settled. Whatever comes in is refused with the SQLSTATE of a refusal, or settles so that the books are
-- right (R11.13).
--
-- CASINO_FUZZ documents of each kind (default 250), from the seed CASINO_FUZZ_SEED (default 0.4242): with
-- sanitizers and for hours see CONTRIBUTING.md. A document that breaks a rule is shown with its round.
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET search_path = public, casino, casino_internal;
\set count 250
\set seed 0.4242
\getenv count CASINO_FUZZ
\getenv seed CASINO_FUZZ_SEED
SELECT no_plan();
SELECT setseed(:seed) \g /dev/null
SELECT diag(:'count' || ' documents of each kind, seed ' || :'seed');
CREATE SCHEMA f;

-- ------------------------------------------------------------------------------------------------ mutations
CREATE FUNCTION f.pick(VARIADIC choices text[]) RETURNS text LANGUAGE sql VOLATILE AS
    'SELECT choices[1 + floor(random() * cardinality(choices))::integer]';
CREATE FUNCTION f.card() RETURNS text LANGUAGE sql VOLATILE AS
    $$ SELECT substr('23456789TJQKA', 1 + floor(random() * 13)::integer, 1)
        || substr('cdhs', 1 + floor(random() * 4)::integer, 1) $$;
-- every place of a document
CREATE FUNCTION f.places(doc jsonb) RETURNS TABLE (path text[], value jsonb) LANGUAGE sql STABLE AS $$
    WITH RECURSIVE place AS (
        SELECT '{}'::text[] AS path, doc AS value
        UNION ALL
        SELECT p.path || m.key, m.value
          FROM place p
         CROSS JOIN LATERAL (SELECT e.key, e.value
                             FROM jsonb_each(CASE jsonb_typeof(p.value) WHEN 'object' THEN p.value
                                             ELSE '{}' END) e
                             UNION ALL
                             SELECT (a.n - 1)::text, a.value
                               FROM jsonb_array_elements(CASE jsonb_typeof(p.value) WHEN 'array' THEN p.value
                                                         ELSE '[]' END)
                                    WITH ORDINALITY AS a (value, n)) m)
    SELECT path, value FROM place $$;
-- other cards: one changed, dropped, added, doubled, or their order
CREATE FUNCTION f.other_cards(cards text) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    list text[] := string_to_array(cards, ' ');
    n integer := 1 + floor(random() * greatest(cardinality(list), 1))::integer;
BEGIN
    RETURN array_to_string(CASE floor(random() * 6)::integer
        WHEN 0 THEN list[:n - 1] || f.card() || list[n + 1:]
        WHEN 1 THEN list[:n - 1] || list[n + 1:]
        WHEN 2 THEN list || f.card()
        WHEN 3 THEN list[:n] || list[n:]
        WHEN 4 THEN list[n:] || list[:n - 1]
        ELSE list[:n - 1] || f.pick('Xx', 'T', 'tC', '10h', 'Ah,Kh', '', 'Ahh', E'\u0001', 'É♠',
                                    repeat('2c ', 100), 'Ac Ac Ac Ac Ac Ac Ac Ac Ac') || list[n + 1:]
        END, ' ');
END $$;
CREATE FUNCTION f.junk() RETURNS jsonb LANGUAGE sql VOLATILE AS $$
    SELECT f.pick('null', 'true', 'false', '0', '1', '2', '-1', '1.5', '7', '99', '100', '2147483648',
                  '9223372036854775807', '9223372036854775808',
                  '1e400', '-1e-400', '0.005', '""', '"Ah"', '"Ah Kd"', '"7"', '"\u0001"', '"é"', '[]',
                      '[[]]', '[1]', '[1, 1]', '{}', '{"": 1}',
                  '[null]', '[{"cards": "Ah Kd"}]', '{"seat": 1, "cards": "8c 8d"}', '"all_in"', '"river"',
                      '"fold"', '[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]')::jsonb $$;
CREATE FUNCTION f.mutate(doc jsonb) RETURNS jsonb LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    at record;
    other record;
BEGIN
    SELECT * INTO at FROM f.places(doc) ORDER BY random() LIMIT 1;
    SELECT * INTO other FROM f.places(doc) WHERE path <> '{}' ORDER BY random() LIMIT 1;
    IF at.path = '{}' THEN
        RETURN CASE WHEN random() < 0.3 OR jsonb_typeof(doc) <> 'object' THEN f.junk()
                    ELSE doc || jsonb_build_object(f.pick('player', 'dealer', 'seat', 'number', 'x',
                                                          'actions'), f.junk()) END;
    ELSIF jsonb_typeof(at.value) = 'string' AND random() < 0.7 THEN
        RETURN jsonb_set(doc, at.path, to_jsonb(f.other_cards(at.value #>> '{}')));
    ELSIF jsonb_typeof(at.value) = 'number' AND random() < 0.6 THEN
        RETURN jsonb_set(doc, at.path, to_jsonb((at.value #>> '{}')::numeric + f.pick('1', '-1', '0.5', '10',
                '-100', '0')::numeric));
    ELSIF jsonb_typeof(at.value) = 'boolean' AND random() < 0.6 THEN
        RETURN jsonb_set(doc, at.path, to_jsonb(NOT at.value::boolean));
    ELSIF jsonb_typeof(at.value) = 'array' AND random() < 0.6 AND jsonb_array_length(at.value) > 0 THEN
        RETURN jsonb_set(doc, at.path, CASE floor(random() * 3)::integer
                         WHEN 0 THEN at.value
                             || (at.value -> floor(random() * jsonb_array_length(at.value))::integer)
                                       WHEN 1 THEN at.value - floor(
                                           random() * jsonb_array_length(at.value))::integer
                                       ELSE (SELECT jsonb_agg(v ORDER BY random())
                                             FROM jsonb_array_elements(at.value) v) END);
    ELSIF jsonb_typeof(at.value) = 'object' AND random() < 0.6 THEN
        RETURN jsonb_set(doc, at.path, at.value
                         || jsonb_build_object(f.pick('seat', 'hand', 'cards', 'player', 'players',
                                                      'even_money', 'surrendered', 'folded', 'to', 'all_in',
                                                          'x'), f.junk()));
    ELSIF random() < 0.3 THEN
        RETURN doc #- at.path;
    ELSIF random() < 0.5 THEN
        RETURN jsonb_set(doc, at.path, other.value);
    END IF;
    RETURN jsonb_set(doc, at.path, f.junk());
END $$;

-- -------------------------------------------------------------------------------------- rounds to be settled
CREATE TABLE f.played (name text PRIMARY KEY, round_id bigint, doc jsonb, places_of_a_split boolean);
CREATE FUNCTION f.p(n integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    id bigint;
BEGIN
    id := casino.register_player('fuzz ' || n);
    PERFORM casino.deposit(id, 1000000, at => '2026-03-01 10:00');
    RETURN id;
END $$;
-- A round of a game: wagers before the close as [player, bet, seat, hand], wagers in play likewise, and what
-- settles it.
-- Players are numbered from 1 in each round and are others in each; @n in the document is player n.
CREATE FUNCTION f.play(name text, game text, options jsonb, bets text[], in_play text[],
                       doc text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    round_id bigint;
    player bigint[] := '{}';
    part text[];
    wager text;
    phase integer;
BEGIN
    round_id := casino.open_round(casino.add_game_table(game, name, 10, 1000, options), name,
                                  '2026-03-01 11:00');
    FOR n IN 1 .. 4 LOOP
        player := player || f.p((random() * 1e9)::integer);
    END LOOP;
    FOR phase IN 1 .. 2 LOOP
        FOREACH wager IN ARRAY CASE phase WHEN 1 THEN bets ELSE in_play END LOOP
            part := string_to_array(wager, ' ');
            PERFORM casino.place_bet(round_id, player[part[1]::integer], part[2]::casino.bet, NULL,
                                     nullif(part[3], '-')::integer, part[4]::integer, '2026-03-01 11:01');
        END LOOP;
        IF phase = 1 THEN
            PERFORM casino.close_betting(round_id, '2026-03-01 11:01');
        END IF;
    END LOOP;
    FOR n IN 1 .. 4 LOOP
        doc := replace(doc, '@' || n, player[n]::text);
    END LOOP;
    INSERT INTO f.played VALUES (name, round_id, doc::jsonb);
END $$;

SELECT f.play('roulette', 'roulette_synot', '{}',
              '{"1 straight:17@10", "2 red@100", "3 corner:16-17-19-20@20"}', '{}', '{"number": 17}');
SELECT f.play('baccarat', 'baccarat', '{}', '{"1 player@100", "2 banker@100", "3 tie@50", "3 player@50"}',
              '{}',
              '{"player": "9h 4d Ks", "banker": "Kc 7s"}');
SELECT f.play('boxes', 'blackjack_czech_casinos', '{}',
              '{"1 main@100 1", "2 main@50 1", "2 main@100 2", "3 main@200 3", "4 main@100 4"}',
              '{"1 split_pair@100 1 2", "1 double_down@100 1 1", "3 insurance@100 3", "3 double_down@200 3"}',
              '{"dealer": "Ah 9c", "hands": [{"seat": 1, "hand": 1, "cards": "8c 2d 9h"},
                {"seat": 1, "hand": 2, "cards": "8d Ts"}, {"seat": 2, "cards": "Ts Kd"},
                {"seat": 3, "cards": "5c 6c Td"}, {"seat": 4, "cards": "As Kd", "even_money": true}]}');
SELECT f.play('owner and behind', 'blackjack_synot', '{"surrender": true, "behind": true}',
              '{"1 main@100 1", "2 main@100 2", "1 behind@100 2", "3 main@100 3", '
              '"1 21+3@10 1", "2 top3@10 2"}',
              '{"2 double_down@100 2"}',
              '{"dealer": "Kh 5d 9c", "hands": [{"seat": 1, "cards": "9c 7d 5h"}, '
              '{"seat": 2, "cards": "6c 5d Th"}, {"seat": 3, "cards": "Th 6s", "surrendered": true}]}');
SELECT f.play('free bet', 'blackjack_free_bet', '{}',
              '{"1 main@100 1", "2 main@100 1", "2 push22@10 1", "3 main@100 5"}',
              '{"1 free_split@100 1 2", "2 free_split@100 1 2", "1 free_double@100 1 2", "3 insurance@50 5"}',
              '{"dealer": "Ad 5c Kc 2s", "hands": [{"seat": 1, "hand": 1, "cards": "8c Td"},
                {"seat": 1, "hand": 2, "cards": "8h 3d Kh"}, {"seat": 5, "cards": "9s 9d"}]}');
SELECT f.play('shared box', 'blackjack_infinite', '{}',
              '{"1 main@100", "2 main@100", "3 main@100", "4 main@100", "1 21+3@10", "2 hot3@10", '
              '"3 bust_it@10"}',
              '{"2 split_pair@100 - 2", "3 double_down@100 - 1"}',
              '{"dealer": "6c Ts 8d", "hands": [{"cards": "8h 8d 2c"},
                {"players": [@2], "hand": 1, "cards": "8h 9c"},
                {"player": @2, "hand": 2, "cards": "8d 5c 6d"},
                {"player": @3, "cards": "8h 8d 5s"}]}');
SELECT f.play('casino holdem', 'casino_holdem', '{}',
              '{"1 ante@100", "1 aa@10", "1 razz@10", "2 ante@100", "2 call@200", "3 ante@100"}',
                  '{"1 call@200"}',
              '{"player": "As Ks", "board": "Qs Js Ts 2d 3c", "dealer": "4h 4d"}');
SELECT f.play('texas', 'holdem_cash_25_50', '{}', '{"1 pot@25 1", "2 pot@50 2"}',
              '{"3 pot@150 3", "1 pot@125 1", "2 pot@100 2", "1 pot@100 1", "2 pot@100 2"}',
              '{"button": 3, "board": "2c 7d Jh Qs 3s",
                "seats": [{"seat": 1, "cards": "Ah Ad"}, {"seat": 2, "cards": "Kh Kd"},
                          {"seat": 3, "folded": true}],
                "actions": [{"street": "preflop", "seat": 1, "action": "small_blind", "to": 25},
                            {"seat": 2, "action": "big_blind", "to": 50},
                            {"seat": 3, "action": "raise", "to": 150},
                            {"seat": 1, "action": "call", "to": 150},
                            {"seat": 2, "action": "call", "to": 150},
                            {"street": "flop", "seat": 1, "action": "bet", "to": 100},
                            {"seat": 2, "action": "call", "to": 100}, {"seat": 3, "action": "fold"},
                            {"street": "turn", "seat": 1, "action": "check"}, {"seat": 2, "action": "check"},
                            {"street": "river", "seat": 1, "action": "check"},
                            {"seat": 2, "action": "check"}]}');
SELECT f.play('texas without actions', 'holdem_cash_25_50', '{}',
              '{"1 pot@100 1", "2 pot@500 2", "3 pot@500.01 4"}', '{}',
              '{"button": 9, "board": "2c 7d Jh Qs 3s", "seats": [{"seat": 1, "cards": "Ah Ad"}, '
              '{"seat": 2, "cards": "Kh Kd"}, {"seat": 4, "cards": "9h 9d"}]}');

-- -------------------------------------------------------------------------------------------- what must hold
CREATE FUNCTION f.books(round_id bigint) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(what, ', ') FROM (
        SELECT 'a payout is negative' AS what FROM casino.ledger l
         WHERE l.round_id = $1 AND l.kind = 'payout' AND l.amount < 0
        UNION ALL SELECT 'payouts differ from the settlement' FROM casino.round r
         WHERE r.round_id = $1 AND r.paid <> (SELECT coalesce(sum(l.amount), 0) FROM casino.ledger l
                                              WHERE l.round_id = $1 AND l.kind = 'payout')
        UNION ALL SELECT 'a balance differs' FROM casino.player p
         WHERE p.player_id IN (SELECT l.player_id FROM casino.ledger l WHERE l.round_id = $1)
           AND (p.balance, p.last_entry_no) <> (SELECT sum(s.change), max(s.entry_no) FROM casino.statement s
                                                WHERE s.player_id = p.player_id)
        UNION ALL SELECT 'players'' money went to or came from the house' FROM casino.round r
            JOIN casino.game_table t USING (table_id)
         WHERE r.round_id = $1 AND t.game = 'holdem_cash_25_50' AND r.paid <> r.staked
        UNION ALL SELECT 'the evaluation differs from the ledger' FROM casino.evaluation e
          LEFT JOIN casino.ledger l ON l.player_id = e.player_id AND l.stake_entry_no = e.entry_no
         WHERE e.round_id = $1 AND e.payout <> coalesce(l.amount, 0)) x $$;
-- settled, or not: SQLSTATE, "settled", or what is wrong.  Nothing is left of it.
CREATE FUNCTION f.try_settle(round bigint, doc jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    first casino.settlement;
    again casino.settlement;
    stored jsonb;
    family text;
    wrong text;
    detail text;
BEGIN
    first := casino.settle_round(round, doc, '2026-03-01 11:05');
    SELECT r.outcome, g.family INTO stored, family FROM casino.round r JOIN casino.game_table USING (table_id)
      JOIN casino.game g USING (game) WHERE r.round_id = round;
    again := casino.settle_round(round, stored, '2026-03-01 11:05');
    wrong := concat_ws(', ', CASE
                       WHEN again IS DISTINCT FROM first THEN 'its canonical form settles otherwise' END,
                           f.books(round));
    RAISE EXCEPTION 'undone' USING ERRCODE = 'ZZ000', DETAIL = coalesce(nullif(wrong, ''), 'settled');
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
    IF SQLSTATE = 'ZZ000' THEN
        RETURN detail;
    ELSIF SQLSTATE = 'KR001' AND detail !~ '\.$' THEN
        RETURN format('KR001 without a sentence of detail: %s', detail);
    ELSIF SQLSTATE IN ('KR001', '22P02', '22003') THEN
        RETURN SQLSTATE;
    END IF;
    RETURN format('%s: %s', SQLSTATE, SQLERRM);
END $$;
-- cards as they fall: kept or refused
CREATE FUNCTION f.try_deal(round bigint, doc jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM casino.deal(round, doc, '2026-03-01 11:05');
    RAISE EXCEPTION 'undone' USING ERRCODE = 'ZZ000';
EXCEPTION WHEN OTHERS THEN
    RETURN CASE WHEN SQLSTATE = 'ZZ000' THEN 'kept'
        WHEN SQLSTATE IN ('KR001', '22P02', '22003', '0A000') THEN SQLSTATE
                ELSE format('%s: %s', SQLSTATE, SQLERRM) END;
END $$;

SELECT is(f.try_settle(round_id, doc), 'settled', name || ': the document itself settles') FROM f.played;

CREATE TABLE f.tried (name text, doc jsonb, settled text, dealt text);
CREATE PROCEDURE f.run(count integer) LANGUAGE plpgsql AS $$
DECLARE
    played f.played;
    mutant jsonb;
BEGIN
    FOR played IN SELECT * FROM f.played ORDER BY name LOOP
        FOR n IN 1 .. count LOOP
            mutant := f.mutate(played.doc);
            FOR more IN 1 .. floor(random() * 3)::integer LOOP
                mutant := coalesce(f.mutate(mutant), mutant);
            END LOOP;
            CONTINUE WHEN mutant IS NULL;
            INSERT INTO f.tried VALUES (played.name, mutant, f.try_settle(played.round_id, mutant),
                                        CASE WHEN played.name NOT IN ('roulette')
                                             THEN f.try_deal(played.round_id, mutant) END);
        END LOOP;
    END LOOP;
END $$;
CALL f.run(:count);

SELECT diag(format('%s: %s settled, %s refused, %s not readable', name,
                   count(*) FILTER (WHERE settled = 'settled'), count(*) FILTER (WHERE settled = 'KR001'),
                   count(*) FILTER (WHERE settled NOT IN ('settled', 'KR001'))))
  FROM f.tried GROUP BY name ORDER BY name;
SELECT is_empty(format('SELECT doc, settled
                          FROM f.tried
                         WHERE name = %L AND settled NOT IN (''settled'', ''KR001'', ''22P02'', ''22003'')
                         LIMIT 3',
                       name),
                format('R11.13, %s: whatever the document, it is refused as one or the books are right',
                       name)) FROM f.played ORDER BY name;
SELECT is_empty(format('SELECT doc, dealt
                          FROM f.tried
                         WHERE name = %L
                           AND dealt NOT IN (''kept'', ''KR001'', ''22P02'', ''22003'', ''0A000'')
                         LIMIT 3',
                       name),
                format('R11.13, %s: whatever the document, deal() refuses it as one or keeps it', name))
                    FROM f.played WHERE name <> 'roulette' ORDER BY name;
-- else nothing was tried
SELECT cmp_ok(count(*) FILTER (WHERE settled = 'settled'), '>=', count(*) / 100,
              name || ': some mutants settle') FROM f.tried GROUP BY name ORDER BY name;
SELECT cmp_ok(count(*) FILTER (WHERE settled = 'KR001'), '>', count(*) / 5,
              name || ': many are refused for what they say') FROM f.tried GROUP BY name ORDER BY name;
SELECT is_empty('SELECT r.round_id FROM casino.round r WHERE r.status <> ''closed''',
                'nothing is left of the tries');

-- ----------------------------------------------------------------------------------------- whatever the plan
-- With rounds of all families in the tables the evaluation is the same whichever way the planner
-- joins: it never grades a wager by another game's cards, which would be an error of the grading function or
-- a wrong payout.
SELECT count(casino.settle_round(round_id, doc, '2026-03-01 11:05')) FROM f.played \g /dev/null
CREATE TABLE f.expected AS
SELECT e.round_id, e.player_id, e.entry_no, e.payout
  FROM f.played p CROSS JOIN LATERAL (SELECT * FROM casino.evaluation v
                                      WHERE v.round_id = p.round_id OFFSET 0) e;
SELECT is((SELECT count(*) FROM f.expected), (SELECT count(*) FROM casino.ledger WHERE kind = 'stake'),
          'every stake is evaluated');
SELECT is((SELECT sum(payout) FROM f.expected), (SELECT sum(amount) FROM casino.ledger WHERE kind = 'payout'),
          'and what is due was paid');
CREATE FUNCTION f.differing_plans() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    setting text;
    off text;
BEGIN
    FOR n IN 0 .. 255 LOOP
        off := '';
        FOR i IN 0 .. 7 LOOP
            setting := (ARRAY['enable_hashjoin', 'enable_mergejoin', 'enable_nestloop', 'enable_material',
                              'enable_memoize', 'enable_indexscan', 'enable_seqscan',
                                  'enable_hashagg'])[i + 1];
            PERFORM set_config(setting, CASE WHEN n >> i & 1 = 1 THEN 'off' ELSE 'on' END, true);
            off := concat_ws(' ', nullif(off, ''), CASE WHEN n >> i & 1 = 1 THEN setting END);
        END LOOP;
        BEGIN
            IF EXISTS ((SELECT e.round_id, e.player_id, e.entry_no, e.payout FROM casino.evaluation e
                        EXCEPT ALL SELECT * FROM f.expected)
                       UNION ALL (SELECT * FROM f.expected
                                  EXCEPT ALL SELECT e.round_id, e.player_id, e.entry_no, e.payout
                                      FROM casino.evaluation e)) THEN
                RETURN NEXT format('off: %s: other payouts', off);
            END IF;
        EXCEPTION WHEN OTHERS THEN
            RETURN NEXT format('off: %s: %s', off, SQLERRM);
        END;
    END LOOP;
END $$;
SELECT is_empty('SELECT * FROM f.differing_plans()',
                'the evaluation is the same under 256 settings of the planner, without statistics');
ANALYZE casino.ledger, casino.round, casino.dealt_hand, casino.game, casino.game_plan, casino.plan_rule,
    casino.bet_rule, casino.paytable;
SELECT is_empty('SELECT * FROM f.differing_plans()', 'and with statistics');
SET join_collapse_limit = 1;
SET from_collapse_limit = 1;
SELECT is_empty('SELECT * FROM f.differing_plans()', 'and joining in the order of the text');
SELECT * FROM finish();
