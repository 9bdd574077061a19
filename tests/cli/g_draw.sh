#!/bin/sh
# jweave draw: a small trace with all that a picture can show, byte for byte, and well formed.
. tests/cli/kit
cd "$dir" || exit 1
f=60000019
cat >tiny.prv <<T
#Paraver (21/11/2025 at 10:00):1000000_ns:0:1:1(4:0),0
1:0:1:1:1:0:1000000:1
2:0:1:1:1:0:$f:1
1:0:1:1:2:50000:300000:1
2:0:1:1:2:50000:$f:2
2:0:1:1:1:100000:$f:3
2:0:1:1:2:100000:$f:4
2:0:1:1:2:299000:$f:0
2:0:1:1:1:300000:$f:0
1:0:1:1:2:300000:600000:5
3:0:1:1:1:590000:590000:0:1:1:2:600000:600000:0:302
1:0:1:1:2:600000:700000:9
1:0:1:1:2:700000:850000:12
1:0:1:1:3:800000:810000:15
1:0:1:1:2:850000:950000:14
2:0:1:1:2:950000:$f:0
1:0:1:1:2:950000:1000000:2
2:0:1:1:1:1000000:$f:0
T
cat >tiny.pcf <<'T'
EVENT_TYPE
0    60000019    User function
VALUES
0   End
1   Main.main [acme.Main.main(java.lang.String[]):void Main.java:3]
2   Worker.run [acme.Worker.run():void Worker.java:7]
3   Map<K,V>.get & put [acme.Map.get():V]
4   Worker.<init> [acme.Worker.<init>():void Worker.java:5]
T
printf 'LEVEL THREAD SIZE 4\nmain\nhttp-nio-8080-exec-with-a-long-name-that-has-no-room-17\nJVM\nidle\n' >tiny.row
well_formed() {
	if have xmllint; then
		check "well formed: $1" xmllint --noout "$1"
	elif have python3; then
		check "well formed: $1" python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$1"
	else
		skip "well formed: $1" 'neither xmllint nor python3'
	fi
}
run draw tiny.prv
is 'said' "$status$err$out" '04 of 4 threads, 4 calls in 1 ms -> tiny.svg'
well_formed tiny.svg
same_text draw.svg tiny.svg
run draw --from=25% --to=650us --busy --max-depth=1 --width=600 --title='<a> & "b"' -o part.svg tiny.prv
is 'a part of it' "$status$err$out" '02 of 4 threads, 4 calls in 400 us -> part.svg'
well_formed part.svg
same_text draw-part.svg part.svg
finish
