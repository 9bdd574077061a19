#!/bin/sh
# What the command line does with its streams, terminals and signals.
. tests/cli/kit
cd "$dir" || exit 1
echo '{"jweave":1,"rules":[{"match":"**"}]}' >r.json

# ---- stdout that takes nothing ----
if [ -w /dev/full ]; then
	for command in help version schema 'completion bash' 'check r.json' presets; do
		timeout 20 "$jweave" $command >/dev/full 2>.err
		is "$command: a full disk is a failure" "$?" 1
		is "$command: and is told" "$(cat .err)" \
			'jweave: error: cannot write to standard output: No space left on device'
	done
else
	skip 'a full disk is a failure' 'no /dev/full'
fi
timeout 20 "$jweave" help >&- 2>.err
is 'a closed stdout is a failure' "$?" 1
like 'a closed stdout: message' "$(cat .err)" 'jweave: error: cannot write to standard output: *'
{ timeout 20 "$jweave" schema 2>.err; echo $? >.status; } | true
for i in 1 2 3 4 5; do # the pipe may close after the text is in it
	[ "$(cat .status)" = 1 ] && break
	{ sleep 0.2; timeout 20 "$jweave" schema 2>.err; echo $? >.status; } | true
done
is 'a closed pipe is a failure' "$(cat .status)" 1
is 'a closed pipe: message' "$(cat .err)" \
	'jweave: error: cannot write to standard output: Broken pipe'
timeout 20 "$jweave" nonsense 2>&-
is 'a closed stderr changes no status' "$?" 2

# ---- colours ----
esc=$(printf '\033')
run lst
like 'no colour in a file' "$err" 'jweave: error: *'
run --color=always lst
like '--color=always' "$err" "jweave: $esc*error: *"
if command -v script >/dev/null; then
	term() { # term ENV... -- ARGS: stderr of jweave on a terminal
		TERM=xterm timeout 30 script -qec "env $1 '$jweave' $2" /dev/null </dev/null 2>/dev/null
	}
	like 'colour on a terminal' "$(term A=b lst)" "*$esc*error*"
	like 'NO_COLOR' "$(term NO_COLOR=1 lst)" 'jweave: error: *'
	like 'an empty NO_COLOR says nothing' "$(term NO_COLOR= lst)" "*$esc*error*"
	like '--color=never' "$(term A=b '--color=never lst')" 'jweave: error: *'
	like 'a dumb terminal' "$(term TERM=dumb lst)" 'jweave: error: *'
else
	skip 'colour on a terminal' 'no script'
fi

# ---- names from outside ----
run "$(printf 'a\033[2J\nb.jar')" r.json o.jar
is 'a name cannot move the cursor' "$(printf %s "$err" | tr -d '\n' | grep -c "$esc")" 0
like 'it is shown' "$err" '*a\\x1b\[2J\\x0ab.jar*'

# ---- signals: the temporary output goes, and the process dies by the signal ----
# A reader that never ends keeps the weave waiting in the middle of its work.
mkfifo pipe
for pair in INT=2 TERM=15 HUP=1; do
	signal=${pair%=*}
	echo before >out.txt
	(exec sleep 30 >pipe) &
	holder=$!
	env -i perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$jweave" --report=out.txt ./pipe r.json out.jar 2>/dev/null &
	pid=$!
	i=0
	while [ $i -lt 50 ] && [ -z "$(find . -name '.out.txt*')" ]; do
		sleep 0.1
		i=$((i + 1))
	done
	ok "$signal: a temporary output is there" "$([ -n "$(find . -name '.out.txt*')" ]; echo $?)"
	kill -$signal $pid
	wait $pid 2>/dev/null
	is "$signal: died by it" "$?" $((128 + ${pair#*=}))
	is "$signal: the temporary output is gone" "$(find . -name '.out.txt*')" ''
	is "$signal: what was there stays" "$(cat out.txt)" before
	kill $holder 2>/dev/null
	wait $holder 2>/dev/null
done
finish
