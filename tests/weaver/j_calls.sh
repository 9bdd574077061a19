#!/bin/sh
# Every call of whole modules of the JDK woven, with probes around every method and without, with all that both can
# capture and without: HotSpot
# links every class exactly as it links the original; javac woven so compiles to the same class
# files; programs whose catch, finally and synchronized blocks surround the calls behave as before.
set -u
. tests/weaver/j_common
home17=$(find_jdk 17) || skip_all 'no JDK 17 with jimage (package openjdk-17-jdk-headless)'

need javac -nowarn -d "$tmp/java" tests/weaver/LinkAll.java
need javac -nowarn -d "$tmp/probe" tests/weaver/Probe.java

# link HOME MODULE DIR OUT: links the classes of DIR in place of those of MODULE
link() {
	"$1/bin/java" -XX:+UnlockDiagnosticVMOptions -XX:+BytecodeVerificationLocal -XX:TieredStopAtLevel=1 \
		--add-modules "$2" --patch-module "$2=$3" -cp "$tmp/java" LinkAll "$3" >"$4" 2>"$tmp/link.err" || {
		tail -n 3 "$tmp/link.err" "$4"
		return 1
	}
}
# module HOME MODULE LEAST OPTIONS...: LEAST: how many calls it has at least
module() {
	home=$1 module=$2 least=$3
	in=$tmp/jdk/$module
	title="$module of $(sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$home/release")"
	shift 3
	rm -rf "$tmp/jdk"
	need "$home/bin/jimage" extract --dir "$tmp/jdk" --include "regex:/$module/.*" "$home/lib/modules"
	need link "$home" "$module" "$in" "$tmp/before"
	for options in "$@"; do
		rm -rf "$tmp/woven"
		# shellcheck disable=SC2086 # options are words
		check "$title woven, $options" \
			eval "$weavedir --check --quiet $options $in $tmp/woven >$tmp/count"
		cat "$tmp/count" >"$tmp/check.log"
		check "$title: its calls are woven" \
			[ "$(sed -n 's/.* \([0-9]*\) calls.*/\1/p' "$tmp/count")" -ge "$least" ]
		link "$home" "$module" "$tmp/woven" "$tmp/after" >"$tmp/check.log"
		check "$title woven links as before, $options" diff "$tmp/before" "$tmp/after"
	done
}

module "$home17" java.xml 60000 '--calls --captures' '--calls --branch=150' --only-calls
module "$home17" java.desktop 150000 '--calls --captures' --only-calls
module "$home17" jdk.compiler 45000 '--calls --captures' '--only-calls --branch=400'

# javac: jdk.compiler is still in $tmp/jdk
compile() { # compile OUT [OPTION...]
	out=$1
	shift
	"$home17/bin/javac" "$@" -proc:none -nowarn -Xlint:none -g -parameters -d "$out" \
		tests/weaver/LinkAll.java tests/weaver/Probe.java \
		$(find testdata/programs -name '*.java' ! -path '*/web/*' | sort) >"$out.log" 2>&1
}
compile "$tmp/plain"
for options in '--calls --captures' --only-calls; do
	rm -rf "$tmp/woven" "$tmp/out"
	# shellcheck disable=SC2086 # options are words
	need "$weavedir" --quiet $options "$tmp/jdk/jdk.compiler" "$tmp/woven"
	cp -r "$tmp/probe/jweave" "$tmp/woven/"
	compile "$tmp/out" -J--patch-module="jdk.compiler=$tmp/woven" -J-Djweave.test.report="$tmp/report"
	check "javac woven with $options: the same class files" diff -r "$tmp/plain" "$tmp/out"
	cat "$tmp/report" >"$tmp/check.log"
	check 'events are recorded' [ "$(sed 's/enter \([0-9]*\).*/\1/' "$tmp/report")" -gt 100000 ]
	check 'every enter has its exit' grep -q 'inferred 0 wrong 0 open [0-9]*$' "$tmp/report"
done

# program NAME INFERRED...: the same output, woven with every call and method of it. INFERRED: how many
# frames nothing can close, an exception inside super(...), by option
program() {
	prog=$1
	shift
	need javac -nowarn -g -d "$tmp/$prog" "tests/weaver/$prog.java"
	need java -cp "$tmp/$prog" "$prog"
	mv "$tmp/need.log" "$tmp/plain.out"
	for options in --calls --only-calls '--calls --branch=150' '--only-calls --captures'; do
		rm -rf "$tmp/woven"
		need eval "$weavedir --check $options $tmp/$prog $tmp/woven"
		cp -r "$tmp/probe/jweave" "$tmp/woven/"
		java -Xverify:all -Djweave.test.report="$tmp/report" -cp "$tmp/woven" "$prog" >"$tmp/woven.out" 2>&1
		check "$prog woven with $options behaves as before" diff "$tmp/plain.out" "$tmp/woven.out"
		cat "$tmp/report" >"$tmp/check.log"
		check "$prog with $options: every enter has its exit, but what throws in super()" \
			grep -q "inferred $1 wrong 0 open 0\$" "$tmp/report"
		shift
	done
}
program OddCalls 2 1 2 1

if home25=$(find_jdk 25); then
	module "$home25" java.xml 60000 '--calls --captures' --only-calls
	module "$home25" jdk.compiler 45000 '--calls --captures'
else
	skip 'modules of JDK 25' 'no JDK 25 in /usr/lib/jvm nor in JWEAVE_JDK25'
fi
done_testing
