#!/bin/sh
# The help of every command: as expected, and with an example at its end. --help fits a screen of 24
# by 80: the same text where that fits, else a shorter one, which names every option all the same.
. tests/cli/kit

"$jweave" help >"$dir/help.txt"
commands=$(sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$dir/help.txt")
is 'commands are found' "$(printf '%s\n' $commands | head -1)" weave
for command in '' $commands; do
	name=help${command:+-$command}.txt
	"$jweave" help $command >"$dir/$name"
	same_text "$name" "$dir/$name"
	is "$name fits 80 columns" "$(awk 'length > 80' "$dir/$name")" ''
	is "$name ends with an example" "$(tail -n 2 "$dir/$name" | head -n 1)" 'example:'
	run $command --help
	is "${command:-jweave} --help ends with 0" "$status" 0
	printf '%s\n' "$out" >"$dir/screen-$name"
	ok "${command:-jweave} --help fits 24 lines" "$([ "$(wc -l <"$dir/screen-$name")" -le 24 ]; echo $?)"
	is "${command:-jweave} --help fits 80 columns" "$(awk 'length > 80' "$dir/screen-$name")" ''
	like "${command:-jweave} --help has an example" "$out" '*[Ee]xample:
  *jweave *'
	if [ "$(wc -l <"$dir/$name")" -le 23 ]; then
		is "${command:-jweave} --help is the whole text" "$out" "$(cat "$dir/$name")"
	else
		same_text "screen-$name" "$dir/screen-$name"
		[ -z "$command" ] || is "$command --help names every option" \
			"$(grep -o -- '--[a-z][a-z-]*' "$dir/$name" | sort -u)" "$(grep -o -- '--[a-z][a-z-]*' "$dir/screen-$name" | sort -u)"
	fi
	[ -n "$command" ] || continue
	run "$command" -h some operands --json
	is "$command -h comes before anything else" "$status${out%% *}" \
		"$(case $command in weave | list | explain | info | prv | report | diff | score | run | submit) echo 0usage: ;; *) echo 2 ;; esac)"
done
"$jweave" help runtime >"$dir/help-runtime.txt"
same_text help-runtime.txt "$dir/help-runtime.txt"
is 'help runtime fits a screen' "$(awk 'length > 80' "$dir/help-runtime.txt")$([ "$(wc -l <"$dir/help-runtime.txt")" -le 34 ] || echo long)" ''
run help runtim
like 'help runtime, misspelt' "$status$err" "2*did you mean 'runtime'?"
run -h
is '-h alone is the overview' "$out" "$(cat "$dir/screen-help.txt")"
run -V
is '-V is the version' "$out" "$("$jweave" version)"
for file in tests/cli/golden/help-*.txt; do
	name=${file##*/help-}
	like "a command for $name" " $(echo $commands) runtime " "* ${name%.txt} *"
done
finish
