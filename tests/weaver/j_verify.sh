#!/bin/sh
# Whole modules of the JDK, every method of them woven: HotSpot links every class exactly as it links
# the original, with branches of the real length and of 150 bytes (java.xml: 400, too); and javac, woven whole,
# compiles to the same class files, each enter with its exit.
# Slow: 80 s, HotSpot links four modules, and javac, woven, compiles.
set -u
. tests/weaver/j_modules

# LEAST: how many classes
counted() { check "$1: its classes are tried" [ "$(sed -n 's/^tried //p' "$module/before")" -ge "$2" ]; }
weave_module "$home17" java.xml 2000 --branch=32767 --branch=400 --branch=150
weave_module "$home17" java.desktop 5000 --branch=32767 --branch=150
weave_module "$home17" jdk.compiler 1500 --branch=32767 --branch=150
weave_javac --branch=32767 --branch=150

if home25=$(find_jdk 25); then
	weave_module "$home25" java.xml 2000 --branch=32767 --branch=150
	weave_module "$home25" jdk.compiler 1500 --branch=32767
else
	without_jdk25 'modules of JDK 25'
fi
finish
