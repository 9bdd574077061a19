#!/bin/sh
# Classes with bytes (Mutants.java), or instructions, handlers, constants and attributes (x_mutants.c) changed at random:
# every one that HotSpot links, it links woven, with every method and call, near branches or captures, by presets, or all there is.
# JW_SEED=N JW_MUTANTS=N: other ones, more of them; JW_KEEP=FOLDER: those that fail.
# Slow: 20 s, a JVM links what was woven.
set -u
. tests/weaver/j_common
asm=$(find_jar asm) || skip_all 'no asm.jar (package libasm-java)'
seed=${JW_SEED:-7}

cat >"$work/presets.json" <<'END'
{"jweave": 1, "include": ["preset:jdk-threads", "preset:monitors", "preset:io", "preset:http", "preset:jdbc", "preset:rmi"],
 "rules": [{"match": "**#*", "capture": [{"what": "this", "as": "class"}]}]}
END
need java -cp "$classes:$asm" OddClasses gen "$work/in/odd"
for jar in kotlin scala3; do
	need unzip -qo "testdata/languages/$jar.jar" -d "$work/in/$jar"
done
for folder in testdata/classes/*/; do
	need cp -r "$folder" "$work/in/"
done
mutants() { java -Xlog:disable -Xverify:all -XX:TieredStopAtLevel=1 --add-opens java.base/java.lang=ALL-UNNAMED -cp "$classes" Mutants "$@" 2>"$work/err" || { cat "$work/err"; false; }; }

# weave_mutants NAME COUNT: of COUNT mutants, those of $work/mutants that link are woven in each way, and link woven
weave_mutants() {
	all=$(find "$work/mutants" -name '*.class' | wc -l)
	check "$1: $all link" [ "$all" -gt $(($2 / 20)) ]
	for options in '' '--calls --captures' '--branch=60 --calls' '--only-calls --captures' '--all --branch=150' "--rules=$work/presets.json"; do
		check "$1: well formed, woven with [${options##*/}]" weave "$work/mutants" "--quiet $options"
		mutants link "$work/woven" "$work"/in/* >"$work/linked"
		check "$1: all are there" [ "$(wc -l <"$work/linked")" = "$all" ]
		grep -v ' linked$' "$work/linked" >"$work/failed"
		check "$1: all link, woven with [${options##*/}]" diff /dev/null "$work/failed"
		if [ -n "${JW_KEEP:-}" ] && [ -s "$work/failed" ]; then
			mkdir -p "$JW_KEEP"
			cut -d' ' -f1 "$work/failed" | while read -r f; do cp "$work/mutants/$f" "$JW_KEEP/$seed-$f"; done
		fi
	done
}
count=${JW_MUTANTS:-6000}
need mutants make "$seed" "$count" "$work/mutants" "$work"/in/*
weave_mutants "seed $seed, bytes changed" "$count"

rm -rf "$work/mutants"
need mkdir "$work/mutants"
find "$work/in" -name '*.class' | sort | need "$BUILD/tests/weaver/x_mutants" "$seed" "$count" "$work/mutants"
need mutants sift "$work/mutants" "$work"/in/*
weave_mutants "seed $seed, instructions and handlers changed" "$count"
finish
