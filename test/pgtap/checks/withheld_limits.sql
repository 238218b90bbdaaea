-- A stake is judged by the result that was known when it was placed (R11.80): check self_limit of withheld
-- rounds that are corrected or void before they are paid. Sums are counted by hand; red wins the stake once
-- more on 32, and loses on 31.
-- tampers with the books
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SET casino.clock_skew = -1;
SELECT no_plan();
CREATE ROLE first_supervisor_of_limits;
CREATE ROLE second_supervisor_of_limits;
SELECT casino.grant_access('first_supervisor_of_limits', 'supervisor') \g /dev/null
SELECT casino.grant_access('second_supervisor_of_limits', 'supervisor') \g /dev/null
CREATE SCHEMA t;
CREATE FUNCTION t.correct(round bigint, outcome jsonb, at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    n bigint;
BEGIN
    PERFORM set_config('session_authorization', 'first_supervisor_of_limits', true);
    n := casino.correct_round(round, outcome, 'misread', at,
                              ground => CASE WHEN outcome IS NULL THEN 'other' END);
    PERFORM set_config('session_authorization', 'second_supervisor_of_limits', true);
    PERFORM casino.approve_correction(n, at);
    PERFORM set_config('session_authorization', (SELECT rolname FROM pg_roles WHERE oid = 10), true);
END $$;
-- each at a table of its own
CREATE FUNCTION t.round(at timestamptz) RETURNS bigint LANGUAGE sql AS $$
    SELECT casino.open_round(casino.add_game_table('roulette_american', gen_random_uuid()::text, 10, 5000),
                             'one', at)
$$;

-- Findings of the check about the player's stakes of a day, by one forged limit after another
CREATE FUNCTION t.by_limits(player bigint, day date, limits numeric[]) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
    bound numeric;
    one text;
BEGIN
    ALTER TABLE casino.player_limit DISABLE TRIGGER ALL;
    FOREACH bound IN ARRAY limits LOOP
        UPDATE casino.player_limit l SET amount = bound WHERE l.player_id = player;
        SELECT coalesce(string_agg(f.found, ', ' ORDER BY f.entry_no), 'nothing') INTO one
          FROM casino_internal.check_self_limit(day, day) f
         WHERE f.player_id = player;
        RETURN NEXT one;
    END LOOP;
    ALTER TABLE casino.player_limit ENABLE TRIGGER ALL;
END $$;

-- One player, a net loss of 500 a day. Round 1 is withheld, of all or of the player: 300 on red. Round 2:
-- stake "second" on red wins. Then round 1 ends as "how" says, and stake "third" lies in round 3. Afterwards
-- the limit is forged: how many of the three stakes does the check find?
CREATE FUNCTION t.found(day date, of_all boolean, first_number integer, second numeric, how text,
                        third numeric, paid_first boolean, VARIADIC limits numeric[]) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
    p CONSTANT bigint := casino.register_player(gen_random_uuid()::text);
    noon CONSTANT timestamptz := day + time '12:00';
    r bigint;
    r2 bigint;
BEGIN
    PERFORM casino.deposit(p, 10000, at => noon - interval '1 hour'),
            casino.set_limit(p, 'net_loss', 'day', 500, noon - interval '1 hour');
    -- the sieve knows nothing of a month whose days before are not kept
    IF current_setting('t.keep', true) = 'on' THEN
        PERFORM casino.keep_day_totals(day - 1);
    END IF;
    r := t.round(noon);
    PERFORM casino.place_bet(r, p, 'red@300', at => noon), casino.close_betting(r, noon);
    IF NOT of_all THEN
        PERFORM casino.withhold_winnings(r, p, 'review', noon);
    END IF;
    PERFORM casino.settle_round(r, jsonb_build_object('number', first_number), noon + interval '1 minute',
                                of_all);
    r2 := t.round(noon + interval '2 minutes');
    PERFORM casino.place_bet(r2, p, ('red@' || second)::casino.bet, at => noon + interval '2 minutes'),
            casino.settle_round(r2, '{"number": 32}', noon + interval '3 minutes');
    IF paid_first THEN
        PERFORM casino.pay_withheld(r, noon + interval '3 minutes', CASE WHEN NOT of_all THEN p END,
                                    reason => 'in order');
    END IF;
    CASE how
        WHEN 'void result' THEN PERFORM t.correct(r, NULL, noon + interval '4 minutes');
        WHEN 'void wagers' THEN PERFORM casino.void_wagers(r, p, 'marked', noon + interval '4 minutes');
        WHEN 'void round' THEN PERFORM casino.void_round(r, 'marked', noon + interval '4 minutes');
        WHEN 'twice' THEN
            PERFORM t.correct(r, '{"number": 31}', noon + interval '4 minutes');
            PERFORM t.correct(r, '{"number": 32}', noon + interval '5 minutes');
        ELSE PERFORM t.correct(r, jsonb_build_object('number', how::integer), noon + interval '4 minutes');
    END CASE;
    r2 := t.round(noon + interval '6 minutes');
    PERFORM casino.place_bet(r2, p, ('red@' || third)::casino.bet, at => noon + interval '6 minutes'),
            casino.close_betting(r2, noon + interval '6 minutes');
    IF how ~ '^\d|twice' AND NOT paid_first THEN
        PERFORM casino.pay_withheld(r, noon + interval '7 minutes', CASE WHEN NOT of_all THEN p END,
                                    reason => 'in order');
    END IF;
    PERFORM casino.settle_round(r2, '{"number": 32}', noon + interval '8 minutes');
    RETURN QUERY SELECT * FROM t.by_limits(p, day, limits);
END $$;

-- won 300, so that 700 are a loss of 400 at most; found lost, after 700 were won: 900 are one of 500
SELECT is(array(SELECT t.found('2026-06-15', of_all, 32, 700, '31', 900, false, 500, 499.99, 399.99, 299.99)),
          '{nothing,500.00,"400.00, 500.00","300.00, 400.00, 500.00"}'::text[],
          'R11.80: won, and found lost before it is paid, withheld of all: ' || of_all)
  FROM unnest('{true,false}'::boolean[]) of_all;
-- lost 300, so that 200 are a loss of 500; found won, after 200 were won: 1000 are one of 500
SELECT is(array(SELECT t.found('2026-06-16', of_all, 31, 200, '32', 1000, false, 500, 499.99, 299.99)),
          '{nothing,"500.00, 500.00","300.00, 500.00, 500.00"}'::text[],
          'R11.80: lost, and found won before it is paid, withheld of all: ' || of_all)
  FROM unnest('{true,false}'::boolean[]) of_all;
-- corrected twice: what holds in the end is what held first
SELECT is(array(SELECT t.found('2026-06-17', of_all, 32, 700, 'twice', 1500, false, 500, 499.99, 399.99)),
          '{nothing,500.00,"400.00, 500.00"}'::text[],
          'R11.80: corrected twice before it is paid, withheld of all: ' || of_all)
  FROM unnest('{true,false}'::boolean[]) of_all;
-- nothing is lost any longer: 700 were won, and 1200 are a loss of 500
SELECT is(array(SELECT t.found('2026-06-18', of_all, 32, 700, how, 1200, false, 500, 499.99, 399.99)),
          '{nothing,500.00,"400.00, 500.00"}'::text[],
          format('R11.80: won, then %s, withheld of all: %s', how, of_all))
  FROM (VALUES (true, 'void result'), (false, 'void result'), (true, 'void wagers'), (false, 'void wagers'),
               (true, 'void round'))
       v (of_all, how);
-- a stake that was too high by the result known then is looked for, though the last result allows all
SELECT is(array(SELECT t.found('2026-06-21', of_all, 31, 200, how, 10, false, 500, 499.99)),
          '{nothing,500.00}'::text[],
          format('R12.161: lost, then %s, withheld of all: %s', how, of_all))
  FROM (VALUES (true, '32'), (false, '32'), (true, 'void result'), (false, 'void wagers'),
               (true, 'void round'))
       v (of_all, how);
-- paid before, the correction is posted, and counts once: 300 and 700 won, then 600 taken, 900 are one of 500
SELECT is(array(SELECT t.found('2026-06-19', of_all, 32, 700, '31', 900, true, 500, 499.99, 399.99)),
          '{nothing,500.00,"400.00, 500.00"}'::text[],
          'R11.38: paid, and corrected then, withheld of all: ' || of_all)
  FROM unnest('{true,false}'::boolean[]) of_all;
-- lost and over before, then found won: the correction gives 600, 300 lost, 200 won, 1000 are one of 500
SELECT is(array(SELECT t.found('2026-06-20', of_all, 31, 200, '32', 1000, true, 500, 499.99, 299.99)),
          '{nothing,"500.00, 500.00","300.00, 500.00, 500.00"}'::text[],
          'R11.38: lost and released, and found won then, withheld of all: ' || of_all)
  FROM unnest('{true,false}'::boolean[]) of_all;

-- R12.162: 300 won; 800 are a loss of 500; the correction has an earlier time and a later entry
DO $$
DECLARE
    p CONSTANT bigint := casino.register_player('meets a correction');
    noon CONSTANT timestamptz := '2026-06-23 12:00';
    r bigint := t.round(noon);
    r2 bigint;
BEGIN
    PERFORM casino.deposit(p, 10000, at => noon - interval '1 hour'),
            casino.set_limit(p, 'net_loss', 'day', 500, noon - interval '1 hour');
    PERFORM casino.place_bet(r, p, 'red@300', at => noon),
            casino.settle_round(r, '{"number": 32}', noon + interval '1 minute');
    r2 := t.round(noon + interval '2 minutes');
    PERFORM casino.place_bet(r2, p, 'red@800', at => noon + interval '2.001 minutes');
    PERFORM t.correct(r, '{"number": 31}', noon + interval '2 minutes');
    PERFORM casino.settle_round(r2, '{"number": 32}', noon + interval '3 minutes');
    -- one that comes after the correction
    r2 := t.round(noon + interval '4 minutes');
    PERFORM casino.place_bet(r2, p, 'red@10', at => noon + interval '4 minutes'),
            casino.settle_round(r2, '{"number": 32}', noon + interval '5 minutes');
END $$;
SELECT results_eq($$SELECT l.posted_at FROM casino.ledger l
                     WHERE l.player_id = (SELECT p.player_id
                                            FROM casino.player p
                                           WHERE p.external_ref = 'meets a correction')
                       AND l.kind IN ('stake', 'correction')
                     ORDER BY l.entry_no$$,
                  $$VALUES ('2026-06-23 12:00:00'::timestamptz), ('2026-06-23 12:02:00.06'),
                           ('2026-06-23 12:02:00'), ('2026-06-23 12:04:00')$$,
                  'a correction is dated before an entry that came before it');
SELECT is(array(SELECT t.by_limits(p.player_id, '2026-06-23', '{500,499.99}')
                  FROM casino.player p
                 WHERE p.external_ref = 'meets a correction'),
          '{nothing,500.00}'::text[], 'R12.162: the stake met the result of before the correction');

-- R12.161: sums of days that were kept after a withheld round was corrected say its last result. One
-- player, a net loss of 500 a month: 300 on red of a round of the 5th, withheld and found to be 32 or 31.
-- 700 on red win on the 6th, the round is corrected to "how" on the 7th and paid, the days are kept. How many
-- stakes of the 6th does the check find, by a limit that is forged?
CREATE FUNCTION t.found_kept(month date, under_way interval, of_all boolean, first_number integer,
                             second numeric, how text, VARIADIC limits numeric[]) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
    p CONSTANT bigint := casino.register_player(gen_random_uuid()::text);
    fifth CONSTANT timestamptz := month + 4 + time '12:00';
    opened CONSTANT timestamptz := fifth - under_way;
    sixth CONSTANT timestamptz := month + 5 + time '12:00';
    seventh CONSTANT timestamptz := month + 6 + time '12:00';
    r bigint;
    r2 bigint;
BEGIN
    PERFORM casino.deposit(p, 10000, at => opened - interval '1 hour'),
            casino.set_limit(p, 'net_loss', 'month', 500, opened - interval '1 hour');
    r := t.round(opened);
    PERFORM casino.place_bet(r, p, 'red@300', at => opened), casino.close_betting(r, opened);
    PERFORM casino.withhold_winnings(r, CASE WHEN NOT of_all THEN p END, 'review', opened);
    PERFORM casino.settle_round(r, jsonb_build_object('number', first_number), fifth + interval '1 minute');
    r2 := t.round(sixth);
    PERFORM casino.place_bet(r2, p, ('red@' || second)::casino.bet, at => sixth),
            casino.settle_round(r2, '{"number": 32}', sixth + interval '1 minute');
    CASE how
        WHEN 'paid' THEN NULL;
        WHEN 'void result' THEN PERFORM t.correct(r, NULL, seventh);
        WHEN 'void wagers' THEN PERFORM casino.void_wagers(r, p, 'marked', seventh);
        WHEN 'void round' THEN PERFORM casino.void_round(r, 'marked', seventh);
        ELSE PERFORM t.correct(r, jsonb_build_object('number', how::integer), seventh);
    END CASE;
    IF how ~ '^\d|paid' THEN
        PERFORM casino.pay_withheld(r, seventh + interval '1 minute', CASE WHEN NOT of_all THEN p END,
                                    reason => 'in order');
    END IF;
    RETURN QUERY SELECT * FROM t.by_limits(p, month + 5, limits);
    PERFORM casino.keep_day_totals(month + 10);
    RETURN QUERY SELECT * FROM t.by_limits(p, month + 5, limits);
END $$;
-- 300 won, so that 700 are a loss of 400 at most; 300 lost, so that 200 are one of 500
SELECT is(array(SELECT t.found_kept(v.month, v.under_way, v.of_all, v.first_number, v.second, v.how,
                                    v.used, v.used - 0.01)),
          ARRAY['nothing', v.used::text, 'nothing', v.used::text],
          format('R12.161: under way for %s, %s at first, on a later day %s, before and after the days are '
                 'kept, of all: %s', v.under_way, v.first_number, v.how, v.of_all))
  FROM (VALUES ('2025-01-01'::date, '0'::interval, true, 32, 700, '31', 400.00),
               ('2025-02-01', '0', false, 32, 700, '31', 400.00),
               ('2025-03-01', '0', true, 32, 700, 'void result', 400.00),
               ('2025-04-01', '0', false, 32, 700, 'void wagers', 400.00),
               ('2025-05-01', '0', true, 32, 700, 'void round', 400.00),
               ('2025-06-01', '0', true, 32, 700, 'paid', 400.00),
               ('2025-07-01', '0', true, 31, 200, '32', 500.00),
               ('2025-08-01', '0', false, 31, 200, 'void result', 500.00),
               ('2025-09-01', '0', true, 31, 200, 'void wagers', 500.00),
               -- rounds of the month before, withheld then, that were evaluated in this one
               ('2024-03-01', '6 days', true, 32, 700, '31', 400.00),
               ('2024-05-01', '6 days', false, 32, 700, '31', 400.00),
               ('2024-07-01', '6 days', false, 32, 700, 'void wagers', 400.00))
       v (month, under_way, of_all, first_number, second, how, used);
-- the sieve leaves such rounds to the check: by the last result no stake is too high
SET t.keep = on;
SELECT is(array(SELECT t.found(day, of_all, 31, 200, how, 10, false, 500, 499.99)),
          '{nothing,500.00}'::text[],
          format('R12.161: the days before are kept: lost, then %s, withheld of all: %s', how, of_all))
  FROM (VALUES ('2025-10-06'::date, true, '32'), ('2025-11-06', false, '32'),
               ('2025-12-06', false, 'void wagers'), ('2026-01-06', true, 'void round')) v (day, of_all, how);

SELECT * FROM finish();
