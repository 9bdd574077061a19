"""Class files and archives with one thing wrong each, for g_damage.sh: damaged.py FOLDER
(and an archive whose names are all odd, for odd_names.sh)

A class file is put together here from nothing, so that each mistake is the only one, and no compiler
decides what is around it.
"""

import os
import struct
import sys
import zlib

os.chdir(sys.argv[1])


def u1(n):
    return struct.pack(">B", n)


def u2(n):
    return struct.pack(">H", n)


def u4(n):
    return struct.pack(">I", n)


class Pool:
    def __init__(self):
        self.entries, self.index = [], {}

    def add(self, entry):
        if entry not in self.index:
            self.entries.append(entry)
            self.index[entry] = len(self.entries)
        return self.index[entry]

    def text(self, s):
        return self.add(u1(1) + u2(len(s.encode())) + s.encode())

    def cls(self, s):
        return self.add(u1(7) + u2(self.text(s)))

    def bytes(self):
        return u2(len(self.entries) + 1) + b"".join(self.entries)


def attribute(pool, name, info):
    return u2(pool.text(name)) + u4(len(info)) + info


def frames(entries):
    return u2(len(entries)) + b"".join(entries)


FULL = u1(255)
NOP, RETURN, GOTO = b"\0", b"\xb1", b"\xa7"


def make(code=NOP + RETURN, table=None, handlers=u2(0), locals_=1, major=52, field="I", pool=None, name="A", method="m"):
    """A class with one field and one static method without parameters."""
    pool = pool or Pool()
    this, above = pool.cls(name), pool.cls("java/lang/Object")
    inner = attribute(pool, "StackMapTable", table) if table is not None else b""
    body = u2(1) + u2(locals_) + u4(len(code)) + code + handlers
    body += u2(1 if inner else 0) + inner
    fields = u2(1) + u2(8) + u2(pool.text("f")) + u2(pool.text(field)) + u2(0)
    method = u2(9) + u2(pool.text(method)) + u2(pool.text("()V")) + u2(1) + attribute(pool, "Code", body)
    head = u4(0xCAFEBABE) + u2(0) + u2(major)
    return head, pool, u2(0x21) + u2(this) + u2(above) + u2(0) + fields + u2(1) + method + u2(0)


def whole(**how):
    head, pool, rest = make(**how)
    return head + pool.bytes() + rest


def put(name, data):
    with open(name, "wb") as f:
        f.write(data)


put("A.class", whole())
put("field.class", whole(field="Q"))
put("future.class", whole(major=80))
head, pool, rest = make()
put("ends-after-pool.class", head + pool.bytes() + rest[:5])
put("ends-before-count.class", head + pool.bytes() + rest[:-2])
put("handlers.class", whole(handlers=u2(9)))
pool = Pool()
pool.add(u1(18) + u2(5) + u2(pool.add(u1(12) + u2(pool.text("run")) + u2(pool.text("()V")))))
put("bootstrap.class", whole(pool=pool))

# frames: entries at pc 1, 2, 3, ... of a row of nops
code = NOP * 200 + RETURN
most = FULL + u2(1) + u2(65535) + b"\0" * 65535 + u2(0)
put("locals.class", whole(code=code, table=frames([most, u1(252) + u2(0) + u1(0)]), locals_=65535))
put("frames.class", whole(code=code, table=frames([FULL + u2(1) + u2(60000) + b"\0" * 60000 + u2(0)] + [u1(252) + u2(0) + u1(0)] * 150), locals_=65535))
put("table-after.class", whole(code=code, table=frames([u1(1)]) + b"\0"))
put("table-short.class", whole(code=code, table=u2(2) + u1(1)))

# more than 4 GiB; a hole on the disk
with open("huge.class", "wb") as f:
    f.write(u4(0xCAFEBABE) + u2(0) + u2(52))
    f.truncate((1 << 32) + 10)


# ---- archives ----

def record(name, data, method=0, flags=0, crc=None, size=None, packed=None):
    crc = zlib.crc32(data) if crc is None else crc
    return (20, flags, method, 0, 0x21, crc, len(data) if packed is None else packed, len(data) if size is None else size), name.encode(), data


def archive(entries, offsets=None, end_size=None, end_offset=None, comment=b""):
    out, central, at = b"", b"", []
    for head, name, data in entries:
        at.append(len(out))
        out += b"PK\3\4" + struct.pack("<HHHHHIIIHH", *head, len(name), 0) + name + data
    for i, (head, name, data) in enumerate(entries):
        place = at[i] if not offsets else offsets[i]
        central += b"PK\1\2" + struct.pack("<HHHHHHIIIHHHHHII", 20, *head, len(name), 0, 0, 0, 0, 0, place) + name
    size = len(central) if end_size is None else end_size
    offset = len(out) if end_offset is None else end_offset
    return out + central + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, len(entries), len(entries), size, offset, len(comment)) + comment


cls = whole()
one = [record("A.class", cls)]
put("good.jar", archive(one))
put("directory-size.jar", archive(one, end_size=100000))
put("directory-place.jar", archive(one, end_offset=100000))
put("overlap.jar", archive([record("A.class", cls), record("B.class", cls)], offsets=[0, 0]))
put("overlap-signature.jar", archive([record("A.class", cls), record("META-INF/A.SF", b"x")], offsets=[0, 0]))
encrypted = archive([record("A.class", cls, flags=1)])
middle = archive([record("lib/encrypted.jar", encrypted)])
put("encrypted.jar", encrypted)
put("inside.jar", archive([record("lib/middle.jar", middle)]))
put("method.jar", archive([record("A.class", cls, method=12)]))
put("checksum.jar", archive([record("A.class", cls, crc=1)]))
put("sizes.jar", archive([record("A.class", cls, size=len(cls) + 1)]))
put("deflate.jar", archive([record("A.class", b"\7" * 50, method=8, size=500)]))
put("bomb.jar", archive([record("A.class", zlib.compress(b"\0" * 3000000, 9)[2:-4], method=8, size=3000000, crc=zlib.crc32(b"\0" * 3000000))]))
put("large.jar", archive([record("A.class", b"\3\0", method=8, size=600 << 20)]))
put("inner-text.jar", archive(one + [record("lib/inner.jar", b"no archive at all")]))
put("future.jar", archive([record("A.class", whole(major=80))]))
put("unreadable.jar", archive(one + [record("B.class", cls[:60])]))
put("escape.jar", archive(one + [record("\033[31mred\a.jar", b"no archive at all"), record("new\nline.jar", b"none")]))
deep = archive(one)
for _ in range(10):
    deep = archive(one + [record("in.jar", deep)])
put("marks.jar", archive(one + [record("META-INF/jweave/woven.json", b'{"version":"\x1b[31m\xc2\x9b","a":"\xff"}\n')]))
put("deep.jar", deep)
deeper = archive([record("A.class", cls), record("B.txt", b"more")])
for _ in range(10):
    deeper = archive(one + [record("in.jar", deeper)])
put("deeper.jar", deeper)
pool = Pool()
pool.text("ModulePackages")
this = pool.cls("module-info")
module = u2(pool.add(u1(19) + u2(pool.text("m")))) + u2(0) + u2(0) + u2(0) + u2(0) + u2(0) + u2(0) + u2(0)
info = attribute(pool, "Module", module) + attribute(pool, "ModulePackages", u2(3))
info = u4(0xCAFEBABE) + u2(0) + u2(53) + pool.bytes() + u2(0x8000) + u2(this) + u2(0) + u2(0) + u2(0) + u2(0) + u2(2) + info
put("module.jar", archive(one + [record("module-info.class", info)]))

# every name is legal to the JVM: a terminal would obey the first, a log be forged by the second
CODE = NOP * 3 + RETURN
odd = [("p/\033[31mRed", "\033]0;title\a"), ("p/New\nwove 9 of 9", "m\r\njweave: error: forged"), ("p/B\u00e4r\u202e", "\u540d\u524d"), ("p/\u0007\u009b31m", "m\u0085\u2028")]
put("odd.jar", archive([record(name + ".class", whole(code=CODE, name=name, method=method)) for name, method in odd]))
