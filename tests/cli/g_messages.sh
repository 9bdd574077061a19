#!/bin/sh
# Messages that need real inputs: archives, folders, recordings and traces that are not as they should
# be. Each is one line that says what, where, why and what to do; none is a crash.
. tests/cli/kit
command -v javac >/dev/null && command -v jar >/dev/null || skip_all 'no JDK'
PATH=$BUILD:$PATH
cd "$dir" || exit 1
SOURCE_DATE_EPOCH=1700000000 XDG_CACHE_HOME=$dir/cache
export SOURCE_DATE_EPOCH XDG_CACHE_HOME
unset CLASSPATH JDK_JAVA_OPTIONS JAVA_TOOL_OPTIONS

t() { # t ARGS: the command, its output and its status, to the golden text
	printf '$ jweave' >>got
	for word in "$@"; do printf ' %s' "$(printf %s "$word" | tr '\n\033' '??')" >>got; done
	echo >>got
	run "$@"
	cat .out .err >>got
	printf -- '-> %s\n\n' "$status" >>got
}
t_bytes() { # the same, its standard output left out
	printf '$ jweave %s\n' "$*" >>got
	run "$@"
	cat .err >>got
	printf -- '-> %s\n\n' "$status" >>got
}
mkdir -p src/acme classes
cat >src/acme/App.java <<'J'
package acme;
public class App {
	static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
	public static void main(String[] a) { System.out.println(fib(10)); }
}
J
javac -g -d classes src/acme/App.java && jar cfe app.jar acme.App -C classes . || skip_all 'javac or jar does not work'
echo '{"jweave":1,"rules":[{"match":"acme.**"}]}' >r.json
echo '{"jweave":1,"rules":[{"match":"org.**","onUnmatched":"ignore"}]}' >none.json
"$jweave" -q app.jar r.json woven.jar
"$jweave" -q ./classes r.json woven-classes
mkdir empty full in
echo x >full/x
cp -r classes/. in
echo text >notes.txt
: >empty.txt
jar cf notes.jar notes.txt
: >file

# ---- archives and folders ----
t ./classes r.json file
t ./classes r.json full
mkdir full/META-INF full/META-INF/jweave && : >full/META-INF/jweave/woven.json
t ./classes r.json full
rm -r full/META-INF
t ./in r.json in/out
t ./classes r.json -
t ./woven-classes r.json o
t --on-woven=skip ./woven-classes r.json o-skipped
t woven.jar r.json o.jar
t ./empty r.json o-empty
t -n notes.jar r.json
t_bytes ./in/acme/App.class r.json -
t --runtime=embed in/acme/App.class r.json o.class
t_bytes app.jar r.json -
t -r r.json -o o-tree .
t -r r.json -o o classes/.
t -r r.json -o file app.jar classes
t -r r.json -o o ./empty ./nothing
t list -r none.json app.jar
t explain -r r.json app.jar 'zz.Nothing#xyzzyxyzzy'
t dump notes.jar acme.App
t init -o starter.json app.jar
t info notes.jar
t info notes.txt
t info ./in/acme/App.class
t info empty.txt
t info nowhere
t verify notes.txt
mkdir -p signed/META-INF
printf 'Manifest-Version: 1.0\r\n\r\nName: acme/App.class\r\nSHA-256-Digest: AAAA\r\n\r\n' >m
jar cfm signed.jar m -C classes .
printf 'Signature-Version: 1.0\r\n\r\n' >signed/META-INF/A.SF
cp signed/META-INF/A.SF signed/META-INF/A.RSA
jar uf signed.jar -C signed META-INF/A.SF -C signed META-INF/A.RSA
t --signed=fail signed.jar r.json o.jar
t signed.jar r.json o.jar
cp -r classes/. signed
t --signed=fail ./signed r.json o-never
t ./signed r.json o-signed
mkdir module
echo 'module m { exports acme; }' >module-info.java
javac -d module module-info.java src/acme/App.java
t --runtime=classpath ./module r.json o-module
head -c 200 app.jar >cut.jar
t list cut.jar
cp app.jar other.jar
printf 'tail' >>other.jar
t -n other.jar r.json
: >empty.jar
t -n empty.jar r.json
echo '{ "jweave": 1, "rules": [ { "select": { "subtypeOf": "acme.X" } } ] }' >sub.json
t list -r sub.json -cp notes.txt:nowhere.jar app.jar

t app.jar r.json app.jar
echo '{"jweave":1,"rules":[{"id":"gone","match":"org.**","onUnmatched":"error"}]}' >gone.json
t app.jar gone.json o-gone.jar
perl -e 'print "public class Huge {\nstatic int f(int x) {\n", "x += 7;\n" x 2664, "return x; }\n}\n"' >Huge.java
javac -g:none -d huge Huge.java
echo '{"jweave":1,"rules":[{"match":"Huge"}]}' >huge.json
t --strict ./huge huge.json o-huge
t -v ./huge huge.json o-huge
printf 'hello' >newer.map
mkdir -p mapped/META-INF/jweave && echo x >mapped/META-INF/jweave/woven.json && jar cf mapped.jar -C mapped . -C classes acme
t info mapped.jar
mkfifo in/pipe
t ./in r.json o-pipe
rm in/pipe
t --huge=yes app.jar r.json o.jar
t app.jar r.json "$(printf 'n%.0s' $(seq 300)).jar"
t app.jar r.json notes.txt/o.jar

# ---- class files (one of ours, so that no javac decides what they say) ----
cp "$root/testdata/classes/8/Flow.class" .
broken() { # broken PERL: Flow.class, changed
	perl -0777 -pe "BEGIN { binmode STDIN; binmode STDOUT } $1" <Flow.class >broken.class
	t verify broken.class
}
broken '$_ .= "abc"'
broken '$_ = substr($_, 0, 8)'
broken '$_ = substr($_, 0, 100)'
broken '$_ = substr($_, 0, length($_) - 2)'
broken '$_ = substr($_, 0, length($_) - 9)'
broken 's/\xca\xfe\xba\xbe/\xca\xfe\xba\xbf/'
broken 'substr($_, 6, 2) = "\0\1"'
broken 's/\(\)V/(Q)/'
broken 's/\x2a\xb7/\xfe\xb7/'
broken 's/StackMapTable/LineNumberTab/'

# ---- rules ----
cat >deep-0.json <<'J'
{ "jweave": 1 }
J
for i in $(seq 1 20); do echo "{ \"jweave\": 1, \"include\": [ \"deep-$((i - 1)).json\" ] }" >deep-$i.json; done
t check deep-20.json
w() {
	printf '%s\n' "$1" >w.json
	t check w.json
}
w '{ "jweave": 1, "rules": [ { "match": "a.**" ; ] }'
w '{ "jweave": 1, "rules": [ { "match": "a.**" }'
w '{ "jweave": 1, "x-a": [ 1 2 ] }'
w '{ "jweave": 1, "rules": [ { "select": { "method": "a/b" } } ] }'
w '{ "jweave": 1, "rules": [ { "select": { "class": "re:\\w+" } } ] }'
w '{ "jweave": 1, "rules": [ { "select": { "class": "re:\\s" } } ] }'
w '{ "jweave": 1, "rules": [ { "select": { "class": "! " } } ] }'

w '{ "jweave": 1'
w '{ "jweave": 1, "rules": [ { "match": "!" } ] }'
perl -e 'print "{ \"jweave\": 1, \"groups\": { "; print "\"g$_\": { \"group\": \"g", $_ + 1, "\" }, " for 0 .. 79;
	print "\"g80\": \"a.**\" }, \"rules\": [ { \"select\": { \"group\": \"g0\" } } ] }\n"' >groups.json
t check groups.json
# (the other way round, each is looked into through the one before it)
perl -e 'print "{ \"jweave\": 1, \"groups\": { \"g0\": \"a.**\""; print ", \"g$_\": { \"group\": \"g", $_ - 1, "\" }" for 1 .. 80;
	print " } }\n"' >groups.json
t check groups.json
perl -e 'print "{ \"jweave\": 1, \"groups\": { \"big\": { \"anyOf\": [ ", join(", ", ("\"a.**\"") x 30000), " ] } },
	\"rules\": [ ", join(", ", ("{ \"select\": { \"group\": \"big\" } }") x 200), " ] }\n"' >costly.json
t check costly.json
mkdir files
for i in $(seq 1001); do echo '{"jweave":1}' >files/$i.json; done
perl -e 'print "{ \"jweave\": 1, \"include\": [ ", join(", ", map { "\"files/$_.json\"" } 1 .. 1001), " ] }\n"' >files.json
t check files.json
rm -r files

# ---- run ----
printf 'Manifest-Version: 1.0\r\nClass-Path: app.jar\r\nMain-Class: no.Such\r\n\r\nName: notes.txt\r\nSHA-256-Digest: AAAA\r\n\r\n' >m
jar cfm path.jar m notes.txt
jar uf path.jar -C signed META-INF/A.SF -C signed META-INF/A.RSA
mkdir 'a cache' # (with a blank: no copy is opened in the place of a jar)
XDG_CACHE_HOME="$PWD/a cache" t run -r r.json -- true -cp path.jar no.Such
t run -v -- true -cp classes acme.App
t run -- nowhere-to-be-found -jar app.jar
t run -r none.json -- true -cp classes acme.App
t run -r none.json -- true -cp classes:woven.jar acme.App
t run -- true -cp full no.Such
t run -q -r r.json -- true -jar notes.jar
mkdir -p packed/bin packed/lib/app && cp /bin/true packed/bin/Shop
printf 'app.classpath=%s\napp.mainclass=acme.App\n' "$PWD/classes" >packed/lib/app/Shop.cfg
t run -q -r r.json -- packed/bin/Shop
XDG_CACHE_HOME=$dir/file t run -r r.json -- true -cp classes acme.App
JWEAVE=maybe t run -q -r r.json -- true -cp classes acme.App

# ---- recordings and traces ----
mkdir bare.jwr odd.jwr strange.jwr newer.jwr
: >odd.jwr/other
echo hello >strange.jwr/meta
printf 'jweave-recording\t999\n' >newer.jwr/meta
: >newer.jwr/data
t prv bare.jwr
t prv odd.jwr
t prv strange.jwr
t prv newer.jwr
t prv notes.txt
t info bare.jwr
mkdir sums.jwr
printf 'jweave-recording\t2\nmode\tsummary\npid\t7\nthread\t1\t0\t1\t1\t1\t-\tmain\n' >sums.jwr/meta
: >sums.jwr/data
t prv sums.jwr
t info sums.jwr
t report sums.jwr
t report sums.jwr newer.jwr
: >empty.prv
printf '#Paraver (01/01/2026 at 00:00):10_ns:0:1:100000(1:1)\n' >many.prv
printf '#Paraver (01/01/2026\n' >header.prv
printf '#Paraver (01/01/2026 at 00:00):10_ns:0:1:1(99999999:1)\n' >threads.prv
printf 'nothing like it\n' >text.prv
gzip -c text.prv >packed.prv.gz
for trace in empty many header threads text; do t report $trace.prv; done
t info packed.prv.gz
t info empty.prv
t report text.prv empty.prv
t report app.jar
t score text.prv --suggest=s.json
t score --target=lots text.prv
t score --map=nowhere.map text.prv
t prv newer.jwr -o trace.txt
x=$BUILD/tests/cli/x_recording
if [ -x "$x" ]; then
	"$x" run.jwr run.map 50
	t prv run.jwr -o packed
	t prv run.jwr --gzip --force -o packed
	t score run.prv --suggest=s.json
	"$jweave" prv -q run.jwr -o two --map=run.map 2>/dev/null
	t score two.prv --suggest=s.json
	t prv run.jwr --map=newer.map -o three
	head -c 3000 two.prv >half.prv
	t_bytes report --top=1 half.prv
	cp -r run.jwr lame.jwr && rm lame.jwr/meta
	t prv lame.jwr -o four
	cp -r run.jwr hollow.jwr && : >hollow.jwr/data
	t prv hollow.jwr -o five
else
	echo '# no x_recording' >>got
fi
sleep 300 &
t ctl $! dump
kill $!
sed -i "s/process $!/process PID/; s/ctl $!/ctl PID/" got
t ctl
t ctl 0 status
t ctl 99999999 status
t ctl 1 halt
t ctl me dump
sed -i "s|$dir|DIR|g; s/weaves it): [0-9]* bytes/weaves it): N bytes/" got
same_text messages.txt got
is 'no message says only that something failed' "$(grep -ciE '(error|warning|note): ([^ ]* )?(failed|error|wrong)[.!]?$' got)" 0
finish
