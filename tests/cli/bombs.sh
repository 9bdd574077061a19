#!/bin/sh
# Small archives that are much work: each command ends soon, in little memory, and says why.
# Slow: 25 s, archives of gigabytes are unpacked.
. tests/cli/kit
command -v python3 >/dev/null || skip_all 'no python3'
python3 tests/cli/damaged.py "$dir" || exit 1
cp "$BUILD"/tests/cli/x_recording "$dir" || skip_all 'no x_recording'
cd "$dir" || exit 1
cat >bombs.py <<'END'
import io, zipfile
def jar(entries, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as z:
        for name, data in entries:
            z.writestr(zipfile.ZipInfo(name), data, compress_type=method)
    return out.getvalue()
def write(name, data):
    with open(name, "wb") as f:
        f.write(data)
def nest(leaf, width, depth, more=()):
    for _ in range(depth):
        leaf = jar(list(more) + [("%d.jar" % n, leaf) for n in range(width)])
    return leaf
manifest = ("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\n\n")
with open("A.class", "rb") as f:
    a = f.read()
small = jar([manifest, ("A.class", a)])
write("nest.jar", nest(small, 10, 6, [manifest]))
write("zip.jar", nest(small, 10, 6))
write("inner-zip.jar", jar([("all.jar", jar([("%d.jar" % n, small) for n in range(3000)], zipfile.ZIP_STORED))]))
write("entries.jar", jar([("x.jar", jar([("%x.class" % n, b"x") for n in range(400000)]))]))
for name, entry, size in ("class", "A.class", 400), ("super", "java/lang/Object.class", 100), ("inner", "x.jar", 100), \
    ("manifest", "META-INF/MANIFEST.MF", 100), ("map", "META-INF/jweave/x.map", 100), ("mark", "META-INF/jweave/woven.json", 100):
    write("zeros-%s.jar" % name, jar([(entry, bytes(size << 20))]))
# 3,616 archives and 3 MB: odd, but no attack
write("fair.jar", nest(small, 15, 3, [manifest]))
END
python3 bombs.py || exit 1
echo '{"jweave":1,"rules":[{"select":{"class":"**","code":{"minBytes":0}}}]}' >r.json

cat >peak.py <<'END'
import resource, subprocess, sys
status = subprocess.run(["timeout", "60"] + sys.argv[1:], stdout=open(".out", "w"), stderr=open(".err", "w")).returncode
print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
END
most=300
[ -z "${SAN:-}" ] || most=100000 # sanitizers take more
# ends STATUS WORDS ARGS...: the command does, and takes little memory
ends() {
	want=$1 words=$2
	shift 2
	# shellcheck disable=SC2046 # two numbers
	set -- "$want" "$words" $(python3 peak.py "$jweave" "$@") "$*"
	is "$5: status" "$3" "$want"
	[ -z "$words" ] || check "$5: ... says why" says "$words" .err
	check "$5: ... in $most MB" [ "$4" -lt "$most" ]
}
everything() { # everything JAR WORDS [WORDS OF VERIFY]
	ends 4 "$2" -j1 "$1" r.json o.jar
	said=$(cat .err)
	ends 4 "$2" -j2 "$1" r.json o.jar
	is "$1: the same error on two threads" "$(cat .err)" "$said"
	ends 4 "$2" list -q -r r.json "$1"
	ends 4 "$2" explain -r r.json "$1" A#f
	ends 4 "$2" init "$1"
	ends 4 "${3:-$2}" verify "$1"
}
everything nest.jar '.jar: too many archives inside archives (limit is 41'
check 'the option is named' says '--no-limits lifts it)' .err
everything zip.jar '.jar: too many bytes to unpack and to add in all (limit is ' '.jar: too many archives inside archives (limit is '
everything entries.jar 'x.jar: too many entries of archives in all (limit is '
everything zeros-class.jar 'A.class: too many bytes'
ends 4 'all.jar!/12' inner-zip.jar r.json o.jar
ends 4 'x.jar: too many bytes' zeros-inner.jar r.json o.jar
ends 4 'MANIFEST.MF: too many bytes' zeros-manifest.jar r.json o.jar
is 'no output of any' "$(ls o.jar 2>/dev/null)" ''
for jar in nest zeros-class; do
	XDG_CACHE_HOME=$dir/cache ends 0 'it runs without tracing' run -r r.json -- true -cp $jar.jar A
	ends 0 '' info $jar.jar
done
mkdir folder && cp nest.jar folder
ends 4 'folder: nest.jar!/' folder r.json o
ends 4 'folder: nest.jar!/' list -q -r r.json folder
ends 4 '(limit is 1048576)' info zeros-mark.jar

# what a class path, a recording and a comparison lead to
echo '{"jweave":1,"rules":[{"select":{"subtypeOf":"A"}}]}' >types.json
ends 4 'zeros-super.jar: java/lang/Object.class: too many bytes' list -q -r types.json -cp zeros-super.jar A.class
need ./x_recording run.jwr run.map 100
for jar in nest zeros-map; do
	for command in 'prv -f -o t.prv' report score; do
		# shellcheck disable=SC2086 # words
		[ $jar = nest ] || ends 4 'bytes): name its method map alone with --map' $command run.jwr --map $jar.jar
		# shellcheck disable=SC2086
		[ $jar != nest ] || ends 0 'no method map in it' $command run.jwr --map $jar.jar
	done
done
python3 - <<'END'
import zipfile
for name in "a", "b":
    with zipfile.ZipFile(name + ".jar", "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("data", bytes(200 << 20) + name.encode())
END
ends 4 'too many bytes' verify --against a.jar b.jar

# ---- what is no attack ----
ends 0 '' fair.jar r.json fair-w.jar
ends 0 '' verify --against fair.jar fair-w.jar
python3 -c '
import os, zipfile
z = zipfile.ZipFile("large.jar", "w", zipfile.ZIP_DEFLATED); z.write("A.class"); z.writestr("x.jar", bytes(70 << 20) + os.urandom(1 << 20))'
ends 0 '' list -q -r r.json large.jar
finish
