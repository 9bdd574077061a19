#!/bin/sh
# Who lets another thread go on and then waits for its answer, always for one object, waits for something; who answers
# does little else, though it lets that one go on, too.
# Slow: 4 s, a JVM.
. tests/cli/run_kit
cd "$dir" || exit 1
mkdir -p src/acme acme
cat >src/acme/Ask.java <<'J'
package acme;
import java.util.concurrent.locks.*;
public class Ask {
	/* one request at a time, from one thread to another */
	static class Link {
		final Lock lock = new ReentrantLock();
		final Condition asked = lock.newCondition(), answered = lock.newCondition();
		boolean request, answer;
		void ask() throws InterruptedException {
			lock.lock();
			try { request = true; answer = false; asked.signal(); while (!answer) answered.await(); } finally { lock.unlock(); }
		}
		void next() throws InterruptedException {
			lock.lock();
			try { while (!request) asked.await(); request = false; } finally { lock.unlock(); }
		}
		void answer() {
			lock.lock();
			try { answer = true; answered.signal(); } finally { lock.unlock(); }
		}
	}
	/* what takes long is the request, or what the other one does between two */
	static void client(Link link, int n, long between) throws InterruptedException { for (int i = 0; i < n; i++) { send(link); pause(between); } }
	static void send(Link link) throws InterruptedException { link.ask(); }
	static void server(Link link, int n, long each) throws InterruptedException { for (int i = 0; i < n; i++) { link.next(); pause(i == n / 2 ? each * 12 : each); link.answer(); } }
	static void pause(long ms) throws InterruptedException { if (ms > 0) Thread.sleep(ms); }
	static void waits(Thread t) throws InterruptedException { while (t.getState() != Thread.State.WAITING) Thread.sleep(5); Thread.sleep(50); }
	interface Body { void run() throws InterruptedException; }
	static Thread start(String name, Body body) {
		Thread t = new Thread(() -> { try { body.run(); } catch (InterruptedException e) { } }, name);
		t.start();
		return t;
	}
	public static void main(String[] a) throws Exception {
		Link slow = new Link(), idle = new Link();
		Thread one = start("slow-server", () -> server(slow, 60, 10)), two = start("idle-server", () -> server(idle, 60, 0));
		waits(one); // so that the first request lets it go on
		waits(two);
		Thread[] all = { one, two, start("slow-client", () -> client(slow, 60, 0)), start("idle-client", () -> client(idle, 60, 10)) };
		for (Thread t : all) t.join();
	}
}
J
javac -d acme src/acme/Ask.java && jar cfe ask.jar acme.Ask -C acme . || skip_all 'javac does not work'
echo '{ "jweave": 1, "rules": [ { "match": "acme.**" } ] }' >rules.json
"$jweave" run -r rules.json -q --budget=none --keep -o run -- java -jar ask.jar >out 2>&1
is 'it runs' "$?" 0
for form in jwr prv; do
	run report -q run.$form
	waits=$(printf '%s\n' "$out" | sed -n '/wait, and where/,/little else/p')
	rest=$(printf '%s\n' "$out" | sed -n '/little else/,/^$/p')
	like "$form: who asks waits for the answers" "$waits" '*park for *in Ask$Link.ask *ended by slow-server*'
	like "$form: who answers does little else" "$rest" '*park for *in Ask$Link.next *ended by idle-client*'
	case $rest in
	*Link.ask*) ok "$form: ... who asks does not" 1 "$rest" ;;
	*) ok "$form: ... who asks does not" 0 ;;
	esac
done
run report --slowest -q run.jwr
like 'a request that took long is slow' "$out" '* ms  Ask*.ask *slow-client*Ask$Link.ask*'
finish
