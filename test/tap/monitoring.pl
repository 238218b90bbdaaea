# The rules for Prometheus: the exporter's file has each metric, the guides have each heading.
use strict;
use warnings;
use PostgreSQL::Test::Utils;
use Test::More;
use CPAN::Meta::YAML;

# names of the exporter's file: query, then metric
my %metric = (pg_up => 1);
my $query;
for (split /\n/, slurp_file('monitoring/casino.yaml'))
{
	$query = $1 if /^(casino_\w+):$/;
	$metric{"${query}_$1"} = 1 if /^    - (\w+): \{usage: (?:GAUGE|COUNTER),/;
}
cmp_ok(scalar keys %metric, '>', 25, 'the exporter\'s file is read');

# the anchors of a guide, as GitHub makes them
my %anchors;
sub anchors
{
	my ($file) = @_;
	return $anchors{$file} //= do
	{
		my %of;
		for (slurp_file($file) =~ /^#+ (.*)$/mg)
		{
			(my $anchor = lc) =~ s/[^\w\- ]//g;
			$anchor =~ tr/ /-/;
			$of{$anchor} = 1;
		}
		\%of;
	};
}

my $groups = CPAN::Meta::YAML->read('monitoring/alerts.yaml')->[0]{groups};
is(join(' ', map { $_->{name} } @$groups), 'casino_at_once casino_morning', 'the groups of rules');
my %severity = (casino_at_once => 'page', casino_morning => 'morning');
my %rules;
for my $group (@$groups)
{
	for my $rule (@{ $group->{rules} })
	{
		my $name = $rule->{alert};
		ok(!$rules{$name}++, "$name is there once");
		my @metrics = $rule->{expr} =~ /\b((?:casino|pg)_\w+)/g;
		ok(@metrics > 0, "$name asks for a metric");
		is(join(' ', grep { !$metric{$_} } @metrics), '', "$name: each metric is one of the exporter's file");
		is($rule->{labels}{severity}, $severity{ $group->{name} }, "$name: its severity is its group's");
		like($rule->{annotations}{summary}, qr/^[A-Z].{10}/i, "$name says why somebody is called");
		my ($file, $anchor) = $rule->{annotations}{see} =~ /^(doc\/\w+\.md)#(\S+)$/;
		ok($anchor && anchors($file)->{$anchor}, "$name: its heading is there")
		  or diag($rule->{annotations}{see});
	}
}

# the guide lists the same rules, each by its metric
my ($alarms) = slurp_file('doc/operations.md') =~ /^## When do I wake somebody.*?\n(.*?)^## /ms;
for my $group (@$groups)
{
	for my $rule (@{ $group->{rules} })
	{
		like($alarms, qr/`\Q$rule->{expr}\E`/, "the guide has $rule->{alert}, with its threshold");
	}
}
done_testing();
