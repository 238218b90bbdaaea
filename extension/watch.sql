-- Results watched against the returns of the plans (R8.10, R8.11): one row a day for each table and kind of
-- bet, and how often each number, rank and suit came. All of it can be made again from the evidence with
-- watch_day(), so that it holds nothing fast.

CREATE FUNCTION casino_internal.install_watch() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.watched_bet (
        day      date NOT NULL,
        table_id bigint NOT NULL,
        plan_id  bigint NOT NULL,
        kind     text NOT NULL,
        rounds   bigint NOT NULL CHECK (rounds > 0),
        wagers   bigint NOT NULL CHECK (wagers > 0),
        staked   numeric NOT NULL,
        result   numeric NOT NULL,
        expected numeric NOT NULL,
        variance numeric NOT NULL,
        most_back numeric NOT NULL,
        PRIMARY KEY (day, table_id, plan_id, kind)
    );
    COMMENT ON TABLE casino.watched_bet
        IS 'Results of a day by table and kind of bet, made by watch_day() from the evidence';
    COMMENT ON COLUMN casino.watched_bet.day IS 'Prague day of the evaluations';
    COMMENT ON COLUMN casino.watched_bet.table_id IS 'Table';
    COMMENT ON COLUMN casino.watched_bet.plan_id IS 'Plan version the rounds were played under';
    COMMENT ON COLUMN casino.watched_bet.kind
        IS 'Kind of bet; main: with bets behind and all that was doubled and split, ante: with its calls';
    COMMENT ON COLUMN casino.watched_bet.rounds IS 'Rounds with such a bet';
    COMMENT ON COLUMN casino.watched_bet.wagers IS 'Wagers';
    COMMENT ON COLUMN casino.watched_bet.staked
        IS 'CZK staked; of main and ante without what was added in play';
    COMMENT ON COLUMN casino.watched_bet.result IS 'CZK the house won';
    COMMENT ON COLUMN casino.watched_bet.expected IS 'CZK it was to win of these stakes, by the exact counts';
    COMMENT ON COLUMN casino.watched_bet.variance
        IS 'Variance of that, CZK squared; all that one round decides is taken together';
    COMMENT ON COLUMN casino.watched_bet.most_back IS 'CZK one round could pay at most';

    CREATE TABLE casino.watched_face (
        day      date NOT NULL,
        table_id bigint NOT NULL,
        what     text NOT NULL CHECK (what IN ('number', 'rank', 'suit')),
        face     text NOT NULL,
        hits     bigint NOT NULL CHECK (hits > 0),
        PRIMARY KEY (day, table_id, what, face)
    );
    COMMENT ON TABLE casino.watched_face
        IS 'How often each number of the wheel, each rank and each suit came on a day, made by watch_day() '
           'from the evidence';
    COMMENT ON COLUMN casino.watched_face.day IS 'Prague day of the evaluations';
    COMMENT ON COLUMN casino.watched_face.table_id IS 'Table';
    COMMENT ON COLUMN casino.watched_face.what IS 'number of the wheel, rank or suit of a card';
    COMMENT ON COLUMN casino.watched_face.face IS 'Which one';
    COMMENT ON COLUMN casino.watched_face.hits IS 'How often it came';

    -- A chance of at most: whatever the odds, a sum of independent results that are off their mean by no more
    -- than b, of variance V, is off its own by t with probability 2 exp(-t² / (2 (V + b t / 3))) at most
    -- (Bernstein). It promises no more than is true also for a bet that pays 2000:1 and was seldom made,
    -- where standard deviations alone would cry wolf.
    CREATE VIEW casino.return_watch AS
        WITH span AS (
            SELECT b.day, s.span, s.from_day, s.to_day
              FROM (SELECT day FROM casino.watched_bet UNION SELECT day FROM casino.watched_face) b
             CROSS JOIN LATERAL (VALUES ('day', b.day, b.day),
                                        ('week', date_trunc('week', b.day)::date,
                                         date_trunc('week', b.day)::date + 6),
                                        ('all', '-infinity'::date, 'infinity'::date)) AS s (
                                            span, from_day, to_day)
        ), bet AS (
            SELECT s.span, s.from_day, s.to_day, w.table_id, w.kind, sum(w.rounds) AS rounds,
                   sum(w.wagers) AS wagers, sum(w.staked) AS staked,
                   sum(w.result) AS result, sum(w.expected) AS expected, sum(w.variance) AS variance,
                   max(w.most_back) AS most_back,
                   min(w.day) AS first_day, max(w.day) AS last_day
              FROM casino.watched_bet w JOIN span s ON s.day = w.day
             GROUP BY s.span, s.from_day, s.to_day, w.table_id, w.kind
        ), face AS (
            SELECT s.span, s.from_day, s.to_day, f.table_id, f.what, f.face, sum(f.hits) AS hits,
                   min(f.day) AS first_day, max(f.day) AS last_day,
                   CASE f.what WHEN 'number' THEN 37 WHEN 'rank' THEN 13 ELSE 4 END AS faces
              FROM casino.watched_face f JOIN span s ON s.day = f.day
             GROUP BY s.span, s.from_day, s.to_day, f.table_id, f.what, f.face
        ), draw AS (
            SELECT f.span, f.from_day, f.to_day, f.table_id, f.what, f.faces, sum(f.hits) AS hits,
                   f.faces * sum(f.hits * f.hits) / sum(f.hits) - sum(f.hits) AS chi_square,
                   (array_agg(f.face ORDER BY f.hits DESC, f.face))[1] AS face,
                   (max(f.hits) - sum(f.hits) / f.faces)
                       / sqrt(sum(f.hits) * (f.faces - 1) / (f.faces * f.faces)) AS deviations,
                   min(f.first_day) AS first_day, max(f.last_day) AS last_day
              FROM face f
             GROUP BY f.span, f.from_day, f.to_day, f.table_id, f.what, f.faces
        )
        SELECT r.span, r.from_day, r.to_day, t.game, r.table_id, r.what, r.kind, r.rounds, r.wagers, r.staked,
               r.result, r.expected, r.face,
               r.deviations, r.chi_square, r.degrees, r.probability
          FROM (SELECT b.span, CASE WHEN b.span = 'all' THEN b.first_day ELSE b.from_day END AS from_day,
                       CASE WHEN b.span = 'all' THEN b.last_day ELSE b.to_day END AS to_day, b.table_id,
                       'bet' AS what, b.kind, b.rounds, b.wagers,
                       b.staked, b.result, round(b.expected, 2) AS expected, NULL::text AS face,
                       CASE WHEN b.variance > 0
                                THEN round((b.result - b.expected) / sqrt(b.variance), 3) END AS deviations,
                       NULL::numeric AS chi_square, NULL::integer AS degrees,
                       CASE WHEN b.variance > 0
                            THEN least(1, 2 * exp(greatest(-700, -((b.result - b.expected) ^ 2)
                                                                 / (2 * (b.variance
                                                                         + b.most_back
                                                                           * abs(b.result - b.expected)
                                                                           / 3)))::double precision)) END
                           AS probability
                  FROM bet b
                UNION ALL
                SELECT d.span, CASE WHEN d.span = 'all' THEN d.first_day ELSE d.from_day END,
                       CASE WHEN d.span = 'all' THEN d.last_day ELSE d.to_day END, d.table_id, d.what,
                       NULL AS kind, NULL AS rounds, d.hits,
                       NULL AS staked, NULL AS result, NULL AS expected, d.face,
                       round(d.deviations, 3), round(d.chi_square, 3), d.faces - 1,
                       CASE WHEN d.hits >= 5 * d.faces
                                THEN casino_internal.chi_square_probability(d.chi_square::double precision,
                                                                            d.faces - 1) END
                  FROM draw d) r
          JOIN casino.game_table t ON t.table_id = r.table_id;
    COMMENT ON VIEW casino.return_watch
        IS 'Results against the exact counts, by table over a day, a week and all days that watch_day() has '
           'seen: each kind of bet in standard deviations, numbers of the wheel, ranks and suits by '
           'chi-square. A probability of one in a million is not chance, however many tables are '
           'watched';
    COMMENT ON COLUMN casino.return_watch.span IS 'day, week (Monday to Sunday) or all';
    COMMENT ON COLUMN casino.return_watch.from_day IS 'First Prague day';
    COMMENT ON COLUMN casino.return_watch.to_day IS 'Last Prague day';
    COMMENT ON COLUMN casino.return_watch.what IS 'bet, or what was drawn: number, rank, suit';
    COMMENT ON COLUMN casino.return_watch.wagers IS 'Wagers; of numbers, ranks and suits how many were drawn';
    COMMENT ON COLUMN casino.return_watch.face IS 'What came most often';
    COMMENT ON COLUMN casino.return_watch.deviations
        IS 'Standard deviations the house''s result is above the expected one; of what was drawn, those of '
           'the face that came most often';
    COMMENT ON COLUMN casino.return_watch.chi_square
        IS 'Sum of squared differences from equal frequencies, each to the expected one';
    COMMENT ON COLUMN casino.return_watch.degrees IS 'Degrees of freedom of chi_square';
    COMMENT ON COLUMN casino.return_watch.probability
        IS 'How likely chance alone is as far off: of a bet at most that, of what was drawn by chi-square, '
           'NULL with fewer than five expected of each';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_watch()
    IS 'Part of casino.install(): results watched against the returns of the plans';

CREATE FUNCTION casino_internal.chi_square_probability(chi_square double precision, degrees integer)
RETURNS double precision
    AS 'MODULE_PATHNAME', 'casino_sql_chi_square_probability' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino_internal.chi_square_probability(double precision, integer)
    IS 'Part of return_watch: how likely chance alone gives such a chi-square or a greater one';

-- The kind under which a wager is watched: what is added in play belongs to the bet it was added to.
CREATE FUNCTION casino_internal.watched_kind(kind text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN kind IN ('behind', 'double_down', 'split_pair', 'free_split', 'free_double') THEN 'main'
                WHEN kind = 'call' THEN 'ante'
                ELSE kind END;
COMMENT ON FUNCTION casino_internal.watched_kind(text)
    IS 'Part of watch_day(): main for what is added to it in play and for bets behind, ante for its call, '
       'else the kind';

-- One row a table, plan version and kind. Positions that one number decides are taken together number by
-- number, and so are the points of an egalite; of other kinds all stakes of a round are taken as one, as if
-- all boxes had the same cards: the variance is then not too small.
CREATE FUNCTION casino_internal.watched_bets(day date)
RETURNS TABLE (table_id bigint, plan_id bigint, kind text, rounds bigint, wagers bigint, staked numeric,
               result numeric, expected numeric,
               variance numeric, most_back numeric)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    WITH position AS MATERIALIZED (
        SELECT b.round_id, b.table_id, b.plan_id, b.kind, b.selection, sum(b.wagers) AS wagers,
               coalesce(sum(b.staked) FILTER (WHERE b.of_kind), 0) AS staked,
               sum(b.won - b.staked) AS won
          FROM casino_internal.figure_bets(watched_bets.day, watched_bets.day) b
         WHERE b.status IN ('settled', 'withheld') AND b.wagers > 0
         GROUP BY b.round_id, b.table_id, b.plan_id, b.kind, b.selection
    ), plan_return AS MATERIALIZED (
        SELECT k.plan_id, k.kind, coalesce(r.selection, '') AS selection, r.rtp, r.hit_rate, r.variance,
               r.best_num::numeric / r.best_den + 1 AS most, k.covers
          FROM (SELECT DISTINCT p.plan_id, p.kind, g.family = 'roulette' AS covers
                  FROM position p
                  JOIN casino.game_plan n ON n.plan_id = p.plan_id
                  JOIN casino.game g ON g.game = n.game) k
         CROSS JOIN LATERAL casino_internal.plan_returns(k.plan_id, k.kind) r
         WHERE r.rtp IS NOT NULL
    ), counted AS MATERIALIZED (
        SELECT p.*, r.rtp, r.hit_rate, r.variance, r.most, r.covers
          FROM position p
          JOIN plan_return r ON r.plan_id = p.plan_id AND r.kind = p.kind AND r.selection = p.selection
    ), face AS (
        SELECT c.round_id, c.kind, n.number::text AS face, 1 / 37::numeric AS chance,
               sum(c.staked * c.most) AS back
          FROM counted c
         CROSS JOIN LATERAL unnest(CASE WHEN c.covers
                                            THEN casino.covers(casino.bet(
                                                c.kind, nullif(c.selection, ''), 1)) END) AS n (number)
         GROUP BY c.round_id, c.kind, n.number
        UNION ALL
        SELECT c.round_id, c.kind, c.selection, c.hit_rate, c.staked * c.most
          FROM counted c
         WHERE c.kind = 'egalite'
    ), exclusive AS (
        SELECT f.round_id, f.kind, sum(f.chance * f.back * f.back) - sum(f.chance * f.back) ^ 2 AS variance,
               max(f.back) AS most_back
          FROM face f GROUP BY f.round_id, f.kind
    ), of_round AS (
        SELECT c.round_id, c.table_id, c.plan_id, c.kind, sum(c.wagers) AS wagers, sum(c.staked) AS staked,
               -sum(c.won) AS result,
               sum(c.staked * (1 - c.rtp)) AS expected,
               coalesce(max(x.variance), sum(c.staked) ^ 2 * max(c.variance)) AS variance,
               coalesce(max(x.most_back), sum(c.staked) * max(c.most)) AS most_back
          FROM counted c
          LEFT JOIN exclusive x ON x.round_id = c.round_id AND x.kind = c.kind
         GROUP BY c.round_id, c.table_id, c.plan_id, c.kind
    )
    SELECT o.table_id, o.plan_id, o.kind, count(*), sum(o.wagers)::bigint, sum(o.staked), sum(o.result),
           round(sum(o.expected), 6),
           round(sum(o.variance), 6), max(o.most_back)
      FROM of_round o
     GROUP BY o.table_id, o.plan_id, o.kind
$fn$;
COMMENT ON FUNCTION casino_internal.watched_bets(date)
    IS 'Part of watch_day(): results, expected results and their variance by table and kind of bet';

-- Cards that were dealt whatever they were: a hand that goes on does so for the cards before. Not counted:
-- what is shown only if somebody liked his cards (turn, river and dealer of Casino Hold'em, all of Texas
-- Hold'em), and at a shared box all but the dealer's cards and the first one of the box, as its hands are
-- copies of each other; of players who part at a box, the first ones' hands (R8.12).
CREATE FUNCTION casino_internal.watched_cards(day date) RETURNS TABLE (table_id bigint, card text)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT r.table_id, c.card::text
      FROM casino.round r
      JOIN casino.game_plan p ON p.plan_id = r.plan_id
      JOIN casino.game g ON g.game = p.game AND g.family IN ('baccarat', 'blackjack', 'casino_holdem')
      JOIN casino.dealt_hand d ON d.round_id = r.round_id
     CROSS JOIN LATERAL (SELECT CASE g.family WHEN 'baccarat' THEN 6
                                              WHEN 'casino_holdem' THEN
                                                  CASE d.side
                                                       WHEN 'player' THEN 2
                                                       WHEN 'board' THEN 3
                                                       ELSE 0 END
                                              ELSE CASE WHEN d.side = 'dealer' THEN 24
                                                        WHEN EXISTS (SELECT FROM casino.dealt_hand x
                                                                      WHERE x.round_id = d.round_id
                                                                        AND x.side = 'box'
                                                                        AND x.seat = d.seat
                                                                        AND x.group_no < d.group_no)
                                                            THEN 0
                                                        WHEN EXISTS (
                                                            SELECT FROM casino.plan_rule x
                                                             WHERE x.plan_id = p.plan_id
                                                               AND x.rule = 'box'
                                                               AND x.value = 'shared')
                                                            THEN CASE WHEN d.hand = 1 THEN 1 ELSE 0 END
                                                        ELSE 24 END
                                END AS cards OFFSET 0) n
     CROSS JOIN LATERAL unnest(casino.cards(d.cards)) WITH ORDINALITY AS c (card, place)
     WHERE r.status IN ('settled', 'withheld') AND c.place <= n.cards
       AND r.evaluated_at >= watched_cards.day::timestamp AT TIME ZONE 'Europe/Prague'
       AND r.evaluated_at < (watched_cards.day + 1)::timestamp AT TIME ZONE 'Europe/Prague'
$fn$;
COMMENT ON FUNCTION casino_internal.watched_cards(date)
    IS 'Part of watch_day(): cards of rounds evaluated on a Prague day, those that came whatever they were';

CREATE FUNCTION casino.watch_day(day date) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.watch_day(date)
    IS 'Adds up the rounds evaluated on a Prague day for return_watch, anew when it was done before; '
       'returns how many rows that are. nightly() calls it for its day';

CREATE FUNCTION casino_internal.watch_day_impl(day date) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    bets bigint;
    faces bigint;
BEGIN
    IF day IS NULL OR NOT isfinite(day) THEN
        RAISE EXCEPTION 'day must be given and finite' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino_internal.take_lock('watch_day');
    DELETE FROM casino.watched_bet w WHERE w.day = watch_day_impl.day;
    DELETE FROM casino.watched_face f WHERE f.day = watch_day_impl.day;
    INSERT INTO casino.watched_bet (day, table_id, plan_id, kind, rounds, wagers, staked, result, expected,
                                    variance, most_back)
    SELECT watch_day_impl.day, b.table_id, b.plan_id, b.kind, b.rounds, b.wagers, b.staked, b.result,
           b.expected, b.variance, b.most_back
      FROM casino_internal.watched_bets(watch_day_impl.day) b;
    GET DIAGNOSTICS bets = ROW_COUNT;
    INSERT INTO casino.watched_face (day, table_id, what, face, hits)
    SELECT watch_day_impl.day, f.table_id, f.what, f.face, count(*)
      FROM (SELECT r.table_id, 'number' AS what, r.outcome ->> 'number' AS face
              FROM casino.round r
              JOIN casino.game_plan p ON p.plan_id = r.plan_id
              JOIN casino.game g ON g.game = p.game AND g.family = 'roulette'
             WHERE r.status IN ('settled', 'withheld')
               AND r.evaluated_at >= watch_day_impl.day::timestamp AT TIME ZONE 'Europe/Prague'
               AND r.evaluated_at < (watch_day_impl.day + 1)::timestamp AT TIME ZONE 'Europe/Prague'
            UNION ALL
            SELECT c.table_id, k.what, k.face
              FROM casino_internal.watched_cards(watch_day_impl.day) c
             CROSS JOIN LATERAL (VALUES ('rank', left(c.card, 1)),
                                        ('suit', right(c.card, 1))) AS k (what, face)) f
     GROUP BY f.table_id, f.what, f.face;
    GET DIAGNOSTICS faces = ROW_COUNT;
    RETURN bets + faces;
END
$fn$;
COMMENT ON FUNCTION casino_internal.watch_day_impl(date)
    IS 'Body of watch_day(), run as the owner of the ledger';
