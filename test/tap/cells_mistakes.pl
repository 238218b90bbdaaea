# A mistake of a caller has the same SQLSTATE and the same reason at a hub and on one server: every function
# that a hub routes, each argument wrong in turn, the others right.  Functions, names and types of arguments
# come from the catalog: a new function, or a new argument, is called too, and fails here when it has no right
# value.
use strict;
use warnings;
# long: two thousand calls at a hub
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Cells;
use Play qw(install);

my $node = PostgreSQL::Test::Cluster->new('mistakes');
$node->init;
$node->append_conf('postgresql.conf', "fsync = off\njit = off\nmax_connections = 60");
$node->start;
plan skip_all => 'no PL/Proxy here' unless available($node);
install($node, 'postgres');
make_cell($node, "cell$_", $_, 2) for 0, 1;
make_hub($node, 'hub', 2);
add_cell($node, 'hub', $_, $node, "cell$_") for 0, 1;

# ----------------------------------------------------- the same books on one server and at the hub
# Numbers of players differ: a call has {p}, and each database the number that it stands for.
my $books = <<'SQL';
CREATE TABLE public.stands_for (name text PRIMARY KEY, value text NOT NULL);
CREATE PROCEDURE public.keep(name text, value anyelement) LANGUAGE sql AS
    'INSERT INTO public.stands_for VALUES (name, value::text)';
-- what a call gives: "ok", or SQLSTATE and reason, also where a function answers with them
CREATE FUNCTION public.given(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    command text := call;
    s record;
    answer jsonb;
    reason text;
BEGIN
    FOR s IN SELECT * FROM public.stands_for LOOP
        command := replace(command, '{' || s.name || '}', s.value);
    END LOOP;
    EXECUTE 'SELECT to_jsonb(x) FROM ' || command || ' x LIMIT 1' INTO answer;
    IF answer ->> 'accepted' = 'false' THEN
        RETURN (answer ->> 'code') || coalesce(' ' || (answer ->> 'reason'), '');
    END IF;
    RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS reason = CONSTRAINT_NAME;
    RETURN SQLSTATE || CASE WHEN reason IN (SELECT r.reason FROM casino.refusal_reasons() r)
                            THEN ' ' || reason ELSE '' END;
END $$;
-- with nothing done
CREATE FUNCTION public.tried(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    answer := public.given(call);
    RAISE EXCEPTION USING ERRCODE = 'ZZZZZ';
EXCEPTION WHEN SQLSTATE 'ZZZZZ' THEN
    RETURN answer;
END $$;
CALL public.keep('p', casino.register_player('anna'));
CALL public.keep('q', casino.register_player('bob'));
SELECT value AS p FROM public.stands_for WHERE name = 'p' \gset
SELECT value AS q FROM public.stands_for WHERE name = 'q' \gset
SELECT casino.deposit(:p, 90000, 'first'), casino.deposit(:q, 90000, 'first');
CALL public.keep('t', casino.add_game_table('roulette_american', 'open', 10, 5000));
CALL public.keep('t2', casino.add_game_table('roulette_american', 'free', 10, 5000));
CALL public.keep('t3', casino.add_game_table('roulette_synot', 'withheld', 10, 5000));
CALL public.keep('t4', casino.add_game_table('baccarat', 'settled', 10, 5000));
SELECT value AS t FROM public.stands_for WHERE name = 't' \gset
SELECT value AS t3 FROM public.stands_for WHERE name = 't3' \gset
SELECT value AS t4 FROM public.stands_for WHERE name = 't4' \gset
CALL public.keep('r', casino.open_round(:t, 'open'));
CALL public.keep('w', casino.open_round(:t3, 'withheld', facts => '{"shoe": "s"}'));
CALL public.keep('e', casino.open_round(:t4, 'settled'));
SELECT value AS r FROM public.stands_for WHERE name = 'r' \gset
SELECT value AS w FROM public.stands_for WHERE name = 'w' \gset
SELECT value AS e FROM public.stands_for WHERE name = 'e' \gset
SELECT casino.place_bet(:w, :p, 'red@100', 'kw');
SELECT casino.settle_round(:w, '{"number": 1}', withhold => true, withhold_reason => 'under review');
SELECT casino.place_bet(:e, :p, 'player@100', 'ke');
SELECT casino.settle_round(:e, '{"player": "9h Kd", "banker": "7c Js"}');
SELECT casino.place_bet(:r, :p, 'red@100', 'k'), casino.place_bet(:r, :q, 'red@100', 'k');
SELECT casino.set_payment_account(:p, 'CZ65 0800 0000 1920 0014 5399');
CALL public.keep('id', casino.request_withdrawal(:p, 100, 'cash', 'w'));
SELECT casino.adjust(:p, 20, 'a gift', 'j');
-- a box of two players, who at the hub are of one cell
CALL public.keep('c', casino.register_player('carl'));
SELECT casino.register_player('dana');
CALL public.keep('f', casino.register_player('eva'));
SELECT value AS c FROM public.stands_for WHERE name = 'c' \gset
SELECT value AS f FROM public.stands_for WHERE name = 'f' \gset
SELECT casino.deposit(:c, 1000), casino.deposit(:f, 1000);
CALL public.keep('t5', casino.add_game_table('blackjack_free_bet', 'box', 10, 2500));
SELECT value AS t5 FROM public.stands_for WHERE name = 't5' \gset
CALL public.keep('b', casino.open_round(:t5, 'box'));
SELECT value AS b FROM public.stands_for WHERE name = 'b' \gset
SELECT casino.place_bet(:b, :c, 'main@100', 'c', 3), casino.place_bet(:b, :f, 'main@50', 'f', 3);
SELECT casino.close_betting(:b);
SELECT casino.exclude_player(:q, NULL, 'operator');
SQL
$node->safe_psql($_, $books) for qw(postgres hub);

# ----------------------------------------------------------------------------------- calls
# right values, of an argument of any function or of one
my %right = (
	round_id => '{r}', player_id => '{p}', table_id => '{t2}', id => '{id}', claim_no => '1',
	correction_no => '1', entry_no => '2', exclusion_no => '1', game => q('roulette_american'),
	name => q('new'), min_stake => 10, max_stake => 100, options => q('{}'), round_ref => q('new'),
	outcome => q('{"number": 1}'), partial_outcome => q('{"number": 1}'), cards => q('{"number": 1}'),
	reason => q('said'), ground => 'NULL', seat => 'NULL', hand => 'NULL', external_ref => q('anna'),
	wagers_stand => 'false', waived => 'false', withhold => 'false', withhold_reason => 'NULL',
	value => q('1'), paragraph => q('x'), document => q('x'), valid_from => q(now() + interval '1 day'),
	at => 'NULL', betting_until => 'NULL', facts => q('{"shoe": "n"}'), shoe => q('s'), amount => 5,
	request_id => q('new'), bet => q('black@10'), bets => q('{black@10}'),
	player_ids => 'ARRAY[{p}]::bigint[]', request_ids => q('{many}'), seats => 'NULL', hands => 'NULL',
	product => q('sports'), staked => 5,
	result => '-5', method => q('cash'), reference => 'NULL', place => 'NULL', until => 'NULL',
	source => q('self'), effective_from => 'NULL', measure => q('stake'), period => q('day'),
	account => q('CZ65 0800 0000 1920 0014 5399'), answer => q('clear'), from_day => 'current_date',
	to_day => 'current_date', lang => q('en'), unused_since => 'now()', at_least => 100, least => 2,
	span => q('7 days'),
	since => 0, person => q('anna'), from => 'now()', to => 'now()');
my %right_of = (
	'bring_to_table seat' => 1, 'hand_over_box seat' => 3, 'hand_over_box round_id' => '{b}',
	'hand_over_box player_id' => '{f}', 'deal round_id' => '{b}', 'close_actions round_id' => '{b}',
	'deal partial_outcome' => q('{"dealer": "6h", "hands": [{"seat": 3, "cards": "5c 6d"}]}'),
	'correct_deal round_id' => '{b}',
	'correct_deal cards' => q('{"dealer": "6h", "hands": [{"seat": 3, "cards": "5c 7d"}]}'),
	'explain_break at' => 'now()',
	'limits_in_force at' => 'now()', 'limit_usage at' => 'now()', 'liability at' => 'now()',
	'protection at' => 'now()', 'payment_deadline at' => 'now()', 'register_player external_ref' => q('carl'),
	'pay_withheld round_id' => '{w}', 'void_wagers round_id' => '{w}', 'correct_round round_id' => '{e}',
	'withhold_shoe ground' => 'NULL',
	'correct_round outcome' => q('{"player": "9h Kd", "banker": "6c Js"}'), 'player_recall round_id' => '{e}',
	'end_exclusion player_id' => '{q}', 'approve_exclusion_mistake player_id' => '{q}',
	'cancel_bet request_id' => q('k'), 'place_many at' => 'NULL', 'set_duty_rule name' => q('none'),
	'adjust round_id' => 'NULL', 'approve_adjustment round_id' => 'NULL',
	'pay_withheld player_id' => 'NULL', 'open_round round_id' => 'NULL', 'add_game_table table_id' => 'NULL');
my @moments = ('NULL', map { "'$_'" } 'infinity', '-infinity', '2020-01-01', '2999-01-01', '4714-11-24 BC');
my @numbers = qw(NULL 0 -1 7 1007 4294967296 9223372036854775807 -9223372036854775808);
my @texts = ('NULL', q(''), q(' '), q('nonsense'), q(repeat('x', 300)), q(repeat('x', 70000)), q(E'a\\x07b'),
	q(U&'a\200Bb'));
my %wrong = (
	bigint => \@numbers, integer => [ qw(NULL 0 -1 99 2147483647 -2147483648) ],
	numeric => [ 'NULL', 0, -1, '0.001', '1e12', '92233720368547758.08',
		map { "'$_'" } qw(NaN Infinity -Infinity) ],
	text => \@texts, boolean => ['NULL'], 'timestamp with time zone' => \@moments,
	date => [ 'NULL', map { "'$_'" } 'infinity', '-infinity', '4714-11-24 BC', '5874897-12-31',
		'2999-01-01' ],
	jsonb => [ 'NULL', map { "'$_'" } '[]', 'null', '{}', '"x"', '1', '{"nothing": 1}', '{"number": 99}',
		'{"number": "1"}', '{"number": null}', '{"home_cell": 1}', '{"home_cell": "x"}', '{"seats": 99}',
		'{"shoe": 1}' ],
	'casino.bet' => [ 'NULL',
		map { "'$_'" } 'razz@1', 'red@1', 'red@0.001', 'player@10', 'straight:36@999999' ],
	'casino.bet[]' => [ 'NULL', map { "'$_'" } '{}', '{NULL}', '{razz@1}', '{red@1}', '{{red@10},{black@10}}',
		'{red@10,NULL}', '{red@10,black@10}', '[3:3]={red@10}' ],
	'bigint[]' => [ 'NULL',
		(map { "'$_'" } '{}', '{NULL}', '{-1}', '{0}', '{7}', '{1007}', '{{1},{2}}', '[3:3]={7}'),
		'ARRAY[{p}, {q}]', 'ARRAY[{p}, NULL]', 'ARRAY[{p}, 1007]' ],
	interval => [ 'NULL', map { "'$_'" } '0', '-1 day', '366 days', '367 days', '1 mon', '1 microsecond' ],
	'text[]' => [ 'NULL', map { "'$_'" } '{}', '{NULL}', '{a,b}', '{{a},{b}}', '[3:3]={a}', "{''}" ],
	'integer[]' => [ 'NULL',
		map { "'$_'" } '{}', '{NULL}', '{1,2}', '{{1},{2}}', '{99}', '{-1}', '[3:3]={1}' ]);

my (@calls, %seen, @without);
for (split /\n/, $node->safe_psql('hub', q{
	SELECT p.oid::integer, r.route, p.proname, a.n, p.proargnames[a.n], format_type(t.type, NULL)
	  FROM casino.hub_routes() r
	  JOIN pg_proc p ON p.pronamespace = ANY (casino_internal.schemas()) AND p.proname = r.name
	 CROSS JOIN LATERAL unnest(p.proargtypes::oid[]) WITH ORDINALITY t (type, n)
	 CROSS JOIN LATERAL (SELECT t.n) a (n)
	 WHERE r.route <> 'none'
	 ORDER BY p.proname, p.oid, a.n}))
{
	my ($oid, $route, $function, $n, $argument, $type) = split /\|/;
	push @{ $seen{"$function $oid"} }, [ $argument, $type ];
	push @without, "$function($argument $type)"
	  if !defined($right_of{"$function $argument"} // $right{$argument}) || !$wrong{$type};
}
is(join(', ', @without), '',
	'every argument of every function that a hub routes has a right value and wrong ones');
for my $key (sort keys %seen)
{
	my ($function) = split / /, $key;
	my @arguments = @{ $seen{$key} };
	for my $i (0 .. $#arguments)
	{
		my ($name, $type) = @{ $arguments[$i] };
		# a hub numbers tables and rounds itself (R13.7)
		next if "$function $name" =~ /^(add_game_table table_id|open_round round_id)$/;
		for my $value (@{ $wrong{$type} })
		{
			push @calls, sprintf 'casino.%s(%s)', $function, join ', ', map {
				my ($n, $t) = @{ $arguments[$_] };
				my $v = $_ == $i ? $value : $right_of{"$function $n"} // $right{$n};
				qq("$n" => ($v)::$t) } 0 .. $#arguments;
		}
	}
}

sub answers
{
	my ($db, $how, @these) = @_;
	my $sql = join '', map { "SELECT public.$how(\$call\$$_\$call\$);\n" } @these;
	my (undef, $out, $err) = $node->psql($db, "\\set VERBOSITY terse\nSET client_min_messages = error;\n$sql",
		on_error_stop => 0);
	my @out = split /\n/, $out;
	is(scalar(@out), scalar(@these), "$db answers every call") or diag($err);
	return map { $these[$_] => $out[$_] } 0 .. $#these;
}
my %one = answers('postgres', 'tried', @calls);
my @refused = grep { $one{$_} ne 'ok' } @calls;
cmp_ok(scalar(@refused), '>=', 1500, 'mistakes that one server refuses');
my %hub = answers('hub', 'given', @refused);
is(join("\n", map { "$_: hub $hub{$_}, one server $one{$_}" } grep { $hub{$_} ne $one{$_} } @refused), '',
	'the hub refuses them with the SQLSTATE and the reason of one server');
is(join("\n", grep { $hub{$_} =~ /^XX/ || $one{$_} =~ /^XX/ } @refused), '',
	'none of them is an internal error');
# what one server accepts, a hub does: in the same order, because neither takes anything back
my @accepted = grep { $one{$_} eq 'ok' } @calls;
%one = answers('postgres', 'given', @accepted);
%hub = answers('hub', 'given', @accepted);
is(join("\n", map { "$_: hub $hub{$_}, one server $one{$_}" } grep { $hub{$_} ne $one{$_} } @accepted), '',
	'and goes on as one server does with right calls');
# the values of a refusal, too; in a cell itself the context has them
$node->safe_psql($_, <<'SQL') for qw(postgres hub);
CREATE FUNCTION public.refusal(round bigint, player bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    reason text;
    data text;
    context text;
BEGIN
    PERFORM casino.place_bet(round, player, 'straight:17@4000', 'much');
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS reason = CONSTRAINT_NAME, data = PG_DATATYPE_NAME, context = PG_EXCEPTION_CONTEXT;
    RETURN concat_ws(' ', SQLSTATE, reason, data, CASE WHEN context ~ 'refusal ' THEN 'in context' END);
END $$;
CALL public.keep('g', casino.register_player('gina'));
CALL public.keep('t6', casino.add_game_table('roulette_synot', 'much', 10, 1000));
SELECT value AS g FROM public.stands_for WHERE name = 'g' \gset
SELECT value AS t6 FROM public.stands_for WHERE name = 't6' \gset
SELECT casino.deposit(:g, 9000);
CALL public.keep('m', casino.open_round(:t6, 'much'));
SQL
# text of the caller's that looks like it: the statement stands in the context, too
is($node->safe_psql('hub', q{CREATE FUNCTION public.forged() RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
		reason text;
		context text;
	BEGIN
		EXECUTE $x$SELECT casino.place_bet(0, 0, 'red@10', 'a'
			/* refusal above_maximum {"maximum": 1} */)$x$;
	EXCEPTION WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS reason = CONSTRAINT_NAME, context = PG_EXCEPTION_CONTEXT;
		RETURN concat_ws('|', SQLSTATE, reason, CASE WHEN context ~ 'refusal above' THEN 'in context' END);
	END $$;
	SELECT public.forged()}), '23503||in context',
		'R12.70: the statement of a caller is not taken for a refusal of a cell');
my $much = q{SELECT public.refusal((SELECT value::bigint FROM public.stands_for WHERE name = 'm'),
		(SELECT value::bigint FROM public.stands_for WHERE name = 'g'))};
my $said = $node->safe_psql('postgres', $much);
like($said, qr/^KB002 above_maximum \{.*1000.*\}$/,
	'one server says why, with values, and nothing in the context');
is($node->safe_psql('hub', $much), "$said in context",
	'R12.70: so does the hub, from the context of the cell');
is($node->safe_psql('hub', "SET casino.actor = 'Eva'; $much"), "$said in context",
	'... and on behalf of a person');
done_testing();
