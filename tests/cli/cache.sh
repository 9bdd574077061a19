#!/bin/sh
# The cache of run: folders that are the user's alone, and copies that are what they were.
# Slow: 15 s, the file system is asked again and again.
. tests/cli/kit
command -v python3 >/dev/null || skip_all 'no python3'
python3 tests/cli/damaged.py "$dir" || exit 1
cd "$dir" || exit 1
umask 022
XDG_CACHE_HOME=$dir/cache
export XDG_CACHE_HOME
echo '{"jweave":1,"rules":[{"select":{"class":"**","code":{"minBytes":0}}}]}' >r.json
mkdir classes && cp A.class classes
chmod 775 classes # as a umask of 002 makes them
chmod 664 classes/A.class good.jar

warm() {
	run run -r r.json -- echo -cp good.jar:classes A
	err=$(grep -v 'there is no trace: no method that is woven has run\|woven by an earlier run$' .err)
}
warm
like 'it weaves' "$status $err" '0 *note: wove 2 of 2 methods in 2 classes of 2 jars and folders'
first=$out
case $first in
*'-cp good.jar:'*cache/jweave/run-1/*/classes:classes' A') ok 'and runs from the cache' 0 ;;
*) ok 'and runs from the cache' 1 "$first" ;;
esac
warm
is 'the next run weaves nothing' "$status$err" 0
is '... and runs the same' "$out" "$first"
is 'all of it is the user'"'"'s alone' "$(find cache/jweave -perm /022)" ''
jar=$(find cache -name good.jar)
class=$(find cache -path '*/classes/A.class')
cp "$jar" whole.jar
cp "$class" whole.class

# ---- damage ----
anew() { # anew NAME SHOWN: warm makes SHOWN again, and only that, and says so
	warm
	is "$1: runs" "$status$out" "0$first"
	is "$1: is made anew" "$(echo "$err" | sed -n "s/.*note: the copy of '\(.*\)' in the cache was damaged: it is made again/\1/p")" "$2"
	check "$1: ... as it was" cmp "$jar" whole.jar
	check "$1: ... also the class" cmp "$class" whole.class
	is "$1: nothing is left" "$(find cache -name '*.tmp')" ''
	warm
	is "$1: then it is whole" "$status$err" 0
}
flip() { # flip FILE PLACE
	perl -e 'open my $f, "+<", $ARGV[0] or die; seek $f, $ARGV[1], 0; read $f, my $c, 1; seek $f, $ARGV[1], 0; print $f chr(ord($c) ^ 1)' "$1" "$2"
}
flip "$jar" 100
anew 'a bit of a jar' good.jar
flip "$class" 40
anew 'a bit of a class' classes
: >"$jar"
anew 'an empty jar' good.jar
rm "$jar"
anew 'a jar that is gone' good.jar
rm "$class"
anew 'a class that is gone' classes
cp whole.class "${class%A.class}B.class"
anew 'a class more' classes
rm "$jar" && mkdir "$jar"
anew 'a folder in its place' good.jar
rm -r "$jar" && mkfifo "$jar"
anew 'a pipe in its place' good.jar
rm "$jar" && ln -s "$dir/whole.jar" "$jar"
anew 'a link in its place' good.jar
lock=${jar%good.jar}.lock
: >"$lock"
anew 'a lock without a checksum' good.jar
echo 0123456789abcdef >"$lock"
anew 'another checksum' good.jar
rm "$lock"
anew 'no lock' good.jar

# a run that uses the damaged copy keeps it, and those that find it do not hinder each other: while one takes it away
# others still look at its files, since there are many
"$jweave" run -q -r r.json -- sh -c 'sleep 2' -cp good.jar A >/dev/null 2>&1 &
flip "$jar" 100
(cd "${jar%/*}" && seq 3000 | xargs touch)
for n in 1 2 3 4; do
	(sleep "0.0$((2 * n))" && exec "$jweave" run -q -r r.json -- echo -cp good.jar:classes A) >"out$n" 2>"err$n" &
done
wait
is 'four at once: each runs' "$(cat out1 out2 out3 out4 | sort -u)" "$first"
is 'four at once: none fails' "$(cat err1 err2 err3 err4)" ''
check 'four at once: it is whole' cmp "$jar" whole.jar
is 'four at once: nothing is left' "$(find cache -name '*.tmp')" ''

# ---- odd sizes, names and jars ----
for size in 1GB abc -1; do
	JWEAVE_CACHE_SIZE=$size warm
	is "JWEAVE_CACHE_SIZE=$size" "$status $err" "0 jweave: warning: JWEAVE_CACHE_SIZE: '$size' is no size (bytes, or with K, M, G, T): it is 1G"
done
for size in '' 1G 2000000; do
	JWEAVE_CACHE_SIZE=$size warm
	is "JWEAVE_CACHE_SIZE=$size is one" "$status $err" '0 '
done
long=$(printf '%0255d' 0)
cp -r classes "$long"
run run -r r.json -- echo -cp "$long" A
like 'the longest name that a folder has' "$status $out" "0 -cp $dir/cache/*:$long A"
head -c 30 good.jar >cut.jar
run run -r r.json -- echo -cp cut.jar A
is 'a jar that is none: why, once, and nothing else' "$status $out $(sed 's/: the archive.*; /: .. /' .err)" '0 -cp cut.jar A jweave: note: cut.jar: .. it runs without tracing'

# ---- what is replaced while it is woven ----
cat >swap.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int mkdir(const char *path, mode_t mode) /* a copy begins: SWAP times the original is another one */
{
	int (*real)(const char *, mode_t) = (int (*)(const char *, mode_t))dlsym(RTLD_NEXT, "mkdir");
	char from[4096];
	static int n;

	if (strstr(path, ".tmp") && n < atoi(getenv("SWAP"))) {
		snprintf(from, sizeof(from), "new%d.jar", n++);
		rename(from, "swapped.jar");
	}
	return real(path, mode);
}
C
swap() { # swap TIMES
	python3 - "$dir" "$1" <<'P'
import sys, zipfile
for n, name in enumerate(['swapped', 'new0', 'new1', 'new2']):
    with zipfile.ZipFile(f'{sys.argv[1]}/{name}.jar', 'w') as z:
        z.write(f'{sys.argv[1]}/A.class', 'A.class')
        z.writestr('which', f'{sys.argv[2]}.{n} ')
P
	run=$(SWAP=$1 LD_PRELOAD=$dir/swap.so timeout "$run_seconds" "$jweave" run -r r.json -- echo -cp swapped.jar A 2>.err)
	which=$(find cache -name swapped.jar -exec unzip -p {} which \; | tr ' ' '\n' | sort | tr '\n' ' ')
}
if ${CC:-cc} -shared -fPIC -o swap.so swap.c -ldl 2>/dev/null; then
	swap 1
	is 'a jar that is replaced is woven as it is then, and there is no other copy' "$run $which" '-cp swapped.jar A 1.1 '
	swap 3
	is 'one that never stays has none' "$run $which" '-cp swapped.jar A 1.1 '
	check '... which is said' says "warning: 'swapped.jar' changes again and again; it runs without tracing" .err
else
	skip 'a jar that is replaced' 'no shared library to preload'
fi

# ---- folders of others ----
refused() { # refused NAME WORDS
	warm
	is "$1: status" "$status" 1
	check "$1: says why" says "$2" .err
	is "$1: nothing runs" "$out" ''
}
folder=${jar%/good.jar}
for place in cache/jweave cache/jweave/run-1 cache; do
	chmod g+w $place
	refused "$place writable by the group" "others may write to the cache folder '$dir/$place"\
"', and put any code there: chmod go-w it, or set XDG_CACHE_HOME to a folder of your own"
	chmod 757 $place
	refused "$place writable by all" "others may write to the cache folder '$dir/$place'"
	[ $place = cache ] || run run --clean
	[ $place = cache ] || is "$place: --clean removes nothing there" "$status $(find cache -name good.jar | wc -l)" '1 1'
	chmod 700 $place
done
chmod 1777 cache
warm
is 'around it, a folder like /tmp will do' "$status$err" 0
chmod 700 cache
chmod 770 "$folder"
refused 'the folder of a copy' "others may write to the cache folder '$dir/$folder'"
chmod 700 "$folder"
chmod 666 "$jar"
refused 'a copy' "others may write to '$dir/$jar' of the cache, and put any code there: remove it (jweave run --clean does)"
chmod 644 "$jar"
chmod 777 "${class%/A.class}"
refused 'a folder in a copy' "others may write to '$dir/${class%/A.class}' of the cache"
chmod 755 "${class%/A.class}"
warm
is 'and all is well again' "$status$out$err" "0$first"
if [ "$(id -u)" = 0 ]; then
	for place in cache/jweave cache/jweave/run-1 "$folder"; do
		chown 12345 $place
		refused "$place of another user" "the cache folder '$dir/$place' belongs to user 12345, who could have put any code there: set XDG_CACHE_HOME to a folder of your own"
		chown 0 $place
	done
	chown 12345 "$jar"
	refused 'a copy of another user' "others may write to '$dir/$jar' of the cache"
	chown 0 "$jar"
else
	skip 'folders of another user' 'only root can make some'
fi

# ---- what killed runs have left ----
mkdir left left/jweave-run-aaaaaa left/jweave-run-bbbbbb left/jweave-run-cccccc
touch left/jweave-run-aaaaaa/told left/jweave-run-bbbbbb/told
touch -d '2 minutes ago' left/jweave-run-*
perl -e 'use Fcntl ":flock"; $^F = 9; open my $f, "<", $ARGV[0] or die; flock $f, LOCK_SH or die; exec @ARGV[1 .. $#ARGV]' left/jweave-run-bbbbbb/told \
	env TMPDIR="$dir/left" "$jweave" run -q -r r.json -- echo -cp good.jar:classes A >/dev/null
is 'what a killed run has told goes' "$(ls left | tr '\n' ' ')" 'jweave-run-bbbbbb jweave-run-cccccc '

# ---- users without a home ----
mkdir tmp
homeless() { # homeless HOME ARGUMENTS: of run
	home=$1
	shift
	run=$(XDG_CACHE_HOME='' HOME=$home TMPDIR=$dir/tmp timeout "$run_seconds" "$jweave" run "$@" </dev/null 2>.err) && run="0 $run"
}
own=tmp/jweave-cache-$(id -u)
for home in '' relative /nonexistent/home; do
	homeless "$home" -q -r r.json -- echo -cp good.jar:classes A
	like "no home ('$home'): it runs" "$run$(cat .err)" "0 -cp good.jar:$dir/$own/jweave/run-1/*/classes:classes A"
	is '... from what is the user'"'"'s alone' "$(find tmp -perm /022)" ''
	homeless "$home" --clean
	is '... and removed' "$run $(find tmp -name classes)" '0  '
done
mkdir home
homeless "$dir/home" -q -r r.json -- true -cp good.jar:classes A
is 'a home without a cache has one then' "$(find home -name good.jar | wc -l) $(find tmp -name good.jar | wc -l)" '1 0'
if [ "$(id -u)" = 0 ]; then
	mkdir -p -m 700 "$own" && chown 12345 "$own"
	homeless '' -q -r r.json -- true -cp good.jar:classes A
	is 'no home, and somebody has taken the place' "$run $(sed 's/, who.*//' .err)" " jweave: error: the cache folder '$dir/$own' belongs to user 12345"
fi
run run --clean
is '--clean removes all, and its folders' "$status$(ls -A cache)" 0
# programs that a plugin has unpacked: a copy that runs stays
sum=$(printf '%064d' 0)
running=$(printf '%064d' 1)
(umask 077 && mkdir -p "cache/jweave/program/$sum" "cache/jweave/program/$running" cache/jweave/program/other)
cp "$jweave" "cache/jweave/program/$sum/jweave"
cp "$(command -v sleep)" "cache/jweave/program/$running/jweave"
"cache/jweave/program/$running/jweave" 60 &
sleeps=$!
run run --clean
is '--clean removes programs that do not run' "$status$(ls cache/jweave/program | tr '\n' ' ')$(ls cache/jweave)" "0$running other program"
kill $sleeps
wait $sleeps 2>/dev/null
rmdir cache/jweave/program/other
run run --clean
is 'and those that ran, later' "$status$(ls -A cache)" 0
finish
