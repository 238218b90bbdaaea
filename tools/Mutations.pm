# Mutations.pm: a part of tools/line_mutants. mutants_of(FILE) gives the mutants of a C file, or of a part of
# the install script: each changes one operator, constant, condition, call or returned value. Comments,
# directives, texts of errors, assertions and declarations stay as they are; so does what installs.
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

# No rule: texts of errors, assertions, sizes. Letting go of memory changes no answer. A function that ends
# without its value does not compile.
my $no_rule = qr/\b(?:(?:Static)?Assert\w*|elog|ereport|err(?:msg|detail|hint|code)\w*|sizeof
	|casino_\w*(?:fail|refuse)\w*)/x;
my $let_go = qr/^(?:pfree|CHECK_FOR_INTERRUPTS|MemoryContext\w+|list_free\w*|pgstat\w*|PG_RETURN_\w+
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

sub of_c
{
	my ($add, $code, $text) = @_;
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
}

my %sql_swap = ('<' => '<=', '<=' => '<', '>' => '>=', '>=' => '>', '=' => '<>', '<>' => '=', '+' => '-',
	'-' => '+', '*' => '/', '/' => '*', AND => 'OR', OR => 'AND', true => 'false', false => 'true',
	'IS NULL' => 'IS NOT NULL', 'IS NOT NULL' => 'IS NULL', NOT => '', IN => 'NOT IN', EXISTS => 'NOT EXISTS',
	'IS DISTINCT' => 'IS NOT DISTINCT', 'IS NOT DISTINCT' => 'IS DISTINCT', least => 'greatest',
	greatest => 'least', min => 'max', max => 'min', bool_or => 'bool_and', bool_and => 'bool_or',
	'LEFT JOIN' => 'JOIN', DISTINCT => '', 'UNION ALL' => 'UNION', lag => 'lead', lead => 'lag', ASC => '',
	DESC => '');

# The bodies of functions in SQL and PL/pgSQL alone; and these parts
sub code_of_sql
{
	my ($text) = @_;
	$text =~ s{(--[^\n]*|/\*.*?\*/)}{blank($1)}gsme;
	my ($code, $end, @parts) = ('', 0);
	my $body = qr/\$(\w*)\$(?<body>.*?)\$\g{-2}\$|^    (?:RETURN |BEGIN ATOMIC)(?<body>.*?)/sm;
	while ($text =~ /^CREATE (?:FUNCTION|PROCEDURE) ([\w.]+)(?:(?!;\n).)*?$body;\n/gsm)
	{
		my ($name, $from, $to, $at, $until) = ($1, $-[0], $+[0], $-{body}, 0);
		# which of the two has matched
		($at, $until) = defined $3 ? ($-[3], $+[3]) : ($-[4], $+[4]);
		next if $name =~ /\.install_/;
		my $inner = substr($text, $at, $until - $at);
		$inner =~ s{RAISE (?:EXCEPTION|NOTICE|WARNING|DEBUG).*?;}{blank($&)}gse;
		$code .= blank(substr($text, $end, $at - $end)) . $inner;
		$end = $until;
		push @parts, { from => $from, to => $to, name => $name };
	}
	return ($code . blank(substr($text, $end)), @parts);
}

sub of_sql
{
	my ($add, $code) = @_;
	# a condition of a line that is whole within it
	while ($code =~ /^\ +(?:AND|WHERE)\ (?!true)
			((?:[^()\n;']|'[^'\n]*'|(\((?:[^()\n]|(?2))*\)))+?)(?=[;,]?$)/gmx)
	{
		next if $1 =~ /\b(?:THEN|CASE|END|BETWEEN)\b/;
		$add->('condition deleted', [ $-[1], $+[1] - $-[1], 'true' ]);
	}
	# words that are compared, and the numbers of intervals
	while ($code =~ /(?:(?:=|<>|\bIN \(|,) ?|\binterval )'([^'\n]+)'/g)
	{
		my ($from, $word) = ($-[1], $1);
		next if substr($code, 0, $from) =~ /(?:coalesce|format|concat|replace|substring)\([^()]*\z/;
		if ($word =~ /^([0-9]+) \w+$/) { $add->("$word later", [ $from, length $1, $1 + 1 ]) }
		elsif ($word =~ /^\w+$/) { $add->("word $word", [ $from, length $word, "$word~" ]) }
	}
	$code =~ s{'(?:[^'\n]|'')*'}{blank($&)}ge;
	my $word = join '|', map { s/ /\\s+/gr } sort { length $b <=> length $a } grep { /\w/ } keys %sql_swap;
	while ($code =~ /(?<![\w.])($word)(?!\w)|(?<=[ \t])(<=|>=|<>|[<>=+\-*\/])(?=[ \n])/g)
	{
		my ($sign, $from, $to) = ($1 // $2, $-[0], $+[0]);
		my $as = $sql_swap{ $sign =~ s/\s+/ /gr } // next;
		next if $sign eq 'IN' && substr($code, $to) !~ /^\s+\(/;
		next if $sign eq 'NOT' && substr($code, $to) =~ /^\s+NULL/;
		$add->("$sign to " . ($as || 'nothing'), [ $from, $to - $from, $as ]);
	}
	while ($code =~ /(?<![\w.\$])([0-9]+)(?![\w.])/g)
	{
		$add->("$1 to " . ($1 + $_), [ $-[1], length $1, $1 + $_ ]) foreach $1 > 0 ? (1, -1) : 1;
	}
}

sub mutants_of
{
	my ($file) = @_;
	my $text = text($file);
	my $is_sql = $file =~ /\.sql$/;
	my ($code, @parts) = $is_sql ? code_of_sql($text) : code_of($text);
	my (@found, %seen);
	my $add = sub {
		my ($what, @edits) = @_;	# each [from, length, new]
		my $at = $edits[0][0];
		my ($part) = grep { $_->{from} <= $at && $at < $_->{to} } @parts or return;
		my $changed = $text;
		substr($changed, $_->[0], $_->[1]) = $_->[2] foreach reverse @edits;
		my ($line) = substr($text, rindex($text, "\n", $at) + 1) =~ /^\s*([^\n]*)/;
		push @found, { file => $file, number => 1 + (substr($text, 0, $at) =~ tr/\n//), name => $part->{name},
			line => $line, table => $part->{table}, text => $changed, what => $what,
			# the statement that makes the function, as it is and as it is changed
			$is_sql ? map { $_->[0] => 'CREATE OR REPLACE '
				. substr($_->[1], $part->{from} + length 'CREATE ',
					$part->{to} - $part->{from} - length('CREATE ') + $_->[2]) }
				[ whole => $text, 0 ], [ statement => $changed, length($changed) - length $text ] : () };
	};
	$is_sql ? of_sql($add, $code) : of_c($add, $code, $text);
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
