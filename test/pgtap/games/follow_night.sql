-- Bets behind and the night (D4 Blackjack §15, R3.76, R3.78): a limit or an exclusion keeps a bet
-- behind from following, with the store and by SQL; the check finds who should have followed.
-- tampers with the books
\ir ../helpers/blackjack.psql
SELECT no_plan();

CREATE FUNCTION t.start(before text[], shown text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    spec text;
BEGIN
    PERFORM t.open('synot+');
    FOREACH spec IN ARRAY before LOOP
        PERFORM t.place(spec);
    END LOOP;
    PERFORM t.close();
    PERFORM casino.deal(t.round(), t.cards(shown), t.at());
END $$;
CREATE FUNCTION t.bets_of(name text) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(concat_ws('/', replace(l.bet::text, '.00', ''), l.hand), ' ' ORDER BY l.entry_no)
      FROM casino.ledger l
     WHERE l.round_id = t.round() AND l.player_id = t.p(name) AND l.kind = 'stake' $$;
CREATE FUNCTION t.kept(name text) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(concat_ws(' ', r.code, r.reason), ', ' ORDER BY r.refusal_no)
      FROM casino.refusal r
     WHERE r.round_id = t.round() AND r.player_id = t.p(name) AND r.action = 'follow' $$;
CREATE FUNCTION t.found() RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(concat_ws(' ', f.rule, p.name), ', ' ORDER BY f.rule, p.name), 'nothing')
      FROM casino_internal.check_follow('2025-12-31', '2027-12-31') f
      LEFT JOIN t.person p ON p.id = f.player_id $$;

-- ------------------------------------------------------------------- who stays out, by the store and by SQL
CREATE TEMP TABLE way (n integer, store text);
INSERT INTO way VALUES (1, 'on'), (2, 'off');
CREATE FUNCTION t.evening(store text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    suffix CONSTANT text := CASE store WHEN 'on' THEN 'x' ELSE 'y' END;
BEGIN
    PERFORM set_config('casino.store', store, false);
    PERFORM t.open('synot+');
    PERFORM casino.set_limit(t.p('limited' || suffix), 'stake', 'day', 79.99, t.at());
    PERFORM casino.set_limit(t.p('within' || suffix), 'stake', 'day', 80, t.at());
    PERFORM t.start(ARRAY['main@100', 'bob behind@40', format('limited%s behind@40', suffix),
                          format('within%s behind@40', suffix), format('gone%s behind@40', suffix)],
                    '9d | 6s 5d');
    PERFORM casino.exclude_player(t.p('gone' || suffix), NULL, 'self', t.at());
    PERFORM t.place('double_down@100');
    RETURN (SELECT string_agg(concat_ws(': ', w,
                                        concat_ws(', ', t.bets_of(w || suffix), t.kept(w || suffix))),
                              '; ')
              FROM unnest(ARRAY['limited', 'within', 'gone']) w);
END $$;
SELECT is(t.evening(store),
          'limited: behind@40, KC005 self_limit; within: behind@40 double_down@40; '
          'gone: behind@40, KC004 excluded',
          'R3.76: a limit or an exclusion keeps a bet behind from following: store ' || store)
  FROM way ORDER BY n;
SELECT is(t.bets_of('bob'), 'behind@40 double_down@40', 'R3.76: the others follow');
RESET casino.store;
SELECT is(t.found(), 'nothing', 'R3.78: clean books, with reasons to stay out');

-- ------------------------------------------------------ a payment or a stake elsewhere a moment ago (R11.60)
CREATE FUNCTION t.answer(request text, raise text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    w record := t.wager(raise);
BEGIN
    RETURN (SELECT coalesce(p.code, (SELECT string_agg(concat_ws(' ', n.name, f ->> 'entry_no', f ->> 'code'),
                                                       ', ' ORDER BY n.name)
                                       FROM jsonb_array_elements(p.data -> 'followed') f
                                       JOIN t.person n ON n.id = (f -> 'player_id')::bigint))
              FROM casino.try_place_bets(t.round(), w.player, ARRAY[w.bet], request, w.seat, w.hand,
                                         t.at()) p);
END $$;
CREATE FUNCTION t.elsewhere(store text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    suffix CONSTANT text := CASE store WHEN 'on' THEN 'x' ELSE 'y' END;
    later timestamptz;
BEGIN
    PERFORM set_config('casino.store', store, false);
    PERFORM t.start(ARRAY['main@100', format('payer%s behind@40', suffix)], '9d | 6s 5d');
    later := t.at() + interval '2 minutes';
    PERFORM casino.deposit(t.p('payer' || suffix), 1, at => later);
    PERFORM t.answer('later ' || store, 'double_down@100');
    RETURN t.bets_of('payer' || suffix) || CASE
        WHEN (SELECT max(l.posted_at) FROM casino.ledger l
               WHERE l.round_id = t.round() AND l.player_id = t.p('payer' || suffix)) = later
        THEN ', dated as the last entry' ELSE ', dated otherwise' END;
END $$;
SELECT is(t.elsewhere(store), 'behind@40 double_down@40, dated as the last entry',
          'R11.60: a deposit dated after the owner''s double does not free: store ' || store)
  FROM way ORDER BY n;
RESET casino.store;
SELECT is(t.found(), 'nothing', 'R11.60: clean books');

-- ------------------------------------------------------------ stakes that a wrong card gave back (R11.61)
CREATE FUNCTION t.doubled(n integer) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(concat_ws(' ', p.name, coalesce(l.entry_no[n]::text, 'KL002')), ', ' ORDER BY p.name)
      FROM (SELECT s.player_id, array_agg(s.entry_no ORDER BY s.entry_no) AS entry_no
              FROM casino.ledger s
             WHERE s.round_id = t.round() AND s.kind = 'stake' AND casino.kind(s.bet) = 'double_down'
             GROUP BY s.player_id) l
      JOIN t.person p ON p.id = l.player_id AND p.name <> 'ann' $$;
SELECT t.start('{main@100,bob behind@40,cyd behind@20}', '9d | 6s 5d') \g /dev/null
SELECT t.answer('d1', 'double_down@100') AS first \gset
SELECT is(:'first', t.doubled(1), 'R3.76: the answer names the stakes of the bets behind');
SELECT casino.correct_deal(t.round(), t.cards('9d | 6s 4d'), 'misread', t.at()) \g /dev/null
SELECT is(t.answer('d1', 'double_down@100'), :'first', 'R11.61: the request again: the first answer');
SELECT casino.adjust(t.p('bob'), 39.99 - p.balance, 'a test', at => t.at())
  FROM casino.player p WHERE p.player_id = t.p('bob') \g /dev/null
SELECT t.answer('d2', 'double_down@100') AS second \gset
SELECT is(:'second', t.doubled(2),
          'R11.61: doubled again: the answer names the stakes of this double, and who stays out now');
SELECT is(t.answer('d2', 'double_down@100'), :'second', 'the request again');
SELECT is(t.answer('d1', 'double_down@100'), :'first', 'and the earlier one');
SELECT is((t.doubled(1) ~ '^bob \d+, cyd \d+$', t.doubled(2) ~ '^bob KL002, cyd \d+$'), (true, true),
          'bob followed once, cyd twice');
SELECT is(t.found(), 'nothing', 'R11.61: clean books');
SELECT t.round() AS again \gset
SELECT casino.adjust(t.p('bob'), 1000, 'a test', at => t.at()) \g /dev/null

-- ---------------------------------------------------------------------------------------------- the night
SELECT t.start('{main@100,bob behind@40,cyd behind@20,cyd behind@10,poor behind@40}',
               '9d | 8s 8d') \g /dev/null
SELECT casino.adjust(t.p('poor'), 39.99 - p.balance, 'a test', at => t.at())
  FROM casino.player p WHERE p.player_id = t.p('poor') \g /dev/null
SELECT t.place('/2 split_pair@100') \g /dev/null
SELECT is(t.found(), 'nothing', 'R3.78: in the middle of a hand');
SELECT casino.deal(t.round(), t.cards('9d | 8s 3c | 8d 3h'), t.at()) \g /dev/null
SELECT t.place('/2 double_down@100') \g /dev/null
SELECT is(t.found(), 'nothing', 'R3.78: a bet behind without the split stays with one hand');
SELECT t.round() AS r \gset
CREATE FUNCTION t.planted(change text, r bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    said text;
BEGIN
    BEGIN
        EXECUTE format(change, r);
        said := t.found();
        RAISE EXCEPTION SQLSTATE 'ZZ001';
    EXCEPTION WHEN SQLSTATE 'ZZ001' THEN
        RETURN said;
    END;
END $$;
ALTER TABLE casino.ledger DISABLE TRIGGER ALL;
ALTER TABLE casino.refusal DISABLE TRIGGER ALL;
SELECT is(t.planted(change, :r), want, 'R3.78: planted: ' || what)
  FROM (VALUES
    ('a split that did not follow', 'not_followed bob',
     $$DELETE FROM casino.ledger WHERE round_id = %s AND player_id = t.p('bob')
                                    AND bet::text ~ 'split|double'$$),
    ('a double that did not follow', 'not_followed cyd',
     $$DELETE FROM casino.ledger WHERE round_id = %s AND player_id = t.p('cyd') AND bet::text ~ 'double'$$),
    ('no reason is kept', 'not_followed poor',
     $$DELETE FROM casino.refusal WHERE round_id = %s AND player_id = t.p('poor')$$),
    ('the reason of another hand', 'not_followed poor',
     $$UPDATE casino.refusal SET hand = 3 WHERE round_id = %s AND player_id = t.p('poor')$$),
    ('another amount', 'other_amount bob',
     $$UPDATE casino.ledger SET bet = 'double_down@39.99' WHERE round_id = %s AND player_id = t.p('bob')
                                                          AND bet::text ~ 'double'$$),
    ('the owner did not double', 'followed_nobody bob, followed_nobody cyd',
     $$DELETE FROM casino.ledger WHERE round_id = %s AND player_id = t.p('ann') AND bet::text ~ 'double'$$),
    ('a reason that frees nobody', 'not_followed poor',
     $$UPDATE casino.refusal SET code = 'KL005' WHERE round_id = %s AND player_id = t.p('poor')$$),
    ('no exclusion', 'not_followed poor',
     $$UPDATE casino.refusal SET code = 'KC004' WHERE round_id = %s AND player_id = t.p('poor')$$),
    ('no limit', 'not_followed poor',
     $$UPDATE casino.refusal SET code = 'KC005' WHERE round_id = %s AND player_id = t.p('poor')$$),
    ('the plan''s maximum of a round', 'nothing',
     $$UPDATE casino.refusal SET code = 'KB003' WHERE round_id = %s AND player_id = t.p('poor')$$),
    ('money enough', 'not_followed poor',
     $$UPDATE casino.ledger SET balance = 40
        WHERE player_id = t.p('poor') AND kind = 'adjustment' AND round_id IS DISTINCT FROM %s$$),
    ('a heller too little', 'nothing',
     $$UPDATE casino.ledger SET balance = 39.99
        WHERE player_id = t.p('poor') AND kind = 'adjustment' AND round_id IS DISTINCT FROM %s$$),
    ('the bet behind was taken back', 'nothing',
     $$DELETE FROM casino.ledger WHERE round_id = %s AND player_id = t.p('bob')$$)) v (what, want, change);
SELECT is(t.planted($$DELETE FROM casino.refusal WHERE round_id = %s AND player_id = t.p('bob')$$, :again),
          'not_followed bob', 'R11.61: planted: no reason to stay out of the double that stands');
SELECT is(t.planted($$UPDATE casino.refusal SET refused_at = refused_at - interval '4 minutes'
                       WHERE round_id = %s AND player_id = t.p('bob')$$, :again),
          'not_followed bob', 'R11.61: planted: the reason is of the double that went back');
SELECT * FROM finish();
