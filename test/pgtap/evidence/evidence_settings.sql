-- Leaves, roots, seals, proofs, exports and verification are the same whatever is set: one session with every
-- setting that changes how PostgreSQL reads or prints a value, against one with none of them.
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SELECT no_plan();
SELECT casino.register_player('anna "A" \ š') AS a, casino.register_player('bedřich') AS b \gset
SELECT casino.add_game_table('roulette_synot', 'Wheel', 10, 10000) AS w,
    casino.add_game_table('blackjack_synot', 'Lednice', 10, 10000, '{"seats": 7}') AS j \gset
SELECT casino.deposit(p, 1000.5, 'd1', '2026-06-01 09:00:00.123456+02')
  FROM unnest(ARRAY[:a, :b]) p \g /dev/null
SELECT casino.open_round(:w, 'w1', '2026-06-01 10:00+02') AS w1,
    casino.open_round(:j, 'j1', '2026-06-01 10:00+02') AS j1 \gset
SELECT casino.place_bets(:w1, :a, '{red@10,straight:17@12.5}', 's1', at => '2026-06-01 10:00:01+02'),
    casino.place_bet(:j1, :b, 'main@100', 'm1', 1, 1, '2026-06-01 10:00:01+02') \g /dev/null
SELECT casino.close_betting(:w1, '2026-06-01 10:00:30+02'),
    casino.settle_round(:w1, '{"number": 17}', '2026-06-01 10:01+02') \g /dev/null
SELECT casino.close_betting(:j1, '2026-06-01 10:00:30+02'),
    casino.deal(:j1, '{"dealer": "5h", "hands": [{"seat": 1, "cards": "9c 5d"}]}',
                '2026-06-01 10:00:40+02') \g /dev/null
SELECT casino.settle_round(:j1, '{"dealer": "5h Tc Td", "hands": [{"seat": 1, "cards": "9c 5d 2c"}]}',
                           '2026-06-01 10:01+02') \g /dev/null
SELECT casino.exclude_player(:b, '2027-06-01 12:00+02', 'self', '2026-06-01 11:00+02'),
    casino.set_limit(:a, 'stake', 'day', 500.5) \g /dev/null

-- all that can be said of the evidence: the leaf, the line and the key of each row of each section, roots,
-- documents, proofs, exports
CREATE FUNCTION pg_temp.said() RETURNS TABLE (what text, said text) LANGUAGE plpgsql AS $$
DECLARE
    s record;
BEGIN
    FOR s IN SELECT DISTINCT l.section, l.relation FROM casino.evidence_layouts() l LOOP
        RETURN QUERY EXECUTE pg_catalog.format('SELECT %L,
                                                       pg_catalog.encode(casino.evidence_leaf(%1$L, t),
                                                                         ''hex'')
                                                       || casino.evidence_line(%1$L, t)
                                                       || casino.evidence_key(%1$L, t)
                                                  FROM casino.%I t',
                                               s.section, s.relation);
    END LOOP;
    RETURN QUERY SELECT 'ledger_leaf', pg_catalog.encode(casino.ledger_leaf(l), 'hex') FROM casino.ledger l;
    RETURN QUERY SELECT 'stream', pg_catalog.encode(t.root || t.marks, 'hex')
        FROM casino.player p, casino.stream_tree(p.player_id, 1, NULL) t;
    RETURN QUERY SELECT 'document', casino.seal_document(d.seal_no)::text FROM casino.day_seal d;
    RETURN QUERY SELECT 'export', e FROM (SELECT DISTINCT d.day FROM casino.day_seal d) d,
        casino.export_day(d.day) e;
    RETURN QUERY SELECT 'proof', casino.proof(p.player_id, 2)::text FROM casino.player p
        WHERE EXISTS (SELECT FROM casino.day_seal);
    RETURN QUERY SELECT 'statement', casino.statement_proof(p.player_id, '2026-06-01T00:00:00Z',
                                                            '2026-06-02T00:00:00Z')::text FROM casino.player p
                                                                WHERE EXISTS (SELECT FROM casino.day_seal);
    RETURN QUERY SELECT 'verify', v::text FROM casino.verify() v;
END $$;

-- a value that is not the default for each of them; those of the operating system's locales that are there
CREATE TEMP TABLE strange (setting, value) AS VALUES
    ('DateStyle', 'SQL, DMY'), ('TimeZone', 'Asia/Kathmandu'), ('IntervalStyle', 'sql_standard'),
        ('extra_float_digits', '-15'), ('bytea_output', 'escape'), ('xmlbinary', 'hex'),
            ('xmloption', 'document'),
    ('standard_conforming_strings', 'off'), ('escape_string_warning', 'off'), ('backslash_quote', 'on'),
        ('array_nulls', 'off'), ('quote_all_identifiers', 'on'), ('transform_null_equals', 'on'),
    ('search_path', 'forged, pg_catalog, public'), ('default_text_search_config', 'simple'),
        ('timezone_abbreviations', 'India'), ('check_function_bodies', 'off'),
    ('lc_messages', 'POSIX'), ('lc_monetary', 'POSIX'), ('lc_numeric', 'POSIX'), ('lc_time', 'POSIX'),
        ('work_mem', '64kB'), ('max_parallel_workers_per_gather', '4'),
            ('plan_cache_mode', 'force_generic_plan');
INSERT INTO strange SELECT l, c.name FROM unnest('{lc_monetary,lc_numeric,lc_time,lc_messages}'::text[]) l,
    (SELECT max(collname) AS name FROM pg_collation
     WHERE collprovider = 'c' AND collname ~ '^(cs|de|fr)_.*utf-?8$') c WHERE c.name IS NOT NULL;
-- names that a search_path could put before ours
CREATE SCHEMA forged;
CREATE FUNCTION forged.encode(bytea, text) RETURNS text LANGUAGE sql AS $$ SELECT 'forged'::text $$;
CREATE FUNCTION forged.sha256(bytea) RETURNS bytea LANGUAGE sql AS $$ SELECT '\x00'::bytea $$;
CREATE FUNCTION forged.format(text, VARIADIC text[]) RETURNS text LANGUAGE sql AS $$ SELECT 'forged'::text $$;

CREATE TEMP TABLE usual AS SELECT * FROM pg_temp.said();
SELECT isnt_empty('SELECT * FROM usual', 'there is something to compare');
SELECT set_config(setting, value, false) FROM strange \g /dev/null
CREATE TEMP TABLE odd AS SELECT * FROM pg_temp.said();
-- a seal that is made now
SELECT (s).seal_no FROM (SELECT casino.seal('2026-06-01'::pg_catalog.date) AS s) x \g /dev/null
CREATE TEMP TABLE sealed_odd AS SELECT * FROM pg_temp.said();
SELECT pg_catalog.set_config(p.name, p.reset_val, false) FROM pg_catalog.pg_settings p
 WHERE lower(p.name) IN (SELECT lower(setting) FROM strange) \g /dev/null
SET timezone = 'Europe/Prague';
SELECT bag_eq('SELECT * FROM odd', 'SELECT * FROM usual', 'leaves, lines, keys and roots');
SELECT is_empty('SELECT * FROM casino.verify()',
                'a seal made under strange settings is verified under the usual ones');
SELECT bag_eq('SELECT * FROM sealed_odd', 'SELECT * FROM pg_temp.said()',
              'and says the same: document, export, proofs, statements');
SELECT set_eq('SELECT what
                 FROM sealed_odd
                WHERE what IN (''document'', ''export'', ''proof'', ''statement'')',
              '{document,export,proof,statement}'::text[], 'all of which there are');
-- and the other way round
SELECT casino.deposit(:a, 1, 'd2') \g /dev/null
SELECT (s).seal_no FROM (SELECT casino.seal('2026-06-02') AS s) x \g /dev/null
SELECT set_config(setting, value, false) FROM strange \g /dev/null
SELECT public.is_empty('SELECT * FROM casino.verify()', 'nor does it matter the other way round');
SELECT pg_catalog.set_config(p.name, p.reset_val, false) FROM pg_catalog.pg_settings p
 WHERE lower(p.name) IN (SELECT lower(setting) FROM strange) \g /dev/null

SELECT * FROM finish();
