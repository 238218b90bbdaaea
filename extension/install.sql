-- install(): the operator's tables, views and triggers.  They are made by the caller, belong to him, and are no members
-- of the extension (DESIGN section 1), so that pg_dump dumps them whole and DROP EXTENSION refuses while they exist.
-- Each step brings the schema one version further and is never edited once released.

CREATE FUNCTION casino.install() RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    newest CONSTANT integer := 1;
    present integer := 0;
    odd text;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('casino.install', 0));
    PERFORM casino.check_owners();
    IF to_regclass('casino.schema_version') IS NOT NULL THEN
        SELECT coalesce(max(version), 0) INTO present FROM casino.schema_version;
    END IF;
    IF present = 0 THEN
        SELECT string_agg(o.object, ', ' ORDER BY o.object) INTO odd
          FROM casino.schema_objects() o WHERE o.object ~ '^(table|view|materialized view|sequence) ';
        IF odd IS NOT NULL THEN
            RAISE EXCEPTION 'schema casino holds tables, but not what install() has made'
                USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = left(format('No step of it is recorded, and there is: %s.', odd), 1000),
                      HINT = 'Restore a backup. A development installation is removed with DROP SCHEMA casino CASCADE and made anew.';
        END IF;
        CREATE TABLE casino.schema_version (
            version      integer PRIMARY KEY,
            installed_at timestamptz NOT NULL
        );
        COMMENT ON TABLE casino.schema_version IS 'Steps of casino.install() taken so far; the greatest is the version of these tables';
        COMMENT ON COLUMN casino.schema_version.version IS 'Number of the step';
        COMMENT ON COLUMN casino.schema_version.installed_at IS 'When the step was taken';
        CREATE TABLE casino.installed_object (
            object  text PRIMARY KEY,
            state   text NOT NULL,
            version integer NOT NULL REFERENCES casino.schema_version
        );
        COMMENT ON TABLE casino.installed_object IS 'What the steps of casino.install() have made; it refuses to go on when something of it is missing or changed';
        COMMENT ON COLUMN casino.installed_object.object IS 'Table, view, column, index, constraint, trigger or sequence';
        COMMENT ON COLUMN casino.installed_object.state IS 'What it is like';
        COMMENT ON COLUMN casino.installed_object.version IS 'Version of the tables when this was recorded';
    ELSIF present > newest THEN
        RAISE EXCEPTION 'the tables of casino have version %, this extension knows up to %', present, newest
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  HINT = 'Run ALTER EXTENSION casino UPDATE.';
    ELSE
        PERFORM casino.enable_append_only();
        PERFORM casino.check_installed();
    END IF;
    IF present < 1 THEN
        PERFORM casino.install_reference_tables();
        PERFORM casino.install_ledger();
        PERFORM casino.install_compliance();
        PERFORM casino.install_exclusion_end();
        PERFORM casino.install_other_play();
        PERFORM casino.install_box_handover();
        PERFORM casino.install_money_out();
        PERFORM casino.load_game_plans();
        PERFORM casino.install_evidence();
        PERFORM casino.install_reconciliation();
        PERFORM casino.install_seals();
        PERFORM casino.install_provider();
        PERFORM casino.install_recorder();
        PERFORM casino.install_evaluation();
        PERFORM casino.install_views();
        PERFORM casino.install_compliance_views();
        PERFORM casino.install_evidence_views();
        PERFORM casino.install_exclusion_views();
        PERFORM casino.install_money_out_views();
        PERFORM casino.install_watch();
        PERFORM casino.install_figures();
        PERFORM casino.install_triggers();
        PERFORM casino.keep_plan_rows();
        INSERT INTO casino.schema_version VALUES (1, clock_timestamp());
    END IF;
    IF present < newest THEN
        PERFORM casino.enable_append_only();
        PERFORM casino.record_installed(newest);
    END IF;
    PERFORM casino.set_database();
    RETURN newest;
END
$fn$;
COMMENT ON FUNCTION casino.install() IS 'Creates the tables, views and triggers of casino, owned by the caller, and loads the sixteen games; run again it brings older tables up to date. Returns the schema version';

CREATE FUNCTION casino.install_reference_tables() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.game (
        game     text PRIMARY KEY,
        name     text NOT NULL,
        family   text NOT NULL CHECK (family IN ('roulette', 'baccarat', 'blackjack', 'casino_holdem', 'texas_holdem')),
        live     boolean NOT NULL,
        document text NOT NULL
    );
    COMMENT ON TABLE casino.game IS 'The games of the operator (RULEBOOK section 1)';
    COMMENT ON COLUMN casino.game.game IS 'Code of the game';
    COMMENT ON COLUMN casino.game.name IS 'Name as its document has it';
    COMMENT ON COLUMN casino.game.family IS 'Which logic grades it';
    COMMENT ON COLUMN casino.game.live IS 'Broadcast live game (přenášená živá hra): betting sequence and one-table rule apply (D4 §8)';
    COMMENT ON COLUMN casino.game.document IS 'Document of the rules, D0 to D4';

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
        UNIQUE (game, version),
        UNIQUE (game, valid_from)
    );
    COMMENT ON TABLE casino.game_plan IS 'Versions of the game plans; a version is in force from valid_from until the next version of its game';
    COMMENT ON COLUMN casino.game_plan.plan_id IS 'Number of the version';
    COMMENT ON COLUMN casino.game_plan.game IS 'Game';
    COMMENT ON COLUMN casino.game_plan.version IS 'Counts the versions of one game from 1';
    COMMENT ON COLUMN casino.game_plan.valid_from IS 'In force from here, until the next version of the same game';
    COMMENT ON COLUMN casino.game_plan.document IS 'Document and date of the version';
    COMMENT ON COLUMN casino.game_plan.round_max_stake IS 'CZK one player may stake in one round; NULL: none declared';
    COMMENT ON COLUMN casino.game_plan.declared_round_win IS 'CZK declared net win of one player in one round; NULL: none declared';

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
    COMMENT ON COLUMN casino.plan_rule.paragraph IS 'Where it stands';
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
    COMMENT ON COLUMN casino.bet_rule.min_stake IS 'CZK least stake of the plan on one position; NULL: none declared';
    COMMENT ON COLUMN casino.bet_rule.max_stake IS 'CZK greatest stake of the plan on one position; NULL: none declared';
    COMMENT ON COLUMN casino.bet_rule.declared_win IS 'CZK declared net win of one wager: a greater profit is capped and recorded; NULL: none declared';
    COMMENT ON COLUMN casino.bet_rule.table_limits IS 'principal: the table''s minimum and maximum are of this kind; covered: table minimum, and table maximum times the numbers covered; minimum: table minimum, and where plan and table name no maximum the table''s times the numbers covered; none: neither, unless the table names its own';
    COMMENT ON COLUMN casino.bet_rule.requires IS 'Kind the same player must have staked on the same seat';
    COMMENT ON COLUMN casino.bet_rule.phase IS 'betting: until betting closes; play: after that, until actions close; any: both';
    COMMENT ON COLUMN casino.bet_rule.zero_offered IS 'May a combination with zero be bet';
    COMMENT ON COLUMN casino.bet_rule.paragraph IS 'Where it stands';

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
    COMMENT ON COLUMN casino.paytable.paragraph IS 'Where it stands';

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
    COMMENT ON COLUMN casino.announced_rule.paragraph IS 'Where it stands';

    CREATE SEQUENCE casino.table_id_seq AS bigint;
    COMMENT ON SEQUENCE casino.table_id_seq IS 'Numbers of tables';

    CREATE TABLE casino.game_table (
        table_id  bigint PRIMARY KEY,
        game      text NOT NULL REFERENCES casino.game,
        name      text NOT NULL CHECK (name = casino.canonical_text(name, 'name') AND octet_length(name) <= 200),
        versions  integer NOT NULL CHECK (versions > 0),
        UNIQUE (game, name)
    );
    COMMENT ON TABLE casino.game_table IS 'Tables; limits and switches are in table_version';
    COMMENT ON COLUMN casino.game_table.table_id IS 'Number of the table';
    COMMENT ON COLUMN casino.game_table.game IS 'Game played there';
    COMMENT ON COLUMN casino.game_table.name IS 'Name of the table';
    COMMENT ON COLUMN casino.game_table.versions IS 'Versions of its limits and switches so far';

    CREATE TABLE casino.table_version (
        table_id    bigint NOT NULL REFERENCES casino.game_table,
        version     integer NOT NULL CHECK (version > 0),
        valid_from  timestamptz NOT NULL,
        min_stake   numeric NOT NULL CHECK (min_stake > 0),
        max_stake   numeric NOT NULL CHECK (max_stake >= min_stake AND max_stake < 'Infinity'),
        surrender   boolean NOT NULL,
        behind      boolean NOT NULL,
        seats       integer CHECK (seats > 0),
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (table_id, version),
        UNIQUE (table_id, valid_from)
    );
    COMMENT ON TABLE casino.table_version IS 'Append-only: limits and switches of a table, in force from valid_from until its next version; rounds keep the version they were opened under';
    COMMENT ON COLUMN casino.table_version.table_id IS 'Table';
    COMMENT ON COLUMN casino.table_version.version IS 'Counts the versions of a table from 1';
    COMMENT ON COLUMN casino.table_version.valid_from IS 'In force from here; -infinity: from the table''s first round on';
    COMMENT ON COLUMN casino.table_version.min_stake IS 'CZK least stake of the principal bet; in roulette of every position';
    COMMENT ON COLUMN casino.table_version.max_stake IS 'CZK greatest stake of the principal bet; in roulette of a straight';
    COMMENT ON COLUMN casino.table_version.surrender IS 'Surrender is offered (where the plan allows it)';
    COMMENT ON COLUMN casino.table_version.behind IS 'Bet behind is offered (where the plan allows it)';
    COMMENT ON COLUMN casino.table_version.seats IS 'Seats (boxes); NULL for games without seats';
    COMMENT ON COLUMN casino.table_version.recorded_at IS 'When it was written';

    CREATE TABLE casino.table_limit (
        table_id  bigint NOT NULL,
        version   integer NOT NULL,
        kind      text NOT NULL,
        min_stake numeric CHECK (min_stake > 0),
        max_stake numeric CHECK (max_stake > 0),
        PRIMARY KEY (table_id, version, kind),
        FOREIGN KEY (table_id, version) REFERENCES casino.table_version,
        CHECK (max_stake >= min_stake)
    );
    COMMENT ON TABLE casino.table_limit IS 'Append-only: limits that a version of a table sets for single kinds of bet, within the plan''s';
    COMMENT ON COLUMN casino.table_limit.table_id IS 'Table';
    COMMENT ON COLUMN casino.table_limit.version IS 'Version of the table';
    COMMENT ON COLUMN casino.table_limit.kind IS 'Kind of bet';
    COMMENT ON COLUMN casino.table_limit.min_stake IS 'CZK least stake on one position';
    COMMENT ON COLUMN casino.table_limit.max_stake IS 'CZK greatest stake on one position';

    CREATE SEQUENCE casino.round_id_seq AS bigint;
    COMMENT ON SEQUENCE casino.round_id_seq IS 'Numbers of rounds';

    CREATE TABLE casino.round (
        round_id          bigint PRIMARY KEY,
        table_id          bigint NOT NULL REFERENCES casino.game_table,
        table_version     integer NOT NULL,
        round_ref         text NOT NULL CHECK (round_ref = casino.canonical_text(round_ref, 'round_ref') AND octet_length(round_ref) <= 200),
        plan_id           bigint NOT NULL REFERENCES casino.game_plan,
        status            text NOT NULL CHECK (status IN ('open', 'closed', 'withheld', 'settled', 'voided')),
        opened_at         timestamptz NOT NULL,
        betting_closed_at timestamptz,
        actions_closed_at timestamptz,
        evaluated_at      timestamptz,
        withheld_paid_at  timestamptz,
        outcome           jsonb,
        outcome_document  jsonb,
        evaluation_recorded_at timestamptz,
        void_reason       text CHECK (octet_length(void_reason) <= 1000),
        wagers            bigint,
        players           bigint,
        staked            numeric,
        paid              numeric,
        UNIQUE (table_id, round_ref),
        FOREIGN KEY (table_id, table_version) REFERENCES casino.table_version
    );
    CREATE INDEX round_opened ON casino.round (table_id, opened_at);
    COMMENT ON INDEX casino.round_opened IS 'Finds the round that a table had at a time';
    CREATE UNIQUE INDEX round_unevaluated ON casino.round (table_id) WHERE status IN ('open', 'closed');
    CREATE INDEX round_evaluated_at ON casino.round (evaluated_at);
    COMMENT ON INDEX casino.round_evaluated_at IS 'Finds the rounds of a day';
    CREATE INDEX round_plan ON casino.round (plan_id);
    COMMENT ON INDEX casino.round_plan IS 'Finds out whether a plan version was used';
    CREATE INDEX round_withheld ON casino.round (evaluated_at) WHERE status = 'withheld';
    COMMENT ON INDEX casino.round_unevaluated IS 'One unevaluated round a table';
    COMMENT ON INDEX casino.round_withheld IS 'Finds the rounds whose winnings are still to be paid';
    COMMENT ON TABLE casino.round IS 'Rounds, from opening to evaluation';
    COMMENT ON COLUMN casino.round.round_id IS 'Number of the round';
    COMMENT ON COLUMN casino.round.table_id IS 'Table';
    COMMENT ON COLUMN casino.round.round_ref IS 'The provider''s name of the round, unique at its table';
    COMMENT ON COLUMN casino.round.plan_id IS 'Plan version in force when it was opened, by which it is settled';
    COMMENT ON COLUMN casino.round.status IS 'open: bets are taken; closed: betting closed; withheld: evaluated, payouts held back; settled: evaluated and paid; voided: stakes returned';
    COMMENT ON COLUMN casino.round.opened_at IS 'When it was opened';
    COMMENT ON COLUMN casino.round.betting_closed_at IS 'When betting closed; NULL also when it was voided before';
    COMMENT ON COLUMN casino.round.actions_closed_at IS 'When the players'' decisions ended';
    COMMENT ON COLUMN casino.round.evaluated_at IS 'When it was evaluated or voided';
    COMMENT ON COLUMN casino.round.withheld_paid_at IS 'When withheld payouts were posted';
    COMMENT ON COLUMN casino.round.table_version IS 'Version of the table''s limits and switches in force when it was opened, by which its stakes are judged';
    COMMENT ON COLUMN casino.round.outcome IS 'Outcome in the canonical form, by which a repeated settlement is recognised';
    COMMENT ON COLUMN casino.round.outcome_document IS 'Outcome document as the provider sent it with the settlement that counts';
    COMMENT ON COLUMN casino.round.evaluation_recorded_at IS 'When the evaluation, or the void, was written';
    COMMENT ON COLUMN casino.round.void_reason IS 'Why it was voided';
    COMMENT ON COLUMN casino.round.wagers IS 'Wagers settled or returned';
    COMMENT ON COLUMN casino.round.players IS 'Players who had one';
    COMMENT ON COLUMN casino.round.staked IS 'CZK staked';
    COMMENT ON COLUMN casino.round.paid IS 'CZK paid, to be paid (withheld) or returned (voided)';

    CREATE TABLE casino.deal (
        round_id    bigint NOT NULL REFERENCES casino.round,
        deal_no     integer NOT NULL CHECK (deal_no > 0),
        document    jsonb NOT NULL,
        dealt_at    timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (round_id, deal_no)
    );
    COMMENT ON TABLE casino.deal IS 'Append-only: every document that deal() was given, so that cards it replaced, and when each came, stay known';
    COMMENT ON COLUMN casino.deal.round_id IS 'Round';
    COMMENT ON COLUMN casino.deal.deal_no IS 'Counts the documents of a round from 1';
    COMMENT ON COLUMN casino.deal.document IS 'All cards that lay on the table, as the provider sent them';
    COMMENT ON COLUMN casino.deal.dealt_at IS 'Time of the event';
    COMMENT ON COLUMN casino.deal.recorded_at IS 'When it was written';

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
    COMMENT ON COLUMN casino.dealt_hand.group_no IS 'Shared box: 0 for everybody without a hand of his own, else a group of players with the same hands';
    COMMENT ON COLUMN casino.dealt_hand.hand IS 'Hand of the seat or group, from 1';
    COMMENT ON COLUMN casino.dealt_hand.cards IS 'Cards in the order dealt';
    COMMENT ON COLUMN casino.dealt_hand.surrendered IS 'Given up for half the stake';
    COMMENT ON COLUMN casino.dealt_hand.folded IS 'Thrown away (Texas Hold''em)';
    COMMENT ON COLUMN casino.dealt_hand.even_money IS 'All with a main bet on it took 1:1 for their blackjack';
    COMMENT ON COLUMN casino.dealt_hand.even_money_players IS 'Single players who took it';
    COMMENT ON COLUMN casino.dealt_hand.players IS 'Players of the group, on its hand 1';
END
$fn$;
COMMENT ON FUNCTION casino.install_reference_tables() IS 'Part of casino.install(): games, plans, tables, rounds, deals';

CREATE FUNCTION casino.install_ledger() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.person (
        external_ref text PRIMARY KEY CHECK (external_ref = casino.canonical_ref(external_ref) AND octet_length(external_ref) <= 200),
        accounts     integer NOT NULL CHECK (accounts > 0)
    );
    COMMENT ON TABLE casino.person IS 'Natural persons by the operator''s reference; one may open accounts one after another';
    COMMENT ON COLUMN casino.person.external_ref IS 'The operator''s reference of the person, in the form of casino.canonical_ref()';
    COMMENT ON COLUMN casino.person.accounts IS 'Accounts opened so far';

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
        closed_at      timestamptz
    ) WITH (fillfactor = 70);
    CREATE INDEX player_external_ref ON casino.player (external_ref);
    COMMENT ON INDEX casino.player_external_ref IS 'Finds the accounts of a person';
    COMMENT ON TABLE casino.player IS 'One row a player: what a stake must know at once. Kept by the ledger only';
    COMMENT ON COLUMN casino.player.player_id IS 'Number of the player''s account';
    COMMENT ON COLUMN casino.player.external_ref IS 'The operator''s reference of the person';
    COMMENT ON COLUMN casino.player.registered_at IS 'When the account was opened';
    COMMENT ON COLUMN casino.player.balance IS 'CZK in the wallet: the sum of the player''s ledger entries';
    COMMENT ON COLUMN casino.player.last_entry_no IS 'Number of the last ledger entry';
    COMMENT ON COLUMN casino.player.last_posted_at IS 'Latest time of a ledger entry; no later entry may be dated before it';
    COMMENT ON COLUMN casino.player.last_round_id IS 'Last live round he has a stake in (D4 §8)';
    COMMENT ON COLUMN casino.player.sequence_started_at IS 'First stake of the betting sequence that round belongs to (D4 §8.5)';
    COMMENT ON COLUMN casino.player.previous_round_id IS 'last_round_id before that round: his stakes in it may all be returned before betting closes';
    COMMENT ON COLUMN casino.player.previous_sequence_started_at IS 'sequence_started_at before that round';
    COMMENT ON COLUMN casino.player.excluded_until IS 'Latest end of his exclusions (D4 §6.2)';
    COMMENT ON COLUMN casino.player.limited IS 'He has set limits: casino.limit_state has his row';
    COMMENT ON COLUMN casino.player.closed_at IS 'When the account was closed';

    -- What has a fixed width comes first: with the wide columns aligned and no text between them an entry is 16 bytes shorter.
    CREATE TABLE casino.ledger (
        player_id      bigint NOT NULL,
        entry_no       bigint NOT NULL,
        round_id       bigint,
        stake_entry_no bigint,
        withdrawal_entry_no bigint,
        bet            casino.bet,
        posted_at      timestamptz NOT NULL,
        recorded_at    timestamptz NOT NULL,
        recorded_by    integer NOT NULL,
        seat           integer,
        hand           integer,
        request_line   integer,
        kind           text NOT NULL CHECK (kind IN ('deposit', 'stake', 'payout', 'refund', 'withdrawal',
                                                     'withdrawal_cancelled', 'cash_paid', 'transfer_paid', 'adjustment')),
        amount         numeric NOT NULL,
        balance        numeric NOT NULL,
        grade          text,
        request_id     text,
        reason         text,
        method         text,
        account        text,
        reference      text,
        place          text,
        PRIMARY KEY (player_id, entry_no),
        -- one constraint, which looks at what is there: a settlement posts thousands of entries
        CONSTRAINT ledger_text_bounds CHECK (
            (request_id IS NULL OR octet_length(request_id) <= 200) AND (reason IS NULL OR octet_length(reason) <= 1000)
            AND (account IS NULL OR octet_length(account) <= 64) AND (reference IS NULL OR octet_length(reference) <= 200)
            AND (place IS NULL OR octet_length(place) <= 200)),
        CONSTRAINT ledger_method_check CHECK (
            method IS NULL OR method IN ('cash', 'transfer') OR (kind = 'deposit' AND octet_length(method) <= 64))
    );
    CREATE UNIQUE INDEX ledger_request ON casino.ledger (player_id, request_id, request_line) WHERE request_id IS NOT NULL;
    CREATE UNIQUE INDEX ledger_stake_entry_no ON casino.ledger (player_id, stake_entry_no) WHERE stake_entry_no IS NOT NULL;
    CREATE INDEX ledger_round ON casino.ledger (round_id, kind, player_id, entry_no) WHERE kind IN ('stake', 'refund', 'adjustment');
    CREATE UNIQUE INDEX ledger_withdrawal ON casino.ledger (player_id, withdrawal_entry_no) WHERE withdrawal_entry_no IS NOT NULL;
    CREATE INDEX ledger_cash_paid ON casino.ledger (player_id, posted_at) WHERE kind = 'cash_paid';
    COMMENT ON INDEX casino.ledger_withdrawal IS 'A withdrawal is paid or cancelled once';
    COMMENT ON INDEX casino.ledger_cash_paid IS 'Finds the cash of the last 24 hours (D4 §11.2 a)';
    COMMENT ON INDEX casino.ledger_request IS 'A request of a player is posted once';
    COMMENT ON INDEX casino.ledger_stake_entry_no IS 'A stake is paid or returned once';
    COMMENT ON INDEX casino.ledger_round IS 'Finds the stakes of a round, of one player or of all, in the order of players and entries, and the corrections that name it';
    COMMENT ON TABLE casino.ledger IS 'Append-only: every movement of money, one row an entry';
    COMMENT ON COLUMN casino.ledger.player_id IS 'Player';
    COMMENT ON COLUMN casino.ledger.entry_no IS 'Counts the player''s entries from 1 without gaps';
    COMMENT ON COLUMN casino.ledger.kind IS 'What was posted; accounts in casino.entry_kinds()';
    COMMENT ON COLUMN casino.ledger.amount IS 'CZK, not negative but for adjustments; 0 for free wagers';
    COMMENT ON COLUMN casino.ledger.round_id IS 'Round of a stake, payout or refund, and of a correction that concerns one';
    COMMENT ON COLUMN casino.ledger.bet IS 'What was staked on';
    COMMENT ON COLUMN casino.ledger.seat IS 'Seat (box) of the wager';
    COMMENT ON COLUMN casino.ledger.hand IS 'Hand of the seat the wager lies on';
    COMMENT ON COLUMN casino.ledger.stake_entry_no IS 'The stake that a payout pays or a refund returns';
    COMMENT ON COLUMN casino.ledger.grade IS 'How the wager ended, of payouts';
    COMMENT ON COLUMN casino.ledger.request_id IS 'The client''s key of the request, for safe retries';
    COMMENT ON COLUMN casino.ledger.request_line IS 'Position in a request of several bets, from 1';
    COMMENT ON COLUMN casino.ledger.reason IS 'Why, of adjustments and refunds; of a voided round the round says more';
    COMMENT ON COLUMN casino.ledger.method IS 'cash or transfer, of withdrawals; of deposits cash or the way in that the operator names';
    COMMENT ON COLUMN casino.ledger.withdrawal_entry_no IS 'The withdrawal that is paid or cancelled';
    COMMENT ON COLUMN casino.ledger.account IS 'Payment account a transfer went to';
    COMMENT ON COLUMN casino.ledger.reference IS 'Reference of the payment, of deposits and of withdrawals paid';
    COMMENT ON COLUMN casino.ledger.place IS 'Where cash was paid out';
    COMMENT ON COLUMN casino.ledger.balance IS 'CZK in the wallet after the entry';
    COMMENT ON COLUMN casino.ledger.posted_at IS 'When it happened';
    COMMENT ON COLUMN casino.ledger.recorded_at IS 'When it was written';
    COMMENT ON COLUMN casino.ledger.recorded_by IS 'Who recorded it: casino.recorder';

    CREATE TABLE casino.cancelled_request (
        player_id    bigint NOT NULL,
        request_id   text NOT NULL CHECK (octet_length(request_id) <= 200),
        round_id     bigint NOT NULL,
        cancelled_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, request_id)
    );
    COMMENT ON TABLE casino.cancelled_request IS 'Requests cancelled before they arrived: they are refused when they do';
    COMMENT ON COLUMN casino.cancelled_request.player_id IS 'Player';
    COMMENT ON COLUMN casino.cancelled_request.request_id IS 'The client''s key of the request';
    COMMENT ON COLUMN casino.cancelled_request.round_id IS 'Round it was meant for';
    COMMENT ON COLUMN casino.cancelled_request.cancelled_at IS 'When it was cancelled';

    CREATE TABLE casino.breach (
        player_id   bigint NOT NULL,
        entry_no    bigint NOT NULL,
        rule        text NOT NULL,
        detail      jsonb NOT NULL,
        occurred_at timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, entry_no, rule)
    );
    COMMENT ON TABLE casino.breach IS 'Append-only: where a declared or legal bound was touched and the event still had to be recorded';
    COMMENT ON COLUMN casino.breach.player_id IS 'Player';
    COMMENT ON COLUMN casino.breach.entry_no IS 'Ledger entry concerned: the stake or the withdrawal';
    COMMENT ON COLUMN casino.breach.rule IS 'declared_win: a profit was capped; insurance_not_offered: an insurance that the cards did not allow was returned; winnings_late: not paid by the 30th day (D4 §11.1); withdrawal_late: not paid by the 60th day (D4 §11.2)';
    COMMENT ON COLUMN casino.breach.detail IS 'The values';
    COMMENT ON COLUMN casino.breach.occurred_at IS 'When it happened; of what is late the first instant that was too late';
    COMMENT ON COLUMN casino.breach.recorded_at IS 'When it was written';
END
$fn$;
COMMENT ON FUNCTION casino.install_ledger() IS 'Part of casino.install(): players, ledger, cancelled requests, breaches';

CREATE FUNCTION casino.install_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.wager AS
        SELECT s.player_id, s.entry_no, s.round_id, r.table_id, s.bet, casino.kind(s.bet) AS kind, s.seat, s.hand,
               s.amount AS staked, s.request_id, s.posted_at,
               CASE WHEN p.kind = 'refund' THEN 'refunded'
                    WHEN r.status IN ('open', 'closed') THEN 'open'
                    WHEN p.entry_no IS NULL AND e.payout > 0 THEN 'withheld'
                    -- a free wager that is pushed gets nothing and has lost nothing
                    WHEN p.entry_no IS NULL THEN CASE e.grade WHEN 'push' THEN 'pushed' ELSE 'lost' END
                    WHEN p.amount > s.amount THEN 'won'
                    WHEN p.amount < s.amount THEN 'lost'
                    -- no profit, be it that its share of the position's is less than half a haléř: the odds say what it was
                    ELSE coalesce((SELECT CASE WHEN t.num > 0 THEN 'won' WHEN t.num < 0 THEN 'lost' END
                                     FROM casino.paytable t
                                    WHERE t.plan_id = r.plan_id AND t.kind = casino.kind(s.bet) AND t.grade = p.grade), 'pushed')
               END AS status,
               CASE WHEN p.kind = 'payout' THEN p.grade
                    WHEN p.kind IS NULL AND r.status IN ('settled', 'withheld') THEN coalesce(e.grade, 'lose')
               END AS grade,
               CASE WHEN p.kind = 'payout' THEN p.amount
                    WHEN p.kind IS NULL AND r.status IN ('settled', 'withheld') THEN coalesce(e.payout, 0.00)
               END AS payout,
               p.entry_no AS paid_entry_no, r.evaluated_at
          FROM casino.ledger s
          JOIN casino.round r ON r.round_id = s.round_id
          LEFT JOIN casino.ledger p ON p.player_id = s.player_id AND p.stake_entry_no = s.entry_no
          LEFT JOIN casino.withholding h ON h.player_id = s.player_id AND h.round_id = s.round_id
          LEFT JOIN LATERAL casino.evaluated_wager(CASE WHEN p.entry_no IS NULL AND (r.status = 'withheld' OR (r.status = 'settled' AND (s.amount = 0 OR h.round_id IS NOT NULL)))
                                                        THEN r.round_id END,
                                                   s.player_id, s.entry_no) e ON true
         WHERE s.kind = 'stake';
    COMMENT ON VIEW casino.wager IS 'Every stake with what became of it: open, won, pushed, lost, refunded or withheld. A chip whose share of the profit of its position is 0.00 has won all the same';
    COMMENT ON COLUMN casino.wager.payout IS 'CZK paid, or withheld; 0 when lost, NULL while open and when refunded';
    COMMENT ON COLUMN casino.wager.paid_entry_no IS 'Entry that paid or returned it';

    CREATE VIEW casino.statement AS
        SELECT l.player_id, l.entry_no, l.posted_at, l.kind, l.round_id, l.bet, l.grade, l.amount,
               l.amount * k.wallet_sign AS change,
               l.balance, l.reason, l.recorded_at, w.role, w.actor
          FROM casino.ledger l
          JOIN casino.entry_kinds() k ON k.kind = l.kind
          LEFT JOIN casino.recorder w ON w.recorder_id = l.recorded_by;
    COMMENT ON VIEW casino.statement IS 'A player''s entries with the balance after each';
    COMMENT ON COLUMN casino.statement.change IS 'CZK by which the entry changed the wallet';

    CREATE VIEW casino.trial_balance AS
        SELECT a.account, sum(a.debit) AS debit, sum(a.credit) AS credit, sum(a.debit - a.credit) AS balance
          FROM (SELECT k.kind, sum(l.amount) AS amount, k.debit_account, k.credit_account
                  FROM casino.ledger l
                  JOIN casino.entry_kinds() k ON k.kind = l.kind
                 GROUP BY k.kind, k.debit_account, k.credit_account) t
         CROSS JOIN LATERAL (VALUES (t.debit_account, t.amount, 0.00), (t.credit_account, 0.00, t.amount))
                            AS a (account, debit, credit)
         GROUP BY a.account;
    COMMENT ON VIEW casino.trial_balance IS 'Debits, credits and balance of every account; the balances sum to zero';
    COMMENT ON COLUMN casino.trial_balance.account IS 'Account, see casino.entry_kinds()';
    COMMENT ON COLUMN casino.trial_balance.debit IS 'CZK debited';
    COMMENT ON COLUMN casino.trial_balance.credit IS 'CZK credited';

    CREATE VIEW casino.unpaid_winnings AS
        SELECT e.player_id, e.entry_no, r.round_id, e.bet, e.grade, e.payout, r.evaluated_at, r.due_at, clock_timestamp() >= r.due_at AS overdue,
               coalesce(h.reason, r.withheld_reason) AS reason, coalesce(h.withheld_at, r.withheld_at) AS withheld_at,
               coalesce(h.recorded_by, r.withheld_by) AS withheld_by,
               (SELECT x.reason FROM casino.excused_delay x WHERE x.player_id = e.player_id AND x.entry_no = e.entry_no
                 ORDER BY x.excuse_no DESC LIMIT 1) AS excuse
          FROM (SELECT w.round_id, w.evaluated_at, w.withheld_reason, w.withheld_at, w.withheld_by, casino.payment_due_at(w.evaluated_at, 30) AS due_at
                  FROM casino.round w WHERE w.status = 'withheld'
                UNION ALL
                SELECT w.round_id, w.evaluated_at, w.withheld_reason, w.withheld_at, w.withheld_by, casino.payment_due_at(w.evaluated_at, 30)
                  FROM (SELECT DISTINCT p.round_id FROM casino.withholding p
                         WHERE NOT EXISTS (SELECT FROM casino.withholding_end n WHERE n.player_id = p.player_id AND n.round_id = p.round_id)) o
                  JOIN casino.round w ON w.round_id = o.round_id AND w.status = 'settled') r
         CROSS JOIN LATERAL casino.withheld_winnings(r.round_id) e
          LEFT JOIN casino.withholding h ON h.player_id = e.player_id AND h.round_id = r.round_id;
    COMMENT ON VIEW casino.unpaid_winnings IS 'Evaluated wagers whose payout is withheld, with the end of the 30th day after the day of evaluation (D4 §11.1)';
    COMMENT ON COLUMN casino.unpaid_winnings.payout IS 'CZK to be paid';
    COMMENT ON COLUMN casino.unpaid_winnings.due_at IS 'First instant that is too late';
    COMMENT ON COLUMN casino.unpaid_winnings.overdue IS 'It is too late now';
    COMMENT ON COLUMN casino.unpaid_winnings.reason IS 'Why it is withheld: the player''s own reason, else the round''s';
    COMMENT ON COLUMN casino.unpaid_winnings.withheld_at IS 'When that was ordered';
    COMMENT ON COLUMN casino.unpaid_winnings.withheld_by IS 'Who ordered it: casino.recorder';
    COMMENT ON COLUMN casino.unpaid_winnings.excuse IS 'The last reason recorded for its delay';
END
$fn$;
COMMENT ON FUNCTION casino.install_views() IS 'Part of casino.install(): wagers, statements, trial balance, unpaid winnings';

CREATE FUNCTION casino.install_triggers() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    append_only text;
BEGIN
    CREATE TRIGGER ledger_post BEFORE INSERT ON casino.ledger
        FOR EACH ROW EXECUTE FUNCTION casino.ledger_post();
    COMMENT ON TRIGGER ledger_post ON casino.ledger IS 'Checks, numbers and books every entry';

    FOREACH append_only IN ARRAY ARRAY['ledger', 'breach', 'cancelled_request', 'exclusion', 'player_limit',
                                        'payment_account', 'refusal', 'exclusion_end', 'other_play', 'box_handover', 'recorder', 'table_version', 'table_limit', 'deal',
                                        'withdrawal_approval', 'excused_delay', 'disconnection', 'withholding', 'withholding_end', 'difference', 'difference_note', 'day_report', 'plan_digest', 'provider_report', 'provider_record',
                                        'day_seal', 'seal_section', 'sealed_player', 'sealed_row'] LOOP
        EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON casino.%I
                            FOR EACH ROW EXECUTE FUNCTION casino.refuse_change()', append_only);
        EXECUTE format('CREATE TRIGGER append_only_statement BEFORE UPDATE OR DELETE OR TRUNCATE ON casino.%I
                            FOR EACH STATEMENT EXECUTE FUNCTION casino.refuse_change()', append_only);
        EXECUTE format('COMMENT ON TRIGGER append_only ON casino.%I IS %L', append_only,
                       'Refuses UPDATE and DELETE of rows, under session_replication_role = replica too');
        EXECUTE format('COMMENT ON TRIGGER append_only_statement ON casino.%I IS %L', append_only,
                       'Refuses UPDATE, DELETE and TRUNCATE, under session_replication_role = replica too');
    END LOOP;

    CREATE TRIGGER player_guard BEFORE UPDATE OR DELETE OR TRUNCATE ON casino.player
        FOR EACH STATEMENT EXECUTE FUNCTION casino.player_guard();
    COMMENT ON TRIGGER player_guard ON casino.player IS 'Only the ledger changes what the ledger keeps; players are never deleted';

    CREATE TRIGGER round_guard BEFORE UPDATE OR DELETE ON casino.round
        FOR EACH ROW EXECUTE FUNCTION casino.round_guard();
    COMMENT ON TRIGGER round_guard ON casino.round IS 'An evaluated round never changes, no round is deleted';

    CREATE TRIGGER table_guard BEFORE UPDATE OR DELETE ON casino.game_table
        FOR EACH ROW EXECUTE FUNCTION casino.table_guard();
    COMMENT ON TRIGGER table_guard ON casino.game_table IS 'What a table is never changes, none is deleted';

    CREATE TRIGGER dealt_hand_guard BEFORE INSERT OR UPDATE OR DELETE ON casino.dealt_hand
        FOR EACH ROW EXECUTE FUNCTION casino.dealt_hand_guard();
    COMMENT ON TRIGGER dealt_hand_guard ON casino.dealt_hand IS 'The cards of an evaluated round do not change';

    FOREACH append_only IN ARRAY ARRAY['game_plan', 'plan_rule', 'bet_rule', 'paytable', 'announced_rule'] LOOP
        EXECUTE format('CREATE TRIGGER plan_guard BEFORE INSERT OR UPDATE OR DELETE ON casino.%I
                            FOR EACH ROW EXECUTE FUNCTION casino.plan_guard()', append_only);
        EXECUTE format('COMMENT ON TRIGGER plan_guard ON casino.%I IS %L', append_only,
                       'A plan version in force or past never changes');
        -- judged once more when the change is committed: its day may have come meanwhile
        EXECUTE format('CREATE CONSTRAINT TRIGGER plan_guard_commit AFTER INSERT OR UPDATE OR DELETE ON casino.%I
                            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION casino.plan_guard()', append_only);
        EXECUTE format('COMMENT ON TRIGGER plan_guard_commit ON casino.%I IS %L', append_only,
                       'The same at the end of the transaction');
        -- an applied or restored INSERT is of versions long in force: only changes are refused in every role
        EXECUTE format('CREATE TRIGGER plan_unchanged BEFORE UPDATE OR DELETE ON casino.%I
                            FOR EACH ROW EXECUTE FUNCTION casino.plan_guard()', append_only);
        EXECUTE format('COMMENT ON TRIGGER plan_unchanged ON casino.%I IS %L', append_only,
                       'The same under session_replication_role = replica');
        IF append_only <> 'game_plan' THEN
            EXECUTE format('CREATE TRIGGER plan_values BEFORE INSERT OR UPDATE ON casino.%I
                                FOR EACH ROW EXECUTE FUNCTION casino.plan_values()', append_only);
            EXECUTE format('COMMENT ON TRIGGER plan_values ON casino.%I IS %L', append_only,
                           'Refuses what no code of the game''s family knows');
        END IF;
    END LOOP;
    FOREACH append_only IN ARRAY ARRAY['game', 'game_plan', 'plan_rule', 'bet_rule', 'paytable', 'announced_rule', 'game_table', 'round',
                                        'dealt_hand', 'person', 'open_withdrawal', 'limit_state', 'reconciliation'] LOOP
        EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON casino.%I
                            FOR EACH STATEMENT EXECUTE FUNCTION casino.refuse_change()', append_only);
        EXECUTE format('COMMENT ON TRIGGER no_truncate ON casino.%I IS %L', append_only, 'Refuses TRUNCATE');
    END LOOP;
    CREATE TRIGGER game_guard BEFORE UPDATE OR DELETE ON casino.game
        FOR EACH ROW EXECUTE FUNCTION casino.refuse_change();
    COMMENT ON TRIGGER game_guard ON casino.game IS 'What a game is does not change';
END
$fn$;
COMMENT ON FUNCTION casino.install_triggers() IS 'Part of casino.install(): the triggers on ledger, players, rounds and plans';

CREATE FUNCTION casino.enable_append_only() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    weak record;
BEGIN
    FOR weak IN SELECT t.tgrelid::regclass AS relation, t.tgname FROM pg_trigger t
                 WHERE t.tgenabled <> 'A'
                   AND (t.tgname IN ('append_only', 'append_only_statement') AND t.tgfoid = 'casino.refuse_change'::regproc
                        OR t.tgname = 'plan_unchanged' AND t.tgfoid = 'casino.plan_guard'::regproc) LOOP
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', weak.relation, weak.tgname);
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.enable_append_only() IS 'Part of casino.install(): the triggers that say append-only fire always, also after something like pg_dump --disable-triggers made them ordinary ones';
