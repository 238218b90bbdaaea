# A database of which a book is away: dumped and restored, on a standby, published, and through pg_upgrade.
# Questions that need the book are refused there, too, others are answered, play goes on, and the book can be
# attached (R12.50 to R12.55).
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(allows_streaming => 'logical');
$node->append_conf('postgresql.conf', "timezone = 'Europe/Prague'\nautovacuum = off");
$node->start;
install($node, 'postgres');
sub sql { my ($at, $db, $sql) = @_; return $at->safe_psql($db, "SET client_min_messages = error; $sql") }
sub code
{
	my ($at, $db, $sql) = @_;
	my ($rc, $out, $err) = $at->psql($db, "\\set VERBOSITY sqlstate\n$sql");
	return $err =~ /(?:ERROR|FATAL):  (\w{5})/ ? $1 : 'done';
}
sql($node, 'postgres', q{SELECT casino.add_game_table('roulette_american', 'one', 10, 5000);
	SELECT casino.deposit(casino.register_player('p' || n), 1000, 'first') FROM generate_series(1, 3) n;
	SELECT casino.open_round(1, 'one');
	SELECT casino.place_bet(1, 1, 'red@100', 'a'), casino.place_bet(1, 2, 'black@100', 'a');
	SELECT casino.settle_round(1, '{"number": 1}');
	SELECT casino.turn_book();
	SELECT casino.deposit(1, 7, 'second');
	SELECT casino.seal(casino.prague_day(now()) - 1), casino.close_book(1);
	SELECT casino.seal(casino.prague_day(now()));
	SELECT casino.publish();
	SET casino.request_memory = 0;
	SELECT casino.put_away_book(1)});

# the first call of a session, which has not loaded the module
is(code($node, 'postgres', $_), 'KL005', "dated back: $_")
  for q{SELECT casino.set_duty_rule('adjust_amount', '100', '2020-01-01', '7', 'rules')};
# R12.153: a setting of the module that the session has set before it is loaded. The clerk has the owner's
# rights without being a superuser.
sql($node, 'postgres', 'CREATE ROLE clerk LOGIN; GRANT postgres TO clerk');
foreach my $call (q{SELECT casino.set_duty_rule('adjust_amount', '100', '2020-01-01', '7', 'rules')},
	q{SELECT casino.set_provider_setting('live', '2020-01-01', 86400)},
	q{INSERT INTO casino.cage_count (desk, count_no, counted_at, counted, moved, recorded_at)
		VALUES ('A', 1, clock_timestamp() + interval '1 day', 0, 0, clock_timestamp())})
{
	foreach my $skew (5, -1, 1000000)
	{
		my (undef, undef, $err) = $node->psql('postgres',
			"\\set VERBOSITY sqlstate\nSET casino.clock_skew = $skew;\n$call",
			extra_params => [ '-U', 'clerk' ]);
		like($err, qr/ERROR:  KL005/, "R12.153: $skew s, set by the session: $call");
	}
}
is(sql($node, 'postgres', q{SELECT (SELECT count(*) FROM casino.duty_rule WHERE document = 'rules')
	+ (SELECT count(*) FROM casino.provider_setting) + (SELECT count(*) FROM casino.cage_count)}), 0,
	'... and nothing is written');
sql($node, 'postgres', 'DROP ROLE clerk');

# A session that finds the ledger such as the store cannot use it knows its books, too: player 1's entry 4 has
# the key 'second', the next one is 5. Book 1 is away, so that its keys are forgotten (R12.130).
foreach my $change ('ALTER TABLE casino.ledger ENABLE ROW LEVEL SECURITY',
	'CREATE RULE also AS ON UPDATE TO casino.ledger DO ALSO NOTHING',
	'CREATE TABLE public.rest PARTITION OF casino.ledger DEFAULT',
	'ALTER INDEX casino.book_turn_pkey RENAME TO turns')
{
	is(sql($node, 'postgres', qq{BEGIN; $change;
		SELECT casino.deposit(1, 7, 'second'), casino.deposit(1, 100, 'first'), casino.last_book_away();
		ROLLBACK}), '4|5|1', $change);
	is(code($node, 'postgres', qq{BEGIN; $change;
		ALTER TABLE casino.ledger DETACH PARTITION casino.ledger_away;
		SELECT casino.deposit(1, 7, 'second'); ROLLBACK}), '55000', '... and that one is missing');
}

# What a database of which book 1 is away says and does. pg_upgrade writes functions anew, and the guard sees
# when one is printed in another way: here the version of the server stays, which tells the guard so.
my $n = 0;
sub right
{
	my ($at, $db, $how) = @_;
	is(sql($at, $db, 'SELECT string_agg(state || entries, $$ $$ ORDER BY book) FROM casino.book'),
		'detached6 open3', "$how: one book is away");
	is(sql($at, $db, q{SELECT string_agg(kind || balance, ' ' ORDER BY entry_no)
		FROM casino.statement WHERE player_id = 1}), 'carried_forward1100.00 deposit1107.00',
		'... a statement begins with the balance');
	is(code($at, $db, $_), '55000', "... refused: $_")
	  for 'SELECT count(*) FROM casino.ledger', 'SELECT * FROM casino.wager WHERE round_id = 1',
	  'SELECT casino.game_recall(1)';
	is(sql($at, $db, 'SELECT count(*) FROM casino.verify()'), '0', '... verify() finds nothing');
	is(code($at, $db, 'SELECT casino.install()'), 'done', '... install() finds all in order');
	is(sql($at, $db, q{SELECT string_agg(g.rule || ' ' || (g.detail ->> 'object'), ', ')
		FROM casino_internal.check_guard(current_date, current_date) g
		 WHERE g.rule <> 'privilege' AND g.detail ->> 'object' !~ '^body of '}), '',
		'... the guard finds nothing');
	is(sql($at, $db, 'SELECT casino.store_in_use(), casino.rebuild()'), 't|0', '... the store is in use');
	$n++;
	is(sql($at, $db, qq{BEGIN; SELECT casino.open_round(1, 'more $n') AS r \\gset
		SELECT casino.place_bet(:r, 1, 'red\@100', 'more $n') \\g /dev/null
		SELECT casino.place_bet(:r, 1, 'red\@100', 'more $n') \\g /dev/null
		SELECT wagers, paid FROM casino.settle_round(:r, '{"number": 1}'); ROLLBACK}), '1|200.00',
		'... a round is played');
	is(code($at, $db, "BEGIN; SELECT casino.turn_book(); SELECT casino.deposit(2, 5); ROLLBACK"), 'done',
		'... a book is turned');
	sql($at, $db, 'SELECT casino.attach_book(1)');
	is(sql($at, $db, 'SELECT count(*) FROM casino.ledger')
		  . sql($at, $db, 'SELECT count(*) FROM casino.verify()')
		  . sql($at, $db, 'SELECT count(casino.game_recall(1))'), '901', '... attached, it is all there');
	sql($at, $db, 'SET casino.request_memory = 0; SELECT casino.put_away_book(1)');
}

# ----------------------------------------------------------------------------- publication, standby
is(sql($node, 'postgres', q{SELECT string_agg(tablename, ' ' ORDER BY tablename) FROM pg_publication_tables
	WHERE pubname = 'casino'}), 'ledger round', 'published: the ledger under its own name');
sql($node, 'postgres', q{SELECT pg_create_logical_replication_slot('s', 'pgoutput')});
sql($node, 'postgres', q{SELECT casino.deposit(3, 3, 'told'); SELECT casino.adjust(3, -3, 'taken back')});
is(sql($node, 'postgres', q{SELECT count(*) FROM pg_logical_slot_get_binary_changes('s', NULL, NULL,
	'proto_version', '1', 'publication_names', 'casino') WHERE get_byte(data, 0) = ascii('I')}), '2',
	'... its new entries are told');
sql($node, 'postgres', q{SELECT pg_drop_replication_slot('s')});
$node->backup('away');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'away', has_streaming => 1);
$standby->start;
$node->wait_for_catchup($standby);
is(code($standby, 'postgres', 'SELECT count(*) FROM casino.ledger'), '55000', 'a standby refuses, too');
is(sql($standby, 'postgres', 'SELECT kind FROM casino.statement WHERE player_id = 2'), 'carried_forward',
	'... and answers');
$standby->stop;

# -------------------------------------------------------------------------------------- dump, restore
my $dump = $node->backup_dir . '.away';
$node->command_ok(['pg_dump', '-Fc', "--file=$dump", $node->connstr('postgres')], 'pg_dump');
sql($node, 'postgres', 'CREATE DATABASE restored');
$node->command_ok(['pg_restore', '-e', @$_, '--dbname=' . $node->connstr('restored'), $dump],
	"pg_restore @$_")
  for ['--section=pre-data'], ['-j2', '--section=data', '--section=post-data'];
sub entries { return sql($node, $_[0], 'SELECT md5(string_agg(e::text, $$,$$ ORDER BY player_id, entry_no))
	FROM casino.carried_entry e') }
is(entries('restored'), entries('postgres'), 'the same entries');

# -------------------------------------------------------------------------------------- pg_upgrade
$node->stop;
my $new = PostgreSQL::Test::Cluster->new('new');
$new->init;
$new->append_conf('postgresql.conf', "timezone = 'Europe/Prague'\nautovacuum = off");
my $bin = $node->config_data('--bindir');
chdir PostgreSQL::Test::Utils::tempdir() or die;
command_ok(['pg_upgrade', '--no-sync', '--old-datadir', $node->data_dir, '--new-datadir', $new->data_dir,
		'--old-bindir', $bin, '--new-bindir', $bin, '--socketdir', $new->host, '--old-port', $node->port,
		'--new-port', $new->port], 'pg_upgrade, to the same version');
chdir $ENV{TESTDIR} or die;
$new->start;
right($new, $_, "pg_upgrade, $_") for 'postgres', 'restored';
$new->stop;
done_testing();
