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
	public static void main(String[] a) { System.out.println("did " + act(a) + " " + System.getProperty("jweave.max_size")); }
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
like 'an argument file of JDK_JAVA_OPTIONS' "$status $out $names" "0 did 4 null $traced"
try -- java -Djava.class.path=app.jar app.Main a
like 'java.class.path as an option' "$status $out $names" "0 did 4 null $traced"
try -- java -cp nowhere -Djava.class.path=app app.Main a
like '... counts where it is the last one, also of a folder' "$status $out $names" "0 did 4 null $traced"

# ---- the word java where it is no launcher ----
printf '#!/bin/sh\n[ "$2" = java ] && exec java -cp app app.Main "$@"\n[ "$1" = -jar ] && exec java -jar app.jar "$@"\n' >bench.sh && chmod +x bench.sh
try -v -- ./bench.sh --lang java
like 'java is what a script is told' "$status $out $names" "0 did 13 null $traced"
is '... and nothing warns' "$(printf '%s\n' "$err" | grep -c 'warning')" 0
try -- ./bench.sh -jar foo.jar
like 'so is -jar' "$status $out $names" "0 did 14 null $traced"
is '... of a jar that we need not know' "$(grep -c foo.jar .err)" 0
try -- env X=1 sh bench.sh --lang java
like '... of a shell, after env' "$status $out $names" "0 did 13 null $traced"
mkdir tools && printf '#!/bin/sh\nexec java -cp app app.Main "$@"\n' >tools/mvn && chmod +x tools/mvn
PATH=$PWD/tools:$PATH try -- mvn -f java test
like 'a folder called java, and the name of a goal' "$status $out $names" "0 did 13 null $traced"
for words in 'env X=1 nice -n 5' 'timeout 10' nohup; do
	try -- $words java -jar app.jar a
	like "$words java" "$status $out $names" "0 did 4 null $traced"
done
try -- nice java -jar foo.jar
like 'a jar that is not there, after what starts java' "$err" "*jweave: warning: there is no 'foo.jar'*"

finish
