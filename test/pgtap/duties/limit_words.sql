-- set_limit(): the words for what is limited (R7.46). `stakes` and `loss` are read as `stake` and `net_loss`
-- and kept as these; any other word is 22023 and limits nothing.
\ir ../helpers/compliance.psql
SELECT no_plan();

CREATE TABLE t.words AS SELECT casino.register_player('words') AS p;
SELECT is(casino.set_limit(p, given, period, 100, '2029-01-01 10:00'), n,
          format('R7.46: %s a %s', given, period))
  FROM t.words, (VALUES (1, 'stakes', 'day'), (2, 'loss', 'day'), (3, 'stake', 'month'),
                 (4, 'net_loss', 'month')) v (n, given, period) ORDER BY n;
SELECT results_eq($$ SELECT limit_no, measure, period FROM casino.player_limit JOIN t.words ON p = player_id
                  ORDER BY 1 $$,
                  $$ VALUES (1, 'stake', 'day'), (2, 'net_loss', 'day'), (3, 'stake', 'month'),
                      (4, 'net_loss', 'month') $$, 'R7.46: kept in one form');
SELECT is(casino.set_limit(p, given, 'day', 100, '2029-01-01 10:00'), n,
          format('R7.46: asked for again as %s it is the same limit', given))
  FROM t.words, (VALUES (1, 'stake'), (1, 'stakes'), (2, 'net_loss'), (2, 'loss')) v (n, given);
SELECT throws_ok(format('SELECT casino.set_limit(%s, %L, %L, 100, %L)', p, given, period, '2029-01-01 10:00'),
                 '22023', format('invalid limit: %s a %s', coalesce(given, '<NULL>'),
                                 coalesce(period, '<NULL>')),
                 format('R7.46: %s a %s is none', coalesce(given, 'NULL'), coalesce(period, 'NULL')))
  FROM t.words, (VALUES ('Stake', 'day'), ('losses', 'day'), ('', 'day'), (NULL, 'day'), ('stake', 'week'),
                 ('stake', NULL)) v (given, period), generate_series(1, 2);
SELECT is((SELECT count(*) FROM casino.player_limit JOIN t.words ON p = player_id), 4::bigint,
          'R7.46: what is refused limits nothing');
SELECT * FROM finish();
