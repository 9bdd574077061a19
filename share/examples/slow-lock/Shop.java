import java.util.ArrayList;
import java.util.List;

/** Four tills sell from one stock. Whoever counts the stock holds its lock for much longer than a sale does. */
public class Shop {
	private final Object stock = new Object();
	private int left = 400;

	boolean sell() {
		synchronized (stock) {
			return left-- > 0;
		}
	}

	void count() throws InterruptedException {
		synchronized (stock) {
			Thread.sleep(40); // the slow lock
		}
	}

	void till() {
		while (sell())
			Thread.yield();
	}

	public static void main(String[] args) throws InterruptedException {
		Shop shop = new Shop();
		List<Thread> tills = new ArrayList<>();

		for (int i = 0; i < 4; i++)
			tills.add(new Thread(shop::till, "till-" + i));
		Thread clerk = new Thread(() -> {
			try {
				for (int i = 0; i < 5; i++)
					shop.count();
			} catch (InterruptedException e) {
				Thread.currentThread().interrupt();
			}
		}, "clerk");
		clerk.start();
		Thread.sleep(10);
		for (Thread till : tills)
			till.start();
		for (Thread till : tills)
			till.join();
		clerk.join();
		System.out.println("sold out");
	}
}
