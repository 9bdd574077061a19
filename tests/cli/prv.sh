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
ulimit -f 1 # 512 bytes, or 1 KiB
trap '' XFSZ
run prv -z run.jwr --map run.map -o big
is 'a full disk: a failure' "$status" 1
is 'that leaves nothing behind' "$(echo big*)" 'big*'
finish
