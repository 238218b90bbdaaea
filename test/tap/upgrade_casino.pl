# ALTER EXTENSION casino UPDATE and install(), rehearsed with a toy 1.1 (Toy.pm).
# The database of 1.0 has played, closed books, sealed days and open rounds.
# Sessions play while it is upgraded. The log says which calls wait for install(), and how long.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time);
use Play;
use Toy;

my $dir = PostgreSQL::Test::Utils::tempdir();
my $node = PostgreSQL::Test::Cluster->new('main');
sub old { return $node->safe_psql('played', @_) }
$node->init;
Toy::prepare($dir, $node);
$node->start;

# ---------------------------------------- 1.0
$node->safe_psql('postgres', "CREATE DATABASE $_")
  for 'played', 'fresh';
$node->safe_psql('postgres', 'CREATE ROLE backend; CREATE ROLE auditor');
install($node, 'played');
my $rights = q{SELECT casino.grant_access('backend', 'backend'),
	casino.grant_access('auditor', 'compliance'), casino.publish()};
old($rights);
old(<<'SQL');
SET casino.clock_skew = -1;
SELECT casino.add_game_table(game, game, 10, 1000) FROM casino.game ORDER BY game;
SELECT count(casino.register_player('p' || n)) FROM generate_series(1, 7) n;
SELECT count(casino.deposit(n, 100000, 'first',
                            casino.prague_day(now()) - 4 + time '12:00' AT TIME ZONE 'Europe/Prague'))
  FROM generate_series(1, 7) n;
SQL
outcomes($node, 'played');
my @days = split /\n/, old('SELECT casino.prague_day(now()) - n FROM unnest(ARRAY[3, 2, 1]) n');
for my $day (@days)
{
	evening($node, 'played', $day, 1);
	# the last day is closed by 1.1
	old("CALL casino.nightly('$day')") if $day ne $days[2];
	old('SELECT casino.turn_book()');
}
my $nights = q{SELECT string_agg(r.status, ' ' ORDER BY r.run_no) FROM casino.reconciliation r};
is(old($nights), 'clean clean', 'two clean nights of 1.0');
my $seals = 'SELECT casino.seal_document(seal_no) FROM casino.day_seal ORDER BY seal_no';
my $documents = old($seals);
my $export = "SELECT md5(string_agg(p::text, chr(10))) FROM casino.export_day('$days[1]') p";
my $exported = old($export);
my $open = old(q{SELECT casino.open_round(table_id, 'over the upgrade')
	FROM casino.game_table WHERE game = 'roulette_american'});

# casino-verify knows nothing of this database: it accepts by the files alone
my $make = $ENV{MAKE} || 'make';
is(system("$make -s casino-verify >&2"), 0, 'casino-verify is built') or BAIL_OUT('no casino-verify');
sub exported
{
	my ($name, $sql) = @_;
	open my $fh, '>', "$dir/$name" or die $!;
	print $fh old($sql), "\n";
	close $fh or die $!;
	return "$dir/$name";
}
sub accepted
{
	my $out = `./casino-verify @_ 2>&1`;
	return $? >> 8 ? $out : 'accepted';
}
my @files = (exported('seals', $seals),
	map { exported($_, "SELECT casino.export_day('$days[$_]')") } 0, 1);
is(accepted(@files), 'accepted', 'casino-verify accepts what 1.0 exports');

sub catalog { return Toy::catalog($node, @_) }
my $old = catalog('played');

my $to = Toy::deliver();

# ---------------------------------------- broken off
# the server dies before the COMMIT, in the first and in the second statement's transaction
sub broken_off
{
	my ($sql, $meanwhile) = @_;
	my $session = $node->background_psql('played', on_error_stop => 0);
	my $began = time;
	$session->query("BEGIN; $sql");
	note(sprintf '%s: %.0f ms', $sql, 1000 * (time() - $began));
	$meanwhile->() if $meanwhile;
	$node->stop('immediate');
	$session->{run}->finish;
	$node->start;
}
broken_off("ALTER EXTENSION casino UPDATE$to; SELECT casino.install();");
is(differences($old, catalog('played')), '',
	'the server died before COMMIT of UPDATE and install(): all is as it was');
old("ALTER EXTENSION casino UPDATE$to");
is(old("SELECT casino.place_bet($open, 6, 'red\@100', 'between')"), '2',
	'between UPDATE and install() play goes on');
# Which calls wait for an install() that is not committed, for the log and doc/operations.md
my %call = (
	'a stake' => "SELECT casino.place_bet($open, 6, 'red\@10', 'meanwhile')",
	'a deposit' => q{SELECT casino.deposit(6, 10, 'meanwhile')},
	'an opening' => q{SELECT casino.open_round(table_id, 'meanwhile')
		FROM casino.game_table WHERE game = 'baccarat'},
	'a close of betting' => "SELECT casino.close_betting($open)",
	'a settlement' => qq{SELECT casino.settle_round($open, '{"number": 1}')},
	'a person' => q{SELECT casino.register_player('meanwhile')},
	'a balance' => 'SELECT balance FROM casino.player WHERE player_id = 6',
	'a statement' => 'SELECT count(*) FROM casino.ledger WHERE player_id = 6',
	'a quote' => q{SELECT * FROM casino.quote('roulette_american', '{red@10}', '{"number": 1}')});
sub what_waits
{
	for my $what (sort keys %call)
	{
		my $said = error($node, 'played', "SET lock_timeout = '1s'; BEGIN; $call{$what}; ROLLBACK");
		note(sprintf '%s while install() is not committed: %s', $what,
			$said =~ /^55P03/ ? 'waits' : $said || 'goes on');
	}
	note('locked against writing: ' . old(q{
		SELECT string_agg(l.relation::regclass || ' ' || l.mode, ', ' ORDER BY l.relation::regclass::text)
		FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
		WHERE c.relkind = 'r' AND c.relnamespace = 'casino'::regnamespace AND l.granted
		  AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')}));
}
broken_off('SELECT casino.install();', \&what_waits);
is(old('SELECT max(version) FROM casino.schema_version'), '1',
	'the server died before COMMIT of install(): its step is not taken');

# ---------------------------------------- while sessions play
my ($one, $two) = map { $node->background_psql('played') } 1, 2;
# they know the tables of 1.0
is($one->query("SELECT casino.place_bet($open, 6, 'even\@100', 'before')"), '3', 'a session plays');
is($two->query("SELECT casino.place_bet($open, 7, 'even\@100', 'before')"), '2', 'another one, too');
# one is in the middle of a stake; install() waits for it, a stake that comes then waits for install()
$one->query_safe("BEGIN; SELECT casino.place_bet($open, 6, 'low\@100', 'during');");
my $upgrade = $node->background_psql('played');
sub waiting
{
	$node->poll_query_until('postgres', qq{SELECT count(*) = $_[0] FROM pg_stat_activity
		WHERE datname = 'played' AND wait_event_type = 'Lock'}) or die;
}
$upgrade->query_until(qr/asked/, "\\echo asked\nSELECT casino.install();\n");
waiting(1);
$two->query_until(qr/asked/, "\\echo asked\nSELECT casino.place_bet($open, 7, 'low\@100', 'during');\n");
waiting(2);
$one->query_safe('COMMIT');
my $free = time;
is($upgrade->query('SELECT 1'), "2\n1", 'install() waited for the stake under way and returns the version');
is($two->query('SELECT 1'), "3\n1",
	'the stake that came meanwhile waited for install(), and is placed');
note(sprintf 'the stake waited %.0f ms after the one under way was committed', 1000 * (time() - $free));
$upgrade->quit;

is(($one->query("SELECT casino.place_bet($open, 6, 'high\@100', 'after')"))[0], '5',
	'a session of before goes on');
is($two->query("SELECT casino.place_bet($open, 7, 'even\@100', 'before')"), '2',
	'a request of before is answered');
is($two->query("SELECT s.status, s.paid FROM casino.settle_round($open, '{\"number\": 1}') s"),
	'settled|600.00', 'the round that was open is settled');
$_->quit for $one, $two;

# ---------------------------------------- 1.1
install($node, 'fresh');
outcomes($node, 'fresh');
# rights are taken back and given again
old(q{SELECT casino.revoke_access(r) FROM unnest('{backend,auditor}'::name[]) r});
$node->safe_psql($_, $rights) for qw(played fresh);
is(differences(catalog('fresh'), catalog('played')), '', 'the catalog is that of a fresh 1.1');
like(differences($old, catalog('played')), qr/^\+ column player\.toy\|/m,
	'which is another one than that of 1.0');
is(old('SELECT casino.store_in_use()'), 'f', 'a column that the C code does not know: it writes by SQL');
is(old('SELECT casino.install()'), '2', 'install() again');
is(differences(catalog('fresh'), catalog('played')), '', 'changes nothing');
is(old(q{SELECT string_agg(value, ' ' ORDER BY valid_from) FROM casino.duty_period
	WHERE name = 'stuck_round'}), '1 h 2 h', 'the figure has its next version');
is(old('SELECT count(*) FROM casino.verify(NULL, NULL)'), '0', 'verify() finds nothing');
is(old($seals), $documents, 'the documents of the seals are the same');
is(old($export), $exported, 'an exported day is the same, byte for byte');

old("CALL casino.nightly('$days[2]')");
is(old($nights), 'clean clean clean', 'the night of 1.1 over a day of 1.0 is clean');
is(old('SELECT count(*) FROM casino.verify(NULL, NULL)'), '0', 'its seal follows those of 1.0');
is(accepted(@files), 'accepted', 'casino-verify accepts what 1.0 exported');
is(accepted(exported('seals', $seals), @files[1, 2], exported(2, "SELECT casino.export_day('$days[2]')")),
	'accepted', 'and, with it, what 1.1 exports');
my $today = q{SELECT c.check_name, x::text FROM casino.reconciliation_checks() c,
	query_to_xml(format('SELECT f.* FROM %1$s(%2$L, %2$L) f', c.function, casino.prague_day(now())),
	             true, true, '') x WHERE x::text <> ''};
is(old($today), '', 'the day of the upgrade is clean');
old('SELECT casino.rebuild()');
is(broken($node, 'played'), '', 'and sound after rebuild()');
like(old("SET session_replication_role = replica;
	UPDATE casino.player SET toy = -1 WHERE player_id = 7; $today"),
	qr/^toy\|.*<found>-1</s, 'the new check finds a planted fault');

# ---------------------------------------- no way back
like(error($node, 'played', "ALTER EXTENSION casino UPDATE TO '1.0'"),
	qr/^22023: .*no update path from version "1\.1" to version "1\.0"/,
	'a downgrade of the extension is refused');
like(error($node, 'played', 'INSERT INTO casino.schema_version VALUES (3, now()); SELECT casino.install()'),
	qr/^55000: the tables of casino have version 3, this extension knows up to 2/,
	'an extension older than its tables is refused, too');
$node->stop;
done_testing();
