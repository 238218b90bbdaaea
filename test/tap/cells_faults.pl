# What a hub and its cells do when a connection, a hub or a cell is lost, put back or doubled: one test for
# each way that a search of the protocol found to go wrong (R13.30 to R13.38). Hubs and cells are databases of
# one server: a snapshot of one is a copy of the database, a cut connection a right to connect that is taken
# away.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use IPC::Run ();
use Time::HiRes qw(sleep);
use Play;
use Cells;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "fsync = off\njit = off\nmax_connections = 100\nautovacuum = off");
$node->start;
plan skip_all => 'PL/Proxy is not installed (Debian: postgresql-15-plproxy)' unless available($node);
my $world = Cells::World->new($node);
my ($p0, $p1, @more) = $world->players;
my $table = $world->table;
sub sql { return $world->sql(@_) }
sub refused { return $world->refused(@_) }

# ------------------------------------------------------------------- a superseded hub (R13.30)
my $round = $world->open('superseded');
$world->copy_hub('hub', 'hub2', 'casino_hub2');
is(sql('hub2', 'SELECT bool_and(up), sum(waiting) FROM casino.catch_up()'), 't|0',
	'a copy of the hub takes over');
like(refused('hub', "SELECT casino.close_betting($round)"), qr/^55000: another hub has taken over/,
	'the old hub: a close that holds nowhere is an error for its caller');
is(sql('hub', "SELECT status FROM casino.hub_round WHERE round_id = $round"), 'open', 'nor is it written');
$world->drop('hub2');
$world->make_hub_again('hub');
is(sql('hub', "SELECT status FROM casino.settle_round($round, '{\"number\": 1}')"), 'settled',
	'the old one made the hub again decides');

# between its question and its writing: the new hub comes then
$round = $world->open('between');
$world->stake('hub', $round, $p0, $p1);
sql('hub', "SELECT casino.close_betting($round)");
$world->copy_hub('hub', 'hub2', 'casino_hub2');
$world->hold('hub', 'decide');
my $run = $world->background('hub', "SELECT status FROM casino.settle_round($round, '{\"number\": 1}')");
$world->waits('hub');
sql('hub2', 'SELECT casino.catch_up()');
is(sql('hub2', "SELECT status FROM casino.void_round($round, 'the other hub')"), 'voided',
	'the new hub voids');
$world->let_go('hub', 'decide');
like($world->finish($run), qr/ERROR:  55000: another hub has taken over/,
	'a decision that was written before is answered with an error when the cells refuse it');
is(join(',', map { sql($_, "SELECT status FROM casino.round WHERE round_id = $round") } qw(cell0 cell1)),
	'voided,voided', 'the cells have what the new one decided');
# R13.34: the old one made the hub again keeps nothing that no cell has obeyed
$world->drop('hub2');
$world->make_hub_again('hub');
is(sql('hub', "SELECT status, reason FROM casino.hub_round WHERE round_id = $round"), 'voided|the other hub',
	'what no cell has obeyed yields to what cells have');
is(sql('hub', "SELECT call
	FROM casino.hub_withdrawal
	JOIN casino.hub_decision USING (decision_no)
	WHERE round_id = $round"), 'settle_round', 'and is kept as withdrawn');
like(refused('hub', "SELECT casino.settle_round($round, '{\"number\": 1}')"), qr/^KR002/,
	'it is not answered afterwards');
is(sql('hub', 'SELECT count(*) FROM casino.cell_status WHERE problem IS NOT NULL OR waiting > 0'), 0,
	'no table is blocked by it');
$round = $world->open('goes on');
$world->stake('hub', $round, $p0, $p1);
is(sql('hub', "SELECT status, wagers FROM casino.settle_round($round, '{\"number\": 1}')"), 'settled|2',
	'the next round is played');

# noted while others are asked: a cell that was down obeys the new hub
$round = $world->open('noted while asking');
$world->stake('hub', $round, $p0, $p1);
$world->cut('casino_hub', 'cell1');
$world->copy_hub('hub', 'hub2', 'casino_hub2');
sql('hub', "SELECT casino.close_betting($round)");
is(sql('hub', 'SELECT cell FROM casino.hub_cell WHERE down_since IS NOT NULL'), '1',
	'the old hub has a cell as down');
$world->cut('casino_hub2', 'cell0');
sql('hub2', 'SELECT casino.catch_up()');
like(refused('hub2', "SELECT casino.void_round($round, 'x')"),
	qr/^55000: the hub was restored.*Not yet read: cell 0, cell 1.*decide_without/s,
	'a copy that reaches a part of the cells decides nothing (R13.33)');
$world->heal('casino_hub', 'cell1');
like(refused('hub', "SELECT casino.settle_round($round, '{\"number\": 1}')"),
	qr/^55000: another hub has taken over/, 'the old one, that reaches both, is told so by the other cell');
is(sql('hub', "SELECT count(*) FROM casino.hub_decision WHERE round_id = $round AND call = 'settle_round'"),
	0, 'before it decides');
$world->heal('casino_hub2', 'cell0');
is(sql('hub2', 'SELECT bool_and(up), sum(waiting) FROM casino.catch_up()'), 't|0', 'the new one reaches all');
is(sql('hub2', "SELECT status, wagers FROM casino.settle_round($round, '{\"number\": 2}')"), 'settled|2',
	'and decides');
$world->drop('hub2');
$world->make_hub_again('hub');
is($world->judge('hub'), '', 'one outcome everywhere');

# ----------------------------------------------------- no cell can be reached (R13.30, R13.36)
$round = $world->open('nobody there');
$world->stake('hub', $round, $p0, $p1);
my $called = sql('hub', 'SELECT clock_timestamp()');
$world->cut('casino_hub', $_) for qw(cell0 cell1);
like(refused('hub', "SELECT casino.close_betting($round)"),
	qr/^08006: no cell that has to know could be reached/, "a close that reaches no cell is an error ($_)")
	for 'once', 'twice';
like(refused('hub', "SELECT casino.settle_round($round, '{\"number\": 1}')"), qr/^08006/,
	'and so is an outcome');
is(sql('hub', "SELECT status FROM casino.hub_round WHERE round_id = $round"), 'open', 'neither is written');
my $late = sql('cell1', "SELECT casino.place_bet($round, $p1, 'red\@100', 'late $round')");
$world->heal('casino_hub', $_) for qw(cell0 cell1);
# the provider says it again, with the time at which it was called at the table, however long ago
sql('hub', 'ALTER DATABASE hub SET casino.clock_skew = 0');
is(sql('hub', "SELECT casino.close_betting($round, '$called')"), '',
	'a close comes late because no cell could be reached: it holds from when it was called');
like(refused('hub', "SELECT casino.close_actions($round, '$called')"), qr/^KL005/,
	'other times stay near the clock');
sql('hub', 'ALTER DATABASE hub RESET casino.clock_skew');
is(sql('cell1',
	"SELECT reason FROM casino.ledger WHERE player_id = $p1 AND stake_entry_no = $late AND kind = 'refund'"),
	'late', 'what was staked after it goes back');
is(sql('hub', "SELECT status, wagers FROM casino.settle_round($round, '{\"number\": 1}')"), 'settled|2',
	'and is not settled');
# a hub that was away
$round = $world->open('hub away');
$called = sql('hub', 'SELECT clock_timestamp()');
sql('cell1', "SELECT casino.place_bet($round, $p1, 'red\@100', 'late $round')");
$world->restart;
sql('hub', 'ALTER DATABASE hub SET casino.clock_skew = 0');
is(sql('hub', "SELECT casino.close_betting($round, '$called')"), '',
	'a close comes late because the hub was away');
is(sql('hub', "SELECT wagers FROM casino.settle_round($round, '{\"number\": 1}')"), 0,
	'with it nothing was staked');
$round = $world->open('hub there');
like(refused('hub', "SELECT casino.close_betting($round, clock_timestamp() - interval '1 second')"),
	qr/^KL005/, 'a hub that was there dates nothing back');
like(refused('hub', "SELECT casino.close_betting($round, '$called')"), qr/^KL005/,
	'nor before the round was opened');
sql('hub', 'ALTER DATABASE hub RESET casino.clock_skew');
sql('hub', "SELECT casino.void_round($round, 'end')");
is(sql('hub', 'SELECT casino.install_hub()'), 2, 'install_hub() again changes nothing');
is($world->judge('hub'), '', 'the books are sound');

# ------------------------------------------------------ a restored hub that is killed (R13.33)
$world->copy_hub('hub', 'hub2', 'casino_hub2');
sql('hub2', q{CREATE FUNCTION public.die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
	RAISE EXCEPTION 'killed';
	END $$;
	CREATE TRIGGER die BEFORE UPDATE ON casino.hub FOR EACH ROW WHEN (OLD.timeline = 0
			AND NEW.timeline > 0) EXECUTE FUNCTION public.die()});
like(refused('hub2', 'SELECT * FROM casino.catch_up()'), qr/killed/,
	'a restored hub is killed after it has learned what the cells know');
is(sql('hub2', 'SELECT count(*) FROM casino.hub_cell WHERE learned'), 2, 'all of them');
sql('hub2', 'DROP TRIGGER die ON casino.hub');
sql('hub2', 'SELECT casino.catch_up()');
is(sql('hub2', "SELECT casino.open_round($table, 'after the kill') > 0"), 't',
	'the next catch_up() makes it the hub');
sql('hub2', "SELECT casino.void_round(max(round_id), 'end') FROM casino.hub_round");
$world->drop('hub2');
$world->make_hub_again('hub');

# ----------------------------------------------------------- a cell that was put back (R13.31)
# while its answer is on its way: cell 0 is slow, cell 1 has answered and is replaced by its snapshot
$round = $world->open('between answer and note');
$world->stake('hub', $round, $p0, $p1);
sql('hub', "SELECT casino.close_betting($round)");
$world->snapshot('cell1');
$world->hold('cell0', 'settle');
$run = $world->background('hub', "SELECT wagers, paid FROM casino.settle_round($round, '{\"number\": 1}')");
$world->waits('cell0');
$node->poll_query_until('cell1', "SELECT status = 'settled' FROM casino.round WHERE round_id = $round")
	or die;
$world->put_back('cell1');
sql('hub', 'SELECT casino.catch_up()');
$world->let_go('cell0', 'settle');
$world->finish($run);
like(sql('hub', 'SELECT problem FROM casino.cell_status WHERE cell = 1'),
	qr/was restored and waits for casino.catch_up|^$/, 'the status compares what the cell says');
is(sql('hub', 'SELECT cell, waiting, problem FROM casino.catch_up()'), "0|0|\n1|0|", 'it is told again');
is(sql('cell1', "SELECT status, paid FROM casino.round WHERE round_id = $round"), 'settled|200.00',
	'and has paid');
is($world->judge('hub'), '', 'the books are sound');

# a snapshot of the disk, a backup without recovery.signal, the second standby of one primary: the timeline
# says nothing
$world->snapshot('cell1');
my $other = sql('hub', q{SELECT casino.add_game_table('roulette_american', 'after the snapshot', 10, 5000)});
$round = $world->open('lost', $other);
sql('hub', "SELECT casino.deposit($p1, 100, 'lost with the cell')");
$world->stake('hub', $round, $p0, $p1);
is(sql('hub', "SELECT wagers FROM casino.settle_round($round, '{\"number\": 1}')"), 2,
	'settled, and then a cell is put back to before the table was added');
my $before = $world->open('open when it was lost', $other);
$world->put_back('cell1');
like(sql('hub', 'SELECT cell, problem FROM casino.cell_status WHERE problem IS NOT NULL'),
	qr/^1\|it was restored and waits for casino.catch_up\(\)/, 'cell_status says so, on the same timeline');
is(sql('hub', "SELECT status FROM casino.void_round($before, 'straight on')"), 'voided',
	'a call before catch_up() tells it again first');
is(sql('cell1', "SELECT string_agg(status, ',' ORDER BY round_id) FROM casino.round WHERE table_id = $other"),
	'settled,voided', 'the table, the settled round, the open one');
is(sql('hub', 'SELECT cell, waiting, problem FROM casino.catch_up()'), "0|0|\n1|0|",
	'catch_up() finds the rest');
is(sql('hub', 'SELECT count(*) FROM casino.cell_status WHERE problem IS NOT NULL'), 0, 'no problem is left');
is($world->judge('hub'), '', 'the books are sound');
# twice to the same snapshot
for my $time (1, 2)
{
	$round = $world->open("twice $time");
	$world->snapshot('cell1') if $time == 1;
	sql('hub', "SELECT casino.settle_round($round, '{\"number\": 1}')");
	$world->put_back('cell1', $time == 1);
	is(sql('hub', 'SELECT waiting FROM casino.catch_up() WHERE cell = 1'), 0,
		"put back to one snapshot: told again ($time)");
	is(sql('cell1', "SELECT status FROM casino.round WHERE round_id = $round"), 'settled',
		"and has the round ($time)");
}

# a put-back cell agrees to no outcome, and grades nothing in a round that is open there (R13.32)
$round = $world->open('open again');
$world->stake('hub', $round, $p0, $p1);
$world->snapshot('cell1');
sql('hub', "SELECT casino.close_betting($round)");
my ($no, $at) = split /\|/,
	sql('hub', "SELECT decision_no, arguments ->> 'at'
		FROM casino.hub_decision
		WHERE round_id = $round AND call = 'close_betting'");
$world->put_back('cell1');
$late = sql('cell1', "SELECT casino.place_bet($round, $p1, 'red\@500', 'after the close $round')");
my $obey = "SELECT (a).code, (a).message
	FROM casino.obey(%d, '%s',
		'{\"round_id\": $round, \"outcome\": {\"number\": 1}, \"at\": \"$at\", \"withhold\": false}', false,
		'x', 0, $table, %s) a";
sql('cell1', sprintf 'SELECT setval(\'casino.hub_epoch_seq\', 0)') if 0;
my $epoch = sql('cell1', 'SELECT last_value FROM casino.hub_epoch_seq');
$obey =~ s/'x', 0,/'x', $epoch,/;
is(sql('cell1', sprintf $obey, 0, 'check_outcome', "'{\"1\": $no}'"),
	'55000|this cell has lost what it had obeyed', 'it agrees to no outcome before it has been told again');
is(sql('cell1', sprintf $obey, $no + 1, 'settle_round', 'NULL'), "KR002|betting of round $round is open",
	'and settles no round that is open there, whoever asks');
is(sql('hub', "SELECT wagers, paid FROM casino.settle_round($round, '{\"number\": 1}')"), '2|400.00',
	'the hub tells it of the close first');
is(sql('cell1', "SELECT kind, reason FROM casino.ledger WHERE player_id = $p1 AND stake_entry_no = $late"),
	'refund|late', 'so that the late stake goes back');
is(sql('cell1', "SELECT betting_closed_at FROM casino.round WHERE round_id = $round"),
	sql('hub', "SELECT betting_closed_at FROM casino.hub_round WHERE round_id = $round"),
	'betting closed there when the hub said');
is($world->judge('hub'), '', 'the books are sound');

# a hub that was put back by a snapshot that leaves no mark: the first cell that knows more stops it
sql('hub', q{SELECT casino.catch_up()});
$world->snapshot('hub');
$round = $world->open('after the snapshot of the hub');
sql('hub', "SELECT casino.close_betting($round)");
$world->put_back('hub');
sql('hub', q{UPDATE casino.hub SET database = (SELECT oid FROM pg_database WHERE datname = 'hub')});
like(refused('hub', "SELECT casino.open_round($table, 'too early')"), qr/^55000: the hub was restored/,
	'a hub put back on its timeline decides nothing when a cell has obeyed more');
is(sql('hub', 'SELECT bool_and(up), sum(waiting) FROM casino.catch_up()'), 't|0',
	'until it has read the cells');
is(sql('hub', "SELECT status FROM casino.settle_round($round, '{\"number\": 1}')"), 'settled',
	'and knows the round');

# --------------------------------------------------------- taken back after the close (R13.35)
$round = $world->open('taken back');
my ($black, $gone) =
	map { sql('hub', "SELECT casino.place_bet($round, $p1, '$_\@100', '$_ $round')") } qw(black red);
$world->stake('hub', $round, $p0);
$world->cut('casino_hub', 'cell1');
sql('hub', "SELECT casino.close_betting($round)");
is(sql('hub', "SELECT wagers FROM casino.settle_round($round, '{\"number\": 1}')"), 1,
	'a cell is cut off, the round is settled red');
sql('cell1', "SELECT casino.cancel_bet($round, $p1, 'black $round')");
$world->heal('casino_hub', 'cell1');
sql('hub', 'SELECT casino.catch_up()');
is(sql('cell1', "SELECT entry_no, rule, detail ->> 'reason'
	FROM casino.breach
	WHERE player_id = $p1 AND entry_no = $black"), "$black|taken_back_late|cancelled",
	'a stake that lay at the close and was taken back after it is a breach');
is(sql('cell1', "SELECT count(*) FROM casino.breach WHERE rule = 'taken_back_late' AND entry_no = $gone"), 0,
	'one that stayed is none');
is(join(',', map { join '|', (split /\|/)[0, 1, 4] } grep { !/check_guard/ } split /\n/,
	findings($node, 'cell1')), "check_late_stake|taken_back_late|$black", 'and a difference of the night');
# betting_until is what the cell has: nothing is taken back at or after it
sql('postgres', 'CREATE DATABASE other_hub');
sql('other_hub', 'CREATE EXTENSION casino; CREATE EXTENSION plproxy; SELECT casino.install_hub(4)');
is(sql('other_hub', 'SELECT betting_time FROM casino.hub'), '00:01:00',
	'a hub gives betting a minute where nobody says more (R13.38)');
$world->drop('other_hub');
$round = sql('hub',
	"SELECT casino.open_round($table, 'until', betting_until => clock_timestamp() + interval '1 second')");
my $staked = $world->refused('hub', "SELECT casino.place_bet($round, $p1, 'red\@100', 'until')");
$node->poll_query_until('hub',
	"SELECT clock_timestamp() > betting_until FROM casino.hub_round WHERE round_id = $round") or die;
like(refused('cell1', "SELECT casino.cancel_bet($round, $p1, 'until')"), qr/^KB001/,
	'nothing is taken back after betting_until') if $staked eq '';
sql('hub', "SELECT casino.void_round($round, 'end')");

# ------------------------------------------------------------------ a cell that hangs (R13.37)
my $patience = 'casino_internal.obey_impl(bigint, text, jsonb, boolean, text, bigint, bigint, jsonb,'
  . ' boolean)';
sql('cell1', "ALTER FUNCTION $patience SET lock_timeout = '300ms'");
$round = $world->open('hangs');
$world->stake('hub', $round, $p0, $p1);
my $holder = $node->background_psql('cell1', on_error_stop => 0);
$holder->query_safe("BEGIN; SELECT casino.place_bet($round, $p1, 'red\@100', 'in flight $round')");
my (undef, undef, $warned) = $node->psql('hub', "SELECT casino.close_betting($round)");
my $not_everywhere = 'but not carried out in every cell';
like($warned,
	qr/WARNING:  close_betting is decided, $not_everywhere.*Cell 1: canceling statement due to lock timeout/s,
	'a cell that waits for a lock is given up');
my $waits = qr/it does not answer in time: decision \d+ \(close_betting of table $table\): canceling/;
is(sql('hub', 'SELECT cell, up, problem FROM casino.cell_status WHERE problem IS NOT NULL')
		=~ /^1\|t\|$waits/ ? 1 : 0, 1,
	'the status says with what it waits');
is(sql('hub', "SELECT wagers FROM casino.settle_round($round, '{\"number\": 1}')"), 1,
	'the others are settled');
$holder->query('ROLLBACK');
eval { $holder->quit };
is(sql('hub', 'SELECT cell, waiting, problem FROM casino.catch_up()'), "0|0|\n1|0|",
	'when it goes on it is told the rest');
is(sql('hub', "SELECT wagers, paid FROM casino.settle_round($round, '{\"number\": 1}')"), '2|400.00',
	'and its players are paid');
sql('cell1', "ALTER FUNCTION $patience SET lock_timeout = '10s'");
is($world->judge('hub'), '', 'the books are sound');

# --------------------------------------------- a restored hub and a cell that is away (R13.33)
$round = $world->open('only one knows');
$world->stake('hub', $round, $p0, $p1);
$world->copy_hub('hub', 'hub2', 'casino_hub2');
$world->cut('casino_hub', 'cell1');
is(sql('hub', "SELECT wagers FROM casino.settle_round($round, '{\"number\": 1}')"), 1,
	'settled with one cell, the other is away');
$world->drop('hub');
$world->cut('casino_hub2', 'cell0');
sql('hub2', 'SELECT casino.catch_up()');
like(refused('hub2', "SELECT casino.settle_round($round, '{\"number\": 2}')"), qr/^55000/,
	'a restored hub that reaches only the other one decides nothing');
like(refused('hub2', "SELECT casino.decide_without(' ')"), qr/^22004/,
	'the owner may say that it goes on, with a reason');
is(sql('hub2', q{SELECT casino.decide_without('cell 0 burned')}), '{0}', 'and is told without whom');
is(sql('hub2', "SELECT reason, without, $round = ANY (rounds) FROM casino.hub_takeover"),
	'cell 0 burned|{0}|t', 'it is on record with the rounds that may have ended otherwise there');
my $next = $world->open('while it is lost', $other, 'hub2');
is(sql('hub2', "SELECT status FROM casino.void_round($next, 'end')"), 'voided', 'it decides again');
$world->heal('casino_hub2', 'cell0');
sql('hub2', 'SELECT casino.catch_up()');
is(sql('hub2', "SELECT status, outcome FROM casino.hub_round WHERE round_id = $round"),
	'settled|{"number": 1}',
	'back, the lost cell tells the end of the round that nobody has ended otherwise');
is(sql('hub2', 'SELECT sum(waiting) FROM casino.catch_up()'), 0, 'which the others hear');
is($world->judge('hub2'), '', 'and everything is one');

$node->stop('immediate');
done_testing();
