#!/usr/bin/perl
# validate.pl [OPTION] TRACE.prv[.gz]: is this trace what Paraver's readers need?
#
# Stricter than they are, since they hide most faults: a record that they would drop, shift or round,
# a label that would be lost, a frame that would stay open. Knows nothing of how the trace was made.
# Prints one line a fault ("FILE:LINE: what"), the first twenty of each kind; exit status 1 with any.
#
#   --counts   calls: THREAD <TAB> FUNCTION <TAB> ENTERS <TAB> MAX DEPTH    (per thread and function)
#   --tree     nesting: THREAD, then a line an enter: TAB DEPTH TAB FUNCTION (a number, not an
#              indentation, which would be quadratic in the depth of a recursion)
#   --states   THREAD <TAB> BEGIN <TAB> END <TAB> STATE
#   --times    THREAD <TAB> FUNCTION <TAB> ENTERS <TAB> INCLUSIVE ns <TAB> EXCLUSIVE ns
#   --arrows   TAG <TAB> FROM <TAB> SEND <TAB> TO <TAB> RECEIVE
#   --operations   THREAD <TAB> OPERATION <TAB> HOW OFTEN
#   --long     functions by their whole label, not the short part
use strict;
use warnings;

my %o;
my @files;
for (@ARGV) {
	if (/^--(counts|tree|states|times|arrows|operations|long)$/) { $o{$1} = 1 }
	elsif (/^-/) { die "validate.pl: no such option: $_\n" }
	else { push @files, $_ }
}
die "usage: validate.pl [--counts|--tree|--states|--times|--arrows|--operations] [--long] TRACE.prv[.gz]\n" unless @files == 1;
my $prv = $files[0];
die "validate.pl: $prv: the name does not end in .prv or .prv.gz\n" unless $prv =~ /^(.*)\.prv(?:\.gz)?$/;
my $base = $1;

my $STACKED = 60000019;
my %OF_RUNTIME = (48100015 => 1, 48100016 => 1);	# methods that were closed; whether all are recorded
my $PAUSE = 48000001;	# 1 and 0 take turns; nobody is Running (1) meanwhile
my $MONITOR = 48100001;	# not 0: Blocked (9) or Synchronization (5), or Wait/WaitAll (8): join does it by a wait
my ($FIRST_OPERATION, $LAST_OPERATION) = (48101001, 48101999);	# stacked as functions are: 0 ends the latest
my %FIXED_LABEL = ($STACKED => 'User function', $PAUSE => 'Java Garbage collector');
my $MAX_TIME = 9007199254740992;	# 2^53
my $MAX_PAIRS = 1024;

my ($faults, %kinds) = (0);
sub fault {
	my ($file, $line, $text) = @_;
	$faults++;
	(my $kind = $text) =~ s/\d+|".*"//g;
	return if ++$kinds{$kind} > 20;
	print STDERR "$file:$line: $text\n";
	return;
}

# ---- .pcf ----

my (%type_label, %value_label, %state_label);

sub int32 {
	my ($v) = @_;
	return $v =~ /^(?:0|[1-9]\d{0,9})$/ && $v <= 2147483647;
}

sub check_label {
	my ($file, $n, $label) = @_;
	fault($file, $n, 'label of more than 2000 bytes') if length $label > 2000;
	fault($file, $n, 'control character in a label') if $label =~ /[\x00-\x1f\x7f]/;
	my $text = $label;
	fault($file, $n, 'label is not UTF-8') unless utf8::decode($text);
	fault($file, $n, 'control character in a label') if $text =~ /[\x{80}-\x{9f}\x{2028}\x{2029}]/;
	# Paraver's short form deletes from the first '[' to the last ']'
	fault($file, $n, "'[' or ']' in the short part of \"$label\"") if $label =~ /[\[\]]/ && $label !~ /^[^\[\]]*\S \[.*\]$/;
	fault($file, $n, 'empty short label') if $label =~ /^\[/;
}

sub read_pcf {
	my ($file) = @_;
	open my $in, '<:raw', $file or return fault($file, 0, "cannot be read: $!");
	my $text = do { local $/; <$in> } // '';
	fault($file, 0, 'does not end with a line end') if $text ne '' && $text !~ /\n\z/;
	my ($section, $n, @types, $values, %seen) = ('', 0);
	for my $line (split /\n/, $text, -1) {
		$n++;
		fault($file, $n, 'carriage return') if $line =~ /\r/;
		fault($file, $n, 'whitespace-only line') if $line =~ /^\s+$/;
		fault($file, $n, 'TAB') if $line =~ /\t/;
		next if $line =~ /^\s*$/;
		fault($file, $n, 'blanks at the ends of a line, which are lost') if $line =~ /^ | $/;
		fault($file, $n, "a line that begins with '#', which is lost") if $line =~ /^#/;
		if ($line =~ /^(?:DEFAULT_OPTIONS|DEFAULT_SEMANTIC|STATES|STATES_COLOR|EVENT_TYPE|GRADIENT_COLOR|GRADIENT_NAMES)$/) {
			$section = $line;
			@types = ();
			$values = 0;
			%seen = ();
			next;
		}
		if ($section eq 'EVENT_TYPE') {
			if ($line eq 'VALUES') { fault($file, $n, 'VALUES without a type') unless @types; $values = 1; next }
			next if $line =~ /^PRECISION \d+$/;
			if ($values) {
				unless ($line =~ /^(\S+)\s+(\S.*)$/) { fault($file, $n, 'value without a label'); next }
				my ($value, $label) = ($1, $2);
				fault($file, $n, "value \"$value\" does not fit 32 bits") unless int32($value);
				fault($file, $n, "value \"$value\" is there twice") if $seen{$value}++;
				check_label($file, $n, $label);
				$value_label{$_}{$value} = $label for @types;
			} else {
				unless ($line =~ /^(\d+)\s+(\S+)\s+(\S.*)$/) { fault($file, $n, 'not a type line'); next }
				my ($type, $label) = ($2, $3);
				fault($file, $n, "type \"$type\" does not fit 32 bits") unless int32($type);
				fault($file, $n, "type \"$type\" is there twice") if exists $type_label{$type};
				fault($file, $n, "type label \"$label\" is there twice") if grep { $_ eq $label } values %type_label;
				fault($file, $n, "'\"' or '*' in a type label") if $label =~ /["*]/;
				check_label($file, $n, $label);
				$type_label{$type} = $label;
				push @types, $type;
			}
		} elsif ($section eq 'STATES') {
			if ($line =~ /^(\d+)\s+(\S.*)$/) {
				fault($file, $n, "state \"$1\" does not fit 32 bits") unless int32("$1");
				fault($file, $n, "state \"$1\" is there twice") if exists $state_label{$1};
				$state_label{$1} = $2;
			} else { fault($file, $n, 'not a state line') }
		} elsif ($section =~ /COLOR$/) {
			fault($file, $n, 'not a colour line')
				unless $line =~ /^(\d+)\s+\{(\d+),(\d+),(\d+)\}$/ && int32("$1") && $2 < 256 && $3 < 256 && $4 < 256;
		} elsif ($section =~ /^DEFAULT/) {
			fault($file, $n, 'an option without its value') unless $line =~ /^[A-Z_]+\s+\S/;
		} elsif ($section eq '') {
			fault($file, $n, 'text before the first section');
		}
	}
	fault($file, 0, 'no STATES') unless %state_label;
	for my $type (sort keys %value_label) {
		fault($file, 0, "type $type has no label for 0") unless exists $value_label{$type}{0};
	}
	for (sort keys %FIXED_LABEL) {
		fault($file, 0, "type $_ is not called \"$FIXED_LABEL{$_}\"")
			if exists $type_label{$_} && $type_label{$_} ne $FIXED_LABEL{$_};
	}
}

# ---- .row ----

my %row;

sub read_row {
	my ($file) = @_;
	open my $in, '<:raw', $file or return fault($file, 0, "cannot be read: $!");
	my @line = split /\n/, do { local $/; <$in> } // '', -1;
	fault($file, scalar @line, 'does not end with a line end') if @line && pop(@line) ne '';
	for (my $i = 0; $i < @line; $i++) {
		next if $line[$i] eq '';
		unless ($line[$i] =~ /^LEVEL (WORKLOAD|APPL|TASK|THREAD|SYSTEM|NODE|CPU) SIZE (\d+)$/) {
			fault($file, $i + 1, "not a LEVEL line: \"$line[$i]\"");
			next;
		}
		my ($level, $size) = ($1, $2);
		fault($file, $i + 1, "level $level is there twice") if $row{$level};
		fault($file, $i + 1, "level $level is cut short") if $i + $size > $#line;
		my @names = @line[ $i + 1 .. ($i + $size > $#line ? $#line : $i + $size) ];
		for my $k (0 .. $#names) {
			my $name = $names[$k];
			fault($file, $i + 2 + $k, 'empty name') if $name =~ /^\s*$/;
			fault($file, $i + 2 + $k, 'control character in a name') if $name =~ /[\x00-\x1f\x7f]/;
			fault($file, $i + 2 + $k, 'name is not UTF-8') unless utf8::decode(my $copy = $name);
		}
		$row{$level} = \@names;
		$i += $size;
	}
}

# ---- .prv: header ----

my ($end_time, @node_cpus, @task, @appl, $cpus, $nodes);	# @task: { threads, node, first }; @appl: lists of them

sub read_header {
	my ($line) = @_;
	return fault($prv, 1, 'no header') unless defined $line && $line =~ /\n\z/;
	chomp $line;
	unless ($line =~ m{^\#Paraver\ \((\d\d/\d\d/\d{4}\ at\ \d\d:\d\d(?::\d\d)?)\):([1-9]\d*)_ns:
			(0|[1-9]\d*(?:\(\d+(?:,\d+)*\))?):([1-9]\d*):((?:[1-9]\d*\(\d+:\d+(?:,\d+:\d+)*\),)+)0$}x) {
		return fault($prv, 1, "header is not one: \"$line\"");
	}
	my ($node_text, $appls, $lists);
	($end_time, $node_text, $appls, $lists) = ($2, $3, $4, $5);
	fault($prv, 1, 'end time beyond 2^53') if $end_time >= $MAX_TIME;
	$nodes = 0;
	if ($node_text =~ /^(\d+)\((.*)\)$/) {
		$nodes = $1;
		@node_cpus = split /,/, $2;
		fault($prv, 1, "$nodes nodes, but " . @node_cpus . ' counts of CPUs') if $nodes != @node_cpus;
	} elsif ($node_text) {
		$nodes = $node_text;
		@node_cpus = (1) x $nodes;
	}
	$cpus = 0;
	for (@node_cpus) {
		fault($prv, 1, 'node without CPU') if $_ == 0;
		$cpus += $_;
	}
	fault($prv, 1, "$cpus CPUs (Paraver crashes above 65534)") if $cpus > 65534;
	my $first = 0;
	while ($lists =~ /(\d+)\(([^)]*)\),/g) {
		my ($tasks, $list, @own) = ($1, $2);
		for (split /,/, $list) {
			my ($threads, $node) = split /:/;
			fault($prv, 1, 'task without threads') if $threads == 0;
			fault($prv, 1, "task on node $node of $nodes") if $nodes ? ($node < 1 || $node > $nodes) : $node;
			push @own, { threads => $threads, node => $node, first => $first };
			$first += $threads;
		}
		fault($prv, 1, "$tasks tasks, but " . @own . ' in the list') if $tasks != @own;
		push @appl, [@own];
		push @task, @own;
	}
	fault($prv, 1, "$appls applications, but " . @appl . ' lists') if $appls != @appl;
	fault($prv, 1, "$first threads (limit is 65535)") if $first > 65535;
	return 1;
}

# ---- .prv: records ----

my (@thread, @cpu_node);	# by global number: { name, state_end, stack, ... }
my $last_line_time = 0;
my $last_time = 0;
my ($full_line_of, $full_line_time, $full_pairs) = (-1, -1, 0);
my %used;	# type -> value -> 1

sub prepare {
	my $g = 0;
	for my $t (0 .. $#task) {
		for my $k (1 .. $task[$t]{threads}) {
			my $name = $row{THREAD} ? $row{THREAD}[$g] : undef;
			$thread[$g++] = { name => $name // "THREAD 1." . ($t + 1) . ".$k", at => -1, state_end => 0,
				task => $task[$t], state => -1, stack => [], calls => {}, deep => {}, zero => 0 };
		}
	}
	my $cpu = 1;
	for my $n (0 .. $#node_cpus) {
		$cpu_node[ $cpu++ ] = $n + 1 for 1 .. $node_cpus[$n];
	}
}

my %function_name;
sub function_name {
	my ($value) = @_;
	return $function_name{$value} //= do {
		my $label = $value_label{$STACKED}{$value} // "value $value";
		$label =~ s/ \[.*\]$// unless $o{long};
		$label;
	};
}

# The global number of a record's thread, CPU:APPL:TASK:THREAD; undef with a fault.
my %located;	# of those without one
sub locate {
	my ($where) = @_;
	return $located{$where} // check_place($where, split /:/, $where);
}

sub check_place {
	my ($where, $cpu, $appl, $task, $th) = @_;
	my $before = $faults;
	return fault($prv, $., "application $appl of " . @appl) if $appl < 1 || $appl > @appl;
	my $own = $appl[ $appl - 1 ];
	return fault($prv, $., "task $task of " . @$own) if $task < 1 || $task > @$own;
	my $t = $own->[ $task - 1 ];
	return fault($prv, $., "thread $th of $t->{threads}") if $th < 1 || $th > $t->{threads};
	if ($cpu > $cpus) { fault($prv, $., "CPU $cpu of $cpus") }
	elsif ($cpu && $cpu_node[$cpu] != $t->{node}) { fault($prv, $., "CPU $cpu is not of the task's node") }
	elsif ($cpu == 0 && $nodes) { fault($prv, $., 'CPU 0 in a trace with resources') }
	my $g = $t->{first} + $th - 1;
	$located{$where} = $g if $faults == $before;
	return $g;
}

sub check_time {
	my ($time) = @_;
	fault($prv, $., "time $time is before the line above ($last_line_time)") if $time < $last_line_time;
	$last_line_time = $time;
	fault($prv, $., "time $time beyond 2^53") if $time >= $MAX_TIME;
	$last_time = $time if $time > $last_time;
}

sub state_record {
	my ($g, $begin, $end, $state) = @_;
	my $t = $thread[$g];
	check_time($begin);
	$last_time = $end if $end > $last_time;
	fault($prv, $., "state from $begin to $end") if $end <= $begin;
	fault($prv, $., 'state 0 is written') if $state == 0;
	fault($prv, $., "state $state has no label") unless exists $state_label{$state};
	fault($prv, $., "state begins at $begin, the one before ended at $t->{state_end}") if $begin != $t->{state_end};
	fault($prv, $., "state $state twice in a row") if $state == $t->{state};
	fault($prv, $., "state begins at $begin after an event at $t->{at}") if $begin < $t->{at};
	check_alive($t, $_, $begin, $end) for $state == 2 ? keys %{ $t->{owes} || {} } : ();
	delete $t->{owes}{$begin} if $t->{owes};
	@{$t}{qw(state_begin state_end state)} = ($begin, $end, $state);
	push @{ $t->{runs} }, [ $begin, $end ] if $state == 1 && exists $type_label{$PAUSE};
	$t->{owed} //= $begin if $t->{monitor} && !waits_in($state); # the end of the wait
	print "$t->{name}\t$begin\t$end\t", $state_label{$state} // $state, "\n" if $o{states};
}

sub check_alive {
	my ($t, $time, $begin, $end) = @_;
	fault($prv, $., "an arrow at $time of \"$t->{name}\", which is not created from $begin to $end")
		if $time > $begin && $time < $end;
}

# Something of the thread begins or ends there: an event, a state.
sub arrow_end {
	my ($t, $time) = @_;
	check_alive($t, $time, @{$t}{qw(state_begin state_end)}) if $t->{state} == 2;
	return if $t->{state} >= 0 && ($t->{state_begin} == $time || $t->{state_end} == $time) || $t->{at} == $time;
	$t->{owes}{$time} = $.;
}

sub arrow_record {
	my ($from, $to, $send, $sent, $receive, $received, $size, $tag) = @_;
	check_time($send);
	fault($prv, $., "an arrow from a thread to itself") if $from == $to;
	fault($prv, $., "logical and physical send are apart: $send, $sent") if $send != $sent;
	fault($prv, $., "logical and physical receive are apart: $receive, $received") if $receive != $received;
	fault($prv, $., "an arrow backwards, from $send to $receive") if $receive < $send;
	fault($prv, $., "an arrow that ends at $receive, after the end of the trace") if $receive > $end_time;
	fault($prv, $., "an arrow without a tag") unless $tag > 0 && int32($tag);
	arrow_end($thread[$from], $send);
	arrow_end($thread[$to], $receive);
	print join("\t", $tag, $thread[$from]{name}, $send, $thread[$to]{name}, $receive), "\n" if $o{arrows};
}

sub operation_event {
	my ($t, undef, $value, $type) = @_;
	$t->{operations}{$type} += $value ? 1 : -1;
	$t->{operated}{$type}{$value}++ if $value && $o{operations};
	fault($prv, $., "an operation of type $type ends on \"$t->{name}\" that did not begin")
		if $t->{operations}{$type} < 0;
}

sub function_event {
	my ($t, $time, $value) = @_;
	my $stack = $t->{stack};
	fault($prv, $., 'two events of a stacked type at time 0') if $time == 0 && $t->{zero}++;
	if ($value == 0) {
		return fault($prv, $., "exit without an enter on \"$t->{name}\"") unless @$stack;
		my ($id, $began, $inner, $outer) = @{ pop @$stack };
		my $ns = $time - $began;
		$t->{exclusive}{$id} += $ns - $inner;
		$t->{inclusive}{$id} += $ns unless $outer;
		$stack->[-1][2] += $ns if @$stack;
		$t->{open}{$id}--;
		return;
	}
	push @$stack, [ $value, $time, 0, $t->{open}{$value}++ ];
	$t->{calls}{$value}++;
	$t->{deep}{$value} = @$stack if @$stack > ($t->{deep}{$value} // 0);
	push @{ $t->{tree} }, scalar(@$stack) . "\t" . function_name($value) if $o{tree};
}

# Pauses are those of the thread's task.
sub pause_event {
	my ($t, $time, $value) = @_;
	my $pauses = $t->{task}{pauses} ||= [];
	my $open = @$pauses && !defined $pauses->[-1][1];
	return fault($prv, $., "a pause begins or ends twice") if $value > 1 || $value == $open;
	if ($value) { push @$pauses, [ $time, undef ] }
	else { $pauses->[-1][1] = $time }
}

sub waits_in {
	my ($state) = @_;
	return $state == 5 || $state == 8 || $state == 9;
}

sub monitor_event {
	my ($t, $time, $value) = @_;
	fault($prv, $., "\"$t->{name}\" waits for a monitor in state $t->{state}")
		if $value && !waits_in($t->{state});
	fault($prv, $., "\"$t->{name}\" went on at $t->{owed}, its wait for a monitor ends at $time")
		if defined $t->{owed} && $t->{owed} != $time;
	@{$t}{qw(monitor owed)} = ($value, undef);
}

sub check_pauses {
	for my $t (@thread) {
		my @pauses = @{ $t->{task}{pauses} || [] };
		for my $run (@{ $t->{runs} || [] }) {
			shift @pauses while @pauses && defined $pauses[0][1] && $pauses[0][1] <= $run->[0];
			last unless @pauses;
			fault($prv, $., "\"$t->{name}\" runs from $run->[0] to $run->[1], in the pause of $pauses[0][0]")
				if $pauses[0][0] < $run->[1];
		}
		fault($prv, $., "a pause stays open") if @pauses && !defined $pauses[-1][1];
		fault($prv, $., "a wait of \"$t->{name}\" stays open") if $t->{monitor};
	}
}

sub types_of {
	my @pairs = @_;
	return map { $pairs[2 * $_] } 0 .. $#pairs / 2;
}

# What reads the values of a type, or 0; a type that is none is a fault at each of its events.
my %does = ($STACKED => \&function_event, $PAUSE => \&pause_event, $MONITOR => \&monitor_event);
sub reader_of {
	my ($type) = @_;
	return fault($prv, $., "type $type does not fit 31 bits") unless int32($type) && $type > 0;
	return $does{$type} = $type >= $FIRST_OPERATION && $type <= $LAST_OPERATION ? \&operation_event : 0;
}

sub event_record {
	my ($g, $time, @pairs) = @_;
	my $t = $thread[$g];
	check_time($time);
	fault($prv, $., 'event without a pair') unless @pairs;
	fault($prv, $., 'more than 1024 pairs') if @pairs > 2 * $MAX_PAIRS;
	fault($prv, $., "two lines for one instant of one thread") if $full_line_of == $g && $full_line_time == $time
		&& $full_pairs < $MAX_PAIRS;
	($full_line_of, $full_line_time, $full_pairs) = ($g, $time, @pairs / 2);
	fault($prv, $., "event at $time, in a state that ended at $t->{state_end}") if $time > $t->{state_end};
	# what is there is all consumed before the first interval: only the last value is ever seen
	fault($prv, $., 'event at time 0') if $time == 0;
	# the VM is created for its pauses alone; what the runtime says it says on its row, at any time
	fault($prv, $., 'event on a thread that is not created')
		if $t->{state} < 0 || $t->{state} == 2 && !($t->{name} eq 'JVM' && !grep { !$OF_RUNTIME{$_} } types_of(@pairs));
	$t->{at} = $time;
	delete $t->{owes}{$time} if $t->{owes};
	while (my ($type, $value) = splice @pairs, 0, 2) {
		fault($prv, $., "value $value beyond 2^53") if $value > $MAX_TIME;
		$used{$type}{$value} ||= $.;
		my $does = $does{$type} // reader_of($type);
		$does->($t, $time, $value, $type) if $does;
	}
}

sub without_end {
	my ($line) = @_;
	fault($prv, $., 'line without an end');
	return "$line\n";
}

sub no_record {
	my ($line) = @_;
	fault($prv, $., 'carriage return') if $line =~ /\r/;
	return fault($prv, $., 'type without a value') if $line =~ /^2(?::\d+){5}/ && ($line =~ tr/://) % 2 == 0;
	fault($prv, $., 'not a record: "' . substr($line =~ s/\n\z//r, 0, 60) . '"');
}

sub read_records {
	my ($in) = @_;
	while (my $line = <$in>) {
		$line = without_end($line) if substr($line, -1) ne "\n";
		if ($line =~ /^2:(\d+:\d+:\d+:\d+):(\d+)((?::\d+:\d+)+)\n\z/) {
			my ($where, $time, $rest) = ($1, $2, $3);
			fault($prv, $., 'number with a zero in front') if $line =~ /:0\d/;
			my $g = $located{$where} // locate($where);
			event_record($g, $time, split /:/, substr $rest, 1) if defined $g;
		} elsif ($line =~ /^1:(\d+:\d+:\d+:\d+):(\d+):(\d+):(\d+)\n\z/) {
			my ($where, $begin, $end, $state) = ($1, $2, $3, $4);
			fault($prv, $., 'number with a zero in front') if $line =~ /:0\d/;
			my $g = locate($where);
			state_record($g, $begin, $end, $state) if defined $g;
		} elsif ($line =~ /^3:(\d+:\d+:\d+:\d+):(\d+):(\d+):(\d+:\d+:\d+:\d+):(\d+):(\d+):(\d+):(\d+)\n\z/) {
			my @f = ($1, $2, $3, $4, $5, $6, $7, $8);
			fault($prv, $., 'number with a zero in front') if $line =~ /:0\d/;
			my ($from, $to) = (locate($f[0]), locate($f[3]));
			arrow_record($from, $to, @f[ 1, 2, 4 .. 7 ]) if defined $from && defined $to;
		} else {
			no_record($line);
		}
	}
}

# ---- what shows at the end ----

sub check_end {
	fault($prv, $., "the last time is $last_time, the header says $end_time") if $last_time != $end_time;
	for my $t (@thread) {
		fault($prv, $., scalar(@{ $t->{stack} }) . " frames of \"$t->{name}\" stay open") if @{ $t->{stack} };
		fault($prv, $., "states of \"$t->{name}\" end at $t->{state_end}, not at $end_time")
			if $t->{state_end} != $end_time;
		fault($prv, $t->{owes}{$_}, "an arrow at $_ of \"$t->{name}\", where nothing begins or ends")
			for sort { $a <=> $b } keys %{ $t->{owes} || {} };
		fault($prv, $., "an operation of type $_ stays open on \"$t->{name}\"")
			for grep { $t->{operations}{$_} > 0 } sort keys %{ $t->{operations} || {} };
	}
	check_pauses();
	for my $type (sort { $a <=> $b } keys %used) {
		unless (exists $type_label{$type}) {
			fault($prv, 0, "type $type has no label");
			next;
		}
		next unless $value_label{$type};	# declared numeric
		for my $value (sort { $a <=> $b } keys %{ $used{$type} }) {
			fault($prv, $used{$type}{$value}, "value $value of type $type has no label")
				unless exists $value_label{$type}{$value};
		}
	}
	my @ids = grep { $_ } sort { $a <=> $b } keys %{ $used{$STACKED} || {} };
	fault($prv, 0, 'function ids are not 1 to ' . @ids) if @ids && $ids[-1] != @ids;
	my $labels = grep { $_ } keys %{ $value_label{$STACKED} || {} };
	fault("$base.pcf", 0, "$labels labels for " . @ids . ' functions') if $labels != @ids;
}

sub check_rows {
	my %want = (THREAD => scalar @thread, TASK => scalar @task, NODE => $nodes, CPU => $cpus, APPL => scalar @appl);
	fault("$base.row", 0, 'no names of threads') unless $row{THREAD};
	for my $level (sort keys %row) {
		my $n = @{ $row{$level} };
		fault("$base.row", 0, "$n names of level $level, the trace has $want{$level}")
			if defined $want{$level} && $n != $want{$level};
	}
}

sub report {
	for my $t (@thread) {
		print "$t->{name}\n", map { "\t$_\n" } @{ $t->{tree} || [] } if $o{tree};
		for my $type (sort keys %{ $t->{operated} || {} }) {
			print join("\t", $t->{name}, $value_label{$type}{$_} // $_, $t->{operated}{$type}{$_}), "\n"
				for sort { $a <=> $b } keys %{ $t->{operated}{$type} };
		}
		my %sum;
		for my $id (sort { $a <=> $b } keys %{ $t->{calls} }) {
			my $s = $sum{ function_name($id) } ||= [ 0, 0, 0, 0 ];
			$s->[0] += $t->{calls}{$id};
			$s->[1] = $t->{deep}{$id} if $t->{deep}{$id} > $s->[1];
			$s->[2] += $t->{inclusive}{$id} // 0;
			$s->[3] += $t->{exclusive}{$id} // 0;
		}
		for my $f (sort keys %sum) {
			print join("\t", $t->{name}, $f, @{ $sum{$f} }[ 0, 1 ]), "\n" if $o{counts};
			print join("\t", $t->{name}, $f, @{ $sum{$f} }[ 0, 2, 3 ]), "\n" if $o{times};
		}
	}
}

read_pcf("$base.pcf");
read_row("$base.row");
my $in;
if ($prv =~ /\.gz$/) { open $in, '-|:raw', 'gzip', '-dc', $prv or die "validate.pl: gzip: $!\n" }
else { open $in, '<:raw', $prv or die "validate.pl: $prv: $!\n" }
if (read_header(scalar <$in>)) {
	prepare();
	read_records($in);
	check_end();
	check_rows();
	report();
}
for (sort grep { $kinds{$_} > 20 } keys %kinds) {
	print STDERR "$prv: ... $kinds{$_} times in all: $_\n";
}
exit($faults ? 1 : 0);
