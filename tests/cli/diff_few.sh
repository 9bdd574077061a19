#!/bin/sh
# jweave diff: few runs and many figures. What a gate names is judged for itself; what nobody can tell is said.
. tests/cli/run_kit
cd "$dir" || exit 1
# side NAME SELF LONGEST: five runs (JSON lists, of ms) of a method among eight, of a wait of a thread that does little
# else, and of one that most runs have. Each of the other methods takes some 22 ms in five of ten runs, and 32 in the others
side() {
	perl -e '
		my ($side, $self, $longest) = @ARGV;
		my $ms = sub { join ",", map { $_ * 1e6 } split / /, shift };
		my $other = sub {
			my $k = shift;
			my %high = map { ($k + $_) % 5 => 1 } $side eq "a" ? (0, 1) : $k < 5 ? (0, 1, 2) : (0, 1, 3);
			join " ", map { ($high{$_} ? 30 : 20) + $_ } 0 .. 4;
		};
		my @m = ("slow", map { "m$_" } 1 .. 7);
		my @methods = map { my $ns = $ms->($_ eq "slow" ? $self : $other->(/(\d)/));
			qq({"label":"A.$_","class":"A","name":"$_","descriptor":"()V","calls":100,"exceptions":0,"self":[$ns],"total":[$ns],"cpu":null,"longest":null,"p50":null,"p90":null,"p99":null,"p99.9":null}) } @m;
		my $l = $ms->($longest);
		print qq({"kind":"jweave-baseline","version":1,"jweave":"0.1.0","runs":5,"durationNs":[1000000000,1000000000,1000000000,1000000000,1000000000],"calls":[800,800,800,800,800],"methods":[), join(",", @methods),
			qq(],"waits":[{"label":"Thread.sleep in A.tick","littleElse":true,"count":9,"waited":[$l],"longest":[$l]}],"roles":[],"locks":[],"operations":[],"requests":[],"exceptions":[]}\n)' "$@" >"$1.json"
}
side a '21 45 32 20 23' '10 11 12 13 14'
side far '1295 1592 890 572 2229' '10 11 12 13 14'
side near '46 59 52 48 61' '15 25 17 21 29'
side little '21 45 32 20.01 23' '10 11 12 13 14'
run diff a.json far.json
like 'what is far apart has changed among many' "$out" '*
changed: self of 1 method, total of 1 method, mean of 1 method
*+5530.4 %\**A.slow*'
case $out in *'too few'*) ok 'and nothing is open' 1 "$out" ;; *) ok 'and nothing is open' 0 ;; esac
run diff a.json near.json
like 'sides that are apart may be chance' "$out" '*
nothing has changed
too few runs to tell of so many figures whether they have changed, in 1 of the rows: name what you ask for (--fail-on), or compare more runs
*+126.1 %[?]*A.slow*
  [?]: may be noise: too few runs'
run diff --json a.json near.json
is '... in the JSON, too' "$(printf '%s\n' "$out" | grep -o '"verdict":"few-runs"' | grep -c .)" 3
gate() { # gate NAME STATUS SIDE GATE
	run diff --fail-on "$4" a.json "$3.json"
	is "$1" "$status" "$2"
}
gate 'a gate that names it finds it' 5 near 'self(A#slow)>10%'
like '... and says so' "$out" "*
FAILED  --fail-on 'self(A#slow)>10%'
  self ms 23.000 -> 52.000 (+126.1 %)  A.slow"
gate 'among all that it asks for it may be chance' 0 near 'self>10%'
gate 'nothing else is told of it' 0 near 'self(A#m*)>10%'
gate 'who does little else, if it is named' 5 near 'waits.longest(*A.tick)>5ms'
gate '... but not by a gate about all waits' 0 near 'waits.longest>5ms'
gate 'nor where it is the same' 0 far 'waits.longest(*A.tick)>5ms'
run diff --fail-on 'waits.longest(*A.gone)>5ms' a.json near.json
like 'a wait that nobody has is told' "$status$err" "0*warning: --fail-on 'waits.longest(\*A.gone)>5ms' is about no wait that A or B has"
gate 'tiny' 0 little 'self(A#slow)>10%'
run diff --by=self a.json near.json
case $out in *A.tick*) ok 'who does little else is in no table' 1 "$out" ;; *) ok 'who does little else is in no table' 0 ;; esac
# pauses of the collector: none, or many; what an earlier version saved knows nothing of them
perl -pe 's/,"exceptions":\[\]/,"exceptions":[],"gc":[]/' a.json >none.json
perl -pe 's/,"exceptions":\[\]/,"exceptions":[],"gc":[{"label":"pauses of the garbage collector","pauses":[340,345,341,350,344],"time":[127000000,128000000,126000000,129000000,127500000],"longest":900000}]/' a.json >many.json
run diff --fail-on 'gc.pauses>0' --fail-on 'gc.time>50ms' none.json many.json
like 'pauses of the collector' "$status$err
$out" "5
*changed: pauses of 1 garbage collector, time of 1 garbage collector*
  pauses  change  *garbage collector
     344    +344[*]  127.500  *new[*]  *pauses of the garbage collector (new)
*FAILED  --fail-on 'gc.pauses>0'
*FAILED  --fail-on 'gc.time>50ms'*"
run diff --fail-on 'gc.pauses>0' --fail-on-unmatched none.json none.json
is 'no pauses are fine' "$status$err" 0
run diff --fail-on 'gc.pauses>0' a.json many.json
like 'not known' "$status$err$out" "0*undecided  --fail-on 'gc.pauses>0'*"
# changes of nearly nothing have no sign
side up '52.01 65.01 58.01 54.01 67.01' '10 11 12 13 14'
side down '46.002 59.002 52.002 48.002 61.002' '10 11 12 13 14'
perl -pi -e 's/"calls":100/"calls":101/' down.json
run diff near.json down.json
case $out in *' -0.0 %'* | *'+0.0 %'*) ok 'no sign of nothing' 1 "$out" ;; *) like 'no sign of nothing' "$out" '* 0.0 %~*' ;; esac
finish
