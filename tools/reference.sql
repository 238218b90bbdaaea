-- pg_temp.reference(content): doc/reference.md with its generated parts made anew from the catalog. Run by
-- tools/reference, which writes them, and by test/pgtap/docs/reference.sql, which holds the document against
-- them.

-- What the catalog cannot tell: the chapter of a function and the own error codes it may raise.
-- A function that is missing here appears under "Other functions".
CREATE TEMP TABLE chapter_function (chapter text, name text, errors text);
INSERT INTO chapter_function
SELECT v.chapter, n.name, n.errors
  FROM (VALUES
    ('Setting up', ARRAY['approve_object', 'give_to'], NULL),
    ('Setting up', ARRAY['install', 'grant_access', 'revoke_access', 'access_profiles', 'publish'], NULL),
    ('Games, plans and tables', ARRAY['add_game_table'], 'KB002 KB004'),
    ('Games, plans and tables', ARRAY['set_table_limits'], 'KB002 KB004 KL005'),
    ('Games, plans and tables', ARRAY['close_game_table', 'reopen_game_table'], 'KL005 KR002'),
    ('Games, plans and tables', ARRAY['table_limits_at', 'position_limits', 'offer', 'offers'], NULL),
    ('Games, plans and tables', ARRAY['add_plan_version', 'change_plan_version', 'plan_in_force',
                                       'family_is_built', 'plan_grounds'],
     NULL),
    ('Games, plans and tables', ARRAY['approve_plan_version', 'withdraw_plan_version', 'plan_difference',
                                      'plan_difference_text', 'plan_warnings', 'add_game'], NULL),
    ('Games, plans and tables', ARRAY['check_plan', 'plan_rules', 'plan_rule_problem', 'plan_kinds',
                                      'plan_grades'], NULL),
    ('Players and money', ARRAY['register_player', 'canonical_ref', 'set_payment_account', 'close_account',
                                'limits_pass_until'], NULL),
    ('Players and money', ARRAY['deposit'], 'KC004 KL003 KL005'),
    ('Players and money', ARRAY['try_deposit', 'try_request_withdrawal', 'try_pay_withdrawal'], NULL),
    ('Players and money', ARRAY['adjust'], 'KL002 KL003 KL005'),
    ('Players and money', ARRAY['approve_adjustment'], NULL),
    ('Players and money', ARRAY['record_register_check'], 'KL005'),
    ('Players and money', ARRAY['approve_exclusion_mistake'], 'KL005'),
    ('Players and money', ARRAY['request_withdrawal'], 'KC003 KC006 KL002 KL003 KL005'),
    ('Players and money', ARRAY['pay_withdrawal'], 'KC003 KC006 KL004 KL005'),
    ('Players and money', ARRAY['cancel_withdrawal'], 'KL004 KL005'),
    ('Players and money', ARRAY['approve_withdrawal'], 'KC006 KL004 KL005'),
    ('Rounds', ARRAY['open_round'], 'KR002 KL005'),
    ('Rounds', ARRAY['open_rounds', 'round_result', 'may_play', 'round_view'], NULL),
    ('Rounds', ARRAY['bring_to_table'], 'KB004 KB005 KL002 KL005'),
    ('Rounds', ARRAY['close_betting'], 'KL005 KR002'),
    ('Rounds', ARRAY['settle_round'], 'KR001 KR002 KL005'),
    ('Rounds', ARRAY['check_outcome'], 'KR001 KR002 KL005'),
    ('Rounds', ARRAY['correct_deal', 'correct_round'], 'KR001 KR002 KL005'),
    ('Rounds', ARRAY['approve_correction', 'reject_correction'], 'KR002 KL005'),
    ('Rounds', ARRAY['settle_claim'], 'KL005'),
    ('Rounds', ARRAY['void_round', 'withhold_winnings', 'withhold_shoe', 'pay_withheld', 'void_wagers'],
     'KR002 KL005'),
    ('Rounds', ARRAY['deal'], 'KR001 KR002 KL005'),
    ('Rounds', ARRAY['close_actions'], 'KR002 KL005'),
    ('Rounds', ARRAY['hand_over_box'], 'KB004 KB005 KR002 KL005'),
    ('Wagers', ARRAY['place_bets', 'place_bets_balance', 'place_bet'],
               'KB001 KB002 KB003 KB004 KB005 KC001 KC002 KC004 KC005 KL002 KL003 KL005'),
    ('Wagers', ARRAY['place_many', 'try_place_bets'], NULL),
    ('Wagers', ARRAY['cancel_bet'], 'KB001 KL003 KL005'),
    ('Wagers', ARRAY['disconnect'], 'KL005'),
    ('Wagers', ARRAY['reconnect'], 'KR002 KL005'),
    ('Questions', ARRAY['quote'], 'KB004 KR001'),
    ('Questions', ARRAY['last_deal', 'refusal_reasons', 'message_for_player'], NULL),
    ('Questions', ARRAY['max_win', 'announced_bets'], 'KB004'),
    ('Questions', ARRAY['bet_return'], 'KB004'),
    ('Questions', ARRAY['plan_audit'], NULL),
    ('Questions', ARRAY['watch_day'], NULL),
    ('Setting up', ARRAY['rebuild', 'player_states'], NULL),
    ('Setting up', ARRAY['turn_book', 'close_book', 'put_away_book', 'attach_book', 'last_book_away'], NULL),
    ('Duties', ARRAY['load_provider_report', 'set_provider_setting', 'cage_shifts'], NULL),
    ('Duties', ARRAY['end_provider', 'resume_provider'], 'KL005'),
    ('Duties', ARRAY['record_cage_count'], 'KL003 KL005'),
    ('Figures', ARRAY['daily_table', 'tax_base', 'account_movements', 'keep_day_totals', 'liability',
                      'payment_deadline', 'player_day', 'person_day', 'large_win',
                      'player_statement', 'significant_event', 'game_recall', 'player_recall', 'person_file',
                      'inactive_accounts', 'pot_flow', 'played_together', 'shared_accounts', 'person_window',
                      'protection', 'daily_report',
                      'daily_report_html', 'round_page', 'player_page', 'player_round_page',
                      'night_page',
                      'period_page', 'payment_times', 'round_changes', 'player_day_changes'], NULL),
    ('Questions', ARRAY['explain_break', 'limits_in_force', 'limit_usage', 'entry_kinds', 'bet_kinds'], NULL),
    ('Duties', ARRAY['record_overdue', 'excuse_delay'], 'KL005'),
    ('Duties', ARRAY['exclude_player', 'set_limit'], 'KL005'),
    ('Duties', ARRAY['end_exclusion'], 'KC004 KL005'),
    ('Duties', ARRAY['erase_person', 'approve_erasure', 'reject_erasure'], NULL),
    ('Duties', ARRAY['count_other_play'], 'KL003 KL005'),
    ('Duties', ARRAY['may_stake_elsewhere'], 'KC004 KC005 KL003'),
    ('Duties', ARRAY['try_may_stake_elsewhere'], NULL),
    ('Evidence', ARRAY['seal', 'verify', 'seal_document', 'proof', 'verify_proof', 'statement_proof',
                       'verify_statement', 'checkpoint', 'consistency_proof', 'export_day',
                       'evidence_layouts', 'evidence_leaf', 'ledger_leaf',
                       'evidence_line', 'evidence_key', 'hash_leaf', 'hash_node', 'merkle_root',
                       'merkle_path', 'merkle_paths', 'stream_tree', 'stream_leaf', 'seal_root'], NULL),
    ('Cells', ARRAY['become_cell', 'cell_of', 'cell_state', 'plan_digest', 'table_digest', 'outcome_players'],
     NULL),
    ('Cells', ARRAY['install_hub', 'add_cell', 'catch_up', 'cell_states', 'hub_corrections',
                    'excuse_cell', 'plan_script',
                    'hub_cells', 'cell_of_person', 'move_player', 'moved_to',
                    'all_trial_balance', 'all_daily_table', 'all_open_rounds',
                    'all_report', 'obey', 'cell_read', 'hub_calls', 'hub_routes'], NULL),
    ('Nights', ARRAY['nightly', 'reconcile', 'recheck', 'morning', 'explain_difference',
                     'ask_about_difference', 'write_off_difference', 'approve_difference', 'sign_day',
                     'balance_statement', 'gl_export', 'reconciliation_checks', 'check_days',
                     'mark_replay'], NULL)
  ) v (chapter, names, errors)
 CROSS JOIN LATERAL unnest(v.names) WITH ORDINALITY u (name, position)
 CROSS JOIN LATERAL (SELECT u.name, v.errors) n;

-- Arguments, which mean the same wherever their name stands
CREATE TEMP TABLE argument (name text PRIMARY KEY, meaning text);
INSERT INTO argument VALUES
    ('counts', 'rows of each section'),
    ('data', 'bytes of a leaf; of message_for_player() the values of the refusal'),
    ('lang', 'language of the text: cs or en'),
    ('entries', 'how many entries'),
    ('first_entry_no', 'first entry that a seal covers of the player'),
    ('from_seal', 'first seal; NULL: 1'),
    ('from_version', 'version of the game that is copied; NULL: the latest that is approved'),
    ('first', 'index of the first leaf whose path is asked for'),
    ('origin', 'name of the log of seals, as house.example/seals'),
    ('hash', 'SHA-256 of a leaf'),
    ('hashes', 'SHA-256 of each leaf, in their order'),
    ('last', 'index of the last leaf whose path is asked for'),
    ('index', 'place of the leaf, from 0'),
    ('last_entry_no', 'last entry that the seal covers of the player'),
    ('leaf', 'bytes of the leaf of an entry'),
    ('left', 'hash on the left'),
    ('right', 'hash on the right'),
    ('players', 'players who have entries in the seal'),
    ('previous', 'root of the seal before'),
    ('proof', 'what proof() gave'),
    ('root', 'SHA-256, the root of a tree'),
    ('roots', 'root of each section'),
    ('row', 'row of the table of the section'),
    ('running', 'running hash of the player'),
    ('seal_no', 'number of the seal'),
    ('sealed_at', 'when it was sealed'),
    ('from', 'first instant'),
    ('to', 'first instant after it'),
    ('statement', 'what statement_proof() gave'),
    ('section', 'section of a seal, as in evidence_layouts()'),
    ('sections', 'sections of the seal in their order'),
    ('to_seal', 'last seal; NULL: the newest'),
    ('account', 'payment account in any notation, not empty'),
    ('amount', 'CZK with at most two decimals, not negative unless said'),
    ('book', 'book of the ledger, counted from 1'),
    ('at', 'time of the event; it may differ by casino.clock_skew from the clock when the call came, and is not before the player''s last entry. NULL: the clock''s time when the call could act, after it waited for others'),
    ('bet', 'a bet, as `red@100`'),
    ('betting_until',
     'from here on the round takes no stake and returns none, closed or not: as soon as the clock or the time of the event has reached it; NULL: until it is closed'),
    ('facts', 'tokens from the floor: dealer, shoe, shift, video'),
    ('ground', 'ground of casino.plan_grounds(); NULL: other, which needs a reason'),
    ('shoe', 'token of the shoe, as open_round() was told'),
    ('cell', 'number of the cell, from 0'),
    ('actor', 'who decided at the hub: the person, or else the login'),
    ('counted', 'CZK that were counted'),
    ('counted_at', 'when the cash was counted'),
    ('desk', 'place of the cash, as `place` of a payment'),
    ('moved', 'CZK brought to the desk since the count before, less CZK taken away'),
    ('name_en', 'name of the game in English; NULL: as in Czech'),
    ('token', 'token of a text, as the sealed row has it'),
    ('epoch', 'epoch of the hub, which grows when another one takes over'),
    ('told', 'what each cell has said to have obeyed on the table, {"cell": decision}'),
    ('in_order', 'false: decisions before it are missing in the cell'),
    ('arguments', 'arguments of the call, as a JSON object'),
    ('call', 'function to be called, see hub_calls()'),
    ('conninfo', 'connection string without user and password; of install_hub() of the hub itself'),
    ('decision_no', 'number of the decision in the hub''s log'),
    ('dry', 'say what would come of it, change nothing'),
    ('since', 'whatever was decided since then is sent once more; NULL: what is not answered'),
    ('takes_persons', 'new persons may get their home there'),
    ('what', 'what is read'),
    ('to_cell', 'the cell to which the player moves'),
    ('of_cells', 'how many cells there can be, 1 to 1024, in use or not'),
    ('bets', 'bets of one request, one-dimensional array; all or none are placed'),
    ('player_ids', 'number from register_player(), of each bet'),
    ('request_ids', 'the client''s key of the request of each bet'),
    ('seats', 'seat of each bet, or NULL'),
    ('hands', 'hand of each bet, or NULL'),
    ('publication', 'name of the publication'),
    ('chip', 'CZK one chip is worth'),
    ('closed_at', 'when an account was closed'),
    ('day', 'calendar day in Europe/Prague; of nightly() a day that is over, NULL: the last one'),
    ('difference_no', 'number of the difference in its run'),
    ('at_least', 'CZK'),
    ('span', 'length of the window in real time, more than 0 and at most 366 days'),
    ('provider', 'the operator''s name of the provider'),
    ('last_day', 'last day of the provider for which a report is asked'),
    ('first_day', 'first day of the provider for which a report is asked again'),
    ('records', 'JSON array of its lines'),
    ('person', 'the operator''s reference of a person; NULL: all persons'),
    ('unused_since', 'no own entry of the player since then; NULL: for a year'),
    ('least', 'rounds together from which a pair is shown'),
    ('number', 'number of the decision that approves'),
    ('approved_by', 'the authority that approved'),
    ('part', 'table of the row: `game_plan`, `plan_rule`, `bet_rule`, `paytable` or `announced_rule`'),
    ('content', 'the row: its key, and the columns to change'),
    ('remove', 'true: the row of this key goes'),
    ('like_game', 'game of the family whose version in force is copied'),
    ('live', 'is it broadcast (D4 §8)'),
    ('a', 'plan version, in casino.game_plan'),
    ('b', 'plan version held against it'),
    ('answer', '`clear`, `excluded` or `unavailable`, as the register said'),
    ('from_day', 'first calendar day, Europe/Prague'),
    ('to_day', 'last calendar day, Europe/Prague'),
    ('run_no', 'number of the run in casino.reconciliation'),
    ('check_name', 'check of casino.reconciliation_checks()'),
    ('note', 'the explanation, not empty'),
    ('document', 'document and date of the plan version'),
    ('entry_no', 'ledger entry of the stake or withdrawal'),
    ('external_ref',
     'the operator''s reference of the person; white space at its ends and composed or decomposed letters make no difference'),
    ('exclusion_no', 'number of the exclusion, from exclude_player()'),
    ('family', 'family of games, as in casino.game'),
    ('game', 'code of the game, as in casino.game'),
    ('grade', 'how a wager ended'),
    ('hand', 'hand of the seat or player, from 1: of a split the hand it opens, of a double the hand it lies on; NULL: the first'),
    ('id', 'number of the withdrawal'),
    ('kind', 'kind of bet, or the stem of an announced bet, as `neighbours`'),
    ('max_stake', 'CZK greatest stake of the table'),
    ('measure', '`stake` or `net_loss`; `stakes` and `loss` are read as these'),
    ('method', '`cash` or `transfer`; of a deposit `cash` or the operator''s name of the way in'),
    ('place', 'where cash is paid out'),
    ('reference', 'reference of the payment'),
    ('min_stake', 'CZK least stake of the table'),
    ('name', 'name of the table or object; of the announced bet, as `voisins` or `neighbours:17/2`'),
    ('options', 'JSON object: `surrender`, `behind` (booleans), `seats` (number), `limits` ({kind: {"min": CZK, "max": CZK}}), in a cell of games with seats `home_cell` (number); set_table_limits() keeps those that are not named'),
    ('outcome', '[outcome document](#outcome-documents) of the family of games'),
    ('partial_outcome',
     '[outcome document](#outcome-documents) with all cards that lie on the table so far; what is not dealt is left out'),
    ('period', '`day` or `month`, calendar of Europe/Prague'),
    ('plan_id', 'number of the plan version, in casino.game_plan'),
    ('effective_from', 'since when the exclusion is in force by law, as the register has it; NULL: not said'),
    ('rule', 'name of a rule of the plan'),
    ('value', 'its value, as text'),
    ('rules', 'rules of a plan as a JSON object of texts; NULL: any'),
    ('player_id', 'number from register_player()'),
    ('product', 'the operator''s name of the product'),
    ('profile',
     '`backend`, `desk`, `cashier`, `supervisor`, `accountant`, `plan_officer`, `support`, `compliance`, '
     '`auditor`, `nightly`, `stream` or, in a cell, `hub`'),
    ('reason', 'why, not empty; of message_for_player() a word of refusal_reasons()'),
    ('request_id',
     'the client''s key of the request, unique for the player, not empty; NULL: no retry is recognised'),
    ('result', 'CZK that the play of another product gave back, less staked; with staked 0, after may_stake_elsewhere(): all that it gave back'),
    ('role', 'an existing role; of install_hub() the role as which the hub calls the cells'),
    ('owner', 'role that is to own the tables, no superuser'),
    ('round_id', 'number from open_round(); of open_round() the number that a hub gives, NULL: the next one'),
    ('round_ref', 'the provider''s name of the round, unique at its table'),
    ('seat', 'seat (box), from 1; NULL in games without seats and at shared boxes'),
    ('source', '`self`, `register`, `panic_button` or `operator`'),
    ('staked', 'CZK staked in another product'),
    ('table_id', 'number from add_game_table(); of add_game_table() the number that a hub gives, NULL: the next one'),
    ('until', 'end, exclusive; NULL: none'),
    ('valid_from', 'when the version comes into force'),
    ('day_starts', 'when a day of the provider begins there, as 06:00'),
    ('time_zone', 'time zone of the provider''s days'),
    ('tolerance_seconds', 'seconds by which a time of the provider may differ'),
    ('withhold', 'evaluate now, pay later with pay_withheld()'),
    ('cards', 'for `correct_deal()`: [outcome document](#outcome-documents) with all cards that really lie on the table; else a hand'),
    ('correction_no', 'number of the correction, as `correct_round()` gave it'),
    ('claim_no', 'number of the claim'),
    ('waived', 'the operator goes without the money; else the player has given it back'),
    ('paragraph', 'where it comes from'),
    ('wagers_stand', 'stakes that came after the wrong card was shown stand; else they go back'),
    ('withhold_reason', 'why, where it is withheld');

CREATE FUNCTION pg_temp.cell(content text) RETURNS text LANGUAGE sql IMMUTABLE
    RETURN replace(replace(coalesce(content, ''), '|', '\|'), E'\n', ' ');

-- a type as one writes it
CREATE FUNCTION pg_temp.short(type text) RETURNS text LANGUAGE sql IMMUTABLE
    RETURN replace(replace(type, 'casino.', ''), 'timestamp with time zone', 'timestamptz');

CREATE FUNCTION pg_temp.signature(oid) RETURNS text LANGUAGE sql STABLE
    RETURN (SELECT pg_temp.short(format('%s(%s)%s', p.proname,
                   regexp_replace(regexp_replace(regexp_replace(regexp_replace(pg_get_function_arguments(p.oid), '\mIN ', '', 'g'), '(, )?OUT .*$', ''),
                                  '::[a-z][a-z ]*', '', 'g'), '"at"', 'at', 'g'),
                   CASE WHEN p.prorettype = 'trigger'::regtype THEN ''
                        WHEN p.proargmodes && '{o}'
                            THEN format(' → %s(%s)', CASE WHEN p.proretset THEN 'setof ' ELSE '' END,
                             (SELECT string_agg(a.name || ' ' || format_type(a.type, NULL), ', ' ORDER BY a.n)
                                FROM unnest(p.proargnames, p.proallargtypes,
                                            p.proargmodes) WITH ORDINALITY a (name, type, mode, n)
                                                WHERE a.mode = 'o'))
                        ELSE ' → ' || replace(replace(pg_get_function_result(p.oid), 'SETOF ', 'setof '),
                                              'TABLE(', 'setof (') END))
              FROM pg_proc p WHERE p.oid = $1);

CREATE TEMP VIEW extension_function AS
SELECT p.oid, p.proname AS name, pg_temp.signature(p.oid) AS signature,
       obj_description(p.oid, 'pg_proc') AS comment,
       CASE WHEN p.prorettype = 'trigger'::regtype THEN 'trigger'
            WHEN p.pronamespace <> 'casino'::regnamespace THEN 'part'
            WHEN EXISTS (SELECT FROM pg_type t
                         WHERE p.oid IN (t.typinput, t.typoutput, t.typreceive, t.typsend, t.typsubscript))
              OR EXISTS (SELECT FROM pg_operator o WHERE o.oprcode = p.oid)
              OR EXISTS (SELECT FROM pg_amproc a WHERE a.amproc = p.oid) THEN 'type'
            WHEN c.chapter IS NOT NULL THEN 'interface'
            WHEN p.provolatile = 'i' THEN 'pure'
            ELSE 'other' END AS role,
       c.chapter, c.errors
  FROM pg_proc p
  LEFT JOIN chapter_function c ON c.name = p.proname
 WHERE p.pronamespace = ANY (casino_internal.schemas());

-- The example of each chapter, in a guide whose examples are executed.
CREATE TEMP TABLE chapter_example (chapter text PRIMARY KEY, heading text, page text, anchor text);
INSERT INTO chapter_example
VALUES ('Setting up', 'a new database', 'operations', 'what-do-i-run-and-set-in-a-new-database'),
       ('Games, plans and tables', 'the ministry approved a change', 'plans',
        'the-ministry-approved-a-change-what-do-i-do'),
       ('Players and money', 'from the deposit to the cash desk', 'accounting',
        'from-the-deposit-to-the-cash-desk'),
       ('Rounds', 'report cards', 'backend', 'how-do-i-report-cards'),
       ('Wagers', 'place bets and play a round', 'backend', 'how-do-i-place-bets-and-play-a-round'),
       ('Questions', 'how much can a bet win', 'backend', 'how-much-can-a-bet-win'),
       ('Duties', 'a player asks for a limit', 'compliance', 'a-player-asks-for-a-limit-65'),
       ('Figures', 'the tax base', 'figures', 'what-is-taxed'),
       ('Evidence', 'prove an entry', 'evidence', 'prove-an-entry-to-a-court'),
       ('Cells', 'set up hub and cells', 'scale', 'how-do-i-set-up-hub-and-cells'),
       ('Nights', 'a day and its night', 'nightly', 'a-day-and-its-night');

CREATE FUNCTION pg_temp.part(name text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
    result text := '';
    item record;
    line record;
BEGIN
    CASE name
    WHEN 'interface' THEN
        FOR item IN
            SELECT c.chapter, c.n, e.heading, e.page, e.anchor
              FROM (SELECT f.chapter, min(f.n) AS n
                      FROM (SELECT g.chapter, row_number() OVER () AS n FROM chapter_function g) f
                     GROUP BY f.chapter) c
              JOIN chapter_example e ON e.chapter = c.chapter
             ORDER BY c.n
        LOOP
            result := result || format(E'\n### %s\n\nExample: [%s](%s.md#%s).\n', item.chapter, item.heading,
                                       item.page, item.anchor);
            FOR line IN SELECT f.* FROM extension_function f
                WHERE f.role = 'interface' AND f.chapter = item.chapter
                         ORDER BY f.name, f.signature LOOP
                result := result || format(E'\n- `%s`\n  %s.%s\n', line.signature, line.comment,
                                           coalesce(' Errors: ' || replace(line.errors, ' ', ', ') || '.',
                                                    ''));
            END LOOP;
        END LOOP;
        IF EXISTS (SELECT FROM extension_function f WHERE f.role = 'other') THEN
            result := result || E'\n### Other functions\n';
            FOR line IN SELECT f.* FROM extension_function f WHERE f.role = 'other'
                ORDER BY f.name, f.signature LOOP
                result := result || format(E'\n- `%s`\n  %s.\n', line.signature, line.comment);
            END LOOP;
        END IF;
    WHEN 'arguments' THEN
        result := E'| argument | type | meaning |\n|---|---|---|\n' ||
            (SELECT string_agg(format(E'| `%s` | %s | %s |\n', u.name, u.types, pg_temp.cell(u.meaning)), ''
                               ORDER BY u.name)
               FROM (SELECT n.name, string_agg(DISTINCT pg_temp.short(format_type(n.type, NULL)),
                                               ', ') AS types, min(a.meaning) AS meaning
                       FROM extension_function f
                       JOIN pg_proc p ON p.oid = f.oid
                      CROSS JOIN LATERAL unnest(p.proargnames,
                                                coalesce(p.proallargtypes, p.proargtypes::oid[]),
                                                p.proargmodes)
                                         n (name, type, mode)
                       LEFT JOIN argument a ON a.name = n.name
                      WHERE f.role IN ('interface', 'other') AND n.name <> '' AND n.type IS NOT NULL
                        AND coalesce(n.mode, 'i') = 'i'
                      GROUP BY n.name) u);
    WHEN 'pure', 'type', 'part', 'trigger' THEN
        result := E'| function | meaning |\n|---|---|\n' ||
            (SELECT string_agg(format(E'| `%s` | %s |\n', pg_temp.cell(f.signature), pg_temp.cell(f.comment)),
                               '' ORDER BY f.name, f.signature)
               FROM extension_function f WHERE f.role = part.name);
    WHEN 'types' THEN
        result := E'| type | meaning |\n|---|---|\n' ||
            (SELECT string_agg(format(E'| `%s` | %s |\n', t.typname,
                                      pg_temp.cell(obj_description(t.oid, 'pg_type') ||
                                      coalesce(': '
                                               || (SELECT string_agg(format('`%s` %s', a.attname,
                                                       pg_temp.short(format_type(a.atttypid, a.atttypmod))),
                                                                          ', ' ORDER BY a.attnum)
                                                          FROM pg_attribute a
                                                              WHERE a.attrelid = t.typrelid
                                                                  AND a.attnum > 0), ''))),
                               '' ORDER BY t.typname)
               FROM pg_type t JOIN pg_depend d ON d.classid = 'pg_type'::regclass AND d.objid = t.oid
                   AND d.deptype = 'e'
              WHERE t.typnamespace = 'casino'::regnamespace AND t.typtype IN ('b', 'c', 'd', 'e')
                  AND t.typcategory <> 'A');
    WHEN 'kinds' THEN
        result := E'| kind | selection | games whose plan offers it |\n|---|---|---|\n' ||
            (SELECT string_agg(format(E'| `%s`%s | %s | %s |\n', k.kind, CASE WHEN k.free THEN ' (free)'
                                      ELSE '' END,
                                      CASE k.selection WHEN 'none' THEN '' ELSE k.selection END, k.games), ''
                                          ORDER BY k.n)
               FROM (SELECT b.*, row_number() OVER () AS n,
                            (SELECT string_agg(f.games, ', ' ORDER BY f.family)
                               FROM (SELECT g.family, CASE WHEN count(r.kind) = count(*) AND count(*) > 1
                                     THEN 'all of ' || g.family
                                                           ELSE string_agg(g.game, ', '
                                                                   ORDER BY p.plan_id) FILTER (WHERE r.kind IS NOT NULL) END AS games
                                       FROM casino.game g
                                       JOIN casino.game_plan p ON p.game = g.game AND p.version = 1
                                       LEFT JOIN casino.bet_rule r ON r.plan_id = p.plan_id
                                           AND r.kind = b.kind
                                      GROUP BY g.family) f) AS games
                       FROM casino.bet_kinds() b) k);
    WHEN 'games' THEN
        result := E'| game | name | family | live | rounds can be played |\n|---|---|---|---|---|\n' ||
            (SELECT string_agg(format(E'| `%s` | %s | %s | %s | %s |\n', g.game, g.name, g.family,
                                      CASE WHEN g.live THEN 'yes' ELSE 'no' END,
                                      CASE WHEN casino_internal.family_is_built(g.family) THEN 'yes'
                                          ELSE 'not yet' END), '' ORDER BY p.plan_id)
               FROM casino.game g JOIN casino.game_plan p ON p.game = g.game AND p.version = 1);
    WHEN 'entry kinds' THEN
        result := E'| kind | debit | credit | wallet | meaning |\n|---|---|---|---|---|\n' ||
            (SELECT string_agg(format(E'| `%s` | %s | %s | %s | %s |\n', k.kind, k.debit_account,
                                      k.credit_account,
                                      CASE k.wallet_sign WHEN 1 THEN '+' WHEN -1 THEN '−'
                                          ELSE '' END, k.meaning), '')
               FROM casino.entry_kinds() k);
    -- what is "Part of" something, by its comment, serves the extension only
    WHEN 'tables', 'views', 'tables of parts', 'views of parts' THEN
        FOR item IN SELECT c.oid, c.relname AS name, obj_description(c.oid, 'pg_class') AS comment
            FROM pg_class c
                     WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p', 'v')
                       AND (c.relkind = 'v') = (part.name LIKE 'views%')
                       AND (coalesce(obj_description(c.oid, 'pg_class'),
                                     '') LIKE 'Part of %') = (part.name LIKE '% of parts')
                                         ORDER BY c.relname LOOP
            result := result || format(E'\n### %s\n\n%s.\n\n| column | type | meaning |\n|---|---|---|\n',
                                       item.name, item.comment) ||
                (SELECT string_agg(format(E'| `%s` | %s | %s |\n', a.attname,
                                          pg_temp.short(format_type(a.atttypid, a.atttypmod)),
                                          pg_temp.cell(col_description(item.oid, a.attnum))),
                                              '' ORDER BY a.attnum)
                   FROM pg_attribute a WHERE a.attrelid = item.oid AND a.attnum > 0 AND NOT a.attisdropped);
        END LOOP;
    WHEN 'reasons' THEN
        result := E'| reason | code | values in `data` | text in English | text in Czech |\n'
                  '|---|---|---|---|---|\n' ||
            (SELECT string_agg(format(E'| `%s` | %s | %s | %s | %s |\n', r.reason, r.code, r.data_names,
                                      r.english, r.czech), '' ORDER BY r.code, r.reason)
               FROM casino.refusal_reasons() r);
    WHEN 'sequences' THEN
        result := E'| sequence | meaning |\n|---|---|\n' ||
            (SELECT string_agg(format(E'| `%s` | %s |\n', c.relname,
                                      pg_temp.cell(obj_description(c.oid, 'pg_class'))), ''
                                          ORDER BY c.relname)
               FROM pg_class c WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind = 'S');
    WHEN 'profiles' THEN
        result := E'| profile | may execute | may read |\n|---|---|---|\n' ||
            (SELECT string_agg(format(E'| `%s` | %s | %s |\n', p.profile, p.functions, p.tables), ''
                               ORDER BY p.n)
               FROM (SELECT a.profile, min(a.n) AS n,
                            string_agg(a.object_name, ', '
                                       ORDER BY a.n) FILTER (WHERE a.object_type = 'function') AS functions,
                            coalesce(string_agg(CASE a.object_name WHEN '*' THEN 'every table and view'
                                                ELSE a.object_name END, ', ' ORDER BY a.n)
                                         FILTER (WHERE a.object_type = 'table'), '-') AS tables
                       -- what all profiles have is said once
                       FROM (SELECT DISTINCT ON (y.object_type, y.object_name, y.profile) y.profile,
                             y.object_type, y.object_name, y.n
                               FROM (SELECT CASE WHEN count(*) OVER (PARTITION BY x.object_type,
                                       x.object_name) = k.profiles THEN 'every profile'
                                                 ELSE x.profile END AS profile, x.object_type, x.object_name,
                                                     x.n
                                       FROM (SELECT a.*, row_number() OVER () AS n
                                             FROM casino.access_profiles() a) x
                                      CROSS JOIN (SELECT count(DISTINCT a.profile) AS profiles
                                                  FROM casino.access_profiles() a) k) y
                              ORDER BY y.object_type, y.object_name, y.profile, y.n) a GROUP BY a.profile) p);
    WHEN 'settings' THEN
        result := E'| setting | default | unit | who may set it | meaning |\n|---|---|---|---|---|\n' ||
            (SELECT string_agg(format(E'| `%s` | %s | %s | %s | %s |\n', s.name, s.boot_val, s.unit,
                                      s.context,
                                      pg_temp.cell(s.short_desc || ' ' || coalesce(s.extra_desc, ''))), ''
                                          ORDER BY s.name)
               FROM pg_settings s WHERE s.name LIKE 'casino.%');
    END CASE;
    RETURN btrim(result, E'\n') || E'\n';
END $$;

CREATE FUNCTION pg_temp.reference(content text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
    lines text[] := '{}';
    skip boolean := false;
    name text;
    line text;
BEGIN
    PERFORM 'red@1'::casino.bet;        -- loads the library, and with it the settings
    FOREACH line IN ARRAY string_to_array(content, E'\n') LOOP
        IF line = '<!-- end -->' THEN
            skip := false;
        END IF;
        IF NOT skip THEN
            lines := lines || line;
        END IF;
        name := substring(line FROM '^<!-- generated: (.*) -->$');
        IF name IS NOT NULL THEN
            lines := lines || ''::text || string_to_array(pg_temp.part(name), E'\n');
            skip := true;
        END IF;
    END LOOP;
    RETURN array_to_string(lines, E'\n');
END $$;
