#!/bin/sh
# subtypeOf and annotations, as users ask: across archives, the class path and the JDK; default
# methods, bridges, lambdas; what is missing is named; explain shows the way up.
. tests/cli/kit
command -v javac >/dev/null && command -v jar >/dev/null || skip_all 'no JDK'
cd "$dir" || exit 1
mkdir -p src/api src/app api app
cat >src/api/Job.java <<'J'
package api;
public interface Job extends Runnable {
	default int twice(int n) { for (int i = 0; i < 2; i++) run(); return n * 2; }
	static int count(Job... jobs) { int n = 0; for (Job j : jobs) n += j.twice(1); return n; }
}
J
cat >src/api/Base.java <<'J'
package api;
@Marked public abstract class Base<T> implements Job, Comparable<T> {
	@Noted public int key() { int k = 0; for (int i = 0; i < 9; i++) k += i; return k; }
}
J
cat >src/api/Marked.java <<'J'
package api;
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) public @interface Marked {}
J
cat >src/api/Noted.java <<'J'
package api;
public @interface Noted {}
J
cat >src/app/A.java <<'J'
package app;
public class A extends api.Base<A> {
	public void run() { for (int i = 0; i < 3; i++) System.out.print(""); }
	public int compareTo(A other) { return Integer.compare(key(), other.key()); }
	@Override public int key() { return super.key() + 1; }
	static class Inner extends A { @Override public void run() { super.run(); } }
}
J
cat >src/app/Sum.java <<'J'
package app;
public class Sum extends java.util.concurrent.RecursiveTask<Integer> {
	@Override protected Integer compute() { int s = 0; for (int i = 0; i < 9; i++) s += i; return s; }
	@api.Noted static void other() { System.out.println(new Sum().invoke()); }
	public static void main(String[] a) throws Exception {
		api.Job lambda = () -> System.out.println("ran");
		System.out.println(api.Job.count(lambda, new A(), new A.Inner()));
		other();
	}
}
J
javac -g -d api src/api/*.java && javac -g -cp api -d app src/app/*.java || skip_all 'javac does not work'
jar cf api.jar -C api . && jar cf app.jar -C app . || skip_all 'jar does not work'
mkdir both && cp -r api/. app/. both && jar cfe both.jar app.Sum -C both .

chosen() { # chosen SELECT IN [OPTIONS]: the methods that it chooses
	echo "{ \"jweave\": 1, \"rules\": [ { \"id\": \"r\", \"select\": { $1 } } ] }" >r.json
	shift
	in=$1
	shift
	run list --no-guard -r r.json "$@" "$in"
	out=$(printf '%s\n' "$out" | awk '{ print $3 "#" $4 $5 $6 }' | sort | tr '\n' ' ')
}
runnable='"subtypeOf": "java.lang.Runnable"'
chosen "$runnable" both.jar
is 'in one archive: interfaces, their default and static methods, all below' "$out" \
	'api.Base#key():int api.Job#count(api.Job[]):int api.Job#twice(int):int app.A#compareTo(app.A):int app.A#key():int app.A#run():void app.A$Inner#run():void '
chosen "$runnable" app.jar
is 'a missing supertype: what is above it cannot match' "$out" '# '
is 'and it is named' "$err" "jweave: note: 'api.Base', a supertype of 'app.A', was not found: subtypeOf may miss classes (name its jar with -cp)
jweave: note: no method is chosen; 'jweave explain' says why"
chosen "$runnable" app.jar -cp api.jar
is 'on the class path' "$out$err" 'app.A#compareTo(app.A):int app.A#key():int app.A#run():void app.A$Inner#run():void '
chosen "$runnable" app.jar -cp nowhere.jar:api
is 'a folder on the class path, after a jar that is not there' "$out" \
	'app.A#compareTo(app.A):int app.A#key():int app.A#run():void app.A$Inner#run():void '
like 'which is named' "$err" "*nowhere.jar*"
chosen '"subtypeOf": "java.util.concurrent.Future"' app.jar
is 'types of the JDK between: RecursiveTask, ForkJoinTask, Future' "$out" 'app.Sum#compute():java.lang.Integer app.Sum#lambda$main$0():void app.Sum#main(java.lang.String[]):void app.Sum#other():void '
chosen '"subtypeOf": "java.lang.Comparable", "method": "compareTo"' both.jar
is 'a generic method: its body, not its bridge' "$out" 'app.A#compareTo(app.A):int '
chosen '"subtypeOf": "java.lang.Comparable", "class": "app.A", "method": "compareTo", "kind": "bridge"' both.jar
is 'the bridge, when asked for' "$out" 'app.A#compareTo(java.lang.Object):int '
chosen '"subtypeOf": "app.A"' both.jar
is 'the type itself is one of its subtypes' "$out" 'app.A#compareTo(app.A):int app.A#key():int app.A#run():void app.A$Inner#run():void '
chosen '"subtypeOf": [ "api.Job", "!app.A" ]' both.jar
is 'a subtype of one, of another not' "$out" 'api.Base#key():int api.Job#count(api.Job[]):int api.Job#twice(int):int '
chosen '"classAnnotation": "api.Marked"' both.jar
is 'an annotation of the class; nothing is inherited' "$out" 'api.Base#key():int '
chosen '"methodAnnotation": "api.Noted"' both.jar
is 'of methods, also where it is not visible at run time' "$out" 'api.Base#key():int app.Sum#other():void '

# ---- what was chosen is what runs ----
echo "{ \"jweave\": 1, \"rules\": [ { \"id\": \"r\", \"select\": { $runnable } } ] }" >r.json
run --no-guard both.jar r.json out.jar
is 'and woven' "$status${out%% in*}" '0wove 7 of 12 methods'
is 'the woven program says the same' "$(JWEAVE=off java -jar out.jar)" "$(java -jar both.jar)"

run --no-guard --json -r r.json -o parts app.jar api.jar
is 'two archives, woven in one run: supertypes in the other one' "$status $(printf %s "$out" | perl -MJSON::PP -e 'local $/;
	print join " ", map { "$_->{in} $_->{woven}" } @{ decode_json(<>) }')$err" '0 app.jar 4 api.jar 3'

# ---- explain ----
run explain --no-guard -r r.json -cp api.jar app.jar 'app.A$Inner#run'
is 'explain shows the way up' "$out" 'app.A$Inner#run():void  (5 bytes of code, app/A$Inner.class)
  => woven: traced by the last matching rule
     r (r.json:1)
       subtypeOf: app.A$Inner -> app.A -> api.Base -> api.Job -> java.lang.Runnable

The last matching rule decides. A top-level exclude always wins. -v shows every rule.'
echo '{ "jweave": 1, "rules": [ { "id": "f", "select": { "anyOf": [ "a.B", { "subtypeOf": "java.util.concurrent.Future" } ] } } ] }' >f.json
run explain --json -r f.json app.jar 'app.Sum#compute():java.lang.Integer'
is 'explain --json does, also below anyOf and through the JDK' \
	"$(printf %s "$out" | perl -MJSON::PP -e 'local $/; print join " ", @{decode_json(<>)->[0]{rules}[0]{subtype}}')" \
	'app.Sum java.util.concurrent.RecursiveTask java.util.concurrent.ForkJoinTask java.util.concurrent.Future'
cat >c.json <<'J'
{ "jweave": 1, "rules": [ { "id": "c", "on": "call", "select": { "subtypeOf": "java.util.concurrent.Future", "method": "invoke" } } ] }
J
run explain -r c.json app.jar 'app.Sum#other'
like 'explain: of calls, too' "$out" '*calls app.Sum.invoke():java.lang.Object, line 4
*subtypeOf: app.Sum -> java.util.concurrent.RecursiveTask -> java.util.concurrent.ForkJoinTask -> java.util.concurrent.Future*'
finish
