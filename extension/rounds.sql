-- Rounds: opening, closing, cards, settlement.

CREATE TYPE casino.settlement AS (
    round_id     bigint,
    status       text,
    wagers       bigint,
    players      bigint,
    staked       numeric,
    paid         numeric,
    house_result numeric,
    at           timestamptz
);
COMMENT ON TYPE casino.settlement
    IS 'How a round ended: settled, withheld or voided, wagers, players, CZK staked, paid (or to be paid) '
       'and the house''s result';

CREATE FUNCTION casino_internal.install_rounds() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE SEQUENCE casino.round_id_seq AS bigint;
    COMMENT ON SEQUENCE casino.round_id_seq IS 'Numbers of rounds';

    CREATE TABLE casino.round (
        round_id          bigint PRIMARY KEY,
        table_id          bigint NOT NULL REFERENCES casino.game_table,
        table_version     integer NOT NULL,
        round_ref         text NOT NULL CHECK (round_ref
                                               = casino_internal.canonical_text(round_ref, 'round_ref')
                                               AND octet_length(round_ref) <= 200),
        plan_id           bigint NOT NULL REFERENCES casino.game_plan,
        status            text NOT NULL CHECK (status IN ('open', 'closed', 'withheld', 'settled', 'voided')),
        opened_at         timestamptz NOT NULL,
        betting_until     timestamptz CHECK (betting_until > opened_at AND betting_until < 'infinity'),
        betting_closed_at timestamptz,
        actions_closed_at timestamptz,
        evaluated_at      timestamptz,
        withheld_paid_at  timestamptz,
        outcome           jsonb,
        outcome_document  jsonb,
        evaluation_recorded_at timestamptz,
        opened_recorded_at         timestamptz,
        betting_closed_recorded_at timestamptz,
        actions_closed_recorded_at timestamptz,
        withheld_recorded_at       timestamptz,
        withheld_paid_recorded_at  timestamptz,
        voided_recorded_at         timestamptz,
        void_reason       text CHECK (octet_length(void_reason) <= 1000),
        void_ground       text CHECK (octet_length(void_ground) <= 64),
        wagers            bigint,
        players           bigint,
        staked            numeric,
        paid              numeric,
        withheld_at       timestamptz,
        withheld_reason   text CHECK (octet_length(withheld_reason) <= 1000),
        withheld_ground   text CHECK (octet_length(withheld_ground) <= 64),
        facts             jsonb,
        voided_at         timestamptz,
        opened_by         integer NOT NULL,
        betting_closed_by integer,
        actions_closed_by integer,
        evaluated_by      integer,
        withheld_paid_by  integer,
        withheld_by       integer,
        voided_by         integer,
        withheld_paid_reason text CHECK (octet_length(withheld_paid_reason) <= 1000),
        UNIQUE (table_id, round_ref),
        FOREIGN KEY (table_id, table_version) REFERENCES casino.table_version
    );
    CREATE INDEX round_opened ON casino.round (table_id, opened_at);
    COMMENT ON INDEX casino.round_opened IS 'Finds the round that a table had at a time';
    CREATE UNIQUE INDEX round_unevaluated ON casino.round (table_id) WHERE status IN ('open', 'closed');
    CREATE INDEX round_evaluated_at ON casino.round (evaluated_at);
    COMMENT ON INDEX casino.round_evaluated_at IS 'Finds the rounds of a day';
    CREATE INDEX round_over_midnight ON casino.round (evaluated_at, opened_at)
        WHERE casino.prague_day(opened_at) < casino.prague_day(evaluated_at);
    COMMENT ON INDEX casino.round_over_midnight
        IS 'Finds the rounds that were under way when a day or month began';
    CREATE INDEX round_long ON casino.round (evaluated_at, opened_at)
        WHERE CASE WHEN isfinite(opened_at) AND isfinite(evaluated_at)
                   THEN evaluated_at - opened_at >= interval '3 hours' END;
    COMMENT ON INDEX casino.round_long IS 'Finds the rounds that were under way for hours';
    CREATE INDEX round_evaluated_late ON casino.round (evaluation_recorded_at)
        WHERE casino.prague_day(evaluated_at) <> casino.prague_day(evaluation_recorded_at);
    COMMENT ON INDEX casino.round_evaluated_late
        IS 'Finds the rounds whose evaluation was written on another day than that on which it is dated';
    CREATE INDEX round_plan ON casino.round (plan_id);
    COMMENT ON INDEX casino.round_plan IS 'Finds out whether a plan version was used';
    CREATE INDEX round_withheld ON casino.round (evaluated_at) WHERE status = 'withheld';
    COMMENT ON INDEX casino.round_unevaluated IS 'One unevaluated round a table';
    COMMENT ON INDEX casino.round_withheld IS 'Finds the rounds whose winnings are still to be paid';
    COMMENT ON TABLE casino.round IS 'Rounds, from opening to evaluation';
    COMMENT ON COLUMN casino.round.round_id IS 'Number of the round';
    COMMENT ON COLUMN casino.round.table_id IS 'Table';
    COMMENT ON COLUMN casino.round.round_ref IS 'The provider''s name of the round, unique at its table';
    COMMENT ON COLUMN casino.round.plan_id
        IS 'Plan version in force when it was opened, by which it is settled';
    COMMENT ON COLUMN casino.round.status
        IS 'open: bets are taken; closed: betting closed; withheld: evaluated, payouts held back; settled: '
           'evaluated and paid; voided: stakes returned';
    COMMENT ON COLUMN casino.round.opened_at IS 'When it was opened';
    COMMENT ON COLUMN casino.round.betting_until
        IS 'Betting ends then at the latest, whether somebody closes it or not; NULL: only when it is closed';
    COMMENT ON COLUMN casino.round.betting_closed_at
        IS 'When betting closed; NULL also when it was voided before';
    COMMENT ON COLUMN casino.round.actions_closed_at IS 'When the players'' decisions ended';
    COMMENT ON COLUMN casino.round.evaluated_at IS 'When it was evaluated or voided';
    COMMENT ON COLUMN casino.round.withheld_paid_at IS 'When withheld payouts were posted';
    COMMENT ON COLUMN casino.round.table_version
        IS 'Version of the table''s limits and switches in force when it was opened, by which its stakes '
           'are judged';
    COMMENT ON COLUMN casino.round.outcome
        IS 'Outcome in the canonical form, by which a repeated settlement is recognised';
    COMMENT ON COLUMN casino.round.outcome_document
        IS 'Outcome document as the provider sent it with the settlement that counts';
    COMMENT ON COLUMN casino.round.evaluation_recorded_at IS 'When the evaluation, or the void, was written';
    COMMENT ON COLUMN casino.round.opened_recorded_at IS 'When the opening was written';
    COMMENT ON COLUMN casino.round.betting_closed_recorded_at IS 'When the end of betting was written';
    COMMENT ON COLUMN casino.round.actions_closed_recorded_at IS 'When the end of the decisions was written';
    COMMENT ON COLUMN casino.round.withheld_recorded_at
        IS 'When the order to withhold its winnings was written';
    COMMENT ON COLUMN casino.round.withheld_paid_recorded_at
        IS 'When the release of withheld winnings was written';
    COMMENT ON COLUMN casino.round.voided_recorded_at IS 'When the void was written';
    COMMENT ON COLUMN casino.round.void_reason IS 'Why it was voided';
    COMMENT ON COLUMN casino.round.void_ground
        IS 'Ground on which it was voided: one of casino.plan_grounds(), or other';
    COMMENT ON COLUMN casino.round.wagers IS 'Wagers settled or returned';
    COMMENT ON COLUMN casino.round.players IS 'Players who had one';
    COMMENT ON COLUMN casino.round.staked IS 'CZK staked';
    COMMENT ON COLUMN casino.round.paid IS 'CZK paid, to be paid (withheld) or returned (voided)';
    COMMENT ON COLUMN casino.round.withheld_at
        IS 'When it was ordered that its winnings are withheld, of all players';
    COMMENT ON COLUMN casino.round.withheld_reason IS 'Why';
    COMMENT ON COLUMN casino.round.withheld_ground
        IS 'On which ground: one of casino.plan_grounds(), or other';
    COMMENT ON COLUMN casino.round.facts
        IS 'Facts from the floor: tokens of dealer, shoe and shift, reference of the video';
    COMMENT ON COLUMN casino.round.voided_at
        IS 'When it was voided; later than evaluated_at where it had been withheld';
    COMMENT ON COLUMN casino.round.opened_by IS 'Who opened it: casino.recorder';
    COMMENT ON COLUMN casino.round.betting_closed_by IS 'Who closed betting: casino.recorder';
    COMMENT ON COLUMN casino.round.actions_closed_by IS 'Who ended the decisions: casino.recorder';
    COMMENT ON COLUMN casino.round.evaluated_by IS 'Who settled, withheld or voided it: casino.recorder';
    COMMENT ON COLUMN casino.round.withheld_paid_by IS 'Who paid what was withheld: casino.recorder';
    COMMENT ON COLUMN casino.round.withheld_paid_reason
        IS 'Why what was withheld was released; NULL: nobody had to say, because no order withheld it';
    COMMENT ON COLUMN casino.round.withheld_by
        IS 'Who ordered that its winnings are withheld: casino.recorder';
    COMMENT ON COLUMN casino.round.voided_by IS 'Who voided it: casino.recorder';
    CREATE TRIGGER record_who BEFORE INSERT OR UPDATE ON casino.round FOR EACH ROW
        EXECUTE FUNCTION casino_internal.record_who(
            'opened_at', 'opened_by', 'opened_recorded_at',
            'betting_closed_at', 'betting_closed_by', 'betting_closed_recorded_at',
            'actions_closed_at', 'actions_closed_by', 'actions_closed_recorded_at',
            'evaluated_at', 'evaluated_by', '',
            'withheld_at', 'withheld_by', 'withheld_recorded_at',
            'withheld_paid_at', 'withheld_paid_by', 'withheld_paid_recorded_at',
            'voided_at', 'voided_by', 'voided_recorded_at');
    COMMENT ON TRIGGER record_who ON casino.round IS 'Fills in who did it, and when that was written';

    CREATE TABLE casino.deal (
        round_id    bigint NOT NULL REFERENCES casino.round,
        deal_no     integer NOT NULL CHECK (deal_no > 0),
        document    jsonb NOT NULL,
        dealt_at    timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (round_id, deal_no)
    );
    COMMENT ON TABLE casino.deal
        IS 'Append-only: every document that deal() was given, so that cards it replaced, and when each '
           'came, stay known';
    COMMENT ON COLUMN casino.deal.round_id IS 'Round';
    COMMENT ON COLUMN casino.deal.deal_no IS 'Counts the documents of a round from 1';
    COMMENT ON COLUMN casino.deal.document IS 'All cards that lay on the table, as the provider sent them';
    COMMENT ON COLUMN casino.deal.dealt_at IS 'Time of the event';
    COMMENT ON COLUMN casino.deal.recorded_at
        IS 'When it was written: after all stakes that were there, also where the clock was put back since';

    CREATE TABLE casino.deal_correction (
        round_id      bigint NOT NULL REFERENCES casino.round,
        deal_no       integer NOT NULL,
        wrong_deal_no integer CHECK (wrong_deal_no < deal_no),
        reason        text NOT NULL CHECK (octet_length(reason) <= 1000),
        wagers_stand  boolean NOT NULL,
        returned      integer NOT NULL CHECK (returned >= 0),
        corrected_at  timestamptz NOT NULL,
        recorded_at   timestamptz NOT NULL,
        PRIMARY KEY (round_id, deal_no)
    );
    COMMENT ON TABLE casino.deal_correction
        IS 'Append-only: cards that deal() was told wrongly and correct_deal() has put right before the '
           'evaluation (D4 Blackjack §16)';
    COMMENT ON COLUMN casino.deal_correction.round_id IS 'Round';
    COMMENT ON COLUMN casino.deal_correction.deal_no IS 'The document with the right cards, in casino.deal';
    COMMENT ON COLUMN casino.deal_correction.wrong_deal_no
        IS 'The first document that showed a wrong card; NULL: the cards lie otherwise, but none was wrong';
    COMMENT ON COLUMN casino.deal_correction.reason IS 'Why';
    COMMENT ON COLUMN casino.deal_correction.wagers_stand
        IS 'What was staked after the wrong card was shown stands; false: those stakes went back';
    COMMENT ON COLUMN casino.deal_correction.returned IS 'How many stakes went back';
    COMMENT ON COLUMN casino.deal_correction.corrected_at IS 'Time of the correction';
    COMMENT ON COLUMN casino.deal_correction.recorded_at IS 'When it was written';

    CREATE TABLE casino.dealt_hand (
        round_id           bigint NOT NULL REFERENCES casino.round,
        side               text NOT NULL CHECK (side IN ('player', 'banker', 'dealer', 'board', 'box')),
        seat               integer NOT NULL DEFAULT 0,
        group_no           integer NOT NULL DEFAULT 0,
        hand               integer NOT NULL DEFAULT 1,
        cards              casino.hand NOT NULL,
        surrendered        boolean NOT NULL DEFAULT false,
        folded             boolean NOT NULL DEFAULT false,
        even_money         boolean NOT NULL DEFAULT false,
        even_money_players bigint[] NOT NULL DEFAULT '{}',
        players            bigint[] NOT NULL DEFAULT '{}',
        PRIMARY KEY (round_id, side, seat, group_no, hand)
    );
    COMMENT ON TABLE casino.dealt_hand IS 'Cards of a round as they were dealt, and what the players decided';
    COMMENT ON COLUMN casino.dealt_hand.round_id IS 'Round';
    COMMENT ON COLUMN casino.dealt_hand.side IS 'Whose cards';
    COMMENT ON COLUMN casino.dealt_hand.seat IS 'Seat (box), 0 where there is none';
    COMMENT ON COLUMN casino.dealt_hand.group_no
        IS 'Shared box: 0 for everybody without a hand of his own, else a group of players with the same '
           'hands';
    COMMENT ON COLUMN casino.dealt_hand.hand IS 'Hand of the seat or group, from 1';
    COMMENT ON COLUMN casino.dealt_hand.cards IS 'Cards in the order dealt';
    COMMENT ON COLUMN casino.dealt_hand.surrendered IS 'Given up for half the stake';
    COMMENT ON COLUMN casino.dealt_hand.folded IS 'Thrown away (Texas Hold''em)';
    COMMENT ON COLUMN casino.dealt_hand.even_money
        IS 'All with a main bet on it took 1:1 for their blackjack';
    COMMENT ON COLUMN casino.dealt_hand.even_money_players IS 'Single players who took it';
    COMMENT ON COLUMN casino.dealt_hand.players IS 'Players of the group, on its hand 1';

    CREATE TRIGGER round_guard BEFORE UPDATE OR DELETE ON casino.round
        FOR EACH ROW EXECUTE FUNCTION casino_internal.round_guard();
    COMMENT ON TRIGGER round_guard ON casino.round IS 'An evaluated round never changes, no round is deleted';
    CREATE TRIGGER tell_round AFTER INSERT OR UPDATE ON casino.round
        FOR EACH ROW EXECUTE FUNCTION casino_internal.tell_round();
    COMMENT ON TRIGGER tell_round ON casino.round IS 'Tells listeners of the round';
    CREATE TRIGGER tell_round AFTER INSERT ON casino.deal
        FOR EACH ROW EXECUTE FUNCTION casino_internal.tell_round('dealt');
    COMMENT ON TRIGGER tell_round ON casino.deal IS 'Tells listeners of cards';
    CREATE TRIGGER tell_round AFTER INSERT ON casino.deal_correction
        FOR EACH ROW EXECUTE FUNCTION casino_internal.tell_round('corrected');
    COMMENT ON TRIGGER tell_round ON casino.deal_correction
        IS 'Tells listeners of corrected cards';
    CREATE TRIGGER dealt_hand_guard BEFORE INSERT OR UPDATE OR DELETE ON casino.dealt_hand
        FOR EACH ROW EXECUTE FUNCTION casino_internal.dealt_hand_guard();
    COMMENT ON TRIGGER dealt_hand_guard ON casino.dealt_hand
        IS 'The cards of an evaluated round do not change';
    PERFORM casino_internal.make_append_only('deal', 'deal_correction');
    PERFORM casino_internal.make_recorded('deal');
    PERFORM casino_internal.make_recorded('deal_correction');
    PERFORM casino_internal.refuse_truncate('round', 'dealt_hand');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_rounds() IS 'Part of casino.install(): rounds, deals, cards';

CREATE FUNCTION casino_internal.tell_round() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_tell_round' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.tell_round()
    IS 'Trigger of rounds and their cards: sends event, table, round and status on channel '
       'casino_round, where casino.notify is on';

CREATE FUNCTION casino_internal.round_guard() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_round_guard' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.round_guard()
    IS 'Trigger of casino.round: evaluated rounds do not change, none is deleted';

CREATE FUNCTION casino_internal.posting_now() RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_posting_now' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.posting_now()
    IS 'Part of the guards: was the trigger that asks fired by a statement of the ledger''s own code';

CREATE FUNCTION casino_internal.dealt_hand_guard() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    affected bigint[] := ARRAY[]::bigint[];
    evaluated casino.round;
BEGIN
    -- a correction that was approved
    IF casino_internal.posting_now() THEN
        RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    END IF;
    IF TG_OP IN ('UPDATE', 'DELETE') THEN
        affected := affected || OLD.round_id;
    END IF;
    IF TG_OP IN ('UPDATE', 'INSERT') THEN
        affected := affected || NEW.round_id;
    END IF;
    SELECT r.* INTO evaluated FROM casino.round r
     WHERE r.round_id = ANY (affected) AND r.status IN ('withheld', 'settled', 'voided') LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'round % is %', evaluated.round_id, evaluated.status
            USING ERRCODE = 'KR002', CONSTRAINT = 'round_state',
                  DATATYPE = jsonb_build_object('round_id', evaluated.round_id, 'status',
                      evaluated.status)::text,
                  DETAIL = 'The cards of an evaluated round do not change.';
    END IF;
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino_internal.dealt_hand_guard()
    IS 'Trigger of casino.dealt_hand: the cards of an evaluated round do not change';

CREATE FUNCTION casino_internal.round_event_time(at timestamptz, not_before timestamptz DEFAULT NULL)
RETURNS timestamptz
    AS 'MODULE_PATHNAME', 'casino_sql_round_event_time' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.round_event_time(timestamptz, timestamptz)
    IS 'Part of open_round() and set_table_limits(): event_time() of an event of a round or table: in a '
       'cell the hub has checked it when it decided, and the call may come long afterwards';

CREATE FUNCTION casino_internal.await_round(round_id bigint) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_await_round' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.await_round(bigint)
    IS 'Part of open_round(): waits for whoever closes or evaluates the round, and keeps it as it is until '
       'the transaction ends';

CREATE FUNCTION casino.open_round(table_id bigint, round_ref text, at timestamptz DEFAULT NULL,
                                  round_id bigint DEFAULT NULL,
                                  betting_until timestamptz DEFAULT NULL, facts jsonb DEFAULT NULL)
RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.open_round(bigint, text, timestamptz, bigint, timestamptz, jsonb)
    IS 'Opens a round for bets under the plan version in force and returns its number, in a cell the one '
       'that the hub gives; from betting_until on it takes none, closed or not; facts are tokens of '
       'dealer, shoe, shift and video. The same reference again returns the same number';

-- A repetition, or another round of that reference or number (R13.7)?
CREATE FUNCTION casino_internal.require_same_round(opened record, round_id bigint, betting_until timestamptz,
                                                   facts jsonb)
RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF coalesce(round_id, opened.round_id) <> opened.round_id
       OR betting_until IS DISTINCT FROM opened.betting_until OR facts IS DISTINCT FROM opened.facts THEN
        RAISE EXCEPTION 'round "%" of table % was opened otherwise', opened.round_ref, opened.table_id
            USING ERRCODE = 'KR002', CONSTRAINT = 'opened_otherwise',
                  DATATYPE = jsonb_build_object('round_ref', opened.round_ref, 'round_id', opened.round_id,
                                                'betting_until', opened.betting_until)::text,
                  DETAIL = format('It is round %s, with betting until %s%s.', opened.round_id,
                                  coalesce(opened.betting_until::text, 'it is closed'),
                                  ' and facts ' || opened.facts::text);
    END IF;
    RETURN opened.round_id;
END
$fn$;
COMMENT ON FUNCTION casino_internal.require_same_round(record, bigint, timestamptz, jsonb)
    IS 'Part of open_round(): number of the round opened before under that reference; KR002 when it was '
       'opened otherwise';

CREATE FUNCTION casino.open_rounds(at timestamptz DEFAULT NULL, OUT table_id bigint, OUT table_name text,
                                   OUT game text, OUT round_id bigint,
                                  OUT round_ref text, OUT status text, OUT opened_at timestamptz,
                                  OUT betting_closed_at timestamptz,
                                  OUT actions_closed_at timestamptz, OUT age interval, OUT players bigint,
                                  OUT wagers bigint, OUT staked numeric,
                                  OUT dealt jsonb, OUT dealt_at timestamptz) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 100;
COMMENT ON FUNCTION casino.open_rounds(timestamptz)
    IS 'Rounds not evaluated at a time (default: now), as they were then: status, standing wagers, the last '
       'document of deal(); age is the time since they were opened. Where nobody closed betting, '
       'betting_closed_at is betting_until once that is over';

CREATE FUNCTION casino_internal.open_round_impl(table_id bigint, round_ref text, at timestamptz,
                                                round_id bigint,
                                                betting_until timestamptz, facts jsonb)
RETURNS bigint
-- rows by their keys: plans for the numbers of a call gain nothing, and the first five calls of a session
-- would make them anew
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $fn$
DECLARE
    id bigint;
    at_table record;
    before casino.round;
    opened timestamptz;
    plan bigint;
BEGIN
    IF table_id IS NULL OR coalesce(btrim(round_ref), '') = '' THEN
        RAISE EXCEPTION 'table_id and round_ref must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    round_ref := casino_internal.canonical_text(round_ref, 'round_ref');
    PERFORM casino_internal.bounded(round_ref, 'round_ref', 200);
    PERFORM casino_internal.check_given_number(round_id, 'round_id');
    facts := casino_internal.round_facts(facts);
    IF betting_until IN ('infinity', '-infinity') THEN
        RAISE EXCEPTION 'betting_until must be finite' USING ERRCODE = 'datetime_field_overflow';
    END IF;
    SELECT r.* INTO before FROM casino.round r
     WHERE r.table_id = open_round_impl.table_id AND r.round_ref = open_round_impl.round_ref;
    IF FOUND THEN
        RETURN casino_internal.require_same_round(before, round_id, betting_until, facts);
    END IF;
    SELECT t.game, t.name, g.family INTO at_table
      FROM casino.game_table t
      JOIN casino.game g ON g.game = t.game
     WHERE t.table_id = open_round_impl.table_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % does not exist', table_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.add_game_table() adds one.';
    END IF;
    IF NOT casino_internal.family_is_built(at_table.family) THEN
        RAISE EXCEPTION 'rounds of % cannot be opened yet', at_table.game
            USING ERRCODE = 'feature_not_supported',
                  DETAIL = 'The grading of its family of games is not built.';
    END IF;
    -- the unique keys of casino.round are met here: number, reference, and one unevaluated round a table.
    -- Others that open a round of the table, and the end of the one before, are waited for first: a time that
    -- was not given is taken afterwards
    PERFORM FROM casino.game_table t WHERE t.table_id = open_round_impl.table_id FOR NO KEY UPDATE;
    PERFORM casino_internal.await_round(r.round_id) FROM casino.round r
      WHERE r.table_id = open_round_impl.table_id AND r.status IN ('open', 'closed');
    LOOP
        opened := casino_internal.round_event_time(at);
        IF betting_until <= opened THEN
            RAISE EXCEPTION 'betting until % would end before it begins', betting_until
                USING ERRCODE = 'invalid_parameter_value',
                      DETAIL = format('The round is opened at %s.', opened);
        END IF;
        plan := casino.plan_in_force(at_table.game, opened);
        -- a version that is being changed is waited for, before it is judged
        PERFORM FROM casino.game_plan p WHERE p.plan_id = plan FOR KEY SHARE;
        IF NOT casino_internal.plan_is_checked(plan) THEN
            PERFORM casino_internal.require_plan(plan);
        END IF;
        INSERT INTO casino.round AS r (round_id, table_id, table_version, round_ref, plan_id, status,
                                       opened_at, betting_until, facts)
        VALUES (coalesce(open_round_impl.round_id, nextval('casino.round_id_seq')), open_round_impl.table_id,
                casino_internal.table_version_at(table_id, opened),
                open_round_impl.round_ref, plan, 'open', opened, open_round_impl.betting_until,
                open_round_impl.facts)
        ON CONFLICT DO NOTHING RETURNING r.round_id INTO id;
        IF FOUND THEN
            RETURN id;
        END IF;
        SELECT r.* INTO before FROM casino.round r
         WHERE r.table_id = open_round_impl.table_id AND r.round_ref = open_round_impl.round_ref;
        IF FOUND THEN
            RETURN casino_internal.require_same_round(before, round_id, betting_until, facts);
        END IF;
        SELECT r.* INTO before FROM casino.round r WHERE r.round_id = open_round_impl.round_id;
        IF FOUND THEN
            RAISE EXCEPTION 'number % is another round''s', round_id
                USING ERRCODE = 'KR002', CONSTRAINT = 'number_taken',
                      DATATYPE = jsonb_build_object('round_id', round_id, 'round_ref',
                          before.round_ref)::text,
                      DETAIL = format('It is round "%s" of table %s.', before.round_ref, before.table_id);
        END IF;
        SELECT r.* INTO before FROM casino.round r
         WHERE r.table_id = open_round_impl.table_id AND r.status IN ('open', 'closed');
        -- else it was evaluated meanwhile, or the number drawn was given to another: try again
        EXIT WHEN FOUND;
    END LOOP;
    RAISE EXCEPTION 'table "%" has an unevaluated round', at_table.name
        USING ERRCODE = 'KR002', CONSTRAINT = 'unevaluated_round',
              DATATYPE = jsonb_build_object('table', at_table.name, 'round_id', before.round_id,
                                            'round_ref', before.round_ref, 'status', before.status)::text,
              DETAIL = format('Round %s ("%s") is %s.', before.round_id, before.round_ref, before.status),
              HINT = 'Settle or void it first.';
END
$fn$;
COMMENT ON FUNCTION casino_internal.open_round_impl(bigint, text, timestamptz, bigint, timestamptz, jsonb)
    IS 'Body of open_round(), run as the owner of the ledger';

-- A table has one unevaluated round, which is the one it opened last.
CREATE FUNCTION casino_internal.open_rounds_impl(at timestamptz, OUT table_id bigint, OUT table_name text,
                                                 OUT game text, OUT round_id bigint,
                                  OUT round_ref text, OUT status text, OUT opened_at timestamptz,
                                  OUT betting_closed_at timestamptz,
                                  OUT actions_closed_at timestamptz, OUT age interval, OUT players bigint,
                                  OUT wagers bigint, OUT staked numeric,
                                  OUT dealt jsonb, OUT dealt_at timestamptz) RETURNS SETOF record
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    moment CONSTANT timestamptz := coalesce(open_rounds_impl.at, clock_timestamp());
BEGIN
    RETURN QUERY
        SELECT t.table_id, t.name, t.game, r.round_id, r.round_ref,
               CASE WHEN r.betting_closed_at <= moment OR r.betting_until <= moment THEN 'closed'
                    ELSE 'open' END,
               r.opened_at,
               CASE WHEN r.betting_closed_at <= moment THEN r.betting_closed_at
                    WHEN r.betting_until <= moment THEN r.betting_until END,
               CASE WHEN r.actions_closed_at <= moment THEN r.actions_closed_at END,
               moment - r.opened_at, w.players, w.wagers, w.staked, d.document, d.dealt_at
          FROM casino.game_table t
         CROSS JOIN LATERAL (SELECT o.*
                               FROM casino.round o
                              WHERE o.table_id = t.table_id AND o.opened_at <= moment
                              ORDER BY o.opened_at DESC, o.round_id DESC LIMIT 1) r
         CROSS JOIN LATERAL (SELECT count(DISTINCT s.player_id) AS players, count(*) AS wagers,
                                    coalesce(sum(s.amount), 0.00) AS staked
                               FROM casino.ledger s
                              WHERE s.round_id = r.round_id AND s.kind = 'stake' AND s.posted_at <= moment
                                AND NOT EXISTS (SELECT FROM casino.ledger f
                                                 WHERE f.player_id = s.player_id
                                                   AND f.stake_entry_no = s.entry_no
                                                   AND f.posted_at <= moment)) w
          LEFT JOIN LATERAL (SELECT c.document, c.dealt_at
                               FROM casino.deal c
                              WHERE c.round_id = r.round_id AND c.dealt_at <= moment
                              ORDER BY c.deal_no DESC LIMIT 1) d ON true
         WHERE r.evaluated_at IS NULL OR r.evaluated_at > moment
         ORDER BY r.opened_at, r.round_id;
END
$fn$;
COMMENT ON FUNCTION casino_internal.open_rounds_impl(timestamptz)
    IS 'Body of open_rounds(at), run as the owner of the ledger';

CREATE FUNCTION casino.last_deal(round_id bigint) RETURNS jsonb
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    PERFORM FROM casino.round r WHERE r.round_id = last_deal.round_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % does not exist', round_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN (SELECT d.document
              FROM casino.deal d
             WHERE d.round_id = last_deal.round_id
             ORDER BY d.deal_no DESC
             LIMIT 1);
END
$fn$;
COMMENT ON FUNCTION casino.last_deal(bigint)
    IS 'What lies on the table: the last document that deal() was given, with the button of Texas Hold''em; '
       'NULL before the first';

CREATE FUNCTION casino.close_betting(round_id bigint, at timestamptz DEFAULT NULL) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_close_betting' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.close_betting(bigint, timestamptz)
    IS 'Ends betting: no bet is placed or cancelled any more; waits for those being placed. Stakes dated '
       'after it go back (reason late), with what cannot stand without them; a NOTICE says how '
       'many';

CREATE FUNCTION casino.deal(round_id bigint, partial_outcome jsonb, at timestamptz DEFAULT NULL) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_deal' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.deal(bigint, jsonb, timestamptz)
    IS 'Records the cards that lie on the table so far, all of them each time; in-play wagers are judged by '
       'them from then on (KB005)';

CREATE FUNCTION casino.correct_deal(round_id bigint, cards jsonb, reason text, at timestamptz DEFAULT NULL,
                                    wagers_stand boolean DEFAULT false)
RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_correct_deal' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.correct_deal(bigint, jsonb, text, timestamptz, boolean)
    IS 'Puts right, before the evaluation, cards that deal() was told wrongly; both records stay. Stakes '
       'that came after the wrong card was shown go back (reason misdealt), unless wagers_stand, and may be '
       'placed again. Returns how many went back';

CREATE FUNCTION casino.close_actions(round_id bigint, at timestamptz DEFAULT NULL) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_close_actions' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.close_actions(bigint, timestamptz)
    IS 'Ends the players'' decisions: no in-play wager is placed any more (KB005)';

CREATE FUNCTION casino.settle_round(round_id bigint, outcome jsonb, at timestamptz DEFAULT NULL,
                                    withhold boolean DEFAULT false,
                                    withhold_reason text DEFAULT NULL,
                                    ground text DEFAULT NULL) RETURNS casino.settlement
    AS 'MODULE_PATHNAME', 'casino_sql_settle_round' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.settle_round(bigint, jsonb, timestamptz, boolean, text, text)
    IS 'Grades every wager of the round and posts the payouts, or withholds them: the ground is one that the '
       'game plan lists, else other. The same outcome again returns the same settlement. Of a round still '
       'open the call closes betting, as close_betting() does';

CREATE FUNCTION casino.check_outcome(round_id bigint, outcome jsonb, at timestamptz DEFAULT NULL)
RETURNS casino.settlement
    AS 'MODULE_PATHNAME', 'casino_sql_check_outcome' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.check_outcome(bigint, jsonb, timestamptz)
    IS 'The settlement that settle_round() would return, or its refusal, with nothing changed. Betting may '
       'be open: it stays so, and stakes that come later are not in it. A hub asks its cells by it before it '
       'decides: a cell answers for its own players alone, and KR002 until betting and decisions are over';

CREATE FUNCTION casino.void_round(round_id bigint, reason text, at timestamptz DEFAULT NULL,
                                  ground text DEFAULT NULL)
RETURNS casino.settlement
    AS 'MODULE_PATHNAME', 'casino_sql_void_round' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.void_round(bigint, text, timestamptz, text)
    IS 'Returns every stake of the round; ground: one that the game plan lists, else other, which needs a '
       'reason';
