#!/bin/sh
# What make check prints (tests/Progress.pm): how far it is, what failed and why, what was skipped; prove's summary last.
set -u
. tests/tap

tests=$PWD/tests
cd "$work" || exit 1
cat >all.sh <<'END'
echo 'ok 1 - one'
echo '# a word about one'
echo 'ok 2 - two # SKIP no JDK 25'
echo 'ok 3 - three # SKIP no JDK 25'
echo 1..3
END
echo 'echo "1..0 # SKIP no disk"' >none.sh
printf 'for n in $(seq 1234); do echo "ok $n"; done; echo 1..1234\n' >many.sh
cat >wrong.sh <<'END'
echo 'ok 1 - right'
echo '# before wrong'
echo 'not ok 2 - wrong'
echo '# after wrong'
echo 'ok 3 - right again'
echo '# after right'
echo 1..3
END
# run NAME FILE...: what prove says, its status
run() {
	name=$1
	shift
	perl "-I$tests" -S prove --norc -j2 --timer --formatter Progress --exec sh "$@" >"$name" 2>&1
	status=$?
}

run good all.sh none.sh many.sh
is 'all is well' "$status" 0
check 'each file has its number' sh -c 'grep -q "^1 of 3 " good && grep -q "^2 of 3 " good && grep -q "^3 of 3 .*\.sh" good'
check 'what passed, and what did not run' grep -qE '^2 files, 1,235 tests passed in [0-9]+ s; 1 file and 2 tests skipped:$' good
check 'why: some tests of a file' grep -qxF '  all.sh: 2 tests (no JDK 25)' good
check 'why: a whole file' grep -qxF '  none.sh (no disk)' good
check 'nothing is said of tests that passed' lacks 'a word' good
is 'the summary of prove is last' "$(tail -n 3 good | sed 's/,  *[0-9]* wallclock.*//' | tr '\n' '|')" \
	'All tests successful.|Files=3, Tests=1237|Result: PASS|'

run bad wrong.sh many.sh all.sh
is 'a failure is a failure' "$status" 1
is 'what failed is shown with what it said' "$(sed -n '/^# before wrong/,/^#* *after/p' bad)" '# before wrong
not ok 2 - wrong
# after wrong'
check 'and nothing else of the file' lacks 'right' bad
check 'files that failed are counted' grep -qE '^2 files, .* passed, 1 file failed in ' bad
is 'the result is last' "$(tail -n 1 bad)" 'Result: FAIL'
finish
