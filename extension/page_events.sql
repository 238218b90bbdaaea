-- The names of events on the pages, and of the words behind their colon (R12.88).

CREATE FUNCTION casino_internal.page_events(OUT key text, OUT cs text, OUT en text) RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 70 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT l.key, l.cs, l.en FROM (VALUES
        ('event.exclusion approved as a mistake', 'Vyloučení schváleno jako omyl',
         'Exclusion approved as a mistake'),
        ('event.register asked', 'Dotaz do rejstříku', 'Register asked'),
        ('event.adjustment approved', 'Oprava účtu schválena', 'Adjustment approved'),
        ('event.replay marked', 'Dny označeny jako přehrané', 'Days marked as replayed'),
        ('event.person erased', 'Osoba vymazána', 'Person erased'),
        ('event.chips brought to a table', 'Žetony přineseny ke stolu', 'Chips brought to a table'),
        ('event.account opened', 'Účet založen', 'Account opened'),
        ('event.account closed', 'Účet zrušen', 'Account closed'),
        ('event.setting', 'Nastavení', 'Setting'), ('event.plan', 'Herní plán', 'Game plan'),
        ('event.cash desk counted', 'Pokladna spočtena', 'Cash desk counted'),
        -- plans, the register
        ('about.draft added', 'návrh přidán', 'draft added'),
        ('about.row of a draft added', 'řádek návrhu přidán', 'row of a draft added'),
        ('about.row of a draft changed', 'řádek návrhu změněn', 'row of a draft changed'),
        ('about.row of a draft removed', 'řádek návrhu odebrán', 'row of a draft removed'),
        ('about.approved', 'schválen', 'approved'),
        ('about.withdrawn', 'vzat zpět', 'withdrawn'), ('about.clear', 'bez záznamu', 'clear'),
        ('about.excluded', 'vyloučen', 'excluded'), ('about.unavailable', 'nedostupný', 'not available'),
        -- breaches
        ('about.declared_win', 'zisk omezen na nejvyšší výhru', 'profit capped at the greatest win'),
        ('about.insurance_not_offered', 'pojištění, které karty nepřipouštějí',
         'insurance that the cards did not allow'),
        ('about.taken_back_late', 'sázka vzata zpět po ukončení sázek',
         'stake taken back after betting closed'),
        ('about.winnings_late', 'výhra vyplacena pozdě', 'winnings paid late'),
        ('about.withdrawal_late', 'výběr vyplacen pozdě', 'withdrawal paid late'),
        ('about.no_action', 'pravidlo pro nepřítomného hráče nedodrženo',
         'rule for an absent player not kept'),
        -- settings
        ('about.provider', 'jak počítá poskytovatel', 'how a provider counts'),
        ('about.payment method', 'způsob platby', 'payment method'),
        ('about.approved object', 'vlastní objekt schválen', 'own object approved'),
        ('about.sequence_minutes', 'délka hry do přestávky', 'play until a break'),
        ('about.break_minutes', 'délka přestávky', 'length of the break'),
        ('about.live_tables', 'živých stolů najednou', 'live tables at once'),
        ('about.cash_amount', 'nejvíce v hotovosti', 'most in cash'),
        ('about.cash_window', 'doba pro hotovost', 'time for cash'),
        ('about.winnings_days', 'lhůta pro výhry', 'days to pay winnings'),
        ('about.withdrawal_days', 'lhůta pro výběry', 'days to pay withdrawals'),
        ('about.prompt_within', 'vyplatit bez odkladu do', 'pay promptly within'),
        ('about.panic_hours', 'tlačítko přestávky', 'panic button'),
        ('about.laxer_limit_days', 'mírnější limit platí po', 'laxer limit holds after'),
        ('about.register_check', 'dotaz do rejstříku', 'question to the register'),
        ('about.aml_amount', 'částka podle zákona č. 253/2008 Sb.', 'amount of Act 253/2008'),
        ('about.aml_euro', 'částka podle zákona č. 253/2008 Sb. v EUR', 'amount of Act 253/2008 in EUR'),
        ('about.euro_rate', 'kurz EUR v Kč', 'CZK of one EUR'),
        ('about.method_required', 'vklad jen s uvedením způsobu platby', 'deposits name their method'),
        ('about.retention_years', 'doba uchování', 'years to keep'),
        ('about.stuck_round', 'kolo bez výsledku po', 'round without a result after'),
        ('about.adjust_amount', 'opravu schvaluje druhá osoba od', 'adjustment by two persons from'),
        ('about.finish_amount', 'rozdíl uzavírají dvě osoby od', 'difference finished by two persons from'),
        -- why a stake went back
        ('back.cancelled', 'zrušena hráčem', 'cancelled'), ('back.disconnected', 'odpojení', 'disconnected'),
        ('back.late', 'po ukončení sázek', 'after betting closed'),
        ('back.excluded', 'hráč vyloučen', 'player excluded'), ('back.voided', 'kolo zrušeno', 'voided'),
        ('back.misdealt', 'karty opraveny', 'cards corrected'),
        -- ways to pay
        ('method.cash', 'hotově', 'cash'), ('method.transfer', 'převodem', 'transfer'),
        ('method.bank', 'přes banku', 'through a bank'), ('method.card', 'kartou', 'card'),
        ('method.wallet', 'elektronickou peněženkou', 'electronic wallet'),
        ('method.voucher', 'poukázkou', 'voucher')
    ) l (key, cs, en)
$fn$;
COMMENT ON FUNCTION casino_internal.page_events()
    IS 'Part of page_labels(): events, breaches, settings, ways to pay, why stakes went back';
