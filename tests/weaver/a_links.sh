#!/bin/sh
# Links in folders: to classes and archives elsewhere, out of the folder, in circles, to nothing.
set -u
. tests/weaver/a_kit
cd "$work" || exit 1
have javac && have jar || { echo "1..0 # SKIP no JDK"; exit 0; }
jweave=$BUILD/jweave

mkdir -p src/p classes base/in/p base/in/lib base/in/sub base/store base/far/away
for class in A B C D; do
	echo "package p; public class $class { public static String f(int n) { return \"$class\" + Integer.toString(n); } }" >"src/p/$class.java"
done
echo 'package p; public class Main { public static void main(String[] a) { System.out.println(A.f(1) + B.f(2) + C.f(3) + D.f(4)); } }' >src/p/Main.java
javac --release 17 -d classes src/p/*.java && jar cf base/store/all.jar -C classes . || exit 1
echo text >base/store/text
cp classes/p/*.class base/store/
cd base || exit 1
cp store/Main.class in/p/
ln -s "$PWD/store/A.class" in/p/A.class    # elsewhere, by its whole path
ln -s ../../store/B.class in/p/B.class     # elsewhere, by a way that leaves the folder
cp store/C.class in/sub/ && ln -s ../sub/C.class in/p/C.class # in the folder
ln -s ../../store/D.class in/p/D.class     # elsewhere, and not woven
ln -s ../../store/all.jar in/lib/x.jar
ln -s ../../store/text in/lib/text
ln -s ../../store in/lib/more
ln -s nowhere in/lib/gone
ln -s ../../nowhere in/lib/out
ln -s loop.class in/p/loop.class
ln -s /dev/zero in/p/zero.class
mkfifo pipe && ln -s ../../pipe in/p/pipe.class
echo '{"jweave":1,"rules":[{"match":"p.*"},{"action":"skip","match":"p.D"}]}' >r.json
ok_run() { timeout 60 "$jweave" in r.json far/away/out >out.txt 2>err.txt; }
check 'weaves' ok_run
is 'what is elsewhere, too' "$(sed 's/ (.*//' out.txt)" 'wove 8 of 16 methods in 8 classes -> far/away/out'
is 'and says what is not' "$(cat err.txt)" \
	"jweave: note: in/lib/more is a link to a folder ('$PWD/store'): the classes there are not woven"
to() { readlink "far/away/out/$1" || echo "a file"; }
is 'what is woven is a file' "$(to p/A.class), $(to p/B.class), $(to lib/x.jar)" 'a file, a file, a file'
is 'within the folder a link stays as it is' "$(to p/C.class)" ../sub/C.class
is 'what is elsewhere is what it was' "$(to p/D.class) $(to lib/text) $(to lib/more)" "$PWD/store/D.class $PWD/store/text $PWD/store"
is 'what leads nowhere, or to no file, is copied' "$(to lib/gone) $(to lib/out) $(to p/loop.class) $(to p/zero.class)" \
	'nowhere ../../nowhere loop.class /dev/zero'
is 'the woven program runs' "$(JWEAVE=off java -cp far/away/out p.Main 2>&1)" A1B2C3D4
check 'nothing elsewhere has changed' cmp store/A.class "$work/classes/p/A.class"
is 'list reads the same' "$("$jweave" list -r r.json --no-guard in | grep -c ' p\.')" "$("$jweave" -n --no-guard in r.json 2>/dev/null | sed 's/.*weave \([0-9]*\).*/\1/')"
"$jweave" -q in r.json beside 2>/dev/null
is 'where the way leads there, too, it stays' "$(readlink beside/p/D.class)" ../../store/D.class
"$jweave" -q -r r.json -o tree in 2>/dev/null
is 'in a tree, too' "$(readlink tree/in/p/A.class || echo a file)" 'a file'
finish
