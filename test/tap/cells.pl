# A hub and its cells: what one server does they do, whatever is sent twice, refused or missing somewhere.
# long: an evening three times over
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use IPC::Run ();
use Time::HiRes qw(sleep time);
use Play;
use Cells;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "fsync = off\njit = off\nmax_connections = 100");
$node->start;
plan skip_all => 'PL/Proxy is not installed (Debian: postgresql-15-plproxy)' unless available($node);

my @cells = qw(cell0 cell1 cell2);
make_hub($node, 'hub', 4);

# --------------------------------------------------- a cell is looked at before it is taken in
my $conninfo = sprintf 'host=%s port=%s dbname=', $node->host, $node->port;
sub refusal
{
	my ($sql, $db) = @_;
	my (undef, undef, $err) = $node->psql($db // 'hub', "\\set VERBOSITY verbose\n$sql");
	return $err;
}
like(refusal("SELECT casino.add_cell(0, '${conninfo}nowhere')"),
	qr/08006.*cell 0 cannot be taken in: it does not answer.*become_cell\(0, 4\)/s,
	'add_cell: a cell that is not there');
like(refusal("SELECT casino.add_cell(4, '${conninfo}cell0')"), qr/22023.*from 0 to 3/,
	'add_cell: a number that there is not');
like(refusal("SELECT casino.add_cell(0, '${conninfo}cell0 user=postgres')"), qr/22023.*must not name a user/,
	'add_cell: no user in conninfo');
like(refusal("SELECT casino.add_cell(0, '${conninfo}cell0 $_')"),
	qr/22023.*must not name a user or a password/, "add_cell: no $_")
	for 'sslpassword=x', 'application_name=user=x', 'password = x';
like(refusal("SELECT casino.add_cell(0, 'postgresql://game:x\@localhost/cell0')"), qr/22023.*not a URI/,
	'add_cell: no URI, which may have a password in it');
like(refusal("SELECT casino.install_hub(conninfo => '${conninfo}hub sslpassword=x')"),
	qr/22023.*must not name/, 'install_hub: nor there');
like(refusal("SELECT casino.install_hub(conninfo => '${conninfo}template1')"),
	qr/08006.*does not reach itself.*leads to another database/s, 'install_hub: the hub must reach itself');
like(refusal("SELECT casino.install_hub(conninfo => '${conninfo}nowhere')"),
	qr/08006.*does not reach itself.*nowhere/s, 'install_hub: at all');
is($node->safe_psql('hub',
	q{SELECT count(*) FROM pg_foreign_server WHERE array_to_string(srvoptions, ' ') ~ 'query_timeout'}), 0,
	'no time ends a long settlement at the hub, which would be sent again and again');
like(error($node, 'hub', q{SELECT casino.register_player('a')}), qr/^55000: no cell takes new persons/,
	'a hub without cells registers nobody');
make_cell($node, $_, $_ =~ /(\d)/, 4) for @cells;
like(refusal("SELECT casino.add_cell(1, '${conninfo}cell0')"), qr/55000.*it is cell 0 of 4, not cell 1 of 4/,
	'add_cell: another cell');
$node->safe_psql('cell0', 'GRANT EXECUTE ON FUNCTION casino.settle_round TO game');
like(refusal("SELECT casino.add_cell(0, '${conninfo}cell0')"),
	qr/55000.*calls of the hub are open to others there: game may call casino.settle_round\(\)/,
	'add_cell: who else could settle');
$node->safe_psql('cell0', 'REVOKE EXECUTE ON FUNCTION casino.settle_round FROM game');
$node->safe_psql('cell0',
	q{SELECT casino.add_plan_version('baccarat', now() + interval '1 year', 'another one')});
like(refusal("SELECT casino.add_cell(0, '${conninfo}cell0')"), qr/55000.*plan versions are not the hub's/,
	'add_cell: other plans');
$node->safe_psql('cell0',
	q{DELETE FROM casino.paytable p USING casino.game_plan g
		WHERE g.plan_id = p.plan_id AND g.document = 'another one';
	DELETE FROM casino.bet_rule p USING casino.game_plan g
		WHERE g.plan_id = p.plan_id AND g.document = 'another one';
	DELETE FROM casino.plan_rule p USING casino.game_plan g
		WHERE g.plan_id = p.plan_id AND g.document = 'another one';
	DELETE FROM casino.announced_rule p USING casino.game_plan g
		WHERE g.plan_id = p.plan_id AND g.document = 'another one';
	DELETE FROM casino.game_plan WHERE document = 'another one'});
add_cell($node, 'hub', $_, $node, "cell$_") for 0 .. 2;
add_cell($node, 'hub', 2, $node, 'cell2');
is($node->safe_psql('hub', 'SELECT cell, up, problem, waiting, refused, same_plans FROM casino.cell_status'),
	join("\n", map { "$_|t||0|0|t" } 0 .. 2), 'three cells are up and fit');
is($node->safe_psql('hub', q{SELECT casino.cell_of(7), casino.cell_of_withdrawal(6000000003)}), '3|2',
	'whose a number is is arithmetic');

# --------------------------------------------------------------------- one evening, one ledger
install($node, 'postgres');
my $evening = evening(7);
sub play_evening
{
	my ($db, $hub, $role) = @_;
	my ($rc, $out, $err) = $node->psql($db,
		"\\set hub $hub\n" . ($role ? "SET ROLE $role;\n" : '')
		. "SET client_min_messages = warning;\n$evening", on_error_stop => 0);
	return ($out, join "\n", grep { /ERROR|WARNING/ } split /\n/, $err);
}
my ($one, $one_err) = play_evening('postgres', 0);
my ($many, $many_err) = play_evening('hub', 1);
is($one_err, '', 'the evening on one server meets no error');
is($many_err, '', 'nor through the hub');
is(differences($one, $many), '', 'the hub gives the answers of one server');
my $ledger = ledger($node, 'postgres');
cmp_ok(scalar(split /\n/, $ledger), '>', 300, 'there is a ledger to compare');
is(differences($ledger, ledger($node, @cells)), '', 'and the ledgers of the cells are that of one server');
is($node->safe_psql('postgres',
	'SELECT count(DISTINCT game) FROM casino.round JOIN casino.game_table USING (table_id)'), 16,
	'all sixteen games were played');
is(broken($node, $_), '', "$_ is sound") for @cells;
cmp_ok($node->safe_psql($_, 'SELECT count(*) FROM casino.player WHERE balance <> 20000'), '>=', 3,
	"$_ had its share of them") for @cells;
# PL/Proxy's sums are those of one server
my $today = q{(now() AT TIME ZONE 'Europe/Prague')::date};
my $figures = "SELECT * FROM casino.all_trial_balance();
	SELECT game, table_name, rounds_settled, rounds_voided, wagers, staked, won, returned, ggr, hold
	FROM casino.all_daily_table($today - 1, $today)
	ORDER BY 1, 2;
	SELECT game, sum(stakes), sum(returned), sum(winnings), sum(base)
		FROM casino.tax_base($today - 1, $today)
		GROUP BY 1
		ORDER BY 1;
	SELECT * FROM casino.account_movements($today - 1, $today);
	SELECT * FROM casino.liability();
	SELECT count(*) FROM casino.all_open_rounds();
	SELECT external_ref, sum(staked) FROM casino.person_day($today - 1, $today) GROUP BY 1 ORDER BY 1";
is($node->safe_psql('hub', $figures), $node->safe_psql('postgres', $figures),
	'the figures of all cells together are those of one server');
# R9.52: a round and the limits of a table are asked at the hub, wherever the players are
sub recalls
{
	my ($db, $rounds) = @_;
	return $node->safe_psql($db, qq{
		SELECT r.name, r.round_ref, g -> 'round' ->> 'status', g -> 'round' ->> 'wagers',
		       g -> 'round' ->> 'players', g -> 'round' ->> 'staked', g -> 'round' ->> 'paid',
		       jsonb_array_length(g -> 'deals'),
		       -- players have other numbers in the cells
		       regexp_replace((g -> 'document')::text, '"players?": ([[][0-9, ]*[]]|[0-9]+)', '"player"',
		           'g'),
		       (SELECT string_agg(x.wager, ', ' ORDER BY x.wager)
		          FROM (SELECT concat_ws(' ', w ->> 'bet', w ->> 'seat', w ->> 'hand', w ->> 'staked',
		                                 w ->> 'status', w ->> 'grade', w ->> 'payout') AS wager
		                  FROM jsonb_array_elements(g -> 'wagers') w) x),
		       (SELECT string_agg(b, ' ' ORDER BY b) FROM jsonb_object_keys(g -> 'plan' -> 'bets') b),
		       (SELECT string_agg(concat_ws(' ', c ->> 'side', c ->> 'seat', c ->> 'hand', c ->> 'cards'),
		           ', '
		                          ORDER BY c ->> 'side', c ->> 'seat', c ->> 'hand', c ->> 'cards')
		          FROM jsonb_array_elements(g -> 'cards') c),
		       g -> 'plan' ->> 'plan_id' = casino.plan_in_force(g -> 'table' ->> 'game', now())::text,
		       jsonb_array_length(g -> 'disconnections'), jsonb_array_length(g -> 'versions'),
		       (l.min_stake, l.max_stake, l.seats, l.surrender, l.limits)
		  FROM (SELECT * FROM $rounds) r
		 CROSS JOIN LATERAL casino.game_recall(r.round_id) g
		 CROSS JOIN LATERAL casino.table_limits_at(r.table_id) l
		 ORDER BY 1, 2});
}
my $recalled = recalls('postgres', 'casino.round JOIN casino.game_table USING (table_id)');
is(differences($recalled, recalls('hub', 'casino.hub_round JOIN casino.hub_table USING (table_id)')), '',
	'R9.52: recalls of all rounds and limits of all tables at the hub are those of one server');
cmp_ok(scalar(() = $recalled =~ /^[^|]+\|[^|]+\|settled/mg), '>=', 16, 'rounds were settled');
# who won from whom, and who sat together: in one cell, found through the hub (R7.94, R7.95)
my $together = "SELECT 'flow', loser_ref, winner_ref, rounds, amount, back
		  FROM casino.pot_flow($today - 1, $today)
		 ORDER BY 2, 3;
	SELECT 'pair', least(ref_a, ref_b), greatest(ref_a, ref_b), rounds, same_seat
	  FROM casino.played_together($today - 1, $today, 1)
	 ORDER BY 2, 3";
my $by_one_server = $node->safe_psql('postgres', $together);
is($node->safe_psql('hub', $together), $by_one_server,
	'R7.94, R7.95: players who play together, through the hub');
like($by_one_server, qr/^flow.*^pair/ms, 'there are such players');
# the hub has no players: an answer from its own tables would be a wrong one
like(error($node, 'hub', "SELECT * FROM casino.$_"), qr/^0A000/,
	"a hub refuses $_, instead of giving no rows")
	for 'shared_accounts()', "check_days($today, $today)", "payment_times($today, $today)",
	"night_page($today)", "period_page($today, $today)", 'round_page(1)';
my $page = "SELECT casino.player_page(4, $today, $today, 'en') ~ '<html'";
is($node->safe_psql('hub', $page), 't', 'the page of a player is that of the cell');
my ($round) = map { $node->safe_psql($_, 'SELECT min(round_id) FROM casino.wager WHERE player_id = 4') || () }
	@cells;
is($node->safe_psql('hub', "SELECT casino.player_round_page(4, $round, 'en') ~ '<html'"), 't',
	'R9.70: ... and of the part of a round');
# all sixteen games: no player's part names another one who was there
is($node->safe_psql('postgres', q{
	WITH part AS MATERIALIZED (
		SELECT w.player_id, w.round_id, casino.player_round_page(w.player_id, w.round_id, 'en') AS page
		  FROM (SELECT DISTINCT player_id, round_id FROM casino.wager) w)
	SELECT count(*) > 60, count(*) FILTER (WHERE page !~ own.external_ref),
	       count(*) FILTER (WHERE EXISTS (SELECT FROM casino.wager o
	                                        JOIN casino.player p USING (player_id)
	                                       WHERE o.round_id = part.round_id
	                                         AND o.player_id <> part.player_id
	                                         AND page ~ ('\m' || p.external_ref || '\M')))
	  FROM part JOIN casino.player own USING (player_id)}), 't|0|0',
	'R9.70: a part names its player, and no other one');
my $files = q{SELECT e.ref, jsonb_array_length(casino.person_file(e.ref) -> 'accounts')
	  FROM unnest(ARRAY(SELECT external_ref FROM casino.person_day(}
	. "$today - 1, $today) ORDER BY 1)) e (ref)";
is($node->safe_psql('hub', $files), $node->safe_psql('postgres', $files),
	'R7.89: files of persons, through the hub');
is($node->safe_psql('hub', "SELECT casino.all_report($today) -> 'rounds_that_differ'"), '[]',
	'every round ended alike in every cell');

# everything twice and three times: by who sent it, and by the hub
my $before = join "\n", map { fingerprint($node, $_, 'r') } @cells;
for my $time (2, 3)
{
	my ($again, $err) = play_evening('hub', 1);
	my ($one_again) = play_evening('postgres', 0);
	is($err, '', "the evening sent a ${time}th time meets no error");
	is(differences($one_again, $again), '', 'and gets the answers of one server to a repetition');
	is($node->safe_psql('hub', q{SELECT cell, up, waiting, problem FROM casino.catch_up('-infinity')}),
		"0|t|0|\n1|t|0|\n2|t|0|", 'every decision told once more is answered');
	is(differences($ledger, ledger($node, @cells)), '', 'the ledgers are the same');
}
is(differences($before, join "\n", map { fingerprint($node, $_, 'r') } @cells), '',
	'and so is every row of every table of the cells');

# ---------------------------------------- mistakes of a caller are what they are on one server
$node->safe_psql('hub',
	q{CREATE TABLE public.call AS
  SELECT p.oid::regprocedure::text AS f, p.proname, u.n, u.name, format_type(t.type, NULL) AS type
  FROM casino.hub_routes() r
  JOIN pg_proc p ON p.pronamespace = ANY (casino_internal.schemas())
    AND p.proname = r.name
    AND r.route IN ('player', 'read', 'withdrawal', 'split')
 CROSS JOIN LATERAL unnest(p.proargtypes::oid[]) WITH ORDINALITY t (type, n)
 CROSS JOIN LATERAL (SELECT t.n, p.proargnames[t.n] AS name) u});
my @mistakes = split /\n/, $node->safe_psql('hub', q{
  SELECT format('casino.%I(%s)', c.proname, string_agg(format('%I => %s', c.name, CASE
	WHEN c.name IN ('player_id', 'id') THEN w.who
	WHEN c.name = 'player_ids' THEN format('ARRAY[%s]::bigint[]', w.who)
	WHEN c.name = 'bets' AND c.proname = 'place_many' THEN w.bets
	WHEN c.type = 'casino.bet[]' THEN '''{red@10}''' WHEN c.type = 'casino.bet' THEN '''red@10'''
	WHEN c.name IN ('request_ids', 'seats', 'hands', 'at') THEN 'NULL'
	WHEN c.name IN ('seat', 'hand') THEN 'NULL'
	WHEN c.type = 'numeric' THEN '5' WHEN c.type = 'bigint' THEN '1' WHEN c.type = 'integer' THEN '1'
		WHEN c.type = 'text' THEN '''x'''
	WHEN c.type = 'timestamp with time zone' THEN 'NULL' WHEN c.type = 'date' THEN '''2026-01-01'''
		ELSE 'NULL' END), ', ' ORDER BY c.n))
    FROM public.call c
    CROSS JOIN (VALUES ('NULL', '''{red@10}'''), ('1007', '''{red@10}'''), ('-1', '''{red@10}'''),
        ('0', '''{red@10}'''), ('9223372036854775807', '''{red@10}'''),
	('1', '''{red@10,black@10}'''), ('1', 'NULL'), ('1', '''{{red@10},{black@10}}''')) w (who, bets)
   WHERE c.proname = 'place_many' OR w.bets = '''{red@10}'''
   GROUP BY c.f, c.proname, w.who, w.bets ORDER BY c.proname, w.who, w.bets});
sub codes
{
	my ($db) = @_;
	my $sql = join '', map { "SELECT * FROM $_;\n\\echo $_ :SQLSTATE\n" } @mistakes;
	my (undef, $out) = $node->psql($db, "\\set VERBOSITY sqlstate\nBEGIN;\n\\set ON_ERROR_ROLLBACK on\n$sql",
		on_error_stop => 0);
	return join "\n", grep { /^casino\./ } split /\n/, $out;
}
cmp_ok(scalar(@mistakes), '>=', 100,
	'every function that goes to one cell is called for nobody and for players that there are not');
my ($by_one, $through) = map { codes($_) } qw(postgres hub);
# for nobody the hub asks first who it is, where one server may look at other arguments before
$_ = join "\n",
	grep { !/=> NULL.* (?:22004|22023|23502|55000|00000)$/ || !/_id => NULL|\(id => NULL/ } split /\n/
	for $by_one, $through;
is(differences($by_one, $through), '', 'the hub answers with the SQLSTATEs of one server');

# Decisions of the hub: one argument is wrong, the others are right.  Calls that one server accepts are left
# out: a hub takes nothing back.
$node->safe_psql($_, q{SELECT casino.open_round(casino.add_game_table('roulette_american', 'mistakes', 10,
	5000),
	'mistakes')}) for qw(postgres hub);
my @wrong = split /\n/, $node->safe_psql('hub', <<'SQL');
WITH a AS (SELECT p.proname, t.n, p.proargnames[t.n] AS name, format_type(t.type, NULL) AS type
             FROM casino.hub_routes() r
             JOIN pg_proc p ON p.pronamespace = ANY (casino_internal.schemas()) AND p.proname = r.name
            CROSS JOIN LATERAL unnest(p.proargtypes::oid[]) WITH ORDINALITY t (type, n)
            WHERE r.route IN ('hub', 'claim')
              -- a hub numbers tables and rounds itself
              AND (p.proname, p.proargnames[t.n]) NOT IN (('add_game_table', 'table_id'), ('open_round',
              	'round_id'))),
good (name, value) AS (VALUES
    ('round_id', ':r'), ('table_id', ':t'), ('game', $$'roulette_american'$$), ('name', $$'x'$$),
    ('min_stake', '10'), ('max_stake', '100'), ('options', $$'{}'$$), ('round_ref', $$'x'$$),
    ('outcome', $$'{"number": 1}'$$), ('partial_outcome', $$'{"number": 1}'$$), ('cards',
    	$$'{"number": 1}'$$),
    ('reason', $$'x'$$), ('wagers_stand', 'false'), ('seat', '1'), ('external_ref', $$'a'$$),
    ('correction_no', '1'), ('claim_no', '1'), ('waived', 'false'), ('withhold', 'false'),
    ('value', $$'1'$$), ('paragraph', $$'x'$$), ('document', $$'x'$$)),
bad (type, value) AS (VALUES
    ('bigint', 'NULL'), ('bigint', '0'), ('bigint', '-1'), ('bigint', '9223372036854775807'),
    ('text', 'NULL'), ('text', $$''$$), ('text', $$' '$$), ('text', $$repeat('x', 3000)$$),
    ('jsonb', 'NULL'), ('jsonb', $$'[]'$$), ('jsonb', $$'null'$$), ('jsonb', $$'{"nothing": 1}'$$),
    	('jsonb', $$'"x"'$$),
    ('numeric', 'NULL'), ('numeric', '-1'), ('numeric', '0.001'), ('numeric', $$'NaN'$$),
    ('boolean', 'NULL'), ('integer', 'NULL'), ('integer', '-1'), ('integer', '0'), ('integer', '99'),
    ('timestamp with time zone', $$'infinity'$$), ('timestamp with time zone', $$'-infinity'$$),
    ('timestamp with time zone', $$'2020-01-01'$$), ('timestamp with time zone', $$'2999-01-01'$$))
SELECT format('casino.%I(%s)', w.proname,
              (SELECT string_agg(format('%I => %s', o.name,
              	CASE WHEN o.n = w.n THEN b.value ELSE g.value END), ', '
                                 ORDER BY o.n)
                 FROM a o
                 LEFT JOIN good g ON g.name = o.name
                WHERE o.proname = w.proname AND (o.n = w.n OR g.value IS NOT NULL)))
  FROM a w
  JOIN bad b ON b.type = w.type
 ORDER BY w.proname, w.n, b.value
SQL
sub decided
{
	my ($db, @calls) = @_;
	my ($tables, $rounds) = $db eq 'hub' ? qw(hub_table hub_round) : qw(game_table round);
	my ($begin, $end) = $db eq 'hub' ? ('', '') : ("BEGIN;\n", "ROLLBACK;\n");
	my $sql = "SELECT table_id AS t FROM casino.$tables WHERE name = 'mistakes' \\gset\n"
	  . "SELECT round_id AS r FROM casino.$rounds WHERE round_ref = 'mistakes' \\gset\n";
	$sql .= "${begin}SELECT * FROM $_;\n\\echo == :SQLSTATE\n$end" for @calls;
	my (undef, $out) = $node->psql($db, "\\set VERBOSITY sqlstate\nSET client_min_messages = error;\n$sql",
		on_error_stop => 0);
	my @codes = $out =~ /^== (\w+)$/mg;
	return map { $calls[$_] => $codes[$_] } 0 .. $#calls;
}
my %on_one = decided('postgres', @wrong);
my @errors = grep { $on_one{$_} ne '00000' } @wrong;
my %at_hub = decided('hub', @errors);
cmp_ok(scalar(@errors), '>=', 100, 'every function that the hub decides is called with one wrong argument');
is(join("\n", map { "$_: $at_hub{$_},
	one server $on_one{$_}" } grep { $at_hub{$_} ne $on_one{$_} } @errors), '',
	'the hub decides with the SQLSTATEs of one server');

# -------------------------------------------------------------- a stake in flight at the close
my $table = $node->safe_psql('hub', q{SELECT casino.add_game_table('roulette_american', 'flight', 10, 5000)});
my $round = $node->safe_psql('hub', "SELECT casino.open_round($table, 'flight')");
my ($p0, $p1) = (4, 1);		# of cells 0 and 1
my $stake = $node->background_psql('cell0');
$stake->query_safe("BEGIN; SELECT casino.place_bet($round, $p0, 'red\@100', 'in flight')");
my $scripts = 0;
sub start_psql
{
	my ($db, $sql, $who) = @_;
	my $run = { out => '', err => '' };
	my $file = PostgreSQL::Test::Utils::tempdir() . '/' . ++$scripts;
	append_to_file($file, "$sql\n");
	$run->{h} = IPC::Run::start([ 'psql', '-XAtq', '-v', 'VERBOSITY=verbose', '-f', $file, '-d',
		$node->connstr($db) . ($who ? " user=$who" : '') ], '>', \$run->{out}, '2>', \$run->{err});
	return $run;
}
sub finish_psql { my ($run) = @_; $run->{h}->finish; chomp $run->{out}; return $run->{out} }
my $close = start_psql('hub', "SELECT casino.close_betting($round); SELECT 'closed'");
$node->poll_query_until('postgres',
	q{SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = 'cell0' AND wait_event_type = 'Lock')})
	or die;
like(error($node, 'cell1', "SELECT casino.place_bet($round, $p1, 'red\@100', 'late')"), qr/^KB001/,
	'the other cell has closed already');
$stake->query_safe('COMMIT');
finish_psql($close);
is($node->safe_psql('hub', qq{SELECT wagers, staked, paid FROM casino.settle_round($round, '{"number": 1}')}),
	'1|100.00|200.00', 'a stake in flight at the close is counted');
like(error($node, 'hub', "SELECT casino.place_bet($round, $p0, 'red\@100', 'late')"), qr/^KB001/,
	'none comes after it');
eval { $stake->quit };

# bets of players of several cells in one call
$round = $node->safe_psql('hub', "SELECT casino.open_round($table, 'many')");
is($node->safe_psql('hub', "SET ROLE game;
	SELECT player_id, accepted, code
	FROM casino.place_many($round, '{1,4,2,1,5}', '{red\@50,odd\@20,red\@1,black\@50,red\@10}',
			'{many,many,many,many,many}')"),
	"1|t|\n4|t|\n2|f|KB002\n5|t|", 'place_many: to each cell its players, the answers in their order');
is($node->safe_psql('hub',
	qq{SELECT wagers, players, staked FROM casino.settle_round($round, '{"number": 1}')}), '4|3|130.00',
	'and all are settled');

# -------------------------------------------------- refused by one is settled nowhere (R13.13)
$table = $node->safe_psql('hub', q{SELECT casino.add_game_table('blackjack_infinite', 'refused', 10, 5000)});
$round = $node->safe_psql('hub', "SELECT casino.open_round($table, 'refused')");
$node->safe_psql('hub',
	"SELECT casino.place_bet($round, $p0, 'main\@100', 'm'), casino.place_bet($round, 8, 'main\@100', 'm')");
my $wrong = '{"dealer": "6h Tc 5s", "hands": [{"cards": "9c 9d"}, {"player": 1, "cards": "9c 9d"}]}';
like(error($node, 'hub', "SELECT casino.settle_round($round, '$wrong')"), qr/^KR001/,
	'an outcome with a hand that nobody of cell 1 has staked on is refused there');
is(join(',', map { $node->safe_psql($_, "SELECT status FROM casino.round WHERE round_id = $round") } @cells),
	'open,open,open', 'settled nowhere, and betting goes on as it was');
is($node->safe_psql('hub', "SELECT casino.place_bet($round, $p0, 'main\@10', 'm2') > 0"), 't', 'in it, too');
my $holdem = $node->safe_psql('hub',
	q{SELECT casino.open_round(casino.add_game_table('casino_holdem', 'refused', 10, 5000), 'refused')});
$node->safe_psql('hub',
	qq{SELECT casino.place_bet($holdem, $p1, 'ante\@100', 'h'), casino.close_betting($holdem),
		casino.deal($holdem, '{"player": "As Ks", "board": "Qs Js 2s"}')});
like(error($node, 'hub',
	qq{SELECT casino.settle_round($holdem,
			'{"player": "As Ks", "board": "Qs Js Ts 2d 3c", "dealer": "4h 4d"}')}), qr/^KR001/,
			'other cards than were dealt');
is($node->safe_psql('hub', "SELECT casino.place_bet($holdem, $p1, 'call\@200', 'h2') > 0"), 't',
	'and the players may still decide');
is($node->safe_psql('hub', qq{SELECT wagers
	FROM casino.settle_round($holdem, '{"player": "As Ks", "board": "Qs Js 2s 2d 3c", "dealer": "4h 4d"}')}),
	2, 'until the right ones are told');
is($node->safe_psql('hub',
	"SELECT count(*) FROM casino.hub_decision WHERE round_id = $round AND call = 'settle_round'"), 0,
	'nor decided');
like(error($node, 'hub',
	qq{SELECT casino.settle_round($round,
			'{"dealer": "6h Tc 5s", "hands": [{"cards": "9c 9d"}, {"player": 3, "cards": "9c 9d"}]}')}),
			qr/^KR001/,
	'a player of a cell that is not in use is refused by the hub');
is($node->safe_psql('hub', qq{SELECT status, wagers
	FROM casino.settle_round($round, '{"dealer": "6h Tc 5s", "hands": [{"cards": "9c 9d"}]}')}), 'settled|3',
	'the right one settles');
like(error($node, 'hub',
	qq{SELECT casino.settle_round($round, '{"dealer": "6h Tc 3s 2h", "hands": [{"cards": "9c 9d"}]}')}),
	qr/^KR002/, 'another one afterwards is KR002');

# the home of a table with seats
like(error($node, 'hub',
	"SELECT casino.place_bet(r.round_id, $p1, 'main\@100', 'not at home', seat => 1)
		FROM (SELECT casino.open_round(table_id, 'home') AS round_id
			FROM casino.hub_table WHERE game = 'blackjack_classic') r"), qr/^KB004/,
	'a stake at a table whose home is another cell is refused');

# -------------------------------------------------------------------------- sessions that meet
# one person twice at once
my @runs =
	map { start_psql('hub', join "\n", map { "SELECT casino.register_player('twin $_');" } 1 .. 15) } 1 .. 3;
my @ids = map { finish_psql($_) } @runs;
is($ids[0], $ids[$_], 'one person registering twice at once has one account') for 1, 2;
is($node->safe_psql('hub',
	q{SELECT count(*), max(cell) FROM casino.hub_person WHERE external_ref LIKE 'twin%'}), '15|2',
	'and one home');
my $accounts = 0;
$accounts += $node->safe_psql($_, q{SELECT count(*) FROM casino.player WHERE external_ref LIKE 'twin%'})
	for @cells;
is($accounts, 15, 'in one cell');
# two sessions of the hub on common players, at two tables
my @t = map {
	$node->safe_psql('hub', "SELECT casino.add_game_table('roulette_american', 'busy $_', 10, 5000)")
} 1, 2;
@runs = map {
	my $t = $_;
	start_psql('hub', join "\n", map {
		my $i = $_;
		("SELECT casino.open_round($t, 'busy $i') AS r \\gset",
			(map { "SELECT casino.place_bet(:r, $_, 'red\@10', 'busy $t $i');" } 4, 1, 2, 8),
			qq(SELECT (casino.settle_round(:r, '{"number": $i}')).paid;))
	} 1 .. 8)
} @t;
finish_psql($_) for @runs;
is(join('', map { $_->{err} } @runs), '', 'two sessions settle rounds of common players');
my $settled = 0;
$settled += $node->safe_psql($_,
	q{SELECT count(*) FROM casino.ledger WHERE kind = 'stake' AND request_id LIKE 'busy%'}) for @cells;
is($settled, 64, 'every stake is there once');
# two sessions that settle one round otherwise: one outcome stands
$round = $node->safe_psql('hub', "SELECT casino.open_round($t[0], 'twice')");
$node->safe_psql('hub', "SELECT casino.place_bet($round, $_, 'red\@10', 'twice') FROM generate_series(1, 2)")
	for $p0, $p1;
@runs = map { start_psql('hub', qq(SELECT status FROM casino.settle_round($round, '{"number": $_}'))) } 1, 2;
my @said = map { finish_psql($_) } @runs;
is(scalar(grep { $_ eq 'settled' } @said), 1, 'of two outcomes at once one is decided');
is(join(',', map { $_->{err} =~ /ERROR:  (\w+)/ } @runs), 'KR002', 'the other is refused');
is($node->safe_psql('cell0', "SELECT outcome FROM casino.round WHERE round_id = $round"),
	$node->safe_psql('cell1', "SELECT outcome FROM casino.round WHERE round_id = $round"),
	'and all cells have the same');

# a cell that has refused something is asked about the outcome like the others (R13.12): its player has
# decided after the end of the decisions
$table = $node->safe_psql('hub', q{SELECT casino.add_game_table('casino_holdem', 'behind', 10, 5000)});
$round = $node->safe_psql('hub', "SELECT casino.open_round($table, 'behind')");
$node->safe_psql('hub',
	"SELECT casino.place_bet($round, $p0, 'ante\@100', 'behind'),
		casino.place_bet($round, $p1, 'ante\@100', 'behind')");
$node->safe_psql('hub', qq{SELECT casino.close_betting($round);
	SELECT casino.deal($round, '{"player": "As Ks", "board": "Qs Js 2s"}')});
my $there = $node->background_psql('cell1');
$node->safe_psql('postgres', q{ALTER DATABASE cell1 ALLOW_CONNECTIONS false;
	SELECT pg_terminate_backend(pid)
	FROM pg_stat_activity
	WHERE datname = 'cell1' AND usename = 'casino_hub'});
my $over = $node->safe_psql('hub', "SELECT clock_timestamp();
	SET client_min_messages = error;
	SELECT casino.close_actions($round)");
$over =~ s/\s+$//;
cmp_ok($there->query_safe("SELECT casino.place_bet($round, $p1, 'call\@200', 'behind 2')"), '>', 0,
	'a cell cut off at the end of the decisions takes one');
eval { $there->quit };
# the hub's call is within the clock's bounds, however slow the machine is
$node->safe_psql('postgres', q{ALTER ROLE casino_hub IN DATABASE cell1 SET casino.clock_skew = 3000;
	ALTER DATABASE cell1 ALLOW_CONNECTIONS true});
my $river = q('{"player": "As Ks", "board": "Qs Js 2s", "dealer": "4h 4d"}');
like(error($node, 'hub', "SELECT casino.settle_round($round, $river)"), qr/^(KR002|KL005)/,
	'up again it has not ended them, and refuses the outcome');
is($node->safe_psql('hub',
	"SELECT count(*) FROM casino.hub_decision WHERE round_id = $round AND call = 'settle_round'"), 0,
	'which is not decided without it');
is($node->safe_psql('hub', 'SELECT count(*) FROM casino.hub_cell WHERE down_since IS NOT NULL'), 0,
	'it was noticed that it is up');
$node->safe_psql('cell1', q{ALTER ROLE casino_hub IN DATABASE cell1 SET casino.clock_skew = 0});
$node->safe_psql('postgres', q{SELECT pg_terminate_backend(pid)
	FROM pg_stat_activity
	WHERE datname = 'cell1' AND usename = 'casino_hub'});
is($node->safe_psql('hub', "SELECT wagers FROM casino.settle_round($round, $river)"), 2,
	'when the end has reached it, it is settled in all');
is($node->safe_psql('cell1', "SELECT array_agg(kind || coalesce(' ' || reason, '') ORDER BY entry_no)
	FROM casino.ledger
	WHERE round_id = $round AND kind IN ('refund', 'payout')"), '{"refund late"}',
	'its late decision goes back');
$node->safe_psql('cell1', q{ALTER ROLE casino_hub IN DATABASE cell1 RESET casino.clock_skew});
$node->safe_psql('postgres', q{SELECT pg_terminate_backend(pid)
	FROM pg_stat_activity
	WHERE datname = 'cell1' AND usename = 'casino_hub'});

# ----------------------------------------- a plan version that one cell does not have (R13.14)
my $from = $node->safe_psql('hub', q{SELECT now() + interval '10 seconds'});
# approved, as if by a second person
$node->safe_psql($_, "SELECT casino.add_plan_version('baccarat', '$from', 'D4, second') AS plan \\gset
	SET session_replication_role = replica;
	INSERT INTO casino.plan_approval (plan_id, number, approved_by, at)
	VALUES (:plan, 'a test', 'the test', '2026-01-01')")
	for qw(hub cell0 cell2);
like($node->safe_psql('hub', 'SELECT problem FROM casino.cell_status WHERE cell = 1'),
     qr/plan versions are not the hub's/, 'the status says which cell has other plans');
$node->poll_query_until('postgres', "SELECT clock_timestamp() > '$from'") or die;
$table = $node->safe_psql('hub', q{SELECT table_id FROM casino.hub_table WHERE game = 'baccarat'});
my (undef, $out, $err) = $node->psql('hub', "SELECT casino.open_round($table, 'new plan')");
my ($not_everywhere, $of_baccarat) =
	('but not carried out in every cell', 'of the plan of baccarat is in force here, version 2 at the hub');
$round = $out;
like($err,
	qr/WARNING:  open_round is decided, $not_everywhere.*Cell 1: version 1 $of_baccarat/s,
	'it sits the round out');
like(error($node, 'hub', "SELECT casino.place_bet($round, $p1, 'player\@100', 'np')"), qr/^23503/,
	'its players wait');
is($node->safe_psql('hub', "SELECT casino.place_bet($round, $p0, 'player\@100', 'np') > 0"), 't',
	'the others play');
is($node->safe_psql('hub', q{SELECT cell, refused FROM casino.cell_status WHERE problem ~ 'is refused'}),
	'1|1', 'which is an alarm');
# in the transaction that has seen the refusal
like($node->safe_psql('hub', q{SET statement_timeout = '20s'; BEGIN; SELECT count(*) FROM casino.catch_up();
	SELECT casino.excuse_cell(1, a.decision_no, 'tried')
	FROM casino.hub_answer a
	WHERE a.cell = 1 AND a.answered_at IS NULL;
	SELECT 'excused ' || count(*) FROM casino.hub_answer a WHERE a.excused_by IS NOT NULL; ROLLBACK}),
		qr/^excused 1$/m, 'excuse_cell() after catch_up() in one transaction waits for nobody');
is($node->safe_psql('hub',
	qq{SELECT wagers FROM casino.settle_round($round, '{"player": "9h Kd", "banker": "7c Js"}')}), 1,
	'and are settled');
$node->safe_psql('cell1', $node->safe_psql('hub', 'SELECT casino.plan_script()')) for 1, 2;
is($node->safe_psql('hub', 'SELECT cell, waiting, problem FROM casino.catch_up()'), "0|0|\n1|0|\n2|0|",
	'the plan loaded, it catches up');
is($node->safe_psql('cell1', "SELECT status, wagers FROM casino.round WHERE round_id = $round"), 'settled|0',
	'with a round without stakes');

# a draft that the cells have is approved at the hub (R13.47)
my $load = sub {
	my $script = $node->safe_psql('hub', 'SELECT casino.plan_script()');
	$node->safe_psql($_, $script) for @cells;
};
my $differ = sub { $node->safe_psql('hub', 'SELECT count(*) FROM casino.cell_status WHERE NOT same_plans') };
$from = $node->safe_psql('hub', q{SELECT now() + interval '30 seconds'});
$node->safe_psql('hub', "SELECT casino.add_plan_version('baccarat', '$from', 'D4, third')");
$load->();
is($differ->(), 0, 'R13.47: a draft is loaded');
$node->safe_psql('hub', q{SET session_replication_role = replica;
	INSERT INTO casino.plan_approval (plan_id, number, approved_by, at)
	SELECT plan_id, 'a later test', 'the test', '2026-01-02' FROM casino.game_plan
	 WHERE document = 'D4, third'});
is($differ->(), 3, 'R13.47: approved at the hub, it is not in the cells');
$load->() for 1, 2;
is($differ->(), 0, 'R13.47: the script carries the approval');
$node->poll_query_until('postgres', "SELECT clock_timestamp() > '$from'") or die;
(undef, $round, $err) = $node->psql('hub', "SELECT casino.open_round($table, 'third plan')");
is($err, '', 'R13.14: every cell opens a round by it');
is($node->safe_psql('hub', "SELECT casino.place_bet($round, $p1, 'player\@100', 'third') > 0"), 't',
	'and its players play');
my $cards = q('{"player": "9h Kd", "banker": "7c Js"}');
is($node->safe_psql('hub', "SELECT wagers FROM casino.settle_round($round, $cards)"), 1, 'to the end');

# ---------------------------------------------------------------- figures of the duties (R7.84)
my $figure = q{SELECT casino.duty_value('break_minutes', '2099-01-01')};
my $figures = sub { join ' ', map { $node->safe_psql($_, $figure) } qw(hub cell0 cell1 cell2) };
my $set_break =
  q{SELECT casino.set_duty_rule('break_minutes', '20', '2098-01-01', 'D4 §8.3', 'plan of 2098')};
$node->safe_psql('hub', $set_break) for 1, 2;
is($figures->(), '20 20 20 20', 'R7.84: a figure is set in all cells and at the hub, once');
like(refusal(q{SELECT casino.set_duty_rule('break_minutes', '61', '2098-02-01', 'D4', 'x')}), qr/23514/,
     'R7.84: a wrong figure is refused at the hub');
like(refusal(q{SELECT casino.set_duty_rule('break_minutes', '30', now() - interval '1 hour', 'D4', 'x')}),
     qr/KL005/,
     'R7.83: and one dated back');
$node->safe_psql('postgres', q{ALTER DATABASE cell1 ALLOW_CONNECTIONS false;
	SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'cell1'});
like(refusal(q{SELECT casino.set_duty_rule('break_minutes', '30', '2098-03-01', 'D4', 'x')}),
     qr/08006.*not every cell/s,
     'R7.84: refused while a cell is out of reach');
$node->safe_psql('postgres', 'ALTER DATABASE cell1 ALLOW_CONNECTIONS true');
is($figures->(), '20 20 20 20', 'R7.84: and then it is set nowhere');
$node->safe_psql('cell1', q{SELECT casino_internal.put_duty_rule('break_minutes', '25',
	'2098-04-01', 'D4', 'x')});
like($node->safe_psql('hub', 'SELECT problem FROM casino.cell_status WHERE cell = 1'),
     qr/plan versions are not the hub's/,
     'R7.84: a cell with another figure is an alarm');
$node->safe_psql('hub', q{SELECT casino.set_duty_rule('break_minutes', '25', '2098-04-01', 'D4', 'x')});
is($node->safe_psql('hub', 'SELECT coalesce(problem, 0::text) FROM casino.cell_status WHERE cell = 1'), '0',
     'R7.84: told to all, the alarm ends');

# -------------------------------------------------------------- a cell added while others play
$table = $node->safe_psql('hub', q{SELECT casino.add_game_table('roulette_american', 'grows', 10, 5000)});
$round = $node->safe_psql('hub', "SELECT casino.open_round($table, 'grows')");
my $second = $node->safe_psql('hub', q{SELECT casino.add_game_table('roulette_american', 'held', 10, 5000)});
my $held = $node->safe_psql('hub', "SELECT casino.open_round($second, 'held')");
$node->safe_psql('hub',
	"SELECT casino.place_bet($held, $p0, 'red\@100', 'held'), casino.withhold_winnings($held, NULL, 'review'),
		casino.settle_round($held, '{\"number\": 1}')");
is($node->safe_psql('hub', "SELECT status FROM casino.hub_round WHERE round_id = $held"), 'withheld',
	'a round withheld before it was settled');
make_cell($node, 'cell3', 3, 4);
like(refusal("SELECT casino.add_cell(3, '${conninfo}cell3')"), qr/plan versions/,
	'a new cell needs the plans of the others');
$node->safe_psql('cell3', $node->safe_psql('hub', 'SELECT casino.plan_script()'));
add_cell($node, 'hub', 3, $node, 'cell3');
is($node->safe_psql('hub', 'SELECT waiting, problem FROM casino.catch_up() WHERE cell = 3'), '0|',
	'a cell joins while a round is open');
is($node->safe_psql('hub', "SELECT status, paid FROM casino.pay_withheld($held)"), 'settled|200.00',
	'what was withheld before it came is paid');
is($node->safe_psql('cell3', "SELECT status FROM casino.round WHERE round_id = $held"), 'settled',
	'and it knows');
my $new = $node->safe_psql('hub', q{SELECT casino.register_player('first of cell 3')});
is($new % 4, 3, 'it takes the next person, having the fewest');
$node->safe_psql('hub',
	"SELECT casino.deposit($new, 100, 'd'), casino.place_bet($round, $new, 'red\@100', 's'),
		casino.place_bet($round, $p0, 'red\@100', 's')");
is($node->safe_psql('hub', qq{SELECT wagers, paid FROM casino.settle_round($round, '{"number": 1}')}),
	'2|400.00', 'who stakes in the same round');
is($node->safe_psql('hub', 'SELECT count(DISTINCT table_digest) FROM casino.cell_status'), 1,
	'tables are the same everywhere');
push @cells, 'cell3';

# ----------------------------------------------------------------------------- who may do what
my %denied = (
	cell0 =>
	[ q{casino.obey(1, 'close_betting', '{}')}, q{casino.cell_read('report')}, "casino.close_betting($round)",
		"casino.settle_round($round, '{}')", "casino.void_round($round, 'x')",
		"casino.open_round($table, 'x')", q{casino.register_player('x')}, "casino.deal($round, '{}')",
		"casino.check_outcome($round, '{}')" ],
	hub =>
		[ q{casino.hub_write('current', '{}')},
			q{casino.hub_send('{0}', 1, 'close_betting', '{}', false, 'x', 1, 1, '{}', true)},
			q{casino.hub_fetch('{0}', 'report', '{}')}, q{casino.add_cell(0, 'x=y')},
		q{casino_internal.hub_write_here('current', '{}')},
			q{casino_internal.hub_settle_round(1, '{}', NULL, NULL, NULL, NULL)},
			q{casino.excuse_cell(0, 1, 'x')}, q{casino.install_hub(4)} ]);
for my $db (sort keys %denied)
{
	like(error($node, $db, "SET ROLE game; SELECT $_"), qr/^42501/, "$db: the game server may not $_")
		for @{ $denied{$db} };
}
like(error($node, 'cell0', "SET ROLE casino_hub; SELECT casino.place_bet($round, $p0, 'red\@10')"),
	qr/^42501/, 'nor the hub stake in a cell');
like(error($node, 'cell0', "SET ROLE casino_hub; SELECT casino.settle_round($round, '{}')"), qr/^42501/,
	'nor settle but by obey()');
like(error($node, 'hub', q{BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT casino.register_player('x')}),
	qr/^0A000/, 'a hub decides in READ COMMITTED only');
$round = $node->safe_psql('hub', "SET ROLE game; SELECT casino.open_round($table, 'by the game server')");
$node->safe_psql('hub', "SET ROLE game;
	SELECT casino.place_bet($round, $p0, 'red\@10', 'by game'),
	casino.settle_round($round, '{\"number\": 1}')");
is($node->safe_psql('cell0', "SELECT w.role
	FROM casino.ledger l
	JOIN casino.recorder w ON w.recorder_id = l.recorded_by
	WHERE l.request_id = 'by game'"), 'game',
		'a stake through the hub is recorded with the name of its caller');
is($node->safe_psql('cell0', "SELECT w.role, w.actor
	FROM casino.round r
	JOIN casino.recorder w ON w.recorder_id = r.evaluated_by
	WHERE round_id = $round"),
	'casino_hub|' . $node->safe_psql('hub', 'SELECT session_user'),
	'a decision with that of the hub, and who took it');
# on whose behalf (R13.19): the person goes with every call, so that four eyes are those of two people
$node->safe_psql('postgres', 'CREATE ROLE desk LOGIN; CREATE ROLE boss LOGIN');
$node->safe_psql($_,
	q{SELECT casino.grant_access('desk', 'cashier'), casino.grant_access('boss', 'supervisor')})
	for 'hub', @cells;
my $eva = "SET casino.actor = 'Eva Mal\xc3\xa1'";
my $asked = $node->safe_psql('hub', "$eva;
	SET SESSION AUTHORIZATION desk;
	SELECT casino.set_payment_account($p0, 'CZ65 0800 0000 1920 0014 5399');
	SELECT casino.request_withdrawal($p0, 50, 'transfer', 'four eyes')");
$asked =~ s/.*\n//s;
like(error($node, 'hub', "$eva; SET SESSION AUTHORIZATION boss; SELECT casino.approve_withdrawal($asked)"),
	qr/^KC006/, 'who registered the account cannot approve under another login');
like(error($node, 'hub', "SET casino.actor = 'Jan'; SET ROLE " . (/^approve/ ? 'boss' : 'desk') . ";
	SELECT casino.$_"), qr/^42501: at a hub/, "a role that is put on makes no second person: $_")
	for "approve_withdrawal($asked)", "pay_withdrawal($asked)", "set_payment_account($p0, 'CZ')",
		"try_pay_withdrawal($asked)";
is($node->safe_psql('hub', "SET casino.actor = 'Jan';
	SET SESSION AUTHORIZATION boss;
	SELECT casino.approve_withdrawal($asked)"), 1, 'somebody else can');
is($node->safe_psql('hub', "$eva; SET SESSION AUTHORIZATION desk; SELECT casino.pay_withdrawal($asked) > 0"),
	't', 'and the first one pays');
$round = $node->safe_psql('hub', "$eva; SELECT casino.open_round($table, 'on behalf')");
$node->safe_psql('hub', "$eva;
	SELECT casino.place_bet($round, $p0, 'red\@10', 'behalf 1'),
	casino.place_bets($round, $p0, '{black\@10}', 'behalf 2');
	SELECT accepted FROM casino.try_place_bets($round, $p0, '{odd\@10}', 'behalf 3');
	SELECT count(*)
		FROM casino.place_many($round, ARRAY[$p0, $p1], '{even\@10,even\@10}', '{behalf 4,behalf 4}');
	SELECT * FROM casino.place_bets_balance($round, $p0, '{low\@10}', 'behalf 5');
	RESET casino.actor;
	SELECT casino.place_bet($round, $p0, 'high\@10', 'behalf 6')");
is($node->safe_psql('cell0', "SELECT string_agg(request_id || coalesce(' ' || w.actor, ''), ','
		ORDER BY request_id)
		FROM casino.ledger l
		JOIN casino.recorder w ON w.recorder_id = l.recorded_by
		WHERE l.request_id LIKE 'behalf%'"),
	join(',', map { "behalf $_" . ($_ < 6 ? " Eva Mal\xc3\xa1" : '') } 1 .. 6),
		'entries name the person, and nobody after her');
$node->safe_psql('hub', "$eva; SELECT casino.settle_round($round, '{\"number\": 1}')");
is($node->safe_psql('cell1', "SELECT w.role, w.actor
	FROM casino.round r
	JOIN casino.recorder w ON w.recorder_id = r.evaluated_by
	WHERE round_id = $round"), "casino_hub|Eva Mal\xc3\xa1", 'so do decisions');
is($node->safe_psql('hub', "SELECT decided_by, login = session_user
	FROM casino.hub_decision
	WHERE round_id = $round AND call = 'settle_round'"), "Eva Mal\xc3\xa1|t", 'at the hub with the login');
# what single players of a settled round won is paid in all cells
$round = $node->safe_psql('hub', "SELECT casino.open_round($table, 'singly')");
$node->safe_psql('hub', "SELECT casino.place_bet($round, $_, 'red\@10', 'singly')") for $p0, $p1;
$node->safe_psql('hub', "SET ROLE boss; SELECT casino.withhold_winnings($round, $_, 'w')") for $p0, $p1;
$node->safe_psql('hub',
	qq{SELECT casino.place_bet($round, 2, 'red\@10', 'singly'),
		casino.settle_round($round, '{"number": 1}')});
my $paid = sub {
	join ',', map {
		$node->safe_psql($_,
			"SELECT count(*) FROM casino.ledger WHERE round_id = $round AND kind = 'payout'")
	} qw(cell0 cell1 cell2)
};
is($paid->(), '0,0,1', 'two of three are withheld');
like(error($node, 'hub', "SET ROLE game; SELECT casino.pay_withheld($round, player_id => $_)"), qr/^42501/,
	'R7.65: the game server does not release at the hub what a supervisor has withheld') for $p0, 'NULL';
like(error($node, 'hub', "SET ROLE boss; SELECT casino.pay_withheld($round)"), qr/^22004/,
	'... the supervisor says why');
is($node->safe_psql('hub', "SET ROLE boss;
	SELECT status FROM casino.pay_withheld($round, reason => 'all clear')"), 'settled',
		'paid without naming them');
is($node->safe_psql($_,
	"SELECT string_agg(DISTINCT reason, ',') FROM casino.withholding_end WHERE round_id = $round"),
	'all clear', "with the reason, in $_") for qw(cell0 cell1);
is($paid->(), '1,1,1', 'they have it') for 1, 2;
# facts of a round and grounds are the same in all cells (R11.41 to R11.44)
{
	my $hub = sub { $node->safe_psql('hub', "SELECT $_[0]") };
	my $refused = sub { error($node, 'hub', "SELECT $_[0]") };
	my ($wheel, $other) = map { $hub->("casino.add_game_table('roulette_synot', '$_', 10, 1000)") }
		'facts', 'facts 2';
	my $open = sub {
		my ($at, $ref) = @_;
		return $hub->("casino.open_round($at, '$ref',
			facts => '{\"shoe\": \"shoe 1\", \"dealer\": \"$ref\"}')");
	};
	my $all = sub {
		my ($column, $of) = @_;
		return join ',', map { $node->safe_psql($_, "SELECT $column FROM casino.round WHERE round_id = $of") }
			qw(cell0 cell1 cell2);
	};
	my $r = $open->($wheel, 'd1');
	is($all->(q{facts ->> 'dealer'}, $r), 'd1,d1,d1', 'R11.42: facts are in all cells');
	is($open->($wheel, 'd1'), $r, 'the same again is a repetition');
	like($refused->("casino.open_round($wheel, 'd1')"), qr/^KR002/, 'R11.42: other facts are not');
	like($refused->("casino.open_round($wheel, 'd2', facts => '{\"name\": \"x\"}')"), qr/^22023/,
		'nor are unknown ones taken');
	like($refused->("casino.void_round($r, NULL, ground => 'shuffle')"), qr/^22023/,
		'R11.41: a ground that the plan does not list');
	is($hub->("(casino.void_round($r, NULL, ground => 'ball_out')).status"), 'voided',
		'R11.44: a ground without a text') for 1, 2;
	is($all->(q{void_ground || md5(void_reason)}, $r), join(',',
		($hub->("'ball_out' || md5(g.text) FROM casino.game_plan p, casino.plan_grounds(p.plan_id) g
			WHERE p.game = 'roulette_synot' AND p.version = 1 AND g.ground = 'ball_out'")) x 3),
		'R11.44: with the same text in all cells');
	is($hub->("count(*) FROM casino.hub_decision WHERE round_id = $r AND call = 'void_round'"), 1,
		'decided once');
	my @held = map { $open->($_, 'd3') } $wheel, $other;
	is($hub->("casino.withhold_shoe('shoe 1', 'marked cards')"), 2, 'R11.43: withhold_shoe at a hub')
		for 1, 2;
	is($all->('withheld_reason', $_), 'marked cards,marked cards,marked cards', 'R11.43: in all cells')
		for @held;
	like($refused->("casino.withhold_shoe('no such shoe', 'x')"), qr/^23503/, 'no such shoe');
	$hub->("casino.void_round($_, 'end')") for @held;
}
# nobody goes on to the cells as somebody else (R13.20)
like(error($node, 'hub', qq{SET ROLE game;
	CREATE USER MAPPING FOR $_ SERVER casino OPTIONS (user 'casino_hub')}), qr/^42501/,
		"a caller makes no mapping for $_") for qw(game CURRENT_USER);
is($node->safe_psql('hub', q{SELECT count(*) FROM pg_user_mappings WHERE srvname = 'casino'}), 1,
	'there is the one for all');
is($node->safe_psql('hub', q{BEGIN;
	CREATE USER MAPPING FOR game SERVER casino;
	ALTER USER MAPPING FOR game SERVER casino OPTIONS (user 'boss');
	SELECT count(*) FROM pg_user_mappings WHERE srvname = 'casino';
	ROLLBACK}), 2, 'the owner may');
for my $none (q{CALL casino.nightly()}, q{SELECT casino.seal(current_date)},
	q{SELECT casino.daily_report(current_date)})
{
	like(error($node, 'hub', $none), qr/^0A000.*in each cell/, "at the hub $none says where");
}
# what each call says to a round in each state is what one server says
my %to = (open => [], closed => [ 'close_betting(%s)' ], settled => [ q{settle_round(%s, '{"number": 1}')} ],
	withheld => [ q{settle_round(%s, '{"number": 1}', withhold => true, withhold_reason => 'w')} ],
	voided => [ q{void_round(%s, 'v')} ]);
$to{paid} = [ @{ $to{withheld} }, 'pay_withheld(%s)' ];
$to{'withheld and voided'} = [ @{ $to{withheld} }, q{void_round(%s, 'v')} ];
$to{'ordered, settled'} = [ q{withhold_winnings(%s, NULL, 'w')}, @{ $to{settled} } ];
my @calls = ('close_betting(%s)', 'close_actions(%s)', q{settle_round(%s, '{"number": 1}')},
	q{settle_round(%s, '{"number": 2}')}, q{void_round(%s, 'v')}, q{void_round(%s, 'other')},
	'pay_withheld(%s)',
	q{withhold_winnings(%s, NULL, 'w')}, q{withhold_winnings(%s, NULL, 'w', ground => 'fire')},
	q{void_round(%s, 'v', ground => 'other')}, q{void_round(%s, NULL, ground => 'fire')});
sub verdicts
{
	my ($db, $in) = @_;
	my $sql =
		"\\set QUIET 1\n\\pset tuples_only on\n\\pset format unaligned\nSET client_min_messages = error;\n";
	$sql .= q{CREATE FUNCTION public.verdict(command text) RETURNS text LANGUAGE plpgsql
		AS $$ DECLARE given text; BEGIN
		EXECUTE command INTO given;
		RETURN 'ok ' || regexp_replace(coalesce(given, ''), '^[(]\\d+|"[^"]*"', '', 'g');
		EXCEPTION WHEN OTHERS THEN RETURN SQLSTATE;
		END $$;} . "\n";
	my $n = 0;
	for my $state (sort keys %to)
	{
		for my $call (@calls)
		{
			$n++;
			$sql .= "SELECT casino.open_round($in, 'verdict $n') AS r \\gset
				SELECT casino.place_bet(:r, $p0, 'red\@10', 'verdict $n') AS b \\gset\n";
			$sql .= sprintf("SELECT casino.$_ AS s \\gset\n", ':r') for @{ $to{$state} };
			$sql .= sprintf "SELECT '$state, %s: '
					|| public.verdict(format(\$q\$SELECT casino.$call\$q\$, :r));
				SELECT public.verdict(format(\$q\$SELECT casino.void_round(%%s, 'v')\$q\$, :r))
					AS s \\gset\n", $call =~ s/'/''/gr, '%s';
		}
	}
	return $node->safe_psql($db, $sql);
}
my $alone = $node->safe_psql('postgres',
	q{SELECT casino.add_game_table('roulette_american', 'verdicts', 10, 5000)});
my $said = verdicts('postgres', $alone);
cmp_ok(scalar(split /\n/, $said), '>=', 64, 'every call is put to every state');
is(differences($said, verdicts('hub', $second)), '', 'a hub says what one server says');
# what a caller rolls back at the hub is decided all the same (R13.15)
$round = $node->safe_psql('hub', "SELECT casino.open_round($table, 'rolled back')");
$node->safe_psql('hub', qq{BEGIN; SELECT casino.settle_round($round, '{"number": 1}'); ROLLBACK});
is($node->safe_psql('hub', "SELECT status FROM casino.hub_round WHERE round_id = $round"), 'settled',
	'a rollback at the hub leaves no cell that knows more than the hub');
is($node->safe_psql('hub', 'SELECT sum(sent), sum(waiting) FROM casino.catch_up()'), '8|0',
	'the answers that went with it are asked for again');

# -------------------------------------------------------------------------- nights, one report
for my $cell (@cells)
{
	$node->safe_psql($cell, 'CALL casino.nightly()');
	is($node->safe_psql($cell, 'SELECT check_name, round_id, detail FROM casino.difference'), '',
		"$cell: the night finds nothing");
	is(findings($node, $cell), '', "$cell: nor do the checks of yesterday and today");
}
is($node->safe_psql('hub', "SELECT casino.all_report($today - 1) ->> 'clean'"), 'true',
	'the nights of all cells are one clean report');
is($node->safe_psql('hub', "SELECT count(*) FROM casino.cell_status WHERE last_clean_night = $today - 1"), 4,
	'and the status has the last clean night of each');
$node->safe_psql('cell1', "ALTER TABLE casino.round DISABLE TRIGGER USER;
	UPDATE casino.round SET outcome = '{\"number\": 5}' WHERE round_id = $round;
	ALTER TABLE casino.round ENABLE TRIGGER USER");
is($node->safe_psql('hub',
	"SELECT r ->> 'clean', r #>> '{rounds_that_differ,0,round_id}' FROM casino.all_report($today) r"),
	"false|$round", 'a round that another cell has otherwise is found');

# --------------------------------------------------------------------------- pgbouncer between
SKIP:
{
	my $bouncer = (grep { -x } qw(/usr/sbin/pgbouncer /usr/bin/pgbouncer))[0];
	skip 'pgbouncer is not installed', 4 unless $bouncer;
	my $dir = PostgreSQL::Test::Utils::tempdir_short();
	my $port = PostgreSQL::Test::Cluster::get_free_port();
	my $list = join '',
		map { sprintf "%s = host=%s port=%s dbname=%s\n", $_, $node->host, $node->port, $_ } @cells;
	PostgreSQL::Test::Utils::append_to_file("$dir/users",
		qq{"game" ""\n"casino_hub" ""\n"postgres" ""\n"} . $node->safe_psql('postgres', 'SELECT current_user')
		. qq{" ""\n});
	PostgreSQL::Test::Utils::append_to_file("$dir/ini",
		"[databases]\n${list}[pgbouncer]\nlisten_addr =\nlisten_port = $port\nunix_socket_dir = $dir\n"
		. "auth_type = trust\nauth_file = $dir/users\n"
		. "pool_mode = transaction\ndefault_pool_size = 3\nlogfile = $dir/log\n"
		. "server_login_retry = 1\nserver_reset_query = DISCARD ALL\n");
	my $h = IPC::Run::start([ $bouncer, '-q', "$dir/ini" ], '<', '/dev/null', '>', "$dir/out", '2>',
		"$dir/err");
	for (1 .. 3000) { last if -S "$dir/.s.PGSQL.$port"; sleep 0.1 }
	$node->safe_psql('hub', "SELECT casino.add_cell($_, 'host=$dir port=$port dbname=cell$_')") for 0 .. 3;
	my $id = $node->safe_psql('hub', "SELECT casino.open_round($table, 'pooled')");
	my @pooled = map {
		my $w = $_;
		start_psql('hub',
			join("\n", map { "SELECT casino.place_bet($id, $w, 'red\@10', 'pooled $_') > 0;" } 1 .. 20),
			'game')
	} 1, 2, 4, 8;
	is(finish_psql($pooled[0]), join("\n", ('t') x 20), 'stakes go through pgbouncer')
		or diag($pooled[0]{err});
	finish_psql($_) for @pooled[1 .. 3];
	is($node->safe_psql('hub', qq{SELECT wagers, staked FROM casino.settle_round($id, '{"number": 1}')}),
		'80|800.00', 'and decisions, with transaction pooling');
	is($node->safe_psql('hub', 'SELECT count(*) FROM casino.cell_status WHERE problem IS NULL AND up'), 4,
		'the status, too');
	$node->safe_psql('hub', "SELECT casino.add_cell($_, '${conninfo}cell$_')") for 0 .. 3;
	$h->kill_kill;
	is($node->safe_psql('hub', "SELECT casino.deposit($p0, 1, 'moved') > 0"), 't',
		'cells move while sessions go on');
}

# -------------------------------------------------------- the hub dumped and restored (R13.18)
# what a restored hub reads from the cells is put together: cell 0 has never had the round that was open, and
# is read first
$held = $node->safe_psql('hub', "SELECT casino.open_round($second, 'before')");
my $later = $held + 1;
like($node->safe_psql('hub', qq{BEGIN;
	  SELECT casino_internal.hub_learn('[{"cell": 0, "tables": [], "persons": [], "rounds": [
	  {"round_id": $later, "table_id": $second, "round_ref": "later", "status": "open",
	   "opened_at": "2026-01-02", "betting_until": "2100-01-01", "plan_version": 1}]},
	{"cell": 1, "tables": [], "persons": [], "rounds": [
	  {"round_id": $held, "table_id": $second, "round_ref": "before", "status": "voided",
	   "opened_at": "2026-01-01", "betting_until": "2100-01-01", "plan_version": 1,
	   "betting_closed_at": "2026-01-02", "outcome": {"number": 1}, "evaluated_at": "2026-01-02",
	   "withheld_at": "2026-01-02", "voided_at": "2026-01-03", "reason": "v"}]}]');
	SELECT string_agg(status, ',' ORDER BY round_id) FROM casino.hub_round WHERE round_id IN ($held, $later);
	ROLLBACK}), qr/^voided,open$/m, 'a round withheld and voided, the next one open');
like($node->safe_psql('hub', qq{BEGIN;
	  SELECT casino_internal.hub_learn('[{"cell": 0, "tables": [], "persons": [], "rounds": [
	  {"round_id": $later, "table_id": $second, "round_ref": "later", "status": "open",
	   "opened_at": "2026-01-02", "betting_until": "2100-01-01", "plan_version": 1}]}]');
	SELECT string_agg(status, ',' ORDER BY round_id) FROM casino.hub_round WHERE round_id IN ($held, $later);
	ROLLBACK}), qr/^open,open$/m, 'nor does a round whose end no cell up knows stop it');
$node->safe_psql('hub', "SELECT casino.void_round($held, 'end')");

command_ok([ 'pg_dump', '-Fc', '-f', "$PostgreSQL::Test::Utils::tmp_check/hub.dump", $node->connstr('hub') ],
	'the hub is dumped');
my $known = $node->safe_psql('hub', q{SELECT casino.register_player('person c')});
my $person = $node->safe_psql('hub', q{SELECT casino.register_player('after the dump')});
$node->safe_psql('postgres', 'CREATE DATABASE hub2');
command_ok([ 'pg_restore', '-e', '-d', $node->connstr('hub2'),
	"$PostgreSQL::Test::Utils::tmp_check/hub.dump" ], 'and restored');
like(error($node, 'hub2', q{SELECT casino.register_player('nobody')}), qr/^55000: this database is a hub/,
	'before install_hub() it registers nobody itself');
like(error($node, 'hub2', q{SELECT * FROM casino.catch_up()}), qr/^55000: this hub was restored from a dump/,
	'nor do the cells hear of it');
is($node->safe_psql('hub2', 'SELECT casino.install_hub()'), 4, 'install_hub() routes the functions again');
is($node->safe_psql('hub2', q{SELECT casino.register_player('person c')}), $known, 'it knows every person');
is($node->safe_psql('hub2', 'SELECT count(*) FROM casino.cell_status WHERE up'), 4, 'and its cells');
# beside the hub that it is a copy of, in one cluster
like(error($node, 'hub2', q{SELECT casino.register_player('after the dump')}),
	qr/^55000: the hub was restored/, 'a copy in the same cluster does not take itself for the hub');
is($node->safe_psql('hub', q{SELECT casino.register_player('while it waits') > 0}), 't',
	'till it has asked the cells the other one goes on');
is($node->safe_psql('hub2', 'SELECT bool_and(up), sum(waiting) FROM casino.catch_up()'), 't|0',
	'it asks them');
is($node->safe_psql('hub2', q{SELECT casino.register_player('after the dump')}), $person,
	'and gives nobody a second account');
like(error($node, 'hub', q{SELECT casino.register_player('too late')}),
	qr/^55000: another hub has taken over/, 'the old one registers nobody any more');
like(error($node, 'hub', "SELECT casino.open_round($second, 'too late')"),
	qr/^55000: another hub has taken over/, 'and decides nothing');
like(error($node, 'hub', q{SELECT * FROM casino.catch_up()}), qr/^55000: another hub has taken over/,
	'nor does it take over by itself');
is($node->safe_psql('hub', q{SELECT count(*) FROM casino.cell_status WHERE problem ~ 'obeys another hub'}), 4,
	'its status says why');
is($node->safe_psql('hub2', q{SELECT count(*) FROM casino.hub_person WHERE external_ref = 'too late'}), 0,
	'nobody was registered');
$round = $node->safe_psql('hub2', "SELECT casino.open_round($second, 'by the new one')");
is($node->safe_psql('hub', q{SELECT casino.install_hub()}), 4, 'it may be made the hub again');
is($node->safe_psql('hub', 'SELECT bool_and(up), sum(waiting) FROM casino.catch_up()'), 't|0',
	'when it has asked the cells');
is($node->safe_psql('hub', qq{SELECT status FROM casino.settle_round($round, '{"number": 1}')}), 'settled',
	'and goes on with what the other one decided');
like(error($node, 'hub2', "SELECT casino.void_round($round, 'x')"), qr/^55000: another hub has taken over/,
	'which is silent then');
# a copy of the files, which has no other mark: a cell knows more than it does
$node->safe_psql('hub', q{ALTER TABLE casino.hub_person DISABLE TRIGGER ALL;
	DELETE FROM casino.hub_person WHERE external_ref = 'last of all'})
		if $node->safe_psql('hub', q{SELECT casino.register_player('last of all') > 0});
$node->safe_psql('hub', 'SELECT count(*) FROM casino.catch_up()');
is($node->safe_psql('hub', q{SELECT count(*) FROM casino.hub_person WHERE external_ref = 'last of all'}), 1,
	'a hub that knows less than a cell reads it again');

# --------------------------------------------------------- a table that one cell has otherwise
is($node->safe_psql('hub', q{SELECT count(*) FROM casino.cell_status WHERE problem ~ 'tables'}), 0,
	'all cells have the same tables');
$node->safe_psql('cell1', "SELECT casino.set_table_limits($second, 10, 4000)");
is($node->safe_psql('hub', q{SELECT cell, problem FROM casino.cell_status WHERE problem ~ 'tables'}),
	'1|its tables or their limits are not those of the other cells (casino.table_digest() differs)',
	'other limits of a table are a problem');

is(broken($node, $_), '', "$_ is sound at the end") for @cells;
$node->stop;
done_testing();
