#!/bin/sh
# Archives that no tool writes (odd_archives.py), judged by the JDK: what it opens and runs, it opens and runs woven, with
# every other entry's bytes; what is damaged is refused by name. `jweave verify` agrees.
set -u
. tests/weaver/a_kit
here=$PWD/tests/weaver
cd "$work" || exit 1
have javac && have python3 || { echo "1..0 # SKIP no JDK or no python3"; exit 0; }

mkdir -p src/acme in out
cat >src/acme/Main.java <<'END'
package acme;
public class Main {
	public static int twice(int n) { int m = n; for (int i = 0; i < n; i++) m++; return m; }
	public static void main(String[] args) { System.out.println("twice " + twice(21)); }
}
END
javac -nowarn -d classes src/acme/Main.java "$here/OddArchives.java" || exit 1
python3 -W ignore "$here/odd_archives.py" classes/acme/Main.class in || exit 1

# name, words of the message: refused, each for its reason. The JDK opens some of these, and reads other bytes or none
cat >refused <<'END'
class-crc-wrong "acme/Main.class": is damaged: its checksum
class-stored-crc-wrong "acme/Main.class": is damaged: its checksum
class-local-method-differs its local header names another compression than the directory
class-packed-cut its compressed data is damaged
class-size-too-large it does not unpack to the size that the directory says
class-size-too-small it does not unpack to the size that the directory says
comment-with-another-end damaged central directory
directory-size-too-small damaged central directory
method-unknown-class its compression is neither STORED nor DEFLATED
packed-past-the-end its data reaches past the end of the archive
END
# what libzip, which verify reads with, does not open: a name marked as UTF-8 that is none, an extra field that is cut
unread=' extra-cut extra-cut-class name-not-utf8 '
agrees() { # agrees CASE IN OUT
	timeout 60 "$BUILD/jweave" verify --against "$2" "$3" >"$work/.said" 2>&1 && return
	cat "$work/.said"
	case $unread in
	*" $1 "*) grep -qF "libzip, which verify reads with, does not open it: " "$work/.said" ;;
	*) false ;;
	esac
}
for jar in in/*.jar; do
	case=${jar#in/}
	case=${case%.jar}
	words=$(sed -n "s/^$case //p" refused)
	if [ -n "$words" ]; then
		check "$case: refused, with its reason" fails 4 "$words" "$jar" all.json "out/$case.jar"
		check "$case: no output" absent "out/$case.jar"
		continue
	fi
	check "$case: weaves" x -no-guard -j2 "$jar" all.json "out/$case.jar"
	check "$case: verify agrees" agrees "$case" "$jar" "out/$case.jar"
	x "$jar" none.json twin.jar >/dev/null
	check "$case: nothing chosen, its twin" cmp "$jar" twin.jar
done

JWEAVE=off java -cp classes OddArchives in >before 2>&1
JWEAVE=off java -cp classes OddArchives out >after 2>&1
# one JDK is stricter than another: what it refuses is not compared
{ sed 's/ .*/.jar:/' refused; sed -n 's/\(.*\.jar:\) does not open.*/\1/p' before; } >left-out
grep -vFf left-out before >want
grep -vFf left-out after >got
check 'the JDK opens what was woven as it opened the input: entries, bytes, main class, output' diff want got
check 'most of them run' [ "$(grep -c 'twice 42$' after)" -ge 60 ]
finish
