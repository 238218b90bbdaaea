-- Functions around the ledger: players, tables, rounds, plans, questions.  What callers do on tables that they may not touch
-- themselves is run as the owner of the ledger: the function they call is C and its body has the same name with _as_owner.
-- No function is SECURITY DEFINER.

CREATE FUNCTION casino.register_player(external_ref text) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.register_player(text) IS 'Opens an account for a person, known by canonical_ref(external_ref), and returns its number; the same person again returns the same number while that account is open';

CREATE FUNCTION casino.register_player_as_owner(external_ref text) RETURNS bigint
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
    PERFORM casino.bounded(person_ref, 'external_ref', 200);
    -- the person's row is what two registrations at once meet at
    INSERT INTO casino.person AS p VALUES (person_ref, 1) ON CONFLICT DO NOTHING;
    IF FOUND THEN
        id := nextval('casino.player_id_seq');
        INSERT INTO casino.player (player_id, external_ref, registered_at)
        VALUES (id, person_ref, clock_timestamp());
        RETURN id;
    END IF;
    PERFORM FROM casino.person p WHERE p.external_ref = person_ref FOR UPDATE;
    SELECT p.player_id, p.closed_at INTO STRICT id, closed FROM casino.player p
     WHERE p.external_ref = person_ref ORDER BY p.player_id DESC LIMIT 1;
    IF closed IS NOT NULL THEN
        UPDATE casino.person p SET accounts = p.accounts + 1 WHERE p.external_ref = person_ref;
        former := id;
        -- what is known of the former account now stays true: an exclusion of it since our snapshot is 40001
        PERFORM casino.lock_player(former);
        id := nextval('casino.player_id_seq');
        -- with the betting sequence, which is the person's too: another account is no way around the break (D4 §8.3)
        INSERT INTO casino.player (player_id, external_ref, registered_at, last_round_id, sequence_started_at)
        SELECT id, p.external_ref, clock_timestamp(), p.last_round_id, p.sequence_started_at
          FROM casino.player p WHERE p.player_id = former;
        PERFORM casino.inherit_duties(former, id, closed);
    END IF;
    RETURN id;
END
$fn$;
COMMENT ON FUNCTION casino.register_player_as_owner(text) IS 'Body of register_player(), run as the owner of the ledger';

CREATE FUNCTION casino.deposit(player_id bigint, amount numeric, request_id text DEFAULT NULL,
                               at timestamptz DEFAULT NULL, method text DEFAULT NULL, reference text DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_deposit' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.deposit(bigint, numeric, text, timestamptz, text, text) IS 'Money in, by a method (cash, or any way in) and under a reference; returns the entry number, the same again for the same request';

CREATE FUNCTION casino.adjust(player_id bigint, amount numeric, reason text, request_id text DEFAULT NULL,
                              at timestamptz DEFAULT NULL, round_id bigint DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_adjust' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.adjust(bigint, numeric, text, text, timestamptz, bigint) IS 'A correction with its reason, and the round it concerns if there is one; a negative amount takes. Returns the entry number';

CREATE FUNCTION casino.plan_in_force(game text, at timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    plan bigint;
BEGIN
    PERFORM FROM casino.game g WHERE g.game = plan_in_force.game;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'game "%" does not exist', game USING ERRCODE = 'foreign_key_violation';
    END IF;
    SELECT p.plan_id INTO plan FROM casino.game_plan p
     WHERE p.game = plan_in_force.game AND p.valid_from <= plan_in_force.at
     ORDER BY p.valid_from DESC LIMIT 1;
    IF plan IS NULL THEN
        RAISE EXCEPTION 'no game plan of % is in force at %', game, at USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    RETURN plan;
END
$fn$;
COMMENT ON FUNCTION casino.plan_in_force(text, timestamptz) IS 'Version of a game''s plan in force at a time';

CREATE FUNCTION casino.open_round(table_id bigint, round_ref text, at timestamptz DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.open_round(bigint, text, timestamptz) IS 'Opens a round for bets under the plan version in force and returns its number; the same reference again returns the same number';

CREATE FUNCTION casino.open_round_as_owner(table_id bigint, round_ref text, at timestamptz) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    id bigint;
    at_table record;
    busy casino.round;
    opened timestamptz;
    plan bigint;
BEGIN
    IF table_id IS NULL OR coalesce(btrim(round_ref), '') = '' THEN
        RAISE EXCEPTION 'table_id and round_ref must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    round_ref := casino.canonical_text(round_ref, 'round_ref');
    PERFORM casino.bounded(round_ref, 'round_ref', 200);
    SELECT r.round_id INTO id FROM casino.round r
     WHERE r.table_id = open_round_as_owner.table_id AND r.round_ref = open_round_as_owner.round_ref;
    IF FOUND THEN
        RETURN id;
    END IF;
    SELECT t.game, t.name, g.family INTO at_table
      FROM casino.game_table t JOIN casino.game g ON g.game = t.game WHERE t.table_id = open_round_as_owner.table_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % does not exist', table_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.add_game_table() adds one.';
    END IF;
    IF NOT casino.family_is_built(at_table.family) THEN
        RAISE EXCEPTION 'rounds of % cannot be opened yet', at_table.game
            USING ERRCODE = 'feature_not_supported', DETAIL = 'The grading of its family of games is not built.';
    END IF;
    -- both unique keys of casino.round are met here: the reference, and one unevaluated round a table. Others that open a round
    -- of the table, and the end of the one before, are waited for first: a time that was not given is taken afterwards
    PERFORM FROM casino.game_table t WHERE t.table_id = open_round_as_owner.table_id FOR NO KEY UPDATE;
    PERFORM casino.await_round(r.round_id) FROM casino.round r
      WHERE r.table_id = open_round_as_owner.table_id AND r.status IN ('open', 'closed');
    LOOP
        opened := casino.event_time(at);
        plan := casino.plan_in_force(at_table.game, opened);
        -- a version that is being changed is waited for, before it is judged
        PERFORM FROM casino.game_plan p WHERE p.plan_id = plan FOR KEY SHARE;
        PERFORM casino.require_plan(plan);
        INSERT INTO casino.round AS r (round_id, table_id, table_version, round_ref, plan_id, status, opened_at)
        VALUES (nextval('casino.round_id_seq'), open_round_as_owner.table_id, casino.table_version_at(table_id, opened),
                open_round_as_owner.round_ref, plan, 'open', opened)
        ON CONFLICT DO NOTHING RETURNING r.round_id INTO id;
        IF FOUND THEN
            RETURN id;
        END IF;
        SELECT r.round_id INTO id FROM casino.round r
         WHERE r.table_id = open_round_as_owner.table_id AND r.round_ref = open_round_as_owner.round_ref;
        IF FOUND THEN
            RETURN id;
        END IF;
        SELECT r.* INTO busy FROM casino.round r
         WHERE r.table_id = open_round_as_owner.table_id AND r.status IN ('open', 'closed');
        EXIT WHEN FOUND;    -- else it was evaluated meanwhile: try again
    END LOOP;
    RAISE EXCEPTION 'table "%" has an unevaluated round', at_table.name
        USING ERRCODE = 'KR002', DETAIL = format('Round %s ("%s") is %s.', busy.round_id, busy.round_ref, busy.status),
              HINT = 'Settle or void it first.';
END
$fn$;
COMMENT ON FUNCTION casino.open_round_as_owner(bigint, text, timestamptz) IS 'Body of open_round(), run as the owner of the ledger';

CREATE FUNCTION casino.announced_bets(game text, name text, chip numeric, at timestamptz DEFAULT clock_timestamp()) RETURNS SETOF casino.bet
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.announced_bets(text, text, numeric, timestamptz) IS 'Bets on the layout that an announced bet of a game is made of, with that value of a chip';

CREATE FUNCTION casino.announced_bets_as_owner(game text, name text, chip numeric, at timestamptz) RETURNS SETOF casino.bet
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    plan CONSTANT bigint := casino.plan_in_force(game, at);
    rule casino.announced_rule;
    neighbours integer;
BEGIN
    SELECT a.* INTO rule FROM casino.announced_rule a
     WHERE a.plan_id = plan AND a.stem = casino.announced_stem(announced_bets_as_owner.name);
    IF NOT FOUND AND casino.announced_stem(announced_bets_as_owner.name) IS NOT NULL THEN
        RAISE EXCEPTION '% does not offer %', game, name
            USING ERRCODE = 'KB004', DETAIL = format('No such announced bet stands in %s.', casino.plan_name(plan));
    END IF;
    RETURN QUERY SELECT b FROM casino.expand_announced(announced_bets_as_owner.name, announced_bets_as_owner.chip) b;
    IF rule.stem = 'neighbours' THEN
        neighbours := split_part(announced_bets_as_owner.name, '/', 2)::integer;
        IF neighbours NOT BETWEEN rule.min_neighbours AND rule.max_neighbours THEN
            RAISE EXCEPTION '% does not offer %', game, name
                USING ERRCODE = 'KB004',
                      DETAIL = format('It has %s to %s neighbours a side.', rule.min_neighbours, rule.max_neighbours);
        END IF;
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.announced_bets_as_owner(text, text, numeric, timestamptz) IS 'Body of announced_bets(), run as the owner of the ledger';

CREATE FUNCTION casino.quote_grades(family text, rules jsonb, outcome jsonb, bets casino.bet[], hands integer[]) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CASE family
        WHEN 'roulette' THEN
            RETURN ARRAY (SELECT casino.grade_roulette(b.bet, (outcome ->> 'number')::integer)
                            FROM unnest(bets) WITH ORDINALITY b (bet, n) ORDER BY b.n);
        WHEN 'baccarat' THEN
            RETURN ARRAY (SELECT casino.grade_baccarat(b.bet, (outcome ->> 'player')::casino.hand, (outcome ->> 'banker')::casino.hand)
                            FROM unnest(bets) WITH ORDINALITY b (bet, n) ORDER BY b.n);
        WHEN 'blackjack' THEN
            RETURN casino.quote_blackjack_grades(casino.blackjack_rules(rules), outcome, bets, hands);
        WHEN 'casino_holdem' THEN
            IF casino.card_count((outcome ->> 'board')::casino.hand) < 5 AND 'call' IN (SELECT casino.kind(b) FROM unnest(bets) b) THEN
                RAISE EXCEPTION 'illegal outcome'
                    USING ERRCODE = 'KR001', DETAIL = 'The ante was called, so that the board has five cards (D4 Casino Hold''em §7).';
            END IF;
            RETURN ARRAY (SELECT casino.grade_casino_holdem(b.bet, (outcome ->> 'player')::casino.hand, (outcome ->> 'board')::casino.hand,
                                                            (outcome ->> 'dealer')::casino.hand, bool_or(casino.kind(b.bet) = 'call') OVER ())
                            FROM unnest(bets) WITH ORDINALITY b (bet, n) ORDER BY b.n);
        ELSE
            RAISE EXCEPTION 'the players of a pot are paid from each other''s stakes'
                USING ERRCODE = 'feature_not_supported', HINT = 'casino.split_pots() splits the pots of a hand.';
    END CASE;
END
$fn$;
COMMENT ON FUNCTION casino.quote_grades(text, jsonb, jsonb, casino.bet[], integer[]) IS 'Part of quote(): grades of one player''s bets, on those hands, on a canonical outcome document, in their order';

CREATE FUNCTION casino.quote_blackjack_grades(rules bigint, outcome jsonb, bets casino.bet[], hands integer[]) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT array_agg(casino.grade_blackjack(b.bet, b.hand, b.marks, rules, o.hands, (outcome ->> 'dealer')::casino.hand, o.surrendered, o.even_money)
                     ORDER BY b.n)
      FROM (SELECT u.bet, u.hand, u.n, bit_or(casino.blackjack_mark(u.bet, u.hand)) OVER () AS marks
              FROM unnest(bets, hands) WITH ORDINALITY u (bet, hand, n)) b
     CROSS JOIN (SELECT array_agg((h.v ->> 'cards')::casino.hand ORDER BY h.n) AS hands,
                        coalesce(bool_or((h.v ->> 'surrendered')::boolean), false) AS surrendered,
                        coalesce(bool_or(h.v ? 'even_money'), false) AS even_money
                   FROM jsonb_array_elements(outcome -> 'hands') WITH ORDINALITY h (v, n)) o
$fn$;
COMMENT ON FUNCTION casino.quote_blackjack_grades(bigint, jsonb, casino.bet[], integer[]) IS 'Part of quote(): grades of one player''s blackjack bets on those hands';

CREATE FUNCTION casino.quote_blackjack_hands(plan_id bigint, outcome jsonb, bets casino.bet[]) RETURNS integer[]
    AS 'MODULE_PATHNAME', 'casino_sql_quote_blackjack_hands' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.quote_blackjack_hands(bigint, jsonb, casino.bet[]) IS 'Part of quote(): hand of each of one player''s blackjack bets; KR001 for cards that could not have been played so with these bets';

CREATE FUNCTION casino.quote(game text, bets casino.bet[], outcome jsonb, at timestamptz DEFAULT clock_timestamp())
RETURNS TABLE (bet casino.bet, grade text, profit numeric, payout numeric)
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.quote(text, casino.bet[], jsonb, timestamptz) IS 'What one player''s bets would get on an outcome, as a round with the same wagers in that order: grade, profit (payout less stake) and payout. KR001 for cards that could not have been dealt and played so';

CREATE FUNCTION casino.quote_as_owner(game text, bets casino.bet[], outcome jsonb, at timestamptz)
RETURNS TABLE (bet casino.bet, grade text, profit numeric, payout numeric)
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    plan CONSTANT bigint := casino.plan_in_force(game, at);
    family text;
    rules jsonb;
    document jsonb;
    hands integer[];
    unknown casino.bet;
BEGIN
    SELECT g.family INTO family FROM casino.game g WHERE g.game = quote_as_owner.game;
    SELECT jsonb_object_agg(r.rule, r.value) INTO rules FROM casino.plan_rule r WHERE r.plan_id = plan;
    document := casino.canonical_outcome(family, coalesce(rules, '{}'), outcome);
    SELECT b.bet INTO unknown FROM unnest(bets) b (bet)
     WHERE NOT EXISTS (SELECT FROM casino.bet_rule k WHERE k.plan_id = plan AND k.kind = casino.kind(b.bet)
                          AND (k.zero_offered OR k.kind = 'straight' OR 0 <> ALL (casino.covers(b.bet)))) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION '% does not offer %', game, unknown
            USING ERRCODE = 'KB004', DETAIL = format('No such bet stands in %s.', casino.plan_name(plan));
    END IF;
    hands := CASE WHEN family = 'blackjack' THEN casino.quote_blackjack_hands(plan, document, bets)
                  ELSE array_fill(1, ARRAY[cardinality(bets)]) END;
    -- the bets are one player's wagers in the order of entry: those on one position share its profit
    RETURN QUERY
    SELECT w.bet, w.grade, w.payout - casino.cost(w.bet), w.payout
      FROM (SELECT g.bet, g.grade, g.ordinality,
                   casino.payout(g.bet, g.grade, coalesce(t.num, 0), coalesce(t.den, 0), coalesce(k.declared_win, 'Infinity'), g.before) AS payout
              FROM (SELECT b.bet, b.grade, b.ordinality,
                           casino.position_staked(b.bet, NULL, b.hand) OVER (ORDER BY b.ordinality) AS before
                      FROM unnest(bets, casino.quote_grades(family, coalesce(rules, '{}'), document, bets, hands), hands)
                           WITH ORDINALITY b (bet, grade, hand, ordinality)) g
              JOIN casino.bet_rule k ON k.plan_id = plan AND k.kind = casino.kind(g.bet)
              LEFT JOIN casino.paytable t ON t.plan_id = plan AND t.kind = casino.kind(g.bet) AND t.grade = g.grade) w
     ORDER BY w.ordinality;
END
$fn$;
COMMENT ON FUNCTION casino.quote_as_owner(text, casino.bet[], jsonb, timestamptz) IS 'Body of quote(), run as the owner of the ledger';

CREATE FUNCTION casino.max_win(game text, bet casino.bet, at timestamptz DEFAULT clock_timestamp()) RETURNS numeric
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.max_win(text, casino.bet, timestamptz) IS 'Largest possible profit in CZK of one wager alone on its position, never above the declared one';

CREATE FUNCTION casino.max_win_as_owner(game text, bet casino.bet, at timestamptz) RETURNS numeric
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    plan CONSTANT bigint := casino.plan_in_force(game, at);
    rule casino.bet_rule;
    win numeric;
BEGIN
    SELECT b.* INTO rule FROM casino.bet_rule b WHERE b.plan_id = plan AND b.kind = casino.kind(max_win_as_owner.bet);
    IF NOT FOUND OR NOT (rule.zero_offered OR rule.kind = 'straight' OR 0 <> ALL (casino.covers(bet))) THEN
        RAISE EXCEPTION '% does not offer %', game, bet
            USING ERRCODE = 'KB004', DETAIL = format('No such bet stands in %s.', casino.plan_name(plan));
    END IF;
    -- egalite pays by the points it names; a grade of other points is not this bet's
    SELECT max(casino.payout(max_win_as_owner.bet, t.grade, t.num, t.den, coalesce(rule.declared_win, 'Infinity'))) - casino.cost(bet)
      INTO win
      FROM casino.paytable t
     WHERE t.plan_id = plan AND t.kind = casino.kind(max_win_as_owner.bet)
       AND (casino.kind(max_win_as_owner.bet) <> 'egalite' OR t.grade = 'tie_' || casino.selection(max_win_as_owner.bet));
    RETURN win;
END
$fn$;
COMMENT ON FUNCTION casino.max_win_as_owner(text, casino.bet, timestamptz) IS 'Body of max_win(), run as the owner of the ledger';

CREATE FUNCTION casino.add_plan_version(game text, valid_from timestamptz, document text) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    latest casino.game_plan;
    plan bigint;
BEGIN
    IF game IS NULL OR valid_from IS NULL OR coalesce(btrim(document), '') = '' THEN
        RAISE EXCEPTION 'game, valid_from and document must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM casino.bounded(document, 'document', 1000);
    PERFORM FROM casino.game g WHERE g.game = add_plan_version.game FOR UPDATE;
    SELECT p.* INTO latest FROM casino.game_plan p
     WHERE p.game = add_plan_version.game ORDER BY p.version DESC LIMIT 1;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'game "%" does not exist', game USING ERRCODE = 'foreign_key_violation';
    END IF;
    IF valid_from <= latest.valid_from OR valid_from = 'infinity' THEN
        RAISE EXCEPTION 'version % of % is valid from %, the next must be later', latest.version, game, latest.valid_from
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    plan := nextval('casino.plan_id_seq');
    INSERT INTO casino.game_plan VALUES (plan, latest.game, latest.version + 1, add_plan_version.valid_from,
                                         add_plan_version.document, latest.round_max_stake, latest.declared_round_win);
    INSERT INTO casino.plan_rule (plan_id, rule, value, paragraph, informative)
    SELECT plan, r.rule, r.value, r.paragraph, r.informative FROM casino.plan_rule r WHERE r.plan_id = latest.plan_id;
    INSERT INTO casino.bet_rule
    SELECT plan, b.kind, b.min_stake, b.max_stake, b.declared_win, b.table_limits, b.requires, b.phase, b.zero_offered, b.paragraph
      FROM casino.bet_rule b WHERE b.plan_id = latest.plan_id;
    INSERT INTO casino.paytable SELECT plan, t.kind, t.grade, t.num, t.den, t.paragraph FROM casino.paytable t WHERE t.plan_id = latest.plan_id;
    INSERT INTO casino.announced_rule
    SELECT plan, a.stem, a.min_neighbours, a.max_neighbours, a.paragraph FROM casino.announced_rule a WHERE a.plan_id = latest.plan_id;
    RETURN plan;
END
$fn$;
COMMENT ON FUNCTION casino.add_plan_version(text, timestamptz, text) IS 'Adds a version of a game''s plan as a copy of the latest, to be changed with UPDATE, INSERT and DELETE until it comes into force; returns its plan_id';
