# The suite itself: files that run beside each other are told apart, a failed one fails it and says why, so
# does one that breaks off, and so does a lane.
use strict;
use warnings;
use PostgreSQL::Test::Utils;
use Test::More;

delete @ENV{qw(CASINO_RESULTS TEST_VERBOSE HARNESS_ACTIVE)};
my $dir = PostgreSQL::Test::Utils::tempdir();
sub file { my ($name, $text) = @_; append_to_file("$dir/$name", $text); return "$dir/$name" }
sub run
{
	my (@command) = @_;
	my $out = '';
	my $ok = IPC::Run::run(\@command, '<', \undef, '>&', \$out);
	return ($ok, $out);
}

# two that fail at the same time, word by word; one that breaks off; one that is well
my $slowly = "use Time::HiRes 'sleep'; \$| = 1; STDERR->autoflush;\n";
my @fails = map { file("$_.t", $slowly . <<"T") } qw(one two);
print "1..3\nok 1 - well\\n"; sleep 0.2;
print "not ok 2 - the wallet of $_\\n"; sleep 0.2; print "#   got: $_\\n"; sleep 0.2;
print STDERR "said by $_\\n"; sleep 0.2;
print "ok 3 - well again\\n";
T
my $breaks = file('breaks.t', qq(print "1..2\nok 1 - well\\n"; die "broke off\\n";\n));
my $well = file('well.t', qq(print "1..1\nok 1 - well\\n"; print STDERR "chatter\\n";\n));
my $log = file('breaks.log', "the end of the log\n");

my ($ok, $out) = run('tools/prove', 'name', '-j', 2, '-l', "$dir/%s.log", @fails, $breaks, $well);
ok(!$ok, 'files that fail fail the run');
like($out, qr/^name: 6 passed, 3 failed, files: 4$/m, 'each failure is counted, breaking off, too')
	or diag $out;
for my $name (qw(one two))
{
	my $at = qr{\Q$dir\E/$name\.t};
	like($out,
		qr{^$at: not ok 2 - the wallet of $name\n$at: \#   got: $name\n$at: said by $name$}m,
		"what $name says stands together: the assertion, why, its stderr");
}
like($out, qr/breaks\.t: broke off\n.*breaks\.t: the end of the log/,
	'why one broke off, with the end of its log');
unlike($out, qr/chatter|well again/, 'nothing of what is well');
($ok, $out) = run('tools/prove', 'name', $well);
ok($ok && $out =~ /^name: 1 passed, 0 failed, files: 1$/m, 'what is well passes');
($ok, $out) = run('tools/prove', 'name', file('none.t', qq(print "1..0 # SKIP nothing\\n";\n)));
ok(!$ok, 'a run in which nothing was tested does not pass');

# what failed is kept, to be said once more after the totals
{
	local $ENV{CASINO_RESULTS} = "$dir/results";
	run('tools/prove', 'name', @fails, $breaks, $well);
	is(join('', sort split /^/, slurp_file("$dir/results.failed")),
		join('', map { "name $dir/$_\n" } 'breaks.t: broke off, or ended with an error',
			'one.t: not ok 2 - the wallet of one',
			'two.t: not ok 2 - the wallet of two'),
		'the names of what failed are kept');
}

# one that passes only when all others are done beside it; which of them is reported first is nobody's promise
my $quiet = file('quiet.t', <<"T");
\$| = 1;
print '1..1';
for (1 .. 3000) { last if -e '$dir/quick3.done'; select undef, undef, undef, 0.1 }
print -e '$dir/quick3.done' ? "\\nok 1\\n" : "\\nnot ok 1\\n";
T
my @quick = map { file("quick$_.t", "print qq(1..1\nok 1\n); mkdir '$dir/quick$_.done';") } 1 .. 3;
($ok, my $beside) = run('tools/prove', 'name', '-j', 2, $quiet, @quick);
ok($ok && $beside =~ /^name: 4 passed, 0 failed, files: 4$/m,
	'a file that says nothing keeps no other file from starting') or diag $beside;

# lanes: the output of each in one piece, in the order they were started; one that fails fails all
my $lanes = <<'SH';
. tools/lib.sh
scratch lanes
lane slow sh -c 'echo slow 1; sleep 0.5; echo slow 2'
lane bad sh -c 'echo bad 1; sleep 0.2; echo bad 2; exit 3'
lane fast echo fast
if lanes; then echo passed; else echo failed; fi
lane well true
if lanes; then echo passed; else echo failed; fi
SH
($ok, $out) = run('sh', '-c', $lanes);
is($out, "slow 1\nslow 2\nbad 1\nbad 2\nfast\nfailed\npassed\n", 'lanes');

# a lane ends with the script that started it
my $pid = file('pid', '');
my $h = IPC::Run::start([ 'sh', '-c',
	". tools/lib.sh; scratch lanes; lane long sh -c 'echo \$\$ >$pid; exec sleep 300'; lanes" ]);
for (1 .. 200) { last if -s $pid; select undef, undef, undef, 0.05 }
my $sleeper = slurp_file($pid) + 0;
$h->signal('TERM');
eval { $h->finish };
ok($sleeper && !kill(0, $sleeper), 'nothing of a lane is left when the run is stopped');
done_testing();
