# Part of the soak: what must hold at the end. The driver's own books (every answer is there, nothing is
# there twice), and the books by every check that there is.
package Ending;
use strict;
use warnings;
use PostgreSQL::Test::Utils;
use Test::More;
use Soak;
use Servers;
use Players;
use Calendar;
use Play;

sub sql { return $Servers::primary->safe_psql('postgres', $_[0]) }

my $found = 'NOT soak.expected(check_name, rule, player_id)';

sub days_differences { return sql("SELECT * FROM casino.check_days('$_[0]', '$_[1]') WHERE $found") }

sub first_of { my ($text) = @_; return length $text > 3000 ? substr($text, 0, 3000) . ' ...' : $text }

# The answers to players; requests that were accepted are sent once more, when all books are there again
sub answers
{
	my (%answer, %refusals);
	# an older key may be forgotten (R12.51)
	my %remembered = map { $_ => 1 } split /\n/, sql(<<'SQL');
SELECT DISTINCT player_id || ' ' || request_id
  FROM casino.ledger
 WHERE request_id LIKE 'r%'
   AND posted_at > clock_timestamp() - interval '61 days'
SQL
	for my $c (1 .. $Players::clients)
	{
		for (lines("answers.$c")) { my ($name, $a) = split /\|/; $answer{$name} = $a; }
		my @again = grep { $remembered{ $_->[0] } } map { [split /\|/, $_, 2] } lines("again.$c");
		while (my @batch = splice @again, 0, 100)
		{
			my $got = session("again$c", { sql => !($c % 2) }, @batch);
			complain("sent at the end: $_->[1]: $answer{$_->[0]} then " . ($got->{ $_->[0] } // 'nothing'))
			  for grep { ($got->{ $_->[0] } // '') ne $answer{ $_->[0] } } @batch;
			event('request repeated at the end') for @batch;
		}
	}
	my %posted = map { split /\|/ } split /\n/, sql(<<'SQL');
SELECT player_id || ' ' || request_id,
       CASE WHEN min(kind) = 'withdrawal' THEN casino.withdrawal_id(player_id, min(entry_no))::text
            ELSE string_agg(entry_no::text, ',' ORDER BY request_line) END
  FROM casino.ledger WHERE request_id LIKE 'r%' AND kind IN ('stake', 'deposit', 'withdrawal')
 GROUP BY player_id, request_id
SQL
	my @accepted = sort grep { $answer{$_} !~ /^error/ } keys %answer;
	my $differs = sub { my $a = $answer{ $_[0] }; $a =~ tr/{}//d; return ($posted{ $_[0] } // '') ne $a };
	is(first_of(join ' ', grep { $differs->($_) } @accepted), '',
		'everything acknowledged is posted, once');
	is(first_of(join ' ', grep { $answer{$_} =~ /^error/ && exists $posted{$_} } sort keys %answer), '',
		'nothing refused is posted');
	is(first_of(join ' ', grep { !exists $answer{$_} } sort keys %posted), '',
		'nothing is posted that no client sent');
	for (values %answer) { $refusals{$1}++ if /^error (\S+)/ }
	is(join(' ', grep { !/^K/ } sort keys %refusals), '', 'refusals are by rules only');
	diag scalar(@accepted) . ' requests accepted, refused: '
	  . join ', ', map { "$_ $refusals{$_}" } sort keys %refusals;
	return scalar @accepted;
}

# The answers to dealers and the office
sub acts
{
	my %settled = map { split / /, $_, 2 } lines('settled');
	my %is = map { split / /, $_, 2 } split /\n/,
	  sql(q{SELECT round_id || ' ' || status || CASE status WHEN 'voided' THEN '' ELSE ' ' || paid END
		FROM casino.round_as_evaluated WHERE status IN ('settled', 'voided')});
	is(first_of(join ', ', map { "$_: $settled{$_}, is " . ($is{$_} // 'not') }
		grep { ($is{$_} // '') ne $settled{$_} } sort keys %settled), '',
		'every round was evaluated as its dealer was told');
	my %in_force = map { $_ => 1 } split /\n/,
	  sql('SELECT correction_no FROM casino.correction_decision WHERE version IS NOT NULL');
	is(join(' ', grep { !$in_force{$_} } lines('approved')), '',
		'every correction that was approved is in force');
	my %ended = map { split / /, $_, 2 } split /\n/, sql(<<'SQL');
SELECT casino.withdrawal_id(l.player_id, l.withdrawal_entry_no) || ' ' || string_agg(l.entry_no::text, ',')
  FROM casino.ledger l
 WHERE l.withdrawal_entry_no IS NOT NULL
 GROUP BY l.player_id, l.withdrawal_entry_no
SQL
	my @lost;
	for (lines('ended')) { my ($id, $entry) = split / /; push @lost, $id if ($ended{$id} // '') ne $entry; }
	is(first_of("@lost"), '', 'every withdrawal ended once, as the office was told');
	return scalar keys %settled;
}

sub evidence
{
	my $seals = "$Soak::dir/seals";
	my @seals = sql('SELECT casino.seal_document(seal_no) FROM casino.day_seal ORDER BY seal_no');
	append_to_file($seals, "@seals\n");
	my @days = sort glob "$Soak::dir/export.2*";
	my $out = `./casino-verify $seals @days 2>&1`;
	is($?, 0, 'casino-verify accepts the exports: ' . scalar(@days) . ' days') or diag first_of($out);
	diag first_of($out);
	is(first_of(sql('SELECT * FROM casino.verify()')), '', 'verify() finds nothing');
}

sub books
{
	my $node = $Servers::primary;
	is(sql(q{SELECT count(*) FROM casino.round WHERE status NOT IN ('settled', 'voided')}), '0',
		'every round has ended');
	is(sql('SELECT (SELECT count(*) FROM casino.pending_correction)'
		. ' + (SELECT count(*) FROM casino.open_claim)'
		. ' + (SELECT count(*) FROM casino.pending_withdrawals)'), '0', 'nothing waits in the office');
	# its question for counters is for the day of the last stake; the nights have asked for the days before
	my @broken = grep { $_ ne 'counters equal the ledger' } split /\n/, broken($node, 'postgres');
	is("@broken", '', 'nothing is broken');
	is(first_of(sql("SELECT * FROM casino.difference WHERE $found")), '', 'every night is clean');
	is(sql(q{SELECT count(*) FROM casino.reconciliation WHERE finished_at IS NULL}), '0',
		'... and has ended');
	my @windows = map { [split /\|/] } split /\n/, sql(<<'SQL');
SELECT s.first::date, least(s.first::date + 30, d.last)
  FROM (SELECT min(day) AS first, max(day) AS last FROM casino.day_seal) d
 CROSS JOIN LATERAL generate_series(d.first, d.last, interval '31 days') s (first)
 ORDER BY 1
SQL
	is(first_of(join '', map { days_differences(@$_) } @windows), '',
		'the checks of many days at once find nothing: ' . scalar(@windows) . ' times 31 days');
	sql("CALL casino.reconcile('$_->[0]', '$_->[1]')") for @windows;
	is(first_of(sql("SELECT d.* FROM casino.difference d JOIN casino.reconciliation r USING (run_no)
		WHERE NOT r.night AND $found")), '', 'a reconciliation of all days is clean');
	is(sql(q{SELECT count(*) FROM casino.reconciliation
		WHERE NOT night AND status NOT IN ('clean', 'differences')}), '0', '... and has ended');
	my $players = 'SELECT md5(string_agg(p::text, chr(10) ORDER BY player_id)) FROM casino.player p';
	my $before = sql($players);
	is(sql('SELECT casino.rebuild()'), '0', 'rebuild() changes nothing');
	is(sql($players), $before, 'the players rebuilt from the ledger are the players that are');
}

# Last, because it is the longest part: an old day takes a minute on a busy machine.
sub days_alone
{
	my @days = split /\n/, sql('SELECT DISTINCT day FROM casino.day_seal ORDER BY day');
	is(first_of(join '', map { days_differences($_, $_) } @days), '',
		'the checks of each day alone find nothing: ' . scalar(@days) . ' days');
}

sub pages
{
	my $connstr = $Servers::primary->connstr('postgres');
	my $out = `pg_amcheck --all --heapallindexed --parent-check --install-missing \\
		--maintenance-db='$connstr' 2>&1`;
	is($?, 0, 'pg_amcheck finds nothing') or diag first_of($out);
	is(first_of($out), '', 'and says nothing');
}

1;
