# pg_dump and restore: plain, custom and data only come out equal, keep triggers and grants, and go on
# working.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
$node->safe_psql('postgres', 'CREATE ROLE backend; CREATE ROLE auditor; CREATE DATABASE origin');
install($node, 'origin');
play($node, 'origin');
# the only one of its cells: it has all players
$node->safe_psql('origin', 'INSERT INTO casino.cell VALUES (0, 1, now())');
$node->safe_psql('origin', <<'SQL');
GRANT USAGE ON SCHEMA casino, casino_internal TO backend, auditor;
GRANT SELECT ON ALL TABLES IN SCHEMA casino TO auditor;
GRANT INSERT (player_id, kind, amount) ON casino.ledger TO backend;
GRANT USAGE ON TYPE casino.bet TO backend;
GRANT EXECUTE ON FUNCTION casino.place_bet, casino.settle_round TO backend;
SQL
is(broken($node, 'origin'), '', 'what was played is sound');
my $rows = fingerprint($node, 'origin', 'rvS');
my $definitions = definitions($node, 'origin');
my @dump = ('--host', $node->host, '--port', $node->port);
my $dir = PostgreSQL::Test::Utils::tempdir();
# moves between cells are a hub's, no win of the play is large, the night alone keeps exact counts, the
# erasure of the play is over, and so is its night
my $empty = join '|', qw(account_move unpaid_winnings own_object bi_large_win kept_return pending_erasure
	unfinished_run);
unlike($rows, qr/^casino\.(?!$empty)\w*\|0\|/m,
	'every table and view has rows to lose')
  or diag join "\n", $rows =~ /^(casino\.\w*\|0\|)/mg;

sub same
{
	my ($to, $db, $how) = @_;
	is(differences($rows, fingerprint($to, $db, 'rvS')), '', "$how: tables, views and sequences are equal");
	is(differences($definitions, definitions($to, $db)), '',
		"$how: so are triggers, constraints, privileges and comments");
	is($to->safe_psql($db, q{SELECT string_agg(DISTINCT tgname, ' ')
		FROM pg_trigger
		WHERE tgrelid = 'casino.ledger'::regclass AND tgenabled = 'A'}),
		'append_only append_only_statement', "$how: the ledger's guards fire always");
	like(error($to, $db, 'SET session_replication_role = replica; DELETE FROM casino.ledger'), qr/^KL001/,
		"$how: and refuse");
	is(work_on($to, $db), $worked, "$how: work goes on");
	is(broken($to, $db), '', "$how: and is sound");
	# roles of this test have more than a profile
	is($to->safe_psql($db, q{SELECT string_agg(g.rule || ' ' || (g.detail ->> 'object'), ', ')
		FROM casino_internal.check_guard('2026-01-01', '2026-01-01') g
		WHERE g.rule <> 'privilege'}), '',
		"$how: functions and views are those that were installed");
}

# plain, into a database of the same server
$node->safe_psql('postgres', "CREATE DATABASE plain");
command_ok(['pg_dump', @dump, '--file', "$dir/plain.sql", 'origin'], 'pg_dump plain');
command_ok(['psql', @dump, '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-1', '-f', "$dir/plain.sql", 'plain'],
	'restored by psql');
same($node, 'plain', 'plain');

# custom, in parallel, into another server with the roles of the first
my $other = PostgreSQL::Test::Cluster->new('other');
$other->init;
$other->start;
my @restore = ('--host', $other->host, '--port', $other->port);
command_ok(['pg_dumpall', @dump, '--roles-only', '--file', "$dir/roles.sql"], 'pg_dumpall of the roles');
# the superuser is there already
$other->run_log(['psql', @restore, '-X', '-q', '-f', "$dir/roles.sql", 'postgres']);
$other->safe_psql('postgres', 'CREATE DATABASE custom');
command_ok(['pg_dump', @dump, '-Fc', '--file', "$dir/custom.dump", 'origin'], 'pg_dump custom');
command_ok(['pg_restore', @restore, '-j2', '-e', '-d', 'custom', "$dir/custom.dump"],
	'pg_restore with two jobs');
same($other, 'custom', 'custom');

# data only: install() has loaded the games, which come with the dump; the triggers that check every row must
# not fire
$node->safe_psql('postgres', "CREATE DATABASE data");
install($node, 'data');
$node->safe_psql('data', 'SELECT casino.turn_book()');      # the books that the dump has entries of
$node->safe_psql('data', <<'SQL');
GRANT USAGE ON SCHEMA casino, casino_internal TO backend, auditor;
GRANT SELECT ON ALL TABLES IN SCHEMA casino TO auditor;
GRANT INSERT (player_id, kind, amount) ON casino.ledger TO backend;
GRANT USAGE ON TYPE casino.bet TO backend;
GRANT EXECUTE ON FUNCTION casino.place_bet, casino.settle_round TO backend;
-- what install() has filled, all of it: the triggers that fire always are put out of action for that
DO $$
DECLARE
    always CONSTANT text[] := ARRAY(
        SELECT format('ALTER TABLE %s %%s TRIGGER %I', t.tgrelid::regclass, t.tgname)
          FROM pg_trigger t
          JOIN pg_class c ON c.oid = t.tgrelid
         WHERE c.relnamespace = 'casino'::regnamespace AND t.tgenabled = 'A');
    command text;
BEGIN
    FOREACH command IN ARRAY always LOOP EXECUTE format(command, 'DISABLE'); END LOOP;
    SET LOCAL session_replication_role = replica;
    EXECUTE
      (SELECT 'TRUNCATE ' || string_agg(c.oid::regclass::text, ', ')
      FROM pg_class c
      WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind = 'r');
    SET LOCAL session_replication_role = origin;
    FOREACH command IN ARRAY always LOOP EXECUTE format(command, 'ENABLE ALWAYS'); END LOOP;
END $$;
SQL
command_ok(['pg_dump', @dump, '--data-only', '--file', "$dir/data.sql", 'origin'], 'pg_dump of the data');
{
	local $ENV{PGOPTIONS} = '-c session_replication_role=replica';
	command_ok(['psql', @dump, '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-1', '-f', "$dir/data.sql", 'data'],
		'restored by psql');
}
# rows of plans that are written make known plans forgotten: these rows come last
{
	local $ENV{PGOPTIONS} = '-c session_replication_role=replica';
	my @known = ('--data-only', '-t', 'casino.kept_plan', '--file', "$dir/kept.sql");
	command_ok(['pg_dump', @dump, @known, 'origin'], 'pg_dump of the known plans');
	my @psql = ('psql', @dump, '-X', '-q', '-v', 'ON_ERROR_STOP=1');
	command_ok([@psql, '-f', "$dir/kept.sql", 'data'], 'and back');
}
same($node, 'data', 'data only');

# the evidence only: state, counters and open withdrawals are made from it as they were
$node->safe_psql('postgres', 'CREATE DATABASE evidence TEMPLATE data');
$node->safe_psql('evidence', <<'SQL');
CREATE TABLE was_player AS TABLE casino.player;
CREATE TABLE was_limit AS TABLE casino.limit_state;
CREATE TABLE was_open AS TABLE casino.open_withdrawal;
SET session_replication_role = replica;
UPDATE casino.player SET balance = 0, last_entry_no = 0, last_posted_at = '-infinity', last_round_id = NULL,
       sequence_started_at = NULL, previous_round_id = NULL,
       previous_sequence_started_at = NULL, excluded_until = NULL, limited = false;
DELETE FROM casino.limit_state; DELETE FROM casino.open_withdrawal;
SQL
is($node->safe_psql('evidence', 'SELECT casino.rebuild() > 5'), 't', 'restored without state: rebuild()');
is($node->safe_psql('evidence', <<'SQL'), '', 'makes what was there');
SELECT p
  FROM casino.player p
  FULL JOIN was_player w ON w.player_id = p.player_id
  WHERE p.* IS DISTINCT FROM w.*;
SELECT p
  FROM casino.limit_state p
  FULL JOIN was_limit w ON w.player_id = p.player_id
  WHERE p.* IS DISTINCT FROM w.*;
SELECT p
  FROM casino.open_withdrawal p
  FULL JOIN was_open w ON (w.player_id, w.entry_no) = (p.player_id, p.entry_no)
  WHERE p.* IS DISTINCT FROM w.*;
SQL
is(broken($node, 'evidence'), '', 'and is sound');

# the tables keep the extension
like(error($node, 'plain', 'DROP EXTENSION casino'), qr/^2BP01/, 'DROP EXTENSION without CASCADE is refused');
is($node->safe_psql('plain', 'SELECT count(*) > 20 FROM casino.ledger'), 't', 'and nothing is gone');
is($node->safe_psql('plain', 'SELECT casino.install()'), '1', 'install() again changes nothing');
is(broken($node, 'plain'), '', 'nothing at all');

# tables of an ordinary role: its indexes call functions that it must be allowed to execute, so that rights
# come first, as the guide says it (doc/operations.md, "How do I dump and restore?")
$node->safe_psql('postgres', 'CREATE ROLE house LOGIN; CREATE DATABASE owned');
$node->safe_psql('owned', "CREATE EXTENSION casino; SELECT casino.give_to('house')");
$node->safe_psql('owned', <<'SQL');
SET ROLE house;
SELECT casino.install();
SELECT casino.grant_access('auditor', 'auditor');
SELECT casino.add_game_table('roulette_synot', 'R', 10, 1000),
       casino.deposit(casino.register_player('x'), 100, 'd');
SQL
$node->safe_psql('postgres',
	"ALTER DATABASE owned OWNER TO house; ALTER DATABASE owned SET casino.operator = 'House'");
my $owned = fingerprint($node, 'owned', 'rvS');
my $owned_definitions = definitions($node, 'owned');
my $file = "$dir/owned.dump";
command_ok(['pg_dump', @dump, '--username', 'house', '--format=custom', '--file', $file, 'owned'],
	'the owner dumps');
$node->safe_psql('postgres', 'ALTER DATABASE owned RENAME TO owned_before');
my @again = ('pg_restore', @dump, '--exit-on-error');
command_ok([@again, '--create', '--section=pre-data', '--dbname=postgres', $file],
	'restored: definitions and rights');
command_ok([@again, '-j2', '--section=data', '--section=post-data', '--dbname=owned', $file],
	'then rows, indexes and triggers');
is(differences($owned, fingerprint($node, 'owned', 'rvS')), '',
	'ordinary owner: tables, views and sequences are equal');
is(differences($owned_definitions, definitions($node, 'owned')), '',
	'ordinary owner: so are triggers, constraints, privileges and comments');
is($node->safe_psql('owned', 'SHOW casino.operator'), 'House', 'and the settings of the database');
is($node->safe_psql('owned', 'SET ROLE house; SELECT casino.install(), casino.store_in_use()'), '1|t',
	'install() finds all in order');

$other->stop;
$node->stop;
done_testing();
