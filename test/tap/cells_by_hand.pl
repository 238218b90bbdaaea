# Shared boxes and Casino Hold'em at random, with outcomes right and wrong, on one server and on two databases
# used as cells by hand: the same verdict on every stake, deal and outcome (of cells: the refusal of any), and
# the same ledgers (R13.9, R13.11).
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $seed = $ENV{CELLS_SEED} // 7;
my $rounds = $ENV{CELLS_ROUNDS} // 60;
srand($seed);
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "fsync = off\njit = off\ncasino.clock_skew = -1");
$node->start;

# ----------------------------------------------------------------------- one server, two cells
my (%session, %last);
my @dbs = ('one', 'cell0', 'cell1');
for my $db (@dbs)
{
	$node->safe_psql('postgres', "CREATE DATABASE $db");
	$node->safe_psql($db, "CREATE EXTENSION casino; SELECT casino.install();
		SELECT casino.mark_replay('2000-01-01', '2100-12-31', 'a test')");
	$node->safe_psql($db, "SELECT casino.become_cell($1, 2)") if $db =~ /^cell(.)/;
	$node->safe_psql($db, <<'SQL');
CREATE SCHEMA t;
-- "ok" with what a command gives, or its SQLSTATE; "dry": with nothing done
CREATE FUNCTION t.try(command text, dry boolean DEFAULT false) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    given text;
BEGIN
    EXECUTE command INTO given;
    IF dry THEN
        RAISE EXCEPTION USING ERRCODE = 'ZZZZZ';
    END IF;
    RETURN 'ok ' || coalesce(given, '');
EXCEPTION WHEN OTHERS THEN
    RETURN CASE SQLSTATE WHEN 'ZZZZZ' THEN 'ok ' ELSE SQLSTATE END;
END $$;
SQL
	$session{$db} = $node->background_psql($db);
	$session{$db}->query_safe("SET client_min_messages = warning");
}
sub ask
{
	my ($db, $command, $dry) = @_;
	return $session{$db}->query_safe('SELECT t.try($q$' . $command . '$q$, ' . ($dry ? 'true' : 'false')
		. ')');
}
sub cell_of { return 'cell' . $_[0] % 2 }

my ($clock, $request, $number) = (0, 0, 0);
sub at { $clock++; return "'2026-06-01 12:00:00+02'::timestamptz + interval '$clock seconds'" }
my @differ;
sub differ { push @differ, join ' / ', @_; note "round $number: $differ[-1]" }
# a player's request, on the server and in his cell
sub of_player
{
	my ($player, $command) = @_;
	my ($one, $cell) = (ask('one', $command), ask(cell_of($player), $command));
	differ($command, $one, $cell) if $one ne $cell;
	return $one =~ /^ok/;
}
# the hub's: every cell is asked first; done where all agree
sub of_hub
{
	my ($command, $ask) = @_;
	my ($one, @cells) = map { ask($_, $ask // $command, 1) } @dbs;
	my $all = (grep { !/^ok/ } @cells) ? (sort grep { !/^ok/ } @cells)[0] : 'ok ';
	differ($ask // $command, $one, @cells) if $one ne $all;
	return 0 if $one !~ /^ok/ || $all !~ /^ok/;
	my @done = map { ask($_, $command) } @dbs;
	differ($command, @done) if grep { !/^ok/ } @done;
	return 1;
}

my @tables = ([ 'blackjack_all_bets', 'main' ], [ 'blackjack_infinite', 'main' ],
	[ 'blackjack_endless', 'main' ], [ 'casino_holdem', 'ante' ]);
for my $n (1 .. @tables)
{
	ask($_, "SELECT casino.add_game_table('$tables[$n - 1][0]', 'T', 10, 1000, table_id => $n)") for @dbs;
}
my @players = 1 .. 6;
for my $p (@players)
{
	my $at = at();
	for my $db ('one', cell_of($p))
	{
		is(ask($db, "SELECT casino.register_player('p$p')"), "ok $p", "player $p in $db");
		ask($db, "SELECT casino.deposit($p, 1000000, 'd', $at)");
	}
}

# ------------------------------------------------------------------------------------------------ cards
my @shoe;
sub shuffle_decks
{
	my ($decks) = @_;
	@shoe = map { my $r = $_; map { "$r$_" } ('c', 'd', 'h', 's') x $decks } qw(2 3 4 5 6 7 8 9 T J Q K A);
}
sub card { return splice @shoe, int rand @shoe, 1 }
sub low
{
	my ($rank) = @_;
	my @i = grep { $shoe[$_] =~ /^$rank/ } 0 .. $#shoe;
	return splice @shoe, $i[rand @i], 1;
}
sub value { my ($c) = @_; return $c =~ /^[TJQK]/ ? 10 : $c =~ /^A/ ? 1 : substr $c, 0, 1 }
sub total
{
	my $t = 0;
	my $ace = 0;
	for (@_) { $t += value($_); $ace = 1 if /^A/ }
	return $ace && $t <= 11 ? $t + 10 : $t;
}
sub chance { return rand() < $_[0] }
sub play_on
{
	my ($cards, $stop) = @_;
	push @$cards, card() while total(@$cards) < 21 && @$cards < 6 && chance($stop);
}
sub hand
{
	my ($owner, $number, @cards) = @_;
	return '{' . ($owner ? "$owner, " : '') . ($number > 1 ? "\"hand\": $number, " : '') . '"cards": "'
		. join(' ', @cards) . '"}';
}

# Cards as deal() is told them; the common hand is left out where everybody has an own hand
sub document
{
	my ($dealer, $start, $hands, @in) = @_;
	my @told;
	for my $p (sort keys %$hands)
	{
		my $n = 0;
		push @told, map { hand("\"player\": $p", ++$n, @$_) } @{ $hands->{$p} };
	}
	unshift @told, hand('', 1, @$start) if keys %$hands < @in || !@told;
	return sprintf '{"dealer": "%s", "hands": [%s]}', $dealer, join ', ', @told;
}

# A card misread (R11.30): the dealer's, by which all have decided, and their stakes go back or stand;
# or the last card of a player, after all that was staked
my %misread = (dealer => 0, player => 0, flop => 0);
sub correct
{
	my ($round, $cards, $stand) = @_;
	$stand = $stand ? 'true' : 'false';
	return of_hub("SELECT casino.correct_deal($round, '$cards', 'misread', " . at() . ", $stand)");
}
sub misread
{
	my ($round, $dealer, $start, $hands, @in) = @_;
	my $stand = chance(0.4);
	if (chance(0.5) || !%$hands)
	{
		my $card = card();
		return unless correct($round, document($card, $start, $stand ? $hands : {}, @in), $stand);
		$$dealer = $card;
		%$hands = () unless $stand;
		$misread{dealer}++;
		return;
	}
	my $all = document($$dealer, $start, $hands, @in);
	return unless of_hub("SELECT casino.deal($round, '$all', " . at() . ')');
	my ($p) = sort keys %$hands;
	my $seen = $hands->{$p}[0][-1];
	$hands->{$p}[0][-1] = card();
	if (correct($round, document($$dealer, $start, $hands, @in), 0)) { $misread{player}++ }
	else { $hands->{$p}[0][-1] = $seen }
}

# A shared box: what each player did with the same two cards, told for some of them as it was
sub blackjack
{
	my ($round, @in) = @_;
	shuffle_decks(8);
	my @start = chance(0.4) ? (low('8'), low('8')) : chance(0.2) ? (low('A'), low('[TJQK]'))
		: (card(), card());
	my @dealer = (chance(0.3) ? low('A') : chance(0.3) ? low('T') : card());
	return 0 unless of_hub(sprintf "SELECT casino.deal($round, '{\"dealer\": \"%s\", \"hands\": [%s]}', %s)",
		$dealer[0], hand('', 1, @start), at());
	my %hands;
	for my $p (@in)
	{
		my $stake = sub {
			my ($bet, $hand) = @_;
			$request++;
			return of_player($p,
				"SELECT casino.place_bet($round, $p, '$bet', 'r$request', hand => $hand, at => " . at()
				. ")");
		};
		$stake->('insurance@50', 'NULL') if chance(0.4);
		if (chance(0.3) && $stake->('split_pair@100', 2))
		{
			my @two = ([ $start[0], card() ], [ $start[1], card() ]);
			for my $h (0, 1)
			{
				if (chance(0.2) && $stake->('double_down@100', $h + 1)) { push @{ $two[$h] }, card() }
				elsif ($start[0] !~ /^A/) { play_on($two[$h], 0.4) }
			}
			$hands{$p} = \@two;
		}
		elsif (chance(0.3) && $stake->('double_down@100', 'NULL')) { $hands{$p} = [ [ @start, card() ] ] }
		elsif (chance(0.4)) { my @one = @start; play_on(\@one, 0.6); $hands{$p} = [ \@one ] if @one > 2 }
	}
	misread($round, \$dealer[0], \@start, \%hands, @in) if chance(0.4);
	push @dealer, card();
	unless (chance(0.15)) { push @dealer, card() while total(@dealer) < 17 }
	my @told = map {
		my $p = $_;
		my $n = 0;
		map { hand("\"player\": $p", ++$n, @$_) } @{ $hands{$p} }
	} sort keys %hands;
	unshift @told, hand('', 1, @start) unless chance(0.05);
	# something is told wrong, of somebody
	my $wrong = int rand 12;
	if ($wrong == 0 && @told) { splice @told, int rand @told, 1 }
	elsif ($wrong == 1) { push @told, hand('"player": ' . $players[rand @players], 1, @start, card()) }
	elsif ($wrong == 2 && @told) { my $i = int rand @told; my $c = card(); $told[$i] =~ s/"\}$/ $c"}/ }
	elsif ($wrong == 3)
	{
		push @told,
			hand('"players": [' . join(', ', (sort @players)[ 0 .. int rand @players ]) . ']', 1, @start);
	}
	elsif ($wrong == 4) { push @dealer, card() }
	elsif ($wrong == 5) { push @told, hand('"player": ' . (7 + int rand 3), 1, @start) }
	my $outcome = sprintf '{"dealer": "%s", "hands": [%s]}', join(' ', @dealer), join ', ', @told;
	of_hub("SELECT casino.deal($round, '$outcome', " . at() . ')') if chance(0.4);
	return $outcome;
}

sub holdem
{
	my ($round, @in) = @_;
	shuffle_decks(1);
	my @c = map { card() } 1 .. 9;
	return 0 unless of_hub("SELECT casino.deal($round,
			'{\"player\": \"$c[0] $c[1]\", \"board\": \"$c[2] $c[3] $c[4]\"}', " . at() . ')');
	for my $p (@in)
	{
		$request++;
		of_player($p, "SELECT casino.place_bet($round, $p, 'call\@200', 'r$request', at => " . at() . ')')
			if chance(0.3);
	}
	# another flop than the one that they called on
	if (chance(0.3))
	{
		my $seen = $c[2];
		$c[2] = card();
		my $cards = qq({"player": "$c[0] $c[1]", "board": "$c[2] $c[3] $c[4]"});
		$c[2] = $seen unless correct($round, $cards, chance(0.4));
		$misread{flop}++ if $c[2] ne $seen;
	}
	my $board = join ' ', @c[ 2 .. (chance(0.5) ? 4 : 6) ];
	return "{\"player\": \"$c[0] $c[1]\", \"board\": \"$board\", \"dealer\": \"$c[7] $c[8]\"}";
}

# ------------------------------------------------------------------------------------------------ the rounds
my %ended = (settled => 0, refused => 0);
for $number (1 .. $rounds)
{
	my $table = 1 + int rand @tables;
	my ($game, $bet) = @{ $tables[$table - 1] };
	my $at = at();
	ask($_, "SELECT casino.open_round($table, 'r$number', $at, $number)") for @dbs;
	my @in;
	for my $p (@players)
	{
		next unless chance(0.6);
		my @bets = ("$bet\@100");
		push @bets, $bet eq 'ante' ? 'aa@20' : '21+3@10' if chance(0.3);
		$request++;
		push @in, $p
			if of_player($p, "SELECT casino.place_bets($number, $p, '{" . join(',', @bets)
				. "}', 'r$request', at => " . at() . ')');
		of_player($p, "SELECT casino.cancel_bet($number, $p, 'r$request', " . at() . ')') && pop @in
			if @in && $in[-1] == $p && chance(0.05);
	}
	of_hub("SELECT casino.close_betting($number, " . at() . ')');
	my $outcome = $game eq 'casino_holdem' ? holdem($number, @in) : blackjack($number, @in);
	of_hub("SELECT casino.close_actions($number, " . at() . ')');
	my $ended = at();
	# asked first as a hub does, and by the settlement itself
	if ($outcome && of_hub("SELECT casino.check_outcome($number, '$outcome', $ended)")
		&& of_hub("SELECT casino.settle_round($number, '$outcome', $ended)"))
	{
		$ended{settled}++;
	}
	else
	{
		$ended{refused}++;
		of_hub("SELECT casino.settle_round($number, '$outcome', $ended)") if $outcome;
		of_hub("SELECT casino.void_round($number, 'not as it was told', $ended)");
	}
	$clock += 1000;		# no betting sequence
}
is(join("\n", @differ[ 0 .. ($#differ < 9 ? $#differ : 9) ]), '',
	"seed $seed: every verdict is the same on one server and in cells");
cmp_ok($misread{$_}, '>', 0, "$misread{$_} times a card was corrected: $_") for sort keys %misread;
cmp_ok($ended{$_}, '>=', $rounds / 8, "$ended{$_} of $rounds rounds were $_") for sort keys %ended;

# ------------------------------------------------------------------------------- what was paid
my $columns = 'player_id, entry_no, kind, amount, balance, round_id, bet, seat, hand,
	stake_entry_no, grade, request_id, request_line, reason, posted_at';
my $one = $node->safe_psql('one', "SELECT $columns FROM casino.ledger ORDER BY 1, 2");
my $both = join "\n",
	sort { ($a =~ /^(\d+)/)[0] <=> ($b =~ /^(\d+)/)[0]
		|| ($a =~ /^\d+\|(\d+)/)[0] <=> ($b =~ /^\d+\|(\d+)/)[0] }
	map { split /\n/, $node->safe_psql($_, "SELECT $columns FROM casino.ledger ORDER BY 1, 2") } 'cell0',
		'cell1';
cmp_ok(scalar(split /\n/, $one), '>', $rounds * 4, 'there are ledgers to compare');
ok($one eq $both, 'the ledgers of the cells are that of one server') or diag "$one\n----\n$both";
my $sums = 'SELECT round_id, status, wagers, players, staked, paid FROM casino.round ORDER BY 1';
my %sum;
for my $db ('cell0', 'cell1')
{
	for (split /\n/, $node->safe_psql($db, $sums))
	{
		my ($round, $status, @figures) = split /\|/;
		$sum{$round}[0] = $status;
		$sum{$round}[$_ + 1] += $figures[$_] for 0 .. 3;
	}
}
is(join("\n", map { sprintf '%d|%s|%d|%d|%.2f|%.2f', $_, @{ $sum{$_} } } sort { $a <=> $b } keys %sum),
	$node->safe_psql('one', $sums), 'so are the figures of all rounds, added up');
# the guard says that casino.clock_skew is the server's: these books are replayed (R7.63)
is($node->safe_psql($_, q{CALL casino.reconcile('2026-05-31', '2026-06-30');
	SELECT check_name, rule, round_id, player_id, expected, found
	FROM casino.difference
	WHERE rule <> 'setting'}), '', "the night of $_ is clean") for @dbs;
$_->quit for values %session;
done_testing();
