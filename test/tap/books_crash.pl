# kill -9 at each step of turn_book(), close_book(), put_away_book() and attach_book(): the books are as
# before, nothing of the call is left, entries are posted, and the call that comes again does all of it. After
# COMMIT all of it is there (R12.42, R12.47, R12.53, R12.132).
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep);
use Play;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "fsync = on\nrestart_after_crash = on\nautovacuum = off");
$node->start;
install($node, 'postgres');
sub sql { return $node->safe_psql('postgres', "SET client_min_messages = error; $_[0]") }
sql(q{SELECT casino.add_game_table('roulette_american', 'one', 10, 5000);
	SELECT casino.deposit(casino.register_player('p' || n), 1000, 'first') FROM generate_series(1, 3) n;
	SELECT casino.open_round(1, 'one');
	SELECT casino.place_bet(1, 1, 'red@100', 'a'), casino.place_bet(1, 2, 'black@100', 'a');
	SELECT casino.settle_round(1, '{"number": 1}')});

# All that a call of books could leave: books, parts of tables, rows
sub state
{
	return sql(q{SELECT book, entries, state, seal_no FROM casino.book ORDER BY book})
	  . sql(q{SELECT md5(string_agg(object || state, ',' ORDER BY object))
		FROM casino_internal.schema_objects()})
	  . sql(q{SELECT count(*) FROM casino.installed_object})
	  . sql(q{SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relname ~ '^ledger'})
	  . sql('SELECT casino_internal.books_away()')
	  . sql(q{SELECT (SELECT count(*) FROM casino.book_closing), (SELECT count(*) FROM casino.book_balance),
		(SELECT count(*) FROM casino.book_total)});
}

# An immediate answer once the server has recovered
sub recovered
{
	for (1 .. 600)
	{
		# psql that is not let in may be gone before the question is written to it
		my ($rc, $out) = eval { $node->psql('postgres', 'SELECT 1') };
		return if ($out // '') eq '1';
		sleep 0.1;
	}
	die 'the server has not come back';
}

my $deposits = 0;
# a call stops behind that one of its commands that define something
sql(q{CREATE FUNCTION public.hold() RETURNS event_trigger LANGUAGE plpgsql AS $$
	DECLARE
		n CONSTANT integer := coalesce(nullif(current_setting('test.step', true), ''), '0')::integer + 1;
	BEGIN
		PERFORM set_config('test.step', n::text, false);
		IF n::text = current_setting('test.hold', true) THEN PERFORM pg_sleep(600); END IF;
	END $$;
	CREATE EVENT TRIGGER hold ON ddl_command_end EXECUTE FUNCTION public.hold()});

# $call, killed with the session's setting $hold, or while $lock is held, or, without both, before COMMIT
sub killed_at
{
	my ($call, $what, $hold, $lock) = @_;
	my $before = state();
	my $holder = $node->background_psql('postgres', on_error_stop => 0);
	$holder->query("BEGIN; LOCK TABLE casino.$lock IN SHARE ROW EXCLUSIVE MODE;") if $lock;
	my $caller = $node->background_psql('postgres', on_error_stop => 0);
	my $pid = $caller->query('SELECT pg_backend_pid()');
	$caller->query('SET client_min_messages = error; SET casino.request_memory = 0');
	$caller->query("SET test.hold = $hold") if $hold;
	$caller->query('BEGIN');
	if ($hold || $lock)
	{
		$caller->query_until(qr/begins/, "\\echo begins\nSELECT casino.$call;\n");
		ok($node->poll_query_until('postgres', "SELECT EXISTS (SELECT FROM pg_stat_activity
			WHERE pid = $pid AND wait_event IN ('PgSleep', 'relation'))"), "$call waits: $what");
	}
	else { $caller->query("SELECT casino.$call") }
	kill 'KILL', $pid;
	eval { $caller->{run}->finish };
	eval { $holder->{run}->finish };
	sleep 0.2;
	recovered();
	is(state(), $before, "$call, killed: $what: nothing is left");
	is(sql("SELECT casino.deposit(3, 1, 'd$deposits') IS NOT NULL"), 't', '... and entries are posted');
	$deposits++;
}

# $call after all that, and killed after COMMIT
sub killed
{
	my ($call, $after, @locks) = @_;
	my $steps = sql("SET casino.request_memory = 0; BEGIN; SELECT casino.$call \\g /dev/null
		SELECT current_setting('test.step', true); ROLLBACK") || 0;
	if (@locks) { killed_at($call, "before $_", undef, $_) for @locks }
	else
	{
		ok($steps > 2, "$call has commands that define something");
		# of many some
		killed_at($call, "behind command $_ of $steps", $_)
		  for grep { $steps < 8 || $_ % 8 == 1 || $_ == $steps } 1 .. $steps;
	}
	killed_at($call, 'before COMMIT');
	sql("SET casino.request_memory = 0; SELECT casino.$call");
	kill 'KILL', sql("SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'");
	sleep 0.2;
	recovered();
	is(sql('SELECT string_agg(state, $$ $$ ORDER BY book) FROM casino.book'), $after,
		"$call, killed after COMMIT: done");
	is(sql(q{SELECT count(*) FROM casino_internal.check_guard(current_date, current_date)}), '0',
		'... and the guard finds nothing');
}

killed('turn_book()', 'turned open');
sql('SELECT casino.seal(casino.prague_day(now()) - 1)');
killed('close_book(1)', 'closed open', qw(book_balance book_total book_closing));
sql('SELECT casino.seal(casino.prague_day(now()))');
killed('put_away_book(1)', 'detached open');
killed('attach_book(1)', 'closed open');
is(sql('SELECT count(*) FROM casino.verify()'), '0', 'verify() finds nothing');
is(sql('SELECT casino.rebuild()'), '0', 'and rebuild() changes nothing');
is(sql('SELECT balance FROM casino.player WHERE player_id = 3'), 1000 + $deposits . '.00',
	'each deposit was posted once');
$node->stop;
done_testing();
