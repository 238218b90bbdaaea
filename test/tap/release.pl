# tools/release --names: a release whose versions or dates differ is not one.
use strict;
use warnings;
use PostgreSQL::Test::Utils;
use Test::More;
use File::Copy 'copy';
use Cwd;

my $here = getcwd();
my $dir = PostgreSQL::Test::Utils::tempdir();
mkdir "$dir/debian"; mkdir "$dir/doc";
my @files = qw(META.json casino.control CHANGELOG.md debian/changelog casino--1.0.sql doc/interface-1.0.txt);
sub fresh
{
	copy("$here/$_", "$dir/$_") or die "$_: $!" for @files;
	change('CHANGELOG.md', qr/^## \[1\.0\.0\] - \K.*$/m, '2026-12-01');
}
sub change
{
	my ($file, $from, $to) = @_;
	my $text = slurp_file("$dir/$file");
	$text =~ s/$from/$to/ or die "$file has nothing like $from";
	unlink "$dir/$file";
	append_to_file("$dir/$file", $text);
}
# the lines that say "not ok"
sub faults
{
	my $said = qx{cd "$dir" && GIT_DIR=/nowhere "$here/tools/release" --names 2>&1};
	my $rc = $?;
	my @bad = $said =~ /^not ok  (.*)$/mg;
	is($rc == 0, @bad == 0, 'the exit status says the same') or diag($said);
	return join '; ', @bad;
}

fresh();
is(faults(), '', 'all versions and dates fit');
my @planted = (
	[ 'casino.control', qr/default_version = '1\.0'/, "default_version = '1.1'", qr/casino\.control/ ],
	# the first one is of the distribution, the second one of the extension
	[ 'META.json', qr/"version": "1\.0\.0"/, '"version": "1.0.1"', qr/META\.json/ ],
	[ 'META.json', qr/"version": "1\.0\.0"(?=\s*\})/, '"version": "1.0.1"', qr/META\.json/ ],
	[ 'debian/changelog', qr/\(1\.0\.0-1\)/, '(0.9.0-1)', qr/package of Debian/ ],
	[ 'CHANGELOG.md', qr/- 2026-12-01/, '- unreleased', qr/CHANGELOG\.md/ ],
	[ 'CHANGELOG.md', qr/^## \[1\.0\.0\]/m, "## [1.1.0] - 2027-01-01\n\n## [1.0.0]", qr/CHANGELOG\.md/ ],
	[ 'casino--1.0.sql', qr/.*/s, '', qr/script casino--1\.0\.sql/ ],
	[ 'doc/interface-1.0.txt', qr/.*/s, '', qr/interface/ ]);
for (@planted)
{
	my ($file, $from, $to, $found) = @$_;
	fresh();
	change($file, $from, $to);
	like(faults(), $found, "planted in $file: found");
}
done_testing();
