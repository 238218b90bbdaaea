# R10.30, R10.33: what the night notices of each column of evidence that is forged before it is sealed, by a superuser who has put all triggers and constraints out
# of action.  The columns and their checks are those of casino.evidence_checks(); each check that the list names for a column must notice a value forged there.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play ();

my $node = PostgreSQL::Test::Cluster->new('forged');
$node->init;
$node->start;
$node->safe_psql('postgres', 'CREATE DATABASE forged');
Play::install($node, 'forged');
Play::play($node, 'forged');
# a box that wins, for the cards of players
$node->safe_psql('forged', <<'SQL');
SELECT casino.add_game_table('blackjack_czech_casinos', 'J', 10, 10000) AS j, casino.register_player('boxer') AS p \gset
SELECT casino.deposit(:p, 1000), casino.open_round(:j, 'forged box') AS r \gset
SELECT casino.set_limit(:p, 'stake', 'day', 5000), casino.count_other_play(:p, 'slots', 10, -5, 'o') \g /dev/null
SELECT casino.place_bet(:r, :p, 'main@100', seat => 1, hand => 1) \g /dev/null
SELECT casino.close_betting(:r) \g /dev/null
SELECT casino.settle_round(:r, '{"dealer": "9h 8d", "hands": [{"seat": 1, "cards": "Ts 9c"}]}') \g /dev/null
SQL
sub sql { return split /\n/, $node->safe_psql('forged', shift); }

# cells are a hub's
my %no_rows = (cell => 1);

# What to write where the value of the type alone would be no forgery that matters: value, and which row ("t" is the row)
my $staked = q{t.status = 'settled' AND EXISTS (SELECT FROM casino.ledger l WHERE l.round_id = t.round_id AND l.kind = 'stake')};
my %how = (
	'recorder.recorded_at' => [ q{clock_timestamp() + interval '1 year'}, 'true' ],
	'bet_rule.min_stake' => [ '77777.77', 't.plan_id IN (SELECT d.plan_id FROM casino.plan_digest d)' ],
	'table_version.valid_from' => [ q{clock_timestamp() + interval '1 year'}, 't.table_id IN (SELECT r.table_id FROM casino.round r)' ],
	'table_version.max_stake' => [ '0.01', q{t.table_id IN (SELECT r.table_id FROM casino.round r JOIN casino.ledger l USING (round_id) WHERE l.kind = 'stake')} ],
	'table_limit.min_stake' => [ '77777.77', 'true' ],
	'table_limit.max_stake' => [ '0.01', 'true' ],
	'round.round_id' => [ '77777', $staked ],
	'round_end.round_id' => [ '77777', $staked ],
	'round.opened_at' => [ q{(SELECT max(l.posted_at) + interval '1 s' FROM casino.ledger l WHERE l.round_id = t.round_id AND l.kind = 'stake')}, $staked ],
	'round.betting_until' => [ 't.opened_at', $staked ],
	'round.actions_closed_at' => [ 't.opened_at', $staked ],
	'deal.document' => [ q{'{"dealer": "2c"}'}, q{t.round_id IN (SELECT r.round_id FROM casino.round r WHERE r.outcome IS NOT NULL)} ],
	map({ ("dealt_hand.$_" => [ '7', q{t.side = 'box' AND t.round_id = (SELECT r.round_id FROM casino.round r WHERE r.round_ref = 'forged box')} ]) } qw(seat group_no hand)),
	map({ ("$_.recorded_at" => [ q{clock_timestamp() + interval '1 year'}, 'true' ]) } qw(difference plan_digest)),
	'player.registered_at' => [ q{clock_timestamp() + interval '1 year'}, 'true' ],
	'ledger.recorded_at' => [ q{clock_timestamp() + interval '1 year'}, 'true' ],
	'player_limit.effective_from' => [ q{clock_timestamp() + interval '1 year'}, 'true' ],
	'payment_account.account' => [ q{'forged'}, q{t.account IN (SELECT l.account FROM casino.ledger l)} ],
	'payment_account.registered_at' => [ q{clock_timestamp() + interval '1 year'}, q{t.account IN (SELECT l.account FROM casino.ledger l)} ],
	'other_play.staked' => [ '77777.77', q{t.player_id IN (SELECT s.player_id FROM casino.limit_state s)} ],
	'other_play.result' => [ '-77777.77', q{t.player_id IN (SELECT s.player_id FROM casino.limit_state s)} ],
	'ledger.stake_entry_no' => [ '77777', q{t.kind = 'payout'} ],
	'ledger.posted_at' => [ q{timestamptz '2001-02-03'}, q{t.kind = 'payout'} ],
	'ledger.method' => [ q{CASE t.method WHEN 'cash' THEN 'transfer' ELSE 'cash' END}, q{(t.player_id, t.entry_no) IN (SELECT l.player_id, l.withdrawal_entry_no FROM casino.ledger l WHERE l.kind IN ('cash_paid', 'transfer_paid'))} ],
	'dealt_hand.surrendered' => [ 'NOT t.surrendered', q{t.side = 'box' AND t.round_id = (SELECT r.round_id FROM casino.round r WHERE r.round_ref = 'forged box')} ],
);
$node->safe_psql('forged', <<'SQL');
CREATE TABLE public.clean (check_name text PRIMARY KEY, found text[]);
CREATE FUNCTION public.forge(section text, field text, value text, row_is text, check_name text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    l record;
    c text := (SELECT k.function FROM casino.reconciliation_checks() k WHERE k.check_name = forge.check_name);
    before text[];
    after text[];
    n bigint;
    found_sql text;
BEGIN
    SELECT y.* INTO l FROM casino.evidence_layouts() y WHERE y.section = forge.section AND y.field = forge.field;
    found_sql := format($q$SELECT coalesce(array_agg(to_jsonb(f)::text), '{}') FROM %s('2000-01-01', casino.prague_day(clock_timestamp()) + 1) f$q$, c);
    SELECT k.found INTO before FROM public.clean k WHERE k.check_name = forge.check_name;
    IF NOT FOUND THEN
        EXECUTE found_sql INTO before;
        INSERT INTO public.clean VALUES (forge.check_name, before);
    END IF;
    BEGIN
        EXECUTE format('UPDATE casino.%1$I t SET %2$I = %3$s WHERE t.ctid = (SELECT t.ctid FROM casino.%1$I t WHERE %4$s AND (%3$s) IS DISTINCT FROM t.%2$I ORDER BY t.%2$I IS NULL LIMIT 1)',
                       l.relation, l.field, value, row_is);
        GET DIAGNOSTICS n = ROW_COUNT;
        IF n = 1 THEN
            BEGIN
                EXECUTE found_sql INTO after;
            EXCEPTION WHEN OTHERS THEN
                -- in a night a difference of rule "error" (R10.4)
                after := ARRAY[SQLERRM];
            END;
        END IF;
        RAISE EXCEPTION 'back' USING ERRCODE = 'P9999';
    EXCEPTION WHEN SQLSTATE 'P9999' THEN NULL;
    END;
    RETURN CASE WHEN n = 0 THEN 'no such row' WHEN after <@ before THEN 'nothing' ELSE 'noticed' END;
END $$;
SQL
my %value = (time => "timestamptz '2001-02-03'", text => "'forged'", int => '77777', money => '77777.77', bool => 'NOT t.%s', json => q{'{"forged": 1}'}, bet => "'straight:7\@3'",
	hand => "'2c 2d'", ints => "'{77777}'", bets => "'{straight:7\@3}'", date => "date '2001-02-03'");
my @columns = sql(q{SELECT l.section, l.field, l.type, c.check_name FROM casino.evidence_checks() c JOIN casino.evidence_layouts() l USING (section, field)
                     WHERE c.check_name IS NOT NULL ORDER BY l.section_no, l.field_no});
cmp_ok(scalar @columns, '>', 100, 'the list has columns');
my $script = q{BEGIN; SET search_path = public, casino; SET client_min_messages = error; SET max_parallel_workers_per_gather = 0; SET session_replication_role = replica;
DO $$ DECLARE t record; BEGIN
  FOR t IN SELECT conrelid::regclass AS r, conname AS c FROM pg_constraint WHERE connamespace = 'casino'::regnamespace AND contype IN ('c', 'f') AND conrelid <> 0 LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', t.r, t.c); END LOOP;
  FOR t IN SELECT c.oid::regclass AS r FROM pg_class c WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind = 'r' LOOP
    EXECUTE format('ALTER TABLE %s DISABLE TRIGGER ALL', t.r); END LOOP; END $$;
};
for (@columns)
{
	my ($section, $field, $type, $check) = split /\|/;
	my ($value, $row) = @{ $how{"$section.$field"} // [ $value{$type} =~ s/%s/$field/r, 'true' ] };
	s/'/''/g for $value, $row;
	$script .= "SELECT '$section.$field', '$check', public.forge('$section', '$field', '$value', '$row', '$check');\n";
}
my ($rc, $out, $err) = $node->psql('forged', "$script ROLLBACK;");
is($rc, 0, 'all are forged') or diag($err);
my $tried = 0;
for (split /\n/, $out)
{
	my ($column, $check, $found) = split /\|/;
	next unless defined $found;
	$tried++;
	my ($section) = $column =~ /^(\w+)/;
	if ($no_rows{$section}) { is($found, 'no such row', "$column: not in these books"); next; }
	is($found, 'noticed', "$column: check $check notices a forged value");
}
is($tried, scalar @columns, 'each column was forged');
$node->stop;
done_testing();
