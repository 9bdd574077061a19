#!/bin/sh
# jweave draw of a real program: threads that are blocked and wait, from the recording and its trace alike.
. tests/cli/kit
command -v javac >/dev/null || skip_all 'no JDK'
cd "$dir" || exit 1
unset CLASSPATH JDK_JAVA_OPTIONS JAVA_TOOL_OPTIONS JWEAVE JWEAVE_CONVERT JWEAVE_SUMMARY
mkdir src classes
cat >src/Shop.java <<'J'
package shop;
public class Shop {
	static final Object till = new Object(), card = new Object();
	static int open;
	static void pay(long ms) throws InterruptedException { synchronized (card) { Thread.sleep(ms); } }
	static void queue() throws InterruptedException { synchronized (till) { while (open == 0) till.wait(); } }
	static void unlock() { synchronized (till) { open = 1; till.notifyAll(); } }
	static class Customer extends Thread {
		Customer(String name) { super(name); }
		public void run() { try { queue(); pay(80); } catch (InterruptedException e) { throw new Error(e); } }
	}
	public static void main(String[] args) throws Exception {
		Customer[] all = { new Customer("first <1> & only"), new Customer("second") };
		for (Customer c : all) c.start();
		Thread.sleep(100);
		unlock();
		for (Customer c : all) c.join();
	}
}
J
javac -d classes src/Shop.java || exit 1
cat >rules.json <<'R'
{ "jweave": 1, "include": [ "preset:jdk-threads", "preset:monitors" ], "rules": [ { "match": "shop.**" } ] }
R
need "$jweave" -q --no-guard classes rules.json woven
JWEAVE_OUTPUT=shop JWEAVE_KEEP=1 timeout 60 java -cp woven shop.Shop >run.out 2>&1
ok 'the program ran' $? "$(cat run.out)"

run draw shop.prv
like 'a trace' "$status$err$out" '0[0-9]* of [0-9]* threads, [0-9]* calls in [0-9.]* ms -> shop.svg'
run draw shop.prv
is 'a picture may be drawn again' "$status$err" 0
mv shop.svg trace.svg
for kept in shop.prv src/Shop.java; do
	cp "$kept" before
	run draw shop.prv -o "$kept"
	is "what is no picture stays: $kept" "$status$err" "2jweave: error: '$kept' exists, and was not made by 'jweave draw': choose another name"
	check "... as it was: $kept" cmp "$kept" before
done
run draw shop.jwr
like 'its recording' "$status$err$out" '0[0-9]* of [0-9]* threads, [0-9]* calls in [0-9.]* ms -> shop.svg'
check 'both give one picture' cmp trace.svg shop.svg
if have python3; then
	check 'well formed' python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' shop.svg
else
	skip 'well formed' 'no python3'
fi
for what in '>main</text>' '>second</text>' '&lt;1&gt; &amp; only</text>' '>Shop.main</text>' '>Shop$Customer.run</text>' \
	'>Shop.pay</text>' '>Shop.queue</text>' '>waiting</text>' '>blocked at a monitor</text>' 'lets another thread go on'; do
	check "it shows $what" says "$what" shop.svg
done
# the wait and what blocks the second are long enough to be seen, hatched over the method
ok 'waits are hatched' "$(grep -c '<path class="w w[12]"' shop.svg | awk '{ exit $1 < 3 }'; echo $?)" "$(grep -c 'w w' shop.svg)"

gzip -c shop.prv >packed.prv.gz
cp shop.pcf packed.pcf
cp shop.row packed.row
run draw --title=shop -o - packed.prv.gz
is 'a packed one, to standard output' "$status$err$out" "0$(cat shop.svg)"
run draw --thread='sec*' -o one.svg shop.jwr
like 'by name' "$status$err$out" '01 of [0-9]* threads*'
check 'only that' lacks '>main</text>' one.svg

# ---- what cannot be drawn; the picture that was there stays ----
run draw --thread='nobody*' -o one.svg shop.prv
like 'no such thread' "$status$err" "2jweave: error: 'shop.prv': no thread's name matches 'nobody\*': the first is \"*\", the last \"*\""
check 'the picture stays' says '>second</text>' one.svg
run draw --from=1h shop.prv
is 'no time' "$status$err" "2jweave: error: option '--from' takes a time since the beginning (2.5, 300ms, 40us) or a share (25%), not '1h'"
run draw --from=500 shop.jwr
like 'after the end' "$status$err" "2jweave: error:*the range begins at 500 s: the trace ends at *ms"
run draw shop.prv shop.jwr
is 'a trace and a recording' "$status$err" "2jweave: error: 'shop.prv' is a trace and 'shop.jwr' is not: draw them one by one"
run draw nobody.prv
is 'no such file' "$status$err" "4jweave: error: 'nobody.prv': cannot open: No such file or directory"
head -c 400 packed.prv.gz >cut.prv.gz
cp shop.pcf cut.pcf
cp shop.row cut.row
run draw cut.prv.gz
like 'cut short' "$status$err$out" "0jweave: warning: 'cut.prv.gz' is damaged or cut short: what could be read is drawn*-> cut.svg"
JWEAVE_MODE=summary JWEAVE_OUTPUT=sums timeout 60 java -cp woven shop.Shop >run.out 2>&1
run draw sums.jwr
like 'a summary' "$status$err" '4jweave: error: *summary*report*'
run report --to=50% sums.jwr
is 'a part of a summary' "$status$err" "2jweave: error: 'sums.jwr' is a summary (JWEAVE_MODE=summary): it has sums without times, of which no part can be selected"
finish
