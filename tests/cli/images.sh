#!/bin/sh
# The images of share/images, built by buildah: one that holds nothing but jweave, and one of an application that is woven in a
# stage and traces. The program of a release is static; where this build's is not, the first begins with its libraries in place
# of nothing, and that is said (JW_STATIC names a static one).
# Slow: 15 s, images are built.
. tests/cli/kit
unset MAKEFLAGS MAKELEVEL MFLAGS GNUMAKEFLAGS
case ${SAN:-}$BUILD in
*san-* | *cov | address*) skip_all 'a sanitized or counted build is not packaged' ;;
esac
. tests/cli/images_kit
base_folder "$dir/base"
cp -r "$dir/base" "$dir/jre"
jre_folder "$dir/jre"
find_driver "$dir/base"
echo "# storage: $driver"

# ---- the image of jweave, from a folder as a release has it ----
mkdir -p "$dir/release/bin" "$dir/classes" "$dir/traces" "$dir/out" "$dir/in"
cp "${JW_STATIC:-$jweave}" "$dir/release/bin/jweave"
cp share/images/Containerfile "$dir/Containerfile"
if ldd "$dir/release/bin/jweave" >"$dir/log" 2>&1 && grep -q '=>' "$dir/log"; then
	echo '# the program of this build is dynamic: FROM its libraries, and not FROM scratch'
	mkdir "$dir/libraries"
	with_libraries "$dir/libraries" "$jweave"
	rm -rf "$dir/libraries$BUILD"
	image libraries "$dir/libraries"
	sed 's/^FROM scratch/FROM libraries/' share/images/Containerfile >"$dir/Containerfile"
fi
b build --pull-never -t docker.io/library/jweave -f "$dir/Containerfile" "$dir/release" >"$dir/log" 2>&1
is 'the image of jweave is built' "$?" 0
is 'it starts jweave' "$(b inspect --type image --format '{{range .OCIv1.Config.Entrypoint}}{{.}} {{end}}{{.OCIv1.Config.WorkingDir}}' jweave)" '/usr/bin/jweave /jars'
javac --release 17 -d "$dir/classes" share/examples/make/src/com/acme/Hello.java &&
	jar cfe "$dir/in/app.jar" com.acme.Hello -C "$dir/classes" . || skip_all 'javac or jar does not work'
cp -r share/examples/docker/rules "$dir/in/rules"
c=$(b from --pull-never jweave)
b run --env "SOURCE_DATE_EPOCH=$SOURCE_DATE_EPOCH" -v "$dir/in:/jars" "$c" -- /usr/bin/jweave --report report.json app.jar rules/trace.json woven.jar >"$dir/err" 2>&1
is 'a container of it weaves in the folder that it is given' "$?" 0
like 'and says so' "$(cat "$dir/in/report.json")" '*"out":"woven.jar"*"methods":3,"chosen":2,"woven":2,*'
(cd "$dir/in" && "$dir/release/bin/jweave" -q app.jar rules/trace.json ../here.jar)
check 'the same bytes as outside' cmp "$dir/in/woven.jar" "$dir/here.jar"
b rm "$c" >/dev/null

# ---- an application, woven in a stage ----
image eclipse-temurin:17-jre "$dir/jre" /opt/bin:/usr/bin
mkdir "$dir/app"
cp -r "$dir/in/app.jar" "$dir/in/rules" share/images/Containerfile.app "$dir/app"
build() { # build TARGET TAG
	b build --layers --pull-never ${1:+--target "$1"} -t "hello:$2" -f "$dir/app/Containerfile.app" "$dir/app" >"$dir/log" 2>&1
	status=$?
	[ "$status" = 0 ] || sed 's/^/# /' "$dir/log" | tail -n 5
}
build traced traced
is 'the image that traces is built' "$status" 0
start traced
is 'what it made runs' "$status $out" '0 fib(12) = 144'
is 'and traces' "$(cd "$dir/traces" && ls | sed 's/.*[.]//' | sort | tr '\n' ' ')" 'pcf prv row '
rm -f "$dir"/traces/*
build '' plain
start plain
is 'without a target: the image without tracing' "$status $out $(ls "$dir/traces")" '0 fib(12) = 144 '
printf '{ "jweave": 1, "ruls": [] }\n' >"$dir/app/rules/common.json"
b build --layers --pull-never --target traced -t hello:wrong -f "$dir/app/Containerfile.app" "$dir/app" >"$dir/log" 2>&1
is 'wrong rules fail the build' "$([ $? != 0 ]; echo $?)" 0
like 'and are named' "$(cat "$dir/log")" '*/rules/common.json:1:16: /ruls: unknown key*'
finish
