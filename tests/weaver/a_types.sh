#!/bin/sh
# subtypeOf, annotations and the other keys that need an open class, on classes that javac wrote.
# Slow: 10 s, whole modules of the JDK are looked through.
set -u
. tests/weaver/a_kit
jweave=$BUILD/jweave
cd "$work" || exit 1
have javac && have jar || { echo "1..0 # SKIP no JDK"; exit 0; }

mkdir -p lib/ext app/acme app/acme/sub
cat >lib/ext/Task.java <<'END'
package ext;
public interface Task<T> { T call(T t); default int size() { int n = 0; for (int i = 0; i < 9; i++) n += i; return n; } }
END
cat >lib/ext/Base.java <<'END'
package ext;
public abstract class Base extends Root implements Runnable { public void base() { System.out.println("base"); } }
END
cat >lib/ext/Root.java <<'END'
package ext;
public class Root { public void root() { System.out.println("root"); } }
END
cat >app/acme/Marks.java <<'END'
package acme;
import java.lang.annotation.*;
public class Marks {
	@Retention(RetentionPolicy.RUNTIME) @interface Meta { }
	@Meta @Retention(RetentionPolicy.RUNTIME) public @interface Seen { String[] value() default {}; Meta[] more() default {}; }
	@Retention(RetentionPolicy.CLASS) public @interface Hidden { int n() default 1; }
	@Retention(RetentionPolicy.SOURCE) public @interface Gone { }
}
END
cat >app/acme/App.java <<'END'
package acme;
import java.util.*;
import ext.*;
@Marks.Hidden(n = 2) class Job extends Base implements Task<String> {
	public void run() { System.out.println("run"); }
	@Marks.Seen({ "a", "b" }) public String call(String s) { System.out.println(s); return s; }
	@Marks.Hidden @Marks.Seen(more = @Marks.Meta) void both() { System.out.println("both"); }
	@Marks.Gone void gone() { System.out.println("gone"); }
}
class Deep extends Job { void deep() { System.out.println("deep"); } }
class Rows extends ArrayList<String> { void rows() { System.out.println("rows"); } }
class Work extends Thread { public void run() { System.out.println("work"); } }
class Err extends java.io.FileNotFoundException { void err() { System.out.println("err"); } }
@Marks.Seen class Plain { void plain() { System.out.println("plain"); } @Deprecated void old() { System.out.println("old"); } }
interface Local extends Task<Integer> { default void local() { System.out.println("local"); } }
enum Color implements Comparator<String> { RED { void shade() { System.out.println("shade"); } };
	public int compare(String a, String b) { System.out.println(a); return 0; } void shade() { System.out.println("none"); } }
record Point(int x) implements java.io.Serializable { int twice() { System.out.println(x); return 2 * x; } }
END
javac --release 17 -d libc lib/ext/*.java && javac --release 17 -cp libc -d appc app/acme/*.java || exit 1
jar cf lib.jar -C libc . && jar cf app.jar -C appc . && jar cf all.jar -C libc . -C appc . || exit 1

select_rules() { # select_rules JSON: rules that choose by this
	printf '{"jweave":1,"rules":[{"id":"r","select":%s}]}' "$1" >"$work/rules.json"
}
methods() { # methods INPUT [OPTIONS]: what is chosen, sorted, "Class.method" each
	in=$1
	shift
	timeout 60 "$jweave" list --no-guard --json -r rules.json "$@" "$in" 2>list.err |
		sed -n 's/.*"class": *"acme\.\([^"]*\)".*"method": *"\([^"(]*\).*/\1.\2/p' | sort -u | tr '\n' ' '
}
chosen() { # chosen NAME JSON WANT INPUT [OPTIONS]
	name=$1 json=$2 want=$3
	shift 3
	select_rules "$json"
	is "$name" "$(methods "$@")" "${want:+$want }"
}
quiet() { [ ! -s list.err ] || { cat list.err; return 1; }; }

# ---- subtypeOf ----
job='Deep.deep Job.both Job.call Job.gone Job.run'
chosen 'the type itself and below it, in the jar' '{"subtypeOf":"acme.Job"}' "$job" app.jar
chosen 'a super class in another jar, on the class path' '{"subtypeOf":"ext.Base"}' "$job" app.jar -cp lib.jar
check 'nothing is missing then' quiet
chosen 'two steps up, in a folder on the class path' '{"subtypeOf":"ext.Root"}' "$job" app.jar --classpath=none.jar:libc
check 'a part of the class path that is not there is named' says "class path: 'none.jar' does not exist" list.err
mkdir jars && cp lib.jar jars/b.jar && cp m.mf jars/a.txt 2>/dev/null
chosen 'jars of a folder' '{"subtypeOf":"ext.Root"}' "$job" app.jar -cp 'jars/*'
chosen 'the JDK, through the class path' '{"subtypeOf":"java.lang.Runnable","class":"!**.Work"}' "$job" app.jar -cp lib.jar
chosen 'in the jar itself' '{"subtypeOf":"ext.Root"}' "$job" all.jar
chosen 'the JDK: a class, an interface far up' '{"subtypeOf":["java.util.Collection","java.lang.Thread"]}' 'Rows.rows Work.run' app.jar
chosen 'the JDK: deep, by a wildcard' '{"subtypeOf":"java.io.IO*"}' 'Err.err' app.jar
chosen 'the JDK: interfaces of enums and records' '{"subtypeOf":"java.util.Comparator"}' \
	'Color$1.shade Color.compare Color.shade Color.valueOf Color.values' app.jar
chosen 'the JDK: Record and Serializable' '{"subtypeOf":"java.lang.Record","method":"t*"}' 'Point.toString Point.twice' app.jar
chosen 'an interface with default methods' '{"subtypeOf":"ext.Task","method":"!call"}' \
	'Deep.deep Job.both Job.gone Job.run Local.local' app.jar -cp lib.jar
chosen 'all of them together' '{"subtypeOf":"java.lang.Runnable","method":"*","not":{"subtypeOf":"ext.*"}}' 'Work.run' app.jar -cp lib.jar
chosen 'a negated one' '{"subtypeOf":["!java.lang.Runnable","!java.lang.Throwable"],"method":"*o*d"}' 'Plain.old' app.jar -cp lib.jar
chosen 'bridges of generics, when asked for' '{"subtypeOf":"ext.Task","kind":"bridge"}' 'Job.call' app.jar -cp lib.jar
chosen 'bridges are left out otherwise' '{"subtypeOf":"ext.Task","method":"call"}' 'Job.call' app.jar -cp lib.jar
check 'and none of them is a bridge' sh -c "'$jweave' list -r rules.json -cp lib.jar app.jar | grep -c call | grep -qx 1"

chosen 'what is missing hides the rest' '{"subtypeOf":"ext.Root"}' '' app.jar
check 'and is named' says "'ext.Base', a supertype of 'acme.Job', was not found" list.err
check 'once' sh -c "grep -c ext.Base list.err | grep -qx 1"
chosen 'only what a question led to' '{"subtypeOf":"java.lang.Thread","class":"acme.Rows"}' '' app.jar
check 'is named as missing' quiet

# ---- the same when weaving ----
select_rules '{"subtypeOf":"ext.Root"}'
weave() { timeout 60 "$jweave" --runtime=none --no-guard -r rules.json -o "$1" "$2"; }
run() { # run OUT OPTIONS: weaves app.jar
	out=$1
	shift
	timeout 60 "$jweave" --runtime=none --no-guard "$@" app.jar rules.json "$out" >woven.txt 2>woven.err
}
check 'weaving asks the same' run one.jar -cp lib.jar -j1
check 'as many methods' says 'wove 5 of' woven.txt
check 'two threads' run two.jar -cp lib.jar -j2
check 'the same bytes' cmp one.jar two.jar
check 'without the class path' run three.jar
check 'nothing' says 'wove 0 of' woven.txt
check 'and a note' says "'ext.Base', a supertype of 'acme.Job', was not found" woven.err
mkdir -p BOOT-INF/lib && cp lib.jar BOOT-INF/lib/ && jar cf0 boot.jar BOOT-INF/lib/lib.jar -C appc .
chosen 'archives inside the archive count' '{"subtypeOf":"ext.Root"}' "$job" boot.jar --nested=none
chosen 'a folder' '{"subtypeOf":"ext.Root"}' "$job" appc -cp lib.jar
check 'standard input' sh -c "'$jweave' list --no-guard -cp lib.jar -r rules.json - <app.jar | grep -q deep"
check 'explain' sh -c "'$jweave' explain --no-guard -cp lib.jar -r rules.json app.jar acme.Deep | grep -q traced"

# ---- hostile: a circle, and a name that leads out of a folder ----
mkdir -p c1/q c2/q && echo 'package q; public class A extends B { void a() { System.out.println(1); } }' >c1/q/A.java &&
	echo 'package q; public class B { }' >c1/q/B.java && javac -d c1c c1/q/*.java &&
	echo 'package q; public class B extends A { }' >c2/q/B.java && echo 'package q; public class A { }' >c2/q/A.java && javac -d c2c c2/q/*.java
cp c2c/q/B.class c1c/q/B.class
jar cf circle.jar -C c1c .
check 'a circle of types ends' sh -c "timeout 10 '$jweave' list -r rules.json circle.jar"

# ---- calls: recursion of a private method is no call of what it overrides ----
mkdir -p rec/acme && cat >rec/acme/Rec.java <<'END'
package acme;
class Up { int up(int n) { return n; } }
class Rec extends Up {
	private int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
	@Override int up(int n) { return super.up(fact(n)); }
}
END
printf '{"jweave":1,"rules":[{"on":"call","select":{"subtypeOf":"acme.Up"}}]}' >rules.json
for release in 8 17; do
	javac -nowarn --release $release -d rec$release rec/acme/Rec.java 2>/dev/null || exit 1
	is "calls of private methods, release $release" "$("$jweave" list -r rules.json rec$release 2>&1 |
		grep -o '[a-z]*(int):int -> acme.Rec.fact' | tr '\n' ' ')" 'fact(int):int -> acme.Rec.fact up(int):int -> acme.Rec.fact '
done

# ---- annotations ----
chosen 'a class by an annotation seen at run time' '{"classAnnotation":"acme.Marks$Seen"}' 'Plain.old Plain.plain' app.jar
chosen 'and by one that only the class file has' '{"classAnnotation":"acme.Marks$Hidden"}' 'Job.both Job.call Job.gone Job.run' app.jar
chosen 'methods' '{"methodAnnotation":"acme.Marks$Seen"}' 'Job.both Job.call' app.jar
chosen 'methods by one of several, hidden' '{"methodAnnotation":"**$Hidden"}' 'Job.both' app.jar
chosen 'an annotation that the compiler drops' '{"methodAnnotation":"**$Gone"}' '' app.jar
chosen 'annotations of annotations do not count' '{"classAnnotation":"**$Meta"}' '' app.jar
chosen 'a negated one' '{"class":"acme.Plain","methodAnnotation":"!java.lang.Deprecated"}' 'Plain.plain' app.jar
chosen 'a regular expression' '{"methodAnnotation":"re:.*\\.Depre.*"}' 'Plain.old' app.jar
line() { printf '{"jweave":1,"rules":[{"match":"%s"}]}' "$1" >"$work/rules.json"; [ "$(methods app.jar)" = "$2 " ] || { methods app.jar; return 1; }; }
check 'in a match line, of the class' line '@acme.Marks$Seen **' 'Plain.old Plain.plain'
check 'in a match line, of the method' line 'public @acme.Marks$Seen **#call(..)' 'Job.call'
check 'two of them' line '@**.Marks$Seen @**.Marks$Hidden **#*' 'Job.both'

# ---- bodies of lambda expressions ----
mkdir -p fun/acme && cat >fun/acme/Fun.java <<'END'
package acme;
import java.util.concurrent.*;
import java.util.function.*;
interface Late extends Runnable { }
public class Fun {
	int n;
	Runnable fixed() { return () -> System.out.println("fixed"); }
	Late late() { return () -> System.out.println(n); }
	Callable<Integer> call() { return () -> { System.out.println("call"); return 1; }; }
	Supplier<Integer> supply() { return () -> { System.out.println("supply"); return 1; }; }
	Runnable both() { return (Runnable & Cloneable) () -> System.out.println("both"); }
	Runnable named() { return this::body; }
	Callable<Fun> made() { return Fun::new; }
	Runnable other() { return System.out::println; }
	void body() { System.out.println("body"); }
	void apart() { System.out.println("apart"); }
}
END
javac --release 17 -d func fun/acme/Fun.java && jar cf fun.jar -C func .
of() { chosen "$1" "{\"method\":[\"lambda\$*\",\"body\",\"apart\"],\"lambdaOf\":$2}" "$3" fun.jar; }
of 'of an interface, and of what extends it' '"java.lang.Runnable"' 'Fun.body Fun.lambda$both$4 Fun.lambda$fixed$0 Fun.lambda$late$1'
of 'of one alone' '"acme.Late"' 'Fun.lambda$late$1'
of 'of either' '["java.util.concurrent.Callable","*.Late"]' 'Fun.lambda$call$2 Fun.lambda$late$1'
of 'of none' '"java.util.Comparator"' ''
of 'no lambda expression' '"!java.util.**"' 'Fun.apart Fun.body Fun.lambda$both$4 Fun.lambda$fixed$0 Fun.lambda$late$1'

# Those of other compilers: as Scala names them, where a method that converts calls the body; as a tool renamed them.
mkdir -p scala/acme && cat >scala/acme/Clos.java <<'END'
package acme;
import java.util.concurrent.Callable;
public class Clos {
	static Callable<Integer> call() { return () -> { System.out.println("call"); return 1; }; }
	static Callable<Integer> adapted() { return Clos::$anonfun$x$1$adapted; }
	static Integer $anonfun$x$1$adapted() { return $anonfun$x$1(); }
	static int $anonfun$x$1() { System.out.println("x"); return 1; }
	static Runnable run() { return () -> System.out.println("run"); }
}
END
javac --release 17 -d scalac scala/acme/Clos.java || exit 1
perl -pi -e 's/lambda\$call\$0/\$anonfun\$ca\$0/; s/lambda\$run\$1/obfuscated12/' scalac/acme/Clos.class
jar cf scala.jar -C scalac .
chosen 'a wildcard has bodies of lambda expressions of any compiler' '{"class":"acme.**","method":["$anon*","ob*"]}' \
	'Clos.$anonfun$ca$0 Clos.$anonfun$x$1 Clos.$anonfun$x$1$adapted Clos.obfuscated12' scala.jar
chosen 'by their kind' '{"class":"acme.**","kind":"lambda"}' 'Clos.$anonfun$ca$0 Clos.obfuscated12' scala.jar
chosen 'lambdaOf has the body, and not what converts and calls it' '{"lambdaOf":"java.util.concurrent.Callable"}' \
	'Clos.$anonfun$ca$0 Clos.$anonfun$x$1' scala.jar

# ---- many inputs: what one lacks, another one has ----
mkdir -p sib/ext sib/app many
echo 'package ext; public class Worker extends Thread { public void run() { System.out.println("works"); } }' >sib/Worker.java
echo 'public class Main { public static void main(String[] a) throws Exception { ext.Worker w = new ext.Worker(); w.start(); w.join(); } }' >sib/Main.java
javac --release 17 -d sib/ext sib/Worker.java && javac --release 17 -cp sib/ext -d sib/app sib/Main.java || exit 1
jar cf many/zlib.jar -C sib/ext . && jar cf many/app.jar -C sib/app . || exit 1
echo '{"jweave":1,"include":["preset:jdk-threads"],"rules":[]}' >threads.json
is 'alone it does not know' "$("$jweave" -r threads.json -o alone many/app.jar)" 'wove 0 of 2 methods in 0 classes -> alone/app.jar'
is 'a class path says it' "$("$jweave" -cp many/zlib.jar many/app.jar threads.json said.jar 2>&1)" \
	'wove 0 of 2 methods and 2 calls in 1 class -> said.jar'
is 'a tree knows' "$("$jweave" -r threads.json -o whole ./many)" 'wove 0 of 2 methods and 2 calls in 1 class -> whole/many/app.jar
wove 1 of 2 methods in 1 class -> whole/many/zlib.jar'
is 'so do inputs one by one' "$("$jweave" -r threads.json --depfile=dep -o each many/app.jar many/zlib.jar | head -n 1)" \
	'wove 0 of 2 methods and 2 calls in 1 class -> each/app.jar'
is 'and make is told' "$(grep -c '^each/app.jar: many/app.jar' dep) $(tr -d '\\\n' <dep | grep -c 'each/app.jar:[^:]*many/zlib.jar')" '1 1'

# ---- source, minLines ----
chosen 'the source file' '{"source":"App.java","method":"plain"}' 'Plain.plain' app.jar
chosen 'another source file' '{"source":"M*.java","method":"plain"}' '' app.jar
cat >Lines.java <<'END'
package acme;
class Lines {
	void one() { System.out.println(1); }
	void three() {
		System.out.println(1);
		System.out.println(2);
	}
}
END
javac -d linesc Lines.java && jar cf lines.jar -C linesc . || exit 1
chosen 'distinct lines' '{"code":{"minLines":3}}' 'Lines.three' lines.jar
finish
