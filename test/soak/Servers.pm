# Part of the soak: the primary, its clock, and the standbys that follow it. Another clock for a whole
# server: libfaketime reads how far it is ahead from a file, so it is put on and back while the server runs.
package Servers;
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Fcntl ':flock';
use File::Path qw(rmtree);
use Time::HiRes qw(sleep time);
use Soak;

our $primary;
our $disk;                     # a small file system that may be filled; none: ''
our ($faketime) = grep { -e } glob '/usr/lib/*/faketime/libfaketime.so.1';
my $made = 0;

# Seconds by which the server is ahead. It is always behind: in a handler of a signal the library shows the
# real time, and with a server ahead of it timeouts (of locks, of deadlocks) would not end before that day
sub ahead { return Soak::slurp("$Soak::dir/clock") =~ /^([-+]\d+)/ ? $1 : 0 }

sub now { return time + ahead() }

sub set_clock
{
	my ($seconds) = @_;
	return if !$faketime;
	open my $lock, '>>', "$Soak::dir/clock.lock" or die $!;
	flock $lock, LOCK_EX or die $!;
	my $ahead = ahead() + int $seconds;
	open my $fh, '>', "$Soak::dir/clock.new" or die $!;
	print $fh $ahead < 0 ? "$ahead\n" : "+$ahead\n";
	close $fh;
	rename "$Soak::dir/clock.new", "$Soak::dir/clock" or die $!;
}

sub node
{
	local $PostgreSQL::Test::Utils::tmp_check = $disk if $disk;
	return PostgreSQL::Test::Cluster->new('soak' . ++$made);
}

sub configure
{
	my ($node) = @_;
	$node->append_conf('postgresql.conf', <<'CONF');
fsync = on
restart_after_crash = on
max_connections = 60
shared_buffers = 64MB
deadlock_timeout = 200ms
log_min_error_statement = panic
log_statement = none
max_wal_size = 96MB
min_wal_size = 32MB
wal_keep_size = 128MB
# a clock that is put on by hours does not make a silent server
wal_sender_timeout = 0
wal_receiver_timeout = 0
CONF
}

# In any state: the server runs afterwards
sub up
{
	my ($node) = @_;
	for (1 .. 120)
	{
		my $pid = $node->{_pid};
		if (!$pid || !kill 0, $pid)
		{
			$node->{_pid} = undef;
			local $ENV{PGCTLTIMEOUT} = 300;
			local @ENV{qw(LD_PRELOAD FAKETIME_TIMESTAMP_FILE FAKETIME_NO_CACHE
				  FAKETIME_DONT_FAKE_MONOTONIC NO_FAKE_STAT)}
			  = ($faketime, "$Soak::dir/clock", 1, 1, 1) if $faketime;
			$node->start(fail_ok => 1);
		}
		return if system("pg_isready -q -d '" . $node->connstr('postgres') . "'") == 0;
		sleep 0.5;
	}
	die $node->name . ' does not come up';
}

sub kill9
{
	my ($node) = @_;
	my $pid = $node->{_pid};
	$node->kill9;
	sleep 0.05 while kill 0, $pid;
}

# Weeks that pass in the run, at most (Calendar::weeks)
our $jumps = 0;

sub begin
{
	$primary = node();
	$primary->init(allows_streaming => 1);
	configure($primary);
	set_clock(86400 * int(time / 86400 - 150 - 63 * $jumps) + 16 * 3600 - time);
	up($primary);
	here();
}

# Where the sessions go
sub here
{
	open my $fh, '>', "$Soak::dir/primary.new" or die $!;
	print $fh $primary->connstr('postgres');
	close $fh;
	rename "$Soak::dir/primary.new", "$Soak::dir/primary" or die $!;
}

# A question to a node that must answer in time; '' as long as it does not
sub wait_for
{
	my ($node, $sql, $expected) = @_;
	for (1 .. 600)
	{
		my $a = `psql -XAtq -d '@{[ $node->connstr('postgres') ]}' -c "$sql" 2>/dev/null`;
		chomp $a;
		return 1 if $a eq $expected;
		sleep 0.2;
	}
	return 0;
}

# Backends outlive a postmaster that was killed as long as their statement runs: their files stay so long
sub outlived
{
	my ($node) = @_;
	my $alive = sub { grep { (readlink("/proc/$_/cwd") // '') eq $node->data_dir }
		map { m{(\d+)$} } glob '/proc/[0-9]*' };
	for (1 .. 600)
	{
		return if !$alive->();
		sleep 0.1;
	}
	kill 'KILL', $alive->();
	sleep 1;
}

# A copy of the primary, which may be killed, stopped or out of space meanwhile
sub copy_of
{
	my ($node, $name) = @_;
	my $to = $node->backup_dir . "/$name";
	mkdir $node->backup_dir;
	for (1 .. 60)
	{
		my $failed = system(qw(pg_basebackup --checkpoint fast --no-sync -D), $to, '-d',
			$node->connstr('postgres'));
		return 1 if !$failed;
		rmtree($to);
		sleep 1;
	}
	return 0;
}

# A standby of its own follows; an answer that it confirmed survives the primary, which is killed
sub promote
{
	my $standby = node();
	copy_of($primary, 'b' . $made) or return complain('no copy of the primary');
	$standby->init_from_backup($primary, 'b' . $made, has_streaming => 1);
	rmtree($primary->backup_dir);
	up($standby);
	my $ask = sub { wait_for($primary, @_) };
	$ask->("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'", 1)
	  or return complain('the standby does not stream');
	$primary->safe_psql('postgres', "ALTER SYSTEM SET synchronous_standby_names = '*'");
	$primary->reload;
	$ask->("SELECT sync_state FROM pg_stat_replication", 'sync') or return complain('no synchronous standby');
	sleep 4;
	my $lsn = $primary->lsn('insert');
	$ask->("SELECT flush_lsn >= '$lsn' FROM pg_stat_replication", 't') or return complain('the standby lags');
	sleep 2;
	kill9($primary);
	$standby->promote;
	wait_for($standby, 'SELECT pg_is_in_recovery()', 'f') or return complain('not promoted');
	my $old = $primary;
	$primary = $standby;
	here();
	outlived($old);
	rmtree($old->basedir);
	event('standby promoted', $standby->name);
}

1;
