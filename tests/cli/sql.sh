#!/bin/sh
# preset:sql: report --slowest says with which statement a slow call was busy, and report --sql what each took, of a
# trace and of its recording.
# Slow: 6 s, a JVM.
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
			return m.getReturnType() == boolean.class ? true : m.getReturnType() == int.class ? (Object) 1 : null;
		});
	}
	static void buy(Connection c, int i) throws SQLException {
		c.prepareStatement(i == 30 ? "slow select * from item where name = ?" : "select * from item").executeQuery();
		c.createStatement().execute("insert into sale values ('" + (i % 2) + "')");
	}
	/** One statement that is prepared once, and executed by others. */
	static void again(Connection c) throws Exception {
		PreparedStatement s = c.prepareStatement("update item\n\tset   stock = ?");
		for (int i = 0; i < 3; i++) {
			Thread t = new Thread(() -> { try { s.executeUpdate(); } catch (SQLException e) { throw new IllegalStateException(e); } });
			t.start();
			t.join();
		}
	}
	public static void main(String[] a) throws Exception {
		Connection c = connection(connection(null));
		for (int i = 0; i < 40; i++) buy(c, i);
		again(c);
		c.createStatement().executeBatch();
	}
}
J
javac -d shop src/shop/Shop.java && jar cfe shop.jar shop.Shop -C shop . || skip_all 'javac does not work'
"$jweave" run --preset=sql --keep -o run -- java -jar shop.jar >out 2>&1
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
like 'what is executed is counted once' "$out" '* 84 *jdbc/execute
*'
like 'so is what is prepared' "$out" '* 41 *jdbc/prepare
*'

# ---- what each took ----
for trace in run.prv run.jwr; do
	run report --sql $trace
	like "$trace: what each statement took" "$status $out" '0 5 statements, 84 executions of SQL in *

  executions *total ms *mean ms *longest ms *prepared  statement
           1 * 1  slow select [*] from item where name = ?
*          39 * 39  select [*] from item
*          20 * 0  insert into sale values (*)
*           1 * 0  (their text is unknown)'
	like "$trace: of one prepared before, by other threads" "$out" "*           3 * 1  update item set stock = ?
*"
	run report --sql --json --top=2 $trace
	one=$(printf '%s\n' "$out" | sed 's/"ns".*"prepared"/"prepared"/')
	like "$trace: JSON" "$one" '{
"kind":"sql",
*"executions":84,
*{"sql":"slow select [*] from item where name = ?","executions":1,"prepared":1},
{"sql":"select [*] from item","executions":39,"prepared":39}
]
}'
done
run report --sql --to=1us run.prv
like 'a part without' "$status $out$err" "0 0 statements, 0 executions of SQL in *jweave: note: no statement of SQL is in it: --preset=sql records them"
"$jweave" run -q --preset=sql --preset=jdbc -o both -- java -jar shop.jar >out 2>&1
run report --sql both.prv
like 'in whatever order presets are named' "$out" '5 statements, 84 executions *'
"$jweave" run -q --preset=jdbc -o jdbc -- java -jar shop.jar >out 2>&1
run report --sql jdbc.prv
like 'without their texts' "$status $out$err" '0 0 statements, 84 executions of SQL in *(their text is unknown)*warning: the texts of its statements were not recorded: --preset=sql does that'
run report --sql --json jdbc.prv
like '... in the JSON' "$status$out" '0*"sql":null,"executions":84,*'
finish
