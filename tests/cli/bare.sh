#!/bin/sh
# A jweave that was built without the runtime: it weaves, and says so where it is asked to embed what it has not.
. tests/cli/kit
case ${SAN:-}$BUILD in
*san-* | *cov) skip_all 'what is linked here is not sanitized or counted' ;;
esac
libs=$(${PKG_CONFIG:-pkg-config} --libs libdeflate zlib libcjson libzip 2>/dev/null || echo '-ldeflate -lz -lcjson -lzip')
set --
for room in cli weaver rules cfr trace base; do
	set -- "$@" "$BUILD/lib$room.a"
done
${CC:-cc} -std=c11 -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -DJW_LIBDEFLATE '-DJW_VERSION="0"' -I. -I"$BUILD/gen" -fno-lto -o "$dir/bare" \
	"$BUILD/cli/main.o" weaver/archive/runtime_image.c "$@" $libs -lpthread 2>"$dir/log" || {
	sed 's/^/# /' "$dir/log"
	skip_all 'a jweave without the runtime does not link here'
}
jweave=$dir/bare
cp testdata/classes/8/Flow.class "$dir"
echo '{"jweave":1,"rules":[{"select":{"class":"**","code":{"minBytes":0}}}]}' >"$dir/r.json"
mkdir "$dir/in" && cp "$dir/Flow.class" "$dir/in"
run "$dir/in" "$dir/r.json" "$dir/out"
is 'nothing to embed' "$status $err" "4 jweave: error: this build of jweave carries no runtime to embed (--runtime=classpath weaves without)"
is 'no output' "$(ls -d "$dir"/out* 2>/dev/null)" ''
run --runtime=classpath "$dir/in" "$dir/r.json" "$dir/out"
is 'as it says, --runtime=classpath weaves' "$status" 0
run verify "$dir/out/Flow.class"
is 'rightly' "$status" 0
finish
