package org.jweave.gradle;

import java.io.File;

import org.gradle.api.GradleException;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.RegularFileProperty;
import org.gradle.api.tasks.IgnoreEmptyDirectories;
import org.gradle.api.tasks.InputFiles;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.PathSensitive;
import org.gradle.api.tasks.PathSensitivity;
import org.gradle.work.DisableCachingByDefault;

/** A task that asks rules about what the project has made. */
@DisableCachingByDefault(because = "says something, and makes nothing")
public abstract class RulesTask extends JweaveTask {
	/** (Gradle makes no field of a property that has a setter.) */
	private final ConfigurableFileCollection input = getProject().getObjects().fileCollection();

	/** The rules file. */
	@Internal
	public abstract RegularFileProperty getRules();

	/** The rules file, and those that it includes: what is woven depends on all of them. */
	@InputFiles
	@PathSensitive(PathSensitivity.RELATIVE)
	public abstract ConfigurableFileCollection getRulesFiles();

	/** What is woven: an archive, or a folder of classes. */
	@InputFiles
	@IgnoreEmptyDirectories
	@PathSensitive(PathSensitivity.RELATIVE)
	public ConfigurableFileCollection getInput() {
		return input;
	}

	/** In a build script: input = tasks.named('fat'), or what else from() takes (an archiveFile, files). */
	public void setInput(Object from) {
		getInput().setFrom(from);
	}

	final String rules() {
		File rules = getRules().get().getAsFile();

		if (!rules.isFile())
			throw new GradleException("jweave: there is no rules file " + rules +
				" (`jweave init` writes one to start with; -Pjweave.rules=FILE, or jweave { rules = file(NAME) }, names another)");
		return rules.getPath();
	}
}
