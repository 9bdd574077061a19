#!/bin/sh
# Folders of jars, class directories and other files, as distributions and builds have them: what is woven in
# them runs by itself, wherever its class path begins.
# Slow: 10 s, JVMs run one after the other.
. tests/cli/kit
command -v javac >/dev/null && command -v jar >/dev/null || skip_all 'no JDK'
cd "$dir" || exit 1
export JWEAVE_MODE=summary

mkdir -p src/acme src/web src/mod
cat >src/acme/App.java <<'J'
package acme;
public class App {
	static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
	public static void main(String[] a) { System.out.println(fib(10)); }
}
J
sed 's/package acme/package web/' src/acme/App.java >src/web/App.java
sed 's/package acme;//' src/acme/App.java >src/App.java
javac -d acme src/acme/App.java && javac -d web src/web/App.java && javac -d plain src/App.java
mkdir lib && jar cfe lib/app.jar acme.App -C acme . && jar cf lib/web.jar -C web . || skip_all 'jar does not work'
printf '{ "jweave": 1, "rules": [ { "match": "**" } ] }' >r.json

# calls CLASSPATH CLASS: what the program says, and how many calls were recorded (178 when all are)
calls() {
	timeout 60 java -cp "$1" "$2" >.said 2>.told
	printf '%s %s' "$(head -n 1 .said)" "$(sed -n 's/.* \([0-9]*\) calls.*/\1/p' .told)"
}
count() { find "$1" -name "$2" | wc -l | tr -d ' '; }

# ---- jars alone ----
run --no-guard lib r.json jars
is 'a folder of jars: status' "$status$err" 0
is 'each jar runs by itself' "$(calls jars/app.jar acme.App)" '55 178'
is 'the other one, too' "$(calls jars/web.jar web.App)" '55 178'
is 'no class path begins at the folder: no runtime there' "$(ls -d jars/jweave 2>/dev/null)" ''
run --no-guard lib r.json jars
is 'the folder is known as woven and replaced' "$status$err" 0
run jars r.json again
is 'woven already' "$status" 4
like 'woven already: says so' "$err" '*is woven already*'

# ---- a class directory with a jar in it ----
cp -r acme classes && cp lib/web.jar classes/
run --no-guard classes r.json out
is 'a class directory with a jar: status' "$status$err" 0
is 'its classes run' "$(calls out acme.App)" '55 178'
is 'its jar runs by itself' "$(calls out/web.jar web.App)" '55 178'

# ---- a distribution: jars, an unpacked web application, classes of a build ----
mkdir -p dist/webapps/x/WEB-INF dist/build/classes/java/main dist/build/META-INF/versions/11 dist/docs
cp -r lib dist/ && cp -r web dist/webapps/x/WEB-INF/classes && cp -r acme/acme dist/build/classes/java/main/
cp -r acme/acme dist/build/META-INF/versions/11/ && mkdir dist/build/acme && cp acme/acme/App.class dist/build/acme/
echo text >dist/docs/Read.class
run --no-guard dist r.json whole
is 'a distribution: status' "$status$err" 0
is 'a jar of it' "$(calls whole/lib/app.jar acme.App)" '55 178'
is 'the web application' "$(calls whole/webapps/x/WEB-INF/classes web.App)" '55 178'
is 'the classes of a build' "$(calls whole/build/classes/java/main acme.App)" '55 178'
is 'versions begin where their classes do' "$(calls whole/build acme.App)" '55 178'
is 'the runtime: in each jar and class directory' "$(count whole P.class)" 3
ok 'what is no class is copied' "$(cmp -s dist/docs/Read.class whole/docs/Read.class; echo $?)"
run --no-guard -j1 dist r.json one
ok 'the same bytes for one thread' "$(diff -r whole one >/dev/null; echo $?)"
run --no-guard -r r.json -o tree dist
is 'as a tree: status' "$status$err" 0
is 'as a tree: its inputs' "$(printf '%s\n' "$out" | sed 's/.*-> //' | sort | tr '\n' ' ')" \
	'tree/dist/build tree/dist/lib/app.jar tree/dist/lib/web.jar tree/dist/webapps/x/WEB-INF/classes '
is 'as a tree: a jar of it' "$(calls tree/dist/lib/web.jar web.App)" '55 178'
is 'as a tree: the web application' "$(calls tree/dist/webapps/x/WEB-INF/classes web.App)" '55 178'
is 'as a tree: the build' "$(calls tree/dist/build acme.App)" '55 178'

# ---- the same, packed ----
jar cMf dist.zip dist
run --no-guard dist.zip r.json packed.zip
is 'packed: status' "$status$err" 0
run verify --against dist.zip packed.zip
is 'packed: verified' "$status${out%% (*}" '0packed.zip: ok'
mkdir unpacked && (cd unpacked && jar xf ../packed.zip)
is 'packed: a jar of it' "$(calls unpacked/dist/lib/app.jar acme.App)" '55 178'
is 'packed: the web application' "$(calls unpacked/dist/webapps/x/WEB-INF/classes web.App)" '55 178'
is 'packed: the classes of a build' "$(calls unpacked/dist/build/classes/java/main acme.App)" '55 178'
is 'packed: versions' "$(calls unpacked/dist/build acme.App)" '55 178'
is 'packed: the runtime' "$(count unpacked P.class)" 3
run packed.zip r.json again.zip
is 'packed: woven already' "$status" 4
cp -r dist/webapps/x web-app && mkdir web-app/WEB-INF/lib && cp lib/app.jar web-app/WEB-INF/lib/
jar cMf web.zip -C web-app . && run --no-guard web.zip r.json web-woven.zip
is 'a web application is no bundle' "$status$(jar tf web-woven.zip | grep -c 'WEB-INF/classes/jweave/.*/P.class')" 01
run --no-guard ./web-app r.json web-woven
is 'nor is it unpacked' "$status$(count web-woven P.class)$(jar tf web-woven/WEB-INF/lib/app.jar | grep -c P.class)" 010
jar cMf flat.jar -C acme . -C lib web.jar && run --no-guard flat.jar r.json flat-woven.jar
is 'a jar without a manifest is a program' "$status$(calls flat-woven.jar acme.App)" '055 178'
mkdir flat && (cd flat && jar xf ../flat-woven.jar)
is 'what is in it shares its runtime' "$(jar tf flat/web.jar | grep -c P.class)" 0

# ---- a class of no package at the top ----
cp plain/App.class dist/
run --no-guard dist r.json top
is 'with a class at the top' "$status$(calls top App)" '055 178'
is 'with a class at the top: a jar' "$(calls top/lib/app.jar acme.App)" '55 178'
is 'with a class at the top: a class directory' "$(calls top/webapps/x/WEB-INF/classes web.App)" '55 178'
rm dist/App.class

# ---- names that leave the archive, and very many class directories ----
perl -e 'use IO::Compress::Zip qw($ZipError);
	my %of = map { local (@ARGV, $/) = $_; $_ => scalar <> } qw(acme/acme/App.class lib/web.jar);
	my $zip;
	for ((map { "$_/acme/App.class" } "..", "/abs", "a//b", "x/../y", "./z", "q\\r", "good"), "lib/web.jar") {
		my $bytes = $of{/jar$/ ? "lib/web.jar" : "acme/acme/App.class"};
		$zip ? $zip->newStream(Name => $_) : ($zip = IO::Compress::Zip->new("odd.zip", Name => $_)) or die $ZipError;
		$zip->print($bytes);
	}
	$zip->close'
run --no-guard odd.zip r.json odd-woven.zip
is 'odd names: status' "$status$err" 0
is 'odd names: the runtime goes to plain ones' "$(perl -MIO::Uncompress::Unzip -e 'my $u = IO::Uncompress::Unzip->new("odd-woven.zip");
	do { my $n = $u->getHeaderInfo->{Name}; print "$n " if $n =~ m{/P\.class$} } while $u->nextStream > 0' | sed 's|jweave/[a-z0-9]*/|jweave/|g')" 'good/jweave/P.class '
for n in 100 101; do
	rm -rf many && mkdir many && cp lib/web.jar many/
	for i in $(seq $n); do cp -r acme "many/$i"; done
	run --no-guard many r.json "many-$n"
	is "$n class directories" "$status" "$([ "$n" = 100 ] && echo 0 || echo 4)"
done
like '101 class directories: what to do' "$err" '*many: class paths begin in 101 folders of it (limit is 100): weave them by -r RULES -o OUTDIR*'
is 'the hundredth runs' "$(calls many-100/100 acme.App)" '55 178'
(cd many && jar cMf ../many.zip .)
run --no-guard many.zip r.json many-woven.zip
is '101 class directories of a zip share one runtime' "$status$(jar tf many-woven.zip | grep -c '/P.class')" 01
run --no-guard -q -r r.json -o many-tree many
is '101 class directories as a tree' "$status$(count many-tree P.class)" 0101
rm -rf many many-tree many-100

# ---- modules ----
mkdir -p mods src/a src/b
for m in a b; do
	mkdir -p "src/$m/$m" && printf 'module %s { }' $m >"src/$m/module-info.java"
	sed "s/package acme/package $m/" src/acme/App.java >"src/$m/$m/App.java"
	javac -d "mods/$m" "src/$m/module-info.java" "src/$m/$m/App.java"
done
run mods r.json out-mods
is 'two modules are not one unit' "$status$(ls -d out-mods 2>/dev/null)" 4
like 'two modules: what to do' "$err" "*holds several modules ('a/module-info.class', 'b/module-info.class'): weave each by itself, or all of them by -r RULES -o OUTDIR*"
run --no-guard -r r.json -o out-mods mods
is 'modules as a tree: status' "$status$err" 0
for m in a b; do
	timeout 60 java -p out-mods/mods -m "$m/$m.App" >.said 2>.told
	is "module $m runs beside the other" "$(head -n 1 .said) $(sed -n 's/.* \([0-9]*\) calls.*/\1/p' .told)" '55 178'
done
finish
