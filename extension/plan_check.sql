-- What a plan may say: the rules, kinds and grades that code knows, and a version as a whole.

CREATE FUNCTION casino.plan_rules(family text, OUT rule text, OUT informative boolean, OUT required boolean)
RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_plan_rules' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 30;
COMMENT ON FUNCTION casino.plan_rules(text)
    IS 'Rules that a plan of the family may have; informative: for people, no code reads it; required: a '
       'plan without it is incomplete';

CREATE FUNCTION casino_internal.plan_rule_problem(family text, rule text, value text) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_plan_rule_problem' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino_internal.plan_rule_problem(text, text, text)
    IS 'Why the family has no such rule, or the rule no such value; NULL: it has';

CREATE FUNCTION casino.plan_kinds(family text) RETURNS SETOF text
    AS 'MODULE_PATHNAME', 'casino_sql_plan_kinds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 15;
COMMENT ON FUNCTION casino.plan_kinds(text) IS 'Kinds of bet that games of the family can have';

CREATE FUNCTION casino.plan_grades(family text, rules jsonb, OUT kind text, OUT grade text)
RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_plan_grades' LANGUAGE C IMMUTABLE PARALLEL SAFE ROWS 50;
COMMENT ON FUNCTION casino.plan_grades(text, jsonb)
    IS 'Grades, other than lose, that a kind of bet can have under these rules, or under any (NULL); each '
       'needs a line of the paytable';

CREATE FUNCTION casino_internal.plan_is_checked(plan_id bigint) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_plan_is_checked' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.plan_is_checked(bigint)
    IS 'Part of open_round(): was the version found without problems before, in this session or in '
       'casino.kept_plan';

CREATE FUNCTION casino_internal.plan_note_checked(plan_id bigint) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_plan_note_checked' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.plan_note_checked(bigint)
    IS 'Part of open_round(): keeps that a version in force, which does not change, has no problems';

CREATE FUNCTION casino_internal.plan_name(plan_id bigint) RETURNS text
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT format('version %s of the game plan of %s', p.version, p.game)
      FROM casino.game_plan p
     WHERE p.plan_id = $1
$fn$;
COMMENT ON FUNCTION casino_internal.plan_name(bigint) IS 'Name of a plan version in messages';

CREATE FUNCTION casino.check_plan(plan_id bigint) RETURNS TABLE (problem text, "row" jsonb)
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE PARALLEL UNSAFE ROWS 10;
COMMENT ON FUNCTION casino.check_plan(bigint)
    IS 'What is wrong with a plan version as a whole, and in which row: rules and lines that are missing, '
       'what cannot occur or is not offered. No row: rounds can be opened and settled under it';

CREATE FUNCTION casino_internal.check_plan_impl(plan_id bigint) RETURNS TABLE (problem text, "row" jsonb)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    plan CONSTANT bigint := check_plan_impl.plan_id;
    family text;
    rules jsonb;
    sound boolean;
BEGIN
    SELECT g.family
      INTO family
      FROM casino.game_plan p
      JOIN casino.game g ON g.game = p.game
     WHERE p.plan_id = plan;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'game plan % does not exist', plan USING ERRCODE = 'foreign_key_violation';
    END IF;

    -- rules
    RETURN QUERY
    SELECT format('the rule %s is missing', k.rule), jsonb_build_object('table', 'plan_rule', 'rule', k.rule)
      FROM casino.plan_rules(family) k
     WHERE k.required
       AND NOT EXISTS (SELECT FROM casino.plan_rule r WHERE r.plan_id = plan AND r.rule = k.rule);
    sound := NOT FOUND;
    RETURN QUERY
    SELECT coalesce(casino_internal.plan_rule_problem(family, r.rule, r.value),
                    format('the rule %s is %s', r.rule,
                           CASE WHEN r.informative THEN 'no fact for people: code obeys it'
                                ELSE 'a fact for people: no code obeys it' END)),
           jsonb_build_object('table', 'plan_rule', 'rule', r.rule, 'value', r.value)
      FROM casino.plan_rule r
      LEFT JOIN casino.plan_rules(family) k ON k.rule = r.rule
     WHERE r.plan_id = plan
       AND (casino_internal.plan_rule_problem(family, r.rule, r.value) IS NOT NULL
            OR k.informative <> r.informative);
    sound := sound AND NOT FOUND;
    IF sound THEN
        SELECT coalesce(jsonb_object_agg(r.rule, r.value), '{}')
          INTO rules
          FROM casino.plan_rule r
         WHERE r.plan_id = plan;
    END IF;
    RETURN QUERY
    SELECT 'the small blind is above the big blind',
           jsonb_build_object('table', 'plan_rule', 'rule', 'small_blind', 'value', s.value)
      FROM casino.plan_rule s JOIN casino.plan_rule b ON b.plan_id = s.plan_id AND b.rule = 'big_blind'
     WHERE s.plan_id = plan AND s.rule = 'small_blind' AND sound AND s.value::numeric > b.value::numeric;

    -- kinds of bet
    RETURN QUERY
    SELECT 'no kind of bet is offered', jsonb_build_object('table', 'bet_rule')
     WHERE NOT EXISTS (SELECT FROM casino.bet_rule b WHERE b.plan_id = plan);
    RETURN QUERY
    SELECT x.problem, jsonb_build_object('table', 'bet_rule', 'kind', b.kind) || x.more
      FROM casino.bet_rule b
     CROSS JOIN LATERAL (
            SELECT format('%s is no kind of bet of %s', b.kind, family) AS problem, '{}'::jsonb AS more
             WHERE b.kind NOT IN (SELECT k FROM casino.plan_kinds(family) k)
            UNION ALL
            SELECT format('%s needs a %s bet, which is not offered', b.kind, b.requires),
                   jsonb_build_object('requires', b.requires)
             WHERE b.requires IS NOT NULL
               AND NOT EXISTS (SELECT FROM casino.bet_rule q
                                WHERE q.plan_id = plan AND q.kind = b.requires AND q.kind <> b.kind)
            UNION ALL
            SELECT format('the least stake on %s is above the greatest', b.kind),
                   jsonb_build_object('min_stake', b.min_stake, 'max_stake', b.max_stake)
             WHERE b.min_stake > b.max_stake
            UNION ALL
            SELECT format('the rules leave %s no place', b.kind), '{}'
             WHERE sound AND b.kind IN (SELECT g.kind FROM casino.plan_grades(family, NULL) g)
               AND b.kind NOT IN (SELECT g.kind FROM casino.plan_grades(family, rules) g)) x
     WHERE b.plan_id = plan;
    RETURN QUERY
    SELECT format('the rules have %s, which is not offered', k.kind),
           jsonb_build_object('table', 'bet_rule', 'kind', k.kind)
      FROM (VALUES ('behind', 'behind'), ('free_split_on', 'free_split'),
            ('free_double_on', 'free_double')) k (
          rule, kind)
     WHERE sound AND rules ->> k.rule <> 'none'
       AND k.kind IN (SELECT g.kind FROM casino.plan_grades(family, rules) g)
       AND NOT EXISTS (SELECT FROM casino.bet_rule b WHERE b.plan_id = plan AND b.kind = k.kind);

    -- odds
    RETURN QUERY
    SELECT format('%s is never graded %s', t.kind, t.grade),
           jsonb_build_object('table', 'paytable', 'kind', t.kind, 'grade', t.grade)
      FROM casino.paytable t
     WHERE t.plan_id = plan
       AND (t.kind, t.grade) NOT IN (SELECT g.kind, g.grade FROM casino.plan_grades(family, rules) g);
    RETURN QUERY
    SELECT format('%s can be graded %s, which has no line', g.kind, g.grade),
           jsonb_build_object('table', 'paytable', 'kind', g.kind, 'grade', g.grade)
      FROM casino.plan_grades(family, rules) g
      JOIN casino.bet_rule b ON b.plan_id = plan AND b.kind = g.kind
     WHERE sound
       AND NOT EXISTS (SELECT FROM casino.paytable t
                        WHERE t.plan_id = plan AND t.kind = g.kind AND t.grade = g.grade);

    -- announced bets
    RETURN QUERY
    SELECT x.problem, jsonb_build_object('table', 'announced_rule', 'stem', a.stem)
      FROM casino.announced_rule a
     CROSS JOIN LATERAL casino_internal.announced_problem(family, a.stem, a.min_neighbours,
                                                          a.max_neighbours) x (
         problem)
     WHERE a.plan_id = plan AND x.problem IS NOT NULL;
    RETURN QUERY
    SELECT DISTINCT format('%s is made of %s bets, which are not offered', a.stem, casino.kind(e.bet)),
           jsonb_build_object('table', 'announced_rule', 'stem', a.stem)
      FROM casino.announced_rule a
     CROSS JOIN LATERAL casino.expand_announced(casino_internal.announced_example(a.stem), 1) e (bet)
     WHERE a.plan_id = plan
       AND casino_internal.announced_problem(family, a.stem, a.min_neighbours, a.max_neighbours) IS NULL
       AND NOT EXISTS (SELECT FROM casino.bet_rule b WHERE b.plan_id = plan AND b.kind = casino.kind(e.bet)
                          AND (b.zero_offered OR b.kind = 'straight' OR 0 <> ALL (casino.covers(e.bet))));
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_plan_impl(bigint)
    IS 'Body of check_plan(), run as the owner of the ledger';

CREATE FUNCTION casino_internal.announced_example(stem text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT stem || CASE stem
                        WHEN 'neighbours' THEN ':17/1'
                        WHEN 'complete' THEN ':2'
                        WHEN 'semi_complete' THEN ':2'
                             WHEN 'finale_plein' THEN ':1' WHEN 'finale_cheval' THEN ':0-3' ELSE '' END
$fn$;
COMMENT ON FUNCTION casino_internal.announced_example(text)
    IS 'Part of check_plan(): an announced bet of that name, with the most kinds it can be made of';

CREATE FUNCTION casino_internal.announced_problem(family text, stem text, min_neighbours integer,
                                                  max_neighbours integer)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT CASE WHEN family <> 'roulette'
                     OR casino_internal.announced_stem(casino_internal.announced_example(stem)) IS DISTINCT
                         FROM stem
                THEN format('"%s" is no announced bet of %s', left(stem, 64), family)
                WHEN stem = 'neighbours' AND (min_neighbours IS NULL OR max_neighbours IS NULL
                                              OR min_neighbours < 0
                                              OR max_neighbours > 9
                                              OR min_neighbours > max_neighbours)
                THEN 'neighbours has 0 to 9 a side, the least not above the greatest'
                WHEN stem <> 'neighbours' AND (min_neighbours IS NOT NULL OR max_neighbours IS NOT NULL)
                THEN format('%s has no neighbours', stem) END
$fn$;
COMMENT ON FUNCTION casino_internal.announced_problem(text, text, integer, integer)
    IS 'Why this is no announced bet of the family; NULL when it is one';

CREATE FUNCTION casino_internal.require_plan(plan_id bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    problems text[];
BEGIN
    problems := ARRAY (SELECT c.problem FROM casino_internal.check_plan_impl(require_plan.plan_id) c);
    IF cardinality(problems) > 0 THEN
        RAISE EXCEPTION 'no round can be opened under %', casino_internal.plan_name(plan_id)
            USING ERRCODE = 'invalid_parameter_value',
                  DETAIL = array_to_string(problems[1:10], '; ')
                           || CASE WHEN cardinality(problems) > 10
                                       THEN format('; and %s more', cardinality(problems) - 10)
                                   ELSE '' END || '.',
                  HINT = format('SELECT * FROM casino.check_plan(%s) lists the rows. Rounds could not be '
                                'settled by them.',
                                plan_id);
    END IF;
    -- what came into force just now may still be committed by another one: see state/plan_bets.c
    PERFORM casino_internal.plan_note_checked(require_plan.plan_id) FROM casino.game_plan p
      WHERE p.plan_id = require_plan.plan_id AND p.valid_from < clock_timestamp() - interval '1 hour';
END
$fn$;
COMMENT ON FUNCTION casino_internal.require_plan(bigint)
    IS 'Part of open_round(): 22023 naming the problems of a plan version that check_plan() finds';

CREATE FUNCTION casino_internal.plan_in_force_or_next(game text, at timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    first casino.game_plan;
BEGIN
    SELECT p.*
      INTO first
      FROM casino.game_plan p
     WHERE p.game = plan_in_force_or_next.game
       AND p.plan_id NOT IN (SELECT w.plan_id FROM casino.plan_withdrawal w)
     ORDER BY p.valid_from
     LIMIT 1;
    IF first.valid_from > at THEN
        RETURN first.plan_id;
    END IF;
    RETURN casino.plan_in_force(game, at);
END
$fn$;
COMMENT ON FUNCTION casino_internal.plan_in_force_or_next(text, timestamptz)
    IS 'Version of a game''s plan in force at a time, of a game whose day has not come its first one: '
       'tables are prepared by it';

CREATE FUNCTION casino_internal.plan_values() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    family text;
    said text;
BEGIN
    SELECT g.family
      INTO family
      FROM casino.game_plan p
      JOIN casino.game g ON g.game = p.game
     WHERE p.plan_id = NEW.plan_id;
    IF NOT FOUND THEN
        RETURN NEW;         -- the foreign key refuses it
    END IF;
    CASE TG_TABLE_NAME
        WHEN 'plan_rule' THEN
            said := casino_internal.plan_rule_problem(family, NEW.rule, NEW.value);
            -- a ground has no row of plan_rules(): code reads it
            NEW.informative := coalesce((SELECT k.informative
                                           FROM casino.plan_rules(family) k
                                          WHERE k.rule = NEW.rule), false);
        WHEN 'bet_rule' THEN
            SELECT format('"%s" is no kind of bet of %s.', left(k, 64), family) INTO said
              FROM unnest(ARRAY[NEW.kind, NEW.requires]) k
             WHERE k NOT IN (SELECT x FROM casino.plan_kinds(family) x) LIMIT 1;
        WHEN 'paytable' THEN
            SELECT format('%s is never graded "%s" in %s.', NEW.kind, left(NEW.grade, 64), family) INTO said
             WHERE (NEW.kind, NEW.grade) NOT
                       IN (SELECT g.kind, g.grade FROM casino.plan_grades(family, NULL) g);
        WHEN 'announced_rule' THEN
            said := casino_internal.announced_problem(family, NEW.stem, NEW.min_neighbours,
                                                      NEW.max_neighbours) || '.';
    END CASE;
    IF said IS NOT NULL THEN
        RAISE EXCEPTION 'no game of the family % has this row of %', family, TG_TABLE_NAME
            USING ERRCODE = 'invalid_parameter_value', DETAIL = upper(left(said, 1)) || substr(said, 2),
                  HINT = format('casino.plan_rules(%1$L), plan_kinds(%1$L) and plan_grades(%1$L, NULL) list '
                                'what there is.',
                                family);
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino_internal.plan_values()
    IS 'Trigger of the tables below a plan version: 22023 for rules, values, kinds, grades and announced '
       'bets that the family does not have';
