#!/bin/sh
# The folder of a job as one operand: which processes it has, what is missing, and one trace of all.
. tests/cli/kit
cp "$BUILD"/tests/cli/x_recording "$dir" || skip_all 'no x_recording'
cd "$dir" || exit 1
need ./x_recording one.jwr one.map 100

process() { # process NAME HOST PID SECOND MAIN [LINE]: a recording of job R, SECOND s after the others
	cp -r one.jwr "R/$1.jwr"
	perl -i -ne 'BEGIN { $add = shift @ARGV }
		next if /^(?:host|pid|command)\t/;
		s/^(clock-point\t\d+\t)(\d+)\t(\d+)/"$1$2\t" . ($3 + $add * 1_000_000_000)/e;
		print' "$4" "R/$1.jwr/meta"
	printf 'host\t%s\npid\t%s\nmain\t%s\njob\t%s\n%b' "$2" "$3" "$5" "$dir/R" "${6:-}" >>"R/$1.jwr/meta"
}
backend=org.apache.spark.executor.CoarseGrainedExecutorBackend
fresh() {
	rm -rf R R.* R-*
	mkdir R
	process a a 10 0 'org.apache.spark.deploy.SparkSubmit --class x'
	process b b 11 1 "$backend --executor-id 10 --app-id app-7"
	process c a 12 1 "$backend --executor-id 2 --app-id app-7"
	process d b 13 2 "$backend --executor-id 0 --app-id app-7"
}

# ---- who is there ----
fresh
sed -i '/^end\t/d' R/c.jwr/meta
mkdir R/e.jwr
: >R/e.jwr/data
cp -r R/b.jwr R/b-dump-1.jwr
sed -i '/^end\t/d' R/b-dump-1.jwr/meta
mkdir -p R/notes R/.hidden.jwr
cp R/a.jwr/meta R/.hidden.jwr/meta
run info --json R/c.jwr
is 'info --json of one of them: its role' "$status$(echo "$out" | sed -n 's/^"role":\(.*\),$/\1/p')" '0"executor 2"'
run info R
is 'info: status' "$status$err" '0jweave: note: there is no recording of executor 1
jweave: note: there is no recording of executor 3 to 9'
is 'info: processes by role' "$(echo "$out" | sed 's/  */ /g; s/ [0-9.]* [0-9.]* \(exit\|no\)/ \1/')" '6 recordings on 2 hosts

role host pid begin, s end, s how it ended
driver a 10 exit
executor 0 b 13 exit
executor 2 a 12 no end: killed, or still running
executor 10 b 11 exit
executor 10 b 11 no end: killed, or still running (left out: another recording tells more)
R/e.jwr no recording: it has no '"'meta'"' that could be read'
run info --json R
is 'info --json' "$(echo "$out" | perl -MJSON::PP -e 'local $/; my $j = decode_json(<>);
	print join " ", $j->{kind}, $j->{hosts}, $j->{applications}, map { $_->{role} // "-" } @{$j->{processes}}')" \
	'job 2 1 driver executor 0 executor 2 executor 10 executor 10 -'

# ---- one trace of all ----
run prv R --map one.map
is 'prv: status and what is missing' "$status$(echo "$err" | grep -v 'did not end normally\|file of windows')" "0jweave: warning: 'R/e.jwr' is left out: no recording: it has no 'meta' that could be read
jweave: note: 1 recording is left out, of processes that others tell more of: executor 10
jweave: warning: 1 process did not end, or is still running: executor 2
jweave: note: there is no recording of executor 1
jweave: note: there is no recording of executor 3 to 9"
is 'prv: named after the folder' "$(ls -d R.*)" 'R.pcf
R.prv
R.row'
is 'prv: a task for each process' "$(sed -n '/LEVEL APPL/,/LEVEL THREAD/p' R.row | grep -v '^$' | tr '\n' ,)" \
	'LEVEL APPL SIZE 1,app-7,LEVEL TASK SIZE 4,driver,executor 0,executor 2,executor 10,LEVEL THREAD SIZE 8,'
check 'prv: as Paraver reads it' perl "$root/tests/paraver/validate.pl" R.prv
run export tsv --table=process R.prv -o -
like 'the trace knows its processes' "$out" '*executor 10*app-7*'
is '... but not when they began, nor how they ended' "$(printf '%s\n' "$out" | cut -f10-14 | sort -u | tr '\t\n' ' ,')" \
	'\N \N \N \N \N,begin_ns end_ns ended stopped end_reason,'
run export tsv --table=process --process='executor *' R.prv -o -
is '... and selects them' "$status $(printf '%s\n' "$out" | cut -f8 | sort | tr '\n' ,)" '0 executor 0,executor 10,executor 2,role,'
fresh
for words in 'report R --map one.map' 'score R --map one.map' 'draw R/ --map one.map' 'view R --no-open --map one.map' \
	'export perfetto R --map one.map' 'export tsv R --table=process -o -'; do
	run $words
	is "$words" "$status" 0
done
like 'export: roles are in the table' "$out" '*executor 10*app-7*'
run export tsv R --table=process -o -
is '... and how processes ended' "$(printf '%s\n' "$out" | cut -f8,12-14 | sort | tr '\t\n' ' ,')" \
	'driver 1 0 exit,executor 0 1 0 exit,executor 10 1 0 exit,executor 2 1 0 exit,role ended stopped end_reason,'
is '... and when they lived' "$(printf '%s\n' "$out" | awk -F '\t' 'NR > 1 && $10 > 0 && $10 < $11' | wc -l)" 4
is 'what they made is called after the folder' "$(ls -d R.* | tr '\n' ' ')" 'R.html R.pftrace R.svg '
run report R/a.jwr R --map one.map
is 'a folder beside a recording' "$status" 0
run report --process='executor *' --map one.map R
is 'processes by role' "$status" 0
run report R --map one.map
all=$(echo "$out" | sed -n '1,/^$/p' | grep -o '[0-9,]* calls' | head -1)
(cd R && "$jweave" report . --map ../one.map >../here.txt 2>&1)
is 'the folder where one is' "$(grep -o '[0-9,]* calls' here.txt | head -1)" "$all"

fresh
sed -i '/^end\t/d' R/c.jwr/meta R/a.jwr/meta
printf 'stop\t9\tthe disk is full\n' >>R/b.jwr/meta
sed -i '1s/1$/2/; 1a mode\tsummary' R/d.jwr/meta
run report R --map one.map
like 'two that did not end' "$status$err" '0*2 processes did not end, or are still running: driver, executor 2*'
like 'one that has sums alone' "$err" '*1 recording is left out, of sums without events: executor 0*'
run info R
like 'one that stopped early' "$out" '*executor 10*recording stopped early: the disk is full*'

# ---- killed, as the system knows ----
fresh
sh -c : &
gone=$!
wait $gone
here() { # here NAME PID: the recording NAME is of process PID of this host, and has no end
	sed -i '/^end\t/d; /^host\t/d; /^pid\t/d; /^boot\t/d' "R/$1.jwr/meta"
	printf 'host\t%s\npid\t%s\nboot\t%s\t0\n' "$(uname -n)" "$2" "$(cat /proc/sys/kernel/random/boot_id)" >>"R/$1.jwr/meta"
}
here c $gone
run info R
like 'one that is gone' "$out" '*executor 2 * no end: killed, or it crashed*'
run report R --map one.map
like '... report' "$status$err" '0*jweave: warning: 1 process was killed, or crashed: executor 2*'
like '... its processes' "$out" '*executor 2*no end: killed, or it crashed*'
here d $gone
run report R --map one.map
like '... two of them' "$err" '*2 processes were killed, or crashed: executor 0*, executor 2*'
run collect R -o all
like '... collect' "$status$err" '0*executor 2 on * was killed, or crashed*'

# ---- diff: a job is one run ----
cp -r R S
run diff R S --map one.map
is 'diff: status' "$status" 0
like 'diff: a job is one run' "$out" '*A  R: 1 run*B  S: 1 run*'

# ---- several jobs, none ----
fresh
process f a 14 1 "$backend --executor-id 1 --app-id app-8"
run info R
like 'two applications' "$status$out" '0*5 recordings on 2 hosts, 2 applications*'
run prv R --map one.map --force
like 'two applications: told' "$status$err" "0*'R' has recordings of 2 applications*"
is 'two applications: two of Paraver' "$(sed -n '/LEVEL APPL/,/^$/p' R.row | tr '\n' ,)" 'LEVEL APPL SIZE 3,app-7,app-8,APPLICATION 3,,'
like '... and what to do' "$err" "*2 applications: give the recordings of one in place of the folder to see it alone ('jweave info' says which they are)*"
process e b 15 1.5 'org.apache.spark.deploy.SparkSubmit --class x'
process g a 16 2 "$backend --executor-id 1 --app-id app-8"
rm -rf R/f.jwr
run info R
is 'a driver for each: theirs' "$(echo "$out" | sed '1,3d; s/  */ /g; s/ [0-9.]* [0-9.]* \(exit\|no\)//')" 'driver 10@a app-7 a 10
executor 0 app-7 b 13
executor 2 app-7 a 12
executor 10 app-7 b 11
driver 15@b app-8 b 15
executor 1 app-8 a 16'
run prv R --map one.map --force
is '... no third one' "$(sed -n '/LEVEL APPL/,/^$/p' R.row | tr '\n' ,)" 'LEVEL APPL SIZE 2,app-7,app-8,,'

# ---- ranks ----
rm -rf R
mkdir R
for i in 2 3 5; do process $i a $i 0 Main "rank\t$i\t9\n"; done
run info R
is 'ranks: those that are missing at both ends, and in between' "$err" 'jweave: note: there is no recording of rank 0 to 1
jweave: note: there is no recording of rank 4
jweave: note: there is no recording of rank 6 to 8'
run report R --map one.map
like '... likewise' "$err" '*of rank 0 to 1*of rank 4*of rank 6 to 8*'
rm -rf R/*
for i in 0 1; do process $i a 3$i 0 Main "rank\t$i\n"; done
run info R
is '... of so many as nobody says' "$status$err" 0
for i in 0 1; do process again$i a 1$i 0.75 Main "rank\t$i\n"; done
run info R
is 'two of each rank' "$status$err" '0jweave: warning: there is more than one recording of rank 0, rank 1: of runs one after the other? Give the recordings of one run in place of the folder to see it alone'
for i in 0 1; do process third$i a 2$i 1.75 Main "rank\t$i\n"; done
for i in 0 1; do sed -i '$a application\tslurm-5' R/$i.jwr/meta; done
run report R --map one.map
like '... also where one of them has an application' "$status$err" '0*there is more than one recording of rank 0, rank 1: *'
for i in 2 3 4 5 6 7; do
	process $i a $i 0 Main "rank\t$i\n"
	process again$i a 1$i 0.75 Main "rank\t$i\n"
done
run info R
like '... of many' "$err" '*of rank 0, rank 1, rank 2, rank 3, rank 4 and 3 more: *'
for i in 0 1; do sed -i '$a application\tslurm-6' R/third$i.jwr/meta R/again?.jwr/meta; done
run info R
like '... one of each application is one' "$err" '*rank 0, rank 1: *'
rm -rf R
mkdir R
process a a 1 0 Main
process b a 1 5000 Main
run report R --map one.map
like 'two runs: told' "$status$err" '0*these recordings are of 2 runs, one after the other: give the recordings of one run in place of the folder to see it alone*'
of_two_runs='*these recordings are of 2 runs, one after the other*'
end() { # end ROLE HOST PORT HOST PORT: a connection between 10.0.0.HOST
	printf 'connection\\t%s\\t9\\t%s\\ttcp\\t10.0.0.%s\\t%s\\t10.0.0.%s\\t%s\\t%s\\t0\\t0\\n' "$3$5" "$@" "$3$5"
}
talk() { # talk SECONDS: two machines are connected, of which the clock of one is so much ahead
	rm -rf R/*
	process a a 1 0 Main "boot\taaaa\t0\n$(end connect 1 4000 2 80)\n"
	process b b 1 "$1" Main "boot\tbbbb\t0\n$(end accept 2 80 1 4000)\n"
	run report R --map one.map
}
talk 5000
is 'one run, on clocks that differ' "$status$(printf '%s\n' "$err" | grep 'runs, one after')" 0
run info R
is '... info' "$status$err" "0jweave: note: the clocks of these machines differ: begin and end are as each says; 'jweave report' sets them by messages"
talk 0
run info R
is '... on clocks that do not' "$status$err" 0
talk 5000
sed -i 's/bbbb/aaaa/' R/b.jwr/meta
run info R
like 'one clock: two runs' "$status$err" "0$of_two_runs"
talk 5000
sed -i 's/10\.0\.0\./127.0.0./g' R/?.jwr/meta
run info R
like 'each with itself: two runs' "$status$err" "0$of_two_runs"
talk 5000
process c b 2 0 Main "boot\tbbbb\t0\n$(end accept 2 80 1 4000)\n"
run info R
like 'ports that each run has: two runs' "$status$err" "0$of_two_runs"
talk 5000
sed -i 's/4000/4001/g' R/b.jwr/meta
run info R
like 'other ports: two runs' "$status$err" "0$of_two_runs"
rm -rf R/*
mkdir R/x.jwr
: >R/x.jwr/meta
run report R
like 'nothing that can be read' "$status$err" "4*error: none of the recordings in 'R' can be read"
rm -rf R/*
run report R
like 'an empty folder' "$status$err" "4*\"R\": no recording: the folder is empty"
run info R
like '... info' "$status$err" "4*'R': the folder is empty"

# ---- of which something is left ----
fresh
mkdir R/e.jwr
head -c 30 R/b.jwr/meta >cut
mv cut R/b.jwr/meta
run info R
like 'a meta that is cut off, and an empty folder' "$status$out" "05 recordings on 2 hosts*
R/b.jwr     its 'meta' is damaged: it does not say of which process it is
R/e.jwr     no recording: the folder is empty"
run report R --map one.map
like '... are left out' "$status$err" "0*'R/b.jwr' is left out: its 'meta' is damaged*'R/e.jwr' is left out: no recording: the folder is empty*"

# ---- a warning of many of them ----
for i in 1 2 3 4 5 6; do
	process $i a $i 0 Main
	sed -i '/^end	/d' R/$i.jwr/meta
done
windows='the last events of its threads are missing: there is no file of windows'
run report R --map one.map
is 'many warnings: the first ones, and how many more' "$(echo "$err" | grep windows)" "$(for i in 1 2 3; do echo "jweave: warning: R/$i.jwr: $windows"; done)
jweave: warning: R/4.jwr: $windows (and 2 more of this kind: -v tells each)"
run report -v R --map one.map
is '... each one with -v' "$(echo "$err" | grep -c 'file of windows$')" 6
run view R --map one.map -o R.html
like 'a page: likewise' "$err" "*R/4.jwr: $windows (and 2 more of this kind: -v tells each)*"
rm -rf R/[56].jwr
run report R --map one.map
is '... all, if one alone would be left out' "$(echo "$err" | grep -c 'file of windows$')" 4
rm -rf R R.*
mkdir R
for i in 1 2 3 4 5 6; do
	mkdir R/$i.jwr
	: >R/$i.jwr/meta
done
process a a 1 0 Main
run report R --map one.map
is 'what cannot be read: likewise' "$(echo "$err" | grep -c 'is left out')$(echo "$err" | sed -n '4s/.*(/ (/p')" '4 (and 2 more of this kind: -v tells each)'

# ---- more recordings than files may be open ----
rm -rf R R.*
mkdir R
for i in $(seq 0 199); do
	mkdir "R/$i.jwr"
	ln one.jwr/data "R/$i.jwr/data"
	sed "s/^host	.*/host	h/; s/^pid	.*/pid	$((1000 + i))/" one.jwr/meta >"R/$i.jwr/meta"
	printf 'main\t%s --executor-id %s\n' $backend "$i" >>"R/$i.jwr/meta"
done
(ulimit -n 48 && exec "$jweave" prv R --map one.map >many.txt 2>&1)
is 'with few files: status' $? 0
like 'with few files: all of it' "$(cat many.txt)" "400 threads, 3 methods, $((200 * 131)) calls in *"
is 'executors in their order' "$(sed -n '/LEVEL TASK/,/LEVEL THREAD/s/^executor //p' R.row | tr '\n' ' ')" "$(seq 0 199 | tr '\n' ' ')"
finish
