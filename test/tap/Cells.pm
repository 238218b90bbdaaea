# What the tests of cells share: a hub with its cells, an evening of all sixteen games, ledgers to compare.
package Cells;
use strict;
use warnings;
use Exporter 'import';
use Play;
our @EXPORT = qw(make_cell make_hub add_cell evening ledger rounds available findings);

# Is PL/Proxy there?
sub available
{
	my ($node) = @_;
	return $node->safe_psql('postgres',
		q{SELECT count(*) FROM pg_available_extensions WHERE name = 'plproxy'}) == 1;
}

sub roles
{
	my ($node) = @_;
	$node->safe_psql('postgres',
		"DO 'BEGIN CREATE ROLE $_ LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END'")
		for qw(casino_hub game);
}

sub make_cell
{
	my ($node, $db, $cell, $of) = @_;
	roles($node);
	$node->safe_psql('postgres', "CREATE DATABASE $db") if $db ne 'postgres';
	install($node, $db);
	$node->safe_psql($db,
		"SELECT casino.become_cell($cell, $of), casino.grant_access('casino_hub', 'hub'),
			casino.grant_access('game', 'backend')");
}

sub make_hub
{
	my ($node, $db, $of) = @_;
	roles($node);
	$node->safe_psql('postgres', "CREATE DATABASE $db") if $db ne 'postgres';
	$node->safe_psql($db, "CREATE EXTENSION casino$Play::version;
		CREATE EXTENSION plproxy;
		SELECT casino.install_hub($of), casino.grant_access('game', 'backend')");
	# no test ends a round because it is slow
	$node->safe_psql($db, q{UPDATE casino.hub SET betting_time = '1 hour'});
}

sub add_cell
{
	my ($hub, $db, $cell, $node, $at) = @_;
	$hub->safe_psql($db, sprintf "SELECT casino.add_cell(%d, 'host=%s port=%s dbname=%s')", $cell,
		$node->host, $node->port, $at);
}

# Numbers that look random and are the same on every machine
my $state;
sub draw { $state = ($state * 1103515245 + 12345) % 2147483648; return int($state / 65536) % $_[0] }

# psql's script of one evening: nine persons, one or two tables a game, rounds that are settled, voided,
# withheld; every call can be repeated. The first column of what it prints is a label. Persons a .. i; with -v
# home0={"home_cell": 0}, of cells a d g, b e h, c f i.
sub evening
{
	$state = $_[0];
	my @p = qw(a b c d e f g h i);
	my $sql = "\\set VERBOSITY sqlstate\n\\pset tuples_only on\n\\pset format unaligned\n";
	$sql .= "SELECT casino.register_player('person $_') AS $_ \\gset\n" for @p;
	$sql .= "SELECT 'deposit $_', casino.deposit(:$_, 20000, 'first')\n\\g\n" for @p;
	my $n = 0;
	my $table = sub {
		my ($game, $options, $home) = @_;
		$options =~ s/}$/, "home_cell": $home}/ if defined $home;
		my $hub = $options;
		$options =~ s/, "home_cell": \d//;
		$n++;
		return "\\if :hub\n"
		  . "SELECT casino.add_game_table('$game', 'T$n', 10, 5000, '$hub') AS t \\gset\n\\else\n"
		  . "SELECT casino.add_game_table('$game', 'T$n', 10, 5000, '$options') AS t \\gset\n\\endif\n";
	};
	my $round = 0;
	my $open = sub {
		$round++;
		return "SELECT casino.open_round(:t, 'round $round',
			facts => '{\"shoe\": \"s-$round\"}') AS r \\gset\n";
	};
	my $bet = sub {
		my ($who, $bets, $more) = @_;
		$n++;
		return "SELECT '$who $n', casino.place_bets(:r, :$who, '{$bets}', 'q$n'" . ($more // '') . ");\n";
	};
	my $settle = sub {
		my ($what, $more) = @_;
		return "SELECT 'settled', status, wagers, players, staked, paid, house_result
			FROM casino.settle_round(:r, $what" . ($more // '') . ");\n";
	};

	for my $game (qw(roulette_absolute roulette_american roulette_evolution roulette_synot))
	{
		$sql .= $table->($game, '{}');
		for my $i (1 .. 3)
		{
			$sql .= $open->();
			for my $who (@p)
			{
				next if draw(4) == 0;
				my @bets = map {
					(qw(red black odd even low high), 'straight:' . (1 + draw(36)),
						'dozen:' . (1 + draw(3)), 'column:' . (1 + draw(3)))[draw(9)] . '@'
						. 10 * (1 + draw(30)) }
				  1 .. 1 + draw(3);
				my %seen;
				@bets = grep { /^(.*)@/; !$seen{$1}++ } @bets;
				$sql .= $bet->($who, join ',', @bets);
				$sql .= "SELECT 'cancelled', casino.cancel_bet(:r, :$who, 'q$n');\n" if draw(10) == 0;
			}
			$sql .= "SELECT 'closed', casino.close_betting(:r);\n" if draw(2);
			if ($i == 2 && $game eq 'roulette_evolution')
			{
				$sql .= "SELECT 'void', status, wagers, staked, paid
					FROM casino.void_round(:r, 'the ball left the wheel');\n";
			}
			elsif ($i == 2 && $game eq 'roulette_synot')
			{
				$sql .= $settle->("'{\"number\": " . draw(37) . "}'",
					", withhold => true, withhold_reason => 'under review'");
				$sql .= "SELECT 'paid', status, paid FROM casino.pay_withheld(:r);\n";
			}
			else { $sql .= $settle->("'{\"number\": " . draw(37) . "}'") }
		}
	}

	$sql .= $table->('baccarat', '{}');
	for my $cards ('{"player": "9h Kd", "banker": "7c Js"}', '{"player": "2h 3d", "banker": "9c Js"}',
		'{"player": "4h 4d", "banker": "8c Ks"}')
	{
		$sql .= $open->();
		$sql .= $bet->($_, (qw(player banker tie))[draw(3)] . '@' . 10 * (5 + draw(40)) . ',player_pair@20')
			for @p;
		$sql .= $settle->("'$cards'");
	}

	# boxes: the table's players have one home
	my $home = 0;
	for my $game (qw(blackjack_classic blackjack_czech_casinos blackjack_evolution blackjack_free_bet
		blackjack_house blackjack_synot))
	{
		my ($x, $y) = @p[$home, $home + 3];
		$sql .= $table->($game, '{"seats": 5}', $home);
		$sql .= $open->();
		$sql .= $bet->($x, 'main@200', ', seat => 1') . $bet->($y, 'main@100', ', seat => 3');
		$sql .= "SELECT 'closed', casino.close_betting(:r);\nSELECT 'dealt',
			casino.deal(:r, '{\"dealer\": \"6h\", \"hands\": [{\"seat\": 1, \"cards\": \"5c 6d\"},
				{\"seat\": 3, \"cards\": \"9c 9d\"}]}');\n";
		$sql .= $bet->($x, $game eq 'blackjack_free_bet' ? 'free_double@200' : 'double_down@200',
			', seat => 1, hand => 1');
		$sql .= $settle->(q('{"dealer": "6h Tc 5s", "hands": [{"seat": 1, "cards": "5c 6d 9h"},
			{"seat": 3, "cards": "9c 9d"}]}'));
		$sql .= $open->() . $bet->($x, 'main@150', ', seat => 2');
		$sql .= $settle->(q('{"dealer": "Th 9c", "hands": [{"seat": 2, "cards": "Ks Qd"}]}'));
		$home = ($home + 1) % 3;
	}

	# one box for everybody, hands of their own where they drew
	for my $game (qw(blackjack_all_bets blackjack_endless blackjack_infinite))
	{
		$sql .= $table->($game, '{}');
		$sql .= $open->();
		$sql .= $bet->($_,
			'main@' . ($_ eq 'b' ? 100 : 10 * (5 + draw(20)))
			. ($game eq 'blackjack_all_bets' && $_ ne 'b' ? '' : ',21+3@20')) for @p[0 .. 6];
		$sql .= "SELECT 'closed', casino.close_betting(:r);\nSELECT 'dealt',
			casino.deal(:r, '{\"dealer\": \"6h\", \"hands\": [{\"cards\": \"5c 6d\"}]}');\n";
		$sql .= $bet->('b', 'double_down@100', ', hand => 1');
		$sql .= $settle->(q(format('{"dealer": "6h Tc 5s", "hands": [{"cards": "5c 6d 7s"},
			{"player": %s, "cards": "5c 6d Th"},
			{"players": [%s, %s], "cards": "5c 6d 4s 2h"}]}', :b, :c, :d)::jsonb));
	}

	$sql .= $table->('casino_holdem', '{}') . $open->();
	$sql .= $bet->($_, 'ante@' . 10 * (5 + draw(10)) . ',aa@20') for @p;
	$sql .= "SELECT 'closed', casino.close_betting(:r);\nSELECT 'dealt',
		casino.deal(:r, '{\"player\": \"As Ks\", \"board\": \"Qs Js 2s\"}');\n";
	$sql .= "SELECT 'actions', casino.close_actions(:r);\n";
	$sql .= $settle->(q('{"player": "As Ks", "board": "Qs Js 2s", "dealer": "4h 4d"}'));
	$sql .= $open->() . $bet->('e', 'ante@100') . $bet->('f', 'ante@100');
	$sql .= "SELECT 'closed', casino.close_betting(:r);\n" . $bet->('e', 'call@200');
	$sql .= $settle->(q('{"player": "As Ks", "board": "Qs Js Ts 2d 3c", "dealer": "4h 4d"}'));

	$sql .= $table->('holdem_cash_25_50', '{"seats": 9}', 1) . $open->();
	$sql .= $bet->('b', 'pot@50', ', seat => 1') . $bet->('e', 'pot@50', ', seat => 2');
	$sql .= "SELECT 'closed', casino.close_betting(:r);\n";
	$sql .= $settle->(q('{"button": 1, "seats": [{"seat": 1}, {"seat": 2, "folded": true}]}'));
	$sql .= "SELECT 'withdrawal $_', casino.request_withdrawal(:$_, 100, 'cash', 'w') IS NOT NULL;\n" for @p;
	return $sql;
}

# Every entry by what it says: persons by name, tables and rounds by name, numbers of players left out
sub ledger
{
	my ($node, @dbs) = @_;
	my %lines;
	for my $db (@dbs)
	{
		$lines{$_}++ for split /\n/,
			(ref $db ? $db->[0] : $node)->safe_psql(ref $db ? $db->[1] : $db, <<'SQL');
SELECT p.external_ref, l.entry_no, l.kind, l.amount, g.game, t.name, r.round_ref, l.bet, l.seat, l.hand,
       l.stake_entry_no, l.grade, l.request_id, l.reason, l.balance
  FROM casino.ledger l
  JOIN casino.player p USING (player_id)
  LEFT JOIN casino.round r USING (round_id)
  LEFT JOIN casino.game_table t USING (table_id)
  LEFT JOIN casino.game g USING (game)
SQL
	}
	return join "\n", sort map { ($_) x $lines{$_} } keys %lines;
}

# What the checks of the night find, also of the day that is not over
sub findings
{
	my ($node, $db) = @_;
	return join "\n", grep { $_ ne '' } split /\n/, $node->safe_psql($db, <<'SQL');
SELECT format('SELECT %L, f.* FROM %s((now() AT TIME ZONE ''Europe/Prague'')::date - 1,
    (now() AT TIME ZONE ''Europe/Prague'')::date) f', p.proname, p.oid::regproc)
  FROM pg_proc p
 WHERE p.pronamespace = ANY (casino_internal.schemas())
   AND p.prorettype = 'casino.finding'::regtype
   AND p.proargtypes = '1082 1082'::oidvector
\gexec
SQL
}

# Rounds of a database as they ended
sub rounds
{
	my ($node, $db) = @_;
	return $node->safe_psql($db, <<'SQL');
SELECT r.round_id, r.table_id, r.round_ref, r.status, r.opened_at, r.betting_closed_at, r.actions_closed_at,
       r.evaluated_at, r.outcome, r.void_reason, r.void_ground, r.withheld_ground, r.facts
  FROM casino.round r
 ORDER BY 1
SQL
}

# Hubs and cells as databases of one server, where a snapshot is a copy of the database and a hub reaches a
# cell while its role may connect there.
package Cells::World;
use IPC::Run ();
use Time::HiRes qw(sleep);

sub new
{
	my ($class, $node, $of) = @_;
	my $self = bless { node => $node, n => 0, of => $of // 2 }, $class;
	$node->safe_psql('postgres', "CREATE ROLE $_ LOGIN") for qw(casino_hub2);
	Cells::make_cell($node, "cell$_", $_, $self->{of}) for 0, 1;
	Cells::make_hub($node, 'hub', $self->{of});
	for my $cell (qw(cell0 cell1))
	{
		$node->safe_psql($cell, "SELECT casino.grant_access('casino_hub2', 'hub');
			REVOKE CONNECT ON DATABASE $cell FROM PUBLIC;
			GRANT CONNECT ON DATABASE $cell TO casino_hub, casino_hub2, game");
	}
	Cells::add_cell($node, 'hub', $_, $node, "cell$_") for 0, 1;
	$self->{table} = $self->sql('hub', q{SELECT casino.add_game_table('roulette_american', 'T', 10, 5000)});
	my @all = split /\n/,
		$self->sql('hub', q{SELECT casino.register_player('p' || n) FROM generate_series(1, 4) n});
	$self->sql('hub', "SELECT casino.deposit($_, 10000, 'first')") for @all;
	$self->{players} = [ (grep { $_ % 2 == 0 } @all)[0], (grep { $_ % 2 } @all)[0],
		(grep { $_ % 2 == 0 } @all)[1], (grep { $_ % 2 } @all)[1] ];
	$self->steps($_) for qw(hub cell0 cell1);
	return $self;
}
sub players { return @{ $_[0]{players} } }
sub table { return $_[0]{table} }
# Steps at which a session can be held: it looks until public.hold is empty again
sub steps
{
	my ($self, $db) = @_;
	$self->{node}->safe_psql($db, q{CREATE TABLE public.hold (step text);
		CREATE FUNCTION public.hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			WHILE EXISTS (SELECT FROM public.hold WHERE step = TG_ARGV[0]) LOOP
			PERFORM pg_sleep(0.02);
			END LOOP;
			RETURN NEW;
			END $$;}
		. ($db =~ /hub/
			? q{CREATE TRIGGER zz_hold AFTER INSERT ON casino.hub_decision FOR EACH ROW
				WHEN (NEW.call IN ('settle_round', 'close_betting')) EXECUTE FUNCTION public.hold('decide')}
			: q{CREATE TRIGGER zz_hold AFTER UPDATE ON casino.round FOR EACH ROW
				WHEN (NEW.status = 'settled') EXECUTE FUNCTION public.hold('settle');
				CREATE TRIGGER zz_hold_close AFTER UPDATE ON casino.round FOR EACH ROW
					WHEN (NEW.status = 'closed'
						AND OLD.status = 'open') EXECUTE FUNCTION public.hold('close')}));
}
sub hold { my ($self, $db, $step) = @_; $self->sql($db, "INSERT INTO public.hold VALUES ('$step')") }
sub let_go { my ($self, $db) = @_; $self->sql($db, 'DELETE FROM public.hold') }
sub waits
{
	my ($self, $db) = @_;
	$self->{node}->poll_query_until('postgres',
		"SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = '$db' AND wait_event = 'PgSleep')")
		or die "nobody waits in $db";
}
sub sql
{
	my ($self, $db, $sql) = @_;
	if ($db ne 'postgres' && $self->{keeps})
	{
		my ($out, $err) = $self->ask($db, $sql);
		die "$db: $sql: $err" if $err =~ /ERROR:/;
		return $out;
	}
	return $self->{node}->safe_psql($db, "SET client_min_messages = error; $sql") if $db ne 'postgres';
	# one session for what is done to databases and roles
	if (!$self->{admin})
	{
		$self->{admin} = $self->{node}->background_psql('postgres');
		# its time is that of a query, not of all seeds
		$self->{admin}->set_query_timer_restart;
		$self->{admin}->query_safe('SET client_min_messages = error');
	}
	return $self->{admin}->query_safe($sql);
}
# With keep_sessions() each database has one session that goes on until somebody must not be there: most of
# the time of a call at a hub is that of its connections, and of theirs to the cells
sub keep_sessions { $_[0]{keeps} = 1 }
sub ask
{
	my ($self, $db, $sql) = @_;
	for my $attempt (1, 2)
	{
		my $s = $self->{session}{$db};
		if (!$s)
		{
			$s = $self->{session}{$db} = $self->{node}->background_psql($db, on_error_stop => 0);
			$s->set_query_timer_restart;
			$s->query("\\set VERBOSITY verbose\nSET client_min_messages = error;");
		}
		$s->{stderr} = '';
		my ($out) = eval { $s->query("$sql;") };
		return ($out, $s->{stderr}) if !$@;
		# its backend was ended
		delete $self->{session}{$db};
	}
	die "$db: no session";
}
sub leave
{
	my ($self, $db) = @_;
	my $s = delete $self->{session}{$db} or return;
	eval { $s->quit };
}
sub restart
{
	my ($self) = @_;
	eval { $self->{admin}->quit } if $self->{admin};
	delete $self->{admin};
	$self->{node}->restart('immediate');
}
# "SQLSTATE: message" of the error, nothing where no error came
sub refused
{
	my ($self, $db, $sql) = @_;
	my (undef, undef, $err) = $self->{node}->psql($db,
		"\\set VERBOSITY verbose\nSET client_min_messages = error;\n$sql")
		if !$self->{keeps};
	(undef, $err) = $self->ask($db, $sql) if $self->{keeps};
	return $err =~ /ERROR:  (.*)/s ? $1 : '';
}
sub background
{
	my ($self, $db, $sql) = @_;
	my $run = { out => '', err => '' };
	$run->{h} = IPC::Run::start([ 'psql', '-XAtq', '-v', 'VERBOSITY=verbose', '-d',
		$self->{node}->connstr($db), '-c', 'SET client_min_messages = error', '-c', $sql ], '<', '/dev/null',
		'>', \$run->{out}, '2>',
		\$run->{err});
	return $run;
}
sub finish { my ($self, $run) = @_; $run->{h}->finish; return $run->{out} . $run->{err} }
sub open
{
	my ($self, $name, $table, $hub) = @_;
	return $self->sql($hub // 'hub', sprintf "SELECT casino.open_round(%d, '%s %d')",
		$table // $self->{table}, $name, ++$self->{n});
}
sub stake
{
	my ($self, $hub, $round, @players) = @_;
	$self->sql($hub, "SELECT casino.place_bet($round, $_, 'red\@100', 's$round')") for @players;
}
sub idle
{
	my ($self, $db, $role) = @_;
	$self->leave($db) if !$role;
	my $who = $role ? "AND usename = '$role'" : '';
	# each call has a snapshot of the statistics of its own
	for (1 .. 6000)
	{
		last if $self->sql('postgres',
			"SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '$db' $who") == 0;
		sleep 0.02;
	}
}
sub cut
{
	my ($self, $role, $cell) = @_;
	$self->sql('postgres', "REVOKE CONNECT ON DATABASE $cell FROM $role");
	$self->idle($cell, $role);
}
sub heal { my ($self, $role, $cell) = @_; $self->sql('postgres', "GRANT CONNECT ON DATABASE $cell TO $role") }
# A copy of a hub that reaches the cells under its own role
sub copy_hub
{
	my ($self, $from, $to, $role) = @_;
	$self->idle($from);
	$self->sql('postgres', "CREATE DATABASE $to TEMPLATE $from STRATEGY file_copy");
	$self->sql($to, "ALTER USER MAPPING FOR CURRENT_USER SERVER casino_cells OPTIONS (SET user '$role')");
	$self->sql($to, 'SELECT casino.install_hub()');
}
sub drop { my ($self, $db) = @_; $self->idle($db); $self->sql('postgres', "DROP DATABASE $db") }
# The owner's word to a hub that has heard of another one
sub make_hub_again
{
	my ($self, $hub) = @_;
	$self->refused($hub, 'SELECT casino.catch_up()');
	$self->sql($hub, "SELECT casino.$_()") for qw(install_hub catch_up);
}
sub snapshot
{
	my ($self, $db) = @_;
	$self->idle($db);
	$self->sql('postgres', "DROP DATABASE IF EXISTS ${db}_snapshot");
	$self->sql('postgres', "CREATE DATABASE ${db}_snapshot TEMPLATE $db STRATEGY file_copy");
}
# The database becomes its snapshot again, at the same address
sub put_back
{
	my ($self, $db, $keep) = @_;
	my @roles =
		grep { $self->sql('postgres',
			"SELECT has_database_privilege('$_', '$db', 'CONNECT')") eq 't' } qw(casino_hub casino_hub2 game);
	$self->idle($db);
	$self->sql('postgres', "DROP DATABASE $db");
	$self->sql('postgres', $keep ? "CREATE DATABASE $db TEMPLATE ${db}_snapshot STRATEGY file_copy"
		: "ALTER DATABASE ${db}_snapshot RENAME TO $db");
	$self->sql('postgres', "REVOKE CONNECT ON DATABASE $db FROM PUBLIC") if $db =~ /cell/;
	$self->sql('postgres', "REVOKE CONNECT ON DATABASE $db FROM casino_hub, casino_hub2") if $db =~ /cell/;
	$self->heal($_, $db) for @roles;
}
# What a hub, its cells and their books must show when everything is up and has been told; '' when they do
sub judge
{
	my ($self, $hub, $quick) = @_;
	my @wrong;
	my $day = q{(now() AT TIME ZONE 'Europe/Prague')::date};
	push @wrong, map { "waits: $_" } split /\n/,
		$self->sql($hub,
			'SELECT decision_no, cell, code, message FROM casino.hub_answer WHERE answered_at IS NULL');
	push @wrong, $quick ? () : map { "problem: $_" } split /\n/,
		$self->sql($hub, 'SELECT cell, problem FROM casino.cell_status WHERE problem IS NOT NULL');
	my $differ = $quick ? '[]' : $self->sql($hub, "SELECT casino.all_report($day) -> 'rounds_that_differ'");
	push @wrong, "differ: $differ" if $differ ne '[]';
	for my $cell (qw(cell0 cell1))
	{
		my $broken = Play::broken($self->{node}, $cell);
		push @wrong, "$cell: $broken" if $broken ne '';
		# all that the hub has is there, at the hub's times
		# R13.3: voided, closed at betting_until by itself
		my $as = q{round_id, status, CASE WHEN status <> 'voided' THEN betting_closed_at END, outcome};
		my %has = map { (split /\|/, $_, 2) } split /\n/, $self->sql($cell, "SELECT $as FROM (SELECT r.*,
			r.outcome_document AS told FROM casino.round r) r" =~ s/, outcome FROM/, told FROM/r);
		for my $line (split /\n/,
			$self->sql($hub, "SELECT $as FROM casino.hub_round WHERE status <> 'withdrawn'"))
		{
			my ($round, $rest) = split /\|/, $line, 2;
			push @wrong, "$cell: round $round is " . ($has{$round} // 'missing') . ", at the hub $rest"
				if ($has{$round} // '') ne $rest;
		}
	}
	return join "\n", @wrong;
}

1;
