# The books as a state machine of their own, written from the documents, the readings and the guides alone:
# wallets, requests, rounds, withholding, the ledger's books. Duties, results found wrong and games of cards
# are parts of their own. Amounts are haléře. Nothing here asks the extension.
package Model;
use strict;
use warnings;
use Duties;
use Results;
use Cards;

my %wins = (17 => { black => 1, odd => 1, 'straight:17' => 35 }, 4 => { black => 1, even => 1 });
our %call;

# new(tables => {number => game}, players => {id => {balance, past}}): all as it is before the history.
# A game is wheel or one of Cards.pm.
sub new
{
	my ($class, %of) = @_;
	return bless {
		game => $of{tables},
		table => { map { $_ => 0 } keys %{ $of{tables} } },
		player => { map { $_ => new_player($of{players}{$_}) } keys %{ $of{players} } },
		round => {},
		book => 1,
	}, $class;
}

# requests, withdrawals and claims in the order of their numbers; of each book the last entry in it; up to
# which entry the player is sealed
sub new_player
{
	my ($of) = @_;
	my %own = %{ Duties::new_player($of) };
	return {
		balance => $of->{balance},
		entries => $of->{entries},
		request => { first => { content => "deposit $of->{first}", answer => 1 } },
		withdrawal => [],
		claim => [],
		last_in => { 1 => $of->{entries} },
		sealed => 0,
		%own
	};
}

sub copy { return copy_of($_[0], ref $_[0]) }

sub copy_of
{
	my ($of, $class) = @_;
	return $of if !ref $of;
	return [map { copy_of($_) } @$of] if ref $of eq 'ARRAY';
	my $copy = { map { $_ => copy_of($of->{$_}) } keys %$of };
	return $class ? bless($copy, $class) : $copy;
}

# The state as text, the same for the same state
sub text { return text_of($_[0]) }

sub text_of
{
	my ($of) = @_;
	return '[' . join(',', map { text_of($_) } @$of) . ']' if ref $of eq 'ARRAY';
	return '{' . join(',', map { "$_:" . text_of($of->{$_}) } sort keys %$of) . '}' if ref $of;
	return $of // '-';
}

# post(model, player, amount, round): number of the new entry. A round has business in the books of its
# stakes, refunds and corrections (R12.47).
sub post
{
	my ($s, $id, $amount, $round) = @_;
	my $player = $s->{player}{$id};
	$player->{balance} += $amount;
	$player->{last_in}{ $s->{book} } = ++$player->{entries};
	$round->{book}{ $s->{book} } = 1 if $round;
	return $player->{entries};
}

# A request that was answered before: its answer, or KL003 for other content
sub answered
{
	my ($player, $key, $content) = @_;
	my $before = $player->{request}{$key} or return;
	return $before->{content} eq $content ? { is => $before->{answer} } : { code => ['KL003'] };
}

sub answer
{
	my ($player, $key, $content, $answer) = @_;
	$player->{request}{$key} = { content => $content, answer => $answer };
	return { is => $answer };
}

# Standing stakes of the player on the bet of a round
sub position
{
	my ($round, $id, $bet) = @_;
	return grep { $_->{player} == $id && $_->{bet} eq $bet } standing($round);
}

sub standing { return grep { $_->{stands} } @{ $_[0]{stakes} } }

# The k-th of a list, as the caller counts them
sub numbered { return $_[1] > 0 ? $_[0][$_[1] - 1] : undef }

sub sum
{
	my $sum = 0;
	$sum += $_->{stake} foreach @_;
	return $sum;
}

# D3 §4.1, §5.1: a free wager costs nothing
sub cost { return $_[0]{free} ? 0 : $_[0]{stake} }

sub unevaluated { return $_[0]{status} =~ /^(?:open|closed)$/ }

# A stake that is taken: its entry
sub stake
{
	my ($s, $round, $id, %of) = @_;
	my $entry = post($s, $id, -cost(\%of), $round);
	$s->{player}{$id}{used} += cost(\%of);
	my $tick = ++$round->{tick};
	push @{ $round->{stakes} }, { player => $id, entry => $entry, stands => 1, got => 0, tick => $tick, %of };
	return $entry;
}

# Each call returns { is => answer } after it has changed the state. A refusal is { code => [SQLSTATE...] },
# any of them, and has changed nothing.
%call = (
	%Duties::call, %Results::call, %Cards::call,
	open => sub {
		my ($s, $table, $ref) = @_;
		my $round = $s->{round}{$ref};
		return $round->{table} == $table ? { is => 'ok' } : { code => ['KR002'] } if $round;
		return { code => ['KR002'] } if $s->{table}{$table};
		my $game = $s->{game}{$table};
		$s->{round}{$ref} = { table => $table, game => $game, status => 'open', stakes => [],
			correction => [],
			deal => [], tick => 0 };
		$s->{table}{$table} = $ref;
		return { is => 'ok' };
	},
	bet => sub {
		my ($s, $ref, $id, $bet, $stake, $key) = @_;
		my ($player, $round) = ($s->{player}{$id}, $s->{round}{$ref});
		my $content = "bet $ref $bet $stake";
		my $again = answered($player, $key, $content);
		return $again if $again;
		return { code => ['23503'] } if !$round;
		my $free = $bet =~ /^free/;
		my @code = Duties::refuses($s, $id, $round, $free ? 0 : $stake);
		push @code, 'KL002' if !$free && $player->{balance} < $stake;
		push @code, $round->{game} eq 'wheel' ? wheel_refuses($round, $id, $bet, $stake)
		  : Cards::refuses($s, $round, $id, $bet, $stake);
		return { code => \@code } if @code;
		my %had = $round->{game} eq 'holdem' ? (had => $player->{balance}) : ();
		my $entry = stake($s, $round, $id, bet => $bet, stake => $stake, key => $key, free => $free, %had);
		Cards::follow($s, $round, $id, $bet) if $round->{game} ne 'wheel';
		return answer($player, $key, $content, $entry);
	},
	cancel => sub {
		my ($s, $ref, $id, $key) = @_;
		my ($player, $round) = ($s->{player}{$id}, $s->{round}{$ref});
		return { code => ['23503'] } if !$round;
		my $before = $player->{request}{$key};
		my $same = qr/^(?:bet|gone) \Q$ref\E(?: |$)/;
		return { code => ['KL003'] } if $before && $before->{content} !~ $same;
		return { is => $before->{refund} } if $before && defined $before->{refund};
		# taken back otherwise, by an exclusion: there is nothing more to cancel
		my ($stake) = grep { $_->{player} == $id && $_->{key} eq $key } @{ $round->{stakes} };
		return { is => $stake->{refund} } if $stake && defined $stake->{refund};
		# a request that has not arrived is refused when it does, also when the round has ended
		if (!$stake)
		{
			$player->{request}{$key} = { content => "gone $ref", answer => '', refund => '' };
			return { is => '' };
		}
		return { code => ['KB001'] } if $round->{status} ne 'open';
		$before->{refund} = take_back($s, $round, $stake);
		# R11.3: chips left below the minimum of their position go back, too. The answer names the refunds of
		# the request itself.
		my @left = position($round, $id, $stake->{bet});
		if (sum(@left) < least($round)) { take_back($s, $round, $_) foreach @left; }
		Cards::left_alone($s, $round);
		return { is => $before->{refund} };
	},
	close => sub {
		my ($s, $ref) = @_;
		my $round = $s->{round}{$ref} or return { code => ['23503'] };
		# closed is closed, also after the evaluation
		return $round->{closed} ? { is => '' } : { code => ['KR002'] } if $round->{status} ne 'open';
		@$round{qw(status closed)} = ('closed', 1);
		return { is => '' };
	},
	settle => sub {
		my ($s, $ref, $outcome, $withhold) = @_;
		my $round = $s->{round}{$ref} or return { code => ['23503'] };
		# R11.14, R13.44: the first evaluation says whether it is a repetition, which is answered with what
		# stands
		if (defined $round->{first})
		{
			return $round->{first} eq $outcome ? { is => figures($round) } : { code => ['KR002'] };
		}
		return { code => ['KR002'] } if $round->{status} eq 'voided';
		return { code => ['KR001'] } if !possible($round, $outcome);
		@$round{qw(first outcome closed)} = ($outcome, $outcome, 1);
		$round->{status} = $withhold ? 'withheld' : 'settled';
		evaluate($s, $round);
		pay($s, $round) if !$withhold;
		return { is => figures($round) };
	},
	pay_withheld => sub {
		my ($s, $ref) = @_;
		my $round = $s->{round}{$ref} or return { code => ['23503'] };
		return { is => figures($round) } if $round->{released};
		return { code => ['KR002'] } if $round->{status} ne 'withheld';
		@$round{qw(status released)} = ('settled', 1);
		pay($s, $round);
		return { is => figures($round) };
	},
	void => sub {
		my ($s, $ref) = @_;
		my $round = $s->{round}{$ref} or return { code => ['23503'] };
		return { is => figures($round) } if $round->{status} eq 'voided';
		return { code => ['KR002'] } if $round->{status} eq 'settled';
		void($s, $round);
		return { is => figures($round) };
	},
	deposit => sub {
		my ($s, $id, $amount, $key) = @_;
		my $player = $s->{player}{$id};
		my $again = answered($player, $key, "deposit $amount");
		return $again if $again;
		return { code => ['KC004'] } if Duties::excluded($player);
		return answer($player, $key, "deposit $amount", post($s, $id, $amount));
	},
	withdraw => sub {
		my ($s, $id, $amount, $key) = @_;
		my $player = $s->{player}{$id};
		my $again = answered($player, $key, "withdraw $amount");
		return $again if $again;
		return { code => ['KL002'] } if $player->{balance} < $amount;
		my $entry = post($s, $id, -$amount);
		push @{ $player->{withdrawal} }, { amount => $amount, book => $s->{book} };
		return answer($player, $key, "withdraw $amount", $entry);
	},
	# the payment moves no money of the wallet; it is an entry of the player
	pay_withdrawal => sub { return end_withdrawal(@_[0 .. 2], 'paid') },
	cancel_withdrawal => sub { return end_withdrawal(@_[0 .. 2], 'cancelled') },
	# A turned book changes nothing that a player or a round can see; 55P03: others held the ledger
	turn => sub { $_[0]{book}++; return { is => 'ok' } },
	seal => sub {
		my ($s) = @_;
		$_->{sealed} = $_->{entries} foreach values %{ $s->{player} };
		return { is => 'ok' };
	},
	# R12.47
	close_book => sub {
		my ($s, $book) = @_;
		return { code => ['22023'] } if $book > $s->{book};
		return { is => 'ok' } if $s->{book_closed}{$book};
		return { code => ['55000'] } if $book == $s->{book} || $book > 1 && !$s->{book_closed}{ $book - 1 };
		return { code => ['55000'] } if grep { $_->{book}{$book}
			&& open_business($_) } values %{ $s->{round} };
		foreach my $player (values %{ $s->{player} })
		{
			return { code => ['55000'] } if ($player->{last_in}{$book} // 0) > $player->{sealed};
			my @open = grep { !$_->{ended} && $_->{book} == $book } @{ $player->{withdrawal} },
				@{ $player->{claim} };
			return { code => ['55000'] } if @open;
		}
		$s->{book_closed}{$book} = 1;
		return { is => 'ok' };
	},
	wallet => sub {
		my ($s, $id) = @_;
		return { is => sprintf '%d %d', @{ $s->{player}{$id} }{qw(balance entries)} };
	},
);

sub open_business
{
	my ($round) = @_;
	return $round->{status} !~ /^(?:settled|voided)$/ || Results::waiting($round);
}

# A withdrawal ends once: paid is paid, cancelled is cancelled (KL004)
sub end_withdrawal
{
	my ($s, $id, $number, $how) = @_;
	my $withdrawal = numbered($s->{player}{$id}{withdrawal}, $number) or return { code => ['22004'] };
	my $ended = $withdrawal->{ended};
	return $ended eq $how ? { is => $withdrawal->{answer} } : { code => ['KL004'] } if $ended;
	$withdrawal->{ended} = $how;
	return { is => $withdrawal->{answer} = post($s, $id, $how eq 'paid' ? 0 : $withdrawal->{amount}) };
}

# The table's minimum of the principal bet
sub least { return $_[0]{game} eq 'holdem' ? 25_00 : 10_00 }

# Limits of a position of the wheel: from 10 on; the straight's maximum is the table's, the plan's are far
sub wheel_refuses
{
	my ($round, $id, $bet, $stake) = @_;
	my $all = sum(position($round, $id, $bet)) + $stake;
	my @code = $round->{status} ne 'open' ? 'KB001' : ();
	push @code, 'KB002' if $all < least($round) || $bet =~ /^straight/ && $all > 1000_00;
	return @code;
}

# Return a stake while the round is open: the number of its refund. It was never placed (R7.22).
sub take_back
{
	my ($s, $round, $stake) = @_;
	$stake->{stands} = 0;
	my $cost = cost($stake);
	$s->{player}{ $stake->{player} }{used} -= $cost;
	return $stake->{refund} = post($s, $stake->{player}, $cost, $round);
}

sub possible
{
	my ($round, $outcome) = @_;
	return $round->{game} eq 'wheel' || Cards::possible($round, $outcome);
}

# What a stake gets by an outcome; of a round that is void the stake
sub due
{
	my ($round, $stake, $outcome) = @_;
	my $cost = cost($stake);
	return $cost if $outcome eq 'void';
	return Cards::due($round, $stake, $outcome) if $round->{game} ne 'wheel';
	my $times = $wins{$outcome}{ $stake->{bet} };
	return defined $times ? $cost * (1 + $times) : 0;
}

# The first evaluation: the table is free, the stakes count as won or lost, the sequences as evaluated
sub evaluate
{
	my ($s, $round) = @_;
	$s->{table}{ $round->{table} } = 0;
	$_->{counts} = due($round, $_, $round->{outcome}) foreach standing($round);
	Duties::evaluated($s, $round);
}

# Post payouts that are due and were not posted
sub pay
{
	my ($s, $round) = @_;
	foreach my $stake (sort { $a->{entry} <=> $b->{entry} } standing($round))
	{
		my $won = due($round, $stake, $round->{outcome});
		$stake->{got} = $won;
		post($s, $stake->{player}, $won) if $won > 0;
	}
}

# A void of a round of which nothing was paid: the stakes go back. Those of an open round were never placed;
# after betting closed they were staked and lose nothing (R7.22), and the round counts as evaluated (R7.11).
sub void
{
	my ($s, $round) = @_;
	my $open = $round->{status} eq 'open';
	$s->{table}{ $round->{table} } = 0 if unevaluated($round);
	Duties::evaluated($s, $round) if !$open && !defined $round->{first};
	@$round{qw(status voided_by)} = ('voided', 'void');
	delete $round->{first};
	delete $round->{outcome};
	foreach my $stake (standing($round))
	{
		$stake->{voided} = 1;
		$stake->{stands} = 0 if $open;
		my $cost = cost($stake);
		$stake->{counts} = $stake->{got} = $cost;
		$s->{player}{ $stake->{player} }{used} -= $cost if $open;
		$stake->{refund} = post($s, $stake->{player}, $cost, $round);
	}
}

# Status, wagers, players, staked and paid as a settlement gives them
sub figures
{
	my ($round) = @_;
	my $void = $round->{status} eq 'voided';
	my @stakes = grep { $_->{stands} || $_->{voided} } @{ $round->{stakes} };
	my %player = map { $_->{player} => 1 } @stakes;
	my ($staked, $paid) = (0, 0);
	$staked += cost($_) foreach @stakes;
	$paid += due($round, $_, $void ? 'void' : $round->{outcome}) foreach @stakes;
	return join ' ', $round->{status}, scalar @stakes, scalar keys %player, $staked, $paid;
}

# accept(op, answer): the state after the call if it can have given this answer, else nothing.
# An answer that was never heard (undef) fits every answer of the call.
sub accept
{
	my ($self, $op, $answer) = @_;
	my $next = $self->copy;
	my $given = given($next, $op);
	return $next if !defined $answer;
	# "run it again": nothing has happened
	return $self if $answer =~ /^error (?:40001|40P01|55P03)$/;
	return $answer eq $given->{is} ? $next : () if defined $given->{is};
	# a question: any of the reasons, or ok
	return (@{ $given->{any} } ? grep { $answer eq $_ } @{ $given->{any} } : $answer eq 'ok') ? $self : ()
	  if $given->{any};
	return scalar(grep { $answer eq "error $_" } @{ $given->{code} }) ? $self : ();
}

sub given
{
	my ($s, $op) = @_;
	# the login of the session is one person (R7.60)
	local $Results::person = $op->{session};
	return $call{ $op->{call} }->($s, @{ $op->{args} });
}

# The answer of the model, for the report
sub expected
{
	my ($self, $op) = @_;
	my $given = given($self->copy, $op);
	return join(' or ', @{ $given->{any} }) || 'ok' if $given->{any};
	return defined $given->{is} ? $given->{is} : 'error ' . join ' or ', @{ $given->{code} };
}

1;
