# A cell whose whole server stands still while its connections live: all its processes are stopped (R13.41).
# The hub gives the cell up after hub.patience and goes on with the others.  No check is about time taken.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play;
use Cells;

my %node;
for my $name (qw(main frozen))
{
	$node{$name} = PostgreSQL::Test::Cluster->new($name);
	$node{$name}->init;
	$node{$name}->append_conf('postgresql.conf', "fsync = off\njit = off\nautovacuum = off");
	$node{$name}->start;
}
plan skip_all => 'PL/Proxy is not installed (Debian: postgresql-15-plproxy)' unless available($node{main});
my $node = $node{main};
make_cell($node, 'cell0', 0, 2);
make_cell($node{frozen}, 'cell1', 1, 2);
make_hub($node, 'hub', 2);
add_cell($node, 'hub', 0, $node, 'cell0');
add_cell($node, 'hub', 1, $node{frozen}, 'cell1');
sub hub { return $node->safe_psql('hub', "SET client_min_messages = error; $_[0]") }
my ($table, $other) = split /\n/,
	hub(q{SELECT casino.add_game_table('roulette_american', n, 10, 5000) FROM unnest('{A,B}'::text[]) n});
my @players = split /\n/, hub(q{SELECT casino.register_player('p' || n) FROM generate_series(1, 2) n});
hub("SELECT casino.deposit($_, 10000, 'first')") for @players;
my ($p0) = grep { $_ % 2 == 0 } @players;
my ($p1) = grep { $_ % 2 } @players;
my ($round, $beside) = split /\n/,
	hub("SELECT casino.open_round(t, 'one') FROM unnest(ARRAY[$table, $other]::bigint[]) t");
hub("SELECT casino.place_bet($round, $_, 'red\@100', 'one')") for $p0, $p1;
# what the exporter asks, as its role: cells, down, problems, waiting, is the oldest older than nothing
my ($query) = slurp_file('monitoring/casino.yaml') =~ /^casino_cell:\n  query: \|\n((?:    .*\n)+?)  metrics:/m;
hub(q{CREATE ROLE exporter; SELECT casino.grant_access('exporter', 'compliance')});
sub metric
{
	return hub("SET ROLE exporter;
		SELECT cells, down, problems, waiting, oldest_seconds > 0 FROM ($query) m");
}
is(metric(), '2|0|0|0|f', 'the exporter: two cells, none down, nothing waits');
hub("UPDATE casino.hub SET patience = '1 second'");

# all processes of the server, the parent first so that it starts no others
my $data = $node{frozen}->data_dir;
open my $f, '<', "$data/postmaster.pid" or die "postmaster.pid: $!";
chomp(my $postmaster = <$f>);
close $f;
my @all = ($postmaster);
sub stop_all
{
	kill 'STOP', $postmaster;
	my %parent;
	for my $stat (glob '/proc/[0-9]*/stat')
	{
		open my $s, '<', $stat or next;
		my ($pid, $of) = (<$s> // '') =~ /^(\d+) \(.*\) \S (\d+)/;
		push @all, $pid if defined $of && $of == $postmaster;
	}
	kill 'STOP', @all;
}
sub go_on { kill 'CONT', reverse @all; @all = ($postmaster) }
END { kill 'CONT', @all if @all > 1 }

stop_all();
my (undef, undef, $warned) = $node->psql('hub', "SELECT casino.close_betting($round)");
like($warned,
	qr/WARNING:  close_betting is decided, but not carried out in every cell.*Cell 1: is down or behind/s,
	'a frozen cell is given up, the close holds in the others');
is(hub('SELECT cell, up, problem FROM casino.cell_status WHERE problem IS NOT NULL'),
	'1|f|it is connected, and gives no answer within 00:00:01', 'cell_status says so');
is(metric(), '2|1|1|1|t', 'the exporter: one cell is down, one decision waits');
is(hub("SELECT wagers, paid FROM casino.settle_round($round, '{\"number\": 1}')"), '1|200.00',
	'the players of the other cell are paid');
is(hub("SELECT status FROM casino.settle_round($beside, '{\"number\": 1}')"), 'settled',
	'another table goes on');
my ($next) = hub("SELECT casino.open_round($table, 'two')");
is(hub("SELECT casino.place_bet($next, $p0, 'red\@100', 'two') > 0"), 't', 'a round is opened and staked on');
is(hub('SELECT cell, up, waiting > 0 FROM casino.catch_up()'), "0|t|f\n1|f|t", 'catch_up() comes to its end');
go_on();
hub("UPDATE casino.hub SET patience = '30 seconds'");
is(hub('SELECT cell, up, waiting, problem FROM casino.catch_up()'), "0|t|0|\n1|t|0|",
	'the cell goes on: it is told everything');
is(hub("SELECT wagers, paid FROM casino.settle_round($round, '{\"number\": 1}')"), '2|400.00',
	'and its players are paid, once');
is($node{frozen}->safe_psql('cell1',
	"SELECT count(*) FROM casino.ledger WHERE round_id = $round AND kind = 'payout'"), 1, 'by one entry');
is(hub("SELECT status FROM casino.void_round($next, 'end')"), 'voided', 'the hub decides for both');
is(hub('SELECT count(*) FROM casino.cell_status WHERE problem IS NOT NULL'), 0, 'no problem is left');
is(metric(), '2|0|0|0|f', 'nor for the exporter');
is(Play::broken($node{frozen}, 'cell1'), '', 'its books are sound');

$_->stop('immediate') for values %node;
done_testing();
