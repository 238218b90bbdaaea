# long: one server, many clocks
# The server's own clock at the days that break calendars: days of 23 and 25 hours, the ends of a month and
# a year, 29 February, the second in which 32 bits run out, and 2100. Each has a day's play, a round over
# midnight, the night after it, its seal, and a person who comes back after seven days (Act 186/2016 §14a,
# R7.30). Another clock for the whole server: libfaketime.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play;

my ($library) = grep { -e } glob '/usr/lib/*/faketime/libfaketime.so.1';
plan skip_all => 'libfaketime is not installed' if !$library;
system('make -s casino-verify >&2') == 0 or die 'make casino-verify';

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "timezone = 'America/Santiago'\nautovacuum = off");

# The server's clock starts at that second (UTC)
sub clock
{
	my ($at) = @_;
	$node->stop if $node->{_pid};
	local $ENV{LD_PRELOAD} = $library;
	local $ENV{FAKETIME} = "\@$at";
	local $ENV{TZ} = 'UTC';
	$node->start;
}
my $db;
sub raw { return $node->safe_psql($db, $_[0]) }
sub sql { return raw("SET timezone = 'UTC'; $_[0]") }

# The day, its hours, and the day after it. In UTC, worked out from a calendar: six seconds before its end,
# the morning after, and six seconds before the end of the seventh day after it.
my @days = (
	[ '2027-03-28', 23, '2027-03-29', '2027-03-28 21:59:54', '2027-03-29 05:00:00', '2027-04-04 21:59:54' ],
	[ '2027-10-31', 25, '2027-11-01', '2027-10-31 22:59:54', '2027-11-01 05:00:00', '2027-11-07 22:59:54' ],
	[ '2027-12-31', 24, '2028-01-01', '2027-12-31 22:59:54', '2028-01-01 05:00:00', '2028-01-07 22:59:54' ],
	[ '2028-02-29', 24, '2028-03-01', '2028-02-29 22:59:54', '2028-03-01 05:00:00', '2028-03-07 22:59:54' ],
	[ '2038-01-19', 24, '2038-01-20', '2038-01-19 22:59:54', '2038-01-20 05:00:00', '2038-01-26 22:59:54' ],
	[ '2100-02-28', 24, '2100-03-01', '2100-02-28 22:59:54', '2100-03-01 05:00:00', '2100-03-07 22:59:54' ],
	[ '2100-10-31', 25, '2100-11-01', '2100-10-31 22:59:54', '2100-11-01 05:00:00', '2100-11-07 22:59:54' ],
	[ '2100-12-31', 24, '2101-01-01', '2100-12-31 22:59:54', '2101-01-01 05:00:00', '2101-01-07 22:59:54' ]);
# four of them; CASINO_DATES=all: all
@days = @days[ 1, 3, 4, 7 ] if ($ENV{CASINO_DATES} // '') ne 'all';

foreach my $d (@days)
{
	my ($day, $hours, $next, $midnight, $morning, $seventh) = @$d;
	$db = 'postgres';
	# 03:14:08 on 19 January 2038 is the first second that 32 bits do not have
	clock($day eq '2038-01-19' ? "$day 03:14:02" : "$day 11:00:00");
	$db = 'd' . $day =~ tr/-//dr;
	$node->safe_psql('postgres', "CREATE DATABASE $db");
	install($node, $db);
	outcomes($node, $db);
	raw(q{SELECT casino.add_game_table(game, game, 10, 1000) FROM casino.game ORDER BY game;
		SELECT count(casino.deposit(casino.register_player('p' || n), 100000, 'first'))
		  FROM generate_series(1, 8) n;
		SELECT casino.set_limit(7, 'stake', 'day', 50), casino.set_limit(8, 'net_loss', 'month', 60)});
	evening($node, $db, 'now', 1);
	# two persons with a limit whose accounts are closed on the day
	raw(q{SELECT casino.register_player(n) FROM unnest('{back,late}'::text[]) n;
		SELECT casino.set_limit(p, 'stake', 'day', 1) FROM unnest('{9,10}'::bigint[]) p;
		SELECT casino.close_account(p) FROM unnest('{9,10}'::bigint[]) p});

	# a round over midnight: its stakes are of the day, its result of the next one
	clock($midnight);
	raw(q{SELECT table_id AS wheel FROM casino.game_table WHERE game = 'roulette_american' \gset
		SELECT casino.open_round(:wheel, 'midnight') AS round \gset
		SELECT casino.place_bet(:round, 7, 'red@50', 'm7'), casino.place_bet(:round, 8, 'red@60', 'm8');
		SELECT pg_sleep(8);
		SELECT casino.settle_round(:round, '{"number": 2}');
		SELECT casino.open_round(:wheel, 'after') AS round \gset
		SELECT casino.place_bet(:round, 7, 'red@50', 'n7');
		SELECT casino.void_round(:round, 'the ball left the wheel')});
	is(sql("SELECT string_agg(DISTINCT casino.prague_day(l.posted_at)::text, ' ')
		  FROM casino.ledger l WHERE l.request_id IN ('m7', 'm8')"), $day,
		"$day: stakes before midnight are of the day");
	is(sql("SELECT casino.prague_day(evaluated_at) FROM casino.round WHERE round_ref = 'midnight'"), $next,
		"$day: the result after midnight is of the next day");
	# the stake counts where it was placed, the loss where it was evaluated
	is(sql('SELECT day, staked_day::numeric(9, 2), lost_month FROM casino.limit_usage(8, clock_timestamp())'),
		"$next|0.00|60.00", "$day: a loss counts in the month of its evaluation");

	clock($morning);
	raw("CALL casino.nightly('$day')");
	is(sql("SELECT status FROM casino.reconciliation WHERE to_day = '$day'"), 'clean', "$day: the night");
	is(sql('SELECT DISTINCT check_name, rule, expected, found, detail FROM casino.difference'), '',
		"$day: no difference");
	is(sql("SELECT extract(epoch FROM casino.day_start(d + 1) - casino.day_start(d))::integer / 3600
		  FROM (SELECT date '$day') v (d)"), $hours, "$day has $hours hours");
	# sums that the night has kept, in any zone of the session
	my $sums = join ' UNION ALL ', map { "SELECT t::text FROM casino.$_('$day', '$day') t" }
		qw(daily_table tax_base account_movements gl_export);
	my $figures = "SELECT md5(string_agg(x, '|' ORDER BY x))
		FROM ($sums UNION ALL SELECT t::text FROM casino.balance_statement('$day') t) f (x)";
	my %seen = map { raw("SET timezone = '$_'; $figures") => 1 }
		qw(UTC Europe/Prague America/Santiago Asia/Kolkata Pacific/Apia);
	is(scalar keys %seen, 1, "$day: figures are the same in five zones");
	# a stake of a game at one table, counted from the entries
	is(sql("SELECT v.staked = (SELECT sum(CASE l.kind WHEN 'stake' THEN l.amount ELSE -l.amount END)
			  FROM casino.ledger l JOIN casino.round r ON r.round_id = l.round_id
			 WHERE r.table_id = v.table_id AND l.kind IN ('stake', 'refund')
			   AND l.posted_at >= casino.day_start('$day') AND l.posted_at < casino.day_start('$next'))
		  FROM casino.daily_table('$day', '$day') v WHERE v.game = 'baccarat'"), 't',
		"$day: stakes of the day by table");
	my $folder = PostgreSQL::Test::Utils::tempdir;
	append_to_file("$folder/seals",
		sql('SELECT casino.seal_document(seal_no) FROM casino.day_seal ORDER BY seal_no') . "\n");
	append_to_file("$folder/day", sql("SELECT casino.export_day('$day')") . "\n");
	command_ok([ './casino-verify', "$folder/seals", "$folder/day" ], "$day: casino-verify");
	is(sql('SELECT count(*) FROM casino.verify()'), '0', "$day: verify()");
	is(sql('SELECT casino.rebuild()'), '0', "$day: rebuild() changes nothing");

	# Act 186/2016 §14a: within seven calendar days
	clock($seventh);
	is(raw("SELECT casino.register_player('back') AS p \\gset
		SELECT l.amount FROM casino.player_limit l WHERE l.player_id = :p"), '1.00',
		"$day: back on the seventh day, with the limit");
	raw('SELECT pg_sleep(8)');
	is(raw("SELECT casino.register_player('late') AS p \\gset
		SELECT count(*) FROM casino.player_limit l WHERE l.player_id = :p"), '0',
		"$day: on the eighth day without it");
	is(sql('SELECT casino.rebuild()'), '0', "$day: rebuild() says the same of both");
}
$node->stop;
done_testing();
