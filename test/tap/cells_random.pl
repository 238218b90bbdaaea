# A hub and its cells under faults of two and three at once, drawn from a seed: connections cut, sessions
# killed, cells and hubs put back to a snapshot, a second hub, messages that arrive late. Afterwards
# everything is healed, and judged by what the protocol promises:
#   1 what was answered stands, and nobody was answered otherwise     4 one outcome everywhere
#   2 every cell has what the hub has decided, at its time
#   5 what a superseded hub wrote is not answered
#   3 nothing staked after the close is settled, nothing that lay there is taken back without a breach
#   6 the books of each cell are sound, and no stake that was answered is lost but with a cell
# CELLS_SEEDS: how many seeds, or FIRST-LAST; each is one evening of one round.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play;
use Cells;

my ($first, $last) = ($ENV{CELLS_SEEDS} // 50) =~ /^(\d+)(?:-(\d+))?$/
	or die 'CELLS_SEEDS is a number, or FIRST-LAST';
($first, $last) = (1, $first) if !defined $last;
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "fsync = off\njit = off\nmax_connections = 100\nautovacuum = off");
$node->start;
plan skip_all => 'PL/Proxy is not installed (Debian: postgresql-15-plproxy)' unless available($node);
my $world = Cells::World->new($node);
$world->keep_sessions;
my @players = $world->players;
my $table = $world->table;
my @hubs = qw(hub hub2);
my %role = (hub => 'casino_hub', hub2 => 'casino_hub2');

# numbers that are the same on every machine
my $state;
sub draw { $state = ($state * 1103515245 + 12345) % 2147483648; return int($state / 65536) % $_[0] }
sub one_of { return $_[draw(scalar @_)] }

my ($round, %there, %cut, @acked, %staked, %lost, @log, $clock, %snapshot, @late);
sub say_ { push @log, join ' ', @_ }

# A provider's call at a hub: what was answered is kept with the cells that have it, or the code of the error
sub call
{
	my ($hub, $what, $sql, $value) = @_;
	my ($out, $err) = $world->ask($hub, $sql);
	my ($code) = $err =~ /ERROR:  (\w{5})/;
	say_("$hub $what", $value // '', $code // 'answered');
	return if defined $code;
	my $cells = $world->sql($hub, "SELECT string_agg(a.cell::text, ',')
		  FROM casino.hub_answer a JOIN casino.hub_decision d USING (decision_no)
		 WHERE d.round_id = $round
		   AND d.call = '$what'
		   AND a.answered_at IS NOT NULL
		   AND a.excused_by IS NULL");
	push @acked,
		{ hub => $hub, what => $what, value => $value, cells => [ split /,/, $cells ], clock => ++$clock };
}
sub settle
{
	my ($hub) = @_;
	my $n = 1 + draw(2);
	call($hub, 'settle_round', qq{SELECT status FROM casino.settle_round($round, '{"number": $n}')},
		"settled $n");
}
sub void
{
	my ($hub) = @_;
	call($hub, 'void_round', "SELECT status FROM casino.void_round($round, 'v')", 'voided');
}
sub close_it { my ($hub) = @_; call($hub, 'close_betting', "SELECT casino.close_betting($round)") }
sub stake
{
	my $p = one_of(@players);
	my $cell = 'cell' . $p % 2;
	my $key = "r$round n" . ++$clock;
	my ($out) = $world->ask($cell, "SELECT casino.place_bet($round, $p, 'red\@10', '$key')");
	$staked{$key} = $cell if $out =~ /^\d+$/;
	say_("stake at $cell", $out =~ /^\d+$/ ? 'taken' : 'refused');
	if ($out =~ /^\d+$/ && draw(4) == 0)
	{
		$world->ask($cell, "SELECT casino.cancel_bet($round, $p, '$key')");
		say_('taken back');
	}
}
sub catch_up
{
	my ($hub) = @_;
	my $err = $world->refused($hub, 'SELECT * FROM casino.catch_up()');
	say_("$hub catch_up", $err =~ /^(\w{5})/ ? $1 : 'done');
}
sub act
{
	my $hub = one_of(grep { $there{$_} } @hubs);
	my $n = draw(12);
	return stake() if $n < 3;
	return catch_up($hub) if $n < 6;
	return close_it($hub) if $n < 9;
	return $n < 11 ? settle($hub) : void($hub);
}
my %fault = (
	cut => sub {
		my ($hub, $cell) = (one_of(grep { $there{$_} } @hubs), one_of(qw(cell0 cell1)));
		say_("cut $hub $cell");
		$cut{"$role{$hub} $cell"} = 1;
		$world->cut($role{$hub}, $cell)
	},
	heal => sub {
		for (sort keys %cut)
		{
			my ($role, $cell) = split / /;
			$world->heal($role, $cell);
			delete $cut{$_};
		}
		say_('healed');
	},
	'put back' => sub {
		my $cell = one_of(grep { $snapshot{$_} } qw(cell0 cell1)) // return;
		say_("$cell put back");
		$world->put_back($cell, 1);
		$lost{$cell} = ++$clock
	},
	'hub put back' => sub {
		return if !$snapshot{hub};
		say_('hub put back');
		$world->put_back('hub', 1);
		$world->refused('hub', 'SELECT casino.install_hub()');
		$lost{hub} = ++$clock
	},
	'second hub' => sub {
		return if $there{hub2};
		say_('second hub');
		$world->copy_hub('hub', 'hub2', 'casino_hub2');
		$there{hub2} = 1;
		catch_up('hub2')
	},
	# a session dies where it has written, before it sends, or in a cell
	kill => sub {
		my ($hub, $at) = (one_of(grep { $there{$_} } @hubs), one_of(qw(hub cell0 cell1)));
		$at = $hub if $at eq 'hub';
		my $step = $at =~ /hub/ ? 'decide' : 'close';
		say_("kill $hub at $at");
		$world->hold($at, $step);
		my $run = $world->background($hub, "SELECT casino.close_betting($round)");
		# it gets there, or ends with an error before
		for (1 .. 500)
		{
			last if $world->sql('postgres',
				"SELECT count(*) FROM pg_stat_activity WHERE datname = '$at' AND wait_event = 'PgSleep'") > 0
				|| !$run->{h}->pumpable;
		}
		$world->idle($hub);
		$world->let_go($at, $step);
		eval { $world->finish($run) };
		$world->idle($at);
	},
	# a decision that was sent arrives now
	late => sub {
		my $cell = one_of(qw(cell0 cell1));
		my $hub = one_of(grep { $there{$_} } @hubs);
		push @late, [ $cell, split /\|/, $_, 6 ] for split /\n/, $world->sql($hub,
			"SELECT d.decision_no, d.call, d.table_id,
				(SELECT epoch FROM casino.hub),
				coalesce((SELECT jsonb_object_agg(cell, decision_no)
							FROM casino.hub_told t
							WHERE t.table_id = d.table_id), '{}'), d.arguments
								FROM casino.hub_decision d
								WHERE d.round_id = $round AND casino_internal.hub_stands(d.decision_no)");
		my $m = @late ? one_of(@late) : return;
		my ($to, $no, $call, $of, $epoch, $told, $arguments) = @$m;
		say_("late $call $no at $to:",
			$world->sql($to, "SELECT (a).code
				FROM casino.obey($no, '$call', '$arguments', false, 'late', $epoch, $of, '$told', true) a"));
	},
);
my @sets = ([qw(cut heal)], [ 'cut', 'put back' ], [ 'cut', 'hub put back' ], [ 'cut', 'second hub', 'heal' ],
	[ 'second hub', 'cut', 'late' ], [ 'kill', 'cut', 'heal' ], [ 'kill', 'put back' ],
	[ 'kill', 'second hub' ], [ 'late', 'put back', 'cut' ], [ 'hub put back', 'put back' ],
	[ 'late', 'hub put back', 'kill' ], [ 'put back', 'put back', 'heal' ]);

sub episode
{
	my ($seed) = @_;
	$state = $seed;
	draw(1) for 1 .. 5;
	(%cut, @acked, %staked, %lost, @log, %snapshot, @late) = ();
	%there = (hub => 1);
	$clock = 0;
	my @faults = map { $_ } @{ $sets[ $seed % @sets ] };
	if (grep { /^(hub )?put back$/ } @faults)
	{
		for my $db ((grep { $_ eq 'put back' } @faults) ? one_of(qw(cell0 cell1)) : (),
			(grep { $_ eq 'hub put back' } @faults) ? 'hub' : ())
		{
			$world->snapshot($db);
			$snapshot{$db} = 1;
		}
	}
	$round = $world->open("seed $seed");
	stake() for 1 .. 3;
	for my $fault (@faults)
	{
		act() for 1 .. 1 + draw(3);
		$fault{$fault}->();
	}
	act() for 1 .. 2 + draw(3);
	# all is healed; the first hub is the hub
	$fault{heal}->();
	$world->drop('hub2') if $there{hub2};
	$world->make_hub_again('hub');
	catch_up('hub');
	my $ended = $world->sql('hub',
		"SELECT status IN ('settled', 'voided') FROM casino.hub_round WHERE round_id = $round");
	if ($ended ne 't') { $ended eq '' ? say_('the round is gone') : settle('hub') }
	catch_up('hub');
	return judge();
}

sub judge
{
	my @wrong = grep { $_ ne '' } $world->judge('hub', 'quick');
	my $is = $world->sql('hub',
		"SELECT CASE WHEN status = 'settled' THEN 'settled ' || (outcome ->> 'number') ELSE status END
			FROM casino.hub_round
			WHERE round_id = $round");
	my %ends;
	for my $a (grep { defined $_->{value} } @acked)
	{
		# all cells that had it, and the hub, were put back since
		my $kept = !$lost{hub} || $lost{hub} < $a->{clock}
			|| grep { !$lost{"cell$_"} || $lost{"cell$_"} < $a->{clock} } @{ $a->{cells} };
		next if !$kept;
		$ends{ $a->{value} } = 1;
		push @wrong, "1: answered $a->{value} by $a->{hub}, is $is" if $a->{value} ne $is;
	}
	push @wrong, '4: answered ' . join(' and ', sort keys %ends) if keys %ends > 1;
	for my $cell (qw(cell0 cell1))
	{
		push @wrong, map { "3: $cell: $_" } split /\n/,
			$world->sql($cell,
				"SELECT 'graded after the close: ' || w.entry_no
					FROM casino.wager w
					JOIN casino.round r USING (round_id)
			 WHERE r.round_id = $round AND w.posted_at > r.betting_closed_at AND w.status <> 'refunded';
			SELECT 'taken back after the close: ' || s.entry_no
				FROM casino.ledger f
				JOIN casino.round r USING (round_id)
				JOIN casino.ledger s ON s.player_id = f.player_id AND s.entry_no = f.stake_entry_no
			 WHERE f.round_id = $round
			   AND f.reason = 'cancelled'
			   AND f.posted_at > r.betting_closed_at
			   AND s.posted_at <= r.betting_closed_at
			   AND r.status <> 'voided'
			   AND NOT EXISTS
			     (SELECT
			     FROM casino.breach b
			     WHERE b.player_id = s.player_id
			       AND b.entry_no = s.entry_no
			       AND b.rule = 'taken_back_late')");
		next if $lost{$cell};
		my %has = map { $_ => 1 } split /\n/,
			$world->sql($cell,
				"SELECT request_id FROM casino.ledger WHERE round_id = $round AND kind = 'stake'");
		push @wrong,
			map { "6: stake $_ of $cell is lost" } grep { $staked{$_} eq $cell && !$has{$_} }
			sort keys %staked;
	}
	return join "\n", @wrong;
}

my $wrong = 0;
for my $seed ($first .. $last)
{
	my $found = eval { episode($seed) } // "died: $@";
	is($found, '', "seed $seed: " . join ', ', @{ $sets[ $seed % @sets ] })
		or do { diag(join "\n", @log); last if ++$wrong >= 3 };
}
is($world->judge('hub'), '', 'after all of them hub and cells have no problem and the same rounds')
	if !$wrong;
$node->stop('immediate');
done_testing();
