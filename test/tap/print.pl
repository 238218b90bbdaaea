# The chapter "What to print when" of doc/compliance.md: its commands, as written, by a role with the profile
# compliance and nothing else.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Cwd;
use Play;

my $make = $ENV{MAKE} || 'make';
is(system("$make -s casino-verify >&2"), 0, 'it is built') or BAIL_OUT('no casino-verify');
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "fsync = off\nautovacuum = off\ncasino.clock_skew = -1");
$node->start;
$node->safe_psql('postgres', 'CREATE DATABASE casino');
install($node, 'casino');
$node->safe_psql('casino', <<'SQL');
CREATE ROLE reader LOGIN;
SELECT casino.grant_access('reader', 'compliance');
SELECT casino.add_game_table('roulette_synot', 'Vltava', 10, 10000), casino.register_player('customer 4711');
SELECT casino.deposit(1, 1000, 'deposit 1', '2026-05-20 09:00 Europe/Prague');
SELECT casino.open_round(1, 'spin 1', '2026-05-20 10:00 Europe/Prague');
SELECT casino.place_bet(1, 1, 'red@100', 'bet 1', at => '2026-05-20 10:01 Europe/Prague');
SELECT casino.settle_round(1, '{"number": 1}', '2026-05-20 10:02 Europe/Prague');
SELECT casino.try_place_bets(casino.open_round(1, 'spin 2', '2026-05-20 11:00 Europe/Prague'), 1, '{red@1}',
                             'low', at => '2026-05-20 11:01 Europe/Prague');
SELECT casino.void_round(2, 'no stake', '2026-05-20 11:02 Europe/Prague');
SELECT casino.record_cage_count('Desk 1', '2026-05-20 06:00 Europe/Prague', 5000);
SELECT casino.record_cage_count('Desk 1', '2026-05-20 22:00 Europe/Prague', 4970);
SET client_min_messages = warning;
CALL casino.nightly('2026-05-20');
SQL

my ($chapter) = slurp_file('doc/compliance.md') =~ /^## What to print when\n(.*?)^## /ms;
my @commands = map { split /\n/ } $chapter =~ /^```sh\n(.*?)^```/msg;
cmp_ok(scalar @commands, '>=', 5, 'the chapter has commands');
# as an operator's machine, but for the port and the role
$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;
$ENV{PGUSER} = 'reader';
my $here = getcwd();
chdir PostgreSQL::Test::Utils::tempdir() or die;
# what each command that prints no page answers, counted by hand: one round, of which red 100 won 100
my %answer = (
	'id="proof"' => qr/^\{.*\}$/s,
	'COPY .*tax_base' => qr/^day,game,.*,family\n2026-05-20,roulette_synot,.*,roulette$/m,
	'FROM pg_extension' => qr/\n \d+\.\d+\n\(1 row\)/,
	'plan_in_force' =>
		qr/^ roulette_synot +\| +1 \| D4 Roulette \(Synot\), 2026-05-13 +\| -infinity *\n.*\(16 rows\)/ms,
	'SELECT r.round_id' => qr/^1\n$/,
	'SELECT DISTINCT r.round_id' => qr/^ +1 \| spin 1 +\| Vltava\n\(1 row\)/m,
	'person_file' => qr/"external_ref": "customer 4711"/,
	'casino.refusal' => qr/\| +1 \| place_bets \| KB002 \|.*\(1 row\)/s,
	'check_days' => qr/\(0 rows\)/,
	'difference_note' => qr/^ 2026-05-20 \| cage_count \| +30\.00 \|/m,
	'significant_event' => qr/cash desk counted/,
	'liability' => qr/\| +1100\.00$/m,
	'payment_deadline' => qr/\(0 rows\)/,
	'cage_shifts' => qr/^ Desk 1 .*\| +5000\.00 \| +4970\.00 \| +-30\.00 \|/m,
	'casino.verify' => qr/\(0 rows\)/,
	'seal_document' => qr/^\{.*"seal_no": ?1\b/s,
	'export_day' => qr/^\{"seal":\{"seal_no":1,"day":"2026-05-20"\}\}$/m);
my %asked;
for my $command (@commands)
{
	my $printed = qx{$command 2>&1};
	is($?, 0, "executed: $command") or diag($printed);
	my ($file) = $command =~ /> (\S+)$/;
	$printed = slurp_file($file) if defined $file;
	if (defined $file && $file =~ /\.html$/)
	{
		like($printed, qr/^<!DOCTYPE html>\n<html lang="cs">/, "$file is a page");
		like($printed, qr/Praha|pražsk/i, "$file names the zone of its times");
		next;
	}
	my ($about) = grep { $command =~ $_ } sort keys %answer;
	ok(defined $about, 'the test knows the answer') or next;
	$asked{$about} = 1;
	like($printed, $answer{$about}, "answered: $about");
}
is(join(' ', grep { !$asked{$_} } sort keys %answer), '', 'no answer without its question');
# R9.27: the appendix of the player's page, as the guide cuts it out, and the seal that the inspector has kept
open my $forged, '>', 'forged' or die;
print $forged slurp_file('proof.json') =~ s/100\.00/900.00/r;
close $forged;
my $said = qx{$here/casino-verify --proof proof.json seals 2>&1};
is($?, 0, 'casino-verify accepts the proof that is cut out of the page') or diag($said);
$said = qx{$here/casino-verify --proof forged seals 2>&1};
isnt($?, 0, 'and none with another amount');
chdir $here;
delete $ENV{PGUSER};

my @pictures = $chapter =~ /\]\((pictures\/\S+)\)/g;
is(join(' ', sort @pictures), join(' ', map { "pictures/$_.png" } qw(night period player round)),
	'each page has its picture');
is(join(' ', grep { !-s "doc/$_" } @pictures), '', 'which is there');

sub state
{
	my (undef, undef, $err) = $node->psql('casino', "\\set VERBOSITY sqlstate\n$_[0]");
	my ($state) = $err =~ /ERROR:  (\w{5})$/m;
	return $state;
}
is(state("SELECT casino.$_"), '23503', "$_: casino does not know it")
	for q{round_page(99, 'cs')}, q{player_page(99, '2026-05-01', '2026-05-31', 'cs')};
is(state("SELECT casino.$_"), '22023', "$_: another language")
	for q{round_page(1, 'de')}, q{night_page('2026-05-20', 'de')};
is(state("CREATE ROLE stranger; SET ROLE stranger; SELECT casino.night_page('2026-05-20', 'cs')"), '42501',
	'a role without the profile');

# R9.24: the seal that the page names
my $root = $node->safe_psql('casino', q{SELECT encode(root, 'hex') FROM casino.day_seal WHERE seal_no = 1});
like($node->safe_psql('casino', "SELECT casino.round_page(1, 'en')"), qr/$root/,
	'the root on the page is that of the seal');

$node->stop;
done_testing();
