-- Persons and their accounts. One person must be one text: what looks the same on a screen is the same here,
-- or refused (R7.31). What callers do on tables that they may not touch themselves is run as the owner of the
-- ledger: the function they call is C and its body has the same name with _impl. No function is SECURITY
-- DEFINER.

CREATE FUNCTION casino_internal.install_players() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.person (
        external_ref text PRIMARY KEY CHECK (external_ref = casino.canonical_ref(external_ref)
                                             AND octet_length(external_ref) <= 200),
        accounts     integer NOT NULL CHECK (accounts > 0),
        salt         bytea CHECK (octet_length(salt) = 32),
        token        text NOT NULL,
        -- R7.97: only an erased person has lost the salt
        CHECK (salt IS NOT NULL OR external_ref = token)
    );
    COMMENT ON TABLE casino.person
        IS 'Natural persons by the operator''s reference; one may open accounts one after another';
    COMMENT ON COLUMN casino.person.external_ref
        IS 'The operator''s reference of the person, in the form of casino.canonical_ref()';
    COMMENT ON COLUMN casino.person.accounts IS 'Accounts opened so far';
    COMMENT ON COLUMN casino.person.salt IS 'Random bytes; NULL: erased';
    COMMENT ON COLUMN casino.person.token
        IS 'SHA-256 of salt and external_ref, which seals cover; the external_ref of a person who was erased';

    CREATE SEQUENCE casino.player_id_seq AS bigint;
    COMMENT ON SEQUENCE casino.player_id_seq IS 'Numbers of players, drawn by register_player()';

    CREATE TABLE casino.player (
        player_id      bigint PRIMARY KEY,
        external_ref   text NOT NULL REFERENCES casino.person,
        registered_at  timestamptz NOT NULL,
        balance        numeric NOT NULL DEFAULT 0 CHECK (balance >= 0 AND balance < 'Infinity'),
        last_entry_no  bigint NOT NULL DEFAULT 0,
        last_posted_at timestamptz NOT NULL DEFAULT '-infinity',
        last_round_id  bigint,
        sequence_started_at          timestamptz,
        previous_round_id            bigint,
        previous_sequence_started_at timestamptz,
        excluded_until timestamptz,
        limited        boolean NOT NULL DEFAULT false,
        closed_at      timestamptz,
        registered_by  integer NOT NULL,
        closed_by      integer
    ) WITH (fillfactor = 70);
    -- player_id: by the key alone the planner would read all players before one where it knows no statistics
    CREATE INDEX player_external_ref ON casino.player (external_ref, player_id);
    COMMENT ON INDEX casino.player_external_ref IS 'Finds the accounts of a person';
    COMMENT ON TABLE casino.player
        IS 'One row a player: all that a stake must know of him. Only the ledger writes it';
    COMMENT ON COLUMN casino.player.player_id IS 'Number of the player''s account';
    COMMENT ON COLUMN casino.player.external_ref IS 'The operator''s reference of the person';
    COMMENT ON COLUMN casino.player.registered_at IS 'When the account was opened';
    COMMENT ON COLUMN casino.player.balance IS 'CZK in the wallet: the sum of the player''s ledger entries';
    COMMENT ON COLUMN casino.player.last_entry_no IS 'Number of the last ledger entry';
    COMMENT ON COLUMN casino.player.last_posted_at
        IS 'Latest time of a ledger entry; no later entry may be dated before it';
    COMMENT ON COLUMN casino.player.last_round_id IS 'Last live round he has a stake in (D4 §8)';
    COMMENT ON COLUMN casino.player.sequence_started_at
        IS 'First stake of the betting sequence that round belongs to (D4 §8.5)';
    COMMENT ON COLUMN casino.player.previous_round_id
        IS 'last_round_id before that round: his stakes in it may all be returned before betting closes';
    COMMENT ON COLUMN casino.player.previous_sequence_started_at IS 'sequence_started_at before that round';
    COMMENT ON COLUMN casino.player.excluded_until IS 'Latest end of his exclusions (D4 §6.2)';
    COMMENT ON COLUMN casino.player.limited IS 'He has set limits: casino.limit_state has his row';
    COMMENT ON COLUMN casino.player.closed_at IS 'When the account was closed';
    COMMENT ON COLUMN casino.player.registered_by IS 'Who opened the account: casino.recorder';
    COMMENT ON COLUMN casino.player.closed_by IS 'Who closed the account: casino.recorder';
    -- not on every UPDATE: a settlement updates all its players
    CREATE TRIGGER record_who BEFORE INSERT OR UPDATE OF registered_at, registered_by, closed_at, closed_by
        ON casino.player FOR EACH ROW
        EXECUTE FUNCTION casino_internal.record_who(
            'registered_at', 'registered_by', '',
            'closed_at', 'closed_by', '');
    COMMENT ON TRIGGER record_who ON casino.player IS 'Fills in who opened and closed the account';

    CREATE TRIGGER player_guard BEFORE UPDATE OR DELETE OR TRUNCATE ON casino.player
        FOR EACH STATEMENT EXECUTE FUNCTION casino_internal.player_guard();
    COMMENT ON TRIGGER player_guard ON casino.player
        IS 'Only the ledger changes what the ledger keeps; players are never deleted';
    CREATE TRIGGER player_cell BEFORE INSERT ON casino.player
        FOR EACH ROW EXECUTE FUNCTION casino_internal.player_cell();
    COMMENT ON TRIGGER player_cell ON casino.player IS 'A cell has players of its own numbers only';
    PERFORM casino_internal.refuse_truncate('person');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_players()
    IS 'Part of casino.install(): persons and their accounts';

CREATE FUNCTION casino_internal.player_guard() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_player_guard' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.player_guard()
    IS 'Trigger of casino.player: only the ledger changes players';

CREATE FUNCTION casino.canonical_ref(external_ref text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN casino_internal.canonical_text(external_ref, 'external_ref');
END
$fn$;
COMMENT ON FUNCTION casino.canonical_ref(text)
    IS 'The form of an external_ref by which a person is known: Unicode NFC, without white space at its '
       'ends; one that is empty or contains control or invisible characters is refused (22023)';

-- Locks a player's row, so that what is decided next stays true.
CREATE FUNCTION casino_internal.refuse_unknown_player(player_id bigint) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_refuse_unknown_player' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.refuse_unknown_player(bigint)
    IS 'Part of functions that ask for a player: 23503, in a cell naming the cell that his number is of';

CREATE FUNCTION casino_internal.lock_player(player_id bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF player_id IS NULL THEN
        RAISE EXCEPTION 'player_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM FROM casino.player p WHERE p.player_id = lock_player.player_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM casino_internal.refuse_unknown_player(player_id);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.lock_player(bigint)
    IS 'Locks a player''s row until the end of the transaction; 22004 for NULL, 23503 for an unknown player';

CREATE FUNCTION casino.register_player(external_ref text) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.register_player(text)
    IS 'Opens an account for a person, known by canonical_ref(external_ref), and returns its number; the '
       'same person again returns the same number while that account is open';

CREATE FUNCTION casino_internal.register_player_impl(external_ref text) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN casino_internal.open_account(external_ref, '{}');
END
$fn$;
COMMENT ON FUNCTION casino_internal.register_player_impl(text)
    IS 'Body of register_player(), run as the owner of the ledger';

-- numbers: those that the hub of this cell has of the person (R12.100)
CREATE FUNCTION casino_internal.open_account(external_ref text, numbers bigint[]) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    person_ref CONSTANT text := casino.canonical_ref(external_ref);
    id bigint;
    former bigint;
    closed timestamptz;
BEGIN
    IF person_ref IS NULL THEN
        RAISE EXCEPTION 'external_ref must not be empty' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino_internal.bounded(person_ref, 'external_ref', 200);
    LOOP
        -- two registrations at once meet at the person's row
        INSERT INTO casino.person AS p VALUES (person_ref, 1) ON CONFLICT DO NOTHING;
        IF FOUND THEN
            id := coalesce(casino_internal.number_given_before(numbers, 0),
                           casino_internal.next_player_id());
            INSERT INTO casino.player (player_id, external_ref, registered_at)
            VALUES (id, person_ref, clock_timestamp());
            RETURN id;
        END IF;
        PERFORM FROM casino.person p WHERE p.external_ref = person_ref FOR UPDATE;
        -- R7.99: erased while this call waited, so the reference is another person's
        EXIT WHEN FOUND;
    END LOOP;
    -- the token is that of a person who had another reference (R7.99)
    IF EXISTS (SELECT FROM casino.person p WHERE p.external_ref = person_ref AND p.token = person_ref) THEN
        RAISE EXCEPTION 'external_ref must not be a token' USING ERRCODE = 'invalid_parameter_value',
            DETAIL = 'The person was erased.';
    END IF;
    SELECT p.player_id, p.closed_at INTO STRICT id, closed FROM casino.player p
     WHERE p.external_ref = person_ref ORDER BY p.player_id DESC LIMIT 1;
    IF closed IS NOT NULL THEN
        PERFORM casino_internal.refuse_moved(id);
        UPDATE casino.person p SET accounts = p.accounts + 1 WHERE p.external_ref = person_ref;
        former := id;
        -- what is known of the former account now stays true: an exclusion of it since our snapshot is 40001
        PERFORM casino_internal.lock_player(former);
        id := coalesce(casino_internal.number_given_before(numbers, former),
                       casino_internal.next_player_id());
        -- with the betting sequence, which is the person's too: another account is no way around the break
        -- (D4 §8.3)
        INSERT INTO casino.player (player_id, external_ref, registered_at, last_round_id, sequence_started_at)
        SELECT id, p.external_ref, clock_timestamp(), p.last_round_id, p.sequence_started_at
          FROM casino.player p WHERE p.player_id = former;
        PERFORM casino_internal.inherit_duties(former, id, closed);
    END IF;
    RETURN id;
END
$fn$;
COMMENT ON FUNCTION casino_internal.open_account(text, bigint[])
    IS 'Part of register_player(): the open account of a person, or a new one. numbers: those of the '
       'person''s accounts before this cell was put back';

CREATE FUNCTION casino_internal.inherit_duties(former bigint, player_id bigint, closed_at timestamptz)
    RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    ends timestamptz;
BEGIN
    -- exclusions are of the person, whatever the account
    INSERT INTO casino.exclusion (player_id, exclusion_no, source, excluded_from, excluded_until, recorded_at,
                                  effective_from)
    SELECT inherit_duties.player_id, row_number() OVER (ORDER BY e.exclusion_no), e.source, e.excluded_from,
           e.excluded_until, clock_timestamp(), e.effective_from
      FROM casino.exclusion_period e
     WHERE e.player_id = former AND e.excluded_until > clock_timestamp();
    SELECT max(e.excluded_until)
      INTO ends
      FROM casino.exclusion e
     WHERE e.player_id = inherit_duties.player_id;
    IF ends IS NOT NULL THEN
        PERFORM casino_internal.note_exclusion(player_id, ends);
    END IF;
    -- within seven calendar days a new account must not be a way around the waiting time (Act 186/2016 §14a,
    -- R7.30)
    IF (SELECT p.registered_at FROM casino.player p WHERE p.player_id = inherit_duties.player_id)
           < casino_internal.limits_pass_until(inherit_duties.closed_at)
       AND EXISTS (SELECT FROM casino.limit_state s WHERE s.player_id = former) THEN
        INSERT INTO casino.player_limit
        SELECT inherit_duties.player_id, l.limit_no, l.measure, l.period, l.amount, l.requested_at,
               l.effective_from, clock_timestamp()
          FROM casino.player_limit l WHERE l.player_id = former;
        INSERT INTO casino.limit_state (player_id, day, staked_day, lost_day, month, staked_month, lost_month,
                                        open_staked)
        SELECT inherit_duties.player_id, s.day, s.staked_day, s.lost_day, s.month, s.staked_month,
               s.lost_month, s.open_staked
          FROM casino.limit_state s WHERE s.player_id = former;
        PERFORM casino_internal.note_limits(player_id, clock_timestamp());
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.inherit_duties(bigint, bigint, timestamptz)
    IS 'Part of register_player(): exclusions, and within seven calendar days limits and counters, pass to '
       'the person''s new account';

CREATE FUNCTION casino_internal.note_closing(player_id bigint, at timestamptz) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_note_closing' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.note_closing(bigint, timestamptz)
    IS 'Part of close_account(): the account is closed';

CREATE FUNCTION casino.close_account(player_id bigint, at timestamptz DEFAULT NULL) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.close_account(bigint, timestamptz)
    IS 'Closes a player''s account, which must be empty; the person may open another one';

CREATE FUNCTION casino_internal.close_account_impl(player_id bigint, at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    account casino.player;
    closing timestamptz;
    paid timestamptz;
BEGIN
    PERFORM casino_internal.lock_player(player_id);
    SELECT p.* INTO account FROM casino.player p WHERE p.player_id = close_account_impl.player_id;
    IF account.closed_at IS NOT NULL THEN
        RETURN;
    END IF;
    closing := casino_internal.event_time(at, account.last_posted_at);
    IF account.balance <> 0
       OR EXISTS (SELECT FROM casino.open_withdrawal o WHERE o.player_id = account.player_id)
       -- rounds of books that were put away have ended (R12.52)
       OR EXISTS (SELECT FROM casino.wager w
                   WHERE w.player_id = account.player_id AND w.status IN ('open', 'withheld')
                     AND w.round_id > (SELECT casino_internal.last_round_away())) THEN
        RAISE EXCEPTION 'the account of player % cannot be closed', player_id
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = format('The balance is %s CZK; open wagers, withheld winnings and pending '
                                  'withdrawals must be ended first.',
                                  account.balance);
    END IF;
    -- the cash limit is the person's: another account must not start it afresh (D4 §11.2 a)
    SELECT max(l.posted_at) INTO paid FROM casino.ledger l
     WHERE l.player_id = account.player_id
       AND l.kind = 'cash_paid'
       AND l.posted_at > closing - make_interval(hours => casino.duty_number('cash_window',
           closing)::integer);
    IF paid IS NOT NULL THEN
        RAISE EXCEPTION 'the account of player % cannot be closed yet', player_id
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = format('Cash was paid at %s and counts for %s hours (D4 §11.2 a).', paid,
                                  casino.duty_number('cash_window', closing));
    END IF;
    PERFORM casino_internal.note_closing(player_id, closing);
END
$fn$;
COMMENT ON FUNCTION casino_internal.close_account_impl(bigint, timestamptz)
    IS 'Body of close_account(), run as the owner of the ledger';
