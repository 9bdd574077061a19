#!/bin/sh
# Wars, ears, Spring Boot jars, archives in archives, named modules, multi-release and signed jars,
# folders, single classes.
# Slow: 15 s, JVMs run every kind of archive.
set -u
. tests/weaver/a_kit
cd "$work" || exit 1
have javac && have jar && have python3 || { echo "1..0 # SKIP no JDK or no python3"; exit 0; }

mkdir -p src/acme
cat >src/acme/Main.java <<'END'
package acme;
public class Main {
	public static int twice(int n) { int m = n; for (int i = 0; i < n; i++) m++; return m; }
	public static void main(String[] args) { System.out.println("twice " + twice(21)); }
}
END
javac --release 8 -Xlint:-options -d classes src/acme/Main.java || exit 1
jar cfe app.jar acme.Main -C classes .
names() { unzip -Z1 "$1"; }
has() { names "$1" | grep -qE "$2"; }
lacks() { ! names "$1" | grep -E "$2"; }

# a zip of python's with entries as told: name=file or name:=file (STORED), aligned to 4096 with ::=
cat >make.py <<'END'
import sys, zipfile, struct
out, *items = sys.argv[1:]
z = zipfile.ZipFile(out, "w")
for item in items:
    kind = zipfile.ZIP_DEFLATED
    name, path = item.split("=", 1)
    align = name.endswith("::")
    if name.endswith(":"):
        kind = zipfile.ZIP_STORED
    info = zipfile.ZipInfo(name.rstrip(":"), (2020, 2, 3, 4, 5, 6))
    info.compress_type = kind
    info.external_attr = 0o100640 << 16
    info.comment = b"about " + info.filename.encode()
    if align:
        at = z.fp.tell() + 30 + len(info.filename)
        info.extra = b"\0" * (-at % 4096)
    z.writestr(info, open(path, "rb").read() if path else b"")
z.comment = b"all about it"
z.close()
END
printf 'Manifest-Version: 1.0\r\nMain-Class: acme.Main\r\n\r\n' >m.mf
main=classes/acme/Main.class

# ---- Spring Boot: STORED archives inside, aligned ----
python3 make.py boot.jar META-INF/MANIFEST.MF=m.mf org/boot/=  BOOT-INF/classes/acme/Main.class=$main \
	BOOT-INF/lib/plain.jar::=app.jar BOOT-INF/lib/text.jar:=m.mf BOOT-INF/lib/second.jar::=app.jar
check 'boot: weaves' sh -c "'$X' boot.jar all.json boot-w.jar >boot.txt"
check 'boot: classes of three places' grep -qx 'wovenClasses: 3' boot.txt
check 'boot: what is no archive is left, with a note' says 'BOOT-INF/lib/text.jar was left as it is' boot.txt
check 'boot: still STORED, aligned, comments and modes kept' python3 -c '
import zipfile
z = zipfile.ZipFile("boot-w.jar")
assert z.testzip() is None and z.comment == b"all about it"
for name in ("BOOT-INF/lib/plain.jar", "BOOT-INF/lib/second.jar"):
    i = z.getinfo(name)
    assert i.compress_type == 0 and i.comment == b"about " + name.encode(), i
    assert i.external_attr >> 16 == 0o100640 and i.date_time == (2020, 2, 3, 4, 5, 6)
    z.fp.seek(i.header_offset + 26)
    n, e = __import__("struct").unpack("<HH", z.fp.read(4))
    assert (i.header_offset + 30 + n + e) % 4096 == 0, (name, i.header_offset)
    z.fp.seek(i.header_offset + 30 + n + e)
    assert z.fp.read(2) == b"PK"
'
check 'boot: one runtime, in the outermost archive' sh -c "
	[ \$(unzip -Z1 boot-w.jar | grep -c '^jweave/[a-z0-9]*/P.class') = 1 ] &&
	unzip -p boot-w.jar BOOT-INF/lib/plain.jar >inner.jar && ! unzip -Z1 inner.jar | grep jweave"
check 'boot: the inner archive is whole' unzip -tq inner.jar
check 'boot: the map names classes of all' sh -c "
	[ \$(unzip -p boot-w.jar 'META-INF/jweave/x*.map' | grep -c '^c.*acme.Main') = 3 ]"
x -j1 boot.jar all.json boot-1.jar >/dev/null
x -j8 boot.jar all.json boot-8.jar >/dev/null
check 'boot: the same bytes for any -j' cmp boot-1.jar boot-8.jar
check 'nested=none' sh -c "'$X' -nested=none boot.jar all.json n.jar | grep -qx 'wovenClasses: 1'"
check 'nested=GLOB' sh -c "'$X' '-nested=**/plain.jar' boot.jar all.json n.jar | grep -qx 'wovenClasses: 2'"
check 'nested: a glob that is too long' fails 2 -- "-nested=$(head -c 2000 /dev/zero | tr '\0' x)" boot.jar all.json n2.jar
check 'classes: all, with their paths' sh -c "
	'$X' -classes boot.jar | cut -f1 >list
	printf '%s\n' BOOT-INF/classes/acme/Main.class 'BOOT-INF/lib/plain.jar!/acme/Main.class' \
		'BOOT-INF/lib/second.jar!/acme/Main.class' | cmp - list"

# ---- war, executable war, ear, bundle ----
python3 make.py web.war META-INF/MANIFEST.MF=/dev/null WEB-INF/web.xml=m.mf \
	WEB-INF/classes/acme/Main.class=$main WEB-INF/lib/lib.jar=app.jar
check 'war: weaves' sh -c "'$X' web.war all.json web-w.war | grep -qx 'wovenClasses: 2'"
check 'war: class, library and map under WEB-INF/classes' sh -c '
	for f in "jweave/[0-9a-z]*/P.class" "jweave/[0-9a-z]*/P\$Fast.class" META-INF/jweave/lib/linux-[a-z0-9_-]*/libjweave-rt.so "META-INF/jweave/x[0-9a-z]*.map"; do
		unzip -Z1 web-w.war | grep -q "^WEB-INF/classes/$f$" || { echo "no $f"; exit 1; }; done'
check 'war: no class in the root' lacks web-w.war '^jweave/'
python3 make.py run.war META-INF/MANIFEST.MF=m.mf WEB-INF/classes/acme/Main.class=$main
x run.war all.json run-w.war >/dev/null
check 'executable war: the library in the root as well' has run-w.war '^META-INF/jweave/lib/'
python3 make.py all.ear META-INF/application.xml=m.mf web.war=web.war lib/lib.jar=app.jar
check 'ear: weaves' sh -c "'$X' all.ear all.json ear-w.ear | grep -qx 'wovenClasses: 3'"
check 'ear: the runtime is a jar in lib' sh -c '
	unzip -p ear-w.ear "lib/jweave-rt-x*.jar" >rt.jar && unzip -tq rt.jar &&
	unzip -Z1 rt.jar | grep -q "^jweave/[a-z0-9]*/P.class"'
check 'ear: with a manifest' sh -c '
	unzip -p rt.jar META-INF/MANIFEST.MF | tr -d "\r" >rt.mf && grep -q "^Manifest-Version: 1.0$" rt.mf &&
	grep -q "^Created-By: jweave [0-9]" rt.mf && grep -q "^Enable-Native-Access: ALL-UNNAMED$" rt.mf'
check 'ear: and nowhere else' lacks ear-w.ear '^jweave/'
python3 make.py dist.zip bin/run.sh=m.mf lib/a.jar=app.jar lib/b.jar=boot.jar
check 'a zip of jars: weaves' x dist.zip all.json dist-w.zip
check 'a zip of jars: each carries its own runtime' sh -c '
	unzip -qo dist-w.zip -d dist && unzip -Z1 dist/lib/a.jar | grep -q "^acme/jweave/[a-z0-9]*/P.class" &&
	unzip -Z1 dist/lib/b.jar | grep -q "^jweave/[a-z0-9]*/P.class" && ! unzip -Z1 dist-w.zip | grep jweave &&
	JWEAVE=off timeout 60 java -jar dist/lib/a.jar | grep -qx "twice 42"'

# ---- deep nesting ----
cp app.jar deep.jar
for i in 1 2 3 4 5 6 7 8 9; do
	python3 make.py next.jar META-INF/MANIFEST.MF=m.mf deep.jar=deep.jar && mv next.jar deep.jar
done
check 'nested too deep: a note' sh -c "'$X' deep.jar all.json d.jar | grep -q 'archives deep'"

# ---- multi-release ----
mkdir -p src9/acme
sed 's/m++/m += 1/' src/acme/Main.java >src9/acme/Main.java
javac --release 9 -d classes9 src9/acme/Main.java
jar cfe mr.jar acme.Main -C classes . --release 9 -C classes9 .
check 'multi-release: both bodies' sh -c "'$X' mr.jar all.json mr-w.jar | grep -qx 'wovenClasses: 2'"
check 'multi-release: runs' sh -c 'JWEAVE=off timeout 60 java -jar mr-w.jar | grep -qx "twice 42"'

# ---- named modules ----
mkdir -p mod/acme
cp src/acme/Main.java mod/acme
echo 'module acme.mod { exports acme; }' >mod/module-info.java
javac -d modc mod/module-info.java mod/acme/Main.java
jar cfe mod.jar acme.Main -C modc .
jar --update --file mod.jar --main-class acme.Main # writes ModulePackages
check 'module: weaves' x mod.jar all.json mod-w.jar
check 'module: runs from the module path' sh -c \
	'JWEAVE=off timeout 60 java -p mod-w.jar -m acme.mod/acme.Main | grep -qx "twice 42"'
check 'module: the runtime is one of its packages' sh -c \
	'jar --describe-module --file mod-w.jar | grep -q "contains acme.jweave."'
check 'module: a note when the runtime is not in it' sh -c \
	"'$X' -classpath mod.jar all.json mc.jar | grep -q 'named module'"

# ---- signed ----
if have keytool && have jarsigner; then
	for kind in RSA DSA EC; do
		keytool -genkeypair -keystore keys -storepass secret -alias $kind -keyalg $kind -dname CN=$kind \
			-storetype PKCS12 >/dev/null 2>&1
		cp app.jar signed-$kind.jar
		jarsigner -keystore keys -storepass secret signed-$kind.jar $kind >/dev/null 2>&1
		check "signed ($kind): is" sh -c "unzip -Z1 signed-$kind.jar | grep -q 'META-INF/$kind.$kind'"
		check "signed ($kind): weaves, says so" sh -c \
			"'$X' signed-$kind.jar all.json s-$kind.jar | grep -qx 'signatureRemoved: 1'"
		check "signed ($kind): not any more" sh -c \
			"jarsigner -verify s-$kind.jar | grep -q 'jar is unsigned'"
		check "signed ($kind): no digest left" sh -c \
			"! unzip -p s-$kind.jar META-INF/MANIFEST.MF | grep -i digest"
		check "signed ($kind): runs" sh -c \
			"JWEAVE=off timeout 60 java -jar s-$kind.jar | grep -qx 'twice 42'"
		check "signed ($kind): twin keeps it" sh -c \
			"'$X' signed-$kind.jar none.json t.jar >/dev/null && cmp t.jar signed-$kind.jar"
	done
	check 'signed=fail: refused' fails 5 'is signed' -signed-fail signed-RSA.jar all.json sf.jar
	check '... no output' absent sf.jar
	check 'signed=fail: nothing woven is fine' x -signed-fail signed-RSA.jar none.json sf.jar
	python3 make.py outer.jar META-INF/MANIFEST.MF=m.mf lib/s.jar=signed-RSA.jar
	check 'signed=fail: of an inner archive too' fails 5 'outer.jar: lib/s.jar: is signed' -signed-fail outer.jar all.json sf2.jar
else
	skip 'signed jars' 'no keytool or jarsigner'
fi

# ---- classes of the future, and unknown ones ----
python3 - "$main" <<'END'
import sys
b = bytearray(open(sys.argv[1], "rb").read())
b[6:8] = (99).to_bytes(2, "big")
open("future.class", "wb").write(b)
b[10] = 99
open("tag99.class", "wb").write(b)
END
python3 make.py future.jar META-INF/MANIFEST.MF=m.mf acme/Main.class=future.class odd/Tag.class=tag99.class
check 'future: woven, and said so' sh -c "
	'$X' future.jar all.json future-w.jar >said && grep -qx 'wovenClasses: 1' said &&
	grep -q 'version 99 (Java 55) were woven' said"
check 'future: the version stays' sh -c '
	unzip -p future-w.jar acme/Main.class >f.class && ! cmp -s f.class future.class &&
	[ "$(od -An -tu1 -j6 -N2 f.class)" = "$(od -An -tu1 -j6 -N2 future.class)" ]'
check 'a constant of an unknown kind: the class is copied' sh -c \
	'unzip -p future-w.jar odd/Tag.class | cmp - tag99.class'
check '... and named, with the reason' sh -c \
	"grep '^left: [A-Z_]* odd/Tag.class ' said | grep -q 'its class-file version is not known'"

# ---- names: paths that are no class names, a manifest that says nothing of releases ----
python3 make.py path.jar META-INF/MANIFEST.MF=m.mf 'lib/Main$py.class'=$main acme/Main.class=$main \
	META-INF/versions/9/acme/Main.class=$main
check 'a class whose path is not its name: woven' sh -c "'$X' path.jar all.json path-w.jar | grep -qx 'wovenClasses: 3'"
check 'releases stay switched off where they were' sh -c \
	'unzip -p path.jar META-INF/MANIFEST.MF >m1; unzip -p path-w.jar META-INF/MANIFEST.MF >m2; ! grep -qi release m1 m2'

# ---- folders ----
ends_by() { # ends_by STATUS ARGUMENTS...
	wanted=$1
	shift
	timeout 120 "$X" "$@"
	[ $? = "$wanted" ]
}
mkdir -p tree/acme tree/empty tree/sub && cp $main tree/acme && cp app.jar tree/sub/lib.jar
echo text >tree/acme/text.txt && ln -s acme/text.txt tree/link
chmod 640 tree/acme/text.txt && chmod 750 tree/empty
touch -d '2021-03-04 05:06:07' tree/acme/* tree/sub/* tree/empty tree/acme tree/sub
check 'folder: weaves' x tree all.json tree-w
check 'folder: runs' sh -c 'JWEAVE=off timeout 60 java -cp tree-w acme.Main | grep -qx "twice 42"'
check 'folder: other files, links, empty folders' sh -c '
	cmp tree/acme/text.txt tree-w/acme/text.txt && [ "$(readlink tree-w/link)" = acme/text.txt ] && [ -d tree-w/empty ]'
meta() { (cd "$1" && find . \( -path ./META-INF -o -path ./jweave -o -path ./acme/jweave \) -prune -o ! -name . ! -type l -printf '%p %m %t\n' | sort); }
meta tree >meta.in && meta tree-w >meta.out
check 'folder: modes and times' diff meta.in meta.out
check 'folder: archives in it' sh -c 'unzip -p tree-w/sub/lib.jar acme/Main.class | cmp -s - tree/acme/Main.class && exit 1; unzip -tq tree-w/sub/lib.jar'
check 'folder: map, mark, runtime' sh -c 'ls tree-w/META-INF/jweave/x*.map tree-w/META-INF/jweave/woven.json tree-w/acme/jweave/*/P.class'
check 'folder: info' sh -c "'$X' -info tree-w | grep -q '\"format\": 1'"
check 'folder: classes' sh -c "[ \$('$X' -classes tree | wc -l) = 2 ]"
cp -a tree-w tree-w1
check 'folder: again over its own output' x -j4 tree all.json tree-w
check 'folder: the same files' diff -r tree-w tree-w1
ln -s tree-w treelink
check 'folder: through a link' x tree all.json treelink
check '... the folder is replaced, the link stays' sh -c 'test -L treelink && diff -r tree-w tree-w1'
check 'folder: over an empty folder' sh -c "mkdir void && '$X' tree all.json void >/dev/null && diff -r void tree-w"
check 'folder: never over a file' fails 4 'is a file' tree all.json app.jar
check 'folder: never over files of others' fails 4 'did not make' tree all.json src
check 'folder: the list of what was made' sh -c '
	(cd tree-w && find . ! -type d ! -name files.txt | cut -c3- | LC_ALL=C sort) | cmp - tree-w/META-INF/jweave/files.txt'
cp -a tree-w mixed && echo a=1 >mixed/sub/own.properties
check 'folder: never over a file that others put into it' fails 4 "holds 'sub/own.properties', which jweave did not make" \
	tree all.json mixed
check '... it stays, and all else' sh -c 'rm mixed/sub/own.properties && diff -r mixed tree-w'
ln -s /nowhere mixed/acme/own
check 'folder: nor over a link' fails 4 "'acme/own', which" tree all.json mixed
rm mixed/acme/own && mkdir mixed/acme/own
check 'folder: an empty folder is no loss' x tree all.json mixed
newline='a
b'
cp -a tree less && cp $main less/acme/Other.class && echo x >"less/$newline" && echo x >'less/a\b'
check 'folder: weaves what will be less' x less all.json less-w
rm less/acme/Other.class "less/$newline" 'less/a\b'
check '... what the input has no more, goes' x less all.json less-w
check '... all of it' diff -r less-w tree-w
rm mixed/META-INF/jweave/files.txt
check 'folder: an older weaving has no list' x tree all.json mixed
rm mixed/META-INF/jweave/files.txt && echo a=1 >mixed/own.properties
check '... what is not in the input stays, too' fails 4 "holds 'own.properties', which" tree all.json mixed
check 'folder: never into itself' fails 4 'is in the input' tree all.json tree/out
check 'folder: woven already' fails 4 'woven already' tree-w all.json t2
check '... no output' absent t2
check 'folder: woven already, skipped' x -skip-woven tree-w all.json t2
check '... a copy' diff -r tree-w t2
check 'folder: twin' x tree none.json t3
check '... a copy' diff -r tree t3
check 'folder: dry run' sh -c "'$X' tree all.json | grep -qx 'wovenClasses: 2'"
check 'folder: veto' fails 5 vetoed -veto tree all.json t4
check '... no output' absent t4
check 'folder: not to standard output' fails 2 'standard output' tree all.json -
for at in 0 3 5; do
	for jobs in 1 4; do
		check "folder: ended by a signal at entry $at, -j$jobs" \
			ends_by 143 -j$jobs -die=$at tree all.json tree-w
		check '... what was there stays' diff -r tree-w tree-w1
	done
done
check 'folder: ended by a signal, no output before' ends_by 143 -die=4 tree all.json t5
check '... no output' absent t5
check 'folder: no temporary folder left' sh -c '! ls -d *weaving-* *old-* 2>/dev/null'

# ---- single classes ----
check 'class: weaves' sh -c "'$X' $main all.json Main.class | grep -q 'jweave-rt.jar'"
check 'class: map beside it' says acme.Main Main.class.map
mkdir -p one/acme && cp Main.class one/acme
check 'class: runs with the small jar' sh -c \
	"JWEAVE=off timeout 60 java -cp one:'$BUILD/jweave-rt.jar' acme.Main | grep -qx 'twice 42'"
check 'class: twin' sh -c "'$X' $main none.json T.class >/dev/null && cmp T.class $main && [ ! -e T.class.map ]"
check 'class: to stdout' sh -c "'$X' - all.json - <$main 2>said | cmp - Main.class && grep -q 'will show ids' said"
check 'class: listed' sh -c "'$X' -classes $main | grep -q '^Main.class'"
finish
