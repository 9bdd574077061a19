#!/usr/bin/perl
# cfg_check.pl FILE.cfg TRACE.pcf: is this a Paraver configuration (version 3.4) for such traces?
# One line a fault; exit status 1 with any. A gradient must be the one that leaves 0 blank: the other paints idle
# rows as if they were busy.
use strict;
use warnings;

my ($file, $pcf) = @ARGV;
my $faults = 0;
sub fault { print "$file:$.: $_[0]\n"; $faults++; return }

# in the order in which Paraver writes them
my @single = qw(name type id position_x position_y width height comm_lines_enabled flags_enabled noncolor_mode color_mode
	logical_filtered physical_filtered comm_fromto comm_tagsize comm_typeval units maximum_y minimum_y compute_y_max level
	scale_relative end_time_relative object begin_time_relative open drawmode drawmode_rows pixel_size labels_to_draw
	selected_functions compose_functions);
my %comm = map { $_ => 1 } qw(logical_filtered physical_filtered comm_fromto comm_tagsize comm_typeval);
my @composed = grep { !$comm{$_} } @single;
splice @composed, 3, 0, qw(factors operation identifiers);
my @table = qw(Name X Y Width Height ControlWindow DataWindow Accumulator Statistic CalculateAll HideCols HorizVert Color
	SemanticColor Zoom SortCols SortCriteria Parameters AnalysisLimits ComputeYScale Minimum Maximum Delta ComputeGradient
	MinimumGradient MaximumGradient DrawModeObjects DrawModeColumns PixelSize ColorMode ShowOnlyTotals ShortHeaderLabels);
my @levels = qw(cpu appl task thread node system workload);
my @selected = (@levels, qw(from_obj to_obj tag_msg size_msg bw_msg evt_type evt_value));
my @derived = qw(appl task node system workload);
my @compose = ((map { "compose_$_" } @levels), qw(topcompose1 topcompose2));
my %function = map { $_ => 1 } ('As Is', 'Sign', 'Stacked Val', 'Nesting level', 'Burst Time', 'Active Thd', 'Adding',
	'Last Evt Val', 'State As Is', 'Useful', 'All', '=', 'None');
my %value = (
	window_type => qr/^(?:single|composed)$/, window_level => qr/^thread$/, window_operation => qr/^(?:product|add)$/,
	window_units => qr/^(?:Nano|Micro|Milli)?[sS]econds$/, window_object => qr/^appl \{ 1, \{ All \} \}$/,
	window_color_mode => qr/^window_in_(?:code|null_gradient)_mode$/,
	'Analyzer2D.Statistic' => qr/^(?:Time|% Time|# Bursts|Average|Maximum)$/, 'Analyzer2D.AnalysisLimits' => qr/^Alltrace$/,
	'Analyzer2D.Parameters' => qr/^4(?: -?\d+\.\d+){4}$/,
	'Analyzer2D.HorizVert' => qr/^(?:Horizontal|Vertical)$/, 'Analyzer2D.Zoom' => qr/^(?:En|Dis)abled$/,
	'Analyzer2D.SortCriteria' => qr{^(?:Average|Total|Maximum|Minimum|Stdev|Avg/Max)$},
	'Analyzer2D.ColorMode' => qr/^window_in_(?:code|null_gradient)_mode$/,
);
# Timelines write true, tables True. The way of drawing is a number to every Paraver (a word only to
# late ones; the others keep their default and say nothing).
$value{"window_$_"} = qr/^(?:true|false)$/ for qw(comm_lines_enabled flags_enabled noncolor_mode compute_y_max open), keys %comm;
$value{"Analyzer2D.$_"} = qr/^(?:True|False)$/ for qw(CalculateAll HideCols Color SemanticColor SortCols ComputeYScale
	ComputeGradient ShowOnlyTotals ShortHeaderLabels);
$value{"window_$_"} = qr/^[0-7]$/ for qw(drawmode drawmode_rows);
$value{"window_$_"} = qr/^(?:0|[1-9]\d{0,4})$/ for qw(id position_x position_y width height pixel_size labels_to_draw);
$value{"Analyzer2D.$_"} = qr/^(?:0|[1-9]\d{0,4})$/ for qw(X Y Width Height ControlWindow DataWindow PixelSize);
$value{"window_$_"} = qr/^-?\d+\.\d+$/ for qw(maximum_y minimum_y scale_relative end_time_relative begin_time_relative);
$value{"Analyzer2D.$_"} = qr/^-?\d+\.\d+$/ for qw(Minimum Maximum Delta MinimumGradient MaximumGradient);

# labels of types in the .pcf
my (%label, $types);
open my $in, '<', $pcf or die "$pcf: $!\n";
while (<$in>) {
	$types = /^EVENT_TYPE$/ ? 1 : /^VALUES$/ ? 0 : $types;
	$label{$1} = $2 if $types && /^\d+\s+(\d+)\s+(\S.*?)\s*$/;
}
close $in;

sub functions {
	my ($key, $text, @want) = @_;
	my ($count, $list) = $text =~ /^\{ (\d+), \{ (.*?),? ?\} \}$/ or return fault("$key: not a list");
	my @pair = $list =~ /\{(\w+, [^}]+)\}/g;
	my @name = map { /^(\w+)/ } @pair;
	fault("$key: $count announced, " . @pair . ' there') if $count != @pair;
	fault("$key: not @want") if "@name" ne "@want";
	$function{ s/^\w+, //r } or fault("$key: unknown function in \"$_\"") for @pair;
	return;
}

my ($windows, @keys, @want, %seen, $what, $filters) = (0);
sub finish {
	return unless $what;
	fault("$what: keys are not in order: got @keys") if "@keys" ne "@want";
	fault("$what: a filter without its label") if $filters && $filters % 2;
	@keys = ();
	$filters = 0;
	return;
}

open $in, '<', $file or die "$file: $!\n";
my @head = map { scalar <$in> // '' } 1 .. 3;
fault('no #ParaverCFG') if $head[0] ne "#ParaverCFG\n";
fault('not version 3.4') if $head[1] ne "ConfigFile.Version: 3.4\n";
my ($announced) = $head[2] =~ /^ConfigFile\.NumWindows: (\d+)$/ or fault('no number of windows');
my ($described, $type) = (0, '');
while (my $line = <$in>) {
	chomp $line;
	$described++ if $line =~ /^ConfigFile\.(?:Begin|End)Description$/;
	next if $described < 2 || $line eq '' || $line =~ /^(?:#{80}|ConfigFile\.EndDescription)$/;
	if ($line =~ /^< NEW DISPLAYING WINDOW (.+) >$/) {
		finish();
		$windows++;
		($what, $type) = ("window $1", '');
	} elsif ($line eq '< NEW ANALYZER2D >') {
		finish();
		($what, @want) = ('table', @table);
	} elsif ($line =~ /^window_filter_module (evt_type|evt_type_label) 1 (.+)$/) {
		$filters++;
		$seen{$1} = $2;
		if ($1 eq 'evt_type') { fault("type $2 is in no trace of ours") unless $label{$2} }
		elsif ($2 ne '"' . ($label{ $seen{evt_type} // '' } // '') . '"') { fault("$2 is not the label of the type") }
	} elsif ($line =~ /^(?:(window_)|(Analyzer2D\.))(\w+):? (.+)$/) {
		my ($key, $text) = ($3, $4);
		my $whole = ($1 // $2) . $key;
		push @keys, $key;
		if ($whole eq 'window_type') { $type = $text; @want = $type eq 'single' ? @single : @composed }
		fault("$whole: not \"$text\"") if $value{$whole} && $text !~ $value{$whole};
		fault("window number $text") if $whole eq 'window_id' && $text != $windows;
		if ($key eq 'identifiers' || $key =~ /^(?:Control|Data)Window$/) {
			($key eq 'identifiers' ? $_ < $windows : $_ <= $windows) && $_ > 0 or fault("no window $_ before") for split / /, $text;
		}
		functions($key, $text, $type eq 'single' ? @selected : @derived) if $key eq 'selected_functions';
		functions($key, $text, @compose) if $key eq 'compose_functions';
	} else {
		fault("not a line of a configuration: \"$line\"");
	}
}
finish();
fault("$announced windows announced, $windows there") if ($announced // -1) != $windows;
exit($faults ? 1 : 0);
