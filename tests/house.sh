#!/bin/sh
# House rules that a machine can see: sizes, words, banned calls, and nothing of anybody's workplace.
set -u
. tests/tap

rooms='base cfr rules trace weaver runtime-jni cli'

sources=$(find $rooms tests -name '*.[ch]' | sort)
product=$(find $rooms -name '*.c' | sort)
# every text of the project: what git knows where there is git, else what is here
files=$(git ls-files --cached --others --exclude-standard 2>/dev/null | grep -v '^tests/corpus/')
[ -n "$files" ] || files=$(find . -path ./build -prune -o -type f -print | sed 's|^\./||' | grep -v '^tests/corpus/')

# longer LINES FILE...: those that are
longer() {
	most=$1
	shift
	wc -l "$@" | awk -v most="$most" '$2 != "total" && $1 > most { print $2 ": " $1 " lines" }'
}
# long_functions LINES FILE...: in this style { and } of a function are the first on their lines
long_functions() {
	most=$1
	shift
	awk -v most="$most" '
		FNR == 1 { open = 0 }
		/^[a-zA-Z_].*\(/ && !/;[[:space:]]*$/ && !open { name = $0; head = FNR }
		/^\{/ { open = 1 }
		/^\}/ {
			if (open && FNR - head + 1 > most)
				print FILENAME ": " FNR - head + 1 " lines: " name
			open = 0
		}' "$@"
}
# shellcheck disable=SC2086 # lists of files
{
	none 'no source over 600 lines (tables are .def)' "$(longer 600 $sources)"
	none 'no function over 60 lines' "$(long_functions 60 $sources)"
	none 'no header for a whole room: a *_int.h has at most 200 lines' "$(longer 200 $(printf '%s\n' $sources | grep '_int\.h$'))"
}
# long_scripts LINES FILE...: the same of functions and methods of JavaScript, which end where they are indented
long_scripts() {
	most=$1
	shift
	awk -v most="$most" '
		FNR == 1 { open = 0 }
		!open && /^\t?((static|async|get|set) )*[a-zA-Z_$][a-zA-Z0-9_$]*\(.*\) \{$/ || /^\t?(export )?(async )?function[ *]/ {
			head = FNR
			name = $0
			indent = /^\t/
			open = 1
		}
		open && (indent ? /^\t\}/ : /^\}/) {
			if (FNR - head + 1 > most)
				print FILENAME ": " FNR - head + 1 " lines: " name
			open = 0
		}' "$@"
}
scripts=$(printf '%s\n' "$files" | grep -E '\.m?js$')
others=$(printf '%s\n' "$files" | grep -E '^tests/.*\.(sh|t|pl|pm|py|java)$|^tests/[a-z/-]+$')
# shellcheck disable=SC2086 # lists of files
{
	none 'no JavaScript over 600 lines' "$(longer 600 $scripts)"
	none 'no function of it over 60 lines' "$(long_scripts 60 $scripts)"
	# (OddClasses.java is a list of classes, one a case)
	none 'no test over 600 lines' "$(longer 600 $others | grep -v '^tests/weaver/OddClasses\.java:')"
}
# the test of the test
awk 'BEGIN { print "class A {\n\tlong(into) {"; for (i = 0; i < 59; i++) print "\t\tf();"; print "\t}\n\tf() {\n\t}\n}" }' >"$work/long.js"
is 'a method of 61 lines is seen' "$(long_scripts 60 "$work/long.js")$(long_scripts 61 "$work/long.js")" \
	"$work/long.js: 61 lines: 	long(into) {"
awk 'BEGIN { print "static int long_one(void)\n{"; for (i = 0; i < 58; i++) print "\tf();"; print "}" }' >"$work/long.c"
is 'a function of 61 lines is seen, one of 60 is not' "$(long_functions 60 "$work/long.c")$(long_functions 61 "$work/long.c")" \
	"$work/long.c: 61 lines: static int long_one(void)"

# English: the usual word. (To leave nothing behind is English, and so is to stand for something.)
foreign() { # FILE...
	grep -HnwIE '[Ss]tands|[Ll]ies|[Bb]ehind|[Ff]or ever|[Oo]f whom|[Oo]f whose|wherefrom|thereof|dear|dearer|dearest' "$@" /dev/null |
		grep -viE 'stands? (in )?for\b|(leaves?|left|leaving|stays?|stay)\b.*\bbehind|behind closed gates' | cut -c1-160
}
# shellcheck disable=SC2046 # names without blanks
none 'plain English: "is" and "after", not "lies", "stands" and "behind"' "$(foreign $(printf '%s\n' "$files" |
	grep -E '\.(c|h|def|sh|t|pl|pm|py|md|java|[1-9]|json)$|^Makefile$|^tests/[a-z]+$|_kit$|/kit$' | grep -vE '^tests/house\.sh$|^CHANGELOG'))"
printf 'what stands there\nand lies\nbehind it\nstands for it\nleaves nothing behind\n' >"$work/words.md"
is '... three of five lines' "$(foreign "$work/words.md" | wc -l)" 3

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

# base/ is the border: what libc hands out (realpath, scandir) goes back to libc
none 'malloc and free only in base/' "$(find ${rooms#base} -name '*.[ch]' -exec \
	grep -HnE '(^|[^a-zA-Z0-9_>.])(malloc|calloc|realloc|free|strdup|strndup|asprintf) *\(' {} + |
	grep -vE ':[0-9]+:[[:space:]]*(/?\*|//)')"

# spelled so that this file does not find itself
words='/wor[k]/|/farm[/]|\.librar[y]|/tmp/b[-]|farm-[bs]|/hom[e]/[a-z]|\.\./share[d]|issu[e] [0-9]'
none 'nothing of a workplace in the project' "$(printf '%s\n' "$files" | grep -vE '\.(jar|class|prv|svg|bin)$' |
	tr '\n' '\0' | xargs -0 grep -HnIsE "$words" | cut -c1-160)"

# what tools leave behind (cores, a fuzzer's finds) is easily committed
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
