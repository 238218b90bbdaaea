# Random load for SOAK_SECONDS (600): clients stake at all sixteen games, cancel, pay in and out, dealers open, close, settle and
# void rounds, half of the sessions by SQL alone (casino.store = off), while backends are cancelled, terminated and killed with
# kill -9, and the postmaster too. What was acknowledged is there once, what was refused is not there, each request keeps its
# answer, and the books are clean at the end by every check of the reconciliation. SOAK_SEED repeats a run's requests.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep time);
use Play;

my $seconds = $ENV{SOAK_SECONDS} || 600;
my $seed = $ENV{SOAK_SEED} || int(rand(1e9));
my $clients = 5;
my $players = 12;    # of a client; a client is one session at a time, as a player has one

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "fsync = on\nrestart_after_crash = on\nmax_connections = 60\ndeadlock_timeout = 200ms");
$node->start;
install($node, 'postgres');

# A table of every game; its family and whether it has seats, as the plan in force says
$node->safe_psql('postgres', "SELECT casino.add_game_table(game, game, 10, 1000) FROM casino.game ORDER BY game");
my $all = $clients * $players;
$node->safe_psql('postgres', <<"SQL");
SELECT count(casino.register_player('p' || n)) FROM generate_series(1, $all) n;
SELECT count(casino.deposit(n, 100000, 'first')) FROM generate_series(1, $all) n;
SELECT count(casino.set_payment_account(n, 'CZ' || n)) FROM generate_series(1, $all) n;
SELECT count(casino.set_limit(n, m, 'day', 50000)) FROM generate_series(1, $all, 3) n, unnest('{stake,net_loss}'::text[]) m;
SQL
my %table = map { my ($id, $family, $game) = split /\|/; $id => { family => $family, game => $game } }
  split /\n/, $node->safe_psql('postgres', 'SELECT t.table_id, g.family, g.game FROM casino.game_table t JOIN casino.game g USING (game)');
is(scalar keys %table, 16, 'a table of each game');

outcomes($node, 'postgres');

my $dir = PostgreSQL::Test::Utils::tempdir();
my $end = time + $seconds;

# One psql session over a list of [name, statement]; answers and errors by name. What has neither got no answer.
sub session
{
	my ($who, $sql_only, @calls) = @_;
	my $file = "$dir/$who.sql";
	open my $fh, '>', $file or die $!;
	print $fh "SET casino.store = off;\n" if $sql_only;
	print $fh "\\echo >\n$_->[1];\n\\echo <:SQLSTATE $_->[0]\n" for @calls;
	close $fh;
	my $out = '';
	my $pid = open my $in, '-|', "psql -XAtq -d '" . $node->connstr('postgres') . "' -f '$file' 2>>$dir/$who.err" or die $!;
	{ local $/; $out = <$in> // ''; }
	close $in;
	my (%answer, $rows);
	for (split /\n/, $out)
	{
		if ($_ eq '>') { $rows = ''; }
		elsif (/^<(\S{5}) (.*)/) { $answer{$2} = $1 eq '00000' ? $rows : "error $1"; }
		else { $rows .= $_; }
	}
	return \%answer;
}

# Errors after which the same request is to be sent again; nothing is known of it
sub unknown_yet { my ($a) = @_; return !defined $a || $a =~ /^error (40001|40P01|55P03|57014|57P0\d|08\d\d\d|XX000|25P02)/; }

sub bet_of
{
	my ($t) = @_;
	my $n = 10 * (1 + int rand 5);
	return ($table{$t}{family} eq 'roulette' ? (qw(red black odd low straight:17 split:17-20 corner:25-26-28-29 dozen:2))[rand 8]
		: $table{$t}{family} eq 'baccarat' ? (qw(player banker tie))[rand 3]
		: $table{$t}{family} eq 'blackjack' ? 'main' : $table{$t}{family} eq 'casino_holdem' ? 'ante' : 'pot') . ($table{$t}{family} eq 'texas_holdem' ? '@20' : "\@$n");
}

# A client: its players' requests in small batches; what has no answer is sent again before anything new
sub stake
{
	my ($c) = @_;
	my (%answer, @pending);
	my ($n, $again, $differ, $internal) = (0, 0, '', '');
	my @sent;
	srand($seed + $c);
	while (time < $end || @pending)
	{
		my $rounds = session("look$c", 0, ['rounds', "SELECT string_agg(table_id || ':' || round_id, ',') FROM casino.round WHERE status = 'open'"])->{rounds} // '';
		my %open = $rounds =~ /error/ ? () : map { split /:/ } split /,/, $rounds;
		if (time < $end)
		{
			for (1 .. 25)
			{
				my $p = 1 + ($c - 1) * $players + int rand $players;
				my @t = sort { $a <=> $b } keys %open or last;
				my $t = $t[rand @t];
				my $seat = 1 + ($p % 7);
				my $name = "$p r" . ++$n;
				my $r = "'r$n'";
				my $kind = rand;
				push @pending, [$name, $kind < 0.02 ? "SELECT casino.deposit($p, 50, $r)"
					: $kind < 0.04 ? "SELECT casino.request_withdrawal($p, 20, '" . (rand() < 0.5 ? 'cash' : 'transfer') . "', $r)"
					: $kind < 0.08 && $n > 1 ? "SELECT casino.cancel_bet($open{$t}, $p, 'r" . ($n - 1) . "')"
					: $kind < 0.09 ? "SELECT casino.disconnect($open{$t}, $p)"
					: $kind < 0.30 ? "SELECT casino.place_bets($open{$t}, $p, '{" . bet_of($t) . ($table{$t}{family} eq 'roulette' ? ',even@20' : '') . "}', $r, " . seat_of($t, $seat) . ")"
					: "SELECT casino.place_bet($open{$t}, $p, '" . bet_of($t) . "', $r, " . seat_of($t, $seat) . ")"];
			}
		}
		elsif (@pending) { $again++; last if $again > 200; }
		my $got = session("client$c", $c % 2, @pending);
		my @left;
		for (@pending)
		{
			my ($name, $sql) = @$_;
			my $a = $got->{$name};
			$internal .= "$name: $a; " if defined $a && $a =~ /^error XX/;
			if (unknown_yet($a)) { push @left, $_; next; }
			# of one request only what names its request is repeatable
			next if $sql =~ /disconnect|cancel_bet/;
			$differ .= "$name: $answer{$name} then $a; " if exists $answer{$name} && $answer{$name} ne $a;
			$answer{$name} = $a;
			push @sent, $_ if $a !~ /^error/ && rand() < 0.05;
		}
		@pending = @left;
		sleep 0.05 if !@pending;
	}
	# a sample of what was accepted is sent again
	while (my @batch = splice @sent, 0, 100)
	{
		my $got = session("again$c", !($c % 2), @batch);
		for (@batch)
		{
			my ($name) = @$_;
			next if unknown_yet($got->{$name});
			$differ .= "$name: $answer{$name} then $got->{$name}; " if $got->{$name} ne $answer{$name};
		}
	}
	open my $fh, '>', "$dir/answers.$c" or die $!;
	print $fh "# unanswered " . scalar(@pending) . "\n# differ $differ\n# internal $internal\n";
	print $fh "$_|$answer{$_}\n" for sort keys %answer;
	close $fh;
}

sub seat_of
{
	my ($t, $seat) = @_;
	return 'NULL' if !$table{$t}{seats};
	return $seat > $table{$t}{seats} ? 1 : $seat;
}

# A dealer: rounds of his tables, one after the other, each call until it is answered
sub deal
{
	my ($d, @mine) = @_;
	my ($n, $refused, $differ, %settled) = (0, '', '');
	srand($seed + 1000 + $d);
	while (time < $end)
	{
		$n++;
		for my $t (@mine) { until_answered("dealer$d", $n, "SELECT casino.open_round($t, 'round $n')"); }
		sleep 0.5 + rand;
		for my $t (@mine)
		{
			my $round = "(SELECT round_id FROM casino.round WHERE table_id = $t AND round_ref = 'round $n')";
			until_answered("dealer$d", $n, "SELECT casino.close_betting($round)");
			my $outcome = "public.outcome($round, '$table{$t}{family}')";
			my $none = until_answered("dealer$d", $n, "SELECT $outcome IS NULL") eq 't';
			my $call = $none || rand() < 0.05 ? "SELECT (casino.void_round($round, 'cards on the floor')).status"
			  : "SELECT s.status || ' ' || s.paid FROM casino.settle_round($round, $outcome) s";
			my $a = until_answered("dealer$d", $n, $call);
			if ($a =~ /^error/)
			{
				$refused .= "table $t ($table{$t}{game}) round $n: $a; ";
				until_answered("dealer$d", $n, "SELECT (casino.void_round($round, 'refused')).status");
			}
			elsif (rand() < 0.3)
			{
				my $b = until_answered("dealer$d", $n, $call);
				$differ .= "table $t round $n: $a then $b; " if $a ne $b;
			}
		}
	}
	open my $fh, '>', "$dir/dealer.$d" or die $!;
	print $fh "$n\n$refused\n$differ\n";
	close $fh;
}

sub until_answered
{
	my ($who, $n, $sql) = @_;
	for (1 .. 500)
	{
		my $a = session($who, $n % 2, ['a', $sql])->{a};
		return $a unless unknown_yet($a);
		sleep 0.1;
	}
	die "no answer to $sql";
}

my %seats = map { $_ => 1 } split /\n/, $node->safe_psql('postgres', 'SELECT table_id FROM casino.game_table WHERE public.has_seats(game)');
$table{$_}{seats} = $seats{$_} ? 5 : 0 for keys %table;

my @tables = sort { $a <=> $b } keys %table;
my @pids;
for my $c (1 .. $clients) { my $pid = fork // die $!; if (!$pid) { stake($c); exec 'true'; } push @pids, $pid; }
for my $d (0 .. 3) { my $pid = fork // die $!; if (!$pid) { deal($d, @tables[grep { $_ % 4 == $d } 0 .. $#tables]); exec 'true'; } push @pids, $pid; }

# One answer, or none while the server is down
sub ask { return (session('chaos', 0, ['a', $_[0]])->{a} // '') =~ /^(\d+)$/ ? $1 : 0; }

# What goes wrong meanwhile
my %done = (cancel => 0, terminate => 0, 'kill -9' => 0, 'kill -9 of the postmaster' => 0);
srand($seed);
while (time < $end - 5)
{
	sleep 1 + rand 3;
	my $what = rand;
	my $victim = 'pid <> pg_backend_pid() AND backend_type = \'client backend\' AND query <> \'\'';
	if ($what < 0.45)
	{
		my $n = ask("SELECT count(pg_cancel_backend(pid)) FROM (SELECT pid FROM pg_stat_activity WHERE $victim AND state = 'active' ORDER BY random() LIMIT 3) v");
		$done{cancel} += $n || 0;
	}
	elsif ($what < 0.8)
	{
		my $n = ask("SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity WHERE $victim ORDER BY random() LIMIT 2) v");
		$done{terminate} += $n || 0;
	}
	elsif ($what < 0.95)
	{
		my $pid = ask("SELECT pid FROM pg_stat_activity WHERE $victim ORDER BY state = 'active' DESC, random() LIMIT 1");
		$done{'kill -9'}++ if $pid && kill 'KILL', $pid;
	}
	else
	{
		my $postmaster = $node->{_pid};
		$node->kill9;
		sleep 0.05 while kill 0, $postmaster;
		$node->start;
		$done{'kill -9 of the postmaster'}++;
	}
}
waitpid $_, 0 for @pids;
sleep 0.1 until system("pg_isready -q -d '" . $node->connstr('postgres') . "'") == 0;
diag "seed $seed; " . join ', ', map { "$_: $done{$_}" } sort keys %done;
cmp_ok($done{$_}, '>', 0, "$_ happened $done{$_} times") for grep { $seconds >= 120 || $_ eq 'cancel' } sort keys %done;

# What the clients were told
my (%answer, $rounds);
for my $c (1 .. $clients)
{
	my @lines = split /\n/, slurp_file("$dir/answers.$c");
	is($lines[0], '# unanswered 0', "client $c got an answer to everything");
	is($lines[1], '# differ ', "client $c: every request kept its answer");
	is($lines[2], '# internal ', "client $c saw no internal error");
	for (@lines[3 .. $#lines]) { my ($name, $a) = split /\|/; $answer{$name} = $a; }
}
for my $d (0 .. 3)
{
	my ($n, $refused, $differ) = split /\n/, slurp_file("$dir/dealer.$d"), 3;
	$rounds += $n;
	is($refused, '', "dealer $d: no outcome was refused");
	is($differ, "\n", "dealer $d: settling again gave the same");
}
my %posted = map { split /\|/ } split /\n/, $node->safe_psql('postgres', <<'SQL');
SELECT player_id || ' ' || request_id, CASE WHEN min(kind) = 'withdrawal' THEN casino.withdrawal_id(player_id, min(entry_no))::text
                                            ELSE string_agg(entry_no::text, ',' ORDER BY request_line) END
  FROM casino.ledger WHERE request_id LIKE 'r%' AND kind IN ('stake', 'deposit', 'withdrawal') GROUP BY player_id, request_id
SQL
my @accepted = grep { $answer{$_} !~ /^error/ } keys %answer;
is(join(' ', grep { my $a = $answer{$_}; $a =~ tr/{}//d; ($posted{$_} // '') ne $a } sort @accepted), '', 'everything acknowledged is posted, once');
is(join(' ', grep { $answer{$_} =~ /^error/ && exists $posted{$_} } sort keys %answer), '', 'nothing refused is posted');
is(join(' ', grep { !exists $answer{$_} } sort keys %posted), '', 'nothing is posted that no client sent');
my %refusals;
for (values %answer) { $refusals{$1}++ if /^error (\S+)/ }
diag scalar(@accepted) . ' requests accepted, refused: ' . join(', ', map { "$_ $refusals{$_}" } sort keys %refusals) . "; $rounds rounds a table's dealer";
is(join(' ', grep { !/^K/ } sort keys %refusals), '', 'refusals are by rules only');
cmp_ok(scalar @accepted, '>', 5 * $seconds, 'there was load');

# The books
is($node->safe_psql('postgres', "SELECT count(*) FROM casino.round WHERE status IN ('open', 'closed')"), '0', 'every round is evaluated')
  or $node->safe_psql('postgres', "SELECT casino.void_round(round_id, 'left') FROM casino.round WHERE status IN ('open', 'closed')");
is(broken($node, 'postgres'), '', 'nothing is broken');
for (1 .. 2) { $node->psql('postgres', "CALL casino.reconcile(casino.prague_day(now()) - 2, casino.prague_day(now()) - 1)"); }
# the day is not over: its checks alone
is( $node->safe_psql(
		'postgres',
		"SELECT c.check_name, left(x::text, 1000) FROM casino.reconciliation_checks() c,
		        query_to_xml(format('SELECT f.* FROM %s(%L, %L) f', c.function, casino.prague_day(now()) - 1, casino.prague_day(now())), true, true, '') x WHERE x::text <> ''"),
	'',
	'the checks of the day find nothing');
is($node->safe_psql('postgres', 'SELECT status, coalesce(error, \'\') FROM casino.reconciliation ORDER BY run_no DESC LIMIT 1'), 'clean|', 'every check of the reconciliation finds nothing');
is($node->safe_psql('postgres', 'SELECT check_name, rule, player_id, round_id, entry_no, expected, found FROM casino.difference LIMIT 20'), '', 'no difference');
my $before = $node->safe_psql('postgres', 'SELECT md5(string_agg(p::text, chr(10) ORDER BY player_id)) FROM casino.player p');
$node->safe_psql('postgres', 'SELECT casino.rebuild()');
is($node->safe_psql('postgres', 'SELECT md5(string_agg(p::text, chr(10) ORDER BY player_id)) FROM casino.player p'), $before, 'the players rebuilt from the ledger are the players that are');
$node->stop;
done_testing();
