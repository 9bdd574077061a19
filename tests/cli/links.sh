#!/bin/sh
# Arrows between two processes by keys ("link" of rules): numbers of all 64 bits, texts, keys of several
# parts, ids that are made at both ends; what holds meanwhile; what is said of messages with one end.
# Slow: 10 s, two JVMs each for 17 and 25.
. tests/cli/kit
cd "$dir" || exit 1
have javac || skip_all 'no JDK'

mkdir src
cat >src/Talk.java <<'J'
package talk;
import java.io.*;
import java.net.*;
/* client PORTFILE | server PORTFILE: 50 requests and answers, one after another. */
public class Talk {
	static class Id { Id(long id, String kind) { } }
	static class Context { Context(int part) { } }
	static void send(long id) { }
	static void arrive(long id) { }
	static String name(DataInputStream in, int n) throws IOException { return in.readUTF(); }
	static void tell(DataOutputStream out, String name, int n) throws IOException { out.writeUTF(name); out.flush(); }
	static void task(long tid, Runnable r) { r.run(); }
	static long id(int i) { return i * 0x0123456789abcdefL ^ (i % 2 == 0 ? -1L : 0); }
	static void client(DataInputStream in, DataOutputStream out) throws Exception {
		for (int i = 0; i < 50; i++) {
			send(id(i));
			out.writeLong(id(i));
			new Id(id(i), "k" + i % 3);
			tell(out, "name" + i % 5, i);
			in.readInt();
		}
		send(77); // nobody gets it
		arrive(78); // nobody has sent it
	}
	static void server(DataInputStream in, DataOutputStream out) throws Exception {
		for (int i = 0; i < 50; i++) {
			final int part = i;
			long id = in.readLong();
			arrive(id);
			new Id(id, "k" + i % 3);
			name(in, i);
			task(i, () -> { new Context(part % 4); });
			out.writeInt(i);
			out.flush();
		}
	}
	public static void main(String[] args) throws Exception {
		File file = new File(args[1]);
		boolean serves = args[0].equals("server");
		ServerSocket listens = null;
		if (serves) {
			listens = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
			File t = new File(args[1] + ".new");
			try (Writer w = new FileWriter(t)) { w.write("" + listens.getLocalPort()); }
			t.renameTo(file);
		}
		while (!file.exists()) Thread.sleep(10);
		int port = Integer.parseInt(new BufferedReader(new FileReader(file)).readLine());
		try (Socket s = serves ? listens.accept() : new Socket(InetAddress.getLoopbackAddress(), port)) {
			DataInputStream in = new DataInputStream(new BufferedInputStream(s.getInputStream()));
			DataOutputStream out = new DataOutputStream(new BufferedOutputStream(s.getOutputStream()));
			if (serves) server(in, out); else client(in, out);
		}
		System.out.println("done");
	}
}
J
javac -encoding UTF-8 -source 8 -target 8 -Xlint:-options -d classes src/Talk.java || exit 1
cat >rules.json <<'R'
{ "jweave": 1, "rules": [
  { "match": "talk.Talk#send(long)", "capture": [ { "what": "arg0", "label": "request" } ],
    "link": { "name": "request", "key": "arg0", "end": "send" } },
  { "match": "talk.Talk#arrive(long)", "link": { "name": "request", "key": "arg0", "end": "receive" } },
  { "match": "talk.Talk$Id#<init>(long, ..)", "link": { "name": "id", "key": [ "arg0", "arg1" ], "end": "both" } },
  { "match": "talk.Talk#tell(*, java.lang.String, int)", "link": { "name": "name", "key": [ "arg1", "arg2" ], "end": "send" } },
  { "match": "talk.Talk#name(..)", "link": { "name": "name", "key": [ "return", "arg1" ], "end": "receive" } },
  { "match": "talk.Talk#task(long, ..)", "capture": [ { "what": "arg0", "type": 48200040, "label": "TID", "hold": true } ] },
  { "match": "talk.Talk$Context#<init>", "capture": [ { "what": "arg0", "type": 48200041, "label": "partition", "hold": "around" } ] } ] }
R
need "$jweave" -q --no-guard classes rules.json woven
run explain -r rules.json classes 'talk.Talk#name'
like 'explain: a link' "$out" '*captures arg1 return, link name (receive) by return arg1*'
run explain --json -r rules.json classes 'talk.Talk#send'
like '... as JSON' "$out" '*"link":"link request (send) by arg0"*'
sql() { python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print("|".join(map(str, row)))' "$@"; }

for java in /usr/lib/jvm/*-17-*/bin/java /usr/lib/jvm/*-25-*/bin/java; do
	[ -x "$java" ] || { skip "a run on ${java%/bin/java}" 'it is not there'; continue; }
	of=$(basename "${java%/bin/java}")
	[ ! -e "$of-server.jwr" ] || continue
	for who in server client; do
		JWEAVE_OUTPUT=$of-$who JWEAVE_KEEP=1 JWEAVE_CONVERT=off timeout 60 "$java" -cp woven talk.Talk $who "$of.port" >"$who.out" 2>&1 &
	done
	wait
	is "$of: both ran" "$(cat server.out client.out | grep -c '^done$')" 2
	run prv "$of-client.jwr" "$of-server.jwr" -o "$of"
	is "$of: merged" "$status" 0
	like "$of: values that no trace can show" "$err" '*50 captured values of request (type 481*) below 0 or above 2^53, left out*'
	is "$of: a valid trace" "$(cd "$root" && perl tests/paraver/validate.pl "$dir/$of.prv" 2>&1 | tail -2; echo $?)" 0
	is "$of: an arrow for every message" "$(sed -n 's/^3:.*:\(1000[0-9]\)$/\1/p' "$of.prv" | sort | uniq -c | tr -s ' \n' ' ')" \
		' 50 10001 50 10002 50 10003 '
	is "$of: none backwards" "$(awk -F: '$1 == 3 && $7 > $13' "$of.prv" | wc -l)" 0
	is "$of: the names of links" "$(sed -n '/48100034/,/^$/p' "$of.pcf" | tail -n +3 | sort | tr -s ' \n' ' ')" ' 0 End 1 request 2 id 3 name '
	run report --json "$of-client.jwr" "$of-server.jwr"
	like "$of: report" "$out" '*"links":['*'{"name":"request","messages":50,"backward":0,"onlySent":1,"onlyReceived":1,"withoutKey":0}'*
	like "$of: ... ids and names" "$out" '*{"name":"id","messages":50,"backward":0,"onlySent":0,"onlyReceived":0,"withoutKey":0}*{"name":"name","messages":50,*'
	run report "$of-client.jwr" "$of-server.jwr"
	like "$of: as text" "$out" '*messages     backward    only sent  only received  without key  link*        50            0            1              1            0  request*'
	is "$of: a task holds its number, and what is made in it" "$(grep -c ':48200040:1[:]*' "$of.prv") $(grep -c ':48200041:0:48200040:0:' "$of.prv")" "$(grep -c ':48200040:1[:]*' "$of.prv") 50"
	need "$jweave" export -q sqlite "$of-client.jwr" "$of-server.jwr" -o "$of.db"
	is "$of: arrows have names in tables" "$(sql "$of.db" "select operation, count(*) from arrows where operation in ('request', 'id', 'name') group by 1 order by 1")" 'id|50
name|50
request|50'
done
finish
