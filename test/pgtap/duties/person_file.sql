-- Answers about one person: player_recall() shows a round without the other players (R7.79), person_file()
-- everything that is kept of a person (R7.89), inactive_accounts() accounts without activity (R7.90), and
-- significant_event() the events of a person (R7.91).
\ir ../helpers/compliance.psql
SELECT no_plan();

-- ---------------------------------------------------------------- player_recall(): boxes at one table
SELECT casino.add_game_table('blackjack_czech_casinos', 'J', 10, 1000) AS j \gset
SELECT t.player() AS ann \gset
SELECT t.player() AS bob \gset
SELECT casino.open_round(:j, 'boxes', t.at('10:00')) AS r \gset
SELECT casino.place_bet(:r, :ann, 'main@100', 'ann''s', 1, at => t.at('10:01')),
       casino.place_bet(:r, :bob, 'main@200', 'bob''s', 2, at => t.at('10:01')) \g /dev/null
SELECT casino.close_betting(:r, t.at('10:02')) \g /dev/null
SELECT casino.deal(:r, '{"dealer": "9h", "hands": [{"seat": 1, "cards": "Ts 9c"},
                                                  {"seat": 2, "cards": "7s 6c"}]}',
                   t.at('10:03')) \g /dev/null
SELECT casino.settle_round(:r, '{"dealer": "9h 8d", "hands": [{"seat": 1, "cards": "Ts 9c"},
                                                          {"seat": 2, "cards": "7s 6c 9d"}]}',
                           t.at('10:04')) \g /dev/null
SELECT casino.player_recall(:ann, :r) AS recalled \gset
SELECT is(jsonb_path_query_array(:'recalled'::jsonb, '$.wagers[*].player_id'), jsonb_build_array(:ann),
          'R7.79: the wagers of the player');
SELECT is((:'recalled'::jsonb #>> '{round,staked}')::numeric, 100.00, 'R7.79: ... their stake');
SELECT is((:'recalled'::jsonb #>> '{round,paid}')::numeric, 200.00, 'R7.79: ... and their payout');
SELECT is(:'recalled'::jsonb -> 'document', '{"dealer": "9h 8d", "hands": [{"seat": 1, "cards": "Ts 9c"}]}',
          'R7.79: the document with the dealer and the player''s hand');
SELECT is(jsonb_path_query_array(:'recalled'::jsonb, '$.cards[*].cards'), '["Ts 9c", "9h 8d"]',
          'R7.79: the cards of the table and of the player');
SELECT is(:'recalled'::jsonb #> '{deals,0,document}',
          '{"dealer": "9h", "hands": [{"seat": 1, "cards": "Ts 9c"}]}',
          'R7.79: the deals likewise');
SELECT is(:'recalled'::jsonb -> 'times', casino.game_recall(:r) -> 'times', 'R7.79: all times');
SELECT is(:'recalled'::jsonb #> '{plan,rules}', casino.game_recall(:r) #> '{plan,rules}', 'R7.79: the plan');
SELECT ok(:'recalled'::text !~ '7s|6c|bob|200\.00"|supervisor|recorded_by', 'R7.79: nothing of the other');
SELECT is(t.verdict(statement), code, statement)
  FROM (VALUES (format('SELECT casino.player_recall(99999, %s)', :r), '23503'),
               (format('SELECT casino.player_recall(%s, 99999)', :ann), '23503'),
               (format('SELECT casino.player_recall(%s, %s)', t.player(), :r), '22023')) v (statement, code);
SELECT is(casino.player_recall(NULL, :r), NULL, 'NULL of NULL');
-- the same as a page
CREATE FUNCTION t.cards_on(page text) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(m[1], ', ' ORDER BY m[1])
      FROM regexp_matches(page, 'class="card"[^>]*aria-label="([^"]+)"', 'g') m
$$;
SELECT casino.player_round_page(:ann, :r, 'en') AS page \gset
SELECT is(t.cards_on(:'page'), 'clubs nine, diamonds eight, hearts nine, spades ten',
          'R9.70: the cards of dealer and player');
SELECT unalike(:'page'::text, '%' || p.external_ref || '%', 'R9.70: not the other player')
  FROM casino.player p WHERE p.player_id = :bob;

-- a shared box: hands by players
SELECT casino.add_game_table('blackjack_infinite', 'I', 10, 1000) AS i \gset
SELECT casino.open_round(:i, 'shared', t.at('11:00')) AS s \gset
SELECT casino.place_bet(:s, p, 'main@100', 's', at => t.at('11:01')) FROM unnest(ARRAY[:ann, :bob]) p
    \g /dev/null
SELECT casino.close_betting(:s, t.at('11:02')) \g /dev/null
SELECT casino.settle_round(:s, format('{"dealer": "9h Td", "hands": [{"player": %s, "cards": "5s 4c 3h"},
                                       {"player": %s, "cards": "5s 4c Tc"}]}', :ann, :bob)::jsonb,
                           t.at('11:03')) \g /dev/null
SELECT is(casino.player_recall(:ann, :s) #> '{document,hands}',
          format('[{"cards": "5s 4c 3h", "player": %s}]', :ann)::jsonb, 'R7.79: a shared box: the own hand');
SELECT ok(casino.player_recall(:ann, :s)::text !~ ('Tc|player_id": ' || :bob), 'R7.79: ... and no other');
SELECT is(t.cards_on(casino.player_round_page(p, :s, 'en')), cards, 'R9.70: a shared box: the own hand')
  FROM (VALUES (:ann, 'clubs four, diamonds ten, hearts nine, hearts three, spades five'),
               (:bob, 'clubs four, clubs ten, diamonds ten, hearts nine, spades five')) v (p, cards);

-- ---------------------------------------------------------------- person_file(): two accounts
SELECT p.external_ref AS ref FROM casino.player p WHERE p.player_id = :ann \gset
SELECT casino.set_limit(:ann, 'stake', 'day', 5000, t.at('11:30')),
       casino.record_register_check(:ann, 'clear', t.at('11:31')),
       casino.exclude_player(:bob, NULL, 'self', t.at('11:32')) \g /dev/null
SELECT casino.request_withdrawal(:ann, 100, 'cash', 'out', t.at('12:00')) AS w \gset
SELECT casino.cancel_withdrawal(:w, t.at('12:01')) \g /dev/null
SELECT casino.adjust(:ann, -p.balance, 'taken out for the test', at => t.at('12:02'))
  FROM casino.player p WHERE p.player_id = :ann \g /dev/null
SELECT casino.close_account(:ann, t.at('12:03')) \g /dev/null
SELECT casino.register_player(:'ref') AS again \gset
SELECT casino.deposit(:again, 50, at => '2030-01-01 10:00') \g /dev/null
SELECT casino.person_file(:'ref') AS file \gset
SELECT is(jsonb_path_query_array(:'file'::jsonb, '$.accounts[*].player_id'), jsonb_build_array(:ann, :again),
          'R7.89: all accounts of the person');
SELECT is((SELECT count(*) FROM jsonb_array_elements(:'file'::jsonb #> '{accounts,0,ledger}')),
          (SELECT count(*) FROM casino.ledger l WHERE l.player_id = :ann), 'R7.89: every entry');
SELECT is(jsonb_path_query_array(:'file'::jsonb, '$.accounts[0].rounds[*].round.round_id'),
          jsonb_build_array(:r, :s), 'R7.89: every round');
SELECT is_empty(format($$SELECT e.section FROM casino.evidence_layouts() e
                          WHERE e.field = 'player_id' AND e.section !~ '^player(_closed)?$'
                            AND NOT %L::jsonb #> '{accounts,0}' ? e.section$$, :'file'),
                'R7.89: every table of evidence that names a player');
SELECT is(jsonb_array_length(:'file'::jsonb #> '{accounts,0,register_check}'), 1, '... with its rows');
SELECT ok(:'file'::text !~ ('7s|6c|"player_id": ' || :bob), 'R7.89: nothing of other players');
SELECT is((SELECT count(*) FROM jsonb_array_elements(:'file'::jsonb -> 'events')),
          (SELECT count(*) FROM casino.significant_event('2000-01-01', '2100-01-01', :'ref')),
          'R7.89: the events');
SELECT is(jsonb_array_length(casino.person_file(:'ref', '2100-01-01', '2100-01-02')
                               #> '{accounts,0,ledger}'), 0,
          'R7.89: days without rows');
SELECT is(t.verdict(statement), code, statement)
  FROM (VALUES ('SELECT casino.person_file(NULL)', '22004'),
               ('SELECT casino.person_file(''no such person'')', '23503'),
               (format('SELECT casino.person_file(%L, ''2026-02-02'', ''2026-02-01'')', :'ref'), '22008'),
               (format('SELECT casino.person_file(%L, ''infinity'')', :'ref'), '22008')) v (statement, code);

-- ---------------------------------------------------------------- significant_event() of a person
SELECT is((SELECT array_agg(DISTINCT e.kind ORDER BY e.kind)
             FROM casino.significant_event('2026-06-01', '2026-06-01', :'ref') e),
          '{"account closed",correction,"limit set","register asked"}', 'R7.91: the events of a person');
SELECT is((SELECT array_agg(e.player_id) FROM casino.significant_event('2026-06-01', '2026-06-01', :'ref') e
            WHERE e.player_id NOT IN (:ann, :again)), NULL, 'R7.91: ... and of no other');
SELECT t.player() AS cid \gset
SELECT p.external_ref AS third FROM casino.player p WHERE p.player_id = :cid \gset
SELECT t.stake(:cid, 'M1', '13:00') AS v \gset
SELECT casino.void_round(:v, 'the wheel stopped', t.at('13:01')) \g /dev/null
SELECT is((SELECT array_agg(e.round_id) FROM casino.significant_event('2026-06-01', '2026-06-01', :'third') e
            WHERE e.event = 'round voided'), ARRAY[:v::bigint],
          'R7.91: events of a round are those of the players who staked there');
SELECT is_empty(format($$SELECT * FROM casino.significant_event('2026-06-01', '2026-06-01', %L)
                          WHERE event = 'round voided'$$, :'ref'), 'R7.91: ... and of no other player');
SELECT is_empty($$SELECT * FROM casino.significant_event('2026-06-01', '2026-06-01', 'no such person')$$,
                'R7.91: no events of a person without an account');
SELECT throws_ok($$SELECT * FROM casino.significant_event(NULL, '2026-06-01')$$, '22004', NULL,
                 'no day: refused, because an empty answer would look clean');
SELECT results_eq($$SELECT * FROM casino.significant_event('2026-06-01', '2026-06-01', NULL)$$,
                  $$SELECT * FROM casino.significant_event('2026-06-01', '2026-06-01')$$,
                  'NULL: all persons');

-- ---------------------------------------------------------------- inactive_accounts()
SELECT results_eq($$SELECT i.player_id, i.last_active_at, i.balance
                      FROM casino.inactive_accounts(t.at('13:00') + interval '1 us') i
                     WHERE i.player_id IN ($$ || :cid || ',' || :ann || ',' || :bob || $$)$$,
                  format('VALUES (%s::bigint, t.at(''11:01''), 999800.00), (%s, t.at(''13:00''), 1000000)',
                         :bob, :cid),
                  'R7.90: open accounts since their last own entry');
SELECT is_empty(format($$SELECT * FROM casino.inactive_accounts(t.at('13:00')) WHERE player_id = %s$$, :cid),
                'R7.90: of that very time it is active');
SELECT * FROM finish();
