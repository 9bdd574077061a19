#!/bin/sh
# What a bad disk, a full one, or one that belongs to somebody else makes of each command: a message, an
# exit status, and nothing half written. Calls fail on demand (faults.c), since tests run as root.
. tests/cli/kit
case ${SAN:-} in '') ;; *) skip_all 'a sanitized program takes no library before its own' ;; esac
${CC:-cc} -std=c11 -shared -fPIC -I. -o "$dir/faults.so" tests/cli/faults.c -ldl 2>"$dir/cc" || skip_all 'no shared library to preload'
x=$BUILD/tests/cli/x_recording
[ -x "$x" ] && [ -x "$BUILD/tests/cli/x_odd_recordings" ] || skip_all 'x_recording is not built'
cp testdata/classes/8/Flow.class "$dir/"
cd "$dir" || exit 1
SOURCE_DATE_EPOCH=1700000000 XDG_CACHE_HOME=$dir/cache
export SOURCE_DATE_EPOCH XDG_CACHE_HOME
unset CLASSPATH JDK_JAVA_OPTIONS JAVA_TOOL_OPTIONS
EPERM=1 EIO=5 ENOMEM=12 EACCES=13 EBUSY=16 EEXIST=17 ENOSPC=28 EROFS=30
fault=''

f() { # f FAULT ARGS: jweave ARGS, as in the other golden texts, under FAULT
	fault=$1
	shift
	printf '(%s)\n$ jweave' "$fault" >>got
	for word in "$@"; do printf ' %s' "$(printf %s "$word" | cut -c1-60)" >>got; done
	echo >>got
	JW_FAULT=$fault LD_PRELOAD=$dir/faults.so timeout 60 "$jweave" "$@" >.out 2>.err </dev/null
	status=$?
	cut -c1-1200 .out .err | sed 's|\(/[0-9/]*\)\{20,\}|/1/2/...|g; s|/[^ ]*/jweave-run-......|PLACE|' >>got
	printf -- '-> %s\n\n' "$status" >>got
}
mkdir -p in/acme/deep in/links classes
cp Flow.class in/acme/deep
cp Flow.class classes
ln -s ../acme in/links/link
echo text >in/notes.txt
echo '{"jweave":1,"rules":[{"select":{"class":"**","code":{"minBytes":0}}}]}' >r.json

# ---- reading ----
f open:$EACCES:Flow.class Flow.class r.json o.class
f fstat:$EIO:Flow.class Flow.class r.json o.class
f mmap:$ENOMEM:Flow.class Flow.class r.json o.class
f mmap:$EIO:r.json Flow.class r.json o.class
f opendir:$EACCES:in/acme ./in r.json o
f lstat:$EIO:in/notes ./in r.json o
f readlink:$EIO:links/link ./in r.json o
f open:$EACCES:in/acme/deep/Flow ./in r.json o
f realpath:$EACCES:in ./in r.json o
f realpath:$EACCES:. ./in r.json o
f opendir:$EACCES:in/acme -r r.json -o o .
f lstat:$EIO:in/notes -r r.json -o o .
deep=$(seq -s/ 1 70)
mkdir -p "deep/$deep/$deep/$deep"
f '' ./deep r.json o

rm -rf o deep

# ---- writing ----
f open:$EACCES:.tmp Flow.class r.json o.class
f write:$ENOSPC:.tmp Flow.class r.json o.class
f rename:$EBUSY:.tmp Flow.class r.json o.class
f linkat:$EPERM:.tmp Flow.class r.json whole.class
"$jweave" -q Flow.class r.json plain.class
check 'an output that may not be named is copied' cmp whole.class plain.class
f "linkat:$EPERM:.tmp open:$EROFS:.tmp" Flow.class r.json o.class
TMPDIR=$dir/nowhere f '' Flow.class r.json /dev/null
TMPDIR=/$(printf '%05000d' 0) f '' Flow.class r.json /dev/null
f pread:$EIO:jweave- Flow.class r.json /dev/null
f write:$ENOSPC:/dev/null Flow.class r.json /dev/null
f open:$EACCES:/dev/null Flow.class r.json /dev/null
f '' Flow.class r.json ''
f mkdir:$EROFS:weaving ./in r.json o
f mkdir:$ENOSPC:acme ./in r.json o
f mkdir:$EROFS:o -r r.json -o o/p/ ./in ./classes
f symlink:$EPERM:links/link ./in r.json o
f chmod:$EPERM:Flow.class ./in r.json o
f '' ./in r.json "$(printf '%05000d' 0)"
is 'no folder is left that is half one' "$(ls -d o* 2>&1)" "ls: cannot access 'o*': No such file or directory"
"$jweave" -q ./in r.json o
cp -r o kept
f "rename:$EBUSY:/o>" ./in r.json ./o
f "rename:$EBUSY:/o$:1!" ./in r.json ./o
is 'a folder that could not be replaced is there, as it was' "$(diff -r o kept; ls -d o.* 2>/dev/null)" ''
f "rename:$EBUSY:/o$" ./in r.json ./o
is 'nor is it lost when it cannot be put back' "$(mv o.* back && diff -r back kept)" ''
rm -r back kept

# ---- the cache of run ----
f mkdir:$EACCES:cache run -r r.json -- true -cp classes Flow
f mkdir:$ENOSPC:.tmp run -r r.json -- true -cp classes Flow
f open:$ENOSPC:.tmp/.lock run -r r.json -- true -cp classes Flow
f rename:$EIO:.tmp run -r r.json -- true -cp classes Flow
f "rename:$EIO:*/run-1/*.tmp>*/run-1/????????????????????????????????" run -r r.json -- true -cp classes Flow
f "rename:$EEXIST:*/run-1/*.tmp>*/run-1/????????????????????????????????" run -r r.json -- true -cp classes Flow
f "stat:$EIO:/cache$" run -r r.json -- true -cp classes Flow
f write:$ENOSPC:.tmp/.lock run -r r.json -- true -cp classes Flow

# ---- a java of run's own, for scripts ----
mkdir -p jdk/bin jdk/lib && printf '#!/bin/sh\n' >jdk/bin/java && chmod +x jdk/bin/java
JAVA_HOME=$dir/jdk PATH=$dir/jdk/bin:$PATH
export JAVA_HOME
f access:$EACCES:/launch run -v -- true
rm -rf cache
f write:$ENOSPC:overlay.so run -v -- true
( # where the library cannot be loaded
	XDG_CACHE_HOME="$dir/a b"
	mkdir "$XDG_CACHE_HOME"
	f access:$EACCES:jweave-run run -- true
	f mkdir:$ENOSPC:/bin run -- true
	f mkdir:$ENOSPC:/jdk run -- true
	f symlink:$EPERM:/jdk/lib run -- true
)
(umask 002 && f "chmod:$EPERM:.tmp/classes$" run -r r.json -- true -cp classes Flow)
f '' run -q -r r.json -- true -cp classes Flow
echo more >>"$(find cache -name Flow.class)"
f "rename:$EIO:*/run-1/????????????????????????????????>*.tmp" run -q -r r.json -- true -cp classes Flow
f '' run -r r.json -- true -cp classes Flow
f open:$EACCES:.lock run -r r.json -- true -cp classes Flow
is 'nothing half made is left in the cache' "$(find cache -name '*.tmp' | wc -l)" 0

mkdir -p full && : >full/one
f crowd:200001:full/ run -r r.json -- true -cp full:classes Flow
f crowd:200000:full/ run -r r.json -- true -cp full:classes Flow

# a program that uses what is to be cleaned
printf '#!/bin/sh\n: >started\nwhile [ -e started ]; do sleep 0.1; done\n' >slow
chmod +x slow
"$jweave" run -q -r r.json -- ./slow -cp classes Flow &
for _ in $(seq 200); do [ -e started ] && break; sleep 0.1; done
f '' run --clean
rm started
wait $!
f '' run --clean

# ---- a program that is killed ----
"$BUILD/tests/cli/x_odd_recordings"
cat >java-1 <<'S'
#!/bin/sh
cp -r early.jwr left.jwr
sed -i "s/^pid.*/pid	$$/" left.jwr/meta
S
chmod +x java-1
JWEAVE_CONVERT=off f '' run -r r.json -- ./java-1 -cp classes Flow
rm -rf left.*
JWEAVE_KEEP=1 f '' run -r r.json -- ./java-1 -cp classes Flow
rm -rf left.*
f open:$EACCES:.left. run -q -r r.json -- ./java-1 -cp classes Flow
is 'the recording stays where it could not be converted' "$(ls -d left.*)" left.jwr

# ---- a process that is asked ----
if command -v python3 >/dev/null; then
	mkdir asked.jwr
	cat >asked.py <<'P'
import os, socket, sys
held = os.open("asked.jwr", os.O_RDONLY)
s = socket.socket(socket.AF_UNIX)
s.bind("asked.jwr/control")
if sys.argv[1] == "listens":
    s.listen()
open("ready", "w").close()
while True:
    if sys.argv[1] == "listens":
        c = s.accept()[0]
        c.recv(100)
        c.close()
    else:
        import time
        time.sleep(1)
P
	for how in deaf listens; do
		rm -f ready asked.jwr/control
		python3 asked.py $how &
		for _ in $(seq 200); do [ -e ready ] && break; sleep 0.1; done
		f '' ctl $! status
		[ $how = deaf ] || f send:32:socket ctl $! status
		[ $how = deaf ] || f recv:11:socket ctl $! dump
		kill $!
		wait $! 2>/dev/null
		sed -i "s/ctl $! /ctl PID /; s/process $! /process PID /" got
	done
fi

# ---- recordings and traces ----
"$x" run.jwr run.map 10
f open:$EACCES:run.jwr prv -o new run.jwr
f open:$EACCES:run.jwr/meta prv -o new run.jwr
f open:$EACCES:run.jwr/data prv -o new run.jwr
f opendir:$EACCES:run.jwr prv -o new run.jwr
f pread:$EIO:run.jwr/data prv -o part run.jwr
f write:$ENOSPC:new prv -o new run.jwr
f rename:$EIO:new prv -o new run.jwr
f mmap:$EIO:run.map prv --map=run.map -o new run.jwr
f '' prv --map=nowhere.map -o new run.jwr
f '' prv --map=in -o unnamed run.jwr
is 'no trace and no part of one is left' "$(echo new*)" 'new*'
"$jweave" prv -q --map=run.map -o run run.jwr
f open:$EACCES:.jwr/meta info run.jwr
f open:$EACCES:run.prv report run.prv
f mmap:$EIO:run.pcf report run.prv
f open:$EACCES:s.json score run.jwr --map=run.map --suggest=s.json
f '' score run.jwr --map=run.map -r nowhere.json --suggest=s.json

sed -i "s|$dir|DIR|g; s|[.][0-9]*-[0-9]*[.]tmp|.N.tmp|g; s/\(weaving\|replaced\|old\)-[0-9]*/\1-N/g; s|[.][0-9]*[.]tmp|.N.tmp|g" got
sed -i 's|cache/jweave/run-1/[0-9a-f]\{32\}|cache/jweave/run-1/KEY|g; s|KEY\.[0-9]*\.[0-9a-f]*\.tmp|KEY.N.tmp|g; s|jweave-[A-Za-z0-9]\{6\}|jweave-XXXXXX|g' got
# (how large a copy is, and the tables of a report, are told elsewhere)
sed -i 's/removed [0-9.]* MB/removed N MB/; /^ /d' got
same_text faults.txt got
is 'no fault is a crash' "$(grep -c -e '^-> 12[4-9]' -e '^-> 13' got)" 0
finish
