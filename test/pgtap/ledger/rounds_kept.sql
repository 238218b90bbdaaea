-- An evaluated round does not change, whoever updates it: outcome, times and figures are evidence (KR002;
-- R7.43, R7.44).
\ir ../helpers/compliance.psql
SELECT no_plan();

SELECT t.player(1000) AS a \gset
SELECT t.stake(:a, 'S1', '18:00', 100) AS r \gset
SELECT casino.close_betting(:r, t.at('18:01')),
    casino.settle_round(:r, '{"number": 1}', t.at('18:05')) \g /dev/null
SELECT t.stake(:a, 'S2', '18:06', 100) AS w \gset
SELECT casino.settle_round(:w, '{"number": 1}', t.at('18:10'), true, 'wheel') \g /dev/null
CREATE TABLE t.change (col name PRIMARY KEY, val text);
INSERT INTO t.change VALUES
    ('outcome', '''{"number": 2}'''), ('outcome_document', '''{"number": 2}'''),
        ('evaluated_at', 'evaluated_at + interval ''1 s'''),
    ('evaluation_recorded_at', 'evaluation_recorded_at + interval ''1 s'''),
        ('betting_closed_at', 'betting_closed_at - interval ''1 s'''),
    ('actions_closed_at', 'evaluated_at'), ('withheld_at', 'opened_at'), ('status', '''closed'''),
        ('void_reason', '''x'''), ('voided_at', 'evaluated_at'),
    ('wagers', 'wagers + 1'), ('players', 'players + 1'), ('staked', 'staked + 0.01'),
        ('paid', 'paid - 0.01');
SELECT throws_ok(format('UPDATE casino.round SET %I = %s WHERE round_id = %s', c.col, c.val, r.round_id),
                 'KR002', NULL, format('%s of a round that is %s', c.col, r.status))
  FROM casino.round r, t.change c WHERE r.round_id IN (:r, :w) ORDER BY r.round_id, c.col;
SELECT throws_ok(format('UPDATE casino.round SET outcome = NULL WHERE round_id = %s', :r), 'KR002', NULL,
                 'nor is it taken away');
SELECT throws_ok(format('UPDATE casino.round SET %I = %s WHERE round_id = %s', col, val, :r), 'KR002', NULL,
                 col || ': what a round is')
  FROM (VALUES ('table_id', 'table_id + 1'), ('table_version', 'table_version + 1'),
        ('plan_id', 'plan_id + 1'), ('round_ref', '''x'''), ('opened_at', 'opened_at - interval ''1 s'''),
               ('betting_until', 'opened_at + interval ''1 hour'''), ('round_id', '-1')) v (col, val);
SELECT throws_ok(format('DELETE FROM casino.round WHERE round_id = %s', :r), 'KR002', NULL,
                 'a round is not deleted');
SELECT lives_ok(format('UPDATE casino.round SET paid = paid, outcome = outcome WHERE round_id = %s', :r),
                'what changes nothing is no change');
SELECT * FROM finish();
