#!/bin/sh
# jweave prv: names of the files, gzip, what is overwritten and what is not.
. tests/cli/kit
x=$BUILD/tests/cli/x_recording
[ -x "$x" ] || skip_all 'no x_recording'
validate=$PWD/tests/paraver/validate.pl
cd "$dir" || exit 1
"$x" run.jwr run.map 2000 || exit 1

run prv run.jwr --map run.map
is 'prv: status' "$status$err" 0
is 'prv: the line names the trace' "${out##* }" run.prv
run prv run.jwr --map run.map -o packed.prv.gz
is '-o NAME.prv.gz: the line' "$status${out##* }" 0packed.prv.gz
is 'its files' "$(echo packed*)" 'packed.pcf packed.prv.gz packed.row'
ok 'gzip takes it' "$(gzip -t packed.prv.gz; echo $?)"
gzip -dc packed.prv.gz >unpacked
ok 'it holds the same trace' "$(cmp unpacked run.prv; echo $?)"
ok 'and the same labels' "$(cmp packed.pcf run.pcf; echo $?)"
ok 'smaller by far' "$([ $(($(wc -c <packed.prv.gz) * 4)) -lt "$(wc -c <run.prv)" ]; echo $?)"
is 'the validator reads it' "$(perl "$validate" --counts packed.prv.gz)" "$(perl "$validate" --counts run.prv)"

mkdir -p folder
run prv run.jwr --map run.map -o folder/
is '-o FOLDER/: the name of the recording in it' "$status${out##* } $(echo folder/*)" \
	'0folder/run.prv folder/run.pcf folder/run.prv folder/run.row'
cp -r run.jwr folder/other.jwr
run prv folder/other.jwr/ run.jwr --map run.map -z -o folder//
is 'that of the first' "$status${out##* }" 0folder//other.prv.gz
run prv run.jwr --map run.map -o nowhere/
is 'a folder that is not there' "$status$out $(echo nowhere*)" '1 nowhere*'
like 'is an error that names it' "$err" '*nowhere/run.pcf: cannot create a file there*'

# a trace of many blocks: the same bytes for any -j
mkdir -p jobs
"$x" jobs/r.jwr jobs/r.map 20000 || exit 1
for j in 1 2 7; do
	run prv -j$j jobs/r.jwr --map jobs/r.map -o jobs/$j
	run prv -j$j -z jobs/r.jwr --map jobs/r.map -o jobs/z$j
done
is 'the trace is longer than a block' "$([ "$(wc -c <jobs/1.prv)" -gt 700000 ]; echo $?)" 0
is 'the same bytes for any -j' "$(cd jobs && cmp 1.prv 2.prv && cmp 1.prv 7.prv && cmp z1.prv.gz z2.prv.gz && cmp z1.prv.gz z7.prv.gz; echo $?)" 0
is 'packed, it is the same trace' "$(gzip -dc jobs/z7.prv.gz | cmp - jobs/1.prv; echo $?)" 0
run report -j1 jobs/r.jwr --map jobs/r.map
one=$out
run report -j7 jobs/r.jwr --map jobs/r.map
is 'jweave report says the same for any -j' "$out" "$one"

run prv run.jwr --map run.map
is 'a trace that exists is not overwritten' "$status" 2
run prv --gzip run.jwr --map run.map
is 'in neither form' "$status" 2
run prv --gzip --force run.jwr --map run.map
is '--gzip --force' "$status${out##* }" 0run.prv.gz
is 'no .prv stays beside labels that are not its own' "$(echo run.p*)" 'run.pcf run.prv.gz'
like 'which is said' "$err" '*removed*run.prv*'
run prv -z --json run.jwr --map run.map -o j
is '--json names the file' "$(printf %s "$out" | perl -MJSON::PP -e 'local $/; print decode_json(<>)->{file}')" j.prv.gz

# virtual threads: five alive at one time
"$x" virtual.jwr run.map 10 5 || exit 1
rows() { grep -c '^virtual [0-9]*$' "$1.row"; }
run info virtual.jwr
like 'info counts them, and the pauses' "$status$out" '0*virtual threads: 5*GC pauses: 3*'
run info --json virtual.jwr
is 'in JSON, too' "$(printf %s "$out" | perl -MJSON::PP -e 'local $/; $r = decode_json(<>); print "@$r{qw(virtualThreads gcPauses)}"')" '5 3'
run info run.prv.gz
is 'info of a compressed trace: refused' "$status$out" 4
like 'with what to do' "$err" "*'run.prv.gz' is compressed*gzip -dk*jweave report*"
run prv virtual.jwr --map run.map -o v256
is 'five virtual threads find rows' "$status$err $(rows v256)" '0 5'
is 'the row of the JVM is no thread: prv' "${out%%,*}" '7 threads'
run report virtual.jwr --map run.map
is '... report of the recording' "${out%%,*}" '7 threads'
run report v256.prv
is '... and of the trace' "${out%%,*}" '7 threads'
run info v256.prv
like '... and info' "$out" '*threads: 7
*thread: JVM*'
run info --json v256.prv
is 'info of a trace in JSON: what it counts is in its files' "$status $(printf %s "$out" | perl -MJSON::PP -e 'local $/; $t = decode_json(<>);
	print join " ", @$t{qw(kind bytes threads communications)}, scalar grep { /^virtual / } @{ $t->{threadNames} }')" \
	"0 trace $(wc -c <v256.prv) $(sed '1,/^LEVEL THREAD/d' v256.row | grep -vc '^JVM$') $(grep -c '^3:' v256.prv) 5"
run prv virtual.jwr --map run.map --lanes=2 -o v2
is '--lanes=2: two rows' "$status $(rows v2)" '0 2'
like 'who found none is told' "$err" '*3 of 5 virtual threads found all 2 rows taken*'
is 'and counted on a row of its own' "$(grep -c '^virtual (more)$' v2.row)" 1
ok 'the validator reads it' "$(perl "$validate" v2.prv >/dev/null; echo $?)"
run prv virtual.jwr --map run.map --lanes=5 -o v5
is '--lanes=5 is enough, and the same trace' "$status$err$(tail -n +2 v5.prv | cksum)" "0$(tail -n +2 v256.prv | cksum)"
run prv virtual.jwr --map run.map --lanes=65534 -o vmost
is '--lanes=65534 is taken' "$status$err $(rows vmost)" '0 5'
for bad in 0 -1 65535 x ''; do
	run prv virtual.jwr --lanes="$bad" -o bad
	is "--lanes='$bad' is not" "$status" 2
done
# ---- names from a folder of woven jars ----
mkdir -p jars/more/META-INF/jweave none
echo '{}' >jars/more/META-INF/jweave/woven.json
cp run.map jars/more/META-INF/jweave/x.map
if command -v python3 >/dev/null; then
	(cd jars/more && python3 -m zipfile -c ../../jars/woven.jar META-INF && echo >x && python3 -m zipfile -c ../../jars/plain.jar x)
	rm -rf jars/more && mkdir jars/more && mv jars/woven.jar jars/more
	for command in 'prv -o named' 'report' 'draw -o named.svg' 'export chrome -o named.json' 'report --tree'; do
		# shellcheck disable=SC2086 # words
		run $command run.jwr --map jars
		is "a folder of woven jars: $command" "$status$(echo "$err" | grep 'map')" 0
	done
	is '... has the names' "$(cmp named.pcf run.pcf; echo $?)" 0
	run prv -f -o named run.jwr --map none
	like '... one that has none' "$err" '*none: no method map in it*'
fi


ulimit -f 1 # 512 bytes, or 1 KiB
trap '' XFSZ
run prv -z run.jwr --map run.map -o big
is 'a full disk: a failure' "$status" 1
is 'that leaves no file' "$(echo big*)" 'big*'
finish
