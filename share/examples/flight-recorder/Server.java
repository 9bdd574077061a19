/** Serves for a second, then fails: what was it doing just before? */
public class Server {
	static long handle(int request) {
		if (request == 900)
			throw new IllegalStateException("request " + request);
		long sum = 0;
		for (int i = 0; i < 20_000; i++)
			sum += (long) i * request % 7;
		return sum;
	}

	public static void main(String[] args) throws InterruptedException {
		long sum = 0;

		for (int request = 0; request < 1000; request++) {
			sum += handle(request);
			if (request % 10 == 0)
				Thread.sleep(5);
		}
		System.out.println(sum);
	}
}
