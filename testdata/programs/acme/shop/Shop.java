package acme.shop;

import java.util.ArrayDeque;

/**
 * What the servlets of acme.web share: a till that one thread at a time may use, and a clerk, a thread
 * of its own, whom customers wait for. How often each is asked is known to who asks.
 */
public class Shop {
	public static final Shop SHOP = new Shop();

	private final ArrayDeque<Integer> orders = new ArrayDeque<>();
	private long served;
	private long sold;
	private volatile boolean open;

	/** Takes a millisecond with the monitor of the shop held: two customers at once are one too many. */
	public synchronized long pay(int amount) throws InterruptedException {
		Thread.sleep(1);
		sold += amount;
		return sold;
	}

	/** Returns when the clerk has served the order: Object.wait until then. */
	public long order(int amount) throws InterruptedException {
		synchronized (orders) {
			long mine = served + orders.size() + 1;
			orders.add(amount);
			orders.notifyAll();
			while (served < mine)
				orders.wait();
			return mine;
		}
	}

	private void serve() throws InterruptedException {
		synchronized (orders) {
			while (orders.isEmpty())
				orders.wait();
		}
		Thread.sleep(1);
		synchronized (orders) {
			orders.remove();
			served++;
			orders.notifyAll();
		}
	}

	public void open() {
		open = true;
		Thread clerk = new Thread(this::work, "shop clerk");
		clerk.setDaemon(true);
		clerk.start();
		this.clerk = clerk;
	}

	private Thread clerk;

	private void work() {
		try {
			while (open)
				serve();
		} catch (InterruptedException closed) {
			// close() asked for it
		}
	}

	public void close() throws InterruptedException {
		open = false;
		clerk.interrupt();
		clerk.join();
	}
}
