# Tools.pm: what the environment says of tools (CC, JAVA_HOME), for the tests in Perl. Those in shell have tests/tap.
package Tools;
use strict;
use warnings;
use Cwd qw(abs_path);
use Exporter 'import';

our @EXPORT = qw(cc java_home);

# The C compiler as the words of a command: CC may hold options, or what runs the compiler.
sub cc {
	my @words = split ' ', $ENV{CC} // '';
	return @words ? @words : 'cc';
}

# JAVA_HOME, or the home of the javac on the PATH, or ''.
sub java_home {
	return $ENV{JAVA_HOME} if $ENV{JAVA_HOME};
	my ($javac) = grep { -x } map { "$_/javac" } split /:/, $ENV{PATH} // '';
	return $javac ? abs_path($javac) =~ s{/bin/javac$}{}r : '';
}

1;
