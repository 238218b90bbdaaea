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

is(differences(fingerprint($primary, 'postgres'), fingerprint($standby, 'postgres')), '',
	'tables and views of the standby are those of the primary');
is(broken($standby, 'postgres'), '', 'and sound');
my $questions = q{SELECT casino.quote('baccarat', '{player@200,tie@50}',
		'{"player": "9h Kd", "banker": "7c Js"}'), casino.max_win('roulette_american', 'straight:17@100');
	SELECT * FROM casino.announced_bets('roulette_evolution', 'voisins', 10);
	SELECT p.player_id, e.*
		FROM casino.player p, casino.explain_break(p.player_id, '2099-01-01') e
		ORDER BY 1;
	SELECT * FROM casino.unpaid_winnings;
	SELECT * FROM casino.pending_withdrawals;
	SELECT * FROM casino.betting_sequence ORDER BY 1, 2;
	SELECT * FROM casino.limits_in_force(3, '2099-01-01'); SELECT * FROM casino.limit_usage(3, '2099-01-01')};
is($standby->safe_psql('postgres', $questions), $primary->safe_psql('postgres', $questions),
	'it answers questions');
for my $write (q{casino.place_bet(5, 2, 'red@100', 'x')}, q{casino.deposit(1, 1)}, q{casino.close_betting(5)},
	q{casino.settle_round(5, '{"number": 1}')}, q{casino.cancel_bet(5, 1, 'o')},
	q{casino.register_player('dora')}, q{casino.open_round(1, 'x')},
	q{casino.set_limit(1, 'stake', 'day', 1)}, q{casino.exclude_player(1, NULL, 'self')},
	q{casino.request_withdrawal(1, 1, 'cash')},
	q{casino.pay_withdrawal(3000000003)}, q{casino.set_payment_account(1, 'CZ1')}, q{casino.pay_withheld(2)})
{
	like(error($standby, 'postgres', "SELECT $write"), qr/^25006/, "it refuses $write as read-only");
}

# the primary is lost with a stake that was never acknowledged
$primary->stop('immediate');
eval { $pending->quit };
$standby->promote;
is($standby->safe_psql('postgres', q{SELECT count(*) FROM casino.ledger WHERE request_id = 'pending'}), '0',
	'an open transaction went with the primary');
# the duties: what the primary had noted holds here
like(error($standby, 'postgres', q{SELECT casino.place_bet(5, 3, 'red@100', 'x')}), qr/^KC004/,
	'promoted, it keeps an exclusion');
is($standby->safe_psql('postgres',
	q{SELECT accepted, code FROM casino.try_place_bets(5, 3, '{red@100}', 'x')}), 'f|KC004',
	'and records what it refuses');
is(work_on($standby, 'postgres'), $worked, 'it goes on working');
is(broken($standby, 'postgres'), '', 'and is sound');

$standby->stop;
done_testing();
