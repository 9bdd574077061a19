#!/bin/sh
# The projects of share/examples: a fresh build traces, a second does nothing, a changed included
# rules file weaves again, a wrong one fails the build and leaves the old jar; two checkouts in
# different folders give the same bytes. (Maven: offline, from Debian's or the user's repository.)
# Slow: 12 s, JVMs run the examples.
. tests/cli/kit
command -v javac >/dev/null && command -v jar >/dev/null || skip_all 'no JDK'
mkdir "$dir/bin" && cp "$jweave" "$dir/bin/jweave" && touch -d 2020-01-01 "$dir/bin/jweave" # of before what is built
PATH=$dir/bin:$PATH
SOURCE_DATE_EPOCH=1700000000
export PATH SOURCE_DATE_EPOCH
unset MAKEFLAGS MAKELEVEL MFLAGS GNUMAKEFLAGS

# project TOOL JAR BUILD...: the whole life of one example. Skipped aloud when the build needs what is not there.
project() {
	tool=$1 traced=$2
	shift 2
	cp -r "share/examples/$tool" "$dir/$tool-one"
	(cd "$dir/$tool-one" && timeout 120 "$@" >"$dir/$tool.log" 2>&1)
	built=$?
	if [ "$built" != 0 ] && [ "$tool" = maven ] && grep -qi 'offline mode' "$dir/maven.log"; then
		skip "$tool: its plugins" 'are not in a local repository (JW_MAVEN_REPO names one)'
		return
	fi
	if [ "$built" != 0 ] && [ "$tool" = gradle ] && grep -qE 'Could not determine java version|Unsupported class file' "$dir/gradle.log"; then
		skip "$tool" 'this Gradle does not run on this JDK'
		return
	fi
	is "$tool: a fresh build" "$built" 0
	[ "$built" = 0 ] || sed 's/^/# /' "$dir/$tool.log"
	cd "$dir/$tool-one" || return
	is "$tool: what it made traces" "$(cd "$dir" && timeout 60 java -jar "$tool-one/$traced" 2>/dev/null)$(ls "$dir"/trace-*.prv | wc -l)" \
		'fib(12) = 1441'
	rm -rf "$dir"/trace-*
	# (the jars of make and ant have dates in them: of those, a copy with what was compiled)
	if [ "$tool" != make ]; then
		mkdir -p "$dir/elsewhere"
		if [ "$tool" = ant ]; then
			cp -rp . "$dir/elsewhere/$tool-two"
			rm "$dir/elsewhere/$tool-two/$traced"
		else
			cp -r "$root/share/examples/$tool" "$dir/elsewhere/$tool-two"
		fi
		(cd "$dir/elsewhere/$tool-two" && timeout 120 "$@" >"$dir/$tool.log" 2>&1)
		ok "$tool: another folder, the same bytes" "$(cmp -s "$traced" "$dir/elsewhere/$tool-two/$traced"; echo $?)"
	fi
	# as if time had passed: all in its order, a minute ago (Maven looks at times in other ways)
	[ "$tool" = maven ] && sleep 2 || perl -e 'for (@ARGV) { my @s = stat; utime $s[8] - 60, $s[9] - 60, $_ }' $(find . -type f)
	before=$(stat -c %y-%i "$traced")
	timeout 120 "$@" >"$dir/$tool.log" 2>&1
	is "$tool: a second build does nothing" "$?$(stat -c %y-%i "$traced")" "0$before"
	if [ "$tool" = make ] || [ "$tool" = gradle ]; then
		echo >>"$dir/bin/jweave"
		timeout 120 "$@" >"$dir/$tool.log" 2>&1
		ok "$tool: another program: woven again" "$([ "$?" = 0 ] && [ "$(stat -c %y-%i "$traced")" != "$before" ]; echo $?)"
		touch -d '1 minute ago' "$dir/bin/jweave"
	fi
	printf '{ "jweave": 1, "exclude": [ "com.acme.Hello#main" ], "rules": [] }\n' >rules/common.json
	timeout 120 "$@" >"$dir/$tool.log" 2>&1
	is "$tool: a changed included file: woven again" "$?" 0
	run info "$traced"
	like "$tool: by the new rules" "$out" '*woven: 1*'
	sum=$(cksum <"$traced")
	echo '{ "jweave": 1, "ruls": [] }' >rules/common.json
	touch -d '1 minute' rules/common.json
	timeout 120 "$@" >"$dir/$tool.log" 2>&1
	is "$tool: a wrong rules file fails the build" "$([ $? != 0 ]; echo $?)" 0
	like "$tool: and is named" "$(cat "$dir/$tool.log")" '*rules/common.json:1:16: /ruls: unknown key (did you mean "rules"?)*'
	is "$tool: the old jar stays" "$(cksum <"$traced")" "$sum"
	cd "$root" || return
}

if command -v make >/dev/null; then
	project make hello-traced.jar make
	mkdir -p "$dir/elsewhere"
	cp -r share/examples/make "$dir/elsewhere/two"
	cp -r share/examples/make "$dir/three"
	(cd "$dir/elsewhere/two" && make hello.jar >/dev/null 2>&1 && cp -p hello.jar "$dir/three" &&
		touch hello.jar "$dir/three/hello.jar" && make >/dev/null 2>&1)
	(cd "$dir/three" && make -o hello.jar >/dev/null 2>&1)
	ok 'two checkouts, the same bytes' "$(cmp -s "$dir/elsewhere/two/hello-traced.jar" "$dir/three/hello-traced.jar"; echo $?)"
else
	skip 'make' 'there is none'
fi
if command -v ant >/dev/null; then
	project ant hello-traced.jar ant -noinput
else
	skip 'ant' 'there is none'
fi
if command -v mvn >/dev/null; then
	project maven target/hello-1.0-traced.jar mvn -o -B ${JW_MAVEN_REPO:+"-Dmaven.repo.local=$JW_MAVEN_REPO"} package
else
	skip 'maven' 'there is none'
fi
if command -v gradle >/dev/null; then
	GRADLE_USER_HOME=$dir/gradle
	export GRADLE_USER_HOME
	project gradle build/libs/hello-traced.jar gradle --offline --no-daemon -q assemble
else
	skip 'gradle' 'there is none'
fi
# what the Dockerfile runs of ours, without Docker (docker.sh builds it, where something can)
line=$(sed -n 's/^RUN \(jweave .*\)/\1/p' share/examples/docker/Dockerfile)
like 'docker: the stage weaves' "$line" 'jweave * /in/app.jar /rules/trace.json /app.jar'
mkdir "$dir/docker"
cp "$dir/elsewhere/two/hello.jar" "$dir/docker/app.jar" 2>/dev/null
cp -r share/examples/docker/rules "$dir/docker"
(cd "$dir/docker" && eval "$(printf %s "$line" | sed 's|/in/app.jar|app.jar|; s|/rules/|rules/|; s| /app.jar$| out.jar|')" >"$dir/docker.log" 2>&1)
is 'docker: its command, here' "$?$(tail -n 1 "$dir/docker.log" | sed 's/.* -> / -> /')" '0 -> out.jar'
# each line of the file is an instruction of Docker's, each stage that one names comes before it, and
# what is copied from the folder is there or is said to
is 'docker: instructions' "$(perl -0pe 's/\\\n//g; s/^#.*\n//gm' share/examples/docker/Dockerfile | grep . |
	grep -vE '^(FROM [a-z0-9:.-]+( AS [a-z]+)?|COPY (--from=[a-z]+ )?[^ ]+ [^ ]+|RUN [^ ].*|ENV [A-Z_]+=[^ ]+|VOLUME /[a-z]+|ENTRYPOINT \[ ("[^"]+"(, )?)+ \])$')" ''
is 'docker: stages' "$(perl -ne 'if (my ($from, $as) = /^FROM (\S+)(?: AS (\S+))?/) { print "$from " unless $from =~ /:/ || $known{$from}; $known{$as // ""} = 1 }
	print "$1 " if /--from=(\S+)/ && !$known{$1}' share/examples/docker/Dockerfile)" ''
ok 'the two copies of the Ant macro are one' "$(cmp -s share/examples/ant/jweave.xml share/examples/maven/jweave.xml; echo $?)"
finish
