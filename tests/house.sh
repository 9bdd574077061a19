#!/bin/sh
# House rules that a machine can see: sizes, banned calls, and nothing of anybody's workplace.
set -u
. tests/tap

rooms='base cfr rules trace weaver runtime-jni cli'

sources=$(find $rooms tests -name '*.[ch]' | sort)
product=$(find $rooms -name '*.c' | sort)
# every text of the project: what git knows where there is git, else what lies here
files=$(git ls-files --cached --others --exclude-standard 2>/dev/null | grep -v '^tests/corpus/')
[ -n "$files" ] || files=$(find . -path ./build -prune -o -type f -print | sed 's|^\./||' | grep -v '^tests/corpus/')

none 'no source over 700 lines (tables are .def)' \
	"$(for f in $sources; do awk 'END { if (NR > 700) print FILENAME ": " NR " lines" }' "$f"; done)"

if command -v ctags >/dev/null && ctags --version | grep -q Universal; then
	none 'no function over 70 lines' "$(printf '%s\n' $sources |
		ctags -x --c-kinds=f --_xformat='%N %F %n %e' -L - 2>/dev/null |
		awk '$4 - $3 + 1 > 70 { print $2 ": " $1 " has " $4 - $3 + 1 " lines" }')"
else
	skip 'no function over 70 lines' 'no universal-ctags'
fi

none 'every .c ends its includes with banned.h' "$(for f in $(find $rooms tests -name '*.c' | sort); do
	last=$(grep -n '^[[:space:]]*#[[:space:]]*include' "$f" | grep -v '\.def"' | tail -n 1)
	case $last in
	*'"base/banned.h"'*) ;;
	*) echo "$f" ;;
	esac
done)"

# print, exit and abort belong to the command line; the runtime has one line of its own on stderr
none 'no printing, exit or abort below cli/' "$(find base cfr rules trace weaver runtime-jni -name '*.[ch]' -exec \
	grep -HnE '(^|[^a-zA-Z0-9_])(printf|puts|putchar|perror|exit|_exit|_Exit|abort|longjmp) *\(' {} + |
	grep -vE ':[0-9]+:[[:space:]]*(/?\*|//)|format\(printf')"

# base/ stands at the border: what libc hands out (realpath, scandir) goes back to libc
none 'malloc and free only in base/' "$(find ${rooms#base} -name '*.[ch]' -exec \
	grep -HnE '(^|[^a-zA-Z0-9_>.])(malloc|calloc|realloc|free|strdup|strndup|asprintf) *\(' {} + |
	grep -vE ':[0-9]+:[[:space:]]*(/?\*|//)')"

# spelled so that this file does not find itself
words='/wor[k]/|/farm[/]|\.librar[y]|/tmp/b[-]|farm-[bs]|/hom[e]/[a-z]|\.\./share[d]|issu[e] [0-9]'
none 'nothing of a workplace in the project' "$(printf '%s\n' "$files" | grep -vE '\.(jar|class|prv|svg|bin)$' |
	tr '\n' '\0' | xargs -0 grep -HnIsE "$words" | cut -c1-160)"

# what tools leave behind (cores, a fuzzer's finds) lies beside the rooms, and is easily committed
papers='README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md LICENSE docs .editorconfig .clang-format .clang-tidy'
none 'nothing kept at the top but the rooms and the papers' "$(git ls-files 2>/dev/null | cut -d/ -f1 | sort -u | grep -vxE \
	"$(printf %s "$rooms $papers" | sed 's/\./\\./g' | tr ' ' '|')|testdata|tests|share|Makefile|\.ci|\.git(ignore)?")"
none 'every paper is there' "$(for f in $papers; do [ -e "$f" ] || echo "no $f"; done)"

# a campaign may begin with classes of any library; what is kept of it is ours
none 'no class of another project in the fuzzing corpora' "$(grep -rlaE \
	'org/(apache|gradle|eclipse|codehaus|bouncycastle|aspectj|mozilla)|com/(google|sun)|antlr/|sun/misc|kotlin/|scala/' \
	tests/corpus)"

none 'no trailing blanks in sources' "$(grep -HnE '[[:space:]]+$' $sources Makefile | cut -c1-120)"

# the file modes that the tests count on
none 'scripts have their first line' "$(for f in $(find tests share .ci -name '*.sh' -o -path '.ci/run' -o -path 'share/setup' -o -path 'share/hooks/*' | sort); do
	head -n 1 "$f" | grep -q '^#!' || echo "$f"
done)"

none 'the sources are found at all' "$([ "$(printf '%s\n' $product | wc -l)" -gt 10 ] || echo 'fewer than ten')"
finish
