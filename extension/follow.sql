-- Bets behind copy the owner of the box (D4 Blackjack §15, R3.75): the owner's double or split places theirs
-- in the same call. Who has too little money, a limit or an exclusion stays out, and the reason is kept
-- (R3.76).

CREATE FUNCTION casino_internal.place_followed(round_id bigint, player_id bigint, bets casino.bet[],
                                               request_id text, seat integer, hand integer, at timestamptz)
RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'casino_sql_place_followed' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.place_followed(bigint, bigint, casino.bet[], text, integer, integer,
                                                   timestamptz)
    IS 'Part of place_bets(): the stakes of a bet behind, in the call of the owner of the box';

CREATE FUNCTION casino_internal.follow_owner(round_id bigint, seat bigint, player_ids bigint[],
                                             doubles boolean,
                                             splits boolean, hand integer, at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    follower record;
    code text;
    message text;
    detail text;
    reason text;
    told text;
BEGIN
    FOR follower IN
        SELECT b.player_id,
               array_agg(casino.bet(k.kind, NULL, b.staked) ORDER BY k.kind) AS bets
          FROM (SELECT s.player_id, sum(casino.stake(s.bet)) AS staked
                  FROM casino.ledger s
                 WHERE s.round_id = follow_owner.round_id
                   AND s.kind = 'stake'
                   AND s.seat = follow_owner.seat
                   AND s.player_id = ANY (player_ids)
                   AND casino.kind(s.bet) = 'behind'
                   AND NOT EXISTS (SELECT FROM casino.ledger f
                                    WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no)
                 GROUP BY s.player_id) b
          JOIN (VALUES ('double_down', doubles), ('split_pair', splits)) k (kind, placed) ON k.placed
         GROUP BY b.player_id
         ORDER BY b.player_id
    LOOP
        BEGIN
            PERFORM casino_internal.place_followed(round_id, follower.player_id, follower.bets, NULL,
                                                   seat::integer,
                                                   nullif(hand, 0), at);
        EXCEPTION WHEN OTHERS THEN
            IF NOT casino_internal.is_refusal(SQLSTATE) THEN
                RAISE;
            END IF;
            GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
                detail = PG_EXCEPTION_DETAIL, reason = CONSTRAINT_NAME, told = PG_DATATYPE_NAME;
            PERFORM casino_internal.record_refusal(follower.player_id, 'follow', at, code, message, detail,
                                                   reason,
                                                   casino_internal.refusal_data(reason, told), round_id,
                                                       follower.bets,
                                                   seat::integer, nullif(hand, 0));
        END;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.follow_owner(bigint, bigint, bigint[], boolean, boolean, integer,
                                                 timestamptz)
    IS 'Part of place_bets(): the bets behind a box follow a double or split of its owner, or the reason why '
       'not is kept in casino.refusal';

CREATE FUNCTION casino_internal.followed(round_id bigint, player_id bigint, entry_nos bigint[], seat integer,
                                         hand integer) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH raised AS (
        SELECT l.entry_no, casino.kind(l.bet) AS kind, l.recorded_at
          FROM casino.ledger l
         WHERE l.player_id = followed.player_id
           AND l.entry_no = ANY (entry_nos)
           AND casino.kind(l.bet) IN ('double_down', 'split_pair')),
    -- from this stake of the owner to the next one like it: cards that were corrected give a stake back, and
    -- it may be placed again (R11.12)
    span AS (
        SELECT r.since,
               coalesce((SELECT min(l.recorded_at) FROM casino.ledger l
                          WHERE l.player_id = followed.player_id
                            AND l.round_id = followed.round_id
                            AND l.kind = 'stake'
                            AND l.entry_no > r.last
                            AND l.seat = followed.seat
                            AND coalesce(l.hand, 1) = coalesce(followed.hand, 1)
                            AND casino.kind(l.bet) IN (SELECT k.kind FROM raised k)),
                        'infinity') AS until
          FROM (SELECT min(k.recorded_at) AS since, max(k.entry_no) AS last FROM raised k) r
         WHERE r.since IS NOT NULL),
    behind AS (
        SELECT DISTINCT s.player_id FROM casino.ledger s
         WHERE s.round_id = followed.round_id
           AND s.kind = 'stake'
           AND s.seat = followed.seat
           AND s.player_id <> followed.player_id
           AND casino.kind(s.bet) = 'behind'
           AND EXISTS (SELECT FROM raised)),
    one AS (
        SELECT b.player_id, s.entry_no, f.code, f.reason
          FROM behind b
         CROSS JOIN span w
          LEFT JOIN LATERAL (SELECT min(l.entry_no) AS entry_no FROM casino.ledger l
                              WHERE l.round_id = followed.round_id
                                AND l.kind = 'stake'
                                AND l.player_id = b.player_id
                                AND l.seat = followed.seat
                                AND coalesce(l.hand, 1) = coalesce(followed.hand, 1)
                                AND casino.kind(l.bet) IN (SELECT r.kind FROM raised r)
                                AND l.recorded_at >= w.since AND l.recorded_at < w.until) s ON true
          LEFT JOIN LATERAL (SELECT r.code, r.reason FROM casino.refusal r
                              WHERE r.player_id = b.player_id
                                AND r.action = 'follow'
                                AND r.round_id = followed.round_id
                                AND r.seat = followed.seat
                                AND coalesce(r.hand, 1) = coalesce(followed.hand, 1)
                                AND EXISTS (SELECT FROM unnest(r.bets) x
                                              JOIN raised k ON k.kind = casino.kind(x))
                                AND r.recorded_at >= w.since AND r.recorded_at < w.until
                              ORDER BY r.refusal_no DESC LIMIT 1) f ON s.entry_no IS NULL
         WHERE s.entry_no IS NOT NULL OR f.code IS NOT NULL)
    SELECT jsonb_build_object('followed', jsonb_agg(jsonb_strip_nulls(to_jsonb(o)) ORDER BY o.player_id))
      FROM one o
    HAVING count(*) > 0
$fn$;
COMMENT ON FUNCTION casino_internal.followed(bigint, bigint, bigint[], integer, integer)
    IS 'Part of try_place_bets() and place_many(): bets behind that followed these stakes of the owner, a '
       'double or split, each with its entry, or with code and reason why it stayed out; NULL: none';
