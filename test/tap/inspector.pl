# The guide doc/inspector.md, played: its sh blocks run in an empty folder, and print what stands after them,
# whatever the numbers are.
use strict;
use warnings;
use Cwd;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('inspector');
$node->init;
$node->start;
$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;
$ENV{PGDATABASE} = 'postgres';
delete $ENV{PGAPPNAME};
my $make = $ENV{MAKE} || 'make';
is(system("$make -s casino-verify >&2"), 0, 'it is built') or BAIL_OUT('no casino-verify');
$ENV{PATH} = getcwd . ":$ENV{PATH}";

# a week of roulette: each day four rounds, two players, a deposit
my $week = q{CREATE EXTENSION casino;
	SELECT casino.install();
	SET casino.clock_skew = -1;
	SET timezone = 'Europe/Prague';
SELECT casino.add_game_table('roulette_synot', 'Wheel', 10, 10000), casino.register_player('anna'),
	casino.register_player('bedrich');
};
for my $day (1 .. 7)
{
	my $date = "2026-06-0$day";
	$week .= "SELECT casino.deposit(p, 1000, 'd$day', '$date 09:00') FROM generate_series(1, 2) p;\n";
	for my $round (1 .. 2)
	{
		my $id = 2 * ($day - 1) + $round;
		my $number = $round == 1 ? 3 : 8;
		$week .= "SELECT casino.open_round(1, '$date/$round', '$date 1$round:00');
SELECT casino.place_bet($id, p, CASE p WHEN 1 THEN 'red\@10' ELSE 'straight:8\@10' END::casino.bet, 'r$id',
		at => '$date 1$round:00:10') FROM generate_series(1, 2) p;
SELECT casino.close_betting($id, '$date 1$round:00:30'),
	casino.settle_round($id, '{\"number\": $number}', '$date 1$round:01');\n";
	}
	$week .= "SELECT casino.seal('$date');\n";
}
$node->safe_psql('postgres', $week);

open my $f, '<', 'doc/inspector.md' or die $!;
my $guide = do { local $/; <$f> };
my $dir = PostgreSQL::Test::Utils::tempdir;
chdir $dir or die $!;
my $blocks = 0;
while ($guide =~ /^```sh\n(.*?)^```\n(?:\n*^```text\n(.*?)^```\n)?/msg)
{
	my ($script, $want) = ($1, $2 // '');
	open my $s, '>', "$dir/block.sh" or die $!;
	print $s $script;
	close $s;
	my $got = `sh ./block.sh 2>&1`;
	unlink "$dir/block.sh";
	my ($first) = $script =~ /^(.{0,60})/;
	diag("$first\n$got") if $ENV{INSPECTOR_PRINT};
	# rows and lines are counted anew with each change of a plan
	s/\d+(?= rows)|(?<=:)\d+(?=: )|(?<=player )\d+/N/g for $got, $want;
	is($got, $want, $first);
	$blocks++;
}
cmp_ok($blocks, '>=', 8, 'the guide has its steps');
chdir $ENV{TESTDIR};
$node->stop;
done_testing();
