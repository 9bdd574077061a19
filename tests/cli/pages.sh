#!/bin/sh
# Manual pages and completions: well formed, complete, and in step with the program.
. tests/cli/kit
commands=$("$jweave" help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')

if command -v man >/dev/null && [ -x "$(command -v groff)" ]; then
	for page in share/man/*.[135]; do
		is "man takes $page" "$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)" ''
	done
else
	skip 'man takes the pages' 'no man-db or groff'
fi
for command in $commands; do
	page=share/man/jweave-$command.1
	ok "a page for $command" "$([ -f "$page" ]; echo $?)"
	missing=
	for option in $("$jweave" help "$command" | sed -n '/^options:/,/^$/s/^ .*--\([a-z-]*\).*/\1/p'); do
		tr -d '\\' <"$page" | grep -q -- "fB--${option}fR" || missing="$missing --$option"
	done
	is "$page has every option" "$missing" ''
	grep -q "jweave-$command " share/man/jweave.1 2>/dev/null ||
		tr -d '\\' <share/man/jweave.1 | grep -q "jweave-$command (1)"
	ok "jweave.1 names $command" $?
done
for page in share/man/jweave-*.1; do
	name=${page##*/jweave-}
	like "a command for $page" " $(echo $commands) " "* ${name%.1} *"
done

# what the recorder is told at run time: its table, the class that loads it, and the page
variables() { # NAME DEFAULT, a line each, of the table of settings
	perl -0ne 'while (/^JW_SETTING(_OF_RUN)?\((.*?)\)$/msg) {
		my ($default, $name, @rest) = ($1 ? 1 : 2, $2 =~ /"([^"]*)"/g);
		print "$name $rest[$default]\n" }' base/settings.def
}
said() { # said VARIABLE: its paragraph
	perl -ne 's/\\([-e])/$1/g; if (/^\.(?:TP|PP|SH)/) { print $p if $p =~ /^\.B[IR] '"$1"' ?=/; $p = "" } else { $p .= $_ }' share/man/jweave.1
}
ok 'the table of variables is found' "$([ "$(variables | wc -l)" -ge 7 ]; echo $?)"
variables >"$dir/variables"
while read -r name default; do
	case $name in
	JWEAVE_TMP) like "jweave.1 has $name" "$(said "$name")" '*Default: the folder of the recording*' ;;
	JWEAVE_ENABLE | JWEAVE_DISABLE | JWEAVE_JOB | JWEAVE_ROLE | JWEAVE_LEFT_OUT) like "jweave.1 has $name" "$(said "$name")" '*Default: none.' ;;
	*) like "jweave.1 has $name and its default" "$(said "$name")" "*Default: $default." ;;
	esac
done <"$dir/variables"
is 'jweave.1 has the variables of Probe.java' "$(sed -n 's/.*option("\(\w*\)".*/\1/p' runtime-jni/java/jweave/rt/Probe.java |
	sort -u | while read -r name; do [ -n "$(said "$name")" ] || echo "$name"; done)" ''
is 'jweave.1 has no variable that nothing reads' "$(sed -n 's/^\.B[IR] \(JWEAVE\w*\) *=.*/\1/p' share/man/jweave.1 |
	while read -r name; do grep -rqF "\"$name\"" base runtime-jni cli || echo "$name"; done)" ''
is 'every property is the variable in small letters' "$(perl -0ne '
	while (/"(JWEAVE_\w+)",\s*"(jweave\.\w+)"/g) { print "$2\n" if lc($1) =~ s/_/./r ne $2 }' base/settings.def)" ''

# the README's first command brings what a build needs
is 'the README names the packages of a build' "$(sed -n 's/^ *apt-get update && apt-get install -y //p' README.md | tr ' ' '\n' | sort | tr '\n' ' ')" \
	"$(sed -n "/^needs_build=/,/'$/p" share/setup | sed -n 's/^[a-z]* [^ ]* \([^'"'"']*\).*/\1/p' | tr ',' '\n' | sort | tr '\n' ' ')"

# the examples of jweave-rules(5) are rules files
perl -ne 'if (/^\.nf/) { $t = ""; $in = 1; next }
	if (/^\.fi/) { if ($t =~ /^\{/) { open my $f, ">", "'"$dir"'/" . ++$n . ".json"; print $f $t } $in = 0 }
	s/\\-/-/g, $t .= $_ if $in' share/man/jweave-rules.5
ok 'jweave-rules.5 has examples' "$([ -f "$dir/3.json" ]; echo $?)"
for file in "$dir"/?.json; do
	run check "$file"
	is "example ${file##*/} is right" "$status$err" 0
done

# keys that the schema knows are in the page
perl -MJSON::PP -e 'local $/; open my $f, "<", "share/jweave-rules-1.schema.json"; my $s = decode_json(<$f>);
	open $f, "<", "share/man/jweave-rules.5"; my $page = <$f>; $page =~ s/\\//g;
	my %keys = map { %$_ } $s->{properties}, map { $s->{definitions}{$_}{properties} } qw(select rule);
	print join " ", grep { $page !~ /$_\b/ } sort grep { $_ ne "enabled" } keys %keys' >"$dir/missing"
is 'jweave-rules.5 names every key of the schema' "$(cat "$dir/missing")" ''
run schema
is 'schema is the installed file' "$out" "$(cat share/jweave-rules-1.schema.json)"

for shell in bash zsh fish; do
	run completion $shell
	is "completion for $shell" "$status$err" 0
	cp "$dir/.out" "$dir/completion.$shell"
done
COMPLETION=$dir/completion.bash
export COMPLETION
if command -v bash >/dev/null; then
	complete() { # complete WORDS...: what bash offers for the last one
		PATH="$BUILD:$PATH" bash -c '. "$COMPLETION"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _jweave
			printf "%s\n" "${COMPREPLY[@]}" | sort | tr "\n" " "' bash "$@" 2>&1
	}
	is 'commands' "$(complete jweave pre)" 'presets '
	like 'files, too' "$(complete jweave Make)" '*Makefile*'
	is 'options of a command' "$(complete jweave prv --f)" '--force '
	is 'options without a command are those of weave' "$(complete jweave --dr)" '--dry-run '
	is 'not those of another command' "$(complete jweave list --dr)" ' '
	is 'words of a choice' "$(complete jweave --runtime = c)" 'classpath '
	is 'words of a choice of this command' "$(complete jweave diff --by = c)$(complete jweave report --by c)" 'calls cpu calls '
	is 'words of a choice, as next word' "$(complete jweave --signed '')" 'fail strip '
	is 'presets' "$(complete jweave presets triv)" 'trivial '
	is 'shells' "$(complete jweave completion b)" 'bash '
	is 'a file decides for weave' "$(complete jweave ./list --hu)" '--huge '
else
	skip 'bash completes' 'no bash'
fi
if command -v zsh >/dev/null; then
	ok 'zsh can read its completion' "$(zsh -n "$dir/completion.zsh"; echo $?)"
else
	skip 'zsh can read its completion' 'no zsh'
fi
if command -v fish >/dev/null; then
	ok 'fish can read its completion' "$(fish -n "$dir/completion.fish"; echo $?)"
	offers() { # offers LINE: what fish offers for its last word
		HOME=$dir PATH="$BUILD:$PATH" COMPLETION=$dir/completion.fish fish --no-config -c 'source $COMPLETION
			complete -C $argv[1] | string replace -r "\t.*" "" | sort | string join " "' "$1" 2>&1
	}
	is 'fish: commands' "$(offers 'jweave pre')" presets
	is 'fish: commands after options' "$(offers 'jweave -v pre')" presets
	is 'fish: no command after a file' "$(offers 'jweave ./a.jar pre')" ''
	like 'fish: files, too' "$(offers 'jweave Make')" 'Makefile'
	is 'fish: options of a command' "$(offers 'jweave prv --f')" --force
	is 'fish: options without a command are those of weave' "$(offers 'jweave --dr')" --dry-run
	is 'fish: not those of another command' "$(offers 'jweave list --dr')" ''
	is 'fish: words of a choice' "$(offers 'jweave --runtime=c')" --runtime=classpath
	is 'fish: words of a choice of this command' "$(offers 'jweave report --by=c')" --by=calls
	is 'fish: words of a choice, as next word' "$(offers 'jweave --signed ')" 'fail strip'
	is 'fish: files of an option' "$(offers 'jweave list -r Make')" Makefile
	is 'fish: presets' "$(offers 'jweave presets triv')" trivial
	is 'fish: shells' "$(offers 'jweave completion ')" 'bash fish zsh'
	is 'fish: commands to be helped with' "$(offers 'jweave help sco')" score
	is 'fish: a file decides for weave' "$(offers 'jweave ./list --hu')" --huge
	like 'fish: what an option does' "$(HOME=$dir fish --no-config -c "source $dir/completion.fish; complete -C 'jweave run --cl'")" \
		'--clean*remove what earlier runs have woven'
else
	skip 'fish completes' 'no fish'
fi
finish
