# What prove prints for `make check`: a line for each file as it ends ("37 of 208"), failed tests with what they
# said, and at the end what was skipped and why, then prove's own summary as its last lines.
package Progress;
use strict;
use warnings;
use parent 'TAP::Formatter::File';

sub prepare {
	my ($self, @tests) = @_;
	$self->SUPER::prepare(@tests);
	@$self{qw(files ended start skips)} = (scalar @tests, 0, time, []);
	$self->stdout->autoflush;
}

sub open_test {
	my ($self, $test, $parser) = @_;
	return Progress::Session->new({ name => $test, formatter => $self, parser => $parser });
}

# Called once a file, when it has ended.
sub _format_name {
	my ($self, $test) = @_;
	my $of = $self->{files} // 1;
	return sprintf '%*d of %d  %s', length $of, ++$self->{ended}, $of, $self->SUPER::_format_name($test);
}

sub summary {
	my ($self, $aggregate, $interrupted) = @_;
	$self->_output("\n", $self->totals($aggregate), "\n") unless $self->silent;
	$self->timer(0); # the time of day is on every line above
	$self->SUPER::summary($aggregate, $interrupted);
}

# "208 files, 8,102 tests passed in 11 min 48 s; 3 files and 12 tests skipped:" and a line for each file that did.
sub totals {
	my ($self, $aggregate) = @_;
	my @failed = grep { ($aggregate->parsers($_))[0]->has_problems } $aggregate->descriptions;
	my @whole = grep { !$_->{tests} } @{ $self->{skips} };
	my $single = 0;
	$single += $_->{tests} for @{ $self->{skips} };
	my $files = $aggregate->descriptions - @failed - @whole;
	my $text = counted($files, 'file') . ', ' . counted($aggregate->passed - $single, 'test') . ' passed';
	$text .= ', ' . counted(scalar @failed, 'file') . ' failed' if @failed;
	$text .= ' in ' . duration(time - $self->{start});
	my @kinds = ((@whole ? counted(scalar @whole, 'file') : ()), ($single ? counted($single, 'test') : ()));
	$text .= '; ' . join(' and ', @kinds) . ' skipped:' if @kinds;
	return join "\n", $text, map { "  $_->{file}" . ($_->{tests} ? ': ' . counted($_->{tests}, 'test') : '') . " ($_->{why})" }
		sort { $a->{file} cmp $b->{file} || $a->{why} cmp $b->{why} } @{ $self->{skips} };
}

# 8,102 tests
sub counted {
	my ($n, $what) = @_;
	1 while $n =~ s/^(\d+)(\d{3})/$1,$2/;
	return "$n $what" . ($n eq '1' ? '' : 's');
}

sub duration {
	my ($seconds) = @_;
	return $seconds < 60 ? "$seconds s" : sprintf '%d min %02d s', $seconds / 60, $seconds % 60;
}

package Progress::Session;
use parent -norequire, 'TAP::Formatter::File::Session';

# Comments are kept until it is known whether they belong to a test that failed: programs explain before its
# line, scripts after it.
sub result {
	my ($self, $result) = @_;
	$self->SUPER::result($result);
	if ($result->is_comment) {
		push @{ $self->{ $self->{failing} ? 'said' : 'pending' } }, $result->raw;
	} elsif ($result->is_test) {
		$self->{failing} = !$result->is_ok;
		push @{ $self->{said} }, @{ $self->{pending} // [] }, $result->raw if $self->{failing};
		$self->{pending} = [];
		$self->{why}{ $result->explanation || 'no reason given' }++ if $result->has_skip;
	}
}

sub close_test {
	my ($self) = @_;
	my ($parser, $formatter) = ($self->parser, $self->formatter);
	my $why = $parser->skip_all ? { $parser->skip_all => 0 } : $self->{why} // {};
	push @{ $formatter->{skips} }, map { { file => $self->name, tests => $why->{$_}, why => $_ } } keys %$why;
	# what the verbose form shows anyway
	$self->{results} = join '', map { "$_\n" } @{ $self->{said} // [] } if $parser->has_problems && !$formatter->verbose;
	$self->SUPER::close_test;
}

# Wall time alone: with several at once, prove knows the CPU time of all of them together.
sub time_report {
	my ($self, $formatter, $parser) = @_;
	return '' unless $formatter->timer;
	return sprintf ' %6.1f s', $parser->end_time - $parser->start_time;
}

1;
