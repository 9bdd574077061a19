package org.jweave.gradle;

import org.gradle.api.file.RegularFileProperty;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;

/** What a build script says in jweave { }. The words are those of the Maven plugin. */
public interface JweaveExtension {
	/** The rules file; by default jweave.json, if it is there (-Pjweave.rules is before it). */
	RegularFileProperty getRules();

	/** Built-in rules for traced tests, too (-Pjweave.presets, commas between). */
	ListProperty<String> getPresets();

	/** More options of `jweave weave`, for example --strict. */
	ListProperty<String> getArguments();

	/** More options of `jweave run` for traced tests, for example --summary. */
	ListProperty<String> getTestArguments();

	/** What the name of the woven copy of the jar ends with; by default traced. */
	Property<String> getClassifier();

	/** Are the JVMs that run tests traced? By default not (-Pjweave.traceTests). */
	Property<Boolean> getTraceTests();

	/** A jweave to run in place of the one that comes with this plugin (-Pjweave.program). */
	RegularFileProperty getProgram();

	/** The project has nothing to do with jweave today (-Pjweave.skip). */
	Property<Boolean> getSkip();
}
