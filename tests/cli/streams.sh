#!/bin/sh
# What the command line does with its streams, terminals and signals.
# Slow: 12 s, large archives go through pipes.
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
# A pipe that nobody reads ends a filter by SIGPIPE, without a word; where that signal is ignored, it is a failure.
unread() { # unread DEFAULT|IGNORE WORDS...: status and message of the command, whose stdout nobody reads
	timeout 20 perl -e '$SIG{PIPE} = shift; pipe R, W; close R; open STDOUT, ">&", W; close W; exec @ARGV' "$@" 2>.err
	echo "$? $(cat .err)"
}
jar=$root/testdata/languages/kotlin.jar
mkdir classes
for i in $(seq 300); do mkdir classes/$i && cp "$root/testdata/classes/17/"*.class classes/$i; done
for command in help version schema 'completion bash' 'check r.json' presets 'init classes' 'list classes' \
	'list --json classes' 'explain -r r.json classes **#*'; do
	is "$command: nobody reads" "$(unread DEFAULT "$jweave" $command)" '141 '
	is "$command: nobody reads, SIGPIPE is ignored" "$(unread IGNORE "$jweave" $command)" \
		'1 jweave: error: cannot write to standard output: Broken pipe'
done
is 'list, of which only the beginning is read' \
	"$({ timeout 20 "$jweave" list --json classes 2>.err; echo $? >.status; } | head -c1; cat .status .err)" '[141'
ls -A >.before
is 'an archive that nobody reads' "$(TMPDIR=$dir unread DEFAULT "$jweave" -q "$jar" r.json -)" '141 '
is 'an archive that nobody reads, SIGPIPE is ignored' "$(TMPDIR=$dir unread IGNORE "$jweave" -q "$jar" r.json -)" \
	'1 jweave: error: -: cannot write: Broken pipe'
mkfifo fifo
head -c1 fifo >/dev/null &
is 'an archive for a fifo that nobody reads to its end: a failure' "$(timeout 20 "$jweave" -q "$jar" r.json fifo 2>&1; echo $?)" \
	"jweave: error: $dir/fifo: cannot write: Broken pipe
1"
wait
rm fifo
is 'no file is left' "$(ls -A)" "$(cat .before)"
is 'a line of success that nobody reads' "$(unread DEFAULT "$jweave" "$jar" r.json o.jar)" '141 '
like 'a line of success that nobody reads: woven' "$("$jweave" verify --against "$jar" o.jar)" 'o.jar: ok *'
mkdir two && cp "$jar" two/b.jar && cp "$jar" two/a.jar
is 'lines of success that nobody reads: all are woven' "$(unread DEFAULT "$jweave" -r r.json -o both two/a.jar two/b.jar | cut -c1-3; ls both/*.jar)" '141
both/a.jar
both/b.jar'
for how in DEFAULT IGNORE; do
	is "run: the program has SIGPIPE as jweave had it: $how" "$(timeout 20 perl -e '$SIG{PIPE} = shift; exec @ARGV' $how \
		"$jweave" run -q -- perl -e 'print $SIG{PIPE} // "DEFAULT"' 2>/dev/null)" $how
done
timeout 20 "$jweave" nonsense 2>&-
is 'a closed stderr changes no status' "$?" 2

# ---- colours ----
esc=$(printf '\033')
run lst
like 'no colour in a file' "$err" 'jweave: error: *'
run --color=always lst
like '--color=always' "$err" "jweave: $esc*error: *"
if command -v script >/dev/null && has_terminal; then
	term() { # term ENV... -- ARGS: stderr of jweave on a terminal
		TERM=xterm timeout 30 script -qec "env $1 '$jweave' $2" /dev/null </dev/null 2>/dev/null
	}
	like 'colour on a terminal' "$(term A=b lst)" "*$esc*error*"
	like 'NO_COLOR' "$(term NO_COLOR=1 lst)" 'jweave: error: *'
	like 'an empty NO_COLOR says nothing' "$(term NO_COLOR= lst)" "*$esc*error*"
	like '--color=never' "$(term A=b '--color=never lst')" 'jweave: error: *'
	like 'a dumb terminal' "$(term TERM=dumb lst)" 'jweave: error: *'
else
	skip 'colour on a terminal' 'no script, python3 or pseudo terminals'
fi

# ---- progress: on a terminal, for work of over a second; with rate and remaining time ----
big=$(ls /usr/share/java/eclipse-jdt-core.jar /usr/share/java/guava.jar 2>/dev/null | head -n 1)
if has_terminal && command -v zip >/dev/null && [ "$big" ]; then
	mkdir many
	for i in 1 2 3 4 5 6 7 8; do cp -L "$big" many/$i.jar; done
	(cd many && zip -q -0 ../many.zip ./*.jar)
	on_terminal() { # on_terminal ARGS: what a terminal shows of a weave until it says how long it will take
		TERM=${TERM_IS:-xterm} python3 "$root/tests/cli/terminal.py" 100 left '' -- "$jweave" -j1 "$@" many.zip r.json many-out.zip |
			tr '\r' '\n'
	}
	is 'progress: how much, how fast, how long' "$(on_terminal | grep -Ec '^weaving +[0-9]+ %, [0-9]+\.[0-9] MB/s, [0-9]+:[0-9][0-9] left')" 1
	rm -f many-out.zip
	like 'progress: none with --no-progress' "$(on_terminal --no-progress)" 'wove *'
	like 'progress: none on a dumb terminal' "$(TERM_IS=dumb on_terminal)" 'wove *'
	rm -rf many many.zip many-out.zip
else
	skip 'progress' 'no python3, pseudo terminals, zip or large jar'
fi

# ---- names from outside ----
run "$(printf 'a\033[2J\nb.jar')" r.json o.jar
is 'a name cannot move the cursor' "$(printf %s "$err" | tr -d '\n' | grep -c "$esc")" 0
like 'it is shown' "$err" '*a\\x1b\[2J\\x0ab.jar*'

# ---- signals: the temporary output goes, and the process dies by the signal; SIGKILL, too ----
# A reader that never ends keeps the weave waiting in the middle of its work.
mkfifo pipe
half_made() { # the output that the process has open: a file without a name, or with one that will go
	ls -l "/proc/$pid/fd" 2>/dev/null | grep -e '/#[0-9]* (deleted)$' -e '/\.out\.txt\.'
}
for pair in INT=2 TERM=15 HUP=1 KILL=9; do
	signal=${pair%=*}
	echo before >out.txt
	(exec sleep 30 >pipe) &
	holder=$!
	env -i perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$jweave" --report=out.txt - r.json out.jar <pipe 2>/dev/null &
	pid=$!
	i=0
	while [ $i -lt 50 ] && [ -z "$(half_made)" ]; do
		sleep 0.1
		i=$((i + 1))
	done
	half=$(half_made)
	ok "$signal: a temporary output is there" "$([ -n "$half" ]; echo $?)"
	kill -$signal $pid
	wait $pid 2>/dev/null
	is "$signal: died by it" "$?" $((128 + ${pair#*=}))
	case $signal$half in
	KILL*.out.txt.*) skip "$signal: the temporary output is gone" 'no files without a name here' ;;
	*) is "$signal: the temporary output is gone" "$(find . -name '.out.txt*')" '' ;;
	esac
	rm -f .out.txt*
	is "$signal: what was there stays" "$(cat out.txt)" before
	kill $holder 2>/dev/null
	wait $holder 2>/dev/null
done
finish
