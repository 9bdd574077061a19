#!/bin/sh
# The files of a release (`make release`, or those in JW_RELEASE) in clean roots, without a compiler and without root: three commands
# from an archive to a page, and the package; removal leaves nothing.
#
# JW_ROOTS: the roots, words (`make check-roots` names them): a folder, the root of a Debian or Ubuntu that has a JVM; or a suite
# (bookworm, jammy), which debootstrap makes and apt-get gives a JVM, which takes the network, 400 MB and minutes each; or `musl`,
# a root as Alpine's is, of BusyBox, musl and JW_MUSL_JRE, the folder of a JRE for musl. (Alpine has no .deb: of the archive alone.)
. tests/cli/kit
files=${JW_RELEASE:-$BUILD/release/files}
[ "${JW_ROOTS:-}" ] || skip_all 'JW_ROOTS names no roots (make check-roots)'
[ "$(id -u)" = 0 ] || skip_all 'chroot needs root'
[ -e "$files/SHA256SUMS" ] || skip_all "no files of a release in $files (make release)"
command -v javac >/dev/null && command -v jar >/dev/null || skip_all 'no JDK'
unshare -m true 2>/dev/null || skip_all 'no mounts of its own (unshare -m)'
version=$(sed -n 's/^VERSION := //p' Makefile)
name=jweave-$version-linux-$(uname -m)
deb=$(ls "$files"/jweave_*_"$(dpkg --print-architecture)".deb)
javac -nowarn --release 8 -Xlint:-options -d "$dir/classes" share/examples/maven/src/main/java/com/acme/Hello.java
jar --create --file "$dir/app.jar" --main-class com.acme.Hello -C "$dir/classes" .
trap 'umount "$dir/root" 2>/dev/null; rm -rf "$dir"' EXIT

inside() { # inside ROOT USER COMMAND: by sh in that root, at home
	timeout 900 unshare -m sh -c 'mount -t proc proc "$1/proc" && exec chroot --userspec="$2:$2" "$1" \
		env -i HOME=/srv/me PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive sh -c "cd /srv/me && $3"' sh "$@" >"$dir/log" 2>&1
}
made() { # made SUITE: the root of a system of SUITE, with a JVM
	mirror=
	case $1 in
	focal | jammy | noble) mirror=http://archive.ubuntu.com/ubuntu ;;
	esac
	# (what is thrown away need not reach the disk; of Ubuntu a Debian has no keys, and what is looked at is ours)
	mkdir -p "$dir/$1/etc/dpkg/dpkg.cfg.d" && echo force-unsafe-io >"$dir/$1/etc/dpkg/dpkg.cfg.d/unsafe-io"
	debootstrap --variant=minbase ${mirror:+--no-check-gpg --components=main,universe} "$1" "$dir/$1" $mirror >"$dir/log" 2>&1 &&
		cp /etc/resolv.conf "$dir/$1/etc" && mkdir -p "$dir/$1/srv/me" &&
		inside "$dir/$1" 0 'apt-get -qq update && apt-get install -y -qq --no-install-recommends default-jre-headless'
}
made_musl() { # made_musl FOLDER: a root without glibc, with a JVM; what it is made of is this machine's, and of Debian
	[ -e "${JW_MUSL_JRE:-/nowhere}/bin/java" ] || { echo 'JW_MUSL_JRE names no JRE for musl' >"$dir/log" && return 1; }
	mkdir -p "$1/bin" "$1/usr/bin" "$1/usr/lib" "$1/lib" "$1/etc" "$1/dev" "$1/proc" "$1/srv/me" "$1/opt/files" && mkdir -m 1777 "$1/tmp" || return
	(mkdir "$dir/debs" && cd "$dir/debs" && apt-get download busybox-static musl && for deb in *.deb; do dpkg-deb -x "$deb" .; done &&
		cp bin/busybox "$1/bin" && cp lib/*-linux-musl/libc.so "$1/lib/ld-musl-$(uname -m).so.1") >"$dir/log" 2>&1 || return
	for applet in $("$1/bin/busybox" --list); do
		[ -e "$1/bin/$applet" ] || ln -s busybox "$1/bin/$applet"
	done
	ln -s "ld-musl-$(uname -m).so.1" "$1/lib/libc.musl-$(uname -m).so.1"
	# (a JRE of Alpine's loads its zlib)
	"${MUSL_CC:-musl-gcc}" -O2 -fPIC -shared -Wl,-soname,libz.so.1 -DHAVE_UNISTD_H -w -o "$1/usr/lib/libz.so.1" \
		"$files"/../../libraries/sources/zlib-*/*.c >"$dir/log" 2>&1 || return
	cp -r "$JW_MUSL_JRE" "$1/opt/jre" && chmod +x "$1"/opt/jre/bin/* "$1/opt/jre/lib/jspawnhelper" && ln -s /opt/jre/bin/java "$1/usr/bin/java" &&
		mknod -m 666 "$1/dev/null" c 1 3 && mknod -m 666 "$1/dev/urandom" c 1 9 && echo 'PRETTY_NAME="BusyBox and musl"' >"$1/etc/os-release"
}
all_files() { # of the root, but what apt-get, dpkg and a JVM note down
	(cd "$dir/root" && find . \( -path ./proc -o -path ./var/log -o -path ./var/cache -o -path ./var/lib/apt -o -path ./var/lib/dpkg -o -path './tmp/hsperfdata_*' \) \
		-prune -o -printf '%p %y %s\n' | awk '$2 == "d" { $3 = "" } { print }' | LC_ALL=C sort)
}
steps() { # steps NAME USER COMMAND: it succeeds
	inside "$dir/root" "$2" "$3"
	status=$?
	is "$1" "$status" 0
	[ "$status" = 0 ] || tail -n 5 "$dir/log" | sed 's/^/# /'
}
traced() { # traced NAME PROGRAM: by a user who is nobody, and what he has is gone afterwards
	steps "$1: a trace" 1000 "$2 run -- java -jar app.jar"
	steps "$1: a page" 1000 "$2 view trace-*.prv && ls *.html"
	steps "$1: of what was called" 1000 "$2 report trace-*.prv | grep -F Hello.fib"
	steps "$1: its cache is emptied" 1000 "$2 run --clean && rm -rf trace-* && rmdir .cache"
}

for of in $JW_ROOTS; do
	lower=$of
	case $of in
	*/*) ;;
	*)
		if [ "$of" = musl ]; then made_musl "$dir/musl"; else made "$of"; fi || {
			skip "$of" "no such root can be made: $(tail -n 1 "$dir/log")"
			continue
		}
		lower=$dir/$of
		;;
	esac
	system=$(. "$lower/etc/os-release" && echo "$PRETTY_NAME")
	mkdir -p "$dir/root" "$dir/upper" "$dir/work"
	mount -t overlay overlay -o "lowerdir=$lower,upperdir=$dir/upper,workdir=$dir/work" "$dir/root" 2>/dev/null || cp -a "$lower/." "$dir/root"
	mkdir -p "$dir/root/srv/me" "$dir/root/opt/files"
	cp "$dir/app.jar" "$dir/root/srv/me"
	cp "$files/$name.tar.gz" "$deb" "$dir/root/opt/files"
	chown -R 1000:1000 "$dir/root/srv/me"
	steps "$system: there is no compiler" 1000 '! command -v cc && ! command -v gcc && ! command -v clang && ! command -v make'
	steps "$system: but a JVM" 1000 'java -version'
	sed -n 's/^/# /; 1p' "$dir/log"
	before=$(all_files)
	steps "$system: unpacked" 1000 "tar -xzf /opt/files/$name.tar.gz"
	traced "$system, archive" "$name/bin/jweave"
	rm -rf "$dir/root/srv/me/$name"
	is "$system: the folder removed, nothing is left" "$(all_files)" "$before"
	if [ -e "$dir/root/usr/bin/dpkg" ]; then
		steps "$system: the package is installed" 0 "apt-get install -y -qq /opt/files/${deb##*/} && command -v jweave"
		traced "$system, package" jweave
		steps "$system: the package is removed" 0 'apt-get purge -y -qq jweave'
		is "$system: and nothing is left of it" "$(all_files)" "$before"
	fi
	umount "$dir/root" 2>/dev/null
	rm -rf "$dir/root" "$dir/upper" "$dir/work" "${dir:?}/$of"
done
finish
