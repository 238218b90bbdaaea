-- Results watched against the returns of the plans (DESIGN section 11): one row a day for each table and kind of bet, and how often
-- each number, rank and suit came.  All of it can be made again from the evidence with watch_day(), so that it holds nothing fast.

CREATE FUNCTION casino.install_watch() RETURNS void
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
    COMMENT ON TABLE casino.watched_bet IS 'Results of a day by table and kind of bet, made by watch_day() from the evidence';
    COMMENT ON COLUMN casino.watched_bet.day IS 'Prague day of the evaluations';
    COMMENT ON COLUMN casino.watched_bet.table_id IS 'Table';
    COMMENT ON COLUMN casino.watched_bet.plan_id IS 'Plan version the rounds were played under';
    COMMENT ON COLUMN casino.watched_bet.kind IS 'Kind of bet; main: with bets behind and all that was doubled and split, ante: with its calls';
    COMMENT ON COLUMN casino.watched_bet.rounds IS 'Rounds with such a bet';
    COMMENT ON COLUMN casino.watched_bet.wagers IS 'Wagers';
    COMMENT ON COLUMN casino.watched_bet.staked IS 'CZK staked; of main and ante without what was added in play';
    COMMENT ON COLUMN casino.watched_bet.result IS 'CZK the house won';
    COMMENT ON COLUMN casino.watched_bet.expected IS 'CZK it was to win of these stakes, by the exact counts';
    COMMENT ON COLUMN casino.watched_bet.variance IS 'Variance of that, CZK squared; all that one round decides is taken together';
    COMMENT ON COLUMN casino.watched_bet.most_back IS 'CZK one round could pay at most';

    CREATE TABLE casino.watched_face (
        day      date NOT NULL,
        table_id bigint NOT NULL,
        what     text NOT NULL CHECK (what IN ('number', 'rank', 'suit')),
        face     text NOT NULL,
        hits     bigint NOT NULL CHECK (hits > 0),
        PRIMARY KEY (day, table_id, what, face)
    );
    COMMENT ON TABLE casino.watched_face IS 'How often each number of the wheel, each rank and each suit came on a day, made by watch_day() from the evidence';
    COMMENT ON COLUMN casino.watched_face.day IS 'Prague day of the evaluations';
    COMMENT ON COLUMN casino.watched_face.table_id IS 'Table';
    COMMENT ON COLUMN casino.watched_face.what IS 'number of the wheel, rank or suit of a card';
    COMMENT ON COLUMN casino.watched_face.face IS 'Which one';
    COMMENT ON COLUMN casino.watched_face.hits IS 'How often it came';

    -- A chance of at most: whatever the odds, a sum of independent results that are off their mean by no more than b, of variance V,
    -- is off its own by t with probability 2 exp(-t² / (2 (V + b t / 3))) at most (Bernstein).  It promises no more than is true
    -- also for a bet that pays 2000:1 and was seldom made, where standard deviations alone would cry wolf.
    CREATE VIEW casino.return_watch AS
        WITH span AS (
            SELECT b.day, s.span, s.from_day, s.to_day
              FROM (SELECT day FROM casino.watched_bet UNION SELECT day FROM casino.watched_face) b
             CROSS JOIN LATERAL (VALUES ('day', b.day, b.day),
                                        ('week', date_trunc('week', b.day)::date, date_trunc('week', b.day)::date + 6),
                                        ('all', '-infinity'::date, 'infinity'::date)) AS s (span, from_day, to_day)
        ), bet AS (
            SELECT s.span, s.from_day, s.to_day, w.table_id, w.kind, sum(w.rounds) AS rounds, sum(w.wagers) AS wagers, sum(w.staked) AS staked,
                   sum(w.result) AS result, sum(w.expected) AS expected, sum(w.variance) AS variance, max(w.most_back) AS most_back,
                   min(w.day) AS first_day, max(w.day) AS last_day
              FROM casino.watched_bet w JOIN span s ON s.day = w.day
             GROUP BY s.span, s.from_day, s.to_day, w.table_id, w.kind
        ), face AS (
            SELECT s.span, s.from_day, s.to_day, f.table_id, f.what, f.face, sum(f.hits) AS hits, min(f.day) AS first_day, max(f.day) AS last_day,
                   CASE f.what WHEN 'number' THEN 37 WHEN 'rank' THEN 13 ELSE 4 END AS faces
              FROM casino.watched_face f JOIN span s ON s.day = f.day
             GROUP BY s.span, s.from_day, s.to_day, f.table_id, f.what, f.face
        ), draw AS (
            SELECT f.span, f.from_day, f.to_day, f.table_id, f.what, f.faces, sum(f.hits) AS hits,
                   f.faces * sum(f.hits * f.hits) / sum(f.hits) - sum(f.hits) AS chi_square,
                   (array_agg(f.face ORDER BY f.hits DESC, f.face))[1] AS face,
                   (max(f.hits) - sum(f.hits) / f.faces) / sqrt(sum(f.hits) * (f.faces - 1) / (f.faces * f.faces)) AS deviations,
                   min(f.first_day) AS first_day, max(f.last_day) AS last_day
              FROM face f
             GROUP BY f.span, f.from_day, f.to_day, f.table_id, f.what, f.faces
        )
        SELECT r.span, r.from_day, r.to_day, t.game, r.table_id, r.what, r.kind, r.rounds, r.wagers, r.staked, r.result, r.expected, r.face,
               r.deviations, r.chi_square, r.degrees, r.probability
          FROM (SELECT b.span, CASE WHEN b.span = 'all' THEN b.first_day ELSE b.from_day END AS from_day,
                       CASE WHEN b.span = 'all' THEN b.last_day ELSE b.to_day END AS to_day, b.table_id, 'bet' AS what, b.kind, b.rounds, b.wagers,
                       b.staked, b.result, round(b.expected, 2) AS expected, NULL::text AS face,
                       CASE WHEN b.variance > 0 THEN round((b.result - b.expected) / sqrt(b.variance), 3) END AS deviations,
                       NULL::numeric AS chi_square, NULL::integer AS degrees,
                       CASE WHEN b.variance > 0 THEN
                           least(1, 2 * exp(greatest(-700, -((b.result - b.expected) ^ 2)
                                                           / (2 * (b.variance + b.most_back * abs(b.result - b.expected) / 3)))::double precision)) END
                           AS probability
                  FROM bet b
                UNION ALL
                SELECT d.span, CASE WHEN d.span = 'all' THEN d.first_day ELSE d.from_day END,
                       CASE WHEN d.span = 'all' THEN d.last_day ELSE d.to_day END, d.table_id, d.what, NULL, NULL, d.hits, NULL, NULL, NULL, d.face,
                       round(d.deviations, 3), round(d.chi_square, 3), d.faces - 1,
                       CASE WHEN d.hits >= 5 * d.faces THEN casino.chi_square_probability(d.chi_square::double precision, d.faces - 1) END
                  FROM draw d) r
          JOIN casino.game_table t ON t.table_id = r.table_id;
    COMMENT ON VIEW casino.return_watch IS 'Results against the exact counts, by table over a day, a week and all days that watch_day() has seen: each kind of bet in standard deviations, numbers of the wheel, ranks and suits by chi-square. A probability of one in a million is no chance on any number of tables';
    COMMENT ON COLUMN casino.return_watch.span IS 'day, week (Monday to Sunday) or all';
    COMMENT ON COLUMN casino.return_watch.from_day IS 'First Prague day';
    COMMENT ON COLUMN casino.return_watch.to_day IS 'Last Prague day';
    COMMENT ON COLUMN casino.return_watch.what IS 'bet, or what was drawn: number, rank, suit';
    COMMENT ON COLUMN casino.return_watch.wagers IS 'Wagers; of numbers, ranks and suits how many were drawn';
    COMMENT ON COLUMN casino.return_watch.face IS 'What came most often';
    COMMENT ON COLUMN casino.return_watch.deviations IS 'Standard deviations the house''s result is above the expected one; of what was drawn, those of the face that came most often';
    COMMENT ON COLUMN casino.return_watch.chi_square IS 'Sum of squared differences from equal frequencies, each to the expected one';
    COMMENT ON COLUMN casino.return_watch.degrees IS 'Degrees of freedom of chi_square';
    COMMENT ON COLUMN casino.return_watch.probability IS 'How likely chance alone is as far off: of a bet at most that, of what was drawn by chi-square, NULL with fewer than five expected of each';
END
$fn$;
COMMENT ON FUNCTION casino.install_watch() IS 'Part of casino.install(): results watched against the returns of the plans';
