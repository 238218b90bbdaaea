-- Amounts of money are read from a numeric's digits, and made from haléře: the same as PostgreSQL's own
-- numerics with two decimals, at each boundary of the digits that a numeric has (to the base 10000).
SET search_path = public;
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SELECT no_plan();

CREATE TABLE sample AS
SELECT h::numeric(30) / 100 AS amount
  FROM unnest('{0,1,9,10,50,99,100,101,199,9999,10000,12345,999999,1000000,1000001,1000100,99990000,100000000,
                100000001,123456789,999999999999,1000000000000,10000000000000,999999999999999999,
                1000000000000000000,1000000000000000001,922337203685477500,9223372036854775807}'::bigint[]) h;
SELECT is((SELECT array_agg(s.amount) FROM sample s
            WHERE numeric_send(casino.checked_amount(s.amount)) <> numeric_send(s.amount::numeric(30, 2))
               OR casino.checked_amount(s.amount)::text <> s.amount::numeric(30, 2)::text),
          NULL, 'amounts are PostgreSQL''s numerics with two decimals, byte by byte');
SELECT is((SELECT count(*)
             FROM (SELECT trunc((random() * power(10, 1 + n % 18))::numeric) / 100 AS amount
                     FROM generate_series(1, 3600) n) r
            WHERE numeric_send(casino.checked_amount(r.amount)) <> numeric_send(r.amount::numeric(30, 2))),
          0::bigint, 'random ones of each length, too');
SELECT results_eq($$SELECT casino.checked_amount(a)::text
                      FROM unnest('{1.000,0.50000,0.0700,00120}'::numeric[]) a$$,
                  $$VALUES ('1.00'), ('0.50'), ('0.07'), ('120.00')$$,
                  'zeros behind the second decimal are fine');
SELECT throws_ok(format('SELECT casino.checked_amount(%L)', r.amount), '22003',
                 'amount ' || r.amount || ' is out of range',
                 r.amount || ' is refused')
  FROM unnest('{0.001,0.0001,0.00001,12.345,1000000.00000001,92233720368547758.08,100000000000000000,NaN,
                Infinity,-0.01,-10000}'::text[]) r(amount);

-- amounts below zero: the loss is less than nothing after a win
SELECT casino.add_game_table('roulette_american', 'wheel', 10, 2500) AS wheel,
    casino.register_player('anna') AS anna \gset
SELECT casino.deposit(:anna, 5000, at => '2026-06-01 08:00'),
    casino.set_limit(:anna, 'net_loss', 'day', 4000, '2026-06-01 08:01') \g /dev/null
CREATE FUNCTION won(name text, bet casino.bet, at timestamptz) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
    r CONSTANT bigint := casino.open_round(1, name, at);
BEGIN
    PERFORM casino.place_bet(r, 1, bet, at => at);
    PERFORM casino.settle_round(r, '{"number": 1}', at + interval '1 minute');
    RETURN (SELECT s.lost_day FROM casino.limit_state s);
END $$;
SELECT is(won('a', 'red@100', '2026-06-01 09:00'), -100.00, 'an even chance won');
SELECT is(won('b', 'straight:1@10.01', '2026-06-01 09:05'), -450.35, 'and 35 times 10.01 more');
SELECT is(won('c', 'black@450.36', '2026-06-01 09:10'), 0.01, 'a haléř more was lost then');
SELECT is(won('d', 'black@10.01', '2026-06-01 09:15'), 10.02, 'and more');
SELECT is((SELECT numeric_send(s.lost_month) FROM casino.limit_state s), numeric_send(10.02), 'as bytes');
SELECT is((SELECT array[s.staked_day, s.open_staked] FROM casino.limit_state s), '{570.38,0.00}',
          'all of it was staked');
SELECT * FROM finish();
