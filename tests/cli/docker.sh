#!/bin/sh
# The Dockerfile of share/examples, built by a builder of images (buildah): a fresh build traces, a second
# does nothing, other rules weave again, wrong ones fail and leave the old image.
#
# No test asks a registry for images: the two that the file starts from are made here. Small ones, of this
# machine's own files, in which apt-get does nothing but unpack the package that it is given; or, with
# JW_IMAGES=debian (`make check-docker`), Debian's own, by debootstrap and the true apt-get, which takes
# the network, 2 GB and minutes. JW_IMAGES=FOLDER copies the root of a Debian that is there already.
# Slow: 25 s, an image is built, twice.
. tests/cli/kit
unset MAKEFLAGS MAKELEVEL MFLAGS GNUMAKEFLAGS
: "${JW_IMAGES:=small}"
case ${SAN:-}$BUILD in
*san-* | *cov | address*) skip_all 'a sanitized or counted build is not packaged' ;;
esac
command -v dpkg-deb >/dev/null || skip_all 'no dpkg-deb'
. tests/cli/images_kit
base_folder "$dir/base"
cp -r "$dir/base" "$dir/jre"
with_libraries "$dir/base" "$(command -v dpkg-deb)" "$(command -v tar)" "$(command -v rm)"
find_driver "$dir/base"
echo "# storage: $driver, images: $JW_IMAGES"

# ---- the package, the program, the images ----
make BUILD="$BUILD" DESTDIR="$dir/i" prefix=/usr zshdir=/usr/share/zsh/vendor-completions install >"$dir/log" 2>&1 &&
	sh share/deb "$dir/i" 1.2.3 "$dir/jweave.deb" >>"$dir/log" 2>&1 || skip_all 'make install or share/deb does not work'
cp -r share/examples/docker "$dir/here"
cp "$dir/jweave.deb" "$dir/here"
mkdir "$dir/classes" "$dir/traces" "$dir/out"
javac --release 17 -d "$dir/classes" share/examples/make/src/com/acme/Hello.java &&
	jar cfe "$dir/here/app.jar" com.acme.Hello -C "$dir/classes" . || skip_all 'javac or jar does not work'
if [ "$JW_IMAGES" = small ]; then
	with_libraries "$dir/base" "$BUILD/jweave"
	rm -rf "$dir/base$BUILD"
	cat >"$dir/base/usr/bin/apt-get" <<'A'
#!/bin/sh
for word; do
	case $word in
	*.deb) dpkg-deb -x "$word" / ;;
	esac
done
A
	chmod +x "$dir/base/usr/bin/apt-get"
	jre_folder "$dir/jre"
	image debian:12-slim "$dir/base" && image eclipse-temurin:17-jre "$dir/jre" /opt/bin:/usr/bin
else
	debian=$JW_IMAGES
	if [ "$debian" = debian ]; then
		command -v debootstrap >/dev/null || skip_all 'no debootstrap'
		debian=$dir/debian
		debootstrap --variant=minbase --include=ca-certificates "$(. /etc/os-release; echo "$VERSION_CODENAME")" "$debian" >"$dir/log" 2>&1 ||
			skip_all "debootstrap: $(tail -n 1 "$dir/log")"
		# as this machine reaches its packages
		rm -rf "$debian/etc/apt/sources.list" "$debian/var/cache/apt/archives"
		cp -r /etc/apt/sources.list* /etc/apt/apt.conf.d "$debian/etc/apt"
		cp -r /usr/local/share/ca-certificates/. "$debian/usr/local/share/ca-certificates"
	fi
	image debian:12-slim "$debian" && c=$(b from --pull-never debian:12-slim) &&
		b run "$c" -- sh -c 'apt-get update && apt-get install -y --no-install-recommends openjdk-17-jre-headless' >"$dir/log" 2>&1 &&
		b commit -q --rm "$c" docker.io/library/eclipse-temurin:17-jre >/dev/null
fi
is 'the two images that the file starts from' "$?" 0

# ---- its life ----
build() { # build FOLDER TARGET TAG [OPTIONS]: as `docker build` would
	folder=$1 target=$2 tag=$3
	shift 3
	b build --layers --pull-never ${target:+--target "$target"} -t "hello:$tag" "$@" "$dir/$folder" >"$dir/log" 2>&1
	status=$?
	[ "$status" = 0 ] || sed 's/^/# /' "$dir/log" | tail -n 20
}
id() { b images -q --no-trunc "hello:$1"; }
jar_of() { # jar_of TAG OUT: the jar in an image
	c=$(b from --pull-never "hello:$1") && b run -v "$dir/out:/out" "$c" -- sh -c 'cat /app/app.jar >/out/jar' && mv "$dir/out/jar" "$dir/$2" && b rm "$c" >/dev/null
}
build here traced traced
is 'a fresh build' "$status" 0
like 'weaves' "$(cat "$dir/log")" '*wove 2 of 3 methods in 1 class -> /app.jar*'
start traced
is 'what it made runs' "$status $out" '0 fib(12) = 144'
is 'and traces' "$(cd "$dir/traces" && ls | sed 's/.*[.]//' | sort | tr '\n' ' ')" 'pcf prv row '
for trace in "$dir"/traces/*.prv; do
	run report "$trace"
	like 'the trace has its methods' "$out" '*465 *Hello.fib*'
done
rm -rf "$dir"/traces/*
old=$(id traced)
build here traced traced
is 'a second build' "$status" 0
is 'does nothing' "$(id traced) $(grep -c '^wove' "$dir/log")" "$old 0"
cp -r "$dir/here" "$dir/there"
build there traced elsewhere --no-cache
jar_of traced one.jar
jar_of elsewhere two.jar
ok 'another folder, nothing kept: the same bytes' "$(cmp -s "$dir/one.jar" "$dir/two.jar"; echo $?)"
build here '' plain
jar_of plain plain.jar
ok 'without a target: the image without tracing' "$(cmp -s "$dir/plain.jar" "$dir/here/app.jar"; echo $?)"

printf '{ "jweave": 1, "exclude": [ "com.acme.Hello#main" ], "rules": [] }\n' >"$dir/here/rules/common.json"
build here traced traced
like 'a changed included file: woven again' "$(cat "$dir/log")" '*wove 1 of 3 methods*'
like 'and nothing else done again' "$(grep -A 1 'RUN apt-get' "$dir/log")" '*Using cache*'
start traced
is 'by the new rules' "$out $(ls "$dir/traces" | wc -l)" 'fib(12) = 144 3'
old=$(id traced)
printf '{ "jweave": 1, "ruls": [] }\n' >"$dir/here/rules/common.json"
b build --layers --pull-never --target traced -t hello:traced "$dir/here" >"$dir/log" 2>&1
is 'a wrong rules file fails the build' "$([ $? != 0 ]; echo $?)" 0
like 'and is named' "$(cat "$dir/log")" '*/rules/common.json:1:16: /ruls: unknown key (did you mean "rules"?)*'
is 'the old image stays' "$(id traced)" "$old"
printf '{ "jweave": 1, "rules": [ { "id": "gone", "match": "org.acme.**" } ] }\n' >"$dir/here/rules/common.json"
b build --layers --pull-never --target traced -t hello:traced "$dir/here" >"$dir/log" 2>&1
is 'so does a rule that matches nothing' "$([ $? != 0 ]; echo $?)" 0
like 'which is named, too' "$(cat "$dir/log")" '*rule ?gone? (/rules/common.json:1) decides no method*'
finish
