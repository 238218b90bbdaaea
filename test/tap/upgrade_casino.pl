# ALTER EXTENSION casino UPDATE and install(), rehearsed with a toy 1.1 that is made of the script as it is:
# a column in a hot table, a changed function, a next version of a figure of the duties, a check of the night.
# The database of 1.0 has played, closed books, sealed days and open rounds.
# Sessions play while it is upgraded.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play;

my $dir = PostgreSQL::Test::Utils::tempdir();
my $node = PostgreSQL::Test::Cluster->new('main');
sub old { return $node->safe_psql('played', @_) }
sub content { return slurp_file($_[0]) }
sub written
{
	my ($name, $text) = @_;
	open my $fh, '>', $name or die "$name: $!";
	print $fh $text;
	close $fh or die $!;
}

# ---------------------------------------- the toy
my $script = content("$ENV{TESTDIR}/casino--1.0.sql");
my $toy = $script;
# Puts a text in place of another one, which must be there
sub change
{
	my ($was, $is) = @_;
	my $at = index $toy, $was;
	$at >= 0 or die "no $was";
	substr($toy, $at, length $was) = $is;
}
change('newest CONSTANT integer := 1;', 'newest CONSTANT integer := 2;');
change("    IF present < newest THEN\n", <<'SQL' . "    IF present < newest THEN\n");
    IF present < 2 THEN
        PERFORM casino_internal.install_toy();
        INSERT INTO casino.schema_version VALUES (2, clock_timestamp());
    END IF;
SQL
change("('adjust_amount', 'finish_amount')", "('adjust_amount', 'finish_amount', 'toy_amount')");
change("('provider_late', NULL)\n", "('provider_late', NULL), ('toy', NULL)\n");
my $new = <<'SQL';
CREATE FUNCTION casino_internal.install_toy() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    ALTER TABLE casino.player ADD COLUMN toy integer;
    COMMENT ON COLUMN casino.player.toy IS 'A number that must not be below zero';
    PERFORM casino_internal.put_duty_rule('stuck_round', '2 h', clock_timestamp() + interval '1 day',
                                 'a toy', 'a test');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_toy() IS 'Part of casino.install(): the toy';
CREATE FUNCTION casino_internal.check_toy(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY SELECT 'toy'::text, p.player_id, NULL::bigint, NULL::bigint, '0'::text, p.toy::text,
                        '{}'::jsonb
                   FROM casino.player p
                  WHERE p.toy < 0;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_toy(date, date) IS 'Part of casino.reconcile(): the toy';
SQL
change("\nCREATE FUNCTION casino_internal.check_follow(",
	"\n$new\nCREATE FUNCTION casino_internal.check_follow(");

# The script of the upgrade replaces changed functions. Settings and rights of new functions are those that
# the script of the version gives them.
my $update = qq{\\echo Use "ALTER EXTENSION casino UPDATE" to load this file. \\quit\n}
  . "SET LOCAL search_path = pg_catalog, pg_temp;\n$new";
for my $changed ('install\(\)', 'duty_value_fits\(', 'reconciliation_checks\(')
{
	my ($text) = $toy =~ /^(CREATE FUNCTION casino(?:_internal)?\.$changed.*?)^COMMENT ON/ms
	  or die "no function $changed";
	$update .= $text =~ s/^CREATE FUNCTION/CREATE OR REPLACE FUNCTION/r;
}
$update .= <<'SQL';
DO $do$
BEGIN
    PERFORM casino_internal.revoke_public();
    PERFORM casino_internal.pin_settings();
END
$do$;
SQL

# Debian's servers look for extensions in a folder that a setting names: a copy of ours; others have a tree of
# their own
my ($destdir) = content($ENV{TEMP_CONFIG}) =~ /^extension_destdir = '(.*)'/m;
$node->init;
my $folder = $node->config_data('--sharedir') . '/extension';
if ($destdir)
{
	system('cp', '-a', $destdir, "$dir/stage") == 0 or die;
	$node->append_conf('postgresql.conf', "extension_destdir = '$dir/stage'");
	$folder = "$dir/stage$folder";
}
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

# Everything of the schema but the books of the ledger, of which an old database has more: the parts that the
# guard of the night compares, privileges and comments, members of the extension
sub catalog
{
	my ($db) = @_;
	my $all = definitions($node, $db) . "\n" . $node->safe_psql($db, <<'SQL');
SELECT * FROM casino_internal.code_objects() ORDER BY 1;
SELECT * FROM casino_internal.schema_objects() ORDER BY 1;
SELECT 'member', pg_describe_object(d.classid, d.objid, 0)
  FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
 WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND e.extname = 'casino' ORDER BY 2;
SELECT 'comment', p.oid::regprocedure, obj_description(p.oid, 'pg_proc') FROM pg_proc p
 WHERE p.pronamespace = ANY (casino_internal.schemas()) ORDER BY 2;
SQL
	return join "\n", grep { !/\bledger_\d/ } split /\n/, $all;
}
my $old = catalog('played');

written("$folder/casino--1.1.sql", $toy);
written("$folder/casino--1.0--1.1.sql", $update);
my $to = " TO '1.1'";
if ($destdir)
{
	my $control = content("$folder/casino.control");
	$control =~ s/^default_version.*$/default_version = '1.1'/m or die;
	unlink "$folder/casino.control";
	written("$folder/casino.control", $control);
	$to = '';
}

# ---------------------------------------- broken off
# the server dies before the COMMIT, in the first and in the second statement's transaction
sub broken_off
{
	my ($sql) = @_;
	my $session = $node->background_psql('played', on_error_stop => 0);
	$session->query("BEGIN; $sql");
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
broken_off('SELECT casino.install();');
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
is($upgrade->query('SELECT 1'), "2\n1", 'install() waited for the stake under way and returns the version');
is($two->query('SELECT 1'), "3\n1",
	'the stake that came meanwhile waited for install(), and is placed');
$upgrade->quit;

is(($one->query("SELECT casino.place_bet($open, 6, 'high\@100', 'after')"))[0], '5',
	'a session of before goes on');
is($two->query("SELECT casino.place_bet($open, 7, 'even\@100', 'before')"), '2',
	'a request of before is answered');
is($two->query("SELECT s.status, s.paid FROM casino.settle_round($open, '{\"number\": 1}') s"),
	'settled|600.00', 'the round that was open is settled');
$_->quit for $one, $two;

# ---------------------------------------- 1.1
install($node, 'fresh') if $destdir;
$node->safe_psql('fresh', "CREATE EXTENSION casino VERSION '1.1'; SELECT casino.install()") if !$destdir;
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
