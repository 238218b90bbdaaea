-- Facts of a round: who dealt from which shoe in which shift, where the video is; why a round was void or
-- withheld.

-- Facts from the floor: opaque tokens, never the name of a person (R11.42).
CREATE FUNCTION casino_internal.round_facts(facts jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    odd text;
    told jsonb;
BEGIN
    IF facts IS NULL THEN
        RETURN NULL;
    END IF;
    IF jsonb_typeof(facts) <> 'object' THEN
        RAISE EXCEPTION 'facts must be a JSON object' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT k INTO odd FROM jsonb_object_keys(facts) k
     WHERE k NOT IN ('dealer', 'shoe', 'shift', 'video') ORDER BY k LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'unknown fact "%" of a round', left(odd, 64)
            USING ERRCODE = 'invalid_parameter_value',
                  DETAIL = 'Facts of a round are dealer, shoe, shift and video.';
    END IF;
    SELECT k INTO odd FROM jsonb_each(facts) f (k, v)
     WHERE jsonb_typeof(v) <> 'string' OR btrim(v #>> '{}') = '' ORDER BY k LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'fact "%" of a round must be a text', odd
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT jsonb_object_agg(f.k,
                            casino_internal.bounded(casino_internal.canonical_text(f.v #>> '{}', f.k), f.k,
                                                    200))
      INTO told
      FROM jsonb_each(facts) f (k, v);
    RETURN told;
END
$fn$;
COMMENT ON FUNCTION casino_internal.round_facts(jsonb)
    IS 'Part of open_round(): dealer, shoe, shift and video of a round in one form; NULL for none; 22023 for '
       'others, 22001 for more than 200 bytes';

-- The night asks again, and must not fail where a row was forged.
CREATE FUNCTION casino_internal.are_facts(facts jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
    RETURN CASE WHEN jsonb_typeof(facts) = 'object'
                THEN facts <> '{}' AND NOT EXISTS (
                         SELECT FROM jsonb_each(facts) f (k, v)
                          WHERE k NOT IN ('dealer', 'shoe', 'shift', 'video') OR jsonb_typeof(v) <> 'string'
                             OR btrim(v #>> '{}') = '' OR octet_length(v #>> '{}') > 200)
                ELSE false END;
COMMENT ON FUNCTION casino_internal.are_facts(jsonb)
    IS 'Part of the nightly check "record": could the facts of a round have been given so?';

CREATE FUNCTION casino.plan_grounds(plan_id bigint, OUT ground text, OUT "text" text, OUT paragraph text)
RETURNS SETOF record
LANGUAGE sql STABLE STRICT ROWS 5 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT substr(r.rule, 8), r.value, r.paragraph
      FROM casino.plan_rule r
     WHERE r.plan_id = $1 AND r.rule LIKE 'ground\_%'
$fn$;
COMMENT ON FUNCTION casino.plan_grounds(bigint)
    IS 'Grounds of a void or of a withholding that a plan version lists; besides them there is "other", '
       'which needs a reason';

CREATE FUNCTION casino.has_ground(plan_id bigint, ground text) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN coalesce(ground = 'other'
                    OR EXISTS (SELECT FROM casino.plan_grounds(plan_id) g
                                WHERE g.ground = has_ground.ground), false);
END
$fn$;
COMMENT ON FUNCTION casino.has_ground(bigint, text)
    IS 'Does the plan version list the ground, or is it "other"?';

CREATE FUNCTION casino_internal.require_ground(round_id bigint, ground text) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_require_ground' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.require_ground(bigint, text)
    IS 'Part of obey(): 22023 unless the game plan of the round lists the ground, or the ground is other';

CREATE FUNCTION casino_internal.install_facts() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE INDEX round_shoe ON casino.round ((facts ->> 'shoe'), round_id) WHERE facts ->> 'shoe' IS NOT NULL;
    COMMENT ON INDEX casino.round_shoe IS 'Finds the rounds of a shoe';
    CREATE INDEX round_dealer ON casino.round ((facts ->> 'dealer'), opened_at)
        WHERE facts ->> 'dealer' IS NOT NULL;
    COMMENT ON INDEX casino.round_dealer IS 'Finds the rounds of a dealer';
    CREATE INDEX round_void_ground ON casino.round (void_ground, voided_at) WHERE void_ground IS NOT NULL;
    COMMENT ON INDEX casino.round_void_ground IS 'Finds the rounds that are void on a ground';

    CREATE VIEW casino.round_fact AS
        SELECT r.round_id, r.table_id, t.name AS table_name, t.game, r.round_ref, r.status, r.opened_at,
               r.evaluated_at, r.facts ->> 'shoe' AS shoe, r.facts ->> 'dealer' AS dealer,
               r.facts ->> 'shift' AS shift, r.facts ->> 'video' AS video, r.void_ground, r.void_reason,
               r.voided_at, r.withheld_ground, r.withheld_reason, r.withheld_at, r.withheld_paid_at,
               r.wagers, r.staked, r.paid
          FROM casino.round r JOIN casino.game_table t ON t.table_id = r.table_id;
    COMMENT ON VIEW casino.round_fact
        IS 'Rounds with the facts that the floor has given and the ground of a void or of a withholding: '
           'rounds of a shoe, voids by dealer or by ground';
    COMMENT ON COLUMN casino.round_fact.round_id IS 'Round';
    COMMENT ON COLUMN casino.round_fact.table_id IS 'Table';
    COMMENT ON COLUMN casino.round_fact.table_name IS 'Name of the table';
    COMMENT ON COLUMN casino.round_fact.game IS 'Game';
    COMMENT ON COLUMN casino.round_fact.round_ref IS 'Round as the provider names it';
    COMMENT ON COLUMN casino.round_fact.status IS 'Status of the round';
    COMMENT ON COLUMN casino.round_fact.opened_at IS 'When it was opened';
    COMMENT ON COLUMN casino.round_fact.evaluated_at IS 'When it was evaluated or voided';
    COMMENT ON COLUMN casino.round_fact.void_ground IS 'Ground on which it was voided';
    COMMENT ON COLUMN casino.round_fact.void_reason IS 'Why it was voided';
    COMMENT ON COLUMN casino.round_fact.voided_at IS 'When it was voided';
    COMMENT ON COLUMN casino.round_fact.withheld_ground IS 'Ground on which its winnings are withheld';
    COMMENT ON COLUMN casino.round_fact.withheld_reason IS 'Why they are withheld';
    COMMENT ON COLUMN casino.round_fact.withheld_at IS 'When that was ordered';
    COMMENT ON COLUMN casino.round_fact.withheld_paid_at IS 'When withheld payouts were posted';
    COMMENT ON COLUMN casino.round_fact.wagers IS 'Wagers settled or returned';
    COMMENT ON COLUMN casino.round_fact.staked IS 'CZK staked';
    COMMENT ON COLUMN casino.round_fact.paid IS 'CZK paid, to be paid or returned';
    COMMENT ON COLUMN casino.round_fact.shoe IS 'Token of the shoe';
    COMMENT ON COLUMN casino.round_fact.dealer IS 'Token of the dealer';
    COMMENT ON COLUMN casino.round_fact.shift IS 'Token of the shift';
    COMMENT ON COLUMN casino.round_fact.video IS 'Reference of the video';

    CREATE VIEW casino.voids_by_dealer AS
        SELECT (r.voided_at AT TIME ZONE 'Europe/Prague')::date AS day, r.facts ->> 'dealer' AS dealer,
               r.void_ground AS ground,
               count(*) AS rounds, sum(r.wagers) AS wagers, sum(r.staked) AS staked
          FROM casino.round r
         WHERE r.void_ground IS NOT NULL
         GROUP BY (r.voided_at AT TIME ZONE 'Europe/Prague')::date, r.facts ->> 'dealer', r.void_ground;
    COMMENT ON VIEW casino.voids_by_dealer IS 'Void rounds by Prague day, dealer and ground';
    COMMENT ON COLUMN casino.voids_by_dealer.day IS 'Prague day of the void';
    COMMENT ON COLUMN casino.voids_by_dealer.dealer IS 'Token of the dealer; NULL: not told';
    COMMENT ON COLUMN casino.voids_by_dealer.ground IS 'Ground of the game plan, or other';
    COMMENT ON COLUMN casino.voids_by_dealer.rounds IS 'Rounds';
    COMMENT ON COLUMN casino.voids_by_dealer.wagers IS 'Wagers returned';
    COMMENT ON COLUMN casino.voids_by_dealer.staked IS 'CZK staked and returned';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_facts()
    IS 'Part of casino.install(): views and indexes of the facts of rounds';

-- D0 KARTY: the management may declare a shoe void and withhold all payments.
CREATE FUNCTION casino.withhold_shoe(shoe text, reason text, at timestamptz DEFAULT NULL,
                                     ground text DEFAULT NULL)
RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.withhold_shoe(text, text, timestamptz, text)
    IS 'Holds back what all win in the rounds of a shoe that are not settled (D0 KARTY), as '
       'withhold_winnings() of each; a round that is withheld stays as it is. Returns how many of its rounds '
       'are withheld';

-- Rounds are locked by ascending number. A round that was settled meanwhile is left (R11.43).
CREATE FUNCTION casino_internal.may_be_withheld(round_id bigint) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN EXISTS (SELECT FROM casino.round r
                    WHERE r.round_id = may_be_withheld.round_id AND r.status IN ('open', 'closed')
                      AND r.withheld_at IS NULL);
END
$fn$;
COMMENT ON FUNCTION casino_internal.may_be_withheld(bigint)
    IS 'Part of withhold_shoe(): is the round neither evaluated nor withheld?';

CREATE FUNCTION casino_internal.withhold_shoe_impl(shoe text, reason text, at timestamptz, ground text)
    RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    id bigint;
BEGIN
    IF shoe IS NULL THEN
        RAISE EXCEPTION 'shoe must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    shoe := casino_internal.canonical_text(shoe, 'shoe');
    IF NOT EXISTS (SELECT FROM casino.round r WHERE r.facts ->> 'shoe' = withhold_shoe_impl.shoe) THEN
        RAISE EXCEPTION 'no round was dealt from shoe "%"', left(shoe, 64)
            USING ERRCODE = 'foreign_key_violation',
                  HINT = 'casino.open_round() is told the shoe of each round.';
    END IF;
    FOR id IN SELECT r.round_id FROM casino.round r
               WHERE r.facts ->> 'shoe' = withhold_shoe_impl.shoe AND r.status IN ('open', 'closed')
               ORDER BY r.round_id LOOP
        CONTINUE WHEN NOT casino_internal.may_be_withheld(id);
        BEGIN
            PERFORM casino.withhold_winnings(id, NULL, reason, at, ground);
        EXCEPTION WHEN SQLSTATE 'KR002' THEN
            -- it was settled, voided or withheld while its lock was waited for
            IF casino_internal.may_be_withheld(id) THEN
                RAISE;
            END IF;
        END;
    END LOOP;
    RETURN (SELECT count(*) FROM casino.round r
             WHERE r.facts ->> 'shoe' = withhold_shoe_impl.shoe AND r.withheld_at IS NOT NULL
               AND r.status IN ('open', 'closed', 'withheld'));
END
$fn$;
COMMENT ON FUNCTION casino_internal.withhold_shoe_impl(text, text, timestamptz, text)
    IS 'Body of withhold_shoe(), run as the owner of the ledger';
