# kill -9 of a cell and of the hub at each step of a round; a cell cut off at the close; cells and hubs
# restored from their standbys. Nothing is lost that was acknowledged and nothing doubled: the books of each
# cell are sound, and every round ends alike in all of them.
# long: two servers killed over and over
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use IPC::Run ();
use Time::HiRes qw(sleep);
use Play;
use Cells;

my %node;
for my $name (qw(hub cell0 cell1))
{
	$node{$name} = PostgreSQL::Test::Cluster->new($name);
	$node{$name}->init(allows_streaming => 1);
	$node{$name}->append_conf('postgresql.conf',
		"fsync = off\njit = off\nshared_buffers = 32MB\nautovacuum = off\nmax_wal_senders = 3");
	$node{$name}->start;
}
plan skip_all => 'PL/Proxy is not installed (Debian: postgresql-15-plproxy)' unless available($node{hub});
my $hub = $node{hub};
make_cell($node{"cell$_"}, 'postgres', $_, 2) for 0, 1;
make_hub($hub, 'postgres', 2);
add_cell($hub, 'postgres', $_, $node{"cell$_"}, 'postgres') for 0, 1;

sub hub { return $hub->safe_psql('postgres', 'SET client_min_messages = error; ' . $_[0]) }
my $table = hub(q{SELECT casino.add_game_table('roulette_american', 'T', 10, 5000)});
my @players = split /\n/, hub(q{SELECT casino.register_player('p' || n) FROM generate_series(1, 4) n});
hub(qq{SELECT casino.deposit($_, 10000, 'first')}) for @players;

# Steps marked by triggers: a session that comes to one waits until public.hold is empty or the server is gone
for my $name (qw(hub cell0 cell1))
{
	my @at = $name eq 'hub'
		? (q{decide AFTER INSERT ON casino.hub_decision FOR EACH ROW
			WHEN (NEW.call IN ('settle_round', 'close_betting'))},
			q{note BEFORE UPDATE ON casino.hub_answer FOR EACH ROW})
	  : (q{send AFTER UPDATE ON casino.round FOR EACH ROW WHEN (NEW.status = 'settled')},
	  	q{close AFTER UPDATE ON casino.round FOR EACH ROW WHEN (NEW.status = 'closed'
	  			AND OLD.status = 'open')});
	$node{$name}->safe_psql('postgres', join "\n", q{CREATE TABLE public.hold (step text);
		CREATE FUNCTION public.hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			WHILE EXISTS (SELECT FROM public.hold WHERE step = TG_ARGV[0]) LOOP
			PERFORM pg_sleep(0.02);
			END LOOP;
			RETURN NEW;
			END $$;},
		map {
			my ($step, $rest) = /^(\w+) (.*)/s;
			"CREATE TRIGGER zz_hold_$step $rest EXECUTE FUNCTION public.hold('$step');"
		} @at);
}

my $n = 0;
sub background
{
	my ($sql) = @_;
	my $run = { out => '', err => '' };
	$run->{h} = IPC::Run::start([ 'psql', '-XAtq', '-d', $hub->connstr('postgres'), '-c', $sql ],
		'<', '/dev/null', '>', \$run->{out}, '2>', \$run->{err});
	return $run;
}
sub kill9
{
	my ($name) = @_;
	my $postmaster = $node{$name}->{_pid};
	# as when the machine goes: a backend that waits for a cell would go on alone
	my @backends = split /\n/,
		$node{$name}->safe_psql('postgres', 'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
	$node{$name}->kill9;
	kill 9, @backends;
	for my $pid ($postmaster, @backends) { sleep 0.05 while kill 0, $pid }
	sleep 0.2;
}
sub waits
{
	my ($name) = @_;
	$node{$name}->poll_query_until('postgres',
		q{SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep')})
		or die "nobody waits in $name";
}

my %lost;
# One round: it is closed or settled in the background, held at the step in $where, $victim is killed there
# and started again; then all is repeated.
sub crash
{
	my ($step, $call, $where, $victim) = @_;
	my $what = "$victim killed at $step";
	my $round = hub("SELECT casino.open_round($table, 'crash @{[ ++$n ]}')");
	hub("SELECT casino.place_bet($round, $_, 'red\@100', 's$n')") for @players;
	my $check;
	$node{$where}->safe_psql('postgres', "INSERT INTO public.hold VALUES ('$step')");
	my $holder = $node{$where}->background_psql('postgres', on_error_stop => 0);
	if ($step eq 'check')
	{
		hub("SELECT casino.close_betting($round)");
		$holder->query_safe("BEGIN; SELECT status FROM casino.check_outcome($round, '{\"number\": 1}')");
	}
	my $run = background($call eq 'close' ? "SELECT casino.close_betting($round)"
		: qq{SELECT casino.settle_round($round, '{"number": 1}')});
	if ($step eq 'check')
	{
		$node{$where}->poll_query_until('postgres',
			q{SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock')}) or die;
	}
	else { waits($where) }
	kill9($victim);
	$node{$victim}->start;
	# who was not killed goes on
	$node{$where}->safe_psql('postgres', 'DELETE FROM public.hold');
	eval { $holder->query('ROLLBACK') } if $victim ne $where;
	eval { $holder->quit };
	eval { $run->{h}->finish };
	my $decided = hub("SELECT status FROM casino.hub_round WHERE round_id = $round");
	hub('SELECT * FROM casino.catch_up()');
	# the provider repeats what he was not answered
	my $answer = hub(qq{SELECT status, wagers, staked, paid
		FROM casino.settle_round($round, '{"number": 1}')});
	is($answer, 'settled|4|400.00|800.00',
		"$what (the hub had it as $decided): repeated, every wager is settled once");
	my ($stakes, $payouts) = (0, 0);
	for my $cell (qw(cell0 cell1))
	{
		$stakes += $node{$cell}->safe_psql('postgres',
			"SELECT count(*) FROM casino.ledger WHERE kind = 'stake' AND round_id = $round");
		$payouts += $node{$cell}->safe_psql('postgres',
			"SELECT count(*) FROM casino.ledger WHERE kind = 'payout' AND round_id = $round");
		is(broken($node{$cell}, 'postgres'), '', "$what: $cell is sound");
	}
	$lost{$what} = [ 4 - $stakes, $payouts - 4 ];
	is("$stakes $payouts", '4 4', "$what: no stake is lost, no payout doubled");
	is(hub('SELECT count(*) FROM casino.hub_answer WHERE answered_at IS NULL'), 0, "$what: nothing waits");
}
for my $victim (qw(cell1 hub))
{
	crash('close', 'close', 'cell1', $victim);
	crash('check', 'settle', 'cell1', $victim);
	crash('decide', 'settle', 'hub', $victim);
	crash('send', 'settle', 'cell1', $victim);
	crash('note', 'settle', 'hub', $victim);
}

# ------------------------------------------------ a cell that is cut off at the close (R13.12)
# it goes on: the hub's own role cannot log in there, players can
my ($p0) = grep { $_ % 2 == 0 } @players;
my ($p1) = grep { $_ % 2 == 1 } @players;
my $round = hub("SELECT casino.open_round($table, 'cut off',
		betting_until => clock_timestamp() + interval '20 seconds')");
hub("SELECT casino.place_bet($round, $_, 'red\@100', 'cut')") for @players;
$node{cell1}->safe_psql('postgres', q{ALTER ROLE casino_hub NOLOGIN;
	SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'casino_hub'});
my (undef, undef, $warned) = $hub->psql('postgres', "SELECT casino.close_betting($round)");
like($warned, qr/WARNING:  close_betting is decided, but not carried out in every cell/,
	'a cell cut off at the close: the hub says so');
my $late = $node{cell1}->safe_psql('postgres',
	"SELECT casino.place_bet($round, $p1, 'red\@100', 'after the close')");
cmp_ok($late, '>', 0, 'it has not heard and takes a stake');
is(hub(qq{SELECT status, wagers, paid FROM casino.settle_round($round, '{"number": 1}')}), 'settled|2|400.00',
	'the others are settled');
is($node{cell1}->safe_psql('postgres', "SELECT status FROM casino.round WHERE round_id = $round"), 'open',
	'there the round is open');
is(hub('SELECT cell, up, waiting, refused FROM casino.cell_status WHERE problem IS NOT NULL'), '1|f|2|0',
	'which the status shows');
$hub->poll_query_until('postgres',
	"SELECT clock_timestamp() > betting_until FROM casino.hub_round WHERE round_id = $round");
like(error($node{cell1}, 'postgres', "SELECT casino.place_bet($round, $p1, 'red\@100', 'after its time')"),
	qr/^KB001/, 'at betting_until it stops by its clock');
like(error($hub, 'postgres', 'SELECT * FROM casino.all_trial_balance()'),
	qr/^08006: a sum over all cells needs all of them/, 'a sum without it is refused (R13.17)');
my $next = hub("SELECT casino.open_round($table, 'while it is away')");
like(error($node{cell1}, 'postgres', "SELECT casino.place_bet($next, $p1, 'red\@100', 'x')"), qr/^23503/,
	'its players wait');
hub("SELECT casino.place_bet($next, $p0, 'red\@100', 'meanwhile')");
is(hub(qq{SELECT wagers FROM casino.settle_round($next, '{"number": 1}')}), 1, 'the others play on');
$node{cell1}->safe_psql('postgres', 'ALTER ROLE casino_hub LOGIN');
is(hub('SELECT cell, up, waiting, problem FROM casino.catch_up()'), "0|t|0|\n1|t|0|",
	'reached again, it is told everything');
is(hub(qq{SELECT status, wagers, paid FROM casino.settle_round($round, '{"number": 1}')}), 'settled|4|800.00',
	'its players are paid');
is($node{cell1}->safe_psql('postgres',
	"SELECT kind, reason FROM casino.ledger WHERE stake_entry_no = $late AND player_id = $p1"), 'refund|late',
	'the stake after the close goes back as late');
is(broken($node{$_}, 'postgres'), '', "$_ is sound") for qw(cell0 cell1);
# a hub that is down: cells go on with what is open, until the clock stops them
$round = hub("SELECT casino.open_round($table, 'no hub',
		betting_until => clock_timestamp() + interval '10 seconds')");
$hub->stop('immediate');
cmp_ok($node{cell1}->safe_psql('postgres', "SELECT casino.place_bet($round, $p1, 'red\@100', 'no hub')"),
	'>', 0, 'without the hub stakes go on');
$node{cell1}->poll_query_until('postgres',
	"SELECT clock_timestamp() > betting_until FROM casino.round WHERE round_id = $round") or die;
like(error($node{cell1}, 'postgres', "SELECT casino.place_bet($round, $p1, 'red\@100', 'no hub 2')"),
	qr/^KB001/, 'until betting_until');
$hub->start;
is(hub(qq{SELECT wagers FROM casino.settle_round($round, '{"number": 1}')}), 1, 'back, it settles');

# --------------------------------- a cell restored from its standby, the hub from its (R13.16)
sub standby_of
{
	my ($name) = @_;
	$node{$name}->backup('b');
	my $standby = PostgreSQL::Test::Cluster->new("${name}_standby");
	$standby->init_from_backup($node{$name}, 'b', has_streaming => 1);
	$standby->start;
	$node{$name}->wait_for_catchup($standby);
	return $standby;
}
my $standby = standby_of('cell1');
# from here the standby hears of nothing more
$standby->stop('immediate');
$round = hub("SELECT casino.open_round($table, 'lost with the cell')");
hub("SELECT casino.place_bet($round, $p0, 'red\@100', 'stays')");
hub(qq{SELECT casino.settle_round($round, '{"number": 1}')});
$next = hub("SELECT casino.open_round($table, 'open when it was lost')");
kill9('cell1');
$standby->append_conf('postgresql.conf', "recovery_target_timeline = 'latest'\nprimary_conninfo = ''");
$standby->start;
$standby->promote;
$node{cell1} = $standby;
add_cell($hub, 'postgres', 1, $standby, 'postgres');
like(hub('SELECT problem FROM casino.cell_status WHERE cell = 1'),
	qr/it was restored and waits for casino.catch_up/,
	'a promoted standby in the place of a cell is noticed');
is(hub('SELECT up, waiting, problem FROM casino.catch_up() WHERE cell = 1'), 't|0|',
	'it is told again what it may have lost');
is($standby->safe_psql('postgres', "SELECT status FROM casino.round WHERE round_id = $round"), 'settled',
	'and has the settled round');
is(hub("SELECT casino.place_bet($next, $p1, 'red\@100', 'again') > 0"), 't',
	'its players are back in the open one');
is(hub(qq{SELECT wagers FROM casino.settle_round($next, '{"number": 1}')}), 1, 'which is settled');
is(broken($node{$_}, 'postgres'), '', "$_ is sound") for qw(cell0 cell1);

my $cards = hub(q{SELECT casino.add_game_table('blackjack_infinite', 'cards', 10, 5000)});
my $dealt = hub("SELECT casino.open_round($cards, 'dealt and lost')");
$standby = standby_of('hub');
$standby->stop('immediate');		# what is decided from here on is lost with the hub
my $person = hub(q{SELECT casino.register_player('after the standby')});
my $other = hub(q{SELECT casino.add_game_table('roulette_american', 'after', 10, 5000)});
$round = hub("SELECT casino.open_round($table, 'decided and lost')");
hub("SELECT casino.place_bet($round, $_, 'red\@100', 'lost hub')") for $p0, $p1;
hub(qq{SELECT casino.settle_round($round, '{"number": 1}')});
$next = hub("SELECT casino.open_round($table, 'open and lost')");
hub("SELECT casino.place_bet($next, $p0, 'red\@100', 'lost hub 2')");
my $withheld = hub("SELECT casino.open_round($other, 'withheld and lost')");
hub("SELECT casino.place_bet($withheld, $p0, 'red\@100', 'lost hub 3')");
hub(qq{SELECT casino.settle_round($withheld, '{"number": 1}', withhold => true,
		withhold_reason => 'review')});
hub(qq{SELECT casino.close_betting($dealt);
	SELECT casino.deal($dealt, '{"dealer": "6h", "hands": [{"cards": "5c 6d"}]}')});
hub("SELECT casino.set_table_limits($table, 20, 4000)");
# withheld and voided: the hub knows the round closed at most
my $voided = hub("SELECT casino.open_round($table, 'withheld, voided and lost')")
	if hub(qq{SELECT status FROM casino.settle_round($next, '{"number": 1}')});
hub("SELECT casino.place_bet($voided, $p0, 'red\@100', 'lost hub 4')");
hub(qq{SELECT casino.settle_round($voided, '{"number": 1}', withhold => true, withhold_reason => 'review')});
hub("SELECT casino.void_round($voided, 'not fair')");
# one cell heard nothing of the last decision
kill9('hub');
$standby->append_conf('postgresql.conf', "primary_conninfo = ''");
$standby->start;
$standby->promote;
$hub = $node{hub} = $standby;
hub(sprintf q{SELECT casino.install_hub()});
like(error($hub, 'postgres', "SELECT casino.close_betting(1)"), qr/^55000: the hub was restored/,
	'a promoted standby of the hub decides nothing before it has asked');
like(error($hub, 'postgres', "SELECT casino.register_player('somebody new')"), qr/^55000/,
	'and registers nobody new');
is(hub('SELECT cell, up, waiting, problem FROM casino.catch_up()'), "0|t|0|\n1|t|0|", 'it asks the cells');
is(hub("SELECT status FROM casino.hub_round WHERE round_id = $round"), 'settled',
	'and knows again what it had decided');
like(error($hub, 'postgres', qq{SELECT casino.settle_round($round, '{"number": 2}')}), qr/^KR002/,
	'another outcome is refused');
is(hub(qq{SELECT wagers, paid FROM casino.settle_round($round, '{"number": 1}')}), '2|400.00',
	'the same one answered');
is(hub("SELECT casino.open_round($table, 'open and lost')"), $next, 'a round has its number');
is(hub(qq{SELECT wagers FROM casino.settle_round($next, '{"number": 1}')}), 1, 'and is settled');
is(hub("SELECT status FROM casino.hub_round WHERE round_id = $voided"), 'voided',
	'a round withheld and voided is known as that');
is(hub("SELECT casino.last_deal($dealt) ->> 'dealer'"), '6h', 'cards that were dealt are known');
is(hub("SELECT (arguments ->> 'max_stake')::numeric::integer
	FROM casino.hub_decision
	WHERE call = 'set_table_limits' AND table_id = $table
	ORDER BY decision_no DESC
	LIMIT 1"), '4000', 'and the limits of a table');
is(hub(q{SELECT count(*) FROM casino.cell_status WHERE problem IS NOT NULL}), 0, 'no cell has a problem');
hub("SELECT casino.void_round($dealt, 'end')");
is(hub("SELECT status FROM casino.pay_withheld($withheld)"), 'settled', 'withheld winnings are paid');
is(hub(q{SELECT casino.register_player('after the standby')}), $person, 'who was registered is known');
is(hub(q{SELECT casino.add_game_table('roulette_american', 'after', 10, 5000)}), $other, 'and so is a table');
cmp_ok(hub("SELECT casino.open_round($other, 'after all')"), '>', $next, 'new rounds have new numbers');
is(broken($node{$_}, 'postgres'), '', "$_ is sound at the end") for qw(cell0 cell1);
my $day = q{(now() AT TIME ZONE 'Europe/Prague')::date};
is(hub("SELECT casino.all_report($day) -> 'rounds_that_differ'"), '[]',
	'every round of the day ended alike in hub and cells');
# ------------------------------------------------ passwords between hub and cells, from a file
my %secret = (casino_hub => 'of the hub', game => 'of the game server');
my $file = "$PostgreSQL::Test::Utils::tmp_check/passwords";
for my $cell (qw(cell0 cell1))
{
	my $n = $node{$cell};
	$n->safe_psql('postgres', join ';', 'DROP ROLE IF EXISTS stranger', 'CREATE ROLE stranger LOGIN',
		map { "ALTER ROLE $_ PASSWORD '$secret{$_}'" } sort keys %secret);
	unlink $n->data_dir . '/pg_hba.conf';
	$n->append_conf('pg_hba.conf', "local all casino_hub,game scram-sha-256\nlocal all all trust\n");
	$n->reload;
	$n->safe_psql('postgres',
		q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename IN ('casino_hub', 'game')});
	PostgreSQL::Test::Utils::append_to_file($file, join '',
		map { sprintf "%s:%s:postgres:%s:%s\n", $n->host, $n->port, $_, $secret{$_} } sort keys %secret);
}
chmod 0600, $file;
$hub->reload;
like(hub('SELECT string_agg(problem, chr(10)) FROM casino.catch_up()'), qr/no password supplied/,
	'without its password the hub is nobody');
hub(sprintf "SELECT casino.add_cell(%d, 'host=%s port=%s dbname=postgres passfile=%s')", $_,
	$node{"cell$_"}->host, $node{"cell$_"}->port, $file) for 0, 1;
is(hub('SELECT cell, up, waiting, problem FROM casino.catch_up()'), "0|t|0|\n1|t|0|",
	'it has it from a password file');
$round = hub("SELECT casino.open_round($table, 'with passwords')");
is(hub("SET ROLE game;
	SELECT count(casino.place_bet($round, p, 'red\@100', 'scram')) FROM unnest('{$p0,$p1}'::bigint[]) p"), 2,
		'callers go on with theirs');
is(hub(qq{SELECT status, wagers FROM casino.settle_round($round, '{"number": 1}')}), 'settled|2',
	'decisions, too');
like(error($hub, 'postgres', "SET ROLE stranger_at_the_hub; SELECT casino.deposit($p0, 1)"), qr/^42501/,
	'who has no right at the hub is refused there')
  if $hub->safe_psql('postgres', 'CREATE ROLE stranger_at_the_hub; SELECT 1');
for my $who (qw(stranger game))
{
	local $ENV{PGPASSWORD} = $secret{$who} // '';
	for my $call (q{casino.obey(0, 'close_betting', '{}')}, q{casino.cell_read('report')},
		"casino.settle_round($round, '{}')")
	{
		my (undef, undef, $err) = $node{cell0}->psql('postgres', "SELECT $call",
			extra_params => [ '-U', $who ]);
		like($err, qr/permission denied/, "$who may not $call in a cell");
	}
}
my (undef, undef, $refused) = $node{cell0}->psql('postgres', 'SELECT 1',
	extra_params => [ '-w', '-U', 'casino_hub' ]);
like($refused, qr/no password supplied/, 'and nobody else is the hub');
note(sprintf '%-30s lost %d  doubled %d', $_, @{ $lost{$_} }) for sort keys %lost;

$_->stop('immediate') for values %node;
done_testing();
