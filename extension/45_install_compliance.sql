-- Tables and views of the operator's duties (D4 general part §6 to §11).

CREATE FUNCTION casino.install_compliance() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.exclusion (
        player_id      bigint NOT NULL,
        exclusion_no   integer NOT NULL,
        source         text NOT NULL CHECK (source IN ('self', 'register', 'panic_button', 'operator')),
        excluded_from  timestamptz NOT NULL,
        excluded_until timestamptz NOT NULL CHECK (excluded_until > excluded_from),
        recorded_at    timestamptz NOT NULL,
        PRIMARY KEY (player_id, exclusion_no)
    );
    COMMENT ON TABLE casino.exclusion IS 'Append-only: periods in which a player may neither stake nor deposit (D4 §6.2)';
    COMMENT ON COLUMN casino.exclusion.player_id IS 'Player';
    COMMENT ON COLUMN casino.exclusion.exclusion_no IS 'Counts the player''s exclusions from 1';
    COMMENT ON COLUMN casino.exclusion.source IS 'Who asked for it: self, the register of excluded persons, the panic button (48 hours), the operator';
    COMMENT ON COLUMN casino.exclusion.excluded_from IS 'From here';
    COMMENT ON COLUMN casino.exclusion.excluded_until IS 'Until here, exclusive; infinity for no end';
    COMMENT ON COLUMN casino.exclusion.recorded_at IS 'When it was written';

    CREATE TABLE casino.player_limit (
        player_id      bigint NOT NULL,
        limit_no       integer NOT NULL,
        measure        text NOT NULL CHECK (measure IN ('stake', 'net_loss')),
        period         text NOT NULL CHECK (period IN ('day', 'month')),
        amount         numeric CHECK (amount >= 0 AND amount < 'Infinity'),
        requested_at   timestamptz NOT NULL,
        effective_from timestamptz NOT NULL CHECK (effective_from >= requested_at),
        recorded_at    timestamptz NOT NULL,
        PRIMARY KEY (player_id, limit_no)
    );
    CREATE INDEX player_limit_latest ON casino.player_limit (player_id, measure, period, limit_no);
    COMMENT ON INDEX casino.player_limit_latest IS 'Finds the limit in force: the latest that has come into effect';
    COMMENT ON TABLE casino.player_limit IS 'Append-only: limits players set themselves (D4 §6.5); in force is the latest that has come into effect';
    COMMENT ON COLUMN casino.player_limit.player_id IS 'Player';
    COMMENT ON COLUMN casino.player_limit.limit_no IS 'Counts the player''s changes from 1';
    COMMENT ON COLUMN casino.player_limit.measure IS 'stake: money staked; net_loss: lost in evaluated rounds, and open stakes in full';
    COMMENT ON COLUMN casino.player_limit.period IS 'day or month, calendar of Europe/Prague';
    COMMENT ON COLUMN casino.player_limit.amount IS 'CZK; NULL: no limit';
    COMMENT ON COLUMN casino.player_limit.requested_at IS 'When the player asked for it';
    COMMENT ON COLUMN casino.player_limit.effective_from IS 'At once when it is stricter, seven days later when it is not';
    COMMENT ON COLUMN casino.player_limit.recorded_at IS 'When it was written';

    CREATE TABLE casino.limit_state (
        player_id    bigint PRIMARY KEY,
        day          date NOT NULL,
        staked_day   numeric NOT NULL,
        lost_day     numeric NOT NULL,
        month        date NOT NULL,
        staked_month numeric NOT NULL,
        lost_month   numeric NOT NULL,
        open_staked  numeric NOT NULL,
        limit_stake_day             numeric,
        limit_stake_day_next        numeric,
        limit_stake_day_from        timestamptz,
        limit_stake_month           numeric,
        limit_stake_month_next      numeric,
        limit_stake_month_from      timestamptz,
        limit_net_loss_day          numeric,
        limit_net_loss_day_next     numeric,
        limit_net_loss_day_from     timestamptz,
        limit_net_loss_month        numeric,
        limit_net_loss_month_next   numeric,
        limit_net_loss_month_from   timestamptz
    ) WITH (fillfactor = 70);
    COMMENT ON TABLE casino.limit_state IS 'Limits in force and their counters, of players who have set limits: all a stake must know in one row. casino.limits_in_force() and casino.limit_usage() recompute it';
    COMMENT ON COLUMN casino.limit_state.player_id IS 'Player';
    COMMENT ON COLUMN casino.limit_state.day IS 'Prague day of the day counters';
    COMMENT ON COLUMN casino.limit_state.staked_day IS 'CZK staked on that day';
    COMMENT ON COLUMN casino.limit_state.lost_day IS 'CZK lost, net of winnings, in rounds evaluated on that day';
    COMMENT ON COLUMN casino.limit_state.month IS 'First day of the Prague month of the month counters';
    COMMENT ON COLUMN casino.limit_state.staked_month IS 'CZK staked in that month';
    COMMENT ON COLUMN casino.limit_state.lost_month IS 'CZK lost, net of winnings, in rounds evaluated in that month';
    COMMENT ON COLUMN casino.limit_state.open_staked IS 'CZK staked in rounds not evaluated yet, whenever it was';
    COMMENT ON COLUMN casino.limit_state.limit_stake_day IS 'CZK that may be staked a day; NULL: no limit';
    COMMENT ON COLUMN casino.limit_state.limit_stake_day_next IS 'The same from limit_stake_day_from on';
    COMMENT ON COLUMN casino.limit_state.limit_stake_day_from IS 'When a laxer limit asked for comes into effect; NULL: none was';
    COMMENT ON COLUMN casino.limit_state.limit_stake_month IS 'CZK that may be staked a month; NULL: no limit';
    COMMENT ON COLUMN casino.limit_state.limit_stake_month_next IS 'The same from limit_stake_month_from on';
    COMMENT ON COLUMN casino.limit_state.limit_stake_month_from IS 'When a laxer limit asked for comes into effect; NULL: none was';
    COMMENT ON COLUMN casino.limit_state.limit_net_loss_day IS 'CZK that may be lost a day; NULL: no limit';
    COMMENT ON COLUMN casino.limit_state.limit_net_loss_day_next IS 'The same from limit_net_loss_day_from on';
    COMMENT ON COLUMN casino.limit_state.limit_net_loss_day_from IS 'When a laxer limit asked for comes into effect; NULL: none was';
    COMMENT ON COLUMN casino.limit_state.limit_net_loss_month IS 'CZK that may be lost a month; NULL: no limit';
    COMMENT ON COLUMN casino.limit_state.limit_net_loss_month_next IS 'The same from limit_net_loss_month_from on';
    COMMENT ON COLUMN casino.limit_state.limit_net_loss_month_from IS 'When a laxer limit asked for comes into effect; NULL: none was';

    CREATE TABLE casino.payment_account (
        player_id   bigint NOT NULL,
        account_no  integer NOT NULL,
        account     text NOT NULL CHECK (account = casino.canonical_text(account, 'account') AND octet_length(account) <= 64),
        registered_at timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, account_no)
    );
    COMMENT ON TABLE casino.payment_account IS 'Append-only: registered payment accounts; the last one counts (D4 §11.2 b)';
    COMMENT ON COLUMN casino.payment_account.player_id IS 'Player';
    COMMENT ON COLUMN casino.payment_account.account_no IS 'Counts the player''s accounts from 1';
    COMMENT ON COLUMN casino.payment_account.account IS 'Account';
    COMMENT ON COLUMN casino.payment_account.registered_at IS 'When it was registered';
    COMMENT ON COLUMN casino.payment_account.recorded_at IS 'When it was written';

    CREATE TABLE casino.open_withdrawal (
        player_id bigint NOT NULL,
        entry_no  bigint NOT NULL,
        PRIMARY KEY (player_id, entry_no)
    );
    COMMENT ON TABLE casino.open_withdrawal IS 'Withdrawals neither paid nor cancelled: put in and taken out by the ledger''s trigger';
    COMMENT ON COLUMN casino.open_withdrawal.player_id IS 'Player';
    COMMENT ON COLUMN casino.open_withdrawal.entry_no IS 'Ledger entry of the withdrawal';

    CREATE TABLE casino.refusal (
        player_id   bigint NOT NULL,
        refusal_no  bigint NOT NULL,
        action      text NOT NULL CHECK (action IN ('place_bets', 'deposit', 'request_withdrawal', 'pay_withdrawal')),
        round_id    bigint,
        bets        casino.bet[],
        seat        integer,
        hand        integer,
        amount      numeric,
        method      text CHECK (octet_length(method) <= 64),
        withdrawal_id bigint,
        request_id  text CHECK (octet_length(request_id) <= 200),
        code        text NOT NULL,
        message     text NOT NULL,
        detail      text,
        refused_at  timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, refusal_no),
        CHECK (action <> 'place_bets' OR (round_id IS NOT NULL AND bets IS NOT NULL))
    );
    COMMENT ON TABLE casino.refusal IS 'Append-only: what try_place_bets(), try_deposit(), try_request_withdrawal() and try_pay_withdrawal() refused';
    COMMENT ON COLUMN casino.refusal.player_id IS 'Player';
    COMMENT ON COLUMN casino.refusal.refusal_no IS 'Counts the player''s refusals from 1';
    COMMENT ON COLUMN casino.refusal.action IS 'What was asked for';
    COMMENT ON COLUMN casino.refusal.round_id IS 'Round, of bets';
    COMMENT ON COLUMN casino.refusal.bets IS 'What he wanted to stake';
    COMMENT ON COLUMN casino.refusal.amount IS 'CZK to be deposited or paid';
    COMMENT ON COLUMN casino.refusal.method IS 'How, of deposits and withdrawals';
    COMMENT ON COLUMN casino.refusal.withdrawal_id IS 'Withdrawal that was to be paid';
    COMMENT ON COLUMN casino.refusal.seat IS 'Seat (box)';
    COMMENT ON COLUMN casino.refusal.hand IS 'Hand of the seat';
    COMMENT ON COLUMN casino.refusal.request_id IS 'The client''s key of the request';
    COMMENT ON COLUMN casino.refusal.code IS 'SQLSTATE of the refusal';
    COMMENT ON COLUMN casino.refusal.message IS 'Why';
    COMMENT ON COLUMN casino.refusal.detail IS 'The values';
    COMMENT ON COLUMN casino.refusal.refused_at IS 'Time of the event';
    COMMENT ON COLUMN casino.refusal.recorded_at IS 'When it was written';
END
$fn$;
COMMENT ON FUNCTION casino.install_compliance() IS 'Part of casino.install(): exclusions, limits, payment accounts, refusals';

CREATE FUNCTION casino.install_compliance_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.live_participation AS
        SELECT s.player_id, s.round_id, r.table_id, min(s.posted_at) AS first_stake_at, r.evaluated_at
          FROM casino.ledger s
          JOIN casino.round r ON r.round_id = s.round_id
          JOIN casino.game_plan p ON p.plan_id = r.plan_id
          JOIN casino.game g ON g.game = p.game AND g.live
         WHERE s.kind = 'stake'
           -- returned before betting closed: never placed
           AND NOT EXISTS (SELECT FROM casino.ledger f
                            WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no AND f.kind = 'refund'
                              AND (r.betting_closed_at IS NULL OR f.reason IN ('cancelled', 'disconnected', 'late', 'excluded')))
         GROUP BY s.player_id, s.round_id, r.table_id, r.evaluated_at;
    COMMENT ON VIEW casino.live_participation IS 'Live rounds a player takes or took part in, from the ledger alone (D4 §8.2)';
    COMMENT ON COLUMN casino.live_participation.first_stake_at IS 'When his first stake that was not returned before betting closed was placed';

    CREATE VIEW casino.betting_sequence AS
        SELECT q.player_id, q.sequence_no, min(q.first_stake_at) AS started_at, max(q.evaluated_at) AS last_evaluated_at,
               max(q.evaluated_at) - min(q.first_stake_at) AS length, count(*) AS rounds,
               bool_or(q.evaluated_at IS NULL) AS in_round,
               coalesce(max(q.evaluated_at) - min(q.first_stake_at) >= interval '120 minutes', false) AS break_due,
               max(q.evaluated_at) + interval '15 minutes' AS ends_at
          FROM (SELECT i.*, count(*) FILTER (WHERE i.starts) OVER (PARTITION BY i.player_id ORDER BY i.first_stake_at, i.round_id)
                            AS sequence_no
                  FROM (SELECT p.player_id, p.round_id, p.first_stake_at, p.evaluated_at,
                               coalesce(p.first_stake_at - max(p.evaluated_at) OVER earlier >= interval '15 minutes', true)
                               AND NOT coalesce(bool_or(p.evaluated_at IS NULL) OVER earlier, false) AS starts
                          FROM casino.live_participation p
                        WINDOW earlier AS (PARTITION BY p.player_id ORDER BY p.first_stake_at, p.round_id
                                           ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) i) q
         GROUP BY q.player_id, q.sequence_no;
    COMMENT ON VIEW casino.betting_sequence IS 'Betting sequences of the players over all live games, recomputed from the ledger alone (D4 §8.5, §8.6)';
    COMMENT ON COLUMN casino.betting_sequence.sequence_no IS 'Counts the player''s sequences from 1';
    COMMENT ON COLUMN casino.betting_sequence.started_at IS 'Placing of its first stake';
    COMMENT ON COLUMN casino.betting_sequence.last_evaluated_at IS 'Last evaluation of a game in it';
    COMMENT ON COLUMN casino.betting_sequence.rounds IS 'Rounds he took part in';
    COMMENT ON COLUMN casino.betting_sequence.in_round IS 'A round of it is not evaluated yet';
    COMMENT ON COLUMN casino.betting_sequence.length IS 'From the placing of the first stake to the last evaluation';
    COMMENT ON COLUMN casino.betting_sequence.break_due IS 'At least 120 minutes long: no stake before ends_at (D4 §8.3)';
    COMMENT ON COLUMN casino.betting_sequence.ends_at IS '15 minutes after the last evaluation: a stake from here on starts a new sequence';

    CREATE VIEW casino.pending_withdrawals AS
        SELECT casino.withdrawal_id(w.player_id, w.entry_no) AS withdrawal_id, w.player_id, w.entry_no, w.method, w.amount,
               w.posted_at AS requested_at, casino.payment_due_at(w.posted_at, 60) AS due_at,
               clock_timestamp() >= casino.payment_due_at(w.posted_at, 60) AS overdue,
               (SELECT e.reason FROM casino.excused_delay e WHERE e.player_id = w.player_id AND e.entry_no = w.entry_no
                 ORDER BY e.excuse_no DESC LIMIT 1) AS excuse,
               w.method = 'transfer'
               AND coalesce((SELECT (a.registered_at > w.posted_at OR clock_timestamp() < a.registered_at + interval '24 hours')
                                    AND NOT EXISTS (SELECT FROM casino.withdrawal_approval p
                                                     WHERE p.player_id = w.player_id AND p.entry_no = w.entry_no AND p.account_no = a.account_no)
                               FROM casino.payment_account a WHERE a.player_id = w.player_id ORDER BY a.account_no DESC LIMIT 1), false) AS needs_approval
          FROM casino.open_withdrawal o
          JOIN casino.ledger w ON w.player_id = o.player_id AND w.entry_no = o.entry_no;
    COMMENT ON VIEW casino.pending_withdrawals IS 'Withdrawals asked for and neither paid nor cancelled, with the end of the 60th day after the day of the request (D4 §11.2)';
    COMMENT ON COLUMN casino.pending_withdrawals.withdrawal_id IS 'Number of the withdrawal, for pay_withdrawal() and cancel_withdrawal()';
    COMMENT ON COLUMN casino.pending_withdrawals.due_at IS 'First instant that is too late';
    COMMENT ON COLUMN casino.pending_withdrawals.overdue IS 'It is too late now';
    COMMENT ON COLUMN casino.pending_withdrawals.excuse IS 'The last reason recorded for its delay';
    COMMENT ON COLUMN casino.pending_withdrawals.needs_approval IS 'To be paid now it needs casino.approve_withdrawal(): its account is too new';
END
$fn$;
COMMENT ON FUNCTION casino.install_compliance_views() IS 'Part of casino.install(): betting sequences, pending withdrawals';
