#!/bin/sh
# What is no regular file: nothing is waited for, and nothing but - reads a pipe.
. tests/cli/kit
command -v python3 >/dev/null || skip_all 'no python3'
python3 tests/cli/damaged.py "$dir" || exit 1
cp "$BUILD"/tests/cli/x_recording "$dir" || skip_all 'no x_recording'
cd "$dir" || exit 1
need ./x_recording run.jwr run.map 100
need mkfifo pipe pipe.prv pipe.jar pipe.class
need python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'
echo '{"jweave":1,"rules":[{"match":"**"}]}' >r.json
echo '{"jweave":1,"include":["pipe"]}' >includes.json

refused() { # refused STATUS WORDS ARGS...
	want=$1 why=$2
	shift 2
	run "$@"
	is "$*: status" "$status" "$want"
	[ -z "$why" ] || check "$*: ... says why" says "$why" .err
}
for odd in pipe:'a pipe, not a file' socket:'a socket, not a file' /dev/zero:'a device, not a file'; do
	name=${odd%%:*} words="is ${odd#*:}"
	refused 4 "$name: $words" "$name" r.json o.jar
	refused 4 "$name: $words" weave A.class "$name" o.jar
	refused 4 "$name: $words" list "$name"
	refused 4 "$name: $words" explain -r "$name" A.class A
	refused 4 "$name: $words" check "$name"
	refused 4 "$name: $words" init "$name"
	refused 4 "$name: $words" info "$name"
	refused 4 "$name: $words" dump "$name"
	refused 4 "$name: $words" verify "$name"
	refused 4 "$name: $words" verify --against "$name" A.class
	refused 4 "$name: $words" prv -f -o t run.jwr --map "$name"
	refused 4 "$name: $words" "@$name"
done
refused 3 'pipe: is a pipe' check includes.json
refused 4 'pipe.jar' verify --against A.class pipe.jar
refused 4 'is a pipe' info pipe.prv
refused 4 'is a pipe' report pipe.prv
refused 0 '' list -q -r r.json -cp pipe:pipe.jar A.class

# ---- in the place of a recording's files ----
for file in data data.2 meta windows; do
	rm -rf odd.jwr && cp -r run.jwr odd.jwr && rm -f odd.jwr/$file && mkfifo odd.jwr/$file
	for command in 'prv -f -o t' info report score; do
		# shellcheck disable=SC2086 # words
		refused 4 'is a pipe, not a file' $command odd.jwr
	done
done
rm -rf odd.jwr && cp -r run.jwr odd.jwr
awk -F'\t' -v OFS='\t' -v pipe="$dir/pipe" '$1 == "windows" { $2 = pipe; seen = 1 } { print } END { if (!seen) print "windows", pipe }' run.jwr/meta >odd.jwr/meta
refused 4 "'pipe' is a pipe, not a file" info odd.jwr
mkdir -p folder/META-INF/jweave && mkfifo folder/META-INF/jweave/x.map
refused 0 'no method map in it' prv -f -o t run.jwr --map folder

# ---- what reads pipes ----
is '- does' "$("$jweave" dump - <A.class | head -n 1)" "$("$jweave" dump A.class | head -n 1)"
is '... from a pipe' "$(cat A.class | "$jweave" dump - | head -n 1)" "$("$jweave" dump A.class | head -n 1)"
is '/dev/stdin, too' "$(cat A.class | "$jweave" dump /dev/stdin | head -n 1)" "$("$jweave" dump A.class | head -n 1)"
check 'rules from a pipe' sh -c "cat r.json | '$jweave' -q A.class - o.class && '$jweave' verify -q --against A.class o.class"
finish
