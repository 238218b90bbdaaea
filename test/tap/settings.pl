# What a session has set does not change what casino finds, grants, verifies, exports or reports: each setting
# alone, in a session of its own, because bodies of functions are parsed when a session first runs them.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
install($node, 'postgres');
outcomes($node, 'postgres');
my $day = '2026-05-01';
$node->safe_psql('postgres', <<'SQL');
SET casino.clock_skew = -1;
SELECT casino.mark_replay('2000-01-01', '2100-12-31', 'a test');
SELECT casino.add_game_table(game, game, 10, 1000)
  FROM casino.game
  WHERE game IN ('roulette_synot', 'baccarat', 'blackjack_synot', 'holdem_cash_25_50', 'casino_holdem')
  ORDER BY game;
SELECT count(casino.register_player('p' || n)) FROM generate_series(1, 5) n;
SELECT count(casino.deposit(n, 100000, 'first', '2026-05-01 12:00+02')) FROM generate_series(1, 5) n;
SQL
evening($node, 'postgres', $day, 3);
$node->safe_psql('postgres', "CALL casino.nightly('$day')");

# what a session says, and what it leaves in the books
my $asked = <<"SQL";
\\pset format unaligned
\\pset tuples_only on
\\set ON_ERROR_STOP off
SET casino.clock_skew = -1;
CREATE ROLE granted;
DO \$\$ BEGIN
  PERFORM casino.grant_access('granted', p)
     FROM unnest('{backend,nightly,supervisor,cashier,auditor,stream,compliance}'::text[]) p;
END \$\$;
CALL casino.reconcile('$day', '$day');
CREATE TEMP TABLE said AS
SELECT 'granted' AS what,
  pg_catalog.string_agg(g.privilege || ' ' || g.name, ','
    ORDER BY g.privilege COLLATE "C", g.name COLLATE "C") AS it
  FROM casino_internal.granted_objects() g WHERE g.grantee = 'granted'::regrole
UNION ALL
SELECT 'difference',
  pg_catalog.string_agg(pg_catalog.concat_ws('|', d.check_name, d.rule, d.player_id, d.round_id, d.entry_no,
      d.expected, d.found), E'\\n' ORDER BY d.difference_no)
  FROM casino.difference d WHERE d.run_no = (SELECT pg_catalog.max(r.run_no) FROM casino.reconciliation r)
UNION ALL
SELECT 'verify', pg_catalog.string_agg(v::text, E'\\n') FROM casino.verify() v
UNION ALL
SELECT 'export', pg_catalog.string_agg(e, E'\\n' ORDER BY e COLLATE "C") FROM casino.export_day('$day') e
UNION ALL
SELECT 'report',
  pg_catalog.regexp_replace((casino.daily_report('$day') - '{reconciliation,seals,made_at,at}'::text[])::text,
    E'[0-9:.]{12,}', '', 'g')
UNION ALL
SELECT 'page', (pg_catalog.length(casino.daily_report_html('$day')) > 1000)::text
UNION ALL
SELECT 'plans', pg_catalog.encode(casino.plan_digest() || casino.table_digest(), 'hex')
UNION ALL
SELECT 'checked', pg_catalog.string_agg(c::text, ',' ORDER BY c::text)
  FROM casino.game_plan p, casino.check_plan(p.plan_id) c;
SELECT casino.revoke_access('granted');
DROP ROLE granted;
SELECT 'SAID ' || what || ' ' || coalesce(pg_catalog.md5(it), 'nothing') || CASE WHEN what = 'difference'
  THEN ' ' || coalesce(pg_catalog.left(it, 300), '') ELSE '' END FROM said ORDER BY what COLLATE "C";
SQL

sub said
{
	my ($setting, $value) = @_;
	local $ENV{PGOPTIONS} = $setting ? "-c $setting=" . ($value =~ s/([ \\])/\\$1/gr) : '';
	my ($rc, $out, $err) = $node->psql('postgres', $asked);
	return join "\n", grep(/^SAID/, split /\n/, $out // ''), grep(/^psql.*ERROR/, split /\n/, $err // '');
}

my $usual = said();
like($usual, qr/SAID difference nothing/, 'clean books under the usual settings');
unlike($usual, qr/SAID (export|granted|report|plans) nothing/, 'and there is something to compare');
my @settings = (
	[ standard_conforming_strings => 'off' ], [ quote_all_identifiers => 'on' ],
	[ transform_null_equals => 'on' ], [ array_nulls => 'off' ],
	[ DateStyle => 'German' ], [ IntervalStyle => 'sql_standard' ], [ TimeZone => 'Asia/Kathmandu' ],
	[ extra_float_digits => '-15' ],
	[ bytea_output => 'escape' ], [ xmloption => 'document' ], [ search_path => 'public' ],
	[ row_security => 'off' ],
	[ default_transaction_isolation => 'serializable' ], [ 'plpgsql.variable_conflict' => 'use_column' ],
	[ force_parallel_mode => 'on' ]);
for my $s (@settings)
{
	my ($setting, $value) = @$s;
	$setting = 'debug_parallel_query' if $setting eq 'force_parallel_mode' && $node->pg_version->major >= 16;
	is(said($setting, $value), $usual, "$setting = $value");
}
done_testing();
