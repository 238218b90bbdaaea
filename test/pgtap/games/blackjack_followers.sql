-- Boxes of several players: who did not follow a split plays the hand that keeps its number, and may follow
-- its doubles (R3.33, R3.34, R3.38, R3.39; D0 OVLÁDÁNÍ BOXU, D3 §4.1, §5.1, D4 Blackjack §15).  A player of
-- its own in PL/pgSQL decides, follows and stakes at random; what it holds for legal must be taken, must
-- settle and pay what it reckons, and nothing else is taken.
\ir ../helpers/blackjack.psql
SELECT no_plan();

-- ------------------------------------------------------------------------------------------ one by one
-- wagers before and after the cards shown by deal(), and how all of it ends
CREATE FUNCTION t.dealt(name text, before text[], shown text, after text[],
                        cards text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    entries bigint[] := t.staked(name, before);
    spec text;
BEGIN
    IF shown IS NOT NULL THEN
        PERFORM casino.deal(t.round(), t.cards(shown), t.at());
    END IF;
    FOREACH spec IN ARRAY after LOOP
        entries := entries || t.place(spec);
    END LOOP;
    PERFORM t.settle(cards);
    RETURN t.ends(before || after, entries);
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || SQLERRM || ' ' || spec;
END $$;

SELECT is(t.dealt('free_bet', '{main@100,bob main@40,/2 free_split@100}', d.shown,
                  '{/1 free_double@100,bob/1 free_double@40}', '9d 8c | 3s 6c Td | 3d 7c 6h'),
          'win 200, win 80, lose 0, win 100, win 40',
              'D3 §5.1: who did not follow a free split follows the free double of the hand he stays with, '
                  || d.how)
FROM (VALUES ('9d | 3s 6c | 3d', 'the cards known'), (NULL, 'the cards not known')) d (shown, how);
SELECT is(t.dealt('free_bet', '{main@100,bob main@40,/2 free_split@100}', '9d | 3s 6c | 3d',
                  '{/1 free_double@100,bob/1 double_down@40}', '9d 8c | 3s 6c Td | 3d 7c 6h'),
          'win 200, win 80, lose 0, win 100, win 80', 'D3 §5: or pays for his double');
SELECT is(t.dealt('free_bet', '{main@100,bob main@40,/2 split_pair@100}', '9d | 3s 6c | 3d',
                  '{/1 double_down@100,bob/1 free_double@40}', '9d 8c | 3s 6c Td | 3d 7c 6h'),
          'win 200, win 80, lose 0, win 200, win 40',
              'D3 §5.1: also where the owner paid for a split that is not his');
SELECT is(t.dealt('free_bet',
                  '{main@100,bob main@40,/2 free_split@100,bob/2 split_pair@40,/3 free_split@100}',
                      '9d | 3s 3h | 3d 6h | 3c',
                  '{/2 free_double@100}', '9d 8c | 3s 3h Ts | 3d 6h 2c | 3c Th 5d'),
                      'lose 0, lose 0, lose 0, lose 0, win 100, lose 0',
          'D3: three hands, of which the follower has two');
SELECT is(t.dealt(g.name, '{main@100,bob main@40,/2 split_pair@100}', '9d | 8s 3c | 8d',
                  '{/1 double_down@100,bob/1 double_down@40}', '9d 8c | 8s 3c Td | 8d 9c'),
          'win 200, win 80, push 100, win 200, win 80',
              t.cite(g.name, 'doubles') || ': a paid double of the hand he stays with')
FROM t.games('czech,free_bet') g;
SELECT is(t.dealt('synot+', '{main@100,bob behind@40,/2 split_pair@100}', '9d | Ks Ac | Qd',
                  '{/1 double_down@100,bob/1 double_down@40}', '9d 8c | Ks Ac 5d | Qd 9c'),
          'lose 0, lose 0, win 200, lose 0, lose 0',
    'D4 Blackjack §20: 21 of a split is no blackjack for who stays with it either, and may be doubled');

CREATE FUNCTION t.after(name text, before text[], shown text, spec text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM t.staked(name, before);
    IF shown IS NOT NULL THEN
        PERFORM casino.deal(t.round(), t.cards(shown), t.at());
    END IF;
    RETURN t.may(spec);
END $$;
SELECT is(t.after('free_bet', before::text[], shown, spec), verdict, what) FROM (VALUES
    ('{main@100,bob main@40,/2 free_split@100,/1 double_down@100}', '9d | 3s 9c | 3d', 'bob/1 free_double@40',
     'KB005', 'D3 §5.1: 12 is not doubled free of charge'),
    ('{main@100,bob main@40,/2 free_split@100,/1 double_down@100}', '9d | 3s 9c | 3d', 'bob/1 double_down@40',
     'ok', 'D3 §5: but paid'),
    ('{main@100,bob main@40,/2 free_split@100,/1 free_double@100,bob/2 split_pair@40}', '9d | 3s 6c | 3d',
     'bob/1 free_double@40', 'KB005', 'D3 §5.1: who paid for his split has no free double after it'),
    ('{main@100,bob main@40,/2 free_split@100,/1 free_double@100,bob/1 free_double@40}', '9d | 3s 6c | 3d',
     'bob/2 split_pair@40', 'KB005', 'D3 §5.1: nor does he pay for a split after his free double'),
    ('{main@100,bob main@40,/2 free_split@100,/1 free_double@100,bob/1 free_double@40}', '9d | 3s 6c | 3d',
     'bob/2 free_split@40', 'ok', 'D3 §4.1: a free split he may still follow'),
    ('{main@100,bob main@40,/2 free_split@100}', '9d | 3s 6c | 3d', 'bob/1 free_double@40', 'KB005',
     'D3 §1: not before the owner'),
    ('{main@100,bob main@40,/2 free_split@100,/2 free_double@100}', '9d | 3s 6c | 3d 6h',
     'bob/2 free_double@40', 'KB005', 'D3: not on the hand of a split he did not follow'),
    ('{main@100,bob main@40,/2 split_pair@100}', '9d | Ks 6c | Qd', 'bob/2 free_split@40', 'KB005',
     'D3 §4.1: ten-values are not split free of charge, cards apart'),
    ('{main@100,bob main@40,/2 split_pair@100}', '9d | Ks 6c | Qd', 'bob/2 split_pair@40', 'ok',
     'D3 §4: but paid'),
    ('{main@100}', '9d | Ks 6c | Qd', '/2 free_split@100', 'KB005', 'D3 §4.1: nor by the owner'),
    ('{main@100,/2 free_split@100,/3 free_split@100}', '9d | 5s 5c | 5d 4c', '/1 free_double@100', 'KB005',
     'D3: the pair that was split again is no hand of two cards'),
    ('{main@100,/2 free_split@100,/3 free_split@100}', '9d | 5s 5c | 5d 4c', '/3 free_double@100', 'KB005',
     'D3: nor is the hand whose cards do not lie yet'),
    ('{main@100,/2 free_split@100,/3 free_split@100}', '9d | 5s 5c | 5d 4c', '/2 free_double@100', 'ok',
     'D3 §5.1: the other hand is'))
    v (before, shown, spec, verdict, what);

-- ------------------------------------------------------------------------------------------ at random
-- The rules once more, typed from the documents and readings for the games whose boxes have followers.
CREATE TABLE t.rule (name text PRIMARY KEY, by_rank boolean, hands integer, das boolean, on_21 boolean,
                     must integer,
                     nine boolean, free boolean, aces boolean, follower text, push22 boolean,
                         ten_ace boolean);
INSERT INTO t.rule VALUES
    ('czech',    true,  4, true,  false, 0,  false, false, true,  'main',   false, false),
    ('classic',  false, 2, false, true,  0,  true,  false, false, 'main',   false, false),
    ('house',    false, 4, false, true,  0,  false, false, false, 'main',   false, false),
    ('free_bet', false, 4, true,  false, 11, false, true,  true,  'main',   true,  false);
-- bets behind copy the owner: test/pgtap/games/blackjack_copies.sql

CREATE FUNCTION t.value(rank text) RETURNS integer IMMUTABLE LANGUAGE sql AS
    $$ SELECT CASE WHEN rank = 'A' THEN 1 WHEN rank IN ('T', 'J', 'Q', 'K') THEN 10 ELSE rank::integer END $$;
CREATE FUNCTION t.sum(cards text) RETURNS integer IMMUTABLE LANGUAGE sql AS
    $$ SELECT (s.hard + CASE WHEN s.ace AND s.hard <= 11 THEN 10 ELSE 0 END)::integer
         FROM (SELECT sum(t.value(left(c, 1))) AS hard, bool_or(c LIKE 'A%') AS ace
               FROM regexp_split_to_table(cards, ' ') c) s $$;
CREATE FUNCTION t.n(cards text)
RETURNS integer IMMUTABLE
LANGUAGE sql AS $$ SELECT cardinality(string_to_array(cards, ' ')) $$;

-- The box: hands with their cards, whether its owner doubled them; players by hand: have they a stake there,
-- how was the hand last split by them (whole, free, paid), how did they double it.
CREATE TYPE t.box AS (rule t.rule, cards text[], owner_doubled boolean[], parent integer[], has jsonb,
                      split jsonb, doubled jsonb, staked integer[]);
CREATE FUNCTION t.key(p integer, h integer) RETURNS text IMMUTABLE LANGUAGE sql AS $$ SELECT p || '/' || h $$;

-- May player p (1: the owner) place a wager of that kind on hand h now?  NULL where the readings leave it
-- open: free double where both a free and a paid split may have made the hand.
CREATE FUNCTION t.legal(b t.box, p integer, kind text, h integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    n integer := cardinality(b.cards);
    cards text := b.cards[h];
    r1 text; r2 text;
    s integer;
    how text;
BEGIN
    IF kind LIKE 'free%' AND NOT (b.rule).free THEN RETURN false; END IF;
    IF kind LIKE '%double%' THEN
        IF h > n OR NOT coalesce((b.has ->> t.key(p, h))::boolean, false) OR b.doubled ? t.key(p, h)
            OR t.n(cards) <> 2 THEN RETURN false; END IF;
        IF p > 1 AND NOT b.owner_doubled[h] THEN RETURN false; END IF;
        IF n > 1 AND (NOT (b.rule).das OR cards LIKE 'A%') THEN RETURN false; END IF;
        IF t.sum(cards) = 21 AND (n = 1 OR NOT (b.rule).on_21) THEN RETURN false; END IF;
        IF (kind = 'free_double' OR (b.rule).nine)
            AND (cards LIKE '%A%' OR t.sum(cards) NOT IN (9, 10, 11)) THEN RETURN false; END IF;
        how := coalesce(b.split ->> t.key(p, h), 'whole');
        IF kind = 'free_double' AND how = 'paid' THEN
            RETURN CASE WHEN EXISTS (SELECT FROM generate_series(h, 4) x
                                     WHERE b.split ->> t.key(p, x) = 'free') THEN NULL ELSE false END;
        END IF;
        RETURN true;
    END IF;
    IF h < 2 OR b.has ? t.key(p, h) THEN RETURN false; END IF;
    IF p > 1 THEN
        IF h > n THEN RETURN false; END IF;
        s := b.parent[h];
        IF NOT b.has ? t.key(p, s) THEN RETURN NULL; END IF;
        IF kind = 'free_split' AND t.value(left(b.cards[h], 1)) = 10 THEN RETURN false; END IF;
        IF kind = 'split_pair' AND EXISTS (SELECT FROM generate_series(1, h - 1) x
                                           WHERE b.doubled ->> t.key(p, x) = 'free_double') THEN
            RETURN CASE WHEN coalesce(b.split ->> t.key(p, s), 'whole') = 'whole'
                AND b.doubled ->> t.key(p, s) = 'free_double' THEN false END;
        END IF;
        RETURN true;
    END IF;
    IF h <> n + 1 OR n >= (b.rule).hands THEN RETURN false; END IF;
    FOR s IN 1 .. n LOOP
        r1 := left(b.cards[s], 1);
        r2 := substr(b.cards[s], 4, 1);
        IF t.n(b.cards[s]) = 2 AND NOT b.owner_doubled[s]
           AND (CASE WHEN (b.rule).by_rank THEN r1 = r2 ELSE t.value(r1) = t.value(r2) END)
           AND (n = 1 OR r1 <> 'A' OR (b.rule).aces) AND (kind = 'split_pair' OR t.value(r1) <> 10) THEN
            RETURN true;
        END IF;
    END LOOP;
    RETURN false;
END $$;

-- One round, told as it went when it went wrong, else ok
CREATE FUNCTION t.random_round(game text, shown boolean) RETURNS text LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
    names CONSTANT text[] := '{ann,bob,cyd}';
    ranks CONSTANT text := '23456789TJQKA';
    kinds CONSTANT text[] := '{double_down,free_double,split_pair,free_split}';
    b t.box;
    like_this text := substr(ranks, 1 + floor(random() * 13)::integer, 1);
    drawn integer := 0;
    told text := game;
    dealer text;
    h integer := 1;
    p integer;
    s integer;
    total integer;
    kind text;
    verdict text;
    may boolean;
    got record;
    e record;
    want numeric[] := '{0,0,0}';
BEGIN
    b.rule := (SELECT r FROM t.rule r WHERE r.name = game);
    b.staked := '{100,40,20}';
    b.owner_doubled := '{f}';
    b.parent := '{0}';
    b.has := '{"1/1": true, "2/1": true, "3/1": true}';
    b.split := '{}';
    b.doubled := '{}';
    PERFORM t.open(game);
    PERFORM t.place('main@100'), t.place('bob ' || (b.rule).follower || '@40'),
        t.place('cyd ' || (b.rule).follower || '@20');
    PERFORM t.close();
    dealer := substr(ranks, 1 + floor(random() * 13)::integer, 1) || 'c';
    b.cards := ARRAY[like_this || 's ' || CASE WHEN random() < 0.7 THEN like_this
                     ELSE substr(ranks, 1 + floor(random() * 13)::integer, 1) END || 'd'];
    told := told || ' ' || b.cards[1];
    WHILE h <= cardinality(b.cards) LOOP
        IF t.n(b.cards[h]) = 1 THEN
            b.cards[h] := b.cards[h] || ' ' || CASE WHEN random() < 0.5 THEN like_this
                ELSE substr(ranks, 1 + floor(random() * 13)::integer, 1) END
                    || substr('cdhs', 1 + drawn % 4, 1);
            drawn := drawn + 1;
            told := told || ', hand ' || h || ': ' || b.cards[h];
        END IF;
        IF shown THEN
            PERFORM casino.deal(t.round(), t.cards(array_to_string(dealer || b.cards, ' | ')), t.at());
            FOR i IN 1 .. 3 LOOP                    -- anybody tries anything
                p := 1 + floor(random() * 3);
                kind := kinds[1 + floor(random() * 4)::integer];
                s := 1 + floor(random() * 4);
                may := t.legal(b, p, kind, s);
                verdict := t.may(names[p] || '/' || s || ' ' || kind || '@' || b.staked[p]);
                IF may IS DISTINCT FROM (verdict = 'ok') AND may IS NOT NULL THEN
                    RETURN format('%s: %s %s on hand %s of %s is %s', told, names[p], kind, s, b.cards,
                                  verdict);
                END IF;
            END LOOP;
        END IF;
        -- the owner splits
        kind := CASE WHEN random() < 0.6 AND t.legal(b, 1, 'free_split',
                                                     cardinality(b.cards) + 1) THEN 'free_split'
                                                         ELSE 'split_pair' END;
        IF random() < 0.8 AND t.n(b.cards[h]) = 2 AND t.legal(b, 1, kind, cardinality(b.cards) + 1)
           AND (SELECT CASE WHEN (b.rule).by_rank THEN x = y ELSE t.value(x) = t.value(y) END
                  FROM (SELECT left(b.cards[h], 1) AS x, substr(b.cards[h], 4, 1) AS y) c) THEN
            s := cardinality(b.cards) + 1;
            PERFORM t.place('ann/' || s || ' ' || kind || '@100');
            told := told || ', ann ' || kind || ' ' || s || ' of ' || h;
            b.cards[s] := substr(b.cards[h], 4);
            b.cards[h] := left(b.cards[h], 2);
            b.owner_doubled[s] := false;
            b.parent[s] := h;
            b.has := b.has || jsonb_build_object(t.key(1, s), true);
            b.split := b.split || jsonb_build_object(t.key(1, s), replace(left(kind, 4), 'spli', 'paid'),
                                                     t.key(1, h), replace(left(kind, 4), 'spli', 'paid'));
        ELSIF random() < 0.6 AND (t.legal(b, 1, 'double_down', h) OR t.legal(b, 1, 'free_double', h)) THEN
            kind := CASE WHEN random() < 0.7 AND t.legal(b, 1, 'free_double', h)
                OR NOT t.legal(b, 1, 'double_down', h) THEN 'free_double' ELSE 'double_down' END;
            PERFORM t.place('ann/' || h || ' ' || kind || '@100');
            told := told || ', ann ' || kind || ' ' || h;
            b.owner_doubled[h] := true;
            b.doubled := b.doubled || jsonb_build_object(t.key(1, h), kind);
        END IF;
        -- others follow, what was done just now or before
        FOR i IN 1 .. 10 LOOP
            p := 2 + floor(random() * 2);
            kind := kinds[1 + floor(random() * 4)::integer];
            s := 1 + floor(random() * cardinality(b.cards));
            IF t.legal(b, p, kind, s) THEN
                PERFORM t.place(names[p] || '/' || s || ' ' || kind || '@' || b.staked[p]);
                told := told || ', ' || names[p] || ' ' || kind || ' ' || s;
                IF kind LIKE '%double%' THEN
                    b.doubled := b.doubled || jsonb_build_object(t.key(p, s), kind);
                ELSE
                    b.has := b.has || jsonb_build_object(t.key(p, s), true);
                    b.split := b.split || jsonb_build_object(t.key(p, s),
                            replace(left(kind, 4), 'spli', 'paid'), t.key(p, b.parent[s]),
                                replace(left(kind, 4), 'spli', 'paid'));
                END IF;
            END IF;
        END LOOP;
        CONTINUE WHEN t.n(b.cards[h]) = 1;
        -- cards
        LOOP
            total := t.sum(b.cards[h]);
            EXIT WHEN total > 21 OR b.owner_doubled[h] AND t.n(b.cards[h]) = 3
                   OR NOT b.owner_doubled[h] AND (cardinality(b.cards) > 1 AND b.cards[h] LIKE 'A%'
                                                  OR total = 21
                                                      AND ((b.rule).on_21 IS FALSE
                                                           OR cardinality(b.cards) = 1)
                      OR total > (b.rule).must AND random() < 0.5);
            -- 21 of two cards before a split is a blackjack
            b.cards[h] := b.cards[h] || ' ' || substr(ranks, 1 + floor(random() * 13)::integer, 1)
                || substr('cdhs', 1 + drawn % 4, 1);
            drawn := drawn + 1;
        END LOOP;
        told := told || ', hand ' || h || ': ' || b.cards[h];
        h := h + 1;
    END LOOP;
    WHILE t.n(dealer) < 2 OR t.sum(dealer) < 17 LOOP
        dealer := dealer || ' ' || substr(ranks, 1 + floor(random() * 13)::integer, 1)
            || substr('dhsc', 1 + drawn % 4, 1);
        drawn := drawn + 1;
    END LOOP;
    told := told || ', dealer ' || dealer;
    PERFORM t.settle(array_to_string(dealer || b.cards, ' | '));
    -- what each gets
    FOR p IN 1 .. 3 LOOP
        FOR h IN 1 .. cardinality(b.cards) LOOP
            CONTINUE WHEN NOT b.has ? t.key(p, h);
            total := t.sum(b.cards[h]);
            FOR e IN SELECT CASE WHEN x.kind = 'stake' THEN h > 1 AND b.split ->> t.key(p, h) IS NOT NULL
                AND EXISTS (
                                          SELECT FROM casino.ledger l
                                           WHERE l.round_id = t.round() AND l.player_id = t.p(names[p])
                                               AND l.hand = h AND casino.kind(l.bet) = 'free_split')
                                 ELSE x.kind = 'free_double' END AS free
                       FROM unnest(ARRAY['stake', b.doubled ->> t.key(p, h)]) x (kind)
                           WHERE x.kind IS NOT NULL LOOP
                want[p] := want[p] + b.staked[p] * CASE
                    WHEN total > 21 THEN 0
                    WHEN cardinality(b.cards) = 1 AND total = 21 AND t.n(b.cards[1]) = 2 THEN CASE
                        WHEN t.sum(dealer) = 21 AND t.n(dealer) = 2 THEN 1 ELSE 2.5 END
                    WHEN t.sum(dealer) = 21 AND t.n(dealer) = 2 THEN
                        CASE WHEN (b.rule).ten_ace AND b.doubled ->> t.key(p, h) = 'double_down'
                            AND dealer !~ '^A' THEN 1 ELSE 0 END
                    WHEN (b.rule).push22 AND t.sum(dealer) = 22 OR total = t.sum(dealer) THEN CASE
                        WHEN e.free THEN 0 ELSE 1 END
                    WHEN t.sum(dealer) > 21 OR total > t.sum(dealer) THEN CASE WHEN e.free THEN 1 ELSE 2 END
                    ELSE 0 END;
            END LOOP;
        END LOOP;
        SELECT coalesce(sum(l.amount), 0) AS paid INTO got FROM casino.ledger l
         WHERE l.round_id = t.round() AND l.player_id = t.p(names[p]) AND l.kind = 'payout';
        IF got.paid <> want[p] THEN
            RETURN format('%s: %s gets %s, not %s', told, names[p], got.paid, want[p]);
        END IF;
    END LOOP;
    RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS verdict = PG_EXCEPTION_DETAIL;
    RETURN format('%s: %s %s %s', told, SQLSTATE, SQLERRM, verdict);
END $$;

-- each round in a transaction of its own: within one, the rows of the players would be updated thousands of
-- times
CREATE TEMP TABLE played (name text, shown boolean, said text);
SELECT setseed(0.25);
SELECT format('INSERT INTO played VALUES (%L, %L, t.random_round(%L, %L))', r.name, d.shown, r.name, d.shown)
  FROM t.rule r CROSS JOIN generate_series(1, CASE WHEN r.free THEN 100 ELSE 25 END) n
      CROSS JOIN (VALUES (true), (false)) d (shown) \gexec
SELECT is_empty(format($$ SELECT said FROM played WHERE name = %L AND shown = %L AND said <> 'ok'
                       LIMIT 3 $$, r.name, d.shown),
                format('%s: random rounds of an owner and two who follow, %s', r.name, CASE
                       WHEN d.shown THEN 'the cards shown' ELSE 'the cards not shown' END))
  FROM t.rule r CROSS JOIN (VALUES (true), (false)) d (shown);
SELECT cmp_ok((SELECT count(*) FROM casino.ledger
               WHERE casino.kind(bet) = k AND kind = 'stake'
                   AND player_id <> t.p('ann')), '>', 10::bigint, 'among them ' || k || ' of who follows')
  FROM unnest('{split_pair,double_down,free_split,free_double}'::text[]) k;
SELECT cmp_ok((SELECT count(*) FROM casino.ledger l
               WHERE casino.kind(l.bet) = 'free_double' AND l.hand = 1 AND l.player_id <> t.p('ann')
                 AND EXISTS (SELECT FROM casino.ledger o
                             WHERE o.round_id = l.round_id AND o.hand = 2 AND o.player_id = t.p('ann'))
                 AND NOT EXISTS (SELECT FROM casino.ledger o
                                 WHERE o.round_id = l.round_id AND o.hand = 2
                                     AND o.player_id = l.player_id)), '>', 3::bigint,
              'among them free doubles of the hand that the owner alone has split');
SELECT * FROM finish();
