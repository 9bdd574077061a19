package acme;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Load BASE REQUESTS USERS...: for each number of USERS, so many threads at once that each ask for
 * REQUESTS pages, in turn of three kinds; prints how many of each kind were right, and every error.
 */
public class Load {
	private static final String[] PAGES = { "till?amount=1", "till?order=1", "list.jsp?n=7" };
	private static final String[] ANSWERS = { "paid true", "served true", "sum 28" };
	private static final AtomicInteger[] RIGHT = { new AtomicInteger(), new AtomicInteger(), new AtomicInteger() };
	private static final AtomicInteger ERRORS = new AtomicInteger();

	private static void ask(String base, int kind) {
		try {
			HttpURLConnection c = (HttpURLConnection) new URL(base + PAGES[kind]).openConnection();
			c.setConnectTimeout(60000);
			c.setReadTimeout(60000);
			StringBuilder text = new StringBuilder();
			try (BufferedReader in = new BufferedReader(new InputStreamReader(c.getInputStream(), "UTF-8"))) {
				for (String line; (line = in.readLine()) != null;)
					text.append(line.trim());
			}
			if (c.getResponseCode() == 200 && text.toString().contains(ANSWERS[kind]))
				RIGHT[kind].incrementAndGet();
			else
				wrong(PAGES[kind] + ": " + c.getResponseCode() + " " + text);
		} catch (Exception e) {
			wrong(PAGES[kind] + ": " + e);
		}
	}

	private static void wrong(String what) {
		if (ERRORS.incrementAndGet() <= 5)
			System.out.println("error " + what);
	}

	public static void main(String[] args) throws Exception {
		int requests = Integer.parseInt(args[1]);
		for (int a = 2; a < args.length; a++) {
			int users = Integer.parseInt(args[a]);
			CountDownLatch go = new CountDownLatch(1);
			Thread[] threads = new Thread[users];
			for (int u = 0; u < users; u++) {
				int first = u;
				threads[u] = new Thread(() -> {
					try {
						go.await();
					} catch (InterruptedException e) {
						return;
					}
					for (int i = 0; i < requests; i++)
						ask(args[0], (first + i) % PAGES.length);
				});
				threads[u].start();
			}
			go.countDown();
			for (Thread t : threads)
				t.join();
			System.out.println("users " + users);
		}
		System.out.println("paid " + RIGHT[0] + "\nserved " + RIGHT[1] + "\nlisted " + RIGHT[2] + "\nerrors " + ERRORS);
	}
}
