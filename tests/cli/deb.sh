#!/bin/sh
# make install and make deb: what is there runs, reads and completes; removal leaves nothing.
# Slow: 10 s, builds and installs a package.
. tests/cli/kit
unset MAKEFLAGS MAKELEVEL MFLAGS GNUMAKEFLAGS
case ${SAN:-}$BUILD in
*san-* | *cov | address*) skip_all 'a sanitized or counted build is not packaged' ;;
esac

is 'CFLAGS of the user leave the runtime in' "$(make -n V=1 -W weaver/archive/runtime_image.c BUILD="$BUILD" CFLAGS=-O1 "$BUILD/weaver/archive/runtime_image.o" 2>&1 |
	grep 'runtime_image[.]o' | grep -c JW_RT_FOLDER)" 1
mkdir "$dir/i"
make BUILD="$BUILD" DESTDIR="$dir/i" prefix=/opt/jw install >"$dir/log" 2>&1
is 'make install' "$?" 0
is 'installed: it runs' "$("$dir/i/opt/jw/bin/jweave" version | sed -n '1s/ .*//p')" jweave
for file in share/man/man1/jweave-run.1 share/man/man5/jweave-rules.5 share/doc/jweave/share/examples/make/jweave.mk \
	share/doc/jweave/README.md share/doc/jweave/docs/getting-started.md share/doc/jweave/share/trace.svg \
	share/jweave/jweave-rules-1.schema.json share/bash-completion/completions/jweave lib/jweave/jweave-rt.jar; do
	ok "installed: $file" "$([ -f "$dir/i/opt/jw/$file" ]; echo $?)"
done
# dead_links FOLDER: links of the documents below it to files that are not there
dead_links() {
	find "$1" -name '*.md' | while read -r document; do
		sed '/^```/,/^```/d' "$document" | grep -oE '\]\([^)[:space:]]+\)' | sed 's/^](//; s/)$//; s/#.*//' | grep -vE '^(https?:.*)?$' |
			while read -r to; do
				[ -e "${document%/*}/$to" ] || echo "$document: $to"
			done
	done
}
none 'installed: no link of a document is dead' "$(dead_links "$dir/i/opt/jw")"
cp README.md "$dir/i/opt/jw/share/doc/jweave/docs/dead.md"
like 'a dead link is seen' "$(dead_links "$dir/i/opt/jw")" '*/docs/dead.md: docs/getting-started.md*'
rm "$dir/i/opt/jw/share/doc/jweave/docs/dead.md"
is 'what is for developers of jweave is left out, and so are links to it' "$(cd "$dir/i/opt/jw/share/doc/jweave" && ls docs | grep -c architecture)$(
	grep -c rchitecture "$dir/i/opt/jw/share/doc/jweave/README.md")" 00
like 'a link to a manual page says which' "$(cat "$dir/i/opt/jw/share/doc/jweave/docs/getting-started.md")" '*`explain` (jweave-explain(1))*'
make BUILD="$BUILD" DESTDIR="$dir/p" prefix=/opt/other install >"$dir/log" 2>&1
is 'another prefix is in what is installed there' "$(head -n 1 "$dir/p/opt/other/share/pkgconfig/jweave.pc")" prefix=/opt/other
rm -rf "$dir/p"
make BUILD="$BUILD" DESTDIR="$dir/i" prefix=/opt/jw uninstall >"$dir/log" 2>&1
is 'make uninstall leaves no file and no folder of its own' "$(cd "$dir/i" && find . | sort | tr '\n' ' ')" '. ./opt '
mkdir -p "$dir/u/usr/local/share/man" "$dir/u/usr/local/bin" "$dir/u/usr/local/share/doc/other"
before=$(cd "$dir/u" && find . | sort)
make BUILD="$BUILD" DESTDIR="$dir/u" install >"$dir/log" 2>&1
make BUILD="$BUILD" DESTDIR="$dir/u" uninstall >"$dir/log" 2>&1
is 'in /usr/local, what every system has stays' "$(cd "$dir/u" && find . ! -path ./usr/local/lib | sort)" "$before"

if command -v git >/dev/null && git rev-parse -q --verify HEAD >/dev/null 2>&1; then
	make BUILD="$dir/d1" dist >"$dir/log" 2>&1
	git clone -q . "$dir/clone" 2>/dev/null
	(cd "$dir/clone" && umask 077 && make BUILD="$dir/d2" dist >"$dir/log" 2>&1)
	ok 'make dist, in another clone: the same bytes' "$(cmp -s "$dir"/d1/jweave-*.tar.gz "$dir"/d2/jweave-*.tar.gz; echo $?)"
	mkdir "$dir/source" && tar -xzf "$dir"/d1/jweave-*.tar.gz -C "$dir/source"
	is 'it has all that git has' "$(cd "$dir"/source/jweave-* && find . -type f | sort | cksum)" "$(cd "$dir/clone" && git ls-files | sed 's|^|./|' | sort | cksum)"
	ok 'and make reads it' "$(cd "$dir"/source/jweave-* && make -n BUILD="$dir/d3" all >/dev/null 2>&1; echo $?)"
	rm -rf "$dir/clone" "$dir/source" "$dir/d1" "$dir/d2"
else
	skip 'make dist' 'no git, or none of its folders'
fi
command -v dpkg-deb >/dev/null || {
	skip 'make deb' 'no dpkg-deb'
	finish
	exit
}
# a build of its own place, so that tests at the same time do not meet
SOURCE_DATE_EPOCH=1700000000
export SOURCE_DATE_EPOCH
package() { # package NAME
	make BUILD="$BUILD" DESTDIR="$dir/$1" prefix=/usr zshdir=/usr/share/zsh/vendor-completions install >"$dir/log" 2>&1 &&
		sh share/deb "$dir/$1" 1.2.3 "$dir/$1.deb"
}
is 'a package' "$(package one)" "$dir/one.deb"
package two >/dev/null
none 'packaged: no link of a document is dead' "$(dead_links "$dir/one")"
ok 'twice the same bytes' "$(cmp -s "$dir/one.deb" "$dir/two.deb"; echo $?)"
(
	! [ -w /dev/shm ] || { dir=$(mktemp -d /dev/shm/jweave.XXXXXX) && trap 'rm -rf "$dir"' EXIT; }
	umask 077
	package three >/dev/null && mv "$dir/three.deb" "$work"
)
ok 'and where another file system may be, with another umask' "$(cmp -s "$dir/one.deb" "$dir/three.deb"; echo $?)"
like 'it names what it needs' "$(dpkg-deb -f "$dir/one.deb" Depends)" '*libdeflate0 (>= *libc6 (>= *'
if [ "$(id -u)" = 0 ]; then
	mkdir -p "$dir/r/var/lib/dpkg/info" "$dir/r/var/lib/dpkg/updates" "$dir/r/tmp"
	: >"$dir/r/var/lib/dpkg/status"
	dpkg --root="$dir/r" --force-depends -i "$dir/one.deb" >"$dir/log" 2>&1
	is 'installed in a clean root' "$?" 0
else
	dpkg-deb -x "$dir/one.deb" "$dir/r"
	skip 'installed in a clean root' 'dpkg needs root'
fi
is 'it runs there' "$("$dir/r/usr/bin/jweave" version | sed -n '1s/ .*//p')" jweave
if command -v man >/dev/null && [ -x "$(command -v groff)" ]; then
	like 'man reads the rules page' "$(MANWIDTH=80 man -l "$dir/r/usr/share/man/man5/jweave-rules.5.gz" 2>/dev/null)" '*JWEAVE-RULES*'
else
	skip 'man reads the rules page' 'no man-db or groff'
fi
if command -v bash >/dev/null; then
	is 'completion completes' "$(PATH=$dir/r/usr/bin:$PATH bash -c '. "$1/usr/share/bash-completion/completions/jweave"
		COMP_WORDS=(jweave pre); COMP_CWORD=1; _jweave; echo "${COMPREPLY[@]}"' bash "$dir/r" 2>/dev/null)" presets
else
	skip 'completion completes' 'no bash'
fi
# as a user has it: a shell on a terminal, and the key
driven() { # driven NAME WANT WORDS SHELL COMMAND...: types WORDS and a tab, until WANT is there
	name=$1 want=$2 words=$3
	shift 3
	if ! has_terminal || ! command -v "$1" >/dev/null; then
		skip "$name" "no python3, pseudo terminals or $1"
		return
	fi
	PATH=$dir/r/usr/bin:$PATH TERM=xterm SHARE=$dir/r/usr/share \
		python3 tests/cli/terminal.py 60 '' "$setup" step "$words\\t" "$want" '' -- "$@" >"$dir/log" 2>&1
	ok "$name" $?
}
setup='. $SHARE/bash-completion/completions/jweave; echo st""ep\n'
driven 'bash on a terminal: a command' 'jweave presets' 'jweave pre' bash --norc --noprofile -i
driven 'bash on a terminal: an option' '--no-guard' 'jweave --no-g' bash --norc --noprofile -i
setup='fpath=($SHARE/zsh/vendor-completions $fpath); autoload -U compinit; compinit -u -D; print st""ep\n'
driven 'zsh on a terminal: a command' 'jweave presets' 'jweave pre' zsh -f -i
driven 'zsh on a terminal: an option' '--no-guard' 'jweave weave --no-g' zsh -f -i
is 'fish finds its completion' "$(ls "$dir/r/usr/share/fish/vendor_completions.d")" jweave.fish
is 'the sums are right' "$(cd "$dir/r" && dpkg-deb --ctrl-tarfile "$dir/one.deb" | tar xO ./md5sums | md5sum -c --quiet 2>&1)" ''
if [ "$(id -u)" = 0 ]; then
	dpkg --root="$dir/r" -P jweave >"$dir/log" 2>&1
	is 'removed' "$?" 0
	is 'removal leaves nothing' "$(find "$dir/r" -name '*jweave*' ! -path '*/var/lib/dpkg/*')$(ls "$dir/r/usr" 2>/dev/null)" ''
else
	skip 'removed' 'dpkg needs root'
	skip 'removal leaves nothing' 'dpkg needs root'
fi
finish
