#!/bin/sh
# Names that would move a terminal's cursor, change its title or forge a line of a log, in files, options,
# classes, methods, entries, threads and rules: nothing that jweave prints has a control character in it,
# and a name is one line.
. tests/cli/kit
command -v python3 >/dev/null || skip_all 'no python3'
x=$BUILD/tests/cli/x_recording
[ -x "$x" ] || skip_all 'x_recording is not built'
python3 tests/cli/damaged.py "$dir" || exit 1
cd "$dir" || exit 1
XDG_CACHE_HOME=$dir/cache
export XDG_CACHE_HOME
esc=$(printf 'a\033[31mb\007')
cp good.jar "./$esc.jar"
cp A.class "./$esc.class"
printf '{"jweave":1,"rules":[{"id":"all","select":{"class":"**","code":{"minBytes":0}}}]}' >"$esc.json"
cp "$esc.json" r.json
printf '{"jweave":1,"rules":[{"ma\033tch":"**"}]}' >bad.json
printf '{"jweave":1,"rules":[{"match":"a.b\033[31m"}]}' >bad2.json
printf '{"jweave":1,"ru\\u001b[31mles":[]}' >bad3.json
printf '{"jweave":1,"rules":[{"description":"\\u001b[31m","select":{"class":"re:.*\\u001b.*"}}]}' >re.json
"$x" "$esc.jwr" run.map 20
sed -i "s/^\(thread.*\)main$/\1ma$(printf '\033')[31min/" "$esc.jwr/meta"
sed -i "s/acme\/Solver/acme\/So$(printf '\033')[31mlver/" run.map

safe() { # safe ARGS: what comes out has no control character but line ends
	run "$@"
	cat .out .err >both
	name=$(printf '%s ' "$@" | cut -c1-70 | tr '\000-\037\177' '?')
	is "$name: says something" "$([ -s both ]; echo $?)" 0
	is "$name: no control character" "$(LC_ALL=C tr -d '\n\t' <both | LC_ALL=C grep -c "$(printf '[\001-\037\177]')")" 0
	# C1 controls are controls, too, as is what turns the direction of text
	is "$name: no control of Unicode" "$(perl -CSD -ne 'print if /[\x{80}-\x{9f}\x{2028}\x{2029}\x{202a}-\x{202e}\x{2066}-\x{2069}]/' both)" ''
	is "$name: no crash" "$([ "$status" -lt 124 ] || [ "$status" = 127 ]; echo $?)" 0
}
# ---- files, operands, options ----
safe "./$esc.jar" "$esc.json" "$esc-o.jar"
safe "./$esc.jar" "$esc.json" "no/$esc-o.jar"
safe --json "./$esc.jar" "$esc.json" "$esc-o.jar"
safe -n "./$esc.jar" "$esc.json"
safe -r "$esc.json" -o "$esc.d" "./$esc.jar"
safe "./$esc.class" "$esc.json" "$esc-o.class"
safe verify "./$esc.jar"
safe verify --against "./$esc.jar" "$esc-o.jar"
safe verify "./$esc.class"
safe list -r "$esc.json" "./$esc.jar"
safe list --json "./$esc.jar"
safe explain -r "$esc.json" "./$esc.jar" "A#$esc"
safe explain -r "$esc.json" "./$esc.jar" 'A#m'
safe explain --json -r "$esc.json" "./$esc.jar" 'A#m'
safe check "$esc.json"
safe check bad.json bad2.json bad3.json re.json
safe init "./$esc.jar"
safe init -o "$esc.json" "./$esc.jar"
safe info "$esc-o.jar"
safe info "$esc.jar"
safe dump "./$esc.class"
safe dump "./$esc.jar" "$esc"
for command in list info dump verify report score prv init; do safe $command "$esc.none"; done
safe "$esc"
safe "--$esc"
safe -j "$esc" a.jar b.json c.jar
safe --color="$esc" version
safe @"$esc"
safe help "$esc"
safe presets "$esc"
safe completion "$esc"
safe ctl "$esc" status
safe run -r "$esc.json" -- "./$esc"
safe run -v -r "$esc.json" -- true -cp "$esc.jar:$esc.none" "$esc"
# ---- classes, methods, entries ----
for jar in odd escape; do
	safe list $jar.jar
	safe list --json -r r.json $jar.jar
	safe -v $jar.jar r.json o-$jar.jar
	safe --json $jar.jar r.json o-$jar.jar
	safe explain -r r.json $jar.jar '**'
	safe explain --json -r r.json $jar.jar '**'
	safe explain -r r.json $jar.jar 'p.Redd'
	safe init $jar.jar
	safe info o-$jar.jar
	safe verify --against=$jar.jar o-$jar.jar
	safe verify --against=good.jar o-$jar.jar
	safe dump $jar.jar nothing
done
safe info marks.jar
safe info --json marks.jar
safe dump odd.jar "$(printf 'p.\033[31mRed')"
safe list -r re.json odd.jar
# ---- threads and methods of recordings and traces ----
safe info "$esc.jwr"
safe prv -v --map=run.map -o "$esc" "$esc.jwr"
safe prv --json --map=run.map --force -o "$esc" "$esc.jwr"
safe report --map=run.map "$esc.jwr"
safe report --json --map=run.map "$esc.jwr"
safe report --thread="*" "$esc.prv"
safe report "$esc.prv"
safe score --map=run.map "$esc.jwr"
safe score --map=run.map --suggest="$esc-s.json" "$esc.jwr"
safe info "$esc.prv"
is 'the trace itself has none' "$(LC_ALL=C grep -c "$(printf '\033')" "$esc.pcf" "$esc.row" | cut -d: -f2 | tr '\n' ' ')" '0 0 '
finish
