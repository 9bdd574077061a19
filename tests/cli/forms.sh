#!/bin/sh
# Every form of the command on real classes: outputs, results, messages, exit statuses.
. tests/cli/kit
command -v javac >/dev/null && command -v jar >/dev/null || skip_all 'no JDK'
cd "$dir" || exit 1

mkdir -p src/acme classes
cat >src/acme/App.java <<'J'
package acme;
public class App {
	static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
	int twice(int n) { return 2 * n; }
	interface Shape { void draw(String s, int[]... p); }
	public static void main(String[] a) { System.out.println(fib(10) + new App().twice(2)); }
}
J
javac -g -d classes src/acme/App.java
jar cfe app.jar acme.App -C classes . || skip_all 'jar does not work'
cat >rules.json <<'J'
{ "jweave": 1, "rules": [ { "id": "app", "match": "acme.**" } ] }
J
cat >unmatched.json <<'J'
{ "jweave": 1, "rules": [
  { "id": "app", "match": "acme.**" },
  { "id": "gone", "match": "org.gone.**" },
  { "id": "quiet", "match": "org.quiet.**", "onUnmatched": "ignore" } ] }
J
sed 's/"org.gone.\*\*"/"org.gone.**", "onUnmatched": "error"/' unmatched.json >strict.json

# ---- three operands ----
run app.jar rules.json out.jar
is 'weave: status' "$status" 0
is 'weave: the line of success' "$out" 'wove 2 of 4 methods in 1 class (1 trivial one left out, see --no-guard) -> out.jar'
is 'weave: nothing on stderr' "$err" ''
is 'the woven program says the same' "$(cd "$dir" && JWEAVE=off java -jar out.jar)" "$(java -jar app.jar)"
run -q app.jar rules.json quiet.jar
is '-q: no line' "$out$err" ''
ok '-q: the same output' "$(cmp -s out.jar quiet.jar; echo $?)"
run -j1 app.jar rules.json one.jar
run --jobs=3 app.jar rules.json three.jar
ok 'any number of threads, the same bytes' "$(cmp -s one.jar three.jar; echo $?)"
run --no-guard app.jar rules.json all.jar
is '--no-guard: trivial methods too' "$out" 'wove 3 of 4 methods in 1 class -> all.jar'
run weave app.jar rules.json named.jar
ok 'the command may be named' "$(cmp -s out.jar named.jar; echo $?)"
cp app.jar list
run ./list rules.json from-list.jar
is 'a file with the name of a command' "$status$out" '0wove 2 of 4 methods in 1 class (1 trivial one left out, see --no-guard) -> from-list.jar'
mkdir lib jars && cp app.jar lib/ && cp app.jar jars/ && cp app.jar plain && mkdir score
run -r rules.json -o lib-traced lib
is 'a folder needs no ./' "$status$err" 0
ok 'a folder needs no ./: what it holds is woven' "$(cmp -s out.jar lib-traced/lib/app.jar; echo $?)"
run -o two-traced -r rules.json lib jars
is 'nor does the first of two' "$status$err" 0
run plain rules.json from-plain.jar
is 'nor does a file without a dot' "$status$err" 0
ok 'a file without a dot is woven' "$(cmp -s out.jar from-plain.jar; echo $?)"
run score -o score-traced -r rules.json
is 'a command goes before a folder of its name' "$status" 2
ok 'and nothing is woven' "$([ ! -e score-traced ]; echo $?)"
run classes rules.json out-classes
is 'a class directory needs no ./' "$status$err" 0
rm -rf plain lib jars score lib-traced two-traced out-classes from-plain.jar
printf '%s\n' '-q # quiet' "'app.jar'" 'rules.json "at out.jar"' >args
run @args
ok 'arguments from a file' "$([ -s 'at out.jar' ]; echo $?)"
rm -f ./*out.jar quiet.jar one.jar three.jar all.jar named.jar from-list.jar

# ---- other inputs and outputs ----
run ./classes rules.json woven-classes
is 'a class directory' "$status${out##* in }" '01 class (1 trivial one left out, see --no-guard) -> woven-classes'
is 'its program runs' "$(JWEAVE=off java -cp woven-classes acme.App)" "$(java -jar app.jar)"
run classes/acme/App.class rules.json App.class
is 'a single class' "$status" 0
timeout 60 "$jweave" - rules.json - <app.jar >piped.jar 2>.err
is 'standard input to standard output: status' "$?" 0
like 'the line is a note then' "$(cat .err)" 'jweave: note: wove 2 of 4 methods in 1 class (1 trivial one left out, see --no-guard) -> -'
run verify piped.jar
is 'what came out is an archive' "$status${out%% (*}" '0piped.jar: ok'

# ---- dry run, JSON, side outputs ----
run -n app.jar rules.json
is '-n: line' "$out" 'would weave 2 of 4 methods in 1 class (1 trivial one left out, see --no-guard) -> nothing written (dry run)'
run -n app.jar rules.json dry.jar
is '-n: nothing is written' "$(ls dry.jar 2>/dev/null)" ''
run --json app.jar rules.json out.jar
printf %s "$out" >json
run --report=report.json app.jar rules.json out.jar
ok '--json prints the report' "$(printf '%s\n' "$(cat report.json)" | cmp -s - json || [ "$(cat report.json)" = "$(cat json)" ]; echo $?)"
is 'the report counts' "$(perl -MJSON::PP -e 'local $/; my $r = decode_json(<>);
	print join ",", $r->{in}, $r->{out}, @$r{qw(methods chosen woven guarded)}, $r->{rules}[0]{id}' report.json)" \
	'app.jar,out.jar,4,2,2,1,app'
run --depfile=dep app.jar preset:io out.jar
is '--depfile: a preset is no file' "$(cat dep)" 'out.jar: app.jar'
run --depfile=dep app.jar 'match:acme.App' out.jar
is '--depfile: nor is a pattern' "$(cat dep)" 'out.jar: app.jar'
cp app.jar 'a $b#c.jar'
printf '{ "jweave": 1, "include": [ "rules.json" ] }' >includes.json
run --depfile=dep 'a $b#c.jar' includes.json out.jar
is '--depfile: a rule for make' "$(tr '\n' ' ' <dep)" \
	'out.jar: a\ $$b\#c.jar \   includes.json \   rules.json rules.json: '
if command -v make >/dev/null; then
	printf 'include dep\nout.jar:\n\tcat "%s" >/dev/null; touch $@\n' 'a $$b#c.jar' >Makefile
	touch -d 2020-01-01 'a $b#c.jar' rules.json includes.json
	touch -d 2020-01-02 out.jar
	ok 'make understands it: up to date' "$(MAKEFLAGS= make -q out.jar; echo $?)"
	touch -d 2020-01-03 rules.json
	is 'make understands it: an included file changed' "$(MAKEFLAGS= make -q out.jar; echo $?)" 1
	mv rules.json gone.json
	is 'make understands it: an included file is gone' "$(MAKEFLAGS= make -q out.jar; echo $?)" 1
	mv gone.json rules.json
else
	skip 'make understands it' 'no make'
	skip 'make understands it' 'no make'
	skip 'make understands it' 'no make'
fi

echo '{ "jweave": 1, "rules": [ { "select": { "subtypeOf": "acme.App" } } ] }' >sub.json
mkdir -p 'jars dir' && cp app.jar 'jars dir/z.jar' && cp app.jar 'jars dir/a.jar'
run --depfile=dep2 -cp 'jars dir/*:classes:nowhere.jar' ./classes sub.json out-classes
is '--depfile: a folder is its files; the class path where rules need it' "$(grep -v ':$' dep2 | tr -d '\\\n' | tr -s ' ')" \
	'out-classes: ./classes sub.json jars dir/a.jar jars dir/z.jar classes/acme/App$$Shape.class classes/acme/App.class ./classes/acme/App$$Shape.class ./classes/acme/App.class'
rm -rf out-classes

# ---- rules that decide nothing ----
rm -f out.jar
run app.jar unmatched.json out.jar
is 'unmatched: still woven' "$status${out%% in*}" '0wove 2 of 4 methods'
is 'unmatched: a warning' "$err" \
	"jweave: warning: rule 'gone' (unmatched.json:3) decides no method of 'app.jar'"
run -q app.jar unmatched.json out.jar
is 'unmatched: not with -q' "$err" ''
echo precious >out.jar
run app.jar strict.json out.jar
is 'onUnmatched error: status' "$status$out" 5
like 'onUnmatched error: message' "$err" "jweave: error: rule 'gone' (strict.json:3) decides no method of 'app.jar': nothing was written*"
is 'onUnmatched error: OUT as it was' "$(cat out.jar)" precious
echo '{"jweave":1,"rules":[{"on":"call","match":"acme.App#*(int)"},{"id":"no","on":"call","match":"acme.App#twice(..)","action":"skip"}]}' >less.json
run --fail-on-unmatched app.jar less.json less.jar
is '--fail-on-unmatched: a rule that skips calls has decided them' "$status$err$out" '0wove 0 of 4 methods and 3 calls in 1 class -> less.jar'
echo '{"jweave":1,"rules":[{"match":"**","onUnmatched":"ignore"},{"id":"no","match":"acme.App","action":"skip"}]}' >less.json
run --fail-on-unmatched app.jar less.json less.jar
is '--fail-on-unmatched: nor does one that skips whole classes' "$status$err$out" '0wove 0 of 0 methods in 0 classes -> less.jar'
echo '{"jweave":1,"rules":[{"match":"acme.App#fib","event":{"type":"io","value":"read","size":8}},{"match":"acme.**"}]}' >less.json
run --fail-on-unmatched app.jar less.json less.jar
is '--fail-on-unmatched: nor one that says what a method does' "$status$err" 0
echo '{"jweave":1,"rules":[{"match":"acme.App#fib"},{"match":"acme.App#main(..)"},{"match":"acme.**","enabled":true}]}' >less.json
run --fail-on-unmatched app.jar less.json less.jar
is '--fail-on-unmatched: nor one that decides while another is switched off' "$status$err" 0
run --fail-on-unmatched --report=r2 --depfile=d2 app.jar unmatched.json out.jar
is '--fail-on-unmatched: status' "$status" 5
is '--fail-on-unmatched: OUT as it was' "$(cat out.jar)" precious
is '--fail-on-unmatched: no side output' "$(ls -a | grep -E '^(r2|d2)$|tmp$')" ''
# a class by its pattern, where a method was meant
hint='jweave: note: dotted.json:2:25: "acme.App.fib" names a class; did you mean "acme.App#fib"?'
printf '{ "jweave": 1, "rules": [ { "id": "all", "match": "acme.**" },\n  { "id": "m", "match": "acme.App.fib" } ] }\n' >dotted.json
run app.jar dotted.json out1.jar
is 'a method without #: woven' "$status" 0
is 'a method without #: the warning and a hint' "$err" "jweave: warning: rule 'm' (dotted.json:2) decides no method of 'app.jar'
$hint"
run list -r dotted.json app.jar
is 'a method without #: list' "$status$err" "0$hint"
sed 's/"m",/"m", "onUnmatched": "error",/; s/acme.App.fib/acme.App#fib/' dotted.json >hashed.json
run list -r hashed.json app.jar
is 'a method with #: no hint' "$status$err" 0
sed 's/"m",/"m", "onUnmatched": "error",/' dotted.json >dotted-strict.json
run app.jar dotted-strict.json out2.jar
is 'a method without #, which must be there' "$status
$err" "5
$(printf %s "$hint" | sed 's/dotted.json:2:25/dotted-strict.json:2:49/')
jweave: error: rule 'm' (dotted-strict.json:2) decides no method of 'app.jar': nothing was written; 'jweave explain' shows what matches"
run -q app.jar dotted.json out3.jar
is 'a method without #: not with -q' "$status$err" 0
run -n app.jar strict.json
is 'onUnmatched error: in a dry run, too' "$status" 5

# ---- a .jmod file, which jlink would refuse ----
mkdir -p mod/acme && echo 'module m { exports acme; }' >mod/module-info.java && cp src/acme/App.java mod/acme/
javac -d modc mod/module-info.java mod/acme/App.java && jmod create --class-path modc m.jmod
run m.jmod rules.json woven.jmod
is '.jmod: status' "$status$out" 4
is '.jmod: what to do instead' "$err" "jweave: error: m.jmod: a .jmod file: weave the modular jar that it was made of, or the folder 'classes' of 'jmod extract', and give that to 'jmod create --class-path', or to jlink"
ok '.jmod: nothing is written' "$([ ! -e woven.jmod ]; echo $?)"
run list -r rules.json m.jmod
is '.jmod: list reads it' "$status $(printf '%s\n' "$out" | wc -l)" '0 2'
run modc rules.json modw
ok '.jmod: the folder, woven, makes one' "$(jmod create --class-path modw w.jmod && jmod describe w.jmod | grep -q '^exports acme'; echo $?)"

# ---- OUT as it was ----
run app.jar rules.json app.jar
is 'OUT is IN' "$status" 4
like 'OUT is IN: message' "$err" '*app.jar*'
ln -s app.jar link.jar
run app.jar rules.json link.jar
is 'OUT is IN through a link' "$status" 4
head -c 500 app.jar >cut.jar
run cut.jar rules.json out.jar
is 'a cut archive' "$status" 4
is 'a cut archive: OUT as it was' "$(cat out.jar)" precious
: >empty.jar
run empty.jar rules.json out.jar
is 'an empty file' "$status" 4
run app.jar rules.json nowhere/out.jar
is 'a missing folder' "$status$out" 1
like 'a missing folder: message' "$err" '*nowhere/out.jar*'
run app.jar rules.json args/out.jar
is 'a file where a folder is needed' "$status" 1
run app.jar rules.json classes
is 'a folder where a file is needed' "$status" 2
run app.jar rules.json out2.jar
run out2.jar rules.json out3.jar
is 'woven already' "$status" 4
like 'woven already: message' "$err" '*out2.jar*woven*'
run --on-woven=skip out2.jar rules.json out3.jar
is '--on-woven=skip' "$status" 0
if [ "$(id -u)" != 0 ]; then
	mkdir locked && chmod 555 locked
	run app.jar rules.json locked/out.jar
	is 'a read-only folder' "$status" 1
else
	skip 'a read-only folder' 'root may write everywhere'
fi
is 'no temporary files stay' "$(find . -name '*.tmp')" ''

# ---- many ----
mkdir -p lib/deep lib/empty
cp app.jar lib/a.jar
cp app.jar lib/deep/b.war
echo text >lib/notes.txt
ln -s ../app.jar lib/c.jar
ln -s . lib/deep/loop
run -r rules.json -o traced ./lib app.jar
is 'many: status' "$status$err" 0
is 'many: a line each' "$out" 'wove 2 of 4 methods in 1 class (1 trivial one left out, see --no-guard) -> traced/lib/a.jar
wove 2 of 4 methods in 1 class (1 trivial one left out, see --no-guard) -> traced/lib/c.jar
wove 2 of 4 methods in 1 class (1 trivial one left out, see --no-guard) -> traced/lib/deep/b.war
wove 2 of 4 methods in 1 class (1 trivial one left out, see --no-guard) -> traced/app.jar'
is 'many: what is there' "$(cd traced && find . -type f | sort | tr '\n' ' ')" \
	'./app.jar ./lib/a.jar ./lib/c.jar ./lib/deep/b.war '
run -r rules.json -o traced2 classes/
is 'many: a class directory is one input' "$status${out##* -> }" 0traced2/classes
run -r rules.json -o in-tree/out --report=all.json -j1 ./lib
is 'many: reports are an array' "$(perl -MJSON::PP -e 'local $/; print scalar @{decode_json(<>)}' all.json)" 3
mkdir mixed && cp app.jar cut.jar mixed
run -r rules.json -o traced3 ./mixed
is 'many: one failure is the status' "$status" 4
like 'many: the others are woven' "$out" '*-> traced3/mixed/app.jar'
like 'many: the failure is named' "$err" '*mixed/cut.jar*'
like 'many: and counted' "$err" '*1 of 2 inputs failed*'
run -r unmatched.json -o traced4 app.jar lib/a.jar
is 'many: unmatched once for all' "$err" \
	"jweave: warning: rule 'gone' (unmatched.json:3) decides no method of 'all inputs'"
run -r strict.json -o traced5 app.jar
is 'many: refused before anything is written' "$status$(ls traced5 2>/dev/null)" 5
run -n -r rules.json app.jar lib/a.jar
is 'many: dry run' "$status$(printf '%s\n' "$out" | wc -l | tr -d ' ')" 02

# ---- list, explain, check, init, dump, verify, info ----
run list -r rules.json app.jar
is 'list' "$out" 'app     23  acme.App  fib(int):int
app     24  acme.App  main(java.lang.String[]):void'
cat >marks.json <<'J'
{ "jweave": 1, "rules": [ { "id": "few", "match": "acme.App#fib", "sample": { "every": 100 } },
  { "id": "later", "match": "acme.App#main", "enabled": false },
  { "id": "print", "on": "call", "match": "java.io.PrintStream#println(..)" } ] }
J
run list -r marks.json app.jar
is 'list: a sample, a rule that is off, a call' "$status$err
$out" '0
few       23  acme.App  fib(int):int (1 of 100)
later     24  acme.App  main(java.lang.String[]):void (off)
print   call  acme.App  main(java.lang.String[]):void -> java.io.PrintStream.println(int):void, line 6'
run list app.jar
is 'list without rules: all with a body' "$(printf '%s\n' "$out" | awk '{ print $4 }' | tr '\n' ' ')" \
	'<init>():void fib(int):int twice(int):int main(java.lang.String[]):void '
run list --json -r rules.json app.jar
is 'list --json' "$(printf %s "$out" | perl -MJSON::PP -e 'local $/; print join ",", map { "$_->{rule}:$_->{class}:$_->{method}:$_->{size}" } @{decode_json(<>)}')" \
	'app:acme.App:fib(int):int:23,app:acme.App:main(java.lang.String[]):void:24'
cat >explain.json <<'J'
{ "jweave": 1, "exclude": [ "acme.App#main" ],
  "rules": [
  { "id": "app", "match": "acme.**" },
  { "id": "not-fib", "action": "skip", "match": "**#fib(int)" } ] }
J
run explain -r explain.json app.jar 'acme.App#*'
is 'explain' "$out" 'acme.App#fib(int):int  (23 bytes of code, acme/App.class)
  => not woven: the last matching rule skips it
     not-fib (explain.json:4, action: skip)

acme.App#twice(int):int  (4 bytes of code, acme/App.class)
  => not woven: trivial body chosen by a wildcard: see --no-guard
     app (explain.json:3)

acme.App#main(java.lang.String[]):void  (24 bytes of code, acme/App.class)
  => not woven: excluded by the rules file

The last matching rule decides. A top-level exclude always wins. -v shows every rule.'
mkdir -p fin && echo 'class Fin { protected void finalize() { } void other() { System.out.println(1); } }' >fin/Fin.java && javac -nowarn -d fin fin/Fin.java 2>/dev/null
echo '{"jweave":1,"rules":[{"id":"named","match":["Fin#finalize()","Fin#other()"]},{"id":"thrown","on":"exception","match":"Fin"}]}' >fin.json
run explain -r fin.json fin 'Fin#*()'
is 'explain: what rules choose and weaving leaves as it is' "$(printf '%s\n' "$out" | head -n 10)" 'Fin#finalize():void  (1 byte of code, Fin.class)
  => not woven: an empty finalize() must stay empty: HotSpot treats the class by it
     named (fin.json:1)
  => its exceptions: not recorded
     thrown (fin.json:1)

Fin#other():void  (8 bytes of code, Fin.class)
  => woven: traced by the last matching rule
     named (fin.json:1)
  => its exceptions: recorded'
run explain --json -r fin.json fin 'Fin#finalize()'
is 'explain --json: the same' "$(perl -MJSON::PP -e '$_ = decode_json(join "", <>); print join "|", map { $_ // "" } @{ $_->[0] }{qw(woven why rule)}, $_->[1]{exceptions}' .out)" \
	'0|an empty finalize() must stay empty: HotSpot treats the class by it|named|0'
run explain -v -r explain.json app.jar 'acme.App#fib'
is 'explain -v' "$out" 'acme.App#fib(int):int  (23 bytes of code, acme/App.class)
  => not woven: the last matching rule skips it
     not-fib (explain.json:4, action: skip)
     matches         app (explain.json:3)
     matches         not-fib (explain.json:4, action: skip)

The last matching rule decides. A top-level exclude always wins.'
run explain -v -r explain.json app.jar 'acme.App#main'
is 'explain -v: an exclude' "$out" 'acme.App#main(java.lang.String[]):void  (24 bytes of code, acme/App.class)
  => not woven: excluded by the rules file
     matches         app (explain.json:3)
     does not match  not-fib (explain.json:4, action: skip)

The last matching rule decides. A top-level exclude always wins.'
cat >calls.json <<'J'
{ "jweave": 1, "include": [ "preset:io" ], "rules": [ { "id": "app", "match": "acme.**" },
  { "id": "print", "on": "call", "match": "java.io.PrintStream#println(..)" } ] }
J
run explain -r calls.json app.jar 'acme.App#main'
is 'explain: a call, and what it does' "$(printf '%s\n' "$out" | sed 's/\(preset:io\):[0-9]*/\1:N/')" 'acme.App#main(java.lang.String[]):void  (24 bytes of code, acme/App.class)
  => woven: traced by the last matching rule
     app (calls.json:1)
  calls java.io.PrintStream.println(int):void, line 6
    => woven: traced by the last matching rule, as io/writeText, captures this:identity
       print (calls.json:2)
       io.writeText (preset:io:N), which says what it does

The last matching rule decides. A top-level exclude always wins. -v shows every rule.'
run explain -q --json -r calls.json app.jar 'acme.App#main'
is 'explain --json: the same' "$(printf %s "$out" | perl -MJSON::PP -e 'local $/; my ($m, $c) = @{ decode_json(<>) };
	print "$m->{method} | ", join " ", @$c{qw(calls line rule operation)}, "@{ $c->{captures} }"')" \
	'acme.App#main(java.lang.String[]):void | java.io.PrintStream.println(int):void 6 print io/writeText this:identity'
cat >held.json <<'J'
{ "jweave": 1, "rules": [ { "match": "acme.App#fib", "capture": [ { "what": "arg0", "hold": true } ] },
  { "match": "acme.App#twice", "capture": [ { "what": "arg0", "as": "value", "hold": "around" } ] } ] }
J
run explain -r held.json app.jar 'acme.App#fib'
like 'explain: what holds' "$out" '*the last matching rule, captures arg0 (held)*'
run explain -r held.json app.jar 'acme.App#twice'
like '... with the call around it' "$out" '*the last matching rule, captures arg0:value (held around)*'
echo '{"jweave":1,"rules":[{"match":"acme.App#main","capture":[{"what":"arg0","as":"length"},{"what":"this"},{"what":"arg0","as":"value"}]}]}' >less.json
run explain -r less.json app.jar 'acme.App#main'
like 'explain: what a method has, and what it has not' "$out" '*, captures arg0:length, has no this arg0:value
*'
run explain app.jar 'acme.App#*'
is 'explain without rules: those of run' "$status$err
$out" '0
acme.App#fib(int):int  (23 bytes of code, acme/App.class)
  => woven: traced by the last matching rule
     acme (default rules:4)

acme.App#twice(int):int  (4 bytes of code, acme/App.class)
  => not woven: trivial body chosen by a wildcard: see --no-guard
     acme (default rules:4)

acme.App#main(java.lang.String[]):void  (24 bytes of code, acme/App.class)
  => woven: traced by the last matching rule
     acme (default rules:4)

The last matching rule decides. A top-level exclude always wins. -v shows every rule.'
rm -rf run.out && mkdir run.out
(cd run.out && JWEAVE_SUMMARY=0 XDG_CACHE_HOME=$dir/run.out "$jweave" run -v -- java -jar ../app.jar 2>&1 >/dev/null | sed -n '/default rules:/,/^jweave: }/p' >rules)
run explain -v app.jar 'acme.App#fib'
is 'explain -v without rules: shows those of run' "$err" "$(cat run.out/rules)"
run explain --no-guard classes 'acme.App#twice'
like 'explain without rules: a folder, and options' "$out" '*=> woven: *acme (default rules:4)*'
mkdir none && echo x >none/text
run explain none '**'
is 'explain without rules: nothing there' "$status$err" "4jweave: error: 'none' has no classes that 'jweave run' would trace by itself: give -r RULES"
run explain --json -r explain.json app.jar 'acme.App#fib'
is 'explain --json' "$(printf %s "$out" | perl -MJSON::PP -e 'local $/; my ($m) = @{decode_json(<>)}; print join ",", $m->{method}, $m->{woven} ? 1 : 0, $m->{rule}, map { $_->{rule} . ($_->{matches} ? "+" : "-") } @{$m->{rules}}')" \
	'acme.App#fib(int):int,0,not-fib,app+,not-fib+'
run explain -r explain.json app.jar 'acme.App#<init>'
is 'explain: constructors by name' "$status" 0
run explain -r explain.json app.jar 'acme.App#fbi'
is 'explain: nothing selected' "$status$out" 4
is 'explain: the nearest name' "$err" \
	"jweave: error: 'acme.App#fbi' selects no method of 'app.jar'; did you mean 'acme.App#fib'?"
run explain -r explain.json app.jar 'acme.App#fib'
fib=$status$out
run explain -r explain.json app.jar acme.App.fib
is 'explain: a method after a dot' "$status$out" "$fib"
run explain -r explain.json app.jar App.fib
is 'explain: after the simple name of a class' "$status$out" "$fib"
run explain -r explain.json app.jar App.fbi
like 'explain: which the class has not' "$err" "*did you mean 'acme.App'?"
run explain -r explain.json app.jar fib
like 'explain: a method without a class' "$err" "*did you mean '[*][*]#fib'?"
run explain -r explain.json app.jar App
like 'explain: the simple name of a class' "$err" "*did you mean 'acme.App'?"
run check rules.json explain.json
is 'check' "$status$out" '0rules.json: ok (1 rule)
explain.json: ok (2 rules)'
run init app.jar
printf '%s\n' "$out" >init.json
run check init.json
is 'init writes rules that check accepts' "$status" 0
run app.jar init.json init.jar
is 'and that weave' "$status$err" 0
run init -o init.json app.jar
is 'init overwrites nothing' "$status" 2
run dump app.jar acme.App
class=$out
run dump classes/acme/App.class
is 'dump: the same class by both ways' "$out" "$class"
like 'dump: a method in it' "$out" '*fib*'
run dump app.jar acme/App.class
is 'dump: by entry' "$out" "$class"
run dump app.jar acme.Appp
is 'dump: the nearest name' "$status $err" "4 jweave: error: no class 'acme.Appp' in 'app.jar'; did you mean 'acme.App'?"
run verify --against app.jar out2.jar
is 'verify --against' "$status$out" '0out2.jar: ok (1 class changed, nothing else)'
cp app.jar other.jar
jar uf other.jar rules.json
run verify --against app.jar other.jar
is 'verify: what was added' "$status$out" '5other.jar!rules.json: was added'
run verify --against other.jar app.jar
is 'verify: what is missing' "$status$out" '5app.jar!rules.json: is missing'
head -c 300 classes/acme/App.class >broken.class
run verify broken.class
is 'verify: a broken class' "$status" 5
run ./broken.class rules.json woven.class
is 'a class that cannot be read: status' "$status$out" 4
like 'a class that cannot be read: why' "$err" \
	'jweave: error: ./broken.class: the class cannot be read: *: nothing was written'
is 'a class that cannot be read: no output' "$(ls woven.class* 2>/dev/null)" ''
run info out2.jar
like 'info: woven' "$out" 'woven: yes*woven: 2*'
run info app.jar
is 'info: not woven' "$status$out" '0woven: no'
run info --json app.jar
is 'info --json: not woven' "$out" '{"woven":false}'
finish
