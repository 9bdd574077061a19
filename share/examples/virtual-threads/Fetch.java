import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A hundred virtual threads that wait, as if for a server; two of them are late. */
public class Fetch {
	static int fetch(int n) throws InterruptedException {
		Thread.sleep(n % 50 == 7 ? 80 : 10);
		return n;
	}

	public static void main(String[] args) throws Exception {
		int sum = 0;

		try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
			List<Future<Integer>> all = new ArrayList<>();

			for (int i = 0; i < 100; i++) {
				int n = i;
				all.add(pool.submit(() -> fetch(n)));
			}
			for (Future<Integer> one : all)
				sum += one.get();
		}
		System.out.println("sum " + sum);
	}
}
