#!/bin/sh
# jweave run: signed jars, which lose their signatures when they are woven.
# Slow: 15 s, JVMs run one after the other.
. tests/cli/run_kit
command -v jarsigner >/dev/null && command -v keytool >/dev/null || skip_all 'no jarsigner'
cd "$dir" || exit 1
mkdir -p src/com/acme src/com/other o1 o2 o3
echo 'package com.acme; public class Api { static String name() { return "api"; } }' >src/com/acme/Api.java
cat >src/com/acme/Impl.java <<'J'
package com.acme;
public class Impl {
	static int work(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
	public static void main(String[] a) {
		System.out.println(Api.name() + " " + work(4) + " " + com.other.Other.signed());
	}
}
J
cat >src/com/other/Other.java <<'J'
package com.other;
public class Other { public static boolean signed() { return Other.class.getSigners() != null; } }
J
javac -d o1 src/com/acme/Api.java && javac -d o3 src/com/other/Other.java && javac -cp o1:o3 -d o2 src/com/acme/Impl.java || skip_all 'no JDK'
printf 'Main-Class: com.acme.Impl\nClass-Path: api.jar other.jar\n' >mf
jar cf api.jar -C o1 . && jar cfm impl.jar mf -C o2 . && jar cf other.jar -C o3 .
keytool -genkeypair -keystore ks -storepass secret -alias k -dname CN=k -keyalg EC >/dev/null 2>&1
for jar in api impl other; do jarsigner -keystore ks -storepass secret $jar.jar k >/dev/null 2>&1 || skip_all 'no signature'; done
echo '{"jweave":1,"rules":[{"id":"w","match":"com.acme.Impl#work"}]}' >r.json

try() { # try WORDS...: status, out, err without what is traced
	timeout 60 "$jweave" run -q "$@" >.out 2>.err </dev/null
	status=$?
	out=$(cat .out)
	rm -rf trace-*
}
said() { # the notes of signatures of the same command
	timeout 60 "$jweave" run "$@" 2>&1 >/dev/null </dev/null | grep signature
	rm -rf trace-*
}
many='jweave: note: the signatures of 2 jars were removed, since woven classes do not match them'
is 'the program' "$(java -jar impl.jar)" 'api 6 true'
for order in '-jar impl.jar' '-cp api.jar:impl.jar:other.jar com.acme.Impl' '-cp impl.jar:other.jar:api.jar com.acme.Impl'; do
	try -r r.json -- java $order
	is "java $order: jars of a package have no signature, others have theirs" "$status$out" '0api 6 true'
	is '... which is said' "$(said -r r.json -- java $order)" "$many"
done
for order in '-jar impl.jar' '-cp api.jar:impl.jar:other.jar com.acme.Impl'; do # no library
	try -r r.json -- env -i "PATH=$PATH" java $order
	is "env -i java $order: likewise" "$status$out" '0api 6 true'
	is '... which is said' "$(said -r r.json -- env -i "PATH=$PATH" java $order)" "$many"
done
copy=$(find cache -name api.jar | head -n 1)
is 'the copy has all but the signature' "$(jar tf "$copy" | sort | tr '\n' ' ')" "$(jar tf api.jar | grep -v 'K\.' | sort | tr '\n' ' ')"
is '... also in its manifest' "$(unzip -p "$copy" META-INF/MANIFEST.MF | grep -c Digest)" 0
sed 's/Impl#work/Impl#none/' r.json >none.json
is 'nothing woven, nothing removed' "$(said -r none.json -- java -jar impl.jar)" ''
echo '{"jweave":1,"rules":[{"id":"w","match":"com.other.Other#signed"}]}' >r.json
try -r r.json -- java -jar impl.jar
is 'one that shares nothing' "$status$out" '0api 6 false'
is '... alone' "$(said -r r.json -- java -jar impl.jar)" "jweave: note: the signature of '$dir/other.jar' was removed, since woven classes do not match it"
finish
