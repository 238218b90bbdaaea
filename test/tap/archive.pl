# Sealed days moved to another server, which has no casino, into a database that is only read: casino-verify
# says that the lines that come back from there are the sealed ones, and finds a line changed there. The
# guide: doc/operations.md, "Where do I keep a sealed year".
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play;

my $make = $ENV{MAKE} || 'make';
is(system("$make -s casino-verify >&2"), 0, 'casino-verify is built') or BAIL_OUT('no casino-verify');
my $node = PostgreSQL::Test::Cluster->new('books');
$node->init;
$node->start;
install($node, 'postgres');
$node->safe_psql('postgres', <<'SQL');
SET casino.clock_skew = -1;
SELECT casino.mark_replay('2000-01-01', '2100-12-31', 'a test');
SELECT casino.add_game_table(game, game, 10, 1000)
  FROM casino.game
  WHERE game IN ('roulette_synot', 'baccarat', 'blackjack_synot', 'holdem_cash_25_50')
  ORDER BY game;
SELECT count(casino.register_player('p' || n)) FROM generate_series(1, 5) n;
SELECT count(casino.deposit(n, 100000, 'first', '2026-05-01 12:00+02')) FROM generate_series(1, 5) n;
SQL
outcomes($node, 'postgres');
my @days = qw(2026-05-01 2026-05-02 2026-05-03);
for my $day (@days)
{
	evening($node, 'postgres', $day, 3);
	$node->safe_psql('postgres', "SELECT casino.seal('$day')");
}
my $dir = PostgreSQL::Test::Utils::tempdir();
sub to_file
{
	my ($name, $text) = @_;
	open my $f, '>', "$dir/$name" or die;
	print $f "$text\n";
	close $f;
	return "$dir/$name";
}
my $documents = to_file('seals',
	$node->safe_psql('postgres',
		'SELECT casino.seal_document(seal_no) FROM casino.day_seal ORDER BY seal_no'));
my %export = map { $_ => $node->safe_psql('postgres', "SELECT casino.export_day('$_')") } @days;

# the other server: lines as they are, a partition a year, written once and then only read
my $other = PostgreSQL::Test::Cluster->new('archive');
$other->init;
$other->start;
my $place = "$dir/cold";
mkdir $place or die;
$other->safe_psql('postgres', "CREATE DATABASE archive; CREATE TABLESPACE cold LOCATION '$place'");
$other->safe_psql('archive', <<'SQL');
CREATE TABLE line (day date NOT NULL, no integer NOT NULL, line text NOT NULL) PARTITION BY RANGE (day);
CREATE TABLE line_2026 PARTITION OF line (PRIMARY KEY (day, no) USING INDEX TABLESPACE cold) FOR VALUES
  FROM ('2026-01-01') TO ('2027-01-01') TABLESPACE cold;
SQL
for my $day (@days)
{
	my $file = to_file("$day.export", $export{$day});
	$other->safe_psql('archive', <<"SQL");
CREATE TEMP TABLE loaded (no integer GENERATED ALWAYS AS IDENTITY, line text);
\\copy loaded (line) FROM '$file' WITH (FORMAT csv, DELIMITER E'\\x01', QUOTE E'\\x02')
INSERT INTO line SELECT '$day', no, line FROM loaded;
SQL
}
$other->safe_psql('archive',
	'VACUUM (FREEZE, ANALYZE) line_2026; ALTER DATABASE archive SET default_transaction_read_only = on');
$node->stop;    # nothing of the books is needed from here on

my $from = 'SELECT line FROM line WHERE day = ';
my @back = map { to_file("$_.back", $other->safe_psql('archive', "$from'$_' ORDER BY no")) } @days;
is(slurp_file("$dir/$days[$_].back"), "$export{$days[$_]}\n", "$days[$_] comes back byte for byte")
	for 0 .. $#days;
my $out = `./casino-verify $documents @back 2>&1`;
is($? >> 8, 0, 'casino-verify accepts what the other server has') or diag $out;
like($out, qr/3 seals follow from each other, 3 of them are exported/, 'all three days');
is(error($other, 'archive', 'DELETE FROM line') =~ /^(\w+)/ && $1, '25006', 'its database is only read');
is($other->safe_psql('archive', q{SELECT spcname
	FROM pg_class c
	JOIN pg_tablespace t ON t.oid = c.reltablespace
	WHERE relname = 'line_2026'}), 'cold', 'from a tablespace of its own');
is($other->safe_psql('archive',
	q{SELECT count(*) > 20 FROM line WHERE (line::jsonb -> 'ledger' ->> 'player_id')::bigint = 3}), 't',
	'and its lines can be asked');

# one amount changed there by its superuser
$other->safe_psql('archive', q{SET default_transaction_read_only = off;
	UPDATE line SET line = regexp_replace(line, '"amount":"?\d+', '"amount":1')
	WHERE (day, no) =
		(SELECT day, no FROM line WHERE day = '2026-05-02' AND line LIKE '%"kind":"payout"%' LIMIT 1)});
my $forged = to_file('forged', $other->safe_psql('archive', "$from'2026-05-02' ORDER BY no"));
isnt(slurp_file($forged), slurp_file($back[1]), 'a payout is changed');
$out = `./casino-verify $documents $back[0] $forged $back[2] 2>&1`;
is($? >> 8, 1, 'which casino-verify finds') or diag $out;
$other->stop;
done_testing();
