#!/bin/sh
# The dump of every class in testdata/classes is the text in testdata/golden.
# JW_GOLDEN=write writes these texts anew; review is the diff.
set -u
dump=$BUILD/tests/cfr/x_dump
. tests/tap

mkdir -p testdata/golden
for class in testdata/classes/*/*.class; do
	name=$(echo "${class#testdata/classes/}" | tr / -)
	want=testdata/golden/${name%.class}.txt
	timeout 10 "$dump" "$class" >"$work/got" 2>&1
	status=$?
	[ "${JW_GOLDEN:-}" = write ] && cp "$work/got" "$want"
	diff -u "$want" "$work/got" >"$work/diff" && [ $status -eq 0 ]
	ok "$class" $? "exit status $status; make golden writes $want anew
$(head -n 30 "$work/diff")"
done

# a class that cannot be opened is an error with a reason
head -c 100 testdata/classes/8/Flow.class >"$work/cut.class"
timeout 10 "$dump" "$work/cut.class" >"$work/got"
is 'a cut class is an error' $? 4
check '... with its reason' grep -q "constant pool: [0-9]* entries do not fit" "$work/got"
finish
