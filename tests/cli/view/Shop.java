package shop;
/** Threads that wait for each other, names that are none, a recursion, exceptions. */
public class Shop {
	static final Object till = new Object(), card = new Object();
	static int open, turn;
	static void pay(long ms) throws InterruptedException { synchronized (card) { Thread.sleep(ms); } }
	static void queue() throws InterruptedException { synchronized (till) { while (open == 0) till.wait(); } }
	static void unlock() { synchronized (till) { open = 1; till.notifyAll(); } }
	static int price(String what) { if (what.isEmpty()) throw new IllegalArgumentException(what); return what.length(); }
	static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
	static class Customer extends Thread {
		Customer(String name) { super(name); }
		public void run() { try { queue(); pay(30); } catch (InterruptedException e) { throw new Error(e); } }
	}
	/** Two that take turns: each lets the other go on. */
	static class Player extends Thread {
		final int me;
		Player(String name, int me) { super(name); this.me = me; }
		void play() throws InterruptedException {
			synchronized (till) { while (turn % 2 != me) till.wait(); }
			Thread.sleep(5); // the other waits by now
			synchronized (till) { turn++; till.notifyAll(); }
		}
		public void run() { try { for (int i = 0; i < 5; i++) play(); } catch (InterruptedException e) { throw new Error(e); } }
	}
	public static void main(String[] args) throws Exception {
		Customer[] all = { new Customer("<img src=x onerror=document.title='owned'> & \"one\"\n"), new Customer("second \ud83d\ude00 \u202eback"),
			new Customer(new String(new char[300]).replace('\0', 'n')) };
		for (Customer c : all) c.start();
		Thread.sleep(50);
		unlock();
		for (int i = 0; i < 1000; i++) price("bread" + i);
		try { price(""); } catch (IllegalArgumentException e) { }
		depth(40);
		for (Customer c : all) c.join();
		Player ping = new Player("ping", 0), pong = new Player("pong", 1);
		ping.start();
		pong.start();
		ping.join();
		pong.join();
	}
}
