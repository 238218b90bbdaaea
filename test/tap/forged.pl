# R10.30, R10.33, R10.34: each column of evidence is forged before the seal, by a superuser who has put all
# triggers and constraints out of action. The check that casino.evidence_checks() names for the column must
# notice it, in each of the first rows by their key.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play ();

my $node = PostgreSQL::Test::Cluster->new('forged');
$node->init;
$node->start;
$node->safe_psql('postgres', 'CREATE DATABASE forged');
Play::install($node, 'forged');
Play::play($node, 'forged');
# a box that wins, for the cards of players; cards corrected before the evaluation, with a stake that goes
# back and one that stands; results of a box corrected twice; a person who comes back
$node->safe_psql('forged', <<'SQL');
SELECT casino.add_game_table('blackjack_czech_casinos', 'J', 10, 10000) AS j,
	casino.register_player('boxer') AS p \gset
SELECT casino.deposit(:p, 10000, method => 'card'), casino.open_round(:j, 'forged box') AS r \gset
SELECT casino.set_limit(:p, 'stake', 'day', 5000),
  casino.count_other_play(:p, 'slots', 10, -5, 'o') \g /dev/null
SELECT casino.place_bet(:r, :p, 'main@100', seat => 1, hand => 1) \g /dev/null
SELECT casino.close_betting(:r) \g /dev/null
SELECT casino.settle_round(:r, '{"dealer": "9h 8d", "hands": [{"seat": 1, "cards": "Ts 9c"}]}') \g /dev/null

SELECT casino.open_round(:j, 'returned') AS r \gset
SELECT casino.place_bet(:r, :p, 'main@100', seat => 1, hand => 1), casino.close_betting(:r) \g /dev/null
SELECT casino.deal(:r, '{"dealer": "9h", "hands": [{"seat": 1, "cards": "6s 5c"}]}') \g /dev/null
SELECT casino.place_bet(:r, :p, 'double_down@100', seat => 1, hand => 1) \g /dev/null
SELECT casino.correct_deal(:r, '{"dealer": "9h", "hands": [{"seat": 1, "cards": "8s 5c"}]}',
    'an eight') \g /dev/null
SELECT casino.settle_round(:r,
    '{"dealer": "9h 8d", "hands": [{"seat": 1, "cards": "8s 5c 2h"}]}') \g /dev/null
SELECT casino.open_round(:j, 'stands') AS r \gset
SELECT casino.place_bet(:r, :p, 'main@100', seat => 1, hand => 1), casino.close_betting(:r) \g /dev/null
SELECT casino.deal(:r, '{"dealer": "9h", "hands": [{"seat": 1, "cards": "6s 5c"}]}') \g /dev/null
SELECT casino.place_bet(:r, :p, 'double_down@100', seat => 1, hand => 1) \g /dev/null
SELECT casino.correct_deal(:r, '{"dealer": "8h", "hands": [{"seat": 1, "cards": "6s 5c"}]}', 'an eight',
                           wagers_stand => true) \g /dev/null
SELECT casino.settle_round(:r,
    '{"dealer": "8h 9d", "hands": [{"seat": 1, "cards": "6s 5c 2h"}]}') \g /dev/null

SELECT casino.open_round(:j, 'twice') AS r \gset
SELECT casino.place_bet(:r, :p, 'main@100', seat => 1, hand => 1), casino.close_betting(:r) \g /dev/null
SELECT casino.settle_round(:r, '{"dealer": "9h 8d", "hands": [{"seat": 1, "cards": "Ts 8c"}]}') \g /dev/null
GRANT USAGE ON SCHEMA casino, casino_internal TO pg_monitor;
GRANT EXECUTE ON FUNCTION casino.approve_correction TO pg_monitor;
SELECT casino.correct_round(:r, '{"dealer": "9h 8d", "hands": [{"seat": 1, "cards": "Ts 9c"}]}', 'nine')
  AS c \gset
SET SESSION AUTHORIZATION pg_monitor;
SELECT casino.approve_correction(:c) \g /dev/null
RESET SESSION AUTHORIZATION;
SELECT casino.correct_round(:r, '{"dealer": "9h 9d", "hands": [{"seat": 1, "cards": "Ts 9c"}]}', 'nines')
  AS c \gset
SET SESSION AUTHORIZATION pg_monitor;
SELECT casino.approve_correction(:c) \g /dev/null
RESET SESSION AUTHORIZATION;
-- an account that has left for another cell, and one that has come from one, with more than needs an approval
SELECT casino.register_player('mover') AS m, casino.register_player('of before') AS b \gset
SELECT casino.deposit(:m, 700, method => 'card') \g /dev/null
SELECT casino_internal.leave_cell(:m, 1, true, NULL, NULL) AS left \gset
SELECT casino_internal.enter_cell(77, 2, 300, '{"exclusions": [], "limits": [], "usage": {}}',
                                  'comer', NULL, NULL, NULL)
    \g /dev/null
-- a large adjustment, approved by a second person
SELECT casino.set_duty_rule('adjust_amount', '100', clock_timestamp() + interval '1 s', '7', 'rules')
    \g /dev/null
SELECT pg_sleep(1.1) \g /dev/null
GRANT EXECUTE ON FUNCTION casino.approve_adjustment TO pg_monitor;
SET SESSION AUTHORIZATION pg_monitor;
SELECT casino.approve_adjustment(:p, 'large', 700, 'a gift of the house', round_id => :r) \g /dev/null
RESET SESSION AUTHORIZATION;
SELECT casino.adjust(:p, 700, 'a gift of the house', 'large', round_id => :r) \g /dev/null
SELECT casino.register_player('left') AS left \gset
SELECT casino.close_account(:left) \g /dev/null
-- a hand of Texas Hold'em, to which the players have brought chips
SELECT casino.add_game_table('holdem_cash_25_50', 'H', 25, 10000, '{"seats": 6}') AS h,
       casino.register_player('poker one') AS one, casino.register_player('poker two') AS two \gset
SELECT casino.deposit(:one, 1000), casino.deposit(:two, 1000), casino.open_round(:h, 'forged hand') AS r \gset
SELECT casino.bring_to_table(:r, :one, 500, 1), casino.bring_to_table(:r, :two, 400, 2) \g /dev/null
SELECT casino.place_bet(:r, :one, 'pot@50', seat => 1), casino.place_bet(:r, :two, 'pot@50', seat => 2),
       casino.close_betting(:r) \g /dev/null
SELECT casino.settle_round(:r, '{"button": 1,
    "seats": [{"seat": 1}, {"seat": 2, "folded": true}]}') \g /dev/null
-- an object of the operator's own, approved
CREATE FUNCTION public.told() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER told AFTER INSERT ON casino.round FOR EACH ROW EXECUTE FUNCTION public.told();
SELECT casino.approve_object('trigger told on round', 'tells the display') \g /dev/null
SQL

# cells are a hub's
my %no_rows = (cell => 1);

# Where the value of the type alone would be no forgery that matters: the value, and the rows ("t" is the row)
my $future = q{clock_timestamp() + interval '1 year'};
my $staked = q{t.status = 'settled'
	AND EXISTS (SELECT FROM casino.ledger l WHERE l.round_id = t.round_id AND l.kind = 'stake')};
my $round = sub { "t.round_id = (SELECT r.round_id FROM casino.round r WHERE r.round_ref = '$_[0]')" };
my $decided = 't.correction_no IN
	(SELECT d.correction_no FROM casino.correction_decision d WHERE d.version IS NOT NULL)';
my $paid_to = 't.account IN (SELECT l.account FROM casino.ledger l)';
my $limited = 't.player_id IN (SELECT s.player_id FROM casino.limit_state s)';
my $used = q{t.method IN (SELECT l.method FROM casino.ledger l WHERE l.kind = 'deposit')};
my $first = 't.round_id NOT IN
	(SELECT d.round_id FROM casino.correction_decision d WHERE d.version IS NOT NULL)';
my %how = (
	'recorder.recorded_at' => [ $future, 'true' ],
	'cage_count.counted_at' => [ $future, 'true' ],
	'bet_rule.declared_win' => [ '77777.77', 't.plan_id IN (SELECT d.plan_id FROM casino.plan_digest d)' ],
	'bet_rule.min_stake' => [ '77777.77', 't.plan_id IN (SELECT d.plan_id FROM casino.plan_digest d)' ],
	'table_version.valid_from' => [ $future,
		't.version = 1 AND t.table_id IN (SELECT r.table_id FROM casino.round r)' ],
	'table_version.max_stake' => [ '0.01', q{(t.table_id, t.version) IN
		(SELECT r.table_id, r.table_version FROM casino.round r JOIN casino.ledger l USING (round_id)
		  WHERE l.kind = 'stake')} ],
	'table_version.min_stake' => [ '77777.77', q{(t.table_id, t.version) IN
		(SELECT r.table_id, r.table_version FROM casino.round r JOIN casino.ledger l USING (round_id)
		  WHERE l.kind = 'stake')} ],
	# the version that stakes were placed under
	'table_limit.min_stake' => [ '77777.77', 't.version = 1' ],
	'table_limit.max_stake' => [ '0.01', 't.version = 1' ],
	'round.round_id' => [ '77777', $staked ],
	'round_end.round_id' => [ '77777', $staked ],
	'round.opened_at' => [ q{(SELECT max(l.posted_at) + interval '1 s' FROM casino.ledger l
		WHERE l.round_id = t.round_id AND l.kind = 'stake')}, $staked ],
	# where all is withheld no payout bears the time
	'round.evaluated_at' => [ q{timestamptz '2001-02-03'}, qq{$staked AND NOT EXISTS
		(SELECT FROM casino.withholding h WHERE h.round_id = t.round_id) AND $first} ],
	'round.betting_until' => [ 't.opened_at', $staked ],
	'round.actions_closed_at' => [ 't.opened_at', $staked ],
	'deal.document' => [ q{'{"dealer": "2c"}'}, q{t.round_id IN (SELECT r.round_id FROM casino.round r
		WHERE r.outcome IS NOT NULL
		AND r.round_id NOT IN (SELECT c.round_id FROM casino.deal_correction c))} ],
	map({ ("dealt_hand.$_" =>
		[ '7', "t.side = 'box' AND " . $round->('forged box') ]) } qw(seat group_no hand)),
	'dealt_hand.surrendered' => [ 'NOT t.surrendered', "t.side = 'box' AND " . $round->('forged box') ],
	map({ ("$_.recorded_at" => [ $future, 'true' ]) } qw(difference plan_digest payment_method game_plan)),
	# an account to which no other row refers has a number that stands there alone
	map({ ("$_.player_id" => [ q{77777}, q{t.player_id IN (SELECT l.player_id FROM casino.ledger l)} ]) }
		qw(player player_closed)),
	'player.registered_at' => [ $future, 'true' ],
	# of other entries check late_stake, and record
	'ledger.round_id' => [ '77777', q{t.round_id IN (SELECT r.round_id FROM casino.round r
		WHERE r.evaluated_at IS NOT NULL)} ],
	'ledger.reason' => [ q{'forged'}, q{t.kind = 'refund'} ],
	'ledger.account' => [ q{'forged'}, q{t.kind = 'transfer_paid'} ],
	# what a corrected round had paid first is the part of check correction
	'ledger.grade' => [ q{'forged'}, qq{t.kind = 'payout' AND $first} ],
	'ledger.recorded_at' => [ $future, 'true' ],
	'player_limit.effective_from' => [ $future, 'true' ],
	'payment_account.account' => [ q{'forged'}, 'true' ],
	'payment_account.registered_at' => [ $future, $paid_to ],
	'other_play.staked' => [ '77777.77', $limited ],
	'other_play.result' => [ '-77777.77', $limited ],
	'ledger.stake_entry_no' => [ '77777', q{t.kind = 'payout'} ],
	'ledger.posted_at' => [ q{timestamptz '2001-02-03'}, qq{t.kind = 'payout' AND $first} ],
	'ledger.method' => [ q{CASE t.method WHEN 'cash' THEN 'transfer' ELSE 'cash' END},
		q{(t.player_id, t.entry_no) IN (SELECT l.player_id, l.withdrawal_entry_no FROM casino.ledger l
		  WHERE l.kind IN ('cash_paid', 'transfer_paid'))} ],
	# the approval that an adjustment needed
	map({ ("adjustment_approval.$_->[0]" => [ $_->[1], q{t.request_id = 'large'} ]) }
		[ 'request_id', q{'forged'} ], [ 'amount', '77777.77' ], [ 'reason', q{'forged'} ],
		[ 'round_id', '1' ]),
	# R10.34: corrections that are in force
	'round_correction.correction_no' => [ '77777', $decided ],
	'round_correction.round_id' => [ '1', $decided ],
	'deal_correction.wagers_stand' => [ 'NOT t.wagers_stand',
		'(' . $round->('returned') . ' OR ' . $round->('stands') . ')' ],
	map({ ("correction_decision.$_" =>
		[ '77777', 't.version IS NOT NULL' ]) } qw(version wagers players staked paid)),
	'correction_decision.status' => [ q{CASE t.status WHEN 'voided' THEN 'settled' ELSE 'voided' END},
		't.version =
			(SELECT max(d.version) FROM casino.correction_decision d WHERE d.round_id = t.round_id)' ],
	'correction_decision.former' => [ q{'{"forged": 1}'}, 't.version IS NOT NULL' ],
	# cards that hold now: each column
	map({ ("hand_version.$_->[0]" => [ $_->[1],
		't.version = (SELECT max(v.version) FROM casino.hand_version v WHERE v.round_id = t.round_id)
		 AND t.version > 0' ]) }
		[ 'surrendered', 'NOT t.surrendered' ], [ 'folded', 'NOT t.folded' ],
			[ 'even_money', 'NOT t.even_money' ],
		[ 'even_money_players', q{'{77777}'} ], [ 'players', q{'{77777}'} ]),
	'claim_end.how' => [ q{'forged'}, q{t.how = 'paid'} ],
	'claim_end.correction_no' => [ '77777', 'true' ],
	# figures of the duties and methods of payment
	'duty_rule.name' => [ q{'forged'}, 'true' ],
	'payment_method.method' => [ q{'forged'}, $used ],
	'payment_method.valid_from' => [ $future, $used ],
	'payment_method.offered' => [ 'false', $used ],
	'payment_method.is_cash' => [ 'NOT t.is_cash', q{t.method IN ('cash', 'transfer')} ],
);

# Forges the column in each of the first rows, one after the other: the keys of rows of which the check said
# nothing
$node->safe_psql('forged', <<'SQL');
CREATE TABLE public.clean (check_name text PRIMARY KEY, found text[]);
CREATE FUNCTION public.forge(section text, field text, value text, row_is text, check_name text, rows integer,
                             OUT tried bigint, OUT unnoticed text) LANGUAGE plpgsql AS $$
DECLARE
    l record;
    c text := (SELECT k.function FROM casino.reconciliation_checks() k WHERE k.check_name = forge.check_name);
    before text[];
    after text[];
    forged record;
    found_sql text;
BEGIN
    tried := 0;
    SELECT y.* INTO l
      FROM casino.evidence_layouts() y
      WHERE y.section = forge.section AND y.field = forge.field;
    found_sql := format($q$SELECT coalesce(array_agg(to_jsonb(f)::text), '{}')
                             FROM %s('2000-01-01', casino.prague_day(clock_timestamp()) + 1) f$q$, c);
    SELECT k.found INTO before FROM public.clean k WHERE k.check_name = forge.check_name;
    IF NOT FOUND THEN
        EXECUTE found_sql INTO before;
        INSERT INTO public.clean VALUES (forge.check_name, before);
    END IF;
    FOR forged IN EXECUTE format(
        'SELECT t.ctid AS place, casino.evidence_key(%1$L, t) AS key
           FROM casino.%2$I t
          WHERE %3$s AND (%4$s) IS DISTINCT FROM t.%5$I
          ORDER BY t.%5$I IS NULL, casino.evidence_key(%1$L, t) COLLATE "C"
          LIMIT %6$s', section, l.relation, row_is, value, field, rows) LOOP
        tried := tried + 1;
        BEGIN
            EXECUTE format('UPDATE casino.%I t SET %I = %s WHERE t.ctid = %L', l.relation, field, value,
              forged.place);
            BEGIN
                EXECUTE found_sql INTO after;
            EXCEPTION WHEN OTHERS THEN
                -- in a night a difference of rule "error" (R10.4)
                after := ARRAY[SQLERRM];
            END;
            RAISE EXCEPTION 'back' USING ERRCODE = 'P9999';
        EXCEPTION WHEN SQLSTATE 'P9999' THEN NULL;
        END;
        IF after <@ before THEN
            unnoticed := concat_ws(', ', unnoticed, forged.key);
        END IF;
    END LOOP;
END $$;
SQL
my %value = (
	time => "timestamptz '2001-02-03'", text => "'forged'", int => '77777', money => '77777.77',
	bool => 'NOT t.%s',
	json => q{'{"forged": 1}'}, bet => "'straight:7\@3'", hand => "'2c 2d'", ints => "'{77777}'",
	bets => "'{straight:7\@3}'", date => "date '2001-02-03'");
my @columns = split /\n/, $node->safe_psql('forged', q{
	SELECT l.section, l.field, l.type, c.check_name
	  FROM casino.evidence_checks() c JOIN casino.evidence_layouts() l USING (section, field)
	 WHERE c.check_name IS NOT NULL
	 ORDER BY l.section_no, l.field_no});
cmp_ok(scalar @columns, '>', 270, 'the list has columns');
my $script = q{BEGIN; SET search_path = public, casino, casino_internal; SET client_min_messages = error;
SET max_parallel_workers_per_gather = 0; SET session_replication_role = replica;
DO $$ DECLARE t record; BEGIN
  FOR t IN SELECT conrelid::regclass AS r, conname AS c FROM pg_constraint
            WHERE connamespace = 'casino'::regnamespace AND contype IN ('c', 'f') AND conrelid <> 0
              AND coninhcount = 0 LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', t.r, t.c); END LOOP;
  FOR t IN SELECT c.oid::regclass AS r FROM pg_class c
            WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p') LOOP
    EXECUTE format('ALTER TABLE %s DISABLE TRIGGER ALL', t.r); END LOOP; END $$;
};
for (@columns)
{
	my ($section, $field, $type, $check) = split /\|/;
	my ($value, $row) = @{ $how{"$section.$field"} // [ $value{$type} =~ s/%s/$field/r, 'true' ] };
	s/'/''/g for $value, $row;
	# sections of many rows: the first one
	my $rows = $section =~ /^(plan_rule|bet_rule|paytable|announced_rule|plan_digest|game_plan|game)$/ ? 1
		: 3;
	$script .= "SELECT '$section.$field', '$check', f.*
		FROM public.forge('$section', '$field', '$value', '$row', '$check', $rows) f;\n";
}
my ($rc, $out, $err) = $node->psql('forged', "$script ROLLBACK;");
is($rc, 0, 'all are forged') or diag($err);
my $forged = 0;
for (split /\n/, $out)
{
	my ($column, $check, $tried, $unnoticed) = split /\|/, $_, 4;
	next unless defined $unnoticed;
	$forged++;
	my ($section) = $column =~ /^(\w+)/;
	if ($no_rows{$section}) { is($tried, 0, "$column: not in these books"); next; }
	cmp_ok($tried, '>', 0, "$column: there are rows");
	is($unnoticed, '', "$column: check $check notices a value forged in $tried rows");
}
is($forged, scalar @columns, 'each column was forged');
$node->stop;
done_testing();
