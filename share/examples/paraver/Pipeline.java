import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Two threads and a queue: one reads, one computes. Small enough to see every call in Paraver. */
public class Pipeline {
	static final BlockingQueue<Integer> QUEUE = new LinkedBlockingQueue<>();

	static void read() throws InterruptedException {
		for (int i = 1; i <= 8; i++) {
			Thread.sleep(5);
			QUEUE.put(i);
		}
		QUEUE.put(0);
	}

	static double compute(int n) {
		double x = 0;
		for (int i = 1; i < n * 200_000; i++)
			x += 1.0 / i;
		return x;
	}

	public static void main(String[] args) throws Exception {
		Thread reader = new Thread(() -> {
			try {
				read();
			} catch (InterruptedException e) {
				Thread.currentThread().interrupt();
			}
		}, "reader");
		double sum = 0;

		reader.start();
		for (int n; (n = QUEUE.take()) != 0;)
			sum += compute(n);
		reader.join();
		System.out.printf("%.0f%n", sum);
	}
}
