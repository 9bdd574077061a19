#!/bin/sh
# jweave score: estimates from a recording that is known; suggested rules that load, and that leave
# out the small and hot methods of a program when it is woven anew.
. tests/cli/kit
x=$BUILD/tests/cli/x_recording
[ -x "$x" ] || skip_all 'no x_recording'
cd "$dir" || exit 1
"$x" run.jwr run.map 2000 || exit 1
json() { # json PERL: evaluates it on $r, the result of the last run
	printf %s "$out" | perl -MJSON::PP -e 'local $/; $r = decode_json(<>);
		%m = map { $_->{name} =~ /^(\S+)/; $1 => $_ } @{ $r->{methods} }; print '"$1"
}
run score run.jwr --map run.map
is 'text' "$status
$out" '0
2601 calls, 0.1 MB; at 45 ns each tracing cost about 0.117 ms of 2.200 ms: 5.6 %
of the time inside traced methods, waits and all: of which CPU time it took is not recorded

          calls          bytes      cost ms    share  body ns/call  method
 *         2000          64000        0.090    4.1 %             0  Point.getX
            600          19200        0.027    1.2 %          3288  Solver.step
              1             32        0.000    0.0 %        160055  Main.run

without the 1 method marked *: about 1.3 %'
run score --json --pair-cost=90 run.jwr --map run.map
is '--json, --pair-cost' "$(json 'join " ", @$r{qw(pairCostNs calls bytes costNs runNs)}, map { $_ ? 1 : 0 } map { $m{$_}{skip} } sort keys %m')" \
	'90 2601 83232 234090 2200100 0 1 0'
run score --target=6% run.jwr --map run.map
like 'a target that is met' "$out" '*within the target of 6 %: nothing to leave out'
cp -r run.jwr stopped.jwr
printf 'stop\t2200100\tmax-size\nend\t22001000\tvm-death\n' >>stopped.jwr/meta
run score --target=6% stopped.jwr --map run.map
like 'a recording that stopped early: of how much of the run it knows' "$out" '*
recording stopped after 0.001 s of 0.011 s (11 %): nothing is known of the rest

that is within the target of 6 %: nothing to leave out of what was recorded'
cp -r stopped.jwr ended.jwr
sed -i '/^end/d' ended.jwr/meta
run score ended.jwr --map run.map
like 'one that has no end' "$out" '*
recording stopped early: nothing is known of the rest
*'
for odd in 's/()I/(La b;)I/' 's/getX/get X/'; do # no pattern can say a space
	LC_ALL=C sed "$odd" run.map >odd.map
	run score run.jwr --map odd.map
	is "a name that no rule can say: $odd" "$err" 'jweave: note: 1 method is small and hot, too, but without a name that a rule could choose'
done
sed 's/getX/getX-pVg5ArA/' run.map >odd.map # as Kotlin mangles names
run score run.jwr --map odd.map --suggest odd.json
is 'a dash can be said' "$status$err" 0
like 'and is' "$(cat odd.json)" '*"acme.Point#getX-pVg5ArA():int" ]*'
run check odd.json
is 'and these rules are right' "$status$out" '0odd.json: ok (2 rules)'
run score --target=0.1 --json run.jwr --map run.map
is 'one that needs more' "$(json 'join " ", map { "$_ " . ($m{$_}{skip} ? 1 : 0) } sort keys %m')" 'Main.run 0 Point.getX 1 Solver.step 1'
for wrong in x 0 5x '' -1 nan 1e9; do
	run score --target="$wrong" run.jwr
	is "--target=$wrong" "$status" 2
done
run score --map run.map run.jwr --suggest fewer.json
is '--suggest: status' "$status$err" 0
run check fewer.json
is 'the rules are right' "$status$out" '0fewer.json: ok (2 rules)'
like 'they skip' "$(cat fewer.json)" '*"acme.Point#getX():int" ]*'
cp fewer.json before.json
run score --map run.map run.jwr --suggest fewer.json
is 'what it made itself it makes again' "$status$err" 0
check 'the same' cmp before.json fewer.json
echo '{ "jweave": 1, "rules": [ { "match": "acme.**" } ] }' >mine.json
cp mine.json before.json
for rules in '' '-r fewer.json' '-r mine.json'; do
	run score --map run.map run.jwr $rules --suggest mine.json
	is "rules of another are not overwritten: $rules" "$status $err" "2 jweave: error: 'mine.json' exists, and was not made by 'jweave score': choose another name"
done
check 'they are as they were' cmp before.json mine.json
cp fewer.json before.json
run score --map run.map run.jwr -r ./fewer.json --suggest fewer.json
is 'nor those that it is to include' "$status $err" "2 jweave: error: 'fewer.json' is the rules file of -r, which it would include: choose another name"
check 'they are as they were, too' cmp before.json fewer.json
run score --map run.map run.jwr -r gone.json --suggest fewer.json
is '-r without a file' "$status" 4
run score --map run.map run.jwr -r preset:io --suggest p.json
run check p.json
like '-r preset:NAME: is included' "$status$out" '0p.json: ok (*'
like '-r preset:NAME: by its name' "$(cat p.json)" '*"include": ? "preset:io" ?,*'
run score --map run.map run.jwr -r 'match:acme.**,com.x.Y#a(int, ..)' --suggest m.json
run check m.json
is '-r match:LINE: is the first rule' "$status$out" '0m.json: ok (2 rules)'
like '-r match:LINE: as it is written' "$(cat m.json)" '*{ "id": "chosen", "match": ?"acme.\*\*", "com.x.Y#a(int, ..)"? },*"acme.Point#getX():int"*'
run score --map run.map run.jwr --suggest nowhere/fewer.json
is '--suggest into no folder' "$status" 1
run prv run.jwr --map run.map
run score run.prv
is 'a trace can be scored' "$status" 0
run score run.prv --suggest t.json
is 'and its names are rules' "$status$err" 0
run score run.jwr --map run.map --suggest r.json
check 'the same as of the recording' cmp r.json t.json
sed 's/\[.*\]//' run.pcf >nameless.pcf
cp run.prv nameless.prv
cp run.row nameless.row
run score nameless.prv --suggest u.json
is 'short names are none' "$status" 2
like 'which is said' "$err" '*no method has a whole name, by which a rule could choose it: rules can be suggested from a recording, or from a trace that jweave made of it, beside its .pcf'
cp -r run.jwr cpu.jwr
printf 'cpu\t100\t50000000\ncpu\t4000000\t60000000\n' >>cpu.jwr/meta
run prv cpu.jwr --map run.map
for of in 'cpu.jwr --map run.map' cpu.prv; do
	run score --json $of
	is "CPU time: $of" "$(json '"$r->{cpuNs} " . ($r->{overhead} == $r->{cpuOverhead}) . " " . ($r->{cpuCostNs} > $r->{costNs})')" '60000000 1 1'
done
run score cpu.prv
like 'CPU time, in words' "$out" '*of the time inside traced methods, waits and all; of CPU time, with all that follows*of 60.000 ms: * % more than without*'
cp -r run.jwr short.jwr
printf 'cpu\t100\t50000\ncpu\t4000000\t60000\n' >>short.jwr/meta
run score short.jwr --map run.map
like 'where tracing would be more than all' "$out" '*with all that follows?from it, nearly all of 0.060 ms: how much more than without is not known*'

# ---- a program, woven, run, scored, and woven with what was suggested ----
command -v javac >/dev/null && command -v java >/dev/null && command -v jar >/dev/null || {
	skip 'a program' 'no JDK'
	finish
	exit
}
mkdir -p src/acme classes sub
cat >src/acme/App.java <<'J'
package acme;
public class App {
	static long sum;
	static class Inner { long[] cell = new long[1]; void hot(int n, String[][] s) { cell[0] += n; } }
	Inner in = new Inner();
	void step(int n) { for (int i = 0; i < n; i++) in.hot(i, null); }
	static void slow() throws Exception { Thread.sleep(20); }
	public static void main(String[] a) throws Exception {
		App app = new App();
		for (int i = 0; i < 300; i++) app.step(1000);
		slow();
		System.out.println(app.in.cell[0]);
	}
}
J
javac -g -d classes src/acme/App.java && jar cfe app.jar acme.App -C classes . || exit 1
echo '{ "jweave": 1, "rules": [ { "id": "app", "match": "acme.**" } ] }' >rules.json
run --no-guard app.jar rules.json woven.jar
JWEAVE_OUTPUT=first JWEAVE_CONVERT=off timeout 60 java -jar woven.jar >out1 2>/dev/null
run score --json first.jwr --map woven.jar -r rules.json --suggest sub/fewer.json
is 'the hot method is found' "$status$(json 'join ",", map { "$_ $m{$_}{calls}" } grep { $m{$_}{skip} } sort keys %m')" \
	'0App$Inner.hot 300000'
run check sub/fewer.json
is 'rules on top of others, from a folder' "$status" 0
run --no-guard app.jar sub/fewer.json fewer.jar
JWEAVE_OUTPUT=second JWEAVE_CONVERT=off timeout 60 java -jar fewer.jar >out2 2>/dev/null
is 'the program is the same' "$(cat out2)" "$(cat out1)"
run score --json second.jwr --map fewer.jar
is 'the hot one is left out, the others are there' \
	"$(json 'join " ", $r->{calls}, map { "$_ $m{$_}{calls}" } grep { /step|slow|main|hot/ } sort keys %m')" \
	"$(json '$r->{calls}') App.main 1 App.slow 1 App.step 300"
like 'and nothing more to be' "$(json '$r->{wallOverhead} < 0.05 ? "yes" : "no: $r->{wallOverhead}"')" yes
finish
