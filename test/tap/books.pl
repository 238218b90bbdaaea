# Years: a ledger is turned, closed and put away, while limits, withdrawals and nights go on; a table comes
# back from a dump (R12.50 to R12.55). Another clock for the whole server: libfaketime.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play;

my ($library) = grep { -e } glob '/usr/lib/*/faketime/libfaketime.so.1';
plan skip_all => 'libfaketime is not installed' if !$library;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf',
	"timezone = 'Europe/Prague'\nautovacuum = off");
# the last of the days is yesterday
my $today = int(time / 86400);

sub day
{
	my ($ago) = @_;
	my @t = gmtime(($today - $ago) * 86400);
	return sprintf '%04d-%02d-%02d', $t[5] + 1900, $t[4] + 1, $t[3];
}

# The server's clock starts at that hour (UTC) of a day
sub clock
{
	my ($ago, $hour) = @_;
	$node->stop if $node->{_pid};
	local $ENV{LD_PRELOAD} = $library;
	local $ENV{FAKETIME} = '@' . day($ago) . " $hour:00:00";
	local $ENV{TZ} = 'UTC';
	$node->start;
}

sub sql { return $node->safe_psql('postgres', $_[0]) }

sub refused
{
	my ($sql) = @_;
	my ($rc, $out, $err) = $node->psql('postgres', "\\set VERBOSITY verbose\n$sql");
	return $err =~ /(?:ERROR|FATAL):  (\w{5}):/ ? $1 : 'done';
}

# A day's play, a withdrawal, and the night after it
sub played
{
	my ($ago) = @_;
	clock($ago, '20');
	evening($node, 'postgres', day($ago), 1);
	# chips at a table between players
	sql("SELECT casino.open_round(t.table_id, 'chips $ago') AS round FROM casino.game_table t
		  JOIN casino.game g ON g.game = t.game AND g.family = 'texas_holdem' \\gset
		SELECT casino.bring_to_table(:round, 5, 500, 1), casino.bring_to_table(:round, 6, 500, 2);
		SELECT casino.place_bet(:round, 5, 'pot\@20', 'chips $ago', 1),
		       casino.place_bet(:round, 6, 'pot\@20', 'chips $ago', 2);
		SELECT casino.void_round(:round, 'the cards fell')");
	sql("SELECT casino.request_withdrawal(4, 100, 'cash', 'w$ago') AS w \\gset
		SELECT casino.pay_withdrawal(:w, place => 'cash desk', reference => 'r$ago')");
	night($ago);
}

sub night
{
	my ($ago) = @_;
	clock($ago - 1, '05');
	sql("CALL casino.nightly('" . day($ago) . "')");
}

clock(190, '12');
install($node, 'postgres');
outcomes($node, 'postgres');
sql(q{SELECT casino.add_game_table(game, game, 10, 1000) FROM casino.game ORDER BY game;
	SELECT count(casino.deposit(casino.register_player('p' || n), 100000, 'first'))
	  FROM generate_series(1, 8) n;
	-- in the first book alone: a player with a limit, and one whose account is closed later
	SELECT casino.open_round(table_id, 'before') AS round FROM casino.game_table
	 WHERE game = 'roulette_american' \gset
	SELECT casino.deposit(casino.register_player('p9'), 100, 'first') \g /dev/null
	SELECT casino.place_bet(:round, 7, 'even@100', 'before 7'),
	       casino.place_bet(:round, 9, 'even@100', 'before 9');
	SELECT casino.set_limit(8, 'stake', 'day', 5000);
	SELECT casino.place_bet(:round, 8, 'even@100', 'before 8');
	SELECT casino.settle_round(:round, '{"number": 1}');
	SELECT casino.set_limit(2, 'stake', 'day', 50000), casino.set_limit(3, 'net_loss', 'month', 90000)});

# three books
played(190);
sql('SELECT casino.turn_book()');
night(189);
is(sql('SELECT players FROM casino.close_book(1)'), '9', 'book 1 is closed');
night(188);
played(127);
is(refused('SELECT casino.put_away_book(1)'), 'done', 'book 1 is put away');
sql('SELECT casino.turn_book()');
night(126);
is(sql('SELECT players FROM casino.close_book(2)'), '6', 'book 2 is closed');
night(125);
is(refused('SELECT casino.put_away_book(2)'), '55000', 'book 2 is younger than casino.request_memory');
played(64);
# the guide: dumped and dropped
my $dump = $node->backup_dir . '.ledger_1';
$node->command_ok(['pg_dump', '--format=custom', '--table=casino.ledger_1', "--file=$dump",
		$node->connstr('postgres')], 'the table is dumped');
sql('DROP TABLE casino.ledger_1');

# the server dies before COMMIT
my $session = $node->background_psql('postgres', on_error_stop => 0);
$session->query('BEGIN; SELECT casino.put_away_book(2);');
$node->stop('immediate');
$session->{run}->finish;
clock(63, '06');
is(sql('SELECT string_agg(state, $$ $$ ORDER BY book) FROM casino.book'), 'detached closed open',
	'the server died before COMMIT: the book is there');
is(refused('SELECT casino.put_away_book(2)'), 'done', 'book 2 is put away');
# while a transaction uses the ledger
my $reader = $node->background_psql('postgres');
$reader->query_safe('BEGIN; SELECT count(*) FROM casino.ledger WHERE book = 3');
is(refused('SELECT casino.attach_book(2)'), '55P03', 'a transaction that goes on: nothing is moved');
$reader->quit;
played(2);
night(1);

is(sql('SELECT string_agg(state, $$ $$ ORDER BY book) FROM casino.book'), 'detached detached open',
	'two are away');
is(sql('SELECT string_agg(DISTINCT status, $$ $$) FROM casino.reconciliation'), 'clean',
	'every night is clean');
is(sql('SELECT DISTINCT check_name, rule, expected, found, detail FROM casino.difference'),
	'', 'and has no difference');
my ($rc, $out, $err) = $node->psql('postgres', 'SELECT * FROM casino.verify()');
is($out, '', 'verify() finds nothing');
like($err, qr/\d+ entries lie in books that were put away/, 'and says how many it did not see');
is(sql('SELECT casino.rebuild()'), '0', 'rebuild() changes nothing');
is(sql('SELECT sum(balance) FROM casino.trial_balance'), '0.00', 'the trial balance is one');
is(sql('SELECT (SELECT sum(balance) FROM casino.player) = wallets FROM casino.liability(now())'), 't',
	'liability() has the sum of the wallets');
is(sql('SELECT kind, balance FROM casino.statement WHERE player_id = 8 ORDER BY entry_no DESC LIMIT 1'),
	'carried_forward|99900.00', 'a statement of a player who has not played since');
my $yesterday = day(2);
is(refused($_), 'done', "answered: $_")
  for "SELECT * FROM casino.account_movements('$yesterday', '$yesterday')",
  "SELECT * FROM casino.tax_base('$yesterday', '$yesterday')",
  "SELECT casino.night_page('$yesterday', 'en')",
  "SELECT casino.period_page('$yesterday', '$yesterday', 'cs')",
  "SELECT casino.player_page(1, '$yesterday', '$yesterday', 'en')",
  "SELECT * FROM casino.payment_times('$yesterday', '$yesterday')",
  'SELECT * FROM casino.limit_usage(2, now())', 'SELECT casino.round_view(1, 1)',
  'SELECT * FROM casino.protection(now())',
  "SELECT * FROM casino.pot_flow('$yesterday', '$yesterday')", 'SELECT * FROM casino.inactive_accounts()',
  'SELECT casino.game_recall(max(round_id)) FROM casino.round', 'SELECT casino.explain_break(1)',
  "SELECT * FROM casino.balance_statement('$yesterday')";
is(refused($_), '55000', "refused: $_")
  for 'SELECT count(*) FROM casino.ledger', 'SELECT casino.game_recall(1)', 'SELECT casino.proof(1, 1)',
  "SELECT * FROM casino.export_day('" . day(190) . "')",
  "SELECT casino.player_page(1, '" . day(190) . "', '" . day(189) . "', 'en')",
  "SELECT casino.correct_round(min(round_id), NULL, 'wrong') FROM casino.round";

# the day after: everything goes on, by the store and by SQL
sql('CREATE ROLE second LOGIN SUPERUSER');
clock(0, '10');
my $calls = PostgreSQL::Test::Utils::slurp_file("$ENV{TESTDIR}/test/tap/books.sql");
foreach my $store ('on', 'off')
{
	my @setting = ("SET casino.store = $store;", "\\set tag '$store'", "\\set ON_ERROR_STOP 0");
	($rc, $out, $err) = $node->psql('postgres', join("\n", @setting, $calls), on_error_stop => 0);
	is(join("\n", grep { /ERROR/ } split /\n/, $err), '', "calls of a day, casino.store = $store");
}
is(sql("SELECT casino.close_account(9), casino.register_player('p9')"), '|10',
	'an account is closed and opened');
clock(-1, '05');
sql("CALL casino.nightly('" . day(0) . "')");
is(sql('SELECT DISTINCT check_name, rule, expected, found, detail FROM casino.difference'), '',
	'the night after it is clean, too');
is(sql('SELECT casino.rebuild()'), '0', 'and rebuild() changes nothing');

# an inspector asks
is(refused('SELECT casino.attach_book(1)'), '55000', 'the table is not there');
$node->command_ok(['pg_restore', '--dbname=' . $node->connstr('postgres'), $dump],
	'the table comes from its dump');
is(refused('SELECT casino.attach_book(1)'), 'done', 'the first is attached, the second is away');
# R12.130: keys of the first are forgotten while a later book is away, by the store and by SQL alike
is(sql("BEGIN; SET LOCAL casino.store = $_; SELECT casino.deposit(1, 1, 'first') > 100; ROLLBACK"), 't',
	"a key of the first book, casino.store = $_")
  for 'on', 'off';
is(refused('SELECT casino.attach_book(2)'), 'done', 'both are attached');
# R12.130: the first was turned 63 days before the third was opened, the second with its opening
is(sql("BEGIN; SET LOCAL casino.store = $_; SELECT casino.deposit(1, 1, 'first') > 100; ROLLBACK"), 't',
	"a key of the first book, turned long ago, casino.store = $_")
  for 'on', 'off';
is(sql("BEGIN; SET LOCAL casino.store = $_; SELECT casino.request_withdrawal(4, 100, 'cash', 'w127')
		= (SELECT casino.withdrawal_id(player_id, entry_no) FROM casino.ledger
			WHERE player_id = 4 AND request_id = 'w127'); ROLLBACK"), 't',
	"a key of the second is known again, casino.store = $_")
  for 'on', 'off';
is(sql('SELECT count(*) FROM casino_internal.check_guard(current_date, current_date)'), '0',
	'with all their guards');
is(sql("SELECT count(*) > 100 FROM casino.export_day('" . day(190) . "')"), 't', 'the day is exported');
is(sql('SELECT casino.verify_proof(p, d.root) FROM casino.proof(1, 2) p
	JOIN casino.day_seal d ON d.seal_no = (p -> $$seal$$ ->> $$seal_no$$)::bigint'),
	't', 'an entry of it is proved');
is(sql('SELECT count(*) FROM casino.verify()'), '0', 'verify() sees all of it');
is(sql('SELECT casino.rebuild()'), '0', 'and rebuild() changes nothing');
$node->stop;
done_testing();
