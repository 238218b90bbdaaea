# Transactions that are prepared (two-phase commit): the session that prepared one knows nothing of it
# afterwards. Undone, its entry numbers are given again; a book is not turned while it is under way, also
# across a crash (R12.41, R12.131).
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "max_prepared_transactions = 5\nautovacuum = off");
$node->start;
install($node, 'postgres');
sub sql { return $node->safe_psql('postgres', "SET client_min_messages = error; $_[0]") }

# a position takes 1000 CZK
sql(q{SELECT casino.add_game_table('roulette_evolution', 'one', 10, 1000);
	SELECT casino.deposit(casino.register_player('anna'), 10000);
	SELECT casino.open_round(1, 'one')});
# number 1 with 500 CZK, each stake read by the next one
my $stakes = q{SELECT count(casino.place_bet(1, 1, 'straight:1@100', 'a' || n)) FROM generate_series(1, 5) n};
# one session each
foreach my $end ('ROLLBACK', 'COMMIT')
{
	my $session = $node->background_psql('postgres', on_error_stop => 0);
	my $newest = sql('SELECT last_entry_no FROM casino.player');
	$session->query("BEGIN; $stakes; PREPARE TRANSACTION 'stakes'");
	is($session->query("$end PREPARED 'stakes'; SELECT last_entry_no FROM casino.player"),
		$newest + ($end eq 'COMMIT' ? 5 : 0), "$end PREPARED");
	# 500 on number 2 take the numbers that were undone
	$session->query(q{SELECT count(casino.place_bet(1, 1, 'straight:2@100')) FROM generate_series(1, 5)})
	  if $end eq 'ROLLBACK';
	my $room = $end eq 'COMMIT' ? 500 : 1000;
	$session->query(qq{BEGIN; SELECT casino.place_bet(1, 1, 'straight:1\@$room'); ROLLBACK});
	is($session->{stderr}, '', "... $room more are taken");
	$session->{stderr} = '';
	my $more = $room + 10;
	$session->query("SELECT casino.place_bet(1, 1, 'straight:1\@$more')");
	like($session->{stderr}, qr/maximum of 1000\.00 CZK/, '... and not ten more');
	$session->quit;
}

# a book is turned after it
sql(q{BEGIN; SELECT casino.place_bet(1, 1, 'straight:3@100', 'b'); PREPARE TRANSACTION 'stake'});
$node->stop('immediate');
$node->start;
like(error($node, 'postgres', 'SELECT casino.turn_book()'), qr/^55P03: /, 'a prepared stake holds the book');
sql("COMMIT PREPARED 'stake'");
sql('SELECT casino.turn_book()');
is(sql(q{SELECT casino.place_bet(1, 1, 'straight:3@100', 'b') = l.entry_no
	FROM casino.ledger l WHERE request_id = 'b'}), 't', '... and its key is known afterwards');
# 1 and 2 with 500 each, and 3 with 100
is(sql(q{SELECT wagers FROM casino.settle_round(1, '{"number": 3}')}), '11', '... as its wagers are');
$node->stop;
done_testing();
