# Every reading of doc/readings.md is cited by code and by a test, every citation is of a reading, and nothing
# cites pages that a user does not have. Links within the documentation lead somewhere, and from the
# README to every page.
use strict;
use warnings;
use File::Find;
use File::Spec::Functions qw(catfile canonpath);
use File::Basename;
use Test::More;

my $wrong = `tools/readings -c 2>&1`;
is($wrong, '', 'every reading has its code and its test, every citation its reading');
like(scalar(`tools/readings R3.14`), qr/^R3\.14 .*\n  code\n    src\/.*\n  tests\n    test\//s,
	'a reading leads to its code and its tests');

my $untraced = `tools/traceability -c 2>&1`;
is($untraced, '', 'each rule of the documents has its test, or the reason why not');

sub text
{
	my ($file) = @_;
	open my $in, '<:encoding(UTF-8)', $file or return '';
	local $/;
	return scalar <$in>;
}

# names of pages that this repository does not have, put together here so that this file does not name them
my $pages = join '|', map { uc } 'rulebook', 'design';
my @cites;
find({ no_chdir => 1, wanted => sub {
	return unless -f && -T && /\.(c|h|sql|psql|pl|pm|spec|md|out|1|control)$|\/(Makefile|[a-z_]+)$/;
	push @cites, $_ if text($_) =~ /\b($pages)\b/;
} }, grep { -d } qw(src extension test specs sql expected doc programs bench tools demo fuzz));
is_deeply(\@cites, [], 'nothing cites a page that is not here');

# What GitHub makes of a heading
sub anchors
{
	my (%seen, %count);
	my $body = text($_[0]);
	$body =~ s/^```.*?^```$//msg;
	for ($body =~ /^#+ +(.*?)\s*$/mg)
	{
		s/\[([^\]]*)\]\([^)]*\)/$1/g;
		my $a = lc; $a =~ s/[^\w\- ]//g; $a =~ s/ /-/g;
		my $n = $count{$a}++;
		$seen{ $n ? "$a-$n" : $a } = 1;
	}
	return \%seen;
}

my @broken;
for my $page (glob('*.md doc/*.md'))
{
	my $body = text($page);
	$body =~ s/^```.*?^```$//msg;
	while ($body =~ /\]\(([^)\s]+)\)/g)
	{
		my $link = $1;
		my ($file, $anchor) = split /#/, $link, 2;
		next if $file =~ /^[a-z]+:/;
		my $to = $file eq '' ? $page : canonpath(catfile(dirname($page), $file));
		1 while $to =~ s{[^/]+/\.\./}{};
		push @broken, "$page: $link"
			if !-e $to || (defined $anchor && $to =~ /\.md$/ && !anchors($to)->{$anchor});
	}
}
is_deeply(\@broken, [], 'links within the documentation lead somewhere');
my $front = text('README.md');
is_deeply([ grep { index($front, "]($_)") < 0 } glob('doc/*.md') ], [],
	'every page of doc/ is linked from the README');
done_testing();
