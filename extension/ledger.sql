-- The ledger: every movement of money, its trigger, money in and corrections (R12.4).

CREATE FUNCTION casino_internal.install_ledger() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- What has a fixed width comes first: with the wide columns aligned and no text between them an entry is
    -- 16 bytes shorter.
    CREATE TABLE casino.ledger (
        player_id      bigint NOT NULL,
        entry_no       bigint NOT NULL,
        round_id       bigint,
        stake_entry_no bigint,
        withdrawal_entry_no bigint,
        correction_no  bigint,
        bet            casino.bet,
        posted_at      timestamptz NOT NULL,
        recorded_at    timestamptz NOT NULL,
        recorded_by    integer NOT NULL,
        book           integer NOT NULL DEFAULT 1,
        seat           integer,
        hand           integer,
        request_line   integer,
        kind           text NOT NULL CHECK (kind IN ('deposit', 'stake', 'payout', 'refund', 'withdrawal',
                                                     'withdrawal_cancelled', 'cash_paid', 'transfer_paid',
                                                     'adjustment', 'correction')),
        amount         numeric NOT NULL,
        balance        numeric NOT NULL,
        grade          text,
        request_id     text,
        reason         text,
        method         text,
        account        text,
        reference      text,
        place          text,
        -- one constraint, which looks at what is there: a settlement posts thousands of entries
        CONSTRAINT ledger_text_bounds CHECK (
            (request_id IS NULL OR octet_length(request_id) <= 200)
                AND (reason IS NULL OR octet_length(reason) <= 1000)
            AND (account IS NULL OR octet_length(account) <= 64)
            AND (reference IS NULL OR octet_length(reference) <= 200)
            AND (place IS NULL OR octet_length(place) <= 200)),
        CONSTRAINT ledger_method_check CHECK (
            method IS NULL
                OR method IN ('cash', 'transfer')
                OR (kind = 'deposit' AND octet_length(method) <= 64))
    ) PARTITION BY LIST (book);
    COMMENT ON TABLE casino.ledger IS 'Append-only: every movement of money, one row an entry';
    COMMENT ON COLUMN casino.ledger.player_id IS 'Player';
    COMMENT ON COLUMN casino.ledger.entry_no IS 'Counts the player''s entries from 1 without gaps';
    COMMENT ON COLUMN casino.ledger.kind IS 'What was posted; accounts in casino.entry_kinds()';
    COMMENT ON COLUMN casino.ledger.amount
        IS 'CZK, not negative but for adjustments and corrections; 0 for free wagers';
    COMMENT ON COLUMN casino.ledger.round_id
        IS 'Round of a stake, payout or refund, and of a correction that concerns one';
    COMMENT ON COLUMN casino.ledger.bet IS 'What was staked on';
    COMMENT ON COLUMN casino.ledger.seat IS 'Seat (box) of the wager';
    COMMENT ON COLUMN casino.ledger.hand IS 'Hand of the seat the wager lies on';
    COMMENT ON COLUMN casino.ledger.stake_entry_no
        IS 'The stake that a payout pays, a refund returns or a correction corrects';
    COMMENT ON COLUMN casino.ledger.correction_no
        IS 'The correction of its round (casino.round_correction) by which a wager was paid more, or less';
    COMMENT ON COLUMN casino.ledger.grade IS 'How the wager ended, of payouts and corrections';
    COMMENT ON COLUMN casino.ledger.request_id IS 'The client''s key of the request, for safe retries';
    COMMENT ON COLUMN casino.ledger.request_line IS 'Position in a request of several bets, from 1';
    COMMENT ON COLUMN casino.ledger.reason
        IS 'Reason of an adjustment, correction or refund; the reason of a voided round stands with the '
           'round';
    COMMENT ON COLUMN casino.ledger.method
        IS 'cash or transfer, of withdrawals; of deposits one of casino.payment_method';
    COMMENT ON COLUMN casino.ledger.withdrawal_entry_no IS 'The withdrawal that is paid or cancelled';
    COMMENT ON COLUMN casino.ledger.account
        IS 'Token of the payment account a transfer went to: casino.payment_in_clear has the text';
    COMMENT ON COLUMN casino.ledger.reference
        IS 'Token of the reference of the payment, of deposits and of withdrawals paid: '
           'casino.payment_in_clear has the text. An INSERT gives the text';
    COMMENT ON COLUMN casino.ledger.place IS 'Where cash was paid in or out';
    COMMENT ON COLUMN casino.ledger.balance IS 'CZK in the wallet after the entry';
    COMMENT ON COLUMN casino.ledger.posted_at IS 'When it happened';
    COMMENT ON COLUMN casino.ledger.recorded_at IS 'When it was written';
    COMMENT ON COLUMN casino.ledger.recorded_by IS 'Who recorded it: casino.recorder';
    COMMENT ON COLUMN casino.ledger.book
        IS 'The book that the entry was written into: the one that was open then (R12.40)';

    CREATE TABLE casino.breach (
        player_id   bigint NOT NULL,
        entry_no    bigint NOT NULL,
        rule        text NOT NULL,
        detail      jsonb NOT NULL,
        occurred_at timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, entry_no, rule)
    );
    COMMENT ON TABLE casino.breach
        IS 'Append-only: where a declared or legal bound was touched and the event still had to be recorded';
    COMMENT ON COLUMN casino.breach.player_id IS 'Player';
    COMMENT ON COLUMN casino.breach.entry_no IS 'Ledger entry concerned: the stake or the withdrawal';
    COMMENT ON COLUMN casino.breach.rule
        IS 'declared_win: a profit was capped; insurance_not_offered: an insurance that the cards did not '
           'allow was returned; taken_back_late: a stake that lay there at the end of betting was taken '
           'back after it, where the end was not known yet; winnings_late: not paid by the 30th day (D4 '
           '§11.1); withdrawal_late: not paid by the 60th day (D4 §11.2); no_action: the hand of an absent '
           'player was not played by the rule for players who do not act (D4 Infinite §14)';
    COMMENT ON COLUMN casino.breach.detail IS 'The values';
    COMMENT ON COLUMN casino.breach.occurred_at
        IS 'When it happened; of what is late the first instant that was too late';
    COMMENT ON COLUMN casino.breach.recorded_at IS 'When it was written';

    CREATE TABLE casino.payment_method (
        method      text NOT NULL CHECK (method = lower(casino_internal.canonical_text(method, 'method'))
                                         AND octet_length(method) BETWEEN 1 AND 64),
        valid_from  timestamptz NOT NULL,
        is_cash     boolean NOT NULL,
        offered     boolean NOT NULL DEFAULT true,
        meaning     text NOT NULL CHECK (octet_length(meaning) BETWEEN 1 AND 200),
        recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (method, valid_from)
    );
    COMMENT ON TABLE casino.payment_method
        IS 'Append-only: ways in which money is paid in and out, each with its versions; a deposit by any '
           'other is refused';
    COMMENT ON COLUMN casino.payment_method.method IS 'The one spelling: small letters';
    COMMENT ON COLUMN casino.payment_method.valid_from
        IS 'From when on the row holds, until the next one of the method';
    COMMENT ON COLUMN casino.payment_method.is_cash
        IS 'Notes and coins: counted by person_day(); what was cash in one row is cash in all';
    COMMENT ON COLUMN casino.payment_method.offered IS 'Deposits by it are taken; false: no more';
    COMMENT ON COLUMN casino.payment_method.meaning IS 'What it is';
    COMMENT ON COLUMN casino.payment_method.recorded_at IS 'When it was written';
    INSERT INTO casino.payment_method (method, valid_from, is_cash, meaning)
    VALUES ('cash', '-infinity', true, 'notes and coins'),
           ('transfer', '-infinity', false, 'a transfer from or to a payment account'),
           ('bank', '-infinity', false, 'a payment through a bank, of another kind'),
           ('card', '-infinity', false, 'a payment card'),
           ('wallet', '-infinity', false, 'an electronic wallet'),
           ('voucher', '-infinity', false, 'a voucher that was bought');
    PERFORM casino_internal.make_append_only('payment_method');
    PERFORM casino_internal.make_recorded('payment_method', loaded => true);

    CREATE TRIGGER ledger_post BEFORE INSERT ON casino.ledger
        FOR EACH ROW EXECUTE FUNCTION casino_internal.ledger_post();
    COMMENT ON TRIGGER ledger_post ON casino.ledger IS 'Checks, numbers and books every entry';
    PERFORM casino_internal.make_append_only('ledger', 'breach');
    PERFORM casino_internal.install_books();
    PERFORM casino_internal.make_recorded('breach');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_ledger() IS 'Part of casino.install(): ledger, breaches';

CREATE FUNCTION casino_internal.install_ledger_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.statement AS
        SELECT l.player_id, l.entry_no, l.posted_at, l.kind, l.round_id, l.bet, l.grade, l.amount,
               l.amount * k.wallet_sign AS change,
               l.balance, l.reason, l.recorded_at, w.role, w.actor,
               -- EXISTS would be planned twice in each book
               CASE WHEN l.kind = 'stake' THEN (SELECT true FROM casino.automatic_completion a
                                                 WHERE a.player_id = l.player_id
                                                   AND a.round_id = l.round_id
                                                   AND a.automatic
                                                 LIMIT 1) IS NOT NULL END AS automatic,
               l.stake_entry_no,
               CASE WHEN l.stake_entry_no IS NULL THEN l.bet ELSE s.bet END AS staked_on,
               CASE WHEN l.stake_entry_no IS NULL THEN l.seat ELSE s.seat END AS seat,
               CASE WHEN l.stake_entry_no IS NULL THEN l.hand ELSE s.hand END AS hand
          FROM casino.carried_entry l
          LEFT JOIN casino.entry_kinds() k ON k.kind = l.kind
          LEFT JOIN casino.recorder w ON w.recorder_id = l.recorded_by
          -- one row for certain: a page that leaves its columns out does not read the stakes
          LEFT JOIN LATERAL (SELECT (array_agg(s.bet))[1] AS bet, max(s.seat) AS seat, max(s.hand) AS hand
                               FROM casino.ledger s
                              WHERE s.player_id = l.player_id
                                AND s.entry_no = l.stake_entry_no
                                AND casino_internal.in_books(s.book, s.player_id, s.entry_no, NULL, NULL)) s
                 ON true;
    COMMENT ON VIEW casino.statement
        IS 'A player''s entries with the balance after each. Where books were put away the first row has '
           'kind carried_forward: the player''s last entry there, with the balance after it';
    COMMENT ON COLUMN casino.statement.change IS 'CZK by which the entry changed the wallet';
    COMMENT ON COLUMN casino.statement.automatic
        IS 'Of a stake: the player was disconnected, and the game was finished without him (D4 §9.3)';
    COMMENT ON COLUMN casino.statement.stake_entry_no
        IS 'The stake that a payout pays, a refund returns or a correction corrects';
    COMMENT ON COLUMN casino.statement.staked_on
        IS 'The bet of the wager: of a stake its own, of the entries that name a stake that of the stake';
    COMMENT ON COLUMN casino.statement.seat IS 'Seat (box) of the wager, likewise';
    COMMENT ON COLUMN casino.statement.hand
        IS 'Hand of the seat on which the wager lies, likewise; NULL: none was given, the first one';

    CREATE VIEW casino.trial_balance AS
        SELECT a.account, sum(a.debit) AS debit, sum(a.credit) AS credit, sum(a.debit - a.credit) AS balance
          FROM (SELECT k.kind, sum(l.amount) AS amount, k.debit_account, k.credit_account
                  FROM (SELECT d.kind, d.amount
                          FROM casino.day_total d
                         WHERE d.day < casino.prague_day((SELECT u.until FROM casino.kept_until u))
                        UNION ALL
                        SELECT e.kind, e.amount
                          FROM casino.ledger e
                         WHERE e.posted_at
                                   >= coalesce((SELECT u.until FROM casino.kept_until u), '-infinity')) l
                  JOIN casino.entry_kinds() k ON k.kind = l.kind
                 GROUP BY k.kind, k.debit_account, k.credit_account) t
         CROSS JOIN LATERAL (VALUES (t.debit_account, t.amount, 0.00), (t.credit_account, 0.00, t.amount))
                            AS a (account, debit, credit)
         GROUP BY a.account;
    COMMENT ON VIEW casino.trial_balance
        IS 'Debits, credits and balance of every account; the balances sum to zero';
    COMMENT ON COLUMN casino.trial_balance.account IS 'Account, see casino.entry_kinds()';
    COMMENT ON COLUMN casino.trial_balance.debit IS 'CZK debited';
    COMMENT ON COLUMN casino.trial_balance.credit IS 'CZK credited';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_ledger_views()
    IS 'Part of casino.install(): statements, trial balance';

CREATE FUNCTION casino.entry_kinds(OUT kind text, OUT debit_account text, OUT credit_account text,
                                   OUT wallet_sign integer, OUT meaning text) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_entry_kinds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 10;
COMMENT ON FUNCTION casino.entry_kinds()
    IS 'Kinds of ledger entries with the accounts a positive amount is debited and credited to, and its '
       'sign in the wallet';

CREATE FUNCTION casino_internal.ledger_post() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_ledger_post' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.ledger_post()
    IS 'Trigger of casino.ledger: checks, numbers and books every entry';

CREATE FUNCTION casino.store_in_use() RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_store_in_use' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.store_in_use()
    IS 'Are the ledger and the players read and written beside the executor; false where something was '
       'added to them that an INSERT or UPDATE must honour, above READ COMMITTED, and with casino.store = '
       'off';

CREATE FUNCTION casino.deposit(player_id bigint, amount numeric, request_id text DEFAULT NULL,
                               at timestamptz DEFAULT NULL, method text DEFAULT NULL,
                               reference text DEFAULT NULL, place text DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_deposit' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.deposit(bigint, numeric, text, timestamptz, text, text, text)
    IS 'Money in, by a method (casino.payment_method) and under a reference, of cash with the place; returns '
       'the entry number, the same again for the same request';

CREATE FUNCTION casino.adjust(player_id bigint, amount numeric, reason text, request_id text DEFAULT NULL,
                              at timestamptz DEFAULT NULL, round_id bigint DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_adjust' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.adjust(bigint, numeric, text, text, timestamptz, bigint)
    IS 'A correction with its reason, and the round it concerns if there is one; a negative amount takes. '
       'Returns the entry number';
