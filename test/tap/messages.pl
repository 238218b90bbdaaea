# Messages are in PostgreSQL's style: the primary message in lower case and without a period, DETAIL and HINT
# whole sentences.
use strict;
use warnings;
use Test::More;

my (@messages, @sentences, $seen);
for my $file (glob('src/*/*.c src/*.c'))
{
	open my $in, '<:encoding(UTF-8)', $file or die "$file: $!";
	my $text = do { local $/; <$in> };
	$text =~ s/U?INT64_FORMAT/"%ld"/g;
	$text =~ s/(?<!\\)"\s+"//g;
	while ($text =~ /\berr(msg|detail|hint)(?:_plural)?\(\s*"((?:[^"\\]|\\.)*)"/g)
	{
		my ($what, $said) = ($1, $2);
		$seen++;
		push @messages, "$file: $said"
			if $what eq 'msg' && ($said !~ /^(?:[a-z"%\\(]|[A-Z]{2,})/ || $said =~ /(?<!\.\.)\.$/);
		push @sentences, "$file: $said" if $what ne 'msg' && $said !~ /\.$|: %s$|^%s$/;
	}
}
for my $file (glob('extension/*.sql'))
{
	open my $in, '<:encoding(UTF-8)', $file or die "$file: $!";
	my $text = do { local $/; <$in> };
	# a text may go on as a string on the next line
	$text =~ s/'[ \t]*\n\s*'//g;
	while ($text =~ /\bRAISE (?:EXCEPTION|WARNING|NOTICE) '((?:[^']|'')*)'/g)
	{
		my $said = $1;
		$seen++;
		push @messages, "$file: $said" if $said !~ /^(?:[a-z"%\\(]|[A-Z]{2,})/ || $said =~ /\.$/;
	}
	while ($text =~ /\b(?:DETAIL|HINT) = (?:left\()?(?:format\()?'((?:[^']|'')*)'(?!\s*\|\|)/g)
	{
		my $said = $1;
		push @sentences, "$file: $said" if $said !~ /\.$|: %s$|^CREATE /;
	}
}
# R12.30: only one file raises a code of ours, with the reason
my @bare;
for my $file (grep { $_ ne 'src/server/refusal.c' } glob('src/*/*.c src/*.c'))
{
	open my $in, '<:encoding(UTF-8)', $file or die "$file: $!";
	while (<$in>) { push @bare, "$file:$.: $_"
		if /\berrcode\((?!(?:\w+ \? )?ERRCODE_|MAKE_SQLSTATE\(error\[)|CASINO_ERRCODE_/; }
}
is(join('', @bare), '', 'R12.30: every refusal in C is raised with errrefusal() and its reason');
cmp_ok($seen, '>', 200, 'there are messages');
is(join("\n", @messages), '', 'primary messages begin in lower case and have no period');
is(join("\n", @sentences), '', 'DETAIL and HINT are sentences');
done_testing();
