package acme;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Many threads, short and long, and threads with names that are hard to write down. */
public class Threads {
	static final String[] NAMES = {
		"plain", "two words", "line\nbreak", "tab\there", "co:lon", "[brackets] (and) {more}",
		"w\u00f6rker \u2615", "\ud83d\ude00 smile", "", "# not a comment", "back\\slash \"quote\"",
		"CR\rLF\n", "nul\u0000inside", "LEVEL THREAD SIZE 3", "trailing ", "lone \ud800 surrogate",
	};

	static {
		Count.hit("acme.Threads.<clinit>");
	}

	static int work(int n) {
		Count.hit("acme.Threads.work");
		return n < 2 ? n : work(n - 1) + 1;
	}

	static void shortLived(int n) {
		Count.hit("acme.Threads.shortLived");
		work(n % 5);
	}

	static void named(int n) {
		Count.hit("acme.Threads.named");
		for (int i = 0; i <= n; i++)
			work(1);
	}

	static void pooled(int n) {
		Count.hit("acme.Threads.pooled");
		work(3);
	}

	static void start(int count, int atOnce) throws InterruptedException {
		Count.hit("acme.Threads.start");
		List<Thread> batch = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			int n = i;
			Thread t = new Thread(() -> shortLived(n), "s" + i);
			t.start();
			batch.add(t);
			if (batch.size() == atOnce) {
				for (Thread b : batch)
					b.join();
				batch.clear();
			}
		}
		for (Thread b : batch)
			b.join();
	}

	public static void main(String[] args) throws Exception {
		Count.hit("acme.Threads.main");
		int count = args.length > 0 ? Integer.parseInt(args[0]) : 10000;
		start(count / 2, 1);
		start(count - count / 2, 50);
		List<Thread> all = new ArrayList<>();
		for (int i = 0; i < NAMES.length; i++) {
			int n = i;
			Thread t = new Thread(() -> named(n), NAMES[i]);
			t.setDaemon(i % 2 == 1);
			all.add(t);
		}
		for (Thread t : all)
			t.start();
		for (Thread t : all)
			t.join();
		Thread renamed = new Thread(() -> {
			work(1);
			Thread.currentThread().setName("after");
			work(1);
		}, "before");
		renamed.start();
		renamed.join();
		ExecutorService pool = Executors.newFixedThreadPool(8);
		for (int i = 0; i < 1000; i++) {
			int n = i;
			pool.submit(() -> pooled(n));
		}
		pool.shutdown();
		pool.awaitTermination(1, TimeUnit.MINUTES);
		Count.report();
	}
}
