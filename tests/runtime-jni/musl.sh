#!/bin/sh
# The runtime for musl: made as `make musl` makes it, without a warning; a process of musl loads it
# late, as a JVM does; and the unit tests of what is in it, with musl.
# Slow: 40 s, builds the runtime for musl.
. tests/runtime-jni/elsewhere

cc=${MUSL_CC:-musl-gcc}
cc_variable=MUSL_CC
tools=
folder=rt-musl
command -v "$cc" >/dev/null || skip_all "no $cc: 'make musl' installs it"
case $(cc -dumpmachine) in
*musl*) skip_all 'this is musl' ;;
esac

platform=linux-musl-$(cc -dumpmachine | sed 's/-.*//')
make_library "$platform" "MUSL_CC=$cc"
needed=$(needed_by "$library")
[ "$needed" = 'libc.so ' ]
ok 'it needs libc alone' $? "$needed"
! readelf -d "$library" | grep -q STATIC_TLS
ok 'its thread variables are not static' $?

cat >"$work/load.c" <<'C'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static void *look(void *library)
{
	return dlsym(library, "JNI_OnLoad") ? library : NULL;
}

int main(int argc, char **argv)
{
	void *library = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW | RTLD_GLOBAL), *seen = NULL;
	pthread_t thread;

	if (!library) {
		puts(dlerror());
		return 1;
	}
	if (pthread_create(&thread, NULL, look, library) || pthread_join(thread, &seen))
		return 2;
	puts(seen ? "loaded" : "JNI_OnLoad is missing");
	dlclose(library);
	return !seen;
}
C
"$cc" -o "$work/load" "$work/load.c" >"$work/out" 2>&1 && timeout 60 "$work/load" "$library" >"$work/out" 2>&1 &&
	grep -q '^loaded$' "$work/out"
ok 'a process of musl loads it' $? "$(cat "$work/out")"
# the test of the test: musl refuses what was made for glibc
BUILD=${BUILD:-build}
! timeout 60 "$work/load" "$BUILD/libjweave-rt.so" >"$work/out" 2>&1
ok 'and not the one for glibc' $? "$(cat "$work/out")"

unit_tests env
finish
