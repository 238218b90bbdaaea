-- Check record of the reconciliation: what every row of evidence says of itself (who recorded it, when, what it refers to, its number), and the list of
-- all columns of evidence with the check that notices a forged value (R10.30).

-- A new column of evidence is a row here: test/reconcile_faults.sql takes the columns from casino.evidence_layouts(), test/t/forged.pl forges each.  Columns of one rule
-- stand first; check_name NULL: no other record knows the value, and the reason says so.
CREATE FUNCTION casino.evidence_checks(OUT section text, OUT field text, OUT check_name text, OUT reason text) RETURNS SETOF record
LANGUAGE sql STABLE ROWS 300 SET search_path = pg_catalog, pg_temp AS $fn$
    WITH said (section, fields, check_name, reason) AS (VALUES
        ('recorder', '{role,login,actor,shared_logins}'::text[], NULL, 'only the log of the server knows who had connected'),
        ('recorder', '{recorded_at}', 'record', NULL),
        ('game', '{name,family,live,document}', 'plan', NULL),
        ('game_plan', '{game,version,valid_from,document,round_max_stake,declared_round_win}', 'plan', NULL),
        ('plan_rule', '{value,paragraph,informative}', 'plan', NULL),
        ('bet_rule', '{min_stake,max_stake,declared_win,table_limits,requires,phase,zero_offered,paragraph}', 'plan', NULL),
        ('paytable', '{num,den,paragraph}', 'plan', NULL),
        ('announced_rule', '{min_neighbours,max_neighbours,paragraph}', 'plan', NULL),
        ('game_table', '{game}', 'plan', NULL),
        ('game_table', '{name,home_cell}', NULL, 'a name: the provider''s report names the table too; the cell: only the hub knows it'),
        ('table_version', '{valid_from}', 'plan', NULL),
        ('table_version', '{min_stake,max_stake}', 'stake_limits', NULL),
        ('table_version', '{surrender,behind,seats}', NULL, 'the switch as it was set stands nowhere else'),
        ('table_limit', '{min_stake,max_stake}', 'stake_limits', NULL),
        ('player', '{external_ref}', 'state', NULL),
        ('player', '{registered_at}', 'record', NULL),
        ('player_closed', '{closed_at}', 'record', NULL),
        ('round', '{table_id,table_version,plan_id}', 'plan', NULL),
        ('round', '{round_ref}', NULL, 'the provider''s name of the round: only the report of the provider has it too'),
        ('round', '{opened_at,betting_until,betting_closed_at,actions_closed_at}', 'late_stake', NULL),
        ('round', '{evaluated_at}', 'payout', NULL),
        ('round', '{outcome,outcome_document}', 'outcome', NULL),
        ('round', '{evaluation_recorded_at,withheld_at}', 'record', NULL),
        ('round', '{withheld_reason}', NULL, 'why is what the supervisor said; that there is a reason, record'),
        ('round_end', '{status,wagers,players,staked,paid}', 'round_figures', NULL),
        ('round_end', '{withheld_paid_at,voided_at}', 'record', NULL),
        ('round_end', '{void_reason}', NULL, 'why is what the supervisor said; that there is a reason, record'),
        ('deal', '{document,dealt_at}', 'record', NULL),
        ('deal_correction', '{wrong_deal_no}', 'record', NULL),
        ('deal_correction', '{wagers_stand,returned,reason,corrected_at}', NULL, 'what was corrected, and why, is what the game server said'),
        ('round_correction', '{round_id,outcome,outcome_document,reason,proposed_at}', NULL, 'a correction that is decided is held against its entries by check correction'),
        ('correction_decision', '{round_id,version,reason,status,wagers,players,staked,paid,entries,posted,claimed,former,decided_at}', NULL,
         'check correction counts what a decision posted; why and when is what two persons said'),
        ('hand_version', '{cards,surrendered,folded,even_money,even_money_players,players}', NULL, 'cards as they were first evaluated: what was paid by them tells, check correction'),
        ('claim', '{round_id,stake_entry_no,correction_no,amount,claimed_at}', NULL, 'what could not be taken: check correction'),
        ('claim_end', '{how,reason,correction_no,ended_at}', NULL, 'how a claim ended is what a person said'),
        ('dealt_hand', '{cards}', 'outcome', NULL),
        ('dealt_hand', '{surrendered}', 'payout', NULL),
        ('dealt_hand', '{folded,even_money,even_money_players,players}', NULL, 'where it decides what a wager gets payout notices it; elsewhere it decides nothing'),
        ('box_handover', '{owner,former_owner,handed_at}', 'record', NULL),
        ('exclusion', '{excluded_until}', 'state', NULL),
        ('exclusion', '{source,excluded_from,effective_from}', NULL, 'who asked, and from when, is what the source said'),
        ('exclusion_end', '{ended_at}', 'state', NULL),
        ('exclusion_end', '{reason}', NULL, 'why is what the source said'),
        ('player_limit', '{measure,period,amount,effective_from}', 'state', NULL),
        ('player_limit', '{requested_at}', NULL, 'when the player asked is what the game server said'),
        ('payment_account', '{account,registered_at}', 'cash_limit', NULL),
        ('refusal',
            '{action,round_id,bets,seat,hand,amount,method,withdrawal_id,request_id,code,message,detail,reason,data,refused_at}', NULL,
         'what was refused moved nothing: no other record has it'),
        ('breach', '{rule,detail,occurred_at}', NULL, 'the values stand in the entries and rounds that the breach names'),
        ('cancelled_request', '{round_id}', 'record', NULL),
        ('cancelled_request', '{request_id,cancelled_at}', NULL, 'when the game server asked: no entry is made for it'),
        ('disconnection', '{disconnected_at}', NULL, 'when the player was disconnected is what the game server said'),
        ('box_handover', '{seat}', NULL, 'which box was handed over is what the game server said'),
        ('other_play', '{staked,result}', 'state', NULL),
        ('other_play', '{product,request_id,played_at}', NULL, 'what the other product reported: only its operator knows'),
        ('withdrawal_approval', '{account_no}', 'record', NULL),
        ('withdrawal_approval', '{approved_at}', NULL, 'when the person approved stands nowhere else'),
        ('excused_delay', '{reason,excused_at}', NULL, 'the explanation stands nowhere else'),
        ('withholding', '{reason,withheld_at}', NULL, 'why and when the supervisor withheld stands nowhere else'),
        ('withholding_end', '{how,ended_at}', 'payout', NULL),
        ('round_end', '{withheld_paid_reason}', NULL, 'why the supervisor paid stands nowhere else'),
        ('withholding_end', '{reason}', NULL, 'why the supervisor decided so stands nowhere else'),
        ('difference', '{check_name,rule,player_id,round_id,entry_no,expected,found,detail,amount}', NULL, 'a check that is made again finds what there is to find'),
        ('difference_note', '{note}', NULL, 'the explanation stands nowhere else'),
        ('plan_digest', '{content}', 'plan', NULL),
        ('approved_object', '{approval_no,object,state,reason}', NULL,
         'the owner''s approval stands nowhere else'),
        ('duty_rule', '{name,valid_from,value,paragraph,document}', NULL, 'what the operator has set is what the operator said'),
        ('round_correction', '{correction_no}', 'correction', NULL),
        ('correction_decision', '{correction_no}', 'correction', NULL),
        ('hand_version', '{version,side,seat,group_no,hand}', NULL, 'where cards lay that were first evaluated stands nowhere else'),
        ('claim', '{claim_no}', NULL, 'a claim is known by its stake: check correction'),
        ('payment_method', '{method,valid_from,is_cash,offered,meaning,recorded_at}', NULL,
         'what the operator offers is what the operator said; what install() loads nobody has recorded'),
        ('provider_report', '{begun_at}', NULL, 'when loading began stands nowhere else'),
        ('provider_record', '{kind,ref,amount,external_ref}', 'provider_missing_here', NULL),
        ('provider_record', '{day,report_no,line_no}', NULL, 'a line that was moved is missing in its report: provider_missing_there'),
        ('provider_record', '{round_ref,table_name,at,data}', NULL, 'what the provider sent: the provider has it'),
        ('day_report', '{report}', NULL, 'daily_report() tells what is known of the day now'),
        ('cell', '{of_cells}', NULL, 'only the hub knows how many cells there are'),
        ('ledger', '{kind,bet,withdrawal_entry_no}', 'trial_balance', NULL),
        ('ledger', '{amount,balance}', 'wallet', NULL),
        ('ledger', '{round_id}', 'round_figures', NULL),
        ('ledger', '{stake_entry_no,grade,posted_at}', 'payout', NULL),
        ('ledger', '{reason}', 'refund', NULL),
        ('ledger', '{account}', 'cash_limit', NULL),
        ('ledger', '{seat,hand,request_line,method,correction_no}', 'record', NULL),
        ('ledger', '{request_id,reference,place}', NULL, 'only the client, the bank or the cash desk knows it; the provider''s report has the requests of wagers'))
    SELECT s.section, unnest(s.fields), s.check_name, s.reason FROM said s
    UNION ALL
    -- who recorded it, and when it was written
    SELECT l.section, l.field, 'record', NULL FROM casino.evidence_layouts() l
     WHERE l.field ~ '_by$' OR l.field = 'recorded_at' AND l.section NOT IN ('recorder', 'payment_method') OR l.field = 'made_at'
    UNION ALL
    -- what names a row: another row refers to it, or numbers have no gaps; a row of another key is one removed and one put in
    SELECT l.section, l.field, CASE WHEN l.section IN ('game', 'game_plan', 'plan_rule', 'bet_rule', 'paytable', 'announced_rule', 'plan_digest') THEN 'plan'
                                    WHEN l.section = 'ledger' THEN 'entry_gap' WHEN l.section IN ('round', 'round_end') THEN 'late_stake'
                                    WHEN l.section = 'dealt_hand' THEN CASE WHEN l.field IN ('round_id', 'side') THEN 'outcome' ELSE 'payout' END
                                    WHEN l.section LIKE 'provider%' AND l.field <> 'report_no' THEN 'provider_missing_there'
                                    WHEN l.section IN ('player', 'player_closed') THEN 'state'
                                    WHEN l.section = 'withholding_end' THEN 'payout'
                                    ELSE 'record' END, NULL
      FROM casino.evidence_layouts() l WHERE l.is_key AND NOT EXISTS (SELECT FROM said s WHERE s.section = l.section AND l.field = ANY (s.fields))
$fn$;
COMMENT ON FUNCTION casino.evidence_checks() IS 'Each column of evidence with the check of the reconciliation that notices a forged value before the seal; check_name NULL: nothing else knows the value, for the reason given';

-- What the columns of one row say of each other, of entries of the days: what the night need not look up.
CREATE FUNCTION casino.check_record_entries(since timestamptz, until timestamptz) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY
        SELECT CASE WHEN w.recorder_id IS NULL THEN 'recorder' ELSE 'recorded_at' END, l.player_id, l.round_id, l.entry_no,
               CASE WHEN w.recorder_id IS NULL THEN 'a recorder' ELSE 'written before now' END,
               CASE WHEN w.recorder_id IS NULL THEN coalesce(l.recorded_by::text, 'NULL') ELSE l.recorded_at::text END, jsonb_build_object('kind', l.kind)
          FROM casino.ledger l
          LEFT JOIN casino.recorder w ON w.recorder_id = l.recorded_by
         WHERE casino.of_days(l.posted_at, l.recorded_at, since, until)
           AND (w.recorder_id IS NULL OR l.recorded_at > clock_timestamp() + interval '5 minutes');
    -- columns that an entry of its kind does not have, and those that it must have
    RETURN QUERY
        SELECT 'columns', x.player_id, x.round_id, x.entry_no, 'a row of kind ' || x.kind, x.wrong, '{}'::jsonb
          FROM (SELECT l.player_id, l.round_id, l.entry_no, l.kind,
                       concat_ws(', ',
                           CASE WHEN l.seat IS NOT NULL AND l.kind NOT IN ('stake', 'payout', 'refund', 'correction') THEN 'seat ' || l.seat END,
                           CASE WHEN l.hand IS NOT NULL AND l.kind NOT IN ('stake', 'payout', 'refund', 'correction') THEN 'hand ' || l.hand END,
                           CASE WHEN l.grade IS NOT NULL AND l.kind NOT IN ('payout', 'correction') THEN 'grade ' || l.grade END,
                           CASE WHEN l.method IS NOT NULL AND l.kind NOT IN ('deposit', 'withdrawal') THEN 'method ' || l.method END,
                           CASE WHEN l.method IS NULL AND l.kind = 'withdrawal' THEN 'no method' END,
                           CASE WHEN l.account IS NOT NULL AND l.kind <> 'transfer_paid' THEN 'account ' || l.account END,
                           CASE WHEN l.reference IS NOT NULL AND l.kind NOT IN ('deposit', 'cash_paid', 'transfer_paid') THEN 'reference ' || l.reference END,
                           CASE WHEN l.place IS NOT NULL AND l.kind <> 'cash_paid' THEN 'place ' || l.place END,
                           CASE WHEN (l.kind = 'correction') <> (l.correction_no IS NOT NULL) THEN 'correction_no ' || coalesce(l.correction_no::text, 'NULL') END,
                           CASE WHEN (l.request_id IS NULL) <> (l.request_line IS NULL) OR l.request_line < 1
                                THEN 'request_line ' || coalesce(l.request_line::text, 'NULL') END) AS wrong
                  FROM casino.ledger l
                 WHERE casino.of_days(l.posted_at, l.recorded_at, since, until)) x
         WHERE x.wrong <> '';
    RETURN QUERY
        -- lines of a request follow each other
        SELECT 'request_line', l.player_id, l.round_id, l.entry_no, 'line ' || l.request_line - 1 || ' of the request before it', 'line ' || l.request_line, '{}'::jsonb
          FROM casino.ledger l
          LEFT JOIN casino.ledger b ON b.player_id = l.player_id AND b.entry_no = l.entry_no - 1
         WHERE casino.of_days(l.posted_at, l.recorded_at, since, until) AND l.request_line > 1
           AND (b.request_id, b.request_line) IS DISTINCT FROM (l.request_id, l.request_line - 1)
        UNION ALL
        -- a withdrawal is paid in the way that it was asked for
        SELECT 'method', w.player_id, NULL, w.entry_no, CASE l.kind WHEN 'cash_paid' THEN 'cash' ELSE 'transfer' END, coalesce(w.method, 'none'), jsonb_build_object('paid', l.entry_no)
          FROM casino.ledger l
          JOIN casino.ledger w ON w.player_id = l.player_id AND w.entry_no = l.withdrawal_entry_no AND w.kind = 'withdrawal'
         WHERE casino.of_days(l.posted_at, l.recorded_at, since, until) AND l.kind IN ('cash_paid', 'transfer_paid')
           AND w.method IS DISTINCT FROM CASE l.kind WHEN 'cash_paid' THEN 'cash' ELSE 'transfer' END
        UNION ALL
        -- seat and hand: only where the game has boxes or seats; what a wager gets lies where the wager lay
        SELECT 'seat', l.player_id, l.round_id, l.entry_no, 'seat ' || coalesce(s.seat::text, 'none') || ', hand ' || coalesce(s.hand::text, 'none'),
               'seat ' || coalesce(l.seat::text, 'none') || ', hand ' || coalesce(l.hand::text, 'none'), jsonb_build_object('kind', l.kind)
          FROM casino.ledger l
          LEFT JOIN casino.ledger s ON s.player_id = l.player_id AND s.entry_no = l.stake_entry_no AND s.kind = 'stake'
          LEFT JOIN casino.round r ON r.round_id = l.round_id
          LEFT JOIN casino.table_version v ON v.table_id = r.table_id AND v.version = r.table_version
         WHERE casino.of_days(l.posted_at, l.recorded_at, since, until)
           AND l.kind IN ('stake', 'payout', 'refund')
           AND (l.seat IS NOT NULL OR l.hand IS NOT NULL)
           AND (l.seat IS NOT NULL AND v.seats IS NULL
                -- only a main bet has hands
                OR l.hand IS NOT NULL
                   AND NOT EXISTS (SELECT FROM casino.bet_rule b WHERE b.plan_id = r.plan_id AND b.kind = 'main')
                OR l.kind <> 'stake' AND (l.seat, l.hand) IS DISTINCT FROM (s.seat, s.hand));
END
$fn$;
COMMENT ON FUNCTION casino.check_record_entries(timestamptz, timestamptz) IS 'Part of the reconciliation, check record: entries';

-- Rounds that were evaluated in the time, and those that are not yet.
CREATE FUNCTION casino.check_record_rounds(since timestamptz, until timestamptz) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY
        WITH asked AS MATERIALIZED (
            SELECT r.* FROM casino.round r WHERE r.evaluated_at >= since AND r.evaluated_at < until
            UNION ALL
            SELECT r.* FROM casino.round r WHERE r.status IN ('open', 'closed'))
        SELECT v.rule, NULL::bigint, r.round_id, NULL::bigint, v.expected, v.found, jsonb_build_object('status', r.status)
          FROM asked r
         CROSS JOIN LATERAL (
                SELECT 'recorder', 'who recorded ' || w.act, coalesce(w.who::text, 'nobody')
                  FROM (VALUES ('opened_at', r.opened_at, r.opened_by), ('betting_closed_at', r.betting_closed_at, r.betting_closed_by),
                               ('actions_closed_at', r.actions_closed_at, r.actions_closed_by), ('evaluated_at', r.evaluated_at, r.evaluated_by),
                               ('withheld_at', r.withheld_at, r.withheld_by), ('withheld_paid_at', r.withheld_paid_at, r.withheld_paid_by),
                               ('voided_at', r.voided_at, r.voided_by)) w (act, at, who)
                 WHERE w.at IS NOT NULL AND w.who IS NULL
                    -- a correction takes a void back, and who voided stays
                    OR w.at IS NULL AND w.who IS NOT NULL AND NOT EXISTS (SELECT FROM casino.correction_decision d WHERE d.round_id = r.round_id)
                    OR w.who IS NOT NULL AND NOT EXISTS (SELECT FROM casino.recorder c WHERE c.recorder_id = w.who)
                UNION ALL
                SELECT 'recorded_at', 'an evaluation written after its recorder was first met, and before now', coalesce(r.evaluation_recorded_at::text, 'NULL')
                 WHERE (r.evaluation_recorded_at IS NULL) <> (r.evaluated_at IS NULL) OR r.evaluation_recorded_at > clock_timestamp() + interval '5 minutes'
                    OR r.evaluation_recorded_at < (SELECT c.recorded_at FROM casino.recorder c WHERE c.recorder_id = r.evaluated_by) - interval '5 minutes'
                UNION ALL
                SELECT 'reason', CASE WHEN r.withheld_at IS NULL THEN 'no reason to withhold' ELSE 'a reason to withhold' END, coalesce(r.withheld_reason, 'none')
                 WHERE (r.withheld_at IS NULL) <> (r.withheld_reason IS NULL)
                UNION ALL
                SELECT 'reason', CASE WHEN r.status = 'voided' THEN 'a reason to void' ELSE 'no reason to void' END, coalesce(r.void_reason, 'none')
                 WHERE (r.status = 'voided') <> (r.void_reason IS NOT NULL)
                UNION ALL
                SELECT 'order', 'opened, withheld, paid or voided in this order',
                       concat_ws(', ', 'opened ' || r.opened_at, 'withheld ' || r.withheld_at, 'paid ' || r.withheld_paid_at, 'voided ' || r.voided_at)
                 WHERE r.withheld_at < r.opened_at OR r.withheld_paid_at < r.withheld_at OR r.voided_at < r.evaluated_at OR r.withheld_paid_at < r.evaluated_at) v (rule, expected, found);
    -- refunds of a voided round bear the time of the void, those of a voided player the time of that decision (R12.12)
    RETURN QUERY
        SELECT 'time', f.player_id, r.round_id, f.entry_no, coalesce(n.ended_at, r.voided_at, r.evaluated_at)::text, f.posted_at::text, jsonb_build_object('reason', f.reason)
          FROM casino.round r
          JOIN casino.ledger f ON f.round_id = r.round_id AND f.kind = 'refund'
          LEFT JOIN casino.withholding_end n ON n.player_id = f.player_id AND n.round_id = f.round_id AND n.how = 'voided'
         WHERE r.evaluated_at >= since AND r.evaluated_at < until AND f.reason = 'voided' AND (r.status = 'voided' OR n.round_id IS NOT NULL)
           AND f.posted_at IS DISTINCT FROM coalesce(n.ended_at, r.voided_at, r.evaluated_at);
    -- deals: between opening and evaluation, and the cards that lay are the first ones of those that lie in the end
    RETURN QUERY
        SELECT 'deal', NULL::bigint, r.round_id, NULL::bigint, v.expected, v.found, jsonb_build_object('deal_no', d.deal_no)
          FROM casino.round r
          JOIN casino.deal d ON d.round_id = r.round_id
         CROSS JOIN LATERAL (
                SELECT 'not before ' || r.opened_at || ', not after ' || r.evaluated_at, d.dealt_at::text
                 WHERE d.dealt_at NOT BETWEEN r.opened_at AND r.evaluated_at
                UNION ALL
                SELECT k.side || ' ' || coalesce(r.outcome ->> k.side, 'none'), k.side || ' ' || (d.document ->> k.side)
                  FROM unnest(ARRAY['player', 'banker', 'dealer', 'board']) k (side)
                 WHERE jsonb_typeof(d.document -> k.side) = 'string' AND r.outcome IS NOT NULL
                   AND NOT starts_with(coalesce(r.outcome ->> k.side, ''), d.document ->> k.side)
                   AND NOT EXISTS (SELECT FROM casino.deal_correction c WHERE c.round_id = r.round_id)) v (expected, found)
         WHERE r.evaluated_at >= since AND r.evaluated_at < until;
END
$fn$;
COMMENT ON FUNCTION casino.check_record_rounds(timestamptz, timestamptz) IS 'Part of the reconciliation, check record: rounds and deals';

-- When rows of a table say that they were written.
CREATE FUNCTION casino.evidence_written(OUT section text, OUT relation text, OUT written text)
RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 50 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT DISTINCT ON (l.section) l.section, l.relation, l.field
      FROM casino.evidence_layouts() l
     CROSS JOIN LATERAL (SELECT array_position(
                                '{recorded_at,made_at,registered_at,closed_at,cancelled_at}'::text[],
                                l.field) AS place) f
     WHERE f.place IS NOT NULL
       AND l.section NOT IN ('ledger', 'round', 'round_end', 'dealt_hand', 'provider_record')
     ORDER BY l.section, f.place
$fn$;
COMMENT ON FUNCTION casino.evidence_written()
    IS 'Part of the reconciliation, check record: sections whose rows say when they were written, and the '
       'column that says it';

-- Rows come in the order in which they are written: a few bytes a range of pages find those of a night.
CREATE FUNCTION casino.install_record() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    w record;
BEGIN
    FOR w IN SELECT e.* FROM casino.evidence_written() e ORDER BY e.section LOOP
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
COMMENT ON FUNCTION casino.install_record() IS 'Part of casino.install(): indexes by the time of writing';

-- Rows of all other sections, by their layouts (R10.33): those recorded on the days, and those that came since
-- the newest seal, whenever they say that they were recorded.  The hour before the seal is for transactions
-- that were under way when it was made.  What is dated back before that is named by verify().
CREATE FUNCTION casino.check_record_rows(since timestamptz, until timestamptz) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    newest CONSTANT timestamptz := coalesce((SELECT max(d.sealed_at) FROM casino.day_seal d) - interval '1 hour', '-infinity');
    s record;
BEGIN
    FOR s IN
        SELECT l.section, l.relation,
               (SELECT w.written FROM casino.evidence_written() w WHERE w.section = l.section) AS written,
               array_agg(l.field) FILTER (WHERE l.field ~ '_by$') AS who,
               bool_or(l.field = 'player_id') AS of_player, bool_or(l.field = 'round_id') AS of_round, bool_or(l.field = 'entry_no') AS of_entry,
               array_agg(l.field ORDER BY l.field_no) FILTER (WHERE l.is_key) AS key,
               array_agg(l.field ORDER BY l.field_no) AS fields
          FROM casino.evidence_layouts() l
         WHERE l.section NOT IN ('ledger', 'round', 'round_end', 'dealt_hand', 'provider_record')
         GROUP BY l.section_no, l.section, l.relation
         ORDER BY l.section_no LOOP
        -- a table that is gone is named by the check guard
        CONTINUE WHEN to_regclass('casino.' || s.relation) IS NULL;
        RETURN QUERY EXECUTE format($q$
            SELECT v.rule, %s, %s, %s, v.expected, v.found, jsonb_build_object('table', %L, 'key', %s)
              FROM (SELECT x.* FROM casino.%I x WHERE %s) t
             CROSS JOIN LATERAL (%s) v (rule, expected, found)$q$,
            CASE WHEN s.of_player THEN 't.player_id' ELSE 'NULL::bigint' END,
            CASE WHEN s.of_round THEN 't.round_id' ELSE 'NULL::bigint' END,
            CASE WHEN s.of_entry AND s.of_player THEN 't.entry_no' ELSE 'NULL::bigint' END,
            s.relation, (SELECT string_agg(format('t.%I::text', k), ' || ''/'' || ') FROM unnest(s.key) k),
            s.relation,
            CASE WHEN s.written IS NULL THEN 'true'
                 ELSE format('(x.%1$I >= %2$L AND x.%1$I < %3$L OR x.%1$I >= %4$L%5$s',
                             s.written, since, until, newest,
                             CASE WHEN s.section = 'player_closed'
                                  THEN ' OR x.closed_at IS NULL) AND '
                                           '(x.closed_at IS NOT NULL OR x.closed_by IS NOT NULL)'
                                  ELSE ')' END) END,
            concat_ws(' UNION ALL ',
                -- who: a recorder, who had been met by then; of what install() loads nobody
                (SELECT string_agg(format($w$SELECT 'recorder', 'a recorder', coalesce(t.%1$I::text, 'nobody')
                                              WHERE %2$s OR t.%1$I IS NOT NULL AND NOT EXISTS (SELECT FROM casino.recorder w WHERE w.recorder_id = t.%1$I)$w$,
                                          k, CASE WHEN s.section <> 'player_closed' AND NOT (SELECT a.attnotnull FROM pg_attribute a WHERE a.attrelid = to_regclass('casino.' || s.relation) AND a.attname = k) THEN 'false'
                                                  WHEN s.section = 'player_closed' THEN '(t.closed_at IS NULL) <> (t.closed_by IS NULL)'
                                                  ELSE format('t.%I IS NULL', k) END), ' UNION ALL ')
                   FROM unnest(s.who) k),
                -- when: after the recorder was first met, and before now
                CASE WHEN s.written IN ('recorded_at', 'made_at', 'registered_at') THEN
                     format($w$SELECT 'recorded_at', 'written after its recorder was first met, and before now', coalesce(t.%1$I::text, 'NULL')
                                WHERE isfinite(t.%1$I) IS NOT TRUE OR t.%1$I > clock_timestamp() + interval '5 minutes'%2$s$w$, s.written,
                            CASE WHEN s.who IS NOT NULL THEN format($w$ OR t.%I < (SELECT w.recorded_at FROM casino.recorder w WHERE w.recorder_id = t.%I) - interval '5 minutes'$w$,
                                                                    s.written, s.who[1]) END) END,
                -- what it refers to
                (SELECT string_agg(format($w$SELECT 'reference', %L, coalesce(t.%I::text, 'NULL')
                                              WHERE t.%2$I IS NOT NULL AND NOT EXISTS (SELECT FROM casino.%I o WHERE o.%I = t.%2$I)$w$,
                                          'a row of casino.' || f.relation, f.field, f.relation, f.other), ' UNION ALL ')
                   FROM (VALUES ('player_id', 'player', 'player_id'), ('owner', 'player', 'player_id'), ('former_owner', 'player', 'player_id'),
                                ('round_id', 'round', 'round_id'), ('table_id', 'game_table', 'table_id'), ('run_no', 'reconciliation', 'run_no'),
                                ('claim_no', 'claim', 'claim_no')) f (field, relation, other)
                  WHERE f.field = ANY (s.fields) AND s.relation <> f.relation AND (s.section, f.field) <> ('refusal', 'round_id')
                    -- a difference names what may not be there
                    AND (s.section <> 'difference' OR f.field = 'run_no')),
                CASE WHEN s.of_player AND s.of_entry AND s.section <> 'difference' THEN
                     $w$SELECT 'reference', 'an entry of the player', t.entry_no::text
                         WHERE NOT EXISTS (SELECT FROM casino.ledger l WHERE l.player_id = t.player_id AND l.entry_no = t.entry_no)$w$ END,
                CASE s.section
                     WHEN 'table_limit' THEN $w$SELECT 'reference', 'a version of the table', t.version::text
                         WHERE NOT EXISTS (SELECT FROM casino.table_version o WHERE o.table_id = t.table_id AND o.version = t.version)
                        UNION ALL
                        SELECT 'reference', 'a kind of bet', t.kind WHERE NOT EXISTS (SELECT FROM casino.bet_kinds() k WHERE k.kind = t.kind)$w$
                     WHEN 'withdrawal_approval' THEN $w$SELECT 'reference', 'an account of the player', t.account_no::text
                         WHERE NOT EXISTS (SELECT FROM casino.payment_account o WHERE o.player_id = t.player_id AND o.account_no = t.account_no)$w$
                     WHEN 'deal_correction' THEN $w$SELECT 'reference', 'a deal of the round after the wrong one',
                               concat_ws(' after ', t.deal_no, t.wrong_deal_no)
                         WHERE t.deal_no <= t.wrong_deal_no
                            OR NOT EXISTS (SELECT FROM casino.deal o
                                            WHERE o.round_id = t.round_id AND o.deal_no = t.deal_no)
                            OR t.wrong_deal_no IS NOT NULL
                                AND NOT EXISTS (SELECT FROM casino.deal o
                                                 WHERE o.round_id = t.round_id AND o.deal_no = t.wrong_deal_no)$w$
                     WHEN 'exclusion_end' THEN $w$SELECT 'reference', 'an exclusion of the player', t.exclusion_no::text
                         WHERE NOT EXISTS (SELECT FROM casino.exclusion o WHERE o.player_id = t.player_id AND o.exclusion_no = t.exclusion_no)$w$
                     WHEN 'day_report' THEN $w$SELECT 'reference', 'the day of its run', t.day::text
                         WHERE t.day IS DISTINCT FROM (SELECT o.to_day FROM casino.reconciliation o WHERE o.run_no = t.run_no)$w$
                     WHEN 'difference_note' THEN $w$SELECT 'reference', 'a difference of the run', t.difference_no::text
                         WHERE NOT EXISTS (SELECT FROM casino.difference o WHERE o.run_no = t.run_no AND o.difference_no = t.difference_no)$w$
                     WHEN 'player_closed' THEN $w$SELECT 'order', 'closed with nothing in the wallet, after the last entry', concat_ws(', ', t.closed_at, t.balance)
                         WHERE t.balance <> 0 OR t.closed_at < t.last_posted_at - interval '1 hour'$w$
                     WHEN 'recorder' THEN $w$SELECT 'order', 'met before it recorded an entry', t.recorded_at::text
                         WHERE t.recorded_at > clock_timestamp() + interval '5 minutes'$w$
                     WHEN 'box_handover' THEN $w$SELECT 'order', 'from the owner before, while the round goes on', concat_ws(' ', t.former_owner, t.owner, t.handed_at)
                         WHERE t.owner = t.former_owner OR t.handed_at > (SELECT r.evaluated_at FROM casino.round r WHERE r.round_id = t.round_id)
                            OR t.handed_at < (SELECT r.opened_at FROM casino.round r WHERE r.round_id = t.round_id)
                            OR t.former_owner IS DISTINCT FROM coalesce((SELECT b.owner FROM casino.box_handover b
                                WHERE b.round_id = t.round_id AND b.seat = t.seat AND b.handover_no = t.handover_no - 1), t.former_owner)$w$ END,
                -- numbers without gaps
                (SELECT format($w$SELECT 'number', 'a row ' || t.%1$I - 1 || ' before it', t.%1$I::text
                                   WHERE t.%1$I < 1 OR t.%1$I > 1 AND NOT EXISTS (SELECT FROM casino.%2$I b WHERE %3$s)$w$, n.field, s.relation,
                               (SELECT string_agg(CASE WHEN k = n.field THEN format('b.%1$I = t.%1$I - 1', k) ELSE format('b.%1$I = t.%1$I', k) END, ' AND ') FROM unnest(s.key) k))
                   FROM (SELECT s.key[cardinality(s.key)] AS field) n
                  WHERE n.field IN ('deal_no', 'handover_no', 'exclusion_no', 'limit_no', 'account_no', 'refusal_no', 'play_no', 'approval_no', 'excuse_no', 'version',
                                    'note_no', 'report_no', 'difference_no') AND s.section NOT IN ('exclusion_end', 'deal_correction')),
                $w$SELECT NULL, NULL, NULL WHERE false$w$));
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.check_record_rows(timestamptz, timestamptz) IS 'Part of the reconciliation, check record: rows of all sections of evidence but entries, rounds and hands';

CREATE FUNCTION casino.check_record(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
BEGIN
    RETURN QUERY SELECT f.* FROM casino.check_record_entries(since, until) f;
    RETURN QUERY SELECT f.* FROM casino.check_record_rounds(since, until) f;
    RETURN QUERY SELECT f.* FROM casino.check_record_rows(since, until) f;
END
$fn$;
COMMENT ON FUNCTION casino.check_record(date, date) IS 'Part of the reconciliation, check record: each row of evidence was recorded by a recorder who had been met, at a time that can be, refers to what is there, is numbered without gaps, and has the columns of its kind';
