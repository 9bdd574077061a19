#!/bin/sh
# What a process of a job costs in memory, in `jweave report`, `prv` and others, by two jobs of different size; the calls of a
# large one are all there.
. tests/cli/kit
x=$BUILD/tests/cli/x_job
[ -x "$x" ] || skip_all 'no x_job'
have python3 || skip_all 'no python3'
case ${SAN:-} in ?*) skip_all 'sanitizers have memory of their own' ;; esac
cd "$dir" || exit 1
for n in 300 900; do
	mkdir "$n"
	need "$x" "$n" job.map "$n" 2 200
done
peak() { # peak COMMAND..: KB
	python3 -c 'import resource, subprocess, sys
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss if status == 0 else f"status {status}")' "$@"
}
costs() { # costs NAME KB COMMAND..: no more than so much a process; @ is the folder
	name=$1 most=$2
	shift 2
	few=$(peak "$jweave" $(echo "$*" | sed 's/@/300/g')) many=$(peak "$jweave" $(echo "$*" | sed 's/@/900/g'))
	each=$(((many - few) / 600))
	ok "$name: at most $most KB a process" "$([ "$each" -le "$most" ]; echo $?)" "$few KB of 300, $many KB of 900: $each KB each"
}
costs report 32 report -q --map job.map @
costs 'report --by-task' 40 report -q --by-task --map job.map @
costs 'report --json' 56 report -q --json --map job.map @
costs prv 40 prv -q --map job.map -o @.trace @
costs 'export tsv' 40 export -q tsv --map job.map -o @.tsv @
costs info 24 info @
calls() { # calls FOLDER: that all processes made
	"$jweave" report -q --json --map job.map "$1" | sed -n 's/.*"calls":\([0-9]*\),"methodCount.*/\1/p'
}
is 'all calls of all processes' "$(calls 900)" $((3 * $(calls 300)))
finish
