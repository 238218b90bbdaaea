-- Comments of views' columns: a column has its own, written here, or that of the column of the table from
-- which it comes. Views that say more of a column say it where they are made.

CREATE FUNCTION casino_internal.view_column_meanings(OUT relation text, OUT name text, OUT meaning text)
RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    VALUES ('betting_sequence', 'player_id', 'Player'),
           ('late_payment', 'player_id', 'Player'),
           ('late_payment', 'rule', 'The deadline that was missed, as breaches name it'),
           ('late_payment', 'round_id', 'Round of the stake; NULL: a withdrawal'),
           ('late_payment', 'amount', 'CZK that were to be paid'),
           ('live_participation', 'player_id', 'Player'),
           ('live_participation', 'round_id', 'Round in which the player has a stake'),
           ('live_participation', 'table_id', 'Its table'),
           ('live_participation', 'evaluated_at', 'When it was evaluated; NULL: not yet'),
           ('automatic_completion', 'player_id', 'Player'),
           ('automatic_completion', 'round_id', 'Round that was finished without the player'),
           ('automatic_completion', 'disconnected_at', 'When the connection was lost'),
           ('automatic_completion', 'evaluated_at', 'When the round was evaluated'),
           ('plan_odds', 'plan_id', 'Plan version'),
           ('plan_row', 'plan_id', 'Plan version'),
           ('plan_row', 'part',
            'Table of the row: game_plan, plan_rule, bet_rule, paytable or announced_rule'),
           ('plan_row', 'row_key', 'Key of the row within the version'),
           ('return_watch', 'game', 'Game'),
           ('return_watch', 'table_id', 'Table; NULL: all tables of the game'),
           ('return_watch', 'kind', 'Kind of bet; of draws the number, rank or suit is counted'),
           ('return_watch', 'rounds', 'Rounds counted'),
           ('return_watch', 'staked', 'CZK staked on it'),
           ('return_watch', 'result', 'CZK that the house kept of it'),
           ('return_watch', 'expected', 'CZK that the exact counts give the house for these stakes'),
           ('statement', 'kind', 'Kind of entry, see casino.entry_kinds()'),
           ('statement', 'amount', 'CZK of the entry, negative in adjustments and corrections that take'),
           ('statement', 'balance', 'CZK in the wallet after the entry'),
           ('statement', 'grade', 'How the wager ended, of payouts and corrections'),
           ('statement', 'role', 'Role that recorded the entry'),
           ('statement', 'actor', 'Person on whose behalf it was recorded'),
           ('trial_balance', 'balance', 'CZK debited less CZK credited'),
           ('pending_correction', 'role', 'Role that proposed it'),
           ('pending_correction', 'actor', 'Person on whose behalf it was proposed'),
           ('pending_correction', 'adjusted',
            'CZK that adjustments have already posted for the round; negative: taken from the players'),
           ('pending_withdrawals', 'entry_no', 'Entry of the request'),
           ('pending_withdrawals', 'method', 'cash or transfer'),
           ('pending_withdrawals', 'amount', 'CZK to be paid'),
           ('pending_withdrawals', 'requested_at', 'When it was asked for'),
           ('wager', 'kind', 'Kind of bet'),
           ('wager', 'table_id', 'Table of the round'),
           ('wager', 'status', 'open, won, pushed, lost, refunded or withheld'),
           ('wager', 'evaluated_at', 'When it was evaluated or voided; NULL: not yet'),
           -- the same in all views on wagers, however they grade them
           (NULL, 'player_id', 'Player'),
           (NULL, 'round_id', 'Round'),
           (NULL, 'plan_id', 'Plan version of the round'),
           (NULL, 'family', 'Family of the game, which grades it'),
           (NULL, 'entry_no', 'Entry of the stake: number and player are the key of the wager'),
           (NULL, 'bet', 'Bet with its stake'),
           (NULL, 'kind', 'Kind of bet'),
           (NULL, 'seat', 'Seat (box); NULL or 0: a game without seats'),
           (NULL, 'hand', 'Hand of the seat; NULL: the first'),
           (NULL, 'group_no',
            'Shared box: 0 for the common hand, else a group of players with the same hands'),
           (NULL, 'staked', 'CZK taken from the wallet'),
           (NULL, 'amount', 'CZK staked'),
           (NULL, 'grade', 'How the wager ends by outcome and plan'),
           (NULL, 'evaluated_at', 'When the round was evaluated')
$fn$;
COMMENT ON FUNCTION casino_internal.view_column_meanings()
    IS 'Part of casino.install(): comments of columns of views; without a view those of all the rest';

CREATE FUNCTION casino_internal.comment_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    c record;
BEGIN
    FOR c IN
        SELECT v.relname, a.attname,
               coalesce(m.meaning,
                        (SELECT col_description(s.attrelid, s.attnum)
                           FROM pg_attribute s
                          WHERE s.attrelid = to_regclass('casino.' || b.source) AND s.attname = a.attname),
                        (SELECT x.meaning FROM casino_internal.view_column_meanings() x
                          WHERE x.relation IS NULL AND x.name = a.attname)) AS meaning
          FROM pg_class v
          JOIN pg_attribute a ON a.attrelid = v.oid AND a.attnum > 0
          LEFT JOIN (SELECT x.* FROM casino_internal.view_column_meanings() x
                     UNION ALL SELECT y.* FROM casino_internal.bi_column_meanings() y) m
               ON m.relation = v.relname AND m.name = a.attname
          -- the table from which the columns of a view come under their own names
          LEFT JOIN (VALUES ('statement', 'ledger'),
                            ('wager', 'ledger'),
                            ('round_as_evaluated', 'round'),
                            ('hand_as_evaluated', 'dealt_hand'),
                            ('player_as_sealed', 'player'),
                            ('text_of_token', 'clear_text'),
                            ('account_in_clear', 'payment_account'),
                            ('payment_in_clear', 'ledger'),
                            ('unfinished_run', 'reconciliation'),
                            ('duty_period', 'duty_rule'),
                            ('exclusion_period', 'exclusion'),
                            ('provider_current', 'provider_record'),
                            ('pending_correction', 'round_correction'),
                            ('open_claim', 'claim')) b (view, source) ON b.view = v.relname
         WHERE v.relnamespace = 'casino'::regnamespace
           AND v.relkind = 'v'
           AND col_description(v.oid, a.attnum) IS NULL
    LOOP
        EXECUTE format('COMMENT ON COLUMN casino.%I.%I IS %L', c.relname, c.attname, c.meaning);
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.comment_views()
    IS 'Part of casino.install(): comments of columns of views';
