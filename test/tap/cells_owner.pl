# The word of an owner to a hub and its cells: a restored hub goes on without a cell which another hub has
# told otherwise (R13.39), or is from before a cell was added (R13.40).
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
my $world = Cells::World->new($node, 4);
my ($p0, $p1) = $world->players;
my $table = $world->table;
sub sql { return $world->sql(@_) }
sub refused { return $world->refused(@_) }
sub problem { return sql($_[0], 'SELECT cell, problem FROM casino.cell_status WHERE problem IS NOT NULL') }
sub entries { return sql($_[0],
	"SELECT string_agg(kind, ',' ORDER BY entry_no) FROM casino.ledger WHERE round_id = $_[1]") }

# ------------------------------------------- two hubs, each with one cell, end betting at different times
# Each hub reaches one cell; the owner lets the second one decide.  Returns the round.
sub split_round
{
	my ($name) = @_;
	my $round = $world->open($name);
	$world->stake('hub', $round, $p0, $p1);
	$world->copy_hub('hub', 'hub2', 'casino_hub2');
	$world->cut('casino_hub', 'cell1');
	$world->cut('casino_hub2', 'cell0');
	sql('hub2', 'SELECT casino.catch_up()');
	is(sql('hub2', q{SELECT casino.decide_without('cell 0 cannot be reached')}), '{0}',
	"$name: the owner lets the new hub go on");
	return $round;
}

sub together
{
	$world->drop('hub');
	$world->heal('casino_hub2', 'cell0');
	$world->heal('casino_hub', 'cell1');
	sql('hub2', 'SELECT casino.catch_up()');
}

# The second hub becomes the hub, under the role of the first
sub second_is_hub
{
	$world->idle('hub2');
	sql('postgres', 'ALTER DATABASE hub2 RENAME TO hub');
	sql('hub', "ALTER USER MAPPING FOR CURRENT_USER SERVER casino_cells OPTIONS (SET user 'casino_hub')");
	sql('hub', 'SELECT casino.install_hub()');
	sql('hub', 'SELECT casino.catch_up()');
}

sub put_right
{
	my ($round) = @_;
	is(sql('cell0', "SELECT status FROM casino.void_round($round, 'two hubs')"), 'voided',
	'somebody voids the round there');
	sql('hub2', "SELECT casino.excuse_cell(0, decision_no, 'voided there, two hubs') FROM casino.hub_answer
		WHERE cell = 0 AND answered_at IS NULL");
	sql('hub2', 'SELECT casino.catch_up()');
	is(problem('hub2'), '', 'and excuses the cell: no problem is left');
	my $next = $world->open('after it', $table, 'hub2');
	$world->stake('hub2', $next, $p0, $p1);
	is(sql('hub2', "SELECT wagers, paid FROM casino.settle_round($next, '{\"number\": 1}')"), '2|400.00',
	'the next round is played in both');
}

my $round = split_round('later');
sql('hub2', "SELECT casino.close_betting($round)");
my $late = sql('cell0', "SELECT casino.place_bet($round, $p0, 'red\@500', 'after the close')");
sql('hub', "SELECT casino.close_betting($round)");
together();
like(problem('hub2'),
	qr/^0\|decision \d+ \(close_betting .*\) is refused: betting of round $round ended at another time here/,
	'a cell that ended betting later than the hub says refuses to go on with either time');
is(sql('hub2', "SELECT wagers, paid FROM casino.settle_round($round, '{\"number\": 1}')"), '1|200.00',
	'the others are settled');
sql('hub2', 'SELECT casino.catch_up()');
is(entries('cell0', $round), 'stake,stake',
	'nothing is graded there, the stake after the close least of all');
is(sql('cell0', "SELECT status FROM casino.round WHERE round_id = $round"), 'closed',
	'the round stays to be ended');
put_right($round);
is(entries('cell0', $round), 'stake,stake,refund,refund', 'all stakes went back there');
second_is_hub();

$round = split_round('earlier');
sql('hub', "SELECT casino.close_betting($round)");
sql('hub2', "SELECT casino.close_betting($round)");
together();
like(problem('hub2'), qr/close_betting.*ended at another time here/,
	'and so does one that ended betting earlier');
sql('hub2', "SELECT status FROM casino.settle_round($round, '{\"number\": 1}')");
is(entries('cell0', $round), 'stake', 'nothing is graded there');
put_right($round);
second_is_hub();

# the end of the decisions at a table, the same
my $poker = sql('hub', q{SELECT casino.add_game_table('casino_holdem', 'H', 100, 5000)});
$round = $world->open('decisions', $poker);
sql('hub', "SELECT casino.close_betting($round)");
my ($number, $epoch, $at) = split /\|/, sql('hub', "SELECT max(decision_no), (SELECT epoch FROM casino.hub),
	clock_timestamp() FROM casino.hub_decision");
my $end = sub { my ($dry, $time) = @_; return sql('cell0',
	"SELECT (a).code, (a).message FROM casino.obey($number, 'close_actions',
	jsonb_build_object('round_id', $round, 'at', '$time'::timestamptz), $dry, 'x', $epoch, $poker) a") };
is($end->('false', $at), '00000|', 'decisions end');
is($end->('false', $at), '00000|', 'told again, the end is a repetition');
is($end->('false', sql('cell0', "SELECT '$at'::timestamptz + interval '1 second'")),
	"KR002|actions of round $round ended at another time here",
	'another end of the decisions is refused');
sql('hub', "SELECT casino.void_round($round, 'end')");

# ------------------------------------------- a hub from before a cell was added
is(sql($_, 'SELECT last_value FROM casino.hub_cells_seq'), 2,
	"$_ knows how many cells there are") for qw(cell0 cell1);
$world->copy_hub('hub', 'hub2', 'casino_hub2');
make_cell($node, 'cell2', 2, 4);
sql('cell2', "SELECT casino.grant_access('casino_hub2', 'hub')");
$world->cut('casino_hub', 'cell1');
sql('hub', 'SELECT casino.catch_up()');
like(refused('hub', sprintf "SELECT casino.add_cell(2, 'host=%s port=%s dbname=cell2')", $node->host,
	$node->port),
	qr/^08006: cell 1 must know that there is another cell/,
	'no cell joins that one of the others cannot hear of');
$world->heal('casino_hub', 'cell1');
sql('hub', 'SELECT casino.catch_up()');
add_cell($node, 'hub', 2, $node, 'cell2');
is(join(',', map { sql($_, 'SELECT last_value FROM casino.hub_cells_seq') } qw(cell0 cell1 cell2)), '3,3,3',
	'a cell joins: all know');
$round = $world->open('with the third');
$world->cut('casino_hub', $_) for qw(cell0 cell1);
like(sql('hub2', 'SELECT cell, problem FROM casino.catch_up()'),
	qr/^0\|the cells know of 1 more: casino.add_cell\(\)$/m,
	'a copy of the hub from before is told that a cell is missing');
like(refused('hub2', "SELECT casino.open_round($table, 'too early')"), qr/^55000: the hub was restored/,
	'and decides nothing');
is(sql('hub2', 'SELECT casino_internal.hub_is_current()'), 'f', 'however often it asks') for map { sql('hub2',
	'SELECT casino.catch_up()') } 1, 2;
# the old hub goes on with the third cell alone until the new one has asked that cell
is(sql('hub', "SELECT status FROM casino.settle_round($round, '{\"number\": 1}')"), 'settled',
	'the old hub settles with the new cell alone');
add_cell($node, 'hub2', 2, $node, 'cell2');
is(sql('hub2', 'SELECT count(*), sum(waiting) FROM casino.catch_up()'), '3|0',
	'the cell is added there, too, and asked');
is(sql('hub2', "SELECT status, outcome FROM casino.hub_round WHERE round_id = $round"),
	'settled|{"number": 1}', 'an outcome that the new cell had been told stands');
like(refused('hub', "SELECT casino.open_round($table, 'old hub')"), qr/^55000: another hub has taken over/,
	'the old hub decides nothing more');
is(sql('hub2', "SELECT status FROM casino.void_round(casino.open_round($table, 'new hub'), 'end')"), 'voided',
	'the new one does');
is(problem('hub2'), '', 'and has no problem');
# the owner may go on without it
$world->drop('hub');
$world->heal('casino_hub', $_) for qw(cell0 cell1);
sql('hub2', 'DELETE FROM casino.hub_answer WHERE cell = 2');
sql('hub2', 'DELETE FROM casino.hub_told WHERE cell = 2');
sql('hub2', 'DELETE FROM casino.hub_cell WHERE cell = 2');
sql('hub2', 'UPDATE casino.hub SET timeline = -1');
like(problem('hub2'), qr/it knows of 3 cells, this hub of 2: casino.add_cell\(\)/,
	'cell_status says so, too');
is(sql('hub2', q{SELECT casino.decide_without('cell 2 never came back')}), '{}',
	'the owner may go on without the cell');
is(sql('hub2', 'SELECT unknown FROM casino.hub_takeover ORDER BY taken_at DESC LIMIT 1'), 1,
	'which is on record');
is(sql('hub2', 'SELECT casino_internal.hub_is_current()'), 't', 'it decides again');

$node->stop('immediate');
done_testing();
