#!/bin/sh
# The Maven plugin, from a local repository, in a project of three modules: fresh with two threads, up to date, rules
# changed, failing; the program is unpacked where nobody else can write; the woven bytes are those of the command line.
# Tests are traced by a line of the pom, and by jweave run; what is built is the same without.
# Goals that make the archive anew may be after it in the POM.
# Slow: 95 s, starts Maven seventeen times.
. tests/cli/kit
command -v mvn >/dev/null || skip_all 'no Maven'
. tests/cli/plugin_kit
built_twice maven-plugin 'no Maven here' 'the jars of Maven are not where they are looked for'
ok 'sums are right' "$(cd "$dir/one" && find . -name '*.jar' -o -name '*.pom' | while read -r f; do
	[ "$(cat "$f.sha1")" = "$(sha1sum <"$f" | cut -d' ' -f1)" ] || echo "$f"
done | grep -q . && echo 1 || echo 0)"
# what goals can be told has a field in their class
fields=$(javap -p -cp "$(ls "$dir"/one/org/jweave/jweave-maven-plugin/*/*.jar)" org.jweave.maven.WeaveMojo org.jweave.maven.ReportMojo org.jweave.maven.TraceTestsMojo org.jweave.maven.RulesMojo org.jweave.maven.JweaveMojo org.jweave.maven.HelpMojo)
odd=$(perl share/maven-plugin/plugin.pl 1 | sed -n 's/.*<parameter><name>\([a-z]*\)<.*/\1/p' | sort -u | while read -r name; do
	case $fields in *" $name;"*) ;; *) echo "$name" ;; esac
done)
is 'each parameter is a field' "$odd" ''

# a repository: what Maven itself needs from one that is here, ours beside it
mkdir -p "$dir/m2/org"
for folder in "$m2"/*; do [ "${folder##*/}" = org ] || [ ! -e "$folder" ] || ln -s "$folder" "$dir/m2/"; done
for folder in "$m2"/org/*; do [ "${folder##*/}" = jweave ] || [ ! -e "$folder" ] || ln -s "$folder" "$dir/m2/org/"; done
cp -r "$dir/one/org/jweave" "$dir/m2/org"

# modules without plugins of Maven's own: classes that are there, and an archive
p=$dir/project
mkdir -p "$p/rules"
javac -nowarn --release 8 -Xlint:-options -d "$dir/classes" share/examples/maven/src/main/java/com/acme/Hello.java
for module in a b c; do
	mkdir -p "$p/$module/target"
	cp -r "$dir/classes" "$p/$module/target/classes"
	cat >"$p/$module/pom.xml" <<P
<project xmlns="http://maven.apache.org/POM/4.0.0">
	<modelVersion>4.0.0</modelVersion>
	<parent><groupId>com.acme</groupId><artifactId>all</artifactId><version>1</version></parent>
	<artifactId>$module</artifactId><packaging>pom</packaging>
</project>
P
done
jar --create --file "$p/a/target/app.jar" --main-class com.acme.Hello -C "$p/a/target/classes" .
sed -i 's|</artifactId><pack|</artifactId><properties><jweave.input>${project.basedir}/target/app.jar</jweave.input></properties><pack|' "$p/a/pom.xml"
cp share/examples/maven/rules/*.json "$p/rules"
cat >"$p/pom.xml" <<P
<project xmlns="http://maven.apache.org/POM/4.0.0">
	<modelVersion>4.0.0</modelVersion>
	<groupId>com.acme</groupId><artifactId>all</artifactId><version>1</version><packaging>pom</packaging>
	<modules><module>a</module><module>b</module><module>c</module></modules>
	<build><plugins><plugin>
		<groupId>org.jweave</groupId><artifactId>jweave-maven-plugin</artifactId><version>$version</version>
		<configuration><rules>\${maven.multiModuleProjectDirectory}/rules/trace.json</rules></configuration>
		<executions><execution><goals><goal>weave</goal></goals></execution></executions>
	</plugin></plugins></build>
</project>
P
mkdir "$p/.mvn"
XDG_CACHE_HOME=$dir/cache
MAVEN_OPTS=-XX:TieredStopAtLevel=1
export XDG_CACHE_HOME MAVEN_OPTS
offline=-o
before_mvn=
maven() { # maven WORDS: in $p; its output is in $dir/mvn.log, its status in $status
	(cd "$p" && timeout 120 $before_mvn mvn $offline -B "-Dmaven.repo.local=$dir/m2" "$@") >"$dir/mvn.log" 2>&1
	status=$?
}
may_fetch() { # may_fetch TESTS WHY WORDS: the same of what may have to be fetched first; where it cannot be the rest is skipped
	skipped=$1 why=$2
	shift 2
	maven "$@"
	[ "$status" != 0 ] && grep -qi 'offline mode' "$dir/mvn.log" || return 0
	offline=
	maven "$@"
	[ "$status" = 0 ] || ! grep -qE 'Could not transfer|Unknown host|Connection refused' "$dir/mvn.log" || {
		skip "$skipped" "$why"
		finish
		exit
	}
}
may_fetch 'in a project' 'what Maven itself needs is in no repository here' -T2 package
is 'fresh, two threads' "$status" 0
[ "$status" = 0 ] || sed 's/^/# /' "$dir/mvn.log"
is 'all three are woven, the parent has nothing' "$(grep -c 'INFO. wove 2 of 3 methods' "$dir/mvn.log")$(grep -c 'jweave: all has no classes' "$dir/mvn.log")" 31
"$jweave" -q "$p/a/target/app.jar" "$p/rules/trace.json" "$dir/want.jar"
ok 'the bytes are those of the command line' "$(cmp -s "$dir/want.jar" "$p/a/target/app-traced.jar"; echo $?)"
ok 'and of another module' "$(diff -r "$p/b/target/classes-traced" "$p/c/target/classes-traced" >/dev/null; echo $?)"
is 'the program is where only its user can write' "$(cd "$dir/cache/jweave" && find . | sort | sed 's/[0-9a-f]\{64\}/SUM/' | tr '\n' ' ')$(find "$dir/cache/jweave" ! -perm 700)" \
	'. ./program ./program/SUM ./program/SUM/jweave '

before=$(find "$p"/?/target -name '*traced*' -exec stat -c '%n %y %i' {} + | sort)
touch "$p/a/target/app.jar" "$p/rules"/*.json
maven package
is 'up to date: nothing is done' "$status$(grep -c 'is up to date' "$dir/mvn.log")" 03
is 'by contents, not by times' "$(find "$p"/?/target -name '*traced*' -exec stat -c '%n %y %i' {} + | sort)" "$before"

mkdir "$dir/runs"
(cd "$dir/runs" && timeout 60 java -jar "$p/a/target/app-traced.jar" >/dev/null 2>&1)
printf '{ "jweave": 1, "exclude": [ "com.acme.Hello#main" ], "rules": [] }\n' >"$p/rules/common.json"
ours=org.jweave:jweave-maven-plugin:$version
maven "-Djweave.trace=$(ls "$dir"/runs/trace-*.prv)" package "$ours:list" "$ours:report"
is 'an included rules file changed: woven again, listed, reported' "$status$(grep -c 'INFO. wove 1 of 3 methods' "$dir/mvn.log")" 03
like 'list' "$(cat "$dir/mvn.log")" '*INFO?*com.acme.Hello  fib(int):long*'
like 'report' "$(cat "$dir/mvn.log")" '*INFO?*Hello.fib*'

maven "$ours:report"
like 'without a trace in any module: fails' "$status$(cat "$dir/mvn.log")" "1*jweave: no trace-\*.prv in $p, $p/target or $p/target/jweave, nor in any other module (a woven program*"
mkdir -p "$p/b/target/jweave"
for end in prv pcf row; do cp "$dir"/runs/trace-*.$end "$p/b/target/jweave/trace-tests-1.$end"; done
maven "$ours:report" "$ours:help"
is 'modules without a trace are passed over' "$status$(grep -c 'INFO. jweave: no trace-\*.prv in' "$dir/mvn.log")$(grep -c 'INFO. .* Hello.fib' "$dir/mvn.log")" 031
like 'help' "$(cat "$dir/mvn.log")" '*jweave:weave, in the phase package*<rules> -Djweave.rules
        The rules file. By default ${project.basedir}/jweave.json.*jweave:report*'
maven -Djweave.rules=nowhere.json package
like 'the rules of the command line are before those of the POM' "$status$(cat "$dir/mvn.log")" "1*there is no rules file $p/a/nowhere.json (*"

sum=$(cksum <"$p/a/target/app-traced.jar")
echo '{ "jweave": 1, "ruls": [] }' >"$p/rules/common.json"
maven package
is 'a wrong rules file fails the build' "$status" 1
like 'with its message' "$(cat "$dir/mvn.log")" '*ERROR?*Failed to execute goal org.jweave*rules/common.json:1:16: /ruls: unknown key (did you mean "rules"?)*'
is 'the old archive stays' "$(cksum <"$p/a/target/app-traced.jar")" "$sum"

chmod g+w "$dir"/cache/jweave/program
maven package
like 'a cache that others can write is not used' "$(cat "$dir/mvn.log")" '*cache/jweave/program can be written by others, and programs are run from it*'
chmod g-w "$dir"/cache/jweave/program

# tests: a project with plugins of Maven's own
p=$dir/tested
mkdir -p "$p/src/main/java" "$p/src/test/java"
cp share/examples/tests/Prices.java "$p/src/main/java"
cp share/examples/tests/PricesTest.java "$p/src/test/java"
echo '{ "jweave": 1, "rules": [ { "match": "Prices" } ] }' >"$p/weave.json"
cat >"$p/pom.xml" <<P
<project xmlns="http://maven.apache.org/POM/4.0.0">
	<modelVersion>4.0.0</modelVersion>
	<groupId>com.acme</groupId><artifactId>prices</artifactId><version>1</version>
	<properties>
		<maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target>
		<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
		<project.build.outputTimestamp>2020-01-01T00:00:00Z</project.build.outputTimestamp>
	</properties>
	<dependencies>
		<dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope></dependency>
	</dependencies>
	<build><plugins>
		<plugin><artifactId>maven-surefire-plugin</artifactId><version>3.1.2</version></plugin>
		<plugin><artifactId>maven-jar-plugin</artifactId><version>3.3.0</version></plugin>
		<plugin>
			<groupId>org.jweave</groupId><artifactId>jweave-maven-plugin</artifactId><version>$version</version>
			<executions>
				<execution>
					<id>weave</id><goals><goal>weave</goal></goals>
					<configuration><rules>weave.json</rules></configuration>
				</execution>
			</executions>
		</plugin>
	</plugins></build>
	<profiles><profile><id>trace</id><build><plugins><plugin>
		<groupId>org.jweave</groupId><artifactId>jweave-maven-plugin</artifactId><version>$version</version>
		<executions><execution><id>tests</id><goals>
			<goal>trace-tests</goal>
		</goals></execution></executions>
	</plugin></plugins></build></profile></profiles>
</project>
P
cp -r "$p" "$dir/untraced"
may_fetch 'tests traced' "the plugins of Maven's own, and JUnit, are in no repository here" -Ptrace package
is 'tests traced by a line of the pom' "$status$(grep -c 'jweave: tests are traced, to' "$dir/mvn.log")" 01
[ "$status" = 0 ] || sed 's/^/# /' "$dir/mvn.log"
# (where a plugin had to be fetched, the tests ran before that, too)
run report --tree --threshold=0 "$(ls -t "$p"/target/jweave/trace-tests-*.prv | head -n 1)"
like 'a test, and what it called' "$out" '*PricesTest.refusesWords*Prices.sum*Prices.price*'
traced=$p
p=$dir/untraced
maven package
is 'what is built is the same without' "$status$(cmp "$traced/target/prices-1.jar" "$p/target/prices-1.jar")" 0
is 'so is the woven copy, of another folder' "$(cmp "$traced/target/prices-1-traced.jar" "$p/target/prices-1-traced.jar")" ''
echo '{ "jweave": 1, "ruls": [] }' >"$p/wrong.json"
maven -Djweave.rules=wrong.json "$ours:trace-tests" test
like 'wrong rules fail the build before the tests' "$status$(cat "$dir/mvn.log")" '1*ERROR?*wrong.json:1:16: /ruls: unknown key*'
is 'with nothing run' "$(grep -c 'T E S T S' "$dir/mvn.log")" 0
before_mvn="$jweave run --"
maven test
is 'jweave run -- mvn test' "$status$(grep -cE 'note: (wove|traces) ' "$dir/mvn.log")" 01
like 'and the trace' "$(cat "$p"/trace-*.pcf)" '*PricesTest.sumsPrices*'
before_mvn=

# modules that are built one after the other, by one command, with nothing there before: the first one has no tests, and what
# the second one has is a module of Java's, its tests in several JVMs
p=$dir/fresh
mkdir -p "$p/.mvn" "$p/tested/src/main/java/com/acme" "$p/tested/src/test/java/com/acme"
for class in Prices:main PricesTest:test; do
	{ echo 'package com.acme;'; cat "share/examples/tests/${class%:*}.java"; } >"$p/tested/src/${class#*:}/java/com/acme/${class%:*}.java"
done
for name in B C D E F; do sed "s/PricesTest/Prices${name}Test/" "$p/tested/src/test/java/com/acme/PricesTest.java" >"$p/tested/src/test/java/com/acme/Prices${name}Test.java"; done
echo 'module com.acme { exports com.acme; }' >"$p/tested/src/main/java/module-info.java"
sed -e '/maven.compiler/s/8/11/g' -e 's|<groupId>com.acme</groupId><artifactId>prices.*|<parent><groupId>fresh</groupId><artifactId>all</artifactId><version>1</version></parent><artifactId>tested</artifactId>|' \
	-e '/<profiles>/,/<.profiles>/d' -e '/<executions>/,/<.executions>/d' \
	-e 's|3.1.2</version>|3.1.2</version><configuration><forkCount>2</forkCount><reuseForks>false</reuseForks></configuration>|' "$traced/pom.xml" >"$p/tested/pom.xml"
cat >"$p/pom.xml" <<P
<project xmlns="http://maven.apache.org/POM/4.0.0">
	<modelVersion>4.0.0</modelVersion>
	<groupId>fresh</groupId><artifactId>all</artifactId><version>1</version><packaging>pom</packaging>
	<modules><module>tested</module></modules>
</project>
P
maven "$ours:trace-tests" test "$ours:report"
is 'tests of a module, reported by the same command' "$status$(grep -c "INFO. jweave: no trace-\*.prv in $p," "$dir/mvn.log")" 01
[ "$status" = 0 ] || sed 's/^/# /' "$dir/mvn.log"
is 'of several JVMs, of each' "$(grep -c 'INFO. .*Prices[B-F]*Test.refusesWords' "$dir/mvn.log") $(grep -c 'INFO. jweave: these are the latest 4 of 6 traces of the tests in '"$p"'/tested/target/jweave; -Djweave.trace=FILE names another one' "$dir/mvn.log")" '4 1'
rm "$p"/tested/src/test/java/com/acme/Prices[C-F]Test.java "$p"/tested/target/test-classes/com/acme/Prices[C-F]Test.class
maven "$ours:trace-tests" test "$ours:report"
is 'of these tests alone' "$status$(grep -c 'INFO. .*Prices[B-F]*Test.refusesWords' "$dir/mvn.log")$(grep -c 'these are the latest' "$dir/mvn.log")" 020

# goals after it: of a parent's POM its goal is the first. One makes the archive anew by its name (shade), of one it is
# not known before; a third archive is a war. (The group has a folder of its own in the repository, where it is installed.)
p=$dir/later
later() { # later MODULE PACKAGING PLUGINS
	mkdir -p "$p/$1/src/main/java/com/acme"
	cp share/examples/maven/src/main/java/com/acme/Hello.java "$p/$1/src/main/java/com/acme"
	cat >"$p/$1/pom.xml" <<P
<project xmlns="http://maven.apache.org/POM/4.0.0">
	<modelVersion>4.0.0</modelVersion>
	<parent><groupId>later</groupId><artifactId>all</artifactId><version>1</version></parent>
	<artifactId>$1</artifactId><packaging>$2</packaging>
	<build><plugins>$3</plugins></build>
</project>
P
}
later shaded jar '<plugin><artifactId>maven-shade-plugin</artifactId><version>3.5.0</version>
	<executions><execution><phase>package</phase><goals><goal>shade</goal></goals><configuration>
		<transformers><transformer implementation="org.apache.maven.plugins.shade.resource.ManifestResourceTransformer"><mainClass>com.acme.Hello</mainClass></transformer></transformers>
	</configuration></execution></executions></plugin>'
later whole jar '<plugin><artifactId>maven-assembly-plugin</artifactId><version>3.6.0</version>
	<executions><execution><phase>package</phase><goals><goal>single</goal></goals><configuration>
		<descriptorRefs><descriptorRef>jar-with-dependencies</descriptorRef></descriptorRefs><appendAssemblyId>false</appendAssemblyId>
		<archive><manifest><mainClass>com.acme.Hello</mainClass></manifest></archive>
	</configuration></execution></executions></plugin>'
later web war '<plugin><artifactId>maven-war-plugin</artifactId><version>3.4.0</version><configuration><failOnMissingWebXml>false</failOnMissingWebXml></configuration></plugin>'
sed -e '/<packaging>/d' -e '/<dependencies>/,/<.dependencies>/d' -e '/<profiles>/,/<.profiles>/d' -e 's/weave.json/${maven.multiModuleProjectDirectory}\/weave.json/' \
	-e 's|<groupId>com.acme</groupId><artifactId>prices.*|<groupId>later</groupId><artifactId>all</artifactId><version>1</version><packaging>pom</packaging><modules><module>shaded</module><module>whole</module><module>web</module></modules>|' "$traced/pom.xml" >"$p/pom.xml"
echo '{ "jweave": 1, "rules": [ { "match": "com.acme.**" } ] }' >"$p/weave.json"
mkdir "$p/.mvn"
may_fetch 'goals after it' 'plugins that make archives are in no repository here' install
is 'goals after it' "$status" 0
[ "$status" = 0 ] || sed 's/^/# /' "$dir/mvn.log"
runs() { timeout 60 java -Djweave=off -jar "$p/$1/target/$1-1-traced.jar" 2>&1; }
is 'it waits for one that makes the archive anew: its copy is of that' "$(grep -c 'jweave: weaves after maven-shade-plugin:shade (default), which is after it' "$dir/mvn.log") $(runs shaded)" "1 $(java -cp "$dir/classes" com.acme.Hello)"
is 'what another one has changed is woven again' "$(grep -c 'jweave: maven-assembly-plugin:single (default) has changed whole-1.jar, so it is woven again' "$dir/mvn.log") $(runs whole)" "1 $(java -cp "$dir/classes" com.acme.Hello)"
is 'what is installed' "$(cd "$dir/m2/later" && for at in shaded whole web; do cmp $at/1/$at-1-traced.?ar "$p/$at/target/$at-1-traced".?ar; ls $at/1 | grep traced; done | tr '\n' ' ')" 'shaded-1-traced.jar whole-1-traced.jar web-1-traced.war '
rm "$p/weave.json"
maven package -pl shaded
like 'a failure after that is of its goal' "$status$(cat "$dir/mvn.log")" "1*ERROR?*Failed to execute goal org.jweave:jweave-maven-plugin:$version:weave (weave) on project shaded: jweave: there is no rules file *"
finish
