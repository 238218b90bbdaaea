# R10.49: the seals as a log that is signed and witnessed elsewhere.  Roots and proofs are counted here from
# the text of RFC 9162 with Digest::SHA alone; the guide of doc/evidence.md is played; forgeries are refused.
use strict;
use warnings;
use Cwd;
use Digest::SHA qw(sha256);
use MIME::Base64;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Play ();

my $node = PostgreSQL::Test::Cluster->new('witness');
$node->init;
$node->start;
$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;
$ENV{PGDATABASE} = 'postgres';
delete $ENV{PGAPPNAME};
my $make = $ENV{MAKE} || 'make';
is(system("$make -s casino-verify >&2"), 0, 'it is built') or BAIL_OUT('no casino-verify');
$ENV{PATH} = getcwd . ":$ENV{PATH}";
open my $f, '<', 'doc/evidence.md' or die $!;
my $guide = do { local $/; <$f> };
my $most = 19;
Play::install($node, 'postgres');
$node->safe_psql('postgres', join "\n", 'SET casino.clock_skew = -1;',
	map { sprintf "SELECT casino.register_player('p%d'); SELECT casino.seal('2026-06-%02d');", $_, $_ }
	1 .. $most);

# RFC 9162 section 2.1.1 and 2.1.4.1, as recursions
my @leaf = map { sha256("\0", pack 'H*', $_) } split /\n/, $node->safe_psql('postgres',
	q{SELECT encode(root, 'hex') FROM casino.day_seal ORDER BY seal_no});
sub split_at { my ($n) = @_; my $k = 1; $k *= 2 while 2 * $k < $n; return $k; }
sub tree
{
	my @d = @_;
	return $d[0] if @d == 1;
	my $k = split_at(scalar @d);
	return sha256("\1", tree(@d[0 .. $k - 1]), tree(@d[$k .. $#d]));
}
sub subproof
{
	my ($m, $whole, @d) = @_;
	return $whole ? () : (tree(@d)) if $m == @d;
	my $k = split_at(scalar @d);
	return (subproof($m, $whole, @d[0 .. $k - 1]), tree(@d[$k .. $#d])) if $m <= $k;
	return (subproof($m - $k, 0, @d[$k .. $#d]), tree(@d[0 .. $k - 1]));
}
is(scalar @leaf, $most, 'there are seals');
for my $n (1 .. $most)
{
	is($node->safe_psql('postgres', "SELECT casino.checkpoint($n, 'log.example')"),
		"log.example\n$n\n" . encode_base64(tree(@leaf[0 .. $n - 1]), '') . "\n",
		"R10.49: checkpoint of $n seals");
}
is($node->safe_psql('postgres', "SELECT right(casino.checkpoint(2, 'o'), 1) = E'\\n'"), 't',
	'it ends with a line end');
my $wrong = 0;
my $proofs = $node->safe_psql('postgres', "SELECT m, n, casino.consistency_proof(m, n) ->> 'path'
	FROM generate_series(1, $most) m, generate_series(m, $most) n");
for (split /\n/, $proofs)
{
	my ($m, $n, $path) = split /\|/;
	my $want = join ', ', map { '"' . unpack('H*', $_) . '"' } subproof($m, 1, @leaf[0 .. $n - 1]);
	$wrong++, diag("$m $n") if $path ne "[$want]";
}
is($wrong, 0, 'R10.49: each consistency proof is that of RFC 9162');
for ([ "casino.checkpoint(0, 'o')", '23503' ], [ "casino.checkpoint(20, 'o')", '23503' ],
	[ "casino.checkpoint(NULL, 'o')", '22004' ], [ 'casino.checkpoint(1, NULL)', '22023' ],
	[ "casino.checkpoint(1, 'a b')", '22023' ], [ "casino.checkpoint(1, E'a\\nb')", '22023' ],
	[ "casino.checkpoint(1, 'a+b')", '22023' ], [ "casino.checkpoint(1, '')", '22023' ],
	[ 'casino.consistency_proof(2, 1)', '22023' ], [ 'casino.consistency_proof(0, 1)', '22023' ],
	[ 'casino.consistency_proof(1, 20)', '23503' ], [ 'casino.consistency_proof(NULL, 1)', '22004' ])
{
	like(Play::error($node, 'postgres', "SELECT $_->[0];"), qr/^$_->[1]:/, "$_->[0] is refused, $_->[1]");
}

# the guide
my $dir = PostgreSQL::Test::Utils::tempdir;
chdir $dir or die $!;
my ($section) = $guide =~ /^## Witnessed\n(.*?)^## /ms or die 'no section';
my $blocks = 0;
while ($section =~ /^```sh\n(.*?)^```\n(?:\n*^```text\n(.*?)^```\n)?/msg)
{
	my ($script, $want) = ($1, $2 // '');
	open my $s, '>', 'block.sh' or die $!;
	print $s $script;
	close $s;
	my ($first) = $script =~ /^(?:set -e\n)?(.{0,60})/;
	is(`sh ./block.sh 2>&1`, $want, $first);
	$blocks++;
}
is($blocks, 4, 'the guide was played');

# every pair, by the program
sub run_it { my $out = `casino-verify @_ 2>&1`; return ($? >> 8) . " $out"; }
sub spew { my ($name, $text) = @_; open my $o, '>:raw', $name or die $!; print $o $text; close $o; }
sub slurp { my ($name) = @_; open my $i, '<:raw', $name or die $!; local $/; return scalar <$i>; }
sub note
{
	my ($n, $name) = @_;
	spew('b', $node->safe_psql('postgres', "SELECT casino.checkpoint($n, 'house.example/seals')"));
	system('openssl pkeyutl -sign -rawin -inkey log.pem -in b -out s') == 0 or die;
	my ($id) = (split /\n/, slurp('keys'))[0] =~ /\+([0-9a-f]{8})\+/;
	spew($name, slurp('b') . "\n\xe2\x80\x94 house.example/seals "
		. encode_base64(pack('H*', $id) . slurp('s'), '') . "\n");
}
spew('log', (split /\n/, slurp('keys'))[0] . "\n");
note($_, "n$_") for 1 .. 9;
my $bad = 0;
for my $n (1 .. 9)
{
	for my $m (1 .. $n)
	{
		spew('p', $node->safe_psql('postgres', "SELECT casino.consistency_proof($m, $n)"));
		$bad++ if run_it("--consistency n$m n$n p log") !~ /^0 /;
		# another root of the path, or one less, or one more
		my $text = slurp('p');
		(my $other = $text) =~ s/("path": \["[0-9a-f]*)([0-9a-f])(")/$1 . ($2 eq '0' ? '1' : '0') . $3/e;
		spew('q', $other);
		$bad++ if $other ne $text && run_it("--consistency n$m n$n q log") !~ /^1 .*only grew/;
		($other = $text) =~ s/"path": \[/'"path": ["' . '0' x 64 . '"' . ($m == $n ? '' : ', ')/e;
		spew('q', $other);
		$bad++ if run_it("--consistency n$m n$n q log") !~ /^1 .*only grew/;
	}
}
is($bad, 0, 'R10.49: the program accepts each proof, and none that was changed');

my $new = slurp('new.note');
my %forged = (
	'a size' => [ sub { $new =~ s/\n7\n/\n8\n/r }, qr/signature of house.example\/seals does not fit/ ],
	'a root' => [ sub { $new =~ s/(?<=\n)(.{43}=)(?=\n)/encode_base64("\1" x 32, '')/er }, qr/does not fit/ ],
	'no witness' => [ sub { $new =~ s/\xe2\x80\x94 witness.*\n//r }, qr/witness.example has not signed it/ ],
	'a witness at another time' => [ sub {
		my ($line) = $new =~ /witness\.example (\S+)/;
		my $bytes = decode_base64($line);
		substr($bytes, 11, 1) ^= "\1";
		my $other = encode_base64($bytes, '');
		$new =~ s/\Q$line\E/$other/r },
		qr/signature of witness.example does not fit/ ],
	'another log' => [ sub { $new =~ s/^house/kasino/r }, qr/no key of its log kasino/ ],
	'not signed' => [ sub { $new =~ s/\n\n.*//sr . "\n\n" }, qr/not signed/ ],
	'cut off' => [ sub { substr $new, 0, -1 }, qr/signatures is not one/ ],
	'CRLF' => [ sub { $new =~ s/\n/\r\n/gr }, qr/first line/ ],
	'a leading zero' => [ sub { $new =~ s/\n7\n/\n07\n/r }, qr/second line/ ],
	'a root of 31 bytes' => [ sub { $new =~ s/(?<=\n)(.{43}=)(?=\n)/encode_base64("\1" x 31, '')/er },
		qr/third line/ ],
	'an extension that nobody signed' => [ sub { $new =~ s/\n\n/\nmore\n\n/r }, qr/does not fit/ ],
	'nothing' => [ sub { '' }, qr/first line/ ]);
for (sort keys %forged)
{
	spew('forged', $forged{$_}[0]->());
	like(run_it('--checkpoint forged keys'), qr/^1 .*$forged{$_}[1]/s, "R10.49: refused: $_");
}
like(run_it('--consistency old.note new.note p keys'), qr/^1 .*proof from seal 9 to seal 9/,
	'a proof of other seals');
spew('few', join '', map { "$_\n" } (split /\n/, slurp('seals'))[0 .. 5]);
like(run_it('--checkpoint new.note keys few'), qr/^1 .*not all in it/, 'documents are missing');
spew('k', slurp('keys') =~ s/\+([0-9a-f])/'+' . ($1 eq '0' ? '1' : '0')/er);
like(run_it('--checkpoint new.note k'), qr/^1 k:1: The id of the key/, 'a key whose id is not its own');
is(run_it('--checkpoint new.note no-such-file') =~ /^2 /, 1, 'no such file');

# all made again by a superuser: documents and seals fit, the kept line does not
$node->safe_psql('postgres', q{SET session_replication_role = replica;
	ALTER TABLE casino.day_seal DISABLE TRIGGER USER;
	UPDATE casino.day_seal SET root = sha256(root) WHERE seal_no = 2;});
note(7, 'again');
spew('p', $node->safe_psql('postgres', 'SELECT casino.consistency_proof(3, 7)'));
like(run_it('--consistency old.note again p log'), qr/^1 .*only grew/,
	'R10.49: a log that was made again is not that of the kept checkpoint');
$node->stop;
done_testing();
