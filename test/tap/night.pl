# The night is stopped by kill -9 in each of its steps and goes on where it was; two do not run at once;
# stakes go on meanwhile, and no step holds a lock that one would wait for; pg_cron runs it.
# long: waits for pg_cron, whose minute may have just begun
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep);
use Play;

my ($libdir) = `$ENV{PG_CONFIG} --pkglibdir` =~ /(.*)/;
my ($sharedir) = `$ENV{PG_CONFIG} --sharedir` =~ /(.*)/;
my $cron = -e "$libdir/pg_cron.so" && -e "$sharedir/extension/pg_cron.control";

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', 'restart_after_crash = on');
$node->append_conf('postgresql.conf',
	"shared_preload_libraries = 'pg_cron'\ncron.database_name = 'postgres'\ncron.host = '" . $node->host
	. "'") if $cron;
$node->start;
install($node, 'postgres');
play($node, 'postgres');
$node->safe_psql('postgres', <<'SQL');
CREATE ROLE night LOGIN;
SELECT casino.grant_access('night', 'nightly');
-- what each run finds, whatever its day: a withdrawal that is not open, a grant too many
INSERT INTO casino.open_withdrawal VALUES (1, 1);
GRANT INSERT ON casino.ledger TO night;
SQL
my $found = "SELECT check_name, rule, player_id, round_id, entry_no, expected, found
	FROM casino.difference
	WHERE run_no = %s
	ORDER BY difference_no";

# A session that runs a statement; returns what waits for it
sub background
{
	my ($sql, $user) = @_;
	my ($out, $err) = ('', '');
	my $h = IPC::Run::start(['psql', '-XAtq', '-d', $node->connstr('postgres') . ($user ? " user=$user" : ''),
		'-c', $sql], '<', \undef, '>', \$out, '2>', \$err);
	return { h => $h, out => \$out, err => \$err };
}

# Process of the night that waits for a lock
sub waiting
{
	for (1 .. 6000)
	{
		my $pid = $node->safe_psql('postgres', "SELECT pid
			FROM pg_stat_activity
			WHERE query LIKE 'CALL casino.nightly%' AND wait_event_type = 'Lock' AND state = 'active'");
		return $pid if $pid ne '';
		sleep 0.05;
	}
	die 'the night does not wait';
}

sub server_is_back
{
	for (1 .. 6000)
	{
		# a psql that ends before it is asked breaks the pipe
		local $SIG{PIPE} = 'IGNORE';
		my ($rc) = eval { $node->psql('postgres', 'SELECT 1', timeout => 60, timed_out => \my $late) };
		return if defined $rc && $rc == 0;
		sleep 0.05;
	}
	die 'the server does not come back';
}

# ------------------------------------------------------------------------ kill -9 in each step
my $day = $node->safe_psql('postgres', "SELECT (now() AT TIME ZONE 'Europe/Prague')::date - 1");
$node->safe_psql('postgres', "CALL casino.reconcile('$day', '$day')");
my $first = $node->safe_psql('postgres', 'SELECT max(run_no) FROM casino.reconciliation');
my $undisturbed = $node->safe_psql('postgres', sprintf $found, $first);
like($undisturbed, qr/^state\|open_withdrawal\|1\|\|1\|.*\nguard\|privilege/,
	'the checks find what is planted');
my $run = $node->safe_psql('postgres', "SELECT casino_internal.begin_reconciliation(NULL, '$day', true)");
my @steps = split /\n/,
	$node->safe_psql('postgres',
		'SELECT step FROM casino_internal.reconciliation_steps(true) ORDER BY step_no');
cmp_ok(scalar @steps, '>=', 24, 'deadlines, checks, seal, report');
my $hot = join ', ',
	map { "'casino.$_'::regclass" } qw(ledger player round limit_state game_table dealt_hand);
my ($locks, $kept, $shown) = ('', '', '');
my $unfinished = 'SELECT run_no, step FROM casino.unfinished_run';
for my $k (1 .. @steps)
{
	# something that the step needs and no stake does
	my $needed = $k == 1 ? 'breach' : $k == 2 ? 'open_withdrawal' : 'difference';
	my $holder = background("BEGIN;
		LOCK TABLE casino.$needed IN ACCESS EXCLUSIVE MODE;
		SELECT pg_sleep(600)");
	$node->poll_query_until('postgres', "SELECT count(*) = 1
		FROM pg_locks
		WHERE relation = 'casino.$needed'::regclass AND mode = 'AccessExclusiveLock' AND granted") or die;
	my $night = background("CALL casino.nightly('$day')", 'night');
	my $pid = waiting();
	$locks .= $node->safe_psql('postgres', "SELECT '$steps[$k - 1]', l.relation::regclass, l.mode
		FROM pg_locks l
		WHERE l.pid = $pid AND l.mode <> 'AccessShareLock' AND l.relation IN ($hot)");
	if ($k == 5)
	{
		is($node->safe_psql('postgres',
			"SELECT status, step, done FROM casino.reconciliation WHERE run_no = $run"),
			"running|$steps[4]|4", 'its progress is seen while it runs');
		like(error($node, 'postgres', "CALL casino.nightly('$day')"),
			qr/^55000: another night or reconciliation is under way/, 'two do not run at once');
		like(error($node, 'postgres', "CALL casino.reconcile('$day', '$day')"), qr/^55000: /,
			'nor a reconciliation beside it');
		is($node->safe_psql('postgres', "SET lock_timeout = '60s';
			SELECT casino.place_bet(5, 2, 'red\@100', 'while it runs') > 0"), 't',
				'a stake is taken meanwhile');
		is($node->safe_psql('postgres', 'SELECT count(*) FROM casino.unfinished_run'), '0',
			'R10.59: a run that goes on is not shown as broken off');
		is($node->safe_psql('postgres', "SELECT count(*)
			FROM pg_stat_activity
			WHERE pid = $pid
				AND xact_start <= (SELECT started_at FROM casino.reconciliation WHERE run_no = $run)"), '0',
			'and its transaction is not the one that began the run');
	}
	kill 9, $pid;
	$_->{h}->finish for ($night, $holder);
	server_is_back();
	$shown .= "$steps[$k - 1] " if $node->safe_psql('postgres', $unfinished) ne "$run|$steps[$k - 1]";
	$kept .= "$steps[$k - 1] "
		if $node->safe_psql('postgres',
			"SELECT done, step FROM casino.reconciliation WHERE run_no = $run") ne ($k - 1)
			. "|$steps[$k - 1]";
	$node->safe_psql('postgres', "SELECT casino_internal.reconciliation_step($run)") if $k < @steps;
}
is($locks, '', 'no step holds a lock on a hot table that a stake would wait for');
is($kept, '', 'a step that was killed is not done');
is($shown, '', 'R10.59: after each kill its run is shown, with the step that it was in');
$node->safe_psql('postgres', "SET ROLE night; CALL casino.nightly('$day')");
is($node->safe_psql('postgres',
	"SELECT status, done = total, finished_at IS NOT NULL,
		(SELECT max(run_no) - $first FROM casino.reconciliation)
		FROM casino.reconciliation
		WHERE run_no = $run"),
	'differences|t|t|1', 'called again it goes on to its end, as the same run');
is($node->safe_psql('postgres', sprintf $found, $run), $undisturbed,
	'and has found what an undisturbed run finds, once');
$node->safe_psql('postgres', "CALL casino.nightly('$day'); CALL casino.nightly()");
is($node->safe_psql('postgres', 'SELECT max(run_no) FROM casino.reconciliation'), $run,
	'a finished day is answered');

is($node->safe_psql('postgres', $unfinished), '', 'R10.59: a run that has ended is not shown');

# ------------------------------------------------------ broken off, and who sees it (R10.59)
for my $end (qw(cancel terminate))
{
	my $other = $node->safe_psql('postgres', "SELECT '$day'::date - " . ($end eq 'cancel' ? 2 : 3));
	my $holder = background('BEGIN;
		LOCK TABLE casino.difference IN ACCESS EXCLUSIVE MODE;
		SELECT pg_sleep(600)');
	$node->poll_query_until('postgres', "SELECT count(*) = 1
		FROM pg_locks
		WHERE relation = 'casino.difference'::regclass AND mode = 'AccessExclusiveLock' AND granted") or die;
	my $night = background("CALL casino.nightly('$other')", 'night');
	my $pid = waiting();
	# a transaction whose snapshot has the run unfinished, for as long as it lasts
	my $reader = background('BEGIN ISOLATION LEVEL REPEATABLE READ;
		SELECT pg_export_snapshot();
		SELECT pg_sleep(600)');
	$node->poll_query_until('postgres', "SELECT count(*) = 1 FROM pg_ls_dir('pg_snapshots') f") or die;
	my $snapshot = $node->safe_psql('postgres', "SELECT f FROM pg_ls_dir('pg_snapshots') f");
	my $then = "BEGIN ISOLATION LEVEL REPEATABLE READ; SET TRANSACTION SNAPSHOT '$snapshot';";
	is($node->safe_psql('postgres', "$then $unfinished"), '', "$end: not shown before");
	$node->safe_psql('postgres', "SELECT pg_${end}_backend($pid)");
	$night->{h}->finish;
	is($node->safe_psql('postgres', "SELECT to_day, status, night, command FROM casino.unfinished_run"),
		"$other|running|t|CALL casino.nightly('$other')", "R10.59: $end: the night is shown");
	is($node->safe_psql('postgres', "SET lock_timeout = '60s'; SET ROLE night; $unfinished") ne '', 1,
		"$end: and to the role of the night");
	like($node->safe_psql('postgres', "$then $unfinished"), qr/^\d+\|/, "$end: in an old transaction, too");
	$holder->{h}->kill_kill;
	$node->safe_psql('postgres', "SELECT pg_terminate_backend(l.pid, 60000)
		FROM pg_locks l
		WHERE relation = 'casino.difference'::regclass AND mode = 'AccessExclusiveLock'");
	# a reader in a transaction that stays open holds nothing that the night waits for
	my $beside = background("BEGIN; $unfinished; SELECT 'beside', pg_sleep(600)");
	$node->poll_query_until('postgres', "SELECT count(*) = 1
		FROM pg_stat_activity
		WHERE query LIKE '%beside%' AND wait_event = 'PgSleep' AND pid <> pg_backend_pid()") or die;
	$node->safe_psql('postgres', "SET lock_timeout = '60s'; SET ROLE night; CALL casino.nightly('$other')");
	is($node->safe_psql('postgres', $unfinished), '', "$end: called again it is settled");
	is($node->safe_psql('postgres', "$then
		SELECT count(*) FROM casino.reconciliation WHERE status = 'running'; $unfinished"), '1',
		"$end: also for a transaction that has it unfinished in its snapshot");
	$node->safe_psql('postgres', "SELECT pg_terminate_backend(pid, 60000)
		FROM pg_stat_activity
		WHERE wait_event = 'PgSleep'");
	$_->{h}->finish for ($reader, $beside);
}

# --------------------------------------------------------------------- stakes while nights run
my $nights = background(join('; ', map { "CALL casino.reconcile('2020-01-01', '$day')" } 1 .. 1));
my $stakes = $node->safe_psql('postgres', join '',
	map { "SET lock_timeout = '60s'; SELECT casino.place_bet(5, 2, 'black\@100', 's$_');\n" } 1 .. 20);
is(scalar(split /\n/, $stakes), 20, 'stakes are taken while a run goes on');
$nights->{h}->finish;
is(${ $nights->{err} } =~ /ERROR/ ? ${ $nights->{err} } : '', '', 'and the run ends');

# ---------------------------------------------------------------------------------------- before the books
my ($status, $out, $told) = $node->psql('postgres', "CALL casino.nightly('2019-12-31')");
is($status, 0, 'a night of a day before the books');
like($told, qr/NOTICE:  day 2019-12-31 is not sealed\nDETAIL:  The books begin after it\./,
	'R12.166: it says that it makes no seal');
is($node->safe_psql('postgres', "SELECT count(*) FROM casino.day_seal WHERE day = '2019-12-31'"), 0,
	'R12.166: and makes none');

# ---------------------------------------------------------------------------------------------------- pg_cron
SKIP:
{
	skip 'pg_cron is not installed (Debian: postgresql-15-cron)', 3 unless $cron;
	my $before = $node->safe_psql('postgres', "SELECT ('$day'::date - 1)::text");
	$node->safe_psql('postgres', "CREATE EXTENSION pg_cron;
		SELECT cron.schedule_in_database('night', '* * * * *', \$\$CALL casino.nightly('$before')\$\$,
			'postgres', 'night')");
	ok($node->poll_query_until('postgres',
		"SELECT count(*) > 0 FROM cron.job_run_details WHERE status IN ('succeeded', 'failed')"),
		'pg_cron has run the night');
	is($node->safe_psql('postgres', 'SELECT DISTINCT status, return_message FROM cron.job_run_details'),
		'succeeded|CALL', 'it ended well');
	is($node->safe_psql('postgres', "SELECT r.status, r.done = r.total, w.role
		FROM casino.reconciliation r
		JOIN casino.recorder w ON w.recorder_id = r.recorded_by
		WHERE r.to_day = '$before'"),
		'differences|t|night', 'as the role of profile nightly, to its end');
}
done_testing();
