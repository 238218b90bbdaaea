# Hours of a casino in which everything goes wrong, for SOAK_SECONDS (600): clients stake at all sixteen
# games, dealers deal, misread, withhold and evaluate, the office corrects and pays, days, nights and books
# go by, half of the sessions work by SQL alone. Meanwhile backends are cancelled, terminated, killed and
# short of memory, the postmaster is killed, the disk is full, a standby takes over. Each acknowledged request
# is there once, a refused one is not there, each request keeps its answer, and the books are clean at
# the end by every check that there is. An event that never happens is waited for, for ten minutes more;
# then the run fails. SOAK_SEED repeats a run's requests, SOAK_LOG keeps the log of events. SMALL_DISK: a
# file system that may be filled (tools/small_disk).
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use File::Copy qw(copy);
use Time::HiRes qw(sleep time);
use Play;
use Soak;
use Servers;
use Players;
use Dealers;
use Office;
use Calendar;
use Faults;
use Ending;

my $seconds = $ENV{SOAK_SECONDS} || 600;
$Soak::seed = $ENV{SOAK_SEED} || int rand 1e9;
$Soak::dir = PostgreSQL::Test::Utils::tempdir;
$Servers::disk = $ENV{SMALL_DISK} // '';
diag "seed $Soak::seed";
system(($ENV{MAKE} || 'make') . ' -s casino-verify >&2') == 0 or die 'make casino-verify';

$Servers::jumps = 2 + int($seconds / 400);
Servers::begin();
my $node = $Servers::primary;
install($node, 'postgres');
$node->safe_psql('postgres', slurp_file("$FindBin::Bin/soak.sql"));
my $all = $Players::clients * $Players::players;
$node->safe_psql('postgres', <<"SQL");
CREATE ROLE first SUPERUSER LOGIN;
CREATE ROLE second SUPERUSER LOGIN;
SELECT casino.add_game_table(game, game, 10, 1000) FROM casino.game ORDER BY game;
SELECT count(casino.register_player('p' || n)) FROM generate_series(1, $all) n;
-- a fifth has little, and owes what a correction takes back
SELECT count(casino.deposit(n, CASE WHEN n % 5 = 0 THEN 200 ELSE 100000 END, 'first'))
  FROM generate_series(1, $all) n;
SELECT count(casino.set_payment_account(n, 'CZ' || n)) FROM generate_series(1, $all) n;
-- a third of the players has limits
SELECT count(casino.set_limit(n, 'stake', 'day', 1500)) FROM generate_series(1, $all, 6) n;
SELECT count(casino.set_limit(n, 'net_loss', 'day', 500)) FROM generate_series(4, $all, 6) n;
SQL
my %table;
for (split /\n/, $node->safe_psql('postgres', 'SELECT t.table_id, g.family, g.game, soak.has_seats(g.game)
	FROM casino.game_table t JOIN casino.game g USING (game)'))
{
	my ($id, $family, $game, $seats) = split /\|/;
	$table{$id} = { family => $family, game => $game, seats => $seats eq 't' ? 5 : 0 };
}
is(scalar keys %table, 16, 'a table of each game');
$Office::table = $node->safe_psql('postgres',
	"SELECT casino.add_game_table('roulette_evolution', 'office', 10, 1000)");

# Events that must have happened; those that this machine cannot do are named, and do not count as passed
my @expected = ('cancel', 'terminate', 'kill -9', 'kill -9 of the postmaster', 'out of memory', 'pg_dump',
	'VACUUM FULL', 'standby promoted', 'request repeated', 'limit', 'voided', 'deal corrected',
	'correction proposed', 'correction approved', 'correction rejected', 'claim arisen', 'claim settled',
	'round withheld', 'player withheld', 'withheld paid', 'player paid', 'wagers void', 'withdrawal paid',
	'withdrawal cancelled', 'withdrawal approved', map { "evaluated $_->{game}" } values %table);
my @days = ('break', 'clock forward', 'clock back', 'clock back after an approval', 'weeks pass',
	'night', 'seal exported', 'book turned', 'book closed', 'book put away', 'book attached');
my @impossible;
if ($Servers::faketime) { push @expected, @days }
else { push @impossible, "NOT DONE: libfaketime is not installed, so all days are today: @days" }
if ($Servers::disk) { push @expected, 'disk full' }
else { push @impossible, 'NOT DONE: disk full: no SMALL_DISK, tools/small_disk makes one as root' }
diag $_ for @impossible;
sub missing { my $happened = events(); return grep { !$happened->{$_} } sort @expected }

my $ends = time + $seconds;
my @tables = sort { $a <=> $b } keys %table;
my @pids;
sub process
{
	my ($work, @of) = @_;
	my $pid = fork // die $!;
	if (!$pid) { eval { $work->(@of); 1 } or complain("a process died: $@"); exec 'true'; }
	push @pids, $pid;
}
process(\&Players::play, $_, \%table) for 1 .. $Players::clients;
for my $d (0 .. $Dealers::dealers - 1)
{
	process(\&Dealers::work, $d, \%table, @tables[grep { $_ % $Dealers::dealers == $d } 0 .. $#tables]);
}
process(\&Office::work);
process(\&Calendar::work, $seconds < 900 ? 0.7 : 1.6) if $Servers::faketime;

Faults::next_one() while time < $ends || time < $ends + 600 && missing();
append_to_file("$Soak::dir/stop", '');
waitpid $_, 0 for @pids;
Servers::up($Servers::primary);

Office::finish();
Calendar::finish() if $Servers::faketime;
my $accepted = Ending::answers();
my $rounds = Ending::acts();
Ending::books();
Ending::evidence() if $Servers::faketime;
Ending::pages();
Ending::days_alone();

my $happened = events();
diag "seed $Soak::seed, $seconds s: $accepted requests accepted, $rounds rounds";
diag join ', ', map { "$_: $happened->{$_}" } sort keys %$happened;
diag $_ for @impossible;
copy("$Soak::dir/events", $ENV{SOAK_LOG}) or diag "SOAK_LOG: $!" if $ENV{SOAK_LOG};
is(join(', ', missing()), '', 'everything has happened that was to happen');
is(Ending::first_of(join "\n", lines('complaints')), '', 'no part of the run complains');
cmp_ok($accepted, '>', $seconds, 'there was load');
$Servers::primary->stop;
done_testing();
