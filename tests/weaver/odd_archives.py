# odd_archives.py MAIN.class OUT: writes odd archives that all hold acme/Main.class, one a file, named after what is odd.
# Written by hand, since no library writes such things.
import os
import struct
import sys
import zlib

MAIN = open(sys.argv[1], "rb").read()
OUT = sys.argv[2]
MANIFEST = b"Manifest-Version: 1.0\r\nMain-Class: acme.Main\r\n\r\n"
U16, U32 = 0xFFFF, 0xFFFFFFFF


class Entry:
    def __init__(self, name, data=b"", method=8, **odd):
        self.name, self.data, self.method, self.odd = name, data, method, odd
        deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
        self.packed = deflate.compress(data) + deflate.flush() if method == 8 else data
        self.packed += odd.get("tail", b"")
        self.crc = odd.get("crc", zlib.crc32(data))


def local(e, kind):
    """Header, name, extra, data and descriptor of E."""
    o = e.odd
    flags = o.get("flags", 0) | (8 if kind else 0)
    crc, packed, size = (0, 0, 0) if kind else (e.crc, len(e.packed), len(e.data))
    extra = o.get("local_extra", b"")
    if kind == "zip64":
        packed = size = U32
        extra += struct.pack("<HHQQ", 1, 16, 0, 0)
    if kind == "sized":  # a descriptor, and sizes all the same
        crc, packed, size = e.crc, len(e.packed), len(e.data)
    name = o.get("local_name", e.name)
    size = o.get("local_size", size)
    packed = o.get("local_packed", packed)
    b = struct.pack("<IHHHHHIIIHH", 0x04034B50, 20, flags, o.get("local_method", e.method), 0x5A21, 0x2C8F, crc,
                    packed, size, len(name), len(extra)) + name + extra + e.packed
    if kind:
        if kind != "unsigned":
            b += b"PK\7\10"
        b += struct.pack("<IQQ" if kind == "zip64" else "<III", e.crc, len(e.packed), len(e.data))
    return b


def central(e, at, kind):
    o = e.odd
    extra, packed, size = o.get("extra", b""), o.get("packed", len(e.packed)), o.get("size", len(e.data))
    if o.get("zip64"):
        extra += struct.pack("<HHQQQ", 1, 24, size, packed, at)
        packed = size = at = U32
    comment = o.get("comment", b"")
    return struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, o.get("made", 0x031E), o.get("needs", 20),
                       o.get("flags", 0) | (8 if kind else 0), o.get("method", e.method), 0x5A21, 0x2C8F, e.crc, packed,
                       size, len(e.name), len(extra), len(comment), o.get("disk", 0), 0, o.get("mode", 0o100644) << 16,
                       at) + e.name + extra + comment


def archive(entries, kind=None, prefix=b"", comment=b"", tail=b"", between=b"", order=None, gap=b"", count=None,
            zip64=False, disk=0, size=None):
    body, at = bytearray(prefix), {}
    for e in entries:
        at[e] = len(body)
        body += local(e, kind) + between
    body += gap
    start = len(body)
    for e in order or entries:
        body += central(e, at[e], kind)
    length = len(body) - start if size is None else size
    n = len(entries) if count is None else count
    if zip64:
        body += struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, n, n, length, start)
        body += struct.pack("<IIQI", 0x07064B50, 0, len(body) - 56, 1)
        n, length, start = U16, U32, U32
    body += struct.pack("<IHHHHIIH", 0x06054B50, disk, disk, n & U16, n & U16, length, start, len(comment))
    return bytes(body) + comment + tail


def put(name, entries, **odd):
    with open(os.path.join(OUT, name + ".jar"), "wb") as f:
        f.write(archive(entries, **odd))


def manifest(data=MANIFEST, name=b"META-INF/MANIFEST.MF", **odd):
    return Entry(name, data, **odd)


def main(**odd):
    return Entry(b"acme/Main.class", MAIN, **odd)


def beside(name, *entries, **odd):
    """An archive that runs, with ENTRIES beside what it needs."""
    put(name, [manifest(), main(), *entries], **odd)


# names
beside("name-absolute", Entry(b"/etc/passwd.class", MAIN), Entry(b"/abs.txt", b"x"))
beside("name-upward", Entry(b"../../up.class", MAIN), Entry(b"a/../../up.txt", b"x"), Entry(b"..", b""))
beside("name-windows", Entry(b"C:\\x.class", MAIN), Entry(b"..\\..\\y.class", MAIN), Entry(b"a\\b\\", b""))
beside("name-double-slash", Entry(b"a//b.class", MAIN), Entry(b"./c.class", MAIN))
beside("name-latin1", Entry(b"n\xe4me.txt", b"x"), Entry(b"acme/Gr\xfc\xdfe.class", MAIN))
beside("name-utf8", Entry("acme/\u4e00\u00e9\U0001f600.class".encode(), MAIN, flags=0x800))
beside("name-not-utf8", Entry(b"a\xff\xfe.class", MAIN, flags=0x800))
beside("name-control", Entry(b"line\nfeed\ttab.class", MAIN), Entry(b"nul\0in.class", MAIN), Entry(b"esc\x1b[31m.class", MAIN))
beside("name-empty", Entry(b"", b"x"))
beside("name-long", Entry(b"a" * 65000 + b".class", MAIN), Entry(b"d/" * 30000, b""))
beside("name-of-folder-with-data", Entry(b"folder/", b"data in a folder", method=0), Entry(b"acme/X.class/", MAIN))
beside("name-case", Entry(b"ACME/MAIN.CLASS", MAIN), Entry(b"acme/main.class", MAIN), Entry(b"meta-inf/manifest.mf", b"x"))
beside("name-twice", Entry(b"acme/Main.class", MAIN), Entry(b"acme/Main.class", MAIN, method=0), Entry(b"t", b"1"), Entry(b"t", b"2"))
beside("name-ours", Entry(b"META-INF/jweave/other.txt", b"x"), Entry(b"jweave/rt/notes.txt", b"x"))
beside("name-local-differs", Entry(b"one.txt", b"x", local_name=b"two.txt"))
put("name-local-differs-class", [manifest(), main(local_name=b"acme/Niam.class")])
put("name-local-longer", [manifest(), main(local_name=b"a/much/longer/name/than/that.class")])

# sizes and methods
beside("empty-stored", Entry(b"E.class", b"", method=0), Entry(b"e.txt", b"", method=0), Entry(b"lib/e.jar", b"", method=0))
beside("empty-deflated", Entry(b"E.class", b""), Entry(b"e.txt", b""), Entry(b"lib/e.jar", b""))
beside("stored-crc-wrong", Entry(b"x.txt", b"text", method=0, crc=1))
put("class-crc-wrong", [manifest(), main(crc=0x12345678)])
put("class-stored-crc-wrong", [manifest(), main(method=0, crc=0x12345678)])
beside("stored-local-sizes-wrong", Entry(b"x.txt", b"text", method=0, local_size=3, local_packed=7))
beside("stored-sizes-differ", Entry(b"x.txt", b"text", method=0, size=3))
put("class-stored-local-sizes-wrong", [manifest(), main(method=0, local_size=3, local_packed=7)])
put("class-deflated-tail", [manifest(), main(tail=b"more than the stream")])
put("class-size-too-small", [manifest(), main(size=len(MAIN) - 1)])
put("class-size-too-large", [manifest(), main(size=len(MAIN) + 1)])
put("class-packed-cut", [manifest(), main(packed=10)])
beside("packed-past-the-end", Entry(b"x.txt", b"text", packed=1 << 30))
put("class-local-method-differs", [manifest(), main(local_method=0)])
beside("method-unknown", Entry(b"x.txt", b"text", method=12))
beside("method-unknown-class", Entry(b"X.class", MAIN, method=12))
beside("encrypted-text", Entry(b"x.txt", b"text", flags=1))

# descriptors
for kind in ("signed", "unsigned", "zip64", "sized"):
    beside("descriptor-" + kind, Entry(b"s.txt", b"stored", method=0), Entry(b"e/", b"", method=0), kind=kind)

# headers
beside("zip64-needless", zip64=True)
put("zip64-extras", [manifest(zip64=True), main(zip64=True), Entry(b"x", b"", zip64=True)])
beside("zip64-prefix", zip64=True, prefix=b"#!/bin/sh\n" * 100)
beside("extra-cut", Entry(b"x.txt", b"x", extra=b"\1\0\xff"), Entry(b"y.txt", b"y", extra=b"\x55\x77\xff\xff1"))
put("extra-cut-class", [manifest(), main(extra=b"\x55\x77\xff\xff1", local_extra=b"\x55")])
beside("extra-long", Entry(b"x.txt", b"x", extra=struct.pack("<HH", 0x7777, 65000) + b"z" * 65000))
beside("comments", Entry(b"x.txt", b"x", comment=b"c" * 60000), comment=b"z" * 65535)
beside("comment-with-an-end", comment=b"PK\5\6" + b"\0" * 18 + b"more")
beside("comment-with-another-end", comment=archive([Entry(b"y", b"y")])[-22:])
beside("tail-zeros", tail=b"\0" * 100)
beside("tail-text", tail=b"signature appended to the archive\n" * 3)
beside("bytes-between", between=b"#gap#")
beside("bytes-before-directory", gap=b"APK Sig Block 42" * 10)
beside("order-differs", order=None)
e = [manifest(), main(), Entry(b"x", b"1"), Entry(b"y", b"2")]
put("order-reversed", e, order=e[::-1])
put("manifest-last", [main(), Entry(b"x", b"1"), manifest()])
put("manifest-stored", [manifest(method=0), main(method=0)])
put("manifest-lower", [manifest(name=b"meta-inf/Manifest.mf"), main()])
put("manifest-none", [main()])
put("manifest-twice", [manifest(), manifest(MANIFEST.replace(b"acme.Main", b"no.Such")), main()])
put("manifest-no-line-end", [manifest(MANIFEST.strip()), main()])
put("manifest-cr", [manifest(MANIFEST.replace(b"\r\n", b"\r")), main()])
put("manifest-continued", [manifest(b"Manifest-Version: 1.0\nMain-Class: ac\n me.Ma\n in\n"), main()])
put("manifest-large", [manifest(MANIFEST[:-2] + b"".join(b"A%d: %s\r\n" % (n, b"x" * 60) for n in range(3000)) + b"\r\n"), main()])
put("manifest-sections", [manifest(MANIFEST + b"".join(b"Name: s%d\r\nKey: v\r\n\r\n" % n for n in range(3000))), main()])
put("manifest-garbage", [manifest(b"\0\1\2 no manifest"), main()])
put("manifest-empty", [manifest(b""), main()])
beside("index-list", Entry(b"META-INF/INDEX.LIST", b"JarIndex-Version: 1.0\n\nindex-list.jar\nacme\n\n"))
beside("modes", Entry(b"link.class", b"acme/Main.class", mode=0o120777, method=0), Entry(b"fifo", b"", mode=0o010644),
       Entry(b"setuid.class", MAIN, mode=0o104755))
beside("made-by-dos", Entry(b"d.class", MAIN, made=20), Entry(b"n.class", MAIN, needs=99))
beside("flags", Entry(b"f.class", MAIN, flags=6), Entry(b"g.txt", b"x", flags=0x2000))
beside("disk-of-entry", Entry(b"x", b"x", disk=3))
beside("disk-of-end", disk=1)
beside("count-too-small", Entry(b"x", b"x"), count=2)
beside("count-too-large", Entry(b"x", b"x"), count=9)
beside("directory-size-too-small", Entry(b"x", b"x"), size=60)
beside("many", *[Entry(b"d%d/" % n, b"", method=0) for n in range(3000)])
put("nothing", [], count=0)
inner = archive([manifest(), main()])
for _ in range(12):
    inner = archive([Entry(b"in.jar", inner, method=0)])
beside("nested-deep", Entry(b"lib/deep.jar", inner, method=0))
beside("nested-odd", Entry(b"lib/tail.jar", archive([manifest(), main()], tail=b"tail"), method=0),
       Entry(b"lib/cut.jar", archive([manifest(), main()])[:-30]), Entry(b"lib/text.jar", b"no archive"),
       Entry(b"lib/prefix.jar", archive([manifest(), main()], prefix=b"#!/bin/sh\n")))
