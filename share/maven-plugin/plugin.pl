#!/usr/bin/perl
# plugin.pl VERSION: the plugin's descriptor, META-INF/maven/plugin.xml, to standard output.
#
# By a script, so that building takes no plugin of Maven's and no network. What a goal can be told is a line of the tables
# here: field of the class, its Java type, the property that sets it ('': none), its default ('': none), what it is for.
use strict;
use warnings;

my ($version) = @ARGV;
my @common = (
	['program', 'java.io.File', 'jweave.program', '', 'A jweave to run in place of the one that comes with this plugin.'],
	['skip', 'boolean', 'jweave.skip', 'false', 'Do nothing.'],
);
my @rules = (
	['rules', 'java.io.File', 'jweave.rules', '${project.basedir}/jweave.json', 'The rules file.'],
	['input', 'java.io.File', 'jweave.input', '', "What is woven: an archive or a folder of classes. Default: the project's archive if it is made, else its classes."],
);
my @weave = (
	['output', 'java.io.File', 'jweave.output', '', 'Where the copy goes. Default: beside the input, with the classifier in its name.'],
	['classifier', 'java.lang.String', 'jweave.classifier', 'traced', 'What the name of the copy ends with, and its classifier when it is attached.'],
	['attach', 'boolean', 'jweave.attach', 'true', 'The copy of an archive is installed and deployed with the project.'],
	['arguments', 'java.lang.String[]', 'jweave.arguments', '', 'More options of jweave weave, for example --strict.'],
);
my @tests = (
	['rules', 'java.io.File', 'jweave.rules', '', "The rules file. Default: jweave.json if it is there, else the application's methods, as jweave run chooses them."],
	['presets', 'java.lang.String[]', 'jweave.presets', '', 'Built-in rules to trace by, too (jweave presets).'],
	['arguments', 'java.lang.String[]', 'jweave.arguments', '', 'More options of jweave run, for example --summary.'],
);
my @hidden = (
	['project', 'org.apache.maven.project.MavenProject', '${project}'],
	['version', 'java.lang.String', '${plugin.version}'],
	['build', 'org.apache.maven.execution.MavenSession', '${session}'],
	['session', 'org.eclipse.aether.RepositorySystemSession', '${repositorySystemSession}'],
	['remotes', 'java.util.List', '${project.remotePluginRepositories}'],
);
my @classes = (['classes', 'java.io.File', '${project.build.outputDirectory}']);
my @folder = (['folder', 'java.io.File', '${project.build.directory}']);
my @execution = (['execution', 'org.apache.maven.plugin.MojoExecution', '${mojoExecution}']);
my @descriptor = (['descriptor', 'org.apache.maven.plugin.descriptor.PluginDescriptor', '${plugin}']);
my @system = ('repositories', 'org.eclipse.aether.RepositorySystem');
my @helper = ('helper', 'org.apache.maven.project.MavenProjectHelper');
my @lifecycle = ('lifecycle', 'org.apache.maven.lifecycle.LifecycleExecutor');
# goal, class, phase, for what, parameters, hidden ones, components
my @goals = (
	['weave', 'WeaveMojo', 'package', "Makes a woven copy of the project's archive or classes, unless it is up to date.",
		[@common, @rules, @weave], [@hidden, @classes, @folder, @execution], [[@system], [@helper], [@lifecycle]]],
	['trace-tests', 'TraceTestsMojo', 'process-test-classes', 'Has the tests that follow traced: mvn jweave:trace-tests test.',
		[@common, @tests], [@hidden, @folder], [[@system]]],
	['list', 'ListMojo', '', 'Says which methods would be woven, and by which rule.',
		[@common, @rules], [@hidden, @classes], [[@system]]],
	['report', 'ReportMojo', '', 'Says where the time of a trace went.',
		[@common, ['trace', 'java.io.File', 'jweave.trace', '', "The trace. Default: the latest trace-*.prv in the project's folder, its build folder, or there in jweave (of tests, those of all their JVMs)."]],
		[@hidden], [[@system]]],
	['help', 'HelpMojo', '', 'Says what the goals do, and what they can be told.', [], [@descriptor], []],
);

print <<"XML";
<?xml version="1.0" encoding="UTF-8"?>
<plugin>
	<name>jweave Maven Plugin</name>
	<description>Weaves tracing into compiled Java, offline.</description>
	<groupId>org.jweave</groupId>
	<artifactId>jweave-maven-plugin</artifactId>
	<version>$version</version>
	<goalPrefix>jweave</goalPrefix>
	<mojos>
XML
for (@goals) {
	my ($goal, $class, $phase, $what, $told, $hidden, $components) = @$_;
	my ($parameters, $configuration) = ('', '');

	for (@$told) {
		my ($name, $type, $property, $default, $text) = @$_;
		$parameters .= "\t\t\t\t<parameter><name>$name</name><type>$type</type><required>false</required>" .
			"<editable>true</editable><description>$text</description></parameter>\n";
		my $value = $property ? "\${$property}" : '';
		$configuration .= "\t\t\t\t<$name implementation=\"$type\"" . ($default ne '' ? " default-value=\"$default\"" : '') . ">$value</$name>\n";
	}
	for (@$hidden) {
		my ($name, $type, $value) = @$_;
		$parameters .= "\t\t\t\t<parameter><name>$name</name><type>$type</type><required>true</required>" .
			"<editable>false</editable><description>Maven's own.</description></parameter>\n";
		$configuration .= "\t\t\t\t<$name implementation=\"$type\" default-value=\"$value\"/>\n";
	}
	my $requirements = join '', map { "\t\t\t\t<requirement><role>$_->[1]</role><field-name>$_->[0]</field-name></requirement>\n" } @$components;
	my $project = grep({ $_->[0] eq 'project' } @$hidden) ? 'true' : 'false';
	my $bound = $phase ? "\t\t\t<phase>$phase</phase>\n" : '';
	print <<"XML";
		<mojo>
			<goal>$goal</goal>
			<description>$what</description>
			<implementation>org.jweave.maven.$class</implementation>
			<language>java</language>
			<instantiationStrategy>per-lookup</instantiationStrategy>
			<executionStrategy>once-per-session</executionStrategy>
$bound			<requiresProject>$project</requiresProject>
			<requiresDirectInvocation>false</requiresDirectInvocation>
			<requiresReports>false</requiresReports>
			<aggregator>false</aggregator>
			<inheritedByDefault>true</inheritedByDefault>
			<threadSafe>true</threadSafe>
			<parameters>
$parameters			</parameters>
			<configuration>
$configuration			</configuration>
			<requirements>
$requirements			</requirements>
		</mojo>
XML
}
print "\t</mojos>\n\t<dependencies/>\n</plugin>\n";
