# Corrections of cards and results at a hub (R13.42 to R13.46): both cells are corrected alike, also where one
# is away, put back, or the hub restored, and the ledgers of the cells are that of one server.
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
my $world = Cells::World->new($node, 4);
my ($p0, $p1) = $world->players;
my @boss = qw(eva jan);
$node->safe_psql('postgres', "CREATE ROLE $_ LOGIN") for @boss;
$node->safe_psql('postgres', 'CREATE DATABASE one');
install($node, 'one');
for my $db (qw(hub cell0 cell1 one))
{
	$node->safe_psql($db, "SELECT casino.grant_access('$_', 'supervisor');
		GRANT CONNECT ON DATABASE $db TO $_") for @boss;
}
sub sql { return $world->sql(@_) }
sub refused { return $world->refused(@_) }
sub as { my ($who, $sql) = @_; return "SET SESSION AUTHORIZATION $who; $sql" }
sub propose
{
	my ($round, $outcome, $reason, $db) = @_;
	my $value = defined $outcome ? "'{\"number\": $outcome}'" : 'NULL';
	return sql($db // 'hub', as('eva', "SELECT casino.correct_round($round, $value, '$reason')"));
}
sub approve
{
	my ($number, $db) = @_;
	return sql($db // 'hub',
		as('jan', "SELECT status, wagers, staked, paid FROM casino.approve_correction($number)"));
}
my @names = map { sql('cell' . $_ % 2, "SELECT external_ref FROM casino.player
	WHERE player_id = $_") } $p0, $p1;
# By persons and amounts: numbers of rounds and corrections are the database's own
sub corrected
{
	my (@dbs) = @_;
	return join "\n", sort map { split /\n/, $node->safe_psql($_, q{
		SELECT p.external_ref, l.kind, l.amount, l.reason, l.balance, r.round_ref, r.status
		  FROM casino.ledger l JOIN casino.player p USING (player_id)
		  LEFT JOIN casino.round r USING (round_id)
		 WHERE p.external_ref = ANY (array['NAMES'])
		 ORDER BY l.player_id, l.entry_no} =~ s/NAMES/join "','", @names/er) } @dbs;
}

# ------------------------------------------- the same on one server and in two cells
my %one;
@one{ $p0, $p1 } = map { sql('one', "SELECT casino.register_player('$_')") } @names;
sql('one', "SELECT casino.deposit($_, 10000, 'first')") for values %one;
my $table_one = sql('one', q{SELECT casino.add_game_table('roulette_american', 'T', 10, 5000)});
my %round;
for my $db (qw(one hub))
{
	my ($x, $y) = $db eq 'hub' ? ($p0, $p1) : @one{ $p0, $p1 };
	my $table = $db eq 'hub' ? $world->table : $table_one;
	my $r = $round{$db} = sql($db, "SELECT casino.open_round($table, 'to be corrected')");
	sql($db, "SELECT casino.place_bet($r, $x, 'red\@100', 'x')");
	sql($db, "SELECT casino.place_bet($r, $y, 'black\@1000', 'y')");
	sql($db, "SELECT casino.settle_round($r, '{\"number\": 1}')");
	sql($db, "SELECT casino.open_round($table, 'the next one')");
	my $n = propose($r, 2, 'misread', $db);
	is(propose($r, 2, 'misread', $db), $n, "$db: a proposal sent again has its number");
	like(refused($db, as('jan', "SELECT casino.correct_round($r, '{\"number\": 3}', 'no')")), qr/^KR002/,
		"$db: another one while it waits is KR002");
	like(refused($db, as('eva', "SELECT casino.approve_correction($n)")), qr/^42501.*second person/s,
		"$db: R13.43: who proposed it does not approve it");
	like(refused($db, as('eva', "SET casino.actor = 'Somebody'; SELECT casino.approve_correction($n)")),
		qr/^42501/, "$db: R13.43: nor under another name from that login");
	is(approve($n, $db), 'settled|2|1100.00|2000.00', "$db: R13.42: black wins");
	is(approve($n, $db), 'settled|2|1100.00|2000.00', "$db: approved again: answered");
	is(sql($db, "SELECT status, paid FROM casino.settle_round($r, '{\"number\": 2}')"), 'settled|2000.00',
		"$db: settled again by the outcome that holds: answered with its sum");
	is(sql($db, "SELECT status, paid FROM casino.settle_round($r, '{\"number\": 1}')"), 'settled|2000.00',
		"$db: and by the first one");
	like(refused($db, "SELECT casino.settle_round($r, '{\"number\": 3}')"), qr/^KR002/,
		"$db: a third one is KR002");
	# the winner has spent the payout: void again takes it as far as it is there
	sql($db, "SELECT casino.adjust($y, -10500, 'spent', 'gone')");
	$n = propose($r, undef, 'the wheel was stopped', $db);
	is(approve($n, $db), 'voided|2|1100.00|1100.00', "$db: R13.42: void by a correction");
	my ($claim) = sql($db eq 'hub' ? 'cell' . $y % 2 : $db,
		"SELECT claim_no FROM casino.open_claim WHERE player_id = $y");
	like($claim, qr/^\d+$/, "$db: the rest is a claim");
	sql($db, as('jan', "SELECT casino.settle_claim($claim, 'paid in cash')")) for 1, 2;
	like(refused($db, as('jan', "SELECT casino.settle_claim($claim, 'otherwise')")), qr/^55000/,
		"$db: a claim ends once");
	is(refused($db, as('jan', "SELECT casino.settle_claim(1, 'no')")) =~ /^(\w+)/ ? $1 : '', '23503',
		"$db: a claim of nobody");
	is(sql($db, "SELECT status FROM casino.void_round($r, 'the wheel was stopped')"), 'voided',
		"$db: voided again: answered");
	is(sql($db, "SELECT status, paid FROM casino.settle_round($r, '{\"number\": 1}')"), 'voided|1100.00',
		"$db: the first settlement again: answered, void by a correction as the round is");
	like(refused($db, "SELECT casino.settle_round($r, '{\"number\": $_}')"), qr/^KR002/,
		"$db: another outcome ($_) is KR002") for 2, 3;
	$n = propose($r, 2, 'not stopped', $db);
	sql($db, as('eva', "SELECT casino.reject_correction($n, 'stopped it was')")) for 1, 2;
	like(refused($db, as('jan', "SELECT casino.approve_correction($n)")), qr/^KR002.*rejected/s,
		"$db: a rejected one");
	$n = propose($r, 4, 'not stopped, 4', $db);
	is(approve($n, $db), 'settled|2|1100.00|2000.00', "$db: valid after all");
}
is(corrected(qw(cell0 cell1)), corrected('one'), 'R13.42: the ledgers of the cells are that of one server');
is($world->judge('hub'), '', 'hub and cells say the same of the round');
is(sql('hub', 'SELECT status, count(*) FROM casino.hub_correction GROUP BY 1 ORDER BY 1'),
	"in force|3\nrejected|1",
	'hub_correction has them all');

my ($first, $proposed_at) = split /\|/, sql('hub', qq{SELECT decision_no, arguments ->> 'proposed_at'
	  FROM casino.hub_decision WHERE round_id = $round{hub} AND call = 'correct_round'
	 ORDER BY decision_no LIMIT 1});
# the setting is a superuser's: on a busy machine the proposal is older than 5 s
is( sql('hub', 'SET casino.clock_skew = -1; ' . as('eva', "SELECT casino.correct_round($round{hub},
		'{\"number\": 2}', 'misread', '$proposed_at')")),
	$first, 'R13.42: an earlier proposal sent again with its time has its own number');

# ------------------------------------------- told again: R13.44
sub again { sql('hub', q{SELECT * FROM casino.catch_up('-infinity')}) }
my $before = corrected(qw(cell0 cell1));
again() for 1, 2;
is(corrected(qw(cell0 cell1)), $before, 'R13.44: all told again twice: nothing is posted');
is($world->judge('hub'), '', 'and nothing is refused');

# ------------------------------------------- a cell away, put back; another hub
sub spin
{
	my ($name) = @_;
	my $r = sql('hub', 'SELECT round_id FROM casino.hub_round WHERE status IN (\'open\', \'closed\')');
	sql('hub', "SELECT casino.void_round($r, 'next')") if $r ne '';
	$r = $world->open($name);
	$world->stake('hub', $r, $p0);
	sql('hub', "SELECT casino.settle_round($r, '{\"number\": 1}')");
	return $r;
}
my $r = spin('cut off');
$world->cut('casino_hub', 'cell1');
like(refused('hub', as('eva', "SELECT casino.correct_round($r, '{\"number\": 2}', 'x')")),
	qr/^08006: correct_round needs every cell.*Cell 1/s, 'R13.42: a cell is away: nothing is proposed');
$world->heal('casino_hub', 'cell1');
my $n = propose($r, 2, 'x');
sql('hub', "SELECT casino.adjust($p0, -3, 'by hand', 'by hand 0', round_id => $r)");
sql('hub', "SELECT casino.adjust($p1, 5, 'by hand', 'by hand 1', round_id => $r)");
is(sql('hub', as('jan', "SELECT round_id, status, adjusted FROM casino.hub_corrections()
	WHERE correction_no = $n")), "$r|pending|2.00",
	'R11.62: at the hub the second person sees the adjustments of both cells');
is(sql('hub', "SELECT count(*) FROM casino.hub_correction
	WHERE status <> 'pending' AND adjusted IS NOT NULL"), '0', 'of corrections that wait');
$world->cut('casino_hub', 'cell1');
is(sql('hub', "SELECT status, adjusted IS NULL FROM casino.hub_correction WHERE correction_no = $n"),
	'pending|t', 'R11.62: unknown while a cell is away');
like(refused('hub', as('jan', "SELECT casino.approve_correction($n)")), qr/^08006/, 'nor approved');
is(sql('hub', "SELECT status FROM casino.hub_correction WHERE correction_no = $n"), 'pending',
	'nothing is written');
$world->heal('casino_hub', 'cell1');
is(approve($n), 'settled|1|100.00|0.00', 'all are there: approved');
is(sql('cell0', "SELECT sum(amount) FROM casino.ledger
	WHERE round_id = $r AND kind NOT IN ('stake', 'adjustment')"), '0.00',
	'the payout is taken back');

for my $when ('between proposal and approval', 'after the approval')
{
	$world->snapshot('cell0');
	$r = spin("put back $when");
	$world->snapshot('cell0') if $when =~ /between/;
	$n = propose($r, 2, 'x');
	approve($n) if $when =~ /after/;
	$world->put_back('cell0');
	sql('hub', 'SELECT * FROM casino.catch_up()');
	is(approve($n), $when =~ /between/ ? 'settled|1|100.00|0.00' : 'settled|0|0.00|0.00',
		"cell put back $when: told again, corrected once; a stake that it lost is lost");
	again();
	is($world->judge('hub'), '', 'nothing differs');
}
# the stake was there before the snapshot: the decisions are told again, and paid once
$r = $world->open('put back with its stake');
$world->stake('hub', $r, $p0);
$world->snapshot('cell0');
sql('hub', "SELECT casino.settle_round($r, '{\"number\": 1}')");
$n = propose($r, 2, 'x');
approve($n);
my $m = propose($r, 3, 'red after all');
approve($m);
$world->put_back('cell0');
sql('hub', 'SELECT * FROM casino.catch_up()');
is(sql('cell0', "SELECT string_agg(kind || ' ' || amount, ', ' ORDER BY entry_no) FROM casino.ledger
	WHERE round_id = $r"),
	'stake 100.00, payout 200.00, correction -200.00, correction 200.00', 'R13.44: told again in its order,
		posted once');
is($world->judge('hub'), '', 'nothing differs');

# ------------------------------------------- a hub from before the correction: R13.46
$r = spin('hub put back');
$n = propose($r, 2, 'seen by the cells');
$world->snapshot('hub');
approve($n);
my $pending = propose($world->{last} = $r, 3, 'waits');
$world->put_back('hub');
sql('hub', 'SELECT casino.install_hub()');
sql('hub', 'SELECT * FROM casino.catch_up()');
is(sql('hub', "SELECT status, outcome FROM casino.hub_round WHERE round_id = $r"), 'settled|{"number": 2}',
	'R13.46: the hub learns the correction from the cells');
is(approve($n), 'settled|1|100.00|0.00', 'its approval is answered');
my ($learned) = sql('hub', "SELECT correction_no FROM casino.hub_correction WHERE round_id = $r
	AND status = 'pending'");
like(refused('hub', as('jan', "SELECT casino.approve_correction($learned)")), qr/^42501.*restored since/s,
	'R13.46: a proposal whose login the hub does not know is not approved');
sql('hub', as('jan', "SELECT casino.reject_correction($learned, 'anew')"));
$n = propose($r, 3, 'waits');
is(approve($n), 'settled|1|100.00|200.00', 'rejected and proposed again, a second person approves it');
again();
is($world->judge('hub'), '', 'nothing differs');

# ------------------------------------------- a superseded hub: R13.30
$world->copy_hub('hub', 'hub2', 'casino_hub2');
sql('hub2', 'SELECT * FROM casino.catch_up()');
like(refused('hub', as('eva', "SELECT casino.correct_round($r, '{\"number\": 2}', 'y')")),
	qr/^55000: another hub has taken over/,
	'R13.30: a superseded hub corrects nothing');
like(refused('hub', as('jan', "SELECT casino.approve_correction($n)")), qr/^55000/,
	'nor does it answer its own decisions');
$world->drop('hub2');
$world->make_hub_again('hub');

# ------------------------------------------- withheld, corrected, paid
$r = $world->open('withheld');
$world->stake('hub', $r, $p0, $p1);
sql('hub', "SELECT casino.settle_round($r, '{\"number\": 1}', withhold => true,
	withhold_reason => 'looked at')");
is(approve(propose($r, 2, 'black')), 'withheld|2|200.00|0.00', 'a withheld round is corrected');
is(sql('hub', "SELECT status, paid FROM casino.pay_withheld($r)"), 'settled|0.00',
	'and paid by the right result');
again();
is($world->judge('hub'), '', 'R13.44: told again: nothing is refused');
is(approve(propose($r, undef, 'no game')), 'voided|2|200.00|200.00', 'and then void by a correction');
is(sql('hub', "SELECT status FROM casino.settle_round($r, '{\"number\": 1}')"), 'voided',
	'the first settlement again: answered');
again();
is($world->judge('hub'), '',
	'R13.44: settled as withheld and paid, told again to a void round: nothing is refused');

# ------------------------------------------- grounds (R11.41, R11.44)
my $studio = sql('hub', q{SELECT casino.add_game_table('roulette_synot', 'R', 10, 5000)});
my $g = $world->open('withheld on a ground', $studio);
$world->stake('hub', $g, $p0, $p1);
like(refused('hub', "SELECT casino.settle_round($g, '{\"number\": 1}', withhold => true, ground => 'fire')"),
	qr/^22023.*no ground "fire"/s, 'R11.41: a ground that no cell knows');
like(refused('hub', "SELECT casino.settle_round($g, '{\"number\": 1}', withhold => true,
	ground => repeat('x', 65))"), qr/^22001/, 'a ground that is too long');
sql('hub', "SELECT casino.settle_round($g, '{\"number\": 1}', withhold => true, ground => 'ball_out')");
my $ground = 'kulička během roztočení vypadla z kola rulety';
is(sql($_, "SELECT withheld_ground, withheld_reason FROM casino.round WHERE round_id = $g"),
	"ball_out|$ground", "R11.41: $_ has the ground of the settlement, and the text of the plan")
	for qw(cell0 cell1);
my $no_game = as('eva', "SELECT casino.correct_round($g, NULL, NULL, ground => 'GROUND')");
like(refused('hub', $no_game =~ s/GROUND/fire/r), qr/^22023.*no ground "fire"/s,
	'R11.41: a correction to a void on a ground that no cell knows');
like(refused('hub', $no_game =~ s/GROUND/other/r), qr/^22004/, 'other needs a reason');
$n = sql('hub', $no_game =~ s/GROUND/few_turns/r);
is(sql('hub', $no_game =~ s/GROUND/few_turns/r), $n, 'the same ground again: the same number');
like(refused('hub', $no_game =~ s/GROUND/ball_out/r), qr/^KR002/, 'another ground while the first waits');
is(approve($n), 'voided|2|200.00|200.00', 'void by a correction on a ground');
my $text = sql('cell0', "SELECT text FROM casino.round r
	CROSS JOIN casino.plan_grounds(r.plan_id) WHERE round_id = $g AND ground = 'few_turns'");
is(sql($_, "SELECT void_ground, void_reason FROM casino.round WHERE round_id = $g"), "few_turns|$text",
	"R11.44: $_ has the ground and the same words")
	for qw(cell0 cell1);
is(sql('hub', "SELECT status FROM casino.void_round($g, NULL, ground => 'few_turns')"), 'voided',
	'voided again on that ground: answered');
like(refused('hub', "SELECT casino.void_round($g, NULL, ground => 'ball_out')"), qr/^KR002/,
	'on another ground: KR002');

# the wagers of one player
my $v = $world->open('void for one player', $studio);
$world->stake('hub', $v, $p0, $p1);
sql('hub', "SELECT casino.settle_round($v, '{\"number\": 1}', withhold => true)");
my $void = "SELECT status FROM casino.void_wagers($v, $p1, NULL, ground => 'GROUND')";
like(refused('hub', $void =~ s/GROUND/fire/r), qr/^22023.*no ground "fire"/s,
	'R11.41: wagers void on a ground that the cell does not know');
like(refused('hub', $void =~ s/GROUND/other/r), qr/^22004/, 'other needs a reason');
is(sql('hub', $void =~ s/GROUND/few_turns/r), 'withheld', "R11.41: wagers void on a ground: $_")
	for 'done', 'again';
like(refused('hub', $void =~ s/GROUND/ball_out/r), qr/^KR002/, 'another ground: KR002');
is(sql('cell1', "SELECT how, ground, reason FROM casino.withholding_end WHERE round_id = $v"),
	"voided|few_turns|$text", "R11.44: the player's cell has the ground and the words of the plan");
is(sql('cell0', "SELECT count(*) FROM casino.withholding_end WHERE round_id = $v"), '0',
	'and the other cell has nothing');
again();
is($world->judge('hub'), '', 'R13.44: told again with its ground: nothing is refused');

# ------------------------------------------- cards, and a cell that was added since
my $box = sql('hub', q{SELECT casino.add_game_table('blackjack_infinite', 'B', 10, 5000)});
my $box_one = sql('one', q{SELECT casino.add_game_table('blackjack_infinite', 'B', 10, 5000)});
for my $db (qw(one hub))
{
	my ($x, $y) = $db eq 'hub' ? ($p0, $p1) : @one{ $p0, $p1 };
	# the wallet of y is empty
	sql($db, "SELECT casino.deposit($y, 5000, 'more')");
	my $t = $db eq 'hub' ? $box : $box_one;
	my $b = sql($db, "SELECT casino.open_round($t, 'misdealt')");
	sql($db, "SELECT casino.place_bet($b, $_, 'main\@100', 'm'), casino.deposit($_, 1000, 'b')") for $x, $y;
	sql($db, "SELECT casino.close_betting($b); SELECT casino.deal($b, '{\"dealer\": \"6h\",
		\"hands\": [{\"cards\": \"5c 6d\"}]}')");
	sql($db, "SELECT casino.place_bet($b, $_, 'double_down\@100', 'd', hand => 1)") for $x, $y;
	my $right = q{'{"dealer": "7h", "hands": [{"cards": "5c 6d"}]}'};
	is(sql($db, as('eva', "SELECT casino.correct_deal($b, $right, 'a seven')")), 2,
		"$db: R13.42: both stakes on the wrong card go back");
	is(sql($db, as('eva', "SELECT casino.correct_deal($b, $right, 'a seven')")), 2, "$db: again: answered");
	is(sql($db, "SELECT casino.last_deal($b) ->> 'dealer'"), '7h', "$db: the cards on the table");
	sql($db, "SELECT casino.deal($b, '{\"dealer\": \"6h\", \"hands\": [{\"cards\": \"5c 6d\"}]}')");
	is(sql($db, "SELECT casino.last_deal($b) ->> 'dealer'"), '7h',
		"$db: R13.6: the wrong document told again changes nothing");
	is(sql($db, "SELECT status, wagers, paid FROM casino.settle_round($b, '{\"dealer\": \"7h Th\",
		\"hands\": [{\"cards\": \"5c 6d 9h\"}]}')"),
		'settled|2|400.00', "$db: settled by the right cards");

	# y is gone, and gets no card on 8, where the rule draws; the right cards mend it (R3.21)
	my $c = sql($db, "SELECT casino.open_round($t, 'absent')");
	sql($db, "SELECT casino.place_bet($c, $_, 'main\@100', 'absent')") for $x, $y;
	sql($db, "SELECT casino.close_betting($c); SELECT casino.deal($c, '{\"dealer\": \"Th\",
		\"hands\": [{\"cards\": \"5h 3d\"}]}')");
	sql($db, "SELECT casino.disconnect($c, $y)");
	sql($db, "SELECT casino.settle_round($c,
		'{\"dealer\": \"Th 9d\", \"hands\": [{\"cards\": \"5h 3d\"}]}')");
	my @books = $db eq 'hub' ? qw(cell0 cell1) : $db;
	my $breaches = sub {
		return join ',', grep { $_ ne '' } map { sql($_, "SELECT concat_ws(' ', b.player_id, b.rule)
			FROM casino.breach b WHERE (b.detail ->> 'round_id')::bigint = $c") } @books;
	};
	my $night = sub {
		return join ',', grep { $_ ne '' } map { sql($_, "SELECT f.rule, f.player_id, f.expected
			FROM casino_internal.check_no_action(current_date - 1, current_date + 1) f
			WHERE f.round_id = $c") } @books;
	};
	is($breaches->(), "$y no_action", "$db: R3.21: who was gone did not get the card of the rule");
	like($night->(), qr/^\w+\|$y\|.*draws a card on 8[^,]*$/, "$db: R3.21: the night names the player alone");
	is(sql($db eq 'hub' ? 'cell' . $y % 2 : $db, "SELECT automatic FROM casino.statement
		WHERE player_id = $y AND round_id = $c AND kind = 'stake'"), 't',
		"$db: D4 §9.3: the history says that the game was finished without the player");
	my $drawn = qq({"dealer": "Th 9d", "hands": [{"cards": "5h 3d"},
		{"player": $y, "cards": "5h 3d 2c 9s"}]});
	$n = sql($db, as('eva', "SELECT casino.correct_round($c, '$drawn', 'a card was dealt')"));
	is(approve($n, $db), 'settled|2|200.00|100.00', "$db: R3.21: mended by a correction: 19 against 19");
	is($breaches->() . '/' . $night->(), "$y no_action/", "$db: the breach stays, the night is clean");
}
# the two rounds that were played on both
my $played = sub { return join "\n", sort map { split /\n/, sql($_, q{
	SELECT p.external_ref, l.entry_no - min(l.entry_no) OVER (PARTITION BY l.player_id), l.kind, l.amount,
	       l.reason, r.round_ref
	  FROM casino.ledger l JOIN casino.player p USING (player_id) JOIN casino.round r USING (round_id)
	 WHERE r.round_ref IN ('misdealt', 'absent')}) } @_ };
like($played->('one'), qr/misdealt.*correction/s, 'stakes went back, and a result was corrected');
is($played->(qw(cell0 cell1)), $played->('one'), 'R3.21, R11.30: in the cells as on one server');
again();
is($world->judge('hub'), '', 'R13.44: corrected cards told again: nothing is refused');
Cells::make_cell($node, 'cell2', 2, 4);
Cells::add_cell($node, 'hub', 2, $node, 'cell2');
sql('hub', 'SELECT * FROM casino.catch_up()');
is(approve(propose($r, 3, 'red')), 'settled|2|200.00|400.00',
	'R13.45: a cell that was added since has nothing to correct');
is(sql('hub', 'SELECT count(*) FROM casino.hub_answer WHERE answered_at IS NULL'), 0, 'and says so');

# ------------------------------------------- the clock of the hub is behind that of a cell: R12.160
$node->safe_psql('postgres', "ALTER DATABASE $_ SET casino.clock_skew = 60")
	for qw(hub cell0 cell1 cell2 one);
for my $db (qw(one hub))
{
	my ($x, $y, $t) = $db eq 'hub' ? ($p0, $p1, $box) : (@one{ $p0, $p1 }, $box_one);
	my ($books, $books_of_y) = $db eq 'hub' ? map { 'cell' . $_ % 2 } $p0, $p1 : ($db, $db);
	my $cards = sub { return qq('{"dealer": "$_[0]", "hands": [{"cards": "$_[1]"}]}') };
	# the double is placed by a clock that is 40 s ahead, and the cards are reported after it
	my $ahead = sub {
		my ($name, $player, $at) = @_;
		my $e = sql($db, "SELECT casino.open_round($t, '$name')");
		sql($db, "SELECT casino.place_bet($e, $player, 'main\@100', '$name')");
		sql($db, "SELECT casino.close_betting($e)");
		sql($db, "SELECT casino.deal($e, @{[$cards->('6h', '5c 6d')]})");
		sql($at, "SELECT casino.place_bet($e, $player, 'double_down\@100', 'd $name', hand => 1,
			at => clock_timestamp() + interval '40 s')");
		return $e;
	};
	my $e = $ahead->('ahead', $x, $books);
	my $nine = $cards->('6h', '5c 6d 9h');
	like(refused($db, "SET casino.clock_skew = 5; SELECT casino.deal($e, $nine)"),
		qr/^KL005: the clock is behind/, "$db: R12.160: a clock that is too far behind");
	sql($db, "SELECT casino.deal($e, $nine)");
	is(sql($db, as('eva', "SELECT casino.correct_deal($e, @{[$cards->('6h', '5c 6d 8h')]}, 'an eight')")), 0,
		"$db: R12.160: a double that was there before the wrong card stands");
	is(sql($db, "SELECT status, wagers, paid FROM casino.settle_round($e,
		@{[$cards->('6h Th 2s', '5c 6d 8h')]})"), 'settled|2|400.00', "$db: and plays on");
	is(sql($books, "SELECT bool_and(d.dealt_at >= l.posted_at), count(*),
		max(d.dealt_at) <= max(r.evaluated_at)
		FROM casino.deal d JOIN casino.round r USING (round_id) JOIN casino.ledger l USING (round_id)
		WHERE round_id = $e AND d.deal_no > 1 AND casino.kind(l.bet) = 'double_down'"), 't|2|t',
		"$db: R12.160: neither the cards nor the result are dated before it");
	is(sql($books, "SELECT count(*) FROM casino_internal.check_record(current_date - 1, current_date + 1) f
		WHERE f.round_id = $e"), 0, "$db: and the night finds their order right");
	# a time that a call gives stands
	$e = $ahead->('given', $y, $books_of_y);
	sql($db, "SELECT casino.deal($e, $nine, clock_timestamp())");
	is(sql($db, as('eva', "SELECT casino.correct_deal($e, @{[$cards->('6h', '5c 6d 8h')]}, 'an eight')")), 1,
		"$db: R11.30: by the time that was given it came after the wrong card");
	sql($db, "SELECT casino.void_round($e, 'the end')");
}

$node->stop('immediate');
done_testing();
