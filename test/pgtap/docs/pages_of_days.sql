-- The pages of a night and of a period: figures counted by hand, sums that equal the nights'.
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET casino.operator = 'Kasino a.s.';
SET search_path = public, casino, casino_internal;
SELECT no_plan();

CREATE FUNCTION words_of(page text, first text, last text) RETURNS text LANGUAGE sql AS $$
    SELECT btrim(regexp_replace(substring(page FROM first || '(.*?)' || last),
                                '(<[^>]*>\s*)+', '|', 'g'), '|')
$$;
-- the class of the first word of each figure is green or red
CREATE FUNCTION figures_of(page text) RETURNS text LANGUAGE sql AS $$
    SELECT words_of(page, '<main><div class="figures">', '</div><section')
$$;

SELECT alike(figures_of(night_page('2026-05-01', 'en')),
             'Reconciliation –|The day was not reconciled|GGR|0.00|of stakes 0.00|Hold|–'
             '|Owed to players|0.00%',
             'a day without activity');
SELECT cmp_ok((SELECT count(*) FROM regexp_matches(night_page('2026-05-01', 'en'), 'No activity', 'g')), '>=',
              5::bigint, 'a day without activity says so');
SELECT cmp_ok((SELECT count(*) FROM regexp_matches(period_page('2026-05-01', '2026-05-03', 'cs'),
                                                   'Bez aktivity', 'g')), '>=', 5::bigint,
              'so does a period');

-- Monday 1 June: 1000 on red, 17 is black: 1000 for the house.  Tuesday 2 June: 100 on 17 pays 3600.
-- Monday 8 June: 500 on red is lost; a void round gives 200 back.
SELECT add_game_table('roulette_synot', 'Vltava', 10, 10000) AS t, register_player('Anna & syn') AS p \gset
SELECT deposit(:p, 10000, 'd', '2026-06-01 08:00+02') \g /dev/null
SELECT open_round(:t, 'a', '2026-06-01 10:00+02') AS r1 \gset
SELECT place_bet(:r1, :p, 'red@1000', 'a', at => '2026-06-01 10:00:05+02') \g /dev/null
SELECT settle_round(:r1, '{"number": 17}', '2026-06-01 10:01+02') \g /dev/null
SELECT open_round(:t, 'b', '2026-06-02 10:00+02') AS r2 \gset
SELECT place_bet(:r2, :p, 'straight:17@100', 'b', at => '2026-06-02 10:00:05+02') \g /dev/null
SELECT settle_round(:r2, '{"number": 17}', '2026-06-02 10:01+02') \g /dev/null
SELECT open_round(:t, 'c', '2026-06-08 10:00+02') AS r3 \gset
SELECT place_bet(:r3, :p, 'red@500', 'c', at => '2026-06-08 10:00:05+02') \g /dev/null
SELECT settle_round(:r3, '{"number": 17}', '2026-06-08 10:01+02') \g /dev/null
SELECT open_round(:t, 'd', '2026-06-08 21:00+02') AS r4 \gset
SELECT place_bet(:r4, :p, 'red@200', 'd4', at => '2026-06-08 21:00:05+02') \g /dev/null
SELECT void_round(:r4, 'the ball left the wheel', '2026-06-08 21:01+02') \g /dev/null
SELECT exclude_player(:p, '2027-06-20 00:00+02', 'self', at => '2026-06-08 22:00+02') \g /dev/null
SELECT request_withdrawal(:p, 3000, 'cash', 'w', '2026-06-08 23:00+02') \g /dev/null
CALL casino.reconcile('2026-06-01', '2026-06-01');
CALL casino.reconcile('2026-06-08', '2026-06-08');

-- European roulette keeps 1/37 = 2.7 % of red
SELECT is(figures_of(night_page('2026-06-01', 'en')),
          'Reconciliation 1|The day is clean|All checks agree.|GGR|1,000.00|of stakes 1,000.00|Hold|100.0'
          || U&'\00A0' || '%|expected 2.7' || U&'\00A0' || '%|Owed to players|9,000.00|Overdue|0.00'
          '|payments: 0',
          'five figures: clean or not, GGR, hold, owed, overdue');
SELECT alike(night_page('2026-06-01', 'en'), '%<b class="good">The day is clean</b>%', 'in green');
SELECT is((SELECT array_agg(page_z(z)) FROM unnest('{NULL,0,2,-2,2.001,3,-3,3.001,-9}'::numeric[]) z),
          '{none,usual,usual,usual,odd,odd,odd,rare,rare}', 'R9.34: both sides of each bound');
SELECT alike(night_page('2026-06-01', 'en'), '%<td data-label="Judged"><bdi>usual</bdi></td>%',
             'R9.34: the deviation in words');
SELECT alike(night_page('2026-06-08', 'en'),
             '%aria-label="Stakes by hour: 10:00 500.00; 21:00 200.00"%',
             'hours without stakes are left out');
SELECT alike(night_page('2026-06-08', 'en'),
             '%aria-label="GGR: 2026-05-26 0.00; 2026-05-27 0.00; %; 2026-06-01 1,000.00; 2026-06-02 '
             || '&#x2212;3,500.00; %; 2026-06-08 500.00"%', 'fourteen days as a small picture');
SELECT alike(night_page('2026-06-08', 'en'), '%@page{size:A4 landscape%', 'on paper it lies');

-- the period: 1 to 8 June
SELECT period_page('2026-06-01', '2026-06-08', 'en') AS en INTO period;
SELECT is(words_of(en, '<h2>GGR by week</h2>.*?<tbody>', '</table>'),
          '2026-06-01|2|1,100.00|3,600.00|0.00|' || U&'\2212' || '2,500.00'
          '|2026-06-08|1|500.00|0.00|0.00|500.00'
          || '|Total|3|1,600.00|3,600.00|0.00|' || U&'\2212' || '2,000.00', 'GGR by week') FROM period;
SELECT is(words_of(en, '<h2>Tax base by game</h2>.*?<tfoot>', '</table>'),
          'Total|1,800.00|200.00|3,600.00|0.00|' || U&'\2212' || '2,000.00', 'tax base: 1800 - 200 - 3600')
  FROM period;
SELECT is(words_of(en, '<h2>Days of the period</h2>.*?<tbody>', '</tbody>'),
          '2026-06-01|1|0|1,000.00|0.00|0.00|0.00|1,000.00|clean'
          || '|2026-06-02|1|0|100.00|3,600.00|0.00|0.00|' || U&'\2212' || '3,500.00|not reconciled'
          || '|2026-06-08|1|1|500.00|0.00|200.00|0.00|500.00|clean', 'each night') FROM period;
-- the sums equal those of the nights, taken day by day
SELECT is((SELECT sum((t ->> 'ggr')::numeric)
             FROM generate_series('2026-06-01'::date, '2026-06-08', '1 day') d,
                  jsonb_array_elements(daily_report(d::date) -> 'tables') t),
          (SELECT sum(ggr) FROM daily_table('2026-06-01', '2026-06-08')), 'GGR equals the nights''');
SELECT is((SELECT sum((t ->> 'base')::numeric)
             FROM generate_series('2026-06-01'::date, '2026-06-08', '1 day') d,
                  jsonb_array_elements(daily_report(d::date) -> 'tax_base') t), -2000.00,
          'the tax base equals the nights''');
SELECT alike(en, '%<bdi>the ball left the wheel</bdi>%', 'voided rounds with reasons') FROM period;
SELECT alike(en, '%<h2>Exclusions</h2>%<bdi>Anna &amp; syn</bdi>%<bdi>the player</bdi>%',
             'exclusions') FROM period;
-- R9.35: the negative base of the second quarter lowers that of the third, and not that of its own
SELECT is((SELECT carried FROM tax_carry('2026-06-30') WHERE live), 0.00, 'R9.35: the quarter goes on');
SELECT is((SELECT carried FROM tax_carry('2026-07-01') WHERE live), -2000.00, 'R9.35: the quarter is over');
SELECT is((SELECT carried FROM tax_carry('2026-07-01') WHERE NOT live), 0.00, 'R9.35: other games apart');
SELECT is(words_of(en, '<h2>Negative base carried forward</h2>.*?<tbody>', '</tbody>'),
          'Live games|0.00|' || U&'\2212' || '2,000.00|0.00|' || U&'\2212' || '2,000.00',
          'R9.35: a negative base is not taxed, and carried forward') FROM period;
SELECT throws_ok($$SELECT period_page('2026-06-02', '2026-06-01')$$, '22023', NULL, 'a period backwards');
SELECT throws_ok($$SELECT night_page('2026-06-01', 'de')$$, '22023', NULL, 'no such language');

-- the withdrawal of 8 June is late at the end of October
SELECT alike(period_page('2026-10-01', '2026-10-31', 'en'),
             '%<h2>Late payments</h2>%<bdi>Withdrawal</bdi>%<bdi>3,000.00</bdi>%', 'late payments');
SELECT alike(figures_of(night_page('2026-10-31', 'en')), '%Overdue|3,000.00|payments: 1%', 'overdue');
SELECT alike(night_page('2026-10-31', 'en'), '%<b class="bad">3,000.00</b>%', 'in red');
SELECT finish();
