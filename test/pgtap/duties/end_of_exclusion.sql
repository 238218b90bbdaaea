-- D4 §6.2: an exclusion of the register or the operator is ended by a recorded decision, those of the player
-- himself are not (R7.18).
\ir ../helpers/compliance.psql
SELECT no_plan();
CREATE FUNCTION t.ends(p bigint, number integer, at text,
                       reason text DEFAULT 'deleted from the register') RETURNS text LANGUAGE sql AS $$
    SELECT format('SELECT casino.end_exclusion(%s, %s, %L, t.at(%L))', p, number, reason, at) $$;

-- ---------------------------------------------------------------- each source
CREATE TABLE t.by AS SELECT source, t.player() AS p
    FROM unnest('{register,operator,self,panic_button}'::text[]) source;
SELECT casino.exclude_player(p, t.at('2030-01-01 00:00'), source, t.at('10:00')) FROM t.by \g /dev/null
SELECT is(t.verdict(t.ends(p, 1, '11:00')), 'KC004', source || ': the player''s own exclusion is not ended')
  FROM t.by WHERE source IN ('self', 'panic_button');
SELECT is(t.detail(t.ends(p, 1, '11:00')),
          format('The player asked for it himself (%s), until 2030-01-01 00:00:00+01; '
                 'only one of the register or the operator is ended by decision (D4 §6.2).',
                 source),
          source || ': the DETAIL says so') FROM t.by WHERE source IN ('self', 'panic_button');
SELECT is((SELECT count(*) FROM casino.exclusion_end), 0::bigint, '... and nothing is recorded');
SELECT is(casino.end_exclusion(p, 1, 'deleted', t.at('11:00')), t.at('11:00'),
          source || ': ended, from the time of the decision on') FROM t.by
              WHERE source IN ('register', 'operator');
SELECT is(t.may(p, 'M1', '10:59:59.999999'), 'KC004', source || ': a microsecond before he is excluded')
  FROM t.by;
SELECT is(t.explained(p, '10:59:59.999999'), 'KC004', source || ': explain_break() says so') FROM t.by;
SELECT is(t.may(p, 'M1', '11:00'), CASE WHEN source IN ('register', 'operator') THEN 'ok'
          ELSE 'KC004' END, source || ': at that time') FROM t.by;
SELECT is(t.explained(p, '11:00'), CASE WHEN source IN ('register', 'operator') THEN 'ok'
          ELSE 'KC004' END, source || ': explain_break() then') FROM t.by;
SELECT is(t.verdict(format('SELECT casino.deposit(%s, 1, at => t.at(''11:00''))', p)), CASE
          WHEN source IN ('register', 'operator') THEN 'ok' ELSE 'KC004' END, source || ': a deposit then')
              FROM t.by;
SELECT is((SELECT array_agg(format('%s %s %s %s', e.excluded_until, e.asked_until, e.ended_at, e.end_reason))
           FROM casino.exclusion_period e WHERE e.player_id = p),
          ARRAY['2026-06-01 11:00:00+02 2030-01-01 00:00:00+01 2026-06-01 11:00:00+02 deleted'],
              source || ': the view shows what it amounts to') FROM t.by
                  WHERE source IN ('register', 'operator');
SELECT is((SELECT array_agg(e.excluded_until) FROM casino.exclusion e WHERE e.player_id = p),
          ARRAY[t.at('2030-01-01 00:00')], source || ': what was asked for stays') FROM t.by;

-- ---------------------------------------------------------------- retries
SELECT is(casino.end_exclusion(p, 1, 'deleted', t.at('12:00')), t.at('11:00'),
          source || ': asked again it answers the same') FROM t.by WHERE source IN ('register', 'operator');
SELECT is(casino.end_exclusion(p, 1, 'deleted', t.at('2035-01-01 12:00')), t.at('11:00'),
          source || ': ... long after too') FROM t.by WHERE source IN ('register', 'operator');
SELECT is((SELECT count(*) FROM casino.exclusion_end WHERE player_id = p), 1::bigint,
          source || ': and records nothing') FROM t.by WHERE source IN ('register', 'operator');
SELECT is(t.verdict(t.ends(p, 1, '12:00', 'another')), '55000',
          source || ': for another reason it is refused') FROM t.by WHERE source IN ('register', 'operator');
SELECT is(t.detail(t.ends(p, 1, '12:00', 'another')), 'It was ended at 2026-06-01 11:00:00+02: deleted',
          source || ': saying which was first') FROM t.by WHERE source IN ('register', 'operator');
-- the retry of the exclusion is a retry; a new one excludes
SELECT is(casino.exclude_player(p, t.at('2030-01-01 00:00'), source, t.at('10:00')), 1,
          source || ': the exclusion''s own retry excludes no second time') FROM t.by
              WHERE source IN ('register', 'operator');
SELECT is(t.may(p, 'M1', '11:00'), 'ok', source || ': ... he may play') FROM t.by
 WHERE source IN ('register', 'operator');
SELECT is(casino.exclude_player(p, t.at('2030-01-01 00:00'), source, t.at('13:00')), 2,
          source || ': a new one') FROM t.by WHERE source IN ('register', 'operator');
SELECT is(t.may(p, 'M1', '2029-12-31 23:59:59.999999'), 'KC004', source || ': ... holds') FROM t.by;

-- ---------------------------------------------------------------- others go on
CREATE TABLE t.two AS SELECT t.player() AS p, t.player() AS q, t.player() AS r;
SELECT casino.exclude_player(p, NULL, 'register', t.at('10:00')),
    casino.exclude_player(p, t.at('2026-07-01 00:00'), 'self', t.at('10:00')),
       casino.exclude_player(p, t.at('2026-09-01 00:00'), 'operator', t.at('10:00')) FROM t.two \g /dev/null
SELECT casino.end_exclusion(p, 1, 'deleted', t.at('11:00')) FROM t.two \g /dev/null
SELECT is((SELECT excluded_until FROM casino.player x WHERE x.player_id = p), t.at('2026-09-01 00:00'),
          'the longest of the others counts') FROM t.two;
SELECT casino.end_exclusion(p, 3, 'wrong person', t.at('11:30')) FROM t.two \g /dev/null
SELECT is(t.may(p, 'M1', '2026-06-30 23:59:59.999999'), 'KC004', '... then the next, to the last microsecond')
  FROM t.two;
SELECT is(t.may(p, 'M1', '2026-07-01 00:00'), 'ok', '... and not longer') FROM t.two;
SELECT is(t.verdict(t.ends(p, 2, '12:00')), 'KC004', '... which is his own') FROM t.two;

-- ---------------------------------------------------------------- what is refused
SELECT casino.exclude_player(q, t.at('2026-06-02 00:00'), 'operator', t.at('10:00')) FROM t.two \g /dev/null
SELECT is(t.verdict(t.ends(q, 2, '11:00')), '23503', 'an exclusion that is not there') FROM t.two;
SELECT is(t.verdict(t.ends(-1, 1, '11:00')), '23503', 'a player who is not there');
SELECT is(t.verdict(t.ends(q, 1, '11:00', reason)), '22023', format('no reason: %L', reason))
  FROM t.two, unnest(ARRAY['', ' ', E'\n\t']) reason;
SELECT is(t.verdict(format('SELECT casino.end_exclusion(%s, 1, NULL)', q)), '22023', 'no reason: NULL')
  FROM t.two;
SELECT is(t.verdict(t.ends(q, 1, '11:00', repeat('a', 1001))), '22001', 'a reason that is too long')
  FROM t.two;
SELECT is(t.verdict(format('SELECT casino.end_exclusion(%s, NULL, ''why'')', q)), '22004', 'no number')
  FROM t.two;
SELECT is(t.verdict(t.ends(q, 1, '09:59:59.999999')), 'KL005', 'before it began') FROM t.two;
SELECT is(t.verdict(t.ends(q, 1, '10:00')), 'ok', 'when it began') FROM t.two;
SELECT is(t.verdict(t.ends(q, 1, '2026-06-01 23:59:59.999999')), 'ok', 'a microsecond before it is over')
  FROM t.two;
SELECT is(t.verdict(t.ends(q, 1, '2026-06-02 00:00')), '55000', 'when it is over') FROM t.two;
SELECT is(t.verdict(t.ends(q, 1, 'infinity')), '22008', 'at no finite time') FROM t.two;
SET casino.clock_skew = 5;
SELECT is(t.verdict(t.ends(q, 1, '11:00')), 'KL005', 'dated away from the clock') FROM t.two;
SET casino.clock_skew = -1;
SELECT is(t.verdict(command), 'KL001', 'append-only: ' || command)
  FROM unnest(ARRAY['UPDATE casino.exclusion_end SET reason = ''other''', 'DELETE FROM casino.exclusion_end',
                    'TRUNCATE casino.exclusion_end']) command;
SELECT casino.exclude_player(r, NULL, 'operator', clock_timestamp() - interval '1 hour')
  FROM t.two \g /dev/null
SELECT ok(casino.end_exclusion(r, 1, 'now') BETWEEN now() AND clock_timestamp(), 'without a time: now')
  FROM t.two;
SELECT is(t.verdict(format('INSERT INTO casino.exclusion_end VALUES (%s, 1, '' '', now(), now())', q)),
          '23514', 'by plain INSERT: no reason') FROM t.two;

-- ---------------------------------------------------------------- former accounts of the person
CREATE TABLE t.person (n serial, p bigint);
INSERT INTO t.person (p) VALUES (t.player(0));
SELECT casino.exclude_player(p, NULL, 'register', t.at('10:00')),
    casino.exclude_player(p, NULL, 'self', t.at('09:00')) FROM t.person \g /dev/null
SELECT casino.close_account(p, t.at('10:30')) FROM t.person \g /dev/null
INSERT INTO t.person (p) SELECT casino.register_player((SELECT x.external_ref FROM casino.player x
                                                        WHERE x.player_id = f.p)) FROM t.person f
                                                            WHERE f.n = 1;
SELECT casino.exclude_player((SELECT p FROM t.person WHERE n = 2), NULL, 'operator',
                             clock_timestamp()) \g /dev/null
SELECT casino.close_account((SELECT p FROM t.person WHERE n = 2)) \g /dev/null
INSERT INTO t.person (p) SELECT casino.register_player((SELECT x.external_ref FROM casino.player x
                                                        WHERE x.player_id = f.p)) FROM t.person f
                                                            WHERE f.n = 1;
SELECT is((SELECT array_agg(format('%s %s %s', t.n, e.exclusion_no, e.source) ORDER BY t.n, e.exclusion_no)
           FROM casino.exclusion e JOIN t.person t ON t.p = e.player_id),
          '{1 1 register,1 2 self,2 1 register,2 2 self,2 3 operator,3 1 register,3 2 self,3 3 operator}',
              'the person has three accounts, the first was closed before the operator''s exclusion');
-- by the number of the first account
SELECT casino.end_exclusion((SELECT p FROM t.person WHERE n = 1), 1, 'deleted') \g /dev/null
SELECT is((SELECT array_agg(format('%s %s', t.n, e.exclusion_no) ORDER BY t.n) FROM casino.exclusion_end e
           JOIN t.person t ON t.p = e.player_id), '{1 1,2 1,3 1}',
               'ended by the number of the first account it is ended in all');
-- by the number of the last one
SELECT casino.end_exclusion((SELECT p FROM t.person WHERE n = 3), 3, 'wrong person') \g /dev/null
SELECT is((SELECT array_agg(format('%s %s', t.n, e.exclusion_no) ORDER BY t.n) FROM casino.exclusion_end e
           JOIN t.person t ON t.p = e.player_id
               WHERE e.reason = 'wrong person'), '{2 3,3 3}', '... by that of the last one too');
SELECT is((SELECT array_agg(DISTINCT x.excluded_until) FROM casino.player x JOIN t.person ON p = x.player_id),
          ARRAY['infinity'::timestamptz], 'his own exclusion holds in all of them');
SELECT is((SELECT casino.end_exclusion(p, 1, 'deleted') FROM t.person WHERE n = 2),
          (SELECT ended_at FROM casino.exclusion_end e JOIN t.person ON p = e.player_id
           WHERE n = 1 AND reason = 'deleted'), 'the retry by another account''s number answers the same');

-- an exclusion that was ended does not pass to a new account
CREATE TABLE t.free AS SELECT t.player(0) AS former, NULL::bigint AS p;
SELECT casino.exclude_player(former, NULL, 'operator', clock_timestamp() - interval '1 hour')
  FROM t.free \g /dev/null
SELECT casino.end_exclusion(former, 1, 'a clerk''s error', clock_timestamp() - interval '1 minute')
  FROM t.free \g /dev/null
SELECT casino.close_account(former) FROM t.free \g /dev/null
UPDATE t.free SET p = casino.register_player((SELECT x.external_ref FROM casino.player x
                                              WHERE x.player_id = former));
SELECT is((SELECT count(*) FROM casino.exclusion e WHERE e.player_id = p), 0::bigint,
          'an exclusion that was ended does not pass to a new account') FROM t.free;
SELECT is(t.verdict(format('SELECT casino.deposit(%s, 1)', p)), 'ok', '... which may play') FROM t.free;

-- the row of every player is what the evidence gives
SELECT is((SELECT count(*) FROM casino.player p
           WHERE p.excluded_until IS DISTINCT FROM (SELECT max(e.excluded_until)
                                                    FROM casino.exclusion_period e
                                                        WHERE e.player_id = p.player_id)), 0::bigint,
          'excluded_until of every player follows from his exclusions and their ends');
SELECT * FROM finish();
