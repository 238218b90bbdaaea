# Part of the soak: days go by. An evening in steps of minutes (so that breaks are owed), the clock put back
# now and then, the night, the export of the day, books turned, closed, put away and attached.
package Calendar;
use strict;
use warnings;
use Time::HiRes qw(sleep time);
use Soak;
use Servers;

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

# Until it has ended well. 55000: the session that began it is still at work, for minutes on a busy machine
sub night
{
	my ($day) = @_;
	for (1 .. 600)
	{
		my $a = session('night', {}, ['a', "CALL casino.nightly('$day')"])->{a};
		complain("nightly($day): $a: " . Soak::slurp("$Soak::dir/night.err"))
		  if !unknown_yet($a) && $a =~ /^error (?!55000)/;
		my $status = ask("SELECT status FROM casino.reconciliation
			WHERE night AND to_day = '$day' AND finished_at IS NOT NULL");
		if ($status =~ /^(clean|differences)$/)
		{
			event('night', "$day $status");
			my $found = ask(<<"SQL");
SELECT d.check_name, d.rule, d.player_id, d.round_id, d.entry_no, d.expected, d.found, d.detail
  FROM casino.difference d JOIN casino.reconciliation r USING (run_no)
 WHERE r.to_day = '$day' AND NOT soak.expected(d.check_name, d.rule, d.player_id)
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
		my $file = "$Soak::dir/export.$day";
		my $rc = system "timeout -k 5 600 psql -XAtq -v ON_ERROR_STOP=1 -d '$connstr' "
		  . "-c \"SELECT casino.export_day('$day')\" -o $file.part 2>$Soak::dir/export.err";
		# a day without a seal has no lines, and a full disk cuts them off
		return event('seal exported', $day) if $rc == 0 && -s "$file.part" && rename "$file.part", $file;
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
		my $a = session('books', {}, ['a', "SELECT $call"])->{a};
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

# Books by state; old: of those that are closed, whose last entry was before 62 days
sub books
{
	my %of;
	for (split /\n/, ask(<<'SQL'))
SELECT b.book, CASE WHEN b.state = 'closed' AND c.last_recorded_at <= clock_timestamp() - interval '62 days'
               THEN 'old' ELSE b.state END
  FROM casino.book b LEFT JOIN casino.book_closing c USING (book)
 ORDER BY b.book
SQL
	{
		my ($book, $state) = split /\|/;
		push @{ $of{$state} }, $book;
	}
	return \%of;
}

# Under load: open things may be in the way
sub close_one
{
	my $turned = books()->{turned} or return;
	for (1 .. 5)
	{
		return if book_call('book closed', "casino.close_book($turned->[0])");
		sleep 2;
	}
}

# One that is away comes back two nights later at the latest; one that is old goes again
sub move_one
{
	my $of = books();
	my ($away, $old) = ($of->{detached}, $of->{old});
	if ($away && rand() < 0.6) { book_call('book attached', "casino.attach_book($away->[-1])") }
	elsif ($old) { book_call('book put away', "casino.put_away_book($old->[0])") }
}

sub to_night
{
	my $midnight = 86400 * int(Servers::now() / 86400) + 86400;
	Soak::alone(sub { Servers::set_clock($midnight + 4.5 * 3600 - Servers::now()) });
}

# 63 days without play, after which nothing of a book that was closed before is remembered. The last night
# before them seals its closing
sub weeks
{
	# the server stays behind the real time
	return 0 if Servers::ahead() > -100 * 86400 || !(books()->{turned} || books()->{closed});
	return Soak::quietly(sub {
		my $day = day_of(Servers::now());
		close_one();
		to_night();
		night($day);
		export($day);
		Soak::alone(sub { Servers::set_clock(63 * 86400) });
		event('weeks pass', "after $day");
	});
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
		# before the day is sealed, so that it can be closed at once
		book_call('book turned', 'casino.turn_book()') if ++$n % 2;
		to_night();
		event('clock forward', "the night of $day");
		night($day);
		export($day);
		close_one();
		move_one();
		if ($n % 6 == 2 && weeks()) { move_one() }
		Soak::alone(sub { Servers::set_clock(11.5 * 3600) });
	}
}

# The last day, and all books back
sub finish
{
	my $day = day_of(Servers::now());
	to_night();
	night($day);
	export($day);
	book_call('book attached', "casino.attach_book($_)")
	  for split /\n/, ask(q{SELECT book FROM casino.book WHERE state = 'detached' ORDER BY book DESC});
}

1;
