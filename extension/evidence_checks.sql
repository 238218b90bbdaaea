-- All columns of evidence with the check of the reconciliation that notices a forged value (R10.30).

-- A new column of evidence is a row here: test/pgtap/checks/reconcile_faults.sql takes the columns from the
-- catalog,
-- test/tap/forged.pl forges each.  Columns of one rule stand first.  check_name NULL: no other record knows
-- the
-- value, and the reason says so.
CREATE FUNCTION casino.evidence_checks(OUT section text, OUT field text, OUT check_name text, OUT reason text)
RETURNS SETOF record
LANGUAGE sql STABLE ROWS 300 SET search_path = pg_catalog, pg_temp AS $fn$
    WITH said (section, fields, check_name, reason) AS (VALUES
        ('recorder', '{role,login,actor,shared_logins}'::text[], NULL,
         'only the log of the server knows who had connected'),
        ('recorder', '{recorded_at}', 'record', NULL),
        ('game', '{name,family,live,document,name_en}', 'plan', NULL),
        ('game_plan', '{game,version,valid_from,document,round_max_stake,declared_round_win}', 'plan', NULL),
        ('plan_approval', '{number,approved_by,at}', NULL, 'only the authority knows its decision'),
        ('plan_withdrawal', '{reason}', NULL, 'the words are those of the person who withdrew'),
        ('plan_change', '{part,row_key,before,after}', 'plan', NULL),
        ('plan_change', '{copied_from}', NULL, 'which version was copied stands nowhere else'),
        ('plan_rule', '{value,paragraph,informative}', 'plan', NULL),
        ('bet_rule', '{min_stake,max_stake,declared_win,table_limits}', 'plan', NULL),
        ('bet_rule', '{requires,phase,zero_offered,paragraph}', 'plan', NULL),
        ('paytable', '{num,den,paragraph}', 'plan', NULL),
        ('announced_rule', '{min_neighbours,max_neighbours,paragraph}', 'plan', NULL),
        ('plan_digest', '{content}', 'plan', NULL),
        ('game_table', '{game}', 'plan', NULL),
        ('game_table', '{name,home_cell}', NULL,
         'a name: the provider''s report names the table too; the cell: only the hub knows it'),
        ('table_version', '{valid_from}', 'plan', NULL),
        ('table_version', '{min_stake,max_stake}', 'stake_limits', NULL),
        ('table_version', '{surrender,behind,seats}', NULL, 'the switch as it was set stands nowhere else'),
        ('table_limit', '{min_stake,max_stake}', 'stake_limits', NULL),
        ('table_operation', '{opened,happened_at}', 'record', NULL),
        ('table_operation', '{reason}', NULL, 'the words are those of the person who closed the table'),
        ('player', '{external_ref}', 'state', NULL),
        ('player', '{registered_at}', 'record', NULL),
        ('player_closed', '{closed_at}', 'record', NULL),
        ('round', '{table_id,table_version,plan_id}', 'plan', NULL),
        ('round', '{round_ref}', NULL,
         'the provider''s name of the round: only the report of the provider has it too'),
        ('round', '{opened_at,betting_until,betting_closed_at,actions_closed_at}', 'late_stake', NULL),
        ('round', '{evaluated_at}', 'payout', NULL),
        ('round', '{outcome,outcome_document}', 'outcome', NULL),
        ('round', '{evaluation_recorded_at,withheld_at}', 'record', NULL),
        ('round', '{opened_recorded_at,betting_closed_recorded_at,actions_closed_recorded_at}', 'record',
         NULL),
        ('round', '{withheld_recorded_at}', 'record', NULL),
        ('round', '{withheld_reason}', NULL,
         'the words are the supervisor''s; that there is a reason, record'),
        ('round', '{withheld_ground,facts}', NULL,
         'only the floor knows; that the plan lists the ground and what facts there are, record'),
        ('round_end', '{status,wagers,players,staked,paid}', 'round_figures', NULL),
        ('round_end', '{withheld_paid_at,voided_at}', 'record', NULL),
        ('round_end', '{withheld_paid_recorded_at,voided_recorded_at}', 'record', NULL),
        ('round_end', '{void_ground}', NULL, 'only the floor knows; that the plan lists it, record'),
        ('round_end', '{void_reason}', NULL,
         'the words are the supervisor''s; that there is a reason, record'),
        ('round_end', '{withheld_paid_reason}', NULL, 'why the supervisor paid stands nowhere else'),
        ('deal', '{document,dealt_at}', 'record', NULL),
        ('deal_correction', '{wrong_deal_no,returned,corrected_at}', 'record', NULL),
        ('deal_correction', '{wagers_stand}', 'refund', NULL),
        ('deal_correction', '{reason}', NULL, 'the words are the supervisor''s'),
        ('round_correction', '{correction_no,ground,outcome,outcome_document,proposed_at,round_id}',
         'correction', NULL),
        ('round_correction', '{reason}', NULL, 'the words are the supervisor''s'),
        ('correction_decision', '{correction_no,round_id,version,status,former,decided_at}',
         'correction', NULL),
        ('correction_decision', '{wagers,players,staked,paid,entries,posted,claimed}', 'correction', NULL),
        ('correction_decision', '{reason}', NULL, 'the words are the second person''s'),
        ('hand_version', '{version,side,seat,group_no,hand,cards}', 'correction', NULL),
        ('hand_version', '{surrendered,folded,even_money,even_money_players,players}', 'correction', NULL),
        ('claim', '{round_id,stake_entry_no,correction_no,amount,claimed_at}', 'correction', NULL),
        ('claim', '{claim_no}', 'record', NULL),
        ('claim_end', '{how}', 'correction', NULL),
        ('claim_end', '{correction_no,ended_at}', 'record', NULL),
        ('claim_end', '{reason}', NULL, 'the words are those of the person who ended the claim'),
        ('dealt_hand', '{cards}', 'outcome', NULL),
        ('dealt_hand', '{surrendered}', 'payout', NULL),
        ('dealt_hand', '{folded,even_money,even_money_players,players}', NULL,
         'where it decides a payout, payout notices it; elsewhere it decides nothing'),
        ('box_handover', '{owner,former_owner,handed_at}', 'record', NULL),
        ('box_handover', '{seat}', NULL, 'only the game server knows the box'),
        ('exclusion', '{excluded_until}', 'state', NULL),
        ('exclusion', '{source,excluded_from,effective_from}', NULL,
         'only the source of the exclusion knows the source and the beginning'),
        ('exclusion_end', '{ended_at}', 'state', NULL),
        ('exclusion_end', '{reason}', NULL, 'the words are those of the person who decided'),
        ('exclusion_mistake', '{reason}', NULL, 'the words are those of the person who approved'),
        ('exclusion_mistake', '{approved_at}', NULL, 'when the person approved stands nowhere else'),
        ('register_check', '{answer,checked_at}', NULL, 'only the register knows'),
        ('player_limit', '{measure,period,amount,effective_from}', 'state', NULL),
        ('player_limit', '{requested_at}', NULL, 'only the game server knows when the player asked'),
        ('payment_account', '{account}', 'state', NULL),
        ('payment_account', '{registered_at}', 'cash_limit', NULL),
        ('refusal', '{action,round_id,bets,seat,hand,amount,method,withdrawal_id,request_id}', NULL,
         'a refusal moved nothing: no other record has it'),
        ('refusal', '{code,message,detail,reason,data,refused_at}', NULL, 'likewise'),
        ('breach', '{rule,detail,occurred_at}', NULL,
         'the values stand in the entries and rounds that the breach names'),
        ('cancelled_request', '{round_id}', 'record', NULL),
        ('cancelled_request', '{request_id,cancelled_at}', NULL,
         'when the game server asked: no entry is made for it'),
        ('disconnection', '{disconnected_at}', 'record', NULL),
        ('other_play', '{staked,result}', 'state', NULL),
        ('other_play', '{product,request_id,played_at}', NULL,
         'only the operator of the other product knows'),
        ('withdrawal_approval', '{account_no,approved_at}', 'record', NULL),
        ('adjustment_approval', '{request_id,amount,reason,round_id}', 'adjustment', NULL),
        ('adjustment_approval', '{approved_at}', NULL, 'when the person approved stands nowhere else'),
        ('excused_delay', '{reason,excused_at}', NULL, 'the explanation stands nowhere else'),
        ('withholding', '{reason,withheld_at}', NULL,
         'why and when the supervisor withheld stands nowhere else'),
        ('withholding', '{ground}', NULL, 'only the supervisor knows; that the plan lists it, record'),
        ('withholding_end', '{how,ended_at}', 'payout', NULL),
        ('withholding_end', '{reason}', NULL, 'why the supervisor decided so stands nowhere else'),
        ('withholding_end', '{ground}', NULL, 'only the supervisor knows; that the plan lists it, record'),
        ('difference', '{check_name,rule,player_id,round_id,entry_no,expected,found,detail,amount}', NULL,
         'a check that is made again finds the difference again'),
        ('difference_note', '{note}', NULL, 'the explanation stands nowhere else'),
        ('difference_note', '{state}', 'record', NULL),
        ('day_sign_off', '{run_no,name}', 'record', NULL),
        ('day_sign_off', '{differences,opening,closing,carried}', NULL,
         'as the figures were when the person signed: later entries may have changed them'),
        ('day_sign_off', '{note}', NULL, 'the words are those of the person who signed'),
        ('book_closing', '{entries,players,last_round_id,last_posted_at,last_recorded_at}', 'record', NULL),
        ('book_balance', '{entry_no,balance,last_posted_at,sums,stream}', 'record', NULL),
        ('book_total', '{debit,credit}', 'record', NULL),
        ('duty_rule', '{name,valid_from,value}', 'record', NULL),
        ('duty_rule', '{paragraph,document}', NULL, 'only the operator''s own document knows'),
        ('payment_method', '{method,valid_from,offered,is_cash}', 'record', NULL),
        ('payment_method', '{meaning}', NULL, 'words for people'),
        ('approved_object', '{approval_no,object,state,reason}', NULL,
         'the owner''s approval stands nowhere else'),
        ('table_stack', '{seat,brought_at}', 'record', NULL),
        ('table_stack', '{amount}', NULL,
         'how much the player brought stands nowhere else; stake_limits finds chips beyond the wallet, '
         'and stakes beyond the chips'),
        ('erasure', '{external_ref,accounts,proposal_no,reason}', 'state', NULL),
        ('erasure_proposal', '{external_ref}', 'state', NULL),
        ('erasure_proposal', '{reason}', NULL, 'the words are those of the person who proposed'),
        ('replay', '{from_day,to_day,reason}', NULL,
         'the owner marked so; check dated_back holds rows against it'),
        ('provider_setting', '{provider,valid_from,tolerance_seconds,time_zone,day_starts}', NULL,
         'only the provider knows the way its days are counted'),
        ('provider_report', '{begun_at}', NULL, 'when loading began stands nowhere else'),
        ('provider_record', '{kind,ref,amount,external_ref}', 'provider_missing_here', NULL),
        ('provider_record', '{day,report_no,line_no}', NULL,
         'a line that was moved is missing in its report: provider_missing_there'),
        ('provider_record', '{round_ref,table_name,at,data}', NULL, 'the provider has it'),
        ('cage_count', '{counted,moved}', 'cage_count', NULL),
        ('cage_count', '{counted_at}', 'record', NULL),
        ('cage_count', '{request_id,note}', NULL, 'only the person who counted knows'),
        ('day_report', '{report}', NULL, 'daily_report() tells what is known of the day now'),
        ('cell', '{of_cells}', NULL, 'only the hub knows how many cells there are'),
        ('ledger', '{kind,bet,withdrawal_entry_no}', 'trial_balance', NULL),
        ('ledger', '{amount,balance}', 'wallet', NULL),
        ('ledger', '{round_id}', 'round_figures', NULL),
        ('ledger', '{stake_entry_no,grade,posted_at}', 'payout', NULL),
        ('ledger', '{reason}', 'refund', NULL),
        ('ledger', '{account}', 'cash_limit', NULL),
        ('ledger', '{seat,hand,request_line,method,correction_no}', 'record', NULL),
        ('ledger', '{reference}', 'state', NULL),
        ('ledger', '{request_id,place}', NULL,
         'only the client or the cash desk knows it; the provider reports requests of wagers'))
    SELECT s.section, unnest(s.fields), s.check_name, s.reason FROM said s
    UNION ALL
    -- who recorded it, and when it was written
    SELECT l.section, l.field, 'record', NULL
      FROM casino.evidence_layouts() l
     WHERE l.field ~ '_by$' AND l.type = 'int'
        OR l.field = 'recorded_at' AND l.section <> 'recorder'
        OR l.field = 'made_at'
    UNION ALL
    -- a row of another key is one removed and one put in: another row refers to it, or numbers have no gaps
    SELECT l.section, l.field,
           CASE WHEN l.section IN ('game', 'game_plan', 'plan_rule', 'bet_rule', 'paytable', 'announced_rule',
                                   'plan_digest') THEN 'plan'
                WHEN l.section = 'ledger' THEN 'entry_gap'
                WHEN l.section IN ('round', 'round_end') THEN 'late_stake'
                WHEN l.section = 'dealt_hand' AND l.field IN ('round_id', 'side') THEN 'outcome'
                WHEN l.section = 'dealt_hand' THEN 'payout'
                WHEN l.section LIKE 'provider%' AND l.field <> 'report_no' THEN 'provider_missing_there'
                WHEN l.section IN ('player', 'player_closed') THEN 'state'
                WHEN l.section = 'withholding_end' THEN 'payout'
                ELSE 'record' END,
           NULL
      FROM casino.evidence_layouts() l
     WHERE l.is_key
       AND NOT EXISTS (SELECT FROM said s WHERE s.section = l.section AND l.field = ANY (s.fields))
$fn$;
COMMENT ON FUNCTION casino.evidence_checks()
    IS 'Each column of evidence with the check of the reconciliation that notices a forged value before the '
       'seal; check_name NULL: nothing else knows the value, for the reason given';
