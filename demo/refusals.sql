\set heading '5. Refused stakes'
\ir heading.sql

\echo
\echo 'A refused stake is an error with its own SQLSTATE, a message, a detail and often a hint:'
SELECT open_round(:morava, 'M-2', '2026-05-20 15:00') AS round \gset
\set ON_ERROR_STOP off
SELECT place_bet(:round, 23, 'red@50', 'g-8', at => '2026-05-20 15:00:05');
\echo SQLSTATE :LAST_ERROR_SQLSTATE
\set ON_ERROR_STOP on

\echo
\echo 'try_place_bets() gives the same as a row, and keeps it in the table refusal:'
SELECT code, message, detail FROM try_place_bets(:round, 23, '{red@50}',                 'g-9',  at => '2026-05-20 15:00:06') \gx
SELECT code, message, detail FROM try_place_bets(:round, 23, '{straight:5@2000.01}',     'g-10', at => '2026-05-20 15:00:07') \gx
SELECT code, message, detail FROM try_place_bets(:round, 23, '{banker@100}',             'g-11', at => '2026-05-20 15:00:08') \gx
SELECT code, message, detail FROM try_place_bets(:round, 24, '{black@2000, odd@2000}',   'g-12', at => '2026-05-20 15:00:09') \gx
SELECT code, message, detail FROM try_place_bets(:round, 23, '{red@200}',                'g-3',  at => '2026-05-20 15:00:10') \gx
SELECT code, message, detail FROM try_place_bets(:round, 25, '{black@100}',              'g-13', at => '2026-05-20 14:17') \gx
SELECT close_betting(:round, '2026-05-20 15:00:40') \g /dev/null
SELECT code, message, detail FROM try_place_bets(:round, 26, '{red@100}',                'g-14', at => '2026-05-20 15:00:41') \gx
SELECT settle_round(:round, '{"number": 1}', '2026-05-20 15:01') \g /dev/null
