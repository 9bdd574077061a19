#!/bin/sh
# Slow: 30 s, connections that say nothing are closed after 15 s.
# jweave view --serve: an index is made once, and when what it is of has changed; who is answered what (view_serve.py); a
# page whose deepest zoom is exact (view_serve.mjs).
. tests/cli/kit
. tests/cli/browser
cd "$dir" || exit 1
unset DISPLAY WAYLAND_DISPLAY XDG_RUNTIME_DIR
"$BUILD/tests/cli/x_full_recording" || exit 1

run view --port 80 full.jwr
is '--port alone' "$status$err" "2jweave: error: --port goes with --serve"
run view --serve full.jwr -o -
case $err in
*"this jweave serves no pages: it was built without libmicrohttpd (Debian: libmicrohttpd-dev); without --serve there is a page as a file" | \
	*"to serve a page takes libmicrohttpd (Debian: libmicrohttpd12): "*"; without --serve there is a page as a file")
	is 'without libmicrohttpd: says so' "$status" 1
	skip 'all else' 'no libmicrohttpd'
	finish
	exit
	;;
esac
is 'standard output is no place for an index' "$status$err" "2jweave: error: with --serve, -o is a file: what is asked later"
"$jweave" prv -q full.jwr && cp full.prv before.prv
echo mine >notes.txt
for kept in full.prv notes.txt; do
	run view --serve full.prv -o "$kept"
	is "what is no index stays: $kept" "$status$err" "2jweave: error: '$kept' exists, and was not made by 'jweave view --serve': choose another name"
done
check '... as it was' cmp full.prv before.prv
rm full.prv full.pcf full.row before.prv notes.txt
run view --serve none.jwr
like 'a recording that is not there' "$status$err" '4jweave: error: *none.jwr*No such file or directory*'
is '... and leaves nothing' "$(ls none.view 2>/dev/null)" ''

echo '#Paraver (21/11/2025 at 10:00):9007199254740993_ns:0:1:1(1:0),0
1:0:1:1:1:0:9007199254740993:1' >long.prv
run view --serve long.prv
is 'a run of 104 days and more' "$status$err" "4jweave: error: 'long.prv': a run of more than 104 days cannot be served; without --serve there is a page as a file"

serve() { # serve ARGS...: pid, url
	: >serve.out
	timeout -s KILL 120 "$jweave" view --serve "$@" >serve.out 2>serve.err &
	timed=$!
	i=0
	while [ $((i += 1)) -lt 300 ]; do
		url=$(cat serve.out)
		[ -n "$url" ] && break
		kill -0 $timed 2>/dev/null || break
		sleep 0.2
	done
	pid=$(cat /proc/$timed/task/$timed/children 2>/dev/null)
	pid=${pid% }
}
stop() { # the signal: its exit status
	kill -"${1:-INT}" "$pid"
	wait $timed 2>/dev/null
	stopped=$?
}

mkdir lib && echo none >lib/libmicrohttpd.so.12
out=$(LD_LIBRARY_PATH=$dir/lib "$jweave" view --serve full.jwr 2>&1)
like 'the library is not there' "$?$out" '1*to serve a page takes libmicrohttpd (Debian: libmicrohttpd12): *libmicrohttpd.so.12*; without --serve there is a page as a file'
if ${CC:-cc} -shared -o lib/libmicrohttpd.so.12 -x c /dev/null 2>/dev/null; then
	out=$(LD_LIBRARY_PATH=$dir/lib "$jweave" view --serve full.jwr 2>&1)
	like 'it is too old' "$?$out" '1*libmicrohttpd is too old: it has no MHD_*'
else
	skip 'it is too old' 'no C compiler'
fi
is '... and no index is made' "$(ls full.view 2>/dev/null)" ''

# ---- the index ----
serve full.jwr
like 'one line: the address' "$(wc -l <serve.out)$url" '1http://127.0.0.1:*/????????????????????????????????/'
is 'the index is beside it, and nobody else may read it' "$(ls -l full.view | cut -c1-10)" '-rw-------'
first=$url
stop
is 'ends by the signal' "$stopped" 130
made=$(ls -l --full-time full.view; ls -i full.view)
serve -v full.jwr
is '-v does not say that one is made' "$(grep -c "makes the index 'full.view'" serve.err)" 0
is 'made once' "$(ls -l --full-time full.view; ls -i full.view)" "$made"
ok 'another token each time' "$([ "${url#*//*/}" != "${first#*//*/}" ]; echo $?)"
port=${url#*127.0.0.1:} port=${port%%/*}
run view --serve --port "$port" full.jwr
like 'a port that is taken' "$status$err" "1jweave: error: the page cannot be served at port $port of 127.0.0.1: *"
stop
inode() {
	ls -i full.view | cut -d' ' -f1
}
remade() { # remade NAME ARGS...
	name=$1 before=$(ls -l --full-time full.view; inode)
	shift
	serve "$@"
	ok "made anew: $name" "$([ "$(ls -l --full-time full.view; inode)" != "$before" ]; echo $?)"
	stop
}
remade 'another title' --title 'x' full.jwr
touch full.jwr/meta
remade 'a recording that has changed' --title 'x' full.jwr
printf 'JWVIEW1\n' >full.view
remade 'an index that is cut' -v full.jwr
like '-v says so' "$(cat serve.err)" "*makes the index 'full.view'*"
{ printf 'JWVIEW1\n'; head -c 500 /dev/urandom; } >full.view
remade 'an index that is damaged' full.jwr
head -c 500 /dev/urandom >full.view
run view --serve full.jwr
is 'what is none stays' "$status$err" "2jweave: error: 'full.view' exists, and was not made by 'jweave view --serve': choose another name"
rm full.view && mkdir full.view
run view --serve full.jwr
like 'a folder of its name' "$status$err" '1jweave: error: *full.view*'
rmdir full.view

# ---- who asks ----
"$jweave" view -q full.jwr -o full.html
serve full.jwr
if have python3; then
	is 'friend and foe' "$(timeout 100 python3 "$root/tests/cli/view_serve.py" "$url" "$pid" full.html 2>&1)" 'enough was tried'
else
	skip 'friend and foe' 'no python3'
fi
stop TERM
is 'ends by TERM, too' "$stopped" 143
mkdir runtime bin && chmod 700 runtime
printf '#!/bin/sh\ncp "$1" "%s/opened.html"; echo "$1" >"%s/opened"\n' "$dir" "$dir" >bin/xdg-open && chmod +x bin/xdg-open
PATH=$dir/bin:$PATH
export PATH
XDG_RUNTIME_DIR=$dir/runtime DISPLAY=:9 serve full.jwr
for i in 1 2 3 4 5 6 7 8 9 10; do
	[ -s opened ] && break
	sleep 0.2
done
like 'a desktop gets a file, not the address' "$(cat opened)" "$dir/runtime/jweave-view-*.html"
ok '... which leads there' "$(grep -qF "url=$url\"" opened.html; echo $?)"
is '... and which nobody else may read' "$(ls -l runtime | sed -n 's/^\(-[^ ]*\) .*/\1/p')" '-rw-------'
stop
is '... and which goes with it' "$(ls runtime)" ''

# ---- in a browser ----
if have_browser 'the page in a browser'; then
	"$BUILD/tests/cli/x_many_calls" 2000000 4 || exit 1
	"$jweave" report --json --map many.map many.jwr >report.json
	serve --map many.map many.jwr
	in_browser 'the browser came to its end' 100 view_serve.mjs "$url" report.json
	stop
fi
finish
