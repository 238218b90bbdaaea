-- Games and the versions of their plans: what they hold, which is in force, and when one may change (R1.2).

CREATE FUNCTION casino_internal.install_plans() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.game (
        game     text PRIMARY KEY,
        name     text NOT NULL,
        family   text NOT NULL CHECK (casino_internal.family_is_built(family)),
        live     boolean NOT NULL,
        document text NOT NULL,
        -- R12.87
        name_en  text CHECK (btrim(name_en) <> '' AND octet_length(name_en) <= 200)
    );
    COMMENT ON TABLE casino.game IS 'The games of the operator';
    COMMENT ON COLUMN casino.game.game IS 'Code of the game';
    COMMENT ON COLUMN casino.game.name IS 'Name as its document has it';
    COMMENT ON COLUMN casino.game.family IS 'Which logic grades it';
    -- R7.118
    COMMENT ON COLUMN casino.game.live
        IS 'Broadcast live game (přenášená živá hra): betting sequence and one-table rule apply (D4 §8)';
    COMMENT ON COLUMN casino.game.document IS 'Document of the rules, D0 to D4';
    COMMENT ON COLUMN casino.game.name_en
        IS 'Name on pages in English; NULL: the name as the document has it';

    CREATE SEQUENCE casino.plan_id_seq AS bigint MINVALUE 1 START 1000;
    COMMENT ON SEQUENCE casino.plan_id_seq IS 'Numbers of plan versions added after the first ones';

    CREATE TABLE casino.game_plan (
        plan_id            bigint PRIMARY KEY,
        game               text NOT NULL REFERENCES casino.game,
        version            integer NOT NULL CHECK (version > 0),
        valid_from         timestamptz NOT NULL,
        document           text NOT NULL CHECK (octet_length(document) <= 1000),
        round_max_stake    numeric CHECK (round_max_stake > 0),
        declared_round_win numeric CHECK (declared_round_win > 0),
        recorded_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
        UNIQUE (game, version)
    );
    COMMENT ON TABLE casino.game_plan
        IS 'Versions of the game plans; a version that is approved is in force from valid_from until the '
           'next approved version of its game';
    COMMENT ON COLUMN casino.game_plan.plan_id IS 'Number of the version';
    COMMENT ON COLUMN casino.game_plan.game IS 'Game';
    COMMENT ON COLUMN casino.game_plan.version IS 'Counts the versions of one game from 1';
    COMMENT ON COLUMN casino.game_plan.valid_from
        IS 'When it comes into force, if it is approved, until the next approved version of its game does';
    COMMENT ON COLUMN casino.game_plan.document IS 'Document and date of the version';
    COMMENT ON COLUMN casino.game_plan.recorded_at IS 'When the version was added';
    COMMENT ON COLUMN casino.game_plan.round_max_stake
        IS 'CZK one player may stake in one round; NULL: none declared';
    COMMENT ON COLUMN casino.game_plan.declared_round_win
        IS 'CZK declared net win of one player in one round; NULL: none declared';

    CREATE TABLE casino.plan_rule (
        plan_id   bigint NOT NULL REFERENCES casino.game_plan,
        rule      text NOT NULL,
        value     text NOT NULL,
        paragraph text NOT NULL,
        informative boolean NOT NULL DEFAULT false,
        PRIMARY KEY (plan_id, rule)
    );
    COMMENT ON TABLE casino.plan_rule IS 'Switches and numbers of a game that are not a kind of bet';
    COMMENT ON COLUMN casino.plan_rule.plan_id IS 'Plan version';
    COMMENT ON COLUMN casino.plan_rule.rule IS 'Name of the rule';
    COMMENT ON COLUMN casino.plan_rule.value IS 'Its value in this version';
    COMMENT ON COLUMN casino.plan_rule.paragraph
        IS 'Paragraph of the document, or number of the reading that decided it';
    COMMENT ON COLUMN casino.plan_rule.informative IS 'For people: no code reads it, see casino.plan_rules()';

    CREATE TABLE casino.bet_rule (
        plan_id      bigint NOT NULL REFERENCES casino.game_plan,
        kind         text NOT NULL,
        min_stake    numeric CHECK (min_stake > 0),
        max_stake    numeric CHECK (max_stake > 0),
        declared_win numeric CHECK (declared_win > 0),
        table_limits text NOT NULL CHECK (table_limits IN ('principal', 'covered', 'minimum', 'none')),
        requires     text,
        phase        text NOT NULL CHECK (phase IN ('betting', 'play', 'any')),
        zero_offered boolean NOT NULL DEFAULT true,
        paragraph    text NOT NULL,
        PRIMARY KEY (plan_id, kind)
    );
    COMMENT ON TABLE casino.bet_rule IS 'Kinds of bet a plan version offers, with their limits';
    COMMENT ON COLUMN casino.bet_rule.plan_id IS 'Plan version';
    COMMENT ON COLUMN casino.bet_rule.kind IS 'Kind of bet, see casino.bet_kinds()';
    COMMENT ON COLUMN casino.bet_rule.min_stake
        IS 'CZK least stake of the plan on one position; NULL: none declared';
    COMMENT ON COLUMN casino.bet_rule.max_stake
        IS 'CZK greatest stake of the plan on one position; NULL: none declared';
    COMMENT ON COLUMN casino.bet_rule.declared_win
        IS 'CZK declared net win of one position: a greater profit is capped and recorded; NULL: none '
           'declared';
    COMMENT ON COLUMN casino.bet_rule.table_limits
        IS 'principal: the table''s minimum and maximum are of this kind; covered: table minimum, and table '
           'maximum times the numbers covered; minimum: table minimum, and where plan and table name no '
           'maximum the table''s times the numbers covered; none: neither, unless the table names its '
           'own';
    COMMENT ON COLUMN casino.bet_rule.requires IS 'Kind the same player must have staked on the same seat';
    COMMENT ON COLUMN casino.bet_rule.phase
        IS 'betting: until betting closes; play: after that, until actions close; any: both';
    COMMENT ON COLUMN casino.bet_rule.zero_offered IS 'May a combination with zero be bet';
    COMMENT ON COLUMN casino.bet_rule.paragraph
        IS 'Paragraph of the document, or number of the reading that decided it';

    CREATE TABLE casino.paytable (
        plan_id   bigint NOT NULL,
        kind      text NOT NULL,
        grade     text NOT NULL CHECK (grade <> 'lose'),
        num       integer NOT NULL,
        den       integer NOT NULL CHECK (den > 0),
        CHECK (num >= -den),
        paragraph text NOT NULL,
        PRIMARY KEY (plan_id, kind, grade),
        FOREIGN KEY (plan_id, kind) REFERENCES casino.bet_rule
    );
    COMMENT ON TABLE casino.paytable IS 'Odds: profit to stake of each grade of each kind; lose has no line';
    COMMENT ON COLUMN casino.paytable.plan_id IS 'Plan version';
    COMMENT ON COLUMN casino.paytable.kind IS 'Kind of bet';
    COMMENT ON COLUMN casino.paytable.grade IS 'How the wager ended';
    COMMENT ON COLUMN casino.paytable.num IS 'Profit, for den staked; push 0';
    COMMENT ON COLUMN casino.paytable.den IS 'Stake to which num belongs';
    COMMENT ON COLUMN casino.paytable.paragraph
        IS 'Paragraph of the document, or number of the reading that decided it';

    CREATE TABLE casino.announced_rule (
        plan_id        bigint NOT NULL REFERENCES casino.game_plan,
        stem           text NOT NULL,
        min_neighbours integer,
        max_neighbours integer,
        paragraph      text NOT NULL,
        PRIMARY KEY (plan_id, stem)
    );
    COMMENT ON TABLE casino.announced_rule IS 'Announced bets a plan version offers';
    COMMENT ON COLUMN casino.announced_rule.plan_id IS 'Plan version';
    COMMENT ON COLUMN casino.announced_rule.stem IS 'Name up to its colon';
    COMMENT ON COLUMN casino.announced_rule.min_neighbours IS 'neighbours: least count a side';
    COMMENT ON COLUMN casino.announced_rule.max_neighbours IS 'neighbours: greatest count a side';
    COMMENT ON COLUMN casino.announced_rule.paragraph
        IS 'Paragraph of the document, or number of the reading that decided it';

    CREATE TRIGGER game_guard BEFORE UPDATE OR DELETE ON casino.game
        FOR EACH ROW EXECUTE FUNCTION casino_internal.refuse_change();
    COMMENT ON TRIGGER game_guard ON casino.game IS 'What a game is does not change';
    PERFORM casino_internal.refuse_truncate('game', 'game_plan', 'plan_rule', 'bet_rule',
                                            'paytable', 'announced_rule');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_plans() IS 'Part of casino.install(): games and plans';

CREATE FUNCTION casino_internal.guard_plans() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    part name;
BEGIN
    FOREACH part IN ARRAY ARRAY['game_plan', 'plan_rule', 'bet_rule', 'paytable', 'announced_rule'] LOOP
        PERFORM casino_internal.make_recorded(part, loaded => true);
        EXECUTE format('CREATE TRIGGER plan_guard BEFORE INSERT OR UPDATE OR DELETE ON casino.%I
                            FOR EACH ROW EXECUTE FUNCTION casino_internal.plan_guard()', part);
        EXECUTE format('COMMENT ON TRIGGER plan_guard ON casino.%I IS %L', part,
                       'A plan version in force or past never changes');
        -- judged once more when the change is committed: its day may have come meanwhile
        EXECUTE format('CREATE CONSTRAINT TRIGGER plan_guard_commit
                            AFTER INSERT OR UPDATE OR DELETE ON casino.%I
                            DEFERRABLE INITIALLY DEFERRED
                            FOR EACH ROW EXECUTE FUNCTION casino_internal.plan_guard()', part);
        EXECUTE format('COMMENT ON TRIGGER plan_guard_commit ON casino.%I IS %L', part,
                       'The same at the end of the transaction');
        -- an applied or restored INSERT is of versions long in force: only changes are refused in every role
        EXECUTE format('CREATE TRIGGER plan_unchanged BEFORE UPDATE OR DELETE ON casino.%I
                            FOR EACH ROW EXECUTE FUNCTION casino_internal.plan_guard()', part);
        EXECUTE format('COMMENT ON TRIGGER plan_unchanged ON casino.%I IS %L', part,
                       'The same under session_replication_role = replica');
        EXECUTE format('CREATE TRIGGER plan_forget AFTER INSERT OR UPDATE OR DELETE ON casino.%I
                            FOR EACH ROW EXECUTE FUNCTION casino_internal.forget_plan()', part);
        EXECUTE format('COMMENT ON TRIGGER plan_forget ON casino.%I IS %L', part,
                       'Kept results of the version are deleted, also under session_replication_role = '
                       'replica');
        IF part <> 'game_plan' THEN
            EXECUTE format('CREATE TRIGGER plan_values BEFORE INSERT OR UPDATE ON casino.%I
                                FOR EACH ROW EXECUTE FUNCTION casino_internal.plan_values()', part);
            EXECUTE format('COMMENT ON TRIGGER plan_values ON casino.%I IS %L', part,
                           'Refuses what no code of the game''s family knows');
        END IF;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.guard_plans()
    IS 'Part of casino.install(): who recorded the rows of plans, and that a version in force does not '
       'change; after load_game_plans()';

CREATE FUNCTION casino_internal.games_like(beginning text) RETURNS text
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT format('Games are %s.', string_agg(g.game, ', ' ORDER BY g.game))
      FROM casino.game g
     WHERE starts_with(g.game, beginning)
        OR NOT EXISTS (SELECT FROM casino.game o
                        WHERE starts_with(o.game, beginning))
$fn$;
COMMENT ON FUNCTION casino_internal.games_like(text) IS
    'Part of functions that ask for a game: HINT for an unknown one, the games that begin with it, else all';

CREATE FUNCTION casino.plan_in_force(game text, at timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    plan bigint;
BEGIN
    SELECT p.plan_id INTO plan FROM casino.approved_plan p
     WHERE p.game = plan_in_force.game AND p.valid_from <= plan_in_force.at
     ORDER BY p.valid_from DESC LIMIT 1;
    IF plan IS NULL THEN
        PERFORM FROM casino.game g WHERE g.game = plan_in_force.game;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'game "%" does not exist', game
                USING ERRCODE = 'foreign_key_violation', HINT = casino_internal.games_like(game);
        END IF;
        RAISE EXCEPTION 'no game plan of % is in force at %', game, at
            USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    RETURN plan;
END
$fn$;
COMMENT ON FUNCTION casino.plan_in_force(text, timestamptz) IS 'Version of a game''s plan in force at a time';

CREATE FUNCTION casino_internal.plan_is_used(plan_id bigint) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_plan_is_used' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.plan_is_used(bigint)
    IS 'Part of plan_guard(): was a round opened under the version, also since the transaction''s snapshot';

CREATE FUNCTION casino_internal.plan_is_decided(plan_id bigint) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_plan_is_decided' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.plan_is_decided(bigint)
    IS 'Part of plan_guard(): was the version approved or withdrawn, also since the transaction''s snapshot';

-- Who writes a row of a version holds its game_plan row FOR UPDATE until he commits, and whoever opens a
-- round under it holds it FOR KEY SHARE, by the foreign key of casino.round: neither goes on before the other
-- has ended.
CREATE FUNCTION casino_internal.plan_guard_impl() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    affected bigint[] := ARRAY[]::bigint[];
    fixed casino.game_plan;
    plan casino.game_plan;
BEGIN
    -- whoever puts the guard out of action has done so for both of its moments
    IF TG_WHEN = 'AFTER'
       AND EXISTS (SELECT FROM pg_trigger t
                    WHERE t.tgrelid = TG_RELID AND t.tgname = 'plan_guard' AND t.tgenabled = 'D') THEN
        RETURN NULL;
    END IF;
    IF TG_OP IN ('UPDATE', 'DELETE') THEN
        affected := affected || OLD.plan_id;
    END IF;
    IF TG_OP IN ('UPDATE', 'INSERT') THEN
        affected := affected || NEW.plan_id;
    END IF;
    FOR plan IN SELECT p.*
                  FROM casino.game_plan p
                 WHERE p.plan_id = ANY (affected)
                 ORDER BY p.plan_id FOR UPDATE LOOP
        IF plan.valid_from <= clock_timestamp() OR casino_internal.plan_is_used(plan.plan_id)
           -- R1.23: a decided draft stays as it was decided
           OR casino_internal.plan_is_decided(plan.plan_id) THEN
            fixed := plan;
        END IF;
    END LOOP;
    IF fixed.plan_id IS NULL AND TG_TABLE_NAME = 'game_plan' THEN
        -- a new version, or a draft moved or given up: it must lie in the future, where it was too
        IF TG_OP IN ('UPDATE', 'INSERT') AND NEW.valid_from <= clock_timestamp() THEN
            fixed := NEW;
        ELSIF TG_OP IN ('UPDATE', 'DELETE') AND OLD.valid_from <= clock_timestamp() THEN
            fixed := OLD;
        END IF;
    END IF;
    IF fixed.plan_id IS NOT NULL THEN
        RAISE EXCEPTION 'cannot change version % of the game plan of %', fixed.version, fixed.game
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL
                      = CASE WHEN fixed.valid_from > clock_timestamp()
                                       AND NOT casino_internal.plan_is_used(fixed.plan_id)
                                  THEN 'It was approved or withdrawn.'
                             ELSE format('It is in force since %s or rounds were opened under it.',
                                         fixed.valid_from) END,
                  HINT = 'Add a version with casino.add_plan_version() and change that before it comes into '
                         'force.';
    END IF;
    -- R1.21: a row that is gone names nobody, so the author of the version answers for it
    IF TG_WHEN = 'BEFORE'
       AND TG_TABLE_NAME <> 'game_plan'
       AND (TG_OP = 'DELETE' OR TG_OP = 'UPDATE' AND NEW.plan_id <> OLD.plan_id)
       AND EXISTS (SELECT FROM casino.game_plan p
                    WHERE p.plan_id = OLD.plan_id
                      AND casino_internal.same_eyes(p.recorded_by, casino_internal.recorded_by())
                          IS NULL) THEN
        RAISE EXCEPTION 'a row of % is removed by the author of the draft',
            casino_internal.plan_name(OLD.plan_id)
            USING ERRCODE = 'insufficient_privilege',
                  HINT = 'The author is the last person who wrote the row of casino.game_plan.';
    END IF;
    IF TG_TABLE_NAME = 'game_plan' AND TG_OP IN ('UPDATE', 'INSERT') THEN
        PERFORM casino_internal.refuse_same_date(NEW.plan_id, NEW.game, NEW.valid_from);
    END IF;
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino_internal.plan_guard_impl()
    IS 'Body of plan_guard(), run as the owner of the ledger';

-- as the owner also at the COMMIT, when the call of a person with a profile has ended
CREATE FUNCTION casino_internal.plan_guard() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.plan_guard()
    IS 'Trigger of the plan tables: a version in force or past does not change';

-- R1.25: the date of a version that was withdrawn is free.
CREATE FUNCTION casino_internal.refuse_same_date(plan_id bigint, game text, valid_from timestamptz)
    RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- who adds or moves a version of the game waits here
    PERFORM FROM casino.game g WHERE g.game = refuse_same_date.game FOR NO KEY UPDATE;
    IF EXISTS (SELECT FROM casino.game_plan p
                WHERE p.game = refuse_same_date.game
                  AND p.plan_id <> refuse_same_date.plan_id
                  AND p.valid_from = refuse_same_date.valid_from
                  AND NOT EXISTS (SELECT FROM casino.plan_withdrawal w WHERE w.plan_id = p.plan_id)) THEN
        RAISE EXCEPTION 'another version of % is valid from %', game, valid_from
            USING ERRCODE = 'unique_violation';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.refuse_same_date(bigint, text, timestamptz)
    IS 'Part of plan_guard(): two versions of a game do not begin at once';

CREATE FUNCTION casino.add_plan_version(game text, valid_from timestamptz, document text,
                                        from_version integer DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.add_plan_version(text, timestamptz, text, integer)
    IS 'Adds a draft of a version of a game''s plan as a copy of from_version, which may be a draft or '
       'withdrawn; NULL: of the latest that is approved. It is changed with UPDATE, INSERT and DELETE until '
       'it is approved; without an approval it never comes into force. Returns its plan_id, of the one '
       'added before when time and document are the same';

CREATE FUNCTION casino_internal.add_plan_version_impl(game text, valid_from timestamptz, document text,
                                                      from_version integer) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    latest casino.game_plan;
    pattern casino.game_plan;
    newest integer;
    plan bigint;
BEGIN
    IF game IS NULL OR valid_from IS NULL OR coalesce(btrim(document), '') = '' THEN
        RAISE EXCEPTION 'game, valid_from and document must be given'
            USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM casino_internal.bounded(document, 'document', 1000);
    -- one at a time; who opens a round locks the version, and who adds a table waits for nobody (its foreign
    -- key)
    PERFORM FROM casino.game g WHERE g.game = add_plan_version_impl.game FOR NO KEY UPDATE;
    SELECT p.* INTO latest FROM casino.game_plan p
     WHERE p.game = add_plan_version_impl.game
       AND NOT EXISTS (SELECT FROM casino.plan_withdrawal w WHERE w.plan_id = p.plan_id)
     ORDER BY p.version DESC LIMIT 1;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'game "%" does not exist', game
            USING ERRCODE = 'foreign_key_violation', HINT = casino_internal.games_like(game);
    END IF;
    -- R13.21: the same call again, as it is made in a hub and all its cells
    SELECT p.plan_id INTO plan FROM casino.game_plan p
     WHERE p.game = add_plan_version_impl.game
       AND p.version > 1
       AND p.valid_from = add_plan_version_impl.valid_from
       AND p.document = add_plan_version_impl.document
       AND NOT EXISTS (SELECT FROM casino.plan_withdrawal w WHERE w.plan_id = p.plan_id);
    IF FOUND THEN
        RETURN plan;
    END IF;
    IF valid_from <= latest.valid_from OR valid_from = 'infinity' THEN
        RAISE EXCEPTION 'version % of % is valid from %, the next must be later', latest.version, game,
            latest.valid_from
            USING ERRCODE = 'invalid_parameter_value',
                  HINT = CASE WHEN valid_from = 'infinity' THEN 'Give a finite time.'
                              WHEN latest.valid_from > clock_timestamp()
                                  THEN format('Give a later time, or first withdraw that version: '
                                              'casino.withdraw_plan_version(%s, reason).', latest.plan_id)
                              ELSE 'Give a time to come.' END;
    END IF;
    -- R1.27: rows that nobody approved are copied only when asked for
    IF from_version IS NULL THEN
        SELECT p.* INTO pattern
          FROM casino.game_plan p
          JOIN casino.approved_plan o ON o.plan_id = p.plan_id
         WHERE p.game = add_plan_version_impl.game
         ORDER BY p.version DESC
         LIMIT 1;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'no version of the game plan of % is approved', game
                USING ERRCODE = 'object_not_in_prerequisite_state',
                      HINT = format('from_version => %s copies the draft.', latest.version);
        END IF;
    ELSE
        SELECT p.* INTO pattern
          FROM casino.game_plan p
         WHERE p.game = add_plan_version_impl.game
           AND p.version = add_plan_version_impl.from_version;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'version % of the game plan of % does not exist', from_version, game
                USING ERRCODE = 'foreign_key_violation';
        END IF;
    END IF;
    plan := nextval('casino.plan_id_seq');
    SELECT max(p.version) INTO newest FROM casino.game_plan p WHERE p.game = add_plan_version_impl.game;
    INSERT INTO casino.game_plan VALUES (plan, latest.game, newest + 1, add_plan_version_impl.valid_from,
                                         add_plan_version_impl.document, pattern.round_max_stake,
                                         pattern.declared_round_win);
    PERFORM casino_internal.copy_plan_rows(pattern.plan_id, plan);
    PERFORM casino_internal.begin_plan_log(plan, pattern.plan_id);
    RETURN plan;
END
$fn$;
COMMENT ON FUNCTION casino_internal.add_plan_version_impl(text, timestamptz, text, integer)
    IS 'Body of add_plan_version(), run as the owner of the ledger';
