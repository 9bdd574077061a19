#!/bin/sh
# Descriptors changed byte by byte: whatever weaving makes of the class, verify --against agrees with it.
. tests/cli/kit
command -v python3 >/dev/null || skip_all 'no python3'
flow=$PWD/testdata/classes/8/Flow.class
cd "$dir" || exit 1
echo '{"jweave":1,"rules":[{"match":"**"},{"on":"call","match":"**"}]}' >r.json
cat >each.py <<'END'
import struct, subprocess, sys
jweave, source = sys.argv[1:]
good = open(source, "rb").read()
def texts(data):
    size = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}
    at, left = 10, struct.unpack(">H", data[8:10])[0] - 1
    while left > 0:
        tag = data[at]
        if tag == 1:
            n = struct.unpack(">H", data[at + 1:at + 3])[0]
            yield at + 3, data[at + 3:at + 3 + n]
            at += 3 + n
        else:
            at += 1 + size[tag]
        left -= 2 if tag in (5, 6) else 1
def run(*words):
    return subprocess.run([jweave, *words], capture_output=True, text=True, timeout=60)
tried = woven = 0
for at, text in texts(good):
    if not (text[:1] == b"(" or text in (b"I", b"J", b"Z", b"D") or (text[:1] in b"L[" and text[-1:] == b";")):
        continue
    for place, new in (0, b";"), (0, b"L"), (len(text) - 1, b"("), (len(text) - 1, b"["):
        bad = bytearray(good)
        bad[at + place:at + place + 1] = new
        open("in.class", "wb").write(bad)
        tried += 1
        if run("-q", "in.class", "r.json", "out.class").returncode:
            continue
        woven += 1
        said = run("verify", "--against=in.class", "out.class")
        if said.returncode:
            print(text, place, new, said.stdout, said.stderr)
print("tried" if tried > 50 else "too few", "woven" if woven > 50 else "too few")
END
is 'what was woven in part verifies against its input' "$(python3 each.py "$jweave" "$flow")" 'tried woven'
finish
