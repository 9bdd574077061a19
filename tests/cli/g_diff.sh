#!/bin/sh
# What jweave diff says: tables with every mark, gates, and each of its messages.
. tests/cli/kit
x=$BUILD/tests/cli/x_recording
[ -x "$x" ] || skip_all 'no x_recording'
cd "$dir" || exit 1
"$x" a.jwr a.map 2000 && "$x" b.jwr b.map 2010 || exit 1
mkdir empty
cp -r b.jwr lost.jwr
printf 'stop\t4000000\tmax-size\n' >>lost.jwr/meta
t() {
	printf '$ jweave diff' >>got
	for word in "$@"; do printf ' %s' "$word" >>got; done
	echo >>got
	run diff --map a.map "$@"
	cat .out .err >>got
	printf -- '-> %s\n\n' "$status" >>got
}
# base NAME SED: the baseline of a.jwr, changed
"$jweave" diff -q --map a.map --save base.json a.jwr
base() {
	sed "$2" base.json >"$1.json"
}
base least 's/"calls":600/"atLeast":true,&/'
base nobody 's/^{"label":"Main.run".*$/{"label":"a.b()","calls":1},/; s/"descriptor":"()I"/"descriptor":"()J"/'
base waits 's/"roles":\[/"roles":[{"label":"other","threads":1},{"label":"pool-*","threads":[4,4,4,4],"calls":9},/; s/"runs":1/"runs":4/;
	s/"locks":\[/"locks":[{"label":"acme.Other","contended":0,"waits":[9,9,9,9]},{"label":"acme.Lock","waits":8,"contended":[1,2,3,1],"blocked":[900000,910000,920000,905000]}/;
	s/"operations":\[/"operations":[{"label":"io\/read","count":4,"time":100000,"bytes":[1000,1001,1002,1003]}/;
	s/"exceptions":\[$/"exceptions":[{"label":"acme.Fault","thrown":2},{"label":"java.io.IOException","thrown":1,"again":0,"caught":1}/;
	s/"gc":\[$/"gc":[{"label":"young","pauses":[340,345,341,350],"time":900000},{"label":"old","pauses":4,"time":800000}/'
base more 's/"runs":1/"runs":4/; s/"self":2000000/"self":[3000000,3100000,3200000,3050000]/; s/"calls":600/"calls":[600,601,602,600]/'
base same 's/"runs":1/"runs":4/'
t a.jwr a.jwr
t a.jwr b.jwr
t base.json least.json --fail-on 'calls>0' --fail-on 'calls(org.gone.**)>0'
t least.json base.json --fail-on 'calls>0'
t base.json nobody.json --fail-on new-exceptions
t same.json more.json --fail-on 'self>10%'
t same.json waits.json --fail-on new-exceptions
t a.jwr lost.jwr --fail-on 'calls>0'
t --save some.json a.jwr
# operands
t a.jwr
t --baseline base.json a.jwr b.jwr
t --save some.json a.jwr b.jwr
t --save some.json --baseline base.json a.jwr
t --by=gc a.jwr b.jwr
t empty a.jwr
echo mine >mine.json
t --save mine.json a.jwr
# gates
for gate in foo waits.foo 'waits.waited()>1ms' calls 'calls>' 'calls>1ms' 'self>1' 'calls(a' 'calls(@A a)>0' 'calls(a..b)>0' 'new-exceptions>0'; do
	t --fail-on "$gate" a.jwr b.jwr
done
# baselines
echo '[]' >wrong.json
t wrong.json a.jwr
for wrong in 's/jweave-baseline/other/' 's/"version":1/"version":2/' 's/"runs":1/"runs":51/' 's/"calls":600/"calls":[1,2]/' \
	's/"calls":600/"calls":-1/' 's/"label":"Solver.step"/"label":3/' 's/"label":"Solver.step"/"lebal":3/' 's/"name":"step",//' \
	's/"class":"acme.Solver"/"atLeast":3/' '6s/.*/&,\n&/' 's/"locks":\[/"locks":3,"x":[/' 's/"locks":\[/"locks":[3/' 's/"calls":2601/"calls":null/'; do
	base wrong "$wrong"
	t wrong.json a.jwr
done
same_text diff.txt got
finish
