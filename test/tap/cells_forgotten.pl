# A hub lets go of decisions on rounds that ended long ago, and of the answers (R12.71): when every cell has
# answered and sealed them, and nothing sooner.  A call after that is refused or answered by the cells' books.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Cells;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "jit = off\nmax_connections = 100\nautovacuum = off");
$node->start;
plan skip_all => 'PL/Proxy is not installed (Debian: postgresql-15-plproxy)' unless available($node);
my $world = Cells::World->new($node);
my ($p0, $p1) = $world->players;
my $table = $world->table;
sub sql { return $world->sql(@_) }
sub refused { return $world->refused(@_) }
sub kept { return sql('hub', "SELECT count(*) FROM casino.hub_decision WHERE round_id = $_[0]") }
sub answers { return sql('hub', "SELECT count(*)
	FROM casino.hub_answer JOIN casino.hub_decision USING (decision_no) WHERE round_id = $_[0]") }
sub entries { return join '; ', map { sql($_, q{
	SELECT string_agg(concat_ws(' ', player_id, entry_no, kind, amount, round_id),
		',' ORDER BY player_id, entry_no) FROM casino.ledger}) } qw(cell0 cell1) }
# a seal of today, which casino.seal() makes only when the day is over; the hub asks for its day and its time,
# less five seconds for clocks that differ
sub seal
{
	my ($cell) = @_;
	sql($cell, q{ALTER TABLE casino.day_seal DISABLE TRIGGER USER;
		INSERT INTO casino.day_seal
		SELECT coalesce(max(seal_no), 0) + 1, casino.prague_day(clock_timestamp()),
			clock_timestamp() + interval '5 seconds', 0, 0, decode(repeat('00', 32), 'hex'),
			decode(repeat('00', 32), 'hex'), clock_timestamp(), (SELECT min(recorded_by) FROM casino.ledger)
		  FROM casino.day_seal;
		ALTER TABLE casino.day_seal ENABLE TRIGGER USER});
}
sub remember
{
	sql('postgres', "ALTER DATABASE hub SET casino.request_memory = '$_[0]'");
	$world->idle('hub');
}
sub catch_up { return sql('hub', 'SELECT cell, up, waiting, problem FROM casino.catch_up()') }
sub play
{
	my ($name, $how, $at) = @_;
	my $round = $world->open($name, $at);
	$world->stake('hub', $round, $p0, $p1);
	sql('hub', sprintf $how, $round) if $how;
	return $round;
}
my $settle = q{SELECT casino.settle_round(%d, '{"number": 1}')};

$world->snapshot('cell1');
my $settled = play('settled', $settle);
my $voided = play('voided', q{SELECT casino.void_round(%d, 'the ball left the wheel')});
my $withheld = play('withheld', q{SELECT casino.settle_round(%d, '{"number": 1}', withhold => true)});
my $corrected = play('corrected', $settle);
sql('hub', "SELECT casino.reject_correction(
	casino.correct_round($corrected, '{\"number\": 3}', 'misread'), 'it was not')");
my @ended = ($settled, $voided);
my @others = ($withheld, $corrected);
my $per_round = kept($settled);
is($per_round, 3, 'opened, closed, settled: three decisions');
is(answers($settled), 6, '... each with the answers of two cells');

# ---------------------------------------------------------------------------- nothing sooner
remember('0');
catch_up();
is(kept($settled), 3, 'no cell has sealed the day: kept');
seal('cell0');
catch_up();
is(kept($settled), 3, 'one cell has not sealed it: kept');
seal('cell1');
remember('62d');
catch_up();
is(kept($settled), 3, 'both have; a repetition may come for 62 days yet: kept');
my $away = play('away');
$world->cut('casino_hub', 'cell1');
sql('hub', sprintf $settle, $away);
remember('0');
catch_up();
is(kept($settled), 3, 'a cell is away: nothing goes');
$world->heal('casino_hub', 'cell1');
like(refused('hub', "DELETE FROM casino.hub_decision WHERE round_id = $settled"), qr/^KL001/,
	'nobody removes a decision by hand');

# ----------------------------------------------------------------------- a crash in the middle
sql('hub', q{CREATE TRIGGER zz_forget AFTER UPDATE ON casino.hub_round FOR EACH ROW
	WHEN (NEW.forgotten_at IS NOT NULL AND OLD.forgotten_at IS NULL) EXECUTE FUNCTION public.hold('forget')});
$world->hold('hub', 'forget');
my $books = entries();
my $run = $world->background('hub', 'SELECT casino.catch_up()');
$world->waits('hub');
$world->restart;
$world->finish($run);
is(join(' ', map { kept($_) } @ended), '3 2', 'killed while it lets go of them: all are there');
is(sql('hub', 'SELECT count(*) FROM casino.hub_round WHERE forgotten_at IS NOT NULL'), 0,
	'... and no round is marked');
$world->let_go('hub');
# a session that decides on the table at that moment is not waited for
my $busy = $node->background_psql('hub');
$busy->query_safe("BEGIN; SELECT casino_internal.take_lock('hub table $table')");
catch_up();
is(kept($settled), 3, 'somebody decides on the table: another time');
$busy->query_safe('ROLLBACK');
$busy->quit;

# --------------------------------------------------------------------------------- they are gone
like(catch_up(), qr/^0\|t\|0\|\n1\|t\|0\|$/, 'catch_up() goes on');
is(join(' ', map { kept($_) . answers($_) } @ended), '00 00',
	'R12.71: ended, answered, sealed, old: decisions and answers are gone');
is(join(' ', map { kept($_) } @others), '3 5', 'withheld or corrected: kept');
is(kept($away), 3, 'answered after the seal: kept');
is(sql('hub', 'SELECT count(*) FROM casino.hub_decision WHERE round_id IS NULL'), 1, 'tables are kept');
is(sql('hub', "SELECT status FROM casino.hub_round WHERE round_id = $settled"), 'settled',
	'the round itself is kept');

# ------------------------------------------------------------------------------- a late repetition
my $before = entries();
my $gone = qr/^55000: what was decided on round \d+ is no longer kept at the hub/;
my %refused = (
	'opened' => "casino.open_round($table, 'settled 1')", 'closed' => "casino.close_betting($settled)",
	'settled' => "casino.settle_round($settled, '{\"number\": 1}')",
	'void' => "casino.void_round($voided, 'the ball left the wheel')",
	'paid' => "casino.pay_withheld($settled)", 'dealt' => "casino.last_deal($settled)",
	'dealing' => "casino.deal($settled, '{}')",
	'correcting' => "casino.correct_deal($settled, '{}', 'x', wagers_stand => true)");
like(refused('hub', "SELECT $refused{$_}"), $gone, "$_ again: refused") for sort keys %refused;
like(refused('hub', "SELECT casino.settle_round($settled, '{\"number\": 2}')"), qr/^KR002/,
	'another outcome: the cells know better');
like(refused('hub', "SELECT casino.void_round($settled, 'x')"), qr/^KR002/,
	'void: they know that it is settled');
is(sql('hub', "SELECT casino.place_bet($settled, $_, 'red\@100', 's$settled')"),
	sql("cell" . $_ % 2, "SELECT entry_no FROM casino.ledger
		WHERE player_id = $_ AND request_id = 's$settled'"),
	"a stake of $_ again: the answer of the cell's own books") for $p0, $p1;
is(entries(), $before, 'none of it has posted anything');
like(sql('hub', 'SELECT casino.catch_up(\'-infinity\')'), qr/0,t/, 'all that is kept is told again');
is(entries(), $before, '... and posts nothing');
is($world->judge('hub', 'quick'), '', 'hub and cells agree');
like(sql('hub', "SELECT casino.correct_round($settled, '{\"number\": 3}', 'the wheel was misread')"),
	qr/^\d+$/, 'its result can still be corrected');
is(kept($settled), 1, '... which is a decision of its own');
like(refused('hub', "DELETE FROM casino.hub_decision WHERE round_id = $settled"), qr/^KL001/,
	'... and stays, though the round was forgotten');
# A hub that takes over withdraws decisions that no cell has obeyed.  Those of the round are not there any
# more.
my $is = "SELECT status, outcome FROM casino.hub_round WHERE round_id = $settled";
like(sql('hub', "BEGIN;
		UPDATE casino.hub_answer a
		   SET answered_at = NULL
		  FROM casino.hub_decision d
		 WHERE d.decision_no = a.decision_no
		   AND d.round_id = $settled;
		SELECT casino_internal.hub_withdraw();
		$is;
		ROLLBACK"),
	qr/^settled\|\{"number": 1\}$/m, 'R13.34: a proposal is withdrawn: the round remains as it ended');
like(sql('hub', "BEGIN;
		SELECT casino_internal.hub_write_decision('approve_correction', $table, $settled, a, 'x')
		  FROM unnest(ARRAY['{\"outcome\": {\"number\": 3}}', '{\"reason\": \"x\"}']::jsonb[]) a;
		$is;
		SELECT casino_internal.hub_withdraw();
		$is;
		ROLLBACK"),
	qr/^voided\|\{"number": 3\}\n\nsettled\|\{"number": 1\}$/m,
	'... and with two corrections withdrawn it has its first result again');

# The same with a hub that takes over, and then one that was put back to before the correction.
my $correction = sql('hub', "SELECT max(decision_no) FROM casino.hub_decision WHERE round_id = $settled");
$node->safe_psql('postgres', 'CREATE ROLE second LOGIN');
sql('hub', q{SELECT casino.grant_access('second', 'supervisor')});
sql('hub', "SELECT casino_internal.hub_write_decision('approve_correction', $table, $settled,
	d.arguments || jsonb_build_object('proposal', $correction, 'at', clock_timestamp()), 'second')
	FROM casino.hub_decision d WHERE d.decision_no = $correction");
is(sql('hub', $is), 'settled|{"number": 3}', 'an approval is written, and no cell hears of it');
sql('hub', 'UPDATE casino.hub SET timeline = -1');
like(catch_up(), qr/^0\|t\|0\|\n1\|t\|0\|$/, 'a hub takes over');
is(sql('hub', $is), 'settled|{"number": 1}', 'R13.34: the approval is withdrawn, the round is as it ended');
$world->snapshot('hub');
is(sql('hub', "SET SESSION AUTHORIZATION second;
	SELECT status, wagers, staked, paid FROM casino.approve_correction($correction)"),
	'settled|2|200.00|400.00', 'it is approved by a second person');
$world->put_back('hub');
like(refused('hub', 'SELECT casino.catch_up()'), qr/^55000: .*restored from a dump/,
	'a hub from before the approval');
sql('hub', 'SELECT casino.install_hub()');
like(catch_up(), qr/^0\|t\|0\|\n1\|t\|0\|$/, '... takes over');
is(sql('hub', $is), 'settled|{"number": 3}', 'R13.46: and learns it for a round that it has forgotten');
is(kept($settled), 3, '... the proposal, the approval that was withdrawn and the one that it learned');
is($world->judge('hub', 'quick'), '', 'hub and cells agree');

# ---------------------------------------------------------------- a cell put back too far
my $later = play('later', undef);
sql('hub', sprintf $settle, $later);
sql('postgres', 'ALTER DATABASE cell1 RENAME TO cell1_now');
sql('postgres', 'ALTER DATABASE cell1_snapshot RENAME TO cell1');
$world->heal($_, 'cell1') for qw(casino_hub game);
$world->idle('hub');
my $old = qr/^1\|f\|\d+\|it was put back to before what this hub can tell again \(table $table\)/m;
like(catch_up(), $old, 'R12.71: it cannot be told again, and is taken for down');
like(catch_up(), $old, '... each time');
like(sql('hub', 'SELECT problem FROM casino.cell_status WHERE cell = 1'), qr/later backup/,
	'cell_status says what to do');
my $alone = $world->open('alone');
sql('hub', sprintf $settle, $alone);
is(sql('cell1', "SELECT count(*) FROM casino.round WHERE round_id IN ($settled, $alone)"), 0,
	'it is told nothing meanwhile');
is(sql('cell0', "SELECT status FROM casino.round WHERE round_id = $alone"), 'settled', 'the others go on');
$world->idle('hub');
$world->idle('cell1');
sql('postgres', 'DROP DATABASE cell1');
sql('postgres', 'ALTER DATABASE cell1_now RENAME TO cell1');
$world->heal($_, 'cell1') for qw(casino_hub game);
like(catch_up(), qr/^1\|t\|0\|$/m, 'from a later backup it is told the decisions that it missed');
is($world->judge('hub', 'quick'), '', 'hub and cells agree again');
done_testing();
