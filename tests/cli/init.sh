#!/bin/sh
# jweave init: the packages of the application are on, its libraries are off; what it writes passes
# check, weaves, and traces the application alone.
# Slow: 15 s, JVMs run one after the other.
. tests/cli/kit
command -v javac >/dev/null && command -v jar >/dev/null || skip_all 'no JDK'
cd "$dir" || exit 1

class() { # class PACKAGE NAME [BODY]: a class with a method that is worth a rule
	mkdir -p "src/$(echo "$1" | tr . /)"
	echo "package $1; public class $2 { public static int work(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; } $3 }" \
		>"src/$(echo "$1" | tr . /)/$2.java"
}
class com.acme.app Main 'public static void main(String[] a) { System.out.println(work(3) + com.acme.core.Core.work(4) + org.apache.thing.Thing.work(5) + net.lib.Lib.work(2)); }'
class com.acme.core Core
class org.apache.thing Thing
class net.lib Lib
class my.util Util
mkdir out && javac -g -d out $(find src -name '*.java') || skip_all 'javac does not work'
rules() { sed -n 's/^    \(\/\/ \)*{ "id": "\([^"]*\)", "match".*/\1\2/p' "$1" | tr '\n' ' '; }
try() { # try NAME JAR WANT: the rules that init writes, by id, "// " before those that are off
	run init "$2"
	printf '%s\n' "$out" >init.json
	is "$1" "$(rules init.json)" "$3"
	run check init.json
	is "$1: check" "$status$out" "0init.json: ok ($(rules init.json | sed 's|// [^ ]* ||g' | wc -w | awk '{ print $1 + 1 " rule" ($1 ? "s" : "") }'))"
	run "$2" init.json woven.jar
	is "$1: weaves" "$status$err" 0
}

jar cfe fat.jar com.acme.app.Main -C out .
try 'a fat jar: what is related to its main class' fat.jar 'com.acme.app com.acme.core // my.util // net.lib // org.apache.thing '
rm -f trace-*
is 'a fat jar: the woven program says the same' "$(java -jar woven.jar 2>/dev/null)" "$(java -jar fat.jar)"
is 'a fat jar: its trace has the application alone' \
	"$(sed -n 's/.*\[\([A-Za-z.]*\.work\)(.*/\1/p' trace-*.pcf | sort -u | tr '\n' ' ')" 'com.acme.app.Main.work com.acme.core.Core.work '

jar cf library.jar -C out org -C out net -C out my
try 'without a main class: known libraries are off' library.jar 'my.util net.lib // org.apache.thing '
jar cf thing.jar -C out org
try 'a library itself' thing.jar 'org.apache.thing '

mkdir -p boot/BOOT-INF/classes boot/BOOT-INF/lib boot/org/springframework/boot
jar cf boot/BOOT-INF/lib/lib.jar -C out net
jar cf boot/BOOT-INF/lib/core.jar -C out com/acme/core
mkdir -p boot/BOOT-INF/classes/com/acme && cp -r out/com/acme/app boot/BOOT-INF/classes/com/acme
cp out/my/util/Util.class boot/org/springframework/boot
printf 'Main-Class: org.springframework.boot.Launcher\nStart-Class: com.acme.app.Main\n' >m
jar cfm0 boot.jar m -C boot .
try 'Start-Class, and archives inside: modules of the application are on' boot.jar 'com.acme.app com.acme.core // my.util // net.lib '
mkdir -p war/WEB-INF/classes war/WEB-INF/lib
cp -r out/com war/WEB-INF/classes && cp boot/BOOT-INF/lib/lib.jar war/WEB-INF/lib
jar cf0 app.war -C war .
try 'a web application' app.war 'com.acme.app com.acme.core // net.lib '
jar cf0 app.ear app.war
try 'an archive of archives' app.ear 'com.acme.app com.acme.core net.lib '

# packages that a pattern, an id or JSON cannot say as they are: javac writes them under others as long
mkdir odd
for p in boring unnamed a_b rule_7 q0x q1x q2x q3x q4x q5x q6x q7x q8x q9x qqqqq0 qqqqq1; do
	class "$p" K
	javac -d odd "src/$p/K.java"
done
change() { LC_ALL=C perl -pi -e "s{$1}{$2}g" "odd/$1/K.class"; }
change rule_7 rule-7
change q0x 'a*b'
change q1x 'a\"b'
change q2x '!xy'
change q3x '\@xy'
change q4x 're:'
change q5x 'a\\b'
change q6x 'a\nb'
change q7x '\xc0\x80b'
change q8x '\xed\xa0\x80'
change q9x 'a b'
change qqqqq0 '\xe6\x97\xa5\xe6\x9c\xac'
change qqqqq1 '\xed\xa0\xb5\xed\xb0\x80'
jar cf odd.jar -C odd .
run init odd.jar
printf '%s\n' "$out" >init.json
run check init.json
is 'odd names of packages: check' "$status$out" '0init.json: ok (17 rules)'
is 'odd names of packages: ids' "$(sed -n 's/.*"id": "\([^"]*\)".*/\1/p' init.json | sort | tr '\n' ' ')" 'a_b boring '
is 'odd names of packages: as they are, where that can be' \
	"$(sed -n 's/^ .*"match": "\([^"]*\)\.\*".*/\1/p' init.json | LC_ALL=C sort -u | tr '\n' ' ')" \
	'? ?b ?xy a?b a_b boring re? rule-7 unnamed 日本 𝐀 '
run -q odd.jar init.json woven.jar
run info woven.jar
like 'odd names of packages: all are woven' "$out" '*wovenClasses: 16*'
finish
