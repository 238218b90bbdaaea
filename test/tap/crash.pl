# kill -9 of a backend and of the postmaster while clients stake: what was acknowledged is there, retries
# double nothing.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep);
use Play;

my $clients = 4;
my $requests = 250;
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "fsync = on\nrestart_after_crash = on");
$node->start;
install($node, 'postgres');
$node->safe_psql('postgres', <<"SQL");
SELECT casino.add_game_table('roulette_synot', 'live', 10, 5000),
	casino.add_game_table('roulette_american', 'other', 10, 5000);
SELECT casino.register_player('p' || n) FROM generate_series(1, $clients) n;
SELECT casino.deposit(n, 10000, 'first') FROM generate_series(1, $clients) n;
SELECT casino.set_limit(n, m, p, 9000)
  FROM generate_series(1, $clients) n, unnest('{stake,net_loss}'::text[]) m, unnest('{day,month}'::text[]) p;
SELECT casino.open_round(1, 'one'), casino.open_round(2, 'two');
SELECT casino.place_bet(2, 1, 'red\@100', 'other table');
SQL

# Every client sends its own list of requests, one transaction each, and notes the answers as they come.
my $dir = PostgreSQL::Test::Utils::tempdir();
for my $c (1 .. $clients)
{
	open my $fh, '>', "$dir/$c.sql" or die $!;
	for my $i (1 .. $requests)
	{
		my $call = $i % 50 == 0 ? "casino.request_withdrawal($c, 5, 'cash', 'r$i')"
		  : $i % 10 == 0 ? "casino.deposit($c, 5, 'r$i')"
		  : $i % 7 == 0 ? "casino.place_bets(1, $c, '{red\@10,black\@10}', 'r$i')"
		  : "casino.place_bet(1, $c, '" . ($i % 2 ? 'odd' : 'even') . "\@10', 'r$i')";
		print $fh "SELECT '$c r$i', $call;\n";
		# not done before the server is killed
		print $fh "DO 'BEGIN PERFORM pg_sleep(0.03); END';\n" if $i % 10 == 0;
	}
	close $fh;
}

my $round = 0;
my %answer;		# request -> the answer that a client has seen

# Start all clients; returns their process ids
sub start_clients
{
	$round++;
	return map {
		my $c = $_;
		my $pid = fork // die $!;
		if (!$pid)
		{
			open STDOUT, '>', "$dir/$c.$round.out" or die $!;
			open STDERR, '>', "$dir/$c.$round.err" or die $!;
			exec 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('postgres'), '-f',
				"$dir/$c.sql" or die $!;
		}
		$pid;
	} (1 .. $clients);
}

# Wait for the clients and take down the answers; an answer that differs from an earlier one is an error
sub end_clients
{
	my @differ;
	my @errors;
	waitpid $_, 0 for @_;
	for my $c (1 .. $clients)
	{
		for (split /\n/, slurp_file("$dir/$c.$round.out"))
		{
			my ($request, $answer) = split /\|/ or next;
			push @differ, "$request: $answer{$request}, then $answer"
				if exists $answer{$request} && $answer{$request} ne $answer;
			$answer{$request} = $answer;
		}
		push @errors, grep { /ERROR:|FATAL:/ && !/terminat/ } split /\n/, slurp_file("$dir/$c.$round.err");
	}
	is("@differ", '', "run $round: every request has kept its answer");
	is("@errors", '', "run $round: no client saw an error but the loss of the server");
}

# Everything that a client was told is in the ledger, once
sub check_answers
{
	my ($when) = @_;
	my %posted = map { split /\|/ } split /\n/, $node->safe_psql('postgres', <<'SQL');
SELECT player_id || ' ' || request_id,
	CASE WHEN count(*) > 1 THEN array_agg(entry_no ORDER BY request_line)::text
                                            WHEN min(kind) = 'withdrawal'
                                            THEN casino.withdrawal_id(player_id, min(entry_no))::text
                                              ELSE min(entry_no)::text END
  FROM casino.ledger WHERE request_id LIKE 'r%' GROUP BY player_id, request_id
SQL
	is(join(' ', grep { ($posted{$_} // '') ne $answer{$_} } sort keys %answer), '',
		"$when: all acknowledged requests are posted");
	is(broken($node, 'postgres'), '', "$when: nothing is broken");
}

sub wait_for_entries
{
	my ($more) = @_;
	my $had = $node->safe_psql('postgres', 'SELECT count(*) FROM casino.ledger');
	sleep 0.01 until $node->safe_psql('postgres',
		"SELECT count(*) >= $had + $more FROM casino.ledger") eq 't';
}

# A backend is killed in the midst of a stake's transaction, with a settlement open in another one
my $settling = $node->background_psql('postgres');
$settling->query_safe(q{BEGIN; SELECT casino.settle_round(2, '{"number": 1}')});
my @pids = start_clients();
wait_for_entries(200);
my $victim = $node->safe_psql('postgres', q{SELECT pid
	FROM pg_stat_activity
	WHERE query ~ '^(SELECT ''\d r|DO )'
	ORDER BY state = 'active' DESC
	LIMIT 1});
ok($victim && kill('KILL', $victim), 'killed a backend') or die 'no client is at work';
end_clients(@pids);
sleep 0.05 until system('pg_isready', '-q', '-d', $node->connstr('postgres')) == 0;
eval { $settling->quit };
cmp_ok(scalar keys %answer, '>', 100, 'the clients had answers');
cmp_ok(scalar keys %answer, '<', $clients * $requests, 'but not all');
check_answers('after the backend');
is($node->safe_psql('postgres', 'SELECT status FROM casino.round WHERE round_id = 2'), 'open',
	'the settlement went with the server');

# The postmaster is killed while they send everything again
@pids = start_clients();
wait_for_entries(200);
my $postmaster = $node->{_pid};
$node->kill9;
end_clients(@pids);
sleep 0.05 while kill 0, $postmaster;
$node->start;
check_answers('after the postmaster');

# The third time all get through, and once more changes nothing
end_clients(start_clients());
is(scalar keys %answer, $clients * $requests, 'all requests are answered');
check_answers('after all');
my $before = fingerprint($node, 'postgres');
end_clients(start_clients());
is(fingerprint($node, 'postgres'), $before, 'sending all of them again changes nothing');

my ($stakes, $deposits) = (0, 0);
for my $i (1 .. $requests)
{
	if ($i % 50 == 0) { $deposits -= 5 }
	elsif ($i % 10 == 0) { $deposits += 5 }
	else { $stakes += $i % 7 == 0 ? 20 : 10 }
}
is($node->safe_psql('postgres',
	"SELECT count(*), min(balance), max(balance) FROM casino.player WHERE player_id > 1"),
	join('|', $clients - 1, (sprintf '%.2f', 10000 + $deposits - $stakes) x 2),
	'each player has paid every stake once');
is($node->safe_psql('postgres', q{SELECT staked FROM casino.settle_round(1, '{"number": 1}')}),
	sprintf('%.2f', $clients * $stakes), 'and all are settled');
is($node->safe_psql('postgres', q{SELECT status, staked, paid FROM casino.settle_round(2, '{"number": 1}')}),
	'settled|100.00|200.00', 'the lost settlement is repeated');
# the duties: sequences and counters came through (broken), what was asked for is paid once
is($node->safe_psql('postgres', 'SELECT count(*), sum(amount) FROM casino.pending_withdrawals'),
	join('|', $clients * $requests / 50, sprintf '%.2f', $clients * $requests / 10),
	'each withdrawal was asked for once');
$node->safe_psql('postgres', q{SELECT casino.pay_withdrawal(casino.withdrawal_id(player_id, entry_no))
	FROM casino.ledger
	WHERE kind = 'withdrawal'}) for 1 .. 2;
is($node->safe_psql('postgres', q{SELECT count(*) FROM casino.ledger WHERE kind = 'cash_paid'}),
	$clients * $requests / 50, 'and each is paid once');
my $left = $node->safe_psql('postgres',
	q{SELECT 9000 - staked_day FROM casino.limit_usage(1, clock_timestamp())});
my $three = $node->safe_psql('postgres', q{SELECT casino.open_round(1, 'three')});
like(error($node, 'postgres',
	"SELECT casino.place_bets($three, 1, '{red\@5000,black\@" . ($left - 5000 + 10) . "}', 'beyond')"),
	qr/^KC005/, 'the limit of 9000 CZK a day counts every stake before the crashes');
is(broken($node, 'postgres'), '', 'nothing is broken at the end');

$node->stop;
done_testing();
