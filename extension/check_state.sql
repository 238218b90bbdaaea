-- Checks of the reconciliation: what is kept beside the entries, and what guards them.

-- Who a player is: as many accounts as the person has opened bear his reference, and the row is the one that
-- a seal has (R10.12).
CREATE FUNCTION casino_internal.check_persons(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    all_of_them CONSTANT boolean := NOT casino_internal.began_before(since);
BEGIN
    RETURN QUERY
        WITH asked AS MATERIALIZED (
            SELECT p.player_id, p.external_ref FROM casino.player p
             WHERE all_of_them OR p.registered_at >= since AND p.registered_at < until
            UNION
            SELECT p.player_id, p.external_ref
              FROM (SELECT DISTINCT l.player_id FROM casino.ledger l
                     WHERE NOT all_of_them
                         AND casino_internal.of_days(l.posted_at, l.recorded_at, since, until)) x
              JOIN casino.player p ON p.player_id = x.player_id),
        named AS MATERIALIZED (
            SELECT l.player_id, l.entry_no, NULL::integer AS account_no, l.reference AS token
              FROM (SELECT x.*
                      FROM casino.ledger x
                     WHERE casino_internal.of_days(x.posted_at, x.recorded_at, since, until)
                    OFFSET 0) l
             WHERE l.reference IS NOT NULL
            UNION ALL
            SELECT y.player_id, NULL, y.account_no, y.account
              FROM asked a
              JOIN casino.payment_account y ON y.player_id = a.player_id)
        SELECT 'accounts', c.player_id, NULL::bigint, NULL::bigint,
               coalesce(o.accounts, 0) || ' of the person', c.accounts || ' of the person',
               -- R7.117: a difference is sealed, and names a person by the token
               jsonb_strip_nulls(jsonb_build_object('token', o.token))
          FROM (SELECT a.external_ref, max(a.player_id) AS player_id, n.accounts
                  FROM (SELECT x.external_ref, x.player_id FROM asked x
                        UNION ALL
                        SELECT y.external_ref, NULL FROM casino.person y WHERE all_of_them) a
                 CROSS JOIN LATERAL (SELECT count(*) AS accounts FROM casino.player p
                                     WHERE p.external_ref = a.external_ref OFFSET 0) n
                 GROUP BY a.external_ref, n.accounts) c
          LEFT JOIN casino.person o ON o.external_ref = c.external_ref
         WHERE c.accounts IS DISTINCT FROM coalesce(o.accounts, 0) OR c.external_ref IS NULL
        UNION ALL
        SELECT 'registration', p.player_id, NULL, NULL, 'as seal ' || s.seal_no || ' has it',
               coalesce(t.external_ref, 'nobody') || ', ' || p.registered_at, '{}'
          FROM asked a
          JOIN casino.player p ON p.player_id = a.player_id
          JOIN casino.player_as_sealed t ON t.player_id = a.player_id
          JOIN casino.sealed_row s ON s.section = 'player' AND s.row_key = p.player_id::text COLLATE "C"
         WHERE s.hash IS DISTINCT FROM casino.hash_leaf(casino.evidence_leaf('player', t))
        UNION ALL
        -- R7.102: the clear reference is the one whose hash is sealed; a person without one was erased
        SELECT 'person', (SELECT max(x.player_id) FROM casino.player x
                           WHERE x.external_ref = o.external_ref), NULL, NULL,
               'the reference whose token is ' || o.token,
               CASE WHEN o.external_ref = o.token THEN 'the token, without an erasure'
                    ELSE 'one whose token is ' || casino.person_token(o.external_ref, o.salt) END, '{}'
          FROM (SELECT a.external_ref FROM asked a
                UNION
                SELECT y.external_ref FROM casino.person y WHERE all_of_them) q
          JOIN casino.person o ON o.external_ref = q.external_ref
         WHERE CASE WHEN o.external_ref = o.token
                    THEN NOT EXISTS (SELECT FROM casino.erasure e WHERE e.external_ref = o.token)
                    ELSE casino.person_token(o.external_ref, o.salt) IS DISTINCT FROM o.token END
        UNION ALL
        -- R7.111: so it is with accounts and references, and these words are not put into a sealed row. A
        -- night reads the texts that its entries and the accounts of its players name, not all of a player
        SELECT 'clear_text', c.player_id, NULL, NULL, 'the text whose token is ' || c.token, 'another text',
               '{}'
          FROM (SELECT t.*
                  FROM named n
                  JOIN casino.clear_text t ON t.player_id = n.player_id AND t.token = n.token
                 WHERE NOT all_of_them
                UNION ALL
                SELECT t.* FROM casino.clear_text t WHERE all_of_them) c
         WHERE casino.person_token(c.clear, c.salt) IS DISTINCT FROM c.token
        UNION ALL
        SELECT 'clear_text', x.player_id, NULL, x.entry_no, 'a text of the token', 'none',
               jsonb_build_object('token', x.token, 'account_no', x.account_no)
          FROM named x
          JOIN casino.player p ON p.player_id = x.player_id
         WHERE NOT EXISTS (SELECT FROM casino.clear_text c
                            WHERE c.player_id = x.player_id
                              AND c.token = x.token)
           AND NOT EXISTS (SELECT FROM casino.erasure e WHERE e.external_ref = p.external_ref);
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_persons(date, date) IS
    'Part of the reconciliation, check state: players of the days are whose accounts they were opened as, '
    'and their payment accounts and references have their texts';

-- The first entries after it are looked at first, because a player who plays on has a stake among them soon:
-- twice as many each time, up to the player's last entry.
CREATE FUNCTION casino_internal.joined_later(player_id bigint, entry_no bigint, since timestamptz)
    RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    last_no CONSTANT bigint := (SELECT max(l.entry_no)
                                  FROM casino.ledger l
                                 WHERE l.player_id = joined_later.player_id
                                   -- shows a stand-in that books put away need not be asked
                                   AND l.entry_no > joined_later.entry_no);
    below bigint := entry_no;
    entries bigint := 16;
BEGIN
    WHILE below < last_no LOOP
        IF EXISTS (SELECT
                     FROM casino.ledger s
                     JOIN casino.round r ON r.round_id = s.round_id
                     JOIN casino.game_plan p ON p.plan_id = r.plan_id
                     JOIN casino.game g ON g.game = p.game
                    WHERE s.player_id = joined_later.player_id
                      AND s.entry_no > below
                      AND s.entry_no <= below + entries
                      AND s.kind = 'stake'
                      AND s.posted_at >= since
                      AND g.live
                      AND NOT EXISTS (SELECT FROM casino.ledger f
                                       WHERE f.player_id = joined_later.player_id
                                         AND f.stake_entry_no = s.entry_no
                                         AND f.kind = 'refund'
                                         AND (r.betting_closed_at IS NULL
                                              OR casino_internal.never_placed(f.reason)))) THEN
            RETURN true;
        END IF;
        below := below + entries;
        entries := CASE WHEN entries < 1000000 THEN entries * 2 ELSE last_no - below END;
    END LOOP;
    RETURN false;
END
$fn$;
COMMENT ON FUNCTION casino_internal.joined_later(bigint, bigint, timestamptz) IS
    'Part of the reconciliation, check state: has a player joined a live round after an entry, from a time '
    'on';

-- Of the rounds that were open then a table has the last one, or one of the last where clocks differ.
CREATE FUNCTION casino_internal.was_in_round(person text, since timestamptz, joined_at timestamptz)
    RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT EXISTS (
        SELECT
          -- OFFSET 0: the rounds first, so that no stake of an old one is asked for, which may be put away
          FROM (SELECT y.*
                  FROM casino.game_table t
                  JOIN casino.game g ON g.game = t.game AND g.live
                 CROSS JOIN LATERAL (SELECT x.round_id, x.evaluated_at, x.betting_closed_at
                                       FROM casino.round x
                                      WHERE x.table_id = t.table_id
                                        AND x.opened_at < was_in_round.since
                                      ORDER BY x.opened_at DESC LIMIT 4) y
                 WHERE y.evaluated_at IS NULL
                    OR y.evaluated_at > was_in_round.joined_at
                           - (SELECT make_interval(mins => d.number::integer)
                                FROM casino.duty_period d
                               WHERE d.name = 'break_minutes'
                                 AND d.valid_from <= was_in_round.joined_at
                                 AND d.valid_until > was_in_round.joined_at)
                OFFSET 0) r
         CROSS JOIN LATERAL (SELECT l.player_id, l.entry_no
                               FROM casino.ledger l
                              WHERE l.round_id = r.round_id
                                AND l.kind = 'stake'
                                AND l.posted_at < was_in_round.since
                                AND l.book > casino_internal.last_book_without(r.round_id)) s
          JOIN casino.player a ON a.player_id = s.player_id
         WHERE coalesce(a.external_ref, a.player_id::text) = was_in_round.person
           AND NOT EXISTS (SELECT FROM casino.ledger f
                            WHERE f.player_id = s.player_id
                              AND f.stake_entry_no = s.entry_no
                              AND f.kind = 'refund'
                              AND (r.betting_closed_at IS NULL OR casino_internal.never_placed(f.reason))))
$fn$;
COMMENT ON FUNCTION casino_internal.was_in_round(text, timestamptz, timestamptz) IS
    'Part of the reconciliation, check state: was a person in a live round that was joined before a time, '
    'and evaluated less than a break before the person joined another one';

CREATE FUNCTION casino_internal.check_state(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino_internal.suspects('state', from_day, to_day)).players;
    asking CONSTANT bigint[] := (casino_internal.suspects('withdrawal', from_day, to_day)).players;
    now CONSTANT timestamptz := clock_timestamp();
BEGIN
    IF named IS DISTINCT FROM '{}' THEN
        -- the player's row: its numbers against the player's last entries, whoever of both sides names the
        -- days; its money is check wallet's
        RETURN QUERY
            WITH touched AS MATERIALIZED (
                SELECT l.player_id, max(l.posted_at) AS latest, min(l.entry_no) AS low
                  FROM (SELECT x.*
                          FROM casino.ledger x
                         WHERE casino_internal.of_days(x.posted_at, x.recorded_at, since, until)
                        OFFSET 0) l
                 WHERE (named IS NULL OR l.player_id = ANY (named))
                 GROUP BY l.player_id),
            asked AS MATERIALIZED (
                SELECT t.player_id, t.latest, t.low FROM touched t
                UNION ALL
                SELECT p.player_id, NULL, NULL FROM casino.player p
                 WHERE (p.last_posted_at >= since AND p.last_posted_at < until
                        OR p.last_posted_at = '-infinity' AND (p.balance <> 0 OR p.last_entry_no <> 0))
                   AND p.player_id NOT IN (SELECT t.player_id FROM touched t)
                       AND (named IS NULL OR p.player_id = ANY (named))),
            held AS (
                SELECT a.player_id, p.player_id IS NOT NULL AS there, p.last_entry_no, p.last_posted_at,
                       e.entry_no AS last_no,
                       greatest(a.latest, e.posted_at, n.latest) AS latest
                  FROM asked a
                  LEFT JOIN casino.player p ON p.player_id = a.player_id
                  LEFT JOIN LATERAL (SELECT l.entry_no, l.posted_at FROM casino.carried_entry l
                                     WHERE l.player_id = a.player_id
                                      ORDER BY l.entry_no DESC LIMIT 1) e ON true
                  -- where the two differ: all entries from the first of the days on, in whatever order their
                  -- times are
                  LEFT JOIN LATERAL (SELECT max(l.posted_at) AS latest FROM casino.ledger l
                                      WHERE p.last_posted_at IS DISTINCT FROM greatest(a.latest, e.posted_at)
                                        AND l.player_id = a.player_id AND l.entry_no >= a.low) n ON true)
            SELECT v.rule, h.player_id, NULL::bigint, NULL::bigint, v.expected, v.found, '{}'::jsonb
              FROM held h
             CROSS JOIN LATERAL (VALUES ('player', 'a player', 'none', NOT h.there),
                                        ('last_entry_no', coalesce(h.last_no, 0)::text, h.last_entry_no::text,
                                         h.there AND coalesce(h.last_no, 0) IS DISTINCT FROM h.last_entry_no),
                                        ('last_posted_at', coalesce(h.latest, '-infinity')::text,
                                         h.last_posted_at::text,
                                         h.there AND coalesce(h.latest,
                                                 '-infinity') IS DISTINCT FROM h.last_posted_at)) v (rule,
                                                         expected, found, holds)
             WHERE v.holds;

        -- the betting sequence, of who has joined a live round in it
        RETURN QUERY
            WITH joined
                AS MATERIALIZED (SELECT j.* FROM casino_internal.joined_rounds(from_day, to_day, named) j),
            latest AS MATERIALIZED (
                SELECT DISTINCT ON (j.person) j.person, j.player_id, j.round_id, j.entry_no, j.sequence_no
                  FROM joined j
                 WHERE j.joined_at >= since - interval '6 hours'
                 ORDER BY j.person, j.joined_at DESC, j.player_id DESC, j.entry_no DESC),
            begun AS MATERIALIZED (
                SELECT j.person, j.sequence_no, min(j.joined_at) AS started_at FROM joined j
                 GROUP BY j.person, j.sequence_no)
            SELECT v.rule, l.player_id, l.round_id, NULL::bigint, v.expected, v.found, '{}'::jsonb
              FROM latest l
              JOIN begun b ON b.person = l.person AND b.sequence_no = l.sequence_no
              JOIN casino.player p ON p.player_id = l.player_id
             CROSS JOIN LATERAL (VALUES ('last_round_id', l.round_id::text, p.last_round_id::text),
                                        ('sequence_started_at', b.started_at::text,
                                         p.sequence_started_at::text)) v (rule, expected, found)
             WHERE v.expected IS DISTINCT FROM v.found
               -- what had begun before the first round that is looked at is not known here: a round that was
               -- over by then, or one that went on
               AND NOT (v.rule = 'sequence_started_at' AND l.sequence_no = 1
                        AND b.started_at < since - interval '5 hours')
               AND CASE WHEN v.rule = 'sequence_started_at'
                         AND l.sequence_no = 1
                         AND v.expected IS DISTINCT FROM v.found
                   THEN NOT casino_internal.was_in_round(l.person, since - interval '6 hours', b.started_at)
                   ELSE true END
               -- a player who has joined a live round since then has the row of that one; asked of a row that
               -- differs alone
               AND CASE WHEN v.expected IS DISTINCT FROM v.found
                   THEN NOT casino_internal.joined_later(l.player_id, l.entry_no, until) END;
    END IF;

    RETURN QUERY SELECT f.* FROM casino_internal.check_persons(from_day, to_day) f;
    RETURN QUERY SELECT f.* FROM casino_internal.check_erasures() f;

    -- a night adds up its day after the checks: the night after it is the first to compare
    RETURN QUERY SELECT f.* FROM casino_internal.check_kept_days(from_day - 1, to_day) f;

    -- exclusions
    RETURN QUERY
        SELECT 'excluded_until', coalesce(e.player_id, p.player_id), NULL::bigint, NULL::bigint,
               coalesce(e.ends::text, 'none'), coalesce(p.excluded_until::text, 'none'), '{}'::jsonb
          FROM (SELECT x.player_id, max(x.excluded_until) AS ends FROM casino.exclusion_period x
                GROUP BY x.player_id) e
          FULL JOIN (SELECT y.player_id, y.excluded_until FROM casino.player y
                     WHERE y.excluded_until IS NOT NULL) p ON p.player_id = e.player_id
         WHERE e.ends IS DISTINCT FROM p.excluded_until;

    -- limits and their counters: of those who play on these days; counters that passed from a former account
    -- are of other entries
    RETURN QUERY
        WITH holder AS MATERIALIZED (
            SELECT coalesce(s.player_id, k.player_id) AS player_id, s.player_id IS NOT NULL AS kept,
                   k.player_id IS NOT NULL AS given
              FROM casino.limit_state s
              FULL JOIN (SELECT DISTINCT x.player_id
                         FROM casino.player_limit x) k ON k.player_id = s.player_id)
        SELECT 'limited', h.player_id, NULL::bigint, NULL::bigint, CASE WHEN h.given THEN 'limits'
               ELSE 'no limits' END,
               CASE WHEN h.kept AND p.limited THEN 'limits' WHEN h.kept OR p.limited THEN 'half of them'
                   ELSE 'no limits' END, '{}'::jsonb
          FROM holder h JOIN casino.player p ON p.player_id = h.player_id
         WHERE h.kept <> h.given OR p.limited IS DISTINCT FROM h.given
        UNION ALL
        SELECT 'limited', p.player_id, NULL, NULL, 'no limits', 'limits', '{}'
          FROM casino.player p WHERE p.limited IS DISTINCT FROM false
              AND p.player_id NOT IN (SELECT h.player_id FROM holder h WHERE h.player_id IS NOT NULL);
    RETURN QUERY
        WITH change AS MATERIALIZED (
            SELECT k.player_id, k.limit_no, k.measure, k.period, k.amount, k.effective_from,
                   -- a limit dated ahead holds at once
                   greatest(now, max(k.requested_at) OVER (PARTITION BY k.player_id)) AS at
              FROM casino.player_limit k),
        in_force AS (
            SELECT DISTINCT ON (c.player_id, c.measure, c.period) c.player_id, c.measure, c.period, c.amount
              FROM change c WHERE c.effective_from <= c.at
             ORDER BY c.player_id, c.measure, c.period, c.limit_no DESC)
        SELECT 'limit_' || v.measure || '_' || v.period, s.player_id, NULL::bigint, NULL::bigint,
               coalesce(f.amount::text, 'no limit'), coalesce(v.amount::text, 'no limit'), '{}'::jsonb
          FROM casino.limit_state s
          LEFT JOIN (SELECT c.player_id, max(c.at) AS at FROM change c
                     GROUP BY c.player_id) t ON t.player_id = s.player_id
         CROSS JOIN LATERAL (VALUES
               ('stake', 'day', CASE WHEN coalesce(t.at, now) >= s.limit_stake_day_from
                THEN s.limit_stake_day_next ELSE s.limit_stake_day END),
               ('stake', 'month', CASE WHEN coalesce(t.at, now) >= s.limit_stake_month_from
                THEN s.limit_stake_month_next ELSE s.limit_stake_month END),
               ('net_loss', 'day', CASE WHEN coalesce(t.at, now) >= s.limit_net_loss_day_from
                THEN s.limit_net_loss_day_next ELSE s.limit_net_loss_day END),
               ('net_loss', 'month', CASE WHEN coalesce(t.at, now) >= s.limit_net_loss_month_from
                THEN s.limit_net_loss_month_next
                                          ELSE s.limit_net_loss_month END)) v (measure, period, amount)
          LEFT JOIN in_force f ON f.player_id = s.player_id AND f.measure = v.measure AND f.period = v.period
         WHERE f.amount IS DISTINCT FROM v.amount;
    RETURN QUERY SELECT f.* FROM casino_internal.check_counters(since, until) f;

    -- withdrawals that are neither paid nor cancelled
    RETURN QUERY
        SELECT 'open_withdrawal', o.player_id, NULL::bigint, o.entry_no, CASE WHEN w.entry_no IS NULL
               THEN 'no such withdrawal' ELSE 'ended by entry ' || e.entry_no END, 'open', '{}'::jsonb
          FROM casino.open_withdrawal o
          LEFT JOIN casino.ledger w ON w.player_id = o.player_id AND w.entry_no = o.entry_no
              AND w.kind = 'withdrawal'
          LEFT JOIN casino.ledger e ON e.player_id = o.player_id AND e.withdrawal_entry_no = o.entry_no
         WHERE w.entry_no IS NULL OR e.entry_no IS NOT NULL;
    IF asking IS NOT DISTINCT FROM '{}' THEN
        RETURN;
    END IF;
    RETURN QUERY
        SELECT 'open_withdrawal', w.player_id, NULL::bigint, w.entry_no, 'open', 'not open', '{}'::jsonb
          FROM (SELECT x.*
                  FROM casino.ledger x
                 WHERE casino_internal.of_days(x.posted_at, x.recorded_at, since, until)
                OFFSET 0) w
         WHERE w.kind = 'withdrawal'
           AND (asking IS NULL OR w.player_id = ANY (asking))
           AND NOT EXISTS (SELECT FROM casino.ledger e
                           WHERE e.player_id = w.player_id AND e.withdrawal_entry_no = w.entry_no)
           AND NOT EXISTS (SELECT FROM casino.open_withdrawal o
                           WHERE o.player_id = w.player_id AND o.entry_no = w.entry_no);
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_state(date, date) IS
    'Part of the reconciliation, check state: players, limits and open withdrawals are what entries, '
    'exclusions and limits alone give';

-- Who has all of a profile has it; what a role has beyond those is found, whoever gave it (R10.9).
CREATE FUNCTION casino_internal.check_guard(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    owner CONSTANT oid := (SELECT c.relowner FROM pg_class c
                           WHERE c.oid = 'casino.installed_object'::regclass);
    maker CONSTANT oid := (SELECT e.extowner FROM pg_extension e WHERE e.extname = 'casino');
    objects text[];
    states text[];
BEGIN
    PERFORM casino_internal.record_printed();
    SELECT array_agg(o.object), array_agg(o.state)
      INTO objects, states
      FROM (SELECT x.object, x.state FROM casino_internal.schema_objects() x
            UNION ALL
            SELECT x.object, x.state FROM casino_internal.code_objects() x) o;
    -- what install() made, and what others have added that acts on it
    RETURN QUERY
        SELECT CASE WHEN s.object IS NULL THEN 'missing' ELSE 'changed' END, NULL::bigint, NULL::bigint,
               NULL::bigint, i.state, coalesce(s.state, 'not there'), jsonb_build_object('object', i.object)
          FROM casino.installed_object i
          LEFT JOIN unnest(objects, states) s (object, state) ON s.object = i.object
         WHERE s.object IS NULL OR s.state <> i.state
         ORDER BY i.object;

    -- R12.32: objects of the operator's own, unless they are as they were approved
    RETURN QUERY
        SELECT CASE WHEN a.approval_no IS NULL THEN 'added' ELSE 'changed' END, NULL::bigint, NULL::bigint,
               NULL::bigint, coalesce(a.state, 'not there'),
               CASE WHEN a.approval_no IS NULL THEN regexp_replace(o.state, ', code [0-9a-f]{64}$', '')
                    ELSE o.state END, jsonb_build_object('object', o.object)
          FROM casino_internal.own_among(objects, states) o
          LEFT JOIN LATERAL (SELECT x.approval_no, x.state
                               FROM casino.approved_object x
                              WHERE x.object = o.object
                              ORDER BY x.approval_no DESC
                              LIMIT 1) a ON true
         WHERE a.state IS DISTINCT FROM o.state
         ORDER BY o.object;

    RETURN QUERY
        SELECT 'setting', NULL::bigint, NULL::bigint, NULL::bigint, 'not set',
               format('%s = %s for %s', g.setting, g.value, g.scope), jsonb_build_object('setting', g.setting)
          FROM casino_internal.guarded_settings() g
         ORDER BY g.setting, g.scope;

    RETURN QUERY
        SELECT 'member', NULL::bigint, NULL::bigint, NULL::bigint, 'no member',
               format('%s is a member of %s', g.member, g.role), jsonb_build_object('role', g.member)
          FROM casino_internal.guarded_members(owner) g
         ORDER BY g.member, g.role;

    RETURN QUERY
        SELECT 'owner', NULL::bigint, NULL::bigint, NULL::bigint, o.wanted::regrole::text,
               o.present::regrole::text, jsonb_build_object('object', o.object)
          FROM (SELECT c.oid::regclass::text AS object, c.relowner AS present, owner AS wanted
                  FROM pg_class c WHERE c.relnamespace = 'casino'::regnamespace
                      AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
                UNION ALL
                SELECT p.oid::regprocedure::text, p.proowner, maker
                  FROM pg_proc p
                  JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
                      AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
                  JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'casino') o
         WHERE o.present <> o.wanted
         ORDER BY o.object;

    RETURN QUERY
        WITH grants AS MATERIALIZED (
            SELECT a.grantee, 'table' AS kind, c.relname::text AS object, c.oid,
                   a.privilege_type AS privilege, c.relowner AS holder
              FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a
             WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
            UNION ALL
            SELECT a.grantee, 'column', format('%s.%s', c.relname, t.attname), c.oid, a.privilege_type,
                   c.relowner
              FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid
                  CROSS JOIN LATERAL aclexplode(t.attacl) a
             WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
            UNION ALL
            SELECT a.grantee, 'function', p.proname || '(' || pg_get_function_identity_arguments(p.oid)
                   || ')', p.oid, a.privilege_type, p.proowner
              FROM pg_proc p CROSS JOIN LATERAL aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
             WHERE p.pronamespace = ANY (casino_internal.schemas())
            UNION ALL
            SELECT a.grantee, 'schema', n.nspname, n.oid, a.privilege_type, n.nspowner
              FROM pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) a
             WHERE n.oid = ANY (casino_internal.schemas())),
        other AS MATERIALIZED (SELECT g.* FROM grants g WHERE g.grantee NOT IN (g.holder, owner, maker, 10)),
        -- as grant_access() takes them
        profile AS MATERIALIZED (
            SELECT DISTINCT a.profile, a.object_type AS kind, c.oid
              FROM casino.access_profiles() a
             CROSS JOIN LATERAL (SELECT x.oid FROM pg_class x
                                  WHERE a.object_type = 'table' AND x.relnamespace = 'casino'::regnamespace
                                      AND x.relkind IN ('r', 'p', 'v')
                                    AND (a.object_name = x.relname OR a.object_name = '*'
                                         AND NOT casino_internal.is_machinery(x.relname))
                                 UNION ALL
                                 SELECT f.oid FROM pg_proc f
                                   JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = f.oid
                                       AND d.deptype = 'e'
                                  WHERE a.object_type = 'function'
                                      AND f.pronamespace = ANY (casino_internal.schemas())
                                    AND f.proname = split_part(a.object_name, '(', 1)
                                    AND (a.object_name NOT LIKE '%(%'
                                         OR f.oid IN (to_regprocedure('casino.' || a.object_name),
                                                      to_regprocedure('casino_internal.' || a.object_name)))
                                    AND NOT casino_internal.for_hub_only(f.oid)) c),
        has AS MATERIALIZED (
            SELECT r.grantee, p.profile
              FROM (SELECT DISTINCT o.grantee FROM other o) r
             CROSS JOIN profile p
              LEFT JOIN (SELECT DISTINCT o.grantee, o.kind, o.oid FROM other o
                         WHERE o.privilege IN ('SELECT', 'EXECUTE')) o
                     ON o.grantee = r.grantee AND o.kind = p.kind AND o.oid = p.oid
             GROUP BY r.grantee, p.profile
            HAVING bool_and(o.oid IS NOT NULL))
        SELECT 'privilege', NULL::bigint, NULL::bigint, NULL::bigint, 'none beyond the profiles',
               g.privilege || ' on ' || g.object,
               jsonb_build_object('role', CASE g.grantee WHEN 0 THEN 'PUBLIC'
                                  ELSE pg_get_userbyid(g.grantee)::text END,
                                  'profiles', coalesce((SELECT jsonb_agg(h.profile ORDER BY h.profile)
                                                        FROM has h WHERE h.grantee = g.grantee), '[]'))
          FROM other g
         WHERE NOT (g.kind = 'schema' AND g.privilege = 'USAGE' AND g.grantee <> 0)
           AND NOT EXISTS (SELECT FROM has h JOIN profile p ON p.profile = h.profile
                            WHERE h.grantee = g.grantee AND p.kind = g.kind AND p.oid = g.oid
                                AND g.privilege IN ('SELECT', 'EXECUTE'))
         ORDER BY g.grantee, g.kind, g.object, g.privilege;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_guard(date, date) IS
    'Part of the reconciliation, check guard: what install() made is there and as it was, functions and '
    'views too, triggers enabled, owned by the same role, nothing added that acts on it; no role has '
    'privileges beyond the profiles that it has whole, or is a member of one that may write everything; no '
    'setting puts a rule out of action';
