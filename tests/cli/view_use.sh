#!/bin/sh
# The page of jweave view when one uses it, and of recordings that are not as usual (x_view_use.c): what view_use.mjs does with it.
# Slow: 40 s, a browser shows some pages.
. tests/cli/kit
. tests/cli/browser
cd "$dir" || exit 1
unset DISPLAY WAYLAND_DISPLAY XDG_RUNTIME_DIR
"$BUILD/tests/cli/x_view_use" use && "$BUILD/tests/cli/x_view_use" killed killed || exit 1

page() { # page NAME ARGS...: NAME.html
	name=$1
	shift
	run view -q --map use.map "$@" -o "$name.html"
	is "a page: $name" "$status$err" 0
}
page use use.jwr
page part use.jwr --thread='pool-*' --min-duration=1us --max-depth=5
page killed killed.jwr
page both use.jwr killed.jwr
page second --process=2 use.jwr killed.jwr
page moment use.jwr --from=0 --to=1ns
mkdir before && cp -r use.jwr before/1.jwr
page numbered before/1.jwr
"$jweave" prv -q --map use.map use.jwr -o use >/dev/null 2>&1
page prv use.prv

if have_browser 'the page in a browser'; then
	"$jweave" report --json --map use.map use.jwr >report.json
	in_browser 'the browser came to its end' 240 view_use.mjs "$dir" report.json
fi
finish
