# Part of the model: results found wrong after the evaluation (R11.33 to R11.38): proposed by one person and
# approved by another, each wager's difference posted once, and claims for what a wallet does not have.
package Results;
use strict;
use warnings;

# who calls: the login of the session
our $person;

our %call = (
	correct => sub {
		my ($s, $ref, $outcome, $reason) = @_;
		my $round = $s->{round}{$ref} or return { code => ['23503'] };
		my $all = $round->{correction};
		my $content = "$outcome $reason";
		my $last = $all->[-1];
		# the last one sent again is answered (R13.6 of cards): waiting, or in force
		return { is => scalar @$all } if $last && $last->{content} eq $content && $last->{is} ne 'rejected';
		return { code => ['KR002'] } if !evaluated($round) || waiting($round) || stands($round) eq $outcome;
		return { code => ['KR001'] } if $outcome ne 'void' && !Model::possible($round, $outcome);
		push @$all, { content => $content, outcome => $outcome, by => $person, is => 'waits' };
		return { is => scalar @$all };
	},
	approve => sub {
		my ($s, $ref, $number) = @_;
		my $round = $s->{round}{$ref} or return { code => ['22004'] };
		my $correction = Model::numbered($round->{correction}, $number) or return { code => ['22004'] };
		# approved again: the figures that stand
		return { is => Model::figures($round) } if $correction->{is} eq 'in force';
		return { code => ['KR002'] } if $correction->{is} eq 'rejected';
		my @code = evaluated($round) ? () : 'KR002';
		push @code, '42501' if $correction->{by} == $person;
		push @code, 'KR001' if $correction->{outcome} ne 'void' && !Model::possible($round,
			$correction->{outcome});
		return { code => \@code } if @code;
		$correction->{is} = 'in force';
		put_in_force($s, $round, $correction->{outcome}, "$ref $number");
		return { is => Model::figures($round) };
	},
	reject => sub {
		my ($s, $ref, $number) = @_;
		my $round = $s->{round}{$ref} or return { code => ['22004'] };
		my $correction = Model::numbered($round->{correction}, $number) or return { code => ['22004'] };
		return { code => ['KR002'] } if $correction->{is} eq 'in force';
		$correction->{is} = 'rejected';
		return { is => 'ok' };
	},
	settle_claim => sub {
		my ($s, $id, $number, $how) = @_;
		my $claim = Model::numbered($s->{player}{$id}{claim}, $number) or return { code => ['23503'] };
		return $claim->{ended} eq $how ? { is => 'ok' } : { code => ['55000'] } if $claim->{ended};
		$claim->{ended} = $how;
		return { is => 'ok' };
	},
);

# Has the round a result that can be corrected? Not one that void_round() ended.
sub evaluated
{
	my ($round) = @_;
	return $round->{status} =~ /^(?:settled|withheld)$/ || ($round->{voided_by} // '') eq 'correction';
}

sub waiting { return scalar grep { $_->{is} eq 'waits' } @{ $_[0]{correction} } }

sub stands { return $_[0]{status} eq 'voided' ? 'void' : $_[0]{outcome} }

# Each wager that stood is graded anew. Of a withheld round nothing is posted (R11.33); a void of one gives
# the
# stakes back.
sub put_in_force
{
	my ($s, $round, $outcome, $name) = @_;
	my @stakes = sort { $a->{entry} <=> $b->{entry} } Model::standing($round);
	my $withheld = $round->{status} eq 'withheld';
	$round->{outcome} = $outcome if $outcome ne 'void';
	$round->{status} = $outcome eq 'void' ? 'voided' : $withheld ? 'withheld' : 'settled';
	$round->{voided_by} = $outcome eq 'void' ? 'correction' : undef;
	if ($withheld)
	{
		foreach my $stake (@stakes)
		{
			$stake->{counts} = Model::due($round, $stake, $outcome);
			next if $outcome ne 'void';
			$stake->{got} = Model::cost($stake);
			$stake->{refund} = Model::post($s, $stake->{player}, $stake->{got}, $round);
		}
		return;
	}
	foreach my $id (sort keys %{ $s->{player} })
	{
		my @own = map { [$_, Model::due($round, $_, $outcome)] } grep { $_->{player} == $id } @stakes;
		correct_stakes($s, $round, $id, $name, @own);
	}
}

# R11.35: gifts come first, then as much is taken as the wallet has. R11.36: claims that were paid
# count as given back, those that wait or were waived cover the debt.
sub correct_stakes
{
	my ($s, $round, $id, $name, @own) = @_;
	my $player = $s->{player}{$id};
	my @take;
	foreach my $one (@own)
	{
		my ($stake, $due) = @$one;
		my @claims = grep { $_->{stake} == $stake->{entry} } @{ $player->{claim} };
		my $paid = amount(grep { ($_->{ended} // '') eq 'paid' } @claims);
		my $waived = amount(grep { ($_->{ended} // '') eq 'waived' } @claims);
		my ($open) = grep { !$_->{ended} } @claims;
		my $owed = $stake->{got} - $paid - $due;
		my $uncovered = $owed > $waived ? $owed - $waived : 0;
		if ($owed < 0) { give($s, $round, $id, $stake, -$owed); }
		if ($open && $open->{amount} > $uncovered)
		{
			$open->{ended} = 'corrected';
			claim($s, $id, $stake->{entry}, $uncovered) if $uncovered > 0;
		}
		elsif ($uncovered > ($open ? $open->{amount} : 0))
		{
			push @take, [$stake, $uncovered - ($open ? $open->{amount} : 0)];
		}
	}
	foreach my $one (@take)
	{
		my ($stake, $owed) = @$one;
		my $has = $player->{balance} < $owed ? $player->{balance} : $owed;
		give($s, $round, $id, $stake, -$has) if $has > 0;
		claim($s, $id, $stake->{entry}, $owed - $has) if $owed > $has;
	}
}

sub amount
{
	my $sum = 0;
	$sum += $_->{amount} foreach @_;
	return $sum;
}

# A correction counts in net losses when it is posted (R11.38)
sub give
{
	my ($s, $round, $id, $stake, $amount) = @_;
	$stake->{got} += $amount;
	$stake->{counts} += $amount;
	return Model::post($s, $id, $amount, $round);
}

# A claim is of the wager's book (R12.47)
sub claim
{
	my ($s, $id, $stake, $amount) = @_;
	my $last = $s->{player}{$id}{last_in};
	my ($book) = grep { $last->{$_} >= $stake } sort { $a <=> $b } keys %$last;
	push @{ $s->{player}{$id}{claim} }, { stake => $stake, amount => $amount, book => $book };
}

1;
