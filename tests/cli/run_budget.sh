#!/bin/sh
# jweave run within a budget: what it closes while the program runs, and learns for the next run.
# Slow: 5 s, JVMs run one after the other.
. tests/cli/run_kit
mkdir "$dir/c"
javac -g -d "$dir/c" testdata/programs/acme/Hot.java && jar cfe "$dir/hot.jar" acme.Hot -C "$dir/c" . || skip_all 'javac or jar does not work'
cd "$dir" || exit 1
want=$(java -jar hot.jar)

lacks() { # lacks NAME TEXT PART
	case $2 in
	*"$3"*) ok "$1" 1 ;;
	*) ok "$1" 0 ;;
	esac
}
r() { # r WORDS...: jweave run WORDS; $out, $err, $status, and what the trace shows
	timeout 100 "$jweave" run "$@" >.out 2>.err </dev/null
	status=$?
	out=$(cat .out)
	err=$(cat .err)
	report=$(timeout 60 "$jweave" report trace-*.prv 2>.report)
	methods=$(sed -n '/60000019/,/^$/p' trace-*.pcf 2>/dev/null | sed -n 's/^[1-9][0-9]* *\(Hot\.[a-z]*\) .*/\1/p' | sort | tr '\n' ' ')
	rm -rf trace-*
}

r --summary --no-guard -- java -jar hot.jar
is 'sums: nothing of a budget, which nobody has set' "$status$(printf '%s' "$err" | grep -c JWEAVE_BUDGET)" 00
r --summary --no-guard --budget=5% -- java -jar hot.jar
like '... but of one that somebody has' "$status$err" '0*JWEAVE_BUDGET is for a stream of events: it does nothing here*'

r --no-guard -- java -jar hot.jar
is 'the first run: output' "$status $out" "0 $want"
like 'the first run: says what was closed' "$err" '*to keep recording cheap, * closed while the program ran (JWEAVE_BUDGET): *Hot.tiny*'
like 'the first run: learns' "$err" "*learnt: * small and hot; the next run leaves *out ('jweave run --forget' drops that, '--budget=none' records all)*"
like 'the first run: all methods are in the trace' "$methods" '*Hot.round*Hot.tiny*'
like 'report: of what was closed, a part' "$report" '*likely ms *>=*Hot.tiny*  >=: closed while the program ran (JWEAVE_BUDGET) *[0-9].[0-9][0-9][0-9] s: * which had at least these calls and times;*'
like 'report: and an estimate' "$report" '*likely ms: own running time of all, estimated from the moments in which everything was recorded*'

# what shows no >= says that calls are missing
JWEAVE_KEEP=1 JWEAVE_OUTPUT=hot timeout 100 "$jweave" run -q --no-guard --forget -- java -jar hot.jar >.out 2>.err </dev/null
closed=$("$jweave" report --json hot.prv | grep -o '"closedNs"' | wc -l)
[ "$closed" = 1 ] && said='1 method was' them=it || said="$closed methods were" them=them
for what in --tree '--callers=acme.Hot#*' --percentiles '--histogram=acme.Hot#round' --slowest --critical-path '--slowest --json'; do
	for input in hot.prv hot.jwr; do
		# shellcheck disable=SC2086
		timeout 60 "$jweave" report $what $input 2>.err >/dev/null
		is "report $what $input: how many methods were closed" "$? $(cat .err)" \
			"0 jweave: note: $said closed while the program ran (JWEAVE_BUDGET): calls of $them after that are not in this report, and their time is that of who made them"
	done
	timeout 60 "$jweave" report -q $what hot.prv 2>.err >/dev/null
	is "... not with -q" "$(cat .err)" ''
done
timeout 60 "$jweave" export collapsed hot.prv -o - 2>.err >/dev/null
is 'export: likewise' "$? $(cat .err)" \
	"0 jweave: note: $said closed while the program ran (JWEAVE_BUDGET): calls of $them after that are not in this export, and their time is that of who made them"
timeout 60 "$jweave" export -q collapsed hot.prv -o - 2>.err >/dev/null
is '... not with -q' "$(cat .err)" ''
timeout 60 "$jweave" report --tree --to=1us hot.prv 2>.err >/dev/null
is 'nor of what was before' "$(cat .err)" ''
for what in --sql '--by=self'; do
	timeout 60 "$jweave" report $what hot.prv 2>.err >/dev/null
	lacks "report $what: nothing of that" "$(cat .err)" 'closed while'
done
rm -rf hot.prv hot.pcf hot.row hot.jwr

# on a machine that is busy short calls seem long, and are learnt by a later run
for again in 1 2 3; do
	grep -q 'acme.Hot.tiny' cache/jweave/run-1/.learnt-* || r --no-guard -- java -jar hot.jar
done

# what the VM calls on a thread that the library attaches, to close methods, is not the program's
mkdir guard && cat >guard/Guarded.java <<'J'
package acme;
@SuppressWarnings("removal")
public class Guarded extends SecurityManager {
	static int asked(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += i; return sum; }
	@Override public void checkPermission(java.security.Permission p) { asked(9); }
	@Override public void checkAccess(ThreadGroup g) { asked(99); }
	public static void main(String[] args) throws Exception {
		System.setSecurityManager(new Guarded());
		Hot.main(args);
	}
}
J
javac -cp c -d c guard/Guarded.java 2>/dev/null
timeout 100 "$jweave" run --no-guard --forget -- java -Djava.security.manager=allow -cp c acme.Guarded >.out 2>.err </dev/null
is 'a security manager that is traced: output' "$? $(cat .out)" "0 $want"
is '... no thread of the library is in the trace' "$(grep -c 'THREAD.*jweave\|^jweave' trace-*.row) $(grep -c Guarded.asked trace-*.pcf)" '0 1'
rm -rf trace-*

timeout 60 "$jweave" list hot.jar >.out 2>.err
like 'list tells what was learnt' "$(cat .err)" "*'jweave run' has learnt to leave out * of it, small and hot (--forget drops that); -v names them*"
timeout 60 "$jweave" list -v hot.jar >.out 2>.err
like 'list -v names it' "$(cat .err)" '*acme.Hot#tiny(I)I*'
cp -r c other && jar cfe other.jar acme.Hot -C c . -C "$dir" hot.jar
timeout 60 "$jweave" list other.jar >.out 2>.err
lacks 'of another archive nothing was learnt' "$(cat .err)" 'learnt'

r --no-guard -- java -jar hot.jar
like 'the second run: says what it leaves out' "$err" "*jweave: [1-9]* small, hot method* left out when this was woven, as earlier runs had learnt: no call of them is here, and their time is that of who called them ('jweave run --forget' drops what was learnt)*"
like 'the second run: so does a report of its trace' "$(cat .report)" '*left out when this was woven, as earlier runs had learnt*'
r -v --no-guard -- java -jar hot.jar
is 'the second run: output' "$status $out" "0 $want"
like 'the second run: by a rule of the default ones' "$err" '*{ "id": "learnt", "action": "skip", "onUnmatched": "ignore", "match": [*acme.Hot#tiny(int):int*'
like 'the second run: what is not small stays' "$methods" '*Hot.round *'
lacks 'the second run: what is small is gone' "$methods" 'Hot.tiny'

r --no-guard --budget=none --max-size=16M -- java -jar hot.jar
is 'without a budget: output' "$status $out" "0 $want"
like 'without a budget: what was learnt is recorded, too' "$methods" '*Hot.tiny*'

printf '{ "jweave": 1, "rules": [ { "match": "acme.Hot#round" } ] }' >own.json
r -r own.json -- java -jar hot.jar
lacks 'rules of -r: what was learnt is not asked' "$err" 'left out'

r --no-guard --forget -- java -jar hot.jar
is 'forgotten: output' "$status $out" "0 $want"
like 'forgotten: all methods are in the trace' "$methods" '*Hot.tiny*'

"$jweave" run --clean >/dev/null 2>&1
is 'what was learnt goes with the cache' "$(find cache -name '.learnt-*')" ''

printf '{ "jweave": 1, "rules": [ { "match": "acme.Hot#round" }, { "match": "acme.Hot#dive" } ] }' >r.json
r -r r.json -- java -jar hot.jar
lacks 'rules of -r: nothing is closed' "$err" 'closed'
like 'rules of -r: nothing is left out' "$methods" '*Hot.dive*Hot.round*'
r --no-guard --budget=1% -r r.json -- java -jar hot.jar
is 'rules of -r, and a budget: output' "$status $out" "0 $want"
r --no-guard -r 'match:acme.Hot' -- java -jar hot.jar
is 'a pattern: output' "$status $out" "0 $want"
like 'a pattern is no rules file: within the budget' "$err" '*closed*'
lacks 'a pattern: nothing is learnt' "$err" 'learnt:'
r --budget=lots -- java -jar hot.jar
is 'a share that is none' "$status $err" "2 jweave: error: option '--budget' takes none, or a percentage from 0.0001 to 99.9999, as 5% is, not 'lots'"

# damage in the cache costs what was learnt, and no more
mkdir -p cache/jweave/run-1 && chmod 700 cache/jweave cache/jweave/run-1
r --no-guard -- java -jar hot.jar
for f in cache/jweave/run-1/.learnt-*; do
	printf 'no method\n\t\t\nacme.Hot\tround\nacme.Hot\t"}\t(\nacme.Hot\tro und\t(I)I\n\001\n' >"$f"
done
r --no-guard -- java -jar hot.jar
is 'damaged: output' "$status $out" "0 $want"
like 'damaged: all methods are in the trace' "$methods" '*Hot.round*Hot.tiny*'
for f in cache/jweave/run-1/.learnt-*; do
	rm -f "$f" && mkdir "$f"
done
r --no-guard -- java -jar hot.jar
is 'no place to learn: output' "$status $out" "0 $want"
like 'no place to learn: that is said' "$err" '*what was learnt is lost: *'

# a phase that is over before recording is back within its budget: it is looked into all the same
mkdir phase && cat >phase/Phase.java <<'J'
public class Phase {
	static long sum;
	static int tiny(int i) { int s = i; for (int k = 0; k < 40; k++) s = s * 31 + k; return s; }
	static int three(int i) { return tiny(i) + tiny(i + 1) + tiny(i + 2); }
	static void first(int n) { for (int i = 0; i < n; i++) sum += three(i); }
	static void second(int n) { for (int i = 0; i < n; i++) sum += three(i); }
	public static void main(String[] args) {
		for (long t = System.nanoTime(); System.nanoTime() - t < 120_000_000L;) first(2000);
		for (long t = System.nanoTime(); System.nanoTime() - t < 600_000_000L;) second(2000);
		System.out.println(sum);
	}
}
J
javac -d phase phase/Phase.java || exit 1
divided=1
for again in 1 2 3; do
	[ $divided = 1 ] || break
	r -q --forget -- java -cp phase Phase
	divided=$(printf '%s\n' "$report" | awk '$NF == "Phase.first" { print $3 < $4 ? 0 : 1 }')
done
ok 'a short phase: its time is divided, too' "${divided:-1}"

# a job, whose recordings nobody converts
rm -rf cache/jweave/run-1/.learnt-*
r --no-guard --forget --job=jobs -- java -jar hot.jar
is 'a job: output' "$status $out" "0 $want"
like 'a job: says what was closed' "$err" '*to keep recording cheap, * closed while the program ran (JWEAVE_BUDGET): *Hot.tiny*'
like 'a job: learns' "$err" '*learnt: * small and hot; the next run leaves *'
for again in 1 2 3; do
	grep -q 'acme.Hot.tiny' cache/jweave/run-1/.learnt-* || r --no-guard --job=jobs -- java -jar hot.jar
done
r --no-guard --job=jobs -v -- java -jar hot.jar
like 'a job: the next run leaves them out' "$err" '*{ "id": "learnt", "action": "skip"*'
like 'a job: so do reports of it' "$("$jweave" report jobs 2>&1)" '*left out when this was woven*'
rm -rf jobs
# of a program of which much is known already a few more do not pay
for f in cache/jweave/run-1/.learnt-*; do
	for i in $(seq 100); do printf 'acme.Other\tm%d\t()V\n' "$i"; done >"$f"
done
r --no-guard -- java -jar hot.jar
like 'much is known: a few more are closed' "$err" '*closed while the program ran*'
lacks 'much is known: ... and not learnt' "$err" 'note: learnt'
finish
