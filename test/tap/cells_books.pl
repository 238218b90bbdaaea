# A cell's old book is put away while its hub and the other cell go on (R12.50, R12.133): rounds are played, a
# cell is cut off and caught up. A question or a correction that needs the book is refused by name, and
# changes nothing in either cell; when the book is attached it is answered and made.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Cells;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "fsync = off\njit = off\nmax_connections = 100\nautovacuum = off");
$node->start;
plan skip_all => 'PL/Proxy is not installed (Debian: postgresql-15-plproxy)' unless available($node);
my $world = Cells::World->new($node);
my ($p0, $p1) = $world->players;
$node->safe_psql('postgres', 'CREATE ROLE boss LOGIN');
for my $db (qw(hub cell0 cell1))
{
	$node->safe_psql($db, "SELECT casino.grant_access('boss', 'supervisor');
		GRANT CONNECT ON DATABASE $db TO boss");
}
sub sql { return $world->sql(@_) }
sub refused { return $world->refused(@_) }
sub code { return refused(@_) =~ /^(\w{5})/ ? $1 : 'done' }
sub entries { return join '; ', map { sql($_, q{
	SELECT string_agg(concat_ws(' ', player_id, entry_no, kind, amount, balance, round_id), ','
		ORDER BY player_id, entry_no) FROM casino.carried_entry}) } qw(cell0 cell1) }
sub played
{
	my ($name) = @_;
	my $round = $world->open($name);
	$world->stake('hub', $round, $p0, $p1);
	is(sql('hub', "SELECT status, wagers, paid FROM casino.settle_round($round, '{\"number\": 1}')"),
		'settled|2|400.00', "played at the hub: $name");
	return $round;
}
# What Cells::World::judge() looks at, as far as the answer does not lie in the book
sub agrees
{
	my @wrong = map { "waits: $_" } split /\n/, sql('hub', 'SELECT decision_no, cell, code, message
		FROM casino.hub_answer WHERE answered_at IS NULL');
	push @wrong, map { "problem: $_" } split /\n/, sql('hub', 'SELECT cell, problem FROM casino.cell_status
		WHERE problem IS NOT NULL');
	my $rounds = q{SELECT string_agg(concat_ws(' ', round_id, status, outcome ->> 'number'), ','
		ORDER BY round_id)};
	my $hub = sql('hub', "$rounds FROM casino.hub_round");
	for my $cell (qw(cell0 cell1))
	{
		my $has = sql($cell, "$rounds FROM casino.round");
		push @wrong, "$cell has $has, the hub $hub" if $has ne $hub;
		push @wrong, map { "$cell: wallet $_" } split /\n/, sql($cell, 'SELECT p.player_id, p.balance
			FROM casino.player p WHERE p.balance IS DISTINCT FROM (
				SELECT e.balance FROM casino.carried_entry e
				 WHERE e.player_id = p.player_id ORDER BY e.entry_no DESC LIMIT 1)');
	}
	return join "\n", @wrong;
}
my $today = sql('cell1', 'SELECT casino.prague_day(now())');

my $old = played('before');
my $open = $world->open('over');
$world->stake('hub', $open, $p0, $p1);
sql('cell1', 'SELECT casino.turn_book()');
like(refused('cell1', 'SELECT casino.close_book(1)'), qr/^55000: .*Round $open is open\./s,
	'a round that the hub has open keeps the book of a cell');
# the cell is away when the round ends: it still has to hear of it
$world->cut('casino_hub', 'cell1');
sql('hub', "SELECT casino.settle_round($open, '{\"number\": 1}')");
like(refused('cell1', 'SELECT casino.close_book(1)'), qr/^55000: .*Round $open is open\./s,
	'... and a decision that the cell has not heard');
$world->heal('casino_hub', 'cell1');
sql('hub', 'SELECT casino.catch_up()');
sql('cell1', "SELECT casino.seal(date '$today' - 1)");
sql('cell1', 'SELECT casino.close_book(1)');
sql('cell1', "SELECT casino.seal(date '$today')");
sql('cell1', 'SET casino.request_memory = 0; SELECT casino.put_away_book(1)');
is(sql('cell1', 'SELECT casino.last_book_away()'), '1', 'the book of one cell is away');

# ------------------------------------------------------------------------------------- all goes on
my $after = played('after');
is(agrees(), '', 'hub and cells agree');
$world->cut('casino_hub', 'cell1');
my $cut = $world->open('cut off');
$world->stake('hub', $cut, $p0);
sql('hub', "SELECT casino.settle_round($cut, '{\"number\": 1}')");
$world->heal('casino_hub', 'cell1');
sql('hub', 'SELECT casino.catch_up()');
is(agrees(), '', 'a cell that was cut off is told all');
is(sql('hub', "SELECT status FROM casino.settle_round($old, '{\"number\": 1}')"), 'settled',
	'a decision of the old round that comes again is answered');
sql('hub', "SELECT casino.deposit($p1, 100, 'again'), casino.request_withdrawal($p1, 100, 'cash', 'w')");
like(refused('hub', "SELECT casino.all_report('$today')"), qr/55000: .*put away/,
	'the report of a day that reaches into the book is refused by name');
is(code('hub', 'SELECT * FROM casino.cell_status'), 'done', 'the list of cells');

# ---------------------------------------------------------------------- what needs the book
my $books = entries();
my $propose = "SET SESSION AUTHORIZATION boss;
	SELECT casino.correct_round($old, '{\"number\": 2}', 'it lay on 2')";
like(refused('hub', $propose), qr/^55000: .*put away/, 'a correction of the old round is refused by name');
is(code('cell1', "SELECT casino.game_recall($old)"), '55000', 'and the old round at the cell');
is(code('cell0', "SELECT casino.game_recall($old)"), 'done', '... not at the other one');
is(entries(), $books, 'no cell has changed');
is(sql('hub', 'SELECT string_agg(DISTINCT up::text, $$,$$) FROM casino.cell_status'), 'true',
	'and both cells are up');
is(agrees(), '', '... and agree');
played('after the refusal');

# ------------------------------------------------------------------------------------ attached
sql('cell1', 'SELECT casino.attach_book(1)');
my $number = sql('hub', $propose);
ok($number, 'with the book attached the correction is taken down');
is(sql('hub', "SELECT status, paid FROM casino.approve_correction($number)"), 'settled|0.00',
	'... and made in both cells');
is($world->judge('hub'), '', 'hub and cells agree');
is(sql($_, 'SELECT count(*) FROM casino.verify()') . sql($_, 'SELECT casino.rebuild()'), '00',
	"$_: verify() and rebuild() find nothing") for qw(cell0 cell1);
$node->stop;
done_testing();
