#!/bin/sh
# The cases of share/examples that have a README.md of their own: its commands, run as printed in a copy of the folder,
# show what it says they show.
# Slow: 20 s, compiles and runs a program for each.
. tests/cli/kit
command -v javac >/dev/null && command -v jar >/dev/null || skip_all 'no JDK'
PATH=$BUILD:$PATH
HOME=$dir/home
export PATH HOME
unset XDG_CACHE_HOME
mkdir "$HOME"

shown() { # shown CASE PATTERN...: its commands succeed, and a line of what they print matches each
	cp -r "share/examples/$1" "$dir"
	sed -n '/^```sh$/,/^```$/p' "share/examples/$1/README.md" | grep -v '^```' >"$dir/$1.sh"
	(cd "$dir/$1" && timeout 120 sh -e "$dir/$1.sh") >"$dir/$1.log" 2>&1
	is "$1: its commands" "$?" 0
	case_name=$1
	shift
	for pattern; do
		grep -qE -- "$pattern" "$dir/$case_name.log"
		found=$?
		ok "$case_name: $pattern" "$found"
		[ "$found" = 0 ] || sed 's/^/# /' "$dir/$case_name.log"
	done
}
shown slow-lock 'to enter java.lang.Object@.* in Shop.sell' 'held by clerk in Shop.count'
shown web '^ +20 +0 .* Web\.page$' 'Thread.sleep in Web.lookUp' '^web.html$'
shown start-up '  Start\.<clinit>$' '    Start\$Table\.load$'
shown flight-recorder '^it failed$' '^ +[0-9]+ +1 .* Server\.handle$'
shown paraver '^#Paraver \(' '^reader$' '^communications: [1-9]'
if [ -e /usr/share/java/junit4.jar ] && [ -e /usr/share/java/hamcrest-core.jar ]; then
	shown tests '^OK \(2 tests\)$' '    Prices\.sum$' "figures of 1 run"
else
	skip 'tests' 'no JUnit 4 (Debian: junit4)'
fi
newest=
for home in "${JAVA_HOME:-}" "${JW_JDK25:-}" /usr/lib/jvm/*; do
	number=$("$home/bin/javac" -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p')
	[ "${number:-0}" -ge 21 ] && newest=$home
done
if [ "$newest" ]; then
	PATH=$newest/bin:$PATH
	shown virtual-threads '^sum 4950$' '^ +100 +0 .* Fetch\.fetch$' 'Fetch.fetch .* virtual [0-9]+'
else
	skip 'virtual-threads' 'no JDK 21 or later'
fi
is 'every case is here' "$(for readme in share/examples/*/README.md; do
	name=${readme%/README.md}
	grep -q "shown ${name##*/} " "$0" || echo "$name"
	grep -q "^| \[${name##*/}\](${name##*/}/README.md)" share/examples/README.md || echo "share/examples/README.md: $name"
done)" ''
finish
