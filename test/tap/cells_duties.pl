# What a hub does for compliance: changes since a cursor (R8.27), tables closed and opened again (R8.28), the
# register of excluded persons, and the recall that a player may have.  Each answer is that of one server.
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
my ($p0, $p1) = $world->players;
sub sql { return $world->sql(@_) }
sub refused { return $world->refused(@_) }

# -------------------------------- R8.27: changes since a cursor
my %cursor = map { $_ => 'NULL' } qw(round_changes player_day_changes);
# changed FEED COLUMNS: the news; then the cursor moves on
sub changed
{
	my ($feed, $columns) = @_;
	my @rows = split /\n/, sql('hub', "SELECT $columns, change_no FROM casino.$feed($cursor{$feed})");
	my $found = '';
	for (@rows)
	{
		my ($data, $number) = /^(.*)\|(\d+)$/;
		die "$feed is not in order" if $cursor{$feed} ne 'NULL' && $number <= $cursor{$feed};
		$cursor{$feed} = $number;
		$found .= "$data;";
	}
	return $found;
}
my $figures = 'round_id, status, wagers, staked, paid';
changed('round_changes', $figures);
changed('player_day_changes', 'player_id');
my $round = $world->open('feed');
is(changed('round_changes', $figures), "$round|open|||;",
	'R8.27: a round opened comes once, not once a cell');
is(changed('round_changes', $figures), '', 'R8.27: nothing new');
$world->stake('hub', $round, $p0, $p1);
is(changed('round_changes', $figures), '', 'R8.26: stakes of a round under way do not change its figures');
is(join(',', sort split /;/, changed('player_day_changes', 'player_id')), join(',', sort $p0, $p1),
	"R8.27: the day of each player who staked, of either cell");
sql('hub', "SELECT casino.settle_round($round, '{\"number\": 1}')");
my $before = $cursor{round_changes};
is(changed('round_changes', $figures), "$round|settled|2|200.00|400.00;",
	'R8.27: a round settled comes with the figures of both cells');
$cursor{round_changes} = $before;
is(changed('round_changes', $figures), "$round|settled|2|200.00|400.00;",
	'R8.26: the same cursor again gives the same');
sql('hub', "SELECT casino.settle_round($round, '{\"number\": 1}')");
is(changed('round_changes', $figures), '', 'R8.26: a repeated settlement changes nothing');
# R12.140: rounds without a stake in one cell, in both, and voided
sub kept
{
	my ($id) = @_;
	return sql('hub', "SELECT count(*) FROM casino.hub_change WHERE feed = 'round_changes' AND number = $id");
}
my $one = $world->open('one cell');
$world->stake('hub', $one, $p1);
sql('hub', "SELECT casino.settle_round($one, '{\"number\": 1}')");
my $none = $world->open('no cell');
sql('hub', "SELECT casino.settle_round($none, '{\"number\": 2}')");
my $void = $world->open('void');
sql('hub', "SELECT casino.void_round($void, 'no player')");
my $end = $world->open('the end');
is(changed('round_changes', 'round_id, status, outcome, wagers, players, staked, paid'),
	qq($one|settled|{"number": 1}|1|1|100.00|200.00;$none|settled|{"number": 2}|0|0|0.00|0.00;)
	  . qq($void|voided||0|0|0.00|0.00;$end|open|||||;), 'R8.27: rounds with few players, or none');
is(join(',', map { kept($_) } $round, $one, $none, $void, $end), '2,1,1,1,2',
	'R12.140: of an ended round those cells are kept where somebody staked, or the last one');
$cursor{round_changes} = $before;
is(changed('round_changes', $figures),
	"$round|settled|2|200.00|400.00;$one|settled|1|100.00|200.00;$none|settled|0|0.00|0.00;"
	  . "$void|voided|0|0.00|0.00;$end|open|||;", 'R12.140: an earlier cursor gives the same');
sql('hub', "SELECT casino.void_round($end, 'no player')");
changed('round_changes', $figures);
is(changed('round_changes', $figures), '', 'R12.140: and no cell is read again');
is(kept($end), 2, 'R12.140: the row that says how far a cell was read stays');
my $further = $world->open('further');
changed('round_changes', $figures);
is(join(',', map { kept($_) } $round, $one, $none, $void, $end, $further), '2,1,1,1,1,2',
	'R12.140: ... until the cell is read further');
sql('hub', "SELECT casino.void_round($further, 'no player')");
changed('round_changes', $figures);
# -------------------------------- the recall of a round, and limits, at the hub
my $stakes = q{SELECT string_agg(concat_ws(' ', w ->> 'player_id', w ->> 'bet'), ', '
	                         ORDER BY w ->> 'player_id')
	  FROM jsonb_array_elements(casino.game_recall(%s) -> 'wagers') w};
like(sql('hub', sprintf $stakes, $round), qr/^(?=.*\b$p0 red)(?=.*\b$p1 red)/,
	'R9.52: the recall of all players at the hub has the stakes of both cells');
is(sql('hub', "SELECT casino.game_recall($round) -> 'round' -> 'paid'"), '400.00', 'R9.52: counted together');
is(sql('hub', "SELECT casino.game_recall($round) -> 'cells'"), '{"0": "settled", "1": "settled"}',
	'R9.52: and says how the round stands in each cell');
like(refused('hub', 'SELECT casino.game_recall(0)'), qr/^23503/, 'R9.52: no such round');
like(refused('hub', 'SELECT * FROM casino.table_limits_at(0)'), qr/^23503/, 'R9.52: no such table');

sql('hub', "SELECT casino.adjust($p1, 5, 'tip returned', 'adjusted')");
changed('player_day_changes', 'player_id');
sql('hub', "SELECT casino.deposit($p1, 5, 'one cell')");
is(changed('player_day_changes', 'player_id'), "$p1;", 'R8.27: an entry of one cell is one day');
like(refused('hub', 'SELECT casino.round_changes(-1)'), qr/^22023.*invalid cursor/,
	'R8.27: a cursor below zero is 22023');
# a cell that is away: the answer is whole or an error
$node->safe_psql('postgres', 'REVOKE CONNECT ON DATABASE cell1 FROM casino_hub');
$node->safe_psql('postgres', q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity
	WHERE datname = 'cell1' AND usename = 'casino_hub'});
my $other = $world->open('while one is away');
isnt(refused('hub', "SELECT * FROM casino.round_changes($cursor{round_changes})"), '',
	'R13.17: a feed without a cell would be short, so that it is an error');
$node->safe_psql('postgres', 'GRANT CONNECT ON DATABASE cell1 TO casino_hub');
sql('hub', 'SELECT count(*) FROM casino.catch_up()');
is(changed('round_changes', 'round_id, status'), "$other|open;",
	'R8.27: once the cell is back, nothing is lost');
sql('hub', "SELECT casino.void_round($other, 'no player')");

# -------------------------------- R8.28: a table closed and opened
my $table = sql('hub', q{SELECT casino.add_game_table('roulette_american', 'repaired', 10, 5000)});
my $last = $world->open('last', $table);
like(refused('hub', "SELECT casino.close_game_table($table, 'repair')"), qr/^KR002.*unevaluated_round/s,
	'R8.28: a table with a round under way is not closed');
sql('hub', "SELECT casino.void_round($last, 'no player')");
is(sql('hub', "SELECT casino.close_game_table($table, 'repair')"), 1, 'R8.28: a table is closed at a hub');
is(sql('hub', "SELECT casino.close_game_table($table, 'repair')"), 1, 'R8.28: closed again: the same number');
is(sql($_, "SELECT opened, reason FROM casino.table_operation WHERE table_id = $table"), 'f|repair',
	"R8.28: $_ has the event") for qw(cell0 cell1);
like(refused('hub', "SELECT casino.open_round($table, 'closed')"), qr/^KR002.*table_closed/s,
	'R8.28: no round is opened at a closed table');
is(sql('hub', "SELECT casino.reopen_game_table($table, 'repaired')"), 2, 'R8.28: opened again');
is(sql($_, "SELECT string_agg(opened::text, ',' ORDER BY operation_no) FROM casino.table_operation
	WHERE table_id = $table"), 'false,true', "R8.28: $_ has both events") for qw(cell0 cell1);
my $next = $world->open('after the repair', $table);
cmp_ok($next, '>', $last, 'R8.28: rounds are opened there again');
sql('hub', "SELECT casino.void_round($next, 'no player')");

# -------------------------------- the register of excluded persons
my $asked_at = sql('hub', 'SELECT clock_timestamp()');
my $n = sql('hub', "SELECT casino.record_register_check($p1, 'clear', '$asked_at')");
is(sql('hub', "SELECT casino.record_register_check($p1, 'clear', '$asked_at')"), $n,
	'a question sent again has its number');
is(sql($_, 'SELECT count(*) FROM casino.register_check'), $_ eq 'cell1' ? 1 : 0,
	"$_: the answer is in the cell of the player, once") for qw(cell0 cell1);
sql('hub', "SELECT casino.record_register_check($p1, 'excluded')");
$round = $world->open('excluded');
like(refused('hub', "SELECT casino.place_bet($round, $p1, 'red\@100', 'no')"), qr/^KC\d\d\d/,
	'the answer excluded excludes the player from stakes');
$world->stake('hub', $round, $p0);
sql('hub', "SELECT casino.settle_round($round, '{\"number\": 1}')");

# -------------------------------- the recall that a player may have
is(sql('hub', "SELECT casino.player_recall($p0, $round)"),
	sql('cell0', "SELECT casino.player_recall($p0, $round)"),
	'the recall of a player comes from the cell of the player');
unlike(sql('hub', "SELECT casino.player_recall($p0, $round)"), qr/"player": $p1\b/,
	'and names no other player');

# -------------------------------- every route that reads
my %value = (
	player_id => $p0,
	round_id => $round,
	date => q{(now() AT TIME ZONE 'Europe/Prague')::date},
	'timestamp with time zone' => 'now()',
	bigint => 1,
	integer => 1,
	text => q{'p1'},
	'text[]' => q{'{p1}'});
my @readers = split /\n/, sql('hub', q{
	SELECT p.proname || '|' || a.list
	  FROM pg_proc p
	  JOIN casino.hub_routes() h ON h.name = p.proname
	 CROSS JOIN LATERAL (SELECT coalesce(string_agg(concat(p.proargnames[n], ':',
	                                                       format_type(p.proargtypes[n - 1], NULL)),
	                                                ';' ORDER BY n), '') AS list
	                       FROM generate_series(1, p.pronargs) n) a
	 WHERE p.pronamespace = ANY (casino_internal.schemas())
	   AND h.route IN ('read', 'all', 'sum')
	 ORDER BY 1});
cmp_ok(scalar @readers, '>', 20, 'functions that read are found');
for (@readers)
{
	my ($name, $list) = split /\|/, $_, 2;
	my @arguments = map { my ($n, $t) = split /:/; $value{$n} // $value{$t} // "NULL::$t" } split /;/, $list;
	my $arguments = join ', ', @arguments;
	my $error = refused('hub', "SELECT count(*) FROM casino.$name($arguments)");
	unlike($error, qr/^(?:42|XX|0A|P0)/, "$name() answers at a hub, or refuses by name");
}
# settings and marks are rows of the cells: at the hub they would bind no row
for my $call ("mark_replay('2026-01-01', '2026-01-02', 'x')", "set_provider_setting('bank', '2026-01-01')",
	"end_provider('bank', '2026-01-01', 'x')", "resume_provider('bank', '2026-01-01', 'x')",
	'night_page(current_date)')
{
	like(refused('hub', "SELECT casino.$call"), qr/^0A000.*call this in each cell/,
		"$call is refused by name");
}

# -------------------------------- R11.75: gone and back, in the cell of the player
my $boxes = sql('hub', q{SELECT casino.add_game_table('blackjack_synot', 'J', 10, 1000,
	'{"seats": 5, "home_cell": 0}')});
my $hand = $world->open('hand', $boxes);
sql('hub', "SELECT casino.place_bet($hand, $p0, 'main\@100', 'main', 1)");
sql('hub', "SELECT casino.close_betting($hand)");
is(sql('hub', "SELECT casino.reconnect($hand, $p0)"), '', 'R11.76: nobody was away');
is(sql('hub', "SELECT casino.disconnect($hand, $p0)"), '{}', 'gone');
my $back = sql('hub', "SELECT casino.reconnect($hand, $p0)");
is(sql('hub', "SELECT casino.reconnect($hand, $p0)"), $back, 'R11.76: back; again the same time');
is(sql('cell0', 'SELECT reconnected_at FROM casino.reconnection'), $back, 'R11.75: in the home cell');
is(sql('cell1', 'SELECT count(*) FROM casino.reconnection'), 0, '... alone');
is(sql('hub', "SELECT jsonb_array_length(casino.game_recall($hand) -> 'reconnections')"), 1,
	'... and in the recall of the hub');
sql('hub', "SELECT casino.void_round($hand, 'test')");
like(refused('hub', "SELECT casino.reconnect($hand, ${\($world->players)[2]})"), qr/^KR002/,
	'R11.77: the round is over');

# -------------------------------- R6.31: chips brought to a seat, in the home cell of the table
my $poker = sql('hub', q{SELECT casino.add_game_table('holdem_cash_25_50', 'P', 25, 100000,
	'{"seats": 6, "home_cell": 0}')});
my ($p2) = ($world->players)[2];
$round = $world->open('hand', $poker);
sql('hub', "SELECT casino.bring_to_table($round, $p0, 500, 1)") for 1, 2;
is(sql('cell0', 'SELECT player_id, seat, amount FROM casino.table_stack'), "$p0|1|500.00",
	'R6.31: chips come to the table at a hub, once');
like(refused('hub', "SELECT casino.bring_to_table($round, $p2, 500, 1)"), qr/^KB005.*seat 1 is taken/,
	'R6.31: the seat is taken');
like(refused('hub', "SELECT casino.bring_to_table($round, $p1, 500, 2)"), qr/^KB004.*not played in this cell/,
	'R13.10: a player of another cell sits at no table of this one');
like(refused('hub', "SELECT casino.place_bet($round, $p0, 'pot\@600', 'over', 1)"), qr/^KB\d\d\d/,
	'R6.30: more than the stack is refused');
sql('hub', "SELECT casino.place_bet($round, $p0, 'pot\@500', 'all in', 1)");
sql('hub', "SELECT casino.void_round($round, 'end')");
is($world->judge('hub'), '', 'hub and cells say the same of all rounds');

$node->stop;
done_testing();
