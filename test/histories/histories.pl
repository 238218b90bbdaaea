# Random concurrent histories against a model of the books (Model.pm): several sessions call the ledger at
# once. Every answer must be the one that some order of the calls gives. In this order a call that had ended
# stands before a call that began later (linearizable). A failing history is run again with fewer calls.
#
# HISTORIES: how many (5), HISTORY_SEED: of the first, HISTORY_CALLS: in each (48), HISTORY_SECONDS: at most.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Model;
use POSIX qw(_exit);
use File::Temp qw(tempdir);
use Test::More;

my $histories = $ENV{HISTORIES} || 5;
my $seed = $ENV{HISTORY_SEED} || 1;
my $length = $ENV{HISTORY_CALLS} || 48;
my $ends = $ENV{HISTORY_SECONDS} ? time + $ENV{HISTORY_SECONDS} : undef;
my $sessions = 4;
my $dir = tempdir(CLEANUP => 1);

sub sql
{
	my ($text) = @_;
	open my $in, '>', "$dir/one.sql" or die $!;
	print $in $text;
	close $in;
	my $out = `psql -XAtq -v ON_ERROR_STOP=1 -f $dir/one.sql 2>&1`;
	die $out if $?;
	chomp $out;
	return $out;
}

# ------------------------------------------------------------ the calls

sub money { return sprintf '%d.%02d', int($_[0] / 100), $_[0] % 100 }

# The statement of a call; %name is the number of round and player of this history
sub statement
{
	my ($op, $name) = @_;
	my ($call, @of) = ($op->{call}, @{ $op->{args} });
	my $settlement = q{(SELECT format('%s %s %s %s %s', s.status, s.wagers, s.players,
	    (s.staked * 100)::bigint, (s.paid * 100)::bigint) FROM %s s)};
	my $figures = sub { $settlement =~ s/FROM %s/FROM $_[0]/r };
	return {
		open => sub {
			sprintf q{SELECT 'ok' FROM casino.open_round(%s, '%s', round_id => %s)}, @$name{ @of[0, 1, 1] };
		},
		bet => sub {
			sprintf q{SELECT casino.place_bet(%s, %s, '%s@%s', '%s')}, @$name{ @of[0, 1] }, $of[2],
			  money($of[3]), $of[4];
		},
		cancel => sub {
			sprintf q{SELECT array_to_string(casino.cancel_bet(%s, %s, '%s'), ',')},
			  @$name{ @of[0, 1] }, $of[2];
		},
		close => sub { "SELECT casino.close_betting($name->{$of[0]})" },
		settle => sub {
			my $withhold = $of[2] ? q{, withhold => true, withhold_reason => 'a doubt'} : '';
			my $settle = q{casino.settle_round(%s, '{"number": %d}'%s)};
			'SELECT ' . $figures->(sprintf $settle, $name->{ $of[0] }, $of[1], $withhold);
		},
		pay_withheld => sub { 'SELECT ' . $figures->("casino.pay_withheld($name->{$of[0]})") },
		void => sub { 'SELECT ' . $figures->("casino.void_round($name->{$of[0]}, 'the wheel stood still')") },
		deposit => sub {
			sprintf q{SELECT casino.deposit(%s, %s, '%s')}, $name->{ $of[0] }, money($of[1]), $of[2];
		},
		# the number of a withdrawal ends in that of its entry
		withdraw => sub {
			sprintf q{SELECT casino.request_withdrawal(%s, %s, 'transfer', '%s') %% 1000000000},
			  $name->{ $of[0] }, money($of[1]), $of[2];
		},
		limit => sub {
			sprintf q{SELECT 'ok' FROM casino.set_limit(%s, 'stake', 'day', %s)},
			  $name->{ $of[0] }, money($of[1]);
		},
		exclude => sub { "SELECT 'ok' FROM casino.exclude_player($name->{$of[0]}, NULL, 'operator')" },
		turn => sub { q{SELECT 'ok' FROM casino.turn_book()} },
		wallet => sub {
			"SELECT format('%s %s', (balance * 100)::bigint, last_entry_no)"
			  . " FROM casino.player WHERE player_id = $name->{$of[0]}";
		},
	}->{$call}->();
}

sub one_of { return $_[int rand @_] }

# Calls of a history, drawn at random; a call is repeated by another session now and then, as a retry is
sub draw
{
	my ($n) = @_;
	my @refs = map { "r$_" } 1 .. 3;
	my %table = (r1 => 't1', r2 => 't2', r3 => 't1');
	my @bets = ('black', 'odd', 'even', 'straight:17');
	my @stakes = (1_00, 10_00, 50_00, 200_00);
	my @calls = map { { call => 'open', args => [$table{$_}, $_] } } 'r1', rand() < .5 ? 'r2' : ();
	while (@calls < $n)
	{
		my ($ref, $player, $key) = (one_of(@refs), one_of('p1', 'p1', 'p2'), 'k' . int rand 12);
		my $at = rand 100;
		push @calls, $at < 15 ? { %{ one_of(@calls) } }
		  : $at < 50 ? { call => 'bet', args => [$ref, $player, one_of(@bets), one_of(@stakes), $key] }
		  : $at < 60 ? { call => 'cancel', args => [$ref, $player, $key] }
		  : $at < 64 ? { call => 'open', args => [$table{$ref}, $ref] }
		  : $at < 68 ? { call => 'close', args => [$ref] }
		  : $at < 75 ? { call => 'settle', args => [$ref, one_of(17, 4), rand() < .3 ? 1 : 0] }
		  : $at < 78 ? { call => 'void', args => [$ref] }
		  : $at < 81 ? { call => 'pay_withheld', args => [$ref] }
		  : $at < 86 ? { call => 'deposit', args => [$player, one_of(50_00, 300_00), $key] }
		  : $at < 91 ? { call => 'withdraw', args => [$player, one_of(100_00, 400_00), $key] }
		  : $at < 92 ? { call => 'exclude', args => [$player] }
		  : $at < 93 ? { call => 'turn', args => [] }
		  : $at < 95 ? { call => 'limit', args => [$player, one_of(100_00, 300_00)] }
		  :            { call => 'wallet', args => [$player] };
	}
	$calls[$_]{session} = $_ % $sessions foreach 0 .. $#calls;
	return @calls;
}

# ------------------------------------------------------------ a run of it

# Two tables of a live game and two players of this history alone
sub set_up
{
	my ($number) = @_;
	my %name;
	@name{qw(t1 t2 p1 p2)} = split /\|/, sql(<<"SQL");
SELECT casino.add_game_table('roulette_evolution', 'one $number', 10, 1000) AS t1,
       casino.add_game_table('roulette_evolution', 'two $number', 10, 1000) AS t2,
       casino.register_player('ann $number') AS p1, casino.register_player('bob $number') AS p2 \\gset
SELECT count(casino.set_payment_account(p, 'CZ' || p)), count(casino.deposit(p, a, 'first'))
  FROM (VALUES (:p1, 1000), (:p2, 300)) v (p, a) \\g /dev/null
SELECT :t1, :t2, :p1, :p2;
SQL
	@name{qw(r1 r2 r3)} = map { $number * 10 + $_ } 1 .. 3;
	return \%name;
}

# Run the calls, each session its own in their order; add to each its answer and when it began and ended.
# "kills": two sessions are ended in the middle, so that an answer is not heard and the rest is not sent.
sub run
{
	my ($name, $kills, @calls) = @_;
	my @pids;
	foreach my $session (0 .. $sessions - 1)
	{
		open my $out, '>', "$dir/$session.sql" or die $!;
		my $clock = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS';
		print $out "\\set VERBOSITY sqlstate\n", $session == 3 ? "SET casino.store = off;\n" : '';
		foreach my $n (grep { $calls[$_]{session} == $session } 0 .. $#calls)
		{
			print $out "$clock began \\gset\n\\echo <$n :began\n", statement($calls[$n], $name), ";\n",
			  "\\set state :SQLSTATE\n$clock ended \\gset\n\\echo >$n :state :began :ended\n";
		}
		close $out;
		my $pid = fork // die $!;
		if (!$pid)
		{
			exec "psql -XAtq -f $dir/$session.sql >$dir/$session.out 2>$dir/$session.err" or _exit(1);
		}
		push @pids, $pid;
	}
	if ($kills)
	{
		select undef, undef, undef, rand 0.3;
		system q{psql -XAtqc "SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()
			ORDER BY random() LIMIT 2) a" >/dev/null};
	}
	waitpid $_, 0 foreach @pids;
	foreach my $session (0 .. $sessions - 1)
	{
		open my $in, '<', "$dir/$session.out" or die $!;
		my @said;
		while (my $line = <$in>)
		{
			chomp $line;
			if ($line =~ /^<(\d+) (\d+)$/) { $calls[$1]{began} = $2; @said = (); }
			elsif ($line =~ /^>(\d+) (\S+) (\d+) (\d+)$/)
			{
				# a session that was ended says so, and no more
				next if $2 eq '57P01';
				@{ $calls[$1] }{qw(answer ended)} = ($2 eq '00000' ? join(' ', @said) : "error $2", $4);
			}
			else { push @said, $line; }
		}
	}
	# a call that was never sent is left out
	return grep { defined $_->{began} } @calls;
}

# ------------------------------------------------------------ is there an order?

# Look for an order of the calls that gives each its answer. Return whether there is one, and the longest
# beginning of one.
sub order
{
	my ($start, @calls) = @_;
	my %seen;
	my (@best, @path);
	my $look;
	$look = sub {
		my ($state, @left) = @_;
		@best = @path if @path > @best;
		# a call whose answer was not heard may have done nothing
		return 1 if !grep { defined $calls[$_]{answer} } @left;
		return 0 if $seen{ join(',', @left) . ' ' . $state->text }++;
		# a call may come next if no other one had ended before it began
		my $first = (sort { $a <=> $b } map { $calls[$_]{ended} // 9e18 } @left)[0];
		foreach my $n (grep { $calls[$_]{began} <= $first } @left)
		{
			my $next = $state->accept($calls[$n], $calls[$n]{answer}) or next;
			push @path, $n;
			return 1 if $look->($next, grep { $_ != $n } @left);
			pop @path;
		}
		return 0;
	};
	my $found = $look->($start, 0 .. $#calls);
	return ($found, @best);
}

sub model { my ($name) = @_; return Model->new(tables => [1, 2], players => { 1 => 1000_00, 2 => 300_00 }) }

# The model has names of its own: t1 is table 1, p2 player 2
sub for_model
{
	my ($op) = @_;
	return { %$op, args => [map { /^[tp](\d)$/ ? $1 : $_ } @{ $op->{args} }] };
}

sub told
{
	my ($op) = @_;
	my $args = join ', ', @{ $op->{args} };
	return sprintf '%s: %s(%s) -> %s', $op->{session}, $op->{call}, $args, $op->{answer} // 'no answer';
}

# The search must be able to fail: with one answer changed, no order gives the answers
our $changed;
sub misread
{
	my (@ops) = @_;
	my @posted = grep { $ops[$_]{call} =~ /^(?:bet|deposit|withdraw)$/ } 0 .. $#ops;
	@posted = grep { ($ops[$_]{answer} // '') =~ /^\d+$/ } @posted;
	return if !@posted;
	my $one = one_of(@posted);
	my @wrong = map { { %$_ } } @ops;
	$wrong[$one]{answer} += 100;
	$changed++;
	return if !(order(model(), @wrong))[0];
	return "an order gives entry $wrong[$one]{answer}, too: " . told($ops[$one]);
}

$changed = 0;
my $number = int(sql('SELECT coalesce(max(round_id), 0) / 10 FROM casino.round'));

# One run: the reason why no order gives these answers, or nothing
sub try
{
	my ($kills, @drawn) = @_;
	my @calls = run(set_up(++$number), $kills, map { { %$_ } } @drawn);
	my @ops = map { for_model($_) } @calls;
	my ($found, @best) = order(model(), @ops);
	return misread(@ops) if $found;
	my $state = model();
	$state = $state->accept($ops[$_], $ops[$_]{answer}) foreach @best;
	my %done = map { $_ => 1 } @best;
	my $first = (sort { $a <=> $b } map { $calls[$_]{ended} } grep { !$done{$_} } 0 .. $#calls)[0];
	my @left = grep { !$done{$_} } 0 .. $#calls;
	my @next = grep { $calls[$_]{began} <= $first } @left;
	my @later = grep { $calls[$_]{began} > $first } @left;
	my @instead = map { '  ' . told($calls[$_]) . ', but ' . $state->expected($ops[$_]) } @next;
	return join "\n", 'an order goes as far as', (map { '  ' . told($calls[$_]) } @best),
	  'and then not one of these fits', @instead, 'and later', map { '  ' . told($calls[$_]) } @later;
}

# Leave out calls while the history still fails in one of a few runs
sub shrink
{
	my ($why, $kills, @calls) = @_;
	my $size = int(@calls / 2);
	while ($size >= 1)
	{
		for (my $from = 0; $from < @calls;)
		{
			my @fewer = @calls[grep { $_ < $from || $_ >= $from + $size } 0 .. $#calls];
			my $still;
			foreach (1 .. 5) { $still = try($kills, @fewer) and last; }
			if ($still) { ($why, @calls) = ($still, @fewer); }
			else { $from += $size; }
		}
		$size = int($size / 2);
	}
	return ($why, @calls);
}

my ($run, $calls) = (0, 0);
foreach my $one ($seed .. $seed + $histories - 1)
{
	last if $ends && time >= $ends;
	srand $one;
	my @drawn = draw($length);
	my $kills = rand() < .3;
	my $why = try($kills, @drawn);
	$run++;
	$calls += @drawn;
	next if !$why;
	my ($least, @few) = shrink($why, $kills, @drawn);
	fail("history of seed $one");
	diag(scalar(@few) . " calls of " . scalar(@drawn) . ":\n$least");
}
ok($run > 0, "$run histories of $calls calls, seeds from $seed");
ok($changed > 0, "$changed answers changed, each found");
is(sql(<<'SQL'), '', 'every check of the night finds nothing');
SELECT format('SELECT %L, t FROM %s(%L, %L) t LIMIT 3', c.check_name, c.function, d - 1, d)
  FROM casino.reconciliation_checks() c
 CROSS JOIN (SELECT casino.prague_day(now()) AS d) x \gexec
SQL
done_testing();
