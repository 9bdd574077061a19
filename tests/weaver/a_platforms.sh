#!/bin/sh
# Libraries for several platforms: a weaver built with them says so, its archives carry them all, the
# same bytes every time, and a JVM takes its own.
set -u
. tests/weaver/a_kit

machine=$(${CC:-cc} -dumpmachine | sed 's/-.*//')
platforms="linux-$machine linux-musl-$machine linux-other"

# what the Makefile makes of the libraries below $BUILD, with others
mkdir -p "$work/rt" "$work/gen/weaver/archive" "$work/classes"
cp "$BUILD"/rt/embed/*.class "$work/rt"
cp "$BUILD/libjweave-rt.so" "$work/rt/linux-$machine.so"
echo 'no library' >"$work/rt/linux-musl-$machine.so"
echo 'nor this' >"$work/rt/linux-other.so"
for p in $platforms; do
	printf 'PLATFORM(%s, "%s")\n' "$(echo "$p" | tr '-' '_')" "$p"
done >"$work/gen/weaver/archive/platforms.def"
build() { # the objects of this build, the image anew
	${CC:-cc} -std=c11 -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -I. "-I$work/gen" -fno-lto ${SAN:+-fsanitize=$SAN} ${COV:+--coverage} \
		-DJW_VERSION='"0.1.0"' -DJW_RT_FOLDER="\"$work/rt\"" -o "$work/jweave" weaver/archive/runtime_image.c "$BUILD/cli/main.o" \
		"$BUILD/libcli.a" "$BUILD/libweaver.a" "$BUILD/librules.a" "$BUILD/libcfr.a" "$BUILD/libtrace.a" "$BUILD/libbase.a" \
		-ldeflate -lz -lcjson -lzip $(grep -q "HAVE_otf2 1" "$BUILD/gen/trace/export/optional.h" && pkg-config --libs otf2) -lpthread
}
check 'a weaver with three libraries is built' build
check 'it says which' sh -c "'$work/jweave' version | grep -qx 'woven archives run traced on linux-$machine, linux-musl-$machine, linux-other'"
check 'one with its own says that' sh -c "'$BUILD/jweave' version | grep -q '^woven archives run traced on .*linux-$machine'"

cat >"$work/Main.java" <<'J'
public class Main {
	static int twice(int n) { return n > 0 ? twice(n - 1) + 2 : 0; }
	public static void main(String[] args) { System.out.println(twice(20)); }
}
J
echo '{ "jweave": 1, "rules": [ { "match": "**#*" } ] }' >"$work/all.json"
javac -d "$work/classes" "$work/Main.java"
jar cfe "$work/in.jar" Main -C "$work/classes" Main.class
for j in 1 4; do
	"$work/jweave" -j$j --no-guard "$work/in.jar" "$work/all.json" "$work/out$j.jar" >/dev/null
done
check 'an archive carries them all' sh -c "
	unzip -Z1 '$work/out1.jar' | sed -n 's,META-INF/jweave/lib/\(.*\)/libjweave-rt.so,\1,p' | tr '\n' ' ' | grep -qx '$platforms '"
check 'unpacked: nothing has to be inflated before tracing begins' sh -c "
	unzip -v '$work/out1.jar' | grep 'libjweave-rt.so$' >'$work/stored' && [ \$(grep -c Stored '$work/stored') = 3 ]"
check 'and without symbols, which nobody could look for' sh -c "
	nm '$BUILD/libjweave-rt.so' | grep -q . && ! nm '$BUILD/rt/embed/linux-$machine.so' 2>/dev/null | grep -q ."
check 'the same bytes, whatever -j' cmp "$work/out1.jar" "$work/out4.jar"
check 'a JVM takes its own' sh -c "
	cd '$work' && JWEAVE_OUTPUT=t JWEAVE_SUMMARY=0 timeout 60 java -jar out1.jar 2>&1 | grep -qx 40 && [ -s t.prv ]"

# a JVM that its own library does not suit tries that for musl, and says what was wrong with the first
head -c 4096 /dev/zero >"$work/rt/linux-$machine.so"
check 'a weaver with a library for nobody is built' build
"$work/jweave" --no-guard "$work/in.jar" "$work/all.json" "$work/bad.jar" >/dev/null
check 'it runs without tracing, and says why' sh -c "
	cd '$work' && JWEAVE_OUTPUT=bad timeout 60 java -jar bad.jar >said 2>&1 && grep -qx 40 said && grep -q 'jweave: tracing is off: .*ELF header' said"
cp "$BUILD/libjweave-rt.so" "$work/rt/linux-musl-$machine.so"
check 'and one whose second suits' build
"$work/jweave" --no-guard "$work/in.jar" "$work/all.json" "$work/second.jar" >/dev/null
check 'it traces with that' sh -c "
	cd '$work' && JWEAVE_OUTPUT=s JWEAVE_SUMMARY=0 timeout 60 java -jar second.jar 2>&1 | grep -qx 40 && [ -s s.prv ]"
finish
