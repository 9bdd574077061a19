#!/bin/sh
# jweave report --requests: requests on connections of a trace that is known, as text and as JSON.
. tests/cli/kit
cd "$dir" || exit 1
json() { # json PERL: evaluates it on $r, the result of the last run
	printf %s "$out" | perl -MJSON::PP -e 'local $/; $r = decode_json(<>); print '"$1"
}
# moves PROCESS THREAD END CHANNEL read|written NS: 8 bytes
moves() {
	case $5 in read) type=48100031 ;; *) type=48100032 ;; esac
	echo "2:0:1:$1:$2:$3:48100030:$4:$type:8:48100033:$6"
}
{
	echo '#Paraver (1/1/2025 at 0:00):10000000_ns:0:1:2(2:0,1:0),0'
	echo 1:0:1:1:1:0:10000000:1
	moves 2 1 1000000 3 written 1000
	moves 1 1 1100000 1 read 1000
	moves 1 2 2000000 1 written 5000
	moves 2 1 2100000 3 read 1000
	moves 2 1 3000000 3 written 1000
	moves 1 1 3100000 1 read 1000
	moves 1 1 6000000 1 written 2000
	moves 2 1 6100000 3 read 1000
	moves 1 2 7000000 2 read 1
	moves 1 2 7500000 2 written 1
} >two.prv
cat >two.pcf <<'P'
EVENT_TYPE
0 48100030 Java connection or file
VALUES
0 End
1 tcp 10.0.0.1:80 < 10.0.0.2:4000
2 tcp 10.0.0.1:80 < 10.0.0.2:4001
3 tcp 10.0.0.2:4000 > 10.0.0.1:80

P
printf 'LEVEL THREAD SIZE 3\nreader\nwriter\nclient\n' >two.row
run report --requests two.prv
is 'text' "$status$err
$out" '0
       count      mean ms       p50 ms       p99 ms   longest ms         at s  connections  requests
           3        1.433        0.900        2.900        2.900     0.003100            2  at 10.0.0.1:80 (process 1)
           2        2.101        1.101        3.101        3.101     0.002999            1  to 10.0.0.1:80 (process 2)
  at: from when the server had read a request; that it waited to be read is in the times of who asks (to), and on the critical path

          ms         at s to answer ms  the slowest
       3.101     0.002999        3.101  tcp 10.0.0.2:4000 > 10.0.0.1:80 (process 2): client asked and read the answer
       2.900     0.003100        2.898  tcp 10.0.0.1:80 < 10.0.0.2:4000 (process 1): reader read it and answered
       1.101     0.000999        1.101  tcp 10.0.0.2:4000 > 10.0.0.1:80 (process 2): client asked and read the answer
       0.900     0.001100        0.895  tcp 10.0.0.1:80 < 10.0.0.2:4000 (process 1): reader read it, writer answered
       0.500     0.007000        0.500  tcp 10.0.0.1:80 < 10.0.0.2:4001 (process 1): writer read it and answered'
run report --requests --top=1 two.prv
like '--top' "$out" '*at 10.0.0.1:80 (process 1)
  and 1 more (--top=N)
  at: from when the server had read a request; that it waited to be read is in the times of who asks (to), and on the critical path

*to answer ms  the slowest
       3.101 *the answer'
run report --requests --json two.prv
is 'JSON: sums' "$(json 'join ", ", map { join " ", @$_{qw(where task process connections count ns p50Ns p99Ns longestNs longestBeginNs)} } @{ $r->{requests} }')" \
	'at 10.0.0.1:80 1 process 1 2 3 4300000 900000 2900000 2900000 3100000, to 10.0.0.1:80 2 process 2 1 2 4202000 1101000 3101000 3101000 2999000'
is 'JSON: the slowest' "$(json 'join " ", map { ($_->{asks} ? "asks" : "answers", @$_{qw(connection task beginNs ns answerNs asker askerName answerer answererName)}) } $r->{slowest}[3]')" \
	'answers tcp 10.0.0.1:80 < 10.0.0.2:4000 1 1100000 900000 895000 1 reader 2 writer'
run report --requests --json --top=1 two.prv
is 'JSON, --top' "$(json 'scalar @{ $r->{requests} } . " " . scalar @{ $r->{slowest} }')" '1 1'
run report --requests --from=0.0025 two.prv
like 'a range' "$out" '*           2 * at 10.0.0.1:80*           1 * to 10.0.0.1:80*'
run report --requests --from=0.004 --to=0.0065 two.prv
is 'a range has those that touch it, whole' "$status$err
$out" '0jweave: note: of the requests 2 began before the range and 0 went on after it: they count whole
       count      mean ms       p50 ms       p99 ms   longest ms         at s  connections  requests
           1        2.900        2.900        2.900        2.900     0.003100            1  at 10.0.0.1:80 (process 1)
           1        3.101        3.101        3.101        3.101     0.002999            1  to 10.0.0.1:80 (process 2)
  at: from when the server had read a request; that it waited to be read is in the times of who asks (to), and on the critical path

          ms         at s to answer ms  the slowest
       3.101     0.002999        3.101  tcp 10.0.0.2:4000 > 10.0.0.1:80 (process 2): client asked and read the answer
       2.900     0.003100        2.898  tcp 10.0.0.1:80 < 10.0.0.2:4000 (process 1): reader read it and answered'
run report --requests --json --from=0.004 --to=0.0045 two.prv
is 'JSON: how many a range cuts' "$(json 'join " ", @{ $r->{cut} }{qw(before after)}, scalar @{ $r->{slowest} }')" '2 2 2'
run report --requests --from=0.008 two.prv
is 'a range without one' "$status$out$err" '0jweave: note: no request is in it: on 3 connections nothing was asked and answered in the range'
grep -v ^2: two.prv >none.prv && cp two.pcf none.pcf && cp two.row none.row
run report --requests none.prv
is 'none' "$status$out$err" '0jweave: note: no request is in it: that needs the bytes of connections, which --events=default,net records'
grep -v ':48100032:' two.prv >unanswered.prv && cp two.pcf unanswered.pcf && cp two.row unanswered.row
run report --requests unanswered.prv
is 'none was answered' "$status$out$err" '0jweave: note: no request is in it: on 3 connections nothing was asked and answered'
run report --requests -q none.prv
is 'none, -q' "$status$out$err" 0
run report --requests --json none.prv
is 'none, JSON' "$(json 'scalar @{ $r->{requests} } + @{ $r->{slowest} }')" 0

# ---- as tables, and as slices ----
run export tsv --table=request two.prv -o -
is 'a table' "$status$err
$out" '0
id	connection	server	process	asks	thread	answer_thread	begin_ns	duration_ns	answer_ns
1	1	10.0.0.1:80	2	1	3	3	999000	1101000	1101000
2	2	10.0.0.1:80	1	0	1	2	1100000	900000	895000
3	1	10.0.0.1:80	2	1	3	3	2999000	3101000	3101000
4	2	10.0.0.1:80	1	0	1	1	3100000	2900000	2898000
5	3	10.0.0.1:80	1	0	2	2	7000000	500000	499999'
run export tsv --table=request --from=0.004 --to=0.0065 two.prv -o - 2>/dev/null
is 'a table of a range: the same as in the report' "$status
$(printf '%s\n' "$out" | cut -f 3,8,9)" '0
server	begin_ns	duration_ns
10.0.0.1:80	2999000	3101000
10.0.0.1:80	3100000	2900000'
run export tsv --table=request none.prv -o -
is 'a table: none' "$status$(printf %s "$out" | wc -l)" 00
if have python3; then
	need "$jweave" export -q perfetto two.prv -o two.pftrace
	is 'perfetto: slices' "$(python3 "$root/tests/cli/perfetto.py" two.pftrace - requests 2>&1)" \
		'asks 10.0.0.1:80: client at 999000 for 1101000; answer began after, ns: 1101000; answer read by: client; connection: tcp 10.0.0.2:4000 > 10.0.0.1:80
answers at 10.0.0.1:80: reader at 1100000 for 900000; answer began after, ns: 895000; answer written by: writer; connection: tcp 10.0.0.1:80 < 10.0.0.2:4000
asks 10.0.0.1:80: client at 2999000 for 3101000; answer began after, ns: 3101000; answer read by: client; connection: tcp 10.0.0.2:4000 > 10.0.0.1:80
answers at 10.0.0.1:80: reader at 3100000 for 2900000; answer began after, ns: 2898000; answer written by: reader; connection: tcp 10.0.0.1:80 < 10.0.0.2:4000
answers at 10.0.0.1:80: writer at 7000000 for 500000; answer began after, ns: 499999; answer written by: writer; connection: tcp 10.0.0.1:80 < 10.0.0.2:4001
nothing is wrong'
else
	skip 'perfetto: slices' 'no python3'
fi
if have python3 && [ -e "$(ldconfig -p 2>/dev/null | sed -n 's/.*libsqlite3\.so\.0 .*=> //p' | head -1)" ]; then
	need "$jweave" export -q sqlite two.prv -o two.db
	is 'a view' "$(python3 -c 'import sqlite3
for row in sqlite3.connect("two.db").execute("select server, does, thread_name, begin_ns, duration_ns, answer_ns, answer_thread_name, connection from requests limit 2"): print(*row)')" \
		'10.0.0.1:80 asks client 2999000 3101000 3101000 client tcp 10.0.0.2:4000 > 10.0.0.1:80
10.0.0.1:80 answers reader 3100000 2900000 2898000 reader tcp 10.0.0.1:80 < 10.0.0.2:4000'
	# a call of the thread that answers, while it does
	sed '/:48100030:1:48100032:8:48100033:5000$/i 2:0:1:1:1:1200000:60000019:1\n2:0:1:1:1:1900000:60000019:0' two.prv >called.prv
	cp two.row called.row && { cat two.pcf; printf 'EVENT_TYPE\n0 60000019 User function\nVALUES\n0 End\n1 Shop.price\n\n'; } >called.pcf
	need "$jweave" export -q sqlite called.prv -o called.db
	is 'docs/sql.md: what is said of requests is answered' "$(python3 - "$root/docs/sql.md" called.db <<'P'
import re, sqlite3, sys
text = open(sys.argv[1]).read().split('## Requests on connections')[1].split('\n## ')[0]
for sql in re.findall(r'^```sql\n(.*?)^```', text, re.M | re.S):
    for row in sqlite3.connect(sys.argv[2]).execute(sql):
        print(*row)
P
)" '2 0.9 reader Shop.price 0.7'
else
	skip 'docs/sql.md: what is said of requests is answered' "no python3, or no SQLite's library"
	skip 'a view' "no python3, or no SQLite's library"
fi

# ---- two sides ----
mkdir fast slow
for i in 1 2 3 4 5; do
	for n in prv pcf row; do cp two.$n fast/$i.$n; cp two.$n slow/$i.$n; done
	sed 's/^2:0:1:2:1:6100000:/2:0:1:2:1:9600000:/' two.prv >slow/$i.prv
done
run diff fast slow
like 'diff: one is slower' "$out" '*1 address of requests*
  count  change *  address of requests
      2 *=* to 10.0.0.1:80*'
sed 's/^2:0:1:1:1:6000000:/2:0:1:1:1:9400000:/' slow/1.prv >both.prv
for i in 1 2 3 4 5; do cp both.prv slow/$i.prv; done
run diff fast slow
like 'diff: both are' "$out" '*2 addresses of requests*'
finish
