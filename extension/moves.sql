-- Players who move to another cell (R12.110 to R12.119, doc/scale.md): the account here is closed with its
-- stream, seals and proofs as they are, and the person has another account in the other cell, with the money,
-- the exclusions, the limits and their counters.  The hub tells both cells: hub_moves.sql.

CREATE FUNCTION casino_internal.install_moves() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.account_move (
        player_id       bigint NOT NULL,
        direction       text NOT NULL CHECK (direction IN ('in', 'out')),
        cell            integer NOT NULL CHECK (cell >= 0),
        other_player_id bigint,
        amount          numeric NOT NULL CHECK (amount >= 0 AND amount < 'Infinity'),
        request_id      text NOT NULL CHECK (octet_length(request_id) <= 200),
        carried         jsonb NOT NULL CHECK (jsonb_typeof(carried) = 'object'),
        moved_at        timestamptz NOT NULL,
        recorded_at     timestamptz NOT NULL,
        PRIMARY KEY (player_id, direction),
        CHECK ((direction = 'in') = (other_player_id IS NOT NULL))
    );
    CREATE INDEX account_move_from ON casino.account_move (cell, other_player_id);
    COMMENT ON INDEX casino.account_move_from
        IS 'Finds an account of another cell, which comes here once: its person''s row is locked meanwhile';
    COMMENT ON TABLE casino.account_move
        IS 'Append-only: accounts that have left for another cell (out), or have come from one (in)';
    COMMENT ON COLUMN casino.account_move.player_id IS 'Account in this cell';
    COMMENT ON COLUMN casino.account_move.direction IS 'out: it has left; in: it has come';
    COMMENT ON COLUMN casino.account_move.cell IS 'The other cell';
    COMMENT ON COLUMN casino.account_move.other_player_id
        IS 'in: the account that it was in the other cell; out: NULL, which the other cell decides';
    COMMENT ON COLUMN casino.account_move.amount
        IS 'CZK that went with it; an adjustment of the account has this amount, unless it is 0';
    COMMENT ON COLUMN casino.account_move.request_id IS 'Request of that adjustment';
    COMMENT ON COLUMN casino.account_move.carried
        IS 'Exclusions, limits and counters of the limits that went with the account';
    COMMENT ON COLUMN casino.account_move.moved_at IS 'When it left, or came';
    COMMENT ON COLUMN casino.account_move.recorded_at IS 'When that was written';
    PERFORM casino_internal.make_append_only('account_move');
    PERFORM casino_internal.make_recorded('account_move');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_moves()
    IS 'Part of casino.install(): accounts that have moved between cells';

-- Of a former account, too: a request by its number holds for the accounts opened since (R7.19).
CREATE FUNCTION casino_internal.moved_cell(player_id bigint) RETURNS integer
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT m.cell
      FROM casino.player p
      JOIN casino.account_move m
        ON m.player_id = (SELECT max(n.player_id)
                            FROM casino.player n
                           WHERE n.external_ref = p.external_ref)
       AND m.direction = 'out'
     WHERE p.player_id = moved_cell.player_id
$fn$;
COMMENT ON FUNCTION casino_internal.moved_cell(bigint)
    IS 'Part of functions that ask for a player: the cell to which the person''s last account here has '
       'moved; NULL: the person is here';

-- R12.112: what would hold for the old account alone is refused, and the client is told where to go.
CREATE FUNCTION casino_internal.refuse_moved(player_id bigint) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    other CONSTANT integer := casino_internal.moved_cell(player_id);
BEGIN
    IF other IS NOT NULL THEN
        RAISE EXCEPTION 'player % has moved to cell %', player_id, other
            USING ERRCODE = 'KB004', CONSTRAINT = 'player_moved',
                  DATATYPE = jsonb_build_object('cell', other)::text,
                  HINT = format('casino.moved_to(%s) at the hub gives the number of the account there.',
                                player_id);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.refuse_moved(bigint)
    IS 'Part of functions that ask for a player: KB004 for one who has moved to another cell';

-- R12.111: why an account cannot leave now, a sentence each, which begins with its word.
CREATE FUNCTION casino_internal.move_hindrances(accounts bigint[], of_account bigint, at timestamptz)
    RETURNS SETOF text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    -- a round that is withheld as a whole may be voided: who has lost there gets the stake back
    SELECT 'wagers: wagers are open, or rounds or winnings are withheld.'
     WHERE EXISTS (SELECT
                     FROM casino.wager w
                     JOIN casino.round r ON r.round_id = w.round_id
                    WHERE w.player_id = ANY (accounts)
                      AND (w.status IN ('open', 'withheld') OR r.status = 'withheld')
                      AND w.round_id > (SELECT casino_internal.last_round_away()))
    UNION ALL
    SELECT 'withdrawal: a withdrawal is neither paid nor cancelled.'
     WHERE EXISTS (SELECT FROM casino.open_withdrawal o WHERE o.player_id = ANY (accounts))
    UNION ALL
    SELECT 'claim: a claim is not settled.'
     WHERE EXISTS (SELECT FROM casino.open_claim c WHERE c.player_id = ANY (accounts))
    UNION ALL
    SELECT 'correction: a correction of a round with a stake of the person is not decided.'
     WHERE EXISTS (SELECT
                     FROM casino.pending_correction c
                     JOIN casino.ledger l ON l.round_id = c.round_id
                    WHERE l.kind = 'stake'
                      AND l.player_id = ANY (accounts))
    UNION ALL
    SELECT format('cash: cash was paid in the last %s hours (D4 §11.2 a).',
                  casino.duty_number('cash_window', move_hindrances.at))
     WHERE EXISTS (SELECT
                     FROM casino.ledger l
                    WHERE l.player_id = ANY (accounts)
                      AND l.kind = 'cash_paid'
                      AND l.posted_at > move_hindrances.at
                              - make_interval(hours => casino.duty_number('cash_window',
                                                                          move_hindrances.at)::integer))
    UNION ALL
    -- sums of a day and of 24 hours stay in one cell
    SELECT 'today: money was moved today or in the last 24 hours.'
     WHERE EXISTS (SELECT
                     FROM casino.player p
                    WHERE p.player_id = ANY (accounts)
                      AND (p.last_posted_at > move_hindrances.at - interval '24 hours'
                           OR p.last_posted_at >= casino.day_start(casino.prague_day(move_hindrances.at))))
    UNION ALL
    SELECT 'break: a betting sequence goes on, or a break is due (D4 §8).'
     WHERE EXISTS (SELECT
                     FROM casino.explain_break(of_account, move_hindrances.at) b
                    WHERE b.code IN ('KC001', 'KC002')
                       OR b.code IS NULL AND b.until > move_hindrances.at)
    UNION ALL
    SELECT 'mistake: one of two people has said that an exclusion was a mistake.'
     WHERE EXISTS (SELECT
                     FROM casino.exclusion_mistake m
                     JOIN casino.exclusion_period e
                       ON e.player_id = m.player_id AND e.exclusion_no = m.exclusion_no
                    WHERE m.player_id = ANY (accounts)
                      AND e.ended_at IS NULL
                      AND e.excluded_until > move_hindrances.at)
    UNION ALL
    SELECT format('money: account %s, which is closed, has %s CZK.', p.player_id, p.balance)
      FROM casino.player p
     WHERE p.player_id = ANY (accounts)
       AND p.player_id <> of_account
       AND p.balance <> 0
$fn$;
COMMENT ON FUNCTION casino_internal.move_hindrances(bigint[], bigint, timestamptz)
    IS 'Part of leave_cell(): why an account of a person cannot move now, a sentence each; no row: it can';

CREATE FUNCTION casino_internal.keyed_in_by(of_account bigint, exclusion_no integer, OUT role text,
                                            OUT login text, OUT actor text) RETURNS record
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    -- of one that has come from another cell: as that cell had it
    SELECT CASE WHEN c.value IS NULL THEN r.role ELSE c.value ->> 'role' END,
           CASE WHEN c.value IS NULL THEN r.login ELSE c.value ->> 'login' END,
           CASE WHEN c.value IS NULL THEN r.actor ELSE c.value ->> 'actor' END
      FROM casino_internal.same_exclusion(of_account, exclusion_no) s
      LEFT JOIN casino.recorder r ON r.recorder_id = s.recorder
      LEFT JOIN casino.account_move m ON m.player_id = s.account AND m.direction = 'in'
      LEFT JOIN LATERAL jsonb_array_elements(m.carried -> 'exclusions') WITH ORDINALITY c (value, n)
           ON c.n = s.number
     WHERE s.place = 1
$fn$;
COMMENT ON FUNCTION casino_internal.keyed_in_by(bigint, integer)
    IS 'Part of leave_cell(): the person who recorded an exclusion first, in any account and cell';

-- R12.113: what goes with the account.  Of exclusions with those who recorded them: two other people end one
-- that was a mistake.
CREATE FUNCTION casino_internal.carried_of(of_account bigint, at timestamptz) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT jsonb_build_object(
        'exclusions',
        (SELECT coalesce(jsonb_agg(jsonb_build_object('source', e.source, 'excluded_from', e.excluded_from,
                                                      'excluded_until', e.excluded_until,
                                                      'effective_from', e.effective_from,
                                                      'role', k.role, 'login', k.login, 'actor', k.actor)
                                   ORDER BY e.exclusion_no), '[]')
           FROM casino.exclusion_period e
          CROSS JOIN LATERAL casino_internal.keyed_in_by(e.player_id, e.exclusion_no) k
          WHERE e.player_id = of_account
            AND e.excluded_until > carried_of.at),
        'limits',
        (SELECT coalesce(jsonb_agg(jsonb_build_object('limit_no', l.limit_no, 'measure', l.measure,
                                                      'period', l.period, 'amount', l.amount,
                                                      'requested_at', l.requested_at,
                                                      'effective_from', l.effective_from)
                                   ORDER BY l.limit_no), '[]')
           FROM casino.player_limit l
          WHERE l.player_id = of_account),
        'usage',
        (SELECT jsonb_build_object('day', u.day, 'staked_day', u.staked_day, 'lost_day', u.lost_day,
                                   'month', u.month, 'staked_month', u.staked_month,
                                   'lost_month', u.lost_month)
           FROM casino.limit_usage(of_account, carried_of.at) u))
$fn$;
COMMENT ON FUNCTION casino_internal.carried_of(bigint, timestamptz)
    IS 'Part of leave_cell(): exclusions that are in force at a time or will be, limits, and the '
       'counters, also of a player without limits';

-- R12.111: all or nothing, in one transaction.  Told again it says the same.  again: this cell was put back
-- to before the move, which holds also with things open here; the account is closed at once.
CREATE FUNCTION casino_internal.leave_cell(of_account bigint, to_cell integer, again boolean, told numeric,
                                           of_token text) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    here CONSTANT integer := (SELECT c.cell FROM casino.cell c);
    request CONSTANT text := format('casino: to cell %s', to_cell);
    account casino.player;
    accounts bigint[];
    move casino.account_move;
    hindrances text;
    goes numeric;
    at timestamptz;
BEGIN
    -- nobody opens another account, excludes the person or erases it meanwhile
    PERFORM FROM casino.person o
      WHERE o.external_ref = (SELECT p.external_ref FROM casino.player p WHERE p.player_id = of_account)
        FOR UPDATE;
    PERFORM casino_internal.lock_accounts_of(of_account);
    PERFORM casino_internal.lock_player(of_account);
    SELECT p.* INTO STRICT account FROM casino.player p WHERE p.player_id = of_account;
    -- R12.117: neither is another person's account closed, nor its money taken
    IF of_token <> (SELECT o.token FROM casino.person o WHERE o.external_ref = account.external_ref) THEN
        RAISE EXCEPTION 'player % is another person than the one who has moved', of_account
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = 'This cell was put back and gave the number anew.';
    END IF;
    SELECT m.* INTO move
      FROM casino.account_move m
     WHERE m.player_id = of_account AND m.direction = 'out';
    IF NOT FOUND THEN
        IF account.closed_at IS NOT NULL THEN
            RAISE EXCEPTION 'the account of player % is closed', of_account
                USING ERRCODE = 'object_not_in_prerequisite_state';
        END IF;
        accounts := ARRAY (SELECT p.player_id FROM casino.player p
                            WHERE p.external_ref = account.external_ref ORDER BY p.player_id);
        at := casino_internal.event_time(NULL, account.last_posted_at);
        IF again IS NOT TRUE THEN
            SELECT string_agg(h, ' ')
              INTO hindrances
              FROM casino_internal.move_hindrances(accounts, of_account, at) h;
        END IF;
        IF hindrances IS NOT NULL THEN
            RAISE EXCEPTION 'player % cannot move now', of_account
                USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = hindrances,
                      HINT = 'Call casino.move_player() again when that is over.';
        END IF;
        -- adjust() would answer that it was posted before, and the money would be in both cells
        IF EXISTS (SELECT FROM casino.ledger l
                    WHERE l.player_id = of_account AND l.request_id = request) THEN
            RAISE EXCEPTION 'player % cannot move: request "%" was used before', of_account, request
                USING ERRCODE = 'object_not_in_prerequisite_state';
        END IF;
        goes := least(coalesce(told, account.balance), account.balance);
        INSERT INTO casino.account_move (player_id, direction, cell, amount, request_id, carried, moved_at,
                                         recorded_at)
        VALUES (of_account, 'out', to_cell, coalesce(told, account.balance), request,
                casino_internal.carried_of(of_account, at), at, clock_timestamp())
        RETURNING * INTO move;
        IF goes > 0 THEN
            PERFORM casino.adjust(of_account, - goes, format('moved to cell %s', to_cell), request, at);
        END IF;
        PERFORM casino_internal.note_closing(of_account, at);
    ELSIF move.cell <> to_cell THEN
        PERFORM casino_internal.refuse_moved(of_account);
    END IF;
    -- the reference and the salt are not sealed: they are told, and not kept with the move
    RETURN (SELECT jsonb_build_object('player_id', of_account, 'cell', here, 'amount', move.amount,
                                      'moved_at', move.moved_at, 'carried', move.carried,
                                      'external_ref', o.external_ref, 'token', o.token,
                                      'salt', encode(o.salt, 'hex'))
              FROM casino.person o
             WHERE o.external_ref = account.external_ref);
END
$fn$;
COMMENT ON FUNCTION casino_internal.leave_cell(bigint, integer, boolean, numeric, text)
    IS 'Part of obey(): an account leaves for another cell: what goes with it; told again it says the same. '
       'again: this cell was put back to before that. told: CZK that went then. of_token: whose it was then';

CREATE FUNCTION casino_internal.enter_cell(from_account bigint, from_cell integer, amount numeric,
                                           carried jsonb, external_ref text, token text, salt bytea,
                                           number bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    request CONSTANT text := format('casino: from cell %s', from_cell);
    -- rows of before bear this one time, by which the night knows them (R12.113)
    now CONSTANT timestamptz := clock_timestamp();
    at CONSTANT timestamptz := casino_internal.event_time(NULL);
    usage CONSTANT casino.limit_usage := jsonb_populate_record(NULL::casino.limit_usage, carried -> 'usage');
    former casino.player;
    ends timestamptz;
    id bigint;
BEGIN
    -- two calls at once meet at the person's row
    INSERT INTO casino.person AS p (external_ref, accounts, salt, token)
    VALUES (external_ref, 1, salt, token) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        PERFORM FROM casino.person p WHERE p.external_ref = enter_cell.external_ref FOR UPDATE;
        SELECT m.player_id INTO id
          FROM casino.account_move m
          JOIN casino.player p ON p.player_id = m.player_id
         WHERE m.cell = from_cell
           AND m.other_player_id = from_account
           AND p.external_ref = enter_cell.external_ref;
        IF FOUND THEN
            RETURN id;
        END IF;
        SELECT p.* INTO former
          FROM casino.player p
         WHERE p.external_ref = enter_cell.external_ref
         ORDER BY p.player_id DESC
         LIMIT 1;
        IF former.closed_at IS NULL THEN
            RAISE EXCEPTION 'the person has account % in this cell', former.player_id
                USING ERRCODE = 'object_not_in_prerequisite_state';
        -- what a former account here has counted would count twice. An account with a number had entered
        -- before (R12.154)
        ELSIF number IS NULL
              AND (at < casino_internal.limits_pass_until(former.closed_at)
                   OR casino.prague_month(former.closed_at) = casino.prague_month(at)) THEN
            RAISE EXCEPTION 'player % cannot move now', from_account
                USING ERRCODE = 'object_not_in_prerequisite_state',
                      DETAIL = format('returned: account %s of the person was closed in that cell at %s, '
                                      'less than seven days ago or in this month.', former.player_id,
                                      former.closed_at),
                      HINT = 'Call casino.move_player() again when that is over.';
        END IF;
        UPDATE casino.person p
           SET accounts = p.accounts + 1
         WHERE p.external_ref = enter_cell.external_ref;
    END IF;
    id := casino_internal.entering_number(number);
    INSERT INTO casino.player (player_id, external_ref, registered_at)
    VALUES (id, external_ref, least(now, at));
    INSERT INTO casino.account_move (player_id, direction, cell, other_player_id, amount, request_id, carried,
                                     moved_at, recorded_at)
    VALUES (id, 'in', from_cell, from_account, amount, request, carried, at, now);
    INSERT INTO casino.exclusion (player_id, exclusion_no, source, excluded_from, excluded_until, recorded_at,
                                  effective_from)
    SELECT id, x.n, x.value ->> 'source', (x.value ->> 'excluded_from')::timestamptz,
           (x.value ->> 'excluded_until')::timestamptz, now, (x.value ->> 'effective_from')::timestamptz
      FROM jsonb_array_elements(carried -> 'exclusions') WITH ORDINALITY x (value, n);
    SELECT max(e.excluded_until) INTO ends FROM casino.exclusion e WHERE e.player_id = id;
    IF ends IS NOT NULL THEN
        PERFORM casino_internal.note_exclusion(id, ends);
    END IF;
    PERFORM casino_internal.enter_usage(id, format('cell %s', from_cell), usage, at, now);
    INSERT INTO casino.player_limit (player_id, limit_no, measure, period, amount, requested_at,
                                     effective_from, recorded_at)
    SELECT id, x.limit_no, x.measure, x.period, x.amount, x.requested_at, x.effective_from, now
      FROM jsonb_to_recordset(carried -> 'limits')
        AS x (limit_no integer, measure text, period text, amount numeric, requested_at timestamptz,
              effective_from timestamptz);
    IF FOUND THEN
        PERFORM casino_internal.note_limits(id, at);
    END IF;
    IF amount > 0 THEN
        PERFORM casino.adjust(id, amount, format('moved from cell %s', from_cell), request, at);
    END IF;
    RETURN id;
END
$fn$;
COMMENT ON FUNCTION casino_internal.enter_cell(bigint, integer, numeric, jsonb, text, text, bytea, bigint)
    IS 'Part of obey(): an account comes from another cell: its number here, the same when told again. '
       'number: the one that it had before this cell was put back';

-- R12.117: a cell that was put back has given the number once; a person who was registered since may have it.
CREATE FUNCTION casino_internal.entering_number(wanted bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF wanted IS NULL OR EXISTS (SELECT FROM casino.player p WHERE p.player_id = wanted) THEN
        RETURN casino_internal.next_player_id();
    END IF;
    PERFORM casino_internal.pass_player_numbers(wanted);
    RETURN wanted;
END
$fn$;
COMMENT ON FUNCTION casino_internal.entering_number(bigint)
    IS 'Part of enter_cell(): number of the account, the one it had before where that is free';

-- R12.117: a new account would have neither the money nor the limits of the one that has come.
CREATE FUNCTION casino_internal.require_entered(numbers jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    missing CONSTANT bigint := (SELECT min(n::bigint)
                                  FROM jsonb_array_elements_text(numbers) n
                                 WHERE NOT EXISTS (SELECT FROM casino.account_move m
                                                    WHERE m.player_id = n::bigint
                                                      AND m.direction = 'in'));
BEGIN
    IF missing IS NOT NULL THEN
        RAISE EXCEPTION 'player % has moved here, and this cell was put back to before that', missing
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  HINT = 'SELECT * FROM casino.catch_up() at the hub.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.require_entered(jsonb)
    IS 'Part of obey(): 55000 where an account that has come from another cell is lost here';

-- R12.113: as play of another product counts, so do the counters: stakes and losses of today on this day,
-- the rest of the month on the day before, all of it after a day on the way.  The first of a month has no
-- rest.
CREATE FUNCTION casino_internal.enter_usage(of_account bigint, product text, usage casino.limit_usage,
                                            at timestamptz, now timestamptz) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $fn$
    INSERT INTO casino.other_play (player_id, play_no, product, staked, result, request_id, played_at,
                                   recorded_at)
    SELECT of_account, row_number() OVER (ORDER BY c.played_at), enter_usage.product,
           -- losses count in full, though the stakes may have been earlier
           greatest(c.staked, c.lost), - c.lost, format('casino: %s', c.what), c.played_at, enter_usage.now
      FROM (SELECT (usage).day = casino.prague_day(enter_usage.at) AS today) d
     CROSS JOIN LATERAL (
           VALUES ('month', casino.day_start(casino.prague_day(enter_usage.at)) - interval '1 minute',
                   greatest((usage).staked_month - CASE WHEN d.today THEN (usage).staked_day ELSE 0 END, 0),
                   (usage).lost_month - CASE WHEN d.today THEN (usage).lost_day ELSE 0 END),
                  ('day', enter_usage.at, greatest((usage).staked_day, 0), (usage).lost_day))
           c (what, played_at, staked, lost)
     WHERE CASE c.what WHEN 'day' THEN d.today
           ELSE (usage).month = casino.prague_month(c.played_at) END
       AND (c.staked, c.lost) <> (0, 0)
$fn$;
COMMENT ON FUNCTION casino_internal.enter_usage(bigint, text, casino.limit_usage, timestamptz, timestamptz)
    IS 'Part of enter_cell(): what limits have counted in the other cell counts here';

-- R12.113: who keyed in an exclusion in the other cell does not end it here as one of the two.
CREATE FUNCTION casino_internal.carried_eyes(of_account bigint, exclusion_no integer, recorder integer)
    RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT format('The exclusion was recorded in cell %s by %s.', m.cell,
                  coalesce(x.value ->> 'actor', x.value ->> 'login'))
      FROM casino_internal.same_exclusion(of_account, exclusion_no) s
      JOIN casino.account_move m ON m.player_id = s.account AND m.direction = 'in'
     CROSS JOIN LATERAL jsonb_array_elements(m.carried -> 'exclusions') WITH ORDINALITY x (value, n)
      JOIN casino.recorder r ON r.recorder_id = recorder
     WHERE s.place = 1
       AND x.n = s.number
       AND (r.login = x.value ->> 'login' OR lower(r.actor) = lower(x.value ->> 'actor'))
$fn$;
COMMENT ON FUNCTION casino_internal.carried_eyes(bigint, integer, integer)
    IS 'Part of approve_exclusion_mistake(): is it the person who recorded an exclusion that has come from '
       'another cell; a sentence, NULL: another person';

-- R12.118
CREATE FUNCTION casino_internal.check_moves(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH move AS MATERIALIZED (
        SELECT m.*, CASE m.direction WHEN 'in' THEN m.amount ELSE - m.amount END AS change
          FROM casino.account_move m
         WHERE casino_internal.of_days(m.moved_at, m.recorded_at, casino.day_start(from_day),
                                       casino.day_start(to_day + 1)))
    SELECT 'moved', m.player_id, NULL::bigint, l.entry_no, 'an adjustment of ' || m.change,
           coalesce(l.amount::text, 'none'), jsonb_build_object('direction', m.direction, 'cell', m.cell)
      FROM move m
      LEFT JOIN casino.ledger l ON l.player_id = m.player_id AND l.request_id = m.request_id
                               AND l.kind = 'adjustment'
     WHERE coalesce(l.amount, 0) <> m.change
    UNION ALL
    SELECT 'moved', m.player_id, NULL, NULL,
           format('casino: %s cell %s', CASE m.direction WHEN 'in' THEN 'from' WHEN 'out' THEN 'to' END,
                  m.cell),
           m.request_id, jsonb_build_object('direction', m.direction, 'cell', m.cell)
      FROM move m
     WHERE m.request_id <> format('casino: %s cell %s',
                                  CASE m.direction WHEN 'in' THEN 'from' WHEN 'out' THEN 'to' END, m.cell)
    UNION ALL
    SELECT 'moved', m.player_id, NULL, l.entry_no, 'at ' || m.moved_at, 'at ' || l.posted_at,
           jsonb_build_object('direction', m.direction, 'cell', m.cell)
      FROM move m
      JOIN casino.ledger l ON l.player_id = m.player_id AND l.request_id = m.request_id
                          AND l.kind = 'adjustment'
     WHERE l.posted_at <> m.moved_at
    UNION ALL
    SELECT 'moved', m.player_id, NULL, NULL, 'closed at ' || m.moved_at,
           coalesce(p.closed_at::text, 'open'), jsonb_build_object('direction', m.direction, 'cell', m.cell)
      FROM move m
      LEFT JOIN casino.player p ON p.player_id = m.player_id
     WHERE m.direction = 'out'
       AND p.closed_at IS DISTINCT FROM m.moved_at
    UNION ALL
    -- the carried things stand in the rows of the account
    SELECT 'moved', m.player_id, NULL, NULL, c.wanted || ' ' || c.what, c.found || ' ' || c.what,
           jsonb_build_object('direction', m.direction, 'cell', m.cell)
      FROM move m
     CROSS JOIN LATERAL (VALUES
               ('exclusions', jsonb_array_length(m.carried -> 'exclusions'),
                (SELECT count(*) FROM casino.exclusion e
                  WHERE e.player_id = m.player_id AND e.recorded_at = m.recorded_at)),
               ('limits', jsonb_array_length(m.carried -> 'limits'),
                (SELECT count(*) FROM casino.player_limit l
                  WHERE l.player_id = m.player_id AND l.recorded_at = m.recorded_at))) c (what, wanted, found)
     WHERE m.direction = 'in'
       AND c.wanted <> c.found
$fn$;
COMMENT ON FUNCTION casino_internal.check_moves(date, date)
    IS 'Part of the reconciliation, check adjustment: the money of a move was posted, an account that has '
       'left is closed, and what went with one that has come is there';
