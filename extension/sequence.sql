-- Betting sequences and the break after them (D4 §8).

CREATE FUNCTION casino_internal.install_sequence_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.live_participation AS
        SELECT s.player_id, s.round_id, r.table_id, min(s.posted_at) AS first_stake_at, r.evaluated_at
          FROM casino.ledger s
          JOIN casino.round r ON r.round_id = s.round_id
          JOIN casino.game_plan p ON p.plan_id = r.plan_id
          JOIN casino.game g ON g.game = p.game AND g.live
         WHERE s.kind = 'stake'
           AND s.book > (SELECT casino.last_book_away())
           -- returned before betting closed: never placed
           AND NOT EXISTS (SELECT FROM casino.ledger f
                            WHERE f.player_id = s.player_id
                              AND f.stake_entry_no = s.entry_no
                              AND f.kind = 'refund'
                              AND (r.betting_closed_at IS NULL
                                   OR f.reason
                                          IN ('cancelled', 'disconnected', 'late', 'excluded', 'misdealt')))
         GROUP BY s.player_id, s.round_id, r.table_id, r.evaluated_at;
    COMMENT ON VIEW casino.live_participation
        IS 'Live rounds a player takes or took part in, from the ledger alone (D4 §8.2); those in books '
           'that were put away are left out';
    COMMENT ON COLUMN casino.live_participation.first_stake_at
        IS 'When his first stake that was not returned before betting closed was placed';

    CREATE VIEW casino.betting_sequence AS
        SELECT q.player_id, q.sequence_no, min(q.first_stake_at) AS started_at,
               max(q.evaluated_at) AS last_evaluated_at,
               max(q.evaluated_at) - min(q.first_stake_at) AS length, count(*) AS rounds,
               bool_or(q.evaluated_at IS NULL) AS in_round,
               coalesce(max(q.evaluated_at) - min(q.first_stake_at) >= (SELECT make_interval(mins =>
                   s.number::integer)
                                                    FROM casino.duty_period s
                                                   WHERE s.name = 'sequence_minutes'
                                                     AND s.valid_from <= max(q.evaluated_at)
                                                     AND s.valid_until > max(q.evaluated_at)),
                        false) AS break_due,
               max(q.evaluated_at) + (SELECT make_interval(mins => s.number::integer)
                                        FROM casino.duty_period s
                                       WHERE s.name = 'break_minutes'
                                         AND s.valid_from <= max(q.evaluated_at)
                                         AND s.valid_until > max(q.evaluated_at)) AS ends_at
          FROM (SELECT i.*,
                       count(*) FILTER (WHERE i.starts)
                           OVER (PARTITION BY i.player_id ORDER BY i.first_stake_at, i.round_id)
                            AS sequence_no
                  FROM (SELECT p.player_id, p.round_id, p.first_stake_at, p.evaluated_at,
                               coalesce(p.first_stake_at - max(p.evaluated_at) OVER earlier
                                            >= make_interval(mins => d.number::integer),
                                        true)
                               AND NOT coalesce(bool_or(p.evaluated_at IS NULL) OVER earlier, false) AS starts
                          FROM casino.live_participation p
                          JOIN casino.duty_period d ON d.name = 'break_minutes'
                                                   AND p.first_stake_at >= d.valid_from
                                                   AND p.first_stake_at < d.valid_until
                        WINDOW earlier AS (PARTITION BY p.player_id ORDER BY p.first_stake_at, p.round_id
                                           ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) i) q
         GROUP BY q.player_id, q.sequence_no;
    COMMENT ON VIEW casino.betting_sequence
        IS 'Betting sequences of the players over all live games, recomputed from the ledger alone (D4 '
           '§8.5, §8.6); those in books that were put away are left out';
    COMMENT ON COLUMN casino.betting_sequence.sequence_no IS 'Counts the player''s sequences from 1';
    COMMENT ON COLUMN casino.betting_sequence.started_at IS 'Placing of its first stake';
    COMMENT ON COLUMN casino.betting_sequence.last_evaluated_at IS 'Last evaluation of a game in it';
    COMMENT ON COLUMN casino.betting_sequence.rounds IS 'Rounds he took part in';
    COMMENT ON COLUMN casino.betting_sequence.in_round IS 'A round of it is not evaluated yet';
    COMMENT ON COLUMN casino.betting_sequence.length
        IS 'From the placing of the first stake to the last evaluation';
    COMMENT ON COLUMN casino.betting_sequence.break_due
        IS 'At least 120 minutes long (sequence_minutes in force at its last evaluation): no stake before '
           'ends_at (D4 §8.3)';
    COMMENT ON COLUMN casino.betting_sequence.ends_at
        IS '15 minutes (break_minutes in force then) after the last evaluation: a stake from here on starts '
           'a new sequence';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_sequence_views() IS 'Part of casino.install(): betting sequences';

CREATE FUNCTION casino.explain_break(player_id bigint, at timestamptz DEFAULT clock_timestamp(),
                                     OUT may_bet boolean,
                                     OUT code text, OUT why text, OUT since timestamptz,
                                     OUT until timestamptz) RETURNS record
    AS 'MODULE_PATHNAME', 'casino_sql_explain_break' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.explain_break(bigint, timestamptz)
    IS 'May the player stake into a live round he has not joined, by which rule, since when, until when (D4 '
       '§8); of a time that is past, as it was known to hold then';
