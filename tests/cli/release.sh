#!/bin/sh
# A release: the archive is the same bytes from another folder, unpacks anywhere, and three commands lead to a page; the
# SBOM follows docs/dependencies.md. What `make release` has made in BUILD/release/files is looked at if it is there.
# Slow: 6 s, installs twice and starts a JVM.
. tests/cli/kit
unset MAKEFLAGS MAKELEVEL MFLAGS GNUMAKEFLAGS
case ${SAN:-}$BUILD in
*san-* | *cov | address*) skip_all 'a sanitized or counted build is not released' ;;
esac
SOURCE_DATE_EPOCH=1700000000
export SOURCE_DATE_EPOCH
version=$(sed -n 's/^VERSION := //p' Makefile)

name=jweave-$version-linux-test
stage() { # stage FOLDER: an archive of what is installed there
	mkdir -p "$dir/$1"
	make BUILD="$BUILD" DESTDIR="$dir/$1" prefix="/$name" install >"$dir/log" 2>&1 &&
		sh share/release/pack "$dir/$1/$name" "$dir/$1/out.tar.gz" >"$dir/log" 2>&1
	is "packed in $1" "$?$(ls "$dir/$1" | tr '\n' ' ')" "0$name out.tar.gz "
}
stage one
(umask 077 && mkdir -p "$dir/another")
umask 077
stage another/folder
umask 022
ok 'the same bytes, from another folder and umask' "$(cmp -s "$dir/one/out.tar.gz" "$dir/another/folder/out.tar.gz"; echo $?)"
is 'owner, modes, dates' "$(TZ=UTC tar -tvzf "$dir/one/out.tar.gz" | awk '{ print $1, $2, $4, $5 }' | sort -u | tr '\n' ';')" \
	'-rw-r--r-- 0/0 2023-11-14 22:13;-rwxr-xr-x 0/0 2023-11-14 22:13;drwxr-xr-x 0/0 2023-11-14 22:13;'
is 'one program, all in one folder' "$(tar -tvzf "$dir/one/out.tar.gz" | sed -n 's/^-rwx.* //p')$(tar -tzf "$dir/one/out.tar.gz" | grep -v "^$name/")" "$name/bin/jweave"
rm -rf "$dir/another" "$dir/one/$name"

place="$dir/a place"
mkdir -p "$place" "$dir/home" "$dir/runs"
tar -xzf "$dir/one/out.tar.gz" -C "$place"
program=$place/$name/bin/jweave
if command -v pkg-config >/dev/null; then
	ok 'pkg-config finds the runtime where it was unpacked' "$([ -f "$(cd "$dir" && PKG_CONFIG_PATH=$place/$name/share/pkgconfig pkg-config --variable=runtime_jar jweave | sed 's/\\//g')" ]; echo $?)"
else
	skip 'pkg-config finds the runtime where it was unpacked' 'no pkg-config'
fi
three() { # three PROGRAM: from an archive of one's own to a page
	rm -rf "$dir/runs" "$dir/home" && mkdir "$dir/runs" "$dir/home"
	(cd "$dir/runs" && cp "$dir/app.jar" . && export HOME="$dir/home" && unset XDG_CACHE_HOME &&
		timeout 100 "$1" run -- java -jar app.jar && timeout 60 "$1" view trace-*.prv) >"$dir/log" 2>&1
	is "$2" "$?$(ls "$dir/runs" | sed -n 's/.*[.]html$/page/p')" 0page
}
if command -v java >/dev/null && command -v javac >/dev/null && command -v jar >/dev/null; then
	javac -nowarn -d "$dir/classes" share/examples/maven/src/main/java/com/acme/Hello.java
	jar --create --file "$dir/app.jar" --main-class com.acme.Hello -C "$dir/classes" .
	three "$program" 'three commands to a page'
	HOME=$dir/home XDG_CACHE_HOME= "$program" run --clean >/dev/null 2>&1
	is 'and after two more nothing is left' "$(rm -rf "$place" "$dir/runs"; find "$dir/home" -type f)" ''
else
	skip 'three commands to a page' 'no JDK'
fi

printf 'zlib 1.2.13\ncjson 1.7\nsqlite3 3\nlibzip 1\nlibdeflate 1\nlibmicrohttpd 0.9\nglibc 2\nGCC 12\n' >"$dir/versions"
perl share/release/sbom "$version" "$dir/versions" >"$dir/sbom" 2>"$dir/log"
is 'an SBOM of all that is linked' "$?$(cat "$dir/log")" 0
if command -v python3 >/dev/null; then
	is 'it is JSON: packages, versions, licences' "$(python3 -c 'import json, sys
for p in json.load(open(sys.argv[1]))["packages"]: print(p["name"], p["versionInfo"], p["licenseDeclared"], end="; ")' "$dir/sbom")" \
		"jweave $version Apache-2.0; zlib 1.2.13 Zlib; cJSON 1.7 MIT; SQLite 3 blessing; libzip 1 BSD-3-Clause; libdeflate 1 MIT; libmicrohttpd 0.9 LGPL-2.1-or-later; glibc 2 LGPL-2.1-or-later; GCC 12 GPL-3.0-or-later WITH GCC-exception-3.1; "
fi
echo 'nobody 1' >"$dir/versions"
is 'a library that docs/dependencies.md does not have is an error' "$(perl share/release/sbom "$version" "$dir/versions" 2>&1 >/dev/null)" \
	"share/release/sbom: docs/dependencies.md has no row of 'nobody'"
is 'the libraries that are built have a row' "$(for library in $(sed -n "s/^names='\(.*\)'/\1/p" share/release/libraries); do echo "$library 1"; done >"$dir/versions"
	perl share/release/sbom "$version" "$dir/versions" 2>&1 >/dev/null; wc -l <"$dir/versions")" 6
flags=$(make -n V=1 BUILD="$dir/b" STATIC="$dir/none" "$dir/b/cli/serve_library.o" 2>/dev/null | grep serve_library.o)
like 'a static build says so, and not where it was made' "$flags" "*-DJW_STATIC -ffile-prefix-map=$root=.*"

files=$BUILD/release/files
if [ -e "$files/SHA256SUMS" ]; then
	is 'sums are right' "$(cd "$files" && sha256sum -c --quiet SHA256SUMS 2>&1)" ''
	mkdir "$dir/release"
	tar -xzf "$files"/jweave-*-linux-"$(uname -m)".tar.gz -C "$dir/release"
	program=$(ls "$dir"/release/*/bin/jweave)
	is 'the program needs no library' "$(readelf -d "$program" | grep -c NEEDED)$(readelf -l "$program" | grep -c INTERP)" 00
	is 'nothing says in which folder it was made' "$(grep -rlF "$root" "$dir/release")" ''
	[ ! -e "$dir/app.jar" ] || three "$program" 'three commands to a page, by the static program'
	for deb in "$files"/*.deb; do
		is "${deb##*/}: needs no package" "$(dpkg-deb -f "$deb" Depends Recommends)" ''
	done
else
	skip 'the files of a release' 'make release has not been run'
fi
finish
