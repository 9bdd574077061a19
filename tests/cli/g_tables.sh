#!/bin/sh
# The tables of `jweave export sqlite` and `tsv`: their columns with what is said of each, and the rows that a small
# trace becomes, which has an event of every type.
. tests/cli/kit
have python3 || skip_all 'no python3'
cd "$dir" || exit 1
event() { # event THREAD TIME TYPE VALUE
	echo "2:1:1:1:$1:$2:$3:$4"
}
{
	echo '#Paraver (25/11/2026 at 10:00):1000_ns:1(1):1:1(3:1)'
	echo 1:1:1:1:1:0:600:1
	event 1 100 60000019 7
	event 1 110 60000019 8
	event 1 110 48100023 5 # the call site
	event 1 120 48101005 1 # lock
	event 1 120 48100004 77 && event 1 120 48100022 3
	echo 3:1:1:1:1:130:130:1:1:1:2:220:220:1:503
	event 1 130 48100005 4096 && event 1 130 48100004 0 && event 1 130 48101005 0
	event 1 140 48000002 1 && event 1 150 48100006 3 && event 1 160 48100007 3 && event 1 170 48100008 3
	event 1 170 48000002 0
	event 1 180 48000003 64 && event 1 180 48100009 3
	event 1 190 48100010 3 && event 1 190 48100011 12
	event 2 200 60000019 8
	event 2 205 48100001 1 && event 2 205 48100002 78 && event 2 205 48100020 3 && event 2 205 48100021 4
	event 2 208 48100040 1
	event 1 210 48100024 1 && event 1 210 60000019 0
	event 2 220 48100001 0
	event 2 230 48100028 1 && event 2 240 48100028 2 && event 2 250 48100028 3 && event 2 260 48100028 0
	event 2 270 48100029 1 && event 2 280 48100025 9 && event 2 290 48100003 2
	event 2 300 48100012 33 && event 2 300 48100013 1 && event 2 310 48100012 0 && event 2 310 48100013 0
	event 2 315 48100030 6 && event 2 315 48100031 512 && event 2 315 48100033 5
	event 2 316 48100030 6 && event 2 316 48100032 64 && event 2 316 48100033 1
	for kind in 4 5 6 7 8 9 10 11 12 0; do event 2 317 48100028 $kind; done
	event 1 320 48100014 1 && event 1 330 48100015 8 && event 1 340 48100016 1 && event 1 350 48100016 0
	event 3 400 48000001 1 && event 3 450 48000001 0
	event 1 500 48200001 42
	event 1 510 48101009 99 && event 1 520 48101009 0
	event 1 600 60000019 0
	event 1 600 48100026 123 && event 1 600 48100027 456
} | sed 's/ *#  *the.*//; s/ *# lock//' >t.prv
cat >t.pcf <<'P'
EVENT_TYPE
0 60000019 Java method
VALUES
7 Shop.pay [shop.Shop.pay(long):void Shop.java:12]
8 Shop.price [shop.Shop.price():int Shop.java:20]

EVENT_TYPE
0 48100009 class
VALUES
3 shop.Till

EVENT_TYPE
0 48100023 Java call site
VALUES
5 Lock.lock in Shop.pay (Shop.java:13) [lock/lock]

EVENT_TYPE
0 48100021 place
VALUES
4 Shop.price (Shop.java:21)
P
printf 'LEVEL THREAD SIZE 3\nfirst\nsecond\nJVM\n' >t.row
need "$jweave" export -q sqlite t.prv
need "$jweave" export -q tsv --table=all t.prv
python3 - >got <<'P'
import os, sqlite3
db = sqlite3.connect('t.db')
for sql, in db.execute("select sql from sqlite_master where sql is not null and type <> 'view' and name not like 'sqlite%' order by rowid"):
    print(sql + ';')
for name in sorted(os.listdir('t.tsv')):
    print('\n' + name)
    print(''.join(sorted(line for line in open(os.path.join('t.tsv', name)) if not line.startswith('jweave\t'))), end='')
P
same_text tables.txt got
"$jweave" export --list | grep -E '^(sqlite|tsv)' | tr -s ' ' >got
printf '%s\n' 'sqlite NAME.db a database of calls, states, arrows, events: for SQL' \
	'tsv NAME.tsv the same tables as text: --table names one, or all (a folder)' >want
check '--list' diff want got
finish
