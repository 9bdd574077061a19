#!/bin/sh
# Classes with bytes changed at random (Mutants.java): every one that HotSpot links, it links woven, with every method and
# call, near branches or captures. JW_SEED=N JW_MUTANTS=N: other ones, more of them; JW_KEEP=FOLDER: those that fail.
set -u
. tests/weaver/j_common
asm=$(find_jar asm) || skip_all 'no asm.jar (package libasm-java)'
seed=${JW_SEED:-7}

need javac -nowarn -cp "$asm" -d "$tmp/java" tests/weaver/OddClasses.java tests/weaver/Mutants.java
need java -cp "$tmp/java:$asm" OddClasses gen "$tmp/in/odd"
for jar in kotlin scala3; do
	need unzip -qo "testdata/languages/$jar.jar" -d "$tmp/in/$jar"
done
for folder in testdata/classes/*/; do
	need cp -r "$folder" "$tmp/in/"
done
mutants() { java -Xverify:all -XX:TieredStopAtLevel=1 --add-opens java.base/java.lang=ALL-UNNAMED -cp "$tmp/java" Mutants "$@" 2>"$tmp/err" || { cat "$tmp/err"; false; }; }

need mutants make "$seed" "${JW_MUTANTS:-6000}" "$tmp/mutants" "$tmp"/in/*
all=$(find "$tmp/mutants" -name '*.class' | wc -l)
check "seed $seed: $all mutants link" [ "$all" -gt $((${JW_MUTANTS:-6000} / 20)) ]
for options in '' '--calls --captures' '--branch=60 --calls' '--only-calls --captures'; do
	rm -rf "$tmp/out"
	# shellcheck disable=SC2086 # options are words
	check "seed $seed: well formed, woven with [$options]" \
		timeout 300 "$weavedir" --check --quiet $options "$tmp/mutants" "$tmp/out"
	mutants link "$tmp/out" "$tmp"/in/* >"$tmp/linked"
	check "seed $seed: all are there" [ "$(wc -l <"$tmp/linked")" = "$all" ]
	grep -v ' linked$' "$tmp/linked" >"$tmp/failed"
	check "seed $seed: all link, woven with [$options]" diff /dev/null "$tmp/failed"
	if [ -n "${JW_KEEP:-}" ] && [ -s "$tmp/failed" ]; then
		mkdir -p "$JW_KEEP"
		cut -d' ' -f1 "$tmp/failed" | while read -r f; do cp "$tmp/mutants/$f" "$JW_KEEP/$seed-$f"; done
	fi
done
done_testing
