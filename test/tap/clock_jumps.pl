# The server's clock jumps while a night seals its day (R12.164): verify() called the seal's own times
# impossible, for ever. Another clock for the whole server: libfaketime.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play;

my ($library) = grep { -e } glob '/usr/lib/*/faketime/libfaketime.so.1';
plan skip_all => 'libfaketime is not installed' if !$library;

my $clock = PostgreSQL::Test::Utils::tempdir . '/clock';
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "timezone = 'Europe/Prague'\nautovacuum = off");

sub ahead
{
	my ($seconds) = @_;
	# in one step: without the file the server would have the true time
	append_to_file("$clock.new", sprintf "%+d\n", $seconds);
	rename "$clock.new", $clock or die "$clock: $!";
}

sub sql { return $node->safe_psql('postgres', $_[0]) }

ahead(0);
{
	local $ENV{LD_PRELOAD} = $library;
	local $ENV{FAKETIME_TIMESTAMP_FILE} = $clock;
	local $ENV{FAKETIME_NO_CACHE} = 1;
	local $ENV{FAKETIME_DONT_FAKE_MONOTONIC} = 1;
	local $ENV{NO_FAKE_STAT} = 1;
	$node->start;
}
install($node, 'postgres');
sql("SELECT casino.deposit(casino.register_player('anna'), 100)");

# A seal waits for its rows, and the clock has jumped when it goes on
sub sealed_in_a_jump
{
	my ($from, $to) = @_;
	ahead($from);
	my $holder = $node->background_psql('postgres');
	$holder->query_safe('BEGIN; LOCK TABLE casino.sealed_row IN SHARE MODE');
	my $sealing = $node->background_psql('postgres');
	my $pid = $sealing->query_safe('SELECT pg_backend_pid()');
	$sealing->query_until(qr/begins/,
		"\\echo begins\nSELECT casino.seal(casino.prague_day(clock_timestamp()) - 1);\n");
	$node->poll_query_until('postgres',
		"SELECT wait_event_type = 'Lock' FROM pg_stat_activity WHERE pid = $pid")
	  or die 'the seal does not wait';
	ahead($to);
	$holder->query_safe('COMMIT');
	$sealing->quit;
	$holder->quit;
}
sealed_in_a_jump(0, -3600);
is(sql('SELECT recorded_at - sealed_at FROM casino.day_seal WHERE seal_no = 1'), '00:00:00',
	'R12.164: the clock was put back: the seal is recorded at the time at which it was made');
is(sql('SELECT * FROM casino.verify()'), '', 'R12.164: verify() finds nothing');
sealed_in_a_jump(2 * 86400, 2 * 86400 + 90000);
is(sql('SELECT recorded_at - sealed_at FROM casino.day_seal WHERE seal_no = 2'), '1 day',
	'R12.164: the clock was put forward by 25 hours: recorded a day after');
is(sql('SELECT * FROM casino.verify()'), '', 'R12.164: ... and verify() finds nothing');
$node->stop;
done_testing();
