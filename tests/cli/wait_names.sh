#!/bin/sh
# What waits, and the objects of operations, are called: classes that the VM is asked about nowhere else, locks of their
# own kind, bodies of method references.
. tests/cli/run_kit
cd "$dir" || exit 1
mkdir c
cat >Main.java <<'J'
import java.util.concurrent.*;
import java.util.concurrent.locks.*;
public class Main {
	static final StampedLock stamped = new StampedLock();
	static final CountDownLatch latch = new CountDownLatch(1), locked = new CountDownLatch(1);
	interface Waits { void run() throws Exception; }
	static class WarLock { static class Job extends RecursiveTask<Integer> { protected Integer compute() { try { Thread.sleep(100); } catch (InterruptedException e) { } return 1; } } }
	static void call(Waits body) throws Exception { body.run(); }
	static void holds() {
		long stamp = stamped.writeLock();
		locked.countDown();
		try { Thread.sleep(100); } catch (InterruptedException e) { }
		stamped.unlock(stamp);
	}
	static void wants() { stamped.unlock(stamped.writeLock()); }
	static void asks() throws Exception { ForkJoinPool pool = new ForkJoinPool(1); pool.submit(new WarLock.Job()).get(); }
	public static void main(String[] a) throws Exception {
		BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(2);
		queue.put(1);
		queue.take();
		Thread holder = new Thread(Main::holds, "holder"), other = new Thread(() -> { try { Thread.sleep(50); } catch (InterruptedException e) { } latch.countDown(); });
		holder.start();
		locked.await();
		wants();
		other.start();
		call(latch::await);
		asks();
		holder.join();
		other.join();
	}
}
J
javac -d c Main.java || skip_all 'javac does not work'
run run -q --preset=jdk-threads -r 'match:Main' -o t -- java -cp c Main
is 'it runs' "$status$out" 0
run report t.prv
like 'the object of an operation that nobody waited for' "$out" '*BlockingQueue.put at java.util.concurrent.ArrayBlockingQueue@*'
like 'a wait for a StampedLock is one for who has it' "$out" '*park for java.util.concurrent.locks.StampedLock@*held by holder*'
like 'a wait in a method reference' "$out" '*park for java.util.concurrent.CountDownLatch$Sync@* in Main$$Lambda*.run, called by Main.call*'
is '... without what each run makes anew' "$(printf '%s\n' "$out" | grep -c '0x0')" 0
run report --json t.prv
is 'a task of a class called ..Lock is none' "$(printf '%s\n' "$out" | grep '"kind":"monitors"\|"monitor' | grep -c 'WarLock')" 0
finish
