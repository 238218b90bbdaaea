# pg_upgrade: a ledger of all sixteen games, sealed days and what play() leaves, from the PostgreSQL of UPGRADE_FROM (a folder with its
# bin/) to the one that the tests run on. Afterwards rows and definitions are the same, the seals prove, the nights are clean, the
# state is what the ledger says, and play goes on. Run by tools/upgrade.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play;

my $from = $ENV{UPGRADE_FROM} or die 'UPGRADE_FROM: the folder of the older server\'s bin/';
my $rounds = $ENV{UPGRADE_ROUNDS} || 12;
my $old = PostgreSQL::Test::Cluster->new('old', install_path => $from);
$old->init(extra => ['--data-checksums']);
# where tools/upgrade has put what was built for it
$old->append_conf('postgresql.conf', "extension_destdir = '$ENV{UPGRADE_STAGE}'");
$old->start;
note 'from ' . $old->safe_psql('postgres', 'SHOW server_version');

# ---------------------------------------------------------------------------------------------------- before
$old->safe_psql('postgres', 'CREATE ROLE backend; CREATE ROLE auditor; CREATE ROLE house LOGIN; CREATE DATABASE play; CREATE DATABASE year');
install($old, $_) for qw(play year);
# everything that can stand in a table
play($old, 'play');
is(broken($old, 'play'), '', 'what was played is sound');

# three days at a table of each game, their nights, their seals
$old->safe_psql('year', <<'SQL');
SELECT casino.grant_access('backend', 'backend'), casino.grant_access('auditor', 'compliance'), casino.publish();
SET casino.clock_skew = -1;
SELECT casino.add_game_table(game, game, 10, 1000) FROM casino.game ORDER BY game;
SELECT count(casino.register_player('p' || n)) FROM generate_series(1, 5) n;
SELECT count(casino.deposit(n, 100000, 'first', casino.prague_day(now()) - 4 + time '12:00' AT TIME ZONE 'Europe/Prague')) FROM generate_series(1, 5) n;
SQL
outcomes($old, 'year');
my @days = split /\n/, $old->safe_psql('year', 'SELECT casino.prague_day(now()) - n FROM unnest(ARRAY[3, 2, 1]) n');
for my $day (@days)
{
	evening($old, 'year', $day, $rounds);
	$old->safe_psql('year', "CALL casino.nightly('$day')");
}
my ($games, $entries) = split /\|/, $old->safe_psql('year', q{SELECT count(DISTINCT t.game), (SELECT count(*) FROM casino.ledger)
	FROM casino.round r JOIN casino.game_table t USING (table_id) WHERE r.status = 'settled'});
is($games, 16, "all sixteen games were played and settled, $entries entries");
my $nights = q{SELECT r.from_day, r.status, s.entries > 0 AND s.day = r.from_day FROM casino.reconciliation r JOIN casino.day_seal s ON s.day = r.to_day ORDER BY 1};
my $clean = join "\n", map { "$_|clean|t" } @days;
is($old->safe_psql('year', $nights), $clean, 'three clean nights, three seals');
# what an owner of the figures keeps elsewhere: the documents of the seals and proofs of entries
my $proofs = q{SELECT casino.proof(player_id, entry_no) FROM casino.ledger WHERE entry_no % 17 = 1 ORDER BY player_id, entry_no};
my @proofs = split /\n/, $old->safe_psql('year', $proofs);
my $documents = $old->safe_psql('year', 'SELECT casino.seal_document(seal_no) FROM casino.day_seal ORDER BY 1');
my $export = 'SELECT md5(string_agg(p::text, chr(10))) FROM ' . "casino.export_day('$days[1]') p";
my $exported = $old->safe_psql('year', $export);
# a round is open with a stake in it when the server is stopped
$old->safe_psql('year', q{SELECT casino.place_bet(casino.open_round(table_id, 'over the upgrade'), 1, 'red@100', 'over') FROM casino.game_table WHERE game = 'roulette_american'}) =~ /\d/ or die;

# probabilities are floating point, which another version may reckon another way in the last digits
my $watch = q{SELECT (to_jsonb(w) - 'probability')::text, round(w.probability::numeric, 12) FROM casino.return_watch w ORDER BY 1};
my $exact = sub { return fingerprint(@_, 'rvS') =~ s/^casino\.return_watch\|.*\n//mr };
# 17 has one more privilege of tables, MAINTAIN, and what an owner has by default may be written down or not: grants to others count
my $grants = sub { return definitions(@_) =~ s/\bpostgres=\w+\/postgres,?//gr =~ s/,\}/}/gr; };
my %was = map { my $db = $_; $db => [$exact->($old, $db), $grants->($old, $db), $old->safe_psql($db, $watch)] } qw(play year);
$old->stop;

# ---------------------------------------------------------------------------------------------------- pg_upgrade
my $new = PostgreSQL::Test::Cluster->new('new');
$new->init(extra => ['--data-checksums']);
chdir PostgreSQL::Test::Utils::tempdir() or die;
my @upgrade = ('pg_upgrade', '--no-sync', '--old-datadir', $old->data_dir, '--new-datadir', $new->data_dir, '--old-bindir', "$from/bin",
	'--new-bindir', $new->config_data('--bindir'), '--socketdir', $new->host, '--old-port', $old->port, '--new-port', $new->port);
command_ok([@upgrade, '--check'], 'pg_upgrade --check finds no fault');
command_ok(\@upgrade, 'pg_upgrade');
chdir $ENV{TESTDIR} or die;
$new->start;
note 'to ' . $new->safe_psql('postgres', 'SHOW server_version');
command_ok(['vacuumdb', '--all', '--analyze-only', '--quiet', '--host', $new->host, '--port', $new->port], 'ANALYZE');

# ---------------------------------------------------------------------------------------------------- after
for my $db (qw(play year))
{
	is(differences($was{$db}[0], $exact->($new, $db)), '', "$db: tables, views and sequences are equal");
	is(differences($was{$db}[2], $new->safe_psql($db, $watch)), '', "$db: and the watch over returns");
	is(differences($was{$db}[1], $grants->($new, $db)), '', "$db: so are triggers, constraints, privileges and comments");
	is($new->safe_psql($db, 'SELECT casino.install()'), '1', "$db: install()");
	is($new->safe_psql($db, 'SELECT casino.store_in_use()'), 't', "$db: the store writes the tables");
	is(differences($was{$db}[1], $grants->($new, $db)), '', "$db: install() changed nothing");
}
like(error($new, 'year', 'SET session_replication_role = replica; DELETE FROM casino.ledger'), qr/^KL001/, 'the ledger\'s guards refuse');

# seals and proofs of before
is($new->safe_psql('year', 'SELECT count(*) FROM casino.verify(NULL, NULL)'), '0', 'verify() finds nothing');
is($new->safe_psql('year', 'SELECT casino.seal_document(seal_no) FROM casino.day_seal ORDER BY 1'), $documents, 'the documents of the seals are the same');
cmp_ok(scalar @proofs, '>', 50, scalar(@proofs) . ' proofs of before');
my $wrong = 0;
for my $proof (@proofs) { (my $p = $proof) =~ s/'/''/g; $wrong++ if $new->safe_psql('year', "SELECT bool_or(casino.verify_proof('$p', root)) FROM casino.day_seal") ne 't'; }
is($wrong, 0, 'hold under the seals');
is($new->safe_psql('year', $proofs), join("\n", @proofs), 'and are made the same now');
is($new->safe_psql('year', $export), $exported, 'an exported day is the same, byte for byte');

# the books
is($new->safe_psql('play', 'SELECT casino.rebuild()') =~ /^\d+$/, 1, 'play: rebuild()');
is(broken($new, 'play'), '', 'play: sound');
my $state = q{SELECT md5(string_agg(p::text, chr(10) ORDER BY player_id)) FROM casino.player p};
my $players = $new->safe_psql('year', $state);
$new->safe_psql('year', 'SELECT casino.rebuild()');
is($new->safe_psql('year', $state), $players, 'year: rebuild() makes the players that are');
is($new->safe_psql('year', "CALL casino.reconcile('$days[0]', casino.prague_day(now()) - 1); SELECT status FROM casino.reconciliation ORDER BY run_no DESC LIMIT 1"), 'clean', 'year: all days are clean');

# play goes on
is(work_on($new, 'play'), $worked, 'play: work goes on');
is(broken($new, 'play'), '', 'play: and is sound');
is($new->safe_psql('year', q{SELECT casino.place_bet(round_id, 1, 'red@100', 'over') = (SELECT entry_no FROM casino.ledger l WHERE l.player_id = 1 AND l.request_id = 'over')
	FROM casino.round WHERE round_ref = 'over the upgrade'}), 't', 'a request of before is answered');
is($new->safe_psql('year', q{SELECT s.status, s.paid FROM casino.round r, LATERAL casino.settle_round(r.round_id, '{"number": 1}') s WHERE r.round_ref = 'over the upgrade'}), 'settled|200.00', 'the round that was open is settled');
evening($new, 'year', undef, 2);
is($new->safe_psql('year', q{SELECT count(DISTINCT t.game) FROM casino.round r JOIN casino.game_table t USING (table_id) WHERE r.status = 'settled' AND r.round_ref LIKE 'now %'}), 16, 'and new ones are played, of all sixteen games');
is($new->safe_psql('year', q{SELECT c.check_name, x::text FROM casino.reconciliation_checks() c,
	query_to_xml(format('SELECT f.* FROM %s(%L, %L) f', c.function, casino.prague_day(now()), casino.prague_day(now())), true, true, '') x WHERE x::text <> ''}), '', 'the day after is clean');
$new->safe_psql('year', 'SELECT casino.seal(casino.prague_day(now()))');
is($new->safe_psql('year', 'SELECT count(*) FROM casino.verify(NULL, NULL)'), '0', 'and sealed');
is($new->safe_psql('year', 'SELECT count(*) FROM casino.day_seal'), 4, 'by a fourth seal');
$new->stop;
done_testing();
