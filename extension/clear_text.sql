-- Payment accounts and free references of payments, by the token of a person's reference (R7.97). The sealed
-- row has the token. casino.clear_text has the clear text and the salt, which approve_erasure() deletes
-- (R7.110 to R7.114). Guide: doc/personal-data.md.

CREATE FUNCTION casino_internal.install_clear_texts() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.clear_text (
        player_id bigint NOT NULL,
        token     text COLLATE "C" NOT NULL,
        clear     text NOT NULL CHECK (octet_length(clear) <= 200),
        salt      bytea NOT NULL CHECK (octet_length(salt) = 32),
        PRIMARY KEY (player_id, token)
    );
    COMMENT ON TABLE casino.clear_text
        IS 'Payment accounts and references of payments in clear: the rows are gone when the person is '
           'erased';
    COMMENT ON COLUMN casino.clear_text.player_id IS 'Player';
    COMMENT ON COLUMN casino.clear_text.token
        IS 'SHA-256 of salt and clear: it stands in casino.payment_account and casino.ledger, and seals '
           'cover it';
    COMMENT ON COLUMN casino.clear_text.clear IS 'The account or the reference';
    COMMENT ON COLUMN casino.clear_text.salt IS 'Random bytes';
    CREATE TRIGGER clear_text_guard BEFORE UPDATE OR DELETE ON casino.clear_text
        FOR EACH ROW EXECUTE FUNCTION casino_internal.clear_text_guard();
    COMMENT ON TRIGGER clear_text_guard ON casino.clear_text
        IS 'Refuses UPDATE, and DELETE unless the person was erased';
    PERFORM casino_internal.refuse_truncate('clear_text');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_clear_texts()
    IS 'Part of casino.install(): payment accounts and references in clear';

CREATE FUNCTION casino_internal.clear_text_guard() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF TG_OP = 'DELETE'
       AND EXISTS (SELECT FROM casino.player a
                     JOIN casino.person p ON p.external_ref = a.external_ref
                    WHERE a.player_id = OLD.player_id
                      AND p.external_ref = p.token) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% on casino.clear_text is not allowed', TG_OP
        USING ERRCODE = 'KL001', CONSTRAINT = 'ledger_immutable',
              DATATYPE = jsonb_build_object('table', TG_TABLE_NAME)::text,
              DETAIL = 'A clear text stands as it came until its person is erased.';
END
$fn$;
COMMENT ON FUNCTION casino_internal.clear_text_guard()
    IS 'Trigger of casino.clear_text: rows stand as they are until the person is erased';

-- R7.113: an account that is closed may be given money later, by a correction; no text of its payment is kept
CREATE FUNCTION casino_internal.keep_clear_text(player_id bigint, clear text) RETURNS text
LANGUAGE plpgsql VOLATILE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    salt CONSTANT bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
    token CONSTANT text := casino.person_token(clear, salt);
BEGIN
    IF EXISTS (SELECT FROM casino.player a
                 JOIN casino.erasure e ON e.external_ref = a.external_ref
                WHERE a.player_id = keep_clear_text.player_id) THEN
        RAISE EXCEPTION 'the person of player % was erased', player_id
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = 'An erased person has no account and no reference in clear.',
                  HINT = 'A payment is recorded without a reference.';
    END IF;
    INSERT INTO casino.clear_text (player_id, token, clear, salt)
    VALUES (keep_clear_text.player_id, token, keep_clear_text.clear, salt);
    RETURN token;
END
$fn$;
COMMENT ON FUNCTION casino_internal.keep_clear_text(bigint, text)
    IS 'Part of set_payment_account(), deposit() and pay_withdrawal(): keeps a text of a player in clear, '
       'and returns its token';

-- R7.112
CREATE FUNCTION casino.clear_text_of(player_id bigint, token text) RETURNS text
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce((SELECT c.clear
                       FROM casino.text_of_token c
                      WHERE c.player_id = clear_text_of.player_id
                        AND c.token = clear_text_of.token), clear_text_of.token)
$fn$;
COMMENT ON FUNCTION casino.clear_text_of(bigint, text)
    IS 'The payment account or reference of a player whose token it is; the token, when the text was erased '
       'or is another one';

CREATE FUNCTION casino_internal.fits_token(player_id bigint, token text, clear text) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino.clear_text_of(fits_token.player_id, fits_token.token) IS NOT DISTINCT FROM fits_token.clear
$fn$;
COMMENT ON FUNCTION casino_internal.fits_token(bigint, text, text)
    IS 'Part of deposit() and pay_withdrawal(): is it the text whose token an entry has';

CREATE FUNCTION casino_internal.token_of_account() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF NEW.account <> casino_internal.canonical_text(NEW.account, 'account')
        OR octet_length(NEW.account) > 64 THEN
        RAISE EXCEPTION 'account must be in its canonical form and of 64 bytes at most'
            USING ERRCODE = 'check_violation';
    END IF;
    -- R7.110: each registration has an own token. A token that was pasted is the text of another row.
    IF NEW.account ~ '^[0-9a-f]{64}$' THEN
        RAISE EXCEPTION 'account must be the account itself, and not a token'
            USING ERRCODE = 'check_violation',
                  HINT = 'casino.account_in_clear and casino.payment_in_clear have the texts of tokens.';
    END IF;
    -- R7.113: an erasure that is under way is waited for
    PERFORM FROM casino.player p WHERE p.player_id = NEW.player_id FOR NO KEY UPDATE;
    NEW.account := casino_internal.keep_clear_text(NEW.player_id, NEW.account);
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino_internal.token_of_account()
    IS 'Trigger of casino.payment_account: keeps the account in clear, and writes the token';

CREATE FUNCTION casino_internal.install_clear_text_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.text_of_token AS
        SELECT c.player_id, c.token, c.clear
          FROM casino.clear_text c
         -- R7.112: a text that was changed is not shown, least of all to who pays
         WHERE casino.person_token(c.clear, c.salt) = c.token;
    COMMENT ON VIEW casino.text_of_token
        IS 'Payment accounts and references in clear, as far as they fit their tokens';

    CREATE VIEW casino.account_in_clear AS
        SELECT a.player_id, a.account_no, coalesce(c.clear, a.account) AS account, c.clear IS NULL AS erased,
               a.registered_at, a.recorded_at, a.recorded_by
          FROM casino.payment_account a
          LEFT JOIN casino.text_of_token c ON c.player_id = a.player_id AND c.token = a.account;
    COMMENT ON VIEW casino.account_in_clear
        IS 'Registered payment accounts as they are written on a payment; after approve_erasure() the token';
    COMMENT ON COLUMN casino.account_in_clear.account IS 'Account; of an erased person the token';
    COMMENT ON COLUMN casino.account_in_clear.erased IS 'The account is not known any more: do not pay to it';

    CREATE VIEW casino.payment_in_clear AS
        SELECT l.player_id, l.entry_no, l.posted_at, l.kind, l.amount, coalesce(l.method, w.method) AS method,
               coalesce(a.clear, l.account) AS account, coalesce(r.clear, l.reference) AS reference,
               l.place, l.withdrawal_entry_no, l.recorded_at, l.recorded_by
          FROM casino.ledger l
          LEFT JOIN casino.ledger w ON w.player_id = l.player_id AND w.entry_no = l.withdrawal_entry_no
          LEFT JOIN casino.text_of_token a ON a.player_id = l.player_id AND a.token = l.account
          LEFT JOIN casino.text_of_token r ON r.player_id = l.player_id AND r.token = l.reference
         WHERE l.kind IN ('deposit', 'cash_paid', 'transfer_paid');
    COMMENT ON VIEW casino.payment_in_clear
        IS 'Money in and out with accounts and references in clear; after approve_erasure() their tokens';
    COMMENT ON COLUMN casino.payment_in_clear.method IS 'Way of the payment';
    COMMENT ON COLUMN casino.payment_in_clear.account
        IS 'Payment account a transfer went to; of an erased person the token';
    COMMENT ON COLUMN casino.payment_in_clear.reference
        IS 'Reference of the payment; of an erased person the token';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_clear_text_views()
    IS 'Part of casino.install(): payment accounts and references as people read them';
