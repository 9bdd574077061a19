#!/bin/sh
# Class files and archives with one thing wrong each (damaged.py): what each command says of them.
. tests/cli/kit
command -v python3 >/dev/null || skip_all 'no python3'
python3 tests/cli/damaged.py "$dir" || exit 1
cd "$dir" || exit 1
SOURCE_DATE_EPOCH=1700000000
export SOURCE_DATE_EPOCH

t() {
	printf '$ jweave' >>got
	for word in "$@"; do printf ' %s' "$word" >>got; done
	echo >>got
	run "$@"
	cat .out .err >>got
	printf -- '-> %s\n\n' "$status" >>got
}
echo '{"jweave":1,"rules":[{"select":{"class":"**","code":{"minBytes":0}}}]}' >r.json
is 'what is not damaged is right' "$("$jweave" verify A.class 2>&1; "$jweave" verify good.jar 2>&1; "$jweave" -q good.jar r.json o.jar && "$jweave" verify -q --against=good.jar o.jar)" 'A.class: ok (1 class)
good.jar: ok (1 class)'
rm -f o.jar
for class in field future ends-after-pool ends-before-count handlers bootstrap locals frames table-after table-short; do
	t verify $class.class
	t ./$class.class r.json o.class
done
t dump huge.class
for jar in directory-size directory-place overlap overlap-signature encrypted method checksum sizes deflate bomb large inner-text future \
	unreadable escape deep module; do
	t verify $jar.jar
	t $jar.jar r.json o-$jar.jar
	t list -q -r r.json $jar.jar
done
# where it is: in an archive, in one inside that, in a folder
mkdir -p folder/lib && cp encrypted.jar good.jar folder/lib/
for in in inside.jar folder; do
	t verify $in
	t $in r.json o-$in
	t list -q -r r.json $in
done
t weave -o o-many -r r.json folder
t verify --against=deep.jar o-deep.jar
t verify --against=deep.jar deeper.jar
# which of the two cannot be read, and what they are, whatever they are called
t verify --against=directory-size.jar good.jar
t verify --against=good.jar directory-size.jar
t verify --against=checksum.jar good.jar
t verify --against=good.jar checksum.jar
t verify --against=A.class good.jar
t verify --against=good.jar A.class
cp A.class class.jar
t verify --against=A.class class.jar
t verify --against=class.jar field.class
XDG_CACHE_HOME=$dir/cache t run -r r.json -- true -cp good.jar:overlap.jar A
t --strict unreadable.jar r.json o-strict.jar
t --no-limits -n bomb.jar r.json
is 'no output of a refused input' "$(for jar in directory-size overlap overlap-signature; do ls o-$jar.jar 2>/dev/null; done; ls o-strict.jar 2>/dev/null; ls -d o-inside.jar o-folder 2>/dev/null)" ''
is 'no control character of a name is shown' "$(LC_ALL=C grep -c "$(printf '[\033\007]')" got)" 0
same_text damage.txt got
finish
