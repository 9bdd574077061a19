package org.jweave.gradle;

import java.io.File;

import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.tasks.CacheableTask;
import org.gradle.api.tasks.OutputDirectory;
import org.gradle.api.tasks.TaskAction;

/** Makes woven copies of folders of classes: OUTPUT/java of build/classes/java/main, as Gradle has a folder for each language. */
@CacheableTask
public abstract class WeaveClasses extends WeaveTask {
	/** Where the copies go. */
	@OutputDirectory
	public abstract DirectoryProperty getOutput();

	@TaskAction
	void go() {
		File output = getOutput().get().getAsFile();

		empty(output.toPath());
		for (File in : getInput())
			if (in.isDirectory())
				weave(in, new File(output, in.getParentFile().getName()));
	}
}
