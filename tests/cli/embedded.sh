#!/bin/sh
# run, of programs that are a JVM themselves: what jpackage has packed, and jsvc.
# Slow: 15 s, images of a Java runtime.
. tests/cli/run_kit
cd "$dir" || exit 1
mkdir -p src/acme classes packed in
cat >src/acme/Shop.java <<'J'
package acme;
public class Shop implements Runnable {
	static volatile boolean stopped;
	Thread thread;
	static int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
	public void init(String[] a) { }
	public void start() { thread = new Thread(this); thread.start(); }
	public void stop() throws Exception { stopped = true; thread.join(); }
	public void destroy() { }
	public void run() { while (!stopped) { sum(1000); try { Thread.sleep(5); } catch (InterruptedException e) { } } }
	public static void main(String[] a) throws Exception {
		for (String s : a) System.out.println(s + sum(10));
		if (a.length == 0) new ProcessBuilder(System.getProperty("other"), "-cp", System.getProperty("jar"), "acme.Shop", "child").inheritIO().start().waitFor();
	}
}
J
javac -d classes src/acme/Shop.java && jar cf in/shop.jar -C classes . || skip_all 'javac does not work'
traced() { # traced NAME TRACE CALLS
	run report "$2"
	is "$1" "$(printf '%s\n' "$out" | awk '/ Shop.sum$/ { print $1 }')" "$3"
}

# ---- jpackage ----
if ! command -v jpackage >/dev/null || ! jpackage --type app-image -n shop -i in --main-jar shop.jar --main-class acme.Shop \
	-d packed --add-modules java.base --arguments one --java-options "-Dother=$(command -v java)" --java-options '-Djar=$APPDIR/shop.jar' >.out 2>&1; then
	skip 'what jpackage has packed' "no jpackage that works: $(head -c 200 .out 2>/dev/null)"
else
	run run -o byname -- packed/shop/bin/shop two three
	is 'packed: runs as it does' "$status$out" "0two45
three45"
	like '... is traced by default' "$err" "*note: wove * in 1 class of '$(pwd -P)/packed/shop/lib/app/shop.jar'
jweave: 1 thread, 3 calls, 2 methods in * s -> $(pwd -P)/byname.prv
*"
	traced '... its calls' byname.prv 2
	mkdir links && ln -s ../packed/shop/bin/shop links/run-shop
	(cd links && PATH=$PATH:. timeout "$run_seconds" "$jweave" run -o ../bylink -- run-shop) >.out 2>.err
	like '... by PATH and a link' "$(cat .out .err)" "one45*
jweave: 1 thread, 2 calls, 2 methods in * -> */bylink.prv*"
	traced '... likewise' bylink.prv 1
	sed 's/^arguments=.*//' packed/shop/lib/app/shop.cfg >cfg && mv cfg packed/shop/lib/app/shop.cfg
	run run -o parent- -- packed/shop/bin/shop
	is 'packed: a java that it starts' "$status$out $(ls parent-*.prv parent*.prv 2>/dev/null | sort -u | wc -l)" '0child45 2'
	cp -r packed/shop folder && rm folder/lib/app/shop.jar && cp -r classes folder/lib/app/classes
	sed -i 's/shop\.jar/classes/' folder/lib/app/shop.cfg
	run run -- folder/bin/shop two
	is 'packed, of a folder: runs' "$status$out" 0two45
	like '... and what is not traced is told' "$err" "*warning: '$(pwd -P)/folder/bin/shop' is a JVM itself: folders of classes, modules and copies of its jars cannot be given to it, *"
	head -c 2000000 /dev/zero >folder/lib/app/shop.cfg
	run run -- folder/bin/shop two
	like 'packed: what says how it starts is too large' "$status $err" '4 *shop.cfg: *'
	: >folder/lib/app/shop.cfg
	run run -- folder/bin/shop two
	like 'packed: nothing says what it starts' "$err" '*folder/bin/shop'"'"' has started no program with a java that is seen from here: *'
	printf '[Application]\napp.mainmodule=acme.shop/acme.Shop\n' >folder/lib/app/shop.cfg
	run run -- folder/bin/shop two
	like 'packed: a module in its image' "$err" "jweave: warning: the module 'acme.shop' is in the Java image itself, *"
fi

# ---- jsvc ----
daemon=/usr/share/java/commons-daemon.jar
if ! jsvc=$(command -v jsvc) || [ ! -e "$daemon" ]; then
	skip 'jsvc' 'there is none'
else
	home=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/.*java.home = //p')
	service() { # service NAME JSVC-OPTIONS: until the service is up
		rm -f pid
		"$jweave" run -o "$1" -- "$jsvc" -home "$home" -cp "$dir/in/shop.jar:$daemon" -pidfile "$dir/pid" -outfile "$dir/service.out" -errfile "$dir/service.err" \
			$2 acme.Shop >"$1.out" 2>&1 &
		runs=$!
		for i in $(seq 100); do [ -s pid ] && break || sleep 0.1; done
		sleep 2
	}
	service front -nodetach
	kill "$(cat pid)"
	wait $runs
	is 'jsvc: traced' "$(grep -c "where the time went" front.out) $(ls front.prv)" '1 front.prv'
	service detached
	wait $runs
	like 'jsvc, a daemon: goes on' "$(cat detached.out)" "*'$(readlink -f "$jsvc")' has ended, and what it has started goes on: *leaves its trace when it ends, as '$(pwd -P)/detached.prv'"
	run run -- "$jsvc" -stop -pidfile "$dir/pid" acme.Shop
	is '... stopped by a run, which traces nothing then' "$status$err" 0
	for i in $(seq 100); do [ -e detached.prv ] && break || sleep 0.1; done
	run report detached.prv
	like '... and leaves its trace' "$out" '*Shop.sum*'
fi
finish
