-- Results found wrong after the evaluation (D4 Blackjack §16, R11.33 to R11.38): proposed by one person, in
-- force when a second one has approved; each wager is graded anew and the difference is posted; what a player
-- cannot give back is a claim.

CREATE FUNCTION casino_internal.install_corrections() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE SEQUENCE casino.correction_no_seq AS bigint;
    COMMENT ON SEQUENCE casino.correction_no_seq IS 'Numbers of corrections of results';

    CREATE TABLE casino.round_correction (
        correction_no    bigint PRIMARY KEY,
        round_id         bigint NOT NULL REFERENCES casino.round,
        outcome          jsonb,
        outcome_document jsonb,
        reason           text NOT NULL CHECK (octet_length(reason) <= 1000),
        ground           text CHECK (octet_length(ground) <= 64),
        proposed_at      timestamptz NOT NULL,
        recorded_at      timestamptz NOT NULL,
        CHECK ((outcome IS NULL) = (outcome_document IS NULL) AND (outcome IS NULL) = (ground IS NOT NULL))
    );
    CREATE INDEX round_correction_round ON casino.round_correction (round_id);
    COMMENT ON INDEX casino.round_correction_round IS 'Finds the corrections of a round';
    COMMENT ON TABLE casino.round_correction
        IS 'Append-only: other results of evaluated rounds, as they were proposed; in force once '
           'casino.correction_decision says so';
    COMMENT ON COLUMN casino.round_correction.correction_no IS 'Number of the correction';
    COMMENT ON COLUMN casino.round_correction.round_id IS 'Round';
    COMMENT ON COLUMN casino.round_correction.outcome
        IS 'The right outcome in the canonical form; NULL: the round is void';
    COMMENT ON COLUMN casino.round_correction.outcome_document IS 'The right outcome as it was given';
    COMMENT ON COLUMN casino.round_correction.reason IS 'Why';
    COMMENT ON COLUMN casino.round_correction.ground
        IS 'Ground of the void: one of casino.plan_grounds(), or other; NULL where there is an outcome';
    COMMENT ON COLUMN casino.round_correction.proposed_at IS 'When it was proposed';
    COMMENT ON COLUMN casino.round_correction.recorded_at IS 'When it was written';

    CREATE TABLE casino.correction_decision (
        correction_no bigint PRIMARY KEY,
        round_id      bigint NOT NULL REFERENCES casino.round,
        version       integer CHECK (version > 0),
        reason        text CHECK (octet_length(reason) <= 1000),
        status        text NOT NULL CHECK (status IN ('rejected', 'settled', 'withheld', 'voided')),
        wagers        bigint,
        players       bigint,
        staked        numeric,
        paid          numeric,
        entries       bigint NOT NULL,
        posted        numeric NOT NULL,
        claimed       numeric NOT NULL,
        former        jsonb NOT NULL,
        decided_at    timestamptz NOT NULL,
        recorded_at   timestamptz NOT NULL,
        UNIQUE (round_id, version),
        CHECK ((status = 'rejected') = (version IS NULL) AND (status = 'rejected') = (reason IS NOT NULL))
    );
    COMMENT ON TABLE casino.correction_decision
        IS 'Append-only: how a correction was decided by a second person, the version of the round that it '
           'made, and the version before';
    COMMENT ON COLUMN casino.correction_decision.correction_no IS 'Correction';
    COMMENT ON COLUMN casino.correction_decision.round_id IS 'Round';
    COMMENT ON COLUMN casino.correction_decision.version
        IS 'Counts the corrections of a round that are in force from 1; version 0 is the first evaluation; '
           'NULL: rejected';
    COMMENT ON COLUMN casino.correction_decision.reason IS 'Why it was rejected';
    COMMENT ON COLUMN casino.correction_decision.status
        IS 'rejected, or the status of the round by this version';
    COMMENT ON COLUMN casino.correction_decision.wagers IS 'Wagers by this version';
    COMMENT ON COLUMN casino.correction_decision.players IS 'Players who had one';
    COMMENT ON COLUMN casino.correction_decision.staked IS 'CZK staked';
    COMMENT ON COLUMN casino.correction_decision.paid IS 'CZK that this version pays, or returns';
    COMMENT ON COLUMN casino.correction_decision.entries IS 'Entries of kind correction that it has posted';
    COMMENT ON COLUMN casino.correction_decision.posted
        IS 'CZK that they gave the players, negative when they took';
    COMMENT ON COLUMN casino.correction_decision.claimed
        IS 'CZK that players could not give back, and new claims are of';
    COMMENT ON COLUMN casino.correction_decision.former
        IS 'The version before: status, outcome and document, figures, void';
    COMMENT ON COLUMN casino.correction_decision.decided_at IS 'When it was decided';
    COMMENT ON COLUMN casino.correction_decision.recorded_at IS 'When it was written';

    CREATE TRIGGER tell_round AFTER INSERT ON casino.correction_decision
        FOR EACH ROW WHEN (NEW.version IS NOT NULL) EXECUTE FUNCTION casino_internal.tell_round('corrected');
    COMMENT ON TRIGGER tell_round ON casino.correction_decision
        IS 'Tells listeners of a corrected result';

    CREATE TABLE casino.hand_version (
        round_id           bigint NOT NULL REFERENCES casino.round,
        version            integer NOT NULL CHECK (version >= 0),
        side               text NOT NULL,
        seat               integer NOT NULL,
        group_no           integer NOT NULL,
        hand               integer NOT NULL,
        cards              casino.hand NOT NULL,
        surrendered        boolean NOT NULL,
        folded             boolean NOT NULL,
        even_money         boolean NOT NULL,
        even_money_players bigint[] NOT NULL,
        players            bigint[] NOT NULL,
        PRIMARY KEY (round_id, version, side, seat, group_no, hand)
    );
    COMMENT ON TABLE casino.hand_version
        IS 'Append-only: cards of corrected rounds by version; casino.dealt_hand has those that hold now';
    COMMENT ON COLUMN casino.hand_version.round_id IS 'Round';
    COMMENT ON COLUMN casino.hand_version.version
        IS '0: as it was first evaluated; else the version of casino.correction_decision';
    COMMENT ON COLUMN casino.hand_version.side IS 'Whose cards';
    COMMENT ON COLUMN casino.hand_version.seat IS 'Seat (box), 0 where there is none';
    COMMENT ON COLUMN casino.hand_version.group_no
        IS 'Shared box: 0 for everybody without a hand of his own, else a group of players with the same '
           'hands';
    COMMENT ON COLUMN casino.hand_version.hand IS 'Hand of the seat or group, from 1';
    COMMENT ON COLUMN casino.hand_version.cards IS 'Cards in the order dealt';
    COMMENT ON COLUMN casino.hand_version.surrendered IS 'Given up for half the stake';
    COMMENT ON COLUMN casino.hand_version.folded IS 'Thrown away (Texas Hold''em)';
    COMMENT ON COLUMN casino.hand_version.even_money
        IS 'All with a main bet on it took 1:1 for their blackjack';
    COMMENT ON COLUMN casino.hand_version.even_money_players IS 'Single players who took it';
    COMMENT ON COLUMN casino.hand_version.players IS 'Players of the group, on its hand 1';

    CREATE TABLE casino.claim (
        player_id      bigint NOT NULL,
        claim_no       bigint NOT NULL,
        round_id       bigint NOT NULL REFERENCES casino.round,
        stake_entry_no bigint NOT NULL,
        correction_no  bigint NOT NULL,
        amount         numeric NOT NULL CHECK (amount > 0),
        claimed_at     timestamptz NOT NULL,
        recorded_at    timestamptz NOT NULL,
        PRIMARY KEY (player_id, claim_no)
    );
    CREATE INDEX claim_player ON casino.claim (player_id, stake_entry_no);
    COMMENT ON INDEX casino.claim_player IS 'Finds the claims of a wager and of a player';
    COMMENT ON TABLE casino.claim
        IS 'Append-only: what a player had been paid by a wrong result and could not give back: his wallet '
           'never goes below zero, and nothing is taken later';
    COMMENT ON COLUMN casino.claim.claim_no
        IS 'Number of the claim: that of the player times 1 000 000 000, and a count of his claims from 1';
    COMMENT ON COLUMN casino.claim.player_id IS 'Player';
    COMMENT ON COLUMN casino.claim.round_id IS 'Round';
    COMMENT ON COLUMN casino.claim.stake_entry_no IS 'The wager';
    COMMENT ON COLUMN casino.claim.correction_no IS 'The correction that could not be posted as a whole';
    COMMENT ON COLUMN casino.claim.amount IS 'CZK that he owes';
    COMMENT ON COLUMN casino.claim.claimed_at IS 'When the correction came into force';
    COMMENT ON COLUMN casino.claim.recorded_at IS 'When it was written';

    CREATE TABLE casino.claim_end (
        claim_no      bigint PRIMARY KEY,
        how           text NOT NULL CHECK (how IN ('paid', 'waived', 'corrected')),
        reason        text NOT NULL CHECK (octet_length(reason) <= 1000),
        correction_no bigint,
        ended_at      timestamptz NOT NULL,
        recorded_at   timestamptz NOT NULL,
        CHECK ((how = 'corrected') = (correction_no IS NOT NULL))
    );
    COMMENT ON TABLE casino.claim_end IS 'Append-only: how a claim ended';
    COMMENT ON COLUMN casino.claim_end.claim_no IS 'Claim';
    COMMENT ON COLUMN casino.claim_end.how
        IS 'paid: the player gave it back; waived: the operator goes without; corrected: a later correction '
           'of the round says that less is owed, or nothing';
    COMMENT ON COLUMN casino.claim_end.reason IS 'Why, or how';
    COMMENT ON COLUMN casino.claim_end.correction_no IS 'The later correction';
    COMMENT ON COLUMN casino.claim_end.ended_at IS 'When it ended';
    COMMENT ON COLUMN casino.claim_end.recorded_at IS 'When it was written';

    PERFORM casino_internal.make_append_only('round_correction', 'correction_decision', 'hand_version',
                                             'claim',
                                             'claim_end');
    PERFORM casino_internal.make_recorded('round_correction');
    PERFORM casino_internal.make_recorded('correction_decision');
    PERFORM casino_internal.make_recorded('claim');
    PERFORM casino_internal.make_recorded('claim_end');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_corrections() IS
    'Part of casino.install(): corrections of results, claims';

-- R11.62: a round of a book that was put away has no correction that waits
CREATE FUNCTION casino_internal.round_adjusted(round_id bigint) RETURNS numeric
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce(sum(l.amount), 0.00)
      FROM casino.ledger l
     WHERE l.round_id = round_adjusted.round_id
       AND l.kind = 'adjustment'
       AND l.book > (SELECT casino.last_book_away())
$fn$;
COMMENT ON FUNCTION casino_internal.round_adjusted(bigint)
    IS 'Part of casino.pending_correction: CZK that adjustments have posted for a round';

CREATE FUNCTION casino_internal.install_correction_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- all columns of casino.round; corrections are few: they are found once, not for each round
    EXECUTE (SELECT 'CREATE VIEW casino.round_as_evaluated AS SELECT '
                    || string_agg(CASE WHEN a.attname IN ('outcome', 'outcome_document')
                                       THEN format('CASE WHEN f.round_id IS NULL THEN r.%1$I '
                                                   'ELSE f.former -> %2$L END AS %1$I',
                                                   a.attname,
                                                   CASE a.attname WHEN 'outcome' THEN 'outcome'
                                                       ELSE 'document' END)
                                       WHEN a.attname IN ('status', 'wagers', 'players', 'staked', 'paid',
                                                          'void_reason', 'void_ground', 'voided_at',
                                                          'voided_by', 'voided_recorded_at')
                                       THEN format('CASE WHEN e.round_id IS NULL THEN r.%1$I '
                                                   'ELSE (e.former ->> %2$L)::%3$s END AS %1$I',
                                                   a.attname, a.attname,
                                                   format_type(a.atttypid, a.atttypmod))
                                       ELSE format('r.%I', a.attname) END, ', ' ORDER BY a.attnum)
                    || ' FROM casino.round r
                         LEFT JOIN casino.correction_decision f ON f.round_id = r.round_id AND f.version = 1
                         LEFT JOIN (SELECT DISTINCT ON (d.round_id) d.round_id, d.former
                                      FROM casino.correction_decision d
                                     WHERE d.version IS NOT NULL
                                       AND d.former ->> ''status'' IN (''settled'', ''voided'')
                                     ORDER BY d.round_id, d.version) e ON e.round_id = r.round_id'
               FROM pg_attribute a WHERE a.attrelid = 'casino.round'::regclass AND a.attnum > 0
                   AND NOT a.attisdropped);
    COMMENT ON VIEW casino.round_as_evaluated
        IS 'Rounds with the outcome and the figures of their first evaluation, without corrections: what '
           'seals cover; casino.round has what holds now';

    CREATE VIEW casino.hand_as_evaluated AS
        SELECT h.round_id, h.side, h.seat, h.group_no, h.hand, h.cards, h.surrendered, h.folded, h.even_money,
               h.even_money_players, h.players
          FROM casino.dealt_hand h
         WHERE NOT EXISTS (SELECT FROM casino.hand_version v WHERE v.round_id = h.round_id AND v.version = 0)
        UNION ALL
        SELECT v.round_id, v.side, v.seat, v.group_no, v.hand, v.cards, v.surrendered, v.folded, v.even_money,
               v.even_money_players, v.players
          FROM casino.hand_version v WHERE v.version = 0;
    COMMENT ON VIEW casino.hand_as_evaluated
        IS 'Cards of rounds as they were first evaluated, without corrections: what seals cover; '
           'casino.dealt_hand has what holds now';

    CREATE VIEW casino.open_claim AS
        SELECT c.claim_no, c.player_id, c.round_id, c.stake_entry_no, c.correction_no, c.amount, c.claimed_at,
               k.reason
          FROM casino.claim c
          JOIN casino.round_correction k ON k.correction_no = c.correction_no
         WHERE NOT EXISTS (SELECT FROM casino.claim_end e WHERE e.claim_no = c.claim_no);
    COMMENT ON VIEW casino.open_claim
        IS 'Claims that are neither paid nor waived, nor taken back by a later correction';
    COMMENT ON COLUMN casino.open_claim.reason IS 'Why the result was corrected';

    CREATE VIEW casino.pending_correction AS
        SELECT c.correction_no, c.round_id, c.outcome_document, c.reason, c.ground, c.proposed_at, w.role,
               w.actor, casino_internal.round_adjusted(c.round_id) AS adjusted
          FROM casino.round_correction c
          LEFT JOIN casino.recorder w ON w.recorder_id = c.recorded_by
         WHERE NOT EXISTS (SELECT FROM casino.correction_decision d WHERE d.correction_no = c.correction_no);
    COMMENT ON VIEW casino.pending_correction IS 'Corrections that wait for a second person';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_correction_views() IS
    'Part of casino.install(): rounds as they were first evaluated, open claims, corrections that wait';

CREATE FUNCTION casino.correct_round(round_id bigint, outcome jsonb, reason text,
                                     at timestamptz DEFAULT NULL, ground text DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_correct_round' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.correct_round(bigint, jsonb, text, timestamptz, text) IS
    'Proposes another outcome of an evaluated round (NULL: the round is void, on a ground of the game plan '
    'or other); approve_correction() of a second person brings it into force. Returns the number of the '
    'correction, the same for the same content';

CREATE FUNCTION casino.approve_correction(correction_no bigint,
                                          at timestamptz DEFAULT NULL) RETURNS casino.settlement
    AS 'MODULE_PATHNAME', 'casino_sql_approve_correction' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.approve_correction(bigint, timestamptz) IS
    'Brings a correction into force: grades every wager anew and posts the differences as entries of kind '
    'correction; what a player cannot give back becomes a claim. Another person than the one who proposed it';

CREATE FUNCTION casino.reject_correction(correction_no bigint, reason text,
                                         at timestamptz DEFAULT NULL) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_reject_correction' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.reject_correction(bigint, text, timestamptz) IS
    'Ends a correction that is not in force, so that another one can be proposed; also by the one who '
    'proposed it';

CREATE FUNCTION casino.settle_claim(claim_no bigint, reason text, at timestamptz DEFAULT NULL,
                                    waived boolean DEFAULT false) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.settle_claim(bigint, text, timestamptz, boolean) IS
    'Ends a claim: the player has given the money back, or (waived) the operator goes without; moves no '
    'money itself';

CREATE FUNCTION casino_internal.settle_claim_impl(claim_no bigint, reason text, at timestamptz,
                                                  waived boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    of casino.claim;
    before casino.claim_end;
    ended timestamptz;
    way CONSTANT text := CASE WHEN waived THEN 'waived' ELSE 'paid' END;
BEGIN
    IF claim_no IS NULL OR waived IS NULL OR reason IS NULL THEN
        RAISE EXCEPTION 'claim_no, reason and waived must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF btrim(reason, E' \t\r\n') = '' THEN
        RAISE EXCEPTION 'the end of a claim needs a reason' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino_internal.bounded(reason, 'reason', 1000);
    SELECT c.* INTO of FROM casino.claim c WHERE c.player_id = settle_claim_impl.claim_no / 1000000000
           AND c.claim_no = settle_claim_impl.claim_no;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'claim % does not exist', claim_no USING ERRCODE = 'foreign_key_violation';
    END IF;
    -- a correction of the round that changes what is owed holds this lock
    PERFORM casino_internal.lock_player(of.player_id);
    SELECT e.* INTO before FROM casino.claim_end e WHERE e.claim_no = settle_claim_impl.claim_no;
    IF FOUND THEN
        IF before.reason = settle_claim_impl.reason AND before.how = way THEN
            RETURN;
        END IF;
        RAISE EXCEPTION 'claim % has ended', claim_no
            USING ERRCODE = 'object_not_in_prerequisite_state',
                DETAIL = format('It was %s at %s: %s', before.how, before.ended_at, before.reason);
    END IF;
    ended := casino_internal.event_time(at, of.claimed_at);
    IF ended < of.claimed_at THEN
        RAISE EXCEPTION 'time % is before the claim', ended
            USING ERRCODE = 'KL005', CONSTRAINT = 'backdated',
                  DATATYPE = jsonb_build_object('at', ended, 'not_before', of.claimed_at)::text,
                  DETAIL = format('It was made at %s.', of.claimed_at);
    END IF;
    INSERT INTO casino.claim_end (claim_no, how, reason, ended_at, recorded_at)
    VALUES (settle_claim_impl.claim_no, way, settle_claim_impl.reason, ended, clock_timestamp());
END
$fn$;
COMMENT ON FUNCTION casino_internal.settle_claim_impl(bigint, text, timestamptz, boolean) IS
    'Body of settle_claim(), run as the owner of the ledger';
