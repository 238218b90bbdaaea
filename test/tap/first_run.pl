# A new user's first commands: on a machine without PostgreSQL's headers or a compiler every target says what
# is missing, or gets it; on a server as it comes (jit on, the library not loaded) casino works; a database
# that cannot have it is told so.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play;

# ---------------------------------------------------------------------------------------------------- make
# programs that play a bare machine: pg_config knows pgxs.mk (it comes with the client's programs) and a
# folder without postgres.h
my $dir = PostgreSQL::Test::Utils::tempdir();
my $real = $ENV{PG_CONFIG} // 'pg_config';
sub program
{
	my ($name, $text) = @_;
	open my $fh, '>', "$dir/$name" or die "$dir/$name: $!";
	print $fh $text;
	close $fh;
	chmod 0755, "$dir/$name" or die $!;
}
program('pg_config',
	"#!/bin/sh\ncase \$1 in --includedir-server) echo $dir/none ;; *) exec $real \"\$@\" ;; esac\n");
program('dpkg-query', "#!/bin/sh\nexit 1\n");
program('id', "#!/bin/sh\necho 1000\n");
delete @ENV{qw(MAKEFLAGS MAKELEVEL MFLAGS CASINO_SETUP)};

sub make
{
	my ($path, @arguments) = @_;
	local %ENV = (%ENV, PATH => $path . $ENV{PATH});
	delete $ENV{PG_CONFIG};
	my ($out, $err) = ('', '');
	my $ok = IPC::Run::run(['make', '-s', '-C', $ENV{TESTDIR}, @arguments], '>', \$out, '2>', \$err);
	return ($ok, "$out$err");
}
my $install =
	qr/^packages are missing; as root: apt-get update; apt-get install --no-install-recommends(.*)$/m;
my ($v) = `$real --version` =~ /(\d+)/;
# the tests build casino-verify, which has SHA-256 from libcrypto
my $tests = "postgresql-$v-pgtap libipc-run-perl libssl-dev";
my %asks = (test => $tests, sanitize => $tests, memcheck => "$tests valgrind",
	coverage => "$tests lcov gcovr", bench => 'libssl-dev');
for my $target (qw(all install installcheck unit demo reference examples bench test sanitize memcheck
	coverage))
{
	my ($ok, $said) = make("$dir:", $target);
	my $want = join ' ', "make gcc libc6-dev postgresql-server-dev-$v",
		($target =~ /^(all|install|installcheck|unit)$/ ? () : "postgresql-$v"), $asks{$target} // ();
	my ($asked) = $said =~ $install;
	ok(!$ok, "make $target stops without headers");
	is($asked, " $want", "make $target asks for what it needs and no more") or diag $said;
	unlike($said, qr/postgres\.h: No such file/, "make $target does not try to compile");
}
for (['lint', " make perl shellcheck cppcheck pg-bsd-indent postgresql-server-dev-$v"],
	['fuzz', ' make clang libclang-rt-14-dev libc6-dev'])
{
	my ($ok, $said) = make("$dir:", $_->[0]);
	my ($asked) = $said =~ $install;
	is($asked, $_->[1], "make $_->[0]") or diag $said;
}
# another server's pg_config: nothing is installed for it, what is missing is said
my ($ok, $said) = make('', "PG_CONFIG=$dir/pg_config", 'all');
ok(!$ok && $said =~ /includedir-server names no folder with postgres\.h/ && $said !~ /No such file/,
	'PG_CONFIG without headers') or diag $said;
($ok, $said) = make('', "PG_CONFIG=$real", 'CC=no-such-compiler', 'all');
ok(!$ok && $said =~ /there is no C compiler "no-such-compiler"/, 'no compiler') or diag $said;
# a folder whose path has a space: what is made by a program of ours is made there, too
{
	my $spaced = "$dir/my casino";
	my $said = '';
	mkdir $spaced or die "$spaced: $!";
	system('cp', '-R', (map { "$ENV{TESTDIR}/$_" } qw(Makefile casino.control extension src tools)),
		$spaced) == 0 or die 'cp';
	system('rm', '-rf', "$spaced/src/core/generated");
	my $ok = IPC::Run::run(['make', '-s', '-C', $spaced, "PG_CONFIG=$real",
		'src/core/generated/poker_tables.h'], '>&', \$said);
	ok($ok && -s "$spaced/src/core/generated/poker_tables.h", 'make in a folder whose path has a space')
		or diag $said;
}
($ok, $said) = make('', "PG_CONFIG=$dir/nothing", 'all');
ok(!$ok && $said =~ /--pgxs names no file/, 'no pg_config') or diag $said;
# all packages are said to be there, but the headers are not: said, not tried for ever
program('dpkg-query', "#!/bin/sh\necho 'install ok installed'\n");
($ok, $said) = make("$dir:", 'all');
ok(!$ok && $said =~ /includedir-server names no folder with postgres\.h/ && $said !~ /No such file/,
	'headers that set-up cannot get') or diag $said;
($ok, $said) = make('', "PG_CONFIG=$real", '-n', 'all');
ok($ok, 'where all is there make makes') or diag $said;

# ------------------------------------------------------------------------ a server as it comes
my $node = PostgreSQL::Test::Cluster->new('stock');
$node->init;
# as it comes; the tests' own configuration says off
$node->append_conf('postgresql.conf', "jit = on\n");
$node->start;
is($node->safe_psql('postgres', 'SHOW jit'), 'on', 'the server compiles what it thinks expensive');
$node->safe_psql('postgres', 'CREATE DATABASE stock');
install($node, 'stock');
play($node, 'stock');
is(broken($node, 'stock'), '', 'played and sound');
is($node->safe_psql('stock', 'SELECT count(*) > 0 FROM casino.evaluation'), 't', 'the evaluation is read');
is($node->safe_psql('stock', "SELECT count(*)
	FROM casino.evaluation e
	JOIN casino.ledger p USING (player_id)
	WHERE p.stake_entry_no = e.entry_no
		AND p.kind = 'payout'
		AND p.amount <> e.payout
		AND NOT EXISTS (SELECT FROM casino.round_correction c WHERE c.round_id = e.round_id)"), '0',
			'and repeats the payouts');
is($node->safe_psql('stock', 'SHOW jit'), 'off', 'install() has turned jit off for this database');
is($node->safe_psql('postgres', 'SHOW jit'), 'on', 'and for no other');
$node->safe_psql('stock', 'ALTER DATABASE stock SET jit = on');
$node->safe_psql('stock', 'SELECT casino.install()');
is($node->safe_psql('stock', 'SHOW jit'), 'on', 'who says otherwise is obeyed');

# the setting is known once the library is loaded: by its first use, or by every session
like(error($node, 'stock', 'SHOW casino.clock_skew'),
	qr/^42704: unrecognized configuration parameter "casino.clock_skew"/,
	'a session that has used nothing of casino does not know its setting');
is($node->safe_psql('stock', q{SELECT 'red@1'::casino.bet; SHOW casino.clock_skew}), "red\@1.00\n5s",
	'one that has does');
$node->safe_psql('stock', q{ALTER DATABASE stock SET session_preload_libraries = '$libdir/casino'});
is($node->safe_psql('stock', 'SHOW casino.clock_skew'), '5s', 'session_preload_libraries: at once');
is($node->safe_psql('stock', q{SELECT setting FROM pg_settings WHERE name = 'casino.clock_skew'}), '5',
	'in pg_settings too');
like(error($node, 'stock', 'SET casino.clock_skwe = 1'), qr/invalid configuration parameter name/,
	'and a misspelt one is refused');
$node->safe_psql('stock', q{ALTER DATABASE stock SET casino.clock_skew = '9s'});
is($node->safe_psql('stock', 'SHOW casino.clock_skew'), '9s', 'set for a database');

# encodings
for my $encoding (qw(SQL_ASCII LATIN1 LATIN2 WIN1250))
{
	$node->safe_psql('postgres',
		"CREATE DATABASE other ENCODING '$encoding' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0");
	is(error($node, 'other', 'CREATE EXTENSION casino'),
		'0A000: casino needs a database with the encoding UTF8', "$encoding is refused with a sentence");
	is($node->safe_psql('other', q{SELECT count(*) FROM pg_namespace WHERE nspname = 'casino'}), '0',
		"and $encoding left as it was");
	$node->safe_psql('postgres', 'DROP DATABASE other');
}
$node->stop;
done_testing();
