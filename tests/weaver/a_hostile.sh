#!/bin/sh
# Odd archives that the JDK opens, and inputs, disks and machines that are no good.
# Slow: 12 s, hundreds of archives, one after the other.
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
javac -d classes src/acme/Main.java || exit 1
jar cfe app.jar acme.Main -C classes .
runs() { JWEAVE=off timeout 60 java -jar "$1" | grep -qx 'twice 42'; }

# ---- bytes before the archive ----
printf '#!/bin/sh\nexec java -jar "$0" "$@"\n' >prefix
cat prefix app.jar >unadjusted.jar
cp unadjusted.jar adjusted.jar
python3 - <<'END'
import struct
b = bytearray(open("adjusted.jar", "rb").read())
n = len(open("prefix", "rb").read())
end = b.rfind(b"PK\5\6")
size, offset = struct.unpack_from("<II", b, end + 12)
struct.pack_into("<I", b, end + 16, offset + n)
at = offset + n
while at < end:
    struct.pack_into("<I", b, at + 42, struct.unpack_from("<I", b, at + 42)[0] + n)
    at += 46 + sum(struct.unpack_from("<HHH", b, at + 28))
open("adjusted.jar", "wb").write(b)
END
for kind in unadjusted adjusted; do
	check "prefix, $kind: the JDK opens the input" runs $kind.jar
	check "prefix, $kind: weaves" x $kind.jar all.json w-$kind.jar
	check "prefix, $kind: kept" sh -c "head -c $(wc -c <prefix) w-$kind.jar | cmp - prefix"
	check "prefix, $kind: runs" runs w-$kind.jar
	check "prefix, $kind: twin" sh -c "'$X' $kind.jar none.json t.jar >/dev/null && cmp t.jar $kind.jar"
	check "prefix, $kind: offsets in the same style" python3 -c "
import struct
def style(name):
    b = open(name, 'rb').read(); end = b.rfind(b'PK\5\6'); s, o = struct.unpack_from('<II', b, end + 12)
    return end - s - o
assert style('$kind.jar') == style('w-$kind.jar') or exit(f'{style(\"$kind.jar\")} {style(\"w-$kind.jar\")}')"
done

# ---- data descriptors, duplicates, comments, extra fields ----
cat >odd.py <<'END'
import io, sys, zipfile, struct
class Pipe(io.RawIOBase):  # cannot seek: zipfile writes data descriptors
    def __init__(self): self.b = bytearray()
    def writable(self): return True
    def write(self, d): self.b += d; return len(d)
p = Pipe()
main = open("classes/acme/Main.class", "rb").read()
with zipfile.ZipFile(p, "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nMain-Class: acme.Main\n\n")
    for data in (main, b"second of three, no class", main):
        i = zipfile.ZipInfo("acme/Main.class", (1999, 12, 31, 23, 59, 58))
        i.compress_type = 8
        i.comment = b"the class"; i.external_attr = 0o100755 << 16
        i.extra = struct.pack("<HH4s", 0x7777, 4, b"keep")
        z.writestr(i, data)
    z.writestr("stored.txt", b"stored" * 10, zipfile.ZIP_STORED)
    z.writestr("empty/", b"")
    z.writestr("n\u00e4me.txt", b"named")
    z.comment = b"a comment"
open("odd.jar", "wb").write(p.b)
END
python3 -W ignore odd.py
check 'odd: has descriptors' sh -c "python3 -c 'import zipfile; assert all(i.flag_bits & 8 for i in zipfile.ZipFile(\"odd.jar\").infolist())'"
check 'odd: weaves' sh -c "'$X' odd.jar all.json odd-w.jar >odd.txt"
check 'odd: both duplicates of a class are woven, the third stays' grep -qx 'wovenClasses: 2' odd.txt
check 'odd: a class that is none is named' says 'does not start with cafebabe' odd.txt
check 'odd: strict refuses it' fails 4 -- -strict odd.jar all.json odd-s.jar
check 'odd: runs' runs odd-w.jar
check 'odd: unzip -t' unzip -tq odd-w.jar
check 'odd: python' python3 -W ignore -c 'import zipfile; assert not zipfile.ZipFile("odd-w.jar").testzip()'
check 'odd: flags, extra fields, times, comments' python3 -W ignore -c '
import zipfile
a, b = zipfile.ZipFile("odd.jar"), zipfile.ZipFile("odd-w.jar")
assert a.comment == b.comment
A, B = a.infolist(), b.infolist()
assert [i.filename for i in A] == [i.filename for i in B][:len(A)]
for i, j in zip(A, B):
    assert (i.extra, i.comment, i.date_time, i.external_attr, i.compress_type, i.create_system) == \
           (j.extra, j.comment, j.date_time, j.external_attr, j.compress_type, j.create_system), j
    changed = i.CRC != j.CRC
    assert changed == (i.file_size != j.file_size)
    assert j.flag_bits == (i.flag_bits & ~8 if changed else i.flag_bits), (j.filename, j.flag_bits)
'

# ---- a directory that names its records twice, as some merged archives do: written once ----
cat >again.py <<'END'
import struct, sys, zipfile
with zipfile.ZipFile("inner.jar", "w", zipfile.ZIP_DEFLATED) as z:
    z.write("classes/acme/Main.class", "acme/Main.class")
with zipfile.ZipFile("once.jar", "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nMain-Class: acme.Main\n\n")
    z.writestr("META-INF/A.SF", "Signature-Version: 1.0\n\n")
    z.write("classes/acme/Main.class", "acme/Main.class")
    z.write("inner.jar", "lib/inner.jar", zipfile.ZIP_STORED)
    z.writestr("stored.txt", b"stored" * 10, zipfile.ZIP_STORED)
b = open("once.jar", "rb").read()
end = b.rfind(b"PK\5\6")
count, size, at = struct.unpack_from("<HII", b, end + 10)
heads, i = [], at
for _ in range(count):
    n = 46 + sum(struct.unpack_from("<HHH", b, i + 28))
    heads.append(b[i:i + n]); i += n
def put(name, heads):
    directory = b"".join(heads)
    open(name, "wb").write(b[:at] + directory + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, len(heads), len(heads), len(directory), at, 0))
put("again.jar", heads + heads[::-1] + heads)
# the same record, said to be another: the second would have to be written, too, and a third, and a thousandth
put("again-other.jar", heads + [heads[4][:16] + bytes([heads[4][16] ^ 1]) + heads[4][17:]])
END
python3 again.py
check 'again: weaves' sh -c "'$X' -j1 again.jar all.json again-w.jar >again.txt"
check 'again: each class is woven once' grep -qx 'wovenClasses: 2' again.txt
check 'again: every entry is counted' grep -qx 'entries: 16' again.txt
check 'again: runs' runs again-w.jar
check 'again: the same on two threads' sh -c "'$X' -j2 again.jar all.json again-2.jar >again.txt && cmp again-w.jar again-2.jar"
check 'again: every record once, and what is dropped is gone' python3 -W ignore -c '
import struct, zipfile, zlib
b, places = open("again-w.jar", "rb").read(), {}
for i in zipfile.ZipFile("again-w.jar").infolist():
    # read by hand: to the zipfile of Debian, a record that is named twice is two that overlap
    at = i.header_offset + 30 + sum(struct.unpack_from("<HH", b, i.header_offset + 26))
    data = b[at:at + i.compress_size]
    data = zlib.decompress(data, -15) if i.compress_type else data
    assert (zlib.crc32(data), len(data)) == (i.CRC, i.file_size), i
    places.setdefault(i.filename, []).append((i.header_offset, i.CRC, i.file_size))
for name in zipfile.ZipFile("once.jar").namelist():
    p = places.get(name, [])
    assert (len(p), len(set(p))) == ((0, 0) if name == "META-INF/A.SF" else (3, 1)), (name, p)'
check 'again: verify' "$BUILD/jweave" verify -q --against=again.jar again-w.jar
check 'again: nothing woven, nothing changed' sh -c "'$X' again.jar none.json again-n.jar >/dev/null && cmp again.jar again-n.jar"
check 'again: another checksum makes another entry' fails 4 'its data overlaps' again-other.jar all.json no.jar

# ---- zip64 ----
cat >many.py <<'END'
import sys, zipfile
with zipfile.ZipFile("many.jar", "w") as z:
    for n in range(70000):
        z.writestr(zipfile.ZipInfo("f/%05d" % n), b"")
    z.write("classes/acme/Main.class", "acme/Main.class")
with zipfile.ZipFile("z64.jar", "w", zipfile.ZIP_DEFLATED) as z:
    with z.open(zipfile.ZipInfo("acme/Main.class"), "w", force_zip64=True) as f:
        f.write(open("classes/acme/Main.class", "rb").read())
    with z.open("text", "w", force_zip64=True) as f:
        f.write(b"text" * 100)
END
python3 many.py
check 'over 65535 entries: weaves' sh -c "'$X' -j2 many.jar all.json many-w.jar | grep -qx 'entries: 70001'"
check '... all are there' python3 -c '
import zipfile; names = zipfile.ZipFile("many-w.jar").namelist()
assert len([n for n in names if "jweave/" not in n]) == 70001 and len(names) > 70003, len(names)'
check '... the JDK reads them' sh -c '[ $(jar tf many-w.jar | grep -vc jweave/) = 70001 ]'
check '... libzip too' "$BUILD/tests/weaver/x_libzip" -list many-w.jar
check 'zip64 sizes: weaves' x z64.jar all.json z64-w.jar
check '... runs' sh -c 'JWEAVE=off timeout 60 java -cp z64-w.jar acme.Main | grep -qx "twice 42"'
check '... unzip -t' unzip -tq z64-w.jar

# ---- what is no archive ----
: >empty.jar
check 'empty file' fails 4 'is empty' empty.jar all.json no.jar
check 'missing file' fails 4 'No such file' missing.jar all.json no.jar
check 'text' fails 4 'not a zip archive' all.json all.json no.jar
size=$(wc -c <app.jar)
for cut in 1 100 $((size / 2)) $((size - 1)); do
	head -c "$cut" app.jar >cut.jar
	check "cut at $cut" fails 4 cut.jar cut.jar all.json no.jar
done
python3 - <<'END'
import random
random.seed(7)
good = open("app.jar", "rb").read()
for n in range(40):
    b = bytearray(good)
    for _ in range(random.randrange(1, 20)):
        b[random.randrange(len(b))] = random.randrange(256)
    open("garbled%d.jar" % n, "wb").write(b)
END
garbled() { # each ends well, or says why and leaves nothing
	for n in $(seq 0 39); do
		rm -f no.jar
		timeout 20 "$X" garbled$n.jar all.json no.jar >said 2>&1
		case $? in
		0) unzip -tq no.jar >/dev/null 2>&1 || timeout 20 "$X" garbled$n.jar none.json no.jar >/dev/null || return 1 ;;
		4) [ ! -e no.jar ] || { echo "garbled$n: output"; return 1; } ;;
		*) echo "garbled$n:"; cat said; return 1 ;;
		esac
	done
	rm -f no.jar
}
check 'garbled archives' garbled
python3 - <<'END'
import struct
b = bytearray(open("app.jar", "rb").read())  # two entries of one record
at = b.rfind(b"PK\1\2")
first = b.find(b"PK\1\2")
struct.pack_into("<I", b, at + 42, struct.unpack_from("<I", b, first + 42)[0])
open("overlap.jar", "wb").write(b)
END
check 'entries that share bytes' fails 4 '' overlap.jar all.json no.jar
python3 -c '
import zipfile
z = zipfile.ZipFile("bomb.jar", "w", zipfile.ZIP_DEFLATED); z.writestr("Big.class", b"\0" * 50000000)'
check 'an entry that unpacks to 1000 times its size' fails 4 'no-limits' bomb.jar all.json no.jar
check '... with --no-limits' x -no-limits bomb.jar all.json bomb-w.jar
python3 - <<'END'
b = bytearray(open("app.jar", "rb").read())
at = b.rfind(b"PK\1\2"); b[at + 8] |= 1
b[b.rfind(b"PK\3\4", 0, at) + 6] |= 1
open("secret.jar", "wb").write(b)
END
check 'an encrypted class' fails 4 'is encrypted' secret.jar all.json no.jar
check 'no output after any of these' absent no.jar

# ---- places that are no good ----
check 'output is the input' fails 4 'the output is the input' app.jar all.json ./app.jar
check '... untouched' runs app.jar
ln app.jar hard.jar
check 'output is the input by another name' fails 4 'the output is the input' app.jar all.json hard.jar
check 'output folder missing' fails 1 'No such file' app.jar all.json nowhere/out.jar
mkdir place
check 'output is a folder' fails 1 'is a directory' app.jar all.json place
if [ "$(id -u)" != 0 ]; then
	chmod 555 place
	check 'output folder read-only' fails 1 'Permission denied' app.jar all.json place/out.jar
	chmod 755 place
else
	skip 'output folder read-only' 'root may write everywhere'
fi
check 'output in a read-only file system' fails 1 '/proc/out.jar' app.jar all.json /proc/out.jar
mkdir limited
echo precious >limited/out.jar
check 'file limit while weaving' sh -c "ulimit -f 8; timeout 60 '$X' app.jar all.json limited/out.jar; [ \$? = 1 ]"
check '... what was there still is, and nothing else' sh -c '[ "$(cat limited/out.jar)" = precious ]'
check '... no temporary name left' only limited out.jar
if mkdir small && mount -t tmpfs -o size=48k tmpfs small 2>/dev/null; then
	check 'disk full' fails 1 'No space left' app.jar all.json small/out.jar
	check '... leaves nothing' only small
	umount small
else
	skip 'disk full' 'cannot mount a small file system'
fi

# ---- memory ----
check 'every allocation fails in turn' timeout 300 "$X" -allocs app.jar all.json alloc.jar
python3 -c '
import zipfile
z = zipfile.ZipFile("nest.jar", "w"); z.write("app.jar", "lib/app.jar"); z.writestr("META-INF/MANIFEST.MF", "")'
check '... of a nested archive too' timeout 300 "$X" -allocs nest.jar all.json alloc.jar

mkdir tree && (cd tree && unzip -q ../app.jar && cp ../nest.jar .)
check '... of a folder' timeout 300 "$X" -allocs tree all.json alloc
cat >calls.json <<'END'
{ "jweave": 1, "rules": [ { "match": "**" },
  { "on": "call", "match": "**", "capture": [ { "what": "this", "as": "class" }, { "what": "return" } ] } ] }
END
check '... of calls with captures' timeout 300 "$X" -allocs -no-guard app.jar calls.json alloc.jar

# an archive of 64 MB is not in memory whole, neither woven nor copied
cat >big.py <<'END'
import os, resource, subprocess, sys, zipfile
if not os.path.exists("big.jar"):
    with zipfile.ZipFile("big.jar", "w") as z, zipfile.ZipFile("app.jar") as app:
        for i in range(64):
            z.writestr("data/%d" % i, os.urandom(1 << 20))
        for name in app.namelist():
            z.writestr(name, app.read(name))
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print("peak %d KB" % peak)
sys.exit(peak > 32 << 10)
END
for rules in all none; do
	if [ -n "${SAN:-}" ]; then
		skip "memory of a large archive, $rules" "sanitizers take more"
		continue
	fi
	check "a large archive takes little memory, $rules" timeout 120 python3 big.py "$X" -j2 big.jar $rules.json big-w.jar
	check '... and all of it is there' python3 -c '
import zipfile
a, b = zipfile.ZipFile("big.jar"), zipfile.ZipFile("big-w.jar")
assert all(a.read(n) == b.read(n) for n in a.namelist() if n.startswith("data/"))
assert sum(n.startswith("data/") for n in b.namelist()) == 64'
	rm -f big-w.jar
done
rm -f big.jar

# ---- classes of one hash: of eight bits, sixty classes surely share some ----
mkdir -p k
for c in $(seq 60); do
	printf 'package k; public class C%s { public static int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; } }\n' "$c" >k/C$c.java
done
javac -d kc k/*.java
jar cf k.jar -C kc .
mkdir -p kw/WEB-INF && cp -r kc kw/WEB-INF/classes && jar cf k.war -C kw . # where methods have no numbers
check 'collisions of class hashes' x -hash-cut=32 k.war all.json k-w.war
unzip -p k-w.war 'META-INF/jweave/*.map' | grep '^c' | cut -f2 >k.hashes
check '... are salted away: each class has one of its own' sh -c '[ $(sort -u k.hashes | wc -l) = 60 ]'
check '... of eight bits' sh -c '[ $(grep -c "^00000000" k.hashes) = 60 ]'
x -hash-cut=32 -j8 k.war all.json k-8.war >/dev/null
check '... the same for any -j' cmp k-w.war k-8.war
x -hash-cut=32 kc all.json kc-w >/dev/null
check '... and in a folder' sh -c '[ $(cat kc-w/META-INF/jweave/*.map | grep "^c" | cut -f2 | sort -u | wc -l) = 60 ]'
check '... too many for so few: an error, no output' sh -c "
	'$X' -hash-cut=35 k.war all.json none.jar 2>&1 | grep collide && [ ! -e none.jar ]"
check '... where methods have numbers, each has an id of its own' sh -c '
	timeout 60 "$0" -hash-cut=32 k.jar all.json k-n.jar >/dev/null &&
	[ $(unzip -p k-n.jar "META-INF/jweave/*.map" | grep -c "^c") = 60 ] &&
	unzip -p k-n.jar "META-INF/jweave/*.map" | awk "/^c/ { c = \$2 } /^m/ { print c, \$2 }" >k.ids &&
	[ $(sort -u k.ids | wc -l) = 60 ] && [ $(cut -d" " -f1 k.ids | sort -u | wc -l) = 1 ]' "$X"
finish
