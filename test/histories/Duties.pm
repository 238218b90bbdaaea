# Part of the model: the operator's duties to a player (D4 §6, §8; R7.1 to R7.26): exclusions, limits, one
# live table, the break after two hours.
package Duties;
use strict;
use warnings;

my %live = map { $_ => 1 } qw(wheel synot);

# past: how the player played before the history. nearly: a betting sequence of 119 minutes ended five minutes
# ago, so that the next evaluation makes it longer than 120. due: one of 130 minutes ended ten minutes ago.
# rested: it ended sixteen minutes ago. used and lost count on the Prague day of the history.
sub new_player
{
	my ($of) = @_;
	return {
		exclusion => [],
		limit => {},
		used => $of->{used} // 0,
		lost => $of->{lost} // 0,
		nearly => $of->{past} eq 'nearly' ? 1 : 0,
		break => $of->{past} eq 'due' ? 1 : 0,
	};
}

our %call = (
	# Only ever stricter here: a laxer limit waits for seven days
	limit => sub {
		my ($s, $id, $measure, $amount) = @_;
		my $limit = $s->{player}{$id}{limit};
		$limit->{$measure} = $amount if !defined $limit->{$measure} || $amount < $limit->{$measure};
		return { is => 'ok' };
	},
	# R7.16: stakes of rounds in which betting is open go back
	exclude => sub {
		my ($s, $id, $source) = @_;
		my $exclusions = $s->{player}{$id}{exclusion};
		push @$exclusions, { source => $source };
		foreach my $ref (sort keys %{ $s->{round} })
		{
			my $round = $s->{round}{$ref};
			next if $round->{status} ne 'open';
			Model::take_back($s, $round, $_) foreach grep { $_->{player} == $id } Model::standing($round);
			Cards::left_alone($s, $round);
		}
		return { is => scalar @$exclusions };
	},
	# R7.18: of the register or the operator alone, and once
	end_exclusion => sub {
		my ($s, $id, $number, $reason) = @_;
		my $exclusion = Model::numbered($s->{player}{$id}{exclusion}, $number)
			or return { code => ['23503'] };
		return { code => ['KC004'] } if $exclusion->{source} =~ /^(?:self|panic_button)$/;
		return $exclusion->{ended} eq $reason ? { is => 'ok' } : { code => ['55000'] } if $exclusion->{ended};
		$exclusion->{ended} = $reason;
		return { is => 'ok' };
	},
	# explain_break(): by which rule a live round that the player has not joined would refuse a stake
	explain => sub {
		my ($s, $id) = @_;
		my $player = $s->{player}{$id};
		my @why = excluded($player) ? 'KC004' : ();
		push @why, 'KC002' if live_rounds($s, $id);
		push @why, 'KC001' if $player->{break};
		return { any => \@why };
	},
);

sub excluded { return scalar grep { !$_->{ended} } @{ $_[0]{exclusion} } }

# Live rounds that are not evaluated in which the player has a stake
sub live_rounds
{
	my ($s, $id) = @_;
	my @rounds = grep { $live{ $_->{game} } && Model::unevaluated($_) } values %{ $s->{round} };
	return grep { joined($_, $id) } @rounds;
}

sub joined
{
	my ($round, $id) = @_;
	return scalar grep { $_->{player} == $id } Model::standing($round);
}

# The codes by which a stake is refused
sub refuses
{
	my ($s, $id, $round, $stake) = @_;
	my $player = $s->{player}{$id};
	my @code = excluded($player) ? 'KC004' : ();
	# D4 §8.4: a further stake into a round that the player has joined is always taken by these rules
	if ($live{ $round->{game} } && !joined($round, $id))
	{
		push @code, 'KC002' if grep { $_->{table} != $round->{table} } live_rounds($s, $id);
		push @code, 'KC001' if $player->{break};
	}
	push @code, 'KC005' if above_limit($s, $id, $stake);
	return @code;
}

# R7.20 to R7.22: open stakes count as lost until the evaluation
sub above_limit
{
	my ($s, $id, $stake) = @_;
	my ($player, $limit) = ($s->{player}{$id}, $s->{player}{$id}{limit});
	return 0 if $stake == 0;
	return 1 if defined $limit->{stake} && $player->{used} + $stake > $limit->{stake};
	return defined $limit->{net_loss} && lost($s, $id) + $stake > $limit->{net_loss};
}

sub lost
{
	my ($s, $id) = @_;
	my $lost = $s->{player}{$id}{lost};
	foreach my $round (values %{ $s->{round} })
	{
		foreach my $stake (grep { $_->{player} == $id } Model::standing($round))
		{
			$lost += Model::cost($stake) - ($stake->{counts} // 0);
		}
	}
	return $lost;
}

# The evaluation of a live round ends the sequence's last game: where it has come to two hours, a break
sub evaluated
{
	my ($s, $round) = @_;
	return if !$live{ $round->{game} };
	foreach my $id (map { $_->{player} } Model::standing($round))
	{
		$s->{player}{$id}{break} = 1 if $s->{player}{$id}{nearly};
	}
}

1;
