# Part of the soak: the office. Results found wrong are proposed by one person and approved by another,
# claims, withheld winnings and withdrawals are brought to an end, so that books can be closed.
package Office;
use strict;
use warnings;
use Time::HiRes qw(sleep);
use Soak;
use Servers;

our $table;                    # of roulette, where claims are made
our $sql = 0;                  # half of the calls without the store

sub first { return until_answered('office', { user => 'first', sql => $sql }, $_[0]) }
sub second { return until_answered('office2', { user => 'second', sql => $sql }, $_[0]) }

sub rows { my $a = first($_[0]); return $a =~ /^error/ ? () : split /\n/, $a }

# Another result of an evaluated round, mostly one of the last: a book with one that waits cannot be closed.
# The round may be void, too
sub propose
{
	my $last = rand() < 0.9 ? 50 : 100000;
	my ($round, $family) = split /\|/, (rows(<<"SQL"))[0] // return;
SELECT r.round_id, g.family
  FROM casino.round r JOIN casino.game_table t USING (table_id) JOIN casino.game g USING (game)
 WHERE r.status IN ('settled', 'withheld') AND r.wagers > 0
   -- R11.37: its later payment is late
   AND r.evaluated_at > clock_timestamp() - interval '25 days'
   AND r.round_id > casino_internal.last_round_away()
   AND r.round_id > (SELECT max(round_id) - $last FROM casino.round)
 ORDER BY random() LIMIT 1
SQL
	return if !$family;
	my $outcome = rand() < 0.1 ? 'NULL' : "soak.outcome($round, '$family', " . (1 + int rand 3) . ')';
	my $ground = $outcome eq 'NULL' ? ", ground => 'other'" : '';
	my $a = first("SELECT casino.correct_round($round, $outcome, 'misread'$ground)");
	# KR002: the same result, or one that waits; 55000: the book was put away in between
	if ($a =~ /^\d+$/) { event('correction proposed', "$a of round $round") }
	elsif ($a !~ /^error (KR002|55000)/) { complain("correct_round($round, $outcome): $a") }
}

sub decide
{
	for my $no (rows('SELECT correction_no FROM casino.pending_correction'))
	{
		my $approve = "SELECT s FROM casino.approve_correction($no) s";
		if (rand() < 0.8)
		{
			my $own = first($approve);
			complain("correction $no was approved by who proposed it: $own") if $own !~ /^error 42501/;
			my $a = second($approve);
			if ($a =~ /^error/) { complain("approve_correction($no): $a"); }
			else
			{
				event('correction approved', "$no: $a");
				Soak::add('approved', $no);
				my $b = second($approve);
				complain("approve_correction($no): $a then $b") if $a ne $b;
				next;
			}
		}
		my $a = second("SELECT casino.reject_correction($no, 'it was right')");
		complain("reject_correction($no): $a") if $a ne '';
		event('correction rejected', $no);
	}
}

# A player wins, asks for all of it, and the result was another one: the house has a claim
my $winners = 0;

sub make_claim
{
	my $n = ++$winners;
	my $player = first("SELECT casino.register_player('winner $n')");
	my $round = first("SELECT casino.open_round($table, 'claim $n')");
	my $paid;
	for ("deposit($player, 10, 'claim $n')",
		"place_bet($round, $player, 'straight:17\@10', 'claim stake $n')",
		"close_betting($round)", "settle_round($round, '{\"number\": 17}')",
		"request_withdrawal($player, 360, 'cash', 'claim paid $n')")
	{
		my $a = first("SELECT casino.$_");
		return complain("claim $n: $_: $a") if $a =~ /^error/;
	}
	my $no = first("SELECT casino.correct_round($round, '{\"number\": 16}', 'misread')");
	# sent again when the first one got no answer
	$no = first("SELECT max(correction_no) FROM casino.round_correction WHERE round_id = $round")
	  if $no =~ /^error KR002/;
	my $a = second("SELECT s FROM casino.approve_correction($no) s");
	my $claim = first("SELECT amount FROM casino.claim WHERE player_id = $player");
	return complain("claim $n: correction $no: $a, claim $claim") if $claim ne '360.00';
	Soak::add('approved', $no);
	event('claim arisen', "player $player, round $round");
}

sub settle_claims
{
	for my $no (rows('SELECT claim_no FROM casino.open_claim'))
	{
		my $waived = one_of('true', 'false');
		my $a = first("SELECT casino.settle_claim($no, 'at the desk', waived => $waived)");
		# 55000: a correction has ended it in between
		event('claim settled', "$no, waived: $waived") if $a eq '';
		complain("settle_claim($no): $a") if $a !~ /^(error 55000)?$/;
	}
}

# KR002: it has ended in between, by a correction or a call that was answered by nobody
sub release
{
	for my $round (rows(q{SELECT round_id FROM casino.round WHERE status = 'withheld'}))
	{
		my $a = first("SELECT (casino.pay_withheld($round, reason => 'in order')).status");
		event('withheld paid', "round $round") if $a eq 'settled';
		complain("pay_withheld($round): $a") if $a !~ /^(settled|voided|error KR002)/;
	}
	for (rows(<<'SQL'))
SELECT h.round_id, h.player_id
  FROM casino.withholding h JOIN casino.round r USING (round_id)
 WHERE r.status IN ('settled', 'withheld')
   AND NOT EXISTS (SELECT FROM casino.withholding_end e
                    WHERE e.player_id = h.player_id AND e.round_id = h.round_id)
SQL
	{
		my ($round, $player) = split /\|/;
		my $void = rand() < 0.2;
		my $a = first($void ? "SELECT (casino.void_wagers($round, $player, 'a marked card')).status"
			: "SELECT (casino.pay_withheld($round, player_id => $player, reason => 'in order')).status");
		event($void ? 'wagers void' : 'player paid', "$player in round $round") if $a !~ /^error/;
		complain("withheld of $player in $round, void: $void: $a") if $a =~ /^error (?!KR002)/;
	}
}

# Another account of one of those who wait, so that a second person is needed
sub new_account
{
	my $player = first("SELECT player_id FROM casino.pending_withdrawals WHERE method = 'transfer'
		ORDER BY random() LIMIT 1");
	return if $player !~ /^\d+$/;
	my $a = first("SELECT casino.set_payment_account($player, 'CZ$player/" . int(rand 1e9) . "')");
	complain("set_payment_account($player): $a") if $a !~ /^\d+$/;
}

# Those that are there, in one session; a second person approves first where an account is new
sub pay
{
	my (@approve, @end, %cancel);
	for (rows('SELECT withdrawal_id, needs_approval FROM casino.pending_withdrawals
		ORDER BY requested_at LIMIT 200'))
	{
		my ($id, $needs) = split /\|/;
		$cancel{$id} = rand() < 0.2;
		# one that is cancelled may have been approved
		push @approve, [$id, "SELECT casino.approve_withdrawal($id)"]
		  if $needs eq 't' && (!$cancel{$id} || rand() < 0.5);
		push @end, [$id, 'SELECT casino.' . ($cancel{$id} ? 'cancel' : 'pay') . "_withdrawal($id)"];
	}
	my $approved = @approve ? session('office2', { user => 'second', sql => $sql }, @approve) : {};
	event('withdrawal approved', $_) for grep { ($approved->{$_} // '') =~ /^\d+$/ } sort keys %$approved;
	# less than casino.clock_skew: its end is now before its approval
	my $back = $Servers::faketime && @approve && rand() < 0.5 ? 2 : 0;
	Servers::set_clock(-$back) if $back;
	event('clock back after an approval') if $back;
	my %waits = map { unknown_yet($approved->{ $_->[0] }) ? ($_->[0] => 1) : () } @approve;
	@end = grep { !$waits{ $_->[0] } } @end;
	my $is = @end ? session('office', { user => 'first', sql => $sql }, @end) : {};
	Servers::set_clock($back) if $back;
	return if !@end;
	my $again = session('office', { user => 'first', sql => !$sql },
		grep { !unknown_yet($is->{ $_->[0] }) } @end);
	for (@end)
	{
		my ($id, $call) = @$_;
		my ($a, $b) = ($is->{$id}, $again->{$id});
		next if unknown_yet($a);
		# by the clock that was put back the account is not old enough again
		next if $back && $a =~ /^error KC006/ && !$approved->{$id};
		# a fault put the clock back to before the approval (R12.150), which counts when its time has come
		if ($a =~ /^error KC006/ && ($approved->{$id} // '') =~ /^\d+$/)
		{
			my ($player, $entry) = (int($id / 1_000_000_000), $id % 1_000_000_000);
			my $ahead = first("SELECT max(approved_at) > clock_timestamp() - interval '1 minute'
				FROM casino.withdrawal_approval WHERE player_id = $player AND entry_no = $entry");
			next if $ahead eq 't';
		}
		if ($a =~ /^error/) { complain("$call: $a"); next; }
		event($cancel{$id} ? 'withdrawal cancelled' : 'withdrawal paid', $id);
		Soak::add('ended', "$id $a");
		complain("$call: $a then $b") if !unknown_yet($b) && $a ne $b;
	}
}

sub work
{
	srand($Soak::seed + 2000);
	while (!stopped())
	{
		$sql = 1 - $sql;
		if (-e "$Soak::dir/calm.office") { finish(); calm('office', 'office') if !open_business(); next; }
		make_claim() if !$winners || rand() < 0.03;
		propose() for 1 .. 4;
		# some corrections wait, some claims and winnings are there for a while
		decide() if rand() < 0.8;
		settle_claims() if rand() < 0.3;
		release() if rand() < 0.3;
		new_account() if rand() < 0.5;
		pay();
		sleep 0.3;
	}
}

sub open_business
{
	return first(q{SELECT (SELECT count(*) FROM casino.pending_correction)
		+ (SELECT count(*) FROM casino.open_claim) + (SELECT count(*) FROM casino.pending_withdrawals)
		+ (SELECT count(*) FROM casino.round WHERE status NOT IN ('settled', 'voided'))}) ne '0';
}

# All that is open, at the end and before weeks pass
sub finish
{
	for (1 .. 10)
	{
		decide() for 1 .. 2;
		release();
		settle_claims();
		pay();
		last if !open_business();
	}
}

1;
