#!/bin/sh
# jweave export otf2: otf2-print, python3-otf2 (otf2_read.py) and vite read what it writes, and find in it what
# jweave report says: calls, times, states, arrows, bytes, names; and who holds which lock.
. tests/cli/kit
command -v javac >/dev/null || skip_all 'no JDK'
cd "$dir" || exit 1
unset CLASSPATH JDK_JAVA_OPTIONS JAVA_TOOL_OPTIONS JWEAVE JWEAVE_CONVERT JWEAVE_SUMMARY
if "$jweave" export --list | grep -q '^otf2 .* (not built in: needs libotf2)$'; then
	mkdir none.jwr
	run export otf2 none.jwr
	is 'it is not built in' "$status$err" "4jweave: error: this jweave was built without libotf2, which 'otf2' needs: install it (Debian: libopen-trace-format2-dev), and build jweave again"
	skip 'the rest' 'no libotf2'
	finish
	exit
fi
. "$root/tests/cli/shop"
python=
for p in python3 /usr/bin/python3; do
	[ "$python" ] || ! "$p" -c 'import otf2' 2>/dev/null || python=$p
done
# printed NAME: what otf2-print says of NAME.otf2: calls begun and ended, arrows sent and received, complaints
printed() {
	otf2-print "$1.otf2/traces.otf2" >"$1.txt" 2>"$1.complaints"
	for event in ENTER LEAVE MPI_SEND MPI_RECV; do printf '%s ' "$(grep -c "^$event " "$1.txt")"; done
	cat "$1.complaints"
}
judge() { # judge NAME RUN: NAME.otf2, made of a run
	calls=$(sed -n 's/.*"calls":\([0-9]*\),"methodCount.*/\1/p' "$2.json")
	arrows=$(grep -c ^3: "$2.prv")
	if have otf2-print; then
		is "$1: otf2-print counts calls and arrows, and has nothing to complain about" "$(printed "$1")" "$calls $calls $arrows $arrows "
	else
		skip "$1: otf2-print counts calls and arrows" 'no otf2-print'
	fi
	if [ "$python" ]; then
		is "$1: calls, times, states, arrows, bytes, names and locks, by python3-otf2" \
			"$("$python" "$root/tests/cli/otf2_read.py" "$1.otf2/traces.otf2" "$2.json" "$2.prv" 2>&1)" \
			"$calls calls, $arrows arrows, 12340 bytes, $3 locks taken
nothing is wrong"
	else
		skip "$1: calls, times, states, arrows, bytes, names and locks" 'no python3-otf2'
	fi
}
for jdk in $jdks; do
	run export otf2 shop$jdk.jwr
	is 'a recording' "$status$out$err" 0shop$jdk.otf2/traces.otf2
	# each of the five: till twice, card, the class, and lock twice, as it waits; main: till and lock
	judge shop$jdk shop$jdk 32
	"$jweave" export -q otf2 shop$jdk.prv -o trace$jdk.otf2
	judge trace$jdk shop$jdk 32
done

# ---- what is said of it ----
if have otf2-print; then
	otf2-print -A shop17.otf2/traces.otf2 2>&1 >all.txt
	defined() { # defined NAME PATTERN: a definition matches
		ok "$1" "$(grep -qE "$2" all.txt; echo $?)" "$(grep -E "^(REGION|LOCATION|METRIC_M|PARAMETER|IO_H)" all.txt | cut -c 1-160)"
	}
	defined 'a region: name, full name, file and line' '^REGION .*"Shop.price" .*"shop.Shop.price\(java.lang.String\):int" .*Role: FUNCTION.*"Shop.java" <[0-9]+>, Begin: 14,'
	defined 'roles' '^REGION .*"Shop\$Customer.join" .*Role: THREAD_WAIT'
	defined 'a state is a metric' '^METRIC_MEMBER .*"Blocked" .*ABSOLUTE_NEXT'
	defined 'bytes are a metric' '^METRIC_MEMBER .*"bytes read" .*ACCUMULATED_START.*"B"'
	defined 'captures are parameters' '^PARAMETER .*"what" .*STRING'
	defined 'a process is a group on its host' '^LOCATION_GROUP .*"java 1, pid [0-9]+" .*PROCESS, Parent: "node::'
	defined 'who starts threads' '^COMM .*"Java threads"'
	for text in 'all hosts' 'bytes written' 'bytes allocated' 'characters read' 'characters written' 'class waited for' \
		'object waited for' 'place of the wait' 'length of the array' 'thread unparked' 'thread started' 'state of the thread: 1 as long as it lasts'; do
		defined "... $text" "^STRING .*\"$text\""
	done
	defined 'a name of 300 characters is cut' '^LOCATION .*"abcdef.*\.\.\."'
	counted() { is "$1" "$(grep -cE "$2" shop17.txt)" "$3"; }
	counted 'captured texts' '^PARAMETER_STRING .*"what" .*Value: "bread[0-9]+"' 1000
	counted 'captured numbers' '^PARAMETER_UINT64 .*"ms" .*Value: 30$' 5
	counted 'exceptions' '^PARAMETER_STRING .*"exception thrown" .*"java.lang.IllegalArgumentException"' 1
	counted 'objects made' '^PARAMETER_STRING .*"object created" .*"shop.Shop\$Customer"' 5
	mkdir -p woken
	cat >woken/Woken.java <<'J'
package woken;
import java.nio.channels.Selector;
public class Woken {
	public static void main(String[] a) throws Exception {
		try (Selector s = Selector.open()) {
			Thread t = new Thread(() -> { try { Thread.sleep(50); } catch (InterruptedException e) { } wake(s); });
			t.start();
			s.select();
			t.join();
			Thread.currentThread().interrupt();
		}
	}
	static void wake(Selector s) { for (int i = 0; i < 1; i++) s.wakeup(); }
}
J
	javac -g -d . woken/Woken.java
	timeout 60 "$jweave" run -q --keep -o woken17 -- java -cp . woken.Woken >.run 2>&1
	run export otf2 woken17.jwr
	otf2-print woken17.otf2/traces.otf2 >woken.txt
	ok 'a selector is woken' "$(grep -qE '^PARAMETER_UINT64 .*"selector woken"' woken.txt; echo $?)" "$(cat .run woken.txt)"
	ok 'a thread is interrupted' "$(grep -qE '^PARAMETER_UINT64 .*"thread interrupted"' woken.txt; echo $?)" "$(cat .run woken.txt)"
	is 'no two parameters have one name' "$(otf2-print -G shop17.otf2/traces.otf2 | sed -n 's/^PARAMETER .*Name: "\([^"]*\)".*/\1/p' | sort | uniq -d)" ''
	counted 'threads started' '^THREAD_CREATE ' 5
	counted 'threads begun' '^THREAD_BEGIN ' 5
	counted 'I/O begins' '^IO_OPERATION_BEGIN ' 30
	printf '%s\n' '#Paraver (01/01/26 at 00:00):5000_ns:1(2):1:1(2:1)' 3:1:1:1:2:250:250:1:1:1:1:300:300:60:904 \
		2:1:1:1:1:300:48100030:1:48100031:70:48100033:200 2:1:1:1:2:400:48100030:1:48100032:60:48100033:150 >net.prv
	run export otf2 net.prv
	otf2-print net.otf2/traces.otf2 >net.txt
	is 'bytes of connections' "$(sed -n 's/^METRIC .*("\(bytes [^"]*\)" .*; \([0-9]*\))$/\1 \2/p' net.txt)" 'bytes read from connections and files 70
bytes written to connections and files 60'
	is 'bytes of messages' "$(grep -cE '^MPI_(SEND|RECV) .*Length: 60\>' net.txt)" 2
else
	skip 'definitions' 'no otf2-print'
fi
if have vite; then
	# (it has its own idea of ranks, and a picture that no test can look at)
	QT_QPA_PLATFORM=offscreen timeout 60 vite -e shop.svg shop17.otf2/traces.otf2 >vite.txt 2>&1
	like 'vite draws it' "$(tr '\r' '\n' <vite.txt; head -c 100 shop.svg)" '*0 errors and 0 warnings*<?xml*'
else
	skip 'vite draws it' 'no vite'
fi

# ---- files ----
run export otf2 shop17.jwr
is 'nothing is overwritten' "$status$err" "2jweave: error: 'shop17.otf2' exists: choose another name with -o, or overwrite it with --force"
run export -f otf2 shop17.jwr
is '--force' "$status$out$err" 0shop17.otf2/traces.otf2
judge shop17 shop17 32
run export otf2 shop17.jwr -o -
is 'not to standard output' "$status$err" "2jweave: error: this format is no stream of bytes: give a folder with -o, not '-'"
run export -z otf2 shop17.jwr -o z.otf2
is 'not compressed' "$status$err" '2jweave: error: otf2 cannot be compressed: it is no stream of bytes'
touch file.otf2
run export -f otf2 shop17.jwr -o file.otf2
is 'a file that is there' "$status$err" "2jweave: error: 'file.otf2' is no folder: choose another name with -o"
(ulimit -f 8 && "$jweave" export -q otf2 shop17.jwr -o full.otf2) >full.err 2>&1
like 'no room: fails' "$?$(cat full.err)" "1jweave: error: cannot write 'full.otf2': File is too large*"
mkdir empty.jwr
run export otf2 empty.jwr
like 'what is no recording' "$status$err" '4jweave: error: *'
is 'what fails leaves nothing' "$(ls -A | grep -E '^\.?(full|empty|z)\.' | grep -vE '(err|jwr)$')" ''
JWEAVE_OUTPUT=sums JWEAVE_MODE=summary timeout 60 java -cp woven shop.Shop >sums.out 2>&1
run export otf2 sums.jwr
like 'a summary' "$status$err" '4jweave: error: *sums.jwr*has no events to make a trace of*'
finish
