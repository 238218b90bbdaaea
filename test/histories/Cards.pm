# Part of the model: hands of two games of blackjack and of Texas Hold'em, whose cards lie in one of two ways.
# Blackjack (D4 with bets behind, D3 with free wagers), seat 1: with A the player has 8 3, draws a king, and
# the dealer goes over 21; with B 9 7 and a four lose to the dealer's 21. Hold'em: seats 1 and 2 are players 1
# and 2; with H the queens of seat 1 win, with I the sevens of seat 2.
package Cards;
use strict;
use warnings;

our %call = (
	# Cards as they fall (R11.11, R11.12, R13.6)
	deal => sub {
		my ($s, $ref, $cards) = @_;
		my $round = $s->{round}{$ref} or return { code => ['23503'] };
		return { is => '' } if grep { $_->{cards} eq $cards } @{ $round->{deal} };
		return { code => ['KR002'] } if $round->{status} ne 'closed';
		return { code => ['KR001'] } if @{ $round->{deal} } || !playable($round, $cards);
		$round->{deal} = [{ cards => $cards, tick => $round->{tick} }];
		return { is => '' };
	},
	# R11.30 to R11.32
	correct_deal => sub {
		my ($s, $ref, $cards, $reason, $stand) = @_;
		my $round = $s->{round}{$ref} or return { code => ['23503'] };
		my $content = "$cards $reason";
		my $last = $round->{deal}[-1];
		my $again = $last && ($last->{content} // '') eq $content;
		return $last->{stand} == $stand ? { is => $last->{returned} } : { code => ['KR002'] } if $again;
		return { code => ['KR002'] } if $round->{status} ne 'closed' || !$last;
		return { code => ['KR002'] } if grep { ($_->{content} // '') eq $content } @{ $round->{deal} };
		return { code => ['KR002'] } if $last->{cards} eq $cards;
		my @back = $stand ? () : grep { $_->{tick} > $last->{tick} && in_play($_) } Model::standing($round);
		my %back = map { $_->{entry} . ' ' . $_->{player} => 1 } @back;
		my @left = grep { !$back{ $_->{entry} . ' ' . $_->{player} } } Model::standing($round);
		return { code => ['KR001'] } if !playable({ %$round, stakes => \@left }, $cards);
		Model::take_back($s, $round, $_) foreach @back;
		push @{ $round->{deal} },
		  { cards => $cards, content => $content, stand => $stand, returned => scalar @back,
		  	tick => $round->{tick} };
		return { is => scalar @back };
	},
	# What would be taken of the doubles, with its amount
	may_play => sub {
		my ($s, $ref, $id) = @_;
		my $round = $s->{round}{$ref} or return { code => ['23503'] };
		return { is => '' } if $round->{status} ne 'closed' || $round->{game} eq 'wheel';
		my $stake = Model::sum(Model::position($round, $id, 'main'));
		my @may;
		foreach my $bet ('double_down', 'free_double')
		{
			my $free = $bet eq 'free_double';
			my @code = refuses($s, $round, $id, $bet, $stake);
			push @code, Duties::refuses($s, $id, $round, $free ? 0 : $stake);
			push @may, "$bet $stake" if !@code && ($free || $s->{player}{$id}{balance} >= $stake);
		}
		return { is => join ',', @may };
	},
	# R6.30, R6.31
	bring => sub {
		my ($s, $ref, $id, $amount, $seat) = @_;
		my $round = $s->{round}{$ref} or return { code => ['23503'] };
		return { code => ['22023'] } if $round->{game} ne 'holdem';
		my $stack = $round->{stack}{$id};
		return { is => '' } if $stack && $stack->{amount} == $amount && $stack->{seat} == $seat;
		my @code = $stack ? 'KB005' : ();
		push @code, 'KB005' if $round->{status} ne 'open' || Duties::joined($round, $id) || taken($round,
			$id, $seat);
		push @code, 'KL002' if $s->{player}{$id}{balance} < $amount;
		return { code => \@code } if @code;
		$round->{stack}{$id} = { amount => $amount, seat => $seat };
		return { is => '' };
	},
);

sub in_play { return $_[0]{bet} =~ /double/ }

sub has
{
	my ($round, $id, $bet) = @_;
	return scalar Model::position($round, $id, $bet);
}

sub mains { return grep { $_->{bet} eq 'main' } Model::standing($_[0]) }

# R3.33: who first has a main bet on the box
sub owner { my ($first) = mains($_[0]); return $first ? $first->{player} : 0 }

# Another player has the seat, by a stake or by chips (R6.13)
sub taken
{
	my ($round, $id, $seat) = @_;
	return 1 if grep { $_->{player} != $id && $_->{player} == $seat } Model::standing($round);
	return scalar grep { $_ != $id && $round->{stack}{$_}{seat} == $seat } keys %{ $round->{stack} // {} };
}

sub within
{
	my ($round, $id, $bet, $stake) = @_;
	my $all = Model::sum(Model::position($round, $id, $bet)) + $stake;
	return $all < Model::least($round) || $all > 1000_00 ? 'KB002' : ();
}

# The codes of the game by which a stake is refused
sub refuses
{
	my ($s, $round, $id, $bet, $stake) = @_;
	my $game = $round->{game};
	return 'KB001' if !Model::unevaluated($round);
	return 'KB004' if $bet eq 'behind' && $game ne 'synot' || $bet =~ /^free/ && $game ne 'free_bet';
	return pot_refuses($s, $round, $id, $stake) if $game eq 'holdem';
	my $open = $round->{status} eq 'open';
	if ($bet !~ /double/)
	{
		my $other = grep { $_->{player} != $id } mains($round);
		my @code = $open ? within($round, $id, $bet, $stake) : 'KB001';
		push @code, 'KB005' if $bet eq 'behind' && !$other || $bet eq 'main' && $game eq 'synot' && $other;
		return @code;
	}
	my $own = Model::sum(Model::position($round, $id, 'main'));
	my @code = $open || !$own ? 'KB005' : ();
	push @code, 'KB005' if doubled($round, $id) || owner($round) != $id && !doubled($round, owner($round));
	push @code, 'KB005' if $bet eq 'free_double' && @{ $round->{deal} } && $round->{deal}[-1]{cards} eq 'B';
	push @code, 'KB002' if $stake != $own;
	return @code;
}

sub doubled { return has(@_[0, 1], 'double_down') || has(@_[0, 1], 'free_double') }

sub pot_refuses
{
	my ($s, $round, $id, $stake) = @_;
	my $has = $s->{player}{$id}{balance};
	my $brought = $round->{stack}{$id};
	my @own = Model::position($round, $id, 'pot');
	my $stack = $brought ? $brought->{amount} : @own ? $own[0]{had} : $has;
	my $all = Model::sum(@own) + $stake;
	my @code = $all > $stack ? 'KB002' : ();
	push @code, 'KB002' if $all < Model::least($round) && $all != $stack && $stake != $has;
	push @code, 'KB005' if taken($round, $id, $id) || $brought && $brought->{seat} != $id;
	return @code;
}

# R3.75, R3.76: the owner's double places that of each bet behind; who lacks the money or must not stake
# stays out
sub follow
{
	my ($s, $round, $id, $bet) = @_;
	return if $round->{game} ne 'synot' || $bet ne 'double_down';
	my %behind = map { $_->{player} => 1 } grep { $_->{bet} eq 'behind' } Model::standing($round);
	foreach my $other (sort keys %behind)
	{
		my $stake = Model::sum(Model::position($round, $other, 'behind'));
		next if $s->{player}{$other}{balance} < $stake || Duties::refuses($s, $other, $round, $stake);
		Model::stake($s, $round, $other, bet => $bet, stake => $stake, key => '', free => 0);
	}
}

# R3.41: bets behind go back when no main bet is left on the box
sub left_alone
{
	my ($s, $round) = @_;
	return if $round->{game} ne 'synot' || mains($round);
	Model::take_back($s, $round, $_) foreach Model::standing($round);
}

# Could the stakes have been played so? A seat with cards has a stake; 16 is not doubled free of charge.
sub playable
{
	my ($round, $cards) = @_;
	return 0 if !mains($round);
	return $cards ne 'B' || !grep { $_->{bet} eq 'free_double' } Model::standing($round);
}

sub possible
{
	my ($round, $outcome) = @_;
	if ($round->{game} eq 'holdem')
	{
		return has($round, 1, 'pot') && has($round, 2, 'pot');
	}
	my $dealt = @{ $round->{deal} } && !defined $round->{first} ? $round->{deal}[-1]{cards} : $outcome;
	return $dealt eq $outcome && playable($round, $outcome);
}

sub due
{
	my ($round, $stake, $outcome) = @_;
	return pot_due($round, $stake, $outcome) if $round->{game} eq 'holdem';
	return 0 if $outcome ne 'A';
	return $stake->{stake} * ($stake->{free} ? 1 : 2);
}

# R6.9, R6.18: what nobody called goes back, the rest to the winner, in one row on the player's first stake
sub pot_due
{
	my ($round, $stake, $outcome) = @_;
	my $id = $stake->{player};
	my @own = Model::position($round, $id, 'pot');
	return 0 if $own[0]{entry} != $stake->{entry};
	my ($mine, $theirs) = (Model::sum(@own), Model::sum(Model::position($round, 3 - $id, 'pot')));
	my $called = $mine < $theirs ? $mine : $theirs;
	return $mine - $called + ($outcome eq ($id == 1 ? 'H' : 'I') ? 2 * $called : 0);
}

1;
