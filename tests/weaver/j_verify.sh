#!/bin/sh
# Whole modules of the JDK, every method of them woven: HotSpot links every class exactly as it links
# the original, with branches of the real length and of 150 bytes (java.xml: 400, too); and javac, woven whole,
# compiles to the same class files, each enter with its exit.
set -u
. tests/weaver/j_common
home17=$(find_jdk 17) || skip_all 'no JDK 17 with jimage (package openjdk-17-jdk-headless)'
limits='32767 400 150'

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
# module HOME MODULE LEAST LIMITS: LEAST: how many classes it has at least
module() {
	home=$1
	in=$tmp/jdk/$2
	title="$2 of $(sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$home/release")"
	rm -rf "$tmp/jdk"
	need "$home/bin/jimage" extract --dir "$tmp/jdk" --include "regex:/$2/.*" "$home/lib/modules"
	check "$title links" link "$home" "$2" "$in" "$tmp/before"
	check "$title: its classes are tried" [ "$(sed -n 's/^tried //p' "$tmp/before")" -ge "$3" ]
	for limit in $4; do
		rm -rf "$tmp/woven"
		check "$title woven, branches up to $limit" \
			"$weavedir" --check --quiet "--branch=$limit" "$in" "$tmp/woven"
		link "$home" "$2" "$tmp/woven" "$tmp/after" >"$tmp/check.log"
		check "$title woven links as before, branches up to $limit" \
			diff "$tmp/before" "$tmp/after"
	done
}

module "$home17" java.xml 2000 "$limits"
module "$home17" java.desktop 5000 '32767 150'
module "$home17" jdk.compiler 1500 '32767 150'

# javac: jdk.compiler is still in $tmp/jdk
compile() { # compile OUT [OPTION...]
	out=$1
	shift
	"$home17/bin/javac" "$@" -proc:none -nowarn -Xlint:none -g -parameters -d "$out" \
		tests/weaver/LinkAll.java tests/weaver/Probe.java \
		$(find testdata/programs -name '*.java' ! -path '*/web/*' | sort) >"$out.log" 2>&1
}
compile "$tmp/plain"
check 'javac compiles' [ "$(find "$tmp/plain" -name '*.class' | wc -l)" -ge 10 ]
for limit in 32767 150; do
	rm -rf "$tmp/woven" "$tmp/out"
	need "$weavedir" --quiet "--branch=$limit" "$tmp/jdk/jdk.compiler" "$tmp/woven"
	cp -r "$tmp/probe/jweave" "$tmp/woven/"
	compile "$tmp/out" -J--patch-module="jdk.compiler=$tmp/woven" -J-Djweave.test.report="$tmp/report"
	check "javac woven, branches up to $limit: the same class files" diff -r "$tmp/plain" "$tmp/out"
	cat "$tmp/report" >"$tmp/check.log"
	check 'events are recorded' [ "$(sed 's/enter \([0-9]*\).*/\1/' "$tmp/report")" -gt 100000 ]
	check 'every enter has its exit' grep -q 'inferred 0 wrong 0 open [0-9]*$' "$tmp/report"
done

if home25=$(find_jdk 25); then
	module "$home25" java.xml 2000 '32767 150'
	module "$home25" jdk.compiler 1500 32767
else
	skip 'modules of JDK 25' 'no JDK 25 in /usr/lib/jvm nor in JWEAVE_JDK25'
fi
done_testing
