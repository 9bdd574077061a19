#!/bin/sh
# The dump of every class in testdata/classes is the text in testdata/golden.
# JW_GOLDEN=write writes these texts anew; review is the diff.
set -u
dump=$BUILD/tests/cfr/x_dump
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0

mkdir -p testdata/golden
for class in testdata/classes/*/*.class; do
	number=$((number + 1))
	name=$(echo "${class#testdata/classes/}" | tr / -)
	want=testdata/golden/${name%.class}.txt
	timeout 10 "$dump" "$class" >"$work/got" 2>&1
	status=$?
	[ "${JW_GOLDEN:-}" = write ] && cp "$work/got" "$want"
	if [ $status -eq 0 ] && diff -u "$want" "$work/got" >"$work/diff"; then
		echo "ok $number - $class"
	else
		echo "not ok $number - $class"
		echo "# exit status $status; make golden writes $want anew"
		head -30 "$work/diff" | sed 's/^/# /'
	fi
done

# a class that cannot be opened is an error with a reason
number=$((number + 1))
head -c 100 testdata/classes/8/Flow.class >"$work/cut.class"
if timeout 10 "$dump" "$work/cut.class" >"$work/got"; then
	echo "not ok $number - a cut class is an error"
elif grep -q "constant pool: [0-9]* entries do not fit" "$work/got"; then
	echo "ok $number - a cut class is an error"
else
	echo "not ok $number - a cut class is an error"
	sed 's/^/# /' "$work/got"
fi
echo "1..$number"
