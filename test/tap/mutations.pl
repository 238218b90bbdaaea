# The mutants of a C file (tools/Mutations.pm), counted by hand. Each entry of test/mutants/survivors is one
# of the code as it stands.
use strict;
use warnings;
use lib 'tools';
use File::Temp;
use Mutations qw(mutants_of survivors);
use Test::More;

my $file = File::Temp->new(SUFFIX => '.c');
print $file <<'C';
#define MORE(a) ((a) + 1)
/* a < b */
static int
half(int a, bool up)
{
	int			b[2] = {0};

	Assert(a > 0);
	if (a < 0 && up)
		casino_fail(err, CASINO_MALFORMED, "a == %d", 1);
	note(a,
		 b);
	return a / 2 + (up ? 1 : 0);
}

static const int odds[] =
{
	35
};

static Datum
nothing(FunctionCallInfo fcinfo)
{
	PG_RETURN_VOID();
}
C
close $file;
my @mutants = mutants_of("$file");
my %at;
push @{ $at{ $_->{number} } }, $_->{what} foreach @mutants;
is_deeply({ map { $_ => [ sort @{ $at{$_} } ] } keys %at },
	{ 6 => ['0 to 1'],
	  9 => [ '&& to ||', '0 to 1', '< to <=', 'condition negated' ],
	  11 => ['call deleted'],
	  13 => [ '+ to -', '/ to *', '0 to 1', '1 to 0', '1 to 2', '2 to 1', '2 to 3', 'return negated' ],
	  18 => [ '35 to 34', '35 to 36' ] },
	'comments, directives, sizes, assertions and texts of errors stay; all else is changed');
my %of = map { ("$_->{number} $_->{what}" => $_) } @mutants;
like($of{'9 condition negated'}{text}, qr/^\tif \(!\(a < 0 && up\)\)$/m, 'a condition is negated as a whole');
like($of{'11 call deleted'}{text}, qr/^\t\(void\) 0\n;\n\treturn/m,
	'a deleted call leaves the lines as they were');
like($of{'13 return negated'}{text}, qr/^\treturn !\(a \/ 2 \+ \(up \? 1 : 0\)\);$/m,
	'so is a returned value');
is($of{'13 / to *'}{key}, "$file half\nreturn a / 2 + (up ? 1 : 0);\n/ to *\n",
	'a mutant is known by file, function, line and change, not by a number');
is($of{'18 35 to 36'}{name}, 'odds', 'a table has its name');

my $part = File::Temp->new(SUFFIX => '.sql');
print $part <<'SQL';
CREATE FUNCTION casino_internal.install_halves() RETURNS void LANGUAGE sql AS $fn$
    SELECT 1
$fn$;

-- a < b
CREATE FUNCTION casino_internal.half(a integer, kind text) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF a < 0 THEN
        RAISE EXCEPTION '% is below 0', a;
    END IF;
    RETURN (SELECT max(h.size)
              FROM casino.half h
             WHERE h.kind IN ('small')
               AND h.made_at > now() - interval '5 days'
               AND h.ended_at IS NULL);
END
$fn$;
COMMENT ON FUNCTION casino_internal.half(integer, text) IS 'a < 0';

CREATE FUNCTION casino_internal.quarter(a integer) RETURNS integer
    LANGUAGE sql IMMUTABLE
    RETURN a / 4;
SQL
close $part;
my %sql;
my @of_sql = mutants_of("$part");
push @{ $sql{ $_->{number} } }, $_->{what} foreach @of_sql;
is_deeply({ map { $_ => [ sort @{ $sql{$_} } ] } keys %sql },
	{ 9 => [ '0 to 1', '< to <=' ],
	  12 => ['max to min'],
	  14 => [ 'IN to NOT IN', 'condition deleted', 'word small' ],
	  15 => [ '- to +', '5 days later', '> to >=', 'AND to OR', 'condition deleted' ],
	  16 => [ 'AND to OR', 'IS NULL to IS NOT NULL' ],
	  23 => [ '/ to *', '4 to 3', '4 to 5' ] },
	'of SQL, bodies of functions are changed, and neither what installs, nor comments, nor texts of errors');
my ($later) = grep { $_->{what} eq '5 days later' } @of_sql;
like($later->{statement},
	qr/\ACREATE OR REPLACE FUNCTION casino_internal\.half\(.*interval '6 days'.*\$fn\$;\n\z/s,
	'the whole statement makes the changed function');
is($later->{whole}, $later->{statement} =~ s/6 days/5 days/r, 'and another the function as it was');
is($later->{name}, 'casino_internal.half', 'it has the name of the function');

my %reasons = survivors();
my %files = map { (split)[0] => 1 } keys %reasons;
my %known = map { $_->{key} => 1 } map { mutants_of($_) } keys %files;
is_deeply([ grep { !$known{$_} } sort keys %reasons ], [],
	'each entry of test/mutants/survivors is a mutant');
done_testing;
