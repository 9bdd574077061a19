package acme;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;

/*
 * A long transaction in H2: "reporter" changes row 7, thinks for ms, and commits; meanwhile main buys of all rows, and waits
 * at row 7. Arguments: ms.
 */
public class LongTx {
	static final CountDownLatch changed = new CountDownLatch(1);

	static Connection open() throws SQLException {
		return DriverManager.getConnection("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000");
	}

	static void report(Connection c, long ms) throws Exception {
		c.setAutoCommit(false);
		try (Statement s = c.createStatement()) {
			s.executeUpdate("UPDATE stock SET n = n + 1 WHERE id = 7");
		}
		changed.countDown();
		Thread.sleep(ms);
		c.commit();
	}

	static void buy(Connection c, int id) throws SQLException {
		try (PreparedStatement s = c.prepareStatement("UPDATE stock SET n = n - 1 WHERE id = ?")) {
			s.setInt(1, id);
			s.executeUpdate();
		}
	}

	static void make() throws SQLException {
		try (Connection c = open(); Statement s = c.createStatement()) {
			s.execute("CREATE TABLE stock (id INT PRIMARY KEY, n INT)");
			for (int i = 0; i < 20; i++)
				s.execute("INSERT INTO stock VALUES (" + i + ", 1000)");
		}
	}

	public static void main(String[] args) throws Exception {
		long ms = Long.parseLong(args[0]);

		make();
		Thread reporter = new Thread(() -> {
			try (Connection c = open()) {
				report(c, ms);
			} catch (Exception e) {
				throw new IllegalStateException(e);
			}
		}, "reporter");
		try (Connection c = open()) {
			for (int i = 0; i < 100; i++)
				buy(c, i % 20);
			reporter.start();
			changed.await();
			for (int i = 0; i < 20; i++)
				buy(c, i);
			reporter.join();
		}
		System.out.println("done");
	}
}
