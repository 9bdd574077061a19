#!/bin/sh
# jweave diff: recordings, traces, folders and baselines of a known program; gates; wrong baselines;
# the pipelines of share/examples/ci.
. tests/cli/kit
x=$BUILD/tests/cli/x_recording
[ -x "$x" ] || skip_all 'no x_recording'
cd "$dir" || exit 1
"$x" a.jwr a.map 2000 && "$x" b.jwr b.map 2010 || exit 1
json() { # json PERL: evaluates it on $r, the result of the last run
	printf %s "$out" | perl -MJSON::PP -e 'local $/; binmode STDOUT, ":utf8"; $r = decode_json(<>);
		%m = map { $_->{label} => $_ } @{ $r->{methods} }; %t = map { $_->{label} => $_ } @{ $r->{roles} };
		print '"$1"
}

# ---- two runs ----
run diff --map a.map a.jwr a.jwr
is 'the same twice' "$status$err
$out" '0
A  a.jwr: 1 run, 2601 calls in 0.001 s
B  a.jwr: 1 run, 2601 calls in 0.001 s
no count has changed
times are not judged: that takes folders with 4 runs or more'
run diff --map a.map a.jwr b.jwr
is 'text' "$status$err
$out" '0
A  a.jwr: 1 run, 2601 calls in 0.001 s
B  b.jwr: 1 run, 2614 calls in 0.001 s
changed: calls of 2 methods, exceptions of 1 method
times are not judged: that takes folders with 4 runs or more

  calls  change   exceptions  change   self ms  change   total ms  change   mean us  change   longest us  change   method
    603      +3*           3      +1*    2.010  +0.5 %?     2.010  +0.5 %?    3.333       =        5.000       =   Solver.step
   2010     +10*           0       =     0.040  +0.5 %~     0.040  +0.5 %~    0.020       =        0.020       =   Point.getX

  B'"'"'s figures, and how they differ from A'"'"'s
  *: changed
  ~: within noise, or too little to tell
  ?: may be noise: too few runs'
run diff --by=calls --top=1 --map a.map a.jwr b.jwr
like '--by, --top' "$out" '*0.020       =   Point.getX
  and 1 more (--top=N)*'
run diff --by=gc a.jwr b.jwr
is '--by what diff has not' "$status$err" "2jweave: error: option '--by' takes self|total|cpu|calls|exceptions|mean|longest|p50|p90|p99|p99.9, not 'gc'"
for word in $("$jweave" help diff | sed -n 's/^ *--by=//p' | tr '|' ' '); do
	run diff --by="$word" --map a.map a.jwr b.jwr
	is "--by=$word" "$status" 0
done
run diff --color=always --map a.map a.jwr b.jwr
like 'what grew is red' "$out" "*$(printf '\033')\[31m*+3\**$(printf '\033')\[0m*"
run diff --json --map a.map a.jwr b.jwr
is '--json' "$status$err$(json 'join " ", @$r{qw(kind version)}, $r->{judged} ? 1 : 0, $r->{failed} ? 1 : 0,
	map { my $f = $m{"Solver.step"}{$_}; "$_ $f->{a} $f->{b} $f->{change} $f->{verdict}" } qw(calls exceptions self)')" \
	'0diff 1 0 0 calls 600 603 3 changed exceptions 2 3 1 changed self 2000000 2010000 10000 unjudged'
is '... has all methods' "$(json 'join " ", map { "$_ $m{$_}{in} " . ($m{$_}{changed} ? 1 : 0) } sort keys %m')" \
	'Main.run both 0 Point.getX both 1 Solver.step both 1'
is '... and whole names' "$(json 'join " ", @{ $m{"Solver.step"} }{qw(class name descriptor place)}')" 'acme.Solver step (ILjava/lang/String;)V X.java:12'
is '... and roles of threads' "$(json 'join " ", map { "$_ $t{$_}{calls}{b}" } sort keys %t')" 'main 2212 wörker 402'

# ---- other inputs ----
run prv a.jwr --map a.map -o a
run prv -z b.jwr --map a.map -o b
run diff a.prv b.prv.gz
of_traces=$(printf '%s\n' "$out" | sed 1,2d)
run diff --map a.map a.jwr b.jwr
is 'traces say what recordings do' "$of_traces" "$(printf '%s\n' "$out" | sed 1,2d)"
mkdir -p runs/of-two empty
cp -r a.jwr runs/1.jwr
for n in 2 3 4; do cp a.prv runs/$n.prv && cp a.pcf runs/$n.pcf && cp a.row runs/$n.row; done
cp a.prv runs/1.prv
cp -r a.jwr b.jwr runs/of-two
run diff --json --map a.map runs a.jwr
is 'a folder: a run each, one of two processes; what is there twice counts once' "$(json 'join " ", $r->{a}{runs}, @{ $r->{a}{calls} }')" '5 2601 2601 2601 2601 5215'
rm -r runs/of-two
mkdir more
for n in 1 2 3 4 5; do cp -r b.jwr more/$n.jwr; done
run diff --json --map a.map runs more
is 'runs enough: times are judged' "$(json 'join " ", $r->{judged} ? 1 : 0, @{ $m{"Solver.step"}{self} }{qw(verdict p)}, $m{"Solver.step"}{calls}{verdict}')" '1 noise 0.003922 changed'
run diff empty a.jwr
is 'an empty folder' "$status$err" "4jweave: error: 'empty' is no recording, and holds none, nor a trace (NAME.prv)"
run diff gone.jwr a.jwr
is 'no such file' "$status" 4
mkdir many
for n in $(seq 51); do ln -s ../a.jwr many/$n.jwr; done
run diff many a.jwr
is 'more runs than there may be' "$status$err" "4jweave: error: 'many': too many runs (limit is 50)"

# ---- operands ----
for wrong in 'a.jwr' '--baseline x.json a.jwr b.jwr' '--save x.json a.jwr b.jwr' '--save x.json --baseline y.json a.jwr' 'a.jwr b.jwr a.jwr'; do
	run diff $wrong
	is "operands: $wrong" "$status" 2
done

# ---- gates ----
gate() { # gate STATUS GATE...: of a.jwr and b.jwr
	want=$1
	shift
	for g in "$@"; do set -- "$@" --fail-on "$g" && shift; done
	run diff --map a.map "$@" a.jwr b.jwr
	is "--fail-on $*" "$status" "$want"
}
gate 5 'calls>0'
like 'the lines that decide' "$out" "*FAILED  --fail-on 'calls>0'
  calls 600 -> 603 (+3)  Solver.step
  calls 2000 -> 2010 (+10)  Point.getX"
gate 0 'calls>10' 'calls<0' 'calls>0.6%'
gate 5 'calls>=10'
gate 5 'calls>0.4%'
gate 5 'calls!=0'
gate 5 'calls(acme.Solver#*)>0'
gate 5 'calls(acme.Solver#step(int, ..))>2'
gate 0 'calls(acme.Main)>0' 'calls(acme.Solver#step(int))>0'
like 'a gate about no method is told' "$err" "*--fail-on 'calls(acme.Solver#step(int))>0' is about no method that A or B has"
run diff --map a.map --fail-on 'calls(acme.Solver#step(int))>0' --fail-on-unmatched a.jwr b.jwr
is '--fail-on-unmatched: it fails' "$status" 5
like '... which is said of the gate' "$out" "*FAILED  --fail-on 'calls(acme.Solver#step(int))>0' (there is no such method)*"
run diff --json --map a.map --fail-on 'calls(acme.Solver#step(int))>0' --fail-on-unmatched a.jwr b.jwr
is '... and in the JSON' "$(printf '%s\n' "$out" | grep -c '"failed":true')" 2
run diff --map a.map --fail-on 'calls(acme.Main)>0' --fail-on 'waits.count(*nothing*)>0' --fail-on-unmatched a.jwr b.jwr
is '... a wait that nobody has, too' "$status" 5
run diff --map a.map --fail-on 'calls(acme.Main)>0' --fail-on 'waits.count>0' --fail-on-unmatched a.jwr b.jwr
is '... but not what is about something, or any wait' "$status" 0
gate 0 new-exceptions
gate 5 'exceptions>0'
gate 5 'self>0.1%'
like 'a time of one run: with a caution' "$out" '*self ms 2.000 -> 2.010 (+0.5 %), may be noise  Solver.step*'
gate 0 'self(acme.Point#*)>0%'
gate 5 'calls>100' 'calls>0' 'exceptions>100'
like 'several: each is told' "$out" "*passed  --fail-on 'calls>100'
FAILED  --fail-on 'calls>0'*passed  --fail-on 'exceptions>100'"
run diff --json --fail-on 'calls>0' --map a.map a.jwr b.jwr
is 'gates in the JSON' "$status$(json 'join " ", $r->{failed} ? 1 : 0, $r->{gates}[0]{asked}, map { "$_->{label} $_->{metric} $_->{a} $_->{b}" } @{ $r->{gates}[0]{lines} }')" \
	'51 3 Solver.step calls 600 603 Point.getX calls 2000 2010'
run diff --fail-on new-exceptions --map a.map --save nofail.json a.jwr
is '--save takes no gates' "$status" 2
run diff --map a.map --save base.json a.jwr
is '--save' "$status$err" "0jweave: note: 'base.json' has the figures of 1 run"
sed 's/"exceptions":2/"exceptions":0/' base.json >none.json
run diff --map a.map --fail-on new-exceptions none.json a.jwr
like 'an exception where there was none' "$status$out" "5*FAILED  --fail-on 'new-exceptions'
  exceptions 0 -> 2 (+2)  Solver.step"
sed 's/"calls":600/"atLeast":true,"calls":500/' base.json >least.json
run diff --map a.map --fail-on 'calls(acme.Solver)>0' least.json a.jwr
like 'what was closed decides no gate' "$status$out" "0*undecided  --fail-on 'calls(acme.Solver)>0' (1 method cannot decide: not all recorded, or not known)"
sed 's/"exceptions":\[/&{"label":"a.Error","thrown":2,"again":0,"caught":2}/' base.json >classes.json
run diff --map a.map --fail-on new-exceptions a.jwr classes.json
like 'classes of exceptions that A did not record are not new' "$status$out" "0*no count has changed
A has no classes of exceptions (recorded without preset:exceptions, or as a summary): they are not compared
*passed  --fail-on 'new-exceptions'*"
run diff --map a.map --fail-on new-exceptions classes.json a.jwr
like '... or are not gone in B' "$status$out" '0*no count has changed
B has no classes of exceptions*'
run diff --map a.map --fail-on new-exceptions none.json classes.json
like '... but new where A has had none at all' "$status$out" '5*  thrown 0 -> 2 (+2)  a.Error (new)*'
for wrong in waits 'waits>1' 'waits.self>1ms' 'waits.>1' 'waits.count>1ms' 'waits.waited>1' 'waits.waited()>1ms' 'other.count>1' calls 'calls>' 'calls>x' 'calls>nan' 'calls>1e3' 'calls>1ms' 'self>1' 'self>1m' 'foo>1' 'calls(a b#c)>0' 'calls(@A a)>0' 'calls(a..b)>0' \
	'calls(x>0' 'calls()>0' 'new-exceptions>0' 'calls=0' '>0'; do
	run diff --fail-on "$wrong" a.jwr b.jwr
	is "a wrong gate: $wrong" "$status$(printf %s "$err" | grep -c "error: --fail-on '")" 21
done

# ---- baselines ----
run diff --map a.map base.json a.jwr
like 'a baseline says what its run does' "$status$out" '0*no count has changed*'
mv base.json base.txt
run diff --map a.map --baseline base.txt --fail-on 'calls>0' b.jwr
is '--baseline, whatever its name' "$status" 5
run diff --map a.map --save base.txt b.jwr
is 'a baseline is saved anew' "$status" 0
echo mine >mine.json
run diff --map a.map --save mine.json a.jwr
is 'another file stays' "$status$err$(cat mine.json)" "2jweave: error: 'mine.json' exists, and was not made by 'jweave diff --save': choose another namemine"
run diff --map a.map --save base.json runs
check 'a figure that all runs share is one number' grep -q '"label":"Solver.step".*"calls":600,' base.json
cp -r a.jwr c.jwr
printf 'thread-cpu\t1\t600000\n' >>c.jwr/meta
run diff --map a.map --save cpu.json c.jwr
check 'a baseline has the CPU time of methods' grep -q '"label":"Main.run".*"cpu":[1-9]' cpu.json
wrong() { # wrong NAME SED MESSAGE
	sed "$2" base.json >wrong.json
	run diff --map a.map --baseline wrong.json a.jwr
	like "a wrong baseline: $1" "$status$err" "4jweave: error: $3"
}
wrong 'cut' '3,$d' 'wrong.json:3:1: *'
wrong 'no JSON' 's/"runs"/runs/' 'wrong.json:2:*'
wrong 'another kind' 's/jweave-baseline/other/' 'wrong.json:1:1: is no baseline: "kind"*'
wrong 'another version' 's/"version":1/"version":2/' 'wrong.json:2:*: /version: "version" must be 1*'
wrong 'no runs' 's/"runs":4/"runs":0/' 'wrong.json:2:*: /runs: "runs" must be a number from 1 to 50'
wrong 'too few numbers' 's/"calls":600/"calls":[1,2]/' 'wrong.json:6:*: /methods/2/calls: must have a number for each run: 4, not 2'
wrong 'a number below 0' 's/"calls":600/"calls":-1/' 'wrong.json:6:*: /methods/2/calls: must be a whole number from 0 to 2^53, or null'
wrong 'a text for a number' 's/"calls":600/"calls":"x"/' 'wrong.json:6:*: /methods/2/calls: *'
wrong 'a number for a text' 's/"label":"Solver.step"/"label":3/' 'wrong.json:6:*: /methods/2/label: must be a string'
wrong 'no label' 's/"label":"Solver.step"/"lebal":"x"/' 'wrong.json:6:*: /methods/2: has no "label"'
wrong 'half a name' 's/"name":"step"/"nme":"step"/' 'wrong.json:6:*: /methods/2: has a "class", but no "name" or "descriptor"'
wrong 'a method twice' '6s/.*/&,\n&/' 'wrong.json:7:*: /methods/3: is there twice'
wrong 'a list that is none' 's/"locks":\[/"locks":3,"x":[/' 'wrong.json:*: /locks: must be an array'
wrong 'no duration' 's/"durationNs":[0-9]*/"durationNs":null/' 'wrong.json:*"durationNs" and "calls" must be known'
sed 's/"runs":4/"future":{"a":[1]},&/; s/"calls":600/"p42":7,&/' base.json >later.json
run diff --map a.map --baseline later.json a.jwr
is 'unknown keys are passed over' "$status$err" 0
perl -e 'print "{\"kind\":\"jweave-baseline\",\"version\":1,\"runs\":1,\"durationNs\":1,\"calls\":1,\"methods\":[";
	print $_ ? "," : "", "{\"label\":\"m$_\"}" for 0 .. 199999; print "]}\n"' >large.json
run diff --save larger.json large.json
like 'one that could not be read again is not written' "$status$err$(ls larger.json 2>&1)" "4jweave: error: too much for a baseline: *No such file*"

# ---- the pipelines ----
for file in github.yml gitlab-ci.yml; do
	ci=$root/share/examples/ci/$file
	if python3 -c 'import yaml' 2>/dev/null; then
		check "$file is YAML" python3 - "$ci" <<'P'
import sys, yaml
tree = yaml.safe_load(open(sys.argv[1]))
steps = tree['jobs']['calls']['steps'] if 'jobs' in tree else tree['calls']['before_script'] + tree['calls']['script']
assert any('jweave diff' in (s if isinstance(s, str) else s.get('run', '')) for s in steps)
assert all(isinstance(s, (str, dict)) for s in steps)
P
	else
		skip "$file is YAML" 'no PyYAML'
	fi
	sed -n 's/^[ -]*\(jweave diff .*\)/\1/p' "$ci" >commands
	ok "$file compares" "$([ "$(wc -l <commands)" = 2 ]; echo $?)"
	is "$file: its commands exist" "$(sed -n 's/^[ -]*jweave \([a-z]*\) .*/\1/p' "$ci" | sort -u | while read -r c; do "$jweave" help "$c" >/dev/null 2>&1 || echo "$c"; done)" ''
	run diff --map a.map --save calls.json a.jwr
	cp a.prv after.prv && cp a.pcf after.pcf && cp a.row after.row
	is "$file: they pass where nothing changed" "$(PATH=$BUILD:$PATH timeout 60 sh -e commands >/dev/null 2>&1; echo $?)" 0
	gzip -dc b.prv.gz >after.prv && cp b.pcf after.pcf && cp b.row after.row
	is "$file: and fail where a method is called more often" "$(PATH=$BUILD:$PATH timeout 60 sh commands >out.txt 2>&1; grep -c "FAILED  --fail-on 'calls>0'" out.txt)" 1
	is "$file: the packages are those of a build" "$(sed -n 's/.*install -y \(git \)\{0,1\}\(gcc .*\)/\2/p' "$ci" | sed 's/ openjdk.*//')" \
		"$(sed -n 's/^apt-get update && apt-get install -y \(.*\) openjdk.*/\1/p' "$root/README.md")"
	rm -f calls.json calls-now.json
done

# 100 calls of 1 ms in A; in B the last two of them take 2 ms
calls() { # calls LATE: a trace
	perl -e 'print "#Paraver (1/1/2025 at 0:00):1000000000_ns:0:1:1(1:0),0\n"; $t = 0;
		print "2:0:1:1:1:$t:60000019:1\n2:0:1:1:1:", $t += $_ > 98 ? $ARGV[0] : 1000000, ":60000019:0\n" for 1 .. 100' "$1"
}
mkdir -p "$dir/p"
calls 1000000 >"$dir/p/a.prv"
calls 2000000 >"$dir/p/b.prv"
for side in a b; do
	printf 'EVENT_TYPE\n0    60000019    User function\nVALUES\n0   End\n1   Api.get [a.Api.get():void Api.java:1]\n' >"$dir/p/$side.pcf"
done
run diff -q --fail-on 'p99(a.Api#*)>20%' "$dir/p/a.prv" "$dir/p/b.prv"
is 'p99: a gate' "$status" 5
run diff -q --fail-on 'p90(a.Api#*)>20%' --fail-on 'p99.9(a.Api#*)>150%' "$dir/p/a.prv" "$dir/p/b.prv"
is 'p90 is the same, p99.9 is twice' "$status" 0
run diff -q --json "$dir/p/a.prv" "$dir/p/b.prv"
like 'they are in the JSON' "$out" '*"p99":{"a":1000000,"b":2000000,*'

# main waits for a lock, in B longer; the other sleeps all its life
waits() { # waits UNTIL: a trace
	cat <<P
#Paraver (1/1/2025 at 0:00):10000000_ns:0:1:1(2:0),0
1:0:1:1:1:0:1000000:1
1:0:1:1:2:0:10000000:5
2:0:1:1:2:0:48100028:3:48100021:2
1:0:1:1:1:1000000:$1:5
2:0:1:1:1:1000000:48100028:1:48100002:2147483655:48100020:1:48100021:1
1:0:1:1:1:$1:10000000:1
2:0:1:1:1:$1:48100028:0:48100002:0:48100020:0:48100021:0
2:0:1:1:2:10000000:48100028:0:48100021:0
P
}
waits 2000000 >"$dir/p/c.prv"
waits 7000000 >"$dir/p/d.prv"
for side in c d; do
	printf 'EVENT_TYPE\n0 48100020 Java monitor, class\nVALUES\n0 End\n1 a.Lock\n\nEVENT_TYPE\n0 48100021 Java monitor, where it is waited for\nVALUES\n0 End\n1 A.g (A.java:31)\n2 Timer.loop (Timer.java:1)\n\n' >"$dir/p/$side.pcf"
done
waits_in() { json 'join ", ", map { "$_->{label}: $_->{waited}{a} $_->{waited}{b} $_->{in}" } @{ $r->{waits} }'; }
run diff -q --json "$dir/p/c.prv" "$dir/p/d.prv"
is 'waits, by what for and where' "$(waits_in)" 'park for a.Lock in A.g: 1000000 6000000 both'
run diff -q "$dir/p/c.prv" "$dir/p/d.prv"
like 'in the text' "$out" '*waited ms *wait
 * 6.000 *+500.0 %* park for a.Lock in A.g
*'
run diff -q --save "$dir/p/c.json" "$dir/p/c.prv"
run diff -q --json --baseline "$dir/p/c.json" "$dir/p/d.prv"
is 'and from a baseline' "$(waits_in)" 'park for a.Lock in A.g: 1000000 6000000 both'
run diff -q --fail-on 'waits.waited(*a.Lock*)>4ms' --fail-on 'waits.count>0' --fail-on 'waits.waited(*Timer*)>0%' "$dir/p/c.prv" "$dir/p/d.prv"
like 'gates on waits' "$status$err$out" "5*FAILED  --fail-on 'waits.waited(*a.Lock*)>4ms'
  waited ms 1.000 -> 6.000 (+500.0 %), may be noise  park for a.Lock in A.g
passed  --fail-on 'waits.count>0'
passed  --fail-on 'waits.waited(*Timer*)>0%'*"
run diff -q --fail-on 'waits.longest<0ms' --fail-on 'roles.threads!=0' "$dir/p/c.prv" "$dir/p/d.prv"
is 'that hold' "$status" 0
run diff --fail-on 'requests.p99(at *)>20%' "$dir/p/c.prv" "$dir/p/d.prv"
like 'a gate about no requests is told' "$status$err" "0*--fail-on 'requests.p99(at *)>20%' is about no address of requests that A or B has*"
sed 's/"littleElse":true,//' "$dir/p/c.json" >"$dir/p/old.json"
run diff -q --json --baseline "$dir/p/old.json" "$dir/p/d.prv"
is 'who does something else in one of them counts' "$(waits_in)" 'park for a.Lock in A.g: 1000000 6000000 both, Thread.sleep in Timer.loop: 10000000 10000000 both'
finish
