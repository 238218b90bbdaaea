# The programs of examples/ against a server: they say what they should, straight and through a pgbouncer in
# transaction pooling; what may be sent again is, with nothing placed twice, also where the answer of a commit
# was lost; a refusal is sent once. What is not installed is left out; with CASINO_CLIENTS=all that is a
# failure.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play;

sub installed { my ($command) = @_; return !system("$command >/dev/null 2>&1"); }
my $dir = PostgreSQL::Test::Utils::tempdir();
my $include = `$ENV{PG_CONFIG} --includedir`; my $lib = `$ENV{PG_CONFIG} --libdir`; chomp($include, $lib);
my $jar = '/usr/share/java/postgresql.jar';
my $python = (grep { installed("$_ -c 'import psycopg'") } '/usr/bin/python3', 'python3')[0];
$ENV{NODE_PATH} //= '/usr/share/nodejs';
my %client = (
	C =>
	{ needs => 'libpq',
		there => installed("cc -o $dir/c_client examples/c_client.c -Wall -Wextra -Werror"
			. " -I$include -L$lib -Wl,-rpath,$lib -lpq"),
		run => ["$dir/c_client"] },
	Python => { needs => 'psycopg 3', there => $python, run => [$python // '', 'examples/python_client.py'] },
	Node =>
	{ needs => 'node-postgres', there => installed(q(node -e 'require("pg")')),
		run => ['node', 'examples/node_client.js'] },
	Java =>
		{ needs => "JDK and $jar",
			there => -e $jar
			&& installed("javac -Xlint:all -Werror -cp $jar -d $dir examples/JavaClient.java"),
		run => ['java', '-cp', "$jar:$dir", 'JavaClient'], url => 1 });

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(allows_streaming => 1);
# a commit that asks for it waits for a standby that never comes
$node->append_conf('postgresql.conf',
	"listen_addresses = '127.0.0.1'\nsynchronous_commit = local\nsynchronous_standby_names = 'nobody'\n");
$node->start;
$node->safe_psql('postgres', 'CREATE ROLE backend LOGIN; CREATE DATABASE base');
install($node, 'base');
$node->safe_psql('base', <<'SQL');
SELECT casino.grant_access('backend', 'backend'), casino.add_game_table('roulette_american', 'one', 1, 2500);
-- what the clients call goes wrong as told, by the number of the call
CREATE TABLE fault (call bigint PRIMARY KEY, code text);
CREATE SEQUENCE call;
ALTER FUNCTION casino.place_bets_balance RENAME TO really_placed;
CREATE FUNCTION casino.place_bets_balance(round_id bigint, player_id bigint, bets casino.bet[],
    request_id text, OUT entry_nos bigint[], OUT balance numeric)
LANGUAGE plpgsql AS $$
DECLARE
    this CONSTANT bigint := nextval('public.call');
    code CONSTANT text := (SELECT f.code FROM public.fault f WHERE f.call = this);
BEGIN
    IF code = 'answer lost' THEN
        PERFORM set_config('synchronous_commit', 'on', true);
    ELSIF code = '57P01' THEN
        PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(10);
    END IF;
    SELECT r.entry_nos, r.balance INTO entry_nos, balance
      FROM casino.really_placed(round_id, player_id, bets, request_id) r;
    IF code <> 'answer lost' THEN
        RAISE EXCEPTION 'as told' USING ERRCODE = code;
    END IF;
END $$;
GRANT USAGE ON SCHEMA public TO backend;
GRANT SELECT ON fault TO backend;
GRANT USAGE ON SEQUENCE call TO backend;
SQL

my $expected = slurp_file('examples/expected.txt');
my $number = 0;
# Run a client in a database of its own where calls go wrong; what it says, whether it ended well, the
# database
sub play_client
{
	my ($name, $faults, $port) = @_;
	my $db = lc($name) . '_' . ++$number;
	$port //= $node->port;
	$node->safe_psql('postgres', "CREATE DATABASE $db TEMPLATE base");
	$node->safe_psql($db,
		"INSERT INTO fault
			SELECT n, code
			FROM unnest('{" . join(',', map { qq("$_") } @$faults)
				. "}'::text[]) WITH ORDINALITY f (code, n)");
	local %ENV = (%ENV, PGHOST => '127.0.0.1', PGPORT => $port, PGUSER => 'backend', PGDATABASE => $db);
	my ($out, $err) = ('', '');
	my $client = IPC::Run::start([@{ $client{$name}{run} },
		($client{$name}{url} ? "jdbc:postgresql://127.0.0.1:$port/$db?user=backend&prepareThreshold=0" : ()),
		1],
		'>', \$out, '2>', \$err, IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
	# the answer is lost after the commit: whoever waits for the standby is ended
	if (grep { $_ eq 'answer lost' } @$faults)
	{
		$node->poll_query_until('postgres',
			q{SELECT bool_or(pg_terminate_backend(a.pid)) FROM pg_stat_activity a
			WHERE a.wait_event = 'SyncRep' AND a.usename = 'backend'});
	}
	my $ok = $client->finish;
	diag $err if !$ok && $expected eq $out;
	return ($out, $ok, $db, $err);
}
my @again = ('40001', '40P01', '55P03', '57014', '57P01', 'answer lost');

for my $name (sort keys %client)
{
	SKIP:
	{
		if (!$client{$name}{there})
		{
			fail("$name: $client{$name}{needs} is there") if ($ENV{CASINO_CLIENTS} // '') eq 'all';
			skip "no $client{$name}{needs}", 1;
		}
		my ($out, $ok, $db, $err) = play_client($name, []);
		is($out, $expected, "$name: opens, bets, settles, reads the answer") or diag $err;
		ok($ok, "$name: and ends well");

		($out, $ok, $db, $err) = play_client($name, \@again);
		is($out, $expected, "$name: what may be sent again is, the connection made anew where it is lost")
			or diag $err;
		is($node->safe_psql($db, 'SELECT last_value FROM call'), @again + 1, "$name: each time once");
		is($node->safe_psql($db, q{SELECT count(*), sum(amount) FROM casino.ledger WHERE kind = 'stake'}),
			'2|150.00', "$name: and nothing is placed twice");

		for my $code ('KC004', '23503')
		{
			($out, $ok, $db) = play_client($name, [$code]);
			ok(!$ok && $out eq '', "$name: $code ends it");
			is($node->safe_psql($db, 'SELECT last_value FROM call'), 1, "$name: $code is not sent again");
		}
	}
}

# pgbouncer, in transaction pooling
my $pgbouncer = (grep { -x } '/usr/sbin/pgbouncer', '/usr/bin/pgbouncer')[0];
SKIP:
{
	if (!$pgbouncer)
	{
		fail('pgbouncer is there') if ($ENV{CASINO_CLIENTS} // '') eq 'all';
		skip 'no pgbouncer', 1;
	}
	my $port = PostgreSQL::Test::Cluster::get_free_port();
	append_to_file("$dir/pgbouncer.ini", <<"INI");
[databases]
* = host=@{[$node->host]} port=@{[$node->port]}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $port
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
ignore_startup_parameters = extra_float_digits
logfile = $dir/pgbouncer.log
pidfile = $dir/pgbouncer.pid
INI
	# auth_type any takes the user from the database's line
	my $ini = slurp_file("$dir/pgbouncer.ini"); $ini =~ s/^(\* = .*)$/$1 user=backend/m;
	unlink "$dir/pgbouncer.ini"; append_to_file("$dir/pgbouncer.ini", $ini);
	command_ok([$pgbouncer, '-d', '-q', "$dir/pgbouncer.ini"], 'pgbouncer');
	for my $name (grep { $client{$_}{there} } sort keys %client)
	{
		my ($out, $ok, undef, $err) = play_client($name, ['40001', '40P01'], $port);
		is($out, $expected, "$name: through pgbouncer") or diag $err;
	}
	# live tables, while connections of the pool are cut
	my %live = (
		psycopg => { there => installed("/usr/bin/python3 -c 'import psycopg_pool'"),
			run => ['/usr/bin/python3', 'examples/live_table.py', 'psycopg'] },
		asyncpg => { there => installed("/usr/bin/python3 -c 'import asyncpg'"),
			run => ['/usr/bin/python3', 'examples/live_table.py', 'asyncpg'] },
		node => { there => $client{Node}{there}, run => ['node', 'examples/live_table.js'] },
		java => {
			there => -e $jar
			  && installed("javac -Xlint:all -Werror -cp $jar -d $dir examples/LiveTable.java"),
			run => ['java', '-cp', "$jar:$dir", 'LiveTable',
				"jdbc:postgresql://127.0.0.1:$port/live_java?user=backend&prepareThreshold=0"] });
	for my $driver (sort keys %live)
	{
		SKIP:
		{
			if (!$live{$driver}{there})
			{
				fail("the driver of $driver is there") if ($ENV{CASINO_CLIENTS} // '') eq 'all';
				skip "no driver of $driver", 1;
			}
			$node->safe_psql('postgres', "CREATE DATABASE live_$driver");
			install($node, "live_$driver");
			$node->safe_psql("live_$driver", <<'SQL');
SELECT casino.grant_access('backend', 'backend');
SELECT casino.add_game_table('roulette_synot', 'one', 10, 10000);
SELECT casino.add_game_table('blackjack_synot', 'two', 50, 10000, '{"seats": 7}');
SQL
			local %ENV = (%ENV, PGHOST => '127.0.0.1', PGPORT => $port, PGUSER => 'backend',
				PGDATABASE => "live_$driver");
			my ($out, $err, $cut) = ('', '', 0);
			my $server = IPC::Run::start([@{ $live{$driver}{run} }, 10], '>', \$out, '2>', \$err,
				IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
			# pump_nb() dies where the program ended since pumpable() asked; finish() says how it ended
			while ($server->pumpable)
			{
				eval { $server->pump_nb; 1 } or last;
				$cut += $node->safe_psql('postgres', <<"SQL");
SELECT count(pg_terminate_backend(pid))
  FROM (SELECT a.pid
          FROM pg_stat_activity a
         WHERE a.datname = 'live_$driver'
           -- no autovacuum worker, which the client's role may not end
           AND a.usename = 'backend'
         ORDER BY random()
         LIMIT 1) a
SQL
				select undef, undef, undef, 0.2;
			}
			ok($server->finish, "live tables by $driver: ends well") or diag $err;
			cmp_ok($cut, '>', 3, "$driver: connections were cut");
			is($out, <<'TEXT', "$driver: nothing is lost or doubled; refusals in Czech and English");
20 rounds, the books are as the players were told
The stake of 5.00 CZK on black is below the minimum of 10.00 CZK.
Vklad 5,00 Kč (černá) je nižší než minimum 10,00 Kč.
TEXT
			my $left = q{SELECT count(*) FROM casino.round WHERE status <> 'settled'};
			is($node->safe_psql("live_$driver", $left),
				0,
				"$driver: every round is settled");
		}
	}
}

$node->stop;
done_testing();

# pgbouncer is a daemon: also where the test dies it must not stay
END
{
	my $status = $?;
	kill 'TERM', slurp_file("$dir/pgbouncer.pid") + 0 if defined $dir && -s "$dir/pgbouncer.pid";
	$? = $status;
}
