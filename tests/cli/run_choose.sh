#!/bin/sh
# jweave run without rules: what it takes for the application, in programs of many shapes.
# Slow: 20 s, JVMs run one after the other.
. tests/cli/run_kit
cd "$dir" || exit 1

body='public static int work(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }'
class() { # class FOLDER PACKAGE NAME [MORE]: its source, compiled to FOLDER
	mkdir -p "src/$(echo "$2" | tr . /)" "$1"
	file=src/$(echo "$2" | tr . /)/$3.java
	echo "package $2; public class $3 { $body $4 }" >"$file"
	javac -g -cp "$(echo c/* | tr ' ' :)" -d "$1" "$file" || exit 1
}
chosen() { # chosen NAME WANT WORDS...: the packages that `run WORDS` chooses; status, traced methods
	name=$1 want=$2
	shift 2
	timeout 60 "$jweave" run -v -- "$@" >.out 2>.err </dev/null
	status=$?
	is "$name" "$(sed -n 's/^jweave: .*"id": "[^"]*", "match": "\([^"]*\)" },$/\1/p; s/^jweave: *{ "match": "\([^"]*\)" },$/\1/p' .err | tr '\n' ' ')" "$want"
	err=$(cat .err)
	names=$(cat trace-*.pcf 2>/dev/null)
	rm -rf trace-*
}
main() { echo "public static void main(String[] a) throws Exception { System.out.println(work(3)$1); }"; }

# a broker: main class in a package of one part, its libraries called as it is
class c/clients org.apache.kafka.clients Client
class c/zk org.apache.zk Zk 'public static int wake() { Object o = new Object(); synchronized (o) { for (int i = 0; i < 200; i++) o.notifyAll(); } return 1; }'
class c/scala scala Option
class c/log org.apache.logging Level
class c/log org.apache.logging Log 'public static int log() { return Level.work(1); }'
class c/core kafka Broker "$(main ' + org.apache.kafka.clients.Client.work(3) + org.apache.zk.Zk.work(2) + org.apache.zk.Zk.wake() + org.apache.logging.Log.log()')"
class c/core kafka.server Server
mkdir libs
jar cf libs/kafka_2.13-3.7.0.jar -C c/core . && jar cf libs/kafka-clients-3.7.0.jar -C c/clients . && jar cf libs/zk-3.8.jar -C c/zk . && jar cf libs/scala-library.jar -C c/scala . && jar cf libs/log-2.0.jar -C c/log .
chosen 'a broker: jars of its name and version' 'kafka.** org.apache.kafka.** ' java -cp 'libs/*' kafka.Broker
like 'a broker: is traced' "$status$names" '0*kafka.Broker.work*'
like 'a broker: so are its other jars' "$names" '*org.apache.kafka.clients.Client.work*'
jar cf libs/kafka-clients-3.8.0.jar -C c/clients . && rm libs/kafka-clients-3.7.0.jar
chosen 'another version is another program' 'kafka.** ' java -cp 'libs/*' kafka.Broker
like 'little is traced: that is said, and what is not, what logs last, whatever its libraries notify' "$err" \
	"*jweave: note: little of this run is in the trace (2 calls of methods, *. Not traced: org.apache.kafka (1 class loaded), org.apache.zk (1 class loaded), org.apache.logging (2 classes loaded). To choose what is: jweave run -r 'match:org.apache.kafka.**' .., or rules of your own ('jweave init JAR >rules.json' writes some)*"
like 'what to type next is the last line' "$(tail -n 1 .err)" 'jweave: note: where the time went: jweave report trace-*.prv; in the browser: jweave view trace-*.prv'
timeout 60 "$jweave" run -r preset:startup -- java -cp 'libs/*' kafka.Broker >.out 2>.err
is 'who named the rules is not told so of a short run' "$(grep -c 'little of this run' .err)" 0
rm -rf trace-*
timeout 60 "$jweave" run --preset=monitors -- java -cp 'libs/*' kafka.Broker >.out 2>.err
is 'nor who asked for a preset, and has calls of that' "$(grep -c 'little of this run' .err)" 0
rm -rf trace-*
timeout 60 "$jweave" run -r match:kafka.server -- java -cp 'libs/*' kafka.Broker >.out 2>.err
is 'a package for its classes: nothing is chosen, and what was meant' "$(cat .err)" 'jweave: note: the rules choose no method of this program: it runs as it is
jweave: note: match:kafka.server:1:32: "kafka.server" names a class; did you mean "kafka.server.**"?'

# a getter that works is no getter
class c/report shop Report 'public static int getAll() { int n = 0; for (int i = 0; i < 3; i++) n += work(i); return n; } public static int getOne() { return work(1); }'
class c/report shop Main "$(main ' + Report.getAll() + Report.getOne()')"
jar cfe report.jar shop.Main -C c/report .
timeout 60 "$jweave" run -- java -jar report.jar >.out 2>.err
names=$(cat trace-*.pcf) && rm -rf trace-*
like 'a getter with a loop: traced' "$names" '*Report.getAll*'
is '... one without: not' "$(printf '%s\n' "$names" | grep -c Report.getOne)" 0

# what others wrote, in packages of the application; a class in no package
class c/foreign kafka.shaded.proto Proto
echo "public class Bare { $body }" >Bare.java && javac -d c/bare Bare.java
class c/run kafka Run "$(main ' + kafka.shaded.proto.Proto.work(1) + Class.forName("Bare").getName()')"
for p in foreign bare run; do jar cf $p.jar -C c/$p .; done
timeout 60 "$jweave" run -v -- java -cp foreign.jar:bare.jar:run.jar kafka.Run >.out 2>.err
like 'shaded packages are skipped' "$(cat .err)" \
	'*{ "id": "foreign", "action": "skip", "onUnmatched": "ignore",*wove 2 of 3 methods in 1 class of *run.jar*'
like 'a class in no package is named' "$(cat .err)" '*Not traced: the unnamed package (1 class loaded). To choose*'
rm -rf trace-*

# one jar with all, of a company with many projects
class c/guava com.google.common.io Io
class c/fmt com.google.fmt.java Main "$(main ' + com.google.common.io.Io.work(2)')"
mkdir all && cp -r c/fmt/. c/guava/. all
jar cfe all.jar com.google.fmt.java.Main -C all .
chosen 'one jar with all' 'com.google.fmt.** ' java -jar all.jar

# libraries that a build has moved below its own packages
class c/moved acme.com.google.common.io Io
class c/mover net.make Maker
class c/mover com.google.gson Gson
class c/mover acme Main "$(main ' + acme.com.google.common.io.Io.work(2)')"
mkdir moved && cp -r c/moved/. c/mover/. moved
jar cfe moved.jar acme.Main -C moved .
chosen 'libraries that were relocated: what they are in' 'acme.** net.make.** ' java -jar moved.jar
like '... is traced' "$status$names" '0*acme.Main.work*'
like '... a rule leaves them out' "$err" '*{ "id": "relocated", "action": "skip", "onUnmatched": "ignore",
*"match": ["acme.com.google.common.**"?*'
is '... they are not' "$(printf '%s\n' "$names" | grep -c Io.work)" 0
like '... which is said, as of other libraries' "$err" "*Not traced: acme.com.google.common (1 class loaded). To choose what is: jweave run -r 'match:acme.com.google.common.**'*"
chosen 'one that is the program is' 'acme.** acme.com.google.common.** net.make.** ' java -cp moved.jar acme.com.google.common.io.Io

# a library that is the program
class c/h2 org.h2.util Util
class c/h2 org.h2.tools Server "$(main ' + org.h2.util.Util.work(2)')"
jar cf h2.jar -C c/h2 .
chosen 'a library that is the program' 'org.h2.** ' java -cp h2.jar org.h2.tools.Server

# a thin jar beside its libraries, with a package of another name
class c/http io.javalin Javalin
class c/tools net.tools Tool
class c/web com.acme.web App "$(main ' + io.javalin.Javalin.work(2) + net.tools.Tool.work(2)')"
mkdir thin && cp -r c/web/. c/tools/. thin
jar cf libs/javalin-6.1.jar -C c/http .
printf 'Main-Class: com.acme.web.App\nClass-Path: libs/javalin-6.1.jar\n' >m
jar cfm thin.jar m -C thin .
chosen 'a thin jar with a Class-Path' 'com.acme.** net.tools.** ' java -jar thin.jar
chosen 'a thin jar on a class path' 'com.acme.** net.tools.** ' java -cp 'thin.jar:libs/*' com.acme.web.App
chosen 'folders of classes' 'com.acme.** net.tools.** ' java -cp c/web:c/tools:libs/javalin-6.1.jar com.acme.web.App

# Spring Boot: classes below BOOT-INF, modules of the application among the jars inside
class c/loader org.springframework.boot.loader Launcher "$(main)"
class c/mod com.acme.core Core
class c/lib net.lib Lib
mkdir -p boot/BOOT-INF/lib boot/BOOT-INF/classes && cp -r c/loader/. boot && cp -r thin/. boot/BOOT-INF/classes
jar cf boot/BOOT-INF/lib/core.jar -C c/mod . && jar cf boot/BOOT-INF/lib/lib.jar -C c/lib .
printf 'Main-Class: org.springframework.boot.loader.Launcher\nStart-Class: com.acme.web.App\n' >m
jar cfm0 boot.jar m -C boot .
chosen 'a jar of Spring Boot' 'com.acme.** net.tools.** ' java -jar boot.jar

# what only starts others
class c/jmh org.openjdk.jmh Main "$(main)"
mkdir bench && cp -r c/jmh/. c/web/. c/zk/. bench
jar cfe bench.jar org.openjdk.jmh.Main -C bench .
chosen 'benchmarks: not who runs them' 'com.acme.** ' java -jar bench.jar
class c/junit org.junit.platform.console ConsoleLauncher "$(main)"
chosen 'tests: what is in folders' 'com.acme.** ' java -cp c/web:c/junit:libs/javalin-6.1.jar org.junit.platform.console.ConsoleLauncher
chosen '... of a library, of which they are: its own' 'org.apache.zk.** ' java -cp c/zk:c/junit:libs/javalin-6.1.jar org.junit.platform.console.ConsoleLauncher
mkdir plain && jar cf only.jar -C c/zk . 
class c/zk org.apache.zk Run "$(main)"
jar cf only.jar -C c/zk .
chosen 'a launcher beside libraries alone: what there is' 'org.apache.zk.** ' java -cp only.jar:c/junit org.junit.platform.console.ConsoleLauncher

# modules
mkdir -p msrc/com.acme.web msrc/com.acme.web/com/acme/web mout
sed 's/ + io.*work(2)//' src/com/acme/web/App.java >msrc/com.acme.web/com/acme/web/App.java
echo 'module com.acme.web { }' >msrc/com.acme.web/module-info.java
javac -g --module-source-path msrc -d mout -m com.acme.web && mkdir mods &&
	jar cfe mods/web.jar com.acme.web.App -C mout/com.acme.web . && cp libs/javalin-6.1.jar mods
chosen 'modules' 'com.acme.** ' java -p mods -m com.acme.web/com.acme.web.App
chosen 'a module that says its main class itself' 'com.acme.** ' java -p mods -m com.acme.web

# what is in the image, or the program, of a JVM
in_image="jweave: warning: the module 'acme.image' is in the Java image itself, and runs without tracing: weave its jar, and let jlink make the image of that"
timeout 60 "$jweave" run -- java -m acme.image/acme.Main >out 2>err
is 'a module that is on no path' "$(head -n 1 err)" "$in_image"
printf '#!/bin/sh\nexec java -m acme.image/acme.Main\n' >shop && chmod +x shop
timeout 60 "$jweave" run -- ./shop >out 2>err
is '... that a script starts: that is said once' "$(grep '^jweave' err)" "$in_image"
mkdir -p image/bin && printf 'JAVA_VERSION="17"\nMODULES="java.base com.acme.web"\n' >image/release
printf '#!/bin/sh\nexec java "$@"\n' >image/bin/java && chmod +x image/bin/java
in_web="jweave: warning: the module 'com.acme.web' is in the Java image itself, and runs without tracing: *"
timeout 60 "$jweave" run -- image/bin/java -p mods -m com.acme.web >out 2>err
like '... that is in the image and on the path' "$(head -n 1 err)" "$in_web"
timeout 60 "$jweave" run -r match:org.none.** -- image/bin/java -p mods -m com.acme.web/com.acme.web.App >out 2>err
like '... by rules that choose nothing else' "$(cat err)" "$in_web"
sed -i 's/ com.acme.web/ com.acme.webs web/' image/release
timeout 60 "$jweave" run -- image/bin/java -p mods -m com.acme.web >out 2>err
is '... a part of a name is none' "$(grep -c 'image itself' err)" 0
timeout 60 "$jweave" run -- java -m java.base/acme.Main >out 2>err
like '... those of the JDK are none' "$(cat err)" 'jweave: warning: no application classes found to trace: *'

mkdir d && cat >d/Main.java <<J
public class Main { $body $(main) }
J
javac -g -d d d/Main.java && rm d/Main.java
(cd d && timeout 60 "$jweave" run -v -- java Main >../.out 2>../.err)
like 'no package at all' "$(cat .err)" '*"match": "\*" }*wove 2 of 3 methods*'
finish
