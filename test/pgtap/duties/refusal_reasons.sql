-- Refusals that can be translated: reason and values, in rows and errors, and the player's text (R12.30).
BEGIN;
SET client_min_messages = warning;
SET search_path = casino, casino_internal, public;
SET timezone = 'Europe/Prague';
SELECT no_plan();
SET casino.clock_skew = -1;
CREATE SCHEMA t;

-- ---- the list
SELECT cmp_ok(count(*), '>', 60::bigint, 'there are reasons') FROM refusal_reasons();
SELECT is_empty('SELECT reason FROM refusal_reasons() GROUP BY reason HAVING count(*) > 1',
                'R12.30: a reason stands once');
SELECT is_empty($$SELECT reason FROM refusal_reasons() WHERE reason !~ '^[a-z]+(_[a-z]+)*$'$$,
    'a reason is a word');
SELECT is_empty($$SELECT reason FROM refusal_reasons() WHERE code !~ '^K[BRLC]00[1-6]$'$$,
    'with a code of ours');
SELECT is_empty($$SELECT reason FROM refusal_reasons()
                   WHERE coalesce(english, '') !~ '^[A-Z{].*\.$' OR coalesce(czech, '') !~ '^[^a-z].*\.$'
                      OR english = czech$$, 'R12.30: a text in English and one in Czech, each a sentence');
SELECT is_empty($$SELECT r.reason, m[1]
                    FROM refusal_reasons() r, regexp_matches(r.english || r.czech, '\{(.*?)\}', 'g') m
                   WHERE m[1] <> ALL (string_to_array(r.data_names,
                       ' '))$$, 'a text names values of its reason only');
SELECT set_eq('SELECT DISTINCT code FROM refusal_reasons()',
              $$VALUES ('KB001'), ('KB002'), ('KB003'), ('KB004'), ('KB005'), ('KR001'), ('KR002'),
                       ('KL001'), ('KL002'),
                       ('KL003'), ('KL004'), ('KL005'), ('KC001'), ('KC002'), ('KC003'), ('KC004'),
                           ('KC005'), ('KC006')$$,
              'every code has a reason');

-- ---- refusals in SQL
CREATE VIEW t.raised AS
    SELECT p.proname, m[1] AS code, m[2] AS said
      FROM pg_proc p, regexp_matches(p.prosrc, 'ERRCODE = ''(K[BRLC]\d\d\d)''(.*?);', 'g') m
     WHERE p.pronamespace = ANY (casino_internal.schemas());
SELECT cmp_ok(count(*), '>', 30::bigint, 'refusals are raised in SQL') FROM t.raised;
SELECT is_empty($$SELECT proname, code FROM t.raised
                   WHERE said !~ '^, CONSTRAINT = ''[a-z_]+'',\s+DATATYPE = jsonb_build_object\('$$,
                'R12.30: each with reason and values');
SELECT is_empty($$SELECT proname, code, substring(said FROM 'CONSTRAINT = ''(\w+)''') FROM t.raised
                   WHERE (code, substring(said
                       FROM 'CONSTRAINT = ''(\w+)''')) NOT IN (SELECT r.code, r.reason
                       FROM refusal_reasons() r)$$,
                'the reason is one of its code');
SELECT is_empty($$SELECT r.proname, n[1]
                    FROM t.raised r
                    JOIN refusal_reasons() l ON l.reason = substring(r.said FROM 'CONSTRAINT = ''(\w+)''')
                   CROSS JOIN LATERAL regexp_matches(substring(r.said
                       FROM 'jsonb_build_object\((.*?)\)::text'), '''(\w+)'',', 'g') n
                   WHERE n[1] <> ALL (string_to_array(l.data_names, ' ') || ARRAY['board'])$$,
                'the values are those of the list');
SELECT is_empty($$SELECT p.proname FROM pg_proc p
                   WHERE p.pronamespace = ANY (casino_internal.schemas())
                       AND p.prosrc ~ 'RAISE SQLSTATE ''K[BRLC]'$$, 'and none is raised otherwise');

-- ---- rows and errors
-- reason and data of an error, as drivers expose them
CREATE FUNCTION t.refused(statement text, OUT code text, OUT reason text, OUT data jsonb) LANGUAGE plpgsql
    AS $$
DECLARE said text;
BEGIN
    EXECUTE statement;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, reason = CONSTRAINT_NAME, said = PG_DATATYPE_NAME;
    data := said::jsonb;
END $$;
SELECT add_game_table('roulette_synot', 'Vltava', 10, 100)
    AS wheel, add_game_table('roulette_synot', 'Labe', 10, 100) AS other,
       add_game_table('blackjack_synot', 'Tatra', 100, 10000) AS boxes \gset
SELECT register_player('a') AS a, register_player('b') AS b \gset
SELECT deposit(p, 1000, at => '2026-06-01 09:00') FROM unnest(ARRAY[:a, :b]::bigint[]) p \g /dev/null
SELECT open_round(:wheel, 'r1', '2026-06-01 10:00') AS r1, open_round(:other, 'r2', '2026-06-01 10:00') AS r2,
       open_round(:boxes, 'r3', '2026-06-01 10:00') AS r3 \gset
CREATE TABLE t.wanted (what text, player bigint, round bigint, bets bet[], at timestamptz, code text,
    reason text, data jsonb, seat int);
INSERT INTO t.wanted VALUES
    ('below the minimum', :a, :r1, '{red@5}', '2026-06-01 10:01', 'KB002', 'below_minimum',
     '{"kind": "red", "bet": "red", "stake": 5.00, "min": 10.00, "table": "Vltava"}', NULL),
    ('above the maximum', :a, :r1, '{straight:17@100.01}', '2026-06-01 10:01', 'KB002', 'above_maximum',
     '{"kind": "straight", "bet": "straight:17", "stake": 100.01, "max": 100.00, "table": "Vltava"}', NULL),
    ('another game''s bet', :a, :r1, '{main@100}', '2026-06-01 10:01', 'KB004', 'not_offered',
        '{"game": "roulette_synot", "kind": "main"}', NULL),
    ('more than the wallet', :a, :r1, '{red@1000.01}', '2026-06-01 10:01', 'KL002', 'insufficient_funds',
     '{"balance": 1000.00, "needed": 1000.01, "missing": 0.01}', NULL),
    ('backdated', :a, :r1, '{red@10}', '2026-06-01 08:00', 'KL005', 'backdated',
     '{"at": "2026-06-01T08:00:00+02:00", "not_before": "2026-06-01T09:00:00+02:00"}', NULL),
    ('insurance before the close', :a, :r3, '{main@100,insurance@50}', '2026-06-01 10:01', 'KB005',
        'too_early', NULL, 1);
SELECT is((t.code, t.reason, t.data)::text,
          (w.code, w.reason, coalesce(w.data, jsonb_build_object('kind', 'insurance', 'round_id',
              w.round)))::text,
          'R12.30: try_place_bets(): ' || w.what)
  FROM t.wanted w, LATERAL try_place_bets(w.round, w.player, w.bets, at => w.at, seat => w.seat) t;
SELECT is((m.code, m.reason, m.data)::text,
          (w.code, w.reason, coalesce(w.data, jsonb_build_object('kind', 'insurance', 'round_id',
              w.round)))::text,
          'R12.30: place_many(): ' || w.what)
  FROM t.wanted w,
      LATERAL place_many(w.round, array_fill(w.player, ARRAY[cardinality(w.bets)]), w.bets, at => w.at,
                                      seats => array_fill(w.seat, ARRAY[cardinality(w.bets)])) m;
SELECT is((e.code, e.reason, e.data)::text,
          (w.code, w.reason, coalesce(w.data, jsonb_build_object('kind', 'insurance', 'round_id',
              w.round)))::text,
          'R12.30: the error of place_bets(): ' || w.what)
  FROM t.wanted w,
      LATERAL t.refused(format('SELECT casino.place_bets(%s, %s, %L, at => %L, seat => %L)', w.round,
      w.player, w.bets, w.at, w.seat)) e;
SELECT results_eq('SELECT code, reason, data ->> ''kind'' FROM refusal ORDER BY refusal_no LIMIT 3',
                  $$VALUES ('KB002', 'below_minimum', 'red'), ('KB002', 'above_maximum', 'straight'),
                           ('KB004', 'not_offered', 'main')$$,
                  'kept in casino.refusal');
-- an accepted request: the wallet, no reason
SELECT is((t.accepted, t.entry_nos, t.balance, t.code, t.reason, t.data)::text, '(t,{2},900.00,,,)',
    'try_place_bets() answers with the wallet')
  FROM try_place_bets(:r1, :a, '{red@100}', 'k', at => '2026-06-01 10:02') t;
SELECT is((t.accepted, t.entry_nos, t.balance)::text, '(t,{2},900.00)', 'and its retry with the same')
  FROM try_place_bets(:r1, :a, '{red@100}', 'k', at => '2026-06-01 10:02') t;
SELECT is(t.reason, 'request_conflict', 'another content')
    FROM try_place_bets(:r1, :a, '{red@90}', 'k', at => '2026-06-01 10:02') t;
SELECT is((t.reason, t.data)::text, format('(second_table,"{""table"": ""Vltava"", ""round_id"": %s}")',
    :r1), 'a second table: not evaluated, no time')
  FROM try_place_bets(:r2, :a, '{red@10}', at => '2026-06-01 10:03') t;
SELECT close_betting(:r1, '2026-06-01 10:04') \g /dev/null
SELECT is((t.reason, t.data)::text,
    format('(betting_closed,"{""status"": ""closed"", ""round_id"": %s}")', :r1), 'after the close')
  FROM try_place_bets(:r1, :a, '{red@10}', at => '2026-06-01 10:05') t;
-- limits the player has set, an exclusion, cash
SELECT set_limit(:b, 'stake', 'day', 200, '2026-06-01 09:30') \g /dev/null
SELECT is((t.reason, t.data), ('self_limit'::text, '{"used": 0.00, "limit": 200.00, "stake": 200.01,
                                                     "period": "day", "measure": "stake"}'::jsonb),
          'a limit of the player')
  FROM try_place_bets(:r2, :b, '{red@200.01}', at => '2026-06-01 10:05') t;
SELECT is((t.reason, t.data)::text, '(cash_limit,"{""max"": 10000.00, ""amount"": 10000.01}")', 'cash')
  FROM (SELECT deposit(:b, 20000, at => '2026-06-01 10:06') OFFSET 0) d,
      LATERAL try_request_withdrawal(:b, 10000.01, 'cash', at => '2026-06-01 10:07') t;
SELECT is((t.reason, t.data)::text, '(no_payment_account,{})', 'a transfer without an account')
  FROM try_request_withdrawal(:b, 10, 'transfer', at => '2026-06-01 10:07') t;
SELECT exclude_player(:b, until => NULL, source => 'panic_button', at => '2026-06-01 10:08') \g /dev/null
SELECT is((t.reason, t.data)::text, '(excluded,"{""until"": ""2026-06-03T10:08:00+02:00""}")',
    'an exclusion and its end')
  FROM try_deposit(:b, 10, at => '2026-06-01 10:09') t;
SELECT is(message_for_player(t.reason, t.data, 'cs'),
    'Jste vyloučeni ze hry (do 3. 6. 2026 10:08). Výhry se vyplácejí i tak.', 'as the player reads it')
  FROM try_deposit(:b, 10, at => '2026-06-01 10:09') t;

-- refusals in SQL, and of tables that keep
SELECT is((t.refused(format('SELECT casino.open_round(%s, ''r9'', ''2026-06-01 10:10'')',
    :wheel))).reason, 'unevaluated_round', 'a second round at a table');
SELECT is((t.refused('DELETE FROM casino.ledger')).data, '{"table": "ledger"}',
          'a table that keeps its rows');
SELECT is((t.refused(format('SELECT casino.settle_round(%s, ''{"number": 37}'')', :r1))).reason,
    'illegal_outcome', 'an outcome that cannot be');
-- a trigger of the operator's that borrows a code has words of its own, or none
CREATE FUNCTION t.odd() RETURNS trigger LANGUAGE plpgsql
    AS $$BEGIN RAISE EXCEPTION 'not today' USING ERRCODE = 'KB001', DATATYPE = 'no json',
    CONSTRAINT = repeat('x', 65); END$$;
SELECT register_player('c') AS c \gset
SELECT deposit(:c, 100, at => '2026-06-01 10:15') \g /dev/null
CREATE TRIGGER t_odd BEFORE INSERT ON casino.ledger FOR EACH ROW EXECUTE FUNCTION t.odd();
SELECT is((t.accepted, t.code, t.reason, t.data)::text, format('(f,KB001,%s,{})', repeat('x', 65)),
    'a foreign refusal is a row as well')
  FROM try_place_bets(:r2, :c, '{red@10}', at => '2026-06-01 10:20') t;

-- ---- texts
SELECT is(message_for_player('below_minimum', '{"kind": "red", "stake": 5.00, "min": 12345.50}', 'cs'),
          U&'Vklad 5,00 K\010D (\010Derven\00E1) je ni\017E\0161\00ED ne\017E minimum 12\00A0345,50 K\010D.',
          'Czech: comma and hard space');
SELECT is(message_for_player('below_minimum', '{"kind": "red", "stake": 5.00, "min": 12345.50}', 'en'),
          'The stake of 5.00 CZK on red is below the minimum of 12,345.50 CZK.', 'English');
SELECT is(message_for_player('second_table', '{"table": "{round_id}"}', 'en'),
          'You take part at table {round_id}; you may play at one live table at a time.',
              'a value is not filled in');
SELECT is(message_for_player('break_due', '{"until": "2026-12-01T10:00:00+00:00"}', 'cs'),
          'Musíte si dát přestávku; znovu můžete sázet v 1. 12. 2026 11:00.',
              'times are those of Prague');
SELECT is(message_for_player('too_many_hands', '{"max": 4}', 'en'),
          'A box may be split into at most 4 hands.',
          'R12.30: hands are counted, and no amount of money');
SELECT is(message_for_player('too_many_hands', '{"max": 4}', 'cs'),
          'Karty na boxu lze rozdělit nejvýše na 4 kombinace.', 'in Czech, too');
SELECT is(message_for_player('none_such', '{}', 'en'), 'The request was refused.', 'an unknown reason');
SELECT is(message_for_player('below_minimum', '{}', 'en'),
    'The stake of ? CZK on ? is below the minimum of ? CZK.', 'a value that is missing');
SELECT is(message_for_player(NULL, '{}', 'en'), NULL, 'no reason, no text');
SELECT throws_ok($$SELECT message_for_player('below_minimum', '{}', 'de')$$, '22023', NULL,
    'another language');
SELECT is_empty($$SELECT r.reason, l FROM refusal_reasons() r, unnest('{cs,en}'::text[]) l
                   WHERE message_for_player(r.reason, (SELECT jsonb_object_agg(n, 1)
                       FROM string_to_table(r.data_names, ' ') n), l) ~ '[{}?]'$$,
                'R12.30: every text can be filled from its values');
SELECT * FROM finish();
ROLLBACK;
