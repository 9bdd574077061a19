#!/bin/sh
# preset:sql: report --slowest says with which statement a slow call was busy, of a trace and of its recording.
# Slow: 4 s, a JVM.
. tests/cli/run_kit
cd "$dir" || exit 1
mkdir -p src/shop shop
cat >src/shop/Shop.java <<'J'
package shop;
import java.lang.reflect.*;
import java.sql.*;
public class Shop {
	/** A connection in a connection, as pools have them; what it says takes as long as its text says. */
	static Connection connection(Connection inner) {
		return (Connection) Proxy.newProxyInstance(Shop.class.getClassLoader(), new Class<?>[] { Connection.class }, (p, m, a) -> {
			if (inner != null) return m.getName().equals("prepareStatement") ? inner.prepareStatement((String) a[0]) : inner.createStatement();
			return statement(Statement.class.isAssignableFrom(m.getReturnType()) ? m.getReturnType() : Statement.class, a == null ? "" : (String) a[0]);
		});
	}
	static Object statement(Class<?> kind, String text) {
		return Proxy.newProxyInstance(Shop.class.getClassLoader(), new Class<?>[] { kind }, (p, m, a) -> {
			if (!m.getName().startsWith("execute")) return null;
			String sql = a == null ? text : (String) a[0];
			Thread.sleep(sql.startsWith("slow") ? 1500 : 1);
			return m.getReturnType() == boolean.class ? true : null;
		});
	}
	static void buy(Connection c, int i) throws SQLException {
		c.prepareStatement(i == 30 ? "slow select * from item where name = ?" : "select * from item").executeQuery();
		c.createStatement().execute("insert into sale values ('" + (i % 2) + "')");
	}
	public static void main(String[] a) throws Exception {
		Connection c = connection(connection(null));
		for (int i = 0; i < 40; i++) buy(c, i);
	}
}
J
javac -d shop src/shop/Shop.java && jar cfe shop.jar shop.Shop -C shop . || skip_all 'javac does not work'
"$jweave" run --preset=jdbc --preset=sql --keep -o run -- java -jar shop.jar >out 2>&1
is 'it runs' "$?" 0
for trace in run.prv run.jwr; do
	run report -q --slowest=1 --method='shop.Shop#buy' $trace
	like "$trace: the slow call, and its statement" "$out" "* Shop.buy *
      with SQL: slow select [*] from item where name = ?
           SQL: insert into sale values ('0')*"
	one=$(printf '%s\n' "$out" | sed -n '/with/,/^$/p')
	[ $trace = run.prv ] || is 'both say the same' "$one" "$first"
	first=$one
done
run report -q run.prv
like 'what is executed is counted once' "$out" '* 80 *jdbc/execute
*'
finish
