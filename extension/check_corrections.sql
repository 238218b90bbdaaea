-- Checks of the reconciliation: corrections of results and claims (R11.33 to R11.38). What a wager of a
-- corrected round is due follows from the evaluation by the last version; how it came there, from the
-- decisions.

CREATE FUNCTION casino_internal.check_correction_of(rounds bigint[]) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- each wager: what its player has of it, without what he gave back, is what the last version gives; what
    -- is beyond that is claimed or waived
    RETURN QUERY
        WITH round AS MATERIALIZED (
            SELECT r.round_id, r.status FROM casino.round r
             WHERE r.round_id = ANY (rounds) AND EXISTS (SELECT FROM casino.correction_decision d
                                                         WHERE d.round_id = r.round_id
                                                             AND d.version IS NOT NULL)),
        wager AS MATERIALIZED (
            SELECT r.round_id, r.status, s.player_id, s.entry_no, s.amount, s.bet,
                   CASE r.status WHEN 'withheld' THEN n.how IS NOT DISTINCT FROM 'paid'
                       ELSE h.player_id IS NULL OR n.how IS NOT DISTINCT FROM 'paid' END AS settled
              FROM round r
              JOIN casino.ledger s ON s.round_id = r.round_id AND s.kind = 'stake'
              LEFT JOIN casino.withholding h ON h.player_id = s.player_id AND h.round_id = s.round_id
              LEFT JOIN casino.withholding_end n ON n.player_id = s.player_id AND n.round_id = s.round_id
             WHERE NOT EXISTS (SELECT FROM casino.ledger f
                                WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no
                                    AND f.kind = 'refund' AND f.correction_no IS NULL)),
        held AS (
            SELECT w.*, coalesce(l.posted, 0.00) - coalesce(c.paid, 0.00) AS held,
                   coalesce(c.waived, 0.00) AS waived, coalesce(c.open, 0.00) AS open,
                   CASE WHEN NOT w.settled THEN 0.00 WHEN w.status = 'voided' THEN w.amount
                       ELSE coalesce(e.payout, 0.00) END AS due
              FROM wager w
              LEFT JOIN LATERAL (SELECT sum(x.amount) AS posted FROM casino.ledger x
                                  WHERE x.player_id = w.player_id
                                      AND x.stake_entry_no = w.entry_no OFFSET 0) l ON true
              LEFT JOIN LATERAL (SELECT sum(x.amount) FILTER (WHERE y.how = 'paid') AS paid,
                                 sum(x.amount) FILTER (WHERE y.how = 'waived') AS waived,
                                        sum(x.amount) FILTER (WHERE y.how IS NULL) AS open
                                   FROM casino.claim x LEFT JOIN casino.claim_end y ON y.claim_no = x.claim_no
                                  WHERE x.player_id = w.player_id
                                      AND x.stake_entry_no = w.entry_no OFFSET 0) c ON true
              LEFT JOIN LATERAL casino_internal.evaluated_wager(CASE WHEN w.status <> 'voided'
                                                                THEN w.round_id END, w.player_id,
                                                                    w.entry_no) e ON true)
        SELECT 'wager', x.player_id, x.round_id, x.entry_no, x.due::text, x.held::text,
               jsonb_build_object('bet', x.bet::text, 'open_claims', x.open, 'waived', x.waived)
          FROM held x
         WHERE x.held < x.due OR x.open <> greatest(x.held - x.due - x.waived, 0)
        UNION ALL
        -- the round: the figures of the last version
        SELECT 'figures', NULL, r.round_id, NULL,
               concat_ws(' ', d.wagers, d.players, d.staked, d.paid, d.status),
               concat_ws(' ', r.wagers, r.players, r.staked, r.paid, r.status), '{}'
          FROM casino.round r
          JOIN LATERAL (SELECT x.* FROM casino.correction_decision x
                        WHERE x.round_id = r.round_id AND x.version IS NOT NULL ORDER BY x.version DESC
                            LIMIT 1) d ON true
         WHERE r.round_id = ANY (rounds)
           -- a withheld round may have been paid, or voided, since
           AND ((d.wagers, d.players, d.staked, d.paid) IS DISTINCT FROM (r.wagers, r.players, r.staked,
                   r.paid) AND NOT (d.status = 'withheld' AND r.status = 'voided')
                OR d.status <> r.status AND d.status <> 'withheld')
        UNION ALL
        -- the versions: each begins with the outcome of the one before, and the round has the last
        SELECT 'version', NULL, v.round_id, NULL, v.outcome::text, v.next::text,
               jsonb_build_object('version', v.version)
          FROM (SELECT d.round_id, d.version,
                       coalesce(c.outcome, d.former -> 'outcome') AS outcome,
                       CASE WHEN lead(d.version) OVER w IS NULL THEN r.outcome
                           ELSE lead(d.former -> 'outcome') OVER w END AS next
                  FROM casino.correction_decision d
                  JOIN casino.round_correction c ON c.correction_no = d.correction_no
                  JOIN casino.round r ON r.round_id = d.round_id
                 WHERE d.round_id = ANY (rounds) AND d.version IS NOT NULL
                WINDOW w AS (PARTITION BY d.round_id ORDER BY d.version)) v
         WHERE v.outcome IS DISTINCT FROM v.next;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_correction_of(bigint[]) IS
    'Part of the reconciliation, check correction: the same for the rounds given';

-- Proposals, decisions and kept cards against each other: how a round was evaluated before and
-- since (R10.34).
CREATE FUNCTION casino_internal.check_correction_records(since timestamptz, until timestamptz)
RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    numbers CONSTANT bigint[] :=
        ARRAY (SELECT c.correction_no
                 FROM casino.round_correction c
                WHERE casino_internal.of_days(c.proposed_at, c.recorded_at, since, until)
                UNION
               SELECT d.correction_no
                 FROM casino.correction_decision d
                WHERE casino_internal.of_days(d.decided_at, d.recorded_at, since, until));
    rounds CONSTANT bigint[] :=
        ARRAY (SELECT d.round_id
                 FROM casino.correction_decision d
                WHERE casino_internal.of_days(d.decided_at, d.recorded_at, since, until) AND d.version
                    IS NOT NULL);
BEGIN
    IF numbers = '{}' THEN
        RETURN;
    END IF;
    -- proposed after the evaluation and decided afterwards; the outcome is that of the document
    RETURN QUERY
        SELECT x.rule, NULL::bigint, c.round_id, NULL::bigint, x.expected, x.found,
               jsonb_build_object('correction_no', c.correction_no)
          FROM casino.round_correction c
          LEFT JOIN casino.correction_decision d ON d.correction_no = c.correction_no
          LEFT JOIN casino.round r ON r.round_id = c.round_id
          LEFT JOIN casino.correction_decision e ON e.round_id = d.round_id AND e.version = d.version + 1
          LEFT JOIN casino.game_plan p ON p.plan_id = r.plan_id
          LEFT JOIN casino.game g ON g.game = p.game
         CROSS JOIN LATERAL (SELECT coalesce(jsonb_object_agg(u.rule, u.value), '{}') AS rules
                               FROM casino.plan_rule u
                              WHERE u.plan_id = r.plan_id OFFSET 0) k
         CROSS JOIN LATERAL (SELECT CASE WHEN e.former IS NULL
                                         THEN format('%s: %s', r.void_ground, r.void_reason)
                                         ELSE format('%s: %s', e.former ->> 'void_ground',
                                                     e.former ->> 'void_reason') END AS ground) v
         CROSS JOIN LATERAL (VALUES
               ('order', 'evaluated, proposed and decided in this order',
                concat_ws(', ', r.evaluated_at, c.proposed_at, d.decided_at),
                r.evaluated_at IS NULL OR c.proposed_at < r.evaluated_at OR d.decided_at < c.proposed_at),
               ('document', 'the outcome of the document', c.outcome::text,
                c.outcome IS DISTINCT FROM casino.canonical_outcome(g.family, k.rules, c.outcome_document)),
               -- R11.41: the round, or the version after, has the ground and the words of the proposal
               ('ground', format('%s: %s', c.ground, c.reason), v.ground,
                d.status = 'voided' AND v.ground IS DISTINCT FROM format('%s: %s', c.ground, c.reason)),
               ('ground', 'a ground of the game plan where it is void, else none', coalesce(c.ground, 'none'),
                CASE WHEN c.outcome IS NULL THEN NOT casino.has_ground(r.plan_id, c.ground)
                     ELSE c.ground IS NOT NULL END))
               x (rule, expected, found, holds)
         WHERE c.correction_no = ANY (numbers) AND x.holds
        UNION ALL
        -- the version before: of the round as it was, with the figures of the decision before
        SELECT 'former', NULL, d.round_id, NULL, b.figures, f.figures,
               jsonb_build_object('correction_no', d.correction_no)
          FROM casino.correction_decision d
          LEFT JOIN casino.correction_decision e ON e.round_id = d.round_id AND e.version = d.version - 1
         CROSS JOIN LATERAL (SELECT concat_ws(' ', e.status, e.wagers, e.players, e.staked, e.paid))
               b (figures)
         CROSS JOIN LATERAL (SELECT concat_ws(' ', d.former ->> 'status', d.former ->> 'wagers',
                                              d.former ->> 'players', d.former ->> 'staked',
                                              d.former ->> 'paid')) f (figures)
         WHERE d.round_id = ANY (rounds)
           AND (d.former ->> 'status' IN ('settled', 'withheld', 'voided') IS NOT TRUE
                OR NOT d.former ?& '{outcome,document,wagers,players,staked,paid}'
                OR d.version > 1 AND e.round_id IS NULL
                -- a round that was withheld may have been paid or voided since
                OR e.status IN ('settled', 'voided') AND b.figures <> f.figures)
        UNION ALL
        -- a payout of the first evaluation bears its time (R12.12); withheld winnings, that of the payment
        SELECT 'time', l.player_id, l.round_id, l.entry_no, r.evaluated_at::text, l.posted_at::text,
               jsonb_build_object('stake', l.stake_entry_no)
          FROM casino.round r
          JOIN casino.ledger s ON s.round_id = r.round_id AND s.kind = 'stake'
         -- by the stake, because no index of the ledger leads from a round to its payouts
         CROSS JOIN LATERAL (SELECT p.*
                               FROM casino.ledger p
                              WHERE p.player_id = s.player_id
                                AND p.stake_entry_no = s.entry_no
                             OFFSET 0) l
         WHERE r.round_id = ANY (rounds)
           AND l.kind = 'payout'
           AND r.withheld_at IS NULL
           AND l.posted_at IS DISTINCT FROM r.evaluated_at
           AND NOT EXISTS (SELECT FROM casino.withholding h
                            WHERE h.round_id = l.round_id AND h.player_id = l.player_id)
        UNION ALL
        -- kept cards are of a version that there is
        SELECT 'version', NULL, h.round_id, NULL, 'a version of the round', h.version::text, '{}'
          FROM casino.hand_version h
         WHERE h.round_id = ANY (rounds)
           AND h.version > 0
           AND NOT EXISTS (SELECT FROM casino.correction_decision d
                            WHERE d.round_id = h.round_id AND d.version = h.version);
    RETURN QUERY
        WITH last AS MATERIALIZED (
            SELECT d.round_id, max(d.version) AS version
              FROM casino.correction_decision d
             WHERE d.round_id = ANY (rounds)
             GROUP BY d.round_id),
        -- the last version kept is that which holds now
        kept AS (
            SELECT h.round_id,
                   (h.side, h.seat, h.group_no, h.hand, h.cards, h.surrendered, h.folded, h.even_money,
                    h.even_money_players, h.players)::text AS hand
              FROM casino.hand_version h
              JOIN last l ON l.round_id = h.round_id AND l.version = h.version
             WHERE h.round_id = ANY (rounds)),
        now AS (
            SELECT h.round_id,
                   (h.side, h.seat, h.group_no, h.hand, h.cards, h.surrendered, h.folded, h.even_money,
                    h.even_money_players, h.players)::text AS hand
              FROM casino.dealt_hand h
             WHERE h.round_id = ANY (rounds)
               AND h.round_id IN (SELECT k.round_id FROM kept k)),
        -- earlier ones are those of the outcome that was corrected
        former AS (
            SELECT d.round_id, d.version - 1 AS version, d.former -> 'outcome' AS outcome
              FROM casino.correction_decision d
             -- no cards are kept of a version that was void: those of the version before it are there
             WHERE d.round_id = ANY (rounds) AND d.version IS NOT NULL AND d.former ->> 'status' <> 'voided'),
        told AS (
            SELECT f.round_id, f.version, k.side, nullif(f.outcome ->> k.side, '') AS cards
              FROM former f
             CROSS JOIN unnest(ARRAY['player', 'banker', 'dealer', 'board']) k (side)
             WHERE jsonb_typeof(f.outcome -> k.side) = 'string'
            UNION ALL
            SELECT f.round_id, f.version, 'box ' || coalesce(b.value ->> 'seat', '0'),
                   nullif(b.value ->> 'cards', '')
              FROM former f
             CROSS JOIN LATERAL jsonb_array_elements(coalesce(f.outcome -> 'hands', f.outcome -> 'seats')) b),
        lay AS (
            SELECT h.round_id, h.version,
                   CASE WHEN h.side = 'box' THEN 'box ' || h.seat
                        WHEN (h.seat, h.group_no, h.hand) = (0, 0, 1) THEN h.side
                        ELSE concat_ws(' ', h.side, h.seat, h.group_no, h.hand) END AS side,
                   h.cards::text AS cards
              FROM casino.hand_version h
              JOIN former f ON f.round_id = h.round_id AND f.version = h.version
             WHERE h.round_id = ANY (rounds) AND casino.card_count(h.cards) > 0)
        SELECT 'cards', NULL::bigint, x.round_id, NULL::bigint, x.expected, x.found, '{}'::jsonb
          FROM (SELECT coalesce(n.round_id, k.round_id) AS round_id, n.hand AS expected, k.hand AS found
                  FROM now n
                  FULL JOIN kept k ON k.round_id = n.round_id AND k.hand = n.hand
                 WHERE n.hand IS NULL OR k.hand IS NULL
                UNION ALL
                SELECT coalesce(t.round_id, y.round_id), t.cards, y.cards
                  FROM (SELECT v.round_id, v.version, v.side,
                               string_agg(v.cards, ', ' ORDER BY v.cards) AS cards
                          FROM told v
                         WHERE v.cards IS NOT NULL
                         GROUP BY v.round_id, v.version, v.side) t
                  FULL JOIN (SELECT v.round_id, v.version, v.side,
                                    string_agg(v.cards, ', ' ORDER BY v.cards) AS cards
                               FROM lay v
                              GROUP BY v.round_id, v.version, v.side) y
                    ON y.round_id = t.round_id AND y.version = t.version AND y.side = t.side
                 WHERE t.cards IS DISTINCT FROM y.cards) x
        UNION ALL
        -- hands of a box are numbered from 1
        SELECT 'cards', NULL, h.round_id, NULL, 'a hand of the number before', h.hand::text, '{}'
          FROM casino.hand_version h
         WHERE h.round_id = ANY (rounds)
           AND (h.hand < 1 OR h.group_no < 0
                OR h.hand > 1
                   AND NOT EXISTS (SELECT FROM casino.hand_version b
                                    WHERE (b.round_id, b.version, b.side) = (h.round_id, h.version, h.side)
                                      AND (b.seat, b.group_no, b.hand) = (h.seat, h.group_no, h.hand - 1))
                OR h.group_no > 1
                   AND NOT EXISTS (SELECT FROM casino.hand_version b
                                    WHERE (b.round_id, b.version, b.side) = (h.round_id, h.version, h.side)
                                      AND (b.seat, b.group_no) = (h.seat, h.group_no - 1))
                OR h.group_no > 0 AND h.hand = 1 AND h.players = '{}');
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_correction_records(timestamptz, timestamptz)
    IS 'Part of the reconciliation, check correction: proposals, decisions and kept cards against each other';

CREATE FUNCTION casino_internal.check_correction(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    one bigint;
BEGIN
    -- each entry belongs to a correction of its round that is in force, and to a stake there
    RETURN QUERY
        SELECT 'of_nothing', l.player_id, l.round_id, l.entry_no, 'no correction', l.amount::text,
               jsonb_build_object('correction_no', l.correction_no, 'stake', l.stake_entry_no)
          FROM (SELECT x.*
                  FROM casino.ledger x
                 WHERE casino_internal.of_days(x.posted_at, x.recorded_at, since, until)
                OFFSET 0) l
         WHERE l.kind = 'correction'
           AND NOT EXISTS (SELECT FROM casino.correction_decision d
                             JOIN casino.ledger s ON s.player_id = l.player_id
                                 AND s.entry_no = l.stake_entry_no AND s.kind = 'stake'
                                     AND s.round_id = l.round_id
                            WHERE d.correction_no = l.correction_no AND d.round_id = l.round_id
                                AND d.version IS NOT NULL)
        UNION ALL
        -- in the player's favour: within 30 days of the first evaluation, or a breach (D4 §11.1, R7.86)
        SELECT 'unrecorded', l.player_id, l.round_id, l.entry_no, 'a breach winnings_late', 'none',
               jsonb_build_object('amount', l.amount, 'evaluated_at', r.evaluated_at)
          FROM (SELECT x.*
                  FROM casino.ledger x
                 WHERE casino_internal.of_days(x.posted_at, x.recorded_at, since, until)
                OFFSET 0) l
          JOIN casino.round r ON r.round_id = l.round_id
         WHERE l.kind = 'correction'
           AND l.amount > 0
           AND casino_internal.judged_at(l.posted_at, l.recorded_at) >= casino.winnings_due_at(r.evaluated_at)
           AND NOT EXISTS (SELECT FROM casino.breach b
                           WHERE b.player_id = l.player_id AND b.entry_no = l.stake_entry_no
                               AND b.rule = 'winnings_late')
        UNION ALL
        -- a second person, and the approved correction
        SELECT x.rule, NULL, d.round_id, NULL, x.expected, x.found,
               jsonb_build_object('correction_no', d.correction_no)
          FROM casino.correction_decision d
          LEFT JOIN casino.round_correction c ON c.correction_no = d.correction_no
          LEFT JOIN LATERAL (SELECT count(*) AS entries, coalesce(sum(l.amount), 0.00) AS posted
                               FROM casino.ledger l
                                   WHERE l.round_id = d.round_id AND l.kind = 'correction'
                                       AND l.correction_no = d.correction_no) e ON true
          LEFT JOIN LATERAL (SELECT coalesce(sum(m.amount), 0.00) AS claimed FROM casino.claim m
                             WHERE m.correction_no = d.correction_no) m ON true
         CROSS JOIN LATERAL (VALUES ('approval', 'approved by a second person', 'by the one who proposed it',
                                     d.version IS NOT NULL
                                         AND (c.recorded_by IS NULL
                                              OR casino_internal.same_eyes(c.recorded_by, d.recorded_by)
                                                  IS NOT NULL)),
                                    ('proposal', 'a proposal for the round', 'none',
                                     c.round_id IS DISTINCT FROM d.round_id),
                                    ('posted', concat_ws(' ', d.entries, d.posted, d.claimed),
                                     concat_ws(' ', e.entries, e.posted, m.claimed),
                                     (d.entries, d.posted, d.claimed) IS DISTINCT FROM (e.entries, e.posted,
                                             m.claimed))) x (rule, expected, found, holds)
         WHERE casino_internal.of_days(d.decided_at, d.recorded_at, since, until) AND x.holds
        UNION ALL
        SELECT 'claim', m.player_id, m.round_id, m.stake_entry_no, 'no claim', m.amount::text,
               jsonb_build_object('claim_no', m.claim_no)
          FROM casino.claim m
         WHERE casino_internal.of_days(m.claimed_at, m.recorded_at, since, until)
           AND NOT EXISTS (SELECT FROM casino.correction_decision d
                            WHERE d.correction_no = m.correction_no
                              AND d.round_id = m.round_id
                              AND d.decided_at = m.claimed_at
                              AND d.version IS NOT NULL);
    RETURN QUERY SELECT f.* FROM casino_internal.check_correction_records(since, until) f;
    FOR one IN SELECT d.round_id FROM casino.correction_decision d
        WHERE d.version IS NOT NULL AND casino_internal.of_days(d.decided_at, d.recorded_at, since, until)
               UNION
               SELECT l.round_id FROM casino.ledger l
                 JOIN casino.correction_decision d ON d.round_id = l.round_id AND d.version IS NOT NULL
                WHERE casino_internal.of_days(l.posted_at, l.recorded_at, since, until)
                    AND l.kind IN ('payout', 'correction', 'refund')
               UNION
               SELECT m.round_id FROM casino.claim_end e JOIN casino.claim m ON m.claim_no = e.claim_no
                WHERE casino_internal.of_days(e.ended_at, e.recorded_at, since, until)
               ORDER BY 1 LOOP
        BEGIN
            RETURN QUERY SELECT f.* FROM casino_internal.check_correction_of(ARRAY[one]) f;
        EXCEPTION WHEN OTHERS THEN
            RETURN NEXT ('error', NULL, one, NULL, 'the round can be evaluated', SQLSTATE || ': ' || SQLERRM,
                         '{}')::casino.finding;
        END;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_correction(date, date) IS
    'Part of the reconciliation, check correction: corrections of results are approved by a second person, '
    'post what the last version gives, and what they could not take is claimed';
