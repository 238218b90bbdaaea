# casino.notify: events of rounds, at commit, and nothing after a rollback (R12.31).
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
install($node, 'postgres');

# the events that a session hears of its own commands, each as "event table round status"
sub heard
{
	my ($sql, $setting) = @_;
	my ($rc, $out, $err) = $node->psql('postgres', join("\n", 'SET casino.clock_skew = -1;',
		'SET casino.notify = ' . ($setting // 'on') . ';', 'LISTEN casino_round;', $sql));
	is($err =~ /ERROR.*/ ? $& : '', '', 'no error');
	my @events;
	while ($out =~ /notification "casino_round" with payload "(.*)" received/g)
	{
		my $payload = $1;
		cmp_ok(length $payload, '<', 8000, 'below the bound of a payload');
		my %said = $payload =~ /"(\w+)": "?(\w+)"?/g;
		push @events, join ' ', @said{qw(event table_id round_id status)};
	}
	return \@events;
}

$node->safe_psql('postgres', <<'SQL');
SELECT casino.add_game_table('blackjack_synot', 'a', 100, 10000);
SELECT casino.add_game_table('baccarat', 'b', 100, 10000);
SELECT casino.deposit(casino.register_player('x'), 10000);
SQL
my $want = [];
is_deeply(heard(<<'SQL', 'off'), $want, 'R12.31: off: silence');
SELECT casino.open_round(1, 'r1');
SELECT casino.place_bet(1, 1, 'main@100', seat => 1);
SQL
$want = ['closed 1 1 closed', 'dealt 1 1 closed', 'actions_closed 1 1 closed',
	'settled 1 1 settled'];
is_deeply(heard(<<'SQL'), $want, 'R12.31: a round');
SELECT casino.close_betting(1);
SELECT casino.deal(1, '{"dealer": "5h", "hands": [{"seat": 1, "cards": "Ts 9c"}]}');
SELECT casino.close_actions(1);
SELECT casino.settle_round(1, '{"dealer": "5h Th 5d", "hands": [{"seat": 1, "cards": "Ts 9c"}]}');
SQL
is_deeply(heard(<<'SQL'), ['opened 2 2 open', 'voided 2 2 voided'], 'R12.31: opened and voided');
SELECT casino.open_round(2, 'r1');
BEGIN;
SELECT casino.close_betting(2);
ROLLBACK;
SELECT casino.void_round(2, 'test');
SQL
is_deeply(heard("SELECT casino.void_round(2, 'test'); SELECT casino.open_round(2, 'r1');"), [],
	'a repetition tells nothing');
$want = ['opened 2 3 open', 'closed 2 3 closed', 'withheld 2 3 withheld',
	'settled 2 3 settled'];
is_deeply(heard(<<'SQL'), $want, 'R12.31: withheld');
SELECT casino.open_round(2, 'r2');
SELECT casino.place_bet(3, 1, 'player@100');
SELECT casino.close_betting(3);
SELECT casino.settle_round(3, '{"player": "9h 9d", "banker": "Kc 7s"}', withhold => true);
SELECT casino.pay_withheld(3);
SQL

# a correction of the result, proposed by one and approved by another; corrected cards
$node->safe_psql('postgres', 'CREATE ROLE first SUPERUSER LOGIN; CREATE ROLE second SUPERUSER LOGIN');
my $proposed = heard(<<'SQL');
SET SESSION AUTHORIZATION first;
SELECT casino.correct_round(3, '{"player": "9h 8d", "banker": "Kc 9s"}', 'misread');
SQL
is_deeply($proposed, [], 'a proposal tells nothing');
is_deeply(heard(<<'SQL'), ['corrected 2 3 settled'], 'R12.31: corrected, once');
SET SESSION AUTHORIZATION second;
SELECT casino.approve_correction(1);
SQL
$want = ['opened 1 4 open', 'closed 1 4 closed', 'dealt 1 4 closed', 'dealt 1 4 closed',
	'corrected 1 4 closed'];
is_deeply(heard(<<'SQL'), $want, 'R12.31: corrected cards');
SELECT casino.open_round(1, 'r3');
SELECT casino.place_bet(4, 1, 'main@100', seat => 1);
SELECT casino.close_betting(4);
SELECT casino.deal(4, '{"dealer": "5h", "hands": [{"seat": 1, "cards": "Ts 9c"}]}');
SELECT casino.correct_deal(4, '{"dealer": "6h", "hands": [{"seat": 1, "cards": "Ts 9c"}]}', 'misread');
SQL

# one transaction
my $all = heard("BEGIN; SELECT casino.void_round(4, 'x'); SELECT casino.open_round(1, 'r4'); COMMIT;");
is_deeply($all, ['voided 1 4 voided', 'opened 1 5 open'], 'in the order of a transaction');
my $guard = 'SELECT count(*) FROM casino_internal.check_guard(current_date, current_date)';
is($node->safe_psql('postgres', $guard), 0, 'the guard finds nothing');
$node->safe_psql('postgres', 'ALTER DATABASE postgres SET casino.notify = on');
is($node->safe_psql('postgres', $guard), 0,
   'R12.31: the setting puts no rule out of action');
done_testing();
