-- Bets behind copy the owner of the box (R3.75, R3.76; D4 Blackjack §15): the owner's double or split places
-- theirs in the same call. A player who cannot follow stays out, and the reason is kept.
\ir ../helpers/blackjack.psql
SELECT no_plan();

CREATE FUNCTION t.bets_of(name text) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(concat_ws('/', replace(l.bet::text, '.00', ''), l.hand), ' '
                               ORDER BY l.entry_no), 'none')
      FROM casino.ledger l
     WHERE l.round_id = t.round()
       AND l.player_id = t.p(name)
       AND l.kind = 'stake' $$;
CREATE FUNCTION t.kept(name text) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(concat_ws(' ', r.code, r.bets::text, r.seat, r.hand), ', '
                               ORDER BY r.refusal_no), 'none')
      FROM casino.refusal r
     WHERE r.round_id = t.round()
       AND r.player_id = t.p(name)
       AND r.action = 'follow' $$;
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

-- who follows
SELECT t.start('{main@100,bob behind@40,cyd behind@20,cyd behind@10}', '9d | 6s 5d') \g /dev/null
SELECT lives_ok($$ SELECT t.place('double_down@100', 'd1', t.at()) $$, 'the owner doubles');
SELECT is(t.bets_of('bob'), 'behind@40 double_down@40', 'R3.75: the bet behind is doubled in that call');
SELECT is(t.bets_of('cyd'), 'behind@20 behind@10 double_down@30', 'R3.75: chips of one bet behind together');
SELECT is(t.kept('bob') || ', ' || t.kept('cyd'), 'none, none', 'R3.76: without a reason to stay out');
SELECT throws_ok($$ SELECT t.place('double_down@100', 'd2', t.at()) $$, 'KB005', NULL,
          'the box is doubled once');
SELECT is(t.bets_of('bob'), 'behind@40 double_down@40', 'R3.75: a refused double places nothing');
SELECT is(t.may('bob double_down@40'), 'KB005', 'R3.75: a bet behind does not decide, by call or row');
SELECT is((t.settle('9d 8c | 6s 5d Th')).paid, 680.00, 'the doubles are paid: 400, 160 and 120');

SELECT t.start('{main@100,bob behind@40}', '9d | 8s 8d') \g /dev/null
SELECT is(t.may('bob/2 split_pair@40'), 'KB005', 'R3.75: the bet behind does not split before the owner');
SELECT t.place('/2 split_pair@100') \g /dev/null
SELECT is(t.bets_of('bob'), 'behind@40 split_pair@40/2', 'R3.75: the split places that of the bet behind');
SELECT casino.deal(t.round(), t.cards('9d | 8s 3c | 8d 3h'), t.at()) \g /dev/null
SELECT t.place('/2 double_down@100') \g /dev/null
SELECT is(t.bets_of('bob'), 'behind@40 split_pair@40/2 double_down@40/2',
          'R3.75: the double of the second hand, too');

-- a bet behind that was taken back
SELECT t.open('synot+') \g /dev/null
SELECT t.place('main@100'), t.place('bob behind@40', 'back'), t.place('bob behind@20'),
       t.place('cyd behind@40', 'gone') \g /dev/null
SELECT casino.cancel_bet(t.round(), t.p('bob'), 'back', t.at()),
       casino.cancel_bet(t.round(), t.p('cyd'), 'gone', t.at()) \g /dev/null
SELECT t.close() \g /dev/null
SELECT casino.deal(t.round(), t.cards('9d | 6s 5d'), t.at()) \g /dev/null
SELECT t.place('double_down@100') \g /dev/null
SELECT is(t.bets_of('bob'), 'behind@40 behind@20 double_down@20',
          'R3.75: only the chips that still lie there');
SELECT is(t.bets_of('cyd') || ', ' || t.kept('cyd'), 'behind@40, none',
          'R3.75: no bet behind, nothing to follow');

-- who stays out
SELECT t.start('{main@100,bob behind@40,poor behind@40}', '9d | 8s 8d') \g /dev/null
SELECT casino.adjust(t.p('poor'), 39.99 - p.balance, 'a test', at => t.at())
  FROM casino.player p WHERE p.player_id = t.p('poor') \g /dev/null
SELECT t.place('/2 split_pair@100') \g /dev/null
SELECT is(t.bets_of('poor'), 'behind@40', 'R3.76: who lacks a haléř stays with the first hand');
SELECT is(t.kept('poor'), 'KL002 {split_pair@40.00} 1 2', 'R3.76: and the reason is kept');
SELECT is(t.bets_of('bob'), 'behind@40 split_pair@40/2', 'R3.76: the others follow');
SELECT casino.deposit(t.p('poor'), 1000, at => t.at()) \g /dev/null
SELECT is(t.may('poor/2 split_pair@40'), 'KB005', 'R3.75: who stayed out cannot follow later');
SELECT casino.deal(t.round(), t.cards('9d | 8s 3c | 8d 3h'), t.at()) \g /dev/null
SELECT t.place('/2 double_down@100') \g /dev/null
SELECT is(t.kept('poor'), 'KL002 {split_pair@40.00} 1 2, KB005 {double_down@40.00} 1 2',
          'R3.76: a hand that the bet behind does not have is not doubled');
SELECT t.place('/1 double_down@100') \g /dev/null
SELECT is(t.bets_of('poor'), 'behind@40 double_down@40/1', 'R3.75: the first hand is doubled');

SELECT t.start('{main@100,bob behind@40,rich behind@40}', '9d | 6s 5d') \g /dev/null
SELECT casino.adjust(t.p('rich'), 40.00 - p.balance, 'a test', at => t.at())
  FROM casino.player p WHERE p.player_id = t.p('rich') \g /dev/null
SELECT t.place('double_down@100') \g /dev/null
SELECT is(t.bets_of('rich'), 'behind@40 double_down@40', 'R3.76: with the last haléř the bet behind follows');

-- the answer, and again
SELECT t.start('{main@100,bob behind@40,poor behind@40}', '9d | 6s 5d') \g /dev/null
SELECT casino.adjust(t.p('poor'), 1 - p.balance, 'a test', at => t.at())
  FROM casino.player p WHERE p.player_id = t.p('poor') \g /dev/null
CREATE TABLE t.answer AS
SELECT n, (casino.try_place_bets(t.round(), t.p('ann'), '{double_down@100}', 'again', 1, NULL, t.at())).*
  FROM generate_series(1, 3) n;
SELECT is((SELECT string_agg(concat_ws(' ', a.accepted, f.e ->> 'player_id' = t.p(f.who)::text,
                                       f.e ? 'entry_no', f.e ->> 'code'), ', ' ORDER BY f.who)
             FROM t.answer a
            CROSS JOIN LATERAL (SELECT e, CASE WHEN e ? 'code' THEN 'poor' ELSE 'bob' END AS who
                                  FROM jsonb_array_elements(a.data -> 'followed') e) f
            WHERE a.n = 1),
          't t t, t t f KL002', 'R3.76: the owner''s answer says who followed, and who stayed out why');
SELECT is((SELECT count(DISTINCT (a.entry_nos, a.data)) FROM t.answer a), 1::bigint,
          'R3.76: the same request again has the same answer');
SELECT is(t.bets_of('bob'), 'behind@40 double_down@40', 'R3.75: and places nothing more');
SELECT is(t.kept('poor'), 'KL002 {double_down@40.00} 1', 'R3.76: and keeps nothing more');
SELECT t.start('{main@100,bob behind@40}', '9d | 6s 5d') \g /dev/null
SELECT is((SELECT m.data #>> '{followed,0,player_id}'
             FROM casino.place_many(t.round(), ARRAY[t.p('ann')], '{double_down@100}', NULL, '{1}',
                                    at => t.at()) m),
          t.p('bob')::text, 'R3.76: place_many() answers so, too');
SELECT t.start('{main@100,bob behind@40}', '9d | 6s 5d') \g /dev/null
SELECT throws_ok(format($$ INSERT INTO casino.ledger (player_id, kind, round_id, bet, seat, posted_at)
                           VALUES (%s, 'stake', %s, 'double_down@100', 1, %L) $$,
                        t.p('ann'), t.round(), t.at()),
                 'KB005', NULL, 'R3.77: a row cannot place the stakes of others');

-- an owner who is not followed, other games
SELECT t.open('czech'), t.place('main@100'), t.place('bob main@40') \g /dev/null
SELECT t.close() \g /dev/null
SELECT casino.deal(t.round(), t.cards('9d | 6s 5d'), t.at()) \g /dev/null
SELECT t.place('double_down@100') \g /dev/null
SELECT is(t.bets_of('bob'), 'main@40', 'D0: who follows chooses');
SELECT is(t.may('bob double_down@40'), 'ok', 'D0: and may double with the owner');

-- bets behind at random, against an oracle
-- The oracle is a sum of its own: what each wallet holds decides, in the order of the owner's stakes.
CREATE FUNCTION t.one(seed integer) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    names constant text[] := '{bob,cyd,dan,eve}';
    staked integer[];
    left_over integer[];
    hands boolean[] := array_fill(false, ARRAY[4]);
    expected text[];
    splits boolean := random() < 0.5;
    found text;
BEGIN
    PERFORM t.open('synot+'), t.place('main@100');
    FOR i IN 1 .. 4 LOOP
        staked[i] := (10 + floor(random() * 90))::integer;
        left_over[i] := floor(random() * 4 * staked[i])::integer;
        expected[i] := 'behind@' || staked[i];
        PERFORM t.place(format('%s behind@%s', names[i], staked[i]));
        PERFORM casino.adjust(t.p(names[i]), left_over[i] - p.balance, 'a test', at => t.at())
           FROM casino.player p WHERE p.player_id = t.p(names[i]) AND p.balance <> left_over[i];
    END LOOP;
    PERFORM t.close(), casino.deal(t.round(), t.cards('9d | 8s 8d'), t.at());
    IF splits THEN
        PERFORM t.place('/2 split_pair@100');
        FOR i IN 1 .. 4 LOOP
            IF left_over[i] >= staked[i] THEN
                hands[i] := true;
                left_over[i] := left_over[i] - staked[i];
                expected[i] := expected[i] || format(' split_pair@%s/2', staked[i]);
            END IF;
        END LOOP;
    END IF;
    IF splits THEN
        PERFORM casino.deal(t.round(), t.cards('9d | 8s 3c | 8d 3h'), t.at());
    END IF;
    FOR h IN 1 .. CASE WHEN splits THEN 2 ELSE 1 END LOOP
        CONTINUE WHEN random() < 0.3;
        PERFORM t.place(format('/%s double_down@100', h));
        FOR i IN 1 .. 4 LOOP
            IF left_over[i] >= staked[i] AND (h = 1 OR hands[i]) THEN
                left_over[i] := left_over[i] - staked[i];
                expected[i] := expected[i] || format(' double_down@%s/%s', staked[i], h);
            END IF;
        END LOOP;
    END LOOP;
    FOR i IN 1 .. 4 LOOP
        found := t.bets_of(names[i]);
        IF found <> expected[i] THEN
            RETURN format('%s: %s, not %s', names[i], found, expected[i]);
        END IF;
        IF (SELECT p.balance FROM casino.player p WHERE p.player_id = t.p(names[i])) <> left_over[i] THEN
            RETURN format('%s: wallet', names[i]);
        END IF;
        PERFORM casino.deposit(t.p(names[i]), 100000, at => t.at());
    END LOOP;
    RETURN 'as reckoned';
END $$;
SELECT setseed(0.24) \g /dev/null
SELECT is((SELECT string_agg(DISTINCT t.one(n), '; ') FROM generate_series(1, 100) n), 'as reckoned',
          'R3.75: 100 rounds with four bets behind');

SELECT * FROM finish();
