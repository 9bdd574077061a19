# The validator finds every fault it is there for: a good trace, spoiled in one place at a time.
use strict;
use warnings;
use File::Temp 'tempdir';
use Test::More;

my $dir = tempdir(CLEANUP => 1);

my $prv = <<'END';
#Paraver (21/11/2025 at 10:00):5000_ns:1(3):1:2(2:1,1:1),0
1:1:1:1:1:0:5000:1
1:2:1:1:2:0:1000:2
1:3:1:2:1:0:5000:1
2:1:1:1:1:10:60000019:1
2:3:1:2:1:20:60000019:2:60000019:3
3:3:1:2:1:20:20:2:1:1:2:1000:1000:0:101
1:2:1:1:2:1000:2000:1
2:2:1:1:2:1000:60000019:1
2:1:1:1:1:1500:60000019:2
2:1:1:1:1:1600:60000019:0:60000019:1:48101002:3
3:2:1:1:2:2000:2000:1:1:1:1:3000:3000:0:102
2:2:1:1:2:2000:60000019:0
1:2:1:1:2:2000:5000:2
2:1:1:1:1:2500:48101002:0
2:1:1:1:1:3000:60000019:0
2:3:1:2:1:5000:60000019:0:60000019:0
2:1:1:1:1:5000:60000019:0
END
# in order of time, but thread 1 of task 1 writes after task 2: ties are free
my $pcf = <<'END';
DEFAULT_OPTIONS

LEVEL               THREAD
UNITS               NANOSEC


STATES
0    Idle
1    Running
2    Not created


STATES_COLOR
0    {117,195,255}
1    {0,0,255}
2    {255,255,255}


EVENT_TYPE
0    60000019    User function
VALUES
0      End
1      A.a [x.A.a():void A.java:1]
2      A.b [x.A.b(int[]):void A.java:2]
3      A.<init> [x.A.<init>():void]


EVENT_TYPE
0    48101002    Java task operation
VALUES
0      End
3      get
END
my $row = <<'END';
LEVEL CPU SIZE 3
1.node
2.node
3.node

LEVEL NODE SIZE 1
node

LEVEL TASK SIZE 2
node:1
node:2

LEVEL THREAD SIZE 3
main
worker pool-1: thread-1
w☕
END

sub run {
	my ($files, @options) = @_;
	for my $ext (qw(prv pcf row)) {
		next unless defined $files->{$ext};
		open my $out, '>:raw', "$dir/t.$ext" or die $!;
		print $out $files->{$ext};
	}
	my $text = `perl tests/paraver/validate.pl @options '$dir/t.prv' 2>&1`;
	unlink "$dir/t.$_" for qw(prv pcf row);
	return ($? >> 8, $text);
}

my %good = (prv => $prv, pcf => $pcf, row => $row);

my ($status, $text) = run(\%good);
is($status, 0, 'a good trace is good') or diag($text);
is($text, '', 'and nothing is said of it');

($status, $text) = run(\%good, '--counts');
is($text, join('', map { join("\t", @$_) . "\n" } [ 'main', 'A.a', 2, 2 ], [ 'main', 'A.b', 1, 2 ],
	[ 'worker pool-1: thread-1', 'A.a', 1, 1 ], [ 'w☕', 'A.<init>', 1, 2 ], [ 'w☕', 'A.b', 1, 1 ]), 'counts');
($status, $text) = run(\%good, '--tree');
is($text, "main\n\t1\tA.a\n\t2\tA.b\n\t2\tA.a\nworker pool-1: thread-1\n\t1\tA.a\nw☕\n\t1\tA.b\n\t2\tA.<init>\n", 'nesting');
($status, $text) = run(\%good, '--states');
is($text, "main\t0\t5000\tRunning\nworker pool-1: thread-1\t0\t1000\tNot created\nw☕\t0\t5000\tRunning\n" .
	"worker pool-1: thread-1\t1000\t2000\tRunning\nworker pool-1: thread-1\t2000\t5000\tNot created\n", 'states');
($status, $text) = run(\%good, '--times', '--long');
like($text, qr/^main\tx?A\.a \[x\.A\.a\(\):void A\.java:1\]\t2\t4990\t4890$/m, 'times: a method inside itself counts once');
($status, my $arrows) = run(\%good, '--arrows');
is($arrows, "101\tw☕\t20\tworker pool-1: thread-1\t1000\n102\tworker pool-1: thread-1\t2000\tmain\t3000\n", 'arrows');
like($text, qr/^main\tA\.b .*\t1\t100\t100$/m, 'times of an inner call');

# FILE, what is changed into what, what must be said
my @bad = (
	[ 'prv', '#Paraver (21/11/2025 at 10:00)', '#Paraver (21/11/2025) at 10:00)', qr/header/ ],
	[ 'prv', '#Paraver', '# x'."\n".'#Paraver', qr/header/ ],
	[ 'prv', ':5000_ns:', ':05000_ns:', qr/header/ ],
	[ 'prv', ':5000_ns:', ':5000:', qr/header/ ],
	[ 'prv', ':5000_ns:', ':5001_ns:', qr/the last time is 5000, the header says 5001/ ],
	[ 'prv', ':5000_ns:', ':4999_ns:', qr/the last time is 5000/ ],
	[ 'prv', ':1(3):', ':1(2):', qr/CPU 3 of 2/ ],
	[ 'prv', ':1(3):', ':1(4):', qr/3 names of level CPU, the trace has 4/ ],
	[ 'prv', ':1(3):', ':2(3):', qr/2 nodes, but 1 counts/ ],
	[ 'prv', ':1(3):', ':2(2,1):', qr/names of level NODE|not of the task's node/ ],
	[ 'prv', ':1(3):', ':1(70000):', qr/crashes/ ],
	[ 'prv', ':1(3):', ':01(3):', qr/header/ ],
	[ 'prv', ':1:2(2:1,1:1)', ':1:3(2:1,1:1)', qr/3 tasks, but 2/ ],
	[ 'prv', '(2:1,1:1)', '(2:1,1:2)', qr/task on node 2 of 1/ ],
	[ 'prv', '(2:1,1:1)', '(2:1,0:1)', qr/task without threads/ ],
	[ 'prv', '(2:1,1:1)', '(2:1,2:1)', qr/names of level THREAD, the trace has 4/ ],
	[ 'prv', ',0'."\n", ',1'."\n", qr/header/ ],
	[ 'prv', "1:3:1:2:1:0:5000:1\n", '', qr/in a state that ended at 0|does not run/ ],
	[ 'prv', '1:2:1:1:2:0:1000:2', '1:2:1:1:2:0:900:2', qr/the one before ended at 900/ ],
	[ 'prv', '1:2:1:1:2:0:1000:2', '1:2:1:1:2:0:1100:2', qr/the one before ended at 1100/ ],
	[ 'prv', '1:2:1:1:2:0:1000:2', '1:2:1:1:2:0:1000:1', qr/twice in a row/ ],
	[ 'prv', '1:2:1:1:2:0:1000:2', '1:2:1:1:2:0:1000:0', qr/state 0/ ],
	[ 'prv', '1:2:1:1:2:0:1000:2', '1:2:1:1:2:0:1000:40', qr/state 40 has no label/ ],
	[ 'prv', '1:2:1:1:2:2000:5000:2', '1:2:1:1:2:2000:2000:2', qr/state from 2000 to 2000/ ],
	[ 'prv', "1:2:1:1:2:2000:5000:2\n", '', qr/states of "worker .*" end at 2000/ ],
	[ 'prv', '1:2:1:1:2:0:1000:2', '1:2:1:1:2:0:1000', qr/not a record/ ],
	[ 'prv', '1:2:1:1:2:0:1000:2', '1:2:1:1:2:0:1000:2:', qr/not a record/ ],
	[ 'prv', '2:1:1:1:1:10:60000019:1', '2:1:1:1:1:30:60000019:1', qr/before the line above/ ],
	[ 'prv', '2:1:1:1:1:1500:60000019:2', '2:1:1:1:1:1500:60000019:0', qr/exit without an enter/ ],
	[ 'prv', "2:1:1:1:1:3000:60000019:0\n", '', qr/1 frames of "main" stay open/ ],
	[ 'prv', '1600:60000019:0:60000019:1:48101002:3', '1600:60000019:0:60000019', qr/type without a value/ ],
	[ 'prv', '2:1:1:1:1:10:', '2:1:1:1:1:1 0:', qr/not a record/ ],
	[ 'prv', '2:1:1:1:1:10:', '2:1:1:1:1:10.5:', qr/not a record/ ],
	[ 'prv', '2:1:1:1:1:10:', '2:1:1:1:1:-1:', qr/not a record/ ],
	[ 'prv', '2:1:1:1:1:10:', '2:1:1:1:1:010:', qr/zero in front/ ],
	[ 'prv', '2:1:1:1:1:10:', '2:1:2:1:1:10:', qr/application 2/ ],
	[ 'prv', '2:1:1:1:1:10:', '2:1:1:3:1:10:', qr/task 3 of 2/ ],
	[ 'prv', '2:1:1:1:1:10:', '2:1:1:1:3:10:', qr/thread 3 of 2/ ],
	[ 'prv', '2:1:1:1:1:10:', '2:1:1:1:0:10:', qr/thread 0 of 2/ ],
	[ 'prv', '2:1:1:1:1:10:', '2:4:1:1:1:10:', qr/CPU 4 of 3/ ],
	[ 'prv', '2:1:1:1:1:10:', '2:0:1:1:1:10:', qr/CPU 0/ ],
	[ 'prv', '2:3:1:2:1:20:60000019:2:60000019:3', '2:3:1:2:1:0:60000019:2:60000019:3', qr/stacked type at time 0/ ],
	[ 'prv', '2:3:1:2:1:20:60000019:2:60000019:3', "2:3:1:2:1:20:60000019:2\n2:3:1:2:1:20:60000019:3", qr/two lines for one instant/ ],
	[ 'prv', '10:60000019:1', '10:60000019:7', qr/value 7 of type 60000019 has no label/ ],
	[ 'prv', '10:60000019:1', '10:60000019:1:48100000:1', qr/type 48100000 has no label/ ],
	[ 'prv', '10:60000019:1', '10:60000019:1:4294967296:1', qr/does not fit 31 bits/ ],
	[ 'prv', '10:60000019:1', '10:60000019:1:60000018:9007199254740993', qr/beyond 2\^53/ ],
	[ 'prv', '2:1:1:1:1:10:60000019:1', "2:1:1:1:1:10:60000019:1\r", qr/carriage return/ ],
	[ 'prv', '2:1:1:1:1:10:60000019:1', '2:1:1:1:1:10:60000019:1' . ':60000019:1:60000019:0' x 600, qr/more than 1024 pairs/ ],
	[ 'prv', "1:5000:60000019:0\n", '1:5000:60000019:0', qr/line without an end/ ],
	[ 'prv', '2:1:1:1:1:10:60000019:1', '2:1:1:1:1:10:60000019:1'."\n5:1", qr/not a record/ ],
	[ 'prv', '2:1:1:1:1:10:60000019:1', '2:1:1:1:1:10:60000019:1'."\n", qr/not a record: ""/ ],
	[ 'pcf', '1      A.a [x.A.a():void A.java:1]', '1      A.a[] [x.A.a():void]', qr/'\[' or '\]'/ ],
	[ 'pcf', '1      A.a [x.A.a():void A.java:1]', '1      A.a [x.A.a():void', qr/'\[' or '\]'/ ],
	[ 'pcf', '1      A.a [x.A.a():void A.java:1]', '1', qr/value without a label/ ],
	[ 'prv', '3:3:1:2:1:20:20:2:1:1:2:1000:1000:0:101', '3:3:1:2:1:20:20:2:1:1:2:1000:1000:0', qr/not a record/ ],
	[ 'prv', '3:3:1:2:1:20:20:2:1:1:2:1000:1000', '3:3:1:2:1:20:20:2:1:1:3:1000:1000', qr/thread 3 of 2/ ],
	[ 'prv', '3:3:1:2:1:20:20:2:1:1:2:1000:1000', '3:3:1:2:1:20:20:3:1:2:1:5000:5000', qr/to itself/ ],
	[ 'prv', '3:3:1:2:1:20:20:2:1:1:2:1000:1000', '3:3:1:2:1:20:20:2:1:1:2:10:10', qr/backwards/ ],
	[ 'prv', '3:3:1:2:1:20:20:2:1:1:2:1000:1000', '3:3:1:2:1:20:21:2:1:1:2:1000:1000', qr/send are apart/ ],
	[ 'prv', '3:3:1:2:1:20:20:2:1:1:2:1000:1000', '3:3:1:2:1:20:20:2:1:1:2:999:1000', qr/receive are apart/ ],
	[ 'prv', '3:3:1:2:1:20:20:2:1:1:2:1000:1000', '3:3:1:2:1:20:20:2:1:1:2:999:999', qr/not created from 0 to 1000/ ],
	[ 'prv', '3:3:1:2:1:20:20:2:1:1:2:1000:1000', '3:3:1:2:1:20:20:2:1:1:2:2001:2001', qr/not created from 2000/ ],
	[ 'prv', '3:3:1:2:1:20:20:2:1:1:2:1000:1000', '3:3:1:2:1:20:20:2:1:1:2:1001:1001', qr/where nothing begins/ ],
	[ 'prv', '3:3:1:2:1:20:20:2:1:1:2:1000:1000', '3:3:1:2:1:20:20:1:1:1:1:6000:6000', qr/after the end of the trace/ ],
	[ 'prv', '1000:1000:0:101', '1000:1000:0:0', qr/without a tag/ ],
	[ 'prv', '3:2:1:1:2:2000:2000:', '3:2:1:1:2:1999:1999:', qr/before the line above|where nothing begins/ ],
	[ 'prv', ':48101002:3', ':48101002:0', qr/did not begin/ ],
	[ 'prv', '2:1:1:1:1:2500:48101002:0', '2:1:1:1:1:2500:60000119:0', qr/stays open/ ],
	[ 'pcf', '1      A.a [x.A.a():void A.java:1]', '4294967296 A.a', qr/does not fit 32 bits/ ],
	[ 'pcf', '1      A.a [x.A.a():void A.java:1]', '2      A.a', qr/value "2" is there twice/ ],
	[ 'pcf', '1      A.a [x.A.a():void A.java:1]'."\n", '', qr/value 1 of type 60000019 has no label/ ],
	[ 'pcf', '1      A.a [x.A.a():void A.java:1]', '1      '.('A' x 2001), qr/more than 2000 bytes/ ],
	[ 'pcf', '1      A.a [x.A.a():void A.java:1]', "1      A\xff", qr/not UTF-8/ ],
	[ 'pcf', '1      A.a [x.A.a():void A.java:1]', "1      A\x01", qr/control character/ ],
	[ 'pcf', '1      A.a [x.A.a():void A.java:1]', "1\tA", qr/TAB/ ],
	[ 'pcf', '3      A.<init>', "4      X\n3      A.<init>", qr/4 labels for 3 functions/ ],
	[ 'pcf', '0      End'."\n", '', qr/no label for 0/ ],
	[ 'pcf', '0    60000019    User function', '0    60000019    My functions', qr/not called "User function"/ ],
	[ 'pcf', "3      A.<init> [x.A.<init>():void]\n", "3      A.<init>\n\n0    48000001    User function\n", qr/value "0" is there twice/ ],
	[ 'pcf', "3      A.<init> [x.A.<init>():void]\n", "3      A.<init>\n\nEVENT_TYPE\n0    48000001    User function\n", qr/type label "User function" is there twice/ ],
	[ 'pcf', "3      A.<init> [x.A.<init>():void]\n", "3      A.<init>\n\nEVENT_TYPE\n0    48000001    A \"*\"\n", qr/in a type label/ ],
	[ 'pcf', "\n\nSTATES\n", "\n \nSTATES\n", qr/whitespace-only/ ],
	[ 'pcf', '1      A.a [x.A.a():void A.java:1]', '1      A.a [x.A.a():void A.java:1] ', qr/blanks at the ends/ ],
	[ 'pcf', 'LEVEL               THREAD', ' LEVEL               THREAD', qr/blanks at the ends/ ],
	[ 'pcf', 'LEVEL               THREAD', 'LEVEL', qr/option without its value/ ],
	[ 'pcf', 'LEVEL               THREAD', "LEVEL               THREAD\n# of Java", qr/begins with '#'/ ],
	[ 'pcf', '2    Not created', "2    Not created\n4294967298    Ready", qr/state "4294967298" does not fit/ ],
	[ 'pcf', '2    {255,255,255}', "2    {255,255,255}\n4294967298    {0,0,0}", qr/not a colour line/ ],
	[ 'pcf', '2    {255,255,255}', '2    {255,255,256}', qr/not a colour line/ ],
	[ 'prv', '2:1:1:1:1:10:60000019:1', '2:1:1:1:1:0:60000019:1', qr/event at time 0/ ],
	[ 'pcf', "\n\nSTATES\n", "\r\n\nSTATES\n", qr/carriage return/ ],
	[ 'pcf', "\nSTATES\n", "\nSTATE\n", qr/no STATES|has no label/ ],
	[ 'pcf', '{0,0,255}', '{0,0,256}', qr/not a colour/ ],
	[ 'pcf', '1    Running', '0    Running', qr/state "0" is there twice|has no label/ ],
	[ 'row', 'THREAD SIZE 3', 'THREAD SIZE 2', qr/not a LEVEL line|2 names/ ],
	[ 'row', 'THREAD SIZE 3', 'THREAD SIZE 4', qr/cut short/ ],
	[ 'row', 'CPU SIZE 3', 'CPU SIZE 4', qr/empty name|4 names/ ],
	[ 'row', "main\n", "\n", qr/empty name/ ],
	[ 'row', "main\n", "ma\x1bin\n", qr/control character/ ],
	[ 'row', "main\n", "ma\r\n", qr/control character/ ],
	[ 'row', "main\n", "ma\xff\n", qr/not UTF-8/ ],
	[ 'row', "main\n", "ma\nin\n", qr/not a LEVEL line|names/ ],
	[ 'row', 'LEVEL THREAD', 'LEVEL THREADS', qr/not a LEVEL line/ ],
);
for my $case (@bad) {
	my ($file, $from, $to, $want) = @$case;
	my %files = %good;
	my $at = rindex $files{$file}, $from;
	die "not there: $from" if $at < 0;
	substr($files{$file}, $at, length $from) = $to;
	($status, $text) = run(\%files);
	(my $name = "$file: $from -> $to") =~ s/[^ -~]/?/g;
	ok($status == 1 && $text =~ $want, substr $name, 0, 90) or diag("status $status: $text");
}

for my $gone (qw(pcf row)) {
	($status, $text) = run({ %good, $gone => undef });
	is($status, 1, "no .$gone");
}
($status) = run({ %good, prv => '' });
is($status, 1, 'an empty .prv');

done_testing();
