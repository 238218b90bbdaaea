# Statements of every PL/pgSQL function fit the tables that are there, also where no test has come by:
# plpgsql_check plans them, on one server and at a hub.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "fsync = off\nautovacuum = off");
$node->start;
plan skip_all => 'plpgsql_check is not installed (Debian: postgresql-15-plpgsql-check)'
	unless $node->safe_psql('postgres',
		q{SELECT count(*) FROM pg_available_extensions WHERE name = 'plpgsql_check'});

# Not faults: a parameter of type record (55000), a function that always raises an error (2F005), a trigger of
# several tables, which asks for TG_TABLE_NAME before it reads a column, and a function that makes the tables
# which it reads.
my $known = q{c.sqlstate IN ('55000', '2F005') OR p.proname IN ('plan_values', 'install_hub')};
my $check = qq{
	SELECT p.oid::regprocedure || ', line ' || coalesce(c.lineno, 0) || ': ' || c.message AS fault
	  FROM pg_proc p
	  JOIN pg_language l ON l.oid = p.prolang AND l.lanname = 'plpgsql'
	  LEFT JOIN LATERAL (SELECT t.tgrelid
	                       FROM pg_trigger t
	                      WHERE t.tgfoid = p.oid
	                      LIMIT 1) t ON true
	 CROSS JOIN LATERAL plpgsql_check_function_tb(p.oid, relid => coalesce(t.tgrelid, 0),
	                                              fatal_errors => false, other_warnings => false,
	                                              extra_warnings => false,
	                                              performance_warnings => false) c
	 WHERE p.pronamespace = ANY (casino_internal.schemas())
	   AND (t.tgrelid IS NOT NULL OR p.prorettype <> 'trigger'::regtype)
	   AND c.level = 'error'
	   AND NOT ($known)
	 ORDER BY 1};
# A function of one kind of database may name tables that only this kind has
sub faults
{
	my ($db) = @_;
	$node->safe_psql($db, 'CREATE EXTENSION plpgsql_check');
	my %of;
	for (split /\n/, $node->safe_psql($db, $check))
	{
		my ($function) = /^(.*?\)), line/;
		push @{ $of{$function} }, $_;
	}
	return \%of;
}

install($node, 'postgres');
my $one = faults('postgres');
# the test can fail
$node->safe_psql('postgres', q{
	CREATE FUNCTION casino.planted(round_id bigint) RETURNS bigint LANGUAGE plpgsql AS
	'BEGIN RETURN (SELECT round_id FROM casino.round r WHERE r.round_id = planted.round_id); END'});
like($node->safe_psql('postgres', $check), qr/planted.*ambiguous/, 'a planted fault is found');
$node->safe_psql('postgres', 'DROP FUNCTION casino.planted(bigint)');

SKIP:
{
	skip 'PL/Proxy is not installed (Debian: postgresql-15-plproxy)', 1
		unless $node->safe_psql('postgres',
			q{SELECT count(*) FROM pg_available_extensions WHERE name = 'plproxy'});
	$node->safe_psql('postgres', 'CREATE DATABASE hub');
	$node->safe_psql('hub', q{CREATE EXTENSION casino;
		CREATE EXTENSION plproxy;
		SELECT casino.install_hub(2)});
	my $hub = faults('hub');
	my @both = grep { $hub->{$_} } sort keys %$one;
	is(join("\n", map { @{ $one->{$_} }, @{ $hub->{$_} } } @both),
		'', 'every function fits the tables of one server, or those of a hub');
}
my @others = grep { !/"casino\.(?:hub|cell)\w*" does not exist|casino(?:_internal)?\.hub_|cell_of/ }
	map { @{ $one->{$_} } } sort keys %$one;
is(join("\n", @others), '', 'on one server only functions of the hub do not fit');

$node->stop;
done_testing();
