#!/bin/sh
# The Paraver configurations: every key is one that Paraver knows, in the order in which it writes
# them; windows are counted, numbered and refer to earlier ones; event types have the numbers and
# labels that our traces have. (Paraver itself says nothing when a line of a configuration is wrong.)
. tests/cli/kit
x=$BUILD/tests/cli/x_recording
[ -x "$x" ] || skip_all 'no x_recording'
(cd "$dir" && "$x" run.jwr run.map 100 2) || exit 1
run prv "$dir/run.jwr" --map "$dir/run.map" -o "$dir/run"
# types that this run had no need of, from the tables that name them
sed -n 's/^OPERATION_TYPE([A-Z]*, "[a-z]*", \([0-9]*\), "\(.*\)")$/EVENT_TYPE\
0    \1    \2/p' base/operations.def >>"$dir/run.pcf"
sed -n 's/^.*X([A-Z_0-9]*, \(4800000[123]\|481000[0-9]*\), "\([^"]*\)".*/EVENT_TYPE\
0    \1    \2/p' trace/paraver/numbers.h >>"$dir/run.pcf"
# captures of presets, and of rules for tasks: their types follow from their labels, as rules/captures.c has it
{ sed -n 's/.*"label": "\(Spark [^"]*\|Hadoop [^"]*\)".*/\1/p' share/presets/*.json; sed -n 's/^TRACE_FACT("\(task[^"]*\)".*/\1/p' trace/engine/facts.def; } | sort -u |
	perl -ne 'chomp; my $h = -3750763034362895579; { use integer; $h = ($h ^ $_) * 1099511628211 for unpack "C*", $_ } $h = unpack "Q", pack "q", $h;
		my $type = 48110000 + $h % 80000; print "EVENT_TYPE\n0    $type    $_ ($type)\n"' >>"$dir/run.pcf"
is 'the type of a label, as traces of Spark have it' "$(grep ' Spark TID (' "$dir/run.pcf")" '0    48141779    Spark TID (48141779)'
ok 'there are configurations' "$([ -s share/cfgs/user_function_profile.cfg ]; echo $?)"
for cfg in share/cfgs/*.cfg; do
	is "$cfg" "$(perl tests/cli/cfg_check.pl "$cfg" "$dir/run.pcf" 2>&1)" ''
done
for number in 60000019 48100001 48100002 48100003 48100012 48100013 48100014 48100015 48100016 48000001 48000002 48100004 48100005 48100006 48100007 48100008 48000003 48100009 48100010 48100011 \
	$(sed -n 's/^OPERATION_TYPE([A-Z]*, "[a-z]*", \([0-9]*\),.*/\1/p' base/operations.def); do
	ok "one for type $number" "$(grep -lq "^window_filter_module evt_type 1 $number\$" share/cfgs/*.cfg; echo $?)"
done
is 'the page of prv names each' "$(for cfg in share/cfgs/*.cfg; do
	grep -q "^\.I ${cfg##*/}" share/man/jweave-prv.1 || echo "$cfg"; done)" ''
# the check itself: each of these is a fault
fault() { # fault NAME SED: a configuration so changed is refused
	sed "$2" share/cfgs/user_function_duration.cfg >"$dir/bad.cfg"
	ok "fault: $1" "$(perl tests/cli/cfg_check.pl "$dir/bad.cfg" "$dir/run.pcf" >/dev/null 2>&1; [ $? = 1 ]; echo $?)"
}
fault 'count of windows' 's/NumWindows: 3/NumWindows: 2/'
fault 'unknown key' 's/window_pixel_size/window_pixels/'
fault 'order' '/^window_level/{h;d;};/^window_object/{G;}'
fault 'reference to a window that is not there' 's/identifiers 1 2/identifiers 1 4/'
fault 'number of a type' 's/evt_type 1 60000019/evt_type 1 60000018/'
fault 'label of a type' 's/User function"/User functions"/'
fault 'unknown function' 's/Stacked Val/Stacked/'
fault 'count of functions' 's/{ 14, {/{ 13, {/'
fault 'way of drawing that old versions skip' 's/^window_drawmode .*/window_drawmode draw_maximum/'
fault 'truth of a timeline' 's/^window_open .*/window_open True/'
fault 'level' 's/window_level thread/window_level task/'
fault 'a gradient that paints 0' 's/null_gradient/gradient/'
like 'they are installed' "$(grep -c 'share/cfgs/\*\.cfg' Makefile)" 1
finish
