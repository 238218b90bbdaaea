# Random concurrent histories against a model of the books (Model.pm): several sessions call the ledger at
# once. Every answer must be the one that some order of the calls gives. In this order a call that had ended
# stands before a call that began later (linearizable). A failing history is run again with fewer calls.
#
# HISTORIES: how many (5), HISTORY_SEED: of the first, HISTORY_CALLS: in each (48), HISTORY_SECONDS: at most.
use strict;
use warnings;
no warnings 'recursion';
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

# The calls of cards by the two ways in which they lie (Cards.pm)
my %dealt = (
	A => '{"dealer": "6h", "hands": [{"seat": 1, "cards": "8h 3c"}]}',
	B => '{"dealer": "5h", "hands": [{"seat": 1, "cards": "9h 7c"}]}',
);
my $pots = '{"button": 1, "board": "Qh 7s 2c 9d Jc", "seats": [{"seat": 1, "cards": "Qs Kd"},
  {"seat": 2, "cards": "%s"}]}';
my %outcome = (
	(map { $_ => qq({"number": $_}) } 4, 17),
	A => '{"dealer": "6h Td 7c", "hands": [{"seat": 1, "cards": "8h 3c Kd"}]}',
	B => '{"dealer": "5h Td 6c", "hands": [{"seat": 1, "cards": "9h 7c 4d"}]}',
	H => sprintf($pots, 'Ac 3d'),
	I => sprintf($pots, '7d 7h'),
);

sub document { return $_[0] eq 'void' ? 'NULL' : "'$outcome{$_[0]}'" }

# The number of the k-th correction or withdrawal, as the caller has read it before
my %number_of = (
	correction => 'SELECT c.correction_no FROM casino.round_correction c WHERE c.round_id = %s',
	withdrawal => q{SELECT casino.withdrawal_id(l.player_id, l.entry_no) FROM casino.ledger l
	    WHERE l.kind = 'withdrawal' AND l.player_id = %s},
);

sub numbered { return sprintf "($number_of{$_[0]} ORDER BY 1 OFFSET %d LIMIT 1)", $_[1], $_[2] - 1 }

# The statement of a call; %name is the number of round and player of this history
sub statement
{
	my ($op, $name) = @_;
	my ($call, @of) = ($op->{call}, @{ $op->{args} });
	my $settlement = q{(SELECT format('%s %s %s %s %s', s.status, s.wagers, s.players,
	    (s.staked * 100)::bigint, (s.paid * 100)::bigint) FROM %s s)};
	my $figures = sub { 'SELECT ' . $settlement =~ s/FROM %s/FROM $_[0]/r };
	# where there are boxes, the seat is 1; at the other table of cards that of the player
	my $seat = sub {
		my ($ref, $player) = @_;
		my $game = $name->{games}{$ref};
		return $game eq 'wheel' ? '' : ', seat => ' . ($game eq 'holdem' ? substr $player, 1 : 1);
	};
	return {
		open => sub {
			sprintf q{SELECT 'ok' FROM casino.open_round(%s, '%s', round_id => %s)}, @$name{ @of[0, 1, 1] };
		},
		bet => sub {
			sprintf q{SELECT casino.place_bet(%s, %s, '%s@%s', '%s'%s)}, @$name{ @of[0, 1] }, $of[2],
			  money($of[3]), $of[4], $seat->(@of);
		},
		cancel => sub {
			sprintf q{SELECT array_to_string(casino.cancel_bet(%s, %s, '%s'), ',')},
			  @$name{ @of[0, 1] }, $of[2];
		},
		close => sub { "SELECT casino.close_betting($name->{$of[0]})" },
		deal => sub { "SELECT casino.deal($name->{$of[0]}, '$dealt{$of[1]}')" },
		correct_deal => sub {
			sprintf q{SELECT casino.correct_deal(%s, '%s', '%s', wagers_stand => %s)}, $name->{ $of[0] },
			  $dealt{ $of[1] }, $of[2], $of[3] ? 'true' : 'false';
		},
		may_play => sub {
			sprintf q{SELECT coalesce(string_agg(format('%%s %%s', casino.kind(m.bet),
				(m.amount * 100)::bigint), ','
			    ORDER BY casino.kind(m.bet)), '') FROM casino.may_play(%s, %s) m
			    WHERE m.why_not IS NULL AND casino.kind(m.bet) IN ('double_down', 'free_double')},
			  @$name{ @of[0, 1] };
		},
		bring => sub {
			sprintf 'SELECT casino.bring_to_table(%s, %s, %s, %s)', @$name{ @of[0, 1] }, money($of[2]),
				$of[3];
		},
		settle => sub {
			my $withhold = $of[2] ? q{, withhold => true, withhold_reason => 'a doubt'} : '';
			$figures->(sprintf 'casino.settle_round(%s, %s%s)', $name->{ $of[0] }, document($of[1]),
				$withhold);
		},
		pay_withheld => sub { $figures->("casino.pay_withheld($name->{$of[0]})") },
		void => sub { $figures->("casino.void_round($name->{$of[0]}, 'the wheel stood still')") },
		correct => sub {
			sprintf q{SELECT h.correct(%s, %s, '%s')}, $name->{ $of[0] }, document($of[1]), $of[2];
		},
		approve => sub {
			my $number = numbered('correction', $name->{ $of[0] }, $of[1]);
			$figures->("casino.approve_correction($number)");
		},
		reject => sub {
			my $number = numbered('correction', $name->{ $of[0] }, $of[1]);
			"SELECT 'ok' FROM casino.reject_correction($number, 'no')";
		},
		settle_claim => sub {
			sprintf q{SELECT 'ok' FROM casino.settle_claim(%s * 1000000000::bigint + %d, 'at the desk',
				waived => %s)},
			  $name->{ $of[0] }, $of[1], $of[2] eq 'waived' ? 'true' : 'false';
		},
		deposit => sub {
			sprintf q{SELECT casino.deposit(%s, %s, '%s')}, $name->{ $of[0] }, money($of[1]), $of[2];
		},
		# the number of a withdrawal ends in that of its entry
		withdraw => sub {
			sprintf q{SELECT casino.request_withdrawal(%s, %s, 'transfer', '%s') %% 1000000000},
			  $name->{ $of[0] }, money($of[1]), $of[2];
		},
		pay_withdrawal => sub {
			sprintf 'SELECT casino.pay_withdrawal(%s)', numbered('withdrawal', $name->{ $of[0] }, $of[1]);
		},
		cancel_withdrawal => sub {
			sprintf 'SELECT casino.cancel_withdrawal(%s)', numbered('withdrawal', $name->{ $of[0] }, $of[1]);
		},
		limit => sub {
			sprintf q{SELECT 'ok' FROM casino.set_limit(%s, '%s', 'day', %s)},
			  $name->{ $of[0] }, $of[1], money($of[2]);
		},
		exclude => sub { "SELECT casino.exclude_player($name->{$of[0]}, NULL, '$of[1]')" },
		end_exclusion => sub {
			sprintf q{SELECT 'ok' FROM casino.end_exclusion(%s, %d, '%s')}, $name->{ $of[0] }, @of[1, 2];
		},
		explain => sub { "SELECT coalesce(b.code, 'ok') FROM casino.explain_break($name->{$of[0]}) b" },
		turn => sub { q{SELECT 'ok' FROM casino.turn_book()} },
		seal => sub { q{SELECT 'ok' FROM casino.seal('2000-01-01'::date + nextval('h.seal')::integer)} },
		close_book => sub { sprintf q{SELECT 'ok' FROM casino.close_book(%d)}, $name->{book} + $of[0] - 1 },
		wallet => sub {
			"SELECT format('%s %s', (balance * 100)::bigint, last_entry_no)"
			  . " FROM casino.player WHERE player_id = $name->{$of[0]}";
		},
	}->{$call}->();
}

sub one_of { return $_[int rand @_] }

# How the players played before, and which game is at the third table: drawn with the calls
sub draw_setting
{
	return {
		cards => one_of(qw(synot free_bet holdem)),
		p1 => one_of(qw(none nearly nearly due rested)),
		p2 => one_of(qw(none nearly rested)),
	};
}

# Calls of a history, drawn at random; a call is repeated by another session now and then, as a retry is
sub draw
{
	my ($n, $setting) = @_;
	my %table = (r1 => 't1', r2 => 't2', r3 => 't1', r4 => 't3', r5 => 't3');
	my @cards = $setting->{cards} eq 'holdem' ? ('H', 'I') : ('A', 'B');
	# the tables that this history is about
	my @refs = @{ one_of(['r1', 'r2', 'r3'], ['r1', 'r4'], ['r4', 'r5', 'r1'], ['r4', 'r5']) };
	my @kinds = { synot => [qw(main main behind behind double_down double_down)],
		free_bet => [qw(main main free_double double_down)], holdem => ['pot'] }->{ $setting->{cards} }->@*;
	my @calls = map { { call => 'open', args => [$table{$_}, $_] } } @refs[0, rand() < .5 ? 1 : ()];
	my $results = rand() < .5;
	while (@calls < $n)
	{
		my ($ref, $player, $key) = (one_of(@refs), one_of('p1', 'p1', 'p2'), 'k' . int rand 12);
		my $wheel = $table{$ref} ne 't3';
		my $outcome = $wheel ? one_of(17, 4) : one_of(@cards);
		my @stakes = $wheel ? (1_00, 10_00, 50_00, 200_00)
		  : $setting->{cards} eq 'holdem' ? (25_00, 100_00, 400_00) : (50_00, 50_00, 100_00);
		my $bet = $wheel ? one_of('black', 'odd', 'even', 'straight:17') : one_of(@kinds);
		my $of_cards = $setting->{cards} eq 'holdem'
		  ? { call => 'bring', args => [$ref, $player, one_of(50_00, 150_00), one_of(1, 2)] }
		  : one_of({ call => 'deal', args => [$ref, one_of('A', 'A', 'B')] },
			{ call => 'correct_deal', args => [$ref, one_of('A', 'B'), one_of('x', 'y'), rand() < .3
				? 1 : 0] },
			{ call => 'may_play', args => [$ref, $player] });
		my $of_results = one_of(
			({ call => 'correct', args => [$ref, one_of($outcome, $outcome, 'void'), one_of('x', 'y')] }) x 3,
			({ call => 'approve', args => [$ref, 1 + int rand 3] }) x 4,
			{ call => 'reject', args => [$ref, 1 + int rand 3] },
			{ call => 'settle_claim', args => [$player, 1 + int rand 2, one_of('paid', 'waived')] });
		my $at = rand 100;
		push @calls, $at < 14 ? { %{ one_of(@calls) } }
		  : $at < 16 ? { call => 'explain', args => [$player] }
		  : $at < 20 && $wheel ? { call => 'wallet', args => [$player] }
		  : $at < 26 && !$wheel ? $of_cards
		  : $at < 34 && $results ? $of_results
		  : $at < 54 ? { call => 'bet', args => [$ref, $player, $bet, one_of(@stakes), $key] }
		  : $at < 61 ? { call => 'cancel', args => [$ref, $player, $key] }
		  : $at < 64 ? { call => 'open', args => [$table{$ref}, $ref] }
		  : $at < 69 ? { call => 'close', args => [$ref] }
		  : $at < 76 ? { call => 'settle', args => [$ref, $outcome, rand() < .3 ? 1 : 0] }
		  : $at < 78 ? { call => 'void', args => [$ref] }
		  : $at < 81 ? { call => 'pay_withheld', args => [$ref] }
		  : $at < 85 ? { call => 'deposit', args => [$player, one_of(50_00, 300_00), one_of($key, $key,
		  	'first')] }
		  : $at < 89 ? { call => 'withdraw', args => [$player, one_of(100_00, 400_00), $key] }
		  : $at < 90 ? { call => one_of('pay_withdrawal', 'cancel_withdrawal'), args => [$player,
		  	1 + int rand 2] }
		  : $at < 91.5 ? { call => 'exclude', args => [$player, one_of('self', 'operator', 'operator')] }
		  : $at < 93 ? { call => 'end_exclusion', args => [$player, 1 + int rand 2, one_of('x', 'y')] }
		  : $at < 94.5 ? { call => one_of('turn', 'turn', 'seal'), args => [] }
		  : $at < 95 ? { call => 'close_book', args => [1 + int rand 3] }
		  : $at < 97 ? { call => 'limit', args => [$player, one_of('stake', 'net_loss'), one_of(100_00,
		  	300_00)] }
		  :            { call => 'wallet', args => [$player] };
	}
	$calls[$_]{session} = $_ % $sessions foreach 0 .. $#calls;
	return @calls;
}

# The end of each history, by one more person: all business ends, and each book is closed. The model says how.
sub ending
{
	my (@calls) = @_;
	my %of;
	$of{ $_->{call} }++ foreach @calls;
	my %opened = map { $_->{args}[1] => 1 } grep { $_->{call} eq 'open' } @calls;
	my @numbers = map { [1 .. $_] } map { $of{$_} // 0 } 'correct', 'approve', 'withdraw', 'turn';
	my ($corrections, $approved, $withdrawals, $turned) = @numbers;
	my @end;
	foreach my $ref (sort keys %opened)
	{
		push @end, map { ['reject', $ref, $_] } @$corrections;
		push @end, map { [$_, $ref] } 'void', 'pay_withheld';
	}
	foreach my $player ('p1', 'p2')
	{
		# a correction makes a claim of each wager
		push @end, map { ['settle_claim', $player, $_, 'paid'] } map { (3 * $_ - 2 .. 3 * $_) } @$approved;
		push @end, map { ['cancel_withdrawal', $player, $_] } @$withdrawals;
		push @end, map { [$_, $player] } 'explain', 'wallet';
	}
	push @end, ['turn'], ['seal'], map { ['close_book', $_] } 1, map { $_ + 1 } @$turned;
	return map { { call => shift @$_, args => $_, session => $sessions } } @end;
}

# ------------------------------------------------------------ a run of it

# What a player did before: first stake and evaluation, so many minutes ago (Duties.pm)
my %past = (nearly => [124, 5], due => [140, 10], rested => [146, 16]);
my %games = (synot => ['blackjack_synot', 10, 1000, '{"behind": true}'],
	free_bet => ['blackjack_free_bet', 10, 1000, '{}'], holdem => ['holdem_cash_25_50', 25, 10000,
		'{"seats": 2}']);

# A few histories have a database together, because books and rounds of all of them add up
my ($databases, $number, $inside, $failed) = (0, 0, 0, 0);
sub new_database
{
	drop_database();
	$ENV{PGDATABASE} = 'postgres';
	sql('CREATE DATABASE history_' . ++$databases . ' TEMPLATE histories');
	$ENV{PGDATABASE} = "history_$databases";
	$inside = $failed = 0;
	return;
}

sub drop_database
{
	$ENV{PGDATABASE} = 'postgres';
	sql("DROP DATABASE IF EXISTS history_$databases WITH (FORCE)");
	return;
}

# Two tables of a live wheel, one of cards, and two players of this history alone, with their play of before:
# black on the four, which won. Returns the names in the database and the model of the start.
sub set_up
{
	my ($setting) = @_;
	# what a failed history has left open keeps its books open
	new_database() if !$databases || $failed || ++$inside > 20;
	$number++;
	my ($game, $least, $most, $options) = @{ $games{ $setting->{cards} } };
	my (%name, %player);
	my $text = <<"SQL";
SET casino.clock_skew = -1;
SELECT casino.add_game_table('roulette_evolution', 'one $number', 10, 1000) AS t1,
       casino.add_game_table('roulette_evolution', 'two $number', 10, 1000) AS t2,
       casino.add_game_table('$game', 'cards $number', $least, $most, '$options') AS t3,
       casino.register_player('ann $number') AS p1, casino.register_player('bob $number') AS p2,
       max(book) AS book
  FROM casino.book_turn \\gset
SELECT :t1, :t2, :t3, :p1, :p2, :book;
SQL
	my $of = 8;
	foreach my $who ('p1', 'p2')
	{
		my $first = $who eq 'p1' ? 1000_00 : 300_00;
		my $past = $past{ $setting->{$who} };
		my $round = $number * 10 + $of++;
		$player{ substr $who, 1 } = { past => $setting->{$who}, balance => $first + ($past ? 10_00 : 0),
			first => $first,
			entries => $past ? 3 : 1 };
		$text .= sprintf <<"SQL", money($first);
SELECT casino.set_payment_account(:$who, 'CZ' || :$who, now() - interval '3 days') \\g /dev/null
SELECT casino.deposit(:$who, %s, 'first', now() - interval '150 min') \\g /dev/null
SQL
		$text .= sprintf <<"SQL", @$past if $past;
SELECT now() - interval '%d min' AS since, now() - interval '%d min' AS until \\gset
SELECT casino.open_round(casino.add_game_table('roulette_evolution', '$who $number', 10, 1000), 'before',
                         :'since', $round) \\g /dev/null
SELECT casino.place_bet($round, :$who, 'black\@10', at => :'since') \\g /dev/null
SELECT casino.settle_round($round, '{"number": 4}', :'until') \\g /dev/null
SELECT CASE WHEN casino.prague_day(:'since') = casino.prague_day(now()) THEN 1000 ELSE 0 END,
       CASE WHEN casino.prague_day(:'until') = casino.prague_day(now()) THEN -1000 ELSE 0 END;
SQL
	}
	my ($ids, @days) = split /\n/, sql($text);
	@name{qw(t1 t2 t3 p1 p2 book)} = split /\|/, $ids;
	foreach my $id (grep { $past{ $player{$_}{past} } } 1, 2)
	{
		@{ $player{$id} }{qw(used lost)} = split /\|/, shift @days;
	}
	$name{"r$_"} = $number * 10 + $_ foreach 1 .. 5;
	$name{games} = { (map { $_ => 'wheel' } qw(r1 r2 r3)), (map { $_ => $setting->{cards} } qw(r4 r5)) };
	my %tables = (1 => 'wheel', 2 => 'wheel', 3 => $setting->{cards});
	return (\%name, Model->new(tables => \%tables, players => \%player));
}

# The calls of a session, one after the other; each session has a login of its own
sub write_script
{
	my ($name, $session, $calls, @own) = @_;
	open my $out, '>', "$dir/$session.sql" or die $!;
	my $clock = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS';
	print $out "\\set VERBOSITY sqlstate\nSET SESSION AUTHORIZATION h$session;\n",
	  $session == 3 ? "SET casino.store = off;\n" : '';
	foreach my $n (@own)
	{
		print $out "$clock began \\gset\n\\echo <$n :began\n", statement($calls->[$n], $name), ";\n",
		  "\\set state :SQLSTATE\n$clock ended \\gset\n\\echo >$n :state :began :ended\n";
	}
	close $out;
	return;
}

# Run the calls, each session its own in their order; add to each its answer and when it began and ended.
# "kills": two sessions are ended in the middle, so that an answer is not heard and the rest is not sent.
sub run
{
	my ($name, $kills, @calls) = @_;
	my @pids;
	my %of;
	push @{ $of{ $calls[$_]{session} } }, $_ foreach 0 .. $#calls;
	write_script($name, $_, \@calls, @{ $of{$_} // [] }) foreach 0 .. $sessions;
	foreach my $session (0 .. $sessions - 1)
	{
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
		# one of them may have ended by itself
		system q{psql -XAtqc "SET client_min_messages = error; SELECT count(pg_terminate_backend(pid))
			FROM (SELECT pid FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()
			ORDER BY random() LIMIT 2) a" >/dev/null};
	}
	waitpid $_, 0 foreach @pids;
	# the ending comes after all of them
	system "psql -XAtq -f $dir/$sessions.sql >$dir/$sessions.out 2>$dir/$sessions.err";
	foreach my $session (0 .. $sessions)
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
	my ($start, @ops) = @_;
	my @posted = grep { $ops[$_]{call} =~ /^(?:bet|deposit|withdraw)$/ } 0 .. $#ops;
	@posted = grep { ($ops[$_]{answer} // '') =~ /^\d+$/ } @posted;
	return if !@posted;
	my $one = one_of(@posted);
	my @wrong = map { { %$_ } } @ops;
	$wrong[$one]{answer} += 100;
	$changed++;
	return if !(order($start, @wrong))[0];
	return "an order gives entry $wrong[$one]{answer}, too: " . told($ops[$one]);
}

$changed = 0;

# One run: the reason why no order gives these answers, or nothing
sub try
{
	my ($setting, $kills, @drawn) = @_;
	my ($name, $start) = set_up($setting);
	my @calls = run($name, $kills, map { { %$_ } } @drawn, ending(@drawn));
	my @ops = map { for_model($_) } @calls;
	my ($found, @best) = order($start, @ops);
	return misread($start, @ops) if $found;
	$failed = 1;
	my $state = $start;
	$state = $state->accept($ops[$_], $ops[$_]{answer}) foreach @best;
	my %done = map { $_ => 1 } @best;
	my $first = (sort { $a <=> $b } map { $calls[$_]{ended} // 9e18 } grep { !$done{$_} } 0 .. $#calls)[0];
	my @left = grep { !$done{$_} } 0 .. $#calls;
	my @next = grep { $calls[$_]{began} <= $first } @left;
	my @later = grep { $calls[$_]{began} > $first } @left;
	my @instead = map { '  ' . told($calls[$_]) . ', but ' . $state->expected($ops[$_]) } @next;
	# a refusal in the ending says nothing
	@best = grep { $calls[$_]{session} != $sessions || $calls[$_]{answer} !~ /^error/ } @best;
	return join "\n", 'an order goes as far as', (map { '  ' . told($calls[$_]) } @best),
	  'and then not one of these fits', @instead, 'and later',
	  	map { '  ' . told($calls[$_]) } grep { $calls[$_]{session} != $sessions } @later;
}

# Leave out calls while the history still fails in one of a few runs
sub shrink
{
	my ($why, $setting, $kills, @calls) = @_;
	# without ended sessions, if that fails as well
	foreach (1 .. $kills ? 3 : 0)
	{
		my $still = try($setting, 0, @calls) or next;
		($why, $kills) = ($still, 0);
		last;
	}
	my $size = int(@calls / 2);
	while ($size >= 1)
	{
		for (my $from = 0; $from < @calls;)
		{
			my @fewer = @calls[grep { $_ < $from || $_ >= $from + $size } 0 .. $#calls];
			my $still;
			foreach (1 .. 5) { $still = try($setting, $kills, @fewer) and last; }
			if ($still) { ($why, @calls) = ($still, @fewer); }
			else { $from += $size; }
		}
		$size = int($size / 2);
	}
	return ($why, @calls);
}

# Every check of the night finds nothing in the database of the last histories
sub night
{
	return sql(<<'SQL');
SELECT format('SELECT %L, t FROM %s(%L, %L) t LIMIT 3', c.check_name, c.function, d - 1, d)
  FROM casino.reconciliation_checks() c
 CROSS JOIN (SELECT casino.prague_day(now()) AS d) x \gexec
SQL
}

my ($run, $calls, @nights) = (0, 0);
foreach my $one ($seed .. $seed + $histories - 1)
{
	last if $ends && time >= $ends;
	srand $one;
	my $setting = draw_setting();
	my @drawn = draw($length, $setting);
	my $kills = rand() < .3;
	push @nights, night() if $inside == 20;
	my $why = try($setting, $kills, @drawn);
	$run++;
	$calls += @drawn;
	next if !$why;
	my ($least, @few) = shrink($why, $setting, $kills, @drawn);
	my $before = join ', ', map { "$_ $setting->{$_}" } sort keys %$setting;
	fail("history of seed $one");
	diag(scalar(@few) . " calls of " . scalar(@drawn) . " ($before):\n$least");
}
ok($run > 0, "$run histories of $calls calls, seeds from $seed");
ok($changed > 0, "$changed answers changed, each found");
is(join("\n", grep { $_ ne '' } @nights, night()), '', 'every check of the night finds nothing');
drop_database();
done_testing();
