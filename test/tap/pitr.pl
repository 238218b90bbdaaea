# Point-in-time recovery: a base backup and the archive bring the books back as they were at a moment; they
# are sound, what came later is gone, what clients repeat is answered or posted, and the night checks the day.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(has_archiving => 1, allows_streaming => 1);
$node->start;
install($node, 'postgres');
$node->backup('base');
play($node, 'postgres');
my $then = fingerprint($node, 'postgres');
$node->safe_psql('postgres', q{SELECT pg_create_restore_point('before the mistake')});
# the mistake, and an honest bet after it
$node->safe_psql('postgres', q{SELECT casino.adjust(1, 777, 'typed by mistake', 'oops');
	SELECT casino.deposit(2, 50, 'honest')});
# the file that is complete now: what servers write by themselves is in the next one, which nobody archives
my $complete = $node->safe_psql('postgres', 'SELECT pg_walfile_name(pg_switch_wal())');
$node->poll_query_until('postgres', "SELECT last_archived_wal >= '$complete' FROM pg_stat_archiver")
	or die 'not archived';
$node->stop;

my $restored = PostgreSQL::Test::Cluster->new('restored');
$restored->init_from_backup($node, 'base', has_restoring => 1, standby => 0);
$restored->append_conf('postgresql.conf',
	"recovery_target_name = 'before the mistake'\nrecovery_target_action = 'promote'\n");
$restored->start;
$restored->poll_query_until('postgres', 'SELECT NOT pg_is_in_recovery()') or die 'still in recovery';
is(differences($then, fingerprint($restored, 'postgres')), '', 'every table and view is as it was');
is(broken($restored, 'postgres'), '', 'and sound');
is($restored->safe_psql('postgres',
	q{SELECT count(*) FROM casino.ledger WHERE request_id IN ('oops', 'honest')}), '0',
	'what came later is gone');
is($restored->safe_psql('postgres', q{SELECT casino.deposit(1, 10000, 'd1')}), '1',
	'a request from before is answered as it was');
ok($restored->safe_psql('postgres',
	q{SELECT casino.deposit(2, 50, 'honest')}) == $restored->safe_psql('postgres',
	'SELECT last_entry_no FROM casino.player WHERE player_id = 2'),
	'one that was lost is posted when it is repeated');
is($restored->safe_psql('postgres', 'SELECT casino.store_in_use()'), 't', 'the tables are ours');
is($restored->safe_psql('postgres', q{SELECT count(*) FROM casino.verify(NULL, NULL)}), '0',
	'the seals hold');
$restored->stop;
done_testing();
