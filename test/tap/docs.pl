# The examples of README.md and the guides print what is recorded there; the demo prints demo/demo.out.
# Each entry of the pages of questions names profiles, arguments, codes, reasons and links that are there.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('docs');
$node->init;
$node->start;
$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;
$ENV{PGDATABASE} = 'postgres';
delete $ENV{PGAPPNAME};

my $output = `tools/examples 2>&1`;
is($?, 0, 'examples and demo print what is recorded') or diag($output);
cmp_ok(scalar(() = $output =~ /^ok /mg), '>=', 10, 'there are examples');
note($output);

$node->safe_psql('postgres', 'CREATE DATABASE questions');
$node->safe_psql('questions', 'CREATE EXTENSION casino; SELECT casino.install()');
$ENV{PGDATABASE} = 'questions';
my $held = `tools/questions 2>&1`;
is($?, 0, 'all names on the pages of questions are there') or diag($held);
note($held);
$node->stop;
done_testing();
