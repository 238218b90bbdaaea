# The books as a state machine of their own, written from the documents and the guides alone: wallets, rounds,
# requests, limits, exclusions, withholding. Amounts are haléře. Nothing here asks the extension.
package Model;
use strict;
use warnings;

my %wins = (17 => { black => 1, odd => 1, 'straight:17' => 35 }, 4 => { black => 1, even => 1 });
my $least = 10_00;

# new(tables => [...], players => {id => balance}): everything as it is before the history
sub new
{
	my ($class, %of) = @_;
	return bless {
		table => { map { $_ => 0 } @{ $of{tables} } },
		player => { map { $_ => new_player($of{players}{$_}) } keys %{ $of{players} } },
		round => {},
	}, $class;
}

sub new_player { return { balance => $_[0], entries => 1, request => {}, excluded => 0, used => 0 } }

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

# post(player, amount): number of the new entry
sub post
{
	my ($player, $amount) = @_;
	$player->{balance} += $amount;
	return ++$player->{entries};
}

# A request that was answered before: its answer, or KL003 for other content
sub answered
{
	my ($player, $key, $content) = @_;
	my $before = $player->{request}{$key} or return;
	return $before->{content} eq $content ? { is => $before->{answer} } : { code => ['KL003'] };
}

# Standing stakes of the player on the bet of a round
sub position
{
	my ($round, $id, $bet) = @_;
	return grep { $_->{player} == $id && $_->{bet} eq $bet && $_->{stands} } @{ $round->{stakes} };
}

sub sum
{
	my $sum = 0;
	$sum += $_->{stake} foreach @_;
	return $sum;
}

# Each call returns { is => answer } after it has changed the state. A refusal is { code => [SQLSTATE...] },
# any of them, and has changed nothing.
my %call = (
	open => sub {
		my ($s, $table, $ref) = @_;
		my $round = $s->{round}{$ref};
		return $round->{table} == $table ? { is => 'ok' } : { code => ['KR002'] } if $round;
		return { code => ['KR002'] } if $s->{table}{$table};
		$s->{round}{$ref} = { table => $table, status => 'open', stakes => [] };
		$s->{table}{$table} = $ref;
		return { is => 'ok' };
	},
	bet => sub {
		my ($s, $ref, $id, $bet, $stake, $key) = @_;
		my ($player, $round) = ($s->{player}{$id}, $s->{round}{$ref});
		my $again = answered($player, $key, "bet $ref $bet $stake");
		return $again if $again;
		return { code => ['23503'] } if !$round;
		my @code;
		push @code, 'KB001' if $round->{status} ne 'open';
		push @code, 'KC004' if $player->{excluded};
		push @code, 'KC002' if second_table($s, $id, $round->{table});
		push @code, 'KL002' if $player->{balance} < $stake;
		push @code, 'KC005' if defined $player->{limit} && $player->{used} + $stake > $player->{limit};
		push @code, 'KB002' if sum(position($round, $id, $bet)) + $stake < $least;
		return { code => \@code } if @code;
		my $entry = post($player, -$stake);
		$player->{used} += $stake;
		push @{ $round->{stakes} },
		  { player => $id, entry => $entry, bet => $bet, stake => $stake, key => $key, stands => 1 };
		$player->{request}{$key} = { content => "bet $ref $bet $stake", answer => $entry };
		return { is => $entry };
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
		$before->{refund} = take_back($s, $stake);
		# R11.3: chips left below the minimum of their position go back, too. The answer names the refunds of
		# the request itself.
		my @left = position($round, $id, $stake->{bet});
		if (sum(@left) < $least) { take_back($s, $_) foreach @left; }
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
		my ($s, $ref, $number, $withhold) = @_;
		my $round = $s->{round}{$ref} or return { code => ['23503'] };
		if (defined $round->{number})
		{
			return $round->{number} == $number ? { is => figures($round) } : { code => ['KR002'] };
		}
		return { code => ['KR002'] } if $round->{status} eq 'voided';
		@$round{qw(number closed)} = ($number, 1);
		$round->{status} = $withhold ? 'withheld' : 'settled';
		$s->{table}{ $round->{table} } = 0;
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
		$round->{status} = 'voided';
		delete $round->{number};
		$s->{table}{ $round->{table} } = 0 if $s->{table}{ $round->{table} } eq $ref;
		my @back = grep { $_->{stands} } @{ $round->{stakes} };
		$round->{counted} = [@back];
		take_back($s, $_) foreach @back;
		return { is => figures($round) };
	},
	deposit => sub {
		my ($s, $id, $amount, $key) = @_;
		my $player = $s->{player}{$id};
		my $again = answered($player, $key, "deposit $amount");
		return $again if $again;
		return { code => ['KC004'] } if $player->{excluded};
		my $entry = post($player, $amount);
		$player->{request}{$key} = { content => "deposit $amount", answer => $entry };
		return { is => $entry };
	},
	withdraw => sub {
		my ($s, $id, $amount, $key) = @_;
		my $player = $s->{player}{$id};
		my $again = answered($player, $key, "withdraw $amount");
		return $again if $again;
		return { code => ['KL002'] } if $player->{balance} < $amount;
		my $entry = post($player, -$amount);
		$player->{request}{$key} = { content => "withdraw $amount", answer => $entry };
		return { is => $entry };
	},
	# only ever stricter here: a laxer limit waits for seven days
	limit => sub {
		my ($s, $id, $amount) = @_;
		my $player = $s->{player}{$id};
		$player->{limit} = $amount if !defined $player->{limit} || $amount < $player->{limit};
		return { is => 'ok' };
	},
	exclude => sub {
		my ($s, $id) = @_;
		$s->{player}{$id}{excluded} = 1;
		foreach my $ref (sort keys %{ $s->{round} })
		{
			my $round = $s->{round}{$ref};
			next if $round->{status} ne 'open';
			take_back($s, $_) foreach grep { $_->{player} == $id && $_->{stands} } @{ $round->{stakes} };
		}
		return { is => 'ok' };
	},
	# a turned book changes nothing that a player or a round can see; 55P03: others held the ledger
	turn => sub { return { is => 'ok' } },
	wallet => sub {
		my ($s, $id) = @_;
		return { is => sprintf '%d %d', @{ $s->{player}{$id} }{qw(balance entries)} };
	},
);

# D4 §8.2: a live stake in an unevaluated round of another table
sub second_table
{
	my ($s, $id, $table) = @_;
	my @rounds = grep { $_->{table} != $table } values %{ $s->{round} };
	@rounds = grep { $_->{status} =~ /^(?:open|closed)$/ } @rounds;
	return grep { $_->{player} == $id && $_->{stands} } map { @{ $_->{stakes} } } @rounds;
}

# Return a stake: the number of its refund
sub take_back
{
	my ($s, $stake) = @_;
	my $player = $s->{player}{ $stake->{player} };
	$stake->{stands} = 0;
	$player->{used} -= $stake->{stake};
	return $stake->{refund} = post($player, $stake->{stake});
}

sub won
{
	my ($round, $stake) = @_;
	my $times = $wins{ $round->{number} }{ $stake->{bet} };
	return defined $times ? $stake->{stake} * (1 + $times) : 0;
}

sub pay
{
	my ($s, $round) = @_;
	foreach my $stake (sort { $a->{entry} <=> $b->{entry} } grep { $_->{stands} } @{ $round->{stakes} })
	{
		my $won = won($round, $stake);
		post($s->{player}{ $stake->{player} }, $won) if $won > 0;
	}
}

# Status, wagers, players, staked and paid as a settlement gives them
sub figures
{
	my ($round) = @_;
	my $void = $round->{status} eq 'voided';
	my @stakes = $void ? @{ $round->{counted} } : grep { $_->{stands} } @{ $round->{stakes} };
	my %player = map { $_->{player} => 1 } @stakes;
	my $paid = 0;
	$paid += $void ? $_->{stake} : won($round, $_) foreach @stakes;
	return join ' ', $round->{status}, scalar @stakes, scalar keys %player, sum(@stakes), $paid;
}

# accept(op, answer): the state after the call if it can have given this answer, else nothing.
# An answer that was never heard (undef) fits every answer of the call.
sub accept
{
	my ($self, $op, $answer) = @_;
	my $next = $self->copy;
	my $given = $call{ $op->{call} }->($next, @{ $op->{args} });
	return $next if !defined $answer;
	# "run it again": nothing has happened
	return $self if $answer =~ /^error (?:40001|40P01|55P03)$/;
	return $answer eq $given->{is} ? $next : () if defined $given->{is};
	return scalar(grep { $answer eq "error $_" } @{ $given->{code} }) ? $self : ();
}

# The answer of the model, for the report
sub expected
{
	my ($self, $op) = @_;
	my $given = $call{ $op->{call} }->($self->copy, @{ $op->{args} });
	return defined $given->{is} ? $given->{is} : 'error ' . join ' or ', @{ $given->{code} };
}

1;
