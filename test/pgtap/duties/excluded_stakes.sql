-- §6.2: who is excluded while betting is open gets his stakes back (reason excluded, R7.16), since they are
-- not concluded yet; those of closed rounds play on.  His duties are as if he had never staked, bets behind
-- him go back too, and nobody else's.
\ir ../helpers/compliance.psql
SELECT no_plan();

CREATE TABLE t.case (name text PRIMARY KEY, p bigint NOT NULL DEFAULT t.player(10000));
CREATE FUNCTION t.p(n text) RETURNS bigint LANGUAGE sql AS 'SELECT p FROM t.case WHERE name = n';
-- status and reason of a player's stakes, in the order of the entries
CREATE FUNCTION t.ends(p bigint) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(w.status || coalesce(' ' || f.reason, ''), ', ' ORDER BY w.entry_no)
      FROM casino.wager w LEFT JOIN casino.ledger f ON f.player_id = w.player_id
          AND f.entry_no = w.paid_entry_no AND f.kind = 'refund'
     WHERE w.player_id = p $$;
CREATE FUNCTION t.balance(p bigint)
RETURNS numeric
LANGUAGE sql AS 'SELECT balance FROM casino.player WHERE player_id = p';

-- ------------------------------------------------------------------------------------ open and closed rounds
CREATE FUNCTION t.excluded(source text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    p bigint := t.player(10000);
    other bigint := t.player(10000);
    before jsonb;
    n integer;
BEGIN
    PERFORM casino.set_limit(p, 'stake', 'day', 900, t.at('09:00'));
    PERFORM t.play(p, 'S1', '10:00', '10:05', 100);
    before := t.state(p);
    -- one round closed, three open: a live one, in two requests, and one that is not
    PERFORM t.stake(p, 'M1', '10:10', 200);
    PERFORM casino.close_betting(t.round('M1', '10:10'), t.at('10:11'));
    PERFORM t.stake(p, 'E1', '10:12', 50, 'one'), t.stake(p, 'E1', '10:13', 60, 'two'),
        t.stake(p, 'M2', '10:14', 70, 'three'),
            t.stake(other, 'E1', '10:14', 10), t.stake(other, 'M2', '10:14', 10);
    n := casino.exclude_player(p, t.at('2026-07-01 00:00'), source, t.at('10:15'));
    RETURN NEXT is(t.ends(p), 'lost, open, refunded excluded, refunded excluded, refunded excluded',
                   source || ': stakes go back where betting is open');
    RETURN NEXT is(t.balance(p), 9700.00, source || ': as a whole');
    RETURN NEXT is(t.ends(other), 'open, open', source || ': nobody else''s do');
    RETURN NEXT is(t.state(p) - 'excluded_until', before - 'excluded_until',
                   source || ': his row is as before');
    RETURN NEXT ok(t.limits_are_right(p, '10:15')
                   AND (SELECT staked_day = 300 FROM casino.limit_state WHERE player_id = p),
                       source || ': and so are his counters');
    RETURN NEXT ok(t.sequence_is_right(p), source || ': he took part in the live round no more');
    RETURN NEXT is((SELECT array_agg(DISTINCT posted_at) FROM casino.ledger
                    WHERE player_id = p AND kind = 'refund'), ARRAY[t.at('10:15')],
                        source || ': at that time');
    RETURN NEXT is(casino.exclude_player(p, t.at('2026-07-01 00:00'), source, t.at('10:15')), n,
                   source || ': a retry is the same exclusion');
    RETURN NEXT is((SELECT count(*) FROM casino.ledger WHERE player_id = p AND kind = 'refund'), 3::bigint,
                   source || ': ... and returns nothing again');
    RETURN QUERY SELECT is(casino.place_bet(t.round('E1', '10:12'), p, 'red@50', 'one', at => t.at('10:12')),
                           4::bigint, source || ': the retry of a stake that went back is answered')
      FROM generate_series(1, 2);
    RETURN NEXT is(cardinality(casino.cancel_bet(t.round('E1', '10:12'), p, 'two', t.at('10:16'))), 1,
                   source || ': its cancellation gives the refund');
    RETURN NEXT is((SELECT (w.wagers, w.staked)
                    FROM casino.settle_round(t.round('E1', '10:12'), '{"number": 1}', t.at('10:20')) w),
                        (1::bigint, 10.00), source || ': the settlement counts it not');
    RETURN NEXT is((SELECT w.status || w.wagers
                    FROM casino.void_round(t.round('M2', '10:12'), 'x', t.at('10:20')) w), 'voided1',
                        source || ': nor does a void return it again');
    PERFORM t.settle('M1', '10:20', true);
    RETURN NEXT is(t.balance(p), 10100.00, source || ': the closed round played on and is paid');
END $$;
SELECT t.excluded(source) FROM unnest('{self,register,panic_button,operator}'::text[]) source;

-- without a time, and dated before his last entry: never before the stakes (R12.9)
INSERT INTO t.case (name) VALUES ('now'), ('back');
SELECT t.stake(p, 'M1', '11:00', 10) FROM t.case \g /dev/null
SELECT casino.exclude_player(t.p('now'), NULL, 'self') \g /dev/null
SELECT casino.exclude_player(t.p('back'), NULL, 'self', t.at('10:59')) \g /dev/null
SELECT is((SELECT string_agg(t.ends(p), '; ') FROM t.case), 'refunded excluded; refunded excluded',
          'whatever the time of the exclusion, the stakes go back');
SELECT is((SELECT count(*) FROM casino.ledger f
           JOIN casino.ledger s ON s.player_id = f.player_id AND s.entry_no = f.stake_entry_no
            WHERE f.kind = 'refund' AND f.posted_at < s.posted_at), 0::bigint,
                'no refund is dated before its stake');
SELECT t.settle('M1', '11:05') \g /dev/null

-- asked for by the number of a former account
INSERT INTO t.case (name, p) VALUES ('former', t.player(0));
SELECT casino.close_account(p, t.at('11:10')) FROM t.case WHERE name = 'former' \g /dev/null
INSERT INTO t.case (name, p) SELECT 'account', casino.register_player(external_ref) FROM casino.player
 WHERE player_id = t.p('former');
SELECT casino.deposit(p, 100, at => t.at('11:11')), t.stake(p, 'M1', '11:12', 10),
    t.stake(p, 'S1', '11:12', 10) FROM t.case WHERE name = 'account' \g /dev/null
SELECT casino.exclude_player(t.p('former'), NULL, 'register', t.at('11:15')) \g /dev/null
SELECT is(t.ends(t.p('account')), 'refunded excluded, refunded excluded',
          'by the number of a former account too');
SELECT is(t.balance(t.p('account')), 100.00, '... as a whole');

-- refused, it returns nothing
INSERT INTO t.case (name) VALUES ('refused');
SELECT t.stake(t.p('refused'), 'M1', '11:20', 10) \g /dev/null
SELECT throws_ok(format('SELECT casino.exclude_player(%s, t.at(%L), ''self'', t.at(''11:21''))',
                        t.p('refused'), '11:20'), '22023', NULL, 'an exclusion that ends before it starts');
SELECT throws_ok(format('SELECT casino.exclude_player(%s, NULL, ''aunt'', t.at(''11:21''))', t.p('refused')),
                 '22023', NULL, 'an unknown source');
SELECT throws_ok('SELECT casino.exclude_player(0, NULL, ''self'')', '23503', NULL, 'an unknown player');
SELECT is(t.ends(t.p('refused')), 'open', '... return nothing');

-- ------------------------------------------------------------------------------------------------ boxes
SELECT casino.add_game_table('blackjack_synot', 'BJ', 10, 1000, '{"behind": true}'),
    casino.add_game_table('blackjack_house', 'H1', 10, 1000) \g /dev/null
CREATE FUNCTION t.open(name text, at text) RETURNS bigint LANGUAGE sql AS $$
    SELECT casino.open_round((SELECT table_id FROM casino.game_table g WHERE g.name = open.name),
                             'box ' || nextval('t.serial'), t.at(at)) $$;
INSERT INTO t.case (name) VALUES ('owner'), ('behind'), ('behind too'), ('beside');
SELECT t.open('BJ', '12:00') AS r \gset
SELECT casino.set_limit(t.p('behind'), 'stake', 'day', 1000, t.at('11:59')),
    casino.set_limit(t.p('owner'), 'stake', 'day', 1000, t.at('11:59')) \g /dev/null
SELECT casino.place_bets(:r, t.p('owner'), '{main@100,21+3@10}', seat => 1, at => t.at('12:00')),
    casino.place_bet(:r, t.p('owner'), 'main@50', seat => 3, at => t.at('12:00')),
       casino.place_bet(:r, t.p('behind'), 'behind@20', seat => 1, at => t.at('12:00')),
           casino.place_bet(:r, t.p('behind too'), 'behind@20', seat => 3, at => t.at('12:00')),
       casino.place_bet(:r, t.p('beside'), 'main@30', seat => 2, at => t.at('12:00')),
           casino.place_bet(:r, t.p('behind too'), 'behind@25', seat => 2, at => t.at('12:00')) \g /dev/null
SELECT casino.exclude_player(t.p('owner'), NULL, 'panic_button', t.at('12:01')) \g /dev/null
SELECT is(t.ends(t.p('owner')), 'refunded excluded, refunded excluded, refunded excluded',
          'all boxes of his, side bets too');
SELECT is(t.ends(t.p('behind')) || '; ' || t.ends(t.p('behind too')),
          'refunded cancelled; refunded cancelled, open',
              'bets behind him go back, as cancelled: they are not excluded');
SELECT is(t.ends(t.p('beside')), 'open', 'another box stays');
SELECT ok(t.sequence_is_right(p) AND coalesce(t.limits_are_right(p, '12:01'), true),
          name || ': row and counters are what the ledger gives')
  FROM t.case WHERE name IN ('owner', 'behind', 'behind too');
SELECT is(t.may(t.p('behind'), 'E1', '12:02'), 'ok', 'who bet behind him is free for another table');
SELECT is((casino.settle_round(:r, '{"dealer": "9h 8c", "hands": [{"seat": 2, "cards": "Ts 9d"}]}',
                               t.at('12:03'))).wagers, 2::bigint, 'the other box is played');
-- D2: up to three bets on a box; the owner goes, the others stay
INSERT INTO t.case (name) VALUES ('first'), ('second');
SELECT t.open('H1', '12:10') AS r \gset
SELECT casino.place_bet(:r, t.p('first'), 'main@100', seat => 1, at => t.at('12:10')),
    casino.place_bet(:r, t.p('second'), 'main@40', seat => 1, at => t.at('12:10')) \g /dev/null
SELECT casino.exclude_player(t.p('first'), NULL, 'self', t.at('12:11')) \g /dev/null
SELECT is(t.ends(t.p('first')) || '; ' || t.ends(t.p('second')), 'refunded excluded; open',
          'another''s main bet on the box stays');

-- ------------------------------------------------------------------------------------------------ the books
SELECT is((SELECT count(*) FROM casino.player p WHERE p.balance IS DISTINCT FROM
              (SELECT coalesce(sum(s.change), 0) FROM casino.statement s WHERE s.player_id = p.player_id)),
                  0::bigint, 'balances are the sums of the ledger');
SELECT is((SELECT sum(balance) FROM casino.trial_balance), 0.00, 'the trial balance is zero');
SELECT is((SELECT count(*) FROM casino.player p WHERE NOT t.sequence_is_right(p.player_id)), 0::bigint,
          '§8: every row is what the ledger alone gives');

-- ------------------------------------------------------------------------------------ the check of the night
-- an event may be dated ahead, within casino.clock_skew: what was written before the exclusion
-- was allowed then
RESET casino.clock_skew;
SELECT t.player(0) AS p \gset
SELECT casino.deposit(:p, 10, at => clock_timestamp() + interval '4 s') \g /dev/null
SELECT casino.exclude_player(:p, clock_timestamp() + interval '1 day', 'operator') \g /dev/null
SELECT ok(l.posted_at > e.excluded_from, '§6.2: a deposit dated ahead of an exclusion that came after it')
  FROM casino.ledger l JOIN casino.exclusion e ON e.player_id = l.player_id WHERE l.player_id = :p;
SELECT is((SELECT count(*) FROM casino_internal.check_excluded(casino.prague_day(clock_timestamp()),
                                                      casino.prague_day(clock_timestamp() + interval '4 s'))
                                                          WHERE player_id = :p), 0::bigint,
                                                              '... is no difference');
SELECT throws_ok(format('SELECT casino.deposit(%s, 10, at => clock_timestamp() + interval ''4.5 s'')', :p),
                 'KC004', NULL, '... another one is refused');
SELECT * FROM finish();
