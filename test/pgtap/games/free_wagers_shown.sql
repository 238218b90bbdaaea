-- A free wager that is pushed has lost nothing: casino.wager says so, settled and withheld (D3, R3.47).
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET search_path = public, casino, casino_internal;
SELECT no_plan();
SELECT add_game_table('blackjack_free_bet', 'F' || n, 10, 1000) FROM generate_series(1, 4) n \g /dev/null
SELECT register_player('A') AS p \gset
SELECT deposit(:p, 10000) \g /dev/null
CREATE FUNCTION played(name text, p bigint, cards text, dealer text,
                       hold boolean DEFAULT false) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    r bigint := casino.open_round((SELECT table_id FROM casino.game_table g WHERE g.name = played.name),
                                  name);
BEGIN
    PERFORM casino.place_bet(r, p, 'main@100', NULL, 1), casino.close_betting(r);
    PERFORM casino.place_bet(r, p, 'free_double@100', NULL, 1, 1);
    PERFORM casino.settle_round(r, jsonb_build_object('dealer', dealer, 'hands',
                                                      jsonb_build_array(jsonb_build_object('seat', 1, 'cards',
                                                              cards))), withhold => hold);
    RETURN QUERY SELECT format('%s %s %s staked %s paid %s', w.kind, w.status, w.grade, w.staked, w.payout)
        FROM casino.wager w
                  WHERE w.round_id = r ORDER BY w.entry_no;
END $$;
SELECT results_eq(format('SELECT * FROM played(''F1'', %s, ''6c 5h 7d'', ''Td 8c'')', :p),
    $$VALUES ('main pushed push staked 100.00 paid 100.00'),
        ('free_double pushed push staked 0.00 paid 0.00')$$, 'equal totals: both pushed');
SELECT results_eq(format('SELECT * FROM played(''F2'', %s, ''6c 5h 7d'', ''Td 9c'')', :p),
    $$VALUES ('main lost lose staked 100.00 paid 0.00'), ('free_double lost lose staked 0.00 paid 0.00')$$,
        'less than the dealer: both lost');
SELECT results_eq(format('SELECT * FROM played(''F3'', %s, ''6c 5h 9d'', ''Td 8c'')', :p),
    $$VALUES ('main won win staked 100.00 paid 200.00'), ('free_double won win staked 0.00 paid 100.00')$$,
        'more: both won');
SELECT results_eq(format('SELECT * FROM played(''F4'', %s, ''6c 5h 7d'', ''Td 6c 6h'', true)', :p),
    $$VALUES ('main withheld push staked 100.00 paid 100.00'),
        ('free_double pushed push staked 0.00 paid 0.00')$$,
            'the dealer on 22, withheld: what is to be paid is withheld, the free wager pushed');
SELECT finish();
