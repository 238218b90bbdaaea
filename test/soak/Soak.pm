# Part of the soak: what its processes share. The folder of a run, the log of events, sessions and their
# answers.
package Soak;
use strict;
use warnings;
use Time::HiRes qw(sleep time);
use Fcntl ':flock';
use Exporter 'import';
our @EXPORT = qw(event events complain stopped calm session until_answered unknown_yet lines one_of);

our $dir;                      # of the run: answers, complaints, the log of events, where the primary is
our $seed;

sub slurp
{
	my ($file) = @_;
	open my $fh, '<', $file or return '';
	local $/;
	return <$fh> // '';
}

sub add
{
	my ($file, $line) = @_;
	open my $fh, '>>', "$dir/$file" or die $!;
	syswrite $fh, "$line\n";
	close $fh;
}

# One line an event: when, what happened, to whom
sub event
{
	my ($what, $detail) = @_;
	my @t = gmtime;
	add('events', sprintf "%04d-%02d-%02dT%02d:%02d:%02dZ\t%s\t%s",
		$t[5] + 1900, $t[4] + 1, @t[3, 2, 1, 0], $what, ($detail // '') =~ s/\s+/ /gr);
}

# How often each has happened
sub events
{
	my %count;
	$count{ (split /\t/)[1] }++ for split /\n/, slurp("$dir/events");
	return \%count;
}

# What must not be: the run goes on, and fails
sub complain { add('complaints', $_[0] =~ s/\n/ /gr) }

sub stopped { return -e "$dir/stop" }

sub lines { return split /\n/, slurp("$dir/$_[0]") }

# While the clock is put on by minutes no call is under way: a row written a minute after its event is a
# difference
sub gate
{
	my ($lock) = @_;
	open my $fh, '>>', "$dir/gate" or die $!;
	flock $fh, $lock or die $!;
	return $fh;
}

sub alone
{
	my ($do) = @_;
	open my $fh, '>', "$dir/pause" or die $!;
	my $gate = gate(LOCK_EX);
	$do->();
	unlink "$dir/pause";
}

# Before weeks pass nothing is under way, and each request has its answer: keys are remembered for 62 days.
# Players and dealers come to rest first, then the office, which ends the business that they left
sub quietly
{
	my ($do) = @_;
	my @players = map { "client$_" } 1 .. $Players::clients;
	my @dealers = map { "dealer$_" } 0 .. $Dealers::dealers - 1;
	my %rest = (play => [@players, @dealers], office => ['office']);
	my $done = 0;
	for my $part ('play', 'office', '')
	{
		if ($part eq '') { $do->(); $done = 1; last; }
		add("calm.$part", '');
		my $ends = time + 600;
		sleep 0.1 while !stopped() && time < $ends && grep { !-e "$dir/rests.$_" } @{ $rest{$part} };
		last if stopped();
		next if time < $ends;
		complain("no rest within ten minutes: $part");
		last;
	}
	unlink map { "$dir/calm.$_" } 'office', 'play';
	return $done;
}

# Of a process that has nothing open: it waits until the weeks are over
sub calm
{
	my ($part, $who) = @_;
	return 0 if !-e "$dir/calm.$part";
	add("rests.$who", '');
	sleep 0.1 while -e "$dir/calm.$part" && !stopped();
	unlink "$dir/rests.$who";
	return 1;
}

sub one_of { return $_[int rand @_] }

# One psql session over a list of [name, statement]; answers and errors by name. One with neither got no
# answer. Options: sql (casino.store = off), user, memory (kB that the backend may take more than it has)
sub session
{
	my ($who, $option, @calls) = @_;
	my $file = "$dir/$who.sql";
	open my $fh, '>', $file or die $!;
	print $fh "SET casino.store = off;\n" if $option->{sql};
	print $fh "SELECT pg_backend_pid() AS pid, casino.store_in_use() AS used \\gset\n"
	  . "\\set done `prlimit --pid=:pid --as=\$(( "
	  . "(\$(awk '/VmSize/ {print \$2}' /proc/:pid/status) + $option->{memory}) * 1024 ))`\n"
	  if $option->{memory};
	print $fh "\\echo >\n$_->[1];\n\\echo <:SQLSTATE $_->[0]\n" for @calls;
	close $fh;
	sleep 0.02 while -e "$dir/pause";
	my $gate = gate(LOCK_SH);
	my $connstr = slurp("$dir/primary") . ($option->{user} ? " user=$option->{user}" : '');
	my $out = '';
	open my $in, '-|', "timeout -k 5 600 psql -XAtq -d '$connstr' -f '$file' 2>$dir/$who.err" or die $!;
	{ local $/; $out = <$in> // ''; }
	close $in;
	my (%answer, $rows);
	for (split /\n/, $out)
	{
		if ($_ eq '>') { $rows = ''; }
		elsif (/^<(\S{5}) (.*)/) { $answer{$2} = $1 eq '00000' ? $rows : "error $1"; }
		else { $rows .= ($rows // '') eq '' ? $_ : "\n$_"; }
	}
	my $short = grep { /^error 53200/ } values %answer;
	event('out of memory', "$who: $short calls") if $short;
	my $full = grep { /^error 53100/ } values %answer;
	event('no space for a call', "$who: $full calls") if $full;
	return \%answer;
}

# Errors after which the same request is to be sent again; nothing is known of it. KL005: the clock was put
# back
sub unknown_yet
{
	my ($a) = @_;
	return !defined $a || $a =~ /^error (40001|40P01|55P03|57014|57P0\d|08\d\d\d|25P02|25006|53\d\d\d|KL005)/;
}

sub until_answered
{
	my ($who, $option, $sql) = @_;
	for (1 .. 600)
	{
		my $a = session($who, $option, ['a', $sql])->{a};
		if (!unknown_yet($a))
		{
			complain("$who: $sql: $a: " . slurp("$dir/$who.err")) if $a =~ /^error XX/;
			return $a;
		}
		sleep 0.2;
	}
	complain("$who: no answer to $sql");
	return 'error none';
}

1;
