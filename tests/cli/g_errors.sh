#!/bin/sh
# The messages of the command line, and the exit status of each.
. tests/cli/kit
cd "$dir" || exit 1

echo '{"jweave":1,"rules":[{"match":"**"}]}' >r.json
echo '{"jweave":1,"rules":[{"mach":"**"}]}' >bad.json
echo 'list "a' >open-quote
printf 'a\0b' >zero
printf 'list\n' >listing
: >list
mkdir folder
mkdir x.jwr
: >done.pcf

t() {
	printf '$ jweave' >>got
	for word in "$@"; do printf ' %s' "$(printf %s "$word" | tr '\n\033' '??')" >>got; done
	echo >>got
	run "$@"
	cat .out .err >>got
	printf -- '-> %s\n\n' "$status" >>got
}
{
	# commands
	t
	t lst x.jar
	t frob
	t ''
	t '' r.json o.jar
	t version extra
	t list --xyzzyxyzzy a.jar
	t listing
	t listing -r r.json
	t nothing r.json o.jar
	t -r r.json -o out nothing
	t run
	t score x
	t help foo
	t help lisst
	t presets trivail
	t presets xyzzyxyzzy
	t completion tcsh
	# options
	t -x
	t --jsn list a.jar
	t -json list a.jar
	t --xyzzyxyzzy
	t -cp lib a.jar r.json o.jar
	t --suggest=x a.jar
	t list a.jar -r
	t list --rules= a.jar
	t list -r r.json -r bad.json a.jar
	t list --jobs 2 a.jar
	t list --json=yes a.jar
	t -j 0 a.jar r.json o.jar
	t -j1025 a.jar r.json o.jar
	t --jobs=two a.jar r.json o.jar
	t --compress=13 a.jar r.json o.jar
	t --runtime=emb a.jar r.json o.jar
	t --signed fai a.jar r.json o.jar
	t --color=sometimes version
	# argument files
	t @nowhere
	t @open-quote
	t @zero
	# operands
	t --json
	t -n
	t list
	t list ''
	t list a.jar b.jar
	t -- list
	t list a.jar r.json
	t explain a.jar r.json Foo
	t list -r preset:io a.jar
	t list -r jdk-threads a.jar
	t a.jar jdcb out.jar
	t list -r ./jdbc a.jar
	t list -r preset:jdbcc a.jar
	t list -r match:com..acme a.jar
	t list -r match: a.jar
	t list -r 'com.acme.**' a.jar
	t a.jar
	t a.jar r.json
	t a.jar r.json o.jar p.jar
	t r.json a.jar o.jar
	t a.jar o.jar r.json
	t a.jar r.json folder
	t a.jar r.json r.json
	t - - o.jar
	t -o out a.jar
	t -r r.json a.jar
	t -r r.json -o out
	t -r r.json -o - a.jar
	t -r r.json -o listing a.jar
	t -r r.json -o o.jar a.jar
	t -r r.json -o out -
	t -r r.json -o out p/a.jar q/a.jar
	t --report=r.json a.jar r.json o.jar
	t -r r.json --depfile=./r.json -o out a.jar
	t --report=nowhere/report a.jar r.json o.jar
	t explain a.jar com.acme.Foo
	t explain -r r.json a.jar '#'
	t dump folder
	t dump a.jar
	t verify --against=folder folder
	t init -o r.json folder
	# files
	t a.jar nowhere.json o.jar
	t a.jar bad.json o.jar
	t a.jar folder o.jar
	t nowhere.jar r.json o.jar
	t list nowhere.jar
	t info nowhere.jar
	t dump nowhere.class
	t verify nowhere.jar
	t check r.json bad.json nowhere.json
	# a command to run
	t run a.jar
	t run -- ./nowhere -version
	t run -r bad.json -- java Main
	t run -- java @nowhere Main
	# recordings
	t prv
	t prv -o - x.jwr
	t prv done.jwr
	t prv nowhere.jwr
	t prv "$(printf 'a\nb\033[31m.jwr')"
	t --color=always lst
}
same_text errors.txt got
# (check names each of the two files that are wrong)
is 'one line each' "$(grep -c '^jweave: .*error: ' got)" "$(($(grep -c '^-> [1-9]' got) + 1))"
is 'nothing was written' "$(echo *)" 'bad.json done.pcf folder got list listing open-quote r.json x.jwr zero'
finish
