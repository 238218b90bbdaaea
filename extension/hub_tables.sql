-- The hub of several cells (doc/scale.md): its tables, the servers of PL/Proxy, and the functions of one
-- server routed to the cells. Everything here is made by install_hub(), owned by its caller and dumped; a
-- database without PL/Proxy never needs it.

CREATE FUNCTION casino_internal.install_hub_tables() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.hub (
        only_one          boolean PRIMARY KEY CHECK (only_one),
        of_cells          integer NOT NULL CHECK (of_cells BETWEEN 1 AND 1024),
        role              name NOT NULL,
        betting_time      interval NOT NULL CHECK (betting_time > interval '0'),
        replayed          interval NOT NULL CHECK (replayed > interval '0'),
        system_identifier bigint NOT NULL,
        timeline          integer NOT NULL,
        database          oid NOT NULL,
        relation          oid NOT NULL,
        epoch             bigint NOT NULL CHECK (epoch > 0),
        superseded_at     timestamptz,
        away_until        timestamptz NOT NULL,
        patience          interval NOT NULL DEFAULT '30 seconds' CHECK (patience >= '1 millisecond'),
        installed_at      timestamptz NOT NULL
    );
    COMMENT ON TABLE casino.hub
        IS 'This database is a hub: how many cells it can ever have, and which copy of it has decided last';
    COMMENT ON COLUMN casino.hub.only_one IS 'There is one row';
    COMMENT ON COLUMN casino.hub.of_cells IS 'Numbers of cells there can be, in use or free';
    COMMENT ON COLUMN casino.hub.role
        IS 'Role as which the hub tells the cells what was decided; there it has the profile hub';
    COMMENT ON COLUMN casino.hub.betting_time
        IS 'betting_until of a round for which none was given: so long after it was opened';
    COMMENT ON COLUMN casino.hub.replayed
        IS 'A restored hub asks the cells for what came so long before the last that it knows itself, and '
           'since then';
    COMMENT ON COLUMN casino.hub.system_identifier
        IS 'pg_control_system() of the server; another one: restored from a dump';
    COMMENT ON COLUMN casino.hub.timeline
        IS 'Timeline of the server that has asked the cells what they know; another one: it must ask again '
           'before it decides';
    COMMENT ON COLUMN casino.hub.database
        IS 'Object identifier of the database that has decided last; another one: restored from a dump, '
           'perhaps beside it';
    COMMENT ON COLUMN casino.hub.relation
        IS 'Object identifier of this table; another one: restored from a dump into the same database';
    COMMENT ON COLUMN casino.hub.epoch
        IS 'Grows with every hub that takes over; the cells refuse an earlier one';
    COMMENT ON COLUMN casino.hub.superseded_at
        IS 'A cell obeys a later hub: this one decides nothing, until install_hub() is run again';
    COMMENT ON COLUMN casino.hub.away_until
        IS 'Then it took over, or had to say that no cell could be reached: a close of betting called at '
           'the table before that may come late';
    COMMENT ON COLUMN casino.hub.patience
        IS 'A cell that has not answered for so long is taken for down; '
           'its last calls may have been carried out';
    COMMENT ON COLUMN casino.hub.installed_at IS 'When install_hub() was first run';

    CREATE TABLE casino.hub_cell (
        cell              integer PRIMARY KEY CHECK (cell >= 0),
        conninfo          text NOT NULL,
        added_at          timestamptz NOT NULL,
        takes_persons     boolean NOT NULL,
        persons           bigint NOT NULL CHECK (persons >= 0),
        players           bigint NOT NULL DEFAULT 0 CHECK (players >= 0),
        last_player       bigint NOT NULL DEFAULT 0,
        down_since        timestamptz,
        down_reason       text,
        learned           boolean NOT NULL
    );
    COMMENT ON TABLE casino.hub_cell IS 'Cells in use';
    COMMENT ON COLUMN casino.hub_cell.cell IS 'Number of the cell';
    COMMENT ON COLUMN casino.hub_cell.conninfo
        IS 'Where it is, without a user; the servers casino and casino_cells have the same';
    COMMENT ON COLUMN casino.hub_cell.added_at IS 'When it was added';
    COMMENT ON COLUMN casino.hub_cell.takes_persons IS 'New persons may get their home here';
    COMMENT ON COLUMN casino.hub_cell.persons IS 'Persons whose home it is';
    COMMENT ON COLUMN casino.hub_cell.players IS 'Rows of casino.hub_player that are not lost';
    COMMENT ON COLUMN casino.hub_cell.last_player
        IS 'The greatest number that it has given; it gives none up to this one again (R12.101)';
    COMMENT ON COLUMN casino.hub_cell.down_since
        IS 'It could not be reached; what is decided meanwhile waits for casino.catch_up()';
    COMMENT ON COLUMN casino.hub_cell.down_reason IS 'Why it could not be reached';
    COMMENT ON COLUMN casino.hub_cell.learned
        IS 'False after the hub was restored, until it has read what the cell knows';

    CREATE TABLE casino.hub_takeover (
        epoch    bigint PRIMARY KEY,
        taken_at timestamptz NOT NULL,
        reason   text NOT NULL,
        login    text NOT NULL,
        without  integer[] NOT NULL,
        unknown  integer NOT NULL,
        rounds   bigint[] NOT NULL
    );
    COMMENT ON TABLE casino.hub_takeover
        IS 'Append-only: this hub, restored, decides again though some cells have not told it what they '
           'know, because its owner said so (decide_without())';
    COMMENT ON COLUMN casino.hub_takeover.epoch IS 'Epoch in which it decides since';
    COMMENT ON COLUMN casino.hub_takeover.taken_at IS 'When that was said';
    COMMENT ON COLUMN casino.hub_takeover.reason IS 'Why it could not wait';
    COMMENT ON COLUMN casino.hub_takeover.login IS 'Role that had logged in';
    COMMENT ON COLUMN casino.hub_takeover.without
        IS 'Cells that had not told it what they know: what only they were told may be decided otherwise';
    COMMENT ON COLUMN casino.hub_takeover.unknown
        IS 'How many more cells the others knew of than this hub';
    COMMENT ON COLUMN casino.hub_takeover.rounds
        IS 'Rounds not ended then, whose end one of these cells may have been told';
    CREATE TRIGGER append_only BEFORE DELETE
        OR UPDATE ON casino.hub_takeover FOR EACH ROW EXECUTE FUNCTION casino_internal.refuse_change();
    CREATE TRIGGER append_only_statement BEFORE TRUNCATE ON casino.hub_takeover
        FOR EACH STATEMENT EXECUTE FUNCTION casino_internal.refuse_change();
    ALTER TABLE casino.hub_takeover ENABLE ALWAYS TRIGGER append_only;
    ALTER TABLE casino.hub_takeover ENABLE ALWAYS TRIGGER append_only_statement;
    COMMENT ON TRIGGER append_only ON casino.hub_takeover IS 'It stays on record';
    COMMENT ON TRIGGER append_only_statement ON casino.hub_takeover IS 'It stays on record';

    CREATE TABLE casino.hub_person (
        external_ref text PRIMARY KEY,
        cell         integer NOT NULL REFERENCES casino.hub_cell,
        assigned_at  timestamptz NOT NULL,
        erased_at    timestamptz,
        lost_at      timestamptz
    );
    CREATE INDEX hub_person_token ON casino.hub_person (cell)
        WHERE erased_at IS NOT NULL OR lost_at IS NOT NULL;
    COMMENT ON INDEX casino.hub_person_token IS 'Finds the persons of a cell who were erased';
    COMMENT ON TABLE casino.hub_person IS 'The home cell of each person; only move_player() changes it';
    COMMENT ON COLUMN casino.hub_person.external_ref
        IS 'The person, as canonical_ref() writes it; the token of one who was erased';
    COMMENT ON COLUMN casino.hub_person.erased_at IS 'When the token came instead of the reference';
    COMMENT ON COLUMN casino.hub_person.lost_at
        IS 'Since when the home cell, put back to before the erasure, has the person again (R12.95)';
    COMMENT ON COLUMN casino.hub_person.cell IS 'Home cell';
    COMMENT ON COLUMN casino.hub_person.assigned_at IS 'Since when';

    -- R12.100
    CREATE TABLE casino.hub_player (
        player_id     bigint PRIMARY KEY,
        external_ref  text NOT NULL,
        cell          integer NOT NULL REFERENCES casino.hub_cell,
        registered_at timestamptz NOT NULL,
        lost_at       timestamptz,
        taken_at      timestamptz
    );
    CREATE INDEX hub_player_person ON casino.hub_player (external_ref);
    CREATE INDEX hub_player_wrong ON casino.hub_player (cell)
        WHERE lost_at IS NOT NULL OR taken_at IS NOT NULL;
    COMMENT ON INDEX casino.hub_player_person IS 'Finds the accounts of a person';
    COMMENT ON INDEX casino.hub_player_wrong IS 'Finds the accounts of a cell that differ there';
    COMMENT ON TABLE casino.hub_player
        IS 'The numbers that the cells have given, and whose they are, also when a cell is put back to '
           'before it gave them';
    COMMENT ON COLUMN casino.hub_player.player_id IS 'Number of the account';
    COMMENT ON COLUMN casino.hub_player.external_ref
        IS 'The person, as in casino.hub_person; the token of one who was erased';
    COMMENT ON COLUMN casino.hub_player.cell IS 'Cell that gave it';
    COMMENT ON COLUMN casino.hub_player.registered_at IS 'When the account was opened, as the cell says';
    COMMENT ON COLUMN casino.hub_player.lost_at
        IS 'Since when the cell, put back, is known to lack the account; register_player() opens it again';
    COMMENT ON COLUMN casino.hub_player.taken_at
        IS 'Since when the cell is known to have the number for another person';

    CREATE TABLE casino.hub_table (
        table_id  bigint PRIMARY KEY,
        game      text NOT NULL REFERENCES casino.game,
        name      text NOT NULL,
        home_cell integer REFERENCES casino.hub_cell,
        UNIQUE (game, name)
    );
    COMMENT ON TABLE casino.hub_table IS 'Tables, with their numbers in all cells';
    COMMENT ON COLUMN casino.hub_table.table_id IS 'Number of the table';
    COMMENT ON COLUMN casino.hub_table.game IS 'Game';
    COMMENT ON COLUMN casino.hub_table.name IS 'Name';
    COMMENT ON COLUMN casino.hub_table.home_cell
        IS 'Of a table with seats: the cell whose players take part; NULL: players of all cells';

    -- R13.31
    CREATE TABLE casino.hub_told (
        cell        integer NOT NULL REFERENCES casino.hub_cell,
        table_id    bigint NOT NULL,
        decision_no bigint NOT NULL,
        forgotten   bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (cell, table_id)
    );
    COMMENT ON TABLE casino.hub_told
        IS 'What each cell has said to have obeyed: one that says less was put back, and is told again';
    COMMENT ON COLUMN casino.hub_told.cell IS 'Cell';
    COMMENT ON COLUMN casino.hub_told.table_id IS 'Table';
    COMMENT ON COLUMN casino.hub_told.decision_no
        IS 'The last decision on the table that the cell had obeyed when it was last asked';
    COMMENT ON COLUMN casino.hub_told.forgotten
        IS 'The last decision that the cell had obeyed and the hub no longer keeps; a cell that lacks it '
           'cannot be told again';

    CREATE TABLE casino.hub_round (
        round_id          bigint PRIMARY KEY,
        table_id          bigint NOT NULL REFERENCES casino.hub_table,
        round_ref         text NOT NULL,
        status            text NOT NULL CHECK (status IN ('open', 'closed', 'withheld', 'settled', 'voided',
                                                          'withdrawn')),
        opened_at         timestamptz NOT NULL,
        betting_until     timestamptz NOT NULL,
        betting_closed_at timestamptz,
        actions_closed_at timestamptz,
        evaluated_at      timestamptz,
        outcome           jsonb,
        reason            text,
        learned           boolean NOT NULL DEFAULT false,
        forgotten_at      timestamptz,
        uncorrected       jsonb,
        UNIQUE (table_id, round_ref)
    );
    CREATE UNIQUE INDEX hub_round_unevaluated ON casino.hub_round (table_id)
        WHERE status IN ('open', 'closed') AND NOT learned;
    CREATE INDEX hub_round_table ON casino.hub_round (table_id) WHERE status IN ('open', 'closed');
    CREATE INDEX hub_round_evaluated_at ON casino.hub_round (evaluated_at);
    CREATE INDEX hub_round_kept ON casino.hub_round (table_id, evaluated_at) WHERE forgotten_at IS NULL;
    COMMENT ON INDEX casino.hub_round_kept IS 'Finds ended rounds whose decisions are still kept';
    COMMENT ON INDEX casino.hub_round_unevaluated
        IS 'The hub opens one round at a time on a table; what a restored hub has read from the cells may '
           'leave another one to be ended';
    COMMENT ON INDEX casino.hub_round_table IS 'Finds the unevaluated rounds of a table';
    COMMENT ON INDEX casino.hub_round_evaluated_at IS 'Finds the rounds of a day';
    COMMENT ON TABLE casino.hub_round IS 'Rounds as the hub has decided; the money is in the cells';
    COMMENT ON COLUMN casino.hub_round.round_id IS 'Number of the round in all cells';
    COMMENT ON COLUMN casino.hub_round.table_id IS 'Table';
    COMMENT ON COLUMN casino.hub_round.round_ref IS 'The provider''s name of the round';
    COMMENT ON COLUMN casino.hub_round.status
        IS 'As in casino.round; withdrawn: no cell has opened it, see casino.hub_withdrawal';
    COMMENT ON COLUMN casino.hub_round.opened_at IS 'When it was opened';
    COMMENT ON COLUMN casino.hub_round.betting_until
        IS 'No cell takes a stake at this time or later, whether it hears of the close or not';
    COMMENT ON COLUMN casino.hub_round.betting_closed_at IS 'When betting closed';
    COMMENT ON COLUMN casino.hub_round.actions_closed_at IS 'When the players'' decisions ended';
    COMMENT ON COLUMN casino.hub_round.evaluated_at IS 'When it was settled or voided';
    COMMENT ON COLUMN casino.hub_round.outcome IS 'Outcome document it was decided by';
    COMMENT ON COLUMN casino.hub_round.reason IS 'Why it was voided';
    COMMENT ON COLUMN casino.hub_round.learned IS 'It was read from a cell after the hub was restored';
    COMMENT ON COLUMN casino.hub_round.forgotten_at
        IS 'When its decisions and the answers to them were removed (R12.71); NULL: they are kept';
    COMMENT ON COLUMN casino.hub_round.uncorrected
        IS 'Status, outcome and reason of a round that was corrected after forgotten_at, before its first '
           'correction: a hub that takes over withdraws by it a correction that no cell has heard of';

    CREATE TABLE casino.hub_decision (
        decision_no bigint PRIMARY KEY,
        call        text NOT NULL,
        table_id    bigint NOT NULL REFERENCES casino.hub_table,
        round_id    bigint REFERENCES casino.hub_round,
        arguments   jsonb NOT NULL,
        decided_at  timestamptz NOT NULL,
        decided_by  text NOT NULL,
        login       text NOT NULL
    );
    CREATE INDEX hub_decision_round ON casino.hub_decision (round_id, decision_no);
    CREATE INDEX hub_decision_table ON casino.hub_decision (table_id, decision_no) WHERE round_id IS NULL;
    CREATE INDEX hub_decision_decided_at ON casino.hub_decision (decided_at);
    CREATE SEQUENCE casino.hub_decision_no_seq AS bigint;
    COMMENT ON SEQUENCE casino.hub_decision_no_seq IS 'Numbers of decisions';
    COMMENT ON INDEX casino.hub_decision_round IS 'Finds the decisions on a round';
    COMMENT ON INDEX casino.hub_decision_table IS 'Finds the decisions on a table';
    COMMENT ON INDEX casino.hub_decision_decided_at IS 'Finds what a restored cell is told again';
    COMMENT ON TABLE casino.hub_decision
        IS 'Append-only: every call that all cells are told, written before the first of them is; kept until '
           'catch_up() lets go of the round';
    COMMENT ON COLUMN casino.hub_decision.decision_no
        IS 'The calls of one table are carried out in this order in every cell';
    COMMENT ON COLUMN casino.hub_decision.call IS 'Function, see casino.hub_calls()';
    COMMENT ON COLUMN casino.hub_decision.table_id IS 'Table';
    COMMENT ON COLUMN casino.hub_decision.round_id IS 'Round; NULL: of the table';
    COMMENT ON COLUMN casino.hub_decision.arguments IS 'Its arguments, with the time at which it holds';
    COMMENT ON COLUMN casino.hub_decision.decided_at IS 'When it was written';
    COMMENT ON COLUMN casino.hub_decision.decided_by
        IS 'Person whom the session named in casino.actor, or else its login; the cells record it as '
           'casino.actor. cell N: read from there after the hub was restored';
    COMMENT ON COLUMN casino.hub_decision.login IS 'Role that had logged in at the hub';

    CREATE TABLE casino.hub_withdrawal (
        decision_no  bigint PRIMARY KEY REFERENCES casino.hub_decision,
        withdrawn_at timestamptz NOT NULL
    );
    COMMENT ON TABLE casino.hub_withdrawal
        IS 'Decisions that no cell had obeyed when a hub took over: what the cells say goes before them '
           '(R13.34)';
    COMMENT ON COLUMN casino.hub_withdrawal.decision_no IS 'Decision';
    COMMENT ON COLUMN casino.hub_withdrawal.withdrawn_at IS 'When';

    CREATE TABLE casino.hub_answer (
        decision_no bigint NOT NULL REFERENCES casino.hub_decision,
        cell        integer NOT NULL REFERENCES casino.hub_cell,
        table_id    bigint NOT NULL,
        answered_at timestamptz,
        tried_at    timestamptz,
        code        text,
        message     text,
        result      jsonb,
        excused_by  text,
        PRIMARY KEY (decision_no, cell)
    );
    CREATE INDEX hub_answer_waiting ON casino.hub_answer (cell, table_id, decision_no)
        WHERE answered_at IS NULL;
    COMMENT ON INDEX casino.hub_answer_waiting IS 'Finds what a cell has not answered';
    COMMENT ON TABLE casino.hub_answer IS 'What each cell has answered to each decision, or has to';
    COMMENT ON COLUMN casino.hub_answer.decision_no IS 'Decision';
    COMMENT ON COLUMN casino.hub_answer.cell IS 'Cell';
    COMMENT ON COLUMN casino.hub_answer.table_id IS 'Table of the decision';
    COMMENT ON COLUMN casino.hub_answer.answered_at
        IS 'When it was carried out there; NULL: it is sent again';
    COMMENT ON COLUMN casino.hub_answer.tried_at IS 'When it was last sent';
    COMMENT ON COLUMN casino.hub_answer.code IS 'SQLSTATE of a refusal: an alarm, see casino.cell_status';
    COMMENT ON COLUMN casino.hub_answer.message IS 'Message of a refusal, or why it was excused';
    COMMENT ON COLUMN casino.hub_answer.result
        IS 'What the call returned there, the settlement of its players';
    COMMENT ON COLUMN casino.hub_answer.excused_by
        IS 'Who took the decision back for this cell, see excuse_cell()';

    -- a decision never changes; the triggers fire always, as those of the ledger
    CREATE TRIGGER append_only BEFORE UPDATE ON casino.hub_decision
        FOR EACH ROW EXECUTE FUNCTION casino_internal.refuse_change();
    CREATE TRIGGER stays BEFORE DELETE ON casino.hub_decision
        FOR EACH ROW EXECUTE FUNCTION casino_internal.hub_decision_stays();
    ALTER TABLE casino.hub_decision ENABLE ALWAYS TRIGGER stays;
    COMMENT ON TRIGGER stays ON casino.hub_decision IS 'They stay until their round is forgotten';
    CREATE TRIGGER append_only_statement BEFORE TRUNCATE ON casino.hub_decision
        FOR EACH STATEMENT EXECUTE FUNCTION casino_internal.refuse_change();
    ALTER TABLE casino.hub_decision ENABLE ALWAYS TRIGGER append_only;
    ALTER TABLE casino.hub_decision ENABLE ALWAYS TRIGGER append_only_statement;
    COMMENT ON TRIGGER append_only ON casino.hub_decision IS 'Decisions do not change';
    COMMENT ON TRIGGER append_only_statement ON casino.hub_decision IS 'Decisions do not change';

    -- a hub has no players, tables and rounds of its own: whoever calls the functions of one server by
    -- mistake, for instance in a dump restored without install_hub(), is told
    CREATE TRIGGER hub_has_none BEFORE INSERT ON casino.player
        FOR EACH STATEMENT EXECUTE FUNCTION casino_internal.hub_guard();
    CREATE TRIGGER hub_has_none BEFORE INSERT ON casino.game_table
        FOR EACH STATEMENT EXECUTE FUNCTION casino_internal.hub_guard();
    CREATE TRIGGER hub_has_none BEFORE INSERT ON casino.round
        FOR EACH STATEMENT EXECUTE FUNCTION casino_internal.hub_guard();
    COMMENT ON TRIGGER hub_has_none ON casino.player IS 'Players are in the cells';
    COMMENT ON TRIGGER hub_has_none ON casino.game_table IS 'Tables are in the cells';
    COMMENT ON TRIGGER hub_has_none ON casino.round IS 'Rounds are in the cells';

    CREATE VIEW casino.hub_correction AS SELECT c.* FROM casino.hub_corrections() c;
    COMMENT ON VIEW casino.hub_correction
        IS 'Corrections of results at this hub, by the numbers that approve_correction() takes here';
    COMMENT ON COLUMN casino.hub_correction.correction_no
        IS 'Number of the correction, that of its decision; another one after the hub was restored';
    COMMENT ON COLUMN casino.hub_correction.round_id IS 'Round';
    COMMENT ON COLUMN casino.hub_correction.outcome IS 'The right outcome; NULL: the round is void';
    COMMENT ON COLUMN casino.hub_correction.reason IS 'Why';
    COMMENT ON COLUMN casino.hub_correction.proposed_at IS 'When it was proposed';
    COMMENT ON COLUMN casino.hub_correction.proposed_by IS 'Person who proposed it';
    COMMENT ON COLUMN casino.hub_correction.login
        IS 'Role that had logged in, or the cell that a restored hub has it from';
    COMMENT ON COLUMN casino.hub_correction.status IS 'pending, in force or rejected';
    COMMENT ON COLUMN casino.hub_correction.adjusted
        IS 'While it waits: CZK that adjustments have already posted for the round in all cells, negative '
           'where they took; NULL: it does not wait, or a cell does not answer';

    CREATE VIEW casino.cell_status AS SELECT s.* FROM casino.cell_states() s;
    COMMENT ON VIEW casino.cell_status
        IS 'Each cell asked now: is it up, what has it not answered or refused, does it have the same '
           'plans, tables and time';
    COMMENT ON COLUMN casino.cell_status.cell IS 'Number of the cell';
    COMMENT ON COLUMN casino.cell_status.up IS 'It has just answered';
    COMMENT ON COLUMN casino.cell_status.problem IS 'What somebody must look at; NULL: nothing';
    COMMENT ON COLUMN casino.cell_status.clock_difference IS 'Its clock less the hub''s';
    COMMENT ON COLUMN casino.cell_status.waiting IS 'Decisions it has not answered';
    COMMENT ON COLUMN casino.cell_status.oldest IS 'Age of the oldest of them';
    COMMENT ON COLUMN casino.cell_status.refused IS 'Of them, those it has refused';
    COMMENT ON COLUMN casino.cell_status.same_plans IS 'Its plan digest is the hub''s';
    COMMENT ON COLUMN casino.cell_status.table_digest
        IS 'Its table digest; equal in all cells that have answered everything';
    COMMENT ON COLUMN casino.cell_status.last_clean_night IS 'Last Prague day whose night was clean there';
    COMMENT ON COLUMN casino.cell_status.players IS 'Accounts there';
    COMMENT ON COLUMN casino.cell_status.conninfo IS 'Where it is';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_hub_tables() IS 'Part of install_hub(): the tables of a hub';

CREATE FUNCTION casino_internal.hub_guard() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RAISE EXCEPTION 'this database is a hub: it has no row in casino.%', TG_TABLE_NAME
        USING ERRCODE = 'object_not_in_prerequisite_state',
              HINT = 'After a restore and after ALTER EXTENSION casino UPDATE run casino.install_hub(), '
                     'which routes the functions to the cells.';
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_guard()
    IS 'Trigger at a hub: players, tables and rounds are in the cells';

-- What becomes of each function of the interface at a hub.  What is not named here works there as anywhere:
-- it reads plans or nothing.
CREATE FUNCTION casino.hub_routes(OUT name text, OUT route text) RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 60 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT n.name, r.route
      FROM (VALUES
        -- to the cell of the player: PL/Proxy takes the number itself modulo of_cells, which is
        -- casino.cell_of()
        ('player', 'bring_to_table place_bets place_bet place_bets_balance try_place_bets
                    cancel_bet disconnect reconnect
                    deposit try_deposit adjust request_withdrawal try_request_withdrawal
                    exclude_player end_exclusion set_limit set_payment_account close_account
                    count_other_play excuse_delay approve_adjustment
                    may_stake_elsewhere try_may_stake_elsewhere
                    record_register_check approve_exclusion_mistake'),
        -- there, too, and what only reads
        ('read', 'limits_in_force limit_usage explain_break player_statement player_recall proof player_page
                  player_round_page statement_proof'),
        -- to the cell of the player whose withdrawal it is
        ('withdrawal', 'pay_withdrawal try_pay_withdrawal cancel_withdrawal approve_withdrawal'),
        -- and whose claim it is, which is numbered alike
        ('claim', 'settle_claim'),
        -- to the home cell of the person
        ('person', 'erase_person approve_erasure reject_erasure'),
        -- decided at the hub
        ('hub', 'register_player add_game_table set_table_limits set_duty_rule open_round close_betting deal
                 correct_deal close_actions hand_over_box settle_round void_round pay_withheld
                 withhold_winnings withhold_shoe void_wagers correct_round approve_correction
                 reject_correction close_game_table reopen_game_table last_deal open_rounds'),
        -- each player's part to his cell
        ('split', 'place_many'),
        -- rows of all cells, one after the other; players who sit together do so in one cell (R13.10)
        ('all', 'player_day person_day large_win payment_deadline significant_event protection
                 account_files inactive_accounts pot_flow played_together person_window'),
        -- sums over all cells
        ('sum', 'round_changes player_day_changes daily_table tax_base account_movements liability
                 game_recall table_limits_at'),
        -- run in the cells themselves
        ('none', 'position_limits offer offers round_result may_play round_view nightly reconcile seal
                  turn_book close_book put_away_book attach_book verify seal_document export_day
                  load_provider_report keep_day_totals record_overdue watch_day rebuild
                  become_cell
                  daily_report daily_report_html check_outcome explain_difference recheck
                  ask_about_difference write_off_difference approve_difference sign_day morning
                  balance_statement gl_export checkpoint consistency_proof shared_accounts
                  check_days payment_times night_page period_page round_page
                  mark_replay set_provider_setting end_provider resume_provider record_cage_count
                  cage_shifts')
      ) r (route, names)
     CROSS JOIN LATERAL regexp_split_to_table(r.names, '\s+') n (name)
$fn$;
COMMENT ON FUNCTION casino.hub_routes() IS
    'Where each function of the interface goes at a hub: player, read, withdrawal, claim, person, hub, '
    'split, all, sum or none';

-- R13.19: what is recorded names a person, whom PL/Proxy does not send: the call has him as an argument, and
-- the cell sets him before it does anything.
CREATE FUNCTION casino_internal.route_relay(f oid, target text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    p pg_proc;
    arguments CONSTANT text := pg_get_function_arguments(f);
    result CONSTANT text := pg_get_function_result(f);
    call text;
BEGIN
    SELECT x.* INTO STRICT p FROM pg_proc x WHERE x.oid = f;
    call := format('casino.%I(%s)', p.proname, array_to_string(p.proargnames[1:p.pronargs], ', '));
    EXECUTE format('CREATE OR REPLACE FUNCTION casino_internal.%I(%s) RETURNS %s LANGUAGE plproxy VOLATILE '
                   'AS %L',
                   'send_' || p.proname, arguments, result,
                   format('CLUSTER ''casino''; RUN ON %s; %s;', target,
                          CASE WHEN p.prorettype = 'record'::regtype
                              THEN format('TARGET casino.%I', p.proname) ELSE 'SELECT ' || call END));
    EXECUTE format('CREATE OR REPLACE FUNCTION casino_internal.%I(actor text, %s) RETURNS %s '
                   'LANGUAGE plproxy VOLATILE AS %L', 'send_' || p.proname, arguments, result,
                   format('CLUSTER ''casino''; RUN ON %s; %s;', target,
                          CASE WHEN p.prorettype = 'record'::regtype
                               THEN format('SELECT relay_f.*
                                              FROM (SELECT pg_catalog.set_config(''casino.actor'', actor,
                                                                                 true) AS relay_c
                                                    OFFSET 0) relay_a
                                             CROSS JOIN LATERAL (SELECT relay_b.*
                                                                   FROM %s relay_b
                                                                  WHERE relay_a.relay_c IS NOT NULL
                                                                 OFFSET 0) relay_f', call)
                               ELSE format('SELECT CASE WHEN pg_catalog.set_config(''casino.actor'', actor, '
                                           'true) IS NOT NULL THEN %s END', call) END));
    EXECUTE format('COMMENT ON FUNCTION casino_internal.%I(%s) IS %L', 'send_' || p.proname,
                   pg_get_function_identity_arguments(f), format('Part of %s() at a hub', p.proname));
    EXECUTE format('COMMENT ON FUNCTION casino_internal.%I(actor text, %s) IS %L', 'send_' || p.proname,
                   pg_get_function_identity_arguments(f),
                   format('Part of %s() at a hub, on behalf of a person', p.proname));
    EXECUTE format('REVOKE ALL ON FUNCTION casino_internal.%1$I(%2$s), casino_internal.%1$I(actor text, '
                   '%2$s) FROM PUBLIC',
                   'send_' || p.proname, pg_get_function_identity_arguments(f));
END
$fn$;
COMMENT ON FUNCTION casino_internal.route_relay(oid, text) IS
    'Part of the hub: functions of PL/Proxy that send a call with and without a person';

CREATE FUNCTION casino_internal.only_in_cells() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RAISE EXCEPTION 'this database is a hub: call this in each cell' USING ERRCODE = 'feature_not_supported',
        HINT = 'casino.hub_cell says where the cells are.';
END
$fn$;
COMMENT ON FUNCTION casino_internal.only_in_cells()
    IS 'At a hub: what functions say that work in the cells only';

-- A player's requests are his own, so that they go to his cell; the answers come in the order of the
-- requests.
CREATE FUNCTION casino_internal.hub_split(round_id bigint, player_ids bigint[], bets casino.bet[],
                                          request_ids text[],
                                          seats integer[], hands integer[],
                                          at timestamptz) RETURNS SETOF casino.placed
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    n CONSTANT integer[] := ARRAY[coalesce(cardinality(player_ids), 0)];
BEGIN
    PERFORM casino_internal.check_many(round_id, player_ids, bets, request_ids, seats, hands);
    IF array_position(ARRAY(SELECT unnest(player_ids)), NULL) IS NOT NULL THEN
        RAISE EXCEPTION 'player_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    -- PL/Proxy takes lists
    player_ids := ARRAY(SELECT unnest(player_ids));
    bets := ARRAY(SELECT unnest(bets));
    request_ids := CASE WHEN request_ids IS NULL THEN array_fill(NULL::text, n)
        ELSE ARRAY(SELECT unnest(request_ids)) END;
    seats := CASE WHEN seats IS NULL THEN array_fill(NULL::integer, n) ELSE ARRAY(SELECT unnest(seats)) END;
    hands := CASE WHEN hands IS NULL THEN array_fill(NULL::integer, n) ELSE ARRAY(SELECT unnest(hands)) END;
    RETURN QUERY
        SELECT p.*
            FROM casino_internal.hub_place_many(coalesce(current_setting('casino.actor', true), ''), round_id,
                                                       player_ids, bets, request_ids, seats, hands, at) p
         ORDER BY (SELECT min(u.n) FROM unnest(player_ids, request_ids, seats,
                                               hands) WITH ORDINALITY u (player_id, request_id, seat, hand, n)
                    WHERE (u.player_id, u.request_id, u.seat, u.hand) IS NOT DISTINCT FROM (p.player_id,
                            p.request_id, p.seat, p.hand));
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_split(bigint, bigint[], casino.bet[], text[], integer[], integer[],
                                              timestamptz) IS
    'Part of place_many() at a hub: each player''s part goes to his cell';

-- After an update: what sends a function with its old arguments or its old answer would stay for ever, or
-- could not be replaced.
CREATE FUNCTION casino_internal.drop_old_relays() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    relay record;
BEGIN
    FOR relay IN
        SELECT p.oid::regprocedure AS name
          FROM pg_proc p
          JOIN pg_language l ON l.oid = p.prolang
         WHERE p.pronamespace = 'casino_internal'::regnamespace
           AND l.lanname = 'plproxy'
           AND p.proname LIKE 'send\_%'
           AND NOT EXISTS (
               SELECT FROM pg_proc f
                 JOIN casino.hub_routes() r ON r.name = f.proname
                WHERE f.pronamespace = 'casino'::regnamespace
                  AND r.route IN ('player', 'withdrawal', 'claim')
                  AND p.proname = 'send_' || f.proname
                  AND pg_get_function_result(p.oid) = pg_get_function_result(f.oid)
                  AND pg_get_function_arguments(p.oid)
                      IN (pg_get_function_arguments(f.oid),
                          'actor text, ' || pg_get_function_arguments(f.oid)))
    LOOP
        EXECUTE format('DROP FUNCTION %s', relay.name);
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.drop_old_relays()
    IS 'Part of route_functions(): drops functions that send calls with arguments or answers of an earlier '
       'version';

-- The functions of one server under their own names.  They stay members of the extension, with their
-- privileges and comments; a dump leaves them out, and install_hub() makes them again.
CREATE FUNCTION casino_internal.route_functions() RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    f record;
    made integer := 0;
    library text;
BEGIN
    SELECT p.probin INTO STRICT library FROM pg_proc p
     WHERE p.oid = 'casino.obey(bigint, text, jsonb, boolean, text, bigint, bigint, jsonb, '
                   'boolean)'::regprocedure;
    PERFORM casino_internal.drop_old_relays();
    FOR f IN
        SELECT r.route, p.oid, p.proname, pg_get_function_arguments(p.oid) AS arguments,
               pg_get_function_result(p.oid) AS result, p.prokind
          FROM casino.hub_routes() r
          JOIN pg_proc p ON p.pronamespace = ANY (casino_internal.schemas()) AND p.proname = r.name
          JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
    LOOP
        CASE f.route
            WHEN 'player', 'withdrawal', 'claim', 'person' THEN
                PERFORM casino_internal.route_relay(f.oid, CASE f.route WHEN 'player' THEN 'player_id'
                                                    WHEN 'person' THEN 'casino.cell_of_person(external_ref)'
                                                    WHEN 'claim' THEN 'casino.cell_of_withdrawal(claim_no)'
                                                    ELSE 'casino.cell_of_withdrawal(id)' END);
                EXECUTE format('CREATE OR REPLACE FUNCTION casino.%I(%s) RETURNS %s '
                               'LANGUAGE c VOLATILE PARALLEL UNSAFE AS %L, ''casino_sql_relay''',
                               f.proname, f.arguments, f.result, library);
            WHEN 'read', 'all' THEN
                EXECUTE format('CREATE OR REPLACE FUNCTION casino.%I(%s) RETURNS %s '
                               'LANGUAGE plproxy VOLATILE AS %L',
                               f.proname, f.arguments, f.result,
                               'CLUSTER ''casino''; RUN ON ' || CASE f.route WHEN 'read'
                                   THEN 'casino.cell_to_ask(player_id)' ELSE 'casino.hub_cells()' END || ';');
            WHEN 'split' THEN
                CREATE OR REPLACE FUNCTION casino_internal.hub_place_many(actor text, round_id bigint,
                        player_ids bigint[], bets casino.bet[], request_ids text[], seats integer[],
                                                                          hands integer[], at timestamptz)
                RETURNS SETOF casino.placed LANGUAGE plproxy VOLATILE AS $proxy$
                    CLUSTER 'casino'; SPLIT player_ids, bets, request_ids, seats,
                        hands; RUN ON casino.cell_of(player_ids);
                    SELECT relay_f.* FROM (SELECT pg_catalog.set_config('casino.actor', actor,
                            true) AS relay_c OFFSET 0) relay_a
                     CROSS JOIN LATERAL (SELECT relay_b.*
                                         FROM casino.place_many(round_id, player_ids, bets, request_ids,
                                                                seats, hands, at) relay_b
                                          WHERE relay_a.relay_c IS NOT NULL OFFSET 0) relay_f;
                $proxy$;
                COMMENT ON FUNCTION casino_internal.hub_place_many(text, bigint, bigint[], casino.bet[],
                                                                   text[],
                                                                   integer[], integer[],
                                                                   timestamptz)
                                                                       IS 'Part of place_many() at a hub';
                EXECUTE format('CREATE OR REPLACE FUNCTION casino.%I(%s) RETURNS %s '
                               'LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS %L',
                               f.proname, f.arguments, f.result,
                               'BEGIN RETURN QUERY SELECT p.* FROM casino_internal.hub_split(round_id, '
                               'player_ids, bets, request_ids, seats, hands, at) p; END');
            WHEN 'hub', 'sum' THEN
                EXECUTE format('CREATE OR REPLACE FUNCTION casino.%I(%s) RETURNS %s '
                               'LANGUAGE c VOLATILE PARALLEL UNSAFE AS %L, ''casino_sql_hub_as_owner''',
                               f.proname, f.arguments, f.result, library);
            ELSE
                EXECUTE format('CREATE OR REPLACE %s casino.%I(%s) %s '
                               'LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS %L',
                               CASE f.prokind WHEN 'p' THEN 'PROCEDURE'
                                   ELSE 'FUNCTION' END, f.proname, f.arguments,
                               CASE WHEN f.prokind <> 'p' THEN 'RETURNS ' || f.result || ' VOLATILE'
                                   ELSE '' END, 'BEGIN PERFORM casino_internal.only_in_cells(); END');
        END CASE;
        made := made + 1;
    END LOOP;
    RETURN made;
END
$fn$;
COMMENT ON FUNCTION casino_internal.route_functions() IS
    'Part of install_hub(): makes the functions of one server functions of the hub';
