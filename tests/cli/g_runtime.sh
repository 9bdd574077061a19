#!/bin/sh
# What the runtime says when the disk, its limits or its place are against it: one line, and the program
# does what it would have done. (The calls that fail: faults.c.)
# Slow: 8 s, JVMs run one after the other.
. tests/cli/kit
command -v javac >/dev/null && command -v jar >/dev/null || skip_all 'no JDK'
case ${SAN:-} in '') ;; *) skip_all 'a sanitized program takes no library before its own' ;; esac
${CC:-cc} -std=c11 -shared -fPIC -I. -o "$dir/faults.so" tests/cli/faults.c -ldl 2>"$dir/cc" || skip_all 'no shared library to preload'
words= agent= jar=woven.jar
unset CLASSPATH JDK_JAVA_OPTIONS JAVA_TOOL_OPTIONS JWEAVE JWEAVE_OUTPUT JWEAVE_CONVERT JWEAVE_SUMMARY JWEAVE_KEEP
mkdir -p "$dir/src/acme" "$dir/classes"
cat >"$dir/src/acme/App.java" <<'J'
package acme;
import jweave.api.*;
public class App {
	static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
	public static void main(String[] a) throws Exception {
		if (a.length > 0 && a[0].equals("lib")) lib.Lib.twice(5);
		try (Region r = Region.of("all").begin()) { System.out.println(fib(10)); }
		if (a.length > 0 && a[0].equals("long")) fib(20);
		if (a.length > 0 && a[0].equals("longer")) fib(24);
		if (a.length > 0 && a[0].equals("large")) fib(33);
		if (a.length > 0 && a[0].equals("virtual"))
			((Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, (Runnable) () -> fib(5))).join();
	}
}
J
mkdir -p "$dir/src/lib" "$dir/lib"
echo 'package lib; public class Lib { public static int twice(int n) { return fact(n) + n; } static int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); } }' >"$dir/src/lib/Lib.java"
cp "$BUILD/jweave-rt.jar" "$dir/rt.jar"
cd "$dir" || exit 1
javac -g -d lib src/lib/Lib.java && jar cf lib.jar -C lib . && javac -g -cp rt.jar:lib -d classes src/acme/App.java && jar cfe app.jar acme.App -C classes . || skip_all 'javac or jar does not work'
echo '{"jweave":1,"rules":[{"match":"acme.**"}]}' >r.json
"$jweave" -q app.jar r.json woven.jar || exit 1
echo '{"jweave":1,"rules":[{"match":"acme.**"}],"runtime":{"tracing":false}}' >asleep.json
"$jweave" -q app.jar asleep.json asleep.jar || exit 1
echo '{"jweave":1,"rules":[{"match":"lib.**"}],"runtime":{"output":"other"}}' >other.json
"$jweave" -q lib.jar other.json woven-lib.jar || exit 1

j() { # j NAME FAULT LIMIT [VARIABLES]: the woven program under FAULT
	name=$1 fault=$2 limit=$3
	shift 3
	printf '# %s\n' "$name" >>got
	rm -rf t t.* t-*
	(ulimit $limit 2>/dev/null
		env "$@" JWEAVE_OUTPUT=t JW_FAULT="$fault" LD_PRELOAD="$dir/faults.so" timeout 60 \
			java -XX:-MaxFDLimit -Xshare:auto $agent $defines -cp "$jar:woven-lib.jar:rt.jar" acme.App $words >.out 2>.err)
	status=$?
	cat .out .err >>got
	printf -- '-> %s%s\n\n' "$status" "$(ls -d t.prv 2>/dev/null | sed 's/^/, /')" >>got
}
j 'nothing fails' '' '-c 0'
words=lib
j 'a library woven with other defaults' '' '-c 0'
words=
# on and off
for word in 0 OFF no False; do
	j "JWEAVE=$word" '' '-c 0' JWEAVE=$word
done
j 'JWEAVE=Yes' '' '-c 0' JWEAVE=Yes
j 'JWEAVE=maybe' '' '-c 0' JWEAVE=maybe
defines=-Djweave=no
j '-Djweave=no' '' '-c 0' JWEAVE=on
defines=-Djweave=perhaps
j '-Djweave=perhaps, JWEAVE=false' '' '-c 0' JWEAVE=false
j '-Djweave=perhaps' '' '-c 0'
defines=
j 'paused, and never started' '' '-c 0' JWEAVE_START=paused
jar=asleep.jar
for word in '' true maybe; do
	j "asleep, JWEAVE=$word" '' '-c 0' JWEAVE=$word
done
jar=woven.jar
j 'no room on the disk' 'fstatvfs:28:t.jwr' '-c 0'
j 'no folder can be made' 'mkdir:13:t.jwr' '-c 0'
j 'every name is taken' 'mkdir:17:.jwr' '-c 0'
j 'meta cannot be written' 'openat:13:meta' '-c 0'
j 'data cannot be written' 'openat:28:data' '-c 0'
j 'names of regions cannot be written' 'open:28:regions' '-c 0' JWEAVE_KEEP=1
j 'nearly no files may be opened' '' '-n 18'
j 'the trace cannot be written' 'open:13:.t.' '-c 0'
words=long # more than a window
for errno in 28:ENOSPC 122:EDQUOT 27:EFBIG 24:EMFILE 5:EIO 22:EINVAL; do
	j "data is refused, ${errno#*:}" "pwrite:${errno%:*}:t.jwr/data" '-c 0'
done
j 'the disk becomes full' 'fstatvfs:28:t.jwr:2' '-c 0'
j 'the size limit' '' '-c 0' JWEAVE_MAX_SIZE=512K
words=longer # than the limit, which the recorder itself must not reach
j 'ulimit -f' '' '-f 2000'
words=long
j 'a recorder that cannot be unpacked' '' '-f 100' JWEAVE_TMP="$dir"
words=
j 'no file is left for the folder' 'open:24:t.jwr$:1!' '-c 0'
j 'none for who asks' 'open:24:t.jwr$:2!' '-c 0'
j 'none to link the archive by' 'open:24:t.jwr$:3!' '-c 0'
j 'none at the end' 'open:24:t.jwr$:5!' '-c 0'
# no folder for a job
j 'a job in a folder that is not absolute' '' '-c 0' JWEAVE_JOB=R
j 'no folder outside of a container of YARN' "mkdir:13:/jweave-$(id -u)$" '-c 0' CONTAINER_ID=container_1_2_3_4
# no library that could be loaded
j 'a library that is another one' '' '-c 0' JWEAVE_LIB="$dir/faults.so"
j 'somebody else is faster' 'open64:17:libjweave-rt.so' '-c 0'
echo x >file
defines="-Djava.io.tmpdir=$dir/file"
j 'no place for the recorder' '' '-c 0' JWEAVE_TMP="$dir/file" XDG_CACHE_HOME="$dir/file"
defines=
if command -v zip >/dev/null; then
	cp woven.jar bare.jar && zip -qd bare.jar '*libjweave-rt.so' && zip -q bare.jar file
	cp rt.jar full-rt.jar && zip -qd rt.jar '*libjweave-rt.so' '*.so' >/dev/null 2>&1
	jar=bare.jar
	j 'an archive without the library' '' '-c 0'
	jar=woven.jar
	mv full-rt.jar rt.jar
fi
words=large # AUTO_BYTES
j 'a recording of 256 MiB' '' '-c 0'
words=
j 'no memory' 'memory:12:/libjweave-rt' '-c 0'
home=$(java_home)
${CC:-cc} -std=c11 -shared -fPIC -I"$root" -isystem "$home/include" -isystem "$home/include/linux" -o stubborn.so "$root/tests/cli/stubborn.c" 2>cc ||
	sed 's/^/# /' cc
words=lib
for what in natives:register natives:value0 jvmti events; do
	agent=-agentpath:$dir/stubborn.so=$what
	j "a VM that refuses $what" '' '-c 0' JWEAVE_EVENTS=gc,monitor,alloc
done
for what in natives:park jvmti tables; do
	agent=-agentpath:$dir/stubborn.so=$what
	j "no waits inside the JDK: a VM that refuses $what" '' '-c 0' JWEAVE_EVENTS=park
done
agent=-agentpath:$dir/stubborn.so=events
j 'a VM that refuses samples' '' '-c 0' JWEAVE_EVENTS=alloc
agent= words=
# (how much was recorded until then is chance of the start)
sed -i 's/^\(jweave: 1 thread, \)[0-9,]*\( calls.*lost\)/\1N\2/; s/[0-9,]* events lost/N events lost/' got
sed -i "s|$dir|DIR|g; s/ in [0-9.]* s/ in N s/; s|[^ ]*/jweave-[0-9a-f]*\$|PRIVATE|; s|/linux-[a-z0-9_-]*/|/PLATFORM/|" got
same_text runtime.txt got
jdk25=
for jdk in "${JW_JDK25:-}" /usr/lib/jvm/*; do
	grep -q '^JAVA_VERSION="25' "$jdk/release" 2>/dev/null && jdk25=$jdk
done
if [ "$jdk25" ]; then
	like 'virtual threads of a VM that does not tell of them' "$(JWEAVE_OUTPUT=t25 JWEAVE_EVENTS=monitor timeout 60 "$jdk25/bin/java" \
		--enable-native-access=ALL-UNNAMED "-agentpath:$dir/stubborn.so=events" -cp woven.jar:rt.jar acme.App virtual 2>&1)" \
		'55*the VM does not tell when virtual threads are mounted*'
else
	skip 'virtual threads of a VM that does not tell of them' 'no JDK 25'
fi
is 'the program says the same, whatever fails' "$(grep -c '^55$' got)" "$(grep -c '^# ' got)"
is 'and ends with 0' "$(grep '^-> ' got | grep -vc -- '-> 0')" 0
finish
