package acme;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;

/**
 * Threads that wait in ways that are known: for a monitor that another holds, in Object.wait, in sleep; and
 * one that writes and reads a file, byte counts told. Arguments: the file.
 */
public class Waits {
	static final class Gate {
	}

	static final class Bell {
	}

	static final Gate GATE = new Gate();
	static final Bell BELL = new Bell();

	static void hold(CountDownLatch held) throws InterruptedException {
		synchronized (GATE) {
			held.countDown();
			Thread.sleep(200);
		}
	}

	static void enter() {
		synchronized (GATE) {
			Count.hit("entered");
		}
	}

	static void waitForNobody(int times) throws InterruptedException {
		synchronized (BELL) {
			for (int i = 0; i < times; i++)
				BELL.wait(30);
		}
	}

	static void nap(int times) throws InterruptedException {
		for (int i = 0; i < times; i++)
			Thread.sleep(20);
	}

	static void copy(String file) throws IOException {
		byte[] block = new byte[100];
		try (OutputStream out = new FileOutputStream(file)) {
			for (int i = 0; i < 10; i++)
				out.write(block); // 1000 bytes
			for (int i = 0; i < 7; i++)
				out.write(i);
			out.write(block, 3, 50);
		}
		try (InputStream in = new FileInputStream(file)) {
			int sum = 0;
			for (int n; (n = in.read(block)) > 0;)
				sum += n;
			System.out.println("read " + sum);
		}
	}

	static void fail(int n) {
		if (n % 3 == 0)
			throw new IllegalStateException("third");
	}

	static void failing() {
		for (int i = 0; i < 9; i++) {
			try {
				fail(i);
			} catch (IllegalStateException e) {
				Count.hit("failed");
			}
		}
	}

	interface Body {
		void run() throws Exception;
	}

	static Thread start(String name, Body body) {
		Thread t = new Thread(() -> {
			try {
				body.run();
			} catch (Exception e) {
				e.printStackTrace();
			}
		}, name);
		t.start();
		return t;
	}

	public static void main(String[] args) throws Exception {
		CountDownLatch held = new CountDownLatch(1);
		Thread[] all = new Thread[6];

		all[0] = start("holder", () -> hold(held));
		held.await();
		all[1] = start("blocked 1", Waits::enter);
		all[2] = start("blocked 2", Waits::enter);
		all[3] = start("waiter", () -> waitForNobody(4));
		all[4] = start("napper", () -> nap(5));
		all[5] = start("copier", () -> copy(args[0]));
		failing();
		for (Thread t : all)
			t.join();
		Count.report();
	}
}
