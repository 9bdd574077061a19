#!/bin/sh
# jweave run: commands of many forms, of which java is to be found, or none, and its class path.
# Slow: 15 s, JVMs run one after the other.
. tests/cli/run_kit
cd "$dir" || exit 1
mkdir -p src/app src/lib app lib
cat >src/lib/Lib.java <<'J'
package lib;
public class Lib { public static int work(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; } }
J
cat >src/app/Main.java <<'J'
package app;
public class Main {
	static int act(String[] a) { int n = 0; for (String s : a) n += s.length(); return lib.Lib.work(3) + n; }
	public static void main(String[] a) { System.out.println("did " + act(a) + " " + String.join(",", a)); }
}
J
javac -d lib src/lib/Lib.java && javac -cp lib -d app src/app/Main.java && cp -r lib/. app && jar cfe app.jar app.Main -C app . || skip_all 'no JDK'

try() { # try WORDS...: status, out, err, names of what is traced; the trace goes away
	timeout 60 "$jweave" run "$@" >.out 2>.err </dev/null
	status=$?
	out=$(cat .out)
	err=$(cat .err)
	names=$(cat trace-*.pcf 2>/dev/null)
	traces=$(ls trace-*.prv 2>/dev/null | wc -l)
	rm -rf trace-*
}
traced='*app.Main.act*'

# ---- where the class path is ----
echo '-cp app.jar' >jargs
JDK_JAVA_OPTIONS=@jargs try -- java app.Main a
like 'an argument file of JDK_JAVA_OPTIONS' "$status $out $names" "0 did 4 * $traced"
try -- java -Djava.class.path=app.jar app.Main a
like 'java.class.path as an option' "$status $out $names" "0 did 4 * $traced"
try -- java -cp nowhere -Djava.class.path=app app.Main a
like '... counts where it is the last one, also of a folder' "$status $out $names" "0 did 4 * $traced"

# ---- what is longer than the kernel takes ----
path() { # path BYTES: a class path of so many, with a folder in it
	awk -v n="$1" 'BEGIN { s = "app:"; while (length(s) + 8 < n) s = s "x.jar:"; while (length(s) < n) s = s "y"; printf "%s", s }'
}
long=$(path 167000)
printf '%s\n' -cp "$long" '-Da="b\\c d"' app.Main '"a b" @c @@d "" "e\"\\f"' '"#g"' >args
try -- java @args h
like 'a class path of an argument file' "$status $out $names" "0 did 18 a b,@c,@@d,,e\"\\\\f,#g,h $traced"
is '... of which the program has all words' "$out" "$(java @args h)"
try -- java -cp "$(path 131023)" app.Main a
like 'a class path that copies make too long' "$status $out $names" "0 did 4 a $traced"
try -- env X=1 nice java -cp "$(path 131023)" app.Main a
like '... after others' "$status $out $names" "0 did 4 a $traced"
printf '%s\n' '-cp app -Dx="@y" app.Main' >many && seq 150000 >>many
try -- java -cp @@nowhere @many
like 'more words than the kernel takes' "$status $(echo "$out" | cut -c -20) $names" "0 did 788898 1,2,3,4,5 $traced"
old() { # old RELEASE: as a JDK of it
	mkdir -p old/bin
	printf 'JAVA_VERSION="%s"\n' "$1" >old/release
	printf '#!/bin/sh\nexec java "$@"\n' >old/bin/java && chmod +x old/bin/java
}
old 1.8.0_392
for home in old . ; do
	[ $home = old ] || { mkdir -p bin && sed '2i[ "$1" = --version ] \&\& exit 1' old/bin/java >bin/java && chmod +x bin/java; } # as Java 8 does
	try -- $home/bin/java -cp "$(path 131023)" app.Main a
	is 'a java without argument files: as it is, and why' "$status $out$traces $err" \
		'0 did 4 a0 jweave: warning: with woven copies on its paths the command is too long (this java reads no argument files): it runs without tracing'
done
try -- old/bin/java -cp "app.jar:$(path 131000)" app.Main a
like '... jars are traced all the same' "$status $names $err" "0 $traced (this java reads no argument files): what is in no jar runs without tracing*"

# ---- native access, of JDK 24 and later ----
old 24.0.1
cat >old/bin/java <<'J'
#!/bin/sh
for word; do # (the java that runs it knows no such options)
	shift
	case $word in --*native-access=*) ;; *) set -- "$@" "$word" ;; esac
done
exec env -u JDK_JAVA_OPTIONS -u JAVA_TOOL_OPTIONS java "$@"
J
denied='*jweave: note: --illegal-native-access=deny does not hold in this run for the class path and the main module: what loads the recorder is there, and may do so*'
echo --illegal-native-access=deny >deny
try -- old/bin/java @deny -cp app app.Main a
like 'native access that is denied is granted, and said' "$status $out $err $names" "0 did 4 a $denied $traced"
JDK_JAVA_OPTIONS=@deny try -- old/bin/java -jar app.jar a
like '... by the environment, too, and where a manifest grants it' "$status $out $err $names" "0 did 4 a $denied $traced"
JAVA_TOOL_OPTIONS=--illegal-native-access=deny try -- old/bin/java -cp app app.Main a
like '... of the JVM' "$err" "$denied"
try -- old/bin/java --illegal-native-access=warn -cp app app.Main a
is '... once it is denied' "$(echo "$err" | grep -c native-access)" 0
mv old/bin/java old/java # a wrapper: nothing beside it says which JDK it has
for version in 24.0.1 17.0.2; do
	mkdir -p wrap && printf '#!/bin/sh\n[ "$1" = --version ] && echo "openjdk %s 2025-01-21" && exit\nexec %s "$@"\n' $version "$PWD/old/java" >wrap/java && chmod +x wrap/java
	try -- wrap/java @deny -cp app app.Main a
	is "a wrapper of Java $version is asked which" "$status $out $(printf '%s\n' "$err" | grep -c native-access)" "0 did 4 a $([ $version = 17.0.2 ] || echo 1)$([ $version = 24.0.1 ] || echo 0)"
done
old 17.0.2 && cp "$root/share/run/java" old/bin/java
for path in app "$(path 131023)"; do
	JW_WORDS=$PWD/words try -- old/bin/java -cp "$path" app.Main 'a  "\b'
	is 'the replacement for the java that runs tests of Gradle says each word' "$status$(sed -n 's/^A //p' words | sed 's/^.*run-1.*app:.*/PATH/; s/^.*run-1.*app$/PATH/' | tr '\n' '|')" '0-cp|PATH|app.Main|a  "\b|'
done
TMPDIR=$PWD/nowhere try -- java -cp "$(path 131023)" app.Main a
like 'no place for one' "$status $out$traces $err" '0 did 4 a0 *is too long (there is no room for temporary files): it runs without tracing'

# ---- a cache that can be on no class path ----
mkdir 'ca:che' tmp
for path in app app.jar; do
	XDG_CACHE_HOME=$PWD/ca:che TMPDIR=$PWD/tmp try -- java -cp $path app.Main a
	like "a cache with a colon in its path: $path" "$status $out $names" "0 did 4 a $traced"
	is '... is another one' "$(printf '%s\n' "$err" | grep 'cache')" \
		"jweave: note: the cache cannot be in '$PWD/ca:che' (a colon in its path can be on no class path): it is '$PWD/tmp/jweave-cache-$(id -u)/jweave/run-1'"
done
XDG_CACHE_HOME=$PWD/ca:che TMPDIR=$PWD/tmp try -- sh -c 'java -cp app app.Main a'
is '... said once' "$status $out $(printf '%s\n' "$err" | grep -c 'cannot be in') $traces" '0 did 4 a 1 1'

# ---- no cache ----
XDG_CACHE_HOME=$PWD/none/cache TMPDIR=$PWD/tmp try -- java -cp app app.Main a
like 'a cache that cannot be made' "$status $out $names" "0 did 4 a $traced"
is '... is another one, too' "$(printf '%s\n' "$err" | grep 'cache')" \
	"jweave: note: the cache cannot be in '$PWD/none/cache' (No such file or directory): it is '$PWD/tmp/jweave-cache-$(id -u)/jweave/run-1'"
touch 'taken'
XDG_CACHE_HOME=$PWD/taken try -- sh -c 'java -cp app app.Main a'
is 'without any a program of a script runs' "$status $out $traces" '0 did 4 a 0'
like '... without tracing, which is said' "$err" "jweave: warning: the cache folder '$PWD/taken' is not a folder: '*java' runs without tracing"

# ---- the word java where it is no launcher ----
printf '#!/bin/sh\n[ "$2" = java ] && exec java -cp app app.Main "$@"\n[ "$1" = -jar ] && exec java -jar app.jar "$@"\n' >bench.sh && chmod +x bench.sh
try -v -- ./bench.sh --lang java
like 'java is what a script is told' "$status $out $names" "0 did 13 * $traced"
is '... and nothing warns' "$(printf '%s\n' "$err" | grep -c 'warning')" 0
try -- ./bench.sh -jar foo.jar
like 'so is -jar' "$status $out $names" "0 did 14 * $traced"
is '... of a jar that we need not know' "$(grep -c foo.jar .err)" 0
try -- env X=1 sh bench.sh --lang java
like '... of a shell, after env' "$status $out $names" "0 did 13 * $traced"
mkdir tools && printf '#!/bin/sh\nexec java -cp app app.Main "$@"\n' >tools/mvn && chmod +x tools/mvn
PATH=$PWD/tools:$PATH try -- mvn -f java test
like 'a folder called java, and the name of a goal' "$status $out $names" "0 did 13 * $traced"
mkdir few && printf 'public class Few { public static void main(String[] a) { for (int i = 0; i < 2; i++) System.out.print(i); } }' >few/Few.java && javac few/Few.java
printf 'java -cp app app.Main a >/dev/null\njava -cp few Few\n' >both.sh
try -o trace-%p -- sh both.sh
many=$(printf '%s\n' "$err" | sed -n 's/.* 3 calls, .* -> .*\(trace-.*\)/\1/p')
like 'of several java what to type next is of the one with most calls, not the last' "$status $out $traces $err" "0 01 2 *jweave report $many;*"
for words in 'env X=1 nice -n 5' 'timeout 10' nohup; do
	try -- $words java -jar app.jar a
	like "$words java" "$status $out $names" "0 did 4 * $traced"
done
try -- nice java -jar foo.jar
like 'a jar that is not there, after what starts java' "$err" "*jweave: warning: there is no 'foo.jar'*"
cp app.jar more.jar && echo >>more.jar
try -- java -jar more.jar
is 'a jar that java refuses is none that runs' "$status $(printf '%s\n' "$err" | head -n 2)" "1 jweave: warning: 'more.jar' has bytes after the end of its archive: java starts no such jar
Error: Invalid or corrupt jarfile more.jar"

# ---- what starts java elsewhere ----
mkdir -p there/src/app
sed 's/did/did there/' src/app/Main.java >there/src/app/Main.java
(cd there && cp -r ../app app && javac -cp ../lib -d app src/app/Main.java && jar cfe app.jar app.Main -C app .)
for words in '-C there' --chdir=there '-iC there'; do
	try -- env $words "PATH=$PATH" java -jar app.jar a
	like "env $words: the jar of that folder" "$status $out" '0 did there 4 a'
	case $words in -i*) is '... without tracing, which is said' "$traces $(printf '%s\n' "$err" | grep -c 'there is no trace')" '0 1' ;; esac
done
try -- nice env -C there java -jar app.jar a
like '... with a trace there' "$status $out $(cat there/trace-*.pcf)" "0 did there 4 a $traced"
if unshare -rR / true 2>/dev/null; then
	try -- unshare -rR / "$(command -v java)" -jar "$PWD/app.jar" a
	is 'another root: as it is, and said' "$status $out $traces $err" \
		"0 did 4 a 0 jweave: warning: what 'unshare' starts sees other files than are here: run jweave there, in front of java"
fi

# ---- a program that writes classes ----
mkdir own && cat >own/Writes.java <<'J'
import java.nio.file.*;
public class Writes {
	static int work(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
	public static void main(String[] a) throws Exception {
		Files.copy(Path.of(a[1]), Path.of(a[0], "Made.class"), StandardCopyOption.REPLACE_EXISTING);
		System.out.println(work(3) + " " + Class.forName("Made").getMethod("text").invoke(null));
	}
}
J
javac -d own/cp own/Writes.java
for n in 1 2 3; do
	mkdir own/$n && echo "public class Made { public static String text() { int s = 0; for (int i = 0; i < 3; i++) s += i; return \"made $n \" + s; } }" >own/Made.java
	javac -d own/$n own/Made.java
done
written='*note: 1 class was of '"'own/cp'"' written while the program ran, which may have seen older ones; the next run leaves what was written as it is*'
try -r match:Writes,Made -- java -cp own/cp Writes own/cp own/1/Made.class
is 'a class that a program makes' "$status$out $(printf '%s\n' "$err" | grep -c written)" '03 made 1 3 0'
try -r match:Writes,Made -- java -cp own/cp Writes own/cp own/2/Made.class
is '... and makes anew: is the new one' "$status$out $(printf '%s\n' "$err" | grep -c written)" '03 made 2 3 0'
cp own/1/Made.class own/cp
rm "$XDG_CACHE_HOME"/jweave/run-1/.written-*
try -r match:Writes,Made -- java -cp own/cp Writes own/cp own/3/Made.class
like '... by a run that knows of none: is the one before, which is said' "$status$out $err" "03 made 1 3 $written"
like '... and traced' "$names" '*Made.text*'
try -v -r match:Writes,Made -- java -cp own/cp Writes own/cp own/2/Made.class
like '... once' "$status$out $err" "03 made 2 3 *jweave: as an earlier run has written it: 1 class of 'own/cp'*"
java -cp own/cp Writes own/cp own/1/Made.class >/dev/null
try -r match:Writes,Made -- java -cp own/cp:own Writes own own/1/Made.class
try -r match:Writes,Made -- java -cp own/cp:own Writes own own/1/Made.class
like '... as long as it is made: then it is traced' "$status$out $names" '03 made 1 3 *Made.text*'

# ---- what does not hand on the environment ----
try --max-size=1M -- env -i "PATH=$PATH" java -cp app app.Main a
like 'env -i: options tell the java' "$status $out $names" "0 did 4 a $traced"
like '... what the run says at its end, too' "$err" '*note: where the time went: jweave report trace-*'
try --summary -o trace-of-mine -- nice env -i "PATH=$PATH" java -cp app.jar app.Main a
is '... its settings' "$status $out $(printf '%s\n' "$err" | grep -c 'sums alone, no events; to see them: jweave report trace-of-mine.jwr')" '0 did 4 a 1'
try -o trace-other -- env -i "PATH=$PATH" JWEAVE_OUTPUT=trace-named "$(command -v java)" -cp app app.Main a
like '... but those that the command has itself' "$err" '*jweave report trace-named.prv*'
JWEAVE=off try -- env -i "PATH=$PATH" java -cp app app.Main a
is '... also that tracing is off' "$status $out $traces" '0 did 4 a 0'
cp "$(command -v env)" doas
try -v -- ./doas -i "PATH=$PATH" java -cp app.jar app.Main a
like 'what may clear it: likewise' "$status $out $names" "0 did 4 a $traced"

# ---- of a job: what is said ----
try -q --job="$dir/quiet" -- java -cp app app.Main
is '--job: -q says nothing' "$status$err$(ls -d "$dir"/quiet/*.jwr | wc -l)" 01
JWEAVE_SUMMARY=1 try -q --job="$dir/quiet" -- java -cp app app.Main
like '... unless it is asked' "$status$err" '0*recording complete:*'
printf '#!/bin/sh\njava -cp app app.Main\njava -cp app app.Main\n' >both.sh
chmod +x both.sh
try --job="$dir/both" -- ./both.sh
like '--job: what there is of a script' "$status$err" "0*jweave: note: 2 recordings in '$dir/both': Main *
jweave: note: where the time went: jweave report $dir/both; in the browser: jweave view $dir/both*"
finish
