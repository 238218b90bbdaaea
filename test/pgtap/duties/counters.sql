-- Check state: the counters of limits, by plain sums of all players at once and by a count of each player's
-- own.  Both say the same of every player, in honest books and in
-- forged ones, with days of the month kept and without.
-- tampers with the books
SET client_min_messages = warning;
SET search_path = public;
SELECT no_plan();
\ir ../helpers/evenings.psql
SELECT setseed(0.3) \g /dev/null
CALL evenings.players(1, 60, '2026-04-26 08:00', 100);
CALL evenings.evening('2026-04-30', 1, 60, 18);
CALL evenings.evening('2026-05-01', 1, 60, 18);
CALL evenings.evening('2026-05-02', 1, 60, 18);
-- an evening of which nothing is withheld or voided, and all stakes taken back were cancelled
CREATE PROCEDURE plain_evening(day date) LANGUAGE plpgsql AS $$
DECLARE
    at timestamptz;
    r bigint;
    who CONSTANT bigint[] := ARRAY(SELECT p.player_id FROM casino.player p
                                    WHERE p.external_ref ~ '^player (9.|1..)$' ORDER BY p.player_id);
BEGIN
    FOR n IN 1 .. 8 LOOP
        at := plain_evening.day + time '19:00' + n * interval '20 min';
        r := casino.open_round((SELECT g.table_id FROM evenings.game_table g WHERE g.n = 0),
                               'plain ' || plain_evening.day || n, at);
        PERFORM casino.place_many(r, who,
                                  ARRAY(SELECT ('{red@50,odd@70}'::casino.bet[])[1 + i % 2]
                                          FROM generate_series(1, cardinality(who)) i),
                                  at => at + interval '20 s');
        IF n = 3 THEN
            PERFORM casino.place_bet(r, p, 'low@50', 'gone ' || r, at => at + interval '30 s'),
                    casino.cancel_bet(r, p, 'gone ' || r, at + interval '40 s')
               FROM unnest(who) p;
        END IF;
        PERFORM casino.close_betting(r, at + interval '1 min'),
                casino.settle_round(r, jsonb_build_object('number', n * 3), at + interval '5 min');
    END LOOP;
END $$;
CALL evenings.players(90, 160, '2026-04-26 09:00', 100);
CALL plain_evening('2026-04-30');
CALL plain_evening('2026-05-01');
CALL plain_evening('2026-05-02');
SELECT casino.count_other_play(s.player_id, 'slots', 50, -20, 'o', '2026-05-02 11:30')
  FROM casino.limit_state s ORDER BY s.player_id LIMIT 1 \g /dev/null

-- findings of counters, and the count of each player's own (R10.35)
CREATE FUNCTION found() RETURNS SETOF text LANGUAGE sql AS $$
    SELECT concat_ws(' ', f.player_id, f.rule, f.expected, f.found)
      FROM casino_internal.check_state('2026-05-02', '2026-05-02') f
     WHERE f.rule IN ('staked_day', 'lost_day', 'staked_month', 'lost_month', 'open_staked')
     ORDER BY 1 $$;
CREATE FUNCTION counted() RETURNS SETOF text LANGUAGE sql AS $$
    SELECT concat_ws(' ', s.player_id, v.rule, v.expected, v.found)
      FROM casino.limit_state s
     CROSS JOIN LATERAL casino.limit_usage(s.player_id, casino.day_start(s.day) + interval '12 hours') u
     CROSS JOIN LATERAL (VALUES ('staked_day', u.staked_day, s.staked_day),
                                ('lost_day', u.lost_day, s.lost_day),
                                ('staked_month', u.staked_month, s.staked_month),
                                ('lost_month', u.lost_month, s.lost_month),
                                ('open_staked', u.open_staked, s.open_staked)) v (rule, expected, found)
     WHERE v.expected <> v.found AND s.month = u.month
     ORDER BY 1 $$;
-- both after a statement that is undone, and how many there are
CREATE FUNCTION after_it(statement text, OUT by_check text[], OUT by_count text[]) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE 'ALTER TABLE casino.ledger DISABLE TRIGGER ALL';
    EXECUTE 'ALTER TABLE casino.round DISABLE TRIGGER ALL';
    EXECUTE statement;
    by_check := ARRAY(SELECT f.f FROM found() f (f));
    by_count := ARRAY(SELECT f.f FROM counted() f (f));
    RAISE EXCEPTION 'undo' USING ERRCODE = 'XX999';
EXCEPTION WHEN SQLSTATE 'XX999' THEN
    NULL;
END $$;
-- entries of the day of players with limits
CREATE VIEW of_limited AS
    SELECT l.*, r.status FROM casino.ledger l
      JOIN casino.limit_state s ON s.player_id = l.player_id
      LEFT JOIN casino.round r ON r.round_id = l.round_id
     WHERE l.posted_at >= '2026-05-02 00:00' AND l.posted_at < '2026-05-03 00:00';
CREATE TABLE forgery (n serial, name text, changes boolean, statement text);
INSERT INTO forgery (name, changes, statement) VALUES
    ('nothing', false, 'SELECT'),
    ('staked_day', true, 'UPDATE casino.limit_state SET staked_day = staked_day + 10'),
    ('lost_day', true, 'UPDATE casino.limit_state SET lost_day = lost_day - 0.01'),
    ('staked_month', true, 'UPDATE casino.limit_state SET staked_month = 0'),
    ('lost_month', true, 'UPDATE casino.limit_state SET lost_month = lost_month + 0.01'),
    ('open_staked', true, 'UPDATE casino.limit_state SET open_staked = 10'),
    ('a payout of another amount', true,
     $$UPDATE casino.ledger SET amount = amount + 1 WHERE (player_id, entry_no) IN
         (SELECT player_id, entry_no FROM of_limited WHERE kind = 'payout')$$),
    ('a payout that is gone', true,
     $$DELETE FROM casino.ledger WHERE (player_id, entry_no) IN
         (SELECT player_id, entry_no FROM of_limited WHERE kind = 'payout')$$),
    ('a payout that is a refund', true,
     $$UPDATE casino.ledger SET kind = 'refund', reason = 'voided', grade = NULL
        WHERE (player_id, entry_no) IN (SELECT player_id, entry_no FROM of_limited WHERE kind = 'payout')$$),
    ('a refund that is gone', true,
     $$DELETE FROM casino.ledger WHERE (player_id, entry_no) IN
         (SELECT player_id, entry_no FROM of_limited WHERE kind = 'refund')$$),
    ('a refund for another reason', true,
     $$UPDATE casino.ledger SET reason = 'cancelled' WHERE (player_id, entry_no) IN
         (SELECT player_id, entry_no FROM of_limited WHERE kind = 'refund')$$),
    ('a stake of another amount', true,
     $$UPDATE casino.ledger SET amount = amount + 1 WHERE (player_id, entry_no) IN
         (SELECT player_id, entry_no FROM of_limited WHERE kind = 'stake')$$),
    ('a stake of the month before', true,
     $$UPDATE casino.ledger SET posted_at = posted_at - interval '1 month' WHERE (player_id, entry_no) IN
         (SELECT player_id, min(entry_no) FROM of_limited WHERE kind = 'stake' GROUP BY player_id)$$),
    ('a stake of the month after', true,
     $$UPDATE casino.ledger SET posted_at = posted_at + interval '1 month' WHERE (player_id, entry_no) IN
         (SELECT player_id, max(entry_no) FROM of_limited WHERE kind = 'stake' GROUP BY player_id)$$),
    ('a stake of no round', true,
     $$UPDATE casino.ledger SET round_id = 999999 WHERE (player_id, entry_no) IN
         (SELECT player_id, entry_no FROM of_limited WHERE kind = 'stake')$$),
    ('rounds of the day before', true,
     $$UPDATE casino.round SET evaluated_at = evaluated_at - interval '1 day'
        WHERE evaluated_at >= '2026-05-02 00:00' AND evaluated_at < '2026-05-03 00:00'$$),
    ('rounds that are open', true,
     $$UPDATE casino.round SET evaluated_at = NULL, status = 'closed'
        WHERE round_id IN (SELECT max(round_id) FROM of_limited WHERE status = 'settled')$$),
    ('rounds that are voided', true,
     $$UPDATE casino.round SET status = 'voided'
        WHERE evaluated_at >= '2026-05-02 00:00' AND status = 'settled'$$),
    ('a payout that is a correction', NULL,
     $$UPDATE casino.ledger SET kind = 'correction', stake_entry_no = NULL WHERE (player_id, entry_no) IN
         (SELECT player_id, entry_no FROM of_limited WHERE kind = 'payout')$$),
    ('a payout that stands twice', true,
     $$DROP INDEX casino.ledger_stake_entry_no;
       UPDATE casino.ledger l SET kind = 'payout', stake_entry_no = p.stake_entry_no, round_id = p.round_id
         FROM of_limited p WHERE p.player_id = l.player_id AND p.kind = 'payout'
                             AND l.entry_no = (SELECT min(d.entry_no) FROM casino.ledger d
                                                WHERE d.player_id = l.player_id AND d.kind = 'deposit')
                             AND p.entry_no = (SELECT max(d.entry_no) FROM of_limited d
                                                WHERE d.player_id = l.player_id AND d.kind = 'payout')$$);

CREATE FUNCTION forged(with_kept text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    f record;
    a record;
BEGIN
    FOR f IN SELECT * FROM forgery ORDER BY n LOOP
        a := after_it(f.statement);
        RETURN NEXT is(a.by_check, a.by_count,
                       format('%s, %s: each wrong counter is named (%s)', f.name, with_kept,
                              cardinality(a.by_count)));
        -- entries of a day that is kept are not read for the sums
        IF f.changes IS NOT NULL AND (with_kept <> 'the day is kept' OR f.statement ~ 'limit_state') THEN
            RETURN NEXT is(cardinality(a.by_count) > 0, f.changes, f.name || ': do counters differ');
        END IF;
    END LOOP;
END $$;
CREATE FUNCTION plain() RETURNS bigint LANGUAGE sql AS $$
    SELECT count(*)
        FROM casino_internal.counters_agree(ARRAY(SELECT s.player_id FROM casino.limit_state s)) $$;
SELECT * FROM forged('no day is kept');
SELECT cmp_ok(plain(), '>=', (SELECT count(*) / 3 FROM casino.limit_state),
              'plain sums give the counters of many');
-- nothing of a kept day is withheld
SELECT casino.pay_withheld(r.round_id, reason => 'settled', at => '2026-05-03 09:00')
  FROM casino.round r WHERE r.status = 'withheld' ORDER BY r.round_id \g /dev/null
SELECT casino_internal.summarize_days(), casino.keep_day_totals('2026-05-01') \g /dev/null
SELECT is((SELECT count(*) FROM casino_internal.kept_days('2026-04-30', '2026-05-02')), 2::bigint,
          'two days are kept');
SELECT * FROM forged('the day before is kept');
SELECT casino.keep_day_totals('2026-05-02') \g /dev/null
SELECT is((SELECT count(*) FROM casino_internal.kept_days('2026-04-30', '2026-05-02')), 3::bigint,
          'three days are kept');
SELECT * FROM forged('the day is kept');
SELECT cmp_ok(plain(), '>=', (SELECT count(*) / 3 FROM casino.limit_state), 'plain sums of kept days, too');
-- R10.37: check self_limit looks at players who may have gone beyond the least of their limits, alone
CREATE FUNCTION looked_at() RETURNS bigint[] LANGUAGE sql AS $$
    SELECT s.players FROM casino_internal.suspects('self_limit', '2026-05-02', '2026-05-02') s $$;
SELECT set_eq('SELECT unnest(looked_at())',
              $$SELECT s.player_id FROM casino.limit_state s
                 WHERE s.player_id IN (SELECT o.player_id FROM casino.other_play o)$$,
              'R10.37: of those within their limits one who plays elsewhere');
CREATE TABLE within AS
SELECT s.player_id, s.staked_day FROM casino.limit_state s JOIN casino.player p USING (player_id)
 WHERE p.external_ref ~ '^player (9.|1..)$' ORDER BY s.player_id LIMIT 1;
CREATE FUNCTION lowered(amount numeric, looks boolean, finds boolean) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
    looked boolean;
    n bigint;
BEGIN
    ALTER TABLE casino.player_limit DISABLE TRIGGER ALL;
    UPDATE casino.player_limit k SET amount = lowered.amount FROM within w
     WHERE k.player_id = w.player_id AND k.measure = 'stake' AND k.period = 'day';
    IF NOT FOUND THEN
        INSERT INTO casino.player_limit (player_id, limit_no, measure, period, amount, requested_at,
                                         effective_from, recorded_at, recorded_by)
        SELECT k.player_id, max(k.limit_no) + 1, 'stake', 'day', lowered.amount, min(k.requested_at),
               min(k.effective_from), min(k.recorded_at), min(k.recorded_by)
          FROM casino.player_limit k JOIN within w ON w.player_id = k.player_id GROUP BY k.player_id;
    END IF;
    SELECT w.player_id = ANY (looked_at()),
           (SELECT count(*) FROM casino_internal.check_self_limit('2026-05-02', '2026-05-02') f
             WHERE f.player_id = w.player_id AND f.rule = 'stake_day')
      INTO looked, n FROM within w;
    RETURN NEXT is(looked, looks, format('R10.37: looked at with a limit of %s', amount));
    RETURN NEXT is(n > 0, finds, 'and found');
END $$;
-- one stake of 50 was cancelled: the first look counts it
SELECT f.* FROM within w, lowered(w.staked_day + 50, false, false) f;
SELECT f.* FROM within w, lowered(w.staked_day + 49.99, true, false) f;
SELECT f.* FROM within w, lowered(w.staked_day, true, false) f;
SELECT f.* FROM within w, lowered(w.staked_day - 0.01, true, true) f;
SELECT * FROM finish();
