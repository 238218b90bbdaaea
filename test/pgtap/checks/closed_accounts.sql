-- Check record: an account is closed with nothing in the wallet, after its last entry and its opening.
-- An account is opened by the clock alone, so that in a replay it is closed before it was opened (R7.85).
-- tampers with the books
\ir ../helpers/compliance.psql
SELECT no_plan();
-- the mark of the tests goes, and the books began on the first of January
ALTER TABLE casino.recorder DISABLE TRIGGER ALL;
ALTER TABLE casino.replay DISABLE TRIGGER ALL;
UPDATE casino.recorder SET recorded_at = '2026-01-01';
DELETE FROM casino.replay;
ALTER TABLE casino.recorder ENABLE TRIGGER ALL;
ALTER TABLE casino.replay ENABLE TRIGGER ALL;

-- an account that is played on and closed on a day; its number
CREATE FUNCTION t.closed(at text, money numeric DEFAULT 10) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE p CONSTANT bigint := casino.register_player('closed ' || nextval('t.serial'));
BEGIN
    IF money > 0 THEN
        PERFORM casino.deposit(p, money, at => t.at(closed.at) - interval '3 h');
        PERFORM t.stake(p, 'M1', (t.at(closed.at) - interval '2 h')::text, money);
        PERFORM t.settle('M1', (t.at(closed.at) - interval '1 h')::text);
    END IF;
    PERFORM casino.close_account(p, t.at(closed.at));
    RETURN p;
END $$;
-- findings of closed accounts; without a seal the day does not choose
CREATE FUNCTION t.named() RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(concat_ws(' ', f.rule, f.player_id), ', ' ORDER BY f.player_id, f.rule),
                    'nothing')
      FROM casino_internal.check_record_rows(casino.day_start('2026-06-02'),
                                             casino.day_start('2026-06-03')) f
     WHERE f.detail ->> 'table' = 'player'
$$;
-- the same after a change of the account
CREATE FUNCTION t.named_after(p bigint, change text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    ALTER TABLE casino.player DISABLE TRIGGER ALL;
    EXECUTE format('UPDATE casino.player SET %s WHERE player_id = %s', change, p);
    RAISE EXCEPTION USING ERRCODE = 'ZZZZZ', MESSAGE = t.named();
EXCEPTION WHEN SQLSTATE 'ZZZZZ' THEN
    RETURN SQLERRM;
END $$;

SELECT t.closed('2026-06-02 12:00') AS played \gset
SELECT is(t.named(), 'order ' || :played, 'closed on a day that was not marked, before it was opened');
SELECT casino.mark_replay('2026-06-02', '2026-06-03', 'the server was down') \g /dev/null
SELECT t.closed('2026-06-03 13:00', 0) AS empty, t.closed('2025-12-31 12:00') AS history \gset
SELECT is(t.named(), 'nothing',
          'R7.85, R7.88: on marked days, and before the books, accounts are closed before they were opened');
-- planted; the last entry is of 10:00
SELECT is(t.named_after(:played, change), wanted, 'planted: ' || change)
  FROM (VALUES ($$closed_at = '2026-06-02 09:00'$$, 'nothing'),
               ($$closed_at = '2026-06-02 08:59:59.999999'$$, 'order ' || :played),
               ($$balance = 0.01$$, 'order ' || :played),
               ($$closed_by = NULL$$, 'recorder ' || :played)) v (change, wanted);
SELECT is(t.named_after(:empty, change), wanted, 'planted, without an entry: ' || change)
  FROM (VALUES ($$closed_at = '2026-06-04 00:00'$$, 'order ' || :empty),
               ($$closed_at = '2026-06-03 23:59:59.999999'$$, 'nothing'),
               ($$closed_at = '2026-06-02 00:00'$$, 'nothing'),
               ($$closed_at = '2026-06-01 23:59:59.999999'$$, 'order ' || :empty),
               ($$closed_at = '2025-12-31 23:59:59.999999'$$, 'order ' || :empty),
               ($$closed_at = '2001-02-03'$$, 'order ' || :empty),
               ($$closed_at = '-infinity'$$, 'order ' || :empty),
               ($$registered_at = '2026-06-01 12:00', closed_at = '2026-06-01 11:00'$$, 'nothing'),
               ($$registered_at = '2026-06-01 12:00', closed_at = '2026-06-01 10:59:59.999999'$$,
                'order ' || :empty)) v (change, wanted);
SELECT is(t.named_after(:history, $$closed_at = '2025-12-31 08:59:59.999999'$$), 'order ' || :history,
          'planted: before the books, and before the last entry');
SELECT t.closed('2026-06-04 12:00') AS beside \gset
SELECT is(t.named(), 'order ' || :beside, 'R7.85: on the day after the last marked one');
SELECT * FROM finish();
