# Part of the soak: clients, each with players of its own. They stake at all tables, take back, pay in and
# out. Requests without an answer are sent again before a new one; so is a sample of accepted ones,
# too.
package Players;
use strict;
use warnings;
use Time::HiRes qw(sleep);
use Soak;

our $clients = 5;
our $players = 12;    # of a client; a client is one session at a time, as a player has one

my @roulette = qw(red black odd low straight:17 split:17-20 corner:25-26-28-29 dozen:2);

sub bet_of
{
	my ($family) = @_;
	my $n = 10 * (1 + int rand 5);
	return one_of(@roulette) . "\@$n" if $family eq 'roulette';
	return one_of(qw(player banker tie)) . "\@$n" if $family eq 'baccarat';
	return "main\@$n" if $family eq 'blackjack';
	return $family eq 'casino_holdem' ? "ante\@$n" : 'pot@20';
}

sub request
{
	my ($table, $open, $c, $n) = @_;
	my $p = 1 + ($c - 1) * $players + int rand $players;
	my $t = one_of(sort { $a <=> $b } keys %$open);
	my ($family, $seats) = @{ $table->{$t} }{qw(family seats)};
	my $seat = $seats ? 1 + $p % $seats : 'NULL';
	my $kind = rand;
	my $sql = $kind < 0.02 ? "SELECT casino.deposit($p, 50, 'r$n')"
	  : $kind < 0.03 ? "SELECT casino.request_withdrawal($p, 20, '" . one_of('cash', 'transfer') . "', 'r$n')"
	  : $kind < 0.08 && $n > 1 ? "SELECT casino.cancel_bet($open->{$t}, $p, 'r" . ($n - 1) . "')"
	  : $kind < 0.09 ? "SELECT casino.disconnect($open->{$t}, $p)"
	  : $kind < 0.30 ? "SELECT casino.place_bets($open->{$t}, $p, '{" . bet_of($family)
	  . ($family eq 'roulette' ? ',even@20' : '') . "}', 'r$n', $seat)"
	  : "SELECT casino.place_bet($open->{$t}, $p, '" . bet_of($family) . "', 'r$n', $seat)";
	return ["$p r$n", $sql];
}

# The answers to client c stand in answers.c, by the names of its requests
sub play
{
	my ($c, $table) = @_;
	my ($n, $again, %answer, @pending, @sent, @kept) = (0, 0);
	srand($Soak::seed + $c);
	while (!stopped() || @pending)
	{
		# requests from before are sent again when all books are back
		push @kept, splice @sent if !@pending && calm('play', "client$c");
		my $rounds = session("look$c", {}, ['rounds', q{SELECT string_agg(table_id || ':' || round_id, ',')
			FROM casino.round WHERE status = 'open'}])->{rounds};
		my %open = ($rounds // '') =~ /^\d/ ? map { split /:/ } split /,/, $rounds : ();
		delete $open{$_} for grep { !$table->{$_} } keys %open;
		if (stopped())
		{
			last if ++$again > 300;
			sleep 0.2 if $again > 5;
		}
		# before weeks pass only requests without an answer are sent
		elsif (-e "$Soak::dir/calm.play") { sleep 0.1 }
		elsif (%open)
		{
			push @pending, request($table, \%open, $c, ++$n) for 1 .. 25;
			push @pending, splice @sent, 0, 2;
		}
		# now and then in a session that soon has no memory left
		my $short = rand() < 0.06 ? { memory => 100 + int rand 4000 } : {};
		my $got = session("client$c", { sql => $c % 2, %$short }, @pending);
		my @left;
		for (@pending)
		{
			my ($name, $sql) = @$_;
			my $a = $got->{$name};
			if (unknown_yet($a)) { push @left, $_; next; }
			complain("$name: $sql: $a") if $a =~ /^error XX/;
			event($a =~ /KC001/ ? 'break' : 'limit', $name) if $a =~ /^error (KC001|KC005)/;
			# of one request only what names its request is repeatable
			next if $sql =~ /disconnect|cancel_bet/;
			if (exists $answer{$name})
			{
				complain("$name: $sql: $answer{$name} then $a") if $answer{$name} ne $a;
				event('request repeated', $name);
			}
			$answer{$name} = $a;
			push @sent, $_ if $a !~ /^error/ && rand() < 0.05;
		}
		@pending = @left;
		sleep 0.05 if !@pending;
	}
	complain("client $c has no answer to " . join ', ', map { $_->[0] } @pending) if @pending;
	open my $fh, '>', "$Soak::dir/answers.$c" or die $!;
	print $fh "$_|$answer{$_}\n" for sort keys %answer;
	close $fh;
	open $fh, '>', "$Soak::dir/again.$c" or die $!;
	print $fh "$_->[0]|$_->[1]\n" for @kept, @sent;
	close $fh;
}

1;
