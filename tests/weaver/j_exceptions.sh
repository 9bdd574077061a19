#!/bin/sh
# What every method of whole modules of the JDK throws and catches woven, alone, with probes around every method,
# and with every call, every object that is made, and all captures: HotSpot links every class exactly as it links the original; javac woven so
# compiles to the same class files; programs that throw in all ways behave as before.
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
# module HOME MODULE LEAST OPTIONS...: LEAST: how many methods throw or catch, at least
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
		check "$title: what it throws and catches is woven" \
			[ "$(sed -n 's/.*exceptions of \([0-9]*\) methods.*/\1/p' "$tmp/count")" -ge "$least" ]
		check "$title: no method is left for its frames" not grep -q FRAMES "$tmp/count"
		case $options in *--all*)
			check "$title: and every object that it makes" \
				[ "$(sed -n 's/.* \([0-9]*\) objects.*/\1/p' "$tmp/count")" -ge "$least" ]
		esac
		link "$home" "$module" "$tmp/woven" "$tmp/after" >"$tmp/check.log"
		check "$title woven links as before, $options" diff "$tmp/before" "$tmp/after"
	done
}

module "$home17" java.xml 2000 --exceptions '--all --captures'
module "$home17" java.desktop 4000 --all
module "$home17" jdk.compiler 1000 '--only-exceptions --branch=150' '--all --branch=400'

# javac: jdk.compiler is still in $tmp/jdk
compile() { # compile OUT [OPTION...]
	out=$1
	shift
	"$home17/bin/javac" "$@" -proc:none -nowarn -Xlint:none -g -parameters -d "$out" \
		tests/weaver/LinkAll.java tests/weaver/Probe.java \
		$(find testdata/programs -name '*.java' ! -path '*/web/*' | sort) >"$out.log" 2>&1
}
compile "$tmp/plain"
for options in --exceptions --all; do
	rm -rf "$tmp/woven" "$tmp/out"
	need "$weavedir" --quiet "$options" "$tmp/jdk/jdk.compiler" "$tmp/woven"
	cp -r "$tmp/probe/jweave" "$tmp/woven/"
	compile "$tmp/out" -J--patch-module="jdk.compiler=$tmp/woven"
	check "javac woven with $options: the same class files" diff -r "$tmp/plain" "$tmp/out"
done

# program NAME: the same output, woven
program() {
	need javac -nowarn -g -d "$tmp/$1" "tests/weaver/$1.java"
	need java -cp "$tmp/$1" "$1"
	mv "$tmp/need.log" "$tmp/plain.out"
	for options in --exceptions --only-exceptions '--all --captures' '--only-exceptions --branch=150' --only-new; do
		rm -rf "$tmp/woven"
		need eval "$weavedir --check $options $tmp/$1 $tmp/woven"
		cp -r "$tmp/probe/jweave" "$tmp/woven/"
		java -Xverify:all -cp "$tmp/woven" "$1" >"$tmp/woven.out" 2>&1
		check "$1 woven with $options behaves as before" diff "$tmp/plain.out" "$tmp/woven.out"
	done
}
program OddCalls

if home25=$(find_jdk 25); then
	module "$home25" java.xml 2000 --only-exceptions
	module "$home25" java.desktop 4000 '--all --branch=400'
	module "$home25" jdk.compiler 1000 '--all --captures'
else
	skip 'modules of JDK 25' 'no JDK 25 in /usr/lib/jvm nor in JWEAVE_JDK25'
fi
done_testing
