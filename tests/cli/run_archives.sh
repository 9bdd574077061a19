#!/bin/sh
# jweave run: archives of classes (CDS) that the JVM keeps. What it says of one that does not fit is not among the program's output;
# no run of woven copies replaces one that was made without jweave. (AOT caches, of JDK 24 and later: tests/e2e/caches.t.)
# Slow: 20 s, a dozen JVMs.
. tests/cli/run_kit
cd "$dir" || exit 1
mkdir src out
cat >src/Main.java <<'J'
public class Main {
	static int add(int n) { return n < 2 ? n : add(n - 1) + 1; }
	public static void main(String[] a) { System.out.println("did " + add(9)); }
}
J
javac -d out src/Main.java && jar cfe app.jar Main -C out . || skip_all 'no JDK'
java -XX:ArchiveClassesAtExit=plain.jsa -jar app.jar >/dev/null 2>&1 && [ -s plain.jsa ] || skip_all 'this JDK makes no archive at the end of a run'
before=$(cksum plain.jsa)

try() { # try WORDS...: status, out, err; the trace goes away
	timeout 60 "$jweave" run --no-guard -r match:Main#add -- "$@" >.out 2>.err </dev/null
	status=$?
	out=$(cat .out)
	err=$(cat .err)
	rm -rf trace-*
}

try java -XX:SharedArchiveFile=plain.jsa -jar app.jar
is 'an archive that is not of the woven jar: the output is as it was' "$status $out" '0 did 9'
like '... and stderr has what the JVM says' "$err" "*9 calls*jweave: note: of its archive of classes 'plain.jsa' the VM says: *plain.jsa* (one that was made without jweave serves no traced run: make one with 'jweave run', too)*"
JAVA_TOOL_OPTIONS=-XX:SharedArchiveFile=plain.jsa try java -jar app.jar
like '... named by the environment' "$status $out $err" "0 did 9 *jweave: note: of its archive of classes 'plain.jsa' the VM says: *"
try java -XX:SharedArchiveFile=plain.jsa -Xlog:cds*=warning -jar app.jar
like "... the user's own -Xlog holds" "$status $out" '0 *shared archive*did 9'
(mkdir 'p%p' && TMPDIR=$dir/p%p && export TMPDIR && try java -XX:SharedArchiveFile=plain.jsa -jar app.jar && echo "$status $out" >of)
like '... with no folder that -Xlog takes as it is, the JVM speaks as ever' "$(cat of)" '0 *did 9'

try java -XX:ArchiveClassesAtExit=plain.jsa -jar app.jar
like 'an archive that was made without jweave is not replaced' "$status $out $err" "0 did 9 *note: the archive of classes 'plain.jsa' was made without jweave and stays as it is, since one of woven classes is of use to traced runs alone: to make one of those, name another file*"
is '...' "$(cksum plain.jsa)" "$before"
try java -XX:ArchiveClassesAtExit=woven.jsa -jar app.jar
like 'one that is not there yet is made' "$status $err" "0 *note: the archive of classes 'woven.jsa' will be one of woven classes: it is of use to traced runs alone*"
try java -Xshare:on -XX:SharedArchiveFile=woven.jsa -jar app.jar
like '... and serves the next traced run' "$status $out $err" '0 did 9 *9 calls*'
is '... of which the JVM has nothing to say' "$(echo "$err" | grep -c 'note: of its')" 0
try java -XX:ArchiveClassesAtExit=woven.jsa -jar app.jar
is '... and is made anew' "$status $(echo "$err" | grep -c 'woven.jsa')" '0 0'

# ---- an archive that the JVM keeps by itself (JDK 19 and later) ----
options='-XX:+IgnoreUnrecognizedVMOptions -XX:+AutoCreateSharedArchive'
# shellcheck disable=SC2086
try java $options -XX:SharedArchiveFile=plain.jsa -jar app.jar
like 'one that the JVM keeps by itself is left alone' "$status $out $err" "0 did 9 *note: the archive of classes 'plain.jsa', which -XX:+AutoCreateSharedArchive keeps, is of the program as it is without jweave: this run neither reads nor writes it*"
is '...' "$(cksum plain.jsa)" "$before"
finish
