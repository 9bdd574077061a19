#!/bin/sh
# What a program waits for that hangs, and is interrupted, or killed: who has it, and deadlocks; where it reads, and what.
# Slow: 10 s, a JVM that hangs, four times.
. tests/cli/run_kit
cd "$dir" || exit 1
mkdir -p src/acme acme
cat >src/acme/Hang.java <<'J'
package acme;
import java.net.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;
public class Hang {
	static final CyclicBarrier BOTH = new CyclicBarrier(2);
	static void take(Object first, Object then) {
		synchronized (first) {
			try { BOTH.await(); } catch (Exception e) { return; }
			System.out.println("waits");
			synchronized (then) { System.out.println("never"); }
		}
	}
	static void lock(Lock first, Lock then) {
		first.lock();
		try { BOTH.await(); } catch (Exception e) { return; }
		System.out.println("waits");
		then.lock();
	}
	static void read() throws java.io.IOException {
		try (ServerSocket server = new ServerSocket(0); Socket s = new Socket("127.0.0.1", server.getLocalPort())) {
			System.out.println("waits");
			s.getInputStream().read();
		}
	}
	public static void main(String[] a) throws Exception {
		if (a.length > 0 && a[0].equals("read")) read();
		Object one = new Object(), other = new Object();
		Lock read = new ReentrantLock(), write = new ReentrantReadWriteLock().writeLock();
		boolean locks = a.length > 0;
		new Thread(() -> { if (locks) lock(read, write); else take(one, other); }, "left").start();
		Thread right = new Thread(() -> { if (locks) lock(write, read); else take(other, one); }, "right");
		right.start();
		right.join();
	}
}
J
javac -d acme src/acme/Hang.java && jar cfe hang.jar acme.Hang -C acme . || skip_all 'javac does not work'
told() { # told NAME REPORTED
	case $2 in
	*'deadlock: left waits for java.lang.Object@'*', which right has; right waits for java.lang.Object@'*', which left has'*) ok "$1" 0 ;;
	*'deadlock: right waits for java.lang.Object@'*', which left has; left waits for java.lang.Object@'*', which right has'*) ok "$1" 0 ;;
	*) ok "$1" 1 "$2" ;;
	esac
}
hang() { # hang NAME OPTIONS -- WORDS: until it waits
	hung=$1
	shift
	"$jweave" run -q -o "$hung" "$@" >out 2>&1 &
	pid=$!
	for i in $(seq 300); do [ "$(grep -c waits out)" -ge 1 ] && break || sleep 0.1; done
}
held() { for i in $(seq 300); do [ "$(grep -c '^held' "$hung.jwr/meta")" -ge 2 ] && break || sleep 0.1; done; }
interrupt() {
	sleep 1
	kill -TERM $pid
	wait $pid
}
hang int --keep -- java -jar hang.jar
held
interrupt
told 'interrupted: the run says it' "$(cat out)"
run report int.prv
told 'interrupted: the trace' "$err"
like '... and who has what' "$out" '*to enter java.lang.Object (2 objects) in Hang.take (Hang.java:11); held by *'
run report int.jwr
told '... the recording' "$err"
run report --json int.jwr
told '... as JSON' "$(printf '%s\n' "$out" | sed -n '/^"deadlocks"/,/^\]/p')"
run view int.jwr -o int.html
told '... the page' "$err"
hang locks -- java -jar hang.jar locks
interrupt
run report locks.prv
like 'locks of java.util.concurrent, of a program that is interrupted' "$err" "*deadlock: *left waits for java.util.concurrent.locks.ReentrantReadWriteLock\$NonfairSync@*, which right has*"
like '... and who has what' "$out" '*park for java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync@* in Hang.lock (Hang.java:18); held by right (*'
hang read -- java -jar hang.jar read
interrupt
run report read.prv
like 'a read that goes on: of what, and where' "$out" '*read, tcp 127.0.0.1:* > 127.0.0.1:*, in Hang.read (Hang.java:23)*'
JWEAVE_CONVERT=off hang kill -- java -jar hang.jar
held
kill -KILL $(cat "/proc/$pid/task/$pid/children") # the program, not what waits for it
wait $pid
run report kill.jwr
told 'killed' "$err"
timeout 60 "$jweave" run -o 'by a tool' -- timeout -s KILL 3 java -jar hang.jar read >out 2>&1 </dev/null
like 'by a tool before java: there is a trace' "$?$(cat out)" "137*the program was killed before it could write its trace: *-> by a tool.prv*"
JWEAVE_CONVERT=off timeout 60 "$jweave" run -o 'a kept one' -- timeout -s KILL 3 java -jar hang.jar read >out 2>&1 </dev/null
like '... or it is said what to type' "$?$(cat out)" "137*jweave prv 'a kept one.jwr'*"
JWEAVE_MODE=summary timeout 60 "$jweave" run -o 'its sums' -- timeout -s KILL 3 java -jar hang.jar read >out 2>&1 </dev/null
like '... also of sums' "$?$(cat out)" "137*jweave report 'its sums.jwr'*"
finish
