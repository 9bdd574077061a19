#!/bin/sh
# A worker of a pool whose queue is the program's own waits for work, though methods of the program are traced around that.
# Slow: 2 s, a JVM.
. tests/cli/run_kit
cd "$dir" || exit 1
mkdir -p src/acme acme
cat >src/acme/Pool.java <<'J'
package acme;
import java.util.concurrent.*;
public class Pool {
	static class Own extends LinkedBlockingQueue<Runnable> {
		public Runnable take() throws InterruptedException { return super.take(); }
		public Runnable poll(long n, TimeUnit unit) throws InterruptedException { return super.poll(n, unit); }
	}
	static int work(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += i % 7; return sum; }
	public static void main(String[] a) throws Exception {
		Own mail = new Own();
		Thread reader = new Thread(() -> { try { for (int i = 0; i < 3; i++) mail.take().run(); } catch (InterruptedException e) { } }, "reader");
		reader.start();
		ThreadPoolExecutor pool = new ThreadPoolExecutor(2, 2, 300, TimeUnit.MILLISECONDS, new Own());
		for (int i = 0; i < 4; i++) { pool.submit(() -> work(100000)).get(); Thread.sleep(20); if (i % 2 == 0) mail.put(() -> work(1)); }
		pool.allowCoreThreadTimeOut(true);
		try { java.awt.EventQueue.invokeAndWait(() -> { try { Thread.sleep(100); } catch (InterruptedException e) { } }); } catch (LinkageError e) { }
		Thread.sleep(100);
		mail.put(() -> work(1));
		reader.join();
		pool.shutdown();
	}
}
J
javac -d acme src/acme/Pool.java && jar cfe pool.jar acme.Pool -C acme . || skip_all 'javac does not work'
echo '{ "jweave": 1, "rules": [ { "match": "acme.**" } ] }' >rules.json
"$jweave" run -r rules.json -q --no-guard -o run -- java -jar pool.jar >out 2>&1
is 'it runs' "$?" 0
run report -q run.prv
fetched=$(printf '%s\n' "$out" | sed -n '/wait for work, or for requests/,/^$/p')
like 'workers wait for work where they fetch it' "$fetched" '* in ThreadPoolExecutor.getTask *'
waits=$(printf '%s\n' "$out" | sed -n '/wait, and where/,/wait for work, or for requests/p') # also who does little else
if java --list-modules | grep -q java.desktop; then
	like 'so does what shows windows' "$fetched" '* in EventQueue.getNextEvent *'
	like '... who waits for that is where the program is' "$waits" '* Object.wait of java.awt.EventQueue$1AWTInvocationLock@* in Pool.main *'
else
	skip 'what shows windows' 'no java.desktop'
fi
like 'who takes from such a queue by itself waits for somebody' "$waits" '*little else*in Pool$Own.take *'
case $waits in
*Own.poll*) ok 'and nobody else does' 1 "$waits" ;;
*) ok 'and nobody else does' 0 ;;
esac
finish
