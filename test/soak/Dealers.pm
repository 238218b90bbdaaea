# Part of the soak: dealers, each with own tables. Rounds follow each other, each call is sent
# until it is answered. Some cards are misread and put right, some winnings withheld, some rounds void.
package Dealers;
use strict;
use warnings;
use Time::HiRes qw(sleep);
use Soak;

our $dealers = 4;

# The cards so far, misread now and then
sub deal
{
	my ($who, $sql, $round, $of, $name) = @_;
	return if rand() < 0.5;
	my $misread = rand() < 0.3 ? 'true' : 'false';
	my $dealt = until_answered($who, $sql, "SELECT soak.dealt($of->{outcome}, '$of->{family}', $misread)");
	return if $dealt eq '' || $dealt =~ /^error/;
	my $a = until_answered($who, $sql, "SELECT casino.deal($round, '$dealt')");
	return complain("$name: deal $dealt: $a") if $a =~ /^error/;
	return if $misread eq 'false';
	$a = until_answered($who, $sql, "SELECT casino.correct_deal($round,"
		. " soak.dealt($of->{outcome}, '$of->{family}', false), 'misread')");
	return complain("$name: correct_deal: $a") if $a =~ /^error/;
	event('deal corrected', $name);
}

# Winnings of one of its players are held back
sub withhold_one
{
	my ($who, $sql, $round, $name) = @_;
	my $player = until_answered($who, $sql,
		"SELECT min(player_id) FROM casino.wager WHERE round_id = $round AND status <> 'refunded'");
	return 0 if $player !~ /^\d+$/;
	my $a = until_answered($who, $sql, "SELECT casino.withhold_winnings($round, $player, 'under review')");
	complain("$name: withhold_winnings: $a") if $a =~ /^error/;
	event('player withheld', $name);
	return 1;
}

sub work
{
	my ($d, $table, @mine) = @_;
	my $n = 0;
	my $who = "dealer$d";
	srand($Soak::seed + 1000 + $d);
	while (!stopped())
	{
		calm('play', $who);
		$n++;
		my $sql = { sql => $n % 2 };
		my $opened = sub { until_answered($who, $sql, "SELECT casino.open_round($_[0], 'round $n')") };
		my %round = map { $_ => $opened->($_) } @mine;
		sleep 0.5 + rand;
		for my $t (@mine)
		{
			my ($family, $game, $round) = (@{ $table->{$t} }{qw(family game)}, $round{$t});
			my $name = "$game round $n ($round)";
			if ($round =~ /error/) { complain("$name: open_round"); next; }
			until_answered($who, $sql, "SELECT casino.close_betting($round)");
			my $of = { family => $family, outcome => "soak.outcome($round, '$family', 0)" };
			my $none = until_answered($who, $sql, "SELECT $of->{outcome} IS NULL") eq 't';
			my ($one, $all) = (0, 0);
			my $call = "SELECT (casino.void_round($round, 'cards on the floor')).status";
			if (!$none && rand() >= 0.05)
			{
				deal($who, $sql, $round, $of, $name);
				$one = withhold_one($who, $sql, $round, $name) if rand() < 0.05;
				$all = rand() < 0.05;
				$call = "SELECT s.status || ' ' || s.paid FROM casino.settle_round($round, $of->{outcome}"
				  . ($all ? ", withhold => true, withhold_reason => 'a doubt'" : '') . ') s';
			}
			my $a = until_answered($who, $sql, $call);
			# a stake in play was placed after the outcome was drawn: nobody may stake now
			if ($a =~ /^error KR001/)
			{
				until_answered($who, $sql, "SELECT casino.close_actions($round)");
				event('outcome drawn anew', $name);
				$a = until_answered($who, $sql, $call);
			}
			if ($a =~ /^error/)
			{
				complain("$name: $call: $a: " . Soak::slurp("$Soak::dir/$who.err"));
				until_answered($who, $sql, "SELECT (casino.void_round($round, 'refused')).status");
				next;
			}
			event($a =~ /voided/ ? 'voided' : "evaluated $game", $name);
			event('round withheld', $name) if $all;
			# what others do with the round afterwards changes the answer
			Soak::add('settled', "$round $a") if !$one && !$all;
		}
	}
}

1;
