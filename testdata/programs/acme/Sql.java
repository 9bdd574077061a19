package acme;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** Asks a database that is none: statements of SQL with and without parameters, each as often as its text says. */
public class Sql {
	@SuppressWarnings("unchecked")
	static <T> T answer(Class<T> type) {
		return (T) Proxy.newProxyInstance(Sql.class.getClassLoader(), new Class<?>[] { type }, (self, method, args) -> {
			Class<?> returned = method.getReturnType();

			if (returned == boolean.class)
				return true;
			if (returned == int.class)
				return 1;
			return returned.isInterface() ? answer(returned) : null;
		});
	}

	static void prepared(Connection c, int n) throws SQLException {
		PreparedStatement s = c.prepareStatement("update item <b> set stock = ?\n\twhere so_often = " + n);

		for (int i = 0; i < n; i++)
			s.executeUpdate();
	}

	static void plain(Connection c, int n) throws SQLException {
		Statement s = c.createStatement();

		for (int i = 0; i < n; i++)
			s.execute("insert into log values ('" + n + "')");
	}

	public static void main(String[] args) throws SQLException {
		Connection c = answer(Connection.class);
		int n = Integer.parseInt(args[0]);

		for (int i = 1; i <= n; i++) {
			prepared(c, i);
			plain(c, i * 2);
		}
	}
}
