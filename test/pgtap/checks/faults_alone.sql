-- Faults that the books of reconcile_faults.sql have no round for, and cases beside them that are in order.
-- Each is asked of one check, without the sieve, and a finding counts as often as it is made.
-- tampers with the books
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SET datestyle = 'ISO';
SELECT no_plan();
\ir ../helpers/no_sieve.psql
CREATE SCHEMA t;
CREATE ROLE first_supervisor_of_faults;
CREATE ROLE second_supervisor_of_faults;
SELECT casino.grant_access(r, 'supervisor')
  FROM unnest('{first_supervisor_of_faults,second_supervisor_of_faults}'::name[]) r \g /dev/null
CREATE FUNCTION t.correct(round bigint, outcome jsonb, at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    n bigint;
BEGIN
    PERFORM set_config('session_authorization', 'first_supervisor_of_faults', true);
    n := casino.correct_round(round, outcome, 'misread', at,
                              ground => CASE WHEN outcome IS NULL THEN 'other' END);
    PERFORM set_config('session_authorization', 'second_supervisor_of_faults', true);
    PERFORM casino.approve_correction(n, at);
    PERFORM set_config('session_authorization', (SELECT rolname FROM pg_roles WHERE oid = 10), true);
END $$;
CREATE FUNCTION t.person(name text, at timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    p CONSTANT bigint := casino.register_player(name);
BEGIN
    PERFORM casino.deposit(p, 10000, at => at);
    RETURN p;
END $$;
-- Findings of a day by the night's check of that name, with the fault in, which is taken back: rule player
-- entry: expected | found
CREATE FUNCTION t.found(fault text, check_name text, day date DEFAULT '2026-06-10') RETURNS text[]
LANGUAGE plpgsql AS $$
DECLARE
    result text[];
    relation regclass;
BEGIN
    -- a forger is past all triggers
    FOR relation IN SELECT k.oid
                      FROM pg_class k
                     WHERE k.relnamespace = 'casino'::regnamespace
                       AND k.relkind IN ('r', 'p')
                       AND fault ~ format('casino\.%s\M', CASE WHEN k.relispartition THEN 'ledger'
                                                               ELSE k.relname END) LOOP
        EXECUTE format('ALTER TABLE %s DISABLE TRIGGER USER', relation);
    END LOOP;
    EXECUTE fault;
    EXECUTE format($q$SELECT coalesce(array_agg(x.x ORDER BY x.x), '{}')
                        FROM (SELECT format('%%s%%s%%s: %%s | %%s', f.rule, ' p' || f.player_id,
                                            ' e' || f.entry_no, f.expected, f.found)
                                FROM %s($1, $1) f) x (x)$q$,
                   (SELECT k.function
                      FROM casino.reconciliation_checks() k
                     WHERE k.check_name = found.check_name))
       INTO result USING day;
    RAISE EXCEPTION SQLSTATE 'ZZ001';
EXCEPTION WHEN SQLSTATE 'ZZ001' THEN
    RETURN result;
END $$;

-- ----------------------------------------------------------------------- limits of a month (R10.40, R11.38)
-- Red loses on 31. March: 300 staked and lost. April: 200 lost on the 2nd; 50 of the 3rd lie over midnight,
-- and are lost; 20 are given back then. A stake of 10 on the 4th, and one of 40 on the 5th.
SELECT casino.add_game_table('roulette_american', 'R', 10, 5000) AS tab,
       t.person('fay', '2026-03-10 08:00') AS fay \gset
SELECT casino.set_limit(:fay, 'stake', 'month', 1000, '2026-03-10 09:00'),
       casino.set_limit(:fay, 'net_loss', 'month', 1000, '2026-03-10 09:00') \g /dev/null
CREATE FUNCTION t.spin(p bigint, bet casino.bet, at timestamptz, evaluated_at timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    r CONSTANT bigint := casino.open_round((SELECT x.table_id FROM casino.game_table x WHERE x.name = 'R'),
                                           at::text, at);
BEGIN
    PERFORM casino.place_bet(r, p, bet, at => at), casino.close_betting(r, at + interval '1 second');
    IF evaluated_at::date > at::date THEN
        PERFORM casino.adjust(p, 20, 'goodwill', 'goodwill', at + interval '10 seconds',
                              (SELECT min(x.round_id) FROM casino.round x));
    END IF;
    PERFORM casino.settle_round(r, '{"number": 31}', evaluated_at);
END $$;
SELECT t.spin(:fay, bet::casino.bet, at, at + later)
  FROM (VALUES (1, 'red@300', '2026-03-10 12:00'::timestamptz, '1 minute'::interval),
               (2, 'red@200', '2026-04-02 12:00', '1 minute'), (3, 'red@50', '2026-04-03 23:59', '2 minutes'),
               (4, 'red@10', '2026-04-04 12:00', '1 minute'), (5, 'red@40', '2026-04-05 12:00', '1 minute'))
       v (n, bet, at, later)
 ORDER BY n \g /dev/null
CREATE FUNCTION t.by_limit(measure text, amount numeric) RETURNS text[] LANGUAGE sql AS $$
    SELECT t.found(format('UPDATE casino.player_limit SET amount = %s WHERE measure = %L', amount, measure),
                   'self_limit', '2026-04-04')
$$;
CREATE FUNCTION t.sums(fay bigint, of_days text) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT is(t.by_limit(v.measure, v.bound), v.found::text[],
              format('%s: at most %s of %s in April', of_days, v.bound, v.measure))
      FROM (VALUES
           ('stake', 260, '{}'),
           ('stake', 259.99, format('{stake_month p%s e6: at most 259.99 | 260.00}', fay)),
           ('net_loss', 240, '{}'),
           ('net_loss', 239.99, format('{net_loss_month p%s e6: at most 239.99 | 240.00}', fay)))
           v (measure, bound, found)
$$;
SELECT t.sums(:fay, 'counted');
SELECT casino.keep_day_totals('2026-04-10') \g /dev/null
SELECT t.sums(:fay, 'kept');
SELECT results_eq($$SELECT d.d, (casino_internal.kept_before(d.d)).whole
                      FROM unnest('{2026-03-10,2026-03-12,2026-04-04}'::date[]) d (d)$$,
                  $$VALUES ('2026-03-10'::date, true), ('2026-03-12', true), ('2026-04-04', true)$$,
                  'R10.40: the days before are kept, if they are all that have entries');
BEGIN;
SELECT t.person('gil', '2026-03-05 12:00') \g /dev/null
SELECT is((casino_internal.kept_before('2026-03-10')).whole, false,
          'R10.40: they are not, when an entry came to a day of before');
ROLLBACK;

SELECT is(t.found(format('UPDATE casino.player SET limited = false WHERE player_id = %s', :fay), 'state'),
          ARRAY[format('limited p%s: limits | half of them', :fay)],
          'D4 §6.5: a player with limits whose row has no limits');

-- ------------------------------------------------------- wagers of a player that were voided (R7.43, R11.39)
SELECT t.person('ann', '2026-06-10 08:00') AS ann, t.person('bob', '2026-06-10 08:00') AS bob \gset
CREATE FUNCTION t.red_wins(at timestamptz, alone bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    r CONSTANT bigint := casino.open_round((SELECT x.table_id FROM casino.game_table x WHERE x.name = 'R'),
                                           at::text, at);
BEGIN
    PERFORM casino.place_bet(r, p.player_id, 'red@100', at => at)
       FROM casino.player p WHERE p.external_ref IN ('ann', 'bob') ORDER BY p.player_id;
    PERFORM casino.close_betting(r, at);
    IF alone IS NOT NULL THEN
        PERFORM casino.withhold_winnings(r, alone, 'review', at);
    END IF;
    PERFORM casino.settle_round(r, '{"number": 32}', at + interval '1 minute', alone IS NULL, 'review');
    RETURN r;
END $$;
-- ann's wagers are voided, then the round: withheld of both or of ann alone, by a decision or by a correction
SELECT t.red_wins('2026-06-10 09:00', NULL) AS decided, t.red_wins('2026-06-10 09:10', NULL) AS corrected,
       t.red_wins('2026-06-10 09:20', :ann) AS alone, t.red_wins('2026-06-10 09:30', :ann) AS settled \gset
SELECT casino.void_wagers(r, :ann, 'marked', '2026-06-10 09:40')
  FROM unnest(ARRAY[:decided, :corrected, :alone, :settled]::bigint[]) r \g /dev/null
SELECT casino.void_round(:decided, 'marked', '2026-06-10 09:41') \g /dev/null
SELECT t.correct(r, NULL, '2026-06-10 09:42') FROM unnest(ARRAY[:corrected, :alone]::bigint[]) r \g /dev/null
SELECT is(t.found('SELECT 1', check_name), '{}', 'R7.43: the stakes went back: check ' || check_name)
  FROM unnest('{refund,correction}'::text[]) check_name;
CREATE FUNCTION t.kept_back(p bigint, r bigint) RETURNS text[] LANGUAGE sql AS $$
    SELECT t.found(f.fault, 'refund') || t.found(f.fault, 'correction')
      FROM format('DELETE FROM casino.ledger WHERE player_id = %s AND round_id = %s AND kind = ''refund''',
                  p, r) f (fault)
$$;
SELECT is(t.kept_back(:ann, r), ARRAY[format(found, :ann)], 'a stake that did not go back, once: ' || name)
  FROM (VALUES
        ('R7.43: the round voided by a decision', :decided, 'missing p%s e2: 100.00 returned | no refund'),
        ('R11.39: by a correction', :corrected, 'wager p%s e3: 100.00 | 0.00'),
        ('R11.39: by a correction, withheld alone', :alone, 'missing p%s e4: 100.00 returned | no refund'),
        ('R7.43: of a round that was settled', :settled, 'missing p%s e5: 100.00 returned | no refund'))
       v (name, r, found);

-- ----------------------------------------------------- stakes that went back with a late one (R7.66, R11.8)
SELECT casino.add_game_table('blackjack_synot', 'B', 10, 1000) AS box,
       t.person('eve', '2026-06-10 08:00') AS eve \gset
SELECT casino.open_round(:box, 'late', '2026-06-10 10:00') AS r \gset
SELECT casino.place_bets(:r, :eve, '{main@100,21+3@10,top3@20}', seat => 1,
                         at => '2026-06-10 10:00:20'),
       casino.place_bet(:r, :bob, 'main@100', seat => 2, at => '2026-06-10 10:00'),
       casino.close_betting(:r, '2026-06-10 10:00:10'),
       casino.settle_round(:r, '{"dealer": "9h 8c", "hands": [{"seat": 2, "cards": "Ts 9d"}]}',
                           '2026-06-10 10:01') \g /dev/null
CREATE FUNCTION t.in_time(p bigint, stakes bigint[], standing bigint) RETURNS text[] LANGUAGE sql AS $$
    SELECT t.found(format('UPDATE casino.ledger SET posted_at = ''2026-06-10 10:00:05''
                            WHERE player_id = %1$s AND entry_no = ANY (%2$L);
                           DELETE FROM casino.ledger WHERE player_id = %1$s AND stake_entry_no = %3$L',
                          p, stakes, standing),
                   'refund')
$$;
SELECT is(t.in_time(:eve, stakes, standing), array_remove(ARRAY[format(found, :eve)], ''), 'R7.66: ' || name)
  FROM (VALUES ('a side bet in time, whose main bet was late', '{3}'::bigint[], NULL, ''),
               ('the main bet stands', '{3}', 2, 'not_late p%s e6: a stake after 2026-06-10 10:00:10+02 | '
                                                 '10.00 late'),
               ('another side bet was late, which it does not need', '{2,3}', 2,
                'not_late p%s e6: a stake after 2026-06-10 10:00:10+02 | 10.00 late'))
       v (name, stakes, standing, found);

-- --------------------------------------------------------------------------- cards (R11.30, R12.152, R10.11)
SELECT casino.add_game_table('baccarat', 'P', 10, 1000) AS punto,
       casino.add_game_table('blackjack_czech_casinos', 'C', 10, 1000) AS czech,
       t.person('gil', '2026-06-10 08:00') AS gil, t.person('hal', '2026-06-10 08:00') AS hal,
       t.person('ivy', '2026-06-10 08:00') AS ivy, t.person('jil', '2026-06-10 08:00') AS jil \gset
SELECT casino.open_round(:punto, 'at the close', '2026-06-10 11:00') AS r \gset
SELECT casino.place_bet(:r, :gil, 'banker@100', at => '2026-06-10 11:00:10'),
       casino.close_betting(:r, '2026-06-10 11:00:10'),
       casino.deal(:r, '{"player": "9h", "banker": "Kd"}', '2026-06-10 11:00:20'),
       casino.correct_deal(:r, '{"player": "8h", "banker": "6c"}', 'misread', '2026-06-10 11:00:30'),
       casino.settle_round(:r, '{"player": "8h Kd", "banker": "6c Kc"}', '2026-06-10 11:01') \g /dev/null
SELECT is(t.found(format('UPDATE casino.deal SET recorded_at = recorded_at - interval ''1 hour''
                           WHERE round_id = %s', :r), 'refund'), '{}',
          'R12.152: a stake of before the cards stands, though the clock was put back before the deal');
SELECT casino.open_round(:czech, 'misdealt', '2026-06-10 11:10') AS r \gset
SELECT casino.place_bet(:r, :hal, 'main@100', seat => 1, at => '2026-06-10 11:10'),
       casino.close_betting(:r, '2026-06-10 11:10:10'),
       casino.deal(:r, '{"dealer": "Td", "hands": [{"seat": 1, "cards": "5s 6d"}]}', '2026-06-10 11:10:20'),
       casino.place_bet(:r, :hal, 'double_down@100', seat => 1, at => '2026-06-10 11:10:30'),
       casino.correct_deal(:r, '{"dealer": "Td", "hands": [{"seat": 1, "cards": "5s 9d"}]}', 'misread',
                           '2026-06-10 11:10:40'),
       casino.settle_round(:r, '{"dealer": "Td 7h", "hands": [{"seat": 1, "cards": "5s 9d"}]}',
                           '2026-06-10 11:11') \g /dev/null
SELECT is(t.found(format('SELECT set_config(''test.named'', %L, true);
                          DELETE FROM casino.ledger WHERE reason = ''misdealt''', ARRAY[:hal]), 'refund'),
          ARRAY[format('missing p%s e3: 100.00 returned | no refund', :hal)],
          'R11.30: a stake that came after a wrong card, of the player whom the sieve names');
SELECT casino.open_round(:czech, 'withheld', '2026-06-10 11:20') AS r \gset
SELECT casino.place_bet(:r, :ivy, 'main@100', seat => 1, at => '2026-06-10 11:20'),
       casino.settle_round(:r, '{"dealer": "9h 8d", "hands": [{"seat": 1, "cards": "Ts 9c"}]}',
                           '2026-06-10 11:21', true, 'review') \g /dev/null
SELECT is(t.found(format($$UPDATE casino.round r
                              SET outcome_document = d.document,
                                  outcome = casino.canonical_outcome('blackjack',
                                                (SELECT jsonb_object_agg(u.rule, u.value)
                                                   FROM casino.plan_rule u
                                                  WHERE u.plan_id = r.plan_id), d.document)
                             FROM (VALUES ('{"dealer": "9h 8d", "hands": [{"seat": 1, "cards": "Ts 9c"}, '
                                           '{"seat": 2, "cards": "2c 3d"}]}'::jsonb)) d (document)
                            WHERE r.round_id = %1$s;
                           INSERT INTO casino.dealt_hand (round_id, side, seat, cards)
                           VALUES (%1$s, 'box', 2, '2c 3d')$$, :r), 'outcome'),
          ARRAY['impossible: an outcome by the rules | {"hands": [{"seat": 1, "cards": "Ts 9c"}, '
                '{"seat": 2, "cards": "2c 3d"}], "dealer": "9h 8d"}'],
          'R10.11: a hand of a withheld round on which no stake lies');
SELECT casino.open_round(:punto, 'taken back', '2026-06-10 11:30') AS r \gset
SELECT casino.place_bet(:r, :jil, 'banker@100', 'k', at => '2026-06-10 11:30'),
       casino.cancel_bet(:r, :jil, 'k', '2026-06-10 11:30:05'),
       casino.close_betting(:r, '2026-06-10 11:30:10'),
       casino.settle_round(:r, '{"player": "8h Kd", "banker": "6c Kc"}', '2026-06-10 11:31') \g /dev/null
SELECT is(t.found(format('UPDATE casino.ledger SET posted_at = ''2026-06-10 11:30:11''
                           WHERE player_id = %s AND kind = ''refund''', :jil), 'late_stake'),
          ARRAY[format('taken_back_late p%s e2: taken back before 2026-06-10 11:30:10+02 | '
                       '2026-06-10 11:30:11+02', :jil)],
          'R13.35: a bet that one game alone offers, taken back after the close');

DROP OWNED BY first_supervisor_of_faults, second_supervisor_of_faults;
DROP ROLE first_supervisor_of_faults, second_supervisor_of_faults;
SELECT * FROM finish();
