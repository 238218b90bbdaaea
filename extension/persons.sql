-- Answers about one person: the rounds of a player without the others, everything that is kept of a person,
-- accounts without activity (R7.79, R7.89, R7.90).

-- Parts of an outcome document that are of a player or of everybody at the table.
CREATE FUNCTION casino_internal.without_others(document jsonb, player_id bigint, seats integer[])
    RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT CASE WHEN jsonb_typeof(document) = 'object' THEN
        (SELECT jsonb_object_agg(
                    p.key,
                    CASE WHEN p.key IN ('hands', 'seats', 'actions') AND jsonb_typeof(p.value) = 'array' THEN
                        (SELECT coalesce(jsonb_agg(casino_internal.own_part(e.part, player_id) ORDER BY e.n),
                                         '[]')
                           FROM jsonb_array_elements(p.value) WITH ORDINALITY e (part, n)
                          WHERE casino_internal.own_or_shared(e.part, player_id, seats))
                         ELSE p.value END)
           FROM jsonb_each(document) p)
                ELSE document END
$fn$;
COMMENT ON FUNCTION casino_internal.without_others(jsonb, bigint, integer[])
    IS 'Part of player_recall(): an outcome document without hands, seats and actions of other players';

CREATE FUNCTION casino_internal.own_or_shared(part jsonb, player_id bigint, seats integer[]) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT CASE WHEN part ? 'player' THEN part -> 'player' = to_jsonb(player_id)
                WHEN part ? 'players' THEN part -> 'players' @> to_jsonb(player_id)
                WHEN part ? 'seat' THEN part -> 'seat' IN (SELECT to_jsonb(s) FROM unnest(seats) s)
                ELSE true END
$fn$;
COMMENT ON FUNCTION casino_internal.own_or_shared(jsonb, bigint, integer[])
    IS 'Part of player_recall(): is an entry of an outcome document of this player, of a seat of the player '
       'or of everybody at the table';

CREATE FUNCTION casino_internal.own_part(part jsonb, player_id bigint) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT CASE WHEN jsonb_typeof(part) = 'object' THEN
        (SELECT coalesce(jsonb_object_agg(
                    p.key,
                    CASE WHEN p.key IN ('players', 'even_money', 'even_money_players')
                              AND jsonb_typeof(p.value) = 'array' THEN
                        (SELECT coalesce(jsonb_agg(i.id), '[]')
                           FROM jsonb_array_elements(p.value) i (id) WHERE i.id = to_jsonb(player_id))
                         ELSE p.value END), '{}')
           FROM jsonb_each(part) p)
                ELSE part END
$fn$;
COMMENT ON FUNCTION casino_internal.own_part(jsonb, bigint)
    IS 'Part of player_recall(): an entry of an outcome document without the numbers of other players';

-- R7.79
CREATE FUNCTION casino.player_recall(player_id bigint, round_id bigint) RETURNS jsonb
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.player_recall(bigint, bigint)
    IS 'The part of game_recall() that is of one player: the player''s wagers and hands, the cards of the '
       'table, the plan, times and corrections, without other players and without the staff. It may be given '
       'to the player';

CREATE FUNCTION casino_internal.player_recall_impl(player_id bigint, round_id bigint) RETURNS jsonb
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    me CONSTANT bigint := player_recall_impl.player_id;
    whole jsonb;
    own CONSTANT jsonb := to_jsonb(player_recall_impl.player_id);
    mine jsonb;
    seats integer[];
BEGIN
    PERFORM FROM casino.player p WHERE p.player_id = me;
    IF NOT FOUND THEN
        PERFORM casino_internal.refuse_unknown_player(me);
    END IF;
    whole := casino.game_recall(player_recall_impl.round_id);
    SELECT array_agg(DISTINCT l.seat::integer) FILTER (WHERE l.seat IS NOT NULL) INTO seats
      FROM casino.ledger l
     WHERE l.player_id = me
       AND l.round_id = player_recall_impl.round_id
       AND l.kind = 'stake'
    HAVING count(*) > 0;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'player % has no stake in round %', me, player_recall_impl.round_id
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    mine := casino_internal.rows_of(whole -> 'wagers', own);
    RETURN jsonb_build_object(
        'player_id', own,
        'round',
        (whole -> 'round') - '{wagers,players,staked,paid}'::text[]
            || jsonb_build_object('wagers', jsonb_array_length(mine),
                                  'staked', (SELECT sum((w.row ->> 'staked')::numeric)
                                               FROM jsonb_array_elements(mine) w (row)),
                                  'paid', (SELECT coalesce(sum((w.row ->> 'payout')::numeric), 0)
                                             FROM jsonb_array_elements(mine) w (row))),
        'times', whole -> 'times',
        'table', whole -> 'table',
        'plan', jsonb_set(whole -> 'plan', '{bets}',
                          (SELECT coalesce(jsonb_object_agg(b.key, b.value), '{}')
                             FROM jsonb_each(whole #> '{plan,bets}') b
                            WHERE b.key IN (SELECT casino.kind(l.bet)
                                              FROM casino.ledger l
                                             WHERE l.player_id = me
                                               AND l.round_id = player_recall_impl.round_id
                                               AND l.kind = 'stake'))),
        'document', casino_internal.without_others(whole -> 'document', me, seats),
        'outcome', casino_internal.without_others(whole -> 'outcome', me, seats),
        'deals', (SELECT coalesce(jsonb_agg((d.row - '{document,corrects}'::text[])
                                              || jsonb_build_object('document',
                                                                    casino_internal.without_others(
                                                     d.row -> 'document', me, seats))
                                              || CASE WHEN d.row ? 'corrects' THEN jsonb_build_object(
                                                     'corrects',
                                                     (d.row -> 'corrects') - '{role,actor,returned}'::text[])
                                                      ELSE '{}' END
                                            ORDER BY d.n), '[]')
                    FROM jsonb_array_elements(whole -> 'deals') WITH ORDINALITY d (row, n)),
        'cards', (SELECT coalesce(jsonb_agg(casino_internal.own_part(c.row, me) ORDER BY c.n),
                                  '[]')
                    FROM jsonb_array_elements(whole -> 'cards') WITH ORDINALITY c (row, n)
                   WHERE casino_internal.own_or_shared(c.row, me, seats)),
        'wagers', mine,
        'handovers', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                                 'seat', h.row -> 'seat', 'at', h.row -> 'at',
                                 'what', CASE WHEN h.row -> 'owner' = own THEN 'received'
                                              ELSE 'handed over' END) ORDER BY h.n), '[]')
                        FROM jsonb_array_elements(whole -> 'handovers') WITH ORDINALITY h (row, n)
                       WHERE own IN (h.row -> 'owner', h.row -> 'former_owner')),
        'disconnections', casino_internal.rows_of(whole -> 'disconnections', own),
        'reconnections', casino_internal.rows_of(whole -> 'reconnections', own),
        'withholdings', casino_internal.rows_of(whole -> 'withholdings', own),
        'corrections', casino_internal.rows_of(whole -> 'corrections', own),
        'versions', (SELECT coalesce(jsonb_agg((v.row - '{former,entries,posted,claimed,document}'::text[]
                                                           - '{proposed_by,proposed_role,decided_by}'::text[]
                                                           - 'decided_role')
                                                 || jsonb_build_object('document',
                                                                       casino_internal.without_others(
                                                        v.row -> 'document', me, seats))
                                               ORDER BY v.n), '[]')
                       FROM jsonb_array_elements(whole -> 'versions') WITH ORDINALITY v (row, n)),
        'claims', casino_internal.rows_of(whole -> 'claims', own),
        'breaches', casino_internal.rows_of(whole -> 'breaches', own));
END
$fn$;
COMMENT ON FUNCTION casino_internal.player_recall_impl(bigint, bigint)
    IS 'Body of player_recall(), run as the owner of the ledger';

CREATE FUNCTION casino_internal.rows_of(list jsonb, player_id jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce(jsonb_agg(e.row ORDER BY e.n), '[]')
      FROM jsonb_array_elements(list) WITH ORDINALITY e (row, n)
     WHERE e.row -> 'player_id' = rows_of.player_id
$fn$;
COMMENT ON FUNCTION casino_internal.rows_of(jsonb, jsonb)
    IS 'Part of player_recall(): the elements of a list that are of one player';

-- ---------------------------------------------------------------------------------------- a person's file

-- R7.89: all sections of evidence that name a player, so that a new one is in the file without a word here.
CREATE FUNCTION casino.account_files(external_ref text, from_day date, to_day date,
                                     OUT account bigint, OUT file jsonb) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 2;
COMMENT ON FUNCTION casino.account_files(text, date, date)
    IS 'Each account of a person with all that is kept of the account; person_file() puts them together';

CREATE FUNCTION casino_internal.account_files_impl(external_ref text, from_day date, to_day date,
                                                   OUT account bigint, OUT file jsonb) RETURNS SETOF record
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    first CONSTANT timestamptz := coalesce(casino.day_start(from_day), '-infinity');
    next CONSTANT timestamptz := coalesce(casino.day_start(to_day + 1), 'infinity');
    person CONSTANT text := casino.canonical_ref(external_ref);
    section record;
    rows jsonb;
BEGIN
    FOR account IN SELECT p.player_id FROM casino.player p
                    WHERE p.external_ref = person ORDER BY p.player_id LOOP
        SELECT jsonb_build_object('player_id', p.player_id, 'registered_at', p.registered_at,
                                  'closed_at', p.closed_at, 'balance', p.balance,
                                  'excluded_until', p.excluded_until) INTO file
          FROM casino.player p WHERE p.player_id = account_files_impl.account;
        FOR section IN SELECT l.section, l.relation, bool_or(l.field = 'recorded_at') AS has_time,
                              string_agg(format('t.%I', l.field), ', ' ORDER BY l.field_no)
                                  FILTER (WHERE l.is_key) AS key
                         FROM casino.evidence_layouts() l
                        WHERE l.section NOT IN ('player', 'player_closed')
                        GROUP BY l.section, l.relation, l.section_no
                       HAVING bool_or(l.field = 'player_id')
                        ORDER BY l.section_no LOOP
            EXECUTE format('SELECT coalesce(jsonb_agg(jsonb_strip_nulls(to_jsonb(t) %s) ORDER BY %s), ''[]'')
                              FROM casino.%I t WHERE t.player_id = $1 AND %s',
                           -- R7.112: of accounts and references the text
                           CASE section.section
                                WHEN 'payment_account' THEN
                                    $$|| jsonb_build_object('account',
                                                            casino.clear_text_of(t.player_id, t.account))$$
                                WHEN 'ledger' THEN
                                    $$|| jsonb_build_object('account',
                                                            casino.clear_text_of(t.player_id, t.account),
                                                            'reference',
                                                            casino.clear_text_of(t.player_id, t.reference))$$
                                ELSE '' END,
                           section.key, section.relation,
                           CASE WHEN section.has_time THEN 't.recorded_at >= $2 AND t.recorded_at < $3'
                                ELSE 'true' END)
               INTO rows USING account_files_impl.account, first, next;
            file := file || jsonb_build_object(section.section, rows);
        END LOOP;
        file := file || jsonb_build_object(
            'limits_in_force', (SELECT coalesce(jsonb_agg(to_jsonb(f)), '[]')
                                  FROM casino.limits_in_force(account_files_impl.account) f),
            'break', (SELECT to_jsonb(b) FROM casino.explain_break(account_files_impl.account) b),
            'rounds', (SELECT coalesce(jsonb_agg(casino.player_recall(account_files_impl.account, r.round_id)
                                                 ORDER BY r.first_entry), '[]')
                         FROM (SELECT l.round_id, min(l.entry_no) AS first_entry
                                 FROM casino.ledger l
                                WHERE l.player_id = account_files_impl.account
                                  AND l.kind = 'stake'
                                  AND l.recorded_at >= first
                                  AND l.recorded_at < next
                                GROUP BY l.round_id) r));
        RETURN NEXT;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.account_files_impl(text, date, date)
    IS 'Body of account_files(), run as the owner of the ledger';

CREATE FUNCTION casino.person_file(external_ref text, from_day date DEFAULT NULL, to_day date DEFAULT NULL)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    accounts jsonb;
    last_day CONSTANT date := coalesce(to_day, casino.prague_day(clock_timestamp()) + 1);
BEGIN
    IF external_ref IS NULL THEN
        RAISE EXCEPTION 'external_ref must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF NOT isfinite(from_day) OR NOT isfinite(to_day) OR from_day > to_day THEN
        RAISE EXCEPTION 'from_day and to_day must be days, one after the other'
            USING ERRCODE = 'datetime_field_overflow';
    END IF;
    SELECT jsonb_agg(f.file ORDER BY f.account) INTO accounts
      FROM casino.account_files(external_ref, from_day, to_day) f;
    IF accounts IS NULL THEN
        RAISE EXCEPTION 'person "%" does not exist', left(external_ref, 200)
            USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN jsonb_build_object(
        'external_ref', casino.canonical_ref(external_ref), 'from_day', from_day, 'to_day', to_day,
        'made_at', clock_timestamp(), 'accounts', accounts,
        'events', (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(to_jsonb(e)) ORDER BY e.at, e.event), '[]')
                     FROM casino.significant_event(coalesce(from_day, '2000-01-01'), last_day,
                                                   person_file.external_ref) e));
END
$fn$;
COMMENT ON FUNCTION casino.person_file(text, date, date)
    IS 'Everything that is kept of a person, in all accounts, as one document: rows recorded from one Prague '
       'day to another (NULL: all), rounds without the other players, significant events. For the police '
       'and for the request of the person (GDPR art. 15)';

-- R7.90
CREATE FUNCTION casino.inactive_accounts(unused_since timestamptz DEFAULT NULL,
                                         OUT player_id bigint, OUT external_ref text,
                                         OUT registered_at timestamptz, OUT last_active_at timestamptz,
                                         OUT balance numeric) RETURNS SETOF record
LANGUAGE plpgsql STABLE ROWS 1000 SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    before CONSTANT timestamptz :=
        coalesce(inactive_accounts.unused_since, clock_timestamp() - interval '1 year');
BEGIN
    RETURN QUERY
        SELECT p.player_id, p.external_ref, p.registered_at, a.posted_at, p.balance
          FROM casino.player p
          LEFT JOIN LATERAL (SELECT l.posted_at
                               FROM casino.carried_entry l
                              WHERE l.player_id = p.player_id
                                AND l.kind IN ('deposit', 'stake', 'withdrawal', 'withdrawal_cancelled',
                                               'carried_forward')
                              ORDER BY l.entry_no DESC
                              LIMIT 1) a ON true
         WHERE p.closed_at IS NULL
           AND coalesce(a.posted_at, p.registered_at) < before
         ORDER BY coalesce(a.posted_at, p.registered_at), p.player_id;
END
$fn$;
COMMENT ON FUNCTION casino.inactive_accounts(timestamptz)
    IS 'Open accounts whose player has not staked, paid in or asked for a withdrawal since a time (NULL: for '
       'a year), with the balance';
