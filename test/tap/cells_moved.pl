# Players who move from one cell to another: what goes with them, refusals, kill -9 of the hub and of either
# cell at each step.
# Nothing is lost and nothing doubled, and no limit, exclusion or count is left behind.
# long: servers killed over and over
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use IPC::Run ();
use Time::HiRes qw(sleep);
use Play;
use Cells;

my %node;
for my $name (qw(hub cell0 cell1))
{
	$node{$name} = PostgreSQL::Test::Cluster->new($name);
	$node{$name}->init;
	# play of yesterday is entered today
	$node{$name}->append_conf('postgresql.conf',
		"fsync = off\njit = off\nshared_buffers = 32MB\nautovacuum = off\ncasino.clock_skew = -1");
	$node{$name}->start;
}
plan skip_all => 'PL/Proxy is not installed (Debian: postgresql-15-plproxy)' unless available($node{hub});
make_cell($node{"cell$_"}, 'postgres', $_, 2) for 0, 1;
make_hub($node{hub}, 'postgres', 2);
add_cell($node{hub}, 'postgres', $_, $node{"cell$_"}, 'postgres') for 0, 1;
$node{$_}->safe_psql('postgres', q{SELECT casino.mark_replay(casino.prague_day(now()) - 3,
	casino.prague_day(now()) - 1, 'a test')}) for qw(cell0 cell1);

sub sql
{
	my ($name, $sql) = @_;
	return $node{$name}->safe_psql('postgres', "SET client_min_messages = error; $sql");
}
sub hub { return sql('hub', @_) }
my $then = q{clock_timestamp() - interval '26 hours'};
sub refused { my ($name, $sql) = @_; return error($node{$name}, 'postgres', $sql) }

my $table = hub(q{SELECT casino.add_game_table('roulette_american', 'T', 10, 5000)});
# persons of cell 0, each with 1000 CZK since yesterday
my ($n, $rounds) = (0, 0);
sub person
{
	while (1)
	{
		my $ref = 'p' . ++$n;
		my $id = hub("SELECT casino.register_player('$ref')");
		next if $id % 2;
		hub("SELECT casino.deposit($id, 1000, 'first', $then)");
		return ($id, $ref);
	}
}
# one lost stake of yesterday
sub lose
{
	my ($id, $amount, $at) = @_;
	$at //= $then;
	my $round = hub(sprintf "SELECT casino.open_round($table, 'r %d', $at)", ++$rounds);
	hub("SELECT casino.place_bet($round, $id, 'black\@$amount', 'stake $rounds', at => $at)");
	hub(qq{SELECT casino.settle_round($round, '{"number": 1}', $at)});
	return $round;
}

# what an error says, with its details
sub told
{
	my ($name, $sql) = @_;
	my (undef, undef, $err) = $node{$name}->psql('postgres', "\\set VERBOSITY verbose\n$sql");
	return $err;
}
# entries of a player or of all, and the money of everybody
sub entries
{
	my ($name, $id) = @_;
	return sql($name, "SELECT count(*) FROM casino.ledger" . ($id ? " WHERE player_id = $id" : ''));
}
sub wallets
{
	my $sum = 0;
	$sum += sql($_, 'SELECT coalesce(sum(balance), 0) FROM casino.player') for qw(cell0 cell1);
	return sprintf '%.2f', $sum;
}
sub guards { return join "\n", grep { !/check_guard/ } split /\n/, findings($node{$_[0]}, 'postgres') }
sub sound
{
	my ($what) = @_;
	for (qw(cell0 cell1))
	{
		is(broken($node{$_}, 'postgres'), '', "$what: $_ is sound");
		is(guards($_), '', "$what: the checks of the night of $_ find nothing");
	}
}
# yesterday counts in this month, but on the first
my $month = hub("SELECT (casino.prague_month($then) = casino.prague_month(clock_timestamp()))::integer");

# -------------------------------- what goes with a player
my ($id, $ref) = person();
my $first_ref = $ref;
my $lost = lose($id, 100);
hub("SELECT casino.set_limit($id, 'stake', 'month', 300), casino.set_limit($id, 'net_loss', 'day', 80)");
hub("SELECT casino.set_limit($id, 'stake', 'month', 5000)");
hub("SELECT casino.count_other_play($id, 'slots', 30, -30, 'slots 1')");
my $proof = hub("SELECT casino.deposit($id, 1000, 'first', $then)");
my $limits = hub("SELECT * FROM casino.limits_in_force($id) ORDER BY 1, 2");
my $usage = hub("SELECT staked_day, lost_day, staked_month, lost_month
	FROM casino.limit_usage($id, clock_timestamp())");
my $wallets = wallets();
my $moved = hub("SELECT casino.move_player($id, 1)");
is($moved % 2, 1, 'R12.110: a player moves, and has a number of the other cell');
is(hub("SELECT casino.move_player($id, 1)"), $moved, 'called again: the same number');
is(hub("SELECT casino.moved_to($id), casino.moved_to($moved)"), "$moved|$moved", 'which the hub tells');
is(hub("SELECT casino.register_player('$ref')"), $moved, 'and so does a registration of the person');
is(wallets(), $wallets, 'R12.114: all money is there');
is(sql('cell0', "SELECT balance, closed_at IS NOT NULL FROM casino.player WHERE player_id = $id"), '0.00|t',
	'the account there is closed, and empty');
is(sql('cell1', "SELECT balance FROM casino.player WHERE player_id = $moved"), '900.00',
	'the one here has the money');
is(hub("SELECT * FROM casino.limits_in_force($moved) ORDER BY 1, 2"), $limits,
	'R12.113: limits hold as they held, and a laxer one waits as long');
is(hub("SELECT staked_day, lost_day, staked_month, lost_month
	FROM casino.limit_usage($moved, clock_timestamp())"), $usage, 'and have counted as much as they had');
is($usage, $month ? '30.00|30.00|130.00|130.00' : '30.00|30.00|30.00|30.00',
	'which are the stakes and the losses');
is(sql('cell1', "SELECT staked_day, lost_day, staked_month, lost_month
	FROM casino.limit_state WHERE player_id = $moved"), $usage, 'so the next stake is judged by it');
my $round = hub("SELECT casino.open_round($table, 'after')");
like(refused('hub', "SELECT casino.place_bet($round, $moved, 'red\@60', 'too much')"), qr/^KC005/,
	'a stake above the limit of the day is refused after the move');
hub("SELECT casino.place_bet($round, $moved, 'red\@50', 'just')");
is(hub(qq{SELECT wagers FROM casino.settle_round($round, '{"number": 1}')}), 1,
	'up to the limit it is taken');
hub("SELECT casino.set_limit($moved, 'net_loss', 'day', NULL)");
$round = hub("SELECT casino.open_round($table, 'month')");
my $left = 300 - 80 - ($month ? 100 : 0);
like(refused('hub', "SELECT casino.place_bet($round, $moved, 'red\@" . ($left + 0.01) . "', 'm1')"),
	qr/^KC005/, 'nor above that of the month, by a haler');
hub("SELECT casino.void_round($round, 'x')");

# the same counters where the player arrives on the day after, as when a cell was down
sub enters_at
{
	my ($at) = @_;
	return sql('cell1', qq{BEGIN;
		SELECT FROM casino_internal.enter_usage(-1, 'cell 0',
			jsonb_populate_record(NULL::casino.limit_usage,
				'{"day": "2026-11-29", "month": "2026-11-01", "staked_day": 30, "lost_day": 20,
				  "staked_month": 130, "lost_month": 90}'), '$at', now());
		SELECT played_at AT TIME ZONE 'Europe/Prague', round(staked), round(result)
		FROM casino.other_play WHERE player_id = -1 ORDER BY played_at;
		ROLLBACK});
}
like(enters_at('2026-11-29 23:59+01'), qr/^\s*2026-11-28 23:59:00\|100\|-70\n2026-11-29 23:59:00\|30\|-20$/,
	'R12.113: an arrival on the same day has the day and the rest of the month');
like(enters_at('2026-11-30 00:00+01'), qr/^\s*2026-11-29 23:59:00\|130\|-90$/,
	'at midnight the whole month, and nothing for the day');
like(enters_at('2026-12-01 00:00+01'), qr/^\s*2026-11-30 23:59:00\|130\|-90$/,
	'in the next month it counts in the one before');

# -------------------------------- the old number
my $count = entries('cell0') . ' ' . entries('cell1');
is(hub("SELECT casino.deposit($id, 1000, 'first', $then)"), $proof,
	'R12.112: a request of before the move that is sent again has its old answer');
is(hub("SELECT casino.place_bet($lost, $id, 'black\@100', 'stake 1')"), 2, 'a stake, too');
is(hub("SELECT casino.count_other_play($id, 'slots', 30, -30, 'slots 1')"), 1, 'and play elsewhere');
is(entries('cell0') . ' ' . entries('cell1'), $count, 'and posts nothing in either cell');
$round = hub("SELECT casino.open_round($table, 'old number')");
for my $call ("place_bet($round, $id, 'red\@10', 'new')", "deposit($id, 10, 'new')",
	"set_limit($id, 'stake', 'day', 1)",
	"exclude_player($id, clock_timestamp() + interval '1 day', 'self')",
	"count_other_play($id, 'slots', 1, -1, 'new')",
	"may_stake_elsewhere($id, 'slots', 1, 'new 2')", "record_register_check($id, 'excluded')",
	"adjust($id, 10, 'a gift', 'new')")
{
	my ($name) = $call =~ /^(\w+)/;
	for my $at (qw(hub cell0))
	{
		like(told($at, "SELECT casino.$call"),
			qr/ERROR:  KB004: .*player $id has moved to cell 1.*casino\.moved_to\($id\) at the hub/s,
			($name =~ /elsewhere|other_play/ ? 'R12.115: ' : '')
			. "$name() for the old number at $at: the other cell is named");
	}
}
is(sql('cell0', "SELECT accepted, code, reason, data ->> 'cell' FROM casino.try_deposit($id, 10, 'new')"),
	'f|KB004|player_moved|1', 'a program reads it in the values');
like(refused('cell0', "SELECT casino.register_player('$ref')"), qr/^KB004/,
	'no other account of the person is opened there');
is(hub("SELECT count(*)
	FROM casino.player_statement($id, casino.prague_day($then), casino.prague_day(now()))"), 5,
	'the old account tells its entries under its number');
is(entries('cell0') . ' ' . entries('cell1'), $count, 'none of it has posted anything');
hub("SELECT casino.void_round($round, 'x')");
like(refused('hub', "SELECT casino.move_player($id, 0)"), qr/^55000/, 'it does not move anywhere else');
like(refused('hub', "SELECT casino.move_player($moved, 1)"), qr/^22023/, 'nor the new one to its own cell');
like(refused('hub', "SELECT casino.move_player($moved, 7)"), qr/^22023/, 'nor to a cell that is not there');
sound('a move');

# -------------------------------- exclusions
my ($out) = person();
hub("SELECT casino.exclude_player($out, clock_timestamp() + interval '30 days', 'self', $then)");
my $until = hub("SELECT until FROM casino.explain_break($out, clock_timestamp())");
my $there = hub("SELECT casino.move_player($out, 1)");
is(hub("SELECT code, until FROM casino.explain_break($there, clock_timestamp())"), "KC004|$until",
	'R12.113: an exclusion holds after the move');
$round = hub("SELECT casino.open_round($table, 'excluded')");
like(refused('hub', "SELECT casino.place_bet($round, $there, 'red\@10', 'x')"), qr/^KC004/, 'no stake');
like(refused('hub', "SELECT casino.deposit($there, 10, 'x')"), qr/^KC004/, 'and no deposit');
like(refused('hub', "SELECT casino.end_exclusion($there, 1, 'x')"), qr/^KC004/,
	'an exclusion that the player asked for is not ended');
my ($by_law) = person();
hub("SELECT casino.exclude_player($by_law, NULL, 'register')");
my $law = hub("SELECT casino.move_player($by_law, 1)");
like(refused('hub', "SELECT casino.place_bet($round, $law, 'red\@10', 'x')"), qr/^KC004/,
	'one of the register holds, too');
like(refused('cell0', "SELECT casino.end_exclusion($by_law, 1, 'x')"), qr/^KB004/,
	'is not ended under the old number');
like(refused('cell1', "SELECT casino.approve_exclusion_mistake($law, 1, 'x')"), qr/^42501/,
	'nor called a mistake by who keyed it in there');
isnt(hub("SELECT casino.end_exclusion($law, 1, 'the register says so')"), '', 'but by a decision');
isnt(hub("SELECT casino.place_bet($round, $law, 'red\@10', 'x')"), '', 'and then the player plays');
hub("SELECT casino.void_round($round, 'x')");

# who keyed it in first is known by the second account of the person, and by the account after the move
my ($keyed, $kref) = person();
hub("SELECT casino.adjust($keyed, -1000, 'empty', 'empty', $then)");
sql('cell0', "SELECT casino.exclude_player($keyed, NULL, 'operator')");
hub("SELECT casino.close_account($keyed)");
my $keyed_there = hub("SELECT casino.move_player(casino.register_player('$kref'), 1)");
like(refused('cell1', "SELECT casino.approve_exclusion_mistake($keyed_there, 1, 'x')"),
	qr/^42501/, 'R12.113: nor by who keyed it in for a former account');
hub("SELECT casino.close_account($keyed_there)");
my $keyed_since = hub("SELECT casino.register_player('$kref')");
like(refused('cell1', "SELECT casino.approve_exclusion_mistake($keyed_since, 1, 'x')"),
	qr/^42501/, 'also for an account opened since');

# a former account of a person who has moved
my ($former, $fref) = person();
hub("SELECT casino.adjust($former, -1000, 'empty', 'empty', $then)");
hub("SELECT casino.close_account($former)");
my $second = hub("SELECT casino.register_player('$fref')");
my $third = hub("SELECT casino.move_player($second, 1)");
like(told('hub', "SELECT casino.exclude_player($_, NULL, 'register')"), qr/KB004: .*has moved to cell 1/,
	'R12.112: an exclusion asked for by the number of a former account is refused, too') for $former, $second;
like(told('hub', "SELECT casino.count_other_play($former, 'slots', 1, -1, 'f')"), qr/KB004: /,
	'and play elsewhere');
isnt(hub("SELECT casino.exclude_player($third, NULL, 'register')"), '',
	'under the new number it is recorded');

# -------------------------------- hindrances
my ($busy) = person();
sub hinders
{
	my ($word, $what, $id, $to) = @_;
	$id //= $busy;
	$to //= 1;
	my $before = entries('cell0') . entries('cell1');
	like(told('hub', "SELECT casino.move_player($id, $to)"),
		qr/ERROR:  55000: player $id cannot move now.*\b$word: /s, "R12.111: $what");
	is(entries('cell0') . entries('cell1')
		. hub("SELECT count(*) FROM casino.hub_move WHERE player_id = $id"), $before . 0,
		'and nothing has changed');
}
$round = hub("SELECT casino.open_round($table, 'busy', $then)");
hub("SELECT casino.place_bet($round, $busy, 'red\@10', 'busy', at => $then)");
hinders('wagers', 'a player with an open wager stays');
hub(qq{SELECT casino.settle_round($round, '{"number": 2}', $then,
	withhold => true, withhold_reason => 'review')});
hinders('wagers', 'or with withheld winnings');
hub("SELECT casino.void_round($round, 'review')");
hinders('today', 'or whose money was moved today');
($busy) = person();
my $w = hub("SELECT casino.request_withdrawal($busy, 100, 'cash', 'w', $then)");
hinders('withdrawal', 'or who waits for a withdrawal');
hub("SELECT casino.pay_withdrawal($w, $then)");
my $paid = hub("SELECT casino.move_player($busy, 1)");
refused('hub', "SELECT casino.pay_withdrawal($w)");
is(sql('cell0', "SELECT count(*) FROM casino.ledger WHERE player_id = $busy AND kind = 'cash_paid'")
	. sql('cell1', "SELECT count(*), max(amount) FROM casino.ledger WHERE player_id = $paid"), '11|900.00',
	'paid, the player moves; paid again it posts nothing');
($busy) = person();
$w = hub("SELECT casino.request_withdrawal($busy, 100, 'cash', 'w',
	clock_timestamp() - interval '24 hours')");
hub("SELECT casino.pay_withdrawal($w, clock_timestamp() - interval '23 hours 59 minutes')");
hinders('cash', 'or who was paid cash in the hours that count');
for my $edge ([ '24 hours', 1 ], [ '23 hours 59 minutes', 0 ])
{
	my ($e) = person();
	hub("SELECT casino.deposit($e, 5, 'edge', clock_timestamp() - interval '$edge->[0]')");
	if ($edge->[1])
	{
		is(hub("SELECT casino.move_player($e, 1)") % 2, 1, "the last entry $edge->[0] ago: moves");
	}
	else
	{
		hinders('today', "the last entry $edge->[0] ago: stays", $e);
	}
}
($busy) = person();
my $live = hub(q{SELECT casino.add_game_table('roulette_evolution', 'L', 10, 5000)});
$round = hub("SELECT casino.open_round($live, 'live')");
hub("SELECT casino.place_bet($round, $busy, 'red\@10', 'live')");
hub(qq{SELECT casino.settle_round($round, '{"number": 1}')});
like(told('hub', "SELECT casino.move_player($busy, 1)"), qr/today: .*break: /s,
	'or whose betting sequence goes on');
like(told('hub', "SELECT casino.move_player($moved, 0)"), qr/today: /, 'who has just come does not go');
($busy, $ref) = person();
hub("SELECT casino.move_player($busy, 1)");
my $back = hub("SELECT casino.moved_to($busy)");
sql('cell1', "ALTER TABLE casino.player DISABLE TRIGGER player_guard;
	UPDATE casino.player SET last_posted_at = now() - interval '2 days' WHERE player_id = $back;
	ALTER TABLE casino.player ENABLE ALWAYS TRIGGER player_guard");
hinders('returned', 'or who was in that cell lately', $back, 0);
sql('cell1', "ALTER TABLE casino.player DISABLE TRIGGER player_guard;
	UPDATE casino.player
	SET last_posted_at = (SELECT max(posted_at) FROM casino.ledger WHERE player_id = $back)
	WHERE player_id = $back;
	ALTER TABLE casino.player ENABLE ALWAYS TRIGGER player_guard");
my ($closed) = person();
hub("SELECT casino.close_account($closed)") if hub("SELECT casino.adjust($closed, -1000, 'empty', 'empty')");
like(told('hub', "SELECT casino.move_player($closed, 1)"),
	qr/55000: the account of player $closed is closed/, 'a closed account does not move');
like(refused('hub', 'SELECT casino.move_player(99998, 1)'), qr/^23503/, 'nor one that is not there');
like(refused('cell0', 'SELECT casino.move_player(2, 1)'), qr/^55000: this database is no hub/,
	'only a hub moves');
# adjust() would say that the half which leaves was posted, and the money would be in both cells
my ($used, $uref) = person();
like(refused('hub', "SELECT casino.adjust($used, -500, 'moved to cell 1', 'casino: to cell 1', $then)"),
	qr/^22023: .*request "casino: to cell 1" is one of a move/,
	'R12.114: no adjustment gets the request of a move');
hub("SELECT casino.adjust($used, -500, 'moved to cell 1', 'used', $then)");
like(refused('cell0', "BEGIN; ALTER TABLE casino.ledger DISABLE TRIGGER ALL;
		SET LOCAL session_replication_role = replica;
		UPDATE casino.ledger SET request_id = 'casino: to cell 1'
		 WHERE player_id = $used AND request_id = 'used';
		SET LOCAL session_replication_role = origin;
		SELECT casino_internal.leave_cell($used, 1, false, NULL, NULL)"),
	qr/^55000: .*request "casino: to cell 1" was used before/,
	'R12.114: one that has it stands in the way');
is(sql('cell0', "SELECT balance, closed_at FROM casino.player WHERE player_id = $used")
	  . sql('cell1', "SELECT count(*) FROM casino.player WHERE external_ref = '$uref'"),
	'500.00|0', 'and nothing has changed');
is( sql('cell0', qq{SELECT r.code, r.message
		FROM casino.obey(0, 'leave_cell', '{"player_id": $used, "to_cell": 1, "again": true, "told": 900,
			"token": "another"}', epoch => (SELECT last_value FROM casino.hub_epoch_seq)) r}),
	"55000|player $used is another person than the one who has moved",
	'R12.117: a number that is another person\'s by then is not closed');
is(sql('cell0', "SELECT balance, closed_at FROM casino.player WHERE player_id = $used"), '500.00|',
	'and keeps its money');
sound('refusals');

# -------------------------------- kill -9 at each step
for my $name (qw(hub cell0 cell1))
{
	my @at = $name eq 'hub'
	  ? (q{written AFTER INSERT ON casino.hub_move FOR EACH ROW},
		q{left AFTER UPDATE ON casino.hub_move FOR EACH ROW
			WHEN (NEW.left_at IS NOT NULL AND OLD.left_at IS NULL)},
		q{entered AFTER UPDATE ON casino.hub_move FOR EACH ROW
			WHEN (NEW.entered_at IS NOT NULL AND OLD.entered_at IS NULL)})
	  : (q{leaves AFTER UPDATE ON casino.player FOR EACH ROW
			WHEN (NEW.closed_at IS NOT NULL AND OLD.closed_at IS NULL)},
		q{enters AFTER INSERT ON casino.ledger FOR EACH ROW
			WHEN (NEW.request_id LIKE 'casino: from%')});
	$node{$name}->safe_psql('postgres', join "\n",
		q{CREATE TABLE public.hold (step text);
		GRANT SELECT ON public.hold TO PUBLIC;
		CREATE FUNCTION public.hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			WHILE EXISTS (SELECT FROM public.hold WHERE step = TG_ARGV[0]) LOOP
				PERFORM pg_sleep(0.02);
			END LOOP;
			RETURN NEW;
		END $$;},
		map {
			my ($step, $rest) = /^(\w+) (.*)/s;
			"CREATE TRIGGER zz_hold_$step $rest EXECUTE FUNCTION public.hold('$step');"
		} @at);
}
sub background
{
	my ($sql) = @_;
	my $run = { out => '', err => '' };
	$run->{h} = IPC::Run::start([ 'psql', '-XAtq', '-d', $node{hub}->connstr('postgres'), '-c', $sql ],
		'<', '/dev/null', '>', \$run->{out}, '2>', \$run->{err});
	return $run;
}
sub kill9
{
	my ($name) = @_;
	my $postmaster = $node{$name}->{_pid};
	my @backends = split /\n/, $node{$name}->safe_psql('postgres',
		'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
	$node{$name}->kill9;
	kill 9, @backends;
	for my $pid ($postmaster, @backends) { sleep 0.05 while kill 0, $pid }
	sleep 0.2;
}
sub waits
{
	my ($name) = @_;
	$node{$name}->poll_query_until('postgres',
		q{SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep')})
		or die "nobody waits in $name";
}
my %lost;
# from here on each move is an adjustment that would need a second person
hub("SELECT casino.set_duty_rule('adjust_amount', '100', clock_timestamp() + interval '1 s', '7', 'rules'),
	pg_sleep(1.1)");
# The books of one person in both cells: money, accounts that are open, limits there
sub state_of
{
	my ($ref) = @_;
	my (@open, $money);
	for my $cell (qw(cell0 cell1))
	{
		push @open, $cell if sql($cell, "SELECT count(*) FROM casino.player
			WHERE external_ref = '$ref' AND closed_at IS NULL");
		$money += sql($cell, "SELECT coalesce(sum(balance), 0) FROM casino.player
			WHERE external_ref = '$ref'");
	}
	return sprintf '%s %.2f', "@open", $money;
}
# Held at the step in $where, $victim is killed there and started again; then it is called again, or
# catch_up() finishes it.
sub crash
{
	my ($step, $where, $victim, $by) = @_;
	my $what = "$victim killed at $step, $by";
	my ($id, $ref) = person();
	hub("SELECT casino.set_limit($id, 'stake', 'day', 200)");
	my $wallets = wallets();
	# questions before any step go past the cells' steps
	$node{hub}->safe_psql('postgres', "INSERT INTO public.hold VALUES ('written')");
	my $run = background("SELECT casino.move_player($id, 1)");
	waits('hub');
	if ($step ne 'written')
	{
		$node{$where}->safe_psql('postgres', "INSERT INTO public.hold VALUES ('$step')");
		$node{hub}->safe_psql('postgres', "DELETE FROM public.hold WHERE step = 'written'");
		waits($where);
	}
	kill9($victim);
	$node{$victim}->start;
	$node{$where}->safe_psql('postgres', 'DELETE FROM public.hold');
	eval { $run->{h}->finish };
	hub('SELECT * FROM casino.catch_up()') if $by eq 'caught up';
	# a move that was not written down was never decided
	my $number = hub("SELECT casino.move_player($id, 1)");
	is(state_of($ref), 'cell1 1000.00', "$what: the player is in one cell, with the money");
	is(hub("SELECT casino.move_player($id, 1)"), $number, "$what: under one number");
	is(hub("SELECT casino.register_player('$ref')"), $number, "$what: which a registration gives");
	is(wallets(), $wallets, "$what: no money is lost or doubled");
	my @posted = map { sql($_, "SELECT count(*) FROM casino.ledger
		WHERE kind = 'adjustment' AND player_id IN ($id, $number)") } qw(cell0 cell1);
	is("@posted", '1 1', "$what: it was taken once and given once");
	is(hub("SELECT amount FROM casino.limits_in_force($number)
		WHERE measure = 'stake' AND period = 'day'"), '200.00', "$what: the limit is there");
	is(hub('SELECT count(*) FROM casino.cell_status WHERE problem IS NOT NULL'), 0, "$what: nothing waits");
	is(broken($node{$_}, 'postgres'), '', "$what: $_ is sound") for qw(cell0 cell1);
	$lost{$what} = [ 1 - $posted[1], $posted[1] - 1 ];
}
for my $by ('called again', 'caught up')
{
	crash('written', 'hub', 'hub', $by);
	crash('leaves', 'cell0', 'cell0', $by);
	crash('leaves', 'cell0', 'hub', $by);
	crash('left', 'hub', 'hub', $by);
	crash('enters', 'cell1', 'cell1', $by);
	crash('enters', 'cell1', 'hub', $by);
	crash('entered', 'hub', 'hub', $by);
}
sound('crashes');

# -------------------------------- put back
sub keep
{
	my ($name) = @_;
	$node{$name}->stop;
	system('cp', '-a', $node{$name}->data_dir, $node{$name}->data_dir . '.kept') == 0 or die;
	$node{$name}->start;
}
sub put_back
{
	my ($name) = @_;
	$node{$name}->stop('immediate');
	system('rm', '-rf', $node{$name}->data_dir);
	system('cp', '-a', $node{$name}->data_dir . '.kept', $node{$name}->data_dir) == 0 or die;
	$node{$name}->start;
}
sub drop_kept { my ($name) = @_; system('rm', '-rf', $node{$name}->data_dir . '.kept') }
sub catch_up { return hub('SELECT cell, up, waiting, problem FROM casino.catch_up()') }
my $fine = "0|t|0|\n1|t|0|";
for my $which (qw(cell0 cell1 hub))
{
	my ($id, $ref) = person();
	hub("SELECT casino.set_limit($id, 'stake', 'day', 200)");
	keep($which);
	my $number = hub("SELECT casino.move_player($id, 1)");
	my $wallets = wallets();
	put_back($which);
	isnt(hub('SELECT count(*) FROM casino.cell_status WHERE problem IS NOT NULL'), 0,
		"$which put back to before a move: the status says so");
	like(refused('hub', "SELECT casino.register_player('$ref')"), qr/^55000: .*put back/,
		'R12.117: before that the person is not registered anew') if $which eq 'cell1';
	catch_up();
	is(catch_up(), $fine, "R12.116: $which is told again, or learns");
	is(state_of($ref), 'cell1 1000.00', "$which put back: the player is in one cell, with the money");
	is(wallets(), $wallets, "$which put back: all money is there once");
	is(hub("SELECT casino.move_player($id, 1), casino.moved_to($id), casino.register_player('$ref')"),
		"$number|$number|$number", "$which put back: under the same number");
	is(hub("SELECT amount FROM casino.limits_in_force($number)
		WHERE measure = 'stake' AND period = 'day'"), '200.00', "$which put back: with the limit");
	sound("$which put back");
	drop_kept($which);
}
my ($a, $aref);
# the hub was put back to before, while the player is on the way: it learns of the player from the first cell
($a, $aref) = person();
keep('hub');
$node{hub}->safe_psql('postgres', "INSERT INTO public.hold VALUES ('left')");
my $run = background("SELECT casino.move_player($a, 1)");
waits('hub');
kill9('hub');
eval { $run->{h}->finish };
is(state_of($aref), ' 0.00', 'on the way: the player is in no cell');
$node{hub}->start;
put_back('hub');
is(refused('hub', "SELECT casino.register_player('$aref')") =~ /^KB004|^55000/ ? 'refused' : 'taken',
	'refused', 'and is not registered anew');
catch_up();
is(catch_up(), $fine, 'a hub from before the move finishes it');
is(state_of($aref), 'cell1 1000.00', 'R12.116: the player arrives');
is(hub("SELECT casino.register_player('$aref')"), hub("SELECT casino.moved_to($a)"), 'and is known there');
drop_kept('hub');
# a cell that was put back to before, with less money than went
($a, $aref) = person();
keep('cell0');
hub("SELECT casino.deposit($a, 500, 'second', $then)");
my $more = hub("SELECT casino.move_player($a, 1)");
put_back('cell0');
catch_up();
is(state_of($aref), 'cell1 1500.00', 'put back to less money than went: the player keeps what went');
is(sql('cell0', "SELECT balance, closed_at IS NOT NULL FROM casino.player WHERE player_id = $a"), '0.00|t',
	'the account there is closed');
is(sql('cell0', "SELECT f.rule, f.player_id, f.expected, f.found
	FROM casino_internal.check_moves(current_date - 1, current_date + 1) f"),
	"moved|$a|an adjustment of -1500.00|-1000.00", 'R12.118: and the night names the difference');
drop_kept('cell0');
# an account that was opened and has moved since
keep('cell0');
($a, $aref) = person();
my $arrived = hub("SELECT casino.move_player($a, 1)");
put_back('cell0');
isnt(hub('SELECT count(*) FROM casino.cell_status WHERE problem IS NOT NULL'), 0,
	'opened and moved since: the status says that the cell was put back');
catch_up();
is(catch_up(), $fine, 'R12.155: then nothing waits for an account that is not there');
is(hub('SELECT count(*) FROM casino.cell_status WHERE problem IS NOT NULL'), 0, '... says the status, too');
is(hub("SELECT lost_at IS NOT NULL FROM casino.hub_player WHERE player_id = $a"), 't',
	'the hub keeps it as lost');
is(hub("SELECT casino.move_player($a, 1), casino.register_player('$aref')") . ' ' . state_of($aref),
	"$arrived|$arrived cell1 1000.00", 'and the person has the account there');
cmp_ok((person())[0], '>', $a, 'R12.101: nobody else gets the number');
drop_kept('cell0');

# -------------------------------- evidence
for my $in ([ 'cell0', "player $id has moved to cell 1" ], [ 'cell1', "player $moved has moved from cell 0" ])
{
	like(sql($in->[0],
		"SELECT * FROM casino_internal.erasure_obstacles('$first_ref', now() + interval '30 years')"),
		qr/^\Q$in->[1]\E$/m, "R12.119: $in->[0] does not erase the person");
}
my ($late) = person();
hub("SELECT casino.exclude_player($late, NULL, 'operator', clock_timestamp() - interval '10 minutes'),
	casino.set_limit($late, 'stake', 'day', 100, clock_timestamp() - interval '9 minutes')");
hub("SELECT casino.move_player($late, 1)");
is(sql('cell0', "SELECT count(*) FROM casino_internal.check_dated_back(current_date - 1, current_date + 1) f
	WHERE f.player_id = $late"), 2, 'written late in the old cell: two differences there');
is(sql('cell1', "SELECT count(*)
	FROM casino_internal.check_dated_back(current_date - 1, current_date + 1) f"), 0,
	'R12.113: records that have come with a player are not dated back here');
my $day = sql('cell0', 'SELECT casino.prague_day(clock_timestamp())');
for my $cell (qw(cell0 cell1))
{
	sql($cell, "SELECT casino.seal('$day')");
	is(sql($cell, 'SELECT count(*) FROM casino.verify()'), 0, "$cell: the seals stand");
}
is(sql('cell0', "SELECT casino.verify_proof(casino.proof($id, 2),
	(SELECT root FROM casino.day_seal ORDER BY seal_no DESC LIMIT 1))"), 't',
	'an entry of the old account is proved where it is');
is(sql('cell1', "SELECT casino.verify_proof(casino.proof($moved, 1),
	(SELECT root FROM casino.day_seal ORDER BY seal_no DESC LIMIT 1))"), 't',
	'one of the new account where that is');
sql('cell1', "ALTER TABLE casino.account_move DISABLE TRIGGER ALL;
	UPDATE casino.account_move SET amount = 901 WHERE player_id = $moved");
is(sql('cell1', "SELECT rule, expected, found
	FROM casino_internal.check_moves(current_date - 1, current_date + 1)"),
	'moved|an adjustment of 901|900.00', 'R12.118: another amount is a difference');
isnt(sql('cell1', 'SELECT count(*) FROM casino.verify()'), 0, 'the changed row is found');

note(sprintf '%-40s lost %d  doubled %d', $_, @{ $lost{$_} }) for sort keys %lost;
$_->stop('immediate') for values %node;
done_testing();
