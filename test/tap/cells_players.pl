# The number of a player is kept at the hub, so that a cell that was put back gives it to nobody else (R12.100
# to R12.104). Of two cells cell 1 has 1, 3, 5 and cell 0 has 2, 4, 6; the world has four persons, 1 to 4.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play;
use Cells;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "fsync = off\njit = off\nmax_connections = 100\nautovacuum = off");
$node->start;
plan skip_all => 'PL/Proxy is not installed (Debian: postgresql-15-plproxy)' unless available($node);
my $world = Cells::World->new($node, 2);
sub sql { return $world->sql(@_) }
sub refused { return $world->refused(@_) }
sub registered { return sql('hub', "SELECT casino.register_player('$_[0]')") }
# a person whose home is that cell: the cell with the fewest gets the next one
sub registered_in
{
	my ($cell, $name) = @_;
	sql('hub', "UPDATE casino.hub_cell SET takes_persons = cell = $cell");
	return registered($name);
}
sub caught_up
{
	return sql('hub', q{SELECT string_agg(concat(up, problem), ',' ORDER BY cell) FROM casino.catch_up()});
}
sub problem { return sql('hub', "SELECT coalesce(problem, '') FROM casino.cell_status WHERE cell = $_[0]") }
sub kept
{
	return sql('hub', "SELECT string_agg(player_id::text, ',' ORDER BY player_id) FROM casino.hub_player
		WHERE external_ref = '$_[0]' AND lost_at IS NULL AND taken_at IS NULL");
}
sub lost
{
	my ($n) = @_;
	return "$n player(s) are lost there: register them again (casino.hub_player.lost_at)";
}

# -------------------------------- new and old persons of a cell that was put back
is(sql('hub', q{SELECT string_agg(player_id || ' ' || cell, ',' ORDER BY player_id) FROM casino.hub_player}),
	'1 1,2 0,3 1,4 0', 'R12.100: the hub keeps each number, and which cell gave it');
is(sql('hub', q{SELECT string_agg(concat_ws(' ', cell, players, last_player), ',' ORDER BY cell)
	FROM casino.hub_cell}), '0 2 4,1 2 3', '... how many a cell gave, and the last one');
$world->snapshot('cell0');
is(registered_in(0, 'Adam'), 6, 'after the snapshot one person gets 6');
is(registered_in(0, 'Bela'), 8, '... another one 8');
is(registered_in(0, 'Cyril'), 10, '... a third one 10');
sql('hub', q{SELECT casino.deposit(6, 500, 'first')});
$world->put_back('cell0');
is(sql('cell0', 'SELECT max(player_id) FROM casino.player'), 4, 'the cell is put back to before them');
like(problem(0), qr/^it has lost players and waits for casino\.catch_up\(\)$/,
	'R12.104: cell_status says so, before anything was asked of it');
is(registered_in(0, 'Dora'), 12, 'R12.101: a new person gets a new number, without catch_up()');
is(registered('Bela'), 8, 'R12.102: one who was lost gets the number of before');
is(registered('Bela'), 8, '... each time');
is(caught_up(), 't' . lost(2) . ',t', 'R12.104: catch_up() says that two are lost');
is(problem(0), lost(2), '... and cell_status');
is(sql('hub', 'SELECT string_agg(player_id::text, \',\' ORDER BY player_id) FROM casino.hub_player
	WHERE lost_at IS NOT NULL'), '6,10', '... the hub knows which');
like(refused('hub', q{SELECT casino.deposit(6, 500, 'first')}), qr/^23503/, 'nobody has 6 meanwhile');
is(registered('Adam'), 6, 'R12.102: ... but the one who had it');
is(sql('hub', q{SELECT casino.deposit(6, 500, 'first')}), 1, '... whose requests are entered again');
is(caught_up(), 't' . lost(1) . ',t', 'one is lost yet');
is(registered('Cyril'), 10, 'the last one comes back');
is(caught_up(), 't,t', 'R12.104: nobody is lost any more');
is(problem(0), '', '... and cell_status says nothing');
is(sql('cell0', q{SELECT string_agg(external_ref || ' ' || player_id, ',' ORDER BY player_id)
	FROM casino.player WHERE player_id > 4}), 'Adam 6,Bela 8,Cyril 10,Dora 12',
	'no number twice, nobody with two');
is(registered_in(0, 'Emil'), 14, 'numbers go on after them');
is(sql('hub', 'SELECT players FROM casino.hub_cell WHERE cell = 0'), 7, 'the hub has counted seven');
is(sql('cell0', 'SELECT count(*) FROM casino.player'), 7, '... as many as there are');

# twice to one snapshot, and catch_up() is first
$world->snapshot('cell0');
is(registered_in(0, 'Filip'), 16, 'again after a snapshot');
for my $time (1, 2)
{
	$world->put_back('cell0', 1);
	is(caught_up(), 't' . lost($time) . ',t', "put back to it ($time)");
	# somebody who works in the cell itself
	is(sql('cell0', q{SELECT casino_internal.next_player_id()}), 18,
		'R12.101: after catch_up() the cell itself gives no number again') if $time == 1;
	is(registered_in(0, "Gustav $time"), $time == 1 ? 20 : 22, '... nor to a new person at the hub');
	is(registered('Filip'), 16, '... and the person who had it has it again');
}
is(registered('Gustav 1'), 20, 'who came after the first time is put back, too');
is(caught_up(), 't,t', 'all are there');

# -------------------------------- a former account and the one after it
is(registered_in(1, 'Hana'), 5, 'an account in cell 1');
$world->snapshot('cell1');
sql('hub', 'SELECT casino.close_account(5)');
is(registered('Hana'), 7, 'it is closed, and there is another one');
$world->put_back('cell1');
is(caught_up(), 't,t' . lost(1), 'put back: the second one is lost');
is(registered('Hana'), 5, 'R12.102: the first one is open again there');
like(caught_up(), qr/\Q${\lost(1)}\E$/, '... so that the second one is lost yet');
sql('hub', 'SELECT casino.close_account(5)');
is(registered('Hana'), 7, 'R12.102: closed anew, and the second one has its number');
is(caught_up(), 't,t', 'nothing is lost');
is(kept('Hana'), '5,7', 'both are the person\'s');
$world->snapshot('cell1');
is(registered_in(1, 'Ivan'), 9, 'two accounts after a snapshot: 9');
sql('hub', 'SELECT casino.close_account(9)');
is(registered('Ivan'), 11, '... and 11');
$world->put_back('cell1');
is(registered('Ivan'), 9, 'R12.102: the first one comes first');
sql('hub', 'SELECT casino.close_account(9)');
is(registered('Ivan'), 11, '... and then the second one');
is(caught_up(), 't,t', 'nothing is lost');

# -------------------------------- the hub dies between the cell's answer and its own note
sub killed_before_noting
{
	my ($name) = @_;
	my $holder = $node->background_psql('hub');
	$holder->query_safe('BEGIN; LOCK TABLE casino.hub_player IN SHARE MODE');
	my $run = $world->background('hub', "SELECT casino.register_player('$name')");
	$node->poll_query_until('postgres', q{SELECT EXISTS (SELECT FROM pg_locks l
		WHERE NOT l.granted AND l.mode = 'RowExclusiveLock')}) or die 'nobody waits';
	$node->safe_psql('postgres', q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE datname = 'hub' AND (query LIKE '%register_player%' OR wait_event_type = 'Lock')
		  AND pid <> pg_backend_pid()});
	like($world->finish($run), qr/terminating connection|server closed/, "$name: the hub dies");
	$holder->query_safe('ROLLBACK');
	$holder->quit;
}
sql('hub', 'UPDATE casino.hub_cell SET takes_persons = cell = 1');
killed_before_noting('Jana');
is(sql('cell1', q{SELECT player_id FROM casino.player WHERE external_ref = 'Jana'}), 13, 'the cell gave 13');
is(kept('Jana'), '', '... and the hub did not note it');
is(registered('Jana'), 13, 'R12.100: asked again it is the same number');
is(kept('Jana'), 13, '... which the hub keeps now');
killed_before_noting('Karel');
is(kept('Karel'), '', 'once more, and nobody asks');
is(caught_up(), 't,t', 'R12.104: catch_up() takes the number from the cell');
is(kept('Karel'), 15, '... so that the hub has it');
$world->snapshot('cell1');
killed_before_noting('Lida');
$world->put_back('cell1');
is(caught_up(), 't,t', 'neither of them has a number that nobody was told');
is(registered('Lida'), 17, '... so that it may be given');

# -------------------------------- past the hub
$world->snapshot('cell1');
is(registered_in(1, 'Marek'), 19, 'a person after a snapshot');
$world->snapshot('cell0');
$world->put_back('cell1', 1);
is(sql('cell1', q{SELECT casino.register_player('stranger')}), 19,
	'in the cell that was put back its owner registers somebody, before the hub has reached it');
like(refused('hub', q{SELECT casino.register_player('Marek')}),
	qr/^55000: player 19 is another person here/, 'R12.103: who had the number is refused another');
sql('hub', q{SELECT casino_internal.hub_keep_person('stranger', 1)});
like(refused('hub', q{SELECT casino.register_player('stranger')}),
	qr/^55000: player 19 is another person at the hub/, 'R12.103: ... and the stranger the number');
my $taken = q{1 player number(s) are another person's there (casino.hub_player.taken_at)};
is(caught_up(), "t,t$taken", 'R12.104: catch_up() says so');
is(caught_up(), "t,t$taken", '... each time');
is(problem(1), $taken, '... and cell_status');
$world->put_back('cell1');
is(caught_up(), 't,t' . lost(1), 'put back again, by the book');
is(registered('Marek'), 19, 'R12.102: the person has the number');
is(registered('stranger'), 21, '... and the stranger another one');
is(caught_up(), 't,t', 'all are there');

# -------------------------------- a hub that was restored has the numbers from the cells
sql('hub', q{DELETE FROM casino.hub_player WHERE player_id > 4; UPDATE casino.hub SET timeline = -1;
	UPDATE casino.hub_cell SET players = 2, last_player = 4 - cell});
is(caught_up(), 't,t', 'a hub that was restored');
is(kept('Adam') . ' ' . kept('Ivan'), '6 9,11', 'R12.100: ... reads the numbers from the cells');
is(sql('hub', q{SELECT count(*) FROM casino.hub_cell c
	WHERE players = (SELECT count(*) FROM casino.hub_player p WHERE p.cell = c.cell)
	  AND last_player = (SELECT max(player_id) FROM casino.hub_player p WHERE p.cell = c.cell)}), 2,
	'... with the counters');

# -------------------------------- who is erased
$node->safe_psql('postgres', "CREATE ROLE $_ LOGIN") for qw(eva jan);
for my $db (qw(hub cell0 cell1))
{
	$node->safe_psql($db, "SELECT casino.grant_access('$_', 'compliance');
		GRANT CONNECT ON DATABASE $db TO $_") for qw(eva jan);
}
sql($_, "SET casino.clock_skew = -1;
	SELECT casino.set_duty_rule('retention_years', '0', '2020-01-01', '-', 'a test')") for qw(cell0 cell1);
$world->snapshot('cell0');
my $nora = registered_in(0, 'Nora');
sql('hub', "SELECT casino.close_account($nora)");
my $token = sql('hub', q{SET SESSION AUTHORIZATION eva; SELECT casino.erase_person('Nora', 'request 1')});
sql('hub', q{SET SESSION AUTHORIZATION jan; SELECT casino.approve_erasure('Nora')});
is(kept('Nora') . kept($token), $nora, 'R12.100: the number of a person who is erased has the token');
$world->put_back('cell0');
$world->heal($_, 'cell0') for qw(eva jan);
is(caught_up(), 't,t', 'put back to before the person came: nothing to be done');
isnt(registered('Nora'), $nora, 'R12.101: and the number stays unused');
is(caught_up(), 't,t', 'catch_up()');

# -------------------------------- the sequence of a cell that gave no number yet, and one that is ahead
make_cell($node, 'fresh', 0, 2);
is(sql('fresh', q{SELECT casino_internal.pass_player_numbers(2);
	SELECT casino_internal.next_player_id()}), "\n4", 'R12.101: one number is passed');
is(sql('fresh', q{SELECT casino_internal.pass_player_numbers(0);
	SELECT casino_internal.pass_player_numbers(3);
	SELECT casino_internal.next_player_id()}), "\n\n6", '... never backwards');
is(sql('fresh', q{SELECT casino_internal.pass_player_numbers(7);
	SELECT casino_internal.next_player_id()}), "\n8", '... nor further than the first number above');
$node->stop;
done_testing();
