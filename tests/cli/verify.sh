#!/bin/sh
# jweave verify reads archives with libzip: what it finds there, and what of an archive libzip is given.
. tests/cli/kit
command -v python3 >/dev/null || skip_all 'no python3'
python3 tests/cli/damaged.py "$dir" || exit 1
cd "$dir" || exit 1
echo '{"jweave":1,"rules":[{"select":{"class":"**","code":{"minBytes":0}}}]}' >r.json
cat >make.py <<'END'
import io, struct, zipfile
def jar(entries, **odd):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for name, data in entries:
            z.writestr(zipfile.ZipInfo(name), data, compress_type=odd.get("method", zipfile.ZIP_DEFLATED))
    return out.getvalue()
def write(name, *parts):
    with open(name, "wb") as f:
        f.write(b"".join(parts))
a = open("A.class", "rb").read()
plain = jar([("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\n\n"), ("A.class", a), ("a.txt", b"text")])
script = b"#!/bin/sh\nexec java -jar \"$0\" \"$@\"\n"
write("self.jar", script, plain)
write("nested.jar", jar([("lib/self.jar", script + plain)], method=zipfile.ZIP_STORED))
many = [("%x" % n, b"") for n in range(70000)]
write("many.jar", script, jar(many + [("A.class", a)]))
write("tail.jar", script, plain, b"and a signature\n" * 9)
write("bad-self.jar", script, jar([("A.class", a[:-1])]))
# one bit of a file that is STORED
stored = jar([("A.class", a), ("a.txt", b"plain text")], method=zipfile.ZIP_STORED)
write("stored.jar", stored)
write("flipped.jar", stored.replace(b"plain text", b"plain next"))
# an extra field that claims more bytes than there are: the JDK passes over it
cut = plain.replace(b"PK\1\2", b"PK\1\2", 1)
e = cut.index(b"PK\1\2")
name, extra, comment = struct.unpack("<HHH", cut[e + 28:e + 34])
central = cut[e:e + 30] + struct.pack("<H", 4) + cut[e + 32:e + 46 + name] + b"\x55\x77\xff\xff"
end = cut.index(b"PK\5\6")
rest = bytearray(cut[end:])
rest[12:16] = struct.pack("<I", struct.unpack("<I", rest[12:16])[0] + 4)
write("extra.jar", cut[:e], central, cut[e + 46 + name:end], bytes(rest))
END
need python3 make.py

for jar in self nested many tail; do
	run verify $jar.jar
	is "$jar.jar: is read" "$status $out" "0 $jar.jar: ok (1 class)"
	run -q $jar.jar r.json $jar-w.jar
	is "$jar.jar: is woven" "$status" 0
	run verify --against $jar.jar $jar-w.jar
	is "$jar.jar: and compared" "$status $out" "0 $jar-w.jar: ok (1 class changed, nothing else)"
done
is 'from a pipe, too' "$(cat self.jar | "$jweave" verify - 2>&1)" '-: ok (1 class)'
run verify bad-self.jar
is 'a class in it that is damaged' "$status $(echo "$out" | cut -d: -f1)" '5 A.class'
run verify --against stored.jar flipped.jar
is 'a text has changed, and its checksum does not fit' "$status $out$err" '4 jweave: error: flipped.jar: "a.txt": is damaged: its checksum (CRC-32) is wrong'
run verify extra.jar
case $status in
0) skip 'this libzip opens an extra field that is cut' ;;
*)
	like 'what libzip does not open' "$status $err" '4 jweave: error: extra.jar: libzip, which verify reads with, does not open it: * (the JDK may; see jweave-verify(1))'
	run --dry-run -q extra.jar r.json
	is '... is woven all the same' "$status" 0
	;;
esac
finish
