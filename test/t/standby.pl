# A physical standby replays rounds and answers as the primary does; promoted it goes on working.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play;

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 1);
$primary->start;
install($primary, 'postgres');
$primary->backup('b');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'b', has_streaming => 1);
$standby->start;

play($primary, 'postgres');
# what is not committed is not seen
my $pending = $primary->background_psql('postgres');
$pending->query_safe("BEGIN; SELECT casino.place_bet(5, 2, 'red\@100', 'pending')");
$primary->wait_for_catchup($standby);

is(differences(fingerprint($primary, 'postgres'), fingerprint($standby, 'postgres')), '', 'tables and views of the standby are those of the primary');
is(broken($standby, 'postgres'), '', 'and sound');
my $questions = q{SELECT casino.quote('baccarat', '{player@200,tie@50}', '{"player": "9h Kd", "banker": "7c Js"}'), casino.max_win('roulette_american', 'straight:17@100');
	SELECT * FROM casino.announced_bets('roulette_evolution', 'voisins', 10)};
is($standby->safe_psql('postgres', $questions), $primary->safe_psql('postgres', $questions), 'it answers questions');
for my $write (q{casino.place_bet(5, 2, 'red@100', 'x')}, q{casino.deposit(1, 1)}, q{casino.close_betting(5)},
	q{casino.settle_round(5, '{"number": 1}')}, q{casino.cancel_bet(5, 1, 'o')}, q{casino.register_player('dora')}, q{casino.open_round(1, 'x')})
{
	like(error($standby, 'postgres', "SELECT $write"), qr/^25006/, "it refuses $write as read-only");
}

# the primary is lost with a stake that was never acknowledged
$primary->stop('immediate');
eval { $pending->quit };
$standby->promote;
is($standby->safe_psql('postgres', q{SELECT count(*) FROM casino.ledger WHERE request_id = 'pending'}), '0', 'an open transaction went with the primary');
is(work_on($standby, 'postgres'), $worked, 'promoted, it goes on working');
is(broken($standby, 'postgres'), '', 'and is sound');

$standby->stop;
done_testing();
