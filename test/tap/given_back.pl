# A refund's reason is a word, which the writer of the row chooses.  A superuser gives a lost stake back,
# turns a win into a refund, sets wallets and the round to match, and puts all triggers back.  The night and
# casino-verify name each of these (R7.66, R7.69).
# long: a night for each forgery
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play ();

my $node = PostgreSQL::Test::Cluster->new('given_back');
$node->init;
$node->start;
my $make = $ENV{MAKE} || 'make';
is(system("$make -s casino-verify >&2"), 0, 'casino-verify is built') or BAIL_OUT('no casino-verify');
my $dir = PostgreSQL::Test::Utils::tempdir;
my $day = '2026-06-10';

# Players 1 to 3 at one table. In round 1 number 17 falls: player 1 loses red@100, player 2 wins 360 with
# straight:17@10, player 3 loses red@50.  In round 2 each of them loses 10.
$node->safe_psql('postgres', 'CREATE DATABASE books');
Play::install($node, 'books');
$node->safe_psql('books', <<"SQL");
SET casino.clock_skew = -1;
SELECT casino.mark_replay('2000-01-01', '2100-12-31', 'a test');
SELECT casino.add_game_table('roulette_american', 'R', 10, 1000);
SELECT casino.register_player('p' || n) FROM generate_series(1, 3) n;
SELECT casino.deposit(n, 1000, at => '$day 10:00+02') FROM generate_series(1, 3) n;
SELECT casino.open_round(1, 'one', '$day 10:05+02');
SELECT casino.place_bet(1, 1, 'red\@100', at => '$day 10:05:10+02'),
       casino.place_bet(1, 2, 'straight:17\@10', at => '$day 10:05:10+02'),
       casino.place_bet(1, 3, 'red\@50', at => '$day 10:05:10+02');
SELECT casino.close_betting(1, '$day 10:06+02'), casino.settle_round(1, '{"number": 17}', '$day 10:07+02');
SELECT casino.open_round(1, 'two', '$day 10:08+02');
SELECT casino.place_bet(2, n, 'red\@10', at => '$day 10:08:10+02') FROM generate_series(1, 3) n;
SELECT casino.close_betting(2, '$day 10:09+02'), casino.settle_round(2, '{"number": 17}', '$day 10:10+02');
SQL

# The answer to a query, in a file
sub written
{
	my ($name, $sql) = @_;
	open my $f, '>', "$dir/$name" or die;
	print $f $node->safe_psql('forged', "SET timezone = 'Europe/Prague'; $sql"), "\n";
	close $f;
	return "$dir/$name";
}

# The findings of the night and of casino-verify in a copy of the books with this forgery
sub found
{
	my ($forgery) = @_;
	$node->safe_psql('postgres', 'DROP DATABASE IF EXISTS forged');
	$node->safe_psql('postgres', 'CREATE DATABASE forged TEMPLATE books');
	$node->safe_psql('forged', <<"SQL");
BEGIN;
CREATE TEMP TABLE armed AS
    SELECT t.tgrelid::regclass AS of, t.tgname, CASE t.tgenabled WHEN 'A' THEN 'ALWAYS' ELSE '' END AS how
      FROM pg_trigger t
      JOIN pg_class c ON c.oid = t.tgrelid
     WHERE c.relnamespace = 'casino'::regnamespace
       AND NOT t.tgisinternal;
DO \$\$ DECLARE a record; BEGIN FOR a IN SELECT * FROM armed LOOP
    EXECUTE format('ALTER TABLE %s DISABLE TRIGGER %I', a.of, a.tgname); END LOOP; END \$\$;
$forgery;
DO \$\$ DECLARE a record; BEGIN FOR a IN SELECT * FROM armed LOOP
    EXECUTE format('ALTER TABLE %s ENABLE %s TRIGGER %I', a.of, a.how, a.tgname); END LOOP; END \$\$;
COMMIT;
SQL
	$node->psql('forged', "CALL casino.nightly('$day')");
	my $night = $node->safe_psql('forged',
		q{SELECT string_agg(DISTINCT check_name || ' ' || rule, ', ') FROM casino.difference});
	my $seals = written('seals', 'SELECT casino.seal_document(seal_no) FROM casino.day_seal');
	my $export = written('export', "SELECT casino.export_day('$day')");
	my $said = `./casino-verify $seals $export 2>&1`;
	return ($night, $? >> 8, $said);
}
my ($night, $status, $said) = found('SELECT 1');
is($night, '', 'the books without a forgery: the night finds nothing');
is($status, 0, 'nor does casino-verify') or diag($said);
like($said, qr/6 wagers graded again/, 'all wagers are graded');

# One more entry of the player, after the last one; wallet and round follow
sub given_back
{
	my ($player, $stake, $amount, $reason, $posted_at, $recorded_at) = @_;
	return <<"SQL";
INSERT INTO casino.ledger (player_id, entry_no, kind, amount, round_id, stake_entry_no, reason, balance,
                           posted_at, recorded_at, recorded_by)
SELECT p.player_id, p.last_entry_no + 1, 'refund', $amount, 1, $stake, '$reason', p.balance + $amount,
       $posted_at, $recorded_at, p.registered_by
  FROM casino.player p
 WHERE p.player_id = $player;
UPDATE casino.player
   SET balance = balance + $amount,
       last_entry_no = last_entry_no + 1
 WHERE player_id = $player;
UPDATE casino.round SET wagers = wagers - 1, players = players - 1, staked = staked - $amount
 WHERE round_id = 1
SQL
}

# The payout of player 2 becomes a refund of the stake
sub unwon
{
	my ($reason, $posted_at, $recorded_at) = @_;
	return <<"SQL";
UPDATE casino.ledger SET balance = balance - 350 WHERE player_id = 2 AND entry_no >= 3;
UPDATE casino.ledger
   SET kind = 'refund', amount = 10, grade = NULL, reason = '$reason',
       posted_at = $posted_at, recorded_at = $recorded_at
 WHERE player_id = 2 AND entry_no = 3;
UPDATE casino.player SET balance = balance - 350 WHERE player_id = 2;
UPDATE casino.round SET wagers = wagers - 1, players = players - 1, staked = staked - 10, paid = 0
 WHERE round_id = 1
SQL
}
my $close = "timestamptz '$day 10:06+02'";
my $evaluation = "timestamptz '$day 10:07+02'";
my $before = '(SELECT r.evaluation_recorded_at FROM casino.round r WHERE r.round_id = 1)';
my %false = (
	late => qr/was returned as late, and was not/,
	excluded => qr/was returned for an exclusion that there is not/,
	disconnected => qr/was returned for a disconnection that there is not/,
	misdealt => qr/was returned for a correction of cards that there is not/,
	voided => qr/was returned as voided, which it was not/);
my @times = (
	# as the review did
	[ 'at the evaluation', $evaluation, 'clock_timestamp()' ],
	# with the time of the recording forged, too
	[ 'at the evaluation, recorded before', $evaluation, $before ],
	[ 'at the close, recorded before', $close, $before ]);
for my $reason (qw(late cancelled excluded disconnected misdealt voided))
{
	for my $time (@times)
	{
		my ($name, $at, $recorded) = @$time;
		# a cancellation leaves no other row: while the player could have cancelled, nothing contradicts it
		next if $reason eq 'cancelled' && $at eq $close;
		my @how = ($reason, $at, $recorded);
		my %forgery = (
			'a lost stake given back' => given_back(1, 2, 100, @how),
			'a win turned into a refund' => unwon(@how));
		$forgery{'a round emptied'} = join(";\n",
			given_back(1, 2, 100, @how), given_back(3, 2, 50, @how), unwon(@how))
			if $name eq 'at the evaluation';
		for my $forged (sort keys %forgery)
		{
			my ($differences, $exit, $answer) = found($forgery{$forged});
			my $test = "$forged as $reason $name";
			my $of_reason = $recorded eq $before && ($at eq $close || $reason =~ /late|misdealt|voided/);
			like($differences, qr/\brefund \w/, "$test: the night names the refund");
			is($exit, 1, "$test: casino-verify refuses it") or diag($answer);
			like($answer, $of_reason && $false{$reason} || qr/was returned /, "$test: with its reason");
		}
	}
}
$node->stop;
done_testing();
