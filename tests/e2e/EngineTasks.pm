package EngineTasks;
# EngineTasks: tasks of an engine are the same in each tool.
#
#     tasks_agree($what, @recordings)       what `jweave report --by-task` says of them is what the tables, the slices of
#                                           Perfetto and the page have; returns its JSON
#     job_ends($folder)                     waits until its processes have ended, at most 30 s: some outlive the job
#     types_agree($what, $pcf, 'spark')     types of events in share/cfgs/java_spark_*.cfg are those of the .pcf
use strict;
use warnings;
use E2E;
use Exporter 'import';
use Compress::Zlib qw(uncompress);
use JSON::PP;
use MIME::Base64;
use Test::More;
our @EXPORT = qw(job_ends tasks_agree types_agree);

sub tasks_agree {
	my ($what, @recordings) = @_;
	my $json = sh([ $jweave, 'report', '-q', '--json', '--by-task', @recordings ])->{out};
	my $report = decode_json($json);
	my @tasks = @{ $report->{tasks} };
	cmp_ok(scalar(@tasks), '>', 0, "$what: there are tasks");

	my ($head, @rows) = map { [ split /\t/, $_, -1 ] } split /\n/, sh([ $jweave, 'export', '-q', 'tsv', '--table=task', '-o', '-', @recordings ])->{out};
	my @got = map { my %r; @r{@$head} = @$_; \%r } @rows;
	is_deeply([ map { join ' ', map { $_ eq '\\N' ? '' : $_ } @$_{qw(name stage attempt begin_ns duration_ns straggler running_ns gc_ns bytes_in)} } @got ],
		[ map { join ' ', $_->{task}, $_->{stage}, $_->{attempt} // '', $_->{beginNs}, $_->{ns}, $_->{straggler} ? 1 : 0, $_->{insideNs}{running}, $_->{insideNs}{gc},
			$_->{bytesIn} // '' } @tasks ], "$what: the table of tasks");
	my $causes = sh([ $jweave, 'export', '-q', 'tsv', '--table=cause', '-o', '-', @recordings ])->{out};
	is(join(' ', map { (split /\t/)[2] } grep { /^\d/ } split /\n/, $causes), join(' ', map { map { $_->{cause} } @{ $_->{causes} } } @tasks), "$what: the table of causes");

	sh([ $jweave, 'export', '-q', 'perfetto', '-o', "$work/tasks.pftrace", @recordings ]);
	spit("$work/tasks.json", '{}');
	my $slices = sh([ 'python3', 'tests/cli/perfetto.py', "$work/tasks.pftrace", "$work/tasks.json", 'tasks' ], seconds => 200);
	is(join("\n", sort $slices->{out} =~ /^(task .*) on .* (at \d+ for \d+):/mg), join("\n", sort map { ("task $_->{task}, stage $_->{stage}", "at $_->{beginNs} for $_->{ns}") } @tasks),
		"$what: slices of Perfetto");
	like($slices->{out}, qr/^nothing is wrong$/m, "$what: Perfetto's tracks");

	sh([ $jweave, 'view', '-q', '-o', "$work/tasks.html", @recordings ]);
	my $section = join '', map { uncompress(decode_base64($_)) } slurp("$work/tasks.html") =~ /data-section="tasks">([^<]*)</g;
	is_deeply(decode_json($section || '{}')->{tasks}, $report->{tasks}, "$what: the page");
	return $report;
}

sub job_ends {
	my ($folder) = @_;
	my $until = time + 30;
	sleep 1 while time < $until && grep { slurp($_) !~ /^end\t/m } glob "$folder/*.jwr/meta";
	return;
}

sub types_agree {
	my ($what, $pcf, $engine) = @_;
	my %label = slurp($pcf) =~ /^0 +(\d+) +(\S.*?) *$/mg;
	my %cfg = map { slurp($_) =~ /^window_filter_module evt_type 1 (\d+)\nwindow_filter_module evt_type_label 1 "(.*)"$/m } glob "share/cfgs/java_${engine}_*.cfg";
	my @there = grep { exists $label{$_} } keys %cfg;
	cmp_ok(scalar(@there), '>', 0, "$what: Paraver's configurations have types of the trace");
	is_deeply({ map { ($_ => $cfg{$_}) } @there }, { map { ($_ => $label{$_}) } @there }, "$what: with its labels");
	return;
}

1;
