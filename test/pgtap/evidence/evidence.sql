-- Seals: what is covered, that nothing is missed, that each kind of tampering is found and named, and that
-- proofs prove (R12.14).
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SET search_path = public, casino, casino_internal;
SELECT no_plan();
CREATE FUNCTION at(clock text) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$ SELECT ('2026-06-01 ' || clock
        || ' Europe/Prague')::timestamptz $$;

-- ---------------------------------------------------------------- leaves
SELECT is(casino.hash_leaf(''), '\x6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
          'hash of an empty leaf: RFC 9162, vector of certificate-transparency');
SELECT is((SELECT casino.merkle_root(casino.hash_leaf(l::bytea) ORDER BY n)
             FROM unnest('{"\\x","\\x00","\\x10","\\x2021","\\x3031","\\x40414243","\\x5051525354555657",'
                         '"\\x606162636465666768696a6b6c6d6e6f"}'::text[]) WITH ORDINALITY u (l, n)
             WHERE n <= k), r::bytea,
          format('root of %s leaves', k))
  FROM unnest(ARRAY['\x6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
                    '\xfac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
                    '\xaeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
                        '\xd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
                    '\x4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
                        '\x76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
                    '\xddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
                    '\x5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'])
           WITH ORDINALITY v (r, k);
SELECT is((SELECT casino.merkle_path(casino.hash_leaf(decode(l, 'hex')), 1 ORDER BY n)
           FROM unnest('{"","00","10","2021","3031"}'::text[]) WITH ORDINALITY u (l, n)),
          '{"\\x6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",'
          '"\\x5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",'
          '"\\xbc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"}'::bytea[],
          'path of a leaf');
SELECT is((SELECT casino.merkle_root(h) FROM (SELECT NULL::bytea AS h WHERE false) e), sha256(''),
          'root of nothing');

-- every append-only table but those of the seals has a section, every section all columns of its table; who
-- adds a table or column adds it to src/core/evidence/leaf_layouts.c
SELECT is_empty($$SELECT c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
                   WHERE c.relnamespace = 'casino'::regnamespace
                       AND t.tgfoid = 'casino_internal.refuse_change'::regproc AND t.tgname = 'append_only'
                     AND c.relname NOT IN (SELECT relation FROM casino.evidence_layouts())
                         AND c.relname !~ '^(day_seal|seal_section|sealed_player|sealed_row)$'
                         -- a book has the ledger's
                         AND NOT c.relispartition$$,
                'no append-only table is forgotten');
SELECT is_empty($$SELECT c.relname, a.attname FROM pg_class c
                JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                   WHERE c.relnamespace = 'casino'::regnamespace
                       AND c.relname IN (SELECT relation FROM casino.evidence_layouts())
                     AND (c.relname, a.attname) NOT IN (SELECT relation, field FROM casino.evidence_layouts())
                     -- what changes: state of the players, versions of a table
                     AND (c.relname, a.attname) NOT IN (SELECT 'player', n
                                                        FROM unnest('{balance,last_entry_no,last_posted_at,'
                                                                    'last_round_id,sequence_started_at,'
                                                                    'previous_round_id,'
                                                                    'previous_sequence_started_at,'
                                                                    'excluded_until,limited}'::name[]) n)
                     AND (c.relname, a.attname) <> ('game_table', 'versions')
                     -- an entry does not contain its place
                     AND (c.relname, a.attname) <> ('ledger', 'book')$$, 'no column of theirs');
SELECT is_empty($$SELECT l.relation, l.field FROM casino.evidence_layouts() l
                WHERE NOT EXISTS (SELECT FROM pg_attribute a
                                  WHERE a.attrelid = ('casino.' || l.relation)::regclass
                                      AND a.attname = l.field)$$, 'and there are no others');
SELECT is_empty($$SELECT l.section FROM casino.evidence_layouts() l
                JOIN pg_index i ON i.indrelid = ('casino.' || l.relation)::regclass AND i.indisprimary
                   GROUP BY l.section, i.indrelid, i.indkey
                  HAVING array_agg(l.field ORDER BY l.field) FILTER (WHERE l.is_key)
                         <> (SELECT array_agg(a.attname::text ORDER BY a.attname::text) FROM pg_attribute a
                             WHERE a.attrelid = i.indrelid
                                 AND a.attnum = ANY (i.indkey::int2[]))$$, 'their keys are the primary keys');

-- doc/evidence.md has every layout
\set document `cat doc/evidence.md`
SELECT is_empty(format($$SELECT l.line FROM (SELECT format('| %%s | %%s | `%%s` | %%s |', tag, version,
                                                           section,
                                                       string_agg(CASE
                                                               WHEN is_key THEN format('**%%s**', field)
                                                                   ELSE field END || ' ' || type, ', '
                                                                       ORDER BY field_no)) AS line
                                          FROM casino.evidence_layouts()
                                              GROUP BY section_no, tag, version, section) l
                          WHERE l.line NOT IN (SELECT string_to_table(%L, E'\n'))$$, :'document'),
                              'the document has every layout as it is');

-- ---------------------------------------------------------------- two days
SELECT register_player('anna') AS a, register_player('bedřich "B" \ x') AS b,
    register_player('cyril') AS c \gset
SELECT add_game_table('roulette_synot', 'Wheel', 10, 10000) AS w,
    add_game_table('blackjack_synot', 'Lednice', 10, 10000, '{"seats": 7}') AS j \gset
SELECT deposit(:a, 1000, 'd1', at('09:00')), deposit(:b, 1000, 'd1', at('09:00')),
    deposit(:c, 1000, 'd1', at('09:00')) \g /dev/null
SELECT open_round(:w, 'w1', at('10:00')) AS w1 \gset
SELECT place_bets(:w1, :a, '{red@10,straight:17@10}', 's1', at => at('10:00:01')),
    place_bet(:w1, :b, 'split:17-20@12.5', 's1', at => at('10:00:02')) \g /dev/null
SELECT close_betting(:w1, at('10:00:30')), settle_round(:w1, '{"number": 17}', at('10:01')) \g /dev/null
SELECT open_round(:j, 'j1', at('10:02')) AS j1 \gset
SELECT place_bet(:j1, :b, 'main@100', 'm1', 1, 1, at('10:02:01')), close_betting(:j1, at('10:02:30')),
    deal(:j1, '{"dealer": "5h", "hands": [{"seat": 1, "cards": "9c 5d"}]}', at('10:02:40')) \g /dev/null
SELECT settle_round(:j1, '{"dealer": "5h Tc Td", "hands": [{"seat": 1, "cards": "9c 5d 2c"}]}',
                    at('10:03')) \g /dev/null
SELECT exclude_player(:c, at('12:00') + interval '1 year', 'self', at('11:00')) \g /dev/null
SELECT prague_day(now()) AS today \gset
SELECT throws_ok(format('SELECT casino.seal(%L)', d), '22023', NULL, format('day %s cannot be sealed', d))
  FROM unnest(ARRAY[NULL, 'infinity', '0001-12-31 BC', (:'today'::date + 1)::text]) d;
SELECT set_eq(format($$SELECT seal_no, entries, players FROM casino.seal(%L)$$, :'today'::date - 1),
              $$VALUES (1::bigint, (SELECT count(*) FROM casino.ledger), 3::bigint)$$,
                  'the first seal covers all entries of all players');
SELECT is((SELECT rows FROM casino.seal_section WHERE section = 'round'), 2::bigint, 'the rounds');
SELECT is((SELECT rows FROM casino.seal_section WHERE section = 'paytable'),
          (SELECT count(*) FROM casino.paytable), 'and the plans in force');
SELECT is((casino.seal(:'today'::date - 1)).seal_no, 1::bigint,
          'asked again for the day it gives the same seal');
SELECT is((SELECT count(*) FROM casino.day_seal), 1::bigint, 'and makes no other');
SELECT is((SELECT count(*) FROM casino.sealed_player WHERE octet_length(marks) <> 4 * entries), 0::bigint,
          'R12.72: a mark of four bytes for each entry');
SELECT is((SELECT sum(entries) FROM casino.sealed_player), (SELECT count(*)::numeric FROM casino.ledger),
          'each entry once');

-- the second day: only new rows
SELECT open_round(:w, 'w2', at('14:00')) AS w2, open_round(:j, 'j2', at('14:00')) AS j2 \gset
SELECT place_bet(:w2, :a, 'red@10', 's2', at => at('14:00:01')) \g /dev/null
SELECT close_betting(:w2, at('14:00:30')), settle_round(:w2, '{"number": 1}', at('14:01'), true,
                                                        'under inquiry') \g /dev/null
SELECT is((SELECT (s).seal_no FROM casino.seal(:'today') s), 2::bigint, 'the second');
SELECT set_eq($$SELECT entries, players, previous FROM casino.day_seal
              WHERE seal_no = 2$$, $$SELECT (SELECT count(*) FROM casino.ledger) - d.entries, 1::bigint,
                  d.root FROM casino.day_seal d WHERE seal_no = 1$$,
              'covers what came since, and follows the first');
SELECT set_eq($$SELECT row_key FROM casino.sealed_row
              WHERE section = 'round' AND seal_no = 2$$, ARRAY[:'w2'],
                  'the withheld round has been evaluated');
SELECT is_empty($$SELECT FROM casino.sealed_row
                WHERE section = 'round_end' AND seal_no = 2$$, 'but has not ended');
SELECT pay_withheld(:w2, at('15:00')) \g /dev/null
SELECT is((SELECT (s).entries FROM casino.seal(:'today'::date - 2) s),
          (SELECT count(*) FROM casino.ledger WHERE player_id = :a
           AND entry_no > (SELECT max(last_entry_no) FROM casino.sealed_player
                           WHERE player_id = :a AND seal_no <= 2)), 'what was paid later is in the third');
SELECT set_eq($$SELECT section, row_key FROM casino.sealed_row
              WHERE seal_no = 3 AND section ~ '^round'$$, format($$VALUES ('round_end', '%s')$$, :w2),
                  'with the end of the round');
SELECT is_empty('SELECT * FROM casino.verify()', 'on clean books verify() returns nothing');
SELECT is_empty('SELECT * FROM casino.verify(2, 2)', 'nor of a part');
SELECT throws_ok(c, '22023', NULL, c)
  FROM unnest('{"SELECT casino.verify(0, 1)","SELECT casino.verify(3, 2)"}'::text[]) c;

-- whatever the settings
SELECT lives_ok($$SET DateStyle = 'SQL, DMY'$$) UNION ALL SELECT lives_ok($$SET TimeZone = 'Asia/Tokyo'$$)
 UNION ALL SELECT lives_ok($$SET extra_float_digits = -15$$)
 UNION ALL SELECT lives_ok($$SET bytea_output = 'escape'$$)
     UNION ALL SELECT lives_ok($$SET IntervalStyle = 'sql_standard'$$);
CREATE TEMP TABLE strange AS SELECT * FROM casino.export_day(:'today'::date - 1) e
    UNION ALL SELECT casino.seal_document(1)::text UNION ALL SELECT casino.proof(:a, 2)::text;
SELECT is_empty('SELECT * FROM casino.verify()', 'verify() depends on no setting');
RESET DateStyle; RESET TimeZone; RESET extra_float_digits; RESET bytea_output; RESET IntervalStyle;
SELECT set_eq('SELECT * FROM strange', format($$SELECT * FROM casino.export_day(%L) e
                                              UNION ALL SELECT casino.seal_document(1)::text
                                                  UNION ALL SELECT casino.proof(%s, 2)::text$$,
                                                      :'today'::date - 1, :a),
                                                          'nor do export, document and proof');

-- ---------------------------------------------------------------- the seals are kept
SELECT throws_ok(format('%s casino.%I%s', c, r, s), 'KL001', NULL, format('%s %s', c, r))
  FROM unnest('{day_seal,seal_section,sealed_player,sealed_row}'::text[]) r,
      (VALUES ('DELETE FROM', ''), ('TRUNCATE', ' CASCADE'), ('UPDATE', ' SET seal_no = 1')) v (c, s);

-- --------------------------------------------- tampering, by a superuser who puts all triggers out of action
CREATE FUNCTION pg_temp.found(tampering text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    t regclass;
    answer text;
BEGIN
    FOR t IN SELECT c.oid FROM pg_class c WHERE c.relnamespace = 'casino'::regnamespace
        AND c.relkind IN ('r', 'p') LOOP
        EXECUTE format('ALTER TABLE %s DISABLE TRIGGER ALL', t);
    END LOOP;
    EXECUTE tampering;
    SELECT coalesce(string_agg(concat_ws(' ', v.seal_no, v.section, v.player_id::text || '/' || v.entry_no,
                                         v.problem), '; '
                                             ORDER BY v.seal_no, v.section, v.player_id, v.entry_no,
                                                 v.problem), 'nothing') INTO answer FROM casino.verify() v;
    RAISE EXCEPTION USING ERRCODE = 'ZZ999', MESSAGE = answer;
EXCEPTION WHEN SQLSTATE 'ZZ999' THEN
    RETURN SQLERRM;
END $$;
CREATE TEMP TABLE tampering (what text, how text, found text);
INSERT INTO tampering VALUES
    ('amount of an entry',
          format('UPDATE casino.ledger SET amount = 20 WHERE player_id = %s AND entry_no = 2', :a),
              format('1 ledger %s/2 the entry was changed', :a)),
    ('a haléř',
     format('UPDATE casino.ledger SET amount = amount + 0.01 WHERE player_id = %s AND entry_no = 1', :b),
     format('1 ledger %s/1 the entry was changed', :b)),
    ('part of a haléř',
             format('UPDATE casino.ledger SET amount = amount + 0.001 WHERE player_id = %s AND entry_no = 1',
                    :b), format('1 ledger %s/1 the entry was changed', :b)),
    ('amount that is none',     format($$UPDATE casino.ledger SET balance = 'NaN'
                                       WHERE player_id = %s
                                           AND entry_no = 1$$, :b),
                                               format('1 ledger %s/1 the entry was changed', :b)),
    ('bet',                     format($$UPDATE casino.ledger SET bet = 'black@10'
                                       WHERE player_id = %s
                                           AND entry_no = 2$$, :a),
                                               format('1 ledger %s/2 the entry was changed', :a)),
    ('time by a microsecond',
       format($$UPDATE casino.ledger SET posted_at = posted_at + interval '1 microsecond'
              WHERE player_id = %s AND entry_no = 3$$, :a),
                  format('1 ledger %s/3 the entry was changed', :a)),
    ('who recorded it',
             format('UPDATE casino.ledger SET recorded_by = 77 WHERE player_id = %s AND entry_no = 3', :a),
                 format('1 ledger %s/3 the entry was changed', :a)),
    ('NULL to empty',           format($$UPDATE casino.ledger SET reason = ''
                                       WHERE player_id = %s
                                           AND entry_no = 1$$, :a),
                                               format('1 ledger %s/1 the entry was changed', :a)),
    ('an entry removed',        format('DELETE FROM casino.ledger WHERE player_id = %s AND entry_no = 3', :a),
     format('1 ledger %s/3 the entry was removed', :a)),
    ('the last entry removed',
      format('DELETE FROM casino.ledger
               WHERE player_id = %s
                 AND entry_no = (SELECT max(entry_no) FROM casino.ledger WHERE player_id = %1$s)',
             :c),
      format('1 ledger %s/1 the entry was removed', :c)),
    ('two entries swapped',
         format('UPDATE casino.ledger SET entry_no = -entry_no WHERE player_id = %1$s AND entry_no IN (2, 3);
                 UPDATE casino.ledger
                    SET entry_no = CASE entry_no WHEN -2 THEN 3 ELSE 2 END
                  WHERE player_id = %1$s AND entry_no < 0',
                :a),
                                format('1 ledger %s/2 the entry was changed; '
                                       '1 ledger %1$s/3 the entry was changed',
                                       :a)),
    ('an entry renumbered',
         format('UPDATE casino.ledger SET entry_no = 0 WHERE player_id = %s AND entry_no = 1', :b),
             format('1 ledger %s/0 the entry was inserted; 1 ledger %1$s/1 the entry was removed', :b)),
    ('an entry given to another',
     format('UPDATE casino.ledger
                SET player_id = %s, entry_no = 99, request_id = ''x''
              WHERE player_id = %s AND entry_no = 1',
            :c, :b),
     format('1 ledger %s/1 the entry was removed', :b)),
    ('outcome of a round',      format($$UPDATE casino.round SET outcome = '{"number": 18}'
                                       WHERE round_id = %s$$, :w1),
                                           format('1 round row %s was changed', :w1)),
    ('document of a round',     format($$UPDATE casino.round SET outcome_document = '{"number": 17.0}'
                                       WHERE round_id = %s$$, :w1),
                                           format('1 round row %s was changed', :w1)),
    ('time of a round',         format($$UPDATE casino.round SET evaluated_at = evaluated_at - interval '1 s'
                                       WHERE round_id = %s$$, :w1),
                                           format('1 round row %s was changed', :w1)),
    ('figures of a round',      format('UPDATE casino.round SET paid = 1 WHERE round_id = %s', :w1),
     format('1 round_end row %s was changed', :w1)),
    ('a round removed',         format('DELETE FROM casino.round WHERE round_id = %s', :w1),
     format('1 round row %s was removed; 1 round_end row %1$s was removed', :w1)),
    ('a card',                  format($$UPDATE casino.dealt_hand SET cards = '9c 5d 3c'
                                       WHERE round_id = %s
                                           AND side = 'box'$$, :j1),
                                               format('1 dealt_hand row %s/box/1/0/1 was changed', :j1)),
    ('a hand inserted',         format($$INSERT INTO casino.dealt_hand (round_id, side, seat,
            cards) VALUES (%s, 'box', 2, 'As Kd')$$, :j1),
                format('dealt_hand row %s/box/2/0/1 was inserted after seal 1', :j1)),
    ('a deal',                  format('UPDATE casino.deal SET dealt_at = recorded_at WHERE round_id = %s',
                                       :j1), format('1 deal row %s/1 was changed', :j1)),
    ('odds',                    $$UPDATE casino.paytable SET num = 36
     WHERE plan_id = 8 AND kind = 'straight' AND grade = 'win'$$,
         '1 paytable row 8/straight/win was changed'),
    ('a line of odds removed',  $$DELETE FROM casino.paytable
     WHERE plan_id = 8 AND kind = 'straight'$$, '1 paytable row 8/straight/win was removed'),
    ('a rule of a plan inserted', $$INSERT INTO casino.plan_rule (plan_id, rule, value, paragraph) VALUES (8,
            'x', 'y', 'z')$$, 'plan_rule row 8/x was inserted after seal 1'),
    ('an exclusion removed',    format('DELETE FROM casino.exclusion WHERE player_id = %s', :c),
     format('1 exclusion row %s/1 was removed', :c)),
    ('an exclusion put in, dated back', format($$INSERT INTO casino.exclusion SELECT %s, 1, 'self',
                                               excluded_from, excluded_until,
                                                   recorded_at - interval '2 hours', recorded_by
                                                       FROM casino.exclusion
                                                           LIMIT 1$$, :b),
        format('exclusion row %s/1 says that it was recorded before seal 3, which does not have it', :b)),
    ('who a player is',         format($$UPDATE casino.player SET external_ref = 'cyril'
                                       WHERE player_id = %s$$, :a),
                                           format('1 player row %s was changed', :a)),
    ('a recorder',              $$UPDATE casino.recorder SET actor = 'somebody else'
     WHERE recorder_id = 1$$, '1 recorder row 1 was changed'),
    ('root of a seal',          $$UPDATE casino.day_seal SET root = sha256('x')
     WHERE seal_no = 2$$,
         '2 the seal is not what its root says; 3 the seal does not follow from the seal before'),
    ('time of a seal',          $$UPDATE casino.day_seal SET sealed_at = sealed_at - interval '1 day'
     WHERE seal_no = 3$$, '3 the seal is not what its root says'),
    ('a seal removed',          $$DELETE FROM casino.day_seal WHERE seal_no = 2$$, '2 the seal is missing'),
    ('a section',               $$UPDATE casino.seal_section SET rows = 3
     WHERE seal_no = 1 AND section = 'round'$$,
         '1 round the list of what was sealed is not what the seal says; '
         '1 the seal is not what its root says'),
    ('a sealed row and its list', format($$UPDATE casino.round SET outcome = '{"number": 18}'
                                         WHERE round_id = %s;
                                           UPDATE casino.sealed_row s
                                              SET hash = casino.hash_leaf(casino.evidence_leaf('round', r))
                                             FROM casino.round r
                                            WHERE s.section = 'round'
                                              AND s.row_key = r.round_id::text$$, :w1),
                                '1 round the list of what was sealed is not what the seal says'),
    -- R12.72: a person who has found a row of the same mark hides the line, not the change
    ('an entry and its mark',   format($$UPDATE casino.ledger SET amount = 20
                                         WHERE player_id = %s AND entry_no = 2;
                                         UPDATE casino.sealed_player s SET marks = t.marks
                                           FROM casino.stream_tree(%1$s, 1,
                                                   (SELECT last_entry_no FROM casino.sealed_player
                                                    WHERE player_id = %1$s AND seal_no = 1)) t
                                          WHERE s.player_id = %1$s AND s.seal_no = 1$$, :a),
                                '1 ledger the entries are not what was sealed'),
    -- the marks are in no root: one more byte of them hides nothing
    ('an entry, its mark and a byte', format($$UPDATE casino.ledger SET amount = 20
                                         WHERE player_id = %s AND entry_no = 2;
                                         UPDATE casino.sealed_player s SET marks = t.marks || '\x00'
                                           FROM casino.stream_tree(%1$s, 1,
                                                   (SELECT last_entry_no FROM casino.sealed_player
                                                    WHERE player_id = %1$s AND seal_no = 1)) t
                                          WHERE s.player_id = %1$s AND s.seal_no = 1$$, :a),
                                '1 ledger the entries are not what was sealed'),
    ('a mark alone',            format($$UPDATE casino.sealed_player s SET marks = overlay(s.marks
                                           PLACING substr(sha256(s.marks), 1, 4) FROM 5 FOR 4)
                                         WHERE s.player_id = %s AND s.seal_no = 1$$, :a),
                                '1 ledger the marks of the entries were changed'),
    ('the last mark cut off',   format($$UPDATE casino.sealed_player s
                                           SET marks = substr(s.marks, 1, octet_length(s.marks) - 4)
                                         WHERE s.player_id = %s AND s.seal_no = 1$$, :a),
                                '1 ledger the marks of the entries were changed'),
    ('an entry and its list',   format($$UPDATE casino.ledger SET amount = 20
                                       WHERE player_id = %s AND entry_no = 2;
                                         UPDATE casino.sealed_player s SET root = t.root,
                                             running = casino.hash_node(decode(repeat('00', 32), 'hex'),
                                                     t.root), marks = t.marks
                                           FROM casino.stream_tree(%1$s, 1,
                                                   (SELECT last_entry_no FROM casino.sealed_player
                                                    WHERE player_id = %1$s AND seal_no = 1)) t
                                          WHERE s.player_id = %1$s AND s.seal_no = 1$$, :a),
                                '1 ledger the list of what was sealed is not what the seal says; '
                                '2 ledger the running hash does not follow');
SELECT is(pg_temp.found(how), found, what) FROM tampering;
SELECT is_empty('SELECT * FROM casino.verify()', 'and all is as it was');

-- the last seal removed with all that is its own: nothing here can know it; the document kept elsewhere does
CREATE TEMP TABLE kept AS SELECT casino.seal_document(n) AS document FROM generate_series(1, 3) n;
SELECT is(pg_temp.found('DELETE FROM casino.seal_section WHERE seal_no = 3;
                         DELETE FROM casino.sealed_player WHERE seal_no = 3;
                         DELETE FROM casino.sealed_row WHERE seal_no = 3;
                         DELETE FROM casino.day_seal WHERE seal_no = 3'),
          'nothing', 'a removed last seal leaves no trace');
SELECT is_empty('SELECT document
                   FROM kept
                  WHERE document IS DISTINCT FROM casino.seal_document((document ->> ''seal_no'')::bigint)',
                'documents kept elsewhere are the same');
SELECT is(casino.seal_document(99), NULL, 'of a seal that is not there is no document');

-- ---------------------------------------------------------------- proofs
SELECT is_empty($$SELECT l.player_id, l.entry_no FROM casino.ledger l
                    JOIN casino.sealed_player s ON s.player_id = l.player_id
                        AND l.entry_no BETWEEN s.first_entry_no AND s.last_entry_no
                            JOIN casino.day_seal d ON d.seal_no = s.seal_no
                   WHERE NOT casino.verify_proof(casino.proof(l.player_id, l.entry_no), d.root)$$,
                       'each entry has its proof');
SELECT is_empty($$SELECT d.seal_no FROM casino.day_seal d
                WHERE d.seal_no <> 1 AND casino.verify_proof(casino.proof(1, 1), d.root)$$,
                    'under its own seal only');
-- by the name of what is missing: the entry that comes next is there or not, and sealed or not
SELECT max(entry_no) AS newest FROM casino.ledger WHERE player_id = :a \gset
BEGIN;
SELECT casino.deposit(:a, 1) \g /dev/null
SELECT throws_ok(format('SELECT casino.proof(%s, %s + 1)', :a, :newest), '55000',
                 format('entry %s of player %s is not sealed', :newest + 1, :a),
                 'an entry outside every seal has no proof');
ROLLBACK;
SELECT throws_ok(format('SELECT casino.proof(%s, %s)', player, entry), '23503', message,
                 'proof(): ' || message)
  FROM (VALUES (:a, :newest + 1, format('entry %s of player %s does not exist', :newest + 1, :a)),
               (:a, 0, format('entry 0 of player %s does not exist', :a)),
               (0, 1, 'player 0 does not exist')) v (player, entry, message);
CREATE TEMP TABLE one AS SELECT casino.proof(:a, 2) AS proof, root FROM casino.day_seal WHERE seal_no = 1;
SELECT ok(proof::text !~ 'bedřich|cyril', 'a proof shows nobody else') FROM one;
SELECT ok(NOT casino.verify_proof(forged, root), format('forged: %s', what))
  FROM one, LATERAL (VALUES
    ('amount', jsonb_set(proof, '{entry}', to_jsonb(replace(proof ->> 'entry', '"amount":"10.00"',
                                                            '"amount":"99.00"')))),
    ('another player', jsonb_set(proof, '{entry}',
                                 to_jsonb(replace(proof ->> 'entry', '"player_id":1', '"player_id":2')))),
    ('a member repeated', jsonb_set(proof, '{entry}',
                                    to_jsonb(replace(proof ->> 'entry', '"kind":',
                                                     '"kind":"stake","kind":')))),
    ('index', jsonb_set(proof, '{stream_index}', '1')),
        ('a negative index', jsonb_set(proof, '{stream_index}', '-1')),
            ('an index that is text', jsonb_set(proof, '{stream_index}', '"0"')),
    ('tree size', jsonb_set(proof, '{stream,entries}', '9')),
        ('players', jsonb_set(proof, '{seal,players}', '2')),
            ('first entry', jsonb_set(proof, '{stream,first_entry_no}', '2')),
    ('a shorter path', proof #- '{path,0}'), ('a longer path',
                                              jsonb_insert(proof, '{path,0}', proof #> '{path,0}')),
                                                  ('no path', jsonb_set(proof, '{path}', '[]')),
    ('path of numbers', jsonb_set(proof, '{path}', '[1]')),
        ('a shorter path of streams', proof #- '{stream_path,0}'),
    ('no version', proof - 'version'), ('another version', jsonb_set(proof, '{version}', '2')),
        ('something added', proof || '{"x": 1}'), ('a member missing', proof - 'stream_index'),
    ('something in the seal', jsonb_set(proof, '{seal,x}', '1')),
        ('previous', jsonb_set(proof, '{seal,previous}', proof #> '{seal,root}')),
            ('another root', jsonb_set(proof, '{seal,root}', proof #> '{stream,root}')),
    ('a section less', proof #- '{seal,sections,0}'),
        ('a section twice', jsonb_insert(proof, '{seal,sections,0}', proof #> '{seal,sections,0}')),
            ('a list', '[]'), ('nothing', '{}'), ('null', 'null'),
    ('stream for seal', jsonb_set(proof, '{seal}', proof -> 'stream')),
        ('leaf for node', jsonb_set(proof, '{stream,root}', proof #> '{path,0}'))) v (what, forged);
SELECT ok(NOT casino.verify_proof(proof, r), 'forged: root')
  FROM one, unnest(ARRAY['', '\x00', sha256('x'), root || '\x00', substr(root, 1, 31)]) r;
SELECT ok(casino.verify_proof(proof, root), 'the real one holds') FROM one;
SELECT is(provolatile, 'i', 'verify_proof() is immutable: it reads nothing') FROM pg_proc
 WHERE oid = 'casino.verify_proof(jsonb,bytea)'::regprocedure;

-- of an entry that was changed there is no proof
DO $$ BEGIN
    ALTER TABLE casino.ledger DISABLE TRIGGER ALL;
    UPDATE casino.ledger SET amount = 11 WHERE player_id = 1 AND entry_no = 2;
    BEGIN
        PERFORM casino.proof(1, 2);
        RAISE EXCEPTION USING ERRCODE = 'ZZ999', MESSAGE = 'a proof of what was not sealed';
    EXCEPTION WHEN data_corrupted THEN
        RAISE EXCEPTION USING ERRCODE = 'ZZ998', MESSAGE = SQLERRM;
    END;
EXCEPTION WHEN SQLSTATE 'ZZ998' THEN NULL;
END $$;
SELECT pass('of an entry that was changed there is no proof');

-- ---------------------------------------------------------------- exports
CREATE TEMP TABLE export AS SELECT e.line, row_number() OVER () AS n
    FROM casino.export_day(:'today'::date - 1) e (line);
SELECT is((SELECT line FROM export WHERE n = 1),
          format('{"seal":{"seal_no":1,"day":"%s"}}', :'today'::date - 1), 'an export begins with its seal');
SELECT is((SELECT line FROM export ORDER BY n DESC LIMIT 1),
          format('{"end":{"seal_no":1,"lines":%s}}', (SELECT count(*) FROM export)),
              'and ends with its length');
SELECT is_empty($$SELECT s.section, s.rows, count(e.n) FROM casino.seal_section s
                LEFT JOIN export e ON e.line LIKE '{"' || s.section || '":%' WHERE s.seal_no = 1 GROUP BY 1, 2
                    HAVING s.rows <> count(e.n)$$, 'all rows of all sections');
SELECT is_empty($$SELECT line FROM export WHERE jsonb_typeof(line::jsonb) <> 'object'$$, 'each line is JSON');
SELECT is_empty('SELECT casino.export_day(''1999-01-01'')', 'of a day without seal nothing');

-- ---------------------------------------------------------------- READ COMMITTED only
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT throws_ok(format('SELECT casino.seal(%L)', :'today'::date - 5), '25001', NULL,
                 'a seal is made on the latest snapshot');
COMMIT;

SELECT * FROM finish();
