#!/bin/sh
# The Gradle plugin, from a local repository, in a project of two modules, with a configuration cache and a build cache:
# fresh, up to date, from the cache, in another folder, rules changed, failing; the woven bytes are those of the command
# line; tests are traced by one line. The Gradle is JW_GRADLE, else one of version 7 or later that is installed, else made
# of jars of a Maven repository here (gradle_home.py).
# Slow: 60 s, starts a JVM that builds, and those of tests.
. tests/cli/kit
. tests/cli/plugin_kit
built_twice gradle-plugin 'no API of Gradle here' 'no API of Gradle (dev.gradleplugins:gradle-api) in a Maven repository here'

gradle=${JW_GRADLE:-}
if [ ! "$gradle" ] && command -v gradle >/dev/null && gradle --version 2>/dev/null | grep -qE '^Gradle ([7-9]|[1-9][0-9])'; then
	gradle=gradle
fi
for of in 8.5 7.6.4; do
	[ "$gradle" ] || ! python3 tests/cli/gradle_home.py "$dir/gradle-$of" $of "$m2" >"$dir/log" 2>&1 || gradle=$dir/gradle-$of/bin/gradle
done
junit=$m2/junit/junit/4.13.2/junit-4.13.2.jar hamcrest=$m2/org/hamcrest/hamcrest-core/1.3/hamcrest-core-1.3.jar
[ -e "$junit" ] || junit=/usr/share/java/junit4.jar hamcrest=/usr/share/java/hamcrest-core.jar
if [ ! "$gradle" ] || [ ! -e "$junit" ] || [ ! -e "$hamcrest" ]; then
	skip 'in a project' 'no Gradle of version 7 or later (JW_GRADLE names one), or no JUnit 4'
	finish
	exit
fi

# a library, and a program whose tests call it
p=$dir/project
mkdir -p "$p/lib/src/main/java/com/acme" "$p/app/src/test/java/com/acme" "$p/rules" "$dir/guh"
in_package() { { echo 'package com.acme;'; cat "share/examples/tests/$1.java"; } >"$p/$2/java/com/acme/$1.java"; }
in_package Prices lib/src/main
in_package PricesTest app/src/test
cat >"$p/settings.gradle" <<G
pluginManagement { repositories { maven { url = uri('$dir/one') } } }
rootProject.name = 'prices'
include 'lib', 'app'
G
cat >"$p/lib/build.gradle" <<G
plugins {
	id 'java'
	id 'org.jweave' version '$version'
}
repositories { maven { url = uri('$dir/one') } }
jar { // the same sources give the same bytes
	preserveFileTimestamps = false
	reproducibleFileOrder = true
}
jweave { rules = rootProject.file('rules/trace.json') }
def fat = tasks.register('fat', Zip) {
	archiveFileName = 'fat.jar'
	destinationDirectory = layout.buildDirectory.dir('libs')
	from sourceSets.main.output
}
tasks.register('byTask', org.jweave.gradle.WeaveJar) { input = fat; output = layout.buildDirectory.file('libs/by-task.jar') }
tasks.register('byFile', org.jweave.gradle.WeaveJar) { input = fat.flatMap { it.archiveFile }; output = layout.buildDirectory.file('libs/by-file.jar') }
tasks.register('byFiles', org.jweave.gradle.WeaveJar) { input = files(fat); output = layout.buildDirectory.file('libs/by-files.jar') }
G
cat >"$p/app/build.gradle" <<G
plugins {
	id 'java'
	id 'org.jweave' version '$version'
}
repositories { maven { url = uri('$dir/one') } }
dependencies {
	implementation project(':lib')
	testImplementation files('$junit', '$hamcrest')
}
jweave { traceTests = true }
G
echo '{ "jweave": 1, "include": [ "common.json" ], "rules": [ { "match": "com.acme.**" } ] }' >"$p/rules/trace.json"
echo '{ "jweave": 1, "rules": [] }' >"$p/rules/common.json"
GRADLE_USER_HOME=$dir/guh XDG_CACHE_HOME=$dir/cache
export GRADLE_USER_HOME XDG_CACHE_HOME
unset GRADLE_OPTS JAVA_OPTS
printf 'org.gradle.daemon.idletimeout=120000\norg.gradle.jvmargs=-Xmx512m -XX:TieredStopAtLevel=1\n' >"$dir/guh/gradle.properties"
before= caches='--configuration-cache --build-cache'
build() { # build WORDS: in $p; its output is in $dir/gradle.log, its status in $status
	# shellcheck disable=SC2086 # words
	(cd "$p" && timeout 300 $before "$gradle" --offline --console=plain $caches "$@") >"$dir/gradle.log" 2>&1
	status=$?
}
task() { # task PATH: what became of it
	sed -n "s/^> Task $1\$/ran/p; s/^> Task $1 //p" "$dir/gradle.log"
}
told() {
	[ "$status" = "$1" ] || sed 's/^/# /' "$dir/gradle.log"
}
build build
is 'fresh' "$status$(grep -c '^wove 2 of 3 methods' "$dir/gradle.log")" 01
told 0
lib=$p/lib/build/libs
"$jweave" -q "$lib/lib.jar" "$p/rules/trace.json" "$dir/want.jar"
ok 'the bytes are those of the command line' "$(cmp -s "$dir/want.jar" "$lib/lib-traced.jar"; echo $?)"
is 'the program is where only its user can write' "$(find "$dir/cache/jweave/program" ! -perm 700; ls "$dir"/cache/jweave/program/*)" jweave
run report --tree --threshold=0 "$p"/app/build/jweave/test/trace-*.prv
like 'a test, and what it called of another module' "$out" '*PricesTest.refusesWords*Prices.sum*Prices.price*'
is 'what tests were woven for is nowhere in what is built' "$(find "$p" -name '*.class' -exec grep -l jweave {} +; unzip -l "$lib/lib.jar" | grep -c jweave)" 0

build :lib:byTask :lib:byFile :lib:byFiles
is 'another archive, named in three ways' "$status$(cmp "$lib/by-task.jar" "$lib/by-file.jar"; cmp "$lib/by-task.jar" "$lib/by-files.jar"; unzip -l "$lib/by-task.jar" | grep -q META-INF/jweave/ && echo woven)" 0woven
told 0

trace=$(ls "$p"/app/build/jweave/test/trace-*.prv)
build build
is 'up to date' "$status $(task :lib:jweaveJar) $(task :app:jweaveTest) $(task :app:test)" '0 UP-TO-DATE UP-TO-DATE UP-TO-DATE'
like 'by the configuration of before' "$(cat "$dir/gradle.log")" '*Configuration cache entry reused*'
rm -rf "$p/lib/build" "$p/app/build"
build build
is 'from the cache' "$status $(task :lib:jweaveJar) $(task :app:jweaveTest) $(task :app:test)" '0 FROM-CACHE ran FROM-CACHE'
ok 'the same bytes, and the trace' "$(cmp -s "$dir/want.jar" "$lib/lib-traced.jar" && [ -e "$trace" ]; echo $?)"

mkdir "$dir/elsewhere"
cp -r "$p" "$dir/elsewhere/there"
rm -rf "$dir/elsewhere/there/.gradle" "$dir"/elsewhere/there/*/build
p=$dir/elsewhere/there caches=
build :lib:jweaveJar :lib:jweaveClasses
is 'another folder, without caches: the same bytes' "$status$(cmp "$dir/want.jar" "$p/lib/build/libs/lib-traced.jar")" 0
told 0
"$jweave" -q "$p/lib/build/classes/java/main" "$p/rules/trace.json" "$dir/want"
ok 'a folder of classes' "$(diff -r "$dir/want" "$p/lib/build/jweave/classes/java" >/dev/null; echo $?)"
p=$dir/project caches='--configuration-cache --build-cache'

echo '{ "jweave": 1, "exclude": [ "com.acme.Prices#price" ], "rules": [] }' >"$p/rules/common.json"
build assemble :lib:jweaveList :app:jweaveReport
is 'an included rules file changed: woven again' "$status$(grep -c '^wove 1 of 3 methods' "$dir/gradle.log")" 01
told 0
like 'list' "$(cat "$dir/gradle.log")" '*com.acme.Prices  sum(java.util.List):java.math.BigDecimal*'
like 'report' "$(cat "$dir/gradle.log")" '*Prices.sum*'

sum=$(cksum <"$lib/lib-traced.jar")
echo '{ "jweave": 1, "ruls": [] }' >"$p/rules/common.json"
build assemble
like 'a wrong rules file fails the build, with its message' "$status$(cat "$dir/gradle.log")" "1*Execution failed for task ':lib:jweaveJar'.
> jweave: error: *rules/common.json:1:16: /ruls: unknown key (did you mean \"rules\"?)*"
is 'the old archive stays' "$(cksum <"$lib/lib-traced.jar")" "$sum"
build -Pjweave.skip build
is 'skipped' "$status $(task :lib:jweaveJar) $(task :app:jweaveTest)" '0 SKIPPED '
told 0
build --continue -Pjweave.rules=nowhere.json :lib:jweaveJar :app:assemble :app:jweaveTest
for module in lib app; do
	like "no rules file in $module, before that of the build script" "$status$(cat "$dir/gradle.log")" "1*jweave: there is no rules file *$module/nowhere.json (\`jweave init\` writes one*"
done
like 'nor for tests' "$(cat "$dir/gradle.log")" "*Execution failed for task ':app:jweaveTest'*app/nowhere.json: cannot open*"
mv "$p/rules/trace.json" "$p/rules/gone.json"
build assemble
like 'none where the build script names one: nothing is passed over' "$status$(cat "$dir/gradle.log")" "1*Execution failed for task ':lib:jweaveJar'*there is no rules file *rules/trace.json (*"
mv "$p/rules/gone.json" "$p/rules/trace.json"
build jweaveReport
is 'modules without a trace are passed over' "$status$(grep -c "^jweave: no trace-\*.prv in $p/lib, or in or below $p/lib/build/jweave\$" "$dir/gradle.log")$(grep -c ' Prices.sum$' "$dir/gradle.log")" 011
told 0
build :lib:jweaveReport
like 'but not one that is named' "$status$(cat "$dir/gradle.log")" "1*jweave: no trace-\*.prv in $p/lib, or in or below $p/lib/build/jweave (a woven program*"
build -Pjweave.program=/nowhere/jweave -Pjweave.rules=../rules/trace.json :app:jweaveJar
like 'no program' "$status$(cat "$dir/gradle.log")" '1*jweave: /nowhere/jweave is no program that can be run*'

# several JVMs
for name in B C D E F; do sed "s/PricesTest/Prices${name}Test/" "$p/app/src/test/java/com/acme/PricesTest.java" >"$p/app/src/test/java/com/acme/Prices${name}Test.java"; done
echo 'test { forkEvery = 1; maxParallelForks = 2 }' >>"$p/app/build.gradle"
build :app:test :app:jweaveReport
is 'of several JVMs, of each' "$status $(grep -c '  Prices[B-F]*Test.refusesWords' "$dir/gradle.log") $(grep -c "^jweave: these are the latest 4 of 6 traces of the tests in $p/app/build/jweave/test; -Pjweave.trace=FILE names another one" "$dir/gradle.log")" '0 4 1'
told 0
rm "$p"/app/src/test/java/com/acme/Prices[B-F]Test.java
sed -i '/forkEvery/d' "$p/app/build.gradle"

# without the plugin
p=$dir/elsewhere/there
for module in lib app; do
	sed -i -e '/org.jweave/d' -e '/^jweave/d' "$p/$module/build.gradle"
done
ln -s "$gradle" "$dir/gradle" 2>/dev/null || ln -s "$(command -v "$gradle")" "$dir/gradle"
gradle=$dir/gradle before="$jweave run --"
build test
is 'jweave run -- gradle test' "$status$(grep -c '^jweave: note: [wt][a-z]* 4 of [0-9]* methods' "$dir/gradle.log")" 01
told 0
run report --tree --threshold=0 "$p"/app/trace-*.prv
like 'a test, and what it called' "$out" '*PricesTest.refusesWords*Prices.sum*Prices.price*'
like 'what to type next' "$(cat "$dir/gradle.log")" '*jweave: note: where the time went: jweave report app/trace-*'
caches=--configuration-cache
build test
is 'it runs tests that are up to date, and the configuration can be cached' "$status$(ls "$p"/app/trace-*.prv | wc -l)$(grep -c 'Configuration cache entry stored' "$dir/gradle.log")" 021
told 0
build test
is 'but is of this run alone' "$status$(ls "$p"/app/trace-*.prv | wc -l)" 03
told 0
before=
build test
is 'a build without it leaves no trace' "$status$(ls "$p"/app/trace-*.prv | wc -l)" 03

# coverage: an agent that has the name of JaCoCo's
mkdir -p "$dir/agent"
echo 'package org.jacoco.agent.rt; class PreMain { public static void premain(String a) { } }' >"$dir/PreMain.java"
echo 'Premain-Class: org.jacoco.agent.rt.PreMain' >"$dir/manifest"
javac -d "$dir/agent" "$dir/PreMain.java" && jar cfm "$dir/jacocoagent.jar" "$dir/manifest" -C "$dir/agent" . && jar cf "$dir/org.jacoco.agent-0.8.12.jar" -C "$dir" jacocoagent.jar || exit 1
covered() { # covered FOLDER: its build measures coverage
	sed -i "s/id 'java'/&\n\tid 'jacoco'/" "$1/app/build.gradle"
	echo "dependencies { jacocoAgent files('$dir/org.jacoco.agent-0.8.12.jar') }" >>"$1/app/build.gradle"
}
caches=
covered "$p"
before="$jweave run --"
build test
is 'jweave run -- gradle test, with coverage: as it is' "$status$(ls "$p"/app/trace-*.prv | wc -l)$(ls "$p"/app/build/jacoco 2>/dev/null)" 03
without="jweave: :app:test runs without tracing, since JaCoCo, which measures coverage, needs its classes as they were compiled; to trace it: tasks.named('test') { jacoco { enabled = false } }"
like 'and says so' "$(cat "$dir/gradle.log")" "*$without*"
before= p=$dir/project
covered "$p"
build test
like 'the plugin, with coverage: likewise' "$status$(cat "$dir/gradle.log")" "0*$without*"
is 'it weaves nothing for it' "$(task :app:jweaveTest)" ''
"$gradle" --stop >/dev/null 2>&1
finish
