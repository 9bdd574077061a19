#!/bin/sh
# The Maven plugin, from a local repository, in a project of three modules: fresh with two threads, up to date, rules
# changed, failing; the program is unpacked where nobody else can write; the woven bytes are those of the command line.
# Tests are traced by a line of the pom, and by jweave run; what is built is the same without.
# Slow: 60 s, starts Maven eight times.
. tests/cli/kit
command -v mvn >/dev/null || skip_all 'no Maven'
. tests/cli/plugin_kit
built_twice maven-plugin 'no Maven here' 'the jars of Maven are not where they are looked for'
ok 'sums are right' "$(cd "$dir/one" && find . -name '*.jar' -o -name '*.pom' | while read -r f; do
	[ "$(cat "$f.sha1")" = "$(sha1sum <"$f" | cut -d' ' -f1)" ] || echo "$f"
done | grep -q . && echo 1 || echo 0)"
# what goals can be told has a field in their class
fields=$(javap -p -cp "$(ls "$dir"/one/org/jweave/jweave-maven-plugin/*/*.jar)" org.jweave.maven.WeaveMojo org.jweave.maven.ReportMojo org.jweave.maven.TraceTestsMojo org.jweave.maven.RulesMojo org.jweave.maven.JweaveMojo)
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
finish
