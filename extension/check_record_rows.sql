-- Check record of the reconciliation: rows of all sections of evidence but entries, rounds and
-- hands (R10.33).

-- R11.79: the evaluation may claim a time of some seconds before; that of a hub reaches a cell late
CREATE FUNCTION casino_internal.after_evaluation(round_id bigint, at timestamptz, recorded_at timestamptz)
    RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT EXISTS (SELECT FROM casino.round r
                    WHERE r.round_id = after_evaluation.round_id
                      AND after_evaluation.at > r.evaluated_at
                      AND (after_evaluation.recorded_at > r.evaluation_recorded_at
                           OR after_evaluation.at > r.evaluated_at + interval '1 minute'
                              AND NOT EXISTS (SELECT FROM casino.cell)))
$fn$;
COMMENT ON FUNCTION casino_internal.after_evaluation(bigint, timestamptz, timestamptz)
    IS 'Part of the check record: does a row of a round come after its evaluation, by its time and by the '
       'writing, or by its time by more than a minute';

-- Rules of single sections, as SQL over a row t of the section: broken where "broken" is true.
CREATE FUNCTION casino_internal.record_rules(OUT section text, OUT rule text, OUT expected text,
                                             OUT found text,
                                             OUT broken text) RETURNS SETOF record
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    VALUES
    ('table_limit', 'reference', 'a version of the table', 't.version',
     'NOT EXISTS (SELECT FROM casino.table_version o
                   WHERE o.table_id = t.table_id AND o.version = t.version)'),
    ('table_limit', 'reference', 'a kind of bet', 't.kind',
     'NOT EXISTS (SELECT FROM casino.bet_kinds() k WHERE k.kind = t.kind)'),
    -- R8.28: a table is closed, opened again, closed ...; and no round was opened there in between
    ('table_operation', 'order', 'closed first, then opened and closed by turns, after the event before',
     'concat_ws('' '', t.opened, t.happened_at)',
     't.opened <> (t.operation_no % 2 = 0)
      OR t.happened_at < (SELECT v.recorded_at - interval ''1 hour''
                            FROM casino.table_version v
                           WHERE v.table_id = t.table_id AND v.version = 1)
      OR t.happened_at < (SELECT o.happened_at FROM casino.table_operation o
                           WHERE o.table_id = t.table_id AND o.operation_no = t.operation_no - 1)'),
    ('table_operation', 'closed', 'no round of the closed table', 't.happened_at',
     'NOT t.opened
      AND EXISTS (SELECT FROM casino.round r
                   WHERE r.table_id = t.table_id
                     AND r.opened_at >= t.happened_at
                     AND r.opened_at < coalesce((SELECT o.happened_at FROM casino.table_operation o
                                                  WHERE o.table_id = t.table_id
                                                    AND o.operation_no = t.operation_no + 1),
                                                ''infinity''))'),
    ('provider_operation', 'reference', 'a provider with a report of an earlier day', 't.provider',
     'NOT EXISTS (SELECT FROM casino.provider_report o
                   WHERE o.provider = t.provider AND o.day < t.from_day)'),
    -- R10.51
    ('provider_operation', 'order', 'ended first, then resumed and ended by turns, not dated back',
     'concat_ws('' '', t.resumed, t.from_day)',
     't.resumed <> (t.operation_no % 2 = 0)
      OR t.resumed
         AND t.from_day < (SELECT o.from_day FROM casino.provider_operation o
                            WHERE o.provider = t.provider AND o.operation_no = t.operation_no - 1)
      OR casino_internal.was_dated_back(casino.day_start(t.from_day), t.recorded_at)'),
    ('withdrawal_approval', 'reference', 'an account of the player', 't.account_no',
     'NOT EXISTS (SELECT FROM casino.payment_account o
                   WHERE o.player_id = t.player_id AND o.account_no = t.account_no)'),
    ('withdrawal_approval', 'order', 'approved after the request, and before the payment', 't.approved_at',
     'EXISTS (SELECT FROM casino.ledger l
               WHERE l.player_id = t.player_id
                 AND (l.entry_no = t.entry_no AND l.posted_at > t.approved_at
                      OR l.withdrawal_entry_no = t.entry_no AND l.posted_at < t.approved_at))'),
    ('deal_correction', 'reference', 'a deal of the round after the wrong one',
     'concat_ws('' after '', t.deal_no, t.wrong_deal_no)',
     't.deal_no <= t.wrong_deal_no
      OR NOT EXISTS (SELECT FROM casino.deal o WHERE o.round_id = t.round_id AND o.deal_no = t.deal_no)
      OR t.wrong_deal_no IS NOT NULL
         AND NOT EXISTS (SELECT FROM casino.deal o
                          WHERE o.round_id = t.round_id AND o.deal_no = t.wrong_deal_no)'),
    ('deal_correction', 'wrong_deal', 'the first deal that shows another card than the corrected one',
     'coalesce(t.wrong_deal_no::text, ''none'')',
     't.wrong_deal_no IS DISTINCT FROM casino_internal.first_wrong_deal(t.round_id, t.deal_no)'),
    ('deal_correction', 'order', 'corrected when the right cards were dealt', 't.corrected_at',
     'EXISTS (SELECT FROM casino.deal o
               WHERE o.round_id = t.round_id AND o.deal_no = t.deal_no AND o.dealt_at <> t.corrected_at)'),
    ('deal_correction', 'returned', 'as many as the corrections of the round have returned', 't.returned',
     '(SELECT sum(c.returned) FROM casino.deal_correction c WHERE c.round_id = t.round_id)
      <> (SELECT count(*) FROM casino.ledger l
           WHERE l.round_id = t.round_id AND l.kind = ''refund'' AND l.reason = ''misdealt'')'),
    ('exclusion_end', 'reference', 'an exclusion of the player', 't.exclusion_no',
     'NOT EXISTS (SELECT FROM casino.exclusion o
                   WHERE o.player_id = t.player_id AND o.exclusion_no = t.exclusion_no)'),
    ('exclusion_end', 'approval', 'approved as a mistake by two people who did not record the exclusion',
     't.exclusion_no',
     'EXISTS (SELECT FROM casino.exclusion o
               WHERE o.player_id = t.player_id AND o.exclusion_no = t.exclusion_no
                 AND o.source NOT IN (''register'', ''operator''))
      AND NOT casino_internal.mistake_is_approved(t.player_id, t.exclusion_no)'),
    ('exclusion_mistake', 'reference', 'an exclusion of the player', 't.exclusion_no',
     'NOT EXISTS (SELECT FROM casino.exclusion o
                   WHERE o.player_id = t.player_id AND o.exclusion_no = t.exclusion_no)'),
    ('erasure_rejection', 'reference', 'a proposal of before', 't.proposal_no',
     'NOT EXISTS (SELECT FROM casino.erasure_proposal o
                   WHERE o.proposal_no = t.proposal_no AND o.recorded_at <= t.recorded_at)'),
    ('plan_approval', 'reference', 'a plan version', 't.plan_id',
     'NOT EXISTS (SELECT FROM casino.game_plan o WHERE o.plan_id = t.plan_id)'),
    ('plan_withdrawal', 'reference', 'a plan version', 't.plan_id',
     'NOT EXISTS (SELECT FROM casino.game_plan o WHERE o.plan_id = t.plan_id)'),
    -- a draft that was deleted has left its changes
    ('plan_change', 'reference', 'a plan version', 't.plan_id',
     'NOT EXISTS (SELECT FROM casino.game_plan o WHERE o.plan_id = t.plan_id)
      AND NOT EXISTS (SELECT FROM casino.plan_change o
                       WHERE o.plan_id = t.plan_id AND o.part = ''game_plan'' AND o.after IS NULL)'),
    ('day_report', 'reference', 'the day of its run', 't.day',
     't.day IS DISTINCT FROM (SELECT o.to_day FROM casino.reconciliation o WHERE o.run_no = t.run_no)'),
    ('difference_note', 'reference', 'a difference of the run', 't.difference_no',
     'NOT EXISTS (SELECT FROM casino.difference o
                   WHERE o.run_no = t.run_no AND o.difference_no = t.difference_no)'),
    ('difference_note', 'approval', 'agreed with by a second person, after it was finished', 't.state',
     't.state NOT IN (''asked'', ''explained'', ''written_off'', ''approved'')
      OR t.state = ''approved''
         AND NOT EXISTS (SELECT FROM casino.difference_note o
                           JOIN casino.difference x USING (run_no, difference_no)
                           JOIN casino.difference y
                             ON y.run_no = t.run_no AND y.difference_no = t.difference_no
                            AND (y.check_name, y.rule, y.player_id, y.round_id, y.entry_no)
                                IS NOT DISTINCT FROM (x.check_name, x.rule, x.player_id, x.round_id,
                                                      x.entry_no)
                          WHERE o.state IN (''explained'', ''written_off'')
                            AND o.recorded_at <= t.recorded_at
                            AND casino_internal.same_eyes(o.recorded_by, t.recorded_by) IS NULL)'),
    ('day_sign_off', 'reference', 'a run over the day', 't.run_no',
     'NOT EXISTS (SELECT FROM casino.reconciliation o
                   WHERE o.run_no = t.run_no AND t.day BETWEEN o.from_day AND o.to_day)'),
    ('day_sign_off', 'name', 'the person who recorded it', 't.name',
     't.name IS DISTINCT FROM (SELECT left(coalesce(w.actor, w.login), 200)
                                 FROM casino.recorder w WHERE w.recorder_id = t.recorded_by)'),
    ('cage_count', 'order', 'counted after the count before, and before it was written',
     't.counted_at',
     't.counted_at > t.recorded_at + interval ''1 hour''
      OR t.counted_at <= (SELECT c.counted_at FROM casino.cage_count c
                           WHERE c.desk = t.desk AND c.count_no = t.count_no - 1)'),
    ('player_closed', 'order', 'closed with nothing in the wallet, after the last entry',
     'concat_ws('', '', t.closed_at, t.balance)',
     't.balance <> 0
      OR t.closed_at < t.last_posted_at - interval ''1 hour''
      -- R7.85: in a replay an account is opened by the clock
      OR t.closed_at < t.registered_at - interval ''1 hour''
         AND (NOT isfinite(t.closed_at)
              OR casino_internal.claims_hold_since(casino.prague_day(t.closed_at)) = ''infinity''
              -- before the books only an account with entries has a history
              OR t.last_entry_no = 0
                 AND casino_internal.claims_hold_since(casino.prague_day(t.closed_at)) = ''-infinity'')'),
    ('recorder', 'order', 'met before now', 't.recorded_at',
     't.recorded_at > clock_timestamp() + interval ''5 minutes'''),
    ('box_handover', 'order', 'from the owner before, while the round goes on',
     'concat_ws('' '', t.former_owner, t.owner, t.handed_at)',
     't.owner = t.former_owner
      OR casino_internal.after_evaluation(t.round_id, t.handed_at, t.recorded_at)
      OR t.handed_at < (SELECT r.opened_at FROM casino.round r WHERE r.round_id = t.round_id)
      OR t.former_owner <> (SELECT b.owner
                              FROM casino.box_handover b
                             WHERE b.round_id = t.round_id AND b.seat = t.seat
                               AND b.handover_no = t.handover_no - 1)'),
    -- R11.86: chips may be dated some seconds ahead
    ('table_stack', 'order', 'by the player of the seat, before the first stake',
     'concat_ws('' '', t.seat, t.brought_at)',
     'EXISTS (SELECT FROM casino.round r
               WHERE r.round_id = t.round_id
                 AND (t.brought_at < r.opened_at
                      OR t.brought_at > r.betting_closed_at
                         AND (t.recorded_at > r.betting_closed_recorded_at
                              OR t.brought_at > r.betting_closed_at + interval ''1 minute'')))
      OR EXISTS (SELECT FROM casino_internal.stacks_of(t.round_id) s
                  WHERE s.player_id = t.player_id AND s.seat <> t.seat)
      OR EXISTS (SELECT FROM casino.ledger l
                  WHERE l.round_id = t.round_id AND l.kind = ''stake'' AND l.player_id = t.player_id
                    AND l.posted_at < t.brought_at
                    AND (l.recorded_at < t.recorded_at OR l.posted_at < t.brought_at - interval ''1 minute'')
                    AND NOT EXISTS (SELECT FROM casino.ledger f
                                     WHERE f.player_id = l.player_id AND f.stake_entry_no = l.entry_no
                                       AND f.kind = ''refund''))'),
    ('disconnection', 'order', 'while the round goes on', 't.disconnected_at',
     'casino_internal.after_evaluation(t.round_id, t.disconnected_at, t.recorded_at)
      OR t.disconnected_at < (SELECT r.opened_at FROM casino.round r WHERE r.round_id = t.round_id)'),
    -- R11.79
    ('reconnection', 'order', 'the first after a disconnection, while the round goes on', 't.reconnected_at',
     'casino_internal.after_evaluation(t.round_id, t.reconnected_at, t.recorded_at)
      OR (SELECT true
            FROM casino.automatic_completion a
           WHERE a.round_id = t.round_id
             AND a.player_id = t.player_id
             AND a.disconnected_at < t.reconnected_at
             AND NOT EXISTS (SELECT FROM casino.reconnection c
                              WHERE c.round_id = t.round_id
                                AND c.player_id = t.player_id
                                AND c.reconnected_at > a.disconnected_at
                                AND c.reconnected_at < t.reconnected_at)
           LIMIT 1) IS NULL'),
    -- R11.41
    ('withholding', 'ground', 'a ground of the game plan', 'coalesce(t.ground, ''none'')',
     'NOT EXISTS (SELECT FROM casino.round r
                   WHERE r.round_id = t.round_id AND casino.has_ground(r.plan_id, t.ground))'),
    ('withholding_end', 'ground', 'a ground of the game plan where it ended void, else none',
     'concat_ws('': '', t.how, coalesce(t.ground, ''none''))',
     '(t.how = ''voided'') <> (t.ground IS NOT NULL)
      OR t.ground IS NOT NULL
         AND NOT EXISTS (SELECT FROM casino.round r
                          WHERE r.round_id = t.round_id AND casino.has_ground(r.plan_id, t.ground))'),
    ('claim', 'number', 'the number of the player, and a number without a gap', 't.claim_no',
     't.claim_no / 1000000000 <> t.player_id
      OR t.claim_no % 1000000000 = 0
      OR t.claim_no % 1000000000 > 1
         AND NOT EXISTS (SELECT FROM casino.claim b
                          WHERE b.player_id = t.player_id AND b.claim_no = t.claim_no - 1)'),
    ('claim_end', 'order', 'ended after the claim', 't.ended_at',
     't.ended_at < (SELECT c.claimed_at FROM casino.claim c WHERE c.claim_no = t.claim_no)'),
    ('claim_end', 'reference', 'a later correction of the round, where one ended the claim',
     't.correction_no',
     '(t.how = ''corrected'') <> (t.correction_no IS NOT NULL)
      OR t.correction_no IS NOT NULL
         AND NOT EXISTS (SELECT FROM casino.claim c
                           JOIN casino.correction_decision d
                             ON d.round_id = c.round_id
                            AND d.correction_no = t.correction_no
                            AND d.correction_no > c.correction_no
                            AND d.decided_at = t.ended_at
                          WHERE c.claim_no = t.claim_no)'),
    ('duty_rule', 'value', 'a duty with a figure of its form', 'concat_ws('' '', t.name, t.value)',
     'casino_internal.duty_value_fits(t.name, t.value) IS NOT TRUE'),
    -- the first row of a duty holds from the beginning: install() has put it there, but for the figures that
    -- it does not set
    ('duty_rule', 'first', 'a row from the beginning on', 'concat_ws('' '', t.name, t.valid_from)',
     't.name NOT IN (''adjust_amount'', ''finish_amount'')
      AND NOT EXISTS (SELECT FROM casino.duty_rule o
                       WHERE o.name = t.name AND o.valid_from = ''-infinity'')'),
    ('duty_rule', 'order', 'not dated back', 'concat_ws('' '', t.name, t.valid_from)',
     't.name IN (''adjust_amount'', ''finish_amount'')
      AND t.valid_from < t.recorded_at - interval ''1 minute''
      AND NOT EXISTS (SELECT FROM casino.replay m
                       WHERE casino.prague_day(t.valid_from) BETWEEN m.from_day AND m.to_day
                         AND m.recorded_at <= t.recorded_at)'),
    ('payment_method', 'first', 'a row from the beginning on, where install() has put it there',
     'concat_ws('' '', t.method, t.valid_from)',
     '(t.recorded_by IS NULL) <> (t.valid_from = ''-infinity'')'),
    -- install() opened the first, somebody each other one (R12.42)
    ('book_turn', 'number', 'a book after the one before', 't.book',
     '(t.recorded_by IS NULL) <> (t.book = 1)
      OR t.book > 1
         AND NOT EXISTS (SELECT FROM casino.book_turn b
                          WHERE b.book = t.book - 1 AND b.recorded_at <= t.recorded_at)'),
    -- R12.47, R12.48: books are closed in their order, as their entries are
    ('book_closing', 'number', 'a turned book after closed ones', 't.book',
     'NOT EXISTS (SELECT FROM casino.book_turn b WHERE b.book = t.book + 1 AND b.recorded_at <= t.recorded_at)
      OR t.book > 1
         AND NOT EXISTS (SELECT FROM casino.book_closing c
                          WHERE c.book = t.book - 1 AND c.recorded_at <= t.recorded_at)'),
    ('book_closing', 'book', 'as many entries and players as the book has',
     'format(''%s of %s'', t.entries, t.players)',
     '(t.entries, t.players)
      <> (SELECT count(*), count(DISTINCT l.player_id) FROM casino.ledger l WHERE l.book = t.book)
      OR t.players <> (SELECT count(*) FROM casino.book_balance b WHERE b.book = t.book)'),
    -- R12.50: a stand-in judges by these
    ('book_closing', 'reach', 'the last round and times of the entries of the book',
     'concat_ws('' '', t.last_round_id, t.last_posted_at, t.last_recorded_at)',
     '(t.last_round_id, t.last_posted_at, t.last_recorded_at)
      IS DISTINCT FROM (SELECT ROW(max(l.round_id), max(l.posted_at), max(l.recorded_at))
                          FROM casino.ledger l
                         WHERE l.book = t.book)'),
    ('book_closing', 'totals', 'as much debited and credited as the sums of the players',
     '(SELECT concat_ws('' '', sum(a.debit), sum(a.credit)) FROM casino.book_total a WHERE a.book = t.book)',
     'EXISTS (SELECT FROM (SELECT coalesce(sum(a.debit), 0) AS debit, coalesce(sum(a.credit), 0) AS credit
                             FROM casino.book_total a
                            WHERE a.book = t.book) a,
                          (SELECT coalesce(sum(s.value::numeric), 0) AS amount
                             FROM casino.book_balance b
                            CROSS JOIN jsonb_each_text(b.sums) s
                            WHERE b.book = t.book) e
              WHERE a.debit <> e.amount OR a.credit <> e.amount)'),
    ('book_balance', 'reference', 'a closed book, closed then', 'concat_ws('' '', t.book, t.recorded_at)',
     'NOT EXISTS (SELECT FROM casino.book_closing c
                   WHERE c.book = t.book AND c.recorded_at = t.recorded_at)'),
    ('book_balance', 'book', 'as the entries of the book are',
     'concat_ws('' '', t.entry_no, t.balance, t.sums)',
     '(SELECT (encode(casino.merkle_root(casino.hash_leaf(casino.ledger_leaf(l))
                                         ORDER BY l.entry_no), ''hex''),
               max(l.entry_no), (array_agg(l.balance ORDER BY l.entry_no DESC))[1], max(l.posted_at))
         FROM casino.ledger l
        WHERE l.book = t.book AND l.player_id = t.player_id)
      IS DISTINCT FROM (t.stream, t.entry_no, t.balance, t.last_posted_at)
      OR (SELECT jsonb_object_agg(s.kind, s.amount)
            FROM (SELECT l.kind, sum(l.amount) AS amount
                    FROM casino.ledger l
                   WHERE l.book = t.book AND l.player_id = t.player_id
                   GROUP BY l.kind) s) IS DISTINCT FROM t.sums'),
    ('book_balance', 'balance', 'the balance before and the sums', 't.balance',
     't.balance
      <> coalesce((SELECT b.balance FROM casino.book_balance b
                    WHERE b.player_id = t.player_id AND b.book < t.book
                    ORDER BY b.book DESC
                    LIMIT 1), 0)
         + (SELECT coalesce(sum(s.value::numeric * k.wallet_sign), 0)
              FROM jsonb_each_text(t.sums) s
              LEFT JOIN casino.entry_kinds() k ON k.kind = s.key)'),
    ('book_total', 'reference', 'a closed book, closed then', 'concat_ws('' '', t.book, t.recorded_at)',
     'NOT EXISTS (SELECT FROM casino.book_closing c
                   WHERE c.book = t.book AND c.recorded_at = t.recorded_at)'),
    ('book_total', 'sums', 'the sums of the players', 'concat_ws('' '', t.account, t.debit, t.credit)',
     '(t.debit, t.credit)
      IS DISTINCT FROM
      (SELECT ROW(coalesce(sum(s.value::numeric) FILTER (WHERE k.debit_account = t.account), 0),
                  coalesce(sum(s.value::numeric) FILTER (WHERE k.credit_account = t.account), 0))
         FROM casino.book_balance b
        CROSS JOIN jsonb_each_text(b.sums) s
         JOIN casino.entry_kinds() k ON k.kind = s.key
        WHERE b.book = t.book AND t.account IN (k.debit_account, k.credit_account))'),
    -- what was cash in one row is cash in all (R7.67)
    ('payment_method', 'is_cash', 'cash is cash, in all rows of a method',
     'concat_ws('' '', t.method, t.is_cash)',
     't.method = ''cash'' AND NOT t.is_cash
      OR t.method = ''transfer'' AND t.is_cash')
$fn$;
COMMENT ON FUNCTION casino_internal.record_rules()
    IS 'Part of the reconciliation, check record: rules of single sections of evidence, as SQL over a row t';

-- When rows of a table say that they were written.
CREATE FUNCTION casino_internal.evidence_written(OUT section text, OUT relation text, OUT written text)
RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 50 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT DISTINCT ON (l.section) l.section, l.relation, l.field
      FROM casino.evidence_layouts() l
     CROSS JOIN LATERAL (SELECT array_position(
                                '{recorded_at,made_at,registered_at,closed_at}'::text[],
                                l.field) AS place) f
     WHERE f.place IS NOT NULL
       AND l.section NOT IN ('ledger', 'round', 'round_end', 'dealt_hand', 'provider_record')
     ORDER BY l.section, f.place
$fn$;
COMMENT ON FUNCTION casino_internal.evidence_written()
    IS 'Part of the reconciliation, check record: sections whose rows say when they were written, and the '
       'column that says it';

-- Rows come in the order in which they are written: a few bytes a range of pages find those of a night.
CREATE FUNCTION casino_internal.install_record() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    w record;
BEGIN
    FOR w IN SELECT e.* FROM casino_internal.evidence_written() e ORDER BY e.section LOOP
        IF w.section = 'player_closed' THEN
            EXECUTE 'CREATE INDEX player_closed_written ON casino.player (closed_at)
                      WHERE closed_at IS NOT NULL OR closed_by IS NOT NULL';
        ELSE
            EXECUTE format('CREATE INDEX %I ON casino.%I USING brin (%I) WITH (pages_per_range = 16)',
                           w.section || '_written', w.relation, w.written);
        END IF;
        EXECUTE format('COMMENT ON INDEX casino.%I IS %L', w.section || '_written',
                       'Finds the rows written since a time without those before');
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_record()
    IS 'Part of casino.install(): indexes by the time of writing';

-- The columns of evidence that say who recorded a row, and when; the key of the row; all its columns.
CREATE FUNCTION casino_internal.record_sections(OUT section text, OUT relation text, OUT written text,
                                                OUT who text[],
                                                OUT key text[], OUT fields text[]) RETURNS SETOF record
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT l.section, l.relation,
           (SELECT w.written FROM casino_internal.evidence_written() w WHERE w.section = l.section),
           array_agg(l.field) FILTER (WHERE l.field ~ '_by$' AND l.type = 'int'),
           array_agg(l.field ORDER BY l.field_no) FILTER (WHERE l.is_key),
           array_agg(l.field ORDER BY l.field_no)
      FROM casino.evidence_layouts() l
     WHERE l.section NOT IN ('ledger', 'round', 'round_end', 'dealt_hand', 'provider_record')
     GROUP BY l.section_no, l.section, l.relation
     ORDER BY l.section_no
$fn$;
COMMENT ON FUNCTION casino_internal.record_sections()
    IS 'Part of the reconciliation, check record: sections of evidence but entries, rounds and hands, with '
       'the columns that say when and by whom a row was written, its key and all its columns';

-- Rules that the layout of a section gives, in the form of record_rules().
CREATE FUNCTION casino_internal.record_rules_of(section text, relation text, written text, who text[],
                                                key text[],
                                                fields text[])
RETURNS TABLE (rule text, expected text, found text, broken text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    -- who: a recorder; of a row that install() loads nobody
    SELECT 'recorder', 'a recorder', format('coalesce(t.%I::text, ''nobody'')', w.field),
           concat_ws(' OR ',
               CASE WHEN section = 'player_closed' THEN '(t.closed_at IS NULL) <> (t.closed_by IS NULL)'
                    WHEN a.attnotnull THEN format('t.%I IS NULL', w.field) END,
               format('t.%1$I IS NOT NULL
                       AND NOT EXISTS (SELECT FROM casino.recorder w WHERE w.recorder_id = t.%1$I)', w.field))
      FROM unnest(who) w (field)
      JOIN pg_attribute a ON a.attrelid = to_regclass('casino.' || relation) AND a.attname = w.field
    UNION ALL
    -- when: after the recorder was first met, and before now
    SELECT 'recorded_at', 'written after its recorder was first met, and before now',
           format('coalesce(t.%I::text, ''NULL'')', written),
           concat_ws(' OR ',
               format('isfinite(t.%1$I) IS NOT TRUE OR t.%1$I > clock_timestamp() + interval ''5 minutes''',
                      written),
               -- rows that install() loads, as the recorders are met from then on
               CASE WHEN who IS NOT NULL
                    THEN format('t.%1$I < coalesce((SELECT w.recorded_at FROM casino.recorder w
                                                     WHERE w.recorder_id = t.%2$I),
                                                   timestamptz ''2020-01-01'') - interval ''5 minutes''',
                                written, who[1]) END)
     WHERE written IN ('recorded_at', 'made_at', 'registered_at')
    UNION ALL
    SELECT 'reference', 'a row of casino.' || f.relation, format('coalesce(t.%I::text, ''NULL'')', f.field),
           format('t.%1$I IS NOT NULL AND NOT EXISTS (SELECT FROM casino.%2$I o WHERE o.%3$I = t.%1$I)',
                  f.field, f.relation, f.other)
      FROM (VALUES ('player_id', 'player', 'player_id'), ('owner', 'player', 'player_id'),
                   ('former_owner', 'player', 'player_id'), ('round_id', 'round', 'round_id'),
                   ('table_id', 'game_table', 'table_id'), ('run_no', 'reconciliation', 'run_no'),
                   ('claim_no', 'claim', 'claim_no')) f (field, relation, other)
     WHERE f.field = ANY (fields)
       AND record_rules_of.relation <> f.relation
       AND (section, f.field) <> ('refusal', 'round_id')
       -- a difference may name a row that is not there
       AND (section <> 'difference' OR f.field = 'run_no')
    UNION ALL
    SELECT 'reference', 'an entry of the player', 't.entry_no',
           'NOT EXISTS (SELECT FROM casino.ledger l
                         WHERE l.player_id = t.player_id AND l.entry_no = t.entry_no)'
     WHERE fields @> '{player_id,entry_no}' AND section NOT IN ('difference', 'book_balance')
    UNION ALL
    -- numbers without gaps
    SELECT 'number', 'a row of the number before', format('t.%I', n.field),
           format('t.%1$I < 1 OR t.%1$I > 1 AND NOT EXISTS (SELECT FROM casino.%2$I b WHERE %3$s)',
                  n.field, relation,
                  (SELECT string_agg(format('b.%1$I = t.%1$I', k)
                                     || CASE WHEN k = n.field THEN ' - 1' ELSE '' END, ' AND ')
                     FROM unnest(key) k))
      FROM (SELECT key[cardinality(key)] AS field) n
     WHERE n.field IN ('deal_no', 'handover_no', 'exclusion_no', 'limit_no', 'account_no', 'refusal_no',
                       'play_no', 'approval_no', 'excuse_no', 'version', 'note_no', 'report_no',
                       'difference_no', 'replay_no', 'check_no', 'sign_no',
                       'operation_no', 'erasure_no', 'proposal_no', 'count_no', 'change_no')
       AND section NOT IN ('exclusion_end', 'deal_correction', 'erasure_rejection')
$fn$;
COMMENT ON FUNCTION casino_internal.record_rules_of(text, text, text, text[], text[], text[])
    IS 'Part of the reconciliation, check record: rules that the layout of a section gives, as SQL over a '
       'row t';

-- Rows that were recorded on the days, and those that came since the newest seal, whenever they say that they
-- were recorded.  The hour before the seal is for transactions that were under way then.  A row dated back
-- before that is named by verify().
CREATE FUNCTION casino_internal.check_record_rows(since timestamptz, until timestamptz)
    RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    newest CONSTANT timestamptz :=
        coalesce((SELECT max(d.sealed_at) FROM casino.day_seal d) - interval '1 hour', '-infinity');
    s record;
    tests text;
BEGIN
    FOR s IN SELECT * FROM casino_internal.record_sections() LOOP
        -- a table that is gone is named by the check guard
        CONTINUE WHEN to_regclass('casino.' || s.relation) IS NULL;
        SELECT string_agg(format('SELECT %L, %L, (%s)::text WHERE %s', r.rule, r.expected, r.found, r.broken),
                          ' UNION ALL ')
          INTO tests
          FROM (SELECT o.*
                  FROM casino_internal.record_rules_of(s.section, s.relation, s.written, s.who, s.key,
                                                       s.fields) o
                 UNION ALL
                SELECT x.rule, x.expected, x.found, x.broken
                  FROM casino_internal.record_rules() x
                 WHERE x.section = s.section) r;
        CONTINUE WHEN tests IS NULL;
        RETURN QUERY EXECUTE format($q$
            SELECT v.rule, %s, %s, %s, v.expected, v.found, jsonb_build_object('table', %L, 'key', %s)
              FROM (SELECT x.* FROM casino.%I x WHERE %s) t
             CROSS JOIN LATERAL (%s) v (rule, expected, found)$q$,
            CASE WHEN 'player_id' = ANY (s.fields) THEN 't.player_id' ELSE 'NULL::bigint' END,
            CASE WHEN 'round_id' = ANY (s.fields) THEN 't.round_id' ELSE 'NULL::bigint' END,
            CASE WHEN s.fields @> '{player_id,entry_no}' THEN 't.entry_no' ELSE 'NULL::bigint' END,
            s.relation,
            (SELECT string_agg(format('t.%I::text', k), ' || ''/'' || ') FROM unnest(s.key) k),
            s.relation,
            CASE WHEN s.written IS NULL THEN 'true'
                 ELSE format('(x.%1$I >= %2$L AND x.%1$I < %3$L OR x.%1$I >= %4$L%5$s',
                             s.written, since, until, newest,
                             CASE WHEN s.section = 'player_closed'
                                  THEN ' OR x.closed_at IS NULL) AND '
                                       '(x.closed_at IS NOT NULL OR x.closed_by IS NOT NULL)'
                                  ELSE ')' END) END,
            tests);
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_record_rows(timestamptz, timestamptz)
    IS 'Part of the reconciliation, check record: rows of all sections of evidence but entries, rounds and '
       'hands';
