#!/bin/sh
# A jar in, a jar out: what must stay stays, bit for bit; others read it as we do.
set -u
. tests/weaver/a_kit
cd "$work" || exit 1
have javac && have jar || { echo "1..0 # SKIP no JDK"; exit 0; }

mkdir -p src/acme
cat >src/acme/Main.java <<'END'
package acme;
public class Main {
	static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
	public static void main(String[] args) { System.out.println("fib " + fib(12)); }
}
END
cat >src/acme/Other.java <<'END'
package acme;
public interface Other { int NUMBER = 7; void nothing(); }
END
javac -d classes src/acme/*.java || exit 1
head -c 5000 /dev/zero | tr '\0' 'x' >classes/text.txt
printf 'Main-Class: acme.Main\n' >m.txt
jar cfm app.jar m.txt -C classes .

# ---- twins ----
check 'nothing matches: weaves' x app.jar none.json twin.jar
check 'nothing matches: the same bytes' cmp app.jar twin.jar
for jar in guava bcprov asm commons-io jruby maven-core; do
	jar=/usr/share/java/$jar.jar
	[ -e "$jar" ] || { skip "twin of $jar" 'not installed'; continue; }
	x "$jar" none.json twin.jar >/dev/null
	check "twin of $jar" cmp "$jar" twin.jar
done

# ---- the program ----
check 'weaves' x app.jar all.json woven.jar
x app.jar all.json woven.jar >report.txt
check 'counts' grep -qx 'woven: 2' report.txt
check 'runs as before' sh -c 'JWEAVE=off timeout 60 java -jar woven.jar | grep -qx "fib 144"'
check 'manifest: every line kept, one added' sh -c '
	unzip -p app.jar META-INF/MANIFEST.MF | tr -d "\r" >old
	unzip -p woven.jar META-INF/MANIFEST.MF | tr -d "\r" >new
	diff old new >d; [ "$(grep -c "^[<>]" d)" = 1 ] && grep -qx "> Enable-Native-Access: ALL-UNNAMED" d'
check 'JDK reads it' sh -c 'jar tf woven.jar >/dev/null'
check 'info says what it is' sh -c "'$X' -info woven.jar | grep -q '\"woven\": 2'"
check 'no info of a plain jar' sh -c "[ -z \"\$('$X' -info app.jar)\" ]"

# ---- untouched entries, order, times ----
untouched() { # untouched IN OUT: every entry but the woven ones and the manifest is the same record
	"$X" -locals "$1" >locals.in && "$X" -locals "$2" >locals.out || return 1
	awk -F'\t' 'NR == FNR { crc[$1] = $4; n[$1] = $3; next }
		$1 in crc && (crc[$1] != $4 || n[$1] != $3) && $1 !~ /\.class$|MANIFEST/ {
			print $1 " differs"; bad = 1 }
		END { exit bad }' locals.in locals.out || return 1
	cut -f1 locals.in >names.in
	cut -f1 locals.out | head -n "$(wc -l <names.in)" >names.out
	cmp names.in names.out
}
check 'untouched entries bit for bit, in order' untouched app.jar woven.jar
check 'interfaces without code are untouched too' sh -c \
	"'$X' -locals app.jar | grep Other | cut -f3,4 >a; '$X' -locals woven.jar | grep Other | cut -f3,4 >b; [ -s a ] && cmp a b"
if have unzip; then
	check 'unzip -t' unzip -tq woven.jar
	listing() { # what zipinfo says of entries, without sizes of what changed
		unzip -Z -T "$1" | awk '/^[-drw?]/ { print $1, $2, $3, $(NF - 1), $NF }' |
			grep -v jweave/
	}
	listing app.jar >list.in
	listing woven.jar >list.out
	check 'modes, times and systems kept' diff list.in list.out
else
	skip 'unzip -t' 'no unzip'
fi

# ---- the same for any number of threads ----
for jar in guava bcprov; do
	jar=/usr/share/java/$jar.jar
	[ -e "$jar" ] || { skip "threads: $jar" 'not installed'; continue; }
	x -j1 -no-guard "$jar" all.json one.jar >one.txt
	x -j8 -no-guard -progress "$jar" all.json eight.jar >eight.txt
	check "-j1 and -j8 give the same bytes: $jar" cmp one.jar eight.jar
	check "... and the same report: $jar" cmp one.txt eight.txt
	check "... untouched entries are: $jar" untouched "$jar" one.jar
	have unzip && check "... unzip -t: $jar" unzip -tq one.jar
	check "... jar tf: $jar" sh -c 'jar tf one.jar >/dev/null'
	check "... libzip reads all of it: $jar" "$BUILD/tests/weaver/x_libzip" -test one.jar
	have python3 && check "... python reads all of it: $jar" python3 -c \
		'import zipfile; assert zipfile.ZipFile("one.jar").testzip() is None'
done

# ---- added entries ----
check 'added entries have the newest time of the input' python3 -c '
import zipfile
old = zipfile.ZipFile("app.jar"); new = zipfile.ZipFile("woven.jar")
newest = max(i.date_time for i in old.infolist())
added = [i for i in new.infolist() if i.filename not in old.namelist()]
assert len(added) == 5, added
assert all(i.date_time == newest for i in added), added
assert all(i.external_attr >> 16 == 0o100644 for i in added)'
SOURCE_DATE_EPOCH=1000000000 x app.jar all.json epoch.jar >/dev/null
check 'or of SOURCE_DATE_EPOCH' python3 -c '
import zipfile
z = zipfile.ZipFile("epoch.jar")
assert z.getinfo("META-INF/jweave/woven.json").date_time == (2001, 9, 9, 1, 46, 40)'

# ---- woven twice ----
check 'woven already: refused' fails 4 'is woven already' woven.jar all.json again.jar
check '... no output' absent again.jar
mkdir -p lib && cp woven.jar lib/inner.jar && jar cf outer.jar lib/inner.jar && rm -r lib
check '... and which one, inside another' fails 4 'outer.jar: lib/inner.jar: is woven already' outer.jar all.json again.jar
check 'woven already: left alone when asked' x -skip-woven woven.jar all.json again.jar
check '... the same bytes' cmp woven.jar again.jar

# ---- options ----
check 'dry run: counts' sh -c "'$X' app.jar all.json | grep -qx 'woven: 2'"
check 'veto: status and message' fails 5 vetoed -veto app.jar all.json veto.jar
check '... no output' absent veto.jar
check 'classpath: nothing embedded' x -classpath app.jar all.json cp.jar
check '... a class that says whose numbers they are, no library' sh -c '
	[ $(unzip -Z1 cp.jar | grep -c "^acme/jweave/[0-9a-z]*/P.class$") = 1 ] && [ $(unzip -Z1 cp.jar | grep -c "^[a-z/]*jweave/[0-9a-z]*/\|libjweave") = 1 ]'
check '... runs with the small jar' sh -c "JWEAVE=off timeout 60 java -cp cp.jar:'$BUILD/jweave-rt.jar' acme.Main | grep -qx 'fib 144'"
check 'strict: a method that stays out fails the run' fails 4 -- -strict -small app.jar all.json s.jar
check '... without it: a report' sh -c "'$X' -small app.jar all.json s.jar | grep -q '^left: HUGE '"

# ---- through standard input and output ----
check 'from stdin to stdout' sh -c "'$X' - all.json - <app.jar >piped.jar 2>/dev/null"
check '... the same bytes' cmp woven.jar piped.jar
check 'to a device' x app.jar all.json /dev/null
check '... which stays one' test -c /dev/null
ln -s real.jar link.jar
: >real.jar
check 'through a link' x app.jar all.json link.jar
check '... the file is replaced, the link stays' sh -c 'test -L link.jar && cmp real.jar woven.jar'
finish
