# Persons are erased at a hub, and in their cells (R12.93, R12.94, R7.140): no reference stays on either side,
# and who is registered anew keeps the home cell.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play;
use Cells;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "fsync = off\njit = off\nmax_connections = 100\nautovacuum = off");
$node->start;
plan skip_all => 'PL/Proxy is not installed (Debian: postgresql-15-plproxy)' unless available($node);
my $world = Cells::World->new($node, 2);
sub sql { return $world->sql(@_) }
sub refused { return $world->refused(@_) }
sub as { my ($who, $sql) = @_; return "SET SESSION AUTHORIZATION $who; $sql" }
$node->safe_psql('postgres', "CREATE ROLE $_ LOGIN") for qw(eva jan);
for my $db (qw(hub cell0 cell1))
{
	$node->safe_psql($db, "SELECT casino.grant_access('$_', 'compliance');
		GRANT CONNECT ON DATABASE $db TO $_") for qw(eva jan);
}
# no years to wait
sql($_, "SET casino.clock_skew = -1;
	SELECT casino.set_duty_rule('retention_years', '0', '2020-01-01', '-', 'a test')") for qw(cell0 cell1);

# former NAME: the number of an account that was opened at the hub and is closed; its cell
sub former
{
	my ($name) = @_;
	my $player = sql('hub', "SELECT casino.register_player('$name')");
	sql('hub', "SELECT casino.set_payment_account($player, 'CZ1 $name')");
	sql('hub', "SELECT casino.close_account($player)");
	return ($player, 'cell' . $player % 2);
}
sub known { return sql('hub', "SELECT count(*) FROM casino.hub_person WHERE external_ref = '$_[0]'") }
sub home
{
	return sql('hub', "SELECT 'cell' || cell, erased_at IS NOT NULL FROM casino.hub_person
		WHERE external_ref = '$_[0]'");
}
sub epoch { return sql('hub', 'SELECT epoch FROM casino.hub') }
sub caught_up
{
	return sql('hub', q{SELECT string_agg(concat(up, problem), ',' ORDER BY cell) FROM casino.catch_up()});
}
my $persons = sub { return sql('hub', 'SELECT sum(persons) FROM casino.hub_cell') };

# -------------------------------- both calls at the hub
my ($anna, $cell) = former('Anna Nova');
# somebody else's account in the other cell
my ($other) = former('Otto');
my $all = $persons->();
like(refused('hub', as('eva', q{SELECT casino.approve_erasure('Anna Nova')})),
	qr/^55000: .*nobody has proposed/, 'R12.93: nobody has proposed it');
my $token = sql('hub', as('eva', q{SELECT casino.erase_person(' Anna Nova ', 'request 7')}));
is($token, sql($cell, "SELECT p.token FROM casino.person p JOIN casino.player a USING (external_ref)
	WHERE a.player_id = $anna"), 'R12.93: a proposal at a hub is that of the cell');
is(sql($cell, q{SELECT w.login FROM casino.pending_erasure e
	  JOIN casino.recorder w ON w.recorder_id = e.proposed_by}), 'eva', '... by the login of the hub');
is(known('Anna Nova'), 1, 'a proposal erases nothing');
like(refused('hub', as('eva', q{SELECT casino.approve_erasure('Anna Nova')})),
	qr/^42501: .*the erasure needs the approval of a second person/, 'R7.115: not by the same person');
like(refused('hub', q{SET ROLE jan; SELECT casino.approve_erasure('Anna Nova')}),
	qr/^42501: at a hub casino.approve_erasure\(\) is called by a login under its own name/,
	'R7.60: nor under a role that was put on');
like(refused('hub', as('game', q{SELECT casino.approve_erasure('Anna Nova')})), qr/^42501: permission denied/,
	'R7.115: for the profile compliance alone');
like(refused('hub', as('game', q{SELECT casino.cell_of_person('Anna Nova')})), qr/^42501: permission denied/,
	'others do not learn who is known');
for (["erase_person(NULL, 'x')", '22004'], ['approve_erasure(NULL)', '22004'],
	["erase_person('nobody', 'x')", '23503'], ["approve_erasure('nobody')", '23503'],
	["erase_person('p1', 'x')", '55000'])
{
	my ($call, $code) = @$_;
	like(refused('hub', as('eva', "SELECT casino.$call")), qr/^$code/, "$call is refused as in a cell");
}
# taken back, and proposed anew
for (["reject_erasure(NULL, 'x')", '22004'], ["reject_erasure('nobody', 'x')", '23503'],
	["reject_erasure('Otto', 'x')", '55000'])
{
	my ($call, $code) = @$_;
	like(refused('hub', as('jan', "SELECT casino.$call")), qr/^$code/, "$call is refused as in a cell");
}
like(refused('hub', as('game', q{SELECT casino.reject_erasure('Anna Nova', 'x')})),
	qr/^42501: permission denied/, 'R7.140: for the profile compliance alone');
is(sql('hub', as('jan', "SELECT casino.reject_erasure('$token', 'a mistake')")), $token,
	"R7.140: a second person rejects at the hub, by the token");
is(sql('hub', as('eva', q{SELECT casino.reject_erasure('Anna Nova', 'a mistake')})), $token,
	'... and once more, by the reference: the same');
is(sql($cell, q{SELECT string_agg(w.login || ' ' || r.reason, ',') FROM casino.erasure_rejection r
	  JOIN casino.recorder w ON w.recorder_id = r.recorded_by}), 'jan a mistake',
	'... is one row of the cell, by the login of the hub');
like(refused('hub', as('jan', q{SELECT casino.approve_erasure('Anna Nova')})),
	qr/^55000: .*the proposal to erase the person was rejected/,
	'R7.140: a rejected proposal is not approved');
is(known('Anna Nova'), 1, 'R7.140: the hub has the reference');
is(sql('hub', as('eva', q{SELECT casino.erase_person('Anna Nova', 'request 7')})), $token,
	'R7.140: proposed anew at the hub');
is(sql('hub', as('jan', "SELECT casino.approve_erasure('$token')")), $token,
	'R12.93: a second person approves, by the token');
like(refused('hub', as('jan', "SELECT casino.reject_erasure('$token', 'too late')")),
	qr/^55000: .*the person was erased/, 'R7.140: too late to reject');
is(known('Anna Nova'), 0, 'R12.93: the hub has the reference no more');
is(home($token), "$cell|t", '... and the token in its place');
is(sql($cell, "SELECT external_ref FROM casino.player WHERE player_id = $anna"), $token,
	'... as the cell has');
is(sql($cell, "SELECT count(*) FROM casino.clear_text WHERE player_id = $anna"), 0,
	'... without the account');
is($persons->(), $all, 'a cell has as many persons as before');
is(known('Otto'), 1, 'others stay');
for my $call ("approve_erasure('Anna Nova')", "approve_erasure('$token')",
	"erase_person('Anna Nova', 'again')", "erase_person('$token', 'again')")
{
	is(sql('hub', as('eva', "SELECT casino.$call")), $token, "R7.100: the same again: $call");
}
is(sql('hub', "SELECT casino.person_file('$token') #>> '{accounts,0,player_id}'"), $anna,
	'the file of the token has the account');

# -------------------------------- registered anew: another person, who stays
my $anew = sql('hub', q{SELECT casino.register_player('Anna Nova')});
isnt($anew, $anna, 'R7.99: another account');
is(caught_up(), 't,t', 'cells are up');
is(known('Anna Nova'), 1, 'R12.94: an erasure takes the row of a person once');
is(sql('hub', q{SELECT casino.register_player('Anna Nova')}), $anew,
	'... so that the person has one account');

# -------------------------------- erased in the cell
my ($last, $there) = former('Last of all');
sub in_cell
{
	my ($db, $name) = @_;
	sql($db, as('eva', "SELECT casino.erase_person('$name', 'request 8')"));
	return sql($db, as('jan', "SELECT casino.approve_erasure('$name')"));
}
my $epoch = epoch();
$token = in_cell($there, 'Last of all');
is(known('Last of all'), 1, 'erased in the cell alone: the hub has the reference');
is(caught_up(), 't,t', 'catch_up() says nothing else');
is(known('Last of all'), 0, 'R12.93: ... until catch_up()');
is(home($token), "$there|t", '... which has the token');
is(epoch(), $epoch, 'the hub does not take itself for one that was restored');
is(caught_up() . epoch(), "t,t$epoch", '... later neither');

# the row of the hub is gone before it is done: the same call again does it
($last, $there) = former('Dora');
$token = in_cell($there, 'Dora');
is(sql('hub', as('jan', q{SELECT casino.approve_erasure('Dora')})), $token, 'an approval again');
is(known('Dora'), 0, 'R12.93: ... erases the row that the first one left at the hub');

# registered anew before the hub has heard of the erasure
($last, $there) = former('Cyril');
$token = in_cell($there, 'Cyril');
$anew = sql('hub', q{SELECT casino.register_player('Cyril')});
is('cell' . $anew % 2, $there, 'registered anew in the home cell');
is(caught_up(), 't,t', 'catch_up()');
is(home('Cyril'), "$there|f", 'R12.94: who is registered anew stays');
is(home($token), "$there|t", '... and the erasure is noted');
sql('hub', "SELECT casino.close_account($anew)");
my $home = $there;
is('cell' . sql('hub', q{SELECT casino.register_player('Cyril')}) % 2, $home, 'R12.94: with the home cell');

# another cell is away: the one that has the person is found, and nobody is taken for unknown
($last, $there) = former('Emil');
my $away = $there eq 'cell0' ? 'cell1' : 'cell0';
my $emil = sql('hub', as('eva', q{SELECT casino.erase_person('Emil', 'request 9')}));
$world->cut('casino_hub', $away);
is(sql('hub', as('jan', "SELECT casino.approve_erasure('$emil')")), $emil,
	'R12.93: approved by the token while another cell is away');
is(known('Emil') . home($emil), "0$there|t", '... and erased at the hub');
like(refused('hub', as('eva', "SELECT casino.approve_erasure(repeat('0', 64))")),
	qr/^08006: .*a cell that may know the person does not answer/, 'a token that no cell says to know');
$world->heal('casino_hub', $away);
like(refused('hub', as('eva', "SELECT casino.approve_erasure(repeat('0', 64))")), qr/^23503/,
	'... and that none knows');
is(caught_up(), 't,t', 'catch_up()');

# somebody registers the person and does not come to an end
($last, $there) = former('Filip');
$token = in_cell($there, 'Filip');
my $busy = $node->background_psql('hub');
$busy->query_safe(q{BEGIN; SELECT casino_internal.take_lock('hub person Filip')});
is(sql('hub', q{SET statement_timeout = '100s';
	SELECT string_agg(concat(up, problem), ',' ORDER BY cell) FROM casino.catch_up()}), 't,t',
	'R12.93: catch_up() does not wait for a session that registers the person');
is(known('Filip'), 1, '... and leaves the reference');
$busy->query_safe('ROLLBACK');
is(caught_up() . known('Filip'), 't,t0', '... until the next time');
$busy->quit;

# a hub that reads the persons of its cells anew keeps the tokens
sql('hub', "DELETE FROM casino.hub_person WHERE external_ref = '$token'");
sql('hub', 'UPDATE casino.hub SET timeline = -1');
is(caught_up(), 't,t', 'a hub that was restored');
is(caught_up(), 't,t', '... and decides again');
is(home($token), "$there|t", 'R12.93: ... has the token of the erased person');
is(home('Cyril'), "$home|f", 'R12.94: ... and the one who is registered anew');
is(known('Dora'), 0, '... and no reference');
like(refused('hub', q{BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT casino.register_player('Cyril')}),
	qr/^0A000/, 'R12.94: no registration by an older snapshot');
# -------------------------------- a cell is put back to before an erasure
($last, $there) = former('Hana');
sub anew
{
	sql('hub', as('eva', q{SELECT casino.erase_person('Hana', 'request 10')}));
	return sql('hub', as('jan', q{SELECT casino.approve_erasure('Hana')}));
}
$world->snapshot($there);
$all = $persons->();
$token = anew();
is(known('Hana') . home($token), "0$there|t", 'erased in the cell and at the hub');
$world->put_back($there);
$world->heal($_, $there) for qw(eva jan);
is(sql($there, q{SELECT count(*) FROM casino.player WHERE external_ref = 'Hana'}), 1,
	'the cell is put back, and has the reference');
$epoch = epoch();
my $again = 'the erasure of 1 person(s) is lost there: erase them anew (casino.hub_person.lost_at)';
my $said = join ',', map { $_ eq $there ? "t$again" : 't' } qw(cell0 cell1);
is(caught_up(), $said, 'R12.95: the hub says that the erasure is lost');
is(caught_up(), $said, '... each time');
is(epoch(), $epoch, '... and does not take itself for one that was restored');
like(sql('hub', "SELECT problem FROM casino.cell_status WHERE 'cell' || cell = '$there'"), qr/^\Q$again\E/,
	'... in cell_status, too');
is(home('Hana'), "$there|f", 'R12.95: it has the home cell again');
is(home($token), "$there|f", '... and the token not as that of a person who is erased');
is($persons->(), $all + 1, 'two rows of the cell');
$anew = sql('hub', q{SELECT casino.register_player('Hana')});
is('cell' . $anew % 2, $there, '... so that nobody has accounts in two cells');
sql('hub', "SELECT casino.close_account($anew)");
is(anew(), $token, 'erased anew, the token is the same');
is(known('Hana') . home($token), "0$there|t", '... at the hub, too');
is($persons->(), $all, '... with one row');
is(caught_up(), 't,t', 'R12.95: nothing is lost any more');
is(sql('hub', 'SELECT count(*) FROM casino.hub_person WHERE lost_at IS NOT NULL'), 0,
	'... nor noted as lost');
$node->stop;
done_testing();
