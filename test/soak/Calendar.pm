# Part of the soak: days go by. An evening in steps of minutes (so that breaks are owed), the clock put back
# now and then, the night, the export of the day, books turned, closed, put away and attached.
package Calendar;
use strict;
use warnings;
use Time::HiRes qw(sleep time);
use Soak;
use Servers;

# Where the clock is put on by hours, rounds under way have their result hours later: the night is right
our $expected = '{round_stuck}';

sub ask { return until_answered('calendar', {}, $_[0]) }

sub day_of { my @t = gmtime($_[0]); return sprintf '%04d-%02d-%02d', $t[5] + 1900, $t[4] + 1, $t[3] }

sub evening
{
	my ($pace) = @_;
	my $ends = Servers::now() + 2.3 * 3600;
	while (Servers::now() < $ends && !stopped())
	{
		sleep $pace * (0.5 + rand);
		if (rand() < 0.15)
		{
			# beyond casino.clock_skew (5 s), and within it
			my $back = one_of(2, 4, 20);
			Servers::set_clock(-$back);
			event('clock back', "$back s");
			sleep 1.5;
			Servers::set_clock($back);
		}
		# in the middle of calls by less than a minute, also together with a clock that was behind
		if (rand() < 0.5) { Servers::set_clock(5 + int rand 25) }
		Soak::alone(sub { Servers::set_clock(240 + int rand 360) });
		event('clock forward');
	}
}

# Until it has ended well. 55000: the session that began it is still at work
sub night
{
	my ($day) = @_;
	for (1 .. 60)
	{
		my $a = session('night', {}, ['a', "CALL casino.nightly('$day')"])->{a};
		complain("nightly($day): $a: " . Soak::slurp("$Soak::dir/night.err"))
		  if !unknown_yet($a) && $a =~ /^error (?!55000)/;
		my $status = ask("SELECT status FROM casino.reconciliation WHERE night AND to_day = '$day'");
		if ($status =~ /^(clean|differences)$/)
		{
			event('night', "$day $status");
			my $found = ask(<<"SQL");
SELECT d.check_name, d.rule, d.player_id, d.round_id, d.entry_no, d.expected, d.found, d.detail
  FROM casino.difference d JOIN casino.reconciliation r USING (run_no)
 WHERE r.to_day = '$day' AND d.check_name <> ALL ('$expected')
 LIMIT 10
SQL
			complain("night of $day: $found") if $found ne '';
			return;
		}
		sleep 0.5;
	}
	complain("the night of $day does not end");
}

# The day's evidence, kept outside
sub export
{
	my ($day) = @_;
	for (1 .. 40)
	{
		my $connstr = Soak::slurp("$Soak::dir/primary");
		my $rc = system "timeout -k 5 600 psql -XAtq -v ON_ERROR_STOP=1 -d '$connstr' "
		  . "-c \"SELECT casino.export_day('$day')\" -o $Soak::dir/export.$day 2>$Soak::dir/export.err";
		return event('seal exported', $day) if $rc == 0;
		sleep 0.5;
	}
	complain("export of $day: " . Soak::slurp("$Soak::dir/export.err"));
}

# 55000: something of the book is open; 55P03: others use the ledger
sub book_call
{
	my ($what, $call) = @_;
	for (1 .. 10)
	{
		# books are put away within the run: elsewhere they are months old
		my $a = session('books', {}, ['s', q{SET casino.request_memory = '24h'}], ['a', "SELECT $call"])->{a};
		if (!unknown_yet($a))
		{
			if ($a !~ /^error/) { event($what, $call); return 1; }
			complain("$call: $a: " . Soak::slurp("$Soak::dir/books.err")) if $a !~ /^error 55000/;
			event("$what: not yet", Soak::slurp("$Soak::dir/books.err") =~ /DETAIL:\s+(.*)/ ? $1 : $a);
			return 0;
		}
		sleep 0.5;
	}
	event("$what: no time");
	return 0;
}

# Every second night a book is turned before the day is sealed, so that it can be closed at once. Books that
# were put
# away comes back two nights later at the latest
sub books
{
	my ($n) = @_;
	my %state = map { split /\|/ } split /\n/, ask('SELECT book, state FROM casino.book');
	my %of;
	push @{ $of{ $state{$_} } }, $_ for sort { $a <=> $b } keys %state;
	my ($turned, $closed, @away) = ($of{turned}[0], $of{closed}[0], @{ $of{detached} // [] });
	if (@away && (@away > 1 || $n % 2)) { book_call('book attached', "casino.attach_book($away[-1])") }
	elsif ($closed) { book_call('book put away', "casino.put_away_book($closed)") }
	return if !$turned;
	for (1 .. 5)
	{
		last if book_call('book closed', "casino.close_book($turned)");
		sleep 2;
	}
}

sub work
{
	my ($pace) = @_;
	srand($Soak::seed + 3000);
	my $n = 0;
	while (!stopped())
	{
		my $day = day_of(Servers::now());
		evening($pace);
		book_call('book turned', 'casino.turn_book()') if ++$n % 2;
		my $midnight = 86400 * int(Servers::now() / 86400) + 86400;
		Soak::alone(sub { Servers::set_clock($midnight + 4.5 * 3600 - Servers::now()) });
		event('clock forward', "the night of $day");
		night($day);
		export($day);
		books($n);
		Soak::alone(sub { Servers::set_clock(11.5 * 3600) });
	}
}

# The last day, and all books back
sub finish
{
	my $day = day_of(Servers::now());
	my $midnight = 86400 * int(Servers::now() / 86400) + 86400;
	Servers::set_clock($midnight + 4.5 * 3600 - Servers::now());
	night($day);
	export($day);
	book_call('book attached', "casino.attach_book($_)")
	  for split /\n/, ask(q{SELECT book FROM casino.book WHERE state = 'detached' ORDER BY book DESC});
}

1;
