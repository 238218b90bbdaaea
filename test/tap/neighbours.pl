# Real neighbours: a subscriber that rebuilds the balances from the publication, the exporter's /metrics with
# our query file, pg_stat_statements, auto_explain, pg_dump and pg_restore in parallel. What is not installed
# is left out.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(allows_streaming => 'logical');
my $statements = -e `$ENV{PG_CONFIG} --sharedir` =~ s/\n//r . '/extension/pg_stat_statements.control';
$node->append_conf('postgresql.conf',
	"listen_addresses = '127.0.0.1'\n"
	. ($statements ? "shared_preload_libraries = 'pg_stat_statements'\n" : ''));
$node->start;
$node->safe_psql('postgres', 'CREATE ROLE reader LOGIN REPLICATION;
	CREATE ROLE exporter LOGIN;
	CREATE DATABASE origin');
install($node, 'origin');
$node->safe_psql('origin',
	q{SELECT casino.grant_access('reader', 'stream'), casino.grant_access('exporter', 'compliance')});

# ----------------------------------------------------------------------------- the publication
is($node->safe_psql('origin', 'SELECT casino.publish()'), 'casino', 'publish()');
is($node->safe_psql('origin', 'SELECT casino.publish()'), 'casino', 'the same again');
is($node->safe_psql('origin', q{SELECT string_agg(tablename, ' ' ORDER BY tablename)
	FROM pg_publication_tables
	WHERE pubname = 'casino'}), 'ledger round', 'has the ledger and the rounds');
is($node->safe_psql('origin', q{CREATE TABLE public.own (n integer PRIMARY KEY);
	CREATE PUBLICATION theirs FOR TABLE public.own;
	SELECT casino.publish('theirs')}), 'theirs', 'a publication that is there');
is($node->safe_psql('origin', q{SELECT string_agg(tablename, ' ' ORDER BY tablename)
	FROM pg_publication_tables
	WHERE pubname = 'theirs'}), 'ledger own round', 'is completed');
is(error($node, 'origin', 'SET ROLE reader; SELECT casino.publish()') =~ /^(\w+)/ && $1, '42501',
	'publish() is the owner\'s');

# a subscriber without casino: what it knows is text and numbers
my $columns = $node->safe_psql('origin',
	q{SELECT string_agg(format('%I %s', attname,
				CASE WHEN atttypid::regtype::text LIKE 'casino.%' THEN 'text'
				ELSE atttypid::regtype::text END), ', ' ORDER BY attnum)
	FROM pg_attribute WHERE attrelid = 'casino.ledger'::regclass AND attnum > 0 AND NOT attisdropped});
my $rounds = $node->safe_psql('origin',
	q{SELECT string_agg(format('%I %s', attname, atttypid::regtype), ', ' ORDER BY attnum)
	FROM pg_attribute WHERE attrelid = 'casino.round'::regclass AND attnum > 0 AND NOT attisdropped});
my $subscriber = PostgreSQL::Test::Cluster->new('subscriber');
$subscriber->init;
$subscriber->append_conf('postgresql.conf',
	"wal_level = logical\nmax_wal_senders = 4\nmax_replication_slots = 4\n");
$subscriber->start;
$subscriber->safe_psql('postgres', "CREATE SCHEMA casino;
	CREATE TABLE casino.ledger ($columns, PRIMARY KEY (player_id, entry_no));
	CREATE TABLE casino.round ($rounds, PRIMARY KEY (round_id))");
# some of the day is there when the reader comes, the rest is on its way
$node->safe_psql('origin', q{SELECT casino.deposit(casino.register_player('early'), 77.70, 'early')});
my $conninfo = 'host=' . $node->host . ' port=' . $node->port . ' dbname=origin user=reader';
$subscriber->safe_psql('postgres', "CREATE SUBSCRIPTION casino CONNECTION '$conninfo' PUBLICATION casino");
$subscriber->poll_query_until('postgres',
	q{SELECT count(*) = 0 FROM pg_subscription_rel WHERE srsubstate NOT IN ('r', 's')})
	or die 'no first copy';
$node->safe_psql('origin', <<'SQL');
SELECT casino.add_game_table('roulette_american', 'R' || n, 100, 2500) FROM generate_series(1, 4) n;
SELECT casino.register_player('anna') AS a, casino.register_player('bob') AS b \gset
SELECT casino.deposit(p, 10000, 'd1') FROM unnest(ARRAY[:a, :b]::bigint[]) p;
SELECT casino.open_round(1, 'settled') AS r \gset
SELECT * FROM casino.place_many(:r, ARRAY[:a, :b, :b]::bigint[], '{red@500,straight:17@100,black@1000}');
SELECT casino.settle_round(:r, '{"number": 17}');
SELECT casino.open_round(2, 'withheld') AS r \gset
SELECT casino.place_bet(:r, :a, 'red@300', 'w');
SELECT casino.settle_round(:r, '{"number": 1}', withhold => true);
SELECT casino.open_round(3, 'voided') AS r \gset
SELECT casino.place_bet(:r, :b, 'red@300', 'v');
SELECT casino.void_round(:r, 'the ball left the wheel');
SELECT casino.open_round(4, 'open') AS r \gset
SELECT casino.place_bet(:r, :b, 'low@400', 'o');
SELECT casino.try_place_bets(:r, :a, '{low@9}');
SELECT casino.request_withdrawal(:a, 300, 'cash') AS w \gset
SELECT casino.pay_withdrawal(:w);
BEGIN;
SELECT casino.deposit(:a, 1000000, 'never');
ROLLBACK;
SQL
$node->wait_for_catchup('casino');
is($subscriber->safe_psql('postgres',
	q{SELECT player_id,
		sum(CASE WHEN kind IN ('deposit', 'payout', 'refund', 'withdrawal_cancelled', 'adjustment')
			THEN amount
		WHEN kind IN ('stake', 'withdrawal') THEN -amount ELSE 0 END)
			FROM casino.ledger
			GROUP BY 1
			ORDER BY 1}),
	$node->safe_psql('origin', 'SELECT player_id, balance FROM casino.player ORDER BY 1'),
		'the subscriber\'s sums are the wallets');
is($subscriber->safe_psql('postgres', 'SELECT player_id, balance
	FROM casino.ledger l
	WHERE entry_no = (SELECT max(entry_no) FROM casino.ledger m WHERE m.player_id = l.player_id)
	ORDER BY 1'),
	$node->safe_psql('origin', 'SELECT player_id, balance FROM casino.player ORDER BY 1'),
	'as each last entry says itself');
is($subscriber->safe_psql('postgres',
	'SELECT round_id, status, outcome, evaluated_at FROM casino.round ORDER BY 1'),
	$node->safe_psql('origin', 'SELECT round_id, status, outcome, evaluated_at FROM casino.round ORDER BY 1'),
	'rounds as they ended');
is($subscriber->safe_psql('postgres', 'SELECT l::text FROM casino.ledger l ORDER BY player_id, entry_no'),
	$node->safe_psql('origin', 'SELECT l::text FROM casino.ledger l ORDER BY player_id, entry_no'),
	'every column of every entry');
is($node->safe_psql('origin', 'SELECT casino.store_in_use()'), 't',
	'published tables are written beside the executor as before');
$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION casino');
$subscriber->stop;

# -------------------------------------------------------------------------- pg_stat_statements
SKIP:
{
	skip 'no pg_stat_statements', 1 if !$statements;
	$node->safe_psql('origin', 'CREATE EXTENSION pg_stat_statements; SELECT pg_stat_statements_reset()');
	$node->safe_psql('origin', q{SELECT casino.deposit(1, 10, 'p' || n) FROM generate_series(1, 3) n;
		SELECT casino.explain_break(1);
		SELECT casino.register_player('somebody')});
	is($node->safe_psql('origin',
		q{SELECT string_agg(DISTINCT substring(query FROM 'casino\.(\w+)\('), ' '
				ORDER BY substring(query FROM 'casino\.(\w+)\('))
		FROM pg_stat_statements
			WHERE dbid = (SELECT oid FROM pg_database WHERE datname = 'origin')
			AND query !~ 'pg_stat_statements'}),
		'deposit explain_break register_player', 'pg_stat_statements shows the calls, not their insides');
}

# -------------------------------------------------------------------------------- auto_explain
SKIP:
{
	skip 'no auto_explain', 2 if !-e `$ENV{PG_CONFIG} --pkglibdir` =~ s/\n//r . '/auto_explain.so';
	my (undef, undef, $plans) = $node->psql('origin', q{LOAD 'auto_explain';
		SET auto_explain.log_level = notice;
		SET auto_explain.log_min_duration = 0;
		SET auto_explain.log_nested_statements = on;
		SELECT * FROM casino.player_day(current_date, current_date)});
	like($plans, qr/Function Scan on player_day/, 'EXPLAIN shows a call of a function');
	like($plans, qr/Scan .*on ledger_1 l/, 'auto_explain what it runs');
}

# -------------------------------------------------------------------------------- the exporter
my $exporter = (grep { -x } '/usr/bin/prometheus-postgres-exporter')[0];
SKIP:
{
	skip 'no prometheus-postgres-exporter', 1 if !$exporter || !eval { require HTTP::Tiny };
	my $port = PostgreSQL::Test::Cluster::get_free_port();
	local $ENV{DATA_SOURCE_NAME} = 'user=exporter host=127.0.0.1 port=' . $node->port
		. ' dbname=origin sslmode=disable';
	my $log = PostgreSQL::Test::Utils::tempdir() . '/exporter.log';
	my $run = IPC::Run::start([$exporter, "--web.listen-address=127.0.0.1:$port",
		'--extend.query-path=monitoring/casino.yaml', '--disable-default-metrics',
		'--disable-settings-metrics'], '>', $log, '2>&1');
	my $answer;
	for (1 .. 1000)
	{
		$answer = HTTP::Tiny->new(timeout => 60)->get("http://127.0.0.1:$port/metrics");
		last if $answer->{success} && $answer->{content} =~ /^casino_ledger/m;
		select undef, undef, undef, 0.2;
	}
	my $metrics = $answer->{content};
	my %value;
	while ($metrics =~ /^(casino_\w+)\{([^}]*)\} (\S+)$/mg)
	{
		my ($name, $labels, $value) = ($1, $2, $3);
		my ($label) = join ' ', map { $labels =~ /\b$_="([^"]*)"/ ? $1 : () } qw(game code action);
		$value{ $label ? "$name $label" : $name } = $value;
	}
	is($value{'casino_round_open roulette_american'}, 1, 'open rounds') or diag $metrics, slurp_file($log);
	is($value{'casino_round_closed roulette_american'}, 0, 'closed rounds');
	ok($value{'casino_round_oldest_seconds roulette_american'} > 0, 'the age of the oldest');
	is($value{'casino_refusal_day KB002 place_bets'}, 1, 'refusals by code');
	is($value{casino_withheld_rounds}, 1, 'withheld rounds, which are not overdue');
	is($value{casino_overdue_winnings}, 0, 'nothing overdue');
	is($value{'casino_round_stuck roulette_american'}, 0, 'betting of it is open');
	like($value{"casino_night_${_}age_seconds"}, qr/^\d[\d.e+]*$/,
		"no ${_}night yet: counted from the first round")
	  for '', 'clean_';
	is($value{casino_morning_unfinished}, 0, 'no difference is unfinished');
	like($value{casino_night_seal_age_seconds}, qr/^\d[\d.e+]*$/,
		'no seal yet: counted from the first round');
	ok($value{casino_ledger_bytes} > 8192 && $value{casino_ledger_entries_total} > 5, 'the ledger\'s growth');
	is($value{casino_lock_waiting}, 0, 'nobody waits');
	is(join(' ', map { $value{"casino_cell_$_"} // '-' } qw(cells down problems waiting oldest_seconds)),
		'0 0 0 0 0',
		'only a hub has cells');
	my @named = slurp_file('monitoring/alerts.yaml') =~ /^ *expr: (.*)$/mg;
	my @lacking = grep { $metrics !~ /^$_[{ ]/m } map { /\b((?:casino|pg)_\w+)/g } @named;
	is("@lacking", '', 'each metric of the rules for Prometheus is there') or diag $metrics, slurp_file($log);
	like($metrics, qr/^pg_exporter_user_queries_load_error\{.*\} 0$/m,
		'the query file is read without errors');
	$run->signal('TERM'); eval { $run->finish };
}

# --------------------------------------------------------------------------- pg_dump, parallel
my $dir = PostgreSQL::Test::Utils::tempdir() . '/dump';
my @server = ('--host', $node->host, '--port', $node->port);
$node->safe_psql('origin', 'DROP EXTENSION IF EXISTS pg_stat_statements;
	DROP PUBLICATION theirs;
	DROP TABLE public.own');
command_ok(['pg_dump', @server, '-Fd', '-j2', '--file', $dir, 'origin'], 'pg_dump with two jobs');
$node->safe_psql('postgres', 'CREATE DATABASE copy');
command_ok(['pg_restore', @server, '-j2', '-e', '-d', 'copy', $dir], 'pg_restore with two jobs');
is(differences(fingerprint($node, 'origin', 'rvS'), fingerprint($node, 'copy', 'rvS')), '',
	'tables and views are equal');
is($node->safe_psql('copy', q{SELECT string_agg(tablename, ' ' ORDER BY tablename)
	FROM pg_publication_tables
	WHERE pubname = 'casino'}), 'ledger round', 'the publication came along');
is(broken($node, 'copy'), '', 'the copy is sound');

$node->stop;
done_testing();
