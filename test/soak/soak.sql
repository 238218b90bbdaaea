-- Questions of the soak to the server: outcomes and cards of a round, whose boxes are seats. The way draws
-- one of the outcomes, so that a result can be found wrong.
CREATE SCHEMA soak;
-- Differences that are right. Where the clock is put on by hours, rounds under way have their result hours
-- later.
CREATE FUNCTION soak.expected(check_name text, rule text, player bigint) RETURNS boolean LANGUAGE sql AS
    $$ SELECT check_name = 'round_stuck' $$;
CREATE FUNCTION soak.has_seats(game text) RETURNS boolean LANGUAGE sql AS $$
    SELECT EXISTS (SELECT FROM casino.game g WHERE g.game = has_seats.game AND g.family = 'texas_holdem')
        OR EXISTS (SELECT FROM casino.plan_rule r
                    WHERE r.plan_id = casino.plan_in_force(has_seats.game, clock_timestamp())
                      AND r.rule = 'box' AND r.value = 'seats')
$$;
-- Was the stake there when the round was evaluated? It may have been void since
CREATE FUNCTION soak.counts(w casino.wager) RETURNS boolean LANGUAGE sql AS $$
    SELECT w.status <> 'refunded'
        OR EXISTS (SELECT FROM casino.ledger f
                    WHERE f.player_id = w.player_id AND f.entry_no = w.paid_entry_no AND f.reason = 'voided')
$$;
-- Of the stakes that stand; NULL: a hand of poker that has one player only
CREATE FUNCTION soak.outcome(round bigint, family text, way integer) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    seats CONSTANT int[] := ARRAY (SELECT DISTINCT w.seat FROM casino.wager w
                                    WHERE w.round_id = round AND soak.counts(w) AND w.seat IS NOT NULL
                                    ORDER BY 1);
    shared CONSTANT boolean := EXISTS (SELECT FROM casino.wager w
                                        WHERE w.round_id = round AND soak.counts(w)
                                          AND w.seat IS NULL);
    n CONSTANT int := round % 1000 + way;
    sign CONSTANT int := CASE WHEN way % 2 = 0 THEN 1 ELSE -1 END;
    winner CONSTANT int := (SELECT w.seat
                              FROM casino.wager w
                             WHERE w.round_id = round AND soak.counts(w)
                             GROUP BY w.seat
                             ORDER BY sum(casino.stake(w.bet)) DESC, w.seat * sign
                             LIMIT 1);
BEGIN
    RETURN CASE family
        WHEN 'roulette' THEN jsonb_build_object('number', n * 7 % 37)
        WHEN 'baccarat' THEN (ARRAY['{"player": "2h 3d 9c", "banker": "Kc 6s"}',
                                    '{"player": "9h Kd", "banker": "7c Js"}',
                                    '{"player": "8h Kd", "banker": "8c Js"}'])[1 + n % 3]::jsonb
        WHEN 'blackjack' THEN jsonb_build_object(
            'dealer', (ARRAY['7h Tc', '6h Tc 5s', 'Ah Kc', '9h 9c'])[1 + n % 4],
            'hands', CASE WHEN shared THEN '[{"cards": "Ts 9d"}]'::jsonb
                          ELSE coalesce((SELECT jsonb_agg(jsonb_build_object('seat', s, 'cards', 'Ts 8d'))
                                           FROM unnest(seats) s), '[]') END)
        WHEN 'casino_holdem' THEN (ARRAY['{"player": "9c 9d", "board": "2c 7h Kd", "dealer": "As Ad"}',
                                         '{"player": "Kc Ks", "board": "2c 7h Kd", "dealer": "As Ad"}']
                                  )[1 + n % 2]::jsonb
        -- the others fold to one of those who have put in most (R6.11); a hand needs two
        WHEN 'texas_holdem' THEN CASE WHEN cardinality(seats) > 1 THEN jsonb_build_object(
            'button', seats[1],
            'seats', (SELECT jsonb_agg(jsonb_build_object('seat', s)
                                       || CASE WHEN s = winner THEN '{}' ELSE '{"folded": true}'::jsonb END)
                        FROM unnest(seats) s)) END
    END;
END $$;
-- The first cards of an outcome; misread: one of them is another. NULL: the family's cards come all at once
CREATE FUNCTION soak.dealt(outcome jsonb, family text, misread boolean) RETURNS jsonb LANGUAGE sql AS $$
    SELECT CASE family
        WHEN 'baccarat' THEN jsonb_build_object(
            'player', CASE WHEN misread THEN 'Qs' ELSE left(outcome ->> 'player', 2) END
                      || substr(outcome ->> 'player', 3, 3),
            'banker', left(outcome ->> 'banker', 5))
        WHEN 'blackjack' THEN outcome
            || jsonb_build_object('dealer', CASE WHEN misread THEN '2d'
                                                 ELSE left(outcome ->> 'dealer', 2) END)
        WHEN 'casino_holdem' THEN outcome - 'dealer'
            || jsonb_build_object('player', CASE WHEN misread THEN '3h 3d' ELSE outcome ->> 'player' END)
    END
$$;
