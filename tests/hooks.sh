#!/bin/sh
# The hook for git: refuses lines of C that clang-format would change, and judges what is staged.
set -u
. tests/tap

have git && have clang-format || skip_all 'no git or no clang-format'
hook=$PWD/share/hooks/pre-commit
repository=$work/repository
git init -q "$repository" && cp .clang-format "$repository" && cd "$repository" || exit 1

staged() { # staged TEXT FILE: FILE is staged as TEXT
	printf "$1" >"$2" && git add "$2"
}
check 'nothing staged passes' sh "$hook"
staged 'int good;\n' a.c
check 'C as clang-format has it passes' sh "$hook"
staged 'int   bad;\n' b.c
check 'other C is refused' not sh "$hook"
sh "$hook" 2>"$work/said"
check 'and named' says 'would change staged lines of: b.c' "$work/said"
printf 'int good;\n' >b.c
check 'what is staged counts, not the file' not sh "$hook"
staged 'int good;\n' b.c
printf 'int   bad;\n' >b.c
check 'nor what is not staged yet' sh "$hook"
git -c user.name=a -c user.email=a@b commit -q --no-verify -m one
staged 'int good;\nint   old;\n' d.c
git -c user.name=a -c user.email=a@b commit -q --no-verify -m two
staged 'int good;\nint   old;\nint more;\n' d.c
check 'lines that were there before are not judged' sh "$hook"
staged 'int good;\nint   old;\nint   more;\n' d.c
check 'new ones are' not sh "$hook"
staged 'int good;\n' d.c
check 'a file that loses lines passes' sh "$hook"
staged 'a   b;\n' notes.txt
check 'other files are nobody'"'"'s business' sh "$hook"

mkdir "$work/bin" && ln -s "$(command -v git)" "$(command -v sh)" "$work/bin" || exit 1
staged 'int   bad;\n' c.c
PATH=$work/bin sh "$hook" 2>"$work/said"
ok 'without clang-format a commit passes' $?
check 'and that is said' says 'the format is not checked' "$work/said"
finish
