# What the TAP tests share: a piece of a gaming day, fingerprints of everything in schema casino, what must
# never be broken.
package Play;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT =
	qw(install play broken fingerprint definitions work_on error differences outcomes evening $worked);

# SQLSTATE and message of a statement that must fail; '' when it does not
sub error
{
	my ($node, $db, $sql) = @_;
	my ($rc, undef, $err) = $node->psql($db, "\\set VERBOSITY verbose\n$sql");
	return $err =~ /ERROR:\s+(\S+: .*)/ ? $1 : '';
}

# Lines that only one of two texts has
sub differences
{
	my ($was, $is) = @_;
	my (%was, %is);
	$was{$_}++ for split /\n/, $was;
	$is{$_}++ for split /\n/, $is;
	return join "\n", (map { "- $_" } grep { !$is{$_} } sort keys %was),
		(map { "+ $_" } grep { !$was{$_} } sort keys %is);
}

# Of this version: '' for that of the control file
our $version = '';
sub install
{
	my ($node, $db) = @_;
	$node->safe_psql($db, "CREATE EXTENSION casino$version; SELECT casino.install()");
}

# Rounds of every state, entries of every kind, a row of every table and view.
sub play
{
	my ($node, $db) = @_;
	$node->safe_psql($db, <<'SQL');
SELECT casino.add_game_table('roulette_american', 'R' || n, 100, 2500) FROM generate_series(1, 5) n;
SELECT casino.add_game_table('baccarat', 'B1', 50, 5000, '{"limits": {"tie": {"min": 50, "max": 500}}}');
SELECT casino.register_player('anna'), casino.register_player('bob');
SELECT casino.deposit(1, 10000, 'd1'), casino.deposit(2, 5000.50, 'd1');
-- settled, with wagers won, lost, cancelled
SELECT casino.open_round(1, 'settled',
                         facts => '{"dealer": "d-1", "shoe": "s-1", "shift": "late", "video": "v-1"}');
SELECT casino.place_bets(1, 1, '{red@500,straight:17@100,split:1-2@200}', 'a');
SELECT casino.place_bet(1, 2, 'black@1000', 'a'), casino.place_bet(1, 2, 'even@100', 'b');
SELECT casino.cancel_bet(1, 2, 'b');
SELECT casino.cancel_bet(1, 2, 'never');
SELECT casino.settle_round(1, '{"number": 17}');
-- withheld, voided, closed, open
SELECT casino.open_round(2, 'withheld');
SELECT casino.place_bet(2, 1, 'red@300', 'w');
SELECT casino.settle_round(2, '{"number": 1}', withhold => true);
SELECT casino.open_round(3, 'voided');
SELECT casino.place_bet(3, 1, 'red@300', 'v'), casino.place_bet(3, 2, 'red@300', 'v');
SELECT casino.void_round(3, 'the ball left the wheel');
SELECT casino.open_round(4, 'closed');
SELECT casino.place_bet(4, 1, 'low@400', 'c'), casino.place_bet(4, 2, 'high@400', 'c');
SELECT casino.close_betting(4);
SELECT casino.open_round(5, 'open');
SELECT casino.place_bet(5, 1, 'odd@250', 'o');
-- cards, a correction, a breach, a plan version to come
SELECT casino.open_round(6, 'cards');
SELECT casino.place_bets(6, 2, '{player@200,tie@50}', 'p');
SELECT casino.settle_round(6, '{"player": "9h Kd", "banker": "7c Js"}');
-- the duties: an account, withdrawals paid and pending, limits, an exclusion, a refusal; a box with hands of
-- one player's own
SELECT casino.register_player('dora'), casino.deposit(3, 2000),
  casino.set_payment_account(3, 'CZ65 0800 0000 1920 0014 5399');
SELECT casino.set_limit(3, 'stake', 'day', 1500);
SELECT casino.request_withdrawal(3, 100, 'transfer', 't'),
  casino.pay_withdrawal(casino.request_withdrawal(3, 50, 'cash', 'k'));
SELECT casino.add_game_table('blackjack_infinite', 'I1', 50, 5000);
SELECT casino.open_round(7, 'cards');
SELECT casino.place_bets(7, 3, '{main@200,21+3@50}', 'm');
SELECT casino.try_place_bets(7, 3, '{main@5000}', 'too much');
SELECT casino.settle_round(7,
    '{"dealer": "6h Tc 5s", "hands": [{"cards": "9c 9d"}, {"player": 3, "cards": "9c 9d"}]}');
SELECT casino.add_game_table('casino_holdem', 'C1', 50, 5000),
  casino.add_game_table('holdem_cash_25_50', 'T1', 25, 5000);
SELECT casino.open_round(8, 'cards');
SELECT casino.place_bet(8, 3, 'ante@100', 'n');
SELECT casino.settle_round(8, '{"player": "9c 9d", "board": "2c 7h Kd", "dealer": "As Ad"}');
SELECT casino.register_player('emil'), casino.deposit(4, 500);
SELECT casino.open_round(9, 'cards');
SELECT casino.bring_to_table(9, 3, 300, 1);
SELECT casino.place_bet(9, 3, 'pot@50', 'p', 1), casino.place_bet(9, 4, 'pot@50', 'p', 2);
SELECT casino.close_betting(9);
SELECT casino.deal(9, '{"button": 1, "seats": [{"seat": 1}, {"seat": 2}]}');
SELECT casino.disconnect(9, 4);
SELECT casino.disconnect(9, 3);
SELECT casino.reconnect(9, 3);
SELECT casino.set_table_limits(6, 50, 4000, '{"limits": {"tie": {"min": 50, "max": 400}}}');
SELECT casino.settle_round(9, '{"button": 1, "seats": [{"seat": 1}, {"seat": 2, "folded": true}]}');
SELECT casino.exclude_player(3, NULL, 'self');
SELECT casino.adjust(2, -10.25, 'paid twice at the cage', 'k');
SELECT casino.close_game_table(9, 'the dealer is ill'), casino.reopen_game_table(9, 'the dealer is back');
INSERT INTO casino.obeyed VALUES (1, 1, now());
INSERT INTO casino.breach VALUES (1, 2, 'declared_win', '{"payout": 1}', now(), now());
-- a box handed over, winnings of single players withheld and one of them paid, an exclusion ended, play of
-- another product
SELECT casino.register_player('fred'), casino.deposit(5, 1000), casino.register_player('gina'),
  casino.deposit(6, 1000);
SELECT casino.add_game_table('blackjack_free_bet', 'F1', 10, 2500);
SELECT casino.open_round(10, 'box');
SELECT casino.place_bet(10, 5, 'main@100', 'f', 3), casino.place_bet(10, 6, 'main@50', 'g', 3);
SELECT casino.close_betting(10), casino.hand_over_box(10, 3, 6);
SELECT casino.open_round(1, 'single players');
SELECT casino.place_bet(11, 5, 'red@100'), casino.place_bet(11, 6, 'red@200');
-- the rest goes into the second book of the ledger
SELECT casino.turn_book();
SELECT casino.withhold_winnings(11, 5, 'under review'), casino.withhold_winnings(11, 6, 'under review');
SELECT casino.settle_round(11, '{"number": 1}'), casino.pay_withheld(11, player_id => 6);
SELECT casino.approve_adjustment(5, 'bonus', 700, 'a gift', round_id => 11);
SELECT casino.exclude_player(6, NULL, 'operator'), casino.end_exclusion(6, 1, 'taken for somebody else');
SELECT casino.count_other_play(5, 'sports book', 100, -20, 'o');
-- the register asked, and an exclusion of a player that two people approve as a mistake
SELECT casino.record_register_check(5, 'clear'), casino.record_register_check(6, 'unavailable');
SELECT casino.exclude_player(5, NULL, 'self');
GRANT USAGE ON SCHEMA casino, casino_internal TO pg_monitor, pg_checkpoint;
GRANT EXECUTE ON FUNCTION casino.approve_exclusion_mistake TO pg_monitor, pg_checkpoint;
SET SESSION AUTHORIZATION pg_monitor;
SELECT casino.approve_exclusion_mistake(5, 1, 'she asked for another player');
SET SESSION AUTHORIZATION pg_checkpoint;
SELECT casino.approve_exclusion_mistake(5, 1, 'the form is another player''s');
RESET SESSION AUTHORIZATION;
REVOKE ALL ON FUNCTION casino.approve_exclusion_mistake FROM pg_monitor, pg_checkpoint;
REVOKE ALL ON SCHEMA casino, casino_internal FROM pg_monitor, pg_checkpoint;
-- a card recorded wrongly before the evaluation; results found wrong after it: one corrected with cards, one
-- that leaves two claims, of which one is settled, and one that waits for its approval
SELECT casino.open_round(6, 'misread');
SELECT casino.place_bet(12, 2, 'player@100', 'mis');
SELECT casino.close_betting(12), casino.deal(12, '{"player": "9h Kd", "banker": "7c Js"}');
SELECT casino.correct_deal(12, '{"player": "8h Kd", "banker": "7c Js"}', 'the camera misread the eight');
SELECT casino.settle_round(12, '{"player": "8h Kd", "banker": "7c Js"}');
SELECT casino.open_round(1, 'corrected');
SELECT casino.place_bet(13, 5, 'red@100', 'c1'), casino.place_bet(13, 5, 'odd@100', 'c2');
SELECT casino.settle_round(13, '{"number": 1}');
SELECT casino.request_withdrawal(5,
    (SELECT balance FROM casino.player WHERE player_id = 5), 'cash', 'all of it');
SELECT casino.correct_round(13, '{"number": 2}', 'the ball lay on 2'),
  casino.correct_round(6, '{"player": "8h Kd", "banker": "7c Js"}', 'an eight');
GRANT USAGE ON SCHEMA casino, casino_internal TO pg_monitor;
GRANT EXECUTE ON FUNCTION casino.approve_correction TO pg_monitor;
SET SESSION AUTHORIZATION pg_monitor;
SELECT casino.approve_correction(1), casino.approve_correction(2);
RESET SESSION AUTHORIZATION;
REVOKE ALL ON FUNCTION casino.approve_correction FROM pg_monitor;
REVOKE ALL ON SCHEMA casino, casino_internal FROM pg_monitor;
SELECT casino.settle_claim(5000000001, 'paid at the desk');
SELECT casino.correct_round(12, NULL, 'the shoe was not shuffled');
-- dates long past: a late payment with its excuse, a transfer to an account too new, which somebody else
-- approves
SET casino.clock_skew = -1;
SELECT casino.mark_replay('2025-12-01', '2026-06-30', 'days long past');
SELECT casino.register_player('hana'), casino.deposit(7, 1000, at => '2026-01-01'),
  casino.set_payment_account(7, 'CZ1', '2025-12-01');
SELECT casino.request_withdrawal(7, 100, 'transfer', 't1', '2026-01-02'),
  casino.request_withdrawal(7, 200, 'transfer', 't2', '2026-01-02');
SELECT casino.pay_withdrawal(casino.withdrawal_id(7, 2), '2026-06-01'),
  casino.excuse_delay(7, 2, 'the bank returned it twice', '2026-06-02');
SELECT casino.set_payment_account(7, 'CZ2', '2026-06-03');
GRANT USAGE ON SCHEMA casino, casino_internal TO pg_monitor;
GRANT EXECUTE ON FUNCTION casino.approve_withdrawal TO pg_monitor;
SET SESSION AUTHORIZATION pg_monitor;
SELECT casino.approve_withdrawal(7000000003, '2026-06-04');
RESET SESSION AUTHORIZATION;
REVOKE ALL ON FUNCTION casino.approve_withdrawal FROM pg_monitor;
REVOKE ALL ON SCHEMA casino, casino_internal FROM pg_monitor;
-- a person whose retention is over
SELECT casino.set_duty_rule('retention_years', '0', '2020-01-01', '-', 'a test');
SELECT casino.register_player('ivo') AS ivo \gset
SELECT casino.close_account(:ivo);
SELECT casino.erase_person('ivo', 'the wrong person');
SELECT casino.reject_erasure('ivo', 'a mistake');
SELECT casino.erase_person('ivo', 'request 12');
GRANT USAGE ON SCHEMA casino, casino_internal TO pg_monitor;
GRANT EXECUTE ON FUNCTION casino.approve_erasure TO pg_monitor;
SET SESSION AUTHORIZATION pg_monitor;
SELECT casino.approve_erasure('ivo');
RESET SESSION AUTHORIZATION;
REVOKE ALL ON FUNCTION casino.approve_erasure FROM pg_monitor;
REVOKE ALL ON SCHEMA casino, casino_internal FROM pg_monitor;
RESET casino.clock_skew;
SELECT casino.add_plan_version('roulette_american', now() + interval '1 year', 'D2 Roulette, next');
-- drafts that a second person has decided: one is approved, one is withdrawn
GRANT USAGE ON SCHEMA casino, casino_internal TO pg_monitor;
GRANT SELECT, INSERT, UPDATE ON casino.game_plan, casino.plan_approval, casino.plan_withdrawal TO pg_monitor;
GRANT SELECT ON ALL TABLES IN SCHEMA casino TO pg_monitor;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA casino, casino_internal TO pg_monitor;
SELECT casino.add_plan_version('baccarat', now() + interval '1 year', 'Baccarat, next') AS draft \gset
SELECT casino.add_plan_version('casino_holdem', now() + interval '1 year', 'another') AS gone \gset
-- whose rows were changed (R7.120)
SELECT casino.change_plan_version(:draft, 'bet_rule', '{"kind": "tie", "max_stake": 20000}');
SELECT casino.change_plan_version(:draft, 'bet_rule', '{"kind": "tie", "max_stake": 25000}');
SET SESSION AUTHORIZATION pg_monitor;
SELECT casino.approve_plan_version(:draft, 'MF-1', 'Ministry of Finance');
SELECT casino.withdraw_plan_version(:gone, 'refused');
RESET SESSION AUTHORIZATION;
REVOKE ALL ON ALL TABLES IN SCHEMA casino FROM pg_monitor;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA casino, casino_internal FROM pg_monitor;
REVOKE ALL ON SCHEMA casino, casino_internal FROM pg_monitor;
-- books that do not fit, and the note on it
INSERT INTO casino.reconciliation (run_no, from_day, to_day, night, started_at, finished_at, status, done,
    total)
VALUES (1, '2020-01-01', '2020-01-01', false, now(), now(), 'differences', 1, 1);
INSERT INTO casino.difference (run_no, difference_no, check_name, rule, player_id, detail, recorded_at)
  VALUES (1, 1, 'wallet', 'D4', 1, '{}', now());
INSERT INTO casino.difference_note (run_no, difference_no, note_no, state, note, recorded_at)
VALUES (1, 1, 1, 'explained', 'planted', now());
INSERT INTO casino.day_sign_off (day, sign_no, run_no, name, differences, opening, closing, carried,
    recorded_at)
VALUES ('2020-01-01', 1, 1, session_user, 1, 0, 0, 0, now());
INSERT INTO casino.day_report (day, run_no, report, made_at)
  VALUES ('2020-01-01', 1, casino.daily_report('2020-01-01'), now());
SELECT casino.load_provider_report('live', '2020-01-01',
    '[{"kind": "deposit", "ref": "d", "external_ref": "anna", "amount": 1, "at": "2020-01-01"}]');
-- two counts of a cash desk, with payments in and out between
SELECT casino.record_cage_count('Desk 1', now(), 5000);
SELECT pg_sleep(0.01);
SELECT casino.register_player('jana') AS jana \gset
SELECT casino.deposit(:jana, 70, method => 'cash', place => 'Desk 1');
SELECT casino.pay_withdrawal(casino.request_withdrawal(:jana, 50, 'cash'), place => 'Desk 1');
SELECT pg_sleep(0.01);
SELECT casino.record_cage_count('Desk 1', NULL, 4020, moved => -1000);
INSERT INTO casino.day_total VALUES ('2020-01-01', 'deposit', 1, 1);
-- an object of the operator's own, approved and gone since
CREATE FUNCTION public.told() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER told AFTER INSERT ON casino.round FOR EACH ROW EXECUTE FUNCTION public.told();
SELECT casino.approve_object('trigger told on round', 'tells the displays');
DROP TRIGGER told ON casino.round;
DROP FUNCTION public.told();
-- readers of changes have numbered them
SELECT count(*) FROM casino.round_changes();
SELECT count(*) FROM casino.player_day_changes();
INSERT INTO casino.kept_day VALUES ('2020-01-01', 1, 1, 0, now());
INSERT INTO casino.kept_table VALUES ('2020-01-01', 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0);
INSERT INTO casino.kept_game VALUES ('2020-01-01', 'baccarat', 1, 0, 1, 0);
INSERT INTO casino.kept_player VALUES ('2020-01-01', 1, 1, 0);
-- the first book as it would be closed when nothing of it is open any more
SELECT casino_internal.write_book_closing(1);
SELECT casino.set_provider_setting('live', (now() AT TIME ZONE 'UTC')::date + 2, 90, 'UTC', '06:00');
-- a provider that leaves and comes back
SELECT casino.end_provider('live', (now() AT TIME ZONE 'UTC')::date + 3, 'its contract ends');
SELECT casino.resume_provider('live', (now() AT TIME ZONE 'UTC')::date + 9, 'a new contract');
SELECT casino.seal((now() AT TIME ZONE 'Europe/Prague')::date);
SELECT casino.watch_day(d)
  FROM (SELECT DISTINCT (evaluated_at AT TIME ZONE 'Europe/Prague')::date
          FROM casino.round
         WHERE evaluated_at IS NOT NULL) AS r (d);
SQL
}

# What the isolation specs ask after every race and must find nothing: the query of broken() in
# test/isolation/specs/first.spec, one source for both
sub broken
{
	my ($node, $db) = @_;
	open my $fh, '<', "$ENV{TESTDIR}/test/isolation/specs/first.spec" or die $!;
	my $spec = do { local $/; <$fh> };
	my ($query) = $spec =~ /CREATE FUNCTION broken\(\).*?AS \$\$(.*?)\$\$;/s or die 'no function broken';
	return $node->safe_psql($db, $query);
}

# Row count and a hash of the rows of every table and view of the schema, or of other kinds of relations
sub fingerprint
{
	my ($node, $db, $kinds) = @_;
	$kinds ||= 'rv';
	return $node->safe_psql($db, "\\set kinds $kinds\n" . <<'SQL');
SELECT format('SELECT %L, count(*), md5(string_agg(t::text, E''\n'' ORDER BY t::text COLLATE "C")) FROM %s t',
         c.oid::regclass,
         CASE WHEN c.relkind = 'S' THEN format('(SELECT last_value, is_called FROM %s)', c.oid::regclass)
              ELSE c.oid::regclass::text END)
  FROM pg_class c
 WHERE c.relnamespace = 'casino'::regnamespace AND strpos(:'kinds', c.relkind::text) > 0
 ORDER BY c.relname
\gexec
SQL
}

# Triggers with their firing, constraints, indexes, privileges and comments of the schema
sub definitions
{
	my ($node, $db) = @_;
	return $node->safe_psql($db, <<'SQL');
SELECT 'trigger', tgenabled, pg_get_triggerdef(t.oid), obj_description(t.oid, 'pg_trigger')
  FROM pg_trigger t
  JOIN pg_class c ON c.oid = tgrelid
 WHERE relnamespace = 'casino'::regnamespace AND NOT tgisinternal
 ORDER BY 3;
SELECT 'constraint', conrelid::regclass, pg_get_constraintdef(oid), convalidated
  FROM pg_constraint
 WHERE connamespace = 'casino'::regnamespace
   AND contype <> 'n'      -- NOT NULL is in the catalogue from 18 on
 ORDER BY 2, 3;
SELECT 'index', pg_get_indexdef(indexrelid), obj_description(indexrelid, 'pg_class')
  FROM pg_index
  JOIN pg_class c ON c.oid = indexrelid
 WHERE relnamespace = 'casino'::regnamespace
 ORDER BY 2;
SELECT 'relation', c.oid::regclass, relkind, pg_get_userbyid(relowner),
       ARRAY(SELECT unnest(relacl)::text ORDER BY 1), reloptions, obj_description(c.oid, 'pg_class'),
       ARRAY(SELECT format('%s %s %s', attname, atttypid::regtype, col_description(c.oid, attnum))
               FROM pg_attribute
              WHERE attrelid = c.oid AND attnum > 0
              ORDER BY attnum)
  FROM pg_class c
 WHERE relnamespace = 'casino'::regnamespace AND relkind IN ('r', 'v', 'S')
 ORDER BY c.relname;
SELECT 'function', p.oid::regprocedure, ARRAY(SELECT unnest(proacl)::text ORDER BY 1)
  FROM pg_proc p
 WHERE pronamespace = ANY (casino_internal.schemas())
 ORDER BY p.oid::regprocedure::text;
SELECT 'type', t.oid::regtype, ARRAY(SELECT unnest(typacl)::text ORDER BY 1)
  FROM pg_type t
 WHERE typnamespace = 'casino'::regnamespace
 ORDER BY t.oid::regtype::text;
SELECT 'schema', ARRAY(SELECT unnest(nspacl)::text ORDER BY 1) FROM pg_namespace WHERE nspname = 'casino';
SQL
}

# public.outcome(round, family): the outcome of a closed round from the stakes that stand, legal cards for
# each seat that has one; public.has_seats(game): whether its boxes are seats, as its plan says
sub outcomes
{
	my ($node, $db) = @_;
	$node->safe_psql($db, <<'SQL');
CREATE FUNCTION public.outcome(round bigint, family text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    seats CONSTANT int[] := ARRAY(
        SELECT DISTINCT w.seat
          FROM casino.wager w
         WHERE w.round_id = round AND w.status <> 'refunded' AND w.seat IS NOT NULL
         ORDER BY 1);
    most CONSTANT int := (
        SELECT w.seat
          FROM casino.wager w
         WHERE w.round_id = round AND w.status <> 'refunded'
         GROUP BY w.seat
         ORDER BY sum(casino.stake(w.bet)) DESC, w.seat
         LIMIT 1);
    shared CONSTANT boolean := EXISTS (
        SELECT
          FROM casino.wager w
         WHERE w.round_id = round AND w.status <> 'refunded' AND w.seat IS NULL);
BEGIN
    RETURN CASE family
        WHEN 'roulette' THEN jsonb_build_object('number', round * 7 % 37)
        WHEN 'baccarat'
          THEN (ARRAY['{"player": "2h 3d 9c", "banker": "Kc 6s"}', '{"player": "9h Kd", "banker": "7c Js"}',
              '{"player": "8h Kd", "banker": "8c Js"}'])[1 + round % 3]::jsonb
        WHEN 'blackjack'
          THEN jsonb_build_object('dealer', (ARRAY['7h Tc', '6h Tc 5s', 'Ah Kc', '9h 9c'])[1 + round % 4],
            'hands',
            CASE WHEN shared THEN '[{"cards": "Ts 9d"}]'::jsonb
                 ELSE coalesce((SELECT jsonb_agg(jsonb_build_object('seat', s, 'cards', 'Ts 8d'))
                                  FROM unnest(seats) s), '[]') END)
        WHEN 'casino_holdem' THEN '{"player": "9c 9d", "board": "2c 7h Kd", "dealer": "As Ad"}'::jsonb
        -- the others fold to who has put in most; a hand needs two
        WHEN 'texas_holdem'
          THEN CASE WHEN cardinality(seats) > 1
                    THEN jsonb_build_object('button', seats[1], 'seats', (
                        SELECT jsonb_agg(jsonb_build_object('seat', s)
                                 || CASE WHEN s = most THEN '{}' ELSE '{"folded": true}'::jsonb END)
                          FROM unnest(seats) s)) END
    END;
END $$;
CREATE FUNCTION public.has_seats(game text) RETURNS boolean LANGUAGE sql AS $$
    SELECT EXISTS (SELECT FROM casino.game g WHERE g.game = has_seats.game AND g.family = 'texas_holdem')
        OR EXISTS (
          SELECT
            FROM casino.plan_rule r
           WHERE r.plan_id = casino.plan_in_force(has_seats.game, clock_timestamp())
             AND r.rule = 'box'
             AND r.value = 'seats')
$$;
SQL
}

# A day's rounds at a table of each game that has one, five players each: settled, every eleventh voided, one
# stake in nine cancelled. All of a day's play is within an hour, so that nobody owes himself a break; without
# a day it is played now
sub evening
{
	my ($node, $db, $day, $rounds) = @_;
	$day ||= 'now';
	$node->safe_psql($db, "\\set day $day\n\\set rounds $rounds\n" . <<'SQL');
SET casino.clock_skew = -1;
SELECT casino.mark_replay('2000-01-01', '2100-12-31', 'a test');
SELECT 3600.0 / (:rounds * (SELECT count(*) FROM casino.game_table)) AS step \gset
SELECT set_config('evening.day', :'day', false), set_config('evening.rounds', :'rounds', false),
  set_config('evening.step', :'step', false) \g /dev/null
DO $$
DECLARE
    moment timestamptz := (nullif(current_setting('evening.day'), 'now')::date + time '18:00')
                            AT TIME ZONE 'Europe/Prague';
    step CONSTANT interval := make_interval(secs => current_setting('evening.step')::double precision / 8);
    t record;
    id bigint;
    bets casino.bet[];
BEGIN
    FOR n IN 1 .. current_setting('evening.rounds')::int LOOP
        FOR t IN
            SELECT g.table_id, g.game, f.family, public.has_seats(g.game) AS seats
              FROM casino.game_table g
              JOIN casino.game f USING (game)
             ORDER BY 1
        LOOP
            id := casino.open_round(t.table_id, current_setting('evening.day') || ' ' || n, at => moment);
            bets := CASE t.family
                WHEN 'roulette'
                  THEN (ARRAY['{red@50,even@20}', '{straight:17@10}',
                              '{corner:25-26-28-29@30,low@40}'])[1 + n % 3]
                WHEN 'baccarat' THEN (ARRAY['{player@50}', '{banker@40}', '{tie@10,player@20}'])[1 + n % 3]
                WHEN 'blackjack' THEN '{main@50}'
                WHEN 'casino_holdem' THEN '{ante@50}'
                ELSE '{pot@20}' END::casino.bet[];
            FOR p IN 1 .. 5 LOOP
                moment := moment + step;
                PERFORM casino.place_bets(id, p, bets, 'round ' || id, CASE WHEN t.seats THEN p END,
                    at => moment);
                IF (id + p) % 9 = 0 THEN
                    PERFORM casino.cancel_bet(id, p, 'round ' || id, at => moment);
                END IF;
            END LOOP;
            moment := moment + step;
            PERFORM casino.close_betting(id, at => moment);
            moment := moment + step;
            IF id % 11 = 0 OR public.outcome(id, t.family) IS NULL THEN
                PERFORM casino.void_round(id, 'the cards fell', at => moment);
            ELSE
                PERFORM casino.settle_round(id, public.outcome(id, t.family), at => moment);
            END IF;
            moment := moment + step;
        END LOOP;
    END LOOP;
END $$;
SQL
}

# Go on where play() stopped; one line a step, which must be $worked
our $worked = <<'OUT' =~ s/\n\z//r;
old requests|{2,3,4}|1|{4}
old settlement|settled|4|5600.00
old void|voided|600.00
stake|15
settle closed|settled|2|2|800.00|800.00
settle open|settled|2|2|350.00|700.00
pay withheld|settled|600.00
next round|t
new player|1
anna|13750.00|13
bob|5940.25|16
carl|1.00|1
dora|1550.00|9
emil|450.00|2
fred|0.00|8
gina|1150.00|4
hana|700.00|4
jana|20.00|3
OUT
sub work_on
{
	my ($node, $db) = @_;
	return $node->safe_psql($db, <<'SQL');
\pset tuples_only on
SELECT 'old requests', casino.place_bets(1, 1, '{red@500,straight:17@100,split:1-2@200}', 'a'),
  casino.deposit(2, 5000.5, 'd1'), casino.cancel_bet(1, 2, 'b');
SELECT 'old settlement', status, wagers, paid FROM casino.settle_round(1, '{"number": 17}');
SELECT 'old void', status, paid FROM casino.void_round(3, 'the ball left the wheel');
SELECT 'stake', casino.place_bet(5, 2, 'red@100', 'new');
SELECT 'settle closed', status, wagers, players, staked, paid FROM casino.settle_round(4, '{"number": 3}');
SELECT casino.close_betting(5) \g /dev/null
SELECT 'settle open', status, wagers, players, staked, paid FROM casino.settle_round(5, '{"number": 3}');
SELECT 'pay withheld', status, paid FROM casino.pay_withheld(2);
SELECT 'next round',
  casino.open_round(1, 'next', round_id => 99) = casino.open_round(1, 'next', round_id => 99);
SELECT 'new player', casino.deposit(casino.register_player('carl'), 1);
-- an erased person has a token that nobody knows before
SELECT external_ref, balance, last_entry_no
  FROM casino.player
 WHERE external_ref !~ '^[0-9a-f]{64}$'
 ORDER BY 1;
SQL
}

1;
