#!/bin/sh
# jweave collect: recordings of several hosts in one folder, by an ssh that is a script here.
. tests/cli/kit
command -v tar >/dev/null || skip_all 'no tar'
cp "$BUILD"/tests/cli/x_recording "$dir" || skip_all 'no x_recording'
cd "$dir" || exit 1
need ./x_recording one.jwr one.map 100
mkdir bin
cat >bin/ssh <<'S'
#!/bin/sh
echo "$@" >>"$SSH_LOG"
[ "$1" = -- ] && shift
host=$1
shift
[ "$host" != down ] || exit 255
[ "$host" != cut ] || { sh -c "$*" | head -c 3000; exit 255; }
exec sh -c "$*"
S
printf '#!/bin/sh\nexit 127\n' >bin/rsync # as where there is none
chmod +x bin/ssh bin/rsync
export SSH_LOG="$dir/log" PATH="$dir/bin:$PATH"
recording() { # recording FOLDER NAME HOST PID
	mkdir -p "$1"
	cp -r one.jwr "$1/$2.jwr"
	sed -i "s/^host	.*/host	$3/; s/^pid	.*/pid	$4/" "$1/$2.jwr/meta"
}
recording "a b" p1 h1 1
recording "a b" p2 h1 2
recording two p3 h2 3
sed -i '/^end	/d' two/p3.jwr/meta

run collect "u@h1:$dir/a b" "h2:$dir/two" -o all
is 'two hosts' "$status$out" '03 recordings in all'
like 'what has not ended is told' "$err" '*on h2 has not ended: collect again when it has*'
is 'all of them' "$(ls all | tr '\n' ' ')" 'p1.jwr p2.jwr p3.jwr '
check 'as they were' diff -r "a b/p1.jwr" all/p1.jwr
is 'options end before the host' "$(grep -vc '^-- [uh]' log)" 0
run report all --map one.map
is 'they are a job' "$status" 0
python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "a b/p1.jwr/control" 2>/dev/null
run collect "u@h1:$dir/a b" "a b" -o sockets
is 'what a process that runs is asked by is not copied' "$status$out$err$(find sockets -name control)" '04 recordings in sockets'
rm -f "a b/p1.jwr/control"

# ---- again ----
cp one.jwr/meta two/p3.jwr/meta
sed -i "s/^host	.*/host	h2/; s/^pid	.*/pid	3/" two/p3.jwr/meta
run collect "h2:$dir/two" -o all
is 'again: status' "$status$out$err" '01 recording in all'
check 'again: with its end' grep -q '^end	' all/p3.jwr/meta

# ---- a folder here ----
run collect two -o here
is 'a local folder' "$status$(ls here)" '0p3.jwr'

# ---- where to ----
run collect two -o two/all
is 'a folder in what is collected' "$status$err" "2jweave: error: 'two/all' is in 'two': collect into a folder outside of it"
run collect two -o two
is 'the same folder' "$status$err" "2jweave: error: 'two' is in 'two': collect into a folder outside of it"
is 'it stays as it was' "$(ls -A two)" 'p3.jwr'
deep=$(printf 'a_folder_%s/' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25)
recording "$deep" p7 h7 7
run collect "$deep" "$deep/" -o long
is 'a long path' "$status$out$err" '02 recordings in long'
is 'a long path: folders of their own' "$(ls -Ad long/.from-* | wc -l) $(ls long)" '2 p7.jwr'

# ---- names that collide ----
recording other p1 h9 9
run collect other -o all
like 'another process of that name' "$status$err" "[1-9]*'all/p1.jwr' is of another process and stays: 'all/.from-other/p1.jwr' is not taken*"
like 'another process: not all' "$err" '*error: not all is collected'
check 'it stays' diff -r "a b/p1.jwr" all/p1.jwr

# ---- what fails ----
run collect "down:$dir/two" "u@h1:$dir/a b" -o some
like 'a host that is down' "$status$err" "[1-9]*'down:$dir/two' could not be copied (status ?), nothing of it came: is there such a folder, and does the host let you in?*"
is 'a host that is down: the others' "$(ls some | tr '\n' ' ')" 'p1.jwr p2.jwr '
run collect "cut:$dir/a b" -o part
like 'a connection that breaks' "$status" '[1-9]*'
like '... whole' "$err" "*'cut:$dir/a b' could not be copied whole (status ?): what came is kept; the same command goes on*"
like '... and where it is' "$err" "*'part/.from-"*"/p?.jwr' is not taken: its data are not whole: collect again, or report it as it is there*"
run collect "u@h1:$dir/nope" -o nothing
like 'a folder that is not there' "$status$err" "[1-9]*'u@h1:$dir/nope' could not be copied (status ?), nothing of it came*"
run collect nope two -o nowhere
is 'none here' "$status$err$(ls -d nowhere 2>&1 | grep -c cannot)" "4jweave: error: 'nope' is not a folder, or is not there1"
is 'nothing that is not whole' "$(for r in part/*.jwr; do [ ! -e "$r" ] || diff -r "$r" "a b/${r##*/}"; done)" ''
printf 'data\t9999999\n' >>two/p3.jwr/meta
run collect two -o lost
like 'data that are missing where it comes from' "$status$out$err" "01 recording in lost*'lost/.from-two/p3.jwr' is taken without [0-9]* bytes of its data: they are not where it comes from"
is '... it is taken' "$(ls lost)" p3.jwr
sed -i '/^data	9999999/d' two/p3.jwr/meta
cat >bin/rsync <<'S'
#!/bin/sh
# (the process ends while it is copied)
for into; do :; done
from=$(eval "echo \${$(($# - 1))}")
cp -r "$from". "$into"
[ -e once ] || truncate -s 100 "$into"/*.jwr/data
: >once
S
run collect two -o ended
is 'a process that ends while it is copied' "$status$out$err" '01 recording in ended'
check '... is copied again' diff -r two/p3.jwr ended/p3.jwr
printf '#!/bin/sh\nexit 127\n' >bin/rsync
mkdir empty
run collect empty -o none
like 'no recordings' "$status$err" "0*there are no recordings in 'empty'*"
: >file
run collect two -o file/x
like 'no folder can be made' "$status$err" "[1-9]*cannot create 'file/x': Not a directory"
for bad in '-oProxyCommand=x:/f' 'a b:/f' 'host:f' ':/f' '$(x):/f' 'host;x:/f'; do
	run collect -o all -- "$bad"
	is "no host: $bad" "$status$err" "2jweave: error: '$bad' is not [USER@]HOST:/FOLDER"
done
run collect two
like 'no folder to collect into' "$status$err" '2*collect needs -o DIR, the folder to collect into*'
is 'nothing else was asked of ssh' "$(grep -c ProxyCommand log)" 0
finish
