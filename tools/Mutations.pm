# Mutations.pm: a part of tools/line_mutants. mutants_of(FILE) gives the mutants of a C file: each changes one
# operator, constant, condition, call or returned value. Comments, directives, texts of errors, assertions and
# declarations stay as they are.
package Mutations;
use strict;
use warnings;
use Exporter qw(import);
our @EXPORT_OK = qw(mutants_of survivors text);

sub text { my ($file) = @_; open my $in, '<', $file or die "$file: $!"; local $/; return scalar <$in> }

sub blank { return $_[0] =~ s/[^\n]/ /gr }

# where the parenthesis ends that opens just before $at
sub closing
{
	my ($text, $at) = @_;
	pos($text) = $at - 1;
	return $text =~ /\G(\((?:[^()]++|(?1))*\))/g ? $+[0] : $at;
}

# No rule: texts of errors, assertions, sizes. Letting go of memory changes no answer.
my $no_rule = qr/\b(?:(?:Static)?Assert\w*|elog|ereport|err(?:msg|detail|hint|code)\w*|sizeof
	|casino_\w*(?:fail|refuse)\w*)/x;
my $let_go = qr/^(?:pfree|CHECK_FOR_INTERRUPTS|MemoryContext\w+|list_free\w*|pgstat\w*
	|if|for|while|switch|return)$/x;
my %swap = ('<' => '<=', '<=' => '<', '>' => '>=', '>=' => '>', '==' => '!=', '!=' => '==',
	'&&' => '||', '||' => '&&', '+' => '-', '-' => '+', '*' => '/', '/' => '*', '%' => '*',
	'&' => '|', '|' => '&', '<<' => '>>', '>>' => '<<', '+=' => '-=', '-=' => '+=',
	'++' => '--', '--' => '++', true => 'false', false => 'true');

# The file with bodies of functions and tables only, each character in its place; and these parts
sub code_of
{
	my ($text) = @_;
	$text =~ s{(/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'|^\#(?:[^\n]*\\\n)*[^\n]*)}
		{blank($1)}gsme;
	while ($text =~ /$no_rule\s*\(/g)
	{
		my ($from, $to) = ($-[0], closing($text, $+[0]));
		substr($text, $from, $to - $from) = blank(substr($text, $from, $to - $from));
		pos($text) = $to;
	}
	# the size of an array
	$text =~ s/^(\t+(?:static )?(?:const )?\w+[\t ]+\**\w+)(\[[^\]]*\])/$1 . blank($2)/gme;
	my ($code, $end, @parts) = ('', 0);
	while ($text =~ /([)=])\s*\n\{\n.*?^\}/gsm)
	{
		my ($from, $to, $sign) = ($-[0] + 1, $+[0], $1);
		my $head = substr($text, 0, $from) =~ s/.*\n(?=\w)//sr;
		my ($name) = $head =~ ($sign eq '=' ? qr/(\w+)\W*=/ : qr/(\w+)\(/);
		$code .= blank(substr($text, $end, $from - $end)) . substr($text, $from, $to - $from);
		push @parts, { from => $from, to => $end = $to, name => $name // '', table => $sign eq '=' };
	}
	return ($code . blank(substr($text, $end)), @parts);
}

sub mutants_of
{
	my ($file) = @_;
	my $text = text($file);
	my ($code, @parts) = code_of($text);
	my (@found, %seen);
	my $add = sub {
		my ($what, @edits) = @_;	# each [from, length, new]
		my $at = $edits[0][0];
		my ($part) = grep { $_->{from} <= $at && $at < $_->{to} } @parts or return;
		my $changed = $text;
		substr($changed, $_->[0], $_->[1]) = $_->[2] foreach reverse @edits;
		my ($line) = substr($text, rindex($text, "\n", $at) + 1) =~ /^\s*([^\n]*)/;
		push @found, { file => $file, number => 1 + (substr($text, 0, $at) =~ tr/\n//), name => $part->{name},
			line => $line, table => $part->{table}, text => $changed, what => $what };
	};
	# operators of two sides have blanks around them
	my $between = qr/(?<=[ \t])(?:[<>=!+\-]=|<<|>>|&&|\|\||[<>+\-*\/%&|])(?=[ \n])/;
	while ($code =~ /($between|\b(?:true|false)\b|\+\+|--)/g)
	{
		my $sign = $1;
		$add->("$sign to $swap{$sign}", [ $-[0], length $sign, $swap{$sign} ]) if $swap{$sign};
	}
	while ($code =~ /(?<![\w.])([0-9]+)(?![\w.])/g)
	{
		$add->("$1 to " . ($1 + $_), [ $-[1], length $1, $1 + $_ ]) foreach $1 > 0 ? (1, -1) : 1;
	}
	while ($code =~ /\b(?:if|while) \(/g)
	{
		my ($from, $to) = ($+[0], closing($code, $+[0]));
		my $condition = substr($code, $from, $to - $from - 1);
		# one comparison alone is turned above
		$add->('condition negated', [ $from, 0, '!(' ], [ $to - 1, 0, ')' ])
			if $condition =~ /&&|\|\|/ || $condition !~ /[=!]=/;
	}
	while ($code =~ /^\t+(\w+)\(/gm)
	{
		my ($from, $to, $name) = ($-[1], closing($code, $+[0]), $1);
		my $call = substr($text, $from, $to - $from);
		$add->('call deleted', [ $from, $to - $from, '(void) 0' . $call =~ s/[^\n]//gr ])
			if $name !~ $let_go && substr($code, $to) =~ /^;/;
	}
	while ($code =~ /\breturn\s+([^;]*?[a-z_][^;]*);/gi)
	{
		my ($from, $to, $value) = ($-[1], $+[1], $1);
		$add->('return negated', [ $from, 0, '!(' ], [ $to, 0, ')' ])
			if $value !~ /^(?:true|false)$|[=!<>]=? /;
	}
	foreach my $m (@found)
	{
		my $nth = ++$seen{"$m->{name} $m->{line} $m->{what}"};
		$m->{what} .= " ($nth)" if $nth > 1;
		$m->{key} = "$m->{file} $m->{name}\n$m->{line}\n$m->{what}\n";
	}
	return @found;
}

# The list of those that change no answer: file and function, line, mutation, reason; an empty line
sub survivors
{
	my $list = text('test/mutants/survivors') =~ s/^#.*\n//gmr;
	return map { /^((?:[^\n]+\n){3})(.+)/s ? ($1 => $2) : die "test/mutants/survivors: $_\n" }
		grep { /\S/ } split /^\n+/m, $list;
}

1;
