#!/bin/sh
# jweave run of a program with an agent that needs classes as they were compiled: it runs as it is, and a warning says so. So
# does a note of a jar that is cut.
. tests/cli/run_kit
cd "$dir" || exit 1
mkdir src c agents
cat >src/Main.java <<'J'
package acme;
public class Main { public static void main(String[] a) { System.out.println("ran " + System.getProperty("agent")); } }
J
for class in org.jacoco.agent.rt.internal_1.PreMain org.pitest.boot.HotSwapAgent com.acme.Agent; do
	cat >src/Agent.java <<J
package ${class%.*};
class ${class##*.} { public static void premain(String a) { System.setProperty("agent", "${class#*.}" + a); } }
J
	javac -d agents src/Agent.java || skip_all 'javac does not work'
	printf 'Premain-Class: %s\n' "$class" >manifest
	jar cfm "${class%%.*}.${class##*.}.jar" manifest -C agents "$(echo "$class" | tr . /).class"
done
javac -d c src/Main.java && jar cfe app.jar acme.Main -C c . || exit 1
r() { # r ENV... -- WORDS...: jweave run; $out, $err, $status; how many traces there are
	timeout 60 env "$@" >.out 2>.err </dev/null
	status=$?
	out=$(cat .out)
	err=$(cat .err)
	traces=$(ls trace-*.prv 2>/dev/null | wc -l)
	rm -rf trace-*
}
without="jweave: warning: the program runs without tracing, since %s needs its classes as they were compiled; to trace it, %s"
# shellcheck disable=SC2059
jacoco=$(printf "$without" 'JaCoCo, which measures coverage,' 'run it without JaCoCo (Maven: -Djacoco.skip)')
# shellcheck disable=SC2059
pit=$(printf "$without" 'PIT, which changes them,' 'run the tests without PIT')

r "$jweave" run -- java -javaagent:org.PreMain.jar=x=y -jar app.jar
is 'coverage' "$status$out$err$traces" "0ran jacoco.agent.rt.internal_1.PreMainx=y${jacoco}0"
r "$jweave" run -- java -javaagent:org.HotSwapAgent.jar -cp app.jar acme.Main
is 'mutations' "$status$err$traces" "0${pit}0"
r JAVA_TOOL_OPTIONS='-Dx=y -javaagent:org.PreMain.jar' "$jweave" run -q -- java -jar app.jar
is 'from the environment' "$status$out$traces" '0ran jacoco.agent.rt.internal_1.PreMainnull0'
like 'from the environment: said' "$err" "*$jacoco*"
r "$jweave" run -q -- java -javaagent:com.Agent.jar -jar app.jar
is 'another agent' "$status$out$traces" '0ran acme.Agentnull1'
r "$jweave" run -- java -jar app.jar -javaagent:org.PreMain.jar
is 'what the program gets is no option' "$status$out$traces" '0ran null1'
printf '#!/bin/sh\njava -javaagent:org.PreMain.jar -jar app.jar\njava -javaagent:org.PreMain.jar -jar app.jar\n' >tests && chmod +x tests
r "$jweave" run -- ./tests
is 'a script: said once, and by no other warning' "$status$err$traces" "0${jacoco}0"
r "$jweave" run -- java -javaagent:nowhere.jar -jar app.jar
like 'an agent that is not there: the VM says so' "$status$err$traces" '[1-9]*nowhere.jar*0'

# a jar on the class path that is cut: the program may not need it
head -c 300 app.jar >cut.jar
head -c 300 app.jar >other.txt
r "$jweave" run -- java -cp app.jar:cut.jar acme.Main
like 'a jar that is cut' "$status$out$err$traces" "0ran null*jweave: note: cut.jar: the archive is cut: * it runs without tracing*1"
r "$jweave" run -- java -cp app.jar:other.txt:gone.jar acme.Main
is 'what need be no jar' "$status$out$(printf %s "$err" | grep -c 'without tracing')" '0ran null0'
finish
