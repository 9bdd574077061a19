#!/bin/sh
# Methods with many long parameters: patterns, diff and every export know class, name and place, of a recording
# and of its trace, also of a trace whose labels are cut.
. tests/cli/kit
x=$BUILD/tests/cli/x_recording
[ -x "$x" ] || skip_all 'no x_recording'
cd "$dir" || exit 1
type=com/acme/a/very/long/name/of/a/package/that/is/not/rare/in/programs/of/companies/Configuration
many() { # many N: a descriptor with N of them
	printf '('
	i=0
	while [ $i -lt "$1" ]; do printf 'L%s;' $type; i=$((i + 1)); done
	printf ')V'
}
# some 500 bytes, which a trace holds whole, and some 3,000
for n in 5 30; do
	"$x" $n.jwr run.map 20 || exit 1
	sed "s|(ILjava/lang/String;)V|$(many $n)|" run.map >$n.map
	run prv $n.jwr --map $n.map
	is "$n types: prv" "$status$err" 0
done
# as versions before this one cut labels
cp 5.prv old.prv && cp 5.row old.row
sed 's|\(Solver.step(com.acme.*Configuration, com.*\), com[^]]* X.java|\1... X.java|' 5.pcf >old.pcf
ok 'an old label is cut in its types' "$(grep -q 'Configuration, com[^)]*\.\.\. X.java:12\]' old.pcf; echo $?)"

for run in '5.jwr --map 5.map' 5.prv '30.jwr --map 30.map' 30.prv old.prv; do
	# shellcheck disable=SC2086 # two words
	set -- $run
	run report -q --method='acme.Solver' "$@"
	like "$run: a class selects it" "$status$err$out" '0*  Solver.step*'
	run report -q --callers='acme.Solver#step' "$@"
	like "$run: a name does" "$status$err$out" '0*Solver.step*'
	run report -q --slowest=1 --method='acme.**#step' "$@"
	like "$run: so it does calls" "$status$err$out" '0*Solver.step  at*'
	run export tsv -f --table=method "$@" -o out.tsv
	like "$run: it has its place" "$(grep Solver.step out.tsv)" '*acme.Solver.step(com.acme.*X.java	12'
	run export perfetto -f "$@" -o out.pftrace
	ok "$run: perfetto" "$(grep -aq 'acme.Solver.step(com.acme.*X.java' out.pftrace; echo $?)"
done
for run in '5.jwr --map 5.map' 5.prv '30.jwr --map 30.map'; do
	# shellcheck disable=SC2086
	set -- $run
	run export tsv -f --table=method "$@" -o out.tsv
	ok "$run: the long form is whole" "$(grep -q 'Configuration):void	X.java	12' out.tsv; echo $?)"
done
run diff --map 5.map 5.jwr 5.prv
like 'a recording and its trace are the same run' "$status$out" '0*no count has changed*'
run diff 30.prv 30.prv
like 'so is a cut trace and itself' "$status$out" '0*no count has changed*'
run diff 30.prv --save=base.json
run diff base.json 30.prv
like 'and its baseline' "$status$err$out" '0*no count has changed*'
finish
