#!/bin/sh
# The help of every command: as expected, within a screen, and with an example at its end.
. tests/cli/kit

"$jweave" help >"$dir/help.txt"
commands=$(sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$dir/help.txt")
is 'commands are found' "$(printf '%s\n' $commands | head -1)" weave
for command in '' $commands; do
	name=help${command:+-$command}.txt
	"$jweave" help $command >"$dir/$name"
	same_text "$name" "$dir/$name"
	ok "$name fits 50 lines" "$([ "$(wc -l <"$dir/$name")" -le 50 ]; echo $?)"
	is "$name fits 80 columns" "$(awk 'length > 80' "$dir/$name")" ''
	is "$name ends with an example" "$(tail -n 2 "$dir/$name" | head -n 1)" 'example:'
	[ -n "$command" ] || continue
	run "$command" --help
	is "$command --help is the same text" "$out" "$(cat "$dir/$name")"
	is "$command --help ends with 0" "$status" 0
	run "$command" -h some operands --json
	is "$command -h comes before anything else" "$status${out%% *}" \
		"$(case $command in weave | list | explain | info | prv | report | score) echo 0usage: ;; *) echo 2 ;; esac)"
done
run -h
is '-h alone is the overview' "$out" "$(cat "$dir/help.txt")"
run -V
is '-V is the version' "$out" "$("$jweave" version)"
for file in tests/cli/golden/help-*.txt; do
	name=${file##*/help-}
	like "a command for $name" " $(echo $commands) " "* ${name%.txt} *"
done
finish
