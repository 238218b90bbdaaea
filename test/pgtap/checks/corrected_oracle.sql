-- Random rounds of every family, corrected again and again, voided, evaluated again, with claims that are
-- paid, waived or left open, with deposits and withdrawals in between, with withheld rounds and players:
-- after each step every wager, claim and wallet is held against a
-- plain model of R11.33 to R11.36. What an outcome gives is, in roulette, counted here from the numbers; else
-- what a second round with the same wagers was paid that had this outcome from the first. CASINO_CORRECTED
-- rounds and CASINO_CORRECTED_SEED say how many and which.
\set ON_ERROR_STOP on
\set rounds 60
\getenv rounds CASINO_CORRECTED
\set seed 0.24
\getenv seed CASINO_CORRECTED_SEED
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SET casino.clock_skew = -1;
SELECT no_plan();
CREATE ROLE first_supervisor_of_the_oracle;
CREATE ROLE second_supervisor_of_the_oracle;
SELECT casino.grant_access('first_supervisor_of_the_oracle', 'supervisor') \g /dev/null
SELECT casino.grant_access('second_supervisor_of_the_oracle', 'supervisor') \g /dev/null
CREATE SCHEMA t;
GRANT USAGE ON SCHEMA t TO PUBLIC;

-- who plays: three players, and three who play the same in the second rounds
CREATE TABLE t.player (p integer, second boolean, id bigint, PRIMARY KEY (p, second));
INSERT INTO t.player SELECT p, s, casino.register_player(format('%s %s', p, s))
  FROM generate_series(1, 3) p, unnest('{f,t}'::boolean[]) s;
SELECT casino.deposit(id, 1000000, at => '2026-01-01'),
    casino.set_payment_account(id, 'CZ ' || id, '2026-01-01') FROM t.player \g /dev/null

CREATE TABLE t.family (game text PRIMARY KEY, closed boolean NOT NULL, outcomes jsonb NOT NULL, tab bigint,
                       second bigint);
INSERT INTO t.family VALUES
    ('roulette_american', false, '[{"number": 7}, {"number": 8}, {"number": 0}, {"number": 32}]'),
    ('baccarat', false, '[{"player": "9h Kd", "banker": "7c Js"}, {"player": "7h Kd", "banker": "9c Js"},
                          {"player": "9h Kd", "banker": "9c Js"}, {"player": "8h Kd", "banker": "7c Jh"}]'),
    ('blackjack_infinite', false, '[{"dealer": "Th 9d", "hands": [{"cards": "9c 9d"}]},
                                    {"dealer": "6h Tc 5s", "hands": [{"cards": "Ts Jd"}]},
                                    {"dealer": "Th 9d", "hands": [{"cards": "As Kd"}]},
                                    {"dealer": "6h Tc Ks", "hands": [{"cards": "5s 7d"}]}]'),
    ('casino_holdem', true, '[{"player": "9c 9d", "board": "2c 7h Kd 3s 4s", "dealer": "As Qd"},
                              {"player": "9c 9d", "board": "2c 7h Kd 3s 4s", "dealer": "Ks Qd"},
                              {"player": "9c 9d", "board": "2c 7h 9h 9s 4s", "dealer": "Ks Qd"},
                              {"player": "Ac Qc", "board": "2c 7h Kd 3s 4s", "dealer": "As Qd"}]'),
    ('holdem_cash_25_50', false, (SELECT jsonb_agg(jsonb_build_object('button', 1, 'board',
                                                                      'Qh 7s 2c 9d ' || river,
                                    'seats',
                                    '[{"seat": 1, "cards": "Qs Kd"}, {"seat": 2, "cards": "7d 7h"}, '
                                    '{"seat": 3, "cards": "Ac 9c"}]'::jsonb))
                                    FROM unnest('{Jc,9h,Qc,Jd}'::text[]) river));
UPDATE t.family SET tab = casino.add_game_table(game, game || ' 1', 10, 5000),
    second = casino.add_game_table(game, game || ' 2', 10, 5000) WHERE game <> 'holdem_cash_25_50';
UPDATE t.family SET tab = casino.add_game_table(game, game || ' 1', 25, 5000, '{"seats": 9}'),
    second = casino.add_game_table(game, game || ' 2', 25, 5000, '{"seats": 9}')
 WHERE game = 'holdem_cash_25_50';
-- w counts the wagers of a player; those of the play come after the close
CREATE TABLE t.bet (game text, p integer, w integer, bet casino.bet, seat integer, play boolean,
                    PRIMARY KEY (game, p, w));
INSERT INTO t.bet VALUES
    ('roulette_american', 1, 1, 'red@100'), ('roulette_american', 1, 2, 'straight:7@50'),
        ('roulette_american', 2, 1, 'black@200'),
    ('roulette_american', 2, 2, 'odd@30'), ('roulette_american', 3, 1, 'low@40'),
    ('baccarat', 1, 1, 'player@100'), ('baccarat', 1, 2, 'tie@20'), ('baccarat', 2, 1, 'banker@100'),
        ('baccarat', 3, 1, 'player@70'),
    ('blackjack_infinite', 1, 1, 'main@100'), ('blackjack_infinite', 1, 2, '21+3@20'),
        ('blackjack_infinite', 2, 1, 'main@50'), ('blackjack_infinite', 3, 1, 'main@70'),
    ('casino_holdem', 1, 1, 'ante@100'), ('casino_holdem', 2, 1, 'ante@50'),
        ('casino_holdem', 3, 1, 'ante@70');
INSERT INTO t.bet VALUES ('casino_holdem', 1, 2, 'call@200', NULL, true),
    ('holdem_cash_25_50', 1, 1, 'pot@500', 1, false),
    ('holdem_cash_25_50', 2, 1, 'pot@200', 2, false), ('holdem_cash_25_50', 3, 1, 'pot@600', 3, false);
UPDATE t.bet SET play = false WHERE play IS NULL;

-- stakes of a round, by player and wager
CREATE FUNCTION t.play(f t.family, second boolean, at timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    r CONSTANT bigint := casino.open_round(CASE WHEN second THEN f.second
                                           ELSE f.tab END, f.game || ' ' || at, at);
    b record;
BEGIN
    FOR b IN SELECT x.*, y.id FROM t.bet x JOIN t.player y ON y.p = x.p AND y.second = play.second
        WHERE x.game = f.game ORDER BY x.play, x.p, x.w LOOP
        IF b.play THEN PERFORM casino.close_betting(r, at + interval '1 s'); END IF;
        PERFORM casino.place_bet(r, b.id, b.bet, seat => b.seat, at => at + CASE
                                 WHEN b.play THEN interval '2 s' ELSE interval '0' END);
    END LOOP;
    RETURN r;
END $$;
CREATE FUNCTION t.entry(r bigint, player bigint, w integer) RETURNS bigint LANGUAGE sql AS
    $$ SELECT entry_no FROM casino.ledger WHERE round_id = r AND player_id = player AND kind = 'stake'
        ORDER BY entry_no OFFSET w - 1 LIMIT 1 $$;

-- what each wager gets by each outcome, and its stake where the round is void (outcome -1)
CREATE TABLE t.gives (game text, outcome integer, p integer, w integer, due numeric NOT NULL,
                      PRIMARY KEY (game, outcome, p, w));
INSERT INTO t.gives SELECT game, -1, p, w, casino.stake(bet) FROM t.bet;
-- 7 is red, odd and low; 8 black, even and low; 32 red, even and high (D2 American roulette)
INSERT INTO t.gives SELECT 'roulette_american', o, p, w, due
  FROM (VALUES (1, 1, '{200,0,0,200}'::numeric[]), (1, 2, '{1800,0,0,0}'), (2, 1, '{0,400,0,0}'),
        (2, 2, '{60,0,0,0}'),
    (3, 1, '{80,80,0,0}')) v (p, w, dues), unnest(dues) WITH ORDINALITY d (due, n),
        LATERAL (SELECT n::integer - 1) o (o);
DO $$
DECLARE
    f t.family;
    r bigint;
    at timestamptz := '2026-01-02 12:00';
BEGIN
    FOR f IN SELECT * FROM t.family LOOP
        FOR o IN 0 .. 3 LOOP
            at := at + interval '1 hour';
            r := t.play(f, true, at);
            PERFORM casino.settle_round(r, f.outcomes -> o, at + interval '10 s');
            INSERT INTO t.gives
                SELECT f.game, o, b.p, b.w, coalesce((SELECT sum(l.amount) FROM casino.ledger l
                                                      WHERE l.player_id = y.id AND l.kind = 'payout'
                                                          AND l.stake_entry_no = t.entry(r, y.id, b.w)), 0)
                  FROM t.bet b JOIN t.player y ON y.p = b.p AND y.second
                      WHERE b.game = f.game AND f.game <> 'roulette_american';
        END LOOP;
    END LOOP;
END $$;
SELECT is((SELECT count(*) FROM t.gives), 5 * (SELECT count(*) FROM t.bet),
          'each wager with each outcome, and void');
SELECT cmp_ok((SELECT count(DISTINCT due) FROM t.gives WHERE outcome >= 0 AND game = f.game), '>=', 3::bigint,
              f.game || ': outcomes differ in what they give') FROM t.family f;

-- ---------------------------------------------------------------------------------------------- the model
CREATE TABLE t.wager (p integer, w integer, player bigint, entry bigint, stake numeric,
                      posted numeric DEFAULT 0, paid numeric DEFAULT 0, waived numeric DEFAULT 0,
                          open numeric DEFAULT 0,
                      settled boolean, gone boolean DEFAULT false, PRIMARY KEY (p, w));
CREATE TABLE t.wallet (p integer PRIMARY KEY, balance numeric);
INSERT INTO t.wallet SELECT p, 1000000 FROM t.player WHERE NOT second;
CREATE TABLE t.done (what text, n bigint DEFAULT 1);

CREATE FUNCTION t.model_correct(game text, o integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    x record;
    one numeric;
BEGIN
    -- a wager that is withheld gets its stake back when the round is void, and nothing else
    IF o < 0 THEN
        UPDATE t.wallet m SET balance = m.balance + (SELECT coalesce(sum(v.stake), 0) FROM t.wager v
                                                     WHERE v.p = m.p AND NOT v.settled AND NOT v.gone);
        UPDATE t.wager SET posted = stake, gone = true WHERE NOT settled AND NOT gone;
    END IF;
    -- given
    FOR x IN SELECT v.*, g.due FROM t.wager v JOIN t.gives g USING (p, w)
        WHERE g.game = model_correct.game AND g.outcome = o AND v.settled AND NOT v.gone ORDER BY p, w LOOP
        IF x.posted - x.paid < x.due THEN
            UPDATE t.wager v SET posted = x.paid + x.due, open = 0 WHERE (v.p, v.w) = (x.p, x.w);
            UPDATE t.wallet m SET balance = m.balance + x.due - (x.posted - x.paid) WHERE m.p = x.p;
        END IF;
    END LOOP;
    -- taken, as far as it is there; what is waived or claimed already is not taken
    FOR x IN SELECT v.*, g.due FROM t.wager v JOIN t.gives g USING (p, w)
        WHERE g.game = model_correct.game AND g.outcome = o AND v.settled AND NOT v.gone ORDER BY p, w LOOP
        one := least(greatest(x.posted - x.paid - x.due - x.waived - x.open, 0),
                     (SELECT m.balance FROM t.wallet m WHERE m.p = x.p));
        UPDATE t.wallet m SET balance = m.balance - one WHERE m.p = x.p;
        UPDATE t.wager v SET posted = v.posted - one,
            open = greatest(v.posted - one - v.paid - v.waived - x.due, 0) WHERE (v.p, v.w) = (x.p, x.w);
    END LOOP;
END $$;

-- the books against the model: '' when they are the same
CREATE FUNCTION t.differs(r bigint) RETURNS text LANGUAGE sql AS $$
    SELECT concat_ws('; ',
        (SELECT string_agg(format('player %s wager %s: posted %s claims %s, by the model %s %s', v.p, v.w,
                                  b.posted, b.claims, v.posted, concat_ws(' ', v.paid, v.waived, v.open)),
                                      ', ')
           FROM t.wager v
           CROSS JOIN LATERAL (SELECT (SELECT coalesce(sum(l.amount), 0) FROM casino.ledger l
                                       WHERE l.player_id = v.player AND l.stake_entry_no = v.entry) AS posted,
                                      (SELECT concat_ws(' ',
                                                        coalesce(sum(c.amount)
                                                                 FILTER (WHERE e.how = 'paid'), 0),
                                                        coalesce(sum(c.amount)
                                                                 FILTER (WHERE e.how = 'waived'), 0),
                                                        coalesce(sum(c.amount)
                                                                 FILTER (WHERE e.how IS NULL), 0))
                                         FROM casino.claim c LEFT JOIN casino.claim_end e USING (claim_no)
                                             WHERE c.player_id = v.player
                                                 AND c.stake_entry_no = v.entry) AS claims,
                                      (SELECT coalesce(x.payout, 0) FROM casino.wager x
                                       WHERE x.player_id = v.player AND x.entry_no = v.entry) AS payout) b
          WHERE b.posted <> v.posted OR v.settled AND b.payout <> v.posted
             OR (SELECT array_agg(c::numeric) FROM unnest(string_to_array(b.claims,
                     ' ')) c) IS DISTINCT FROM ARRAY[v.paid, v.waived, v.open]),
        (SELECT string_agg(format('wallet %s: %s, by the model %s', m.p, p.balance, m.balance), ', ')
           FROM t.wallet m JOIN t.player y ON y.p = m.p AND NOT y.second
               JOIN casino.player p ON p.player_id = y.id WHERE p.balance <> m.balance),
        (SELECT 'a wallet below zero' FROM casino.ledger WHERE balance < 0 LIMIT 1)) $$;

CREATE FUNCTION t.as(who text, command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    PERFORM set_config('session_authorization', who || '_supervisor_of_the_oracle', true);
    EXECUTE 'SELECT ' || command INTO answer;
    PERFORM set_config('session_authorization', (SELECT rolname FROM pg_roles WHERE oid = 10), true);
    RETURN answer;
EXCEPTION WHEN OTHERS THEN
    PERFORM set_config('session_authorization', (SELECT rolname FROM pg_roles WHERE oid = 10), true);
    RETURN SQLSTATE;
END $$;
CREATE FUNCTION t.count(done text) RETURNS void LANGUAGE sql AS
    $$ INSERT INTO t.done VALUES (done) $$;

-- one round: '' or what has gone wrong, and after which steps
CREATE FUNCTION t.round(f t.family, first timestamptz) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    r bigint;
    at timestamptz := first;
    o integer := floor(random() * 4);
    next integer;
    steps text := format('%s settled with %s', f.game, o);
    whole CONSTANT boolean := random() < 0.2;
    one CONSTANT integer := CASE WHEN NOT whole AND random() < 0.6 THEN 1 + floor(random() * 3) END;
    pick record;
    sum numeric;
    number text;
    wrong text;
BEGIN
    r := t.play(f, false, at);
    TRUNCATE t.wager;
    INSERT INTO t.wager (p, w, player, entry, stake, settled)
        SELECT b.p, b.w, y.id, t.entry(r, y.id, b.w), casino.stake(b.bet), NOT whole
            AND b.p IS DISTINCT FROM one
          FROM t.bet b JOIN t.player y ON y.p = b.p AND NOT y.second WHERE b.game = f.game;
    UPDATE t.wallet m SET balance = m.balance - (SELECT sum(v.stake) FROM t.wager v WHERE v.p = m.p);
    IF one IS NOT NULL THEN
        PERFORM casino.withhold_winnings(r, (SELECT id FROM t.player WHERE p = one AND NOT second), 'review',
                                         at + interval '5 s');
        steps := steps || format(', player %s withheld', one);
    END IF;
    PERFORM casino.settle_round(r, f.outcomes -> o, at + interval '10 s', whole);
    UPDATE t.wager v SET posted = g.due FROM t.gives g
     WHERE g.game = f.game AND g.outcome = o AND (g.p, g.w) = (v.p, v.w) AND v.settled;
    UPDATE t.wallet m SET balance = m.balance + (SELECT coalesce(sum(v.posted), 0) FROM t.wager v
                                                 WHERE v.p = m.p);
    IF whole THEN steps := steps || ', withheld'; END IF;
    FOR step IN 1 .. 3 + floor(random() * 6) LOOP
        at := at + interval '1 minute';
        CASE floor(random() * 13)
        WHEN 0, 1, 2, 3, 4 THEN
            -- another outcome, or void
            next := (o + 2 + floor(random() * 4)::integer) % 5 - 1;
            IF next = o THEN CONTINUE; END IF;
            number := t.as('first', format('casino.correct_round(%s, %L, %L, %L)', r, CASE
                                           WHEN next >= 0 THEN f.outcomes -> next END, 'step ' || step, at));
            steps := steps || format(', corrected to %s', CASE WHEN next < 0 THEN 'void' ELSE next::text END);
            IF o = -1 AND EXISTS (SELECT FROM t.wager v WHERE v.gone) THEN
                IF number <> 'KR002' THEN RETURN steps || ': stakes were returned, but it answered '
                    || number; END IF;
                PERFORM t.count('refused');
                CONTINUE;
            END IF;
            IF random() < 0.2 THEN
                IF t.as('second', format('casino.reject_correction(%s, %L, %L)', number, 'no',
                                         at)) <> '' THEN RETURN steps || ': not rejected'; END IF;
                PERFORM t.count('rejected');
                steps := steps || ' and rejected';
            ELSE
                IF t.as('first', format('casino.approve_correction(%s, %L)', number,
                                        at)) <> '42501' THEN RETURN steps
                                            || ': approved by its author'; END IF;
                wrong := t.as('second', format('(casino.approve_correction(%s, %L)).paid', number,
                                               at + interval '1 s'));
                -- again
                IF wrong ~ '^[A-Z0-9]{5}$' OR wrong IS DISTINCT FROM t.as('second',
                        format('(casino.approve_correction(%s, %L)).paid', number, at + interval '2 s')) THEN
                    RETURN steps || ': ' || wrong;
                END IF;
                PERFORM t.model_correct(f.game, next);
                o := next;
                PERFORM t.count(CASE WHEN o < 0 THEN 'void' ELSE 'corrected' END);
            END IF;
        WHEN 5, 9, 10 THEN
            -- a player takes out nearly all
            SELECT m.p, y.id, m.balance INTO pick FROM t.wallet m
              JOIN t.player y ON y.p = m.p AND NOT y.second WHERE m.balance > 100 ORDER BY random() LIMIT 1;
            CONTINUE WHEN pick IS NULL;
            sum := pick.balance - floor(random() * 100);
            PERFORM casino.request_withdrawal(pick.id, sum, 'transfer', at => at);
            UPDATE t.wallet m SET balance = m.balance - sum WHERE m.p = pick.p;
            steps := steps || format(', %s withdraws %s', pick.p, sum);
        WHEN 6 THEN
            SELECT y.p, y.id INTO pick FROM t.player y WHERE NOT y.second ORDER BY random() LIMIT 1;
            PERFORM casino.deposit(pick.id, 150, at => at);
            UPDATE t.wallet m SET balance = m.balance + 150 WHERE m.p = pick.p;
            steps := steps || format(', %s deposits', pick.p);
        WHEN 7, 8, 11 THEN
            SELECT c.claim_no, v.p, v.w, c.amount, random() < 0.4 AS waived INTO pick
              FROM casino.open_claim c JOIN t.wager v ON v.player = c.player_id AND v.entry = c.stake_entry_no
                  ORDER BY random() LIMIT 1;
            CONTINUE WHEN pick IS NULL;
            PERFORM casino.settle_claim(pick.claim_no, 'step ' || step, at, pick.waived)
               FROM generate_series(1, 2);
            UPDATE t.wager v SET open = v.open - pick.amount, paid = v.paid + CASE WHEN pick.waived THEN 0
                ELSE pick.amount END, waived = v.waived + CASE WHEN pick.waived THEN pick.amount ELSE 0 END
             WHERE (v.p, v.w) = (pick.p, pick.w);
            PERFORM t.count('claim');
            steps := steps || format(', claim of %s %s', pick.amount, CASE WHEN pick.waived THEN 'waived'
                                     ELSE 'paid' END);
        ELSE
            -- somebody who is withheld is paid what holds now, or voided (not where players win from each
            -- other: what the others get would change)
            SELECT v.p, v.player, random() < 0.5 AND one IS NOT NULL
                AND f.game <> 'holdem_cash_25_50' AS voided INTO pick
              FROM t.wager v WHERE NOT v.settled AND NOT v.gone ORDER BY random() LIMIT 1;
            CONTINUE WHEN pick IS NULL OR o = -1;
            IF pick.voided THEN
                PERFORM casino.void_wagers(r, pick.player, 'cheated', at);
                UPDATE t.wager v SET posted = v.stake, gone = true WHERE v.p = pick.p;
                PERFORM t.count('voided player');
            ELSE
                PERFORM casino.pay_withheld(r, at, player_id => pick.player);
                UPDATE t.wager v SET settled = true, posted = g.due FROM t.gives g
                 WHERE g.game = f.game AND g.outcome = o AND (g.p, g.w) = (v.p, v.w) AND v.p = pick.p;
                PERFORM t.count('paid player');
            END IF;
            UPDATE t.wallet m SET balance = m.balance + (SELECT sum(v.posted) FROM t.wager v WHERE v.p = m.p)
             WHERE m.p = pick.p;
            steps := steps || format(', player %s %s', pick.p, CASE WHEN pick.voided THEN 'voided'
                                     ELSE 'paid' END);
        END CASE;
        wrong := t.differs(r);
        IF wrong <> '' THEN RETURN steps || ': ' || wrong; END IF;
    END LOOP;
    -- nobody is left with a claim of which the model does not know, nor withheld: the next rounds are rounds
    -- of their own
    PERFORM casino.deposit(y.id, 2000, at => at + interval '30 s') FROM t.player y WHERE NOT y.second;
    UPDATE t.wallet SET balance = balance + 2000;
    RETURN '';
END $$;

SELECT setseed(:seed);
SELECT is(t.round(f, '2026-02-01 12:00'::timestamptz + n * interval '1 hour'), '',
          format('R11.33 to R11.36: round %s, %s', n, f.game))
  FROM generate_series(1, :rounds) n, LATERAL (SELECT * FROM t.family ORDER BY game OFFSET n % 5 LIMIT 1) f;
SELECT cmp_ok((SELECT count(*) FROM t.done d WHERE d.what = v.what), '>', 0::bigint,
              'there were some: ' || v.what)
  FROM unnest('{corrected,void,rejected,claim,paid player,voided player,refused}'::text[]) v (what);

-- the night finds nothing, with what is overdue left out: it is not corrected
SELECT is_empty(format('SELECT * FROM %s(%L, %L)', c.function, '2025-12-01', '2026-12-31'),
                'the night, check ' || c.check_name)
  FROM casino.reconciliation_checks() c WHERE c.check_name !~ 'overdue$|^no_reason$|^provider';
SELECT is((SELECT casino.rebuild()), 0::bigint, 'rebuild() makes what was there');
SELECT is((SELECT sum(base) FROM casino.tax_base('2026-01-01', '2026-12-31')),
          (SELECT sum(CASE kind WHEN 'stake' THEN amount ELSE -amount END) FROM casino.ledger
           WHERE round_id IS NOT NULL), 'R9.20: the tax base of all days is what play has brought');
SELECT is((SELECT sum(result) FROM casino.player_day('2026-01-01', '2026-12-31')),
          (SELECT sum(CASE kind WHEN 'stake' THEN -amount ELSE amount END) FROM casino.ledger
           WHERE round_id IS NOT NULL), 'R9.20: and so are the results of the players');

-- --------------------------------------------------------------- a box whose owner was voided alone (R11.39)
SELECT casino.add_game_table('blackjack_free_bet', 'box', 10, 5000) AS tab \gset
SELECT casino.open_round(:tab, 'box', '2026-06-01 12:00') AS r \gset
SELECT casino.place_bet(:r, 1, 'main@100', seat => 1, at => '2026-06-01 12:00'),
    casino.place_bet(:r, 3, 'main@100', seat => 2, at => '2026-06-01 12:00') \g /dev/null
SELECT casino.close_betting(:r, '2026-06-01 12:00:01'),
    casino.withhold_winnings(:r, 1, 'review', '2026-06-01 12:00:02') \g /dev/null
SELECT casino.settle_round(:r,
                           '{"dealer": "Th 9d", "hands": [{"seat": 1, "cards": "Ts Jd"}, '
                           '{"seat": 2, "cards": "9s 9d"}]}',
                           '2026-06-01 12:01') \g /dev/null
SELECT casino.void_wagers(:r, 1, 'cheated', '2026-06-01 12:02') \g /dev/null
SELECT t.as('first', format('casino.correct_round(%s, %L, %L, %L)', :r,
                            '{"dealer": "Th 7d", "hands": [{"seat": 1, "cards": "Ts Jd"}, '
                            '{"seat": 2, "cards": "9s 9d"}]}',
                            'a seven', '2026-06-01 12:03')) AS n \gset
SELECT is(t.as('second', format('(casino.approve_correction(%s, %L)).paid', :n, '2026-06-01 12:04')),
          '400.00', 'R11.39: cards of a box whose wagers were voided are in the correction, and its figures');
SELECT is((SELECT string_agg(concat_ws(' ', player_id, kind, amount), ', ' ORDER BY player_id, entry_no)
           FROM casino.ledger WHERE round_id = :r),
          '1 stake 100.00, 1 refund 100.00, 3 stake 100.00, 3 correction 200.00',
              'R11.39: the voided player has his stake and nothing else');
SELECT is_empty(format('SELECT * FROM %s(%L, %L)', c.function, '2026-06-01', '2026-06-01'),
                'the night of it, check ' || c.check_name)
  FROM casino.reconciliation_checks() c WHERE c.check_name !~ 'overdue$|^no_reason$|^provider';
SELECT * FROM finish();
