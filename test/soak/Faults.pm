# Part of the soak: what goes wrong meanwhile, one thing after the other, from a deck that is shuffled anew.
package Faults;
use strict;
use warnings;
use List::Util qw(shuffle);
use Time::HiRes qw(sleep time);
use Soak;
use Servers;

my @deck;
my $victim = q{pid <> pg_backend_pid() AND backend_type = 'client backend' AND query <> ''};

# One number, or none while the server is down
sub number { return (session('faults', {}, ['a', $_[0]])->{a} // '') =~ /^(\d+)$/ ? $1 : 0 }

our %fault = (
	cancel => sub {
		my $n = number("SELECT count(pg_cancel_backend(pid)) FROM (SELECT pid FROM pg_stat_activity
			WHERE $victim AND state = 'active' ORDER BY random() LIMIT 3) v");
		event('cancel') for 1 .. $n;
	},
	terminate => sub {
		my $n = number("SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity
			WHERE $victim ORDER BY random() LIMIT 2) v");
		event('terminate') for 1 .. $n;
	},
	'kill -9' => sub {
		my $pid = number("SELECT pid FROM pg_stat_activity
			WHERE $victim ORDER BY state = 'active' DESC, random() LIMIT 1");
		event('kill -9', $pid) if $pid && kill 'KILL', $pid;
	},
	'kill -9 of the postmaster' => sub {
		Servers::kill9($Servers::primary);
		event('kill -9 of the postmaster');
	},
	'disk full' => \&fill_disk,
	'standby promoted' => \&Servers::promote,
	pg_dump => sub {
		my $file = "$Soak::dir/dump";
		for (1 .. 10)
		{
			my $connstr = $Servers::primary->connstr('postgres');
			if (system("pg_dump --format=custom --file=$file -d '$connstr' 2>$file.err") == 0)
			{
				event('pg_dump', -s $file);
				last;
			}
			# a deadlock with a book that is moved is the dump's
			complain('pg_dump: ' . Soak::slurp("$file.err"))
			  if Soak::slurp("$file.err")
			  !~ /deadlock|lock timeout|No space|starting up|terminat|recovery|connection/;
			sleep 0.5;
		}
		unlink $file;
	},
	'VACUUM FULL' => sub {
		my $tables = session('faults', {}, ['a', q{SELECT string_agg(t, ' ') FROM (
			SELECT format('casino.%I', c.relname) AS t FROM pg_class c
			 WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind = 'r'
			 ORDER BY random() * CASE WHEN c.relname ~ '^(player|round|ledger|limit|dealt)' THEN 1 ELSE 4 END
			 LIMIT 3) x}])->{a} // return;
		return if $tables =~ /^error/;
		for my $table (split / /, $tables)
		{
			my $a = session('faults', {}, ['s', q{SET lock_timeout = '10s'}],
				['a', "VACUUM FULL $table"])->{a};
			event('VACUUM FULL', $table) if defined $a && $a eq '';
			# a book that was put away in between is dropped by nobody here
			complain("VACUUM FULL $table: $a") if !unknown_yet($a) && $a =~ /^error/;
		}
	},
);

# The whole disk of the server: tables, write-ahead log, everything. It is full until somebody has noticed
sub fill_disk
{
	my $log = $Servers::primary->logfile;
	my $seen = -s $log;
	my $file = "$Servers::disk/filler";
	my $full = 0;
	for (1 .. 40)
	{
		my ($free) = `df --output=avail -B1 $Servers::disk` =~ /(\d+)\s*$/;
		my $size = (-s $file // 0) + $free;
		system "fallocate -l $size $file 2>/dev/null"
		  . " || dd if=/dev/zero bs=4k of=$file oflag=append conv=notrunc 2>/dev/null" if $free;
		sleep 0.3;
		open my $fh, '<', $log or die $!;
		seek $fh, $seen, 0;
		local $/;
		$full++ if <$fh> =~ /No space left on device/;
		last if $full > 8;
	}
	unlink $file;
	event('disk full') if $full;
}

sub deck
{
	my @cards = (('cancel') x 5, ('terminate') x 3, ('kill -9') x 3);
	push @cards, 'kill -9 of the postmaster', 'pg_dump', 'VACUUM FULL';
	push @cards, 'disk full' if $Servers::disk;
	push @cards, 'standby promoted';
	return shuffle(@cards);
}

sub next_one
{
	@deck = deck() if !@deck;
	sleep 0.5 + rand 3;
	$fault{ shift @deck }->();
	Servers::up($Servers::primary);
}

1;
