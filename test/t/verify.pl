# casino-verify: it accepts what was exported, and refuses every forgery with its reason.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('verify');
$node->init;
$node->start;
$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;
$ENV{PGDATABASE} = 'postgres';
delete $ENV{PGAPPNAME};
my $make = $ENV{MAKE} || 'make';
is(system("$make -s casino-verify >&2"), 0, 'it is built') or BAIL_OUT('no casino-verify');

my $dir = PostgreSQL::Test::Utils::tempdir;
sub write_lines { my ($name, @lines) = @_; open my $f, '>', "$dir/$name" or die; print $f join('', map { "$_\n" } @lines); close $f; return "$dir/$name"; }
sub sql { my @lines = split /\n/, $node->safe_psql('postgres', shift); return @lines; }
sub verify { my $out = `./casino-verify @_ 2>&1`; return ($? >> 8, $out); }

# the day of the demo, with all families of games; a second seal with a round that ends later, and nothing for its loser
is(system('psql -X -q -f demo/demo.sql >/dev/null 2>&1'), 0, 'the demo is played');
sql(q{SET casino.clock_skew = -1;
      SELECT casino.deposit(casino.register_player('late'), 1000, at => '2026-05-21 10:00+02');
      SELECT casino.open_round((SELECT min(table_id) FROM casino.game_table WHERE game = 'roulette_synot'), 'late', '2026-05-21 10:00+02');
      SELECT casino.place_bets((SELECT max(round_id) FROM casino.round), (SELECT max(player_id) FROM casino.player), '{red@10,straight:5@10}', at => '2026-05-21 10:00:01+02');
      SELECT casino.close_betting((SELECT max(round_id) FROM casino.round), '2026-05-21 10:00:30+02')});
sql(q{SELECT casino.seal('2026-05-20')});
sql(q{SET casino.clock_skew = -1; SELECT casino.settle_round((SELECT max(round_id) FROM casino.round), '{"number": 5}', '2026-05-21 10:01+02')});
sql(q{SELECT casino.seal('2026-05-21')});
sql(q{SELECT casino.seal('2026-05-22')});
my @seals = sql(q{SELECT casino.seal_document(seal_no) FROM casino.day_seal ORDER BY seal_no});
my @day1 = sql(q{SELECT casino.export_day('2026-05-20')});
my @day2 = sql(q{SELECT casino.export_day('2026-05-21')});
my @day3 = sql(q{SELECT casino.export_day('2026-05-22')});
my $seals = write_lines('seals', @seals);
my ($d1, $d2, $d3) = (write_lines('1', @day1), write_lines('2', @day2), write_lines('3', @day3));

my ($status, $out) = verify($seals, $d1, $d2, $d3);
is($status, 0, 'what was exported is accepted') or diag($out);
like($out, qr/^3 seals follow from each other, 3 of them are exported/, 'all of it');
my ($wagers) = $out =~ /(\d+) wagers graded/;
is($wagers, (sql(q{SELECT count(*) FROM casino.ledger s JOIN casino.round r USING (round_id) WHERE s.kind = 'stake' AND (r.status = 'voided' OR r.status = 'settled'
                    AND NOT EXISTS (SELECT FROM casino.ledger f WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no AND f.kind = 'refund'))}))[0], 'each wager of a round that has ended is graded again');
is((verify($seals))[0], 0, 'documents alone follow from each other');
is((verify($seals, $d2))[0], 0, 'a day alone is accepted');
like((verify($seals, $d2))[1], qr/2 not \(their stakes/, 'what its payouts pay is not known there');
is((verify('--help'))[0], 0, 'help');
is((verify())[0], 2, 'no arguments');
is((verify($seals, "$dir/none"))[0], 2, 'no such file');

# a line of an export, by its beginning
sub where { my ($lines, $pattern, $nth) = @_; my @found = grep { $lines->[$_] =~ $pattern } 0 .. $#$lines; return $found[$nth // 0]; }
my $entry = where(\@day1, qr/^\{"ledger".*"kind":"payout"/);
my $stream = where(\@day1, qr/^\{"stream"/, 3);
my $round = where(\@day1, qr/^\{"round"/);
my $odds = where(\@day1, qr/^\{"paytable"/);
sub forged
{
	my ($name, $reason, $change, $line) = @_;
	my @lines = @day1;
	$change->(\@lines);
	my ($s, $o) = verify($seals, write_lines('forged', @lines));
	is($s, 1, "$name: refused");
	like($o, $reason, "$name: with its reason");
	like($o, qr/^\S+forged:$line: /, "$name: in line $line") if defined $line;
}
forged('amount', qr/the row is not what was sealed/, sub { $_[0][$entry] =~ s/"amount":"/"amount":"1/ }, $entry + 1);
forged('amount and mark', qr/the entries of player \d+ before it are not what was sealed/, sub {
	$_[0][$entry] =~ s/"amount":"\d+/"amount":"77/;
	my $row = $_[0][$entry] =~ s/,"mark":"\w+"\}$/}/r;
	$_[0][$entry] =~ s/"mark":"\w+"/'"mark":"' . mark_of($row) . '"'/e });
forged('outcome', qr/the row is not what was sealed/, sub { $_[0][$round] =~ s/"number":\d+/"number":1/ }, $round + 1);
forged('odds', qr/the row is not what was sealed/, sub { $_[0][$odds] =~ s/"num":/"num":9/ }, $odds + 1);
forged('mark', qr/the row is not what was sealed/, sub { $_[0][$entry] =~ s/"mark":"./"mark":"z/ || die; $_[0][$entry] =~ s/"mark":"z/"mark":"0/ || die; $_[0][$entry] =~ s/"mark":"0(.)/'"mark":"0' . ($1 eq '0' ? '1' : '0')/e }, $entry + 1);
forged('a line removed', qr/a line is missing or was reordered/, sub { splice @{ $_[0] }, $entry, 1 }, $entry + 1);
forged('a line twice', qr/is there twice/, sub { splice @{ $_[0] }, $entry, 0, $_[0][$entry] }, $entry + 2);
forged('two lines swapped', qr/a line is missing or was reordered/, sub { @{ $_[0] }[ $entry - 1, $entry ] = @{ $_[0] }[ $entry, $entry - 1 ] }, $entry);
forged('an entry of another player', qr/not of the player whose entries these are/, sub { splice @{ $_[0] }, $entry, 0, grep { /^\{"ledger":\{"player_id":9,/ } @day1 }, $entry + 1);
forged('a round removed', qr/section round, which ends before it, has \d+ rows/, sub { splice @{ $_[0] }, $round, 1 });
forged('a round twice', qr/row \S+ of section round is there twice/, sub { splice @{ $_[0] }, $round, 0, $_[0][$round] }, $round + 2);
forged('rounds swapped', qr/lines were reordered/, sub { @{ $_[0] }[ $round, $round + 1 ] = @{ $_[0] }[ $round + 1, $round ] }, $round + 2);
forged('a section removed', qr/the export has \d+ sections/, sub { @{ $_[0] } = grep { !/^\{"announced_rule"/ } @{ $_[0] } });
forged('sections swapped', qr/lines were reordered|has \d+ rows, sealed were \d+/, sub { push @{ $_[0] }, splice(@{ $_[0] }, $odds, 1); @{ $_[0] }[ -2, -1 ] = @{ $_[0] }[ -1, -2 ] });
forged('a player removed', qr/section ledger, which ends before it|the section ledger/, sub { my $next = where($_[0], qr/^\{"stream"/, 4); splice @{ $_[0] }, $stream, $next - $stream });
forged('last entry of a player removed', qr/entry \d+ of player \d+ is missing before it/, sub { splice @{ $_[0] }, $stream - 1, 1 }, $stream);
forged('a stream line changed', qr/not what was sealed/, sub { $_[0][$stream] =~ s/"running":"0/"running":"1/ });
forged('cut off', qr/the file ends before seal 1 does: it was cut off/, sub { pop @{ $_[0] } });
forged('cut off early', qr/cut off/, sub { splice @{ $_[0] }, $entry });
forged('white space', qr/has not the form of an export/, sub { $_[0][$entry] =~ s/:/: / }, $entry + 1);
forged('a member more', qr/has not the form of an export/, sub { $_[0][$entry] =~ s/"kind"/"king":1,"kind"/ }, $entry + 1);
forged('an empty line', qr/has not the form of an export/, sub { splice @{ $_[0] }, $entry, 0, '' }, $entry + 1);
forged('number of lines', qr/says that there are/, sub { $_[0][-1] =~ s/"lines":/"lines":1/ }, scalar @day1);
forged('another day', qr/is of another day/, sub { $_[0][0] =~ s/2026-05-20/2026-05-21/ }, 1);
forged('of no seal', qr/no document of seal 17/, sub { $_[0][0] =~ s/"seal_no":1/"seal_no":17/ }, 1);
forged('of another seal', qr/./, sub { $_[0][0] = $day2[0] });
forged('a second beginning', qr/begins before the one before it has ended/, sub { splice @{ $_[0] }, $entry, 0, $_[0][0] }, $entry + 1);
forged('twice', qr/seal 1 is there twice/, sub { push @{ $_[0] }, @day1 }, @day1 + 1);
forged('nothing', qr/the file is empty/, sub { @{ $_[0] } = () });
forged('outside', qr/outside of any seal/, sub { push @{ $_[0] }, $_[0][$entry] });
{
	open my $f, '>', "$dir/half" or die; print $f substr(join("\n", @day1), 0, 5000); close $f;
	like((verify($seals, "$dir/half"))[1], qr/ends in the middle of a line: it was cut off/, 'cut off in a line');
}
is((verify($seals, $d2, $d1))[0], 1, 'days in another order');

# documents
sub bad_seals { my ($name, $reason, @lines) = @_; my ($s, $o) = verify(write_lines('bad', @lines)); is($s, 1, "seals, $name: refused"); like($o, $reason, "seals, $name: with its reason"); }
bad_seals('entries', qr/do not fit together|does not follow/, map { s/"entries": \d+/"entries": 1/r } @seals);
bad_seals('root', qr/root does not follow/, map { s/("root": ")(.)/$1 . ($2 eq '0' ? 1 : 0)/er } @seals);
bad_seals('order', qr/comes after seal/, @seals[ 1, 0 ]);
bad_seals('twice', qr/comes after seal/, @seals[ 0, 0 ]);
bad_seals('cut', qr/not a seal document/, map { substr($_, 0, 300) } @seals);
bad_seals('none', qr/no seal document/, '');

# a wager that was never paid what it should: a forger who also forges the seals is still found by the grading
sql(q{ALTER TABLE casino.ledger DISABLE TRIGGER ALL;
      UPDATE casino.ledger SET amount = amount + 100 WHERE (player_id, entry_no) = (SELECT player_id, entry_no FROM casino.ledger WHERE kind = 'payout' AND grade = 'win' ORDER BY 1, 2 LIMIT 1)});
sql(q{ALTER TABLE casino.day_seal DISABLE TRIGGER append_only_statement; ALTER TABLE casino.seal_section DISABLE TRIGGER append_only_statement;
      ALTER TABLE casino.sealed_player DISABLE TRIGGER append_only_statement; ALTER TABLE casino.sealed_row DISABLE TRIGGER append_only_statement;
      TRUNCATE casino.seal_section, casino.day_seal, casino.sealed_player, casino.sealed_row});
sql(q{SELECT casino.seal('2026-05-20')});
($status, $out) = verify(write_lines('new', sql(q{SELECT casino.seal_document(1)})), write_lines('new1', sql(q{SELECT casino.export_day('2026-05-20')})));
is($status, 1, 'a payout too high under new seals: refused');
like($out, qr/entry \d+ of player \d+ was paid \d+\.\d\d as win, but ended "win" and gets/, 'graded again');

# proofs
my $proof = write_lines('proof', sql(q{SELECT casino.proof(1, 2)}));
my $under = "$dir/new";
is((verify('--proof', $proof, $under))[0], 0, 'a proof is accepted');
is((verify('--proof', $proof, $seals))[0], 1, 'not under other seals');
is((verify('--proof', write_lines('forged', map { s/"stream_index": 0/"stream_index": 1/r } sql(q{SELECT casino.proof(1, 2)})), $under))[0], 1, 'a forged proof is not');

sub mark_of
{
	my $row = shift;
	$row =~ s/'/''/g;
	my ($mark) = sql(qq{SELECT substr(encode(casino.hash_leaf(casino.evidence_leaf('ledger', r)), 'hex'), 1, 16)
	                      FROM (SELECT l.* FROM casino.ledger l WHERE false) x RIGHT JOIN LATERAL (SELECT jsonb_populate_record(NULL::casino.ledger, '$row'::jsonb -> 'ledger') AS r) y ON true});
	return $mark;
}
$node->stop;
done_testing();
