#!/bin/sh
# The method map: small in the archive, with the names of every method all the same, wherever the
# archive, its parts or its folder are when the recording is converted.
set -u
. tests/weaver/a_kit
cd "$work" || exit 1
have javac && have jar || { echo "1..0 # SKIP no JDK"; exit 0; }

J=$BUILD/jweave
mkdir -p src/acme cls cls9
cat >src/acme/Main.java <<'X'
package acme;
public class Main implements Runnable {
	int kept;
	Main(int x) { kept = x; }
	int get() { return kept; }
	public void run() { get(); }
	static int work(int n) { int s = 0; for (int i = 0; i < n; i++) s += new Main(i).get(); return s; }
	public static void main(String[] a) throws Exception {
		work(3);
		new Other().go(() -> work(1));
		Thread t = new Thread(new Main(1));
		t.start();
		t.join();
		System.out.println("done");
	}
}
class Other { void go(Runnable r) { r.run(); two(); } void two() { } }
X
{
	echo 'package acme; public abstract class Last { static int first(int n) { return Integer.bitCount(n); }'
	for i in $(seq 300); do echo "abstract void a$i();"; done
	echo 'static int last(int n) { return Integer.bitCount(n); }'
	echo 'public static void main(String[] a) { System.out.println(first(a.length) + last(3)); } }'
} >src/acme/Last.java
javac -g -d cls src/acme/Main.java && printf 'Main-Class: acme.Main\n' >m.txt && jar cfm app.jar m.txt -C cls . || exit 1
cat >rules.json <<'X'
{ "jweave": 1, "rules": [
	{ "id": "most", "select": { "class": "**", "kind": [ "method", "constructor", "lambda" ] } },
	{ "id": "two", "match": "acme.Other#two()", "event": { "label": "two: {method} {simpleClass}" } } ] }
X

# labels FOLDER JAVA-ARGUMENTS...: the functions of a run in FOLDER, into FOLDER/labels
labels() {
	(cd "$1" && shift && JWEAVE_KEEP=1 JWEAVE_OUTPUT=t java "$@" >/dev/null 2>err.txt && sort t.pcf | grep -o '[^ ]* \[acme.*\|two: .*' >labels)
}
mkdir small full both
"$J" -q --no-guard app.jar rules.json small/app.jar && "$J" -q --no-guard --full-map app.jar rules.json full/app.jar || exit 1
labels full -jar app.jar
labels small -jar app.jar
check 'all names: 9 methods' sh -c '[ $(wc -l <full/labels) = 9 ]'
check 'a label of its own' grep -q 'two: two Other' full/labels
check 'the same names, read from the classes' cmp full/labels small/labels
check 'the full map has them all' sh -c "[ \$(unzip -p full/app.jar 'META-INF/jweave/x*.map' | grep -c '^m') -ge 8 ]"
check 'the small one has none, and both rules' sh -c \
	"[ \"\$(unzip -p small/app.jar 'META-INF/jweave/x*.map' | cut -c1 | tr -d '\n')\" = jrrkn ]"

# unpacked
mkdir unpacked && (cd unpacked && unzip -q ../small/app.jar) && labels unpacked -cp . acme.Main
check 'unpacked: the same names' cmp full/labels unpacked/labels

# the map alone
unzip -p full/app.jar 'META-INF/jweave/x*.map' >full.map
unzip -p small/app.jar 'META-INF/jweave/x*.map' >small.map
mv full/app.jar gone.jar
mv small/app.jar gone2.jar
rm -rf full/t.jwr/archives small/t.jwr/archives # links to them, by which names would be found
"$J" prv -q -f full/t.jwr --map full.map -o alone
check 'the full map names all by itself' sh -c "sort alone.pcf | grep -o '[^ ]* \[acme.*\|two: .*' | cmp - full/labels"
"$J" prv -f small/t.jwr --map small.map -o none >/dev/null 2>said
check 'the small one alone says what is missing' grep -q 'woven with --full-map' said
"$J" prv -q -f small/t.jwr --map gone2.jar -o found
check 'and its archive, wherever it is now, has it' sh -c "sort found.pcf | grep -o '[^ ]* \[acme.*\|two: .*' | cmp - full/labels"

# a class that is there twice is named in the map
javac -g --release 9 -d cls9 src/acme/Main.java && jar --create --file multi.jar --manifest m.txt -C cls . --release 9 -C cls9 acme/Other.class 2>/dev/null
"$J" -q --no-guard multi.jar rules.json multi-w.jar
check 'multi-release: versions are named in the map' sh -c \
	"[ \$(unzip -p multi-w.jar 'META-INF/jweave/x*.map' | grep -c '^c.*acme.Other') = 2 ]"
mkdir multi && cp multi-w.jar multi/app.jar && labels multi -jar app.jar
check 'multi-release: the same names' cmp full/labels multi/labels

# packed again by another tool: in another order, with classes of others
javac -g -d cls3 -cp cls src/acme/Last.java
cat >repack.py <<'X'
import sys, zipfile
a, out = zipfile.ZipFile(sys.argv[1]), zipfile.ZipFile(sys.argv[2], "w")
names = [n for n in a.namelist() if n.endswith(".class")]
names = [n for n in a.namelist() if n not in names] + names[::-1]
for i in range(9):
    out.write("cls3/acme/Last.class", "other/%d.class" % i)
for n in names:
    out.writestr(n, a.read(n))
X
"$J" -q --no-guard app.jar rules.json woven.jar
mkdir packed && python3 repack.py woven.jar packed/app.jar && labels packed -jar app.jar
check 'packed again: the same names' cmp full/labels packed/labels

# woven again, by other rules: numbers are of the input
echo '{ "jweave": 1, "rules": [ { "id": "any", "select": { "class": "**", "kind": [ "method", "constructor", "lambda" ] } } ] }' >other.json
"$J" -q --no-guard app.jar other.json other.jar
"$J" prv -q -f small/t.jwr --map other.jar -o again
check 'woven again by other rules: all names' sh -c \
	"grep -o '[^ ]* \[acme.*' again.pcf | grep -v 'Other.two' | sort >again.labels && grep '\[acme' full/labels | grep -v 'Other.two' | sort | cmp - again.labels"

# the runtime on the class path
mkdir shared && "$J" -q --no-guard --runtime=classpath app.jar rules.json shared/app.jar
labels shared -cp "app.jar:$BUILD/jweave-rt.jar" acme.Main
check 'the runtime on the class path: the same names' cmp full/labels shared/labels

# more methods than the share of a class has numbers: hundreds without a body
jar cf last.jar -C cls3 .
mkdir last && "$J" -q --no-guard last.jar rules.json last/app.jar
(cd last && unzip -q app.jar)
javap -c -p -cp last acme.Last >last.txt
check 'some methods have numbers' grep -q 'jweave/[0-9a-z]*/P.Code:(I)V' last.txt
check '... some have none' grep -q 'jweave/[0-9a-z]*/P.enter:(J)V' last.txt
labels last -cp app.jar acme.Last
check '... all have a name' sh -c "[ \"\$(grep -o '^Last[.][a-z]*' last/labels | sort | tr '\n' ' ')\" = 'Last.first Last.last Last.main ' ]"
finish
