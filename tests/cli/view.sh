#!/bin/sh
# jweave view: the page of a run, from a recording and from its trace: what is in it, as view.py unpacks it, equals what
# jweave report says; where it goes; that it is opened where there is a desktop, and nowhere else.
# Slow: 60 s, a browser shows five pages.
. tests/cli/kit
. tests/cli/browser
command -v javac >/dev/null || skip_all 'no JDK'
cd "$dir" || exit 1
unset CLASSPATH JDK_JAVA_OPTIONS JAVA_TOOL_OPTIONS JWEAVE JWEAVE_CONVERT JWEAVE_SUMMARY DISPLAY WAYLAND_DISPLAY
mkdir src classes
cp "$root/tests/cli/view/Shop.java" src/
javac -encoding UTF-8 -d classes src/Shop.java || exit 1
cat >rules.json <<'R'
{ "jweave": 1, "include": [ "preset:jdk-threads", "preset:monitors", "preset:exceptions" ], "rules": [
  { "match": "shop.**" },
  { "match": "shop.Shop#price(..)", "capture": [ { "what": "arg0", "as": "string", "label": "item" }, { "what": "return", "label": "letters" } ] } ] }
R
need "$jweave" -q --no-guard classes rules.json woven
JWEAVE_OUTPUT=shop JWEAVE_KEEP=1 timeout 60 java -cp woven shop.Shop >run.out 2>&1
ok 'the program ran' $? "$(cat run.out)"
JWEAVE_OUTPUT=later JWEAVE_KEEP=1 timeout 60 java -cp woven shop.Shop >run.out 2>&1
ok 'the program ran again' $? "$(cat run.out)"
JWEAVE_MODE=summary JWEAVE_OUTPUT=sums JWEAVE_KEEP=1 timeout 60 java -cp woven shop.Shop >run.out 2>&1
ok 'the program ran, summed up' $? "$(cat run.out)"

# ---- what is said, and where the page goes ----
run view
is 'nothing to do' "$status$err" "2jweave: error: too few operands: jweave view RECORDING... | TRACE [-o NAME.html] (see 'jweave help view')"
run view nothing.jwr
like 'a recording that is not there' "$status$err" '4jweave: error: *nothing.jwr*No such file or directory*'
is 'no page of it' "$(ls nothing* 2>/dev/null)" ''
run view shop.jwr
is 'a recording' "$status$out$err" 0shop.html
run view shop.jwr
is 'a page may be made again' "$status$out$err" 0shop.html
for n in 7 70 3000; do
	head -c $n /dev/zero | tr '\0' x >mine.html
	run view shop.jwr -o mine.html
	is "what view has not made stays: $n bytes" "$status$err$(tr -d x <mine.html | wc -c) $(wc -c <mine.html)" \
		"2jweave: error: 'mine.html' exists, and was not made by 'jweave view': choose another name0 $n"
done
run view -q shop.prv -o trace.html --title 'a <b> & "c"'
is 'a trace, -q' "$status$out$err" 0
run prv -q -z shop.jwr -o packed
run view packed.prv.gz
is 'a trace that is packed' "$status$out$err" 0packed.html
"$jweave" view shop.jwr -o - >piped.html
is 'standard output: as large' "$(wc -c <piped.html)" "$(wc -c <shop.html)"
run view sums.jwr
is 'a summary' "$status$out$err" 0sums.html
run view later.jwr --against shop.jwr
is 'with an earlier run' "$status$out$err" 0later.html
cp -R later.jwr latest.jwr
run view -q shop.jwr later.jwr -o two.html
is 'two recordings' "$status$err" 0
run view -q shop.jwr later.jwr latest.jwr -o three.html
is 'three recordings' "$status$err" 0
mkdir both && cp -R shop.jwr later.jwr both
run view both --against shop.jwr
is 'several processes, as one run, with an earlier one' "$status$out$err" 0both.html
run view -q later.jwr -o none.html --against nothing.jwr
like 'an earlier run that is not there' "$status$err" '4jweave: error: *nothing.jwr*No such file or directory*'
is '... leaves nothing' "$(ls none.html 2>/dev/null)" ''
head -c 3000 packed.prv.gz >cut.prv.gz && cp packed.pcf cut.pcf && cp packed.row cut.row
run view cut.prv.gz
like 'a trace that is cut' "$status$out$err" "0*cut.htmljweave: warning: *'cut.prv.gz' is damaged or cut short*"
(ulimit -f 8 && "$jweave" view -q shop.jwr -o full.html) >full.err 2>&1
ok 'no room: fails' "$([ $? != 0 ]; echo $?)" "$(cat full.err)"
is '... and leaves nothing' "$(ls full.html 2>/dev/null)" ''

# ---- what is in it ----
if have python3; then
	"$jweave" report --json shop.jwr >report.json
	"$jweave" report --json sums.jwr >sums.json
	calls=$(sed -n 's/.*"calls":\([0-9]*\),"methodCount.*/\1/p' report.json)
	for page in shop trace packed; do
		is "$page: what the page holds, against the report" "$(python3 "$root/tests/cli/view.py" $page.html report.json)" \
			"$calls calls, $(grep -c '^3:' shop.prv) arrows
nothing is wrong"
	done
	like 'of a summary' "$(python3 "$root/tests/cli/view.py" sums.html sums.json)" '*no timeline
nothing is wrong'
else
	skip 'what the page holds, against the report' 'no python3'
fi
is 'a policy forbids what is not of the page' "$(grep -c "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'nonce-" shop.html)" 1
is 'no address of anything else' "$(grep -v 'data-section=' shop.html | grep -Eci '(src|href)="?[a-z]*:?//|@import|url\(')" 0
is 'data are base64 alone' "$(grep '<script type="application/x-jweave"' shop.html | grep -Evc '^<script type="application/x-jweave" data-section="[a-z0-9.]*">[A-Za-z0-9+/]*=*</script>$')" 0
is 'two pages have different numbers' "$(cat shop.html trace.html | grep -o "script-src 'nonce-[0-9a-f]*" | sort -u | wc -l)" 2

# ---- the desktop ----
mkdir bin
printf '#!/bin/sh\necho "$*" >>"%s/opened"\n' "$dir" >bin/xdg-open && chmod +x bin/xdg-open
opened() { # opened NAME WANTED WORDS...
	name=$1 wanted=$2
	shift 2
	rm -f opened
	PATH=$dir/bin:$PATH timeout 60 env "$@" >/dev/null 2>&1
	[ -z "$wanted" ] || for i in 1 2 3 4 5 6 7 8 9 10; do
		[ -s opened ] && break
		sleep 0.2
	done
	is "$name" "$(cat opened 2>/dev/null)" "$wanted"
}
opened 'a desktop shows it' shop.html DISPLAY=:9 "$jweave" view shop.jwr
opened 'of Wayland, too' shop.html WAYLAND_DISPLAY=w "$jweave" view shop.jwr
opened 'without one nothing is opened' '' "$jweave" view shop.jwr
opened 'nor with --no-open' '' DISPLAY=:9 "$jweave" view --no-open shop.jwr
opened 'nor with -o' '' DISPLAY=:9 "$jweave" view shop.jwr -o other.html

# ---- jweave run --view ----
JWEAVE_CACHE=$dir/cache JWEAVE_OUTPUT=ran timeout 120 "$jweave" run --view -r rules.json -- java -cp classes shop.Shop >run.out 2>&1
like 'run --view: a page at the end' "$(tail -1 run.out)" 'jweave: *the page of the trace, for a browser: ran.html'
ok '... which is there' "$([ -s ran.html ]; echo $?)"
PATH=$dir/bin:$PATH DISPLAY=:9 JWEAVE_CACHE=$dir/cache JWEAVE_OUTPUT=ran2 timeout 120 "$jweave" run --view -r rules.json -- java -cp classes shop.Shop >run.out 2>&1
like 'run --view, on a desktop' "$(tail -1 run.out)" 'jweave: *opened in the browser: ran2.html'
mkdir ran3.html && : >ran3.html/full
JWEAVE_CACHE=$dir/cache JWEAVE_OUTPUT=ran3 timeout 120 "$jweave" run --view -r rules.json -- java -cp classes shop.Shop >run.out 2>&1
like 'run --view, where no page can be' "$?$(tail -1 run.out)" "0jweave: warning: there is no page of the trace: *ran3.html*"

# ---- the page's sources ----
if ! have node || ! have npm; then
	skip 'types of share/view' 'no node or npm'
	skip 'share/view, by eslint' 'no node or npm'
elif ! npm install --prefix lint --no-audit --no-fund --silent typescript@5.9.3 eslint@9.38.0 >npm.out 2>&1; then
	skip 'types of share/view' 'npm has no typescript: no network?'
	skip 'share/view, by eslint' 'npm has no eslint: no network?'
else
	check 'types of share/view' lint/node_modules/.bin/tsc --noEmit --checkJs --allowJs --strict --noUnusedLocals --noUnusedParameters \
		--target es2022 --lib es2023,dom,dom.iterable,dom.asynciterable --moduleDetection legacy "$root"/share/view/*.js
	mkdir lint/view && cp "$root"/share/view/*.js lint/view/ && cp "$root/tests/cli/view/eslint.config.mjs" lint/
	check 'share/view, by eslint' sh -c 'cd lint && node_modules/.bin/eslint view'
fi
check 'no script ends the page by its text' sh -c '! grep -l "</script" "$@"' sh "$root"/share/view/*.js

# ---- in a browser ----
if have_browser 'the page in a browser'; then
	"$jweave" report --json shop.jwr >report.json
	"$jweave" report --json --critical-path shop.jwr >path.json
	"$jweave" diff --json shop.jwr later.jwr >diff.json
	in_browser 'the browser came to its end' 240 view.mjs "$dir/shop.html" report.json "${JW_SHOTS:-$dir}" path.json "$dir/later.html" diff.json
	in_browser 'the browser came to its end, as a user has it' 240 view_shown.mjs "$dir/later.html"
	if npm install --prefix npm --no-audit --no-fund --silent axe-core@4.14.1 >npm.out 2>&1; then
		in_browser 'the browser came to its end, with axe' 240 view_looks.mjs "$dir/later.html" "$dir/npm/node_modules/axe-core/axe.min.js"
	else
		skip 'who sees little, or has no pointer' 'npm has no axe-core: no network?'
	fi
fi
finish
