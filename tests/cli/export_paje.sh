#!/bin/sh
# jweave export paje: what is in the output, as its format says (paje_read.py) and as pj_dump reads it, equals what
# jweave report says: calls, times, states, arrows, names; and which objects are used, and waited at.
. tests/cli/kit
command -v javac >/dev/null || skip_all 'no JDK'
cd "$dir" || exit 1
unset CLASSPATH JDK_JAVA_OPTIONS JAVA_TOOL_OPTIONS JWEAVE JWEAVE_CONVERT JWEAVE_SUMMARY
. "$root/tests/cli/shop"
judge() { # judge NAME RUN: NAME.trace, made of a run
	calls=$(sed -n 's/.*"calls":\([0-9]*\),"methodCount.*/\1/p' "$2.json")
	have python3 || { skip "$1: calls, times, states, arrows and names" 'no python3'; return; }
	dump=
	if have pj_dump; then
		pj_dump --float-precision=9 "$1.trace" >"$1.dump" 2>"$1.complaints"
		is "$1: pj_dump reads it, and has nothing to complain about" "$?$(cat "$1.complaints")" 0
		dump=$1.dump
	else
		skip "$1: pj_dump reads it" 'no pj_dump'
	fi
	like "$1: calls, times, states, arrows and names" "$(python3 "$root/tests/cli/paje_read.py" "$1.trace" "$2.json" "$2.prv" $dump 2>&1)" \
		"$calls calls, $(grep -c ^3: "$2.prv") arrows, * uses of * objects that threads waited at
nothing is wrong"
}
for jdk in $jdks; do
	run export paje shop$jdk.jwr
	is 'a recording' "$status$out$err" 0shop$jdk.trace
	judge shop$jdk shop$jdk
	"$jweave" export -q paje shop$jdk.prv -o trace$jdk.trace
	judge trace$jdk shop$jdk
done
is 'the events that it defines' "$(awk '/^%EventDef/ { line = $2 " " $3 " "; comma = "" } /^% / { line = line comma $2 " " $3; comma = "," }
	/^%EndEventDef/ { print line }' shop17.trace)" "PajeDefineContainerType 0 Alias string,Type string,Name string
PajeDefineStateType 1 Alias string,Type string,Name string
PajeDefineEntityValue 2 Alias string,Type string,Name string,Color color
PajeDefineLinkType 3 Alias string,Type string,StartContainerType string,EndContainerType string,Name string
PajeCreateContainer 4 Time date,Alias string,Type string,Container string,Name string
PajeDestroyContainer 5 Time date,Type string,Name string
PajeSetState 6 Time date,Type string,Container string,Value string
PajePushState 7 Time date,Type string,Container string,Value string
PajePopState 8 Time date,Type string,Container string
PajeStartLink 9 Time date,Type string,Container string,Value string,StartContainer string,Key string
PajeEndLink 10 Time date,Type string,Container string,Value string,EndContainer string,Key string
PajeDefineEventType 11 Alias string,Type string,Name string,Color color
PajeDefineVariableType 12 Alias string,Type string,Name string,Color color
PajeNewEvent 13 Time date,Type string,Container string,Value string
PajeSetVariable 14 Time date,Type string,Container string,Value double"
holds() { # holds NAME PATTERN: a line of it matches
	ok "it holds: $1" "$(grep -qE "$2" shop17.trace; echo $?)" "$(grep -vE '^(%|[789] |1[0-9] )' shop17.trace | cut -c 1-160)"
}
holds 'a method with its long form, file and line' '^2 v[0-9]+ M "Shop.price \[shop.Shop.price\(java.lang.String\):int Shop.java:14\]" "0.[0-9] 0.[0-9] 0.[0-9]"$'
holds 'a state' '^2 v[0-9]+ S "Blocked" "0.8 0.2 0.2"$'
holds 'an arrow' '^2 v[0-9]+ A "Thread.start" '
holds 'a way to use an object' '^2 v[0-9]+ U "waits to enter a monitor" '
holds 'an exception' '^2 v[0-9]+ E "exception thrown: java.lang.IllegalArgumentException" '
holds 'an object that was made' '^2 v[0-9]+ E "object created: shop.Shop\$Customer" '
holds 'a text that was captured' '^2 v[0-9]+ E "bread77" '
holds 'a text that is empty' '^2 v[0-9]+ E "\(empty\)" '
holds 'a number that was captured' '^12 y[0-9]+ T "ms" '
for text in 'bytes read and written' 'bytes allocated' 'CPU time of the thread \(ns\)' 'CPU time of the process \(ns\)'; do
	holds "$text" "^12 y[0-9]+ T \"$text\" "
done
holds 'a process on its host' '^4 0.000000000 p1 P h1 "java 1 pid [0-9]+"$'
holds 'a class, and an object of it' '^4 0.000000000 c[0-9]+ C p1 "java.lang.Object"$'
cp -r shop17.jwr nameless.jwr && sed -i '/^class	/d' nameless.jwr/meta && "$jweave" export -q paje nameless.jwr -o nameless.trace
ok 'an object that nobody has told the class of' "$(grep -qE '^4 0.000000000 o[0-9]+ O c[0-9]+ "some class@[0-9a-f]+"$' nameless.trace; echo $?)"
holds 'an object of it' '^4 0.000000000 o[0-9]+ O c[0-9]+ "java.lang.Object@[0-9a-f]+"$'
holds 'a thread as an object' '^4 0.000000000 o[0-9]+ O c[0-9]+ "java.lang.Thread [0-9]+"$'
holds 'how many wait is a variable of objects' '^12 W O "threads waiting" "0.8 0.5 0.1"$'
holds 'quotes in a name' "^4 0.000000000 t[0-9]+ T p1 \"first <1> & 'only'\"\$"
holds 'a name of 300 characters, cut' '^4 0.000000000 t[0-9]+ T p1 "abcdef[a-z]*\.\.\."$'
till=$(sed -n 's/^4 0.000000000 \(o[0-9]*\) O .*"java.lang.Object@.*/\1/p' shop17.trace | while read -r o; do
	grep -qE "^14 [0-9.]+ W $o 5\$" shop17.trace && echo "$o"
done)
ok 'five threads wait at one object at once' "$([ "$till" ]; echo $?)" "$(grep -E '^14 [0-9.]+ W ' shop17.trace)"

# ---- files ----
run export -z paje shop17.jwr
is '--gzip' "$status$out" 0shop17.trace.gz
check '... packs the same' sh -c 'gzip -dc shop17.trace.gz | cmp - shop17.trace'
"$jweave" export paje shop17.jwr -o - >piped.trace
check 'standard output: the same' cmp shop17.trace piped.trace
(ulimit -f 8 && "$jweave" export -q paje shop17.jwr -o full.trace) >full.err 2>&1
ok 'no room: fails' "$([ $? != 0 ]; echo $?)" "$(cat full.err)"
mkdir empty.jwr
run export paje empty.jwr
like 'what is no recording' "$status$err" '4jweave: error: *'
is 'what fails leaves nothing' "$(ls -A | grep -E '^\.?(full|empty)\.' | grep -vE '(err|jwr)$')" ''
finish
