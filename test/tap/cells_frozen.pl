# A cell whose whole server stands still while its connections live: all its processes are stopped (R13.41).
# The hub gives the cell up after hub.patience and goes on with the others.  No check is about time taken.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play;
use Cells;

my %node;
for my $name (qw(main frozen))
{
	$node{$name} = PostgreSQL::Test::Cluster->new($name);
	$node{$name}->init;
	$node{$name}->append_conf('postgresql.conf', "fsync = off\njit = off\nautovacuum = off");
	$node{$name}->start;
}
plan skip_all => 'PL/Proxy is not installed (Debian: postgresql-15-plproxy)' unless available($node{main});
my $node = $node{main};
make_cell($node, 'cell0', 0, 2);
make_cell($node{frozen}, 'cell1', 1, 2);
make_hub($node, 'hub', 2);
add_cell($node, 'hub', 0, $node, 'cell0');
add_cell($node, 'hub', 1, $node{frozen}, 'cell1');
sub hub { return $node->safe_psql('hub', "SET client_min_messages = error; $_[0]") }
my ($table, $other) = split /\n/,
	hub(q{SELECT casino.add_game_table('roulette_american', n, 10, 5000) FROM unnest('{A,B}'::text[]) n});
my @players = split /\n/, hub(q{SELECT casino.register_player('p' || n) FROM generate_series(1, 2) n});
hub("SELECT casino.deposit($_, 10000, 'first')") for @players;
my ($p0) = grep { $_ % 2 == 0 } @players;
my ($p1) = grep { $_ % 2 } @players;
my ($round, $beside) = split /\n/,
	hub("SELECT casino.open_round(t, 'one') FROM unnest(ARRAY[$table, $other]::bigint[]) t");
hub("SELECT casino.place_bet($round, $_, 'red\@100', 'one')") for $p0, $p1;
# the exporter's query, as its role: cells, down, problems, waiting, is the oldest older than nothing
my ($query) =
	slurp_file('monitoring/casino.yaml') =~ /^casino_cell:\n  query: \|\n((?:    .*\n)+?)  metrics:/m;
hub(q{CREATE ROLE exporter; SELECT casino.grant_access('exporter', 'compliance')});
sub metric
{
	return hub("SET ROLE exporter;
		SELECT cells, down, problems, waiting, oldest_seconds > 0 FROM ($query) m");
}
is(metric(), '2|0|0|0|f', 'the exporter: two cells, none down, nothing waits');
# enough for a busy machine to answer in
my $patience = 4;
my $silent = "it is connected, and gives no answer within 00:00:0$patience";
sub patience { return hub("UPDATE casino.hub SET patience = '$_[0] seconds'") }
patience($patience);

# all processes of the server, the parent first so that it starts no others
my $data = $node{frozen}->data_dir;
open my $f, '<', "$data/postmaster.pid" or die "postmaster.pid: $!";
chomp(my $postmaster = <$f>);
close $f;
my @all = ($postmaster);
sub stop_all
{
	kill 'STOP', $postmaster;
	my %parent;
	for my $stat (glob '/proc/[0-9]*/stat')
	{
		open my $s, '<', $stat or next;
		my ($pid, $of) = (<$s> // '') =~ /^(\d+) \(.*\) \S (\d+)/;
		push @all, $pid if defined $of && $of == $postmaster;
	}
	kill 'STOP', @all;
}
sub go_on { kill 'CONT', reverse @all; @all = ($postmaster) }
END { kill 'CONT', @all if @all > 1 }

stop_all();
my (undef, undef, $warned) = $node->psql('hub', "SELECT casino.close_betting($round)");
like($warned,
	qr/WARNING:  close_betting is decided, but not carried out in every cell.*Cell 1: is down or behind/s,
	'a frozen cell is given up, the close holds in the others');
is(hub('SELECT cell, up, problem FROM casino.cell_status WHERE problem IS NOT NULL'),
	"1|f|$silent", 'cell_status says so');
is(metric(), '2|1|1|1|t', 'the exporter: one cell is down, one decision waits');
is(hub("SELECT wagers, paid FROM casino.settle_round($round, '{\"number\": 1}')"), '1|200.00',
	'the players of the other cell are paid');
is(hub("SELECT status FROM casino.settle_round($beside, '{\"number\": 1}')"), 'settled',
	'another table goes on');
my ($next) = hub("SELECT casino.open_round($table, 'two')");
is(hub("SELECT casino.place_bet($next, $p0, 'red\@100', 'two') > 0"), 't', 'a round is opened and staked on');
is(hub('SELECT cell, up, waiting > 0 FROM casino.catch_up()'), "0|t|f\n1|f|t", 'catch_up() comes to its end');
# psql against its time, so that a session without an end is seen
sub at_hub
{
	my (undef, undef, $err) = $node->psql('hub', "\\set VERBOSITY verbose\n$_[0]", timeout => 200,
		timed_out => \my $late);
	return $late ? 'no end' : $err =~ /ERROR:  (.*)/s ? $1 : $err;
}
like(at_hub('SELECT * FROM casino.all_trial_balance()'),
	qr/^08006: a sum over all cells needs all of them\nDETAIL:  Cell 1: $silent/,
	'R13.17, R13.41: a sum without it is an error');
like(at_hub(sprintf q{SELECT casino.add_cell(1, 'host=%s port=%s dbname=cell1')}, $node{frozen}->host,
		$node{frozen}->port),
	qr/^08006: cell 1 cannot be taken in: it does not answer\nDETAIL:  $silent/, '... nor is it taken in');
like(at_hub("SET statement_timeout = '2s'; SELECT casino.place_bet($next, $p1, 'red\@100', 'two')"),
	qr/^57014/, "a stake of the cell's player ends by statement_timeout");
go_on();
patience(30);
is(hub('SELECT cell, up, waiting, problem FROM casino.catch_up()'), "0|t|0|\n1|t|0|",
	'the cell goes on: it is told everything');
is(hub("SELECT wagers, paid FROM casino.settle_round($round, '{\"number\": 1}')"), '2|400.00',
	'and its players are paid, once');
is($node{frozen}->safe_psql('cell1',
	"SELECT count(*) FROM casino.ledger WHERE round_id = $round AND kind = 'payout'"), 1, 'by one entry');
is(hub("SELECT status FROM casino.void_round($next, 'end')"), 'voided', 'the hub decides for both');
is(hub('SELECT count(*) FROM casino.cell_status WHERE problem IS NOT NULL'), 0, 'no problem is left');
is(metric(), '2|0|0|0|f', 'nor for the exporter');
is(Play::broken($node{frozen}, 'cell1'), '', 'its books are sound');

# It freezes between two questions: it is there, speaks of an erasure, and says nothing when asked for it.
sub cell1_says
{
	my ($presence, $does, $what) = @_;
	$what //= 'erased';
	$node{frozen}->safe_psql('cell1', "CREATE OR REPLACE FUNCTION casino_internal.cell_read_impl(what text,
			arguments jsonb, OUT cell integer, OUT data jsonb) RETURNS SETOF record LANGUAGE plpgsql
			SET search_path = pg_catalog, pg_temp AS \$\$
		BEGIN
			IF what = '$what' THEN $does; END IF;
			RETURN QUERY SELECT r.cell, CASE what WHEN 'presence' THEN r.data $presence ELSE r.data END
				FROM casino_internal.cell_read_kept(what, arguments) r;
		END \$\$");
}
sub caught_up
{
	return hub(q{SET statement_timeout = '200s'; SELECT cell, up, waiting, problem FROM casino.catch_up()});
}
$node{frozen}->safe_psql('cell1',
	'ALTER FUNCTION casino_internal.cell_read_impl(text, jsonb) RENAME TO cell_read_kept');
cell1_says(q{|| '{"erased": 1}'}, 'PERFORM pg_sleep(3600)');
patience($patience);
is(caught_up(), "0|t|0|\n1|t|0|$silent",
	'R13.41: catch_up() waits for erasures no longer than for the state of a cell');
is(hub(q{SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'}), 0, 'no lock is left');
cell1_says(q{|| '{"erased": 1}'}, q{RAISE 'no' USING ERRCODE = 'KR002'});
is(caught_up(), "0|t|0|\n1|t|0|[cell1] REMOTE ERROR: no" =~ s/\[/casino.hub_fetch(3): [/r,
	'... and goes on where a cell fails at it');
# The time for an answer is over when the cell has answered, also that it waits for a lock itself (R13.37):
# the session goes on longer than that.
sub goes_on { return hub("SELECT cell, up FROM casino.catch_up(); SELECT pg_sleep($patience + 2)") }
cell1_says(q{|| '{"erased": 1}'}, q{RAISE 'busy' USING ERRCODE = 'lock_not_available'});
is(goes_on(), "0|t\n1|t\n", 'a cell that waits for a lock at a reading: the session goes on');
$node{frozen}->safe_psql('cell1', q{CREATE FUNCTION public.busy() RETURNS jsonb LANGUAGE plpgsql
	AS $$ BEGIN RAISE 'busy' USING ERRCODE = 'lock_not_available'; END $$});
cell1_says('|| public.busy()', 'NULL');
is(goes_on(), "0|t\n1|f\n", '... at the question for its state');
$node{frozen}->safe_psql('cell1', q{ALTER FUNCTION casino.obey(bigint, text, jsonb, boolean, text,
		bigint, bigint, jsonb, boolean) RENAME TO obey_kept;
	CREATE FUNCTION casino.obey(bigint, text, jsonb, boolean, text, bigint, bigint, jsonb, boolean)
		RETURNS SETOF casino.cell_answer LANGUAGE plpgsql
		AS $$ BEGIN RAISE 'busy' USING ERRCODE = 'lock_not_available'; END $$});
cell1_says('', 'NULL');
hub('SELECT count(*) FROM casino.catch_up()');
is(hub("SELECT casino.open_round($table, 'three') > 0; SELECT pg_sleep($patience + 2)"), "t\n",
	'... and at a call');
$node{frozen}->safe_psql('cell1', q{DROP FUNCTION casino.obey(bigint, text, jsonb, boolean, text, bigint,
		bigint, jsonb, boolean);
	ALTER FUNCTION casino.obey_kept(bigint, text, jsonb, boolean, text, bigint, bigint, jsonb, boolean)
		RENAME TO obey});
cell1_says(q{- 'erased'}, q{RAISE 'unknown reading "erased"'});
is(caught_up(), "0|t|0|\n1|t|0|", 'a cell of before there were erasures is not asked for them');

# A hub that takes over reads the cells' records: one of them freezes before it has told all.
patience(2);
hub('UPDATE casino.hub SET timeline = -1');
cell1_says('', 'PERFORM pg_sleep(3600)', 'rounds');
is(caught_up(), "0|t|0|the hub, restored, waits for the other cells before it reads this one\n"
		. '1|t|0|it is connected, and gives no answer within 00:00:40',
	'R13.41: a hub that takes over waits longer, and not for ever');
patience(30);
cell1_says('', q{RAISE 'no such round'}, 'rounds');
like(caught_up(), qr/^1\|t\|0\|.*REMOTE ERROR: no such round$/m, '... and says why a cell does not tell');
is(hub('SELECT casino_internal.hub_is_current()'), 'f', 'it does not decide');
cell1_says('', 'NULL');
is(caught_up(), "0|t|0|\n1|t|0|", 'the cell tells');
is(hub('SELECT casino_internal.hub_is_current()'), 't', '... and the hub decides');

$_->stop('immediate') for values %node;
done_testing();
