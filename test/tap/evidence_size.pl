# Evidence at size: a day of two hundred thousand entries sealed before ANALYZE and after, verified with progress, exported and
# verified by casino-verify in memory that does not grow with the day.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('evidence_size');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nwork_mem = '4MB'\nmax_parallel_workers_per_gather = 2\nmax_parallel_workers = 8\njit = off");
$node->start;
$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;
delete $ENV{PGAPPNAME};
my $make = $ENV{MAKE} || 'make';
is(system("$make -s casino-verify >&2"), 0, 'casino-verify is built') or BAIL_OUT('no casino-verify');
my $dir = PostgreSQL::Test::Utils::tempdir;
sub sql { my ($db, $sql) = @_; return $node->safe_psql($db, $sql); }

# rounds of twenty players, thirty entries each
my %day = (small => 600, large => 6700);
for my $db (sort keys %day)
{
	sql('postgres', "CREATE DATABASE $db");
	sql($db, 'CREATE EXTENSION casino; SELECT casino.install()');
	$node->command_ok([ 'psql', '-XAtq', '-d', $db, '-v', "rounds=$day{$db}", '-v', "a_day=$day{$db}", '-f', 'bench/night.sql' ], "a $db day is played");
}
# the planner knows the seals as a table without pages, and it grows while the seal is made
sql('large', 'VACUUM casino.sealed_player');
is(sql('large', q{SELECT (s).entries = (SELECT count(*) FROM casino.ledger) FROM (SELECT casino.seal('2026-01-01') AS s) x}), 't', 'sealed without ANALYZE');
sql('large', 'SELECT pg_stat_force_next_flush()');
cmp_ok(sql('large', q{SELECT seq_tup_read FROM pg_stat_user_tables WHERE relid = 'casino.sealed_player'::regclass}), '<=', 8000, 'what the seal writes it does not read again for each player');
is(sql('small', q{ANALYZE; SELECT (s).entries = (SELECT count(*) FROM casino.ledger) FROM (SELECT casino.seal('2026-01-01') AS s) x}), 't', 'sealed after it');
is(sql('large', q{SELECT count(*) FROM casino.verify()}), 0, 'verified without ANALYZE');
sql('large', 'ANALYZE');

{
	my ($rc, $out, $err) = $node->psql('large', 'SELECT count(*) FROM casino.verify()');
	is("$rc $out", '0 0', 'verified after it');
	like($err, qr/NOTICE:  seal 1: \d+ entries of 4000 players verified/, 'progress is a NOTICE');
}
sql('large', q{ALTER TABLE casino.ledger DISABLE TRIGGER ALL; UPDATE casino.ledger SET amount = amount + 1 WHERE (player_id, entry_no) IN ((17, 3), (3999, 2))});
is(sql('large', q{SELECT string_agg(player_id || '/' || entry_no || ' ' || problem, ', ') FROM casino.verify()}), '17/3 the entry was changed, 3999/2 the entry was changed', 'what was changed is found');
is(sql('large', q{SET max_parallel_workers_per_gather = 0; SELECT string_agg(v::text, ';' ORDER BY v::text) FROM casino.verify() v}),
	sql('large', q{SET max_parallel_workers_per_gather = 2; SELECT string_agg(v::text, ';' ORDER BY v::text) FROM casino.verify() v}), 'by one process as by several');
{
	# the plan of the entries, nested in the function, as it was carried out
	my ($rc, $out, $err) = $node->psql('large', q{LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on; SET auto_explain.log_analyze = on;
		SET auto_explain.log_timing = off; SET client_min_messages = log; SET max_parallel_workers_per_gather = 2; SELECT count(*) FROM casino.verify()});
	is("$rc $out", '0 2', 'verified with its plans shown');
	my ($plan) = $err =~ /(Query Text:\s+SELECT p\.player_id, t\.root, t\.marks.*?)LOG:  duration/s;
	like($plan // '', qr/Workers Launched: [12]\b/, 'the entries are read by several processes');
	like($plan // '', qr/Function Scan on stream_tree t .*loops=4000\)/, 'which share the players: each is read once');
}
sql('large', q{UPDATE casino.ledger SET amount = amount - 1 WHERE (player_id, entry_no) IN ((17, 3), (3999, 2))});

# the export is handed out as it is read: no memory, no files for the day
my %anonymous;
for my $db (sort keys %day)
{
	my $before = sql($db, q{SELECT temp_bytes FROM pg_stat_database WHERE datname = current_database()});
	my $out = sql($db, q{BEGIN; DECLARE c CURSOR FOR SELECT casino.export_day('2026-01-01'); MOVE 15000 IN c;
		SELECT 'RssAnon ' || (regexp_match(pg_read_file('/proc/self/status'), 'RssAnon:\s+(\d+)'))[1]; MOVE ALL IN c;
		SELECT 'RssAnon ' || (regexp_match(pg_read_file('/proc/self/status'), 'RssAnon:\s+(\d+)'))[1]});
	$anonymous{$db} = (sort { $b <=> $a } $out =~ /RssAnon (\d+)/g)[0];
	sql($db, 'SELECT pg_stat_force_next_flush()');
	is(sql($db, q{SELECT temp_bytes FROM pg_stat_database WHERE datname = current_database()}), $before, "$db export: no temporary files");
}
note("kB of the backend: small $anonymous{small}, large $anonymous{large}");
cmp_ok($anonymous{large}, '<', $anonymous{small} + 8192, 'the backend needs no more memory for ten times the day');

# a file of sixty megabytes in forty; what it needs for twelve times the lines is the rounds and players of a larger day, not its lines
my %peak;
for my $db (sort keys %day)
{
	system("psql -XAtq -d $db -v FETCH_COUNT=1000 -c \"SELECT casino.export_day('2026-01-01')\" >$dir/$db");
	system("psql -XAtq -d $db -c 'SELECT casino.seal_document(1)' >$dir/$db.seals");
	my $out = `ulimit -v 40000; ./casino-verify $dir/$db.seals $dir/$db 2>&1`;
	is($?, 0, "$db day: verified in 40 MB") or diag($out);
	is(-s "$dir/$db" > 40_000_000 ? 'larger' : 'smaller', $db eq 'large' ? 'larger' : 'smaller', 'than which the file is larger') if $db eq 'large';
	my ($wagers) = $out =~ /(\d+) wagers graded again$/;
	is($wagers, 20 * $day{$db}, 'every wager graded again');
	chomp($peak{$db} = `tools/peak_memory $dir/$db.seals $dir/$db`);
	like($peak{$db}, qr/^\d+$/, 'read from a pipe');
}
note("kB of casino-verify: small $peak{small}, large $peak{large}");
cmp_ok($peak{large}, '<', $peak{small} + 4096, 'casino-verify needs no more memory for the lines of a larger day');
$node->stop;
done_testing();
