-- Play of the operator's other products, which counts in the same limits (D4 §6.5).

CREATE FUNCTION casino_internal.install_other_play() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.other_play (
        player_id   bigint NOT NULL,
        play_no     bigint NOT NULL,
        product     text NOT NULL CHECK (btrim(product, E' \t\r\n') <> '' AND octet_length(product) <= 100),
        staked      numeric NOT NULL CHECK (staked >= 0 AND staked <= 1000000000000),
        result      numeric NOT NULL CHECK (abs(result) <= 1000000000000),
        request_id  text CHECK (btrim(request_id, E' \t\r\n') <> '' AND octet_length(request_id) <= 200),
        played_at   timestamptz NOT NULL CHECK (isfinite(played_at)),
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, play_no),
        CHECK (result >= - staked)
    );
    CREATE UNIQUE INDEX other_play_request ON casino.other_play (player_id, request_id)
        WHERE request_id IS NOT NULL;
    COMMENT ON INDEX casino.other_play_request IS 'A request of a player is counted once';
    COMMENT ON TABLE casino.other_play
        IS 'Append-only: play of the operator''s other products that counts in the player''s limits here; '
           'no money of this ledger';
    COMMENT ON COLUMN casino.other_play.player_id IS 'Player';
    COMMENT ON COLUMN casino.other_play.play_no IS 'Counts the player''s rows from 1';
    COMMENT ON COLUMN casino.other_play.product IS 'The operator''s name of the product';
    COMMENT ON COLUMN casino.other_play.staked IS 'CZK staked';
    COMMENT ON COLUMN casino.other_play.result
        IS 'CZK net result of the player: positive what he won, negative what he lost';
    COMMENT ON COLUMN casino.other_play.request_id
        IS 'The client''s key of the request, of the same keys as those of ledger entries';
    COMMENT ON COLUMN casino.other_play.played_at
        IS 'When it was played: it counts in the Prague day and month of this time';
    COMMENT ON COLUMN casino.other_play.recorded_at IS 'When it was written';

    PERFORM casino_internal.make_append_only('other_play');
    PERFORM casino_internal.make_recorded('other_play');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_other_play()
    IS 'Part of casino.install(): play of other products';

CREATE FUNCTION casino.count_other_play(player_id bigint, product text, staked numeric, result numeric,
                                        request_id text DEFAULT NULL,
                                        at timestamptz DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_count_other_play' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.count_other_play(bigint, text, numeric, numeric, text, timestamptz)
    IS 'Counts play of another product of the operator in the player''s limits, on the Prague day of its '
       'own time, which may be long ago: it has happened and is never refused for a limit or an '
       'exclusion. Counted more than a minute late it is a difference dated_back of the night (R7.105). '
       'Returns its number, the same again for the same request';

CREATE FUNCTION casino.may_stake_elsewhere(player_id bigint, product text, amount numeric, request_id text)
RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_may_stake_elsewhere' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.may_stake_elsewhere(bigint, text, numeric, text)
    IS 'Judge a stake in another product of the operator before the play, by exclusions and self-limits, and '
       'book the stake, as lost until count_other_play() adds a win. Return its number, the same again for '
       'the same request';

CREATE FUNCTION casino.try_may_stake_elsewhere(player_id bigint, product text, amount numeric,
                                               request_id text,
                                               OUT accepted boolean, OUT play_no bigint, OUT code text,
                                               OUT message text, OUT detail text, OUT reason text,
                                               OUT data jsonb) RETURNS record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.try_may_stake_elsewhere(bigint, text, numeric, text)
    IS 'may_stake_elsewhere() that returns a refusal as a row, and records it in casino.refusal, instead of '
       'failing';

CREATE FUNCTION casino_internal.try_may_stake_elsewhere_impl(player_id bigint, product text, amount numeric,
                                                             request_id text,
                                                             OUT accepted boolean, OUT play_no bigint,
                                                                 OUT code text,
                                                             OUT message text, OUT detail text,
                                                                 OUT reason text,
                                                             OUT data jsonb) RETURNS record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    told text;
BEGIN
    BEGIN
        play_no := casino.may_stake_elsewhere(player_id, product, amount, request_id);
        accepted := true;
        RETURN;
    EXCEPTION WHEN OTHERS THEN
        IF NOT casino_internal.is_refusal(SQLSTATE) THEN
            RAISE;
        END IF;
        GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
            detail = PG_EXCEPTION_DETAIL, reason = CONSTRAINT_NAME, told = PG_DATATYPE_NAME;
        data := casino_internal.refusal_data(reason, told);
    END;
    accepted := false;
    PERFORM casino_internal.record_refusal(player_id, 'stake_elsewhere', NULL, code, message, detail, reason,
                                           data,
                                           request_id => request_id, amount => amount);
END
$fn$;
COMMENT ON FUNCTION casino_internal.try_may_stake_elsewhere_impl(bigint, text, numeric, text)
    IS 'Body of try_may_stake_elsewhere(), run as the owner of the ledger';
