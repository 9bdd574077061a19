#!/bin/sh
# The table of the JDK's types is what share/JdkTypes.java makes of JDK 25 and 17.
set -u
. tests/weaver/a_kit

jdk() { # jdk RELEASE: its folder
	for release in ${JW_JDK25:+"$JW_JDK25/release"} /usr/lib/jvm/*/release; do
		[ -r "$release" ] && grep -q "^JAVA_VERSION=\"$1[.\"]" "$release" && [ -x "${release%/release}/bin/java" ] &&
			{ echo "${release%/release}"; return; }
	done
}
new=$(jdk 25) old=$(jdk 17)
[ -n "$new" ] && [ -n "$old" ] || { echo "1..0 # SKIP needs JDK 25 and JDK 17"; exit 0; }
check 'JDK 25' sh -c "timeout 100 '$new/bin/java' share/JdkTypes.java >'$work/new'"
check 'and JDK 17' sh -c "timeout 100 '$old/bin/java' share/JdkTypes.java '$work/new' >'$work/types'"
check 'make the table' cmp "$work/types" share/jdk-types.txt
check 'which is small' sh -c '[ $(wc -c <share/jdk-types.txt) -lt 250000 ]'
finish
