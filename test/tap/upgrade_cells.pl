# A hub and two cells of 1.0 become 1.1 (Toy.pm) one after the other, while rounds go on through the hub:
# cell 0, cell 1, the hub.  Cell 0 is killed before its COMMIT.  After each step stakes and decisions go
# through, the cells end every round alike, and their books are sound. cell_status names the cells of another
# version.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time);
use Play;
use Cells;
use Toy;

my $dir = PostgreSQL::Test::Utils::tempdir();
# the hub and cell 1 are on one server, cell 0, which is killed, on another one
my ($main, $apart) = map { PostgreSQL::Test::Cluster->new($_) } qw(main apart);
for my $node ($main, $apart)
{
	$node->init;
	$node->append_conf('postgresql.conf', "fsync = off\njit = off\nautovacuum = off");
}
Toy::prepare($dir, $main, $apart);
$_->start for $main, $apart;
plan skip_all => 'PL/Proxy is not installed (Debian: postgresql-15-plproxy)' unless available($main);

my %at = (hub => $main, cell0 => $apart, cell1 => $main);
sub sql { my ($db, $sql) = @_; return $at{$db}->safe_psql($db, "SET client_min_messages = error; $sql") }
sub hub { return sql('hub', @_) }

# ---------------------------------------- 1.0
make_cell($apart, 'cell0', 0, 2);
make_cell($main, 'cell1', 1, 2);
make_hub($main, 'hub', 2);
add_cell($main, 'hub', $_, $at{"cell$_"}, "cell$_") for 0, 1;
my ($table, $long, $other, $cards) = split /\n/, hub(q{SELECT casino.add_game_table(game, game, 10, 5000)
	FROM unnest('{roulette_american,roulette_synot,baccarat,blackjack_infinite}'::text[]) game});
my @players = split /\n/, hub(q{SELECT casino.register_player('p' || n) FROM generate_series(1, 4) n});
# two of each cell; nobody plays at two tables at a time
my ($p0, $q0) = grep { $_ % 2 == 0 } @players;
my ($p1, $q1) = grep { $_ % 2 == 1 } @players;
hub("SELECT casino.deposit($_, 100000, 'first')") for @players;
my $open = hub("SELECT casino.open_round($long, 'over all upgrades')");
my $withheld = hub("SELECT casino.open_round($other, 'withheld')");
hub("SELECT casino.place_bet($withheld, $_, 'player\@100', 'w')") for $p0, $p1;
hub(qq{SELECT casino.settle_round($withheld, '{"player": "9h Kd", "banker": "7c Js"}', withhold => true,
	withhold_reason => 'under review')});

# A program of the backend that is connected from the beginning to the end, and another one at its cell
my $game = $main->background_psql('hub', on_error_stop => 0, extra_params => [ '-U', 'game' ]);
my $direct = $apart->background_psql('cell0', on_error_stop => 0, extra_params => [ '-U', 'game' ]);
my $asked = 0;
# It repeats a call that was not answered: 08006 is "call again"
sub game
{
	my ($sql) = @_;
	for my $attempt (1 .. 3)
	{
		$game->{stderr} = '';
		my ($out) = $game->query("\\set VERBOSITY verbose\nSET client_min_messages = error; $sql;");
		return $out if $game->{stderr} !~ /ERROR:/;
		return $game->{stderr} if $game->{stderr} !~ /ERROR:  08/;
	}
	return $game->{stderr};
}
# A round of each family, a person and the stakes of the round that is open all the time
sub rounds_go_on
{
	my ($when) = @_;
	is(game("SELECT casino.place_bet($open, $q0, 'even\@10', '$when') > 0,
		casino.place_bet($open, $q1, 'even\@10', '$when') > 0"), 't|t',
		"$when: the round of 1.0 takes stakes");
	$asked++;
	my $round = game("SELECT casino.open_round($table, '$when', facts => '{\"dealer\": \"d-1\"}')");
	like($round, qr/^\d+$/, "$when: a round is opened");
	is(game("SELECT count(*) FROM unnest(ARRAY[$p0, $p1]::bigint[]) p,
		casino.place_bet($round, p, 'red\@100', 'r $when')"), '2', "$when: stakes are placed");
	is(game("SELECT count(*) FROM casino.place_many($round, ARRAY[$p0, $p1], '{odd\@10,odd\@10}',
		ARRAY['m $when', 'm $when'])"), '2',
		"$when: those of a table, too");
	is(game("SELECT casino.cancel_bet($round, $p0, 'm $when') <> '{}'"), 't', "$when: and cancelled");
	my $settle = "SELECT status, wagers, staked, paid FROM casino.settle_round($round, '{\"number\": 1}')";
	is(game($settle), 'settled|3|210.00|420.00', "$when: the round is settled in both cells");
	is(game($settle), 'settled|3|210.00|420.00', "$when: and again answered alike");
	my $dealt = game("SELECT casino.open_round($cards, '$when')");
	game("SELECT casino.place_bet($dealt, $_, 'main\@100', 'c $when')") for $p0, $p1;
	game("SELECT casino.close_betting($dealt);
		SELECT casino.deal($dealt, '{\"dealer\": \"6h\", \"hands\": [{\"cards\": \"5c 6d\"}]}')");
	is(game("SELECT casino.place_bet($dealt, $p1, 'double_down\@100', 'd $when', hand => 1) > 0"), 't',
		"$when: a decision in a hand is placed");
	is(game("SELECT status, wagers FROM casino.settle_round($dealt,
		'{\"dealer\": \"6h Tc 5s\", \"hands\": [{\"cards\": \"5c 6d 7s\"}]}')"), 'settled|3',
		"$when: cards are dealt and settled");
	is(game("SELECT casino.deposit(casino.register_player('$when'), 100, 'd') > 0"), 't',
		"$when: a person is registered and pays in");
	is(hub('SELECT count(*) FROM casino.hub_answer WHERE answered_at IS NULL'), '0',
		"$when: no decision waits");
	# number, table, name, status, when it was evaluated
	my @ends = map {
		join "\n", map { join '|', map { $_ // '' } (split /\|/)[0 .. 3, 7] } split /\n/, rounds($at{$_}, $_)
	} qw(cell0 cell1);
	is(differences(@ends), '', "$when: all rounds are alike in both cells");
	is(broken($at{$_}, $_), '', "$when: $_ is sound") for qw(cell0 cell1);
}
sub clean
{
	my ($when) = @_;
	is(findings($at{$_}, $_), '', "$when: the checks of the night of $_ find nothing") for qw(cell0 cell1);
}
sub problems { return hub('SELECT cell, problem FROM casino.cell_status WHERE problem IS NOT NULL') }
sub waiting
{
	my ($db, $n) = @_;
	$at{$db}->poll_query_until('postgres', qq{SELECT count(*) = $n FROM pg_stat_activity
		WHERE datname = '$db' AND wait_event_type = 'Lock'}) or die "nobody waits in $db";
}
my @roles = (casino_hub => 'hub', game => 'backend');
# in one transaction: no caller is without rights in between
sub rights
{
	my ($db, %profile) = @_;
	my @again = map { "SELECT casino.revoke_access('$_'), casino.grant_access('$_', '$profile{$_}');" }
	  sort keys %profile;
	sql($db, "BEGIN; @again COMMIT");
}
rounds_go_on('all of 1.0');
is(problems(), '', 'all of 1.0: cell_status has no problem');
my %old = map { $_ => Toy::catalog($at{$_}, $_) } qw(hub cell0 cell1);
my $to = Toy::deliver();
my $update = "ALTER EXTENSION casino UPDATE$to";

# ---------------------------------------- the wrong order
# a hub of 1.1 says more than a cell of 1.0 understands; taken back, nothing has happened
like(error($main, 'hub', "BEGIN; $update; SELECT casino.install_hub();
	SELECT casino.place_bet($open, $q1, 'low\@10', 'too new')"), qr/^42883: /,
	'the hub first: a stake with an argument that the cells do not know is refused');
is(differences($old{hub}, Toy::catalog($main, 'hub')), '', 'rolled back, the hub is as it was');

# ---------------------------------------- cell 0
# it is killed before its COMMIT, and the hub has decided without it meanwhile
my $without = game("SELECT casino.open_round($table, 'while cell 0 is upgraded')");
game("SELECT casino.place_bet($without, $_, 'red\@100', 'k')") for $p0, $p1;
my $upgrade = $apart->background_psql('cell0', on_error_stop => 0);
$upgrade->query("BEGIN; $update; SELECT casino.install();");
my (undef, undef, $warned) = $main->psql('hub', "SELECT casino.settle_round($without, '{\"number\": 1}')");
like($warned, qr/WARNING:  settle_round is decided, but not carried out in every cell.*Cell 0: /s,
	'a cell that holds its locks for long is waited for ten seconds; the hub settles in the other one');
my @backends = split /\n/, $apart->safe_psql('postgres',
	'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
my $postmaster = $apart->{_pid};
$apart->kill9;
kill 9, @backends;
for my $pid ($postmaster, @backends) { Time::HiRes::sleep(0.05) while kill 0, $pid }
$_->{run}->finish for $upgrade, $direct;
$apart->start;
is(differences($old{cell0}, Toy::catalog($apart, 'cell0')), '',
	'killed before COMMIT: cell 0 is of 1.0 as it was');
is(hub('SELECT cell, up, waiting, problem FROM casino.catch_up()'), "0|t|0|\n1|t|0|",
	'it is told the decisions of the meantime');
is(game("SELECT status, wagers, paid FROM casino.settle_round($without, '{\"number\": 1}')"),
	'settled|2|400.00', 'and its player is paid');
rounds_go_on('after the kill');

$direct = $apart->background_psql('cell0', on_error_stop => 0, extra_params => [ '-U', 'game' ]);
sql('cell0', $update);
like(problems(), qr/^0\|it has casino 1\.1 with tables of version 1, the hub 1\.0 with 1$/,
	'between UPDATE and install() cell_status names the cell');
rounds_go_on('between UPDATE and install()');

# install() while its players play: it waits for the stake under way, a stake through the hub waits for it
sub install_while_playing
{
	my ($db, $player, $session) = @_;
	$session->query("BEGIN; SELECT casino.place_bet($open, $player, 'low\@10', 'during');");
	my $install = $at{$db}->background_psql($db, on_error_stop => 0);
	$install->query_until(qr/asked/, "\\echo asked\nSELECT casino.install();\n");
	waiting($db, 1);
	$game->query_until(qr/asked/,
		"\\echo asked\nSELECT casino.place_bet($open, $player, 'high\@10', 'during 2') > 0;\n");
	waiting($db, 2);
	$session->query('COMMIT;');
	my $free = time;
	is($install->query('SELECT 1;'), "2\n1", "$db: install() waited for the stake under way");
	my $installed = time;
	is($game->query('SELECT 1;'), "t\n1", "$db: a stake through the hub waited for install(), and is placed");
	note(sprintf '%s: after the stake under way install() took %.0f ms, the next stake %.0f ms', $db,
		 1000 * ($installed - $free), 1000 * (time() - $free));
	$install->quit;
	rights($db, @roles);
}
install_while_playing('cell0', $q0, $direct);
like(problems(),
	qr/^0\|it has casino 1\.1 with tables of version 2, the hub 1\.0 with 1; its plan versions are not/,
	'cell 0 is of 1.1: cell_status names its version, and that its figures are not those of the hub');
rounds_go_on('cell 0 is upgraded');
clean('cell 0 is upgraded');
is(game("SELECT status, paid > 0 FROM casino.pay_withheld($withheld)"), 'settled|t',
	'winnings withheld under 1.0 are paid by cells of two versions');
like($direct->query("SELECT casino.place_bet($open, $q0, 'low\@10', 'direct');"), qr/^\d+$/,
	'a program that is connected to cell 0 goes on');
$direct->quit;

# ---------------------------------------- cell 1
$direct = $main->background_psql('cell1', on_error_stop => 0, extra_params => [ '-U', 'game' ]);
sql('cell1', $update);
rounds_go_on('cell 1 between UPDATE and install()');
install_while_playing('cell1', $q1, $direct);
$direct->quit;
is(scalar(() = problems() =~ /^[01]\|it has casino 1\.1 with tables of version 2, the hub 1\.0 with 1;/mg), 2,
	'both cells are of 1.1: cell_status names both');
rounds_go_on('both cells are upgraded');
clean('both cells are upgraded');

# ---------------------------------------- the hub
$upgrade = $main->background_psql('hub', on_error_stop => 0);
$upgrade->query("BEGIN; $update; SELECT casino.install_hub();");
rounds_go_on('before the COMMIT of the hub');
$upgrade->query('COMMIT;');
$upgrade->quit;
rights('hub', game => 'backend');
is(hub('SELECT cell, up, waiting, problem FROM casino.catch_up()'), "0|t|0|\n1|t|0|",
	'catch_up() finds nothing to do');
is(problems(), '', 'all of 1.1: cell_status has no problem');
rounds_go_on('all of 1.1');
is(game("SELECT casino.place_bet($open, $q1, 'low\@10', 'new', toy => 'x') > 0"), 't',
	'the new argument goes through the hub');

# ---------------------------------------- the end
my $wagers = 2 * $asked + 6;
is(game("SELECT status, wagers FROM casino.settle_round($open, '{\"number\": 2}')"), "settled|$wagers",
	'the round that was open all the time is settled with every stake');
sql($_, 'CALL casino.nightly()') for qw(cell0 cell1);
is(hub(q{SELECT casino.all_report(casino.prague_day(now()) - 1) ->> 'clean'}), 'true',
	'the nights are one clean report');
is(hub(q{SELECT casino.all_report(casino.prague_day(now())) ->> 'rounds_that_differ'}), '[]',
	'no round differs');
clean('at the end');
make_cell($main, 'fresh_cell', 0, 2);
make_hub($main, 'fresh_hub', 2);
my $fresh = Toy::catalog($main, 'fresh_cell');
is(differences($fresh, Toy::catalog($at{$_}, $_)), '',
	"the catalog of $_ is that of a fresh cell of 1.1") for qw(cell0 cell1);
is(differences(Toy::catalog($main, 'fresh_hub'), Toy::catalog($main, 'hub')), '',
	'the catalog of the hub is that of a fresh hub of 1.1');
$game->quit;
$_->stop for $main, $apart;
done_testing();
