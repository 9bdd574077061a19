#!/bin/sh
# jweave export sqlite and tsv: calls, times, states, operations, arrows and pauses in the tables are those of the
# report and the trace (tables.py); keys hold; what is damaged, empty or odd makes a valid database, or none.
. tests/cli/kit
command -v javac >/dev/null || skip_all 'no JDK'
have python3 || skip_all 'no python3'
[ -e "$(ldconfig -p 2>/dev/null | sed -n 's/.*libsqlite3\.so\.0 .*=> //p' | head -1)" ] || skip_all "no SQLite's library"
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
	static int half(int n) { return n < 2 ? n : half(n / 2); }
	static class Customer extends Thread {
		Customer(String name) { super(name); }
		public void run() { try { queue(); pay(20); } catch (InterruptedException e) { throw new Error(e); } }
	}
	public static void main(String[] args) throws Exception {
		Customer[] all = { new Customer("a 'quoted' \"name\" \\N\t1\n"), new Customer("second \ud83d\ude00") };
		for (Customer c : all) c.start();
		Thread.sleep(50);
		unlock();
		for (int i = 0; i < 1000; i++) price("bread\\" + i);
		try { price(""); } catch (IllegalArgumentException e) { }
		half(1000);
		System.gc();
		for (Customer c : all) c.join();
	}
}
J
cat >src/Halt.java <<'J'
package shop;
public class Halt {
	static void over() { }
	static void stop() { Runtime.getRuntime().halt(0); }
	public static void main(String[] args) { over(); stop(); }
}
J
javac -encoding UTF-8 -source 8 -target 8 -Xlint:-options -d classes src/Shop.java src/Halt.java || exit 1
cat >rules.json <<'R'
{ "jweave": 1, "include": [ "preset:jdk-threads", "preset:monitors", "preset:exceptions" ], "rules": [
  { "on": "new", "match": "shop.Shop$Customer", "within": "shop.**" }, { "match": "shop.**" },
  { "match": "shop.Shop#pay(long)", "capture": [ { "what": "arg0", "label": "ms", "hold": true } ] },
  { "match": "shop.Shop#price", "capture": [ { "what": "arg0", "as": "string", "label": "what" } ] } ] }
R
need "$jweave" -q --no-guard classes rules.json woven
sql() { python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print("|".join(map(str, row)))' "$@"; }
checked() { # checked WHAT TABLES REPORT PRV
	is "$1" "$(python3 "$root/tests/cli/tables.py" "$2" "$3" "$4" 2>&1)" \
		"$(sed -n 's/.*"calls":\([0-9]*\),"methodCount.*"threadCount":\([0-9]*\).*/\1 \2/p' "$3" |
			(read -r calls threads && echo "$calls calls, $(grep -c '^3:' "$4") arrows, $threads threads"))
nothing is wrong"
}

for java in /usr/lib/jvm/*-17-*/bin/java /usr/lib/jvm/*-25-*/bin/java; do
	[ -x "$java" ] || { skip "a run on ${java%/bin/java}" 'it is not there'; continue; }
	of=$(basename "${java%/bin/java}")
	[ ! -e "$of.jwr" ] || continue
	JWEAVE_OUTPUT=$of JWEAVE_KEEP=1 timeout 60 "$java" -cp woven shop.Shop >run.out 2>&1
	ok "$of: the program ran" $? "$(cat run.out)"
	# (the line through all clock points passes by the first at some ns)
	first=$(sed -n 's/^clock-point	.*	//p' "$of.jwr/meta" | head -1)
	off=$(($("$jweave" export -q tsv --table=meta "$of.jwr" -o - | sed -n 's/^wall_start_ns	//p') - first))
	ok "$of: the wall clock, in ns" "$([ "$off" -lt 100000 ] && [ "$off" -gt -100000 ]; echo $?)" "off by $off"
	"$jweave" report --json "$of.jwr" >"$of.json"
	run export sqlite "$of.jwr"
	is "$of: a database" "$status$out$err" "0$of.db"
	checked "$of: calls, times, states, operations, arrows, pauses, names; keys" "$of.db" "$of.json" "$of.prv"
	need "$jweave" export -q sqlite "$of.prv" -o "$of-prv.db"
	checked "$of: the same of the trace" "$of-prv.db" "$of.json" "$of.prv"
	need "$jweave" export -q tsv --table=all "$of.jwr" -o "$of-tables"
	checked "$of: the same as text" "$of-tables" "$of.json" "$of.prv"
	is "$of: calls have the same ids in both" "$(tail -n +2 "$of-tables/call.tsv" | cut -f 1,3-5 | sort -n | md5sum)" \
		"$(sql "$of.db" "select id || char(9) || thread || char(9) || method || char(9) || begin_ns from call order by id" | md5sum)"
	is "$of: calls of one method" "$(sql "$of.db" "select calls, failed from method_summary where name = 'Shop.price'")" '1001|1'
	is "$of: what was captured" "$(sql "$of.db" "select text from events where kind = 'capture' and what = 'what' and text like '%999'")" 'bread\999'
	is "$of: values, too" "$(sql "$of.db" "select distinct what, value from events where what = 'ms'")" 'ms|20'
	is "$of: ... that lasts as long as its call" "$(sql "$of.db" "select count(*) from events e join call c on c.id = e.call
		where e.what = 'ms' and e.duration_ns > 15000000 and c.begin_ns + c.duration_ns = e.begin_ns + e.duration_ns")" 2
	is "$of: ... in the .prv, too, one more" "$(grep -c ":$(sed -n 's/^0 *\([0-9]*\) *ms (.*/\1/p' "$of.pcf"):21" "$of.prv") $(sed -n '/ ms (/,/^$/p' "$of.pcf" | grep -c '^21  *20$')" '2 1'
	for db in $of $of-prv; do
		sql "$db.db" "select thread, what, begin_ns, duration_ns, value, text
			from events where kind = 'capture' order by 1, 3, 2" >$db.captures
	done
	ok "$of: the trace has the same captures" "$(cmp $of.captures $of-prv.captures; echo $?)"
	is "$of: a thread lives from its start to its end" "$(sql "$of.db" "select count(*) from thread_summary t, (select max(end_ns) as end from thread_summary)
		where name like 'second%' and begin_ns > 0 and end_ns < end and end_ns > begin_ns")" 1
	is "$of: an odd name" "$(sql "$of.db" "select count(*) from thread where name like 'a ''quoted'' \"name\" \\N 1%'")" 1
	is "$of: recursion" "$(sql "$of.db" "with recursive up(id, n) as (select id, 0 from calls where method_name = 'Shop.half' union all
		select c.parent, n + 1 from up join call c on c.id = up.id where c.parent is not null) select max(n) from up")" 10
	is "$of: who woke whom" "$(sql "$of.db" "select distinct to_name from arrows where from_name = 'main' and operation = 'monitor/notifyAll'" | wc -l)" 2
	is "$of: who held the lock" "$(sql "$of.db" "select count(*) from lock_waits where what = 'enter' and holder_method like '%Shop.pay%'")" 1
done

# ---- bytes that come while a thread waits for a lock are not from who has it ----
cat >lock.prv <<'P'
#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(2:0),0
1:0:1:1:1:0:10000:1
1:0:1:1:2:0:10000:1
2:0:1:1:1:1000:48100001:1:48100002:7
3:0:1:1:2:1200:1200:0:1:1:1:1300:1300:8:904
2:0:1:1:1:1300:48100001:0:48100002:0
P
printf 'LEVEL THREAD SIZE 2\nmain\nother\n' >lock.row
printf 'EVENT_TYPE\n0 48100001 Java monitor\nVALUES\n0 End\n1 Enter\n' >lock.pcf
need "$jweave" export -q sqlite lock.prv
is 'who writes to a thread has no lock' "$(sql lock.db "select thread_name, what, l.holder, operation from lock_waits l, arrows")" 'main|enter|None|io/write'

# ---- states, a recursion, and what ended calls, of a trace that is known ----
echo '#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(1:0),0' >known.prv
{
	printf '1:0:1:1:1:%s\n' 0:1000:1 1000:3000:7 3000:4000:5 4000:5000:13 5000:10000:1
	while read -r time events; do
		echo "2:0:1:1:1:$time:$events"
	done <<'T'
0:60000019:1
100:60000019:2
200:60000019:3
300:48100006:7
310:48100024:1:60000019:0
320:48100008:7
400:60000019:0
500:60000019:2
600:60000019:2
700:48100006:8
710:48100006:7
720:48100008:7
800:48100024:1:60000019:0
900:48100024:1:60000019:0
1000:48100008:8
1100:60000019:3
1200:48100006:8
1210:48100008:8
1300:48100024:1:60000019:0
10000:60000019:0
T
} | sort -s -t: -k6,6n >>known.prv
printf 'LEVEL THREAD SIZE 1\nmain\n' >known.row
cat >known.pcf <<'P'
EVENT_TYPE
0 60000019 Java method
VALUES
1 A.main
2 A.work
3 A.step

EVENT_TYPE
0 48100006 thrown
VALUES
7 a.Odd
8 a.Worse

EVENT_TYPE
0 48100024 failed
VALUES
0 no
1 yes
P
need "$jweave" export -q sqlite known.prv
"$jweave" report -q --json known.prv >known.json
json() { python3 -c 'import json, sys; print(eval(sys.argv[1], {"r": json.load(open("known.json"))}))' "$1"; }
is 'what is running' "$(sql known.db 'select running_ns, waiting_ns from thread_summary') $(sql known.db "select sum(duration_ns) from states where time = 'running'")" '9000|1000 9000'
is '... as the report says' "$(json 'r["threads"][0]["runningNs"], r["threads"][0]["insideRunningNs"], r["stateTimes"]["7"]')" "(9000, 9000, 'running')"
is 'a recursion counts once' "$(sql known.db "select calls, total_ns from method_summary where name = 'A.work'") $(json '[m["inclusiveNs"] for m in r["methods"] if m["name"] == "A.work"]')" '3|700 [700]'
# ... also beside others; more methods than there are slots for them: A.m1 and A.m65 share one
{
	echo '#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(1:0),0'
	perl -e 'for (map({ $_, 0 } 1 .. 66), 1, 65, 1, 66, 65, 1, 0, 0, 0, 0, 0, 0, 65, 1, 0, 0) { $t += 10; print "2:0:1:1:1:$t:60000019:$_\n" }'
} >many.prv
printf 'LEVEL THREAD SIZE 1\nmain\n' >many.row
{
	printf 'EVENT_TYPE\n0 60000019 Java method\nVALUES\n'
	seq 1 66 | sed 's/.*/& A.m&/'
} >many.pcf
need "$jweave" export -q sqlite many.prv
is 'a recursion counts once among many methods' "$(sql many.db 'select replace(m.name, "A.", ""), outermost from call c join method m on m.id = c.method where c.begin_ns > 1320 order by begin_ns' | tr '\n' ' ')" 'm1|1 m65|1 m1|0 m66|1 m65|0 m1|0 m65|1 m1|1 '
# (of the last call it is not known: what was thrown in it, was caught there)
is 'what ended calls' "$(sql known.db 'select method_name, begin_ns, exception, thrown_by from failed_calls order by begin_ns')" 'A.step|200|a.Odd|A.step
A.work|500|a.Worse|A.work
A.work|600|a.Worse|A.work
A.step|1100|None|None'

# ---- virtual threads have their ids ----
"$BUILD/tests/cli/x_recording" virtual.jwr virtual.map 10 3
need "$jweave" export -q sqlite --map=virtual.map virtual.jwr
is 'ids of virtual threads' "$(sql virtual.db 'select name, java_id from thread where is_virtual')" 'virtual 1|1
virtual 2|2
virtual 3|3'

# ---- one table, as a stream ----
set -- *.jwr
one=${1%.jwr}
run export tsv "$one.jwr" -o -
is 'tsv: the calls' "$(echo "$out" | head -1 | tr '\t' ' ')" 'id parent thread method begin_ns duration_ns self_ns depth failed site outermost open'
is '... all of them' "$(($(echo "$out" | wc -l) - 1))" "$(sql "$one.db" 'select count(*) from call')"
run export tsv --table=thread "$one.jwr" -o -
is '... a backslash is two' "$(printf '%s\n' "$out" | grep -c '"name" \\\\N 1')" 1
run export tsv --table=gc "$one.jwr"
is 'tsv: to a file' "$status$out" "0$one.tsv"
run export -z tsv "$one.jwr" -o calls.tsv.gz
check '... packed' sh -c "gzip -dc calls.tsv.gz | head -1 | grep -q ^id"
mkdir there && echo mine >there/mine
run export -f tsv --table=all "$one.jwr" -o there
is 'a folder that is there keeps what is in it' "$status$(cat there/mine)$(ls there | wc -l)" "0mine$(($(ls "$one-tables" | wc -l) + 1))"

# ---- what is said ----
run export sqlite "$one.jwr" -o -
like 'standard output' "$status$err" "2*this format is no stream of bytes: give a file with -o, not '-'*"
run export tsv --table=all "$one.jwr" -o -
like '... of all tables' "$status$err" "2*this format is no stream of bytes: give a folder with -o, not '-'*"
run export -z sqlite "$one.jwr" -o packed.db
like 'packed' "$status$err" '2*sqlite cannot be compressed: it is no stream of bytes*'
run export --table=call sqlite "$one.jwr" -o t.db
like 'a table of a database' "$status$err" '2*--table is for tsv, not for sqlite*'
run export --table=cal tsv "$one.jwr" -o t.db
is 'a table that is none, but nearly' "$status$err" "2jweave: error: no table 'cal'; did you mean 'call'?"
run export --table=customers tsv "$one.jwr" -o t.db
is 'a table that is none' "$status$err" "2jweave: error: no table 'customers'; 'man jweave-export' names them"
run export -f tsv --table=all "$one.jwr" -o "$one.db"
like 'a folder that is a file' "$status$err" "2*'$one.db' is no folder: choose another name with -o*"
mkdir folder.db
run export -f sqlite "$one.jwr" -o folder.db
like 'a file that is a folder' "$status$err" "2*'folder.db' is no file: choose another name with -o*"
run export -f sqlite "$one.jwr" -o nowhere/t.db
like 'a folder that is not there' "$status$err" '1*nowhere/t.db: cannot create a file there: *'
(ulimit -f 64 && "$jweave" export -q sqlite "$one.jwr" -o full.db) >full.err 2>&1
is 'no room' "$?" 1
like '... which is said' "$(cat full.err)" '*full.db: cannot write the database: *'
is '... and leaves nothing' "$(ls -A | grep -c full.db)" 0

# ---- the library ----
mkdir lib && echo none >lib/libsqlite3.so.0
out=$(LD_LIBRARY_PATH=$PWD/lib "$jweave" export sqlite "$one.jwr" -o t.db 2>&1)
like 'it is not there' "$?$out" "1*a database needs SQLite's library (Debian: libsqlite3-0): *libsqlite3.so.0*; the format 'tsv' does without*"
if ${CC:-cc} -shared -o lib/libsqlite3.so.0 -x c /dev/null 2>/dev/null; then
	out=$(LD_LIBRARY_PATH=$PWD/lib "$jweave" export sqlite "$one.jwr" -o t.db 2>&1)
	like 'it is too old' "$?$out" "1*SQLite's library is too old: it has no sqlite3_*"
else
	skip 'it is too old' 'no C compiler'
fi
is '... and leaves nothing' "$(ls -A | grep -c '^\.*t\.db')" 0

# ---- the questions of the document ----
python3 - "$root/docs/sql.md" "$one.db" >asked 2>&1 <<'P'
import re, sqlite3, sys
asked = re.findall(r'^```sql\n(.*?)^```', open(sys.argv[1]).read().split('## Requests on connections')[0], re.M | re.S)
db = sqlite3.connect(sys.argv[2])
# a moment of the document's run is not one of every run
moment = db.execute("select begin_ns + 1000 from calls where method_name = 'Shop.main'").fetchone()[0]
asked = [q.replace('60000000', str(moment)) for q in asked]
print(len(asked), 'questions', sum(bool(db.execute(q).fetchall()) for q in asked), 'answers')
print(*[q for q in asked if not db.execute(q).fetchall()])
P
is 'docs/sql.md: questions are answered' "$(cat asked)" '10 questions 10 answers'

# ---- empty, damaged, summaries, several processes ----
mkdir empty.jwr
run export sqlite empty.jwr
like 'what is no recording' "$status$err" '4jweave: error: *'
is 'and leaves nothing' "$(ls -A | grep -c empty.db)" 0
valid() { # valid WHAT DATABASE
	is "$1" "$(sql "$2" 'pragma integrity_check')$(sql "$2" 'pragma foreign_key_check' | head -3)" ok
}
cp -r "$one.jwr" cut.jwr
python3 - cut.jwr <<'P'
import os, sys
for name in os.listdir(sys.argv[1]):
    path = os.path.join(sys.argv[1], name)
    if name.startswith('data') and os.path.getsize(path) > 20000:
        with open(path, 'r+b') as f:
            f.seek(9000)
            f.write(bytes(range(256)) * 16)
            f.truncate(os.path.getsize(path) * 2 // 3)
P
run export -q sqlite cut.jwr
valid 'a damaged recording' cut.db
head -c 4000 "$one.prv" >short.prv
run export -q sqlite short.prv
valid 'a trace that is cut' short.db
JWEAVE_OUTPUT=sums JWEAVE_KEEP=1 JWEAVE_SUMMARY=1 timeout 60 java -cp woven shop.Shop >run.out 2>&1
run export -q sqlite sums.jwr
[ "$status" != 0 ] && like 'a summary: refused' "$err" '*jweave: error:*' || valid 'a summary' sums.db
cp -r "$one.jwr" again.jwr
need "$jweave" export -q sqlite "$one.jwr" again.jwr -o two.db
is 'two processes' "$(sql two.db 'select count(*), (select count(distinct process) from thread) from process')" '2|2'
valid '... with keys that hold' two.db
# ---- calls that nobody saw end ----
JWEAVE_OUTPUT=halt JWEAVE_KEEP=1 timeout 60 java -cp woven shop.Halt >run.out 2>&1
need "$jweave" export -q sqlite halt.jwr
is 'open at the end' "$(sql halt.db "select name, open from call c join method m on m.id = c.method order by begin_ns")" 'Halt.main|1
Halt.over|0
Halt.stop|1'

finish
