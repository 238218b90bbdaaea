-- The figures as views, for tools that offer tables and views only. Sums of days go back to the first day of
-- the books; the figures of players go back 31 days, because they read every entry of their days.

CREATE FUNCTION casino_internal.install_bi_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    v record;
BEGIN
    CREATE VIEW casino.bi_period AS
        SELECT least((SELECT casino.prague_day(min(s.installed_at)) FROM casino.schema_version s),
                     (SELECT min(t.day) FROM casino.day_total t),
                     (SELECT casino.prague_day(min(r.opened_at)) FROM casino.round r)) AS first_day,
               casino.prague_day(clock_timestamp()) - 31 AS month_ago,
               casino.prague_day(clock_timestamp()) AS today;
    COMMENT ON VIEW casino.bi_period IS 'Days of the views whose names begin with bi_';
    FOR v IN SELECT *
               FROM (VALUES ('bi_daily_table', 'daily_table(p.first_day, p.today)',
                             'daily_table() from the first day of the books to today'),
                            ('bi_tax_base', 'tax_base(p.first_day, p.today)',
                             'tax_base() from the first day of the books to today'),
                            ('bi_player_day', 'player_day(p.month_ago, p.today)',
                             'player_day() of the last 31 days and today'),
                            ('bi_large_win', 'large_win(p.month_ago, p.today)',
                             'large_win() of the last 31 days and today, from 100 000 CZK on'),
                            ('bi_significant_event', 'significant_event(p.month_ago, p.today)',
                             'significant_event() of the last 31 days and today'),
                            ('bi_liability', 'liability()', 'liability() as of now'),
                            ('bi_protection', 'protection()', 'protection() as of now'))
                         AS b (name, call, meaning) LOOP
        EXECUTE format('CREATE VIEW casino.%I AS
                            SELECT f.* FROM casino.bi_period p CROSS JOIN LATERAL casino.%s f',
                       v.name, v.call);
        EXECUTE format('COMMENT ON VIEW casino.%I IS %L', v.name, v.meaning);
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_bi_views()
    IS 'Part of casino.install(): the figures as views, for tools that cannot call functions';

CREATE FUNCTION casino_internal.bi_column_meanings(OUT relation text, OUT name text, OUT meaning text)
RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    VALUES ('bi_period', 'first_day', 'First Prague day of the books'),
           ('bi_period', 'month_ago', 'Prague day 31 days ago'),
           ('bi_period', 'today', 'Prague day of now'),
           ('bi_daily_table', 'day', 'Prague day of the evaluation; of the opening until a result'),
           ('bi_daily_table', 'game', 'Game'),
           ('bi_daily_table', 'table_id', 'Table'),
           ('bi_daily_table', 'table_name', 'Name of the table'),
           ('bi_daily_table', 'plan_id', 'Plan version of the rounds'),
           ('bi_daily_table', 'plan_version', 'Its number within the game'),
           ('bi_daily_table', 'rounds_settled', 'Rounds settled'),
           ('bi_daily_table', 'rounds_withheld', 'Rounds whose winnings are held back'),
           ('bi_daily_table', 'rounds_voided', 'Rounds voided'),
           ('bi_daily_table', 'rounds_open', 'Rounds without a result'),
           ('bi_daily_table', 'wagers', 'Wagers that stand'),
           ('bi_daily_table', 'staked', 'CZK staked by them'),
           ('bi_daily_table', 'won', 'CZK won of them, paid or held back'),
           ('bi_daily_table', 'withheld', 'CZK of that held back'),
           ('bi_daily_table', 'returned', 'CZK of stakes returned'),
           ('bi_daily_table', 'ggr', 'CZK staked less won, less corrected'),
           ('bi_daily_table', 'hold', 'ggr to staked'),
           ('bi_daily_table', 'expected_hold', 'The hold by the exact counts of the plan'),
           ('bi_daily_table', 'z', 'Standard deviations of the result from the expected one'),
           ('bi_daily_table', 'corrected', 'CZK given to the players by corrections posted on the day'),
           ('bi_tax_base', 'day', 'Prague day of the entries'),
           ('bi_tax_base', 'game', 'Game'),
           ('bi_tax_base', 'live', 'Is it a live game'),
           ('bi_tax_base', 'stakes', 'CZK of stakes taken'),
           ('bi_tax_base', 'returned', 'CZK of stakes returned'),
           ('bi_tax_base', 'winnings', 'CZK of winnings paid'),
           ('bi_tax_base', 'base', 'CZK of the tax base: stakes less returned, winnings and corrected'),
           ('bi_tax_base', 'corrected',
            'CZK given to the players by corrections of results, and by adjustments that name a round'),
           ('bi_player_day', 'day', 'Prague day of the entries'),
           ('bi_player_day', 'player_id', 'Player'),
           ('bi_player_day', 'deposits', 'CZK deposited'),
           ('bi_player_day', 'withdrawn', 'CZK asked for in withdrawals, less cancelled ones'),
           ('bi_player_day', 'paid_out', 'CZK handed out in cash or by transfer'),
           ('bi_player_day', 'adjustments', 'CZK of adjustments, from the player negative'),
           ('bi_player_day', 'rounds', 'Rounds staked in'),
           ('bi_player_day', 'wagers', 'Wagers'),
           ('bi_player_day', 'staked', 'CZK staked'),
           ('bi_player_day', 'returned', 'CZK of stakes returned'),
           ('bi_player_day', 'winnings', 'CZK of winnings paid'),
           ('bi_player_day', 'result', 'CZK that the player won or, negative, lost'),
           ('bi_player_day', 'corrected',
            'CZK that corrections of results, and adjustments that name a round, gave the player'),
           ('bi_large_win', 'day',
            'Prague day of the evaluation; of a round evaluated before these days, of its correction'),
           ('bi_large_win', 'evaluated_at', 'When the round was evaluated'),
           ('bi_large_win', 'player_id', 'Player'),
           ('bi_large_win', 'external_ref', 'The player as the operator names the person'),
           ('bi_large_win', 'game', 'Game'),
           ('bi_large_win', 'table_name', 'Name of the table'),
           ('bi_large_win', 'round_id', 'Round'),
           ('bi_large_win', 'round_ref', 'Round as the backend names it'),
           ('bi_large_win', 'staked', 'CZK that the player staked in the round'),
           ('bi_large_win', 'won', 'CZK that the player won in it, corrections included'),
           ('bi_large_win', 'profit', 'CZK won less staked'),
           ('bi_large_win', 'withheld', 'CZK of that held back'),
           ('bi_large_win', 'corrected', 'CZK that corrections of the round gave the player'),
           ('bi_significant_event', 'at', 'When it happened'),
           ('bi_significant_event', 'event', 'Kind and subject in one text'),
           ('bi_significant_event', 'player_id', 'Player; NULL: of no player'),
           ('bi_significant_event', 'round_id', 'Round; NULL: of no round'),
           ('bi_significant_event', 'entry_no', 'Entry of the player''s ledger; NULL: no entry'),
           ('bi_significant_event', 'amount', 'CZK; NULL: no money'),
           ('bi_significant_event', 'reason', 'Reason that was given'),
           ('bi_significant_event', 'detail', 'Details as JSON'),
           ('bi_significant_event', 'recorded_at', 'When it was written down'),
           ('bi_significant_event', 'role', 'Role that called'),
           ('bi_significant_event', 'actor', 'Person on whose behalf'),
           ('bi_significant_event', 'kind', 'Kind of event, to group by'),
           ('bi_significant_event', 'about', 'Subject of the event within its kind'),
           ('bi_liability', 'wallets', 'CZK in wallets'),
           ('bi_liability', 'open_stakes', 'CZK staked in rounds without a result'),
           ('bi_liability', 'withheld_winnings', 'CZK of winnings held back'),
           ('bi_liability', 'withdrawals_payable', 'CZK of withdrawals asked for and not paid'),
           ('bi_liability', 'total', 'CZK of all four'),
           ('bi_protection', 'player_id', 'Player'),
           ('bi_protection', 'external_ref', 'The player as the operator names the person'),
           ('bi_protection', 'protection', 'exclusion, limit or break'),
           ('bi_protection', 'source', 'Source of the exclusion, measure of the limit, or betting sequence'),
           ('bi_protection', 'since', 'Since when'),
           ('bi_protection', 'until',
            'Until when; infinity: an exclusion without end; NULL: a limit of which no change waits'),
           ('bi_protection', 'amount', 'CZK of the limit; NULL: no limit')
$fn$;
COMMENT ON FUNCTION casino_internal.bi_column_meanings()
    IS 'Part of casino.install(): comments of columns of the views whose names begin with bi_';
