# A version 1.1 of casino that is made of the script as it is, for rehearsals of an upgrade: a column in a hot
# table, changed functions, a new argument of a function that players call, a next version of a figure of the
# duties, a check of the night.
# It has no new section of leaves: their layouts are a table in C (src/core/evidence/leaf_layouts.c), which
# the library and casino-verify share. A toy with a section would be another library, and all databases of the
# server would load it. upgrade_casino.pl shows that casino-verify accepts the exports of 1.0 and of the toy.
package Toy;
use strict;
use warnings;
use PostgreSQL::Test::Utils;
use Play;

sub written
{
	my ($name, $text) = @_;
	open my $fh, '>', $name or die "$name: $!";
	print $fh $text;
	close $fh or die $!;
}

# The script of 1.1 and the script from 1.0 to it
sub scripts
{
	my $toy = slurp_file("$ENV{TESTDIR}/casino--1.0.sql");
	# Puts a text in place of another one, which must be there
	my $change = sub {
		my ($was, $is) = @_;
		my $at = index $toy, $was;
		$at >= 0 or die "no $was";
		substr($toy, $at, length $was) = $is;
	};
	$change->('newest CONSTANT integer := 1;', 'newest CONSTANT integer := 2;');
	$change->("    IF present < newest THEN\n", <<'SQL' . "    IF present < newest THEN\n");
    IF present < 2 THEN
        PERFORM casino_internal.install_toy();
        INSERT INTO casino.schema_version VALUES (2, clock_timestamp());
    END IF;
SQL
	$change->("('adjust_amount', 'finish_amount')", "('adjust_amount', 'finish_amount', 'toy_amount')");
	$change->("('provider_late', NULL)\n", "('provider_late', NULL), ('toy', NULL)\n");
	# a new argument comes last and has a default
	my $types = 'bigint, bigint, casino.bet, text, integer, integer, timestamptz';
	my ($stake) = $toy =~ /^(CREATE FUNCTION casino\.place_bet\(.*?)^CREATE FUNCTION/ms
	  or die 'no place_bet()';
	my $was = $stake;
	$stake =~ s/at timestamptz DEFAULT NULL\)/at timestamptz DEFAULT NULL, toy text DEFAULT NULL)/ or die;
	$stake =~ s/\($types\)/($types, text)/ or die;
	$change->($was, $stake);
	my $new = <<'SQL';
CREATE FUNCTION casino_internal.install_toy() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    ALTER TABLE casino.player ADD COLUMN toy integer;
    COMMENT ON COLUMN casino.player.toy IS 'A number that must not be below zero';
    PERFORM casino_internal.put_duty_rule('stuck_round', '2 h', '2100-01-01', 'a toy', 'a test');
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
	$change->("\nCREATE FUNCTION casino_internal.check_follow(",
		"\n$new\nCREATE FUNCTION casino_internal.check_follow(");

	# The script of the upgrade replaces changed functions. Settings and rights of new functions are those
	# that the script of the version gives them.
	my $update = qq{\\echo Use "ALTER EXTENSION casino UPDATE" to load this file. \\quit\n}
	  . "SET LOCAL search_path = pg_catalog, pg_temp;\n$new";
	for my $changed ('install\(\)', 'duty_value_fits\(', 'reconciliation_checks\(')
	{
		my ($text) = $toy =~ /^(CREATE FUNCTION casino(?:_internal)?\.$changed.*?)^COMMENT ON/ms
		  or die "no function $changed";
		$update .= $text =~ s/^CREATE FUNCTION/CREATE OR REPLACE FUNCTION/r;
	}
	# It is another function for the server: who may call the old one may call this one.
	$update .= <<"SQL";
DO \$do\$
DECLARE
    callers CONSTANT regrole[] := ARRAY (
        SELECT a.grantee
          FROM pg_proc p
         CROSS JOIN aclexplode(p.proacl) a
         WHERE p.oid = 'casino.place_bet($types)'::regprocedure AND a.grantee NOT IN (0, p.proowner));
    caller regrole;
BEGIN
    DROP FUNCTION casino.place_bet($types);
    $stake
    REVOKE ALL ON FUNCTION casino.place_bet FROM PUBLIC;
    FOREACH caller IN ARRAY callers LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION casino.place_bet TO %s', caller);
    END LOOP;
END
\$do\$;
SQL
	$update .= <<'SQL';
DO $do$
BEGIN
    PERFORM casino_internal.revoke_public();
    PERFORM casino_internal.pin_settings();
END
$do$;
SQL
	return ($toy, $update);
}

# Debian's servers look for extensions in a folder that a setting names: a copy of ours; others have a tree of
# their own. Before the servers start
my ($folder, $destdir);
sub prepare
{
	my ($dir, @nodes) = @_;
	($destdir) = slurp_file($ENV{TEMP_CONFIG}) =~ /^extension_destdir = '(.*)'/m;
	$folder = $nodes[0]->config_data('--sharedir') . '/extension';
	return if !$destdir;
	system('cp', '-a', $destdir, "$dir/stage") == 0 or die;
	$_->append_conf('postgresql.conf', "extension_destdir = '$dir/stage'") for @nodes;
	$folder = "$dir/stage$folder";
}

# The files of 1.1 come. Returns the rest of ALTER EXTENSION: in a tree that others use the version of the
# control file stays 1.0
sub deliver
{
	my ($toy, $update) = scripts();
	written("$folder/casino--1.1.sql", $toy);
	written("$folder/casino--1.0--1.1.sql", $update);
	if (!$destdir)
	{
		$Play::version = " VERSION '1.1'";
		return " TO '1.1'";
	}
	my $control = slurp_file("$folder/casino.control");
	$control =~ s/^default_version.*$/default_version = '1.1'/m or die;
	unlink "$folder/casino.control";
	written("$folder/casino.control", $control);
	return '';
}

# Everything of the schema but the books of the ledger, of which an old database has more: the parts that the
# guard of the night compares, privileges and comments, members of the extension
sub catalog
{
	my ($node, $db) = @_;
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

1;
